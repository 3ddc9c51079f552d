"""Scenarios of the table: each sample of a row, and each in-place form."""

import collections
import contextlib
import functools
import warnings

import numpy as np

import minigrad
from minigrad._core.forward import dual_tensors
from minigrad._core.graph import Tensor
from minigrad.autograd import forward_ad
from tests.ops.samples import ROWS
from tests.ops.test_inplace_forms import WRITES, calls, fits
from tests.ops.test_ops import bound, call, flat, ours
from tests.robustness.out_of_memory.scenarios import plain, same


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


class DualWrite(Write):
    """In a dual level, where what raises has changed the tangent as little as the value."""

    def __init__(self, name, row, inputs, args, kwargs, result, view):
        super().__init__(name, row, inputs, args, kwargs, result, view)
        self.name = f"with a tangent {self.name}"
        self.given = minigrad.ones_like(args[0], requires_grad=False)
        if view:
            self.given = minigrad.stack([self.given, self.given])

    def prepare(self):
        super().prepare()
        self.written = self.tangent = None

    def run(self):
        with forward_ad.dual_level():
            dual_tensors.set_tangent(self.base, self.given)
            try:
                self.written = super().run()
                return self.written
            finally:
                with contextlib.suppress(MemoryError):      # also refused, perhaps: then nothing is known of it
                    self.tangent = plain(dual_tensors.tangent_of(self.target))

    @functools.cached_property
    def tangent_of_result(self):
        self.prepare()
        self.run()
        return self.tangent

    def faults(self, result):
        tangent, written = self.tangent, self.written       # of this run; others follow
        yield from super().faults(written)
        wanted = plain(self.given[1] if self.view else self.given) if written is None else self.tangent_of_result
        if tangent is not None and not same(tangent, wanted):
            yield f"another tangent, where it was {'not ' if written is None else ''}written"


def rows():
    """The first case of each row."""
    return numbered([Row(row, row.cases[0]) for row in ROWS if row.cases])


def cases():
    """Each case of each row."""
    return numbered([Row(row, case) for row in ROWS for case in row.cases])


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
                    found += [kind(name, row, inputs, args, kwargs, result, view)
                              for kind in (Write, DualWrite) for view in (False, True)]
                    break
    return [scenario for scenario in found if not isinstance(scenario, DualWrite) or has_tangent(scenario)]


def has_tangent(scenario):
    """Has the in-place form a formula for tangents, and what it writes to a dtype that can have one?"""
    try:
        return isinstance(scenario.tangent_of_result, np.ndarray)
    except (NotImplementedError, RuntimeError):
        return False
