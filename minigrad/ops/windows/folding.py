"""Windows laid side by side, and put back: unfold and fold.

``unfold`` makes a column of each window, all its channels below each other; ``fold`` adds the columns up in the places
where the windows were, so that each is the transpose of the other::

    image            windows of 2 x 2            columns
    a b c            a b    b c                  a  b
    d e f            d e    e f                  b  c
                                                 d  e
                                                 e  f

A convolution is a product of the weight, as a matrix, with these columns.

Neighbours: convolution.py (which never has all columns at once), ../shapes/windows.py (views of windows along one dim).
"""

from math import prod

import numpy as np

from minigrad._core.errors import error
from minigrad._core.graph import Tensor
from minigrad._core.kernels import table_of_networks as kernels

from ..composites import composite
from ..kinds import linear
from .convolution import inside, meetings, room, with_padding
from ..arguments import in_rows, ints, must_be_tensors


def places_of(sizes, kernel_size, dilation, padding, stride):
    """How many windows there are along each dim."""
    return tuple([(n + 2 * a - (k - 1) * d - 1) // s + 1
                  for n, k, d, a, s in zip(sizes, kernel_size, dilation, padding, stride)])


def columns_kernel(self, kernel_size, dilation, padding, stride):
    *lead, channels, height, width = self.shape
    places = places_of((height, width), kernel_size, dilation, padding, stride)
    x = with_padding(self.reshape(1, prod(lead) * channels, height, width), kernel_size, places, stride, padding,
                     dilation)
    out = np.empty((*x.shape[:2], *kernel_size, *places), x.dtype)
    for (_, *k), of_input in meetings(kernel_size, places, stride, dilation):
        out[(0, slice(None), *k)] = x[0][of_input]
    return out.reshape(*lead, channels * prod(kernel_size), prod(places))


def columns_shapes(self, kernel_size, dilation, padding, stride):
    *lead, channels, height, width = self.shape
    places = places_of((height, width), kernel_size, dilation, padding, stride)
    return np.broadcast_to(np.zeros((), self.dtype), (*lead, channels * prod(kernel_size), prod(places)))


columns_kernel.shapes = columns_shapes


def image_kernel(self, size, kernel_size, dilation, padding, stride):
    *lead, channels, height, width = size
    places = places_of((height, width), kernel_size, dilation, padding, stride)
    columns = self.reshape(1, prod(lead) * channels, *kernel_size, *places)
    x = np.zeros((*columns.shape[:2], *room((height, width), kernel_size, places, stride, padding, dilation)),
                 self.dtype)
    for (_, *k), of_input in meetings(kernel_size, places, stride, dilation):
        x[0][of_input] += columns[(0, slice(None), *k)]
    return in_rows(x[inside((height, width), padding)]).reshape(size)


columns_of = linear("columns_of(Tensor self, int[] kernel_size, int[] dilation, int[] padding, int[] stride)",
                    columns_kernel,
                    self=lambda d, self_shape, kernel_size, dilation, padding, stride: image_of(
                        d, self_shape, kernel_size, dilation, padding, stride),
                    node="Im2ColBackward0", public=False, shown="unfold", refuse="iu", last_dims=3,
                    fast=kernels.columns_of,
                    doc="A column for each window of an image; there may be any number of images.")

image_of = linear("image_of(Tensor self, Sizes size, int[] kernel_size, int[] dilation, int[] padding, int[] stride)",
                  image_kernel,
                  self=lambda d, kernel_size, dilation, padding, stride: columns_of(
                      d, kernel_size, dilation, padding, stride),
                  node="Col2ImBackward0", public=False, shown="fold", refuse="iu", wide=True,
                  fast=kernels.image_of,
                  doc="The columns added up where their windows were; ``size`` is the shape of the images.")


# ------------------------------------------------------------------------------ the functions

#: what each parameter must be at least, and what an error says of it
LEAST = {"kernel_size": (1, "kernel size should be greater than zero"),
         "dilation": (1, "dilation should be greater than zero"),
         "padding": (0, "padding should be non-negative"),
         "stride": (1, "stride should be greater than zero")}


def pairs(op, **given):
    """Each parameter as two numbers, one for each dim of an image; one number is given for both."""
    found = []
    for name, value in given.items():
        values = ints(op, name, (value,))
        if isinstance(value, (tuple, list)) and len(values) != 2:
            raise error("MG204", f"{op}(): It is expected {name} equals to 2, but got size {len(values)}: one number "
                                 "for both dims, or one for each")
        found.append(values if len(values) == 2 else 2 * values)
    for name, values in zip(given, found):
        least, complaint = LEAST.get(name, (min(values), ""))
        if min(values) < least:
            raise error("MG204", f"{op}(): {complaint}, but got {name}={values}")
    return found


