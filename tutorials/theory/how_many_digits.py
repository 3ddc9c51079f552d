"""
How many digits does this gradient have?
========================================

A float32 holds 7.2 decimal digits, and every operation rounds to them. Mostly that is all there is to say. But a
program can lose them all in one line, and print a number that looks like any other. On this page you watch numbers lose
their digits, in four programs that everybody writes once, and find for each the line and the cure.

After this page you can say how many digits of a result, or of a gradient, are right, where the others were lost, and
which formula keeps them.

You need to know how errors are found in a backward pass: :doc:`/tutorials/first_gradients/find_a_nan`.
"""

# %%
# The problem
# -----------
#
# The variance of three numbers is the mean of their squares, minus the square of their mean. Of 10000, 10001 and 10002
# it is 2/3.

import matplotlib.pyplot as plt

import minigrad as torch

x = torch.tensor([10000.0, 10001.0, 10002.0])
variance = (x * x).mean() - x.mean() ** 2
print(variance)
assert variance == 0

# %%
# It is 0, or whatever rounding makes of it. Nothing was too large or too small, and there is no ``nan``. Let us watch
# the same line: inside ``torch.autograd.digits()`` every operation runs again beside the program, with more digits.

with torch.autograd.digits() as report:
    variance = (x * x).mean() - x.mean() ** 2
print(report.table())
assert report.worst.kind == "cancellation" and report.of(variance).worst == 0

# %%
# What a digit is
# ---------------
#
# If a result is :math:`y` and should be :math:`Y`, its relative error is :math:`|y - Y| / |Y|`, and it has
#
# .. math::
#
#    -\log_{10} \frac{|y - Y|}{|Y|}
#
# digits. Rounding to the nearest float32 makes a relative error of at most :math:`2^{-24}`, which is 7.2 digits; for
# float64 it is :math:`2^{-53}`, 16 digits, and for float16 :math:`2^{-11}`, 3.3 digits.
#
# The table has two columns for what is missing. *Itself* is what the operation lost, if its arguments are taken as
# exact. *Inherited* is the rest: errors of its arguments, which it may have made larger. Read the first line again. The
# subtraction has lost nothing itself, since the difference of the two numbers that it was given is exact. But these
# two were rounded, to multiples of 8, and the digits in which they differ are exactly those that were rounded away.
# That is *cancellation*: a subtraction shows what was lost before.
#
# The cure is in the report. Subtract before you square: the differences are small and exact.

print(report.worst)
with torch.autograd.digits() as report:
    centred = ((x - x.mean()) ** 2).mean()
print(centred, "has", report.of(centred))
assert report.losses == [] and report.of(centred).worst > 6.5

# %%
# A softmax by hand
# -----------------
#
# The softmax divides :math:`e^{x_i}` by the sum of all of them. Two formulas for its logarithm, with their gradients:


def by_hand(x):
    e = x.exp()
    return (e / e.sum()).log()


def by_the_library(x):
    return torch.log_softmax(x, 0)


for function in (by_hand, by_the_library):
    x = torch.tensor([0.0, 1.0, 90.0], requires_grad=True)
    with torch.autograd.digits() as report:
        y = function(x)
        y.sum().backward()
    print(y.tolist(), x.grad.tolist())
    print(report.worst)
    if function is by_hand:
        assert report.worst.kind == "overflow" and report.worst.text == "e = x.exp()"
    else:
        assert report.losses == []

# %%
# The largest float32 is about :math:`e^{88.7}`. Above it ``exp`` *overflows*, to infinity, and whatever is computed
# from that is lost. ``log_softmax`` subtracts the largest number first, which changes nothing in exact arithmetic.
#
# A gradient with fewer digits than its function
# ----------------------------------------------
#
# :math:`f(x) = (e^x - 1)/x` is 1 + x/2 + ... near 0. Written with ``expm1`` it keeps all its digits there. Its
# derivative is made by the chain rule, from the formula that we wrote, and that is another formula:
#
# .. math::
#
#    f'(x) = \frac{e^x}{x} - \frac{e^x - 1}{x^2}
#
# Two numbers near 1/x, whose difference is about 1/2.

x = torch.tensor(1e-3, requires_grad=True)
with torch.autograd.digits() as report:
    y = torch.expm1(x) / x
    y.backward()
print("f(x) has", report.of(y))
print("f'(x) has", report.of(x.grad))
assert report.of(y).worst > 6.5 and report.of(x.grad).worst < 4.5
report.graph()

