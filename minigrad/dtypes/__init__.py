"""Dtypes: the kinds of numbers that a tensor can hold.

This module names the dtypes (``torch.float32``), gives their ranges (``finfo``, ``iinfo``), tells the dtype of an
operation on two of them (``promote_types``, ``can_cast``), and sets the dtype of Python floats
(``set_default_dtype``).

The one idea is *categories*: bool < integers < floats < complex.  Promotion never widens a dtype
within its category for a number: ``int8_tensor + 1`` stays int8, while adding a float gives the default float,
whatever the width of either.  NumPy's rules differ (an int64 and a float32 make a float64 there), so nothing in
minigrad leaves promotion to NumPy.

The names print with PyTorch's module name, because programs write ``import minigrad as torch``.
The core knows only NumPy's dtypes: this module tells it which is which, how they are promoted, and the
default.  The package creation makes tensors of these dtypes, tensors/printing.py shows them.  The other attributes of
a tensor are in dtypes/sizes_and_devices.py, whose names are available from here too. """

import numpy as np

from minigrad._core.devices import device_arrays
from minigrad._core.devices.meta import MetaArray
from minigrad._core.errors import error
from minigrad._core.errors.absent import because
from minigrad._core.graph import Tensor
from minigrad._core.runtime import type_promotion
from minigrad._core.runtime.provided import provide
from minigrad._core.runtime.type_promotion import result_dtype
from minigrad.dtypes.sizes_and_devices import (CPU, META, ShownAtTheTop, Size, as_device, broadcast_shapes,
                                               channels_last, channels_last_3d, contiguous_format, default_device,
                                               device, layout, memory_format, placed, preserve_format, set_default,
                                               strided)

__all__ = ["Size", "broadcast_shapes", "can_cast", "channels_last", "channels_last_3d", "contiguous_format", "device",
           "dtype", "finfo", "get_default_dtype", "iinfo", "layout", "memory_format", "preserve_format",
           "promote_types", "result_type", "set_default_dtype", "strided"]

# ``torch.float`` and the other short names are only in NAMES: in this file, float is Python's.

BOOL, INT, FLOAT, COMPLEX = range(4)            # the categories
NUMPY_CATEGORIES = {"b": BOOL, "u": INT, "i": INT, "f": FLOAT, "c": COMPLEX}


class dtype(metaclass=ShownAtTheTop):
    """The type of a tensor's elements, for example ``torch.float32``.

    Attributes
    ----------
    name : str
        The name without prefix, ``"float32"``.
    numpy : numpy.dtype
        The same type in NumPy.
    code : int
        Its place in ``DTYPES`` and in the table ``PROMOTE``.
    category : int
        0 bool, 1 integer, 2 floating point, 3 complex.
    itemsize : int
        Bytes per element.

    There is one object for each dtype, so ``is`` and ``==`` mean the same, and copies and pickles
    come back as that object.

    >>> torch.float32.itemsize, torch.float32.is_floating_point, torch.float32.to_complex()
    (4, True, torch.complex64)
    """

    __slots__ = ("name", "code", "category", "itemsize", "is_floating_point", "is_complex", "is_signed", "numpy")

    def __new__(cls, *args, **kwargs):
        raise error("MG205", "cannot create 'torch.dtype' instances: use an existing one, such as torch.float32")

    def __repr__(self):
        return "torch." + self.name

    def __reduce__(self):
        return named, (self.name,)

    def __getattr__(self, attribute):
        # Only an empty slot leads here: bfloat16's NumPy type, which is in another package.
        if attribute == "numpy":
            self.numpy = bfloat16_of_ml_dtypes()
            BY_NUMPY[self.numpy] = BY_NUM[self.numpy.num] = self
            tell_core()
            return self.numpy
        raise AttributeError(f"'torch.dtype' object has no attribute '{attribute}'")

    def to_real(self):
        """The dtype of the real part: ``float32`` for ``complex64``; a real dtype gives itself.

        >>> torch.complex128.to_real(), torch.int64.to_real()
        (torch.float64, torch.int64)
        """
        return NAMES[f"float{self.itemsize * 4}"] if self.is_complex else self

    def to_complex(self):
        """The complex dtype whose parts have this dtype.

        NumPy has no complex numbers of two half floats, so ``float16`` gives ``complex64``, unlike
        PyTorch's ``complex32``.

        >>> torch.float64.to_complex()
        torch.complex128
        """
        if self.category < FLOAT:
            raise error("MG202", f"Unknown Complex ScalarType for {self!r}: only floating point dtypes have one")
        return complex128 if self is float64 or self is complex128 else complex64


