# What a call of an operation passes through.

from minigrad._core.dispatch.op cimport Op
from minigrad._core.graph cimport Node, Tensor
from minigrad._core.runtime.python_api cimport PyObject

cdef object call(Op op, PyObject** bound)
cdef object call_converting(Op op, PyObject** bound)        # here, so that the compiler leaves it a function of its own
cdef object call_unheard(Op op, PyObject** bound)
cdef int record(Op op, PyObject** bound, unsigned int mask, Tensor out, list outputs, bint in_place=*) except -1
cdef int pack(Op op, Node n, PyObject** bound, Tensor out, list outputs, bint arguments, bint own) except -1
cdef object the_interpreter(Op op, int level)
cdef int become_view(Op op, PyObject** bound, Tensor out) except -1
cdef object wrap_outputs(Op op, PyObject** bound, object r, unsigned int mask, int level)
cdef PyObject* op_vectorcall(PyObject* self, PyObject** args, size_t nargsf, PyObject* kwnames) except NULL
