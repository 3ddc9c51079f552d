"""``python -m tests.site.live.suite [FILE...]``: tests of the core, autograd and func, in WebAssembly under Node.

They run on what ``make live`` builds, which is built first.  Without names, files begin for MINUTES in an order drawn
from the commit, so that every change is tested by another share; ``SEED=n`` draws as another run did, and ``ALL=1``
runs every file.  Where a test ends the process, the files after it go on in another.  What asks for a thread, a
process or a timer skips its test, since WebAssembly has none.

The exit status is 1 if a test fails, and 3 if there is no compiler to build with.
"""

import collections
import concurrent.futures
import json
import os
import pathlib
import random
import subprocess
import sys
import time
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
WORK = pathlib.Path(os.environ.get("MINIGRAD_LIVE") or ROOT / ".venv/live").resolve()
FOLDERS = ("core", "autograd", "func")
MINUTES = 2                 # after so many, no more files begin
FILES, LIMIT = 3, 900       # of one process: how many files, since Python takes seconds to start, and seconds
PURE = ("pytest", "pluggy", "iniconfig", "packaging", "pygments", "hypothesis", "sortedcontainers", "mpmath")
#: what site.tgz leaves out of the package, and tests read
READ = (".pyi", ".pyx", ".pxd", ".h")


def git(*arguments):
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True).stdout


def wheels(folder):
    """pytest and hypothesis, of which WebAssembly runs those without compiled parts."""
    if not list(folder.glob("hypothesis-*.whl")):
        environment = {key: value for key, value in os.environ.items() if key != "PIP_CONSTRAINT"}
        subprocess.run([WORK / "python/bin/python", "-m", "pip", "download", "--quiet", "--no-deps",
                        "--only-binary", ":all:", "--platform", "any", "--python-version", "3.13",
                        "--implementation", "py", "--abi", "none", "-d", folder, *PURE], check=True, env=environment)
    return sorted(folder.glob("*.whl"))


def pack(target):
    """The tests, what they read, and pytest."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as made:
        for wheel in wheels(WORK / "wheels"):
            with zipfile.ZipFile(wheel) as packed:
                for name in packed.namelist():
                    made.writestr(name, packed.read(name))
        for name in git("ls-files", "--cached", "--others", "--exclude-standard").splitlines():
            path = ROOT / name
            if path.is_file() and (not name.startswith("minigrad/") or path.suffix in READ):
                made.write(path, name)


def run(files, tests, results):
    """What happened to each test of these files: {test: (outcome, why)}."""
    found, result = {}, results / (files[0].replace("/", ".") + ".jsonl")
    while files:
        result.unlink(missing_ok=True)
        with open(result.with_suffix(".txt"), "w") as printed:
            command = ["node", ROOT / "tests/site/live/run_tests.mjs", WORK / "live", tests, result, json.dumps(files)]
            try:
                subprocess.run(command, stdout=printed, stderr=subprocess.STDOUT, timeout=LIMIT)
            except subprocess.TimeoutExpired:
                pass
        lines = [json.loads(line) for line in result.read_text().splitlines()] if result.exists() else []
        found.update({line["test"]: (line["outcome"], line["why"]) for line in lines if "test" in line})
        if lines and lines[-1].get("ended") in (0, 1, 5):
            break
        # The process has ended in a test: the files after that one are run in another.
        started = [line["started"] for line in lines if "started" in line] or [files[0]]
        said = result.with_suffix(".txt").read_text(errors="replace")[-1000:]
        found[started[-1]] = "failed", f"the process ended here: {said}"
        files = files[files.index(started[-1].split("::")[0]) + 1:]
    return found


def drawn():
    """All files, in an order of this commit's own."""
    files = [str(path.relative_to(ROOT)) for folder in FOLDERS
             for path in sorted((ROOT / "tests" / folder).rglob("test_*.py"))]
    seed = os.environ.get("SEED") or git("rev-parse", "--short", "HEAD").strip()
    random.Random(seed).shuffle(files)
    print(f"{len(files)} files, in the order of SEED={seed}", flush=True)
    return files


def main():
    built = subprocess.run([sys.executable, ROOT / "tools/live/build.py", WORK])
    if built.returncode:
        return built.returncode
    results, tests = WORK / "results", WORK / "tests.zip"
    results.mkdir(exist_ok=True)
    pack(tests)
    files, share = sys.argv[1:] or drawn(), not sys.argv[1:] and not os.environ.get("ALL")
    parts = [files[i:i + FILES] for i in range(0, len(files), FILES)]
    began, outcomes, failures = time.monotonic(), collections.Counter(), []

    def tested(part):
        if not share or time.monotonic() - began < 60 * MINUTES:
            return run(part, tests, results)

    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS", 0)) or os.cpu_count()) as pool:
        for part, found in zip(parts, pool.map(tested, parts)):
            if found is None:
                continue
            outcomes.update([outcome for outcome, _ in found.values()])
            failures += [(test, why) for test, (outcome, why) in found.items() if outcome == "failed"]
            print(f"{time.monotonic() - began:6.0f} s  {len(found):5} tests  {' '.join(part)}", flush=True)
    for test, why in failures:
        print(f"\nFAILED {test}\n{why[-1500:]}")
    print("In WebAssembly:", ", ".join([f"{n} {outcome}" for outcome, n in outcomes.most_common()]))
    return int(bool(failures) or not outcomes["passed"])


if __name__ == "__main__":
    sys.exit(main())
