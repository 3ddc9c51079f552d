"""The core: what serves kernels, and the vocabulary of all."""

from ..explaining import NO_MEMORY, Entry

READ = [
    "_core/classes.pyx",
    "_core/elementwise.pyx",
    "_core/special_methods.pyx",
    "_core/sums.pyx",
    "_core/switches.pyx",
    "_core/symbols.pyx",
    "_core/tiles.pyx",
    "_core/views.pyx",
    "_core/vocabulary.pyx",
]

ENTRIES = [
    Entry(NO_MEMORY, "_core/elementwise.pyx", "ufunc_of", "if types == NULL:", "always false"),
    Entry("it is for web pages, where no flag of the processor tells of a nan", "_core/solving.pyx", "any_nan"),
]
