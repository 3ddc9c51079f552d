"""
What else ctx can do
====================

A ``Function`` tells autograd about itself through its context, ``ctx``: what it will need later, what it has written
to, what has no derivative. On this page you learn to write Functions with several outputs, with outputs that cannot be
differentiated, and with arguments that are changed in place. The :doc:`reference </reference/autograd>` has the rest.

You need Functions, from :doc:`your_own_function`, and versions, from
:doc:`/tutorials/in_place/in_place_operations`.

After this page you can write a Function with several outputs, and one that writes to its argument.
"""

# %%
# The problem
# -----------
#
# Twenty measurements lie on a line, except for four, where the instrument failed:

import contextlib
import gc
import io
import warnings
import weakref

import matplotlib.pyplot as plt
import numpy as np

import minigrad as torch
from minigrad.teaching import expect_error, expect_warning

torch.set_default_dtype(torch.float64)
torch.manual_seed(0)

times = torch.linspace(0, 1, 20)
readings = 1 + 2 * times + 0.05 * torch.randn(20)
failed = [3, 8, 14, 19]
readings[failed] += torch.tensor([4.0, -5.0, 6.0, -7.0])

# %%
# Least squares would bend the line towards the four. A *trimmed* loss sorts the squared errors and adds up only the
# smallest sixteen. So we need a sort that can be differentiated, and since we would like to know which measurements
# were left out, it should return the order too.
#
# Sorting moves each entry to another place. In the backward pass each cotangent must move back to where its entry
# came from: if ``values[i]`` is ``x[order[i]]``, then ``values_bar[i]`` belongs to ``x_bar[order[i]]``.
# ``index_add_(0, places, entries)`` adds entries at given places along axis 0; a place that is named twice receives
# both. And the order is a list of positions: when ``x`` changes a little, it does not change at all. It has no
# derivative to speak of, and we say so:


