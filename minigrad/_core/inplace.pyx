"""Writing into tensors: ``x += 1``, ``x.mul_(y)``, ``x.t_()``.

An in-place operation is the op itself, whose result goes into the memory of its first argument, in this order::

    check      everything that can be refused, before anything has changed      check_writable
    compute    the result, where it cannot go straight into the memory           run
    record     a node, and where it belongs in the history                       record_write
    write      into the memory that views and aliases share
    count      the version of that memory: what was saved of it is now outdated

The node of a write is an ordinary node of the op.  A tensor that is no view takes it as its grad_fn;
for a view it becomes the inner node of a CopySlices of the base, see Note [Views] in views.pyx.
"""

from cpython.ref cimport PyObject, Py_INCREF
cimport numpy as cnp
from numpy cimport ndarray, npy_intp

import inspect

import numpy as np

from minigrad._core.errors import error, warn
from minigrad._core.modes cimport State, state
from minigrad._core.graph cimport (OUTPUT, Node, Tensor, Version, View, catch_up, count_write, given, lay_otherwise,
                                   new_tensor, new_view, publish, replace_history, upward, version_of)
from minigrad._core.packing cimport before_write
from minigrad._core.loops cimport binary as binary_loop, binary_into, same_shape
from minigrad._core.computing cimport floating, run, silence, unsilence
from minigrad._core.dispatch cimport (no_derivative, plain, as_operand, arguments_of, record, pack, refuse_inference,
                                      the_interpreter)
from minigrad._core.op cimport (FROM_INPUT, MAX_PARAMS, OPTIONAL, PLAIN, REFUSES, TENSORS, Op, bind_slowly,
                                declare_vectorcall, required, vectorcall_t)
from minigrad._core.operators cimport acceptable
from minigrad._core.profiling cimport OP, Listener, seq_now
from minigrad._core.views cimport rebase, shows
from minigrad._core.forward cimport before_writing, carry_write, tangent_of
from minigrad._core.levels import apply
from minigrad._core.forward import set_tangent
from minigrad._core import dispatch, op as _op
from minigrad._core.promotion import category_of, uncastable

cnp.import_array()

cdef extern from "Python.h":
    int PyFloat_CheckExact(object)
    int PyLong_CheckExact(object)
    Py_ssize_t PyVectorcall_NARGS(size_t)
    object PyVectorcall_Call(object, object, object)
    PyObject* PyObject_Vectorcall(PyObject*, PyObject**, size_t, PyObject*) except NULL
    PyObject* PyTuple_GET_ITEM_ "PyTuple_GET_ITEM"(object, Py_ssize_t)

cdef extern from "numpy/arrayobject.h":
    int PyArray_NDIM(ndarray) nogil
    int PyArray_TYPE(ndarray) nogil
    int PyArray_CopyInto(ndarray, ndarray) except -1
    npy_intp* PyArray_DIMS(ndarray) nogil
    npy_intp* PyArray_STRIDES(ndarray) nogil
    int PyArray_ITEMSIZE(ndarray) nogil
    void* PyArray_DATA(ndarray) nogil
    int PyArray_ISWRITEABLE(ndarray) nogil
    npy_intp PyArray_NBYTES(ndarray) nogil
    int PyArray_CHKFLAGS(ndarray, int) nogil
    npy_intp PyArray_SIZE(ndarray) nogil

_bound_method = type((lambda: None).__get__(0))


cdef object write(Op op, PyObject** bound):
    """target = op(target, ...), into the memory of target, which is returned."""
    cdef State* st = state()
    cdef Listener listener
    cdef int place
    if st.listener == NULL:
        return write_now(op, bound, st)
    listener = <Listener>st.listener
    place = listener.hear(op.written, OP, seq_now(st), arguments_of(op, bound) if listener.shapes else None)
    try:
        return write_now(op, bound, st)
    finally:
        listener.end(place)


