"""Solutions of the exercises of "How to read an error"."""

# %% Solution: A loop that fails in its second round
import minigrad as torch


def train(readings, rate=0.1):
    gain = torch.tensor(0.3, requires_grad=True)
    estimate = readings[0]
    for reading in readings[1:]:
        estimate = estimate.detach()
        estimate = estimate + gain * (reading - estimate)
        loss = (estimate - 20) ** 2
        loss.backward()
        with torch.no_grad():
            gain -= rate * gain.grad
            gain.grad = None
    return gain, estimate


# %% Solution: A parameter that never gets a gradient
import minigrad as torch


def line(slope, start, times):
    return slope * times + start


def loss_of(slope, start, times, heights):
    differences = line(slope, start, times) - heights
    return differences.square().mean() + 0.001 * slope * slope


# %% Solution: Advice of your own
import minigrad as torch


def advise(program):
    try:
        program()
    except torch.MinigradError as problem:
        if problem.code == "MG102":
            return "compute it inside the loop"
        if problem.code == "MG105":
            return "use no_grad"
        raise


# %% Project: 1
import minigrad as torch
from minigrad import error_pages

codes = [name for name in error_pages.names() if name.startswith("MG")]
assert len(codes) > 80
for code in codes:
    assert "A program that fails" in error_pages.page(code) and "The cure" in error_pages.page(code), code

try:
    torch.arange(3).requires_grad_()
    raise AssertionError("This must be refused.")
except RuntimeError as problem:
    assert problem.code == "MG111"
counts = torch.arange(3).to(torch.float32).requires_grad_()
(counts * counts).sum().backward()
assert counts.grad.tolist() == [0, 2, 4]


# %% Project: 2
import minigrad as torch

x = torch.tensor([0.0, 1.0, 3.0], requires_grad=True)


def loss(write):
    rate = x.exp()
    rate = rate.clamp_(max=10) if write else rate.clamp(max=10)
    return rate.sum()


try:
    loss(write=True).backward()
    raise AssertionError("This must be refused.")
except RuntimeError as problem:
    assert problem.code == "MG101" and "ExpBackward0" in str(problem)
loss(write=False).backward()
assert torch.allclose(x.grad, torch.tensor([1.0, 2.7183, 0.0]), atol=1e-4)


# %% Project: 3
import minigrad as torch

times = torch.tensor([0.0, 1.0, 2.0])


def fit(broken):
    slope = torch.tensor(1.0, requires_grad=True)
    square = (slope * times - 2) ** 2
    loss = square if broken == "no mean" else square.mean().item() if broken == "a number" else square.mean()
    loss.backward()
    with torch.set_grad_enabled(broken == "no block"):
        slope -= 0.1 * slope.grad
    return slope


codes = {}
for broken in "no block", "no mean", "a number":
    try:
        fit(broken)
    except Exception as problem:
        codes[broken] = getattr(problem, "code", type(problem).__name__)
assert codes == {"no block": "MG105", "no mean": "MG104", "a number": "AttributeError"}
assert fit(None).is_leaf
