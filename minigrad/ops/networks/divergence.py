"""How far apart are two distributions?  kl_div, poisson_nll_loss, gaussian_nll_loss.

Each is minus the logarithm of a probability, but for terms that do not depend on the prediction::

    kl_div              the target is a distribution, the input the logarithms of another one
    poisson_nll_loss    the target was counted, the input is the rate, or its logarithm
    gaussian_nll_loss   the target is near the input, and ``var`` says how near

The losses of the elements are rows, and their mean or sum is a row of its own, as PyTorch makes them.

Neighbours: loss.py (reductions), margin.py.
"""

import math

import numpy as np

from minigrad._core.errors import error, warn
from minigrad._core.graph import Tensor
from minigrad._core.kernels.networks import elementwise_losses

from ..copying import to_copy, zeros_of
from ..elementwise.arithmetic import add, keep
from ..elementwise.comparison import gt
from ..elementwise.division import div
from ..elementwise.elementary import exp, log
from ..composites import composite
from ..kinds import elementwise
from ..shapes.transposing import unsqueeze
from .loss import FLOAT, NONE, SUM, check_reduction, reduce_loss, reduction_number
from ..arguments import must_be_tensors

# ------------------------------------------------------------------------------ Kullback and Leibler


def kl_div_kernel(self, target):
    return np.where(target == 0, 0, target * np.log(target)) - target * self


kl_div_row = elementwise("kl_div(Tensor self, Tensor target)", kl_div_kernel,
                         self=lambda d, target: -d * target,
                         target=lambda d, self, target: d * (log(target) + 1 - self),
                         refuse="biuc", public=False, fast=elementwise_losses.kl_div,
                         layout="target", doc="t (log(t) - x), which is 0 where t is 0.")

kl_div_of_logs = elementwise("kl_div_of_logs(Tensor self, Tensor target)",
                             lambda self, target: np.exp(target) * (target - self),
                             self=lambda d, target: -d * exp(target),
                             target=lambda d, self, target: d * exp(target) * (target - self + 1),
                             refuse="biuc", shown="kl_div", public=False, fast=elementwise_losses.kl_div_of_logs,
                             layout="target", doc="exp(t) (t - x).")


def divergence(input, target, reduction, log_target):
    if not (isinstance(input, Tensor) and isinstance(target, Tensor)):
        raise must_be_tensors("kl_div", input=input, target=target)
    return reduce_loss((kl_div_of_logs if log_target else kl_div_row)(input, target), reduction)


@composite(types="Tensor Tensor int bool", method=False, out=False)
def kl_div(input, target, reduction=NONE, *, log_target=False):
    """``nn.functional.kl_div``, with the reduction as a number: 0 is none, 1 the mean, 2 the sum.

    >>> torch.kl_div(torch.tensor([-1., -2.]), torch.tensor([0.5, 0.5]))
    tensor([0.1534, 0.6534])
    """
    return divergence(input, target, check_reduction("kl_div", reduction), log_target)


@composite(name="kl_div", types="Tensor Tensor bool? bool? str bool", nn=True)
def functional_kl_div(input, target, size_average=None, reduce=None, reduction="mean", log_target=False):
    """``target * (log(target) - input)``, where ``input`` holds logarithms, and so does ``target`` with ``log_target``.

    The divergence of Kullback and Leibler is the sum over a distribution, which ``reduction="batchmean"`` averages over
    the first dim; ``"mean"`` averages over all elements.

    >>> logp, target = torch.log(torch.tensor([[0.5, 0.5]])), torch.tensor([[1., 0.]])
    >>> torch.nn.functional.kl_div(logp, target, reduction="batchmean")
    tensor(0.6931)
    """
    if size_average is None and reduce is None:
        if reduction == "mean":
            warn_of_mean()
        if reduction == "batchmean":
            total = divergence(input, target, SUM, log_target)
            return div(total, input.shape[0]) if input.ndim else total
    return divergence(input, target, reduction_number("kl_div", reduction, size_average, reduce), log_target)

# ------------------------------------------------------------------------------ counts


poisson_of_log = elementwise("poisson_of_log(Tensor self, Tensor target)",
                             lambda self, target: np.exp(self) - target * self,
                             self=lambda d, self, target: d * exp(self) - d * target,       # which may be a bool
                             target=lambda d, self: -d * self,
                             promote="float", shown="poisson_nll_loss", public=False,
                             fast=elementwise_losses.poisson_of_log,
                             doc="exp(x) - t x, where x is the logarithm of the rate.")

poisson_of_rate = elementwise("poisson_of_rate(Tensor self, Tensor target, float eps)",
                              lambda self, target, eps: self - target * np.log(self + eps),
                              self=lambda d, self, target, eps: d * (1 - target / (self + eps)),
                              target=lambda d, self, eps: -d * log(self + eps),
                              promote="float", shown="poisson_nll_loss", public=False, fast=elementwise_losses.poisson,
                              doc="x - t log(x + eps), where x is the rate.")


def stirling_kernel(self):
    return np.where(self <= 1, 0, self * np.log(self) - self + 0.5 * np.log(2 * math.pi * self))


stirling = elementwise("stirling(Tensor self)", stirling_kernel,
                       self=lambda d, self: keep(d * (log(self) + 0.5 / self), gt(self, 1)),
                       promote="float", refuse="bc", shown="poisson_nll_loss", public=False,
                       fast=elementwise_losses.stirling,
                       doc="Stirling's approximation of log(t!), and 0 up to 1.")


