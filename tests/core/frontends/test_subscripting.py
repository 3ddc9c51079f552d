"""Subscripts in C against the way that knows all of them (ops/positions/subscripting.py): values, views, versions,
nodes, gradients and errors."""

import copy
import threading

import numpy as np
import pytest

import minigrad as torch
from minigrad.ops.positions import subscripting

I = torch.tensor


def unaligned(a):
    return np.frombuffer(bytearray(b"x" + a.tobytes()), a.dtype, offset=1).reshape(a.shape)


def keys():
    """Subscripts of a tensor of (4, 3, 2), right and wrong."""
    mask = I([True, False, True, False])
    return {
        "x[1]": 1, "x[-4]": -4, "x[4]": 4, "x[:]": slice(None), "x[1:3]": slice(1, 3),
        "x[::2, None]": (slice(None, None, 2), None),
        "x[..., 0]": (..., 0), "x[:, 1:3]": (slice(None), slice(1, 3)), "x[()]": (), "x[None]": None,
        "x[0, 0, 0, 0]": (0, 0, 0, 0), "x[2 ** 70]": 2 ** 70, "x[:2 ** 70]": slice(2 ** 70),
        "x[::2 ** 70]": slice(None, None, 2 ** 70),
        "0-d": I(2), "0-d int32": torch.tensor(-1, dtype=torch.int32), "0-d, out of bounds": I(7),
        "0-d, too far from the end": I(-5),
        "0-d in a tuple": (I(1), slice(None), I(0)), "0-d bool": I(True), "0-d float": I(1.0),
        "indices": I([3, 0, 3]), "indices from the end": I([-1, -4]), "indices out of bounds": I([4]),
        "int32": torch.tensor([1, 1], dtype=torch.int32), "floats": I([1.0]),
        "bytes": torch.tensor([1, 0, 1, 0], dtype=torch.uint8),
        "not aligned": torch.from_numpy(unaligned(np.array([0, 2]))),
        "no indices": torch.tensor([], dtype=torch.int64), "a matrix of indices": I([[0, 1], [3, 3]]),
        "two": (I([0, 1]), I([2, 2])), "two that broadcast": (I([[0], [1]]), I([2, 0])),
        "two that do not": (I([0, 1]), I([0, 1, 2])),
        "two apart": (I([0, 1]), slice(None), I([1, 1])), "two around a new dim": (I([0, 1]), None, I([1, 1])),
        "an int and a tensor": (1, I([0, 2])), "a tensor and an int": (I([0, 2]), 1),
        "behind a range": (slice(1, 3), I([0, 2])),
        "behind an ellipsis": (..., I([1, 0, 1])), "behind a new dim": (None, I([1, 0])),
        "an int between": (I([0, 1]), 2, I([1, 0])),
        "too many": (I([0]), I([0]), I([0]), I([0])),
        "mask": mask, "mask in a tuple": (mask, slice(0, 2)), "mask of two dims": torch.ones(4, 3) > 0,
        "mask of nothing": torch.ones(4) < 0,
        "mask of another size": I([True, False]), "mask and indices": (mask, I([0, 1])),
        "mask behind": (slice(None), I([True, False, True])),
        "mask of all dims": torch.arange(24).reshape(4, 3, 2) % 3 > 0, "mask of what is left": (1, torch.eye(3, 2) > 0),
        "mask of a range": (slice(1, 3), torch.eye(2, 3) > 0), "mask of a new dim": (None, torch.ones(1, 4, 3, 2) > 0),
        "a list": [0, 2], "an array": np.array([0, 2]), "a string": "a",
    }


def outcome(call, *args):
    try:
        return call(*args)
    except Exception as e:
        return type(e), str(e)


@pytest.mark.parametrize("key", list(keys()))
@pytest.mark.parametrize("recorded", [False, True])
@pytest.mark.parametrize("laid", ["rows", "columns"])
@pytest.mark.filterwarnings("ignore:indexing with dtype torch.uint8")
def test_reading(key, recorded, laid):
    subscript = keys()[key]
    found = []
    for read in (lambda x, at: x[at], subscripting.getitem):
        x = torch.arange(24.).reshape(4, 3, 2)
        if laid == "columns":
            x = torch.arange(24.).reshape(2, 3, 4).permute(2, 1, 0)
        x.requires_grad_(recorded)
        y = outcome(read, x, subscript)
        if isinstance(y, tuple):
            found.append(y)
            continue
        gradient = None
        if recorded:
            assert y.requires_grad
            gradient = torch.autograd.grad(y, x, torch.arange(1. * y.numel()).reshape(y.shape))[0].tolist()
        found.append((y.tolist(), y.shape, y.stride(), y._is_view(), type(y.grad_fn).__name__, gradient))
    assert found[0] == found[1]


