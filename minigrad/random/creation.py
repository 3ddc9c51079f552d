"""New tensors of random numbers: ``rand``, ``randn``, ``randint``, ``randperm``, and their ``*_like`` forms."""

from functools import partial

import numpy as np

from minigrad import dtypes
from minigrad._core.devices.meta import is_meta
from minigrad._core.dispatch.composites import Composite
from minigrad._core.errors import error
from minigrad._core.frontends import random_tensors
from minigrad._core.graph import Tensor
from minigrad.creation import arrays, empty_like, integer, maker, options, size_tuple, sizes, the_tensor
from minigrad.dtypes import BOOL, COMPLEX
from minigrad.ops.formats import empty_in, format_name
from minigrad.random.arrays import drawn, fill_integers, fill_normal, fill_permuted, fill_uniform, must_be_floating


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
