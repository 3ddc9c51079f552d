"""Dispatch: from a call to a result.

A call goes through five steps, and this file is in their order (between look and wrap is what they ask of the
arguments)::

    bind       arguments to the schema                          op_vectorcall
    look       which mode and level is this for?                 call, call_unheard, call_at_level
    compute    promote, run the kernel                           run, in computing.pyx
    wrap       arrays into Tensors                               wrap_outputs
    record     node, edges, what the formulas need               record

Most calls take the fast path of `call`: all tensors are ordinary ones, and no mode is on, such as inference mode, a
profiler or a transform.  Everything else it leaves to `call_general`, which does the same slowly for every case.

Three names recur.  `bound` are the arguments in schema order, as borrowed references.  `raw` are the same with the
payloads of tensors, for the kernel.  `mask` has a bit for each formula of the op: 1 where the input that it is for
requires grad.
"""

from cpython.ref cimport PyObject, Py_INCREF, Py_DECREF
from numpy cimport ndarray, npy_intp

import numpy as np

from minigrad._core.arguments cimport fits
from minigrad._core.errors import error
from minigrad._core.modes cimport ANOMALY, State, interpreter_of, state
from minigrad._core.profiling cimport OP, Listener, seq_now
from minigrad._core.symbols cimport Symbol, emit
from minigrad._core.graph cimport (INPUT, OUTPUT, PASSED, SEVERAL, VALUE, Node, Saved, Tensor, Version, View, catch_up,
                                   new_node, new_tensor, new_view, set_edge, set_fit, upward,
                                   version_of)
from minigrad._core.hooked cimport note_origin
from minigrad._core.packing cimport pack_slot
from minigrad._core.op cimport (FROM_DTYPE, FROM_INPUT, FROM_OUTPUT, FROM_SHAPE, MAX_PARAMS, NOTHING_FLOWS, OPTIONAL,
                                PLAIN, REFUSES, Slot, TENSOR, TENSORS, Op, above, bind_slowly, missing,
                                options_left_out, required, result_type, unfit)
from minigrad._core.computing cimport floating, run

cdef extern from "Python.h":
    int PyFloat_CheckExact(object)
    int PyLong_CheckExact(object)
    Py_ssize_t PyVectorcall_NARGS(size_t)
    PyObject* PyTuple_GET_ITEM_ "PyTuple_GET_ITEM"(object, Py_ssize_t)
    PyObject* type_of "(PyObject *)Py_TYPE"(object)
    PyObject* PyDict_GetItem(object, object)

cdef extern from "numpy/arrayobject.h":
    int PyArray_NDIM(ndarray) nogil
    npy_intp* PyArray_DIMS(ndarray) nogil
    npy_intp PyArray_SIZE(ndarray) nogil
    int PyArray_TYPE(ndarray) nogil
    PyObject* PyArray_BASE(ndarray) nogil


# ------------------------------------------------------------------------------ bind

cdef PyObject* op_vectorcall(PyObject* self, PyObject** args, size_t nargsf, PyObject* kwnames) except NULL:
    """`op(...)` from Python.  Without keywords, the usual case, the arguments stay on the C stack."""
    cdef Op op = <Op>self
    cdef Py_ssize_t n = PyVectorcall_NARGS(nargsf), i
    cdef PyObject* bound[MAX_PARAMS]
    cdef object out
    if kwnames == NULL and n <= op.n_positional:
        for i in range(n):
            bound[i] = args[i]
        for i in range(n, op.n_params):
            bound[i] = PyTuple_GET_ITEM_(op.defaults, i)
            if <object>bound[i] is required:
                raise missing(op, i)
        out = call(op, bound)
    elif bind_keywords(op, args, n, kwnames, bound):
        out = call(op, bound)
    else:
        positional = tuple([<object>args[i] for i in range(n)])
        keywords = {}
        if kwnames != NULL:
            keywords = {name: <object>args[n + i] for i, name in enumerate(<tuple>kwnames)}
        target = keywords.pop("out", None) if op.takes_out else None
        keep = bind_slowly(op, positional, keywords)            # owns what `bound` borrows
        for i in range(op.n_params):
            bound[i] = PyTuple_GET_ITEM_(keep, i)
        out = call(op, bound)
        if target is not None:
            out = write_out(op.shown, target, out, op.exact_out, keep)
    Py_INCREF(out)
    return <PyObject*>out


