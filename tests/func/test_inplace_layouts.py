"""Another layout in place, inside transforms, as by ``y.t_()``; against PyTorch and against differences."""

import numpy as np
import pytest

import minigrad as torch
from minigrad.func import grad, jacrev, jvp, vmap
from tests.checking import refuses

X = np.array([.5, 1., 2.])

CHANGES = {
    "t_": ((2, 3), ()), "transpose_": ((2, 1, 3), (0, -1)), "swapaxes_": ((2, 1, 3), (0, 1)),
    "swapdims_": ((2, 3), (1, 0)), "unsqueeze_": ((2, 3), (1,)), "squeeze_": ((2, 1, 3), ()),
    "squeeze_ of a dim": ((2, 1, 3), (1,)), "squeeze_ of dims": ((2, 1, 3), ((0, 1),)),
}


def total(t, *tensors):
    """A number that depends on each element in another way."""
    return sum([(y * y * t.arange(1., 1 + y.numel(), dtype=t.float64).view(y.shape)).sum() for y in tensors])


def result(t, x, shape, change):
    y = t.stack([x, x * x]).view(shape) * 1
    return total(t, change(y), y)


def written_to(t, x, shape, change):
    y = t.stack([x, x * x]).view(shape) * 1
    change(y).mul_(x[0])
    y[0] *= x[1]
    change(y.sin_())
    return total(t, y)


def several_changes(t, x, shape, change):
    y = t.stack([x, x * x]).view(shape) * 1
    v = change(y).unsqueeze_(0).transpose_(0, 1)[:1]
    y.unsqueeze_(-1).mul_(x[1])
    return total(t, y, v)


def view(t, x, shape, change):
    y = t.stack([x, x * x]).view(shape) * 1
    v = y[..., 1:]
    return total(t, change(v), y)


def view_written_to(t, x, shape, change):
    y = t.stack([x, x * x]).view(shape) * 1
    v, u = y[..., 1:], y[1]
    change(v).mul_(x[0] + 1)
    y.mul_(x[2])
    return total(t, v, u, y)


def base_of_views(t, x, shape, change):
    y = t.stack([x, x * x]).view(shape) * 1
    v = y[..., 1:]
    change(y)
    return total(t, v, y)


def base_of_views_written_to(t, x, shape, change):
    y = t.stack([x, x * x]).view(shape) * 1
    v = y[..., 1:]
    u = change(y)[1:]
    y.mul_(x[0])
    v.mul_(x[1])
    u.mul_(x[2])
    return total(t, v, u, y)


def made_inside(t, x, shape, change):
    y = x.new_zeros(shape)
    change(y).add_(x[0])
    y[..., 0] = x[1]
    return total(t, y)


def integers(t, x, shape, change):
    y = change(t.arange(6).view(shape) + 0)
    return total(t, y * x[0])


PROGRAMS = [result, written_to, several_changes, view, view_written_to, base_of_views, base_of_views_written_to,
            made_inside, integers]
programs = pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
changes = pytest.mark.parametrize("name", CHANGES)


def function(t, program, name, changed=None):
    """A function of three numbers, which makes a tensor and changes its layout."""
    shape, arguments = CHANGES[name]
    method = name.split()[0]
    return lambda x: program(t, x, shape, changed or (lambda y: getattr(y, method)(*arguments)))


def derivatives(t, f):
    x, v = t.tensor(X), t.tensor(X * X)
    rows = t.stack([x, v])
    yield "grad", lambda: t.func.grad(f)(x)
    yield "vjp", lambda: t.func.vjp(f, x)[1](t.tensor(2., dtype=t.float64))[0]
    yield "jvp", lambda: t.stack(list(t.func.jvp(f, (x,), (v,))))
    yield "jacfwd", lambda: t.func.jacfwd(f)(x)
    yield "jacrev", lambda: t.func.jacrev(f)(x)
    yield "linearize", lambda: t.func.linearize(f, x)[1](v)
    yield "functionalize", lambda: t.func.functionalize(f)(x)
    yield "vmap", lambda: t.func.vmap(f)(rows)
    yield "vmap of grad", lambda: t.func.vmap(t.func.grad(f))(rows)
    yield "vmap of jvp", lambda: t.func.vmap(lambda a, b: t.func.jvp(f, (a,), (b,))[1])(rows, rows + 1)
    yield "grad of vmap", lambda: t.func.grad(lambda rows: t.func.vmap(f)(rows).sum())(rows)
    yield "jvp of vmap", lambda: t.func.jvp(t.func.vmap(f), (rows,), (rows + 1,))[1]
    yield "hessian", lambda: t.func.hessian(f)(x)
    yield "grad of grad", lambda: t.func.grad(lambda x: t.func.grad(f)(x).sum())(x)
    yield "grad of jvp", lambda: t.func.grad(lambda x: t.func.jvp(f, (x,), (v,))[1])(x)


