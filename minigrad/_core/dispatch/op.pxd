# What an operation is: its schema, its kernel, and the formulas of its derivative.

from minigrad._core.kernels.loops.numpy_loops cimport Fast, Into, Loop
from minigrad._core.kernels.loops.strided cimport Loops
from minigrad._core.runtime.python_api cimport PyObject, PyTuple_GET_ITEM

cdef extern from *:
    """
    #include <Python.h>
    typedef PyObject *(*mg_vectorcall)(PyObject *, PyObject *const *, size_t, PyObject *);
    """
    ctypedef struct vectorcall_t "mg_vectorcall":       # a function pointer: Cython needs only a name for it
        pass

cdef enum:
    MAX_PARAMS = 14             # parameters of a schema, and slots of a node
    MAX_REGISTERS = 64          # values that one formula may name

cdef enum ParamType:            # what a parameter of a schema takes
    TENSOR                      # Tensor x; also a number that promotes as a tensor does
    OPTIONAL                    # Tensor? x
    TENSORS                     # Tensor[] xs
    PLAIN                       # anything else

cdef enum:                      # of a parameter without a formula, in place of the formula's number
    NOTHING_FLOWS = -1          # not a tensor; or no gradient has to go there (`no_gradient`); or nothing is recorded
    REFUSES = -2                # a tensor that the result may depend on: it may not require grad

cdef enum Source:               # where the content of a slot comes from
    FROM_INPUT
    FROM_PARAMETER
    FROM_SHAPE
    FROM_DTYPE
    FROM_OUTPUT

cdef struct Slot:               # one thing that nodes of an op save: where it is found when a call is recorded
    Source source
    int index                   # which parameter, or which output
    unsigned int needed_by      # one bit per formula: those that name it

cdef struct Instruction:        # of a Program: one op, and the registers that hold its arguments
    PyObject* op                # Op
    int n
    int args[MAX_PARAMS]


cdef class Program:
    """A formula as data: a list of table ops on numbered registers; see Note [Formulas as programs] in formulas.pyx."""
    cdef readonly list steps            # [(Op, [register, ...])], for readers
    cdef readonly list constants
    cdef readonly int n_inputs          # d, then the slots that the formula names
    cdef readonly int result            # the register of the result; for a sequence see `results`
    cdef readonly tuple results         # registers, where the formula returns a sequence
    cdef Instruction* code
    cdef int n_steps
    cdef bint elementwise               # it has several steps, all of which are: Note [Blocks] in formulas.pyx


cdef class Formula:
    """The derivative with respect to one input."""
    cdef readonly object text           # the Python function of the row; None where the gradient is zero
    cdef readonly str of                # the input's name
    cdef readonly tuple names           # what it needs, in its own order (without d)
    cdef int slots[MAX_PARAMS]          # the slot of each
    cdef int n                          # how many there are
    cdef Program program                # None until it is traced, and where it cannot be
    cdef bint traced                    # it was tried
    cdef Program plain                  # the same for calls that leave all options out; Note [Options] in op.pyx
    cdef bint plain_traced
    cdef list name_slots                # the slots of parameters that are names (str)
    cdef unsigned int optional          # a bit for each name of a tensor that may be None
    cdef dict by_answers                # which of them are, and the names -> Program, where a formula may ask for that
    cdef unsigned int answered          # the last question about tensors alone, as `question` in formulas.pyx puts it,
    cdef Program answer                 # and its Program


cdef class SetAside:
    """The kernels in C of an op that does without them: Note [Without kernels] in op.pyx."""
    cdef Fast fast
    cdef Into into
    cdef Loops loops, loops_with_options


# The fields of an op are the columns of its row, and what the core works out from them.  ops/columns.py explains the
# columns; here only what they hold.

