"""Solutions of the exercises of "Find a nan"."""

# %% Solution: An entropy without a nan
import minigrad as torch


def entropy(p):
    positive = p > 0
    safe = torch.where(positive, p, 1)
    return -torch.where(positive, p * safe.log(), 0).sum()


# %% Solution: A column that never changes
import minigrad as torch


def standardize(x):
    centered = x - x.mean(0)
    variance = x.var(0)
    varies = variance > 0
    return torch.where(varies, centered / torch.where(varies, variance, 1).sqrt(), 0)


# %% Solution: A sum of exponentials
import minigrad as torch


def log_sum_exp(x):
    largest = x.max().detach()
    return (x - largest).exp().sum().log() + largest


# %% Project: 1
import minigrad as torch

beacons = torch.tensor([[0.0, 0.0], [4.0, 0.0], [0.0, 3.0]], dtype=torch.float64)
phone = torch.tensor([1.0, 2.0], dtype=torch.float64)


def locate(start, beacons):
    """Where the descent ends, its loss there, and the smallest distance from a beacon on the way."""
    measured = (phone - beacons).square().sum(dim=1).sqrt()
    place = torch.tensor(start, dtype=torch.float64, requires_grad=True)
    smallest = []
    for _ in range(60):
        place.grad = None
        distances = (place - beacons).square().sum(dim=1).sqrt()
        smallest.append(distances.min().item())
        loss = (distances - measured).square().mean()
        loss.backward()
        with torch.no_grad():
            place -= 0.5 * place.grad
    return place.detach(), loss.item(), min(smallest)


for start in [0.1, 0.1], [1e-9, 1e-9], [2.0, 0.0]:
    found, *_ = locate(start, beacons)
    assert torch.allclose(found, phone, atol=1e-6)
*_, smallest = locate([0.1, 0.1], beacons)
assert 0.14 < smallest < 0.142
assert locate([1e-200, 1e-200], beacons)[0].isnan().all()

found, loss, _ = locate([2.0, 0.0], beacons[:2])
assert found[1] == 0 and loss > 0.1


# %% Project: 2
import minigrad as torch

place = torch.zeros(2, requires_grad=True)
scores = torch.tensor([1000.0, 0.0], requires_grad=True)
squares = (place - torch.tensor([[0.0, 0.0], [4.0, 0.0]])).square().sum(dim=1)
powers = scores.exp()
sources = {
    "root": (squares.sqrt(), place),
    "branch": (torch.where(squares > 0, squares.sqrt(), 0.0), place),
    "logarithm": (-torch.softmax(scores, 0)[1].log(), scores),
    "overflow": ((powers / powers.sum())[0], scores),
}
for name, (result, leaf) in sources.items():
    gradient, = torch.autograd.grad(result.sum(), leaf, retain_graph=True)
    assert gradient.isnan().any() and not (gradient == float("nan")).any(), name
