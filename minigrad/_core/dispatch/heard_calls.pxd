# What a listener hears of operations; see heard_calls.pyx.

from minigrad._core.dispatch.op cimport Op
from minigrad._core.runtime.python_api cimport PyObject

ctypedef object (*Call)(Op op, PyObject** bound)
ctypedef object (*RunStep)(Op op, PyObject** args, int n)

cdef list arguments_of(Op op, PyObject** bound)
cdef object call_heard(Op op, PyObject** bound, Call call, Call call_unheard)
cdef object step_heard(Op op, PyObject** args, int n, RunStep run_step)
