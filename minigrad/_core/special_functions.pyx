"""Special functions, as ufuncs: the error function, the gamma function's logarithm and its derivatives.

NumPy has none of them.  As ufuncs, like ``np.exp``, they take any layout, shapes that broadcast, and ``out=``, and the
loops of the core find their inner loops as they find NumPy's.  Each has two: for float64, a function of one number;
for float32, a function of many, in ``special_functions.h``.

==============  =======================================================================================================
erf, erfc       float64: the C library's.  float32: erf is x P(x^2) / Q(x^2) for |x| < 4, a fit whose relative error is
                3e-9.  erfc is exp(-x^2) / (1 + 2x) times a polynomial in t = (x - 3.75) / (x + 3.75), which maps 0 <= x
                < inf to -1 <= t < 1 (M. M. Shepherd and J. G. Laframboise, Math. Comp. 36 (1981), 249)
normal_cdf      erfc(-x / sqrt(2)) / 2: exact in both tails
lgamma          float64: the C library's.  float32: Stirling's series for x >= 8 (Abramowitz and Stegun, 6.1.41), and
                below that Gamma(x + 8) = x (x + 1) ... (x + 7) Gamma(x)
polygamma       order 0: the derivative of Stirling's series (6.3.18) for x >= 10, and psi(x + 1) = psi(x) + 1/x;
                below 0 the reflection psi(x) = psi(1 - x) - pi / tan(pi x).  Order n: Hurwitz' zeta function (6.4.10)
                by the formula of Euler and Maclaurin (23.1.30).  Float32, orders 0 and 1: as lgamma
==============  =======================================================================================================

Tests hold them against 50 digits.
"""

from cpython.long cimport PyLong_AsLong, PyLong_CheckExact
from cpython.ref cimport PyObject
from libc.math cimport (INFINITY, NAN, M_PI, ceil, copysign, erf as erf_c, erfc as erfc_c, exp, fabs, log, log1p, pow,
                        rint, tan)
cimport numpy as cnp
from numpy cimport NPY_DOUBLE, NPY_FLOAT, PyUFunc_FromFuncAndData, npy_intp
from minigrad._core.loops cimport Loop, binary_into
from minigrad._core.numpy_c cimport PyUFuncGenericFunction

import math

cnp.import_array()
cnp.import_ufunc()

cdef extern from "<math.h>":
    double lgamma_r(double, int*) nogil         # lgamma() itself writes to a global

cdef extern from "special_functions.h":
    ctypedef void (*many_t)(const float*, float*, long) noexcept nogil
    many_t many_erf()
    many_t many_erfc()
    many_t many_cdf()
    many_t many_gelu()
    many_t many_sigmoid()
    many_t many_silu()
    many_t many_logsigmoid()
    many_t many_mish()
    many_t many_lgamma()
    many_t many_digamma()
    many_t many_trigamma()

cdef enum:
    BLOCK = 256                 # numbers that are brought together where they are not beside each other
    TERMS = 10                  # of the asymptotic series

ctypedef double (*one_t)(double) noexcept nogil

cdef struct Function:           # what a loop is given as its data
    one_t one
    many_t many                 # for floats with low < x <= high; the others go to `one`
    float low
    float high


# ------------------------------------------------------------------------------ one number

cdef double lgamma_of(double x) noexcept nogil:
    cdef int sign
    return lgamma_r(x, &sign)


cdef double normal_cdf_of(double x) noexcept nogil:
    return 0.5 * erfc_c(-x * 0.70710678118654752440)


cdef double gelu_of(double x) noexcept nogil:
    return x * normal_cdf_of(x)


cdef double sigmoid_of(double x) noexcept nogil:
    return 1 / (1 + exp(-x))


cdef double silu_of(double x) noexcept nogil:
    return x / (1 + exp(-x))


cdef double logsigmoid_of(double x) noexcept nogil:
    return (x if not x >= 0 else 0) - log1p(exp(-fabs(x)))


cdef double mish_of(double x) noexcept nogil:
    """tanh(log(1 + e)) = (e^2 + 2 e) / (e^2 + 2 e + 2)"""
    cdef double e = exp(x if x < 300 else 300), n = e * (e + 2)
    return x * (n / (n + 2))


# Bernoulli's numbers B2, B4, ... B20; the same over 2k, for digamma; and over (2k)!, for zeta.
cdef double* BERNOULLI = [1 / 6., -1 / 30., 1 / 42., -1 / 30., 5 / 66., -691 / 2730., 7 / 6., -3617 / 510.,
                          43867 / 798., -174611 / 330.]
