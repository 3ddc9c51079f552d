"""Writing into tensors, as far as training needs it: values, history, versions, and everything that is refused with
nothing changed."""

import contextlib
import math

import pytest

from tests.checking import is_minigrad, refuses


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


def test_views_are_written_through(torch):
    base = torch.zeros(2, 3)
    base.t()[1].add_(5)
    base[0:1].mul_(2)
    base.view(6)[5:].fill_(9)
    assert base.tolist() == [[0., 10., 0.], [0., 5., 9.]] and base._version == 3


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


# ------------------------------------------------------------------------------ versions

def test_every_write_counts(torch):
    x = torch.ones(2)
    for write in (lambda: x.add_(1), lambda: x.zero_(), lambda: x.copy_(torch.ones(2)), lambda: x[0].mul_(2),
                  lambda: x.detach().fill_(1)):
        before = x._version
        write()
        assert x._version == before + 1


def test_writes_under_no_grad_count(torch):
    x = leaf(torch, 1., 2.)
    with torch.no_grad():
        x.add_(1)
        x -= 0.5
    assert x._version == 2 and x.is_leaf and x.requires_grad and x.tolist() == [1.5, 2.5]


CHANGES = {
    "a factor": lambda torch, x, w, y: w.add_(1),
    "a view of it": lambda torch, x, w, y: w[1:].mul_(5),
    "a part that was not used": lambda torch, x, w, y: w.detach()[:0].add_(1),
    "its detached alias": lambda torch, x, w, y: w.detach().zero_(),
    "under no_grad": lambda torch, x, w, y: no_grad(torch, lambda: w.zero_()),
    "the leaf, under no_grad": lambda torch, x, w, y: no_grad(torch, lambda: x.sub_(0.1)),
}


def no_grad(torch, f):
    with torch.no_grad():
        f()


@pytest.mark.parametrize("name", CHANGES)
def test_a_saved_tensor_that_changed(torch, name):
    x, w = leaf(torch, 1., 2.), torch.tensor([3., 4.])
    y = (x * w).sin()
    z = y.sum() + (x * x).sum()
    CHANGES[name](torch, x, w, y)
    with refuses(RuntimeError, "one of the variables needed for gradient computation has been modified by an inplace "
                 "operation", "MG101"):
        z.backward()


def test_a_saved_result_that_changed(torch):
    x = leaf(torch, 1., 2.)
    y = x.exp()
    y.add_(1)
    with refuses(RuntimeError, "modified by an inplace operation", "MG101"):
        y.sum().backward()
    assert x.grad is None


def test_a_saved_result_of_an_in_place_op_that_changed(torch):
    x = leaf(torch, 1., 2.)
    y = x * 1
    y.exp_()
    y.add_(1)
    with refuses(RuntimeError, "modified by an inplace operation", "MG101"):
        y.sum().backward()


def test_a_product_with_itself_in_place(torch):
    x = leaf(torch, 1., 2.)
    y = x * 1
    y.mul_(y)
    with refuses(RuntimeError, "modified by an inplace operation", "MG101"):
        y.sum().backward()


def test_a_disjoint_write_to_shared_memory(torch):
    """PyTorch counts versions by memory, not by element: this raises although nothing is wrong."""
    x, b = leaf(torch, 1., 2.), torch.ones(4)
    y = x * b[:2]
    b[2:].mul_(5)
    with refuses(RuntimeError, "modified by an inplace operation", "MG101"):
        y.sum().backward()


def test_writes_that_nobody_minds(torch):
    x, w = leaf(torch, 1., 2.), torch.tensor([3., 4.])
    y = x + w
    w.add_(1)
    y.mul_(1)
    s = x.sum()
    s.add_(1)
    (y.sum() + s).backward()
    assert x.grad.tolist() == [2., 2.]


def test_data_goes_unnoticed(torch):
    x, w = leaf(torch, 1., 2.), torch.tensor([3., 4.])
    y = x * w
    w.data.mul_(5)
    y.sum().backward()
    assert x.grad.tolist() == [15., 20.]


