"""Recurrent modules in every mode; tests/parity/printed_programs and tests/ops compare them with PyTorch."""

import copy
import pickle
from functools import partial

import numpy as np
import pytest

import minigrad as torch
from minigrad import nn, viz
from minigrad.autograd import forward_ad
from minigrad.func import functional_call, grad, jvp, stack_module_state, vmap
from minigrad.nn.functional import rnn
from minigrad.ops.exports import ROWS
from minigrad.teaching import without_kernels

KINDS = [nn.LSTM, nn.GRU, nn.RNN]


@pytest.fixture(params=KINDS, ids=lambda kind: kind.__name__)
def networks(request):
    torch.manual_seed(0)
    return [request.param(3, 4, 2, bidirectional=True).double() for _ in range(2)]


@pytest.fixture
def x():
    return torch.linspace(-2, 3, 30, dtype=torch.float64).sin().reshape(5, 2, 3)


def test_an_ensemble_runs_in_one_call(networks, x):
    params, buffers = stack_module_state(networks)
    together = vmap(lambda p, b: functional_call(networks[0], (p, b), (x,))[0])(params, buffers)
    assert torch.allclose(together, torch.stack([network(x)[0] for network in networks]))


def test_a_batch_of_batches_runs_in_one_call(networks, x):
    together = vmap(lambda x: networks[0](x)[0])(torch.stack([x, 2 * x]))
    assert torch.allclose(together, torch.stack([networks[0](x)[0], networks[0](2 * x)[0]]))


def test_forward_mode_agrees_with_reverse_mode(networks, x):
    def total(params):
        return functional_call(networks[0], params, (x,))[0].sum()

    params = dict(networks[0].named_parameters())
    _, slope = jvp(total, (params,), ({name: torch.ones_like(p) for name, p in params.items()},))
    assert torch.allclose(slope, sum(g.sum() for g in grad(total)(params).values()))


def test_copies_compute_the_same(networks, x):
    for twin in (pickle.loads(pickle.dumps(networks[0])), copy.deepcopy(networks[0])):
        assert torch.equal(twin(x)[0], networks[0](x)[0])
        twin.load_state_dict(networks[1].state_dict())
        assert torch.equal(twin(x)[0], networks[1](x)[0])


def test_second_gradients_are_true(networks, x):
    assert torch.autograd.gradgradcheck(lambda x: networks[0](x)[0], (x[:2].clone().requires_grad_(),))


@pytest.mark.parametrize("kind", KINDS)
def test_dropout_acts_between_the_layers_in_training_alone(kind, x):
    network = kind(3, 4, 2, dropout=1.0).double()
    assert torch.equal(network(x)[0][:, :1], network(x)[0][:, 1:])      # the last layer sees zeros
    network.eval()
    assert not torch.equal(network(x)[0][:, :1], network(x)[0][:, 1:])


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_the_gates_of_an_lstm_are_as_exact_as_their_dtype(dtype):
    rng = np.random.default_rng(0)
    o, c = [np.concatenate([rng.uniform(-20, 20, 300), sign * 10. ** rng.uniform(-30, 0, 300)]).astype(dtype)
            for sign in (1, -1)]
    exact, eps = [a.astype(np.longdouble) for a in (o, c)], np.finfo(dtype).eps
    gate, tanh = 1 / (1 + np.exp(-exact[0])), np.tanh(exact[1])
    found = ROWS["lstm_output"](torch.tensor(o), torch.tensor(c)).numpy()
    np.testing.assert_allclose(found, (gate * tanh).astype(dtype), rtol=4 * eps, atol=0)
    ones, o, c = torch.ones(len(o), dtype=torch.tensor(o).dtype), torch.tensor(o), torch.tensor(c)
    for name, slope in (("gate", tanh * gate * (1 - gate)), ("tanh", gate * (1 - tanh * tanh))):
        found = ROWS[f"lstm_{name}_backward"](ones, c, o).numpy()
        np.testing.assert_allclose(found, slope.astype(dtype), rtol=0, atol=4 * eps)


