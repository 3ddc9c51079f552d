"""The same seed gives PyTorch's numbers: recorded answers over seeds, sizes, dtypes and sequences of calls."""

import base64
import json
import zlib

import numpy as np
import pytest

import minigrad
from tests.parity.records.make_random import FILE, STATE, cases, digest, run

RECORDED = json.loads(FILE.read_text())
#: numbers that are read from the bits, without a function of the machine's library
EXACT = ("sizes of rand,", "random_,", "ranges,", "permutations,", "chances,")
CASES = {name: case for name, *case in cases()}
#: how far results may be off elsewhere: sums of some thousand numbers, whose last digits may differ
ROUNDING = {"float64": 1e-12, "float16": 3e-3, "bfloat16": 2e-2}


@pytest.fixture(autouse=True)
def state():
    before = minigrad.get_rng_state()
    yield
    minigrad.set_rng_state(before)


@pytest.mark.parametrize("name", CASES)
def test_the_numbers_of_a_seed_are_those_of_pytorch(name):
    wanted, state_after = RECORDED[name]
    drawn, state = run(minigrad, *CASES[name])
    assert state == state_after, "as many words of the stream are used, and as many normal numbers wait"
    assert len(drawn) == len(wanted)
    for (ours, our_sum), (theirs, their_sum) in zip(drawn, wanted):
        if name.startswith(EXACT):
            assert ours == theirs and our_sum == pytest.approx(their_sum, rel=1e-12)
        else:
            close = ROUNDING.get(CASES[name][2], 2e-6)
            np.testing.assert_allclose(ours, theirs, rtol=close, atol=close)
            np.testing.assert_allclose(our_sum, their_sum, rtol=close, atol=100 * close)


def test_a_state_of_pytorch_continues_here():
    saved, wanted = RECORDED["a state"]
    state = np.frombuffer(zlib.decompress(base64.b85decode(saved)), np.uint8)
    minigrad.set_rng_state(minigrad.tensor(state.tolist(), dtype=minigrad.uint8))
    for draw, (numbers, total) in zip((minigrad.randn(2), minigrad.rand(700)), wanted):
        ours, our_sum = digest(minigrad, draw)
        np.testing.assert_allclose([*ours, our_sum], [*numbers, total], rtol=1e-6)


def test_a_state_is_written_as_pytorch_writes_it():
    saved, _ = RECORDED["a state"]
    theirs = zlib.decompress(base64.b85decode(saved))
    exec(STATE, {"torch": minigrad})
    ours = minigrad.get_rng_state().numpy().tobytes()
    assert len(ours) == 5056 and ours[:5016] == theirs[:5016] and ours[5040:] == theirs[5040:]
    np.testing.assert_allclose(np.frombuffer(ours[5016:5040]), np.frombuffer(theirs[5016:5040]), rtol=1e-12)


@pytest.mark.parity
def test_pytorch_still_draws_what_was_recorded():
    torch = pytest.importorskip("torch")
    for name in list(CASES)[::17]:
        wanted, state = RECORDED[name]
        assert json.loads(json.dumps(run(torch, *CASES[name]))) == [wanted, state], name


class TestTheRecordsReach:
    """What the recorded cases are for."""

    def test_large_arrays_are_drawn_like_small_ones(self):
        """In one thread, in order: a stream does not depend on how much is asked for at once."""
        for make, dtype in ((minigrad.rand, minigrad.float32), (minigrad.rand, minigrad.float64),
                            (minigrad.randn, minigrad.float32)):
            minigrad.manual_seed(3)
            whole = make(16 * 9000, dtype=dtype)
            minigrad.manual_seed(3)
            assert minigrad.equal(whole, minigrad.cat([make(16, dtype=dtype) for _ in range(9000)]))

    @pytest.mark.parametrize("dtype", [minigrad.float32, minigrad.float64, minigrad.int64])
    def test_many_events_are_drawn_like_one_after_the_other(self, dtype):
        """They take two words each, and the words of a turn of the stream run out between two."""
        drawn = []
        for size in (1, 1500):
            minigrad.manual_seed(3)
            minigrad.randint(9, (1,))
            parts = [minigrad.zeros(size, dtype=dtype).bernoulli_(0.3) for _ in range(1500 // size)]
            drawn.append(minigrad.cat([*parts, minigrad.rand(3).to(dtype)]))
        assert minigrad.equal(*drawn) and 350 < drawn[0][:-3].sum() < 550

    def test_seeds_count_by_their_low_32_bits(self):
        for seed, same in ((2**32 + 5, 5), (-1, 2**32 - 1), (2**63, 0), (-2**63, 0)):
            assert minigrad.equal(minigrad.rand(3, generator=minigrad.Generator().manual_seed(seed)),
                                  minigrad.rand(3, generator=minigrad.Generator().manual_seed(same)))

    def test_seeding_forgets_the_number_that_waits(self):
        minigrad.manual_seed(3)
        first = minigrad.randn(1)
        minigrad.manual_seed(3)
        assert minigrad.equal(minigrad.randn(1), first)

    def test_short_floats_never_round_up_to_the_end(self):
        for dtype in (minigrad.float16, minigrad.bfloat16):
            drawn = minigrad.rand(100_000, dtype=dtype, generator=minigrad.Generator().manual_seed(9))
            assert drawn.max().item() < 1 and drawn.min().item() == 0


@pytest.mark.parametrize("fill", ["uniform_", "normal_", "exponential_", "cauchy_", "log_normal_", "bernoulli_",
                                  "random_"])
def test_a_fill_goes_in_the_order_of_memory(fill):
    by_rows, by_columns = minigrad.zeros(3, 4), minigrad.zeros(4, 3).t()
    for x in (by_rows, by_columns):
        minigrad.manual_seed(0)
        getattr(x, fill)()
    assert by_rows.flatten().tolist() == by_columns.t().flatten().tolist()
