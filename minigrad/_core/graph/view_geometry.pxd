# Where a part lies in the memory of a whole.

from minigrad._core.runtime.numpy_api cimport ndarray


cdef tuple placement_of(ndarray part, ndarray base, bint holes, object what)
cdef tuple whole_of(ndarray base)
cdef bint shows(ndarray base, ndarray part) except -1
cdef Py_ssize_t first_element(ndarray a, object unit) except -1
cdef tuple counted(tuple placement, tuple base)
cdef object in_units(object x, object dtype, object unit)
cdef object out_of_units(object x, object dtype, object unit)
cdef object room_like_base(tuple base, object g)
cdef object part_of(tuple placement, object array)
cdef object read_at(tuple placement, tuple base, object whole)
cdef object mask_at(tuple placement, tuple base, object whole)
cdef object with_at(tuple placement, tuple base, object whole, object new, object mask)
cdef object part_of_tensor(object whole, ndarray part, ndarray base)
cdef object tensor_with_part(object whole, object new, ndarray part, ndarray base)