cdef bint bind_keywords(Op op, PyObject** args, Py_ssize_t n, PyObject* kwnames, PyObject** bound) except -1:
    """The same with keywords; False where there is an out=, or where `bind_slowly` has to say what is wrong."""
    cdef Py_ssize_t i, k
    cdef PyObject* position
    if kwnames == NULL or n > op.n_positional:
        return False
    for i in range(op.n_params):
        bound[i] = args[i] if i < n else NULL
    for k in range(len(<tuple>kwnames)):
        position = PyDict_GetItem(op.positions, (<tuple>kwnames)[k])
        if position == NULL or bound[<int><object>position] != NULL:
            return False
        bound[<int><object>position] = args[n + k]
    for i in range(n, op.n_params):
        if bound[i] == NULL:
            bound[i] = PyTuple_GET_ITEM_(op.defaults, i)
            if <object>bound[i] is required:
                return False
    return True


# ------------------------------------------------------------------------------ look

cdef object call(Op op, PyObject** bound):
    """The fast path: ordinary tensors and numbers, no mode on, one output."""
    cdef State* st = state()
    cdef PyObject* raw[MAX_PARAMS]
    cdef unsigned int mask = 0
    cdef int i
    cdef Tensor t, out
    cdef object x, r
    if st.active or op.list_output or op.outputs:
        return call_general(op, bound)
    for i in range(op.n_params):
        x = <object>bound[i]
        raw[i] = bound[i]
        if op.type_of[i] == PLAIN:
            if type_of(x) != op.expected[i] and bound[i] != PyTuple_GET_ITEM_(op.defaults, i):     # to be checked
                if isinstance(x, Tensor):
                    return call_general(op, bound)
                plain(op, i, x)
            continue
        if op.type_of[i] != TENSORS and isinstance(x, Tensor):
            t = <Tensor>x
            if type(t.payload) is not ndarray:                     # a tensor of a transform
                return call_general(op, bound)
            raw[i] = <PyObject*>t.payload
            if t.view is not None and not st.grad_off:
                upward.catch_up(t)
            if t.requires_grad_:
                if op.formula_of[i] >= 0:
                    mask |= 1u << op.formula_of[i]
                elif op.formula_of[i] == REFUSES and not st.grad_off:
                    raise no_derivative(op, i)
        elif not (op.promote is not None and op.type_of[i] == TENSOR                # a number in place of a tensor
                  and (PyFloat_CheckExact(x) or PyLong_CheckExact(x))):
            return call_general(op, bound)
    r = run(op, raw, op.n_params)
    out = new_tensor(r)
    if mask and not st.grad_off and floating(<ndarray>r):
        record(op, bound, mask, out, None)
    if op.is_view:
        become_view(op, bound, out)
    return out


cdef object call_general(Op op, PyObject** bound):
    """Every other case; if the thread has a listener, such as a profiler (profiling.pyx), it hears of the call."""
    return call_unheard(op, bound) if state().listener == NULL else call_heard(op, bound)


