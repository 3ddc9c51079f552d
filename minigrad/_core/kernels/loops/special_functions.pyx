"""Special functions, as ufuncs: the error function, the gamma function, Bessel functions, and what networks need.

NumPy has none of them.  As ufuncs, like ``np.exp``, they take any layout, shapes that broadcast, and ``out=``, and the
loops of the core find their inner loops as they find NumPy's.  The loops compute many numbers at a time, in
``special_functions.h``; only the gamma function's relatives have arguments, such as negative numbers, that a function
of one number computes here.  Those that only ``torch.special`` has compute one number at a time, and are in four
headers beside it.

The errors are in units in the last place (ulp), as tests find them with 50 digits.  A float is computed in double
precision and rounded once, with an error of at most 0.6; sigmoid and silu, which are not, have 2, and gelu 5.

==============  =======================================================================================================
erf             abs(x) < 1: its power series; float32: x P(x^2) / Q(x^2), abs(x) < 4.  Else 1 - erfc.  float64: 2 ulp
erfc            exp(-x^2) / (1 + 2x) times a polynomial in t = (x - 3.75) / (x + 3.75), which maps 0 <= x < inf to
                -1 <= t < 1 (M. M. Shepherd and J. G. Laframboise, Math. Comp. 36 (1981), 249).  float64: 6 ulp
normal_cdf,     erfc(-x / sqrt(2)) / 2, exact in both tails: x^2 is not rounded.  float64: 8 ulp
gelu            x times that, and its gradient.  float32: the same with (x - 2.5) / (x + 2.5), in single precision
gelu_tanh       x sigmoid(2 u), where u is the argument of the tanh.  float64: up to 10 ulp for each unit of u
sigmoid, silu,  of an exponential.  float64: 3 ulp
mish, elu, ...
logsigmoid,     of log(1 + y), where what the rounding of 1 + y leaves is made up for.  float64: 3 ulp
softplus,
logaddexp
lgamma          float64: the C library's.  float32: Stirling's series for x >= 8 (Abramowitz and Stegun, 6.1.41), and
                below that Gamma(x + 8) = x (x + 1) ... (x + 7) Gamma(x)
sinc            sin(t) / t with t = pi x, which is rounded first
its derivative  near 0 the power series, with the terms that one order needs; elsewhere, from y t = sin(t), the
of order n      recurrence y(m) t + m y(m - 1) = sin(t + m pi / 2)
polygamma       order 0: the derivative of Stirling's series (6.3.18) for x >= 8, and psi(x + 1) = psi(x) + 1/x; below 0
                the reflection psi(x) = psi(1 - x) - pi / tan(pi x).  Order 1: likewise.  Order n: Hurwitz' zeta
                function (6.4.10) by the formula of Euler and Maclaurin (23.1.30).  float64: 6 ulp for x > 0; absolute,
                5e-16, beside the zeros of digamma
hurwitz_zeta    the same formula; below 0 a difference of two.  float64: 100 ulp, where self is large
erfcx,          (normal.h) the fit of erfc without its exponential, DLMF 7.12.1 from 28 on; ndtri, erfinv: Wichura's
log_ndtr, ...   AS 241, and erfinv of float32: x times a rational function of sqrt(-log(1 - x^2)).  float64: 9 ulp
i0, k0, ...     (bessel.h) power series, and polynomials made by tools/make_series.py.  float64: 4 ulp; j0, j1, y0, y1
                and airy_ai below 0: absolute, 4e-15
igamma,         (gammas.h) power series, continued fraction, Temme's expansion.  float64: 100 ulp
igammac
chebyshev_t,    (polynomials.h) recurrences
...
==============  =======================================================================================================
"""

from libc.math cimport INFINITY, M_PI, NAN, ceil, cos, cosf, fabs, fmod, log, pow, rint, sin, sinf, tan
from minigrad._core.kernels.loops.new_ufuncs cimport TO_NUMPY, mg_function, refuse_operands, ufunc_of
from minigrad._core.kernels.loops.real cimport real
from minigrad._core.runtime.numpy_api cimport (NPY_DOUBLE, NPY_FLOAT, PyUFuncGenericFunction, PyUFunc_FromFuncAndData,
                                               PyUFunc_None, npy_intp)

import math

cdef extern from "runtime/platform.h":
    double mg_lgamma(double) nogil

