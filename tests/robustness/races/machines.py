"""What is attacked.  A machine is a function that yields, for each attack, its name and a function that begins it.

That returns two functions without arguments: a deed, which is done again and again, and what disturbs it, which another
thread does again and again meanwhile.  A new machine is one more function in ``MACHINES``.
"""

import warnings

import numpy as np

import minigrad
from minigrad._core.dispatch.compute import on_arrays_general, on_arrays_in_c
from minigrad.ops.exports import ROWS
from tests.ops.calling import calls_of_rows
from tests.ops.samples import ROWS as SAMPLES
from tests.ops.sampling import replace
from tests.ops.test_ops import bound, call, ours

from .replacing import bitten, collected, replaced, stepped, tensors_in

WRITES = 200_000                # in one go, without the lock
AGAIN = 8                       # how often, until it is another element's turn
IN_BOUNDS = 4                   # of five times a number is its own, so that it passes some looks at it
WILD = {"i": {1: 127, 2: 2 ** 15 - 1, 4: 2 ** 28, 8: 2 ** 40}, "u": {1: 255, 2: 2 ** 16 - 1, 4: 2 ** 28, 8: 2 ** 40},
        "b": {1: True}, "f": {2: np.inf, 4: 1e30, 8: 1e300}}


class Flipping:
    """Writes into the elements of an array, one after the other: its own value and wild ones, in turn."""

    def __init__(self, array):
        flat = array.reshape(-1)
        assert np.shares_memory(flat, array)
        self.places = [np.lib.stride_tricks.as_strided(flat[k:], (WRITES,), (0,)) for k in range(flat.size)]
        self.own, self.calls, self.pattern = flat.copy(), 0, np.empty(WRITES, flat.dtype)

    def __call__(self):
        at, again = divmod(self.calls, AGAIN)
        at %= len(self.places)
        if again == 0:
            self.pattern[:] = self.own[at]
            self.pattern[::IN_BOUNDS + 1] = self.wild(at)
        np.copyto(self.places[at], self.pattern)
        self.calls += 1

    def wild(self, at):
        kind, size = self.own.dtype.kind, self.own.itemsize
        if kind == "b":
            return not self.own[at]
        return -WILD[kind][size] if kind in "if" and self.calls // AGAIN % 3 == 2 else WILD[kind][size]


class Waving:
    """Writes all elements of a mask: none is True, then all, then those that were; without the lock if it is long."""

    def __init__(self, array):
        self.array, self.own = array, array.copy()

    def __call__(self):
        for _ in range(100):
            self.array[...] = False
            self.array[...] = True
        self.array[...] = self.own


def disturbing(array):
    flip = Flipping(array)
    if array.dtype != bool:
        return flip
    wave = Waving(array)

    def both():
        flip()
        wave()

    return both


def attackable(array, kinds):
    return array.dtype.kind in kinds and array.dtype.isnative and array.size and array.flags.writeable


def own_copies(args):
    """The same arguments, with arrays that nobody else has, and these arrays."""
    arrays = []

    def copied(a):
        arrays.append(np.array(a, order="C"))
        return arrays[-1]

    return replace(args, copied), arrays


def of_rows(kinds):
    """Each array of these kinds in each call of a row, by its kernel in C and by the general one."""
    for name, calls in calls_of_rows().items():
        op = ROWS[name]
        if op.draws:
            continue
        for number, args in enumerate(calls):
            complete = list(args) + list(op.defaults[len(args):])
            _, arrays = own_copies(complete)
            for k, array in enumerate(arrays):
                if not attackable(array, kinds):
                    continue
                for way, how in ((on_arrays_in_c, "in C"), (on_arrays_general, "in general")):
                    if way is on_arrays_in_c and not op.computes_in_c:
                        continue
                    yield f"{name} {number} {how}, array {k}", beginning(way, op, complete, k)


def beginning(way, op, args, k):
    def begin():
        own, arrays = own_copies(args)
        return lambda: way(op, *own), disturbing(arrays[k])

    return begin


def of_samples(kinds):
    """The same of the public functions, which may use numbers on the way to their rows."""
    for row in SAMPLES:
        for number, case in enumerate(row.cases):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                _, args, kwargs, _ = bound(ours, row, case, "float64")
            for k, tensor in enumerate(tensors_in([args, kwargs])):
                if attackable(tensor._array, kinds):
                    yield f"public {row.name} {number}, tensor {k}", of_sample(row, case, k)


def of_sample(row, case, k):
    def begin():
        _, args, kwargs, _ = bound(ours, row, case, "float64")
        return (lambda: call(minigrad, row, args, kwargs)), disturbing(tensors_in([args, kwargs])[k]._array)

    return begin


KEYS_ALONE = ("i", "mask", "square")         # the last one is a mask of both dims
KEYS = (*KEYS_ALONE, (slice(None), "i"), (slice(None), "mask"), (None, "i"), (0, "i"), (0, "mask"))


def of_subscripts():
    """x[key], x[key] = 1 and x[key] = y, of few elements, and of enough for the lock to be let go."""
    for n in (3, 700):
        for key in KEYS:
            for what, deed in (("x[key]", read_at), ("x[key] = 1", number_at), ("x[key] = y", row_at)):
                yield f"{what} for {key} of {n}", of_subscript(n, key, deed)
        for key in KEYS_ALONE:
            yield f"index in general for {key} of {n}", of_index(n, key)


def of_subscript(n, key, deed):
    def begin():
        several = key if isinstance(key, tuple) else (key,)
        x, chosen = minigrad.zeros(n, n), keys_of(n)[several[-1]]
        subscript = (*several[:-1], chosen)
        return (lambda: deed(x, subscript)), disturbing(chosen._array)

    return begin


def of_index(n, key):
    def begin():
        x, chosen = minigrad.zeros(n, n), keys_of(n)[key]
        return (lambda: on_arrays_general(ROWS["index"], x._array, [chosen._array])), disturbing(chosen._array)

    return begin


def keys_of(n):
    i = minigrad.arange(n) % 3
    return {"i": i, "mask": i == 0, "square": (i[:, None] == i).contiguous()}


def read_at(x, key):
    return x[key]


def number_at(x, key):
    x[key] = 1.


def row_at(x, key):
    x[key] = x[-1:].clone()


def indices():
    """Integers and masks, which say where an operation reads and writes."""
    yield from of_rows("iub")
    yield from of_samples("iub")
    yield from of_subscripts()


def numbers():
    """Floating point numbers, which say so where they are sorted, counted or made positions."""
    yield from of_rows("f")


MACHINES = {machine.__name__: machine for machine in (indices, numbers, replaced, collected, bitten, stepped)}
ALONE = {"collected", "bitten"}         # they need no other thread
