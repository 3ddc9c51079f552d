"""Make tensors: from data, from arrays, from a shape and a value.

``tensor`` and its relatives take Python numbers, nested sequences, NumPy arrays and tensors;
``zeros``, ``full`` and the like need only a shape; the ``*_like`` and ``new_*`` forms take the shape or the dtype of
an existing tensor.

The one idea: each function makes an ndarray of the right dtype and passes it to the core (``wrap``), where the ndarray
becomes the tensor's memory.  ``tensor`` always copies; ``from_numpy`` never does: array and tensor are then two names
for the same numbers.

All take ``dtype=``, ``device=`` (the CPU, or "meta", where there are no numbers) and ``requires_grad=``;
``memory_format=`` sets the order of the elements in memory; ``layout=`` and ``pin_memory=`` are accepted where PyTorch
accepts them, without effect.
A ``Composite`` is a function that shows in profiles.  creation/arrays.py converts the data; ranges are in
creation/ranges.py, random tensors in random; tensors/to_python.py goes back from tensors to Python and NumPy.
"""

import numpy as np
from functools import partial
from operator import index

from minigrad import dtypes
from minigrad._core.devices.device_arrays import DeviceArray, array_on, made_on, payload_of
from minigrad._core.devices.meta import is_meta, no_data
from minigrad._core.dispatch.composites import Composite
from minigrad._core.errors import error, warn
from minigrad._core.frontends import conversions, creation
from minigrad._core.frontends.conversions import Conversion
from minigrad._core.graph import Tensor, wrap
from minigrad._core.kernels.shapes.strided_views import another
from minigrad._core.runtime import dlpack
from minigrad._core.runtime.thread_state import interpreter
from minigrad.creation import arrays
from minigrad.creation.arrays import array_of, fit, infer, number
from minigrad.dtypes import FLOAT, META, as_dtype, placed
from minigrad.ops.formats import empty_in, format_name

__all__ = ["as_tensor", "asarray", "empty", "empty_like", "from_numpy", "full", "full_like", "ones", "ones_like",
           "scalar_tensor", "tensor", "zeros", "zeros_like"]


# --- The common arguments ----------------------------------------------------------------------

#: Decorator: a function that makes a tensor from a shape or numbers; its ``out=`` sets the dtype.
maker = partial(Composite, makes=True)


def options(function, dtype, device, requires_grad, otherwise=None):
    """The dtype, or ``otherwise`` or the default if none is given, after a check of the common arguments."""
    kind = as_dtype(dtype, function) or otherwise or dtypes.get_default_dtype()
    placed(device, function)
    if requires_grad and kind.category < FLOAT:
        raise without_derivative(function, kind)
    return kind


def sizes(function, shape, size=None):
    """The shape in ``f(2, 3)``, ``f((2, 3))``, ``f(torch.Size([2, 3]))`` or ``f(size=(2, 3))``."""
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
        raise error("MG204", f"{function}: Dimension size must be non-negative, got {length} at pos {position}: "
                             f"Trying to create tensor with negative dimension {length}")
    return length


def integer(function, argument, n, least=None):
    """The argument as an int, which must be at least ``least``."""
    try:
        n = index(n)
    except TypeError:
        raise error("MG205", f"{function}(): argument '{argument}' must be int, not {type(n).__name__}") from None
    if least is not None and n < least:
        raise error("MG204", f"{function}(): {argument} must be greater or equal to {least}, got {n}")
    return n


def the_tensor(function, input):
    """The array of an argument that must be a tensor."""
    if not isinstance(input, Tensor):
        raise error("MG205", f"{function}(): argument 'input' (position 1) must be Tensor, not {type(input).__name__}")
    return input._array


# --- From data ---------------------------------------------------------------------------------

COPY_CONSTRUCT = ("To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() or "
                  "sourceTensor.detach().clone().requires_grad_(True), rather than {}(sourceTensor).")


