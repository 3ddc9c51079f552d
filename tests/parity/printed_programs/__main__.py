"""Record what PyTorch prints: ``python -m tests.parity.printed_programs [NAME ...]``, where torch 2.13 is installed."""

import sys

import torch

from .printing import PROGRAMS, output_of

if __name__ == "__main__":
    torch.set_num_threads(1)
    for path in PROGRAMS:
        if len(sys.argv) == 1 or path.stem in sys.argv[1:]:
            path.with_suffix(".txt").write_text(output_of(path), encoding="utf-8")
            print(path.stem)
