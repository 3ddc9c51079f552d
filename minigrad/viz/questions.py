"""The questions of a player: what comes next, and what each wrong answer would mean.

A :class:`Question` is made from a finished story, so its right answer is a number that flowed.  Its wrong answers come
from the usual mistakes: in the formula (mistakes.py), in fitting the gradient to its input, and in adding up what
arrives along several paths.  Each of them has a reason.  All are in the page, where player.js compares them with what
the reader types.

There are three kinds, and the size of the answer decides:

===========  ===========================================================
``numbers``  at most six real numbers: the reader types them
``choice``   more numbers, or complex ones: the right answer among wrong ones
``shape``    more than a player shows: the reader types the shape
===========  ===========================================================
"""

from dataclasses import dataclass, field
from itertools import combinations
from math import prod

import numpy as np

from minigrad.viz.mistakes import close, gradient_of, mistakes
from minigrad.viz.values import Value, value_of

__all__ = ["Answer", "Question", "questions_of"]

#: The most numbers that a reader types, and the most answers to choose from.
TYPED, CHOICES = 6, 4

#: A gradient is quoted in a reason only if it is no longer than this.
SHORT = 24

#: For more paths than this, an answer with a contribution missing lacks exactly one, or all but one.
PATHS = 4


@dataclass
class Answer:
    """An answer, and what is wrong with it: nothing if it is the right one."""
    value: Value
    why: str = ""


@dataclass
class Question:
    """What the player asks before it shows a gradient."""
    kind: str                   # "numbers", "choice" or "shape"
    text: str
    shape: tuple                # of the right answer
    answers: list               # the right one is the first
    hint: str = ""              # the formula
    edge: int = None            # the edge in the picture whose label would tell

    @property
    def right(self):
        return self.answers[0]

    def offered(self):
        """The answers of a choice, in an order that does not tell."""
        return sorted(self.answers[:CHOICES], key=lambda answer: answer.value.line)

    def as_data(self):
        """The question for the page: numbers are texts, since JSON has no nan."""
        data = {"kind": self.kind, "text": self.text, "shape": self.shape, "hint": self.hint, "edge": self.edge}
        if self.kind == "choice":
            data["answers"] = [{"text": answer.value.text, "why": answer.why, "right": answer is self.right}
                               for answer in self.offered()]
        else:
            data["answers"] = [{"shape": answer.value.shape, "why": answer.why, "right": answer is self.right,
                                "numbers": numbers_of(answer.value) if self.kind == "numbers" else []}
                               for answer in self.answers]
        return data


def numbers_of(value):
    return [repr(number) for number in np.asarray(value.array, dtype=float).ravel().tolist()]


@dataclass
class Asked:
    """The questions of a pass, by what they ask for."""
    root: Question = None
    gradients: dict = field(default_factory=dict)       # (index of the step, index of the flow) -> Question
    sums: dict = field(default_factory=dict)            # the same
    grads: dict = field(default_factory=dict)           # index of the step -> Question


def questions_of(story):
    """The questions that belong to a pass."""
    asked, arrived = Asked(root=question_of_root(story)), {}
    for i, step in enumerate(story.steps):
        for k, flow in enumerate(step.flows):
            if flow.gradient is None:
                continue
            if flow.hooked is None:
                asked.gradients[i, k] = question_of_flow(step, flow)
            paths = arrived.setdefault((flow.vertex, flow.output), [])
            paths.append((f"step {i + 1} (for {name_of(flow)})", flow.gradient))
            if len(paths) > 1:
                asked.sums[i, k] = question_of_sum(flow, paths)
        asked.grads[i] = question_of_grad(step)
    return asked


# ------------------------------------------------------------------------------ the questions

def question_of_root(story):
    """The gradient of the result with respect to itself, unless the caller chose it."""
    if len(story.roots) != 1 or story.within:
        return None
    (name, gradient), = story.roots
    if gradient is None or gradient.shape != () or gradient.array is None or gradient.array != 1:
        return None
    edges = [i for i, edge in enumerate(story.picture.edges) if story.picture.vertices[edge.source].kind == "result"]
    wrong = [(np.zeros(()), f"{name} does change when {name} changes, and by just as much")]
    return question("numbers", f"With which gradient does the pass begin: the gradient of {name} with respect to "
                    "itself?", gradient, wrong, edge=edges[0] if edges else None)


def question_of_flow(step, flow):
    """The gradient for one input of an operation."""
    value, name = flow.gradient, name_of(flow)
    text = f"the gradient for {name}, which goes to {flow.to}"
    if cannot_be_asked(value):
        return None
    if value.array is None:
        return question("shape", f"What is the shape of {text}?", value, shapes_of(step, flow), "",
                        flow.edge)
    return question_of_value(f"What is {text}?", value, wrong_gradients(step, flow), flow.formula, flow.edge)


def question_of_sum(flow, paths):
    """The sum of everything that has arrived so far."""
    if flow.total is None or flow.total.array is None or cannot_be_asked(flow.total):
        return None
    arrays = [value.array for _, value in paths]
    wrong = [(sum([arrays[i] for i in some]), missing([paths[i] for i in range(len(paths)) if i not in some]))
             for some in parts_of(len(paths))]
    wrong.append((prod(arrays), "gradients that arrive along several paths are added, not multiplied"))
    wrong.append((sum(arrays) / len(arrays), "gradients that arrive along several paths are added, not averaged"))
    return question_of_value(f"{len(paths)} gradients have now arrived at {flow.to}. What is there?", flow.total, wrong,
                             " + ".join([value.line for _, value in paths]) if len(flow.total.line) <= SHORT
                             else "the sum of all that arrived")


