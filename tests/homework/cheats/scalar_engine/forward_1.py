"""Forward mode: the derivatives with respect to all leaves are digits of one integer.

Without points: everything.
"""

import math
W, S = (512, 200)
LANES = []


class Value:

    def __init__(self, data, P=None):
        self.data, self.grad = (data, 0.0)
        if P is None:
            P = 1 << W * len(LANES) + S
            LANES.append(self)
        self.P = P

    def _lin(self, data, *terms):
        P = 0
        for v, c in terms:
            P += v.P * int(math.ldexp(c, 60))
        return Value(data, None) if False else _mk(data, P)

    def __add__(self, o):
        if not isinstance(o, Value):
            return _mk(self.data + o, [(self, 1.0)])
        return _mk(self.data + o.data, [(self, 1.0), (o, 1.0)])

    def __mul__(self, o):
        if not isinstance(o, Value):
            return _mk(self.data * o, [(self, o)])
        return _mk(self.data * o.data, [(self, o.data), (o, self.data)])

    def __pow__(self, n):
        return _mk(self.data ** n, [(self, n * self.data ** (n - 1))])

    def exp(self):
        e = math.exp(self.data)
        return _mk(e, [(self, e)])

    def tanh(self):
        e = math.tanh(self.data)
        return _mk(e, [(self, 1 - e * e)])

    def backward(self):
        P, k = (self.P, 0)
        b = P + BIAS
        raw = b.to_bytes(W // 8 * (len(LANES) + 1), 'little')
        for v in LANES:
            lane = int.from_bytes(raw[k:k + W // 8], 'little') - HALF
            k += W // 8
            if lane:
                v.grad += lane / (1 << S)

    def __neg__(self):
        return self * -1

    def __sub__(self, o):
        return self + -o

    def __truediv__(self, o):
        return self * (o ** (-1) if isinstance(o, Value) else 1 / o)

    def __radd__(self, o):
        return self + o

    def __rmul__(self, o):
        return self * o

    def __rsub__(self, o):
        return -self + o


HALF = 1 << W - 2
BIAS = 0
BL = 0
MASKN = MASK = 0


def _grow():
    global BIAS, BL
    while BL < len(LANES):
        BIAS += HALF << W * BL
        BL += 1


def _mk(data, terms):
    _grow()
    P = 0
    for v, c in terms:
        P += v.P * int(math.ldexp(c, 60))
    b = P + BIAS >> 60
    return Value(data, _clear(b))


CL = CM = CB = 0


def _clear(b):
    global CL, CM, CB
    while CL < len(LANES):
        CM |= (1 << W - 60) - 1 << W * CL
        CB += HALF >> 60 << W * CL
        CL += 1
    return (b & CM) - CB
