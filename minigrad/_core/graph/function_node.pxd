# The node of a custom Function; see function_node.pyx.

from minigrad._core.graph cimport Node
from minigrad._core.runtime.numpy_api cimport ndarray
from minigrad._core.runtime.python_api cimport PyObject


cdef enum:
    FORWARD                     # the author's forward runs, and declares what backward will need
    DONE
    TWICE                       # a backward runs that is itself recorded


cdef class PyNode(Node):
    cdef object __weakref__
    cdef PyObject* attributes   # __dict__, made when it is first written to; Note [Attributes] in deallocation.pyx
    # What forward has declared.
    cdef public object to_save, saved_for_forward, dirty_tensors, non_differentiable, constants
    cdef public bint materialize_grads
    cdef public object needs_input_grad     # for each argument: does it require grad?  An author may overwrite it
    # What it was given, and what it returned.
    cdef readonly tuple _needs          # what needs_input_grad was at first
    cdef public object _arguments       # for each argument (shape, NumPy dtype) of a tensor; None for anything else
    cdef public object _results         # the same for each output
    cdef public object _intermediates   # positions in saved_tensors through which no second derivative flows
    cdef public object _innocent        # ids of attributes that do not depend on the inputs: `_intermediates_kept`
    cdef public int _stage
    cdef public bint _looked    # saved_tensors was read, which clear_saved_tensors_on_access allows once
    cdef bint records           # an argument requires grad


cdef int begin(PyNode n, tuple inputs) except -1
cdef int keep(PyNode n, tuple tensors) except -1
cdef int attach_output(PyNode n, object output, int nr) except -1
cdef tuple shape_and_dtype(object x)
cdef bint has_shape_and_dtype(ndarray a, tuple wanted) except -1