cdef object write_now(Op op, PyObject** bound, State* st):
    cdef Tensor target = the_target(op, <object>bound[0])
    cdef list args
    cdef list arrays = []               # owns what `raw` borrows
    cdef PyObject* raw[MAX_PARAMS]
    cdef unsigned int mask = 0
    cdef bint requires
    cdef int i, level
    cdef object x, result
    cdef tuple before = None
    cdef Node node = None
    cdef Version version
    if op.n_params == 2 and op.fast == binary_loop and straight(op, target, <object>bound[1], st):
        return target
    args = [target] + [operand(op, i, <object>bound[i]) for i in range(1, op.n_params)]
    level = highest_level(op, args) if st.active or target.level else 0
    if level:
        return the_interpreter(op, level).write(op, args, level)
    if not st.grad_off:
        mask = needs_grad(op, args, &requires)
        if requires:
            check_writable(op.written, target)
            check_places(op.written, target, op.same_everywhere and op.n_formulas == 1)
            catch_up(target)
    check_memory(op, target, st)
    raw[0] = <PyObject*>target.data
    for i in range(1, op.n_params):
        x = payload(op, i, args[i])
        arrays.append(x)
        raw[i] = <PyObject*>x
    if op.elementwise:
        for i in range(1, op.n_params):
            if not op.read_first >> i & 1:
                overlaps(op, target, args[i])
    result = None
    if st.hooked or not is_plain(op, target.data, <object>raw[op.n_params - 1]):
        result = run(op, raw, op.n_params)
        check_result(op, target, result)
    if st.forward:
        before = before_writing(op, args)
        if before is not None:
            check_places(op.written, target, op.same_everywhere and op.n_formulas == 1)
    version = version_of(target)
    if mask:
        node = record_write(op, args, mask, target, result)
    if version.keepers != NULL:
        before_write(version)
    if result is not None or binary_into(&op.loop, target.data, <object>raw[1], target.data) is None:
        put(target.data, run(op, raw, op.n_params) if result is None else result)
    count_write(version)
    if before is not None:
        carry_write(op, before, target, node)
    if mask and target.hooks is not None:
        catch_up(target)                # what the user hung on the view belongs to its old value, or moves to the new one
    return target


cdef bint is_plain(Op op, ndarray target, object other) except -1:
    """Nothing can be refused, and the loop can write where it reads: the result needs no place of its own."""
    return (op.n_params == 2 and op.fast == binary_loop and type(other) is ndarray
            and (PyArray_TYPE(target) == cnp.NPY_FLOAT or PyArray_TYPE(target) == cnp.NPY_DOUBLE)
            and PyArray_TYPE(<ndarray>other) == PyArray_TYPE(target) and same_shape(target, <ndarray>other)
            and PyArray_CHKFLAGS(target, cnp.NPY_ARRAY_CARRAY) and PyArray_CHKFLAGS(<ndarray>other, cnp.NPY_ARRAY_CARRAY_RO))


cdef bint straight(Op op, Tensor target, object other, State* st) except -1:
    """The fast path: nothing to record, and a loop that can write where it reads.  False where `write` must do it."""
    cdef object raw = other
    cdef Version version
    if st.forward or type(target.data) is not ndarray:
        return False
    if type(other) is Tensor:
        raw = (<Tensor>other).data
        if type(raw) is not ndarray:
            return False
    elif not PyFloat_CheckExact(other) and not PyLong_CheckExact(other):
        return False
    if not st.grad_off and (may_require(target) or (raw is not other and may_require(<Tensor>other))):
        return False
    version = version_of(target)
    if version.keepers != NULL:
        return False
    check_memory(op, target, st)
    if overlaps(op, target, other) or binary_into(&op.loop, target.data, raw, target.data) is None:
        return False
    count_write(version)
    return True


cdef inline bint may_require(Tensor t) noexcept:
    """Does `t` require grad, perhaps by way of its base?"""
    return t.requires_grad_ or (t.view is not None and (<View>t.view).base.requires_grad_)


cdef object operand(Op op, int i, object x):
    if op.type_of[i] == PLAIN:
        return plain(op, i, <Tensor>x) if isinstance(x, Tensor) else x
    if x is None and op.type_of[i] == OPTIONAL:
        return x
    if op.type_of[i] == TENSORS:
        return [None if y is None else as_operand(op, i, y, False, True) for y in x]
    return as_operand(op, i, x, True, True)


