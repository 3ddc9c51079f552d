"""The dtypes of results and of gradients are PyTorch's: for tensors with and without dims, and numbers beside them."""

import json
import warnings

import numpy as np
import pytest

import minigrad
from tests.ops.samples import ROWS
from tests.ops.test_ops import bound, call, flat, place
from tests.parity.records import make_result_dtypes

FLOATS = ["float16", "bfloat16", "float32", "float64"]
ALL = [*FLOATS, "int64", "int32", "uint8", "bool"]

SHARED = [row for row in ROWS if row.torch is not False and place(row) != "row"]

#: calls with a tensor x, numbers, and tensors without dims
CALLS = {
    "clamp(number, number)": lambda t, x: t.clamp(x, 0.5, 2),
    "clamp(tensor, tensor)": lambda t, x: t.clamp(x, t.zeros_like(x), t.tensor(2.0)),
    "clamp(max=tensor)": lambda t, x: t.clamp(x, max=t.ones_like(x)),
    "clamp(0-d, number)": lambda t, x: t.clamp(x, t.tensor(0.5, dtype=t.float64), 2.0),
    "clamp_min(number)": lambda t, x: t.clamp_min(x, 0.5),
    "clamp_max(tensor)": lambda t, x: t.clamp_max(x, t.ones_like(x)),
    "huber_loss": lambda t, x: t.nn.functional.huber_loss(x, t.zeros_like(x)),
    "huber_loss(none, int)": lambda t, x: t.nn.functional.huber_loss(x, t.zeros_like(x), reduction="none", delta=2),
    "huber_loss(weight)": lambda t, x: t.nn.functional.huber_loss(x, t.zeros_like(x), delta=0.5, weight=t.ones_like(x)),
    "smooth_l1_loss": lambda t, x: t.nn.functional.smooth_l1_loss(x, t.zeros_like(x), reduction="none", beta=0.3),
    "smooth_l1_loss(sum)": lambda t, x: t.nn.functional.smooth_l1_loss(x, t.zeros_like(x), reduction="sum", beta=2),
    "mse_loss": lambda t, x: t.nn.functional.mse_loss(x, t.zeros_like(x)),
    "l1_loss": lambda t, x: t.nn.functional.l1_loss(x, t.zeros_like(x)),
    "x * 0.1": lambda t, x: x * 0.1,
    "2 - x": lambda t, x: 2 - x,
    "x / 3": lambda t, x: x / 3,
    "1.5 ** x": lambda t, x: 1.5 ** x,
    "x ** 0.5": lambda t, x: x ** 0.5,
    "x // 0.3": lambda t, x: x // 0.3,
    "x % 0.3": lambda t, x: x % 0.3,
    "1 / x": lambda t, x: 1 / x,
    "x + 0-d float64": lambda t, x: x + t.tensor(0.1, dtype=t.float64),
    "0-d float32 * x": lambda t, x: t.tensor(0.1) * x,
    "x + 0-d half": lambda t, x: x + t.tensor(0.1, dtype=t.float16), "x + 0-d int": lambda t, x: x + t.tensor(3),
    "where(number)": lambda t, x: t.where(x > 1, x, 0.5),
    "where(0-d)": lambda t, x: t.where(x > 1, x, t.tensor(0.5, dtype=t.float64)),
    "maximum": lambda t, x: t.maximum(x, t.tensor(0.5)),
    "atan2": lambda t, x: t.atan2(x, t.tensor(2.0, dtype=t.float64)),
    "lerp": lambda t, x: t.lerp(x, t.zeros_like(x), 0.3), "addcmul": lambda t, x: t.addcmul(x, x, x, value=0.3),
    "addcdiv": lambda t, x: t.addcdiv(x, x, x, value=0.3), "add(alpha)": lambda t, x: t.add(x, x, alpha=0.3),
    "sub(alpha)": lambda t, x: t.sub(x, 2, alpha=3),
    "rsub": lambda t, x: t.rsub(x, 2.5),
    "fmod": lambda t, x: t.fmod(x, 0.7),
    "xlogy": lambda t, x: t.xlogy(x, 2.0), "leaky_relu": lambda t, x: t.nn.functional.leaky_relu(x, 0.1),
    "threshold": lambda t, x: t.nn.functional.threshold(x, 0.1, 20),
    "hardtanh": lambda t, x: t.nn.functional.hardtanh(x, -0.5, 0.5),
    "elu": lambda t, x: t.nn.functional.elu(x, 0.5), "softplus": lambda t, x: t.nn.functional.softplus(x, 2, 10),
    "masked_fill": lambda t, x: x.masked_fill(x > 1, 0.5), "nan_to_num": lambda t, x: t.nan_to_num(x, 0.5),
    "norm": lambda t, x: x.norm(),
    "norm(3)": lambda t, x: x.norm(3),
    "norm(0.5)": lambda t, x: x.norm(0.5),
    "sum": lambda t, x: x.sum(),
    "mean(dtype)": lambda t, x: x.mean(dtype=t.float64),
    "sum(dtype)": lambda t, x: x.sum(dtype=t.float16),
    "var": lambda t, x: x.var(correction=0),
    "cumsum": lambda t, x: x.cumsum(0),
    "cumsum(dtype)": lambda t, x: x.cumsum(0, dtype=t.float32),
    "cumprod": lambda t, x: x.cumprod(0),
    "logsumexp": lambda t, x: x.logsumexp(0),
    "softmax": lambda t, x: x.softmax(0),
    "softmax(dtype)": lambda t, x: x.softmax(0, dtype=t.float64),
    "prod": lambda t, x: x.prod(),
    "std": lambda t, x: x.std(correction=0),
    "dist": lambda t, x: t.dist(x, t.zeros_like(x), 1.5),
    "logit": lambda t, x: t.logit(x, 0.1),
    "round": lambda t, x: t.round(x, decimals=1),
    "pow 2": lambda t, x: x ** 2,
    "hypot": lambda t, x: t.hypot(x, x),
    "heaviside": lambda t, x: x.relu(),
    "copysign": lambda t, x: x.abs() * x.sign(),
    "quantile": lambda t, x: x.median(),
}
MATRICES = {
    "addmm": lambda t, m, v: t.addmm(m, m, m, beta=0.5, alpha=2),
    "addmv": lambda t, m, v: t.addmv(v, m, v, beta=0.5, alpha=2),
    "addr": lambda t, m, v: t.addr(m, v, v, beta=0.5, alpha=2),
    "addbmm": lambda t, m, v: t.addbmm(m, m[None], m[None], beta=0.5, alpha=2),
    "baddbmm": lambda t, m, v: t.baddbmm(m[None], m[None], m[None], beta=0.5, alpha=2),
    "addmm plain": lambda t, m, v: t.addmm(m, m, m),
    "addmm ints": lambda t, m, v: t.addmm(m, m, m, beta=2, alpha=3),
    "matmul": lambda t, m, v: m @ m,
    "outer": lambda t, m, v: t.outer(v, v),
    "einsum": lambda t, m, v: t.einsum("ij,j->i", m, v), "linear": lambda t, m, v: t.nn.functional.linear(m, m, v),
}


