"""Random numbers: generators, their seeds and states, and tensors filled from them.

``manual_seed`` makes the following numbers repeatable; a ``Generator`` is a stream of its own.  ``rand``,
``randn``, ``randint``, ``randperm`` and their ``*_like`` forms make tensors; ``normal`` and
``bernoulli`` draw each element from a distribution of its own.

The one idea: a Generator is a stream of random bits, and a distribution says how numbers are made of them, in the order
in which the elements lie in memory.  Both are PyTorch's (``_core/kernels/random/mersenne_twister.h``,
``_core/kernels/random/distributions.h``), so the same seed gives the numbers that PyTorch draws on a CPU.
"""

import math
from functools import partial
from os import urandom

import numpy as np

from minigrad import dtypes
from minigrad._core.devices.device_arrays import array_on, made_on
from minigrad._core.devices.meta import is_meta
from minigrad._core.dispatch.composites import Composite
from minigrad._core.dispatch.levels import wrap_level
from minigrad._core.errors import error
from minigrad._core.frontends import random_tensors
from minigrad._core.graph import Tensor, wrap
from minigrad._core.kernels import table as kernels
from minigrad._core.kernels.random import random_streams
from minigrad._core.runtime.errstate import quiet
from minigrad._core.runtime.provided import provide
from minigrad._core.runtime.scopes import Block
from minigrad._core.runtime.thread_state import levels
from minigrad.creation import arrays, empty_like, integer, maker, options, size_tuple, sizes, the_tensor
from minigrad.dtypes import BOOL, COMPLEX, FLOAT, INT
from minigrad.ops.formats import empty_in, format_name, outer_first
from minigrad.ops.kinds import piecewise_constant

__all__ = ["Generator", "bernoulli", "default_generator", "get_rng_state", "initial_seed", "manual_seed", "normal",
           "rand", "rand_like", "randint", "randint_like", "randn", "randn_like", "randperm", "seed", "set_rng_state"]

DEFAULT_SEED = 67280421310721       # of a Generator without a seed
STATE_BYTES = random_streams.STATE_BYTES


# --- Generators --------------------------------------------------------------------------------

class Generator(random_streams.Source):
    """A stream of random numbers with a seed and a state of its own.

    >>> g = torch.Generator().manual_seed(7)
    >>> a = torch.rand(3, generator=g)
    >>> torch.equal(a, torch.rand(3, generator=g.manual_seed(7)))
    True
    """

    __slots__ = ("__weakref__",)

    def __init__(self, device="cpu"):
        dtypes.as_device(device, "Generator")
        self._begin(DEFAULT_SEED)

    @property
    def device(self):
        return dtypes.CPU

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
        self._begin(seed % 2 ** 64)
        return self

    def seed(self):
        """Begin a stream with a seed from the operating system, and return this seed.

        >>> g = torch.Generator()
        >>> g.seed() == g.initial_seed()
        True
        """
        return self.manual_seed(int.from_bytes(urandom(8), "little")).initial_seed()

    def initial_seed(self):
        """The seed of the current stream."""
        return self._first_seed()

    def get_state(self):
        """The state of the stream, as a tensor of bytes for ``set_state``: also for that of PyTorch.

        >>> torch.Generator().get_state().shape
        torch.Size([5056])
        """
        return wrap(np.frombuffer(self._saved(), np.uint8).copy())

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
            raise error("MG204", f"Expected a CPUGeneratorImplState of size {STATE_BYTES} but found the input RNG "
                                 f"state size to be {len(state)}")
        if not self._restore(state):
            raise error("MG204", "Invalid mt19937 state: these bytes were not made by get_state()")
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


def _restored(state):
    return Generator().set_state(wrap(np.frombuffer(state, np.uint8)))


#: the stream of the functions below; until it is seeded by hand, its seed comes from the operating system
default_generator = Generator()
default_generator.seed()
# Here, since rows that draw ask for the class when they are made (fills.py).
provide(generator=Generator, default_generator=default_generator)


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


