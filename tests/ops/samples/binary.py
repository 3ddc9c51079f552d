"""Sample rows of binary.py and of the small questions and steps: base 2, integers without a point, steps, fills."""

import numpy as np

from tests.ops.sampling import T, case, row

PAIR = (case(T(2, 3), T(3)), case(T(2, 1), T(3)), case(T(), T(2)), case(T(3), T(3)))
UNEQUAL = case(T(2, 3), T(2))


def steps(x, values):
    return np.where(x == 0, values, x > 0).astype(x.dtype)


BASE_2 = [
    row("frexp", case(T(2, 3, kind="nonzero")), case(T(kind="positive")), case(T(0, 3)), numpy=np.frexp,
        bad=case(T(3, kind="int"))),
    row("ldexp", *PAIR, case(T(0, 3), T(3)), numpy=lambda x, y: x * 2.0**y, complex=True, ints=True, bad=UNEQUAL),
    # PyTorch fails if out= has another dtype, and its gradient of a complex number is wrong
    row("ldexp", case(T(3), T(3, kind="int", low=-4)), numpy=lambda x, y: x * 2.0**y, complex=True, torch=False),
    row("nextafter", *PAIR[:3], case(T(0, 3), T(3)), numpy=np.nextafter, gradgrad=False, bad=UNEQUAL, atol=0),
    row("logaddexp2", *PAIR, case(T(0, 3), T(3)), numpy=np.logaddexp2, bad=case(T(3, kind="int"), T(3, kind="int"))),
    row("float_power", case(T(2, 3, kind="positive"), T(3)), case(T(3, kind="positive"), 2.5), case(T(2, 3), 2),
        numpy=np.float_power, complex=True, bad=case(T(3), "2")),
    row("float_power", case(2.5, T(2, 3)), numpy=np.float_power, complex=True, inplace=False),
    row("float_power", case(T(3, kind="int", low=1), T(3, kind="int")), case(T(3, kind="int"), 2), grad=False,
        inplace=False),
]

INTEGERS = [
    row(name, case(T(2, 3, kind="int", low=-30, high=30), T(3, kind="int", low=-30, high=30)),
        case(T(kind="int"), T(2, kind="int")), case(T(0, kind="int"), T(1, kind="int")), numpy=numpy, grad=False,
        bad=case(T(3), T(3)))
    for name, numpy in [("gcd", np.gcd), ("lcm", np.lcm)]
]

STEPS = [
    row("heaviside", *PAIR, case(T(values=[0., -1., 2., 0.], grad=False), T(4)), numpy=steps, ints=True, torch=False,
        bad=case(T(3), T(3, kind="int"))),
    row("heaviside", case(T(values=[0., -1., 0., 3.]), T(4)), case(T(2, 4), T(4)), numpy=steps, grad=False, ints=True,
        bad=UNEQUAL),
    row("isposinf", case(T(values=[1., np.nan, np.inf, -np.inf])), case(T(2, kind="int")), case(T(0)), grad=False,
        numpy=np.isposinf, bad=case(T(2, kind="complex"))),
    row("isneginf", case(T(values=[1., np.nan, np.inf, -np.inf])), case(T(2, kind="int")), case(T(0)), grad=False,
        numpy=np.isneginf, bad=case(T(2, kind="complex"))),
    row("fill", case(T(2, 3), 2.5), case(T(3), T()), case(T(0), 1), complex=True, ints=True, bad=case(T(3), T(2)),
        numpy=lambda x, value: np.full_like(x, value)),
]

QUESTIONS = [
    row("is_nonzero", case(T(1)), case(T(1, 1)), case(T(values=0.)), numpy=lambda x: bool(x.item()), grad=False,
        complex=True, ints=True, unmapped="control flow"),
    row("is_same_size", case(T(2, 3), T(2, 3)), case(T(2), T(2, 1)), numpy=lambda x, y: x.shape == y.shape, grad=False,
        complex=True, ints=True, bad=case(T(2), 2)),
    row("is_signed", case(T(2)), case(T(2, kind="bool")), numpy=lambda x: x.dtype.kind != "b", grad=False,
        complex=True, ints=True),
]

ROWS = BASE_2 + INTEGERS + STEPS + QUESTIONS
