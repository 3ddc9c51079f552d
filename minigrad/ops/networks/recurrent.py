"""What a recurrent network does with its state, step after step: a product with the same weight.

BLAS multiplies few rows by a transposed matrix at a third of its speed.  The state needs ``state @ weight.T`` in the
forward pass and ``d @ weight`` in the backward pass, so the network keeps the weight in both layouts, and the row takes
both::

    forward     bias + state @ turned           turned = weight.T, copied once for all steps
    backward    d @ weight

The gates of an LSTM are many small operations on small arrays: they are two rows, for the state and for the output.
In both a tanh goes through a gate, so that they share their gradients.

Neighbours: nn/functional/rnn.py has the networks.
"""

import numpy as np

from minigrad._core.kernels.networks import activations

from ..algebra.products import adjoint, into_the_sum, mm
from ..elementwise.elementary import sigmoid, sigmoid_backward, tanh
from ..kinds import elementwise, general
from ..shapes.transposing import transpose


def kernel(state, weight, turned, bias):
    out = state @ turned
    if bias is not None:
        out += bias
    return out


state_rows = general("state_rows(Tensor state, Tensor weight, Tensor turned, Tensor? bias)", kernel,
                     state=lambda d, weight: mm(d, adjoint(transpose(weight, 0, 1))),
                     weight=lambda d, state: transpose(mm(adjoint(state), d), 0, 1),
                     bias=lambda d, bias_shape: into_the_sum(d, bias_shape, 1),
                     no_gradient=("turned",), public=False, batch="loop",
                     doc="``bias + state @ weight.T``, where ``turned`` is the transpose of ``weight`` without gaps.")

# ------------------------------------------------------------------------------ the gates of an LSTM


def gate_backward_kernel(d, g, i):
    s = sigmoid.kernel(i)
    return d * np.tanh(g) * (s * (1 - s))


def tanh_backward_kernel(d, g, i):
    t = np.tanh(g)
    return d * sigmoid.kernel(i) * (1 - t * t)


def slope_of_both(t, d, g, i):
    """t d tanh'(g) s'(i), with the logistic function s."""
    y = tanh(g)
    return sigmoid_backward(t * d * (1 - y * y), sigmoid(i))


def gate_bent(t, d, g, i):
    """t d tanh(g) s''(i), where s'' = s (1 - s) (1 - 2 s)."""
    s = sigmoid(i)
    return sigmoid_backward(t * d * tanh(g) * (1 - 2 * s), s)


def tanh_bent(t, d, g, i):
    """t d tanh''(g) s(i), where tanh'' = -2 tanh (1 - tanh^2)."""
    y = tanh(g)
    return t * d * sigmoid(i) * (-2 * y * (1 - y * y))


lstm_gate_backward = elementwise("lstm_gate_backward(Tensor d, Tensor g, Tensor i)", gate_backward_kernel,
                                 d=lambda t, g, i: lstm_gate_backward(t, g, i),
                                 g=slope_of_both,
                                 i=gate_bent,
                                 public=False, fast=activations.lstm_gate_backward,
                                 doc="The gradient of ``sigmoid(i) * tanh(g)`` for the gate ``i``.")

lstm_tanh_backward = elementwise("lstm_tanh_backward(Tensor d, Tensor g, Tensor i)", tanh_backward_kernel,
                                 d=lambda t, g, i: lstm_tanh_backward(t, g, i),
                                 g=tanh_bent,
                                 i=slope_of_both,
                                 public=False, fast=activations.lstm_tanh_backward,
                                 doc="The gradient of ``sigmoid(i) * tanh(g)`` for ``g``.")

lstm_state = elementwise("lstm_state(Tensor i, Tensor f, Tensor g, Tensor c)",
                         lambda i, f, g, c: sigmoid.kernel(f) * c + sigmoid.kernel(i) * np.tanh(g),
                         i=lambda d, i, g: lstm_gate_backward(d, g, i),
                         f=lambda d, f, c: sigmoid_backward(d * c, sigmoid(f)),
                         g=lambda d, i, g: lstm_tanh_backward(d, g, i),
                         c=lambda d, f: d * sigmoid(f),
                         public=False, fast=activations.lstm_state,
                         doc="``sigmoid(f) * c + sigmoid(i) * tanh(g)``: what is kept of a state, and what is new.")

lstm_output = elementwise("lstm_output(Tensor o, Tensor c)", lambda o, c: sigmoid.kernel(o) * np.tanh(c),
                          o=lambda d, o, c: lstm_gate_backward(d, c, o),
                          c=lambda d, o, c: lstm_tanh_backward(d, c, o),
                          public=False, fast=activations.lstm_output,
                          doc="``sigmoid(o) * tanh(c)``: what a state shows.")