def test_the_message_tells_versions(torch):
    x, w = leaf(torch, 1., 2.), torch.tensor([3., 4.])
    w.add_(1)
    y = x * w
    w.add_(1).add_(1)
    with refuses(RuntimeError, "is at version 3; expected version 1 instead", "MG101"):
        y.sum().backward()


def test_the_message_names_who_saved_what():
    import minigrad as torch

    x, w = leaf(torch, 1., 2.), leaf(torch, 3., 4.)
    inner = w * 1
    y = x * inner
    inner.add_(1)
    with refuses(RuntimeError, "MulBackward0 saved it (its argument 'other')", "MG101"):
        y.sum().backward()


def test_reading_a_saved_attribute_checks_too(torch):
    x, w = leaf(torch, 1., 2.), torch.tensor([3., 4.])
    y = x * w
    w.add_(1)
    with refuses(RuntimeError, "modified by an inplace operation", "MG101"):
        y.grad_fn._saved_other


def test_optimizer_steps(torch):
    w = leaf(torch, 1., 2.)
    for step in range(3):
        w.grad = None
        (w * w).sum().backward()
        with torch.no_grad():
            w -= 0.25 * w.grad
    assert w.tolist() == [0.125, 0.25] and w._version == 3


# ------------------------------------------------------------------------------ refused, with nothing changed

def unchanged(t):
    return t.tolist(), t._version, t.requires_grad, t.grad_fn, t.dtype, t.shape


LEAF_WRITES = ["add_", "sub_", "mul_", "div_", "copy_", "fill_", "zero_", "+=", "**="]


def write(torch, t, name, argument=2.):
    if name == "copy_":
        return t.copy_(torch.full(tuple(t.shape), argument))
    if name == "zero_":
        return t.zero_()
    if name == "+=":
        t += argument
        return t
    if name == "**=":
        t **= argument
        return t
    return getattr(t, name)(argument)


@pytest.mark.parametrize("name", LEAF_WRITES)
def test_a_leaf_that_requires_grad(torch, name):
    x = leaf(torch, 1., 2.)
    before = unchanged(x)
    with refuses(RuntimeError, "a leaf Variable that requires grad is being used in an in-place operation", "MG105"):
        write(torch, x, name)
    assert unchanged(x) == before


@pytest.mark.parametrize("name", LEAF_WRITES)
def test_a_view_of_such_a_leaf(torch, name):
    x = leaf(torch, 1., 2.)
    v, before = x[:1], unchanged(x)
    with refuses(RuntimeError, "a view of a leaf Variable that requires grad is being used in an in-place operation",
                 "MG105"):
        write(torch, v, name)
    assert unchanged(x) == before and v._version == 0


@pytest.mark.parametrize("recorded", [False, True])
@pytest.mark.parametrize("target, argument, phrase, code", [
    ((2,), (3, 2), "output with shape [2] doesn't match the broadcast shape [3, 2]", "MG201"),
    ((1,), (2,), "output with shape [1] doesn't match the broadcast shape [2]", "MG201"),
    ((), (1,), "output with shape [] doesn't match the broadcast shape [1]", "MG201"),
    ((), (2,), "output with shape [] doesn't match the broadcast shape [2]", "MG201"),
    ((2, 1), (2, 2), "output with shape [2, 1] doesn't match the broadcast shape [2, 2]", "MG201"),
    ((2,), (3,), "The size of tensor a (2) must match the size of tensor b (3) at non-singleton dimension 0", "MG201"),
    ((0,), (3,), "The size of tensor a (0) must match the size of tensor b (3) at non-singleton dimension 0", "MG201"),
])
@pytest.mark.parametrize("name", ["add_", "mul_"])
def test_a_result_that_does_not_fit(torch, name, recorded, target, argument, phrase, code):
    t = torch.ones(target, requires_grad=recorded) * 1
    before = unchanged(t)
    with refuses(RuntimeError, phrase, code):
        getattr(t, name)(torch.ones(argument))
    assert unchanged(t) == before


