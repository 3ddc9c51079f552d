"""Solutions of the exercises of "Why backwards?"."""

# %% Solution: How many passes?
def by_differences(inputs, outputs):
    return 2 * inputs


def by_backward_passes(inputs, outputs):
    return outputs


# %% Solution: Forwards, by hand
import math


def forwards(x1, x2, d1, d2):
    product, rate = x1 * x2, d1 * x2 + x1 * d2
    return math.sin(product), math.cos(product) * rate


# %% Solution: A judge
import minigrad as torch


def check(f, *inputs):
    gradients = torch.autograd.grad(f(*inputs), inputs)
    for k, (x, gradient) in enumerate(zip(inputs, gradients)):
        for i in range(x.numel()):
            step = torch.zeros_like(x)
            step.view(-1)[i] = 1e-6
            with torch.no_grad():
                ahead, behind = (f(*inputs[:k], x + sign * step, *inputs[k + 1:]) for sign in (1, -1))
            difference = (ahead - behind).item() / 2e-6
            if abs(gradient.view(-1)[i].item() - difference) > 1e-4 * max(1.0, abs(difference)):
                return False
    return True


# %% Project: 1
import math

speed, angle, g = 9.0, 0.5, 9.81
right = 2 * speed ** 2 * math.cos(2 * angle) / g


def lands_at(theta):
    return speed * speed * math.sin(2 * theta) / g


def worst_near(h, behind):
    """The largest relative error of the difference for steps near h; behind is 0 for the one-sided one."""
    found = []
    for k in range(20):
        step = h * 1.02 ** k
        measured = (lands_at(angle + step) - lands_at(angle - behind * step)) / ((1 + behind) * step)
        found.append(abs(measured - right) / right)
    return max(found)


one, two = ({k: worst_near(10.0 ** -k, behind) for k in range(1, 15)} for behind in (0, 1))
assert min(one, key=one.get) in (7, 8) and 1e-9 < min(one.values()) < 2e-7
assert min(two, key=two.get) in (4, 5, 6) and 1e-12 < min(two.values()) < 1e-9
assert 8 < one[3] / one[4] < 12 and 80 < two[2] / two[3] < 120


# %% Project: 2
import time

import minigrad as torch


def bumpy(x):
    return torch.sin(x[1:] * x[:-1]).sum()


def seconds(compute):
    times = []
    for _ in range(6):
        begun = time.thread_time()
        compute()
        times.append(time.thread_time() - begun)
    return min(times)


without, both = [], []
for count in 1_000, 1_000_000:
    x = torch.randn(count, dtype=torch.float64)
    without.append(seconds(lambda: bumpy(x)))
    x.requires_grad_()
    both.append(seconds(lambda: bumpy(x).backward()))
assert without[1] > 50 * without[0] and both[1] > 50 * both[0]
assert both[0] > 1.2 * without[0] and without[1] < both[1] < 40 * without[1]
