"""Questions about one submission, for a conversation: its own lines, its own numbers.

The judge asks the items of the assignment once more, of a copy of the submission that writes down what its lines
compute:

    def exp_backward(d, x):                     number = began("exp_backward", {"d": d, "x": x})
        e = np.exp(x)                   ->      e = computed(number, 2, np.exp(x))
        return d * e                            return computed(number, 3, d * e)

From these notes, and from running the submission with another input or with one of its lines edited (edits.py), come
questions of five kinds:

    result      what the function returns: its numbers if they are few, else its shapes
    line        what a line computes at an input
    shape       which line is the first to compute something else, or to raise, if an input has another shape
    edit        which items would not be right any more if a line was written a little differently

Every answer was computed in the process of a submission.  Nothing is asked of which the answer is not known.
"""

import ast
import textwrap
import time
from collections import namedtuple

import numpy as np

from minigrad.homework import edits
from minigrad.homework.judge import Bench, Judge, judged
from minigrad.homework.process import Failed, Stopped
from minigrad.homework.wire import Other

__all__ = ["Question", "answers", "asked", "questions"]

#: what is asked, the lines that it is about, and the answer
Question = namedtuple("Question", "kind text lines answer")
#: a call of a function of the submission: its name, its arguments, and [(line, what, value)] that it has computed
Call = namedtuple("Call", "function arguments steps")

WANTED = 3
FEW = 6                     # numbers that are written out
TRIES = 4                   # lines that are edited before one is asked about
PATIENCE = 10               # seconds after which no further line is tried
SECONDS = 5                 # for one answer of a submission that is edited or that writes down what it does


def questions(source, result, seed=None):
    """Three questions about a submission of which this is the `Result`; fewer if too little happens in it.

    The numbers are drawn anew each time, unless there is a ``seed``.
    """
    if {outcome.verdict for outcome in result.outcomes} & {"syntax", "forbidden"}:      # it is not run
        return []
    random = np.random.default_rng(seed)
    rehearsal = Rehearsal(source, result.assignment, random)
    found = []
    try:
        calls = rehearsal.calls()
        for make in (lambda: about_a_shape(calls, rehearsal, random),
                     lambda: about_an_edit(source, calls, result, random, found),
                     lambda: about_a_line(calls, source, random, found),
                     lambda: about_a_result(calls, random, found),
                     lambda: about_a_line(calls, source, random, found),
                     *2 * [lambda: about_an_edit(source, calls, result, random, found)]):
            question = make() if len(found) < WANTED else None
            found += [question] if question else []
    finally:
        rehearsal.close()
    return sorted(found, key=lambda question: question.lines)


def asked(found):
    """The questions as text."""
    return "\n\n".join([wrapped(number, question.text) for number, question in enumerate(found, 1)] or [TOO_LITTLE])


def answers(found):
    """The answers as text, for the tutor."""
    return "\n\n".join([wrapped(number, question.answer) for number, question in enumerate(found, 1)])


TOO_LITTLE = "There is nothing to ask: no function of the submission computes anything."


def wrapped(number, text):
    lines = [line for paragraph in text.splitlines() for line in (
        [paragraph] if paragraph.startswith("    ") else textwrap.wrap(paragraph, 96, break_long_words=False,
                                                                       break_on_hyphens=False))]
    return "\n".join([f"{number}. {lines[0]}", *["   " + line for line in lines[1:]]])


# ------------------------------------------------------------------------------ the questions


