"""The functions of neural networks: activations, losses, linear layers, dropout.

Most of them are rows or composites of the table of derivatives (ops/networks/activation.py, ops/networks/loss.py,
ops/positions/indexing.py), collected here because PyTorch has them here.  The functions defined in this file combine
several of them, or draw random numbers, which the table does not do. """

from functools import partial as _partial

import numpy as np

from minigrad import random
from minigrad._core import elementwise as _elementwise
from minigrad._core import matmul as _matmul
from minigrad._core.absent import answering as _answering
from minigrad._core.composites import Composite
from minigrad._core.errors import error
from minigrad.arrays import number
from minigrad.nn import grad as grad
from minigrad.nn.slopes import functional_rrelu as rrelu, rrelu_
from minigrad.nn import pooling as _pooling
from minigrad.ops.dims import one_int
from minigrad.ops.elementwise.arithmetic import mul
from minigrad.ops.elementwise.division import div
from minigrad.ops.elementwise.elementary import sigmoid, tanh
from minigrad.ops.kinds import NN_REGISTRY
from minigrad.ops.reductions.totals import sum_dim
from minigrad.ops.shapes.broadcasting import broadcast_tensors

globals().update(NN_REGISTRY)
globals().update({name: getattr(_pooling, name) for name in _pooling.__all__})


def in_place(name):
    """The function ``name`` with ``inplace=True``."""
    def write(input, *args, **kwargs):
        return NN_REGISTRY[name](input, *args, **kwargs, inplace=True)

    write.__name__ = write.__qualname__ = name + "_"
    write.__doc__ = f"The in-place form of :func:`{name}`: ``input`` takes the result, and is returned."
    return write


#: ``relu_(x)`` for ``relu(x, inplace=True)``, where PyTorch has it
IN_PLACE = {name + "_": in_place(name) for name in ("celu", "elu", "hardtanh", "leaky_relu", "relu", "selu",
                                                    "threshold")}
globals().update(IN_PLACE)

__all__ = sorted([*NN_REGISTRY, *IN_PLACE, *_pooling.__all__, "cosine_similarity", "dropout", "linear", "normalize",
                  "rrelu", "rrelu_", "sigmoid", "tanh"])


@_partial(Composite, front=_matmul.linear)
def linear(input, weight, bias=None):
    """``input @ weight.T + bias``: a fully connected layer.

    ``input`` has shape (..., features), ``weight`` (outputs, features) or (features), ``bias`` (outputs).

    >>> x, weight = torch.tensor([[1., 2.]]), torch.tensor([[1., 0.], [0., 1.], [1., 1.]])
    >>> torch.nn.functional.linear(x, weight, torch.tensor([0., 0., 10.]))
    tensor([[ 1.,  2., 13.]])
    """
    if not input.ndim or not weight.ndim:
        raise _too_few_dims(input, weight)
    if input.shape[-1] != weight.shape[-1]:
        raise _features_differ(input, weight)
    return _matmul.layer(input, weight, bias)


@Composite
def dropout(input, p=0.5, training=True, inplace=False):
    """In training, each element becomes 0 with probability ``p``, and the others are scaled by ``1 / (1 - p)``.

    So the expected value is unchanged, and outside training nothing is done. The random
    numbers come from the default generator (``torch.manual_seed``).

    >>> torch.nn.functional.dropout(torch.tensor([1., 2.]), training=False)
    tensor([1., 2.])
    >>> torch.nn.functional.dropout(torch.tensor([1., 2.]), p=1.)
    tensor([0., 0.])
    """
    p = number("dropout", "p", p)
    if not 0 <= p <= 1:
        raise error("MG207", f"dropout probability has to be between 0 and 1, but got {p}")
    if not training or p == 0:
        return input

    def draw(rng, shape):
        kind = input.dtype.numpy
        drawn = rng.random(shape, np.float32).astype(np.float32 if kind == np.float32 else np.float64, copy=False)
        survivor = drawn.dtype.type(1 / (1 - p) if p < 1 else 0.)
        return _elementwise.where_at_least(drawn, np.float32(p), survivor, out=drawn).astype(kind, copy=False)
    scale = random.drawn("dropout", draw, tuple(input.shape), None)
    return mul.inplace(input, scale) if inplace else mul(input, scale)


def normalize(input, p=2.0, dim=1, eps=1e-12, out=None):
    """``input`` divided by its ``p``-norm over ``dim``, or by ``eps`` if that is larger.

    >>> torch.nn.functional.normalize(torch.tensor([3., 4.]), dim=0)
    tensor([0.6000, 0.8000])
    """
    length = input.norm(p, dim, keepdim=True).clamp_min(eps)
    return div(input, length.expand_as(input), out=out)


@Composite
def cosine_similarity(x1, x2, dim=1, eps=1e-8):
    """The cosine of the angle between vectors along ``dim``; ``eps`` bounds their lengths from below.

    Both are broadcast first, and ``dim`` counts in their common shape.

    >>> torch.nn.functional.cosine_similarity(torch.tensor([[1., 0.]]), torch.tensor([[1., 1.]]))
    tensor([0.7071])
    """
    dim, eps = one_int("cosine_similarity", "dim", dim), number("cosine_similarity", "eps", eps)
    if x1.shape != x2.shape:
        x1, x2 = broadcast_tensors(x1, x2)
    unit1 = x1 / x1.norm(2, dim, keepdim=True).clamp_min(eps)
    unit2 = x2 / x2.norm(2, dim, keepdim=True).clamp_min(eps)
    return sum_dim(unit1 * unit2, dim)

__getattr__ = _answering(__name__)


# ------------------------------------------------------------------------------ errors


def _too_few_dims(input, weight):
    return error("MG201", f"both arguments to linear need to be at least 1D, but they are {input.ndim}D and "
                          f"{weight.ndim}D: an input of shape (..., features), a weight of shape (outputs, features)")


def _features_differ(input, weight):
    return error("MG201", "linear: mat1 and mat2 shapes cannot be multiplied: an input of shape "
                          f"{list(input.shape)} does not have as many features as the weight of shape "
                          f"{list(weight.shape)}, which is (outputs, features)")
