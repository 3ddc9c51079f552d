"""What the operators of Python do: ``a + b`` and ``-a``.

``a + b`` is a call of an Op like any other, without the binding of arguments.  ``a += b`` is in write.pyx.
"""

import numpy as np

from minigrad._core.dispatch.call cimport call
from minigrad._core.dispatch.matmul cimport matmul_of
from minigrad._core.dispatch.op cimport MAX_PARAMS, Op
from minigrad._core.dispatch.symbols cimport Symbol
from minigrad._core.dispatch.torch_function cimport DECLINED, either_unusual, is_unusual, modes_on, operator_overridden
from minigrad._core.graph cimport Tensor
from minigrad._core.graph.special_methods cimport later
from minigrad._core.runtime.core_ops cimport words
from minigrad._core.runtime.numpy_api cimport NPY_CLONGDOUBLE, NPY_FLOAT, PyArray_TYPE, ndarray
from minigrad._core.runtime.python_api cimport PyFloat_CheckExact, PyLong_CheckExact, PyObject, PyTuple_GET_ITEM
from minigrad._core.runtime.thread_state cimport listeners


cdef object binary_operator(object op, object a, object b):
    """`a op b` from a C slot of Tensor: at least one of them is a Tensor."""
    cdef PyObject* bound[MAX_PARAMS]
    cdef int i
    if either_unusual(<PyObject*>a, <PyObject*>b):
        result = operator_overridden(op, a, b)
        if result is not NotImplemented:
            return NotImplemented if result is DECLINED else result
    if not acceptable(a) or not acceptable(b):
        return NotImplemented
    if op is words.matmul and not (isinstance(a, Tensor) and isinstance(b, (Tensor, Symbol))):
        return NotImplemented
    if type(op) is Op:
        if isinstance(a, (int, float, complex)):
            if isinstance(a, np.generic):
                a = a.item()
            if op is words.add or op is words.mul:
                a, b = b, a                 # PyTorch's order: the tensor is the first operand
            if op is words.sub:
                return words.rsub(b, a)
            if op is words.div:
                return words.rdiv(b, a)
        if (<Op>op).n_positional != 2:
            return op(a, b)
        bound[0] = <PyObject*>a
        bound[1] = <PyObject*>b
        for i in range(2, (<Op>op).n_params):
            bound[i] = PyTuple_GET_ITEM((<Op>op).defaults, i)
        return call(<Op>op, bound)
    if isinstance(a, Tensor) and isinstance(b, Tensor):
        if (op is words.matmul and not listeners and type((<Tensor>a).payload) is ndarray
                and type((<Tensor>b).payload) is ndarray):
            product = matmul_of(<Tensor>a, <Tensor>b)
            if product is not None:
                return product
    elif (op is words.pow and type(words.pow_number) is Op and isinstance(a, Tensor) and has_floats(<Tensor>a)
          and (PyFloat_CheckExact(b) or PyLong_CheckExact(b))):
        bound[0] = <PyObject*>a
        bound[1] = <PyObject*>b
        return call(<Op>words.pow_number, bound)
    return op(a, b)


cdef inline bint has_floats(Tensor t) noexcept:
    """True for a tensor whose dtype no float or int changes, so that a number can be a parameter."""
    return type(t.payload) is ndarray and NPY_FLOAT <= PyArray_TYPE(<ndarray>t.payload) <= NPY_CLONGDOUBLE


cdef bint acceptable(object x) except -1:
    """True if `x` can be an operand; for anything else Python asks the other operand."""
    return (isinstance(x, (Tensor, Symbol)) or PyFloat_CheckExact(x) or PyLong_CheckExact(x)
            or isinstance(x, (bool, int, float, complex, np.generic, np.ndarray)))


cdef object unary_operator(object op, object a):
    cdef PyObject* bound[MAX_PARAMS]
    if modes_on or is_unusual(<PyObject*>a):
        return op(a)
    if type(op) is Op and (<Op>op).n_params == 1:
        bound[0] = <PyObject*>a
        return call(<Op>op, bound)
    return op(a)


later.binary = binary_operator
later.unary = unary_operator
