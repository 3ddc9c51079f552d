"""Formulas as programs, and the loops of NumPy that run them."""

from ..explaining import NO_MEMORY, Entry

READ = ["_core/backward/formulas.pyx", "_core/kernels/loops/numpy_loops.pyx", "_core/forward/differentials.pyx",
        "_core/forward/dual_tensors.pyx", "_core/devices/meta.py",
        "_core/kernels/loops/new_ufuncs.h"]

COMPILER_ASKS = "the compiler asks whether the name was assigned: it was"
#: the loops are looked up in the NumPy that is there, and each is tried before it is used
ANOTHER_NUMPY = "only with a NumPy that has its loops elsewhere, or none"
ASKED = "whoever wants a result in given memory has asked for an array of that form first"

ENTRIES = [
    Entry(COMPILER_ASKS, "_core/backward/formulas.pyx", "register", what="keys"),
    Entry(NO_MEMORY, "_core/backward/formulas.pyx", "register", what="code == NULL"),
    Entry("only where another thread has let go of what the node had saved", "_core/backward/formulas.pyx",
          "program_at",
          "question(f, op, n)", "n->saved != NULL"),
    Entry("of the rows, none has both a tensor that may be None and options that may be left out",
          "_core/backward/formulas.pyx",
          "question", what="n->n_saved"),
    Entry("of the rows, none has both a tensor that may be None and options that may be left out",
          "_core/backward/formulas.pyx",
          "program_for_answers", what="plain"),
    Entry("inside transforms saved-tensor hooks are refused, and outside there are no payloads",
          "_core/backward/formulas.pyx",
          "apply_text", "bare(values", "on_payload"),

    Entry(ANOTHER_NUMPY, "_core/kernels/loops/numpy_loops.pyx", "resolve|agrees"),
    Entry(ANOTHER_NUMPY, "_core/kernels/loops/numpy_loops.pyx", "unary", "unary_into("),
    Entry(ANOTHER_NUMPY, "_core/kernels/loops/numpy_loops.pyx", "unary_into|binary_into", what="loop->f[t]) == NULL"),
    Entry(ASKED, "_core/kernels/loops/numpy_loops.pyx", "unary_into", "is not ndarray"),
    Entry(ASKED, "_core/kernels/loops/numpy_loops.pyx", "unary_into", "return False", "never run"),
    Entry(ASKED, "_core/kernels/loops/numpy_loops.pyx", "unary_into", "not same_shape(a, out)"),
    Entry(ASKED, "_core/kernels/loops/numpy_loops.pyx", "write_binary", "type(a) is ndarray"),
    Entry(ASKED, "_core/kernels/loops/numpy_loops.pyx", "write_binary", "same_shape("),
    Entry("memory is given for a result that is like the first operand, an array",
          "_core/kernels/loops/numpy_loops.pyx",
          "binary_into",
          "out is None and number(x, &value)", "out == Py_None"),
    Entry("the base of a power whose slope a program computes is an array", "_core/kernels/loops/numpy_loops.pyx",
          "pow_slope",
          "type(x) is ndarray"),

    Entry("an input that is a list of tensors has been sent the general way", "_core/forward/differentials.pyx",
          "on_arrays",
          "p.results is not None", "p->results"),
    Entry("of the rows that write, those that take a list take one of indices, which have no tangents",
          "_core/forward/dual_tensors.pyx", "have_history", "isinstance(t, list)", "have_history(t)"),
]
