"""The core: what serves kernels, and the vocabulary of all."""

from ..explaining import NO_MEMORY, Entry

READ = [
    "_core/graph/type_objects.pyx",
    "_core/kernels/loops/new_ufuncs.pyx",
    "_core/graph/special_methods.pyx",
    "_core/kernels/reductions/pairwise_sums.pyx",
    "_core/runtime/grad_mode.pyx",
    "_core/dispatch/symbols.pyx",
    "_core/kernels/algebra/microkernels.pyx",
    "_core/graph/view_history.pyx",
    "_core/runtime/core_ops.pyx",
]

ENTRIES = [
    Entry(NO_MEMORY, "_core/kernels/loops/new_ufuncs.pyx", "ufunc_of", "if types == NULL:", "always false"),
    Entry("it is for web pages, where no flag of the processor tells of a nan",
          "_core/kernels/algebra/linear_solves.pyx",
          "any_nan"),
]