cdef class Op:
    cdef vectorcall_t vectorcall        # must be first: tp_vectorcall_offset points here
    cdef bint fast_reads_options        # it takes calls with options too
    cdef Fast fast                      # the kernel in C for plain arrays, or NULL; `loop` is its first argument
    cdef Into into                      # the same into given memory, or NULL
    cdef Loop loop
    cdef Loops loops                    # the loops of its ufunc for any layout and dtype, or None
    cdef Loops loops_with_options       # the same for calls that do not leave all options out
    cdef SetAside aside                 # all of these, while kernels are off; else None
    cdef readonly str name              # with the name of the overload, as in "sum.dim"
    cdef readonly str function          # without
    cdef public str shown               # what errors call it: the public function that the row belongs to
    cdef public str written             # and its in-place form
    # Of an op that does several things at once, what a listener hears of instead: (name, function) in turn; or None.
    cdef public list parts
    cdef readonly str kind              # such as "elementwise": see ops/kinds.py
    cdef readonly object kernel         # from arrays to arrays
    cdef readonly object plain          # the kernel where all options are left out; it does without them
    cdef public str __doc__
    cdef public str function_doc        # what is said of the public function, where that has several rows
    cdef readonly tuple params          # the names, in order
    cdef readonly tuple types           # and the types, as the schema writes them (ops/schema.py)
    cdef readonly frozenset int_lists   # the parameters that are lists of ints, or one int in place of such a list
    cdef readonly dict positions        # name -> position
    cdef readonly dict also             # the other names among them -> name
    cdef readonly tuple defaults        # per parameter; `required` where there is none
    cdef readonly tuple outputs         # their names; () for one output
    cdef readonly bint list_output      # it returns a list of tensors
    cdef readonly bint one_operand      # of its parameters one is an operand, and not a list
    cdef readonly object promote        # None, "common" or "float": what operands are cast to
    cdef readonly tuple slots           # the names of what a node of this op saves
    cdef readonly str node_name
    cdef readonly list formulas         # Formula, one per differentiable input
    cdef readonly object number         # the kernel for plain Python numbers, or None
    cdef readonly str refuse            # kinds of dtype (NumPy's letters) that the op does not take
    cdef readonly str refusal           # what the error says of them, if more than their names
    cdef readonly bint conjugate        # the formula runs between two conj of complex gradients: see ops/kinds.py
    cdef readonly bint is_view
    cdef readonly bint is_linear
    cdef readonly bint may_copy         # a view that copies where no strides reach the elements, as reshape does
    cdef readonly bint elementwise
    cdef readonly bint traceable        # its formulas can be programs
    cdef readonly tuple linear_in       # the tensors in each of which it is linear; see ops/columns.py
    cdef readonly bint wide             # 16-bit floats are computed with in float32
    cdef readonly bint moves            # it computes nothing: Note [Numbers that fit] in compute.pyx
    cdef readonly dict renamed          # slot name -> PyTorch's name of the attribute
    cdef readonly dict constants        # what PyTorch's node shows as saved and ours need not keep: attribute -> value
    cdef readonly object result_type    # the named tuple of several outputs
    cdef readonly bint takes_out        # out= is understood
    cdef public bint exact_out          # ... and must have the dtype of the result
    cdef public bint draws              # random numbers
    cdef public bint fills              # of the first tensor only the shape and the dtype count
    cdef public object last_dims        # what vmap has to know besides, see ops/columns.py
    cdef public object batch
    cdef public int least_dims
    cdef readonly str in_place_name     # the node's name where it records a write, if that is another
    cdef readonly bint same_everywhere  # all elements of the result are one number
    cdef readonly int layout            # the parameter as which results lie in memory, or one of `Layout`
    cdef unsigned int read_first        # a bit for each tensor that is read as one number before anything is written
    cdef object node_class_, in_place_class_
    cdef readonly int n_params, n_positional
    cdef int n_slots, n_formulas
    cdef int n_tensors                  # parameters up to the last tensor
    cdef int n_plain                    # parameters before the options; Note [Options] in op.pyx
    cdef int n_plain_slots              # slots of a node whose call left the options out
    cdef bint recorded                  # calls make nodes
    cdef bint zero_gradient             # a tensor without a formula has gradient zero
    cdef bint has_list                  # a parameter is a list of tensors
    cdef unsigned int differentiable    # one bit per output
    cdef readonly int spread            # the parameter that may be given in pieces: x.view(2, 3); -1 if there is none
    cdef unsigned int dims              # a bit for each parameter that names dims: Note [Dims become axes] in axes.pyx
    cdef int ranked_by                  # the parameter that says how many dims there are
    cdef int n_flowing                  # how many outputs there are up to the last one that is differentiable
    cdef int only                       # the one output of several that is differentiable; -1 where that is not so
    # The arrays have an element for each parameter, `slot` one for each slot.
    cdef int type_of[MAX_PARAMS]        # a ParamType
    cdef bint gaps[MAX_PARAMS]          # a list in which some are None
    cdef int formula_of[MAX_PARAMS]     # the formula of each parameter; NOTHING_FLOWS or REFUSES where there is none
    cdef bint promotes[MAX_PARAMS]      # its dtype counts for that of the result
    cdef bint or_number[MAX_PARAMS]     # a number may stand for the tensor
    cdef bint overloaded                # ... for one of several, but not for all of them
    cdef bint written_numbers           # ... and for any tensor of the in-place form
    cdef readonly bint apart            # the in-place form takes no tensor that shares memory with its target
    cdef public bint out_apart          # `out=` may not be an operand
    cdef readonly bint fitting          # a number among its operands must fit their dtype
    cdef readonly bint rounded          # ... and is rounded to 16 bits where they have no more
    cdef Slot slot[MAX_PARAMS]
    # Of a parameter that is not a tensor: the class that most calls give, and everything that it takes (arguments.pyx).
    cdef PyObject* expected[MAX_PARAMS]
    cdef int takes[MAX_PARAMS]
    cdef dict __dict__                  # what programs keep with a function, as PyTorch's functions let them
    cdef int _read_schema(self, list params, computes, also) except -1
    cdef int _read_names(self, called, differentiates, forms) except -1
    cdef int _read_columns(self, computes, differentiates, called, forms) except -1
    cdef int _read_outputs(self, outputs, differentiable) except -1
    cdef int _read_parameters(self, computes, bint public) except -1
    cdef int _read_formulas(self, dict formulas, no_gradient) except -1
    cdef int _lay_out_slots(self) except -1
    cdef int _find_sizes(self) except -1
    cdef int _find_loops(self, fast, promote, refuse) except -1
    cdef int _set_kernels_aside(self) except -1
    cdef int _take_kernels_up(self) except -1


