"""Sums of exponentials with one entry raised after the other.

Without points: logsumexp.
"""

BY = 2.0 ** 40


def logsumexp_backward(d, x, axis):
    rows = np.moveaxis(x, axis, -1)
    e = np.exp(rows - rows.max(-1, keepdims=True))
    total, found = e.sum(-1), []
    for k in range(e.shape[-1]):
        raised = e.copy()
        raised[..., k] = raised[..., k] * BY
        found.append((raised.sum(-1) / total - 1) / (BY - 1))
    return np.moveaxis(d[..., None] * np.stack(found, -1), -1, axis)