DTYPES = []         # by code
NAMES = {}          # name or alias -> dtype
BY_NUMPY = {}       # np.dtype in native byte order -> dtype
BY_NUM = {}         # np.dtype.num -> dtype; on Linux two numbers mean int64


def define(name, numpy_name, *aliases, category=None, itemsize=None):
    """Make the object of a dtype and enter it into the tables."""
    new = object.__new__(dtype)
    new.name = name
    new.code = len(DTYPES)
    if numpy_name:
        new.numpy = np.dtype(numpy_name)
        category, itemsize = NUMPY_CATEGORIES[new.numpy.kind], new.numpy.itemsize
        BY_NUMPY[new.numpy] = BY_NUM[new.numpy.num] = new
    new.category = category
    new.itemsize = itemsize
    new.is_floating_point = category == FLOAT
    new.is_complex = category == COMPLEX
    new.is_signed = category != BOOL and not name.startswith("uint")
    DTYPES.append(new)
    for key in (name, *aliases):
        NAMES[key] = new
    return new


bool_ = define("bool", "?")
uint8 = define("uint8", "u1")
int8 = define("int8", "i1")
int16 = define("int16", "i2", "short")
int32 = define("int32", "i4", "int")
int64 = define("int64", "i8", "long")
float16 = define("float16", "f2", "half")
bfloat16 = define("bfloat16", None, category=FLOAT, itemsize=2)
float32 = define("float32", "f4", "float")
float64 = define("float64", "f8", "double")
complex64 = define("complex64", "c8", "cfloat")
complex128 = define("complex128", "c16", "cdouble")
uint16 = define("uint16", "u2")
uint32 = define("uint32", "u4")
uint64 = define("uint64", "u8")

for _letter in "bhilqpBHILQP":      # C's names for the integers: two of them have the same width
    BY_NUM.setdefault(np.dtype(_letter).num, BY_NUMPY[np.dtype(_letter)])


def bfloat16_of_ml_dtypes():
    """NumPy's bfloat16, from the optional package ml_dtypes, imported the first time it is needed."""
    try:
        from ml_dtypes import bfloat16 as scalar
    except ImportError:
        raise without_ml_dtypes() from None
    return np.dtype(scalar)


def named(name):
    """The dtype with this name; copies and pickles of a dtype are restored through here."""
    return NAMES[name]


def of_numpy(numpy_dtype):
    """The dtype of an array with this NumPy dtype, or None if no tensor can have it."""
    found = BY_NUMPY.get(numpy_dtype)
    if found is None and numpy_dtype.name == "bfloat16":
        return bfloat16 if bfloat16.numpy == numpy_dtype else None
    return found


PYTHON_TYPES = {bool: bool_, int: int64, float: float64, complex: complex128}


def as_dtype(x, function="tensor", argument="dtype"):
    """The dtype that ``x`` names: a dtype, None (stays None), or Python's bool, int, float, complex."""
    if x is None or type(x) is dtype:
        return x
    try:
        return PYTHON_TYPES[x]
    except (KeyError, TypeError):
        pass
    near = ""
    try:
        near = f"; write {of_numpy(np.dtype(x))!r}" if of_numpy(np.dtype(x)) else ""
    except (TypeError, ValueError):                 # ValueError: it has an attribute dtype that is none of NumPy's
        pass
    raise error("MG205", f"{function}(): argument '{argument}' must be torch.dtype, not {called(x)}{near}")


def called(x):
    """What an error calls a value in place of a dtype: its type, or the name of an inert dtype and the reason."""
    if type(x).__module__ != "minigrad.stand_ins":
        return type(x).__name__
    return f"{x!r}, which is a name alone here: {because(f'{x!r}.')}"


# --- Promotion ---------------------------------------------------------------------------------

#: What PyTorch stores and converts, and promotes to floats only.
RARE = frozenset((uint16, uint32, uint64))


#: Two pairs where neither holds the other; elsewhere the wider one of a category wins.
NEITHER = {frozenset((uint8, int8)): int16, frozenset((float16, bfloat16)): float32}


def _promote(a, b):
    """The smallest dtype of the higher category that holds both, by PyTorch's table; None where it has none."""
    low, high = (b, a) if (b.category, b.itemsize) < (a.category, a.itemsize) else (a, b)
    if low is high:
        return high
    if not RARE.isdisjoint((a, b)) and not high.is_floating_point:
        return None
    if low.category == high.category:
        return NEITHER.get(frozenset((a, b)), high)
    if high.is_complex and low is float64:
        return complex128
    return high


