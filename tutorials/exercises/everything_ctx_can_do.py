"""Exercises of "What else ctx can do"."""

# %% Exercise: The largest entry and its place
# Write ``Largest``. For a vector it returns two outputs: the largest entry, and its position as a floating-point
# tensor. The position has no derivative, and must not require gradients.

# %% Starter
import minigrad as torch


class Largest(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ...

    @staticmethod
    def backward(ctx, value_bar, place_bar):
        ...


# %% Check
for numbers in ([1.0, 5.0, 3.0], [7.0, -2.0], [0.0, 1.0, 2.0, 3.0]):
    x = torch.tensor(numbers, dtype=torch.float64, requires_grad=True)
    outputs = Largest.apply(x)
    assert isinstance(outputs, tuple) and len(outputs) == 2, "forward must return a value and a place."
    value, place = outputs
    assert value.item() == max(numbers), "The first output must be the largest entry."
    assert place.item() == numbers.index(max(numbers)), "The second output must be the position of the largest entry."
    assert place.is_floating_point(), "The position must be a floating-point tensor."
    assert not place.requires_grad, "The position requires gradients: mark it as non-differentiable."
    (gradient,) = torch.autograd.grad(3 * value, x)
    assert gradient.shape == x.shape, f"The gradient has the shape {tuple(gradient.shape)}, not that of x."
    wanted = [3.0 * (number == max(numbers)) for number in numbers]
    assert gradient.tolist() != [w / 3 for w in wanted], "backward must multiply by the cotangent value_bar."
    assert gradient.tolist() == wanted, f"The gradient of 3 * value must be {wanted}, and yours is {gradient.tolist()}."

# %% Hint
# ``x.argmax()`` is the position, an integer. Save it, return it with ``.to(x.dtype)``, and mark what you return.

# %% Hint
# In ``backward`` start from zeros in the shape of ``x``, and put ``value_bar`` at one place. The shape may be kept on
# ``ctx`` as an attribute.


# %% Exercise: A ramp without memory of its own
# ``RampInPlace`` sets the negative entries of its argument to 0, in place, and returns the argument. Between the passes
# it keeps nothing but that tensor.

# %% Starter
import minigrad as torch


class RampInPlace(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ...

    @staticmethod
    def backward(ctx, y_bar):
        ...


# %% Check
leaf = torch.tensor([-2.0, -1.0, 3.0, 4.0], requires_grad=True)
x = leaf * 1
version = x._version
y = RampInPlace.apply(x)
assert y is x, "apply must return the very tensor that it was given: mark it as dirty, and return it."
assert x.tolist() == [0, 0, 3, 4], f"The argument must now be [0, 0, 3, 4], and is {x.tolist()}."
assert x._version > version, "The version has not grown: mark the argument as dirty."
saved = y.grad_fn.saved_tensors
assert len(saved) == 1 and saved[0].data_ptr() == x.data_ptr(), "Save the output, and nothing else."
(5 * y).sum().backward()
wanted = [0, 0, 5, 5]
assert leaf.grad.tolist() == wanted, f"The gradient must be {wanted}, and yours is {leaf.grad.tolist()}."
y = RampInPlace.apply(leaf * 1)
y += 1
try:
    y.sum().backward()
except RuntimeError:
    pass
else:
    raise AssertionError("Nobody noticed a later write to y: save it with save_for_backward.")

# %% Hint
# ``x.clamp_(min=0)`` writes in place. Mark and return ``x``, and save it *after* the write: it is the output by then.

# %% Hint
# The slope is 1 where the output is positive, and 0 elsewhere.


# %% Exercise: Running sums in a batch
# ``RunningSum`` adds up a vector with NumPy's ``cumsum``. Give it a rule for ``vmap`` that calls NumPy once for a whole
# batch, whatever axis the batch is on, and a ``backward``.

# %% Starter
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
        ...

    @staticmethod
    def vmap(info, in_dims, x):
        ...


# %% Check
x = torch.tensor([1.0, 2.0, 4.0], dtype=torch.float64, requires_grad=True)
weights = torch.tensor([1.0, 10.0, 100.0], dtype=torch.float64)
(gradient,) = torch.autograd.grad((weights * RunningSum.apply(x)).sum(), x)
assert gradient is not None, "backward returns nothing."
assert gradient.tolist() != [1, 11, 111], "backward sums from the wrong end: x[0] is in every output, x[2] in one."
assert gradient.tolist() == [111, 110, 100], f"The gradient must be [111, 110, 100], and is {gradient.tolist()}."

calls, cumsum = [], np.cumsum


def counted(*arguments, **keywords):
    calls.append(arguments)
    return cumsum(*arguments, **keywords)


np.cumsum = counted
try:
    for axis in (0, 1):
        calls.clear()
        batch = torch.arange(12.0, dtype=torch.float64).reshape(4, 3)
        batch = batch if axis == 0 else batch.mT
        result = torch.vmap(RunningSum.apply, in_dims=axis)(batch)
        rows = batch if axis == 0 else batch.mT
        assert result.shape == rows.shape, f"The results have the shape {tuple(result.shape)}, not {tuple(rows.shape)}."
        assert torch.equal(result, rows.cumsum(1)), f"With the batch along axis {axis} the sums are wrong."
        assert len(calls) == 1, f"NumPy was called {len(calls)} times for one batch."
finally:
    np.cumsum = cumsum

# %% Hint
# ``x[i]`` is part of every sum from ``i`` on. So its cotangent is a sum of cotangents from ``i`` to the end: reverse,
# add up, reverse again.

# %% Hint
# ``forward`` adds along the last axis, so move the batch to the front, and say that it is there: return the result and
# 0.


# %% Project: 1
# 10 points: 3 for ``forward``, 4 for ``backward``, 3 for the rule. The transform is linear, :math:`y = F x`, so
# ``backward`` multiplies by the conjugate transpose of :math:`F`. That is ``n * ifft(y_bar)``, and of it the real part
# if the signal is real. ``gradcheck`` passes for real and for complex signals. The rule moves the axis of the batch to
# the front and calls ``apply`` on all of them: for 5 signals ``forward`` runs once, on shape (5, 8). The usual mistakes
# are ``ifft`` without the factor :math:`n`, which ``gradcheck`` reports as 1/8 for 8 numbers, and ``fft`` of ``y_bar``,
# which multiplies by the transpose without the conjugate.


# %% Project: 2
# 10 points: 4 for ``jvp``, 3 for ``order``, 3 for the Jacobian. Sorting moves each entry, so its tangent moves along:
# ``tangent[order]``. Four things concern ``order``: it is marked as not differentiable in ``setup_context``, it is
# saved for ``backward`` and with ``save_for_forward`` for ``jvp``, and ``jvp`` returns ``None`` in its place.
# ``jacfwd`` calls the Function under ``vmap``, so it also needs a rule, or ``generate_vmap_rule = True``. For the three
# smallest squares of (3, -1, 2, 5) the Jacobian is (6, -2, 4, 0), as ``jacrev`` and ``grad`` say. The usual mistake is
# to return zeros as the tangent of ``order``, which PyTorch refuses: integers have none.


# %% Project: 3
# 10 points: 4 for ``forward`` with the number of steps marked as not differentiable, 6 for ``backward``.
# Differentiating :math:`x = \cos(w x)` gives :math:`dx/dw = -x \sin(wx) / (1 + w \sin(wx))`. At :math:`w = 1` the
# solution is 0.7391 and its derivative -0.2975.
