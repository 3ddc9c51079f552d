"""Numbers that no element can hold, and sizes that no memory has: errors, and the same ones for every way in C."""

import pytest

import minigrad as torch
from minigrad.nn import functional as F

CHOSEN = torch.tensor([0])
MASK = torch.tensor([True, False, True])

MOVED = {                       # the number becomes an element, or belongs to the operation
    "fill_": lambda x, v: x.clone().fill_(v),
    "masked_fill": lambda x, v: x.masked_fill(MASK, v),
    "masked_fill_": lambda x, v: x.clone().masked_fill_(MASK, v),
    "index_fill": lambda x, v: x.index_fill(0, CHOSEN, v),
    "scatter": lambda x, v: x.scatter(0, CHOSEN, v),
    "where": lambda x, v: torch.where(MASK, x, v),
    "where, first": lambda x, v: torch.where(MASK, v, x),
    "pad": lambda x, v: F.pad(x, (0, 2), value=v),
    "threshold": lambda x, v: F.threshold(x, v, 0),
    "threshold's value": lambda x, v: F.threshold(x, 0, v),
    "new_full": lambda x, v: x.new_full((2,), v),
}
WRITTEN = {
    "x[0]": lambda x, v: x.__setitem__(0, v),
    "x[:2]": lambda x, v: x.__setitem__(slice(2), v),
    "x[mask]": lambda x, v: x.__setitem__(MASK, v),
    "x[index]": lambda x, v: x.__setitem__(CHOSEN, v),
}
FACTORS = {                     # of floats only
    "clamp": lambda x, v: x.clamp(max=v),
    "clamp_min": lambda x, v: x.clamp_min(v),
    "hardtanh": lambda x, v: F.hardtanh(x, -1., v),
    "leaky_relu": lambda x, v: F.leaky_relu(x, v),
    "elu": lambda x, v: F.elu(x, v),
    "celu": lambda x, v: F.celu(x, v),
    "softplus": lambda x, v: F.softplus(x, v),
    "add's alpha": lambda x, v: torch.add(x, x, alpha=v),
    "lerp": lambda x, v: x.lerp(x, v),
    "addcmul": lambda x, v: torch.addcmul(x, x, x, value=v),
    "addcdiv": lambda x, v: torch.addcdiv(x, x, x + 1, value=v),
    "addmm": lambda x, v: torch.addmm(x, x.view(3, 1), x.view(1, 3), beta=v),
    "index_add": lambda x, v: x.index_add(0, CHOSEN, x[:1], alpha=v),
}
EVERY = {**MOVED, **WRITTEN, **FACTORS}


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("value", [1e300, -1e300])
def test_a_float_beyond_the_dtype_does_not_become_infinite(name, value):
    x = torch.tensor([1., 2., 3.])
    with pytest.raises(RuntimeError, match="value cannot be converted to type float32 without overflow"):
        EVERY[name](x, value)
    assert x.tolist() == [1, 2, 3]


@pytest.mark.parametrize("name", [*MOVED, *WRITTEN])
@pytest.mark.parametrize("dtype, value", [(torch.int8, 300), (torch.uint8, 256), (torch.int16, 10**5)])
def test_an_int_beyond_the_dtype_does_not_wrap_around(name, dtype, value):
    x = torch.tensor([1, 2, 3], dtype=dtype)
    with pytest.raises(RuntimeError, match="without overflow"):
        EVERY[name](x, value)
    assert x.tolist() == [1, 2, 3]


@pytest.mark.parametrize("name", [*MOVED, *FACTORS])
@pytest.mark.parametrize("value", [float("inf"), 3e38])
def test_infinity_fits_and_the_largest_finite_numbers_do(name, value):
    assert EVERY[name](torch.tensor([1., 2., 3.]), value).dtype == torch.float32


@pytest.mark.parametrize("name", EVERY)
def test_float64_holds_it(name):
    x = torch.tensor([1., 2., 3.], dtype=torch.float64)
    result = EVERY[name](x, 1e300)
    assert (x if result is None else result).dtype == torch.float64


def test_numbers_that_are_computed_with_need_not_fit():
    x, n = torch.tensor([1., 0.]), torch.tensor([1, 0], dtype=torch.int8)
    assert (x + 1e300).tolist() == [float("inf"), float("inf")]
    assert (n + 300).tolist() == [45, 44]
    assert (x == 1e300).tolist() == (n == 300).tolist() == [False, False]


@pytest.mark.parametrize("dtype", [torch.int8, torch.uint8, torch.int64])
@pytest.mark.parametrize("bound", [float("inf"), 1e30, 300.5])
def test_a_bound_that_is_a_float_makes_integers_floats_and_need_not_fit_them(dtype, bound):
    x = torch.tensor([1, 2, 3], dtype=dtype)
    for result in (x.clamp(0, bound), x.clamp(max=bound), x.clamp_max(bound), x.clamp(-bound, bound)):
        assert result.dtype == torch.float32 and result.tolist() == [1, 2, 3]
    assert x.clamp(min=bound).tolist() == torch.full((3,), bound).tolist()
    with pytest.raises(RuntimeError, match="can't be cast to the desired output type"):
        x.clamp_(max=bound)
    assert x.tolist() == [1, 2, 3]


@pytest.mark.parametrize("f", [lambda x, v: F.threshold(x, 2, v), lambda x, v: F.threshold(x, v, 0),
                               lambda x, v: F.hardtanh(x, 0, v)])
