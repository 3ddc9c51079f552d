"""Convert tensors back to Python and NumPy, and let them behave like numbers.

``item`` and ``tolist`` give Python numbers, ``numpy`` an array on the same memory; ``bool(t)``,
``int(t)``, ``f"{t:.3f}"``, ``x in t`` and the like are defined here too.

The one idea: leaving the tensor means leaving the graph.  Autograd does not record NumPy's computations, so ``numpy``
raises for a tensor that requires grad unless recording is off or ``force=True``; and inside a transform (vmap, grad) a
tensor has no single value to return.

_tensor.py attaches SLOTS and METHODS to the class.  The opposite direction is creation/__init__.py; copies and files
are in serialization/__init__.py.
"""

from functools import partial

import numpy as np

from minigrad import dtypes
from minigrad._core.devices.device_arrays import DeviceArray
from minigrad._core.errors import error
from minigrad._core.errors.refusals import made_without_data
from minigrad._core.frontends import queries
from minigrad._core.frontends.queries import Question
from minigrad._core.graph import Tensor, wrap
from minigrad._core.kernels.shapes.strided_views import another
from minigrad._core.runtime import thread_state


def memory(tensor, what):
    """The array of a tensor for ``what``; available inside grad and jvp, but inside vmap there is no single one."""
    array = tensor._array
    while not isinstance(array, np.ndarray):
        if array is None:
            raise made_without_data()
        if thread_state.interpreter(tensor._level, what).maps:
            raise of_many_examples(what)
        tensor = array
        array = tensor._array
    return array


def values(tensor, what):
    """The same, if it has numbers."""
    array = memory(tensor, what)
    return array.values(what) if isinstance(array, DeviceArray) else array


#: The meaning of some ways to ask for a tensor's value.
LOOKS = {"bool": "attempting to use a Tensor in some data-dependent control flow"}


# --- To Python numbers -------------------------------------------------------------------------

@partial(Question, answer=queries.item)
def item(self):
    """The value of a tensor with one element, as a Python number.

    >>> torch.tensor([[2.5]]).item()
    2.5
    """
    array = values(self, "item")
    if array.size != 1:
        raise not_one_element(array)
    return array.item()


@partial(Question, answer=queries.tolist)
def tolist(self):
    """The numbers as nested lists; for a tensor without dimensions, the number itself.

    >>> torch.tensor([[1, 2], [3, 4]]).tolist()
    [[1, 2], [3, 4]]
    """
    return values(self, "tolist").tolist()


@partial(Question, answer=queries.bool_)
def bool_(self):
    """``bool(tensor)``: whether its only element is different from zero."""
    array = values(self, "bool")
    if array.size != 1:
        how_many = "no values" if array.size == 0 else "more than one value"
        raise ambiguous(how_many, array)
    return bool(array.item())


def _one(tensor, what):
    array = values(tensor, what)
    if array.size != 1:
        raise not_a_scalar(what, array)
    return array.item()


def _one_real(tensor, what):
    value = _one(tensor, what)
    if isinstance(value, complex):
        if value.imag:
            raise with_imaginary_part(what, value)
        return value.real
    return value


@partial(Question, answer=queries.int_)
def int_(self):
    """``int(tensor)``: its only element, without the fraction."""
    return int(_one_real(self, "int"))


@partial(Question, answer=queries.float_)
def float_(self):
    """``float(tensor)``: its only element."""
    return float(_one_real(self, "float"))


@partial(Question, answer=queries.complex_)
def complex_(self):
    """``complex(tensor)``: its only element."""
    return complex(_one(self, "complex"))


@partial(Question, answer=queries.index)
def index_(self):
    """``[10, 20, 30][tensor]``: its only element, as an index into a Python sequence."""
    array = values(self, "index")
    if array.size != 1 or array.dtype.kind not in "biu":
        raise error("MG402", "only integer tensors of a single element can be converted to an index: "
                             f"this one is {self.dtype!r} with shape {list(array.shape)}")
    return int(array.item())


