"""NumPy's ufuncs with some loops of our own: fmax, fmin and remainder, sin and cos.

To NumPy 0. and -0. are equal.  So np.fmax takes one or the other, depending on the position in memory, and a remainder
of zero has the sign of the divisor.  PyTorch takes the first of equal arguments, and the sign of the dividend.

A ufunc is a table of inner loops, one for each dtype, and a caller that broadcasts and casts.  The ufuncs here have
NumPy's tables, with loops of our own for float32 and float64, which numpy_loops.pyx finds as it does in any other
ufunc.  The values are NumPy's, except for which zero it is, and for the last bit of a sine or cosine in double
precision: most builds of NumPy compute these one by one, sines.h many at a time.
"""

from libc.math cimport copysign
from libc.string cimport memcpy
from minigrad._core.kernels.loops.real cimport real
from minigrad._core.runtime.numpy_api cimport (NPY_CDOUBLE, NPY_CFLOAT, NPY_DOUBLE, NPY_FLOAT, PyUFuncGenericFunction,
                                               PyUFuncGenericFunction as Inner, PyUFunc_FromFuncAndData, PyUFunc_None,
                                               npy_intp, types_of, ufunc)

import numpy as np

# The loops are compiled twice, the second time for processors with vectors of 8 numbers, and chosen at import.
cdef extern from *:
    """
    #if defined(__GNUC__) && defined(__x86_64__) && !defined(MINIGRAD_CHECKED)
    #define WITH_AVX2 __attribute__((target("avx2"), flatten))
    #define has_wide() __builtin_cpu_supports("avx2")
    #else
    #define WITH_AVX2
    #define has_wide() 0
    #endif
    WITH_AVX2 static void extreme_wide_single(char **, const npy_intp *, const npy_intp *, void *);
    WITH_AVX2 static void extreme_wide_double(char **, const npy_intp *, const npy_intp *, void *);
    """
    bint has_wide() nogil

cdef enum:
    DTYPES = 24                     # NumPy has fewer
    BLOCK = 1024                    # elements that stay in the nearest cache

cdef struct Model:                  # NumPy's loop, and which of two numbers ours takes
    Inner f
    void* data
    bint largest

cdef struct Table:                  # a ufunc points to it
    Inner loops[DTYPES]
    void* data[DTYPES]
    char types[3 * DTYPES]
    Model models[2]

cdef Table FMAX, FMIN, REMAINDER, EXP2, LOG1P, SIN, COS

cdef extern from "kernels/loops/sines.h":
    void sin_doubles(char**, const npy_intp*, const npy_intp*, void*) noexcept nogil
    void cos_doubles(char**, const npy_intp*, const npy_intp*, void*) noexcept nogil


# ------------------------------------------------------------------------------ the larger and the smaller

cdef inline real pick(bint largest, real x, real y) noexcept nogil:
    """Each choice is between two numbers that are already known, so that the compiler needs no branch."""
    cdef real found
    if largest:
        found = y if y > x else x
    else:
        found = y if y < x else x
    return y if x != x else found


cdef inline void pick_each(bint largest, char* x, npy_intp dx, char* y, npy_intp dy, char* o, npy_intp do, npy_intp n,
                           real kind) noexcept nogil:
    cdef npy_intp i
    for i in range(n):
        (<real*>(o + i * do))[0] = pick(largest, (<real*>(x + i * dx))[0], (<real*>(y + i * dy))[0])


cdef inline bint has_zero(char* o, npy_intp do, npy_intp n, real kind) noexcept nogil:
    cdef npy_intp i
    cdef int found = 0
    for i in range(n):
        found |= (<real*>(o + i * do))[0] == 0
    return found


cdef inline void extreme(Model* model, char** p, npy_intp n, const npy_intp* s, real kind) noexcept nogil:
    """With strides that the compiler knows it uses vectors; otherwise NumPy's loop runs, and zeros are corrected."""
    cdef npy_intp size = sizeof(real), m
    cdef bint largest = model.largest
    cdef bint read_once = s[2] != size or p[0] == p[2] or p[1] == p[2]      # results may replace what they come from
    cdef char* q[3]
    if s[0] == size and s[1] == size and s[2] == size:
        pick_each(largest, p[0], sizeof(real), p[1], sizeof(real), p[2], sizeof(real), n, kind)
    elif s[0] == size and s[1] == 0 and s[2] == size:
        pick_each(largest, p[0], sizeof(real), p[1], 0, p[2], sizeof(real), n, kind)
    elif s[0] == 0 and s[1] == size and s[2] == size:
        pick_each(largest, p[0], 0, p[1], sizeof(real), p[2], sizeof(real), n, kind)
    elif read_once:
        pick_each(largest, p[0], s[0], p[1], s[1], p[2], s[2], n, kind)
    else:
        q[0], q[1], q[2] = p[0], p[1], p[2]
        while n > 0:
            m = min(n, <npy_intp>BLOCK)
            model.f(q, &m, s, model.data)
            if has_zero(q[2], sizeof(real), m, kind):
                pick_each(largest, q[0], s[0], q[1], s[1], q[2], sizeof(real), m, kind)
            q[0] += m * s[0]
            q[1] += m * s[1]
            q[2] += m * s[2]
            n -= m


cdef void extreme_single(char** p, const npy_intp* n, const npy_intp* s, void* model) noexcept nogil:
    extreme(<Model*>model, p, n[0], s, <float>0)


cdef void extreme_double(char** p, const npy_intp* n, const npy_intp* s, void* model) noexcept nogil:
    extreme(<Model*>model, p, n[0], s, <double>0)


cdef void extreme_wide_single "extreme_wide_single"(
        char** p, const npy_intp* n, const npy_intp* s, void* model) noexcept nogil:
    extreme(<Model*>model, p, n[0], s, <float>0)


