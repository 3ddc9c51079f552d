"""Python's and NumPy's ways to use a tensor: operators with arrays and numbers, conversions, comparisons."""

import numpy as np
import pytest

import minigrad
from tests.checking import refuses


# ------------------------------------------------------------------------------ NumPy

def test_asarray(torch):
    x = torch.ones(2)
    assert np.asarray(x).tolist() == [1., 1.] and np.asarray(x).dtype == np.float32
    assert np.array(x, dtype=np.float64).dtype == np.float64
    assert np.stack([x, x]).shape == (2, 2) and np.concatenate([x, np.zeros(1)]).tolist() == [1., 1., 0.]


def test_memory_is_shared(torch):
    x = torch.zeros(3)
    a = x.numpy()
    a[0] = 5
    y = torch.from_numpy(a)
    y[1] = 3
    z, copied = torch.as_tensor(a), torch.tensor(a)
    a[2] = 9
    assert x.tolist() == y.tolist() == z.tolist() == [5., 3., 9.] and copied.tolist() == [5., 3., 0.]
    assert x._version == 0


def test_numpy_is_refused_where_gradients_would_be_lost(torch):
    x = torch.ones(2, requires_grad=True)
    for convert in (lambda: x.numpy(), lambda: np.asarray(x), lambda: (x * 2).numpy()):
        with refuses(RuntimeError, "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() "
                     "instead", "MG108"):
            convert()
    assert x.detach().numpy().tolist() == x.numpy(force=True).tolist() == [1., 1.]
    with torch.no_grad():
        assert (x * 2).numpy().tolist() == [2., 2.]