def fork_rng(devices=None, enabled=True, _caller="fork_rng", _devices_kw="devices", device_type="cuda"):
    """Whatever is drawn inside the block leaves the stream where it was before; not if ``enabled`` is False.

    ``devices`` are ignored: only the CPU has a stream.

    >>> _ = torch.manual_seed(0)
    >>> with torch.random.fork_rng():
    ...     a = torch.rand(2)
    >>> torch.equal(a, torch.rand(2))
    True
    """
    return Block(lambda: [(default_generator._exchange, default_generator._saved())] if enabled else [])


# --- Arrays of random numbers ------------------------------------------------------------------

def stream(function, generator):
    """The Generator to draw from; an error if an open vmap forbids random numbers."""
    for batch in vmaps():
        if not batch.drawing:
            refuse_in(batch, function)
    if generator is None:
        return default_generator
    if not isinstance(generator, Generator):
        raise error("MG205", f"{function}(): argument 'generator' must be torch.Generator, "
                             f"not {type(generator).__name__}")
    return generator


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


def drawn(function, fill, shape, kind, generator=None, requires_grad=False, form=None, device=dtypes.CPU):
    """A new tensor, filled by ``fill(stream, array)``; for every vmap with different random numbers it has a batch axis
    in front.  Its order in memory is that of the array ``form``.  On the device "meta" nothing is drawn."""
    where = dtypes.placed(device, function)
    if where is dtypes.META:
        return wrap(made_on(where, np.empty)(shape, kind.numpy), bool(requires_grad))
    batches = vmaps()
    for batch in batches:
        if batch.randomness == "error":
            refuse_in(batch, function)
        batch.drawing += 1
    try:
        apart = [batch for batch in batches if batch.randomness == "different"]
        source = stream(function, generator)
        shape = (*[batch.size for batch in apart], *shape)
        array = (np.empty(shape, kind.numpy) if form is None or form.shape != shape
                 else arrays.empty_like(form, kind))
        fill(source, array)
        made = wrap(array_on(where, array), bool(requires_grad))
    finally:
        for batch in batches:
            batch.drawing -= 1
    for batch in apart:
        made = wrap_level(made, batch.level, 1)
    return made


def order_of(tensor):
    """The array whose order in memory a tensor like this one takes; None where that is the order of its elements."""
    array = tensor._array
    return array if isinstance(array, np.ndarray) and not array.flags.c_contiguous else None


def must_be_floating(function, kind):
    if kind.category < FLOAT:
        raise error("MG202", f'"{function}" not implemented for {kind!r}: take a floating point or complex dtype')


def filled(array, fill, work=None):
    """Fill a dense array in the order of its memory, complex numbers part by part: ``fill`` is given a contiguous array
    of the dtype ``work``, which is that of ``array`` or is converted to it; by default, 16-bit floats are computed as
    float32."""
    numbers = array.transpose(outer_first(array)).reshape(-1)
    if array.dtype.kind == "c":
        numbers = numbers.view(array.real.dtype)
    work = work or (np.dtype(np.float32) if is_short(array.dtype) else numbers.dtype)
    if numbers.dtype == work:
        fill(numbers)
    else:
        computed = np.empty(numbers.shape, work)
        fill(computed)
        with quiet():
            numbers[...] = computed


def is_short(dtype):
    """A 16-bit float?"""
    return dtype.kind in "fV" and dtype.itemsize == 2


def fill_uniform(source, array, low=0., high=1.):
    """Numbers from ``low`` to below ``high``, of a floating point or complex dtype."""
    def fill(numbers):
        random_streams.uniform(source, numbers, low, high)
        if is_short(array.dtype):       # PyTorch begins again at `low` where rounding arrives at `high`
            end = np.asarray(high, array.dtype)
            last = np.nextafter(end, np.asarray(-np.inf, array.dtype))
            near = np.flatnonzero(numbers >= last.astype(np.float32))
            numbers[near[numbers[near].astype(array.dtype) >= end]] = low
    filled(array, fill)


def fill_normal(source, array, mean=0., std=1., dense=None):
    """Numbers with this mean and standard deviation; each part of a complex number has half the variance.

    Dense memory, where the elements lie in their order, is filled in blocks (``_core/kernels/random/distributions.h``).
    """
    if array.dtype.kind == "c":
        std = std / 2 ** 0.5

    def fill(numbers):
        if array.flags.c_contiguous if dense is None else dense:
            random_streams.normal(source, numbers, mean, std, is_short(array.dtype))
        else:
            random_streams.each(source, "normal", numbers, mean, std)
    filled(array, fill)