cdef object payload(Op op, int i, object x):
    if op.type_of[i] == TENSORS:
        return [None if y is None else (<Tensor>y).data for y in x]
    return (<Tensor>x).data if op.type_of[i] != PLAIN and isinstance(x, Tensor) else x


cdef unsigned int needs_grad(Op op, list args, bint* requires) except? 0xffffffff:
    """A bit for each formula whose input requires grad; `requires` is true if any argument does."""
    cdef unsigned int mask = 0
    cdef int i
    requires[0] = False
    if not floating(<ndarray>(<Tensor>args[0]).data):
        return 0                                # whole numbers have no gradient, whatever is written there
    if may_require(<Tensor>args[0]):            # a view catches up when it is known that it may be written to
        requires[0] = True
        mask = 1u << op.formula_of[0]
    for i in range(1, op.n_params):
        if op.type_of[i] == TENSORS:
            for x in <list>args[i]:
                if x is not None and requires_now(<Tensor>x):
                    requires[0] = True
                    mask |= formula_bit(op, i)
        elif op.type_of[i] != PLAIN and isinstance(args[i], Tensor) and requires_now(<Tensor>args[i]):
            requires[0] = True
            mask |= formula_bit(op, i)
    return mask


cdef unsigned int formula_bit(Op op, int i) except? 0xffffffff:
    if op.formula_of[i] == REFUSES:
        raise no_derivative(op, i, True)
    return 1u << op.formula_of[i] if op.formula_of[i] >= 0 else 0


cdef bint requires_now(Tensor t) except -1:
    catch_up(t)
    return t.requires_grad_ != 0


# ------------------------------------------------------------------------------ check

cdef Tensor the_target(Op op, object x):
    cdef Tensor target
    if not isinstance(x, Tensor):
        raise error("MG205", f"{op.written}(): the tensor to write into must be a Tensor, not {type(x).__name__}")
    if (<Tensor>x).data is None:
        raise error("MG205", f"{op.written}(): the tensor to write into has no data: it was made by __new__ alone. "
                             "Use torch.tensor(...)")
    return <Tensor>x


cdef int check_writable(str name, Tensor target) except -1:
    """May autograd record a write to `target`?"""
    cdef View v
    if target.view is not None:
        v = <View>target.view
        made_by = "the function" if target.node is None else Node.name(publish(<Node>target.node))
        if v.made_in == "no_grad":
            raise error("MG116", f"A view was created in no_grad mode and is being modified inplace with grad mode enabled ({name}). "
                                 "Nobody could say whether the write is to be recorded: make the view outside no_grad, or write inside it.")
        if v.made_in == "several":
            raise error("MG116", f"Output {target.nr} of {made_by} is a view and is being modified inplace ({name}). "
                                 "This view is the output of a function that returns multiple views. Such functions do not allow the output views to be modified inplace. "
                                 "You should replace the inplace operation by an out-of-place one.")
        if v.made_in:
            raise error("MG116", f"Output {target.nr} of {made_by} is a view and is being modified inplace ({name}). This view was created inside a custom "
                                 "Function (or because an input was returned as-is) and the autograd logic to handle view+inplace would override the custom backward "
                                 "associated with it. You should replace the inplace operation by an out-of-place one.")
        if may_require(target) and v.base.node is None:
            raise error("MG105", f"a view of a leaf Variable that requires grad is being used in an in-place operation ({name}). "
                                 "Write under `with torch.no_grad():`, or work on a clone().")
    if target.requires_grad_ and target.node is None:
        raise error("MG105", f"a leaf Variable that requires grad is being used in an in-place operation ({name}): its gradient is wanted "
                             "with respect to the value that it has, which the write would destroy. To update a parameter, write the update "
                             "under `with torch.no_grad():`; else use the out-of-place form.")
    return 0


