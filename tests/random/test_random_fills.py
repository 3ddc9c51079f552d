"""Tensors filled with random numbers in place: the distributions, what is recorded, and what is refused."""

import numpy as np
import pytest

import minigrad
from minigrad import Generator, tensor
from minigrad.dtypes import NAMES
from tests.checking import refuses

N = 100_000
DOUBLE = NAMES["float64"]

#: method -> arguments, mean, standard deviation (None: it has none), range, and the name of its node
FILLS = {
    "uniform_": ((2, 5), 3.5, 3 / 12 ** 0.5, (2, 5), "UniformBackward0"),
    "normal_": ((1, 2), 1, 2, None, "NormalBackward0"),
    "log_normal_":
        ((0, 0.5), np.exp(0.125), np.exp(0.125) * (np.exp(0.25) - 1) ** 0.5, (0, np.inf), "LogNormalBackward0"),
    "exponential_": ((2,), 0.5, 0.5, (0, np.inf), "ExponentialBackward0"),
    "cauchy_": ((1, 2), None, None, None, "CauchyBackward0"),
    "random_": ((2, 8), 4.5, (35 / 12) ** 0.5, (2, 7), "RandomBackward0"),
    "geometric_": ((0.25,), 4, 12 ** 0.5, (1, np.inf), "GeometricBackward0"),
    "bernoulli_": ((0.25,), 0.25, 0.1875 ** 0.5, (0, 1), "BernoulliBackward2"),
}
each = pytest.mark.parametrize("name", FILLS)
WHOLE = ("random_", "geometric_", "bernoulli_")


def refused(code, text, x, name, *args, **options):
    value, version, where = x.tolist(), x._version, minigrad.get_rng_state()
    with pytest.raises((RuntimeError, TypeError), match=text) as caught:
        getattr(x, name)(*args, **options)
    assert caught.value.code == code and x.tolist() == value and x._version == version
    assert minigrad.equal(where, minigrad.get_rng_state()), "nothing was drawn"


# ------------------------------------------------------------------------------ distributions


@each
def test_distribution(name):
    args, mean, std, bounds, _ = FILLS[name]
    x = minigrad.empty(N, dtype=DOUBLE)
    assert getattr(x, name)(*args, generator=Generator().manual_seed(0)) is x and x._version == 1
    drawn = x.numpy()
    if mean is None:                            # a Cauchy distribution has quartiles, and they are median +- sigma
        assert np.allclose(np.quantile(drawn, [0.25, 0.5, 0.75]), [-1, 1, 3], atol=0.05)
    else:
        assert abs(drawn.mean() - mean) < 5 * std / N ** 0.5 and abs(drawn.std() / std - 1) < 0.03
    if bounds:
        assert bounds[0] <= drawn.min() and drawn.max() <= bounds[1]
    if name in WHOLE:
        assert np.array_equal(drawn, np.round(drawn))


@each
def test_the_same_seed_gives_the_same_numbers(name):
    def draw():
        return getattr(minigrad.empty(3, 4), name)(*FILLS[name][0], generator=Generator().manual_seed(5))
    assert minigrad.equal(draw(), draw())
    minigrad.manual_seed(5)
    assert minigrad.equal(draw(), getattr(minigrad.empty(3, 4), name)(*FILLS[name][0]))


@each
def test_dtypes(name):
    for dtype in ("float16", "float32", "float64", "int64", "uint8", "bool", "complex64"):
        x = minigrad.zeros(3, dtype=NAMES[dtype])
        whole = dtype in ("int64", "uint8", "bool")
        known = not whole if name in ("uniform_", "normal_") else dtype.startswith("float") if name not in WHOLE else (
            dtype != "complex64" and (name, dtype) != ("geometric_", "bool"))
        args = (0, 2) if name == "random_" else FILLS[name][0]
        if known:
            assert getattr(x, name)(*args).dtype is x.dtype
        else:
            refused("MG202", "not implemented for|dtype must be a floating point", x, name, *args)


def test_complex_parts():
    x = minigrad.empty(N, dtype=NAMES["complex128"])
    z = x.normal_(1, 2, generator=Generator().manual_seed(0)).numpy()
    assert abs(z.mean() - (1 + 1j)) < 0.05 and abs(z.real.std() / 2 ** 0.5 - 1) < 0.02
    z = x.uniform_(2, 3).numpy()
    assert 2 <= z.real.min() and z.imag.max() <= 3


def test_random_by_itself_goes_as_far_as_integers_are_exact():
    for dtype, most in (("float16", 2 ** 11), ("float32", 2 ** 24), ("float64", 2 ** 53), ("int8", 127), ("uint8", 255),
                        (
        "int64", 2 ** 63 - 1), ("bool", 1)):
        drawn = minigrad.empty(10_000, dtype=NAMES[dtype]).random_(generator=Generator().manual_seed(1)).numpy()
        assert 0 <= drawn.min() and most * 0.99 <= drawn.max() <= most
    x = minigrad.empty(1000)
    assert x.random_(3).unique().tolist() == x.random_(to=3).unique().tolist() == [0, 1, 2]
    assert x.random_(2, to=4).unique().tolist() == [2, 3] and x.random_(5, None).min().item() >= 5


