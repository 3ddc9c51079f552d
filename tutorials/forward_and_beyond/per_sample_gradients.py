"""
Per-sample gradients
====================

Training follows the mean of many gradients, one for each example. Which of the examples pull hardest? The mean does not
say. On this page we compute all of them, first in a loop and then at once, with ``vmap``. With them we find a hundred
faulty images, hold them back, and learn what ``vmap`` does and what it cannot do.

You need the network of :doc:`/tutorials/first_gradients/reading_digits`.
"""

# %%
# The problem
# -----------
#
# The digits again, 8 by 8 pixels from 0 to 16. Before training they are divided by 16. Now imagine that a hundred of
# them came from another file, with pixels from 0 to 512, and nobody noticed.

import math
import textwrap
import time

import matplotlib.pyplot as plt
from sklearn.datasets import load_digits

import minigrad as torch

F = torch.nn.functional
torch.manual_seed(0)

digits = load_digits()
pixels = torch.tensor(digits.images.reshape(-1, 64) / 16, dtype=torch.float32)
labels = torch.tensor(digits.target)
order = torch.randperm(len(pixels))
held_out, training = order[:360], order[360:]
images, targets = pixels[training], labels[training]

faulty = torch.zeros(len(images), dtype=torch.bool)
faulty[torch.randperm(len(images))[:100]] = True
images[faulty] *= 32
print(len(images), "images to learn from,", faulty.sum().item(), "of them faulty")

# %%
# The network is small. Its parameters are in a dictionary, and the loss is a function of them: we will want to
# differentiate with respect to them.


def scores(parameters, x):
    h = torch.relu(x @ parameters["W1"] + parameters["b1"])
    return h @ parameters["W2"] + parameters["b2"]


def loss(parameters, x, target):
    return F.cross_entropy(scores(parameters, x), target)


start = {
    "W1": torch.randn(64, 32) * math.sqrt(2 / 64), "b1": torch.zeros(32),
    "W2": torch.randn(32, 10) * math.sqrt(1 / 32), "b2": torch.zeros(10),
}


def train(gradient, images, targets, epochs=20, rate=0.5):
    torch.manual_seed(1)
    parameters = start
    for _ in range(epochs):
        for batch in torch.randperm(len(images)).split(64):
            g = gradient(parameters, images[batch], targets[batch])
            parameters = {name: p - rate * g[name] for name, p in parameters.items()}
    return parameters


def right(parameters):
    read = scores(parameters, pixels[held_out]).argmax(1)
    return (read == labels[held_out]).float().mean().item()


spoilt = train(torch.func.grad(loss), images, targets)
clean = train(torch.func.grad(loss), images[~faulty], targets[~faulty])
print(f"held-out images: {right(spoilt):.1%} right")
print(f"trained without the faulty ones: {right(clean):.1%}")
assert right(spoilt) < 0.8 and right(clean) > 0.94

# %%
# (``torch.func.grad(loss)`` is a function. It takes what ``loss`` takes, and returns the gradient with respect to the
# first argument: a dictionary like ``parameters``.)
#
# Seven images in a hundred have spoilt the rest. They do not show in the gradient, since it is a mean, and a sum does
# not say what its terms were.
#
# One after the other
# -------------------
#
# So compute the terms. The *pull* of an example is the length of its gradient, taken over all parameters.


def length(gradient):
    return torch.stack([(g * g).sum() for g in gradient.values()]).sum().sqrt()


def pull(parameters, x, target):
    return length(torch.func.grad(loss)(parameters, x, target))


one_by_one = [pull(start, x, target) for x, target in zip(images[:5], targets[:5])]
print(*[f"{p.item():.4f}" for p in one_by_one])

# %%
# ``pull`` is a function of *one* image, 64 numbers, and one target. It is called in a loop, which is easy to write and
# easy to believe. But every call computes with a few numbers at a time, and is mostly occupied with being called.
#
# All at once
# -----------
#
# ``torch.func.vmap`` makes a function of a batch out of a function of one example. ``in_dims`` says which axis of each
# argument is the batch: axis 0 of the images, axis 0 of the targets. ``None`` stands for an argument that is the same
# for all examples, here the parameters.

# teaches: torch.vmap
pulls_of = torch.func.vmap(pull, in_dims=(None, 0, 0))
print(pulls_of(start, images[:5], targets[:5]))
assert torch.allclose(pulls_of(start, images[:5], targets[:5]), torch.stack(one_by_one))

# %%
# Now both for all the images, with the clock running:


