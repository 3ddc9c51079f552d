"""Programs of transforms that run alike under minigrad and under PyTorch: each takes the library and returns a tree of
tensors."""

import numpy as np

RNG = np.random.default_rng(7)
X, Y, W, M = RNG.normal(size=3), RNG.normal(size=3), RNG.normal(size=(3, 4)), RNG.normal(size=(5, 3))


def vector(t, array=X):
    return t.tensor(array)


def scalar(t, x):
    """A scalar function of a vector, with matrices, broadcasting, indices and reductions in it."""
    h = t.tanh(x @ t.tensor(W))
    return (h * h).sum() + (x.sin() * x.exp()).cumsum(0)[-1] + x[0] * x[1:].prod() + t.logsumexp(x, 0)


def several(t, x, y):
    """A tree of outputs of two vectors."""
    return {"outer": t.outer(x, y.exp()), "list": [(x * y).sum(), x / (1 + y * y)]}


PROGRAMS = {
    "grad": lambda t: t.func.grad(lambda x: scalar(t, x))(vector(t)),
    "grad_and_value": lambda t: t.func.grad_and_value(lambda x: scalar(t, x))(vector(t)),
    "grad, aux": lambda t: t.func.grad(lambda x: (scalar(t, x), {"x": x, "y": x * 2}), has_aux=True)(vector(t)),
    "grad_and_value, aux": lambda t: t.func.grad_and_value(lambda x: (scalar(t, x), x * 2), has_aux=True)(vector(t)),
    "grad, second argument": lambda t: t.func.grad(lambda x, y: (x * y * y).sum(), argnums=1)(vector(t), vector(t, Y)),
    "grad, last argument": lambda t: t.func.grad(lambda x, y: (x * y * y).sum(), argnums=-1)(vector(t), vector(t, Y)),
    "grad, both": lambda t: t.func.grad(lambda x, y: (x * y * y).sum(), argnums=(1, 0))(vector(t), vector(t, Y)),
    "grad, a tuple of one":
        lambda t: t.func.grad(lambda x, y: (x * y * y).sum(), argnums=(1,))(vector(t), vector(t, Y)),
    "grad, a tree": lambda t: t.func.grad(lambda p: (p["a"] * p["b"][0]).sum())({"a": vector(t), "b": [vector(t, Y)]}),
    "grad, keywords": lambda t: t.func.grad(lambda x, k=None: (x * k).sum())(vector(t), k=vector(t, Y)),
    "grad, unused": lambda t: t.func.grad(lambda x, y: x.sum(), argnums=(0, 1))(vector(t), vector(t, Y)),
    "grad of a constant": lambda t: t.func.grad(lambda x: vector(t, Y).sum())(vector(t)),
    "grad of the identity": lambda t: t.func.grad(lambda x: x)(t.tensor(3.)),
    "grad of an integer": lambda t: t.func.grad(lambda x: x.sum().long())(vector(t)),
    "the same tensor twice":
        lambda t: (lambda x: t.func.grad(lambda a, b: (a * a * b).sum(), argnums=(0, 1))(x, x))(vector(t)),
    "grad of grad": lambda t: t.func.grad(t.func.grad(lambda x: x ** 3 * x.sin()))(t.tensor(2., dtype=t.float64)),
    "grad of grad of grad":
        lambda t: t.func.grad(t.func.grad(t.func.grad(lambda x: x ** 4)))(t.tensor(2., dtype=t.float64)),
    "vjp":
        lambda t: (lambda y, pull: (y, pull(vector(t, Y)), pull(2 * vector(t, Y))))(
            *t.func.vjp(lambda x: x.sin() * x, vector(t))),
    "vjp, a tree":
        lambda t: (lambda y, pull: pull(y))(*t.func.vjp(lambda x, y: several(t, x, y), vector(t), vector(t, Y))),
    "vjp, aux":
        lambda t: (lambda y, pull, aux: (y, pull(y), aux))(*t.func.vjp(lambda x: (x.sin(), x * 3), vector(t),
                                                                       has_aux=True)),
    "vjp, another dtype": lambda t: t.func.vjp(lambda x: x.sin(), vector(t))[1](t.ones(3)),
    "jvp": lambda t: t.func.jvp(lambda x: scalar(t, x), (vector(t),), (vector(t, Y),)),
    "jvp, a tree":
        lambda t: t.func.jvp(lambda x, y: several(t, x, y), (vector(t), vector(t, Y)), (vector(t, Y), vector(t))),
    "jvp, aux": lambda t: t.func.jvp(lambda x: (x.sin(), x * 2), (vector(t),), (vector(t, Y),), has_aux=True),
    "jvp of a constant": lambda t: t.func.jvp(lambda x: vector(t, Y).sin(), (vector(t),), (vector(t, Y),)),
    "jvp, several outputs of one operation":
        lambda t: t.func.jvp(lambda x: tuple(x.sort()) + tuple(x.unbind()), (vector(t),), (vector(t, Y),)),
    "jvp of cat": lambda t: t.func.jvp(lambda x: t.cat([x, vector(t, Y), x * 2]), (vector(t),), (vector(t, Y),)),
    "linearize":
        lambda t: (lambda y, push: (y, push(vector(t, Y)), push(vector(t))))(
            *t.func.linearize(lambda x: x.sin() * x, vector(t))),
    "linearize, trees": lambda t: (lambda y, push: (y, push(vector(t, Y), vector(t))))(
        *t.func.linearize(lambda x, y: several(t, x, y), vector(t), vector(t, Y))),
    "jacrev": lambda t: t.func.jacrev(lambda x: x.sin() * x.sum())(vector(t)),
    "jacrev, trees": lambda t: t.func.jacrev(lambda x, y: several(t, x, y), argnums=(0, 1))(vector(t), vector(t, Y)),
    "jacrev, aux": lambda t: t.func.jacrev(lambda x: (x.sin(), x * 2), has_aux=True)(vector(t)),
    "jacrev, chunks": lambda t: t.func.jacrev(lambda x: x.sin() * x.sum(), chunk_size=2)(vector(t)),
    "jacrev of a scalar": lambda t: t.func.jacrev(lambda x: scalar(t, x))(vector(t)),
    "jacrev of a constant": lambda t: t.func.jacrev(lambda x: vector(t, Y))(vector(t)),
    "jacrev of a matrix": lambda t: t.func.jacrev(lambda x: x @ x.T)(t.tensor(W)),
    "jacfwd": lambda t: t.func.jacfwd(lambda x: x.sin() * x.sum())(vector(t)),
    "jacfwd, trees": lambda t: t.func.jacfwd(lambda x, y: several(t, x, y), argnums=(0, 1))(vector(t), vector(t, Y)),
    "jacfwd, aux": lambda t: t.func.jacfwd(lambda x: (x.sin(), x * 2), has_aux=True)(vector(t)),
    "jacfwd of a constant": lambda t: t.func.jacfwd(lambda x: vector(t, Y))(vector(t)),
    "jacfwd of a matrix": lambda t: t.func.jacfwd(lambda x: x @ x.T)(t.tensor(W)),
    "hessian": lambda t: t.func.hessian(lambda x: scalar(t, x))(vector(t)),
    "hessian, both":
        lambda t: t.func.hessian(lambda x, y: (x * y * y).sum() + x.prod(), argnums=(0, 1))(vector(t), vector(t, Y)),
    "hessian of a vector": lambda t: t.func.hessian(lambda x: x.sin() * x.sum())(vector(t)),
    "jacfwd of jacrev": lambda t: t.func.jacfwd(t.func.jacrev(lambda x: x.sin() * x.sum()))(vector(t)),
    "jacrev of jacfwd": lambda t: t.func.jacrev(t.func.jacfwd(lambda x: x.sin() * x.sum()))(vector(t)),
    "jacrev of jacrev": lambda t: t.func.jacrev(t.func.jacrev(lambda x: x.sin() * x.sum()))(vector(t)),
    "jacfwd of jacfwd": lambda t: t.func.jacfwd(t.func.jacfwd(lambda x: x.sin() * x.sum()))(vector(t)),
    "jvp of grad": lambda t: t.func.jvp(t.func.grad(lambda x: scalar(t, x)), (vector(t),), (vector(t, Y),)),
    "grad of jvp":
        lambda t: t.func.grad(lambda x: t.func.jvp(lambda x: scalar(t, x), (x,), (vector(t, Y),))[1])(vector(t)),
    "jvp of jvp": lambda t: t.func.jvp(lambda x: t.func.jvp(lambda x: scalar(t, x), (x,), (vector(t, Y),))[1],
                                       (vector(t),), (vector(t, Y),)),
    "vjp of vjp": lambda t: t.func.vjp(lambda v: t.func.vjp(lambda x: x.sin() * x, vector(t))[1](v)[0],
                                       vector(t, Y))[1](vector(t)),
    "vmap of grad": lambda t: t.func.vmap(t.func.grad(lambda x: scalar(t, x)))(t.tensor(M)),
    "vmap of grad, parameters":
        lambda t: t.func.vmap(t.func.grad(lambda p, x: (x @ p["w"]).tanh().sum() + p["b"] * x[0]), in_dims=(None, 0))(
        {"w": t.tensor(W), "b": t.tensor(0.5, dtype=t.float64)}, t.tensor(M)),
    "vmap of vjp": lambda t: t.func.vmap(lambda x, v: t.func.vjp(lambda x: x.sin() * x.sum(), x)[1](v)[0])(
        t.tensor(M), t.tensor(M + 1)),
    "vmap of jvp": lambda t: t.func.vmap(lambda x, v: t.func.jvp(lambda x: x.sin() * x.sum(), (x,), (v,)))(
        t.tensor(M), t.tensor(M + 1)),
    "vmap of jvp, one tangent for all":
        lambda t: t.func.vmap(lambda x, v: t.func.jvp(lambda x: x.sin() * x.sum(), (x,), (v,)), in_dims=(0, None))(
        t.tensor(M), vector(t)),
    "vmap of jacrev": lambda t: t.func.vmap(t.func.jacrev(lambda x: x.sin() * x.sum()))(t.tensor(M)),
    "vmap of jacfwd": lambda t: t.func.vmap(t.func.jacfwd(lambda x: x.sin() * x.sum()))(t.tensor(M)),
    "vmap of hessian": lambda t: t.func.vmap(t.func.hessian(lambda x: scalar(t, x)))(t.tensor(M)),
    "vmap of vmap": lambda t: t.func.vmap(t.func.vmap(lambda x, y: x * y + x.sum(), in_dims=(None, 0)),
                                          in_dims=(0, None))(t.tensor(M), t.tensor(M + 1)),
    "vmap of vmap of grad":
        lambda t: t.func.vmap(t.func.vmap(t.func.grad(lambda x, y: scalar(t, x * y)), in_dims=(None, 0)),
                              in_dims=(0, None))(
        t.tensor(M), t.tensor(M + 1)),
    "vmap in three": lambda t: t.func.vmap(t.func.vmap(t.func.vmap(lambda a, b: a * b, (0, None)), (None, 0)),
                                           (0, 1))(t.tensor(M), t.tensor(M.T * 2)),
    "grad of vmap":
        lambda t: t.func.grad(lambda x: t.func.vmap(lambda m: scalar(t, m * x))(t.tensor(M)).sum())(vector(t)),
    "grad of vmap of grad":
        lambda t: t.func.grad(lambda x: t.func.vmap(t.func.grad(lambda m: scalar(t, m * x)))(t.tensor(M)).sin().sum())(
            vector(t)),
    "jvp of vmap": lambda t: t.func.jvp(lambda x: t.func.vmap(lambda m: scalar(t, m * x))(t.tensor(M)), (vector(t),),
                                        (vector(t, Y),)),
    "jvp of vmap of jvp":
        lambda t: t.func.jvp(lambda x: t.func.vmap(lambda m: t.func.jvp(lambda m: scalar(t, m * x), (m,), (x,))[1])(
            t.tensor(M)),
                                               (vector(t),), (vector(t, Y),)),
    "jacrev of vmap": lambda t: t.func.jacrev(t.func.vmap(lambda x: x.sin() * x.sum()))(t.tensor(M)),
    "jacfwd of vmap of grad": lambda t: t.func.jacfwd(t.func.vmap(t.func.grad(lambda x: scalar(t, x))))(t.tensor(M)),
    "vmap of linearize":
        lambda t: t.func.vmap(lambda x, v: (lambda y, push: push(v))(*t.func.vjp(lambda x: x.sin() * x.sum(), x)))(
            t.tensor(M), t.tensor(M + 1)),
    "no perturbation confusion":
        lambda t: t.func.grad(lambda x: x * t.func.grad(lambda y: x + y)(t.tensor(1.)))(t.tensor(3.)),
    "nor in forward mode":
        lambda t: t.func.jvp(lambda x: x * t.func.jvp(lambda y: x * y, (t.tensor(1.),), (t.tensor(1.),))[1],
                             (t.tensor(3.),), (t.tensor(1.),)),
    "nor in mixed modes":
        lambda t: t.func.grad(lambda x: x * t.func.jvp(lambda y: x * y, (x,), (t.tensor(1.),))[1])(t.tensor(3.)),
    "the outer variable in the inner function":
        lambda t: t.func.grad(lambda x: (t.func.grad(lambda y: (x * y * y).sum())(x) * x).sum())(vector(t)),
    "no_grad inside": lambda t: t.func.grad(lambda x: no_grad_inside(t, x))(vector(t)),
    "no_grad inside the inner one":
        lambda t: t.func.grad(lambda x: t.func.grad(lambda y: no_grad_inside(t, y))(x).sum())(vector(t)),
    "no_grad outside": lambda t: no_grad_outside(t),
    "detach": lambda t: t.func.grad(lambda x: (x.detach() * x).sum())(vector(t)),
    "detach, twice": lambda t: t.func.grad(t.func.grad(lambda x: x.detach() * x * x))(t.tensor(3.)),
    "detach, forward": lambda t: t.func.jvp(lambda x: x.detach() * x, (vector(t),), (vector(t, Y),)),
    "detach, under vmap": lambda t: t.func.vmap(t.func.grad(lambda x: (x.detach() * x).sum()))(t.tensor(M)),
    "detach, alone": lambda t: t.func.jvp(lambda x: x.detach(), (vector(t),), (vector(t, Y),)),
    "autograd.grad inside":
        lambda t: t.func.grad(lambda x: t.autograd.grad((x * x * x).sum(), x, create_graph=True)[0].sum())(vector(t)),
    "if inside grad": lambda t: t.func.grad(lambda x: x.sum() if x.sum() > 0 else -x.sum())(vector(t)),
    "item inside jvp": lambda t: t.func.jvp(lambda x: x * x.sum().item(), (vector(t),), (vector(t, Y),)),
    "complex": lambda t: t.func.grad(lambda x: (x * x.conj()).real.sum())(t.tensor(X + 1j * Y)),
}


def no_grad_inside(t, x):
    with t.no_grad():
        c = x * x
    return (x * c).sum()


def no_grad_outside(t):
    with t.no_grad():
        return t.func.grad(lambda x: (x * x).sum())(vector(t)), t.func.jvp(lambda x: x * x, (vector(t),),
                                                                           (vector(t, Y),))


def error_of(library, attempt):
    try:
        attempt(library)
    except Exception as e:
        return e
    return None
