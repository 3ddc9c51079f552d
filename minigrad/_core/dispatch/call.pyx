"""Dispatch: from a call to a result.

A call goes through five steps, and this file is in their order::

    bind       arguments to the schema                          op_vectorcall
    look       what are they, and who wants a gradient?         call, and in full call_unheard
    compute    promote, run the kernel                          run, in compute.pyx
    wrap       arrays into Tensors                              wrapped, wrap_outputs
    record     node, edges, what the formulas need              record, link, save

Most calls take the fast path of `call`: all tensors are ordinary ones, and no mode is on, such as a profiler or a
transform.  Where an argument must first become what the op takes, as a list of sizes a tuple, `call_converting` does
the same with lists.  Everything else goes to `call_unheard`, which takes the same steps for every case.

Three names recur.  `bound` are the arguments in schema order, as borrowed references.  `raw` are the same with the
payloads of tensors, for the kernel.  `mask` has a bit for each formula of the op: 1 where the input that it is for
requires grad.

Note [Operands are owned]
-------------------------
A kernel reads the memory of arrays, and an array lives as long as somebody counts a reference to it.  The tensor does,
but it may be given another array at any time that other code runs: another thread while the kernel has let go of the
GIL, a ``__del__`` that the collector runs when memory is asked for, an ``__index__`` or ``__eq__`` of an argument::

    call(mul, x, y)                             meanwhile       x.data = z

    bound    x  y       the caller has them     x ---> [z]
    raw      |  |
             v  v
            [a][b]      one more reference each, from look to the end of run: [a] is still there
             |
             v
            [r]         new, ours               out ---> [r]    and record asks x and y again, for what is saved

So whoever takes the array of a tensor to give it to a kernel owns it until the kernel has returned: `call`, in
`arrays`; `call_converting` and `call_unheard`, in lists; `write_shortly` (write.pyx); `alter` (inplace_layouts.pyx); a
formula, in its registers (formulas.pyx); a step of an optimizer (optimizer_steps.pyx).  Kernels rely on it and count
nothing.  What a program then computes may be a mixture of old and new numbers, and never foreign memory.

Other arguments are the caller's, or in a list that is; strings and numbers are of Python's own classes by then
(`exact` in operands.pyx), so that to compare them runs no code.  Where the number of references decides whether an
array is used again in place, whoever decides says how many it expects.

operands.pyx checks the arguments and has the errors for them; view_history.pyx makes a result a view; the formulas that
are recorded here run in formulas.pyx, when the engine asks for them.
"""

import numpy as np

from minigrad._core.dispatch.arguments cimport A_FLOAT, A_NUMBER, INTS, OR_NONE, all_ints, gathered
from minigrad._core.dispatch.compute cimport floating, on_one_device, run, run_anywhere
from minigrad._core.dispatch.heard_calls cimport call_heard
from minigrad._core.dispatch.op cimport (FROM_DTYPE, FROM_INPUT, FROM_OUTPUT, FROM_SHAPE, MAX_PARAMS, PLAIN, REFUSES,
                                         TENSOR, TENSORS, Op, Slot, bind, bind_slowly, later, options_left_out,
                                         result_type)
from minigrad._core.dispatch.operands cimport (Inputs, from_the_first, next_input, operands, parameter, payloads_of,
                                               refuse_inference)
from minigrad._core.dispatch.symbols cimport Symbol, emit, has_symbol
from minigrad._core.dispatch.torch_function cimport overridden, unusual
from minigrad._core.errors.refusals import no_derivative, transform_has_ended
from minigrad._core.graph cimport (INPUT, OUTPUT, PASSED, SEVERAL, VALUE, Node, Saved, Tensor, Version, View,
                                   later as graph_later, new_node, new_tensor, new_view, set_edge, set_fit, untracked,
                                   version_of)
from minigrad._core.graph.hook_lists cimport note_origin
from minigrad._core.graph.saved_slots cimport saved_by
from minigrad._core.graph.saved_tensor_hooks cimport pack_slot
from minigrad._core.runtime.numpy_api cimport (PyArray_BASE, PyArray_DIMS, PyArray_NDIM, PyArray_SIZE, PyArray_TYPE,
                                               ndarray)
