"""
Reading digits
==============

Nobody can write down the rules for reading handwritten digits, yet a program of a hundred lines learns them. We write a
function with thousands of parameters, measure how wrong it is, and let the gradient tell us how to change each of them.
Tensors and ``backward`` are all we need.

What ``backward`` does in a layer is worked out in :doc:`from_numbers_to_tensors`.

After this page you can write a training loop, and judge what it has learned by images that played no part in it.
"""

# %%
# The problem
# -----------
#
# The University of California, Irvine keeps a set of 1,797 handwritten digits, which comes with scikit-learn. Each is
# an image of 8 by 8 pixels, and each pixel a number from 0 to 16: how many of 16 smaller dots are covered by ink. We
# are also told which digit was meant.

import math

import matplotlib.pyplot as plt
from sklearn.datasets import load_digits

digits = load_digits()
print(digits.images.shape, "from", digits.images.min(), "to", digits.images.max())

# alt: Twenty of the images in two rows, each 8 by 8 pixels in shades of grey: the digits 0 to 9, twice, with the digit
#      that was meant above each.
# sphinx_gallery_start_ignore
figure, rows = plt.subplots(2, 10, figsize=(7, 1.9), layout="constrained")
for i, axes in enumerate(rows.flat):
    axes.imshow(digits.images[i], cmap="gray_r")
    axes.set_title(str(digits.target[i]), fontsize=10)
    axes.axis("off")
# sphinx_gallery_end_ignore
plt.show()

# %%
# We want a function from the 64 numbers of an image to the digit. Whether it is any good, we can only tell on images
# that played no part in making it. So before anything else we put aside a fifth of the images, chosen at random. The
# seed fixes the choice: each run gives the same.

import minigrad as torch

F = torch.nn.functional
torch.manual_seed(1797)

pixels = digits.images.reshape(-1, 64) / 16         # from 0 to 1
images = torch.tensor(pixels, dtype=torch.float32)
labels = torch.tensor(digits.target)

order = torch.randperm(len(images))
held_out, training = order[:360], order[360:]
print(len(training), "images to learn from,", len(held_out), "held out")

# %%
# The idea
# --------
#
# The function has three steps. Multiply the image :math:`x` by a matrix and add a vector: that gives 64 numbers, each
# a weighted sum of the pixels. Set the negative ones to 0. Multiply by another matrix and add another vector: that
# gives ten numbers :math:`z`, the *scores*, one for each digit.
#
# .. math::
#
#    h &= \max(x W_1 + b_1, \; 0) \\
#    z &= h W_2 + b_2
#
# Such a function is called a multilayer perceptron. The entries of :math:`W_1, b_1, W_2, b_2` are its parameters. We
# start with random matrices, of a size that keeps :math:`h` and :math:`z` neither very small nor very large.


def start():
    W1 = torch.randn(64, 64) * math.sqrt(2 / 64)
    W2 = torch.randn(64, 10) * math.sqrt(1 / 64)
    parameters = [W1, torch.zeros(64), W2, torch.zeros(10)]
    return [p.requires_grad_() for p in parameters]


def scores(x, parameters):
    W1, b1, W2, b2 = parameters
    h = torch.relu(x @ W1 + b1)
    return h @ W2 + b2


parameters = start()
print(sum(p.numel() for p in parameters), "parameters")

# %%
# How wrong is it? First turn the scores into probabilities, with the *softmax*:
#
# .. math::
#
#    p_k = \frac{e^{z_k}}{\sum_j e^{z_j}}
#
# They are positive and their sum is 1. If the right digit is :math:`t`, then :math:`p_t` should be near 1. We measure
# the error, called the *loss*, by :math:`-\log(p_t)`: it is 0 for certainty in the right digit and grows without
# bound as :math:`p_t` goes to 0. The mean of that over many images is called the *cross entropy*.

loss = F.cross_entropy(scores(images[training], parameters), labels[training])
print("loss at the start", loss)

# %%
# Before we train, two checks that cost nothing. A function that knows nothing should give every digit about the
# probability 1/10, so the loss should be near :math:`\log(10) = 2.30`.

assert abs(loss.item() - math.log(10)) < 0.5

# %%
# And the gradient with respect to the scores is what is believed, less what is true, as we found on paper in
# :doc:`from_numbers_to_tensors`: :math:`p_k`, less 1 where :math:`k` is the right digit.

z = scores(images[:3], parameters).detach().requires_grad_()
(z_bar,) = torch.autograd.grad(F.cross_entropy(z, labels[:3], reduction="sum"), z)
assert torch.allclose(z_bar, torch.softmax(z, 1) - F.one_hot(labels[:3], 10), atol=1e-6)

