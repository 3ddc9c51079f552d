"""Results written into tensors that the user gives: ``torch.add(a, b, out=c)``.

The function runs as it does without ``out=``, and then its result is written into ``out``.  As with every write (Note
[The write protocol] in write.pyx), whatever can be refused is refused first: if one of several outputs does not fit,
none of them has changed.  But nothing is recorded, here as in PyTorch: tensors that require grad are refused.

An ``out`` of another shape gets new memory.  That is meant for tensors without elements, ``torch.empty(0)``, which a
program makes once and fills again and again; a tensor that has elements is resized with a warning.

Where nothing is refused, and a loop in C can write where the result belongs, no memory in between is needed
(`written_at_once`).
"""

from minigrad._core.dispatch.call cimport call
from minigrad._core.dispatch.compute cimport run_into
from minigrad._core.dispatch.op cimport MAX_PARAMS, Op, later
from minigrad._core.errors import error, warn
from minigrad._core.forward.dual_tensors cimport tangent_of
from minigrad._core.graph cimport Tensor, Version, check_inference, count_write, may_require, version_of
from minigrad._core.graph.listener cimport Listener
from minigrad._core.graph.saved_tensor_hooks cimport before_write
from minigrad._core.inplace.write cimport ordinary, put
from minigrad._core.kernels.loops.numpy_loops cimport same_shape
from minigrad._core.kernels.shapes.memory_overlap cimport repeats_itself, same_steps, side_by_side
from minigrad._core.runtime.memory_pool cimport new_array
from minigrad._core.runtime.numpy_api cimport (PyArray_DATA, PyArray_DIMS, PyArray_ISONESEGMENT, PyArray_ISWRITEABLE,
                                               PyArray_NDIM, PyArray_SIZE, PyArray_TYPE, ndarray)
from minigrad._core.runtime.python_api cimport PyObject, given
from minigrad._core.runtime.thread_state cimport State, records, state
from minigrad._core.runtime.type_promotion import category_of, uncastable


cdef object call_into(Op op, PyObject** bound, object out):
    """The op, with what is given as ``out=``."""
    cdef tuple inputs
    cdef int i
    if isinstance(out, Tensor):
        if isinstance((<Tensor>out).payload, ndarray):
            refuse_history(op, bound, <Tensor>out)
        if written_at_once(op, bound, <Tensor>out, state()):
            return out
    inputs = tuple([<object>bound[i] for i in range(op.n_params)])      # the call may put others in their place
    return write_out(op.shown, out, call(op, bound), op.exact_out, inputs, op.out_apart)


later.call_into = call_into
later.write_out = write_out


cdef int refuse_history(Op op, PyObject** bound, Tensor out) except -1:
    """Raise if the call would be recorded, before views among its arguments catch up with a write to their base."""
    cdef int i
    if not records(state()):
        return 0
    recorded = may_require(out)
    for i in range(op.n_tensors):
        if op.recorded and op.formula_of[i] >= 0 and isinstance(<object>bound[i], Tensor):
            recorded = recorded or may_require(<Tensor>bound[i])
    if recorded:
        raise would_be_recorded(op.shown)
    return 0


cdef bint written_at_once(Op op, PyObject** bound, Tensor out, State* st) except -1:
    """Let a loop compute the result in `out`, where nothing is refused; False if nothing has been done."""
    cdef PyObject* raw[MAX_PARAMS]
    cdef ndarray to, first = None
    cdef tuple keep                     # owns what `raw` borrows
    cdef Version version
    cdef int i
    if (not op.elementwise or op.list_output or op.outputs or st.active > st.inference
            or type(out.payload) is not ndarray or (records(st) and may_require(out))
            or (out.inference and not st.inference)):
        return False
    keep = ordinary(op, bound, raw, 0, records(st))
    version = version_of(out)
    if keep is None or version.keepers != NULL:
        return False
    to = <ndarray>out.payload
    if not PyArray_ISWRITEABLE(to) or repeats_itself(to):
        return False
    for i in range(op.n_tensors):
        if type(<object>raw[i]) is ndarray:
            if not (is_same(<ndarray>raw[i], to) or side_by_side(<ndarray>raw[i], to)):
                return False
            if first is None:
                first = <ndarray>raw[i]
    if op.into != NULL and (first is None or PyArray_TYPE(first) != PyArray_TYPE(to) or not same_shape(first, to)):
        return False                    # such a kernel is made for the memory of its first argument
    if not run_into(op, raw, op.n_params, to):
        return False
    count_write(version)
    return True


