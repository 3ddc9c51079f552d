"""Write minigrad/_core/errors/torch_names.txt: the public names of PyTorch, a line for each namespace.  Needs torch.

    python tools/make_torch_names.py
"""

import importlib
import inspect
import pkgutil
from pathlib import Path

import torch

NAMESPACES = ("torch", "torch.autograd", "torch.autograd.forward_ad", "torch.autograd.function",
              "torch.autograd.functional", "torch.autograd.graph", "torch.cuda", "torch.distributions", "torch.fft",
              "torch.func", "torch.linalg", "torch.nn", "torch.nn.functional", "torch.optim",
              "torch.optim.lr_scheduler", "torch.optim.swa_utils", "torch.random", "torch.signal.windows",
              "torch.special", "torch.utils", "torch.utils.hooks")

# of these, what PyTorch defines, and not what they import from Python
DEFINED = ("torch.amp", "torch.cuda.amp", "torch.distributed", "torch.masked", "torch.nn.attention", "torch.nn.init",
           "torch.nn.parallel",
           "torch.nn.parameter", "torch.nn.utils", "torch.nn.utils.parametrizations", "torch.nn.utils.parametrize",
           "torch.nn.utils.prune", "torch.nn.utils.rnn", "torch.optim.optimizer", "torch.serialization",
           "torch.testing", "torch.utils.benchmark", "torch.utils.checkpoint", "torch.utils.data")

# the submodules of these are names too, even those that PyTorch loads only when they are imported
WITH_FILES = ("torch", "torch.utils", "torch.nn.utils", "torch.utils.data")
PATH = Path(__file__).resolve().parent.parent / "minigrad" / "_core" / "errors" / "torch_names.txt"


def public(namespace):
    return sorted([name for name in dir(namespace) if not name.startswith("_")])


def defined(namespace):
    """The names that a module lists as its own, or that are classes, functions and modules of PyTorch."""
    listed = getattr(namespace, "__all__", ())
    return [name for name in public(namespace) if name in listed or of_pytorch(getattr(namespace, name))]


def of_pytorch(value):
    home = value.__name__ if inspect.ismodule(value) else getattr(value, "__module__", "")
    return isinstance(home, str) and (inspect.ismodule(value) or callable(value)) and home.startswith("torch.")


def files_of(namespace):
    """The public submodules of a package."""
    return [each.name for each in pkgutil.iter_modules(namespace.__path__) if not each.name.startswith("_")]


def line_of(name):
    """A namespace and its names."""
    namespace = importlib.import_module(name)
    names = {*(defined if name in DEFINED else public)(namespace)}
    return " ".join([name, *sorted(names.union(files_of(namespace) if name in WITH_FILES else ()))])


def main():
    lines = [f"# The public names of PyTorch {torch.__version__.partition('+')[0]}; written by "
             "tools/make_torch_names.py."]
    lines += [line_of(name) for name in sorted(NAMESPACES + DEFINED)]
    lines.append(" ".join(["torch.Tensor", *public(torch.Tensor)]))
    PATH.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
