"""Fifty programs that lose nothing worth telling: each makes tensors from random numbers, and nothing is reported.

Among them are the answers to the failures: what the advice says to write.
"""

import minigrad as torch
from minigrad import nn
from minigrad.nn import functional as F

SOUND = []


def sound(program):
    SOUND.append(program)
    return program


def positive(*shape, dtype=torch.float32):
    return torch.rand(*shape, dtype=dtype) + 0.5


def with_grads(loss, *leaves):
    loss.backward()
    return loss, *[x.grad for x in leaves]


# --- what the advice says to write --------------------------------------------------------------

@sound
def expm1():
    x = torch.rand(10) * 1e-6
    return torch.expm1(x) / x


@sound
def log1p():
    x = torch.rand(10) * 1e-9 + 1e-10
    return torch.log1p(x)


@sound
def logsumexp():
    return torch.logsumexp(100 + 50 * torch.rand(20), 0)


@sound
def softmax_of_large_numbers():
    return torch.softmax(100 + 10 * torch.rand(3, 20), 1)


@sound
def log_softmax():
    return torch.log_softmax(torch.tensor([0., 110.]) + torch.rand(2), 0)


@sound
def softplus():
    return F.softplus(torch.rand(10) * 200)


@sound
def hypot():
    return torch.hypot(3e20 * positive(10), 4e20 * positive(10))


@sound
def slogdet():
    return torch.linalg.slogdet(torch.eye(60) * 10 + torch.rand(60, 60) * 0.01).logabsdet


@sound
def centred_variance():
    x = 100 + 20 * torch.rand(100)
    return ((x - x.mean()) ** 2).mean(), x.var()


@sound
def one_minus_cos_by_the_sine():
    x = 1e-3 * positive(10)
    return 2 * torch.sin(x / 2) ** 2 / x ** 2


@sound
def erfc():
    return torch.special.erfc(3 + torch.rand(10))


@sound
def sigmoid_of_minus_x():
    return torch.sigmoid(-10 - torch.rand(10))


@sound
def roots_of_a_quadratic():
    b, c = 2000 + torch.rand(1), positive(1)
    large = (b + torch.sqrt(b * b - 4 * c)) / 2
    return large, c / large


@sound
def difference_of_squares_as_a_product():
    a = 3333 + torch.rand(10)
    b = a - 0.25
    return (a - b) * (a + b)


@sound
def difference_of_roots_by_the_sum():
    x = 3e6 * positive(10)
    return 1 / (torch.sqrt(x + 1) + torch.sqrt(x))


@sound
def kahans_sum():
    total = lost = torch.zeros(())
    for x in positive(200):
        y = x - lost
        new = total + y
        lost = (new - total) - y
        total = new
    return total


@sound
def pairwise_sum():
    return positive(100000).sum(), positive(1000, 100).mean(0)


@sound
def product_by_logarithms():
    return (torch.full((100,), 11.) * positive(100)).log().sum()


# --- elementwise, sums, and matrices ------------------------------------------------------------

@sound
def arithmetic():
    a, b = positive(100), positive(100)
    return a * b + a / b


@sound
def elementary_functions():
    x = positive(100)
    return x.exp(), x.sin(), (x + 1).log(), x.sqrt(), x.tanh(), x ** 1.7


@sound
def gelu_and_silu():
    x = torch.rand(100) * 3
    return F.gelu(x), F.silu(x), torch.sigmoid(x)


@sound
def running_sums():
    return positive(1000).cumsum(0), positive(30).cumprod(0)


@sound
def matrix_product():
    return positive(40, 50) @ positive(50, 30)


@sound
def matrix_product_of_normal_numbers():
    return torch.randn(60, 70) @ torch.randn(70, 60)


@sound
def batches_of_matrices():
    return torch.bmm(torch.randn(5, 20, 30), torch.randn(5, 30, 20))


@sound
def solving_a_well_conditioned_system():
    return torch.linalg.solve(torch.rand(20, 20) + 20 * torch.eye(20), positive(20))


@sound
def cholesky():
    a = torch.rand(20, 20)
    return torch.linalg.cholesky(a @ a.T + 20 * torch.eye(20))


@sound
def norms():
    x = torch.randn(50, 20)
    return x.norm(), torch.linalg.vector_norm(x, dim=1)


@sound
def polynomial_by_horner():
    x = positive(50)
    y = torch.zeros(50)
    for c in (1., 2., 0.5, 3.):
        y = y * x + c
    return y


