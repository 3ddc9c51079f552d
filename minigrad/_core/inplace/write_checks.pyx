"""The checks of a write, all of them before anything has changed.

Three things can be in the way of a write, and each has its sections::

    the history     a leaf that requires grad, or a view that cannot catch up: Note [Views] in view_history.pyx
    the memory      it is read-only, holds several elements at one location, or an argument lies in it, shifted
    the result      it has another shape than the target, or a dtype that the target cannot hold

Note [Elements at one location]
----------------------------
By its strides a tensor may reach one location in memory more than once::

    memory                              [ a  b  c  d ]
    x[:1].expand(3)     stride 0          a                   a a a
    x.unfold(0, 2, 1)   strides 1, 1      a  b                a b
                                             b  c             b c
                                                c  d          c d

In the first, an expanded dim, a write to one element reaches all of them, which is rarely intended: it is refused,
unless all elements take the same number.  Rows that write at some places only, ``masked_fill_`` and its like, do so
there too (`put_at_places`), with PyTorch's warning.  In the second, windows that overlap, it may be intended, and
PyTorch allows it.  So do we if nothing is recorded.  A recorded write is refused: it is not specified which of several
values remains at a location, so it is not known whose gradient is wanted.
"""

import numpy as np

from minigrad._core.dispatch.op cimport Op
from minigrad._core.errors import error, warn
from minigrad._core.graph cimport Tensor, View, check_inference, may_require
from minigrad._core.graph.view_history cimport cannot_follow
from minigrad._core.kernels.shapes.memory_overlap cimport dense, meets_itself, repeats_itself, same_steps, side_by_side
from minigrad._core.runtime.numpy_api cimport (PyArray_DATA, PyArray_ISONESEGMENT, PyArray_ISWRITEABLE, PyArray_SIZE,
                                               ndarray)
from minigrad._core.runtime.python_api cimport given
from minigrad._core.runtime.thread_state cimport State, state
from minigrad._core.runtime.type_promotion import category_of, uncastable

# ------------------------------------------------------------------------------ the history

cdef int check_history(str name, Tensor target) except -1:
    """Raise if autograd may not record a write to `target`."""
    cdef View v
    if target.view is not None:
        v = <View>target.view
        if v.made_in:
            raise cannot_follow(target, v, "is being modified inplace", f" ({name})")
        if may_require(target) and v.base.node is None:
            raise view_of_leaf(name)
    if target.requires_grad_ and target.node is None:
        raise leaf(name)
    return 0


def check(str name, Tensor target not None, bint locations=False):
    """The same for writes that are done elsewhere: through a subscript or, with ``locations``, by a custom Function."""
    check_history(name, target)
    if locations:
        check_locations(name, target, False)


def check_unrecorded(Tensor target not None):
    """The same for a write through a subscript that is not recorded."""
    check_inference(target, state())


# ------------------------------------------------------------------ the memory: one gradient for each location

cdef int check_locations(str name, Tensor target, bint one_value) except -1:
    """Raise if a write to `target` reaches a location in memory that would have several gradients.

    With `one_value` all elements take one number, and the gradient of the old value is zero in any case.  PyTorch
    refuses expanded dims only, and gives a wrong gradient for windows that overlap.
    """
    if type(target.payload) is not ndarray:
        return 0
    if not one_value and meets_itself(target.payload):
        raise meeting(name)
    if target.view is not None and meets_itself((<View>target.view).base.payload):
        raise meeting_in_base(name)
    return 0


# ------------------------------------------------------------------ the memory: one element at each location

cdef int check_memory(Op op, Tensor target, State* st) except -1:
    """Raise if the memory of `target` cannot take the result of `op`, recorded or not.

    1 if `put_at_places` must write it.
    """
    check_inference(target, st)
    if not PyArray_ISWRITEABLE(<ndarray>target.payload):
        raise read_only(op)
    if repeats_itself(<ndarray>target.payload) and not op.same_everywhere:
        if type(target.payload) is ndarray and hasattr(op.kernel, "at_places"):
            return 1
        raise expanded(op)
    return 0


cdef int put_at_places(Op op, object memory, object result, list payloads) except -1:
    """Write where the row does, and nowhere else: its kernel brings the function for that."""
    op.kernel.at_places(memory, result, *payloads[1:])
    return 0


cpdef int warn_expanded(str written) except -1:
    example = "indices] = tensor" if written == "index_put_" else "mask] = scalar"
    warn(f"Use of {written} on expanded tensors is deprecated. Please clone() the tensor before performing this "
         f"operation. This also applies to advanced indexing e.g. tensor[{example}. Several elements lie at one place "
         "in memory, and all of them take what one of them takes.")
    return 0


