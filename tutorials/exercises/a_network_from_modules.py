"""Exercises of "A network from modules"."""

# %% Exercise: A layer that scales
# Write a module ``Scale`` with one parameter, ``factor``, which starts at 1 and multiplies the input.

# %% Starter
from minigrad import nn


class Scale(nn.Module):
    ...


# %% Check
import minigrad as torch

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 4), Scale(), nn.Linear(4, 1))
names = [name for name, _ in net.named_parameters()]
assert "1.factor" in names, f"The parameter must be registered as factor; the network has {names}."
x = torch.randn(5, 3)
assert torch.allclose(net[1](x), x), "At first the factor is 1."
net(x).sum().backward()
assert net[1].factor.grad is not None, "The factor gets no gradient."
assert net[1].factor.numel() == 1, "There is one factor for all."
with torch.no_grad():
    net[1].factor.fill_(3)
assert torch.allclose(net[1](x), 3 * x), "With the factor 3 the result is 3 times the input."
copied = nn.Sequential(nn.Linear(3, 4), Scale(), nn.Linear(4, 1))
copied.load_state_dict(net.state_dict())
assert torch.equal(copied(x), net(x)), "The state dict must carry the factor along."

# %% Hint
# ``super().__init__()`` first, then ``self.factor = nn.Parameter(...)``.


# %% Exercise: Shared parameters, named once
# ``TinyModule`` of the page yields twice a parameter that two layers share. Write ``named_parameters`` so that it
# yields each parameter once, under the first of its names.

# %% Starter
from minigrad import nn


class TinyModule:
    members: dict

    def __init__(self):
        self.__dict__["members"] = {}

    def __setattr__(self, name, value):
        if isinstance(value, (nn.Parameter, TinyModule)):
            self.members[name] = value
        object.__setattr__(self, name, value)

    def named_parameters(self, prefix=""):
        for name, member in self.members.items():
            if isinstance(member, TinyModule):
                yield from member.named_parameters(f"{prefix}{name}.")
            else:
                yield prefix + name, member


# %% Check
import minigrad as torch

shared = nn.Parameter(torch.ones(2))


class Layer(TinyModule):
    def __init__(self, weight):
        super().__init__()
        self.weight = weight
        self.bias = nn.Parameter(torch.zeros(2))


class Pair(TinyModule):
    def __init__(self):
        super().__init__()
        self.first = Layer(shared)
        self.second = Layer(shared)
        self.again = self.second.bias


names = [name for name, _ in Pair().named_parameters()]
assert len(names) == 3, f"There are three different parameters, and you yield {names}."
assert names == ["first.weight", "first.bias", "second.bias"], f"Each comes under its first name, not {names}."
assert [name for name, _ in Pair().named_parameters("net.")][0] == "net.first.weight", "The prefix is lost."

# %% Hint
# Hand a set of what has been seen down to the members. Tensors are compared by ``id``, or by ``is``, never by ``==``.


# %% Exercise: Freeze and train
# ``fine_tune(network, x, y, steps)`` trains the *last* module of a ``Sequential`` only, with SGD at a rate of 0.1 and
# the mean squared error, and leaves all other parameters as they are. Afterwards every parameter requires grad again.

# %% Starter
import minigrad as torch


def fine_tune(network, x, y, steps):
    ...


# %% Check
torch.manual_seed(0)
network = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh(), torch.nn.Linear(4, 1))
x, y = torch.randn(20, 3), torch.randn(20, 1)
before = [p.detach().clone() for p in network.parameters()]
loss_before = torch.nn.functional.mse_loss(network(x), y).item()
fine_tune(network, x, y, 20)
moved = [not torch.equal(p, q) for p, q in zip(network.parameters(), before)]
assert moved[2:] == [True, True], "The last layer has not moved."
assert moved[:2] == [False, False], "The first layer has moved."
assert torch.nn.functional.mse_loss(network(x), y).item() < loss_before, "The loss has not fallen."
features = torch.tanh(x @ before[0].T + before[1])
weight, bias = before[2:]
for _ in range(20):
    z_bar = 2 * (features @ weight.T + bias - y) / len(y)
    weight, bias = weight - 0.1 * z_bar.T @ features, bias - 0.1 * z_bar.sum(0)
assert torch.allclose(network[2].weight, weight, atol=1e-4) and torch.allclose(network[2].bias, bias, atol=1e-4), \
    "The last layer is not where 20 steps of SGD at a rate of 0.1 lead: is each gradient cleared before the next?"
assert all(p.requires_grad for p in network.parameters()), "Every parameter must require grad again."
assert network[0].weight.grad is None, "No gradient should have been computed for what is frozen."

# %% Hint
# ``network[0].requires_grad_(False)`` freezes a module; an optimizer may be given the parameters of a part.


# %% Project: 1
# 4 points: 2 for the entries, 2 for when they change. ``running_mean``, ``running_var`` and ``num_batches_tracked`` are
# buffers. They change with each forward pass in ``train()`` mode, also under ``no_grad``, and not in ``eval()`` mode.


# %% Project: 2
# 10 points: 3 for calling the module, under ``no_grad`` or with a detached result; 3 for a count over all images,
# before the ``relu`` and after the training; 4 for an explanation. With a rate of 0.05 it is between 1 and 12 of the
# 64. Some of them are like that before the training: no pixel is negative, so a unit with mostly negative weights has
# a negative sum for each image. With a rate of 1 it is more than half: a step too long makes a unit negative for all
# images, and then it has no gradient and stays so. The usual mistake is to look at one batch of 32 images, for which
# more units are never positive.
