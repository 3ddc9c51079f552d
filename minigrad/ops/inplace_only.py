"""Writes that have no out-of-place form: along a diagonal, and element by element with a Python function.

``fill_diagonal_`` is made of a view and a ``fill_``, so the gradient is zero where it wrote.  ``apply_``
and ``map_`` call a Python function for each element, which is slow and cannot be differentiated: an
expression of tensor operations is some hundred times as fast, and is recorded.

Unlike PyTorch's, they count as a write, and an exception in the function leaves the tensor as it was.
"""

import numpy as np

from minigrad._core.errors import error
from minigrad._core.graph import Tensor, wrap
from minigrad._core.kernels.shapes.strided_views import lies_at

from .copying import copy, fill_number
from .composites import in_place
from .shapes.broadcasting import expand
from .shapes.windows import as_strided
from .arguments import must_be_tensors, number_for, scalar_name

NUMBERS = (bool, int, float, complex)


# ------------------------------------------------------------------------------ along a diagonal

@in_place("fill_diagonal_")
def fill_diagonal_into(self, fill_value, wrap=False):
    """The elements of ``self`` whose indices are all equal become one value.

    In a matrix with more rows than columns the diagonal ends early; with ``wrap`` it leaves out a row
    and starts again below it.

    >>> torch.zeros(5, 2).fill_diagonal_(1, wrap=True)
    tensor([[1., 0.],
            [0., 1.],
            [0., 0.],
            [1., 0.],
            [0., 1.]])
    """
    shape = tuple(self.shape)
    check_diagonal(shape)
    if isinstance(fill_value, Tensor) and not len(fill_value.shape) and not fill_value.requires_grad:
        fill_value = fill_value.item()
    if not isinstance(fill_value, NUMBERS):
        raise fill_value_not_a_number(fill_value)
    height, width = shape[:2]
    array = self._array
    stride, offset = lies_at(array) if type(array) is np.ndarray else (self.stride(), self.storage_offset())
    tops = range(0, height, width + 1) if wrap and len(shape) == 2 and width else (0,)
    for top in tops:
        length = min(width, height - top) if len(shape) == 2 else height
        fill_number.inplace(as_strided(self, (length,), (sum(stride),), offset + top * stride[0]), fill_value)
    return self


def check_diagonal(shape):
    """Refuse a shape that has no diagonal."""
    if len(shape) < 2:
        raise no_diagonal(shape)
    if len(shape) > 2 and len(set(shape)) > 1:
        raise sizes_differ(shape)


# ------------------------------------------------------------------------------ element by element

def write_each(op, self, function, others):
    """Write ``function(element, ...)`` over each element of ``self``."""
    if not isinstance(self._array, np.ndarray):
        raise error("MG117", f"{op}() inside a transform (vmap, grad, jvp): there are no single elements there")
    for other in others:
        if not isinstance(other, Tensor):
            raise must_be_tensors(op, other=other)
    if any([tensor.requires_grad for tensor in (self, *others)]):
        raise not_recorded(op)
    for other in others:
        if other.dtype is not self.dtype:
            raise other_dtype(op, self._array.dtype, other._array.dtype)
    expanded = [expand(other, tuple(self.shape)) for other in others]
    columns = [tensor.reshape(-1).tolist() for tensor in (self, *expanded)]
    dtype = self._array.dtype
    elements = [element(op, function(*row), dtype) for row in zip(*columns)]
    return copy.inplace(self, wrap(np.array(elements, dtype).reshape(self.shape)))


def element(op, value, dtype):
    if not isinstance(value, NUMBERS):
        raise result_not_a_number(op, value)
    return number_for(op, value, dtype)


@in_place("apply_")
def apply_into(self, callable):
    """Each element becomes ``callable(element)``, a function of a Python number.

    >>> torch.tensor([1., 4.]).apply_(lambda x: x + 1 if x < 2 else -x)
    tensor([ 2., -4.])
    """
    return write_each("apply_", self, callable, ())


@in_place("map_", also={"other": "tensor"})
def map_into(self, tensor, callable):
    """Each element becomes ``callable(element, the element of tensor)``; ``tensor`` is broadcast.

    >>> torch.tensor([1., 4.]).map_(torch.tensor([10., 20.]), lambda x, y: max(x, y))
    tensor([10., 20.])
    """
    return write_each("map_", self, callable, (tensor,))


@in_place("map2_", also={"x": "tensor1", "y": "tensor2"})
def map2_into(self, tensor1, tensor2, callable):
    """Each element becomes ``callable(element, that of tensor1, that of tensor2)``.

    >>> torch.tensor([1.]).map2_(torch.tensor([2.]), torch.tensor([3.]), lambda x, y, z: x + y * z)
    tensor([7.])
    """
    return write_each("map2_", self, callable, (tensor1, tensor2))


# ------------------------------------------------------------------------------ errors


def fill_value_not_a_number(fill_value):
    return error("MG205", "fill_diagonal_(): argument 'fill_value' (position 1) must be Number, not "
                          f"{type(fill_value).__name__}")


def no_diagonal(shape):
    return error("MG204", f"fill_diagonal_(): dimensions must larger than 1: a tensor of shape {list(shape)} has no "
                          "diagonal")


def sizes_differ(shape):
    return error("MG204", "fill_diagonal_(): all dimensions of input must be of equal length, but the shape is "
                          f"{list(shape)}")


def not_recorded(op):
    return error("MG211", f"Can't call {op}() on Variable that requires grad. Use var.detach().{op}() instead: what "
                          "a Python function does to single numbers is not recorded.")


def other_dtype(op, dtype, other):
    return error("MG205", f"{op}: expected torch.{scalar_name(dtype)}Tensor for 'other' "
                          f"(got torch.{scalar_name(other)}Tensor)")


def result_not_a_number(op, value):
    return error("MG205", f"{op}(): the function must return a number: must be real number, not {type(value).__name__}")
