"""The programs of writes in forward mode: every tensor must have the tangent that differences give it.

Leaves that require grad become dual tensors, each with a direction of its own, and what belongs to reverse mode is left
out.  What differences see and autograd must not, such as what ``detach`` hides, is left out too.
"""

import contextlib
import dataclasses
import re
import warnings

import numpy as np

from .examining import Examination
from .running import Failure, values

__all__ = ["MUST_OCCUR_IN_FORWARD_MODE", "examine_tangents"]

LEFT_OUT = re.compile(r"detach|\.data\b|\.apply\(|requires_grad_|hook|retain_grad|grad_fn")
LEAF = ", requires_grad=True"
STEP = 1e-6
#: What is refused where there is a tangent, which could not be told.
PROTECTIONS = {"outside", "overlaps itself"}

MUST_OCCUR_IN_FORWARD_MODE = [
    "a tangent that was compared",
    "a view with a tangent",
    "a write to a tensor with a tangent",
    "a write through a view with a tangent",
]


@dataclasses.dataclass
class Ending:
    """What each tensor holds in the end, and its tangent; why instructions failed; what occurred."""

    holds: dict
    tangents: dict
    failures: list
    features: set


def examine_tangents(program, minigrad, torch=None):
    program = program.without({place for place, i in enumerate(program.instructions)
                               if i.asks or LEFT_OUT.search(i.text)})
    dual = end_of(program, minigrad)
    examination = Examination(program, "", sorted(dual.features))
    here, plus, minus, far_plus, far_minus = [end_of(program, minigrad, step)
                                              for step in (0, STEP, -STEP, 7 * STEP, -7 * STEP)]
    for instruction, a, b in zip(program.instructions, dual.failures, here.failures):
        if a is not None and a.reason in PROTECTIONS:
            examination.features.append(f"not compared: {a.reason}")
            return examination
        if a is not None and b is None:
            examination.wrong = f"{instruction.text!r} raises {a}, in forward mode only"
            return examination
    large = False                           # what is made of a large number may be any number, as its sine
    for name, tangent in dual.tangents.items():
        large = large or name in here.holds and bool((np.abs(here.holds[name]) > 1e9).any())
        if isinstance(tangent, Failure):
            if tangent.reason != "outside":
                examination.wrong = f"the tangent of {name}: {tangent}"
                return examination
            continue
        if not all([name in end.holds and end.holds[name].shape == here.holds[name].shape
                    for end in (here, plus, minus, far_plus, far_minus)]):
            continue
        found = None if large else slope_of(*[end.holds[name] for end in (here, plus, minus, far_plus, far_minus)])
        if found is None:
            examination.features.append("not compared: too large, too curved, or a kink")
            continue
        slope, scale = found
        examination.features.append("a tangent that was compared")
        if apart(slope, 0 * slope if tangent is None else tangent) > 1e-4 * scale:
            examination.wrong = f"the tangent of {name} is\n{tangent}\nwith differences it is\n{slope}"
            return examination
    return examination


def slope_of(here, plus, minus, far_plus, far_minus):
    """The slope, and what is large beside it; None for what is too large or too curved, at a kink, and no number."""
    ends = here, plus, minus, far_plus, far_minus
    if here.dtype.kind not in "fc" or not all([np.isfinite(x).all() for x in ends]):
        return None
    slope = (plus - minus) / (2 * STEP)
    scale = 1 + np.abs(slope).max(initial=0) + np.abs(here).max(initial=0)
    if (scale > 1e6 or apart(slope, (far_plus - far_minus) / (14 * STEP)) > 1e-4 * scale
            or apart((plus - here) / STEP, (here - minus) / STEP) > 1e-3 * scale):
        return None
    return slope, scale


def apart(a, b):
    return np.abs(a - b).max(initial=0) if np.shape(a) == np.shape(b) else np.inf


def end_of(program, torch, step=None):
    """Run the program with its leaves moved by ``step``; without one, in a dual level with duals for leaves."""
    forward_ad = torch.autograd.forward_ad
    namespace, tensors, failures, features = {"torch": torch}, {}, [], set()
    with warnings.catch_warnings(), np.errstate(all="ignore"), (
            forward_ad.dual_level() if step is None else contextlib.nullcontext()):
        warnings.simplefilter("ignore")
        for instruction in program.instructions:
            written = {name: t._version for name, t in tensors.items()} if step is None else {}
            try:
                if LEAF in instruction.text:
                    exec(instruction.text.replace(LEAF, ""), namespace)
                    name, = instruction.makes
                    namespace[name] = moved(name, namespace[name], torch, step)
                else:
                    exec(instruction.code, namespace)
                failures.append(None)
            except Exception as e:
                failures.append(Failure(type(e), str(e)))
            tensors |= {name: namespace[name] for name in instruction.makes
                        if isinstance(namespace.get(name), torch.Tensor)}
            for name, version in written.items():
                t = tensors[name]
                if t._version != version and tangent_of(t, torch) is not None:
                    features.add("a write to a tensor with a tangent")
                    if t._base is not None and re.match(rf"{name}\b", instruction.text):
                        features.add("a write through a view with a tangent")
        tangents = {}
        if step is None:
            for name, t in tensors.items():
                tangents[name] = tangent = tangent_of(t, torch)
                if tangent is not None and t._base is not None:
                    features.add("a view with a tangent")
        namespace.clear()
        return Ending({name: values(t) for name, t in tensors.items()}, tangents, failures, features)


def tangent_of(t, torch):
    """Its numbers, None, or why it cannot be had."""
    try:
        tangent = torch.autograd.forward_ad.unpack_dual(t).tangent
    except RuntimeError as e:
        return Failure(type(e), str(e))
    return None if tangent is None else values(tangent)


def direction_of(name, t, torch):
    """The one in which this leaf moves."""
    rng = np.random.default_rng(list(name.encode()))
    direction = rng.uniform(0.5, 1.5, t.shape) * rng.choice([-1, 1], t.shape)
    if t.is_complex():
        direction = direction + 1j * rng.uniform(-1, 1, t.shape)
    return torch.tensor(direction.tolist(), dtype=t.dtype)


def moved(name, t, torch, step):
    direction = direction_of(name, t, torch)
    return torch.autograd.forward_ad.make_dual(t, direction) if step is None else t + step * direction
