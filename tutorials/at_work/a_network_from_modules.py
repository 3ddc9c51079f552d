"""
A network from modules
======================

In :doc:`/tutorials/first_gradients/reading_digits` a network was a function, and its parameters a list that we passed
around. That is all a network is. But a list of four tensors grows into a list of four hundred, and somebody has to
know which is which. A *module* is the usual answer: an object that keeps its parameters under names, and that is
called like a function.

We read the same digits again, and write each piece twice: by hand, and with ``nn`` and ``optim``. The two must agree to
the last digit.
"""

# %%
# The problem
# -----------
#
# Here are the digits, a fifth of them held out, as before.

import math

import matplotlib.pyplot as plt
from sklearn.datasets import load_digits

import minigrad as torch
from minigrad import nn

F = nn.functional
torch.manual_seed(1797)

digits = load_digits()
images = torch.tensor(digits.images.reshape(-1, 64) / 16, dtype=torch.float32)
labels = torch.tensor(digits.target)
order = torch.randperm(len(images))
held_out, training = order[:360], order[360:]

# %%
# The idea
# --------
#
# How can ``layer.weight = nn.Parameter(...)`` be enough? The object must notice the assignment. Python lets a class
# define what an assignment to an attribute does, and that is the whole trick. Here it is in a dozen lines:


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


class TinyLinear(TinyModule):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(outputs, inputs))
        self.bias = nn.Parameter(torch.zeros(outputs))


class TinyNetwork(TinyModule):
    def __init__(self):
        super().__init__()
        self.hidden = TinyLinear(64, 64)
        self.out = TinyLinear(64, 10)


for name, parameter in TinyNetwork().named_parameters():
    print(f"{name:15}{tuple(parameter.shape)}")

# %%
# ``nn.Module`` does the same, with more care: it refuses a plain tensor where a parameter was, it counts a parameter
# that two layers share once, and it keeps a third kind of member, *buffers*, which belong to the state of a network
# and are not learned.
#
# The network
# -----------
#
# A module computes in ``forward``. It is called like a function, ``network(x)``; the call runs ``forward``, and hooks
# around it if there are any.


# teaches: Module.parameters
class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(64, 64)
        self.out = nn.Linear(64, 10)

    def forward(self, x):
        return self.out(torch.relu(self.hidden(x)))


network = Network()
print(network)
print(sum(p.numel() for p in network.parameters()), "parameters")

# %%
# By hand it is one line with matrices. ``nn.Linear`` keeps its weight as (outputs, inputs), so the line has a
# transpose in it:


def by_hand(x, W1, b1, W2, b2):
    return torch.relu(x @ W1.T + b1) @ W2.T + b2


x = images[training[:5]]
assert torch.allclose(network(x), by_hand(x, *network.parameters()), atol=1e-6)

# %%
# The first weights are drawn at random when a layer is made. ``nn.Linear`` draws from the interval
# :math:`(-1/\sqrt{n}, 1/\sqrt{n})`, where :math:`n` is the number of inputs: enough that units differ, and little
# enough that nothing saturates.

largest = network.hidden.weight.abs().max().item()
print(f"largest weight: {largest:.4f}, of at most {1 / math.sqrt(64)}")
assert largest <= 1 / math.sqrt(64)

# %%
# The optimizer
# -------------
#
# An optimizer holds the parameters and changes them when ``step`` is called. What it does is what we did by hand:
# here is one step of gradient descent with momentum, both ways, from the same start.

# teaches: Module.parameters, Optimizer.zero_grad
rate, momentum = 0.05, 0.9
twin = Network()
twin.load_state_dict(network.state_dict())
optimizer = torch.optim.SGD(network.parameters(), lr=rate, momentum=momentum)
velocities = [torch.zeros_like(p) for p in twin.parameters()]

for batch in training[:320].split(32):
    # with nn and optim
    optimizer.zero_grad()
    F.cross_entropy(network(images[batch]), labels[batch]).backward()
    optimizer.step()

    # by hand
    for p in twin.parameters():
        p.grad = None
    F.cross_entropy(by_hand(images[batch], *twin.parameters()), labels[batch]).backward()
    with torch.no_grad():
        for p, u in zip(twin.parameters(), velocities):
            u.mul_(momentum).add_(p.grad)
            p.sub_(rate * u)

