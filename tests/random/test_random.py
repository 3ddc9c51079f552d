"""Random numbers: the same seed gives the same numbers, each stream is its own, distributions are right."""

import copy
import pickle
import subprocess
import sys

import numpy as np
import pytest

from minigrad import creation, dtypes, random
from minigrad.creation import tensor
from minigrad.dtypes import NAMES
from minigrad.random import Generator

DRAWS = {
    "rand": lambda **g: random.rand(4, **g),
    "randn": lambda **g: random.randn(4, **g),
    "randn of complex numbers": lambda **g: random.randn(4, dtype=dtypes.complex64, **g),
    "randint": lambda **g: random.randint(1000, (4,), **g),
    "randperm": lambda **g: random.randperm(50, **g),
    "rand_like": lambda **g: random.rand_like(creation.zeros(4), **g),
    "randn_like": lambda **g: random.randn_like(creation.zeros(4), **g),
    "randint_like": lambda **g: random.randint_like(creation.zeros(4), 1000, **g),
    "normal": lambda **g: random.normal(creation.zeros(4), creation.ones(4), **g),
    "bernoulli": lambda **g: random.bernoulli(creation.full((64,), 0.5), **g),
}


def equal(a, b):
    return a.dtype is b.dtype and np.array_equal(a._array, b._array)


@pytest.fixture(autouse=True)
def state():
    before = random.get_rng_state()
    yield
    random.set_rng_state(before)
    dtypes.set_default_dtype(dtypes.float32)


class TestSeeds:
    @pytest.mark.parametrize("draw", DRAWS.values(), ids=DRAWS)
    def test_the_same_seed_gives_the_same_numbers(self, draw):
        random.manual_seed(3)
        first, second = draw(), draw()
        random.manual_seed(3)
        assert equal(draw(), first) and equal(draw(), second) and not equal(first, second)

    @pytest.mark.parametrize("draw", DRAWS.values(), ids=DRAWS)
    def test_a_generator_is_a_stream_of_its_own(self, draw):
        mine = Generator().manual_seed(3)
        first = draw(generator=mine)
        random.manual_seed(3)
        assert equal(draw(), first), "the default generator is a stream like any other"
        before = random.get_rng_state()
        draw(generator=mine)
        assert equal(random.get_rng_state(), before)

    @pytest.mark.parametrize("draw", DRAWS.values(), ids=DRAWS)
    def test_a_generator_must_be_one(self, draw):
        with pytest.raises(TypeError, match="argument 'generator' must be torch.Generator, not int"):
            draw(generator=3)

    def test_the_numbers_of_a_seed_are_those_of_pytorch(self):
        """A notebook prints what the lecture showed; tests/random/test_random_streams.py has the whole list."""
        np.testing.assert_array_equal(random.rand(3, generator=Generator().manual_seed(0))._array,
                                      np.float32([0.4962565899, 0.7682217956, 0.0884774327]))
        np.testing.assert_allclose(random.randn(3, generator=Generator().manual_seed(0))._array,
                                   [1.5409961, -0.2934289, -2.1787894], rtol=1e-6)

    def test_seeds(self):
        assert Generator().initial_seed() == random.DEFAULT_SEED
        assert random.manual_seed(5) is random.default_generator and random.initial_seed() == 5
        assert Generator().manual_seed(-1).initial_seed() == 2 ** 64 - 1
        assert Generator().manual_seed(2 ** 64 - 1).initial_seed() == 2 ** 64 - 1
        for wrong in (2 ** 64, -2 ** 63 - 1, "a", None):
            with pytest.raises(ValueError):
                Generator().manual_seed(wrong)

    def test_seed_draws_a_new_one(self):
        assert random.seed() == random.initial_seed()
        assert random.seed() != random.seed()

    def test_the_default_generator_begins_anywhere(self):
        program = "from minigrad import random; print(random.initial_seed(), random.initial_seed())"
        first, second = (subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                                        check=True).stdout.split()
                         for _ in range(2))
        assert first[0] == first[1] and first != second

    def test_importing_minigrad_does_not_import_numpy_random(self):
        program = ("import sys, numpy; before = 'numpy.random' in sys.modules; import minigrad; "
                   "assert before or 'numpy.random' not in sys.modules")
        subprocess.run([sys.executable, "-c", program], check=True)


