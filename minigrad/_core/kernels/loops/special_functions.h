/* Special functions of many numbers at a time; special_functions.pyx gives the formulas and their sources.
 *
 * As in exponentials.h, there are no branches; what ends in `_near` is for the numbers that a float can hold, and what
 * ends in `_all` for doubles.
 */
#ifndef MINIGRAD_SPECIAL_H
#define MINIGRAD_SPECIAL_H

#include "ufunc_loops.h"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("no-trapping-math")        /* comparisons may be computed although their results are not used */
#endif
#define WIDE FOR_ALL("arch=x86-64-v4", "arch=x86-64-v3", "default")
#define COSTLY 1
#include "exponentials.h"

/* ---- the error function */

INLINE double erf_near(double x)
{
    double y = x > 4 ? 4 : x;
    y = y < -4 ? -4 : y;
    double z = y * y;
    double p = 6.7848029227219727e-06;
    p = p * z + 0.00041111853552056377;
    p = p * z + 0.0042266578142678875;
    p = p * z + 0.055747964636156523;
    p = p * z + 0.19289490406846305;
    p = p * z + 1.1283791698806897;
    double q = 2.6013949951524478e-07;
    q = q * z + 7.2515812587054095e-05;
    q = q * z + 0.0014210350705986066;
    q = q * z + 0.016294958957408299;
    q = q * z + 0.1174987421780404;
    q = q * z + 0.50428208890116658;
    q = q * z + 1;
    return y * p / q;
}

INLINE double erfc_near(double x)
{
    double y = fabs(x);
    y = y > 14 ? 14 : y;
    double shared = 1 / ((y + 3.75) * (1 + 2 * y));         /* one division for two */
    double t = (y - 3.75) * (1 + 2 * y) * shared;
    double p = -4.5525786478996785e-05;
    p = p * t - 0.00034977545485157506;
    p = p * t + 0.0003599790369749912;
    p = p * t + 0.0018253417555435406;
    p = p * t - 0.009758684480517943;
    p = p * t + 0.02833604613775609;
    p = p * t - 0.058694104258521916;
    p = p * t + 0.09230863775893672;
    p = p * t - 0.1088035933119973;
    p = p * t + 0.08227644014001768;
    p = p * t + 0.003585395932002538;
    p = p * t - 0.14024059257643973;
    p = p * t + 1.2375126309774147;
    p = p * exp_near(-y * y) * ((y + 3.75) * shared);
    p = y < 14 ? p : y == y ? 0 : y;
    return x < 0 ? 2 - p : p;
}

/* A fit of exp(y^2) erfc(y) (1 + 2 y) for y from 0 to 28, in t = (y - 3.75) / (y + 3.75). */
INLINE double tail_fit(double t)
{
    double p = 5.568986471041788e-09;
    p = p * t + 3.0745807302900085e-08;
    p = p * t - 2.495547951212348e-09;
    p = p * t - 2.5873069303749573e-07;
    p = p * t - 2.5736672898152006e-08;
    p = p * t + 1.761204399099003e-06;
    p = p * t - 9.95114537757082e-07;
    p = p * t - 1.1454153088373381e-05;
    p = p * t + 2.2393228059270474e-05;
    p = p * t + 5.1654211511882855e-05;
    p = p * t - 0.00029015642346283887;
    p = p * t + 0.00029371215727731027;
    p = p * t + 0.0017556262310110594;
    p = p * t - 0.009746579295044744;
    p = p * t + 0.028362277382710622;
    p = p * t - 0.05869339861560853;
    p = p * t + 0.09230432116227431;
    p = p * t - 0.10880393014045507;
    p = p * t + 0.08227673849009928;
    p = p * t + 0.0035854154854395156;
    p = p * t - 0.14024059858554663;
    return p * t + 1.2375126308378277;
}

/* erfc(y) for y >= 0, and exp(-h x^2) in place of exp(-y^2).
 *
 * x^2 needs more digits than there are: exp(-x^2) = exp(-near^2) exp((near - x)(near + x)), where near is x with half
 * of its bits, so that near^2 is exact.
 */
INLINE double erfc_tail(double y, double x, double h)
{
    double clipped = y > 28 ? 28 : y;
    double side = x > 40 ? 40 : x;
    double near = with_bits(bits_of(side) & -(1LL << 27));
    double rest = (near - side) * (near + side) * h;
    double shared = 1 / ((clipped + 3.75) * (1 + 2 * clipped));         /* one division for two */
    double t = (clipped - 3.75) * (1 + 2 * clipped) * shared;
    double p = tail_fit(t);
    p *= exp_all(-near * near * h) * ((clipped + 3.75) * shared);
    return p + p * (rest + rest * rest * (0.5 + rest * (1. / 6)));
}