from minigrad._core.runtime.python_api cimport (PyFloat_CheckExact, PyList_New, PyList_SET_ITEM, PyLong_CheckExact,
                                                PyObject, PySequence_Fast_ITEMS, PyTuple_GET_ITEM, PyVectorcall_NARGS,
                                                Py_DECREF, Py_INCREF)
from minigrad._core.runtime.thread_state cimport (ANOMALY, State, drawing_level, innermost_level, interpreter_of,
                                                  records, state)

cdef extern from "Python.h":
    PyObject* class_of "(PyObject *)Py_TYPE"(object)


# ------------------------------------------------------------------------------ bind

cdef PyObject* op_vectorcall(PyObject* self, PyObject** args, size_t nargsf, PyObject* kwnames) except NULL:
    """`op(...)` from Python."""
    cdef Op op = <Op>self
    cdef Py_ssize_t n = PyVectorcall_NARGS(nargsf), i
    cdef PyObject* bound[MAX_PARAMS]
    cdef PyObject* front[MAX_PARAMS]
    cdef PyObject* target = NULL            # what was given as out=
    cdef object out, sizes
    if unusual(args, n, kwnames):
        out = overridden(op, args, n, kwnames)
        if out is not NotImplemented:
            Py_INCREF(out)
            return <PyObject*>out
    if op.spread >= 0 and n > op.spread and kwnames == NULL:    # x.view(2, 3) is x.view((2, 3))
        sizes = gathered(args + op.spread, n - op.spread)
        n = op.spread + 1
        for i in range(op.spread):
            front[i] = args[i]
        front[op.spread] = <PyObject*>sizes
        args = front
    if not bind(op, args, n, kwnames, bound, &target):
        positional = tuple([<object>args[i] for i in range(n)])
        keywords = {}
        if kwnames != NULL:
            keywords = {name: <object>args[n + i] for i, name in enumerate(<tuple>kwnames)}
        out = keywords.pop("out", None) if op.takes_out else None
        target = <PyObject*>out
        keep = bind_slowly(op, positional, keywords)            # owns what `bound` borrows
        for i in range(op.n_params):
            bound[i] = PyTuple_GET_ITEM(keep, i)
    out = call(op, bound) if target == NULL or <object>target is None else later.call_into(op, bound, <object>target)
    Py_INCREF(out)
    return <PyObject*>out


# ------------------------------------------------------------------------------ look, and compute

cdef enum Look:
    ORDINARY = 1
    TO_BE_CONVERTED             # there is an argument that becomes another: a list of sizes, an object with __index__
    GENERAL                     # a tensor of a transform, an array, a Symbol; or it is for the general way to refuse

cdef struct Operands:
    PyObject* raw[MAX_PARAMS]           # what the kernel takes
    PyObject* arrays[MAX_PARAMS]        # those of them that are payloads of tensors, owned
    int n                               # how many these are
    unsigned int mask

cdef extern from *:
    """
    /* The result of a function that was called as one that raises nothing: NULL means that it has raised. */
    #define mg_returned(result) (result)
    """
    object returned "mg_returned"(PyObject*)

# Called so that nothing is raised before the arrays are let go of; `try` would cost more than to own them.
ctypedef int (*LookInC)(Op, PyObject**, State*, Operands*) noexcept
ctypedef PyObject* (*RunInC)(Op, PyObject**, int) noexcept


cdef object call(Op op, PyObject** bound):
    """The fast path: ordinary tensors and numbers, and no mode on but inference mode."""
    cdef State* st = state()
    cdef Operands a
    cdef PyObject* result = NULL
    cdef int found
    if st.active > st.inference:
        return call_general(op, bound)

    # Look, and compute.
    a.n = 0
    found = (<LookInC>look)(op, bound, st, &a)
    if found == ORDINARY:
        result = (<RunInC>run)(op, a.raw, op.n_params)
    while a.n:
        a.n -= 1
        Py_DECREF(<object>a.arrays[a.n])
    if found > ORDINARY:
        return call_converting(op, bound) if found == TO_BE_CONVERTED else call_general(op, bound)
    return finished(op, bound, returned(result), a.mask, st)


