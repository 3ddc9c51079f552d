"""Recurrent networks: a cell that is applied to one step of a sequence after the other, and carries a state along.

    x[0]      x[1]      x[2]
     |         |         |
    cell  ->  cell  ->  cell  ->  last state            h[t] = cell(x[t], h[t - 1])
     |         |         |
    y[0]      y[1]      y[2]

``torch.lstm``, ``gru``, ``rnn_tanh`` and ``rnn_relu`` do it for whole sequences, in several layers and in both
directions; ``torch.lstm_cell`` and the like do one step.  A cell is one function below.  What it computes from its
input does not depend on the state, so it is one product for all steps; only the part of the state goes step by step.

A batch of sequences of several lengths is packed: of each step only the rows that are still running, the longest
sequence first.  ``batch_sizes`` says how many they are::

    a b c        a d f | b e | c        batch_sizes 3, 2, 1
    d e
    f
"""

from minigrad._core.dispatch.composites import Composite
from minigrad._core.dispatch.matmul import layer
from minigrad._core.errors import error
from minigrad._core.forward.dual_tensors import is_open, tangent_of
from minigrad._core.graph import Tensor
from minigrad._core.graph.listener import is_written_down
from minigrad._core.runtime.thread_state import is_grad_enabled
from minigrad.autograd import grad
from minigrad.autograd.function import Function
from minigrad.autograd.grad_mode import enable_grad
from minigrad.dtypes import float32, float64
from minigrad.nn.functional.dropouts import dropped
from minigrad.ops.exports import REGISTRY, ROWS

__all__ = ["gru", "gru_cell", "lstm", "lstm_cell", "rnn_relu", "rnn_relu_cell", "rnn_tanh", "rnn_tanh_cell"]

cat, relu, sigmoid, stack, tanh = [REGISTRY[name] for name in ("cat", "relu", "sigmoid", "stack", "tanh")]
lstm_output, lstm_state, recurrent_layer, recurrent_layer_backward, state_rows = [ROWS.waiting(name) for name in (
    "lstm_output", "lstm_state", "recurrent_layer", "recurrent_layer_backward", "state_rows")]


# ------------------------------------------------------------------------------ the cells

# Each gets what its input gives, the state, a tuple that begins with h, and the weights of h.  Where both parts are
# only added, as in all but the GRU, the bias of h is added to the input's, for all steps at once.

def lstm_step(of_input, state, w_hh, _):
    """Long short-term memory (Hochreiter and Schmidhuber, 1997): c' = f c + i g and h' = o tanh(c')."""
    i, f, g, o = state_rows(state[0], *w_hh, of_input).chunk(4, -1)
    c = lstm_state(i, f, g, state[1])
    return lstm_output(o, c), c


def gru_step(of_input, state, w_hh, b_hh):
    """A gated recurrent unit (Cho et al., 2014): h' = n + z (h - n), where n sees r times what h gives."""
    of_state = state_rows(state[0], *w_hh, b_hh)
    (r, z, n), (r_h, z_h, n_h) = of_input.chunk(3, -1), of_state.chunk(3, -1)
    n = tanh(n + sigmoid(r + r_h) * n_h)
    return n + sigmoid(z + z_h) * (state[0] - n),


def tanh_step(of_input, state, w_hh, _):
    return tanh(state_rows(state[0], *w_hh, of_input)),


def relu_step(of_input, state, w_hh, _):
    return relu(state_rows(state[0], *w_hh, of_input)),


#: the name of a cell -> its step, and how many gates it has
CELLS = {"lstm": (lstm_step, 4), "gru": (gru_step, 3), "rnn_tanh": (tanh_step, 1), "rnn_relu": (relu_step, 1)}


def projected(cell, x, w_ih, b_ih, b_hh):
    """What the inputs give, and the bias that is left for the steps."""
    if cell == "gru" or b_hh is None:
        return layer(x, w_ih, b_ih), b_hh
    return layer(x, w_ih, b_hh if b_ih is None else b_ih + b_hh), None


def in_both_layouts(w_hh):
    """The weight of h, and its transpose without gaps; see ops/networks/recurrent.py for why."""
    return w_hh, w_hh.detach().t().contiguous()