def about_a_shape(calls, rehearsal, random):
    """Which line would be the first to compute something else, if one argument was one row or one column?"""
    for call in shuffled(calls, random):
        arrays = [name for name, value in call.arguments.items() if isinstance(value, np.ndarray) and value.size > 1]
        if "." in call.function or not arrays or not all([is_data(each) for each in call.arguments.values()]):
            continue
        name = arrays[int(random.integers(len(arrays)))]
        x = call.arguments[name]
        axis = int(random.choice([axis for axis in range(x.ndim) if x.shape[axis] > 1]))
        other = call.arguments | {name: x.take([0], axis)}
        before, returned = rehearsal.call(call.function, call.arguments)
        after, now = rehearsal.call(call.function, other)
        if isinstance(returned, Exception) or isinstance(now, Stopped) or not before:
            continue
        changed = next((difference(*pair) for pair in zip(before, after) if difference(*pair)), "")
        given = arguments_in_words(call.arguments, shapes_only=True)
        text = (f"`{call.function}` is called with {given}. Suppose that `{name}` had the shape {other[name].shape} "
                "instead, and all else were the same. Which of your lines would be the first to compute something of "
                "another shape, or to raise an error? What would come out?")
        if isinstance(now, Failed):
            answer = f"{changed}{rehearsal.where(now)} raises {now.kind}" + (f": {now.message}" if now.message else ".")
        else:
            same = shapes(now) == shapes(returned)
            answer = (f"{changed or 'No line does: all of them compute the same shapes. '}The function returns "
                      f"{shapes(now) or in_words(now)}{', as before' if same else f' instead of {shapes(returned)}'}.")
        return Question("shape", text, lines_of(call), answer)
    return None


def difference(before, after):
    """How a step differs from the same step with another input, or ""."""
    (line, _, was), (now, _, became) = before, after
    if line != now:
        return f"Line {now} is reached instead of line {line}. "
    if shapes(was) != shapes(became):
        return f"Line {line} computes {shapes(became)} instead of {shapes(was)}. "
    return ""


def about_an_edit(source, calls, result, random, found):
    """Which items would not be right any more, if a line was written a little differently?"""
    ran = {line for call in calls for line, _, _ in call.steps}
    about = {question.lines for question in found}
    possible = [edit for edit in edits.edits(source) if (edit.line in ran or not ran)
                and (edit.line, edit.line) not in about]
    known = {outcome.name: outcome for outcome in result.outcomes}
    items = [item for item in result.assignment.items if item.name in known]
    until = time.monotonic() + PATIENCE
    for edit in shuffled(possible, random)[:TRIES]:
        if time.monotonic() > until:
            break
        outcomes, _ = judged(edit.source, result.assignment, items, SECONDS, int(random.integers(1 << 30)))
        broken = [each for each in outcomes if each.earned < known[each.name].earned]
        if broken:
            text = (f"Suppose that line {edit.line} was written a little differently:\n"
                    f"    {edit.before.strip()}\n    {edit.after.strip()}        instead\n"
                    "Which items of the assignment would not be right any more, which would, and why?")
            return Question("edit", text, (edit.line, edit.line), "\n".join(
                ["These lose points; all others stay as they are."]
                + [f"    {each.title}: {each.earned:g} of {each.points:g}, where it was {known[each.name].earned:g}. "
                   f"{' '.join(each.reasons)}" for each in broken]))
    return None


def about_a_line(calls, source, random, found):
    """What does a line compute at this input?"""
    lines = source.splitlines()
    for call in shuffled(calls, random):
        for line, _, value in shuffled(call.steps, random):
            quoted, numbers = lines[line - 1].strip(), few(value) and plain(call.arguments)
            if works(quoted) and telling(value, numbers) and (line, line) not in [each.lines for each in found]:
                asks = "what are the numbers that it computes" if numbers else "what is the shape of what it computes"
                text = (f"Line {line} is\n    {quoted}\nWhen `{call.function}` is called with "
                        f"{arguments_in_words(call.arguments)}, {asks}?")
                return Question("line", text, (line, line), answer_of(value, numbers))
    return None


def about_a_result(calls, random, found):
    """What does this function return?"""
    for call in shuffled(calls, random):
        first, last = lines_of(call)
        returned = [value for _, what, value in call.steps if what == "return"]
        numbers = returned and few(returned[-1]) and plain(call.arguments)
        if returned and telling(returned[-1], numbers) and not any(
                [a <= last and first <= b for _, _, (a, b), _ in found]):
            return Question("result", f"What does your `{call.function}` return for "
                            f"{arguments_in_words(call.arguments, shapes_only=not numbers)}"
                            f"{'' if numbers else ': of which shape'}?", (first, last),
                            answer_of(returned[-1], numbers))
    return None


def answer_of(value, numbers):
    return in_words(value) if numbers else f"The shape {shapes(value)}."


def shuffled(values, random):
    return [values[i] for i in random.permutation(len(values))]


def works(line):
    """Is there anything to compute in this line?"""
    try:
        tree = ast.parse(line)
    except SyntaxError:
        return "(" in line
    return any([isinstance(node, (ast.BinOp, ast.Call, ast.Compare)) for node in ast.walk(tree)])


