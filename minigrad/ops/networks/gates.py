"""Gated linear units, and leaky relus whose slopes are not fixed: glu, prelu, rrelu.

A gated linear unit lets the first half of its input through as far as the second half is open.  ``prelu`` and ``rrelu``
are leaky: the slope below 0 is a parameter, which is learned, or it is drawn at random.  The drawing is in
nn/functional/randomized_relu.py.

Neighbours: activation.py (leaky_relu), shrinking.py.
"""

import numpy as np

from minigrad._core.errors import error
from minigrad._core.graph import Tensor
from minigrad._core.kernels import table_of_networks as kernels
from minigrad._core.kernels.networks import activations

from ..copying import zeros_of
from ..elementwise.comparison import refuse
from ..elementwise.elementary import sigmoid
from ..composites import composite
from ..exports import NN_REGISTRY
from ..kinds import elementwise, general, linear
from ..shapes.reshaping import reshape_to
from ..arguments import at, must_be_tensors, scalar_name

# ------------------------------------------------------------------------------ gated linear units


def halves(x, dim):
    n = x.shape[dim] // 2
    return x[at(dim, slice(n))], x[at(dim, slice(n, None))]


def half_backward_kernel(d, dim, second):
    zeros = np.zeros_like(d)
    return np.concatenate((zeros, d) if second else (d, zeros), dim)


half = linear("half(Tensor self, Dim dim, bool second)", lambda self, dim, second: halves(self, dim)[second].copy(),
              self=lambda d, dim, second: half_backward(d, dim, second),
              public=False, doc="One half of the tensor along a dim.")

half_backward = linear("half_backward(Tensor d, Dim dim, bool second)", half_backward_kernel,
                       d=lambda t, dim, second: half(t, dim, second),
                       public=False, doc="The transpose of ``half``: zeros for the other half.")


def glu_kernel(self, dim):
    refuse(self, "biuc", "glu")
    if not self.ndim:
        raise glu_of_a_number()
    if self.shape[dim] % 2:
        raise no_halves(dim, self.shape[dim])
    a, b = halves(self, dim)
    return a * (1 / (1 + np.exp(-b)))


def glu_backward_kernel(self, d, dim):
    a, b = halves(self, dim)
    gate = 1 / (1 + np.exp(-b))
    out = np.empty(self.shape, self.dtype)
    of_a, of_b = halves(out, dim)
    of_a[...] = d * gate
    of_b[...] = d * a * (gate * (1 - gate))
    return out


def glu_forward(t, self, dim):
    """a' s(b) + a s'(b) b', with s = sigmoid and s' = s (1 - s): the transpose of ``glu_backward``."""
    gate = sigmoid(half(self, dim, True))
    return half(t, dim, False) * gate + half(t, dim, True) * half(self, dim, False) * (gate * (1 - gate))


def glu_twice(t, d, self, dim):
    """The gradient with respect to ``self`` of t . glu_backward: a' d s' for a, and d (a' s' + a b' s'') for b."""
    gate = sigmoid(half(self, dim, True))
    slope = gate * (1 - gate)
    of_a, of_b = half(t, dim, False), half(t, dim, True)
    curved = half(self, dim, False) * of_b * (1 - 2 * gate)
    return half_backward(d * slope * of_b, dim, False) + half_backward(d * slope * (of_a + curved), dim, True)


glu_backward = general("glu_backward(Tensor self, Tensor d, Dim dim)", glu_backward_kernel,
                       d=lambda t, self, dim: glu_forward(t, self, dim),
                       self=glu_twice,
                       public=False, fast=kernels.glu_backward,
                       doc="The gradient of ``glu``, in both halves.")

glu = general("glu(Tensor self, Dim dim=-1)", glu_kernel,
              self=lambda d, self, dim: glu_backward(self, d, dim),
              nn=True, fast=kernels.glu, doc="""
The first half of ``self`` along ``dim``, times the sigmoid of the second half (Dauphin et al., Language modeling with
gated convolutional networks, 2017).

>>> torch.nn.functional.glu(torch.tensor([1., 2., 0., 100.]))
tensor([0.5000, 2.0000])
""")

# ------------------------------------------------------------------------------ a slope for each channel


