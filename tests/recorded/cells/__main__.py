"""Record which cells print the same, where torch 2.13 and the packages of the docs are installed.

    python -m tests.recorded.cells                  # all pages
    python -m tests.recorded.cells checkpointing    # one, or several
    python -m tests.recorded.cells changed          # those that have changed since, and new ones
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import matplotlib
import torch

from docs._ext import taught

from . import compared, file_of, recorded

ROOT = Path(__file__).resolve().parents[3]


def record(name):
    matplotlib.use("Agg")
    torch.set_num_threads(1)
    page = taught.Page(taught.TUTORIALS / f"{name}.py")
    same = compared(page)
    file_of(name).parent.mkdir(exist_ok=True)
    file_of(name).write_text(json.dumps(same, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{name}: {len(same)} of {len(page.cells)} cells print the same", flush=True)


def changed(path):
    page = taught.Page(path)
    return not file_of(page.name).exists() or bool(recorded(page.name).keys() - {cell.key for cell in page.cells})


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "--one":
        record(sys.argv[2])
    else:
        for path in taught.scripts():
            name = path.relative_to(taught.TUTORIALS).with_suffix("").as_posix()
            if len(sys.argv) == 1 or {name, path.stem} & set(sys.argv[1:]) or "changed" in sys.argv and changed(path):
                # each in a process of its own: one must not see the tables and modes that another has changed
                subprocess.run([sys.executable, "-m", "tests.recorded.cells", "--one", name], check=True, cwd=ROOT,
                               env=os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"})