def lines_of(call):
    lines = [line for line, _, _ in call.steps]
    return min(lines), max(lines)


# ------------------------------------------------------------------------------ values in words


def numbers_in(value):
    """All arrays and numbers in a value; None if there is something else in it."""
    if isinstance(value, (bool, int, float, np.ndarray)):
        return [np.asarray(value)]
    if isinstance(value, dict):
        value = [each for name, each in value.items() if name != TYPE]
    if not isinstance(value, list) or not value:
        return None
    parts = [numbers_in(each) for each in value]
    return None if None in parts else [each for part in parts for each in part]


def telling(value, numbers):
    """Is there more to say of it than that it is zero, or that it is a number?"""
    found = numbers_in(value) if shapes(value) else []
    return any([each.any() if numbers else each.ndim for each in found])


def is_data(value):
    return isinstance(value, (int, float, str, np.ndarray)) or value is None


def few(value):
    found = numbers_in(value)
    return found is not None and sum([each.size for each in found]) <= FEW


def plain(arguments):
    """Can a person compute with these numbers?"""
    found = [each for value in arguments.values() for each in numbers_in(value) or []]
    return all([each.size <= FEW and (np.round(each + 0, 2) == each).all() for each in found])


def shapes(value):
    """The shape of an array, those of several, or ""."""
    found = numbers_in(value)
    return ", ".join([str(each.shape) for each in found]) if found and len(found) <= 4 else ""


def in_words(value):
    """A value as text, its numbers to four digits."""
    if isinstance(value, np.ndarray):
        if value.size > FEW:
            return f"an array of shape {value.shape}"
        return np.array2string(value + 0, precision=4, separator=", ", suppress_small=True).replace("\n", "")
    if isinstance(value, dict):
        parts = [f"{name} {in_words(each)}" for name, each in value.items() if name != TYPE]
        return f"a {value[TYPE]}" + (f" with {', '.join(parts)}" if parts else "")
    if isinstance(value, list):
        return f"({', '.join([in_words(each) for each in value])})"
    if isinstance(value, Other):
        return repr(value)
    return f"{value:.4g}" if isinstance(value, float) else repr(value)


def arguments_in_words(arguments, shapes_only=False):
    def one(name, value):
        if isinstance(value, np.ndarray) and (shapes_only or value.size > FEW):
            return f"`{name}` of shape {value.shape}"
        return f"`{name}` = {in_words(value)}"

    return ", ".join([one(name, value) for name, value in arguments.items()]) or "no arguments"


# ------------------------------------------------------------------------------ a submission that takes notes


TYPE = "of type"
#: what is in front of the copy
NOTES = '''
class __Notes__:
    """What the functions of the file compute: [name, {argument: value}, [[line, what, value], ...]] of each call."""

    def __init__(self):
        self.calls, self.counted = [], {}

    def began(self, name, arguments):
        self.counted[name] = self.counted.get(name, 0) + 1
        if self.counted[name] > 8:
            return None
        self.calls.append([name, {key: self.copied(value, 1) for key, value in arguments.items()}, []])
        return self.calls[-1]

    def computed(self, call, line, what, value):
        if call is not None and len(call[2]) < 40 and line not in [step[0] for step in call[2]]:
            call[2].append([line, what, self.copied(value, 1)])
        return value

    def copied(self, value, depth):
        try:
            if value is None or isinstance(value, (bool, int, float, str)):
                return value
            if isinstance(value, (list, tuple)):
                return [self.copied(each, depth) for each in value[:8]]
            if hasattr(value, "detach"):
                return value.detach().clone()
            if hasattr(value, "dtype") and hasattr(value, "copy"):
                return value.copy()
            found = {"of type": type(value).__name__}
            if depth:
                parts = [(key, self.copied(each, 0)) for key, each in vars(value).items()]
                found.update([(key, each) for key, each in parts if isinstance(each, float) or hasattr(each, "dtype")])
            return found
        except Exception:
            return {"of type": type(value).__name__}

    def taken(self):
        taken, self.calls, self.counted = self.calls, [], {}
        return taken


__notes__ = __Notes__()
'''
TAKEN = "def taken(submission):\n    return submission.__notes__.taken()\n"


