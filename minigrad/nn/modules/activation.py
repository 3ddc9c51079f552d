"""Activations: functions of single elements, or along a dim, as layers.

Each passes its options to the function of the same name in ``nn.functional``, where the formulas are.
"""

from minigrad._core.errors import error, warn
from minigrad.nn import functional as F, init
from minigrad.nn.modules.layer import Layer, bad_option
from minigrad.nn.modules.module import Module
from minigrad.nn.parameter import Parameter

__all__ = ["CELU", "ELU", "GELU", "GLU", "Hardshrink", "Hardsigmoid", "Hardswish", "Hardtanh", "LeakyReLU",
           "LogSigmoid", "LogSoftmax", "Mish", "PReLU", "RReLU", "ReLU", "ReLU6", "SELU", "SiLU", "Sigmoid", "Softmax",
           "Softmax2d", "Softmin", "Softplus", "Softshrink", "Softsign", "Tanh", "Tanhshrink", "Threshold"]


class _Overwriting(Layer):
    """An activation that can overwrite its input: ``repr`` says so if it does."""

    inplace: bool

    def extra_repr(self):
        shown = super().extra_repr()
        return ", ".join([shown] * bool(shown) + ["inplace=True"] * bool(self.inplace))


class _WithoutMore(_Overwriting):
    """An activation with this one option."""

    def __init__(self, inplace=False):
        super().__init__(inplace=inplace)


# ------------------------------------------------------------------------------ with a kink

class ReLU(_WithoutMore):
    """max(x, 0): negative numbers become 0.

    >>> torch.nn.ReLU()(torch.tensor([-1., 2.]))
    tensor([0., 2.])
    """

    def forward(self, input):
        return F.relu(input, inplace=self.inplace)


class LeakyReLU(_Overwriting):
    """x, and below 0 ``negative_slope * x``.

    >>> torch.nn.LeakyReLU(0.1)(torch.tensor([-1., 2.]))
    tensor([-0.1000,  2.0000])
    """

    negative_slope: float

    shown = "negative_slope={negative_slope}"

    def __init__(self, negative_slope=0.01, inplace=False):
        super().__init__(negative_slope=negative_slope, inplace=inplace)

    def forward(self, input):
        return F.leaky_relu(input, self.negative_slope, self.inplace)


class PReLU(Layer):
    """LeakyReLU whose slope is learned: one for all, or ``num_parameters`` for as many channels (dim 1).

    >>> torch.nn.PReLU()(torch.tensor([-1., 2.]))
    tensor([-0.2500,  2.0000], grad_fn=<PreluKernelBackward0>)
    """

    num_parameters: int
    init: float
    weight: Parameter

    shown = "num_parameters={num_parameters}"

    def __init__(self, num_parameters=1, init=0.25, device=None, dtype=None):
        super().__init__(num_parameters=num_parameters, init=init)
        self._learn("weight", num_parameters, device, dtype)
        self.reset_parameters()

    def reset_parameters(self):
        """Set all slopes to ``init``."""
        init.constant_(self.weight, self.init)

    def forward(self, input):
        return F.prelu(input, self.weight)


class RReLU(_Overwriting):
    """LeakyReLU with slopes that are drawn between ``lower`` and ``upper`` while training; later it takes the middle.

    >>> torch.nn.RReLU(0.1, 0.3).eval()(torch.tensor([-1., 2.]))
    tensor([-0.2000,  2.0000])
    """

    lower: float
    upper: float

    shown = "lower={lower}, upper={upper}"

    def __init__(self, lower=1 / 8, upper=1 / 3, inplace=False):
        super().__init__(lower=lower, upper=upper, inplace=inplace)

    def forward(self, input):
        return F.rrelu(input, self.lower, self.upper, self.training, self.inplace)


class Threshold(_Overwriting):
    """x where it is above ``threshold``, and ``value`` elsewhere.

    >>> torch.nn.Threshold(1., 20.)(torch.tensor([0.5, 2.]))
    tensor([20.,  2.])
    """

    threshold: float
    value: float

    shown = "threshold={threshold}, value={value}"

    def __init__(self, threshold, value, inplace=False):
        super().__init__(threshold=threshold, value=value, inplace=inplace)

    def forward(self, input):
        return F.threshold(input, self.threshold, self.value, self.inplace)


