"""Writing into tensors: ``x += 1``, ``x.mul_(y)``.

Note [The write protocol]
-------------------------
An in-place operation is the op itself, whose result goes into the memory of its first argument, the *target*.  It takes
five steps, in an order that matters::

    y = x.exp()                  y [ 1 2 3 ]    version 0    y.grad_fn  Exp             which saved y, at version 0
    y.mul_(w)

    1  check                     nothing has changed yet, so anything can still be refused              write_checks.pyx
    2  compute   y * w     ->      [ 2 4 6 ]    in memory of its own
    3  record                                                y.grad_fn  Mul -> Exp      which saves w, and a copy of
                                                                                        the y of before: [ 1 2 3 ]
    4  write                     y [ 2 4 6 ]
    5  count                                    version 1    Exp will find its y modified (MG101), and views of y
                                                             will find their history out of date

*Check and compute come first* because an operation that raises has changed nothing, and kernels can raise too.

*Record comes before write* because the node saves what its formulas need as it is before the write.  There are three
cases.  If a formula needs the old value of the target, the node saves a copy.  Other tensors that share the memory of
the target, such as the second y of y.mul_(y), are saved like any input, with the version before the write; the
backward pass will find them modified, which is true, as their old values are gone.  If a formula needs the *result*,
the node saves the memory of the target with the version after the write.

The node of a write is an ordinary node of the op, with an edge to the node that the target had before.  It becomes the
grad_fn of the target; if the target is a view, it becomes the inner node of a CopySlices, which becomes the grad_fn of
the base (Note [Views] in view_history.pyx).

*Counting is all that others see.*  A write does not look for the views and the saved tensors that share the memory.  It
counts, and they compare versions when they are next used.

If nothing is recorded, most of this is idle: see the short way, below.
"""

from libc.string cimport memmove

import numpy as np

from minigrad._core.dispatch.call cimport pack, record, the_interpreter
from minigrad._core.dispatch.compute cimport floating, on_one_device, run, run_anywhere, run_into
from minigrad._core.dispatch.heard_calls cimport arguments_of
from minigrad._core.dispatch.op cimport (FROM_INPUT, FROM_OUTPUT, MAX_PARAMS, PLAIN, REFUSES, TENSOR, TENSORS, Op,
                                         options_left_out)
from minigrad._core.dispatch.operands cimport (Inputs, from_the_first, next_input, operand, parameter, payloads_of,
                                               refuse_inference)
from minigrad._core.errors import error
from minigrad._core.errors.refusals import no_derivative, written_from_another_device
from minigrad._core.forward.dual_tensors cimport before_writing, owner_of, remember, tangent_of, tangents_after
from minigrad._core.forward.dual_tensors import set_tangent
from minigrad._core.graph cimport (OUTPUT, Node, Tensor, Version, catch_up, count_write, may_require, new_tensor,
                                   version_of)
from minigrad._core.graph.hook_lists cimport replace_history
from minigrad._core.graph.listener cimport OP, Listener, seq_now
from minigrad._core.graph.saved_tensor_hooks cimport before_write
from minigrad._core.graph.view_history cimport rebase
from minigrad._core.inplace.inplace_layouts cimport alter, old_self
from minigrad._core.inplace.write_checks cimport (check_apart, check_history, check_locations, check_memory,
                                                  check_result, overlaps, put_at_places, warn_expanded)
from minigrad._core.kernels.loops.copies cimport copy_elements
from minigrad._core.kernels.loops.numpy_loops cimport binary as binary_loop, binary_into, same_shape
from minigrad._core.kernels.shapes.memory_overlap cimport side_by_side
from minigrad._core.runtime.errstate cimport silence, unsilence
from minigrad._core.runtime.numpy_api cimport (NPY_ARRAY_CARRAY, NPY_ARRAY_CARRAY_RO, NPY_DOUBLE, NPY_FLOAT,
                                               PyArray_CHKFLAGS, PyArray_DATA, PyArray_ISCARRAY, PyArray_ISCARRAY_RO,
                                               PyArray_NBYTES, PyArray_TYPE, ndarray)
from minigrad._core.runtime.python_api cimport (PyFloat_CheckExact, PyLong_CheckExact, PyObject, PySequence_Fast_ITEMS,
                                                PyTuple_GET_ITEM, Py_DECREF, Py_INCREF)
