/* Relatives of the normal distribution: its logarithm, its inverse, the scaled error function; and entropies. */
#ifndef MINIGRAD_NORMAL_H
#define MINIGRAD_NORMAL_H

#include "special_functions.h"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("no-trapping-math")        /* as in special_functions.h */
#endif

/* exp(x^2) erfc(x) for x >= 0: by the fit of erfc; from 28 on, DLMF 7.12.1 */
INLINE double scaled_tail(double x)
{
    double near = x > 28 ? 28 : x, z = 0.5 / (x * x);
    double t = (near - 3.75) / (near + 3.75);
    double p = tail_fit(t);
    double far = 1 - z * (1 - 3 * z * (1 - 5 * z * (1 - 7 * z * (1 - 9 * z * (1 - 11 * z)))));
    return x > 28 ? 0.56418958354775628695 / x * far : p / (1 + 2 * x);
}

/* Below 0 by reflection; x^2 needs more digits than there are, see erfc_tail. */
INLINE double erfcx_all(double x)
{
    double y = fabs(x);
    double tail = scaled_tail(y);
    double side = y > 30 ? 30 : y;
    double near = with_bits(bits_of(side) & -(1LL << 27));
    double rest = (side - near) * (side + near);
    double e = exp_all(near * near);
    double reflected = 2 * (e * (1 + (rest + rest * rest * (0.5 + rest * (1. / 6))))) - tail;
    return x < 0 ? reflected : tail;
}

/* 1 / (sqrt(pi) erfcx(y)) - y for y > 16, the continued fraction of erfc without its first step; DLMF 7.9.1 */
INLINE double tail_gap(double y)
{
    double f = y + 3 / y;
    f = y + 2.5 / f;
    f = y + 2 / f;
    f = y + 1.5 / f;
    f = y + 1 / f;
    return 0.5 / f;
}

/* The derivative of erfcx: far out the two terms are nearly the same, and their difference is made of the gap. */
INLINE double erfcx_slope_all(double x)
{
    double far = x > 16 ? x : 16, e = erfcx_all(x);
    double slope = 2 * x * e - 1.1283791670955125739;
    return x > 16 ? -2 * e * tail_gap(far) : slope;
}

INLINE double log_ndtr_all(double x)
{
    double y = -0.70710678118654752440 * x;
    double left = log_all(0.5 * scaled_tail(y > 0.5 ? y : 0.5)) - y * y;
    double beyond = normal_cdf_all(-x);
    double right = beyond < 1e-17 ? -beyond : log1p_all(-beyond);
    return x < -1 ? left : right;
}

/* The derivative of the logarithm: the density over the distribution function. */
INLINE double hazard_all(double x) { return 0.79788456080286535588 / erfcx_all(-0.70710678118654752440 * x); }

/* That and x, which far below 0 is nearly its negative. */
INLINE double hazard_gap_all(double x)
{
    double y = -0.70710678118654752440 * x, far = y > 16 ? y : 16;
    double sum = x + hazard_all(x);
    return y > 16 ? 1.4142135623730950488 * tail_gap(far) : sum;
}

/* Of the next one, in three parts: numerators and denominators. */
INLINE double middle_above(double r)
{
    double p = 2509.0809287301226727;
    p = p * r + 33430.575583588128105;
    p = p * r + 67265.770927008700853;
    p = p * r + 45921.953931549871457;
    p = p * r + 13731.693765509461125;
    p = p * r + 1971.5909503065514427;
    p = p * r + 133.14166789178437745;
    p = p * r + 3.387132872796366608;
    return p;
}

INLINE double middle_below(double r)
{
    double p = 5226.495278852854561;
    p = p * r + 28729.085735721942674;
    p = p * r + 39307.89580009271061;
    p = p * r + 21213.794301586595867;
    p = p * r + 5394.1960214247511077;
    p = p * r + 687.1870074920579083;
    p = p * r + 42.313330701600911252;
    p = p * r + 1;
    return p;
}

INLINE double side_above(double r)
{
    double p = 7.7454501427834140764e-4;
    p = p * r + 0.0227238449892691845833;
    p = p * r + 0.24178072517745061177;
    p = p * r + 1.27045825245236838258;
    p = p * r + 3.64784832476320460504;
    p = p * r + 5.7694972214606914055;
    p = p * r + 4.6303378461565452959;
    p = p * r + 1.42343711074968357734;
    return p;
}

INLINE double side_below(double r)
{
    double p = 1.05075007164441684324e-9;
    p = p * r + 5.475938084995344946e-4;
    p = p * r + 0.0151986665636164571966;
    p = p * r + 0.14810397642748007459;
    p = p * r + 0.68976733498510000455;
    p = p * r + 1.6763848301838038494;
    p = p * r + 2.05319162663775882187;
    p = p * r + 1;
    return p;
}

