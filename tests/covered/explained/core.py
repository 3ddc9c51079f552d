"""The core: what serves kernels, and the vocabulary of all."""

from ..explaining import NO_MEMORY, Entry

READ = [
    "_core/graph/classes.pyx",
    "_core/kernels/loops/elementwise.pyx",
    "_core/graph/special_methods.pyx",
    "_core/kernels/reductions/sums.pyx",
    "_core/runtime/switches.pyx",
    "_core/dispatch/symbols.pyx",
    "_core/kernels/algebra/tiles.pyx",
    "_core/graph/views.pyx",
    "_core/runtime/vocabulary.pyx",
]

ENTRIES = [
    Entry(NO_MEMORY, "_core/kernels/loops/elementwise.pyx", "ufunc_of", "if types == NULL:", "always false"),
    Entry("it is for web pages, where no flag of the processor tells of a nan", "_core/kernels/algebra/solving.pyx",
          "any_nan"),
]
