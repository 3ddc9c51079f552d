"""``python -m tests.site.live.pages [NAME...]``: tutorials cell by cell, exercises and homework, as in a page.

Node asks the worker of the page what a reader's clicks would ask: each cell of a tutorial in its order, the check of
each exercise on its starter and on its solution, and each homework on a solution.  A cell that needs what a page does
not have must say so; every other one must end well.  The exit status is 1 if one does not.
"""

import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from sphinx_gallery.py_source_parser import split_code_and_text_blocks

ROOT = Path(__file__).resolve().parents[3]
LIVE = Path(os.environ.get("MINIGRAD_LIVE") or ROOT / ".venv/live") / "live"
SOLUTIONS = ROOT / "tests/homework/solutions"
LIMIT = 900         # seconds for a page

sys.path.insert(0, str(ROOT / "docs/_ext"))
import exercises
from course import PAGES


def cell(code, name, *, check="", apart=False):
    return {"kind": "run", "code": code, "check": check, "apart": apart, "name": name}


def questions(page):
    """[(what a page asks its worker, whether that ends well)]."""
    path = ROOT / "tutorials" / f"{page}.py"
    if not path.exists():
        return [({"kind": "homework", "name": page, "code": (SOLUTIONS / f"{page}.py").read_text()}, True)]
    blocks = split_code_and_text_blocks(str(path))[1]
    codes = [block[1].strip("\n") for block in blocks if block[0] == "code" and block[1].strip()]
    found = [(cell(code, f"cell {i}"), True) for i, code in enumerate(codes, 1)]
    for i, each in enumerate(exercises.exercises_of(page), 1):
        for code, right in (each.starter, False), (each.starter + "\n" + each.solution, True):
            found.append((cell(code, f"exercise {i}", check=each.check, apart=True), right))
    return found


def run(page):
    """(lines about what went wrong, cells that say what a page does not have, seconds)."""
    began, asked = time.monotonic(), questions(page)
    with tempfile.TemporaryDirectory() as folder:
        given, answers = Path(folder, "given.json"), Path(folder, "answers.jsonl")
        given.write_text(json.dumps([question for question, _ in asked]))
        try:
            command = ["node", ROOT / "tests/site/live/in_worker.mjs", ROOT / "docs/_static", LIVE, given, answers]
            ended = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT).stderr
        except subprocess.TimeoutExpired:
            ended = f"no end after {LIMIT} s"
        said = [json.loads(line) for line in answers.read_text().splitlines()] if answers.exists() else []
    wrong, without = [], []
    for (question, right), answer in zip(asked, said[1:]):
        value, text = answer["value"], "".join(part for _, part in answer["said"])
        if answer["kind"] == "done" and (value.get("outcome") == "done") == right:
            continue
        if re.search(r"\n(This page has Python|A page has no)", text) or "on your computer" in text:
            without.append(question["name"])
        else:
            doubt = "" if right else "the check accepts the starter. "
            wrong.append(f"{question['name']}: {doubt}{(text or str(value))[-900:]}")
    if len(said) <= len(asked):
        wrong.append(f"{len(said) - 1} of {len(asked)} were answered: {ended[-900:]}")
    return wrong, without, time.monotonic() - began


def main():
    pages = [*PAGES, *sorted(path.stem for path in SOLUTIONS.glob("*.py"))]
    chosen = [page for page in pages if not sys.argv[1:] or page.rpartition("/")[2] in sys.argv[1:]]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS", 0)) or os.cpu_count()) as pool:
        for page, (wrong, without, seconds) in zip(chosen, pool.map(run, chosen)):
            failed += bool(wrong)
            needs = f"; without what a page does not have: {', '.join(without)}" if without else ""
            print(f"{'FAILED ' if wrong else ''}{page}, {seconds:.0f} s{needs}", *wrong, sep="\n    ", flush=True)
    print(f"In a page: {len(chosen) - failed} of {len(chosen)} pages run")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
