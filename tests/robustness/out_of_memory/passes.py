"""Scenarios of the engine: graphs, passes, hooks, modes, levels and transforms, on tensors of a few numbers.

A scenario is a function without arguments.  It leaves nothing behind but gradients, and returns the same each time.
"""

import minigrad as torch

forward_ad = torch.autograd.forward_ad
graph = torch.autograd.graph


def leaf(*values):
    return torch.tensor(values, dtype=torch.float64, requires_grad=True)


X, W = leaf(1., 2., 3.), leaf(4., 5., 6.)
M = torch.tensor([[1., 2.], [3., 4.]], dtype=torch.float64, requires_grad=True)


def loss(x=X, w=W):
    return ((x * w).sin() + x / w).sum()


KEPT = loss()


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, d):
        (x,) = ctx.saved_tensors
        return 2 * x * d


class Again(torch.autograd.Function):
    """Its backward runs a pass of its own."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, d):
        y = ctx.saved_tensors[0].detach().requires_grad_()
        with torch.enable_grad():
            (y * y).sum().backward()
        return d * y.grad


# What the scenarios hand over is made before: some Pythons crash where they cannot make a function (known.py).

def twice(g):
    return g * 2


def nothing(*received):
    return None


def same(t):
    return t


def as_array(t):
    return t.numpy(force=True)


def product_of_row(a):
    return (a * W[:2]).sum().sin()


def sine_of_square(a):
    return (a * a).sin()


def sum_of_sines(a):
    return sine_of_square(a).sum()


def plain():
    loss().backward()


def retained():
    KEPT.backward(retain_graph=True)


def create_graph():
    (g,) = torch.autograd.grad(loss(), X, create_graph=True)
    g.sum().backward()


def accumulating_graphs():
    loss().backward(create_graph=True)


def hooks():
    y = X * W
    y.register_hook(twice)
    z = y.sin().sum()
    z.grad_fn.register_hook(nothing)
    z.grad_fn.register_prehook(nothing)
    z.backward()


def leaf_hooks():
    x = leaf(1., 2.)
    x.register_hook(twice)
    x.register_post_accumulate_grad_hook(nothing)
    (x * x).sum().backward()


def function():
    Square.apply(X * 2).sum().backward()


def reentrant():
    Again.apply(X * 2).sum().backward()


def retain_grad():
    y = X * 2
    y.retain_grad()
    (y * y).sum().backward()


def in_place():
    y = X * 2
    y[0] = W[1]
    y.mul_(W)
    y[1:].exp_()
    y.sum().backward()


def views():
    y = X * 2
    v, u = y[1:], y.view(3, 1)
    v.mul_(3)
    u += 1
    (v.sum() + u.sum()).backward()


def dual_numbers():
    with forward_ad.dual_level():
        d = forward_ad.make_dual(X * 1, W.detach())
        forward_ad.unpack_dual((d * d).softmax(0))


def vmap():
    torch.vmap(product_of_row)(M)


def func_grad():
    torch.func.grad(sum_of_sines)(X.detach())


def func_jvp():
    torch.func.jvp(sine_of_square, (X.detach(),), (W.detach(),))


def profiler():
    with torch.autograd.profiler.profile(record_shapes=True, profile_memory=True):
        loss().backward()


def anomaly():
    with torch.autograd.detect_anomaly():
        loss().backward()


def cat():
    torch.cat([X * i for i in range(5)] + [W]).sum().backward()


def split():
    sum([part.sum() for part in (X * 2).split(1)]).backward()


def saved_hooks():
    with graph.saved_tensors_hooks(as_array, torch.tensor), graph.saved_tensors_hooks(same, same):
        y = loss()
    y.backward()


def mutation():
    with graph.allow_mutation_on_saved_tensors():
        y = X * 2
        z = y.sin()
        y.zero_()
        z.sum().backward()


def grad_modes():
    mode = torch.no_grad()
    with mode, mode:
        X * W
        with torch.enable_grad():
            loss()


@torch.no_grad()
def decorated():
    return X * W


def inference():
    with torch.inference_mode():
        X * W


def wide():
    torch.stack([X * i for i in range(40)]).sum().backward()


def chain():
    y = X
    for _ in range(40):
        y = (y * W).tanh()
    y.sum().backward()


def division():
    (X / 0).sum().backward()


SCENARIOS = (plain, retained, create_graph, accumulating_graphs, hooks, leaf_hooks, function, reentrant, retain_grad,
             in_place, views, dual_numbers, vmap, func_grad, func_jvp, profiler, anomaly, cat, split, saved_hooks,
             mutation, grad_modes, decorated, inference, wide, chain, division)
