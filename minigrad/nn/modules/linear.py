"""Layers that combine all features: y = x W^T + b, and the form that is linear in each of two inputs."""

import math

from minigrad.nn import functional as F, init
from minigrad.nn.modules.layer import Layer, bad_option, fill_from_fan_in
from minigrad.nn.modules.lazy import LazyModuleMixin
from minigrad.nn.modules.module import Module
from minigrad.nn.parameter import Parameter

__all__ = ["Bilinear", "Identity", "LazyLinear", "Linear"]


class Identity(Module):
    """A module that returns its input; its arguments are ignored.

    >>> torch.nn.Identity(54, unused=True)(torch.tensor([1., 2.]))
    tensor([1., 2.])
    """

    def __init__(self, *args, **kwargs):
        super().__init__()

    def forward(self, input):
        return input


class Linear(Layer):
    """A fully connected layer: ``input @ weight.T + bias``.

    ``input`` has shape (..., in_features), the result (..., out_features).  ``weight`` has shape (out_features,
    in_features), ``bias`` (out_features); both begin uniform within 1 / sqrt(in_features).

    >>> layer = torch.nn.Linear(2, 3)
    >>> layer
    Linear(in_features=2, out_features=3, bias=True)
    >>> layer(torch.ones(5, 2)).shape
    torch.Size([5, 3])
    """

    in_features: int
    out_features: int
    weight: Parameter
    bias: Parameter | None

    shown = "in_features={in_features}, out_features={out_features}, bias={bias_is}"

    def __init__(self, in_features, out_features, bias=True, device=None, dtype=None):
        super().__init__(in_features=in_features, out_features=out_features)
        self._learn("weight", (out_features, in_features), device, dtype)
        self._learn("bias", (out_features,) if bias else None, device, dtype)
        self.reset_parameters()

    def reset_parameters(self):
        """Draw new numbers."""
        fill_from_fan_in(self.weight, self.bias)

    def forward(self, input):
        return F.linear(input, self.weight, self.bias)


class NonDynamicallyQuantizableLinear(Linear):
    """The layer that follows attention: a Linear of a name of its own."""


class Bilinear(Layer):
    """A layer that is linear in each of two inputs: output k is ``input1 @ weight[k] @ input2 + bias[k]``.

    ``weight`` has shape (out_features, in1_features, in2_features).

    >>> layer = torch.nn.Bilinear(2, 3, 4)
    >>> layer(torch.ones(5, 2), torch.ones(5, 3)).shape
    torch.Size([5, 4])
    """

    in1_features: int
    in2_features: int
    out_features: int
    weight: Parameter
    bias: Parameter | None

    shown = ("in1_features={in1_features}, in2_features={in2_features}, out_features={out_features}, "
             "bias={bias_is}")

    def __init__(self, in1_features, in2_features, out_features, bias=True, device=None, dtype=None):
        super().__init__(in1_features=in1_features, in2_features=in2_features, out_features=out_features)
        if in1_features <= 0:
            raise bad_option(f"in1_features must be > 0, but got (in1_features={in1_features})")
        self._learn("weight", (out_features, in1_features, in2_features), device, dtype)
        self._learn("bias", (out_features,) if bias else None, device, dtype)
        self.reset_parameters()

    def reset_parameters(self):
        """Draw new numbers."""
        bound = 1 / math.sqrt(self.weight.shape[1])
        for param in self.parameters(recurse=False):
            init.uniform_(param, -bound, bound)

    def forward(self, input1, input2):
        return F.bilinear(input1, input2, self.weight, self.bias)


class LazyLinear(LazyModuleMixin, Linear):
    """A Linear that learns ``in_features`` from its first input, and is a Linear from then on.

    >>> layer = torch.nn.LazyLinear(3)
    >>> layer
    LazyLinear(in_features=0, out_features=3, bias=True)
    >>> layer(torch.ones(5, 2)).shape, layer
    (torch.Size([5, 3]), Linear(in_features=2, out_features=3, bias=True))
    """

    cls_to_become = Linear

    def __init__(self, out_features, bias=True, device=None, dtype=None):
        super().__init__(0, out_features, bias, device, dtype)
        self._wait()

    def reset_parameters(self):
        if self.in_features and not self.has_uninitialized_params():
            super().reset_parameters()

    def initialize_parameters(self, input):
        if self.has_uninitialized_params():
            self.in_features = input.shape[-1]
            self.weight.materialize((self.out_features, self.in_features))
            if self.bias is not None:
                self.bias.materialize((self.out_features,))
            self.reset_parameters()
        self.in_features = self.weight.shape[1]                 # it may have been loaded
