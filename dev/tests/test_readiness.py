"""When ./quickstart believes that an object is ready."""
import copy
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "lib"))
from readiness import waits_for  # noqa: E402

READY = {
    "kind": "IdpCluster",
    "metadata": {"generation": 2, "annotations": {"sekisho.dev/restart": "b"}},
    "status": {
        "observedGeneration": 2,
        "images": {"restart": "b"},
        "conditions": [
            {"type": "Ready", "status": "True", "reason": "AllPartsReady"},
            {"type": "UpToDate", "status": "True", "reason": "RolledOut"},
        ],
    },
}


class ReadinessTest(unittest.TestCase):
    def changed(self, change):
        found = copy.deepcopy(READY)
        change(found)
        return waits_for(found)

    def test_ready_and_up_to_date_is_ready(self):
        self.assertEqual(waits_for(READY), "")

    def test_a_rollout_is_waited_for_although_the_old_pods_serve(self):
        def rolling(found):
            found["status"]["conditions"][1].update(status="False", reason="RollingOut")

        self.assertEqual(self.changed(rolling), "UpToDate: RollingOut")

    def test_a_status_without_the_condition_is_no_proof(self):
        self.assertTrue(self.changed(lambda found: found["status"]["conditions"].pop()))

    def test_a_restart_that_the_status_does_not_know_yet_is_waited_for(self):
        self.assertIn("sekisho.dev/restart", self.changed(lambda found: found["status"]["images"].update(restart="a")))
        self.assertIn("sekisho.dev/restart", self.changed(lambda found: found["status"].pop("images")))

    def test_a_status_of_an_earlier_generation_says_nothing(self):
        self.assertTrue(self.changed(lambda found: found["metadata"].update(generation=3)))
        self.assertTrue(self.changed(lambda found: found.pop("status")))

    def test_what_is_not_ready_is_named(self):
        def failing(found):
            found["status"]["conditions"] = [
                {"type": "Ready", "status": "False", "reason": "Progressing"},
                {"type": "RedisReady", "status": "Unknown", "reason": "Starting"}]

        self.assertEqual(self.changed(failing), "Ready: Progressing, RedisReady: Starting")

    def test_a_tenant_needs_only_ready(self):
        def tenant(found):
            found["kind"] = "Tenant"
            del found["status"]["conditions"][1], found["status"]["images"]

        self.assertEqual(self.changed(tenant), "")


if __name__ == "__main__":
    unittest.main()
