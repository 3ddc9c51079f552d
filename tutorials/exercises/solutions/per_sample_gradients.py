"""Solutions of the exercises of "Per-sample gradients"."""

# %% Solution: The lengths without the gradients
import minigrad as torch


def lengths(x, z_bar):
    return x.norm(dim=1) * z_bar.norm(dim=1)


# %% Solution: Products of different ranks
import minigrad as torch


class Mapped:
    def __init__(self, payload):
        self.payload = payload

    def sum(self, dim):
        return Mapped(self.payload.sum(dim + 1))

    def with_axes(self, rank):
        shape = tuple(self.payload.shape)
        return self.payload.reshape(shape[:1] + (1,) * (rank - len(shape)) + shape[1:])

    def __mul__(self, other):
        rank = max(self.payload.ndim, other.payload.ndim)
        return Mapped(self.with_axes(rank) * other.with_axes(rank))


# %% Solution: Which examples work against this one?
import minigrad as torch


def alignments(losses, parameters, direction):
    return torch.func.jvp(losses, (parameters,), (direction,))[1]


# %% Project: 1
import math

from sklearn.datasets import load_digits

import minigrad as torch

torch.manual_seed(0)
digits = load_digits()
pixels = torch.tensor(digits.images.reshape(-1, 64) / 16, dtype=torch.float32)
training = torch.randperm(len(pixels))[360:]
images, targets = pixels[training], torch.tensor(digits.target)[training]
start = {"W1": torch.randn(64, 32) * math.sqrt(2 / 64), "b1": torch.zeros(32),
         "W2": torch.randn(32, 10) * math.sqrt(1 / 32), "b2": torch.zeros(10)}
wrong = torch.zeros(len(images), dtype=torch.bool)
wrong[torch.randperm(len(images))[:144]] = True
targets[wrong] = (targets[wrong] + torch.randint(1, 10, (144,))) % 10


def loss(parameters, x, target):
    h = torch.relu(x @ parameters["W1"] + parameters["b1"])
    return torch.nn.functional.cross_entropy(h @ parameters["W2"] + parameters["b2"], target)


def pull(parameters, x, target):
    gradient = torch.func.grad(loss)(parameters, x, target)
    return torch.stack([g.square().sum() for g in gradient.values()]).sum().sqrt()


def found_after(epochs):
    """How many of the 144 with the longest gradient, and with the largest loss, have a wrong label."""
    torch.manual_seed(1)
    parameters = start
    for _ in range(epochs):
        for batch in torch.randperm(len(images)).split(64):
            g = torch.func.grad(loss)(parameters, images[batch], targets[batch])
            parameters = {name: p - 0.5 * g[name] for name, p in parameters.items()}
    for measure in pull, loss:
        each = torch.vmap(measure, (None, 0, 0))(parameters, images, targets)
        yield wrong[each.argsort(descending=True)[:144]].sum().item()


assert all(count < 25 for count in found_after(0))
by_pull, by_loss = found_after(5)
assert 110 < by_pull < 130 and 120 < by_loss < 140
assert all(count < 110 for count in found_after(200))


# %% Project: 2
import math

from sklearn.datasets import load_digits

import minigrad as torch

torch.manual_seed(0)
digits = load_digits()
pixels = torch.tensor(digits.images.reshape(-1, 64) / 16, dtype=torch.float32)
labels = torch.tensor(digits.target)
order = torch.randperm(len(pixels))
held_out, training = order[:360], order[360:]
start = {"W1": torch.randn(64, 32) * math.sqrt(2 / 64), "b1": torch.zeros(32),
         "W2": torch.randn(32, 10) * math.sqrt(1 / 32), "b2": torch.zeros(10)}
steps, rate = round(20 * len(training) / 64), 64 / len(training)


def scores(parameters, x):
    return torch.relu(x @ parameters["W1"] + parameters["b1"]) @ parameters["W2"] + parameters["b2"]


def loss(parameters, x, target):
    return torch.nn.functional.cross_entropy(scores(parameters, x), target)


def clipped(parameters, x, target):
    gradient = torch.func.grad(loss)(parameters, x, target)
    length = torch.stack([g.square().sum() for g in gradient.values()]).sum().sqrt()
    return {name: g * torch.clamp(1 / length, max=1) for name, g in gradient.items()}


def right(sigma):
    torch.manual_seed(1)
    parameters = start
    for _ in range(steps):
        batch = training[torch.rand(len(training)) < rate]
        each = torch.vmap(clipped, (None, 0, 0))(parameters, pixels[batch], labels[batch])
        noisy = {name: g.sum(0) + sigma * torch.randn_like(g[0]) for name, g in each.items()}
        parameters = {name: p - 0.5 * noisy[name] / 64 for name, p in parameters.items()}
    return (scores(parameters, pixels[held_out]).argmax(1) == labels[held_out]).float().mean().item()


def epsilon(sigma, delta=1e-4):
    """The least over the orders of the Rényi divergence."""
    def of_order(a):
        terms = [math.log(math.comb(a, k)) + (a - k) * math.log1p(-rate) + k * math.log(rate)
                 + k * (k - 1) / (2 * sigma ** 2) for k in range(a + 1)]
        most = max(terms)
        divergence = (most + math.log(sum(math.exp(term - most) for term in terms))) / (a - 1)
        return steps * divergence - math.log(delta) / (a - 1)

    return min(of_order(a) for a in range(2, 200))


assert steps == 449
assert 0.7 < right(4.0) < 0.9 and 0.12 < right(16.0) < 0.45
assert [float(f"{epsilon(sigma):.2g}") for sigma in (1.0, 4.0, 8.0, 16.0)] == [7.0, 1.1, 0.52, 0.26]


# %% Project: 3
import minigrad as torch


class Softplus(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return torch.relu(x) + torch.log1p(torch.exp(-x.abs()))

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, y_bar):
        (x,) = ctx.saved_tensors
        return y_bar * torch.sigmoid(x)


class WithoutFlag(Softplus):
    generate_vmap_rule = False


class Together(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return Softplus.forward(x)

    backward = Softplus.backward


def said(function, x):
    try:
        torch.vmap(torch.func.grad(lambda x: function.apply(x).sum()))(x)
    except RuntimeError as error:
        return str(error)


x = torch.randn(5, 3, dtype=torch.float64)
slopes = torch.vmap(torch.func.grad(lambda x: Softplus.apply(x).sum()))(x)
assert torch.allclose(slopes, torch.sigmoid(x))
assert torch.allclose(torch.func.grad(lambda x: WithoutFlag.apply(x).sum())(x), torch.sigmoid(x))
assert "setup_context" in said(Together, x) and "generate_vmap_rule=True" in said(WithoutFlag, x)
