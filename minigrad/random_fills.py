"""Tensors filled with random numbers where they are: ``x.uniform_()``, ``x.normal_()`` and their like.

Each draws from its distribution as many numbers as the tensor has elements, in its dtype, and writes
them over what was there::

    continuous      uniform_ normal_ log_normal_ exponential_ cauchy_
    integers        random_ geometric_ bernoulli_

The one idea: a fill forgets.  The new elements do not depend on the old ones, so each is a row of the
table with gradient zero: written into the result of a computation, it cuts that part of the graph off.
They are in-place forms without an ordinary one; ``x.clone().uniform_()`` is how to write that.

Generators, and functions that make new random tensors, are in random.py.
"""

import numpy as np

from minigrad import dtypes
from minigrad._core.errors import error
from minigrad._core.graph import Tensor
from minigrad.arrays import number
from minigrad.creation import whole_number
from minigrad.dtypes import BOOL, COMPLEX, FLOAT, INT
from minigrad.ops.kinds import in_place, piecewise_constant
from minigrad.random import gaussian_array, integer_array, must_be_floating, stream, uniform_array

__all__ = []


def fill(schema, kernel, node):
    """A row that draws as many numbers as ``self`` has elements."""
    return piecewise_constant(schema, kernel, node=node, promote=None, public=False, inplace=False, wide=False,
                              fills=True)


def real(function, argument, value):
    """A parameter of a distribution, which is a real number."""
    value = number(function, argument, value)
    if isinstance(value, complex):
        raise error("MG205", f"{function}(): argument '{argument}' must be float, not complex")
    return value


def must_be_real(function, kind):
    """Refuse dtypes that are not of floating point, complex ones among them."""
    if kind.category != FLOAT:
        raise error("MG202", f"{function}: this is a continuous probability distribution of real numbers. dtype must "
                             f"be a floating point but you specified {kind!r}")


def must_be_positive(function, argument, value):
    if not value > 0:
        raise error("MG204", f"{function} expects {argument} > 0.0, but found {argument}={value}")


def wide(kind):
    """The dtype to compute in: bfloat16 is not NumPy's own, float16 is slow and short."""
    return kind if kind.itemsize > 2 else dtypes.float32


# --- Continuous distributions ------------------------------------------------------------------

def uniform_kernel(self, low, high, generator):
    kind = dtypes.of_numpy(self.dtype)
    must_be_floating("uniform_", kind)
    most = dtypes.finfo(kind).max
    for name, bound in (("from", low), ("to", high), ("to - from", high - low)):
        if not -most <= bound <= most:
            raise error("MG204", f"uniform_(): {name} is out of bounds for {kind!r}: {bound}")
    if low > high:
        raise error("MG204", f"uniform_ expects to return a [from, to) range, but found from={low} > to={high}")
    drawn = uniform_array(stream("uniform_", generator), self.shape, kind)
    shift = complex(low, low) if kind.category == COMPLEX else low
    return np.asarray(drawn * (high - low) + shift).astype(self.dtype, copy=False)


uniform = fill("uniform(Tensor self, float low, float high, Generator? generator)", uniform_kernel, "UniformBackward0")


@in_place("uniform_", also={"from": "low"})
def uniform_into(self, low=0.0, to=1.0, *, generator=None):
    """``self`` takes numbers drawn evenly from ``low`` to below ``to``.

    In a complex tensor both parts are drawn so.

    >>> x = torch.empty(1000).uniform_(2, 3)
    >>> bool(((x >= 2) & (x <= 3)).all())
    True
    """
    return uniform.inplace(self, real("uniform_", "from", low), real("uniform_", "to", to), generator)


def normal_kernel(self, mean, std, generator):
    kind = dtypes.of_numpy(self.dtype)
    must_be_floating("normal_", kind)
    if not std >= 0:
        raise error("MG204", f"normal expects std >= 0.0, but found std {std}")
    drawn = gaussian_array(stream("normal_", generator), self.shape, kind)
    shift = complex(mean, mean) if kind.category == COMPLEX else mean
    return np.asarray(drawn * std + shift).astype(self.dtype, copy=False)


normal = fill("normal(Tensor self, float mean, float std, Generator? generator)", normal_kernel, "NormalBackward0")


