"""Solutions of the exercises of "Reading digits"."""

# %% Solution: A softmax that does not overflow
import minigrad as torch


def log_probabilities(scores):
    shifted = scores - scores.max(1, keepdim=True).values
    return shifted - torch.log(torch.exp(shifted).sum(1, keepdim=True))


# %% Solution: Adam, by hand
import minigrad as torch


@torch.no_grad()
def step(parameters, state, rate=0.001):
    state["t"] = t = state.get("t", 0) + 1
    averages = state.setdefault("averages", [(torch.zeros_like(p), torch.zeros_like(p)) for p in parameters])
    for p, (mean, square) in zip(parameters, averages):
        mean.lerp_(p.grad, 0.1)
        square.lerp_(p.grad * p.grad, 0.001)
        p -= rate * (mean / (1 - 0.9**t)) / ((square / (1 - 0.999**t)).sqrt() + 1e-8)
        p.grad = None


# %% Solution: Fooling a classifier
import minigrad as torch


def fool(W, b, image, wanted):
    image = image.clone()
    while True:
        image.requires_grad_()
        scores = image @ W + b
        if scores.argmax() == wanted:
            return image.detach()
        gradient, = torch.autograd.grad(scores.max() - scores[wanted], image)
        image = image.detach() - 0.05 * gradient / gradient.norm()


# %% Project: 1
import minigrad as torch
from sklearn.datasets import load_digits

F = torch.nn.functional
digits = load_digits()
images = torch.tensor(digits.images.reshape(-1, 64) / 16, dtype=torch.float32)
labels = torch.tensor(digits.target)
order = torch.randperm(len(images), generator=torch.Generator().manual_seed(0))
held_out, training = order[:360], order[360:]


def right(*layers):
    """The share of the images that are read correctly after 30 epochs, of both groups."""
    network = torch.nn.Sequential(*layers)
    optimizer = torch.optim.SGD(network.parameters(), lr=0.05, momentum=0.9)
    for _ in range(30):
        for batch in training[torch.randperm(len(training))].split(32):
            optimizer.zero_grad()
            F.cross_entropy(network(images[batch]), labels[batch]).backward()
            optimizer.step()
    with torch.no_grad():
        correct = network(images).argmax(1) == labels
    return [correct[which].float().mean().item() for which in (training, held_out)]


torch.manual_seed(0)
Linear = torch.nn.Linear
learned, found = right(Linear(64, 10))
assert 0.97 < learned < 0.992 and 0.92 < found < 0.985
learned, found = right(Linear(64, 64), torch.nn.ReLU(), Linear(64, 10))
assert learned > 0.997 and 0.94 < found


# %% Project: 2
import math

import minigrad as torch

assert round(100 * math.sqrt(0.97 * 0.03 / 360), 1) == 0.9

torch.manual_seed(0)
chosen_by, held_out = (torch.rand(2, 200, 30, 360) < 0.97).float().mean(-1)
best = chosen_by.argmax(1, keepdim=True)
assert 0.985 < chosen_by.gather(1, best).mean() < 0.995
assert 0.968 < held_out.gather(1, best).mean() < 0.972


# %% Project: 3
import minigrad as torch
from sklearn.datasets import load_digits

F = torch.nn.functional
digits = load_digits()
images = torch.tensor(digits.images.reshape(-1, 64) / 16, dtype=torch.float32)
labels = torch.tensor(digits.target)
order = torch.randperm(len(images), generator=torch.Generator().manual_seed(0))
held_out, training = order[:360], order[360:]


def by_epoch(kind, **options):
    """The share of the held-out images that are read correctly, after each of 15 epochs."""
    torch.manual_seed(0)
    network = torch.nn.Sequential(torch.nn.Linear(64, 64), torch.nn.ReLU(), torch.nn.Linear(64, 10))
    optimizer, found = kind(network.parameters(), **options), []
    for _ in range(15):
        for batch in training[torch.randperm(len(training))].split(32):
            optimizer.zero_grad()
            F.cross_entropy(network(images[batch]), labels[batch]).backward()
            optimizer.step()
        with torch.no_grad():
            found.append((network(images[held_out]).argmax(1) == labels[held_out]).float().mean().item())
    return found


def epochs_for(share, found):
    return next(epoch for epoch, each in enumerate(found, 1) if each > share)


momentum = by_epoch(torch.optim.SGD, lr=0.05, momentum=0.9)
slow, quick = (by_epoch(torch.optim.Adam, lr=rate) for rate in (0.001, 0.01))
assert 0.4 < slow[0] < 0.8 < momentum[0] and 0.86 < quick[0]
assert epochs_for(0.94, quick) <= epochs_for(0.94, momentum) < epochs_for(0.94, slow)
assert all(0.92 < found[-1] < 0.995 for found in (momentum, slow, quick))


# %% Project: 4
import minigrad as torch
from sklearn.datasets import load_digits

F = torch.nn.functional
digits = load_digits()
images = torch.tensor(digits.images.reshape(-1, 64) / 16, dtype=torch.float32)
labels = torch.tensor(digits.target)
torch.manual_seed(0)
order = torch.randperm(len(images))
held_out, training = order[:360], order[360:]
network = torch.nn.Sequential(torch.nn.Linear(64, 64), torch.nn.ReLU(), torch.nn.Linear(64, 10))
optimizer = torch.optim.SGD(network.parameters(), lr=0.05, momentum=0.9)
for _ in range(8):
    for batch in training[torch.randperm(len(training))].split(32):
        optimizer.zero_grad()
        F.cross_entropy(network(images[batch]), labels[batch]).backward()
        optimizer.step()
network.requires_grad_(False)


def enough(image, wanted):
    """The length of the change after which the image is read as wanted, relative to the image's length."""
    changed = image
    for _ in range(400):
        changed = changed.detach().requires_grad_()
        scores = network(changed)
        if scores.argmax() == wanted:
            break
        gradient, = torch.autograd.grad(scores.max() - scores[wanted], changed)
        changed = changed - 0.02 * gradient / gradient.norm()
    return ((changed - image).norm() / image.norm()).item()


scores = network(images[held_out])
first, second = scores.topk(2).indices.T
wrong = (first != labels[held_out]).nonzero().flatten().tolist()
lengths = torch.tensor([enough(images[held_out[i]], labels[held_out[i]]) for i in wrong])
assert 5 <= len(wrong) <= 36 and lengths.max() < 0.3 and lengths.median() < 0.1
correct = torch.tensor([enough(images[held_out[i]], second[i]) for i in range(40) if i not in wrong])
assert lengths.median() < correct.median() < 0.25
