"""Views: the same memory under another shape.

Nothing in this module moves a number, apart from ``clone``.  A view is a NumPy view, so a write
through it is seen by its base, and its derivative is bookkeeping: where a view drops, repeats or
reorders elements, the gradient is padded with zeros, summed, or put back in order.

    op            its transpose, which is the formula
    ---------     ------------------------------------------
    view          reshape to the old shape
    transpose     the same transpose
    permute       the inverse permutation
    expand        sum over the repeated dims (``sum_to``)
    select        zeros, with the gradient at that index
    slice         zeros, with the gradient in that range
    unbind        stack
    split         cat
    unfold        add up the overlapping windows

Each helper of the right column is a row with a formula of its own, which leads back to the left.
Sizes that users spread over arguments (``x.view(2, 3)``) are collected by composites; the rows
beneath take one tuple.  What makes new arrays (cat, flip, repeat ...) is in arranging.py, what picks
elements by number or by mask in gathering.py, masking.py and indexing.py.
"""

import warnings
from operator import index as as_int

import numpy as np

from minigrad._core.errors import error
from minigrad._core.graph import Tensor

from . import kinds
from .complex import conj
from .dims import one_dim, scalar_name
from .kinds import composite


# ------------------------------------------------------------------------------ reading arguments

def ints(op, argument, values, keyword=None):
    """A size or a list of dims as a tuple of Python ints: ``f(2, 3)``, ``f((2, 3))`` and ``f(size=(2, 3))`` mean the same."""
    if keyword is not None:
        values = (keyword,)
    if not values:
        raise error("MG205", f'{op}() missing 1 required positional arguments: "{argument}"')
    if len(values) == 1 and isinstance(values[0], (tuple, list)):
        values = values[0]
    try:
        return tuple([as_int(value) for value in values])
    except TypeError:
        got = ", ".join([type(value).__name__ for value in values])
        raise error("MG205", f"{op}(): argument '{argument}' must be tuple of ints, but got ({got})") from None


def check_tensors(op, tensors):
    for i, tensor in enumerate(tensors):
        if not isinstance(tensor, Tensor):
            raise error("MG205", f"{op}(): expected Tensor as element {i} in argument 0, but got {type(tensor).__name__}")
    return tensors


def at(axis, key):
    """The NumPy index that is ``key`` along one axis and everything along those before it."""
    return (slice(None),) * axis + (key,)


def count(shape):
    """The number of elements of an array of this shape."""
    n = 1
    for size in shape:
        n *= size
    return n


def strided(array, shape, strides):
    """A view from the first element of ``array`` on, with these strides in bytes."""
    if array.flags.c_contiguous:
        return np.ndarray(shape, array.dtype, array, 0, strides)        # ten times faster than as_strided
    return np.lib.stride_tricks.as_strided(array, shape, strides)


# ------------------------------------------------------------------------------ view, reshape, clone

def view_kernel(self, size):
    try:
        out = self.reshape(size, copy=False)
        if out.shape == size or min(size) >= -1:        # any negative size will do for NumPy
            return out
    except ValueError:
        pass
    raise cannot_view("view", self, size)


def cannot_view(op, array, size):
    """Say why ``array`` cannot have this size."""
    wrong = [(n, i) for i, n in enumerate(size) if n < -1]
    if wrong:
        return error("MG204", f"{op}(): invalid shape dimension {wrong[0][0]} at index {wrong[0][1]} of shape {list(size)}: "
                              "only -1 is allowed, for the one dim whose size follows from the others")
    if size.count(-1) > 1:
        return error("MG204", f"{op}(): only one dimension can be inferred, but the shape {list(size)} has {size.count(-1)} times -1")
    rest = count([n for n in size if n != -1])
    if -1 in size and rest == 0 and array.size == 0:
        return error("MG204", f"{op}(): cannot reshape tensor of 0 elements into shape {list(size)} because the unspecified "
                              "dimension size -1 can be any value and is ambiguous")
    if rest != array.size and (-1 not in size or rest == 0 or array.size % rest):
        return error("MG201", f"{op}(): shape '{list(size)}' is invalid for input of size {array.size}: a tensor of shape "
                              f"{list(array.shape)} has {array.size} elements, and all of them must find a place")
    return error("MG201", f"{op}(): view size is not compatible with input tensor's size and stride (at least one dimension spans "
                          f"across two contiguous subspaces): the elements of shape {list(array.shape)} do not lie in memory "
                          f"in the order that shape {list(size)} needs. Use .reshape(...) instead, which copies them if it must.")


