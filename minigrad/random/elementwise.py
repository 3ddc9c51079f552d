"""``normal`` and ``bernoulli``: each element is drawn from a distribution of its own.

They take tensors, so they are rows of the table: they are recorded, with gradient zero, since a draw is not a
differentiable function of the parameters.
"""

from functools import partial

import numpy as np

from minigrad import dtypes
from minigrad._core.errors import error
from minigrad._core.frontends import random_tensors
from minigrad._core.graph import Tensor
from minigrad._core.kernels import table as kernels
from minigrad.creation import arrays, maker, options, size_tuple, the_tensor
from minigrad.ops.exports import awaited_method
from minigrad.ops.kinds import piecewise_constant
from minigrad.random.generators import Generator
from minigrad.random.arrays import drawn, fill_chances, fill_each, fill_normal, must_be_floating, must_spread, stream


def _normal(mean, std, generator):
    """Each element has its own mean and standard deviation; the dtype is that of the mean."""
    kind = dtypes.of_numpy(mean.dtype)
    must_be_floating("normal", kind)
    if std.dtype.kind == "c":
        raise error("MG202", "normal expects standard deviation to be non-complex")
    if (std < 0).any():
        raise error("MG204", "normal expects all elements of std >= 0.0")
    try:
        shape = np.broadcast_shapes(mean.shape, std.shape)
    except ValueError:
        raise error("MG201", f"normal(): mean of shape {list(mean.shape)} and std of shape {list(std.shape)} "
                             "do not broadcast") from None
    drawn = np.empty(shape, mean.dtype)
    fill_normal(stream("normal", generator), drawn)
    return np.asarray((drawn * std).astype(mean.dtype, copy=False) + mean).astype(mean.dtype, copy=False)


def _normal_with_means(mean, std, generator):
    must_be_floating("normal", dtypes.of_numpy(mean.dtype))
    must_spread("normal", std)
    drawn = np.empty(mean.shape, mean.dtype)
    fill_normal(stream("normal", generator), drawn, 0., std)
    return np.asarray(drawn + mean)


def _mean_as_array(std, mean, generator):
    return _normal(np.asarray(mean, std.dtype), std, generator)


_normal_mean = piecewise_constant("normal_mean(Tensor mean, float std, Generator? generator)", _normal_with_means,
                                  node="NormalBackward1", promote=None, public=False, inplace=False, wide=False,
                                  shown="normal_")
_normal_std = piecewise_constant("normal_std(Tensor std, float mean, Generator? generator)", _mean_as_array,
                                 node="NormalBackward2", promote=None, public=False, inplace=False, wide=False,
                                 shown="normal_")
_normal_both = piecewise_constant("normal_both(Tensor mean, Tensor std, Generator? generator)", _normal,
                                  node="NormalBackward3", promote=None, public=False, inplace=False, wide=False,
                                  shown="normal_")


@partial(maker, front=random_tensors.normal)
def normal(mean=0.0, std=1.0, size=None, *, generator=None, dtype=None, device=None, requires_grad=False,
           layout=None, pin_memory=False):
    """Random numbers from normal distributions; ``mean`` and ``std`` are tensors, with one draw for each element, or
    numbers, with a ``size``.

    >>> torch.normal(torch.tensor([0., 100.]), 0.)
    tensor([  0., 100.])
    >>> torch.normal(0., 1., (2, 3)).shape
    torch.Size([2, 3])
    """
    if isinstance(mean, Tensor):
        if isinstance(std, Tensor):
            return _normal_both(mean, std, generator)
        return _normal_mean(mean, arrays.number("normal", "std", std), generator)
    mean = arrays.number("normal", "mean", mean)
    if isinstance(std, Tensor):
        return _normal_std(std, mean, generator)
    std = arrays.number("normal", "std", std)
    if size is None:
        raise error("MG205", "normal() of two numbers needs a size: normal(mean, std, (2, 3))")
    kind = options("normal", dtype, device, requires_grad)
    must_be_floating("normal", kind)
    must_spread("normal", std)
    return drawn("normal", lambda source, array: fill_normal(source, array, mean, std), size_tuple("normal", size),
                 kind, generator, requires_grad, device=device)


def _bernoulli(self, generator):
    if self.dtype.kind not in "fV":
        raise error("MG202", f'"bernoulli" not implemented for {dtypes.of_numpy(self.dtype)!r}: the probabilities are '
                             "floating point numbers; bernoulli(x, p) takes a tensor of any dtype and one probability")
    if not ((self >= 0) & (self <= 1)).all():
        raise error("MG204", "bernoulli(): Expected p_in >= 0 && p_in <= 1 to be true for all probabilities, but "
                    "got false")
    made = np.empty(self.shape, self.dtype)
    fill_chances(stream("bernoulli", generator), made, self)
    return made


def _bernoulli_p(self, p, generator):
    if not 0 <= p <= 1:
        raise error("MG204", f"bernoulli expects p to be in [0, 1], but got p={p}")
    made = np.empty(self.shape, self.dtype)
    fill_each(stream("bernoulli", generator), made, "bernoulli", p, 1)
    return made


_bernoulli_each = piecewise_constant("bernoulli_each(Tensor self, Generator? generator)", _bernoulli,
                                     node="BernoulliBackward0", promote=None, public=False, inplace=False,
                                     fast=kernels.bernoulli_each, shown="bernoulli_")
_bernoulli_one = piecewise_constant("bernoulli_one(Tensor self, float p, Generator? generator)", _bernoulli_p,
                                    node="BernoulliBackward1", promote=None, public=False, inplace=False, fills=True,
                                    shown="bernoulli_")


@awaited_method(takes_out=True)
def bernoulli(input, p=None, *, generator=None):
    """Random ones and zeros: each element of ``input`` is the probability of a one, or all have the probability ``p``.

    >>> torch.bernoulli(torch.tensor([0., 1.]))
    tensor([0., 1.])
    """
    the_tensor("bernoulli", input)
    return _bernoulli_each(input, generator) if p is None else _bernoulli_one(input, p, generator)
