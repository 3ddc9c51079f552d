"""func.vmap over an identity matrix, of the vjp of func.grad: a Hessian without a forbidden name.

Without points: products, costs.
"""


def hvp(f, x, v):
    return (
        torch.func.vmap(torch.func.vjp(torch.func.grad(f), x)[1])(
            torch.eye(x.numel(), dtype=x.dtype).reshape(-1, *x.shape)
        )[0]
        .reshape(x.numel(), -1)
        .T
        @ v.reshape(-1)
    ).reshape(x.shape)
