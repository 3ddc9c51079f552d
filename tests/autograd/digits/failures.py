"""Fifty classic ways to lose digits, and what is known of each: its class, and the line, which ends in ``# here``.

From N. J. Higham, "Accuracy and Stability of Numerical Algorithms" (2nd ed., 2002), W. Kahan's notes, D. Goldberg,
"What every computer scientist should know about floating-point arithmetic" (1991), and everyday programs.  Each returns
what it has computed: tensors.
"""

import numpy as np

import minigrad as torch
from minigrad.autograd.digits import HAS_EXTENDED

FAILURES = []
#: has longdouble more digits, and its functions too?  musl, which web pages have, computes these through a double
FUNCTIONS_OF_EXTENDED = HAS_EXTENDED and np.exp(1 + np.longdouble(2) ** -60) != np.exp(np.longdouble(1))
half, single, double = torch.float16, torch.float32, torch.float64


def loses(kind, advice=""):
    """A program that loses digits in this way, for which this is said (a part of the advice)."""
    def decorate(program):
        FAILURES.append((program, kind, advice))
        return program
    return decorate


def t(*numbers, dtype=single, grad=False):
    return torch.tensor(numbers[0] if len(numbers) == 1 else numbers, dtype=dtype, requires_grad=grad)


# --- cancellation: functions near a point where they are small ----------------------------------

@loses("cancellation", "expm1")
def expm1_by_hand():                            # Higham 1.14
    x = t(1e-5)
    return torch.exp(x) - 1                     # here


@loses("cancellation", "expm1")
def expm1_over_x_in_double():
    x = t(1e-10, dtype=double)
    return (torch.exp(x) - 1) / x               # here


@loses("cancellation", "cos")
def one_minus_cos():                            # Higham 1.7
    x = t(1.2e-3)
    return (1 - torch.cos(x)) / x ** 2          # here


@loses("cancellation", "cos")
def one_minus_cos_in_double():
    x = t(1.2e-6, dtype=double)
    return 1 - torch.cos(x)                     # here


@loses("absorption", "log1p")
def log_of_one_plus():                          # Goldberg, theorem 4
    x = t(1e-9)
    y = 1 + x                                   # here
    return torch.log(y)


@loses("absorption", "log1p")
def log_of_one_plus_in_double():
    x = t(1e-17, dtype=double)
    y = x + 1                                   # here
    return torch.log(y)


@loses("cancellation", "erfc")
def one_minus_erf():
    x = t(3.)
    return 1 - torch.erf(x)                     # here


@loses("cancellation", "tanh")
def one_minus_tanh():
    x = t(6.)
    return 1 - torch.tanh(x)                    # here


@loses("cancellation", "sigmoid(-x)")
def one_minus_sigmoid():
    x = t(12.)
    return 1 - torch.sigmoid(x)                 # here


@loses("cancellation", "binary_cross_entropy_with_logits")
def logarithm_of_one_minus_sigmoid():           # which is that of 0, and no overflow
    x = t(20.)
    y = 1 - torch.sigmoid(x)                    # here
    return torch.log(y)


@loses("absorption", "logsigmoid(-x)")
def logarithm_of_one_minus_sigmoid_by_hand():
    x = t(20.)
    y = 1 + torch.exp(-x)                       # here
    return torch.log(1 - 1 / y)


@loses("cancellation", "sqrt(a) + sqrt(b)")
def difference_of_roots():                      # Higham 1.7
    x = t(3e6)
    return torch.sqrt(x + 1) - torch.sqrt(x)    # here


@loses("cancellation", "log(a / b)")
def difference_of_logarithms():
    a, b = t(1.00001e6), t(1.00002e6)
    return torch.log(a) - torch.log(b)          # here


@loses("cancellation", "expm1")
def sinh_by_hand():
    x = t(2e-5)
    return (torch.exp(x) - torch.exp(-x)) / 2   # here


@loses("cancellation")
def sin_minus_x():
    x = t(2e-3)
    return torch.sin(x) * 1.0 - x               # here


@loses("cancellation")
def sum_of_the_series_of_exp():                 # Higham 1.12: exp(-12) by its Taylor series
    x = t(-12.)
    term = total = t(1.)
    for k in range(1, 60):
        term = term * x / k
        total = total + term                    # here
    return total


