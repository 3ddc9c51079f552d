"""Solutions of the exercises of "Gradient layouts"."""

# %% Solution: Is it dense?
def dense(shape, strides):
    expected = 1
    for stride, size in sorted((stride, size) for stride, size in zip(strides, shape) if size != 1):
        if stride != expected:
            return False
        expected *= size
    return True


# %% Solution: One tensor for all gradients
import minigrad as torch


def attach(parameters):
    flat = torch.zeros(sum(p.numel() for p in parameters))
    begin = 0
    for p in parameters:
        p.grad = flat[begin:begin + p.numel()].view_as(p)
        begin += p.numel()
    return flat


# %% Solution: The norms of the last passes
import minigrad as torch


class History:
    def __init__(self, parameter):
        self.parameter, self.gradients = parameter, []

    def remember(self):
        self.gradients.append(self.parameter.grad.detach().clone())


# %% Project: 1
import time

import minigrad as torch


def seconds(p, g):
    times = []
    for _ in range(5):
        start = time.perf_counter()
        p.add_(g, alpha=-0.1)
        times.append(time.perf_counter() - start)
    return min(times)


p, alike = torch.ones(2000, 2000), torch.ones(2000, 2000)
other = torch.ones(2000, 2000).t()
assert p.stride() == alike.stride() != other.stride()
assert seconds(p, other) > 2 * seconds(p, alike)


# %% Project: 2
import minigrad as torch


def same_layout(a, b):
    return a.shape == b.shape and all(size == 1 or first == second
                                      for size, first, second in zip(a.shape, a.stride(), b.stride()))


def gradient_of(parameter):
    parameter = parameter.detach().requires_grad_()
    (parameter * 2).sum().backward()
    return parameter.grad


odd, gaps = torch.ones(12).as_strided((3, 1, 4), (4, 7, 1)), torch.ones(3, 8)[:, ::2]
assert gradient_of(odd).stride() == (4, 4, 1) and same_layout(odd, gradient_of(odd))
assert gradient_of(gaps).stride() == (4, 1) and not same_layout(gaps, gradient_of(gaps))
for parameter in (torch.ones(()), torch.ones(1, 5).t(), torch.ones(2, 3, 4, 5).permute(2, 0, 3, 1),
                  torch.ones(2, 3, 4, 5).to(memory_format=torch.channels_last)):
    assert same_layout(parameter, gradient_of(parameter))
assert not same_layout(torch.ones(3, 3), torch.ones(3, 3).t()) and not same_layout(torch.ones(3), torch.ones(1, 3))
