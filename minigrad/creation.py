"""Making tensors: from data, from arrays, from a shape and a value, from a range.

``tensor`` and its relatives take Python numbers, nested sequences, NumPy arrays and tensors;
``zeros``, ``full``, ``eye``, ``arange`` and the like need only a few numbers; the ``*_like`` and
``new_*`` forms borrow shape or dtype from a tensor that is already there.

The one idea: each function ends with an ndarray of the right dtype and hands it to the core
(``wrap``), where the ndarray becomes the tensor's memory.  ``tensor`` always copies; ``from_numpy``
never does: array and tensor are then two names for the same numbers.

All take ``dtype=``, ``device=`` (only the CPU is there) and ``requires_grad=``; ``layout=``,
``pin_memory=`` and ``memory_format=`` are accepted where PyTorch accepts them and change nothing.
What data become is decided in arrays.py; random tensors are in random.py; the way back from
tensors to Python and NumPy is in conversions.py.
"""

import numpy as np
from math import ceil, isfinite
from operator import index
from warnings import warn

from minigrad import arrays, dtypes
from minigrad._core.errors import error
from minigrad._core.graph import Tensor, wrap
from minigrad.arrays import array_of, fit, infer, number
from minigrad.dtypes import BOOL, COMPLEX, FLOAT, INT, as_device, as_dtype

__all__ = ["arange", "as_tensor", "asarray", "empty", "empty_like", "eye", "from_numpy", "full", "full_like", "linspace",
           "logspace", "ones", "ones_like", "tensor", "tril_indices", "triu_indices", "zeros", "zeros_like"]


# --- The arguments that all share --------------------------------------------------------------

def options(function, dtype, device, requires_grad, otherwise=None):
    """Check the arguments that every function here has.  The dtype; where none is given, ``otherwise`` or the default."""
    kind = as_dtype(dtype, function) or otherwise or dtypes.get_default_dtype()
    as_device(device, function)
    if requires_grad and kind.category < FLOAT:
        raise error("MG111", "Only Tensors of floating point and complex dtype can require gradients, and "
                             f"{function}() makes {kind!r} here: write dtype=torch.float32, or leave requires_grad out")
    return kind


def sizes(function, shape, size=None):
    """The shape that ``f(2, 3)``, ``f((2, 3))``, ``f(torch.Size([2, 3]))`` or ``f(size=(2, 3))`` asks for."""
    if size is not None:
        shape = (size,)
    if not shape:
        raise error("MG205", f'{function}() missing 1 required positional arguments: "size"')
    if len(shape) == 1 and isinstance(shape[0], (tuple, list)):
        shape = shape[0]
    return tuple(dimension(function, n, position) for position, n in enumerate(shape))


def size_tuple(function, size):
    """A size that must be given as one tuple, as in ``full((2, 3), 1.)``."""
    if not isinstance(size, (tuple, list)):
        raise error("MG205", f"{function}(): argument 'size' must be tuple of ints, not {type(size).__name__}")
    return sizes(function, (size,))


def dimension(function, n, position):
    try:
        length = index(n)
    except TypeError:
        length = None
    if length is None or isinstance(n, bool):
        raise error("MG205", f"{function}(): argument 'size' must be tuple of ints, "
                             f"but found element of type {type(n).__name__} at pos {position}")
    if length < 0:
        raise error("MG204", f"{function}: Dimension size must be non-negative, got {length} at pos {position}")
    return length


def whole_number(function, argument, n, least=None):
    """The argument as an int, at least ``least``."""
    try:
        n = index(n)
    except TypeError:
        raise error("MG205", f"{function}(): argument '{argument}' must be int, not {type(n).__name__}") from None
    if least is not None and n < least:
        raise error("MG204", f"{function}(): {argument} must be greater or equal to {least}, got {n}")
    return n


def the_tensor(function, input):
    """The argument that must be a tensor, as its array."""
    if not isinstance(input, Tensor):
        raise error("MG205", f"{function}(): argument 'input' (position 1) must be Tensor, not {type(input).__name__}")
    return input._array


# --- From data ---------------------------------------------------------------------------------

COPY_CONSTRUCT = ("To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() or "
                  "sourceTensor.detach().clone().requires_grad_(True), rather than {}(sourceTensor).")