def check(str name, Tensor target not None, bint places=False):
    """The same for writes that happen elsewhere: through a subscript or, with ``places``, by a custom Function."""
    check_writable(name, target)
    if places:
        check_places(name, target, False)


cdef int check_places(str name, Tensor target, bint one_value) except -1:
    """Is there one gradient for each place in memory that a write to `target` reaches?

    PyTorch looks at this only where a dim was expanded, and gives a wrong gradient for the others.
    """
    if type(target.data) is not ndarray:
        return 0
    if not one_value and meets_itself(target.data):
        raise error("MG116", f"unsupported operation ({name}): more than one element of the written-to tensor refers to a single memory location, as in "
                             "windows that overlap (unfold, as_strided): which of the values stays there is not specified, and neither is the "
                             "gradient. Please clone() the tensor before performing the operation.")
    if target.view is not None and meets_itself((<View>target.view).base.data):
        raise error("MG116", f"unsupported operation ({name}): this is a view of a tensor that was expanded or cut into overlapping windows, and then "
                             "detached: the write reaches more elements of that tensor than those of the view, so autograd could not say whose "
                             "gradient is meant. Please clone() that tensor before taking a view to write to.")
    return 0


cpdef bint meets_itself(ndarray a) except -1:
    """Do two elements lie in one place?"""
    given(a)
    cdef npy_intp* dims = PyArray_DIMS(a)
    cdef npy_intp* strides = PyArray_STRIDES(a)
    cdef npy_intp reach
    cdef int i, j
    cdef bint plain = True
    if PyArray_CHKFLAGS(a, cnp.NPY_ARRAY_C_CONTIGUOUS):
        return False
    for i in range(PyArray_NDIM(a)):    # a step must lead beyond all that the smaller steps reach
        if dims[i] == 0:
            return False
        reach = PyArray_ITEMSIZE(a)
        for j in range(PyArray_NDIM(a)):
            if abs(strides[j]) < abs(strides[i]) or (strides[j] == strides[i] and j < i):
                reach += (dims[j] - 1) * abs(strides[j])
        plain = plain and (dims[i] == 1 or abs(strides[i]) >= reach)
    if plain:
        return False
    places = sum([np.arange(n).reshape((-1,) + (1,) * k) * step for k, (n, step) in enumerate(zip((<object>a).shape[::-1], (<object>a).strides[::-1]))])
    return np.unique(places).size < (<object>a).size


cdef int refuse_outside_inference(Tensor target, State* st) except -1:
    if target.inference and not st.inference:
        raise error("MG112", "Inplace update to inference tensor outside InferenceMode is not allowed. You can make a clone to get a normal tensor "
                             "before doing inplace update.")
    return 0


cdef int check_memory(Op op, Tensor target, State* st) except -1:
    """Can the memory of `target` be written to at all?"""
    refuse_outside_inference(target, st)
    if not PyArray_ISWRITEABLE(<ndarray>target.data):
        raise error("MG116", f"{op.written}: the memory of this tensor is read-only (it came from a read-only NumPy "
                             "array). Please clone() the tensor first.")
    if repeats_itself(<ndarray>target.data) and not op.same_everywhere:
        raise error("MG116", "unsupported operation: more than one element of the written-to tensor refers to a single memory location. "
                             "Please clone() the tensor before performing the operation. It was expanded: in "
                             f"{op.written} a write to one element would be a write to others.")
    return 0


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
    """Does `other` lie, shifted, in the memory of `target`?  (Exactly the same memory is harmless.)  Raises where that is certain and plain."""
    cdef ndarray a, b
    cdef char* pa
    cdef char* pb
    if not isinstance(other, Tensor) or type((<Tensor>other).data) is not ndarray:
        return False
    a = target.data
    b = (<Tensor>other).data
    pa = <char*>PyArray_DATA(a)
    pb = <char*>PyArray_DATA(b)
    if pa == pb and same_steps(a, b):
        return False
    if (PyArray_CHKFLAGS(a, cnp.NPY_ARRAY_C_CONTIGUOUS) and PyArray_CHKFLAGS(b, cnp.NPY_ARRAY_C_CONTIGUOUS)
            and (pa + PyArray_NBYTES(a) <= pb or pb + PyArray_NBYTES(b) <= pa)):
        return False                # side by side
    if not np.may_share_memory(a, b):
        return False
    if a.dtype == b.dtype and PyArray_CHKFLAGS(a, cnp.NPY_ARRAY_C_CONTIGUOUS) and (<object>b).flags.forc:
        raise error("MG116", "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory location. "
                             f"Please clone() the tensor before performing the operation. In {op.written} the write "
                             "would change what is still to be read.")
    return True


