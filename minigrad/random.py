"""Random numbers: generators, their seeds and states, and tensors filled from them.

``manual_seed`` makes the following numbers repeatable; a ``Generator`` is a stream of its own.  ``rand``,
``randn``, ``randint``, ``randperm`` and their ``*_like`` forms make tensors; ``normal`` and
``bernoulli`` draw each element from a distribution of its own.

The one idea: a Generator wraps NumPy's (PCG64), which is made when the first number is drawn, because importing
``numpy.random`` takes longer than importing minigrad.  The same seed gives the same numbers again;
they are NumPy's numbers, not PyTorch's.
"""

import numpy as np
from functools import partial
from os import urandom

from minigrad import arrays, dtypes
from minigrad._core import arguments, drawing, kernels, models, randomness
from minigrad._core.composites import Composite
from minigrad._core.errors import error
from minigrad._core.graph import Tensor, wrap
from minigrad._core.levels import wrap_level
from minigrad._core.meta import is_meta, unbacked
from minigrad._core.modes import levels
from minigrad.creation import empty_like, maker, options, size_tuple, sizes, the_tensor, whole_number
from minigrad.dtypes import BOOL, COMPLEX, FLOAT, INT
from minigrad.ops.formats import empty_in, format_name
from minigrad.ops.kinds import piecewise_constant

__all__ = ["Generator", "bernoulli", "default_generator", "get_rng_state", "initial_seed", "manual_seed", "normal",
           "rand", "rand_like", "randint", "randint_like", "randn", "randn_like", "randperm", "seed", "set_rng_state"]

DEFAULT_SEED = 67280421310721       # of a Generator without a seed
STATE_BYTES = 48                    # seed 8, PCG64's state 16 and increment 16, the unused half of a 64-bit draw 8


# --- Generators --------------------------------------------------------------------------------

class Generator(randomness.Source):
    """A stream of random numbers with a seed and a state of its own.

    >>> g = torch.Generator().manual_seed(7)
    >>> a = torch.rand(3, generator=g)
    >>> torch.equal(a, torch.rand(3, generator=g.manual_seed(7)))
    True
    """

    __slots__ = ("_seed", "__weakref__")        # and `_numpy`, of which the core has to know

    def __init__(self, device="cpu"):
        dtypes.as_device(device, "Generator")
        self._seed = DEFAULT_SEED
        self._numpy = None

    @property
    def device(self):
        return dtypes.CPU

    @property
    def numpy(self):
        """The ``numpy.random.Generator`` behind it."""
        if self._numpy is None:
            self._numpy = np.random.Generator(np.random.PCG64(self.initial_seed()))
        return self._numpy

    def manual_seed(self, seed):
        """Begin the stream of ``seed``; returns the generator.

        >>> torch.Generator().manual_seed(7).initial_seed()
        7
        """
        try:
            seed = int(seed)
        except (TypeError, ValueError):
            raise error("MG207", f"manual_seed expected an integer, got {seed!r}") from None
        if not -2 ** 63 <= seed < 2 ** 64:
            raise error("MG207", f"manual_seed: Overflow when unpacking long long: a seed has 64 bits, {seed} has more")
        self._seed = seed % 2 ** 64
        self._numpy = None
        return self

    def seed(self):
        """Begin a stream with a seed from the operating system, and return this seed.

        >>> g = torch.Generator()
        >>> g.seed() == g.initial_seed()
        True
        """
        return self.manual_seed(int.from_bytes(urandom(8), "little"))._seed

    def initial_seed(self):
        """The seed of the current stream."""
        return self._seed

    def get_state(self):
        """The state of the stream, as a tensor of bytes for ``set_state``.

        >>> torch.Generator().get_state().dtype
        torch.uint8
        """
        pcg = self.numpy.bit_generator.state
        kept = pcg["has_uint32"] << 32 | pcg["uinteger"]
        parts = ((self.initial_seed(), 8), (pcg["state"]["state"], 16), (pcg["state"]["inc"], 16), (kept, 8))
        return wrap(np.array([byte for value, length in parts for byte in value.to_bytes(length, "little")], np.uint8))

    def set_state(self, new_state):
        """Continue from the point at which ``get_state`` was called.

        >>> g = torch.Generator()
        >>> state = g.get_state()
        >>> a = torch.rand(2, generator=g)
        >>> _ = g.set_state(state)
        >>> torch.equal(a, torch.rand(2, generator=g))
        True
        """
        if not isinstance(new_state, Tensor) or new_state.dtype is not dtypes.uint8:
            raise error("MG205", "RNG state must be a torch.ByteTensor, as get_state() returns it")
        state = new_state._array.tobytes()
        if len(state) != STATE_BYTES:
            raise error("MG204", f"Expected an RNG state of size {STATE_BYTES} but found the input RNG state size "
                                 f"to be {len(state)}")
        seed, lcg, inc, kept = (int.from_bytes(state[i:j], "little") for i, j in ((0, 8), (8, 24), (24, 40), (40, 48)))
        self.manual_seed(seed)
        self.numpy.bit_generator.state = {"bit_generator": "PCG64", "state": {"state": lcg, "inc": inc},
                                          "has_uint32": kept >> 32, "uinteger": kept & 0xFFFFFFFF}
        return self

    def clone_state(self):
        """Another generator in the same state.

        >>> g = torch.Generator()
        >>> twin = g.clone_state()
        >>> torch.equal(torch.rand(2, generator=g), torch.rand(2, generator=twin))
        True
        """
        return Generator().set_state(self.get_state())

    def __reduce__(self):
        return _restored, (self.get_state()._array.tobytes(),)


