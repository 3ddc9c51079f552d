"""Tensors with given strides, and in the memory of other objects.  Each test states what both libraries do."""

import pytest

import minigrad
from tests.checking import refuses


@pytest.mark.parametrize(("size", "stride"), [((2, 3), (1, 2)), ((2, 3), (3, 1)), ((2, 3), (5, 2)), ((3,), (0,)),
                                              ((), ()), ((2, 3, 4), (1, 8, 2))])
def test_strides_are_those_asked_for(torch, size, stride):
    for made in (torch.empty_strided(size, stride, dtype=torch.float64),
                 torch.ones(1, dtype=torch.float64).new_empty_strided(size, stride)):
        assert made.stride() == stride and made.shape == size and made.dtype is torch.float64
        made.fill_(2)
        assert (made == 2).all()


@pytest.mark.parametrize(("size", "stride", "phrase"), [
    ((2, 3), (1,), "dimensionality of sizes (2) must match dimensionality of strides (1)"),
    ((2, -3), (1, 1), "negative"), ((2, 3), (-1, 1), "")])
def test_wrong_strides_are_refused(torch, size, stride, phrase):
    with pytest.raises(RuntimeError) as refused:
        torch.empty_strided(size, stride)
    assert phrase in str(refused.value)


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0), (0, 2, 1)])
def test_dims_lie_in_the_order_asked_for(torch, order):
    made = torch.empty_permuted((2, 3, 4), order)
    assert made.shape == (2, 3, 4) and made.dim_order() == order
    assert made.permute(order).is_contiguous()


@pytest.mark.parametrize(("order", "phrase"), [((0,), "Number of dimensions in size does not match the length"),
                                               ((0, 0), "Duplicate dim not allowed"),
                                               ((0, 2), "Dimension out of range")])
def test_a_wrong_order_is_refused(torch, order, phrase):
    with pytest.raises((RuntimeError, IndexError)) as refused:
        torch.empty_permuted((2, 3), order)
    assert phrase in str(refused.value)


def test_a_buffer_is_shared(torch):
    memory = bytearray(range(8))
    whole = torch.frombuffer(memory, dtype=torch.uint8)
    part = torch.frombuffer(memory, dtype=torch.int16, count=2, offset=2)
    memory[2] = 100
    assert whole.tolist() == [0, 1, 100, 3, 4, 5, 6, 7] and part.tolist() == [100 + 3 * 256, 4 + 5 * 256]
    whole[7] = 99
    assert memory[7] == 99
    assert torch.frombuffer(memory, dtype=torch.float32, requires_grad=True).requires_grad


@pytest.mark.parametrize(("length", "options", "phrase"), [
    (7, {}, "buffer length (7 bytes) after offset (0 bytes) must be a multiple of element size (4)"),
    (0, {}, "both buffer length (0) and count (-1) must not be 0"),
    (4, {"count": 0}, "both buffer length (4) and count (0) must not be 0"),
    (4, {"offset": 8}, "offset (8 bytes) must be non-negative and no greater than buffer length (4 bytes) minus 1"),
    (8, {"offset": -1}, "offset (-1 bytes) must be non-negative"),
    (4, {"count": 3}, "requested buffer length (3 * 4 bytes) after offset (0 bytes) must not be greater than actual "
                      "buffer length (4 bytes)")])
def test_a_buffer_of_the_wrong_length_is_refused(torch, length, options, phrase):
    with refuses(ValueError, phrase, "MG207"):
        torch.frombuffer(bytearray(length), dtype=torch.int32, **options)


def test_what_lends_no_memory_is_refused(torch):
    with refuses(ValueError, "object does not implement Python buffer protocol", "MG207"):
        torch.frombuffer(3, dtype=torch.int32)
    for options in ({}, {"dtype": None}):
        with pytest.raises(TypeError, match="dtype"):
            torch.frombuffer(bytearray(8), **options)
    with pytest.raises(RuntimeError, match="can require gradients"):
        torch.frombuffer(bytearray(8), dtype=torch.int32, requires_grad=True)


def test_a_buffer_with_gaps_is_refused():
    with refuses(ValueError, "could not retrieve buffer from object", "MG207"):
        minigrad.frombuffer(memoryview(bytearray(8))[::2], dtype=minigrad.uint8)


@pytest.mark.filterwarnings("ignore:The given buffer is not writable")
def test_a_buffer_that_cannot_be_written_to_is_read(torch):
    assert torch.frombuffer(b"\x01\x02", dtype=torch.uint8).tolist() == [1, 2]


def test_a_number_alone(torch):
    assert torch.scalar_tensor(3).dtype is torch.float32 and torch.scalar_tensor(3).shape == ()
    assert torch.scalar_tensor(3, dtype=torch.int64).item() == 3 and torch.scalar_tensor(True).dtype is torch.float32
    with pytest.raises(RuntimeError):
        torch.scalar_tensor(1j)
