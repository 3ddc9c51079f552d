"""functional_call and stack_module_state: models as functions of their parameters."""

import numpy as np
import pytest

import minigrad as torch
from minigrad.func import functional_call, grad, stack_module_state, vmap

RNG = np.random.default_rng(3)


class Linear:
    def __init__(self, n, m):
        self.weight = torch.tensor(RNG.normal(size=(m, n)), requires_grad=True)
        self.bias = torch.tensor(RNG.normal(size=m), requires_grad=True)

    def __call__(self, x):
        return torch.nn.functional.linear(x, self.weight, self.bias)


class Net:
    def __init__(self):
        self.layers = [Linear(3, 4), Linear(4, 2)]
        self.scale = torch.tensor(2., dtype=torch.float64)
        self.name = "net"

    def __call__(self, x, power=1):
        return (self.layers[1](self.layers[0](x).tanh()) * self.scale) ** power


NAMES = ["layers.0.weight", "layers.0.bias", "layers.1.weight", "layers.1.bias", "scale"]


def parameters_of(net):
    return {"layers.0.weight": net.layers[0].weight, "layers.0.bias": net.layers[0].bias,
            "layers.1.weight": net.layers[1].weight, "layers.1.bias": net.layers[1].bias, "scale": net.scale}


def test_a_call_with_other_parameters():
    net, other = Net(), Net()
    x = torch.tensor(RNG.normal(size=3))
    before = net(x)
    np.testing.assert_array_equal(functional_call(net, parameters_of(other), x).detach().numpy(),
                                  other(x).detach().numpy())
    np.testing.assert_array_equal(functional_call(net, ({"scale": torch.tensor(0.)}, {}), (x,)).detach().numpy(), 0)
    np.testing.assert_array_equal(functional_call(net, {}, (x,), {"power": 2}).detach().numpy(),
                                  before.detach().numpy() ** 2)
    np.testing.assert_array_equal(net(x).detach().numpy(), before.detach().numpy())


def test_the_module_has_its_own_parameters_again_after_an_error():
    net = Net()
    own = net.layers[0].weight
    with pytest.raises(Exception):
        functional_call(net, {"layers.0.weight": torch.ones(1, 1)}, (torch.ones(3),))
    assert net.layers[0].weight is own


def test_gradients_for_each_sample():
    net = Net()
    parameters = {name: x.detach() for name, x in parameters_of(net).items()}
    xs, ys = torch.tensor(RNG.normal(size=(6, 3))), torch.tensor(RNG.normal(size=(6, 2)))

    def loss(p, x, y):
        return torch.nn.functional.mse_loss(functional_call(net, p, (x,)), y)

    found = vmap(grad(loss), in_dims=(None, 0, 0))(parameters, xs, ys)
    for i in range(6):
        loss(parameters_of(net), xs[i], ys[i]).backward()
        for name, p in parameters_of(net).items():
            if p.requires_grad:
                np.testing.assert_allclose(found[name][i].numpy(), p.grad.numpy(), rtol=1e-10, atol=1e-12)
                p.grad = None


def test_an_ensemble_in_one_run():
    nets = [Net() for _ in range(4)]
    x = torch.tensor(RNG.normal(size=(5, 3)))
    parameters, buffers = stack_module_state(nets)
    assert list(parameters) == NAMES[:4] and list(buffers) == ["scale"]
    assert all(p.is_leaf and p.requires_grad for p in parameters.values()) and not buffers["scale"].requires_grad
    out = vmap(lambda p, b: functional_call(nets[0], (p, b), (x,)))(parameters, buffers)
    np.testing.assert_allclose(out.detach().numpy(), np.stack([net(x).detach().numpy() for net in nets]))
    out.sum().backward()
    assert parameters["layers.0.bias"].grad.shape == (4, 4)


def test_tied_weights_move_together():
    net = Net()
    net.also = net.scale
    seen = []
    net.layers.append(lambda: None)
    Net.probe = lambda self: seen.append((self.scale, self.also))
    new = torch.tensor(5., dtype=torch.float64)

    class Probe:
        def __init__(self):
            self.a = net.scale
            self.b = self.a

        def __call__(self):
            return self.a + self.b

    assert functional_call(Probe(), {"a": new}).item() == 10
    assert functional_call(Probe(), {"a": new}, tie_weights=False).item() == 7


def test_an_object_may_name_its_parameters_alone():
    class Scale:
        def __init__(self):
            self.by = torch.full((2,), 3.)

        def named_parameters(self, remove_duplicate=True):
            return iter([("by", self.by)])

        def __call__(self, x):
            return x * self.by

    assert functional_call(Scale(), {"by": torch.ones(2)}, torch.ones(2)).tolist() == [1, 1]


@pytest.mark.parametrize("attempt, words", [
    (lambda: functional_call(lambda p: p, {"w": torch.ones(1)}, torch.ones(1)),
     "a plain function has no parameters of its own"),
    (lambda: functional_call(Net(), [1], torch.ones(1)),
     "Expected parameter_and_buffer_dicts to be a dict, or a list/tuple of dicts"),
    (lambda: functional_call(Net(), ({"scale": torch.ones(1)}, {"scale": torch.ones(1)}), torch.ones(3)),
     "scale appeared in multiple dictionaries"),
    (lambda: functional_call(Net(), {"weigh": torch.ones(1)}, torch.ones(3), strict=True),
     r"Unexpected key\(s\).*weigh.*Missing key\(s\).*layers.0.weight"),
    (lambda: stack_module_state([]), "Expected at least one model, got 0"),
    (lambda: stack_module_state([Net(), Linear(2, 2)]), "to be of the same class"),
    (lambda: stack_module_state([torch.nn.Linear(2, 1), torch.nn.Linear(2, 1).eval()]),
     "to have the same training/eval mode"),
    (lambda: stack_module_state([{"w": torch.ones(2, requires_grad=True)}, {"w": torch.ones(2)}]),
     "to have the same .requires_grad"),
    (lambda: stack_module_state([{"w": torch.ones(2)}, {"v": torch.ones(2)}]), "must have tensors of the same names"),
])
def test_mistakes_are_named(attempt, words):
    with pytest.raises((RuntimeError, TypeError, ValueError), match=words):
        attempt()


def test_batch_norm_without_running_statistics_in_a_gradient_for_each_sample(torch):
    def made():
        torch.manual_seed(0)
        nn = torch.nn
        return nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3), nn.Sequential(nn.BatchNorm1d(3, affine=False)),
                             nn.BatchNorm1d(3, affine=False, track_running_stats=False))

    def loss(parameters, x):
        return (torch.func.functional_call(model, (parameters, buffers), (x,)) ** 3).sum()

    model = made()
    assert torch.func.replace_all_batch_norm_modules_(model) is model
    assert [m.track_running_stats for m in (model[1], model[2][0], model[3])] == [False, False, False]
    parameters, buffers = dict(model.named_parameters()), dict(model.named_buffers())
    assert not buffers and len(parameters) == 4
    xs = torch.arange(12.).reshape(2, 3, 2).sin()
    found = torch.func.vmap(torch.func.grad(loss), in_dims=(None, 0))(parameters, xs)
    for i, x in enumerate(xs):
        expected = torch.autograd.grad(loss(parameters, x), list(parameters.values()))
        for name, g in zip(parameters, expected):
            np.testing.assert_allclose(found[name][i].detach().numpy(), g.numpy(), rtol=1e-4, atol=1e-5)
    assert model.eval()(xs[0]).shape == (3, 3)                  # with the statistics of the batch
