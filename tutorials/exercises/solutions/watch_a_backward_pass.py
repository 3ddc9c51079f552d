"""Solutions of the exercises of "Watch a backward pass"."""

# %% Solution: How many gradients arrive?
arrivals = {"product": 4, "square": 2, "power": 1}


# %% Solution: As few as possible
import minigrad as torch


def twelfth(x):
    second = x * x
    fourth = second * second
    return fourth * (fourth * fourth)


# %% Solution: Follow the pass by hand
import minigrad as torch


def cotangents(w, x, t):
    of_difference = 2 * (w * x - t)
    of_product = of_difference
    return of_difference, of_product, of_product * x


# %% Project: 1
import minigrad as torch

a, b = torch.tensor([2.0, 2.0], requires_grad=True).unbind()
assert [each.item() for each in torch.autograd.grad(torch.maximum(a, b), (a, b))] == [0.5, 0.5]


# %% Project: 3
import minigrad as torch

x = torch.tensor([0.0, -1.0], requires_grad=True)
root = x.sqrt()
at_root, at_x = torch.autograd.grad(torch.where(x > 0, root, x).sum(), (root, x))
assert at_root.tolist() == [0.0, 0.0] and at_x.isnan().all()