not_above_zero = elementwise("not_above_zero(Tensor d, Tensor self)",
                             lambda d, self: np.where(self > 0, d.dtype.type(0), d),
                             d=lambda t, self: not_above_zero(t, self),
                             self=lambda t: zeros_of(t),
                             public=False, fast=activations.not_above_zero,
                             doc="``d`` where ``self`` is not above 0, and 0 elsewhere.")

prelu_backward = elementwise("prelu_backward(Tensor d, Tensor self, Tensor weight)",
                             lambda d, self, weight: np.where(self > 0, d, d * weight),
                             d=lambda t, self, weight: prelu_backward(t, self, weight),
                             self=lambda t: zeros_of(t),
                             weight=lambda t, d, self: not_above_zero(t * d, self),
                             public=False, fast=activations.prelu_backward,
                             doc="``d`` above 0, ``weight * d`` below.")

prelu_row = elementwise("prelu_kernel(Tensor self, Tensor weight)",
                        lambda self, weight: np.where(self > 0, self, self * weight),
                        self=lambda d, self, weight: prelu_backward(d, self, weight),
                        weight=lambda d, self: not_above_zero(d * self, self),
                        node="PreluKernelBackward0", refuse="biuc", public=False, fast=activations.prelu,
                        shown="prelu", doc="``self`` above 0, ``weight * self`` below.")


@composite(types="Tensor Tensor", out=False)
def prelu(self, weight):
    """``self`` above 0, and ``weight * self`` below: a slope that is learned (He et al., Delving deep into rectifiers).

    ``weight`` is one number, or has one for each channel, which is dim 1.

    >>> x = torch.tensor([[-1., -1.], [2., -2.]])
    >>> torch.prelu(x, torch.tensor([0.5, 0.25]))
    tensor([[-0.5000, -0.2500],
            [ 2.0000, -0.5000]])
    """
    if not isinstance(self, Tensor) or not isinstance(weight, Tensor):
        raise must_be_tensors("prelu", input=self, weight=weight)
    if self.dtype is not weight.dtype:
        raise prelu_of_two_dtypes(self.dtype.numpy, weight.dtype.numpy)
    slopes, ndim = weight.numel(), self.ndim
    if weight.ndim:
        if weight.ndim > 1:
            raise prelu_weight_of_many_dims(weight.ndim)
        if slopes != 1:
            if not ndim:
                raise prelu_of_a_number()
            channels = self.shape[1] if ndim > 1 else 1
            if slopes != channels:
                raise other_number_of_slopes(slopes, channels)
        if ndim != 2:
            weight = reshape_to(weight, tuple([slopes if k == 1 else 1 for k in range(ndim)]))
    return prelu_row(self, weight)


NN_REGISTRY["prelu"] = prelu

# ------------------------------------------------------------------------------ a slope drawn at random


rrelu_row = elementwise("rrelu_with_noise(Tensor self, Tensor noise)",
                        lambda self, noise: np.where(self > 0, self, self * noise),
                        self=lambda d, self, noise: prelu_backward(d, self, noise),
                        node="RreluWithNoiseBackward0", inplace_node="RreluWithNoiseBackward1",
                        no_gradient=("noise",), refuse="biuc", shown="rrelu", public=False, fast=activations.prelu,
                        layout="rows",
                        doc="``self`` above 0, ``noise * self`` below: a slope for each element, or one for all.")


# ------------------------------------------------------------------------------ errors


def glu_of_a_number():
    return error("MG204", "glu does not support scalars because halving size must be even")


def no_halves(dim, size):
    return error("MG204", f"glu: Halving dimension must be even, but dimension {dim} is size {size}")


def prelu_of_two_dtypes(input, weight):
    return error("MG202", f"prelu: Type promoting not supported. Got {scalar_name(input)} and {scalar_name(weight)}: "
                          "convert one of them with .to(dtype)")


def prelu_weight_of_many_dims(ndim):
    return error("MG204", f"prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = {ndim}")


def prelu_of_a_number():
    return error("MG204", "prelu: Not allow zero-dim input tensor. It has no channels: give one weight for all")


def other_number_of_slopes(slopes, channels):
    return error("MG204", f"prelu: Mismatch of parameter numbers and input channel size. Found parameter numbers = "
                          f"{slopes} and channel size = {channels}.")
