"""16-bit floats become float32 and back many at a time: every bit is that of NumPy's conversions, which take them one
by one, with the processor's own instruction and without it."""

import numpy as np
import pytest

import minigrad as torch
from minigrad import teaching
from minigrad._core.kernels.loops import copies

ml_dtypes = pytest.importorskip("ml_dtypes")

HALVES = {"float16": np.dtype(np.float16), "bfloat16": np.dtype(ml_dtypes.bfloat16)}
EVERY_HALF = np.arange(2**16, dtype=np.uint16)


@pytest.fixture(params=[True, False], ids=["by the instruction", "by integers"])
def either_way(request):
    copies.by_instruction(request.param)
    yield
    copies.by_instruction(True)


def converted(array, dtype):
    """An array as a tensor converts it."""
    own, other = getattr(torch, array.dtype.name), getattr(torch, dtype.name)
    halves = HALVES.values()
    x = torch.from_numpy(array.view(np.int16)).view(own) if array.dtype in halves else torch.from_numpy(array)
    x = x.to(other)
    return x.view(torch.int16).numpy().view(dtype) if dtype in halves else x.numpy()


def bits(array):
    """As integers, with all nans of one sign alike."""
    sign = np.signbit(array)
    unsigned = np.ascontiguousarray(array).view(f"u{array.dtype.itemsize}").astype(np.int64)
    return np.where(np.isnan(array.astype(np.float32)), -1 - sign.astype(np.int64), unsigned)


def singles():
    """Numbers around each half, and each point midway between two of them; some of every exponent."""
    found = []
    for dtype in HALVES.values():
        with np.errstate(all="ignore"):
            halves = np.sort(EVERY_HALF.view(dtype).astype(np.float32))
        halves = halves[np.isfinite(halves)]
        midway = ((halves[1:].astype(np.float64) + halves[:-1]) / 2).astype(np.float32)
        found += [halves, midway, np.nextafter(midway, np.float32(np.inf)), np.nextafter(midway, np.float32(-np.inf))]
    found.append(np.arange(0, 2**32, 104729, dtype=np.uint64).astype(np.uint32).view(np.float32))
    return np.concatenate([*found, np.float32([np.inf, -np.inf, np.nan, -np.nan, 65519.99, 65520, 3.4e38, -0.])])


@pytest.mark.parametrize("name", HALVES)
def test_every_half_as_a_single(name, either_way):
    halves = EVERY_HALF.view(HALVES[name])
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(bits(converted(halves, np.dtype(np.float32))),
                                      bits(halves.astype(np.float32)))


@pytest.mark.parametrize("name", HALVES)
def test_singles_are_rounded_to_the_nearest_half(name, either_way):
    numbers = singles()
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(bits(converted(numbers, HALVES[name])),
                                      bits(numbers.astype(HALVES[name])))


@pytest.mark.parametrize("name", HALVES)
@pytest.mark.parametrize("other", ["bool", "uint8", "int8", "int32", "int64", "float64", "complex64"])
def test_other_dtypes(name, other):
    numbers = np.arange(-300, 300).astype(HALVES[name])
    other = np.dtype(other)
    with np.errstate(all="ignore"):
        wide = converted(numbers, other)
        np.testing.assert_array_equal(wide, numbers.astype(other))
        if other.kind != "c":
            large = (np.arange(-3000, 3000, dtype=np.int64) * 12345677).astype(other)
            np.testing.assert_array_equal(bits(converted(large, HALVES[name])), bits(large.astype(HALVES[name])))


@pytest.mark.parametrize("name", HALVES)
@pytest.mark.parametrize("of", [lambda x: x, lambda x: x.t(), lambda x: x[::2, 1::3], lambda x: x[:1].expand(700, -1),
                                lambda x: x.flip(0)[:, :0], lambda x: x[3, 4]])
def test_any_layout(name, of):
    x = of(torch.linspace(-70, 70, 700 * 30).reshape(700, 30))
    half = x.to(getattr(torch, name))
    assert half.stride() == torch.empty_like(x).stride()
    for a, b in zip(x.reshape(-1).tolist()[::7], half.reshape(-1).tolist()[::7]):
        assert b == torch.tensor([a]).to(getattr(torch, name)).item()
    assert torch.equal(half.float(), half.contiguous().float())


