"""Notices finite differences: the function of the question is evaluated at points that are the input, displaced.

However a submission copies its input, into another array, a list or single numbers, a difference quotient needs the
values of a function at several points next to the given one.  Two things are watched while a question is answered
(instruments.pyx).  Each operator and each call in the source shows its result, and NumPy's functions, and those of
``math``, show their operands in every call::

    def exp_backward(d, x):                          moved = tick(tick(np.array(tick(x.tolist()))) + 1e-6)
        moved = np.array(x.tolist()) + 1e-6    ->    ...

What is evidence:

* an array that is almost, but not quite, an input: a *short step*; so are three entries of an input, each alone, that
  have been moved by the same amount.  A step as short as a rounding error, as in ``(x - m) + m``, is none;
* a small imaginary part, where all inputs are real: a *complex step*.  That of ``exp(1j * x)`` is as large as the
  inputs, and a rounding error is smaller than any step;
* one function at three or more *displaced copies* of an input, however far: all entries by the same amount, by the same
  factor, in the direction of another input, or one entry alone;
* the difference of one function at two of these points, or the quotient;
* the difference of one function at any two points that are a constant apart, and a difference that is divided by what
  its points are apart: however far they are, so that of a polynomial no digit is lost; values may have been multiplied
  by a number before, or be stacked. Of Python's numbers, which are seen one by one, differences that follow on entries
  which have all been moved by the same amount;
* copies of an array in which one entry has been changed, in each copy another one;
* running totals of unit vectors: what a linear operation makes of them is a table of its derivative;
* the same of any array, such as one that was computed from an input: one function at three or more *neighbours*, which
  are copies of it, displaced a little, by the same amount or the same factor; at five or more points around it, in the
  complex plane; and the difference of one function at two of these.  A layer of a network is evaluated at many points
  that are close together, but they are no such copies of each other;
* numbers of more digits than a float has, such as a ``Decimal``, an integer of a hundred digits, or an array of them:
  in these a step may be so short that no float shows it.
"""

import ast
import sys
import types
import warnings
from bisect import bisect
from collections import deque
from itertools import islice
from math import frexp
from sys import setrecursionlimit
from types import NoneType

import numpy as np
from numpy import abs as size_of, asarray, errstate, inexact, isfinite, ndarray

__all__ = ["DIGITS", "compiled", "evidence", "instrumented", "ticking"]

#: the lengths of a short step, as parts of the largest entry
SHORTEST, LONGEST = 1e-9, 1e-3
#: a displacement that is longer, as a part of the largest entry, is none
LONG = 100
#: the same for single numbers: entries that are moved further cannot be told apart
FAR = 1e7
#: entries of an array above which it is compared as a whole only, and above which it is not compared
FEW, MANY = 64, 1 << 16
#: how many displaced copies are evidence
SEVERAL = 3
#: how far entries of two arrays differ at most, as a part of their spread, where the values of a function are compared,
#: and where many points are evidence
CLOSE, NEARBY = 0.15, 0.05
#: how many points around one are evidence, and how many operands of a function are remembered
AROUND, REMEMBERED = 5, 40
#: how many numbers of Python are remembered, of which one may be the difference of two others
RECENT = 12
#: how many rows of a stack are compared with each other
STACKED = 8
#: a small imaginary part, as a part of the largest number; what may be a rounding error of it, and what is too small
SMALL_PART, ROUNDING, TINY = 1e-5, 1e-11, 1e-17
#: factors by which honest formulas multiply an input
COMMON = (-2., -1., -.5, .5, 2., -2j, -1j, -.5j, .5j, 2j)
#: what is not a function of which a derivative could be measured: it makes points, or compares them
MAKING = {"add", "subtract", "negative", "positive", "conjugate", "absolute", "isfinite", "isnan", "isinf", "sign",
          "equal", "not_equal", "less", "less_equal", "greater", "greater_equal", "maximum", "minimum", "copysign"}
