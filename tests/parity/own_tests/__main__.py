"""``python -m tests.parity.own_tests [--files FOLDER] [NAME ...]``: PyTorch's own tests, with minigrad as torch.

A name is a file below the folder ``test``, such as ``optim/test_optim.py``; without one, all files run.  The exit
status is 1 if a test fails that known.txt does not list, or one passes that it lists, and 3 if the files cannot be had.
"""

import argparse
import collections
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
KNOWN = HERE / "known.txt"
ABSENT = 3
SLOW = "it takes more than 20 seconds"
NAMES = ["test_autograd.py", "test_nn.py", *[f"nn/test_{name}.py" for name in (
    "convolution", "dropout", "embedding", "init", "lazy_modules", "module_hooks", "multihead_attention",
    "packed_sequence", "parametrization", "pooling", "pruning")], "optim/test_optim.py", "optim/test_lrscheduler.py",
    "optim/test_swa_utils.py", "functorch/test_eager_transforms.py", "functorch/test_vmap.py"]
REPOSITORY, TAG = "https://github.com/pytorch/pytorch", "v2.13.0"
PARTS = ["test", "torch/_functorch", "torch/autograd", "torch/nn/utils", "torch/testing", "torch/utils"]


def main(arguments):
    parser = argparse.ArgumentParser(prog="python -m tests.parity.own_tests", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="files, such as optim/test_optim.py")
    parser.add_argument("--files", type=Path, help="a folder with PyTorch's test and torch")
    parser.add_argument("--torch", type=Path, help="the folder torch, if it is elsewhere")
    parser.add_argument("--known", type=Path, default=KNOWN, help="the list of tests that fail")
    parser.add_argument("--seconds", type=int, default=20, help="for one test")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as scratch:
        files = options.files or brought(Path(scratch) / "pytorch")
        if files is None:
            return ABSENT
        tests, torch = files.resolve() / "test", (options.torch or files / "torch").resolve()
        found = [path.relative_to(tests).as_posix() for name in options.names or NAMES for path in tests.glob(name)]
        if not found or not (torch / "testing" / "_internal").is_dir():
            print(f"{tests} has none of the tests, or {torch} no testing/_internal")
            return ABSENT
        known = read(options.known)
        complaints = [one_file(name, tests, torch, options.seconds, known, Path(scratch)) for name in sorted(found)]
    return int(any(complaints))


def brought(folder):
    """A clone of the parts of PyTorch that are needed; None if it cannot be had."""
    clone = ["git", "clone", "--quiet", "--depth=1", "--filter=blob:none", "--sparse", f"--branch={TAG}", REPOSITORY]
    select = ["git", "-C", str(folder), "sparse-checkout", "set", *PARTS]
    return folder if all(subprocess.run(each).returncode == 0 for each in ([*clone, str(folder)], select)) else None


def read(path):
    """{test: why it fails}."""
    lines = [line for line in path.read_text(encoding="utf-8").split("\n") if line and not line.startswith("#")]
    return dict(line.split("  ", 1) for line in lines)


def one_file(name, tests, torch, seconds, known, scratch):
    """Run a file in a process of its own, say how its tests ended, and return what is not as the list has it."""
    out = scratch / "ended.jsonl"
    out.write_text("", encoding="utf-8")
    done = subprocess.run([sys.executable, "-m", "tests.parity.own_tests.running", tests, torch, name, out,
                           f"--seconds={seconds}"], capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *filter(None, [
                              os.environ.get("PYTHONPATH")])]), "OMP_NUM_THREADS": "1"})
    ended = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    counts = collections.Counter(each["ended"] for each in ended)
    reasons = collections.Counter(known[each["test"]] for each in ended
                                  if each["ended"] == "failed" and each["test"] in known)
    print(f"{name}: {len(ended)} tests, {counts['passed']} passed, {counts['skipped']} skipped, "
          f"{counts['failed']} failed", flush=True)
    for reason, count in reasons.most_common():
        print(f"    {count} listed: {reason}")
    complaints = [complaint(each, known) for each in ended]
    if done.returncode:
        complaints.append(f"the process ended with {done.returncode}:\n{done.stderr[-2000:]}")
    complaints = [each for each in complaints if each]
    for each in complaints:
        print(f"    {each}", flush=True)
    return complaints


def complaint(each, known):
    """What to say of a test that did not end as the list has it; "" if it did.

    A test that is listed for its length may pass on another machine.
    """
    if each["ended"] == "failed" and each["test"] not in known:
        return f"fails, and is not listed: {each['test']}: {each['words']}"
    if each["ended"] == "passed" and known.get(each["test"], SLOW) != SLOW:
        return f"passes, and is listed: {each['test']}  {known[each['test']]}"
    return ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