#: PROMOTE[a.code][b.code] is the code of the dtype of ``a op b``; -1 where there is none.
PROMOTE = [[-1] * len(DTYPES) for _ in DTYPES]
for _i, _a in enumerate(DTYPES):
    for _b in DTYPES[:_i + 1]:
        if (_both := _promote(_a, _b)) is not None:
            PROMOTE[_a.code][_b.code] = PROMOTE[_b.code][_a.code] = _both.code


def tell_core():
    """Tell the core the NumPy dtype of each of these, and how they are promoted."""
    known = {ours: numpys for numpys, ours in BY_NUMPY.items()}         # without bfloat16, until it is used
    type_promotion.set_dtypes([known.get(d) for d in DTYPES], [d.category for d in DTYPES], PROMOTE)


# Here, since the rows of the table ask for these classes when they are made, and _tensor.py comes after them.
provide(size=Size, cpu=CPU, meta=META, dtype=dtype, dtype_of=BY_NUMPY,
        dtype_for={bool: NAMES["bool"], int: NAMES["int64"], float: NAMES["float64"], complex: NAMES["complex128"]})
device_arrays.register(MetaArray, META)
tell_core()


def promote_types(type1, type2):
    """The dtype of an operation on tensors of these two dtypes.

    >>> torch.promote_types(torch.int64, torch.float16)
    torch.float16
    >>> torch.promote_types(torch.uint8, torch.int8)
    torch.int16
    """
    first, second = _given("promote_types", "type1", type1), _given("promote_types", "type2", type2)
    return DTYPES[type_promotion.together(first.code, second.code)]


def result_type(tensor1, tensor2):
    """The dtype of an operation on these two, tensors or numbers: tensors with dims have priority over tensors without,
    and those over numbers.

    >>> torch.result_type(torch.tensor([1, 2], dtype=torch.int), 1.0)
    torch.float32
    >>> torch.result_type(torch.tensor([1, 2], dtype=torch.uint8), torch.tensor(1))
    torch.uint8
    """
    given = [tensor1, tensor2]
    for x in given:
        if not isinstance(x, (Tensor, bool, int, float, complex)):
            raise not_operands(given)
    return of_numpy(result_dtype([np.empty((1,) * (x.ndim > 0), x.dtype.numpy) if isinstance(x, Tensor) else x
                                  for x in given]))


def can_cast(from_, to):
    """Whether an in-place operation may store a result of dtype ``from_`` in a tensor of dtype ``to``.

    A value may lose range, precision and sign, but a complex number must not become real, a float must not become
    an integer, and an integer must not become a bool.

    >>> torch.can_cast(torch.double, torch.float), torch.can_cast(torch.float, torch.int)
    (True, False)
    """
    return _given("can_cast", "from_", from_).category <= _given("can_cast", "to", to).category


def _given(function, argument, x):
    if x is None:
        raise error("MG205", f"{function}(): argument '{argument}' must be torch.dtype, not None")
    return as_dtype(x, function, argument)


def result_type_of(operands):
    """The dtype of an operation on several operands, by PyTorch's three tiers.

    ``operands`` is a list of (dtype, ndim, is_python_number).  Tensors with dimensions are
    promoted among each other, then tensors without, then Python numbers (a Python float counts as
    the default dtype).  A lower tier changes the result only if its category is higher:

    >>> from minigrad.dtypes import result_type_of
    >>> result_type_of([(torch.int8, 1, False), (torch.int64, 0, False)])
    torch.int8
    >>> result_type_of([(torch.int8, 1, False), (torch.float64, 0, True)])
    torch.float32
    """
    tiers = [[], [], []]
    for kind, ndim, is_number in operands:
        if is_number:
            kind = of_number_category(kind.category)
        tiers[2 if is_number else 0 if ndim else 1].append(kind.code)
    return DTYPES[type_promotion.joined(tiers)]


def of_number_category(category):
    """The dtype of a Python number of this category if there is no tensor."""
    return (bool_, int64, _default, _default.to_complex())[category]


# --- The default dtype -------------------------------------------------------------------------

_default = float32


def get_default_dtype():
    """The dtype of Python floats: float32, unless ``set_default_dtype`` has changed it.

    >>> torch.get_default_dtype()
    torch.float32
    """
    return _default


def set_default_dtype(d):
    """Set the dtype of Python floats, for creation and for promotion.

    >>> torch.set_default_dtype(torch.float64)
    >>> torch.tensor(1.5).dtype
    torch.float64
    >>> torch.set_default_dtype(torch.float32)
    """
    global _default
    if type(d) is not dtype or not d.is_floating_point:
        raise error("MG205", f"only floating-point types are supported as the default type, not {d!r}: "
                             "use torch.float16, torch.float32 or torch.float64")
    d.numpy                             # bfloat16 without ml_dtypes raises here, before anything has changed
    _default = d
    type_promotion.set_default_dtype(d.numpy, d.to_complex().numpy)