from minigrad._core.runtime.thread_state cimport State, records, state

cdef extern from "Python.h":
    PyObject* class_of "(PyObject *)Py_TYPE"(object)


# ------------------------------------------------------------------------------ the protocol

cdef object write(Op op, PyObject** bound):
    """target = op(target, ...), written into the memory of target; returns the target."""
    cdef State* st = state()
    cdef Listener listener
    cdef list arguments = None
    cdef int event, i
    cdef object before = None, out
    if st.listener == NULL:
        return write_now(op, bound, st)
    listener = <Listener>st.listener
    if listener.calls:
        arguments = [the_target(op, <object>bound[0]), *[operand(op, i, <object>bound[i], True)
                                                         for i in range(1, op.n_params)]]
    event = listener.hear(op.written, OP, seq_now(st), arguments_of(op, bound) if listener.shapes else None)
    try:
        if arguments is not None:
            before = listener.calling(op, arguments, True)
        out = write_now(op, bound, st)
    finally:
        listener.end(event)
    if arguments is not None:
        listener.called(op, arguments, before, out, True)
    return out


cdef object write_now(Op op, PyObject** bound, State* st):
    """The short way if it is open, else all five steps."""
    cdef Tensor target = the_target(op, <object>bound[0])
    cdef int i
    if op.is_view:
        return alter(op, target, tuple([operand(op, i, <object>bound[i], True)
                                        for i in range(1, op.n_params)]))
    if write_shortly(op, target, bound, st):
        return target
    return write_in_full(op, target, bound, st)


cdef object write_in_full(Op op, Tensor target, PyObject** bound, State* st):
    """Every write, step by step: Note [The write protocol]."""
    cdef list args = [target] + [operand(op, i, <object>bound[i], True) for i in range(1, op.n_params)]
    cdef list payloads, moved
    cdef PyObject** raw                 # the payloads, borrowed
    cdef unsigned int mask = 0          # a bit for each formula that will run
    cdef int i, level
    cdef bint at_places                 # into an expanded tensor
    cdef object memory, result = None, tangent = None, whole = None
    cdef tuple before
    cdef Version version
    level = highest_level(op, args) if st.active or target.level else 0
    if level:
        return the_interpreter(op, level).write(op, args, level)

    # Check.
    if records(st) and may_be_recorded(op, args):
        check_history(op.written, target)
        check_locations(op.written, target, takes_one_number(op))
        mask = formulas_to_run(op, args)
    at_places = check_memory(op, target, st)
    if at_places:
        warn_expanded(op.written)
    if op.apart:
        for i in range(1, op.n_tensors):
            if not op.read_first >> i & 1:
                check_apart(op, target, args[i])
    if op.elementwise:                  # other kernels read everything before anything is written
        for i in range(1, op.n_params):
            if not op.read_first >> i & 1:
                overlaps(op, target, args[i])

    # Compute, unless the result can go straight into the memory.
    payloads = payloads_of(op, args, 0)
    moved = on_one_device(op, args, payloads)
    if moved is not None:
        if moved[0] is not target:
            raise written_from_another_device(op.shown, target.device, moved[0].device)
        args, payloads = moved, payloads_of(op, moved, 0)
    raw = PySequence_Fast_ITEMS(payloads)
    memory = payloads[0]                # to be written to, whatever data the target is given meanwhile
    if (st.hooked or at_places or not options_left_out(op, raw, op.n_params)
            or not loop_can_write(op, memory, <object>raw[op.n_plain - 1])):
        result = run_anywhere(op, raw)
        check_result(op, memory.shape, memory.dtype, result.shape, result.dtype)
        if type(result) is not ndarray and type(memory) is ndarray:
            result = (<object>result).values(op.written)        # raises where there are no numbers

    # In forward mode, the new tangent is computed before anything changes: that may raise.
    if st.forward:
        before = before_writing(op, args, mask != 0)
        if before is not None:
            check_locations(op.written, target, takes_one_number(op))
            if result is None:
                result = run_anywhere(op, raw)
            tangent, whole = tangents_after(op, before, target, as_written(op, before[0], mask, target, result))

    # Record.
    version = version_of(target)
    if mask:
        record_write(op, args, mask, target, result, tangent)

    # Write, and count.
    if version.keepers != NULL:
        before_write(version)
    if at_places:
        put_at_places(op, memory, result, payloads)
    elif result is not None or binary_into(&op.loop, memory, <object>raw[1], memory) is None:
        put(memory, run_anywhere(op, raw) if result is None else result)
    count_write(version)
    if whole is not None:
        owner_of(target).tangent = whole
    if mask and target.hooks is not None:
        catch_up(target)                # its hooks stay with the old value, or move to the new one
    return target


