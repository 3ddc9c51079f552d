"""vmap for this floor, although it is built above.

A Jacobian takes one call of "the gradient for this cotangent" for each row.  `vmap` makes all these calls at once, with
the cotangents stacked; but vmap belongs to `minigrad.func`, and imports run downward only.  So it is registered here,
for `jacobian(vectorize=True)` and `gradcheck(check_batched_grad=True)`: by `minigrad` in a form that imports func when
it is called, and then by func."""

__all__ = ["register", "vmap"]

_known = {}


def register(vmap):
    """Register vmap."""
    _known["vmap"] = vmap


def vmap(func, **arguments):
    """`func` mapped over the first axis of its arguments; see `minigrad.vmap`."""
    return _known["vmap"](func, **arguments)
