"""Another layout in place for tensors of a level: ``y.t_()``, ``y.squeeze_(0)`` inside a transform.

No number is written (_core/inplace/inplace_layouts.pyx): the tensor becomes the view that the out-of-place operation
returns, but stays the same object.

::

    y.t_()        y, level 1            y, level 1, the same object, and its history: TBackward0 -> what it was
                  |             ->      |
                  payload, level 0      payload.t(), level 0

Its payload is another one from now on, so whoever has the old one sees no change: a tensor outside, which the transform
was given, keeps its layout.  As outside transforms, the layout is recorded even under ``no_grad``, here and below.
"""

from minigrad._core.dispatch import levels
from minigrad._core.errors import error
from minigrad._core.inplace.write_checks import check
from minigrad._core.runtime import thread_state
from minigrad._core.runtime.scopes import Scope
from minigrad.func.level_below import lowered


def of_carried(interpreter, op, args, level):
    """At a Jvp or Batch level, the tangent or the batch axis comes along."""
    with Scope((thread_state.set_grad_enabled, True)):
        result = interpreter.process(op, args, level)
    return levels.take_layout(op, args, result, False)


def of_recorded(tape, op, args, level):
    """At a Tape level, with its history."""
    target = args[0]
    inside = thread_state.is_grad_enabled()
    view = target._is_view()
    if inside and target.requires_grad:
        check(op.written, target)
    elif not inside and not view and target.requires_grad and target.is_leaf:
        raise argument_of_a_transform(op)
    recorded = (inside or not view) and target.requires_grad
    with Scope((thread_state.set_grad_enabled, True)):
        if recorded:
            result = tape.process(op, args, level)
        else:
            result = levels.wrap_level(levels.apply(op, [lowered(x, level) for x in args]), level)
    return levels.take_layout(op, args, result, recorded)


# ------------------------------------------------------------------------------ errors


def argument_of_a_transform(op):
    return error("MG117", f"{op.written} on an argument with respect to which func.grad, vjp or jacrev differentiates: "
                          f"the gradient would come in another shape. Use the out-of-place {op.shown}.")
