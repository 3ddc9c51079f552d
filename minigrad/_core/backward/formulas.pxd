# Formulas: run as programs on arrays, or as they are written on Tensors.

from minigrad._core.dispatch.op cimport Formula, Op, Program
from minigrad._core.graph cimport Node
from minigrad._core.runtime.numpy_api cimport ndarray
from minigrad._core.runtime.python_api cimport PyObject

cdef object run_step(Op op, PyObject** args, int n)
cdef object run_program(Program p, PyObject** registers, bint over=*, ndarray into=*)
cdef Program program_of(Formula f, Op op, bint plain)
cdef object apply_formula(Formula f, Op op, object d, Node n, list values, bint over=*)
cdef object apply_text(Formula f, Op op, object d, Node n, bint on_payload, list values)
cdef object run_text(Formula f, Op op, object d, list arguments, bint plain=*)
