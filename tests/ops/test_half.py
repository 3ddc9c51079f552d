"""float16 and bfloat16: what is computed in float32 and rounded once, for every operation.

The judge is PyTorch in float64 on the same 16-bit numbers.  A result, and a gradient, may be off by two units in the
last place of its own dtype (one rounding, and that of a result which was saved), or as much as PyTorch's own.
"""

import warnings

import numpy as np
import pytest

import minigrad
from tests.ops.samples import activation, elementwise
from tests.ops.samples import ROWS
from tests.ops.sampling import T, Case
from tests.ops.test_ops import bound, call, flat, place

pytest.importorskip("ml_dtypes")

EPS = {"float16": 2.0**-10, "bfloat16": 2.0**-7, "float32": 2.0**-23, "float64": 2.0**-52}
SMALLEST = {"float16": 2.0**-24, "bfloat16": 2.0**-133, "float32": 2.0**-149, "float64": 5e-324}
LARGEST = {"float16": 65504, "bfloat16": 3.39e38, "float32": 3.41e38, "float64": np.inf}
#: numbers where a step in 16 bits would overflow, vanish or lose all digits
HARD = [12, -12, 0.3, 100, -100, 3e4, -3e4, 1e-7, -1e-7, 0, 1, -7]
#: operations for which precision does not matter with these numbers
NOT_HARD = {
    "acosh": "below 1 there is none", "digamma": "it has poles there", "polygamma": "it has poles there",
    "gelu": "PyTorch's own float64 vanishes at -12",
}
#: made of several operations, in PyTorch too: each of them rounds
SEVERAL = {"cov": 8, "softsign": 40, "normalize": 8, "cosine_similarity": 8}
WEIGHTS = [0.75, -1.5, 1.25, 0.5, -1.75]
SHARED = [row for row in ROWS if row.torch is not False and place(row) != "row"]
FAMILIES = [*elementwise.ROWS, *activation.ROWS]


def maker(library, name, exact=False):
    """Of an array, a tensor in the dtype ``name``; with ``exact`` the same numbers in float64."""
    def make(array, requires_grad):
        t = library.tensor(array.copy())
        if array.dtype.kind == "f":
            t = t.to(getattr(library, name))
            t = t.to(library.float64) if exact else t
        return t.requires_grad_(requires_grad and t.dtype.is_floating_point)
    return make


