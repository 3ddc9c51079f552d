"""Random numbers that take a varying number of others: gamma, Dirichlet, Poisson, binomial, multinomial.

    torch.poisson(rates)                                 torch.binomial(count, prob)
    torch.multinomial(weights, 5, replacement=True)

All of them are made of uniform and normal numbers of a generator, in double precision and one by one, in the order in
which PyTorch takes them.  Most are drawn by *rejection*: propose a number from a distribution that is easy to draw
from, and accept it with the ratio of the densities; otherwise try again.

A gamma draw and a Dirichlet draw have gradients, see Note [Gradients of a draw] in ops/elementwise/gamma_draws.py.
"""

import math
from functools import partial

import numpy as np

from minigrad import dtypes
from minigrad._core.dispatch.composites import Composite
from minigrad._core.errors import error
from minigrad._core.kernels.random import random_arrays
from minigrad.creation import arrays, empty, integer, the_tensor
from minigrad.ops.exports import ROWS, awaited_method
from minigrad.ops.kinds import elementwise, general, not_differentiable, piecewise_constant
from minigrad.random.arrays import fill_each, stream

__all__ = ["_dirichlet_grad", "_sample_dirichlet", "_standard_gamma", "_standard_gamma_grad", "binomial",
           "multinomial", "poisson"]

dirichlet_grad, standard_gamma_grad = ROWS.waiting("dirichlet_grad"), ROWS.waiting("standard_gamma_grad")
sum_dim = ROWS.waiting("sum.dim_IntList")


class Numbers:
    """Uniform and normal numbers of a generator, one at a time."""

    def __init__(self, function, generator):
        self.source, self.place = stream(function, generator), np.empty(1)

    def uniform(self):
        """A number in [0, 1)."""
        random_arrays.uniform(self.source, self.place, 0.0, 1.0)
        return float(self.place[0])

    def normal(self):
        """A number with mean 0 and variance 1."""
        random_arrays.normal(self.source, self.place, 0.0, 1.0)
        return float(self.place[0])


def one_by_one(function, draw, generator, *parameters):
    """``draw(numbers, *parameters of an element)`` for each element."""
    numbers = Numbers(function, generator)
    parameters = np.broadcast_arrays(*parameters)
    elements = zip(*[np.asarray(each, np.float64).ravel().tolist() for each in parameters])
    return np.array([draw(numbers, *each) for each in elements], np.float64).reshape(parameters[0].shape)


# ------------------------------------------------------------------------------ gamma

def draw_gamma(numbers, a, rounded=float):
    """The cube of a normal number, scaled, is nearly a gamma number, and a few are rejected (Marsaglia and Tsang 2000).

    They need a >= 1; for smaller a, a draw for a + 1 is multiplied by u^(1 / a).  As in PyTorch, what is computed from
    ``a`` alone is ``rounded`` as its dtype asks, and some of the constants are in float32.
    """
    scale = 1.0
    if a < 1:
        if a == 0:
            return 0.0
        scale = (1 - numbers.uniform()) ** rounded(1 / a)
        a = rounded(a + 1)
    d = rounded(a - THIRD)
    c = 1 / math.sqrt(9 * d)
    while True:
        x = numbers.normal()
        while 1 + c * x <= 0:
            x = numbers.normal()
        y = 1 + c * x
        v = y * y * y
        u = 1 - numbers.uniform()
        if u < 1 - SQUEEZE * (x * x) * (x * x) or math.log(u) < 0.5 * (x * x) + d * (1 - v + math.log(v)):
            return scale * d * v


def in_float32(number):
    return float(np.float32(number))


THIRD, SQUEEZE = in_float32(1 / 3), in_float32(0.0331)


def gamma_array(function, self, generator, draw=draw_gamma):
    if self.dtype.kind not in "fV":
        raise error("MG202", f'"{function}" not implemented for {dtypes.of_numpy(self.dtype)!r}: the parameters are '
                             "floating point numbers")
    return one_by_one(function, draw, generator, self)


def standard_gamma_kernel(self, generator):
    draw = draw_gamma
    if self.dtype != np.float64:
        draw = partial(draw_gamma, rounded=in_float32)
    drawn = gamma_array("_standard_gamma", self, generator, draw).astype(self.dtype)
    return np.maximum(drawn, self.dtype.type(dtypes.finfo(dtypes.of_numpy(self.dtype)).tiny))


standard_gamma = elementwise("standard_gamma(Tensor self, Generator? generator)", standard_gamma_kernel,
                             self=lambda d, self, result: d * standard_gamma_grad(self, result), promote=None,
                             public=False, inplace=False, node="StandardGammaBackward0")


