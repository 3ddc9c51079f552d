"""Writing into tensors: the values, and the history. Versions, and what is refused, have files of their own."""

import contextlib
import math

import numpy as np
import pytest

import minigrad


def leaf(torch, *values, **keywords):
    return torch.tensor(list(values), requires_grad=True, **keywords)


# ------------------------------------------------------------------------------ values

WRITES = {
    "add_": (lambda t, torch: t.add_(2), [3., 4.]),
    "add_ tensor": (lambda t, torch: t.add_(torch.tensor([10., 20.])), [11., 22.]),
    "add_ alpha": (lambda t, torch: t.add_(torch.tensor([10., 20.]), alpha=2), [21., 42.]),
    "sub_": (lambda t, torch: t.sub_(2), [-1., 0.]),
    "sub_ alpha": (lambda t, torch: t.sub_(torch.ones(2), alpha=3), [-2., -1.]),
    "mul_": (lambda t, torch: t.mul_(3), [3., 6.]),
    "mul_ scalar tensor": (lambda t, torch: t.mul_(torch.tensor(3.)), [3., 6.]),
    "mul_ one element": (lambda t, torch: t.mul_(torch.tensor([3.])), [3., 6.]),
    "div_": (lambda t, torch: t.div_(2), [0.5, 1.]),
    "div_ rounded": (lambda t, torch: t.div_(2, rounding_mode="floor"), [0., 1.]),
    "zero_": (lambda t, torch: t.zero_(), [0., 0.]),
    "fill_": (lambda t, torch: t.fill_(7), [7., 7.]),
    "copy_": (lambda t, torch: t.copy_(torch.tensor([5., 6.])), [5., 6.]),
    "copy_ broadcast": (lambda t, torch: t.copy_(torch.tensor(5.)), [5., 5.]),
    "copy_ integers": (lambda t, torch: t.copy_(torch.tensor([5, 6])), [5., 6.]),
    "neg_": (lambda t, torch: t.neg_(), [-1., -2.]),
    "pow_": (lambda t, torch: t.pow_(2), [1., 4.]),
    "sqrt_": (lambda t, torch: t.sqrt_().pow_(4), [1., 4.]),
    "+=": (lambda t, torch: t.__iadd__(1), [2., 3.]),
    "-=": (lambda t, torch: t.__isub__(torch.tensor(1)), [0., 1.]),
    "*=": (lambda t, torch: t.__imul__(True), [1., 2.]),
    "/=": (lambda t, torch: t.__itruediv__(4), [0.25, 0.5]),
    "**=": (lambda t, torch: t.__ipow__(3), [1., 8.]),
    "//=": (lambda t, torch: t.__ifloordiv__(2), [0., 1.]),
    "%=": (lambda t, torch: t.__imod__(2), [1., 0.]),
}


@pytest.mark.parametrize("name", WRITES)
def test_the_tensor_itself_changes(torch, name):
    write, expected = WRITES[name]
    t = torch.tensor([1., 2.])
    alias, address = t.detach(), t.data_ptr()
    assert write(t, torch) is t
    assert t.tolist() == pytest.approx(expected) and alias.tolist() == t.tolist() and t.data_ptr() == address
    assert t.dtype is torch.float32
    assert t._version == (2 if name == "sqrt_" else 1)


def test_augmented_assignment_keeps_the_object(torch):
    x = same = torch.tensor([5., 7.])
    x += 1
    x -= torch.tensor(2.)
    x *= torch.tensor([2., 3.])
    x /= 4
    x **= 2
    x //= 3
    x %= 2
    assert x is same and x.tolist() == [1., 0.] and x._version == 7


def test_augmented_assignment_of_integers_and_bools(torch):
    n, b = torch.tensor([6, 5]), torch.tensor([True, False])
    n_, b_ = n, b
    n &= 3
    n |= 4
    n ^= 1
    n <<= 2
    n >>= 1
    b &= True
    b |= torch.tensor([False, True])
    assert n is n_ and b is b_ and n.tolist() == [14, 8] and b.tolist() == [True, True]


def test_matmul_has_no_in_place_form(torch):
    m = same = torch.ones(2, 2)
    m @= torch.ones(2, 2)
    assert m is not same and same.tolist() == [[1., 1.], [1., 1.]]


def test_the_target_keeps_its_dtype(torch):
    f, h, n = torch.ones(2), torch.ones(2, dtype=torch.float16), torch.tensor([5, 7])
    f.add_(torch.tensor([1, 2])).mul_(torch.tensor(2., dtype=torch.float64)).add_(torch.ones(2, dtype=torch.float64))
    h.add_(1.5).mul_(torch.ones(2))
    n.copy_(torch.tensor([1.7, 2.2]))
    assert f.dtype is torch.float32 and f.tolist() == [5., 7.]
    assert h.dtype is torch.float16 and h.tolist() == [2.5, 2.5]
    assert n.dtype is torch.int64 and n.tolist() == [1, 2]


