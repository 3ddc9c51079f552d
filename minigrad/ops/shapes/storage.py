"""Other memory, or another size, for an existing tensor: ``set_``, ``resize_``, ``resize_as_``.

These are for buffers that are used again and again.  Nothing is computed, so there is nothing to
differentiate: a tensor that requires grad is refused.  They count as a write, since the tensor no longer
holds what may have been saved of it.

    set_        takes over the memory of another tensor; a write to one is seen by both
    resize_     another shape on the same memory, whatever elements lie there; or, if that is too small,
                on new memory, which holds the old elements and then zeros

A NumPy array cannot grow while others share its memory, so ``resize_`` refuses to let such a tensor grow
beyond it (a view, a base, a tensor made from an array).  In PyTorch all of them grow.
"""

from math import prod
from sys import getrefcount

import numpy as np

from minigrad._core.devices.device_arrays import made_on
from minigrad._core.errors import error
from minigrad._core.forward.dual_tensors import tangent_of
from minigrad._core.graph import Tensor, wrap
from minigrad._core.graph.saved_tensor_hooks import announce_write
from minigrad._core.graph.shared_memory import bump_version
from minigrad._core.runtime.thread_state import is_grad_enabled, is_inference

from ..formats import steps
from ..composites import in_place
from .windows import as_strided_arguments, as_strided_kernel, as_strided_view, memory_of
from ..arguments import ints, must_be_tensors, scalar_name


def check_memory(op, self):
    """Refuse a tensor that has no memory of its own, or may not be written to."""
    if not isinstance(self._array, np.ndarray):
        raise error("MG117", f"{op}() works on memory, and a tensor inside a transform has none of its own")
    if self.is_inference() and not is_inference():
        raise inference_tensor(op)


# ------------------------------------------------------------------------------ other memory

def check_unrecorded(self, source):
    """Refuse ``set_`` if it would have to be recorded."""
    if not is_grad_enabled():
        return
    if self.requires_grad and self.is_leaf:
        raise leaf_to_set()
    if self.requires_grad or (isinstance(source, Tensor) and source.requires_grad):
        raise set_is_not_recorded()


def check_no_tangent(op, *tensors):
    """Refuse a dual tensor, where the operation says nothing of tangents."""
    if any([isinstance(x, Tensor) and tangent_of(x) is not None for x in tensors]):
        raise error("MG305", f"Trying to use forward AD with {op} that does not support it because it has not been "
                             "implemented yet: the tangent would be lost. Give it x.detach(), or work outside the dual "
                             "level.")


@in_place("set_")
def set_into(self, source=None, storage_offset=0, size=None, stride=None):
    """``self`` takes over the memory of the tensor ``source``; without one it becomes empty.

    With ``size`` (and ``stride``) it takes the part of the memory that begins at the element ``storage_offset``.

    >>> x, y = torch.zeros(2), torch.tensor([1., 2., 3.])
    >>> x.set_(y)
    tensor([1., 2., 3.])
    >>> y[0] = 5.; x
    tensor([5., 2., 3.])
    """
    check_memory("set_", self)
    if not (source is None or isinstance(source, Tensor)):
        raise must_be_tensors("set_", source=source)
    check_unrecorded(self, source)
    check_no_tangent("set_", self, source)
    if source is None:
        array = made_on(self.device, np.empty)((0,), self._array.dtype)
    else:
        check_memory("set_", source)
        array = source._array
        if array.dtype != self._array.dtype:
            raise not_converted(array.dtype, self._array.dtype)
        if size is not None:
            size = ints("set_", "size", (size,))
            stride = steps(size) if stride is None else stride
            array = as_strided_kernel(array, *as_strided_arguments("set_", source, size, stride, storage_offset))
    announce_write(self)
    self.data = wrap(array)
    bump_version(self)
    return self


# ------------------------------------------------------------------------------ another size

def references(holder, attribute):
    """How many references there are to the array that ``holder`` has."""
    array = getattr(holder, attribute)
    return getrefcount(array)


#: what ``references`` counts for an array that belongs to its holder alone
ALONE = references(wrap(np.empty(0)), "_array")