def test_each_with_its_own_probability():
    x = minigrad.empty(2, 2)
    assert x.bernoulli_(tensor([0.0, 1.0])).tolist() == [[0, 1], [0, 1]]
    assert minigrad.empty(2, dtype=NAMES["int64"]).bernoulli_(tensor(1.0, dtype=DOUBLE)).tolist() == [1, 1]
    assert 0.4 < minigrad.empty(10_000).bernoulli_().mean().item() < 0.6


def test_a_view_is_filled_for_its_base():
    x = minigrad.zeros(3, 3)
    x.diagonal().uniform_(1, 2)
    assert x.nonzero().tolist() == [[0, 0], [1, 1], [2, 2]] and x._version == 1


# ------------------------------------------------------------------------------ autograd


@each
def test_recorded_with_gradient_zero(name):
    leaf = minigrad.ones(2, 3, requires_grad=True)
    x = leaf * 1
    getattr(x, name)(*FILLS[name][0])
    assert x.grad_fn.name() == FILLS[name][4] and x._version == 1
    x.sum().backward()
    assert leaf.grad.tolist() == [[0] * 3] * 2


def test_the_nodes_of_other_signatures():
    leaf, p = minigrad.ones(3, requires_grad=True), minigrad.full((3,), 0.5, requires_grad=True)
    assert (leaf * 1).random_().grad_fn.name() == "RandomBackward2"
    assert (leaf * 1).random_(5).grad_fn.name() == "RandomBackward1"
    x = (leaf * 1).bernoulli_(p)
    assert x.grad_fn.name() == "BernoulliBackward1"
    x.sum().backward()
    assert p.grad.tolist() == leaf.grad.tolist() == [0, 0, 0]


@each
def test_what_is_refused_has_changed_nothing(name):
    args = FILLS[name][0]
    leaf = minigrad.ones(2, 3, requires_grad=True)
    refused("MG105", "a leaf Variable that requires grad", leaf, name, *args)
    refused("MG116", "more than one element of the written-to tensor", minigrad.ones(1).expand(3), name, *args)
    words = "generator=int" if name == "bernoulli_" else "argument 'generator' must be torch.Generator, not int"
    refused("MG205", words, minigrad.ones(2), name, *args, generator=3)
    with minigrad.no_grad():
        getattr(leaf, name)(*args)              # how parameters get their first values
    assert leaf.is_leaf and leaf.requires_grad and leaf._version == 1


@pytest.mark.parametrize("name, args, code, text", [
    ("uniform_", (1, 0), "MG204", r"expects to return a \[from, to\) range, but found from=1 > to=0"),
    ("uniform_", (0, 1e300), "MG204", "to is out of bounds for torch.float32"),
    ("uniform_", ("a",), "MG205", "argument 'from' must be float, not str"),
    ("normal_", (0, -1), "MG204", "normal expects std >= 0.0, but found std -1"),
    ("normal_", (1j,), "MG205", "argument 'mean' must be float, not complex"),
    ("log_normal_", (0, 0), "MG204", "log_normal_ expects std > 0.0, but found std=0"),
    ("exponential_", (0,), "MG204", "exponential_ expects lambda > 0.0, but found lambda=0"),
    ("cauchy_", (0, -1), "MG204", "cauchy_ expects sigma > 0.0, but found sigma=-1"),
    ("geometric_", (1,), "MG204", r"geometric_ expects p to be in \(0, 1\), but got p=1"),
    ("geometric_", (), "MG205", "missing 1 required positional argument: 'p'"),
    ("random_", (3, 2), "MG204", "random_ expects 'from' to be less than 'to', but got from=3 >= to=2"),
    ("random_", (0,), "MG204", "random_ expects 'from' to be less than 'to', but got from=0 >= to=0"),
    ("random_", (1.5,), "MG205", "argument 'to' must be int, not float"),
    ("random_", (1, 2, 3), "MG205", r"random_\(\) received an invalid combination of arguments"),
    ("bernoulli_", (2,), "MG204", r"bernoulli_ expects p to be in \[0, 1\], but got p=2"),
    ("bernoulli_", (tensor([2.0, 0.0, 0.0]),), "MG204", "Expected p_in >= 0 && p_in <= 1 to be true"),
    ("bernoulli_", (tensor([1, 1, 1]),), "MG202", "not implemented for torch.int64"),
    ("bernoulli_", (minigrad.ones(2),), "MG201", "must match the existing size"),
    ("bernoulli_", ("a",), "MG205", r"bernoulli_\(\) received an invalid combination of arguments"),
])
def test_wrong_arguments(name, args, code, text):
    refused(code, text, minigrad.zeros(3), name, *args)


# ------------------------------------------------------------------------------ numbers at the edge


