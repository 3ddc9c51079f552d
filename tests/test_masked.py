"""``torch.masked``: reductions and normalizations of the elements that a mask chooses."""

from importlib import import_module
from math import exp, log

import pytest

import minigrad
from tests.checking import refuses

INF, NAN = float("inf"), float("nan")


def of(torch):
    return import_module(f"{torch.__name__}.masked")


@pytest.fixture
def x(torch):
    return torch.tensor([[1., -2., 3.], [4., 5., 6.], [-1., .5, 2.]], dtype=torch.float64)


@pytest.fixture
def mask(torch):
    """Of the three rows a part is chosen, nothing, and everything."""
    return torch.tensor([[True, False, True], [False, False, False], [True, True, True]])


def same(torch, found, expected):
    torch.testing.assert_close(found, torch.tensor(expected, dtype=found.dtype), equal_nan=True)


ROWS = {
    "sum": [4, 0, 1.5], "prod": [3, 1, -1], "amax": [3, -INF, 2], "amin": [1, INF, -1], "mean": [2, NAN, .5],
    "var": [2, NAN, 2.25], "std": [2**.5, NAN, 1.5], "norm": [10**.5, 0, 5.25**.5], "median": [1, NAN, .5],
    "logsumexp": [log(exp(1) + exp(3)), -INF, log(exp(-1) + exp(.5) + exp(2))],
    "argmax": [2, 0, 2], "argmin": [0, 0, 0],
}


@pytest.mark.parametrize("name", ROWS)
def test_reductions(torch, x, mask, name):
    function = getattr(of(torch), name)
    found = function(x, dim=1, mask=mask)
    same(torch, found, ROWS[name])
    assert torch.equal(function(x, dim=1, keepdim=True, mask=mask).squeeze(1).nan_to_num(), found.nan_to_num())
    plain = function(x, dim=1)
    assert torch.equal(plain, function(x, dim=1, mask=torch.tensor(True)))      # a mask is broadcast
    assert torch.equal(plain, function(x, dim=1, mask=torch.ones(3, 1, dtype=torch.int32)))
    if name not in ("median", "argmax", "argmin"):
        same(torch, function(x.T, dim=(0,), mask=mask.T), ROWS[name])
        chosen = x[mask]
        same(torch, function(x, mask=mask), function(chosen).item())
        assert torch.equal(function(x, dim=(), mask=mask), function(x, dim=(1, 0), mask=mask))


def test_normalizations(torch, x, mask):
    masked = of(torch)
    p = masked.softmax(x, 1, mask=mask)
    same(torch, p[[0, 2]], [[.119202922, 0, .880797078], [.039112573, .175290392, .785597035]])
    assert p[1].isnan().all()
    torch.testing.assert_close(masked.log_softmax(x, 1, mask=mask), p.log(), equal_nan=True)
    same(torch, masked.softmin(x, 1, mask=mask)[0], [.880797078, 0, .119202922])
    same(torch, masked.normalize(x, 1., 1, mask=mask), [[.25, 0, .75], [0, 0, 0], [-1 / 3.5, .5 / 3.5, 2 / 3.5]])
    same(torch, masked.normalize(x, 2., 1, eps=10., mask=mask), [[.1, 0, .3], [0, 0, 0], [-.1, .05, .2]])
    same(torch, masked.cumsum(x, 1, mask=mask), [[1, 1, 4], [0, 0, 0], [-1, -.5, 1.5]])
    same(torch, masked.cumprod(x, 1, mask=mask), [[1, 1, 3], [1, 1, 1], [-1, -.5, -1]])
    same(torch, masked.logaddexp(x, x, input_mask=mask, other_mask=~mask), x.tolist())


def test_dtypes(torch, x, mask):
    masked, i = of(torch), x.to(torch.int32)
    assert masked.sum(i, mask=mask).dtype is masked.prod(i, mask=mask).dtype is torch.int64
    assert masked.amax(i, 1, mask=mask).tolist() == [3, -2**31, 2] and masked.amax(i).dtype is torch.int32
    assert masked.amin(i.to(torch.uint8) % 7, 1, mask=mask)[1] == 255
    assert masked.argmax(x, mask=mask).dtype is torch.float64
    assert masked.mean(i, dtype=torch.float64, mask=mask).item() == pytest.approx(1)
    assert masked.var(i, mask=mask).dtype is torch.float32 and masked.sum(x, dtype=torch.float32).dtype is torch.float32
    assert masked.median(i, 1, mask=mask[[0, 2, 2]]).tolist() == [1, 5, 0]


