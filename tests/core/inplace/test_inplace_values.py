"""Writing into tensors: the values, their dtype, and that it is the tensor itself that changes."""

import numpy as np
import pytest

import minigrad


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


# ------------------------------------------------------------------------------ assignment by index


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


# ------------------------------------------------------------------------------ memory that is not aligned


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
