"""Twice the digits, as pairs of floats: the step is in the second of the two.

Without points: exp.
"""

def two_sum(a, b):
    s = a + b
    t = s - a
    return s, (a - (s - t)) + (b - t)


def two_product(a, b):
    p = a * b
    c = 134217729.0 * a
    a1 = c - (c - a)
    c = 134217729.0 * b
    b1 = c - (c - b)
    return p, ((a1 * b1 - p) + a1 * (b - b1) + (a - a1) * b1) + (a - a1) * (b - b1)


def add(x, y):
    s, e = two_sum(x[0], y[0])
    return two_sum(s, e + x[1] + y[1])


def mul(x, y):
    p, e = two_product(x[0], y[0])
    return two_sum(p, e + x[0] * y[1] + x[1] * y[0])


def over(x, n):
    q = x[0] / n
    p, e = two_product(q, n)
    return two_sum(q, ((x[0] - p) - e + x[1]) / n)


def exp_of(x):
    x = x[0] / 256, x[1] / 256
    total = term = (x[0] * 0 + 1, x[0] * 0)
    for k in range(1, 16):
        term = over(mul(term, x), float(k))
        total = add(total, term)
    for _ in range(8):
        total = mul(total, total)
    return total


def exp_backward(d, x):
    h = 1e-14
    far, near = exp_of((x, x * 0 + h)), exp_of((x, x * 0))
    return d * ((far[0] - near[0]) + (far[1] - near[1])) / h