def sample_dirichlet_kernel(self, generator):
    # Numbers for a small concentration underflow, and if all of a row were 0, their shares would be 0 / 0.
    drawn = np.maximum(gamma_array("_sample_dirichlet", self, generator), np.finfo(np.float64).tiny)
    shares = (drawn / drawn.sum(-1, keepdims=True)).astype(self.dtype)
    info = dtypes.finfo(dtypes.of_numpy(self.dtype))
    return np.clip(shares, self.dtype.type(info.tiny), self.dtype.type(1 - info.eps / 2))


def dirichlet_vjp(d, self, result):
    """A larger c_i takes from all shares: dx_j / dc_i = g_i (1_(i = j) - x_j)."""
    return dirichlet_grad(result, self, sum_dim(self, -1, True)) * (d - sum_dim(result * d, -1, True))


sample_dirichlet = general("sample_dirichlet(Tensor self, Generator? generator)", sample_dirichlet_kernel,
                           self=dirichlet_vjp, public=False, inplace=False, last_dims=1,
                           node="SampleDirichletBackward0")


def _standard_gamma(input, generator=None):
    """Gamma numbers of rate 1, of which ``input`` has the concentrations; with gradients."""
    the_tensor("_standard_gamma", input)
    return standard_gamma(input, generator)


def _standard_gamma_grad(input, output):
    """The derivative of ``output``, drawn by ``_standard_gamma``, with respect to its concentration."""
    return standard_gamma_grad(input, output)


def _sample_dirichlet(input, generator=None):
    """Probabilities along the last dimension, of which ``input`` has the concentrations; with gradients."""
    the_tensor("_sample_dirichlet", input)
    return sample_dirichlet(input, generator)


def _dirichlet_grad(x, alpha, total):
    """How a share ``x`` changes with its concentration, divided by 1 - x."""
    return dirichlet_grad(x, alpha, total)


# ------------------------------------------------------------------------------ counts

def draw_poisson(numbers, rate):
    """Events until waiting times add up to 1; large rates by rejection (PTRS of Hoermann 1993)."""
    if rate == 0:
        return 0
    if rate < 10:
        product, count = numbers.uniform(), 0
        while product > math.exp(-rate):
            product *= numbers.uniform()
            count += 1
        return count
    b = 0.931 + 2.53 * math.sqrt(rate)
    a = -0.059 + 0.02483 * b
    while True:
        u, v = numbers.uniform() - 0.5, numbers.uniform()
        near = 0.5 - abs(u)
        k = math.floor((2 * a / near + b) * u + rate + 0.43) if near > 0 else -1
        if near >= 0.07 and v <= 0.9277 - 3.6224 / (b - 2):
            return k
        if k < 0 or near < 0.013 and v > near:
            continue
        proposed = v * (1.1239 + 1.1328 / (b - 3.4)) / (a / (near * near) + b)
        if proposed == 0 or math.log(proposed) <= -rate + k * math.log(rate) - math.lgamma(k + 1):
            return k


def draw_binomial(numbers, n, p):
    """Sums of geometric numbers up to n; many successes by rejection (BTRS of Hoermann 1993)."""
    if n <= 0 or p <= 0:
        return 0
    if p >= 1:
        return n
    if p > 0.5:
        return n - draw_binomial(numbers, n, 1 - p)
    if math.isnan(p):
        return p
    if n * p < 10:
        tried, count = 0, -1
        while tried <= n:
            u = numbers.uniform()
            tried += math.ceil(math.log(u) / math.log1p(-p)) if u > 0 else n + 1
            count += 1
        return count
    spread = math.sqrt(n * p * (1 - p))
    b = 1.15 + 2.53 * spread
    a = -0.0873 + 0.0248 * b + 0.01 * p

    def log_weight(k):
        return k * math.log(p / (1 - p)) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
    mode = math.floor((n + 1) * p)
    while True:
        u, v = numbers.uniform() - 0.5, numbers.uniform()
        near = 0.5 - abs(u)
        k = math.floor((2 * a / near + b) * u + n * p + 0.5) if near > 0 else -1
        if not 0 <= k <= n:
            continue
        if near >= 0.07 and v <= 0.92 - 4.2 / b:
            return k
        proposed = v * (2.83 + 5.1 / b) * spread / (a / (near * near) + b)
        if proposed == 0 or math.log(proposed) <= log_weight(k) - log_weight(mode):
            return k


def poisson_kernel(self, generator):
    if not (self >= 0).all():
        raise error("MG204", "invalid Poisson rate, expected rate to be non-negative")
    return one_by_one("poisson", draw_poisson, generator, self).astype(self.dtype)