def tensor(data, *, dtype=None, device=None, requires_grad=False, pin_memory=False):
    """A tensor with a copy of ``data``: a number, nested sequences of numbers, an array.

    Without ``dtype`` the data decide: Python floats become the default dtype, ints int64; NumPy
    arrays and scalars keep theirs.  The result is a leaf: no gradient flows back into ``data``.

    >>> torch.tensor([[1, 2], [3, 4.5]])
    tensor([[1.0000, 2.0000],
            [3.0000, 4.5000]])
    >>> torch.tensor(2., requires_grad=True)
    tensor(2., requires_grad=True)
    """
    if isinstance(data, Tensor):
        warn(COPY_CONSTRUCT.format("torch.tensor"), stacklevel=2)
    return leaf("tensor", array_of(data, as_dtype(dtype)), device, requires_grad)


def leaf(function, array, device, requires_grad):
    """The array as a tensor without history."""
    options(function, dtypes.of_numpy(array.dtype), device, requires_grad)
    return wrap(array, bool(requires_grad))


def from_numpy(ndarray):
    """A tensor that shares its memory with a NumPy array: what is written to one is seen in the other.

    >>> import numpy as np
    >>> array = np.zeros(2)
    >>> t = torch.from_numpy(array)
    >>> array[0] = 1
    >>> t
    tensor([1., 0.], dtype=torch.float64)
    """
    if not isinstance(ndarray, np.ndarray):
        raise error("MG402", f"expected np.ndarray (got {type(ndarray).__name__}); torch.tensor takes other data")
    arrays.shareable(ndarray)
    return wrap(np.asarray(ndarray), False)


def as_tensor(data, dtype=None, device=None):
    """``data`` as a tensor, copied only where it must be: a tensor comes back as it is, an array shares its memory.

    >>> x = torch.tensor([1., 2.], requires_grad=True)
    >>> torch.as_tensor(x) is x
    True
    """
    kind = as_dtype(dtype, "as_tensor")
    as_device(device, "as_tensor")
    if isinstance(data, Tensor):
        return data if kind in (None, data.dtype) else data.to(kind)
    if isinstance(data, np.ndarray) and kind in (None, arrays.shareable(data)):
        return wrap(np.asarray(data), False)
    return wrap(array_of(data, kind, "as_tensor"), False)


def asarray(obj, *, dtype=None, device=None, copy=None, requires_grad=None):
    """``obj`` as a tensor; ``copy`` says that its numbers must (True), must not (False) or may be copied.

    >>> torch.asarray([1, 2])
    tensor([1, 2])
    """
    kind = as_dtype(dtype, "asarray")
    shares = isinstance(obj, (Tensor, np.ndarray))
    if copy is False and not shares:
        raise error("MG403", "can't alias arbitrary sequence into a tensor: a "
                             f"{type(obj).__name__} has no memory to share; leave copy=False out")
    if isinstance(obj, np.ndarray) and not copy:
        shares = kind in (None, arrays.shareable(obj))
    elif isinstance(obj, Tensor):
        shares = kind in (None, obj.dtype)
    if copy is False and not shares:
        raise error("MG403", f"can't alias tensor with dtype '{obj.dtype}' into dtype '{kind}': leave copy=False out")
    if not isinstance(obj, Tensor):
        array = np.asarray(obj) if shares and not copy else array_of(obj, kind, "asarray")
        return leaf("asarray", array, device, requires_grad)
    options("asarray", kind or obj.dtype, device, requires_grad)
    result = obj.to(kind) if not shares else obj.clone() if copy else obj
    if requires_grad is False and result.requires_grad:
        return result.detach()
    if requires_grad and not result.requires_grad:
        return (result.detach() if result is obj else result).requires_grad_()
    return result


# --- One value everywhere ----------------------------------------------------------------------

def zeros(*shape, size=None, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False):
    """A tensor of zeros.

    >>> torch.zeros(2, 3)
    tensor([[0., 0., 0.],
            [0., 0., 0.]])
    """
    kind = options("zeros", dtype, device, requires_grad)
    return wrap(np.zeros(sizes("zeros", shape, size), kind.numpy), bool(requires_grad))


