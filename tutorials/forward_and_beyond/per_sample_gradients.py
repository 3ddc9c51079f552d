"""
Per-sample gradients
====================

Training follows the mean of many gradients, one for each example. Which of the examples pull hardest? The mean does not
tell. On this page you compute all of these gradients, first in a loop and then at once with ``vmap``. You use them to
find a hundred faulty images and to limit their influence, and you learn what ``vmap`` does and what it cannot do.

After this page you can compute the gradient of each example of a batch, or only its length or its direction relative to
another, and explain what ``vmap`` does with an operation.

You need the network of :doc:`/tutorials/first_gradients/reading_digits`.
"""

# %%
# The problem
# -----------
#
# We use the digits again, 8 by 8 pixels from 0 to 16, which are divided by 16 before training. Now imagine that a
# hundred of the images came from another file, with pixels from 0 to 512, and that nobody noticed.

import functools
import math
import time

import matplotlib.pyplot as plt
from sklearn.datasets import load_digits

import minigrad as torch
from minigrad.teaching import expect_error

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
# The network is small. Its parameters are in a dictionary, and the loss is a function of them, since we want to
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
# Seven images in a hundred have spoilt the training. They cannot be seen in the gradient of a batch, because it is a
# mean, and a mean does not show its terms.
#
# One after the other
# -------------------
#
# So we compute the terms. By the *pull* of an example we mean the length of its gradient, taken over all parameters.


def length(gradient):
    return torch.stack([(g * g).sum() for g in gradient.values()]).sum().sqrt()


def pull(parameters, x, target):
    return length(torch.func.grad(loss)(parameters, x, target))


one_by_one = [pull(start, x, target) for x, target in zip(images[:5], targets[:5])]
print(*[f"{p.item():.4f}" for p in one_by_one])

# %%
# ``pull`` is a function of *one* image, 64 numbers, and one target, called in a loop. This is easy to write and easy
# to believe. But every call computes with a few numbers only, and most of its time goes into being called.
#
# All at once
# -----------
#
# ``torch.func.vmap``, also known as ``torch.vmap``, turns a function of one example into a function of a batch.
# ``in_dims`` says which axis of each argument is the batch: axis 0 of the images, axis 0 of the targets. ``None``
# means that an argument is the same for all examples, as the parameters are here.

# teaches: torch.vmap
assert torch.func.vmap is torch.vmap
pulls_of = torch.vmap(pull, in_dims=(None, 0, 0))
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
# (A third way needs no new tools: call ``backward`` on a batch, once for each example. That is the loop again.)
#
# Which images pull hardest? Sort them by their pull, and look at the first hundred:

hardest = pulls.argsort(descending=True)[:100]
found = faulty[hardest].sum().item()
print(f"{found} of the 100 that pull hardest are faulty")
print(f"{pulls[faulty].sum().item() / pulls.sum().item():.0%} of all pull is theirs")
assert found >= 95

# alt: Two histograms of the length of the gradient of one image, on a logarithmic axis, which do not overlap: over
#      a thousand good images at lengths of a few units, and a hundred faulty ones at lengths of about a hundred.
# sphinx_gallery_start_ignore
figure, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
bins = [2 ** (k / 3) for k in range(3, 24)]
axes.hist(pulls[~faulty].numpy(), bins, alpha=0.8, label="good images")
axes.hist(pulls[faulty].numpy(), bins, alpha=0.8, label="faulty images")
axes.set(xscale="log", xlabel="length of the gradient of one image", ylabel="images")
axes.set_xticks([2, 5, 10, 20, 50, 100], ["2", "5", "10", "20", "50", "100"])
axes.legend(frameon=False)
axes.grid(alpha=0.3)
# sphinx_gallery_end_ignore
plt.show()