def fill_each(source, array, law, p, q=0.):
    """Numbers of one of the laws in ``_core/kernels/random/random_streams.pyx``, drawn one by one in double
    precision."""
    known = is_short(array.dtype) or array.dtype in (np.float32, np.float64, np.int64)
    filled(array, lambda numbers: random_streams.each(source, law, numbers, p, q),
           None if known else np.dtype(np.int64))


def fill_integers(function, source, array, low, high):
    """Integers from ``low`` to below ``high``; without ``high``, as far as the dtype goes."""
    kind = dtypes.of_numpy(array.dtype)
    low = integer(function, "low", low)
    high = most_of(kind) + 1 if high is None else integer(function, "high", high)
    if low >= high:
        raise error("MG204", f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}")
    if kind.category == COMPLEX:
        raise error("MG202", f'"{function}" not implemented for {kind!r}: take an integer or floating point dtype')
    if kind.category == FLOAT:
        low, high = representable(low, high, array.dtype.type, 1 - round(math.log2(dtypes.finfo(kind).eps)))
        if low >= high:
            raise error("MG204", "random_ expects 'from' casted to dtype to be less than 'to' casted to dtype, but got "
                                 f"from={low} >= to={high}")
    info = dtypes.iinfo(kind) if kind.category == INT else None
    least, most = (0, 1) if kind.category == BOOL else (info.min, info.max) if info else (-2 ** 63, 2 ** 63 - 1)
    for name, value in (("from", low), ("to - 1", high - 1)):
        if not least <= value <= most:
            raise error("MG204", f"{name} is out of bounds for {kind!r}: {value} is not in {least}..{most}")
    draw_integers(source, array, low, high - low, high - low >= 2 ** 28)


def representable(low, high, cast, digits):
    """The bounds, moved inwards where an integer beside them rounds out of the range, as in PyTorch.

    The gap between floats of n bits is 2**(n - digits).
    """
    def gap(number):
        return 1 << max(abs(number).bit_length() - digits, 0)

    lowest, highest = int(cast(low + 1)), int(cast(high - 1))
    return lowest + gap(low + 1) if lowest < low else low, highest - gap(high - 1) if highest >= high else high


def most_of(kind):
    """How far ``random_`` goes by itself: all integers of an integer dtype, all that a float holds without gaps."""
    if kind.category >= FLOAT:
        return round(2 / dtypes.finfo(kind).eps)
    return 1 if kind.category == BOOL else dtypes.iinfo(kind).max


def draw_integers(source, array, low, span, wide):
    """Integers from ``low`` on, of which there are ``span``; ``wide``: each takes two words of the stream."""
    if span == 2 ** 64:         # all that there are: two words as they come
        low = span = 0
    filled(array, lambda numbers: random_streams.integers(source, numbers, low, span, wide),
           None if array.dtype in (np.float32, np.float64, np.int32) else np.dtype(np.int64))


def fill_permuted(source, array):
    """In each row, the integers below its length in random order."""
    n = array.shape[-1]
    for row in array.reshape(-1, n) if n else ():
        numbers = np.arange(n, dtype=np.int64)
        random_streams.shuffle(source, numbers)
        row[...] = numbers


# --- Random tensors ----------------------------------------------------------------------------

@partial(maker, front=random_tensors.rand)
def rand(*shape, size=None, generator=None, dtype=None, device=None, requires_grad=False, layout=None,
         pin_memory=False):
    """Uniform random numbers in [0, 1).

    >>> torch.rand(2, 3).shape
    torch.Size([2, 3])
    """
    kind = options("rand", dtype, device, requires_grad)
    must_be_floating("rand", kind)
    return drawn("rand", fill_uniform, sizes("rand", shape, size), kind, generator, requires_grad,
                 device=device)


@partial(maker, front=random_tensors.randn)
def randn(*shape, size=None, generator=None, dtype=None, device=None, requires_grad=False, layout=None,
          pin_memory=False):
    """Random numbers from the normal distribution with mean 0 and variance 1.

    >>> torch.randn(2, 3).shape
    torch.Size([2, 3])
    """
    kind = options("randn", dtype, device, requires_grad)
    must_be_floating("randn", kind)
    return drawn("randn", fill_normal, sizes("randn", shape, size), kind, generator, requires_grad,
                 device=device)


