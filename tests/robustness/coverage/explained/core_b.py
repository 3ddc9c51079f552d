"""The core, from random_tensors.pyx to array_sums.pyx: what no other part has."""

from ..explaining import NO_MEMORY, Entry

READ = [f"_core/*/{name}" for name in (
    "random_tensors.pyx", "gradient_edges.pyx", "fill_and_copy.pyx", "fitting.pyx", "strided_views.pyx", "graph.pxd",
    "graph.pyx",
    "grid_sample.pyx", "importing.h", "write.pyx", "inplace_methods.pyx", "table.pyx", "window_layout.pyx",
    "deallocation.pyx", "normalization_loops.pyx", "elementwise_losses.pyx", "creation.pyx", "models.py",
    "operands.pyx", "sorting.pyx",
    "padding.pyx", "view_geometry.pyx", "stack_and_split.pyx", "platform.h", "polynomials.h", "pooling.h",
    "listener.pyx",
    "type_promotion.pyx", "op_introspection.pyx", "errstate.pyx", "line_reductions.pyx", "array_sums.pyx",
    "refusals.py",
)]

#: the elements of a line, by which its keys are numbered in 32 bits
LONG_LINES = "only a line of 2**32 elements has more places than a key can hold"
ANOTHER_NUMPY = "only with a NumPy that keeps it elsewhere"
COUNTED_FROM_ZERO = "NumPy counts its dtypes from 0, and what has no dtype is sent away before"
ONE_AXIS = "it is called for the sum over the first axis alone, which an array with a leading dim more has"
SYSTEM_HAS_IT = "only if the system has no thread, or no description of one, to give"
LARGEST_ELEMENT = "the largest element is a complex128, of 16 bytes"
SURE_TO_FIT = "there is no result only where loop_can_write has made sure that the loop can write"
WITHOUT_COLLECTOR = "what is in these tuples, a shape and a dtype, needs no collector"
IN_A_LIST = "a pass has the gradients of several outputs in a list"
NO_KERNELS = "a model is computed with in its place (models.py), so that no code of NumPy comes upon it"
TWO_OPERANDS = "add, sub, mul and div, for which alone it is called, have two operands each"