INLINE double erfc_all(double x)
{
    double y = fabs(x);
    double tail = erfc_tail(y, y, 1);
    return x < 0 ? 2 - tail : tail;
}

INLINE double erf_all(double x)
{
    double y = fabs(x);
    double z = y < 1 ? y * y : 0;
    double p = -9.063970842808673e-17;
    p = p * z + 1.6342614095367152e-15;
    p = p * z - 2.7835162072109212e-14;
    p = p * z + 4.4632242632864775e-13;
    p = p * z - 6.7113668551641105e-12;
    p = p * z + 9.422759064650411e-11;
    p = p * z - 1.2290555301717926e-09;
    p = p * z + 1.4807192815879218e-08;
    p = p * z - 1.6365844691234924e-07;
    p = p * z + 1.6462114365889246e-06;
    p = p * z - 1.492565035840625e-05;
    p = p * z + 0.00012055332981789664;
    p = p * z - 0.0008548327023450852;
    p = p * z + 0.005223977625442188;
    p = p * z - 0.026866170645131252;
    p = p * z + 0.11283791670955126;
    p = p * z - 0.37612638903183754;
    p = p * z + 1.1283791670955126;
    double far = 1 - erfc_tail(y, y, 1);
    return y < 1 ? x * p : x < 0 ? -far : far;
}

INLINE double normal_cdf_all(double x)
{
    double y = fabs(x);
    double tail = 0.5 * erfc_tail(y * 0.70710678118654752440, y, 0.5);
    return x > 0 ? 1 - tail : tail;
}

/* The same in single precision: the distribution function of x, and the density.
 *
 * With y = |x| the tail is exp(-y^2 / 2) / (y + 2.5) times a polynomial in t = (y - 2.5) / (y + 2.5).  y^2 needs more
 * digits than there are, as above; near has half of the bits of y.  Polynomials are added up in pairs of terms, so that
 * few steps wait for another.
 */
INLINE float normal_single(float x, float *density)
{
    float y = fabsf(x), near;
    int32_t bits;
    y = y > 14.5f ? 14.5f : y;                                      /* from there on all is 0 */
    memcpy(&bits, &y, 4);
    bits &= -(1 << 12);
    memcpy(&near, &bits, 4);
    float square = -0.5f * near * near;
    float shifted = square * 1.44269504f + 12582912.f;              /* 1.5 * 2^23 */
    float k = shifted - 12582912.f;
    float r = ((square - k * 0.693359375f) + k * 2.12194440e-4f) + 0.5f * (near - y) * (near + y);
    float rr = r * r;
    float e = (1.9875691500e-4f * r + 1.3981999507e-3f) * rr + (8.3334519073e-3f * r + 4.1665795894e-2f);
    e = 1 + (r + rr * (e * rr + (1.6666665459e-1f * r + 0.5f)));
    uint32_t exponent, power;
    memcpy(&exponent, &shifted, 4);                                 /* k is in its low bits */
    memcpy(&power, &e, 4);
    power += (exponent + 64) << 23;                                 /* 2^k is not a normal number in the tail */
    memcpy(&e, &power, 4);
    e = y < 14.5f ? e * 5.421010862427522e-20f : 0;                 /* 2^-64 */
    float over = 1 / (y + 2.5f), t = (y - 2.5f) * over, tt = t * t;
    float p = (-4.33692158e-1f * t + 7.06656635e-1f) + tt * (9.23825894e-3f * t + 1.31986976e-1f);
    float q = (-1.61649706e-3f * t - 1.63857490e-2f) + tt * (7.22995668e-4f * t + 2.51793582e-3f);
    float high = (-1.89820246e-4f * t - 2.89779884e-4f) - tt * 2.32112270e-5f, four = tt * tt;
    p = (p + four * (q + four * high)) * over * e;
    *density = e * 0.398942280f;
    return x > 0 ? 1 - p : p;
}

/* ---- the gamma function's logarithm and its derivatives */

/* The sum of 1 / (x + k) for k from 0 to 7, as one fraction. */
INLINE double steps_of_one(double x)
{
    double a = x + 1, b = x + 2, c = x + 3, d = x + 4, e = x + 5, f = x + 6, g = x + 7;
    double p = x * a, q = b * c, r = d * e, s = f * g;
    double left = (x + a) * q + (b + c) * p, right = (d + e) * s + (f + g) * r;
    double pq = p * q, rs = r * s;
    return (left * rs + right * pq) / (pq * rs);
}