cdef object call_unheard(Op op, PyObject** bound):
    """The slow path: lists, arrays and Symbols (symbols.pyx) among the arguments, several outputs, modes and levels."""
    cdef State* st = state()
    cdef list keep = [<object>bound[i] for i in range(op.n_params)]     # owns what `full` borrows
    cdef list arrays = []
    cdef PyObject* full[MAX_PARAMS]
    cdef PyObject* raw[MAX_PARAMS]
    cdef unsigned int mask = 0
    cdef int i, level = 0
    cdef object x
    for i in range(op.n_params):
        x = keep[i]
        if op.type_of[i] == TENSORS:
            if not isinstance(x, (Symbol, list, tuple)):
                raise not_a_list(op, i, x)
            if type(x) is not Symbol:
                keep[i] = x = [None if y is None else as_operand(op, i, y, False) for y in x]
                for y in x:
                    if y is None:
                        continue
                    if isinstance(y, Symbol):
                        return emit(op, keep)
                    level = max(level, (<Tensor>y).level)
                    mask |= wanted(op, i, <Tensor>y, st)
        elif op.type_of[i] != PLAIN:
            if x is None and op.type_of[i] == OPTIONAL:
                continue
            keep[i] = x = as_operand(op, i, x, op.promote is not None)
            if isinstance(x, Tensor):
                level = max(level, (<Tensor>x).level)
                mask |= wanted(op, i, <Tensor>x, st)
        else:
            keep[i] = plain(op, i, x)
        if type(x) is Symbol:
            return emit(op, keep)
    if level:                           # inside a transform: the highest level decides what to do
        return call_at_level(op, keep, level)
    for i in range(op.n_params):
        full[i] = <PyObject*>keep[i]
        x = payload(op, i, keep[i])
        arrays.append(x)
        raw[i] = <PyObject*>x
    out = wrap_outputs(op, full, run(op, raw, op.n_params), mask if not st.grad_off and not st.inference else 0, 0)
    if st.forward:
        upward.carry(op, keep, out)
    return out


cdef object not_a_list(Op op, int i, object x):
    return error("MG205", f"{op.shown}(): argument '{op.params[i]}' must be a tuple or list of Tensors, not "
                          f"{type(x).__name__}")


cdef object call_heard(Op op, PyObject** bound):
    """The same, and the listener is told when the call begins and ends, and which node it made."""
    cdef State* st = state()
    cdef Listener listener = <Listener>st.listener
    cdef bint alone = st.active == 1
    cdef int event = listener.hear(op.shown, OP, seq_now(st), arguments_of(op, bound) if listener.shapes else None)
    if alone:                           # no other mode is on: switch the listener off, and take the fast path
        st.listener = NULL
        st.active = 0
    try:
        out = call(op, bound) if alone else call_unheard(op, bound)
        if isinstance(out, Tensor) and (<Tensor>out).node is not None:
            listener.made(event, (<Node>(<Tensor>out).node).seq)
        return out
    finally:
        if alone:
            st.active = 1
            st.listener = <PyObject*>listener
        listener.end(event)


cdef object call_at_level(Op op, list args, int level):
    """Let the interpreter of a transform's level handle the call; Note [Levels] in levels.pyx."""
    return the_interpreter(op, level).process(op, args, level)


cdef object the_interpreter(Op op, int level):
    """The interpreter of a level, or an error where its transform has ended."""
    found = interpreter_of(level)
    if found is None:
        raise transform_has_ended(op)
    return found


cdef object transform_has_ended(Op op):
    return error("MG117", f"{op.shown}(): an argument comes from a transform (vmap, grad, jvp ...) that has already "
                          "ended. Return it from the transformed function instead of storing it elsewhere.")


# ------------------------------------------------------------------------------ arguments

# What the call was given for each parameter: checked, as the kernel takes it, and whether a gradient will go there.

cdef object as_operand(Op op, int i, object x, bint number_allowed, bint inplace=False):
    """`x` as a Tensor (or number, or Symbol) for the tensor parameter `i`, or an error that names it."""
    cdef Tensor t
    if isinstance(x, Tensor):
        t = <Tensor>x
        if t.payload is None:
            raise error("MG205", f"{op.shown}(): argument '{op.params[i]}' is a Tensor without data")
        return x
    if isinstance(x, Symbol):
        return x
    if isinstance(x, (bool, int, float, complex)):
        if number_allowed:
            return x
    elif isinstance(x, np.generic):
        return x.item() if number_allowed else new_tensor(np.asarray(x))
    elif isinstance(x, np.ndarray) and number_allowed:
        return new_tensor(x if type(x) is ndarray
                          else np.asarray(unmasked(x, (op.written if inplace else op.shown) + "()")))
    raise not_a_tensor(op, i, x, inplace)