def test_corrections_and_orders(torch, x, mask):
    masked = of(torch)
    same(torch, masked.var(x, 1, False, mask=mask), [1, NAN, 1.5])
    same(torch, masked.var(x, 1, correction=2, mask=mask), [INF, NAN, 4.5])
    same(torch, masked.norm(x, INF, 1, mask=mask), [3, 0, 2])
    same(torch, masked.norm(x, -INF, 1, mask=mask), [1, INF, .5])
    same(torch, masked.norm(x, 1, mask=mask), 7.5)


SMOOTH = {"sum": {}, "prod": {}, "amax": {}, "amin": {}, "mean": {}, "var": {}, "std": {}, "norm": {}, "logsumexp": {},
          "median": {}, "softmax": {}, "log_softmax": {}, "softmin": {}, "normalize": {"ord": 2.}, "cumsum": {},
          "cumprod": {}}


@pytest.mark.parametrize("name", SMOOTH)
def test_gradients(name):
    """Right by differences; and 0 for what is masked out, even nan or inf."""
    x = minigrad.tensor([[1., -2., 3.5], [.7, .5, 2.]], dtype=minigrad.float64, requires_grad=True)
    mask = minigrad.tensor([[True, False, True], [True, True, True]])
    function = getattr(minigrad.masked, name)

    def chosen(x):
        return minigrad.where(function(x, dim=1, mask=mask, **SMOOTH[name]).isfinite(),
                              function(x, dim=1, mask=mask, **SMOOTH[name]), 0)

    assert minigrad.autograd.gradcheck(chosen, x) and minigrad.autograd.gradgradcheck(chosen, x)
    for value in (NAN, INF):
        with minigrad.no_grad():
            x[0, 1] = value
        g, = minigrad.autograd.grad(chosen(x).sum(), x)
        assert g[0, 1] == 0 and g.isfinite().all()


def test_a_row_without_elements_has_no_gradient():
    """Neither has its variance, which is nan; in PyTorch the gradient is nan, too."""
    x, mask = minigrad.ones(2, 2, requires_grad=True), minigrad.tensor([[True, True], [False, False]])
    minigrad.masked.var(x, 1, mask=mask).sum().backward()
    assert x.grad.tolist() == [[0, 0], [0, 0]]


@pytest.mark.parametrize(("kind", "phrase", "code", "call"), [
    (IndexError, "mask dimensionality higher than of the input", "MG206",
     lambda masked, x: masked.sum(x, mask=(x > 0)[None])),
    (IndexError, "Dimension out of range (expected to be in range of [-2, 1], but got 2)", "MG203",
     lambda masked, x: masked.sum(x, 2)),
    (RuntimeError, "dim=0 appears multiple times in the list of dims", "MG204",
     lambda masked, x: masked.sum(x, (0, 0))),
    (ValueError, "mean(): Could not infer output dtype. Input dtype must be either a floating point", "MG207",
     lambda masked, x: masked.mean(x.int())),
    (ValueError, "mean(): Could not infer output dtype. Optional dtype must be either a floating point", "MG207",
     lambda masked, x: masked.mean(x, dtype=x.int().dtype)),
    (ValueError, "no fully masked out rows", "MG207", lambda masked, x: masked.median(x.int(), 1, mask=x > 7)),
    (AssertionError, "Only one of unbiased and correction may be given", "MG502",
     lambda masked, x: masked.std(x, 1, True, correction=1)),
    (NotImplementedError, "identity of amax on torch.bool input", "MG503",
     lambda masked, x: masked.amax(x > 0, mask=x > 0)),
])
def test_what_is_refused(torch, x, kind, phrase, code, call):
    with refuses(kind, phrase, code):
        call(of(torch), x)


def test_masked_tensors_are_left_out():
    with refuses(AttributeError, "torch.masked.MaskedTensor is in PyTorch, and not in minigrad: a mask is an argument",
                 "MG602"):
        minigrad.masked.MaskedTensor
