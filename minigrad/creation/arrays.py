"""Turn Python's data into arrays: numbers, nested lists, arrays of other libraries.

``array_of`` makes a new array from anything that ``torch.tensor`` takes; ``shareable`` checks that a tensor
can use an array's memory; ``fit`` converts a Python number for a dtype.

The one idea: a dtype is *inferred* from all numbers together, and a value must *fit* it.  Python's
bool, int, float and complex count as bool, int64, the default dtype and its complex counterpart;
NumPy scalars and tensors have their own dtype; all these are promoted to the dtype of the whole.  A value
outside the range of an integer dtype is an error, never a silent wrap (but -1 is 255 for uint8, as
in C); an infinity made from a large float is not.

creation/__init__.py builds on this; the dtypes are in dtypes/__init__.py.
"""

import numpy as np
from itertools import chain
from math import isfinite
from operator import index

from minigrad import dtypes
from minigrad._core.devices.meta import is_meta, unbacked
from minigrad._core.dispatch.operands import as_number, unmasked
from minigrad._core.errors import error, warn
from minigrad._core.frontends.queries import warn_of_a_number
from minigrad._core.graph import Tensor
from minigrad._core.runtime.errstate import quiet
from minigrad._core.runtime.memory_pool import empty
from minigrad.dtypes import BOOL, COMPLEX, FLOAT, INT
from minigrad.ops.formats import outer_first

NUMBERS = (bool, int, float, complex)


def code_of(kind):
    """DLPack's code of what the elements of a dtype are."""
    if kind.is_floating_point:
        return 4 if kind is dtypes.bfloat16 else 2
    return 6 if kind is dtypes.bool_ else 5 if kind.is_complex else 0 if kind.is_signed else 1


#: (DLPack's code, bits) -> dtype
KINDS = {(code_of(kind), 8 * kind.itemsize): kind for kind in dtypes.DTYPES}

#: how deep lists of numbers are nested at most
MOST_DIMS = 64

#: the range of each dtype: the least and the greatest integer, the greatest float
RANGES = {kind: (dtypes.iinfo(kind).min, dtypes.iinfo(kind).max) for kind in dtypes.DTYPES if kind.category == INT}
GREATEST = {kind: dtypes.finfo(kind).max for kind in dtypes.DTYPES if kind.category >= FLOAT}


# --- Numbers -----------------------------------------------------------------------------------

def number(function, argument, value):
    """``value`` as a Python number; a NumPy scalar, or a tensor without dimensions, counts as one."""
    if type(value) in NUMBERS:
        return value
    if isinstance(value, Tensor):
        return as_number(function, argument, value)
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, NUMBERS):
        return value
    raise error("MG205", f"{function}(): argument '{argument}' must be Number, not {type(value).__name__}")


def infer(value):
    """The dtype that a Python number has as a tensor."""
    category = (BOOL if isinstance(value, bool) else INT if isinstance(value, int)
                else FLOAT if isinstance(value, float) else COMPLEX)
    return dtypes.of_number_category(category)


def fit(value, kind):
    """A Python number as a value of dtype ``kind``; an error if it is out of range or has an imaginary part."""
    if kind.category == BOOL:
        return bool(value)
    if isinstance(value, complex) and kind.category < COMPLEX:
        if value.imag:
            raise _misfit(value, kind)
        value = value.real
    if kind.category == INT:
        return whole(value, kind)
    try:
        largest = max(abs(float(value.real)), abs(float(value.imag)))
    except OverflowError:                       # an int beyond all floats
        raise _misfit(value, kind) from None
    if isfinite(largest) and largest > GREATEST[kind]:
        raise _misfit(value, kind)
    return value


def whole(value, kind):
    """A real number without its fraction, as a value of the integer dtype ``kind``."""
    low, high = RANGES[kind]
    if not kind.is_signed and not isinstance(value, float):
        low = -high                             # only ints wrap around
    if not low <= value <= high:                # false for nan, too
        raise _misfit(value, kind)
    return int(value) if value >= 0 or kind.is_signed else int(value) % (high + 1)


