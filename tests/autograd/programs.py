"""Small programs and their parts, which the tests of several subjects use."""


def leaf(torch, *values, **keywords):
    return torch.tensor(list(values), requires_grad=True, **keywords)


def failing(torch, error=KeyError):
    class Fail(torch.autograd.Function):
        broken = True

        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            if Fail.broken:
                raise error("boom")
            return g * 2

    return Fail


def noting(seen, name, result=None):
    """A hook that notes that it ran."""
    def hook(*arguments):
        seen.append(name)
        return result
    return hook


def same(x):
    return x


def detached(t):
    return t.detach()


def hooks(torch, pack=detached, unpack=same):
    return torch.autograd.graph.saved_tensors_hooks(pack, unpack)


LEAF_WRITES = ["add_", "sub_", "mul_", "div_", "copy_", "fill_", "zero_", "+=", "**="]


def write(torch, t, name, argument=2.):
    if name == "copy_":
        return t.copy_(torch.full(tuple(t.shape), argument))
    if name == "zero_":
        return t.zero_()
    if name == "+=":
        t += argument
        return t
    if name == "**=":
        t **= argument
        return t
    return getattr(t, name)(argument)


def unchanged(t):
    return t.tolist(), t._version, t.requires_grad, t.grad_fn, t.dtype, t.shape


class Alarm(Exception):
    pass
