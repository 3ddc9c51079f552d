"""Is what a library did right?  Two judges: the plain library with finite differences, always; PyTorch, where it is
there.

The first needs nobody to compare with.  It says what every tensor must hold, how often each memory was written to, what
must be refused, and what each gradient must be: along a random direction that moves all leaves at once, the loss must
change as the gradients say.  A refusal that it does not foresee counts as right if it is of a kind that protects
against a wrong gradient (``PROTECTIONS``); whether it was needed is for PyTorch to say.
"""

import dataclasses
import re

import numpy as np

from .numpy_ops import ALTERATIONS
from .plain import Library, Refused, Tensor, Undecided

__all__ = ["ALTERED", "LATE", "Verdict", "compare", "judge"]

#: What a library may refuse without the plain one having foreseen it.
PROTECTIONS = {"modified", "second time", "several views", "view made in no_grad", "requires no grad", "outside",
               "NameError"}
#: A write that must fail may be refused for any of these reasons; which one comes first is nobody's business.
FORBIDDEN = {"leaf", "view of a leaf", "several views", "view made in no_grad", "overlap", "overlaps itself", "cast",
             "shape"}

#: ``x[0] += y`` writes to what ``x[0]`` shows, and then puts that where it is already.
WRITES_TWICE = re.compile(r"\] \S+= ")

#: Sets of names that say the same: of a view that crosses from complex to real, and of a reshape that is a view.
SAME_NODES = [{"AsStridedBackward0", "ViewAsRealBackward0", "ViewAsComplexBackward0"},
              {"ViewBackward0", "ReshapeAliasBackward0"}]

ALTERED = re.compile(rf"with torch\.no_grad\(\):\n    (\w+)\.({'|'.join(ALTERATIONS)})\(")

#: a view that was expanded says AsStrided once its base has been written to
EXPANDED = re.compile(r"output \d of (Expand|AsStrided)Backward0, is at version .* BmmBackward0 saved it", re.DOTALL)

LATE = re.compile(r"\.requires_grad_\(\)")

LAID_OTHERWISE = re.compile(rf"(?:with torch\.no_grad\(\):\n    )?(\w+)\.({'|'.join(ALTERATIONS)})\(")
REPLAY_FAILS = ("RuntimeError", "IndexError")       # for none of the reasons that have to do with gradients

FIRST, SECOND = 1e-6, 1e-4          # lengths of the steps


@dataclasses.dataclass
class Verdict:
    """What is wrong, in words (empty: nothing); why finite differences could not say; what occurred."""

    wrong: str = ""
    undecided: str | None = None
    features: dict = dataclasses.field(default_factory=dict)
    late_leaves: bool = False
    gradients: int = 0


def judge(program, done):
    """Was this ``Run`` of the program right?"""
    verdict = judge_with_steps(program, done, 1)
    if "a wrong gradient" in verdict.wrong and any(
            [place_of(judge_with_steps(program, done, scale)) != place_of(verdict) for scale in (0.2, 0.04)]):
        verdict = dataclasses.replace(verdict, wrong="",
                                      undecided="a function that is too curved for the length of the steps")
    if done.shared and not verdict.wrong:
        pairs = ", ".join([f"{a} and {b}" for a, b in done.shared])
        verdict = dataclasses.replace(verdict, wrong=f"the .grad of {pairs} lie in one memory: whatever is added to "
                                                     "one changes the other")
    return verdict


def place_of(verdict):
    """The wrong instruction, if there is one: with shorter steps a second derivative may drown in rounding errors."""
    return verdict.wrong.partition(":")[0]


def judge_with_steps(program, done, scale):
    """The same, with steps that are ``scale`` times the usual ones."""
    first, second = FIRST * scale, SECOND * scale
    verdict = Verdict()
    try:
        rerun = Rerun(program, done, [(0, first), (0, -first)], first)
        try:
            verdict.wrong = rerun.all(compare_states=True)
        finally:
            verdict.undecided, verdict.gradients = rerun.lib.undecided, rerun.answered
            verdict.features, verdict.late_leaves = dict(rerun.lib.features), rerun.lib.late_leaves > 0
        if verdict.wrong or verdict.undecided:
            return verdict
        twice = any([i.asks and i.asks.kind == "second" for i in program.instructions])
        # A second pass meets hooks that multiply again, where a formula is written with the op's own result, and finds
        # that what was a constant when it was saved requires grad now.
        if twice and not (rerun.lib.scaled or rerun.lib.later):
            steps = [(a * second, b * second) for a in (1, -1) for b in (1, -1)]
            verdict.wrong = Rerun(program, done, steps, second).all()
        if (len(rerun.retained) == 1 and any(rerun.retained.values())
            and not (verdict.wrong or rerun.broken_off or twice)):
            points = next(iter(rerun.retained.values()))
            verdict.wrong = Rerun(program, done, [(0, first), (0, -first)], first, points).all()
    except Undecided as why:
        verdict.wrong, verdict.undecided = "", str(why)
    return verdict