def fastest(compute):
    seconds = []
    for _ in range(3):
        begun = time.perf_counter()
        result = compute()
        seconds.append(time.perf_counter() - begun)
    return result, min(seconds)


def in_a_loop():
    return torch.stack([pull(start, x, target) for x, target in zip(images, targets)])


looped, seconds_looped = fastest(in_a_loop)
pulls, seconds_mapped = fastest(lambda: pulls_of(start, images, targets))
print(f"loop {seconds_looped * 1000:.0f} ms, vmap {seconds_mapped * 1000:.0f} ms, ",
      f"{seconds_looped / seconds_mapped:.0f} times as fast")

assert torch.allclose(pulls, looped, rtol=1e-4)

# %%
# (There is a third way, without new tools: ``backward`` for a batch, once for each example. It is the loop again.)
#
# And who pulls hardest? Sort the images by their pull, and look at the first hundred:

hardest = pulls.argsort(descending=True)[:100]
found = faulty[hardest].sum().item()
print(f"{found} of the 100 that pull hardest are faulty")
print(f"{pulls[faulty].sum().item() / pulls.sum().item():.0%} of all pull is theirs")
assert found >= 95

figure, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
bins = [2 ** (k / 3) for k in range(3, 24)]
axes.hist(pulls[~faulty].numpy(), bins, alpha=0.8, label="good images")
axes.hist(pulls[faulty].numpy(), bins, alpha=0.8, label="faulty images")
axes.set(xscale="log", xlabel="length of the gradient of one image", ylabel="images")
axes.set_xticks([2, 5, 10, 20, 50, 100], ["2", "5", "10", "20", "50", "100"])
axes.legend(frameon=False)
axes.grid(alpha=0.3)
plt.show()

# %%
# The network has not been trained at all so far, and knows nothing about digits. Its gradients tell the two kinds of
# images apart.
#
# Would the loss have said as much? It is cheaper. But a large loss says that the network is wrong about an image, and
# here it is wrong about all of them:

losses = torch.func.vmap(loss, in_dims=(None, 0, 0))(start, images, targets)
found_by_loss = faulty[losses.argsort(descending=True)[:100]].sum().item()
print(f"{found_by_loss} of the 100 with the largest loss are faulty")
assert found_by_loss < found

# %%
# What vmap does
# --------------
#
# There is no loop inside. The function is called once, with something that looks like one example:

calls = []


def energy(x):
    calls.append(tuple(x.shape))
    return ((x @ coupling) * x).sum(0)


coupling = torch.randn(64, 64)
energies = torch.func.vmap(energy)(images)
print("called with", calls, "and returned", tuple(energies.shape))
assert calls == [(64,)] and energies.shape == (len(images),)

# %%
# In truth ``x`` holds all the images, in an array with one more axis in front. It only does not show that axis. Each
# operation that meets such a tensor must do its work for all examples, and there are only a few ways in which an axis
# in front can matter:
#
# - Elementwise operations do not care, as long as both sides have it.
# - ``sum(0)`` means the first axis that can be seen. That is axis 1 of the array.
# - A product with a matrix works on the last axis, so it does not notice one in front.
#
# These three are all that ``energy`` needs. So here is a ``vmap`` of our own:


class Mapped:
    """Looks like one tensor, and holds one for each example, along axis 0 of `payload`."""

    def __init__(self, payload):
        self.payload = payload

    @property
    def shape(self):
        return self.payload.shape[1:]

    def __mul__(self, other):
        return Mapped(self.payload * other.payload)

    def sum(self, dim):
        return Mapped(self.payload.sum(dim + 1))

    def __matmul__(self, matrix):
        return Mapped(self.payload @ matrix)


def our_vmap(function):
    return lambda *batches: function(*[Mapped(batch) for batch in batches]).payload


assert torch.equal(our_vmap(energy)(images), energies)
print("called with", calls)
assert len(calls) == 2

# %%
# minigrad has such a rule for each way in which its operations look at axes. They are in ``minigrad/func``.
#
# And the gradient inside ``pull``? Going backwards consists of operations as well, of products and sums. They meet the
# same tensors and follow the same rules. So ``vmap`` does not have to know anything about derivatives, or ``grad``
# about batches.
#
# Hold them back
# --------------
#
# We could leave the hundred images out. More often we cannot look at every example, and then there is another remedy:
# let none pull harder than the others. Shorten each gradient that is longer than 1, and only then take the mean. This
# is where we need the gradients themselves, not only their lengths.

gradients_of = torch.func.vmap(torch.func.grad(loss), in_dims=(None, 0, 0))
print({name: tuple(g.shape) for name, g in gradients_of(start, images, targets).items()})


