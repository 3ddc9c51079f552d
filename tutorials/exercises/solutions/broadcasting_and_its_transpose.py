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


# %% Project: 2
import minigrad as torch


def einsum_vjp(equation, a, b, g):
    """The gradients of ``torch.einsum(equation, a, b)``."""
    inputs, result = equation.split("->")
    first, second = inputs.split(",")
    sizes = dict(zip(first + second, (*a.shape, *b.shape)))

    def of(letters, other, of_other):
        copied = [letter for letter in letters if letter not in result + of_other]
        ones = [torch.ones(sizes[letter], dtype=g.dtype) for letter in copied]
        return torch.einsum(",".join([result, of_other, *copied]) + "->" + letters, g, other.conj(), *ones)

    return of(first, b, second), of(second, a, first)


for equation, *shapes in [("ij,jk->ik", (2, 3), (3, 4)), ("i,j->ij", (2,), (3,)), ("ij,j->", (2, 3), (3,)),
                          ("bij,bjk->bik", (5, 2, 3), (5, 3, 4)), ("ijx,jk->ki", (2, 3, 4), (3, 5))]:
    a, b = (torch.randn(shape, dtype=torch.cdouble, requires_grad=True) for shape in shapes)
    y = torch.einsum(equation, a, b)
    g = torch.randn_like(y)
    for found, wanted in zip(einsum_vjp(equation, a, b, g), torch.autograd.grad(y, (a, b), g)):
        assert torch.allclose(found, wanted)