@pytest.mark.filterwarnings("ignore:from is out of bounds:UserWarning")
@pytest.mark.parametrize("name, args, drawn", [
    ("uniform_", (-1e35, 0), [-9.658918043494794e+34, -7.13259773278693e+34, -2.270850556714157e+34]),
    ("normal_", (-1e35, 1), [-1e35, -1e35, -1e35]),
    ("normal_", (1e35, 1), [1e35, 1e35, 1e35]),
    ("normal_", (0, 1e35), [8.0327607809635065e+34, 1.7483339327910356e+34, 8.897809502587893e+33]),
    ("exponential_", (1e35,), [3.470345482151741e-37, 3.379095865236701e-36, 1.482430637093487e-35]),
    ("uniform_", (False, True), [0.03410819565052048, 0.28674022672130695, 0.7729149443285843]),
    ("normal_", (False, True), [0.8032760780963507, 0.17483339327910358, 0.08897809502587893]),
    ("uniform_", (0, True), [0.03410819565052048, 0.28674022672130695, 0.7729149443285843]),
    ("normal_", (0, True), [0.8032760780963507, 0.17483339327910358, 0.08897809502587893]),
    ("exponential_", (True,), [0.03470345482151741, 0.3379095865236701, 1.4824306370934868]),
    ("bernoulli_", (True,), [1.0, 1.0, 1.0]),
    ("random_", (-2 ** 25, 5), [-16706036.0, -31783317.0, -11982025.0]),
])
def test_large_numbers_and_booleans_are_parameters_as_others_are(torch, name, args, drawn):
    torch.manual_seed(3)
    x = torch.zeros(3, dtype=torch.float32 if name == "random_" else torch.float64)
    np.testing.assert_allclose(getattr(x, name)(*args).tolist(), drawn, rtol=1e-7)


@pytest.mark.parametrize("p", [-0.5, 1.5, float("nan")])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_probability_beyond_0_and_1_is_refused(torch, p, dtype):
    with refuses(RuntimeError, "Expected p_in >= 0 && p_in <= 1 to be true", "MG204"):
        torch.bernoulli(torch.tensor([0.5, p], dtype=getattr(torch, dtype)))
    with refuses(RuntimeError, "bernoulli_ expects p to be in [0, 1], but got p=", "MG204"):
        torch.zeros(2, dtype=getattr(torch, dtype)).bernoulli_(p)


# ------------------------------------------------------------------------------ PyTorch


@pytest.mark.parity
@each
def test_as_pytorch(name):
    torch = pytest.importorskip("torch")
    seen = []
    for lib in (minigrad, torch):
        leaf = lib.ones(N, dtype=lib.float64, requires_grad=True)
        x = getattr(leaf * 1, name)(*FILLS[name][0])
        x.sum().backward()
        seen.append((type(x.grad_fn).__name__, x._version, leaf.grad.abs().sum().item()))
        drawn = x.detach().numpy()
        seen.append([drawn.mean(), drawn.std()] if name in WHOLE else np.quantile(drawn, [0.1, 0.25, 0.5, 0.75, 0.9]))
    assert seen[0] == seen[2]
    np.testing.assert_allclose(seen[1], seen[3], atol=0.1, rtol=0.05)


@pytest.mark.filterwarnings("ignore:.* is out of bounds:UserWarning")
@pytest.mark.parametrize("dtype, low, high", [
    ("float16", 0, 2 ** 12), ("float16", -2 ** 12, 2 ** 11 + 1), ("bfloat16", 0, 2 ** 9), ("bfloat16", -257, 3),
    ("float32", 0, 2 ** 25), ("float32", -2 ** 24 - 1, 2 ** 25 + 3), ("float64", 1, 2 ** 54)])
def test_integers_stay_in_their_range_where_floats_have_gaps(torch, dtype, low, high):
    """The numbers are PyTorch's: the range ends where its last integer does not round out of it."""
    drawn = []
    for make in (lambda: torch.zeros(1000, dtype=getattr(torch, dtype)).random_(low, high),
                 lambda: torch.randint(low, high, (1000,), dtype=getattr(torch, dtype))):
        torch.manual_seed(3)
        drawn.append(make().double())
    assert torch.equal(*drawn) and low <= drawn[0].min() and drawn[0].max() < high
    assert sum(drawn[0][:3].tolist()) == {
        ("float16", 0): 7412, ("float16", -2 ** 12): -847, ("bfloat16", 0): 511, ("bfloat16", -257): -420,
        ("float32", 0): 40193100, ("float32", -2 ** 24 - 1): -26916556,
        ("float64", 1): 1.88589438361527e+16}[dtype, low]


@pytest.mark.filterwarnings("ignore:.* is out of bounds:UserWarning")
def test_a_range_that_ends_between_two_floats_is_empty(torch):
    with refuses(RuntimeError, "random_ expects 'from' casted to dtype to be less than 'to' casted to dtype, but got "
                 "from=33554436 >= to=33554432", "MG204"):
        torch.zeros(3).random_(2 ** 25 + 1, 2 ** 25 + 4)
    assert torch.zeros(3).random_(2 ** 25 + 1, 2 ** 25 + 5).tolist() == [2. ** 25 + 4] * 3
