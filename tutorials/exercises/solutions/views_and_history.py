"""Solutions of the exercises of "Views and history"."""

# %% Solution: View or copy?
shares = {
    "y.t()": True, "y[1]": True, "y[[0, 2]]": False, "y[y > 3]": False, "y.reshape(2, 6)": True,
    "y.t().reshape(12)": False, "y.expand(2, 3, 4)": True, "y.repeat(2, 1)": False, "y.diagonal()": True,
    "y.contiguous()": True, "y.clone()": False,
}


# %% Solution: Binomial coefficients from a corner
import minigrad as torch


def binomials(corner, rows):
    c = torch.zeros(rows, rows)
    c[:, 0] = corner
    for n in range(1, rows):
        c[n, 1:] = c[n - 1, :-1] + c[n - 1, 1:]
    return c


# %% Solution: A diagonal of ones
import minigrad as torch


def with_ones(A):
    B = A.clone()
    B.diagonal().fill_(1)
    return B


# %% Project: 1
import minigrad as torch


def gradient(copied):
    x = torch.tensor([2.0, 3.0], requires_grad=True)
    y = x * x
    y[0].mul_(2)
    y[1].mul_(y[0].clone() if copied else y[0])
    y.sum().backward()
    return x.grad.tolist()


try:
    gradient(copied=False)
    raised = False
except RuntimeError as problem:
    raised = "modified by an inplace operation" in str(problem)
assert raised
assert gradient(copied=True) == [80.0, 48.0]


# %% Project: 2
import time

import minigrad as torch

a = torch.tensor(0.7, dtype=torch.float64, requires_grad=True)


def smooth_with_last(a, series):
    y = torch.zeros(len(series), dtype=torch.float64)
    y[0] = last = series[0]
    for i in range(1, len(series)):
        last = a * last + (1 - a) * series[i]
        y[i] = last
    return y


def smooth_with_stack(a, series):
    values = [series[0]]
    for new in series[1:]:
        values.append(a * values[-1] + (1 - a) * new)
    return torch.stack(values)


def seconds(smooth, length):
    """The least times of a forward and a backward pass, and the gradient."""
    series, forward, backward = torch.linspace(0, 1, length, dtype=torch.float64), [], []
    for _ in range(3):
        begun = time.thread_time()
        y = smooth(a, series).sum()
        between = time.thread_time()
        slope, = torch.autograd.grad(y, a)
        forward.append(between - begun)
        backward.append(time.thread_time() - between)
    return min(forward), min(backward), slope


_, short, _ = seconds(smooth_with_last, 500)
forward, backward, by_last = seconds(smooth_with_last, 4000)
stacked_forward, stacked_backward, by_stack = seconds(smooth_with_stack, 4000)
assert torch.allclose(by_last, by_stack)
assert 0.7 * stacked_forward < forward < 10 * stacked_forward
assert 1.2 * stacked_backward < backward < 40 * stacked_backward and backward < 40 * short


# %% Project: 3
import minigrad as torch

b = torch.zeros(3)
v = b[1:]
s = torch.sin(v)
b.copy_(torch.ones(3, requires_grad=True))
assert v.requires_grad and not s.requires_grad
