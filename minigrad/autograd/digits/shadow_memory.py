"""What tensors would hold with more precision: a second memory beside theirs.

Note [Shadow memory]
--------------------
Views share memory, and a write through one of them changes all.  So a shadow belongs to the memory and not to a tensor,
and every view finds its part of it at the same place::

    memory (float32)         [ a0 | a1 | a2 | a3 ]         x = a.view(2, 2)       y = a[1:3]
    shadow (float64)         [    A0 |    A1 |    A2 |    A3    ]                      |____ A1, A2

A byte of the memory at address k has its shadow at 2 k (at 4 k beside 16 bits), so a part has the offset and the
strides of the array that shows it, times 2.

A shadow belongs to certain numbers, and they may be overwritten without an operation: by NumPy, from a file, by the
loop in C of an optimizer.  So the numbers for which a shadow was made are kept, and the shadow is believed only where
the memory still has them.  The rest counts as exact, like everything without a shadow; `outside` says how many those
were.
"""

import weakref
from functools import cache

import numpy as np

__all__ = ["Shadows", "is_inexact", "wider"]

DOUBLE, EXTENDED = np.dtype(np.float64), np.dtype(np.longdouble)
#: is longdouble more than double?  On x86-64 it has 11 bits more, on some machines 60, on others none.
HAS_EXTENDED = np.finfo(EXTENDED).nmant > np.finfo(DOUBLE).nmant + 8


def is_inexact(array):
    """Does it hold floating-point numbers, real or complex, or those of ml_dtypes?"""
    return array.dtype.kind in "fc" or array.dtype.kind == "V" and array.dtype.name == "bfloat16"


@cache
def wider(dtype):
    """The dtype of the shadow of numbers of this dtype; None where there is none."""
    is_complex = dtype.kind == "c"
    if dtype.itemsize >> is_complex < 8:
        return np.dtype(np.complex128) if is_complex else DOUBLE
    if not HAS_EXTENDED:
        return None
    return np.dtype(np.clongdouble) if is_complex else EXTENDED


def owner_of(array):
    """The array to which the memory belongs."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def address(array):
    return array.__array_interface__["data"][0]


class Memory:
    """One piece of memory: its shadow, and the numbers for which it was made."""

    def __init__(self, owner, like):
        self.at, self.size = address(owner), owner.nbytes
        unit = like.dtype.itemsize >> (like.dtype.kind == "c")
        self.scale = wider(like.dtype).itemsize >> (like.dtype.kind == "c")
        self.scale //= unit
        self.unit = unit
        self.known = np.empty(self.size, np.uint8)
        self.high = np.empty(self.size * self.scale, np.uint8)
        self.record = None              # what wrote there last
        self.unknown = False            # was that something without a way in higher precision?

    def fits(self, array):
        return array.dtype.itemsize >> (array.dtype.kind == "c") == self.unit

    def parts(self, array):
        """(what the memory had, the shadow) for the elements that the array shows."""
        at = address(array) - self.at
        known = np.ndarray(array.shape, array.dtype, self.known, at, array.strides)
        strides = [step * self.scale for step in array.strides]
        return known, np.ndarray(array.shape, wider(array.dtype), self.high, at * self.scale, strides)


class Shadows:
    """The shadows of all memory that has some."""

    def __init__(self):
        self.memories = {}              # id of the owner -> (a weak reference to it, its Memory)
        self.outside = 0                # how many numbers were written by others

    def of(self, array):
        """The Memory of an array, or None."""
        found = self.memories.get(id(owner_of(array)))
        return None if found is None else found[1]

    def read(self, array):
        """(the shadow or None, who wrote it, is it unknown?): with None the numbers are exact."""
        memory = self.of(array)
        if memory is None or not array.size:
            return None, None, False
        if memory.unknown or not memory.fits(array):
            return None, memory.record, True
        known, high = memory.parts(array)
        with np.errstate(invalid="ignore"):
            same = known == array
            if not same.all():
                same |= (known != known) & (array != array)
                others = ~same
                n = np.count_nonzero(others)
                if n:
                    self.outside += n
                    high[others] = array[others]
                    known[others] = array[others]
                    if n == array.size:
                        memory.record = None
        return high, memory.record, False

    def before(self, array, values):
        """The shadow that an array had when it held these values, or None."""
        memory = self.of(array)
        if memory is None or memory.unknown or not memory.fits(array):
            return None
        known, high = memory.parts(array)
        return high.copy() if np.array_equal(known, values, equal_nan=True) else None

    def write(self, array, high, record):
        """From now on the elements of the array have this shadow, as long as they are what they are; None: unknown."""
        owner = owner_of(array)
        found = self.memories.get(id(owner))
        memory = None if found is None else found[1]
        if memory is None or not memory.fits(array):
            if high is None and wider(array.dtype) is None:
                memory = Unknown()
            else:
                memory = Memory(owner, array)
                if array.size != owner.size:
                    self.fill(memory, owner, array)
            self.keep(owner, memory)
        memory.record = record
        memory.unknown = high is None or memory.unknown and array.size != owner.size
        if not memory.unknown:
            known, shadow = memory.parts(array)
            known[...] = array
            shadow[...] = high

    def fill(self, memory, owner, like):
        """The shadow of everything else in the memory: the numbers as they are."""
        if owner.dtype.itemsize == memory.unit << (owner.dtype.kind == "c") and is_inexact(owner):
            known, high = memory.parts(owner)
            known[...], high[...] = owner, owner
        else:
            memory.known[...] = 0
            memory.high[...] = 0

    def keep(self, owner, memory):
        key, memories = id(owner), self.memories

        def gone(reference):
            if key in memories and memories[key][0] is reference:
                del memories[key]

        memories[key] = weakref.ref(owner, gone), memory

    def alive(self):
        """The Memories that are still in use."""
        return [memory for reference, memory in [*self.memories.values()] if reference() is not None]


class Unknown:
    """The Memory of numbers beside which there is no higher precision."""
    record, unknown = None, True

    def fits(self, array):
        return True