def clipped(parameters, x, target):
    gradient = torch.func.grad(loss)(parameters, x, target)
    factor = torch.clamp(1 / length(gradient), max=1)
    return {name: factor * g for name, g in gradient.items()}


def mean_of_clipped(parameters, x, target):
    each = torch.func.vmap(clipped, in_dims=(None, 0, 0))(parameters, x, target)
    return {name: g.mean(0) for name, g in each.items()}


saved = train(mean_of_clipped, images, targets)
print(f"held-out images: {right(saved):.1%} right")
assert right(saved) > 0.93

# %%
# Again ``clipped`` is written for one example, as if there were no others.
#
# Clipping the *mean* is more usual, and it would help here, too, since it keeps the steps short. But it cannot give
# what we have now: a bound on the influence of each single example. In a batch of 64, replace one image by another, as
# absurd as you like. The mean changes by :math:`2/64` at most.

batch, targets_of_batch = pixels[held_out[:64]], labels[held_out[:64]]
absurd = batch.clone()
absurd[0] = 1e6



def change_of(gradient):
    before = gradient(saved, batch, targets_of_batch)
    after = gradient(saved, absurd, targets_of_batch)
    return length({name: after[name] - before[name] for name in before}).item()


print(f"plain mean:       {change_of(torch.func.grad(loss)):.4f}")
print(f"mean of clipped:  {change_of(mean_of_clipped):.4f}")
assert change_of(torch.func.grad(loss)) > 1000 and change_of(mean_of_clipped) <= 2 / 64

# %%
# Add noise of about that size, and no one who sees the trained network can tell whether you were among the examples.
# That is *differentially private* training, and it begins with per-sample gradients.
#
# Where the batch is
# ------------------
#
# ``in_dims`` is a number for all arguments, or a tuple with one for each; ``out_dims`` says where the batch goes in
# the result. With both we can write out a table of all pairs, from a function of one pair:

left, above = torch.arange(3.0), torch.arange(4.0)
times = torch.func.vmap(torch.func.vmap(torch.mul, (None, 0)), (0, None))
print(times(left, above))
assert torch.equal(times(left, above), left[:, None] * above)

columns = torch.func.vmap(torch.cumsum, in_dims=(1, None), out_dims=1)
table = torch.arange(6.0).view(2, 3)
assert torch.equal(columns(table, 0), table.cumsum(0))

# %%
# (The inner ``vmap`` maps the second argument, the outer one the first. The number 0 in the last example is not a
# tensor, so it gets ``None``.)
#
# Forget the ``None`` for the parameters, and ``vmap`` maps over *their* first axes, too. It notices, since these are
# not all of the same size:


def attempt(action, *arguments):
    try:
        action(*arguments)
    except (RuntimeError, ValueError) as problem:
        print(textwrap.fill(str(problem), 76, break_on_hyphens=False))
    else:
        raise AssertionError("no error?")


attempt(torch.func.vmap(pull), start, images[:5], targets[:5])

# %%
# Random numbers
# --------------
#
# A function that draws random numbers is now called once. Does it draw once, or for each example? That matters too much
# for a guess, so you have to say:

ones = torch.ones(3, 10)
attempt(torch.func.vmap(F.dropout), ones)

for randomness in "same", "different":
    print(randomness)
    drawn = torch.func.vmap(F.dropout, randomness=randomness)(ones)
    print(drawn)
    assert torch.equal(drawn[0], drawn[1]) == (randomness == "same")

# %%
# Memory
# ------
#
# The mean of the gradients has 2,410 numbers. One for each image has that many for each image. All of them are there
# at once, even if we only want their lengths. ``chunk_size`` says how many examples to compute at a time:

import tracemalloc


def peak(compute):
    tracemalloc.start()
    compute()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most


numbers = sum(p.numel() for p in start.values())
megabytes = len(images) * numbers * 4 / 1e6
print(f"{len(images)} gradients of {numbers} numbers: {megabytes:.1f} MB")

peaks = {}
for chunk_size in None, 500, 100, 20:
    in_chunks = torch.func.vmap(pull, in_dims=(None, 0, 0), chunk_size=chunk_size)
    again, seconds = fastest(lambda: in_chunks(start, images, targets))
    peaks[chunk_size] = peak(lambda: in_chunks(start, images, targets))
    said = f"{peaks[chunk_size] / 1e6:5.1f} MB, {seconds * 1000:3.0f} ms"
    print(f"chunks of {chunk_size or 'all':>4}: {said}")
    assert torch.allclose(again, pulls, rtol=1e-4)