VALUES = {"a float": 2.5, "an int": 3, "a bool": True, "complex": 1j, "nan": float("nan"), "too large": 1e300,
          "0-d": I(1.5), "one element": I([7.]), "a row": I([5., 6.]), "another dtype": I([5, 6]),
          "float64": torch.tensor(2., dtype=torch.float64),
          "the whole": torch.ones(4, 3, 2), "too many dims": torch.ones(1, 4, 3, 2), "another size": torch.ones(5),
          "a string": "a"}


@pytest.mark.parametrize("key", list(keys()))
@pytest.mark.parametrize("recorded", ["", "target", "value", "both"])
@pytest.mark.filterwarnings("ignore:indexing with dtype torch.uint8")
def test_writing(key, recorded):
    for name, given in VALUES.items():
        found = []
        for write in (lambda x, at, value: x.__setitem__(at, value), subscripting.setitem):
            leaf = torch.arange(24.).reshape(4, 3, 2).requires_grad_(recorded in ("target", "both"))
            x, value = leaf.clone(), copy.copy(given)
            if isinstance(value, torch.Tensor) and recorded in ("value", "both") and value.is_floating_point():
                value = given.clone().requires_grad_()
            seen = x[0]
            result = outcome(write, x, keys()[key], value)
            state = [result, repr(x.tolist()), x._version, seen._version, repr(seen.tolist()), x.requires_grad]
            if x.requires_grad:
                wanted = [t for t in (leaf, value) if isinstance(t, torch.Tensor) and t.requires_grad]
                state += [names(x.grad_fn), [g.tolist() for g in torch.autograd.grad(
                    x, wanted, torch.arange(24.).reshape(4, 3, 2), allow_unused=True, materialize_grads=True)]]
            found.append(state)
        assert found[0] == found[1], name


def names(node):
    return [type(node).__name__, *[names(below) for below, _ in node.next_functions if below is not None]]


def test_a_leaf_that_requires_grad_is_not_written_to():
    x = torch.ones(3, requires_grad=True)
    for at in (0, slice(1, 2), I([0]), I(1), I([True, False, True])):
        for value in (1.0, torch.ones(())):
            with pytest.raises(RuntimeError, match=r"leaf Variable .*\(x\[i\] = v\)"):
                x[at] = value
    assert x._version == 0 and x.tolist() == [1, 1, 1]


def test_a_value_in_the_memory_that_is_written_to():
    for x in (torch.arange(4.), torch.arange(4.).requires_grad_().clone()):
        part = x[1:3]
        x[1:3] = part                   # the very part itself: what x[1:3] += 1 ends with
        assert x.tolist() == [0, 1, 2, 3] and x._version == 1
        x[0:2] = x[0]
        assert x.tolist() == [0, 0, 2, 3]
        x[0] += 5
        assert x.tolist() == [5, 0, 2, 3]
    with pytest.raises(RuntimeError, match="single memory location"):
        x[I([0, 1, 2, 3])] = x[:]
    with pytest.raises(RuntimeError, match="single memory location"):
        x[I([0, 1])] = x[:1]


@pytest.mark.parametrize("transform", [lambda f, v: torch.autograd.grad(f(v), v)[0],
                                       lambda f, v: torch.func.grad(f)(v),
                                       lambda f, v: torch.vmap(torch.func.grad(f))(v[None])[0]])
def test_a_value_with_more_dims_than_what_is_written_to(transform):
    def f(v):
        y = torch.zeros(3) * v.sum()
        y[I([0, 2])] = v
        return (y * torch.tensor([1., 2., 3.])).sum()

    v = torch.ones(1, 1, 1, requires_grad=True)
    assert transform(f, v).tolist() == [[[4.0]]]
    with pytest.raises(RuntimeError, match=r"shape mismatch: value tensor of shape \[1, 1\] cannot be broadcast"):
        torch.zeros(3).index_put((I([0, 2]),), torch.ones(1, 1))
    mask = torch.tensor([True, False, True])
    assert torch.zeros(3).index_put((mask,), torch.ones(1, 1)).tolist() == [1, 0, 1]


