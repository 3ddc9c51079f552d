"""set_, resize_ and resize_as_: a tensor on other memory, or on more or less of its own; and what needs no other."""

import gc

import numpy as np
import pytest

import minigrad
from minigrad._core.graph import wrap
from tests.checking import refuses


def numbers(*shape):
    return wrap(np.arange(np.prod(shape), dtype=np.float32).reshape(shape))


def refused(code, text, call):
    with pytest.raises((RuntimeError, TypeError), match=text) as caught:
        call()
    assert caught.value.code == code


class TestSet:
    def test_takes_over_the_memory(self):
        x, y = numbers(2), numbers(6)
        assert x.set_(y) is x and x._version == 1 and y._version == 0
        assert x.data_ptr() == y.data_ptr() and x.tolist() == y.tolist()
        y[0] = 9.0
        assert x[0].item() == 9 and x._version == 1, "the version counts the writes through one tensor, as in PyTorch"

    def test_nothing(self):
        x = numbers(2, 2)
        assert x.set_().shape == (0,) and x.dtype is minigrad.float32 and x._version == 1

    def test_a_part_of_the_memory(self):
        y = numbers(6)
        assert numbers(1).set_(y, 1, (2, 2), (1, 2)).tolist() == [[1, 3], [2, 4]]
        assert numbers(1).set_(y, 1, (2, 2)).tolist() == [[1, 2], [3, 4]]
        assert numbers(1).set_(source=y[2:]).tolist() == [2, 3, 4, 5]
        refused("MG204", "out of bounds for storage", lambda: numbers(1).set_(y, 0, (9,), (1,)))

    def test_a_saved_tensor_that_was_written_to_is_noticed(self):
        w, x = numbers(3).requires_grad_(), numbers(3)
        y = w * x
        x.set_(numbers(3))
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            y.sum().backward()

    def test_refused_where_it_would_have_to_be_recorded(self):
        leaf, other = numbers(3).requires_grad_(), numbers(4)
        result = leaf * 1
        refused("MG105", "a leaf Variable that requires grad is being used in an in-place operation",
                lambda: leaf.set_(other))
        refused("MG211", "requires grad cannot be differentiated", lambda: result.set_(other))
        refused("MG211", "requires grad cannot be differentiated", lambda: other.set_(leaf))
        assert leaf._version == result._version == other._version == 0 and other.tolist() == [0, 1, 2, 3]
        with minigrad.no_grad():
            leaf.set_(other)
        assert leaf.shape == (4,) and leaf.requires_grad and leaf.is_leaf and leaf._version == 1

    def test_wrong_arguments(self):
        x = numbers(2)
        refused("MG202", "Could not set tensor of type Double to a tensor of type Float", lambda: x.set_(x.double()))
        refused("MG205", "argument 'source' .* must be Tensor, not list", lambda: x.set_([1.0]))
        with minigrad.inference_mode():
            y = numbers(2)
        refused("MG112", "Inplace update to inference tensor", lambda: y.set_(x))
        assert x._version == 0

    def test_a_view_that_left_its_base_is_not_written_through_it(self):
        base = numbers(4)
        view = base[1:3]
        view.set_(numbers(9)[5:])
        base.requires_grad_()
        with pytest.raises(RuntimeError):
            view.mul_(2)
        assert view.tolist() == [5, 6, 7, 8]


class TestResize:
    def test_smaller_and_as_large(self):
        x = numbers(2, 3)
        pointer = x.data_ptr()
        assert x.resize_(2, 2) is x and x.tolist() == [[0, 1], [2, 3]] and x._version == 1
        assert x.resize_((6,)).tolist() == [0, 1, 2, 3, 4, 5] and x._version == 2, "the memory is still there"
        assert x.resize_(size=(0,)).shape == (0,) and x.resize_(6).data_ptr() == pointer

    def test_the_same_size_does_not_count_as_a_write(self):
        x = numbers(2, 3).t()
        assert x.resize_(3, 2) is x and x._version == 0 and x.stride() == (1, 3)
        assert x.resize_(2, 3).tolist() == [[0, 1, 2], [3, 4, 5]] and x._version == 1

    def test_larger(self):
        x = numbers(3)
        assert x.resize_(2, 3).tolist() == [[0, 1, 2], [0, 0, 0]] and x._version == 1
        assert minigrad.empty(0).resize_(2).tolist() == [0, 0]

    def test_a_view_within_the_memory(self):
        base = numbers(6)
        view = base[2:4]
        assert view.resize_(3).tolist() == [2, 3, 4] and view._base is base and base._version == 1
        view.zero_()
        assert base.tolist() == [0, 1, 0, 0, 0, 5]

    @pytest.mark.parametrize("share", [lambda x: x[1:], lambda x: x.detach(), lambda x: x.numpy(),
                                       lambda x: x.reshape(3, 1)],
                             ids=["view", "detached", "array", "reshaped"])
    def test_memory_that_others_look_at_does_not_grow(self, share):
        x = numbers(3)
        other = share(x)
        refused("MG211", "Trying to resize storage that is not resizable", lambda: x.resize_(9))
        assert x.tolist() == [0, 1, 2] and x._version == 0
        del other
        gc.collect()                            # the traceback of the error looked at the memory, too
        assert x.resize_(4).tolist() == [0, 1, 2, 0]

    def test_memory_that_is_not_ours_does_not_grow(self):
        array = np.zeros(3, np.float32)
        for x in (minigrad.from_numpy(array), minigrad.from_numpy(array[1:]), numbers(4)[1:], numbers(1).expand(3)):
            refused("MG211", "Trying to resize storage that is not resizable", lambda: x.resize_(9))

    def test_a_tensor_that_requires_grad_is_refused(self):
        leaf = numbers(3).requires_grad_()
        for x in (leaf, leaf * 1):
            refused("MG211", "cannot resize variables that require grad", lambda: x.resize_(2))
            refused("MG211", "cannot resize variables that require grad", lambda: x.resize_(3))
            refused("MG211", "cannot resize variables that require grad", lambda: x.resize_as_(numbers(2)))
            with minigrad.no_grad():
                refused("MG211", "cannot resize variables that require grad", lambda: x.resize_(2))
        assert leaf._version == 0

    def test_wrong_arguments(self):
        x = numbers(3)
        refused("MG204", "cannot be negative", lambda: x.resize_(-1))
        refused("MG205", "argument 'size' must be tuple of ints", lambda: x.resize_(1.5))
        refused("MG204", "Unsupported memory format", lambda: x.resize_(2, memory_format="channels_last"))
        refused("MG205", "must be Tensor, not tuple", lambda: x.resize_as_((2,)))
        assert x._version == 0

    def test_resize_as(self):
        x = numbers(6)
        assert x.resize_as_(numbers(2, 2)) is x and x.tolist() == [[0, 1], [2, 3]] and x._version == 1
        assert x.resize_as_(numbers(2, 3).t()).stride() == (2, 1)

    def test_a_saved_tensor_that_was_written_to_is_noticed(self):
        w, x = numbers(3).requires_grad_(), numbers(3)
        y = w * x
        x.resize_(2)
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            y.sum().backward()


