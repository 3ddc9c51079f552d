# cython: c_api_binop_methods=True
"""What Python asks of a tensor: ``a + b``, ``x[i]``, ``x == y``, ``print(x)``.

A compiled class answers in C slots, and these can be inherited.  So Tensor, in graph.pyx, has the fields, and its base
class, here, has the answers, which need none of the fields::

    a + b     ->  later.binary(words.add, a, b)         operators.pyx: the shortest way to an operation
    a += b    ->  later.in_place(words.add, a, b)       write.pyx
    a[i]      ->  later.read(a, i)                      subscripting.pyx
    abs(a)    ->  words.abs(a)                          a row of the table, or a composite
    len(a)    ->  provided.len_(a)                      a function of Python
"""

from minigrad._core.errors.refusals import no_deletion
from minigrad._core.runtime.core_ops cimport words
from minigrad._core.runtime.provided cimport awaited, provided
from minigrad._core.runtime.python_api cimport PyObject, Py_EQ, Py_GT, Py_LE, Py_LT, Py_NE

awaited("special_methods.pxd", &later, sizeof(later))


cdef class SpecialMethods:
    """The special methods of Tensor."""

    def __add__(a, b):
        return later.binary(words.add, a, b)

    def __sub__(a, b):
        return later.binary(words.sub, a, b)

    def __mul__(a, b):
        return later.binary(words.mul, a, b)

    def __truediv__(a, b):
        return later.binary(words.div, a, b)

    def __matmul__(a, b):
        return later.binary(words.matmul, a, b)

    def __pow__(a, b, modulo):
        if modulo is not None:
            return NotImplemented
        return later.binary(words.pow, a, b)

    def __neg__(self):
        return later.unary(words.neg, self)

    def __iadd__(self, other):
        return later.in_place(words.add, self, other)

    def __isub__(self, other):
        return later.in_place(words.sub, self, other)

    def __imul__(self, other):
        return later.in_place(words.mul, self, other)

    def __itruediv__(self, other):
        return later.in_place(words.div, self, other)

    def __ipow__(self, other, modulo):
        return provided.augmented(self, other, "pow_", "pow_")

    def __ifloordiv__(self, other):
        return provided.augmented(self, other, "floor_divide_", "floor_divide_")

    def __imod__(self, other):
        return provided.augmented(self, other, "remainder_", "remainder_")

    def __iand__(self, other):
        return provided.augmented(self, other, "bitwise_and_", "__iand__")

    def __ior__(self, other):
        return provided.augmented(self, other, "bitwise_or_", "__ior__")

    def __ixor__(self, other):
        return provided.augmented(self, other, "bitwise_xor_", "__ixor__")

    def __ilshift__(self, other):
        return provided.augmented(self, other, "bitwise_left_shift_", "__ilshift__")

    def __irshift__(self, other):
        return provided.augmented(self, other, "bitwise_right_shift_", "__irshift__")

    def __pos__(self):
        return words.positive(self)

    def __abs__(self):
        return words.abs(self)

    def __invert__(self):
        return words.bitwise_not(self)

    def __floordiv__(a, b):
        return later.binary(words.floor_divide, a, b)

    def __mod__(a, b):
        return later.binary(words.remainder, a, b)

    def __and__(a, b):
        return later.binary(words.bitwise_and, a, b)

    def __or__(a, b):
        return later.binary(words.bitwise_or, a, b)

    def __xor__(a, b):
        return later.binary(words.bitwise_xor, a, b)

    def __lshift__(a, b):
        return later.binary(words.bitwise_left_shift, a, b)

    def __rshift__(a, b):
        return later.binary(words.bitwise_right_shift, a, b)

    def __richcmp__(self, other, int comparison):
        return later.binary(
            words.eq if comparison == Py_EQ else words.ne if comparison == Py_NE else
            words.lt if comparison == Py_LT else words.le if comparison == Py_LE else
            words.gt if comparison == Py_GT else words.ge, self, other)

    def __hash__(self):
        return <Py_hash_t>(<size_t><PyObject*>self >> 4)

    def __getitem__(self, index):
        return later.read(self, index)

    def __setitem__(self, index, value):
        later.write(self, index, value)

    def __delitem__(self, index):
        raise no_deletion()

    def __iter__(self):
        return provided.iter_(self)

    def __contains__(self, element):
        return provided.contains(self, element)

    def __bool__(self):
        return provided.bool_(self)

    def __int__(self):
        return provided.int_(self)

    def __float__(self):
        return provided.float_(self)

    def __complex__(self):
        return provided.complex_(self)

    def __index__(self):
        return provided.index_(self)

    def __repr__(self):
        return provided.repr_(self)

    def __format__(self, spec):
        return provided.format_(self, spec)

    def __reduce_ex__(self, protocol):
        return provided.reduce_ex(self, protocol)