cdef inline int look(Op op, PyObject** bound, State* st, Operands* a) except -1:
    """Own a payload for each tensor, and set a bit in the mask where it requires grad."""
    cdef PyObject* x                    # an argument, borrowed: whoever calls has it
    cdef PyObject* payload
    cdef unsigned int mask = 0
    cdef int i, n = 0
    for i in range(op.n_params):
        x = a.raw[i] = bound[i]
        if op.type_of[i] == PLAIN:
            if not is_usual(op, i, x):
                return TO_BE_CONVERTED
        elif op.type_of[i] == TENSORS:
            return TO_BE_CONVERTED
        elif isinstance(<object>x, Tensor):
            payload = <PyObject*>(<Tensor>x).payload
            if type(<object>payload) is not ndarray:
                return GENERAL
            Py_INCREF(<object>payload)
            a.arrays[n] = a.raw[i] = payload
            n += 1
            a.n = n
            mask |= wanted(op, i, <Tensor>x, st)
        elif not is_number_for_a_tensor(op, i, x):
            return GENERAL
    a.mask = mask
    return GENERAL if op.overloaded and not n else ORDINARY


cdef inline bint is_usual(Op op, int i, PyObject* x) except -1:
    """Is this what nearly all calls give for a parameter without a tensor, so that it can be taken as it is?"""
    cdef int takes = op.takes[i] & ~OR_NONE
    return (class_of(<object>x) == op.expected[i] or x == PyTuple_GET_ITEM(op.defaults, i)
            or (takes >= INTS and all_ints(x)) or (A_FLOAT <= takes <= A_NUMBER and PyLong_CheckExact(<object>x)))


cdef inline bint is_number_for_a_tensor(Op op, int i, PyObject* x) noexcept:
    return (op.or_number[i] and op.type_of[i] == TENSOR
            and (PyFloat_CheckExact(<object>x) or PyLong_CheckExact(<object>x)))


cdef object call_converting(Op op, PyObject** bound):
    """The same with arguments that become others: first they do, then it looks at the tensors.

    In this order, because an object's __index__ is Python code, which may give a tensor other data.
    """
    cdef State* st = state()
    cdef list args = owning(bound, op.n_params), payloads
    cdef unsigned int mask = 0
    cdef object x
    cdef int i
    cdef bint ordinary = True
    for i in range(op.n_params):
        if op.type_of[i] == PLAIN and not is_usual(op, i, bound[i]):
            if isinstance(<object>bound[i], (Tensor, Symbol)):
                ordinary = False
            else:
                args[i] = parameter(op, i, <object>bound[i], False)
    payloads = args[:]
    for i in range(op.n_tensors if ordinary else 0):
        x = payloads[i]
        if op.type_of[i] == PLAIN:
            continue
        if op.type_of[i] == TENSORS:
            if type(x) is list or type(x) is tuple:
                args[i] = list(x)
                payloads[i] = x = payloads_in(op, i, <list>args[i], st, &mask)
            ordinary = type(x) is list
        elif not isinstance(x, Tensor):
            ordinary = is_number_for_a_tensor(op, i, <PyObject*>x)
        elif type((<Tensor>x).payload) is ndarray:
            payloads[i] = (<Tensor>x).payload
            mask |= wanted(op, i, <Tensor>x, st)
        else:
            ordinary = False
        if not ordinary:
            break
    bound = PySequence_Fast_ITEMS(args)
    if not ordinary:
        return call_general(op, bound)
    return finished(op, bound, run(op, PySequence_Fast_ITEMS(payloads), op.n_params), mask, st)


cdef list owning(PyObject** bound, int n):
    cdef list args = PyList_New(n)
    cdef int i
    for i in range(n):
        Py_INCREF(<object>bound[i])
        PyList_SET_ITEM(args, i, <object>bound[i])
    return args


cdef inline object finished(Op op, PyObject** bound, object r, unsigned int mask, State* st):
    """Wrap, and record."""
    cdef Tensor out
    if not records(st):
        mask = 0
    if op.list_output or op.outputs:
        return wrap_outputs(op, bound, r, mask, 0)
    out = wrapped(op, bound, r, mask, 0)
    if st.inference and not op.is_view:
        out.inference = True
    return out