# %%
# In the drawing, read from the top: the two contributions to ``x.grad`` have all digits, and their sum has lost them.
# So it is not enough to check the loss. The cure is a formula for the derivative as well, in a Function of your own, or
# a few terms of the series where x is small.
#
# A finite difference and its best step
# -------------------------------------
#
# The oldest way to a derivative is :math:`(f(x + h) - f(x))/h`. A large h is a bad approximation, a small h cancels.
# Count the digits of the difference for many steps, once against the derivative, and once as the report counts them,
# against the same difference in exact arithmetic.

steps = [10.0**-k for k in range(8)]
x = torch.tensor(1.0)
of_the_derivative, of_the_difference = [], []
for h in steps:
    with torch.autograd.digits() as report:
        slope = ((x + h).exp() - x.exp()) / h
    error = abs(slope.item() / torch.e - 1)
    of_the_derivative.append(-torch.tensor(error).log10().item())
    of_the_difference.append(report.of(slope).worst)

best = max(range(len(steps)), key=lambda k: of_the_derivative[k])
print(f"best step: {steps[best]}, with {of_the_derivative[best]:.1f} digits")
assert 1e-5 < steps[best] < 1e-2 and of_the_derivative[best] < 5

# alt: Digits over the step, from 1 to 1e-7. The digits of the difference fall steadily from 7 to 0 as the step
#      shrinks. Those of the derivative rise first, reach about 4 where the lines meet, and fall with the other line.
plt.figure(figsize=(6, 3.2))
plt.semilogx(steps, of_the_derivative, "o-", label="as a derivative")
plt.semilogx(steps, of_the_difference, "s--", label="as a difference")
plt.xlabel("step h")
plt.ylabel("right digits")
plt.legend()
plt.tight_layout()
plt.show()

# %%
# From the right, the approximation gains a digit for each digit of h. From the left, rounding costs one. They meet
# where the error of the approximation, about h/2, is that of rounding, :math:`2^{-24}/h`: at the square root of the
# unit of rounding, where half of the digits are left. No step has more. Reverse mode has no h, and no such limit.
#
# Training in float16
# -------------------
#
# Half precision has 3.3 digits, and nothing below :math:`6 \cdot 10^{-8}`. Two things happen to training. Gradients
# underflow, and steps are *absorbed*: a weight of 1 does not feel a step of 0.0002, since the next float16 below 1 is
# 0.9995.

weight = torch.tensor(1.0, dtype=torch.float16)
step = torch.tensor(0.0002, dtype=torch.float16)
with torch.autograd.digits() as report:
    for _ in range(1000):
        weight -= step
print(weight.item(), "has", report.of(weight))
print(report.worst)
assert weight == 1 and report.worst.kind == "absorption"

# %%
# A thousand steps, and the weight is where it was. Keep the weights in float32, and only compute in 16 bits: a step is
# then added to a number that can feel it.

copy = torch.tensor(1.0)
with torch.autograd.digits() as report:
    for _ in range(1000):
        copy -= step
    weight = copy.half()
print(weight.item(), "has", report.of(weight))
assert report.losses == [] and abs(weight.item() - 0.8) < 0.001

# %%
# What goes wrong
# ---------------
#
# **Reading digits as accuracy.** The report compares with exact arithmetic on *your* inputs. If 10000.0 itself was
# measured with three digits, no formula will give more.
#
# **Looking for full digits everywhere.** A number that has lost its digits may not matter: a correction that is added
# to something large, or an ``x + 1e-12`` that only avoids a division by 0. So ``losses`` has results only, those that
# the block leaves behind; what was lost on the way is in the table.
#
# **Leaving it on.** Every number is computed a second time, with more digits. A training step on large tensors takes
# some six times as long, and operations on few numbers sixty times. Watch a step, not a training.
#
# **Expecting digits of a zero.** A gradient that is exactly 0 in exact arithmetic, like that of a bias before a batch
# normalization, comes out as rounding noise, and none of its digits are right.
#
# Summary
# -------
#
# - ``with torch.autograd.digits() as report:`` counts the digits of every operation, forward and backward.
# - *Itself* and *inherited*: an operation loses digits by rounding, overflow and underflow, or it makes errors of its
#   arguments larger, as a subtraction does that cancels.
# - A gradient can have fewer digits than its function, since its formula is another one.
# - A finite difference has half of the digits at best.
# - 16 bits are for products, not for sums of many small steps.
#
# Exercises
# ---------
#
# Projects
# --------
#
# 1. Take a network that you have trained, and count the digits of its gradients in float32 and in float16. Which layer
#    has the fewest, and is that a matter of its formula or of its numbers?
# 2. Write a sum in float16 that has all 3.3 digits for a million numbers between 0 and 1, in three ways: in pairs, with
#    a compensation, and in float32. Count the digits and the time of each.
