"""All scenarios: the functions of the other files, and each row of the table with its in-place forms (rows.py).

A scenario is run again and again, each time with another allocation refused::

    prepare()           what it needs is made; nothing is refused yet
    run()               it returns something, or raises
    faults(result)      what is wrong afterwards; `result` is None where it has raised
"""

import functools
import importlib

import numpy as np

from minigrad._core.graph import Tensor
from tests.robustness.out_of_memory import afterwards, large, networks, passes, tensors, tools

FILES = {module.__name__.rpartition(".")[2]: module for module in (passes, tensors, networks, tools, large)}


def plain(x):
    """What does not change when tensors do."""
    if isinstance(x, Tensor):
        x = x.detach().cpu()
        return plain(x.numpy(force=True)) if x.device.type == "cpu" else str(x)
    if isinstance(x, np.ndarray):
        return x.copy()
    if isinstance(x, dict):
        return {key: plain(value) for key, value in x.items()}
    if isinstance(x, (list, tuple)):
        return [plain(each) for each in x]
    return x if isinstance(x, (int, float, complex, str, bytes, np.number)) else repr(type(x))


def same(a, b):
    """Up to rounding: where there is no memory for the fast way, it may have been another one."""
    if isinstance(a, dict):
        return a.keys() == b.keys() and all([same(a[key], b[key]) for key in a])
    if isinstance(a, list):
        return len(a) == len(b) and all([same(*each) for each in zip(a, b)])
    if isinstance(a, np.ndarray) and a.dtype.kind in "fcV" or isinstance(a, float):
        a, b = np.asarray(a), np.asarray(b)
        rtol = 1e-9 if a.dtype in (np.float64, np.complex128) else 1e-3
        if a.shape != b.shape or a.dtype != b.dtype:
            return False
        a, b = a.astype(complex), b.astype(complex)
        largest = np.abs(b[np.isfinite(b)]).max(initial=0.1)
        return np.allclose(a, b, rtol=rtol, atol=rtol * largest / 10, equal_nan=True)
    return np.array_equal(a, b) if isinstance(a, np.ndarray) else a == b


class Function:
    """A function of one of the files; its result, and the gradients that it leaves, are the same each time."""

    def __init__(self, function):
        self.name, self.run = function.__name__, function

    def prepare(self):
        afterwards.forget()

    @functools.cached_property
    def expected(self):
        self.prepare()
        return self.found(self.run())

    def found(self, result):
        return plain((result, passes.X.grad, passes.W.grad, passes.M.grad))

    def faults(self, result):
        if result is not None and not same(self.found(result[0]), self.expected):
            yield "another result"


def functions():
    return [Function(each) for module in FILES.values() for each in module.SCENARIOS]


def in_rows(name):
    """The samples of the table take longer to load than all else here."""
    return getattr(importlib.import_module("tests.robustness.out_of_memory.rows"), name)()


KINDS = {"functions": functions, **{kind: functools.partial(in_rows, kind) for kind in ("rows", "cases", "writes")}}


def of(kinds):
    return [scenario for kind in kinds for scenario in KINDS[kind]()]