@pytest.mark.parametrize("operate, expected", [
    (lambda t, a: t + a, [2., 3.]), (lambda t, a: t - a, [0., -1.]), (lambda t, a: t * a, [1., 2.]),
    (lambda t, a: t / a, [1., 0.5]),
    (lambda t, a: t ** a, [1., 1.]), (lambda t, a: t // a, [1., 0.]), (lambda t, a: t % a, [0., 1.]),
])
def test_a_tensor_and_an_array(torch, operate, expected):
    y = operate(torch.ones(2), np.array([1., 2.]))
    assert isinstance(y, torch.Tensor) and y.dtype is torch.float64 and y.tolist() == expected


@pytest.mark.parametrize("operate, expected", [
    (lambda a, t: a + t, [2., 3.]), (lambda a, t: a - t, [0., 1.]), (lambda a, t: a * t, [1., 2.]),
    (lambda a, t: a / t, [1., 2.]),
    (lambda a, t: a ** t, [1., 2.]), (lambda a, t: a < t, [False, False]), (lambda a, t: a >= t, [True, True]),
])
def test_an_array_and_a_tensor(operate, expected):
    """PyTorch refuses most of these; here the tensor answers, so that gradients are not silently lost."""
    t = minigrad.ones(2, requires_grad=True)
    y = operate(np.array([1., 2.]), t)
    assert isinstance(y, minigrad.Tensor) and y.tolist() == expected
    assert y.requires_grad == (y.dtype is not minigrad.bool)


@pytest.mark.parametrize("dtype", ["uint16", ">f4"])
def test_an_array_that_becomes_a_tensor_as_a_copy(dtype):
    assert (np.ones(2, dtype) + minigrad.ones(2)).tolist() == [2., 2.]


@pytest.mark.parametrize("dtype", ["longdouble", "U1"])
def test_an_array_that_no_tensor_can_have(dtype):
    with refuses(TypeError, "can't convert np.ndarray of type", "MG402"):
        np.ones(2).astype(dtype) + minigrad.ones(2)


def test_a_ufunc_that_is_asked_without_operands():
    with refuses(TypeError, "missing 1 required positional argument", "MG205"):
        minigrad.ones(2).__array_ufunc__(np.add, "__call__")


def test_comparison_with_an_array(torch):
    x = torch.tensor([1., 2.])
    assert (x == np.array([1., 5.])).tolist() == (np.array([1., 5.]) == x).tolist() == [True, False]


def test_gradients_through_arrays():
    torch = minigrad                        # PyTorch wants to have numpy() of x here, and refuses

    x = torch.tensor([1., 2.], requires_grad=True)
    (x * np.array([3., 4.]) + 1).sum().backward()
    assert x.grad.tolist() == [3., 4.] and x.grad.dtype is torch.float32


@pytest.mark.parametrize("operate, expected", [
    (lambda s, t: s * t, 4.), (lambda s, t: s - t, 0.), (lambda s, t: t - s, 0.), (lambda s, t: s / t, 1.),
    (lambda s, t: t ** s, 4.), (lambda s, t: s + t, 4.),
])
@pytest.mark.parametrize("kind", [np.float64, np.float32, np.int64])
def test_a_numpy_scalar_is_a_number(torch, kind, operate, expected):
    y = operate(kind(2), torch.tensor([2.]))
    assert isinstance(y, torch.Tensor) and y.tolist() == [expected] and y.dtype is torch.float32


def test_indexing_with_numpy(torch):
    x = torch.arange(4.)
    assert x[np.int64(1)].item() == 1 and x[np.array([0, 3])].tolist() == [0., 3.]
    assert np.arange(3)[torch.tensor(1)] == 1 and np.arange(3)[torch.tensor([0, 2])].tolist() == [0, 2]


# ------------------------------------------------------------------------------ Python's conversions

ONE = [2.5, 3, True, [2.5], [[7]]]


@pytest.mark.parametrize("value", ONE, ids=str)
def test_one_element(torch, value):
    x = torch.tensor(value)
    plain = value
    while isinstance(plain, list):
        plain = plain[0]
    assert float(x) == plain and int(x) == int(plain) and bool(x) == bool(plain) and complex(x) == plain
    assert x.item() == plain
    assert type(float(x)) is float and type(int(x)) is int and type(bool(x)) is bool and type(x.item()) is type(plain)
    assert x.tolist() == value


def test_with_gradients(torch):
    x = torch.tensor(2.5, requires_grad=True)
    assert float(x) == 2.5 and int(x * 2) == 5 and bool(x) and x.item() == 2.5 and x.tolist() == 2.5
    assert (x * 2).item() == 5.


def test_several_elements(torch):
    x = torch.tensor([1., 2.])
    for convert in (float, int, complex):
        with pytest.raises(ValueError, match="only one element tensors can be converted to Python scalars"):
            convert(x)
    with refuses(RuntimeError, "a Tensor with 2 elements cannot be converted to Scalar", "MG401"):
        x.item()
    with refuses(RuntimeError, "Boolean value of Tensor with more than one value is ambiguous", "MG401"):
        bool(x)
    with pytest.raises(RuntimeError, match="ambiguous"):
        if x > 1:
            pass


def test_no_elements(torch):
    x = torch.tensor([])
    with refuses(RuntimeError, "Boolean value of Tensor with no values is ambiguous", "MG401"):
        bool(x)
    with refuses(RuntimeError, "a Tensor with 0 elements cannot be converted to Scalar", "MG401"):
        x.item()
    assert len(x) == 0 and list(x) == [] and x.tolist() == []


def test_complex_numbers(torch):
    z = torch.tensor(1 + 2j)
    assert complex(z) == 1 + 2j and bool(z) and z.item() == 1 + 2j
    for convert in (float, int):
        with pytest.raises(RuntimeError, match="value cannot be converted to type"):
            convert(z)


def test_nan_and_inf(torch):
    with pytest.raises((ValueError, OverflowError)):
        int(torch.tensor(float("nan")))
    with pytest.raises((ValueError, OverflowError)):
        int(torch.tensor(float("inf")))
    assert bool(torch.tensor(float("nan")))


def test_as_an_index(torch):
    assert [0, 1, 2, 3][torch.tensor(3)] == 3 and list(range(torch.tensor(2))) == [0, 1]
    for wrong in (torch.tensor(2.5), torch.tensor([1, 2])):
        with pytest.raises(TypeError, match="only integer tensors of a single element can be converted to an index"):
            [0, 1, 2, 3][wrong]


def test_length_iteration_membership(torch):
    x = torch.tensor([[1., 2.], [3., 4.]])
    assert len(x) == 2 and [r.tolist() for r in x] == [[1., 2.], [3., 4.]] and 3. in x and 5. not in x
    s = torch.tensor(1.)
    with refuses(TypeError, "len() of a 0-d tensor", "MG402"):
        len(s)
    with refuses(TypeError, "iteration over a 0-d tensor", "MG402"):
        list(s)


def test_formatting(torch):
    assert f"{torch.tensor(2.5):.2f}" == "2.50" and f"{torch.tensor(7):03d}" == "007"
    assert f"{torch.tensor(2.5)}" == "2.5" and f"{torch.tensor([1.])}" == "tensor([1.])"
    with pytest.raises(TypeError, match="unsupported format string passed to Tensor.__format__"):
        f"{torch.tensor([1., 2.]):.2f}"


def test_identity_hash(torch):
    x, y = torch.ones(1), torch.ones(1)
    assert hash(x) == hash(x) and len({x, y, x}) == 2 and {x: "x"}[x] == "x"


# ------------------------------------------------------------------------------ Python's operators

def test_arithmetic(torch):
    x = torch.tensor([6., 7.])
    assert (x + 1).tolist() == (1 + x).tolist() == [7., 8.] and (x - 1).tolist() == [5., 6.]
    assert (1 - x).tolist() == [-5., -6.]
    assert (x * 2).tolist() == (2 * x).tolist() == [12., 14.] and (x / 2).tolist() == [3., 3.5]
    assert (84 / x).tolist() == pytest.approx([14., 12.])
    assert (x // 4).tolist() == [1., 1.] and (20 // x).tolist() == [3., 2.] and (x % 4).tolist() == [2., 3.]
    assert (20 % x).tolist() == [2., 6.]
    assert (x ** 2).tolist() == [36., 49.] and (2 ** x).tolist() == [64., 128.] and (-x).tolist() == [-6., -7.]
    assert (+x).tolist() == [6., 7.]
    assert abs(-x).tolist() == [6., 7.] and pow(x, 2).tolist() == [36., 49.]


def test_integers_and_bools(torch):
    n, b = torch.tensor([6, -7]), torch.tensor([True, False])
    assert (n // 2).tolist() == [3, -4] and (n % 4).tolist() == [2, 1] and (n / 4).tolist() == [1.5, -1.75]
    assert (n ** 2).tolist() == [36, 49]
    assert (n & 3).tolist() == [2, 1] and (3 | n).tolist() == [7, -5] and (n ^ 1).tolist() == [7, -8]
    assert (~n).tolist() == [-7, 6]
    assert (n << 1).tolist() == [12, -14] and (n >> 1).tolist() == [3, -4] and (~b).tolist() == [False, True]
    assert (b & True).tolist() == [True, False]
    assert (b + b).tolist() == [True, False] and (b + 1).tolist() == [2, 1] and (b * 2.5).tolist() == [2.5, 0.]


def test_division_of_integers_by_zero(torch):
    for operate in (lambda n: n // 0, lambda n: n % 0, lambda n: n // torch.tensor([0])):
        with refuses(RuntimeError, "ZeroDivisionError", "MG208"):
            operate(torch.tensor([7]))
    assert (torch.tensor([7.]) / 0).tolist() == [float("inf")] and (torch.tensor([7]) / 0).tolist() == [float("inf")]


def test_comparisons(torch):
    x = torch.tensor([1., 2.])
    assert (x == 1).tolist() == [True, False] and (x != 1).tolist() == [False, True]
    assert (x < 2).tolist() == (2 > x).tolist() == [True, False]
    assert (x <= 1).tolist() == [True, False] and (x >= 2).tolist() == (2 <= x).tolist() == [False, True]
    assert (x == None) is False and (x != None) is True and (x == "a") is False      # noqa: E711


@pytest.mark.parametrize("operate", [lambda x: x + "a", lambda x: "a" + x, lambda x: x + None, lambda x: x + [1, 2],
                                     lambda x: [1, 2] + x, lambda x: x * (1, 2),
                                     lambda x: x ** "a", lambda x: x / {}, lambda x: x < "a", lambda x: x < None,
                                     lambda x: divmod(x, 2), lambda x: round(x),
                                     lambda x: x @ 2, lambda x: 2 @ x, lambda x: pow(x, 2, 3), lambda x: x & "a",
                                     lambda x: x // None, lambda x: x % "a"])
def test_operands_that_python_refuses(torch, operate):
    with pytest.raises(TypeError):
        operate(torch.tensor([1., 2.]))


@pytest.mark.parametrize("operate", [lambda t: ~t.tensor([1.5]), lambda t: t.tensor([1.5]) & 1,
                                     lambda t: -t.tensor([True]),
                                     lambda t: t.tensor([True]) - t.tensor([True]), lambda t: t.tensor([2]) ** -1])
def test_dtypes_that_an_operator_refuses(torch, operate):
    with pytest.raises((RuntimeError, TypeError)) as e:
        operate(torch)
    assert torch is not minigrad or e.value.code.startswith("MG2")


def test_a_number_too_large(torch):
    with pytest.raises((RuntimeError, OverflowError)):
        torch.tensor([1]) + 2 ** 70


@pytest.mark.parametrize("two", [np.float32(2), np.float64(2), np.int64(2)], ids=lambda two: type(two).__name__)
def test_a_number_of_numpy_on_the_left(torch, two):
    x = torch.tensor([1., 4.])
    assert (two - x).tolist() == [1, -2] and (two / x).tolist() == [2, 0.5]
    assert (two - x).dtype == torch.float32
    assert (torch.tensor([1., 4.]).__rsub__(two)).tolist() == [1, -2]