UNARY = [torch.exp, torch.abs, torch.neg, torch.relu, torch.sqrt, torch.tanh, torch.isnan, torch.sign, torch.floor]
BINARY = [torch.add, torch.mul, torch.div, torch.maximum, torch.copysign, torch.lt, torch.eq, torch.remainder,
          torch.atan2]


@pytest.mark.parametrize("name", HALVES)
def test_elementwise_loops_round_what_float32_gives(name):
    dtype = getattr(torch, name)
    every = torch.from_numpy(EVERY_HALF.view(np.int16).copy()).view(dtype)
    for function in UNARY:
        expected = function(every.float())
        assert alike(function(every), expected.to(dtype) if expected.is_floating_point() else expected), function
    x, y = every.reshape(256, 256), every.reshape(256, 256).t()
    for left, right in [(x, y), (y, y), (x, y[:1]), (x[:, ::2], y[::2, :1].t()[:, :128]), (x, y[3, 3]), (y[:1], x)]:
        for function in BINARY:
            expected = function(left.float(), right.float())
            found = function(left, right)
            assert alike(found, expected.to(dtype) if expected.is_floating_point() else expected), function
            assert found.stride() == expected.stride()


@pytest.mark.parametrize("name", HALVES)
def test_numbers_beside_halves(name):
    dtype = getattr(torch, name)
    x = torch.linspace(-3, 3, 1000).to(dtype)
    assert alike(x + 0.1, (x.float() + 0.1).to(dtype))             # in single precision
    assert alike(torch.remainder(x, 0.3), torch.remainder(x.float(), torch.tensor(0.3).to(dtype).float()).to(dtype))
    assert alike(x * torch.tensor(0.1), (x.float() * 0.1).to(dtype))
    assert alike(x + torch.arange(1000), (x.float() + torch.arange(1000).to(dtype).float()).to(dtype))
    assert alike(torch.where(x > 0, x, 0.1), torch.where(x > 0, x, torch.tensor(0.1).to(dtype)))
    assert x.clone().fill_(0.1).tolist() == torch.full((1000,), 0.1).to(dtype).tolist()
    assert alike(x.clone().mul_(0.1), x * 0.1)


def alike(a, b):
    return a.dtype == b.dtype and a.shape == b.shape and torch.equal(a.float().nan_to_num(123.), b.float().nan_to_num(
        123.))


#: of (4, 6, 5): the operation, and how many parameters of six numbers it takes
LINES = {
    **{name: (lambda x, name=name: getattr(torch, name)(x, dim=1), 0)
       for name in ("sum", "mean", "std", "cumsum", "cumprod", "sort", "median", "mode", "count_nonzero", "all", "prod",
                    "max", "argmin", "cummax", "nansum", "logcumsumexp")},
    "norm": (lambda x: torch.linalg.vector_norm(x, 3, 1), 0),
    "topk": (lambda x: torch.topk(x, 2, 1), 0),
    "layer_norm": (lambda x, w, b: torch.nn.functional.layer_norm(x.mT, (6,), w, b), 2),
    "rms_norm": (lambda x, w: torch.nn.functional.rms_norm(x.mT, (6,), w), 1),
    "group_norm": (lambda x, w, b: torch.nn.functional.group_norm(x, 2, w, b), 2),
    "batch_norm": (lambda x, w, b: torch.nn.functional.batch_norm(x, None, None, w, b, training=True), 2),
    "fixed batch_norm": (lambda x, w, b: torch.nn.functional.batch_norm(x, w.detach(), b.detach() ** 2 + 1,
                                                                         w, b), 2),
}


@pytest.mark.parametrize("name", HALVES)
@pytest.mark.parametrize("op", LINES)
def test_what_is_computed_of_lines_is_rounded_once(op, name):
    call, several = LINES[op]
    draw = torch.Generator().manual_seed(0)
    dtype = getattr(torch, name)
    for parameters in {dtype, torch.float32}:
        operands = [torch.randn(4, 6, 5, generator=draw).to(dtype),
                    *[torch.randn(6, generator=draw).to(parameters) for _ in range(several)]]

        def results():
            leaves = [x.detach().requires_grad_() for x in operands]
            found = call(*leaves)
            found = [*found] if isinstance(found, tuple) else [found]
            slopes = torch.autograd.grad(found[0].sin().sum(), leaves) if found[0].requires_grad else ()
            return [*found, *slopes]

        in_c = results()
        with teaching.without_kernels():
            for a, b in zip(in_c, results(), strict=True):
                assert a.dtype is b.dtype
                torch.testing.assert_close(a, b)