@partial(Composite, front=creation.tensor)
def tensor(data, *, dtype=None, device=None, requires_grad=False, pin_memory=False):
    """A tensor with a copy of ``data``: a number, nested sequences of numbers, an array.

    Without ``dtype`` it follows from the data: Python floats get the default dtype, ints int64; NumPy
    arrays and scalars keep theirs.  The result is a leaf: no gradient flows back into ``data``.

    >>> torch.tensor([[1, 2], [3, 4.5]])
    tensor([[1.0000, 2.0000],
            [3.0000, 4.5000]])
    >>> torch.tensor(2., requires_grad=True)
    tensor(2., requires_grad=True)
    """
    if isinstance(data, Tensor):
        warn(COPY_CONSTRUCT.format("torch.tensor"))
        array = payload_of(data)
        device = array.device if device is None and isinstance(array, DeviceArray) else device
    return leaf("tensor", array_of(data, as_dtype(dtype)), device, requires_grad)


def leaf(function, array, device, requires_grad):
    """The array as a tensor without history."""
    options(function, dtypes.of_numpy(array.dtype), device, requires_grad)
    if is_meta(array) and device is not None and placed(device) is not META:
        raise no_data(f"{function}()")
    return finished(array, device, requires_grad)


def finished(array, device, requires_grad=False, like=None):
    """The array as a tensor of this device; on "meta" its numbers are forgotten."""
    return wrap(array_on(placed(device, like=like), array), bool(requires_grad))


def maker_on(device, make, like=None):
    """``make``, such as ``np.zeros``, or on another device than the CPU what makes such an array there."""
    return made_on(placed(device, like=like), make)