cdef inline bint takes_one_number(Op op) noexcept:
    """True if one number fills the target: the gradient of its old value is zero, and no other tensor takes part."""
    return op.same_everywhere and op.n_formulas == 1


cdef int put(ndarray to, ndarray result) except -1:
    """Copy the result into the memory of the target; an overflow in a cast gives inf, and no warning."""
    if type(to) is not ndarray:         # of another device, which knows how
        (<object>to).put(result)
        return 0
    if like(to, result):
        memmove(PyArray_DATA(to), PyArray_DATA(result), PyArray_NBYTES(to))
        return 0
    if PyArray_TYPE(to) == PyArray_TYPE(result):
        copy_elements(to, result)
        return 0
    quiet = silence()
    try:
        copy_elements(to, result)
    finally:
        unsilence(quiet)
    return 0


cdef inline bint like(ndarray to, ndarray result) noexcept:
    """Are both contiguous, of one dtype and of one size?"""
    return (PyArray_TYPE(to) == PyArray_TYPE(result) and PyArray_ISCARRAY(to) and PyArray_ISCARRAY_RO(result)
            and PyArray_NBYTES(to) == PyArray_NBYTES(result))


# ------------------------------------------------------------------------------ what the protocol asks of the arguments

# The arguments are checked like those of any call (operands.pyx), but errors name the in-place form, and the target
# must be a tensor.  Then two questions are asked of the tensors among them: to which level does the write belong, and
# which formulas will run?

cdef Tensor the_target(Op op, object x):
    """The first argument, if it can be written into at all."""
    if not isinstance(x, Tensor):
        raise not_a_target(op, x)
    if (<Tensor>x).payload is None:
        raise without_data(op)
    return <Tensor>x


cdef int highest_level(Op op, list args) except -1:
    """The level to which the write belongs: Note [Levels] in levels.pyx."""
    cdef int level = 0
    cdef Inputs w = from_the_first()
    while next_input(&w, op, PySequence_Fast_ITEMS(args)):
        if w.tensor != NULL:
            level = max(level, (<Tensor>w.tensor).level)
    return level


cdef bint may_be_recorded(Op op, list args) except -1:
    """True if an argument requires grad, or will once it has caught up, and the target can have a gradient.

    No history is brought up to date here, as it may turn out that the write must be refused.
    """
    cdef Inputs w = from_the_first()
    if not floating(<ndarray>(<Tensor>args[0]).payload):
        return False                    # integers have no gradient, whatever is written there
    while next_input(&w, op, PySequence_Fast_ITEMS(args)):
        if w.tensor != NULL and may_require(<Tensor>w.tensor):
            return True
    return False


cdef unsigned int formulas_to_run(Op op, list args) except? 0xffffffff:
    """A bit for each formula whose input requires grad."""
    cdef unsigned int mask = 0
    cdef Inputs w = from_the_first()
    while next_input(&w, op, PySequence_Fast_ITEMS(args)):
        if w.tensor != NULL and requires_now(<Tensor>w.tensor):
            mask |= formula_bit(op, w.i)
    return mask


cdef bint requires_now(Tensor t) except -1:
    """True if `t` requires grad, after it has caught up."""
    catch_up(t)
    return t.requires_grad_ != 0


cdef unsigned int formula_bit(Op op, int i) except? 0xffffffff:
    """The bit of the formula for argument `i`; 0 if no gradient flows there."""
    if op.formula_of[i] == REFUSES:
        raise no_derivative(op, i, True)
    return 1u << op.formula_of[i] if op.formula_of[i] >= 0 else 0


# ------------------------------------------------------------------------------ record

