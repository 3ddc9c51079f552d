"""Elements, channels and choices drawn at random: the dropouts, and the Gumbel softmax.

Each draws a tensor of factors and multiplies by it, which is all that autograd sees.  The numbers come from the default
generator, and inside vmap as its ``randomness`` says (minigrad/random/arrays.py).

*Alpha* dropout keeps mean and variance of inputs with mean 0 and variance 1: what is dropped becomes a', the value far
to the left of ``selu``, and then all is scaled and shifted (Klambauer et al., Self-normalizing neural networks, 2017):

    y = a (x m + a' (1 - m)) + b        a = ((1 - p) (1 + p a'^2))^(-1/2)       b = -a p a'       m = 1 with 1 - p
"""

import math

import numpy as np

from minigrad._core.devices.device_arrays import constant
from minigrad._core.dispatch.composites import Composite
from minigrad._core.errors import error, warn
from minigrad._core.graph import Tensor
from minigrad.creation.arrays import number
from minigrad.ops.arguments import must_be_tensors, scalar_name
from minigrad.ops.exports import REGISTRY
from minigrad.random import arrays

add, mul, ne, softmax, unsqueeze = [REGISTRY[name] for name in ("add", "mul", "ne", "softmax", "unsqueeze")]

#: the value of selu at minus infinity, with the other sign
SATURATED = 1.7580993408473766


def probability(name, p, code):
    if type(p) is not float:
        p = number(name, "p", p)
    if not 0 <= p <= 1:
        raise error(code, f"{name}(): dropout probability has to be between 0 and 1, but got {p}")
    return p


def survivors(name, input, p, shape, survivor):
    """A tensor of this shape: ``survivor`` with probability 1 - p, and else 0."""
    def fill(source, array):
        arrays.fill_each(source, array, "bernoulli", 1 - p, float(array.dtype.type(survivor)))
    return arrays.drawn(name, fill, shape, input.dtype, form=arrays.order_of(input) if shape == input.shape else None,
                        device=input.device)


def dropped(name, input, p, train, inplace, code="MG204", channels=False, alpha=False):
    """All the dropouts: of elements or of channels, plain or alpha, in place or not."""
    if not isinstance(input, Tensor):
        raise must_be_tensors(name, input=input)
    p = probability(name, p, code)
    shape = tuple(input.shape)
    if not train or p == 0 or 0 in shape:
        return input
    if p < 1 and not input.dtype.is_floating_point:
        raise not_of_floats(name, input.dtype)
    if channels:
        if len(shape) < 2:
            raise error("MG204", f"{name}(): Feature dropout requires at least 2 dimensions in the input, and it has "
                                 f"shape {list(shape)}")
        shape = shape[:2] + (1,) * (len(shape) - 2)
    multiply, shift = (mul.inplace, add.inplace) if inplace else (mul, add)
    if not alpha or p == 1:
        return multiply(input, survivors(name, input, p, shape, 1 / (1 - p) if p < 1 else 0))
    kept = survivors(name, input, p, shape, 1)
    a = 1 / math.sqrt((SATURATED * SATURATED * p + 1) * (1 - p))
    return shift(multiply(input, mul(kept, a)), add(mul(add(kept, -1), a * SATURATED), a * SATURATED * p))


def not_of_floats(name, dtype):
    kind = scalar_name(dtype.numpy)
    if dtype.is_complex:
        return error("MG202", f'{name}(): "bernoulli_scalar_cpu_" not implemented for \'{kind}\': dropout takes real '
                              "numbers. Drop from torch.view_as_real(input), or multiply by a mask of your own")
    return error("MG202", f"{name}(): result type Float can't be cast to the desired output type {kind}: "
                          "dropout scales the others. Convert the input with .float()")


# ------------------------------------------------------------------------------ torch.dropout ...

def top_level(name, inplace, summary, **options):
    """One of ``torch.dropout``, ``torch.alpha_dropout_`` ..., whose argument ``train`` comes last."""
    def drop(input, p, train):
        return dropped(name, input, p, train, inplace, **options)

    drop.__name__ = drop.__qualname__ = name
    drop.__module__ = "minigrad"                # where pickle looks for it
    drop.__doc__ = summary + (" The result is written into ``input``." if inplace else "")
    return Composite(drop)


#: name -> what it does, and to what
KINDS = {"dropout": ({}, "``nn.functional.dropout``."),
         "alpha_dropout": ({"alpha": True}, "``nn.functional.alpha_dropout``."),
         "feature_dropout": ({"channels": True}, "``nn.functional.dropout2d`` for any number of dims: (N, C, ...)."),
         "feature_alpha_dropout": ({"channels": True, "alpha": True}, "``nn.functional.feature_alpha_dropout``.")}

TOP_LEVEL = {name + end: top_level(name + end, bool(end), summary, **options)
             for name, (options, summary) in KINDS.items() for end in ("", "_")}


@Composite
def native_dropout(input, p, train):
    """``dropout``, and where elements were kept; ``train=None`` counts as True.

    >>> torch.native_dropout(torch.ones(2), 0.5, False)
    (tensor([1., 1.]), tensor([True, True]))
    """
    p = probability("native_dropout", p, "MG204")
    if train is not False and not (input.dtype.is_floating_point or input.dtype.is_complex):
        raise not_of_floats("native_dropout", input.dtype)
    if train is False or p == 0 or not input.numel():
        return input.clone(), constant(np.ones(tuple(input.shape), np.bool_), input)
    factors = survivors("native_dropout", input, p, tuple(input.shape), 1 / (1 - p) if p < 1 else 0)
    return mul(input, factors), ne(factors, 0)


