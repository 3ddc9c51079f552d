"""What all layers do alike: they keep their options, show them, and pass them to one function.

    class ELU(Layer):
        alpha: float

        shown = "alpha={alpha}"

        def __init__(self, alpha=1.0, inplace=False):
            super().__init__(alpha=alpha, inplace=inplace)

        def forward(self, input):
            return F.elu(input, self.alpha, self.inplace)

Each class says what its instances have, ``alpha: float``: editors complete it, and tell its type.

The layers with parameters register them without numbers, and ``reset_parameters`` draws these, so that a program can
call it again.
"""

import math

from minigrad._core.errors import error
from minigrad.creation import empty
from minigrad.nn import init
from minigrad.nn.modules.module import Module
from minigrad.nn.parameter import Parameter

__all__ = ["Layer", "bad_option", "fill_from_fan_in"]


class Layer(Module):
    """A module that keeps the options it is made with as attributes."""

    #: what ``repr`` says of the options
    shown = ""

    def __init__(self, **options):
        super().__init__()
        for name, value in options.items():
            setattr(self, name, value)

    def _learn(self, name, shape, device=None, dtype=None):
        """Register a parameter whose numbers are not set yet; without a shape, None instead."""
        self.register_parameter(name, None if shape is None else Parameter(empty(shape, device=device, dtype=dtype)))

    def extra_repr(self):
        return self.shown.format(bias_is=self._parameters.get("bias") is not None, **vars(self))


def fill_from_fan_in(weight, bias):
    """Numbers for the weight and the bias of a linear layer or a convolution: uniform within 1 / sqrt(fan_in)."""
    init.kaiming_uniform_(weight, a=math.sqrt(5))           # gain sqrt(1 / 3): the bound becomes 1 / sqrt(fan_in)
    if bias is not None:
        fan_in, _ = init._calculate_fan_in_and_fan_out(weight)
        bound = 1 / math.sqrt(fan_in) if fan_in else 0
        init.uniform_(bias, -bound, bound)


def bad_option(message):
    """The error for a layer that cannot be made as it is asked for."""
    return error("MG705", message)
