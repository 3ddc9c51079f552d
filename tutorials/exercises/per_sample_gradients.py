"""Exercises of "Per-sample gradients"."""

# %% Exercise: The lengths without the gradients
# For a layer ``z = x @ W`` the gradient of one example with respect to ``W`` is the outer product of its row of ``x``
# and its row of ``z_bar``, the gradient with respect to ``z``. Write ``lengths(x, z_bar)``, the length of that gradient
# for each example, without ever making the outer products.

# %% Starter
import minigrad as torch


def lengths(x, z_bar):
    ...


# %% Check
import tracemalloc

torch.manual_seed(0)
x, z_bar = torch.randn(5, 3), torch.randn(5, 4)
found = lengths(x, z_bar)
assert found is not None and tuple(found.shape) == (5,), "There must be one length for each of the 5 examples."
outer = x[:, :, None] * z_bar[:, None, :]
wanted = (outer * outer).sum((1, 2))
assert not torch.allclose(found, wanted), "These are the squares of the lengths."
assert torch.allclose(found, wanted.sqrt()), "The lengths differ from those of the outer products."
x, z_bar = torch.randn(200, 300), torch.randn(200, 100)
tracemalloc.start()
lengths(x, z_bar)
peak = tracemalloc.get_traced_memory()[1]
tracemalloc.stop()
assert peak < 2e6, f"{peak / 1e6:.0f} MB were in use: the outer products have 6 million numbers. Do without them."

# %% Hint
# The squares of the entries of an outer product are the products of two squares. What is the sum over all of them?


# %% Exercise: Products of different ranks
# ``Mapped`` hides an axis in front. Its product fails for ``x * x.sum(0)``, where a matrix meets a vector for each
# example: NumPy's rule lines the axes up from the *last* one, and so the hidden axes do not meet. Write ``__mul__`` so
# that they do.

# %% Starter
import minigrad as torch


class Mapped:
    def __init__(self, payload):
        self.payload = payload

    def sum(self, dim):
        return Mapped(self.payload.sum(dim + 1))

    def __mul__(self, other):
        return Mapped(self.payload * other.payload)


# %% Check
torch.manual_seed(0)


def compared(function, *batches, said):
    wanted = torch.stack([function(*examples) for examples in zip(*batches)])
    try:
        found = function(*map(Mapped, batches)).payload
    except RuntimeError as problem:
        raise AssertionError(f"{said} fails: {problem}") from None
    assert found.shape == wanted.shape, f"{said} has the shape {tuple(found.shape)}, not {tuple(wanted.shape)}."
    assert torch.allclose(found, wanted), f"{said}: the shape is right, and the numbers are those of other examples."


x, y = torch.randn(5, 4, 3), torch.randn(5, 4, 3)
compared(lambda x, y: x * y, x, y, said="Two matrices for each example")
compared(lambda x: x * x.sum(0), x, said="x * x.sum(0)")
compared(lambda x: x.sum(0) * x, x, said="x.sum(0) * x")
square = torch.randn(3, 3, 3)
compared(lambda x: x * x.sum(0), square, said="x * x.sum(0), where all axes have the same length,")
compared(lambda x: x * x.sum(0).sum(0), square, said="A matrix times a number for each example")

# %% Hint
# Insert axes of length 1 *behind* the hidden one until both payloads have the same number of axes.

# %% Hint
# ``payload.reshape(payload.shape[:1] + (1,) * missing + payload.shape[1:])``


# %% Exercise: Which examples work against this one?
# If the gradient of an example points against a given direction, learning from it moves the parameters the other way.
# ``alignments(losses, parameters, direction)`` returns the dot product of each example's gradient with ``direction``.
# ``losses(parameters)`` returns the losses of all examples, a vector; ``parameters`` and ``direction`` are
# dictionaries. No gradient is needed: call ``losses`` once.

# %% Starter
import minigrad as torch


def alignments(losses, parameters, direction):
    ...


# %% Check
torch.manual_seed(0)
inputs, targets = torch.randn(6, 3), torch.randn(6)
parameters = {"w": torch.randn(3), "b": torch.randn(())}
direction = {"w": torch.randn(3), "b": torch.randn(())}
calls = 0


def losses(parameters):
    global calls
    calls += 1
    return (torch.tanh(inputs @ parameters["w"] + parameters["b"]) - targets) ** 2


def one_loss(parameters, x, target):
    return (torch.tanh(x @ parameters["w"] + parameters["b"]) - target) ** 2


each = torch.vmap(torch.func.grad(one_loss), (None, 0, 0))(parameters, inputs, targets)
wanted = each["w"] @ direction["w"] + each["b"] * direction["b"]
found = alignments(losses, parameters, direction)
assert found is not None and tuple(found.shape) == (6,), "There must be a number for each of the 6 examples."
assert not torch.allclose(found, each["w"] @ direction["w"]), "Only the weights were used: b has a direction too."
assert not torch.allclose(found, losses(parameters)), "These are the losses. Take the tangent."
calls = 0
assert torch.allclose(alignments(losses, parameters, direction), wanted), "The dot products are wrong."
assert calls == 1, f"losses was called {calls} times."

# %% Hint
# The dot product of a gradient with a direction is the derivative in this direction, and ``torch.func.jvp`` gives that
# for all results at once.


# %% Project: 1
# 10 points: 3 for the reason, 4 for the counts, 3 for the comparison with the loss.
#
# An untrained network does not expect one digit more than another, so a wrong label is no more of a surprise than the
# right one: of the 144 images that pull hardest, 11 have a wrong label, and chance alone gives 14. After five epochs it
# is 120, and 130 of the 144 with the largest loss: here the loss is the better of the two, because a long gradient may
# also come from a bright image. After 200 epochs the network has learned most of the wrong labels by heart, and between
# 35 and 80 are left, depending on the draw.
#
# The usual mistakes: to draw the new label from all ten digits, which leaves one in ten as it was, and to look at
# held-out images, which have no wrong labels.


# %% Project: 2
# 10 points: 4 for the batches, 3 for :math:`\varepsilon`, 3 for the two numbers side by side.
#
# After the page's 20 epochs, which are 449 steps, and with :math:`\delta = 0.0001`, noise of 1, 4, 8 and 16 leaves
# about 93, 80, 55 and 25 % of the held-out digits right. With much noise two runs differ by ten; there is no
# :math:`\sigma` at which the digits are lost, they fade from about 4 on. By the accounting of Mironov, Talwar and Zhang
# (`Rényi differential privacy of the sampled Gaussian mechanism <https://arxiv.org/abs/1908.10530>`_) these are
# :math:`\varepsilon` of 7.0, 1.1, 0.52 and 0.26. Each image enters a batch with the probability 64/1437, so batches
# differ in size.
#
# The usual mistake: to divide the sum by the number of images that were drawn. That number depends on the data; divide
# by 64.


# %% Project: 3
# 10 points: 4 for the Function, 3 for the mapped gradient, 3 for what happens without.
#
# ``forward`` takes ``x`` alone, ``setup_context`` saves it, and ``backward`` stays as it was; the mapped gradient is
# the sigmoid of each number. Both errors name what is missing: without ``setup_context``, ``vmap`` and ``grad`` say
# that it must be overridden; without the flag, ``vmap`` asks for a ``vmap`` method or ``generate_vmap_rule=True``, and
# ``grad`` alone works.
#
# The usual mistake: to save something on ``ctx`` in ``forward``, which no longer has one.
