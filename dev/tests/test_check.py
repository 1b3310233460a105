"""./check cannot pass by checking nothing."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parent.parent.parent


class CheckTest(unittest.TestCase):
    def test_a_checkout_without_scripts_is_no_success(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            shutil.copy(ROOT / "check", folder)
            shutil.copytree(ROOT / "dev" / "lib", folder / "dev" / "lib")
            programs = folder / "programs"
            programs.mkdir()
            for program in ("mvn", "shellcheck", "git"):
                (programs / program).write_text("#!/bin/sh\n[ ${0##*/} != git ]\n")
                (programs / program).chmod(0o755)
            jdk = folder / "jdk"
            (jdk / "bin").mkdir(parents=True)
            shutil.copy(programs / "mvn", jdk / "bin" / "javac")
            (jdk / "release").write_text('JAVA_VERSION="25.0.1"\n')
            environment = dict(os.environ, PATH=f"{programs}:{os.environ['PATH']}", JAVA_HOME=str(jdk),
                               SEKISHO_CACHE=str(folder / "cache"))
            environment.pop("SEKISHO_ALONE", None)
            environment.pop("SEKISHO_LOGS", None)
            run = subprocess.run([str(folder / "check"), "--fast"], env=environment, capture_output=True, text=True,
                                 timeout=60)
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertIn("no scripts found to check", run.stderr)
        self.assertNotIn("all is well", run.stderr)


if __name__ == "__main__":
    unittest.main()
