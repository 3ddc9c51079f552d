"""How many arrays a backward pass makes: a gradient that nobody else needs is added to, and written over, in place.

The arrays are large, and those are counted where they are made (`minigrad.memory.figures`), so that each figure here is
exact.
"""

import pytest

import minigrad as torch
from minigrad import memory

F = torch.nn.functional
N = 20_000
A, B, C = torch.full((N,), 2.0), torch.full((N,), 3.0), torch.full((N,), 5.0)


def made(f):
    """How many large arrays ``f()`` makes."""
    before = memory.figures()["taken"]
    f()
    return memory.figures()["taken"] - before


def test_three_gradients_of_one_leaf_are_added_in_place():
    w = torch.ones(N, requires_grad=True)
    y = (w * A + w * B + w * C).sum()
    assert made(lambda: y.backward(retain_graph=True)) == 3     # a product each, the first of which becomes .grad
    assert (w.grad == 10).all()
    at = w.grad.data_ptr()
    assert made(y.backward) == 3                                # and nothing for the sum with what is there
    assert w.grad.data_ptr() == at and (w.grad == 20).all()


def test_three_gradients_of_one_result_are_added_in_place():
    w = torch.ones(N, requires_grad=True)
    x = w * A
    y = (x * A + x * B + x * C).sum()
    assert made(y.backward) == 3        # the product of x writes over their sum
    assert (w.grad == 20).all()


def test_a_gradient_handed_on_unchanged_is_not_copied():
    w = torch.ones(N, requires_grad=True)
    x = w * A
    y = ((x + 1.0) + (x + 2.0)).sum()
    assert made(y.backward) == 1        # the sum of two, over which the product of x writes
    assert (w.grad == 4).all()


@pytest.mark.parametrize("f", [torch.exp, torch.neg, torch.tanh, torch.sigmoid, torch.sin, lambda x: x * A,
                               lambda x: x / A, lambda x: x * 3.0, lambda x: 3.0 - x])
def test_a_chain_writes_each_gradient_over_the_one_before(f):
    w = torch.full((N,), 0.5, dtype=torch.float32, requires_grad=True)
    y = x = w * A
    for _ in range(4):
        y = f(y)
    z = (y * B).sum()
    alone = made(lambda: torch.autograd.grad((x * B).sum(), w, retain_graph=True))
    grown = made(lambda: torch.autograd.grad(z, w, retain_graph=True))
    steps_of_one_formula = {torch.sin: 1, torch.tanh: 2, torch.sigmoid: 2}.get(f, 0)
    assert grown <= alone + 4 * steps_of_one_formula


def step(grads_there):
    W1 = torch.full((200, 200), 0.01, requires_grad=True)
    bias = torch.zeros(200, requires_grad=True)
    W2 = torch.full((200, 200), 0.01, requires_grad=True)
    X = torch.ones(200, 200)
    if grads_there:
        for p in (W1, bias, W2):
            p.grad = torch.ones_like(p)
    loss = F.linear(torch.tanh(F.linear(X, W1, bias)), W2).sum()
    kept = [p.grad.data_ptr() if grads_there else None for p in (W1, bias, W2)]
    count = made(loss.backward)
    assert not grads_there or [p.grad.data_ptr() for p in (W1, bias, W2)] == kept
    return count


def test_a_step_of_a_network():
    """The gradients of two weights, of the hidden layer, and one more for the formula of tanh."""
    assert step(False) == step(True) <= 4


@pytest.mark.parametrize("keep", ["the user's gradient", "a hook", "retain_grad", "asked for", "two edges", "a view"])
def test_what_somebody_else_has_is_not_written_over(keep):
    w = torch.ones(N, requires_grad=True)
    x = w * A
    y = x * B
    given, seen = torch.ones(N), []
    if keep == "a hook":
        y.register_hook(seen.append)
        x.register_hook(seen.append)
    if keep == "retain_grad":
        y.retain_grad()
        x.retain_grad()
    if keep == "two edges":
        y = y + x
    if keep == "a view":
        given = torch.ones(2 * N)[::2]
    if keep == "asked for":
        gy, gx, gw = torch.autograd.grad(y, [y, x, w], given)
        assert (gy == 1).all() and (gx == 3).all() and (gw == 6).all()
        return
    y.backward(given)
    assert (given == 1).all()
    if keep == "a hook":
        assert (seen[0] == 1).all() and (seen[1] == 3).all()
    if keep == "retain_grad":
        assert (y.grad == 1).all() and (x.grad == 3).all()
    assert (w.grad == (8 if keep == "two edges" else 6)).all()


def test_a_graph_that_is_kept_gives_the_same_again():
    w = torch.full((N,), 0.5, requires_grad=True)
    x = w * A
    y = ((x.tanh() * x).exp() / x).sum()
    first, = torch.autograd.grad(y, w, retain_graph=True)
    again, = torch.autograd.grad(y, w, retain_graph=True)
    assert (first == again).all()
    with torch.autograd.profiler.profile():
        watched, = torch.autograd.grad(y, w, retain_graph=True)
    recorded, = torch.autograd.grad(y, w, create_graph=True)
    assert (first == watched).all() and torch.allclose(first, recorded, rtol=1e-6)
