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


def lstm_layer(x, w_ih, w_hh, b_ih, b_hh, h, c, reverse):
    outputs, cells, gates = [], [], []
    for step in x[::-1] if reverse else x:
        of_gates = step @ w_ih.T + h @ w_hh.T + (0 if b_ih is None else b_ih) + (0 if b_hh is None else b_hh)
        i, f, g, o = np.split(of_gates, 4, -1)
        gates.append(np.concatenate((sigmoid(i), sigmoid(f), np.tanh(g), sigmoid(o)), -1))
        h, c = lstm_cell(step, (h, c), w_ih, w_hh, 0 if b_ih is None else b_ih, 0 if b_hh is None else b_hh)
        outputs.append(h)
        cells.append(c)
    return [np.stack(each[::-1] if reverse else each) for each in (outputs, cells, gates)]


X, H = T(3, 4), T(3, 2)
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
    row("lstm_layer", case(SEQUENCE, T(8, 4), T(8, 2), None, None, T(2, 2), T(2, 2), False),
        case(T(3, 2, 4), T(8, 4), T(8, 2), T(8), T(8), T(2, 2), T(2, 2), True), where="row", grad=False,
        numpy=lstm_layer),
    row("lstm_layer_backward",
        case(T(3, 2, 2), None, T(3, 2, 2), T(3, 2, 8), T(8, 2), T(2, 2), T(2, 2), False),
        case(T(3, 2, 2), T(2, 2), T(3, 2, 2), T(3, 2, 8), T(8, 2), T(2, 2), T(2, 2), True), where="row", grad=False),
]
