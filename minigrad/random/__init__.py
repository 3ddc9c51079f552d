"""Random numbers: generators, their seeds and states, and tensors filled from them.

``manual_seed`` makes the following numbers repeatable; a ``Generator`` is a stream of its own.  ``rand``,
``randn``, ``randint``, ``randperm`` and their ``*_like`` forms make tensors; ``normal`` and
``bernoulli`` draw each element from a distribution of its own.

The one idea: a Generator is a stream of random bits, and a distribution says how numbers are made of them, in the order
in which the elements lie in memory.  Both are PyTorch's (``_core/kernels/random/mersenne_twister.h``,
``_core/kernels/random/distributions.h``), so the same seed gives the numbers that PyTorch draws on a CPU.

- ``generators``: the streams, their seeds and states
- ``arrays``: numbers of a stream in memory
- ``creation``: ``rand`` and its kind
- ``elementwise``: ``normal`` and ``bernoulli``, whose parameters are tensors
- ``distributions``: gamma, Poisson, multinomial ... which take a varying number of others
- ``fills``: ``x.uniform_()`` and the like
"""

from minigrad._lazy_modules import incomplete as _incomplete
from minigrad.ops.exports import (await_method as _await_method, await_rows as _await_rows,
                                  await_writing as _await_writing)
from minigrad.random.creation import rand, rand_like, randint, randint_like, randn, randn_like, randperm
from minigrad.random.generators import (DEFAULT_SEED, Generator, STATE_BYTES, _restored, default_generator, fork_rng,
                                        get_rng_state, initial_seed, manual_seed, seed, set_rng_state)

__all__ = ["Generator", "bernoulli", "default_generator", "fork_rng", "get_rng_state", "initial_seed", "manual_seed",
           "normal", "rand", "rand_like", "randint", "randint_like", "randn", "randn_like", "randperm", "seed",
           "set_rng_state"]

# Most rows that draw wait until one is used.
__getattr__ = _incomplete(__name__, {
    **dict.fromkeys(("bernoulli", "normal"), "minigrad.random.elementwise"),
    **{name: f"minigrad.random.{name}" for name in ("distributions", "elementwise", "fills")}})
_await_rows("minigrad.random.elementwise", "normal_mean", "normal_std", "normal_both", "bernoulli_one",
            "bernoulli_each")
_await_rows("minigrad.random.distributions", "standard_gamma", "sample_dirichlet", "binomial_row", "multinomial_row",
            "poisson_row")
_await_method("minigrad.random.elementwise", "bernoulli")
_await_method("minigrad.random.distributions", "multinomial")
_await_writing("minigrad.random.fills", {
    "uniform_": "uniform", "normal_": "normal", "log_normal_": "log_normal", "cauchy_": "cauchy",
    "exponential_": "exponential", "random_": "random.from random.to random", "geometric_": "geometric",
    "bernoulli_": "bernoulli.float bernoulli.Tensor"})
