"""
A network from modules
======================

In :doc:`/tutorials/first_gradients/reading_digits` a network was a function, and its parameters were a list that we
passed around. That is all a network is. But four tensors soon become four hundred, and somebody has to remember which
is which. A *module* is the usual answer: an object that is called like a function and keeps its parameters under names.

We read the same digits again, and write the main pieces twice: by hand, and with ``nn`` and ``optim``. You will see
that both compute the same, and know afterwards what a module does for you.

You need the training loop of :doc:`/tutorials/first_gradients/reading_digits`.

After this page you can write a module with parameters of its own, and train it with an optimizer.
"""

# %%
# The problem
# -----------
#
# Here are the digits. As before, a fifth of them is held out.

import math

import matplotlib.pyplot as plt
from sklearn.datasets import load_digits

import minigrad as torch
from minigrad import nn
from minigrad.teaching import expect_error

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
# Why is ``layer.weight = nn.Parameter(...)`` enough to give a layer a parameter? The object must notice the
# assignment. Python lets a class define what an assignment to an attribute does, in ``__setattr__``, and that is the
# whole trick. Here it is in a few lines. (A ``Parameter`` is a tensor that requires a gradient and is known by its
# class. The dictionary itself is put into ``__dict__``, where ``__setattr__`` is not called.)


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
# ``nn.Module`` does the same with more care: it refuses to replace a parameter by a plain tensor, it counts a
# parameter only once if two layers share it, and it keeps a third kind of member, *buffers*, which belong to the
# state of a network but are not learned.
#
# The network
# -----------
#
# A module computes in its method ``forward``. You do not call that but the module itself, ``network(x)``: it runs
# ``forward``, and whatever has been registered to run before and after it.


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
# By hand it is a single line. ``nn.Linear`` stores its weight with the shape (outputs, inputs), hence the transposes:


def by_hand(x, W1, b1, W2, b2):
    return torch.relu(x @ W1.T + b1) @ W2.T + b2


x = images[training[:5]]
assert torch.allclose(network(x), by_hand(x, *network.parameters()), atol=1e-6)

# %%
# When a layer is made, its weights are drawn at random. ``nn.Linear`` draws from the interval :math:`(-1/\sqrt{n},
# 1/\sqrt{n})`, where :math:`n` is the number of inputs: large enough for the units to differ, and small enough for
# their sums to stay of moderate size.

largest = network.hidden.weight.abs().max().item()
print(f"largest weight: {largest:.4f}, of at most {1 / math.sqrt(64)}")
assert largest <= 1 / math.sqrt(64)

# %%
# The optimizer
# -------------
#
# An optimizer holds the parameters, and ``step`` changes them, just as we did by hand. ``SGD`` is gradient descent, on
# batches that are drawn at random. Here are ten steps of it with momentum, both ways, from the same start:

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
# ``optimizer.zero_grad()`` resets the parameters that the optimizer was given. A module has the same method for all of
# its own parameters, for a loop without an optimizer, or with one that holds only a part of them. Each ``.grad``
# becomes ``None``, or zeros after ``set_to_none=False``. Without a reset the second pass is added to the first:


# teaches: Module.zero_grad
def pass_backwards():
    F.cross_entropy(network(images[training[:5]]), labels[training[:5]]).backward()
    return network.out.weight.grad.clone()


network.zero_grad()
print("after the reset:", network.out.weight.grad)
once, twice = pass_backwards(), pass_backwards()
print(f"two passes: {(twice.norm() / once.norm()).item():.1f} times the gradient of one")
network.zero_grad()
again = pass_backwards()
network.zero_grad(set_to_none=False)
print("zeros instead of None:", not network.out.weight.grad.any())
assert torch.allclose(twice, 2 * once) and torch.allclose(again, once)

# %%
# Training
# --------
#
# With a module and an optimizer, a training loop contains only what matters: for each batch the loss, its gradient
# and a step.


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
# Now we make two changes that would take a page by hand. ``Dropout`` sets half of the hidden units to 0 at random, but
# only in training. ``Adam`` divides the step of each parameter by the typical size of its gradient. ``Sequential``
# calls its modules one after the other, so this network needs no class of its own, and ``ReLU`` is the module that
# calls ``relu``.

torch.manual_seed(0)
wider = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Dropout(0.5), nn.Linear(128, 10))
other = train(wider, torch.optim.Adam(wider.parameters(), lr=3e-3), 15)
print(f"wider, with dropout and Adam: {other[-1]:.1%} right")
assert other[-1] > 0.95

# alt: The share of held-out images that are read correctly, over 15 epochs, for two networks. Both lines rise steeply
#      in the first three epochs and end between 95 and 97 %.
# sphinx_gallery_start_ignore
figure, axes = plt.subplots(figsize=(6.4, 3.2), layout="constrained")
axes.plot(history, "-", linewidth=2, label="Network, SGD")
axes.plot(other, "--", linewidth=2, label="wider, dropout, Adam")
axes.set(xlabel="epoch", ylabel="held-out images right")
axes.legend(frameon=False)
axes.grid(alpha=0.3)
# sphinx_gallery_end_ignore
plt.show()

# %%
# ``train()`` and ``eval()`` tell a module, and all modules inside it, whether the network is being trained or used.
# In evaluation mode dropout does nothing:

wider.eval()
assert torch.equal(wider(x), wider(x))
wider.train()
assert not torch.equal(wider(x), wider(x))

# %%
# Saving and loading
# ------------------
#
# The names also make it possible to save a network. Its *state dict* is a dictionary from names to tensors:

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
# **Keeping layers in a list.** A list is not a module, so assigning one registers nothing: its layers compute, but
# are never trained. ``nn.ModuleList`` is a list that registers its members.


class Forgetful(nn.Module):
    def __init__(self, layers):
        super().__init__()
        self.layers = layers


layers = [nn.Linear(2, 2) for _ in range(3)]
print(len(list(Forgetful(layers).parameters())), "parameters in a list,",
      len(list(Forgetful(nn.ModuleList(layers)).parameters())), "in a ModuleList")

# %%
# **Taking** ``eval`` **for a switch of recording.** It changes what dropout computes. The result is recorded as before:

wider.eval()
print("after eval(), recorded:", wider(x).requires_grad)
assert wider(x).requires_grad

# %%
# **Replacing a parameter by a tensor.** The tensor would never be trained, so the assignment is refused:

with expect_error(TypeError):
    network.out.bias = torch.zeros(10)  # type: ignore

# %%
# **Loading the state of another network.** The error lists everything that does not fit:

with expect_error(RuntimeError):
    network.load_state_dict(wider.state_dict())

# %%
# Summary
# -------
#
# - A module registers parameters, buffers and modules when they are assigned to its attributes.
# - ``network(x)`` runs ``forward``; an optimizer receives ``network.parameters()``.
# - ``train`` and ``eval`` change what layers such as dropout compute. They do not switch recording on or off.
# - A state dict maps names to tensors, and is what you save.
#
# Exercises
# ---------
#
# Projects
# --------
#
# 1. Put ``nn.BatchNorm1d(128)`` after the first layer of ``wider``. Which entries of its state dict are buffers, and
#    when do they change?
# 2. Call ``network.hidden`` alone, on all images. How many of the 64 units are never positive, for any of them?
