"""Broadcasting: dims of size one repeated without a copy, and the sum that undoes it.

An expanded tensor has a stride of 0 in each repeated dim: all its elements there are one number in
memory.  So a small change of that number changes all of them, and its gradient is the sum of theirs:
``expand`` and ``sum_to`` are each other's transpose.  The engine ends every backward formula with
this sum where a shape was broadcast, which is why no other formula needs to.

Neighbours: reshaping.py, transposing.py.
"""


from minigrad._core.errors import error
from minigrad._core.kernels import table as kernels
from minigrad._core.kernels.reductions.array_sums import total

from .. import kinds
from ..formats import strided
from ..composites import composite
from ..arguments import check_tensors, common_shape, ints


def expand_kernel(self, size):
    shape, strides = self.shape, self.strides
    new = len(size) - len(shape)
    if new < 0:
        raise too_few_sizes(size, shape)
    out_shape, out_strides = list(size), [0] * new + list(strides)
    for axis, wanted in enumerate(size):
        if axis < new:
            if wanted < 0:
                raise unknown_size(wanted, axis)
            continue
        have = shape[axis - new]
        if wanted == have or wanted == -1:
            out_shape[axis] = have
        elif have == 1 and wanted >= 0:
            out_strides[axis] = 0
        else:
            raise not_expandable(wanted, have, axis, size, shape)
    return strided(self, out_shape, out_strides)


def sum_to_kernel(self, size):
    extra = self.ndim - len(size)
    kept = self.shape[extra:]
    if extra < 0 or any([n != m and n != 1 for n, m in zip(size, kept)]):
        raise error("MG201", f"sum_to_size(): size {{{list(size)}}} is not expandable to size {{{list(self.shape)}}}.")
    axes = tuple(range(extra)) + tuple([extra + i for i, n in enumerate(size) if n == 1 and kept[i] != 1])
    if not axes:
        return self
    return total(self, axes).reshape(size)


expand = kinds.view("expand(Tensor self, Sizes... size, *, bool implicit=False)",
                    lambda self, size, implicit: expand_kernel(self, size), fast=kernels.expand, plain=expand_kernel,
                    self=lambda d, self_shape: sum_to(d, self_shape),
                    aliases=("broadcast_to",),
                    doc="""Dims of size one repeated, and new dims in front, without a copy; -1 keeps a size.  A view.

>>> torch.tensor([[1], [2]]).expand(-1, 3)
tensor([[1, 1, 1],
        [2, 2, 2]])
>>> torch.broadcast_to(torch.tensor([1, 2]), (2, 2))
tensor([[1, 2],
        [1, 2]])
""")

sum_to = kinds.linear("sum_to(Tensor self, Sizes size)", sum_to_kernel,
                      self=lambda d, self_shape: expand(d, self_shape),
                      fast=kernels.sum_to, node="SumBackward1", public=False,
                      shown="sum",
                      doc="The transpose of broadcasting: the sum over every dim along which ``size`` was repeated.")


@composite(out=False)
def expand_as(self, other):
    """``self.expand(other.shape)``.

    >>> torch.tensor(1).expand_as(torch.zeros(2))
    tensor([1, 1])
    """
    return expand(self, tuple(other.shape))


@composite(out=False)
def sum_to_size(self, *sizes, size=None):
    """The sum over dims that leaves the shape ``size``, which must broadcast to the shape of ``self``.

    >>> torch.ones(2, 3).sum_to_size(1, 3)
    tensor([[2., 2., 2.]])
    """
    size = ints("sum_to_size", "size", sizes, size)
    return self if size == tuple(self.shape) else sum_to(self, size)


@composite(method=False, out=False)
def broadcast_tensors(*tensors):
    """The tensors, all expanded to the shape that they broadcast to.

    >>> a, b = torch.broadcast_tensors(torch.tensor([[1], [2]]), torch.tensor([3, 4]))
    >>> a
    tensor([[1, 1],
            [2, 2]])
    """
    size = common_shape("broadcast_tensors",
                        [tuple(tensor.shape) for tensor in check_tensors("broadcast_tensors", tensors)])
    return tuple([tensor if tensor.shape == size else expand(tensor, size) for tensor in tensors])


# ------------------------------------------------------------------------------ errors

def too_few_sizes(size, shape):
    return error("MG201", f"expand(): the number of sizes provided ({len(size)}) must be greater or equal to the "
                          f"number of dimensions in the tensor ({len(shape)}): size={list(size)}, tensor of shape "
                          f"{list(shape)}")


def unknown_size(wanted, axis):
    return error("MG201", f"expand(): The expanded size of the tensor ({wanted}) isn't allowed in a leading, "
                          f"non-existing dimension {axis}: -1 keeps a size, and this dim is new")


def not_expandable(wanted, have, axis, size, shape):
    return error("MG201", f"expand(): The expanded size of the tensor ({wanted}) must match the existing size "
                          f"({have}) at non-singleton dimension {axis}.  Target sizes: {list(size)}.  Tensor sizes: "
                          f"{list(shape)}. Only a dim of size 1 can be expanded: repeat() copies a larger one, "
                          "unsqueeze() makes one of size 1")
