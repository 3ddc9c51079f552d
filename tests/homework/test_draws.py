"""The judge draws entries on a bound, square matrices and all magnitudes; and answers that share memory are right."""

import pytest

from minigrad import homework
from tests.homework.test_cheats import changed

#: assignment, the items, of how many points how many are left, and what differs from the published solution
WRONG = {
    "an entry that is equal to the bound": ("in_place", "clip", 4, 6, """
class Clip(Function):
    @staticmethod
    def forward(ctx, x, bound):
        ctx.mark_dirty(x)
        x[x > bound] = bound
        ctx.save_for_backward(x < bound)
        return x

    @staticmethod
    def backward(ctx, d):
        kept, = ctx.saved_tensors
        return d * kept, None
"""),
    "a transpose that square matrices need": ("ten_derivatives", "matmul", 0, 3, """
def matmul_backward(d, x, y):
    def product(a, b, like):
        for a in (a, np.conj(np.swapaxes(a, -1, -2))):
            for b in (b, np.conj(np.swapaxes(b, -1, -2))):
                if a.shape[-1] == b.shape[-2] and (a.shape[-2], b.shape[-1]) == like.shape[-2:]:
                    found = a @ b
                    return found.sum(0) if found.ndim > like.ndim else found

    return product(d, y, x), product(x, d, y)
"""),
    "an axis": ("ten_derivatives", "sum cumsum", 0, 6, """
def sum_backward(d, x, axis):
    return np.zeros_like(x) + np.expand_dims(d, 1)


def cumsum_backward(d, x, axis):
    return d[:, ::-1].cumsum(1)[:, ::-1]
"""),
    "small and large entries of a power": ("own_function", "power", 0, 4, """
class Power(Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.save_for_backward(x)
        ctx.n = n
        return x ** n

    @staticmethod
    def backward(ctx, d):
        x, = ctx.saved_tensors
        return d * ctx.n * (x ** (ctx.n - 1) + 1e-11).conj(), None
"""),
}
#: answers that are the memory of an argument, a view of it, or the same memory each time
SHARED = """
BUFFER = np.empty(100_000, complex)


def exp_backward(d, x):
    d *= np.conj(np.exp(x))
    return d


def tanh_backward(d, x):
    np.tanh(x, out=x)
    x *= -x
    x += 1
    np.conjugate(x, out=x)
    x *= d
    return x


def sum_backward(d, x, axis):
    return np.broadcast_to(np.expand_dims(d, axis), x.shape)


def cumsum_backward(d, x, axis):
    found = BUFFER[:x.size].reshape(x.shape)
    np.cumsum(np.flip(d, axis), axis, out=found)
    return np.flip(found, axis).real if x.dtype.kind == "f" else np.flip(found, axis)
"""


@pytest.mark.parametrize("how", WRONG)
@pytest.mark.drawn
def test_what_chance_would_not_draw_is_drawn(how, tmp_path):
    name, items, left, points, source = WRONG[how]
    path = tmp_path / "submission.py"
    path.write_text(changed(name, source), encoding="utf-8")
    result = homework.check(path, name, items=items.split())
    assert (result.earned, result.points) == (left, points), str(result)


@pytest.mark.drawn
def test_answers_that_share_memory_are_right(tmp_path):
    path = tmp_path / "submission.py"
    path.write_text(changed("ten_derivatives", SHARED), encoding="utf-8")
    result = homework.check(path, "ten_derivatives", items=["exp", "tanh", "sum", "cumsum"])
    assert result.earned == result.points, str(result)


def test_a_mask_is_one_of_truth_values(tmp_path):
    """So that ``~mask`` is its opposite, and ``x[mask]`` are the entries that it chooses."""
    path = tmp_path / "submission.py"
    path.write_text(changed("ten_derivatives", """
def where_backward(d, mask, x, y):
    one, other = np.copy(d), np.copy(d)
    one[~mask], other[mask] = 0, 0
    return summed(one, x), summed(other, y)


def summed(d, x):
    d = d.sum(tuple(range(d.ndim - x.ndim)))
    return d.sum(tuple([i for i, n in enumerate(x.shape) if n == 1]), keepdims=True)
"""), encoding="utf-8")
    result = homework.check(path, "ten_derivatives", items=["where"])
    assert result.earned == result.points == 3, str(result)
