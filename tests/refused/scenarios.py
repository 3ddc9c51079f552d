"""All scenarios: the functions of the other files, and each row of the table with its in-place forms.

A scenario is run again and again, each time with another allocation refused::

    prepare()           what it needs is made; nothing is refused yet
    run()               it returns something, or raises
    faults(result)      what is wrong afterwards; `result` is None where it has raised
"""

import collections
import functools
import warnings

import numpy as np

import minigrad
from minigrad._core.graph import Tensor
from tests.ops.samples import ROWS
from tests.ops.test_inplace_forms import WRITES, calls, fits
from tests.ops.test_ops import bound, call, flat, ours
from tests.refused import afterwards, large, networks, passes, tensors, tools

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


class Row:
    """A sample of a row, forward and backward, with inputs that stay as they are."""

    def __init__(self, row, case):
        self.name, self.row, self.case = f"row {row.name}", row, case
        dtype = "float64"
        self.inputs, self.args, self.kwargs, _ = bound(ours, row, case, dtype)

    def prepare(self):
        minigrad.manual_seed(0)

    def run(self):
        outputs = [y for y in flat(call(minigrad, self.row, self.args, self.kwargs)) if isinstance(y, Tensor)]
        wanted = [y for y in outputs if y.requires_grad]
        if not wanted or not self.inputs:
            return outputs, None
        return outputs, minigrad.autograd.grad([y.abs().sum() if y.is_complex() else y.sum() for y in wanted],
                                               self.inputs, allow_unused=True)

    @functools.cached_property
    def expected(self):
        self.prepare()
        return plain(self.run())

    @functools.cached_property
    def given(self):
        return [(plain(x), x._version) for x in self.inputs]

    def faults(self, result):
        if result is not None and not same(plain(result[0]), self.expected):
            yield "another result"
        if not all([same(plain(x), value) and x._version == version for x, (value, version) in
                    zip(self.inputs, self.given)]):
            yield "an input has changed"


class Write:
    """An in-place form, on a tensor with a history and on a view: what raises has changed nothing."""

    def __init__(self, name, row, inputs, args, kwargs, result, view):
        self.name = f"{'through a view ' if view else ''}{name} of {row.name}"
        self.form, self.inputs, self.args, self.kwargs, self.view = name, inputs, args, kwargs, view
        self.before, self.after = plain(args[0]), plain(result).astype(args[0].dtype.numpy)

    def prepare(self):
        self.base = minigrad.stack([self.args[0], self.args[0]]) if self.view else self.args[0].clone()
        self.target = self.base[1] if self.view else self.base
        self.version, self.node = self.base._version, self.target.grad_fn

    def run(self):
        return getattr(self.target, self.form)(*self.args[1:], **self.kwargs)

    @functools.cached_property
    def expected(self):
        self.prepare()
        self.run()
        return self.slopes()

    def slopes(self):
        """The gradients of everything in memory."""
        if not (self.base.requires_grad and self.inputs):
            return None
        whole = self.base.abs() if self.base.is_complex() else self.base
        return plain(minigrad.autograd.grad(whole.sum(), self.inputs, allow_unused=True))

    @functools.cached_property
    def slopes_without(self):
        self.prepare()
        return self.slopes()

    def faults(self, result):
        written = result is not None
        if not same(plain(self.target), self.after if written else self.before):
            yield "another value"
        if self.view and not same(plain(self.base[0]), self.before):
            yield "a neighbour was written to"
        if self.base._version != self.version + written:
            more = self.base._version - self.version
            yield f"the version is {more} more, where it was {'' if written else 'not '}written"
        if not written and not self.view and self.target.grad_fn is not self.node:
            yield "another history"
        if not same([self.slopes()], [self.expected if written else self.slopes_without]):
            yield "other gradients of what was written to"


def functions():
    return [Function(each) for module in FILES.values() for each in module.SCENARIOS]


def of_rows(every_case=False):
    found = [Row(row, case) for row in ROWS for case in (row.cases if every_case else row.cases[:1])]
    return numbered(found)


def numbered(scenarios):
    """Several of one name get a number behind it."""
    often = collections.Counter()
    for scenario in scenarios:
        often[scenario.name] += 1
        if often[scenario.name] > 1:
            scenario.name += f" {often[scenario.name]}"
    return scenarios


def writes():
    found = []
    for name in WRITES:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for row, _, dtype, inputs, args, kwargs, result in calls(name):
                if dtype == "float64" and fits(result, args[0]) and args[0].numel():
                    found += [Write(name, row, inputs, args, kwargs, result, view) for view in (False, True)]
                    break
    return found


KINDS = {"functions": functions, "rows": of_rows, "cases": functools.partial(of_rows, True), "writes": writes}


def of(kinds):
    return [scenario for kind in kinds for scenario in KINDS[kind]()]