pairs = zip(network.parameters(), twin.parameters())
farthest = max((a - b).abs().max().item() for a, b in pairs)
print(f"after ten steps no parameter differs by more than {farthest:.0e}")
assert farthest < 1e-5

# %%
# Training
# --------
#
# With these two, a training loop says only what matters: for each batch the loss, its gradient, a step.


def accuracy(network, which):
    with torch.no_grad():
        return (network(images[which]).argmax(1) == labels[which]).float().mean().item()


def train(network, optimizer, epochs):
    history = []
    for _ in range(epochs):
        network.train()
        for batch in training[torch.randperm(len(training))].split(32):
            optimizer.zero_grad()
            loss = F.cross_entropy(network(images[batch]), labels[batch])
            loss.backward()
            optimizer.step()
        network.eval()
        history.append(accuracy(network, held_out))
    return history


history = train(network, optimizer, 15)
print(f"held-out images: {history[-1]:.1%} right")
assert history[-1] > 0.95

# %%
# Now for a change that would have taken a page by hand. *Dropout* sets half of the hidden units to 0 at random, in
# training only; *Adam* divides each step by the usual size of that parameter's gradient. ``Sequential`` calls its
# modules one after the other, so this network needs no class.

torch.manual_seed(0)
wider = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Dropout(0.5), nn.Linear(128, 10))
other = train(wider, torch.optim.Adam(wider.parameters(), lr=3e-3), 15)
print(f"wider, with dropout and Adam: {other[-1]:.1%} right")
assert other[-1] > 0.95

figure, axes = plt.subplots(figsize=(6.4, 3.2), layout="constrained")
axes.plot(history, "-", linewidth=2, label="Network, SGD")
axes.plot(other, "--", linewidth=2, label="wider, dropout, Adam")
axes.set(xlabel="epoch", ylabel="held-out images right")
axes.legend(frameon=False)
axes.grid(alpha=0.3)
plt.show()

# %%
# ``train()`` and ``eval()`` tell all modules below which of the two it is. In evaluation, dropout does nothing:

wider.eval()
assert torch.equal(wider(x), wider(x))
wider.train()
assert not torch.equal(wider(x), wider(x))

# %%
# Its state
# ---------
#
# The names make a network something that can be saved. Its *state dict* is a dictionary from names to tensors.

for name, tensor in network.state_dict().items():
    print(f"{name:15}{tuple(tensor.shape)}")

again = Network()
print(again.load_state_dict(network.state_dict()))
assert accuracy(again, held_out) == history[-1]

# %%
# What goes wrong
# ---------------
#
# Most mistakes with modules are about what is registered and what is not.
#
# A list of layers is not a module, and assigning a list registers nothing: the layers compute, and are never learned.
# ``nn.ModuleList`` is a list that registers what is in it.


class Forgetful(nn.Module):
    def __init__(self, layers):
        super().__init__()
        self.layers = layers


layers = [nn.Linear(2, 2) for _ in range(3)]
print(len(list(Forgetful(layers).parameters())), "parameters in a list,",
      len(list(Forgetful(nn.ModuleList(layers)).parameters())), "in a ModuleList")

# %%
# A plain tensor in place of a parameter is refused, since it would never be learned:

from minigrad.teaching import expect_error

with expect_error(TypeError):
    network.out.bias = torch.zeros(10)

# %%
# The state dict of another network is refused as a whole, with a list of what does not fit:

with expect_error(RuntimeError):
    network.load_state_dict(wider.state_dict())

# %%
# Summary
# -------
#
# - A module registers parameters, buffers and modules that are assigned to its attributes, under their names.
# - ``network(x)`` runs ``forward``, and hooks around it; ``parameters()`` is what an optimizer is given.
# - ``train`` and ``eval`` tell layers such as dropout which of the two it is. They switch no recording on or off.
# - A state dict maps names to tensors. It is what one saves.
#
# Exercises
# ---------
#
# Projects
# --------
#
# 1. Put ``nn.BatchNorm1d(128)`` behind the first layer of ``wider``. Which of its state-dict entries are buffers, and
#    when do they change?
# 2. Register a forward hook on ``network.hidden`` that keeps its result. How many of the 64 units are positive for no
#    image at all?
