"""A vector for each number: embedding, whose vectors are learned, and one_hot, whose vectors are ones and zeros.

``embedding`` reads rows of a matrix; its transpose adds each gradient to the row that was read,
except for the padding row, whose gradient is zero.

Neighbours: parts.py (rows by number without such exceptions), gathering.py.
"""

import numpy as np

from minigrad._core.devices.meta import no_data
from minigrad._core.errors import error
from minigrad._core.graph.saved_tensor_hooks import announce_write
from minigrad._core.graph.shared_memory import bump_version
from minigrad._core.kernels import table as kernels
from minigrad._core.runtime.thread_state import is_grad_enabled

from .. import kinds
from ..composites import composite
from ..shapes.storage import check_no_tangent
from .gathering import check_bounds
from .indexing import add_at
from .parts import numbers_of_rows
from ..arguments import as_counts, own, scalar_name


def check_row_numbers(op, dtype):
    if dtype.kind != "i" or dtype.itemsize not in (4, 8):
        raise not_row_numbers(op, dtype)


def embedding_kernel(weight, indices, padding_idx, scale_grad_by_freq):
    if weight.ndim != 2:
        raise error("MG204", f"embedding(): 'weight' must be 2-D, but has shape {list(weight.shape)}")
    check_row_numbers("embedding", indices.dtype)
    indices = own(indices)
    check_bounds("embedding", indices, weight.shape[0], 0, "MG206",
                 "index out of range in self: index {0} for {2} rows of weight")
    return weight.take(indices, 0)


def shares(indices, rows, dtype):
    """How much each use of a row counts if its gradient is divided among its uses: 1 / their number."""
    flat = indices.reshape(-1)
    return (1.0 / np.bincount(as_counts(flat), minlength=rows)[flat]).astype(dtype)[:, None]


def embedding_backward_kernel(grad, indices, weight_sizes, padding_idx, scale_grad_by_freq):
    indices, rows = own(indices), grad.reshape(indices.size, weight_sizes[1])
    if scale_grad_by_freq:
        rows = rows * shares(indices, weight_sizes[0], rows.real.dtype)
    out = add_at(weight_sizes, grad.dtype, numbers_of_rows(weight_sizes, indices.reshape(-1), 0), rows)
    if padding_idx >= 0:
        out[padding_idx] = 0
    return out


def embedding_again_kernel(self, indices, padding_idx, scale_grad_by_freq):
    indices = own(indices)
    out = self.take(indices.reshape(-1), 0)
    if scale_grad_by_freq:
        out *= shares(indices, self.shape[0], out.real.dtype)
    out[indices.reshape(-1) == padding_idx] = 0
    return out.reshape(indices.shape + self.shape[1:])


embedding_rows = kinds.linear(
    "embedding_rows(Tensor weight, Tensor indices, int padding_idx=-1, bool scale_grad_by_freq=False)",
    embedding_kernel,
    weight=lambda d, indices, weight_shape, padding_idx, scale_grad_by_freq: embedding_backward(
        d, indices, weight_shape, padding_idx, scale_grad_by_freq),
    node="EmbeddingBackward0", public=False, fast=kernels.embedding,
    shown="embedding", doc="Rows of ``weight`` by number.")

embedding_backward = kinds.linear(
    "embedding_backward(Tensor grad, Tensor indices, Sizes weight_sizes, int padding_idx, bool scale_grad_by_freq)",
    embedding_backward_kernel,
    grad=lambda d, indices, padding_idx, scale_grad_by_freq: embedding_again(
        d, indices, padding_idx, scale_grad_by_freq),
    node="EmbeddingDenseBackwardBackward0", public=False, wide=True,
    fast=kernels.embedding_backward, doc="Each gradient added to the row that was read.")

embedding_again = kinds.linear(
    "embedding_again(Tensor self, Tensor indices, int padding_idx, bool scale_grad_by_freq)", embedding_again_kernel,
    self=lambda d, indices, self_shape, padding_idx, scale_grad_by_freq: embedding_backward(
        d, indices, self_shape, padding_idx, scale_grad_by_freq),
    node="EmbeddingBackward0", public=False, wide=True,
    shown="embedding", doc="The transpose of ``embedding_backward``: zero at the padding.")


def renorm_rows(op, weight, indices, max_norm, norm_type):
    """Scale down the rows of ``weight`` that will be read and are longer than ``max_norm``: in place, unrecorded."""
    if weight._level or indices._level:
        raise max_norm_in_transform(op)
    array = weight._array
    if array.ndim != 2:
        raise error("MG204", f"{op}(): Expected 2-dimensional tensor for 'weight', but got {array.ndim}-dimensional "
                             "one")
    check_row_numbers(op, indices._array.dtype)
    used = np.unique(indices._array)
    check_bounds(op, used, array.shape[0], 0, "MG206", "index out of range in self: index {0} for {2} rows of weight")
    rows = array[used]
    sizes = np.linalg.norm(rows.astype(np.promote_types(rows.dtype, np.float32)), norm_type, axis=1)
    long = sizes > max_norm
    announce_write(weight.detach())         # its tangent stays, as its gradient does
    array[used[long]] = rows[long] * (max_norm / (sizes[long] + 1e-7)).astype(rows.dtype)[:, None]
    bump_version(weight)