@pytest.mark.parametrize("value", [float("inf"), float("nan"), 1e30, 300.])
def test_other_numbers_of_an_operation_on_integers_are_integers(f, value):
    x = torch.tensor([1, 2, 3], dtype=torch.int8)
    with pytest.raises(RuntimeError, match="without overflow"):
        f(x, value)
    assert f(x, 3.7).dtype == torch.int8 and f(x, 3.7).tolist() == f(x, 3).tolist()


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_of_16_bits_it_is_infinite_where_tensors_are_chosen_from_and_written_to(dtype):
    x = torch.tensor([1., 2., 3.], dtype=dtype)
    for result in (torch.where(MASK, x, 1e39), torch.where(~MASK, 1e39, x)):
        assert result.dtype == dtype and result.tolist() == [1, float("inf"), 3]
    x[1] = 1e39
    assert x.tolist() == [1, float("inf"), 3]


TOO_LARGE = {
    "zeros": lambda: torch.zeros(2**62), "ones": lambda: torch.ones(2**40, 2**40), "empty": lambda: torch.empty(2**62),
    "full": lambda: torch.full((2**62,), 1.), "rand": lambda: torch.rand(2**61), "randn": lambda: torch.randn(2**61),
    "randint": lambda: torch.randint(5, (2**62,)), "eye": lambda: torch.eye(2**33),
    "arange": lambda: torch.arange(2**62),
    "linspace": lambda: torch.linspace(0, 1, 2**62), "randperm": lambda: torch.randperm(2**62),
    "expand": lambda: torch.ones(3).expand(2**62, 3), "view": lambda: torch.ones(0).view(2**62, 2**62, 0),
    "repeat": lambda: torch.ones(3).repeat(2**62), "diag": lambda: torch.ones(3).diag(2**40),
    "repeat_interleave": lambda: torch.ones(3).repeat_interleave(2**62),
    "pad": lambda: F.pad(torch.ones(3), (2**62, 9)),
    "one_hot": lambda: F.one_hot(torch.tensor([2**62])), "one_hot, last": lambda: F.one_hot(torch.tensor([2**63 - 1])),
    "add": lambda: (lambda x: x[:, None] + x)(torch.ones(1).expand(2**33)),
    "outer": lambda: (lambda x: x.outer(x))(torch.ones(1).expand(2**33)),
    "kron": lambda: (lambda x: x.kron(x))(torch.ones(1).expand(2**33)),
    "bincount": lambda: torch.bincount(torch.tensor([2**62])),
    "bincount of the greatest": lambda: torch.bincount(torch.tensor([2**63 - 1])),
}


TOO_LARGE.update({
    "repeat_interleave by a vector": lambda: torch.repeat_interleave(torch.tensor([2**62, 2**62])),
    "combinations": lambda: torch.combinations(torch.arange(100), 50),
    "pad with copies": lambda: F.pad(torch.ones(1, 3), (2**62, 2**62), mode="replicate"),
})


@pytest.mark.parametrize("name", TOO_LARGE)
def test_what_no_memory_can_hold_is_refused_in_our_words(name):
    with pytest.raises(RuntimeError, match=r"overflow|invalid for input|not compatible"):
        TOO_LARGE[name]()


EMPTY = torch.empty(2**40, 0)


@pytest.mark.parametrize("take_apart", [
    lambda: torch.arange(5).tensor_split(2**31), lambda: torch.tensor_split(torch.arange(5), torch.tensor(2**62)),
    lambda: torch.zeros(0).hsplit(2**31), lambda: torch.zeros(0).chunk(2**62), lambda: EMPTY.split(1),
    lambda: EMPTY.unbind(), lambda: EMPTY.chunk(2**40)])
def test_more_pieces_than_memory_can_hold_are_refused_at_once(take_apart):
    with pytest.raises(RuntimeError, match="pieces are more than can be held in memory"):
        take_apart()


@pytest.mark.parametrize("f", [torch.cumsum, torch.cumprod, torch.logcumsumexp])
def test_lines_without_elements_are_not_counted_one_by_one(f):
    assert f(torch.empty(0, 2**40), 0).shape == (0, 2**40)
    assert f(torch.empty(2**40, 0), 0).shape == (2**40, 0)


@pytest.mark.parametrize("offset", [2**62, -2**63, 2**31, -2**31 - 1])
def test_a_diagonal_however_far_away_is_empty(offset):
    x = torch.ones(2, 3, requires_grad=True)
    assert x.diagonal(offset).shape == (0,) and x.detach().diag(offset).shape == (0,)
    x.diagonal(offset).sum().backward()
    assert x.grad.tolist() == [[0, 0, 0], [0, 0, 0]]
    assert x.tril(offset).tolist() == (x if offset > 0 else 0 * x).tolist()
    assert x.triu(offset).tolist() == (x if offset < 0 else 0 * x).tolist()


def test_a_margin_is_a_float_which_bytes_do_not_wrap_around():
    x = torch.tensor([1], dtype=torch.uint8)
    with pytest.raises(RuntimeError, match="value cannot be converted to type uint8"):
        F.pad(x, (1, 1), value=-1)
    assert F.pad(x, (1, 1), value=2.5).tolist() == [2, 1, 2]
    assert torch.constant_pad_nd(x, (1, 1), -1).tolist() == [255, 1, 255]


def test_a_tensor_without_dims_has_one_element_to_choose():
    assert torch.tensor(5.).index_select(0, CHOSEN).tolist() == 5
    with pytest.raises(RuntimeError, match="Index to scalar can have only 1 value, got 2"):
        torch.tensor(5.).index_select(0, torch.tensor([0, 0]))
