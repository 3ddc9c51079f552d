"""Recurrent layers: RNN, LSTM, GRU, and their cells.

They keep the weights, give the state its shape, and call ``torch.lstm`` and the like (nn/functional/rnn.py).  The
weights of layer k are ``weight_ih_l{k}`` (of the input), ``weight_hh_l{k}`` (of the state h), ``bias_ih_l{k}`` and
``bias_hh_l{k}``; those of the way back end in ``_reverse``.  Those of the gates lie above each other in one matrix.
"""

import math
import numbers

from minigrad._core.errors import error, warn
from minigrad.creation import empty, zeros
from minigrad.nn import init
from minigrad.nn.functional import rnn as recurrent
from minigrad.nn.functional.packed_sequences import PackedSequence
from minigrad.nn.modules.module import Module
from minigrad.nn.parameter import Parameter

__all__ = ["GRU", "GRUCell", "LSTM", "LSTMCell", "RNN", "RNNBase", "RNNCell", "RNNCellBase"]

#: the mode of a network -> how many gates it has, and the function that runs it
MODES = {"LSTM": (4, recurrent.lstm), "GRU": (3, recurrent.gru), "RNN_TANH": (1, recurrent.rnn_tanh),
         "RNN_RELU": (1, recurrent.rnn_relu)}


def fill(module):
    """New numbers for all parameters: uniform within 1 / sqrt(hidden_size)."""
    bound = 1 / math.sqrt(module.hidden_size) if module.hidden_size > 0 else 0
    for weight in module.parameters():
        init.uniform_(weight, -bound, bound)


