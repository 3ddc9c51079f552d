"""Forward mode by dual tensors: a value and its tangent, computed together.

    with fwAD.dual_level():
        dual = fwAD.make_dual(x, v)                 # x, moving in the direction v
        y, jvp = fwAD.unpack_dual(f(dual))          # f(x), and how it moves: J v

One pass through ``f`` gives the derivative of all results in one direction; a backward pass gives the derivative of
one result in all directions.  No graph is needed, so ``torch.no_grad()`` does not stop it; ``detach()`` and inference
mode do.

``_core/forward/differentials.pyx`` takes tangents through an operation, and ``_core/forward/dual_tensors.pyx`` keeps
track of them.  A tangent belongs to the level in which it was made, and is gone when the level is left.
"""

from collections import namedtuple

from minigrad._core.errors import error
from minigrad._core.forward import dual_tensors
from minigrad._core.graph import Tensor
from minigrad._core.kernels.shapes.memory_overlap import meets_itself
from minigrad.autograd.grad_mode import _Mode
from minigrad.ops.exports import ROWS

__all__ = ["UnpackedDualTensor", "enter_dual_level", "exit_dual_level", "make_dual", "unpack_dual", "dual_level"]

alias, clone, view = ROWS["alias"], ROWS["clone"], ROWS["view"]

UnpackedDualTensor = namedtuple("UnpackedDualTensor", ["primal", "tangent"])
UnpackedDualTensor.__doc__ = "What :func:`unpack_dual` returns: ``primal``, and ``tangent`` or None."


def enter_dual_level():
    """Open the dual level of this thread, and return its number, 0; :class:`dual_level` also closes it.

    Raises RuntimeError if it is already open: levels do not nest.  (``torch.func.jvp`` does.)

    >>> fwAD = torch.autograd.forward_ad
    >>> level = fwAD.enter_dual_level()
    >>> dual = fwAD.make_dual(torch.tensor(2.), torch.tensor(1.))
    >>> fwAD.unpack_dual(dual * dual).tangent
    tensor(4.)
    >>> fwAD.exit_dual_level(level=level)
    """
    if dual_tensors.level_is_open():
        raise nested_levels()
    dual_tensors.enter()
    return 0


def exit_dual_level(*, level=None):
    """Close the dual level of this thread; all tangents are gone.

    Raises RuntimeError if no level is open, or ``level`` is not the number of the open one.

    >>> fwAD = torch.autograd.forward_ad
    >>> _ = fwAD.enter_dual_level()
    >>> dual = fwAD.make_dual(torch.tensor(2.), torch.tensor(1.))
    >>> fwAD.exit_dual_level()
    >>> fwAD.unpack_dual(dual).tangent is None
    True
    """
    if not dual_tensors.level_is_open():
        raise not_open()
    if level not in (None, 0):
        raise not_the_last_level(level)
    dual_tensors.leave()


class dual_level(_Mode, dual_tensors.Dual):
    """A block in which tensors may have tangents; also a decorator.

    >>> fwAD = torch.autograd.forward_ad
    >>> with fwAD.dual_level():
    ...     dual = fwAD.make_dual(torch.tensor([1., 2.]), torch.tensor([1., 0.]))
    ...     fwAD.unpack_dual(dual ** 3)
    UnpackedDualTensor(primal=tensor([1., 8.]), tangent=tensor([3., 0.]))
    """

    @staticmethod
    def _refuse(entering):
        raise nested_levels() if entering else not_open()


def make_dual(tensor, tangent, *, level=None):
    """An alias of ``tensor`` that has a tangent; everything computed from it has one too.

    ``tensor`` is floating point or complex and of any shape; ``tangent`` has the same shape.  ``tensor`` itself does
    not change.  If either requires grad, so do the results: reverse mode goes through the primal and the tangent.

    Raises RuntimeError outside a :class:`dual_level`, if the shapes differ, and if the tensor or the tangent already
    has a tangent; ValueError for integers.

    >>> fwAD = torch.autograd.forward_ad
    >>> with fwAD.dual_level():
    ...     fwAD.make_dual(torch.tensor([1., 2.]), torch.tensor([1., 0.]))
    tensor([1., 2.], tangent=tensor([1., 0.]))
    """
    if level is not None or not dual_tensors.is_usual(tensor, tangent):
        _check(tensor, tangent, level)
    # Elements of an expanded tensor share memory, but not their tangents.
    array = tensor._array
    dual = clone(tensor) if meets_itself(array) else view(tensor, array.shape)
    dual_tensors.make_owner(dual, tangent)
    return dual


