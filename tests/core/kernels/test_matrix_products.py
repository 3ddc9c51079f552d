"""The products in C against the general way: every layout, dtype and batch, and what they allocate."""

import itertools
import threading
import tracemalloc

import numpy as np
import pytest

import minigrad as torch
from minigrad._core.dispatch.compute import on_arrays, on_arrays_general, on_arrays_in_c
from minigrad.ops.exports import ROWS

from .test_fast_paths import DTYPES, LAYOUTS, numbers, outcome

FACTORS = {
    "mm": [((2, 3), (3, 4)), ((1, 1), (1, 1)), ((3, 0), (0, 2)), ((0, 3), (3, 2)), ((2, 3), (3, 0)),
           ((40, 50), (50, 60)), ((1, 5), (5, 1)), ((5, 1), (1, 5)), ((2, 3), (4, 2)),
           ((7, 3), (3, 1)), ((3,), (3, 2)), ((1, 40), (40, 50)),
           ((40, 50), (50, 1))],
    "bmm": [((2, 3, 4), (2, 4, 5)), ((0, 3, 4), (0, 4, 5)), ((2, 0, 4), (2, 4, 5)), ((2, 3, 0), (2, 0, 5)),
            ((1, 1, 1), (1, 1, 1)), ((2, 3, 4), (3, 4, 5)), ((2, 3, 4), (2, 3, 5)), ((3, 40, 50), (3, 50, 60)),
            ((2, 3, 4), (1, 4, 5)), ((3, 4), (4, 5))],
    "mv": [((3, 4), (4,)), ((0, 4), (4,)), ((3, 0), (0,)), ((1, 1), (1,)), ((3, 4), (3,)), ((50, 60), (60,)),
           ((3,), (3,))],
    "dot": [((5,), (5,)), ((0,), (0,)), ((1,), (1,)), ((5,), (4,)), ((100,), (100,)), ((5, 1), (5,)),
            ((2000,), (2000,))],
    "times": [((2, 3), (3, 4)), ((2, 3, 4), (2, 4, 5)), ((5, 2, 3, 4), (5, 2, 4, 2)), ((2, 3, 0), (2, 0, 5)),
              ((0, 3, 4), (0, 4, 5)), ((2, 0, 3, 4), (2, 0, 4, 5)), ((2, 3, 4), (4, 5)), ((3, 4), (2, 4, 5)),
              ((6, 1, 3, 4), (5, 4, 2)), ((1, 3, 4), (5, 4, 2)), ((5, 1, 4), (4, 2)), ((3, 20, 30), (1, 30, 20)),
              ((2, 3, 4), (3, 4, 5)), ((2, 3, 4), (2, 3, 5)), ((2, 1, 2, 3), (1, 4, 3, 2))],
    "outer_product": [((3,), (4,)), ((1,), (1,)), ((0,), (3,)), ((3,), (0,)), ((3, 1), (3,))],
}
ADDED = {
    "addmm": ("mm", [(), (4,), (2, 4), (1, 4), (2, 1), (3,), (2, 2, 4), (1,), (60,), (40, 60)]),
    "addmv": ("mv", [(), (3,), (1,), (2, 3), (50,)]),
    "baddbmm": ("bmm", [(), (5,), (2, 3, 5), (1, 3, 1), (2, 1, 5), (4,)]),
    "addr": ("outer_product", [(), (4,), (3, 4), (3, 1), (2, 3, 4)]),
}


def check(name, *args):
    """Both ways give the same, but for the order of sums in BLAS, or are refused alike."""
    before = [np.array(a) for a in args]
    fast, slow = outcome(on_arrays, ROWS[name], *args), outcome(on_arrays_general, ROWS[name], *args)
    if isinstance(fast, tuple) or isinstance(slow, tuple):
        assert fast == slow
        return fast
    assert type(fast) is np.ndarray and fast.dtype == slow.dtype and fast.shape == slow.shape
    tolerance = {2: 2e-2, 4: 1e-5}.get(np.empty(0, fast.dtype).real.itemsize, 1e-12)
    if fast.dtype.kind not in "fc":
        np.testing.assert_array_equal(fast, slow)
    elif not np.allclose(fast, slow, rtol=tolerance, atol=10 * tolerance, equal_nan=True):
        # n terms may be added with an error of n eps times the sum of their sizes (Higham 2002, section 4.2).
        sizes = on_arrays_general(ROWS[name], *map(np.abs, args))
        bound = max(map(np.size, args)) * np.finfo(fast.dtype).eps * sizes
        np.testing.assert_array_less(np.abs(fast - slow), bound)
    for a, b in zip(args, before):
        np.testing.assert_array_equal(a, b)
        assert name == "adjoint" or not np.shares_memory(a, fast)
    return fast