def ones(*shape, size=None, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False):
    """A tensor of ones.

    >>> torch.ones(3, dtype=torch.int64)
    tensor([1, 1, 1])
    """
    kind = options("ones", dtype, device, requires_grad)
    return wrap(np.ones(sizes("ones", shape, size), kind.numpy), bool(requires_grad))


def empty(*shape, size=None, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False,
          memory_format=None):
    """A tensor to be filled: its numbers are whatever was in its memory.

    >>> torch.empty(2, 3).shape
    torch.Size([2, 3])
    """
    kind = options("empty", dtype, device, requires_grad)
    return wrap(np.empty(sizes("empty", shape, size), kind.numpy), bool(requires_grad))


def full(size, fill_value, *, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False):
    """A tensor with ``fill_value`` everywhere; without ``dtype`` the value decides it.

    >>> torch.full((2,), 3.5)
    tensor([3.5000, 3.5000])
    """
    value = number("full", "fill_value", fill_value)
    kind = options("full", dtype, device, requires_grad, infer(value))
    array = np.empty(size_tuple("full", size), kind.numpy)
    array.fill(fit(value, kind))
    return wrap(array, bool(requires_grad))


def _like(function, input, dtype, device, requires_grad, memory_format):
    """An unfilled array with the shape of ``input``, and its dtype and memory order unless told otherwise."""
    array = the_tensor(function, input)
    kind = options(function, dtype, device, requires_grad, input.dtype)
    if memory_format is dtypes.contiguous_format:
        return np.empty(array.shape, kind.numpy), kind
    return arrays.empty_like(array, kind), kind


def zeros_like(input, *, dtype=None, device=None, requires_grad=False, layout=None, memory_format=None):
    """Zeros with the shape and dtype of ``input``.

    >>> torch.zeros_like(torch.tensor([1, 2]))
    tensor([0, 0])
    """
    array, _ = _like("zeros_like", input, dtype, device, requires_grad, memory_format)
    array.fill(0)
    return wrap(array, bool(requires_grad))


def ones_like(input, *, dtype=None, device=None, requires_grad=False, layout=None, memory_format=None):
    """Ones with the shape and dtype of ``input``.

    >>> torch.ones_like(torch.tensor([1., 2.]))
    tensor([1., 1.])
    """
    array, _ = _like("ones_like", input, dtype, device, requires_grad, memory_format)
    array.fill(1)
    return wrap(array, bool(requires_grad))


def full_like(input, fill_value, *, dtype=None, device=None, requires_grad=False, layout=None, memory_format=None):
    """``fill_value`` everywhere, with the shape and dtype of ``input``.

    >>> torch.full_like(torch.zeros(2), 7)
    tensor([7., 7.])
    """
    array, kind = _like("full_like", input, dtype, device, requires_grad, memory_format)
    array.fill(fit(number("full_like", "fill_value", fill_value), kind))
    return wrap(array, bool(requires_grad))


def empty_like(input, *, dtype=None, device=None, requires_grad=False, layout=None, memory_format=None):
    """A tensor to be filled, with the shape and dtype of ``input``.

    >>> torch.empty_like(torch.zeros(2, 3)).shape
    torch.Size([2, 3])
    """
    array, _ = _like("empty_like", input, dtype, device, requires_grad, memory_format)
    return wrap(array, bool(requires_grad))


# --- Methods: Tensor.new_* ---------------------------------------------------------------------

def new_tensor(self, data, *, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False):
    """A tensor with a copy of ``data`` and the dtype of ``self``.

    >>> torch.ones(1, dtype=torch.float64).new_tensor([1, 2])
    tensor([1., 2.], dtype=torch.float64)
    """
    if isinstance(data, Tensor):
        warn(COPY_CONSTRUCT.format("tensor.new_tensor"), stacklevel=2)
    return leaf("new_tensor", array_of(data, as_dtype(dtype) or self.dtype), device, requires_grad)


def new_zeros(self, *shape, size=None, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False):
    """A tensor of zeros with the dtype of ``self``.

    >>> torch.ones(1, dtype=torch.int64).new_zeros(2)
    tensor([0, 0])
    """
    kind = options("new_zeros", dtype, device, requires_grad, self.dtype)
    return wrap(np.zeros(sizes("new_zeros", shape, size), kind.numpy), bool(requires_grad))