# ------------------------------------------------------------------------------ a layer as one node

CELLS = {"LSTM": nn.LSTM, "GRU": nn.GRU, "tanh": nn.RNN, "relu": partial(nn.RNN, nonlinearity="relu")}
OPTIONS = [{}, {"bidirectional": True}, {"num_layers": 3}, {"bias": False}, {"batch_first": True},
           {"num_layers": 2, "dropout": 0.5}]

every_cell = pytest.mark.parametrize("cell", CELLS)


def called(network, x, states):
    """The outputs and the last states."""
    output, last = network(x, states if len(states) > 1 else states[0])
    return output, *(last if len(states) > 1 else [last])


def derivatives(network, x, states):
    """Outputs, gradients, and gradients of the gradients."""
    torch.manual_seed(1)
    output, *last = called(network, x, states)
    weights = torch.arange(output.numel(), dtype=x.dtype).sin().reshape(output.shape)
    inputs = [x, *states, *network.parameters()]
    total = (output * weights).sum() + sum(s.pow(k).sum() for k, s in enumerate(last, 2))
    first = torch.autograd.grad(total, inputs, create_graph=True)
    plain = torch.autograd.grad((called(network, x, states)[0] * weights).sum(), inputs)
    second = torch.autograd.grad(sum(g.square().sum() for g in first), inputs)
    return [each.detach() for each in (output, *last, *first, *(() if network.dropout else plain), *second)]


def of_a_sequence(cell, dtype, **options):
    torch.manual_seed(0)
    network = CELLS[cell](3, 4, **options).to(dtype)
    layers = network.num_layers * (2 if network.bidirectional else 1)
    x = torch.randn(5, 5, 3, dtype=dtype, requires_grad=True)
    return network, x, tuple(torch.randn(layers, 5, 4, dtype=dtype, requires_grad=True)
                             for _ in range(2 if cell == "LSTM" else 1))


def graph_of(tensor):
    """The names of the nodes behind a tensor."""
    names, waiting = set(), [tensor.grad_fn]
    while waiting:
        node = waiting.pop()
        if node is not None and node not in names:
            names |= {node, node.name()}
            waiting += [each for each, _ in node.next_functions]
    return {name for name in names if isinstance(name, str)}


def is_one_node(tensor):
    return "RecurrentLayerBackward" in graph_of(tensor)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
@pytest.mark.parametrize("options", OPTIONS, ids=str)
@every_cell
def test_a_layer_as_one_node_gives_what_its_steps_give(cell, options, dtype, monkeypatch):
    arguments = of_a_sequence(cell, dtype, **options)
    assert is_one_node(called(*arguments)[0])
    found = [derivatives(*arguments)]
    with without_kernels():
        found.append(derivatives(*arguments))
    monkeypatch.setattr(rnn, "is_one_node", lambda *_: False)
    assert not is_one_node(called(*arguments)[0])
    steps = derivatives(*arguments)
    eps = torch.finfo(dtype).eps
    for one in found:
        for a, b in zip(one, steps, strict=True):
            assert torch.allclose(a, b, rtol=200 * eps, atol=200 * eps * float(b.abs().max()))


@pytest.mark.parametrize("steps", [1, 3])
@every_cell
def test_all_derivatives_of_one_node_are_true(cell, steps):
    network, x, states = of_a_sequence(cell, torch.float64, bidirectional=True)
    arguments = x[:steps, :2].detach().requires_grad_(), *[s[:, :2].detach().requires_grad_() for s in states]
    assert torch.autograd.gradcheck(lambda x, *states: called(network, x, states), arguments, check_forward_ad=True)
    assert torch.autograd.gradgradcheck(lambda x, *states: called(network, x, states), arguments)


