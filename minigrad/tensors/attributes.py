"""What a tensor says of its memory and device: attributes that are the same for all tensors here, and a few questions.

PyTorch has a flag for each device and layout, which programs read before they choose what to do.
"""

import sys
from importlib import import_module

from minigrad import dtypes
from minigrad._core.errors import error
from minigrad._core.graph import Tensor, hook_lists
from minigrad._core.graph.view_geometry import address
from minigrad.ops.formats import outer_first
from minigrad.tensors.to_python import memory

__all__ = []

#: All tensors are dense.
FLAGS = {"layout": dtypes.strided, **dict.fromkeys((
    "is_ipu", "is_maia", "is_mkldnn", "is_mps", "is_mtia", "is_quantized", "is_sparse",
    "is_sparse_csr", "is_vulkan", "is_xla", "is_xpu"), False)}


def _check(input, function):
    if not isinstance(input, Tensor):
        raise error("MG205", f"{function}(): argument 'input' (position 1) must be Tensor, not {type(input).__name__}")


def get_device(input):
    """The number of the device; -1 on the CPU.

    >>> torch.ones(2).get_device(), torch.get_device(torch.ones(2))
    (-1, -1)
    """
    _check(input, "get_device")
    return -1 if input.device.index is None else input.device.index


def is_inference(input):
    """Was it made in inference mode?

    >>> torch.is_inference(torch.ones(2))
    False
    """
    _check(input, "is_inference")
    return input.is_inference()


def pin_memory(self, device=None):
    """An error: memory is pinned to be copied to an accelerator, and there is none.

    >>> torch.ones(2).pin_memory()
    Traceback (most recent call last):
    minigrad._core.errors.DeviceError: Cannot access accelerator device when none is available: ...
    """
    raise error("MG404", "Cannot access accelerator device when none is available: pin_memory() prepares a tensor to "
                         "be copied to one, and minigrad computes on the CPU. Leave the call out")


def is_pinned(self, device=None):
    """False: see :meth:`pin_memory`.

    >>> torch.ones(2).is_pinned()
    False
    """
    return False


def is_shared(self):
    """Can other processes share the memory of this tensor? See :meth:`share_memory_`.

    >>> torch.ones(2).is_shared(), torch.ones(2).share_memory_().is_shared()
    (False, True)
    """
    if self.is_cuda:
        return True
    if self.is_meta or "minigrad.tensors.processes" not in sys.modules:     # without it nothing has been shared yet
        return False
    return import_module("minigrad.tensors.processes").shared_behind(memory(self, "is_shared()")) is not None


def share_memory_(self):
    """Move the numbers to memory that other processes can share, and return the tensor itself.

    A process that is forked afterwards, or that is sent the tensor, reads and writes the same numbers. Gradients are
    made in each process, and are not shared. A tensor whose memory others look at, such as a view, is refused: they
    would stay behind.

    >>> w = torch.zeros(2).share_memory_()
    >>> w.is_shared(), w[0].is_shared()
    (True, True)
    """
    if not self.is_meta and not is_shared(self):
        import_module("minigrad.tensors.processes").share(self)
    return self


def is_set_to(self, tensor):
    """True if both show the same memory with the same shape and strides.

    >>> x = torch.ones(2, 3)
    >>> x.is_set_to(x.detach()), x.is_set_to(x.clone())
    (True, False)
    """
    if not isinstance(tensor, Tensor):
        raise error("MG205", f"is_set_to(): argument 'tensor' (position 1) must be Tensor, not {type(tensor).__name__}")
    ours, theirs = memory(self, "is_set_to()"), memory(tensor, "is_set_to()")
    return self is tensor or (ours.size > 0 and address(ours) == address(theirs) and ours.shape == theirs.shape
                              and ours.strides == theirs.strides)


def dim_order(self, *, ambiguity_check=False):
    """The dims from the one with the longest stride to the one with the shortest.

    ``ambiguity_check=True`` raises if there are several orders, as where a dim has one element; with a list of memory
    formats, if more than one of these describes the tensor, or none.

    >>> torch.ones(2, 3).t().dim_order()
    (1, 0)
    """
    array = memory(self, "dim_order()")
    if array.flags.c_contiguous:
        order = range(array.ndim)
    else:
        order = outer_first(array)
    if ambiguity_check is not False and _has_several_orders(self, ambiguity_check):
        raise several_orders(self)
    return tuple(order)


def _has_several_orders(tensor, check):
    """Are there several orders of its dims, or is it not in exactly one of the formats that are listed?"""
    if check is not True and not (isinstance(check, (list, tuple))
                                  and all([isinstance(each, dtypes.memory_format) for each in check])):
        raise error("MG205", "The ambiguity_check argument must be a bool or a list of memory formats.")
    strides = tensor.stride()
    if 1 not in tensor.shape and all([first != second for first, second in zip(strides, strides[1:])]):
        return False
    return check is True or sum([tensor.is_contiguous(memory_format=each) for each in check]) != 1


def to_dense(self, dtype=None, *, masked_grad=True):
    """The tensor itself, since all tensors are dense; converted, if a dtype is given.

    >>> x = torch.ones(2)
    >>> x.to_dense() is x
    True
    """
    return self if dtype is None else self.to(dtype)


def is_cuda(self):
    """True on a pretended device: see :class:`torch.cuda.pretend`."""
    return self.device.type == "cuda"


def grad_dtype(self):
    """The dtype of the gradient of a leaf: its own, or one that was set.

    Gradients are cast to it; None leaves them in the dtype in which they were computed.

    >>> weight = torch.ones(2, dtype=torch.bfloat16, requires_grad=True)
    >>> weight.grad_dtype
    torch.bfloat16
    >>> weight.grad_dtype = torch.float32
    >>> (weight * 2).sum().backward()
    >>> weight.grad
    tensor([2., 2.])
    """
    if not self.is_leaf:
        raise error("MG204", "grad_dtype can only be accessed on leaf tensors.")
    return hook_lists.get_grad_dtype(self)


def set_grad_dtype(self, value):
    if not self.is_leaf:
        raise error("MG204", "grad_dtype can only be set on leaf tensors.")
    if not isinstance(value, dtypes.dtype | None):
        raise error("MG204", f"grad_dtype must be a torch.dtype or None, but got {type(value).__name__}")
    if self.grad is not None and value is not None and value is not self.grad.dtype:
        raise gradient_is_there(self.grad.dtype, value)
    if not (value is None or value is self.dtype or value.is_floating_point or value.is_complex):
        raise error("MG204", f"grad_dtype must be of floating-point or complex numbers, as gradients are, not {value}")
    hook_lists.set_grad_dtype(self, value)


#: what _tensor.py gives to the class
EVERYWHERE = FLAGS | {"is_cuda": property(is_cuda), "grad_dtype": property(grad_dtype, set_grad_dtype)} | {
    each.__name__: each for each in (
        get_device, pin_memory, is_pinned, is_shared, share_memory_, is_set_to, dim_order, to_dense)}


# ------------------------------------------------------------------------------ errors


def several_orders(tensor):
    return error("MG204", "The tensor does not have unique dim order, or cannot map to exact one of the given memory "
                          f"formats: its shape is {list(tensor.shape)} and its strides are {list(tensor.stride())}")


def gradient_is_there(dtype, value):
    return error("MG118", f"Cannot set grad_dtype to '{value}' because there is already a gradient with dtype "
                          f"'{dtype}'. Please clear the gradient (.grad = None) before changing grad_dtype, or ensure "
                          "the new grad_dtype matches the existing gradient's dtype.")