cdef double OVER_2K[TERMS]
cdef double OVER_FACTORIAL[TERMS]
cdef double FACTORIAL[171]
for _k in range(TERMS):
    OVER_2K[_k] = BERNOULLI[_k] / (2 * _k + 2)
    OVER_FACTORIAL[_k] = BERNOULLI[_k] / math.factorial(2 * _k + 2)
for _k in range(171):
    FACTORIAL[_k] = math.factorial(_k)


cdef double digamma_of(double x) noexcept nogil:
    cdef double y = 1 - x if x < 0 else x
    cdef double out = 0, series = 0, off
    cdef int k
    while y < 10:
        out -= 1 / y
        y += 1
    for k in range(TERMS - 1, -1, -1):
        series = series / (y * y) + OVER_2K[k]
    out += log(y) - 0.5 / y - series / (y * y)
    if x < 0:
        off = x - rint(x)
        out = NAN if off == 0 else out - M_PI / tan(M_PI * off)
    return out


cdef double zeta(double s, double q) noexcept nogil:
    """The sum of (q + k)^-s over k >= 0, for q >= 0 and s > 1."""
    cdef double out = 0, term
    cdef int k
    if q != q:
        return q
    while q < 10 + s:
        out += pow(q, -s)
        q += 1
    out += pow(q, 1 - s) / (s - 1) + 0.5 * pow(q, -s)
    term = s * pow(q, -s - 1)
    for k in range(1, TERMS + 1):
        out += OVER_FACTORIAL[k - 1] * term
        term *= (s + 2 * k - 1) * (s + 2 * k) / (q * q)
    return out


cdef double polygamma_of(double x, double n) noexcept nogil:
    """(-1)^s n! times the sum of (x + k)^-s over k >= 0, with s = n + 1.

    Below zero the terms with x + k < 0 are a sum by themselves, which ends::

                          x                    -u     0     1 - u
        --|---------|-----o---|---------|-------o-----|-------o----|--->
                       1 - x away            u away

    Its sizes are u, u + 1, ... -x: a difference of two zeta functions.
    """
    cdef double s = n + 1, sign = 1 if <long long>n % 2 else -1, u, total
    if n == 0:
        return digamma_of(x)
    if s > 171:
        s = 171                 # from here on n! is inf, and only the sign of the sum counts
    if x < 0:
        u = ceil(x) - x
        total = INFINITY if u == 0 else (zeta(s, 1 - u) + sign * zeta(s, u)) - sign * zeta(s, 1 - x)
    else:
        total = zeta(s, fabs(x))
    return sign * (FACTORIAL[<int>n] if n < 171 else INFINITY) * total


cdef double trigamma_of(double x) noexcept nogil:
    return polygamma_of(x, 1)


# ------------------------------------------------------------------------------ inner loops

cdef void double_loop(char** p, const npy_intp* n, const npy_intp* strides, void* data) noexcept nogil:
    cdef one_t one = (<Function*>data).one
    cdef npy_intp i
    for i in range(n[0]):
        (<double*>(p[1] + i * strides[1]))[0] = one((<double*>(p[0] + i * strides[0]))[0])


cdef void float_loop(char** p, const npy_intp* n, const npy_intp* strides, void* data) noexcept nogil:
    """Blocks of floats.  They are copied where they are apart, or where the result is written over them."""
    cdef Function* function = <Function*>data
    cdef float block[BLOCK]
    cdef float results[BLOCK]
    cdef float* x
    cdef float* y
    cdef npy_intp start = 0, i, size
    cdef char* source
    cdef char* target
    cdef bint gather, scatter = strides[1] != sizeof(float)
    gather = strides[0] != sizeof(float) or p[0] == p[1]
    while start < n[0]:
        size = min(n[0] - start, <npy_intp>BLOCK)
        source, target = p[0] + start * strides[0], p[1] + start * strides[1]
        x, y = <float*>source, <float*>target
        if gather:
            x = &block[0]
            for i in range(size):
                x[i] = (<float*>(source + i * strides[0]))[0]
        if scatter:
            y = &results[0]
        function.many(x, y, size)
        for i in range(size):
            if not (function.low < x[i] <= function.high):
                y[i] = <float>function.one(x[i])
        if scatter:
            for i in range(size):
                (<float*>(target + i * strides[1]))[0] = y[i]
        start += size


