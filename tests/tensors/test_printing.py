"""Printing, to the character: what PyTorch prints for the same numbers is the specification."""

import json

import numpy as np
import pytest

import minigrad
from minigrad import dtypes
from minigrad.dtypes import NAMES
from minigrad.tensors import printing
from tests.parity.records import make_printing

RECORDED = json.loads(make_printing.FILE.read_text())
CHUNK = 100


@pytest.fixture(autouse=True)
def options_and_default():
    yield
    printing.set_printoptions(profile="default")
    dtypes.set_default_dtype(dtypes.float32)


def ours(number):
    """How minigrad prints a recorded case."""
    name, array, chosen, default, requires_grad, has_node = make_printing.case(number)
    printing.set_printoptions(profile="default")
    printing.set_printoptions(**chosen)
    dtypes.set_default_dtype(NAMES[default])
    recorded = make_printing.differentiable(name) and requires_grad
    return printing.tensor_str(array, NAMES[name], requires_grad=recorded,
                               grad_fn_name="ViewBackward0" if recorded and has_node else None)


@pytest.mark.parametrize("number", RECORDED)
def test_as_recorded(number):
    assert ours(int(number)) == RECORDED[number]


@pytest.mark.parity
@pytest.mark.parametrize("first", range(0, 20 * CHUNK, CHUNK))
def test_as_pytorch(first):
    torch = pytest.importorskip("torch")
    for number in range(first, first + CHUNK):
        assert ours(number) == make_printing.ask(torch, number), f"case {number}"


def text(values, dtype=dtypes.float32, **more):
    return printing.tensor_str(np.asarray(values), dtype, **more)


class TestNumbers:
    @pytest.mark.parametrize(("values", "expected"), [
        ([1.0, 1.0], "tensor([1., 1.])"),
        ([1.0, 2.5], "tensor([1.0000, 2.5000])"),
        ([-1.0, 10.0], "tensor([-1., 10.])"),
        ([1.0, 1000.0], "tensor([   1., 1000.])"),
        ([1.0, 1001.0], "tensor([1.0000e+00, 1.0010e+03])"),
        ([1e-5], "tensor([1.0000e-05])"),
        ([1.0, np.nan, -np.inf], "tensor([1., nan, -inf])"),
        ([0.0, -0.0], "tensor([0., -0.])"),
        (2.0, "tensor(2.)")])
    def test_floats(self, values, expected):
        assert text(values) == expected

    def test_integers_and_bools(self):
        assert text([1, -20], dtypes.int64) == "tensor([  1, -20])"
        assert text([True, False], dtypes.bool_) == "tensor([ True, False])"

    def test_complex(self):
        assert text([1 + 2j, -1.5j], dtypes.complex64) == "tensor([1.+2.0000j, -0.-1.5000j])"
        assert text([1j], dtypes.complex128) == "tensor([0.+1.j], dtype=torch.complex128)"


class TestDtype:
    def test_is_said_where_the_numbers_do_not_tell_it(self):
        assert text([1.0], dtypes.float64) == "tensor([1.], dtype=torch.float64)"
        assert text([1], dtypes.int8) == "tensor([1], dtype=torch.int8)"
        assert text(np.zeros(0, np.int64), dtypes.int64) == "tensor([], dtype=torch.int64)"

    def test_the_default_goes_unsaid(self):
        dtypes.set_default_dtype(dtypes.float64)
        assert text([1.0], dtypes.float64) == "tensor([1.])" and text([1j], dtypes.complex128) == "tensor([0.+1.j])"
        assert text([1.0]) == "tensor([1.], dtype=torch.float32)"