def _misfit(value, kind):
    large = isinstance(value, int) and abs(value) >= 10 ** 20
    shown = f"an int of {value.bit_length()} bits" if large else value
    if kind is dtypes.int64 and isinstance(value, int):
        return error("MG403", f"Overflow when unpacking long long: torch.int64 cannot hold {shown}; "
                              "give it dtype=torch.float64")
    reach = f" is not in {RANGES[kind][0]}..{RANGES[kind][1]}" if kind in RANGES else ""
    return error("MG209", f"value cannot be converted to type {kind.name} without overflow: {shown}{reach}")


# --- Python data -------------------------------------------------------------------------------

def array_of(data, kind=None, function="tensor"):
    """A new array with the numbers in ``data``; its dtype is ``kind``, or inferred if that is None."""
    if isinstance(data, Tensor):
        data = data._array
        if is_meta(data):
            return empty_like(data, kind or dtypes.of_numpy(data.dtype), unbacked)
    elif hasattr(type(data), "__array__"):      # arrays and their scalars, here and in other libraries
        data = np.asarray(unmasked(data, f"{function}()"))
    if isinstance(data, np.ndarray):
        return cast(data, kind or supported(data.dtype))
    if isinstance(data, (str, bytes)):
        raise error("MG402", f"{function}(): new(): invalid data type '{type(data).__name__}': tensors hold numbers")
    shape, flat = unnest(data)
    return store(flat, kind or infer_all(flat, function)).reshape(shape)


def is_sequence(x):
    cls = type(x)
    if cls in NUMBERS or cls is list or cls is tuple:
        return cls not in NUMBERS
    if issubclass(cls, np.ndarray):
        return unmasked(x, "tensor()").ndim > 0
    # Asked of the object: a class may itself be a sequence, as an enum is of its members, of which each is a number.
    return (hasattr(x, "__len__") and hasattr(x, "__getitem__")
            and not issubclass(cls, (str, bytes, dict, Tensor, np.generic, *NUMBERS)))


def unnest(data):
    """The shape of a nested sequence, and all its numbers in one list."""
    refuse_endless(data)
    shape, level = [], [data]
    while level and is_sequence(level[0]):
        n = len(level[0])
        for x in level:
            if not is_sequence(x):
                raise error("MG402", f"not a sequence: {x!r} is next to sequences of length {n} at dim {len(shape)}")
            if len(x) != n:
                raise error("MG403", f"expected sequence of length {n} at dim {len(shape)} (got {len(x)})")
        shape.append(n)
        level = list(chain.from_iterable(level))
    return tuple(shape), level


def refuse_endless(data):
    """Raise for lists nested deeper than tensors have dims: a list that holds itself has no end."""
    for _ in range(MOST_DIMS):
        if not is_sequence(data) or not len(data):
            return
        data = data[0]
    if is_sequence(data):
        raise error("MG403", f"too many dimensions '{type(data).__name__}': it is nested more than {MOST_DIMS} deep, "
                             "or holds itself")


def infer_all(flat, function):
    """The dtype to which all numbers in a list are promoted; the default dtype for an empty list."""
    types = set(map(type, flat))
    if len(types) == 1 and types.issubset(NUMBERS):
        return infer(flat[0])
    kinds = set()
    for cls in types:
        if cls in NUMBERS:
            kinds.add(infer(cls()))
        elif issubclass(cls, Tensor):
            kinds.update(x.dtype for x in flat if type(x) is cls)
        elif issubclass(cls, np.ma.MaskedArray):
            unmasked(np.ma.masked, f"{function}()")
        elif issubclass(cls, (np.generic, np.ndarray)):
            kinds.update(supported(numpy_dtype) for numpy_dtype in {x.dtype for x in flat if type(x) is cls})
        elif issubclass(cls, NUMBERS):          # an IntEnum
            kinds.add(infer(next(x for x in flat if type(x) is cls)))
        elif issubclass(cls, (str, bytes)):
            raise error("MG403", f"{function}(): too many dimensions '{cls.__name__}': tensors hold numbers, not text")
        else:
            _check_depth(cls)
            raise unknown_type(function, cls)
    if not kinds:
        return dtypes.get_default_dtype()
    return dtypes.result_type_of([(kind, 1, False) for kind in kinds])


