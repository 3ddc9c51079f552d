"""Solutions of the exercises of "Hooks on tensors and nodes"."""

# %% Solution: Where the nan begins
import minigrad as torch


def first_not_finite(tensors, result):
    found = []

    def look(name, gradient):
        if not gradient.isfinite().all():
            found.append(name)

    handles = [tensor.register_hook(lambda gradient, name=name: look(name, gradient))
               for name, tensor in tensors.items()]
    try:
        result.backward()
    finally:
        for handle in handles:
            handle.remove()
    return found[0] if found else None


# %% Solution: Freeze some rows
import minigrad as torch


def freeze_rows(matrix, rows):
    def hook(gradient):
        gradient = gradient.clone()
        gradient[rows] = 0
        return gradient

    return matrix.register_hook(hook)


# %% Solution: One path, scaled
import minigrad as torch


def scaled_path(x, factor):
    path = x.view_as(x)
    path.register_hook(lambda gradient: factor * gradient)
    return path


# %% Project: 2
import minigrad as torch

w, called = torch.tensor(2.0, requires_grad=True), []


def step_now(weight):
    called.append(weight.grad.item())
    with torch.no_grad():
        weight -= 0.01 * weight.grad
    weight.grad = None


w.register_post_accumulate_grad_hook(step_now)
y = w * 3 * w
y.backward(retain_graph=True)
assert called == [12.0]
try:
    y.backward(retain_graph=True)
    raised = False
except RuntimeError as problem:
    raised = "modified by an inplace operation" in str(problem)
assert raised