class TestState:
    def test_goes_back_to_where_it_was(self):
        random.manual_seed(1)
        random.randn(3)         # the second of two normal numbers waits
        state = random.get_rng_state()
        first = [draw() for draw in DRAWS.values()]
        random.set_rng_state(state)
        assert all(equal(a, draw()) for a, draw in zip(first, DRAWS.values()))
        assert random.initial_seed() == 1

    def test_is_a_tensor_of_bytes(self):
        state = Generator().get_state()
        assert state.dtype is dtypes.uint8 and state.shape == (random.STATE_BYTES,)

    def test_wrong_states(self):
        with pytest.raises(TypeError, match="RNG state must be a torch.ByteTensor"):
            Generator().set_state(creation.zeros(5056))
        with pytest.raises(TypeError, match="RNG state must be a torch.ByteTensor"):
            random.set_rng_state(b"x" * 5056)
        with pytest.raises(RuntimeError, match="Expected a CPUGeneratorImplState of size 5056"):
            Generator().set_state(creation.zeros(3, dtype=dtypes.uint8))
        g = Generator().manual_seed(3)
        before = g.get_state()
        for place, byte in ((8, 9), (12, 0), (17, 100)):         # what is left, whether it is seeded, and what is next
            wrong = g.get_state()
            wrong[place] = byte
            with pytest.raises(RuntimeError, match="Invalid mt19937 state"):
                g.set_state(wrong)
        assert equal(g.get_state(), before)

    def test_a_block_leaves_the_stream_where_it_was(self):
        random.manual_seed(1)
        with random.fork_rng():
            inside = random.rand(3)
        assert equal(random.rand(3), inside)
        random.manual_seed(1)
        with random.fork_rng(enabled=False):
            random.rand(3)
        assert not equal(random.rand(3), inside)

    @pytest.mark.parametrize("twin", [copy.copy, copy.deepcopy, lambda g: pickle.loads(pickle.dumps(g)),
                                      Generator.clone_state])
    def test_copies_are_where_the_original_is(self, twin):
        g = Generator().manual_seed(2)
        random.rand(5, generator=g)
        other = twin(g)
        assert equal(random.rand(3, generator=g), random.rand(3, generator=other)) and other.initial_seed() == 2

    def test_device(self):
        assert Generator("cpu").device == dtypes.CPU
        with pytest.raises(RuntimeError, match="cuda"):
            Generator("cuda")


class TestForms:
    def test_sizes(self):
        for make in (random.rand, random.randn):
            assert make(2, 3).shape == make((2, 3)).shape == make(size=[2, 3]).shape == (2, 3) and make(()).shape == ()

    @pytest.mark.parametrize("name", ["float16", "float32", "float64", "complex64", "complex128"])
    def test_dtypes(self, name):
        for make in (random.rand, random.randn):
            t = make(100, dtype=NAMES[name], requires_grad=True)
            assert t.dtype is NAMES[name] and t.requires_grad and t.is_leaf and np.isfinite(t._array).all()
            assert make(dtype=NAMES[name], size=()).shape == ()

    def test_default_dtype(self):
        dtypes.set_default_dtype(dtypes.float64)
        assert random.rand(1).dtype is random.randn(1).dtype is random.normal(0, 1, (1,)).dtype is dtypes.float64

    @pytest.mark.parametrize("make", [random.rand, random.randn])
    def test_integers_are_refused(self, make):
        with pytest.raises(RuntimeError, match="not implemented for torch.int64"):
            make(2, dtype=dtypes.int64)

    def test_like(self):
        x = creation.zeros(2, 3, dtype=dtypes.float64)
        for make in (random.rand_like, random.randn_like, lambda x, **more: random.randint_like(x, 1, 3, **more)):
            assert make(x).shape == (2, 3) and make(x).dtype is dtypes.float64
            assert make(x, dtype=dtypes.float32, requires_grad=True).requires_grad
            with pytest.raises(TypeError, match="must be Tensor"):
                make([1.0])
        with pytest.raises(RuntimeError, match="not implemented"):
            random.rand_like(tensor([1]))

    def test_like_keeps_the_order_in_memory(self):
        x = creation.from_numpy(np.zeros((2, 3)).T)
        assert random.rand_like(x)._array.flags.f_contiguous
        assert random.rand_like(x, memory_format=dtypes.contiguous_format)._array.flags.c_contiguous


