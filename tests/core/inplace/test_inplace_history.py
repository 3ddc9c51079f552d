"""Writing into tensors: what is recorded, so that gradients are those of the new value."""

import contextlib
import math

import pytest

import minigrad
from tests.autograd.programs import leaf

GRADIENTS = {
    # write(y, w), y, dL/dx, dL/dw with y = 3x, x = [1, 2], w = [3, 4], dL/dy = [1, 10]
    "add_ number": (lambda y, w: y.add_(2), [5., 8.], [3., 30.], None),
    "add_": (lambda y, w: y.add_(w), [6., 10.], [3., 30.], [1., 10.]),
    "add_ alpha": (lambda y, w: y.add_(w, alpha=2), [9., 14.], [3., 30.], [2., 20.]),
    "sub_": (lambda y, w: y.sub_(w), [0., 2.], [3., 30.], [-1., -10.]),
    "mul_ number": (lambda y, w: y.mul_(2), [6., 12.], [6., 60.], None),
    "mul_": (lambda y, w: y.mul_(w), [9., 24.], [9., 120.], [3., 60.]),
    "div_": (lambda y, w: y.div_(w), [1., 1.5], [1., 7.5], [-1 / 3, -3.75]),
    "copy_": (lambda y, w: y.copy_(w), [3., 4.], [0., 0.], [1., 10.]),
    "zero_": (lambda y, w: y.zero_(), [0., 0.], [0., 0.], None),
    "fill_": (lambda y, w: y.fill_(3), [3., 3.], [0., 0.], None),
    "neg_": (lambda y, w: y.neg_(), [-3., -6.], [-3., -30.], None),
    "pow_": (lambda y, w: y.pow_(2), [9., 36.], [18., 360.], None),
    "exp_": (lambda y, w: y.exp_(), [math.exp(3), math.exp(6)], [3 * math.exp(3), 30 * math.exp(6)], None),
    "sin_": (lambda y, w: y.sin_(), [math.sin(3), math.sin(6)], [3 * math.cos(3), 30 * math.cos(6)], None),
    "one after the other": (lambda y, w: y.mul_(w).add_(w).mul_(2), [24., 56.], [18., 240.], [8., 140.]),
}


@pytest.mark.parametrize("name", GRADIENTS)
def test_the_write_is_recorded(torch, name):
    write, value, gx, gw = GRADIENTS[name]
    x, w = leaf(torch, 1., 2.), leaf(torch, 3., 4.)
    y = x * 3
    write(y, w)
    assert y.tolist() == pytest.approx(value) and not y.is_leaf and y.output_nr == 0
    (y * torch.tensor([1., 10.])).sum().backward()
    assert x.grad.tolist() == pytest.approx(gx, rel=1e-5)
    assert (w.grad if gw is None else w.grad.tolist()) == (None if gw is None else pytest.approx(gw))


def test_what_was_computed_before_keeps_its_history(torch):
    x = leaf(torch, 1., 2.)
    y = x * 2
    z = y * 1
    y.mul_(10)
    (y + z).sum().backward()
    assert x.grad.tolist() == [22., 22.]


def test_a_plain_tensor_becomes_a_result(torch):
    a, w = torch.ones(2), leaf(torch, 1., 1.)
    a.add_(w)
    a.mul_(w)
    assert a.requires_grad and not a.is_leaf
    a.sum().backward()
    assert w.grad.tolist() == [3., 3.]


def test_the_target_in_its_own_argument(torch):
    x = leaf(torch, 1., 2.)
    y = x * 1
    y.add_(y)
    y.sum().backward()
    assert x.grad.tolist() == [2., 2.]


def test_broadcast_arguments(torch):
    x, w = torch.ones(2, 3, requires_grad=True), torch.ones(3, dtype=torch.float64, requires_grad=True)
    y = x * 2
    y.mul_(w)
    y.sum().backward()
    assert w.grad.tolist() == [4., 4., 4.] and w.grad.dtype is torch.float64 and x.grad.dtype is torch.float32


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("way", ["plain", "hooks on nodes", "saved-tensor hooks", "anomaly mode", "a profile",
                                 "create_graph", "a part"])
