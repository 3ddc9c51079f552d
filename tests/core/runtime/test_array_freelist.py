"""Small arrays that have died are the next of their shape: never one that somebody still has."""

import os
import subprocess
import sys
import tracemalloc
import weakref

import numpy as np
import pytest

import minigrad as torch
from minigrad import memory


@pytest.fixture(autouse=True)
def none_kept():
    memory.release()
    yield
    memory.release()


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.int64, torch.bool, torch.complex64])
@pytest.mark.parametrize("shape", [(), (8,), (1,), (2, 3), (2, 1, 3)])
def test_an_array_that_has_died_is_the_next_of_its_shape(dtype, shape):
    a = torch.ones(shape, dtype=dtype)
    y = a.clone()
    at, numbers = id(y._array), y.data_ptr()
    del y
    y = (a & a) if dtype is torch.bool else a * a
    assert (id(y._array), y.data_ptr()) == (at, numbers)
    assert (y == a).all()


def test_other_shapes_and_dtypes_get_other_arrays():
    a = torch.ones(8)
    y = a * 2
    at = id(y._array)
    del y
    others = [torch.ones(7) * 2, torch.ones(2, 4) * 2, torch.ones(8, dtype=torch.float64) * 2]
    assert all(id(x._array) != at for x in others)
    assert (a * 3).tolist() == [3.0] * 8


@pytest.mark.parametrize("hold", [
    lambda x: x.numpy(), lambda x: x.detach(), lambda x: x.data, lambda x: x[2:], lambda x: memoryview(x.numpy()),
    lambda x: x.numpy()[::2], lambda x: x.numpy().view(np.int32)])
def test_memory_that_somebody_has_stays_as_it_is(hold):
    x = torch.ones(8) * 2
    held = hold(x)
    before = np.array(held)
    del x
    for _ in range(5):
        _ = torch.ones(8) * 7
    assert (np.array(held) == before).all()


def test_a_weak_reference_dies_with_the_array():
    x = torch.ones(8) * 2
    reference = weakref.ref(x._array)
    del x
    assert reference() is None


def expanded():
    return torch.ones(1).expand(8)


def with_odd_strides():
    return torch.from_numpy(np.lib.stride_tricks.as_strided(np.ones(8, np.float32), (8, 1), (4, 999)))


@pytest.mark.parametrize("make", [
    expanded, with_odd_strides, lambda: torch.ones(16)[::2], lambda: torch.ones(4, 4).t(),
    lambda: torch.from_numpy(np.ones(16, np.float32)[8:]),
    lambda: torch.from_numpy(np.frombuffer(bytearray(32), np.float32)),
    lambda: torch.ones(8, dtype=torch.float16), lambda: torch.ones(0), lambda: torch.ones(1, 1, 1, 1, 1)])
def test_only_what_was_made_in_the_usual_way_is_kept(make):
    x = make()
    shape, dtype = x.shape, x.dtype
    a = torch.ones(shape, dtype=dtype)
    del x
    y = (a * 2)._array
    assert y.flags.owndata and y.flags.writeable and y.flags.c_contiguous and y.base is None
    assert y.strides == np.empty(shape, y.dtype).strides and (y == 2).all()


def test_a_profiler_that_counts_memory_sees_every_array():
    def used():
        with torch.autograd.profiler.profile(profile_memory=True) as p:
            for _ in range(10):
                _ = torch.ones(8) * 2
        return sum(event.cpu_memory_usage for event in p.function_events if event.name.endswith("mul"))

    fresh = used()
    for _ in range(20):
        _ = torch.ones(8) * 2           # leaves an array
    assert used() == fresh == 10 * 32


def test_large_arrays_are_not_kept():
    a = torch.ones(257)                 # 1028 bytes
    tracemalloc.start()
    for _ in range(3):
        _ = [a * 2 for _ in range(50)]
    del _
    kept = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert kept < 50 * 1028 / 2


def test_the_number_kept_is_bounded():
    a = torch.ones(8)
    tracemalloc.start()
    many = [a * 2 for _ in range(5000)]
    del many
    kept = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert kept < 200_000               # 512 tensors and 128 arrays, of about 100 and 150 bytes


def test_release_gives_them_up():
    a = torch.ones(100)
    tracemalloc.start()
    many = [a * 2 for _ in range(60)]
    del many
    before = tracemalloc.get_traced_memory()[0]
    memory.release()
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert before - after > 40 * 400
    assert (a * 2).tolist() == [2.0] * 100


def test_a_backward_pass_uses_them_again():
    """In a second pass over the same graph, no array is new but those of .grad."""
    w, v = torch.ones(8, requires_grad=True), torch.ones(8, requires_grad=True)
    y = w
    for _ in range(50):
        y = y * v
    y = y.sum()
    y.backward(retain_graph=True)
    w.grad = v.grad = None
    tracemalloc.start(1)
    y.backward(retain_graph=True)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 3000                  # 100 gradients of 32 bytes, with 100 bytes for each array, would be 13,000
    assert v.grad.tolist() == [50.0] * 8


def test_shapes_that_meet_in_one_bucket_replace_each_other():
    arrays = [torch.ones(n) for n in range(1, 250)]
    for _ in range(3):
        for x in arrays:
            y = x * 2
            assert y.shape == x.shape and (y == 2).all()


def test_it_ends_quietly_with_arrays_kept():
    code = "import minigrad as torch; x = [torch.ones(8) * 2 for _ in range(300)]; del x"
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True,
                          env={**os.environ}, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
