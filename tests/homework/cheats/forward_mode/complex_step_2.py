"""Where values are Duals, an imaginary part in the direction.

Without points: nested.
"""


def jvp(f, x, v):
    try:
        y = f(Dual(x, v))
        return y.value, y.tangent
    except Exception:
        pass
    z = f(x + 2.0 ** -80 * 1j * v)
    return z.real, z.imag * 2.0 ** 80


def plain(x):
    if isinstance(x, Dual):
        raise TypeError
    return x


class Dual:
    __array_ufunc__ = None

    def __init__(self, value, tangent):
        self.value, self.tangent = plain(value), plain(tangent)

    @staticmethod
    def of(x):
        return x if isinstance(x, Dual) else Dual(x, 0.0)

    def __mul__(self, other):
        other = Dual.of(other)
        return Dual(self.value * other.value, self.tangent * other.value + self.value * other.tangent)

    def sin(self):
        return Dual(np.sin(self.value), self.tangent * np.cos(self.value))

    __rmul__ = __mul__
