"""Arrays of random numbers: how the numbers of a stream get into memory.

A distribution says how numbers are made of the bits of a stream, in the order in which the elements lie in memory.  The
loops are in ``_core/kernels/random``; here is what they are told, and what an open vmap says about it.
"""

import math

import numpy as np

from minigrad import dtypes
from minigrad._core.devices.device_arrays import array_on, made_on
from minigrad._core.dispatch.levels import wrap_level
from minigrad._core.errors import error, warn
from minigrad._core.graph import wrap
from minigrad._core.kernels.random import random_arrays
from minigrad._core.runtime.errstate import quiet
from minigrad._core.runtime.memory_pool import empty
from minigrad._core.runtime.thread_state import levels
from minigrad.creation import arrays, integer
from minigrad.dtypes import BOOL, COMPLEX, FLOAT, INT
from minigrad.ops.formats import outer_first
from minigrad.random.generators import Generator, default_generator


def stream(function, generator):
    """The Generator to draw from; an error if an open vmap forbids random numbers."""
    for batch in vmaps():
        if not batch.drawing:
            refuse_in(batch, function)
    if generator is None:
        return default_generator
    if not isinstance(generator, Generator):
        raise error("MG205", f"{function}(): argument 'generator' must be torch.Generator, "
                             f"not {type(generator).__name__}")
    return generator


# vmap's ``randomness`` says how to draw random numbers inside it: "error", the "same" for all examples, or "different"
# ones.  ``drawing`` of its interpreter (func/interpreters.py) is on while they are drawn accordingly.

def vmaps():
    """The interpreters of the open vmaps, outermost first."""
    return [batch for batch in levels() if batch.maps]


def refuse_in(batch, function):
    if batch.randomness == "error":
        raise random_in_error_mode(function)
    if batch.randomness == "different":
        raise one_tensor_for_all(function)


def drawn(function, fill, shape, kind, generator=None, requires_grad=False, form=None, device=dtypes.CPU):
    """A new tensor, filled by ``fill(stream, array)``; for every vmap with different random numbers it has a batch axis
    in front.  Its order in memory is that of the array ``form``.  On the device "meta" nothing is drawn."""
    where = dtypes.placed(device, function)
    if where is dtypes.META:
        return wrap(made_on(where, np.empty)(shape, kind.numpy), bool(requires_grad))
    batches = vmaps()
    for batch in batches:
        if batch.randomness == "error":
            refuse_in(batch, function)
        batch.drawing += 1
    try:
        apart = [batch for batch in batches if batch.randomness == "different"]
        source = stream(function, generator)
        shape = (*[batch.size for batch in apart], *shape)
        if form is not None and form.ndim > len(shape):         # one for all examples lies as the first of them does
            form = form[(0,) * (form.ndim - len(shape))]
        array = (empty(shape, kind.numpy) if form is None or form.shape != shape
                 else arrays.empty_like(form, kind))
        fill(source, array)
        made = wrap(array_on(where, array), bool(requires_grad))
    finally:
        for batch in batches:
            batch.drawing -= 1
    for batch in apart:
        made = wrap_level(made, batch.level, 1)
    return made


def order_of(tensor):
    """The array whose order in memory a tensor like this one takes; None where that is the order of its elements."""
    array = tensor._array
    return array if isinstance(array, np.ndarray) and not array.flags.c_contiguous else None


def must_be_floating(function, kind):
    if kind.category < FLOAT:
        raise error("MG202", f'"{function}" not implemented for {kind!r}: take a floating point or complex dtype')


def filled(array, fill, work=None):
    """Fill a dense array in the order of its memory, complex numbers part by part: ``fill`` is given a contiguous array
    of the dtype ``work``, which is that of ``array`` or is converted to it; by default, 16-bit floats are computed as
    float32."""
    numbers = array.transpose(outer_first(array)).reshape(-1)
    if array.dtype.kind == "c":
        numbers = numbers.view(array.real.dtype)
    work = work or (np.dtype(np.float32) if is_short(array.dtype) else numbers.dtype)
    if numbers.dtype == work:
        fill(numbers)
    else:
        computed = np.empty(numbers.shape, work)
        fill(computed)
        with quiet():
            numbers[...] = computed


def is_short(dtype):
    """A 16-bit float?"""
    return dtype.kind in "fV" and dtype.itemsize == 2


def fill_uniform(source, array, low=0., high=1.):
    """Numbers from ``low`` to below ``high``, of a floating point or complex dtype."""
    def fill(numbers):
        random_arrays.uniform(source, numbers, low, high)
        if is_short(array.dtype):       # PyTorch begins again at `low` where rounding arrives at `high`
            end = np.asarray(high, array.dtype)
            last = np.nextafter(end, np.asarray(-np.inf, array.dtype))
            near = np.flatnonzero(numbers >= last.astype(np.float32))
            numbers[near[numbers[near].astype(array.dtype) >= end]] = low
    filled(array, fill)


