"""Parametrizations: several in a row, several tensors of one, inverses, copies, and what is refused."""

import copy
import pickle

import torch
from torch import nn
from torch.nn.utils import parametrize


def said(function):
    try:
        return function()
    except Exception as wrong:
        kind = next(c.__name__ for c in type(wrong).__mro__ if c.__module__ == "builtins")
        return f"{kind}: {wrong}"[:75].split(". ")[0].split("\n")[0].rstrip(".")


class Twice(nn.Module):
    def forward(self, x):
        return 2 * x

    def right_inverse(self, y):
        return y / 2


class Product(nn.Module):
    def forward(self, a, b):
        return a * b

    def right_inverse(self, y):
        return y, torch.ones_like(y)


class NoInverse(nn.Module):
    def forward(self, x):
        return x.exp()


class Given(nn.Module):
    """Of a function forward and one back."""

    def __init__(self, forth, back=None):
        super().__init__()
        self.forth, self.back = forth, back

    def forward(self, *args):
        return self.forth(*args)

    def right_inverse(self, y):
        if self.back is None:
            raise NotImplementedError
        return self.back(y)


def linear():
    module = nn.Linear(2, 1)
    with torch.no_grad():
        module.weight.copy_(torch.tensor([[1., 2.]]))
        module.bias.fill_(0.5)
    return module


def state(module):
    return {name: x.tolist() for name, x in module.state_dict().items()}


print("--- one after the other")
m = parametrize.register_parametrization(linear(), "weight", Twice())
print(m, m.weight, state(m), parametrize.is_parametrized(m), parametrize.is_parametrized(m, "weight"),
      parametrize.is_parametrized(m, "bias"), parametrize.is_parametrized(linear()),
      parametrize.is_parametrized(linear(), "weight"))
parametrize.register_parametrization(m, "weight", NoInverse())
print(m.weight, state(m))
print(said(lambda: setattr(m, "weight", torch.ones(1, 2))))
m.weight.sum().backward()
print(m.parametrizations.weight.original.grad)
with parametrize.cached():
    print(m.weight is m.weight)
    with parametrize.cached():
        print(m.weight is m.weight)
    print(m.weight is m.weight)
print(m.weight is m.weight)

print("--- several tensors")
m = parametrize.register_parametrization(linear(), "weight", Product())
print(m, m.weight, state(m), len(m.parametrizations.weight))
m.weight = torch.tensor([[3., 4.]])
print(m.weight, state(m))
m.weight.sum().backward()
print([x.grad.tolist() for x in m.parameters() if x.grad is not None])
print(said(lambda: parametrize.remove_parametrizations(m, "weight", leave_parametrized=False)))
parametrize.remove_parametrizations(m, "weight")
print(type(m).__name__, m, m.weight, state(m))

print("--- unsafe, assigned, removed")
m = parametrize.register_parametrization(linear(), "weight", Twice(), unsafe=True)
m.weight = torch.tensor([[6., 8.]])
print(m.weight, state(m))
parametrize.register_parametrization(m, "bias", Twice())
print(state(m), parametrize.type_before_parametrizations(m).__name__, type(m).__name__)
parametrize.remove_parametrizations(m, "weight", leave_parametrized=False)
print(m.weight, type(m).__name__)
parametrize.remove_parametrizations(m, "bias")
print(m.bias, type(m).__name__, isinstance(m.bias, nn.Parameter))

print("--- copies")
m = parametrize.register_parametrization(linear(), "weight", Twice())
other = copy.deepcopy(m)
other.weight = torch.zeros(1, 2)
print(m.weight, other.weight, type(other) is type(m))
print(said(lambda: pickle.dumps(m)))
to = parametrize.transfer_parametrizations_and_params(m, linear())
print(to.weight, state(to), to.parametrizations.weight.original is m.parametrizations.weight.original)
product = parametrize.register_parametrization(linear(), "weight", Product())
to = parametrize.transfer_parametrizations_and_params(product, nn.Linear(2, 1), "weight")
print(to.weight, [*state(to)])
print(parametrize.transfer_parametrizations_and_params(linear(), linear()).weight)

print("--- refused")
t = torch.ones(1, 2)
ones = nn.Parameter(t)
for what in (lambda: parametrize.ParametrizationList([], t),
             lambda: parametrize.ParametrizationList([Given(lambda x: x, lambda y: 3)], ones),
             lambda: parametrize.ParametrizationList([Given(lambda x: x, lambda y: y.double())], ones),
             lambda: parametrize.ParametrizationList([Given(lambda x: x, lambda y: (y, 3))], ones),
             lambda: parametrize.ParametrizationList([Given(lambda x: 3)], ones),
             lambda: parametrize.ParametrizationList([Given(lambda x: x.double())], ones),
             lambda: parametrize.ParametrizationList([Given(lambda x: x[0])], ones),
             lambda: parametrize.register_parametrization(linear(), "other", Twice()),
             lambda: parametrize.register_parametrization(linear(), "in_features", Twice()),
             lambda: parametrize.register_parametrization(m, "weight", Given(lambda x: 3)),
             lambda: parametrize.register_parametrization(m, "weight", Given(lambda x: x.double())),
             lambda: parametrize.register_parametrization(m, "weight", Given(lambda x: x[0])),
             lambda: parametrize.register_parametrization(m, "weight", Given(lambda x: x, lambda y: 3)),
             lambda: parametrize.register_parametrization(m, "weight", Given(lambda x: x, lambda y: y.double())),
             lambda: parametrize.register_parametrization(m, "weight", Given(lambda x: x, lambda y: y[0])),
             lambda: parametrize.remove_parametrizations(m, "bias"),
             lambda: parametrize.remove_parametrizations(linear(), "weight")):
    print(said(what))
bad = Product()
several = parametrize.register_parametrization(linear(), "weight", bad)
for back in (lambda y: y, lambda y: (y,), lambda y: (y, y, y), lambda y: (y, y.double()), lambda y: 3):
    bad.right_inverse = back
    print(said(lambda: setattr(several, "weight", torch.ones(1, 2))))
single = Given(lambda x: x, lambda y: y)
m = parametrize.register_parametrization(linear(), "weight", single)
for back in (lambda y: 3, lambda y: y.double(), lambda y: y[:, :1]):
    single.back = back
    print(said(lambda: setattr(m, "weight", torch.ones(1, 2))))