def one_step(cell, input, state, w_ih, w_hh, b_ih, b_hh):
    """The state after one step."""
    name, (step, gates) = f"{cell}_cell", CELLS[cell]
    if input.shape[-1] != w_ih.shape[1]:
        raise wrong_features(name, "input", input.shape[-1], w_ih.shape[1])
    for i, x in enumerate(state):
        if x.shape[-1] != w_hh.shape[1]:
            raise wrong_features(name, f"hidden{i}", x.shape[-1], w_hh.shape[1])
        if x.ndim != input.ndim or x.shape[0] != input.shape[0]:
            raise wrong_batch(name, input.shape[0], x.shape[0])
    for weight, rows in (("weight_ih", w_ih.shape[0]), ("weight_hh", w_hh.shape[0])):
        if rows != gates * w_hh.shape[1]:
            raise wrong_rows(name, weight, rows, gates, w_hh.shape[1])
    of_input, b_hh = projected(cell, input, w_ih, b_ih, b_hh)
    return step(of_input, state, (w_hh, w_hh.detach().t()), b_hh)       # a copy would not pay for one step


@Composite
def lstm_cell(input, hx, w_ih, w_hh, b_ih=None, b_hh=None):
    """The states (h, c) after one step of an LSTM from the states ``hx``: ``input`` has shape (N, features).

    >>> x, h, w = torch.ones(1, 2), torch.zeros(1, 1), torch.ones(4, 2)
    >>> torch.lstm_cell(x, (h, h), w, torch.ones(4, 1))
    (tensor([[0.6083]]), tensor([[0.8491]]))
    """
    return one_step("lstm", input, tuple(hx), w_ih, w_hh, b_ih, b_hh)


def one_step_of(cell, doc):
    """A public function of one step, for a cell whose state is h alone."""
    def function(input, hx, w_ih, w_hh, b_ih=None, b_hh=None):
        return one_step(cell, input, (hx,), w_ih, w_hh, b_ih, b_hh)[0]

    function.__name__ = function.__qualname__ = f"{cell}_cell"
    function.__doc__ = doc
    return Composite(function)


gru_cell = one_step_of("gru", """The state after one step of a GRU from the state ``hx``.

    >>> x, h, w = torch.ones(1, 2), torch.zeros(1, 1), torch.ones(3, 2)
    >>> torch.gru_cell(x, h, w, torch.ones(3, 1))
    tensor([[0.1149]])
    """)

rnn_tanh_cell = one_step_of("rnn_tanh", """``tanh`` of a linear layer of the input and one of the state ``hx``.

    >>> torch.rnn_tanh_cell(torch.ones(1, 2), torch.zeros(1, 1), torch.ones(1, 2), torch.ones(1, 1))
    tensor([[0.9640]])
    """)

rnn_relu_cell = one_step_of("rnn_relu", """``relu`` of a linear layer of the input and one of the state ``hx``.

    >>> torch.rnn_relu_cell(torch.ones(1, 2), torch.zeros(1, 1), torch.ones(1, 2), torch.ones(1, 1))
    tensor([[2.]])
    """)


# ------------------------------------------------------------------------------ one layer

def run(cell, x, state, weights, sizes, reverse):
    """All outputs of one layer in one direction, in the layout of ``x``, and the last state.

    ``x`` has shape (T, N, features), or it is packed, and then ``sizes`` are the numbers of rows of its steps.
    """
    if not sizes and not is_written_down() and is_one_node(cell, x, state, *weights):
        outputs, *c = RecurrentLayer.apply(x, *weights[:4], *(*state, None)[:2], cell, reverse)
        return outputs, (outputs[0 if reverse else -1], *c)
    return step_by_step(cell, x, state, weights, sizes, reverse)


# Note [One node for a layer]
# ---------------------------
# Step by step, an LSTM of a hundred steps is a thousand nodes, and the gradient of a weight is a sum of a hundred small
# products.  As one node, the layer keeps what its gates were, and that gradient is one product over all steps.  It is
# the usual case: an ordinary layer of float32 or float64, in no transform.  All else goes step by step; so does what is
# written down call by call, where a reader wants to see the steps, and the way back where it is differentiated or
# mapped itself, which computes the layer again.