def fill_normal(source, array, mean=0., std=1., dense=None):
    """Numbers with this mean and standard deviation; each part of a complex number has half the variance.

    Dense memory, where the elements lie in their order, is filled in blocks (``_core/kernels/random/distributions.h``).
    """
    if array.dtype.kind == "c":
        std = std / 2 ** 0.5

    def fill(numbers):
        if array.flags.c_contiguous if dense is None else dense:
            random_arrays.normal(source, numbers, mean, std, is_short(array.dtype))
        else:
            random_arrays.each(source, "normal", numbers, mean, std)
    filled(array, fill)


def fill_each(source, array, law, p, q=0.):
    """Numbers of one of the laws in ``_core/kernels/random/random_arrays.pyx``, drawn one by one in double
    precision."""
    known = is_short(array.dtype) or array.dtype in (np.float32, np.float64, np.int64)
    filled(array, lambda numbers: random_arrays.each(source, law, numbers, p, q),
           None if known else np.dtype(np.int64))


def fill_integers(function, source, array, low, high):
    """Integers from ``low`` to below ``high``; without ``high``, as far as the dtype goes."""
    kind = dtypes.of_numpy(array.dtype)
    low = integer(function, "low", low)
    high = most_of(kind) + 1 if high is None else integer(function, "high", high)
    if low >= high:
        raise error("MG204", f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}")
    if kind.category == COMPLEX:
        raise error("MG202", f'"{function}" not implemented for {kind!r}: take an integer or floating point dtype')
    if kind.category == FLOAT:
        digits = 1 - round(math.log2(dtypes.finfo(kind).eps))
        for name, value in (("from", low), ("to - 1", high - 1)):
            if abs(value) > 1 << digits:
                warn(f"{name} is out of bounds [-(2^{digits}), 2^{digits}]. Due to precision limitations {kind!r} can "
                     "support discrete uniform distribution only within this range: not every integer beyond it is "
                     "drawn")
        low, high = representable(low, high, array.dtype.type, digits)
        if low >= high:
            raise error("MG204", "random_ expects 'from' casted to dtype to be less than 'to' casted to dtype, but got "
                                 f"from={low} >= to={high}")
    info = dtypes.iinfo(kind) if kind.category == INT else None
    least, most = (0, 1) if kind.category == BOOL else (info.min, info.max) if info else (-2 ** 63, 2 ** 63 - 1)
    for name, value in (("from", low), ("to - 1", high - 1)):
        if not least <= value <= most:
            raise error("MG204", f"{name} is out of bounds for {kind!r}: {value} is not in {least}..{most}")
    draw_integers(source, array, low, high - low, high - low >= 2 ** 28)


def representable(low, high, cast, digits):
    """The bounds, moved inwards where an integer beside them rounds out of the range, as in PyTorch.

    The gap between floats of n bits is 2**(n - digits).
    """
    def gap(number):
        return 1 << max(abs(number).bit_length() - digits, 0)

    lowest, highest = int(cast(low + 1)), int(cast(high - 1))
    return lowest + gap(low + 1) if lowest < low else low, highest - gap(high - 1) if highest >= high else high


def most_of(kind):
    """How far ``random_`` goes by itself: all integers of an integer dtype, all that a float holds without gaps."""
    if kind.category >= FLOAT:
        return round(2 / dtypes.finfo(kind).eps)
    return 1 if kind.category == BOOL else dtypes.iinfo(kind).max


def draw_integers(source, array, low, span, wide):
    """Integers from ``low`` on, of which there are ``span``; ``wide``: each takes two words of the stream."""
    if span == 2 ** 64:         # all that there are: two words as they come
        low = span = 0
    filled(array, lambda numbers: random_arrays.integers(source, numbers, low, span, wide),
           None if array.dtype in (np.float32, np.float64, np.int32) else np.dtype(np.int64))


def fill_permuted(source, array):
    """In each row, the integers below its length in random order."""
    n = array.shape[-1]
    for row in array.reshape(-1, n) if n else ():
        numbers = np.arange(n, dtype=np.int64)
        random_arrays.shuffle(source, numbers)
        row[...] = numbers


def fill_chances(source, array, p):
    """Ones and zeros; each element of ``p``, which broadcasts to ``array``, is the probability of a one."""
    order = outer_first(array)
    p = np.broadcast_to(p, array.shape).transpose(order)
    array.transpose(order)[...] = random_arrays.chances(source,
                                                        np.ascontiguousarray(p, np.float64 if p.dtype == np.float64
                                                                                 else np.float32).reshape(p.shape))


def must_spread(function, std):
    if not std >= 0:
        raise error("MG204", f"{function} expects std >= 0.0, but found std {std:g}")


# ------------------------------------------------------------------------------ errors

def random_in_error_mode(function):
    return error("MG117", f"vmap: called random operation while in randomness error mode ({function}). Please "
                          "either use the 'same' or 'different' randomness flags on vmap or perform the randomness "
                          "operation out of vmap")


def one_tensor_for_all(function):
    return error("MG117", f"vmap: Cannot ask for different inplace randomness on an unbatched tensor ({function}). "
                          "This will appear like same randomness: the tensor has room for only one example. Make it "
                          "from a mapped tensor, as in torch.zeros_like(x).")
