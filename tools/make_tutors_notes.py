"""Hands the wrong submissions of docs/teaching/tutors.toml to the judge, and writes docs/teaching/tutors.json.

    python tools/make_tutors_notes.py

Run it when an assignment, its solution or the judge's sentences have changed. A test hands them in again.
"""

import json
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "docs" / "_ext")]

import tutors


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "submission.py")
        said = {each["name"]: {wrong["belief"]: tutors.judged(path, each["name"], wrong) for wrong in each["wrong"]}
                for each in tutors.assignments()}
    tutors.SAID.write_text(json.dumps(said, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
