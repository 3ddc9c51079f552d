"""The judge: runs the items of an assignment against a submission, and gives a verdict on each.

The judge holds the questions, the submission's process only ever sees one of them at a time (process.py).  Points are
drawn anew for each check, and no reason names them.

Verdicts of an item:

    right       all of its points
    partly      some of its parts are right
    wrong       the results are not right
    once        its one mistake is charged in another item
    error       the submission raised an exception
    missing     what the item asks for is not defined, or not written yet
    hang        no answer in time                   \\
    exit        it ended its process                 \\  the process is gone: the next item gets a new one
    crash       its process was ended                /
    foul        it did what is forbidden            /
    forbidden   it names what is forbidden          \\  of the whole submission, which is not run
    syntax      it cannot be parsed                 /
"""

import ast
import contextlib
import inspect
import json
import sys
import textwrap
import time
from functools import partial
from pathlib import Path

import numpy as np

from minigrad.homework import causes, derivatives, rules, variants
from minigrad.homework.finite_differences import DIGITS
from minigrad.homework.in_process import Inside
from minigrad.homework.process import Failed, Process, Stopped
from minigrad.homework.report import Outcome, Result
from minigrad.homework.spec import Differences, Wrong, find, named_in

__all__ = ["Judge", "check"]

STEPS = "finite differences: {}; write the derivative as a formula"
GROWTH = ("for {} times the inputs it {} {:.0f} times as much ({:,} {} for {}, {:,} for {}): so does a "
          "numerical derivative, which evaluates the function anew for each input, and forward mode, which carries the "
          "derivatives of all inputs along; a derivative costs a few times what the function costs, at every size")
COSTLY = ("it computes {:,} numbers for {} entries, {:.0f} for each: a derivative costs a few times what the function "
          "costs; so much is a table, a series, or a function that is evaluated at many points")
LARGE = ("it takes {:,} bytes of memory for {} entries, {:.0f} for each: so much are the derivatives of all inputs, "
         "carried along")
#: what grows: what was computed, and what Python's objects have taken
GROWING = (("computes", "numbers"), ("takes", "bytes of memory"))

#: of an error in the item itself: with an answer of another form, its arithmetic fails
UNREADABLE = "the judge cannot read the answer, which is not of the form that is asked for ({})"


