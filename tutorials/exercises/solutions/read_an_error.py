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


def make():
    torch.manual_seed(0)
    return torch.randn(3).double().requires_grad_()


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