def counted(input, target, log_input, full, eps, reduction):
    if not (isinstance(input, Tensor) and isinstance(target, Tensor)):
        raise must_be_tensors("poisson_nll_loss", input=input, target=target)
    if input.dtype.category < FLOAT:
        input = add(input, 0.)
    losses = poisson_of_log(input, target) if log_input else poisson_of_rate(input, target, eps)
    if full:
        rest = stirling(target)
        losses = add(losses, rest if rest.dtype is losses.dtype else to_copy(rest, losses.dtype))
    return reduce_loss(losses, reduction)


@composite(types="Tensor Tensor bool bool float int", method=False, out=False)
def poisson_nll_loss(input, target, log_input, full, eps, reduction):
    """``nn.functional.poisson_nll_loss``, with the reduction as a number: 0 is none, 1 the mean, 2 the sum.

    >>> torch.poisson_nll_loss(torch.tensor([0., 1.]), torch.tensor([1., 2.]), True, False, 1e-8, 0)
    tensor([1.0000, 0.7183])
    """
    return counted(input, target, log_input, full, eps, check_reduction("poisson_nll_loss", reduction))


@composite(name="poisson_nll_loss", types="Tensor Tensor bool bool bool? float bool? str", nn=True)
def functional_poisson_nll_loss(input, target, log_input=True, full=False, size_average=None, eps=1e-8, reduce=None,
                                reduction="mean"):
    """Minus the log-probability of a count, where ``input`` is the logarithm of the rate, or the rate itself.

    ``full`` adds Stirling's approximation of log(target!), which does not depend on the input.

    >>> torch.nn.functional.poisson_nll_loss(torch.tensor([0., 1.]), torch.tensor([1., 2.]))
    tensor(0.8591)
    """
    reduction = reduction_number("poisson_nll_loss", reduction, size_average, reduce)
    return counted(input, target, log_input, full, eps, reduction)

# ------------------------------------------------------------------------------ a mean and a variance


def variance_kernel(self, eps):
    if (self < 0).any():
        raise negative_variance()
    return np.where(self < eps, self.dtype.type(eps), self)


variance = elementwise("variance(Tensor self, float eps)", variance_kernel,
                       self=lambda d: d,
                       refuse="biuc", shown="gaussian_nll_loss", public=False, fast=elementwise_losses.variance, doc="""
``self``, but at least ``eps``; its gradient is that of ``self`` everywhere, as in PyTorch.
""")


def gaussian_kernel(self, target, var):
    difference = self - target
    return 0.5 * (np.log(var) + difference * difference / var)


gaussian = elementwise("gaussian_nll(Tensor self, Tensor target, Tensor var)", gaussian_kernel,
                       self=lambda d, self, target, var: d * ((self - target) / var),
                       target=lambda d, self, target, var: d * ((target - self) / var),
                       var=lambda d, self, target, var: 0.5 * d * ((1 - (self - target) * (self - target) / var) / var),
                       refuse="b", shown="gaussian_nll_loss", public=False, fast=elementwise_losses.gaussian,
                       layout="var", doc="(log(v) + (x - t)^2 / v) / 2.")


@composite(types="Tensor Tensor Any bool float str", nn=True)
def gaussian_nll_loss(input, target, var, full=False, eps=1e-6, reduction="mean"):
    """Minus the log-density of ``target`` in a normal distribution with mean ``input`` and variance ``var``.

    ``var`` is a tensor, in the shape of ``input``, without its last dim, or with size one in one dim, or it is a float;
    it counts at least ``eps``. ``full`` adds the constant, log(2 pi) / 2.

    >>> mean, target, var = torch.tensor([[1., 2.]]), torch.tensor([[1., 4.]]), torch.tensor([[1., 4.]])
    >>> torch.nn.functional.gaussian_nll_loss(mean, target, var, reduction="none")
    tensor([[0.0000, 1.1931]])
    """
    if not isinstance(input, Tensor):
        raise must_be_tensors("gaussian_nll_loss", input=input)
    if isinstance(var, float):
        if var < 0:
            raise negative_variance()
        var = add(zeros_of(input), var)
    elif not isinstance(var, Tensor):
        raise must_be_tensors("gaussian_nll_loss", input=input, var=var)
    var = variance(var, eps)
    if var.shape != input.shape:
        if var.shape == input.shape[:-1]:
            var = unsqueeze(var, -1)
        elif var.ndim != input.ndim or [n for n, m in zip(var.shape, input.shape) if n != m] != [1]:
            raise variance_of_another_size(var.shape, input.shape)
    if reduction not in ("none", "mean", "sum"):
        raise no_such_reduction(reduction)
    losses = gaussian(input, target, var)
    return reduce_loss(losses + 0.5 * math.log(2 * math.pi) if full else losses,
                       reduction_number("gaussian_nll_loss", reduction))


# ------------------------------------------------------------------------------ errors and warnings


def warn_of_mean():
    warn("reduction: 'mean' divides the total loss by both the batch size and the support size."
         "'batchmean' divides only by the batch size, and aligns with the KL div math definition."
         "'mean' will be changed to behave the same as 'batchmean' in the next major release.")


def negative_variance():
    return error("MG207", "gaussian_nll_loss: var has negative entry/entries, but a variance is at least 0")


def variance_of_another_size(var, input):
    return error("MG207", f"gaussian_nll_loss: var is of incorrect size: {list(var)} for an input of size "
                          f"{list(input)}. It has one variance for each element, or one for each row")


def no_such_reduction(reduction):
    return error("MG207", f"gaussian_nll_loss: {reduction} is not valid as a reduction: it is 'none', 'mean' or 'sum'")
