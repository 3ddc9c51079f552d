"""Names that PyTorch has and minigrad does not: the error for a program that uses one.

Such a program must be told just that: Python's own guess at a misspelling ("Did you mean: 'std'?" for `x.svd()`) would
mislead its author.  The names of PyTorch are in torch_names.txt, one line for each namespace, written by
tools/make_torch_names.py and read the first time that a name is missing.
"""

import functools
import os

from minigrad._core.errors import error

__all__ = ["Absent", "absent", "answering", "pytorchs"]

_FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "torch_names.txt")


@functools.cache
def _recorded():
    with open(_FILE, encoding="utf-8") as file:
        lines = [line.split() for line in file if not line.startswith("#")]
    return {namespace: frozenset(names) for namespace, *names in lines}


def pytorchs(namespace):
    """The public names in a namespace of PyTorch, such as ``"torch.linalg"`` or ``"torch.Tensor"``."""
    return _recorded().get(namespace, frozenset())


def absent(namespace, name):
    """The AttributeError for a name that ``namespace``, such as ``"minigrad.linalg"``, does not have."""
    theirs = namespace.replace("minigrad", "torch", 1)
    if name.startswith("_") or name not in pytorchs(theirs):
        return AttributeError(f"module {namespace!r} has no attribute {name!r}")
    exception = error("MG602", f"{theirs}.{name} is in PyTorch, and not in minigrad. What minigrad has, and in which "
                               f"modes it works, is on the page \"What works with what\" of its documentation: "
                               "docs/notes/coverage.rst")
    exception.name, exception.obj = name, None          # no guesses at a misspelling
    return exception


def answering(namespace):
    """The ``__getattr__`` of a module: for names that it does not have."""
    def __getattr__(name):
        raise absent(namespace, name)
    return __getattr__


class Absent:
    """In the class Tensor: a method that PyTorch's Tensor has and ours does not."""

    def __init__(self, name):
        self.name = name

    def __get__(self, instance, owner):
        raise absent("torch.Tensor", self.name)
