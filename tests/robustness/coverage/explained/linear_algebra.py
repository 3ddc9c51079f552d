"""Random numbers, decompositions and products of matrices."""

from ..explaining import NO_MEMORY, Entry

READ = [f"_core/*/{name}" for name in (
    "factorizations.pyx", "lu_and_ldl.pyx", "least_squares.pyx", "matmul.pyx", "random_arrays.pyx",
)]

DECOMPOSING = "_core/kernels/algebra/factorizations.pyx"
ELIMINATING = "_core/kernels/algebra/lu_and_ldl.pyx"
RANDOMNESS = "_core/kernels/random/random_arrays.pyx"

#: each loop is tried before it is used
ANOTHER_NUMPY = "only with a NumPy that has its loops elsewhere, or none, or other ones"
TRIAL_BROKEN_OFF = "only if memory ends, or an interrupt comes, while the loop is tried on its first matrix"
LAPACK_FAILS = ("a loop raises the flag where LAPACK fails: its QR never does, and of finite numbers, which are asked "
                "for before, only if an iteration does not converge")
OWN_ARRAYS = "the callers in ops/algebra make the arrays, of one dtype, with shapes that have been checked"
PIVOTS_CHECKED = "`order` refuses other pivots, and those that are not from users come from `factor`"
IS_INT32 = "lu_unpack and lu_solve refuse pivots of another dtype"
DENSE = "`filled` and `fill_permuted` in random.py give contiguous arrays of dtypes that the functions know"

ENTRIES = [
    Entry(ANOTHER_NUMPY, DECOMPOSING, "read_signature", what="u->data"),
    Entry(ANOTHER_NUMPY, DECOMPOSING, "can", "loop.f[k] == NULL"),
    Entry(ANOTHER_NUMPY, DECOMPOSING, "can", "loop.f[k] = NULL"),
    Entry(ANOTHER_NUMPY, DECOMPOSING, "can", what="agree"),
    Entry("the matrix of the trial is regular, so the loop does not fail", DECOMPOSING, "can", what="ours != Py_None"),
    Entry(TRIAL_BROKEN_OFF, DECOMPOSING, "can", "except BaseException:"),
    Entry(TRIAL_BROKEN_OFF, DECOMPOSING, "can", "loop.tried[k] = False"),
    Entry(TRIAL_BROKEN_OFF, DECOMPOSING, "can", "raise"),
    Entry(ANOTHER_NUMPY, DECOMPOSING, what="!(can("),
    Entry(LAPACK_FAILS, DECOMPOSING, "run", "fetestexcept"),
    Entry(LAPACK_FAILS, DECOMPOSING, "by_loop", "results is None"),
    Entry(LAPACK_FAILS, DECOMPOSING, "by_loop", "return None", "never run"),
    Entry(LAPACK_FAILS, DECOMPOSING, "raw", "results is None"),
    Entry(ANOTHER_NUMPY, DECOMPOSING, "qr", "return None", "never run"),
    Entry(LAPACK_FAILS, DECOMPOSING, "qr", "q is None"),
    Entry(LAPACK_FAILS, DECOMPOSING, "reflected", what="q == Py_None"),
    Entry(LAPACK_FAILS, DECOMPOSING, "spectral|pinv", "found is None"),
    Entry(LAPACK_FAILS, DECOMPOSING, "spectral|pinv", "return None", "never run"),

    Entry("both rows lie in one matrix, or both densely", ELIMINATING, "subtract", what="y_step"),
    Entry(OWN_ARRAYS, ELIMINATING, "reads"),
    Entry("elimination without pivots is refused, as it is by PyTorch on a CPU", ELIMINATING, "factor_one",
          "if pivot:"),
    Entry(PIVOTS_CHECKED, ELIMINATING, "swap_rows"),
    Entry(OWN_ARRAYS, ELIMINATING, "substitute", "if t.num != b.num"),
    Entry(OWN_ARRAYS, ELIMINATING, "substitute", "raise ValueError"),
    Entry(IS_INT32, ELIMINATING, "in_other_order|are_factors", what="PyArray_TYPE(pivots)"),
    Entry("`check_sides` has compared them", ELIMINATING, "solve_triangular", what="t.rows != (b.columns)"),
    Entry("the number of a row from 1 on is not 0", ELIMINATING, "symmetric_one", "info = info or k + 1"),
    Entry("`linalg.ldl_solve` compares the shapes and the dtypes; it makes no system of an empty one", ELIMINATING,
          "solve_symmetric", "if m.num != b.num"),
    Entry("`linalg.ldl_solve` compares the shapes and the dtypes; it makes no system of an empty one", ELIMINATING,
          "solve_symmetric", "raise ValueError"),
    Entry("two negative pivots in a row: the first is asked for its sign", ELIMINATING, "check_blocks",
          what="1 <= (-(pivots[(k + 1)])"),

    Entry(NO_MEMORY, "_core/kernels/algebra/least_squares.pyx", "solve_all"),

    Entry("NumPy counts an array of no elements as contiguous", "_core/dispatch/matmul.pyx", "follow"),

    Entry("set_state compares the number of bytes first", RANDOMNESS, "_restore"),
    Entry("the package random provides the default stream while minigrad is imported", RANDOMNESS, "bits_of",
          what="default_generator == Py_None"),
    Entry(DENSE, RANDOMNESS, "draw_each", what="num == NPY_INT64"),
    Entry("of these two dtypes `draw_each` has loops", RANDOMNESS, "normal_of", what="draw_each"),
    Entry("a permutation as long as that takes 1.7 GB", RANDOMNESS, "shuffle_integers"),
    Entry(DENSE, RANDOMNESS, "check|uniform|normal|each|integers|shuffle|chances"),
    Entry("`is_floating` has chosen dtypes that `draw_each` has loops for", RANDOMNESS,
          "exponential_into|bernoulli_into", what="draw_each("),
    Entry("new memory is like the first argument, and given memory is written to only if it has its dtype", RANDOMNESS,
          "bernoulli_each_into", what="PyArray_TYPE(p) != PyArray_TYPE(out)"),
]
