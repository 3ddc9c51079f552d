"""Kernels in C: what they ask of their arguments before they read memory, and which rows have answered before."""

from ..explaining import NO_MEMORY, Entry

READ = [f"_core/{name}.pyx" for name in ("products", "folding", "distances", "margins", "normalizing", "moving",
                                         "pooling", "halves")]

#: the loops are looked up in the NumPy that is there, and each is tried before it is used
ANOTHER_NUMPY = "only with a NumPy that has its loops elsewhere, or none"
OF_ITSELF = "what is asked of two arrays is asked of one and itself"
RESULT = "it is an array that was made for this"
NOT_SWAPPED = "tensors have no arrays with swapped bytes"

ENTRIES = [
    Entry(ANOTHER_NUMPY, "_core/kernels/algebra/matrix_products.pyx", "resolve|forget|agree"),
    Entry(ANOTHER_NUMPY, "_core/kernels/algebra/matrix_products.pyx", "trace|add_to", what="f == NULL"),
    Entry(ANOTHER_NUMPY, "_core/kernels/algebra/matrix_products.pyx", text="agree():"),
    Entry(ANOTHER_NUMPY, "_core/kernels/algebra/matrix_products.pyx", text="forget("),
    Entry("arrays have 64 dims, and two of these are a matrix; a vector comes without others",
          "_core/kernels/algebra/matrix_products.pyx",
          "multiplied", what="MAX_DIMS"),
    Entry("its form is that of a product that was declined before", "_core/kernels/algebra/matrix_products.pyx",
          "repeated",
          "if product is None:"),
    Entry("its form is that of a product that was declined before", "_core/kernels/algebra/matrix_products.pyx",
          "repeated",
          "return None",
          "never run"),
    Entry("something is added to a product, which has one of these dtypes", "_core/kernels/algebra/matrix_products.pyx",
          "add_to",
          what="MAX_NUMS"),
    Entry(RESULT, "_core/kernels/algebra/matrix_products.pyx", "add_rows", what="by[0]"),

    Entry(NO_MEMORY, "_core/kernels/windows/unfold_fold.pyx", "to_columns|to_image", "desk == NULL"),
    Entry(NO_MEMORY, "_core/kernels/windows/unfold_fold.pyx", "to_columns|to_image", "f.failed = True"),
    Entry(NO_MEMORY, "_core/kernels/windows/unfold_fold.pyx", "to_columns|to_image", "return", "never run"),

    Entry("the C compiler asks again where it returns", "_core/kernels/windows/unfold_fold.pyx", "columns_of|image_of",
          "return None if",
          "num == NPY_FLOAT"),
    Entry(NO_MEMORY, "_core/kernels/windows/window_layout.pyx", "tables", "rest == NULL"),
    Entry(NO_MEMORY, "_core/kernels/windows/window_layout.pyx", "tables", "return False", "never run"),

    Entry(OF_ITSELF, "_core/kernels/statistics/distances.pyx", "distances_of_pairs", what="two_sets(a, a"),

    Entry(NO_MEMORY, "_core/kernels/networks/margin_losses.pyx", "multilabel_margin_*", "r.often == NULL"),

    Entry("NumPy has no arrays with more dims", "_core/kernels/networks/normalization.pyx", "of_last_dims",
          what="MAX_DIMS"),
    Entry("there are elements (`plain`), and the number of channels divides itself",
          "_core/kernels/networks/normalization.pyx",
          "batch_norm|fixed_batch_norm", what="in_channels"),
    Entry("`read_stats` has read it", "_core/kernels/networks/normalization.pyx", "norm_weight_backward",
          what="as_int"),

    Entry(RESULT, "_core/kernels/shapes/data_movement.pyx", "diag_embed", "return out if"),
    Entry(NOT_SWAPPED, "_core/kernels/shapes/data_movement.pyx", "usual", what="ISNOTSWAPPED"),

    Entry("with nothing left over there is a window, and with less, ceil_mode has asked for one",
          "_core/kernels/windows/pooling.pyx",
          "sliding", "w.n < 1"),
    Entry("with nothing left over there is a window, and with less, ceil_mode has asked for one",
          "_core/kernels/windows/pooling.pyx",
          "sliding", "return False", "never run"),

    Entry("a gradient is an array, or there are several in a list", "_core/backward/half_precision.pyx", "half_of",
          "if type(d) is list:"),
    Entry("a node runs where a gradient has come to one of its outputs", "_core/backward/half_precision.pyx",
          "half_of|first_of",
          "return None", "never run"),
]