cdef object not_a_tensor(Op op, int i, object x, bint inplace):
    return error("MG205", f"{op.written if inplace else op.shown}(): argument '{op.params[i]}' (position "
                          f"{i + 1 - inplace}) must be Tensor, not {type(x).__name__}. Make a tensor of it with "
                          "torch.tensor(...).")


def unmasked(array, str where, str code="MG402"):
    """The array, or an error where it has a mask: a tensor has none, so what is masked would count again."""
    if isinstance(array, np.ma.MaskedArray):
        raise error(code, f"{where}: a masked array has no counterpart among tensors: its mask would be lost, and the "
                          "masked elements would count like the others. Say what they are to be, array.filled(0.0), "
                          "or leave them out, array.compressed()")
    return array


cdef object plain(Op op, int i, object x, bint inplace=False):
    """An argument for which the schema has no tensor, or an error that names it.

    A tensor without dims counts as its number, and a number of NumPy's as Python's.  A tensor of integers with dims
    passes: it may be a list of dims or sizes.
    """
    cdef object data
    if isinstance(x, Tensor):
        data = (<Tensor>x).payload
        if type(data) is ndarray and not floating(<ndarray>data) and PyArray_NDIM(<ndarray>data):
            return x
        x = number_given(op.shown, op.params[i], <Tensor>x)
    if not fits(op.takes[i], x):
        raise unfit(op, i, x, inplace)
    return x.item() if isinstance(x, np.generic) else x


cdef object number_given(str function, str argument, Tensor t):
    """The number that a tensor without dims stands for.

    An error where its gradient or tangent would be lost, whether grad mode is on or not.
    """
    if t.level and interpreter_of(t.level) is not None and interpreter_of(t.level).maps:
        return t.item()                 # mapped over by vmap, there are many values: item() has an error for that
    if t.level or t.requires_grad_ or (state().forward and upward.tangent_of(t) is not None):
        raise no_constant(function, argument)
    if t.payload.ndim:
        raise not_a_number(function, argument, t)
    return t.item()


cdef object no_constant(str function, str argument):
    return error("MG205", f"{function}(): argument '{argument}' must be Number, not Tensor: the function is not "
                          f"differentiable with respect to argument '{argument}', and its gradient would be lost. Pass "
                          f"{argument}.item() if it is meant as a constant; otherwise write the function out with "
                          "operators.")


cdef object not_a_number(str function, str argument, Tensor t):
    return error("MG205", f"{function}(): argument '{argument}' must be Number, not Tensor (of shape "
                          f"{list(t.payload.shape)})")


def as_number(str function, str argument, Tensor t not None):
    """`number_given`, for Python functions that are not rows."""
    return number_given(function, argument, t)


cdef unsigned int wanted(Op op, int i, Tensor t, State* st) except? 0xffffffff:
    """The bit in `mask` for `t` as argument `i`: that of its formula where it requires grad, else 0.

    An error where it requires grad, and the row has no formula although its gradient would matter.
    """
    if not st.grad_off:
        catch_up(t)
    if not t.requires_grad_ or op.formula_of[i] == NOTHING_FLOWS:
        return 0
    if op.formula_of[i] >= 0:
        return 1u << op.formula_of[i]
    if not st.grad_off:
        raise no_derivative(op, i)
    return 0


cdef object no_derivative(Op op, int i, bint inplace=False):
    name = op.params[i]
    return error("MG212", f"The function '{op.written if inplace else op.shown}' is not differentiable with respect "
                          f"to argument '{name}'. This input cannot have requires_grad True: the result depends on "
                          f"it, and its gradient would be lost. Pass {name}.detach() if it is "
                          "meant as a constant.")


