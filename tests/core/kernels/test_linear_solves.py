"""Inverses, determinants and solutions in C against numpy.linalg; test_two_paths.py varies them further."""

import itertools
import os
import subprocess
import sys

import numpy as np
import pytest

import minigrad as torch
from minigrad._core.dispatch.compute import on_arrays_general, on_arrays_in_c
from minigrad.ops.algebra import matrices
from minigrad.ops.exports import ROWS

from .test_fast_paths import LAYOUTS, numbers

OF_ONE = {"linalg_inv": (), "linalg_det": (), "slogdet_real": (), "linalg_cholesky": (False,), "singular_values": (),
          "infinite_inverse": (), "cofactors": (), "complex_logdet": ()}
DTYPES = ("float32", "float64", "complex64", "complex128")


def positive(shape, dtype):
    """Matrices with a Cholesky factor, far from singular ones."""
    a = numbers(shape, dtype, 1)
    return (np.matmul(a, a.conj().mT) / shape[-1] + 2 * np.eye(shape[-1])).astype(dtype)


def same(fast, slow):
    for a, b in zip(*[x if isinstance(x, list) else [x] for x in (fast, slow)], strict=True):
        assert a.dtype == b.dtype and a.shape == b.shape and a.strides == b.strides
        tolerance = 1e-5 if a.dtype.char in "fF" else 1e-11
        np.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance * max(1, np.abs(b).max()))


@pytest.mark.parametrize("name", OF_ONE)
def test_each_layout_and_batch(name):
    for shape, dtype, layout in itertools.product([(1, 1), (3, 3), (4, 3, 3), (2, 1, 5, 5), (40, 40)], DTYPES, LAYOUTS):
        if dtype[0] == "c" and name == "cofactors" or dtype[0] == "f" and name == "complex_logdet":
            continue
        args = LAYOUTS[layout](positive(shape, dtype)), *OF_ONE[name]
        fast = on_arrays_in_c(ROWS[name], *args)
        assert fast is not None or layout != "rows"
        if fast is not None:
            same(fast, on_arrays_general(ROWS[name], *args))


def test_solutions_in_each_layout():
    for batch, columns, dtype in itertools.product([(), (4,), (2, 1)], [1, 5], DTYPES):
        a, b = positive((*batch, 3, 3), dtype), numbers((*batch, 3, columns), dtype, 2)
        for one, other in itertools.product(LAYOUTS, ["rows", "transposed", "every other"]):
            args = LAYOUTS[one](a), LAYOUTS[other](b)
            if [x.shape for x in args] == [a.shape, b.shape]:
                fast = on_arrays_in_c(ROWS["solve_matrices"], *args)
                assert fast is not None or (one, other) != ("rows", "rows")
                if fast is not None:
                    same(fast, on_arrays_general(ROWS["solve_matrices"], *args))


def test_each_factor_is_computed_from_its_own_triangle():
    for shape in [(3, 3), (2, 4, 4)]:
        a = positive(shape, "float64")
        unread = np.triu(np.full(shape, np.nan), 1)
        for upper, given in [(False, np.tril(a) + unread), (True, np.triu(a) + unread.mT)]:
            found = on_arrays_in_c(ROWS["linalg_cholesky"], given, upper)
            np.testing.assert_allclose(found.mT @ found if upper else found @ found.mT, a)
            same(found, on_arrays_general(ROWS["linalg_cholesky"], given, upper))


@pytest.mark.parametrize("name, a", [
    ("linalg_inv", np.ones((2, 2))), ("infinite_inverse", np.zeros((2, 2))), ("cofactors", np.ones((3, 3))),
    ("cofactors", np.array([[1, 1], [1, 1 + 1e-6]])), ("cofactors", np.diag([1e-200, 1e-200])),
    ("cofactors", np.array([[1, 0], [0, np.nan]])), ("linalg_inv", np.array([[complex(1, np.nan), 0], [0, 1]])),
    ("linalg_cholesky", -np.eye(2)),
    *[(name, a) for name in OF_ONE for a in (np.ones((0, 0)), np.ones((3, 0, 0)), np.ones((0, 2, 2)), np.ones(2),
                                             np.ones(()), np.eye(2, dtype="int64"), np.eye(2, dtype="float16"))],
    *[(name, np.ones((2, 3))) for name in OF_ONE if name != "singular_values"],
])
def test_what_is_left_to_the_general_way(name, a):
    assert on_arrays_in_c(ROWS[name], a, *OF_ONE[name]) is None