@composite(nn=True, types="Tensor int[1] int[1] int[1] int[1]")
def unfold(input, kernel_size, dilation=1, padding=0, stride=1):
    """A column for each window of an image: shape (N, C * kernel elements, windows), or without N for one image.

    ``input`` has shape (N, C, H, W) or (C, H, W).  The other parameters are those of :func:`conv2d`, one number or one
    for each dim.

    >>> x = torch.arange(6.).reshape(1, 1, 2, 3)
    >>> torch.nn.functional.unfold(x, 2)
    tensor([[[0., 1.],
             [1., 2.],
             [3., 4.],
             [4., 5.]]])
    """
    if not isinstance(input, Tensor):
        raise must_be_tensors("unfold", input=input)
    kernel_size, dilation, padding, stride = pairs("unfold", kernel_size=kernel_size, dilation=dilation,
                                                   padding=padding, stride=stride)
    shape = tuple(input.shape)
    if len(shape) not in (3, 4) or 0 in shape[-3:]:
        raise no_images(shape)
    places = places_of(shape[-2:], kernel_size, dilation, padding, stride)
    if min(places) < 1:
        raise no_windows(shape, kernel_size, dilation, padding, places)
    return columns_of(input, kernel_size, dilation, padding, stride)


@composite(nn=True, types="Tensor int[1] int[1] int[1] int[1] int[1]")
def fold(input, output_size, kernel_size, dilation=1, padding=0, stride=1):
    """Columns added up where their windows were in an image of ``output_size``: the transpose of :func:`unfold`.

    ``input`` has shape (N, C * kernel elements, windows), or without N for one image.

    >>> columns = torch.ones(1, 4, 2)
    >>> torch.nn.functional.fold(columns, (2, 3), 2)
    tensor([[[[1., 2., 1.],
              [1., 2., 1.]]]])
    """
    if not isinstance(input, Tensor):
        raise must_be_tensors("fold", input=input)
    output_size, kernel_size, dilation, padding, stride = pairs(
        "fold", output_size=output_size, kernel_size=kernel_size, dilation=dilation, padding=padding, stride=stride)
    shape = tuple(input.shape)
    if len(shape) not in (2, 3) or 0 in shape[-2:]:
        raise no_columns(shape)
    if shape[-2] % prod(kernel_size):
        raise not_divisible(shape, kernel_size)
    places = places_of(output_size, kernel_size, dilation, padding, stride)
    if shape[-1] != prod(places) or min(places) < 1:
        raise other_windows(shape, output_size, kernel_size, dilation, padding, stride, places)
    size = (*shape[:-2], shape[-2] // prod(kernel_size), *output_size)
    return image_of(input, size, kernel_size, dilation, padding, stride)


# ------------------------------------------------------------------------------ errors

def no_images(shape):
    return error("MG201", "unfold(): Expected 3D or 4D (batch mode) tensor with possibly 0 batch size and other "
                          f"non-zero dimensions for input, but got: {list(shape)}")


def no_windows(shape, kernel_size, dilation, padding, places):
    return error("MG201", f"unfold(): Given input with spatial size {shape[-2:]}, kernel_size={kernel_size}, "
                          f"dilation={dilation}, padding={padding}, calculated shape of the array of sliding blocks as "
                          f"{places}, but its components must be at least one.")


def no_columns(shape):
    return error("MG201", "fold(): Expected 2D or 3D (batch mode) tensor for input with possibly 0 batch size and "
                          f"non-zero dimensions for input, but got: {list(shape)}")


def not_divisible(shape, kernel_size):
    dim = len(shape) - 2
    if prod(kernel_size) >= 2**63:
        return error("MG201", f"fold(): Given kernel_width = {kernel_size[-1]} and kernel_height = {kernel_size[0]} "
                              "the product of kernel_width and kernel_height overflowed.")
    return error("MG201", f"fold(): Expected size of input's dimension {dim} to be divisible by the product of "
                          f"kernel_size, but got input.size({dim})={shape[-2]} and kernel_size={kernel_size}.")


def other_windows(shape, output_size, kernel_size, dilation, padding, stride, places):
    dim = len(shape) - 1
    given = (f"fold(): Given output_size={output_size}, kernel_size={kernel_size}, dilation={dilation}, "
             f"padding={padding}, stride={stride}, ")
    if min(places) < 1:
        return error("MG201", f"{given}calculated shape of the array of sliding blocks as {places}, which is too small "
                              "(non-positive)")
    return error("MG201", f"{given}expected size of input's dimension {dim} to match the calculated number of sliding "
                          f"blocks {places[0]} * {places[1]} = {prod(places)}, but got input.size({dim})={shape[-1]}.")
