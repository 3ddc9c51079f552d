"""The functions of neural networks: activations, losses, linear layers, dropout, attention.

Most of them are rows or composites of the table of derivatives (ops/networks, ops/windows, ops/positions), collected
here because PyTorch has them here.  The files beside this one have those that draw random numbers, which the table does
not do, and those that go through a sequence step by step; in this order:

- ``inplace_activations``: ``relu_(x)`` for ``relu(x, inplace=True)``
- ``randomized_relu``: ``rrelu``, leaky relus with random slopes
- ``dropouts``: dropout of elements and of channels, and the Gumbel softmax
- ``fractional_pooling``: maxima of windows that begin at random places
- ``rnn``: LSTM, GRU and plain recurrent networks, over whole sequences; ``torch.lstm`` and the like
- ``packed_sequences``: sequences of several lengths, which PyTorch has in ``nn.utils.rnn``
- ``attention`` and ``multi_head_attention``: averages of values, whose weights say how well keys fit a query

What ``import minigrad`` does not need is loaded when it is first used.
"""

from functools import partial as _partial

from minigrad._core.dispatch import matmul as _matmul
from minigrad._core.dispatch.composites import Composite
from minigrad._core.errors import error
from minigrad._core.graph import Tensor
from minigrad._lazy_modules import incomplete as _incomplete
from minigrad.nn.functional.dropouts import (alpha_dropout, dropout, dropout1d, dropout2d, dropout3d,
                                             feature_alpha_dropout, gumbel_softmax)
from minigrad.nn.functional.inplace_activations import IN_PLACE
from minigrad.nn.functional.randomized_relu import functional_rrelu as rrelu, rrelu_
from minigrad.ops.arguments import must_be_tensors
from minigrad.ops.exports import NN_REGISTRY, REGISTRY, ROWS
from minigrad.ops.lazy import let_bind as _let_bind

bilinear, cosine_similarity, pairwise_distance, sigmoid, tanh = [
    REGISTRY[name] for name in ("bilinear", "cosine_similarity", "pairwise_distance", "sigmoid", "tanh")]
div = ROWS.waiting("div")
globals().update(NN_REGISTRY)
globals().update(IN_PLACE)

#: what is built in in PyTorch, as all that minigrad has at its top is; the other functions bind, where a class has them
_BUILT_IN = {"avg_pool2d", "avg_pool3d", "gelu", "logsigmoid", "one_hot", "softplus", "softshrink",
             *[name for name, function in NN_REGISTRY.items() if REGISTRY.get(name) is function]}
for _function in [*[function for name, function in NN_REGISTRY.items() if name not in _BUILT_IN], alpha_dropout,
                  dropout, dropout1d, dropout2d, dropout3d, feature_alpha_dropout, gumbel_softmax, rrelu]:
    if not hasattr(type(_function), "__get__"):
        _let_bind(_function)

#: what is loaded when it is first used -> the module that has it
_LATER = {
    "multi_head_attention_forward": "minigrad.nn.functional.multi_head_attention",
    "scaled_dot_product_attention": "minigrad.nn.functional.attention",
    **dict.fromkeys(("fractional_max_pool2d", "fractional_max_pool2d_with_indices", "fractional_max_pool3d",
                     "fractional_max_pool3d_with_indices"), "minigrad.nn.functional.fractional_pooling"),
}

__all__ = sorted([*NN_REGISTRY, *IN_PLACE, *_LATER, "alpha_dropout", "bilinear", "cosine_similarity", "dropout",
                  "dropout1d", "dropout2d", "dropout3d", "feature_alpha_dropout", "gumbel_softmax", "linear",
                  "normalize", "pairwise_distance", "rrelu", "rrelu_", "sigmoid", "tanh"])


__getattr__ = _incomplete(__name__, {**_LATER, "grad": "minigrad.nn.grad"})


@_partial(Composite, takes_out=True, front=_matmul.linear)
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


linear.exact_out = True


def normalize(input, p=2.0, dim=1, eps=1e-12, out=None):
    """``input`` divided by its ``p``-norm over ``dim``, or by ``eps`` if that is larger.

    >>> torch.nn.functional.normalize(torch.tensor([3., 4.]), dim=0)
    tensor([0.6000, 0.8000])
    """
    if not isinstance(input, Tensor):
        raise must_be_tensors("normalize", input=input)
    length = input.norm(p, dim, keepdim=True).clamp_min(eps)
    return div(input, length.expand_as(input), out=out)


# ------------------------------------------------------------------------------ errors


def _too_few_dims(input, weight):
    return error("MG201", f"both arguments to linear need to be at least 1D, but they are {input.ndim}D and "
                          f"{weight.ndim}D: an input of shape (..., features), a weight of shape (outputs, features)")


def _features_differ(input, weight):
    return error("MG201", "linear: mat1 and mat2 shapes cannot be multiplied: an input of shape "
                          f"{list(input.shape)} does not have as many features as the weight of shape "
                          f"{list(weight.shape)}, which is (outputs, features)")