def reshape_kernel(self, size):
    """A view where the layout allows one, else a copy that owns its memory."""
    try:
        return self.reshape(size, copy=False)
    except ValueError:
        out = np.empty(size, self.dtype)
        out.reshape(self.shape)[...] = self
        return out


reshape_to = kinds.view("reshape_to(Tensor self, int[] size)", reshape_kernel,
                        self=lambda d, self_shape: reshape_to(d, self_shape),
                        node="ViewBackward0", public=False,
                        doc="For formulas: a tensor in another shape, which is known to hold as many elements.")

view_to = kinds.view("view_to(Tensor self, int[] size)", view_kernel,
                     self=lambda d, self_shape: reshape_to(d, self_shape),
                     node="ViewBackward0", public=False,
                     doc="``view`` with the size as one tuple.")

unsafe_view = kinds.linear("unsafe_view(Tensor self, int[] size)", view_kernel,
                           self=lambda d, self_shape: reshape_to(d, self_shape),
                           node="UnsafeViewBackward0", public=False,
                           doc="A view of a fresh copy that nobody else sees: it need not be tracked as a view.")

view_dtype = kinds.not_differentiable("view_dtype(Tensor self, dtype)", lambda self, dtype: dtype_kernel(self, dtype),
                                      public=False, doc="The same bytes, read as another dtype.")


def dtype_kernel(self, dtype):
    target = dtype.numpy
    if target.itemsize != self.dtype.itemsize:
        change = f"to view {scalar_name(self.dtype)} as {scalar_name(target)} (different element sizes)"
        if not self.ndim:
            raise error("MG204", f"view(): self.dim() cannot be 0 {change}")
        if self.strides[-1] != self.itemsize:
            raise error("MG204", f"view(): self.stride(-1) must be 1 {change}, but got {self.strides[-1] // self.itemsize}. "
                                 "Write x.contiguous().view(dtype)")
        if self.shape[-1] * self.itemsize % target.itemsize:
            raise error("MG204", f"view(): self.size(-1) must be divisible by {target.itemsize // self.itemsize} {change}, "
                                 f"but got {self.shape[-1]}")
    return self.view(target)


@composite()
def view(self, *shape, size=None, dtype=None):
    """The same memory under another shape (one size may be -1), or read as another dtype.

    The elements must lie in memory in the order that the new shape needs, or this raises:
    ``reshape`` copies then.  A view as another dtype carries no gradient.

    >>> x = torch.arange(6.)
    >>> x.view(2, -1)
    tensor([[0., 1., 2.],
            [3., 4., 5.]])
    >>> torch.tensor([1.]).view(torch.int32)
    tensor([1065353216], dtype=torch.int32)
    """
    if dtype is None and len(shape) == 1 and isinstance(getattr(shape[0], "numpy", None), np.dtype):
        dtype = shape[0]
    if dtype is not None:
        return view_dtype(self, dtype)
    return view_to(self, ints("view", "size", shape, size))


def first_array(tensor):
    """The ndarray at the bottom of a tensor, whatever the transforms around it."""
    array = tensor._array
    while type(array) is not np.ndarray:
        array = array._array
    return array


def reshaped(self, size, op="reshape"):
    """``reshape`` with the size as one tuple: as in PyTorch a view, or else a copy and a view of that."""
    array = self._array
    if type(array) is not np.ndarray:
        return reshape_to(self, size)
    try:
        if array.flags.c_contiguous or has_view(array, size):
            return view_to(self, size)
        return unsafe_view(clone(self, memory_format="contiguous_format"), size)
    except RuntimeError:
        raise cannot_view(op, array, size) from None


def has_view(array, size):
    try:
        array.reshape(size, copy=False)
    except ValueError:
        return False
    return True


@composite()
def reshape(self, *sizes, shape=None):
    """The elements of ``self``, in their order, under another shape: a view if possible, else a copy.

    >>> torch.arange(6.).reshape(3, 2).t().reshape(-1)
    tensor([0., 2., 4., 1., 3., 5.])
    """
    return reshaped(self, ints("reshape", "shape", sizes, shape))


