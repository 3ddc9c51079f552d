"""From tensors back to Python and NumPy, and what makes a tensor behave like a number or a sequence.

``item`` and ``tolist`` give Python numbers, ``numpy`` an array on the same memory.  The special
methods that Python calls (``bool(t)``, ``int(t)``, ``format(t)``, ``x in t``) are here too;
tensor.py makes them methods.

The one idea: leaving the tensor means leaving the graph.  What NumPy computes, no derivative knows
of, so ``numpy`` refuses a tensor that requires grad unless recording is off or ``force=True``.

The way in is creation.py; copies and files are in serialization.py.
"""

import numpy as np

from minigrad import dtypes
from minigrad._core import modes
from minigrad._core.errors import error
from minigrad._core.graph import Tensor, wrap


# --- To Python numbers -------------------------------------------------------------------------

def item(tensor):
    """The value of a tensor with one element, as a Python number.

    >>> torch.tensor([[2.5]]).item()
    2.5
    """
    array = tensor._array
    if array.size != 1:
        raise error("MG401", f"a Tensor with {array.size} elements cannot be converted to Scalar: tolist() gives all of them")
    return array.item()


def tolist(tensor):
    """The numbers as nested lists; of a tensor without dimensions, the number itself.

    >>> torch.tensor([[1, 2], [3, 4]]).tolist()
    [[1, 2], [3, 4]]
    """
    return tensor._array.tolist()


def bool_(tensor):
    """``bool(tensor)``: whether its one element is different from zero."""
    size = tensor._array.size
    if size != 1:
        raise error("MG401", "Boolean value of Tensor with " + ("no values" if size == 0 else "more than one value")
                             + f" is ambiguous (its shape is {list(tensor.shape)}): say any() or all()")
    return bool(tensor._array.item())


def _one(tensor):
    array = tensor._array
    if array.size != 1:
        raise error("MG403", "only one element tensors can be converted to Python scalars, "
                             f"this one has shape {list(tensor.shape)}")
    return array.item()


def _real(tensor, type_name):
    value = _one(tensor)
    if isinstance(value, complex):
        if value.imag:
            raise error("MG209", f"value cannot be converted to type {type_name} without overflow: {value} has an "
                                 "imaginary part; say tensor.real or abs(tensor)")
        return value.real
    return value


def int_(tensor):
    """``int(tensor)``: its one element without the fraction."""
    return int(_real(tensor, "int64"))


def float_(tensor):
    """``float(tensor)``: its one element."""
    return float(_real(tensor, "double"))


def complex_(tensor):
    """``complex(tensor)``: its one element."""
    return complex(_one(tensor))


def index_(tensor):
    """``[10, 20, 30][tensor]``: its one element as an index of Python's sequences."""
    array = tensor._array
    if array.size != 1 or array.dtype.kind not in "biu":
        raise error("MG402", "only integer tensors of a single element can be converted to an index, "
                             f"not one of {tensor.dtype!r} with shape {list(tensor.shape)}")
    return int(array.item())


def format_(tensor, spec):
    """``f"{tensor:.3f}"``: a tensor without dimensions formats like its number."""
    if tensor.ndim == 0 and type(tensor) is Tensor:
        return format(item(tensor), spec)
    if spec:
        raise error("MG402", "unsupported format string passed to Tensor.__format__: only tensors without dimensions "
                             f"format as numbers, this one has shape {list(tensor.shape)}; try tensor.item() or print it")
    return repr(tensor)


def len_(tensor):
    """``len(tensor)``: the length of its first dimension."""
    if tensor.ndim == 0:
        raise error("MG402", "len() of a 0-d tensor")
    return tensor.shape[0]


def contains(tensor, element):
    """``element in tensor``: whether any of its numbers equals ``element``."""
    if isinstance(element, Tensor):
        element = element._array
    elif not isinstance(element, (bool, int, float, complex)):
        raise error("MG401", "Tensor.__contains__ only supports Tensor or scalar, "
                             f"but you passed in a {type(element)}.")
    return bool(np.any(tensor._array == element))


# --- To and from NumPy -------------------------------------------------------------------------

def numpy_(tensor, *, force=False):
    """The numbers as a NumPy array on the same memory: what is written to one is seen in the other.

    ``force=True`` is short for ``tensor.detach().numpy()``.  Writing through the array is invisible
    to autograd: it raises no version, so a saved tensor that is changed so goes unnoticed.

    >>> t = torch.zeros(2)
    >>> t.numpy()[0] = 5
    >>> t
    tensor([5., 0.])
    """
    if tensor.requires_grad and not force and modes.is_grad_enabled():
        raise error("MG108", "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")
    return tensor._array


def array(tensor, dtype=None, copy=None):
    """``np.asarray(tensor)``: NumPy asks for this."""
    return np.array(numpy_(tensor), dtype=dtype, copy=copy)


def array_wrap(tensor, result, context=None, return_scalar=False):
    """``np.sin(tensor)``: what NumPy computed from a tensor comes back as one."""
    result = np.asarray(result)
    if dtypes.of_numpy(result.dtype) is None:
        return result
    return wrap(result, False)