@pytest.mark.parity
@programs
@changes
@pytest.mark.filterwarnings("ignore")
def test_derivatives_are_pytorch_s(program, name):
    """But for its linearize after a write through a view, which contradicts its grad."""
    theirs = pytest.importorskip("torch")
    for (how, ours), (_, other) in zip(derivatives(torch, function(torch, program, name)),
                                       derivatives(theirs, function(theirs, program, name))):
        if how != "linearize" or program not in (view_written_to, base_of_views_written_to):
            np.testing.assert_allclose(ours().numpy(), other().detach().numpy(), rtol=1e-10, err_msg=how)


@programs
@changes
def test_derivatives_are_those_of_differences(program, name):
    f = function(torch, program, name)
    steps = np.eye(3) * 1e-6
    expected = [(f(torch.tensor(X + s)) - f(torch.tensor(X - s))).item() / 2e-6 for s in steps]
    np.testing.assert_allclose(grad(f)(torch.tensor(X)).numpy(), expected, rtol=1e-6)
    np.testing.assert_allclose([jvp(f, (torch.tensor(X),), (torch.tensor(e),))[1].item() for e in np.eye(3)],
                               expected, rtol=1e-6)


@programs
@changes
def test_transforms_agree(program, name):
    f = function(torch, program, name)
    found = {how: compute().numpy() for how, compute in derivatives(torch, f)}
    first, second = grad(f)(torch.tensor(X)).numpy(), grad(f)(torch.tensor(X * X)).numpy()
    for how in ("jacfwd", "jacrev"):
        np.testing.assert_allclose(found[how], first)
    for how in ("vmap of grad", "grad of vmap"):
        np.testing.assert_allclose(found[how], [first, second])
    np.testing.assert_allclose(found["vjp"], 2 * first)
    np.testing.assert_allclose(found["vmap"], [f(torch.tensor(X)).item(), f(torch.tensor(X * X)).item()])
    np.testing.assert_allclose(found["functionalize"], f(torch.tensor(X)).item())
    np.testing.assert_allclose(found["linearize"], first @ (X * X))
    np.testing.assert_allclose(found["jvp"][1], first @ (X * X))
    for how in ("vmap of jvp", "jvp of vmap"):
        np.testing.assert_allclose(found[how], [first @ (X + 1), second @ (X * X + 1)])
    steps = np.eye(3) * 1e-6
    differences = [(grad(f)(torch.tensor(X + s)) - grad(f)(torch.tensor(X - s))).numpy() / 2e-6 for s in steps]
    np.testing.assert_allclose(found["hessian"], differences, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(found["grad of grad"], found["hessian"].sum(0))
    np.testing.assert_allclose(found["grad of jvp"], found["hessian"] @ (X * X))


# ------------------------------------------------------------------------------ the object

@changes
@pytest.mark.parametrize("transform", [
    vmap, lambda f: lambda x: jvp(f, (x,), (x,))[0], lambda f: lambda x: torch.func.vjp(f, x)[0]],
    ids=["vmap", "jvp", "vjp"])
def test_the_object_stays_and_has_the_layout(transform, name):
    shape, arguments = CHANGES[name]
    method = name.split()[0]
    expected = getattr(torch.zeros(shape), method)(*arguments).shape

    def f(x):
        y = (x[0] if transform is vmap else x) * 1
        version = y._version
        assert getattr(y, method)(*arguments) is y and y.shape == expected and not y._is_view()
        assert y._version == version + 1
        return y

    rows = (2, 1) if transform is vmap else ()
    assert transform(f)(torch.ones(rows + shape)).shape == rows[:1] + expected


def test_an_argument_s_tensor_outside_keeps_its_layout():
    for transform in (vmap, lambda f: vmap(f, in_dims=2), lambda f: lambda x: jvp(f, (x,), (x,))):
        x = torch.ones(3, 1, 2)
        transform(lambda t: t.squeeze_().unsqueeze_(0).mul_(2))(x)
        assert x.shape == (3, 1, 2) and x.tolist() == torch.full((3, 1, 2), 2.).tolist()


def test_a_tensor_of_an_outer_transform():
    """As in PyTorch where the inner one is vmap; the others refuse captured tensors there."""
    ones = torch.ones(2, 3)
    inner = {"vmap": lambda c: vmap(lambda t: (t * c.squeeze_()).sum())(ones).sum(),
             "grad": lambda c: grad(lambda t: (t * c.squeeze_()).sum())(ones[0]).sum(),
             "jvp": lambda c: jvp(lambda t: (t * c.squeeze_()).sum(), (ones[0],), (ones[1],))[1]}
    for f, factor in zip(inner.values(), (2, 1, 1)):
        assert grad(lambda x: f(x.square()))(torch.tensor([[1., 2., 3.]])).tolist() == [[2 * factor, 4 * factor,
                                                                                        6 * factor]]
        assert vmap(lambda x: f(x * 1))(torch.ones(2, 1, 3)).tolist() == [3 * factor] * 2


# ------------------------------------------------------------------------------ no_grad, and what is refused

@changes
def test_the_layout_is_recorded_under_no_grad_too(name):
    """PyTorch raises an error about shapes for the first of these."""
    def silently(f):
        def changed(y):
            with torch.no_grad():
                return getattr(y, method)(*arguments)
        return function(torch, f, name, changed)

    _, arguments = CHANGES[name]
    method = name.split()[0]
    for program in (result, view, base_of_views, view_written_to):
        expected = dict(derivatives(torch, function(torch, program, name)))
        for how, compute in derivatives(torch, silently(program)):
            np.testing.assert_allclose(compute().numpy(), expected[how]().numpy(), err_msg=how)


def test_a_parameter_mapped_over_keeps_its_gradient_under_no_grad():
    w = torch.ones(3, 1, 2, requires_grad=True)

    def f(t):
        with torch.no_grad():
            t.squeeze_(0)
        return t * 2

    vmap(f)(w).sum().backward()
    assert w.grad.tolist() == torch.full((3, 1, 2), 2.).tolist()


@pytest.mark.parametrize("change, words", [
    (lambda x: x.unsqueeze_(0), "a leaf Variable that requires grad is being used in an in-place operation"),
    (lambda x: x[1:].unsqueeze_(0), "a view of a leaf Variable that requires grad is being used in an in-place"),
    (lambda x: x.clone().unbind()[0].unsqueeze_(0), "This view is the output of a function that returns multiple"),
    (lambda x: x.clone().resize_(2), "works on memory"), (lambda x: x.clone().set_(), "works on memory"),
    (lambda x: x.clone().as_strided_((2,), (1,)), "works on memory")])
def test_refused(change, words):
    for transform in (grad, jacrev):
        with pytest.raises(RuntimeError, match=words):
            transform(lambda x: change(x).sum())(torch.tensor(X))


def test_an_argument_cannot_get_another_layout_under_no_grad():
    def f(x):
        with torch.no_grad():
            x.unsqueeze_(0)
        return x.sum()

    with refuses(RuntimeError, "unsqueeze_ on an argument with respect to which", "MG117"):
        grad(f)(torch.tensor(X))


def test_a_saved_result_is_found_modified():
    def f(x):
        y = x.exp()
        y.unsqueeze_(0)
        return y.sum()

    for transform in (grad, lambda f: grad(lambda x: vmap(f)(x[None]).sum())):
        with refuses(RuntimeError, "modified by an inplace operation", "MG101"):
            transform(f)(torch.tensor(X))
