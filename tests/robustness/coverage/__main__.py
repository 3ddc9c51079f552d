"""``python -m tests.robustness.coverage``: build the counted copy in build/covered, run the tests there, and report.

Other arguments go to pytest, such as a file of tests; then nothing is asked of the whole.  ``--add`` keeps what earlier
runs have counted, and ``--report`` only tells what is there.  What is not covered is written into
build/covered/gaps.txt, a line each, and the figures of each file into build/covered/shares.txt.

The exit status is 1 if a planted gap is not reported, or another one is; and, when all tests have run, if a gap in a
file that was gone through has no entry in ``explained/``, or an entry fits none.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys

from . import core, python
from .explained import ENTRIES, READ
from .explaining import explain
from .planted import CODE, CORE, EXPECTED, PYTHON
from .report import Share, core_gaps, python_gaps

ROOT = pathlib.Path(__file__).resolve().parents[3]
COPY = ROOT / "build" / "covered"
NOTES = "build/temp.*/minigrad/_core"

#: Tests that are run without a tracer of Python: it needs memory too, and where that is refused, the error appears in
#: the midst of a ``finally``; and a signal that ends passes in its midst ends none.
UNTRACED = ["tests/robustness/out_of_memory/test_out_of_memory.py", "tests/autograd/test_nested_passes.py"]

#: What each process of the copy imports first: one that leaves at once still writes what its core has counted.
SITE = '''
import os
import sys

if "COVERAGE_PROCESS_START" in os.environ:
    import coverage
    coverage.process_startup()
leave = os._exit


def write_and_leave(status):
    if "minigrad._core.graph" in sys.modules:
        from minigrad._core.planted import write
        write()
    leave(status)


os._exit = write_and_leave
'''

SETTINGS = f'''
[run]
branch = True
parallel = True
source = {COPY / "minigrad"}
data_file = {COPY / ".coverage"}
disable_warnings = no-data-collected, module-not-measured
sigterm = True
patch =
    _exit
    fork
'''


def main():
    arguments = argparse.ArgumentParser(description="Which lines and branches the tests run.",
                                        epilog="Other arguments go to pytest.", allow_abbrev=False)
    arguments.add_argument("--add", action="store_true", help="keep what earlier runs have counted")
    arguments.add_argument("--report", action="store_true", help="run nothing, tell what was counted")
    chosen, rest = arguments.parse_known_args()
    if not chosen.report:
        copy()
        built = subprocess.run([sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"], cwd=COPY,
                               env={**os.environ, "MINIGRAD_COVERED": "1"})
        if built.returncode:
            return 1
        if not chosen.add:
            for path in [*COPY.glob(f"{NOTES}/*.gcda"), *COPY.glob(".coverage.*"), COPY / ".coverage"]:
                path.unlink(missing_ok=True)
        run(rest)
    return tell(whole=not rest)


def run(chosen):
    """Run the planted code, and the tests; one that fails here is the concern of ``make test``."""
    subprocess.run([sys.executable, "-c", CODE], cwd=COPY, env=environment(traced=True), check=True)
    pytest = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "tests.robustness.coverage.writing"]
    if chosen:
        subprocess.run([*pytest, *chosen], cwd=COPY, env=environment(traced=True))
        return
    pytest += ["--numprocesses=auto", "--dist=worksteal"]
    ignored = [f"--ignore={name}" for name in UNTRACED]
    subprocess.run([*pytest, *ignored], cwd=COPY, env=environment(traced=True))
    subprocess.run([*pytest, *UNTRACED], cwd=COPY, env=environment(traced=False))


def environment(traced):
    chosen = {"PYTHONPATH": str(COPY), "MPLBACKEND": "Agg"}
    if traced:
        chosen["COVERAGE_PROCESS_START"] = str(COPY / ".coveragerc")
    return {**os.environ, **chosen}


def copy():
    """The repository as it is now; what was built from sources that have not changed stays."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT,
                            check=True, stdout=subprocess.PIPE, text=True).stdout
    names = {name for name in listed.split("\0") if name and (ROOT / name).is_file()}
    names |= {path.relative_to(ROOT).as_posix() for path in (ROOT / "minigrad").rglob("*.pyi")}     # some are ignored
    for folder in {name.partition("/")[0] for name in names if "/" in name}:
        for path in (COPY / folder).rglob("*"):
            if path.suffix in (".py", ".pyx", ".pxd", ".h") and path.relative_to(COPY).as_posix() not in names:
                path.unlink()
    for name in names:
        write(COPY / name, (ROOT / name).read_bytes())
        shutil.copymode(ROOT / name, COPY / name)
    for name, text in [("minigrad/_core/planted.pyx", CORE), ("minigrad/planted_python.py", PYTHON),
                       ("sitecustomize.py", SITE), (".coveragerc", SETTINGS)]:
        write(COPY / name, text.encode())


def write(path, content):
    """Leave a file alone that is as it must be: what was built from it is then up to date."""
    if not path.exists() or path.read_bytes() != content:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def tell(whole):
    """Write the lists, print the figures, and return the exit status."""
    gaps, shares, of_files = [], {"Python": Share(), "Cython": Share(), "headers in C": Share()}, []
    notes, = COPY.glob(NOTES)
    for files, judge in [(core.counted(COPY, notes), core_gaps), (python.counted(COPY), python_gaps)]:
        for name, file in sorted(files.items()):
            found, share = judge(name, file, (COPY / name).read_text(encoding="utf-8"))
            gaps += found
            if "planted" not in name:
                kind = {".py": "Python", ".h": "headers in C"}.get(pathlib.Path(name).suffix, "Cython")
                shares[kind] += share
                of_files.append(f"{name}: {share}")
    planted = {gap for gap in gaps if "planted" in gap.file}
    gaps = [gap for gap in gaps if gap not in planted]
    (COPY / "gaps.txt").write_text("".join([f"{gap}\n" for gap in gaps]), encoding="utf-8")
    (COPY / "shares.txt").write_text("".join([f"{line}\n" for line in of_files]), encoding="utf-8")
    for kind, share in shares.items():
        print(f"{kind}: {share}")
    wrong = EXPECTED ^ {(gap.file, gap.text, gap.what) for gap in planted}
    for each in wrong:
        print(f"PLANTED, BUT NOT AS EXPECTED: {each}")
    unexplained, must, unused = explain(gaps, ENTRIES, READ)
    print(f"{len(gaps)} gaps; {len(gaps) - len(unexplained)} are explained, {len(unexplained)} are in files that were "
          f"not gone through or have no entry. They are listed in {COPY / 'gaps.txt'}.")
    if whole:
        for gap in must:
            print(f"NO ENTRY: {gap}")
        for entry in unused:
            print(f"FITS NO GAP: {entry}")
    return int(bool(wrong or whole and (must or unused)))


if __name__ == "__main__":
    sys.exit(main())