cdef list payloads_in(Op op, int i, list tensors, State* st, unsigned int* mask):
    """The payloads of ordinary tensors, whose bits join the mask; None where anything else is among them."""
    cdef list payloads = []
    for x in tensors:
        if x is None and op.types[i] == "Tensor?[]":
            payloads.append(None)
            continue
        if not isinstance(x, Tensor) or type((<Tensor>x).payload) is not ndarray:
            return None
        payloads.append((<Tensor>x).payload)
        mask[0] |= wanted(op, i, <Tensor>x, st)
    return payloads


cdef object call_general(Op op, PyObject** bound):
    """Every other case; if the thread has a listener, such as a profiler, it hears of the call (heard_calls.pyx)."""
    return call_unheard(op, bound) if state().listener == NULL else call_heard(op, bound, call, call_unheard)


cdef object call_unheard(Op op, PyObject** bound):
    """The same steps for every case: lists, arrays, Symbols among the arguments; several outputs; modes and levels."""
    cdef State* st = state()
    cdef list args, payloads, moved
    cdef unsigned int mask = 0
    cdef int level = 0
    cdef Inputs w = from_the_first()
    cdef object r, out
    if has_symbol(bound, op.n_params):                      # a formula is traced: nothing is computed (symbols.pyx)
        return emit(op, [<object>bound[i] for i in range(op.n_params)])

    # Look: Note [The walk over inputs] in operands.pyx.  The highest level decides what to do.
    args = operands(op, bound, False)
    while next_input(&w, op, PySequence_Fast_ITEMS(args)):
        if w.tensor != NULL:
            level = max(level, (<Tensor>w.tensor).level)
            mask |= wanted(op, w.i, <Tensor>w.tensor, st)
    if op.draws:                                            # for each example, though all have the same arguments
        level = max(level, drawing_level())
    if level:
        return the_interpreter(op, level).process(op, args, level)

    # Compute; wrap, and record.
    payloads = payloads_of(op, args, 0)
    moved = on_one_device(op, args, payloads)
    if moved is not None:
        args, payloads = moved, payloads_of(op, moved, 0)
    r = run_anywhere(op, PySequence_Fast_ITEMS(payloads))
    out = wrap_outputs(op, PySequence_Fast_ITEMS(args), r, mask if records(st) else 0, 0)
    if st.forward:
        graph_later.carry(op, args, out)
    return out


cdef object the_interpreter(Op op, int level):
    """The interpreter of a transform's level, which handles the call: Note [Levels] in levels.pyx."""
    found = interpreter_of(level)
    if found is None:
        raise transform_has_ended(op)
    return found


cdef inline unsigned int wanted(Op op, int i, Tensor t, State* st) except? 0xffffffff:
    """The bit in the mask for `t` as argument `i`: that of its formula where it requires grad, else 0.

    An error if it requires grad, and the row has no formula although its gradient would matter.
    """
    if t.view is not None and op.recorded and records(st):
        graph_later.catch_up(t)
    if not t.requires_grad_:
        return 0
    if op.formula_of[i] >= 0:
        return 1u << op.formula_of[i]
    if op.formula_of[i] == REFUSES and records(st):
        raise no_derivative(op, i)
    return 0


# ------------------------------------------------------------------------------ wrap

cdef inline Tensor wrapped(Op op, PyObject** bound, object r, unsigned int mask, int level):
    """An array as a Tensor of `level`; recorded where `mask` is not 0."""
    cdef Tensor out = new_tensor(r)
    out.level = level
    if mask and differentiable(r):
        record(op, bound, mask, out, None)
    if op.is_view:
        become_view(op, bound, out)
    elif op.is_linear:
        share_version(bound, out)
    return out


cdef object wrap_outputs(Op op, PyObject** bound, object r, unsigned int mask, int level):
    """The same for whatever a kernel returns: one array, a list of them, or several with names."""
    cdef bint inference = state().inference and not op.is_view
    cdef list outputs
    cdef Tensor out
    if not op.list_output and not op.outputs:
        out = wrapped(op, bound, r, mask, level)
        if inference:
            out.inference = True
        note_birth(out)
        return out
    outputs = []
    for payload in r:
        out = new_tensor(payload)
        out.level = level
        out.inference = inference
        outputs.append(out)
    if mask and outputs and differentiable((<Tensor>outputs[0]).payload):
        record(op, bound, mask, None, outputs)
    if op.is_view:
        for out in outputs:
            become_view(op, bound, out)
            if out.view is not None and not (<View>out.view).made_in:
                (<View>out.view).made_in = "several"
    for out in outputs:
        note_birth(out)
    return tuple(outputs) if op.list_output else result_type(op)(*outputs)


