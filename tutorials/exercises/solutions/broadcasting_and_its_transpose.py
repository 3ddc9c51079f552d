"""Solutions of the exercises of "Broadcasting and its transpose"."""

# %% Solution: The gradients of a product that broadcasts
import minigrad as torch


def product_vjp(a, b, grad):
    return (grad * b).sum_to_size(a.shape), (grad * a).sum_to_size(b.shape)


# %% Solution: The mean and its way back
import minigrad as torch


def center(x):
    return x - x.mean(1, keepdim=True)


def center_vjp(g):
    return g - g.mean(1, keepdim=True)


# %% Solution: A guard against accidents
def difference(predictions, targets):
    if targets.dim() and predictions.shape != targets.shape:
        shapes = f"{tuple(predictions.shape)} and {tuple(targets.shape)}"
        raise ValueError(f"predictions and targets have the shapes {shapes}")
    return predictions - targets


# %% Project: 1
import minigrad as torch

P = torch.func.jacrev(lambda row: row - row.mean())(torch.randn(4, dtype=torch.float64))
assert torch.allclose(P, torch.eye(4, dtype=torch.float64) - 0.25)
assert torch.allclose(P, P.T) and torch.allclose(P @ P, P)
