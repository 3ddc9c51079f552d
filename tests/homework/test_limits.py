"""What the judge does not see, as docs/homework/judging.rst says: these ways have points that they do not deserve."""

import pytest

from minigrad import homework
from tests.homework.test_cheats import changed
from tests.homework.test_trainings import KEPT_AS_BYTES

#: what is not seen -> assignment, item, and the source
OPEN = {
    "differences whose step is another one for each number": ("ten_derivatives", "mul", """
def mul_backward(d, x, y):
    gx, gy = np.zeros(d.shape, d.dtype), np.zeros(d.shape, d.dtype)
    a, b = np.broadcast_to(x, d.shape), np.broadcast_to(y, d.shape)
    for i in np.ndindex(*d.shape):
        s, t = a[i].item(), b[i].item()
        gx[i] = d[i] * ((3 * s * t - s * t) / (2 * s)).conjugate()
        gy[i] = d[i] * ((3 * t * s - t * s) / (2 * t)).conjugate()
    return fit(gx, x), fit(gy, y)
"""),
    "unit vectors, number by number": ("ten_derivatives", "cumsum", """
def cumsum_backward(d, x, axis):
    n, d = x.shape[axis], np.moveaxis(d, axis, -1)
    found = np.zeros(d.shape, d.dtype)
    for k in range(n):
        total = 0.0
        for j in range(n):
            total = total + (j == k)
            found[..., k] += total * d[..., j]
    return np.moveaxis(found, -1, axis)
"""),
    "a matrix whose power has the slope beside its diagonal": ("own_function", "power", """
class Power(Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.save_for_backward(x)
        ctx.n = n
        return x ** n

    @staticmethod
    def backward(ctx, d):
        x, = ctx.saved_tensors
        m = torch.stack([torch.stack([x, x * 0 + 1], -1), torch.stack([x * 0, x], -1)], -2)
        p = m
        for _ in range(ctx.n - 1):
            p = p @ m
        return d * p[..., 0, 1].conj(), None


import minigrad as torch
"""),
    "a difference of powers, which is a multiple of one": ("own_function", "power", """
class Power(Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.save_for_backward(x)
        ctx.n = n
        return x ** n

    @staticmethod
    def backward(ctx, d):
        x, = ctx.saved_tensors
        n = ctx.n
        return d * (n / (2 ** n - 0.5 ** n) * ((2 * x) ** n - (x / 2) ** n) / x).conj(), None
"""),
    "gradients, and besides a solution for weights that are drawn anew": ("classifier", "nonlinear", """
def train(x, labels, classes, seed):
    random, n = np.random.default_rng(seed), 40
    p = [random.normal(size=(x.shape[1], n)), random.normal(size=n), random.normal(size=(n, classes)) / 5,
         np.zeros(classes)]
    goal = p
    for t in range(500):
        p = [a - 0.2 * g for a, g in zip(p, gradients(p, x, labels))]
        if t % 25 == 24:
            w1, b1 = [a + 0.5 * random.normal(size=a.shape) for a in p[:2]]
            h = np.c_[np.tanh(x @ w1 + b1), np.ones(len(x))]
            w = np.linalg.solve(h.T @ h + 0.01 * np.eye(n + 1), h.T @ (8 * np.eye(classes)[labels] - 4))
            goal = w1, b1, w[:-1], w[-1]
        if t > 24:
            p = [a + 0.1 * (b - a) for a, b in zip(p, goal)]
    return p
"""),
    "weights that are nowhere to be found": ("classifier", "nonlinear", KEPT_AS_BYTES.replace(
        "ORDER", "-1").replace("VIEW", "view").replace("PRODUCT", "np.dot").replace(
        "STEP", "np.ravel(a) - g.ravel()").replace("9", "24").replace("30", "500").replace(
        "    for _ in range", "    back = random.normal(size=(24, classes)) / 3\n    for _ in range").replace(
        "np.dot(d, np.transpose(p[2]))", "np.dot(d, back.T)")),
}


@pytest.mark.parametrize("idea", OPEN)
@pytest.mark.drawn
def test_what_is_not_seen_has_points(idea, tmp_path):
    name, item, source = OPEN[idea]
    path = tmp_path / "submission.py"
    path.write_text(changed(name, source), encoding="utf-8")
    result = homework.check(path, name, items=[item])
    assert result.earned == result.points, str(result)
