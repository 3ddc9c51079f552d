"""Calls that are answered in C give what the functions in Python give: values, dtypes, strides, flags, and the numbers
of a random stream, to the bit; whatever is refused is refused alike, and leaves the stream where it was."""

import itertools

import numpy as np
import pytest

import minigrad
from minigrad import random
from minigrad._core.graph import wrap

DTYPES = [None, minigrad.float32, minigrad.float64, minigrad.int64, minigrad.int32, minigrad.uint8, minigrad.bool,
          minigrad.float16, minigrad.bfloat16, minigrad.complex64, float, int]
SIZES = [(3,), (2, 3), ((2, 3),), ([4],), ((),), (0,), (2, 0), (-1,), (2.5,), (True,), ("2",), (2, None),
         (minigrad.tensor(2),), (np.int64(2),), ()]
VALUES = [2, 2.5, True, 0, -0.0, -1, 300, 1e300, 2**70, float("nan"), float("inf"), 1j, np.float32(2), "2", None,
          minigrad.tensor(3)]
OTHERS = [minigrad.ones(2, 3), minigrad.ones(3, 2).t(), minigrad.ones(3, dtype=minigrad.int64), minigrad.ones(()),
          minigrad.ones(2, dtype=minigrad.float16), minigrad.zeros(0, 2), [1, 2], np.ones(2)]


def outcome(call, seed=7):
    """What a call makes, and the state of the random stream after it."""
    minigrad.manual_seed(seed)
    try:
        made = call()
    except Exception as error:
        made = type(error), str(error)
    return made, random.default_generator.get_state().tolist()


def check(name, *args, owner=minigrad, **keywords):
    function = getattr(owner, name)
    fast, state = outcome(lambda: function(*args, **keywords))
    slow, same = outcome(lambda: function.__wrapped__(*args, **keywords))
    if isinstance(slow, tuple):
        assert fast[0] is slow[0] or fast[0].__name__.startswith("Autograd"), (name, args, keywords)
    else:
        assert type(fast) is minigrad.Tensor and (fast.dtype, fast.shape) == (slow.dtype, slow.shape)
        assert (fast.requires_grad, fast.is_leaf, fast._version) == (slow.requires_grad, slow.is_leaf, 0)
        assert fast.stride() == slow.stride()
        if "empty" not in name:
            assert fast.numpy(force=True).tobytes() == slow.numpy(force=True).tobytes(), (name, args, keywords)
        assert state == same
    return fast


@pytest.mark.parametrize("name", ["zeros", "ones", "empty", "rand", "randn"])
def test_of_sizes(name):
    for size, dtype, requires_grad in itertools.product(SIZES, DTYPES, [False, True]):
        check(name, *size, dtype=dtype, requires_grad=requires_grad)
    for keywords in ({"device": "cpu"}, {"device": minigrad.device("cpu")}, {"device": "cuda"}, {"pin_memory": False},
                     {"layout": minigrad.strided}, {"size": (2, 3)}, {"requires_grad": 1}, {"dtype": "float32"},
                     {"generator": 7}, {"unknown": 1}):
        check(name, *((2,) if "size" not in keywords else ()), **keywords)


@pytest.mark.parametrize("name", ["zeros_like", "ones_like", "empty_like", "full_like", "rand_like", "randn_like",
                                  "randint_like"])
@pytest.mark.filterwarnings("ignore:overflow encountered in cast")
def test_in_the_form_of_another_tensor(name):
    values = {"full_like": VALUES, "randint_like": [5, 0, -1, 2.5, 2**40, True]}.get(name, [()])
    for other, value, dtype in itertools.product(OTHERS, values, DTYPES):
        check(name, other, *(() if isinstance(value, tuple) else (value,)), dtype=dtype)
    if name == "randint_like":
        check(name, minigrad.ones(3), 2, 7)
        check(name, minigrad.ones(3), 7, 2)


@pytest.mark.parametrize("name", ["new_zeros", "new_ones", "new_empty", "new_full"])
def test_with_the_dtype_of_another_tensor(name):
    for other, size, dtype in itertools.product(OTHERS[:6], SIZES, DTYPES):
        if name != "new_full":
            check(name, other, *size, dtype=dtype, owner=minigrad.Tensor)
    for other, value in itertools.product(OTHERS[:6], VALUES):
        if name == "new_full":
            check(name, other, (2, 3), value, owner=minigrad.Tensor)
            check(name, other, (2, 3), value, dtype=minigrad.float32, owner=minigrad.Tensor)
    for size in ([2, 3], minigrad.Size([2]), 2, None):
        check(name, OTHERS[0], size, *[1.5] * (name == "new_full"), owner=minigrad.Tensor)
    check(name, owner=minigrad.Tensor)


