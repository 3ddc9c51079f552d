"""Where a part lies in the memory of a whole: found from the two arrays, read out, and put back.

::

    base     [ . . . . . . ]     shape (6,)    strides (8,)     offset  0     float64
    view         [ .   . ]       shape (2,)    strides (16,)    offset 16     float64       placement_of(view, base)

These four, in bytes, are a *placement*.  They hold for the gradient of the base as well, and for its tangent, as soon
as that lies as the base does.  view_history.pyx and dual_tensors.pyx say when which part is needed.
"""


import numpy as np

from minigrad._core.errors.refusals import outside_of_its_base
from minigrad._core.graph cimport Tensor, new_tensor
from minigrad._core.runtime.core_ops cimport words
from minigrad._core.runtime.numpy_api cimport (NPY_ARRAY_C_CONTIGUOUS, PyArray_CHKFLAGS, PyArray_DATA, PyArray_SIZE,
                                               ndarray)


# ------------------------------------------------------------------------------ where it lies

cdef tuple placement_of(ndarray part, ndarray base, bint holes, object what):
    """Where `part` lies in the memory of `base`: shape, strides, offset (in bytes) and dtype.

    With `holes` it may show holes of the base, Note [Holes] in view_history.pyx; `what` begins the error if it may not.
    """
    cdef Py_ssize_t offset = <char*>PyArray_DATA(part) - <char*>PyArray_DATA(base)
    cdef Py_ssize_t end = extent(base)
    if not lies_within(part, base, offset, end) or not (holes or is_shown(part, base, offset, end)):
        raise outside_of_its_base(what)
    return (<object>part).shape, (<object>part).strides, offset, part.dtype


cdef bint shows(ndarray base, ndarray part) except -1:
    """Is each element of `part` one of `base`?"""
    cdef Py_ssize_t offset = <char*>PyArray_DATA(part) - <char*>PyArray_DATA(base)
    cdef Py_ssize_t end = extent(base)
    return lies_within(part, base, offset, end) and is_shown(part, base, offset, end)


cdef bint lies_within(ndarray part, ndarray base, Py_ssize_t offset, Py_ssize_t end) except -1:
    """Does `part`, which begins at `offset`, lie between the two ends of `base`?"""
    return PyArray_SIZE(part) == 0 or (PyArray_SIZE(base) != 0 and offset >= 0 and offset + extent(part) <= end)


cdef bint is_shown(ndarray part, ndarray base, Py_ssize_t offset, Py_ssize_t end) except -1:
    """Is each byte of `part`, which lies within `base`, one of `base`?  Some between its ends may be left out."""
    cdef Py_ssize_t shown = base.dtype.itemsize
    if not PyArray_SIZE(part) or PyArray_CHKFLAGS(base, NPY_ARRAY_C_CONTIGUOUS):
        return True
    for n, step in zip((<object>base).shape, (<object>base).strides):
        shown *= n if step else 1
    if shown == end:
        return True                 # it lies densely, however its dims are permuted
    memory = np.zeros(end, bool)
    base_bytes = (<object>base).shape + (base.dtype.itemsize,), (<object>base).strides + (1,)
    part_bytes = (<object>part).shape + (part.dtype.itemsize,), (<object>part).strides + (1,)
    np.ndarray(base_bytes[0], bool, memory, 0, base_bytes[1])[...] = True
    return bool(np.ndarray(part_bytes[0], bool, memory, offset, part_bytes[1]).all())


def address(ndarray a):
    """Where the first element of ``a`` is in memory."""
    return <size_t>PyArray_DATA(a)


cdef Py_ssize_t extent(ndarray a) except -1:
    """How many bytes there are from the first element to the end of the last."""
    cdef Py_ssize_t end = a.dtype.itemsize
    for n, step in zip((<object>a).shape, (<object>a).strides):
        end += (n - 1) * step
    return end


cdef tuple whole_of(ndarray base):
    """The placement of a base in itself."""
    return (<object>base).shape, (<object>base).strides, 0, base.dtype


cdef Py_ssize_t first_element(ndarray a, object unit) except -1:
    """The number of the first element of `a` in the memory that owns it."""
    owner = a
    while isinstance(owner.base, ndarray):
        owner = owner.base
    return (<char*>PyArray_DATA(a) - <char*>PyArray_DATA(<ndarray>owner)) // <Py_ssize_t>unit.itemsize


# ------------------------------------------------------------------------------ in elements