class TestDistributions:
    """Over 100,000 draws; the bounds are six standard errors."""

    N = 100_000

    @pytest.mark.parametrize("name", ["float16", "float32", "float64"])
    def test_rand(self, name):
        draws = random.rand(self.N, generator=Generator().manual_seed(1), dtype=NAMES[name])._array.astype(np.float64)
        assert draws.min() >= 0 and draws.max() < 1
        assert abs(draws.mean() - 0.5) < 6 * (1 / 12 / self.N) ** 0.5 + 1e-3 * (name == "float16")

    def test_rand_of_bfloat16_never_rounds_up_to_one(self):
        pytest.importorskip("ml_dtypes")
        draws = random.rand(self.N, generator=Generator().manual_seed(1),
                            dtype=dtypes.bfloat16)._array.astype(np.float64)
        assert draws.min() == 0 and draws.max() < 1

    @pytest.mark.parametrize("name", ["float16", "float32", "float64", "complex64"])
    def test_randn(self, name):
        draws = random.randn(self.N, generator=Generator().manual_seed(1), dtype=NAMES[name])._array
        draws = draws.astype(np.complex128 if "complex" in name else np.float64)
        assert abs(draws.mean()) < 6 / self.N ** 0.5
        assert abs((abs(draws) ** 2).mean() - 1) < 6 * (2 / self.N) ** 0.5
        if "complex" in name:
            assert abs(draws.real.var() - 0.5) < 0.01 and abs(draws.imag.var() - 0.5) < 0.01

    def test_randint_reaches_both_ends_and_no_further(self):
        draws = random.randint(-2, 3, (self.N,), generator=Generator().manual_seed(1))._array
        assert set(draws.tolist()) == {-2, -1, 0, 1, 2}
        assert abs(draws.mean()) < 6 * (2 / self.N) ** 0.5

    def test_randperm(self):
        orders = {tuple(random.randperm(3).tolist()) for _ in range(200)}
        assert len(orders) == 6 and {tuple(sorted(order)) for order in orders} == {(0, 1, 2)}

    def test_bernoulli(self):
        p = tensor([0.0, 0.25, 1.0]).expand(self.N, 3)
        means = random.bernoulli(p, generator=Generator().manual_seed(1))._array.mean(0, dtype=np.float64)
        assert means[0] == 0 and means[2] == 1 and abs(means[1] - 0.25) < 6 * (0.1875 / self.N) ** 0.5

    def test_normal(self):
        draws = random.normal(tensor([0.0, 10.0]).expand(self.N, 2), tensor([1.0, 0.1]),
                              generator=Generator().manual_seed(1))._array
        np.testing.assert_allclose(draws.mean(0, dtype=np.float64), [0, 10], atol=6 / self.N ** 0.5)
        np.testing.assert_allclose(draws.std(0, dtype=np.float64), [1, 0.1], rtol=0.02)


class TestRandint:
    @pytest.mark.parametrize(("arguments", "keywords", "values"), [
        ((1, (5,)), {}, {0}), ((5, 6, (5,)), {}, {5}), ((), {"low": 5, "high": 6, "size": (5,)}, {5}),
        ((), {"high": 1, "size": (5,)}, {0}),
        ((5, 6), {"size": (5,)}, {5}), ((5,), {"high": 6, "size": (5,)}, {5}), ((1, [5]), {}, {0})])
    def test_forms(self, arguments, keywords, values):
        t = random.randint(*arguments, **keywords)
        assert t.shape == (5,) and t.dtype is dtypes.int64 and set(t.tolist()) == values

    def test_dtypes(self):
        for name in ("uint8", "int32", "bool", "float32", "float16"):
            assert random.randint(0, 2, (3,), dtype=NAMES[name]).dtype is NAMES[name]
        assert random.randint(-2 ** 63, 2 ** 63 - 1, (3,)).dtype is dtypes.int64

    @pytest.mark.parametrize(("arguments", "keywords", "exception", "message"), [
        ((5, 5, (3,)), {}, RuntimeError, "random_ expects 'from' to be less than 'to', but got from=5 >= to=5"),
        ((0, (3,)), {}, RuntimeError, "from=0 >= to=0"),
        ((0, 300, (3,)), {"dtype": dtypes.uint8}, RuntimeError, "to - 1 is out of bounds for torch.uint8"),
        ((-1, 3, (3,)), {"dtype": dtypes.uint8}, RuntimeError, "from is out of bounds"),
        ((0.0, 5, (3,)), {}, TypeError, "'low' must be int, not float"),
        ((5, 3), {}, TypeError, "'size' must be tuple of ints, not int"),
        ((5,), {}, TypeError, r"randint\(high, size\)"), ((1, 2, 3, (4,)), {}, TypeError, r"randint\(high, size\)"),
        ((5, (3,)), {"dtype": dtypes.complex64}, RuntimeError, "not implemented for torch.complex64"),
        ((5, (3,)), {"requires_grad": True}, RuntimeError, "Only Tensors of floating point")])
    def test_wrong_arguments(self, arguments, keywords, exception, message):
        with pytest.raises(exception, match=message):
            random.randint(*arguments, **keywords)


class TestRandperm:
    def test_dtypes(self):
        assert random.randperm(3).dtype is dtypes.int64 and random.randperm(0).shape == (0,)
        assert random.randperm(3, dtype=dtypes.float32).dtype is dtypes.float32

    @pytest.mark.parametrize(("n", "dtype", "exception", "message"), [
        (-1, None, RuntimeError, "n must be greater or equal to 0, got -1"),
        (2.0, None, TypeError, "'n' must be int, not float"),
        (300, dtypes.uint8, RuntimeError, "cannot be converted to type uint8 without overflow"),
        (3, NAMES["bool"], RuntimeError, "not implemented for torch.bool")])
    def test_wrong_arguments(self, n, dtype, exception, message):
        with pytest.raises(exception, match=message):
            random.randperm(n, dtype=dtype)


