"""Solutions of the exercises of "In-place operations"."""

# %% Solution: What survives?
survives = {            # (argument, result)
    "tanh": (True, False),
    "cos": (False, True),
    "reciprocal": (True, False),
    "sigmoid": (True, False),
    "neg": (True, True),
}


# %% Solution: A normalization that cannot be differentiated
import minigrad as torch


def normalize(x, bias):
    squares = x * x
    length = squares.sum(1, keepdim=True).sqrt() + 0.1
    y = x / length
    y += bias
    return y


# %% Solution: A guard
import contextlib


@contextlib.contextmanager
def unchanged(*tensors):
    before = [tensor._version for tensor in tensors]
    yield
    for place, (tensor, version) in enumerate(zip(tensors, before)):
        if tensor._version != version:
            raise RuntimeError(f"tensor {place} was written to {tensor._version - version} times")


# %% Project: 1
import minigrad as torch

saved_bytes = torch.autograd.graph.saved_bytes
x = torch.randn(1_000_000, requires_grad=True)
assert saved_bytes(torch.log1p(torch.exp(x))).total == 4_000_000
assert saved_bytes(torch.log(torch.exp(x) + 1)).total == 8_000_000


# %% Project: 2
import minigrad as torch

data = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64)


def gradient(step):
    """That of both losses, with a step between the two passes."""
    weight = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
    square = weight * weight
    first, second = (square * data).sum(), (square - data).pow(2).sum()
    first.backward(retain_graph=True)
    step(weight)
    second.backward()
    assert weight._version == 0
    return weight.grad.item()


def hidden(weight):
    weight.data -= 0.1 * weight.grad


def noticed(weight):
    weight.detach().sub_(0.1 * weight.grad)


assert gradient(lambda weight: None) == 72
assert abs(gradient(hidden) - 14.4) < 1e-12
try:
    gradient(noticed)
    raise AssertionError("This must be refused.")
except RuntimeError as problem:
    assert problem.code == "MG101"


# %% Project: 3
import minigrad as torch

x = torch.tensor([0.0, 1.0], requires_grad=True)
w = torch.tensor([5.0, 6.0], requires_grad=True)
h = torch.exp(x)
loss = (3 * w + h).sum()
h.zero_()
assert h.grad_fn.name() == "ZeroBackward0"
assert torch.autograd.grad(loss, w, retain_graph=True)[0].tolist() == [3, 3]
try:
    torch.autograd.grad(loss, x)
    raise AssertionError("This must be refused.")
except RuntimeError as problem:
    assert problem.code == "MG101"
