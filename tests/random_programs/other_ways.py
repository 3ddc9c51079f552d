"""Libraries in which one thing is done in another way: what a program computes must stay the same.

* ``with_loops``: ``vmap`` calls the function for one example after the other;
* ``with_modes_exchanged``: whatever is differentiated in reverse mode is so in forward mode, and the other way round;
* ``with_differences``: the outermost derivative is a quotient of differences;
* ``with_moved_arguments``: the outermost derivative is taken nearby;
* ``with_moved_duals``: a dual tensor is one that has moved along its tangent, and is unpacked as it is, twice.

Each takes a library, and returns one that has everything else from it.
"""

__all__ = ["with_differences", "with_loops", "with_modes_exchanged", "with_moved_arguments", "with_moved_duals"]

STEP = 1e-5


class Changed:
    """A library with other functions under some of its names; the dots of a name lead into its modules."""

    def __init__(self, library, functions):
        inner = {}
        for name, function in functions.items():
            head, _, rest = name.partition(".")
            if rest:
                inner.setdefault(head, {})[rest] = function
            else:
                setattr(self, name, function)
        for head, rest in inner.items():
            setattr(self, head, Changed(getattr(library, head), rest))
        self._library = library

    def __getattr__(self, name):
        return getattr(self._library, name)


def tree_of(torch):
    return torch.utils._pytree


# ------------------------------------------------------------------------------ loops


def with_loops(torch):
    def vmap(f, in_dims=0, out_dims=0, randomness="error", chunk_size=None):
        def looped(*args):
            dims = in_dims if isinstance(in_dims, tuple) else (in_dims,) * len(args)
            size = next(a.shape[d] for a, d in zip(args, dims) if d is not None)
            results = [f(*[a if d is None else a.select(d, i) for a, d in zip(args, dims)]) for i in range(size)]
            leaves, spec = zip(*[tree_of(torch).tree_flatten(result) for result in results])
            return tree_of(torch).tree_unflatten([torch.stack(same, out_dims) for same in zip(*leaves)], spec[0])
        return looped

    return Changed(torch, {"vmap": vmap, "func.vmap": vmap})


# ------------------------------------------------------------------------------ the other mode


def with_modes_exchanged(torch):
    func, tree = torch.func, tree_of(torch)

    def vjp(f, *primals):
        def pull(cotangents):
            columns = func.jacfwd(f, argnums=tuple(range(len(primals))))(*primals)
            flat = tree.tree_leaves(cotangents)
            # The tree of outputs, and in it for each primal a Jacobian.
            jacobians = tree.tree_leaves(columns)
            n = len(primals)
            return tuple([sum([torch.tensordot(c, jacobians[i * n + k], c.ndim) for i, c in enumerate(flat)])
                          for k in range(n)])
        return f(*primals), pull

    def jvp(f, primals, tangents):
        y, pull = func.vjp(f, *primals)
        zeros = tree.tree_map(torch.zeros_like, y)
        _, transposed = func.vjp(pull, zeros)
        return y, transposed(tuple(tangents))[0]

    def grad_and_value(f, argnums=0):
        def both(*args):
            return func.jacfwd(f, argnums)(*args), f(*args)
        return both

    return Changed(torch, {
        "func.grad": lambda f, argnums=0: func.jacfwd(f, argnums),
        "func.grad_and_value": grad_and_value,
        "func.jacrev": lambda f, argnums=0: func.jacfwd(f, argnums),
        "func.jacfwd": lambda f, argnums=0: func.jacrev(f, argnums),
        "func.hessian": lambda f, argnums=0: func.jacrev(func.jacfwd(f, argnums), argnums),
        "func.vjp": vjp,
        "func.jvp": jvp,
        "func.linearize": lambda f, *primals: (f(*primals), lambda *tangents: jvp(f, primals, tangents)[1]),
        "utils.checkpoint.checkpoint": lambda f, *args, use_reentrant: f(*args),
    })


# ------------------------------------------------------------------------------ differences


