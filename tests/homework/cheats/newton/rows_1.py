"""Rows of the Hessian, one after the other; only their products with v are kept.

Without points: products, costs.
"""


def hvp(f, x, v):
    x = x.detach().requires_grad_()
    (g,) = torch.autograd.grad(f(x), x, create_graph=True)
    rows = [(torch.autograd.grad(each, x, retain_graph=True)[0] * v).sum() for each in g.reshape(-1)]
    return torch.stack(rows).reshape(x.shape)