@composite()
def reshape_as(self, other):
    """``self.reshape(other.shape)``.

    >>> torch.arange(4.).reshape_as(torch.zeros(2, 2))
    tensor([[0., 1.],
            [2., 3.]])
    """
    return reshaped(self, tuple(other.shape))


@composite()
def view_as(self, other):
    """``self.view(other.shape)``.

    >>> torch.arange(4.).view_as(torch.zeros(2, 2))
    tensor([[0., 1.],
            [2., 3.]])
    """
    return view_to(self, tuple(other.shape))


@composite()
def flatten(self, start_dim=0, end_dim=-1):
    """The dims from ``start_dim`` to ``end_dim`` as one; ``self`` itself where that is one already.

    >>> torch.zeros(2, 3, 4).flatten(1).shape
    torch.Size([2, 12])
    """
    shape = tuple(self.shape)
    start, end = one_dim(start_dim, len(shape), "flatten"), one_dim(end_dim, len(shape), "flatten")
    if start > end:
        raise error("MG204", f"flatten() has invalid args: start_dim cannot come after end_dim, but got {start_dim} and "
                             f"{end_dim} for a tensor of shape {list(shape)}")
    if shape and start == end:
        return self
    return reshaped(self, shape[:start] + (count(shape[start:end + 1]),) + shape[end + 1:])


@composite()
def ravel(self):
    """All elements in one dim: a view where they lie in order, else a copy.

    >>> torch.ravel(torch.ones(2, 2))
    tensor([1., 1., 1., 1.])
    """
    return view_to(contiguous(self), (-1,))


@composite()
def unflatten(self, dim, sizes):
    """One dim as several, of these ``sizes``; one of them may be -1.

    >>> torch.zeros(4, 6).unflatten(1, (2, -1)).shape
    torch.Size([4, 2, 3])
    """
    shape = tuple(self.shape)
    axis = one_dim(dim, len(shape), "unflatten")
    sizes = ints("unflatten", "sizes", (sizes,))
    if not sizes:
        raise error("MG204", "unflatten: sizes must be non-empty")
    size, rest = shape[axis], count([n for n in sizes if n != -1])
    if size != rest and (sizes.count(-1) != 1 or rest <= 0 or size % rest):
        raise error("MG201", f"unflatten: Provided sizes {list(sizes)} don't multiply up to the size of dim {dim} ({size}) "
                             "in the input tensor")
    return view_to(self, shape[:axis] + sizes + shape[axis + 1:])


def clone_kernel(self, memory_format):
    name = str(memory_format).removeprefix("torch.")
    if name == "contiguous_format":
        return self.copy()
    if memory_format is not None and name != "preserve_format":
        raise error("MG204", f"clone(): memory_format must be torch.preserve_format or torch.contiguous_format, not {memory_format}")
    return self.copy(order="K") if 0 not in self.strides else self.copy()


clone = kinds.linear("clone(Tensor self, *, memory_format=None)", clone_kernel,
                     self=lambda d: d,
                     doc="""A copy that gradients flow through.

>>> x = torch.tensor([1., 2.], requires_grad=True)
>>> x.clone()
tensor([1., 2.], grad_fn=<CloneBackward0>)
""")


@composite()
def contiguous(self, memory_format=None):
    """``self`` where its elements lie in memory in their order, else a copy in which they do.

    >>> x = torch.ones(2, 3)
    >>> x.contiguous() is x, x.t().contiguous().stride()
    (True, (2, 1))
    """
    return self if first_array(self).flags.c_contiguous else clone(self, memory_format="contiguous_format")


alias = kinds.view("alias(Tensor self)", lambda self: self[...],
                   self=lambda d: d,
                   public=False, doc="Another tensor on the same memory: what ``x[...]`` is.")


# ------------------------------------------------------------------------------ the order of dims

transpose = kinds.view("transpose(Tensor self, int dim0, int dim1)",
                       lambda self, dim0, dim1: transpose_kernel(self, dim0, dim1),
                       self=lambda d, dim0, dim1: transpose(d, dim0, dim1),
                       doc="""Two dims exchanged; a view.

>>> torch.zeros(2, 3, 4).transpose(0, -1).shape
torch.Size([4, 3, 2])
""")


def transpose_kernel(self, dim0, dim1):
    first, second = one_dim(dim0, self.ndim, "transpose"), one_dim(dim1, self.ndim, "transpose")
    return self.swapaxes(first, second) if self.ndim else self[...]


