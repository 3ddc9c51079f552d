"""Writes to what a formula needs are noticed at every level, whoever made the tensor; and copies that a transformed
function makes of captured tensors may be written to.  With minigrad and, where it is installed, with PyTorch."""

import pytest

from tests.checking import refuses

C, X = [[1., 2.], [3., 4.]], [.5, .6]


def tensors(torch):
    return torch.tensor(C, dtype=torch.float64), torch.tensor(X, dtype=torch.float64)


# ------------------------------------------------------------------------------ writes to captured tensors

def to_itself(c, x):
    y = c * 2
    z = y * x
    y.mul_(5)
    return z.sum()


def to_a_view(c, x):
    y = c * 2
    v = y[0]
    z = y * x
    v.mul_(5)
    return z.sum()


def to_its_base(c, x):
    y = c * 2
    v = y[:1]
    z = v * x
    y.mul_(5)
    return z.sum()


def to_what_is_detached(c, x):
    y = c * 2
    z = y * x
    y.detach().mul_(5)
    return z.sum()


def to_an_element(c, x):
    y = c * 2
    z = y * x
    y[0] = 7.
    return z.sum()


NESTS = {
    "vmap of grad": lambda f, g, c, x: f.vmap(lambda c: f.grad(lambda x: g(c, x))(x))(c),
    "jvp of grad": lambda f, g, c, x: f.jvp(lambda c: f.grad(lambda x: g(c, x))(x), (c[0],), (c[0],)),
    "grad of grad": lambda f, g, c, x: f.grad(lambda c: f.grad(lambda x: g(c, x))(x).sum())(c[0]),
    "grad": lambda f, g, c, x: f.grad(lambda x: g(c[0], x))(x),
    "vmap of vjp": lambda f, g, c, x: f.vmap(lambda c: f.vjp(lambda x: g(c, x), x)[1](x[0]))(c),
    "vmap of vmap of grad": lambda f, g, c, x: f.vmap(f.vmap(lambda c: f.grad(lambda x: g(c, x))(x)))(c[None]),
    "vjp of vmap": lambda f, g, c, x: f.vjp(lambda x: f.vmap(lambda c: g(c, x))(c).sum(), x)[1](x[0]),
}


@pytest.mark.parametrize("nest", NESTS.values(), ids=NESTS)
@pytest.mark.parametrize("write", [to_itself, to_a_view, to_its_base, to_what_is_detached, to_an_element])
def test_a_write_to_what_the_gradient_needs_is_noticed(torch, write, nest):
    with refuses(RuntimeError, "modified by an inplace operation", "MG101"):
        nest(torch.func, write, *tensors(torch))


@pytest.mark.parametrize("nest", [NESTS["vmap of grad"], NESTS["jvp of grad"], NESTS["grad of grad"], NESTS["grad"]])
def test_a_write_to_what_it_does_not_need_does_no_harm(torch, nest):
    def harmless(c, x):
        y = c * 2
        z = y + x * x
        y.mul_(5)
        return z.sum()

    def without(c, x):
        return (c * 2 + x * x).sum()

    agree(*[nest(torch.func, g, *tensors(torch)) for g in (harmless, without)])


def test_a_write_to_an_argument_under_its_other_name_is_noticed():
    """PyTorch allows no such write at all."""
    import minigrad as torch

    def squares(x, write):
        z = x * x
        write.mul_(5)
        return z.sum()

    for grad in (torch.func.grad, lambda f: lambda x: torch.func.vjp(f, x)[1](torch.ones(()).double())):
        y = torch.tensor(X, dtype=torch.float64)
        with refuses(RuntimeError, "modified by an inplace operation", "MG101"):
            grad(lambda x: squares(x, y))(y)
    y = torch.tensor(X, dtype=torch.float64)
    _, pull = torch.func.vjp(lambda x: x * x, y)
    y.mul_(5)
    with refuses(RuntimeError, "modified by an inplace operation", "MG101"):        # PyTorch: the gradient at 5y
        pull(torch.ones_like(y))


