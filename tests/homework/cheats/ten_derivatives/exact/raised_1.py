"""The quotient of a sum of exponentials to one that has an entry raised, by so much that no digit is lost.

Without points: logsumexp.
"""

BY = 2.0 ** 40


def logsumexp_backward(d, x, axis):
    rows = np.moveaxis(x, axis, -1)
    e = np.exp(rows - rows.max(-1, keepdims=True))
    n = e.shape[-1]
    raised = np.where(np.eye(n, dtype=bool), (e * BY)[..., None, :], e[..., None, :])
    log = np.log(raised.sum(-1)) - np.log(e.sum(-1))[..., None]
    found = np.expm1(log) / (BY - 1)
    return np.moveaxis(d[..., None] * found, -1, axis)
