"""The same elements under another shape: view, reshape, flatten; and clone, for when memory must not be shared.

A view is a NumPy view, so a write through it is seen by its base, and its derivative only puts the
old shape back.  ``view`` raises an error if the elements do not lie in memory in the order that the
new shape needs; ``reshape`` then copies them, and returns a view of the copy, as in PyTorch.

Neighbours: transposing.py (the order and the number of dims), broadcasting.py, slicing.py (views of a part).
"""

from math import prod

import numpy as np

from minigrad._core.errors import error, warn
from minigrad._core.frontends import reshaping
from minigrad._core.graph import Tensor
from minigrad._core.graph.view_geometry import address
from minigrad._core.kernels import table as kernels

from .. import kinds
from ..formats import empty_in, format_name, lies_in, owner_of
from ..composites import add_method, composite
from ..arguments import ints, must_be_tensors, one_dim, scalar_name


if tuple(map(int, np.__version__.split(".")[:2])) >= (2, 1):
    def viewed(array, size):
        """The same memory in another shape; where only a copy has it, a ValueError."""
        return array.reshape(size, copy=False)
else:
    def viewed(array, size):
        """The same memory in another shape; where only a copy has it, a ValueError.

        NumPy 2.0 has no ``copy=False``: a copy is known by its memory.
        """
        out = array.reshape(size)
        if out.size and not np.may_share_memory(out, array):
            raise ValueError("only a copy has this shape")
        return out


def view_kernel(self, size):
    try:
        out = viewed(self, size)
        if out.shape == size or min(size) >= -1:        # NumPy takes any negative size for -1
            return out
    except ValueError:
        pass
    raise cannot_view("view", self, size)


def reshape_kernel(self, size):
    """A view if the layout allows one, else a copy that owns its memory."""
    try:
        return viewed(self, size)
    except ValueError:
        out = np.empty(size, self.dtype)
        out.reshape(self.shape)[...] = self
        return out


reshape_to = kinds.view("reshape_to(Tensor self, Sizes size)", reshape_kernel,
                        self=lambda d, self_shape: reshape_to(d, self_shape),
                        fast=kernels.reshape, node="ViewBackward0", public=False, may_copy=True,
                        shown="reshape",
                        doc="For formulas: a tensor in another shape, which is known to hold as many elements.")

view = kinds.view("view(Tensor self, Sizes... size)", view_kernel,
                  self=lambda d, self_shape: reshape_to(d, self_shape),
                  fast=kernels.view, doc="The same memory under another shape.", function_doc="""
The same memory under another shape (one size may be -1), or read as another dtype.

The elements must lie in memory in the order that the new shape needs, or this raises an error; ``reshape`` copies them.
A view as another dtype carries no gradient.

>>> x = torch.arange(6.)
>>> x.view(2, -1)
tensor([[0., 1., 2.],
        [3., 4., 5.]])
>>> torch.tensor([1.]).view(torch.int32)
tensor([1065353216], dtype=torch.int32)
""")

unsafe_view = kinds.linear("unsafe_view(Tensor self, Sizes size)", view_kernel,
                           self=lambda d, self_shape: reshape_to(d, self_shape),
                           fast=kernels.view, node="UnsafeViewBackward0", public=False,
                           doc="A view of a fresh copy that has no other name: it need not be tracked as a view.")