@pytest.mark.parametrize("size", [2**62, 2**63, 2**64, -2**64])
def test_a_size_that_no_memory_has(size):
    check("zeros", size)
    check("zeros", 0, size)
    check("normal", 0., 1., (size,))


def nested(depth):
    """One number in so many lists."""
    return 1.5 if depth == 0 else [nested(depth - 1)]


def test_nested_lists():
    for data in ([[1., 2.5], [3, True]], [[1., 10**400]], [[1, 2], [3, 2**63]], [[1], [-2**63]], nested(64),
                 nested(65)):
        check("tensor", data)
        for dtype in (minigrad.float64, minigrad.int64, minigrad.bfloat16, minigrad.float16):
            check("tensor", data, dtype=dtype)
            check("as_tensor", data, dtype=dtype)


def test_one_value_everywhere():
    for value, dtype, requires_grad in itertools.product(VALUES, DTYPES, [False, True]):
        check("full", (2, 3), value, dtype=dtype, requires_grad=requires_grad)
    for size in SIZES[2:]:
        check("full", size[0] if len(size) == 1 else size, 1)
    check("full", (2,), fill_value=2)


NUMBERS = [0, 1, 7, -3, 2.5, 0.1, -0.0, 1e300, float("inf"), float("nan"), 2**53 + 1, True, 1j, minigrad.tensor(4), "1"]


def test_ranges():
    for dtype in DTYPES:
        for end in NUMBERS[:7] + NUMBERS[8:10] + NUMBERS[11:]:
            check("arange", end, dtype=dtype)
            check("eye", end, dtype=dtype)
            check("eye", 2, end, dtype=dtype)
        steps = [1, 3, -2, 0.1, 0, -0.7]
        for start, end, step in itertools.product([0, 1, 2.5, -7, 0.1], [0, 10, -3.3, 5.1, 7], steps):
            check("arange", start, end, step, dtype=dtype)
        check("arange", 3, 8, dtype=dtype, requires_grad=True)
        for start, end, steps in itertools.product(NUMBERS, [1, -2.5, 1e10], [0, 1, 2, 5, 10, True, -1, 2.5]):
            check("linspace", start, end, steps, dtype=dtype)
        for start, end, steps in itertools.product([0, 0.1, -3, 300], [1, -2.5, 400], [0, 1, 5]):
            check("logspace", start, end, steps, dtype=dtype)
            check("logspace", start, end, steps, 2, dtype=dtype)
            check("logspace", start, end, steps, -2.5, dtype=dtype)
            check("logspace", start, end, steps, minigrad.tensor(2.), dtype=dtype)
        for start in NUMBERS:
            check("arange", start, 1, dtype=dtype)
            check("arange", 0, 1, start, dtype=dtype)
    check("arange")
    check("arange", 1, 2, 3, 4)
    check("arange", 2**60)
    check("arange", 2**46)
    check("eye", 2**41, 0)
    check("eye", 0, 2**62)
    check("linspace", 1, 2)


@pytest.mark.filterwarnings("ignore:overflow encountered in cast")
def test_random_integers():
    for dtype in DTYPES:
        for bounds in [(5,), (0,), (1,), (2, 9), (-4, 4), (9, 2), (2.5,), (True,), (2**31,), (2**31 + 1,), (2**40,),
                       (-2**31, 2**31), (-2**63, 2**63 - 1), (100, 300)]:
            check("randint", *bounds, (7,), dtype=dtype)
        check("randint", 5, (2, 3), dtype=dtype, requires_grad=True)
    check("randint", 5, 3)
    check("randint", high=5, size=(3,))


def test_permutations():
    for dtype in DTYPES:
        for n in [0, 1, 2, 3, 7, 100, 5000, -1, 2.5, True, minigrad.tensor(4), "1", 2**62]:
            if n != 2**62 or dtype in (minigrad.uint8, minigrad.int32):
                check("randperm", n, dtype=dtype)
        check("randperm", 5, dtype=dtype, requires_grad=True)
    check("randperm")
    for n in range(40):
        check("randperm", n)


