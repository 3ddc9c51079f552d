"""Runs a program on a library that differentiates (minigrad or torch), and writes down all that can be seen of it.

While it runs, only values and versions are looked at: to ask a view for its ``grad_fn`` would bring its history up to
date, and hide a mistake there.  Names, flags and bases are looked at in the end.
"""

import dataclasses
import functools
import itertools
import warnings

import numpy as np

from .program import FUNCTIONS

__all__ = ["PHRASES", "Failure", "Run", "run"]

#: Why something is refused -> what the message says, in every library.
PHRASES = {
    "view of a leaf": ["a view of a leaf Variable that requires grad"],
    "leaf": ["a leaf Variable that requires grad"],
    "outside": ["this view lies outside its base"],
    "several views": ["function that returns multiple views"],
    "view made in no_grad": ["was created in no_grad mode"],
    "modified": ["modified by an inplace operation"],
    "second time": ["a second time"],
    "requires no grad": ["does not require grad", "requires_grad=False", "doesn't require gradient"],
    "overlap": ["some elements of the input tensor and the written-to tensor refer to a single memory location"],
    "overlaps itself": ["more than one element of the written-to tensor refers to a single memory location",
                        "a view of a tensor that was expanded or cut into overlapping windows"],
    "cast": ["can't be cast to the desired output type", "source and destination dtypes match",
             "cannot be converted to type"],
    "shape of a gradient": ["Mismatch in shape: grad_output"],
    "shape": ["doesn't match the broadcast shape", "must match the size", "shape mismatch", "The expanded size"],
}


@dataclasses.dataclass(frozen=True)
class Failure:
    """What an instruction raised: the class, the message, and the reason that it names."""

    kind: type
    message: str

    @functools.cached_property
    def reason(self):
        found = [reason for reason, phrases in PHRASES.items() if any([p in self.message for p in phrases])]
        return found[0] if found else self.kind.__name__

    def __str__(self):
        return f"{self.kind.__name__}: {self.message}"


@dataclasses.dataclass
class Run:
    failures: list = dataclasses.field(default_factory=list)      # for each instruction, a Failure or None
    states: list = dataclasses.field(default_factory=list)        # {name: (version, values)} after it
    gradients: list = dataclasses.field(default_factory=list)     # {name: gradient or None} that it asked for, or None
    copy_slices: bool = False                                     # whether one was in a graph that was differentiated
    end: dict = dataclasses.field(default_factory=dict)           # {name: {what: how it is in the end}}
    seen: list = dataclasses.field(default_factory=list)          # what the hooks saw
    shared: list = dataclasses.field(default_factory=list)        # pairs of leaves whose .grad lie in one memory


@functools.cache
def functions(torch):
    """The Functions that programs call, as classes of this library."""
    namespace = {"torch": torch}
    for text in FUNCTIONS.values():
        exec(text, namespace)
    return {name: namespace[name] for name in FUNCTIONS}


def values(t):
    return np.array(t.detach().resolve_conj().numpy())


def looked_at(f):
    """The answer, or why there is none."""
    try:
        return f()
    except Exception as e:
        return Failure(type(e), str(e)).reason


def run(program, torch):
    seen, done = [], Run()
    namespace = {"torch": torch, "seen": seen, **functions(torch)}
    tensors = {}
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for instruction in program.instructions:
            try:
                exec(instruction.code, namespace)
                failure = None
            except Exception as e:
                failure = Failure(type(e), str(e))
            for name in instruction.makes:
                if isinstance(namespace.get(name), torch.Tensor):
                    tensors[name] = namespace[name]
            asks = instruction.asks
            done.failures.append(failure)
            done.states.append({name: (t._version, values(t)) for name, t in tensors.items()})
            done.gradients.append(answer(asks, instruction, namespace) if asks and asks.inputs and failure is None
                                  else None)
            if asks and asks.of in namespace and failure is None and not done.copy_slices:
                done.copy_slices = has_copy_slices(namespace[asks.of].grad_fn)
        done.end = {name: seen_in_the_end(t, tensors) for name, t in tensors.items()}
    done.seen = [values(g) for g in seen]
    done.shared = with_shared_gradients(tensors)
    namespace.clear()           # a hook refers to it, and no collector looks for such a cycle
    return done


def with_shared_gradients(tensors):
    """The pairs of leaves whose ``.grad`` lie in one memory, so that a pass that adds to one would change the other."""
    grads = {name: t.grad.numpy() for name, t in tensors.items() if looked_at(lambda t=t: t.is_leaf) is True
             and t.grad is not None}
    pairs = itertools.combinations(grads, 2)
    return [(a, b) for a, b in pairs if tensors[a] is not tensors[b] and np.shares_memory(grads[a], grads[b])]


def answer(asks, instruction, namespace):
    """{input: its gradient}: a copy, as others may be added to it."""
    if asks.kind == "backward":
        gradients = [namespace[name].grad for name in asks.inputs]
    else:
        gradients = namespace[next(iter(instruction.makes))]
    return {name: None if g is None else values(g) for name, g in zip(asks.inputs, gradients, strict=True)}


def has_copy_slices(node):
    """Whether a write through a view is part of the graph."""
    found, met = [node], {node}
    for n in found:
        if type(n).__name__ == "CopySlices":
            return True
        new = {m for m, _ in n.next_functions if m is not None} - met
        met |= new
        found += new
    return False


def seen_in_the_end(t, tensors):
    """The flags; requires_grad first, as the others may bring the history of a view up to date."""
    base = t._base
    return {
        "requires_grad": t.requires_grad,
        "grad_fn": looked_at(lambda: type(t.grad_fn).__name__),
        "is_leaf": looked_at(lambda: t.is_leaf),
        "base":
            None if base is None else next((name for name, other in tensors.items() if other is base), "none of these"),
        "grad": None if t.grad is None else values(t.grad),
    }
