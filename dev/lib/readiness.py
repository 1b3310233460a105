"""Reads an object of Sekisho (JSON) and prints "ready", or what it waits for.

Ready is an object whose status is of its present generation and says Ready=True. Of an IdpCluster it must say
UpToDate=True too: while new pods replace old ones, the old ones serve, and Ready stays True. A new value of the annotation
sekisho.dev/restart does not change the generation, so the status must have it on record (status.images.restart).
"""
import json
import sys

RESTART = "sekisho.dev/restart"


def waits_for(found):
    """What the object waits for, as text; empty when it is ready."""
    metadata, status = found["metadata"], found.get("status") or {}
    conditions = {c["type"]: c for c in status.get("conditions") or []}
    wanted = ["Ready"]
    if status.get("observedGeneration") != metadata["generation"]:
        return "the operator to look at it"
    if found["kind"] == "IdpCluster":
        wanted.append("UpToDate")
        asked = (metadata.get("annotations") or {}).get(RESTART)
        if asked and asked != (status.get("images") or {}).get("restart"):
            return "the operator to look at its annotation " + RESTART
    if all(conditions.get(name, {}).get("status") == "True" for name in wanted):
        return ""
    pending = sorted("%s: %s" % (c["type"], c["reason"]) for c in conditions.values() if c["status"] != "True")
    return ", ".join(pending) or "its first conditions"


if __name__ == "__main__":
    print(waits_for(json.load(sys.stdin)) or "ready")