@pytest.mark.parametrize("recorded", [False, True])
@pytest.mark.parametrize("value", [1j, "tensor"])
def test_complex_into_real(torch, recorded, value):
    t = torch.ones(2, requires_grad=recorded) * 1
    before = unchanged(t)
    with refuses(RuntimeError, "can't be cast to the desired output type", "MG202"):
        t.add_(torch.ones(2, dtype=torch.complex64) if value == "tensor" else value)
    assert unchanged(t) == before


@pytest.mark.parametrize("write", [lambda t, torch: t.add_(1.5), lambda t, torch: t.div_(2),
                                   lambda t, torch: t.mul_(torch.ones(2)), lambda t, torch: t.__itruediv__(1)])
def test_floating_into_integers(torch, write):
    t = torch.tensor([5, 7])
    before = unchanged(t)
    with refuses(RuntimeError, "can't be cast to the desired output type", "MG202"):
        write(t, torch)
    assert unchanged(t) == before


def test_numbers_into_bools(torch):
    t = torch.tensor([True, False])
    with refuses(RuntimeError, "can't be cast to the desired output type", "MG202"):
        t.add_(1)
    assert t.tolist() == [True, False] and t._version == 0


def test_copy_of_another_shape(torch):
    t = torch.ones(2)
    for argument in (torch.ones(3), torch.ones(2, 2), torch.ones(1, 2)):
        with pytest.raises(RuntimeError) as e:
            t.copy_(argument)
        assert not is_minigrad(torch) or e.value.code == "MG201"
    assert t.tolist() == [1., 1.] and t._version == 0


def test_fill_takes_one_value(torch):
    t = torch.ones(2)
    with refuses(RuntimeError, "fill_ only supports 0-dimension value tensor but got tensor with 1 dimensions.",
                 "MG204"):
        t.fill_(torch.tensor([4., 5.]))
    assert t.tolist() == [1., 1.] and t._version == 0
    assert t.fill_(torch.tensor(4.)).tolist() == [4., 4.]


@pytest.mark.parametrize("wrong", ["a", None, [1., 2.]])
@pytest.mark.parametrize("recorded", [False, True])
def test_arguments_of_a_wrong_type(torch, wrong, recorded):
    t = torch.ones(2, requires_grad=recorded) * 1
    before = unchanged(t)
    with refuses(TypeError, f"add_(): argument 'other' (position 1) must be Tensor, not {type(wrong).__name__}",
                 "MG205"):
        t.add_(wrong)
    with pytest.raises(TypeError):
        t += wrong
    with pytest.raises(TypeError):
        t.add_()
    assert unchanged(t) == before


@pytest.mark.parametrize("write", [lambda t, torch: t.add_(1), lambda t, torch: t.add_(torch.tensor([1., 2., 3.])),
                                   lambda t, torch: t.mul_(2), lambda t, torch: t.exp_()])
@pytest.mark.parametrize("make", [lambda b: b.expand(3), lambda b: b.expand(2, 3), lambda b: b.broadcast_to((3,))])
def test_an_expanded_tensor(torch, make, write):
    base = torch.ones(1)
    t = make(base)
    with refuses(RuntimeError, "more than one element of the written-to tensor refers to a single memory location. "
                               "Please clone() the tensor", "MG116"):
        write(t, torch)
    assert base.tolist() == [1.] and base._version == 0


WINDOWS = {
    "overlapping windows": lambda y: y.unfold(0, 2, 1),
    "an overlapping as_strided": lambda y: y.as_strided((2, 3), (1, 1)),
    "part of a detached expanded tensor": lambda y: y.detach().expand(2, 4).detach()[1],
    "part of detached windows": lambda y: y.detach().unfold(0, 3, 1).detach()[:, 2],
}


@pytest.mark.parametrize("name", WINDOWS)
def test_a_write_that_reaches_an_element_twice_is_not_recorded(torch, name):
    """PyTorch records it, and its gradient is not the derivative."""
    w = torch.tensor(3., requires_grad=True)
    y = w * torch.ones(4)
    v = WINDOWS[name](y)
    if not is_minigrad(torch):
        v.mul_(torch.full(v.shape, 2.) * w)
        return
    before = unchanged(y), unchanged(v)
    with refuses(RuntimeError, "unsupported operation", "MG116"):
        v.mul_(torch.full(v.shape, 2.) * w)
    assert (unchanged(y), unchanged(v)) == before
    with torch.no_grad():
        v.mul_(2)                       # that nobody records is nobody's gradient


