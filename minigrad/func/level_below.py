"""Tensors as the next lower level of a transform sees them."""

from minigrad._core.graph import Tensor


def lowered(x, level):
    """``x``, or each tensor in a list, as the level below sees it."""
    if isinstance(x, Tensor):
        return x._array if x._level == level else x
    return [lowered(y, level) for y in x] if type(x) is list else x


def set_aside(interpreter, function, *args):
    """``function(*args)``, while the interpreter's level is open but only tensors of the levels below it occur."""
    before, interpreter.aside = interpreter.aside, True
    try:
        return function(*args)
    finally:
        interpreter.aside = before
