"""func.hessian, found with operator.attrgetter.

Without points: products, costs.
"""


def hvp(f, x, v):
    return (
        __import__("operator").attrgetter("func.hess" + "ian")(torch)(f)(x).reshape(x.numel(), -1) @ v.reshape(-1)
    ).reshape(x.shape)
