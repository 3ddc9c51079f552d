"""fft, rfft2, irfftn and their relatives, for ordinary tensors: the transforms that they are made of.

They are functions of rows (ops/fourier/transforms.py and many_dims.py), which know every error.  Here are the front
ends, for a call whose arguments are right::

    fft(x, n=3, dim=0)           _fft_c2c(x[:3], (0,), 0, True)
    hfft(x, norm="ortho")        _fft_c2r(conj(x), (-1,), 1, 2 (len(x) - 1))

`Request` is such a call: the axes, how many points along each, and PyTorch's number for the normalization, as it is for
a transform that is not an inverse.
"""

from minigrad._core.dispatch.front_end cimport front
from minigrad._core.graph cimport Tensor
from minigrad._core.kernels.shapes.strided_views cimport MAX_DIMS, as_int, as_ints, axes_at
from minigrad._core.runtime.core_ops cimport words
from minigrad._core.runtime.numpy_api cimport (NPY_CDOUBLE, NPY_CFLOAT, NPY_DOUBLE, NPY_FLOAT, PyArray_DIMS,
                                               PyArray_NDIM, PyArray_TYPE, ndarray, npy_intp)
from minigrad._core.runtime.python_api cimport PyObject

cdef enum:
    ONE, TWO, ALL               # dims, where none are given

cdef struct Request:
    bint pairs                  # is the tensor complex?
    int n
    npy_intp axis[MAX_DIMS]
    npy_intp have[MAX_DIMS]     # numbers along each axis
    npy_intp size[MAX_DIMS]     # points, or -1 where none are said
    int norm                    # 0 "backward", 1 "ortho", 2 "forward"


# ------------------------------------------------------------------------------ arguments

cdef bint read(PyObject** args, Py_ssize_t n, PyObject* kwnames, int dims, Request* r) except -1:
    """(input, n=None, dim=-1, norm=None), or with sizes `s` and several dims; False for any other call."""
    cdef PyObject* given[4]
    cdef ndarray a
    cdef Py_ssize_t i
    cdef int k, at, num
    for k in range(4):
        given[k] = args[k] if k < n else NULL
    if n < 1 or n > 4 or not isinstance(<object>args[0], Tensor) or type((<Tensor>args[0]).payload) is not ndarray:
        return False
    if kwnames != NULL:
        sizes = "n" if dims == ONE else "s"
        for i, keyword in enumerate(<tuple>kwnames):
            at = 2 if keyword == "dim" else 3 if keyword == "norm" else 1 if keyword == sizes else 0
            if at == 0 or given[at] != NULL:
                return False
            given[at] = args[n + i]
    a = <ndarray>(<Tensor>args[0]).payload
    num = PyArray_TYPE(a)
    r.pairs = num == NPY_CFLOAT or num == NPY_CDOUBLE
    if not r.pairs and num != NPY_FLOAT and num != NPY_DOUBLE:
        return False
    return read_norm(given[3], r) and read_dims(given[1], given[2], dims, a, r)


cdef bint read_norm(PyObject* norm, Request* r) except -1:
    r.norm = 0
    if norm == NULL or <object>norm is None:
        return True
    mode = <object>norm
    if type(mode) is not str or mode not in ("backward", "ortho", "forward"):
        return False
    r.norm = 0 if mode == "backward" else 1 if mode == "ortho" else 2
    return True


cdef bint read_dims(PyObject* sizes, PyObject* dim, int dims, ndarray a, Request* r) except -1:
    cdef int k, ndim = PyArray_NDIM(a), several = -1
    if sizes != NULL and <object>sizes is not None:
        several = as_sizes(sizes, dims, r.size)
        if several < 0:
            return False
    if dim != NULL and (<object>dim is not None or dims == ONE):
        if dims == ONE and type(<object>dim) is tuple or not axes_at(dim, ndim, r.axis, &r.n):
            return False
    elif dim != NULL and dims == TWO:
        return False
    else:
        r.n = 1 if dims == ONE else 2 if dims == TWO else ndim if several < 0 else several
        if r.n > ndim:
            return False
        for k in range(r.n):
            r.axis[k] = ndim - r.n + k
    if r.n == 0 or several >= 0 and several != r.n:
        return False
    for k in range(r.n):
        r.have[k] = PyArray_DIMS(a)[r.axis[k]]
        if several < 0 or dims != ONE and r.size[k] == -1:
            r.size[k] = -1
        elif r.size[k] < 1:
            return False
        if r.have[k] < 1:
            return False
    return True


cdef int as_sizes(PyObject* x, int dims, npy_intp* sizes) except -2:
    if dims == ONE:
        return 1 if as_int(x, sizes) and sizes[0] >= 1 else -1
    if type(<object>x) is list:
        many = tuple(<object>x)
        return as_ints(<PyObject*>many, sizes)
    return as_ints(x, sizes)


# ------------------------------------------------------------------------------ what they are made of

cdef tuple axes_of(Request* r, int first, int last):
    return tuple([r.axis[k] for k in range(first, last)])


cdef object resized(object x, Request* r, npy_intp half):
    """Cut, or filled up with zeros, to the sizes; to `half` along the last axis, unless that is 0."""
    cdef int k, ndim = 0
    cdef npy_intp size
    cdef list pad = None
    for k in range(r.n):
        size = half if half and k == r.n - 1 else r.size[k]
        if size < 0 or size == r.have[k]:
            continue
        if size < r.have[k]:
            x = words.slice_(x, r.axis[k], 0, size, 1)
        else:
            if pad is None:
                ndim = PyArray_NDIM(<ndarray>(<Tensor>x).payload)
                pad = [0] * (2 * ndim)
            pad[2 * (ndim - r.axis[k]) - 1] = size - r.have[k]
    return x if pad is None else words.constant_pad_nd(x, pad, 0)


