"""minigrad.array_api: the names and parameters of the standard, its promotion and shapes, and gradients.

The standard's own suite (array-api-tests) is a step of .ci/run; what is tested here holds without it. """

import inspect
from pathlib import Path

import numpy as np
import pytest

import minigrad
from minigrad import array_api as xp
from minigrad.autograd import gradcheck
from tests.checking import refuses

RECORDED = (Path(__file__).parents[1] / "parity" / "records" / "array_api.txt").read_text().splitlines()[1:]
RANDOM = np.random.default_rng(0)


def rand(*shape, shift=0.):
    return minigrad.tensor(RANDOM.uniform(0.1, 0.9, shape) + shift, requires_grad=True)


@pytest.mark.parametrize("written", RECORDED)
def test_every_function_of_the_standard(written):
    path, _, parameters = written.partition("(")
    function = xp
    for part in path.split("."):
        function = getattr(function, part)
    theirs = {}
    exec(f"def theirs({parameters}: pass", {}, theirs)
    ours = inspect.signature(function).parameters.values()
    assert [(p.name, p.kind) for p in ours] == [(p.name, p.kind) for p in
                                                inspect.signature(theirs["theirs"]).parameters.values()]
    for mine, its in zip(ours, inspect.signature(theirs["theirs"]).parameters.values()):
        assert mine.default == its.default
    assert function.__name__ == path.rpartition(".")[2] and function.__doc__


def test_constants_and_dtypes():
    assert (xp.e, xp.pi, xp.inf) == (np.e, np.pi, np.inf) and xp.nan != xp.nan and xp.newaxis is None
    for name in ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64",
                 "complex64", "complex128"):
        assert getattr(xp, name) is getattr(minigrad, name)


def test_a_tensor_knows_its_functions():
    x = minigrad.ones(2)
    assert x.__array_namespace__() is x.__array_namespace__(api_version="2023.12") is xp
    assert xp.__array_api_version__ == "2024.12" and x.to_device(x.device) is x
    with refuses(ValueError, "minigrad has the array API of 2024.12", "MG207"):
        x.__array_namespace__(api_version="1999.12")
    with refuses(RuntimeError, "cuda", "MG404"):
        x.to_device("cuda")
    with refuses(RuntimeError, "stream should be None on cpu", "MG405"):
        x.to_device("cpu", stream=1)


def test_what_it_says_of_itself():
    info = xp.__array_namespace_info__()
    assert info.default_dtypes()["real floating"] is xp.float32 and info.devices() == [info.default_device()]
    assert info.dtypes(kind="unsigned integer") == {f"uint{n}": getattr(xp, f"uint{n}") for n in (8, 16, 32, 64)}
    assert len(info.dtypes()) == 13 and info.capabilities()["boolean indexing"]


# ------------------------------------------------------------------------------ gradients

POSITIVE = {"acosh": 1.}                    # what must be added for the domain
SMOOTH = ["abs", "acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "cosh", "exp", "expm1", "log", "log1p",
          "log2", "log10", "negative", "reciprocal", "sin", "sinh", "square", "sqrt", "tan", "tanh", "real", "conj",
          "sign", "floor", "round"]


@pytest.mark.parametrize("name", SMOOTH)
def test_gradients_of_elementwise_functions(name):
    x = rand(2, 3, shift=POSITIVE.get(name, 0.))
    assert gradcheck(getattr(xp, name), (x,)) and getattr(xp, name)(x).requires_grad


@pytest.mark.parametrize("name", ["add", "atan2", "divide", "hypot", "logaddexp", "maximum", "minimum", "multiply",
                                  "pow", "subtract", "copysign", "remainder"])
def test_gradients_of_functions_of_two(name):
    function = getattr(xp, name)
    assert gradcheck(function, (rand(2, 3), rand(3)))
    assert gradcheck(lambda x: function(x, 2.), (rand(3),)) and gradcheck(lambda x: function(2., x), (rand(3),))


