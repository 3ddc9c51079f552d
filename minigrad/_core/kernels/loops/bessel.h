/* Bessel functions and the Airy function, of one number at a time, in double precision.
 *
 * Near 0 a power series, or a polynomial in x^2, which with the logarithm is the whole function; far from it what the
 * function is asymptotically, times a polynomial in 1 / x.  The polynomials are made by tools/make_series.py; what they
 * are multiplied by is in DLMF 10.17, 10.31 and 10.40, and for the Airy function in 9.7.
 */
#ifndef MINIGRAD_BESSEL_H
#define MINIGRAD_BESSEL_H

#include "special_functions.h"
#include "series.h"

/* of one number, compiled for several processors */
#define ONE FOR_ALL("arch=x86-64-v3", "default") static

/* ---- modified ones */

/* exp(-y) I(y), of both orders: without branches, so that many are computed at a time */
INLINE double scaled_i(double y, int order)
{
    double z = y < 8 ? y : 8, w = y < 8 ? 8 : y;
    double near = exp_all(-z) * (order ? 0.5 * z * i1_near(0.25 * z * z) : i0_near(0.25 * z * z));
    double far = (order ? i1_far(16 / w - 1) : i0_far(16 / w - 1)) / sqrt(w);
    return y < 8 ? near : y == y ? far : y;
}

/* exp(y) is infinite before I(y) is: half of it is multiplied twice */
INLINE double unscaled_i(double y, int order)
{
    double z = y < 8 ? y : 8, w = y < 8 ? 8 : y, e = exp_all(0.5 * w);
    double near = order ? 0.5 * z * i1_near(0.25 * z * z) : i0_near(0.25 * z * z);
    double far = (order ? i1_far(16 / w - 1) : i0_far(16 / w - 1)) / sqrt(w) * e * e;
    return y < 8 ? near : y > 1000 ? INFINITY : far;
}

INLINE double i0e_of(double x) { return scaled_i(fabs(x), 0); }
INLINE double i0_of(double x) { return unscaled_i(fabs(x), 0); }
INLINE double i1e_of(double x)
{
    double p = scaled_i(fabs(x), 1);
    return x < 0 ? -p : p;
}
INLINE double i1_of(double x)
{
    double p = unscaled_i(fabs(x), 1);
    return x < 0 ? -p : p;
}

/* I of order n, times exp(-abs(x)) if scaled: the recurrence leads up from orders 0 and 1 (DLMF 10.29.1) */
ONE double in_of(double x, double order, int scaled)
{
    double y = fabs(x), power = 1, out;
    int n = order < 0 ? (int)-order : (int)order;
    if (y < 8) {
        for (int k = 1; k <= n; k++)
            power *= 0.5 * y / k;
        double z = 0.25 * y * y, p = 1;
        for (int k = (int)(8 + 2.2 * y); k > 0; k--)
            p = 1 + p * z / (k * (k + (double)n));
        out = power * p * (scaled ? exp_all(-y) : 1);
    } else {
        double before = scaled ? i0e_of(y) : i0_of(y), now = scaled ? i1e_of(y) : i1_of(y);
        for (int k = 1; k < n; k++) {
            double next = y > 1e300 ? now : before - 2 * k / y * now;
            before = now;
            now = next;
        }
        out = n ? now : before;
    }
    return x < 0 && n % 2 ? -out : out;
}

/* what K0 and K1 are without exp(-x): for x <= 2 the functions themselves */
ONE double k0_of(double x, int scaled)
{
    double e;
    if (!(x > 0))
        return x == 0 ? INFINITY : NAN;
    if (x > 2) {
        e = scaled ? 1 : exp_all(-x);
        return k0_far(4 / x - 1) / sqrt(x) * e;
    }
    e = scaled ? exp_all(x) : 1;
    if (x > 1)
        return k0_middle(2 * x - 3) * e;
    return (k0_near(2 * x * x - 1) - log_all(x) * i0_near(0.25 * x * x)) * e;
}

ONE double k1_of(double x, int scaled)
{
    double e;
    if (!(x > 0))
        return x == 0 ? INFINITY : NAN;
    if (x > 2) {
        e = scaled ? 1 : exp_all(-x);
        return k1_far(4 / x - 1) / sqrt(x) * e;
    }
    e = scaled ? exp_all(x) : 1;
    if (x > 1)
        return k1_middle(2 * x - 3) * e;
    return (1 / x + x * (0.5 * log_all(x) * i1_near(0.25 * x * x) + k1_near(2 * x * x - 1))) * e;
}

