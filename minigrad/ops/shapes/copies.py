"""Copies of what views show: ``permute_copy`` is ``permute`` into memory of its own, and so for every view.

Such a copy has the parameters of its view, and the same formula: moving elements is linear whether they are copied or
not.  So one rule, ``copy_of``, makes all rows here from the rows of the views.  The results lie in order in memory, and
no write to them reaches the input.

The three ``unsafe_`` forms of ``split`` are copies too.  In PyTorch they share the memory of their input and are not
tracked as views, so that a write to them may go unnoticed.
"""

from minigrad._core.dispatch.op import signature
from minigrad._core.errors import MinigradError, error
from minigrad._core.graph import Tensor
from minigrad._core.kernels import table as kernels

from .. import kinds
from ..elementwise.complex import pairs_to_complex_kernel, view_as_complex, view_as_real
from ..composites import composite
from .broadcasting import expand
from .reshaping import alias, cannot_view, clone, dtype_kernel, view
from .slicing import diagonal, range_of, select, slice_
from .splitting import chunked, split_equal, split_with_sizes, unbind
from .transposing import permute, squeeze_all, squeeze_dim, squeeze_dims, t, transpose, unsqueeze
from .windows import as_strided, as_strided_copied, unfold

#: the row that copies -> the row of the view
VIEW_OF = {}


def copy_of(shown, example, schema=None, *, kernel=None, fast=None, **options):
    """The row that copies what the view ``shown`` shows, with its parameters or those of ``schema``."""
    name, dot, overload = shown.name.partition(".")
    schema = schema or f"{name}_copy{dot}{overload}({signature(shown).partition('(')[2]}"
    op = schema.partition("(")[0].partition(".")[0]
    row = kinds.linear(schema, kernel or copying(op, shown.kernel),
                       **{formula.of: formula.text for formula in shown.formulas},
                       **{"node": f"{shown.node_name}_copy", "method": False,
                          "outputs": "list" if shown.list_output else None, "out": "exact",
                          "doc": f"A copy of what ``{name}`` shows: no write to it reaches ``self``.\n\n{example}\n",
                          "least_dims": shown.least_dims, "last_dims": shown.last_dims, "fast": fast, **options})
    VIEW_OF[row] = shown
    return row


def copying(op, kernel):
    """The kernel of a view, and then copies."""
    def copied(*arguments):
        shown = called(op, kernel, *arguments)
        return [each.copy() for each in shown] if isinstance(shown, (list, tuple)) else shown.copy()
    return copied


def called(op, view, *arguments):
    """What the view shows; its errors speak of ``op``, which was called."""
    try:
        return view(*arguments)
    except MinigradError as reason:
        raise error(reason.code, f"{op}(): {str(reason).removesuffix(f' [{reason.code}]')}") from None


# ------------------------------------------------------------------------------ of one view

alias_copy = copy_of(alias, """>>> torch.alias_copy(torch.tensor([1, 2]))
tensor([1, 2])""", fast=kernels.alias_copy)

diagonal_copy = copy_of(diagonal, """>>> torch.diagonal_copy(torch.tensor([[1, 2], [3, 4]]))
tensor([1, 4])""", fast=kernels.diagonal_copy)

expand_copy = copy_of(expand, """>>> torch.expand_copy(torch.tensor([[1], [2]]), (-1, 3))
tensor([[1, 1, 1],
        [2, 2, 2]])""", "expand_copy(Tensor self, Sizes size, *, bool implicit=False)",
                      plain=copying("expand_copy", expand.plain), fast=kernels.expand_copy)

permute_copy = copy_of(permute, """>>> torch.permute_copy(torch.tensor([[1, 2], [3, 4]]), (1, 0))
tensor([[1, 3],
        [2, 4]])""", "permute_copy(Tensor self, Dim[1] dims)", fast=kernels.permute_copy)

select_copy = copy_of(select, """>>> torch.select_copy(torch.tensor([[1, 2], [3, 4]]), 1, 0)
tensor([1, 3])""", fast=kernels.select_copy)

slice_copy = copy_of(slice_, """>>> torch.slice_copy(torch.arange(5), 0, 1, None, 2)
tensor([1, 3])""", "slice_copy(Tensor self, Dim dim=0, int? start=None, int? end=None, int step=1)",
                     fast=kernels.slice_copy)

squeeze_copy = copy_of(squeeze_all, """>>> torch.squeeze_copy(torch.zeros(1, 3, 1)).shape
torch.Size([3])""", fast=kernels.squeeze_copy)

squeeze_dim_copy = copy_of(squeeze_dim, """>>> torch.squeeze_copy(torch.zeros(1, 3, 1), 0).shape
torch.Size([3, 1])""", fast=kernels.squeeze_dim_copy)

squeeze_dims_copy = copy_of(squeeze_dims, """>>> torch.squeeze_copy(torch.zeros(1, 3, 1), (0, 2)).shape
torch.Size([3])""", fast=kernels.squeeze_dims_copy)

t_copy = copy_of(t, """>>> torch.t_copy(torch.tensor([[1, 2], [3, 4]]))
tensor([[1, 3],
        [2, 4]])""", fast=kernels.t_copy)