arguments.register(generator=Generator)
models.register(Generator)


def _restored(state):
    return Generator().set_state(wrap(np.frombuffer(state, np.uint8)))


class DefaultGenerator(Generator):
    """The stream of the functions below; unless seeded by hand, its first seed comes from the operating system."""

    __slots__ = ()

    def __init__(self):
        self._seed = self._numpy = None

    def initial_seed(self):
        if self._seed is None:
            self.seed()
        return self._seed


default_generator = DefaultGenerator()
randomness.register(default_generator)


def manual_seed(seed):
    """Make the following random numbers repeatable: the same seed, the same numbers.

    >>> _ = torch.manual_seed(0)
    >>> a = torch.randn(3)
    >>> _ = torch.manual_seed(0)
    >>> torch.equal(a, torch.randn(3))
    True
    """
    return default_generator.manual_seed(seed)


def seed():
    """Begin the stream again with a seed from the operating system, and return this seed.

    >>> torch.seed() == torch.initial_seed()
    True
    """
    return default_generator.seed()


def initial_seed():
    """The seed of the current stream of random numbers.

    >>> _ = torch.manual_seed(7)
    >>> torch.initial_seed()
    7
    """
    return default_generator.initial_seed()


def get_rng_state():
    """The state of the stream of random numbers, for ``set_rng_state``.

    >>> state = torch.get_rng_state()
    >>> a = torch.rand(2)
    >>> torch.set_rng_state(state)
    >>> torch.equal(a, torch.rand(2))
    True
    """
    return default_generator.get_state()


def set_rng_state(new_state):
    """Continue the stream of random numbers from the point at which ``get_rng_state`` was called.

    >>> state = torch.get_rng_state()
    >>> a = torch.rand(2)
    >>> torch.set_rng_state(state)
    >>> torch.equal(a, torch.rand(2))
    True
    """
    default_generator.set_state(new_state)


# --- Arrays of random numbers ------------------------------------------------------------------

def stream(function, generator):
    """The ``numpy.random.Generator`` to draw from; an error if an open vmap forbids random numbers."""
    for batch in vmaps():
        if not batch.drawing:
            refuse_in(batch, function)
    if generator is None:
        return default_generator.numpy
    if not isinstance(generator, Generator):
        raise error("MG205", f"{function}(): argument 'generator' must be torch.Generator, "
                             f"not {type(generator).__name__}")
    return generator.numpy


