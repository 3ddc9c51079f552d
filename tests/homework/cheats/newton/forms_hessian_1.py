"""The whole Hessian, row by row, from products with unit vectors; one call of f.

Without points: products, costs.
"""


def hvp(f, x, v):
    y = x.detach().requires_grad_()
    with torch.enable_grad():
        (g,) = torch.autograd.grad(f(y), y, create_graph=True)
        g = g.reshape(-1)
        H = torch.stack([torch.autograd.grad(g[i], y, retain_graph=True)[0].reshape(-1) for i in range(len(g))])
    return (H @ v.reshape(-1)).reshape(x.shape)