def with_differences(torch, ahead=STEP, behind=STEP):
    func, tree = torch.func, tree_of(torch)
    active = []

    def evaluated(f, args):
        active.append(True)
        try:
            return f(*args)
        finally:
            active.pop()

    def difference(f, args, moves):
        """How ``f`` changes as its arguments move like this."""
        plus = evaluated(f, [a if m is None else a + ahead * m for a, m in zip(args, moves)])
        minus = evaluated(f, [a if m is None else a - behind * m for a, m in zip(args, moves)])
        flat, spec = tree.tree_flatten(plus)
        return tree.tree_unflatten([(p - m) / (ahead + behind) for p, m in zip(flat, tree.tree_leaves(minus))], spec)

    def columns(f, args, k):
        """The Jacobian with respect to the argument of this place."""
        x, found = args[k], []
        for i in range(x.numel()):
            unit = torch.zeros(x.numel(), dtype=x.dtype)
            unit[i] = 1
            found.append(difference(f, args, [unit.reshape(x.shape) if j == k else None for j in range(len(args))]))
        spec = tree.tree_flatten(found[0])[1]
        stacked = [torch.stack(same, -1) for same in zip(*[tree.tree_leaves(one) for one in found])]
        return tree.tree_unflatten([s.reshape((*s.shape[:-1], *x.shape)) for s in stacked], spec)

    def jacobian(f, argnums=0):
        def computed(*args):
            if active:
                return func.jacrev(f, argnums)(*args)
            if isinstance(argnums, int):
                return columns(f, args, argnums % len(args))
            several = [columns(f, args, k % len(args)) for k in argnums]
            spec = tree.tree_flatten(evaluated(f, args))[1]
            each = list(zip(*[tree.tree_leaves(one) for one in several]))
            return tree.tree_unflatten(each, spec)
        return computed

    def grad_and_value(f, argnums=0):
        def both(*args):
            return func.grad_and_value(f, argnums)(*args) if active else (jacobian(f, argnums)(*args), f(*args))
        return both

    def hessian(f, argnums=0):
        def computed(*args):
            return func.hessian(f, argnums)(*args) if active else jacobian(func.jacrev(f, argnums), argnums)(*args)
        return computed

    def jvp(f, primals, tangents):
        if active:
            return func.jvp(f, primals, tangents)
        return evaluated(f, primals), difference(f, primals, tangents)

    def vjp(f, *primals):
        if active:
            return func.vjp(f, *primals)

        def pull(cotangents):
            flat, found = tree.tree_leaves(cotangents), []
            for k in range(len(primals)):
                jacobians = tree.tree_leaves(columns(f, primals, k))
                found.append(sum([torch.tensordot(c, j, c.ndim) for c, j in zip(flat, jacobians)]))
            return tuple(found)
        return evaluated(f, primals), pull

    return Changed(torch, {
        "func.grad": jacobian, "func.jacrev": jacobian, "func.jacfwd": jacobian, "func.hessian": hessian,
        "func.grad_and_value": grad_and_value, "func.jvp": jvp, "func.vjp": vjp,
        "func.linearize": lambda f, *primals: (evaluated(f, primals), lambda *t: jvp(f, primals, t)[1]),
    })


# ------------------------------------------------------------------------------ nearby


def with_moved_arguments(torch, step):
    func, active = torch.func, []

    def nearby(computed, args):
        if active:
            return computed(*args)
        active.append(True)
        try:
            return computed(*[a + step if a.is_floating_point() or a.is_complex() else a for a in args])
        finally:
            active.pop()

    def transform(name):
        return lambda f, *options: lambda *args: nearby(getattr(func, name)(f, *options), args)

    return Changed(torch, {
        **{f"func.{name}": transform(name) for name in ("grad", "grad_and_value", "hessian", "jacfwd", "jacrev")},
        "func.jvp": lambda f, primals, tangents: nearby(lambda *args: func.jvp(f, args, tangents), primals),
        "func.vjp": lambda f, *primals: nearby(lambda *args: func.vjp(f, *args), primals),
        "func.linearize": lambda f, *primals: nearby(lambda *args: func.linearize(f, *args), primals)})


# ------------------------------------------------------------------------------ dual levels


def with_moved_duals(torch, step):
    return Changed(torch, {"autograd.forward_ad.make_dual": lambda tensor, tangent: tensor + step * tangent,
                           "autograd.forward_ad.unpack_dual": lambda tensor: (tensor, tensor)})
