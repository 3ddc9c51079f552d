"""Exercises of "Reading digits"."""

# %% Exercise: A softmax that does not overflow
# Write ``log_probabilities(scores)``: the logarithms of the softmax of each row. It must be right for scores of 1000
# too, and its gradient must be finite.

# %% Starter
import minigrad as torch


def log_probabilities(scores):
    return torch.log(torch.exp(scores) / torch.exp(scores).sum(1, keepdim=True))


# %% Check
for size in (1.0, 1000.0):
    scores = (torch.tensor([[1.0, 2.0, 3.0], [0.0, 0.0, -1.0]]) * size).requires_grad_()
    found = log_probabilities(scores)
    assert found.isfinite().all(), f"With scores of {size:.0f} the result is {found.tolist()}."
    wanted = torch.log_softmax(scores, 1)
    assert torch.allclose(found, wanted, atol=1e-5), "These are not the logarithms of the softmax."
    found[0, 0].backward()
    assert scores.grad.isfinite().all(), f"With scores of {size:.0f} the gradient is {scores.grad.tolist()}."

# %% Hint
# Adding the same number to all scores of a row does not change the softmax. Which number makes ``exp`` safe?


# %% Exercise: Adam, by hand
# Write ``step(parameters, state, rate)``: a step of Adam (Kingma and Ba, 2015) with the decay rates 0.9 and 0.999 and
# ``eps`` 1e-8. Adam keeps for each parameter an average of its gradient, :math:`m = 0.9 m + 0.1 g`, and of its square,
# :math:`v = 0.999 v + 0.001 g^2`, both from 0. In step :math:`t` it subtracts the rate times :math:`m' / (\sqrt{v'} +
# \epsilon)`, with :math:`m' = m / (1 - 0.9^t)` and :math:`v' = v / (1 - 0.999^t)`. ``state`` is a dict that you may
# fill as you like; it starts empty. Clear the gradients afterwards.

# %% Starter
import minigrad as torch


def step(parameters, state, rate=0.001):
    ...


# %% Check
def minimum_after(update, steps):
    torch.manual_seed(0)
    parameters = [torch.randn(3).requires_grad_(), torch.randn(2, 2).requires_grad_()]
    for _ in range(steps):
        sum((p**4 - p).sum() for p in parameters).backward()
        update(parameters)
    return parameters


state = {}
mine = minimum_after(lambda parameters: step(parameters, state, 0.05), 3)
assert all(p.grad is None or not p.grad.any() for p in mine), "The gradients must be cleared after a step."
for steps in (1, 2, 20):
    state, optimizer = {}, []

    def theirs(parameters):
        optimizer[:] = optimizer or [torch.optim.Adam(parameters, lr=0.05)]
        optimizer[0].step()
        optimizer[0].zero_grad()

    mine = minimum_after(lambda parameters: step(parameters, state, 0.05), steps)
    for p, q in zip(mine, minimum_after(theirs, steps)):
        assert p.is_leaf and p.requires_grad, "Write to the parameters in place, under no_grad."
        assert torch.allclose(p, q, atol=1e-6), f"After {steps} steps the parameters differ from torch.optim.Adam's."

# %% Hint
# Both averages start at 0, so they are too small at first; divide by ``1 - 0.9 ** t`` and ``1 - 0.999 ** t``.


# %% Exercise: Fooling a classifier
# ``fool(W, b, image, wanted)`` changes an image as little as it can so that the linear classifier ``image @ W + b``
# takes it for ``wanted``. Use the gradient of the image, in small steps of length 0.05, and stop as soon as it is
# fooled.

# %% Starter
import minigrad as torch


def fool(W, b, image, wanted):
    return image


# %% Check
torch.manual_seed(0)
W, b, image = torch.randn(20, 3), torch.randn(3), torch.randn(20)
was = (image @ W + b).argmax().item()
kept = image.clone()
for wanted in {0, 1, 2} - {was}:
    scores = image @ W + b
    nearest = ((scores.max() - scores[wanted]) / (W[:, was] - W[:, wanted]).norm()).item()
    changed = fool(W, b, image, wanted)
    assert torch.equal(image, kept), "The image that was given must stay as it was."
    assert (changed @ W + b).argmax().item() == wanted, f"It is not taken for {wanted} yet."
    moved = (changed - image).norm().item()
    assert moved < 2 * nearest + 0.1, f"It moved by {moved:.2f}; {nearest:.2f} would be enough."
    assert not changed.requires_grad and changed.grad_fn is None, "Return a plain image, without a history."

# %% Hint
# Differentiate the score that is highest at the moment, less the score of ``wanted``, and go against that gradient.


# %% Project: 1
# 10 points: 4 for a network with 650 parameters that trains, 3 for a comparison on the same held-out images with at
# least two seeds, 3 for what the figures allow one to say. The linear network reads 93 to 97 % of the held-out images,
# the one with a hidden layer 95 to 98 %: the loss is about one percentage point. It is clearer on the training images.
# The linear one stays at about 98 %, however long it trains, and the other reads all of them. The usual mistake is to
# leave out the ``relu`` and keep both matrices: that is a linear function too, with more parameters.


# %% Project: 2
# 10 points: 3 for three groups without a common image, 3 for a choice that looks at the third group only, 2 for looking
# at the held-out images once, 2 for saying how exact the figures are. Of 360 images at 97 % the standard error is 0.9
# percentage points, so most differences between epochs are chance. That is why a choice flatters: of 30 networks that
# are all equally good, at 97 %, the best one reads 98.5 to 99.5 % of the third group, and 97 % of the images that
# played no part. The usual mistake is to report the figure of the third group, or to choose again after the held-out
# images were seen.


# %% Project: 3
# 10 points: 4 for an Adam that trains the network, 3 for several learning rates, 3 for the answer that it depends on
# them. With the usual rate of 0.001 Adam is slower: it reads 40 to 80 % of the held-out images after one epoch, where
# momentum with a rate of 0.05 reads 80 to 92 %. With 0.01 Adam reads 86 to 96 % then, and it needs no more epochs for
# 94 % than momentum does. After 15 epochs all are at 92 to 99 %, and differ by about the error of measurement. The
# usual mistake is to compare one well-chosen rate with one that was not chosen, or to use the rate 0.05 for Adam, too,
# where a step is about as long as the rate.


# %% Project: 4
# 10 points: 3 for the gradient of the difference of two scores with respect to the image, 2 for the picture, 3 for
# small steps until the mistake is gone, 2 for a length that is compared with that of the image. For a mistake a change
# of 0.5 to 15 % of the image's length is enough, and for many of them less than 5 %. The picture shows the strokes that
# speak for the wrong digit. For a digit that was read correctly it takes more to make it the second most probable one:
# 10 to 20 % for most. The usual mistake is to differentiate the cross entropy, which also pushes the eight other
# scores, or to call ``backward`` with weights that require grad, whose ``.grad`` then fills up.
