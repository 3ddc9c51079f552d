"""The programs of writes inside transforms: each is a function of its leaves that returns all its tensors.

``func.jvp`` must give them the tangents that differences do, ``func.vjp`` the gradients, and ``vmap`` what the function
gives for one example after the other.  What a transform refuses is left out, and what belongs to reverse mode outside.
"""

import re
import warnings

import numpy as np

from .examining import Examination
from .program import Instruction, Program
from .running import Failure, values
from .tangents import LEAF, LEFT_OUT, STEP, apart, direction_of, slope_of

__all__ = ["MUST_OCCUR_IN_TRANSFORMS", "examine_transformed"]

MUST_OCCUR_IN_TRANSFORMS = [
    "a tangent that was compared",
    "a gradient that was compared",
    "a vmap that was compared",
    "a write in jvp",
    "a write in vjp",
    "a write in vmap",
]
#: Of a transform, and no other kind of refusal.
REFUSED = re.compile(r"MG117|MG116|MG105|does not require grad")
UNRECORDED = "with torch.no_grad():\n    "
#: Which write to a window comes last is free; and so is how an example lies in the memory of the batch, so that
#: ``reshape`` may copy in a loop and not in vmap, or the other way round.
UNSPECIFIED = {"jvp": re.compile("unfold"), "vjp": re.compile("unfold"),
               "vmap": re.compile("unfold|reshape|flatten|view_as_complex")}
WRITES = re.compile(r"\w_\(|\] [*+]?= |\w [*+-]= ")


class Incomplete(Exception):
    """The instruction at this place was refused, and why."""


def examine_transformed(program, minigrad, torch=None):
    examination = Examination(program, "", [])
    if not any([LEAF in i.text for i in program.instructions]):
        return examination
    for name, compared in (("jvp", tangents_differ), ("vjp", gradients_differ), ("vmap", examples_differ)):
        part = program.without({place for place, i in enumerate(program.instructions)
                                if i.asks or LEFT_OUT.search(i.text) or UNSPECIFIED[name].search(i.text)})
        part = Program([Instruction(i.text.replace(UNRECORDED, "")) for i in part.instructions])
        part = without_failures(part, minigrad)
        while len(part):
            try:
                wrong = compared(part, minigrad, examination.features)
            except Incomplete as refused:
                place, failure = refused.args
                if not REFUSED.search(failure.message):
                    examination.wrong = f"{part.instructions[place].text!r} raises {failure}, in {name} only"
                    return examination
                part = without_failures(part.without({place}), minigrad)
                continue
            if any([WRITES.search(i.text) for i in part.instructions]):
                examination.features.append(f"a write in {name}")
            if wrong:
                examination.wrong = f"{name}, without what it refuses: {wrong}"
                return examination
            break
    return examination


def function_of(program, torch):
    """The program as a function of the list of its leaves, what these hold, and their names.

    It returns {name: tensor}; ``failures`` of it are {place: why the instruction failed}.
    """
    leaves = [i for i in program.instructions if LEAF in i.text]
    names = [next(iter(i.makes)) for i in leaves]
    given = {}
    for i in leaves:
        exec(i.text.replace(LEAF, ""), {"torch": torch}, given)

    def function(*tensors):
        namespace, made, failures = {"torch": torch}, {}, {}
        for place, instruction in enumerate(program.instructions):
            try:
                if LEAF in instruction.text:
                    namespace |= {name: t for name, t in zip(names, tensors) if name in instruction.makes}
                else:
                    exec(instruction.code, namespace)
            except Exception as e:
                failures[place] = Failure(type(e), str(e))
            made |= {name: namespace[name] for name in instruction.makes if name in namespace}
        namespace.clear()
        function.failures = failures
        return {name: t for name, t in made.items() if isinstance(t, torch.Tensor) and (
            t.is_floating_point() or t.is_complex()) and may_be_used(t)}

    return function, [given[name] for name in names], names


def may_be_used(t):
    """Not if it is a view that a write to its base has made useless."""
    try:
        t.grad_fn
    except RuntimeError:
        return False
    return True


def without_failures(program, torch):
    """The program without what fails outside transforms, too."""
    while True:
        function, leaves, _ = function_of(program, torch)
        plainly(function, leaves)
        if not function.failures:
            return program
        program = program.without({next(iter(function.failures))})


def plainly(function, leaves):
    """What it gives outside transforms, as arrays."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return {name: values(t) for name, t in function(*[x.clone() for x in leaves]).items()}


def check(function):
    """Raise for what was refused first."""
    for place, failure in function.failures.items():
        raise Incomplete(place, failure)


def moved(program, torch):
    """The function, its leaves, their directions, and {name: (what it holds, its slope, its scale)} by differences."""
    function, leaves, names = function_of(program, torch)
    directions = [direction_of(name, x, torch) for name, x in zip(names, leaves)]
    here, *ends = [plainly(function, [x + step * d for x, d in zip(leaves, directions)])
                   for step in (0, STEP, -STEP, 7 * STEP, -7 * STEP)]
    slopes = {}
    for name, a in here.items():
        if all([name in end and end[name].shape == a.shape for end in ends]):
            found = slope_of(a, *[end[name] for end in ends])
            if found:
                slopes[name] = (a, *found)
    return function, leaves, directions, slopes


def tangents_differ(program, torch, features):
    function, leaves, directions, slopes = moved(program, torch)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        made, tangents = torch.func.jvp(function, tuple([x.clone() for x in leaves]), tuple(directions))
        check(function)
    for name in slopes.keys() & made.keys():
        holds, slope, scale = slopes[name]
        features.append("a tangent that was compared")
        if apart(values(made[name]), holds) > 1e-9 * scale:
            return f"{name} holds\n{values(made[name])}\ninstead of\n{holds}"
        if apart(values(tangents[name]), slope) > 1e-4 * scale:
            return f"the tangent of {name} is\n{values(tangents[name])}\nwith differences it is\n{slope}"
    return ""


def gradients_differ(program, torch, features):
    function, leaves, directions, slopes = moved(program, torch)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        made, pull = torch.func.vjp(function, *[x.clone() for x in leaves])
        check(function)
        for name in slopes.keys() & made.keys():
            _, slope, scale = slopes[name]
            try:
                gradients = pull({other: (torch.ones_like if other == name else torch.zeros_like)(t)
                                  for other, t in made.items()})
            except RuntimeError as e:
                if (failure := Failure(type(e), str(e))).reason != "modified":
                    return f"the gradients of {name}: {failure}"
                features.append("a gradient that is refused, for a write")
                continue
            features.append("a gradient that was compared")
            said = sum([np.real(np.conj(values(g)) * values(d)).sum() for g, d in zip(gradients, directions)])
            if abs(said - np.real(slope).sum()) > 1e-4 * scale * max(1, slope.size):
                return f"the gradients of {name} say {said}; with differences it is {np.real(slope).sum()}"
    return ""


def examples_differ(program, torch, features):
    function, leaves, names = function_of(program, torch)
    others = [x + 0.1 * direction_of(name, x, torch) for name, x in zip(names, leaves)]
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        first, second = plainly(function, leaves), plainly(function, others)
        made = torch.vmap(function)(*[torch.stack([x, y]) for x, y in zip(leaves, others)])
        check(function)
    for name in first.keys() & second.keys() & made.keys():
        expected = np.stack([first[name], second[name]])
        if not np.isfinite(expected).all():
            continue
        features.append("a vmap that was compared")
        if apart(values(made[name]), expected) > 1e-9 * (1 + np.abs(expected).max(initial=0)):
            return f"{name} holds\n{values(made[name])}\ninstead of\n{expected}"
    return ""
