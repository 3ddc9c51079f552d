"""Elementwise functions that NumPy has not, as ufuncs: masks, bounds, mixtures, and what networks put between layers.

In a row such a ufunc is the fast kernel (``fast=elementwise.clamp``); the general kernel beside it says in NumPy what
it computes, and a test holds the two against each other.  The inner loops are in ``elementwise.h``, which ends with the
list of the functions: each becomes a ufunc of this module.
"""

cimport numpy as cnp
from numpy cimport PyUFunc_FromFuncAndData, npy_intp
from minigrad._core.numpy_c cimport PyUFuncGenericFunction

import numpy as np

cnp.import_array()
cnp.import_ufunc()

cdef enum:
    MANY = 64                   # functions

cdef extern from "elementwise.h":
    ctypedef struct mg_function:
        const char* name
        const char* types
        int n_loops
        PyUFuncGenericFunction loops[9]
    mg_function FUNCTIONS[1]
    int N_FUNCTIONS "(int)(sizeof(FUNCTIONS) / sizeof(FUNCTIONS[0]))"

# What a ufunc is made of must live as long as it does.
cdef char types[MANY][9 * 7]
cdef void* NO_DATA[9]


def ufunc_of(int i):
    """The ufunc of function `i` of the list: for float32 and float64, or for all elements of up to 8 bytes."""
    cdef mg_function* function = &FUNCTIONS[i]
    cdef bytes operands = function.types
    cdef int k = 0
    for element in ("f4", "f8") if function.n_loops == 2 else ("?", "u1", "i1", "i2", "i4", "f4", "i8", "f8", "c8"):
        for letter in operands.decode():
            dtype = element if letter == "x" else {"f4": "c8", "f8": "c16"}[element] if letter == "c" else letter
            types[i][k] = np.dtype(dtype).num
            k += 1
    return PyUFunc_FromFuncAndData(<cnp.PyUFuncGenericFunction*><void*>function.loops, NO_DATA, types[i],
                                   function.n_loops, len(operands) - 1, 1, cnp.PyUFunc_None, <char*>function.name, NULL,
                                   0)


for _i in range(N_FUNCTIONS):
    globals()[FUNCTIONS[_i].name.decode()] = ufunc_of(_i)
