"""Kernels of the core that read arguments of all kinds: norms, moves, pools, and 16-bit floats in formulas."""

from ..explaining import Entry

READ = ["_core/halves.pyx", "_core/moving.pyx", "_core/normalizing.pyx", "_core/pooling.pyx"]

NO_GRADIENTS = "a node that gets no gradient at all is not asked for one: before_node in hooks.pyx, by_row in calling.pyx"
NOT_SWAPPED = "what is moved has no swapped bytes: `movable` asks for that before"
SURE_TO_FIT = "its sizes were made for a diagonal of just this length, at an offset within them"
CHANNELS_FIT = "there are elements (`plain`) and two dims, and the number of channels divides itself"

ENTRIES = [
    Entry(NO_GRADIENTS, "_core/halves.pyx", "half_of|first_of", "return None", "never run"),
    Entry("a gradient is an array, or there are several in a list or a tuple", "_core/halves.pyx", "half_of",
          "if type(d) in (list, tuple):"),

    Entry(NOT_SWAPPED, "_core/moving.pyx", "usual", what="PyArray_ISNOTSWAPPED"),
    Entry(SURE_TO_FIT, "_core/moving.pyx", "diag_embed", "diagonal_at"),

    Entry("NumPy's arrays have 64 dims at the most", "_core/normalizing.pyx", "of_last_dims", what="ndim > MAX_DIMS"),
    Entry(CHANNELS_FIT, "_core/normalizing.pyx", "batch_norm|fixed_batch_norm", what="in_channels"),
    Entry("read_stats has asked for the same", "_core/normalizing.pyx", "norm_weight_backward", what="as_int"),

    Entry("a window that begins with the padding at the latest is there: what is left was asked for before",
          "_core/pooling.pyx", "sliding", what="w->n < 1"),
    Entry("a window that begins with the padding at the latest is there: what is left was asked for before",
          "_core/pooling.pyx", "sliding", "return False", "never run"),
]
