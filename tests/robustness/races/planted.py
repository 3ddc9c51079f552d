"""Faults, each of which the machine must notice."""

import ctypes
import time
from dataclasses import dataclass
from typing import Callable

import numpy as np

import minigrad
from minigrad.ops.networks import multi_margin
from minigrad.ops.positions import gathering, indexing

from . import machines


@dataclass
class Fault:
    machine: str                # which must notice it
    only: str                   # the attacks that could
    shown: str                  # in what is said then
    plant: Callable
    seconds: float = 20         # at most, until it is noticed


def wait_for_a_write(arrays):
    """Return when another thread has written to one of them, at the latest after a twentieth of a second.

    A fixed time would do on an idle machine; on a busy one the other thread may have had no turn in it.
    """
    seen, end = [array.tobytes() for array in arrays], time.monotonic() + 0.05
    while seen == [array.tobytes() for array in arrays] and time.monotonic() < end:
        time.sleep(1e-5)


DATA = (ctypes.c_double * 4)()


def follow(arrays):
    """Read what these numbers say as positions, without another look at them."""
    for array in arrays:
        for number in array.flat:
            ctypes.string_at(ctypes.addressof(DATA) + 8 * int(number), 8)


def nested(args):
    return [b for a in args for b in (nested(a) if isinstance(a, (list, tuple)) else [a])]


def trusted(module, look):
    """Its kernels use the numbers that they were given, and no copy.

    Between its own look at them and the read NumPy leaves so short a time that on a busy machine nothing happens in it.
    So these numbers are followed here too, a while after the look.
    """
    def plant():
        found = getattr(module, look)

        def slow(*args):
            result = found(*args)
            numbers = [a for a in nested(args) if isinstance(a, np.ndarray)]
            wait_for_a_write(numbers)
            follow([a for a in numbers if a.dtype.kind in "iu"])
            return result

        module.own = lambda numbers: numbers
        setattr(module, look, slow)

    return plant


def borrowing(name):
    """A function that computes with the memory of an array which it doesn't own."""
    def plant():
        def borrowed(x, *options, **named):
            array = x._array
            at, n = array.ctypes.data, array.nbytes
            shape, dtype = array.shape, array.dtype
            del array
            any([option == 0 for option in options])        # whatever code there is has its turn here:
            [[] for _ in range(100)]                        # that of an option, of the collector,
            time.sleep(1e-4)                                # of another thread
            return minigrad.tensor(np.frombuffer(ctypes.string_at(at, n), dtype).reshape(shape))

        setattr(minigrad, name, borrowed)

    return plant


def bare_pointers():
    """Steps of an optimizer that know where a parameter was."""
    def step(self, closure=None):
        array = self.param_groups[0]["params"][0]._array
        at = array.ctypes.data
        del array
        self.state.get(self.param_groups[0]["params"][0])
        time.sleep(1e-3)
        ctypes.memset(at, 1, 8)

    minigrad.optim.SGD.step = step


def in_place_of(machine, deed):
    """One attack: of a deed on an array."""
    def plant():
        def attacks():
            array = np.zeros(4, np.int64)
            yield "planted", lambda: (lambda: deed(array), machines.disturbing(array))

        machines.MACHINES[machine] = attacks

    return plant


def read_twice(index):
    """A kernel of a user's: it looks at all numbers, and then follows them."""
    if (index >= 0).all() and (index < 4).all():
        wait_for_a_write([index])
        follow([index])


def failing(index):
    raise SystemError("planned")


def without_end(index):
    time.sleep(1e6)


FAULTS = {
    "NumPy follows what has changed": Fault("indices", "gather_into 3 in general", "ended with -",
                                            trusted(gathering, "check_bounds")),
    "NumPy follows classes": Fault("indices", "multi_margin_curvature 1 in general", "ended with -",
                                   trusted(multi_margin, "check_classes")),
    "a mask has become longer": Fault("indices", "index in general for square of 700", "ended with -",
                                      trusted(indexing, "keys"), 60),
    "a number is read twice": Fault("indices", "", "ended with -", in_place_of("indices", read_twice)),
    "the collector frees what is read": Fault("collected", "neg 0 of float32", "in place of", borrowing("neg"), 1),
    "a thread frees what is read": Fault("replaced", "neg 0 of float32, short", "in place of", borrowing("neg"), 1),
    "an option frees what is read": Fault("bitten", "cumsum 0 of float32", "in place of", borrowing("cumsum"), 1),
    "a step writes where a parameter was": Fault("stepped", "SGD of 8: replace_data in", "has written to",
                                                 bare_pointers, 5),
    "another kind of error": Fault("indices", "", "SystemError: planned", in_place_of("indices", failing), 1),
    "a deed without end": Fault("indices", "", "it did not end", in_place_of("indices", without_end), 1),
}