#: what compares the values of a function at two points
COMPARING = {"subtract": "subtracts", "divide": "divides"}
#: what may divide a difference by the distance of its points, and by a number
SCALING = {"divide", "multiply"}
#: numbers of Python that are longer than floats, and from where on an integer is
EXACT, LARGE = ("Decimal", "Fraction"), 1 << 64
#: functions of which a product of two inputs, or a tanh that is close to its argument, may be an operand
LINEAR = {"multiply", "matmul", "square"}
#: calls within each other, some for each term of a sum
DEEP = 20_000
#: takes the place of what is called, in a source
TICK = b"the tick of the judge"


def evidence(inputs, data=None, given=()):
    """(what watches, what has been found): two functions, for a question with these inputs, among the values given.

    The first is called with a ufunc, its operands and its result, or with None, () and the result of an operator.  The
    second returns the sentences that say what is evidence.  ``data(value)`` is the array of a tensor.
    """
    arrays = list(floats_in(inputs))
    # Of fewer entries some are close by chance, and a unit vector is close to everything.
    originals = [original(x, arrays) for x in arrays if 2 < x.size == len({*x.ravel().tolist()})]
    is_real = not any([x.dtype.kind == "c" for x in arrays])
    found, results, compared, families, parts = {}, {}, {}, {}, {}
    differences, wholes, units, totals = {}, [], {}, {}
    is_unit_given = any([is_binary(x) for x in floats_in(given)])       # as a gradient of the result
    recent, shifts = deque(maxlen=RECENT), deque(maxlen=RECENT)         # numbers, and how they are displaced
    #: by what an honest sum moves entries: by others
    others = {f"{sign * each:.12e}" for x in floats_in(given) for each in x.ravel().tolist() for sign in (-1, 1)}

    def watch(ufunc, operands, result):
        with errstate(all="ignore"):                # of the submission's own warnings none is from here
            if ufunc is None:
                see(result, None)
            else:
                name = ufunc.__name__
                seen = [see(operand, name) for operand in operands]
                if name in COMPARING and len(operands) > 1:
                    compare_values(name, *operands[:2])
                    note_difference(name, *operands[:2], result)
                if name in SCALING and len(operands) > 1:
                    compare_distance(name, *operands[:2])
                if name == "add" and len(operands) > 1:
                    compare_values("subtract", operands[0], -operands[1])
                if name not in MAKING and not is_scaled(name, operands, result):
                    remember(name, seen, operands, result)

    def see(value, name):
        """Compare a value with the inputs; returns how it is displaced from one of them, or None."""
        if long := long_in(value):
            found[DIGITS] = f"{DIGITS} ({long}), in which a step may be too short to be seen: compute with floats"
            return None
        if isinstance(value, (float, complex)) and name is None:
            for each in originals:
                if isinstance(value, float) and number_is_near(each, value):
                    found["near"] = NEAR
            note_number(value)
        if isinstance(value, float) and name is None:
            return None
        if name is None and is_list_of_numbers(value):
            value = asarray(value)
        elif name is None and isinstance(value, (list, tuple)):
            compare_rows(value[:STACKED])
            return None
        if data is not None:
            value = data(value)
        if not isinstance(value, (float, complex, ndarray, inexact, np.flatiter)):
            return None
        array = asarray(value)
        if array.dtype.kind not in "fcbiu" or not 0 < array.size <= MANY:
            return None
        key = name, array.shape, array.tobytes()
        if key in compared:
            return compared[key]
        if name is None and note_units(array) or array.dtype.kind not in "fc":
            compared[key] = None
            return None
        note_copies(array)
        if name is None and array.ndim > 1:
            compare_rows(array[:STACKED])
        if is_real and arrays and array.dtype.kind == "c" and is_stepped(array, originals, parts):
            found["complex"] = "it gives real numbers a small imaginary part: a complex step"
        if name is not None and name not in MAKING:
            reason = neighbours(name, families.setdefault((name, array.size), []), array)
            found.update({"neighbours": reason} if reason else {})
        displaced = None
        for each in originals:
            if is_near(each, array):
                found["near"] = NEAR
            if name is None:
                note_value(each, array)
            elif name not in MAKING:
                displaced = note(each, name, array) or displaced
        if len(compared) < MANY:
            compared[key] = displaced
        return displaced

    def note(each, name, array):
        """Note each displaced copy of an input at which a function is evaluated."""
        rows = rows_of(each, array)
        if rows is None:
            if array.size < each["flat"].size and array.size <= FEW:
                note_entries(each, name, array.ravel())
            return None
        kept, last = each["displaced"].setdefault(name, set()), None
        for row in rows[:4 * SEVERAL]:
            last = displacement(each, row, name not in LINEAR)
            if last is not None and last != AT:
                kept.add(last)
        if len(kept) >= SEVERAL:
            found["displaced"] = (f"it evaluates {name} at {len(kept)} points, each of which is your input, displaced")
        return last if len(rows) == 1 else None

    def note_value(each, array):
        """Note each copy that an operator or a call has made of an input, and displaced."""
        rows = rows_of(each, array)
        for row in () if rows is None else rows[:4 * SEVERAL]:
            how = displacement(each, row, False)
            if how is None and size_of(row - each["flat"]).max() < 0.5 * each["largest"]:
                note_pair(each, row - each["flat"])
            if how is None or how == AT or how[0] == "*" or how in (("v", ONE), ("v", "-" + ONE)):
                continue
            each["values"].add(how)
            step = str(how[1])
            if how[0] != "e" and (how[0], step[1:] if step[0] == "-" else "-" + step) in each["values"]:
                found["displaced"] = "it evaluates the function at points on both sides of your input"
            elif len(each["values"]) > SEVERAL:
                found["displaced"] = f"it makes {len(each['values'])} copies of your input, displaced"

    def note_pair(each, moved):
        """Note copies whose entries are displaced by different amounts, to one side and to the other."""
        lengths = size_of(moved).max()
        if any([size_of(moved + other).max() <= 1e-9 * lengths for other in each["free"]]):
            each["pairs"] += 1
        if each["pairs"] > 1:
            found["displaced"] = "it evaluates the function at points on both sides of your input"
        if len(each["free"]) < FEW:
            each["free"].append(moved)

    def note_entries(each, name, values):
        """The same for numbers one by one, or row by row."""
        flat, counts = each["flat"], each["entries"].setdefault(name, {})
        for value in values.tolist():
            for kind, moved in (("+", value - flat), ("*", value / flat)):
                for number, step in enumerate(moved.tolist()):
                    if step != (0 if kind == "+" else 1) and step not in (COMMON if kind == "*" else ()):
                        counts.setdefault((kind, f"{step:.9e}"), set()).add(number)
        needed = max(3, 0.75 * flat.size)
        moved = [key for key, numbers in counts.items() if len(numbers) >= needed]
        if len(moved) >= SEVERAL:
            found["displaced"] = (f"it evaluates {name} at {len(moved)} points for each entry, each of which is the "
                                  "entry, displaced")
        if len(counts) > 4 * MANY:
            counts.clear()

    def note_number(value):
        """Note the difference of two numbers, of which one follows on an entry that has been moved."""
        if recent and value == recent[-1]:              # as a function returns what an operator in it has computed
            return
        of = {i for i, a in enumerate(recent) for k, b in enumerate(recent) if a and b and value in (a - b, b - a)}
        followed = [shift for i in of if value for several in [*shifts][max(0, i - 1):i + 1] for shift in several]
        recent.append(value)
        shifts.append([])
        for each in originals:
            moved = value - each["flat"]
            # Of three numbers, as the leaves of an expression, all are moved alike by chance.
            if moved.size > SEVERAL and SHORTEST * each["largest"] < size_of(moved).min() < FAR * each["largest"]:
                steps = [f"{step:.12e}" for step in moved.tolist()]
                shifts[-1] += [(step, number, each) for number, step in enumerate(steps) if step not in others]
        for step, number, each in followed:
            entries = each["steps"].setdefault(step, set())
            entries.add(number)
            if len(entries) >= max(SEVERAL, 0.75 * each["flat"].size):
                found["subtracted"] = ("it subtracts numbers, after it has moved the entries of your input by the same "
                                       "amount, one by one")

    def compare_rows(rows):
        """Are two of the rows the values of one function at points whose entries are all the same distance apart?"""
        known = [results[row.tobytes()] for row in rows if isinstance(row, ndarray) and row.tobytes() in results]
        for i, (function, _, points) in enumerate(known):
            for other, _, more in known[:i]:
                if function == other and any([is_constant(each) for each in distances(points, more)]):
                    found["subtracted"] = (f"it stacks {function} at two points whose entries are all the same "
                                           "distance apart")

    def is_scaled(name, operands, result):
        """Is this the value of a function that is remembered, times a number?  It is remembered as that."""
        if name not in SCALING or len(operands) != 2 or not isinstance(result, ndarray):
            return False
        for one, other in (operands, operands[::-1])[:2 if name == "multiply" else 1]:
            if isinstance(one, ndarray) and one.tobytes() in results and np.ndim(other) == 0:
                results[result.tobytes()] = results[one.tobytes()]
                return True
        return False

    def remember(name, seen, operands, result):
        if isinstance(result, ndarray) and result.size <= MANY and len(results) < 1000:
            at = [each for each in seen if each is not None]
            arrays = [each.copy() for each in operands if isinstance(each, ndarray) and is_varied(each)]
            results[result.tobytes()] = name, at[-1] if at else None, arrays

    def compare_values(name, a, b):
        if not (isinstance(a, ndarray) and isinstance(b, ndarray) and results):
            return
        of_a, of_b = [results.get(each.tobytes()) or results.get((-each).tobytes()) for each in (a, b)]
        if not (of_a and of_b and of_a[0] == of_b[0]) or name == "divide" and of_a[0] in LINEAR:
            return
        if None not in (of_a[1], of_b[1]) and of_a[1] != of_b[1]:
            found["subtracted"] = (f"it {COMPARING[name]} {of_a[0]} at two points, of which one is your input, or both "
                                   "are it, displaced")
        elif any([is_shifted(one, other) for one, other in zip(of_a[2], of_b[2])]):
            found["subtracted"] = f"it {COMPARING[name]} {of_a[0]} at two points that are close together"
        elif name == "subtract" and any([is_constant(apart) for apart in distances(of_a[2], of_b[2])]):
            found["subtracted"] = f"it subtracts {of_a[0]} at two points whose entries are all the same distance apart"

    def note_difference(name, a, b, result):
        """Remember a difference of one function at two points, and how far apart these are."""
        if name == "subtract" and isinstance(a, ndarray) and isinstance(b, ndarray) and isinstance(result, ndarray):
            of_a, of_b = results.get(a.tobytes()), results.get(b.tobytes())
            if of_a and of_b and of_a[0] == of_b[0] and len(differences) < 1000:
                differences[result.tobytes()] = of_a[0], distances(of_a[2], of_b[2])

    def compare_distance(name, a, b):
        """Is a difference divided by what its points are apart?"""
        if not (differences and isinstance(a, ndarray) and isinstance(b, ndarray)):
            return
        for one, other in ((a, b), (b, a))[:2 if name == "multiply" else 1]:
            function, moved = differences.get(one.tobytes(), ("", ()))
            for apart in moved:
                if apart.size == other.size and is_constant(
                        apart.ravel() * other.ravel() if name == "multiply" else apart.ravel() / other.ravel()):
                    found["subtracted"] = f"it subtracts {function} at two points, and divides by what these are apart"

    def note_copies(array):
        """Note copies of an array, one by one or in a stack, in which a few entries are changed, each time others."""
        for whole, places in wholes:
            for copies in stacks_of(whole, array):
                changed = copies != whole
                for place in changed[:FEW]:
                    is_small = 0 < place.sum() <= max(1, whole.size // 3)
                    if is_small and not any([(place & each).any() for each in places]):
                        places.append(place)
            if len(places) >= SEVERAL:
                found["copies"] = (f"it makes {len(places)} copies of an array, and changes one entry in each, every "
                                   "time another one")
        if 2 < array.size <= FEW and len(wholes) < REMEMBERED and 2 * len({*array.ravel().tolist()}) > array.size:
            wholes.append((array.copy(), []))

    def note_units(array):
        """Note unit vectors, and the running totals of such; are these zeros and ones?"""
        if is_unit_given or not 2 < array.size <= FEW ** 2 or not is_binary(array):
            return False
        for axis in range(array.ndim):
            lanes = np.moveaxis(array, axis, -1).reshape(-1, array.shape[axis]) != 0
            number, n = lanes.sum(1), lanes.shape[1]
            if n > 2 and number.any() and number.max() == 1:
                units.setdefault(n, set()).update(lanes[number > 0].argmax(1).tolist())
            elif n in units and (lanes[:, 1:] >= lanes[:, :-1]).all():
                totals.setdefault(n, set()).update([int(each) for each in number if each > 1])
            if min(len(units.get(n, ())), len(totals.get(n, ()))) >= SEVERAL:
                found["units"] = ("it computes running totals of unit vectors, and so the derivative from the "
                                  "operation itself, entry by entry")
        return True

    def sentences():
        return list(found.values())

    return watch, sentences


def floats_in(values):
    """The arrays of floats among the values, and in the lists among them."""
    for value in values:
        if isinstance(value, list) and value and all([isinstance(each, float) for each in value]):
            yield asarray(value)
        elif isinstance(value, list):
            yield from floats_in(value)
        elif isinstance(value, ndarray) and value.dtype.kind in "fc":
            yield value.copy()


def long_in(value):
    """What numbers of more digits than a float has are in a value, in words; "" for none."""
    kind = type(value)
    if kind in (float, complex, str, bool, NoneType):
        return ""
    if issubclass(kind, int):
        return "integers of many digits" if not -LARGE < value < LARGE else ""
    if issubclass(kind, ndarray):
        if value.dtype.kind == "O":
            return next(filter(None, map(long_in, value.ravel()[:FEW].tolist())), "")
        return f"{value.dtype}" if value.dtype.kind in "fc" and value.real.dtype.itemsize > 8 else ""
    if issubclass(kind, inexact):
        return long_in(asarray(value))
    if kind in (list, tuple):
        return next(filter(None, map(long_in, value[:FEW])), "")
    if kind is dict:
        return long_in([*islice(value.values(), FEW)])
    return next((name for name in map(name_of, classes_of(kind)) if name in EXACT), "")


classes_of, name_of = vars(type)["__mro__"].__get__, vars(type)["__name__"].__get__

# ------------------------------------------------------------------------------ an input

AT = "at the input"
DIGITS = "it computes with numbers of more digits than a float"
NEAR = "it evaluates the function at points a small step apart"
ONE = f"{1:.6e}"


def original(array, others):
    """An input, and what has been found of it."""
    flat = array.ravel()
    directions = [x.ravel() for x in others if x.shape == array.shape and x is not array and x.all()]
    entries = sorted(flat.tolist()) if flat.dtype.kind == "f" else []
    return {"array": array, "flat": flat, "sorted": entries, "largest": size_of(flat).max(), "directions": directions,
            "moved": {}, "steps": {}, "displaced": {}, "entries": {}, "values": set(), "free": [], "pairs": 0}


def rows_of(each, array):
    """The array as rows, each a candidate for a copy of the input; None if its shape is another."""
    shape = each["array"].shape
    if array.size == each["flat"].size or array.shape[-len(shape):] == shape:
        return array.reshape(-1, each["flat"].size)
    if array.shape[:len(shape)] == shape:               # copies side by side
        return array.reshape(each["flat"].size, -1).T
    return None


def is_near(each, array):
    """Is this a short step away from the input, as a whole, in one of several rows, or entry by entry?"""
    rows = rows_of(each, array)
    if rows is not None and stepped(each, rows - each["flat"]).any():
        return True
    return array.size <= FEW and entries_are_near(each, array)


def stepped(each, differences):
    """For each row: are all of its differences short, and is one of them not a rounding error?"""
    lengths = size_of(differences).max(-1)
    return (lengths >= SHORTEST * each["largest"]) & (lengths <= LONGEST * each["largest"])


def number_is_near(each, value):
    """The same as below for one real number, which is what a submission in loops computes with."""
    entries, place = each["sorted"], bisect(each["sorted"], value)
    for entry in entries[max(0, place - 1):place + 1]:
        if SHORTEST * each["largest"] <= abs(value - entry) <= LONGEST * each["largest"]:
            moved = each["moved"].setdefault(f"{value - entry:.5e}", set())
            moved.add(entry)
            return len(moved) == 3
    return False


def entries_are_near(each, array):
    differences = array.reshape(-1, 1) - each["flat"]
    nearest = size_of(differences).argmin(1)
    differences = np.take_along_axis(differences, nearest[:, None], 1)
    for index, (step,), hit in zip(nearest, differences, stepped(each, differences)):
        if hit:
            entries = each["moved"].setdefault(f"{step:.5e}", set())
            entries.add(each["flat"][index])
            if len(entries) == 3:
                return True
    return False


def displacement(each, row, is_free):
    """How a row is displaced from the input: `AT` if it is the input, None if it is something else.

    With ``is_free`` entries may be displaced by different amounts, if all of them are small parts of the entries.
    """
    flat = each["flat"]
    moved = row - flat
    if not isfinite(moved).all():
        return None
    lengths = size_of(moved)
    longest = lengths.max()
    if longest <= SHORTEST * each["largest"]:
        return AT
    if longest > LONG * each["largest"]:
        return None
    for kind, steps in [("+", moved), *[("v", moved / v) for v in each["directions"]]]:
        if size_of(steps - steps[0]).max() <= 1e-9 * size_of(steps).max():
            return kind, f"{steps[0]:.6e}"
    if flat.all() and row.any():
        factors = row / flat
        if size_of(factors - factors[0]).max() <= 1e-9:
            is_common = min([abs(factors[0] - each) for each in COMMON]) <= 1e-9
            return None if is_common else ("*", f"{factors[0]:.6e}")
    if (lengths > SHORTEST * each["largest"]).sum() == 1 and row.all():
        return "e", int(lengths.argmax()), f"{longest:.6e}"
    if is_free and (lengths <= 0.2 * size_of(flat)).all():
        return "~", row.tobytes()
    return None


# ------------------------------------------------------------------------------ any array


def neighbours(name, members, array):
    """Add an operand of a function to those before it, of the same size; a sentence if it is evidence, or ""."""
    if not is_varied(array) or len(members) >= REMEMBERED or any([(array.ravel() == each).all() for each in members]):
        return ""
    new, near, around = array.flatten(), {"+": 0, "*": 0}, 0
    for each in members:
        kind, step, length = shift(each, new)
        if kind and SHORTEST < length <= NEARBY:
            near[kind] += 1
        around += bool(kind and abs(step.imag) > SHORTEST * abs(step))
    members.append(new)
    if max(near.values()) >= SEVERAL - 1 + (name in LINEAR):
        return f"it evaluates {name} at {max(near.values()) + 1} points that are close together"
    return (f"it evaluates {name} at {around + 1} points around one" if around >= AROUND - 1 and name not in LINEAR
            else "")


def shift(one, other):
    """(how, by what, how far as a part of the spread): are all entries moved by the same amount, "+", or by the same
    factor, "*"?"""
    moved = other - one
    lengths = size_of(moved)
    spread = 2 * size_of(one - one.mean()).max()
    if not isfinite(spread) or not isfinite(lengths).all():
        return "", 0., 0.
    length = lengths.max() / spread
    if size_of(moved - moved[0]).max() <= 1e-6 * lengths.max():
        return "+", moved[0], length
    place = size_of(one).argmax()
    factor = moved[place] / one[place]
    return "*" if size_of(moved - factor * one).max() <= 1e-6 * lengths.max() else "", factor, length


def is_varied(array):
    """Are there more than two entries, and all different?  Few are close by chance, and unit vectors are multiples."""
    return 2 < array.size <= FEW and len({*array.ravel().tolist()}) == array.size


def is_shifted(one, other):
    """Are two arrays close together, and one of them the other with all entries moved alike?"""
    if one.size != other.size:
        return False
    kind, _, length = shift(one.ravel(), other.ravel())
    return bool(kind) and SHORTEST < length <= CLOSE


def distances(ones, others):
    """What the operands of two calls are apart, of those that differ; nothing unless one operand alone does."""
    if len(ones) != len(others) or any([one.shape != other.shape for one, other in zip(ones, others)]):
        return []
    apart = [one - other for one, other in zip(ones, others) if (one != other).any()]
    return apart if len(apart) == 1 else []


def is_binary(array):
    """Are all entries zero, or one number?"""
    return bool(((array == 0) | (array == array.ravel()[abs(array).argmax()])).all())


def is_list_of_numbers(value):
    return type(value) is list and 2 < len(value) <= FEW and all([type(each) in (int, float) for each in value])


def is_constant(array):
    """Are all entries the same number, which is not zero?"""
    flat = array.ravel()
    return bool(flat.size and isfinite(flat).all() and size_of(flat[0]) > 0
                and size_of(flat - flat[0]).max() <= 1e-9 * size_of(flat[0]))


def stacks_of(whole, array):
    """An array as copies of another one, along each axis that it has more."""
    if array.shape == whole.shape:
        yield array[None]
    elif array.ndim == whole.ndim + 1:
        for axis in range(array.ndim):
            if array.shape[:axis] + array.shape[axis + 1:] == whole.shape:
                yield np.moveaxis(array, axis, 0)


def is_multiple(one, other):
    """Is an array of as many entries a multiple of another one?"""
    place = size_of(other).argmax()
    return one.size == other.size and bool(
        size_of(one - one[place] / other[place] * other).max() <= 1e-6 * size_of(one).max())


def is_stepped(array, originals, parts):
    """Have numbers that would be real a small imaginary part, and not by rounding?

    A part as small as a rounding error is a step if all entries have the same, or if it is a multiple of an input and
    not of the real numbers.  A single number may be close to the real ones by chance: ``parts`` remembers which numbers
    have the same part.
    """
    flat = array.ravel()
    lengths, largest = size_of(flat.imag), size_of(flat).max()
    part = lengths.max()
    if part == 0 or not part <= SMALL_PART * largest:
        return False
    if flat.size > 2:
        if part >= ROUNDING * largest:
            return True
        if part < TINY * largest or not is_multiple(flat.imag, flat.real):
            if any([is_multiple(flat.imag, each["flat"]) for each in originals]):
                return True
    if lengths[lengths > 0].min() < (1 - 1e-9) * part:
        return False
    if frexp(part)[0] != 0.5 or part < TINY * largest:         # rounding errors of numbers near one are alike
        alike = parts.setdefault(f"{part:.9e}", set())
        alike.add(flat.real.tobytes())
        if len(alike) >= SEVERAL:
            return True
    return flat.size > 2 and bool(lengths.all())


# ------------------------------------------------------------------------------ the source


def instrumented(source):
    """The syntax tree of a source in which each operator, call and turn of a loop is shown to a tick.

    >>> import ast
    >>> from minigrad.homework.finite_differences import instrumented
    >>> print(ast.unparse(instrumented("y[0] = f(x + h)")).replace("b'the tick of the judge'", "tick"))
    y[0] = tick(f(tick(x + h)))
    tick(y)
    >>> print(ast.unparse(instrumented("x[0] += h")).replace("b'the tick of the judge'", "tick"))
    x[0] += h
    tick(x)
    """
    tree = ast.parse(source)
    show_in(tree)
    return ast.fix_missing_locations(tree)


def compiled(source, file, tick, mode="exec"):
    """The code of an instrumented source, in which the tick is a constant: no name leads to it."""
    limit = sys.getrecursionlimit()
    setrecursionlimit(max(limit, DEEP))
    try:
        tree = ast.parse(source, mode=mode)
        show_in(tree)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")             # of a constant that is called
            return ticking(compile(ast.fix_missing_locations(tree), file, mode), tick)
    finally:
        setrecursionlimit(limit)


def ticking(code, tick):
    """The code with the tick in place of its mark, and in the functions in it."""
    constants = tuple([tick if isinstance(each, bytes) and each == TICK
                       else ticking(each, tick) if isinstance(each, types.CodeType) else each
                       for each in code.co_consts])
    return code.replace(co_consts=constants)


def shown(node):
    """The node as the argument of a tick; without one, a tick alone."""
    at = node or ast.Pass()
    return ast.copy_location(ast.Call(ast.copy_location(ast.Constant(TICK), at), [node] if node else [], []), at)


def show_in(tree):
    """Show each operator, call and turn below the node; from below, and without recursion, which a long sum would end.

    The patterns of ``match`` stay as they are.
    """
    waiting = [(tree, False)]
    while waiting:
        node, is_done = waiting.pop()
        if not is_done:
            waiting.append((node, True))
            waiting += [(child, False) for child in ast.iter_child_nodes(node)
                        if not isinstance(child, (ast.pattern, ast.expr_context, ast.operator))]
            continue
        for name, value in ast.iter_fields(node):
            if isinstance(value, list):
                setattr(node, name, [part for each in value for part in parts_of(each, node, name)])
            elif is_shown(value, node):
                setattr(node, name, shown(value))
        if isinstance(node, (ast.For, ast.While, ast.AsyncFor)):
            node.body.insert(0, ast.copy_location(ast.Expr(shown(None)), node.body[0]))


def is_shown(node, parent):
    """Is this an operator, a call, or a list or a tuple that a call gets?"""
    return not isinstance(parent, ast.pattern) and (
        isinstance(node, (ast.BinOp, ast.Call, ast.UnaryOp, ast.ListComp))
        or isinstance(node, (ast.List, ast.Tuple)) and isinstance(parent, ast.Call))


def parts_of(each, parent, name):
    """What comes in place of an element of a list of nodes."""
    if is_shown(each, parent):
        return [shown(each)]
    if isinstance(each, ast.AugAssign) or isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Subscript):
        changed = changed_by(each)
        if changed is not None:
            return [each, ast.copy_location(ast.Expr(shown(changed)), each)]
    return [each]


def changed_by(node):
    """What ``+=`` and the like, or ``x[i] = y``, have changed, to be evaluated once more; None if that could do
    something again."""
    changed = node.target if isinstance(node, ast.AugAssign) else node.targets[0]
    while isinstance(changed, ast.Subscript):           # in `x[0] += h` the array that has changed is x
        changed = changed.value
    if isinstance(changed, ast.Attribute) and isinstance(changed.value, ast.Name):
        return ast.copy_location(ast.Attribute(changed.value, changed.attr, ast.Load()), node)
    if isinstance(changed, ast.Name):
        return ast.copy_location(ast.Name(changed.id, ast.Load()), node)
    return None