cdef object payload(Op op, int i, object x):
    """Argument `i` as the kernel takes it: arrays for Tensors."""
    if op.type_of[i] == TENSORS:
        return [None if y is None else (<Tensor>y).payload for y in x]
    return (<Tensor>x).payload if op.type_of[i] != PLAIN and isinstance(x, Tensor) else x


cdef list arguments_of(Op op, PyObject** bound):
    """What a listener hears of: the arguments, without options that are left out."""
    cdef int n = op.n_plain if options_left_out(op, bound, op.n_params) else op.n_params
    return [<object>bound[i] for i in range(n)]


# ------------------------------------------------------------------------------ wrap

cdef object wrap_outputs(Op op, PyObject** bound, object r, unsigned int mask, int level):
    """What the kernel returned, as Tensors of `level`; recorded where `mask` is not 0."""
    cdef list outputs
    cdef Tensor out
    cdef int i
    cdef bint inference = state().inference
    if not op.list_output and not op.outputs:
        out = new_tensor(r)
        out.level = level
        if mask and differentiable(r):
            record(op, bound, mask, out, None)
        if op.is_view:
            become_view(op, bound, out)
        elif inference:
            out.inference = True
        return out
    outputs = []
    for payload in r:
        out = new_tensor(payload)
        out.level = level
        out.inference = inference and not op.is_view
        outputs.append(out)
    if mask and outputs and differentiable((<Tensor>outputs[0]).payload):
        record(op, bound, mask, None, outputs)
    if op.is_view:
        for out in outputs:
            become_view(op, bound, out)
            if not (<View>out.view).made_in:
                (<View>out.view).made_in = "several"
    if op.list_output:
        return tuple(outputs)
    return result_type(op)(*outputs)


cdef bint differentiable(object payload):
    return floating(<ndarray>payload) if type(payload) is ndarray else differentiable((<Tensor>payload).payload)


cdef int become_view(Op op, PyObject** bound, Tensor out) except -1:
    """`out` lies in the memory of the first argument: make it a view, with the same version and the same base."""
    cdef Tensor source = <Tensor>bound[0]
    if (type(out.payload) is ndarray and out.payload is not source.payload
            and not lies_in(<ndarray>out.payload, <ndarray>source.payload)):
        if op.may_copy or PyArray_SIZE(<ndarray>out.payload) == 0:
            return 0
        raise ValueError(f"{op.name}: its row is of the kind 'view', but its kernel copied: writes to the result "
                         "would not reach its input. It is 'linear', or may_copy=True where it depends on the strides")
    out.view = new_view(source, op, tuple([<object>bound[i] for i in range(1, op.n_params)]),
                        "no_grad" if state().grad_off else "")
    out.version = version_of(source)
    out.inference = source.inference
    return 0


cdef inline bint lies_in(ndarray part, ndarray whole) except -1:
    """Is `part` in the memory of `whole`?  Mostly NumPy names the same owner for both, and that settles it."""
    cdef PyObject* owner = PyArray_BASE(part)
    if owner == NULL:
        return False
    return owner == <PyObject*>whole or owner == PyArray_BASE(whole) or np.may_share_memory(part, whole)


# ------------------------------------------------------------------------------ record

