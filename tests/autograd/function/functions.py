"""Custom Functions, written in few words."""


def leaf(torch, *values):
    return torch.tensor(values or (1.0, 2.0, 3.0), dtype=torch.float64, requires_grad=True)


def function(torch, forward, backward=None, setup_context=None, name="F", **members):
    """A Function class of the given pieces."""
    members["forward"] = staticmethod(forward)
    if backward is not None:
        members["backward"] = staticmethod(backward)
    if setup_context is not None:
        members["setup_context"] = staticmethod(setup_context)
    return type(torch.autograd.Function)(name, (torch.autograd.Function,), members)


def gradient(torch, y, *inputs, **arguments):
    return torch.autograd.grad(y.sum(), inputs, **arguments)


def doubling(torch):
    return function(torch, lambda ctx, x: x * 2, lambda ctx, d: d * 2)
