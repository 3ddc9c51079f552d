# A gradient, in the shape and dtype of what it is for.

from minigrad._core.backward.pass_state cimport Pass
from minigrad._core.graph cimport Meta, Node, Tensor
from minigrad._core.runtime.numpy_api cimport PyArray_TYPE, ndarray

cdef ndarray fit_array(Pass p, ndarray g, Node n, int e)
cdef object fit_tensor(object g, tuple shape, object dtype)
cdef object fit_to_edge(object g, Node n, int e)
cdef ndarray cast(ndarray a, int type_num)
cdef ndarray cast_along(ndarray a, int type_num, Node n, int e)
cdef object dtype_along(object own, object dtype, Node n, int e)


cdef inline Meta* meta_of(Node n, int e) noexcept:
    """What edge `e` asks of a gradient; NULL where gradients fit as they come."""
    return NULL if n.fits == NULL else n.fits[e]


cdef inline object fit(Pass p, object g, Node n, int e):
    """The gradient as edge `e` of `n` asks for it; as it is where there is none, or nothing is asked for."""
    if g is None or meta_of(n, e) == NULL:
        return g
    return fit_to_edge(g, n, e) if p.tensors else fit_array(p, <ndarray>g, n, e)


cdef inline object cast_like(object r, object g, Node n, int e):
    """The gradient `r` for an input that had the dtype of the output: cast to that of `g`, the output's gradient."""
    if type(r) is ndarray:
        if type(g) is ndarray and PyArray_TYPE(<ndarray>r) != PyArray_TYPE(<ndarray>g):
            return cast_along(<ndarray>r, PyArray_TYPE(<ndarray>g), n, e)
    elif isinstance(r, Tensor) and isinstance(g, Tensor) and not same_type(<Tensor>r, <Tensor>g):
        return fit_tensor(r, None, dtype_along(r.dtype, g.dtype, n, e))
    return r


cdef inline bint same_type(Tensor a, Tensor b) except -1:
    if type(a.payload) is ndarray and type(b.payload) is ndarray:
        return PyArray_TYPE(<ndarray>a.payload) == PyArray_TYPE(<ndarray>b.payload)
    return a.dtype is b.dtype