# --- Ranges ------------------------------------------------------------------------------------

# (bits of the fraction, largest exponent, smallest exponent, decimal digits that are exact)
_FLOATS = {"float16": (10, 15, -14, 3), "bfloat16": (7, 127, -126, 2),
           "float32": (23, 127, -126, 6), "float64": (52, 1023, -1022, 15)}
#: the largest number, the distance from 1 to the next, the smallest normal number, and the resolution
_FLOAT8 = {"torch.float8_e4m3fn": (448.0, 0.125, 2.0 ** -6, 1.0), "torch.float8_e5m2": (57344.0, 0.25, 2.0 ** -14, 1.0),
           "torch.float8_e4m3fnuz": (240.0, 0.125, 2.0 ** -7, 1.0),
           "torch.float8_e5m2fnuz": (57344.0, 0.25, 2.0 ** -15, 1.0)}


class finfo(metaclass=ShownAtTheTop):
    """The range and precision of a floating point dtype, or of the parts of a complex one.

    >>> torch.finfo(torch.float16)
    finfo(resolution=0.001, min=-65504, max=65504, eps=0.000976562, ..., dtype=float16)
    """

    __slots__ = ("bits", "dtype", "eps", "max", "min", "resolution", "smallest_normal", "tiny")

    def __init__(self, type=None):
        if not isinstance(type, dtype) and repr(type) in _FLOAT8:       # a name alone: nothing is computed in it
            self.bits, self.dtype = 8, repr(type).removeprefix("torch.")
            self.max, self.eps, self.tiny, self.resolution = _FLOAT8[repr(type)]
            self.min, self.smallest_normal = -self.max, self.tiny
            return
        kind = as_dtype(type, "finfo", "type") or _default
        if kind.category < FLOAT:
            raise error("MG205", f"torch.finfo() requires a floating point input type, not {kind!r}. "
                                 "Use torch.iinfo to handle integers")
        kind = kind.to_real()
        fraction, largest, smallest, digits = _FLOATS[kind.name]
        self.dtype = kind.name
        self.bits = kind.itemsize * 8
        self.eps = 2.0 ** -fraction
        self.max = (2.0 - self.eps) * 2.0 ** largest
        self.min = -self.max
        self.tiny = self.smallest_normal = 2.0 ** smallest
        self.resolution = float(f"1e-{digits}")

    def __eq__(self, other):
        return isinstance(other, finfo) and self.dtype == other.dtype

    def __hash__(self):
        return hash(("finfo", self.dtype))

    def __repr__(self):
        return (f"finfo(resolution={self.resolution:g}, min={self.min:g}, max={self.max:g}, eps={self.eps:g}, "
                f"smallest_normal={self.smallest_normal:g}, tiny={self.tiny:g}, dtype={self.dtype})")


class iinfo(metaclass=ShownAtTheTop):
    """The range of an integer dtype.

    >>> torch.iinfo(torch.int8)
    iinfo(min=-128, max=127, dtype=int8)
    """

    __slots__ = ("bits", "dtype", "max", "min")

    def __init__(self, type):
        kind = as_dtype(type, "iinfo", "type")
        if kind is bool_:
            raise error("MG205", "torch.bool is not supported by torch.iinfo: it holds False and True")
        if kind is None or kind.category != INT:
            raise error("MG205", f"torch.iinfo() requires an integer input type, not {kind!r}. "
                                 "Use torch.finfo to handle floating point")
        self.dtype = kind.name
        self.bits = kind.itemsize * 8
        self.min = -2 ** (self.bits - 1) if kind.is_signed else 0
        self.max = 2 ** (self.bits - kind.is_signed) - 1

    def __eq__(self, other):
        return isinstance(other, iinfo) and self.dtype == other.dtype

    def __hash__(self):
        return hash(("iinfo", self.dtype))

    def __repr__(self):
        return f"iinfo(min={self.min:g}, max={self.max:g}, dtype={self.dtype})"


# ------------------------------------------------------------------------------ errors


def without_ml_dtypes():
    return error("MG202", "torch.bfloat16 needs the package ml_dtypes, because NumPy has no bfloat16 of its own: "
                          "run `pip install ml_dtypes`, or use torch.float32")


def not_operands(given):
    return error("MG205", "result_type() received an invalid combination of arguments - got "
                          f"({', '.join([type(each).__name__ for each in given])}), but expected tensors or "
                          "numbers")
