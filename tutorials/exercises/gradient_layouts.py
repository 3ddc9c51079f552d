"""Exercises of "Gradient layouts"."""

# %% Exercise: Is it dense?
# Rule 1 holds for parameters that are *non-overlapping and dense*: their elements fill an interval of memory, each
# place once. Write ``dense(shape, strides)``.

# %% Starter
def dense(shape, strides):
    return ...


# %% Check
cases = {
    ((3, 4), (4, 1)): True, ((3, 4), (1, 3)): True, ((3, 4), (8, 2)): False, ((3, 4), (0, 1)): False,
    ((2, 3, 4), (1, 8, 2)): True, ((2, 3, 4), (4, 8, 1)): True, ((2, 3), (2, 1)): False,
    ((1, 4), (7, 1)): True, ((), ()): True, ((5,), (1,)): True, ((5,), (2,)): False, ((2, 3), (5, 0)): False,
}
for (shape, strides), wanted in cases.items():
    assert dense(shape, strides) is wanted, f"dense({shape}, {strides}) must be {wanted}."

# %% Hint
# Sort the dims by their strides. The smallest must be 1, and each next one the product of the sizes before it.

# %% Hint
# A dim of size 1 is never stepped along, so its stride means nothing.


# %% Exercise: One tensor for all gradients
# An optimizer is fastest when all gradients lie in one flat tensor. ``attach(parameters)`` creates such a tensor of
# zeros, makes each ``p.grad`` a view of its part, in the order of the parameters, and returns it. Passes then fill
# it.

# %% Starter
import minigrad as torch


def attach(parameters):
    return ...


# %% Check
torch.manual_seed(0)
model = torch.nn.Linear(3, 2)
flat = attach(list(model.parameters()))
assert isinstance(flat, torch.Tensor) and flat.shape == (8,), "There are 6 + 2 numbers in one flat tensor."
assert flat.tolist() == [0.0] * 8, "It starts with zeros."
for factor in (1, 2):
    model(torch.tensor([[1.0, 2.0, 3.0]])).sum().backward()
    wanted = torch.tensor([1.0, 2.0, 3.0, 1.0, 2.0, 3.0, 1.0, 1.0]) * factor
    assert torch.equal(flat, wanted), f"After {factor} passes it must be {wanted.tolist()}, and is {flat.tolist()}."
    assert model.weight.grad.shape == (2, 3), "Each gradient has the shape of its parameter."

# %% Hint
# ``flat[begin:end].view_as(p)`` is a view. Rule 3 does the rest.


# %% Exercise: The norms of the last passes
# ``History`` remembers the gradient of a parameter after each pass, to compare them later. As it is, all entries are
# equal in the end. Find out by which rule, and correct ``remember``.

# %% Starter
import minigrad as torch


class History:
    def __init__(self, parameter):
        self.parameter, self.gradients = parameter, []

    def remember(self):
        self.gradients.append(self.parameter.grad)


# %% Check
w = torch.tensor([1.0, 2.0], requires_grad=True)
history = History(w)
for factor in (1.0, 10.0):
    (factor * w).sum().backward()
    history.remember()
found = [g.tolist() for g in history.gradients]
assert found != [[11.0, 11.0], [11.0, 11.0]], "Both are one tensor, which the second pass has added to."
assert found == [[1.0, 1.0], [11.0, 11.0]], f"After two passes it must hold [1, 1] and [11, 11], and holds {found}."
assert all(g.grad_fn is None for g in history.gradients), "What is remembered must keep no graph."

# %% Hint
# Rule 3: the second pass writes into the tensor that the list holds.


# %% Project: 1
# 10 points: 4 for a fair measurement, 3 for the quotient, 3 for the end of the cache.
#
# At 2000 × 2000 the step with a gradient in the other layout takes about 5 to 12 times as long, and the quotient is
# hardly smaller for matrices of 200 × 200: even where all is in the cache, one of the two is read in jumps, number by
# number instead of line by line. The cache shows in the time for each element of the step with *equal* layouts. It
# stays the same until both matrices together, which are :math:`8 n^2` bytes, are as large as the last cache, and then
# rises, to two or three times as much; for a cache of 32 MB that is at :math:`n = 2000`, and earlier if other programs
# use the cache too.
#
# The usual mistakes: to time the first call, which brings the matrices into the cache, and to copy a gradient into the
# other layout without looking at its strides.


# %% Project: 2
# 10 points: 5 for the strides, 3 for dims of size 1, 2 for checks against ``.grad``.
#
# The shapes are equal, and so are the strides of each dim whose size is not 1: along a dim of size 1 nobody ever takes
# a step, so its stride says nothing. A parameter of shape (3, 1, 4) with the strides (4, 7, 1) has a gradient with the
# strides (4, 4, 1), and that is the same layout; one with gaps, of strides (8, 2), has a gradient of strides (4, 1),
# and that is another.
#
# The usual mistakes: to compare ``stride()`` alone, which says no to the first, or ``is_contiguous()``, which says yes
# to two tensors that both are not.
