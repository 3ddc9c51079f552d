"""Filling tensors with random numbers, in place: ``x.uniform_()``, ``x.normal_()`` and the like.

Each draws from its distribution as many numbers as the tensor has elements, in its dtype, and
overwrites the tensor with them::

    continuous      uniform_ normal_ log_normal_ exponential_ cauchy_
    integers        random_ geometric_ bernoulli_

The one idea: a fill forgets.  The new elements do not depend on the old ones, so each fill is a row of the
table with gradient zero: applied to the result of a computation, it cuts that part of the graph off.
The fills have no out-of-place form; write ``x.clone().uniform_()``.

Generators are in generators.py, functions that make new random tensors in creation.py.
"""

import numpy as np

from minigrad import dtypes
from minigrad._core.errors import error
from minigrad._core.kernels import table as kernels
from minigrad.creation import arrays
from minigrad.dtypes import BOOL, COMPLEX, FLOAT, INT
from minigrad.ops.kinds import piecewise_constant
from minigrad.random.arrays import (draw_integers, fill_chances, fill_each, fill_integers, fill_normal, fill_uniform,
                                    most_of, must_be_floating, must_spread, stream)

__all__ = []


def fill(schema, kernel, node, doc, fast=None):
    """A row that draws as many numbers as ``self`` has elements; it has only an in-place form."""
    piecewise_constant(schema, kernel, node=node, promote=None, public=False, inplace=True, inplace_function=False,
                       wide=False, fills=True, fast=fast, doc=doc)


def must_be_real(function, kind):
    """Refuse all dtypes but real floating point ones."""
    if kind.category != FLOAT:
        raise not_real(function, kind)


def must_be_positive(function, argument, value):
    if not value > 0:
        raise error("MG204", f"{function} expects {argument} > 0.0, but found {argument}={value}")


def like(self):
    """The array to fill: it lies in memory in the order of ``self``, in which the numbers are drawn."""
    return arrays.empty_like(self, dtypes.of_numpy(self.dtype))


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
    made = like(self)
    fill_uniform(stream("uniform_", generator), made, low, high)
    return made


fill("uniform(Tensor self, float from=0.0, float to=1.0, *, Generator? generator=None)", uniform_kernel,
     "UniformBackward0", fast=kernels.uniform, doc="""
``self`` is filled with numbers drawn evenly from ``from`` to below ``to``.

In a complex tensor both parts are drawn like this.

>>> x = torch.empty(1000).uniform_(2, 3)
>>> bool(((x >= 2) & (x <= 3)).all())
True
""")


def normal_kernel(self, mean, std, generator):
    kind = dtypes.of_numpy(self.dtype)
    must_be_floating("normal_", kind)
    must_spread("normal", std)
    made = like(self)
    fill_normal(stream("normal_", generator), made, mean, std, self.flags.c_contiguous)
    return made


fill("normal(Tensor self, float mean=0.0, float std=1.0, *, Generator? generator=None)", normal_kernel,
     "NormalBackward0", fast=kernels.normal, doc="""
``self`` is filled with normally distributed numbers.

In a complex tensor each part has the mean ``mean`` and half the variance.

>>> torch.empty(3).normal_(5, 0)
tensor([5., 5., 5.])
""")


def log_normal_kernel(self, mean, std, generator):
    kind = dtypes.of_numpy(self.dtype)
    must_be_real("log_normal_", kind)
    must_be_positive("log_normal_", "std", std)
    made = like(self)
    fill_each(stream("log_normal_", generator), made, "log_normal", mean, std)
    return made


fill("log_normal(Tensor self, float mean=1.0, float std=2.0, *, Generator? generator=None)",
     log_normal_kernel, "LogNormalBackward0", doc="""
``self`` is filled with numbers whose logarithms have the mean ``mean`` and the standard deviation ``std``.

>>> bool((torch.empty(100).log_normal_() > 0).all())
True
""")


def exponential_kernel(self, lambd, generator):
    kind = dtypes.of_numpy(self.dtype)
    must_be_real("exponential_", kind)
    must_be_positive("exponential_", "lambda", lambd)
    made = like(self)
    fill_each(stream("exponential_", generator), made, "exponential", lambd)
    return made


fill("exponential(Tensor self, float lambd=1.0, *, Generator? generator=None)", exponential_kernel,
     "ExponentialBackward0", fast=kernels.exponential, doc="""
``self`` is filled with numbers of density ``lambd * exp(-lambd * x)``: waiting times, of mean ``1 / lambd``.

>>> bool((torch.empty(100).exponential_(10) >= 0).all())
True
""")


def cauchy_kernel(self, median, sigma, generator):
    kind = dtypes.of_numpy(self.dtype)
    must_be_real("cauchy_", kind)
    must_be_positive("cauchy_", "sigma", sigma)
    made = like(self)
    fill_each(stream("cauchy_", generator), made, "cauchy", median, sigma)
    return made