@pytest.mark.drawn
@pytest.mark.parametrize("name, left, right", [(name, *pair) for name, pairs in FACTORS.items() for pair in pairs])
def test_every_layout(name, left, right):
    for dtype in ("float32", "float64", "complex128", "int64"):
        a, b = numbers(left, dtype, 1), numbers(right, dtype, 2)
        for la, lb in itertools.product(LAYOUTS, repeat=2):
            check(name, LAYOUTS[la](a), LAYOUTS[lb](b))


@pytest.mark.parametrize("name", FACTORS)
def test_every_dtype(name):
    for left, right in FACTORS[name][:2]:
        for one, other in itertools.product(DTYPES, repeat=2):
            check(name, numbers(left, one, 1), numbers(right, other, 2))


@pytest.mark.drawn
@pytest.mark.parametrize("name, shape", [(name, shape) for name, (_, shapes) in ADDED.items() for shape in shapes])
def test_a_product_added_to_something(name, shape):
    for left, right in FACTORS[ADDED[name][0]]:
        for dtype in ("float32", "complex64", "int32"):
            a, b, c = numbers(left, dtype, 1), numbers(right, dtype, 2), numbers(shape, dtype, 3)
            for layout in LAYOUTS:
                check(name, LAYOUTS[layout](c), a, LAYOUTS[layout](b), 1, 1)
            check(name, c, a, b, 2, 3)


@pytest.mark.parametrize("name", ADDED)
def test_a_product_added_to_something_of_any_dtype(name):
    left, right = FACTORS[ADDED[name][0]][0]
    for added, product in itertools.product(DTYPES, repeat=2):
        check(name, numbers(ADDED[name][1][1], added, 3), numbers(left, product, 1), numbers(right, product, 2), 1, 1)


@pytest.mark.parametrize("name, left, right, added", [("addmm", (2, 3), (3, 4), (4,)), ("addmv", (2, 3), (3,), (2,)),
                                                      ("baddbmm", (2, 3, 4), (2, 4, 5), (3, 5)),
                                                      ("addr", (2,), (3,), (2, 3))])
def test_factors_of_a_sum_with_a_product(name, left, right, added):
    """Real ones are taken in C; what is multiplied by 0 may be nan, and is left to the general way."""
    for dtype, layout in itertools.product(("float32", "float64"), LAYOUTS):
        a, b, c = numbers(left, dtype, 1), numbers(right, dtype, 2), LAYOUTS[layout](numbers(added, dtype, 3))
        if c.shape != added:
            continue
        for beta, alpha in [(2, 3), (0.5, -1.5), (1, 0), (np.nan, 1), (1, np.inf)]:
            assert on_arrays_in_c(ROWS[name], c, a, b, beta, alpha) is not None or layout != "rows"
            check(name, c, a, b, beta, alpha)
        assert on_arrays_in_c(ROWS[name], np.full_like(c, np.nan), a, b, 0, 2) is None
        assert np.isfinite(check(name, np.full_like(c, np.nan), a, b, 0, 2)).all()
        for factors in [(1j, 1), (1, 2j), (True, 2), (2**80, 1)]:
            assert on_arrays_in_c(ROWS[name], c, a, b, *factors) is None


def test_the_adjoint_of_a_batch_is_a_view_where_it_is_real():
    for shape, layout, dtype in itertools.product([(2, 3), (4, 2, 3), (0, 2), (2, 1, 1, 3), (5,), ()], LAYOUTS, DTYPES):
        if len(shape) >= 2:
            a = LAYOUTS[layout](numbers(shape, dtype))
            out = check("adjoint", a)
            assert np.shares_memory(a, out) == (dtype[0] != "c" and a.size > 0)


@pytest.mark.parametrize("shape", [(3,), (2, 3), (4, 2, 3), (0,), (3, 0), (0, 3), (2, 100), (3, 1)])
def test_vecdot(shape):
    for dtype, dim in itertools.product(DTYPES, {-1, 0, len(shape) - 1}):
        if dtype != "bool":
            a, b = numbers(shape, dtype, 1), numbers(shape, dtype, 2)
            for la, lb in itertools.product(LAYOUTS, ["rows", "every other", "transposed"]):
                if LAYOUTS[la](a).shape == LAYOUTS[lb](b).shape:
                    check("vecdot", LAYOUTS[la](a), LAYOUTS[lb](b), dim)


