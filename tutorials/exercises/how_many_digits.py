"""Exercises of "How many digits does this gradient have?"."""

# %% Exercise: One minus the cosine
# For a small angle :math:`1 - \cos x` is about :math:`x^2/2`, and has no digits left. Write ``one_minus_cos(x)`` so
# that its value and its gradient keep theirs.

# %% Starter
import minigrad as torch


def one_minus_cos(x):
    return 1 - torch.cos(x)


# %% Check
for number in (1e-4, 1e-2, 1.0):
    x = torch.tensor(number, requires_grad=True)
    with torch.autograd.digits() as report:
        y = one_minus_cos(x)
        y.backward()
    exact = 2 * torch.sin(torch.tensor(number, dtype=torch.float64) / 2) ** 2
    assert abs(y.item() / exact.item() - 1) < 1e-4, f"For {number} it is {exact.item():.4g}, and not {y.item():.4g}."
    assert report.of(y).worst > 6, f"For {number} the value has {report.of(y)}."
    assert report.of(x.grad).worst > 6, f"For {number} the gradient has {report.of(x.grad)}."

# %% Hint
# The half angle: :math:`1 - \cos x = 2 \sin^2(x/2)`.


# %% Exercise: The smaller root
# The roots of :math:`x^2 - b x + c` are :math:`(b \pm \sqrt{b^2 - 4c})/2`. For a large b the smaller one cancels. Write
# ``roots(b, c)``, which returns the larger and the smaller root, each with all its digits.

# %% Starter
import minigrad as torch


def roots(b, c):
    d = torch.sqrt(b * b - 4 * c)
    return (b + d) / 2, (b - d) / 2


# %% Check
b, c = torch.tensor(2345.6), torch.tensor(1.1)
with torch.autograd.digits() as report:
    large, small = roots(b, c)
assert abs(large.item() - 2345.5995) < 1e-2, f"The larger root is 2345.5995, and not {large.item()}."
assert report.of(large).worst > 6, f"The larger root has {report.of(large)}."
assert report.of(small).worst > 6, f"The smaller root has {report.of(small)}."
assert abs(small.item() * large.item() / c.item() - 1) < 1e-5, "The product of the roots is c."

# %% Hint
# Only one of the two cancels. The product of the roots is c.


# %% Exercise: A sum that feels every step
# ``total(numbers)`` adds up float16 numbers one after the other, and stops growing at 2048. Write it so that the
# result, in float16, has all digits.

# %% Starter
import minigrad as torch


def total(numbers):
    result = torch.zeros((), dtype=torch.float16)
    for x in numbers:
        result = result + x
    return result


# %% Check
numbers = torch.ones(3000, dtype=torch.float16)
with torch.autograd.digits() as report:
    found = total(numbers)
assert found.dtype is torch.float16, "The result is float16."
assert found == 3000, f"The sum is 3000, and not {found.item()}."
assert report.of(found).worst > 3, f"The sum has {report.of(found)}."

# %% Hint
# ``numbers.sum()`` adds with more bits; or keep the total in float32, and round once.


# %% Project: 1
# 10 points: 4 for a report of each dtype, 3 for the layer, 3 for the reason. The usual finding is the first layer, or
# the bias before a normalization, whose gradient is 0 in exact arithmetic: that one is a matter of the formula. With
# gradients that underflow in float16, of the numbers: a larger loss (``GradScaler``) cures it.


# %% Project: 2
# 10 points: 2 for each of the sums, 2 for digits, 2 for time. All three have 3.3 digits if the total itself is rounded
# only once; a compensation in float16 is limited by the total, which stops growing at 2048 unless the compensation is
# added at the end.