fill("cauchy(Tensor self, float median=0.0, float sigma=1.0, *, Generator? generator=None)", cauchy_kernel,
     "CauchyBackward0", doc="""
``self`` is filled with numbers of the Cauchy distribution, which has a median and a width, and no mean.

>>> torch.empty(3).cauchy_().shape
torch.Size([3])
""")


# --- Integers ----------------------------------------------------------------------------------

def random_kernel(self, low, high, generator):
    kind = dtypes.of_numpy(self.dtype)
    if kind.category == COMPLEX:
        raise error("MG202", f'"random_" not implemented for {kind!r}: take an integer or floating point dtype')
    made = like(self)
    fill_integers("random_", stream("random_", generator), made, low, high)
    return made


def random_by_itself(self, generator):
    kind = dtypes.of_numpy(self.dtype)
    if kind.category == COMPLEX:
        return random_kernel(self, 0, None, generator)
    made = like(self)
    draw_integers(stream("random_", generator), made, 0, most_of(kind) + 1, kind in (dtypes.int64, dtypes.float64))
    return made


fill("random.from(Tensor self, int from, int? to, *, Generator? generator=None)", random_kernel, "RandomBackward0",
     fast=kernels.integers, doc="""
``random_(from, to)``, ``random_(to)`` or ``random_()``: ``self`` is filled with integers from ``from`` to below ``to``.

Without ``from`` they begin at 0; without ``to`` they go as far as the dtype holds integers without gaps.

>>> torch.empty(3).random_(5, 6)
tensor([5., 5., 5.])
""")

fill("random.to(Tensor self, int to, *, Generator? generator=None)",
     lambda self, to, generator: random_kernel(self, 0, to, generator), "RandomBackward1",
     fast=kernels.integers, doc="``random_`` from 0 on.")

fill("random(Tensor self, *, Generator? generator=None)", random_by_itself, "RandomBackward2",
     doc="``random_`` as far as the dtype goes.")


def geometric_kernel(self, p, generator):
    kind = dtypes.of_numpy(self.dtype)
    if kind.category not in (INT, FLOAT):
        raise error("MG202", f'"geometric_" not implemented for {kind!r}: take an integer or floating point dtype')
    if not 0 < p < 1:
        raise error("MG204", f"geometric_ expects p to be in (0, 1), but got p={p}")
    made = like(self)
    fill_each(stream("geometric_", generator), made, "geometric", p)
    return made


fill("geometric(Tensor self, float p, *, Generator? generator=None)", geometric_kernel, "GeometricBackward0", doc="""
``self`` is filled with integers from 1 on: how many trials it takes until one of probability ``p`` succeeds.

>>> bool((torch.empty(100).geometric_(0.5) >= 1).all())
True
""")


def bernoulli_kernel(self, p, generator):
    kind = dtypes.of_numpy(self.dtype)
    if kind.category == COMPLEX:
        raise error("MG202", f'"bernoulli_" not implemented for {kind!r}: take a real dtype')
    if not 0 <= p <= 1:
        raise error("MG204", f"bernoulli_ expects p to be in [0, 1], but got p={p}")
    made = like(self)
    fill_each(stream("bernoulli_", generator), made, "bernoulli", p, 1)
    return made


def bernoulli_each_kernel(self, p, generator):
    if p.dtype.kind not in "fV":
        raise not_probabilities(p.dtype)
    if not ((p >= 0) & (p <= 1)).all():
        raise beyond_0_and_1()
    try:
        p = np.broadcast_to(p, self.shape)
    except ValueError:
        raise unlike_shapes(p.shape, self.shape) from None
    made = like(self)
    fill_chances(stream("bernoulli_", generator), made, p)
    return made


fill("bernoulli.float(Tensor self, float p=0.5, *, Generator? generator=None)", bernoulli_kernel,
     "BernoulliBackward2", fast=kernels.bernoulli, doc="""
``self`` is filled with ones and zeros; ``p``, a number or a tensor of numbers, is the probability of a one.

>>> torch.empty(2, 2).bernoulli_(torch.tensor([0., 1.]))
tensor([[0., 1.],
        [0., 1.]])
""")

fill("bernoulli.Tensor(Tensor self, Tensor p, *, Generator? generator=None)", bernoulli_each_kernel,
     "BernoulliBackward1", doc="``bernoulli_`` with a probability for each element.")


# --- Errors --------------------------------------------------------------------------------------


def not_real(function, kind):
    return error("MG202", f"{function}: this is a continuous probability distribution of real numbers. dtype must "
                          f"be a floating point but you specified {kind!r}")


def unlike_shapes(given, wanted):
    return error("MG201", f"bernoulli_(): expand: the probabilities of shape {list(given)} must match the existing "
                          f"size {list(wanted)} of the tensor that is filled, or broadcast to it")


def not_probabilities(dtype):
    return error("MG202", f'"bernoulli_" not implemented for {dtypes.of_numpy(dtype)!r}: probabilities are '
                          'floating point numbers')


def beyond_0_and_1():
    return error("MG204", "bernoulli_(): Expected p_in >= 0 && p_in <= 1 to be true for all probabilities, but "
                          "got false")
