"""Runs a program of statements on a library, and writes down what can be seen of what it made."""

import contextlib
import dataclasses
import traceback
import warnings

import numpy as np

from .functions import helpers
from .running import Failure

__all__ = ["Look", "Outcome", "run_table"]

#: Of these, minigrad itself raises none on purpose.
ACCIDENTS = (AttributeError, KeyError, AssertionError, SystemError, UnboundLocalError, NameError, ZeroDivisionError,
             RecursionError, MemoryError, BufferError)


MOST = 100_000


@dataclasses.dataclass
class Look:
    """How a tensor was when it was made, or at the end."""

    values: np.ndarray
    dtype: str
    strides: tuple
    requires_grad: bool | None      # None: it does, and to ask for a gradient raises
    is_leaf: object
    is_view: object
    version: object
    base_is_leaf: bool


@dataclasses.dataclass
class Outcome:
    failure: Failure | None = None
    accident: str = ""              # where minigrad raised something that it raises nowhere on purpose
    made: dict = dataclasses.field(default_factory=dict)        # {name: a Look, or a tree of them, flat}
    root: float | None = None       # the number that a pass began at
    added: dict = dataclasses.field(default_factory=dict)       # {leaf: what a pass added to its .grad}


@dataclasses.dataclass
class Done:
    outcomes: list
    end: dict                       # {name: Look} of all tensors, with the number of writes since for a version
    grads: dict                     # {name: Look} of the .grad that there are
    seen: list


def numbers(t):
    """The values as an array, exactly."""
    if reaches_beyond_its_memory(t) or str(t.dtype) == "torch.complex32":
        return None                     # numbers that are not there, and some that NumPy does not have
    t = t.detach()
    return np.array((t.float() if str(t.dtype) == "torch.bfloat16" else t).numpy(force=True))


def reaches_beyond_its_memory(t):
    """Some transforms of PyTorch return such tensors where a function does not depend on what is mapped."""
    if not t.numel() or not hasattr(t, "_is_zerotensor") or t._is_zerotensor():
        return False                    # NumPy's arrays do not
    try:
        if not t.untyped_storage().data_ptr():
            return True
    except RuntimeError:                # or they belong to a level that has ended
        return True
    last = sum([(n - 1) * step for n, step in zip(t.shape, t.stride())])
    return t.numel() > MOST or (t.storage_offset() + last + 1) * t.element_size() > t.untyped_storage().nbytes()


def look(t):
    recorded = not t.requires_grad or asked(lambda: type(t.grad_fn).__name__) != "NotImplemented"
    requires_grad = t.requires_grad if recorded else None
    return Look(numbers(t), str(t.dtype), tuple(t.stride()), requires_grad, asked(lambda: t.is_leaf),
                asked(lambda: t._is_view()), asked(lambda: t._version), t._base is not None and t._base.is_leaf)


def asked(f):
    """The answer, or that there is none."""
    try:
        return f()
    except RuntimeError:
        return "a refusal"


def flat(x, torch):
    """The tensors, numbers and Nones in a tree."""
    if isinstance(x, (tuple, list)):
        return [leaf for part in x for leaf in flat(part, torch)]
    if isinstance(x, dict):
        return [leaf for key in sorted(x) for leaf in flat(x[key], torch)]
    return [look(x) if isinstance(x, torch.Tensor) else x]


def run_table(program, torch, moved=None, library=None, recording=contextlib.nullcontext):
    """Run it on ``torch``.

    ``moved(name, tensor)`` says what a leaf holds instead; ``library`` is what the program's text calls torch, if it is
    another one.
    """
    seen, outcomes, tensors, first = [], [], {}, {}
    namespace = {**helpers(library or torch), "seen": seen}
    if library is not None:
        namespace["tangent"] = lambda f, x, t: library.func.jvp(f, (x,), (t,))[1]
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        with recording():
            for statement in program.statements:
                outcome = Outcome()
                outcomes.append(outcome)
                before = grads_of(statement.asks, namespace)
                if statement.asks and isinstance(namespace.get(statement.asks.of), torch.Tensor):
                    outcome.root = float(namespace[statement.asks.of].detach())
                try:
                    exec(statement.code, namespace)
                except Exception as e:
                    outcome.failure = Failure(type(e), str(e))
                    outcome.accident = accident(e)
                if moved and statement.leaf and outcome.failure is None:
                    name = statement.made[0]
                    namespace[name] = moved(name, namespace[name])
                for name in statement.made:
                    if name in namespace and not callable(namespace[name]):
                        made = namespace[name]
                        if isinstance(made, torch.Tensor):
                            tensors[name] = made
                            first[name] = asked(lambda made=made: made._version)
                        outcome.made[name] = flat(made, torch)
                for name, old in before.items():
                    new = namespace[name].grad
                    outcome.added[name] = None if new is None else numbers(new) - (0 if old is None else old)
        torch.set_grad_enabled(True)
        end = {name: look(t) for name, t in tensors.items()}
        for name, last in end.items():
            # Some results begin with a version that says how they were made.
            last.version = last.version - first[name] if isinstance(last.version, int) else last.version
        grads = {name: look(t.grad) for name, t in tensors.items() if asked(lambda t=t: t.is_leaf) is True
                 and t.grad is not None}
    saw = [numbers(g) for g in seen if g is not None]
    namespace.clear()           # a hook refers to it, and no collector looks for such a cycle
    return Done(outcomes, end, grads, saw)


def grads_of(asks, namespace):
    """{leaf: a copy of its .grad}, of a pass that adds to them."""
    if asks is None or asks.returned:
        return {}
    return {name: None if namespace[name].grad is None else numbers(namespace[name].grad) for name in asks.leaves
            if name in namespace}


def accident(e):
    """Where an exception comes from that nobody raises on purpose; empty for all others.

    A composite that stumbles over its arguments says so, and names the accident as the cause.
    """
    cause = e.__cause__ if hasattr(e, "code") else e
    if not isinstance(cause, ACCIDENTS) or hasattr(cause, "code"):
        return ""
    frame = traceback.extract_tb(cause.__traceback__)[-1]
    return f"{frame.filename}:{frame.lineno}" if "minigrad/" in frame.filename else ""
