# minigrad homework: newton
import minigrad as torch


def hvp(f, x, v):
    x = x.detach().requires_grad_()
    slope, = torch.autograd.grad(f(x), x, create_graph=True)
    return torch.autograd.grad(slope, x, v)[0]


def conjugate_gradient(product, b, steps):
    x, r = torch.zeros_like(b), b
    p, rr = r, (r @ r).item()
    for _ in range(steps):
        if rr < 1e-28:
            break
        q = product(p)
        a = rr / (p @ q).item()
        x, r = x + a * p, r - a * q
        new = (r @ r).item()
        p, rr = r + new / rr * p, new
    return x


def newton(f, x, steps):
    for _ in range(steps):
        x = x.detach().requires_grad_()
        slope, = torch.autograd.grad(f(x), x, create_graph=True)

        def product(v):
            return torch.autograd.grad(slope, x, v, retain_graph=True)[0]

        x = x - conjugate_gradient(product, slope.detach(), len(x))
    return x.detach()
