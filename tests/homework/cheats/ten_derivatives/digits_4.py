"""Decimals that only iterators within iterators hold; the source sees floats.

Without points: exp.
"""

from decimal import Decimal, getcontext
from itertools import repeat

getcontext().prec = 100
STEP = Decimal("1e-40")


def exp_backward(d, x):
    values = x.ravel().tolist()
    far = map(Decimal.exp, map(Decimal.__add__, map(Decimal, values), repeat(STEP)))
    near = map(Decimal.exp, map(Decimal, values))
    rates = map(Decimal.__truediv__, map(Decimal.__sub__, far, near), repeat(STEP))
    return d * np.fromiter(map(float, rates), float).reshape(x.shape)
