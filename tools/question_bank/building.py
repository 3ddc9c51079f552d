"""A question becomes one that can be asked: a variant is drawn, the program runs, and the library says what is right.

Everything is drawn by a hash of the seed and the name of the question, so the same seed gives the same variant on every
machine.  A draw in which two answers could be taken for each other is passed over: ``2 * x`` and ``x ** 2`` say the
same where ``x`` is 2.
"""

import contextlib
import functools
import hashlib
import io
import re
import string
import warnings
from dataclasses import dataclass, field

import numpy as np

import minigrad
from minigrad.viz.player import rehearsed
from minigrad.viz.questions import questions_of

#: The most answers to choose from, and the fewest.
CHOICES, FEWEST = 4, 3
#: How far a number may be from the right one, in proportion; wrong numbers are farther away.
TOLERANCE, APART = 0.01, 0.025
TRIES = 60


class Unsound(ValueError):
    """A variant that must not be asked."""


@dataclass
class Choice:
    """An answer: its text, what it is, whether it is right, and why or why not."""
    text: str
    value: object
    right: bool
    why: str


@dataclass
class Built:
    """A variant of a question with its answers, in the order in which they are offered."""
    question: object
    drawn: dict
    text: str
    program: str
    choices: list = field(default_factory=list)
    why: str = ""
    picture: object = None      # the Graph that must be drawn

    @property
    def right(self):
        return next(choice for choice in self.choices if choice.right)

    def same_as(self, other):
        """Would a student see the same?"""
        return (self.text, self.program, [each.text for each in self.choices]) == (
            other.text, other.program, [each.text for each in other.choices])


def built(question, seed):
    """The variant of a question that this seed draws."""
    why = "nothing can be drawn"
    for attempt in range(TRIES):
        drawn = {part: choices[number(seed, question.name, part, attempt) % len(choices)]
                 for part, choices in question.draw.items()}
        if not eval(question.where, {}, dict(drawn)):
            continue
        try:
            with afresh(seed):
                return made(question, drawn, seed)
        except Unsound as unsound:
            why = unsound
    raise Unsound(f"{question.name}: no sound variant among {TRIES} draws; the last: {why}")


def number(*texts):
    return int.from_bytes(hashlib.sha256("\n".join(map(str, texts)).encode()).digest()[:8], "big")


@contextlib.contextmanager
def afresh(seed):
    """What a program changes for all is as it was afterwards."""
    dtype, state = minigrad.get_default_dtype(), minigrad.get_rng_state()
    minigrad.manual_seed(number(seed) % 2**32)
    try:
        with warnings.catch_warnings(), minigrad.enable_grad():
            warnings.simplefilter("ignore")
            yield
    finally:
        minigrad.set_default_dtype(dtype)
        minigrad.set_rng_state(state)


def made(question, drawn, seed):
    """The variant with these values, or `Unsound`."""
    fill = functools.partial(filled, drawn=drawn)
    result = Built(question, drawn, fill(question.text), fill(question.program).strip("\n"),
                   why=flowing(fill(question.why)))
    code = f"{fill(question.program)}\n{fill(question.after)}"
    if question.gradient:
        result.program += f"\n{question.result}.backward()"
    if question.graph:
        names, _ = run(code)
        result.picture = eval(f"minigrad.viz.graph({fill(question.graph)})", names)
        return result
    if question.options:
        choices = chosen(question, code, fill)
    elif question.gradient:
        choices = watched(question, code, result.why)
    else:
        choices = computed(question, code, fill, result.why)
    check(question, choices)
    result.why = next(choice.why for choice in choices if choice.right)
    if question.kind == "choice":
        choices.sort(key=lambda choice: number(seed, question.name, choice.text))
    result.choices = choices
    return result


def check(question, choices):
    if [choice.right for choice in choices].count(True) != 1:
        raise Unsound(f"{question.name}: not one answer is right: {choices}")
    if len(choices) < (FEWEST if question.kind == "choice" else 2):
        raise Unsound(f"{question.name}: too few answers: {choices}")


def flowing(text):
    """A reason may run over several lines."""
    return " ".join(text.split())


def filled(text, drawn):
    """The text with drawn values in place of ``$name``."""
    return string.Template(text).substitute({name: value if isinstance(value, str) else repr(value)
                                             for name, value in drawn.items()})


# ------------------------------------------------------------------------------ where answers come from

def computed(question, code, fill, why):
    """The value of an expression, or what the program prints; and the mistakes that the question names."""
    names, printed = run(code)
    value = eval(fill(question.answer), names) if question.answer else as_number(printed)
    choices = [Choice(shown(value), value, True, why)]
    for expression, reason in question.wrong:
        keep(choices, eval(fill(expression), run(code)[0]), flowing(fill(reason)))
    return choices


def chosen(question, code, fill):
    """Programs or sentences, of which the library says which is right."""
    choices = []
    for text, *test, reason in question.options:
        names, _ = run(code)
        text = fill(text).strip("\n")
        names["option"] = text
        right = bool(eval(fill(test[0]) if test else fill(question.holds), names))
        choices.append(Choice(text, text, right, flowing(fill(reason))))
    return choices