@composite(aliases=("swapdims",))
def swapaxes(self, axis0, axis1):
    """NumPy's name for ``transpose``.

    >>> torch.zeros(2, 3).swapaxes(0, 1).shape
    torch.Size([3, 2])
    """
    return transpose(self, axis0, axis1)


def t_kernel(self):
    if self.ndim > 2:
        raise error("MG204", f"t() expects a tensor with <= 2 dimensions, but self is {self.ndim}D. "
                             "Write x.transpose(dim0, dim1) or x.mT")
    return self.T


t = kinds.view("t(Tensor self)", t_kernel, self=lambda d: t(d),
               doc="""The transpose of a matrix; a view.  Tensors with fewer dims stay as they are.

>>> torch.tensor([[1, 2], [3, 4]]).t()
tensor([[1, 3],
        [2, 4]])
""")


def T(self):
    """All dims in reverse order; the property ``Tensor.T``."""
    if self.ndim != 2:
        warnings.warn("The use of `x.T` on tensors of dimension other than 2 to reverse their shape is deprecated and it will "
                      "throw an error in a future release. Consider `x.mT` to transpose batches of matrices or "
                      "`x.permute(*torch.arange(x.ndim - 1, -1, -1))` to reverse the dimensions of a tensor.", stacklevel=2)
    return permute_dims(self, tuple(range(self.ndim - 1, -1, -1)))


def is_number(self, name):
    """Is this a 0-d tensor, which for PyTorch is still its own transpose?"""
    if len(self.shape):
        return False
    warnings.warn(f"Tensor.{name} is deprecated on 0-D tensors. It is the tensor itself"
                  + (", or its conjugate: consider using x.conj()." if "H" in name else "."), stacklevel=3)
    return True


def mT(self):
    """The last two dims exchanged; the property ``Tensor.mT``."""
    if is_number(self, "mT"):
        return self
    if len(self.shape) < 2:
        raise error("MG204", "tensor.mT is only supported on matrices or batches of matrices. "
                             f"Got {len(self.shape)}-D tensor.")
    return transpose(self, -2, -1)


def mH(self):
    """The conjugate transpose of the last two dims; the property ``Tensor.mH``."""
    if is_number(self, "mH"):
        return conj(self) if self.dtype.is_complex else self
    if len(self.shape) < 2:
        raise error("MG204", "tensor.mH is only supported on matrices or batches of matrices. "
                             f"Got {len(self.shape)}-D tensor.")
    swapped = transpose(self, -2, -1)
    return conj(swapped) if self.dtype.is_complex else swapped


def H(self):
    """The conjugate transpose of a matrix; the property ``Tensor.H``."""
    if len(self.shape) not in (0, 2):
        raise error("MG204", f"tensor.H is only supported on matrices (2-D tensors). Got {len(self.shape)}-D tensor. "
                             "For batches of matrices, consider using tensor.mH")
    return mH(self)


def permutation(op, dims, ndim):
    """``dims`` as axes from 0, refused where they are no permutation."""
    if len(dims) != ndim:
        raise error("MG204", f"{op}(): number of dimensions in the tensor input does not match the length of the desired "
                             f"ordering of dimensions i.e. input.dim() = {ndim} is not equal to len(dims) = {len(dims)}")
    axes = [one_dim(dim, ndim, op) for dim in dims]
    if len(set(axes)) != ndim:
        raise error("MG204", f"{op}(): duplicate dims are not allowed, but got {tuple(dims)}.")
    return axes


def unpermute_kernel(self, dims):
    inverse = [0] * len(dims)
    for place, axis in enumerate(permutation("permute", dims, self.ndim)):
        inverse[axis] = place
    return self.transpose(inverse)


permute_dims = kinds.view("permute_dims(Tensor self, int[] dims)",
                          lambda self, dims: self.transpose(permutation("permute", dims, self.ndim)),
                          self=lambda d, dims: unpermute(d, dims),
                          node="PermuteBackward0", public=False,
                          doc="``permute`` with the dims as one tuple.")

unpermute = kinds.view("unpermute(Tensor self, int[] dims)", unpermute_kernel,
                       self=lambda d, dims: permute_dims(d, dims),
                       node="PermuteBackward0", public=False,
                       doc="The dims put back in the order from which ``permute`` took them.")


@composite()
def permute(self, *order, dims=None):
    """The dims in another order; a view.

    >>> torch.zeros(2, 3, 4).permute(2, 0, 1).shape
    torch.Size([4, 2, 3])
    """
    return permute_dims(self, ints("permute", "dims", order, dims))