# vmap's ``randomness`` says how to draw random numbers inside it: "error", the "same" for all examples, or "different"
# ones.  ``drawing`` of its interpreter (func/interpreters.py) is on while they are drawn accordingly.

def vmaps():
    """The interpreters of the open vmaps, outermost first."""
    return [batch for batch in levels() if batch.maps]


def refuse_in(batch, function):
    if batch.randomness == "error":
        raise random_in_error_mode(function)
    if batch.randomness == "different":
        raise one_tensor_for_all(function)


def drawn(function, draw, shape, generator, requires_grad=False, device=dtypes.CPU, kind=None):
    """The numbers ``draw(rng, shape)`` as a Tensor; for every vmap with different random numbers, with a batch axis in
    front.  On the device "meta" none are drawn; the dtype is ``kind``, or that of numbers so drawn."""
    if dtypes.placed(device) is dtypes.META:
        dtype = draw(np.random.default_rng(0), (0,) * len(shape)).dtype if kind is None else kind.numpy
        return wrap(unbacked(shape, dtype), bool(requires_grad))
    batches = vmaps()
    for batch in batches:
        if batch.randomness == "error":
            refuse_in(batch, function)
        batch.drawing += 1
    try:
        apart = [batch for batch in batches if batch.randomness == "different"]
        made = wrap(draw(stream(function, generator), (*[batch.size for batch in apart], *shape)), bool(requires_grad))
    finally:
        for batch in batches:
            batch.drawing -= 1
    for batch in apart:
        made = wrap_level(made, batch.level, 1)
    return made


def must_be_floating(function, kind):
    if kind.category < FLOAT:
        raise error("MG202", f'"{function}" not implemented for {kind!r}: take a floating point or complex dtype')


def _complex(parts, kind):
    """Two real arrays as one complex array."""
    real, imag = parts
    made = np.empty(real.shape, kind.numpy)
    made.real, made.imag = real, imag
    return made


def uniform_array(rng, shape, kind):
    """Numbers in [0, 1) of a floating point or complex dtype."""
    if kind.category == COMPLEX:
        return _complex([uniform_array(rng, shape, kind.to_real()) for _ in range(2)], kind)
    if kind.itemsize == 2:          # as many bits as the fraction: a float32 might round up to 1
        steps = round(1 / dtypes.finfo(kind).eps) * 2
        return np.asarray(rng.integers(0, steps, shape) / steps).astype(kind.numpy)
    return np.asarray(rng.random(shape, dtype=kind.numpy))


def gaussian_array(rng, shape, kind):
    """Numbers with mean 0 and variance 1; each part of a complex number has half the variance."""
    if kind.category == COMPLEX:
        parts = [gaussian_array(rng, shape, kind.to_real()) for _ in range(2)]
        return _complex([part * part.dtype.type(0.5 ** 0.5) for part in parts], kind)
    wide = kind.numpy if kind.itemsize > 2 else np.dtype(np.float32)
    return np.asarray(rng.standard_normal(shape, dtype=wide)).astype(kind.numpy, copy=False)


def integer_array(function, rng, low, high, shape, kind):
    """Integers from ``low`` to below ``high``."""
    low, high = whole_number(function, "low", low), whole_number(function, "high", high)
    if low >= high:
        raise error("MG204", f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}")
    if kind.category == COMPLEX:
        raise error("MG202", f'"{function}" not implemented for {kind!r}: take an integer or floating point dtype')
    info = dtypes.iinfo(kind) if kind.category == INT else None
    least, most = (0, 1) if kind.category == BOOL else (info.min, info.max) if info else (-2 ** 63, 2 ** 63 - 1)
    for name, value in (("from", low), ("to - 1", high - 1)):
        if not least <= value <= most:
            raise error("MG204", f"{name} is out of bounds for {kind!r}: {value} is not in {least}..{most}")
    return np.asarray(rng.integers(low, high - 1, shape, np.int64, endpoint=True)).astype(kind.numpy)


