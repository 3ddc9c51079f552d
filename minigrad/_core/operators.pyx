"""What the operators of Python do: ``a + b``, ``-a``, and ``a += b``.

``a + b`` is a call of an Op like any other, by a shorter way.  ``a += b`` writes into the memory of ``a``,
see inplace.pyx.
"""

from cpython.float cimport PyFloat_CheckExact
from cpython.long cimport PyLong_CheckExact
from cpython.ref cimport PyObject
cimport numpy as cnp
from numpy cimport PyArray_NDIM, PyArray_TYPE, ndarray

import numpy as np

from minigrad._core.graph cimport Tensor, upward
from minigrad._core.dispatch cimport call
from minigrad._core.op cimport MAX_PARAMS, Op
from minigrad._core.modes cimport listeners
from minigrad._core.symbols cimport Symbol
from minigrad._core import graph

cnp.import_array()


# Told at import: the ops whose operators have a shorter way, or another op for numbers on the left.
cdef object _add = None
cdef object _mul = None
cdef object _sub = None
cdef object _div = None
cdef Op _mm = None
cdef object _matmul = None
cdef object _pow = None
cdef object _pow_number = None
cdef object _rsub = None
cdef object _rdiv = None


def register(dict operators, Op mm not None, pow_number, rsub, rdiv):
    """The ops behind ``+ - * / @ ** -``; ``mm`` and ``pow_number`` are the short ways of ``@`` and ``**``, ``rsub`` and ``rdiv`` are ``1 - x`` and ``1 / x``."""
    global _mm, _matmul, _pow, _pow_number, _add, _mul, _sub, _div, _rsub, _rdiv
    _mm = mm
    _matmul = operators["matmul"]
    _pow = operators["pow"]
    _pow_number = pow_number
    _add = operators["add"]
    _mul = operators["mul"]
    _sub = operators["sub"]
    _div = operators["div"]
    _rsub = rsub
    _rdiv = rdiv
    graph.register(operators=tuple([operators[k] for k in ("add", "sub", "mul", "div", "matmul", "pow", "neg")]))


cdef object binary_operator(object op, object a, object b):
    """`a op b` from a C slot of Tensor: at least one of them is a Tensor."""
    cdef PyObject* bound[MAX_PARAMS]
    if not acceptable(a) or not acceptable(b):
        return NotImplemented
    if op is _matmul and not (isinstance(a, (Tensor, Symbol)) and isinstance(b, (Tensor, Symbol))):
        return NotImplemented
    if type(op) is Op:
        if isinstance(a, (int, float, complex)):
            if isinstance(a, np.generic):
                a = a.item()
            if op is _add or op is _mul:
                a, b = b, a                 # PyTorch's order: the tensor is the first operand
            if op is _sub:
                return _rsub(b, a)
            if op is _div:
                return _rdiv(b, a)
        if (<Op>op).n_params != 2:
            return op(a, b)
        bound[0] = <PyObject*>a
        bound[1] = <PyObject*>b
        return call(<Op>op, bound)
    if type(a) is Tensor and type(b) is Tensor:
        if op is _matmul and not listeners and is_matrix(<Tensor>a) and is_matrix(<Tensor>b):
            bound[0] = <PyObject*>a
            bound[1] = <PyObject*>b
            return call(_mm, bound)
    elif op is _pow and type(a) is Tensor and has_floats(<Tensor>a) and (PyFloat_CheckExact(b) or PyLong_CheckExact(b)):
        bound[0] = <PyObject*>a
        bound[1] = <PyObject*>b
        return call(<Op>_pow_number, bound)
    return op(a, b)


cdef inline bint has_floats(Tensor t) noexcept:
    """Then a number takes no part in promotion, and may be a parameter."""
    return type(t.data) is ndarray and cnp.NPY_FLOAT <= PyArray_TYPE(<ndarray>t.data) <= cnp.NPY_CLONGDOUBLE


cdef inline bint is_matrix(Tensor t) noexcept:
    return type(t.data) is ndarray and PyArray_NDIM(<ndarray>t.data) == 2


cdef bint acceptable(object x) except -1:
    return isinstance(x, (Tensor, Symbol)) or PyFloat_CheckExact(x) or PyLong_CheckExact(x) or isinstance(x, (bool, int, float, complex, np.generic, np.ndarray))


cdef object unary_operator(object op, object a):
    cdef PyObject* bound[MAX_PARAMS]
    if type(op) is Op and (<Op>op).n_params == 1:
        bound[0] = <PyObject*>a
        return call(<Op>op, bound)
    return op(a)


upward.binary = binary_operator
upward.unary = unary_operator
