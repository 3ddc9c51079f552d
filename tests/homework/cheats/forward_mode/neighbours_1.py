"""The tangents of a sine and a cosine by differences along the tangent of half the angle.

Without points: nested.
"""

C = (4 / 5, -1 / 5, 4 / 105, -1 / 280)


def slope(f, u, h=0.02):
    """u f'(u)."""
    return sum([(f(u * (1 + k * h)) + f(u * (1 - k * h)) * -1) * (c / h) for k, c in enumerate(C, 1)])


def half(x):
    return sin(x * 0.5) / cos(x * 0.5)


def of_sine(x):
    t = half(x)
    return slope(lambda t: t / (t * t + 1), t) * (t * t + 1) / t


def of_cosine(x):
    t = half(x)
    return slope(lambda t: 1 / (t * t + 1) if not isinstance(t, Dual) else Dual(1.0, 0.0) / (t * t + 1), t) * (
        t * t + 1) / t


Dual.sin = lambda self: Dual(sin(self.value), self.tangent * of_sine(self.value))
Dual.cos = lambda self: Dual(cos(self.value), self.tangent * of_cosine(self.value))
