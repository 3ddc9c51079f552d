"""Forward mode of every operation, held against reverse mode, on the sample rows (see sampling.py).

Reverse mode has been compared with finite differences; so two identities are enough::

    <u, J v>  =  <J^T u, v>             the tangent, forward, and the gradient, backward, of the same Jacobian
    J_g v     =  gradient of <g, v>                 forward over reverse, and reverse over reverse, g the gradient

for random directions u and v.  A planted wrong tangent shows that a fault would be seen.
"""

import numpy as np
import pytest

import minigrad
from minigrad._core.graph import wrap
from minigrad.autograd import forward_ad as fwAD
from tests.ops.test_ops import DIFFERENTIABLE, TWICE, bound, each, function_of, ours

GENERATOR = np.random.default_rng(0)


def direction(x):
    """A random tensor of the shape and dtype of ``x``."""
    values = GENERATOR.normal(size=tuple(x.shape))
    if x.dtype.is_complex:
        values = values + 1j * GENERATOR.normal(size=tuple(x.shape))
    return wrap(np.asarray(values, x.dtype.numpy))


def inner(pairs):
    """The real inner product of lists of tensors; None is zero."""
    return sum([float(np.real(np.conj(a.numpy(force=True)) * b.numpy(force=True)).sum())
                for a, b in pairs if a is not None])


def samples(row):
    for case in row.cases:
        for dtype in ["float64"] + ["complex128"] * row.complex:
            inputs, args, kwargs, _ = bound(ours, row, case, dtype)
            if inputs and (function := function_of(row, inputs, args, kwargs))(*inputs):
                yield f"{row}({case}) of {dtype}", function, inputs


def duals_of(inputs, directions):
    return [fwAD.make_dual(x, v) for x, v in zip(inputs, directions)]


def check_adjoint(name, function, inputs, tangents_of):
    directions = [direction(x) for x in inputs]
    outputs, tangents = tangents_of(function, inputs, directions)
    cotangents = [direction(y) for y in outputs]
    gradients = minigrad.autograd.grad(outputs, inputs, cotangents, allow_unused=True)
    forward, reverse = inner(zip(tangents, cotangents)), inner(zip(gradients, directions))
    assert np.isclose(forward, reverse, rtol=1e-9, atol=1e-9,
                      equal_nan=True), f"{name}: {forward} forward, {reverse} in reverse"


def by_duals(function, inputs, directions):
    with fwAD.dual_level():
        outputs = function(*duals_of(inputs, directions))
        pairs = [fwAD.unpack_dual(y) for y in outputs]
        assert all([t is None or (t.shape == y.shape and t.dtype == y.dtype) for y, t in pairs])
    return list(outputs), [t for _, t in pairs]


@each(DIFFERENTIABLE)
def test_the_tangent_is_the_adjoint_of_the_gradient(row):
    for name, function, inputs in samples(row):
        check_adjoint(name, function, inputs, by_duals)


@each(DIFFERENTIABLE)
def test_a_write_to_a_tangent_that_was_given_changes_that_of_no_result(row):
    """But that of a view, which is a part of it."""
    for name, function, inputs in samples(row):
        directions = [direction(x) for x in inputs]
        with fwAD.dual_level():
            outputs = [y for y in function(*duals_of(inputs, directions))
                       if not any([np.may_share_memory(y.numpy(force=True), x.numpy(force=True)) for x in inputs])]
            before = [None if t is None else t.tolist() for _, t in map(fwAD.unpack_dual, outputs)]
            with minigrad.no_grad():
                for v in directions:
                    v.mul_(3)
            after = [None if t is None else t.tolist() for _, t in map(fwAD.unpack_dual, outputs)]
            assert repr(after) == repr(before), name


@each(TWICE)
def test_forward_over_reverse_is_reverse_over_reverse(row):
    for name, function, inputs in samples(row):
        directions = [direction(x) for x in inputs]
        with minigrad.no_grad():
            cotangents = [direction(y) for y in function(*inputs)]

        gradients = minigrad.autograd.grad(function(*inputs), inputs, cotangents, create_graph=True, allow_unused=True)
        products = [(g.conj() * v).real.sum() for g, v in zip(gradients, directions) if g is not None
                    and g.requires_grad]
        expected = (minigrad.autograd.grad(sum(products), inputs, allow_unused=True) if products else [None]
                    * len(inputs))
        with fwAD.dual_level():
            duals = duals_of(inputs, directions)
            gradients = minigrad.autograd.grad(function(*duals), duals, cotangents, allow_unused=True)
            found = [None if g is None else fwAD.unpack_dual(g).tangent for g in gradients]
        for x, *pair in zip(inputs, found, expected, strict=True):
            a, e = [np.zeros(tuple(x.shape)) if y is None else y.numpy(force=True) for y in pair]
            np.testing.assert_allclose(a, e, rtol=1e-7, atol=1e-9, err_msg=name)


def test_a_wrong_tangent_is_seen():
    def twice_too_large(function, inputs, directions):
        outputs, tangents = by_duals(function, inputs, directions)
        return outputs, [t if t is None else t * 2 for t in tangents]

    row = next(row for row in DIFFERENTIABLE if row.name == "exp")
    with pytest.raises(AssertionError, match="forward, .* in reverse"):
        for name, function, inputs in samples(row):
            check_adjoint(name, function, inputs, twice_too_large)