INLINE double pair_of_squares(double a, double b, double *product)
{
    a *= a;
    b *= b;
    *product = a * b;
    return a + b;
}

INLINE double steps_of_squares(double x)
{
    double p, q, r, s;
    double a = pair_of_squares(x, x + 1, &p), b = pair_of_squares(x + 2, x + 3, &q);
    double c = pair_of_squares(x + 4, x + 5, &r), d = pair_of_squares(x + 6, x + 7, &s);
    double left = a * q + b * p, right = c * s + d * r;
    double pq = p * q, rs = r * s;
    return (left * rs + right * pq) / (pq * rs);
}

INLINE double lgamma_near(double x)
{
    int early = x < 8;
    double near = early ? x : 1;
    double p = (near * (near + 1)) * ((near + 2) * (near + 3));
    p *= ((near + 4) * (near + 5)) * ((near + 6) * (near + 7));
    double y = early ? x + 8 : x;
    double z = 1 / (y * y);
    double series = 1. / 156;
    series = series * z - 691. / 360360;
    series = series * z + 1. / 1188;
    series = series * z - 1. / 1680;
    series = series * z + 1. / 1260;
    series = series * z - 1. / 360;
    series = series * z + 1. / 12;
    double out = (y - 0.5) * (log_near(y) - 1) + 0.41893853320467274178 + series / y;
    double lower = out - log_near(p);
    out = early ? lower : out;
    return (x - 1) * (x - 2) == 0 ? 0 : out;
}

INLINE double digamma_near(double x)
{
    int early = x < 8;
    double sum = steps_of_one(early ? x : 1);
    double y = early ? x + 8 : x;
    double z = 1 / (y * y);
    double series = -1. / 240;
    series = series * z + 1. / 252;
    series = series * z - 1. / 120;
    series = series * z + 1. / 12;
    double out = log_near(y) - 0.5 / y - series * z;
    return early ? out - sum : out;
}

INLINE double trigamma_near(double x)
{
    int early = x < 8;
    double sum = steps_of_squares(early ? x : 1);
    double y = early ? x + 8 : x;
    double w = 1 / y, z = w * w;
    double series = -1. / 30;
    series = series * z + 1. / 42;
    series = series * z - 1. / 30;
    series = series * z + 1. / 6;
    double out = w + 0.5 * z + series * z * w;
    return early ? out + sum : out;
}

/* The same for doubles, x > 0, with ten terms of the series. */
INLINE double digamma_all(double x)
{
    int early = x < 8;
    double sum = steps_of_one(early ? x : 1);
    double y = early ? x + 8 : x;
    double z = 1 / (y * y);
    double series = -174611. / 6600;
    series = series * z + 43867. / 14364;
    series = series * z - 3617. / 8160;
    series = series * z + 1. / 12;
    series = series * z - 691. / 32760;
    series = series * z + 1. / 132;
    series = series * z - 1. / 240;
    series = series * z + 1. / 252;
    series = series * z - 1. / 120;
    series = series * z + 1. / 12;
    double out = log_all(y) - 0.5 / y - series * z;
    return early ? out - sum : out;
}

INLINE double trigamma_all(double x)
{
    int early = x < 8;
    double sum = steps_of_squares(early ? x : 1);
    double y = early ? x + 8 : x;
    double w = 1 / y, z = w * w;
    double series = -174611. / 330;
    series = series * z + 43867. / 798;
    series = series * z - 3617. / 510;
    series = series * z + 7. / 6;
    series = series * z - 691. / 2730;
    series = series * z + 5. / 66;
    series = series * z - 1. / 30;
    series = series * z + 1. / 42;
    series = series * z - 1. / 30;
    series = series * z + 1. / 6;
    double out = w + 0.5 * z + series * z * w;
    return early ? out + sum : out;
}

typedef void (*many_t)(const void *, void *, mg_n);

#define MANY(name, T, expression)                                                                                      \
    WIDE static void name(const void *from, void *to, mg_n n)                                                          \
    {                                                                                                                  \
        const T *in = from;                                                                                            \
        T *out = to;                                                                                                   \
        EACH for (mg_n i = 0; i < n; i++) {                                                                            \
            double x = in[i];                                                                                          \
            out[i] = (T)(expression);                                                                                  \
        }                                                                                                              \
    }