cdef object write_out(str name, object out, object result, bint exact, tuple inputs, bint apart):
    """`name(..., out=out)`: put `result`, a Tensor or several, into `out`, which is returned.

    `out` may be one of the `inputs` (not with `apart`), but not overlap one.  With `exact` it must have the
    dtype of the result; otherwise the result is cast.
    """
    if isinstance(result, tuple):
        if not isinstance(out, (tuple, list)) or len(out) != len(result):
            raise not_one_each(name, result)
    elif isinstance(out, (tuple, list)) and len(out) == 1:
        return write_out(name, out[0], result, exact, inputs, apart)
    if isinstance(result, Tensor):
        check_out(name, out, <Tensor>result, exact, inputs, apart)
        fill_out(<Tensor>out, <Tensor>result)
        return out
    for t, r in zip(out, result):
        check_out(name, t, r, exact, inputs, apart)
    for t, r in zip(out, result):
        fill_out(t, r)
    return type(result)(*out) if hasattr(result, "_fields") else out


cdef int fill_out(Tensor out, Tensor result) except -1:
    """Write the result into `out`, and count that."""
    cdef Version version = version_of(out)
    cdef ndarray data = <ndarray>result.payload
    if version.keepers != NULL:
        before_write(version)
    if type(data) is not ndarray:               # on another device, memory is not kept
        out.payload = data if not same_shape(data, <ndarray>out.payload) else out.payload
    elif not same_shape(data, <ndarray>out.payload):
        out.payload = new_array(PyArray_NDIM(data), PyArray_DIMS(data), PyArray_TYPE(<ndarray>out.payload))
    put(out.payload, data)
    count_write(version)
    if state().listener != NULL:
        (<Listener>state().listener).copied(result, out)
    return 0


# ------------------------------------------------------------------------------ what is refused

cdef int check_out(str name, object out, Tensor result, bint exact, tuple inputs, bint apart) except -1:
    """Raise if `out` cannot take the result, for its history, its memory, its dtype or its shape, in this order."""
    cdef Tensor t
    cdef ndarray a, r
    given(result)
    if not isinstance(out, Tensor):
        raise error("MG205", f"{name}(): argument 'out' must be Tensor, not {type(out).__name__}")
    t = <Tensor>out
    if not isinstance(t.payload, ndarray) or not isinstance(result.payload, ndarray):
        raise in_a_transform(name)
    if type(t.payload) is not type(result.payload):
        raise on_another_device(name, t, result)
    a, r = <ndarray>t.payload, <ndarray>result.payload
    if records(state()):
        if result.requires_grad_ or may_require(t):
            raise would_be_recorded(name)
    if state().forward and (tangent_of(result) is not None or tangent_of(t) is not None):
        raise would_lose_a_tangent(name)
    check_inference(t, state())
    if PyArray_TYPE(a) != PyArray_TYPE(r):
        if exact:
            raise another_dtype(name, t, result)
        if category_of(r.dtype) > category_of(a.dtype):
            raise uncastable(r.dtype, a.dtype, f"{name}(..., out=x) keeps the dtype of x")
    if not same_shape(a, r):
        if t.view is not None:
            check_inputs(name, a, inputs, apart)
            raise cannot_resize(name, t, result)
        if apart and is_among(a, inputs):
            raise an_input_itself(name)
        if PyArray_SIZE(a):
            warn(will_be_resized(t, result))
        return 0
    if not PyArray_ISWRITEABLE(a) or repeats_itself(a):
        raise cannot_hold(name)
    return check_inputs(name, a, inputs, apart)


