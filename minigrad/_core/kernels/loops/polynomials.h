/* Orthogonal polynomials of a degree, by their recurrences (DLMF 18.9).
 *
 * The four kinds of Chebyshev polynomials share one, and begin differently; between -1 and 1, where a recurrence would
 * add up its errors, they are cosines and sines of multiples of one angle.  The degree is a number of the same dtype,
 * of which the fraction is cut off; of negative degrees there are none, and the answer is 0.  A recurrence has as many
 * steps as the degree: beyond MOST_STEPS, which take seconds, the answer is nan, where PyTorch would go on for years.
 */
#ifndef MINIGRAD_POLYNOMIALS_H
#define MINIGRAD_POLYNOMIALS_H

#include "ufunc_loops.h"

/* The same digits wherever the numbers lie: a product and a sum are rounded one by one. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("fp-contract=off")
#endif

#define MOST_STEPS (1 << 30)

INLINE int64_t degree_of(double n) { return n > -1 && n < 9e18 ? (int64_t)n : -1; }

/* kind: T, U, V or W; at 1 and -1 they are 1 or n + 1 or 2 n + 1 */
static double chebyshev(char kind, double x, double degree, int from)
{
    int64_t n = degree_of(degree);
    if (n < 0)
        return 0;
    if (fabs(x) == 1) {
        double size = kind == 'U' ? n + 1. : (kind == 'V' && x < 0) || (kind == 'W' && x > 0) ? n + n + 1. : 1;
        return x > 0 || n % 2 == 0 ? size : -size;
    }
    if (n > from && fabs(x) < 1) {
        double angle = acos(x);
        switch (kind) {
        case 'T': return cos(n * angle);
        case 'U': return sin((n + 1) * angle) / sin(angle);
        case 'V': return cos((n + 0.5) * angle) / cos(0.5 * angle);
        default: return sin((n + 0.5) * angle) / sin(0.5 * angle);
        }
    }
    if (n > MOST_STEPS)
        return NAN;
    double before = 1, now = kind == 'T' ? x : kind == 'U' ? x + x : kind == 'V' ? x + x - 1 : x + x + 1;
    if (n == 0)
        return 1;
    for (int64_t k = 2; k <= n && now == now; k++) {
        double next = (x + x) * now - before;
        before = now;
        now = next;
    }
    return now;
}

/* with the factor 2 in both places, H, and without, He; beyond the limit of its degree they are nan, as in PyTorch */
static double hermite(int factor, double x, double degree, int limit)
{
    int64_t n = degree_of(degree);
    double before = 1, now = factor * x;
    if (n < 1)
        return n == 0;
    if (n > 1 && n > limit)
        return NAN;
    for (int64_t k = 1; k < n; k++) {
        double next = factor * x * now - factor * k * before;
        before = now;
        now = next;
    }
    return now;
}

static double laguerre(double x, double degree)
{
    int64_t n = degree_of(degree);
    double before = 1, now = 1 - x;
    if (n < 1 || x == 0)
        return n >= 0;
    if (n > MOST_STEPS)
        return NAN;
    for (int64_t k = 1; k < n && now == now; k++) {
        double next = ((k + k + (1 - x)) * now - k * before) / (k + 1);
        before = now;
        now = next;
    }
    return now;
}

static double legendre(double x, double degree)
{
    int64_t n = degree_of(degree);
    double before = 1, now = x;
    if (n < 1)
        return n == 0;
    if (fabs(x) == 1)
        return x > 0 || n % 2 == 0 ? 1 : -1;
    if (n > MOST_STEPS)
        return NAN;
    for (int64_t k = 1; k < n && now == now; k++) {
        double next = ((k + k + 1) * x * now - k * before) / (k + 1);
        before = now;
        now = next;
    }
    return now;
}

#define SHIFTED(x) ((double)(x) + (x) - 1)
BINARY_REAL(chebyshev_t, chebyshev('T', x, y, 6))
BINARY_REAL(chebyshev_u, chebyshev('U', x, y, 8))
BINARY_REAL(chebyshev_v, chebyshev('V', x, y, 8))
BINARY_REAL(chebyshev_w, chebyshev('W', x, y, 8))
BINARY_REAL(shifted_t, chebyshev('T', SHIFTED(x), y, 6))
BINARY_REAL(shifted_u, chebyshev('U', SHIFTED(x), y, 6))
BINARY_REAL(shifted_v, chebyshev('V', SHIFTED(x), y, 6))
BINARY_REAL(shifted_w, chebyshev('W', SHIFTED(x), y, 4))
BINARY(hermite_h_float, float, float, float, hermite(2, x, y, 128))
BINARY(hermite_h_double, double, double, double, hermite(2, x, y, 512))
BINARY(hermite_he_float, float, float, float, hermite(1, x, y, 128))
BINARY(hermite_he_double, double, double, double, hermite(1, x, y, 512))
BINARY_REAL(laguerre_l, laguerre(x, y))
BINARY_REAL(legendre_p, legendre(x, y))

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif

static mg_function POLYNOMIALS[] = {
    REAL(chebyshev_t, "xxx"), REAL(chebyshev_u, "xxx"), REAL(chebyshev_v, "xxx"), REAL(chebyshev_w, "xxx"),
    REAL(shifted_t, "xxx"), REAL(shifted_u, "xxx"), REAL(shifted_v, "xxx"), REAL(shifted_w, "xxx"),
    REAL(hermite_h, "xxx"), REAL(hermite_he, "xxx"), REAL(laguerre_l, "xxx"), REAL(legendre_p, "xxx"),
};

#endif