def test_nan_says_that_there_is_no_result_where_no_flag_does(monkeypatch):
    """As in a web page."""
    monkeypatch.setattr(matrices, "FLAGS", False)
    numbers, nothing = np.ones((2, 2, 2)), np.stack([np.ones((2, 2)), np.full((2, 2), np.nan)])
    assert matrices.unless_given_up(numbers, nothing) is numbers
    assert matrices.unless_given_up(nothing, nothing) is nothing        # nan of nan has not failed
    assert matrices.unless_given_up(np.ones((0, 2, 2)), np.ones((0, 2, 2))).size == 0
    with pytest.raises(np.linalg.LinAlgError):
        matrices.unless_given_up(nothing, numbers)


def test_a_matrix_that_is_singular_is_named_so_also_after_a_regular_one():
    regular, singular = torch.eye(2), torch.ones(2, 2)
    for _ in range(2):
        torch.linalg.inv(regular)
        with pytest.raises(RuntimeError, match="singular"):
            torch.linalg.inv(singular)
        with pytest.raises(RuntimeError, match="singular"):
            torch.linalg.solve(torch.stack([regular, singular]), torch.ones(2, 2, 1))
    with pytest.raises(RuntimeError, match="not positive-definite"):
        torch.linalg.cholesky(-regular)


@pytest.mark.parametrize("dtype, digits", [("float32", 6), ("float64", 11)])
def test_cofactors_are_determinants_of_parts(dtype, digits):
    rng = np.random.default_rng(0)
    for n in (1, 2, 3, 5):
        a = rng.normal(size=(n, n)) + 2 * np.eye(n)
        parts = [[(-1) ** (i + j) * np.linalg.det(np.delete(np.delete(a, i, 0), j, 1)) if n > 1 else 1
                  for j in range(n)] for i in range(n)]
        found = on_arrays_in_c(ROWS["cofactors"], a.astype(dtype))
        np.testing.assert_allclose(found, parts, rtol=10. ** -digits, atol=10. ** -digits * np.abs(parts).max())


def test_no_expansion_where_batches_have_one_shape():
    A, B = torch.eye(3, requires_grad=True), torch.ones(3, 2, requires_grad=True)
    edges = torch.linalg.solve(A, B).grad_fn.next_functions
    assert [type(node).__name__ for node, _ in edges] == ["AccumulateGrad", "AccumulateGrad"]


WITHOUT_MEMORY = """
import gc, resource
import minigrad as torch

def size():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) << 10 for line in status if line.startswith("VmSize"))

a = torch.rand(600, 600, dtype=torch.float64) + 600 * torch.eye(600, dtype=torch.float64)
torch.linalg.inv(a[:9, :9])                 # LAPACK is loaded
refused, limits = set(), resource.getrlimit(resource.RLIMIT_AS)
for f in (torch.linalg.inv, torch.linalg.det, torch.linalg.cholesky, lambda a: torch.linalg.solve(a, a),
          torch.linalg.qr):
    for more in range(0, 16 << 20, 1 << 19):
        torch.memory.release(), gc.collect()
        resource.setrlimit(resource.RLIMIT_AS, (size() + more, limits[1]))
        try:
            found = f(a if f is not torch.linalg.cholesky else (a + a.t()))
        except MemoryError:
            refused.add(f)
        finally:
            resource.setrlimit(resource.RLIMIT_AS, limits)
        found = None
print(len(refused))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="memory is refused by a limit of Linux, and read in its /proc")
@pytest.mark.drawn
def test_where_lapack_gets_no_memory_there_is_a_memory_error():
    ran = subprocess.run([sys.executable, "-c", WITHOUT_MEMORY], capture_output=True, text=True,
                         env={**os.environ, "MALLOC_MMAP_THRESHOLD_": "65536"})    # what is free goes back at once
    assert ran.returncode == 0, ran.stderr
    assert int(ran.stdout) == 5


@pytest.mark.parametrize("dtype", DTYPES)
def test_the_loops_are_tried_with_the_first_matrix_and_again_if_that_is_interrupted(dtype):
    """In a process of its own, where no matrix has come yet."""
    code = f"""
import numpy as np
import minigrad as torch
inv, tried = np.linalg.inv, []

def interrupted(a):
    tried.append(a.dtype.name)
    if len(tried) == 1:
        raise KeyboardInterrupt
    return inv(a)

np.linalg.inv = interrupted
a = 2 * torch.eye(9, dtype=torch.{dtype})           # small ones do without LAPACK
try:
    torch.linalg.inv(a)
except KeyboardInterrupt:
    for _ in range(2):
        assert (torch.linalg.inv(a) @ a == torch.eye(9)).all()
    print(*tried)
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    tried = "complex128" if dtype.startswith("complex") else "float64"
    assert ran.stdout == f"{tried} {tried}\n", ran.stderr