cdef int check_inputs(str name, ndarray out, object inputs, bint apart) except -1:
    """Raise if `out` shares a part of its memory with an input, or (`apart`) all of it.

    As in PyTorch, only dense inputs are checked.  The result itself is right in any case: it has memory of its own.
    """
    for x in inputs:
        if isinstance(x, (tuple, list)):
            check_inputs(name, out, x, apart)
        elif isinstance(x, Tensor) and type((<Tensor>x).payload) is ndarray:
            if is_part_of((<Tensor>x).payload, out):
                raise part_of_an_input(name)
            if apart and PyArray_SIZE(out) and is_same((<Tensor>x).payload, out):
                raise an_input_itself(name)
    return 0


cdef bint is_among(ndarray out, object inputs) except -1:
    """True if one of the inputs is `out`, which is about to be resized."""
    for x in inputs:
        if is_among(out, x) if isinstance(x, (tuple, list)) else isinstance(x, Tensor) and (<Tensor>x).payload is out:
            return True
    return False


cdef bint is_part_of(ndarray x, ndarray out) noexcept:
    """True if two dense arrays share memory and are not the same."""
    return (PyArray_ISONESEGMENT(x) and PyArray_ISONESEGMENT(out) and PyArray_SIZE(x) and PyArray_SIZE(out)
            and not is_same(x, out) and not side_by_side(x, out))


cdef bint is_same(ndarray x, ndarray out) noexcept:
    """True if both begin at one place, and go on with the same steps."""
    return PyArray_DATA(x) == PyArray_DATA(out) and same_steps(x, out)


# ------------------------------------------------------------------------------ what the errors say

cdef object not_one_each(str name, object result):
    return error("MG205", f"{name}(): argument 'out' must be a tuple of {len(result)} Tensors, one for each result")


cdef object in_a_transform(str name):
    return error("MG117", f"{name}(): out= inside a transform (vmap, grad, jvp) is not supported: use the result that "
                          f"is returned. (Batching rule not implemented for aten::{name}.out; the fallback path "
                          "doesn't work on out= or view ops)")


cdef object on_another_device(str name, Tensor out, Tensor result):
    return error("MG407", f"{name}(): Attempting to copy from device {result.device} to device {out.device}, but "
                          "cross-device copies are not allowed! Let out= be on the device of the arguments")


cdef object would_be_recorded(str name):
    return error("MG210", f"{name}(): functions with out=... arguments don't support automatic differentiation, but "
                          "one of the arguments requires grad. Use the result that the function returns, or write "
                          "under `with torch.no_grad():`.")


cdef object would_lose_a_tangent(str name):
    return error("MG210", f"Trying to use forward AD with {name}_out that does not support it because it is an out= "
                          "function: its result would have no tangent. Use the result that the function returns")


cdef object another_dtype(str name, Tensor out, Tensor result):
    return error("MG202", f"{name}(): Expected out tensor to have dtype {result.dtype}, but got {out.dtype} instead: "
                          "make out of that dtype, or convert the result")


cdef object cannot_resize(str name, Tensor out, Tensor result):
    return error("MG210", f"{name}(): unsupported operation: out= has shape {list(out.payload.shape)}, the result "
                          f"{list(result.payload.shape)}, and a view cannot be resized")


cdef object cannot_hold(str name):
    return error("MG116", f"{name}(): unsupported operation: out= is read-only, or more than one element of the "
                          "written-to tensor refers to a single memory location. Please clone() the tensor before "
                          "performing the operation.")


cdef object part_of_an_input(str name):
    return error("MG116", f"{name}(): unsupported operation: some elements of the input tensor and the written-to "
                          "tensor refer to a single memory location. Please clone() the tensor before performing the "
                          "operation: out= may be an input itself, but not a part of its memory.")


cdef object an_input_itself(str name):
    return error("MG116", f"{name}(): unsupported operation: some elements of the input tensor and the written-to "
                          "tensor refer to a single memory location. Please clone() the tensor before performing the "
                          "operation: its elements change places, so that out= may not be an input.")


cdef str will_be_resized(Tensor out, Tensor result):
    return (f"An output with one or more elements was resized since it had shape {list(out.payload.shape)}, which "
            f"does not match the required output shape {list(result.payload.shape)}. This behavior is deprecated, "
            "and in a future PyTorch release outputs will not be resized unless they have zero elements. You "
            "can explicitly reuse an out tensor t by resizing it, inplace, to zero elements with t.resize_(0).")