@sound
def mean_of_squares():
    return (torch.randn(1000) ** 2).mean()


@sound
def convolution():
    return F.conv2d(torch.rand(2, 3, 12, 12), torch.rand(4, 3, 3, 3))


@sound
def pooling():
    x = torch.rand(2, 3, 12, 12) + 1
    return F.max_pool2d(x.exp(), 2), F.avg_pool2d(x.exp(), 2)


@sound
def in_double():
    x = positive(100, dtype=torch.float64)
    return (x.exp() * x).sum(), x.log1p(), x @ x


@sound
def complex_numbers():
    z = torch.complex(positive(50), positive(50))
    return z * z, z.abs(), z.exp()


@sound
def in_float16():
    x = torch.rand(100, dtype=torch.float16) + 0.5
    return x * 1.5, x.exp(), x.mean()


# --- views, writes, and choices -----------------------------------------------------------------

@sound
def views_and_writes():
    x = positive(6, 5)
    x[1:3] *= 2.5
    x.T[0].add_(1)
    return x.reshape(30)[::2].exp()


@sound
def gathering_and_scattering():
    x = positive(8).exp()
    i = torch.randint(0, 8, (8,))
    return x[i], torch.zeros(8).index_add(0, i, x), x.gather(0, i)


@sound
def sorting():
    return positive(50).exp().sort().values, positive(50).exp().topk(5).values


@sound
def masks():
    x = torch.rand(50) - 0.5
    return torch.where(x > 0, x.exp(), -x)


@sound
def an_epsilon_that_is_not_felt():
    x = positive(50)
    return x / (x.sum() + 1e-12), (x * x + 1e-12).sqrt()


# --- gradients ----------------------------------------------------------------------------------

@sound
def gradient_of_a_product():
    a, b = positive(50).requires_grad_(), positive(50).requires_grad_()
    return with_grads((a * b).exp().sum(), a, b)


@sound
def gradient_of_logsumexp():
    x = (100 * torch.rand(10)).requires_grad_()
    return with_grads(torch.logsumexp(x, 0), x)


@sound
def least_squares():
    x, w = torch.rand(30, 4), torch.rand(4, requires_grad=True)
    return with_grads(((x @ w - 5) ** 2).mean(), w)


@sound
def two_layers():
    w, v = (torch.rand(10, 20) * 0.1).requires_grad_(), (torch.rand(20, 1) * 0.1).requires_grad_()
    return with_grads((torch.tanh(positive(8, 10) @ w) @ v).sum(), w, v)


@sound
def cross_entropy():
    logits = torch.rand(16, 5, requires_grad=True)
    return with_grads(F.cross_entropy(logits, torch.randint(0, 5, (16,))), logits)


@sound
def a_module():
    net = nn.Sequential(nn.Linear(6, 12), nn.Sigmoid(), nn.Linear(12, 1))
    with torch.no_grad():
        for p in net.parameters():
            p.abs_().add_(0.1)
    loss = net(positive(9, 6)).square().mean()
    return with_grads(loss, *net.parameters())


@sound
def steps_of_gradient_descent():
    w = positive(4).requires_grad_()
    optimizer = torch.optim.SGD([w], lr=0.01)
    for _ in range(5):
        optimizer.zero_grad()
        (w.exp().sum()).backward()
        optimizer.step()
    return w, w.grad


@sound
def second_derivative():
    x = positive(10).requires_grad_()
    slope, = torch.autograd.grad((x ** 3).sum(), x, create_graph=True)
    return torch.autograd.grad(slope.sum(), x)


@sound
def transforms():
    x = positive(6)
    return (torch.func.grad(lambda x: x.exp().sum())(x), torch.vmap(torch.dot)(positive(5, 4), positive(5, 4)),
            torch.func.jvp(torch.exp, (x,), (x,)))


@sound
def a_function_of_your_own():
    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x ** 3

        @staticmethod
        def backward(ctx, d):
            x, = ctx.saved_tensors
            return 3 * x * x * d

    x = positive(10).requires_grad_()
    return with_grads(Cube.apply(x).sum(), x)


@sound
def a_recurrence():
    w = (torch.rand(5, 5) * 0.2).requires_grad_()
    h = torch.rand(3, 5)
    for _ in range(10):
        h = torch.sigmoid(h @ w)
    return with_grads(h.sum(), w)
