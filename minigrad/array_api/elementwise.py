"""Elementwise functions of the standard: those of minigrad, with arguments of one dtype."""

import math

from minigrad import creation, dtypes
from minigrad.array_api.creation import named
from minigrad.array_api.dtypes import NUMBERS, promoted
from minigrad.dtypes import COMPLEX, FLOAT, INT
from minigrad.ops.exports import REGISTRY

ONE = ["abs", "acos", "acosh", "asin", "asinh", "atan", "atanh", "bitwise_invert", "ceil", "conj", "cos", "cosh", "exp",
       "expm1", "floor", "isfinite", "isinf", "isnan", "log", "log1p", "log2", "log10", "logical_not", "negative",
       "positive", "real", "reciprocal", "signbit", "sin", "sinh", "square", "sqrt", "tan", "tanh", "trunc"]
TWO = ["add", "atan2", "bitwise_and", "bitwise_left_shift", "bitwise_or", "bitwise_right_shift", "bitwise_xor",
       "copysign", "divide", "equal", "floor_divide", "greater", "greater_equal", "hypot", "less", "less_equal",
       "logaddexp", "logical_and", "logical_or", "logical_xor", "maximum", "minimum", "multiply", "nextafter",
       "not_equal", "pow", "remainder", "subtract"]
CALLED = {"bitwise_invert": "bitwise_not", "equal": "eq"}

__all__ = [*ONE, *TWO, "clip", "imag", "round", "sign"]


def of_one(name):
    function = REGISTRY[CALLED.get(name, name)]

    def made(x, /):
        return function(x)
    return named(made, name, function)


def of_two(name):
    function = REGISTRY[CALLED.get(name, name)]

    def made(x1, x2, /):
        return function(*promoted(x1, x2))
    return named(made, name, function)


globals().update({name: of_one(name) for name in ONE})
globals().update({name: of_two(name) for name in TWO})


def imag(x, /):
    """The imaginary parts of complex numbers."""
    return REGISTRY["imag"](x)


def round(x, /):
    """The nearest integers, of ties the even ones; of complex numbers, part by part."""
    if x.dtype.category == COMPLEX:
        return REGISTRY["complex"](x.real.round(), x.imag.round())
    return REGISTRY["round"](x)


def sign(x, /):
    """-1, 0 or 1; nan for nan; for complex numbers, the direction."""
    if x.dtype.category == FLOAT:
        return REGISTRY["where"](x.isnan(), x, x.sign())
    return REGISTRY["sgn"](x)


def clip(x, /, min=None, max=None):
    """The numbers, none less than ``min`` and none greater than ``max``; the result has the dtype of ``x``."""
    for bound, nearer in ((min, REGISTRY["maximum"]), (max, REGISTRY["minimum"])):
        if bound is not None and not beyond(bound, x.dtype):
            x = nearer(x, creation.full((), bound, dtype=x.dtype) if isinstance(bound, NUMBERS) else bound.to(x.dtype))
    return x


def beyond(bound, kind):
    """Is that a bound that no number of the dtype reaches?"""
    return (kind.category == INT and isinstance(bound, NUMBERS) and not math.isnan(bound)
            and not dtypes.iinfo(kind).min <= bound <= dtypes.iinfo(kind).max)
