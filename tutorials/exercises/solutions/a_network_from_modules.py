"""Solutions of the exercises of "A network from modules"."""

# %% Solution: A layer that scales
import minigrad as torch
from minigrad import nn


class Scale(nn.Module):
    def __init__(self):
        super().__init__()
        self.factor = nn.Parameter(torch.ones(()))

    def forward(self, x):
        return self.factor * x


# %% Solution: Shared parameters, named once
from minigrad import nn


class TinyModule:
    members: dict

    def __init__(self):
        self.__dict__["members"] = {}

    def __setattr__(self, name, value):
        if isinstance(value, (nn.Parameter, TinyModule)):
            self.members[name] = value
        object.__setattr__(self, name, value)

    def named_parameters(self, prefix="", seen=None):
        seen = set() if seen is None else seen
        for name, member in self.members.items():
            if isinstance(member, TinyModule):
                yield from member.named_parameters(f"{prefix}{name}.", seen)
            elif id(member) not in seen:
                seen.add(id(member))
                yield prefix + name, member


# %% Solution: Freeze and train
import minigrad as torch


def fine_tune(network, x, y, steps):
    network[:-1].requires_grad_(False)
    optimizer = torch.optim.SGD(network[-1].parameters(), lr=0.1)
    for _ in range(steps):
        optimizer.zero_grad()
        torch.nn.functional.mse_loss(network(x), y).backward()
        optimizer.step()
    network.requires_grad_(True)


# %% Project: 1
import minigrad as torch

layer = torch.nn.BatchNorm1d(128)
assert {name for name, _ in layer.named_buffers()} == {"running_mean", "running_var", "num_batches_tracked"}
with torch.no_grad():
    layer(torch.randn(4, 128))
assert layer.num_batches_tracked == 1
layer.eval()
layer(torch.randn(4, 128))
assert layer.num_batches_tracked == 1


# %% Project: 2
import minigrad as torch
from sklearn.datasets import load_digits

F = torch.nn.functional
digits = load_digits()
images = torch.tensor(digits.images.reshape(-1, 64) / 16, dtype=torch.float32)
labels = torch.tensor(digits.target)


def never_positive(rate, shown=images, epochs=5):
    """How many hidden units are positive for none of the images that are shown."""
    torch.manual_seed(0)
    hidden = torch.nn.Linear(64, 64)
    network = torch.nn.Sequential(hidden, torch.nn.ReLU(), torch.nn.Linear(64, 10))
    optimizer = torch.optim.SGD(network.parameters(), lr=rate, momentum=0.9)
    for _ in range(epochs):
        for batch in torch.randperm(len(images)).split(32):
            optimizer.zero_grad()
            F.cross_entropy(network(images[batch]), labels[batch]).backward()
            optimizer.step()
    kept = []
    hidden.register_forward_hook(lambda module, inputs, result: kept.append(result.detach()))
    with torch.no_grad():
        network(shown)
    return (kept[0] <= 0).all(0).sum().item()


assert 1 <= never_positive(0.05, epochs=0) <= never_positive(0.05) <= 12
assert never_positive(1.0) > 32
assert never_positive(0.05, images[:32]) > never_positive(0.05)