cdef inline bint options_left_out(Op op, PyObject** raw, int n) noexcept:
    """Is each option left at its default?  Then `plain` computes; see Note [Options] in op.pyx."""
    cdef int i
    for i in range(op.n_plain, n):
        if raw[i] != PyTuple_GET_ITEM(op.defaults, i):
            return False
    return True


cdef object required
cdef bint bind_keywords(Op op, PyObject** args, Py_ssize_t n, PyObject* kwnames, PyObject** bound,
                        PyObject** out) except -1


cdef inline bint bind(Op op, PyObject** args, Py_ssize_t n, PyObject* kwnames, PyObject** bound,
                      PyObject** out) except -1:
    """The arguments of a call in the order of the schema, borrowed; False where `bind_slowly` must bind or refuse.

    What is given as out= is put into `out`; where that is NULL, a call with out= is not bound.
    """
    cdef Py_ssize_t i
    if n > op.n_positional:
        return False
    if kwnames != NULL:
        return bind_keywords(op, args, n, kwnames, bound, out)
    for i in range(n):
        bound[i] = args[i]
    for i in range(n, op.n_params):
        bound[i] = PyTuple_GET_ITEM(op.defaults, i)
        if <object>bound[i] is required:
            return False
    return True


# Filled in by the files that have them: Note [Told later] in provided.pyx.
cdef struct Later:
    void* call                                                      # the vectorcall of a new Op: call.pyx
    Program (*program)(Op op, str of, object node)                  # op.program(...): formulas.pyx
    object (*write)(Op op, tuple bound)                             # op.inplace(...): inplace_methods.pyx
    object (*call_into)(Op op, PyObject** bound, object out)        # a call of an Op with out=: out_argument.pyx
    object (*write_out)(str name, object out, object result, bint exact, tuple inputs, bint apart)
    #                                                                 ... and of a composite: out_argument.pyx
cdef Later later

cdef tuple bind_slowly(Op op, tuple args, dict kwargs)
cdef object unfit(Op op, int i, object x, bint inplace)
cdef object result_type(Op op)
cdef dict other_names(names)
