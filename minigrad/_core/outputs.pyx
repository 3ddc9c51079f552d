"""Results in tensors of the user: ``torch.add(a, b, out=c)``.

The function runs as it does without ``out=``, and then its result is written into ``out``.  As with every write (Note
[The write protocol] in inplace.pyx), whatever can be refused is refused first: if one of several outputs does not fit,
none of them has changed.  But nothing is recorded, here as in PyTorch: tensors that require grad are refused.

An ``out`` of another shape gets new memory.  That is meant for tensors without elements, ``torch.empty(0)``, which a
program makes once and fills again and again; a tensor that has elements is resized with a warning.
"""

from numpy cimport PyArray_ISWRITEABLE, import_array, ndarray

import numpy as np

from minigrad._core.errors import error, warn
from minigrad._core.modes cimport state
from minigrad._core.graph cimport Tensor, Version, count_write, given, version_of
from minigrad._core.packing cimport before_write
from minigrad._core.writable cimport check_inference, repeats_itself, same_steps
from minigrad._core.forward cimport tangent_of
from minigrad._core.inplace cimport put
from minigrad._core.promotion import category_of, uncastable

import_array()


def write_out(str name, out, result, bint exact, inputs):
    """``name(..., out=out)``: put ``result``, a Tensor or several, into ``out``, which is returned.

    ``out`` may be one of the ``inputs``, but not overlap one.  With ``exact`` it must have the dtype of the result;
    otherwise the result is cast.
    """
    if isinstance(result, tuple):
        if not isinstance(out, (tuple, list)) or len(out) != len(result):
            raise not_one_each(name, result)
    elif isinstance(out, (tuple, list)) and len(out) == 1:
        return write_out(name, out[0], result, exact, inputs)
    targets = out if isinstance(result, tuple) else (out,)
    results = result if isinstance(result, tuple) else (result,)
    for t, r in zip(targets, results):
        check_out(name, t, r, exact)
        if t.shape == r.shape:
            check_inputs(name, <Tensor>t, inputs)
    for t, r in zip(targets, results):
        fill_out(t, r)
    return type(result)(*targets) if hasattr(result, "_fields") else out


cdef int fill_out(Tensor out, Tensor result) except -1:
    """Write the result into `out`, and count that."""
    cdef Version version = version_of(out)
    if version.keepers != NULL:
        before_write(version)
    if result.payload.shape != out.payload.shape:
        out.payload = np.empty(result.payload.shape, out.payload.dtype)
    put(out.payload, result.payload)
    count_write(version)
    return 0


# ------------------------------------------------------------------------------ what is refused

cdef int check_out(str name, object out, Tensor result, bint exact) except -1:
    """Raise if `out` cannot take the result, for its history, its memory, its dtype or its shape, in this order."""
    cdef Tensor t
    given(result)
    if not isinstance(out, Tensor):
        raise error("MG205", f"{name}(): argument 'out' must be Tensor, not {type(out).__name__}")
    t = <Tensor>out
    if type(t.payload) is not ndarray or type(result.payload) is not ndarray:
        raise in_a_transform(name)
    if not state().grad_off and (result.requires_grad_ or t.requires_grad):
        raise would_be_recorded(name)
    if state().forward and (tangent_of(result) is not None or tangent_of(t) is not None):
        raise would_lose_a_tangent(name)
    check_inference(t, state())
    if exact and result.payload.dtype != t.payload.dtype:
        raise another_dtype(name, t, result)
    if category_of(result.payload.dtype) > category_of(t.payload.dtype):
        raise uncastable(result.payload.dtype, t.payload.dtype, f"{name}(..., out=x) keeps the dtype of x")
    if result.payload.shape != t.payload.shape:
        if t.view is not None:
            raise cannot_resize(name, t, result)
        if t.payload.size:
            warn(will_be_resized(t, result))
    elif not PyArray_ISWRITEABLE(<ndarray>t.payload) or repeats_itself(<ndarray>t.payload):
        raise cannot_hold(name)
    return 0


cdef int check_inputs(str name, Tensor out, inputs) except -1:
    """Raise if `out` shares a part of its memory with an input.

    As in PyTorch, only dense inputs are checked.  The result itself is right in any case: it has memory of its own.
    """
    for x in inputs:
        if isinstance(x, (tuple, list)):
            check_inputs(name, out, x)
        elif (isinstance(x, Tensor) and type((<Tensor>x).payload) is ndarray
              and is_part_of((<Tensor>x).payload, out.payload)):
            raise part_of_an_input(name)
    return 0


cdef bint is_part_of(ndarray x, ndarray out) except -1:
    """True if two dense arrays share memory and are not the same."""
    return (not ((<object>x).ctypes.data == (<object>out).ctypes.data and same_steps(x, out))
            and (<object>x).flags.forc and (<object>out).flags.forc and np.may_share_memory(x, out))


# ------------------------------------------------------------------------------ what the errors say

cdef object not_one_each(str name, object result):
    return error("MG205", f"{name}(): argument 'out' must be a tuple of {len(result)} Tensors, one for each result")


cdef object in_a_transform(str name):
    return error("MG117", f"{name}(): out= inside a transform (vmap, grad, jvp) is not supported: use the result that "
                          "is returned")


cdef object would_be_recorded(str name):
    return error("MG210", f"{name}(): functions with out=... arguments don't support automatic differentiation, but "
                          "one of the arguments requires grad. Use the result that the function returns, or write "
                          "under `with torch.no_grad():`.")


cdef object would_lose_a_tangent(str name):
    return error("MG210", f"{name}(): functions with out=... arguments don't support forward mode: use the result that "
                          "the function returns")


cdef object another_dtype(str name, Tensor out, Tensor result):
    return error("MG202", f"{name}(): Expected out tensor to have dtype {result.dtype}, but got {out.dtype} instead: "
                          "make out of that dtype, or convert the result")


cdef object cannot_resize(str name, Tensor out, Tensor result):
    return error("MG210", f"{name}(): out= has shape {list(out.payload.shape)}, the result "
                          f"{list(result.payload.shape)}, and a view cannot be resized")


cdef object cannot_hold(str name):
    return error("MG116", f"{name}(): unsupported operation: out= is read-only, or more than one element of the "
                          "written-to tensor refers to a single memory location. Please clone() the tensor before "
                          "performing the operation.")


cdef object part_of_an_input(str name):
    return error("MG116", f"{name}(): unsupported operation: some elements of the input tensor and the written-to "
                          "tensor refer to a single memory location. Please clone() the tensor before performing the "
                          "operation: out= may be an input itself, but not a part of its memory.")


cdef str will_be_resized(Tensor out, Tensor result):
    return (f"An output with one or more elements was resized since it had shape {list(out.payload.shape)}, which "
            f"does not match the required output shape {list(result.payload.shape)}. This behavior is deprecated, "
            "and in a future PyTorch release outputs will not be resized unless they have zero elements. You "
            "can explicitly reuse an out tensor t by resizing it, inplace, to zero elements with t.resize_(0).")