# %%
# The network has not been trained at all so far, and knows nothing about digits. Yet its gradients tell the two kinds
# of images apart.
#
# Would the loss, which is cheaper, have told as much? It does nearly as well here:

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
# In truth ``x`` holds all the images, in an array with one more axis in front, which it hides. Each operation on such
# a tensor must do its work for all examples, and there are only a few ways in which an axis in front can matter:
#
# - Elementwise operations work as before, if both sides have the axis.
# - ``sum(0)`` means the first visible axis, which is axis 1 of the array.
# - A product with a matrix works on the last axis, so an axis in front makes no difference.
#
# ``energy`` needs no more than these three, so we can write a ``vmap`` of our own:


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
# And the gradient inside ``pull``? A backward pass consists of operations too, products and sums. They receive the
# same tensors and follow the same rules. So ``vmap`` need not know anything about derivatives, nor ``grad`` about
# batches.
#
# Limiting the influence of an example
# ------------------------------------
#
# We could leave the hundred images out. But often we cannot look at every example, and there is another remedy: let
# none pull harder than the others. Shorten each gradient that is longer than 1, and only then take the mean. For this
# we need the gradients themselves, not only their lengths.

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
# Clipping the *mean* is more usual, and it would help here too, since it keeps the steps short. But it does not bound
# the influence of a single example. Clipping each gradient does: in a batch of 64, replace one image by another, as
# absurd as you like, and the mean changes by at most :math:`2/64`.

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
# .. folded:: What this has to do with privacy
#
# A trained network can reveal its examples. *Differentially private* training limits that (Abadi et al., `Deep
# Learning with Differential Privacy <https://arxiv.org/abs/1607.00133>`_, 2016). It clips the gradient of each
# example to a length :math:`C`, and adds normally distributed noise with the standard deviation :math:`\sigma C` to
# their sum. Clipping bounds what one example can contribute, and the noise covers a contribution of that size. Here
# :math:`C = 1`, and we try several :math:`\sigma`:


def private_mean(parameters, x, target, sigma):
    mean = mean_of_clipped(parameters, x, target)
    return {name: g + sigma / len(x) * torch.randn_like(g) for name, g in mean.items()}


read = {}
for sigma in 1.0, 4.0, 16.0:
    noisy = train(functools.partial(private_mean, sigma=sigma), images, targets)
    read[sigma] = right(noisy)
    print(f"noise {sigma:4}: {read[sigma]:.1%} right")
assert read[1.0] > 0.9 and read[16.0] < read[1.0] - 0.05

# %%
# This is the mechanism, and not yet a guarantee. Say exactly what it gives:
#
# - Clipping alone gives no privacy. The noise gives it, and only to a degree: a number :math:`\varepsilon` bounds by
#   which factor the probability of any outcome of the training can change when one example is added or removed, up to
#   a small probability :math:`\delta`. A large :math:`\varepsilon` promises almost nothing.
# - Every step spends some of it. The total follows from :math:`\sigma`, the number of steps, and how the batches are
#   drawn, by an accounting that belongs to the method. For the batches above it would not be valid: it assumes that
#   each example enters a batch independently, at random.
# - It covers the training steps. Whatever else looks at the data, such as choosing a learning rate by trying it out,
#   has to be counted too. And it does not hide what is true of many examples together.
#
# Where the batch is
# ------------------
#
# ``in_dims`` is a number for all arguments, or a tuple with one for each; ``out_dims`` says where the batch goes in
# the result. With both, a function of one pair gives a table of all pairs:

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
# If you forget the ``None`` for the parameters, ``vmap`` maps over *their* first axes too. It notices, since these
# have different sizes:

with expect_error(ValueError):
    torch.func.vmap(pull)(start, images[:5], targets[:5])

# %%
# .. folded:: Random numbers
#
# A function that draws random numbers is now called once. Should it draw once for all, or for each example? That
# matters too much to be guessed, so you have to say:

torch.manual_seed(0)
ones = torch.ones(3, 10)
with expect_error(RuntimeError):
    torch.func.vmap(F.dropout)(ones)

for randomness in "same", "different":
    print(randomness)
    drawn = torch.func.vmap(F.dropout, randomness=randomness)(ones)
    print(drawn)
    assert torch.equal(drawn[0], drawn[1]) == (randomness == "same")

# %%
# .. folded:: Memory
#
# The mean of the gradients has 2,410 numbers. With a gradient for each image there are that many for each, all in
# memory at once, even if we only want their lengths. ``chunk_size`` says how many examples to compute at a time:

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
# Smaller chunks take more calls, but even chunks of twenty are far from the loop over *single* examples.
#
# What goes wrong
# ---------------
#
# The function runs once, and its tensors represent many values. Whatever needs *one* value of them is refused.
#
# **A branch.** Here every example would have to go its own way:


def brighten(x):
    if x.mean() < 0.3:
        return x / x.max()
    return x


with expect_error(RuntimeError):
    torch.func.vmap(brighten)(batch)

# %%
# ``torch.where`` computes both ways for all examples, and chooses:


def brighten_by_where(x):
    return torch.where(x.mean() < 0.3, x / x.max(), x)


