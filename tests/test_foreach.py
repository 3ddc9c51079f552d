"""``torch._foreach_*``: a loop over lists, with the operation's values, gradients and versions."""

import pytest

import minigrad as torch
from minigrad import _foreach
from tests.checking import refuses


def lists(count=3, requires_grad=False):
    torch.manual_seed(0)
    xs = [torch.rand(2, 3), torch.rand(4), torch.rand(())]
    return [tuple((x + 0.1 * k).requires_grad_(requires_grad) for x in xs) for k in range(count)]


def same(found, expected):
    assert isinstance(found, tuple) and [x.tolist() for x in found] == [x.tolist() for x in expected]


@pytest.mark.parametrize("name", _foreach.ALONE)
def test_one_tensor_each(name):
    xs, = lists(1)
    expected = [getattr(torch, name)(x) for x in xs]
    same(getattr(torch, f"_foreach_{name}")(xs), expected)
    again = [x.clone() for x in xs]
    assert getattr(torch, f"_foreach_{name}_")(again) is again and [x._version for x in again] == [1, 1, 1]
    same(tuple(again), expected)


@pytest.mark.parametrize("name", [*_foreach.PAIRED, *_foreach.SAME])
def test_two_operands_each(name):
    xs, ys = lists(2)
    operation = getattr(torch, _foreach.SAME.get(name, name))
    foreach, in_place = getattr(torch, f"_foreach_{name}"), getattr(torch, f"_foreach_{name}_")
    for second, each in ((ys, ys), (2.5, [2.5] * 3), ([1, 2.0, 3], [1, 2.0, 3]),
                         (torch.tensor(2.0), [torch.tensor(2.0)] * 3)):
        expected = [operation(x, y) for x, y in zip(xs, each)]
        same(foreach(xs, second), expected)
        again = [x.clone() for x in xs]
        in_place(again, second)
        same(tuple(again), expected)


def test_the_other_families():
    xs, ys, zs = lists(3)
    same(torch._foreach_add(xs, ys, alpha=2), [x + 2 * y for x, y in zip(xs, ys)])
    same(torch._foreach_pow(2.0, xs), [2.0 ** x for x in xs])
    for value, each in ((3.0, [3.0] * 3), ([1, 2, 3.0], [1, 2, 3.0]), (torch.tensor([1.0, 2.0, 4.0]), [1.0, 2.0, 4.0])):
        same(torch._foreach_addcmul(xs, ys, zs, value),
             [torch.addcmul(x, y, z, value=v) for x, y, z, v in zip(xs, ys, zs, each)])
        same(torch._foreach_addcdiv(xs, ys, zs, value),
             [torch.addcdiv(x, y, z, value=v) for x, y, z, v in zip(xs, ys, zs, each)])
    for weight, each in ((0.25, [0.25] * 3), ([0.25, 0.5, 1.0], [0.25, 0.5, 1.0]), (zs, zs)):
        same(torch._foreach_lerp(xs, ys, weight), [torch.lerp(x, y, w) for x, y, w in zip(xs, ys, each)])
    same(torch._foreach_norm(xs, 1), [x.abs().sum() for x in xs])
    same(torch._foreach_powsum(xs, 3), [(x ** 3).sum() for x in xs])
    same(torch._foreach_max(xs), [x.max() for x in xs])
    same(torch._foreach_mm([torch.ones(2, 3)], [torch.ones(3, 2)]), [torch.full((2, 2), 3.0)])
    copies = torch._foreach_clone(xs)
    same(copies, xs)
    torch._foreach_copy_(copies, ys)
    same(copies, ys)
    torch._foreach_zero_(copies)
    assert not any(x.any() for x in copies) and copies[0]._version == 2


def test_gradients_flow():
    xs, = lists(1, requires_grad=True)
    sum(torch._foreach_norm(torch._foreach_mul(xs, torch._foreach_exp(xs)))).backward()
    ys, = lists(1, requires_grad=True)
    sum((y * y.exp()).norm() for y in ys).backward()
    assert all(torch.allclose(x.grad, y.grad) for x, y in zip(xs, ys))


def test_what_does_not_fit_is_refused():
    xs, ys = lists(2)
    with refuses(RuntimeError, "Tensor lists must have the same number of tensors, got 3 and 2", "MG204"):
        torch._foreach_add(xs, ys[:2])
    with refuses(RuntimeError, "Tensor list must have same number of elements as scalar list", "MG204"):
        torch._foreach_mul(xs, [1.0])
    with refuses(RuntimeError, "Tensor list must have at least one tensor", "MG204"):
        torch._foreach_neg([])
    with refuses(RuntimeError, "scalar tensor expected to be 0 dim but it has 1 dimensions", "MG204"):
        torch._foreach_mul(xs, torch.ones(3))
    with refuses(RuntimeError, "Expected length of scalars to match input of length 3 but got 2", "MG204"):
        torch._foreach_addcmul(xs, xs, xs, torch.ones(2))
    with refuses(TypeError, "expected Tensor as element 1 of a list, but got int", "MG205"):
        torch._foreach_sqrt([xs[0], 1])
    with refuses(TypeError, "it takes lists of tensors, not Tensor", "MG205"):
        torch._foreach_add(xs[0], 1)
    with refuses(TypeError, "alpha is a multiple of the tensors", "MG205"):
        torch._foreach_mul(xs, ys, alpha=2)
    with refuses(TypeError, "it takes one of other, scalar, scalars, and not rounding", "MG205"):
        torch._foreach_div(xs, ys, rounding="floor")
    with refuses(TypeError, "it takes numbers and tensors, not str", "MG205"):
        torch._foreach_add(xs, "x")
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad"):
        torch._foreach_add_([torch.ones(1, requires_grad=True)], 1)