def dtypes_of(library, dtype, function, make):
    """The dtypes of what is returned and of the gradients; the class of the error if it raises."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        inputs = make(library, getattr(library, dtype))
        try:
            outputs = [y for y in flat(function(library, *inputs)) if isinstance(y, library.Tensor)]
            roots = [y for y in outputs if y.requires_grad]
            if roots:
                ones = [library.ones_like(y) for y in roots]
                outputs += library.autograd.grad(roots, inputs, ones, allow_unused=True)
        except (RuntimeError, ValueError, TypeError, NotImplementedError) as e:
            return type(e)
    return [None if y is None else str(y.dtype) for y in outputs]


def tensors(*values):
    def make(library, dtype):
        made = [library.tensor(value).to(dtype) for value in values]
        return [x.requires_grad_() if x.dtype.is_floating_point else x for x in made]
    return make


def same(function, dtype, make):
    torch = pytest.importorskip("torch")
    theirs = dtypes_of(torch, dtype, function, make)
    if isinstance(theirs, list):    # what PyTorch refuses is exempt
        assert dtypes_of(minigrad, dtype, function, make) == theirs


@pytest.mark.parity
@pytest.mark.parametrize("dtype", ALL)
@pytest.mark.parametrize("name", CALLS)
def test_with_numbers(name, dtype):
    same(CALLS[name], dtype, tensors([0.2, 1.5, 3.0]))
    same(CALLS[name], dtype, tensors(1.5))


@pytest.mark.parity
@pytest.mark.parametrize("dtype", [*FLOATS, "int64"])
@pytest.mark.parametrize("name", MATRICES)
def test_products(name, dtype):
    same(MATRICES[name], dtype, tensors([[1.0, 2.0], [3.0, 4.0]], [1.0, 2.0]))


@pytest.mark.parity
@pytest.mark.parametrize("row", SHARED, ids=str)
def test_every_operation(row):
    """Of the sample rows, in float32; test_half.py sees to 16 bits."""
    torch = pytest.importorskip("torch")

    def found(library, case):
        def make(array, requires_grad):
            t = library.tensor(array.copy())
            t = t.to(library.float32) if array.dtype.kind == "f" else t
            return t.requires_grad_(requires_grad and t.dtype.is_floating_point)
        inputs, args, kwargs, _ = bound(make, row, case, "float64")
        return dtypes_of(library, "float32", lambda *_: call(library, row, args, kwargs), lambda *_: inputs)

    for case in row.cases:
        theirs = found(torch, case)
        if isinstance(theirs, list):
            assert found(minigrad, case) == theirs, case


def test_without_torch():
    """A few of them, spelled out."""
    half, x = minigrad.tensor([1.0, 12.0], dtype=minigrad.float16), minigrad.tensor(0.5)
    F = minigrad.nn.functional
    assert F.huber_loss(x, x).dtype is F.huber_loss(x, x, delta=2).dtype is minigrad.float32
    assert x.clamp(minigrad.zeros(()), 2.0).dtype is minigrad.float32
    assert half.clamp(minigrad.zeros(2), minigrad.tensor(1.5)).dtype is minigrad.float32
    assert (half * 0.1).dtype is (half * x).dtype is minigrad.float16
    assert F.softplus(half).tolist() == [1.3134765625, 12.0]
    assert minigrad.sigmoid(-half).tolist() == [0.26904296875, 6.139278411865234e-06]


# ------------------------------------------------------------------------------ as recorded

RECORDED = json.loads(make_result_dtypes.FILE.read_text())

INTEGERS = ("uint8", "int8", "int16", "int32", "int64")
COMPLEX = ("complex64", "complex128")
WEIGHTED = "its weight makes it a product of other operations, which take more dtypes"
MIXED = "PyTorch promotes only some pairs of an integer and a float: here all of them are refused, or promoted"
EMPTY = "PyTorch takes any dtype if there are no elements"

#: (operation, partner): why PyTorch's answer is another one, and the dtypes for which it is.
DIFFERENT = {
    ("addcmul", "int64"): (MIXED, ["bool"]), ("addcmul", "float64"): (MIXED, ["bool"]),
    ("addcmul", "0-d"): (MIXED, ["bool"]),
    ("batch_norm", "same"): (EMPTY, ["bool", *INTEGERS, *COMPLEX]),
    ("softmax", "same"): (EMPTY, ["bool", *INTEGERS, *COMPLEX]),
    **{("mse_loss", partner): (WEIGHTED, [*INTEGERS, *COMPLEX]) for partner in ("same", "int64", "float64")},
    **{("linalg.solve_triangular", partner): (MIXED, make_result_dtypes.DTYPES)
       for partner in ("int64", "float64", "0-d")},
    **{(name, partner): ("of two tensors of integers it is computed here", ["bool", *INTEGERS])
       for name in ("igamma", "igammac") for partner in ("same", "int64")},
    **{("soft_margin_loss", partner): ("it is refused here: a loss is real", COMPLEX)
       for partner in make_result_dtypes.PARTNERS},
    ("cosine_embedding_loss", "int64"): (MIXED, ["float16", "bfloat16"]),
    ("multilabel_soft_margin_loss", "0-d"): (MIXED, ["float16", "bfloat16", "float32"]),
    ("poisson_nll_loss", "0-d"): (MIXED, ["bool", *INTEGERS]),
    ("native_batch_norm", "0-d"): ("a weight without dims is refused here", ["float64"]),
    ("istft", "same"): ("it is of complex numbers", ["bool"]),
    ("local_response_norm", "same"): ("it is of floats", ["int64"]),
    ("view_as_complex", "same"): ("NumPy has no complex numbers of two halves", ["float16"]),
    ("view_as_complex_copy", "same"): ("NumPy has no complex numbers of two halves", ["float16"]),
}


@pytest.mark.parametrize("name", [name for name, _ in make_result_dtypes.named(SHARED)])
def test_as_recorded(name):
    """In each dtype, alone and beside others.  What PyTorch refuses may be computed here."""
    row = dict(make_result_dtypes.named(SHARED))[name]
    found = make_result_dtypes.answers(minigrad, bound, call, row)
    for partner, words in RECORDED[name].items():
        _, exempt = DIFFERENT.get((str(row), partner), (None, ()))
        for dtype, theirs, ours in zip(make_result_dtypes.DTYPES, words.split(), found[partner].split()):
            assert theirs == "-" or ours == theirs or dtype in exempt, (partner, dtype)


@pytest.mark.parity
def test_the_record_is_pytorchs():
    """Of some rows, since all take long."""
    torch = pytest.importorskip("torch")
    for name, row in make_result_dtypes.named(SHARED)[::25]:
        assert make_result_dtypes.answers(torch, bound, call, row) == RECORDED[name], name


@pytest.mark.parametrize("name", ["pow", "atan2", "xlogy", "logaddexp"])
def test_a_slope_of_16_bits_may_depend_on_integers_of_16_bits(torch, name):
    x = torch.tensor([1., 2., 3.], dtype=torch.float16, requires_grad=True)
    e = torch.tensor([1, 2, 3], dtype=torch.int16)
    (slope,) = torch.autograd.grad(getattr(torch, name)(x, e).sum(), x, create_graph=True)
    n, v = np.array([1., 2., 3.]), np.array([1., 2., 3.])
    expected = {"pow": n * v ** (n - 1), "atan2": n / (v * v + n * n), "xlogy": np.log(n),
                "logaddexp": 1 / (1 + np.exp(n - v))}[name]
    assert slope.dtype == torch.float16
    np.testing.assert_allclose(slope.detach().float().numpy(), expected, rtol=2e-3, atol=2e-3)


def test_a_product_rounded_to_16_bits_has_the_slopes_of_what_was_rounded(torch):
    x = torch.tensor([1., 2., 3.], dtype=torch.float64, requires_grad=True)
    (slope,) = torch.autograd.grad(x.cumprod(0, dtype=torch.float16).sum(), x, create_graph=True)
    assert slope.dtype == torch.float64 and slope.tolist() == [9., 4., 2.]
    (second,) = torch.autograd.grad(slope[0], x)
    assert second.dtype == torch.float64 and second.tolist() == [0., 4., 2.]
