"""What a recurrent network does with its state, step after step: a product with the same weight.

BLAS multiplies few rows by a transposed matrix at a third of its speed.  The state needs ``state @ weight.T`` in the
forward pass and ``d @ weight`` in the backward pass, so the network keeps the weight in both layouts, and the row takes
both::

    forward     bias + state @ turned           turned = weight.T, copied once for all steps
    backward    d @ weight

For a single step, of a cell, the copy would take as long as the product: there ``turned`` is a view.

The gates of an LSTM are many small operations on small arrays: they are two rows, for the state and for the output.
In both a tanh goes through a gate, so that they share their gradients.

A whole layer of an LSTM in one direction is two rows more, ``lstm_layer`` and the way back.  They have no formulas:
nn/functional/rnn.py, which has the networks, makes one node of them.
"""

import numpy as np

from minigrad._core.kernels import table_of_networks as kernels
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
                     doc="``bias + state @ weight.T``, where ``turned`` is ``weight.T``, best without gaps.")

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

# ------------------------------------------------------------------------------ a layer of an LSTM


def lstm_layer_kernel(input, w_ih, w_hh, b_ih, b_hh, h, c, reverse):
    gates = input @ w_ih.T
    for bias in (b_ih, b_hh):
        if bias is not None:
            gates = gates + bias
    outputs, cells = [np.empty((*gates.shape[:2], c.shape[-1]), c.dtype) for _ in range(2)]
    for t in reversed(range(len(gates))) if reverse else range(len(gates)):
        i, f, g, o = np.split(gates[t] + h @ w_hh.T, 4, -1)
        i, f, g, o = sigmoid.kernel(i), sigmoid.kernel(f), np.tanh(g), sigmoid.kernel(o)
        c = f * c + i * g
        h = o * np.tanh(c)
        outputs[t], cells[t], gates[t] = h, c, np.concatenate((i, f, g, o), -1)
    return outputs, cells, gates


def lstm_layer_backward_kernel(d, d_cell, cells, gates, w_hh, h, c, reverse):
    steps = range(len(gates)) if reverse else range(len(gates))[::-1]
    of_gates, states, of_state = np.empty_like(gates), np.empty_like(cells), np.zeros_like(c)
    of_cell = np.zeros_like(c) if d_cell is None else d_cell
    for t in steps:
        before = t + 1 if reverse else t - 1
        last = t == steps[-1]
        c_before = c if last else cells[before]
        states[t] = h if last else gates[before][:, -c.shape[-1]:] * np.tanh(cells[before])
        (i, f, g, o), bent = np.split(gates[t], 4, -1), np.tanh(cells[t])
        of_output = d[t] + of_state
        of_cell = of_cell + of_output * o * (1 - bent * bent)
        of_gates[t] = np.concatenate((of_cell * g * i * (1 - i), of_cell * c_before * f * (1 - f),
                                      of_cell * i * (1 - g * g), of_output * bent * o * (1 - o)), -1)
        of_cell, of_state = of_cell * f, of_gates[t] @ w_hh
    return of_gates, of_state, of_cell, states


lstm_layer = general(
    "lstm_layer(Tensor input, Tensor w_ih, Tensor w_hh, Tensor? b_ih, Tensor? b_hh, Tensor h, Tensor c, bool reverse)",
    lstm_layer_kernel, outputs=("outputs", "cells", "gates"), promote=None, public=False, shown="lstm", batch="loop",
    fast=kernels.lstm_layer,
    doc="The states h and c of a layer after each step, and how far its gates were open; from the last step on with "
        "``reverse``.")

lstm_layer_backward = general(
    "lstm_layer_backward(Tensor d, Tensor? d_cell, Tensor cells, Tensor gates, Tensor w_hh, Tensor h, Tensor c, "
    "bool reverse)", lstm_layer_backward_kernel, outputs=("of_gates", "of_state", "of_cell", "states"), promote=None,
    public=False, shown="lstm", batch="loop", fast=kernels.lstm_layer_backward,
    doc="The gradients of what goes into the gates at each step, and of the states h and c at the beginning, from "
        "those of all outputs and of the last c; and the state h before each step.")
