"""Modules and parameters in lists and dictionaries: what changes, what it looks like, what is refused."""

from collections import OrderedDict

import torch
from torch import nn


def said(function):
    try:
        return function()
    except Exception as wrong:
        kind = next(c.__name__ for c in type(wrong).__mro__ if c.__module__ == "builtins")
        return f"{kind}: {wrong}".replace("minigrad.nn.modules.containers", "torch.nn.modules.container")


def names(container):
    return [f"{name}={type(module).__name__}" for name, module in container.named_children()]


def delete(container, index):
    del container[index]
    return names(container)


def put(container, index, module):
    container[index] = module
    return names(container)


print("--- Sequential")
net = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
print(len(net), names(net), [type(module).__name__ for module in net], net[-1], net[1:])
print(names(net.append(nn.Tanh())), names(net.extend([nn.Sigmoid(), nn.GELU()])))
print(delete(net, 1), delete(net, -1), delete(net, slice(0, 2)))
print(names(net.insert(1, nn.ReLU())), names(net.insert(-1, nn.ELU())), names(net.insert(0, nn.SELU())))
print(net.pop(0), names(net), put(net, 0, nn.CELU()), net(torch.zeros(2)))
net += nn.Sequential(nn.Tanh())
print(names(net), names(net + nn.Sequential(nn.ReLU())), names(nn.Sequential(nn.ReLU(), nn.Tanh()) * 2))
twice = nn.Sequential(nn.ReLU())
twice *= 3
print(names(twice), names(2 * twice))
named = nn.Sequential(OrderedDict(first=nn.ReLU(), second=nn.Tanh(), third=nn.ELU()))
print(named, named[1:], names(named), delete(named, 1))
print([name for name in dir(twice) if name.isdigit()])
for wrong in (lambda: net[9], lambda: net[-9], lambda: delete(net, 9), lambda: net.insert(9, nn.ReLU()),
              lambda: net + [nn.ReLU()], lambda: net * 1.5, lambda: net * 0,
              lambda: nn.Sequential("text"), lambda: put(net, 9, nn.ReLU())):
    print(said(wrong))

print("--- ModuleList")
layers = nn.ModuleList([nn.Linear(2, 2) for _ in range(3)])
print(layers, len(layers), layers[1:], layers[-1])
print(names(layers.append(nn.ReLU())), names(layers.extend(nn.ModuleList([nn.Tanh()]))))
layers.insert(1, nn.ELU())
print(names(layers), delete(layers, 0), delete(layers, slice(1, 3)), layers.pop(-1), names(layers))
layers += [nn.GELU(), nn.GELU()]
print(layers, names(layers + [nn.Tanh()]), put(layers, -1, nn.SELU()))
print(nn.ModuleList(), nn.ModuleList([nn.ReLU(), nn.ReLU(), nn.Tanh(), nn.Sequential(nn.ReLU())]))
for wrong in (lambda: layers[9], lambda: layers.extend(3), lambda: layers.append(3),
              lambda: layers(torch.ones(2)), lambda: layers["a"], lambda: put(layers, 0, 3)):
    print(str(said(wrong)).partition("\n")[0][:60])

print("--- ModuleDict")
ways = nn.ModuleDict({"a": nn.ReLU(), "b": nn.Tanh()})
print(ways, len(ways), "a" in ways, "c" in ways, [*ways], [*ways.keys()], [*ways.values()], [*ways.items()])
ways["c"] = nn.ELU()
ways.update([("d", nn.GELU()), ("a", nn.SELU())])
ways.update(nn.ModuleDict({"e": nn.CELU()}))
print(names(ways), ways.pop("b"), delete(ways, "c"))
ways.clear()
print(ways, len(ways))
for wrong in (lambda: ways["x"], lambda: ways.update(3), lambda: ways.update([("a",)]), lambda: ways.update([3]),
              lambda: ways.pop("x"), lambda: put(ways, "a", 3)):
    print(str(said(wrong)).partition(";")[0][:60])

print("--- ParameterList")
weights = nn.ParameterList([torch.ones(2), nn.Parameter(torch.zeros(1, 3)), "text"])
print(weights, len(weights), weights[0], weights[:2], weights[-1])
weights.append(torch.ones(1))
weights.extend([torch.zeros(2)])
weights += [3]
print(weights, [type(value).__name__ for value in weights], len([*weights.parameters()]))
weights[0] = torch.full((2,), 7.)
print(weights[0], [name for name, _ in weights.named_parameters()], [name for name in dir(weights) if name.isdigit()])
for wrong in (lambda: weights[9], lambda: weights.extend(torch.ones(2)), lambda: weights.extend(3)):
    print(str(said(wrong)).partition(",")[0][:60])

print("--- ParameterDict")
weights = nn.ParameterDict({"a": torch.ones(2), "b": nn.Parameter(torch.zeros(1, 3)), "c": "text"})
print(weights, len(weights), "a" in weights, "x" in weights, [*weights], [*reversed(weights)], [*weights.keys()])
print([*weights.values()], [*weights.items()], weights.get("a"), weights.get("x"), weights.get("x", 3))
print(weights.setdefault("d", torch.ones(1)), weights.setdefault("a"), weights.pop("a"), weights.popitem())
del weights["c"]
weights.update([("e", torch.ones(1)), ("f", torch.ones(1, 1))])
weights.update(nn.ParameterDict({"g": torch.zeros(1)}))
print([*weights], [*weights.copy()], [*weights.fromkeys(["x", "y"], torch.ones(1)).items()])
other = nn.ParameterDict({"b": torch.ones(1), "z": torch.ones(1)})
print([*(weights | other).items()], [*(other | weights)])
weights |= other
print([*weights], weights["b"])
weights.clear()
print(weights, len(weights))
for wrong in (lambda: weights.update([("a",)]), lambda: weights.update([3]),
              lambda: put(weights, 3, torch.ones(1)), lambda: weights["x"], lambda: weights[3],
              lambda: weights.pop("x"), lambda: nn.ParameterDict().popitem(), lambda: delete(weights, "x")):
    print(str(said(wrong)).partition(";")[0][:60])

print("--- others")
print(names(nn.Container(a=nn.ReLU(), b=nn.Tanh())))

print("--- the order of a ParameterDict")
PAIRS = [("b", torch.ones(1)), ("a", torch.zeros(1))]
for made in (dict(PAIRS), OrderedDict(PAIRS), PAIRS, nn.ParameterDict(PAIRS)):
    weights = nn.ParameterDict(made)
    weights.update({"z": torch.ones(1), "d": torch.ones(1)})
    print(list(weights), list(weights | {"y": torch.ones(1), "c": torch.ones(1)}))