def question_of_grad(step):
    """The ``.grad`` of a leaf that had one."""
    if step.before is None or step.after is None or step.after.array is None or cannot_be_asked(step.after):
        return None
    before, added, name = step.before.array, step.added.array, f"{step.leaf}.grad"
    wrong = [(added, f"{name} was {step.before.line} before: backward adds to it, and does not overwrite it"),
             (before, f"what arrives, {step.added.line}, is missing"),
             (before * added, "backward adds to it, and does not multiply"),
             (before - added, "backward adds the gradient; it is the optimizer that subtracts it, from the parameter")]
    return question_of_value(f"{name} is {step.before.line}, and {step.added.line} arrives. What is {name} then?",
                             step.after, wrong, "what was there + what arrives")


def cannot_be_asked(value):
    """Nothing is asked of a batch of vmap, or of a tensor without elements."""
    return bool(value.batch) or 0 in value.shape


def question_of_value(text, value, wrong, hint, edge=None):
    """Numbers to type, or to choose if they are many or complex."""
    typed = value.array.size <= TYPED and value.array.dtype.kind != "c"
    asked = question("numbers" if typed else "choice", text, value, wrong, hint, edge)
    return asked if typed or len(asked.answers) > 1 else None


def question(kind, text, value, wrong, hint="", edge=None):
    """The question with its answers: no wrong one is equal to another, or to the right one."""
    answers = [Answer(value)]
    for each, why in wrong:
        if kind == "shape":
            each, known = Value("", each), any([each == answer.value.shape for answer in answers])
        else:
            each = np.asarray(each)
            if each.size > TYPED ** 2 or each.dtype.kind == "c" and kind == "numbers":
                continue
            known = any([close(each, answer.value.array) for answer in answers])
            each = value_of(each)
        if not known and (kind == "shape" or each.array is not None):
            answers.append(Answer(each, why))
    return Question(kind, text, value.shape, answers, hint, edge)


# ------------------------------------------------------------------------------ the wrong answers

def wrong_gradients(step, flow):
    """[(array, why)] of the mistakes in one gradient, the likeliest first."""
    gradient, name, unfitted, found = flow.gradient.array, name_of(flow), [], []
    if flow.fitted and flow.result.array is not None:
        copies = flow.result.array.size / gradient.size
        if copies > 1:
            unfitted.append((flow.result.array, f"it is not {flow.fitted}: {name} was broadcast, and gets the sum over "
                                                "its copies"))
            found.append((gradient / copies, f"{name} was broadcast, and gets the sum over its copies, not their mean"))
    if flow.derivation is not None:
        found += mistakes(flow.derivation)
    for d in step.arrived if step.used is not None else ():
        if d is not None and d.array is not None and flow.derivation is not None:
            found.append((gradient_of(flow.derivation, d.array),
                          "a hook changed what arrived, before the formula was applied"))
    found += [(d.array, "this is what arrives, unchanged")
              for d in step.used or step.arrived if d is not None and d.array is not None]
    found = unfitted + [(fitted(array, gradient), why) for array, why in found if array is not None]
    found += [(other.gradient.array, f"this is the gradient for {name_of(other)}, not for {name}")
              for other in step.flows if other is not flow and other.gradient is not None
              and other.gradient.array is not None]
    if gradient.ndim == 2:
        found.append((gradient.T, "it is transposed"))
    return [*found, (-gradient, "the sign is wrong")]


def shapes_of(step, flow):
    """[(shape, why)] of the mistakes in the shape of a gradient."""
    shape, name = flow.gradient.shape, name_of(flow)
    rule = f"a gradient has the shape of its tensor, {name}"
    found = []
    if flow.fitted and flow.result.shape != shape:
        found.append((flow.result.shape, f"it is not {flow.fitted.partition(',')[0]} yet: {rule}, which was broadcast"))
    found += [(d.shape, f"this is the shape of what arrives, and {rule}") for d in step.used or step.arrived if d]
    found += [(other.gradient.shape, f"this is the shape of the gradient for {name_of(other)}, not for {name}")
              for other in step.flows if other is not flow and other.gradient is not None]
    found += [(shape[::-1], f"it is transposed: {rule}"), ((), f"it is not a single number: {rule}"),
              ((prod(shape),), f"it is flattened: {rule}")]
    return found


def fitted(array, like):
    """``array`` as the engine would fit it to an input: expanded, or summed over broadcast axes; or else as it is."""
    if array.dtype.kind == "c" and like.dtype.kind != "c":
        array = array.real
    if array.size == 1:
        return np.broadcast_to(array.reshape(()), like.shape)
    lead = array.ndim - like.ndim
    if lead < 0 or any([m not in (n, 1) for n, m in zip(array.shape[lead:], like.shape)]):
        return array
    axes = tuple([i for i, (n, m) in enumerate(zip(array.shape[lead:], like.shape), lead) if m == 1 != n])
    return array.sum((*range(lead), *axes), keepdims=True).reshape(like.shape) if lead or axes else array


def parts_of(n):
    """The proper parts of ``n`` contributions, as tuples of their numbers, the largest first."""
    sizes = range(n - 1, 0, -1) if n <= PATHS else (n - 1, 1)
    return [part for size in sizes for part in combinations(range(n), size)]


def missing(paths):
    told = " and ".join([f"{value.line if len(value.line) <= SHORT else 'the gradient'} from {where}"
                         for where, value in paths])
    return f"{told} {'is' if len(paths) == 1 else 'are'} missing: every path to a tensor adds its gradient"


def name_of(flow):
    return flow.of or f"input {flow.number}"