cdef extern from "kernels/loops/special_functions.h":
    mg_function FUNCTIONS[1]
    int N_FUNCTIONS "(int)(sizeof(FUNCTIONS) / sizeof(FUNCTIONS[0]))"
    ctypedef void (*many_t)(const void*, void*, npy_intp) noexcept nogil
    void lgamma_floats(const void*, void*, npy_intp) noexcept nogil
    void digamma_floats(const void*, void*, npy_intp) noexcept nogil
    void digamma_doubles(const void*, void*, npy_intp) noexcept nogil
    void trigamma_floats(const void*, void*, npy_intp) noexcept nogil
    void trigamma_doubles(const void*, void*, npy_intp) noexcept nogil

cdef extern from "kernels/loops/bessel.h":
    mg_function BESSEL[1]
    int N_BESSEL "(int)(sizeof(BESSEL) / sizeof(BESSEL[0]))"

cdef extern from "kernels/loops/normal.h":
    mg_function NORMAL[1]
    int N_NORMAL "(int)(sizeof(NORMAL) / sizeof(NORMAL[0]))"

cdef extern from "kernels/loops/gammas.h":
    mg_function GAMMAS[1]
    int N_GAMMAS "(int)(sizeof(GAMMAS) / sizeof(GAMMAS[0]))"

cdef extern from "kernels/loops/polynomials.h":
    mg_function POLYNOMIALS[1]
    int N_POLYNOMIALS "(int)(sizeof(POLYNOMIALS) / sizeof(POLYNOMIALS[0]))"

cdef enum:
    BLOCK = 256                 # numbers that are brought together where they are not beside each other
    TERMS = 10                  # of the asymptotic series
    MOST_DERIVED = 12           # how often sinc is derived here
    MOST_TERMS = 20             # of its power series

ctypedef double (*one_t)(double) noexcept nogil

cdef struct Function:           # what a loop is given as its data
    one_t one                   # any number
    many_t floats               # many of them, where 0 < x is finite; NULL where there is none
    many_t doubles


# ------------------------------------------------------------------------------ one number

cdef double lgamma_of(double x) noexcept nogil:
    return mg_lgamma(x)


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
        term = pow(q, -s)
        out += term
        if term <= 1e-18 * out:         # soon, where s is large
            return out
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


cdef double zeta_of(double s, double q) noexcept nogil:
    """Hurwitz' zeta function; for q < 0, where s is an integer, the same difference as in `polygamma_of`."""
    cdef double sign, u
    if s == 1 or q == -INFINITY and s > 1:
        return INFINITY
    if not s > 1 or q != q:
        return NAN
    if s == INFINITY and q != rint(q) or q == INFINITY:
        return INFINITY if q < 1 else 0
    if q > 0:
        return q == 1 if s == INFINITY else zeta(s, q)
    u = ceil(q) - q
    if u == 0:
        return INFINITY
    if s != rint(s):
        return NAN
    sign = 1 if fmod(s, 2) == 0 else -1
    return (zeta(s, 1 - u) + sign * zeta(s, u)) - sign * zeta(s, 1 - q)


# ------------------------------------------------------------------------------ inner loops

cdef inline void each(char** p, npy_intp n, const npy_intp* strides, one_t one, many_t many, real kind) noexcept nogil:
    """Blocks of numbers.  They are copied where they are apart, or where the result is written over them."""
    cdef real block[BLOCK]
    cdef real results[BLOCK]
    cdef real* x
    cdef real* y
    cdef npy_intp start = 0, i, size
    cdef char* source
    cdef char* target
    cdef bint gather, scatter = strides[1] != sizeof(real)
    gather = strides[0] != sizeof(real) or p[0] == p[1]
    while start < n:
        size = min(n - start, <npy_intp>BLOCK)
        source, target = p[0] + start * strides[0], p[1] + start * strides[1]
        x, y = <real*>source, <real*>target
        if gather:
            x = &block[0]
            for i in range(size):
                x[i] = (<real*>(source + i * strides[0]))[0]
        if scatter:
            y = &results[0]
        if many != NULL:
            many(x, y, size)
        for i in range(size):
            if many == NULL or not (0 < x[i] < INFINITY):
                y[i] = <real>one(x[i])
        if scatter:
            for i in range(size):
                (<real*>(target + i * strides[1]))[0] = y[i]
        start += size


cdef void of_floats(char** p, const npy_intp* n, const npy_intp* strides, void* data) noexcept nogil:
    each(p, n[0], strides, (<Function*>data).one, (<Function*>data).floats, <float>0)


cdef void of_doubles(char** p, const npy_intp* n, const npy_intp* strides, void* data) noexcept nogil:
    each(p, n[0], strides, (<Function*>data).one, (<Function*>data).doubles, <double>0)