class Rerun:
    """One run on the plain library of what the other library did: what that one refused is left out."""

    def __init__(self, program, done, steps, length, points=None):
        self.program, self.done, self.steps, self.length, self.points = program, done, steps, length, points
        self.lib = Library(steps, points or None)
        self.tensors, self.namespace = {}, {"torch": self.lib, "seen": [], "Doubled": self.lib.Doubled,
                                            "Exponentiated": self.lib.Exponentiated}
        self.moved_since = 0.0          # by how much all losses of ``backward()`` together should change
        # the kinds of passes that were: some tensors have got their share of them, and some not
        self.broken_off = set()
        # for each pass, {moment: the name of a tensor whose gradient of that moment it retained}
        self.retained = {}
        self.refused = False            # whether something was left out, since it was refused
        self.wrong, self.answered = "", 0

    def all(self, compare_states=False):
        for place, instruction in enumerate(self.program.instructions):
            problem = self.ask(place, instruction) if instruction.asks else self.do(place, instruction)
            problem = problem or (compare_states and self.states_differ(place)) or ""
            if problem:
                self.wrong = f"instruction {place}, {instruction.text!r}: {problem}"
                break
        return self.wrong

    def do(self, place, instruction):
        failure = self.done.failures[place]
        if failure is not None and failure.reason in PROTECTIONS:
            if WRITES_TWICE.search(instruction.text):
                raise Undecided("which of its two writes was refused")
            self.refused = True
            return None
        try:
            exec(instruction.code, self.namespace)
        except Refused as why:
            if failure is None:
                return f"must be refused ({why}), and was not"
            wanted = FORBIDDEN if str(why) in FORBIDDEN | {"stale view"} else {str(why)}
            return (None if failure.reason in wanted else f"must be refused ({why}), and was refused otherwise: "
                                                          f"{failure}")
        except Undecided:
            raise
        except Exception as e:
            return None if failure is not None else f"must raise {type(e).__name__} ({e}), and did not"
        if failure is not None:
            if self.refused and failure.reason == failure.kind.__name__:
                raise Undecided("what follows from a refusal")
            return f"raised {failure}"
        for name in instruction.makes:
            if isinstance(self.namespace[name], Tensor):
                self.tensors[name] = self.namespace[name]
        return None

    # ------------------------------------------------------------------------------ values and versions

    def states_differ(self, place):
        for name, (version, values) in self.done.states[place].items():
            t = self.tensors.get(name)
            if t is None:
                continue
            if version != t._version:
                return f"{name}._version is {version}, and {t._version} writes happened"
            if values.shape != t.shape or not near(values, t.primal, 1e-9):
                return f"{name} holds\n{values}\ninstead of\n{t.primal}"
        return None

    # ------------------------------------------------------------------------------ gradients

    def ask(self, place, instruction):
        asks, failure = instruction.asks, self.done.failures[place]
        if failure is not None:
            self.broken_off.add(asks.kind)
            self.lib.features["a pass that is refused because it begins at a view made under no_grad"] += any(
                [not self.tensors[name].leads for name in asks.also if name in self.tensors])
            # A tensor whose new layout was refused has the shape that it had.
            missed = {"AttributeError", "TypeError"} | ({"shape of a gradient"} if self.refused else set())
            return None if failure.reason in PROTECTIONS | missed else f"raised {failure}"
        if not asks.inputs or self.lib.undecided:
            return None
        also = [self.namespace[name] for name in asks.also]
        for root in also:
            self.lib.features["a pass that begins at a view"] += root.depth > 0
            try:
                root.check_root()
            except Refused as why:
                return f"must be refused ({why}), and was not"
        loss = [sum([t.tangents[k].sum() for t in also if not t.hides_base], tangent)
                for k, tangent in enumerate(self.namespace[asks.of].tangents)]
        order = 2 if asks.kind == "second" else 1
        if (order == 2) != (len(self.steps) == 4):
            return None
        gradients, moved = self.done.gradients[place], difference(loss, order, self.length)
        if self.points is not None:
            return self.disagree(moved, {name: (self.done.end[name]["grad"], self.tensors[name])
                                         for name in self.points.values()}, 1e-6)
        # What does not depend on a leaf gets no gradient from grad(), although backward() gives it one.
        reached = [(name, t) for name, t in self.tensors.items() if t.depth == 0
                   and any([tangent.any() for tangent in t.tangents])]
        self.retained[place] = {t.history.retained_at: name for name, t in reached if t.history.retained_at}
        if asks.kind == "backward":
            self.moved_since += moved
            moved = self.moved_since
            if "backward" in self.broken_off:
                return None
        self.answered += 1
        return self.disagree(moved, {name: (gradients[name], self.namespace[name]) for name in asks.inputs},
                             1e-6 if order == 1 else 1e-3)

    def disagree(self, moved, pairs, tolerance):
        said = {name: 0.0 if g is None else float(np.real(np.conj(g) * t.history.direction).sum())
                for name, (g, t) in pairs.items()}
        largest = 1 + abs(moved) + sum([0 if g is None else np.abs(g * t.history.direction).sum()
                                        for g, t in pairs.values()])
        if abs(sum(said.values()) - moved) <= tolerance * largest:
            return None
        shown = "\n".join([f"  {name}: {None if g is None else g.tolist()}, so {said[name]:.8g}"
                           for name, (g, _) in pairs.items()])
        return (f"a wrong gradient: along a random direction the loss changes by {moved:.8g}, and they say "
                f"{sum(said.values()):.8g}\n{shown}")