class RNNBase(Module):
    """What RNN, LSTM and GRU have in common: several layers of a cell, in one direction or in both.

    ``input`` has shape (T, N, input_size), with ``batch_first`` (N, T, input_size), without a batch (T, input_size), or
    is a PackedSequence.  The state ``hx``, zeros by default, has shape (layers * directions, N, hidden_size).
    In training, ``dropout`` acts between the layers.
    """

    mode: str
    input_size: int
    hidden_size: int
    num_layers: int
    bias: bool
    batch_first: bool
    dropout: float
    bidirectional: bool
    proj_size: int
    weight_ih_l0: Parameter
    weight_hh_l0: Parameter
    bias_ih_l0: Parameter
    bias_hh_l0: Parameter

    def __init__(self, mode, input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0,
                 bidirectional=False, proj_size=0, device=None, dtype=None):
        super().__init__()
        check_options(mode, input_size, hidden_size, num_layers, bias, batch_first, dropout, proj_size)
        self.mode, self.input_size, self.hidden_size, self.num_layers = mode, input_size, hidden_size, num_layers
        self.bias, self.batch_first, self.dropout = bias, batch_first, float(dropout)
        self.bidirectional, self.proj_size = bidirectional, proj_size
        self._flat_weights_names, self._all_weights = [], []
        rows, size = MODES[mode][0] * hidden_size, proj_size or hidden_size
        for layer in range(num_layers):
            features = input_size if layer == 0 else size * (2 if bidirectional else 1)
            for direction in ("", "_reverse") if bidirectional else ("",):
                shapes = {"weight_ih": (rows, features), "weight_hh": (rows, size)}
                if bias:
                    shapes.update(bias_ih=(rows,), bias_hh=(rows,))
                if proj_size:
                    shapes["weight_hr"] = proj_size, hidden_size
                names = [f"{name}_l{layer}{direction}" for name in shapes]
                for name, shape in zip(names, shapes.values()):
                    setattr(self, name, Parameter(empty(shape, device=device, dtype=dtype)))
                self._flat_weights_names += names
                self._all_weights.append(names)
        self.reset_parameters()

    def reset_parameters(self):
        """Draw new numbers."""
        fill(self)

    @property
    def _flat_weights(self):
        return [getattr(self, name, None) for name in self._flat_weights_names]

    @property
    def all_weights(self):
        """The weights, one list for each layer and direction."""
        return [[getattr(self, name) for name in names] for names in self._all_weights]

    def flatten_parameters(self):
        """Nothing: it puts the weights together on a GPU."""

    def extra_repr(self):
        said = [f"{self.input_size}, {self.hidden_size}"]
        for name, usual in (("proj_size", 0), ("num_layers", 1), ("bias", True), ("batch_first", False),
                            ("dropout", 0), ("bidirectional", False)):
            if getattr(self, name) != usual:
                said.append(f"{name}={getattr(self, name)}")
        return ", ".join(said)

    # ------------------------------------------------------------------------------ running

    def forward(self, input, hx=None):
        packed = isinstance(input, PackedSequence)
        data, sizes, order, back = input if packed else (input, None, None, None)
        batched, batch_dim = packed or input.dim() == 3, 0 if self.batch_first else 1
        if not packed and input.dim() not in (2, 3):
            raise neither_2d_nor_3d(self, input)
        if not batched:
            data = data.unsqueeze(batch_dim)
        shapes = self._shapes_of_states(int(sizes[0]) if packed else data.shape[batch_dim])
        if hx is None:
            states = [zeros(shape, dtype=data.dtype, device=data.device) for shape in shapes]
        else:
            states = self._as_states(hx, None if packed else batched)
            states = states if order is None else [state.index_select(1, order) for state in states]
        self._check(data, packed, states, shapes)
        output, *last = MODES[self.mode][1](
            data, *([sizes] if packed else []), self._join(states), self._flat_weights, self.bias, self.num_layers,
            self.dropout, self.training, self.bidirectional, *([] if packed else [self.batch_first]))
        if packed:
            output = PackedSequence(output, sizes, order, back)
            last = last if back is None else [state.index_select(1, back) for state in last]
        elif not batched:
            output, last = output.squeeze(batch_dim), [state.squeeze(1) for state in last]
        return output, self._join(last)

    def _shapes_of_states(self, rows):
        return [(self.num_layers * (2 if self.bidirectional else 1), rows, self.hidden_size)]

    def _join(self, states):
        """The states as a user sees them."""
        return states[0]

    def _as_states(self, hx, batched):
        """The states that a user gave as a list, with a dim for the batch; of a packed sequence ``batched`` is None."""
        if batched is not None and hx.dim() != 2 + batched:
            raise error("MG204", f"For {input_of(batched)}, hx should also be {2 + batched}-D but got {hx.dim()}-D "
                                 "tensor")
        return [hx.unsqueeze(1) if batched is False else hx]

    def _check(self, data, packed, states, shapes):
        expected = 2 if packed else 3
        if data.dtype is not self._flat_weights[0].dtype:
            raise other_dtype(data, self._flat_weights[0])
        if data.dim() != expected:
            raise error("MG204", f"input must have {expected} dimensions, got {data.dim()}")
        if data.shape[-1] != self.input_size:
            raise error("MG201", f"input.size(-1) must be equal to input_size. Expected {self.input_size}, got "
                                 f"{data.shape[-1]}")
        for k, (state, shape) in enumerate(zip(states, shapes)):
            if tuple(state.shape) != shape:
                which = f"[{k}]" if len(shapes) > 1 else ""
                raise error("MG201", f"Expected hidden{which} size {shape}, got {list(state.shape)}")


class RNN(RNNBase):
    """The simplest recurrent network: ``h' = tanh(W_ih x + b_ih + W_hh h + b_hh)``, or ``relu``.

    It returns all outputs of the last layer, (T, N, hidden_size), and the last state of each layer.  In both directions
    the outputs are twice as long.

    >>> rnn = torch.nn.RNN(3, 4, num_layers=2)
    >>> rnn
    RNN(3, 4, num_layers=2)
    >>> output, h = rnn(torch.ones(5, 2, 3))
    >>> output.shape, h.shape
    (torch.Size([5, 2, 4]), torch.Size([2, 2, 4]))
    """

    nonlinearity: str

    def __init__(self, input_size, hidden_size, num_layers=1, nonlinearity="tanh", *args, **kwargs):
        if "proj_size" in kwargs:
            raise only_lstm_projects()
        if nonlinearity not in ("tanh", "relu"):
            raise error("MG207", f"Unknown nonlinearity '{nonlinearity}'. Select from 'tanh' or 'relu'.")
        super().__init__(f"RNN_{nonlinearity.upper()}", input_size, hidden_size, num_layers, *args, **kwargs)
        self.nonlinearity = nonlinearity