MANY(lgamma_floats, float, lgamma_near(x))
MANY(digamma_floats, float, digamma_near(x))
MANY(digamma_doubles, double, digamma_all(x))
MANY(trigamma_floats, float, trigamma_near(x))
MANY(trigamma_doubles, double, trigamma_all(x))
/* ---- activations */

INLINE double sigmoid_all(double x) { return 1 / (1 + exp_all(-x)); }
INLINE double mish_all(double x)
{
    double e = exp_all(x > 300 ? 300 : x);
    double n = e * (e + 2);
    return x * (n / (n + 2));
}

/* x Phi(x), and its slope Phi(x) + x phi(x), with the normal distribution function and its density */
INLINE float gelu_single(float x)
{
    float density;
    return x * normal_single(x, &density);
}
INLINE float gelu_slope_single(float x)
{
    float density, phi = normal_single(x, &density);
    return phi + x * density;
}
INLINE double gelu_slope_all(double x)
{
    return normal_cdf_all(x) + x * (exp_all(-0.5 * x * x) * 0.39894228040143267794);
}

/* x s and s + x s (1 - s) u' with s = sigmoid(u), which is (1 + tanh(u / 2)) / 2, and u a polynomial */
#define TANH_OF_GELU(x) (2 * 0.79788456080286535588 * ((x) + 0.044715 * ((x) * (x) * (x))))
INLINE double gelu_tanh_slope(double x, double s)
{
    return s + x * s * (1 - s) * (2 * 0.79788456080286535588 * (1 + 3 * 0.044715 * x * x));
}

INLINE double mish_near(double x)       /* tanh(log(1 + e)) = (e^2 + 2 e) / (e^2 + 2 e + 2) */
{
    double e = exp_clipped(x > 50 ? 50 : x);
    double n = e * (e + 2);
    return x * (n / (n + 2));
}


UNARY(erf_float, float, float, erf_near(x))
UNARY(erf_double, double, double, erf_all(x))
UNARY(erfc_float, float, float, erfc_near(x))
UNARY(erfc_double, double, double, erfc_all(x))
UNARY(normal_cdf_float, float, float, 0.5 * erfc_near(-0.70710678118654752440 * x))
UNARY(normal_cdf_double, double, double, normal_cdf_all(x))
UNARY(gelu_float, float, float, gelu_single(x))
UNARY(gelu_double, double, double, x * normal_cdf_all(x))
UNARY(gelu_tanh_float, float, float, x / (1 + exp_clipped(-TANH_OF_GELU((double)x))))
UNARY(gelu_tanh_double, double, double, x * sigmoid_all(TANH_OF_GELU(x)))
BINARY(gelu_backward_float, float, float, float, x * gelu_slope_single(y))
BINARY(gelu_backward_double, double, double, double, x * gelu_slope_all(y))
BINARY(gelu_tanh_backward_float, float, float, float,
       x * gelu_tanh_slope(y, 1 / (1 + exp_clipped(-TANH_OF_GELU((double)y)))))
BINARY(gelu_tanh_backward_double, double, double, double, x * gelu_tanh_slope(y, sigmoid_all(TANH_OF_GELU(y))))
UNARY(sigmoid_float, float, float, 1 / (1 + exp_single(-x)))
UNARY(sigmoid_double, double, double, sigmoid_all(x))
#define GAP(x, y, inf) ((x) == (y) && ((x) == (inf) || (x) == -(inf)) ? 0 : (x) - (y))
BINARY(share_float, float, float, float, 1 / (1 + exp_single(-GAP(x, y, (float)INFINITY))))
BINARY(share_double, double, double, double, sigmoid_all(GAP(x, y, INFINITY)))
UNARY(silu_float, float, float, x / (1 + exp_single(-x)))
UNARY(silu_double, double, double, x / (1 + exp_all(-x)))
UNARY(logsigmoid_float, float, float, (x < 0 ? x : x == x ? 0 : x) - log1p_near(exp_clipped(-fabsf(x))))
UNARY(logsigmoid_double, double, double, (x < 0 ? x : x == x ? 0 : x) - log1p_all(exp_all(-fabs(x))))
UNARY(mish_float, float, float, mish_near(x))
UNARY(mish_double, double, double, mish_all(x))
TERNARY(softplus_float, float, float, float, float,
        (double)x * y > z ? x : log1p_near(exp_clipped((double)x * y)) / y)
TERNARY(softplus_double, double, double, double, double, x * y > z ? x : log1p_all(exp_all(x * y)) / y)
TERNARY(softplus_slope_float, float, float, float, float, (double)x * y > z ? 1 : 1 / (1 + exp_clipped(-(double)x * y)))
TERNARY(softplus_slope_double, double, double, double, double, x * y > z ? 1 : sigmoid_all(x * y))

