"""Solutions of the exercises of "Checkpointing: memory for time"."""

# %% Solution: Leave out the last one
import minigrad as torch


def checkpoint(segment, h):
    return torch.utils.checkpoint.checkpoint(segment, h, use_reentrant=False)


def run(layers, length, h):
    for i in range(0, len(layers), length):
        def segment(h, part=layers[i:i + length]):
            for layer in part:
                h = layer(h)
            return h

        h = segment(h) if i + length >= len(layers) else checkpoint(segment, h)
    return h


# %% Solution: Several inputs
import minigrad as torch


class Checkpoint(torch.autograd.Function):
    @staticmethod
    def forward(ctx, segment, *inputs):
        ctx.segment = segment
        ctx.save_for_backward(*inputs)
        return segment(*inputs)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, gradient):
        inputs = [h.detach().requires_grad_(h.requires_grad) for h in ctx.saved_tensors]
        with torch.enable_grad():
            result = ctx.segment(*inputs)
        torch.autograd.backward(result, gradient)
        return None, *[h.grad for h in inputs]


# %% Solution: Notice a weight that has changed
import minigrad as torch


class Careful(torch.autograd.Function):
    @staticmethod
    def forward(ctx, segment, h, *weights):
        ctx.segment = segment
        ctx.save_for_backward(h, *weights)
        return segment(h, *weights)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, gradient):
        copies = [tensor.detach().requires_grad_() for tensor in ctx.saved_tensors]
        with torch.enable_grad():
            result = ctx.segment(*copies)
        return None, *torch.autograd.grad(result, copies, gradient)


# %% Project: 1
fewest = min((1000 / k + k / m + m, k, m) for k in range(1, 1001) for m in range(1, k + 1))
assert fewest == (30.0, 100, 10)
assert 63 < min(1000 / k + k for k in range(1, 1001)) < 64


# %% Project: 2
from itertools import accumulate

widths = [8 * 64 ** (i / 63) for i in range(64)]
below = [0, *accumulate(widths)]


def memory(cuts):
    """The inputs that are kept and the largest segment, with a cut before each of these layers."""
    segments = zip([0, *cuts], [*cuts, 64])
    return sum(widths[cut - 1] for cut in cuts) + max(below[b] - below[a] for a, b in segments)


def best_within(largest):
    """The cuts that keep least, if no segment is larger than this."""
    kept = [(0, [])]
    for end in range(1, 65):
        starts = [a for a in range(end) if below[end] - below[a] <= largest]
        kept.append(min((kept[a][0] + (widths[a - 1] if a else 0), kept[a][1] + [a] * bool(a)) for a in starts))
    return kept[64][1]


assert round(memory([])) == 7898
assert round(min(memory(range(k, 64, k)) for k in range(1, 64))) == round(memory(range(6, 64, 6))) == 3192
cuts = min((best_within(largest) for largest in range(520, 2000, 5)), key=memory)
lengths = [b - a for a, b in zip([0, *cuts], [*cuts, 64])]
sums = [below[b] - below[a] for a, b in zip([0, *cuts], [*cuts, 64])]
assert 2670 < memory(cuts) < 2690 and len(lengths) == 6
assert lengths == sorted(lengths, reverse=True) and lengths[0] > 20 and lengths[-1] < 5
assert max(sums[1:]) < 1.1 * min(sums[1:])


# %% Project: 3
import minigrad as torch

hooks = torch.autograd.graph.saved_tensors_hooks
torch.manual_seed(0)
weights = [(torch.randn(8, 8) / 3).requires_grad_() for _ in range(12)]
data, runs = torch.randn(5, 8), []


def segment(first):
    def run(h):
        runs.append(first)
        for weight in weights[first:first + 4]:
            h = torch.tanh(h @ weight)
        return h
    return run


def checkpoint(segment, h):
    numbers, again = iter(range(1000)), []

    def keep(tensor):
        again.append(tensor.detach())
        return tensor

    def unpack(number):
        if not again:
            with torch.enable_grad(), hooks(keep, lambda tensor: tensor):
                segment(h.detach().requires_grad_(h.requires_grad))
        return again[number]

    with hooks(lambda tensor: next(numbers), unpack):
        return segment(h)


def gradients(through):
    h = data
    for first in 0, 4, 8:
        h = through(segment(first), h)
    return torch.autograd.grad(h.sum(), weights)


plain = gradients(lambda segment, h: segment(h))
runs.clear()
assert all(map(torch.equal, gradients(checkpoint), plain))
assert runs == [0, 4, 8, 8, 4, 0]