class RecurrentLayer(Function):
    """One layer in one direction: the outputs of all steps, and of an LSTM the last c."""

    @staticmethod
    def forward(ctx, x, w_ih, w_hh, b_ih, b_hh, h, c, cell, reverse):
        outputs, kept, gates = recurrent_layer(x, w_ih, w_hh, b_ih, b_hh, h, c, cell, reverse)
        ctx.save_for_backward(x, w_ih, w_hh, b_ih, b_hh, h, c, kept, gates)
        ctx.mark_constant(kept, gates)                  # from which no second derivative is computed
        ctx.set_materialize_grads(False)
        ctx.cell, ctx.reverse = cell, reverse
        return (outputs,) if c is None else (outputs, kept[0 if reverse else -1].clone())

    @staticmethod
    def backward(ctx, d, d_cell=None):
        if is_grad_enabled() or is_transformed(d, d_cell):
            return again(ctx, d, d_cell)
        x, w_ih, w_hh, _, _, h, c, kept, gates = ctx.saved_tensors
        d = h.new_zeros((len(gates), *h.shape)) if d is None else d.contiguous()
        d_cell = None if d_cell is None else d_cell.contiguous()
        of_gates, of_hidden, of_h, of_c, states = recurrent_layer_backward(d, d_cell, kept, gates, w_hh, h, c, ctx.cell,
                                                                           ctx.reverse)
        of_x, of_w_ih, of_w_hh, of_b_ih, of_b_hh, *_ = ctx.needs_input_grad
        rows = rows_of_h = of_gates.flatten(0, 1)
        of_bias = of_bias_of_h = rows.sum(0) if of_b_ih or of_b_hh else None
        if ctx.cell == "gru":                           # n sees r times what h gives: that has a gradient of its own
            rows_of_h = of_hidden.flatten(0, 1)
            of_bias_of_h = rows_of_h.sum(0) if of_b_hh else None
        return (of_gates @ w_ih if of_x else None, rows.t() @ x.flatten(0, 1) if of_w_ih else None,
                rows_of_h.t() @ states.flatten(0, 1) if of_w_hh else None, of_bias, of_bias_of_h, of_h,
                of_c if ctx.cell == "lstm" else None, None, None)


def again(ctx, d, d_cell):
    """The gradients in operations that are recorded and mapped as others are."""
    with enable_grad():
        tensors = [x if x is None else x.view_as(x) for x in ctx.saved_tensors[:7]]     # each by itself, if two are one
        x, *weights, h, c = tensors
        state = (h,) if c is None else (h, c)
        outputs, last = step_by_step(ctx.cell, x, state, (*weights, None), None, ctx.reverse)
    wanted = [x for x, needed in zip(tensors, ctx.needs_input_grad) if needed]
    ways = [(y, g) for y, g in ((outputs, d), (last[-1], d_cell)) if g is not None]
    found = iter(grad([y for y, _ in ways], wanted, [g for _, g in ways], create_graph=is_grad_enabled()))
    return (*[next(found) if needed else None for needed in ctx.needs_input_grad[:7]], None, None)


def is_one_node(cell, x, state, w_ih, w_hh, b_ih, b_hh, w_hr):
    """Are these ordinary tensors of shapes that fit, and is this no transform?"""
    tensors = x, *state, w_ih, w_hh, b_ih, b_hh
    if w_hr is not None or x.dtype not in (float32, float64) or x.ndim != 3 or is_transformed(*tensors):
        return False
    rows, size = w_hh.shape[0], w_hh.shape[-1]
    return (rows == CELLS[cell][1] * size and w_ih.shape == (rows, x.shape[2])
            and all([s.shape == (x.shape[1], size) for s in state])
            and all([b is None or b.shape == (rows,) for b in (b_ih, b_hh)])
            and all([each is None or each.dtype is x.dtype and each.is_cpu for each in tensors]))


def is_transformed(*tensors):
    """Has one of them a tangent, or belongs it to a transform?"""
    return (any([x is not None and x._level for x in tensors])
            or is_open() and any([x is not None and tangent_of(x) is not None for x in tensors]))


def step_by_step(cell, x, state, weights, sizes, reverse):
    """The same in operations for each step."""
    step, (w_ih, w_hh, b_ih, b_hh, w_hr) = CELLS[cell][0], weights
    of_inputs, b_hh = projected(cell, x, w_ih, b_ih, b_hh)
    steps, w_hh = list(of_inputs.split(sizes) if sizes else of_inputs.unbind(0)), in_both_layouts(w_hh)
    begin, ended = state, []
    if sizes:
        state = tuple([s[:sizes[-1 if reverse else 0]] for s in begin])
    for t in reversed(range(len(steps))) if reverse else range(len(steps)):
        rows, new = len(state[0]), sizes[t] if sizes else len(state[0])
        if new < rows:                                  # some sequences have ended
            ended.append(tuple([s[new:] for s in state]))
            state = tuple([s[:new] for s in state])
        elif new > rows:                                # backward, some begin
            state = tuple([cat([s, first[rows:new]]) for s, first in zip(state, begin)])
        state = step(steps[t], state, w_hh, b_hh)
        if w_hr is not None:
            state = layer(state[0], w_hr, None), *state[1:]
        steps[t] = state[0]
    if ended:                                           # the shortest sequences come last
        state = tuple([cat(parts) for parts in zip(state, *reversed(ended))])
    return cat(steps) if sizes else stack(steps), state


# ------------------------------------------------------------------------------ all layers