INLINE double tail_above(double r)
{
    double p = 2.01033439929228813265e-7;
    p = p * r + 2.71155556874348757815e-5;
    p = p * r + 0.0012426609473880784386;
    p = p * r + 0.026532189526576123093;
    p = p * r + 0.29656057182850489123;
    p = p * r + 1.7848265399172913358;
    p = p * r + 5.4637849111641143699;
    p = p * r + 6.6579046435011037772;
    return p;
}

INLINE double tail_below(double r)
{
    double p = 2.04426310338993978564e-15;
    p = p * r + 1.4215117583164458887e-7;
    p = p * r + 1.8463183175100546818e-5;
    p = p * r + 7.868691311456132591e-4;
    p = p * r + 0.0148753612908506148525;
    p = p * r + 0.13692988092273580531;
    p = p * r + 0.59983220655588793769;
    p = p * r + 1;
    return p;
}

/* The x with ndtr(x) = 0.5 + q; least is the smaller of ndtr(x) and 1 - ndtr(x).  M. J. Wichura, Algorithm AS 241,
 * Applied Statistics 37 (1988), 477: accurate to about 1 in 10^16. */
INLINE double quantile(double q, double least)
{
    double z = 0.180625 - (fabs(q) <= 0.425 ? q * q : 0.180625), r = sqrt(-log_all(least > 0 ? least : 1e-300));
    double side = (r < 5 ? r : 5) - 1.6, tail = (r > 5 ? r : 5) - 5;
    double middle = q * middle_above(z), over = middle_below(z);
    double above = side_above(side), below = side_below(side);
    double far_above = tail_above(tail), far_below = tail_below(tail);
    above = r <= 5 ? above : far_above;
    below = r <= 5 ? below : far_below;
    above = q < 0 ? -above : above;
    above = fabs(q) <= 0.425 ? middle : above;
    below = fabs(q) <= 0.425 ? over : below;
    return above / below;
}

INLINE double ndtri_of(double x)
{
    double out = quantile(x - 0.5, x < 0.5 ? x : 1 - x);
    double edge = x == 0 ? -INFINITY : NAN;
    edge = x == 1 ? INFINITY : edge;
    return (x > 0) & (x < 1) ? out : edge;
}

INLINE double erfinv_of(double x)
{
    double y = fabs(x), out = 0.70710678118654752440 * quantile(0.5 * x, 0.5 * (1 - y));
    double edge = y == 1 ? x * INFINITY : NAN;
    return y < 1 ? out : edge;
}

/* For what a float can hold: erfinv(x) / x is smooth in s = sqrt(-log(1 - x^2)), which is at most 4; to 2 in 10^9. */
INLINE double erfinv_near(double x)
{
    double inside = (1 - x) * (1 + x), s = sqrt(-log_near(inside > 0 ? inside : 1));
    double p = 0.0021499662229866583;
    p = p * s - 0.01264449678096016;
    p = p * s + 0.06154026393525206;
    p = p * s - 0.1740865235965697;
    p = p * s + 0.45496607275031425;
    p = p * s - 0.7547370614270758;
    p = p * s + 1.2189836162326815;
    p = p * s - 0.908625887210824;
    p = p * s + 0.8862269270447662;
    double q = 4.125470415094225e-05;
    q = q * s + 0.001016785684868395;
    q = q * s + 0.000993379015198241;
    q = q * s - 0.029408185426578873;
    q = q * s + 0.2084613115576336;
    q = q * s - 0.583150693275654;
    q = q * s + 1.1136699307409426;
    q = q * s - 1.0252742614066959;
    q = q * s + 1.0;
    double edge = inside == 0 ? x * INFINITY : NAN;
    return inside > 0 ? x * (p / q) : edge;
}

INLINE double entr_all(double x)
{
    double out = -x * log_all(x > 0 ? x : 1), edge = x < 0 ? -INFINITY : x;
    edge = x == 0 ? 0 : edge;
    return x > 0 ? out : edge;
}

INLINE double xlog1py_all(double x, double y)
{
    double out = x * (y == 0 ? y : y > -1 && y < 1e300 ? log1p_all(y) : log_all(1 + y));
    return (x == 0) & (y == y) ? 0 : out;
}

UNARY_REAL(erfcx, erfcx_all(x))
UNARY_REAL(erfcx_slope, erfcx_slope_all(x))
UNARY_REAL(log_ndtr, log_ndtr_all(x))
UNARY_REAL(hazard, hazard_all(x))
UNARY_REAL(hazard_gap, hazard_gap_all(x))
UNARY_REAL(ndtri, ndtri_of(x))
UNARY(erfinv_float, float, float, erfinv_near(x))
UNARY(erfinv_double, double, double, erfinv_of(x))
UNARY_REAL(entr, entr_all(x))
BINARY_REAL(xlog1py, xlog1py_all(x, y))

static mg_function NORMAL[] = {
    REAL(erfcx, "xx"), REAL(erfcx_slope, "xx"), REAL(log_ndtr, "xx"), REAL(hazard, "xx"), REAL(hazard_gap, "xx"),
    REAL(ndtri, "xx"), REAL(erfinv, "xx"), REAL(entr, "xx"), REAL(xlog1py, "xxx"),
};

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif

#endif
