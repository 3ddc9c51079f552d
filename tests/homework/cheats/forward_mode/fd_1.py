"""jvp evaluates f at eight shifted arrays, and not with a Dual.

Without points: whole, nested.
"""

C = (4 / 5, -1 / 5, 4 / 105, -1 / 280)


class Plain(np.ndarray):
    exp, sin, cos = (lambda s: np.exp(s)), (lambda s: np.sin(s)), (lambda s: np.cos(s))


def jvp(f, x, v):
    x = x if isinstance(x, Dual) else np.asarray(x)
    p = (lambda a: a) if isinstance(x, Dual) else (lambda a: a.view(Plain))
    h = 0.02
    t = 0
    for k, c in enumerate(C, 1):
        t = t + (f(p(x + v * (k * h))) - f(p(x - v * (k * h)))) * (c / h)
    return f(p(x)), t