def test_a_write_counts_once_at_every_level(torch):
    def counted(x):
        y = x.clone()
        seen.append(y._version)
        y.mul_(2)
        y[0] = 1.
        y[1].add_(1)
        seen.append(y._version)
        return y.sum()

    x = torch.tensor(X, dtype=torch.float64)
    for call in (lambda: torch.func.grad(counted)(x), lambda: torch.func.jvp(counted, (x,), (x,)),
                 lambda: torch.func.vmap(torch.func.grad(counted))(x[None]),
                 lambda: torch.func.grad(lambda x: torch.func.grad(counted)(x).sum())(x)):
        seen = []
        call()
        assert seen == [0, 3]


# ------------------------------------------------------------------------------ copies of captured tensors

def copied(c, x):
    return c.clone().copy_(x)


def element(c, x):
    y = c.clone()
    y[0] = x[1] * c[0]
    return y


def twice(c, x):
    y = c * 2
    y.mul_(x)
    y.add_(c)
    return y


def new(c, x):
    return c.new_zeros(2).add_(x * c)


def of_several(c, x):
    y = c.new_ones((2,)).cumsum(0) * c
    y.sub_(x ** 2)
    return y * x


COPIES = {"copied": (copied, lambda t, c, x: c * 0 + x),
          "element": (element, lambda t, c, x: t.stack([x[1] * c[0], c[1]])),
          "twice": (twice, lambda t, c, x: c * 2 * x + c), "new": (new, lambda t, c, x: x * c),
          "of several": (of_several, lambda t, c, x: (c * t.tensor([1., 2.], dtype=t.float64) - x ** 2) * x)}
LOSSES = {
    "grad": lambda f, g, c, x: f.grad(lambda x: (g(c[0], x) ** 2).sum())(x),
    "jvp": lambda f, g, c, x: f.jvp(lambda x: g(c[0], x), (x,), (x + 1,)),
    "jacrev": lambda f, g, c, x: f.jacrev(lambda x: g(c[0], x))(x),
    "jacfwd": lambda f, g, c, x: f.jacfwd(lambda x: g(c[0], x))(x),
    "hessian": lambda f, g, c, x: f.hessian(lambda x: (g(c[0], x) ** 3).sum())(x),
    "vmap of grad": lambda f, g, c, x: f.vmap(lambda c: f.grad(lambda x: (g(c, x) ** 2).sum())(x))(c),
    "vmap of jvp": lambda f, g, c, x: f.vmap(lambda c: f.jvp(lambda x: g(c, x), (x,), (x + 1,)))(c),
    "vmap of jacrev": lambda f, g, c, x: f.vmap(lambda c: f.jacrev(lambda x: g(c, x))(x))(c),
    "grad of grad": lambda f, g, c, x: f.grad(lambda c: f.grad(lambda x: (g(c, x) ** 3).sum())(x).sum())(c[0]),
    "jvp of grad": lambda f, g, c, x: f.jvp(lambda c: f.grad(lambda x: (g(c, x) ** 3).sum())(x), (c[0],), (x,)),
    "grad of jvp": lambda f, g, c, x: f.grad(lambda c: f.jvp(lambda x: (g(c, x) ** 3).sum(), (x,), (x,))[1])(c[0]),
    "jvp of jvp": lambda f, g, c, x: f.jvp(lambda c: f.jvp(lambda x: g(c, x) ** 3, (x,), (x,))[1], (c[0],), (x,)),
    "vmap of grad of grad": lambda f, g, c, x: f.vmap(lambda c: f.grad(
        lambda c: f.grad(lambda x: (g(c, x) ** 3).sum())(x).sum())(c))(c),
    "autograd outside": lambda f, g, c, x: with_history(
        c.requires_grad_(), f.grad(lambda x: (g(c[0], x) ** 3).sum())(x)),
}


