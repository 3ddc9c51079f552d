"""What a listener is told about operations: calls, and the steps of formulas.

Dispatch and formulas come here only if there is a listener (listener.pyx), and bring the functions that do the same
without one.  Listening never changes a result.
"""

from minigrad._core.dispatch.op cimport Op, options_left_out
from minigrad._core.dispatch.operands cimport operands
from minigrad._core.graph cimport Node, Tensor
from minigrad._core.graph.listener cimport OP, Listener, seq_now
from minigrad._core.runtime.numpy_api cimport ndarray
from minigrad._core.runtime.python_api cimport PyObject
from minigrad._core.runtime.thread_state cimport State, state


# ------------------------------------------------------------------------------ calls

cdef list arguments_of(Op op, PyObject** bound):
    """What a listener hears of: the arguments, without options that are left out."""
    cdef int n = op.n_plain if options_left_out(op, bound, op.n_params) else op.n_params
    return [<object>bound[i] for i in range(n)]


cdef object call_heard(Op op, PyObject** bound, Call call, Call call_unheard):
    """The listener is told when the call begins and ends, and which node it made."""
    cdef State* st = state()
    cdef Listener listener = <Listener>st.listener
    cdef bint alone = st.active == 1
    cdef list arguments = operands(op, bound, False) if listener.calls else None
    cdef object before = None
    cdef int event = listener.hear(op.shown, OP, seq_now(st), arguments_of(op, bound) if listener.shapes else None)
    if arguments is not None:
        before = listener.calling(op, arguments, False)
    if alone:                           # no other mode is on: switch the listener off, and take the fast path
        st.listener = NULL
        st.active = 0
    try:
        out = call(op, bound) if alone else call_unheard(op, bound)
        if isinstance(out, Tensor) and (<Tensor>out).node is not None:
            listener.made(event, (<Node>(<Tensor>out).node).seq)
    finally:
        if alone:
            st.active = 1
            st.listener = <PyObject*>listener
        listener.end(event)
    if arguments is not None:
        listener.called(op, arguments, before, out, False)
    return out


# ------------------------------------------------------------------------------ steps of formulas

cdef object step_heard(Op op, PyObject** args, int n, RunStep run_step):
    """If this is the thread that has a listener, it hears of what is done to arrays, not of `2 - 1`."""
    cdef State* st = state()
    cdef Listener listener
    cdef int i, event
    cdef list arguments
    if st.listener == NULL:
        return run_step(op, args, n)
    arguments = [<object>args[i] for i in range(n)]
    for x in arguments:
        if isinstance(x, (ndarray, list, tuple)):
            break
    else:
        return run_step(op, args, n)
    listener = <Listener>st.listener
    if op.parts is not None:
        return run_parts(op.parts, arguments, listener)
    event = listener.hear(op.shown, OP, 0, arguments if listener.shapes else None)
    try:
        return run_step(op, args, n)
    finally:
        listener.end(event)


cdef object run_parts(list parts, list arguments, Listener listener):
    """A step that does several things at once, done one after the other, so that the listener hears of each."""
    cdef int event
    for name, part in parts:
        event = listener.hear(name, OP, 0, arguments[:2] if listener.shapes else None)
        try:
            arguments = [*arguments, part(*arguments)]
        finally:
            listener.end(event)
    return arguments[-1]