cdef inline void polygammas(char** p, const npy_intp* n, const npy_intp* strides, PyUFuncGenericFunction loop,
                            void* data, real kind) noexcept nogil:
    """Mostly the order is one number, 0 or 1: then many at a time."""
    cdef npy_intp i
    cdef char* two[2]
    cdef npy_intp steps[2]
    cdef real order
    for i in range(n[0]):
        order = (<real*>(p[1] + i * strides[1]))[0]
        if order < 0:
            refuse_operands(data)
            return
        if i == 0 and strides[1] == 0 and (order == 0 or order == 1):
            two[0], two[1], steps[0], steps[1] = p[0], p[2], strides[0], strides[2]
            loop(two, n, steps, &DIGAMMA if order == 0 else &TRIGAMMA)
            return
        (<real*>(p[2] + i * strides[2]))[0] = <real>polygamma_of((<real*>(p[0] + i * strides[0]))[0], order)


cdef void polygamma_floats(char** p, const npy_intp* n, const npy_intp* strides, void* data) noexcept nogil:
    polygammas(p, n, strides, of_floats, data, <float>0)


cdef void polygamma_doubles(char** p, const npy_intp* n, const npy_intp* strides, void* data) noexcept nogil:
    polygammas(p, n, strides, of_doubles, data, <double>0)


cdef inline void zetas(char** p, npy_intp n, const npy_intp* strides, real kind) noexcept nogil:
    cdef npy_intp i
    for i in range(n):
        (<real*>(p[2] + i * strides[2]))[0] = <real>zeta_of((<real*>(p[0] + i * strides[0]))[0],
                                                            (<real*>(p[1] + i * strides[1]))[0])


cdef void zeta_floats(char** p, const npy_intp* n, const npy_intp* strides, void* data) noexcept nogil:
    zetas(p, n[0], strides, <float>0)


cdef void zeta_doubles(char** p, const npy_intp* n, const npy_intp* strides, void* data) noexcept nogil:
    zetas(p, n[0], strides, <double>0)


# ------------------------------------------------------------------------------ the cardinal sine

cdef inline void sincs(char** p, npy_intp n, const npy_intp* strides, real kind) noexcept nogil:
    cdef npy_intp i
    cdef real t
    for i in range(n):
        t = <real>M_PI * (<real*>(p[0] + i * strides[0]))[0]
        if real is float:
            (<real*>(p[1] + i * strides[1]))[0] = 1 if t == 0 else sinf(t) / t
        else:
            (<real*>(p[1] + i * strides[1]))[0] = 1 if t == 0 else sin(t) / t


cdef void sinc_floats(char** p, const npy_intp* n, const npy_intp* strides, void* data) noexcept nogil:
    sincs(p, n[0], strides, <float>0)


cdef void sinc_doubles(char** p, const npy_intp* n, const npy_intp* strides, void* data) noexcept nogil:
    sincs(p, n[0], strides, <double>0)


cdef struct SincSeries:
    # Of the derivative of order n: (t if n is odd) times a polynomial in t^2, and what all is multiplied by.
    int n, terms
    double scale
    double c[MOST_TERMS]


cdef void sinc_series(int n, SincSeries* s) noexcept nogil:
    """The sum of (-1)^k / (2k + 1)! t^2k, derived n times: (-1)^k / (2k + 1) t^m / m!, where m = 2k - n >= 0."""
    cdef int k = (n + 1) // 2, m = n % 2, i
    cdef double factorial = 1
    s.n, s.scale, s.terms = n, pow(M_PI, n), 14 + n // 2
    for i in range(s.terms):
        s.c[i] = (-1 if k % 2 else 1) / ((2 * k + 1) * factorial)
        factorial *= (m + 1) * (m + 2)
        m += 2
        k += 1


cdef inline real sinc_derived(real t, const SincSeries* s) noexcept nogil:
    """From order to order by the recurrence; near 0 that would lose its digits to cancellation."""
    cdef real out, z
    cdef real phase[4]
    cdef int i
    if fabs(t) < 1 + s.n / 2.:
        z = t * t
        out = 0
        for i in range(s.terms - 1, -1, -1):
            out = out * z + <real>s.c[i]
        return <real>s.scale * (out * t if s.n % 2 else out)
    if real is float:
        phase[0], phase[1] = sinf(t), cosf(t)
    else:
        phase[0], phase[1] = sin(t), cos(t)
    phase[2], phase[3] = -phase[0], -phase[1]
    out = phase[0] / t
    for i in range(1, s.n + 1):
        out = (phase[i & 3] - i * out) / t
    return <real>s.scale * out