def run(library, make, row, case, gradients):
    """The outputs and the gradients, as [(dtype, array)]."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        inputs, args, kwargs, _ = bound(make, row, case, "float64")
        outputs = [x for x in flat(call(library, row, args, kwargs)) if isinstance(x, library.Tensor)]
        found = list(outputs)
        roots = [x for x in outputs if x.requires_grad]
        if gradients and row.grad and inputs and roots:
            weights = [library.tensor(np.resize(WEIGHTS, tuple(x.shape))).to(x.dtype) for x in roots]
            found += library.autograd.grad(roots, inputs, weights, allow_unused=True)
    return [None if x is None else (str(x.dtype).removeprefix("torch."), wide_array(x)) for x in found]


def wide_array(x):
    x = x.detach()
    return (x.double() if x.dtype.is_floating_point else x).numpy()


def units(dtype, actual, exact, together):
    """The greatest distance in units of the last place; numbers too large for the dtype are infinite.

    With ``together``, of the last place of the greatest of all: where they are differences of larger numbers.
    """
    if not actual.size:
        return 0
    with np.errstate(all="ignore"):
        exact = np.where(np.abs(exact) > LARGEST[dtype], np.sign(exact) * np.inf, exact)
        size = np.nanmax(np.abs(exact)) if together else np.abs(exact)
        size = 1 if together and size < 1e-12 else size         # zero in the end: what cancels were numbers about 1
        off = np.abs(actual - exact) / np.maximum(EPS[dtype] * size, SMALLEST[dtype])
    off = np.where((actual == exact) | np.isnan(exact), 0, off)
    return float(np.max(np.where(np.isnan(off), np.inf, off)))


def faults(row, case, name):
    """What is wrong with a call, or nothing."""
    torch = pytest.importorskip("torch")
    for gradients in (True, False):
        try:
            theirs = run(torch, maker(torch, name), row, case, gradients)
            exact = run(torch, maker(torch, name, True), row, case, gradients)
            break
        except (RuntimeError, NotImplementedError, ValueError, TypeError, IndexError):
            continue
    else:
        return                      # what PyTorch refuses in 16 bits is exempt
    ours = run(minigrad, maker(minigrad, name), row, case, gradients)
    if any(x is not None and x[0].startswith("complex") for x in theirs):
        return                      # NumPy has no complex numbers of 16-bit parts
    for k, (a, b, e) in enumerate(zip(ours, theirs, exact, strict=True)):
        if a is None or b is None:
            assert a is b, f"{row}({case}) of {name}: number {k} is {a} and not {b}"
            continue
        assert (a[0], a[1].shape) == (b[0], b[1].shape), f"{row}({case}) of {name}: number {k}"
        if a[0] in EPS:
            together = row not in elementwise.ROWS
            mine, other = (units(a[0], x[1], e[1], together) for x in (a, b))
            if mine > max(SEVERAL.get(row.name, 2), 1.01 * other):
                yield (f"{row}({case}) of {name}: number {k} is off by {mine:.1f} units ({other:.1f}): "
                       f"{a[1].tolist()} and not {e[1].tolist()}")


def hard(case):
    """The same call with hard numbers."""
    def harden(x, k):
        if isinstance(x, T) and x.kind in ("float", "nonzero", "distinct", "positive") and x.values is None:
            n = int(np.prod(x.shape))
            drawn = np.resize(np.roll(HARD, -5 * k), n).reshape(x.shape)
            drawn = np.abs(drawn) + 1e-7 * (drawn == 0) if x.kind in ("positive", "nonzero") else drawn
            return T(values=drawn, grad=x.grad)
        return x
    return Case([harden(x, k) for k, x in enumerate(case.args)], {key: harden(x, 1) for key, x in case.kwargs.items()})


@pytest.mark.parity
@pytest.mark.parametrize("name", ["float16", "bfloat16"])
@pytest.mark.parametrize("row", SHARED, ids=str)
def test_one_rounding(row, name):
    cases = [*row.cases, *[hard(case) for case in row.cases if row in FAMILIES and row.name not in NOT_HARD]]
    assert [fault for case in cases for fault in faults(row, case, name)] == []


def test_what_users_meet():
    """Without PyTorch: no inf, no 0 where the number is within the dtype."""
    half, F = minigrad.float16, minigrad.nn.functional
    x = minigrad.tensor([12.0, -12.0, 100.0, 1e-7], dtype=half)
    assert F.softplus(x).tolist() == [12.0, 6.139278411865234e-06, 100.0, 0.693359375]
    assert minigrad.sigmoid(x).tolist() == [1.0, 6.139278411865234e-06, 1.0, 0.5]
    assert (minigrad.tensor([3.0], dtype=half) * 0.1).tolist() == [0.300048828125]      # 3 * float16(0.1) is 0.2998
    assert (minigrad.tensor([60000.0], dtype=half) / 100000).tolist() == [0.60009765625]
    assert minigrad.ones(70000, dtype=half).mean().item() == 1
    assert minigrad.ones(3000, dtype=half).cumsum(0)[-1].item() == 3000
    many = minigrad.ones(70000, dtype=half, requires_grad=True)
    many.mean().backward()
    assert many.grad[0].item() == np.float16(1 / 70000)
    table = minigrad.ones(2, dtype=half, requires_grad=True)
    table[minigrad.zeros(3000, dtype=minigrad.int64)].sum().backward()      # 2048 + 1 is 2048 in float16
    assert table.grad.tolist() == [3000, 0]
    big = minigrad.tensor([300.0, 400.0], dtype=half)
    assert big.norm().item() == 500 and big.var(correction=0).item() == 2500
    assert minigrad.addcmul(big, big, big, value=0.5)[0].item() == 45312


@pytest.mark.parametrize("name", ["float16", "bfloat16"])
def test_nan_to_num(name):
    largest = minigrad.finfo(getattr(minigrad, name)).max
    x = minigrad.tensor([np.nan, np.inf, -np.inf, 1.5]).to(getattr(minigrad, name))
    assert minigrad.nan_to_num(x).tolist() == [0, largest, -largest, 1.5]
    assert minigrad.nan_to_num(x, 2.0, 3.0, 4.0).tolist() == [2, 3, 4, 1.5] and minigrad.nan_to_num(x).dtype is x.dtype


@pytest.mark.parametrize("name", ["float16", "bfloat16"])
def test_a_bound_is_rounded_as_the_numbers_are(name):
    x = minigrad.tensor([0.1, 0.2, 0.3]).to(getattr(minigrad, name)).requires_grad_()
    for clamped in (x.clamp(0.1, 0.3), x.clamp_min(0.1), x.clamp_max(0.3), x.clamp(minigrad.tensor(0.1), 0.3)):
        assert clamped.tolist() == x.tolist()
        assert minigrad.autograd.grad(clamped.sum(), x)[0].tolist() == [1, 1, 1]


SMOOTH = {
    "sigmoid": minigrad.sigmoid, "tanh": minigrad.tanh, "atan2": lambda x: minigrad.atan2(x, x + 1),
    "softplus": minigrad.nn.functional.softplus, "gelu": minigrad.nn.functional.gelu,
    "mish": minigrad.nn.functional.mish,
    "div": lambda x: 1.5 / x + x / (x * x + 1), "softmax": lambda x: x.softmax(-1) * x, "var": lambda x: x.var(-1),
    "pow": lambda x: x.abs() ** 1.3, "norm": lambda x: x.norm(dim=-1),
}


@pytest.mark.parametrize("name", ["float16", "bfloat16"])
@pytest.mark.parametrize("op", SMOOTH)
def test_every_way_to_a_gradient_gives_the_same(op, name):
    """A recorded backward pass, and one under vmap, compute in float32 as the plain one does."""
    x = minigrad.tensor([[0.3, -1.2, 2.5, 7.0], [1.1, -0.4, 3.0, -5.0]]).to(getattr(minigrad, name)).requires_grad_()
    plain, = minigrad.autograd.grad(SMOOTH[op](x).sum(), x)
    recorded, = minigrad.autograd.grad(SMOOTH[op](x).sum(), x, create_graph=True)
    mapped = minigrad.vmap(minigrad.func.grad(lambda row: SMOOTH[op](row).sum()))(x.detach())
    assert plain.dtype is recorded.dtype is mapped.dtype is x.dtype
    assert plain.tolist() == recorded.tolist() == mapped.tolist()
    assert recorded.requires_grad and minigrad.autograd.grad(recorded.sum(), x)[0].dtype is x.dtype


@pytest.mark.parametrize("op", ["sigmoid", "softplus", "gelu", "tanh", "mish", "atan2"])
def test_forward_mode_is_as_exact(op):
    x = minigrad.tensor([0.3, -1.2, 2.5, 7.0, -5.0], dtype=minigrad.float16)
    forward = minigrad.func.jvp(SMOOTH[op], (x,), (minigrad.ones_like(x),))[1]
    assert forward.tolist() == minigrad.func.grad(lambda x: SMOOTH[op](x).sum())(x).tolist()


def test_mixed_with_float32():
    """A gradient comes in the dtype of its input, from steps in float32."""
    half = minigrad.tensor([0.3, 7.0], dtype=minigrad.float16, requires_grad=True)
    single = minigrad.tensor([1.5, 2.5], requires_grad=True)
    found = minigrad.autograd.grad(minigrad.atan2(half, single).sum(), [half, single])
    exact = minigrad.autograd.grad(minigrad.atan2(half.float(), single).sum(), [half, single])
    assert [g.dtype for g in found] == [minigrad.float16, minigrad.float32]
    assert [g.tolist() for g in found] == [g.tolist() for g in exact]
    assert half.mean(dtype=minigrad.float32).dtype is half.norm(dtype=minigrad.float32).dtype is minigrad.float32
    assert (half * minigrad.tensor(0.1)).tolist() == (half * 0.1).tolist()


@pytest.mark.parametrize("name", ["float16", "bfloat16"])
@pytest.mark.parametrize("f", [
    lambda x: x.argsort(1, stable=True), lambda x: x.argsort(0, descending=True, stable=True),
    lambda x: x.sort(1, descending=True), lambda x: x.kthvalue(3), lambda x: x.median(1), lambda x: x.topk(3),
    lambda x: minigrad.unique(x, return_inverse=True, return_counts=True), lambda x: minigrad.unique(x, dim=0),
    lambda x: minigrad.searchsorted(x.sort(1).values, x, side="right"),
    lambda x: minigrad.bucketize(x, x.reshape(-1).sort().values)])
def test_nan_is_the_greatest_in_an_order(name, f):
    rng = np.random.default_rng(3)
    for _ in range(20):
        x = minigrad.tensor(rng.choice([0, 1, -1, 2, -2, np.inf, -np.inf, np.nan], (4, 7)).tolist())
        for found, expected in zip(flat(f(x.to(getattr(minigrad, name)))), flat(f(x)), strict=True):
            assert minigrad.equal(found.to(expected.dtype).nan_to_num(7.), expected.nan_to_num(7.))
