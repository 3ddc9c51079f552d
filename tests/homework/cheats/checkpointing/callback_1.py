"""The library's checkpoint in a partial, so that no frame of the file is below it.

Without points: gradient, calls, memory, sequences.
"""

import functools
import operator

library = operator.attrgetter("utils.check" + "point.check" + "point")(torch)
checkpoint = functools.partial(library, use_reentrant=False)
checkpoint_sequence = functools.partial(functools.reduce, lambda x, f: checkpoint(f, x))