# The third step.  The first argument of the node is not the target, which is about to become its output, but a
# tensor that is what the target was (`old_self`): the old history, and the same memory, or a copy of it if a formula
# needs the old value.

cdef int record_write(Op op, list args, unsigned int mask, Tensor target, object result, object tangent) except -1:
    """The target becomes the output of a new node.  Whatever can raise comes before its history changes."""
    cdef Tensor before = old_self(target, target.payload)
    cdef Tensor out = new_tensor(target.payload)
    cdef PyObject* bound[MAX_PARAMS]
    cdef list keep = []                 # owns what `bound` borrows
    cdef int i
    cdef Node n

    # The arguments, with the target as it is before the write.
    held = tangent_of(target) if state().forward else None
    if held is not None:
        set_tangent(before, held)
    for i in range(op.n_params):
        x = args[i]
        if x is target:
            x = before
        elif op.type_of[i] == TENSORS:
            x = [before if y is target else y for y in x]
        keep.append(x)
        bound[i] = <PyObject*>x
    if saves_target(op, mask):
        before = old_self(target, target.payload.copy("K"))
        before.version = None           # no other tensor has this memory
        if held is not None:
            set_tangent(before, held)
        bound[0] = <PyObject*>before
    refuse_inference(op, bound, mask)

    # The node.  Its result will be in the target's memory, at the version that the write makes.
    out.version = version_of(target)
    record(op, bound, mask, out, None, True)
    n = <Node>out.node
    n.in_place = True
    for i in range(n.n_saved):
        if n.saved[i].kind == OUTPUT:
            n.saved[i].at += 1
    if state().hooked:
        show_result(op, n, target, result)
    if tangent is not None:
        remember(n, 0, tangent)

    # The history.
    if target.view is None:
        replace_history(target, n, 0)
    else:
        rebase(target, n, 0)
    return 0


cdef Tensor as_written(Op op, list args, unsigned int mask, Tensor target, ndarray result):
    """A tensor like the target after the write, in other memory; `args` are as they are before the write."""
    cdef Tensor written
    cdef int k
    if like(target.payload, result):
        written = new_tensor(result)
    else:
        written = new_tensor(target.payload.copy("K"))
        put(written.payload, result)
    for k in range(op.n_slots):
        if op.slot[k].source == FROM_OUTPUT and mask:       # the tangent's own history may lead through the result
            record(op, PySequence_Fast_ITEMS(args), mask, written, None)
            break
    return written


cdef bint saves_target(Op op, unsigned int mask) noexcept:
    """True if a formula that will run needs the old value of the target."""
    cdef int k
    for k in range(op.n_slots):
        if op.slot[k].source == FROM_INPUT and op.slot[k].index == 0 and op.slot[k].needed_by & mask:
            return True
    return False


cdef int show_result(Op op, Node n, Tensor target, object result) except -1:
    """Hand the result to the pack hooks, as a tensor of its own: the target does not hold it yet."""
    cdef Tensor own = new_tensor(result.astype(target.payload.dtype, copy=False))
    own.node = n
    own.requires_grad_ = True
    return pack(op, n, NULL, own, None, False, True)


# ------------------------------------------------------------------------------ the short way

# A plain write, x.mul_(2) without history, is the inner loop of every optimizer, and most of the protocol is idle in
# it.  If no gradient and no tangent is wanted, three steps are left, and where a kernel in C can write where it reads,
# none of them needs memory of its own:
#
#     check                     check_memory, may_write_at_once
#     compute and write         run_into(target, others -> target)
#     count                     count_write
#
# A recorded write can save the memory of its result in the same way; but it must be known beforehand that the loop will
# not refuse (`loop_can_write`), as the history changes first.

cdef bint write_shortly(Op op, Tensor target, PyObject** bound, State* st) except -1:
    """Write, if nothing is recorded and all arguments are ordinary; False leaves it to `write_in_full`."""
    cdef PyObject* raw[MAX_PARAMS]
    cdef tuple keep                     # owns what stands for an argument
    cdef int i
    if st.forward or type(target.payload) is not ndarray or (records(st) and may_require(target)):
        return False
    keep = ordinary(op, bound, raw, 1, records(st))
    if keep is None:
        return False
    for i in range(op.n_tensors):       # at once: Note [Operands are owned] in call.pyx
        Py_INCREF(<object>raw[i])
    try:
        return write_ordinary(op, target, bound, raw, st)
    finally:
        for i in range(op.n_tensors):
            Py_DECREF(<object>raw[i])