@partial(maker, front=random_tensors.randint)
def randint(*bounds, low=0, high=None, size=None, generator=None, dtype=None, device=None, requires_grad=False,
            layout=None, pin_memory=False):
    """``randint(high, size)`` or ``randint(low, high, size)``: random integers from ``low`` to below ``high``.

    >>> torch.randint(5, 6, (3,))
    tensor([5, 5, 5])
    """
    low, high, size = _bounds("randint", bounds, low, high, size)
    kind = options("randint", dtype, device, requires_grad, dtypes.int64)
    return drawn("randint", lambda source, array: fill_integers("randint", source, array, low, high),
                 size_tuple("randint", size), kind, generator, requires_grad, device=device)


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


@partial(maker, front=random_tensors.randperm)
def randperm(n, *, generator=None, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False):
    """The integers below ``n`` in random order.

    >>> torch.randperm(4).sort().values
    tensor([0, 1, 2, 3])
    """
    n = integer("randperm", "n", n, 0)
    kind = options("randperm", dtype, device, requires_grad, dtypes.int64)
    if kind.category in (BOOL, COMPLEX):
        raise error("MG202", f'"randperm" not implemented for {kind!r}: take an integer or floating point dtype')
    if n:
        arrays.fit(n - 1, kind)
    return drawn("randperm", fill_permuted, (n,), kind, generator, requires_grad, device=device)


def _fill_like(function, fill, input, generator, dtype, device, requires_grad, memory_format):
    """A tensor like ``input``, filled by ``fill(stream, array)``."""
    array = the_tensor(function, input)
    kind = options(function, dtype, device, requires_grad, input.dtype)
    if fill in (fill_uniform, fill_normal):
        must_be_floating(function, kind)
    name = format_name(function, memory_format)
    form, where = None, dtypes.placed(device, function, input)
    if where is dtypes.META:
        return empty_like(input, dtype=kind, device="meta", requires_grad=requires_grad, memory_format=memory_format)
    if name == "preserve_format":
        while isinstance(array, Tensor):    # inside vmap: the examples are in front, as in what is drawn for each
            array = array._array
    if isinstance(array, np.ndarray) and not is_meta(array) and name != "contiguous_format":
        form = array if name == "preserve_format" else empty_in(function, array.shape, kind.numpy, name)
    return drawn(function, fill, tuple(input.shape), kind, generator, requires_grad, form, where)


@partial(Composite, front=random_tensors.rand_like)
def rand_like(input, *, generator=None, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False,
              memory_format=None):
    """Uniform random numbers in [0, 1), with the shape and dtype of ``input``.

    >>> torch.rand_like(torch.zeros(2, 3)).shape
    torch.Size([2, 3])
    """
    return _fill_like("rand_like", fill_uniform, input, generator, dtype, device, requires_grad, memory_format)


@partial(Composite, front=random_tensors.randn_like)
def randn_like(input, *, generator=None, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False,
               memory_format=None):
    """Random numbers from the normal distribution with mean 0 and variance 1, with the shape and dtype of ``input``.

    >>> torch.randn_like(torch.zeros(2, 3)).shape
    torch.Size([2, 3])
    """
    return _fill_like("randn_like", fill_normal, input, generator, dtype, device, requires_grad, memory_format)


@partial(Composite, front=random_tensors.randint_like)
def randint_like(input, *bounds, low=0, high=None, generator=None, dtype=None, device=None, requires_grad=False,
                 layout=None, pin_memory=False, memory_format=None):
    """``randint_like(x, high)`` or ``randint_like(x, low, high)``: random integers with the shape and dtype of ``x``.

    >>> torch.randint_like(torch.zeros(3), 5, 6)
    tensor([5., 5., 5.])
    """
    low, high, _ = _bounds("randint_like", (*bounds, ()), low, high, None)

    def fill(source, array):
        fill_integers("randint_like", source, array, low, high)
    return _fill_like("randint_like", fill, input, generator, dtype, device, requires_grad, memory_format)


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
        raise error("MG204", "normal expects all elements of std >= 0.0")
    try:
        shape = np.broadcast_shapes(mean.shape, std.shape)
    except ValueError:
        raise error("MG201", f"normal(): mean of shape {list(mean.shape)} and std of shape {list(std.shape)} "
                             "do not broadcast") from None
    drawn = np.empty(shape, mean.dtype)
    fill_normal(stream("normal", generator), drawn)
    return np.asarray((drawn * std).astype(mean.dtype, copy=False) + mean).astype(mean.dtype, copy=False)