# The ops that read a part and put it back count in elements.  A view and its base may have different dtypes, as x.real
# and x: then both are counted in that of the parts, and a complex number is a pair of those.

cdef tuple counted(tuple placement, tuple base):
    """(the dtype in which both can be counted, the placement and the base counted in it)"""
    part, whole = placement[3], base[3]
    unit = part if whole.kind == "c" and part.kind != "c" else whole
    return unit, in_elements(placement, unit), in_elements(base, unit)


cdef tuple in_elements(tuple placement, object unit):
    """Shape, strides and offset in elements of dtype `unit`; one dim more, of size two, for complex numbers."""
    cdef Py_ssize_t size = unit.itemsize
    shape, strides, offset, dtype = placement
    strides = tuple([s // size for s in strides])
    if dtype != unit:
        return shape + (2,), strides + (1,), offset // size
    return shape, strides, offset // size


cdef object in_units(object x, object dtype, object unit):
    """A Tensor of `dtype` as one of `unit`."""
    return x if dtype == unit else words.view_as_real(x)


cdef object out_of_units(object x, object dtype, object unit):
    """And back."""
    return x if dtype == unit else words.view_as_complex(x)


# ------------------------------------------------------------------------------ parts of arrays

cdef object room_like_base(tuple base, object g):
    """The gradient `g` of the base, copied to where the base's placement holds."""
    shape, strides, _, dtype = base
    room = np.empty(shape, dtype)
    if room.strides != strides and room.size:
        end = dtype.itemsize + sum([(n - 1) * step for n, step in zip(shape, strides)])
        memory = np.zeros(end, np.uint8)        # zeros, since the view may show what lies between
        room = np.ndarray(shape, dtype, memory, 0, strides)
    np.copyto(room, g, casting="unsafe")
    return room


cdef object part_of(tuple placement, object array):
    """The part with this placement of `array`, which has that of the base."""
    shape, strides, offset, dtype = placement
    if not array.size or 0 in shape:        # no elements may lie anywhere, beyond the end too
        return np.empty(shape, dtype)
    memory = array.reshape(-1).view(np.uint8) if array.flags.c_contiguous else array.base
    return np.ndarray(shape, dtype, memory, offset, strides)


# ------------------------------------------------------------------------------ parts of Tensors

# The same by operations, which may be recorded.

cdef object read_at(tuple placement, tuple base, object whole):
    """The part with this placement of a Tensor that has the shape of the base, however it lies in memory."""
    unit, inner, outer = counted(placement, base)
    part = words.as_strided_again(in_units(whole, base[3], unit), inner[0], inner[1], inner[2], outer[1], 0)
    return out_of_units(part, placement[3], unit)


cdef object mask_at(tuple placement, tuple base, object whole):
    """Where in the base the part lies, as a bool Tensor, on the device of `whole`, which has the shape of the base."""
    cdef object array = whole, ones
    unit, inner, outer = counted(placement, base)
    if whole.is_meta:
        return in_units(whole, base[3], unit) != 0
    ones = np.ones(inner[0])
    while isinstance(array, Tensor):
        array = (<Tensor>array).payload
    if type(array) is not ndarray:
        ones = type(array).of(ones)
    return spread(new_tensor(ones), inner, outer) != 0


cdef object with_at(tuple placement, tuple base, object whole, object new, object mask):
    """`whole` with `new` where this placement says."""
    unit, inner, outer = counted(placement, base)
    placed = spread(in_units(new, placement[3], unit), inner, outer)
    return out_of_units(words.where(mask, placed, in_units(whole, base[3], unit)), base[3], unit)


cdef object spread(object part, tuple inner, tuple outer):
    """Zeros of the placement `outer` with `part` in them."""
    return words.as_strided_backward(part, outer[0], inner[0], inner[1], inner[2], outer[1], 0)


cdef object part_of_tensor(object whole, ndarray part, ndarray base):
    """Of `whole`, a Tensor of the shape of `base`, the part that the view `part` shows of `base`."""
    return read_at(placement_of(part, base, False, "the tangent of a view"), whole_of(base), whole)


cdef object tensor_with_part(object whole, object new, ndarray part, ndarray base):
    """`whole` with `new` where the view `part` lies in `base`."""
    cdef tuple placement = placement_of(part, base, False, "the tangent of a view")
    return with_at(placement, whole_of(base), whole, new, mask_at(placement, whole_of(base), whole))