@partial(Conversion, front=conversions.from_numpy)
def from_numpy(ndarray):
    """A tensor that shares its memory with a NumPy array: a write to one changes the other.

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
    return wrap(another(ndarray), False)


@partial(Composite, front=conversions.as_tensor)
def as_tensor(data, dtype=None, device=None):
    """``data`` as a tensor, copied only if necessary: a tensor is returned unchanged, an array shares its memory.

    >>> x = torch.tensor([1., 2.], requires_grad=True)
    >>> torch.as_tensor(x) is x
    True
    """
    kind = as_dtype(dtype, "as_tensor")
    where = placed(device, "as_tensor")
    if isinstance(data, Tensor):
        same = device is None or data.device is where
        return (data if kind in (None, data.dtype) else data.to(kind)) if same else data.to(where, kind)
    if isinstance(data, np.ndarray) and kind in (None, arrays.shareable(data)):
        return finished(another(data), where)
    return finished(array_of(data, kind, "as_tensor"), where)


def lent(obj, kind):
    """An array in the memory that ``obj`` lends, as a capsule of DLPack or as a buffer; or ``obj`` itself."""
    if type(obj).__name__ == "PyCapsule":
        return dlpack.take(obj, arrays.KINDS)
    try:
        memoryview(obj).release()
    except TypeError:
        return obj
    return arrays.of_buffer(obj, kind or dtypes.get_default_dtype())


@partial(Composite, front=conversions.asarray)
def asarray(obj, *, dtype=None, device=None, copy=None, requires_grad=None):
    """``obj`` as a tensor; its numbers must be copied if ``copy`` is True, must not if it is False, and may by default.

    A capsule of DLPack lends its memory, and so does what has Python's buffer protocol, such as ``bytearray``, whose
    bytes are read as ``dtype``, or as the default dtype: see :func:`frombuffer`.

    >>> torch.asarray([1, 2])
    tensor([1, 2])
    >>> torch.asarray(bytearray([1, 0, 2, 0]), dtype=torch.int16)
    tensor([1, 2], dtype=torch.int16)
    """
    kind = as_dtype(dtype, "asarray")
    if not isinstance(obj, (Tensor, np.ndarray, np.generic, list, tuple, *arrays.NUMBERS)):
        obj = lent(obj, kind)
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
        array = another(obj) if shares and not copy else array_of(obj, kind, "asarray")
        return leaf("asarray", array, device, requires_grad)
    options("asarray", kind or obj.dtype, device, requires_grad)
    if device is not None and placed(device) is not obj.device:
        result = obj.to(placed(device), kind)
    else:
        result = obj.to(kind) if not shares else obj.clone() if copy else obj
    if requires_grad is False and result.requires_grad:
        return result.detach()
    if requires_grad and not result.requires_grad:
        return (result.detach() if result is obj else result).requires_grad_()
    return result


# --- One value everywhere ----------------------------------------------------------------------

@partial(maker, front=creation.zeros)
def zeros(*shape, size=None, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False):
    """A tensor of zeros.

    >>> torch.zeros(2, 3)
    tensor([[0., 0., 0.],
            [0., 0., 0.]])
    """
    kind = options("zeros", dtype, device, requires_grad)
    return wrap(maker_on(device, np.zeros)(sizes("zeros", shape, size), kind.numpy), bool(requires_grad))


@partial(maker, front=creation.ones)
def ones(*shape, size=None, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False):
    """A tensor of ones.

    >>> torch.ones(3, dtype=torch.int64)
    tensor([1, 1, 1])
    """
    kind = options("ones", dtype, device, requires_grad)
    return wrap(maker_on(device, np.ones)(sizes("ones", shape, size), kind.numpy), bool(requires_grad))


@partial(maker, front=creation.empty)
def empty(*shape, size=None, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False,
          memory_format=None):
    """An uninitialized tensor: its numbers are whatever was in its memory.

    >>> torch.empty(2, 3).shape
    torch.Size([2, 3])
    """
    kind = options("empty", dtype, device, requires_grad)
    made = empty_in("empty", sizes("empty", shape, size), kind.numpy, format_name("empty", memory_format),
                    maker_on(device, np.empty))
    return wrap(made, bool(requires_grad))


empty.any_numbers = True                # an `out` of the shape is what is wanted already


@partial(maker, front=creation.full)
def full(size, fill_value, *, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False):
    """A tensor with ``fill_value`` everywhere; without ``dtype`` it follows from the value.

    >>> torch.full((2,), 3.5)
    tensor([3.5000, 3.5000])
    """
    value = number("full", "fill_value", fill_value)
    kind = options("full", dtype, device, requires_grad, infer(value))
    array = maker_on(device, np.empty)(size_tuple("full", size), kind.numpy)
    return wrap(filled(array, fit(value, kind)), bool(requires_grad))


def filled(array, value):
    """The array with this value everywhere, if it has room for it."""
    if not is_meta(array):
        array.fill(value)
    return array


@maker
def scalar_tensor(s, *, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False):
    """A tensor without dims that holds a number, in the default dtype if none is given.

    >>> torch.scalar_tensor(3)
    tensor(3.)
    """
    kind = options("scalar_tensor", dtype, device, requires_grad)
    return finished(np.array(fit(number("scalar_tensor", "s", s), kind), kind.numpy), device, requires_grad)


def _like(function, input, dtype, device, requires_grad, memory_format):
    """An uninitialized array with the shape of ``input`` and, by default, its dtype and memory order."""
    array = the_tensor(function, input)
    kind = options(function, dtype, device, requires_grad, input.dtype)
    empty = maker_on(device, np.empty, input)
    if input._level:
        return empty(tuple(input.shape), kind.numpy), kind
    name = format_name(function, memory_format)
    if name != "preserve_format":
        return empty_in(function, array.shape, kind.numpy, name, empty), kind
    return arrays.empty_like(array, kind, empty), kind


def beside(input, array, requires_grad=False, alike=False):
    """The tensor of ``array``, at the level of ``input``: inside vmap, one for each example.

    With ``alike`` they lie in memory in the order of ``input``, all examples together.
    """
    if input._level:
        return interpreter(input._level).beside(input, array, alike)
    return wrap(arrays.laid_out_like(input._array, array) if alike else array, bool(requires_grad))


def beside_alike(input, array, requires_grad, memory_format):
    """The tensor of an array that ``_like`` has made, in the memory order of ``input`` if no other was asked for."""
    return beside(input, array, requires_grad, bool(input._level) and memory_format in (None, dtypes.preserve_format))


@partial(Composite, front=creation.zeros_like)
def zeros_like(input, *, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False,
               memory_format=None):
    """Zeros with the shape and dtype of ``input``.

    >>> torch.zeros_like(torch.tensor([1, 2]))
    tensor([0, 0])
    """
    array, _ = _like("zeros_like", input, dtype, device, requires_grad, memory_format)
    return beside_alike(input, filled(array, 0), requires_grad, memory_format)


@partial(Composite, front=creation.ones_like)
def ones_like(input, *, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False,
              memory_format=None):
    """Ones with the shape and dtype of ``input``.

    >>> torch.ones_like(torch.tensor([1., 2.]))
    tensor([1., 1.])
    """
    array, _ = _like("ones_like", input, dtype, device, requires_grad, memory_format)
    return beside_alike(input, filled(array, 1), requires_grad, memory_format)


@partial(Composite, front=creation.full_like)
def full_like(input, fill_value, *, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False,
              memory_format=None):
    """``fill_value`` everywhere, with the shape and dtype of ``input``.

    >>> torch.full_like(torch.zeros(2), 7)
    tensor([7., 7.])
    """
    array, kind = _like("full_like", input, dtype, device, requires_grad, memory_format)
    array = filled(array, fit(number("full_like", "fill_value", fill_value), kind))
    return beside_alike(input, array, requires_grad, memory_format)


@partial(Composite, front=creation.empty_like)
def empty_like(input, *, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False,
               memory_format=None):
    """An uninitialized tensor with the shape and dtype of ``input``.

    >>> torch.empty_like(torch.zeros(2, 3)).shape
    torch.Size([2, 3])
    """
    array, _ = _like("empty_like", input, dtype, device, requires_grad, memory_format)
    return beside_alike(input, array, requires_grad, memory_format)


# --- Methods: Tensor.new_* ---------------------------------------------------------------------

@partial(Composite, front=creation.new_tensor_)
def new_tensor(self, data, *, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False):
    """A tensor with a copy of ``data`` and the dtype of ``self``.

    >>> torch.ones(1, dtype=torch.float64).new_tensor([1, 2])
    tensor([1., 2.], dtype=torch.float64)
    """
    if isinstance(data, Tensor):
        warn(COPY_CONSTRUCT.format("tensor.new_tensor"))
    return leaf("new_tensor", array_of(data, as_dtype(dtype) or self.dtype), placed(device, "new_tensor", self),
                requires_grad)


@partial(Composite, front=creation.new_zeros)
def new_zeros(self, *shape, size=None, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False):
    """A tensor of zeros with the dtype of ``self``.

    >>> torch.ones(1, dtype=torch.int64).new_zeros(2)
    tensor([0, 0])
    """
    kind = options("new_zeros", dtype, device, requires_grad, self.dtype)
    return beside(self, maker_on(device, np.zeros, self)(sizes("new_zeros", shape, size), kind.numpy), requires_grad)


@partial(Composite, front=creation.new_ones)
def new_ones(self, *shape, size=None, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False):
    """A tensor of ones with the dtype of ``self``.

    >>> torch.zeros(1, dtype=torch.int64).new_ones(2)
    tensor([1, 1])
    """
    kind = options("new_ones", dtype, device, requires_grad, self.dtype)
    return beside(self, maker_on(device, np.ones, self)(sizes("new_ones", shape, size), kind.numpy), requires_grad)


@partial(Composite, front=creation.new_empty)
def new_empty(self, *shape, size=None, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False):
    """An uninitialized tensor with the dtype of ``self``.

    >>> torch.zeros(1, dtype=torch.int64).new_empty(2, 3).dtype
    torch.int64
    """
    kind = options("new_empty", dtype, device, requires_grad, self.dtype)
    return beside(self, maker_on(device, np.empty, self)(sizes("new_empty", shape, size), kind.numpy), requires_grad)


@partial(Composite, front=creation.new_full)
def new_full(self, size, fill_value, *, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False):
    """A tensor with ``fill_value`` everywhere and the dtype of ``self``.

    >>> torch.zeros(1).new_full((2,), 3)
    tensor([3., 3.])
    """
    kind = options("new_full", dtype, device, requires_grad, self.dtype)
    array = maker_on(device, np.empty, self)(size_tuple("new_full", size), kind.numpy)
    return beside(self, filled(array, fit(number("new_full", "fill_value", fill_value), kind)), requires_grad)


#: the methods that _tensor.py attaches to the class
METHODS = {"new_empty": new_empty, "new_full": new_full, "new_ones": new_ones, "new_tensor": new_tensor,
           "new_zeros": new_zeros}


# ------------------------------------------------------------------------------ errors


def without_derivative(function, kind):
    return error("MG111", "Only Tensors of floating point and complex dtype can require gradients, and "
                          f"{function}() makes {kind!r} here: write dtype=torch.float32, or leave requires_grad out")
