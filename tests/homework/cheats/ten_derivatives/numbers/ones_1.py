"""Differences by one, number by number.

Without points: mul, add, div.
"""


def each(f, x, y, d):
    flat = [(a, b, c) for a, b, c in zip(np.broadcast_to(x, d.shape).ravel().tolist(),
                                        np.broadcast_to(y, d.shape).ravel().tolist(), d.ravel().tolist())]
    gx = [c * np.conj(f(a + 1, b) - f(a, b)) for a, b, c in flat]
    gy = [c * np.conj(f(a, b + 1) - f(a, b)) for a, b, c in flat]
    return fit(np.array(gx).reshape(d.shape), x), fit(np.array(gy).reshape(d.shape), y)


def mul_backward(d, x, y):
    return each(lambda a, b: a * b, x, y, d)


def add_backward(d, x, y):
    return each(lambda a, b: a + b, x, y, d)


def div_backward(d, x, y):
    flat = [(a, b, c) for a, b, c in zip(np.broadcast_to(x, d.shape).ravel().tolist(),
                                        np.broadcast_to(y, d.shape).ravel().tolist(), d.ravel().tolist())]
    gx = [c * np.conj((a + 1) / b - a / b) for a, b, c in flat]
    gy = [-c * np.conj(a / b * ((1 / b + 1) - 1) if 0 else a / b * (1 / b)) for a, b, c in flat]
    return fit(np.array(gx).reshape(d.shape), x), fit(np.array(gy).reshape(d.shape), y)
