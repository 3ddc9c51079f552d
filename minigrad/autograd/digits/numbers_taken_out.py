"""Numbers that have left their tensors: what ``item`` and ``tolist`` give inside a block of ``digits``.

``if loss.item() < best`` is a decision that no operation makes.  So such a number remembers what it would be with more
digits, and so does what Python computes from it by ``+ - * / **``.  It is the float that it would be anyway, and where
it is compared, rounded to an integer or asked for its truth, both are asked::

    loss.item()                   0.1 + 0.2       0.30000001192...  beside  0.30000000447...
    loss.item() * 2 < 0.6         decided by      False             beside  False

A number that comes back into a tensor is exact there, and one that is exact leaves as a plain float.
"""

import math
import operator

import numpy as np

__all__ = ["WatchedFloat"]

PLAIN = (int, bool, float)


class WatchedFloat(float):
    """A float, and what it would be with more digits."""

    __slots__ = ("_high", "_how", "_watching")

    def __new__(cls, number, high, how, watching):
        self = float.__new__(cls, number)
        self._high, self._how, self._watching = high, how, watching
        return self

    def __reduce_ex__(self, protocol):
        return float, (float(self),)

    __hash__ = float.__hash__

    def __array_ufunc__(self, ufunc, method, *inputs, **options):
        """To NumPy it is a plain float, which takes the dtype of an array that it meets."""
        return getattr(ufunc, method)(*[plainly(x) for x in inputs], **options)


def plainly(x):
    return float(x) if type(x) is WatchedFloat else x


def beside(function, x, *others):
    """What the function gives with more digits; None where it gives nothing there."""
    try:
        with np.errstate(all="ignore"):
            return function(x._high, *[y._high if type(y) is WatchedFloat else y for y in others])
    except (ArithmeticError, ValueError):
        return None


def deciding(name, function, sign):
    """A method that decides: with more digits it may decide otherwise."""
    def method(self, *others):
        answer = function(float(self), *[plainly(y) for y in others])
        if self._watching.is_on and all([type(y) in PLAIN or type(y) is WatchedFloat or y is None for y in others]):
            other = beside(function, self, *others)
            if other is None or other != answer:
                self._watching.decided(f"{self._how}() {sign}")
        return answer

    method.__name__ = name
    setattr(WatchedFloat, name, method)


def computing(name, function, swapped=False):
    """A method that computes: the result is watched as well."""
    def method(self, *others):
        numbers = *[plainly(y) for y in others], float(self)
        answer = function(*(numbers if swapped else numbers[::-1]))
        if not self._watching.is_on or type(answer) is not float or not all(
                [type(y) in PLAIN or type(y) is WatchedFloat for y in others]):
            return answer
        high = beside((lambda x, y: function(y, x)) if swapped else function, self, *others)
        return answer if high is None else WatchedFloat(answer, high, self._how, self._watching)

    method.__name__ = name
    setattr(WatchedFloat, name, method)


for sign, word in (("<", "lt"), ("<=", "le"), (">", "gt"), (">=", "ge"), ("==", "eq"), ("!=", "ne")):
    deciding(f"__{word}__", getattr(operator, word), sign)
for word, function, sign in (("bool", bool, "as a truth value"), ("int", int, "as an int"),
                             ("trunc", math.trunc, "as an int"), ("floor", math.floor, "as an int"),
                             ("ceil", math.ceil, "as an int"), ("round", round, "rounded")):
    deciding(f"__{word}__", function, sign)
for word in ("add", "sub", "mul", "truediv", "pow"):
    computing(f"__{word}__", getattr(operator, word))
    computing(f"__r{word}__", getattr(operator, word), swapped=True)
for word in ("neg", "abs", "pos"):
    computing(f"__{word}__", getattr(operator, word))
