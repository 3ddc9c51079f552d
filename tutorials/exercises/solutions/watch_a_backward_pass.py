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


# %% Project: 2
import minigrad as torch

torch.manual_seed(0)
images, labels = torch.randn(2, 64), torch.tensor([1, 3])
W1, W2 = torch.randn(64, 3, requires_grad=True), torch.randn(3, 10, requires_grad=True)
b1, b2 = torch.zeros(3, requires_grad=True), torch.zeros(10, requires_grad=True)
loss = torch.nn.functional.cross_entropy(torch.relu(images @ W1 + b1) @ W2 + b2, labels)
flows = [flow for step in torch.viz.play(loss).steps for flow in step.flows]
assert [flow.gradient.shape for flow in flows if flow.fitted] == [(10,), (3,)]
assert [flow.gradient.shape for flow in flows if flow.formula == "selfᵀ @ d"] == [(3, 10), (64, 3)]


# %% Project: 3
import minigrad as torch

x = torch.tensor([0.0, -1.0], requires_grad=True)
root = x.sqrt()
at_root, at_x = torch.autograd.grad(torch.where(x > 0, root, x).sum(), (root, x))
assert at_root.tolist() == [0.0, 0.0] and at_x.isnan().all()
