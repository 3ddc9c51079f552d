"""What a recurrent network does with its state, step after step: a product with the same weight.

BLAS multiplies few rows by a transposed matrix at a third of its speed.  The state needs ``state @ weight.T`` in the
forward pass and ``d @ weight`` in the backward pass, so the network keeps the weight in both layouts, and the row takes
both::

    forward     bias + state @ turned           turned = weight.T, copied once for all steps
    backward    d @ weight

For a single step, of a cell, the copy would take as long as the product: there ``turned`` is a view.

The gates of an LSTM are many small operations on small arrays: they are two rows, for the state and for the output.
In both a tanh goes through a gate, so that they share their gradients.

A whole layer in one direction, of any cell, is two rows more, ``recurrent_layer`` and the way back.  They have no
formulas: nn/functional/rnn.py, which has the networks, makes one node of them.
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
                     no_gradient=("turned",), public=False, batch="loop", fast=kernels.state_rows,
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

# ------------------------------------------------------------------------------ a whole layer

# A cell, for each gate ``x``, what the inputs give, and ``s``, what the state gives: the next h, what is kept besides
# the gates (c of an LSTM), and how far they are open.  Then the h of a step again, from these.  Then the way back: from
# the gradient of h, and the one that went past the gates of the step behind, those of ``x`` and of ``s``, and the one
# that goes past these gates.

def lstm_forward(x, s, h, c):
    i, f, g, o = x + s
    i, f, g, o = sigmoid.kernel(i), sigmoid.kernel(f), np.tanh(g), sigmoid.kernel(o)
    c = f * c + i * g
    return o * np.tanh(c), c, (i, f, g, o)


def lstm_back(d, gates, h, c, kept, carried):
    (i, f, g, o), bent = gates, np.tanh(kept)
    of_c = carried + d * o * (1 - bent * bent)
    of_gates = of_c * g * i * (1 - i), of_c * c * f * (1 - f), of_c * i * (1 - g * g), d * bent * o * (1 - o)
    return of_gates, of_gates, of_c * f


def gru_forward(x, s, h, _):
    r, z = sigmoid.kernel(x[0] + s[0]), sigmoid.kernel(x[1] + s[1])
    n = np.tanh(x[2] + r * s[2])
    return n + z * (h - n), s[2], (r, z, n)


def gru_back(d, gates, h, _, kept, carried):
    (r, z, n), d = gates, d + carried
    of_n = d * (1 - z) * (1 - n * n)
    of_r, of_z = of_n * kept * r * (1 - r), d * (h - n) * z * (1 - z)
    return (of_r, of_z, of_n), (of_r, of_z, of_n * r), d * z


def simple(bend, slope):
    """A cell of one gate, which is the state, with the slope of the function that bends it."""
    def forward(x, s, h, _):
        h = bend(x[0] + s[0])
        return h, None, (h,)

    def back(d, gates, h, _, kept, carried):
        of_gate = slope(d, gates[0]),
        return of_gate, of_gate, carried

    return 1, forward, lambda gates, h, kept: gates[0], back


CELLS = {
    "lstm": (4, lstm_forward, lambda gates, h, kept: gates[3] * np.tanh(kept), lstm_back),
    "gru": (3, gru_forward, lambda gates, h, kept: gates[2] + gates[1] * (h - gates[2]), gru_back),
    "rnn_tanh": simple(np.tanh, lambda d, y: d * (1 - y * y)),
    "rnn_relu": simple(lambda x: np.maximum(0, x), lambda d, y: np.where(y <= 0, 0, d)),
}


def by_gate(x, n):
    return np.stack(np.split(x, n, -1))


def layer_kernel(input, w_ih, w_hh, b_ih, b_hh, h, c, cell, reverse):
    n, forward, *_ = CELLS[cell]
    zeros = np.zeros(len(w_hh), w_hh.dtype)
    b_ih, b_hh = [zeros if b is None else b for b in (b_ih, b_hh)]
    gates = input @ w_ih.T + b_ih
    outputs = np.empty((*gates.shape[:2], h.shape[-1]), gates.dtype)
    kept = np.empty_like(outputs if n > 1 else outputs[:0])
    for t in range(len(gates))[::-1 if reverse else 1]:
        h, c, gates_of_t = forward(by_gate(gates[t], n), by_gate(h @ w_hh.T + b_hh, n), h, c)
        outputs[t], gates[t] = h, np.concatenate(gates_of_t, -1)
        kept[t:t + 1] = c
    return outputs, kept, gates


def layer_backward_kernel(d, d_cell, kept, gates, w_hh, h, c, cell, reverse):
    n, _, again, back = CELLS[cell]
    of_gates, of_hidden = np.empty_like(gates), np.empty_like(gates if cell == "gru" else gates[:0])
    of_h, carried = np.zeros_like(h), np.zeros_like(h) if d_cell is None else d_cell
    states, steps = np.empty_like(d), []
    for t in range(len(gates))[::-1 if reverse else 1]:
        states[t], of_step = h, (by_gate(gates[t], n), h, c, kept[t] if len(kept) else None)
        steps.append((t, of_step))
        c = of_step[-1]
        h = again(of_step[0], h, c)
    for t, of_step in reversed(steps):
        *both, carried = back(d[t] + of_h, *of_step, carried)
        of_gates[t], of_state = [np.concatenate(each, -1) for each in both]
        of_hidden[t:t + 1] = of_state
        of_h = of_state @ w_hh
    return of_gates, of_hidden, of_h + carried if cell == "gru" else of_h, carried, states


recurrent_layer = general(
    "recurrent_layer(Tensor input, Tensor w_ih, Tensor w_hh, Tensor? b_ih, Tensor? b_hh, Tensor h, Tensor? c, "
    "str cell, bool reverse)", layer_kernel, outputs=("outputs", "kept", "gates"), promote=None, public=False,
    batch="loop", fast=kernels.recurrent_layer,
    doc="The states of a layer after each step, how far its gates were open, and what else the way back needs: the "
        "states c of an ``lstm``, and what the states of a ``gru`` give to n; from the last step on with ``reverse``.")

recurrent_layer_backward = general(
    "recurrent_layer_backward(Tensor d, Tensor? d_cell, Tensor kept, Tensor gates, Tensor w_hh, Tensor h, Tensor? c, "
    "str cell, bool reverse)", layer_backward_kernel, outputs=("of_gates", "of_hidden", "of_h", "of_c", "states"),
    promote=None, public=False, batch="loop", fast=kernels.recurrent_layer_backward,
    doc="The gradients of what the inputs give to the gates at each step; of what the states give, where it is not "
        "only added to that, in a ``gru``; of the states h and c at the beginning; and the state h before each step. "
        "The gradients of all outputs and of the last c are given.")