cdef bint same_steps(ndarray a, ndarray b) noexcept:
    """Do both go through memory alike?  In a dim of one element no step is taken."""
    cdef int i
    if PyArray_NDIM(a) != PyArray_NDIM(b):
        return False
    for i in range(PyArray_NDIM(a)):
        if PyArray_DIMS(a)[i] != PyArray_DIMS(b)[i] or (PyArray_DIMS(a)[i] > 1 and PyArray_STRIDES(a)[i] != PyArray_STRIDES(b)[i]):
            return False
    return True


cdef int check_result(Op op, Tensor target, object result) except -1:
    if result.shape != target.data.shape:
        raise error("MG201", f"output with shape {list(target.data.shape)} doesn't match the broadcast shape {list(result.shape)}: "
                             f"{op.written} writes into the tensor on its left, which cannot grow. Use the "
                             f"out-of-place {op.shown}.")
    if category_of(result.dtype) > category_of(target.data.dtype):
        raise uncastable(result.dtype, target.data.dtype,
                         f"{op.written} writes into the tensor on its left, which keeps its dtype. "
                                                            f"Use the out-of-place {op.shown}.")
    return 0


cdef int put(ndarray to, ndarray result) except -1:
    """The result into the memory of the target; an overflow in a cast is an inf, not a warning."""
    if PyArray_TYPE(to) == PyArray_TYPE(result):
        PyArray_CopyInto(to, result)
        return 0
    quiet = silence()
    try:
        PyArray_CopyInto(to, result)
    finally:
        unsilence(quiet)
    return 0


# ------------------------------------------------------------------------------ record

cdef Node record_write(Op op, list args, unsigned int mask, Tensor target, object result):
    """The target becomes the output of a new node, whose edge leads to the node that it had before.

    The write comes after: so what the node saves of the target's memory carries the version of before,
    and will be found modified (y.mul_(y)).  Only the target itself, where a formula needs its old
    value, is saved as a copy.
    """
    cdef Tensor before = old_self(target, target.data)
    cdef Tensor out = new_tensor(target.data)
    cdef Tensor own
    cdef PyObject* bound[MAX_PARAMS]
    cdef list keep = []
    cdef int i
    cdef Node n
    for i in range(op.n_params):
        x = args[i]
        if x is target:
            x = before
        elif op.type_of[i] == TENSORS:
            x = [before if y is target else y for y in x]
        keep.append(x)
        bound[i] = <PyObject*>x
    if saves_target(op, mask):
        before = old_self(target, np.array(target.data))
        before.version = None
        if state().forward:
            set_tangent(before, tangent_of(target))
        bound[0] = <PyObject*>before
    refuse_inference(op, bound, mask)       # before anything of the target has changed
    out.version = version_of(target)
    record(op, bound, mask, out, None, True)
    n = <Node>out.node
    n.in_place = True
    for i in range(op.n_slots):
        if n.saved[i].kind == OUTPUT:
            n.saved[i].at += 1
    if state().hooked:                      # a pack hook sees the result already, and may raise
        own = new_tensor(result.astype(target.data.dtype, copy=False))
        own.node = n
        own.requires_grad_ = True
        pack(op, n, NULL, own, None, False, True)
    if target.view is None:
        replace_history(target, n, 0)
    else:
        rebase(target, n, 0)
    return n


cdef Tensor old_self(Tensor target, object payload):
    """`target` as it is before the write."""
    cdef Tensor t = new_tensor(payload)
    t.node = target.node
    t.nr = target.nr
    t.requires_grad_ = target.requires_grad_
    t.version = version_of(target)
    return t


