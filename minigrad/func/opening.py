"""Opening a level, and looking one level down."""

from minigrad._core import modes
from minigrad._core.graph import Tensor


class Level:
    """``with Level(interpreter) as n``: level ``n`` is open."""

    __slots__ = ("interpreter",)

    def __init__(self, interpreter):
        self.interpreter = interpreter

    def __enter__(self):
        self.interpreter.level = modes.push_level(self.interpreter)
        return self.interpreter.level

    def __exit__(self, *exception):
        modes.pop_level()


def lowered(x, level):
    """``x``, or the tensors in a list, as the level below sees them."""
    if isinstance(x, Tensor):
        return x._array if x._level == level else x
    return [lowered(y, level) for y in x] if type(x) is list else x