def test_the_gradient_has_the_dtype_of_its_tensor(torch, way):
    """The factor has more digits than what is written to; whichever way the pass takes, the gradient has as many as its
    tensor."""
    x, w = torch.ones(2, 3, requires_grad=True), torch.ones(3, dtype=torch.float64, requires_grad=True)
    around = {"saved-tensor hooks": lambda: torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t),
              "anomaly mode": torch.autograd.detect_anomaly, "a profile": torch.autograd.profiler.profile}
    with around.get(way, contextlib.nullcontext)():
        y = x * 2
        y.mul_(w)
        if way == "a part":
            y[0].mul_(w)
        if way == "hooks on nodes":
            for node in (y.grad_fn, y.grad_fn.next_functions[0][0]):
                node.register_hook(lambda ours, incoming: None)
        y.sum().backward(create_graph=way == "create_graph")
    assert x.grad.dtype is torch.float32 and w.grad.dtype is torch.float64


def test_derivatives_of_derivatives(torch):
    x = leaf(torch, 2., 3.)
    y = x * x
    y.mul_(x)
    y.add_(x)
    (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    (h,) = torch.autograd.grad(g.sum(), x)
    assert g.tolist() == [13., 28.] and h.tolist() == [12., 18.]


def test_retained_gradients_follow_the_new_value(torch):
    x = leaf(torch, 1., 2.)
    y = x * 3
    y.retain_grad()
    y.mul_(5)
    assert y.retains_grad
    y.add_(1)
    (y * 7).sum().backward()
    assert y.grad.tolist() == [7., 7.] and x.grad.tolist() == [105., 105.]


def test_hooks_stay_with_the_old_value(torch):
    seen = []
    x = leaf(torch, 1., 2.)
    y = x * 3
    y.register_hook(lambda g: seen.append(("old", g.tolist())))
    y.mul_(5)
    y.register_hook(lambda g: seen.append(("new", g.tolist())))
    y.sum().backward()
    assert seen == [("new", [1., 1.]), ("old", [5., 5.])]


# ------------------------------------------------------------------------------ one value for many places

MASK = minigrad.tensor([True, False, True])


@pytest.mark.parametrize("write, expected, gradient", [
    (lambda y: y.fill_(y[1]), [2, 2, 2], [0, 111, 0]),
    (lambda y: y.__setitem__(slice(None), y[1]), [2, 2, 2], [0, 111, 0]),
    (lambda y: y.__setitem__(slice(0, 2), y[2:]), [3, 3, 3], [0, 0, 111]),
    (lambda y: y.__setitem__(MASK, y[0]), [1, 2, 1], [101, 10, 0]),
    (lambda y: y.masked_fill_(MASK, y[1]), [2, 2, 2], [0, 111, 0]),
])
def test_one_of_the_elements_that_are_written_to(write, expected, gradient):
    x = minigrad.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = x * 1
    write(y)
    assert y.tolist() == expected
    assert minigrad.autograd.grad((y * minigrad.tensor([1.0, 10.0, 100.0])).sum(), x)[0].tolist() == gradient
    y = minigrad.tensor([1.0, 2.0, 3.0])
    write(y)
    assert y.tolist() == expected


# ------------------------------------------------------------------------------ dtypes without gradients


@pytest.mark.parametrize("write", [lambda i, v: i.copy_(v), lambda i, v: i.__setitem__(slice(None), v),
                                   lambda i, v: i.logical_and_(v)])
@pytest.mark.parametrize("dtype", [minigrad.int64, minigrad.bool])
def test_integers_have_no_gradient(write, dtype):
    x = minigrad.tensor([1.7, 2.2], requires_grad=True)
    i = minigrad.zeros(2, dtype=dtype)
    write(i, x * 2)
    assert not i.requires_grad and i.grad_fn is None and i._version == 1