cdef int record(Op op, PyObject** bound, unsigned int mask, Tensor out, list outputs, bint in_place=False) except -1:
    """Make the node of a call: edges to the inputs, and in its slots what the needed formulas name.

    There is one output, `out`, or a list of `outputs`.  An op that is not differentiable is not recorded, except for a
    write: that ends the history of the old value.
    """
    cdef Node n
    cdef int i, e
    cdef Tensor t
    cdef State* st
    if not op.recorded and not in_place:
        return 0
    e = op.n_formulas                   # an edge for each, and for a list of tensors one for each of them
    for i in range(op.n_tensors):
        if op.type_of[i] == TENSORS and op.formula_of[i] >= 0:
            e += len(<list>bound[i]) - 1
    n = new_node(op, e, op.n_slots if op.n_plain_slots == op.n_slots or not options_left_out(op, bound, op.n_params)
                 else op.n_plain_slots)
    e = 0
    for i in range(op.n_tensors):
        if op.formula_of[i] < 0:
            continue
        if op.type_of[i] == TENSORS:
            for t in <list>bound[i]:
                if t is not None:
                    link(op, n, e, t, out, outputs)
                e += 1
        else:
            if isinstance(<object>bound[i], Tensor):
                if not link(op, n, e, <Tensor>bound[i], out, outputs):
                    mask &= ~(1u << op.formula_of[i])       # no gradient goes there, so nothing is saved for it
            e += 1
    if out is not None:
        n.level = out.level
        out.node = n
        out.requires_grad_ = True
    else:
        n.several = True
        n.n_outputs = len(outputs)
        for i in range(n.n_outputs):
            t = <Tensor>outputs[i]
            n.level = t.level
            if op.list_output or op.differentiable >> i & 1:
                t.node = n
                t.nr = i
                t.requires_grad_ = True
    st = state()
    save(op, n, bound, mask, out, outputs, st.forward)
    if st.anomaly & ANOMALY:
        note_origin(n)
    if st.hooked:
        pack(op, n, bound, out, outputs, True, not in_place)    # in place, the result is not written yet
    return 0


cdef int pack(Op op, Node n, PyObject** bound, Tensor out, list outputs, bint arguments, bint own) except -1:
    """Hand saved tensors to the saved-tensor hooks, in the order of the slots: arguments, then own outputs."""
    cdef int k
    for k in range(n.n_saved):
        if op.slot[k].source == FROM_OUTPUT:
            if own and (n.saved[k].kind == OUTPUT or n.saved[k].kind == INPUT):
                pack_slot(n, k, out if out is not None else outputs[op.slot[k].index])
        elif not arguments:
            continue
        elif n.saved[k].kind == INPUT or n.saved[k].kind == PASSED or n.saved[k].kind == SEVERAL:
            pack_slot(n, k, <object>bound[op.slot[k].index])
    return 0


cdef int refuse_inference(Op op, PyObject** bound, unsigned int mask) except -1:
    """Raise if an inference tensor would be saved: nobody counts the writes to it."""
    cdef int i, k
    for i in range(op.n_tensors):
        if isinstance(<object>bound[i], Tensor) and (<Tensor>bound[i]).inference:
            for k in range(op.n_slots):
                if op.slot[k].source == FROM_INPUT and op.slot[k].index == i and op.slot[k].needed_by & mask:
                    raise made_in_inference_mode(op, i)
    return 0


cdef object made_in_inference_mode(Op op, int i):
    return error("MG112", "Inference tensors cannot be saved for backward. To work around you can make a clone to get "
                          f"a normal tensor and use it in autograd: the argument '{op.params[i]}' of {op.shown} was "
                          "made in inference mode.")


cdef inline int link(Op op, Node n, int e, Tensor t, Tensor out, list outputs) except -1:
    """Let edge `e` of `n` lead to the input `t`; 0 where no gradient goes there.

    If `t` has another dtype or shape than the output, the edge also gets the form (`fits`) to which fitting.pyx brings
    the gradient.  For an op that is not elementwise the shapes say nothing, and its formulas return the right one.
    """
    cdef ndarray a, b
    cdef int k
    if not t.requires_grad_ or t.level != (out.level if out is not None else (<Tensor>outputs[0]).level):
        return 0                # a tensor of a lower level is a constant here; it is recorded at its own level
    set_edge(n, e, t)
    if n.edges[e].node == NULL:
        return 0                # a view that was made in no_grad
    if type(t.payload) is not ndarray:
        set_fit(n, e, t)
        return 1
    a = <ndarray>t.payload
    if out is not None and type(out.payload) is ndarray:
        b = <ndarray>out.payload
    elif outputs is not None and len(outputs) and type((<Tensor>outputs[0]).payload) is ndarray:
        b = <ndarray>(<Tensor>outputs[0]).payload
    else:
        set_fit(n, e, t)
        return 1
    if PyArray_TYPE(a) != PyArray_TYPE(b):
        set_fit(n, e, t)
    elif op.elementwise:
        if PyArray_NDIM(a) != PyArray_NDIM(b):
            set_fit(n, e, t)
        else:
            for k in range(PyArray_NDIM(a)):
                if PyArray_DIMS(a)[k] != PyArray_DIMS(b)[k]:
                    set_fit(n, e, t)
                    break
    return 1