transpose_copy = copy_of(transpose, """>>> torch.transpose_copy(torch.tensor([[1, 2], [3, 4]]), 0, 1)
tensor([[1, 3],
        [2, 4]])""", fast=kernels.transpose_copy)

unfold_copy = copy_of(unfold, """>>> torch.unfold_copy(torch.arange(4), 0, 2, 1)
tensor([[0, 1],
        [1, 2],
        [2, 3]])""", fast=kernels.unfold_copy)

unsqueeze_copy = copy_of(unsqueeze, """>>> torch.unsqueeze_copy(torch.tensor([1, 2]), 0)
tensor([[1, 2]])""", fast=kernels.unsqueeze_copy)


def view_as_complex_copy_kernel(self):
    """A copy may lie as it must, whatever the layout of its source."""
    return called("view_as_complex_copy", pairs_to_complex_kernel, self)


view_as_complex_copy = copy_of(view_as_complex, """>>> torch.view_as_complex_copy(torch.tensor([[1., 2.]]))
tensor([1.+2.j])""", kernel=view_as_complex_copy_kernel, fast=kernels.view_as_complex_copy)

view_as_real_copy = copy_of(view_as_real, """>>> torch.view_as_real_copy(torch.tensor([1 + 2j]))
tensor([[1., 2.]])""", fast=kernels.view_as_real_copy)


def view_copy_kernel(self, size):
    """A copy may have any shape, whatever the layout of its source."""
    try:
        out = self.reshape(size)
    except ValueError:
        raise cannot_view("view_copy", self, size) from None
    if min(size, default=0) < -1:
        raise cannot_view("view_copy", self, size)
    return out.copy()


view_copy = copy_of(view, """>>> torch.view_copy(torch.arange(4), (2, 2))
tensor([[0, 1],
        [2, 3]])""", "view_copy(Tensor self, Sizes size)", kernel=view_copy_kernel, fast=kernels.view_copy)

view_dtype_copy = kinds.not_differentiable("view_copy.dtype(Tensor self, DType dtype)",
                                           copying("view_copy", dtype_kernel), promote=None, method=False, out="exact",
                                           doc="A copy of the same bytes, read as another dtype.")


@composite(method=False, out="exact")
def as_strided_copy(self, size, stride, storage_offset=None):
    """A copy of what ``as_strided`` shows: no write to it reaches ``self``.

    >>> torch.as_strided_copy(torch.arange(4), (2, 2), (1, 2))
    tensor([[0, 2],
            [1, 3]])
    """
    if isinstance(self, Tensor) and isinstance(self._array, Tensor):
        return as_strided_copied("as_strided_copy", self, size, stride, storage_offset)
    shown = called("as_strided_copy", as_strided, self, size, stride, storage_offset)
    return clone(shown, memory_format="contiguous_format")


@composite(method=False, out="exact")
def detach_copy(self):
    """A copy without history: no gradient flows through it, and no write to it reaches ``self``.

    >>> torch.detach_copy(torch.ones(2, requires_grad=True))
    tensor([1., 1.])
    """
    return clone(self.detach(), memory_format="contiguous_format")


@composite(out="exact")
def narrow_copy(self, dim, start, length):
    """A copy of what ``narrow`` shows: no write to it reaches ``self``.

    >>> torch.arange(5).narrow_copy(0, 1, 3)
    tensor([1, 2, 3])
    """
    return slice_copy(self, dim, *called("narrow_copy", range_of, self, dim, start, length), 1)


# ------------------------------------------------------------------------------ of all parts

split_copy = copy_of(split_equal, """>>> torch.split_copy(torch.arange(3), 2)
(tensor([0, 1]), tensor([2]))""", "split_copy(Tensor self, int split_size, Dim dim=0)", fast=kernels.split_copy)

split_with_sizes_copy = copy_of(split_with_sizes, """>>> torch.split_with_sizes_copy(torch.arange(3), [1, 2])
(tensor([0]), tensor([1, 2]))""", fast=kernels.split_with_sizes_copy)

unbind_copy = copy_of(unbind, """>>> torch.unbind_copy(torch.tensor([[1, 2], [3, 4]]))
(tensor([1, 2]), tensor([3, 4]))""", fast=kernels.unbind_copy)

unsafe_split = copy_of(split_equal, """>>> torch.unsafe_split(torch.arange(3), 2)
(tensor([0, 1]), tensor([2]))""", "unsafe_split(Tensor self, int split_size, Dim dim=0)", method=True, out=False,
                       node="UnsafeSplitBackward0", fast=kernels.split_copy)

unsafe_split_with_sizes = copy_of(split_with_sizes, """>>> torch.unsafe_split_with_sizes(torch.arange(3), [1, 2])
(tensor([0]), tensor([1, 2]))""", "unsafe_split_with_sizes(Tensor self, int[] split_sizes, Dim dim=0)",
                                  method=True, out=False, node="UnsafeSplitWithSizesBackward0",
                                  fast=kernels.split_with_sizes_copy)


@composite(out=False)
def unsafe_chunk(self, chunks, dim=0):
    """Copies of the pieces that ``chunk`` shows.

    >>> torch.unsafe_chunk(torch.arange(3), 2)
    (tensor([0, 1]), tensor([2]))
    """
    return called("unsafe_chunk", chunked, self, chunks, dim, unsafe_split, unsafe_split_with_sizes)