cdef bint saves_target(Op op, unsigned int mask) noexcept:
    cdef int k
    for k in range(op.n_slots):
        if op.slot[k].source == FROM_INPUT and op.slot[k].index == 0 and op.slot[k].needed_by & mask:
            return True
    return False


# ------------------------------------------------------------------------------ shape forms

def alter(Op op not None, Tensor target not None, tuple args):
    """``x.t_()``, ``x.unsqueeze_(0)`` and the like: ``target`` becomes ``op(target, *args)``, a view row, and stays the same object.

    The memory is not touched, but the version counts it as a write, as PyTorch's does: what was saved of
    the tensor is no longer what it was.

    How a tensor lies is no value, so `no_grad` does not keep its history from being told: a gradient would come back
    in the new layout, and be taken for one in the old.

        a view        under no_grad it lags, and is read anew from its base the next time that it is looked at;
                      Note [Views] in views.pyx
        a result      gets the node of the operation, under no_grad too
        a leaf        graphs that lead to it know it as it was: differentiating one of them raises
    """
    cdef State* st = state()
    cdef Listener listener
    cdef int place
    cdef tuple full = bind_slowly(op, (target,) + args, {})
    if st.listener == NULL:
        return alter_now(op, target, full, st)
    listener = <Listener>st.listener
    place = listener.hear(op.written, OP, seq_now(st), full if listener.shapes else None)
    try:
        return alter_now(op, target, full, st)
    finally:
        listener.end(place)


cdef object alter_now(Op op, Tensor target, tuple full, State* st):
    cdef PyObject* bound[MAX_PARAMS]
    cdef PyObject* raw[MAX_PARAMS]
    cdef Tensor before, out
    cdef View v
    cdef int i
    cdef bint dual
    cdef bint recorded
    if target.data is None:
        raise error("MG205", f"{op.written}(): the tensor has no data: it was made by __new__ alone. Use "
                             "torch.tensor(...)")
    if target.level:
        raise error("MG117", f"{op.written} on a tensor inside a transform (vmap, grad, jvp) is not supported: use "
                             f"the out-of-place {op.shown}")
    refuse_outside_inference(target, st)
    if not st.grad_off and may_require(target):
        check_writable(op.written, target)
        catch_up(target)
    for i in range(op.n_params):
        bound[i] = raw[i] = PyTuple_GET_ITEM_(full, i)
    raw[0] = <PyObject*>target.data
    result = run(op, raw, op.n_params)
    recorded = target.requires_grad_ and (not st.grad_off if target.view is not None else target.node is not None)
    if recorded:
        before = old_self(target, target.data)
        bound[0] = <PyObject*>before
        out = new_tensor(result)
        record(op, bound, 1, out, None, True)
        (<Node>out.node).in_place = True
        replace_history(target, <Node>out.node, 0)
        if target.view is None and not shows(result, target.data):
            target.forgot = True
    if target.version is not None and target.version.keepers != NULL:
        before_write(target.version)
    if target.view is None and target.node is None:
        lay_otherwise(target)
    dual = target.view is not None and (<View>target.view).dual
    if st.forward and target.tangent is not None and (target.view is None or dual):
        set_tangent(target, apply(op, [target.tangent, *full[1:]]))
    target.data = result
    if target.view is not None:
        v = new_view(target, op, full[1:], "")
        if dual:
            v.owner = None              # it owns its tangent as before
            v.dual = True
        target.view = v
    count_write(version_of(target))
    if target.view is not None and recorded:
        v.at = target.version.value
    return target


# ------------------------------------------------------------------------------ calls

cdef object inplace_operator(object op, object a, object b):
    cdef PyObject* bound[MAX_PARAMS]
    if not acceptable(b):
        return NotImplemented
    if (<Op?>op).n_params != 2:
        return op.inplace(a, b)
    bound[0] = <PyObject*>a
    bound[1] = <PyObject*>b
    return write(<Op>op, bound)


upward.inplace = inplace_operator


