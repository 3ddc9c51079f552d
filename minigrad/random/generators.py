"""Generators of random numbers, their seeds and their states.

``manual_seed`` makes the following numbers repeatable; a ``Generator`` is a stream of its own.
"""

from os import urandom

import numpy as np

from minigrad import dtypes
from minigrad._core.errors import error
from minigrad._core.graph import wrap, Tensor
from minigrad._core.kernels.random import random_arrays
from minigrad._core.runtime.provided import provide
from minigrad._core.runtime.scopes import Block
from minigrad.creation import integer


DEFAULT_SEED = 67280421310721       # of a Generator without a seed
STATE_BYTES = random_arrays.STATE_BYTES


class Generator(random_arrays.Source):
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
