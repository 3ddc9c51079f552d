"""The core, from accumulate_grad.pyx to ctc_loss.pyx."""

from ..explaining import NO_MEMORY, Entry

READ = [f"_core/*/{name}" for name in (
    "accumulate_grad.pyx", "activations.pyx", "along_dims.pyx", "function_apply.pyx", "arguments.pyx", "queries.pyx",
    "axes.pyx",
    "embedding_bags.pyx", "bessel.h", "search_and_histograms.pyx", "memory_pool.pyx", "all_gradients.pyx", "dlpack.pyx",
    "captured_gradients.pyx", "index_tables.h",
    "index_tables.pyx", "block_indexing.pyx", "element_indexing.pyx", "composites.pyx", "compute.pxd", "compute.pyx",
    "conversions.pyx", "convolution.pyx", "convolution_weight.pyx", "allocation_counter.pyx", "ranges.pyx",
    "ctc_loss.pyx",
)]

ON_ARRAYS = "a pass on arrays begins only where all tensors are ordinary ones: their payloads are arrays"
ALREADY_FITS = "what is asked before makes sure of it"
ANOTHER_THREAD = "only if another thread writes to the numbers between the check and the use"
NUMPY_S_CALLS = "NumPy checks the size itself, and reallocates only memory that it has; the contract of C has more"
#: what computes convolutions, and losses of texts
LOOPS = "forward|backward|multiplied|correlate|convolve_weight|some_texts|read_texts|run"

