"""Solutions of the exercises of "From numbers to tensors"."""

# %% Solution: Weights on the left
def gradients(W, x, z_bar):
    return z_bar @ x.T, W.T @ z_bar


# %% Solution: A factor for each row
def gradients(s, x, b, y_bar):
    return (y_bar * x).sum(1, keepdim=True), y_bar.sum(0)


# %% Solution: The softmax by itself
def gradient(z, p_bar):
    p = z.softmax(0)
    return p * (p_bar - (p * p_bar).sum())


# %% Project: 1
import minigrad as torch

torch.manual_seed(0)
u, v, w = (torch.randn(n, dtype=torch.float64, requires_grad=True) for n in (3, 4, 4))
M = torch.randn(3, 4, dtype=torch.float64, requires_grad=True)


def agree(result, bar, inputs, by_hand):
    found = torch.autograd.grad(result, inputs, bar)
    return all(torch.allclose(a, b) for a, b in zip(found, by_hand, strict=True))


z_bar, y_bar = torch.randn(3, 4, dtype=torch.float64), torch.randn(3, dtype=torch.float64)
s_bar = torch.tensor(2.0, dtype=torch.float64)
assert agree(torch.outer(u, v), z_bar, (u, v), (z_bar @ v, z_bar.T @ u))
assert agree(M @ v, y_bar, (M, v), (torch.outer(y_bar, v), M.T @ y_bar))
assert agree(w @ v, s_bar, (w, v), (s_bar * v, s_bar * w))

assert torch.equal(torch.outer(u, v), u[:, None] @ v[None, :])
assert torch.allclose(M @ v, (M @ v[:, None])[:, 0]) and torch.allclose(w @ v, w[None, :] @ v[:, None])


# %% Project: 2
import minigrad as torch

torch.manual_seed(0)
x, y = torch.randn(20, 3, dtype=torch.float64), torch.randn(20, 2, dtype=torch.float64)
W = torch.randn(3, 2, dtype=torch.float64, requires_grad=True)


def gradient(W):
    return torch.autograd.grad(((x @ W - y) ** 2).mean(), W)[0]


assert torch.allclose(gradient(W), 2 / y.numel() * x.T @ (x @ W - y))
best = torch.linalg.solve(x.T @ x, x.T @ y).requires_grad_()
assert torch.allclose(best, torch.linalg.lstsq(x, y).solution)
assert gradient(best).abs().max() < 1e-12
assert (x @ best - y).abs().max() > 0.1
