"""Copies that change the dtype, and the plain writes ``x.zero_()``, ``x.fill_(v)``, ``x.copy_(y)``.

The derivative of a cast is the identity: the engine returns a gradient in the dtype of its input, at the
edge.  A write forgets the old value, so the gradient of the old value is zero.
"""

import numpy as np

from minigrad._core.backward import accumulate_grad
from minigrad._core.devices.device_arrays import moved
from minigrad._core.devices.meta import laid_out as without_numbers, no_data
from minigrad._core.errors import error, warn
from minigrad._core.kernels import table as kernels

from minigrad.dtypes.sizes_and_devices import device as named

from .formats import empty_in
from .kinds import elementwise, linear, not_differentiable
from .arguments import number_for

zeros_of = not_differentiable("zeros_of(Tensor self)", np.zeros_like, promote=None,
                              public=False,
                              doc="Zeros of the same shape and dtype.")


def for_dtype(array, dtype):
    """``array``, or its real part where ``dtype`` has no imaginary one: NumPy would warn at a line of ours."""
    if array.dtype.kind != "c" or dtype.kind in "cb":
        return array
    warn("Casting complex values to real discards the imaginary part")
    return array.real


def to_copy_kernel(self, dtype, memory_format):
    self = for_dtype(self, dtype.numpy)
    if memory_format is None:
        return self.astype(dtype.numpy)
    copied = empty_in("to", self.shape, dtype.numpy, memory_format)
    np.copyto(copied, self, casting="unsafe")
    return copied


to_copy = linear("_to_copy(Tensor self, DType dtype, MemoryFormat? memory_format=None)", to_copy_kernel,
                 self=lambda d: d,
                 node="ToCopyBackward0", public=False,
                 last_dims=0, fast=kernels.to_copy,
                 doc="A copy in another dtype, or laid out in the memory format of this name.")


def to_meta_kernel(self, dtype):
    return without_numbers(self.shape, dtype.numpy, self)


def from_meta_kernel(self):
    raise no_data("a tensor that a program has moved to 'meta', and whose gradient would have to come back,")


from_meta_kernel.needs_data = True

from_meta = linear("from_meta(Tensor self)", from_meta_kernel,
                   self=lambda d: d,
                   public=False, last_dims=0,
                   doc="An error: there are no numbers to come back.")

to_meta = linear("to_meta(Tensor self, DType dtype)", to_meta_kernel,
                 self=lambda d: from_meta(d),
                 node="ToCopyBackward0", public=False, last_dims=0,
                 doc="A tensor of this shape without numbers.")

def to_device_kernel(self, device, home):
    return moved(self, named(device))


#: its operand may be anywhere
to_device_kernel.moves = True

to_device = linear("to_device(Tensor self, str device, str home)", to_device_kernel,
                   self=lambda d, device, home: to_device(d, home, device),
                   node="ToCopyBackward0", public=False, last_dims=0,
                   doc="A copy on another device; ``home`` is where it comes from, and its gradient goes.")

as_multiplied = linear("as_multiplied(Tensor self, Tensor result)",
                       lambda self, result: self.real if self.dtype.kind == "c" != result.dtype.kind else self,
                       self=lambda d: d,
                       no_gradient=("result",), public=False,
                       doc="""What ``prod(dtype=)`` multiplies: the real parts where the product is real.

Complex numbers that are added as real ones need no such thing: the gradient of a sum does not depend on them.
""")

laid_out = linear("laid_out(Tensor self, Tensor like)", accumulate_grad.laid_out_kernel,
                  self=lambda d: d,
                  node="CopyBackwards", no_gradient=("like",), public=False,
                  doc="A copy with the strides that ``.grad`` of the tensor ``like`` should have.")

zero = elementwise("zero(Tensor self)", np.zeros_like,
                   self=lambda d: zeros_of(d),
                   public=False, wide=False, inplace=True, same_everywhere=True, fast=kernels.zero,
                   layout="self", doc="Fill with zeros.")


fill_number = elementwise("fill.Scalar(Tensor self, Scalar value)",
                          lambda self, value: np.full_like(self, number_for("fill_", value, self.dtype)),
                          self=lambda d: zeros_of(d),
                          node="FillBackward0", inplace_node="FillBackward2", method=False, out=False,
                          inplace=True, inplace_function=True, wide=False,
                          same_everywhere=True, fast=kernels.fill,
                          layout="self", doc="Fill with a number.", function_doc="""
A tensor of the shape and dtype of ``self`` with one value everywhere, a number or a 0-d tensor.

>>> torch.fill(torch.zeros(3), 2)
tensor([2., 2., 2.])
""")


def fill_kernel(self, value):
    if value.ndim:
        raise more_than_a_number(value.ndim)
    return np.full_like(self, value.astype(self.dtype))


fill = elementwise("fill.Tensor(Tensor self, Tensor value)", fill_kernel,
                   self=lambda d: zeros_of(d),
                   value=lambda d: d,
                   promote_args=("self",), node="FillBackward1", inplace_node="FillBackward3", method=False, out=False,
                   inplace=True, inplace_function=True, wide=False, read_first=("value",),
                   fast=kernels.fill,
                   doc="Fill with the number in a 0-d tensor.")


def copy_kernel(self, other, non_blocking):
    if other.ndim > self.ndim:
        raise beyond_dims(self.shape, other.shape)
    copied = np.empty_like(self)
    np.copyto(copied, for_dtype(other, copied.dtype), casting="unsafe")
    return copied


copy = elementwise("copy(Tensor self, Tensor other, bool non_blocking=False)", copy_kernel,
                   self=lambda d: zeros_of(d),
                   other=lambda d: d,
                   promote_args=("self",), node="CopyBackwards", public=False, inplace=True, also={"src": "other"},
                   fast=kernels.copy, doc="""``self`` takes over the elements of ``other``, broadcast and cast.

>>> torch.zeros(2).copy_(torch.tensor([1, 2]))
tensor([1., 2.])
""")


# ------------------------------------------------------------------------------ errors


def more_than_a_number(ndim):
    return error("MG204", f"fill_ only supports 0-dimension value tensor but got tensor with {ndim} dimensions. To "
                          "take over all elements of another tensor write x.copy_(y).")


def beyond_dims(shape, given):
    return error("MG201", f"output with shape {list(shape)} doesn't match the broadcast shape {list(given)}: copy_ "
                          "writes into the tensor on its left, which cannot grow.")