cdef void extreme_wide_double "extreme_wide_double"(
        char** p, const npy_intp* n, const npy_intp* s, void* model) noexcept nogil:
    extreme(<Model*>model, p, n[0], s, <double>0)


# ------------------------------------------------------------------------------ what division leaves

cdef inline void remain(Model* model, char** p, npy_intp n, const npy_intp* s, real kind) noexcept nogil:
    """NumPy's loop, block by block; then zeros get the signs of the dividends, kept before if results replace them."""
    cdef real kept[BLOCK]
    cdef char* q[3]
    cdef npy_intp strides[3]
    cdef npy_intp m, i
    cdef real* o
    cdef bint same = p[0] == p[2]
    strides[0], strides[1], strides[2] = sizeof(real) if same else s[0], s[1], s[2]
    q[0], q[1], q[2] = p[0], p[1], p[2]
    while n > 0:
        m = min(n, <npy_intp>BLOCK)
        if same:
            for i in range(m):
                kept[i] = (<real*>(q[2] + i * s[0]))[0]
            q[0] = <char*>kept
        model.f(q, &m, strides, model.data)
        for i in range(m):
            o = <real*>(q[2] + i * s[2])
            if o[0] == 0:
                o[0] = <real>copysign(0., (<real*>(q[0] + i * strides[0]))[0])
        q[0] += m * s[0]
        q[1] += m * s[1]
        q[2] += m * s[2]
        n -= m


cdef void remainder_single(char** p, const npy_intp* n, const npy_intp* s, void* model) noexcept nogil:
    remain(<Model*>model, p, n[0], s, <float>0)


cdef void remainder_double(char** p, const npy_intp* n, const npy_intp* s, void* model) noexcept nogil:
    remain(<Model*>model, p, n[0], s, <double>0)


# ------------------------------------------------------------------------------ the ufuncs

cdef object settled(ufunc original, Table* table, Inner single, Inner double_, char* name, char* doc):
    """NumPy's ufunc of two real numbers, with our loops for float32 and float64."""
    cdef const char* types = types_of(original)
    cdef Model* model
    cdef int i, dtype, k = 0
    for i in range(original.ntypes):
        dtype = types[3 * i]
        if dtype > NPY_DOUBLE:          # 16-bit floats come as float32
            continue
        memcpy(&table.types[3 * k], &types[3 * i], 3)
        table.loops[k] = <Inner><void*>original.functions[i]
        table.data[k] = original.data[i]
        if dtype >= NPY_FLOAT:
            model = &table.models[dtype - NPY_FLOAT]
            model.f = table.loops[k]
            model.data = table.data[k]
            model.largest = table == &FMAX
            table.loops[k] = double_ if dtype == NPY_DOUBLE else single
            table.data[k] = model
        k += 1
    return PyUFunc_FromFuncAndData(<PyUFuncGenericFunction*><void*>table.loops, table.data, table.types, k, 2, 1,
                                   PyUFunc_None, name, doc, 0)


cdef object of_reals(ufunc original, Table* table, char* name):
    """A ufunc of NumPy's (or one of these), with its loops for float32 and float64 alone."""
    cdef const char* types = types_of(original)
    cdef int i, n = original.nargs, k = 0
    for i in range(original.ntypes):
        if types[n * i] == NPY_FLOAT or types[n * i] == NPY_DOUBLE:
            memcpy(&table.types[n * k], &types[n * i], n)
            table.loops[k] = <Inner><void*>original.functions[i]
            table.data[k] = original.data[i]
            k += 1
    return PyUFunc_FromFuncAndData(<PyUFuncGenericFunction*><void*>table.loops, table.data, table.types, k,
                                   original.nin, 1, PyUFunc_None, name, NULL, 0)


cdef object with_doubles(ufunc original, Table* table, Inner double_, char* name, char* doc):
    """NumPy's ufunc of one number, with a loop of ours for float64."""
    cdef const char* types = types_of(original)
    cdef int i, dtype, k = 0
    for i in range(original.ntypes):
        dtype = types[2 * i]
        if dtype not in (NPY_FLOAT, NPY_DOUBLE, NPY_CFLOAT, NPY_CDOUBLE):
            continue
        memcpy(&table.types[2 * k], &types[2 * i], 2)
        table.loops[k] = double_ if dtype == NPY_DOUBLE else <Inner><void*>original.functions[i]
        table.data[k] = original.data[i]
        k += 1
    return PyUFunc_FromFuncAndData(<PyUFuncGenericFunction*><void*>table.loops, table.data, table.types, k, 1, 1,
                                   PyUFunc_None, name, doc, 0)


cdef Inner single = extreme_wide_single if has_wide() else extreme_single
cdef Inner double_ = extreme_wide_double if has_wide() else extreme_double

fmax = settled(np.fmax, &FMAX, single, double_, "fmax",
               "The larger of two; nan loses, and of equal ones the result is the first.")
fmin = settled(np.fmin, &FMIN, single, double_, "fmin",
               "The smaller of two; nan loses, and of equal ones the result is the first.")
remainder = settled(np.remainder, &REMAINDER, remainder_single, remainder_double, "remainder",
                    "What division leaves, with the sign of the divisor; a zero has that of the dividend.")
exp2 = of_reals(np.exp2, &EXP2, "exp2")
log1p = of_reals(np.log1p, &LOG1P, "log1p")
sin = with_doubles(np.sin, &SIN, sin_doubles, "sin", "The sine; the errors of doubles are in sines.h.")
cos = with_doubles(np.cos, &COS, cos_doubles, "cos", "The cosine; the errors of doubles are in sines.h.")