def test_strides_that_interleave_reach_each_element_once(torch):
    w = torch.tensor(3., requires_grad=True)
    for size, stride in [((2, 3), (3, 2)), ((2, 2), (1, 2)), ((2, 1), (5, 0))]:
        y = torch.ones(8)
        v = y.as_strided(size, stride)
        v.mul_(w)
        y.sum().backward(retain_graph=True)
    assert w.grad.item() == 6 + 4 + 2


OVERLAPS = {
    "shifted": lambda a: (a[1:], a[:-1]),
    "shifted back": lambda a: (a[:-1], a[1:]),
    "reversed order of axes": lambda a: (a[:9].view(3, 3), a[:9].view(3, 3).t()),
}


# PyTorch lets a copy_ of the transpose pass.
@pytest.mark.parametrize("write, name", [(write, name) for write in ("add_", "mul_", "copy_") for name in OVERLAPS
                                         if (write, name) != ("copy_", "reversed order of axes")])
def test_an_argument_that_partly_overlaps(torch, write, name):
    a = torch.arange(12.)
    t, argument = OVERLAPS[name](a)
    with refuses(RuntimeError, "unsupported operation: some elements of the input tensor and the written-to tensor "
                               "refer to a single memory location. Please clone() the tensor before performing the "
                               "operation.", "MG116"):
        getattr(t, write)(argument)
    assert a.tolist() == list(range(12)) and a._version == 0


def test_a_number_is_read_before_it_is_overwritten(torch):
    for write in (lambda x: x.fill_(x[1]), lambda x: x.masked_fill_(torch.tensor([True, True, True]), x[1])):
        x = torch.tensor([1., 2., 3.])
        assert write(x).tolist() == [2., 2., 2.]


def test_a_mask_that_overlaps_what_it_masks(torch):
    x = torch.tensor([True, False, True])
    with refuses(RuntimeError, "some elements of the input tensor and the written-to tensor refer to a single memory "
                 "location", "MG116"):
        x.masked_fill_(x[:1], torch.tensor(False))
    assert x.tolist() == [True, False, True]


@pytest.mark.parametrize("write", [lambda t, torch: t.zero_(), lambda t, torch: t.fill_(0)])
def test_an_expanded_tensor_takes_one_number(torch, write):
    base = torch.ones(1)
    write(base.expand(3), torch)
    assert base.tolist() == [0.] and base._version == 1


def test_an_argument_that_is_the_same_part_of_memory_by_another_way(torch):
    x = torch.tensor([[1., 2.]])
    v = x.unsqueeze(0)
    v.mul_(v.unsqueeze(0).squeeze(0))
    assert x.tolist() == [[1., 4.]]


def test_an_inference_tensor(torch):
    with torch.inference_mode():
        t = torch.ones(2)
    with refuses(RuntimeError, "Inplace update to inference tensor outside InferenceMode is not allowed.", "MG112"):
        t.add_(1)
    assert t.tolist() == [1., 1.] or not is_minigrad(torch)     # PyTorch refuses when it has written


def test_an_inference_tensor_as_factor(torch):
    with torch.inference_mode():
        t = torch.ones(2)
    x = leaf(torch, 1., 2.)
    y = x * 2
    before = unchanged(y)
    with refuses(RuntimeError, "Inference tensors cannot be saved for backward.", "MG112"):
        y.mul_(t)
    assert unchanged(y) == before
    y.sum().backward()
    assert x.grad.tolist() == [2., 2.]