@pytest.mark.parametrize("name", ["tril_indices", "triu_indices"])
def test_positions_of_triangles(name):
    for row, col, offset in itertools.product([0, 1, 2, 5, -1, True, 2.5], [0, 1, 4, 6, -2, None],
                                              [0, 1, -1, 3, -9, 9, 2**62, True, None]):
        check(name, row, col, offset)
        check(name, row, col, offset=offset)
    for dtype in DTYPES[1:]:
        check(name, 3, 4, dtype=dtype)
        check(name, 3, 4, 1, dtype=dtype, requires_grad=True)
    check(name, 3, 4)
    check(name, 3)
    check(name, 300, 400, -20)
    check(name, row=3, col=4)


def test_normal_numbers():
    for mean, std, dtype in itertools.product([0., 1.5, -3., 1, 1e300, float("nan")], [0., 1., 2.5, -1., 1e300, 2],
                                              DTYPES):
        check("normal", mean, std, (7,), dtype=dtype)
    for size in ([7], [2, 3], minigrad.Size([2]), (-1,), (2.5,), 7, None):
        check("normal", 0., 1., size)


def test_a_generator_is_drawn_from():
    for name, args in (("rand", (5,)), ("randn", (5,)), ("randint", (9, (5,))), ("rand_like", (minigrad.ones(3),)),
                       ("randperm", (9,)), ("normal", (0., 1., (5,)))):
        fast, slow = minigrad.Generator().manual_seed(3), minigrad.Generator().manual_seed(3)
        for _ in range(3):
            assert minigrad.equal(getattr(minigrad, name)(*args, generator=fast),
                                  getattr(minigrad, name).__wrapped__(*args, generator=slow))
        assert minigrad.equal(fast.get_state(), slow.get_state())
        with pytest.raises(TypeError):
            getattr(minigrad, name)(*args, generator=7)


FILLS = [("uniform_", ()), ("uniform_", (2, 3)), ("uniform_", (-1.5, 0.1)), ("normal_", ()), ("normal_", (2, 0.3)),
         ("normal_", (0.1, 7.7)), ("exponential_", ()), ("exponential_", (2.5,)), ("bernoulli_", ()),
         ("bernoulli_", (0.3,)), ("random_", (9,)), ("random_", (-3, 100)), ("random_", (2**11 - 1,)),
         ("random_", (-5, -2))]


@pytest.mark.parametrize("name, args", FILLS, ids=str)
def test_fills(name, args):
    """C fills dense memory; where it is not dense, the general way draws the same numbers."""
    for dtype in ("float32", "float64", "float16", "int64", "int32"):
        for shape in [(), (5,), (3, 4), (0, 2)]:
            dense, apart = wrap(np.zeros(shape, dtype)), wrap(np.zeros((*shape, 2), dtype))[..., 0]
            (_, state), (_, same) = (outcome(lambda: getattr(x, name)(*args)) for x in (dense, apart))
            assert minigrad.equal(dense, apart) and state == same and dense._version == apart._version


def test_draws_of_chance():
    for p in (minigrad.rand(5), minigrad.rand(3, 4, dtype=minigrad.float64), minigrad.rand(4, 3).t(),
              minigrad.rand(3).half(), minigrad.tensor(0.5)):
        spread = minigrad.stack([p, p], -1)[..., 0]
        (fast, state), (slow, same) = (outcome(lambda: minigrad.bernoulli(x)) for x in (p, spread))
        assert minigrad.equal(fast, slow) and state == same
    for p in (minigrad.tensor([0.5, 2.]), minigrad.tensor([float("nan")]), minigrad.tensor([1])):
        refused, state = outcome(lambda: minigrad.bernoulli(p))
        assert isinstance(refused, tuple) and state == outcome(lambda: None)[1]


def test_draws_inside_vmap_are_left_to_vmap():
    for randomness in ("same", "different"):
        drawn = minigrad.vmap(lambda x: x + minigrad.rand(3), randomness=randomness)(minigrad.zeros(4))
        assert (drawn[0] == drawn[1]).all().item() == (randomness == "same")
    for draw in (lambda x: x + minigrad.rand(3), lambda x: x + minigrad.empty(3).uniform_(),
                 lambda x: x + minigrad.normal(0., 1., (3,))):
        with pytest.raises(RuntimeError, match="randomness"):
            minigrad.vmap(draw)(minigrad.zeros(4))


def test_large_tensors_draw_the_same_numbers():
    (large, _), (small, _) = (outcome(lambda: minigrad.cat([minigrad.rand(n) for _ in range(100_000 // n)]))
                              for n in (100_000, 10_000))
    assert minigrad.equal(large, small)
