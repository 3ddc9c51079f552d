"""``python tools/build_site.py SITE``: build the site and check it; of what was built before, keep what is still right.

Most of the site is written from the library, its tests and the data of the course, so a change of these builds all of
it.  A change within pages, in the text or the code of a tutorial or in a page of docs, is read and written alone, and
with it the decks that show it; docs/_ext/rebuilding.py has all pages written again where others show what changed, such
as a title.  What the last build was made from is in sources.json beside the site; a build that fails leaves none, so
the next one builds everything.
"""

import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

TOOLS = Path(__file__).resolve().parent
ROOT = TOOLS.parent
#: what the site is made from
FOLDERS = ("docs", "minigrad", "tutorials", "tests/ops", "tests/parity", "tests/proofs", "tests/homework/solutions",
           "tools/question_bank")
FILES = ("README.md", "CHANGELOG.md", "constraints.txt")
#: what a build writes there
WRITTEN = ("docs/_build/", "docs/tutorials/", "docs/reading/", "docs/errors/", "docs/reference/generated/",
           "docs/reference/ops/")
NO_SOURCES = {".so", ".pyd", ".c", ".o", ".pyc", ".pyi"}
#: pages: a change in one of them concerns others only through what rebuilding.py compares
PAGE = re.compile(r"tutorials/(?!exercises/)[^/]+/[^/]+\.py|docs/.+\.rst|CHANGELOG\.md")

#: One thread for linear algebra, as joblib gives to each of its processes: what a tutorial computes is the same to the
#: last digit, whichever process runs it
THREADS = dict.fromkeys(("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"), "1")


def sources(root):
    """{path: what it contains, as a digest; of a tutorial also its title, which other pages show as it is read}."""
    found = {}
    for path in [root / name for name in FILES] + [path for folder in FOLDERS for path in (root / folder).rglob("*")]:
        name = path.relative_to(root).as_posix()
        if path.is_file() and path.suffix not in NO_SOURCES and "__pycache__" not in name and not name.startswith(
                WRITTEN):
            content = path.read_bytes()
            found[name] = [hashlib.sha256(content).hexdigest()]
            if name.startswith("tutorials/") and path.suffix == ".py":
                lines = content.decode("utf-8").splitlines()
                found[name].append(next((line for line in lines if line.strip('r" ')), ""))
    return found


def changed_pages(before, now):
    """The pages that changed since; None if something else did, or pages came or went."""
    if before is None or before.keys() != now.keys():
        return None
    changed = [name for name in now if now[name] != before[name]]
    alone = all(PAGE.fullmatch(name) and now[name][1:] == before[name][1:] for name in changed)
    return changed if alone else None


def run(*command):
    ended = subprocess.run([sys.executable, *map(str, command)], cwd=ROOT, env={**os.environ, **THREADS}).returncode
    if ended:
        raise SystemExit(ended)


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else None


def main(site):
    site = Path(site).resolve()
    known, names = site.parent / "sources.json", site / "_static" / "search-names.json"
    before = json.loads(known.read_text(encoding="utf-8")) if known.exists() and site.is_dir() else None
    now, searched = sources(ROOT), digest(names)
    changed = changed_pages(before, now)
    known.unlink(missing_ok=True)
    if changed is None:
        options = ["--fresh-env"]
    else:
        print("Only what changed is built:", ", ".join(changed) or "nothing", flush=True)
        options = ["-D", f"changed_pages={','.join(changed) or 'none'}"]
    run("-m", "sphinx", "--jobs", "auto", "--fail-on-warning", "--keep-going", *options, "-q", "-b", "html", "docs",
        site)
    run(TOOLS / "check_site.py", site, site.parent / "checked.pickle")
    if changed is None or digest(names) != searched:
        run(TOOLS / "check_search.py", site)
    if os.environ.get("AXE"):
        run(TOOLS / "check_accessibility.py", site)
    known.write_text(json.dumps(now), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
