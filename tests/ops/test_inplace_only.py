"""Writes that have no out-of-place form: fill_, zero_, fill_diagonal_, apply_, map_, map2_."""

import numpy as np
import pytest

import minigrad
from minigrad import tensor


def refused(code, text, call, *tensors):
    before = [(x, x.tolist(), x._version) for x in tensors]
    with pytest.raises((RuntimeError, TypeError), match=text) as caught:
        call()
    assert caught.value.code == code
    assert all((x.tolist(), x._version) == (value, version) for x, value, version in before)


class TestFill:
    def test_numbers_and_tensors(self):
        x = minigrad.zeros(2, 2)
        assert x.fill_(3) is x and x.tolist() == [[3, 3], [3, 3]] and x._version == 1
        assert x.fill_(tensor(1.5, dtype=minigrad.float64)).tolist() == [[1.5, 1.5], [1.5, 1.5]]
        assert x.dtype is minigrad.float32
        assert minigrad.zeros(2, dtype=minigrad.int64).fill_(1.9).tolist() == [1, 1]
        assert minigrad.zeros(1, dtype=minigrad.uint8).fill_(-1).tolist() == [255]

    def test_gradients(self):
        x, v = minigrad.ones(3, requires_grad=True), tensor(2.0, requires_grad=True)
        y = x * 1
        assert y.fill_(v).grad_fn.name() == "FillBackward3"
        y.sum().backward()
        assert x.grad.tolist() == [0, 0, 0] and v.grad.item() == 3
        assert (x * 1).fill_(2.0).grad_fn.name() == "FillBackward2"
        assert (x * 1).zero_().grad_fn.name() == "ZeroBackward0"

    def test_elements_that_share_memory_may_be_filled(self):
        for fill in (lambda x: x.fill_(2), lambda x: x.zero_().add(2)):
            assert fill(minigrad.zeros(1).expand(3)).tolist() == [2, 2, 2]
        x = minigrad.zeros(1).expand(3)
        refused("MG116", "more than one element of the written-to tensor", lambda: x.fill_(tensor(2.0)), x)

    @pytest.mark.parametrize(("dtype", "value"), [("uint8", 300), ("int64", 1e30), ("int64", float("nan")),
                                                  ("float32", 1j), (
        "int64", 2 ** 70)])
    def test_a_number_that_does_not_fit(self, dtype, value):
        x = minigrad.zeros(2, dtype=getattr(minigrad, dtype))
        refused("MG209", "value cannot be converted to type .* without overflow", lambda: x.fill_(value), x)

    def test_wrong_arguments(self):
        x = minigrad.zeros(2)
        refused("MG205", "invalid combination of arguments", lambda: x.fill_("a"), x)
        refused("MG204", "only supports 0-dimension value tensor", lambda: x.fill_(minigrad.zeros(1)), x)


class TestFillDiagonal:
    @pytest.mark.parametrize("shape", [(3, 3), (2, 5), (5, 2), (7, 3), (9, 2), (3, 3, 3), (4, 3), (0, 3), (3, 0),
                                       (3, 1)])
    @pytest.mark.parametrize("wrap", [False, True])
    def test_values(self, shape, wrap):
        expected = np.zeros(shape)
        if 0 not in shape:
            np.fill_diagonal(expected, 5, wrap=wrap)
        x = minigrad.zeros(shape)
        assert x.fill_diagonal_(5, wrap=wrap) is x
        assert np.array_equal(x.numpy(), expected)

    def test_a_transposed_matrix_and_a_view(self):
        x = minigrad.zeros(4, 7)
        x[1:, 1:].t().fill_diagonal_(1, wrap=True)
        assert x.nonzero().tolist() == [[1, 1], [1, 5], [2, 2], [2, 6], [3, 3]]

    def test_gradients_go_around_the_diagonal(self):
        x = minigrad.ones(2, 3, requires_grad=True)
        y = x * 2
        y.fill_diagonal_(7)
        assert y._version == 1 and type(y.grad_fn).__name__ == "CopySlices"
        y.sum().backward()
        assert x.grad.tolist() == [[0, 2, 2], [2, 0, 2]]

    def test_refused(self):
        leaf, x = minigrad.ones(2, 2, requires_grad=True), minigrad.ones(2, 2)
        refused("MG105", "a view of a leaf Variable that requires grad", lambda: leaf.fill_diagonal_(1), leaf)
        refused("MG204", "dimensions must larger than 1", lambda: minigrad.ones(3).fill_diagonal_(1))
        refused("MG204", "all dimensions of input must be of equal length",
                lambda: minigrad.ones(2, 3, 2).fill_diagonal_(1))
        for value in ("a", minigrad.ones(1), tensor(1.0, requires_grad=True)):
            refused("MG205", "argument 'fill_value' .* must be Number", lambda: x.fill_diagonal_(value), x)
        refused("MG209", "without overflow", lambda: x.fill_diagonal_(1j), x)
        assert x.fill_diagonal_(tensor(2)).tolist() == [[2, 1], [1, 2]]


