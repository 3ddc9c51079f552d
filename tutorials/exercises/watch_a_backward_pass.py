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
        if node in seen:
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


# %% Exercise: A layer that unlearns
# Write ``reverse(x)``: it returns a tensor with the values of ``x``, and every gradient that comes back through it is
# multiplied by -1. Use a hook. (Networks that must not be able to tell two groups apart are trained like this.)

# %% Starter
import minigrad as torch


def reverse(x):
    return x


# %% Check
def by_hand(y, end, gradient):
    """What the nodes from y to the node ``end`` make of a gradient. Called one by one, they run no hooks."""
    node = y.grad_fn
    while node is not end:
        results = node(gradient)
        results = results if isinstance(results, tuple) else (results,)
        node, gradient = next((to, each) for (to, _), each in zip(node.next_functions, results) if to is not None)
    return gradient


x = torch.tensor([1.0, 2.0], requires_grad=True)
w = torch.tensor([3.0, 4.0], requires_grad=True)
hidden = x * w
y = reverse(hidden)
assert torch.equal(y, hidden), "The values must not change."
assert torch.equal(by_hand(y, hidden.grad_fn, torch.ones(2)), torch.ones(2)), (
    "The operations of reverse turn the gradient round. It is a hook that should do it, as a last change on its way.")
(y * y).sum().backward()
assert w.grad is not None, "No gradient comes back through reverse."
assert torch.equal(w.grad, -2 * (x * w * x).detach()), "What is below the layer must get the opposite gradient."
w.grad = None
hidden = x * w
(reverse(hidden).sum() + 3 * hidden.sum()).backward()
assert torch.equal(w.grad, 2 * x.detach()), "What goes another way than through reverse must not be turned round."

# %% Hint
# A hook on ``x`` itself would also turn round what comes to ``x`` on other ways. Which tensor is only used here?


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
for name, answer, right in zip(("difference", "product", "w"), answers, wanted):
    assert isinstance(answer, torch.Tensor), f"The cotangent of the {name} is a tensor."
    assert torch.allclose(answer, right), f"The cotangent of the {name} is {right.tolist()}, not {answer.tolist()}."

# %% Hint
# A subtraction passes the gradient on unchanged to what it subtracts from.


# %% Project: 1
# 6 points: 2 for the numbers, 4 for the formula and the row. Each gets one half of the gradient.


# %% Project: 3
# 8 points: 3 for the step, 5 for the reason. At 0 and at -1 the gradient is ``nan``. It first appears in the step of
# the square root: ``where`` sends it a gradient of 0, which is divided by ``2 * sqrt(x)``, so by 0 or by ``nan``.