def test_a_loop_that_numpy_lacks_is_the_only_one_given_up():
    """In a process of its own: the loops are looked up with the import."""
    code = """
import types
import numpy as np

module = np.linalg._umath_linalg
np.linalg._umath_linalg = types.SimpleNamespace(**{name: getattr(module, name) for name in dir(module)
                                                   if not name.startswith("svd")})
import minigrad
from minigrad._core.dispatch.compute import on_arrays_in_c
from minigrad.ops.algebra import matrices
from minigrad.ops.exports import ROWS
a = np.array([[4., 1.], [1., 3.]])
names = "linalg_inv", "linalg_det", "singular_values", "svd_thin"
print(*[on_arrays_in_c(ROWS[name], a) is not None for name in names])
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ran.stdout == "True True False False\n", ran.stderr


@pytest.mark.parametrize("n", [1, 2, 3, 5, 8, 9])
@pytest.mark.parametrize("dtype, digits", [("float32", 5), ("float64", 12)])
def test_small_matrices_are_solved_without_lapack(n, dtype, digits):
    rng = np.random.default_rng(n)
    a, b = rng.standard_normal((7, n, n)).astype(dtype), rng.standard_normal((7, n, 2)).astype(dtype)
    a += 2 * np.eye(n, dtype=dtype)
    a[0, 0, 0] = 0 if n > 1 else 1                           # its rows are exchanged
    x, y = torch.tensor(a), torch.tensor(b)
    for f, g, args in [(torch.linalg.inv, np.linalg.inv, (x,)), (torch.linalg.det, np.linalg.det, (x,)),
                       (torch.linalg.solve, np.linalg.solve, (x, y))]:
        found, expected = f(*args).numpy(), g(*(t.numpy().astype("d") for t in args))
        np.testing.assert_allclose(found, expected, rtol=0, atol=10. ** -digits * np.abs(expected).max())
        assert np.array_equal(found[3], f(*(t[3] for t in args)).numpy())
        turned = [t.mT.contiguous().mT for t in args]        # in other layouts
        assert np.array_equal(found, f(*turned).numpy())
    if n > 1:
        x[2, 1] = 0
        assert torch.linalg.det(x)[2] == 0
        with pytest.raises(RuntimeError, match=r"\(Batch element 2\).*singular"):
            torch.linalg.inv(x)


def test_a_matrix_that_lapack_alone_finds_singular():
    """A pivot is zero, or only small, as the numbers happen to be rounded: then the smallest is named."""
    a = np.array([[[1., 0., 0.], [0., 1., 0.], [0., 0., 1.]], [[-3., -3., 2.], [-1., 3., 0.], [-2., 0., 1.]]])
    try:
        found = on_arrays_general(ROWS["linalg_inv"], a)
        assert np.abs(found[1]).max() > 1e14                 # a LAPACK that rounds as our loops do
    except RuntimeError as e:
        assert "(Batch element 1): The diagonal element 3 is zero" in str(e)


@pytest.mark.parametrize("mode", ["reduced", "complete"])
def test_small_matrices_are_reflected_as_lapack_does_it(mode):
    for rows, columns, layout in itertools.product(range(1, 10), range(1, 10), LAYOUTS):
        for dtype in ("float32", "float64"):
            a = LAYOUTS[layout](numbers((3, rows, columns), dtype, 3))
            fast = on_arrays_in_c(ROWS["qr_rows"], a, mode)
            if fast is not None:
                same(fast, on_arrays_general(ROWS["qr_rows"], a, mode))
                np.testing.assert_allclose(fast[0] @ fast[1], a, atol=1e-5 if dtype == "float32" else 1e-13)


@pytest.mark.parametrize("a", [
    np.eye(3), -np.eye(3), np.triu(np.arange(1., 17).reshape(4, 4)), np.ones((4, 3)), np.zeros((2, 2)),
    np.diag([1., 1e-200, 1.]), np.array([[1e-200, 1.], [1e-200, 2.]]), np.full((2, 2), 1e-170), np.diag([1e200, 1e150]),
    np.outer([0.1, 0.2, 0.7, 0.3], [0.3, 0.6, 0.7]), np.outer([0.1, 0.2, 0.7], [0.3, 0.6, 0.7, 0.1]),
    np.array([[1., 2.], [1e-12, 3.]]), np.array([[0., 2.], [3., 0.]]), np.array([[1., 2.], [2., 4. + 1e-13]]),
], ids=str)
def test_signs_and_directions_of_small_reflections_are_lapacks(a):
    for given in (a, np.stack([np.eye(*a.shape), a])):
        same(on_arrays_in_c(ROWS["qr_rows"], given, "reduced"), on_arrays_general(ROWS["qr_rows"], given, "reduced"))
