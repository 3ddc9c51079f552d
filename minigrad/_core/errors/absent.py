"""Names that PyTorch has and minigrad does not: the error for a program that uses one.

Such a program must be told just that: Python's own guess at a misspelling ("Did you mean: 'std'?" for `x.svd()`) would
mislead its author.  The names of PyTorch are in torch_names.txt, one line for each namespace, written by
tools/make_torch_names.py; why some are not here is in left_out.txt.  Both are read the first time that a name is
missing.
"""

import functools
import os
import re
import sys

from minigrad._core.errors import error

__all__ = ["Absent", "absent", "absent_module", "answering", "left_out", "pytorchs", "recorded", "why"]

_FOLDER = os.path.dirname(os.path.abspath(__file__))


def _read(name):
    with open(os.path.join(_FOLDER, name), encoding="utf-8") as file:
        return [line for line in file.read().split("\n") if not line.startswith("#")]


@functools.cache
def recorded():
    """{namespace: the public names that PyTorch has there}."""
    lines = [line.split() for line in _read("torch_names.txt") if line]
    return {namespace: frozenset(names) for namespace, *names in lines}


@functools.cache
def left_out():
    """{reason: the patterns of the names that are left out for it}."""
    reasons, patterns = {}, None
    for line in _read("left_out.txt"):
        if line.startswith(" "):
            patterns += line.split()
        elif line:
            patterns = reasons[line] = []
    return reasons


def why(namespace, name):
    """Why a name of PyTorch is left out; None if left_out.txt does not say."""
    for reason, patterns in left_out().items():
        for pattern in patterns:
            home, _, short = pattern.rpartition(".")
            if home in ("*", namespace) and re.fullmatch(short.replace("*", ".*"), name):
                return reason
    return None


def pytorchs(namespace):
    """The public names in a namespace of PyTorch, such as ``"torch.linalg"`` or ``"torch.Tensor"``."""
    return recorded().get(namespace, frozenset())


def absent(namespace, name):
    """The AttributeError for a name that ``namespace``, such as ``"minigrad.linalg"``, does not have."""
    theirs = namespace.replace("minigrad", "torch", 1)
    if name.startswith("_") or name not in pytorchs(theirs):
        exception = AttributeError(f"module {namespace!r} has no attribute {name!r}")
        exception.name, exception.obj = name, _Resembling(namespace, name)
        return exception
    reason = why(theirs, name)
    exception = error("MG602", f"{theirs}.{name} is in PyTorch, and not in minigrad{': ' + reason if reason else ''}. "
                               'The page "A decision on every name" of its documentation says what is here, and why '
                               "something is not: docs/notes/decisions.rst")
    exception.name, exception.obj = name, None          # no guesses at a misspelling
    return exception


def absent_module(name, asked=None):
    """The ImportError for a module of PyTorch that minigrad does not have, such as ``"torch.contrib"``.

    Its ``name`` is ``asked`` for: with that which the import itself has, ``from torch import contrib`` would drop it.
    """
    reason = because(name)
    return ModuleNotFoundError(f"No module named {name!r}: minigrad, which replaces torch here, has no "
                               f"minigrad{name.removeprefix('torch')}{': ' + reason if reason else ''}",
                               name=asked or name)


def because(name):
    """Why a module is left out, or one that it is part of; None if left_out.txt does not say."""
    parts = name.split(".")
    return next(filter(None, (why(".".join(parts[:k]), parts[k]) for k in range(1, len(parts)))), None)


class _Resembling:
    """What Python is to look through for "Did you mean ...?": it gives up where there are more than 750 names."""

    def __init__(self, namespace, name):
        self.namespace, self.name = namespace, name

    def __dir__(self):
        return [each for each in dir(sys.modules[self.namespace]) if abs(len(each) - len(self.name)) <= 2]


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
