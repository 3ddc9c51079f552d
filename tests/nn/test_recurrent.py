"""Recurrent modules in every mode; tests/parity/printed_programs and tests/ops compare them with PyTorch."""

import copy
import pickle

import numpy as np
import pytest

import minigrad as torch
from minigrad import nn
from minigrad.func import functional_call, grad, jvp, stack_module_state, vmap
from minigrad.ops.exports import ROWS

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
