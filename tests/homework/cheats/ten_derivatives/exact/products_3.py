"""Products at points that are shifted along a vector of signs, and divided by it.

Without points: mul, add.
"""


def mul_backward(d, x, y):
    a = np.where(np.arange(x.size) % 2, 64.0, -32.0).reshape(x.shape)
    b = np.where(np.arange(y.size) % 2, 4.0, -2.0).reshape(y.shape)
    return (fit(d * np.conj((np.multiply(x + a, y) - np.multiply(x - a, y)) * (0.5 / a)), x),
            fit(d * np.conj((np.multiply(x, y + b) - np.multiply(x, y - b)) * (0.5 / b)), y))


def add_backward(d, x, y):
    return fit(d * ((x + 8.0 + y) - (x - 8.0 + y)) / 16.0, x), fit(d * ((x + (y + 8.0)) - (x + (y - 8.0))) / 16.0, y)
