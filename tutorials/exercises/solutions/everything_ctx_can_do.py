"""Solutions of the exercises of "Everything ctx can do"."""

# %% Solution: The largest entry and its place
import minigrad as torch


class Largest(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        index = x.argmax()
        place = index.to(x.dtype)
        ctx.mark_non_differentiable(place)
        ctx.save_for_backward(index)
        ctx.shape = x.shape
        return x[index].clone(), place

    @staticmethod
    def backward(ctx, value_bar, place_bar):
        (index,) = ctx.saved_tensors
        x_bar = torch.zeros(ctx.shape, dtype=value_bar.dtype)
        x_bar[index] = value_bar
        return x_bar


# %% Solution: A ramp without memory of its own
import minigrad as torch


class RampInPlace(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        x.clamp_(min=0)
        ctx.save_for_backward(x)
        return x

    @staticmethod
    def backward(ctx, y_bar):
        (y,) = ctx.saved_tensors
        return y_bar * (y > 0)


# %% Solution: Running sums in a batch
import numpy as np

import minigrad as torch


class RunningSum(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return torch.from_numpy(np.cumsum(x.detach().numpy(), axis=-1))

    @staticmethod
    def setup_context(ctx, inputs, output):
        pass

    @staticmethod
    def backward(ctx, y_bar):
        return y_bar.flip(-1).cumsum(-1).flip(-1)

    @staticmethod
    def vmap(info, in_dims, x):
        return RunningSum.apply(x.movedim(in_dims[0], 0)), 0


# %% Project: 1
import minigrad as torch
import numpy as np

shapes = []


class Fourier(torch.autograd.Function):
    @staticmethod
    def forward(x):
        shapes.append(tuple(x.shape))
        return torch.from_numpy(np.fft.fft(x.detach().numpy()))

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.real = not inputs[0].is_complex()

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, y_bar):
        x_bar = torch.from_numpy(y_bar.shape[-1] * np.fft.ifft(y_bar.resolve_conj().numpy()))
        return x_bar.real if ctx.real else x_bar

    @staticmethod
    def vmap(info, in_dims, x):
        return Fourier.apply(x.movedim(in_dims[0], 0)), 0


torch.manual_seed(0)
for dtype in torch.float64, torch.complex128:
    x = torch.randn(8, dtype=dtype, requires_grad=True)
    assert torch.autograd.gradcheck(Fourier.apply, x)

shapes.clear()
signals = torch.randn(8, 5, dtype=torch.float64)
found = torch.vmap(Fourier.apply, in_dims=1)(signals)
assert shapes == [(5, 8)]
assert torch.allclose(found, torch.from_numpy(np.fft.fft(signals.numpy().T)))


class WithoutFactor(Fourier):
    @staticmethod
    def backward(ctx, y_bar):
        return Fourier.backward(ctx, y_bar) / y_bar.shape[-1]


try:
    torch.autograd.gradcheck(WithoutFactor.apply, torch.randn(8, dtype=torch.float64, requires_grad=True))
    raise AssertionError("This must be refused.")
except RuntimeError as problem:
    assert "every entry is 0.125 times" in str(problem)


# %% Project: 2
import minigrad as torch


class Sort(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return tuple(x.sort())

    @staticmethod
    def setup_context(ctx, inputs, output):
        _, order = output
        ctx.mark_non_differentiable(order)
        ctx.save_for_backward(order)
        ctx.save_for_forward(order)

    @staticmethod
    def backward(ctx, values_bar, order_bar):
        (order,) = ctx.saved_tensors
        return torch.zeros_like(values_bar).index_add(0, order, values_bar)

    @staticmethod
    def jvp(ctx, tangent):
        (order,) = ctx.saved_tensors
        return tangent[order], None


def trimmed(errors):
    smallest, _ = Sort.apply(errors ** 2)
    return smallest[:3].sum()


errors = torch.tensor([3.0, -1.0, 2.0, 5.0], dtype=torch.float64)
for differentiate in torch.func.jacfwd, torch.func.jacrev, torch.func.grad:
    assert differentiate(trimmed)(errors).tolist() == [6, -2, 4, 0]


# %% Project: 3
import math

import minigrad as torch

x = 0.5
for _ in range(200):
    x = math.cos(x)
slope = -x * math.sin(x) / (1 + math.sin(x))
assert (round(x, 4), round(slope, 4)) == (0.7391, -0.2975)
w = torch.tensor(1.0, dtype=torch.float64, requires_grad=True)
y = torch.tensor(0.5, dtype=torch.float64)
for _ in range(200):
    y = torch.cos(w * y)
(followed,) = torch.autograd.grad(y, w)
assert abs(followed.item() - slope) < 1e-12
