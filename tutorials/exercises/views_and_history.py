"""Exercises of "Views and history"."""

# %% Exercise: View or copy?
# For each operation, say whether its result shares memory with ``y = torch.arange(12.0).reshape(3, 4)``.

# %% Starter
shares = {
    "y.t()": ..., "y[1]": ..., "y[[0, 2]]": ..., "y[y > 3]": ..., "y.reshape(2, 6)": ..., "y.t().reshape(12)": ...,
    "y.expand(2, 3, 4)": ..., "y.repeat(2, 1)": ..., "y.diagonal()": ..., "y.contiguous()": ..., "y.clone()": ...,
}


# %% Check
import minigrad as torch

assert len(shares) == 11, f"There are eleven operations, and you answer for {len(shares)}."
for expression, answer in shares.items():
    y = torch.arange(12.0).reshape(3, 4)
    result = eval(expression)
    y += 100
    assert isinstance(answer, bool), f"{expression}: answer True or False."
    assert answer == bool((result >= 100).all()), f"{expression}: write to y, and look at the result."

# %% Hint
# A view must be describable by a begin, sizes and steps. Which of these cannot?

# %% Hint
# ``reshape`` copies only if it must, and ``contiguous`` only if the elements do not lie in order yet.


# %% Exercise: Binomial coefficients from a corner
# Fill the table :math:`c_{n,k} = c_{n-1,k-1} + c_{n-1,k}` for ``n`` up to ``rows - 1``, row by row, with assignments
# to parts of one tensor of zeros. The first column is ``corner``, a tensor that may require grad.

# %% Starter
import minigrad as torch


def binomials(corner, rows):
    c = torch.zeros(rows, rows)
    ...
    return c


# %% Check
corner = torch.tensor(1.0, requires_grad=True)
c = binomials(corner, 6)
assert c.shape == (6, 6), "The table has as many columns as rows."
assert c[5].tolist() == [1, 5, 10, 10, 5, 1], f"The last row is 1, 5, 10, 10, 5, 1, not {c[5].tolist()}."
assert c[0].tolist() == [1, 0, 0, 0, 0, 0], "The first row is 1 and then zeros."
c[5].sum().backward()
assert corner.grad is not None and corner.grad == 32, "The last row is 32 times the corner."
assert "CopySlices" in type(c.grad_fn).__name__, "Write into the table; do not stack rows."

# %% Hint
# A sum keeps nothing, so a later write cannot destroy anything.


# %% Exercise: A diagonal of ones
# ``with_ones(A)`` returns a matrix with the entries of ``A``, but ones on the diagonal. ``A`` must stay as it is, and
# gradients must flow to all entries that are still in the result, and to no other.

# %% Starter
import minigrad as torch


def with_ones(A):
    A.diagonal().fill_(1)
    return A


# %% Check
A = torch.arange(9.0).reshape(3, 3).requires_grad_()
try:
    B = with_ones(A)
except RuntimeError as problem:
    raise AssertionError(f"It fails: {str(problem)[:80]} ...") from None
assert A.tolist() == [[0, 1, 2], [3, 4, 5], [6, 7, 8]], "A must stay as it is."
assert B.diagonal().tolist() == [1, 1, 1] and B[0, 1] == 1 and B[2, 1] == 7, "The diagonal is 1, all else as in A."
(B * B).sum().backward()
assert A.grad is not None and A.grad.tolist() == [[0, 2, 4], [6, 0, 10], [12, 14, 0]], f"The gradient is {A.grad}."

# %% Hint
# The diagonal is a view; a leaf must not be written to, but a clone of it may be.


# %% Project: 1
# 10 points: 5 for the drawing, 3 for what the product has kept and the error, 2 for the cure. ``backward`` raises: the
# product has saved ``y[0]``, a view of ``y``, and the write to ``y[1]`` has changed the version of both. With
# ``y[1].mul_(y[0].clone())`` the gradient for ``x = [2, 3]`` is ``[80, 48]``.


# %% Project: 2
# 10 points: 4 for fair times (the best of several, forward and backward apart), 3 for a ratio at 10,000 values, 3 for
# how it grows. Both ways take a time in proportion to the length. Writing takes 1 to 4 times as long as the list in the
# forward pass, and 2 to 15 times in the backward pass: for each value there are a view and a ``CopySlices`` more in the
# graph. So a list is the better table if nothing but the end is needed. The usual mistakes are to time one length only,
# and to leave the graph of one run alive while the next is measured.


# %% Project: 3
# 4 points: 2 for each answer with its reason. ``v`` requires grad, because it shares the memory and so the history;
# ``s`` does not, because it was computed before.