cdef void polygamma_doubles(char** p, const npy_intp* n, const npy_intp* strides, void* data) noexcept nogil:
    cdef npy_intp i
    for i in range(n[0]):
        (<double*>(p[2] + i * strides[2]))[0] = polygamma_of((<double*>(p[0] + i * strides[0]))[0],
                                                            (<double*>(p[1] + i * strides[1]))[0])


cdef void polygamma_floats(char** p, const npy_intp* n, const npy_intp* strides, void* data) noexcept nogil:
    cdef npy_intp i
    cdef char* two[2]
    cdef npy_intp steps[2]
    cdef float order
    if n[0] and strides[1] == 0:
        order = (<float*>p[1])[0]
        if order == 0 or order == 1:
            two[0], two[1], steps[0], steps[1] = p[0], p[2], strides[0], strides[2]
            float_loop(two, n, steps, &DIGAMMA if order == 0 else &TRIGAMMA)
            return
    for i in range(n[0]):
        (<float*>(p[2] + i * strides[2]))[0] = <float>polygamma_of((<float*>(p[0] + i * strides[0]))[0],
                                                                  (<float*>(p[1] + i * strides[1]))[0])


# ------------------------------------------------------------------------------ ufuncs

cdef float LARGEST = 3.4028234663852886e38

cdef Function ERF = Function(erf_c, many_erf(), -INFINITY, INFINITY)
cdef Function ERFC = Function(erfc_c, many_erfc(), -INFINITY, INFINITY)
cdef Function NORMAL_CDF = Function(normal_cdf_of, many_cdf(), -INFINITY, INFINITY)
cdef Function GELU = Function(gelu_of, many_gelu(), -INFINITY, INFINITY)
cdef Function SIGMOID = Function(sigmoid_of, many_sigmoid(), -INFINITY, INFINITY)
cdef Function SILU = Function(silu_of, many_silu(), -INFINITY, INFINITY)
cdef Function LOGSIGMOID = Function(logsigmoid_of, many_logsigmoid(), -INFINITY, INFINITY)
cdef Function MISH = Function(mish_of, many_mish(), -INFINITY, INFINITY)
cdef Function LGAMMA = Function(lgamma_of, many_lgamma(), 0, LARGEST)
cdef Function DIGAMMA = Function(digamma_of, many_digamma(), 0, LARGEST)
cdef Function TRIGAMMA = Function(trigamma_of, many_trigamma(), 0, LARGEST)

# A ufunc keeps pointers to these for as long as it lives.
cdef PyUFuncGenericFunction* UNARY = [float_loop, double_loop]
cdef PyUFuncGenericFunction* OF_ORDER = [polygamma_floats, polygamma_doubles]
cdef char* TYPES = [NPY_FLOAT, NPY_FLOAT, NPY_DOUBLE, NPY_DOUBLE]
cdef char* OF_ORDER_TYPES = [NPY_FLOAT, NPY_FLOAT, NPY_FLOAT, NPY_DOUBLE, NPY_DOUBLE, NPY_DOUBLE]
cdef void* DATA[10][2]
cdef void* NO_DATA[2]


cdef object unary_ufunc(int i, Function* function, const char* name):
    DATA[i][0] = DATA[i][1] = function
    return PyUFunc_FromFuncAndData(UNARY, DATA[i], TYPES, 2, 1, 1, cnp.PyUFunc_None, <char*>name, NULL, 0)


erf = unary_ufunc(0, &ERF, "erf")
erfc = unary_ufunc(1, &ERFC, "erfc")
normal_cdf = unary_ufunc(2, &NORMAL_CDF, "normal_cdf")
gelu = unary_ufunc(3, &GELU, "gelu")
lgamma = unary_ufunc(4, &LGAMMA, "lgamma")
digamma = unary_ufunc(5, &DIGAMMA, "digamma")
sigmoid = unary_ufunc(6, &SIGMOID, "sigmoid")
silu = unary_ufunc(7, &SILU, "silu")
logsigmoid = unary_ufunc(8, &LOGSIGMOID, "logsigmoid")
mish = unary_ufunc(9, &MISH, "mish")
polygamma = PyUFunc_FromFuncAndData(OF_ORDER, NO_DATA, OF_ORDER_TYPES, 2, 2, 1, cnp.PyUFunc_None, "polygamma", NULL, 0)