def watched(question, code, why):
    """The last gradient that reached a leaf in a pass, and the usual mistakes in its formula."""
    names, _ = run(code)
    named = {id(value): (name, value) for name, value in names.items() if is_tensor(value)}
    story, = rehearsed(names[question.result], None, lambda: named, "question_bank", ask=True).passes
    asked = questions_of(story)
    found = [asked.sums.get((i, k)) or asked.gradients.get((i, k)) for i, step in enumerate(story.steps)
             for k, flow in enumerate(step.flows) if flow.to.endswith(f" of {question.gradient}")]
    if not found or found[-1] is None:
        raise Unsound(f"{question.name}: no gradient of {question.gradient} can be asked for")
    like = found[-1].right.value.array
    single = question.kind == "number"
    answers = [minigrad.tensor(np.asarray(answer.value.array).astype(like.dtype)) for answer in found[-1].answers]
    right, *wrong = [answer.item() if single and answer.ndim == 0 else answer for answer in answers]
    formula = f" Its formula is `{found[-1].hint}`. {LETTERS}" if found[-1].edge is not None else ""
    choices = [Choice(shown(right), right, True, why + formula)]
    for value, answer in zip(wrong, found[-1].answers[1:]):
        keep(choices, value, sentence(answer.why))
    return choices


def sentence(reason):
    """A reason of the player with a full stop, and with a capital, unless it begins with a name."""
    word, _, rest = reason.partition(" ")
    name = word in ("self", "other", "result")
    return f"`{word}` {rest}." if name else f"{word[0].upper()}{word[1:]} {rest}."


#: how formulas and reasons of the player are read
LETTERS = ("(`d` is what arrives at the operation, `self` and `other` are its operands, and `result` is its result. "
           "What was broadcast gets the sum over its copies.)")


def keep(choices, value, reason):
    """Add a wrong answer, unless it could be taken for one that is there, or there are enough."""
    if isinstance(choices[0].value, float) and isinstance(value, int):
        value = float(value)                                # so that it does not look different
    if len(choices) < CHOICES and not any([alike(value, choice.value) for choice in choices]):
        choices.append(Choice(shown(value), value, False, reason))


# ------------------------------------------------------------------------------ running a program

def run(code, torch=minigrad):
    """(the names after it ran, what it printed)."""
    names = {"torch": torch, torch.__name__: torch}
    names.update({helper.__name__: functools.partial(helper, names) for helper in (raises, value, kept)},
                 same=alike, saved=saved, nodes=nodes)
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compiled(code), names)
    return names, out.getvalue().strip()


@functools.lru_cache(maxsize=1)
def compiled(code):
    """A program runs once for each wrong answer, with names of its own."""
    return compile(code, "<question>", "exec")


def raises(names, code):
    """Does this code raise an error, run after the program?"""
    try:
        exec(compile(code, "<option>", "exec"), names)
    except Exception:
        return True
    return False


def value(names, code):
    """The value of an expression, or None if it raises an error."""
    try:
        return eval(code, names)
    except Exception:
        return None


def saved(tensor):
    """The names under which the node of a tensor has saved what its backward needs."""
    node = tensor.grad_fn
    found = [name.removeprefix("_saved_") for name in dir(node) if name.startswith("_saved_")]
    return [name for name in found if is_tensor(getattr(node, f"_saved_{name}"))]


def nodes(tensor):
    """The names of all nodes that a pass from here runs, each once."""
    found, waiting = {}, [tensor.grad_fn]
    while waiting:
        node = waiting.pop()
        if node is not None and node not in found:
            found[node] = node.name().rpartition("::")[2]
            waiting += [edge for edge, _ in node.next_functions]
    return sorted(found.values())


def kept(names, function, *arguments):
    """How many tensors the graph of ``function(*arguments)`` saves."""
    packed = []
    with names["torch"].autograd.graph.saved_tensors_hooks(lambda x: packed.append(x.shape) or x, lambda x: x):
        result = function(*arguments)
    return len(packed) if result is not None else 0


# ------------------------------------------------------------------------------ answers as texts

def shown(value):
    """An answer as it is printed on paper."""
    if isinstance(value, str):
        return value
    if is_tensor(value):
        value = value.detach()
        return str(value + 0 if value.is_floating_point() or value.is_complex() else value)     # no -0.
    if isinstance(value, float):
        written = format(value + 0.0, ".6g")
        return written if set(written) & set(".en") else f"{written}.0"
    if isinstance(value, (tuple, list)):
        inner = ", ".join([repr(each) if isinstance(each, str) else shown(each) for each in value])
        if isinstance(value, list):
            return f"[{inner}]"
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    return repr(value)


def alike(a, b):
    """Could one be taken for the other: the same text, or the same numbers, one of them rounded?"""
    if normal(shown(a)) == normal(shown(b)):
        return True
    a, b = numbers(a), numbers(b)
    if a is None or b is None or a.shape != b.shape:
        return False
    if a.dtype.kind in "iu" and b.dtype.kind in "iu":
        return bool((a == b).all())
    return bool(np.allclose(a, b, rtol=APART, atol=1e-9, equal_nan=True))


def normal(text):
    return re.sub(r"\s+", "", text).lower()


def as_number(text):
    """The number that a program has printed, or its text."""
    try:
        return int(text) if text.lstrip("-").isdecimal() else float(text)
    except ValueError:
        return text


def numbers(value):
    if is_tensor(value):
        array = value.detach().resolve_conj().numpy()
        return array if array.dtype.kind != "b" else None
    return np.array(value) if isinstance(value, (int, float, complex)) and not isinstance(value, bool) else None


def is_tensor(value):
    """Of either library: tests ask PyTorch the same questions."""
    return hasattr(value, "grad_fn")
