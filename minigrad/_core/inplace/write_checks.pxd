# The checks of a write; see write_checks.pyx.

from minigrad._core.dispatch.op cimport Op
from minigrad._core.graph cimport Tensor, View
from minigrad._core.runtime.numpy_api cimport ndarray
from minigrad._core.runtime.thread_state cimport State

cdef int check_history(str name, Tensor target) except -1
cdef int check_locations(str name, Tensor target, bint one_value) except -1
cdef int check_memory(Op op, Tensor target, State* st) except -1
cdef int put_at_places(Op op, object memory, object result, list payloads) except -1
cpdef int warn_expanded(str written) except -1
cpdef int check_result(Op op, tuple shape, object dtype, tuple result_shape, object result_dtype) except -1
cdef bint overlaps(Op op, Tensor target, object other) except -1
cdef int check_apart(Op op, Tensor target, object other) except -1