class Hardtanh(_Overwriting):
    """x between ``min_val`` and ``max_val``, and the bounds beyond them.

    >>> torch.nn.Hardtanh(-2., 2.)(torch.tensor([-3., 1.]))
    tensor([-2.,  1.])
    """

    min_val: float
    max_val: float

    shown = "min_val={min_val}, max_val={max_val}"

    def __init__(self, min_val=-1., max_val=1., inplace=False, min_value=None, max_value=None):
        for name, value in (("min_val", min_value), ("max_val", max_value)):
            if value is not None:
                warn(f"keyword argument `{name}ue` is deprecated and renamed to `{name}`", FutureWarning)
        super().__init__(min_val=min_val if min_value is None else min_value,
                         max_val=max_val if max_value is None else max_value, inplace=inplace)
        if self.max_val <= self.min_val:
            raise bad_option(f"max_val ({self.max_val}) must be greater than min_val ({self.min_val})")

    def forward(self, input):
        return F.hardtanh(input, self.min_val, self.max_val, self.inplace)


class ReLU6(Hardtanh):
    """x between 0 and 6, and the bounds beyond them.

    >>> torch.nn.ReLU6()(torch.tensor([-3., 1., 10.]))
    tensor([0., 1., 6.])
    """

    shown = ""

    def __init__(self, inplace=False):
        super().__init__(0., 6., inplace)


class _Shrink(Layer):
    """An activation that is 0 near 0."""

    lambd: float

    shown = "{lambd}"

    def __init__(self, lambd=0.5):
        super().__init__(lambd=lambd)


class Hardshrink(_Shrink):
    """x, and 0 between ``-lambd`` and ``lambd``.

    >>> torch.nn.Hardshrink()(torch.tensor([-1., 0.4]))
    tensor([-1.,  0.])
    """

    def forward(self, input):
        return F.hardshrink(input, self.lambd)


class Softshrink(_Shrink):
    """x moved towards 0 by ``lambd``, and 0 if it is nearer than that.

    >>> torch.nn.Softshrink()(torch.tensor([-1., 0.4]))
    tensor([-0.5000,  0.0000])
    """

    def forward(self, input):
        return F.softshrink(input, self.lambd)


class Hardsigmoid(Layer):
    """A straight line from 0 at -3 to 1 at 3, for Sigmoid.

    >>> torch.nn.Hardsigmoid()(torch.tensor([-4., 0.]))
    tensor([0.0000, 0.5000])
    """

    inplace: bool

    def __init__(self, inplace=False):
        super().__init__(inplace=inplace)

    def forward(self, input):
        return F.hardsigmoid(input, self.inplace)


class Hardswish(Layer):
    """x times Hardsigmoid of x.

    >>> torch.nn.Hardswish()(torch.tensor([-4., 1.5]))
    tensor([-0.0000, 1.1250])
    """

    inplace: bool

    def __init__(self, inplace=False):
        super().__init__(inplace=inplace)

    def forward(self, input):
        return F.hardswish(input, self.inplace)


# ------------------------------------------------------------------------------ smooth

class Sigmoid(Module):
    """1 / (1 + exp(-x)).

    >>> torch.nn.Sigmoid()(torch.tensor(0.))
    tensor(0.5000)
    """

    def forward(self, input):
        return F.sigmoid(input)


class LogSigmoid(Module):
    """The logarithm of Sigmoid.

    >>> torch.nn.LogSigmoid()(torch.tensor(0.))
    tensor(-0.6931)
    """

    def forward(self, input):
        return F.logsigmoid(input)


class Tanh(Module):
    """The hyperbolic tangent.

    >>> torch.nn.Tanh()(torch.tensor([0., 1.]))
    tensor([0.0000, 0.7616])
    """

    def forward(self, input):
        return F.tanh(input)


class Tanhshrink(Module):
    """x - tanh(x).

    >>> torch.nn.Tanhshrink()(torch.tensor([0., 1.]))
    tensor([0.0000, 0.2384])
    """

    def forward(self, input):
        return F.tanhshrink(input)


class Softsign(Module):
    """x / (1 + abs(x)).

    >>> torch.nn.Softsign()(torch.tensor([-1., 3.]))
    tensor([-0.5000,  0.7500])
    """

    def forward(self, input):
        return F.softsign(input)


class Softplus(Layer):
    """log(1 + exp(beta x)) / beta, and x where ``beta * x`` is above ``threshold``.

    >>> torch.nn.Softplus()(torch.tensor([0., 30.]))
    tensor([ 0.6931, 30.0000])
    """

    beta: float
    threshold: float

    shown = "beta={beta}, threshold={threshold}"

    def __init__(self, beta=1., threshold=20.):
        super().__init__(beta=beta, threshold=threshold)

    def forward(self, input):
        return F.softplus(input, self.beta, self.threshold)


