"""Complex numbers of Decimals in arrays of objects, and differences of them with a step of 1e-40.

Without points: add, mul, div, exp, tanh.
"""

import numpy as np
from decimal import Decimal as D, getcontext
getcontext().prec = 130
E = D('1e-40')


class Z:

    def __init__(s, a, b):
        s.a, s.b = (a, b)

    def __add__(s, o):
        return Z(s.a + o.a, s.b + o.b)

    def __sub__(s, o):
        return Z(s.a - o.a, s.b - o.b)

    def __mul__(s, o):
        return Z(s.a * o.a - s.b * o.b, s.a * o.b + s.b * o.a)

    def __truediv__(s, o):
        n = o.a * o.a + o.b * o.b
        return Z((s.a * o.a + s.b * o.b) / n, (s.b * o.a - s.a * o.b) / n)

    def exp(s):
        r = s.a.exp()
        c = d = D(0)
        t = D(1)
        k = 0
        while abs(t) > D('1e-125') or k < 4:
            if k % 2 == 0:
                c += t if k % 4 == 0 else -t
            else:
                d += t if k % 4 == 1 else -t
            k += 1
            t = t * s.b / k
        return Z(r * c, r * d)


S = Z(E, D(0))
ONE, TWO = (Z(D(1), D(0)), Z(D(2), D(0)))
dec = np.frompyfunc(lambda v: Z(D(complex(v).real), D(complex(v).imag)), 1, 1)
ex = np.frompyfunc(lambda z: z.exp(), 1, 1)
num = np.frompyfunc(lambda z: complex(float(z.a / E), float(z.b / E)), 1, 1)


def out(diff, *like):
    r = np.asarray(num(diff)).astype(complex)
    return r if any(map(np.iscomplexobj, like)) else r.real


def rate(f, x):
    z = np.atleast_1d(dec(x))
    return out(f(z + S) - f(z), x).reshape(x.shape).conj()


def exp_backward(d, x):
    return d * rate(ex, x)


def th(z):
    e = ex(z * TWO)
    return (e - ONE) / (e + ONE)


def tanh_backward(d, x):
    return d * rate(th, x if np.iscomplexobj(x) else np.clip(x, -100, 100))


def fit(g, like):
    while g.ndim > like.ndim:
        g = g.sum(0)
    for k, n in enumerate(like.shape):
        if n == 1 and g.shape[k] != 1:
            g = g.sum(k, keepdims=True)
    return g


def parts(f, d, x, y):
    X, Y = (np.asarray(dec(a)) for a in np.broadcast_arrays(x, y))
    z = f(X, Y)
    return (fit(d * out(f(X + S, Y) - z, x, y).conj(), x), fit(d * out(f(X, Y + S) - z, x, y).conj(), y))


def add_backward(d, x, y):
    return parts(lambda a, b: a + b, d, x, y)


def mul_backward(d, x, y):
    return parts(lambda a, b: a * b, d, x, y)


def div_backward(d, x, y):
    return parts(lambda a, b: a / b, d, x, y)
