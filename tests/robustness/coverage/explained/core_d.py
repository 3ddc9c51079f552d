"""The core, from inplace_layouts.pyx to write_checks.pyx."""

from ..explaining import NO_MEMORY, Entry

READ = [f"_core/*/{name}" for name in (
    "inplace_layouts.pyx", "shared_memory.pyx", "skinny_products.pyx", "saved_slots.pyx", "softmax.pyx",
    "linear_solves.pyx",
    "special_functions.pyx", "fourier.pyx", "reduction_gradients.pyx", "optimizer_steps.pyx", "strided.pyx",
    "subscripting.pyx",
    "thread_pool.pyx", "microkernels_loops.h", "fft_passes.pyx", "numpy_ufuncs.pyx", "patched_ufuncs.pyx",
    "watched_pass.pyx",
    "front_end.pyx", "write_checks.pyx",
)]

#: the loops are looked up in the NumPy that is there, and each is tried before it is used
ANOTHER_NUMPY = "only with a NumPy that has its loops elsewhere, or none"
ANOTHER_PROCESSOR = "the processor of this machine has it"
COUNTED_EARLIER = "both ways are taken, and the C compiler counts one of them where a part of the condition decides it"
COMPILER_ASKS = "the compiler asks whether the name was assigned: it was, on the same condition"

ENTRIES = [
    Entry(COUNTED_EARLIER, "_core/inplace/inplace_layouts.pyx", "alter", "if recorded:", "recorded"),
    Entry(COMPILER_ASKS, "_core/inplace/inplace_layouts.pyx", "alter", "v.at = target.version.value"),

    Entry("what was written to has a Version, which counted it", "_core/graph/shared_memory.pyx", "last_written_at"),

    Entry(NO_MEMORY, "_core/kernels/algebra/skinny_products.pyx", "dots|few_rows|rows", "desk == NULL"),
    Entry(NO_MEMORY, "_core/kernels/algebra/skinny_products.pyx", "dots|few_rows|rows", "s.failed = True"),
    Entry(NO_MEMORY, "_core/kernels/algebra/skinny_products.pyx", "dots|few_rows|rows", "return", "never run"),
    Entry(NO_MEMORY, "_core/kernels/algebra/skinny_products.pyx", "begin_dots|begin_few_rows|begin_runs|begin_rows",
          "if s.place == NULL"),
    Entry(NO_MEMORY, "_core/kernels/algebra/skinny_products.pyx", "begin_dots|begin_few_rows|begin_runs|begin_rows",
          "return False"),
    Entry(NO_MEMORY, "_core/kernels/algebra/skinny_products.pyx", "slim_product", "not s.failed"),
    Entry(NO_MEMORY, "_core/kernels/algebra/skinny_products.pyx", "slim_product", "if begun:"),
    Entry("small products are asked for only where k is 1", "_core/kernels/algebra/skinny_products.pyx", "slim_product",
          what="k > 1"),

    Entry("only if a tensor died while the node that has saved it lets go of its slots, one after the other",
          "_core/graph/saved_slots.pyx", "keep_numbers", what="n->saved"),
    Entry("a pointer has 8 bytes here: on a machine where it has 4, complex128 is too large",
          "_core/graph/saved_slots.pyx",
          "is_number", what="PyArray_ITEMSIZE"),
    Entry("tensors have no arrays with swapped bytes", "_core/graph/saved_slots.pyx", "is_number",
          what="PyArray_ISNOTSWAPPED"),
    Entry("a slot that has an array has one of these kinds", "_core/graph/saved_slots.pyx", "holds",
          what="s->kind == OUTPUT"),

    Entry(ANOTHER_NUMPY, "_core/kernels/reductions/softmax.pyx", "in_parts", "if real is double and EXP.f[1] == NULL:"),
    Entry(ANOTHER_NUMPY, "_core/kernels/reductions/softmax.pyx", "in_parts", "return False", "never run"),

    Entry("NumPy 2.0 has two names for one loop: Note [Loops under two names]",
          "_core/kernels/algebra/linear_solves.pyx",
          "named"),
    Entry(ANOTHER_NUMPY, "_core/kernels/algebra/linear_solves.pyx", "resolve"),
    Entry(ANOTHER_NUMPY, "_core/kernels/algebra/linear_solves.pyx", "keep"),
    Entry(ANOTHER_NUMPY, "_core/kernels/algebra/linear_solves.pyx", what="can("),
    Entry(ANOTHER_NUMPY, "_core/kernels/algebra/linear_solves.pyx", "cofactors", "if inv is None or det is None:",
          "det"),
    Entry(COMPILER_ASKS, "_core/kernels/algebra/linear_solves.pyx", "to_numbers", "Py_INCREF(other)"),
    Entry("of finite numbers a nan is made with a flag; a helper of the BLAS, which large matrices have, has a flag of "
          "its own", "_core/kernels/algebra/linear_solves.pyx", "cholesky|ends_in_nan"),
    Entry("LAPACK scales a matrix of finite numbers first, and then finds its singular values",
          "_core/kernels/algebra/linear_solves.pyx",
          "singular_values", what="done("),

    Entry(ANOTHER_NUMPY, "_core/kernels/loops/strided.pyx", "look_for|agrees"),
    Entry("the compiler asks whether the end of a slice is None", "_core/kernels/loops/strided.pyx", "loops_of",
          what="u_nin"),

    Entry("Linux has it; macOS and Windows have not", "_core/runtime/thread_pool.pyx", "available"),

    Entry(ANOTHER_PROCESSOR, "_core/kernels/algebra/microkernels_loops.h", "mg_tiles_for"),
    Entry(NO_MEMORY, "_core/kernels/algebra/microkernels_loops.h", "mg_desk_for"),

    Entry(ANOTHER_NUMPY, "_core/kernels/fourier/fft_passes.pyx", "look_up|operand"),
    Entry(NO_MEMORY, "_core/kernels/fourier/fft_passes.pyx", "some_lines"),
    Entry(NO_MEMORY, "_core/kernels/fourier/fft_passes.pyx", "along", "if p.failed:"),
    Entry("a transform of no numbers is refused before there is a gradient", "_core/kernels/fourier/fft_passes.pyx",
          "r2c_backward",
          what="size < 1"),

    Entry(ANOTHER_PROCESSOR, "_core/kernels/loops/patched_ufuncs.pyx", "extreme_single|extreme_double|with_doubles"),
]