class Noting(ast.NodeTransformer):
    """Lets each function write down what it is called with, and what its assignments and returns compute."""

    def __init__(self):
        self.around = []

    def visit_ClassDef(self, node):
        self.around.append(node)
        self.generic_visit(node)
        self.around.pop()
        return node

    def visit_FunctionDef(self, node):
        self.around.append(node)
        self.generic_visit(node)
        given = [each.arg for each in [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]]
        began = note("began", ast.Constant(".".join([each.name for each in self.around])), ast.Dict(
            [ast.Constant(name) for name in given], [ast.Name(name, ast.Load()) for name in given]))
        first = ast.copy_location(ast.Assign([ast.Name("__call__", ast.Store())], began), node.body[0])
        at = next((i for i, each in enumerate(node.body) if not isinstance(each, (ast.Global, ast.Nonlocal))
                   and not (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))), len(node.body))
        node.body.insert(at, first)
        self.around.pop()
        return node

    def visit_Return(self, node):
        return self.noting(node, "return") if node.value is not None else node

    def visit_Assign(self, node):
        return self.noting(node, "assignment")

    def noting(self, node, what):
        self.generic_visit(node)
        if self.around and isinstance(self.around[-1], ast.FunctionDef):
            node.value = ast.copy_location(note("computed", ast.Name("__call__", ast.Load()),
                                                ast.Constant(node.lineno), ast.Constant(what), node.value), node.value)
        return node


def note(name, *arguments):
    return ast.Call(ast.Attribute(ast.Name("__notes__", ast.Load()), name, ast.Load()), [*arguments], [])


def noted(source):
    """(the source that takes notes, {its line: the line of the submission})."""
    tree = ast.fix_missing_locations(Noting().visit(ast.parse(source)))
    text = NOTES + ast.unparse(tree) + "\n"
    offset = NOTES.count("\n")
    lines = {}
    for was, now in zip(ast.walk(tree), ast.walk(ast.parse(ast.unparse(tree)))):
        if isinstance(was, ast.stmt) and type(was) is type(now):
            lines[now.lineno + offset] = was.lineno
    return text, lines


def without_arguments(source):
    return [node.name for node in ast.parse(source).body
            if isinstance(node, ast.FunctionDef) and not (node.args.args or node.args.vararg)]


class RoundNumbers(Judge):
    """A judge whose numbers have one decimal, so that a person can compute with them."""

    def draw(self, *shape, complex=False, low=-1.5, high=1.5):
        values = np.round(super().draw(*shape, complex=complex, low=low, high=high), 1)
        return np.where(values == 0, round((low + high) / 2 + 0.4, 1), values)


class Rehearsal:
    """The process of the copy that takes notes."""

    def __init__(self, source, assignment, random):
        text, self.lines = noted(source)
        self.source, self.assignment, self.random = source, assignment, random
        self.bench = Bench(text, assignment, SECONDS)

    def calls(self):
        """The calls in which something was computed; what the items make of the results is of no interest here."""
        found = []
        for item in self.assignment.items:
            try:
                item.function(RoundNumbers(self.bench, self.random, self.assignment.variant))
            except Stopped:
                self.bench.close()
            except Exception:       # a wrong answer, or one that cannot be read
                pass
            found += self.taken()
        if not found:               # of tests, which an item runs in copies of the process
            for name in without_arguments(self.source):
                self.result_of(name)
            found = self.taken()
        return found

    def taken(self):
        try:
            calls = self.bench().ask(TAKEN, "taken", [])[0]
        except (Failed, Stopped):
            self.bench.close()
            return []
        return [Call(name, arguments, [tuple(step) for step in steps]) for name, arguments, steps in calls if steps]

    def call(self, name, arguments):
        """(the steps, the result or `Failed`) of a call."""
        result = self.result_of(name, *arguments.values())
        steps = [call.steps for call in self.taken() if call.function == name]
        return (steps[0] if steps else []), result

    def result_of(self, name, *arguments):
        try:
            return self.bench().ask("", name, [name, *arguments])[0]
        except Failed as failed:
            return failed
        except Stopped as stopped:
            self.bench.close()
            return stopped

    def where(self, failed):
        line = self.lines.get(failed.line)
        return f"Line {line}" if line else "One of them"

    def close(self):
        self.bench.close()