# teaches: FunctionCtx.mark_non_differentiable, Tensor.sort, Tensor.index_add_
class Sort(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        values, order = x.sort()
        ctx.mark_non_differentiable(order)
        ctx.save_for_backward(order)
        return values, order

    @staticmethod
    def backward(ctx, values_bar, order_bar):
        (order,) = ctx.saved_tensors
        cotangents.append(order_bar)
        return torch.zeros_like(values_bar).index_add_(0, order, values_bar)


cotangents = []
x = torch.tensor([3.0, 1.0, 2.0], requires_grad=True)
values, order = Sort.apply(x)
values.backward(torch.tensor([10.0, 20.0, 30.0]))
print("values", values.detach(), "order", order, "gradient", x.grad)
print("requires grad:", values.requires_grad, order.requires_grad)

assert x.grad.tolist() == [30, 10, 20] and not order.requires_grad
assert torch.autograd.gradcheck(lambda x: Sort.apply(x)[0], x)

# %%
# A Function with two outputs has a ``backward`` that receives two cotangents, one for each output. It does so even
# for the output that we have marked, and what arrives there is zeros:

print(cotangents[0])
assert cotangents[0].shape == order.shape and not cotangents[0].any()

# %%
# Now the line. A few hundred steps with the trimmed loss, and the order tells which readings were left out at the
# end.


def fit(loss):
    line = torch.zeros(2, requires_grad=True)
    for _ in range(2000):
        misses = line[0] + line[1] * times - readings
        (slope,) = torch.autograd.grad(loss(misses), line)
        with torch.no_grad():
            line -= 0.02 * slope
    return line.detach()


def trimmed(errors):
    smallest, _ = Sort.apply(errors ** 2)
    return smallest[:16].sum()


plain, robust = fit(lambda errors: (errors ** 2).sum()), fit(trimmed)
_, order = Sort.apply((robust[0] + robust[1] * times - readings) ** 2)
print(f"least squares: {plain[0]:.2f} + {plain[1]:.2f} t")
left_out = sorted(order[16:].tolist())
print(f"trimmed:       {robust[0]:.2f} + {robust[1]:.2f} t, without {left_out}")
assert left_out == failed
assert (robust - torch.tensor([1.0, 2.0])).abs().max() < 0.1

# alt: Twenty readings as grey dots, sixteen of them along a line from 1 to 3, four far above or below it. The line of
#      the trimmed loss goes through the sixteen. That of least squares, dashed, is drawn towards the four.
# sphinx_gallery_start_ignore
figure, axes = plt.subplots(figsize=(6.4, 3.4), layout="constrained")
axes.plot(times.numpy(), readings.numpy(), "o", color="gray", label="readings")
for line, style, label in (plain, "--", "least squares"), (robust, "-", "trimmed"):
    axes.plot(times.numpy(), (line[0] + line[1] * times).numpy(), style, label=label)
axes.set(xlabel="time", ylabel="reading")
axes.legend(frameon=False)
axes.grid(alpha=0.3)
# sphinx_gallery_end_ignore
plt.show()

# %%
# .. folded:: Where the mark makes a difference
#
# Integers are never differentiable, so for ``order`` the mark changes nothing: it is a matter of clarity. It matters
# for outputs in floating point, such as ranks, or the number of iterations that a solver took. Without the mark they
# require gradients, and the backward pass runs for nothing.


class Ranks(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, mark):
        ranks = x.argsort().argsort().to(x.dtype)
        if mark:
            ctx.mark_non_differentiable(ranks)
        return ranks

    @staticmethod
    def backward(ctx, ranks_bar):
        return torch.zeros_like(ranks_bar), None


for mark in False, True:
    ranks = Ranks.apply(x, mark)
    print("marked:", mark, " requires grad:", ranks.requires_grad)
    assert ranks.requires_grad is not mark

# %%
# Outputs that nobody used
# ------------------------
#
# Mean and spread of a sample are often needed together, and share work. But a loss may use only one of them. The
# other then has no cotangent; by default ``backward`` receives zeros in its place, and computes with them as with
# anything else. After ``set_materialize_grads(False)`` it receives ``None``, and can leave out the work:


# teaches: FunctionCtx.set_materialize_grads
class MeanAndVariance(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, materialize):
        if not materialize:                 # True is the default
            ctx.set_materialize_grads(False)
        ctx.save_for_backward(x)
        return x.mean(), x.var(correction=0)

    @staticmethod
    def backward(ctx, mean_bar, variance_bar):
        (x,) = ctx.saved_tensors
        print("mean_bar", mean_bar, " variance_bar", variance_bar)
        x_bar = torch.zeros_like(x)
        if mean_bar is not None:
            x_bar += mean_bar / x.numel()
        if variance_bar is not None:
            x_bar = x_bar + variance_bar * 2 * (x - x.mean()) / x.numel()
        return x_bar, None


for materialize in True, False:
    mean, variance = MeanAndVariance.apply(x, materialize)
    (gradient,) = torch.autograd.grad(variance, x)
    assert torch.allclose(gradient, 2 * (x - x.mean()) / 3)

# %%
# Both branches must be right, so check each: with both outputs, and with each alone.

with contextlib.redirect_stdout(io.StringIO()):            # backward prints at every call
    for outputs in slice(0, 2), slice(0, 1), slice(1, 2):
        assert torch.autograd.gradcheck(
            lambda x, outputs=outputs: MeanAndVariance.apply(x, False)[outputs], x
        )
print("right, whichever outputs are used")

# %%
# Inputs that need nothing
# ------------------------
#
# The other way round, some *inputs* may not require gradients. ``ctx.needs_input_grad`` has a truth value for each
# argument of ``forward``. A product of matrices costs as much as the forward pass for each of its two cotangents, so
# it pays to ask:


class MatrixProduct(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a @ b

    @staticmethod
    def backward(ctx, y_bar):
        a, b = ctx.saved_tensors
        print("needed:", ctx.needs_input_grad)
        a_bar = y_bar @ b.mT if ctx.needs_input_grad[0] else None
        b_bar = a.mT @ y_bar if ctx.needs_input_grad[1] else None
        return a_bar, b_bar


data, weight = torch.randn(4, 3), torch.randn(3, 2, requires_grad=True)
MatrixProduct.apply(data, weight).sum().backward()
assert torch.allclose(weight.grad, data.mT @ torch.ones(4, 2))

# %%
# Arguments that are written to
# -----------------------------
#
# Sometimes ``forward`` writes into its argument, to save memory, or because a library does. ``mark_dirty`` tells
# autograd which arguments these are, and ``forward`` must return them. It does not matter whether the mark comes
# before the write or after it. The tensor is then the output, and the node is its new history:


# teaches: FunctionCtx.mark_dirty
class DoubleInPlace(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        memory = x.numpy()
        memory *= 2
        return x

    @staticmethod
    def backward(ctx, y_bar):
        return 2 * y_bar


a = torch.tensor([3.0], requires_grad=True)
b = a * 1
y = DoubleInPlace.apply(b)
print(y is b, type(b.grad_fn).__name__, b)
y.sum().backward()
print("gradient", a.grad)
assert y is b and a.grad.item() == 2

# %%
# Why does that have to be said? NumPy does not know about versions. If ``b`` had been saved by an earlier operation,
# that operation would now find wrong numbers. Thanks to the mark, the version has grown, and autograd notices:

b = a * 1
square = b * b
DoubleInPlace.apply(b)
with expect_error(RuntimeError):
    square.backward()

# %%
# The same write, with the mark behind it, is noticed just as well:


class MarksAfterwards(DoubleInPlace):
    @staticmethod
    def forward(ctx, x):
        memory = x.numpy()
        memory *= 2
        ctx.mark_dirty(x)
        return x


b = a * 1
square = b * b
MarksAfterwards.apply(b)
with expect_error(RuntimeError):
    square.backward()

# %%
# Without the mark nobody notices. The derivative of :math:`b^2` at 3 is 6, and what comes out is 12, because ``b`` is
# 6 by the time it is read. Neither minigrad nor PyTorch can see a write by NumPy.


class Unmarked(DoubleInPlace):
    @staticmethod
    def forward(ctx, x):
        memory = x.numpy()
        memory *= 2
        return x


a.grad = None
b = a * 1
square = b * b
Unmarked.apply(b)
square.backward()
print("gradient", a.grad, "though it should be 6")
assert a.grad.item() == 12

# %%
# A write by an operation of minigrad is at least seen: ``apply`` warns and names the line, and a pass that needs the
# old value is refused. (PyTorch does the latter alone.)


class UnmarkedOperation(DoubleInPlace):
    @staticmethod
    def forward(ctx, x):
        return x.mul_(2)


b = a * 1
square = b * b
with expect_warning(UserWarning):
    UnmarkedOperation.apply(b)
with expect_error(RuntimeError):
    square.backward()

# %%
# A forward without ctx
# ---------------------
#
# ``forward`` can be written as an ordinary function, with the work on ``ctx`` in a method of its own,
# ``setup_context(ctx, inputs, output)``. Everything that ``ctx`` offers may be called there. The Functions of
# ``torch.func`` and ``vmap`` need this form, because they run ``forward`` on tensors of their own kind before they
# know what to save.
#
# Below is :math:`x y^n`, with its formula under its other name, ``vjp``. (``backward`` and ``vjp`` are two names for
# one method; give one of them.) For an argument that is not a tensor, ``None`` is saved and returned.


# teaches: Function.setup_context, Function.vjp
class TimesPower(torch.autograd.Function):
    @staticmethod
    def forward(x, y, n):
        return x * y ** n

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, y, n = inputs
        ctx.n = n
        ctx.save_for_backward(x, None, y)

    @staticmethod
    def vjp(ctx, z_bar):
        x, nothing, y = ctx.saved_tensors
        assert nothing is None
        return z_bar * y ** ctx.n, z_bar * x * ctx.n * y ** (ctx.n - 1), None

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = torch.tensor([3.0, 4.0], requires_grad=True)
print(torch.autograd.grad(TimesPower.apply(x, y, 2).sum(), (x, y)))

# %%
# .. folded:: The marks, in setup_context
#
# The marks go with the rest. An argument that ``forward`` wrote to is ``inputs[0]`` in ``setup_context``, and is
# marked there. The sort from above has nothing to say about its order, so it marks it, and does without the zeros:


class DoubleApart(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return x.mul_(2)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.mark_dirty(inputs[0])

    @staticmethod
    def backward(ctx, y_bar):
        return 2 * y_bar


class SortApart(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return tuple(x.sort())

    @staticmethod
    def setup_context(ctx, inputs, output):
        _, order = output
        ctx.mark_non_differentiable(order)
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(order)

    @staticmethod
    def backward(ctx, values_bar, order_bar):
        (order,) = ctx.saved_tensors
        print("order_bar:", order_bar)
        return torch.zeros_like(values_bar).index_add_(0, order, values_bar)


a.grad = None
b = a * 1
doubled = DoubleApart.apply(b)
doubled.sum().backward()
print("the same tensor:", doubled is b, " gradient", a.grad)
assert doubled is b and a.grad.item() == 2

unsorted = torch.tensor([3.0, 1.0, 2.0], requires_grad=True)
values, order = SortApart.apply(unsorted)
values.backward(torch.tensor([10.0, 20.0, 30.0]))
print("order requires grad:", order.requires_grad, " gradient", unsorted.grad)
assert not order.requires_grad and unsorted.grad.tolist() == [30, 10, 20]

# %%
# A batch of calls
# ----------------
#
# ``torch.vmap`` runs a function on a whole batch at once, as if it were called on each example. For a Function it
# needs to know how. If ``forward`` and ``backward`` are made of tensor operations, let it find out by itself:


class Scale(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return x / x.sum()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, y_bar):
        (x,) = ctx.saved_tensors
        total = x.sum()
        return y_bar / total - (y_bar * x).sum() / total ** 2


batch = torch.rand(5, 3) + 1
# teaches: torch.vmap
scaled = torch.vmap(Scale.apply)(batch)
print(scaled.sum(1))
assert torch.allclose(scaled, batch / batch.sum(1, keepdim=True))

# %%
# If ``forward`` leaves the tensors, nobody can look inside, and you write the rule. The static method ``vmap``
# receives the batch: ``info.batch_size``, for each input the axis along which it is batched (``None`` if it is the
# same for all), and the inputs themselves. It returns the result and the axis of its batch. NumPy's ``inv`` takes
# stacks of matrices, so one call is enough:


# teaches: Function.vmap
class Inverse(torch.autograd.Function):
    @staticmethod
    def forward(matrix):
        shapes.append(tuple(matrix.shape))
        return torch.from_numpy(np.linalg.inv(matrix.detach().numpy()))

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(output)

    @staticmethod
    def backward(ctx, y_bar):
        (y,) = ctx.saved_tensors
        return -y.mT @ y_bar @ y.mT

    @staticmethod
    def vmap(info, in_dims, matrix):
        stack = matrix.movedim(in_dims[0], 0)
        return Inverse.apply(stack), 0


shapes = []
matrices = (torch.randn(3, 3, 5) + 3 * torch.eye(3).unsqueeze(2)).requires_grad_()
inverses = torch.vmap(Inverse.apply, in_dims=2)(matrices)
print("forward ran on", shapes)
assert shapes == [(5, 3, 3)]
for i in range(5):
    assert torch.allclose(inverses[i] @ matrices[:, :, i], torch.eye(3), atol=1e-9)
inverses.sum().backward()
print("gradient of shape", tuple(matrices.grad.shape))

# %%
# What goes wrong
# ---------------
#
# A mark that is missing or too much is noticed, and so is a tensor that is kept in the wrong place.
#
# .. folded:: The list
#
# **Calling forward.** ``forward`` is called by ``apply``. Called directly it is just a function: it makes no node.

direct = TimesPower.forward(x, y, 2)
print("apply:", type(TimesPower.apply(x, y, 2).grad_fn).__name__)
print("forward:", type(direct.grad_fn).__name__)      # what was recorded inside
assert type(direct.grad_fn).__name__ == "MulBackward0"

# %%
# **Saving twice, or what is not a tensor.** ``save_for_backward`` must be called once, in ``forward`` or
# ``setup_context``, with all the tensors. In PyTorch a second call silently replaces what the first one has saved;
# here it is refused.


class Saving(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, save):
        save(ctx, x)
        return x * 2

    @staticmethod
    def backward(ctx, y_bar):
        return 2 * y_bar, None


def keep(ctx, x):
    ctx.save_for_backward(x)


def twice(ctx, x):
    ctx.save_for_backward(x)
    ctx.save_for_backward(x * 2)


with expect_error(RuntimeError):
    Saving.apply(x, twice)
with expect_error(TypeError):
    Saving.apply(x, lambda ctx, x: ctx.save_for_backward(3))

# %%
# The same rule holds for the other methods: one call, with everything, before ``forward`` has returned. In PyTorch a
# second call replaces the first, and a late one does nothing, so a mark that you rely on is silently missing. Here
# each of them is an error.


def call_twice(method):
    def save(ctx, x):
        getattr(ctx, method)(x)
        getattr(ctx, method)(x)
    return save


node = Saving.apply(x, keep).grad_fn
for method in "mark_dirty", "mark_non_differentiable", "save_for_forward":
    with expect_error(RuntimeError):
        Saving.apply(x, call_twice(method))
    with expect_error(RuntimeError):
        getattr(node, method)(x)
with expect_error(TypeError):
    Saving.apply(x, lambda ctx, x: ctx.save_for_forward(3))

# %%
# **Keeping a tensor as an attribute.** ``ctx.n = n`` is right for what is not a tensor. For a tensor it has three
# drawbacks: nobody compares versions, a function that packs saved tensors (part E) does not see it, and an output
# refers to its node, which refers to the output. Such a pair stays in memory until the garbage collector comes by.
#
# An attribute that ``forward`` has *computed* does harm too: it has no history. Below, ``w`` is :math:`x y`, kept to
# save a multiplication. The first derivative is right. In the second, ``w`` counts as a constant, and what depends on
# it is missing. minigrad warns of it when ``backward`` is recorded, which is left out here; in PyTorch only
# ``gradgradcheck`` finds this trap.


class KeepsProduct(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.w = x * y
        ctx.save_for_backward(x, y)
        return ctx.w * y

    @staticmethod
    def backward(ctx, z_bar):
        x, y = ctx.saved_tensors
        return z_bar * y * y, 2 * z_bar * ctx.w


with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    first = torch.autograd.gradcheck(KeepsProduct.apply, (x, y), raise_exception=False)
    second = torch.autograd.gradgradcheck(
        KeepsProduct.apply, (x, y), raise_exception=False
    )
print("first derivative right:", first, " second:", second)
assert first and not second

# %%
# Save an output as an attribute, and watch it survive its last reference. (``expect_warning`` prints the warning and
# goes on.)


class KeepsOutput(Saving):
    @staticmethod
    def forward(ctx, x, attribute):
        y = x * 2
        if attribute:
            ctx.y = y
        else:
            ctx.save_for_backward(y)
        return y


def outlives_its_last_reference(attribute):
    y = KeepsOutput.apply(x, attribute)
    watch = weakref.ref(y)
    del y
    return watch() is not None


gc.disable()
with expect_warning():
    leaked = outlives_its_last_reference(attribute=True)
freed = not outlives_its_last_reference(attribute=False)
gc.enable()
print("as an attribute it lives on:", leaked, " saved, it is freed:", freed)
assert leaked and freed

# %%
# **A mark without a return.** What is marked as dirty must be returned. Otherwise nothing after it would know that it
# has a new history.


class Swallows(DoubleInPlace):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        return x * 2


with expect_error(RuntimeError):
    Swallows.apply(a * 1)

# %%
# And what is marked must be an argument. A tensor that ``forward`` has made itself has no history to lose, so the
# mark says nothing; most often it is a slip of names.


class MarksItsResult(DoubleInPlace):
    @staticmethod
    def forward(ctx, x):
        y = x * 2
        ctx.mark_dirty(y)
        return y


with expect_warning():
    MarksItsResult.apply(a * 1)

# %%
# Summary
# -------
#
# - ``backward`` takes one cotangent per output and returns one per argument of ``forward``, ``None`` for what is not
#   a tensor or not in ``needs_input_grad``.
# - ``mark_non_differentiable`` is for outputs without a derivative, ``mark_dirty`` for arguments that were written to
#   and are returned.
# - ``set_materialize_grads(False)`` turns the zeros for unused outputs into ``None``, for which ``backward`` must
#   ask.
# - ``setup_context`` separates ``forward`` from ``ctx``; with it the Function works under ``torch.func`` and
#   ``vmap``, by a generated rule or by your own.
# - ``save_for_backward`` is called once, with tensors or ``None``; attributes are for everything else.
#
# Exercises
# ---------
#
# Projects
# --------
#
# 1. Write the Fourier transform of a signal with NumPy's ``fft``, forward and backward, with a rule for ``vmap`` that
#    makes one call for a batch along any axis.
# 2. Give ``Sort`` a ``jvp`` and a ``setup_context``, and compute the Jacobian of the trimmed loss with
#    ``torch.func.jacfwd``. What do you have to do about ``order``?
# 3. Write a solver for :math:`x = \cos(w x)` as a Function: ``forward`` iterates and also returns the number of its
#    steps, ``backward`` uses the implicit function theorem.