# --- Random tensors ----------------------------------------------------------------------------

@partial(maker, front=drawing.rand)
def rand(*shape, size=None, generator=None, dtype=None, device=None, requires_grad=False, layout=None,
         pin_memory=False):
    """Uniform random numbers in [0, 1).

    >>> torch.rand(2, 3).shape
    torch.Size([2, 3])
    """
    kind = options("rand", dtype, device, requires_grad)
    must_be_floating("rand", kind)
    return drawn("rand", lambda rng, shape: uniform_array(rng, shape, kind), sizes("rand", shape, size), generator,
                 requires_grad, device, kind)


@partial(maker, front=drawing.randn)
def randn(*shape, size=None, generator=None, dtype=None, device=None, requires_grad=False, layout=None,
          pin_memory=False):
    """Random numbers from the normal distribution with mean 0 and variance 1.

    >>> torch.randn(2, 3).shape
    torch.Size([2, 3])
    """
    kind = options("randn", dtype, device, requires_grad)
    must_be_floating("randn", kind)
    return drawn("randn", lambda rng, shape: gaussian_array(rng, shape, kind), sizes("randn", shape, size), generator,
                 requires_grad, device, kind)


@partial(maker, front=drawing.randint)
def randint(*bounds, low=0, high=None, size=None, generator=None, dtype=None, device=None, requires_grad=False,
            layout=None, pin_memory=False):
    """``randint(high, size)`` or ``randint(low, high, size)``: random integers from ``low`` to below ``high``.

    >>> torch.randint(5, 6, (3,))
    tensor([5, 5, 5])
    """
    low, high, size = _bounds("randint", bounds, low, high, size)
    kind = options("randint", dtype, device, requires_grad, dtypes.int64)
    return drawn("randint", lambda rng, shape: integer_array("randint", rng, low, high, shape, kind), size_tuple(
        "randint", size), generator, requires_grad, device, kind)


def _bounds(function, bounds, low, high, size):
    """The arguments of randint, the first of which may be left out."""
    bounds = list(bounds)
    if size is None and bounds:
        size = bounds.pop()
    if high is None and bounds:
        high = bounds.pop()
    if bounds:
        low = bounds.pop()
    if bounds or high is None or size is None:
        raise error("MG205", f"{function}() takes {function}(high, size) or {function}(low, high, size)")
    return low, high, size


@partial(maker, front=drawing.randperm)
def randperm(n, *, generator=None, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False):
    """The integers below ``n`` in random order.

    >>> torch.randperm(4).sort().values
    tensor([0, 1, 2, 3])
    """
    n = whole_number("randperm", "n", n, 0)
    kind = options("randperm", dtype, device, requires_grad, dtypes.int64)
    if kind.category in (BOOL, COMPLEX):
        raise error("MG202", f'"randperm" not implemented for {kind!r}: take an integer or floating point dtype')
    if n:
        arrays.fit(n - 1, kind)

    def draw(rng, shape):
        numbers = rng.permutation(n) if shape == (n,) else rng.permuted(np.broadcast_to(np.arange(n), shape), axis=-1)
        return numbers.astype(kind.numpy, copy=False)
    return drawn("randperm", draw, (n,), generator, requires_grad, device, kind)


def _fill_like(function, draw, input, generator, dtype, device, requires_grad, memory_format):
    """A tensor like ``input``, filled by ``draw(rng, shape, dtype)``."""
    array = the_tensor(function, input)
    kind = options(function, dtype, device, requires_grad, input.dtype)
    name = format_name(function, memory_format)
    if dtypes.placed(device, like=input) is dtypes.META:
        return empty_like(input, dtype=kind, device="meta", requires_grad=requires_grad, memory_format=memory_format)
    if not isinstance(array, np.ndarray) or is_meta(array) or name == "contiguous_format" or vmaps():
        return drawn(function, lambda rng, shape: draw(rng, shape, kind), tuple(input.shape), generator, requires_grad)
    made = (arrays.empty_like(array, kind) if name == "preserve_format"
            else empty_in(function, array.shape, kind.numpy, name))
    made[...] = draw(stream(function, generator), array.shape, kind)
    return wrap(made, bool(requires_grad))


