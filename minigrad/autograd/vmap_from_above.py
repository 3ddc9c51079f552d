"""vmap for this floor, although it is built above.

A Jacobian takes one call of "the gradient for this cotangent" for each row.  `vmap` makes all these calls at once, with
the cotangents stacked; but vmap belongs to `minigrad.func`, and imports run downward only.  So func registers it here
when it is imported, for `jacobian(vectorize=True)` and `gradcheck(check_batched_grad=True)`. """

from minigrad._core.errors import error

__all__ = ["register", "vmap"]

_known = {}


def register(vmap):
    """Register vmap; called once, by `minigrad.func`."""
    _known["vmap"] = vmap


def vmap(func, **arguments):
    """`func` mapped over the first axis of its arguments; see `minigrad.vmap`."""
    if "vmap" not in _known:
        raise error("MG117", "this needs vmap, and nothing has registered it: import minigrad.func first.")
    return _known["vmap"](func, **arguments)
