# cython: c_api_binop_methods=True
"""What Python asks of a tensor: ``a + b``, ``x[i]``, ``x == y``, ``print(x)``.

A compiled class answers in C slots, and these can be inherited.  So Tensor, in graph.pyx, has the fields, and its base
class, here, has the answers, which need none of the fields::

    a + b     ->  arithmetic.binary(words.add, a, b)        operators.pyx: the shortest way to an operation
    a += b    ->  arithmetic.in_place(words.add, a, b)      write.pyx
    abs(a)    ->  methods["abs"](a)                         a function of Python, from the table or from _tensor.py
"""

from minigrad._core.runtime.core_ops cimport words
from minigrad._core.runtime.python_api cimport PyObject, Py_EQ, Py_GT, Py_LE, Py_LT, Py_NE

methods = {}


def fill(**functions):
    """Say what the rarer special methods do, by their names without underscores."""
    methods.update(functions)


cdef class SpecialMethods:
    """The special methods of Tensor."""

    def __add__(a, b):
        return arithmetic.binary(words.add, a, b)

    def __sub__(a, b):
        return arithmetic.binary(words.sub, a, b)

    def __mul__(a, b):
        return arithmetic.binary(words.mul, a, b)

    def __truediv__(a, b):
        return arithmetic.binary(words.div, a, b)

    def __matmul__(a, b):
        return arithmetic.binary(words.matmul, a, b)

    def __pow__(a, b, modulo):
        if modulo is not None:
            return NotImplemented
        return arithmetic.binary(words.pow, a, b)

    def __neg__(self):
        return arithmetic.unary(words.neg, self)

    def __iadd__(self, other):
        return arithmetic.in_place(words.add, self, other)

    def __isub__(self, other):
        return arithmetic.in_place(words.sub, self, other)

    def __imul__(self, other):
        return arithmetic.in_place(words.mul, self, other)

    def __itruediv__(self, other):
        return arithmetic.in_place(words.div, self, other)

    def __ipow__(self, other, modulo):
        return methods["ipow"](self, other)

    def __ifloordiv__(self, other):
        return methods["ifloordiv"](self, other)

    def __imod__(self, other):
        return methods["imod"](self, other)

    def __iand__(self, other):
        return methods["iand"](self, other)

    def __ior__(self, other):
        return methods["ior"](self, other)

    def __ixor__(self, other):
        return methods["ixor"](self, other)

    def __ilshift__(self, other):
        return methods["ilshift"](self, other)

    def __irshift__(self, other):
        return methods["irshift"](self, other)

    def __pos__(self):
        return methods["pos"](self)

    def __abs__(self):
        return methods["abs"](self)

    def __invert__(self):
        return methods["invert"](self)

    def __floordiv__(a, b):
        return arithmetic.binary(words.floor_divide, a, b)

    def __mod__(a, b):
        return arithmetic.binary(words.remainder, a, b)

    def __and__(a, b):
        return arithmetic.binary(words.bitwise_and, a, b)

    def __or__(a, b):
        return arithmetic.binary(words.bitwise_or, a, b)

    def __xor__(a, b):
        return arithmetic.binary(words.bitwise_xor, a, b)

    def __lshift__(a, b):
        return arithmetic.binary(words.bitwise_left_shift, a, b)

    def __rshift__(a, b):
        return arithmetic.binary(words.bitwise_right_shift, a, b)

    def __richcmp__(self, other, int comparison):
        return arithmetic.binary(
            words.eq if comparison == Py_EQ else words.ne if comparison == Py_NE else
            words.lt if comparison == Py_LT else words.le if comparison == Py_LE else
            words.gt if comparison == Py_GT else words.ge, self, other)

    def __hash__(self):
        return <Py_hash_t>(<size_t><PyObject*>self >> 4)

    def __getitem__(self, index):
        return methods["getitem"](self, index)

    def __setitem__(self, index, value):
        methods["setitem"](self, index, value)

    def __iter__(self):
        return methods["iter"](self)

    def __contains__(self, element):
        return methods["contains"](self, element)

    def __bool__(self):
        return methods["bool"](self)

    def __int__(self):
        return methods["int"](self)

    def __float__(self):
        return methods["float"](self)

    def __complex__(self):
        return methods["complex"](self)

    def __index__(self):
        return methods["index"](self)

    def __repr__(self):
        return methods["repr"](self)

    def __format__(self, spec):
        return methods["format"](self, spec)

    def __reduce_ex__(self, protocol):
        return methods["reduce_ex"](self, protocol)