def binomial_kernel(count, prob, generator):
    return one_by_one("binomial", draw_binomial, generator, count, prob).astype(count.dtype)


poisson_row = piecewise_constant("poisson_row(Tensor self, Generator? generator)", poisson_kernel, promote=None,
                                 public=False, inplace=False, node="PoissonBackward0", shown="poisson")
binomial_row = piecewise_constant("binomial_row(Tensor count, Tensor prob, Generator? generator)", binomial_kernel,
                                  public=False, inplace=False, node="BinomialBackward0", shown="binomial")


@Composite
def poisson(input, generator=None):
    """Numbers of events, of which ``input`` has the rates.

    >>> torch.poisson(torch.tensor([0., 0.]))
    tensor([0., 0.])
    """
    the_tensor("poisson", input)
    return poisson_row(input, generator)


@Composite
def binomial(count, prob, generator=None):
    """Numbers of successes in ``count`` trials of probability ``prob``.

    >>> torch.binomial(torch.tensor([5., 5.]), torch.tensor([0., 1.]))
    tensor([0., 5.])
    """
    the_tensor("binomial", count)
    the_tensor("binomial", prob)
    return binomial_row(count, prob, generator)


# ------------------------------------------------------------------------------ multinomial

#: the most that ``multinomial`` chooses among
MOST_CATEGORIES = 1 << 24


def chosen(self, num_samples, replacement, generator):
    weights = np.asarray(self, np.float64)
    total = weights.sum(-1, keepdims=True)
    if not (np.isfinite(weights).all() and (weights >= 0).all()):
        raise error("MG204", "invalid multinomial distribution: probability tensor contains either `inf`, `nan` or "
                             "element < 0")
    if not (total > 0).all():
        raise error("MG204", "invalid multinomial distribution (sum of probabilities <= 0)")
    if replacement and num_samples > 1:
        return with_replacement(self if self.dtype.itemsize > 2 else weights, num_samples, generator)
    # Of waiting times with these rates the shortest is chosen first, and so on.
    self = self.reshape(-1, self.shape[-1]) if self.ndim > 2 else self          # the matrices of a batch are one
    waiting = arrays.empty_like(self, dtypes.of_numpy(self.dtype))      # drawn in the order of the weights in memory
    fill_each(stream("multinomial", generator), waiting, "exponential", 1.)
    places = np.argsort(-(self / waiting), -1, kind="stable")[..., :num_samples].astype(np.int64)
    return places.reshape(*weights.shape[:-1], num_samples)


def with_replacement(weights, num_samples, generator):
    """The places in the cumulative sums at which uniform numbers fall."""
    numbers = empty(*weights.shape[:-1], num_samples, dtype=dtypes.float64).uniform_(generator=generator)._array
    sums = np.cumsum(weights, -1)
    sums /= sums[..., -1:]
    sums[..., -1] = 1
    places = np.empty(numbers.shape, np.int64)
    for row in np.ndindex(weights.shape[:-1]):
        places[row] = np.searchsorted(sums[row], numbers[row], "left")
    return places


multinomial_row = not_differentiable("multinomial_row(Tensor self, int num_samples, bool replacement, "
                                     "Generator? generator)", chosen, promote=None, public=False, last_dims=1,
                                     batch="as it lies", shown="multinomial")


@awaited_method(takes_out=True)
def multinomial(input, num_samples, replacement=False, *, generator=None):
    """Places in the rows of ``input``, chosen at random with these weights.

    >>> torch.multinomial(torch.tensor([0., 1., 0.]), 2, replacement=True)
    tensor([1, 1])
    """
    the_tensor("multinomial", input)
    num_samples = integer("multinomial", "num_samples", num_samples)
    if not 1 <= input.dim() <= 2:
        raise error("MG204", "prob_dist must be 1 or 2 dim")
    if not input.dtype.is_floating_point:
        raise error("MG204", "multinomial only supports floating-point dtypes for input, got: "
                             f"{input.dtype}")
    if num_samples <= 0:
        raise error("MG204", "cannot sample n_sample <= 0 samples")
    if input.shape[-1] > MOST_CATEGORIES:
        raise error("MG204", f"number of categories cannot exceed 2^24, but there are {input.shape[-1]}: weights of "
                             "single precision would not tell more of them apart")
    if not replacement and num_samples > input.shape[-1]:
        raise error("MG204", "cannot sample n_sample > prob_dist.size(-1) samples without replacement")
    return multinomial_row(input, num_samples, bool(replacement), generator)


multinomial.exact_out = True            # places are of int64