def _check(tensor, tangent, level):
    """Raise if these cannot make a dual tensor."""
    for name, x in (("tensor", tensor), ("tangent", tangent)):
        if not isinstance(x, Tensor):
            raise error("MG205", f"make_dual(): argument '{name}' must be Tensor, not {type(x).__name__}")
    if not dual_tensors.level_is_open() or level not in (None, 0):
        raise outside_a_level()
    for name, x in (("primal", tensor), ("tangent", tangent)):
        if not (x.dtype.is_floating_point or x.dtype.is_complex):
            raise without_derivative(name, x)
    if tangent.dtype.is_complex and not tensor.dtype.is_complex:
        raise imaginary_direction("make_dual()", tensor, tangent)
    if tensor._level:
        raise inside_a_transform()
    if dual_tensors.tangent_of(tensor) is not None:
        raise already_dual()
    if dual_tensors.tangent_of(tangent) is not None:
        raise dual_tangent()
    if tuple(tangent.shape) != tuple(tensor.shape):
        raise of_another_size(tensor, tangent)
    if tensor.device is not tangent.device:
        raise on_another_device(tensor, tangent)


def unpack_dual(tensor, *, level=None):
    """The pair of ``primal``, an alias of ``tensor`` without a tangent, and ``tangent``, or None.

    The tangent is the object itself: for ``make_dual(x, v)`` it is ``v``.  Outside a :class:`dual_level` no tensor
    has a tangent.

    >>> torch.autograd.forward_ad.unpack_dual(torch.ones(2))
    UnpackedDualTensor(primal=tensor([1., 1.]), tangent=None)
    """
    if not isinstance(tensor, Tensor):
        raise error("MG205", f"unpack_dual(): argument 'dual' (position 1) must be Tensor, not {type(tensor).__name__}")
    if not dual_tensors.is_open() or tensor._level:
        return UnpackedDualTensor(tensor, None)
    tangent = dual_tensors.tangent_of(tensor)
    primal = alias(tensor)
    dual_tensors.make_owner(primal, None)
    return UnpackedDualTensor(primal, tangent)


# ------------------------------------------------------------------------------ errors


def nested_levels():
    return error("MG126", "Nested forward mode AD is not supported at the moment: a dual level is already open. Use "
                          "torch.func.jvp for derivatives of derivatives.")


def not_open():
    return error("MG126", "Dual level must be a positive number: no dual level is open in this thread")


def not_the_last_level(level):
    return error("MG126", "exit_dual_level(): Trying to exit a forward AD level that was not the last one that was "
                          f"created: {level}, the one open is 0")


def outside_a_level():
    return error("MG126", "Trying to create a dual Tensor for forward AD but no level exists, make sure to "
                          "enter_dual_level() first: `with torch.autograd.forward_ad.dual_level():` around it.")


def imaginary_direction(who, primal, tangent):
    return error("MG207", f"{who}: Expected a real tangent for a primal of dtype {primal.dtype}, but got: "
                          f"{tangent.dtype}. A real number cannot move in an imaginary direction: pass the tangent's "
                          "real part, or take two derivatives, along its real and its imaginary part.")


def without_derivative(name, x):
    return error("MG127", f"Expected {name} to be floating point or complex, but got: {x.dtype}. Integers have "
                          "no small changes: convert with .float() or .double().")


def inside_a_transform():
    return error("MG117", "make_dual() of a tensor inside a transform (vmap, grad, jvp) is not supported: use "
                          "torch.func.jvp, which nests. (Batching rule not implemented for aten::_make_dual; the "
                          "fallback path doesn't work on out= or view ops)")


def already_dual():
    return error("MG126", "Making a dual Tensor based on a Tensor that already has a forward gradient at the same "
                          "level 0 is not supported: take unpack_dual(x).primal first.")


def dual_tangent():
    return error("MG126", "Setting a forward grad that itself has a forward gradient at the same level 0 is not "
                          "supported: the tangent that was given is a dual tensor. Take "
                          "unpack_dual(tangent).primal, or use torch.func.jvp for derivatives of derivatives.")


def on_another_device(tensor, tangent):
    return error("MG126", f"a tangent is on the device of its tensor: the tensor is on {tensor.device}, and the "
                          f"tangent on {tangent.device}")


def of_another_size(tensor, tangent):
    return error("MG126", "Trying to set a forward gradient that has a different size than that of the original "
                          f"Tensor, this is not supported. Tensor is of size {list(tensor.shape)} while the given "
                          f"forward gradient is of size {list(tangent.shape)}.")
