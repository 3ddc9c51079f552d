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