def _write(Op op not None, tuple bound):
    cdef PyObject* pointers[MAX_PARAMS]
    cdef int i
    for i in range(op.n_params):
        pointers[i] = <PyObject*>bound[i]
    return write(op, pointers)


cdef int highest_level(Op op, list args) except -1:
    """The level that the write belongs to."""
    cdef int i, level = 0
    for i in range(op.n_tensors):
        for x in args[i] if isinstance(args[i], list) else (args[i],):
            if isinstance(x, Tensor):
                level = max(level, (<Tensor>x).level)
    return level


def write_out(str name, out, result, bint exact, inputs):
    """``name(..., out=out)``: put ``result``, a Tensor or several, into ``out``, which is returned.

    An ``out`` of another shape is given other memory; one that has elements, not without a warning.  It may be one of
    the ``inputs``, but not overlap one; and where it must be of the ``exact`` dtype, nothing is cast.
    """
    if isinstance(result, tuple):
        if not isinstance(out, (tuple, list)) or len(out) != len(result):
            raise error("MG205", f"{name}(): argument 'out' must be a tuple of {len(result)} Tensors, one for each result")
    elif isinstance(out, (tuple, list)) and len(out) == 1:
        return write_out(name, out[0], result, exact, inputs)
    targets = out if isinstance(result, tuple) else (out,)
    results = result if isinstance(result, tuple) else (result,)
    for t, r in zip(targets, results):
        check_out(name, t, r, exact)
        if t.shape == r.shape:
            refuse_overlap(name, <Tensor>t, inputs)
    for t, r in zip(targets, results):
        fill_out(t, r)
    return type(result)(*targets) if hasattr(result, "_fields") else out


cdef int refuse_overlap(str name, Tensor out, inputs) except -1:
    """May `out` be written to, as far as it shares memory with an input?  Scattered elements are not looked at:
    the result is computed apart."""
    for x in inputs:
        if isinstance(x, (tuple, list)):
            refuse_overlap(name, out, x)
        elif (isinstance(x, Tensor) and type((<Tensor>x).data) is ndarray
                and not ((<Tensor>x).data.ctypes.data == out.data.ctypes.data
                         and same_steps(<ndarray>(<Tensor>x).data, <ndarray>out.data))
                and (<Tensor>x).data.flags.forc and out.data.flags.forc
                and np.may_share_memory((<Tensor>x).data, out.data)):
            raise error("MG116", f"{name}(): unsupported operation: some elements of the input tensor and the "
                                 "written-to tensor refer to a single memory location. Please clone() the tensor "
                                 "before performing the operation: out= may be an input itself, but not a part of "
                                 "its memory.")
    return 0


cdef int check_out(str name, object out, Tensor result, bint exact) except -1:
    cdef Tensor t
    if not isinstance(out, Tensor):
        raise error("MG205", f"{name}(): argument 'out' must be Tensor, not {type(out).__name__}")
    t = <Tensor>out
    if type(t.data) is not ndarray or type(result.data) is not ndarray:
        raise error("MG117", f"{name}(): out= inside a transform (vmap, grad, jvp) is not supported: use the result that is returned")
    if not state().grad_off and (result.requires_grad_ or t.requires_grad):
        raise error("MG210", f"{name}(): functions with out=... arguments don't support automatic differentiation, but one of the arguments "
                             "requires grad. Use the result that the function returns, or write under `with torch.no_grad():`.")
    if state().forward and (tangent_of(result) is not None or tangent_of(t) is not None):
        raise error("MG210", f"{name}(): functions with out=... arguments don't support forward mode: use the result that the function returns")
    refuse_outside_inference(t, state())
    if exact and result.data.dtype != t.data.dtype:
        raise error("MG202", f"{name}(): Expected out tensor to have dtype {result.dtype}, but got {t.dtype} instead: "
                             "make out of that dtype, or convert the result")
    if category_of(result.data.dtype) > category_of(t.data.dtype):
        raise uncastable(result.data.dtype, t.data.dtype, f"{name}(..., out=x) keeps the dtype of x")
    if result.data.shape != t.data.shape:
        if t.view is not None:
            raise error("MG210", f"{name}(): out= has shape {list(t.data.shape)}, the result {list(result.data.shape)}, and a view cannot be resized")
        if t.data.size:
            warn(f"An output with one or more elements was resized since it had shape {list(t.data.shape)}, which "
                 f"does not match the required output shape {list(result.data.shape)}. This behavior is deprecated, "
                 "and in a future PyTorch release outputs will not be resized unless they have zero elements. You "
                 "can explicitly reuse an out tensor t by resizing it, inplace, to zero elements with t.resize_(0).")
    elif not PyArray_ISWRITEABLE(<ndarray>t.data) or repeats_itself(<ndarray>t.data):
        raise error("MG116", f"{name}(): unsupported operation: out= is read-only, or more than one element of the written-to tensor refers to a single "
                             "memory location. Please clone() the tensor before performing the operation.")
    return 0


