"""Record which cells print the same, where torch 2.13 and the packages of the docs are installed.

    python -m tests.parity.records.cells                  # all pages
    python -m tests.parity.records.cells checkpointing    # one, or several
    python -m tests.parity.records.cells changed          # those that have changed since, and new ones
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import matplotlib
import torch

from docs._ext import taught

from . import agrees, compared, file_of, outputs, recorded

ROOT = Path(__file__).resolve().parents[4]
#: OpenBLAS has kernels for each kind of processor, which round differently; on x86-64 it can be told which to take.
KERNELS = ("Prescott", "Haswell", "SkylakeX")


def record(name):
    matplotlib.use("Agg")
    torch.set_num_threads(1)
    page = taught.Page(taught.TUTORIALS / f"{name}.py")
    same = compared(page)
    write(name, same)
    print(f"{name}: {len(same)} of {len(page.cells)} cells print the same", flush=True)


def keep(name):
    """Of what was recorded, what minigrad also prints on this processor: some iterations magnify each rounding."""
    matplotlib.use("Agg")
    recording, printed = recorded(name), outputs(taught.Page(taught.TUTORIALS / f"{name}.py"), "minigrad")
    kept = {key: text for key, text in recording.items() if agrees(recording, key, printed[key] or "")}
    write(name, kept)
    if lost := len(recording) - len(kept):
        print(f"{name}: {lost} print something else with the kernels for {os.environ['OPENBLAS_CORETYPE']}", flush=True)


def write(name, recording):
    file_of(name).parent.mkdir(exist_ok=True)
    file_of(name).write_text(json.dumps(recording, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def changed(path):
    page = taught.Page(path)
    return not file_of(page.name).exists() or bool(recorded(page.name).keys() - {cell.key for cell in page.cells})


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] in ("--one", "--keep"):
        (record if sys.argv[1] == "--one" else keep)(sys.argv[2])
    else:
        for path in taught.scripts():
            name = path.relative_to(taught.TUTORIALS).with_suffix("").as_posix()
            if len(sys.argv) == 1 or {name, path.stem} & set(sys.argv[1:]) or "changed" in sys.argv and changed(path):
                # each in a process of its own: one must not see the tables and modes that another has changed
                alone = os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
                command = [sys.executable, "-m", "tests.parity.records.cells"]
                subprocess.run([*command, "--one", name], check=True, cwd=ROOT, env=alone)
                for kernel in KERNELS:
                    subprocess.run([*command, "--keep", name], check=True, cwd=ROOT,
                                   env=alone | {"OPENBLAS_CORETYPE": kernel})