class Judge:
    """What an item may ask.

    Examples
    --------
    >>> import minigrad as torch
    >>> def item(judge):
    ...     with judge.part(2, "real numbers"):
    ...         judge.pullback(torch.exp, "exp_backward", judge.draw(2, 3))
    ...     with judge.part(1, "complex numbers"):
    ...         judge.pullback(torch.exp, "exp_backward", judge.draw(2, 3, complex=True))
    """

    def __init__(self, process, random, variant=None):
        self._process, self.random, self.variant = process, random, variant or {}
        self.kept = process.kept                #: what one item keeps for the others of this check, by name
        self.lost, self.won, self.reasons = 0, 0, []

    # ---------------------------------------------------------------- asking

    def draw(self, *shape, complex=False, low=-1.5, high=1.5):
        """A fresh random array, of float64 or complex128, with both parts between ``low`` and ``high``."""
        values = self.random.uniform(low, high, shape)
        return values + 1j * self.random.uniform(low, high, shape) if complex else values

    def call(self, name, *arguments, watch=False):
        """What the submission's function returns for these arrays and numbers; tuples arrive as lists.

        With ``watch`` the item is wrong if an array among the arguments is moved by a small step
        (finite_differences.py).
        """
        return self._watched("", name, [name, *arguments], range(1, len(arguments) + 1) if watch else ())

    def run(self, probe, *arguments, watch=False):
        """What ``probe(submission, *arguments)`` returns, run in the process of the submission.

        The probe travels as source: it sees ``torch``, ``np``, ``Calls``, ``peak``, ``taken``, ``plant``, ``unguard``,
        ``apart`` and ``again`` (child.py), its arguments, and nothing else of the assignment.  It returns data.
        """
        return self._watched(textwrap.dedent(inspect.getsource(probe)), probe.__name__, arguments,
                             range(len(arguments)) if watch else ())

    def measured(self, probe, *arguments):
        """(what the probe returns, how much was computed for it): elements, operators and calls, memory of arrays."""
        result, _, work = self._ask(textwrap.dedent(inspect.getsource(probe)), probe.__name__, arguments)
        return result, work[0]

    def grow(self, name, made, *, rows=(12, 96), most=24, each=None, memory=None, probe=None):
        """Raise `Wrong` if the work of ``name(*made(n))`` grows faster than n by far, as that of differences does;
        return the answers for few rows and for many.

        Work is what was computed: elements, operators and calls of the source, memory of arrays; and, by itself, the
        memory that Python's objects have taken.  ``made(n)`` returns the arguments for n rows.  Of eight times the rows
        a derivative makes eight times the work, or less, and a numerical one 64 times.  ``each`` is the most that may
        be computed for each entry of the arguments, and for each row where there is a probe; ``memory`` is the same for
        the bytes that Python's objects take.
        """
        source = textwrap.dedent(inspect.getsource(probe)) if probe else ""
        given = [list(made(n)) for n in rows]
        asked = [self._ask(source, name if not probe else probe.__name__, ([] if probe else [name]) + arguments)
                 for arguments in given]
        for few, many, (does, unit) in zip(*[work for *_, work in asked], GROWING):
            if many > most * few:
                raise Differences(GROWTH.format(rows[1] // rows[0], does, many / max(few, 1), few, unit, rows[0], many,
                                                rows[1]))
        entries = rows[1] if probe else sum([np.size(x) for x in given[1]])
        if each and (found := asked[1][2][0]) > each * entries:
            raise Differences(COSTLY.format(found, entries, found / entries))
        if memory and (found := asked[1][2][1]) > memory * entries:
            raise Differences(LARGE.format(found, entries, found / entries))
        return [answer for answer, *_ in asked]

    def _ask(self, source, name, arguments, watched=()):
        return self._process().ask(source, name, list(arguments), watched)

    def _watched(self, source, name, arguments, watched):
        """The answer; raises `Wrong` if there is evidence of differences.

        At one point two numbers can be close by chance, so that a second point must show the same.
        """
        result, seen, _ = self._ask(source, name, arguments, watched)
        if seen:
            moved = [self._another(x) if number in watched else x for number, x in enumerate(arguments)]
            if again := self._ask(source, name, moved, watched)[1]:
                raise Differences(said_of(again))
        return result

    def _gradients(self, source, name, given, d, arrays, options, watch):
        """The answer for one gradient d."""
        watched = range(len(given) + 1, len(given) + 1 + len(arrays)) if watch else ()
        return self._watched(source, name, [*given, d, *arrays, *options], watched)

    def _names(self, function, inputs):
        """What the starter calls the floating inputs of a function, whose first parameter is a gradient."""
        known = parameters(self._process.assignment.starter, function)[1:]
        names = [name for name, x in zip(known, inputs) if x.dtype.kind in "fc"]
        return names if len(known) >= len(inputs) else named(inputs)

    def _another(self, x):
        """Another point, whose entries are between those of x, and so in the same domain."""
        if isinstance(x, list):
            return [self._another(each) for each in x]
        if not isinstance(x, np.ndarray) or x.dtype.kind not in "fc" or not x.size:
            return x
        return x + self.random.uniform(0.3, 0.7, x.shape) * (self.random.choice(x.ravel(), x.shape) - x)

    # ---------------------------------------------------------------- judging

    @contextlib.contextmanager
    def part(self, points, what):
        """A part of the item: a mistake in the block costs these points, and the item goes on."""
        try:
            yield
            self.won += points
        except Stopped:
            raise
        except Exception as failure:
            self.lost += points
            self.reasons.append((what, failure))

    def require(self, condition, reason):
        """Raise `Wrong` with this reason if the condition does not hold."""
        if not condition:
            raise Wrong(reason)

    def same(self, found, wanted, what, tolerance=1e-9):
        """Raise `Wrong` unless ``found`` has the shape and the numbers of ``wanted``; ``what`` begins the reason."""
        derivatives.same(found, wanted, what, tolerance)

    def pullback(self, forward, name, *inputs, options=(), names=(), watch=True):
        """Hold ``name(d, *inputs, *options)`` of the submission against the measured derivative of ``forward``.

        ``forward(*inputs)`` takes tensors.  The submission returns the gradient of each floating input, or the one
        gradient if there is one.
        """
        derivatives.check_pullback(
            forward, lambda d, arrays: self._gradients("", name, [name], d, arrays, options, watch), list(inputs),
            names or self._names(name, inputs))

    def probe_pullback(self, forward, probe, *inputs, options=(), names=(), watch=True):
        """The same, where a probe ``probe(submission, d, *inputs, *options)`` returns the gradients."""
        source = textwrap.dedent(inspect.getsource(probe))
        derivatives.check_pullback(
            forward, lambda d, arrays: self._gradients(source, probe.__name__, [], d, arrays, options, watch),
            list(inputs), names or named(inputs))

    def pushforward(self, forward, probe, *inputs, options=(), names=(), watch=True):
        """Hold ``probe(submission, tangents, inputs, *options)`` against the measured derivative of ``forward``."""
        source = textwrap.dedent(inspect.getsource(probe))

        def push(tangents, arrays):
            return self._watched(source, probe.__name__, [tangents, arrays, *options], (0, 1) if watch else ())

        derivatives.check_pushforward(forward, push, list(inputs), names or named(inputs))

    def extremes(self, forward, name, *inputs, options=(), names=()):
        """Hold ``name(d, *inputs, *options)`` against minigrad's own derivative, where measuring is hopeless.

        For inputs whose entries differ by many powers of ten: a step that is right for one of them is lost in another.
        """
        derivatives.check_at(forward, lambda d, arrays: self._ask("", name, [name, d, *arrays, *options])[0],
                             list(inputs), names or self._names(name, inputs))

    def digits(self, forward, asked, *inputs, options=(), names=(), each=None):
        """Hold the gradients against minigrad's own derivative to nearly all digits; ``asked`` is a name, or a probe as
        in ``probe_pullback``.

        For inputs of one shape, with many entries: ``forward`` takes each by itself, so that no long sum rounds.
        ``each`` is the most that may be computed for each entry of the arguments.
        """
        if isinstance(asked, str):
            source, name, given = "", asked, [asked]
        else:
            source, name, given = textwrap.dedent(inspect.getsource(asked)), asked.__name__, []
        derivatives.check_digits(
            forward, lambda d, arrays: self._cheap(source, name, [*given, d, *arrays, *options], each), list(inputs),
            names or self._names(name, inputs))

    def same_digits(self, found, wanted, what):
        """Raise `Wrong` unless these are the same numbers to nearly all digits, all errors taken together."""
        derivatives.same(found, wanted, what)
        derivatives.require_digits(found, wanted, what)

    def tangent_digits(self, forward, probe, *inputs, options=(), each=None):
        """The same for the tangents of ``pushforward``."""
        source = textwrap.dedent(inspect.getsource(probe))
        derivatives.check_tangent_digits(
            forward, lambda tangents, arrays: self._cheap(source, probe.__name__, [tangents, arrays, *options], each),
            list(inputs))

    def _cheap(self, source, name, arguments, each):
        """The answer; raises `Wrong` if more than this is computed for each entry."""
        answer, _, (work, _) = self._ask(source, name, arguments)
        entries = sum([np.size(x) for argument in arguments for x in (
            argument if isinstance(argument, list) else [argument]) if isinstance(x, np.ndarray)])
        if each and work > each * entries:
            raise Differences(COSTLY.format(work, entries, work / entries))
        return answer


