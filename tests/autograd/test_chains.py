"""Long chains: a million nodes are built, differentiated and freed without recursion, and in linear time.

That it is linear shows in that these tests end: a quadratic chain of a million nodes would take hours.
"""

import gc
import sys
import threading

import numpy as np
import pytest

import minigrad as torch

LONG = 1_000_000


@pytest.fixture(autouse=True)
def a_small_stack_would_not_do_for_recursion():
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(400)
    gc.disable()            # its passes over a million objects are not what is tested here
    yield
    gc.enable()
    sys.setrecursionlimit(limit)


def test_additions():
    x = torch.zeros((), dtype=torch.float64, requires_grad=True)
    y = x
    for _ in range(LONG):
        y = y + 1.
    y.backward()
    assert y.item() == LONG and x.grad.item() == 1
    del y


def test_additions_of_a_leaf():
    x = torch.ones((), dtype=torch.float64, requires_grad=True)
    y = x
    for _ in range(LONG // 2):
        y = y + x
    y.backward()
    assert x.grad.item() == LONG // 2 + 1


def test_saved_inputs():
    x = torch.ones((), dtype=torch.float64, requires_grad=True)
    y, expected, v = x, 1., 1.
    for _ in range(LONG // 2):
        y = y.sin()
        expected *= np.cos(v)
        v = np.sin(v)
    y.backward()
    assert y.item() == pytest.approx(v) and x.grad.item() == pytest.approx(expected)


def test_products_with_both_factors_requiring_grad():
    w = torch.ones((), dtype=torch.float64, requires_grad=True)
    x = torch.full((), 2., dtype=torch.float64, requires_grad=True)
    y = x
    for _ in range(LONG):
        y = y * w
    y.backward()
    assert x.grad.item() == 1 and w.grad.item() == 2 * LONG
    with pytest.raises(RuntimeError, match="a second time"):
        y.backward()


def test_saved_results():
    x = torch.full((), 0.5, dtype=torch.float64, requires_grad=True)
    y = x
    for _ in range(LONG // 4):
        y = y.sigmoid()
    y.backward()
    assert 0 <= x.grad.item() < 1e-9


def test_views():
    x = torch.ones(2, 2, requires_grad=True)
    y = x
    for _ in range(LONG // 4):
        y = y.t()
    y.sum().backward()
    assert x.grad.tolist() == [[1., 1.], [1., 1.]]
    assert y._base is x


def test_a_chain_of_several_kinds():
    x = torch.ones(2, dtype=torch.float64, requires_grad=True)
    y = x
    for _ in range(LONG // 20):
        y = (y * 1.0).unsqueeze(0).sum(0) + x * 0 - x.detach() * 0
    y.sum().backward()
    assert x.grad.tolist() == [1., 1.]


class Same(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 1.

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g


def test_custom_functions():
    x = torch.ones(2, dtype=torch.float64, requires_grad=True)
    y = x
    for _ in range(LONG // 10):
        y = Same.apply(y)
    y.sum().backward()
    assert x.grad.tolist() == [1., 1.]


def test_in_place():
    x = torch.ones((), dtype=torch.float64, requires_grad=True)
    y = x * 1.
    for _ in range(LONG // 5):
        y.add_(x)
    y.backward()
    assert x.grad.item() == LONG // 5 + 1


def test_freed_without_a_backward():
    x = torch.ones((), requires_grad=True)
    y = x
    for _ in range(LONG // 2):
        y = y * x
    del y
    y = x
    for _ in range(LONG // 10):
        y = Same.apply(y)
    del y


def test_freed_in_a_thread_with_a_small_stack():
    x = torch.ones((), requires_grad=True)
    y = [x]
    for _ in range(LONG // 5):
        y[0] = y[0] * x
    old = threading.stack_size(256 * 1024)
    try:
        t = threading.Thread(target=y.clear)
        t.start()
        t.join()
    finally:
        threading.stack_size(old)
    assert not y


def test_differentiated_in_a_thread_with_a_small_stack():
    x = torch.ones((), dtype=torch.float64, requires_grad=True)
    y = x
    for _ in range(LONG // 5):
        y = y * x
    found = []
    old = threading.stack_size(256 * 1024)
    try:
        t = threading.Thread(target=lambda: found.append(torch.autograd.grad(y, x)[0].item()))
        t.start()
        t.join()
    finally:
        threading.stack_size(old)
    assert found == [LONG // 5 + 1]


def test_the_graph_of_the_gradient_of_a_long_chain():
    x = torch.ones((), dtype=torch.float64, requires_grad=True)
    y = x
    n = LONG // 50
    for _ in range(n):
        y = y * x
    (g,) = torch.autograd.grad(y, x, create_graph=True)
    (h,) = torch.autograd.grad(g, x)
    assert g.item() == n + 1 and h.item() == n * (n + 1)


def test_only_the_needed_part_of_a_long_chain():
    x = torch.ones((), dtype=torch.float64, requires_grad=True)
    y = x
    for i in range(LONG // 5):
        y = y * x
        if i == LONG // 10 - 1:
            middle = y
    g, h = torch.autograd.grad(y, [middle, x])
    assert g.item() == 1 and h.item() == LONG // 5 + 1


def test_wide_and_freed():
    x = torch.ones(2, requires_grad=True)
    parts = [x * 2 for _ in range(LONG // 20)]
    torch.stack(parts).sum().backward()
    assert x.grad.tolist() == [2. * len(parts)] * 2
    del parts


def test_a_thousand_graphs_at_once():
    """More nodes and tensors alive, and freed, than any list of spare ones holds."""
    x = torch.ones(2, requires_grad=True)
    for _ in range(3):
        results = []
        for _ in range(1000):
            y = x
            for _ in range(5):
                y = (y * x).sin()
            results.append(y.sum())
        torch.autograd.backward(results)
        del results, y
        many = [torch.ones(1) for _ in range(2000)]
        del many
    assert np.isfinite(x.grad.numpy()).all()
