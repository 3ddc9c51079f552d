"""Write minigrad/_core/torch_names.txt: the public names of PyTorch, a line for each namespace.  Needs torch.

    python tools/make_torch_names.py
"""

import importlib
from pathlib import Path

import torch

NAMESPACES = ("torch", "torch.autograd", "torch.autograd.forward_ad", "torch.autograd.function",
              "torch.autograd.functional", "torch.autograd.graph", "torch.cuda", "torch.distributions", "torch.fft",
              "torch.func", "torch.linalg", "torch.nn", "torch.nn.functional", "torch.optim",
              "torch.optim.lr_scheduler", "torch.optim.swa_utils", "torch.random", "torch.signal.windows",
              "torch.special", "torch.utils", "torch.utils.hooks")
PATH = Path(__file__).resolve().parent.parent / "minigrad" / "_core" / "torch_names.txt"


def public(namespace):
    return sorted([name for name in dir(namespace) if not name.startswith("_")])


def main():
    lines = [f"# The public names of PyTorch {torch.__version__.partition('+')[0]}; written by "
             "tools/make_torch_names.py."]
    lines += [" ".join([name, *public(importlib.import_module(name))]) for name in NAMESPACES]
    lines.append(" ".join(["torch.Tensor", *public(torch.Tensor)]))
    PATH.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