def test_a_small_integer_wraps(torch):
    t = torch.tensor([250], dtype=torch.uint8)
    t += 10
    assert t.tolist() == [4]


def test_strided_and_broadcast_operands(torch):
    a = torch.arange(6.).reshape(2, 3)
    a.add_(torch.tensor([10., 20., 30.])).mul_(torch.tensor([[1.], [2.]]))
    b = torch.arange(6.).reshape(3, 2).t()
    b.add_(a)
    assert a.tolist() == [[10., 21., 32.], [26., 48., 70.]]
    assert b.tolist() == [[10., 23., 36.], [27., 51., 75.]]


def test_empty_and_0d(torch):
    e, s = torch.ones(0, 3), torch.tensor(3.)
    e.add_(1).mul_(torch.ones(3))
    s.add_(1).mul_(torch.ones(()))
    s /= 8
    assert e.shape == (0, 3) and s.item() == 0.5 and s.shape == ()


def test_a_tensor_with_itself(torch):
    a = torch.arange(4.)
    a += a
    a.mul_(a)
    assert a.tolist() == [0., 4., 16., 36.]


def test_parts_of_one_memory_that_do_not_meet(torch):
    a = torch.arange(6.)
    a[::2].add_(a[1::2])
    b = torch.arange(6.)
    b[:3].mul_(b[3:])
    assert a.tolist() == [1., 1., 5., 3., 9., 5.] and b.tolist() == [0., 4., 10., 3., 4., 5.]


# ------------------------------------------------------------------------------ history

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


# ----------------------------------------------------------------------- assignment by index, where nothing is recorded

def test_assignment_by_index(torch):
    x = torch.zeros(2, 3)
    x[0, 1] = 5
    x[:, 2] = torch.tensor([7., 8.])
    x[1, :2] += 2
    assert x.tolist() == [[0., 5., 7.], [2., 2., 8.]] and x._version >= 3


# ------------------------------------------------------------------------------ one value for many places

MASK = minigrad.tensor([True, False, True])


@pytest.mark.parametrize("value",
                         [minigrad.tensor(5), minigrad.tensor([5]), minigrad.tensor(5.0, dtype=minigrad.float64),
                                   minigrad.tensor([[5]])])
@pytest.mark.parametrize("requires_grad", [False, True])
def test_one_value_for_a_mask_is_cast(value, requires_grad):
    x = minigrad.zeros(3, requires_grad=requires_grad) * 1
    x[MASK] = value
    assert x.tolist() == [5, 0, 5]
    y = minigrad.zeros(3) * 1
    assert y.index_put_((MASK,), value).tolist() == [5, 0, 5]


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


# ------------------------------------------------------------- memory that is not aligned, and dtypes without gradients

def out_of_line():
    """Floats that begin at an odd address, as in a file that is mapped behind a header."""
    array = np.zeros(17, np.uint8)[1:].view(np.float32)
    array[:] = [1, 2, 3, 4]
    assert not array.flags.aligned
    return minigrad.from_numpy(array)


@pytest.mark.parametrize("name, expected", [("add_", [2, 3, 4, 5]), ("sub_", [0, -1, -2, -3]), ("mul_", [1, 2, 3, 4])])
@pytest.mark.parametrize("requires_grad", [False, True])
def test_an_operand_that_is_not_aligned(name, expected, requires_grad):
    y = minigrad.ones(4, requires_grad=requires_grad) * 1
    getattr(y, name)(out_of_line())
    assert y.tolist() == expected and y._version == 1


def test_a_target_that_is_not_aligned():
    t = out_of_line()
    t.mul_(minigrad.full((4,), 10.0))
    t += 1
    assert t.tolist() == [11, 21, 31, 41] and t._version == 2


@pytest.mark.parametrize("write", [lambda i, v: i.copy_(v), lambda i, v: i.__setitem__(slice(None), v),
                                   lambda i, v: i.logical_and_(v)])
@pytest.mark.parametrize("dtype", [minigrad.int64, minigrad.bool])
def test_whole_numbers_have_no_gradient(write, dtype):
    x = minigrad.tensor([1.7, 2.2], requires_grad=True)
    i = minigrad.zeros(2, dtype=dtype)
    write(i, x * 2)
    assert not i.requires_grad and i.grad_fn is None and i._version == 1