# %%
# Training
# --------
#
# The gradient of the loss says, for each parameter, how the loss changes if that parameter grows. So we change each a
# little in the opposite direction, and repeat. Two refinements make it quick.
#
# *Mini-batches.* 32 images are enough to know the gradient roughly, and 45 rough gradients cost no more than an exact
# one. In every *epoch* each image is used once, in a new order.
#
# *Momentum.* Do not follow each gradient :math:`\bar w` of a parameter :math:`w` by itself, but a running sum
# :math:`u` in which old gradients fade. What they agree on adds up, what they do not agree on cancels.
#
# .. math::
#
#    u &\leftarrow 0.9 \, u + \bar w \\
#    w &\leftarrow w - \eta \, u
#
# The number :math:`\eta` is called the *learning rate*.

import sys

from tqdm import tqdm


def evaluate(parameters, which):
    """The loss, and the fraction of the images that are read correctly."""
    with torch.no_grad():
        z = scores(images[which], parameters)
        right = (z.argmax(1) == labels[which]).sum().item()
        return F.cross_entropy(z, labels[which]).item(), right / len(which)


print("before training: loss {:.2f}, {:.0%} right".format(*evaluate(parameters, held_out)))

# %%
# And the loop. For each batch: clear the gradients, compute the loss, go backwards, and change the parameters under
# ``no_grad``. (``mul_``, ``add_`` and ``sub_`` write into the tensor itself, as ``*=``, ``+=`` and ``-=`` do.)


def train(parameters, training, held_out, epochs=30, rate=0.05, clear=True, quiet=False):
    """Change the parameters; return what `evaluate` says of both groups, by epoch."""
    history = [(*evaluate(parameters, training), *evaluate(parameters, held_out))]
    velocities = [torch.zeros_like(p) for p in parameters]
    bar = tqdm(range(epochs), desc="epochs", file=sys.stdout, ncols=76, disable=quiet)
    for _ in bar:
        shuffled = training[torch.randperm(len(training))]
        for batch in shuffled.split(32):
            if clear:
                for p in parameters:
                    p.grad = None
            loss = F.cross_entropy(scores(images[batch], parameters), labels[batch])
            loss.backward()
            with torch.no_grad():
                for p, u in zip(parameters, velocities):
                    u.mul_(0.9).add_(p.grad)
                    p.sub_(rate * u)
        history.append((*evaluate(parameters, training), *evaluate(parameters, held_out)))
        bar.set_postfix_str(f"held out {history[-1][-1]:.1%}", refresh=False)
    return history


history = train(parameters, training, held_out)
_, right_training, _, right = history[-1]
print(f"training images: {right_training:.1%} right")
print(f"held-out images: {right:.1%} right")

assert right >= 0.96

# %%
# These were 1,350 steps. Each computed the scores of 32 images, went backwards, and changed 4,810 parameters. Here is
# the loss along the way:

losses_training, _, losses_held_out, _ = zip(*history)

# alt: The cross entropy over 30 epochs on a logarithmic axis. The line of the training images falls
#      all the way, from 2.4 to about 0.01. That of the held-out images falls with it at first, and stays near 0.09 from
#      about the tenth epoch on.
# sphinx_gallery_start_ignore
figure, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
axes.semilogy(losses_training, "-", linewidth=2, label="training images")
axes.semilogy(losses_held_out, "--", linewidth=2, label="held-out images")
axes.set(xlabel="epoch", ylabel="loss (cross entropy)")
axes.legend(frameon=False)
axes.grid(alpha=0.3)
# sphinx_gallery_end_ignore
plt.show()

# %%
# On the training images the loss falls and falls. On the held-out images it soon stops falling. From there on, the
# function learns its images by heart, which does not help with others.

assert losses_training[-1] < losses_training[10] / 5
assert losses_held_out[-1] > losses_held_out[10] / 2

# %%
# What it gets wrong
# ------------------
#
# A percentage hides more than it tells. Look at the mistakes. Above each you see what was meant, what was read, and
# the probability that the softmax gives to it.

with torch.no_grad():
    probabilities = torch.softmax(scores(images[held_out], parameters), 1)
sure, read = probabilities.max(1)
mistakes = (read != labels[held_out]).nonzero().flatten().tolist()
print(len(mistakes), "mistakes in", len(held_out), "images")

# alt: The images that were read wrongly, in rows of seven. Above each is what was meant, what was read, and how
#      probable the network found it. Several look like what was read: an 8 with a narrow waist that was read as 1, a 9
#      with a straight back that was read as 3.
# sphinx_gallery_start_ignore
rows = math.ceil(len(mistakes) / 7)
figure, grid = plt.subplots(rows, 7, figsize=(7, 1.6 * rows), layout="constrained")
for axes in grid.flat:
    axes.axis("off")