@composite(method=False, out=False, types="Tensor Tensor float float")
def embedding_renorm_(self, indices, max_norm, norm_type):
    """Make the rows of ``self`` with these numbers no longer than ``max_norm``: in place, and not differentiable.

    >>> torch.embedding_renorm_(torch.tensor([[3., 4.], [30., 40.]]), torch.tensor([0]), 1., 2.)
    tensor([[ 0.6000,  0.8000],
            [30.0000, 40.0000]])
    """
    for name, number, types in (("max_norm", max_norm, (int, float)), ("norm_type", norm_type, (int, float))):
        if not isinstance(number, types):
            raise error("MG205", f"embedding_renorm_(): argument '{name}' must be float, not {type(number).__name__}")
    if self.requires_grad and is_grad_enabled():
        raise renorm_of_recorded(self.is_leaf)
    check_no_tangent("embedding_renorm_", self)
    renorm_rows("embedding_renorm_", self, indices, max_norm, norm_type)
    return self


@composite(method=False, out=False, types="Tensor Tensor int bool bool")
def embedding(weight, indices, padding_idx=-1, scale_grad_by_freq=False, sparse=False):
    """``nn.functional.embedding`` with the table first; a negative ``padding_idx`` is none.

    >>> torch.embedding(torch.tensor([[0., 0.], [1., 2.]]), torch.tensor([1, 0]))
    tensor([[1., 2.],
            [0., 0.]])
    """
    if sparse:
        raise sparse_gradient("embedding")
    return embedding_rows(weight, indices, padding_idx, scale_grad_by_freq)


@composite(name="embedding", nn=True, types="Tensor Tensor int? float? float bool bool")
def functional_embedding(input, weight, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False,
                         sparse=False):
    """The rows of the matrix ``weight`` with the numbers in ``input`` (int64, any shape).

    The row ``padding_idx`` is read like any other, but receives no gradient.  With
    ``scale_grad_by_freq`` the gradient of a row is divided by the number of its uses.  With
    ``max_norm`` the rows that are read are first made no longer than that, in ``weight`` itself.
    Sparse gradients do not exist here: ``sparse=True`` is refused.

    >>> weight = torch.tensor([[0., 0.], [1., 2.]])
    >>> torch.nn.functional.embedding(torch.tensor([1, 0, 1]), weight)
    tensor([[1., 2.],
            [0., 0.],
            [1., 2.]])
    """
    if sparse:
        raise sparse_gradient("embedding")
    if padding_idx is None:
        padding_idx = -1
    else:
        rows = weight.shape[0]
        if not -rows <= padding_idx < rows:
            raise error("MG502", f"embedding(): Padding_idx must be within num_embeddings: {padding_idx} for {rows} "
                                 "rows")
        padding_idx %= rows
    if max_norm is not None:
        renorm_rows("embedding", weight, input, max_norm, norm_type)
    return embedding_rows(weight, input, padding_idx, scale_grad_by_freq)


def one_hot_kernel(self, num_classes):
    if self.dtype != np.int64:
        raise not_class_numbers(self.dtype)
    self = own(self)
    if not self.size and num_classes <= 0:
        raise error("MG204", "one_hot(): Can not infer total number of classes from empty tensor.")
    if self.size and self.min() < 0:
        raise error("MG204", f"one_hot(): Class values must be non-negative, but one is {self.min()}.")
    classes = int(self.max()) + 1 if num_classes == -1 else num_classes
    if self.size and self.max() >= classes:
        raise class_too_large(self.max(), classes)
    vectors = np.zeros((*self.shape, classes), np.int64)
    np.put_along_axis(vectors, self[..., None], 1, -1)
    return vectors


def one_hot_shapes(self, num_classes):
    if num_classes < 0:
        raise no_data("one_hot() without num_classes")
    return np.broadcast_to(np.zeros((), np.int64), (*self.shape, num_classes))


one_hot_kernel.shapes = one_hot_shapes

one_hot = kinds.not_differentiable("one_hot(Tensor input, int num_classes=-1)", one_hot_kernel, nn=True,
                                   fast=kernels.one_hot, doc="""
Vectors with a one at the given class and zeros elsewhere, along a new last dim.

>>> torch.nn.functional.one_hot(torch.tensor([0, 2]), 3)
tensor([[1, 0, 0],
        [0, 0, 1]])
""")


# ------------------------------------------------------------------------------ errors


def not_row_numbers(op, dtype):
    return error("MG202", f"{op}(): Expected tensor for argument #1 'indices' to have one of the following "
                          f"scalar types: Long, Int; but got {scalar_name(dtype)}: convert it with indices.long()")


def renorm_of_recorded(leaf):
    if leaf:
        return error("MG105", "embedding_renorm_(): a leaf Variable that requires grad is being used in an in-place "
                              "operation. Write to weight.detach(), or inside torch.no_grad()")
    return error("MG212", "embedding_renorm_(): The function 'embedding_renorm_' is not differentiable with respect to "
                          "argument 'self'. Write to weight.detach(), or inside torch.no_grad()")


def max_norm_in_transform(op):
    return error("MG117", f"{op}(): max_norm= inside a transform (vmap, grad, jvp) is not supported: it writes "
                          "to weight")


def sparse_gradient(op):
    return error("MG503", f"{op}(): sparse=True asks for a sparse gradient, and all tensors are dense here: "
                          "leave sparse out")


def not_class_numbers(dtype):
    return error("MG202", f"one_hot is only applicable to index tensor of type LongTensor, not {scalar_name(dtype)}.")


def class_too_large(largest, classes):
    return error("MG204", f"one_hot(): Class values must be smaller than num_classes, but one is {largest} of "
                          f"{classes}.")