def test_a_refusal_leaves_output_number_hooks_and_retained_gradient(torch):
    with torch.inference_mode():
        t = torch.ones(())
    class Both(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.sum(), x.mean()

        @staticmethod
        def backward(ctx, of_sum, of_mean):
            return (of_sum + of_mean / 3).expand(3)

    x, seen = leaf(torch, 1., 2., 4.), []
    _, mean = Both.apply(x)
    mean.retain_grad()
    mean.register_hook(lambda g: seen.append(g.item()))
    with pytest.raises(RuntimeError):
        mean.mul_(t)
    assert mean.output_nr == 1 and mean.retains_grad
    mean.backward()
    assert x.grad.tolist() == pytest.approx([1 / 3] * 3) and mean.grad.item() == 1 and seen == [1.]


@pytest.mark.filterwarnings("error")
def test_overflow_is_infinity_without_a_word(torch):
    t = torch.ones(2)
    assert t.add_(torch.full((2,), 1e300, dtype=torch.float64)).tolist() == [float("inf")] * 2
    assert torch.ones(2, dtype=torch.float16).mul_(1e5).tolist() == [float("inf")] * 2


def test_read_only_memory():
    import numpy as np

    from minigrad._core.graph import wrap   # PyTorch writes to it, after a warning

    a = np.ones(3)
    a.flags.writeable = False
    t = wrap(a)
    with refuses(RuntimeError, "read-only", "MG116"):
        t.add_(1)
    assert a.tolist() == [1., 1., 1.]


def test_a_view_made_under_no_grad(torch):
    x = leaf(torch, 1., 2.)
    y = x * 1
    with torch.no_grad():
        v = y[:1]
    with refuses(RuntimeError, "A view was created in no_grad mode and is being modified inplace with grad mode "
                 "enabled", "MG116"):
        v.mul_(x[:1])
    assert y.tolist() == [1., 2.] and y._version == 0


def test_an_output_of_a_view_with_several(torch):
    x = torch.ones(2, 2, requires_grad=True)
    a, _ = (x * 1).unbind(0)
    with refuses(RuntimeError, "is a view and is being modified inplace", "MG116"):
        a.add_(1)
    assert a.tolist() == [1., 1.] and a._version == 0


VIEWS_OF_EVERYTHING = {
    "squeeze": lambda x: x.squeeze(), "squeeze dim": lambda x: x.squeeze(0), "expand": lambda x: x.expand(2, 3),
    "view": lambda x: x.view(2, 3),
    "reshape": lambda x: x.reshape(2, 3), "permute": lambda x: x.permute(0, 1),
    "transpose": lambda x: x.transpose(0, 0), "narrow": lambda x: x.narrow(0, 0, 2),
    "ellipsis": lambda x: x[...], "slice": lambda x: x[:], "flatten": lambda x: x.flatten(1, 1),
    "movedim": lambda x: x.movedim(0, 0),
    "unbind": lambda x: x.unbind(0)[1], "split": lambda x: x.split(2)[0], "chunk": lambda x: x.chunk(1)[0],
    "as_strided": lambda x: x.as_strided((2, 3), (3, 1)),
    "broadcast_to": lambda x: x.broadcast_to((2, 3)), "view_as": lambda x: x.view_as(x),
    "diagonal": lambda x: x.diagonal(), "T": lambda x: x.T,
    "unsqueeze": lambda x: x.unsqueeze(0), "real": lambda x: x.real, "contiguous": lambda x: x.contiguous(),
    "to": lambda x: x.to(x.dtype),
    "detach": lambda x: x.detach(), "unfold": lambda x: x.unfold(1, 2, 1)[0],
}


@pytest.mark.parametrize("name", VIEWS_OF_EVERYTHING)
def test_a_view_that_changes_nothing_is_a_view_all_the_same(torch, name):
    """What lies in the memory of a saved tensor counts its writes with it."""
    x, w = torch.ones(2, 3, requires_grad=True), torch.ones(2, 3)
    z = x * w
    VIEWS_OF_EVERYTHING[name](w).mul_(5)
    assert w._version == 1
    with refuses(RuntimeError, "modified by an inplace operation", "MG101"):
        z.sum().backward()


# ------------------------------------------------------------------------------ assignment by index, where nothing is recorded

def test_assignment_by_index(torch):
    x = torch.zeros(2, 3)
    x[0, 1] = 5
    x[:, 2] = torch.tensor([7., 8.])
    x[1, :2] += 2
    assert x.tolist() == [[0., 5., 7.], [2., 2., 8.]] and x._version >= 3
