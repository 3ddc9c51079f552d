"""Where elements are: isin, nonzero_static, unravel_index.

Neighbours: masking.py (nonzero and masks), gathering.py (elements at places), sorting.py (searchsorted).
"""

from math import prod

import numpy as np

from minigrad._core.devices.device_arrays import constant
from minigrad._core.errors import error
from minigrad._core.graph import Tensor
from minigrad._core.kernels import table as kernels

from ..elementwise.division import floor_divide, remainder_tensor
from ..composites import composite
from ..kinds import not_differentiable
from ..shapes.splitting import unbind
from ..shapes.transposing import unsqueeze
from ..arguments import in_single, must_be_tensors, own, scalar_name


def isin_kernel(elements, test_elements, assume_unique, invert):
    if elements.dtype.kind in "bc":
        raise error("MG202", f"Unsupported input type encountered for isin(): {scalar_name(elements.dtype)}")
    return np.isin(in_single(elements), in_single(test_elements), invert=invert)


isin = not_differentiable("isin(Tensor elements, Tensor test_elements, *, bool assume_unique=False, bool invert=False)",
                          isin_kernel, method=False, or_numbers=("elements", "test_elements"), batch="loop",
                          fast=kernels.isin,
                          also={"element": "elements", "test_element": "test_elements"}, out="exact", doc="""
Which of ``elements`` are among ``test_elements``; with ``invert``, which are not. nan is equal to nothing.

>>> torch.isin(torch.tensor([[1, 2], [3, 4]]), torch.tensor([2, 3]))
tensor([[False,  True],
        [ True, False]])
""")


def nonzero_static_kernel(self, size, fill_value):
    if size < 0:
        raise error("MG204", f"nonzero_static: 'size' must be an non-negative integer, not {size}")
    found = np.argwhere(own(self))[:size]
    out = np.full((size, self.ndim), fill_value, np.int64)
    out[:len(found)] = found
    return out


nonzero_static = not_differentiable("nonzero_static(Tensor self, *, int size, int fill_value=-1)",
                                    nonzero_static_kernel, out="exact", batch="loop", doc="""
The first ``size`` places that ``nonzero`` finds, and rows of ``fill_value`` if there are fewer.

>>> torch.nonzero_static(torch.tensor([0, 3, 4]), size=3)
tensor([[ 1],
        [ 2],
        [-1]])
""")


@composite(method=False, out=False, types="Tensor Any")
def unravel_index(indices, shape):
    """The coordinates, in a tensor of this shape, of elements that are given by their numbers in the flat tensor.

    >>> torch.unravel_index(torch.tensor([3, 5]), (2, 3))
    (tensor([1, 1]), tensor([0, 2]))
    """
    if not isinstance(indices, Tensor):
        raise must_be_tensors("unravel_index", indices=indices)
    if indices.dtype.category != 1:
        raise error("MG205", f"unravel_index(): expected 'indices' to be integer dtype, but got {indices.dtype}")
    sizes = shape if isinstance(shape, (tuple, list)) else (shape,)
    for size in sizes:
        if not isinstance(size, int):
            raise error("MG205", "unravel_index(): expected 'shape' to be int or sequence of ints, but got "
                                 f"{type(size)}")
    if min(sizes, default=0) < 0:
        raise error("MG207", f"unravel_index(): 'shape' cannot have negative values, but got {tuple(sizes)}")
    if not sizes:
        return ()
    steps = constant(np.array([prod(sizes[k + 1:]) for k in range(len(sizes))], np.int64), indices)
    places = floor_divide(unsqueeze(indices, -1), steps)
    return unbind(remainder_tensor(places, constant(np.array(sizes, np.int64), indices)), -1)