@composite(aliases=("moveaxis",))
def movedim(self, source, destination):
    """The dims ``source`` moved to the places ``destination``, the others in their order; a view.

    >>> torch.zeros(2, 3, 4).movedim(0, -1).shape
    torch.Size([3, 4, 2])
    """
    ndim = len(self.shape)
    read = [ints("movedim", name, dims if isinstance(dims, (tuple, list)) else (dims,))
            for name, dims in (("source", source), ("destination", destination))]
    if len(read[0]) != len(read[1]):
        raise error("MG204", f"movedim: Invalid source or destination dims: source ({list(read[0])} dims) should contain the "
                             f"same number of dims as destination ({list(read[1])} dims)")
    sources, places = [[one_dim(dim, ndim, "movedim") for dim in dims] for dims in read]
    for name, axes, given in (("source", sources, read[0]), ("destination", places, read[1])):
        if len(set(axes)) != len(axes):
            raise error("MG204", f"movedim: repeated dim in `{name}` ({list(given)})")
    order = [axis for axis in range(ndim) if axis not in sources]
    for place, axis in sorted(zip(places, sources)):
        order.insert(place, axis)
    return permute_dims(self, tuple(order))


# ------------------------------------------------------------------------------ dims of size one

def squeeze_kernel(self, dim):
    axes = [one_dim(each, self.ndim, "squeeze") for each in dim]
    if len(set(axes)) != len(axes):
        raise error("MG204", f"squeeze(): a dim appears multiple times in the list of dims {tuple(dim)}")
    shape = self.shape
    return self.reshape([n for axis, n in enumerate(shape) if n != 1 or axis not in axes])


squeeze_all = kinds.view("squeeze_all(Tensor self)", lambda self: self.squeeze(),
                         self=lambda d, self_shape: reshape_to(d, self_shape),
                         node="SqueezeBackward0", public=False, doc="All dims of size one dropped.")

squeeze_dim = kinds.view("squeeze_dim(Tensor self, int dim)", lambda self, dim: squeeze_kernel(self, (dim,)),
                         self=lambda d, self_shape, dim: reshape_to(d, self_shape),
                         node="SqueezeBackward1", public=False, doc="One dim dropped where its size is one.")

squeeze_dims = kinds.view("squeeze_dims(Tensor self, int[] dim)", squeeze_kernel,
                          self=lambda d, self_shape, dim: reshape_to(d, self_shape),
                          node="SqueezeBackward2", public=False, doc="Several dims dropped where their size is one.")


@composite()
def squeeze(self, dim=None):
    """The dims of size one dropped: all of them, or only ``dim`` (an int or several).  A view.

    >>> x = torch.zeros(1, 3, 1)
    >>> x.squeeze().shape, x.squeeze(0).shape, x.squeeze(1).shape
    (torch.Size([3]), torch.Size([3, 1]), torch.Size([1, 3, 1]))
    """
    if dim is None:
        return squeeze_all(self)
    if isinstance(dim, (tuple, list)):
        return squeeze_dims(self, ints("squeeze", "dim", (dim,)))
    return squeeze_dim(self, dim)


def unsqueeze_kernel(self, dim):
    return self[at(one_dim(dim, self.ndim + 1, "unsqueeze"), None)]


unsqueeze = kinds.view("unsqueeze(Tensor self, int dim)", unsqueeze_kernel,
                       self=lambda d, dim: squeeze_dim(d, dim),
                       doc="""A new dim of size one at place ``dim``; a view.

>>> torch.tensor([1, 2]).unsqueeze(-1)
tensor([[1],
        [2]])
""")


# ------------------------------------------------------------------------------ broadcasting

def expand_kernel(self, size):
    shape, strides = self.shape, self.strides
    new = len(size) - len(shape)
    if new < 0:
        raise error("MG201", f"expand(): the number of sizes provided ({len(size)}) must be greater or equal to the number of "
                             f"dimensions in the tensor ({len(shape)}): size={list(size)}, tensor of shape {list(shape)}")
    out_shape, out_strides = list(size), [0] * new + list(strides)
    for axis, wanted in enumerate(size):
        if axis < new:
            if wanted < 0:
                raise error("MG201", f"expand(): The expanded size of the tensor ({wanted}) isn't allowed in a leading, non-existing "
                                     f"dimension {axis}: -1 keeps a size, and this dim is new")
            continue
        have = shape[axis - new]
        if wanted == have or wanted == -1:
            out_shape[axis] = have
        elif have == 1 and wanted >= 0:
            out_strides[axis] = 0
        else:
            raise error("MG201", f"expand(): The expanded size of the tensor ({wanted}) must match the existing size ({have}) at "
                                 f"non-singleton dimension {axis}.  Target sizes: {list(size)}.  Tensor sizes: {list(shape)}")
    return strided(self, out_shape, out_strides)


