"""``vmap`` under the private name that published packages import: ``torch._vmap_internals``.

>>> from minigrad._vmap_internals import _vmap
>>> _vmap(lambda x: x.sum())(torch.eye(2))
tensor([1., 1.])
"""

from minigrad.func import vmap

__all__ = ["vmap"]


def _vmap(func, in_dims=0, out_dims=0):
    """``vmap``: ``func`` for each element along a dimension of its arguments, all at once."""
    return vmap(func, in_dims, out_dims)
