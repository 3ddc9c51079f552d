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
    ((1, 4), (7, 1)): True, ((), ()): True, ((5,), (1,)): True, ((5,), (2,)): False,
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