def sum_to_kernel(self, size):
    extra = self.ndim - len(size)
    kept = self.shape[extra:]
    if extra < 0 or any([n != m and n != 1 for n, m in zip(size, kept)]):
        raise error("MG201", f"sum_to_size(): size {{{list(size)}}} is not expandable to size {{{list(self.shape)}}}.")
    axes = tuple(range(extra)) + tuple([extra + i for i, n in enumerate(size) if n == 1 and kept[i] != 1])
    if not axes:
        return self.copy()
    wide = np.int64 if self.dtype.kind in "biu" else self.dtype
    return np.asarray(np.add.reduce(self, axis=axes, dtype=wide)).reshape(size)


expand_to = kinds.view("expand_to(Tensor self, int[] size)", expand_kernel,
                       self=lambda d, self_shape: sum_to(d, self_shape),
                       node="ExpandBackward0", public=False,
                       doc="``expand`` with the size as one tuple.")

sum_to = kinds.linear("sum_to(Tensor self, int[] size)", sum_to_kernel,
                      self=lambda d, self_shape: expand_to(d, self_shape),
                      node="SumBackward1", public=False,
                      doc="The transpose of broadcasting: summed over every dim in which ``size`` was repeated.")


@composite()
def expand(self, *sizes, size=None):
    """Dims of size one repeated, and new dims in front, without a copy; -1 keeps a size.  A view.

    >>> torch.tensor([[1], [2]]).expand(-1, 3)
    tensor([[1, 1, 1],
            [2, 2, 2]])
    """
    return expand_to(self, ints("expand", "size", sizes, size))


@composite()
def expand_as(self, other):
    """``self.expand(other.shape)``.

    >>> torch.tensor(1).expand_as(torch.zeros(2))
    tensor([1, 1])
    """
    return expand_to(self, tuple(other.shape))


@composite()
def broadcast_to(self, *sizes, size=None):
    """``self.expand(size)``.

    >>> torch.broadcast_to(torch.tensor([1, 2]), (2, 2))
    tensor([[1, 2],
            [1, 2]])
    """
    return expand_to(self, ints("broadcast_to", "size", sizes, size))


@composite()
def sum_to_size(self, *sizes, size=None):
    """Summed over dims until the shape is ``size``, which must broadcast to the shape of ``self``.

    >>> torch.ones(2, 3).sum_to_size(1, 3)
    tensor([[2., 2., 2.]])
    """
    size = ints("sum_to_size", "size", sizes, size)
    return self if size == tuple(self.shape) else sum_to(self, size)


def common_shape(op, shapes):
    """The shape that these shapes broadcast to."""
    out = []
    for shape in shapes:
        for i in range(-1, -len(shape) - 1, -1):
            if -i > len(out):
                out.insert(0, shape[i])
            elif out[i] == 1:
                out[i] = shape[i]
            elif shape[i] not in (1, out[i]):
                given = ", ".join([str(list(each)) for each in shapes])
                raise error("MG201", f"{op}(): The size of tensor a ({out[i]}) must match the size of tensor b ({shape[i]}) at "
                                     f"non-singleton dimension {i % max(map(len, shapes))}. The shapes are {given}; counted "
                                     "from the last dim, sizes must be equal or one of them 1.")
    return tuple(out)


@composite(method=False)
def broadcast_tensors(*tensors):
    """The tensors, all expanded to the shape that they broadcast to.

    >>> a, b = torch.broadcast_tensors(torch.tensor([[1], [2]]), torch.tensor([3, 4]))
    >>> a
    tensor([[1, 1],
            [2, 2]])
    """
    size = common_shape("broadcast_tensors", [tuple(tensor.shape) for tensor in check_tensors("broadcast_tensors", tensors)])
    return tuple([expand_to(tensor, size) for tensor in tensors])
