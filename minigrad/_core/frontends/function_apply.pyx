"""``Function.apply`` for the usual calls: what autograd/function does, in C.

Usually all tensors among the arguments are ordinary ones, no mode is on but perhaps ``no_grad``, and forward returns
new tensors of floating point and declares no more than what it saves.  `usual` makes the ctx and its edges, runs
forward, and attaches the outputs.  Where an argument or a mode is not of this kind, it does nothing and says so; where
a result or a declaration is not, forward has run, and `finish` (autograd/function/settling.py) does the rest.
"""

from minigrad._core.dispatch.compute cimport floating
from minigrad._core.graph cimport Tensor, untracked
from minigrad._core.graph.function_node cimport (DONE, PyNode, attach_output, begin, has_shape_and_dtype, keep,
                                                shape_and_dtype)
from minigrad._core.runtime.numpy_api cimport ndarray
from minigrad._core.runtime.python_api cimport (PyObject, PyObject_GC_UnTrack, PyTuple_GET_ITEM, PyTuple_New,
                                                PyTuple_SET_ITEM, Py_INCREF)
from minigrad._core.runtime.thread_state cimport State, state

cdef enum:
    MANY = 16                   # calls with more arguments are not usual


def usual(function, tuple args not None, bint separate):
    """``function.apply(*args)``; NotImplemented where that is not one of the usual calls.

    With ``separate``, ``forward`` takes no ctx, and there is a ``setup_context``.
    """
    cdef State* st = state()
    cdef int grad_off = st.grad_off, i, n = len(args)
    cdef long long versions[MANY]
    cdef PyNode ctx
    cdef object output
    if st.active or st.forward or st.hooked or st.anomaly or st.listener != NULL or n > MANY:
        return NotImplemented
    for i in range(n):
        if isinstance(args[i], Tensor):
            if type((<Tensor>args[i]).payload) is not ndarray or (<Tensor>args[i]).inference:
                return NotImplemented
            versions[i] = version_now(<Tensor>args[i])
    ctx = <PyNode?>function._backward_cls()
    PyObject_GC_UnTrack(<PyObject*>ctx)             # Note [A ctx without attributes] in function_node.pyx
    begin(ctx, args)
    st.grad_off = 1
    try:
        if separate:
            output = function.forward(*args)
            function.setup_context(ctx, args, output)
        else:
            output = function.forward(ctx, *args)
    finally:
        st.grad_off = grad_off
    if settle(ctx, args, versions, output):
        return output
    return function._finish(ctx, args, [versions[i] if isinstance(args[i], Tensor) else None for i in range(n)]
                            if ctx.records else None, output, None)


cdef inline long long version_now(Tensor t) noexcept:
    return 0 if t.version is None else t.version.value


cdef bint settle(PyNode ctx, tuple args, long long* versions, object output) except -1:
    """Check what forward returned and declared, and attach the outputs; False, and nothing is done, if it is unusual.

    This is the part of `finish` that concerns new tensors of floating point.
    """
    cdef tuple results = output if type(output) is tuple else (output,)
    cdef int i
    cdef object saved = ctx.to_save
    if (ctx.dirty_tensors is not None or ctx.non_differentiable is not None
            or (isinstance(output, tuple) and type(output) is not tuple)):
        return False
    for i in range(len(args)):
        if isinstance(args[i], Tensor) and version_now(<Tensor>args[i]) != versions[i]:
            return False
    for x in results:
        if isinstance(x, Tensor) and not is_new(<Tensor>x, args):
            return False
    for x in <tuple?>saved if saved is not None else ():
        if x is not None and type((<Tensor?>x).payload) is not ndarray:
            return False
    ctx._stage = DONE
    if ctx.records:
        describe(ctx, args, results)
        for i in range(len(results)):
            if isinstance(results[i], Tensor):
                attach_output(ctx, results[i], i)
        if saved is not None:
            ctx._intermediates = intermediates(<tuple>saved, args, ctx.constants)
            keep(ctx, <tuple>saved)
        if ctx.attributes != NULL and holds_tensors(<dict>ctx.attributes):
            ctx._forward_cls._look_at_attributes(ctx, [id(x) for x in args], [id(x) for x in results])
    ctx.to_save = ctx.saved_for_forward = ctx.constants = None
    return True


cdef bint is_new(Tensor x, tuple args) except -1:
    """Is it a tensor of floating point, without history, and none of the arguments?"""
    cdef int i
    if (type(x.payload) is not ndarray or x.level or x.requires_grad_ or x.view is not None
            or not floating(<ndarray>x.payload)):
        return False
    for i in range(len(args)):
        if PyTuple_GET_ITEM(args, i) == <PyObject*>x:
            return False
    return True


cdef int describe(PyNode ctx, tuple args, tuple results) except -1:
    """Note shapes and dtypes of arguments and results, which backward will be checked against."""
    cdef tuple first = None
    ctx._arguments = shapes_and_dtypes(args, first)
    for one in ctx._arguments:
        first = one if first is None else first
    ctx._results = shapes_and_dtypes(results, first)
    ctx.n_outputs = len(results)
    return 0


cdef tuple shapes_and_dtypes(tuple several, tuple like):
    """The shape and dtype of each, which is often `like`, that of another tensor."""
    cdef tuple found = PyTuple_New(len(several))
    cdef object one
    cdef int i
    for i in range(len(several)):
        one = several[i]
        if isinstance(one, Tensor) and like is not None and has_shape_and_dtype(<ndarray>(<Tensor>one).payload, like):
            one = like
        else:
            one = shape_and_dtype(one)
        Py_INCREF(one)
        PyTuple_SET_ITEM(found, i, one)
    return untracked(found)


cdef object intermediates(tuple saved, tuple args, object constants):
    """The positions of saved tensors of floating point that are neither arguments, nor results, nor constant.

    A result is attached by now, and has a history.
    """
    cdef list found = None
    cdef set known = set() if constants is None else {id(x) for x in constants}
    cdef int i
    cdef Tensor t
    for i in range(len(saved)):
        if saved[i] is None:
            continue
        t = <Tensor>saved[i]
        if t.requires_grad_ or not floating(<ndarray>t.payload) or is_in(t, args) or id(t) in known:
            continue
        if found is None:
            found = []
        found.append(i)
    return () if found is None else found


cdef inline bint is_in(Tensor t, tuple several) noexcept:
    """Is it one of them, the object itself?"""
    cdef Py_ssize_t i
    for i in range(len(several)):
        if PyTuple_GET_ITEM(several, i) == <PyObject*>t:
            return True
    return False


cdef bint holds_tensors(dict attributes) except -1:
    for x in attributes.values():
        if isinstance(x, (Tensor, tuple, list, dict)):
            return True
    return False
