"""Elementwise functions that NumPy lacks, as ufuncs: masks, bounds, mixtures, and what networks put between layers.

In a row such a ufunc is the fast kernel (``fast=elementwise.clamp``); the general kernel beside it says in NumPy what
it computes, and a test holds the two against each other.  The inner loops are in ``new_ufuncs.h``, which ends with the
list of the functions: each becomes a ufunc of this module.
"""

from minigrad._core.runtime.numpy_api cimport PyUFuncGenericFunction, PyUFunc_FromFuncAndData, PyUFunc_None
from minigrad._core.runtime.python_api cimport PyMem_Malloc

import numpy as np

cdef extern from "kernels/loops/new_ufuncs.h":
    mg_function FUNCTIONS[1]
    int N_FUNCTIONS "(int)(sizeof(FUNCTIONS) / sizeof(FUNCTIONS[0]))"

cdef tuple REALS = ("f4", "f8")
cdef tuple FLOATS = ("f2", "f4", "f8")
cdef tuple NUMBERS = ("u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", "f2", "f4", "f8", "c8", "c16")
cdef tuple UP_TO_8_BYTES = ("?", "u1", "i1", "i2", "i4", "f4", "i8", "f8", "c8")

TO_NUMPY.raises = True
cdef void* DATA[13]
for _k in range(13):
    DATA[_k] = &TO_NUMPY


cdef object ufunc_of(mg_function* function):
    """The ufunc of a function of a list: for float32 and float64, for all numbers, or for elements of up to 8 bytes."""
    cdef bytes operands = function.types
    # What a ufunc is made of must live as long as it does, which is for ever.
    cdef char* types = <char*>PyMem_Malloc(function.n_loops * len(operands))
    cdef int k = 0
    if types == NULL:
        raise MemoryError()
    for element in {2: REALS, 3: FLOATS, 13: NUMBERS, 9: UP_TO_8_BYTES}[function.n_loops]:
        for letter in operands.decode():
            dtype = element if letter == "x" else {"f4": "c8", "f8": "c16"}[element] if letter == "c" else letter
            types[k] = np.dtype(dtype).num
            k += 1
    return PyUFunc_FromFuncAndData(<PyUFuncGenericFunction*><void*>function.loops, DATA, types,
                                   function.n_loops, len(operands) - 1, 1, PyUFunc_None, <char*>function.name, NULL,
                                   0)


for _k in range(N_FUNCTIONS):
    globals()[FUNCTIONS[_k].name.decode()] = ufunc_of(&FUNCTIONS[_k])
