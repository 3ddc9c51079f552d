"""What the operators of Python do: ``a + b``, ``-a``, and ``a += b``.

``a + b`` is a call of an Op like any other, by a shorter way.  ``a += b`` writes into the memory of ``a``:
the second half of this file, in the order check, record, write, count.
"""

from cpython.ref cimport PyObject
cimport numpy as cnp
from numpy cimport ndarray, npy_intp

import numpy as np

from minigrad._core.errors import error
from minigrad._core.modes cimport State, state
from minigrad._core.graph cimport OUTPUT, Node, Tensor, Version, View, hooks_of, new_tensor, publish, upward, version_of
from minigrad._core.kernels cimport binary as binary_loop, binary_into
from minigrad._core.dispatch cimport FROM_INPUT, MAX_PARAMS, PLAIN, TENSOR, Op, as_operand, call, record, refuse_inference, run, silence, unsilence
from minigrad._core.symbols cimport Symbol
from minigrad._core import dispatch, graph
from minigrad._core.promotion import category_of

cnp.import_array()

cdef extern from "Python.h":
    int PyFloat_CheckExact(object)
    int PyLong_CheckExact(object)

cdef extern from "numpy/arrayobject.h":
    int PyArray_NDIM(ndarray) nogil
    int PyArray_TYPE(ndarray) nogil
    npy_intp* PyArray_DIMS(ndarray) nogil
    npy_intp* PyArray_STRIDES(ndarray) nogil
    void* PyArray_DATA(ndarray) nogil
    int PyArray_ISWRITEABLE(ndarray) nogil
    npy_intp PyArray_NBYTES(ndarray) nogil
    int PyArray_CHKFLAGS(ndarray, int) nogil


# Told at import: the ops whose operators have a shorter way, or another op for numbers on the left.
cdef object _sub = None
cdef object _div = None
cdef Op _mm = None
cdef object _matmul = None
cdef object _pow = None
cdef object _pow_number = None
cdef object _rsub = None
cdef object _rdiv = None


def register(dict operators, Op mm, pow_number, rsub, rdiv):
    """The ops behind ``+ - * / @ ** -``; ``mm`` and ``pow_number`` are the short ways of ``@`` and ``**``, ``rsub`` and ``rdiv`` are ``1 - x`` and ``1 / x``."""
    global _mm, _matmul, _pow, _pow_number, _sub, _div, _rsub, _rdiv
    _mm = mm
    _matmul = operators["matmul"]
    _pow = operators["pow"]
    _pow_number = pow_number
    _sub = operators["sub"]
    _div = operators["div"]
    _rsub = rsub
    _rdiv = rdiv
    graph.register(operators=tuple([operators[k] for k in ("add", "sub", "mul", "div", "matmul", "pow", "neg")]))


cdef object binary_operator(object op, object a, object b):
    """`a op b` from a C slot of Tensor: at least one of them is a Tensor."""
    cdef PyObject* bound[MAX_PARAMS]
    if not acceptable(a) or not acceptable(b):
        return NotImplemented
    if op is _matmul and not (isinstance(a, (Tensor, Symbol)) and isinstance(b, (Tensor, Symbol))):
        return NotImplemented
    if type(op) is Op:
        if isinstance(a, (int, float, complex)):
            if isinstance(a, np.generic):
                a = a.item()
            if op is _sub:
                return _rsub(b, a)
            if op is _div:
                return _rdiv(b, a)
        if (<Op>op).n_params != 2:
            return op(a, b)
        bound[0] = <PyObject*>a
        bound[1] = <PyObject*>b
        return call(<Op>op, bound)
    if type(a) is Tensor and type(b) is Tensor:
        if op is _matmul and is_matrix(<Tensor>a) and is_matrix(<Tensor>b):
            bound[0] = <PyObject*>a
            bound[1] = <PyObject*>b
            return call(_mm, bound)
    elif op is _pow and type(a) is Tensor and has_floats(<Tensor>a) and (PyFloat_CheckExact(b) or PyLong_CheckExact(b)):
        bound[0] = <PyObject*>a
        bound[1] = <PyObject*>b
        return call(<Op>_pow_number, bound)
    return op(a, b)


cdef inline bint has_floats(Tensor t) noexcept:
    """Then a number takes no part in promotion, and may be a parameter."""
    return type(t.data) is ndarray and cnp.NPY_FLOAT <= PyArray_TYPE(<ndarray>t.data) <= cnp.NPY_CLONGDOUBLE


cdef inline bint is_matrix(Tensor t) noexcept:
    return type(t.data) is ndarray and PyArray_NDIM(<ndarray>t.data) == 2


cdef bint acceptable(object x) except -1:
    return isinstance(x, (Tensor, Symbol)) or PyFloat_CheckExact(x) or PyLong_CheckExact(x) or isinstance(x, (bool, int, float, complex, np.generic, np.ndarray))


