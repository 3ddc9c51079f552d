"""Dtypes by the standard: promotion by dtype alone, ``astype``, ``isdtype``, ``finfo`` and the like.

In PyTorch the number of dims takes part in promotion: a tensor without dims does not widen one that has some.  In the
standard it does not, so the functions here that take several arrays first bring them to one dtype, ``promoted``.
"""

from functools import reduce
from typing import NamedTuple

import numpy as np

from minigrad import creation, dtypes
from minigrad._core.errors import error
from minigrad._core.graph import Tensor
from minigrad.dtypes import BOOL, COMPLEX, FLOAT, INT

__all__ = ["astype", "can_cast", "finfo", "iinfo", "isdtype", "result_type"]

NUMBERS = (bool, int, float, complex)

#: the dtypes of the standard
KINDS = [kind for kind in dtypes.DTYPES if kind not in (dtypes.float16, dtypes.bfloat16)]

CATEGORIES = {"bool": (BOOL,), "integral": (INT,), "real floating": (FLOAT,), "complex floating": (COMPLEX,),
              "numeric": (INT, FLOAT, COMPLEX)}


def astype(x, dtype, /, *, copy=True, device=None):
    """The array in another dtype; a copy, unless ``copy`` is False and it has that dtype."""
    dtypes.as_device(device, "astype")
    return x.to(dtype, copy=copy)


def can_cast(from_, to, /):
    """Whether promotion leads from one dtype to the other."""
    from_ = from_.dtype if isinstance(from_, Tensor) else from_
    if from_.category == INT and to.category == INT:
        return np.can_cast(from_.numpy, to.numpy)
    if from_.category < FLOAT or to.category < FLOAT:
        return from_.category <= to.category
    return promote(from_, to) is to


class Finfo(NamedTuple):
    """The limits of a dtype of floating point numbers."""

    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: dtypes.dtype


class Iinfo(NamedTuple):
    """The limits of a dtype of integers."""

    bits: int
    max: int
    min: int
    dtype: dtypes.dtype


def finfo(type, /):
    """The limits of a dtype of floating point numbers, or of the parts of complex ones."""
    kind = (type.dtype if isinstance(type, Tensor) else type).to_real()
    info = dtypes.finfo(kind)
    return Finfo(info.bits, info.eps, info.max, info.min, info.smallest_normal, kind)


def iinfo(type, /):
    """The limits of a dtype of integers."""
    kind = type.dtype if isinstance(type, Tensor) else type
    info = dtypes.iinfo(kind)
    return Iinfo(info.bits, info.max, info.min, kind)


def isdtype(dtype, kind):
    """Whether a dtype is of a kind: another dtype, the name of a kind, or one of several.

    >>> from minigrad import array_api as xp
    >>> xp.isdtype(xp.float32, "real floating"), xp.isdtype(xp.int8, ("bool", "unsigned integer"))
    (True, False)
    """
    if isinstance(kind, tuple):
        return any([isdtype(dtype, each) for each in kind])
    if kind == "signed integer":
        return dtype.category == INT and dtype.is_signed
    if kind == "unsigned integer":
        return dtype.category == INT and not dtype.is_signed
    if isinstance(kind, str) and kind not in CATEGORIES:
        raise error("MG207", f"isdtype(): {kind!r} is not the name of a kind: it may be one of {[*CATEGORIES]}, "
                             "'signed integer' or 'unsigned integer'")
    return dtype.category in CATEGORIES[kind] if isinstance(kind, str) else dtype is kind


def result_type(*arrays_and_dtypes):
    """The dtype of what is computed from arrays, dtypes and numbers together."""
    known = [x.dtype if isinstance(x, Tensor) else x for x in arrays_and_dtypes if not isinstance(x, NUMBERS)]
    if not known:
        raise error("MG207", "result_type() needs at least one array or dtype")
    return reduce(with_number, [x for x in arrays_and_dtypes if isinstance(x, NUMBERS)], reduce(promote, known))


def promote(a, b):
    """The dtype of both; PyTorch has none for some pairs of integers."""
    if a.category == b.category == INT:
        found = dtypes.of_numpy(np.promote_types(a.numpy, b.numpy))
        if found.category != INT:
            raise error("MG202", f"result_type(): no integer dtype holds the values of both {a} and {b}; convert one")
        return found
    return dtypes.promote_types(a, b)


def with_number(kind, number):
    """The dtype of an array of ``kind`` and a number of Python's."""
    if isinstance(number, bool) or kind.category >= (COMPLEX if isinstance(number, complex) else
                                                     FLOAT if isinstance(number, float) else INT):
        return kind
    return kind.to_complex() if kind.category == FLOAT else creation.tensor(number).dtype


def promoted(*operands):
    """Arrays and numbers, as arrays of one dtype."""
    common = result_type(*operands)
    return [creation.full((), x, dtype=common) if isinstance(x, NUMBERS) else x.to(common) for x in operands]