brightened = torch.func.vmap(brighten_by_where)(batch)
assert torch.equal(brightened, torch.stack([brighten(x) for x in batch]))

# %%
# **A number.** ``.item()`` and ``float()`` ask for a Python number. Usually a tensor does as well:

with expect_error(RuntimeError):
    torch.func.vmap(lambda x: x / x.max().item())(batch)
assert torch.func.vmap(lambda x: x / x.max())(batch).max() == 1

# %%
# **A result whose shape depends on the values.** How many dark pixels does an image have? The number differs between
# images, so the selected pixels do not fit into one array.

with expect_error(RuntimeError):
    torch.func.vmap(lambda x: x[x > 0.5].sum())(batch)
dark = torch.func.vmap(lambda x: torch.where(x > 0.5, x, 0).sum())(batch)
assert torch.allclose(dark, torch.stack([x[x > 0.5].sum() for x in batch]))

# %%
# .. folded:: A write to something shared
#
# ``total`` has room for one value, and 64 should be added to it. Write to a tensor
# that belongs to the example instead:

total = torch.zeros(64)
with expect_error(RuntimeError):
    torch.func.vmap(lambda x: total.add_(x))(batch)
assert not total.any()


def brightest_removed(x):
    y = torch.zeros_like(x)             # mapped as x is: one for each example
    y.copy_(x)
    y[x.argmax()] = 0
    return y


removed = torch.func.vmap(brightest_removed)(batch)
assert torch.equal(removed, torch.stack([brightest_removed(x) for x in batch]))

# %%
# .. folded:: A mean over the batch
#
# This gives no error. ``x.mean(0)`` is the mean over the first visible axis: the pixels of
# one image. Other images cannot be reached from inside, by the very meaning of ``vmap``. What concerns all of them
# belongs before or after it.

centred = torch.func.vmap(lambda x: x - x.mean(0))(batch)
assert centred.mean(1).abs().max() < 1e-6           # each image has the mean 0,
assert centred.mean(0).abs().max() > 0.1            # but the pixels have not

# %%
# .. folded:: Something that leaves through a side door
#
# The list gets one entry, not 64, and that one is useless after
# ``vmap`` has ended. Return what you want to keep.

kept = []


def keep(x):
    kept.append(x)
    return x


torch.func.vmap(keep)(batch)
assert len(kept) == 1
with expect_error(RuntimeError):
    kept[0] + 1

# %%
# Summary
# -------
#
# - ``vmap`` turns a function of one example into a function of a batch. It calls the function once, with tensors that
#   hide the axis of the batch.
# - ``vmap(grad(loss), in_dims=(None, 0, 0))`` gives the gradient of each example; ``chunk_size`` limits the memory.
# - The lengths of these gradients point out unusual examples, and clipping them bounds the influence of each.
# - Clipping and noise are the mechanism of differentially private training. The guarantee needs the accounting as
#   well.
# - Under ``vmap`` there are no branches on values, no ``.item()``, and no shapes that depend on values.
#
# .. admonition:: Now in PyTorch
#
#    With ``import torch`` in place of ``import minigrad as torch``, the programs of this part run in PyTorch 2.13 and
#    give the same numbers up to rounding (which a long iteration such as conjugate gradients amplifies):
#    ``forward_ad``, ``autograd.functional``, and ``vmap``, ``grad``, ``vjp``, ``jvp``, ``jacrev``, ``jacfwd``,
#    ``hessian`` and ``linearize`` of ``torch.func``. Three things differ:
#
#    - Error messages have the same key phrases, but other explanations.
#    - ``tracemalloc`` does not see PyTorch's memory, so the cells that measure it print other numbers there. Use
#      ``torch.profiler`` with ``profile_memory=True`` instead.
#    - The times, of course, and therefore the size at which ``vmap`` or forward mode begins to pay.
#
# Exercises
# ---------
#
# Projects
# --------
#
# 1. Give a tenth of the training images a wrong label instead of a wrong scale. Before training, the pull says
#    nothing about them. Why? And after five epochs? Compare with the loss.
# 2. How large may :math:`\sigma` be before the digits can no longer be read? Draw batches as the accounting assumes,
#    each image independently with the same probability, and find out which :math:`\varepsilon` your training gives,
#    for :math:`\delta = 0.0001`.
# 3. To be mapped, a ``Function`` of your own needs ``setup_context``, and ``generate_vmap_rule = True``. Write the
#    softplus of :doc:`/tutorials/your_own_functions/your_own_function` that way, and map its gradient.
