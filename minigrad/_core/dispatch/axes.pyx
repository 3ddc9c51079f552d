"""Dims as axes: what a kernel gets for the parameters of a row that are of type Dim, Dims and the like.

Note [Dims become axes]
-----------------------
A user counts dims from either end, names one or several, and leaves them out where all are meant.  A kernel gets axes
of its array, counted from 0, and the types of the schema say how the one becomes the other::

    x.shape (2, 3, 4)       given           the kernel gets
    -----------------       ----------      ---------------
    Dim                     -1              2
    Dims                    -1              (2,)
                            (0, -1)         (0, 2)
                            ()              None                which means all of them for NumPy too
                            (0, -3)         an error            no dim is reduced twice
    Dim[1], Dim...          (-1, 0)         (2, 0)              in their order, for permute and the like
                            ()              ()                  none of them
    NewDim                  -1              3                   the result has one dim more
    NewDims                 (0, -1)         (0, 4)              the result has as many dims more

None stays None.  The dims are those of the first tensor, or of the longest in a list; where the row is given the shape
of a tensor (Sizes), of that one.  A tensor without dims counts as if it had one, as in PyTorch: its Dim may be 0 or -1,
and its Dims become ().

A kernel gets what was given in two cases: a row may refuse tensors with few dims in words of its own (`least_dims`),
and where another tensor has more dims than the first, the two broadcast, and axes from 0 would not fit both.

What is *recorded* is what the user gave: `grad_fn._saved_dim` is -1, and a batch rule sees -1 too.  So dims become axes
as late as possible: when a kernel in Python is about to run, for a call or for a step of a formula.  The kernels in C
for plain arrays, which are tried before, read their one dim themselves, and decline what is not a plain int.
"""

from operator import index as as_int

from minigrad._core.dispatch.arguments cimport ANYTHING, A_DIM, A_NEW_DIM, DIMS, NEW_DIMS, OR_NONE, all_ints
from minigrad._core.dispatch.op cimport Op
from minigrad._core.errors import error
from minigrad._core.runtime.numpy_api cimport PyArray_NDIM, ndarray
from minigrad._core.runtime.python_api cimport PyLong_AsLongAndOverflow, PyLong_CheckExact, PyObject, PyTuple_CheckExact


cdef int with_axes(Op op, list args) except -1:
    """Put axes for dims among the arguments, in place."""
    cdef int i, takes, rank = rank_of(args[op.ranked_by], op.takes[op.ranked_by] == ANYTHING)
    if rank < 0 or rank < op.least_dims:
        return 0
    if op.n_tensors > 1 and type(args[op.ranked_by]) is ndarray:
        for x in args[:op.n_tensors]:
            if type(x) is ndarray and PyArray_NDIM(<ndarray>x) > rank:
                return 0
    for i in range(len(args)):
        if op.dims >> i & 1 and args[i] is not None:
            takes = op.takes[i] & ~OR_NONE
            if takes == A_DIM or takes == A_NEW_DIM:
                args[i] = one_axis(args[i], rank + (takes == A_NEW_DIM), op.shown)
            else:
                args[i] = several_axes(takes, args[i], rank, op.shown)
    return 0


cdef int rank_of(object x, bint several) except -2:
    """How many dims the tensor has whose dims are meant; -1 where that cannot be said.

    `x` is its shape, or a number in its place, or there are several tensors or shapes, of which the longest counts.
    """
    cdef int rank = -1
    if type(x) is ndarray:
        return PyArray_NDIM(<ndarray>x)
    if x is None:
        return -1
    if not isinstance(x, (list, tuple)):
        return 0
    if not several:
        return len(x)
    for each in x:
        if each is not None:
            rank = max(rank, each.ndim if type(each) is ndarray else len(each))
    return rank


cdef int one_axis(object dim, int rank, str name) except -1:
    """`dim` as an axis of an array with that many dims."""
    cdef int overflow = 0, room = rank if rank else 1
    cdef long axis = PyLong_AsLongAndOverflow(dim if PyLong_CheckExact(dim) else an_int(dim, name), &overflow)
    if overflow or not -room <= axis < room:
        raise out_of_range(dim, room, rank, name)
    return <int>(axis + room if axis < 0 else axis)


cdef object several_axes(int takes, object dim, int rank, str name):
    """`dim`, one or several, as a tuple of axes; None for all."""
    cdef bint same = True
    cdef int axis
    cdef list axes = []
    if not isinstance(dim, (tuple, list)):
        dim = (dim,)
    if not len(dim):
        return None if takes == DIMS else ()
    if takes == NEW_DIMS:
        rank += len(dim)
    for x in dim:
        axis = one_axis(x, rank, name)
        if takes == DIMS and axis in axes:
            raise repeated(axis, tuple(dim), name)
        same = same and type(x) is int and x == axis
        axes.append(axis)
    if not rank and takes == DIMS:
        return ()
    return dim if same and PyTuple_CheckExact(dim) else tuple(axes)


# ------------------------------------------------------------------------------ for Python functions that are not rows

def plain_ints(several):
    """Is it a tuple of Python's own ints, as sizes mostly are?"""
    return all_ints(<PyObject*>several)


def one_dim(dim, int ndim, str name):
    """``dim`` as a number from 0 to ``ndim - 1``."""
    return one_axis(dim, ndim, name)


def many_dims(dim, int ndim, str name):
    """``dim`` (None, an int or a sequence of ints) as a tuple of axes of an array; None and () mean all."""
    found = None if dim is None else several_axes(DIMS, dim, ndim, name)
    return tuple(range(ndim)) if found is None else found


cdef object an_int(object x, str name):
    try:
        return as_int(x)
    except TypeError:
        raise error("MG205", f"{name}(): argument 'dim' must be int, not {type(x).__name__}") from None


cdef object out_of_range(object dim, int room, int ndim, str name):
    return error("MG203", f"Dimension out of range (expected to be in range of [{-room}, {room - 1}], but got "
                          f"{dim}): {name}() was given a tensor with {ndim} dims")


cdef object repeated(int axis, tuple dims, str name):
    return error("MG204", f"dim {axis} appears multiple times in the list of dims {dims}: {name}() reduces each dim "
                          "once")
