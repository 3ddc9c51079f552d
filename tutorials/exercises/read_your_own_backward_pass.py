"""Exercises of "Read your own backward pass"."""

# %% Exercise: By hand once more
# The network of the page with two changes: its hidden layer is ``np.maximum(x @ W + b, 0)``, and its loss is the mean
# of all squared differences between ``z`` and ``target``. Write ``gradients``, which returns the gradients of W, b, V
# and c, in NumPy alone.

# %% Starter
import numpy as np


def gradients(x, W, b, V, c, target):
    y = x @ W + b
    h = np.maximum(y, 0)
    z = h @ V + c
    return ...


# %% Check
import minigrad as torch

torch.manual_seed(0)
shapes = (6, 4), (4, 5), (5,), (5, 3), (3,), (6, 3)
x, W, b, V, c, target = [torch.randn(shape, dtype=torch.float64) for shape in shapes]
leaves = W, b, V, c
for leaf in leaves:
    leaf.requires_grad_()
loss = ((torch.relu(x @ W + b) @ V + c - target) ** 2).mean()
loss.backward()
found = gradients(*[each.detach().numpy() for each in (x, W, b, V, c, target)])
assert isinstance(found, tuple) and len(found) == 4, "It must return four arrays, for W, b, V and c."
for name, leaf, mine in (("c", c, found[3]), ("V", V, found[2]), ("b", b, found[1]), ("W", W, found[0])):
    assert np.shape(mine) == tuple(leaf.shape), f"The gradient of {name} must have the shape of {name}."
    true = leaf.grad.numpy()
    assert not np.allclose(mine, true * 18), "It is the gradient of the sum, not of the mean over all 18 numbers."
    assert not np.allclose(mine, true * 3), "The mean is over all 18 numbers, and not over the 6 rows."
    assert np.allclose(mine, true), f"The gradient of {name} is wrong, and what comes before it in the pass is right."

# %% Hint
# Begin with :math:`\bar z = 2 (z - t) / n`, where t is the target. What is n?

# %% Hint
# Let ``viz.derive`` write the pass, and compare it with yours line by line.


# %% Exercise: The wrong line
# This program was written by ``viz.code``. Then one line of it was changed. Find the line: set ``wrong`` to it, and
# ``right`` to what it should be.

# %% Starter
faulty = '''
import numpy as np

# ---- inputs
x = np.array([[1, -0.5], [0.25, 2]], "float64")
W = np.array([[0.5, -1], [0.75, 0.25]], "float64")
b = np.array([0.1, -0.2], "float64")
d_loss = np.array(1, "float64")

# ---- forward
mm = x @ W
y = mm + b
h = np.tanh(y)
z = h @ W
g = np.tanh(z)
mul = g * g
loss = np.asarray(mul.sum())

# ---- backward

# SumBackward0          self: expand(d, self.shape)
d_mul = np.broadcast_to(d_loss, (2, 2))

# MulBackward0          self: d * other     other: d * self
d_g_2 = d_mul * g
d_g_3 = d_mul * g
d_g = d_g_2 + d_g_3

# TanhBackward0         self: d * (1 - result²)
d_z = d_g * (1 - g * g)

# MmBackward0           self: d @ mat2ᵀ     mat2: selfᵀ @ d
adjoint = W.T
d_h = d_z @ adjoint
adjoint_2 = y.T
d_W_2 = adjoint_2 @ d_z

# TanhBackward0         self: d * (1 - result²)
d_y = d_h * (1 - h * h)

# AddBackward0          self: d             other: d * alpha
d_b = d_y.sum(axis=0)

# MmBackward0           mat2: selfᵀ @ d
adjoint_3 = x.T
d_W_3 = adjoint_3 @ d_y
d_W = d_W_2 + d_W_3
'''
wrong = "..."
right = "..."

# %% Check
import numpy as np


def loss_after(text, name, step):
    names = {}
    exec(text.replace("# ---- forward", f"{name}.flat[0] += {step}"), names)
    return names["loss"]