cdef inline void sinc_derivatives(char** p, npy_intp n, const npy_intp* strides, void* data,
                                  real kind) noexcept nogil:
    cdef SincSeries s
    cdef npy_intp i
    cdef real order
    sinc_series(0, &s)
    for i in range(n):
        order = (<real*>(p[1] + i * strides[1]))[0]
        if order != s.n:
            if not 0 <= order <= MOST_DERIVED:
                refuse_operands(data)
                return
            sinc_series(<int>order, &s)
        (<real*>(p[2] + i * strides[2]))[0] = sinc_derived(<real>M_PI * (<real*>(p[0] + i * strides[0]))[0], &s)


cdef void sinc_derivative_floats(char** p, const npy_intp* n, const npy_intp* strides, void* data) noexcept nogil:
    sinc_derivatives(p, n[0], strides, data, <float>0)


cdef void sinc_derivative_doubles(char** p, const npy_intp* n, const npy_intp* strides, void* data) noexcept nogil:
    sinc_derivatives(p, n[0], strides, data, <double>0)


# ------------------------------------------------------------------------------ ufuncs

# A ufunc keeps pointers to these for as long as it lives.
cdef Function LGAMMA = Function(lgamma_of, lgamma_floats, NULL)
cdef Function DIGAMMA = Function(digamma_of, digamma_floats, digamma_doubles)
cdef Function TRIGAMMA = Function(trigamma_of, trigamma_floats, trigamma_doubles)
cdef PyUFuncGenericFunction* UNARY = [of_floats, of_doubles]
cdef PyUFuncGenericFunction* OF_ORDER = [polygamma_floats, polygamma_doubles]
cdef PyUFuncGenericFunction* ZETA = [zeta_floats, zeta_doubles]
cdef PyUFuncGenericFunction* SINC = [sinc_floats, sinc_doubles]
cdef PyUFuncGenericFunction* SINC_OF_ORDER = [sinc_derivative_floats, sinc_derivative_doubles]
cdef char* TYPES = [NPY_FLOAT, NPY_FLOAT, NPY_DOUBLE, NPY_DOUBLE]
cdef char* OF_ORDER_TYPES = [NPY_FLOAT, NPY_FLOAT, NPY_FLOAT, NPY_DOUBLE, NPY_DOUBLE, NPY_DOUBLE]
cdef void* LGAMMA_DATA[2]
cdef void* DIGAMMA_DATA[2]
cdef void* VERDICTS[2]
LGAMMA_DATA[0] = LGAMMA_DATA[1] = &LGAMMA
DIGAMMA_DATA[0] = DIGAMMA_DATA[1] = &DIGAMMA
VERDICTS[0] = VERDICTS[1] = &TO_NUMPY

lgamma = PyUFunc_FromFuncAndData(UNARY, LGAMMA_DATA, TYPES, 2, 1, 1, PyUFunc_None, "lgamma", NULL, 0)
digamma = PyUFunc_FromFuncAndData(UNARY, DIGAMMA_DATA, TYPES, 2, 1, 1, PyUFunc_None, "digamma", NULL, 0)
polygamma = PyUFunc_FromFuncAndData(OF_ORDER, VERDICTS, OF_ORDER_TYPES, 2, 2, 1, PyUFunc_None, "polygamma", NULL, 0)
hurwitz_zeta = PyUFunc_FromFuncAndData(ZETA, VERDICTS, OF_ORDER_TYPES, 2, 2, 1, PyUFunc_None, "hurwitz_zeta", NULL,
                                       0)
sinc = PyUFunc_FromFuncAndData(SINC, VERDICTS, TYPES, 2, 1, 1, PyUFunc_None, "sinc", NULL, 0)
sinc_derivative = PyUFunc_FromFuncAndData(SINC_OF_ORDER, VERDICTS, OF_ORDER_TYPES, 2, 2, 1, PyUFunc_None,
                                          "sinc_derivative", NULL, 0)

cdef int publish(mg_function* functions, int n) except -1:
    """Make ufuncs of what a header has."""
    cdef int k
    for k in range(n):
        globals()[functions[k].name.decode()] = ufunc_of(&functions[k])
    return 0


publish(FUNCTIONS, N_FUNCTIONS)
publish(BESSEL, N_BESSEL)
publish(NORMAL, N_NORMAL)
publish(GAMMAS, N_GAMMAS)
publish(POLYNOMIALS, N_POLYNOMIALS)
