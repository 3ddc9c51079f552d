"""Faults, each of which the named run must notice."""

import copy
import ctypes
import functools
import os
import signal
import sys
import threading
import time
from dataclasses import dataclass
from typing import Callable

import minigrad as torch

from . import depth, lifetimes, load


@dataclass
class Fault:
    run: str                    # which must notice it
    shown: str                  # in what it says then
    plant: Callable


def replace(owner, name, value):
    setattr(owner, name, value)


def lost_sum(s):
    """A gradient read, added to and written back, as if no lock were held."""
    grad = s.x.grad
    if grad is not None:
        time.sleep(1e-4)
        s.x.grad = grad + 1
        s.add()


def waiting_for_ever(s):
    threading.Event().wait()


def held_in_the_child():
    lock = threading.Lock()
    lock.acquire()
    os.register_at_fork(after_in_child=lambda: (signal.alarm(1), lock.acquire()))


def wrong_in_the_child():
    os.register_at_fork(after_in_child=lambda: torch.set_grad_enabled(False))


def deaf():
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def slow():
    def handler(number, frame):
        time.sleep(1.2 * load.LATEST)
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, handler)


def forgetful():
    def handler(number, frame):
        torch.set_grad_enabled(False)
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, handler)


def adding():
    """Half of a pass has been done when it is interrupted."""
    def handler(number, frame):
        from tests.robustness.out_of_memory import passes

        passes.W.detach().numpy()[:] += 1
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, handler)


def recursive(node, *_):
    """A graph walked by recursion through C."""
    for following, _ in node.next_functions:
        if following is not None:
            max([following], key=recursive)
    return 0


def walked_by_recursion():
    def chain(x, nodes, chain=depth.chain):
        y = chain(x, nodes)
        recursive(y.grad_fn)
        return y

    sys.setrecursionlimit(10 ** 9)
    replace(depth, "chain", chain)


def shorter(x, nodes, chain=depth.chain):
    return chain(x, nodes - 1)


def gradients(spoilt, grad=torch.autograd.grad):
    replace(torch.autograd, "grad", lambda *args, **options: [spoilt(g) for g in grad(*args, **options)])


def double(t):
    return 2 * t


def with_double(x, tangent, make_dual=depth.forward_ad.make_dual):
    return make_dual(x, 2 * tangent)


def turned(array, from_numpy=torch.from_numpy):
    return from_numpy(array[::-1].copy())


def leaking(body, what):
    kept = []

    @functools.wraps(body)
    def leak():
        body()
        if (found := what()) is not None:
            kept.append(found)

    replace(lifetimes, "SCENARIOS", (leak,))


def knows_itself():
    y = lifetimes.X * 2
    y.itself = y


def memory_of_c():
    """Only the system knows of it."""
    libc = ctypes.CDLL(None)
    libc.malloc.restype = ctypes.c_void_p
    return lambda: ctypes.memset(libc.malloc(1 << 20), 1, 1 << 20) and None


def end(name, program):
    replace(load, "ENDS", {name: program})


PLAIN = lifetimes.passes.plain
FAULTS = {
    "a sum is lost": Fault("threads", "were added up to", lambda: replace(load, "DEEDS", (*load.DEEDS, lost_sum))),
    "a thread waits": Fault("threads", "waits for ever", lambda: (
        replace(load, "DEEDS", (waiting_for_ever,)), replace(load, "PATIENCE", 1))),
    "a mode is another thread's": Fault("threads", "in grad_modes", lambda: replace(
        torch, "is_grad_enabled", lambda: True)),
    "a lock is held in the child": Fault("forks", "ended with -14", held_in_the_child),
    "a child does not record": Fault("forks", "ended with", wrong_in_the_child),
    "a signal is not heard": Fault("interrupts", "no KeyboardInterrupt", deaf),
    "a signal is heard late": Fault("interrupts", "it came after", slow),
    "a mode is left": Fault("interrupts", "left {'grad mode': False", forgetful),
    "a value is left": Fault("interrupts", "gradients after", adding),
    "an end crashes": Fault("exits", "it ended with -6", lambda: end(
        "crash", "import os\natexit.register(os.abort)\n")),
    "an end has another status": Fault("exits", "it ended with 3", lambda: end("status", "sys.exit(3)\n")),
    "recursion": Fault("chain_freed", "the process ended with -11", walked_by_recursion),
    "a node is left out": Fault("chain_backward", "AssertionError", lambda: replace(depth, "chain", shorter)),
    "gradients of gradients are doubled": Fault("chain_twice", "AssertionError", lambda: gradients(double)),
    "a tangent is doubled": Fault("chain_forward", "AssertionError", lambda: replace(
        depth.forward_ad, "make_dual", with_double)),
    "a graph is copied": Fault("chain_copied", "a deep copy was made", lambda: replace(copy, "deepcopy", double)),
    "a gradient of one output is doubled": Fault("many_outputs", "AssertionError", lambda: gradients(double)),
    "a gradient of many uses is doubled": Fault("many_uses", "AssertionError", lambda: gradients(double)),
    "each derivative is doubled": Fault("many_derivatives", "AssertionError", lambda: gradients(double)),
    "dims are lost": Fault("dims", "AssertionError", lambda: gradients(torch.sum)),
    "a stride has another sign": Fault("strides", "AssertionError: backward", lambda: replace(
        torch, "from_numpy", turned)),
    "a block is kept": Fault("lives of plain", "more bytes", lambda: leaking(PLAIN, object)),
    "an array is kept": Fault("lives of plain", "more bytes", lambda: leaking(PLAIN, lambda: torch.ones(1))),
    "a cycle": Fault("lives of plain", "more bytes", lambda: leaking(PLAIN, knows_itself)),
    "memory that Python does not know": Fault("lives of plain", "more kilobytes", lambda: leaking(
        PLAIN, memory_of_c())),
}
