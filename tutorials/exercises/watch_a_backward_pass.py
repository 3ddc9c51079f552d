"""Exercises of "Watch a backward pass"."""

# %% Exercise: How many gradients arrive?
# :math:`x^4` can be written as ``x * x * x * x``, as ``(x * x) * (x * x)`` with one square that is used twice, and as
# ``x ** 4``. How many gradients arrive at ``x`` in each? Answer first; then play all three.

# %% Starter
arrivals = {"product": ..., "square": ..., "power": ...}


# %% Check
import minigrad as torch


def edges_to_leaf(result):
    """The number of edges in the graph of ``result`` that lead to a leaf."""
    seen, waiting, count = set(), [result.grad_fn], 0
    while waiting:
        node = waiting.pop()
        if node is None or node in seen:            # a constant has no node
            continue
        seen.add(node)
        for before, _ in node.next_functions:
            count += type(before).__name__ == "AccumulateGrad"
            waiting.append(before)
    return count


x = torch.tensor(1.5, requires_grad=True)
square = x * x
for name, result in {"product": x * x * x * x, "square": square * square, "power": x**4}.items():
    assert arrivals[name] == edges_to_leaf(result), f"Play the {name} once more, and count the edges that end at x."

# %% Hint
# Each use of ``x`` as an operand is an edge of its own. In the second form ``x`` is an operand of one product only.


# %% Exercise: As few as possible
# Write :math:`x^{12}` with products of two tensors only, so that as few gradients as possible arrive at ``x``, and with
# as few products as possible. Play it before you run the check.

# %% Starter
import minigrad as torch


def twelfth(x):
    return x


# %% Check
def nodes_and_arrivals(result):
    """How many products the graph of ``result`` has, and how many of its edges lead to a leaf."""
    seen, waiting, count = set(), [result.grad_fn], 0
    while waiting:
        node = waiting.pop()
        if node is None or node in seen:            # a constant has no node
            continue
        seen.add(node)
        for before, _ in node.next_functions:
            count += type(before).__name__ == "AccumulateGrad"
            waiting.append(before)
    return sum(type(node).__name__ == "MulBackward0" for node in seen), count


x = torch.tensor(1.1, dtype=torch.float64, requires_grad=True)
result = twelfth(x)
assert abs(result.item() - 1.1**12) < 1e-9, f"The twelfth power of 1.1 is {1.1**12:.4f}, not {result.item():.4f}."
products, arrivals = nodes_and_arrivals(result)
assert arrivals == 2, f"{arrivals} gradients arrive at x. A square needs two, and the rest can be made from squares."
assert products == 4, f"These are {products} products; four are enough."

# %% Hint
# A tensor that is used twice appears once in the graph. What is the square of the square, times itself?

# %% Hint
# :math:`12 = 4 + 8`, or :math:`12 = 2 \cdot 6`.


# %% Exercise: Follow the pass by hand
# For ``loss = ((w * x - t) ** 2).sum()`` with three numbers each, return the cotangents in the order in which the
# pass computes them: of the difference, of the product, of ``w``. Use no autograd.

# %% Starter
import minigrad as torch


def cotangents(w, x, t):
    return ..., ..., ...


# %% Check
from minigrad.teaching import without_autograd

w, x, t = torch.randn(3, 3).unbind()
w.requires_grad_()
product = w * x
difference = product - t
wanted = torch.autograd.grad((difference**2).sum(), (difference, product, w))
with without_autograd():
    answers = cotangents(w.detach(), x, t)
for name, answer, right in zip(("the difference", "the product", "w"), answers, wanted):
    assert isinstance(answer, torch.Tensor), f"The cotangent of {name} is a tensor."
    assert answer.shape == right.shape, f"The cotangent of {name} has the shape of {name}, (3,)."
    assert torch.allclose(answer, right), f"The cotangent of {name} is {right.tolist()}, not {answer.tolist()}."

# %% Hint
# A subtraction passes the gradient on unchanged to what it subtracts from.


# %% Project: 1
# 6 points: 2 for the numbers, 4 for the formula and the row. Each gets one half of the gradient.


# %% Project: 2
# 10 points: 2 for each of the four sums, 2 for the mean. Two are of the kind *fitted*: each bias was added to both
# rows, so its gradient is summed over axis 0, with :math:`d` of shape (2, 10) and (2, 3). The two others are hidden in
# a product of matrices: ``selfᵀ @ d`` for ``W1`` and ``W2`` adds up over the images, which are the columns of
# ``selfᵀ``. The mean of the loss is not such a sum: it is a factor of 1/2 for each image. The usual mistake is to find
# only the two that say "summed".


# %% Project: 3
# 8 points: 3 for the step, 5 for the reason. At 0 and at -1 the gradient is ``nan``. It first appears in the step of
# the square root: ``where`` sends it a gradient of 0, which is divided by ``2 * sqrt(x)``, so by 0 or by ``nan``.
