"""NumPy's functions, called with tensors: they are recorded, or NumPy computes them on numbers, or they are refused."""

import numpy as np
import pytest

import minigrad
from minigrad import Tensor, float32, float64
from minigrad.autograd import gradcheck
from minigrad.numpy_interface import functions
from tests.checking import refuses

RANDOM = np.random.default_rng(0)
X, Y = RANDOM.uniform(0.1, 0.9, (3, 4)), RANDOM.uniform(0.1, 0.9, (3, 4))
I = RANDOM.integers(1, 5, (3, 4))
M = RANDOM.uniform(0, 1, (2, 3, 3)) + 3 * np.eye(3)
V = RANDOM.uniform(0, 1, 3)

UFUNCS = sorted({name for name in dir(np) if isinstance(getattr(np, name), np.ufunc)})
INTS = {"bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_not", "bitwise_invert", "invert", "gcd", "lcm",
        "left_shift", "right_shift", "bitwise_left_shift", "bitwise_right_shift"}
#: what NumPy computes itself, since nothing here means the same
UNANSWERED = {"bitwise_count", "cbrt", "divmod", "isnat", "matvec", "modf", "spacing", "vecmat"}
#: what has no gradient
CONSTANT = {"frexp"}


def close(ours, numpys):
    """The same numbers in the same shape, in tensors; or the same answer."""
    if isinstance(numpys, (tuple, list)):
        return len(ours) == len(numpys) and all(map(close, ours, numpys))
    if isinstance(ours, Tensor):
        return ours.shape == np.shape(numpys) and np.allclose(ours.detach().numpy(), numpys, equal_nan=True)
    return ours == numpys


def recorded(result):
    """Whether gradients flow from each result with floats."""
    results = result if isinstance(result, (tuple, list)) else [result]
    return all([y.requires_grad for y in results if isinstance(y, Tensor) and y.is_floating_point()])


@pytest.mark.parametrize("name", [name for name in UFUNCS if name not in UNANSWERED])
def test_ufuncs(name):
    ufunc = getattr(np, name)
    arrays = ([I, I] if name in INTS else [X, I] if name == "ldexp" else [M, M] if name == "matmul" else [X, Y])
    arrays = arrays[:ufunc.nin]
    tensors = [minigrad.tensor(a).requires_grad_(a.dtype.kind == "f") for a in arrays]
    calls = [tensors] + ([[arrays[0], tensors[1]], [tensors[0], arrays[1]]] if ufunc.nin == 2 else [])
    for operands in calls:
        result = ufunc(*operands)
        with np.errstate(invalid="ignore"):
            assert close(result, ufunc(*arrays))
        if name not in CONSTANT and any([isinstance(x, Tensor) and x.requires_grad for x in operands]):
            assert recorded(result)


@pytest.mark.parametrize("name", sorted(UNANSWERED & {*UFUNCS}))
def test_ufuncs_that_nothing_answers_to(name):
    ufunc, x = getattr(np, name), minigrad.ones(2, 2)
    x = x.long() if name == "bitwise_count" else x
    if name != "isnat":
        results = ufunc(*[x] * ufunc.nin)
        for y in results if isinstance(results, tuple) else [results]:
            assert isinstance(y, Tensor)
    with refuses(RuntimeError, "Can't call numpy() on Tensor that requires grad", "MG108"):
        ufunc(*[minigrad.ones(2, 2, requires_grad=True)] * ufunc.nin)


def test_methods_of_ufuncs():
    x = minigrad.tensor(X, requires_grad=True)
    for call in (lambda x: np.add.reduce(x), lambda x: np.add.reduce(x, axis=1, keepdims=True),
                 lambda x: np.multiply.reduce(x, axis=1), lambda x: np.maximum.reduce(x, axis=None),
                 lambda x: np.add.accumulate(x, axis=1), lambda x: np.multiply.outer(x, Y),
                 lambda x: np.subtract.outer(Y, x), lambda x: np.logaddexp.accumulate(x)):
        assert close(call(x), call(X)) and recorded(call(x))
    assert np.logical_and.reduce(minigrad.tensor([True, False])).item() is False


