"""Where this floor finds vmap, which is built above it, out of what is here.

A Jacobian, row by row, is one function, "the gradient for this cotangent", called once for each cotangent.  `vmap` runs
those calls as one, with all cotangents stacked; but vmap belongs to `minigrad.func`, and imports run downward only. So
func registers it here when it is imported, and `jacobian(vectorize=True)` and `gradcheck(check_batched_grad=True)` ask
here for it. """

from minigrad._core.errors import error

__all__ = ["register", "vmap"]

_known = {}


def register(vmap):
    """Say what vmap is; called once, by `minigrad.func`."""
    _known["vmap"] = vmap


def vmap(func, **arguments):
    """`func` mapped over the first axis of its arguments; see `minigrad.vmap`."""
    if "vmap" not in _known:
        raise error("MG117", "this needs vmap, and nothing has registered it: import minigrad.func first.")
    return _known["vmap"](func, **arguments)