def difference(tangents, order, length):
    """The first derivative from two steps, or the mixed second one from four."""
    values = [float(t) for t in tangents]
    return ((values[0] - values[1]) / (2 * length) if order == 1 else (values[0] - values[1] - values[2] + values[3])
            / (4 * length**2))


def near(a, b, tolerance):
    """Whether two arrays of one shape hold the same numbers, but for rounding; nan is the same as nan.

    This is ``np.allclose``, which takes ten times as long for a few numbers; and mostly they are equal.
    """
    if a.tobytes() == b.tobytes() and a.dtype == b.dtype:
        return True
    if a.dtype.kind in "fc" and (np.abs(a - b) <= tolerance + tolerance * np.abs(b)).all():
        return True
    return np.allclose(a, b, rtol=tolerance, atol=tolerance, equal_nan=True)


# ------------------------------------------------------------------------------ against PyTorch

@dataclasses.dataclass
class Comparison:
    """What differs; or why PyTorch alone refused something, after which nothing can be compared."""

    wrong: str = ""
    only_torch_refused: str = ""
    of_history: bool = False            # whether it is gradients or flags that differ, and not values or refusals


def compare(program, mine, torchs):
    """Is minigrad's run what torch's is?"""
    # In a second pass, hooks multiply again where a formula is written with the op's own result, and what was constant
    # when it was saved may require grad now.
    broken_off, freed, unlike = False, False, any(["lambda g: g * 2" in i.text or LATE.search(i.text)
                                                   for i in program.instructions])
    for place, instruction in enumerate(program.instructions):
        a, b = mine.failures[place], torchs.failures[place]
        if a is None and b is not None:
            return Comparison("", b.reason)
        if a is not None and a.reason == "outside":
            # a view that reaches beyond what its base has been cut down to: PyTorch reads what lies there
            return Comparison()
        if a is not None and b is None and a.reason == "second time" and freed:
            # a pass that was broken off has freed some nodes and not others, in an order that is not PyTorch's
            return Comparison()
        if (a is not None and b is None and EXPANDED.search(a.message)
                and any([".expand(" in earlier.text for earlier in program.instructions[:place]])):
            # PyTorch copies an expanded factor, so that a write to it does not matter
            return Comparison("", "an expanded factor was written to")
        if a is not None:
            different = failures_differ(a, b, instruction)
            freed |= instruction.asks is not None
            broken_off |= instruction.asks is not None and instruction.asks.kind == "backward"
        else:
            different = successes_differ(place, instruction, mine, torchs, broken_off, unlike)
            unlike |= bool(ALTERED.match(instruction.text))
        if different:
            return Comparison(f"instruction {place}, {instruction.text!r}: {different}",
                              of_history=bool(instruction.asks))
    return Comparison(ends_differ(program, mine, torchs), of_history=True)


