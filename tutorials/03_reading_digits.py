"""
Reading digits
==============

A program that reads handwritten digits: nobody can write down its rules, yet it can be had in a hundred lines. We write
a function with thousands of parameters, measure how wrong it is, and let the gradient tell how to change each of them.
Tensors and ``backward`` are all that we use.
"""

# %%
# The problem
# -----------
#
# The University of California, Irvine keeps a set of 1,797 handwritten digits, which comes with scikit-learn. Each is an
# image of 8 by 8 pixels, and each pixel a number from 0 to 16: how many of 16 smaller dots are covered by ink. We are
# also told which digit was meant.

import math

import matplotlib.pyplot as plt
from sklearn.datasets import load_digits

digits = load_digits()
print(digits.images.shape, "from", digits.images.min(), "to", digits.images.max())

figure, rows = plt.subplots(2, 10, figsize=(7, 1.9), layout="constrained")
for i, axes in enumerate(rows.flat):
    axes.imshow(digits.images[i], cmap="gray_r")
    axes.set_title(str(digits.target[i]), fontsize=10)
    axes.axis("off")
plt.show()

# %%
# We want a function from the 64 numbers of an image to the digit. Whether it is any good, we can only tell on images
# that played no part in making it. So before anything else we put every fifth image aside, chosen by lot. The seed
# fixes the lot: each run gives the same.

import minigrad as torch

F = torch.nn.functional
torch.manual_seed(1797)

images = torch.tensor(digits.images.reshape(-1, 64) / 16, dtype=torch.float32)     # from 0 to 1
labels = torch.tensor(digits.target)

order = torch.randperm(len(images))
held_out, training = order[:360], order[360:]
print(len(training), "images to learn from,", len(held_out), "held out")

# %%
# The idea
# --------
#
# The function has three steps. Multiply the image :math:`x` by a matrix and add a vector: that gives 64 numbers, each
# a weighted sum of the pixels. Set the negative ones to 0. Multiply by another matrix and add another vector:
# that gives ten numbers :math:`z`, the *scores*, one for each digit.
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
# How wrong is it? First make probabilities of the scores, by the *softmax*:
#
# .. math::
#
#    p_k = \frac{e^{z_k}}{\sum_j e^{z_j}}
#
# They are positive and their sum is 1. If the right digit is :math:`t`, then :math:`p_t` should be near 1. We
# measure the error, called the *loss*, by :math:`-\log p_t`: it is 0 for certainty in the right digit and grows
# without bound as :math:`p_t` goes to 0. The mean of that over many images is called the *cross entropy*.

loss = F.cross_entropy(scores(images[training], parameters), labels[training])
print("loss at the start", loss)

# %%
# Before we train, two checks that cost nothing. A function that knows nothing should give every digit about the
# probability 1/10, so the loss should be near :math:`\log 10 = 2.30`.

assert abs(loss.item() - math.log(10)) < 0.5

# %%
# And the gradient with respect to the scores can be found on paper. It is beautifully simple: :math:`p_k`, less 1
# where :math:`k` is the right digit. That is what autograd finds, too.

z = scores(images[:3], parameters).detach().requires_grad_()
(z_bar,) = torch.autograd.grad(F.cross_entropy(z, labels[:3], reduction="sum"), z)
assert torch.allclose(z_bar, torch.softmax(z, 1) - F.one_hot(labels[:3], 10), atol=1e-6)

# %%
# Training
# --------
#
# The gradient of the loss says, for each parameter, how the loss changes if that parameter grows. So we change each a
# little in the opposite direction, and repeat. Two refinements make it quick:
#
# - *Mini-batches.* 32 images are enough to know the gradient roughly, and a rough gradient is had 45 times in the time
#   of an exact one. In every epoch each image is used once, in a new order.
# - *Momentum.* Do not follow each gradient by itself, but a running sum in which old gradients fade. What they agree
#   on adds up, what they do not agree on cancels:
#
# .. math::
#
#    u &\leftarrow 0.9 \, u + \bar w \\
#    w &\leftarrow w - \eta \, u
#
# Here :math:`w` is a parameter, :math:`\bar w` its gradient, and :math:`\eta` the *learning rate*.

import sys

from tqdm import tqdm


def evaluate(parameters, which):
    """The loss, and the fraction of images that are read rightly."""
    with torch.no_grad():
        z = scores(images[which], parameters)
        right = (z.argmax(1) == labels[which]).sum().item()
        return F.cross_entropy(z, labels[which]).item(), right / len(which)


def train(parameters, epochs, rate=0.05, clear=True):
    velocities = [torch.zeros_like(p) for p in parameters]
    history = [(*evaluate(parameters, training), *evaluate(parameters, held_out))]
    bar = tqdm(range(epochs), desc="epochs", file=sys.stdout, ncols=76, mininterval=0.5)
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
        bar.set_postfix_str(f"held out {history[-1][3]:.1%}")
    return history


history = train(parameters, epochs=30)

# %%
# That took about a second: 1,350 steps, each with a forward pass, a backward pass and 4,810 parameters changed.

figure, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
axes.semilogy([h[0] for h in history], "-", label="training images")
axes.semilogy([h[2] for h in history], "--", label="held-out images")
axes.set(xlabel="epochs", ylabel="loss (cross entropy)")
axes.legend(frameon=False)
axes.grid(alpha=0.3)
plt.show()

# %%
# On the images it learns from, the loss falls and falls. On the held-out ones it stops falling after a while. From there
# on the function learns the training images by heart, which is no use to anybody else.

training_loss, training_right, loss, right = (*history[-1],)
print(f"training images: {training_right:.1%} right")
print(f"held-out images: {right:.1%} right")
assert right >= 0.96

# %%
# What it gets wrong
# ------------------
#
# A number such as this hides more than it tells. Look at the mistakes.

with torch.no_grad():
    z = scores(images[held_out], parameters)
probabilities, read = torch.softmax(z, 1), z.argmax(1)
mistakes = (read != labels[held_out]).nonzero().flatten().tolist()
print(len(mistakes), "mistakes in", len(held_out), "images")

figure, row = plt.subplots(1, len(mistakes), figsize=(7, 1.6), layout="constrained")
for axes, i in zip(row, mistakes):
    meant, seen = labels[held_out[i]].item(), read[i].item()
    axes.imshow(images[held_out[i]].reshape(8, 8).numpy(), cmap="gray_r")
    axes.set_title(f"a {meant}\nread as {seen}\n({probabilities[i, seen].item():.0%})", fontsize=9)
    axes.axis("off")
plt.show()