ENTRIES = [
    Entry("neg is a wide row, whose kernel gets 16-bit floats in float32", "_core/kernels/loops/new_ufuncs.h",
          text="negative_half"),

    Entry(NO_MEMORY, "_core/importing.h", "import_once", "if (text == NULL)"),
    Entry(NO_MEMORY, "_core/importing.h", "attribute_by_name", "if (given_away == NULL"),

    Entry("the gradients of a custom Function, whose node has no row, are checked before: context.py",
          "_core/backward/fitting.pyx", "too_small", what="n->op"),

    Entry("a plane of more than 2**30 numbers takes gigabytes", "_core/kernels/windows/grid_sample.pyx", "sampling",
          what="s->inside > MOST"),

    Entry("no other class of nodes is Node itself, and a Node gets its op when it is made", "_core/graph/graph.pyx",
          "publish", what="n->op"),

    Entry(WITHOUT_COLLECTOR, "_core/graph/graph.pyx", "untracked"),

    Entry("a tangent is given, and never taken back: what has none is not wrapped (`dual` in interpreters.py)",
          "_core/graph/graph.pyx", "_tangent", what="value != Py_None"),

    Entry("each such row has one tensor that is read first, and where a mask before it overlaps, the write is refused",
          "_core/inplace/write.pyx", "may_write_at_once", what="at_once"),
    Entry(SURE_TO_FIT, "_core/inplace/write.pyx", "write_in_full", what="binary_into"),
    Entry(SURE_TO_FIT, "_core/inplace/write.pyx", "write_in_full", "put(target.payload", "result == Py_None"),
    Entry("check_result has made sure of the shape", "_core/inplace/write.pyx", "like", what="PyArray_NBYTES"),
    Entry("a list holds indices, and a write to one of these, an integer or a bool, is not recorded",
          "_core/inplace/write.pyx", "record_write", what="== target"),

    Entry(TWO_OPERANDS, "_core/inplace/inplace_methods.pyx", "inplace_operator", what="op->n_positional"),
    Entry(TWO_OPERANDS, "_core/inplace/inplace_methods.pyx", "inplace_operator", "return op.inplace(a, b)"),

    Entry("a ufunc has loops for both float and double, or for none", "_core/kernels/table.pyx", "fast_for",
          what="(loop->f[1])"),

    Entry(IN_A_LIST, "_core/kernels/shapes/concatenation.pyx", "a_gradient", what="PyTuple_Type"),

    Entry("a convolution over no dims, or over four, is refused before", "_core/kernels/windows/window_layout.pyx",
          "read",
          "1 <= n <= 3"),

    Entry("a pass drops what is left in the buffers of its nodes before it lets go of them: `give_back` there",
          "_core/graph/deallocation.pyx", "dismantle", what="buffer != NULL"),
    Entry("a pass drops what is left in the buffers of its nodes before it lets go of them: `give_back` there",
          "_core/graph/deallocation.pyx", "dismantle", "buffer", "never run"),
    Entry("the nodes that the collector looks at, PyNode and CopySlices, have more fields, and are larger",
          "_core/graph/deallocation.pyx", "free_node", what="PyObject_IS_GC"),

    Entry("only batch_norm goes this way, which wants the variance", "_core/kernels/networks/normalization_loops.pyx",
          "normalize_columns",
          what="s->variance"),
    Entry("the sum of a gradient alone, without x, is not across lines",
          "_core/kernels/networks/normalization_loops.pyx",
          "to_parameters",
          what="x != NULL"),

    Entry("the loops of losses are of float and double", "_core/kernels/networks/elementwise_losses.pyx", "loss",
          what="NPY_DOUBLE"),

    Entry(NO_KERNELS, "_core/devices/meta.py", "__array_ufunc__|_refuse"),

    Entry("reshape copies only what is not contiguous", "_core/devices/meta_functions.py", "shown", "c_contiguous"),

    Entry(NO_MEMORY, "_core/kernels/reductions/sorting.pyx", "by_key|distinct_by_key"),
    Entry(LONG_LINES, "_core/kernels/reductions/sorting.pyx", "order_lines|find_distinct"),
    Entry("only where pointers have 32 bits", "_core/kernels/reductions/sorting.pyx", "allocate"),

    Entry(LARGEST_ELEMENT, "_core/kernels/shapes/padding.pyx", "padded", what="LARGEST_ELEMENT"),
    Entry(LARGEST_ELEMENT, "_core/kernels/shapes/view_gradients.pyx", "erased_where_shown", what="LARGEST_ELEMENT"),
    Entry("a row of a view has six parameters at the most", "_core/kernels/shapes/view_gradients.pyx", "shown_of",
          what="n >="),
    Entry("a row of a view has six parameters at the most", "_core/kernels/shapes/view_gradients.pyx", "shown_of",
          "return False",
          "never run"),

    Entry("only of a view of memory for more than 2**30 elements, which takes gigabytes",
          "_core/kernels/shapes/view_gradients.pyx",
          "placed", what="(last[0])"),
    Entry("only of a view of memory for more than 2**30 elements, which takes gigabytes",
          "_core/kernels/shapes/view_gradients.pyx",
          "placed", "return False", "never run"),

    Entry(SYSTEM_HAS_IT, "_core/runtime/platform.h", "mg_start|mg_stack_floor"),
    Entry("the compiler asks for what degree_of has decided", "_core/kernels/loops/polynomials.h", "chebyshev",
          "if (n < 0)"),

    Entry("one window or more is asked for: sizes of zero are left to the general kernel",
          "_core/kernels/windows/planes.h",
          "mg_adapt", "w->n ?"),

    Entry(COUNTED_FROM_ZERO, "_core/runtime/type_promotion.pyx", "result_num|known_num", what="0 <= "),
    Entry("a tensor of bfloat16 has imported NumPy's bfloat16, and that tells this module of it",
          "_core/runtime/type_promotion.pyx", "_complex_of", what="numpy_type"),

    Entry(ANOTHER_NUMPY, "_core/runtime/errstate.pyx", text="except ImportError:"),
    Entry(ANOTHER_NUMPY, "_core/runtime/errstate.pyx", text="_error_state = None"),
    Entry(ANOTHER_NUMPY, "_core/runtime/errstate.pyx", "silence", "if _error_state is None:"),
    Entry(NO_MEMORY, "_core/runtime/errstate.pyx", "silence", "except BaseException:"),
    Entry(NO_MEMORY, "_core/runtime/errstate.pyx", "silence", "pause(quiet)"),
    Entry(NO_MEMORY, "_core/runtime/errstate.pyx", "silence", "raise"),
    Entry("the block asks for the value of a variable, which does not fail", "_core/runtime/errstate.pyx",
          text='with np.errstate(all="ignore"):'),

    Entry("of integers nothing else is asked: result_num in along_dims.pyx",
          "_core/kernels/reductions/line_reductions.pyx",
          "reduce_lines",
          "elif what == RUNNING_PRODUCT:"),
    Entry("what is not above is computed elsewhere: by_dtype in along_dims.pyx",
          "_core/kernels/reductions/line_reductions.pyx",
          "reduce_reals",
          "elif what == OTHERS:"),
    Entry(NO_MEMORY, "_core/kernels/reductions/line_reductions.pyx", "norm", "if not sum_of_each(NORM, l, a, p):"),
    Entry(NO_MEMORY, "_core/kernels/reductions/line_reductions.pyx", "norm", "return False"),
    Entry(NO_MEMORY, "_core/kernels/reductions/line_reductions.pyx", "sum_of_each"),

    Entry("only with a NumPy that has no loop for the sum of floats", "_core/kernels/reductions/array_sums.pyx",
          "sum_of",
          what="(ADD.f[t])"),
    Entry(ONE_AXIS, "_core/kernels/reductions/array_sums.pyx", "sum_along", what="keepdims"),
    Entry(ONE_AXIS, "_core/kernels/reductions/array_sums.pyx", "sum_along", what="i == axis"),
    Entry(ONE_AXIS, "_core/kernels/reductions/array_sums.pyx", "sum_rows", what="PyArray_NDIM"),
    Entry("tensors have no other dtypes, once integers and 16-bit floats have gone their way",
          "_core/kernels/reductions/array_sums.pyx",
          "total_as_laid_out", what="NPY_CDOUBLE"),
    Entry("so few elements with gaps are left to NumPy by total_as_laid_out", "_core/kernels/reductions/array_sums.pyx",
          "total_strided",
          what="GAPPED"),
    Entry("so few elements with gaps are left to NumPy by total_as_laid_out", "_core/kernels/reductions/array_sums.pyx",
          "total_strided",
          "return np.asarray(np.add.reduce(", "never run"),
]