def new_ones(self, *shape, size=None, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False):
    """A tensor of ones with the dtype of ``self``.

    >>> torch.zeros(1, dtype=torch.int64).new_ones(2)
    tensor([1, 1])
    """
    kind = options("new_ones", dtype, device, requires_grad, self.dtype)
    return wrap(np.ones(sizes("new_ones", shape, size), kind.numpy), bool(requires_grad))


def new_empty(self, *shape, size=None, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False):
    """A tensor to be filled, with the dtype of ``self``.

    >>> torch.zeros(1, dtype=torch.int64).new_empty(2, 3).dtype
    torch.int64
    """
    kind = options("new_empty", dtype, device, requires_grad, self.dtype)
    return wrap(np.empty(sizes("new_empty", shape, size), kind.numpy), bool(requires_grad))


def new_full(self, size, fill_value, *, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False):
    """A tensor with ``fill_value`` everywhere and the dtype of ``self``.

    >>> torch.zeros(1).new_full((2,), 3)
    tensor([3., 3.])
    """
    kind = options("new_full", dtype, device, requires_grad, self.dtype)
    array = np.empty(size_tuple("new_full", size), kind.numpy)
    array.fill(fit(number("new_full", "fill_value", fill_value), kind))
    return wrap(array, bool(requires_grad))


#: what tensor.py attaches to the class
METHODS = {"new_empty": new_empty, "new_full": new_full, "new_ones": new_ones, "new_tensor": new_tensor,
           "new_zeros": new_zeros}


# --- Ranges and patterns -----------------------------------------------------------------------

def eye(n, m=None, *, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False):
    """The matrix with ones on its diagonal and zeros elsewhere, ``n`` by ``m`` (``n`` by ``n``).

    >>> torch.eye(2, 3)
    tensor([[1., 0., 0.],
            [0., 1., 0.]])
    """
    kind = options("eye", dtype, device, requires_grad)
    n = whole_number("eye", "n", n, 0)
    m = n if m is None else whole_number("eye", "m", m, 0)
    return wrap(np.eye(n, m, dtype=kind.numpy), bool(requires_grad))


def arange(start=None, end=None, step=1, *, dtype=None, device=None, requires_grad=False, layout=None,
           pin_memory=False):
    """The numbers from ``start`` (0) to ``end``, which is left out, in steps of ``step``.

    Whole numbers give int64, a float among them the default dtype.  With a step that is no exact
    binary fraction, rounding may decide whether the last number is there: ``linspace`` counts instead.

    >>> torch.arange(1, 2.5, 0.5)
    tensor([1.0000, 1.5000, 2.0000])
    """
    if start is None and end is None:
        raise error("MG205", "arange() takes arange(end), arange(start, end) or arange(start, end, step)")
    if end is None or start is None:
        start, end = 0, start if end is None else end
    start, end, step = (number("arange", name, value) for name, value in (("start", start), ("end", end), ("step", step)))
    whole = all(isinstance(value, int) for value in (start, end, step))
    kind = options("arange", dtype, device, requires_grad, dtypes.int64 if whole else None)
    _real_numbers("arange", kind)
    if any(isinstance(value, complex) for value in (start, end, step)):
        raise error("MG204", "arange(): value cannot be converted to type double without overflow: "
                             "complex numbers have no order")
    return wrap(_arange(start, end, step, kind), bool(requires_grad))


def _arange(start, end, step, kind):
    if not (isfinite(start) and isfinite(end)):
        raise error("MG204", f"arange(): unsupported range: {start} -> {end}")
    if kind is dtypes.int64:
        start, end, step = int(start), int(end), int(step)
    if step == 0 or kind.category == INT and int(step) == 0:
        raise error("MG204", f"arange(): step must be nonzero (it is {step} as {kind!r})")
    if (end - start) * step < 0:
        raise error("MG204", f"arange(): upper bound and lower bound inconsistent with step sign: "
                             f"no step of {step} leads from {start} to {end}")
    if kind is dtypes.int64:
        return np.arange(start, end, step, dtype=np.int64)
    n = ceil((end - start) / step)
    if kind.category == INT:                    # wraps around, as in C
        return (int(start) + int(step) * np.arange(n, dtype=np.int64)).astype(kind.numpy)
    return (start + step * np.arange(n, dtype=np.float64)).astype(kind.numpy)