assert isinstance(wrong, str) and isinstance(right, str), "Both must be texts: lines of the program."
lines = [line.strip() for line in faulty.splitlines()]
assert lines.count(wrong.strip()) == 1, "Set wrong to one whole line of the program."
repaired, names = faulty.replace(wrong.strip(), right.strip()), {}
try:
    exec(repaired, names)
except Exception as failure:
    raise AssertionError(f"With your line the program stops: {failure}") from None
for name in ("b", "W"):
    slope = (loss_after(repaired, name, 1e-6) - loss_after(repaired, name, -1e-6)) / 2e-6
    claimed = names["d_" + name].flat[0]
    assert abs(slope - claimed) < 1e-7, (
        f"The first number of the gradient of {name} is measured as {slope:.6f}, and computed as {claimed:.6f}.")
original = np.array([[1, -0.5], [0.25, 2]])
h = np.tanh(original @ np.array([[0.5, -1], [0.75, 0.25]]) + np.array([0.1, -0.2]))
assert np.allclose(names["h"], h) and np.allclose(names["loss"], (np.tanh(h @ names["W"]) ** 2).sum()), (
    "The forward pass was right.")

# %% Hint
# Measure the slopes of b and of W, as on the page. One of the two gradients is right. Which lines does this clear?

# %% Hint
# W is used twice, so two contributions meet. Compute each of them from its equation: :math:`h^{\mathsf T} \bar z` and
# :math:`x^{\mathsf T} \bar y`.


# %% Exercise: A decay in the program
# ``with_decay(text)`` takes the text of a program by ``viz.code`` that has a parameter ``W``, a result ``loss`` and a
# gradient ``d_W``, and returns one whose loss is larger by half of the sum of the squares of W, and whose ``d_W`` is
# that of this loss.

# %% Starter
def with_decay(text):
    return text


# %% Check
import minigrad as torch
from minigrad import viz

torch.manual_seed(0)
x = torch.randn(5, 3)
for activation in (torch.tanh, torch.sigmoid):
    W = torch.randn(3, 2, requires_grad=True)
    with viz.recording():
        loss = (activation(x @ W) ** 2).mean()
    text, names = with_decay(str(viz.code(loss))), {}
    assert isinstance(text, str), "It must return a text."
    exec(text[:text.index("# ---- the results")], names)
    more = (loss + (W * W).sum() / 2)
    more.backward()
    assert abs(names["loss"] - loss.item()) > 1e-3, "The loss has not changed."
    assert abs(names["loss"] - more.item()) < 1e-5, "The loss is another one."
    assert names["d_W"].shape == (3, 2), "The gradient must have the shape of W."
    off = abs(names["d_W"] - W.grad.numpy()).max()
    assert abs(names["d_W"] + W.detach().numpy() - W.grad.numpy()).max() > 1e-4, (
        "The loss is right, and the gradient is still that of the loss before.")
    assert off < 1e-5, f"The gradient is off by {off:.4f}."

# %% Hint
# Add two lines at the end of the backward pass, just before ``# ---- the results``.


# %% Project: 1
# 10 points: 5 for the function, 3 for the steps, 2 for the comparison.
#
# The body of the function is the program from ``# ---- forward`` to ``# ---- the results``, with the parameters as
# arguments. In float64 the losses agree with those of minigrad in all but the last digits, over a hundred steps.
#
# The usual mistake: to leave ``np.seterr`` and the inputs inside, so that each step begins with the parameters as they
# were recorded.


# %% Project: 2
# 10 points: 4 for the derivations, 3 for the counts, 3 for the identities.
#
# Level 1 has an equation for each call and each cotangent, about four times as many as the program has lines; level 3
# has one for each name. What shortens the third: products with 1, equal terms that are added, and powers that are put
# together. Where ``v`` has the same name in each step, the derivation numbers them.
#
# The usual mistake: to compute in ``no_grad``, as an optimizer does. Then there is no pass to derive.