cdef int save(Op op, Node n, PyObject** bound, unsigned int mask, Tensor out, list outputs, bint forward) except -1:
    """Put what the needed formulas name into the slots.

    With `forward`, a dual level is open: inputs are saved as Tensors, since they may have tangents.
    """
    cdef int k
    cdef Slot* slot
    cdef Saved* s
    cdef object x
    cdef Tensor t
    cdef Version v
    for k in range(n.n_saved):
        slot = &op.slot[k]
        if not slot.needed_by & mask:
            continue
        s = &n.saved[k]
        if slot.source == FROM_OUTPUT:
            t = out if out is not None else <Tensor>outputs[slot.index]
            x = t.payload
            s.kind = OUTPUT
            s.nr = slot.index
            v = version_of(t)
            Py_INCREF(v)
            s.version = <PyObject*>v
            s.at = v.value
            if not (op.list_output or op.differentiable >> slot.index & 1 or out is not None):
                x = t                       # an output without history, such as indices: the tensor itself
                s.kind = INPUT
                Py_DECREF(v)
                s.version = NULL
        else:
            x = <object>bound[slot.index]
            s.kind = VALUE
            if slot.source == FROM_INPUT:
                if isinstance(x, Tensor):
                    if (<Tensor>x).inference:
                        refuse_inference(op, bound, mask)
                    s.at = 0 if (<Tensor>x).version is None else (<Tensor>x).version.value
                    t = <Tensor>x
                    if (t.node is not None and op.formula_of[slot.index] >= 0 and not op.has_list
                            and t.level == n.level and not forward):
                        # Its history is at the end of our edge; so the payload is enough, and spares the
                        # cyclic collector a Tensor for each node of a long chain.  Without lists, edges and
                        # formulas have the same numbers.
                        s.kind = PASSED
                        s.nr = op.formula_of[slot.index]
                        v = version_of(t)
                        Py_INCREF(v)
                        s.version = <PyObject*>v
                        x = t.payload
                    else:
                        s.kind = INPUT
                elif isinstance(x, list):
                    s.kind = SEVERAL
                    x = [(y, 0 if y is None or (<Tensor>y).version is None else (<Tensor>y).version.value) for y in x]
            elif slot.source == FROM_SHAPE:
                x = shape_of_payload(x)
            elif slot.source == FROM_DTYPE:
                x = (<Tensor>x).dtype
        Py_INCREF(x)
        s.value = <PyObject*>x
    return 0


cdef object shape_of_payload(object x):
    """The shape in a slot such as ``self_shape``; of a list of tensors, the list of theirs."""
    if isinstance(x, Tensor):
        return (<Tensor>x).payload.shape if type((<Tensor>x).payload) is ndarray else tuple(x.shape)
    if isinstance(x, (list, tuple)):
        return [None if y is None else tuple(y.shape) for y in x]
    return ()


# ------------------------------------------------------------------------------ what later files fill in

cdef object _write_out = None           # by outputs.pyx, at import


def register_write_out(function):
    global _write_out
    _write_out = function


cdef object write_out(str name, target, result, bint exact, arguments):
    """The call had ``out=``: its result goes into ``target``, which is returned."""
    return _write_out(name, target, result, exact, arguments)


above.call = <void*>op_vectorcall