def _real_numbers(function, kind):
    if kind.category in (BOOL, COMPLEX):
        raise error("MG202", f'"{function}" not implemented for {kind!r}: take an integer or floating point dtype')


def linspace(start, end, steps, *, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False):
    """``steps`` numbers from ``start`` to ``end``, both included, at equal distances.

    >>> torch.linspace(0, 1, 5)
    tensor([0.0000, 0.2500, 0.5000, 0.7500, 1.0000])
    """
    start, end, kind = _ends("linspace", start, end, dtype, device, requires_grad)
    return wrap(_linspace(start, end, _steps("linspace", steps), kind).astype(kind.numpy), bool(requires_grad))


def logspace(start, end, steps, base=10.0, *, dtype=None, device=None, requires_grad=False, layout=None,
             pin_memory=False):
    """``steps`` numbers from ``base ** start`` to ``base ** end``, each the same multiple of the one before.

    >>> torch.logspace(0, 2, 3)
    tensor([  1.,  10., 100.])
    """
    base = number("logspace", "base", base)
    start, end, kind = _ends("logspace", start, end, dtype, device, requires_grad)
    with np.errstate(all="ignore"):
        powers = np.power(base, _linspace(start, end, _steps("logspace", steps), kind))
        return wrap(powers.astype(kind.numpy), bool(requires_grad))


def _ends(function, start, end, dtype, device, requires_grad):
    """Both ends as numbers that the result's dtype can hold, and that dtype."""
    for name, value in (("start", start), ("end", end)):
        if isinstance(value, Tensor) and value.ndim:
            raise error("MG204", f"{function} only supports 0-dimensional start and end tensors, "
                                 f"but got {name} with {value.ndim} dimension(s).")
    start, end = (number(function, name, value.detach() if isinstance(value, Tensor) else value)
                  for name, value in (("start", start), ("end", end)))
    is_complex = isinstance(start, complex) or isinstance(end, complex)
    kind = options(function, dtype, device, requires_grad, dtypes.of_number_category(COMPLEX if is_complex else FLOAT))
    if kind.category == BOOL:
        _real_numbers(function, kind)
    return fit(start, kind), fit(end, kind), kind


def _steps(function, steps):
    steps = whole_number(function, "steps", steps)
    if steps < 0:
        raise error("MG204", f"{function}(): number of steps must be non-negative, got {steps}")
    return steps


def _linspace(start, end, steps, kind):
    """In double precision, counted from the nearer end, so that both ends are met exactly."""
    wide = np.complex128 if kind.category == COMPLEX else np.float64
    start, end = (wide(kind.numpy.type(value)) for value in (start, end))
    if steps == 1:
        return np.array([start])
    i = np.arange(steps)
    with np.errstate(all="ignore"):
        step = (end - start) / max(steps - 1, 1)
        return np.where(i < steps // 2, start + step * i, end - step * (steps - 1 - i))


def tril_indices(row, col, offset=0, *, dtype=dtypes.int64, device=None, layout=None):
    """The positions on and below the ``offset``-th diagonal of a ``row`` by ``col`` matrix: row numbers, column numbers.

    >>> torch.tril_indices(2, 3)
    tensor([[0, 1, 1],
            [0, 0, 1]])
    """
    return _triangle("tril_indices", np.tril_indices, row, col, offset, dtype, device)


def triu_indices(row, col, offset=0, *, dtype=dtypes.int64, device=None, layout=None):
    """The positions on and above the ``offset``-th diagonal of a ``row`` by ``col`` matrix: row numbers, column numbers.

    >>> torch.triu_indices(2, 3)
    tensor([[0, 0, 0, 1, 1],
            [0, 1, 2, 1, 2]])
    """
    return _triangle("triu_indices", np.triu_indices, row, col, offset, dtype, device)


def _triangle(function, positions, row, col, offset, dtype, device):
    kind = options(function, dtype, device, False)
    if kind not in (dtypes.int32, dtypes.int64):
        raise error("MG202", f'"{function}" not implemented for {kind!r}: take torch.int64')
    row, col = (whole_number(function, name, n, 0) for name, n in (("row", row), ("col", col)))
    return wrap(np.stack(positions(row, whole_number(function, "offset", offset), col)).astype(kind.numpy), False)
