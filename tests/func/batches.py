"""Calls of sample rows on several examples at once, and one after the other: what must agree under vmap."""

import contextlib
import zlib

import numpy as np

import minigrad
from minigrad._core.errors import MinigradError
from minigrad._core.graph import Tensor, wrap
from minigrad.func import vmap
from tests.ops.sampling import arrays_of, replace
from tests.ops.test_ops import call, flat

SIZE = 3


@contextlib.contextmanager
def refused_as_said(row, note=lambda error: None):
    """In this block vmap may refuse, if the sample row says so, in the words of ``unmapped``."""
    try:
        yield
    except MinigradError as error:
        if error.code != "MG117" or not row.unmapped or row.unmapped not in str(error):
            raise
        note(error)


class Drawn:
    """A sample row whose numbers depend on the example, too."""

    def __init__(self, row, example):
        self.row, self.example = row, example

    def rng(self, case):
        return np.random.default_rng(
            zlib.crc32(f"{self.row.name} {self.row.cases.index(case)} {self.example}".encode()))


def examples_of(row, case, dtype):
    """For each example the list of its arrays; and a function of such a list, of Tensors, that makes the call."""
    drawn = [arrays_of(Drawn(row, i), case, dtype) for i in range(SIZE)]
    lists = []
    for args, kwargs, _ in drawn:
        found = []
        replace([args, list(kwargs.values())], lambda array: found.append(array))
        lists.append(found)
    args, kwargs, _ = drawn[0]
    number = {id(array): i for i, array in enumerate(lists[0])}

    def function(*tensors):
        def swap(x):
            return replace(x, lambda array: tensors[number[id(array)]])
        return call(minigrad, row, [swap(a) for a in args], {k: swap(v) for k, v in kwargs.items()})

    return lists, function


def placements(n):
    """in_dims for ``n`` tensors: all first, all last, and each in turn alone or alone not mapped."""
    places = [(0,) * n, (-1,) * n]
    if n > 1:
        places += [tuple([0 if i == k else None for i in range(n)]) for k in range(n)]
        places += [tuple([None if i == k else -1 for i in range(n)]) for k in range(n)] if n > 2 else []
    return places


def batch(lists, place):
    return [wrap(arrays[0].copy() if dim is None else np.stack(arrays, dim % (arrays[0].ndim + 1)))
            for arrays, dim in zip(zip(*lists), place)]


def tensors_in(result):
    return [x for x in flat(result) if isinstance(x, Tensor)]


def check(row, case, dtype, places=placements, note=lambda error: None):
    """vmap against a loop over the examples, for each place of the batch; where the same tensors are mapped, one loop
    tells."""
    lists, function = examples_of(row, case, dtype)
    loops = {}
    for place in places(len(lists[0])):
        mapped = tuple([dim is not None for dim in place])
        if mapped not in loops:
            mixed = [[array if m else same for m, array, same in zip(mapped, arrays, lists[0])] for arrays in lists]
            loops[mapped] = [[y.numpy() for y in tensors_in(function(*[wrap(array.copy()) for array in arrays]))]
                             for arrays in mixed]
        with refused_as_said(row, note):
            compare(row, case, dtype, place, lists, function, loops[mapped])


def compare(row, case, dtype, place, lists, function, loop):
    whole = tensors_in(vmap(lambda *x: tuple(tensors_in(function(*x))), in_dims=place)(*batch(lists, place)))
    assert len(whole) == len(loop[0])
    for i, y in enumerate(whole):
        expected = np.stack([outputs[i] for outputs in loop])
        where = f"{row}({case}) of {dtype}, in_dims {place}"
        assert y.numpy().dtype == expected.dtype, where
        assert tuple(y.shape) == expected.shape, where
        single = expected.dtype in (np.float32, np.complex64)
        np.testing.assert_allclose(y.numpy(), expected, rtol=2e-5 if single else max(row.rtol, 1e-9),
                                   atol=1e-5 if single else 1e-9, err_msg=where)
