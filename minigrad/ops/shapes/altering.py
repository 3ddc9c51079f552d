"""The in-place forms of views: ``x.t_()``, ``x.unsqueeze_(0)``, ``x.squeeze_()``.

No number is written.  The Tensor stays the same object on the same memory, and from now on reads it
with the shape and strides that the view would have::

    x            [[0, 1, 2],        memory  0 1 2 3 4 5,  shape (2, 3),  strides (3, 1)
                  [3, 4, 5]]
    x.t_()       [[0, 3],           memory  0 1 2 3 4 5,  shape (3, 2),  strides (1, 3)
                  [1, 4],
                  [2, 5]]

It counts as an in-place write all the same: the history gets a node, which is that of the view (PyTorch
gives it a number of its own), and the version moves, since what was saved of the tensor no longer has
the shape that its formula expects.  So each form is the row of its view, handed to ``alter``.

The views are in transposing.py and windows.py.
"""

from minigrad._core.shape_forms import alter

from ..dims import ints
from ..kinds import in_place
from .transposing import squeeze_all, squeeze_dim, squeeze_dims, t, transpose, unsqueeze
from .windows import as_strided_arguments, as_strided_view


@in_place("t_")
def t_into(self):
    """A matrix becomes its transpose.

    >>> torch.tensor([[1, 2], [3, 4]]).t_()
    tensor([[1, 3],
            [2, 4]])
    """
    return alter(t, self, ())


@in_place("transpose_")
def transpose_into(self, dim0, dim1):
    """Two dims of ``self`` are exchanged.

    >>> torch.zeros(2, 3, 4).transpose_(0, -1).shape
    torch.Size([4, 3, 2])
    """
    return alter(transpose, self, (dim0, dim1))


@in_place("swapaxes_")
def swapaxes_into(self, axis0, axis1):
    """NumPy's name for ``transpose_``.

    >>> torch.zeros(2, 3).swapaxes_(0, 1).shape
    torch.Size([3, 2])
    """
    return alter(transpose, self, (axis0, axis1))


@in_place("swapdims_")
def swapdims_into(self, dim0, dim1):
    """Another name for ``transpose_``.

    >>> torch.zeros(2, 3).swapdims_(0, 1).shape
    torch.Size([3, 2])
    """
    return alter(transpose, self, (dim0, dim1))


@in_place("unsqueeze_")
def unsqueeze_into(self, dim):
    """``self`` gets a new dim of size one at place ``dim``.

    >>> torch.zeros(3).unsqueeze_(0).shape
    torch.Size([1, 3])
    """
    return alter(unsqueeze, self, (dim,))


@in_place("squeeze_")
def squeeze_into(self, dim=None):
    """``self`` loses its dims of size one: all of them, or only ``dim`` (an int or several).

    >>> torch.zeros(1, 3, 1).squeeze_(0).shape
    torch.Size([3, 1])
    """
    if dim is None:
        return alter(squeeze_all, self, ())
    if isinstance(dim, (tuple, list)):
        return alter(squeeze_dims, self, (ints("squeeze_", "dim", (dim,)),))
    return alter(squeeze_dim, self, (dim,))


@in_place("as_strided_", function_too=True)
def as_strided_into(self, size, stride, storage_offset=None):
    """``self`` takes any size, strides and offset in its memory; all are counted in elements.

    >>> torch.arange(6).as_strided_((2, 2), (1, 3))
    tensor([[0, 3],
            [1, 4]])
    """
    return alter(as_strided_view, self, as_strided_arguments("as_strided_", self, size, stride, storage_offset))
