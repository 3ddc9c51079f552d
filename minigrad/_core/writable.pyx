"""May this tensor be written to?  What is to be refused is refused here, before anything has changed.

Three things can be in the way of a write, and each has a section::

    the history     a leaf that requires grad, or a view whose history cannot be told anew
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

In the first, an expanded dim, a write to one element is always meant for that element alone and reaches all: it is
refused, unless all elements take the same number.  In the second, windows that overlap, it may be meant, and PyTorch
lets it pass.  So do we where nothing is recorded.  Where a write is recorded, each location must have one gradient, and
then it is refused: which of several values remains there is not specified, so neither is whose gradient is wanted.
"""

from numpy cimport (NPY_ARRAY_C_CONTIGUOUS, PyArray_CHKFLAGS, PyArray_DATA, PyArray_DIMS, PyArray_ISWRITEABLE,
                    PyArray_ITEMSIZE, PyArray_NBYTES, PyArray_NDIM, PyArray_STRIDES, import_array, ndarray,
                    npy_intp)

import numpy as np

from minigrad._core.errors import error
from minigrad._core.modes cimport State
from minigrad._core.graph cimport Tensor, View, given
from minigrad._core.op cimport Op
from minigrad._core.views cimport cannot_follow
from minigrad._core.promotion import category_of, uncastable

import_array()


# ------------------------------------------------------------------------------ the history

cdef int check_history(str name, Tensor target) except -1:
    """May autograd record a write to `target`?"""
    cdef View v
    if target.view is not None:
        v = <View>target.view
        if v.made_in:
            raise error("MG116", cannot_follow(target, v, "is being modified inplace", f" ({name})"))
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


cdef object view_of_leaf(str name):
    return error("MG105", "a view of a leaf Variable that requires grad is being used in an in-place operation "
                          f"({name}). Write under `with torch.no_grad():`, or work on a clone().")


cdef object leaf(str name):
    return error("MG105", f"a leaf Variable that requires grad is being used in an in-place operation ({name}): its "
                          "gradient is wanted with respect to the value that it has, which the write would destroy. "
                          "To update a parameter, write the update under `with torch.no_grad():`; else use the "
                          "out-of-place form.")


# ------------------------------------------------------------------ the memory: one gradient for each location

cdef int check_locations(str name, Tensor target, bint one_value) except -1:
    """Is there one gradient for each location in memory that a write to `target` reaches?

    With `one_value` the target takes a number, and the gradient of what was there is zero in any case.  PyTorch looks
    at this only where a dim was expanded, and gives a wrong gradient for the others.
    """
    if type(target.payload) is not ndarray:
        return 0
    if not one_value and meets_itself(target.payload):
        raise meeting(name)
    if target.view is not None and meets_itself((<View>target.view).base.payload):
        raise meeting_in_base(name)
    return 0


cpdef bint meets_itself(ndarray a) except -1:
    """Do two elements lie at one location?"""
    given(a)
    cdef npy_intp* dims = PyArray_DIMS(a)
    cdef npy_intp* strides = PyArray_STRIDES(a)
    cdef npy_intp reach
    cdef int i, j
    cdef bint plain = True
    if PyArray_CHKFLAGS(a, NPY_ARRAY_C_CONTIGUOUS):
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
    steps = zip((<object>a).shape, (<object>a).strides)         # they interleave: look at each address
    return np.unique(sum(np.ix_(*[np.arange(n) * step for n, step in steps]))).size < (<object>a).size


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


# ------------------------------------------------------------------ the memory: one element at each location

cdef int check_memory(Op op, Tensor target, State* st) except -1:
    """Can the memory of `target` take the result of `op`, recorded or not?"""
    check_inference(target, st)
    if not PyArray_ISWRITEABLE(<ndarray>target.payload):
        raise read_only(op)
    if repeats_itself(<ndarray>target.payload) and not op.same_everywhere:
        raise expanded(op)
    return 0


cdef int check_inference(Tensor target, State* st) except -1:
    if target.inference and not st.inference:
        raise error("MG112", "Inplace update to inference tensor outside InferenceMode is not allowed. You can make a "
                             "clone to get a normal tensor before doing inplace update.")
    return 0