@every_cell
def test_gradients_of_all_weights_of_one_node_are_true(cell):
    network, x, states = of_a_sequence(cell, torch.float64, bidirectional=True)
    names = [name for name, _ in network.named_parameters()]

    def output(*weights):
        return functional_call(network, dict(zip(names, weights)), (x[:3], states if cell == "LSTM" else states[0]))[0]

    weights = [w.detach().requires_grad_() for w in network.parameters()]
    assert is_one_node(output(*weights))
    assert torch.autograd.gradcheck(output, weights)


@pytest.mark.parametrize("cell,wanted", [("LSTM", 0), ("LSTM", 1), ("LSTM", 2), ("GRU", 0), ("GRU", 1), ("tanh", 1)])
def test_one_node_needs_no_more_than_it_is_asked_for(cell, wanted, monkeypatch):
    network, x, states = of_a_sequence(cell, torch.float64)
    network.weight_ih_l0.requires_grad_(False)
    network.bias_ih_l0.requires_grad_(False)
    asked = [network.weight_hh_l0, network.bias_hh_l0, states[-1]]

    def gradients():
        return torch.autograd.grad(called(network, x.detach(), states)[wanted].sin().sum(), asked)

    found = gradients()
    monkeypatch.setattr(rnn, "is_one_node", lambda *_: False)
    for a, b in zip(found, gradients(), strict=True):
        assert torch.allclose(a, b, rtol=1e-12)


@pytest.mark.parametrize("name,rows", [("lstm", 16), ("gru", 12), ("rnn_tanh", 4), ("rnn_relu", 4)])
def test_tensors_that_are_several_inputs_of_one_node_get_all_gradients(name, rows, monkeypatch):
    weight, state = [torch.randn(shape, dtype=torch.float64, requires_grad=True) for shape in ((rows, 4), (1, 2, 4))]
    x = torch.randn(3, 2, 4, dtype=torch.float64)

    def gradients():
        start = (state, state) if name == "lstm" else state
        output = getattr(torch, name)(x, start, [weight, weight], False, 1, 0.0, True, False, False)[0]
        first = torch.autograd.grad(output.sin().sum(), (weight, state), create_graph=True)
        return *first, *torch.autograd.grad(sum(g.square().sum() for g in first), (weight, state))

    found = gradients()
    monkeypatch.setattr(rnn, "is_one_node", lambda *_: False)
    for a, b in zip(found, gradients(), strict=True):
        assert torch.allclose(a, b, rtol=1e-10)


@every_cell
def test_the_outputs_of_one_node_may_be_written_to(cell):
    network, x, states = of_a_sequence(cell, torch.float64)
    once = torch.autograd.grad((2 * called(network, x, states)[0]).sum(), x)[0]
    output = called(network, x, states)[0]
    output *= 2
    assert torch.equal(torch.autograd.grad(output.sum(), x)[0], once)


@every_cell
def test_the_biases_of_one_node_have_gradients_of_their_own(cell):
    network, x, states = of_a_sequence(cell, torch.float32)
    for _ in range(2):
        called(network, x, states)[0].sum().backward()
    of_input, of_h = network.bias_ih_l0.grad.clone(), network.bias_hh_l0.grad
    of_h.zero_()
    assert torch.equal(network.bias_ih_l0.grad, of_input)


@every_cell
def test_a_mapped_way_back_of_one_node_is_that_of_each(cell, x):
    network = CELLS[cell](3, 4).double()
    x = x.clone().requires_grad_()
    together, each = [torch.autograd.functional.jacobian(lambda x: network(x)[0].sum((1, 2)), x, vectorize=vectorize)
                      for vectorize in (True, False)]
    assert torch.allclose(together, each, rtol=1e-12)