FUNCTIONS = {
    "sums": lambda x: xp.sum(x, axis=(0, 1), keepdims=True) + xp.prod(x, axis=(0, 1)) + xp.mean(x, axis=-1),
    "none of the axes": lambda x: (xp.sum(x, axis=()), xp.prod(x, axis=()), xp.max(x, axis=()), xp.mean(x, axis=())),
    "spread": lambda x: xp.std(x, axis=0, correction=0.5) + xp.var(x, axis=(0, 1)),
    "extremes": lambda x: xp.max(x, axis=0) * xp.min(x),
    "running": lambda x: (xp.cumulative_sum(x, axis=1, include_initial=True), xp.cumulative_prod(x, axis=0)),
    "shapes": lambda x: (xp.reshape(x, (-1,)), xp.expand_dims(x, (0, -1)), xp.squeeze(x[None], 0),
                         xp.permute_dims(x, (1, 0)),
                         xp.flip(x), xp.roll(x, 1, axis=(0, 1)), xp.tile(x, (2, 1)), xp.repeat(x, 2, axis=1)),
    "joined": lambda x: (xp.concat([x, x], axis=None), xp.stack([x, x], axis=-1), *xp.unstack(x, axis=1),
                         *xp.broadcast_arrays(x, x[0]), *xp.meshgrid(x[0], x[1])),
    "chosen": lambda x: (xp.take(x, xp.asarray([1, -1]), axis=1), xp.where(x > 0.5, x, 0.), xp.sort(x, axis=0),
                         xp.take_along_axis(x, xp.argsort(x, axis=1), axis=1), xp.clip(x, 0.2, 0.6)),
    "sets": lambda x: (xp.unique_values(x), xp.unique_all(x).values, xp.unique_counts(x)[0], xp.unique_inverse(x)[0]),
    "differences": lambda x: xp.diff(x, axis=0, prepend=x[:1], n=2),
    "products": lambda x: (x @ xp.matrix_transpose(x), xp.tensordot(x, x, axes=2), xp.vecdot(x, x, axis=0),
                           xp.linalg.outer(x[0], x[1]), xp.linalg.cross(x, x[:1])),
    "norms": lambda x: (xp.linalg.vector_norm(x, axis=0), xp.linalg.matrix_norm(x), xp.linalg.svdvals(x),
                        xp.linalg.trace(x, offset=1), xp.linalg.diagonal(x), xp.linalg.pinv(x)),
    "spectra": lambda x: (xp.abs(xp.fft.rfft(x)), xp.fft.irfftn(x), xp.fft.fftshift(x, axes=(0,))),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_gradients(name):
    assert gradcheck(FUNCTIONS[name], (rand(2, 3),))


def test_gradients_of_linear_algebra():
    def functions(a, b):
        symmetric = a + xp.matrix_transpose(a) + 9 * xp.eye(3, dtype=xp.float64)
        return (xp.linalg.inv(symmetric), xp.linalg.det(a), xp.linalg.solve(symmetric, b),
                xp.linalg.cholesky(symmetric), xp.linalg.eigvalsh(symmetric), xp.linalg.matrix_power(a, 3),
                *xp.linalg.slogdet(symmetric))

    assert gradcheck(functions, (rand(3, 3), rand(3)))


# ------------------------------------------------------------------------------ where the standard is not PyTorch

def test_promotion_does_not_ask_for_the_number_of_dims():
    x = xp.ones(2, dtype=xp.float32)
    assert xp.add(x, xp.asarray(1., dtype=xp.float64)).dtype is xp.float64 and (x + xp.asarray(1., dtype=xp.float64)
                                                                                ).dtype is xp.float32
    assert xp.add(x, 1.5).dtype is xp.multiply(2, x).dtype is xp.float32
    assert xp.concat([xp.ones(1, dtype=xp.int8), xp.ones(1, dtype=xp.uint16)]).dtype is xp.int32
    assert xp.result_type(xp.int8, 2, xp.uint8) is xp.int16 and xp.result_type(x, 1j) is xp.complex64
    assert xp.matmul(x, xp.ones(2, dtype=xp.float64)).dtype is xp.float64
    with refuses(RuntimeError, "no integer dtype holds the values of both", "MG202"):
        xp.result_type(xp.uint64, xp.int8)


def test_totals_of_integers():
    for kind, total in ((xp.int8, xp.int64), (xp.uint8, xp.uint64), (xp.uint16, xp.uint64)):
        x = xp.full(3, 2, dtype=kind)
        assert xp.sum(x).dtype is xp.prod(x).dtype is xp.cumulative_sum(x).dtype is total and int(xp.prod(x)) == 8
        assert xp.sum(x, dtype=kind).dtype is xp.max(x).dtype is kind


def test_special_values():
    nan = float("nan")
    assert xp.isnan(xp.sign(xp.asarray([nan]))).item() and xp.sign(xp.asarray(3 + 4j)).item() == pytest.approx(.6 + .8j)
    assert xp.round(xp.asarray(1.5 + 2.5j)).item() == 2 + 2j
    assert xp.clip(xp.asarray([1, 200], dtype=xp.uint8), 5, 1000).tolist() == [5, 200]
    values, counts = xp.unique_counts(xp.asarray([nan, 1., nan, 1.]))
    assert counts.tolist() == [2, 1, 1] and values[0] == 1
    assert xp.unique_values(xp.asarray([2j, 1, 2j])).tolist() == [2j, 1]
    assert xp.arange(3, 0).shape == (0,) and xp.linspace(0, 1, 2, endpoint=False).tolist() == [0., .5]
    assert xp.eye(2, 3, k=1).tolist() == [[0., 1., 0.], [0., 0., 1.]] and xp.eye(2, k=7).any().item() is False
    assert xp.argmax(xp.ones((2, 2)), keepdims=True).shape == (1, 1)
    assert xp.finfo(xp.complex128).dtype is xp.float64 and xp.iinfo(xp.asarray([1])).bits == 64
    assert xp.linalg.cross(xp.ones((2, 3)), xp.ones(3)).shape == (2, 3) and xp.moveaxis(xp.ones(2), (), ()).ndim == 1
    assert xp.can_cast(xp.uint16, xp.complex64) and not xp.can_cast(xp.float64, xp.complex64)
    assert not xp.can_cast(xp.complex64, xp.uint16) and not xp.can_cast(xp.float32, xp.bool)
    assert xp.linalg.solve(xp.eye(2).expand(2, 2, 2), xp.ones((2, 2))).shape == (2, 2, 2)


@pytest.mark.parametrize(("call", "kind", "phrase", "code"), [
    (lambda: xp.squeeze(xp.ones(2), 0), ValueError, "axis 0 has length 2", "MG207"),
    (lambda: xp.expand_dims(xp.ones(2), 2), IndexError, "Dimension out of range", "MG203"),
    (lambda: xp.take(xp.ones((2, 2)), xp.asarray([0])), ValueError, "axis must be given", "MG207"),
    (lambda: xp.cumulative_sum(xp.ones((2, 2))), ValueError, "axis must be given", "MG207"),
    (lambda: xp.vecdot(xp.ones(1), xp.ones(2)), ValueError, "the vectors have lengths 1 and 2", "MG207"),
    (lambda: xp.nonzero(xp.asarray(1)), ValueError, "an array without axes has no indices", "MG207"),
    (lambda: xp.result_type(1, 2.), ValueError, "at least one array or dtype", "MG207"),
    (lambda: xp.isdtype(xp.int8, "numbers"), ValueError, "'numbers' is not the name of a kind", "MG207"),
    (lambda: xp.reshape(xp.ones((2, 3)).T, 6, copy=False), RuntimeError, "view", "MG201")])
def test_refusals(call, kind, phrase, code):
    with refuses(kind, phrase, code):
        call()


def test_a_program_of_the_standard():
    """Logistic regression, written for no library in particular."""
    def loss(w, x, y):
        xp = w.__array_namespace__()
        z = xp.matmul(x, w)
        return xp.mean(xp.log1p(xp.exp(-z * y)))

    x, y = rand(4, 3).detach(), minigrad.tensor([1., -1., 1., -1.], dtype=minigrad.float64)
    assert gradcheck(lambda w: loss(w, x, y), (rand(3),))
    assert minigrad.func.grad(loss)(rand(3).detach(), x, y).shape == (3,)


@pytest.fixture
def float64_by_default():
    minigrad.set_default_dtype(minigrad.float64)
    yield
    minigrad.set_default_dtype(minigrad.float32)


def plain(x):
    if isinstance(x, (tuple, list)):
        return [plain(each) for each in x]
    return (x.tolist(), str(x.dtype).removeprefix("torch.")) if hasattr(x, "dtype") else x


@pytest.mark.parametrize("call", [
    lambda xp, x: xp.broadcast_to(x, (2, 2, 3)),
    lambda xp, x: xp.repeat(x, xp.asarray([1, 0, 2], dtype=xp.int32), axis=1),
    lambda xp, x: xp.reshape(x, (3, 2), copy=True), lambda xp, x: xp.roll(x, (1, 2), axis=(0, 1)),
    lambda xp, x: xp.roll(x, 1, axis=(0, 1)), lambda xp, x: xp.roll(x, 1),
    lambda xp, x: xp.argmin(x), lambda xp, x: xp.argmin(x, axis=1, keepdims=True),
    lambda xp, x: xp.argmax(x, keepdims=True), lambda xp, x: xp.argmax(x, axis=0),
    lambda xp, x: xp.count_nonzero(x), lambda xp, x: xp.count_nonzero(x, axis=1),
    lambda xp, x: xp.count_nonzero(x, axis=0, keepdims=True), lambda xp, x: xp.nonzero(x),
    lambda xp, x: xp.searchsorted(xp.asarray([1., 2., 4.]), xp.asarray([2., 5.]), side="right"),
    lambda xp, x: xp.searchsorted(xp.asarray([4., 1., 2.]), xp.asarray([2.]), sorter=xp.asarray([1, 2, 0])),
    lambda xp, x: xp.imag(xp.astype(x, xp.complex128) * 2j), lambda xp, x: xp.astype(x, xp.int32),
    lambda xp, x: xp.fft.fftfreq(5, d=0.5), lambda xp, x: xp.fft.rfftfreq(4),
    lambda xp, x: xp.can_cast(xp.int8, xp.int64), lambda xp, x: xp.can_cast(xp.int64, xp.uint8),
    lambda xp, x: xp.can_cast(xp.float64, xp.float32), lambda xp, x: xp.can_cast(xp.bool, xp.bool),
    lambda xp, x: xp.isdtype(xp.int8, "signed integer"), lambda xp, x: xp.isdtype(xp.uint8, "signed integer"),
    lambda xp, x: xp.isdtype(xp.float32, "signed integer"), lambda xp, x: xp.isdtype(xp.uint8, "unsigned integer"),
    lambda xp, x: xp.linalg.matrix_rank(x), lambda xp, x: xp.linalg.matrix_rank(x, rtol=0.9),
    lambda xp, x: xp.from_dlpack(x), lambda xp, x: xp.arange(3, 0, -2), lambda xp, x: xp.arange(3, 0),
    lambda xp, x: xp.arange(2, dtype=xp.float64), lambda xp, x: xp.arange(1, 0, 2.),
    lambda xp, x: xp.linspace(0, 1j, 3, dtype=xp.complex128), lambda xp, x: xp.linspace(0., 1., 2, endpoint=False),
    lambda xp, x: xp.linspace(1 + 0j, 0, 4, dtype=xp.complex128, endpoint=False),
    lambda xp, x: xp.full_like(x, 7), lambda xp, x: xp.tril(x, k=-1), lambda xp, x: xp.triu(x, k=1),
    lambda xp, x: xp.zeros_like(x, dtype=xp.int64), lambda xp, x: xp.ones_like(x),
    lambda xp, x: xp.var(x), lambda xp, x: xp.var(x, axis=0, correction=1, keepdims=True),
    lambda xp, x: xp.var(x, axis=()), lambda xp, x: xp.std(x, axis=()), lambda xp, x: xp.std(x, axis=1),
    lambda xp, x: xp.all(x), lambda xp, x: xp.all(x, axis=()), lambda xp, x: xp.any(x, axis=1, keepdims=True),
    lambda xp, x: xp.any(x, axis=()), lambda xp, x: xp.linalg.vector_norm(x, axis=1),
])
def test_functions_are_numpys(call, float64_by_default):
    x = np.array([[0., 2., -3.], [4., 0., 6.]])
    assert plain(call(xp, xp.asarray(x))) == plain(call(np, x))


def test_norms_of_numbers():
    x = xp.asarray([0., -2.])
    assert xp.linalg.vector_norm(x, axis=()).tolist() == [0., 2.]
    assert xp.linalg.vector_norm(x, axis=(), ord=0).tolist() == [0., 1.]


@pytest.mark.parametrize("call, back", [
    (xp.linalg.eigh, lambda found: found.eigenvectors * found.eigenvalues @ found.eigenvectors.mT),
    (xp.linalg.qr, lambda found: found.Q @ found.R),
    (lambda x: xp.linalg.qr(x, mode="complete"), lambda found: found.Q @ found.R),
    (lambda x: xp.linalg.svd(x, full_matrices=False), lambda found: found.U * found.S @ found.Vh),
    (xp.linalg.svd, lambda found: found.U * found.S @ found.Vh),
])
def test_decompositions_multiply_back(call, back):
    x = xp.asarray([[2., 1.], [1., 3.]])
    assert back(call(x)).flatten().tolist() == pytest.approx([2., 1., 1., 3.])