def _normal_with_means(mean, std, generator):
    must_be_floating("normal", dtypes.of_numpy(mean.dtype))
    must_spread("normal", std)
    drawn = np.empty(mean.shape, mean.dtype)
    fill_normal(stream("normal", generator), drawn, 0., std)
    return np.asarray(drawn + mean)


def _mean_as_array(std, mean, generator):
    return _normal(np.asarray(mean, std.dtype), std, generator)


def must_spread(function, std):
    if not std >= 0:
        raise error("MG204", f"{function} expects std >= 0.0, but found std {std:g}")


_normal_mean = piecewise_constant("normal_mean(Tensor mean, float std, Generator? generator)", _normal_with_means,
                                  node="NormalBackward1", promote=None, public=False, inplace=False, wide=False,
                                  shown="normal_")
_normal_std = piecewise_constant("normal_std(Tensor std, float mean, Generator? generator)", _mean_as_array,
                                 node="NormalBackward2", promote=None, public=False, inplace=False, wide=False,
                                 shown="normal_")
_normal_both = piecewise_constant("normal_both(Tensor mean, Tensor std, Generator? generator)", _normal,
                                  node="NormalBackward3", promote=None, public=False, inplace=False, wide=False,
                                  shown="normal_")


@partial(maker, front=random_tensors.normal)
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
    must_spread("normal", std)
    return drawn("normal", lambda source, array: fill_normal(source, array, mean, std), size_tuple("normal", size),
                 kind, generator, requires_grad, device=device)


def _bernoulli(self, generator):
    if self.dtype.kind not in "fV":
        raise error("MG202", f'"bernoulli" not implemented for {dtypes.of_numpy(self.dtype)!r}: the probabilities are '
                             "floating point numbers; bernoulli(x, p) takes a tensor of any dtype and one probability")
    if not ((self >= 0) & (self <= 1)).all():
        raise error("MG204", "bernoulli(): Expected p_in >= 0 && p_in <= 1 to be true for all probabilities, but "
                    "got false")
    made = np.empty(self.shape, self.dtype)
    fill_chances(stream("bernoulli", generator), made, self)
    return made


def fill_chances(source, array, p):
    """Ones and zeros; each element of ``p``, which broadcasts to ``array``, is the probability of a one."""
    order = outer_first(array)
    p = np.broadcast_to(p, array.shape).transpose(order)
    array.transpose(order)[...] = random_streams.chances(source,
                                                         np.ascontiguousarray(p, np.float64 if p.dtype == np.float64
                                                                                  else np.float32).reshape(p.shape))


def _bernoulli_p(self, p, generator):
    if not 0 <= p <= 1:
        raise error("MG204", f"bernoulli expects p to be in [0, 1], but got p={p}")
    made = arrays.empty_like(self, dtypes.of_numpy(self.dtype))
    fill_each(stream("bernoulli", generator), made, "bernoulli", p)
    return made


_bernoulli_each = piecewise_constant("bernoulli_each(Tensor self, Generator? generator)", _bernoulli,
                                     node="BernoulliBackward0", promote=None, public=False, inplace=False,
                                     fast=kernels.bernoulli_each, shown="bernoulli_")
_bernoulli_one = piecewise_constant("bernoulli_one(Tensor self, float p, Generator? generator)", _bernoulli_p,
                                    node="BernoulliBackward1", promote=None, public=False, inplace=False, fills=True,
                                    shown="bernoulli_")


@partial(Composite, takes_out=True)
def bernoulli(input, p=None, *, generator=None):
    """Random ones and zeros: each element of ``input`` is the probability of a one, or all have the probability ``p``.

    >>> torch.bernoulli(torch.tensor([0., 1.]))
    tensor([0., 1.])
    """
    the_tensor("bernoulli", input)
    return _bernoulli_each(input, generator) if p is None else _bernoulli_one(input, p, generator)


#: the methods that _tensor.py attaches to the class
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