@every_cell
def test_a_tangent_goes_with_the_gradient_through_the_way_back_of_one_node(cell, x):
    output = CELLS[cell](3, 4).double()(x.requires_grad_())[0]
    tangent = torch.linspace(-1, 1, output.numel(), dtype=torch.float64).reshape(output.shape)
    straight, = torch.autograd.grad(output, x, tangent, retain_graph=True)
    with forward_ad.dual_level():
        moved, = torch.autograd.grad(output, x, forward_ad.make_dual(torch.ones_like(output), tangent))
        assert torch.allclose(forward_ad.unpack_dual(moved).tangent, straight, rtol=1e-12)


@every_cell
def test_packed_and_projected_sequences_go_step_by_step(cell, x):
    packed = nn.utils.rnn.pack_padded_sequence(x.requires_grad_(), [5, 3])
    assert not is_one_node(CELLS[cell](3, 4).double()(packed)[0].data)
    assert is_one_node(CELLS[cell](3, 4).double()(x)[0])
    assert is_one_node(CELLS[cell](3, 4).double()(x[:, 0])[0])
    if cell == "LSTM":
        assert not is_one_node(nn.LSTM(3, 4, proj_size=2).double()(x)[0])


def test_numbers_that_are_none_stay_none():
    """A relu that lost them would hide a fault of the inputs."""
    network, x = nn.RNN(1, 1, nonlinearity="relu"), torch.tensor([1.0, float("nan"), 1.0]).reshape(3, 1, 1)
    assert is_one_node(network(x)[0]) and network(x)[0].isnan().flatten().tolist() == [False, True, True]


@pytest.mark.parametrize("cell,row", [("LSTM", "lstm_state"), ("GRU", "state_rows"), ("tanh", "tanh")])
def test_a_layer_that_is_written_down_is_told_step_by_step(cell, row):
    layer, x = CELLS[cell](2, 3), torch.randn(4, 1, 2, generator=torch.Generator().manual_seed(0))
    with viz.recording() as written:
        outputs = layer(x)[0]
    assert len([call for call in written.calls if call.op.name == row]) == 4
    assert torch.allclose(outputs, layer(x)[0]) and outputs.grad_fn is not None
    assert not [call for call in written.calls if call.op.name.startswith("recurrent_layer")]


@every_cell
def test_a_layer_whose_digits_are_watched_stays_one_node(cell):
    layer, x = CELLS[cell](2, 3), torch.randn(4, 1, 2, generator=torch.Generator().manual_seed(0))
    plain = layer(x)[0]
    with torch.autograd.digits() as report:
        watched = layer(x)[0]
    assert torch.equal(watched, plain) and is_one_node(watched)
    assert not report._watching.unknown


@pytest.mark.parametrize("batch_first", [False, True])
@pytest.mark.parametrize("lengths", [[3, 3], [1, 3], [3, 2]])
def test_what_was_packed_lies_in_memory_as_in_pytorch(torch, batch_first, lengths):
    """Dropout of it draws the same mask then."""
    rnn = torch.nn.utils.rnn
    x = torch.arange(24.0).reshape(2, 3, 4) if batch_first else torch.arange(24.0).reshape(3, 2, 4)
    packed = rnn.pack_padded_sequence(x, torch.tensor(lengths), batch_first=batch_first, enforce_sorted=False)
    padded, _ = rnn.pad_packed_sequence(packed, batch_first=batch_first)
    assert padded.is_contiguous()
    unpadded = rnn.unpad_sequence(padded.clone(), torch.tensor(lengths), batch_first=batch_first)
    assert [len(each) for each in unpadded] == lengths and all(each.is_contiguous() for each in unpadded)
    sorted_before = rnn.pack_padded_sequence(x, torch.tensor([3, 2]), batch_first=batch_first)
    assert rnn.pad_packed_sequence(sorted_before, batch_first=batch_first)[0].is_contiguous() != batch_first


def test_an_unpadded_sequence_has_memory_of_its_own(torch):
    padded = torch.zeros(2, 3)
    torch.nn.utils.rnn.unpad_sequence(padded, torch.tensor([3, 1]), batch_first=True)[0].fill_(1.0)
    assert padded.sum() == 0