# ------------------------------------------------------------------------------ nn.functional

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
    return dropped("dropout", input, p, training, inplace, "MG207")


@Composite
def alpha_dropout(input, p=0.5, training=False, inplace=False):
    """Dropout for networks of ``selu``: it keeps mean 0 and variance 1. What is dropped becomes about -1.76 first.

    >>> torch.nn.functional.alpha_dropout(torch.tensor([1., 2.]), training=False)
    tensor([1., 2.])
    """
    return dropped("alpha_dropout", input, p, training, inplace, "MG207", alpha=True)


@Composite
def feature_alpha_dropout(input, p=0.5, training=False, inplace=False):
    """``alpha_dropout`` of whole channels of ``input``, which has shape (N, C, ...).

    >>> torch.nn.functional.feature_alpha_dropout(torch.ones(1, 2, 3), training=False).shape
    torch.Size([1, 2, 3])
    """
    return dropped("feature_alpha_dropout", input, p, training, inplace, "MG207", channels=True, alpha=True)


def of_channels(name, input, p, training, inplace, batched):
    """Whole channels of (N, C, ...), or if it is not ``batched``, of (C, ...)."""
    probability(name, p, "MG207")
    if batched:
        return dropped(name, input, p, training, inplace, "MG207", channels=True)
    out = dropped(name, unsqueeze(input, 0), p, training, inplace, "MG207", channels=True)
    return input if inplace else out.squeeze(0)


@Composite
def dropout1d(input, p=0.5, training=True, inplace=False):
    """Dropout of whole channels: ``input`` has shape (N, C, L) or (C, L).

    >>> torch.nn.functional.dropout1d(torch.ones(2, 3), p=1.)
    tensor([[0., 0., 0.],
            [0., 0., 0.]])
    """
    probability("dropout1d", p, "MG207")
    if input.ndim not in (2, 3):
        raise error("MG204", f"dropout1d: Expected 2D or 3D input, but received a {input.ndim}D input: (N, C, L), or "
                             "(C, L). It drops channels with one spatial dimension; dropout drops single elements")
    return of_channels("dropout1d", input, p, training, inplace, input.ndim == 3)


@Composite
def dropout2d(input, p=0.5, training=True, inplace=False):
    """Dropout of whole channels: ``input`` has shape (N, C, H, W).

    As in PyTorch, a tensor of three dims is (N, C, L), with a warning.

    >>> torch.nn.functional.dropout2d(torch.ones(1, 2, 1, 2), p=1.)
    tensor([[[[0., 0.]],
    <BLANKLINE>
             [[0., 0.]]]])
    """
    probability("dropout2d", p, "MG207")
    if input.ndim not in (3, 4):
        warn(other_dims("dropout2d", input.ndim, 2, "3D or 4D"))
    if input.ndim == 3:
        warn("dropout2d: Received a 3D input to dropout2d and assuming that channel-wise 1D dropout behavior is "
             "desired - input is interpreted as shape (N, C, L), where C is the channel dim. For this, dropout1d is "
             "clearer; for (C, H, W), add a dim in front.")
    return of_channels("dropout2d", input, p, training, inplace, True)


@Composite
def dropout3d(input, p=0.5, training=True, inplace=False):
    """Dropout of whole channels: ``input`` has shape (N, C, D, H, W) or (C, D, H, W).

    >>> torch.nn.functional.dropout3d(torch.ones(1, 2, 1, 1), p=1.).sum()
    tensor(0.)
    """
    probability("dropout3d", p, "MG207")
    if input.ndim not in (4, 5):
        warn(other_dims("dropout3d", input.ndim, 3, "4D or 5D"))
    return of_channels("dropout3d", input, p, training, inplace, input.ndim == 5)


def other_dims(name, ndim, spatial, wanted):
    return (f"{name}: Received a {ndim}-D input to {name}, which is deprecated and will result in an error in a future "
            f"release. To retain the behavior and silence this warning, please use dropout instead. Note that {name} "
            f"exists to provide channel-wise dropout on inputs with {spatial} spatial dimensions, a channel dimension, "
            f"and an optional batch dimension (i.e. {wanted} inputs).")


# ------------------------------------------------------------------------------ choices

@Composite
def gumbel_softmax(logits, tau=1, hard=False, eps=1e-10, dim=-1):
    """``softmax((logits + g) / tau)`` with random g: nearly one of the choices, with the probability that it has.

    g is minus the logarithm of an exponentially distributed number (Gumbel's distribution), so that the largest of
    ``logits + g`` is a sample of ``softmax(logits)`` (Jang et al., Categorical reparameterization with Gumbel-softmax,
    2017). With ``hard`` the result is a one among zeros, and the gradient still that of the softmax.

    >>> choice = torch.nn.functional.gumbel_softmax(torch.tensor([0., 1., 2.]), hard=True)
    >>> choice.sum()
    tensor(1.)
    """
    if eps != 1e-10:
        warn("`eps` parameter is deprecated and has no effect.")
    if not logits.dtype.is_floating_point:
        raise error("MG202", "gumbel_softmax(): Exponential distribution is a continuous probability distribution. "
                             f"dtype must be a floating point but you specified {logits.dtype}")
    noise = arrays.drawn("gumbel_softmax", lambda source, array: arrays.fill_each(source, array, "exponential", 1.),
                         tuple(logits.shape), logits.dtype, device=logits.device).log().neg()
    soft = softmax((logits + noise) / tau, dim)
    if not hard:
        return soft
    chosen = soft.detach().max(dim, keepdim=True)[1]
    return soft.new_zeros(tuple(soft.shape)).scatter(dim, chosen, 1.) - soft.detach() + soft