class TestNormal:
    def test_forms(self):
        zeros, ones = creation.zeros(2), creation.ones(3, 1, dtype=dtypes.float64)
        assert random.normal(zeros).shape == random.normal(zeros, 1).shape == random.normal(0.0, zeros).shape == (2,)
        both = random.normal(zeros, ones)
        assert both.shape == (3, 2) and both.dtype is dtypes.float32
        assert random.normal(ones, zeros).dtype is dtypes.float64
        assert random.normal(0, 1, (2, 3)).dtype is dtypes.float32
        assert random.normal(0.0, 1.0, size=(2,), dtype=dtypes.complex64, requires_grad=True).requires_grad
        assert random.normal(tensor([1j, 2.0]), 0.0).tolist() == [1j, 2]

    @pytest.mark.parametrize(("arguments", "exception", "message"), [
        ((0.0, 1.0), TypeError, r"normal\(\) of two numbers needs a size"),
        ((0.0, -1.0, (2,)), RuntimeError, "normal expects std >= 0.0, but found std -1"),
        ((lambda: (creation.zeros(2), -1.0)), RuntimeError, "normal expects std >= 0.0, but found std -1"),
        ((lambda: (creation.zeros(2), creation.full((2,), -1.0))), RuntimeError,
         "normal expects all elements of std >= 0.0"),
        ((lambda: (creation.zeros(2, dtype=dtypes.int64), 1.0)), RuntimeError, "not implemented for torch.int64"),
        ((lambda: (creation.zeros(2), creation.zeros(3))), RuntimeError, "do not broadcast"),
        (("a", 1.0, (2,)), TypeError, "must be Number, not str")])
    def test_wrong_arguments(self, arguments, exception, message):
        with pytest.raises(exception, match=message):
            random.normal(*(arguments() if callable(arguments) else arguments))

    def test_is_recorded_with_gradient_zero(self):
        mean, std = creation.zeros(2, requires_grad=True), creation.ones(2, requires_grad=True)
        for arguments, node in (((mean, 1.0), "NormalBackward1"), ((0.0, std), "NormalBackward2"),
                                ((mean, std), "NormalBackward3")):
            assert random.normal(*arguments).grad_fn.name() == node
        random.normal(mean, std).sum().backward()
        assert mean.grad.tolist() == std.grad.tolist() == [0, 0]


class TestBernoulli:
    def test_forms(self):
        x = tensor([0.0, 1.0])
        assert random.bernoulli(x).tolist() == [0, 1] and x.bernoulli().tolist() == [0, 1]
        assert random.bernoulli(x, 1.0).tolist() == [1, 1]
        assert random.bernoulli(tensor([3, 4]), 0.0).dtype is dtypes.int64
        assert random.bernoulli(tensor(1.0)).shape == ()

    @pytest.mark.parametrize(("p", "message"), [
        ([0.0, 2.0], "Expected p_in >= 0 && p_in <= 1 to be true"), ([float("nan")], "Expected p_in >= 0"),
        ([0, 1], "not implemented for torch.int64")])
    def test_wrong_probabilities(self, p, message):
        with pytest.raises(RuntimeError, match=message):
            random.bernoulli(tensor(p))

    def test_wrong_arguments(self):
        with pytest.raises(RuntimeError, match=r"expects p to be in \[0, 1\], but got p=1.5"):
            random.bernoulli(tensor([1.0]), 1.5)
        with pytest.raises(TypeError, match="must be Tensor, not float"):
            random.bernoulli(0.5)

    def test_is_recorded_with_gradient_zero(self):
        p = creation.full((2,), 0.5, requires_grad=True)
        y = random.bernoulli(p)
        assert y.grad_fn.name() == "BernoulliBackward0"
        y.sum().backward()
        assert p.grad.tolist() == [0, 0]


@pytest.mark.parametrize("dtype, drawn", [
    ("float64", ["0x1.e61733e6ae4a0p-6", "0x1.cbd4dda743fefp+0", "0x1.ab74cf9ada8b8p-5", "0x1.b7c982d0082d8p+3"]),
    ("float32", ["0x1.e617340000000p-6", "0x1.cbd4de0000000p+0", "0x1.ab74cc0000000p-5", "0x1.b7c9820000000p+3"])])
def test_gamma_draws_to_the_last_digit(torch, dtype, drawn):
    torch.manual_seed(5)
    found = torch._standard_gamma(torch.tensor([.3, .7, 1., 17.], dtype=getattr(torch, dtype))).double().tolist()
    assert [number.hex() for number in found] == drawn