@pytest.mark.parity
@pytest.mark.parametrize("change", [
    lambda lib, x: x.set_(), lambda lib, x: x.set_(lib.arange(8.0)[3:]),
    lambda lib, x: x.set_(lib.arange(8.0), 1, (2, 2), (1, 3)),
    lambda lib, x: x.resize_(2, 2), lambda lib, x: x.resize_(6), lambda lib, x: x.resize_(3, 2),
    lambda lib, x: x.resize_as_(lib.ones(1, 4)),
    lambda lib, x: x.resize_(0), lambda lib, x: x[1].resize_(2), lambda lib, x: x.t().resize_(2, 2)])
def test_as_pytorch(change):
    torch = pytest.importorskip("torch")
    mine, yours = [], []
    for lib, seen in ((minigrad, mine), (torch, yours)):
        x = lib.arange(6.0).reshape(2, 3).clone()
        y = change(lib, x)
        seen += [tuple(y.shape), y.storage_offset(), y._version, x._version, y.tolist(),
                 x.tolist()] + ([y.stride()] if y.numel() else [])
    assert mine == yours


def test_what_has_the_common_shape_is_broadcast_as_it_is():
    x, y = numbers(2, 3), numbers(3)
    same, wider = minigrad.broadcast_tensors(x, y)
    assert same is x and wider.shape == (2, 3) and wider._base is y


# ------------------------------------------------------------------------------ sizes and steps beyond the memory

def test_a_view_may_show_one_place_more_often_than_there_is_memory(torch):
    x = torch.tensor([1., 2., 3.])
    y = x.as_strided((2 ** 20, 2 ** 20), (0, 0), 1)
    assert y.shape == (2 ** 20, 2 ** 20) and y[5, 2 ** 20 - 1].item() == 2.


@pytest.mark.parametrize(("size", "stride", "elements"), [((1,), (2 ** 40,), [1.]),
                                                          ((1, 2), (2 ** 40, 1), [[1., 2.]])])
def test_the_step_of_a_dim_of_one_element_leads_nowhere(torch, size, stride, elements):
    x = torch.tensor([1., 2., 3.], requires_grad=True)
    y = x.as_strided(size, stride)
    assert y.stride() == stride and y.tolist() == elements
    y.sum().backward()
    assert x.grad.tolist() == [float(number in torch.tensor(elements)) for number in (1., 2., 3.)]


@pytest.mark.parametrize(("size", "stride", "offset", "words"), [
    ((3, 2, 2), (4, 1, 1), 0, "self.stride(1) must be divisible by 2"),
    ((1, 2), (3, 1), 0, "self.stride(0) must be divisible by 2"),
    ((4,), (1,), 1, "self.storage_offset() must be divisible by 2"),
    ((2, 3), (4, 1), 0, "self.size(-1) must be divisible by 2"),
    ((2, 2), (4, 2), 0, "self.stride(-1) must be 1")])
def test_rows_that_are_not_made_of_whole_larger_elements_cannot_be_read_as_them(torch, size, stride, offset, words):
    x = torch.arange(12, dtype=torch.int8).as_strided(size, stride, offset)
    with refuses(RuntimeError, words + " to view Char as Short (different element sizes), but got", "MG204"):
        x.view(torch.int16)


def test_rows_with_gaps_are_read_as_larger_elements(torch):
    x = torch.arange(12, dtype=torch.int8).as_strided((2, 2), (4, 1), 2).view(torch.int16)
    assert x.tolist() == [[2 + 3 * 256], [6 + 7 * 256]] and x.stride() == (2, 1) and x.storage_offset() == 1
