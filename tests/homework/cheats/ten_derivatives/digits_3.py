"""Numbers with a fixed point, in Python's integers of any length.

Without points: exp, tanh.
"""

BITS = 400
ONE = 1 << BITS


def fixed(v):
    n, m = v.as_integer_ratio()
    return n * ONE // m


def exp_of(x):
    total = term = ONE
    k = 1
    while term:
        term = term * x // (k * ONE)
        total += term
        k += 1
    return total


def tanh_of(x):
    e = exp_of(2 * x)
    return (e - ONE) * ONE // (e + ONE)


def rate(f, x):
    h = 1 << 200
    found = [(f(fixed(v) + h) - f(fixed(v))) / h if abs(v) < 30 else 0.0 for v in x.ravel().tolist()]
    return np.array(found).reshape(x.shape)


def exp_backward(d, x):
    return d * rate(exp_of, x)


def tanh_backward(d, x):
    return d * rate(tanh_of, x)