def store(flat, kind):
    """A list of numbers as an array of dtype ``kind`` with one dimension."""
    types = set(map(type, flat))
    if not types.issubset(NUMBERS):
        flat = [_scalar(x, kind) for x in flat]
        types = set(map(type, flat))
    if complex in types and BOOL < kind.category < COMPLEX:
        raise error("MG402", f"must be real number, not complex: {kind!r} has no imaginary part")
    if kind.category == INT:
        return _store_whole(flat, types, kind)
    if kind.category == BOOL:
        return np.array(flat, dtype=np.bool_)
    wide = np.complex128 if kind.category == COMPLEX else np.float64
    try:
        array = np.array(flat, dtype=wide)
    except OverflowError:
        raise _misfit(max(flat, key=abs), kind) from None
    return cast(array, kind) if array.dtype != kind.numpy else array    # by way of double precision, like PyTorch


def _store_whole(flat, types, kind):
    if types <= {bool, int}:                    # if the extremes fit, all do
        for extreme in (min(flat, default=0), max(flat, default=0)):
            whole(extreme, kind)
        if kind is dtypes.uint64:               # half of its numbers are beyond int64
            return np.array([whole(x, kind) for x in flat], dtype=np.uint64)
        array = np.array(flat, dtype=np.int64)
        return array if kind is dtypes.int64 else cast(array, kind)
    return np.array([whole(x, kind) for x in flat], dtype=kind.numpy)


def _scalar(x, kind):
    """An entry of a list, converted to a plain Python number."""
    if isinstance(x, Tensor):
        if x._array.size != 1:
            raise not_one_element(x)
        warn_of_a_number(x)
    if isinstance(x, (np.generic, np.ndarray, Tensor)):
        return unmasked(x, "tensor()").item()
    _check_depth(type(x))
    for convert, method in ((complex, "__complex__"), (float, "__float__"), (index, "__index__")):
        if hasattr(type(x), method) and (convert is not complex or kind.category == COMPLEX):
            return convert(x)
    if isinstance(x, (str, bytes)):
        raise error("MG403", f"too many dimensions '{type(x).__name__}': tensors hold numbers, not text")
    raise error("MG402", f"must be real number, not {type(x).__name__}")


def _check_depth(cls):
    if issubclass(cls, (list, tuple, np.ndarray)):
        raise mixed_depths(cls)


# --- Arrays ------------------------------------------------------------------------------------

def supported(numpy_dtype):
    """The dtype of tensors made from arrays of this NumPy dtype, in either byte order."""
    found = dtypes.of_numpy(numpy_dtype) or dtypes.of_numpy(numpy_dtype.newbyteorder("="))
    if found is None:
        raise unsupported(numpy_dtype)
    return found


def shareable(array):
    """Raise for an array whose memory a tensor cannot share; returns the dtype."""
    found = supported(unmasked(array, "from_numpy()").dtype)
    if not array.dtype.isnative:
        raise foreign_byte_order()
    if min(array.strides, default=0) < 0:
        raise negative_strides()
    if not array.flags.c_contiguous and any(stride % array.itemsize for stride in array.strides):
        raise unaligned_strides()
    if not array.flags.writeable:
        warn("The given NumPy array is not writable, so writing to the tensor will fail. To write to it, copy it "
             "first: array.copy(), or torch.tensor(array).")
    return found