cdef bint repeats_itself(ndarray a) noexcept:
    """Is a dim of it expanded, so that all its elements lie at one location?"""
    cdef int i
    cdef bint repeats = False
    for i in range(PyArray_NDIM(a)):
        if PyArray_DIMS(a)[i] == 0:
            return False
        if PyArray_DIMS(a)[i] > 1 and PyArray_STRIDES(a)[i] == 0:
            repeats = True
    return repeats


cdef object read_only(Op op):
    return error("MG116", f"{op.written}: the memory of this tensor is read-only (it came from a read-only NumPy "
                          "array). Please clone() the tensor first.")


cdef object expanded(Op op):
    return error("MG116", "unsupported operation: more than one element of the written-to tensor refers to a single "
                          "memory location. Please clone() the tensor before performing the operation. It was "
                          f"expanded: in {op.written} a write to one element would be a write to others.")


# ------------------------------------------------------------------------------ the memory: does an argument lie in it?

# Exactly the same memory is harmless (x.mul_(x)): each element is read before it is written.  If it is shifted, as in
# x[1:].mul_(x[:-1]), an element is written that is still to be read.  PyTorch refuses where it sees that at a glance,
# from the two ends of two dense tensors, and leaves the result unspecified elsewhere; we compute it apart there.

cdef bint overlaps(Op op, Tensor target, object other) except -1:
    """Does `other` lie, shifted, in the memory of `target`?  Raises where that is plain to see."""
    cdef ndarray a, b
    cdef char* pa
    cdef char* pb
    if not isinstance(other, Tensor) or type((<Tensor>other).payload) is not ndarray:
        return False
    a = target.payload
    b = (<Tensor>other).payload
    pa = <char*>PyArray_DATA(a)
    pb = <char*>PyArray_DATA(b)
    if pa == pb and same_steps(a, b):
        return False
    if (PyArray_CHKFLAGS(a, NPY_ARRAY_C_CONTIGUOUS) and PyArray_CHKFLAGS(b, NPY_ARRAY_C_CONTIGUOUS)
            and (pa + PyArray_NBYTES(a) <= pb or pb + PyArray_NBYTES(b) <= pa)):
        return False                # side by side
    if not np.may_share_memory(a, b):
        return False
    if a.dtype == b.dtype and PyArray_CHKFLAGS(a, NPY_ARRAY_C_CONTIGUOUS) and (<object>b).flags.forc:
        raise shifted(op)
    return True


cdef bint same_steps(ndarray a, ndarray b) noexcept:
    """Do both go through memory alike?  In a dim of one element no step is taken."""
    cdef int i
    if PyArray_NDIM(a) != PyArray_NDIM(b):
        return False
    for i in range(PyArray_NDIM(a)):
        if (PyArray_DIMS(a)[i] != PyArray_DIMS(b)[i]
                or (PyArray_DIMS(a)[i] > 1 and PyArray_STRIDES(a)[i] != PyArray_STRIDES(b)[i])):
            return False
    return True


cdef object shifted(Op op):
    return error("MG116", "unsupported operation: some elements of the input tensor and the written-to tensor refer to "
                          "a single memory location. Please clone() the tensor before performing the operation. In "
                          f"{op.written} the write would change what is still to be read.")


# ------------------------------------------------------------------------------ the result

cpdef int check_result(Op op, tuple shape, object dtype, tuple result_shape, object result_dtype) except -1:
    """Does a result of this shape and NumPy dtype fit into the target, which keeps its own?"""
    given(op)
    if result_shape != shape:
        raise cannot_grow(op, shape, result_shape)
    if result_dtype is not dtype and category_of(result_dtype) > category_of(dtype):
        raise uncastable(result_dtype, dtype, f"{op.written} writes into the tensor on its left, which keeps its "
                                              f"dtype. Use the out-of-place {op.shown}.")
    return 0


cdef object cannot_grow(Op op, tuple shape, tuple result_shape):
    return error("MG201", f"output with shape {list(shape)} doesn't match the broadcast shape {list(result_shape)}: "
                          f"{op.written} writes into the tensor on its left, which cannot grow. Use the out-of-place "
                          f"{op.shown}.")