def test_nothing_is_written_to_no_elements_of_an_expanded_tensor():
    x = torch.ones(1).expand(3, 1)
    x[:, 1:] = 5
    x[:, 1:] *= x
    assert x.tolist() == [[1], [1], [1]] and x._version == 3


def test_an_index_in_the_memory_that_is_written_to():
    x = I([2, 0, 1])
    x[x] = I([10, 20, 30])
    assert x.tolist() == [20, 30, 10]


def test_the_part_that_is_written_to_in_another_layout():
    x = torch.arange(4.).reshape(2, 2)
    x[...] = x.t()
    assert x.tolist() == [[0, 2], [1, 3]]


def test_memory_that_is_not_aligned_or_may_not_be_written_to():
    x = torch.from_numpy(unaligned(np.zeros((2, 2), np.float32)))
    x[0] = 1.
    x[1] = torch.from_numpy(unaligned(np.array([2, 3], np.float32)))
    y = torch.zeros(2)
    y[:] = x[1]
    assert x.tolist() == [[1, 1], [2, 3]] and y.tolist() == [2, 3] and x._version == 2
    with pytest.warns(UserWarning, match="not writable"):
        x = torch.from_numpy(np.broadcast_to(np.float32(1), (1,)))
    with pytest.raises(RuntimeError, match="the memory of this tensor is read-only"):
        x[0] = 2.
    assert x._version == 0


@pytest.mark.parametrize("key", [0, I([0])])
def test_a_value_without_numbers_is_refused(key):
    x = torch.zeros(2)
    with pytest.raises((RuntimeError, NotImplementedError), match="meta"):
        x[key] = torch.ones((), device="meta")
    assert x.tolist() == [0, 0] and x._version == 0


def test_a_write_of_another_thread_to_what_is_kept_in_this_one():
    x = I([2., 3.], requires_grad=True)
    with torch.autograd.graph.allow_mutation_on_saved_tensors():
        y = x * 1
        loss = (y * y).sum()
        writer = threading.Thread(target=torch.no_grad()(y.__setitem__), args=(0, 7.))
        writer.start()
        writer.join()
        loss.backward()
    assert y.tolist() == [7, 3] and x.grad.tolist() == [4, 6]


def test_more_items_than_there_is_room_for():
    x = torch.zeros(2)
    x[(None,) * 40 + (0,)] = 5
    assert x[(None,) * 40].shape == (1,) * 40 + (2,) and x.tolist() == [5, 0]
    x = torch.zeros((1,) * 64)
    x[0] = 5
    assert x.item() == 5
    x = torch.zeros((1,) * 32)
    for key in ((None,) * 20 + (...,), (...,) + (None,) * 20, (None,) * 10 + (..., 0) + (None,) * 10):
        assert x[key].shape == x.numpy()[key].shape
        x[key] = 1 + x.item()
    assert x.item() == 3


def test_a_write_keeps_what_a_graph_saved_from_notice():
    x = torch.ones(3, requires_grad=True)
    y = x * 1
    z = (y * y).sum()
    y[I([0])] = torch.zeros(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        z.backward()


def test_reading_in_a_profiler_has_the_names_of_its_steps():
    x, i = torch.arange(4.), I(1)
    found = []
    for read in (lambda x, at: x[at], subscripting.getitem):
        with torch.autograd.profiler.profile() as profile:
            read(x, i)
            read(x, (I([0, 1]),))
        found.append([event.name for event in profile.function_events])
    assert found[0] == found[1]


@pytest.mark.parametrize("new", [15, 29, 30, 31])
def test_an_ellipsis_for_very_many_dims(new):
    x = torch.ones(*[1] * 32)
    key = (None,) * new + (...,)
    assert x[key].ndim == 32 + new
    x[key] = 2.
    assert x.item() == 2.


@pytest.mark.parametrize("write", ["x[0:1] = x[0]", "x[None] = x", "x[1] = x[1:2]", "x[:, :1] = x[:, 0:1]"])
@pytest.mark.parametrize("requires_grad", [False, True])
def test_what_is_written_to_itself_stays_as_it_is(torch, write, requires_grad):
    leaf = torch.arange(6.).reshape(2, 3).requires_grad_(requires_grad)
    x = leaf.clone()
    exec(write, {"x": x})
    assert x.tolist() == [[0., 1., 2.], [3., 4., 5.]] and x._version == 1
    if requires_grad:
        x.sum().backward()
        assert leaf.grad.tolist() == [[1., 1., 1.], [1., 1., 1.]]
