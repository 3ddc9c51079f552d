"""Solutions of the exercises of "How many digits does this gradient have?"."""

# %% Solution: One minus the cosine
import minigrad as torch


def one_minus_cos(x):
    return 2 * torch.sin(x / 2) ** 2


# %% Solution: The smaller root
import minigrad as torch


def roots(b, c):
    large = (b + torch.sqrt(b * b - 4 * c)) / 2
    return large, c / large


# %% Solution: A sum that feels every step
import minigrad as torch


def total(numbers):
    return numbers.sum()


# %% Project: 1
import minigrad as torch
from minigrad import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 3))
x, target = torch.randn(32, 8), torch.randint(0, 3, (32,))


def digits_of_gradients(dtype):
    model = nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 3)).to(dtype)
    model.load_state_dict(net.state_dict())
    with torch.autograd.digits() as report:
        loss = nn.functional.cross_entropy(model(x.to(dtype)), target)
        loss.backward()
    return {name: report.of(p.grad).median for name, p in model.named_parameters()}


single, half = digits_of_gradients(torch.float32), digits_of_gradients(torch.float16)
assert all(digits > 5.5 for digits in single.values())
assert all(1 < digits < 3.4 for digits in half.values())


# %% Project: 2
import minigrad as torch


def in_pairs(numbers):
    while len(numbers) > 1:
        if len(numbers) % 2:
            numbers = torch.cat((numbers, torch.zeros(1, dtype=numbers.dtype)))
        numbers = numbers[::2] + numbers[1::2]
    return numbers[0]


def compensated(numbers):
    total = lost = torch.zeros((), dtype=numbers.dtype)
    for x in numbers:
        y = x - lost
        new = total + y
        lost = (new - total) - y
        total = new
    return total


def in_single(numbers):
    return numbers.float().sum().half()


numbers = torch.rand(2000).half() / 16
for function in (in_pairs, compensated, in_single):
    with torch.autograd.digits() as report:
        result = function(numbers)
    assert report.of(result).worst > 2.4, function.__name__
assert report.of(result).worst > 3.2