cdef object unary_operator(object op, object a):
    cdef PyObject* bound[MAX_PARAMS]
    if type(op) is Op and (<Op>op).n_params == 1:
        bound[0] = <PyObject*>a
        return call(<Op>op, bound)
    return op(a)


cdef object inplace_operator(object op, object a, object b):
    cdef PyObject* bound[MAX_PARAMS]
    if not acceptable(b):
        return NotImplemented
    if (<Op?>op).n_params != 2:
        return op.inplace(a, b)
    bound[0] = <PyObject*>a
    bound[1] = <PyObject*>b
    return write_in_place(<Op>op, bound)


upward.binary = binary_operator
upward.unary = unary_operator
upward.inplace = inplace_operator


# ------------------------------------------------------------------------------ in place

cdef object write_in_place(Op op, PyObject** bound):
    """target = op(target, ...), into the memory of target.  Every check comes before the first change."""
    cdef State* st = state()
    cdef Tensor target = <Tensor?><object>bound[0]
    cdef list args
    cdef PyObject* raw[MAX_PARAMS]
    cdef unsigned int mask = 0
    cdef int i
    cdef object x, result
    cdef Version version
    if type(target.data) is not ndarray:
        raise error("MG117", f"{op.name}_ on a tensor inside a transform (vmap, grad, jvp) is not supported yet: use the out-of-place {op.name}")
    args = [target] + [as_operand(op, i, <object>bound[i], True, True) if op.type_of[i] == TENSOR else <object>bound[i] for i in range(1, op.n_params)]
    for i in range(op.n_params):
        x = args[i]
        raw[i] = <PyObject*>x
        if isinstance(x, Tensor) and op.type_of[i] != PLAIN:
            if (<Tensor>x).requires_grad_ and op.formula_of[i] >= 0:
                mask |= 1u << op.formula_of[i]
            raw[i] = <PyObject*>(<Tensor>x).data
    if st.grad_off:
        mask = 0
    else:
        check_writable(op, target, mask)
    if target.inference and not st.inference:
        raise error("MG112", "Inplace update to inference tensor outside InferenceMode is not allowed. You can make a clone to get a normal tensor before doing inplace update.")
    if not PyArray_ISWRITEABLE(<ndarray>target.data):
        raise error("MG116", f"{op.name}_: the memory of this tensor is read-only (it came from a read-only NumPy array). Please clone() the tensor first.")
    if repeats_itself(<ndarray>target.data) and op.name not in ("zero", "fill"):
        raise error("MG116", "unsupported operation: more than one element of the written-to tensor refers to a single memory location. "
                             f"Please clone() the tensor before performing the operation. It was expanded: in {op.name}_ a write to one element would be a write to others.")
    version = version_of(target)
    if (op.n_params < 2 or overlaps(op, target, args[1]) or mask or op.fast != binary_loop
            or binary_into(&op.loop, target.data, <object>raw[1], target.data) is None):   # the fast path: straight into the target
        result = run(op, raw, op.n_params)
        check_result(op, target, result)
        if mask:
            record_in_place(op, args, mask, target)
        quietly_copy(target.data, result)
    version.value += 1
    return target


cdef int quietly_copy(object to, object result) except -1:
    """An overflow in the cast is an inf, not a warning."""
    before = silence()
    try:
        np.copyto(to, result, casting="unsafe")
    finally:
        unsilence(before)
    return 0


cdef int record_in_place(Op op, list args, unsigned int mask, Tensor target) except -1:
    """The target becomes the output of a new node, whose edge leads to the node that it had before.

    The write comes after: so what the node saves of the target's memory carries the version of before,
    and will be found modified (y.mul_(y)).  Only the target itself, where a formula needs its old
    value, is saved as a copy.
    """
    cdef Tensor before = new_tensor(target.data)
    cdef Tensor copy
    cdef PyObject* bound[MAX_PARAMS]
    cdef int i
    cdef bint retain = target.node is not None and target.retains_grad     # detach_ leaves it on
    cdef Node n
    before.node = target.node
    before.nr = target.nr
    before.requires_grad_ = target.requires_grad_
    before.version = version_of(target)
    for i in range(op.n_params):
        bound[i] = <PyObject*>(before if args[i] is target else args[i])
    if saves_target(op, mask):
        copy = new_tensor(np.array(target.data))
        copy.node = before.node
        copy.nr = before.nr
        copy.requires_grad_ = before.requires_grad_
        bound[0] = <PyObject*>copy
    refuse_inference(op, bound, mask)       # before anything of the target has changed
    target.nr = 0
    target.hooks = None                     # hooks registered so far belong to the old value
    record(op, bound, mask, target, None)
    n = <Node>target.node
    for i in range(op.n_slots):
        if n.saved[i].kind == OUTPUT:
            n.saved[i].at += 1
    if retain:
        hooks_of(<Node>before.node).retained.pop(before.nr, None)
        target.retain_grad()
    return 0


cdef bint saves_target(Op op, unsigned int mask) noexcept:
    cdef int k
    for k in range(op.n_slots):
        if op.slot[k].source == FROM_INPUT and op.slot[k].index == 0 and op.slot[k].needed_by & mask:
            return True
    return False