# ------------------------------------------------------------------------------ the memory: does an argument lie in it?

# The very same memory is harmless (x.mul_(x)): each element is read before it is written.  If it is shifted, as in
# x[1:].mul_(x[:-1]), elements are written before they are read.  PyTorch refuses this if it can tell from the two ends
# of two dense tensors, and leaves the result unspecified otherwise.  We refuse the same, and otherwise compute the
# result in memory of its own.

cdef bint overlaps(Op op, Tensor target, object other) except -1:
    """True if `other` lies, shifted, in the memory of `target`; raises where PyTorch refuses."""
    cdef ndarray a, b
    if not isinstance(other, Tensor) or type((<Tensor>other).payload) is not ndarray:
        return False
    a = target.payload
    b = (<Tensor>other).payload
    if (PyArray_DATA(a) == PyArray_DATA(b) and same_steps(a, b)) or side_by_side(a, b):
        return False
    if not np.may_share_memory(a, b):
        return False
    if dense(a) and dense(b):
        raise shifted(op)
    return True


cdef int check_apart(Op op, Tensor target, object other) except -1:
    """Refuse a tensor in the memory of `target`, itself included, where both are dense or the same."""
    cdef ndarray a, b
    if not isinstance(other, Tensor) or type((<Tensor>other).payload) is not ndarray:
        return 0
    a = target.payload
    b = (<Tensor>other).payload
    if side_by_side(a, b) or not PyArray_SIZE(a) or not PyArray_SIZE(b):
        return 0
    if PyArray_DATA(a) == PyArray_DATA(b) and same_steps(a, b):
        raise shifted(op)
    if PyArray_ISONESEGMENT(a) and PyArray_ISONESEGMENT(b):
        raise shifted(op)
    return 0


# ------------------------------------------------------------------------------ the result

cpdef int check_result(Op op, tuple shape, object dtype, tuple result_shape, object result_dtype) except -1:
    """Raise if a result of this shape and NumPy dtype does not fit into the target, which keeps its own."""
    given(op)
    if result_shape != shape:
        raise cannot_grow(op, shape, result_shape)
    if result_dtype is not dtype and category_of(result_dtype) > category_of(dtype):
        raise uncastable(result_dtype, dtype, f"{op.written} writes into the tensor on its left, which keeps its "
                                              f"dtype. Use the out-of-place {op.shown}.")
    return 0


# ------------------------------------------------------------------------------ what the errors say

cdef object view_of_leaf(str name):
    return error("MG105", "a view of a leaf Variable that requires grad is being used in an in-place operation "
                          f"({name}). Write under `with torch.no_grad():`, or work on a clone().")


cdef object leaf(str name):
    return error("MG105", f"a leaf Variable that requires grad is being used in an in-place operation ({name}): its "
                          "gradient is wanted with respect to the value that it has, which the write would destroy. "
                          "To update a parameter, write the update under `with torch.no_grad():`; else use the "
                          "out-of-place form.")


cdef object meeting(str name):
    return error("MG116", f"unsupported operation ({name}): more than one element of the written-to tensor refers to a "
                          "single memory location, as in windows that overlap (unfold, as_strided): which of the "
                          "values stays there is not specified, and neither is the gradient. Please clone() the "
                          "tensor before performing the operation.")


cdef object meeting_in_base(str name):
    return error("MG116", f"unsupported operation ({name}): this is a view of a tensor that was expanded or cut into "
                          "overlapping windows, and then detached: the write reaches more elements of that tensor "
                          "than those of the view, so autograd could not say whose gradient is meant. Please clone() "
                          "that tensor before taking a view to write to.")


cdef object read_only(Op op):
    return error("MG116", f"{op.written}: the memory of this tensor is read-only (it came from a read-only NumPy "
                          "array). Please clone() the tensor first.")


cdef object expanded(Op op):
    return error("MG116", "unsupported operation: more than one element of the written-to tensor refers to a single "
                          "memory location. Please clone() the tensor before performing the operation. It was "
                          f"expanded: in {op.written} a write to one element would be a write to others.")


cdef object shifted(Op op):
    return error("MG116", "unsupported operation: some elements of the input tensor and the written-to tensor refer to "
                          "a single memory location. Please clone() the tensor before performing the operation. In "
                          f"{op.written} the write would change what is still to be read.")


cdef object cannot_grow(Op op, tuple shape, tuple result_shape):
    return error("MG201", f"output with shape {list(shape)} doesn't match the broadcast shape {list(result_shape)}: "
                          f"{op.written} writes into the tensor on its left, which cannot grow. Use the out-of-place "
                          f"{op.shown}.")
