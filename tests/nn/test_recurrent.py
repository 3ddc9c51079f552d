"""Recurrent modules in every mode; tests/parity/printed_programs and tests/ops compare them with PyTorch."""

import copy
import pickle

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


# ------------------------------------------------------------------------------ a layer of an LSTM as one node

OPTIONS = [{}, {"bidirectional": True}, {"num_layers": 3}, {"bias": False}, {"batch_first": True},
           {"num_layers": 2, "dropout": 0.5}]


def derivatives(network, x, states):
    """Outputs, gradients, and gradients of the gradients."""
    torch.manual_seed(1)
    output, (h, c) = network(x, states)
    weights = torch.arange(output.numel(), dtype=x.dtype).sin().reshape(output.shape)
    inputs = [x, *states, *network.parameters()]
    first = torch.autograd.grad((output * weights).sum() + h.square().sum() + c.pow(3).sum(), inputs, create_graph=True)
    plain = torch.autograd.grad((network(x, states)[0] * weights).sum(), inputs)
    second = torch.autograd.grad(sum(g.square().sum() for g in first), inputs)
    return [each.detach() for each in (output, h, c, *first, *(() if network.dropout else plain), *second)]


def of_a_sequence(dtype, **options):
    torch.manual_seed(0)
    network = nn.LSTM(3, 4, **options).to(dtype)
    layers = network.num_layers * (2 if network.bidirectional else 1)
    x = torch.randn(5, 5, 3, dtype=dtype, requires_grad=True)
    return network, x, tuple(torch.randn(layers, 5, 4, dtype=dtype, requires_grad=True) for _ in range(2))


def graph_of(tensor):
    """The names of the nodes behind a tensor."""
    names, waiting = set(), [tensor.grad_fn]
    while waiting:
        node = waiting.pop()
        if node is not None and node not in names:
            names |= {node, node.name()}
            waiting += [each for each, _ in node.next_functions]
    return {name for name in names if isinstance(name, str)}


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_a_layer_as_one_node_gives_what_its_steps_give(options, dtype, monkeypatch):
    arguments = of_a_sequence(dtype, **options)
    assert "LSTMLayerBackward" in graph_of(arguments[0](*arguments[1:])[0])
    found = [derivatives(*arguments)]
    with without_kernels():
        found.append(derivatives(*arguments))
    monkeypatch.setattr(rnn, "is_one_node", lambda *_: False)
    assert "LSTMLayerBackward" not in graph_of(arguments[0](*arguments[1:])[0])
    steps = derivatives(*arguments)
    eps = torch.finfo(dtype).eps
    for one in found:
        for a, b in zip(one, steps, strict=True):
            assert torch.allclose(a, b, rtol=200 * eps, atol=200 * eps * float(b.abs().max()))


def test_all_derivatives_of_one_node_are_true():
    network, x, states = of_a_sequence(torch.float64, bidirectional=True)
    arguments = x[:3, :2].detach().requires_grad_(), *[s[:, :2].detach().requires_grad_() for s in states]

    def outputs(x, h, c):
        output, states = network(x, (h, c))
        return output, *states

    assert torch.autograd.gradcheck(outputs, arguments, check_forward_ad=True)
    assert torch.autograd.gradgradcheck(outputs, arguments)


@pytest.mark.parametrize("wanted", ["output", "h", "c"])
def test_one_node_needs_no_more_than_it_is_asked_for(wanted, monkeypatch):
    network, x, states = of_a_sequence(torch.float64)
    network.weight_ih_l0.requires_grad_(False)
    network.bias_hh_l0.requires_grad_(False)
    asked = [network.weight_hh_l0, network.bias_ih_l0, states[1]]

    def gradients():
        output, (h, c) = network(x.detach(), states)
        return torch.autograd.grad({"output": output, "h": h, "c": c}[wanted].sin().sum(), asked)

    found = gradients()
    monkeypatch.setattr(rnn, "is_one_node", lambda *_: False)
    for a, b in zip(found, gradients(), strict=True):
        assert torch.allclose(a, b, rtol=1e-12)


def test_tensors_that_are_several_inputs_of_one_node_get_all_gradients(monkeypatch):
    weight, state = [torch.randn(shape, dtype=torch.float64, requires_grad=True) for shape in ((16, 4), (1, 2, 4))]
    x = torch.randn(3, 2, 4, dtype=torch.float64)

    def gradients():
        output = torch.lstm(x, (state, state), [weight, weight], False, 1, 0.0, True, False, False)[0]
        first = torch.autograd.grad(output.sin().sum(), (weight, state), create_graph=True)
        return *first, *torch.autograd.grad(sum(g.square().sum() for g in first), (weight, state))

    found = gradients()
    monkeypatch.setattr(rnn, "is_one_node", lambda *_: False)
    for a, b in zip(found, gradients(), strict=True):
        assert torch.allclose(a, b, rtol=1e-10)


def test_the_outputs_of_one_node_may_be_written_to():
    network, x, states = of_a_sequence(torch.float64)
    once = torch.autograd.grad((2 * network(x, states)[0]).sum(), x)[0]
    output = network(x, states)[0]
    output *= 2
    assert torch.equal(torch.autograd.grad(output.sum(), x)[0], once)


def test_a_mapped_way_back_of_one_node_is_that_of_each(x):
    network = nn.LSTM(3, 4).double()
    x = x.clone().requires_grad_()
    together, each = [torch.autograd.functional.jacobian(lambda x: network(x)[0].sum((1, 2)), x, vectorize=vectorize)
                      for vectorize in (True, False)]
    assert torch.allclose(together, each, rtol=1e-12)


def test_a_tangent_goes_with_the_gradient_through_the_way_back_of_one_node(x):
    output = nn.LSTM(3, 4).double()(x.requires_grad_())[0]
    tangent = torch.linspace(-1, 1, output.numel(), dtype=torch.float64).reshape(output.shape)
    straight, = torch.autograd.grad(output, x, tangent, retain_graph=True)
    with forward_ad.dual_level():
        moved, = torch.autograd.grad(output, x, forward_ad.make_dual(torch.ones_like(output), tangent))
        assert torch.allclose(forward_ad.unpack_dual(moved).tangent, straight, rtol=1e-12)


def test_packed_and_projected_sequences_go_step_by_step(x):
    packed = nn.utils.rnn.pack_padded_sequence(x.requires_grad_(), [5, 3])
    assert "LSTMLayerBackward" not in graph_of(nn.LSTM(3, 4).double()(packed)[0].data)
    assert "LSTMLayerBackward" not in graph_of(nn.LSTM(3, 4, proj_size=2).double()(x)[0])
    assert "LSTMLayerBackward" in graph_of(nn.LSTM(3, 4).double()(x)[0])


def test_a_layer_that_is_written_down_is_told_step_by_step():
    layer, x = torch.nn.LSTM(2, 3), torch.randn(4, 1, 2, generator=torch.Generator().manual_seed(0))
    with viz.recording() as written:
        outputs = layer(x)[0]
    assert len([call for call in written.calls if call.op.name == "lstm_state"]) == 4
    assert torch.allclose(outputs, layer(x)[0]) and outputs.grad_fn is not None
    assert not [call for call in written.calls if call.op.name.startswith("lstm_layer")]


def test_a_layer_whose_digits_are_watched_stays_one_node():
    layer, x = torch.nn.LSTM(2, 3), torch.randn(4, 1, 2, generator=torch.Generator().manual_seed(0))
    plain = layer(x)[0]
    with torch.autograd.digits() as report:
        watched = layer(x)[0]
    assert torch.equal(watched, plain) and "LSTMLayerBackward" in graph_of(watched)
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