def with_history(c, found):
    found.sum().backward()
    return c.grad


# ------------------------------------------------------------------------------ and through a view

def to_one(c, x):
    y = c.clone()
    y[0] += x[0] * x[1]
    return y


def to_some(c, x):
    y = c * x.new_ones(())
    y[1:] *= x[:1]
    y[:1] -= x[1:]
    return y


def to_a_row(c, x):
    y = c.new_zeros(2, 2)
    y[1].copy_(x * c)
    return y @ x


def to_a_column(c, x):
    y = c.new_ones(2, 3) * c.unsqueeze(1)
    y.t()[1].mul_(x)
    return y.sum(1)


def in_turn(c, x):
    y = c.new_zeros(2)
    for i in range(2):
        y[i] += x[1 - i] * c[i]
    return y


VIEWS = {"one": (to_one, lambda t, c, x: t.stack([c[0] + x[0] * x[1], c[1]])),
         "some": (to_some, lambda t, c, x: t.stack([c[0] - x[1], c[1] * x[0]])),
         "a row": (to_a_row, lambda t, c, x: t.stack([c[0] * 0, (x * c) @ x])),
         "a column": (to_a_column, lambda t, c, x: c * 2 + c * x),
         "in turn": (in_turn, lambda t, c, x: x.flip(0) * c)}


@pytest.mark.parametrize("nest", LOSSES)
@pytest.mark.parametrize("written, plain", VIEWS.values(), ids=VIEWS)
def test_a_view_of_it_may_be_written_to(torch, written, plain, nest):
    test_a_copy_made_inside_may_be_written_to(torch, written, plain, LOSSES[nest])


@pytest.mark.parametrize("nest", LOSSES)
def test_an_element_that_is_added_to_keeps_what_it_had(torch, nest):
    """The view that `y[0] += ...` makes has no history when it is made, and one when it is written back."""
    def added(c, x):
        y = torch.zeros_like(x * c)
        y[0] += x[1] * c[0]
        y[1] += y[0].clone() * x[0]
        y[0] *= 2
        return y

    test_a_copy_made_inside_may_be_written_to(
        torch, added, lambda t, c, x: t.stack([2 * x[1] * c[0], x[1] * c[0] * x[0]]), LOSSES[nest])