FUNCTIONS = {
    "sum": lambda x: (np.sum(x), np.sum(x, 0), np.sum(x, axis=(0, 1), keepdims=True)),
    "prod, mean": lambda x: (np.prod(x, 1), np.mean(x, axis=-1), np.mean(x)),
    "extremes": lambda x: (np.max(x), np.max(x, 1), np.amin(x, axis=0, keepdims=True), np.ptp(x), np.ptp(x, axis=0)),
    "spread": lambda x: (np.std(x), np.var(x, axis=1, ddof=1), np.std(x, 0, keepdims=True)),
    "questions": lambda x: (np.all(x > 0.5), np.any(x > 0.5, axis=1), np.count_nonzero(x > 0.5), np.allclose(x, Y),
                            np.isclose(x, Y), np.isclose(x, 0.5, atol=0.2), np.array_equal(x, X)),
    "where they are": lambda x: (np.argmax(x), np.argmin(x, 1), np.argsort(x, 0), *np.nonzero(x > 0.5),
                                 np.flatnonzero(x > 0.5), np.argwhere(x > 0.5), np.searchsorted(V, x[0])),
    "running totals": lambda x: (np.cumsum(x), np.cumsum(x, 1), np.cumprod(x, axis=0), np.diff(x), np.diff(x, 2, 0)),
    "order": lambda x: (np.sort(x), np.sort(x, axis=None), np.unique(x)),
    "counted": lambda x: np.unique(np.round(x, 1), return_counts=True),
    "joined": lambda x: (np.concatenate([x, Y], axis=1), np.concatenate((Y, x)), np.stack([x, Y], axis=1),
                         np.vstack([x, x]), np.hstack((x, x)), np.dstack((x, x)), np.column_stack((x, x))),
    "shapes": lambda x: (np.reshape(x, (4, 3)), np.reshape(x, -1), np.ravel(x), np.squeeze(x[None]),
                         np.squeeze(x[None], axis=0), np.expand_dims(x, 1), np.expand_dims(x, (-1, 0, 2)),
                         np.broadcast_to(x, (2, 3, 4)), np.atleast_3d(x)),
    "order of dims": lambda x: (np.transpose(x), np.transpose(x[None], (1, 0, 2)), np.swapaxes(x, 0, 1),
                                np.moveaxis(x, 0, 1), np.permute_dims(x, (1, 0)), np.matrix_transpose(x)),
    "moved": lambda x: (np.flip(x), np.flip(x, 0), np.fliplr(x), np.flipud(x), np.roll(x, 2), np.roll(x, 1, axis=1),
                        np.roll(x, (1, 2), axis=(0, 1)), np.rot90(x), np.rot90(x, 2, (1, 0))),
    "repeated": lambda x: (np.tile(x, 2), np.tile(x, (2, 1)), np.repeat(x, 2), np.repeat(x, [1, 2, 0], axis=0)),
    "diagonals": lambda x: (np.tril(x, 1), np.triu(x, k=-1), np.diag(x, 1), np.diagonal(x, 1, 0, 1), np.trace(x),
                            np.diagflat(x, 1)),
    "parts": lambda x: (*np.split(x, 2, axis=1), *np.split(x, [1, 3], axis=1), *np.array_split(x, 3, axis=1),
                        *np.hsplit(x, 2), *np.vsplit(x, 3)),
    "chosen": lambda x: (np.where(x > 0.5, x, Y), np.where(Y > 0.5, x, 0.), np.take(x, [1, 2]),
                         np.take(x, [[0, 1], [2, 2]], axis=1), np.take(x, 1, axis=-1),
                         np.take_along_axis(x, np.argsort(x, 1), 1)),
    "bounded": lambda x: (np.clip(x, 0.3, 0.7), np.clip(x, None, 0.7), np.round(x, decimals=2), np.fix(x),
                          np.nan_to_num(x)),
    "grids": lambda x: (*np.meshgrid(x[0], x[:, 1]), *np.meshgrid(x[0], x[:, 1], indexing="ij"),
                        np.broadcast_arrays(x[0], x)[1]),
    "products": lambda x: (np.dot(x, Y.T), np.dot(x, Y[0]), np.dot(x, 2.), np.dot(x.T, M), np.inner(x, Y),
                           np.vdot(x[0], Y[0]), np.outer(x[0], Y[1]), np.kron(x, Y), np.tensordot(x, Y, ([0], [0])),
                           np.tensordot(x, Y.T, 1), np.einsum("ij,kj->ik", x, Y), x @ Y.T, Y.T @ x),
    "what it is": lambda x: (np.shape(x), np.ndim(x), np.size(x), np.size(x, 1)),
    "real": lambda x: (np.real(x), np.angle(x), np.sinc(x), np.copy(x)),
    "fft": lambda x: (np.fft.fft(x), np.fft.fftn(x, axes=(0,)), np.fft.rfft(x, 3, norm="ortho"), np.fft.irfft2(x),
                      np.fft.fftshift(x, axes=1)),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(name):
    ours, numpys = FUNCTIONS[name](minigrad.tensor(X, requires_grad=True)), FUNCTIONS[name](X)
    assert close(ours, numpys) and recorded(ours)


LINALG = {
    "inverse": lambda m: (np.linalg.inv(m), np.linalg.det(m), *np.linalg.slogdet(m), np.linalg.matrix_power(m, 3)),
    "solutions": lambda m: (np.linalg.solve(m, V), np.linalg.solve(m, M[0]), np.linalg.solve(m[0], M)),
    "norms": lambda m: (np.linalg.norm(m[0]), np.linalg.norm(m, axis=1), np.linalg.norm(m, "fro", (1, 2)),
                        np.linalg.vector_norm(m, axis=1), np.linalg.matrix_norm(m)),
    "factors": lambda m: (np.linalg.cholesky(m @ m.swapaxes(-1, -2)), np.linalg.svd(m)[1], np.linalg.svdvals(m),
                          np.abs(np.linalg.qr(m)[1]), np.abs(np.linalg.qr(m, mode="r"))),
    "products": lambda m: (np.linalg.matmul(m, M), np.linalg.outer(m[0, 0], V), np.linalg.vecdot(m, V),
                           np.linalg.trace(m, offset=1), np.linalg.diagonal(m), np.linalg.matrix_transpose(m)),
}


@pytest.mark.parametrize("name", LINALG)
def test_linear_algebra(name):
    ours, numpys = LINALG[name](minigrad.tensor(M, requires_grad=True)), LINALG[name](M)
    assert close(ours, numpys) and recorded(ours)


def test_a_program_of_numpy_is_differentiated():
    def f(x, w):
        h = np.tanh(np.dot(x, w) + np.arange(2.))
        return np.sum(np.exp(-h) * np.linalg.norm(np.concatenate([h, h * h], axis=1), axis=1, keepdims=True))

    x, w = minigrad.tensor(X, requires_grad=True), minigrad.tensor(Y.T[:, :2].copy(), requires_grad=True)
    assert close(f(x, w), f(X, Y.T[:, :2])) and gradcheck(f, (x, w))
    assert minigrad.func.grad(lambda x: f(x, w))(x).shape == x.shape
    assert minigrad.vmap(lambda row: np.sum(np.sin(row)))(x).shape == (3,)


def test_dtypes_are_pytorchs():
    x = minigrad.ones(2, 2)
    assert np.add(x, 2.5).dtype is np.multiply(np.float64(2), x).dtype is float32
    assert np.add(np.ones(2), x).dtype is np.stack([x, np.ones((2, 2))]).dtype is float64
    assert np.true_divide(minigrad.tensor([1, 2]), 2).dtype is np.sin(minigrad.tensor([1])).dtype is float32
    assert np.sum(x, dtype=np.float64).dtype is np.zeros_like(x, dtype="float64").dtype is float64
    assert np.add([1., 2.], x).dtype is float32
    with refuses(RuntimeError, "could not infer output dtype", "MG202"):
        np.mean(minigrad.tensor([1, 2]))


def test_out():
    x, y, array = minigrad.ones(2), minigrad.zeros(2), np.zeros(2)
    assert np.add(x, 2, out=y) is y and y.tolist() == [3., 3.] and y._version == 1
    assert np.add(x, 2, out=array) is array and array.tolist() == [3., 3.]
    array += x
    assert array.tolist() == [4., 4.] and type(array) is np.ndarray
    with refuses(RuntimeError, "Can't call numpy() on Tensor that requires grad", "MG108"):
        array += x.clone().requires_grad_()
    for write in (lambda: np.cbrt(x, out=y), lambda: np.median(x, out=y), lambda: np.add.at(y, [0], 1),
                  lambda: np.copyto(y, array)):
        with refuses(RuntimeError, "NumPy would write into the memory of a tensor", "MG210"):
            write()
    assert y.tolist() == [3., 3.] and y._version == 1


def test_what_numpy_computes_itself():
    x = minigrad.tensor([3., 1., 2.])
    assert np.histogram(x, bins=2)[0].tolist() == [1, 2] and isinstance(np.cbrt(x), Tensor)
    assert np.sum(x, initial=1.) == 7 and np.add(x, x, casting="no").tolist() == [6, 2, 4]
    w = x.clone().requires_grad_()
    for call in (np.histogram, np.cbrt, lambda w: np.sum(w, initial=1.), lambda w: np.sum([w, w])):
        with refuses(RuntimeError, "Can't call numpy() on Tensor that requires grad", "MG108"):
            call(w)
    with minigrad.no_grad():
        assert np.cbrt(w).requires_grad is False


def test_an_array_is_wrapped_where_there_is_a_dtype_for_it():
    x = minigrad.ones(2)
    wrapped = x.__array_wrap__(np.array([1., 2.]))
    assert isinstance(wrapped, Tensor) and wrapped.dtype is minigrad.float64 and wrapped.tolist() == [1, 2]
    assert type(x.__array_wrap__(np.array(["a"]))) is np.ndarray


def test_a_tangent_is_not_lost():
    ones = minigrad.ones(3)
    assert minigrad.func.jvp(np.sin, (ones,), (ones,))[1].tolist() == ones.cos().tolist()
    with refuses(RuntimeError, "NumPy computes this itself", "MG117"):
        minigrad.func.jvp(np.cbrt, (ones,), (ones,))
    with minigrad.autograd.forward_ad.dual_level():
        x = minigrad.autograd.forward_ad.make_dual(ones, ones)
        assert minigrad.autograd.forward_ad.unpack_dual(np.square(x)).tangent.tolist() == [2., 2., 2.]
        with refuses(RuntimeError, "NumPy computes this itself", "MG117"):
            np.cbrt(x)


@pytest.mark.parametrize("array", [np.ones(3)[::-1], np.ones(3, ">f8"), np.broadcast_to(1., 3), np.ones(6)[::2],
                                   np.ones(3, np.float16), np.array(1.)], ids=range(6))
def test_arrays_of_any_layout(array):
    x = minigrad.ones(3, requires_grad=True)
    y = np.multiply(array, x)
    assert y.tolist() == [1., 1., 1.] and y.grad_fn is not None and min(y.stride()) > 0


def test_other_libraries_are_asked_too():
    class Other:
        def __array_ufunc__(self, ufunc, method, *inputs, **keywords):
            return "other"

        def __array_function__(self, func, types, args, kwargs):
            return "other"

    x = minigrad.ones(2)
    assert np.add(x, Other()) == np.add(Other(), x) == np.stack([x, Other()]) == "other"


def test_ufuncs_of_other_libraries():
    """Only NumPy's mean what their names say."""
    exp = np.frompyfunc(lambda x: 7, 1, 1)
    assert functions.answer_to(exp, "__call__") is None and functions.answer_to(np.exp, "__call__") is minigrad.exp


def test_every_function_of_the_table_is_one_of_numpys():
    """...and each of its parameters is one of theirs, wherever NumPy tells."""
    known = [*functions.LIKE_OURS, *functions.OTHERWISE]
    for name in known:
        function = np
        for part in name.split("."):
            function = getattr(function, part, None)
        assert function is None or callable(function), name
    assert not functions.LIKE_OURS.keys() & functions.OTHERWISE.keys()
