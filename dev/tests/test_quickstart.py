"""./quickstart --context: the user's programs, and nothing built."""
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parent.parent.parent
NEEDED = ("awk bash cat comm curl cut date dirname env flock grep id mkdir openssl python3 sed sha256sum sleep sort tail"
          " touch tr").split()


class ContextTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.programs = self.folder / "programs"
        self.programs.mkdir()
        for name in NEEDED:
            found = subprocess.run(["bash", "-c", "type -P " + name], capture_output=True, text=True).stdout.strip()
            if found:
                (self.programs / name).symlink_to(found)
        self.fake("go", "touch %s/built; exit 1" % self.folder)

    def fake(self, name, text):
        program = self.programs / name
        program.write_text("#!/bin/bash\necho %s \"$@\" >>%s/calls\n%s\n" % (name, self.folder, text))
        program.chmod(0o755)

    def quickstart(self, *arguments):
        environment = dict(os.environ, PATH=str(self.programs), SEKISHO_CACHE=str(self.folder / "cache"))
        environment.pop("SEKISHO_ALONE", None)
        environment.pop("SEKISHO_LOGS", None)
        run = subprocess.run([str(self.programs / "bash"), str(ROOT / "quickstart"), *arguments], env=environment,
                             capture_output=True, text=True, timeout=60)
        self.assertFalse((self.folder / "built").exists(), "it used Go: " + run.stderr)
        return run

    def test_a_missing_program_is_named_and_not_built(self):
        for verb in ("run", "status", "env", "down"):
            run = self.quickstart(verb, "--context", "mine")
            self.assertEqual(run.returncode, 1, run.stderr)
            self.assertIn("--context needs kubectl, which is not on PATH", run.stderr)
        self.fake("kubectl", "exit 0")
        self.assertIn("--context needs helm, which is not on PATH", self.quickstart("status", "--context", "mine").stderr)

    def test_an_unknown_context_is_named(self):
        self.fake("helm", "exit 0")
        self.fake("kubectl", "[[ $* != 'config get-contexts mine' ]]")
        run = self.quickstart("status", "--context", "mine")
        self.assertEqual(run.returncode, 1)
        self.assertIn("no context mine", run.stderr)

    def test_every_call_goes_to_the_context(self):
        self.fake("helm", "exit 0")
        self.fake("kubectl", "[[ $* == *' json' ]] && echo '{}'; exit 0")
        self.quickstart("status", "--context", "mine")
        calls = [line for line in (self.folder / "calls").read_text().splitlines() if " config " not in line]
        self.assertTrue(calls)
        for call in calls:
            self.assertTrue(call.startswith("kubectl --context mine "), call)


if __name__ == "__main__":
    unittest.main()
