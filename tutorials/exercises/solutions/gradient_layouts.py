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
