"""Sample rows of recurrent networks and their cells."""

import numpy as np

from tests.ops.sampling import T, case, row


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def lstm_cell(x, hx, w_ih, w_hh, b_ih=0, b_hh=0):
    i, f, g, o = np.split(x @ w_ih.T + b_ih + hx[0] @ w_hh.T + b_hh, 4, -1)
    c = sigmoid(f) * hx[1] + sigmoid(i) * np.tanh(g)
    return sigmoid(o) * np.tanh(c), c


def gru_cell(x, h, w_ih, w_hh, b_ih=0, b_hh=0):
    (r, z, n), (r_h, z_h, n_h) = np.split(x @ w_ih.T + b_ih, 3, -1), np.split(h @ w_hh.T + b_hh, 3, -1)
    n, z = np.tanh(n + sigmoid(r + r_h) * n_h), sigmoid(z + z_h)
    return (1 - z) * n + z * h


def rnn_tanh_cell(x, h, w_ih, w_hh, b_ih=0, b_hh=0):
    return np.tanh(x @ w_ih.T + b_ih + h @ w_hh.T + b_hh)


def rnn_relu_cell(x, h, w_ih, w_hh, b_ih=0, b_hh=0):
    return np.maximum(x @ w_ih.T + b_ih + h @ w_hh.T + b_hh, 0)


def steps(cell):
    """One layer of a cell whose state is h alone, with biases or without."""
    def run(x, h, weights, biases, layers, dropout, train, bidirectional, batch_first):
        outputs, h = [], h[0]
        for step in np.moveaxis(x, 1, 0) if batch_first else x:
            h = cell(step, h, *weights)
            outputs.append(h)
        return np.stack(outputs, 1 if batch_first else 0), h[None]

    return run


def recurrent_layer(x, w_ih, w_hh, b_ih, b_hh, h, c, cell, reverse):
    outputs, kept, gates = [], [], []
    b_ih, b_hh = [0 if b is None else b for b in (b_ih, b_hh)]
    for step in x[::-1] if reverse else x:
        of_input, of_h = step @ w_ih.T + b_ih, h @ w_hh.T + b_hh
        if cell == "lstm":
            i, f, g, o = np.split(of_input + of_h, 4, -1)
            gates.append(np.concatenate((sigmoid(i), sigmoid(f), np.tanh(g), sigmoid(o)), -1))
            h, c = lstm_cell(step, (h, c), w_ih, w_hh, b_ih, b_hh)
            kept.append(c)
        elif cell == "gru":
            (r, z, n), (r_h, z_h, n_h) = np.split(of_input, 3, -1), np.split(of_h, 3, -1)
            r, z = sigmoid(r + r_h), sigmoid(z + z_h)
            gates.append(np.concatenate((r, z, np.tanh(n + r * n_h)), -1))
            h = gru_cell(step, h, w_ih, w_hh, b_ih, b_hh)
            kept.append(n_h)
        else:
            h = (rnn_tanh_cell if cell == "rnn_tanh" else rnn_relu_cell)(step, h, w_ih, w_hh, b_ih, b_hh)
            gates.append(h)
        outputs.append(h)
    return [np.stack(each[::-1] if reverse else each) if each else np.empty((0, *h.shape))
            for each in (outputs, kept, gates)]


def layers(cell, gates):
    """A layer without biases, and one with them from the last step on."""
    weights, c = (T(2 * gates, 4), T(2 * gates, 2)), T(2, 2) if cell == "lstm" else None
    return (case(SEQUENCE, *weights, None, None, T(2, 2), c, cell, False),
            case(SEQUENCE, *weights, T(2 * gates), T(2 * gates), T(2, 2), c, cell, True))


def ways_back(cell, gates):
    lstm, d = cell == "lstm", T(3, 2, 2)
    return [case(d, d_cell, T(3 if gates > 1 else 0, 2, 2), T(3, 2, 2 * gates), T(2 * gates, 2), T(2, 2),
                 T(2, 2) if lstm else None, cell, reverse)
            for d_cell, reverse in ((None, False), (T(2, 2) if lstm else None, True))]


X, H = T(3, 4), T(3, 2)
CELLS = [("lstm", 4), ("gru", 3), ("rnn_tanh", 1), ("rnn_relu", 1)]
SEQUENCE, START, ONE_LAYER = T(3, 2, 4), T(1, 2, 2), (False, 1, 0.0, True, False, False)


def cases(gates):
    return (case(X, H, T(2 * gates, 4), T(2 * gates, 2)),
            case(X, H, T(2 * gates, 4), T(2 * gates, 2), T(2 * gates), T(2 * gates)))


def networks(gates):
    weights = [T(2 * gates, 4), T(2 * gates, 2)]
    return (case(SEQUENCE, START, weights, *ONE_LAYER),
            case(SEQUENCE, T(1, 3, 2), [*weights, T(2 * gates), T(2 * gates)], True, 1, 0.0, True, False, True))


def wrong(gates):
    return case(T(3, 5), H, T(2 * gates, 4), T(2 * gates, 2))


ROWS = [
    row("lstm_cell", case(X, (H, T(3, 2)), T(8, 4), T(8, 2)), case(X, (H, T(3, 2)), T(8, 4), T(8, 2), T(8), T(8)),
        numpy=lstm_cell, where="torch", node=False, bad=case(T(3, 5), (H, H), T(8, 4), T(8, 2))),
    row("gru_cell", *cases(3), numpy=gru_cell, where="torch", node=False, bad=wrong(3)),
    row("rnn_tanh_cell", *cases(1), numpy=rnn_tanh_cell, where="torch", node=False, bad=wrong(1)),
    row("rnn_relu_cell", *cases(1), numpy=rnn_relu_cell, where="torch", node=False, bad=wrong(1)),
    row("gru", *networks(3), numpy=steps(gru_cell), where="torch", node=False),
    row("rnn_tanh", *networks(1), numpy=steps(rnn_tanh_cell), where="torch", node=False),
    row("lstm", case(SEQUENCE, (START, T(1, 2, 2)), [T(8, 4), T(8, 2)], *ONE_LAYER), where="torch", node=False),
    row("lstm_state", case(*[T(2, 3)] * 4), case(T(2, 1), T(3), T(2, 3), T()), where="row",
        numpy=lambda i, f, g, c: sigmoid(f) * c + sigmoid(i) * np.tanh(g)),
    row("lstm_output", case(T(2, 3), T(2, 3)), case(T(2, 1), T(3)), where="row",
        numpy=lambda o, c: sigmoid(o) * np.tanh(c)),
    row("lstm_gate_backward", case(*[T(2, 3)] * 3), case(T(2, 1), T(3), T()), where="row",
        numpy=lambda d, g, i: d * np.tanh(g) * sigmoid(i) * sigmoid(-i)),
    row("lstm_tanh_backward", case(*[T(2, 3)] * 3), case(T(2, 1), T(3), T()), where="row",
        numpy=lambda d, g, i: d * sigmoid(i) / np.cosh(g) ** 2),
    row("recurrent_layer", *[each for cell, n in CELLS for each in layers(cell, n)], where="row", grad=False,
        numpy=recurrent_layer),
    row("recurrent_layer_backward", *[each for cell, n in CELLS for each in ways_back(cell, n)], where="row",
        grad=False),
]