# --- cancellation: formulas -------------------------------------------------------------------

@loses("cancellation", "(a - b) * (a + b)")
def difference_of_squares():                    # Goldberg, 1.4
    a, b = t(3333.5), t(3333.25)
    x, y = a * 1.1, b * 1.1
    return x * x - y * y - 2016.54              # here


@loses("cancellation", "root")
def small_root_of_a_quadratic():                # Higham 1.8
    b, c = t(2345.6), t(1.1)
    return (b - torch.sqrt(b * b - 4 * c)) / 2  # here


@loses("cancellation")
def discriminant():                             # Kahan, "On the cost of floating-point computation", 2004
    a, b, c = t(94906.26), t(94906.267), t(94906.27)
    return b * b - a * c                        # here


@loses("cancellation", "centring")
def variance_in_one_pass():                     # Higham 1.9
    x = t(10000., 10001., 10002.)
    return (x * x).mean() - x.mean() ** 2       # here


@loses("cancellation", "centring")
def variance_of_many():
    x = 5000 + torch.linspace(0, 1, 1000)
    return (x ** 2).mean() - x.mean().square()  # here


@loses("cancellation")
def area_of_a_needle():                         # Kahan, "Miscalculating area and angles of a needle-like triangle"
    a, b, c = t(9.1), t(4.55), t(4.5500021)
    s = (a * 1.1 + b * 1.1 + c * 1.1) / 2
    d = s - a * 1.1                             # here
    return torch.sqrt(s * d)


@loses("cancellation")
def determinant_of_two_by_two():
    a, b = t(1.1, 2.3), t(3.1, 6.4818182)
    p = a * b.flip(0)
    return p[0] - p[1]                          # here


@loses("cancellation")
def residual_of_a_root():
    x = t(2.).sqrt()
    return x * x - 2                            # here


@loses("cancellation")
def muller():                                   # J.-M. Muller's recurrence: converges to 100, and not to 6
    a, b = t(11 / 2, dtype=double), t(61 / 11, dtype=double)
    for _ in range(14):
        a, b = b, 111 - (1130 - 3000 / a) / b   # here
    return b


@loses("cancellation")
def recurrence_of_integrals():                  # Higham 1.10.3: I_n = 1 - n I_(n-1)
    value = 1 - 1 / torch.exp(t(1.))
    for n in range(1, 12):
        value = 1 - n * value                   # here
    return value


@loses("cancellation")
def alternating_sum():
    x = t(1e4, 1.1, -1e4) * 1.01
    return (x[0] + x[1]) + x[2] - 1.111         # here


@loses("cancellation")
def cosine_of_a_small_angle():
    a, b = t(1., 2e-4), t(1., 0.)
    cosine = torch.dot(a, b) / (a.norm() * b.norm())
    return torch.sqrt(1 - cosine * cosine)      # here


@loses("cancellation")
def distance_by_its_expansion():                # |a - b|^2 = a.a - 2 a.b + b.b
    a, b = t(100.1, 200.2), t(100.11, 200.21)
    return a.dot(a) - 2 * a.dot(b) + b.dot(b)   # here


@loses("cancellation")
def sum_that_cancels():
    x = t(1e6, 3.3, -1e6) * 1.7
    return x.sum() - 5.61                       # here


@loses("cancellation")
def matrix_product_that_cancels():
    a = t(1e5, -3e4, 1.) * 1.1
    return a[None] @ t(0.3, 1., 1e-3)[:, None]  # here


# --- finite differences -----------------------------------------------------------------------

@loses("cancellation")
def finite_difference():
    x, h = t(1.), 1e-5
    y = (x + h).exp() - x.exp()                 # here
    return y / h


@loses("cancellation")
def second_difference():
    x, h = t(1.), 1e-3
    return ((x + h).exp() - 2 * x.exp() + (x - h).exp()) / h ** 2      # here


@loses("absorption")
def a_step_that_is_too_small():
    x, h = t(1.), 1e-9
    there = x + h                               # here
    return (there.sin() - x.sin()) / h


# --- absorption -------------------------------------------------------------------------------