/* ---- what takes parameters */

FOUR(elu_float, float, x < 0 ? (double)z * y * expm1_near((double)w * (x < 0 ? x : 0)) : z * x)
FOUR(elu_double, double, x < 0 ? z * y * expm1_all(w * (x < 0 ? x : 0)) : z * x)
FOUR(elu_slope_float, float, x > 0 ? z : (double)z * y * w * exp_clipped((double)w * (x > 0 ? 0 : x)))
FOUR(elu_slope_double, double, x > 0 ? z : z * y * w * exp_all(w * (x > 0 ? 0 : x)))

#define CELU(T, S)                                                                                                     \
    BINARY(celu_of_##T, T, T, T, x < 0 ? y * expm1_##S((x < 0 ? (double)x : 0) / y) : x)                               \
    static void celu_##T(char **p, const mg_n *n, const mg_n *s, void *data)                                           \
    {                                                                                                                  \
        for (mg_n i = 0; i < *n && (i == 0 || s[1]); i++)                                                              \
            if (*(T *)(p[1] + i * s[1]) == 0) {                                                                        \
                refuse_operands(data);                                                                                 \
                return;                                                                                                \
            }                                                                                                          \
        celu_of_##T(p, n, s, data);                                                                                    \
    }
CELU(float, near)
CELU(double, all)

/* the larger one, and log(1 + exp(-distance)), also where both are the same infinity */
INLINE float logaddexp_near(float x, float y)
{
    double larger = x > y ? x : y, distance = x == y ? 0 : fabs((double)x - y);
    double out = larger + log1p_near(exp_clipped(-distance));
    return (float)(x != x || y != y ? x + y : out);
}
INLINE double logaddexp_all(double x, double y)
{
    double larger = x > y ? x : y, distance = x == y ? 0 : fabs(x - y);
    double out = larger + log1p_all(exp_all(-distance));
    return x != x || y != y ? x + y : out;
}
BINARY(logaddexp_float, float, float, float, logaddexp_near(x, y))
BINARY(logaddexp_double, double, double, double, logaddexp_all(x, y))
BINARY(xlogy_float, float, float, float, (x == 0) & (y == y) ? 0 : x * (float)log_of(y))
BINARY(xlogy_double, double, double, double, (x == 0) & (y == y) ? 0 : x * log_all(y))
TERNARY(times_log_float, float, float, float, float, (y == 0) & (z >= 0) ? 0 : x * (float)log_of(y))
TERNARY(times_log_double, double, double, double, double, (y == 0) & (z >= 0) ? 0 : x * log_all(y))

/* x from low to 1 - low, over what is left to 1; low is negative where there is no limit */
#define ODDS(T)                                                                                                        \
    INLINE T odds_##T(T x, T low)                                                                                      \
    {                                                                                                                  \
        T high = 1 - low;                                                                                              \
        x = low < 0 ? x : x < low ? low : x > high ? high : x;                                                         \
        return x / (1 - x);                                                                                            \
    }
ODDS(float)
ODDS(double)
BINARY(logit_float, float, float, float, log_of(odds_float(x, y)))
BINARY(logit_double, double, double, double, log_all(odds_double(x, y)))
BINARY_REAL(logit_slope, (x >= (y < 0 ? 0 : y)) & (x <= 1 - (y < 0 ? 0 : y)) ? 1 / (x * (1 - x)) : y < 0 ? NAN : 0)

static mg_function FUNCTIONS[] = {
    REAL(erf, "xx"),
    REAL(erfc, "xx"),
    REAL(normal_cdf, "xx"),
    REAL(gelu, "xx"),
    REAL(gelu_tanh, "xx"),
    REAL(gelu_backward, "xxx"),
    REAL(gelu_tanh_backward, "xxx"),
    REAL(sigmoid, "xx"),
    REAL(share, "xxx"),
    REAL(silu, "xx"),
    REAL(logsigmoid, "xx"),
    REAL(mish, "xx"),
    REAL(softplus, "xxxx"),
    REAL(softplus_slope, "xxxx"),
    REAL(elu, "xxxxx"),
    REAL(celu, "xxx"),
    REAL(elu_slope, "xxxxx"),
    REAL(xlogy, "xxx"),
    REAL(logaddexp, "xxx"),
    REAL(times_log, "xxxx"),
    REAL(logit, "xxx"),
    REAL(logit_slope, "xxx"),
};

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif

#endif