for axes, i in zip(grid.flat, mistakes):
    meant = labels[held_out[i]].item()
    axes.imshow(images[held_out[i]].reshape(8, 8).numpy(), cmap="gray_r")
    axes.set_title(f"{meant}, read as {read[i].item()}\n({sure[i].item():.0%})", fontsize=9)
# sphinx_gallery_end_ignore
plt.show()

# %%
# Is it as good as that?
# ----------------------
#
# The percentage is a measurement, and a measurement has an error. With another random choice of the images to hold
# out and of the initial parameters, we get another percentage:

results = []
for seed in range(5):
    torch.manual_seed(seed)
    order = torch.randperm(len(images))
    *_, right = train(start(), order[360:], order[:360], quiet=True)[-1]
    results.append(right)
print("held-out images right:", ", ".join(f"{right:.1%}" for right in results))

assert sum(results) / 5 >= 0.96

# %%
# So we should say "about 97 %", and not boast of the first figure.
#
# There is more to it. According to the description of the data, these 1,797 images were written by 13 people. The
# random choice put digits of all of them on both sides: no image was seen twice, but every hand was. The file does
# not say who wrote what, but if it goes from writer to writer, then images near each other come from the same hand.
# So let us hold out the *last* 360 instead.

torch.manual_seed(0)
*_, right = train(start(), torch.arange(1437), torch.arange(1437, 1797), quiet=True)[-1]
print(f"last fifth held out: {right:.1%} right")

assert right < min(results)

# %%
# That is the more honest figure for a stranger's hand. The function is the same; the question is a different one. How
# to hold out is part of the problem, and no derivative helps with it.
#
# What goes wrong
# ---------------
#
# Three mistakes in the training itself. None of them gives an error.

torch.manual_seed(0)
zeros = [torch.zeros_like(p).requires_grad_() for p in start()]

for mistake, parameters, rate, clear in [
    ("gradients never cleared", start(), 0.05, False),
    ("all parameters 0 at the start", zeros, 0.05, True),
    ("forty times the learning rate", start(), 2.0, True),
]:
    history = train(parameters, training, held_out, 5, rate, clear, quiet=True)
    print(f"{mistake}: {history[-1][-1]:.1%} right")
    print("    loss after each epoch:", *[f"{loss:.2f}" for loss, *_ in history])
    print(f"    largest gradient of W1: {parameters[0].grad.abs().max().item():.2f}")
    assert history[-1][-1] < 0.25

# %%
# - If gradients are never cleared, every step follows the sum of all gradients since the start. The steps grow, and
#   so does the loss. (The first page shows why gradients accumulate.)
# - If all parameters are 0, then :math:`h = 0`. The gradient of :math:`W_2` is a product with :math:`h`, that of
#   :math:`W_1` is a product with :math:`W_2`, so both are 0 and stay 0. Only :math:`b_2` learns, how frequent each
#   digit is, and the loss stays at about :math:`\log(10)`.
# - With a rate far too large, the first steps go so far that no entry of :math:`h` is positive any more, for any
#   image. Then, too, the gradient of :math:`W_1` is 0, and nothing leads back.
#
# So when training fails, look at the loss from the start, and at the sizes of the gradients. They tell these three
# apart.
#
# Summary
# -------
#
# - A network is a function of its parameters; a training step is a forward pass, ``backward``, and a small step
#   against the gradient under ``no_grad``, after which the gradients are cleared.
# - Judge it by images that played no part, and by more than one seed.
# - Mistakes in training raise no error: look at the loss and at the sizes of the gradients from the first step on.
#
# .. admonition:: Now in PyTorch
#
#    Cells with a badge print the same in PyTorch 2.13 with ``import minigrad as torch`` changed to ``import torch``.
#    minigrad's own are ``torch.viz``, ``torch.explain``, ``why_no_grad`` and the codes of errors. What this part says
#    about ``backward``, ``.grad``, ``no_grad`` and ``detach`` holds in both.
#
# Exercises
# ---------
#
# Projects
# --------
#
# 1. Leave out the hidden layer: ``z = x @ W + b``. How much do you lose?
# 2. We looked at the held-out images while we trained. If you choose the number of epochs, or the seed, by them, they
#    are no longer held out. Put a third group aside, choose by it, and look at the held-out images once.
# 3. Train with the Adam of exercise 2, which divides each step by the usual size of that parameter's gradient. Does it
#    need fewer epochs?
# 4. Turn the question round. Take a mistake, let the *image* require grad, and ask for the gradient of the score that
#    won, less the score that should have won. Draw it as an image. Change the pixels a little against it: how little
#    is enough?