class GRU(RNNBase):
    """A network of gated recurrent units (Cho et al., 2014); see :class:`RNN` for shapes.

        r, z = sigmoid(W x + b + V h + c)           for each its own weights
        n    = tanh(W x + b + r * (V h + c))
        h'   = (1 - z) * n + z * h

    >>> output, h = torch.nn.GRU(3, 4, bidirectional=True)(torch.ones(5, 2, 3))
    >>> output.shape, h.shape
    (torch.Size([5, 2, 8]), torch.Size([2, 2, 4]))
    """

    def __init__(self, *args, **kwargs):
        if "proj_size" in kwargs:
            raise only_lstm_projects()
        super().__init__("GRU", *args, **kwargs)


class LSTM(RNNBase):
    """A network with a long short-term memory (Hochreiter and Schmidhuber, 1997); see :class:`RNN` for shapes.

        i, f, o = sigmoid(W x + b + V h + c)        for each its own weights
        g       = tanh(W x + b + V h + c)
        c'      = f * c + i * g
        h'      = o * tanh(c')

    The state is the pair (h, c).  With ``proj_size`` h is projected to that size.

    >>> output, (h, c) = torch.nn.LSTM(3, 4, proj_size=2)(torch.ones(5, 2, 3))
    >>> output.shape, h.shape, c.shape
    (torch.Size([5, 2, 2]), torch.Size([1, 2, 2]), torch.Size([1, 2, 4]))
    """

    def __init__(self, *args, **kwargs):
        super().__init__("LSTM", *args, **kwargs)

    def _shapes_of_states(self, rows):
        (layers, rows, size), = super()._shapes_of_states(rows)
        return [(layers, rows, self.proj_size or size), (layers, rows, size)]

    def _join(self, states):
        return tuple(states)

    def _as_states(self, hx, batched):
        h, c = hx
        if batched is not None and not h.dim() == c.dim() == 2 + batched:
            raise error("MG204", f"For {input_of(batched)}, hx and cx should also be {2 + batched}-D but got "
                                 f"({h.dim()}-D, {c.dim()}-D) tensors")
        return [h.unsqueeze(1), c.unsqueeze(1)] if batched is False else [h, c]


# ------------------------------------------------------------------------------ cells

class RNNCellBase(Module):
    """What the cells have in common: ``weight_ih``, ``weight_hh``, ``bias_ih``, ``bias_hh``, and the dims of inputs."""

    input_size: int
    hidden_size: int
    bias: bool
    weight_ih: Parameter
    weight_hh: Parameter
    bias_ih: Parameter | None
    bias_hh: Parameter | None

    def __init__(self, input_size, hidden_size, bias, num_chunks, device=None, dtype=None):
        super().__init__()
        self.input_size, self.hidden_size, self.bias = input_size, hidden_size, bias
        rows = num_chunks * hidden_size
        for name, shape in (("weight_ih", (rows, input_size)), ("weight_hh", (rows, hidden_size)),
                            ("bias_ih", (rows,)), ("bias_hh", (rows,))):
            made = bias or name.startswith("weight")
            self.register_parameter(name, Parameter(empty(shape, device=device, dtype=dtype)) if made else None)
        self.reset_parameters()

    def reset_parameters(self):
        """Draw new numbers."""
        fill(self)

    def extra_repr(self):
        nonlinearity = getattr(self, "nonlinearity", "tanh")
        return (f"{self.input_size}, {self.hidden_size}" + (f", bias={self.bias}" if self.bias is not True else "")
                + (f", nonlinearity={nonlinearity}" if nonlinearity != "tanh" else ""))

    def _weights(self):
        return self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh

    def _with_batch(self, input, named):
        """The input and the states with a dim for the batch, and whether they had one; zeros for a state of None."""
        for name, x in (("input", input), *named):
            if x is not None and x.dim() not in (1, 2):
                raise error("MG207", f"{type(self).__name__}: Expected {name} to be 1D or 2D, got {x.dim()}D instead")
        batched = input.dim() == 2
        input = input if batched else input.unsqueeze(0)
        states = [zeros((len(input), self.hidden_size), dtype=input.dtype, device=input.device) if x is None
                  else x if batched else x.unsqueeze(0) for _, x in named]
        return input, states, batched