@in_place("normal_")
def normal_into(self, mean=0.0, std=1.0, *, generator=None):
    """``self`` takes normally distributed numbers.

    In a complex tensor each part has the mean ``mean`` and half the variance.

    >>> torch.empty(3).normal_(5, 0)
    tensor([5., 5., 5.])
    """
    return normal.inplace(self, real("normal_", "mean", mean), real("normal_", "std", std), generator)


def log_normal_kernel(self, mean, std, generator):
    kind = dtypes.of_numpy(self.dtype)
    must_be_real("log_normal_", kind)
    must_be_positive("log_normal_", "std", std)
    drawn = gaussian_array(stream("log_normal_", generator), self.shape, wide(kind))
    return np.exp(drawn * std + mean).astype(self.dtype)


log_normal = fill("log_normal(Tensor self, float mean, float std, Generator? generator)", log_normal_kernel,
                  "LogNormalBackward0")


@in_place("log_normal_")
def log_normal_into(self, mean=1.0, std=2.0, *, generator=None):
    """``self`` takes numbers whose logarithms have the mean ``mean`` and the standard deviation ``std``.

    >>> bool((torch.empty(100).log_normal_() > 0).all())
    True
    """
    return log_normal.inplace(self, real("log_normal_", "mean", mean), real("log_normal_", "std", std), generator)


def exponential_kernel(self, lambd, generator):
    kind = dtypes.of_numpy(self.dtype)
    must_be_real("exponential_", kind)
    must_be_positive("exponential_", "lambda", lambd)
    drawn = stream("exponential_", generator).standard_exponential(self.shape, dtype=wide(kind).numpy)
    return np.asarray(drawn / lambd).astype(self.dtype)


exponential = fill("exponential(Tensor self, float lambd, Generator? generator)", exponential_kernel,
                   "ExponentialBackward0")


@in_place("exponential_")
def exponential_into(self, lambd=1.0, *, generator=None):
    """``self`` takes numbers of density ``lambd * exp(-lambd * x)``: waiting times, of mean ``1 / lambd``.

    >>> bool((torch.empty(100).exponential_(10) >= 0).all())
    True
    """
    return exponential.inplace(self, real("exponential_", "lambd", lambd), generator)


def cauchy_kernel(self, median, sigma, generator):
    kind = dtypes.of_numpy(self.dtype)
    must_be_real("cauchy_", kind)
    must_be_positive("cauchy_", "sigma", sigma)
    return np.asarray(stream("cauchy_", generator).standard_cauchy(self.shape) * sigma + median).astype(self.dtype)


cauchy = fill("cauchy(Tensor self, float median, float sigma, Generator? generator)", cauchy_kernel, "CauchyBackward0")


@in_place("cauchy_")
def cauchy_into(self, median=0.0, sigma=1.0, *, generator=None):
    """``self`` takes numbers of the Cauchy distribution, which has a median and a width, and no mean.

    >>> torch.empty(3).cauchy_().shape
    torch.Size([3])
    """
    return cauchy.inplace(self, real("cauchy_", "median", median), real("cauchy_", "sigma", sigma), generator)


# --- Integers ----------------------------------------------------------------------------------

def largest(kind):
    """How far ``random_`` goes by itself: all integers of an integer dtype, all that a float holds without gaps."""
    if kind.category >= FLOAT:
        return round(2 / dtypes.finfo(kind).eps)
    return 1 if kind.category == BOOL else dtypes.iinfo(kind).max


def random_kernel(self, low, high, generator):
    kind = dtypes.of_numpy(self.dtype)
    if kind.category == COMPLEX:
        raise error("MG202", f'"random_" not implemented for {kind!r}: take an integer or floating point dtype')
    return integer_array("random_", stream("random_", generator), low, largest(kind) + 1 if high is None else high,
                         self.shape, kind)


# PyTorch counts three signatures: random_(from, to), random_(to), random_().
random_between = fill("random_between(Tensor self, int low, int? high, Generator? generator)", random_kernel,
                      "RandomBackward0")
random_below = fill("random_below(Tensor self, int high, Generator? generator)",
                    lambda self, high, generator: random_kernel(self, 0, high, generator), "RandomBackward1")
