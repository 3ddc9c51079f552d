"""``asarray`` in memory that something else lends; lists that have no end."""

import array

import numpy as np
import pytest

from tests.checking import refuses


@pytest.mark.parametrize("numbers, dtype", [
    ([1, 2], "int32"), ([1.5, -2], "float64"), ([1, 2], "float16"), ([1, 2j], "complex64"), ([1, 0], "bool")])
def test_the_bytes_of_a_buffer_are_read(torch, numbers, dtype):
    memory = bytearray(np.array(numbers, dtype).tobytes())
    x = torch.asarray(memory, dtype=getattr(torch, dtype))
    assert x.tolist() == numbers
    y = torch.asarray(memory, dtype=getattr(torch, dtype), copy=True)
    memory[:] = bytes(len(memory))
    assert x.tolist() == [0, 0] and y.tolist() == numbers
    assert torch.asarray(memory, dtype=getattr(torch, dtype), copy=False).tolist() == [0, 0]


def test_without_a_dtype_they_are_read_as_the_default_one(torch):
    assert torch.asarray(bytearray(np.float32([1, 2]).tobytes())).tolist() == [1, 2]
    assert torch.asarray(array.array("f", [1, 2])).tolist() == [1, 2]
    assert torch.asarray(memoryview(np.array([1, 2j], np.complex64))).tolist() == [1, 0, 0, 2]


def test_a_leaf_in_lent_memory(torch):
    x = torch.asarray(bytearray(8), dtype=torch.float32, requires_grad=True)
    (x + 1).sum().backward()
    assert x.grad.tolist() == [1, 1]


@pytest.mark.filterwarnings("ignore:The given buffer is not writable")
def test_what_cannot_be_read_is_refused(torch):
    with refuses(ValueError, "must be a multiple of element size (8)", "MG207"):
        torch.asarray(bytearray(7), dtype=torch.float64)
    with refuses(ValueError, "must not be 0", "MG207"):
        torch.asarray(b"")
    assert torch.asarray(np.float64(2)).tolist() == 2       # a scalar is a number, though it lends its memory


def test_a_capsule_lends_its_memory(torch):
    x = torch.arange(3.)
    y = torch.asarray(x.__dlpack__())
    x[0] = 7
    assert y.tolist() == [7, 1, 2]
    assert torch.asarray(x.__dlpack__(), dtype=torch.int64).tolist() == [7, 1, 2]


@pytest.mark.parametrize("make", ["tensor", "as_tensor", "asarray", "Tensor"])
def test_lists_without_an_end_are_refused(torch, make):
    alone, twins, late = [], [[], []], [1.]
    alone.append(alone)
    twins[0].append(twins)
    twins[1].append(twins)
    late.append(late)
    for endless in (alone, twins):
        with refuses(ValueError, "too many dimensions 'list'", "MG403"):
            getattr(torch, make)(endless)
    with pytest.raises(TypeError):
        getattr(torch, make)(late)