class RNNCell(RNNCellBase):
    """One step of an :class:`RNN`: the next state, from an input (N, input_size) and a state (N, hidden_size).

    >>> torch.nn.RNNCell(3, 4)(torch.ones(2, 3), torch.zeros(2, 4)).shape
    torch.Size([2, 4])
    """

    nonlinearity: str

    def __init__(self, input_size, hidden_size, bias=True, nonlinearity="tanh", device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, 1, device, dtype)
        self.nonlinearity = nonlinearity

    def forward(self, input, hx=None):
        input, (hx,), batched = self._with_batch(input, [("hidden", hx)])
        if self.nonlinearity not in ("tanh", "relu"):
            raise error("MG204", f"Unknown nonlinearity: {self.nonlinearity}")
        step = recurrent.rnn_tanh_cell if self.nonlinearity == "tanh" else recurrent.rnn_relu_cell
        h = step(input, hx, *self._weights())
        return h if batched else h.squeeze(0)


class LSTMCell(RNNCellBase):
    """One step of an :class:`LSTM`: the next states (h, c).

    >>> h, c = torch.nn.LSTMCell(3, 4)(torch.ones(2, 3))
    >>> h.shape
    torch.Size([2, 4])
    """

    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, 4, device, dtype)

    def forward(self, input, hx=None):
        h, c = (None, None) if hx is None else hx
        input, states, batched = self._with_batch(input, [("hx[0]", h), ("hx[1]", c)])
        h, c = recurrent.lstm_cell(input, states, *self._weights())
        return (h, c) if batched else (h.squeeze(0), c.squeeze(0))


class GRUCell(RNNCellBase):
    """One step of a :class:`GRU`: the next state.

    >>> torch.nn.GRUCell(3, 4)(torch.ones(3)).shape
    torch.Size([4])
    """

    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, 3, device, dtype)

    def forward(self, input, hx=None):
        input, (hx,), batched = self._with_batch(input, [("hidden", hx)])
        h = recurrent.gru_cell(input, hx, *self._weights())
        return h if batched else h.squeeze(0)


# ------------------------------------------------------------------------------ what the errors say

def check_options(mode, input_size, hidden_size, num_layers, bias, batch_first, dropout, proj_size):
    if mode not in MODES:
        raise error("MG207", f"Unrecognized RNN mode: {mode}")
    if not isinstance(dropout, numbers.Number) or isinstance(dropout, bool) or not 0 <= dropout <= 1:
        raise error("MG207", "dropout should be a number in range [0, 1] representing the probability of an element "
                             f"being zeroed, not {dropout!r}")
    if dropout > 0 and num_layers == 1:
        warn("dropout option adds dropout after all but last recurrent layer, so non-zero dropout expects num_layers "
             f"greater than 1, but got dropout={dropout} and num_layers={num_layers}")
    for name, value, kind in (("bias", bias, bool), ("batch_first", batch_first, bool),
                              ("input_size", input_size, int), ("hidden_size", hidden_size, int)):
        if not isinstance(value, kind):
            raise error("MG205", f"{name} should be of type {kind.__name__}, got: {type(value).__name__}")
    for name, value in (("input_size", input_size), ("hidden_size", hidden_size), ("num_layers", num_layers)):
        if value <= 0:
            raise error("MG207", f"{name} must be greater than zero")
    if proj_size < 0:
        raise error("MG207", "proj_size should be a positive integer or zero to disable projections")
    if proj_size >= hidden_size:
        raise error("MG207", "proj_size has to be smaller than hidden_size")


def neither_2d_nor_3d(module, input):
    return error("MG207", f"{type(module).__name__}: Expected input to be 2D or 3D, got {input.dim()}D instead")


def input_of(batched):
    return "batched 3-D input" if batched else "unbatched 2-D input"


def other_dtype(data, weight):
    return error("MG207", f"RNN input dtype ({data.dtype}) does not match weight dtype ({weight.dtype}). Convert "
                          f"input: input.to({weight.dtype}), or convert model: model.to({data.dtype})")


def only_lstm_projects():
    return error("MG207", "proj_size argument is only supported for LSTM, not RNN or GRU")