@pytest.mark.parametrize("shape", [(3, 3), (2, 5), (5, 2), (0, 3), (3, 0), (1, 1), (300, 300), (3,), (2, 2, 2)])
def test_trace(shape):
    for dtype, layout in itertools.product(DTYPES, LAYOUTS):
        check("trace", LAYOUTS[layout](numbers(shape, dtype)))


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "int32", "int64"])
@pytest.mark.parametrize("largest", [9, 2**20, 2**23, 2**24, 2**26, 2**31, 2**62])
def test_products_of_integers_are_exact_and_wrap_around(dtype, largest):
    limits, rng = np.iinfo(dtype), np.random.default_rng(largest % 1000)
    a, b = [rng.integers(max(limits.min, -largest), min(limits.max, largest), (2, 40, 40), dtype, endpoint=True)
            for _ in range(2)]
    a[0, 0], b[0, :, 0] = min(limits.max, largest), min(limits.max, largest)     # the greatest sum that there can be
    x, y = torch.tensor(a), torch.tensor(b)
    for left, right, p, q in [(a, b, x, y), (a[0].T, b, x[0].T, y), (a[0], b[1].T, x[0], y[1].T)]:
        assert (p @ q).dtype is p.dtype
        assert np.array_equal((p @ q).numpy(), left @ right)


@pytest.fixture
def threads():
    before = torch.get_num_threads()
    yield torch.set_num_threads
    torch.set_num_threads(before)


def small_integers(*shape, dtype):
    """Numbers whose products any floating-point sum gives exactly, whatever is added first."""
    return np.random.default_rng(len(shape)).integers(-8, 9, shape).astype(dtype)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex64, np.int32])
@pytest.mark.parametrize("how_many", [1, 2, 3, 16, 300])
def test_every_part_of_a_large_product_is_where_it_belongs(how_many, dtype, threads):
    threads(how_many)
    tall, wide = small_integers(500, 110, dtype=dtype), small_integers(110, 700, dtype=dtype)
    batch, second = small_integers(7, 90, 50, dtype=dtype), small_integers(7, 50, 70, dtype=dtype)
    lots = small_integers(3, 7, 90, 50, dtype=dtype)
    exact = np.complex128 if dtype is np.complex64 else np.float64
    for a, b in [(tall, wide), (wide.T, tall.T), (tall[::-1], wide), (tall[::2], wide[:, ::2]), (tall, tall.T),
                 (tall[:, :100], wide[:100]), (tall[3:403], wide[:, 5:]), (tall[:130], wide[:, :129]),
                 (tall, np.asfortranarray(wide)), (tall[:2], wide), (tall, wide[:, :2]), (batch, second),
                 (batch, second[:1]), (batch[::-1], second), (batch[:2], second[:2]), (lots, second),
                 (lots, second[0])]:
        found = on_arrays_in_c(ROWS["times"], a, b)
        np.testing.assert_array_equal(found, np.matmul(a.astype(exact), b.astype(exact)).astype(dtype))


def test_a_large_product_has_the_same_bits_whether_or_not_helpers_come(threads):
    threads(3)
    a, b = torch.randn(203, 1001, dtype=torch.float64), torch.randn(1001, 407, dtype=torch.float64)
    busy, done = torch.ones(4_000_000), threading.Event()
    expected = (a @ b).numpy().tobytes()

    def have_the_helpers():
        while not done.is_set():
            busy.exp()

    other = threading.Thread(target=have_the_helpers)
    other.start()
    try:
        for _ in range(10):
            assert (a @ b).numpy().tobytes() == expected
    finally:
        done.set()
        other.join()


def test_rows_that_only_seem_to_follow_each_other():
    """Batches whose memory overlaps, or runs backwards, or skips: only gapless ones are one product."""
    memory = numbers((400,), "float64")
    b = numbers((4, 5), "float64", 2)
    for strides in [(12, 4, 1), (4, 4, 1), (1, 4, 1), (0, 4, 1), (24, 4, 1), (1, 3, 9), (9, 3, 1), (3, 1, 3),
                    (12, 1, 3)]:
        a = np.lib.stride_tricks.as_strided(memory[50:], (5, 3, 4), [8 * n for n in strides])
        np.testing.assert_allclose(on_arrays(ROWS["times"], a, b), np.matmul(a, b), rtol=1e-13)
        np.testing.assert_allclose(on_arrays(ROWS["times"], a[::-1], b), np.matmul(a[::-1], b), rtol=1e-13)
        c = np.lib.stride_tricks.as_strided(memory[50:], (5, 4, 3), [8 * n for n in strides])
        np.testing.assert_allclose(on_arrays(ROWS["times"], a, c), np.matmul(a, c), rtol=1e-13)


