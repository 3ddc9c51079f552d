"""Watching changes nothing: random programs do the same, bit for bit, under a profile, in anomaly mode and with a
story.

Compared are values, strides, versions and gradients after each instruction, errors and their messages, flags and names
in the end, and which tensors are gone when the program is.  Of messages, the hint to
turn on anomaly mode is left out: where it is on already, there is none.
"""

import contextlib
import gc
import itertools
import random
import re
import warnings
import weakref

import numpy as np

import minigrad
from minigrad import viz
from minigrad._core.backward import watched_pass
from tests import drawn

from .running import functions
from .writing import LENGTH, write

COUNT = 250

HINT = re.compile(r" Hint: enable anomaly detection to find where \S+ was made, with "
                  r"torch\.autograd\.set_detect_anomaly\([^)]*\)\.")


class Listening:
    """Is told every step of a backward pass, and does nothing with it."""

    def __getattr__(self, step):
        return lambda *told: None


@contextlib.contextmanager
def story():
    before = watched_pass.set_story(Listening())
    try:
        yield
    finally:
        watched_pass.set_story(before)


@contextlib.contextmanager
def all_together():
    with story(), anomaly(), profile(True, True, True), minigrad.autograd.profiler.record_function("all of it"):
        yield


@contextlib.contextmanager
def recording():
    """A recording that is forgotten at the end of the block, so that it keeps nothing alive."""
    with viz.recording() as written:
        yield
    written.__init__()


def anomaly():
    return minigrad.autograd.detect_anomaly(check_nan=False)


def profile(shapes, stacks, memory):
    return minigrad.autograd.profiler.profile(record_shapes=shapes, with_stack=stacks, profile_memory=memory)


PROFILES = {f"a profile: shapes {shapes}, stacks {stacks}, memory {memory}": lambda options=(shapes, stacks,
                                                                                             memory): profile(*options)
            for shapes, stacks, memory in itertools.product((False, True), repeat=3)}
WATCHED = {**PROFILES, "anomaly mode": anomaly, "a story": story, "a recorded story": viz.record}


def looked_at(t):
    array = t.detach()._array
    strides = [stride for stride, n in zip(array.strides, array.shape) if n > 1]        # of one place there is no next
    return t._version, t.requires_grad, array.shape, array.dtype, strides, array.tobytes()


def outcome(ask):
    try:
        return ask()
    except Exception as e:
        return type(e), HINT.sub("", str(e))


def at_the_end(t):
    grad = t.grad
    return (t.requires_grad, outcome(lambda: None if t.grad_fn is None else type(t.grad_fn).__name__),
            outcome(lambda: t.is_leaf), None if grad is None else looked_at(grad))


def all_that_happens(program, watch):
    """Everything that can be seen of a run of the program, in its order."""
    namespace, tensors, happened, references = {"torch": minigrad, "seen": [], **functions(minigrad)}, {}, [], []
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        with watch():
            for instruction in program.instructions:
                happened.append(outcome(lambda code=instruction.code: exec(code, namespace)))
                for name in instruction.makes:
                    if isinstance(namespace.get(name), minigrad.Tensor):
                        tensors[name] = namespace[name]
                        references.append(weakref.ref(tensors[name]))
                happened.append({name: looked_at(t) for name, t in tensors.items()})
        happened += [{name: at_the_end(t) for name, t in tensors.items()}, [looked_at(g) for g in namespace["seen"]]]
    happened.append([reference() is None for reference in references])
    tensors.clear()
    namespace.clear()
    happened.append([reference() is None for reference in references])
    return happened


def test_looking_on_changes_nothing():
    gc.disable()            # what is gone, is gone by itself
    try:
        for number, (name, watch) in drawn.share(list(zip(range(COUNT), itertools.cycle(WATCHED.items())))):
            program = write(random.Random(f"watched/{number}").randbytes(LENGTH))
            alone = all_that_happens(program, contextlib.nullcontext)
            assert all_that_happens(program, watch) == alone, f"{name}\n\n{program}"
            assert all_that_happens(program, all_together) == alone, f"all together\n\n{program}"
    finally:
        gc.enable()


def same(seen, expected):
    """The same, where numbers may differ by rounding: a recorded pass runs on Tensors, as with create_graph."""
    if isinstance(expected, dict):
        return seen.keys() == expected.keys() and all([same(seen[key], expected[key]) for key in expected])
    if isinstance(expected, tuple) and expected and isinstance(expected[-1], bytes):
        numbers = [np.frombuffer(x[-1], x[3]) for x in (seen, expected)]
        return seen[:-1] == expected[:-1] and np.allclose(*numbers, rtol=1e-9, atol=1e-12, equal_nan=True)
    if isinstance(expected, (tuple, list)):
        return len(seen) == len(expected) and all([same(x, y) for x, y in zip(seen, expected)])
    return seen == expected


def test_recording_changes_nothing_but_rounding():
    gc.disable()
    try:
        for number in drawn.share(range(COUNT)):
            program = write(random.Random(f"watched/{number}").randbytes(LENGTH))
            alone = all_that_happens(program, contextlib.nullcontext)
            assert same(all_that_happens(program, recording), alone), str(program)
    finally:
        gc.enable()
