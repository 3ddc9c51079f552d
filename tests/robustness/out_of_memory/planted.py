"""Faults, each of which the sweep must notice."""

import ctypes
from dataclasses import dataclass
from typing import Callable

import minigrad as torch
from tests.robustness.out_of_memory import refusal, scenarios
from tests.robustness.out_of_memory.passes import W, X


@dataclass
class Fault:
    run: Callable               # a scenario
    shown: str                  # in what is found wrong then
    way: str = "python"
    leaks: bool = False

    def plant(self):
        """The scenario is the only one."""
        scenarios.KINDS["functions"] = lambda: [scenarios.Function(self.run)]


def a_mode_that_stays():
    torch.set_grad_enabled(False)
    y = X * W
    torch.set_grad_enabled(True)
    return y


VALUES = W.detach().numpy()


def a_value_that_stays():
    VALUES[0] = 7.
    length = len(bytearray(100))
    VALUES[0] = 4.
    return length


def a_refusal_that_is_swallowed():
    try:
        return bytes(bytearray(100))[:50]
    except MemoryError:
        return b""


def another_error():
    try:
        return len(bytearray(100))
    except MemoryError:
        raise ValueError("wrong shape") from None


def a_wait_without_end():
    refusal.signal.setitimer(refusal.signal.ITIMER_REAL, 0.2)
    try:
        return len(bytearray(100))
    except MemoryError:
        while True:
            pass


LIBC = ctypes.CDLL(None)
LIBC.malloc.restype = LIBC.memset.restype = ctypes.c_void_p
LIBC.malloc.argtypes, LIBC.free.argtypes = [ctypes.c_size_t], [ctypes.c_void_p]
LIBC.memset.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_size_t]


def memory_that_is_not_looked_at():
    memory = LIBC.malloc(100_000)
    LIBC.memset(memory, 1, 100_000)
    LIBC.free(memory)


def memory_that_is_lost():
    memory = LIBC.malloc(100)
    y = bytearray(100_000)
    LIBC.free(memory)
    return len(y)


FAULTS = {fault.run.__name__: fault for fault in (
    Fault(a_mode_that_stays, "grad mode: False"),
    Fault(a_value_that_stays, "gradients"),
    Fault(a_refusal_that_is_swallowed, "another result"),
    Fault(another_error, "ValueError: wrong shape"),
    Fault(a_wait_without_end, "exit status -14"),
    Fault(memory_that_is_not_looked_at, "exit status -11", "arrays"),
    Fault(memory_that_is_lost, "pieces of memory more", "arrays", True))}