cdef int fill_out(Tensor out, Tensor result) except -1:
    cdef Version version = version_of(out)
    if version.keepers != NULL:
        before_write(version)
    if result.data.shape != out.data.shape:
        out.data = np.empty(result.data.shape, out.data.dtype)
    put(out.data, result.data)
    count_write(version)
    return 0


_op.register_write(_write)
dispatch.register_write_out(write_out)


cdef class InPlace:
    """The in-place form of a row, a method of Tensor: ``x.mul_(y)``.

    With ``general``, a function, the row is only the short way of plain calls: ``x.add_(y)``, but not ``x.add_(y, alpha=2)``.
    """
    cdef vectorcall_t vectorcall
    cdef readonly Op op
    cdef readonly object general
    cdef dict __dict__

    def __init__(self, Op op not None, str name, general=None):
        self.op = op
        self.general = general
        self.__name__ = name
        self.__qualname__ = f"Tensor.{name}"
        self.__doc__ = f"The in-place form of :func:`{name[:-1]}`: the tensor takes the result." if general is None else general.__doc__
        (<void**>&self.vectorcall)[0] = <void*>inplace_vectorcall

    @property
    def __signature__(self):
        return self.op.__signature__ if self.general is None else inspect.signature(self.general.__wrapped__)

    def __get__(self, instance, owner):
        return self if instance is None else _bound_method(self, instance)

    def __call__(self, *args, **kwargs):
        return PyVectorcall_Call(self, args, kwargs)

    def __repr__(self):
        return f"<method {self.__qualname__}>"


cdef PyObject* inplace_vectorcall(PyObject* self, PyObject** args, size_t nargsf, PyObject* kwnames) except NULL:
    """`x.mul_(y)`: the plain case without keywords, arguments on the C stack."""
    cdef Op op = (<InPlace>self).op
    cdef Py_ssize_t n = PyVectorcall_NARGS(nargsf), i
    cdef PyObject* bound[MAX_PARAMS]
    cdef object out
    cdef PyObject* general = <PyObject*>(<InPlace>self).general
    if <object>general is not None and (kwnames != NULL or n != op.n_params):
        return PyObject_Vectorcall(general, args, nargsf, kwnames)
    if kwnames == NULL and n <= op.n_positional:
        for i in range(n):
            bound[i] = args[i]
        for i in range(n, op.n_params):
            bound[i] = PyTuple_GET_ITEM_(op.defaults, i)
            if <object>bound[i] is required:
                bind_slowly(op, tuple([<object>args[k] for k in range(n)]), {})     # says what is missing
        out = write(op, bound)
    else:
        keywords = {} if kwnames == NULL else {name: <object>args[n + i] for i, name in enumerate(<tuple>kwnames)}
        out = _write(op, bind_slowly(op, tuple([<object>args[i] for i in range(n)]), keywords))
    Py_INCREF(out)
    return <PyObject*>out


cdef int declare() except -1:
    cdef InPlace method = InPlace.__new__(InPlace)
    declare_vectorcall(<PyObject*>InPlace, <char*>&method.vectorcall - <char*><PyObject*>method)
    return 0


declare()
