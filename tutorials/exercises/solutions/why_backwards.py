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