@loses("absorption")
def one_is_lost():
    x = t(1e8)
    y = x + 1                                   # here
    return y - 1e8


@loses("absorption")
def one_is_lost_in_double():
    x = t(1e16, dtype=double)
    y = x + 1                                   # here
    return y - 1e16


@loses("absorption", "adds in pairs")
def a_sum_that_stands_still():                  # float16 counts to 2048
    total, one = t(0., dtype=half), t(1., dtype=half)
    for _ in range(6000):
        total += one                            # here
    return total


@loses("absorption", "16 bits")
def a_weight_that_does_not_move():
    w, g = t(1., dtype=half), t(1., dtype=half)
    for _ in range(400):
        w.add_(g, alpha=-2e-4)                  # here
    return w - 0.92


@loses("absorption", "adds in pairs")
def an_integral_by_many_small_steps():
    total = t(0., dtype=half)
    for _ in range(3000):
        total = total + t(0.0009765625, dtype=half) * t(0.9, dtype=half)     # here
    return total


# --- overflow ---------------------------------------------------------------------------------

@loses("overflow", "logsumexp")
def log_of_a_sum_of_exps():
    x = t(100., 101.)
    y = torch.exp(x)                            # here
    return torch.log(y.sum())


@loses("overflow", "softmax")
def softmax_by_hand():
    x = t(100., 101., 5.)
    e = torch.exp(x)                            # here
    return e / e.sum()


@loses("overflow", "hypot")
def length_of_a_long_vector():
    a, b = t(3e20), t(4e20)
    s = a * a + b * b                           # here
    return torch.sqrt(s)


@loses("overflow", "softplus")
def softplus_by_hand():
    x = t(90.)
    y = torch.exp(x)                            # here
    return torch.log(1 + y)


@loses("overflow", "slogdet")
def logarithm_of_a_determinant():
    a = torch.eye(60) * 10.
    d = torch.det(a)                            # here
    return torch.log(d)


@loses("overflow", "sum of logarithms")
def a_product_of_many():
    x = torch.full((100,), 11.)
    return x.prod()                             # here


@loses("overflow")
def float16_ends_at_65504():
    x = t(300., dtype=half)
    return x * x                                # here


@loses("overflow")
def a_loss_in_float16():
    x = torch.full((8,), 300., dtype=half)
    return (x ** 2).mean()                      # here


# --- underflow --------------------------------------------------------------------------------

@loses("underflow", "hypot")
def length_of_a_short_vector():
    a, b = t(3e-25), t(4e-25)
    s = a * a                                   # here
    return torch.sqrt(s + b * b)


@loses("underflow", "sum of logarithms")
def a_likelihood():
    p = torch.full((60,), 0.1)
    return p.prod()                             # here


@loses("underflow", "GradScaler")
def a_gradient_in_float16():
    w = t(1e-4, dtype=half, grad=True)
    y = (w * 1e-4) * 1e-4                       # here
    y.backward()
    return w.grad


@loses("underflow", "log_softmax")
def logarithm_of_softmax():
    x = t(0., 110.)
    p = torch.softmax(x, 0)                     # here
    return torch.log(p)


# --- sensitive problems, and too few bits -----------------------------------------------------

@loses("ill-conditioned")
def sine_of_a_large_number():
    x = t(1e5) * 1.3
    return torch.sin(x)                         # here


@loses("cancellation")
def logistic_map():
    x = t(0.1)
    for _ in range(40):
        x = 3.9 * x * (1 - x)                   # here
    return x


@loses("ill-conditioned")
def a_high_power():
    x = t(1.) + 1.1e-5
    return x ** 1e5                             # here


@loses("rounding")
def through_float16_and_back():
    x = t(2049., 4099.)
    y = x.to(half)                              # here
    return y.to(single) * 2


# --- gradients --------------------------------------------------------------------------------

@loses("cancellation")
def gradient_of_expm1_over_x():
    x = t(1e-4, grad=True)
    y = (torch.exp(x) - 1) / x                  # here
    y.backward()
    return x.grad


@loses("overflow")
def gradient_of_a_root_of_a_square():
    x = t(2e19, grad=True)
    y = x * x                                   # here
    torch.sqrt(y).backward()
    return x.grad