cdef bint repeats_itself(ndarray a) noexcept:
    """Do several elements lie in one place, as in an expanded tensor?"""
    cdef int i
    cdef bint repeats = False
    for i in range(PyArray_NDIM(a)):
        if PyArray_DIMS(a)[i] == 0:
            return False
        if PyArray_DIMS(a)[i] > 1 and PyArray_STRIDES(a)[i] == 0:
            repeats = True
    return repeats


cdef bint overlaps(Op op, Tensor target, object other) except -1:
    """Does `other` lie, shifted, in the memory of `target`?  (Exactly the same memory is harmless.)"""
    cdef ndarray a, b
    cdef char* pa
    cdef char* pb
    if not isinstance(other, Tensor) or type((<Tensor>other).data) is not ndarray:
        return False
    a = target.data
    b = (<Tensor>other).data
    pa = <char*>PyArray_DATA(a)
    pb = <char*>PyArray_DATA(b)
    if pa == pb and PyArray_NDIM(a) == PyArray_NDIM(b) and (<object>a).strides == (<object>b).strides and (<object>a).shape == (<object>b).shape:
        return False
    if (PyArray_CHKFLAGS(a, cnp.NPY_ARRAY_C_CONTIGUOUS) and PyArray_CHKFLAGS(b, cnp.NPY_ARRAY_C_CONTIGUOUS)
            and (pa + PyArray_NBYTES(a) <= pb or pb + PyArray_NBYTES(b) <= pa)):
        return False                # side by side
    if not np.may_share_memory(a, b):
        return False
    if a.dtype == b.dtype and PyArray_CHKFLAGS(a, cnp.NPY_ARRAY_C_CONTIGUOUS) and (<object>b).flags.forc:
        raise error("MG116", "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory location. "
                             f"Please clone() the tensor before performing the operation. In {op.name}_ the write would change what is still to be read.")
    return True


cdef int check_writable(Op op, Tensor target, unsigned int mask) except -1:
    cdef View v
    if target.requires_grad_ and target.node is None:
        raise error("MG105", f"a leaf Variable that requires grad is being used in an in-place operation ({op.name}_): its gradient is wanted "
                             "with respect to the value that it has, which the write would destroy. To update a parameter, write the update "
                             "under `with torch.no_grad():`; else use the out-of-place form.")
    if target.view is not None:
        v = <View>target.view
        if v.base.requires_grad_ and v.base.node is None:
            raise error("MG105", f"a view of a leaf Variable that requires grad is being used in an in-place operation ({op.name}_). "
                                 "Write under `with torch.no_grad():`, or work on a clone().")
        if v.made_in == "no_grad" and (v.base.requires_grad_ or mask):
            raise error("MG116", f"A view was created in no_grad mode and is being modified inplace with grad mode enabled ({op.name}_). "
                                 "Nobody could say whether the write is to be recorded: make the view outside no_grad, or write inside it.")
        if v.made_in == "several" and (v.base.requires_grad_ or mask):
            raise error("MG116", f"Output {target.nr} of {'the function' if target.node is None else (<Node>publish(<Node>target.node)).name()} is a view and is being modified inplace ({op.name}_). "
                                 "This view is the output of a function that returns multiple views. Such functions do not allow the output views to be modified inplace. "
                                 "You should replace the inplace operation by an out-of-place one.")
        if v.made_in == "custom Function" and (v.base.requires_grad_ or mask):
            raise error("MG116", f"Output {target.nr} of a custom Function is a view and is being modified inplace ({op.name}_). This view was created inside a custom "
                                 "Function (or because an input was returned as-is) and the autograd logic to handle view+inplace would override the custom backward "
                                 "associated with it. You should replace the inplace operation by an out-of-place one.")
        if mask:
            raise error("MG116", f"{op.name}_: this tensor is a view, and a recorded write through a view has to change the history of its base, "
                                 "which is not supported yet. Use the out-of-place form, or write to the base.")
    return 0


cdef int check_result(Op op, Tensor target, object result) except -1:
    if result.shape != target.data.shape:
        raise error("MG201", f"output with shape {list(target.data.shape)} doesn't match the broadcast shape {list(result.shape)}: "
                             f"{op.name}_ writes into the tensor on its left, which cannot grow. Use the out-of-place {op.name}.")
    if category_of(result.dtype) > category_of(target.data.dtype):
        raise error("MG202", f"result type {result.dtype} can't be cast to the desired output type {target.data.dtype}: "
                             f"{op.name}_ writes into the tensor on its left, which keeps its dtype. Use the out-of-place {op.name}.")
    return 0


def _write(Op op, tuple bound):
    cdef PyObject* pointers[MAX_PARAMS]
    cdef int i
    for i in range(op.n_params):
        pointers[i] = <PyObject*>bound[i]
    return write_in_place(op, pointers)


dispatch.register_writer(_write)