def agree(found, expected):
    found, expected = [each if isinstance(each, tuple) else (each,) for each in (found, expected)]
    for one, other in zip(found, expected, strict=True):
        assert one.detach().numpy() == pytest.approx(other.detach().numpy(), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("nest", LOSSES.values(), ids=LOSSES)
@pytest.mark.parametrize("written, plain", COPIES.values(), ids=COPIES)
def test_a_copy_made_inside_may_be_written_to(torch, written, plain, nest):
    agree(nest(torch.func, written, *tensors(torch)),
          nest(torch.func, lambda c, x: plain(torch, c, x), *tensors(torch)))


@pytest.mark.parametrize("seen", [lambda y: y[0], lambda y: y.detach(), lambda y: y.view(2), lambda y: y.exp()],
                         ids=["view", "detach", "whole view", "saved"])
@pytest.mark.parametrize("nest", ["vmap of grad", "vmap of jvp", "jvp of grad", "grad", "jvp", "jvp of jvp"])
def test_not_if_another_tensor_is_known_to_have_its_memory(nest, seen):
    """Or the other would have the new numbers, and not their derivative."""
    import minigrad as torch

    def written(c, x):
        y = c * 1.
        kept.append(seen(y))
        y.mul_(x)
        return y + kept[-1].sum()

    kept = []
    try:
        found = LOSSES[nest](torch.func, written, *tensors(torch))
    except RuntimeError as e:
        assert e.code == "MG117"
        return
    agree(found, LOSSES[nest](torch.func, lambda c, x: c * x + seen(c * 1.).sum(), *tensors(torch)))


@pytest.mark.parametrize("make", [lambda c: c, lambda c: c[:], lambda c: c.detach(), lambda c: c.contiguous()],
                         ids=["captured", "view", "detached", "itself"])
@pytest.mark.parametrize("nest", ["vmap of grad", "vmap of jvp", "jvp of grad", "grad", "jvp", "jvp of jvp"])
def test_what_is_captured_may_not(nest, make):
    import minigrad as torch
    with refuses(RuntimeError, "would mutate a captured Tensor", "MG117"):
        LOSSES[nest](torch.func, lambda c, x: make(c).mul_(x), *tensors(torch))


@pytest.mark.parametrize("relay", [lambda y: y.t_(), lambda y: y.unsqueeze_(0), lambda y: y.as_strided_((1, 2), (2, 1)),
                                   lambda y: y.as_strided_((2,), (2,))], ids=["t_", "unsqueeze_", "fewer", "gaps"])
@pytest.mark.parametrize("seen", [lambda y: y[1], lambda y: y.as_strided((2,), (2,), 1), lambda y: y[:, 1]],
                         ids=["row", "as_strided", "column"])
@pytest.mark.parametrize("nest", ["grad", "jvp", "jacrev", "vmap of jvp"])
def test_a_view_whose_base_has_another_layout_is_right_or_refused(nest, seen, relay):
    import minigrad as torch

    def written(c, x):
        y = torch.ones(2, 2, dtype=torch.float64)
        v = seen(y)
        with torch.no_grad():
            relay(y)
        v.mul_(x)
        return v * x

    try:
        found = LOSSES[nest](torch.func, written, *tensors(torch))
    except RuntimeError as e:
        assert e.code == "MG117"
        return
    agree(found, LOSSES[nest](torch.func, lambda c, x: x * x, *tensors(torch)))


def test_what_a_formula_outside_has_saved_may_be_detached_in_place(torch):
    """The tape of `grad` has saved exp(z); that reads no tangent of the level inside."""
    def inner(z):
        y = z.exp()
        y.detach_()
        return (y * z).sum()

    x = torch.tensor(X, dtype=torch.float64)
    agree(torch.func.grad(lambda x: torch.func.jvp(inner, (x,), (x,))[1])(x), (x.exp() * x + x.exp()))


# ------------------------------------------------------------------------------ what is not lifted

def with_a_hook(torch, c, x):
    y = c.requires_grad_().clone()
    y.register_hook(lambda g: None)
    return y.mul_(x)


def a_leaf(torch, c, x):
    return torch.ones(2, 2, dtype=torch.float64, requires_grad=True).mul_(x)


def a_view_of_what_has_gone(torch, c, x):
    y = c.clone()
    v = y[1]
    y.data = torch.ones(1, 2, dtype=torch.float64)
    return v.mul_(x)


@pytest.mark.parametrize("written", [with_a_hook, a_leaf, a_view_of_what_has_gone])
@pytest.mark.parametrize("nest", ["grad", "jvp", "vmap of jvp"])
def test_what_is_known_elsewhere_takes_no_values_of_a_transform(torch, nest, written):
    with pytest.raises(RuntimeError):
        LOSSES[nest](torch.func, lambda c, x: written(torch, c, x), *tensors(torch))


def test_data_inside_a_transform_has_no_history(torch):
    def written(x):
        y = x * 2
        y.data.mul_(3)
        return y * x

    x = torch.tensor(X, dtype=torch.float64)
    agree(torch.func.grad(lambda x: (x * x.data).sum())(x), x)
    agree(torch.vmap(torch.func.grad(lambda x: x * x.data))(x), x)
    agree(torch.func.jvp(lambda x: x * x.data, (x,), (x,))[1], x * x)
    agree(torch.func.grad(lambda x: written(x).sum())(x), 8 * x)
