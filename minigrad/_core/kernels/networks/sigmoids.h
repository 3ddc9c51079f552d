/* The logistic function and tanh of many numbers at a time, for gates: activations.h and recurrent_layer.h. */
#ifndef MINIGRAD_SIGMOIDS_H
#define MINIGRAD_SIGMOIDS_H

#include "kernels/loops/exponentials.h"

INLINE float sigmoid_single(float x) { return 1 / (1 + exp_single(-x)); }
INLINE double sigmoid_double(double x) { return 1 / (1 + exp_all(-x)); }

/* Near 0 a polynomial (Cephes), so that small numbers keep their digits. */
INLINE float tanh_single(float x)
{
    float y = fabsf(x), z = x * x;
    float p = -5.70498872745e-3f;
    p = p * z + 2.06390887954e-2f;
    p = p * z - 5.37397155531e-2f;
    p = p * z + 1.33314422036e-1f;
    p = p * z - 3.33332819422e-1f;
    float far = 1 - 2 / (exp_single(2 * y) + 1);
    return y < 0.625f ? x + x * z * p : x < 0 ? -far : far;
}

INLINE double tanh_double(double x)
{
    double y = fabs(x);
    double e = expm1_all(2 * (y > 22 ? 22 : y));
    double far = e / (e + 2);
    return x < 0 ? -far : far;
}

#endif