cdef inline int note_birth(Tensor out) except -1:
    """A transform may write to what was made inside it; see `may_be_lifted` in levels.pyx."""
    if state().levels != NULL:
        if out.view is None:
            out.born = innermost_level()
        if out.level:
            version_of(out)                 # that of the payload, which a view of it has, too
    return 0


cdef inline bint differentiable(object payload) except -1:
    """Can the dtype carry a gradient?"""
    while not isinstance(payload, ndarray):                 # a tensor of a transform
        payload = (<Tensor>payload).payload
    return floating(<ndarray>payload)


cdef int become_view(Op op, PyObject** bound, Tensor out) except -1:
    """`out` lies in the memory of the first argument: make it a view, of that or of its base, with the same version."""
    cdef Tensor source = <Tensor>bound[0]
    cdef object part = out.payload, whole = source.payload
    cdef str made_in
    while not isinstance(part, ndarray):                    # tensors of a transform
        part = (<Tensor>part).payload
    while not isinstance(whole, ndarray):
        whole = (<Tensor>whole).payload
    if part is not whole and not lies_in(<ndarray>part, <ndarray>whole):
        if op.may_copy or part is out.payload and PyArray_SIZE(<ndarray>part) == 0:
            return 0
        if part is out.payload:
            raise ValueError(f"{op.name}: its row is of the kind 'view', but its kernel copied: writes to the result "
                             "would not reach its input. It is 'linear', or may_copy=True where it depends on the "
                             "strides")
    out.version = version_of(source)
    out.inference = source.inference
    if records(state()):
        made_in = ""
    elif out.inference:                                     # no history can come to it later, either
        return 0
    else:
        made_in = "inference" if state().inference else "no_grad"
    out.view = new_view(source, op, tuple([<object>bound[i] for i in range(1, op.n_params)]), made_in)
    return 0


cdef inline int share_version(PyObject** bound, Tensor out) except -1:
    """A result that lies in the memory of the first argument, without being a view, changes with it: same version.

    Such are the steps of a backward pass: the transpose of a factor, a gradient spread over what was reduced.
    """
    cdef object part = out.payload, whole = <object>bound[0]
    if not isinstance(whole, Tensor):       # a list of them, or a number
        return 0
    while not isinstance(part, ndarray):
        part = (<Tensor>part).payload
    while not isinstance(whole, ndarray):
        whole = (<Tensor>whole).payload
    if part is whole or lies_in(<ndarray>part, <ndarray>whole):
        out.version = version_of(<Tensor>bound[0])
    return 0


cdef inline bint lies_in(ndarray part, ndarray whole) except -1:
    """Is `part` in the memory of `whole`?  Mostly NumPy names the same owner for both, and that settles it."""
    cdef PyObject* owner = PyArray_BASE(part)
    if owner == NULL:
        return False
    if owner == <PyObject*>whole or owner == PyArray_BASE(whole):
        return True
    if type(part) is not ndarray:               # on another device, a view is made by way of ordinary arrays
        while owner != NULL and isinstance(<object>owner, ndarray):
            if owner == <PyObject*>whole or owner == PyArray_BASE(whole):
                return True
            owner = PyArray_BASE(<ndarray>owner)
    return np.may_share_memory(part, whole)


# ------------------------------------------------------------------------------ record