def failures_differ(a, b, instruction):
    if b is None:
        return f"raises {a}; PyTorch goes on"
    reasons = {a.reason, b.reason}
    # A pass may meet several tensors that were written to, in an order that is not PyTorch's.
    alike = (len(reasons) == 1 or reasons <= FORBIDDEN or b.reason == b.kind.__name__
             or (instruction.asks and reasons <= PROTECTIONS))
    return "" if issubclass(a.kind, b.kind) and alike else f"raises {a}\nPyTorch raises {b}"


def successes_differ(place, instruction, mine, torchs, broken_off, unlike):
    for name, (version, values) in torchs.states[place].items():
        my_version, my_values = mine.states[place][name]
        if my_version != version:
            return f"{name}._version is {my_version}; PyTorch has {version}"
        if not alike(my_values, values):
            return f"{name} holds\n{my_values}\nPyTorch has\n{values}"
    # A backward that was broken off has added to some leaves and not to others, in an order that is not PyTorch's.
    added_to = ({} if broken_off and instruction.asks and instruction.asks.kind == "backward"
                else torchs.gradients[place])
    for name, gradient in (added_to or {}).items():
        mine_too = mine.gradients[place][name]
        # PyTorch knows of some zeros that nothing depends on them, and we of others.  It also forgets what no_grad has
        # laid out otherwise, which may not show before the second derivative.
        if instruction.asks.kind == "second" and (unlike or not (np.any(mine_too) or np.any(gradient))):
            continue
        if not alike(mine_too, gradient):
            return f"the gradient of {name} is\n{mine_too}\nPyTorch has\n{gradient}"
    return ""


def ends_differ(program, mine, torchs):
    # A second pass through what the first recorded adds to retained gradients too, on ways that are free.
    twice = any([i.asks and i.asks.kind == "second" for i in program.instructions])
    # A pass that is broken off has reached some tensors and hooks and not others, in an order that is not PyTorch's.
    broken_off = any([f and i.asks for f, i in zip(mine.failures, program.instructions, strict=True)])
    # What changes under no_grad how a result lies is recorded here; PyTorch then refuses its gradient, or gives a
    # wrong one.  So it does for a complex view of a real tensor: it has forgotten the change.
    altered = {found[1] for i in program.instructions if (found := ALTERED.match(i.text))}
    # PyTorch makes a view that crosses from complex to real anew by the operations that made it, which may not apply to
    # a base that was laid out otherwise since: then it raises.  Here it is read off where the view lies.
    laid_otherwise = {found[1] for i in program.instructions if (found := LAID_OTHERWISE.match(i.text))}
    for name, looks in torchs.end.items():
        # A Function that writes to a tensor makes PyTorch forget what was retained of its old value.  Where a view took
        # another shape in place, PyTorch may retain its gradient in the shape of its base.
        forgotten = any([f".apply({name})" in i.text for i in program.instructions])
        misshapen = looks["grad"] is not None and looks["grad"].shape != torchs.states[-1][name][1].shape
        for what, value in looks.items():
            mine_too = mine.end[name][what]
            if (what in ("grad_fn", "is_leaf") and looks["base"] in laid_otherwise and value in REPLAY_FAILS
                and mine_too not in REPLAY_FAILS):
                continue
            if (isinstance(mine_too, str) and mine_too == "outside"
                or what == "grad" and altered and (name in altered or looks["is_leaf"] is False)
                or what == "grad_fn" and name in altered and looks["base"] is None):
                continue
            if (what == "grad" and (broken_off or twice or forgotten or misshapen) or what in ("grad_fn", "is_leaf")
                and any([{mine_too, value} <= s for s in [FORBIDDEN, *SAME_NODES]])):
                continue
            if not alike(mine_too, value):
                return f"in the end, {name}: {what} is {mine_too!r}; PyTorch has {value!r}"
    # PyTorch gives a second hook to the old value, if the first one is from before the tensor was laid out otherwise.
    moved = {name for name in laid_otherwise if any([f"{name}.register_hook" in i.text for i in program.instructions])}
    if not (broken_off or twice or altered or moved) and (len(mine.seen) != len(torchs.seen)
                                                          or not all(map(alike, mine.seen, torchs.seen))):
        return f"the hooks saw {mine.seen}; PyTorch's saw {torchs.seen}"
    return ""


def alike(a, b):
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        return a.shape == b.shape and a.dtype == b.dtype and near(a, b, 1e-8)
    return type(a) is type(b) and not isinstance(a, np.ndarray) and a == b