random_any = fill("random_any(Tensor self, Generator? generator)",
                  lambda self, generator: random_kernel(self, 0, None, generator), "RandomBackward2")


@in_place("random_", also={"from": "low"})
def random_into(self, *bounds, low=None, to=None, generator=None):
    """``random_(low, high)``, ``random_(high)`` or ``random_()``: ``self`` takes integers from ``low`` to below
    ``high``.

    Without ``low`` they begin with 0; without ``high`` they go as far as the dtype holds integers without gaps.

    >>> torch.empty(3).random_(5, 6)
    tensor([5., 5., 5.])
    """
    bounds = (*((low,) if low is not None else ()), *bounds, *((to,) if to is not None or low is not None else ()))
    if len(bounds) > 2:
        raise error("MG205", "random_() takes random_(low, high), random_(high) or random_()")
    if not bounds:
        return random_any.inplace(self, generator)
    if len(bounds) == 1:
        return random_below.inplace(self, whole_number("random_", "to", bounds[0]), generator)
    low, high = bounds
    high = None if high is None else whole_number("random_", "to", high)
    return random_between.inplace(self, whole_number("random_", "from", low), high, generator)


def geometric_kernel(self, p, generator):
    kind = dtypes.of_numpy(self.dtype)
    if kind.category not in (INT, FLOAT):
        raise error("MG202", f'"geometric_" not implemented for {kind!r}: take an integer or floating point dtype')
    if not 0 < p < 1:
        raise error("MG204", f"geometric_ expects p to be in (0, 1), but got p={p}")
    return np.asarray(stream("geometric_", generator).geometric(p, self.shape)).astype(self.dtype)


geometric = fill("geometric(Tensor self, float p, Generator? generator)", geometric_kernel, "GeometricBackward0")


@in_place("geometric_")
def geometric_into(self, p, *, generator=None):
    """``self`` takes integers from 1 on: how many trials it takes until one of probability ``p`` succeeds.

    >>> bool((torch.empty(100).geometric_(0.5) >= 1).all())
    True
    """
    return geometric.inplace(self, real("geometric_", "p", p), generator)


def bernoulli_kernel(self, p, generator):
    kind = dtypes.of_numpy(self.dtype)
    if kind.category == COMPLEX:
        raise error("MG202", f'"bernoulli_" not implemented for {kind!r}: take a real dtype')
    if not 0 <= p <= 1:
        raise error("MG204", f"bernoulli_ expects p to be in [0, 1], but got p={p}")
    return np.asarray(stream("bernoulli_", generator).random(self.shape) < p).astype(self.dtype)


def bernoulli_each_kernel(self, p, generator):
    if p.dtype.kind not in "fV":
        raise error("MG202", f'"bernoulli_" not implemented for {dtypes.of_numpy(p.dtype)!r}: probabilities are '
                             'floating point numbers')
    if not ((p >= 0) & (p <= 1)).all():
        raise error("MG204", "bernoulli_(): Expected p_in >= 0 && p_in <= 1 to be true for all probabilities, but "
                    "got false")
    try:
        p = np.broadcast_to(p, self.shape)
    except ValueError:
        raise error("MG201", f"bernoulli_(): expand: the probabilities of shape {list(p.shape)} must match the "
                             f"existing size {list(self.shape)} of the tensor that is filled, or "
                             f"broadcast to it") from None
    return np.asarray(stream("bernoulli_", generator).random(self.shape) < p).astype(self.dtype)


bernoulli_one = fill("bernoulli(Tensor self, float p, Generator? generator)", bernoulli_kernel, "BernoulliBackward2")
bernoulli_each = fill("bernoulli_by(Tensor self, Tensor p, Generator? generator)", bernoulli_each_kernel,
                      "BernoulliBackward1")


@in_place("bernoulli_", tensors=("p",))
def bernoulli_into(self, p=0.5, *, generator=None):
    """``self`` takes ones and zeros; ``p``, a number or a tensor of numbers, is the probability of a one.

    >>> torch.empty(2, 2).bernoulli_(torch.tensor([0., 1.]))
    tensor([[0., 1.],
            [0., 1.]])
    """
    if isinstance(p, Tensor):
        return bernoulli_each.inplace(self, p, generator)
    return bernoulli_one.inplace(self, real("bernoulli_", "p", p), generator)