def has_other_users(self):
    """Does another tensor or array look at the memory of this tensor?"""
    holder, attribute = self, "_array"
    while isinstance(getattr(holder, attribute), np.ndarray):
        if references(holder, attribute) > ALONE:
            return True
        holder, attribute = getattr(holder, attribute), "base"
    return getattr(holder, attribute) is not None


def resized(op, self, size):
    check_memory(op, self)
    nothing_is_recorded = self.is_inference() and is_inference()
    if self.requires_grad and not nothing_is_recorded or tangent_of(self) is not None:
        raise no_gradient_of_a_size(op, "require grad" if self.requires_grad else "has a forward grad")
    if min(size, default=0) < 0:
        raise error("MG204", f"{op}(): a size cannot be negative, but got {list(size)}")
    if tuple(self.shape) == size:
        return self
    wanted, shared = prod(size), self._is_view() or has_other_users(self)     # before `memory` shares it too
    if self.is_meta:                    # without memory there is none to be kept
        announce_write(self)
        self.data = wrap(made_on(self.device, np.empty)(size, self._array.dtype))
        bump_version(self)
        return self
    memory, offset = memory_of(self._array)
    if not wanted or offset + wanted <= memory.size:
        return as_strided_view.inplace(self, *as_strided_arguments(op, self, size, steps(size), None))
    if shared:
        raise others_look_at_it(op, wanted, memory.size - offset)
    grown = np.zeros(size, memory.dtype)
    grown.reshape(-1)[:memory.size - offset] = memory[offset:]
    announce_write(self)
    self.data = wrap(grown)
    bump_version(self)
    return self


def check_format(op, memory_format):
    if str(memory_format).removeprefix("torch.") not in ("None", "contiguous_format", "preserve_format"):
        raise error("MG204", f"{op}(): Unsupported memory format {memory_format}")


@in_place("resize_")
def resize_into(self, *sizes, size=None, memory_format=None):
    """``self`` takes another shape, with as many elements of its memory as that needs.

    New elements are zero.

    >>> x = torch.arange(6)
    >>> x.resize_(2, 2)
    tensor([[0, 1],
            [2, 3]])
    """
    check_format("resize_", memory_format)
    return resized("resize_", self, ints("resize_", "size", sizes, size))


@in_place("resize_as_", function_too=True)
def resize_as_into(self, the_template, *, memory_format=None):
    """``self`` takes the shape of another tensor, as ``resize_`` does.

    >>> torch.arange(6).resize_as_(torch.zeros(2, 2))
    tensor([[0, 1],
            [2, 3]])
    """
    if not isinstance(the_template, Tensor):
        raise must_be_tensors("resize_as_", the_template=the_template)
    check_format("resize_as_", memory_format)
    return resized("resize_as_", self, tuple(the_template.shape))


# ------------------------------------------------------------------------------ errors

def inference_tensor(op):
    return error("MG112", f"{op}(): Inplace update to inference tensor outside InferenceMode is not allowed. You can "
                          "make a clone to get a normal tensor before doing inplace update.")


def leaf_to_set():
    return error("MG105", "a leaf Variable that requires grad is being used in an in-place operation (set_): its "
                          "gradient is wanted with respect to the value that it has. Write set_ under `with "
                          "torch.no_grad():`.")


def set_is_not_recorded():
    return error("MG211", "set_() of or to a tensor that requires grad cannot be differentiated: it does not compute "
                          "anything, it exchanges the memory under a tensor. Use x.copy_(source), or write set_ "
                          "under `with torch.no_grad():`.")


def not_converted(source, own):
    return error("MG202", f"Could not set tensor of type {scalar_name(source)} to a tensor of type "
                          f"{scalar_name(own)}: set_() takes over memory, and the numbers in it are not converted. "
                          "Write x.copy_(source).")


def no_gradient_of_a_size(op, what):
    return error("MG211", f"{op}(): cannot resize variables that {what}: there is no gradient of a size. Resize "
                          "x.detach(), or use reshape, expand or slicing, which can be differentiated.")


def others_look_at_it(op, wanted, have):
    return error("MG211", f"{op}(): Trying to resize storage that is not resizable: {wanted} elements do not fit into "
                          f"the {have} that there are, and other tensors or arrays share this memory, which would "
                          "not grow with it. Resize x.clone().")