cdef int record(Op op, PyObject** bound, unsigned int mask, Tensor out, list outputs, bint in_place=False) except -1:
    """Make the node of a call: edges to the inputs, and in its slots what the needed formulas name.

    There is one output, `out`, or a list of `outputs`.  An op that is not differentiable is not recorded, except for a
    write: that ends the history of the old value.
    """
    cdef Node n
    cdef int i
    cdef Tensor t
    cdef Inputs w = from_the_first()
    cdef State* st = state()
    if not op.recorded and not in_place:
        return 0
    n = new_node(op, edges_of(op, bound), slots_of(op, bound))

    # Edges to the inputs.  Where no gradient goes to an input, nothing is saved for its formula.
    while next_input(&w, op, bound):
        if w.tensor != NULL and op.formula_of[w.i] >= 0 and not link(op, n, w.edge, <Tensor>w.tensor, out, outputs):
            if op.type_of[w.i] != TENSORS:
                mask &= ~(1u << op.formula_of[w.i])

    # From the outputs to the node.
    if out is not None:
        n.level = out.level
        out.node = n
        out.requires_grad_ = True
    else:
        n.several = True
        n.n_outputs = len(outputs) if op.list_output else op.n_flowing      # hooks see no gradients of indices behind
        for i in range(n.n_outputs):
            t = <Tensor>outputs[i]
            n.level = t.level
            if op.list_output or op.differentiable >> i & 1:
                t.node = n
                t.nr = i
                t.requires_grad_ = True

    # What the formulas need.
    save(op, n, bound, mask, out, outputs, st.owners != NULL)
    if st.anomaly & ANOMALY:
        note_origin(n)              # the line of the user's program, for an error in the backward pass
    if st.hooked:                   # saved-tensor hooks are on
        pack(op, n, bound, out, outputs, True, not in_place)    # in place, the result is not written yet
    return 0


cdef inline int edges_of(Op op, PyObject** bound) except -1:
    """An edge for each formula; for a list of tensors, one for each of them."""
    cdef int i, many = op.n_formulas
    if op.has_list:
        for i in range(op.n_tensors):
            if op.type_of[i] == TENSORS and op.formula_of[i] >= 0:
                many += len(<list>bound[i]) - 1
    return many


cdef inline int slots_of(Op op, PyObject** bound) noexcept:
    """How many slots.  Those of options come last, and a call without options has none: Note [Options] in op.pyx."""
    if op.n_plain_slots == op.n_slots or not options_left_out(op, bound, op.n_params):
        return op.n_slots
    return op.n_plain_slots


cdef inline int link(Op op, Node n, int e, Tensor t, Tensor out, list outputs) except -1:
    """Let edge `e` of `n` lead to the input `t`; 0 where no gradient goes there.

    If `t` has another dtype or shape than the output, the edge also gets the form (`fits`) to which fitting.pyx brings
    the gradient.  For an op that is not elementwise the shapes say nothing, and its formulas return the right one.
    """
    cdef ndarray a, b
    cdef PyObject* target
    cdef int k
    if not t.requires_grad_ or t.level != (out.level if out is not None else (<Tensor>outputs[0]).level):
        return 0                # a tensor of a lower level is a constant here; it is recorded at its own level
    target = NULL
    if t.view is None:          # the usual case, without a call
        target = <PyObject*>t.node if t.node is not None else t.accumulator
    if target != NULL:
        Py_INCREF(<object>target)
        n.edges[e].node = target
        n.edges[e].nr = t.nr
    else:
        set_edge(n, e, t)
        if n.edges[e].node == NULL:
            return 0            # a view that was made in no_grad
    if type(t.payload) is not ndarray:
        set_fit(n, e, t)
        return 1
    a = <ndarray>t.payload
    if out is not None and type(out.payload) is ndarray:
        b = <ndarray>out.payload
    elif outputs is not None and len(outputs) and type((<Tensor>outputs[max(op.only, 0)]).payload) is ndarray:
        b = <ndarray>(<Tensor>outputs[max(op.only, 0)]).payload             # the one that a gradient comes from
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
            v = version_of(t)
            s.at = v.value
            s.nr = slot.index
            if out is not None or op.differentiable >> slot.index & 1:
                s.kind = OUTPUT
                Py_INCREF(v)
                s.version = <PyObject*>v
                x = t.payload
                saved_by(v, n, x)
            else:                           # an output without history, such as indices: the tensor itself
                s.kind = INPUT
                x = t
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
                        saved_by(v, n, x)
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
        return untracked((<Tensor>x).payload.shape) if isinstance((<Tensor>x).payload, ndarray) else tuple(x.shape)
    if isinstance(x, (list, tuple)):
        return [None if y is None else tuple(y.shape) for y in x]
    return ()


cdef int pack(Op op, Node n, PyObject** bound, Tensor out, list outputs, bint arguments, bint own) except -1:
    """Hand what was saved to the saved-tensor hooks: of the `arguments`, and of the node's `own` outputs.

    A write does this in two steps, since its result is not there yet when it is recorded (write.pyx).
    """
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


later.call = <void*>op_vectorcall