@partial(Composite, front=drawing.rand_like)
def rand_like(input, *, generator=None, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False,
              memory_format=None):
    """Uniform random numbers in [0, 1), with the shape and dtype of ``input``.

    >>> torch.rand_like(torch.zeros(2, 3)).shape
    torch.Size([2, 3])
    """
    def draw(rng, shape, kind):
        must_be_floating("rand_like", kind)
        return uniform_array(rng, shape, kind)
    return _fill_like("rand_like", draw, input, generator, dtype, device, requires_grad, memory_format)


@partial(Composite, front=drawing.randn_like)
def randn_like(input, *, generator=None, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False,
               memory_format=None):
    """Random numbers from the normal distribution with mean 0 and variance 1, with the shape and dtype of ``input``.

    >>> torch.randn_like(torch.zeros(2, 3)).shape
    torch.Size([2, 3])
    """
    def draw(rng, shape, kind):
        must_be_floating("randn_like", kind)
        return gaussian_array(rng, shape, kind)
    return _fill_like("randn_like", draw, input, generator, dtype, device, requires_grad, memory_format)


@partial(Composite, front=drawing.randint_like)
def randint_like(input, *bounds, low=0, high=None, generator=None, dtype=None, device=None, requires_grad=False,
                 layout=None, pin_memory=False, memory_format=None):
    """``randint_like(x, high)`` or ``randint_like(x, low, high)``: random integers with the shape and dtype of ``x``.

    >>> torch.randint_like(torch.zeros(3), 5, 6)
    tensor([5., 5., 5.])
    """
    low, high, _ = _bounds("randint_like", (*bounds, ()), low, high, None)

    def draw(rng, shape, kind):
        return integer_array("randint_like", rng, low, high, shape, kind)
    return _fill_like("randint_like", draw, input, generator, dtype, device, requires_grad, memory_format)


# --- Random operations -------------------------------------------------------------------------
# These take tensors, so they are rows of the table: they are recorded, with gradient zero, because the drawn
# numbers are not a differentiable function of the parameters.

def _normal(mean, std, generator):
    """Each element has its own mean and standard deviation; the dtype is that of the mean."""
    kind = dtypes.of_numpy(mean.dtype)
    must_be_floating("normal", kind)
    if std.dtype.kind == "c":
        raise error("MG202", "normal expects standard deviation to be non-complex")
    if (std < 0).any():
        raise error("MG204", "normal expects all elements of std >= 0.0" if std.ndim else
                             f"normal expects std >= 0.0, but found std {std.item():g}")
    try:
        shape = np.broadcast_shapes(mean.shape, std.shape)
    except ValueError:
        raise error("MG201", f"normal(): mean of shape {list(mean.shape)} and std of shape {list(std.shape)} "
                             "do not broadcast") from None
    return np.asarray(mean + std * gaussian_array(stream("normal", generator), shape, kind)).astype(kind.numpy,
                                                                                                    copy=False)


def _std_as_array(mean, std, generator):
    return _normal(mean, np.asarray(std, mean.real.dtype), generator)


def _mean_as_array(std, mean, generator):
    return _normal(np.asarray(mean, std.dtype), std, generator)


_normal_mean = piecewise_constant("normal_mean(Tensor mean, float std, Generator? generator)", _std_as_array,
                                  node="NormalBackward1", promote=None, public=False, inplace=False)
_normal_std = piecewise_constant("normal_std(Tensor std, float mean, Generator? generator)", _mean_as_array,
                                 node="NormalBackward2", promote=None, public=False, inplace=False)