ENTRIES = [
    Entry(ON_ARRAYS, "_core/backward/accumulate_grad.pyx", "ours", "if type(g) is not ndarray", "Py_TYPE(g)"),
    Entry(ON_ARRAYS, "_core/backward/accumulate_grad.pyx", "same_layout", what="(Py_TYPE(leaf->payload))"),
    Entry(ON_ARRAYS, "_core/backward/accumulate_grad.pyx", "same_layout", "return True", "never run"),
    Entry(ON_ARRAYS, "_core/backward/accumulate_grad.pyx", "laid_out_as", what="(Py_TYPE(leaf->payload))"),

    Entry("the first half was of a layout that the loops take, and so is the second",
          "_core/kernels/networks/activations.pyx",
          "glu_backward", "GATE_BACKWARD", "always true"),

    Entry("an array is copied only where it has dims of more than one element",
          "_core/kernels/reductions/along_dims.pyx",
          "copy_out",
          what="c->ndim != 0"),

    Entry("each of these modes is counted in `active`", "_core/frontends/function_apply.pyx", "usual",
          what="st->forward"),
    Entry("each of these modes is counted in `active`", "_core/frontends/function_apply.pyx", "usual",
          what="st->hooked"),
    Entry("each of these modes is counted in `active`", "_core/frontends/function_apply.pyx", "usual",
          what="st->listener"),
    Entry("a tensor of a level has a tensor as its payload", "_core/frontends/function_apply.pyx", "is_new",
          what="x->level"),
    Entry("an output of floating point requires grad by then", "_core/frontends/function_apply.pyx", "intermediates",
          what="is_in(t, results)"),

    Entry("the last offset is the number of all, which no other exceeds", "_core/kernels/networks/embedding_bags.pyx",
          "embedding_bags",
          "starts[bags] < starts[bags - 1]"),
    Entry("the last offset is the number of all, which no other exceeds", "_core/kernels/networks/embedding_bags.pyx",
          "embedding_bags",
          "return None", "never run"),
    Entry("a number that is equal to the padding is not negative", "_core/kernels/networks/embedding_bags.pyx",
          "embedding_bags",
          what="padding < 0"),

    Entry("the compiler asks whether a square root is of a negative number", "_core/kernels/loops/bessel.h", "ai_of"),

    Entry(ANOTHER_THREAD, "_core/kernels/statistics/search_and_histograms.pyx", "counted",
          "if not 0 <= <npy_intp>x[i] < bins:"),
    Entry(ANOTHER_THREAD, "_core/kernels/statistics/search_and_histograms.pyx", "counted", "return None", "never run"),
    Entry(ANOTHER_THREAD, "_core/kernels/statistics/search_and_histograms.pyx", "histogram", what="k > 0"),
    Entry(NO_MEMORY, "_core/kernels/statistics/search_and_histograms.pyx", "found_distinct", what="many < 0"),

    Entry(NUMPY_S_CALLS, "_core/runtime/memory_pool.pyx", "pool_calloc"),
    Entry(NUMPY_S_CALLS, "_core/runtime/memory_pool.pyx", "pool_realloc", "if memory == NULL:"),
    Entry(NUMPY_S_CALLS, "_core/runtime/memory_pool.pyx", "pool_realloc", "return memory_for(size, False, False)"),
    Entry(NO_MEMORY, "_core/runtime/memory_pool.pyx", "pool_realloc", "if new != NULL:"),

    Entry("an operation with several outputs does not write to a view: that is refused",
          "_core/backward/all_gradients.pyx",
          "by_write", what="several"),

    Entry("only a library that outlives Python calls it then", "_core/runtime/dlpack.pyx", "release",
          what="Py_IsInitialized"),

    Entry("it is called for elements that the mask chooses", "_core/kernels/positions/index_tables.h",
          "mg_coordinates"),
    Entry("booleans have no alignment, and no order of bytes", "_core/kernels/positions/index_tables.pyx", "is_mask",
          what="movable"),
    Entry(ALREADY_FITS, "_core/kernels/positions/index_tables.pyx", "store_zero"),
    Entry("zero is an element of every dtype, and is only written", "_core/chosen_*.pyx", "index_erase|put_backward",
          what="store_zero"),
    Entry(ALREADY_FITS, "_core/kernels/positions/element_indexing.pyx", "under_mask", what="broadcast(g, ndim, dims)"),
    Entry(ALREADY_FITS, "_core/kernels/positions/element_indexing.pyx", "masked_select_backward",
          what="keep == Py_None"),
    Entry("sizes join with none", "_core/kernels/positions/element_indexing.pyx", "masked_scatter", what="to.dims, a)"),
    Entry(ALREADY_FITS, "_core/kernels/positions/element_indexing.pyx", "from_the_first", what="g.ndim"),
    Entry(ANOTHER_THREAD, "_core/kernels/positions/element_indexing.pyx", "one_hot", "if 0 <= number < classes:"),

    Entry(NO_MEMORY, "_core/dispatch/composites.pyx", "composite_vectorcall", what="MemoryError"),

    Entry("a row that has loops with options has loops without them", "_core/dispatch/compute.pxd", "run_in_c",
          what="loops_with_options"),
    Entry("the only subclass of arrays in tensors is that of other devices", "_core/dispatch/compute.pyx",
          "is_elsewhere"),
    Entry("dispatch has made a list of its own", "_core/dispatch/compute.pyx", "class_elsewhere", what="PyList_Type"),

    # Which of these are met by chance in tests/robustness/out_of_memory is another question each time, so they are
    # explained together.
    Entry(NO_MEMORY, "_core/c[ot]*.pyx", LOOPS, "== NULL"),
    Entry(NO_MEMORY, "_core/c[ot]*.pyx", LOOPS, "failed"),
    Entry(NO_MEMORY, "_core/c[ot]*.pyx", LOOPS, "return", "never run"),

    Entry(NO_MEMORY, "_core/runtime/allocation_counter.pyx", "counted"),
    Entry(NUMPY_S_CALLS, "_core/runtime/allocation_counter.pyx", "counted_calloc"),
    Entry(NUMPY_S_CALLS, "_core/runtime/allocation_counter.pyx", "counted_realloc", "if memory == NULL:"),
    Entry(NUMPY_S_CALLS, "_core/runtime/allocation_counter.pyx", "counted_realloc", "return counted_malloc(ctx, size)"),
    Entry(NO_MEMORY, "_core/runtime/allocation_counter.pyx", "counted_realloc", "if block != NULL:"),
    Entry(NUMPY_S_CALLS, "_core/runtime/allocation_counter.pyx", "counted_free", "if memory != NULL:"),
]