def test_special_values():
    a = np.array([[np.inf, 1.], [np.nan, 0.], [-0., 0.]])
    for dtype in ("float32", "float64"):
        check("mm", a.astype(dtype), a.T.astype(dtype))
        check("times", a.astype(dtype), a.T.astype(dtype))
        check("outer_product", a[:, 0].astype(dtype), a[:, 1].astype(dtype))
        check("addmm", a.astype(dtype), a.astype(dtype), a[:2].astype(dtype), 1, 1)
    largest = np.array([[2**63 - 1, -2**63], [1, 3]])
    check("mm", largest, largest)
    check("addmm", largest, largest, largest, 1, 1)


# ------------------------------------------------------------------------------ memory

N = 160


def arrays_in(call):
    """How many arrays of N by N doubles there are after the call that were not there before, and at most meanwhile.

    The smallest of three counts: another thread, as that of pytest-xdist, may make objects meanwhile.
    """
    call()
    return [min(counts) for counts in zip(*[counted(call) for _ in range(3)])]


def counted(call):
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        kept = call()
        after, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept is not None
    return [(n - before) / (8 * N * N) for n in (after, most)]


def square(seed):
    return torch.tensor(numbers((N, N), "float64", seed), requires_grad=True)


A, B, ROW = square(1), square(2), torch.tensor(numbers((N,), "float64", 3))


@pytest.mark.parametrize("call, kept, most", [
    (lambda: A @ B, 1, 1),
    (lambda: A.t() @ B, 1, 1),
    (lambda: torch.nn.functional.linear(A, B, ROW), 1, 1),
    (lambda: torch.addmm(ROW, A, B), 1, 1),
    (lambda: torch.einsum("ij,kj->ik", A, B), 1, 1),
    (lambda: torch.einsum("ij,jk->ki", A, B), 1, 1),
    (lambda: A.view(4, 40, N) @ B, 1, 1),
    (lambda: A.view(4, 40, N) @ B.view(4, N, 40), 1 / 4, 1 / 4),
    (lambda: A[::2, ::2] @ B[::2, ::2], 1 / 4, 3 / 4),              # copied, since BLAS cannot read every other element
])
def test_a_product_makes_one_array(call, kept, most):
    left, meanwhile = arrays_in(call)
    assert kept <= left < kept + 0.1 and most <= meanwhile < most + 0.1


@pytest.mark.parametrize("call", [lambda: A @ B, lambda: A @ B.t(), lambda: torch.mm(A, B),
                                  lambda: torch.nn.functional.linear(A, B, ROW), lambda: torch.addmm(ROW, A, B),
                                  lambda: torch.nn.functional.linear(A.view(2, N // 2, N), B),
                                  lambda: torch.nn.functional.linear(A.view(2, N // 2, N), B, ROW)])
def test_gradients_of_products_are_made_once_and_kept(call):
    """Two arrays in all, those of .grad: the gradient of a transposed factor is made so that nobody has to copy it."""
    def step():
        A.grad = B.grad = None
        out.backward(gradient, retain_graph=True)
        return A.grad, B.grad

    out = call()
    gradient = torch.tensor(numbers(tuple(out.shape), "float64", 4))
    try:
        kept, most = arrays_in(step)
        assert A.grad.is_contiguous() and B.grad.is_contiguous()
    finally:
        A.grad = B.grad = None
    assert 2 <= kept < 2.1 and most < 2.2


def test_a_gradient_that_somebody_else_holds_is_copied():
    """A hook, or another leaf, may hold an array, or a view of it: then .grad is one of its own."""
    seen = []
    turned = B.t()
    turned.register_hook(seen.append)
    try:
        (A @ turned).sum().backward()
        assert not np.shares_memory(seen[0].numpy(), B.grad.numpy())
        B.grad.zero_()
        assert seen[0].abs().sum() > 0
    finally:
        A.grad = B.grad = None
    leaves = [torch.ones(3, 3, requires_grad=True) for _ in range(2)]
    ((leaves[0] + leaves[1]).t() @ leaves[0].detach()).sum().backward()
    assert not np.shares_memory(leaves[0].grad.numpy(), leaves[1].grad.numpy())