def said_of(seen):
    """A reason, of what has been seen of finite differences."""
    return seen[0] if seen[0].startswith(DIGITS) else STEPS.format(seen[0])


def parameters(source, function):
    """The names of the parameters of a function, as a source has them; none if it does not define the function."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef) and node.name == function:
            return [each.arg for each in node.args.args]
    return []


def named(inputs):
    return [f"input {number}" for number in range(len(inputs))] if len(inputs) > 1 else ["the input"]


# ------------------------------------------------------------------------------ checking


class Bench:
    """The process of a submission, started when it is first asked, and again after it has stopped.

    Items for NumPy alone have a process of their own, without minigrad.
    """

    def __init__(self, source, assignment, seconds):
        self.source, self.assignment, self.seconds = source, assignment, seconds
        self.numpy_only = False         #: of the item that is judged now
        self.processes, self.printed, self.kept = {}, 0, {}

    def __call__(self):
        if self.numpy_only not in self.processes:
            run = Process
            if sys.platform == "emscripten":        # the judge's own process is all that there is in a page
                run = Inside
                self.close()
            self.processes[self.numpy_only] = run(
                self.source, forbidden=self.assignment.forbidden, seconds=self.seconds,
                megabytes=self.assignment.megabytes, numpy_only=self.numpy_only)
        return self.processes[self.numpy_only]

    def close(self):
        for process in self.processes.values():
            process.close()
            self.printed += process.printed
        self.processes.clear()


def check(file, assignment=None, *, items=None, seconds=None, seed=None, student=None, secret=b""):
    """Check a submission; return a `Result`, which prints itself, also as a table in a notebook.

    Parameters
    ----------
    file : str or path
        A Python file, or a notebook, of which the code cells are taken.
    assignment : str, path or Assignment, optional
        A name, or a file with an assignment. By default, what the submission's first line says.
    items : list of str, optional
        Only these items, by name.
    seconds : float, optional
        How long one answer may take, instead of what the assignment says.
    seed : int, optional
        For points that can be drawn again; by default they are different each time.
    student : str, optional
        Whose variant is judged, instead of what the submission's first line says.
    secret : bytes, optional
        The instructor's, by which the variants have been drawn.

    Raises
    ------
    LookupError
        If there is no such assignment or item, or the submission names no assignment, or its variant cannot be told.
    OSError
        If the file cannot be read.
    """
    path = Path(file)
    try:
        source, refused = source_of(path), None
    except rules.Refused as failure:
        source, refused = "", failure
    named = assignment if assignment is not None else named_in(source)
    if named is None:
        raise LookupError(f"{path.name} does not say which assignment it is for: keep the first line of the starter "
                          "file, or name the assignment")
    assignment = find(named)
    variant, remark = variants.resolved(assignment.name, assignment.varies, source, student, secret)
    assignment = assignment.of(variant)
    chosen = chosen_of(assignment, items)
    begun = time.monotonic()
    try:
        if refused:
            raise refused
        rules.read(source, assignment.forbidden)
        outcomes, printed = judged(source, assignment, chosen, seconds or assignment.seconds, seed)
        outcomes, shared = causes.charged_once(source, outcomes, partial(judged_again, assignment))
        remark = " ".join([each for each in (remark, shared) if each])
    except rules.Refused as failure:
        outcomes, printed = [Outcome(item, 0, failure.verdict, [str(failure)]) for item in chosen], 0
    return Result(path.name, assignment, outcomes, printed, time.monotonic() - begun, remark,
                  fenced=sys.platform != "emscripten")


def chosen_of(assignment, names):
    """The items of these names, in the order of the assignment; all of them for None."""
    known = [item.name for item in assignment.items]
    for name in names or ():
        if name not in known:
            raise LookupError(f"{assignment.name} has no item {name!r}; it has {', '.join(known)}")
    return [item for item in assignment.items if names is None or item.name in names]


def source_of(path):
    """The source of a Python file, or of the code cells of a notebook; raises `rules.Refused` if it cannot be read."""
    text = path.read_bytes().decode("utf-8-sig", errors="replace")
    if path.suffix != ".ipynb":
        return text
    try:
        cells = ["".join(cell["source"]) for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]
    except (ValueError, TypeError, KeyError, RecursionError):
        raise rules.Refused("syntax", "the file is not a notebook: nothing in it could be run") from None
    lines = "\n\n".join(cells).splitlines()
    return "\n".join(["" if line.startswith(("%", "!")) else line for line in lines]) + "\n"


def judged(source, assignment, items, seconds, seed):
    """([Outcome of each item], bytes printed)."""
    bench, outcomes = Bench(source, assignment, seconds), []
    random = np.random.default_rng(seed)
    try:
        try:
            bench()
        except (Failed, Stopped) as failure:        # none of it can be asked
            verdict = getattr(failure, "verdict", "error")
            return [Outcome(item, 0, verdict, [f"when the file is loaded: {failure.reason}"])
                    for item in items], 0
        for item in items:
            outcomes.append(outcome_of(item, bench, Judge(bench, random, assignment.variant)))
    finally:
        bench.close()
    return outcomes, bench.printed


def judged_again(assignment, source, items, seconds):
    """The outcomes of an edited source, one after the other; the generator is closed when enough is known."""
    bench, random = Bench(source, assignment, seconds), np.random.default_rng()
    try:
        for item in items:
            yield outcome_of(item, bench, Judge(bench, random, assignment.variant))
    finally:
        bench.close()


def outcome_of(item, bench, judge):
    """The outcome of one item; whatever the submission does, it is an outcome of this item alone."""
    verdict, reasons = "right", []
    bench.numpy_only = item.numpy_only
    try:
        item.function(judge)
        earned = item.points - judge.lost
    except Stopped as stopped:
        bench.close()
        return Outcome(item, judge.won, stopped.verdict, [stopped.reason])
    except Exception as failure:
        judge.reasons.append(("", failure))
        earned = judge.won
    for what, failure in judge.reasons:
        failed = isinstance(failure, Failed)
        text = (failure.reason if failed else str(failure) if isinstance(failure, Wrong)
                else UNREADABLE.format(type(failure).__name__))
        reasons.append(f"{what}: {text}" if what else text)
        verdict = "wrong" if not failed else "missing" if failure.unwritten else "error"
    if 0 < earned < item.points:
        verdict = "partly"
    return Outcome(item, earned, verdict, list(dict.fromkeys(reasons)))
