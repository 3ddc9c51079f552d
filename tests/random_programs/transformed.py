"""The programs of writes inside transforms: each is a function of its leaves that returns all its tensors.

``func.jvp`` must give them the tangents that differences do, ``func.vjp`` the gradients, and ``vmap`` what the function
gives for one example after the other.  What a transform refuses is left out, and what belongs to reverse mode outside.
"""

import functools
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
    "a tangent of captured tensors that was compared",
    "a gradient of captured tensors that was compared",
    "a tangent inside vmap that was compared",
    "a gradient inside vmap that was compared",
]
#: Of a transform, and no other kind of refusal.
REFUSED = re.compile(r"MG117|MG116|MG105|does not require grad")
UNRECORDED = "with torch.no_grad():\n    "
#: Which write to a window comes last is free; and so is how an example lies in the memory of the batch, so that
#: ``reshape`` may copy in a loop and not in vmap, or the other way round.
WINDOWS = re.compile("unfold")
IN_MEMORY = re.compile("unfold|reshape|flatten|view_as_complex")
UNSPECIFIED = {"jvp": WINDOWS, "vjp": WINDOWS, "jvp of some": WINDOWS, "vjp of some": WINDOWS, "vmap": IN_MEMORY,
               "vmap of jvp": IN_MEMORY, "vmap of vjp": IN_MEMORY}
WRITES = re.compile(r"\w_\(|\] [*+]?= |\w [*+-]= ")


class Incomplete(Exception):
    """The instruction at this place was refused, and why."""


def examine_transformed(program, minigrad, torch=None):
    examination = Examination(program, "", [])
    if not any([LEAF in i.text for i in program.instructions]):
        return examination
    for name, compared in (("jvp", tangents_differ), ("vjp", gradients_differ), ("vmap", examples_differ),
                           ("jvp of some", functools.partial(tangents_differ, capturing=True)),
                           ("vjp of some", functools.partial(gradients_differ, capturing=True)),
                           ("vmap of jvp", mapped_tangents_differ), ("vmap of vjp", mapped_gradients_differ)):
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
        return {name: values(t) for name, t in function(*copies(leaves)).items()}


def check(function):
    """Raise for what was refused first."""
    for place, failure in function.failures.items():
        raise Incomplete(place, failure)


def captured(program, torch, capturing=True):
    """The function; that of the leaves inside, for given ones outside; those, for two examples; those inside, and
    their directions.

    Every second leaf is outside, and captured; which comes first depends on the program.
    """
    function, leaves, names = function_of(program, torch)
    directions = [direction_of(name, x, torch) for name, x in zip(names, leaves)]
    outside = list(range(len(program) % 2, len(leaves), 2)) if capturing else []
    inside = [i for i in range(len(leaves)) if i not in outside]

    def of(held):
        def inner(*given):
            both = dict(zip(outside, held)) | dict(zip(inside, given))
            return function(*[both[i] for i in range(len(leaves))])
        return inner

    others = [x + 0.1 * d for x, d in zip(leaves, directions)]
    examples = [[each[i] for i in outside] for each in (leaves, others)]
    return function, of, examples, [leaves[i] for i in inside], [directions[i] for i in inside]


def copies(tensors):
    return [x.clone() for x in tensors]


def slopes_of(of, held, leaves, directions):
    """{name: (what the result holds, its slope along the directions, its scale)}, by differences."""
    here, *ends = [plainly(of(copies(held)), [x + step * d for x, d in zip(leaves, directions)])
                   for step in (0, STEP, -STEP, 7 * STEP, -7 * STEP)]
    slopes = {}
    for name, a in here.items():
        if all([name in end and end[name].shape == a.shape for end in ends]):
            found = slope_of(a, *[end[name] for end in ends])
            if found:
                slopes[name] = (a, *found)
    return slopes


def tangents_differ(program, torch, features, capturing=False):
    whole, of, (held, _), leaves, directions = captured(program, torch, capturing)
    if not leaves:
        return ""
    function, slopes = of(copies(held)), slopes_of(of, held, leaves, directions)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        made, tangents = torch.func.jvp(function, tuple(copies(leaves)), tuple(directions))
        check(whole)
    feature = "a tangent of captured tensors that was compared" if capturing else "a tangent that was compared"
    return tangents_apart(made, tangents, slopes, features, feature)


def tangents_apart(made, tangents, slopes, features, feature):
    for name in slopes.keys() & made.keys():
        holds, slope, scale = slopes[name]
        features.append(feature)
        if apart(values(made[name]), holds) > 1e-9 * scale:
            return f"{name} holds\n{values(made[name])}\ninstead of\n{holds}"
        if apart(values(tangents[name]), slope) > 1e-4 * scale:
            return f"the tangent of {name} is\n{values(tangents[name])}\nwith differences it is\n{slope}"
    return ""


def gradients_differ(program, torch, features, capturing=False):
    whole, of, (held, _), leaves, directions = captured(program, torch, capturing)
    if not leaves:
        return ""
    function, slopes = of(copies(held)), slopes_of(of, held, leaves, directions)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        made, pull = torch.func.vjp(function, *copies(leaves))
        check(whole)
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
            features.append("a gradient of captured tensors that was compared" if capturing else
                            "a gradient that was compared")
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


# ------------------------------------------------------------------------------ some leaves come from outside

def mapped_tangents_differ(program, torch, features):
    """``jvp`` of the leaves inside, where ``vmap`` maps over those that it captures."""
    function, of, examples, given, directions = captured(program, torch)
    if not given or not examples[0]:
        return ""

    def pushed(*held):
        return torch.func.jvp(of(held), tuple(copies(given)), tuple(directions))

    made, tangents = mapped(pushed, function, examples, torch)
    for k, held in enumerate(examples):
        one, its_tangents = [{name: t[k] for name, t in each.items()} for each in (made, tangents)]
        wrong = tangents_apart(one, its_tangents, slopes_of(of, held, given, directions), features,
                               "a tangent inside vmap that was compared")
        if wrong:
            return f"example {k}: {wrong}"
    return ""


def mapped_gradients_differ(program, torch, features):
    """The same for ``vjp``, with the gradients of the sum of all results."""
    function, of, examples, given, directions = captured(program, torch)
    if not given or not examples[0]:
        return ""

    def pulled(*held):
        made, pull = torch.func.vjp(of(held), *copies(given))
        check(function)
        return made, pull({name: torch.ones_like(t) for name, t in made.items()})

    try:
        made, gradients = mapped(pulled, function, examples, torch)
    except RuntimeError as e:
        if (failure := Failure(type(e), str(e))).reason != "modified":
            return f"the gradients inside vmap: {failure}"
        features.append("a gradient that is refused, for a write")
        return ""
    for k, held in enumerate(examples):
        slopes = slopes_of(of, held, given, directions)
        if slopes.keys() != made.keys():            # some have none, and they all are in the sum
            continue
        features.append("a gradient inside vmap that was compared")
        said = sum([np.real(np.conj(values(g[k])) * values(d)).sum() for g, d in zip(gradients, directions)])
        slope = sum([np.real(slope).sum() for _, slope, _ in slopes.values()])
        scale = sum([scale * max(1, slope.size) for _, slope, scale in slopes.values()])
        if abs(said - slope) > 1e-4 * scale:
            return f"the gradients of example {k} say {said}; with differences it is {slope}"
    return ""


def mapped(function, whole, examples, torch):
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        results = torch.vmap(function)(*[torch.stack(several) for several in zip(*examples)])
        check(whole)
    return results