def of_buffer(buffer, kind, count=-1, offset=0):
    """An array in the memory of an object with Python's buffer protocol, whose bytes are read as dtype ``kind``."""
    try:
        memory = memoryview(buffer)
    except TypeError:
        raise error("MG207", f"object does not implement Python buffer protocol: {type(buffer).__name__}") from None
    if not memory.c_contiguous:
        raise error("MG207", "could not retrieve buffer from object: its bytes do not lie side by side")
    length, width = memory.nbytes, kind.itemsize
    if not length or not count:
        raise error("MG207", f"both buffer length ({length}) and count ({count}) must not be 0")
    if not 0 <= offset < length:
        raise error("MG207", f"offset ({offset} bytes) must be non-negative and no greater than buffer length "
                             f"({length} bytes) minus 1")
    if count < 0 and (length - offset) % width:
        raise error("MG207", f"buffer length ({length - offset} bytes) after offset ({offset} bytes) must be a "
                             f"multiple of element size ({width})")
    if count > 0 and offset + count * width > length:
        raise error("MG207", f"requested buffer length ({count} * {width} bytes) after offset ({offset} bytes) must "
                             f"not be greater than actual buffer length ({length} bytes)")
    if memory.readonly:
        warn("The given buffer is not writable, so writing to the tensor will fail. To write to it, copy it first: "
             "bytearray(buffer).")
    return np.frombuffer(memory, kind.numpy, count, offset)


def empty_like(array, kind, empty=empty):
    """A new array with the shape of ``array`` and its order of dims in memory, without gaps; ``empty`` makes one."""
    if array.flags.c_contiguous or array.ndim < 2:
        return empty(array.shape, kind.numpy)
    order = outer_first(array)
    made = empty([array.shape[axis] for axis in order], kind.numpy)
    return made.transpose(np.argsort(order))


def laid_out_like(form, array):
    """``array``, or a copy of it whose dims lie in memory in the order of those of ``form``, of the same shape."""
    if is_meta(array) or form.flags.c_contiguous:
        return array
    made = empty_like(form, dtypes.of_numpy(array.dtype))
    made[...] = array
    return made


def cast(array, kind):
    """A new array with the numbers of ``array`` as ``kind``, in the same order in memory."""
    made = empty_like(array, kind)
    with quiet():
        if array.dtype.kind == "c" and kind.category < COMPLEX and kind.category != BOOL:
            warn("Casting complex values to real discards the imaginary part")
            array = array.real
        np.copyto(made, array, casting="unsafe")
    return made


# ------------------------------------------------------------------------------ errors


def unknown_type(function, cls):
    return error("MG401", f"{function}(): Could not infer dtype of {cls.__name__}: "
                          "tensors are made of numbers, nested sequences of numbers, and arrays")


def not_one_element(x):
    return error("MG403", "only one element tensors can be converted to Python scalars: one of the entries has "
                          f"shape {list(x.shape)}; torch.stack joins tensors of equal shape")


def mixed_depths(cls):
    return error("MG402", f"'{cls.__name__}' object cannot be interpreted as an integer: "
                          "numbers and sequences are mixed at the same depth")


def unsupported(numpy_dtype):
    return error("MG402", f"can't convert np.ndarray of type numpy.{numpy_dtype.type.__name__}. The only supported "
                          "types are: float64, float32, float16, complex64, complex128, int64, int32, int16, int8, "
                          "uint8, and bool. Convert it first, for example array.astype('float64')")


def foreign_byte_order():
    return error("MG403", "given numpy array has byte order different from the native byte order. Conversion "
                          "between byte orders is currently not supported where memory is shared: "
                          "torch.tensor(array) copies")


def negative_strides():
    return error("MG403", "At least one stride in the given numpy array is negative, and tensors with negative "
                          "strides are not currently supported. (You can probably work around this by making a copy "
                          "of your array with array.copy(), or with torch.tensor(array).)")


def unaligned_strides():
    return error("MG403", "given numpy array strides not a multiple of the element byte size. "
                          "Copy the numpy array to reallocate the memory.")