class TestElementByElement:
    def test_apply(self):
        x = tensor([[1.0, 4.0], [2.0, 3.0]]).t()
        assert x.apply_(lambda v: 10 * v) is x and x.tolist() == [[10, 20], [40, 30]]
        assert x._version == 1, "unlike in PyTorch: a write is a write"
        assert tensor([1, 2]).apply_(lambda v: v * 1.5).tolist() == [1, 3]
        assert tensor([True, False]).apply_(lambda v: not v).tolist() == [False, True]
        assert tensor([1j]).apply_(lambda v: v * v).tolist() == [-1]

    def test_map(self):
        x = tensor([[1.0, 2.0], [3.0, 4.0]])
        assert x.map_(tensor([10.0, 20.0]), lambda a, b: a + b) is x and x.tolist() == [[11, 22], [13, 24]]
        assert x._version == 1
        assert tensor([1.0]).map2_(tensor([2.0]), tensor(3.0), lambda a, b, c: a + b * c).tolist() == [7]

    def test_requires_grad_is_refused(self):
        leaf, x = minigrad.ones(2, requires_grad=True), minigrad.ones(2)
        for target in (leaf, leaf * 1):
            refused("MG211", r"Can't call apply_\(\) on Variable that requires grad", lambda: target.apply_(abs),
                    target)
        refused("MG211", r"Can't call map_\(\) on Variable that requires grad", lambda: x.map_(leaf, max), x)
        with minigrad.no_grad():
            refused("MG211", "requires grad", lambda: leaf.apply_(abs), leaf)
        leaf.detach().apply_(lambda v: v + 1)
        assert leaf.tolist() == [2, 2] and leaf._version == 1

    def test_a_function_that_fails_has_changed_nothing(self):
        x = tensor([1.0, 2.0, 0.0])
        with pytest.raises(ZeroDivisionError):
            x.apply_(lambda v: 1 / v)
        refused("MG205", "must be real number, not str", lambda: x.apply_(lambda v: v if v < 2 else "two"), x)
        refused("MG209", "without overflow", lambda: x.apply_(lambda v: v * 1j), x)
        assert x.tolist() == [1, 2, 0] and x._version == 0

    def test_wrong_arguments(self):
        x = minigrad.ones(3)
        refused("MG205", "expected torch.FloatTensor for 'other' .got torch.LongTensor",
                lambda: x.map_(tensor([1, 2, 3]), max), x)
        refused("MG205", "must be Tensor, not float", lambda: x.map_(1.0, max), x)
        refused("MG201", "must match the existing size", lambda: x.map_(minigrad.ones(2), max), x)
        with pytest.raises(TypeError):
            x.apply_(3)
        refused("MG116", "more than one element of the written-to tensor",
                lambda: minigrad.zeros(1).expand(3).apply_(abs))


@pytest.mark.parity
@pytest.mark.parametrize("shape, wrap", [((3, 3), False), ((2, 5), True), ((7, 3), True), ((7, 3), False),
                                         ((9, 2), True), ((3, 3, 3), False)])
def test_fill_diagonal_as_pytorch(shape, wrap):
    torch = pytest.importorskip("torch")
    mine, yours = minigrad.zeros(shape, requires_grad=True), torch.zeros(shape, requires_grad=True)
    a, b = (mine * 3).fill_diagonal_(2, wrap=wrap), (yours * 3).fill_diagonal_(2, wrap=wrap)
    a.sum().backward()
    b.sum().backward()
    assert a.tolist() == b.tolist() and mine.grad.tolist() == yours.grad.tolist()
    assert type(a.grad_fn).__name__ == type(b.grad_fn).__name__