def format_(self, spec):
    """``f"{tensor:.3f}"``: a tensor without dimensions is formatted like its number; others allow no format."""
    if type(self) is Tensor and type(self._array) is np.ndarray and self.ndim == 0:
        return format(self._array.item(), spec)
    if spec:
        raise not_formatted(self)
    return repr(self)


def len_(self):
    """``len(tensor)``: the length of its first dimension."""
    if self.ndim == 0:
        raise error("MG402", "len() of a 0-d tensor")
    return self.shape[0]


def contains(self, element):
    """``element in tensor``: whether any of its numbers equals ``element``."""
    if not isinstance(element, (Tensor, bool, int, float, complex, np.generic)):
        raise error("MG401", f"Tensor.__contains__ only supports Tensor or scalar, but you passed in a "
                    f"{type(element)}.")
    other = values(element, "in") if isinstance(element, Tensor) else element
    return bool(np.any(values(self, "in") == other))


# --- To and from NumPy -------------------------------------------------------------------------

def numpy(self, *, force=False):
    """The numbers as a NumPy array on the same memory: a write to one changes the other.

    Each call makes another array object, so the tensor does not notice if you reshape it or make it read-only.
    While recording is on, a tensor that requires grad raises; ``force=True`` is short for
    ``.detach().numpy()``.  Autograd does not see a write through the array: the version stays the same,
    so backward will not notice that a saved tensor has changed.

    >>> t = torch.zeros(2)
    >>> t.numpy()[0] = 5
    >>> t
    tensor([5., 0.])
    """
    if self.requires_grad and not force and thread_state.is_grad_enabled():
        raise not_recorded_by_numpy()
    return another(values(self.detach().cpu() if force and not self.is_meta else self, "numpy"))


def __array__(self, dtype=None, copy=None):
    """``np.asarray(tensor)``: NumPy calls this."""
    array = numpy(self)
    return array if dtype is None and not copy else np.array(array, dtype=dtype, copy=copy)


def __array_wrap__(self, array, context=None, return_scalar=False):
    """``np.sin(tensor)``: NumPy's result comes back as a tensor, without history."""
    array = np.asarray(array)
    return array if dtypes.of_numpy(array.dtype) is None else wrap(another(array), False)


SLOTS = {"bool_": bool_, "int_": int_, "float_": float_, "complex_": complex_, "index_": index_, "format_": format_,
         "len_": len_, "contains": contains}
METHODS = {"item": item, "tolist": tolist, "numpy": Question(numpy, answer=queries.numpy), "__array__": __array__,
           "__array_wrap__": __array_wrap__}


# ------------------------------------------------------------------------------ errors


def of_many_examples(what):
    return error("MG117", f"vmap: It looks like you're {LOOKS.get(what, f'calling .{what}() on a Tensor')}. We "
                          "don't support that: the tensor has a value for each example, and the function runs "
                          "once for all examples. Write torch.where instead of if, and look at the result "
                          "outside vmap.")


def not_one_element(array):
    return error("MG401", f"a Tensor with {array.size} elements cannot be converted to Scalar: "
                          "item() is for exactly one element, tolist() for any number of them")


def ambiguous(how_many, array):
    return error("MG401", f"Boolean value of Tensor with {how_many} is ambiguous (its shape is "
                          f"{list(array.shape)}): did you mean (a == b).all() or .any()?")


def not_a_scalar(what, array):
    return error("MG403", f"only one element tensors can be converted to Python scalars: {what}() met one of shape "
                          f"{list(array.shape)}. Select an element, as in x[0], or reduce them, as in x.mean()")


def with_imaginary_part(what, value):
    return error("MG209", f"value cannot be converted to type {what} without overflow: {value} has an "
                          "imaginary part; write x.real, or abs(x)")


def not_formatted(self):
    return error("MG402", "unsupported format string passed to Tensor.__format__: only tensors without dimensions "
                          f"are formatted as numbers, and this one has shape {list(self.shape)}")


def not_recorded_by_numpy():
    return error("MG108", "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead: "
                          "NumPy does not record, so gradients would silently stop here; detach() says that you "
                          "mean it.")