def dtype_kernel(self, dtype):
    target = dtype.numpy
    if target.itemsize != self.dtype.itemsize:
        change = f"to view {scalar_name(self.dtype)} as {scalar_name(target)} (different element sizes)"
        if not self.ndim:
            raise error("MG204", f"view(): self.dim() cannot be 0 {change}")
        if self.size and self.strides[-1] != self.itemsize:     # NumPy's strides of empty arrays say nothing
            raise not_neighbours(change, self.strides[-1] // self.itemsize)
        if target.itemsize > self.itemsize:
            check_larger_elements(self, target.itemsize // self.itemsize, change)
    return self.view(target)


def check_larger_elements(array, ratio, change):
    """Refuse an array whose rows are not made of whole new elements, which take the place of ``ratio`` old ones."""
    if array.shape[-1] % ratio:
        raise not_divisible("size(-1)", ratio, change, array.shape[-1])
    offset = (address(array) - address(owner_of(array))) // array.itemsize
    if offset % ratio:
        raise not_divisible("storage_offset()", ratio, change, offset)
    # NumPy's strides of an empty array are 0; PyTorch's are those of rows that have one element.
    rows = [prod([max(size, 1) for size in array.shape[axis + 1:]]) for axis in range(array.ndim - 1)]
    for axis, step in enumerate([step // array.itemsize for step in array.strides[:-1]] if array.size else rows):
        if step % ratio:
            raise not_divisible(f"stride({axis})", ratio, change, step)


view_dtype = kinds.not_differentiable("view.dtype(Tensor self, DType dtype)", dtype_kernel,
                                      out=False, doc="The same bytes, read as another dtype.")


def first_array(tensor):
    """The ndarray at the bottom of a tensor, whatever the transforms around it."""
    array = tensor._array
    while not isinstance(array, np.ndarray):
        array = array._array
    return array


def reshaped(self, size, op="reshape"):
    """``reshape`` with the size as one tuple: a view, or a view of a copy, as in PyTorch."""
    array = self._array
    if not isinstance(array, np.ndarray):
        # inside a transform: NumPy checks the size on a single element that is repeated
        shape = tuple(self.shape)
        try:
            size = np.broadcast_to(np.zeros(()), shape).reshape(size).shape
        except ValueError:
            raise cannot_view(op, np.broadcast_to(np.zeros(()), shape), size) from None
        return reshape_to(self, size)
    try:
        if array.flags.c_contiguous or has_view(array, size):
            return view(self, size)
        return unsafe_view(clone(self, memory_format="contiguous_format"), size)
    except RuntimeError as reason:
        if reason.code != "MG201":
            raise
        raise cannot_view(op, array, size) from None


def has_view(array, size):
    """Can the array have this size without a copy?"""
    try:
        viewed(array, size)
    except ValueError:
        return False
    return True


@composite(out=False)
def reshape(self, *sizes, shape=None):
    """The elements of ``self``, in their order, under another shape: a view if possible, else a copy.

    >>> torch.arange(6.).reshape(3, 2).t().reshape(-1)
    tensor([0., 2., 4., 1., 3., 5.])
    """
    if not isinstance(self, Tensor):
        raise must_be_tensors("reshape", input=self)
    return reshaped(self, ints("reshape", "shape", sizes, shape))


@composite(out=False)
def reshape_as(self, other):
    """``self.reshape(other.shape)``.

    >>> torch.arange(4.).reshape_as(torch.zeros(2, 2))
    tensor([[0., 1.],
            [2., 3.]])
    """
    return reshaped(self, tuple(other.shape))


def resized(self, op, size):
    """What ``resize`` and ``resize_as`` of old programs are: ``reshape``, with a warning."""
    warn(f"non-inplace {op} is deprecated")
    if prod(size) != prod(self.shape):
        raise other_number_of_elements(op, size, tuple(self.shape))
    return reshaped(self, size, op)


def resize(self, *sizes):
    """``reshape``, as old programs call it.

    >>> torch.arange(4).resize(2, 2)
    tensor([[0, 1],
            [2, 3]])
    """
    return resized(self, "resize", ints("resize", "size", sizes))


def resize_as(self, tensor):
    """``reshape_as``, as old programs call it.

    >>> torch.arange(4).resize_as(torch.zeros(2, 2))
    tensor([[0, 1],
            [2, 3]])
    """
    return resized(self, "resize_as", tuple(tensor.shape))


add_method("resize", resize)
add_method("resize_as", resize_as)


@composite(out=False)
def view_as(self, other):
    """``self.view(other.shape)``.

    >>> torch.arange(4.).view_as(torch.zeros(2, 2))
    tensor([[0., 1.],
            [2., 3.]])
    """
    return view(self, tuple(other.shape))


@composite(out=False, front=reshaping.flatten)
def flatten(self, start_dim=0, end_dim=-1):
    """The dims from ``start_dim`` to ``end_dim`` as one; ``self`` itself if they are one already.

    >>> torch.zeros(2, 3, 4).flatten(1).shape
    torch.Size([2, 12])
    """
    shape = tuple(self.shape)
    start, end = one_dim(start_dim, len(shape), "flatten"), one_dim(end_dim, len(shape), "flatten")
    if start > end:
        raise start_after_end(start_dim, end_dim, shape)
    if shape and start == end:
        return self
    return reshaped(self, shape[:start] + (prod(shape[start:end + 1]),) + shape[end + 1:])


@composite(out=False)
def ravel(self):
    """All elements in one dim: a view if they lie in order in memory, else a copy.

    >>> torch.ravel(torch.ones(2, 2))
    tensor([1., 1., 1., 1.])
    """
    return view(contiguous(self), (-1,))


@composite(out=False, front=reshaping.unflatten)
def unflatten(self, dim, sizes):
    """One dim as several, which have these ``sizes``; one of them may be -1.

    >>> torch.zeros(4, 6).unflatten(1, (2, -1)).shape
    torch.Size([4, 2, 3])
    """
    shape = tuple(self.shape)
    axis = one_dim(dim, len(shape), "unflatten")
    sizes = ints("unflatten", "sizes", (sizes,))
    if not sizes:
        raise error("MG204", "unflatten: sizes must be non-empty")
    size, rest = shape[axis], prod([n for n in sizes if n != -1])
    if size != rest and (sizes.count(-1) != 1 or rest <= 0 or size % rest):
        raise sizes_do_not_multiply(sizes, dim, size)
    # of a tensor without elements, `view` could not tell what -1 is
    sizes = tuple([size // rest if n == -1 and rest else n for n in sizes])
    return view(self, shape[:axis] + sizes + shape[axis + 1:])


def clone_kernel(self, memory_format):
    name = format_name("clone", memory_format)
    if name == "preserve_format":
        return self.copy(order="K") if 0 not in self.strides else self.copy()
    copied = empty_in("clone", self.shape, self.dtype, name)
    copied[...] = self
    return copied


@composite(method=False, out=False)
def detach(self):
    """Another tensor on the same memory, without history: ``self.detach()``.

    >>> torch.detach(torch.ones(2, requires_grad=True))
    tensor([1., 1.])
    """
    if not isinstance(self, Tensor):
        raise must_be_tensors("detach", input=self)
    return self.detach()


clone = kinds.linear("clone(Tensor self, *, MemoryFormat? memory_format=None)", clone_kernel,
                     self=lambda d: d,
                     out=False, last_dims=0, fast=kernels.clone, doc="""A copy that gradients flow through.

>>> x = torch.tensor([1., 2.], requires_grad=True)
>>> x.clone()
tensor([1., 2.], grad_fn=<CloneBackward0>)
""")


@composite(out=False, front=reshaping.contiguous)
def contiguous(self, memory_format="contiguous_format"):
    """``self`` if its elements lie in order in memory (or in that of ``memory_format``), else a copy in which they do.

    >>> x = torch.ones(2, 3)
    >>> x.contiguous() is x, x.t().contiguous().stride()
    (True, (2, 1))
    """
    name = format_name("contiguous", memory_format)
    return self if name == "preserve_format" or lies_in(first_array(self), name) else clone(self, memory_format=name)


alias = kinds.view("alias(Tensor self)", lambda self: self[...],
                   self=lambda d: d,
                   fast=kernels.alias, public=False, last_dims=0,
                   doc="Another tensor on the same memory: what ``x[...]`` is.")


# ------------------------------------------------------------------------------ errors

def cannot_view(op, array, size):
    """The error that says why ``array`` cannot have this size."""
    wrong = [(n, i) for i, n in enumerate(size) if n < -1]
    if wrong:
        return error("MG204", f"{op}(): invalid shape dimension {wrong[0][0]} at index {wrong[0][1]} of shape "
                              f"{list(size)}: only -1 is allowed, for the one dim whose size follows from the others")
    if size.count(-1) > 1:
        return error("MG204", f"{op}(): only one dimension can be inferred, but the shape {list(size)} has "
                              f"{size.count(-1)} times -1")
    rest = prod([n for n in size if n != -1])
    if -1 in size and rest == 0 and array.size == 0:
        return error("MG204", f"{op}(): cannot reshape tensor of 0 elements into shape {list(size)} because the "
                              "unspecified dimension size -1 can be any value and is ambiguous")
    if rest != array.size and (-1 not in size or rest == 0 or array.size % rest):
        return error("MG201", f"{op}(): shape '{list(size)}' is invalid for input of size {array.size}: a tensor of "
                              f"shape {list(array.shape)} has {array.size} elements, and all of them must find a place")
    return error("MG201", f"{op}(): view size is not compatible with input tensor's size and stride (at least one "
                          "dimension spans across two contiguous subspaces): the elements of shape "
                          f"{list(array.shape)} do not lie in memory in the order that shape {list(size)} needs. Use "
                          ".reshape(...) instead, which copies them if it must.")


def other_number_of_elements(op, size, shape):
    wanted, have = ["x".join(map(str, each)) for each in (size, shape)]
    return error("MG201", f"{op}(): requested resize to {wanted} ({prod(size)} elements in total), but the given "
                          f"tensor has a size of {have} ({prod(shape)} elements). autograd's resize can only change "
                          "the shape of a given tensor, while preserving the number of elements.")


def not_neighbours(change, stride):
    return error("MG204", f"view(): self.stride(-1) must be 1 {change}, but got {stride}. Write "
                          "x.contiguous().view(dtype)")


def not_divisible(what, ratio, change, number):
    copy = ": copy the elements first, x.clone(memory_format=torch.contiguous_format).view(dtype)"
    return error("MG204", f"view(): self.{what} must be divisible by {ratio} {change}, but got {number}. {ratio} "
                          "elements become one, and no row may begin or end within it"
                          f"{copy if what != 'size(-1)' else ''}")


def start_after_end(start, end, shape):
    return error("MG204", f"flatten() has invalid args: start_dim cannot come after end_dim, but got {start} and {end} "
                          f"for a tensor of shape {list(shape)}")


def sizes_do_not_multiply(sizes, dim, size):
    return error("MG201", f"unflatten: Provided sizes {list(sizes)} don't multiply up to the size of dim {dim} "
                          f"({size}) in the input tensor")