assert peaks[100] < peaks[None] / 8

# %%
# A batch of a hundred is as good as one of a thousand, as far as calls are concerned, and its numbers may even stay in
# the processor's cache. Only the loop over *single* examples is expensive.
#
# What goes wrong
# ---------------
#
# The function runs once, and its tensors stand for many values. Whatever needs *one* value of them is refused.
#
# **A branch.** Here every example would have to go its own way:


def brighten(x):
    if x.mean() < 0.3:
        return x / x.max()
    return x


attempt(torch.func.vmap(brighten), batch)

# %%
# ``torch.where`` computes both ways for all, and chooses:


def brighten_by_where(x):
    return torch.where(x.mean() < 0.3, x / x.max(), x)


brightened = torch.func.vmap(brighten_by_where)(batch)
assert torch.equal(brightened, torch.stack([brighten(x) for x in batch]))

# %%
# **A number.** ``.item()`` and ``float()`` ask for a Python number. Usually you can do without: leave it a tensor.

attempt(torch.func.vmap(lambda x: x / x.max().item()), batch)
assert torch.func.vmap(lambda x: x / x.max())(batch).max() == 1

# %%
# **A result whose shape depends on the values.** The dark pixels of an image: how many are there? The number differs
# between images, so they do not fit into one array.

attempt(torch.func.vmap(lambda x: x[x > 0.5].sum()), batch)
dark = torch.func.vmap(lambda x: torch.where(x > 0.5, x, 0).sum())(batch)
assert torch.allclose(dark, torch.stack([x[x > 0.5].sum() for x in batch]))

# %%
# **A write to something that all share.** ``total`` has room for one value. What should be added to it, of 64?

total = torch.zeros(64)
attempt(torch.func.vmap(lambda x: total.add_(x)), batch)
assert not total.any()


def brightest_removed(x):
    y = torch.zeros_like(x)             # mapped as x is: one for each example
    y.copy_(x)
    y[x.argmax()] = 0
    return y


removed = torch.func.vmap(brightest_removed)(batch)
assert torch.equal(removed, torch.stack([brightest_removed(x) for x in batch]))

# %%
# **A mean over the batch.** This gives no error. ``x.mean(0)`` is the mean over the first axis that can be seen, which
# is the pixels of one image. The other images cannot be reached from inside, and that is the meaning of ``vmap``.
# Anything that concerns all of them belongs before or after it.

centred = torch.func.vmap(lambda x: x - x.mean(0))(batch)
assert centred.mean(1).abs().max() < 1e-6           # each image has the mean 0,
assert centred.mean(0).abs().max() > 0.1            # but the pixels have not

# %%
# **Something taken out by the back door.** A list gets one entry, not 64, and it is of no use when ``vmap`` is over.
# Return what you want to have.

kept = []


def keep(x):
    kept.append(x)
    return x


torch.func.vmap(keep)(batch)
assert len(kept) == 1
attempt(lambda: kept[0] + 1)

# %%
# Exercises
# ---------
#
# The loop is the judge.
#
# 1. For a product :math:`z = x W`, the gradient of one example with respect to :math:`W` is the outer product of
#    :math:`x` and
#    :math:`\bar z`. So its length is the product of two lengths, and you do not need the gradient to compute it.
#    Find the pulls of all images that way, from one backward pass for the whole batch. How fast is it?
# 2. ``our_vmap`` fails for ``lambda x: x * x.sum(0)``. Why? Fix ``__mul__``, so that the ranks of both sides are lined
#    up behind the batch. Then give ``Mapped`` what it needs for ``x.relu()``, and for ``None`` in ``in_dims``.
# 3. Whose fault is it? Take a held-out image that is misread, and compute the dot product of the gradient of its loss
#    with the gradient of each training image. The most negative ones have worked against it. Draw them. Can you find
#    all the dot products without any of the gradients? (Think of ``torch.func.jvp`` of the losses.)
# 4. Give a tenth of the training images a wrong label instead of a wrong scale. Before training, the pull says nothing
#    about them. Why? And after five epochs? Compare with the loss.
# 5. Add noise to ``mean_of_clipped``, normally distributed with a standard deviation of :math:`\sigma / 64` for each
#    number. How large may :math:`\sigma` be before the digits can no longer be read?
# 6. To be mapped, a ``Function`` of your own needs ``setup_context``, and ``generate_vmap_rule = True``. Write the
#    softplus of :doc:`/tutorials/your_own_functions/your_own_function` that way, and map its gradient.