def network(cell, input, state, params, has_biases, num_layers, dropout, train, bidirectional, sizes):
    """The outputs of the last layer, and the last states of all layers: (layers * directions, N, features) each."""
    check(cell, input, state, params, sizes)
    each = len(params) // (num_layers * (2 if bidirectional else 1))
    groups = [tuple(params[k:k + each]) for k in range(0, len(params), each)]
    if not has_biases:
        groups = [(w[0], w[1], None, None, *w[2:]) for w in groups]
    runs, last = iter([(*w, None)[:5] for w in groups]), []
    begin = iter(zip(*[s.unbind(0) for s in state]))
    for k in range(num_layers):
        if k and dropout and train:
            input = dropped(cell, input, dropout, True, False)
        outputs = []
        for reverse in (False, True) if bidirectional else (False,):
            output, end = run(cell, input, next(begin), next(runs), sizes, reverse)
            outputs.append(output)
            last.append(end)
        input = cat(outputs, -1) if bidirectional else output
    return input, *[stack(states) for states in zip(*last)]


def function_of(cell, doc):
    """``torch.lstm`` and the like, for batches, and for packed sequences with their ``batch_sizes``."""
    def function(input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first):
        options, sizes = (has_biases, num_layers, dropout, train, bidirectional), None
        if isinstance(has_biases, (tuple, list)):                   # packed: (data, batch_sizes, hx, params, ...)
            sizes, hx, params, options = hx.tolist(), params, has_biases, (*options[1:], batch_first)
            batch_first = False
        input = input.transpose(0, 1) if batch_first else input
        output, *last = network(cell, input, tuple(hx) if cell == "lstm" else (hx,), params, *options, sizes)
        return output.transpose(0, 1) if batch_first else output, *last

    function.__name__ = function.__qualname__ = cell
    function.__doc__ = doc
    return Composite(function)


lstm = function_of("lstm", """All outputs of an LSTM, and its last states h and c: what ``nn.LSTM`` calls.

    The arguments are ``input, (h, c), weights, has_biases, num_layers, dropout, train, bidirectional, batch_first``, or
    of a packed sequence ``data, batch_sizes, (h, c), weights, ...`` without ``batch_first``.

    >>> x, h, weights = torch.ones(3, 1, 2), torch.zeros(1, 1, 1), [torch.ones(4, 2), torch.ones(4, 1)]
    >>> torch.lstm(x, (h, h), weights, False, 1, 0., False, False, False)[0].flatten()
    tensor([0.6083, 0.8726, 0.9353])
    """)

gru = function_of("gru", """All outputs of a GRU, and its last state; see :func:`lstm`.

    >>> x, h, weights = torch.ones(3, 1, 2), torch.zeros(1, 1, 1), [torch.ones(3, 2), torch.ones(3, 1)]
    >>> torch.gru(x, h, weights, False, 1, 0., False, False, False)[0].flatten()
    tensor([0.1149, 0.2070, 0.2832])
    """)

rnn_tanh = function_of("rnn_tanh", """All outputs of a network of ``rnn_tanh_cell``, and its last state;
    see :func:`lstm`.

    >>> x, h, weights = torch.ones(3, 1, 2), torch.zeros(1, 1, 1), [torch.ones(1, 2), torch.ones(1, 1)]
    >>> torch.rnn_tanh(x, h, weights, False, 1, 0., False, False, False)[0].flatten()
    tensor([0.9640, 0.9947, 0.9950])
    """)

rnn_relu = function_of("rnn_relu", """All outputs of a network of ``rnn_relu_cell``, and its last state;
    see :func:`lstm`.

    >>> x, h, weights = torch.ones(3, 1, 2), torch.zeros(1, 1, 1), [torch.ones(1, 2), torch.ones(1, 1)]
    >>> torch.rnn_relu(x, h, weights, False, 1, 0., False, False, False)[0].flatten()
    tensor([2., 4., 6.])
    """)


# ------------------------------------------------------------------------------ what the errors say

def check(name, input, state, params, sizes):
    for x in (input, *state, *params):
        if not isinstance(x, Tensor):
            raise error("MG205", f"{name}(): expected tensors, not {type(x).__name__}")
    if input.shape[0] == 0 and not sizes:
        raise error("MG204", "Expected sequence length to be larger than 0 in RNN")


def wrong_rows(name, weight, rows, gates, hidden):
    return error("MG204", f"{name}(): {weight} first dim must be {gates} * hidden_size = {gates * hidden}, but got "
                          f"{rows}")


def wrong_features(name, what, got, expected):
    size, comma = ("input_size", "") if what == "input" else ("hidden_size", ",")
    return error("MG201", f"{what} has inconsistent {size}: got {got}{comma} expected {expected}, in {name}")


def wrong_batch(name, rows, states):
    return error("MG201", f"Input batch size {rows} doesn't match hidden0 batch size {states}, in {name}")