class TestSuffixes:
    def test_order(self):
        assert text(np.zeros((0, 3)), dtypes.float64, requires_grad=True) == \
            "tensor([], size=(0, 3), dtype=torch.float64, requires_grad=True)"

    def test_a_grad_fn_says_more_than_requires_grad(self):
        assert text([1.0], requires_grad=True, grad_fn_name="MulBackward0") == "tensor([1.], grad_fn=<MulBackward0>)"

    def test_they_move_to_a_new_line_where_the_last_is_full(self):
        assert text(np.ones(12), requires_grad=True) == "tensor([" + "1., " * 11 + "1.], requires_grad=True)"
        assert text(np.ones(13), requires_grad=True) == "tensor([" + "1., " * 12 + "1.],\n       requires_grad=True)"

    def test_tangents(self):
        """As PyTorch prints a dual tensor; the tangent's own lines are not indented further."""
        inner = text(np.ones((2, 3)), grad_fn_name="AddBackward0")
        assert text([[1.0, 2, 3], [4, 5, 6]], grad_fn_name="MulBackward0", tangent=inner) == (
            "tensor([[1., 2., 3.],\n        [4., 5., 6.]], grad_fn=<MulBackward0>,\n"
            "       tangent=tensor([[1., 1., 1.],\n        [1., 1., 1.]], grad_fn=<AddBackward0>))")
        assert text([1.0, 1, 1], tangent=text([1.0, 1, 1])) == "tensor([1., 1., 1.], tangent=tensor([1., 1., 1.]))"


class TestLayout:
    def test_long_tensors_are_abbreviated(self):
        assert text(np.arange(1001.0)) == "tensor([   0.,    1.,    2.,  ...,  998.,  999., 1000.])"
        assert text(np.arange(1000.0)).count(",") == 999

    def test_abbreviated_only_in_long_dimensions(self):
        assert text(np.zeros((2, 600), np.int64), dtypes.int64) == (
            "tensor([[0, 0, 0,  ..., 0, 0, 0],\n        [0, 0, 0,  ..., 0, 0, 0]])")

    def test_only_the_shown_numbers_choose_the_format(self):
        array = np.ones(2000)
        array[1000] = 1e9
        assert text(array) == "tensor([1., 1., 1.,  ..., 1., 1., 1.])"

    def test_matrices_of_matrices_are_set_apart(self):
        assert text(np.zeros((2, 1, 1))) == "tensor([[[0.]],\n\n        [[0.]]])"

    def test_any_memory_layout(self):
        array = np.arange(6.0).reshape(2, 3)
        assert text(array.T[::-1]) == text(np.ascontiguousarray(array.T[::-1]))
        assert text(array.T.astype(">f8")) == text(array.T)


class TestOptions:
    def test_profiles(self):
        printing.set_printoptions(profile="short")
        assert text([1.23456]) == "tensor([1.23])"
        printing.set_printoptions(profile="full")
        assert "..." not in text(np.ones(5000))
        printing.set_printoptions(profile="default")
        assert text([1.23456]) == "tensor([1.2346])"

    def test_sci_mode(self):
        printing.set_printoptions(sci_mode=True)
        assert text([1.0]) == "tensor([1.0000e+00])"
        printing.set_printoptions(sci_mode=False)
        assert text([1e-7]) == "tensor([1.0000e-07])".replace("1.0000e-07", "0.0000")
        printing.set_printoptions()
        assert text([1e-7]) == "tensor([1.0000e-07])"

    def test_unknown_profile_changes_nothing(self):
        with pytest.raises(ValueError, match="'default', 'short' and 'full'"):
            printing.set_printoptions(precision=9, profile="long")
        assert text([0.5]) == "tensor([0.5000])"


def test_named_results():
    assert repr(minigrad.ones(1, 2).max(1)) == "torch.return_types.max(\nvalues=tensor([1.]),\nindices=tensor([0]))"


def test_a_view_that_has_lost_its_history(torch):
    w = torch.ones(3, requires_grad=True)
    with torch.no_grad():
        view = w[:2]
        view.mul_(.5)
    assert repr(view) == "tensor([0.5000, 0.5000], grad_fn=<Invalid>)"