_normal_both = piecewise_constant("normal_both(Tensor mean, Tensor std, Generator? generator)", _normal,
                                  node="NormalBackward3", promote=None, public=False, inplace=False)


@partial(maker, front=drawing.normal)
def normal(mean=0.0, std=1.0, size=None, *, generator=None, dtype=None, device=None, requires_grad=False,
           layout=None, pin_memory=False):
    """Random numbers from normal distributions; ``mean`` and ``std`` are tensors, with one draw for each element, or
    numbers, with a ``size``.

    >>> torch.normal(torch.tensor([0., 100.]), 0.)
    tensor([  0., 100.])
    >>> torch.normal(0., 1., (2, 3)).shape
    torch.Size([2, 3])
    """
    if isinstance(mean, Tensor):
        if isinstance(std, Tensor):
            return _normal_both(mean, std, generator)
        return _normal_mean(mean, arrays.number("normal", "std", std), generator)
    mean = arrays.number("normal", "mean", mean)
    if isinstance(std, Tensor):
        return _normal_std(std, mean, generator)
    std = arrays.number("normal", "std", std)
    if size is None:
        raise error("MG205", "normal() of two numbers needs a size: normal(mean, std, (2, 3))")
    kind = options("normal", dtype, device, requires_grad)
    must_be_floating("normal", kind)

    def draw(_, shape):
        return _normal(np.broadcast_to(kind.numpy.type(mean), shape), np.asarray(std), generator)
    return drawn("normal", draw, size_tuple("normal", size), generator, requires_grad, device, kind)


def _bernoulli(self, generator):
    if self.dtype.kind not in "fV":
        raise error("MG202", f'"bernoulli" not implemented for {dtypes.of_numpy(self.dtype)!r}: the probabilities are '
                             "floating point numbers; bernoulli(x, p) takes a tensor of any dtype and one probability")
    if not ((self >= 0) & (self <= 1)).all():
        raise error("MG204", "bernoulli(): Expected p_in >= 0 && p_in <= 1 to be true for all probabilities, but "
                    "got false")
    return np.asarray(stream("bernoulli", generator).random(self.shape) < self).astype(self.dtype)


def _bernoulli_p(self, p, generator):
    if not 0 <= p <= 1:
        raise error("MG204", f"bernoulli expects p to be in [0, 1], but got p={p}")
    return np.asarray(stream("bernoulli", generator).random(self.shape) < p).astype(self.dtype)


_bernoulli_each = piecewise_constant("bernoulli_each(Tensor self, Generator? generator)", _bernoulli,
                                     node="BernoulliBackward0", promote=None, public=False, inplace=False,
                                     fast=kernels.bernoulli_each)
_bernoulli_one = piecewise_constant("bernoulli_one(Tensor self, float p, Generator? generator)", _bernoulli_p,
                                    node="BernoulliBackward1", promote=None, public=False, inplace=False, fills=True)


@partial(Composite, takes_out=True)
def bernoulli(input, p=None, *, generator=None):
    """Random ones and zeros: each element of ``input`` is the probability of a one, or all have the probability ``p``.

    >>> torch.bernoulli(torch.tensor([0., 1.]))
    tensor([0., 1.])
    """
    the_tensor("bernoulli", input)
    return _bernoulli_each(input, generator) if p is None else _bernoulli_one(input, p, generator)


#: the methods that tensor.py attaches to the class
METHODS = {"bernoulli": bernoulli}


# ------------------------------------------------------------------------------ errors


def random_in_error_mode(function):
    return error("MG117", f"vmap: called random operation while in randomness error mode ({function}). Please "
                          "either use the 'same' or 'different' randomness flags on vmap or perform the randomness "
                          "operation out of vmap")


def one_tensor_for_all(function):
    return error("MG117", f"vmap: Cannot ask for different inplace randomness on an unbatched tensor ({function}). "
                          "This will appear like same randomness: the tensor has room for only one example. Make it "
                          "from a mapped tensor, as in torch.zeros_like(x).")
