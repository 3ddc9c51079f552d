"""Leaky relus with slopes that are drawn at random, one for each element.

The table of derivatives draws nothing: its row ``rrelu_with_noise`` (ops/networks/gates.py) is given the slopes.
"""

import math

import numpy as np

from minigrad._core.dispatch.composites import Composite
from minigrad._core.errors import error
from minigrad._core.graph import Tensor, wrap
from minigrad._core.kernels.random import random_arrays
from minigrad.creation.arrays import number
from minigrad.ops.arguments import must_be_tensors
from minigrad.ops.exports import ROWS
from minigrad.random import arrays

rrelu_row = ROWS.waiting("rrelu_with_noise")


def slopes(name, input, lower, upper, training, generator):
    """The arguments of the row: the input, and a slope for each element, or the mean slope outside training."""
    if not isinstance(input, Tensor):
        raise must_be_tensors(name, input=input)
    lower, upper = number(name, "lower", lower), number(name, "upper", upper)
    if not (math.isfinite(lower) and math.isfinite(upper)):
        raise not_finite("lower" if not math.isfinite(lower) else "upper", lower, upper)
    if lower > upper:
        raise crossed(lower, upper)
    kind = input.dtype.numpy
    if not training:
        return input, wrap(np.asarray((lower + upper) / 2).astype(kind))

    if input.dtype.is_floating_point:
        lower, upper = float(kind.type(lower)), float(kind.type(upper))
    values = input._array

    def fill(source, array):
        """Only where a slope is needed a number is drawn; inside vmap, everywhere."""
        needed = values <= 0 if isinstance(values, np.ndarray) and values.shape == array.shape else np.True_
        drawn = np.empty(np.count_nonzero(np.broadcast_to(needed, array.shape)), np.float64)
        random_arrays.uniform(source, drawn, 0., 1.)
        array[...] = 1
        array[np.broadcast_to(needed, array.shape)] = drawn * (upper - lower) + lower
    return input, arrays.drawn(name, fill, tuple(input.shape), input.dtype, generator, device=input.device)


@Composite
def rrelu(input, lower=1 / 8, upper=1 / 3, training=False, generator=None):
    """``input`` above 0; below, ``input`` times a slope: drawn between the bounds in training, else their mean.

    Each element has a slope of its own, from ``generator`` or the default one (Xu et al., Empirical evaluation of
    rectified activations, 2015).

    >>> torch.rrelu(torch.tensor([-24., 3.]))
    tensor([-5.5000,  3.0000])
    >>> torch.rrelu(torch.tensor([-24., 3.]), 0.5, 0.5, training=True)
    tensor([-12.,   3.])
    """
    return rrelu_row(*slopes("rrelu", input, lower, upper, training, generator))


@Composite
def rrelu_(input, lower=1 / 8, upper=1 / 3, training=False, generator=None):
    """The in-place form of :func:`rrelu`: ``input`` takes the result, and is returned.

    >>> torch.rrelu_(torch.tensor([-24., 3.]))
    tensor([-5.5000,  3.0000])
    """
    return rrelu_row.inplace(*slopes("rrelu_", input, lower, upper, training, generator))


def functional_rrelu(input, lower=1 / 8, upper=1 / 3, training=False, inplace=False):
    """``input`` above 0; below, ``input`` times a slope: drawn between the bounds in training, else their mean.

    >>> torch.nn.functional.rrelu(torch.tensor([-24., 3.]))
    tensor([-5.5000,  3.0000])
    """
    return (rrelu_ if inplace else rrelu)(input, lower, upper, training)


functional_rrelu.__name__ = functional_rrelu.__qualname__ = "rrelu"
functional_rrelu.__module__ = "minigrad.nn.functional"         # where pickle looks for it
functional_rrelu = Composite(functional_rrelu)


# ------------------------------------------------------------------------------ errors


def crossed(lower, upper):
    return error("MG204", "rrelu: Lower bound should be less than or equal to the upper bound, but they are "
                          f"{lower} and {upper}")


def not_finite(which, lower, upper):
    return error("MG204", f"rrelu: {which} bound must be finite, got {lower if which == 'lower' else upper}")
