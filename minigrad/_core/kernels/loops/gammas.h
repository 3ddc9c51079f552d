/* The incomplete gamma functions P(a, x) and Q(a, x) = 1 - P, regularised; DLMF 8.
 *
 *      x                      Q: continued fraction
 *      |                   .
 *      |                .        a > 20, x near a: Temme's expansion
 *      |             .
 *    1 |----------.
 *      |  Q: sum   P: power series
 *      +-------------------------------- a
 *
 * Each way computes the smaller of the two, or one that is not far from it, and the other is what is left to 1.
 */
#ifndef MINIGRAD_GAMMAS_H
#define MINIGRAD_GAMMAS_H

#include "special_functions.h"
#include "series.h"

#ifndef ONE
#define ONE FOR_ALL("arch=x86-64-v3", "default") static
#endif

/* mu - log(1 + mu), mu = x / a - 1, without cancellation: log(1 + mu) = 2 artanh(s) */
INLINE double log_gap(double a, double x)
{
    double mu = (x - a) / a;
    if (fabs(mu) > 0.5)
        return mu - log(x / a);
    double s = mu / (2 + mu), z = s * s, p = 0;
    for (int k = 39; k >= 3; k -= 2)
        p = p * z + 1. / k;
    return s * (mu - 2 * z * p);
}

/* Gamma(a + 1) for a up to 20, from that of a number between 1 and 2 */
INLINE double gamma_after(double a)
{
    double product = 1;
    for (; a > 1; a -= 1)
        product *= a;
    return product * exp_all(a * (a - 1) * lgamma_near_two(2 * a - 1));
}

/* x^a exp(-x) / Gamma(a + 1) */
INLINE double share_of(double a, double x, double eps)
{
    if (a < 20)
        return (eps > 1e-12 || x >= 700 ? exp(a * log(x) - x) : pow(x, a) * exp_all(-x)) / gamma_after(a);
    double z = 1 / (a * a), stirling = (1. / 12 - z * (1. / 360 - z * (1. / 1260 - z * (1. / 1680 - z / 1188)))) / a;
    return exp(-a * log_gap(a, x) - stirling) * 0.39894228040143267794 / sqrt(a);
}

/* the sum of x^n / ((a + 1) ... (a + n)) */
INLINE double lower_series(double a, double x, double eps)
{
    double sum = 1, term = 1, k = a;
    while (term > 0.1 * eps * sum) {
        k += 1;
        term *= x / k;
        sum += term;
    }
    return sum;
}

/* Q for a and x up to 1: 1 - x^a / Gamma(a + 1) less the rest of the alternating series */
INLINE double upper_series(double a, double x, double eps)
{
    double sum = 0, term = 1, power = expm1(a * log(x) - a * (a - 1) * lgamma_near_two(2 * a - 1));
    for (int n = 1; n < 60 && fabs(term) > 0.01 * eps; n++) {
        term *= -x / n;
        sum += term / (a + n);
    }
    return -power - (1 + power) * a * sum;
}

/* what x^a exp(-x) / Gamma(a) is multiplied by, as a continued fraction (8.9.2): its numerators and denominators */
INLINE double upper_fraction(double a, double x, double eps)
{
    double b = x + 1 - a, p = 1, q = b, p_before = 0, q_before = 1, out = 1 / b;
    for (int n = 1; n < 10000; n++) {
        double term = -n * (n - a), p_next, q_next, before = out;
        b += 2;
        p_next = b * p + term * p_before;
        q_next = b * q + term * q_before;
        p_before = p;
        q_before = q;
        p = p_next;
        q = q_next;
        if (fabs(q) > 1e150) {
            p *= 1e-150;
            q *= 1e-150;
            p_before *= 1e-150;
            q_before *= 1e-150;
        }
        out = p / q;
        if (fabs(out - before) <= eps * fabs(out))
            break;
    }
    return out;
}

/* Temme's uniform expansion (8.12.8): erfc(eta sqrt(a / 2)) / 2, and a correction of order 1 / sqrt(a) */
INLINE double temme(double a, double x, int upper, double eps)
{
    double mu = (x - a) / a, gap = log_gap(a, x), eta = copysign(sqrt(2 * gap), mu), sum = 0;
    for (int k = eps > 1e-12 ? 5 : a < 60 ? 11 : a < 1000 ? 7 : 4; k >= 0; k--) {
        double p = 0;
        for (int n = eps > 1e-12 ? 12 : 17; n >= 0; n--)
            p = p * eta + TEMME[k][n];
        sum = sum / a + p;
    }
    double rest = exp(-a * gap) * 0.39894228040143267794 / sqrt(a) * sum;
    double half = 0.5 * erfc_all((upper ? eta : -eta) * sqrt(0.5 * a));
    return upper ? half + rest : half - rest;
}

/* to one part in eps: of what a float can hold, in fewer steps */
INLINE double incomplete_to(double eps, double a, double x, int upper)
{
    double out;
    int found = 1;                      /* is it Q? */
    if (!(x >= 0 && a >= 0))
        return NAN;
    if (a == 0)
        return x > 0 ? !upper : NAN;
    if (x == 0)
        return upper;
    if (isinf(a))
        return isinf(x) ? NAN : upper;
    if (isinf(x))
        return !upper;
    if (a > 20 && fabs(x - a) < 0.3 * a)
        return temme(a, x, upper, eps);
    if (x > 1 && x > a)
        out = share_of(a, x, eps) * a * upper_fraction(a, x, eps);
    else if (upper && x <= 1 && a <= 1)
        out = upper_series(a, x, eps);
    else {
        out = share_of(a, x, eps) * lower_series(a, x, eps);
        found = 0;
    }
    return found == upper ? out : 1 - out;
}

ONE double incomplete(double a, double x, int upper) { return incomplete_to(1e-16, a, x, upper); }
ONE double incomplete_near(double a, double x, int upper) { return incomplete_to(1e-10, a, x, upper); }

/* the derivative of P with respect to x: the density of the gamma distribution */
ONE double density(double a, double x)
{
    if (!(x >= 0 && a > 0) || isinf(a))
        return NAN;
    if (x == 0)
        return a < 1 ? INFINITY : a == 1;
    return isinf(x) ? 0 : share_of(a, x, 1e-16) * a / x;
}

BINARY_REAL(gamma_density, density(x, y))
BINARY(igamma_float, float, float, float, incomplete_near(x, y, 0))
BINARY(igamma_double, double, double, double, incomplete(x, y, 0))
BINARY(igammac_float, float, float, float, incomplete_near(x, y, 1))
BINARY(igammac_double, double, double, double, incomplete(x, y, 1))

static mg_function GAMMAS[] = {REAL(igamma, "xxx"), REAL(igammac, "xxx"), REAL(gamma_density, "xxx")};

#endif