/* ---- those of the first and the second kind */

/* From x = 5 on: sqrt(2 / (pi x)) (P cos(u) - Q sin(u)), and with sin and -cos for Y; u = x - pi / 4 for order 0, and
 * x - 3 pi / 4 for order 1, whose cosine and sine are those of x, added and subtracted. */
INLINE void waves(double x, int order, double *j, double *y)
{
    double t = 50 / (x * x) - 1, s = sin(x), c = cos(x);
    double p = order ? j1_p(t) : j0_p(t);
    double q = (order ? j1_q(t) : j0_q(t)) * (5 / x);
    double cosine = order ? s - c : c + s, sine = order ? -s - c : s - c;       /* times sqrt(2) */
    double root = 0.56418958354775628695 / sqrt(x);                             /* 1 / sqrt(pi x) */
    *j = root * (p * cosine - q * sine);
    *y = root * (p * sine + q * cosine);
}

ONE double j0_of(double x)
{
    double z = fabs(x), j, y;
    if (z <= 5)
        return j0_near(0.08 * z * z - 1);
    waves(z, 0, &j, &y);
    return j;
}

ONE double j1_of(double x)
{
    double z = fabs(x), j, y;
    if (z <= 5)
        return x * j1_near(0.08 * z * z - 1);
    waves(z, 1, &j, &y);
    return x < 0 ? -j : j;
}

ONE double y0_of(double x)
{
    double j, y;
    if (!(x > 0))
        return x == 0 ? -INFINITY : NAN;
    if (x <= 5)
        return 0.63661977236758134308 * log_all(x) * j0_near(0.08 * x * x - 1)
               + y0_near(0.08 * x * x - 1);
    waves(x, 0, &j, &y);
    return y;
}

ONE double y1_of(double x)
{
    double j, y;
    if (!(x > 0))
        return x == 0 ? -INFINITY : NAN;
    if (x <= 5) {
        double t = 0.08 * x * x - 1;
        return 0.63661977236758134308 * (log_all(x) * x * j1_near(t) - 1 / x) + x * y1_near(t);
    }
    waves(x, 1, &j, &y);
    return y;
}

static double spherical_j0_of(double x)
{
    return x == 0 ? 1 : isinf(x) ? 0 : sin(x) / x;
}

/* ---- Airy's function */

ONE double ai_of(double x)
{
    if (x > 2.2) {
        double root = sqrt(x), z = 2. / 3 * x * root;
        return ai_right(4 / z - 1) * exp_all(-z) / sqrt(root);
    }
    if (x >= 1)
        return ai_middle((x - 1.6) / 0.6);
    if (x >= -1)
        return ai_near(x);
    if (x >= -4)
        return ai_left((x + 2.5) / 1.5);
    double root = sqrt(-x), z = 2. / 3 * -x * root, t = 50 / (z * z) - 1, s = sin(z), c = cos(z);
    double p = ai_p(t), q = ai_q(t) * (5 / z);
    return 0.70710678118654752440 / sqrt(root) * (p * (c + s) + q * (s - c));
}

UNARY_REAL(i0, i0_of(x))
UNARY_REAL(i0e, i0e_of(x))
UNARY_REAL(i1, i1_of(x))
UNARY_REAL(i1e, i1e_of(x))
BINARY_REAL(bessel_i, in_of(x, y, 0))
BINARY_REAL(bessel_ie, in_of(x, y, 1))
UNARY_REAL(k0, k0_of(x, 0))
UNARY_REAL(k0e, k0_of(x, 1))
UNARY_REAL(k1, k1_of(x, 0))
UNARY_REAL(k1e, k1_of(x, 1))
UNARY_REAL(j0, j0_of(x))
UNARY_REAL(j1, j1_of(x))
UNARY_REAL(y0, y0_of(x))
UNARY_REAL(y1, y1_of(x))
UNARY_REAL(spherical_j0, spherical_j0_of(x))
UNARY_REAL(airy_ai, ai_of(x))

static mg_function BESSEL[] = {
    REAL(i0, "xx"), REAL(i0e, "xx"), REAL(i1, "xx"), REAL(i1e, "xx"), REAL(k0, "xx"), REAL(k0e, "xx"), REAL(k1, "xx"),
    REAL(k1e, "xx"), REAL(j0, "xx"), REAL(j1, "xx"), REAL(y0, "xx"), REAL(y1, "xx"), REAL(spherical_j0, "xx"),
    REAL(airy_ai, "xx"),
    REAL(bessel_i, "xxx"), REAL(bessel_ie, "xxx"),
};

#endif