cdef object to_complex(object x, Request* r):
    return x if r.pairs else words.to_dtype(x, (<Tensor>x).dtype.to_complex())


cdef inline int normalization(Request* r, bint forward) noexcept:
    """For an inverse the other way round."""
    return r.norm if forward else 2 - r.norm


cdef object whole(PyObject** args, Py_ssize_t n, PyObject* kwnames, int dims, bint forward):
    """Complex to complex; over one dim, real numbers need not be made complex."""
    cdef Request r
    cdef object x
    if not read(args, n, kwnames, dims, &r):
        return None
    x = <object>args[0]
    if dims == ONE and not r.pairs:
        x = words.fft_r2c(resized(x, &r, 0), axes_of(&r, 0, 1), normalization(&r, forward), False)
        return x if forward else words.conj(x)
    return words.fft_c2c(resized(to_complex(x, &r), &r, 0), axes_of(&r, 0, r.n), normalization(&r, forward), forward)


cdef object to_half(PyObject** args, Py_ssize_t n, PyObject* kwnames, int dims, bint hermitian):
    """Real to complex.  The inverse of a Hermitian transform is the conjugate along the last axis."""
    cdef Request r
    cdef object x
    cdef int norm
    if not read(args, n, kwnames, dims, &r) or r.pairs:
        return None
    x, norm = resized(<object>args[0], &r, 0), normalization(&r, not hermitian)
    if not hermitian:
        return words.fft_r2c(x, axes_of(&r, 0, r.n), norm, True)
    x = words.conj(words.fft_r2c(x, axes_of(&r, r.n - 1, r.n), norm, True))
    return x if r.n == 1 else words.fft_c2c(x, axes_of(&r, 0, r.n - 1), norm, False)


cdef object to_real(PyObject** args, Py_ssize_t n, PyObject* kwnames, int dims, bint hermitian):
    """Complex to real, of half the numbers along the last axis."""
    cdef Request r
    cdef object x
    cdef npy_intp last
    cdef int norm
    if not read(args, n, kwnames, dims, &r):
        return None
    last = r.size[r.n - 1] if r.size[r.n - 1] > 0 else 2 * (r.have[r.n - 1] - 1)
    if last < 1:
        return None
    x, norm = resized(to_complex(<object>args[0], &r), &r, last // 2 + 1), normalization(&r, hermitian)
    if not hermitian:
        return words.fft_c2r(x, axes_of(&r, 0, r.n), norm, last)
    if r.n > 1:
        x = words.fft_c2c(x, axes_of(&r, 0, r.n - 1), norm, True)
    return words.fft_c2r(words.conj(x), axes_of(&r, r.n - 1, r.n), norm, last)


# ------------------------------------------------------------------------------ the front ends

cdef object fft_in_c(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    return whole(args, n, kwnames, ONE, True)


cdef object ifft_in_c(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    return whole(args, n, kwnames, ONE, False)


cdef object fft2_in_c(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    return whole(args, n, kwnames, TWO, True)


cdef object ifft2_in_c(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    return whole(args, n, kwnames, TWO, False)


cdef object fftn_in_c(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    return whole(args, n, kwnames, ALL, True)


cdef object ifftn_in_c(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    return whole(args, n, kwnames, ALL, False)


cdef object rfft_in_c(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    return to_half(args, n, kwnames, ONE, False)


cdef object rfft2_in_c(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    return to_half(args, n, kwnames, TWO, False)


cdef object rfftn_in_c(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    return to_half(args, n, kwnames, ALL, False)


cdef object ihfft_in_c(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    return to_half(args, n, kwnames, ONE, True)


cdef object ihfft2_in_c(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    return to_half(args, n, kwnames, TWO, True)


cdef object ihfftn_in_c(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    return to_half(args, n, kwnames, ALL, True)


cdef object irfft_in_c(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    return to_real(args, n, kwnames, ONE, False)


cdef object irfft2_in_c(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    return to_real(args, n, kwnames, TWO, False)


cdef object irfftn_in_c(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    return to_real(args, n, kwnames, ALL, False)


cdef object hfft_in_c(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    return to_real(args, n, kwnames, ONE, True)


cdef object hfft2_in_c(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    return to_real(args, n, kwnames, TWO, True)


cdef object hfftn_in_c(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    return to_real(args, n, kwnames, ALL, True)


fft, fft2, fftn = front(fft_in_c), front(fft2_in_c), front(fftn_in_c)
ifft, ifft2, ifftn = front(ifft_in_c), front(ifft2_in_c), front(ifftn_in_c)
rfft, rfft2, rfftn = front(rfft_in_c), front(rfft2_in_c), front(rfftn_in_c)
irfft, irfft2, irfftn = front(irfft_in_c), front(irfft2_in_c), front(irfftn_in_c)
hfft, hfft2, hfftn = front(hfft_in_c), front(hfft2_in_c), front(hfftn_in_c)
ihfft, ihfft2, ihfftn = front(ihfft_in_c), front(ihfft2_in_c), front(ihfftn_in_c)
