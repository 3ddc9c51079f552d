# Lines of the user's program; see source_lines.pyx.

from minigrad._core.runtime.python_api cimport PyObject


cdef PyObject* users_code(int* instruction) except? NULL
cdef int note_call() except -1
cdef str shown_line(PyObject* code, int instruction)
cdef str shown_call(int number)
cdef list users_stack()
cdef object current_frame()