class _Exponential(_Overwriting):
    """An activation that ends at ``-alpha`` on the left."""

    alpha: float

    shown = "alpha={alpha}"

    def __init__(self, alpha=1., inplace=False):
        super().__init__(alpha=alpha, inplace=inplace)


class ELU(_Exponential):
    """x, and below 0 ``alpha * (exp(x) - 1)``.

    >>> torch.nn.ELU()(torch.tensor([-1., 2.]))
    tensor([-0.6321,  2.0000])
    """

    def forward(self, input):
        return F.elu(input, self.alpha, self.inplace)


class CELU(_Exponential):
    """x, and below 0 ``alpha * (exp(x / alpha) - 1)``.

    >>> torch.nn.CELU(2.)(torch.tensor([-1., 2.]))
    tensor([-0.7869,  2.0000])
    """

    def forward(self, input):
        return F.celu(input, self.alpha, self.inplace)


class SELU(_WithoutMore):
    """ELU scaled so that mean 0 and variance 1 are kept from layer to layer.

    >>> torch.nn.SELU()(torch.tensor([-1., 2.]))
    tensor([-1.1113,  2.1014])
    """

    def forward(self, input):
        return F.selu(input, self.inplace)


class GELU(Layer):
    """x times the share of the normal distribution below x; with ``approximate="tanh"`` by a formula that is near it.

    >>> torch.nn.GELU()(torch.tensor([-1., 2.]))
    tensor([-0.1587,  1.9545])
    """

    approximate: str

    shown = "approximate={approximate!r}"

    def __init__(self, approximate="none"):
        super().__init__(approximate=approximate)

    def forward(self, input):
        return F.gelu(input, approximate=self.approximate)


class SiLU(_WithoutMore):
    """x times Sigmoid of x.

    >>> torch.nn.SiLU()(torch.tensor([-1., 2.]))
    tensor([-0.2689,  1.7616])
    """

    def forward(self, input):
        return F.silu(input, inplace=self.inplace)


class Mish(_WithoutMore):
    """x times tanh of Softplus of x.

    >>> torch.nn.Mish()(torch.tensor([-1., 2.]))
    tensor([-0.3034,  1.9440])
    """

    def forward(self, input):
        return F.mish(input, inplace=self.inplace)


# ------------------------------------------------------------------------------ along a dim

class GLU(Layer):
    """The first half along ``dim``, times Sigmoid of the second.

    >>> torch.nn.GLU()(torch.tensor([4., 0.]))
    tensor([2.])
    """

    dim: int

    shown = "dim={dim}"

    def __init__(self, dim=-1):
        super().__init__(dim=dim)

    def forward(self, input):
        return F.glu(input, self.dim)


class _AlongDim(Layer):
    """Softmax and its kin."""

    dim: int | None

    shown = "dim={dim}"

    def __init__(self, dim=None):
        super().__init__(dim=dim)


class Softmax(_AlongDim):
    """exp(x) divided by its sum along ``dim``.

    >>> torch.nn.Softmax(dim=0)(torch.tensor([1., 1.]))
    tensor([0.5000, 0.5000])
    """

    def forward(self, input):
        return F.softmax(input, self.dim)


class Softmin(_AlongDim):
    """Softmax of -x.

    >>> torch.nn.Softmin(dim=0)(torch.tensor([0., 1.]))
    tensor([0.7311, 0.2689])
    """

    def forward(self, input):
        return F.softmin(input, self.dim)


class LogSoftmax(_AlongDim):
    """The logarithm of Softmax.

    >>> torch.nn.LogSoftmax(dim=0)(torch.tensor([1., 1.]))
    tensor([-0.6931, -0.6931])
    """

    def forward(self, input):
        return F.log_softmax(input, self.dim)


class Softmax2d(Module):
    """Softmax over the channels of (N, C, H, W) or (C, H, W).

    >>> torch.nn.Softmax2d()(torch.zeros(2, 1, 1))
    tensor([[[0.5000]],
    <BLANKLINE>
            [[0.5000]]])
    """

    def forward(self, input):
        if input.dim() not in (3, 4):
            raise error("MG207", f"Softmax2d: expected input to be 3D or 4D, got {input.dim()}D instead: (N, C, H, W), "
                                 "or (C, H, W)")
        return F.softmax(input, -3)