cdef inline bint write_ordinary(Op op, Tensor target, PyObject** bound, PyObject** raw, State* st) except -1:
    """Into the array that the target had when `raw` was filled; False where copies must be taken before."""
    cdef ndarray memory = <ndarray>raw[0]
    cdef Version version = version_of(target)
    cdef object result
    if version.keepers != NULL:
        return False
    if check_memory(op, target, st):
        return False
    if not may_write_at_once(op, target, bound) or not run_into(op, raw, op.n_params, memory):
        result = run(op, raw, op.n_params)
        check_result(op, (<object>memory).shape, (<object>memory).dtype, result.shape, result.dtype)
        put(memory, result)
    count_write(version)
    return True


cdef tuple ordinary(Op op, PyObject** bound, PyObject** raw, int first, bint recording):
    """Fill `raw` with what the kernel takes; None unless all arguments, from the `first` on, are ordinary ones.

    Ordinary are arrays in tensors, none of which requires grad while that is `recording`, and plain numbers.  The
    result owns what `raw` has in place of another object.
    """
    cdef tuple keep = ()
    cdef PyObject* x
    cdef int i
    for i in range(first, op.n_params):
        x = raw[i] = bound[i]
        if op.type_of[i] == PLAIN:
            if class_of(<object>x) != op.expected[i] and x != PyTuple_GET_ITEM(op.defaults, i):
                if isinstance(<object>x, Tensor):
                    return None
                keep = (parameter(op, i, <object>x, first > 0), keep)
                raw[i] = PyTuple_GET_ITEM(keep, 0)
        elif isinstance(<object>x, Tensor):
            if recording and may_require(<Tensor>x):
                return None
        elif not (op.or_number[i] and op.type_of[i] == TENSOR               # a number for a tensor
                  and (PyFloat_CheckExact(<object>x) or PyLong_CheckExact(<object>x))):
            return None
    for i in range(op.n_params):        # last: an object's __index__ may have given any tensor other data
        if isinstance(<object>bound[i], Tensor):
            raw[i] = <PyObject*>(<Tensor>bound[i]).payload
            if type(<object>raw[i]) is not ndarray:
                return None
    return keep


cdef bint may_write_at_once(Op op, Tensor target, PyObject** bound) except -1:
    """May elements be written while others are still to be read?  Raises where PyTorch refuses the whole write."""
    cdef bint at_once = op.elementwise
    cdef int i
    if op.apart:
        for i in range(1, op.n_tensors):
            if not op.read_first >> i & 1:
                check_apart(op, target, <object>bound[i])
    if op.elementwise:                  # other kernels read everything before anything is written
        for i in range(1, op.n_tensors):
            if op.type_of[i] == PLAIN or not isinstance(<object>bound[i], Tensor):
                continue
            if op.read_first >> i & 1:
                at_once = at_once and side_by_side(target.payload, (<Tensor>bound[i]).payload)
            elif overlaps(op, target, <object>bound[i]):
                at_once = False
    return at_once


cdef bint loop_can_write(Op op, ndarray target, object other) except -1:
    """True if a loop can compute the result in the target's memory, where it is sure to fit."""
    return (op.n_plain == 2 and op.fast == binary_loop and type(target) is ndarray and type(other) is ndarray
            and (PyArray_TYPE(target) == NPY_FLOAT or PyArray_TYPE(target) == NPY_DOUBLE)
            and PyArray_TYPE(<ndarray>other) == PyArray_TYPE(target) and same_shape(target, <ndarray>other)
            and PyArray_CHKFLAGS(target, NPY_ARRAY_CARRAY) and PyArray_CHKFLAGS(<ndarray>other, NPY_ARRAY_CARRAY_RO))


# ------------------------------------------------------------------------------ what the errors say

cdef object not_a_target(Op op, object x):
    return error("MG205", f"{op.written}(): the tensor to write into must be a Tensor, not {type(x).__name__}")


cdef object without_data(Op op):
    return error("MG205", f"{op.written}(): the tensor to write into has no data: it was made by __new__ alone. Use "
                          "torch.tensor(...)")
