"""Vectors compared and combined: distances, cosines, and the bilinear layer.

They are composites, made of norms and products.

Neighbours: norms.py, products.py.
"""

from math import prod

import numpy as np

from minigrad._core.dispatch.matmul import product_of
from minigrad._core.errors import error

from ..algebra.norms import linalg_vector_norm, norm
from ..elementwise.arithmetic import add, mul, sub
from ..elementwise.comparison import lt
from ..elementwise.division import div
from ..composites import composite
from ..positions.masking import choose
from ..reductions.totals import sum_dim
from ..shapes.broadcasting import broadcast_tensors, common_shape
from ..shapes.reshaping import reshaped, view
from ..shapes.transposing import permute, squeeze_dim, unsqueeze
from ..arguments import scalar_name


def bounded(lengths, eps):
    """``lengths``, and ``eps`` where they are less; gradients go to all of them, as in PyTorch."""
    given = lengths.detach()
    short = lt(given, eps)
    if type(short._array) is np.ndarray and not short._array.any():
        return lengths
    return choose(short, lengths - given + eps, lengths)


@composite(method=False, out=False, types="Tensor Tensor int float")
def cosine_similarity(x1, x2, dim=1, eps=1e-8):
    """The cosine of the angle between vectors along ``dim``; ``eps`` bounds their lengths from below.

    Both are broadcast first, and ``dim`` counts in their common shape.

    >>> torch.cosine_similarity(torch.tensor([[1., 0.]]), torch.tensor([[1., 1.]]))
    tensor([0.7071])
    """
    if eps < 0:
        raise error("MG204", f"cosine_similarity(): eps must be non-negative, got: {eps}")
    if x1.dtype is not x2.dtype or not x1.dtype.is_floating_point:
        common = add(x1.detach(), x2.detach()).dtype
        if not common.is_floating_point:
            raise no_cosine(common)
        x1, x2 = [x if x.dtype.is_floating_point else x.to(common) for x in (x1, x2)]
    if x1.shape != x2.shape:
        x1, x2 = broadcast_tensors(x1, x2)
    units = [div(x, bounded(linalg_vector_norm(x, 2, dim, True), eps)) for x in (x1, x2)]
    return sum_dim(mul(*units), dim)


@composite(method=False, out=False, types="Tensor Tensor float float bool")
def pairwise_distance(x1, x2, p=2.0, eps=1e-6, keepdim=False):
    """The ``p``-norms of ``x1 - x2 + eps`` along the last dim.

    >>> torch.pairwise_distance(torch.tensor([[3., 0.]]), torch.tensor([[0., 4.]]))
    tensor([5.])
    """
    if x1.shape != x2.shape:
        common_shape("pairwise_distance", [tuple(x1.shape), tuple(x2.shape)])
    return norm(add(sub(x1, x2), eps), p, max(x1.ndim, x2.ndim) - 1, keepdim)


@composite(method=False, out=False, types="Tensor Tensor Tensor Tensor?")
def bilinear(input1, input2, weight, bias=None):
    """``x1 @ weight[k] @ x2 + bias[k]`` for each k and each pair of vectors: a bilinear layer.

    ``input1`` has shape (..., I), ``input2`` (..., J), ``weight`` (K, I, J), ``bias`` (K); the result is (..., K).

    >>> x, y = torch.tensor([[1., 2.]]), torch.tensor([[3., 4.]])
    >>> torch.bilinear(x, y, torch.eye(2).expand(1, 2, 2))
    tensor([[11.]])
    """
    check_bilinear(input1, input2, weight, bias)
    (outputs, first, second), batch = weight.shape, tuple(input1.shape[:-1])
    rows = reshaped(input1, (-1, first) if input1.numel() else (prod(batch), first))
    table = reshaped(permute(weight, (1, 0, 2)), (first, outputs * second))
    each = view(product_of(rows, table), (rows.shape[0], outputs, second))
    column = unsqueeze(reshaped(input2, (rows.shape[0], second)), 2)
    out = view(squeeze_dim(product_of(each, column), 2), (*batch, outputs))
    return out if bias is None else add(out, bias)


def check_bilinear(input1, input2, weight, bias):
    one, two, table = tuple(input1.shape), tuple(input2.shape), tuple(weight.shape)
    if len(one) != len(two) or not one:
        raise error("MG204", f"bilinear(): input dimensions do not match: got {len(one)} and {len(two)}")
    if one[:-1] != two[:-1]:
        k = next(k for k, (m, n) in enumerate(zip(one, two)) if m != n)
        raise error("MG204", f"bilinear(): input batch dimensions do not match at dim {k}: got {one[k]} and {two[k]}")
    if len(table) != 3:
        raise error("MG203", f"bilinear(): Dimension out of range: weight must be (outputs, {one[-1]}, {two[-1]}), but "
                             f"has shape {list(table)}")
    for k, (name, shape) in enumerate((("input1", one), ("input2", two)), 1):
        if shape[-1] != table[k]:
            raise error("MG204", f"bilinear(): {name} size does not match weight size: got {shape[-1]} but expected "
                                 f"{table[k]}")
    given = [(name, x) for name, x in zip(("input1", "input2", "weight", "bias"), (input1, input2, weight, bias))
             if x is not None]
    if not all([x.dtype is weight.dtype for _, x in given]):
        raise error("MG202", "bilinear(): All tensors must have the same dtype, got "
                    + ", ".join([f"{name}: {x.dtype}" for name, x in given]))
    if bias is not None and tuple(bias.shape) != table[:1]:
        raise error("MG204", f"bilinear(): bias size does not match weight size: got {list(bias.shape)} but expected "
                             f"[{table[0]}]")


def no_cosine(dtype):
    return error("MG202", "cosine_similarity(): expected common dtype to be floating point, yet common dtype is "
                          f"{scalar_name(dtype.numpy)}")
