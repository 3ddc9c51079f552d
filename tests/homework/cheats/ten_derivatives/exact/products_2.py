"""The difference of products at two points, each entry moved by an amount of its own.

Without points: mul, div.
"""


def mul_backward(d, x, y):
    a = np.cos(np.arange(x.size).reshape(x.shape)) + 3
    b = np.cos(np.arange(y.size).reshape(y.shape)) + 3
    return (fit(d * np.conj(((x + a) * y - x * y) / a), x), fit(d * np.conj((x * (y + b) - x * y) / b), y))


def div_backward(d, x, y):
    a = np.cos(np.arange(x.size).reshape(x.shape)) + 3
    b = np.cos(np.arange(y.size).reshape(y.shape)) + 3
    r = 1 / y
    slope = ((r + b) * (r + b) - (r - b) * (r - b)) / (4 * b) * r
    return fit(d * np.conj(((x + a) / y - x / y) / a), x), fit(-d * np.conj(x * slope), y)
