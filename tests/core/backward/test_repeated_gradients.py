"""Gradients of sums and means are one number, seen by strides of zero, and no formula needs them as arrays."""

import tracemalloc

import numpy as np
import pytest

import minigrad as torch
from minigrad._core.dispatch.compute import on_arrays_general, on_arrays_in_c
from minigrad.ops.exports import ROWS

F = torch.nn.functional
N = 160
rng = np.random.default_rng(0)
A, B, C = [torch.tensor(rng.uniform(0.1, 0.9, (N, N)), requires_grad=True) for _ in range(3)]
ROW = torch.tensor(rng.uniform(0.1, 0.9, N), requires_grad=True)
MASK = torch.tensor(rng.uniform(size=(N, N)) > 0.5)
LEAVES = A, B, C, ROW

ELEMENTWISE = {
    "neg": lambda: -A, "add": lambda: A + B, "add t": lambda: A + B.t(), "add row": lambda: A + ROW,
    "mul": lambda: A * B, "mul row": lambda: A * ROW, "mul number": lambda: A * 2, "div": lambda: A / B,
    "exp": lambda: A.exp(), "log": lambda: A.log(), "sin": lambda: A.sin(), "tanh": lambda: A.tanh(),
    "sigmoid": lambda: A.sigmoid(), "relu": lambda: A.relu(), "softplus": lambda: F.softplus(A),
    "gelu": lambda: F.gelu(A), "pow": lambda: A**2.5, "square": lambda: A**2, "sqrt": lambda: A.sqrt(),
    "abs": lambda: A.abs(), "clamp": lambda: A.clamp(0.2, 0.7), "maximum": lambda: torch.maximum(A, B),
    "where": lambda: torch.where(MASK, A, B), "masked_fill": lambda: A.masked_fill(MASK, 0.),
    "lerp": lambda: torch.lerp(A, B, 0.3), "addcmul": lambda: torch.addcmul(A, B, C),
    "hypot": lambda: torch.hypot(A, B), "leaky_relu": lambda: F.leaky_relu(A), "elu": lambda: F.elu(A),
    "erf": lambda: A.erf(), "logit": lambda: A.logit(),
}
PRODUCTS = {
    "mm": lambda: A @ B, "mm t": lambda: A @ B.t(), "linear": lambda: F.linear(A, B),
    "with bias": lambda: F.linear(A, B, ROW), "bmm": lambda: A.view(4, 40, N) @ B.view(4, N, 40),
    "addmm": lambda: torch.addmm(ROW, A, B), "mv": lambda: A @ ROW, "inner": lambda: torch.inner(A, B),
    "einsum": lambda: torch.einsum("ij,kj->ik", A, B),
}


def at_most(out, gradient):
    """How many arrays of N by N doubles there are at a time during the pass back."""
    def step():
        for leaf in LEAVES:
            leaf.grad = None
        out.backward(gradient, retain_graph=True)

    step()
    gradients = [leaf.grad for leaf in LEAVES]
    tracemalloc.start()
    try:
        step()
        return tracemalloc.get_traced_memory()[1] / (8 * N * N), gradients
    finally:
        tracemalloc.stop()
        for leaf in LEAVES:
            leaf.grad = None


@pytest.mark.parametrize("name", [*ELEMENTWISE, *PRODUCTS])
def test_a_gradient_that_is_one_number_takes_no_more_memory_than_a_dense_one(name):
    out = {**ELEMENTWISE, **PRODUCTS}[name]()
    repeated, found = at_most(out, torch.full((), 1.5, dtype=torch.float64).expand(out.shape))
    dense, expected = at_most(out, torch.full(out.shape, 1.5, dtype=torch.float64))
    assert repeated < dense + 0.1
    for a, b in zip(found, expected):
        assert (a is None) == (b is None)
        if a is not None:
            assert a.stride() == b.stride()
            np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=1e-12)


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex128", "int64"])
def test_products_of_factors_that_repeat_themselves(dtype):
    a, b = [(rng.normal(size=shape) * 9).astype(dtype) for shape in ((5, 4, 6), (5, 6, 3))]
    row, column = np.broadcast_to(a[:, :1], a.shape), np.broadcast_to(b[:, :, :1], b.shape)
    number, one = np.broadcast_to(a[0, 0, 0], a.shape), np.broadcast_to(b[0, 0, 0], b.shape)
    for left in (a, row, number):
        for right in (b, column, one, np.broadcast_to(b[:1], b.shape)):
            for x, y in ((left, right), (left[0], right), (left, right[0]), (left[0], right[0])):
                found = on_arrays_in_c(ROWS["times"], x, y)
                expected = on_arrays_general(ROWS["times"], x, y)
                assert found.strides == expected.strides and found.flags.owndata
                np.testing.assert_allclose(found, expected, rtol=1e-4)
    np.testing.assert_allclose(on_arrays_in_c(ROWS["mv"], row[0], b[0, :, 0]), row[0] @ b[0, :, 0], rtol=1e-4)
