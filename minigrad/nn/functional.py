"""The functions of neural networks: activations, losses, linear layers, dropout, attention.

Most of them are rows or composites of the table of derivatives (ops/networks, ops/windows, ops/positions), collected
here because PyTorch has them here.  Those that draw random numbers, which the table does not do, are in files beside
this one: dropping.py, slopes.py, and attention.py and multi_head.py with their dropout. """

from functools import partial as _partial

from minigrad._core.dispatch import matmul as _matmul
from minigrad._core.dispatch.composites import Composite
from minigrad._core.errors import error
from minigrad._core.errors.absent import answering as _answering
from minigrad._core.graph import Tensor
from minigrad.nn import grad as grad
from minigrad.nn.attention import scaled_dot_product_attention
from minigrad.nn.dropping import (alpha_dropout, dropout, dropout1d, dropout2d, dropout3d, feature_alpha_dropout,
                                  gumbel_softmax)
from minigrad.nn.in_place import IN_PLACE
from minigrad.nn.multi_head import multi_head_attention_forward
from minigrad.nn.slopes import functional_rrelu as rrelu, rrelu_
import minigrad.nn.pooling as _pooling
from minigrad.ops.arguments import must_be_tensors
from minigrad.ops.exports import NN_REGISTRY, REGISTRY, ROWS

bilinear, cosine_similarity, pairwise_distance, sigmoid, tanh = [
    REGISTRY[name] for name in ("bilinear", "cosine_similarity", "pairwise_distance", "sigmoid", "tanh")]
div = ROWS.waiting("div")
globals().update(NN_REGISTRY)
globals().update(IN_PLACE)
globals().update({name: getattr(_pooling, name) for name in _pooling.__all__})



__all__ = sorted([*NN_REGISTRY, *IN_PLACE, *_pooling.__all__, "alpha_dropout", "bilinear", "cosine_similarity",
                  "dropout", "dropout1d", "dropout2d", "dropout3d", "feature_alpha_dropout", "gumbel_softmax", "linear",
                  "multi_head_attention_forward", "normalize", "pairwise_distance", "rrelu", "rrelu_",
                  "scaled_dot_product_attention", "sigmoid", "tanh"])


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


def normalize(input, p=2.0, dim=1, eps=1e-12, out=None):
    """``input`` divided by its ``p``-norm over ``dim``, or by ``eps`` if that is larger.

    >>> torch.nn.functional.normalize(torch.tensor([3., 4.]), dim=0)
    tensor([0.6000, 0.8000])
    """
    if not isinstance(input, Tensor):
        raise must_be_tensors("normalize", input=input)
    length = input.norm(p, dim, keepdim=True).clamp_min(eps)
    return div(input, length.expand_as(input), out=out)


__getattr__ = _answering(__name__)


# ------------------------------------------------------------------------------ errors


def _too_few_dims(input, weight):
    return error("MG201", f"both arguments to linear need to be at least 1D, but they are {input.ndim}D and "
                          f"{weight.ndim}D: an input of shape (..., features), a weight of shape (outputs, features)")


def _features_differ(input, weight):
    return error("MG201", "linear: mat1 and mat2 shapes cannot be multiplied: an input of shape "
                          f"{list(input.shape)} does not have as many features as the weight of shape "
                          f"{list(weight.shape)}, which is (outputs, features)")
