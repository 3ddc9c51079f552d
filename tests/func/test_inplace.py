"""Writes in place inside transforms: the numbers, the derivatives, the views; against PyTorch and against the same
function without a write."""

import numpy as np
import pytest

import minigrad as torch
from minigrad.func import grad, jacrev, jvp, vmap
from tests.checking import refuses

X = np.array([1., 2., 3.])


def whole(t, x):
    y = x.clone()
    y.mul_(x)
    return (y * y).sum()


def chained(t, x):
    y = x * 2
    y.add_(x).sin_().sub_(1).pow_(2)
    return (y * x).sum()


def row_of(t, x):
    y = x.clone()
    w = y[0]
    w.mul_(x[1])
    return (y * y).sum() + w


def assigned(t, x):
    y = x.clone()
    y[1:] = x[:2] * x[2]
    y[0] = 4.
    return (y * y * x).sum()


def filled(t, x):
    y = t.zeros_like(x)
    for i in range(3):
        y[i] = x[i] * x[(i + 1) % 3]
    z = x.new_zeros(2, 3)
    z[0] = y
    z[1, 1:] = x[1:] ** 2
    z[:, 0] += 1
    return (z * z).sum()


def views_of_views(t, x):
    y = (x * 2).reshape(3, 1).expand(3, 2).clone()
    v = y.t()[0]
    z = y[1]
    v.mul_(x)
    z.add_(x[1] * x[0])
    return (y * y).sum() + v.sum() + z.prod()


def reshaped(t, x):
    y = x.clone().view(3, 1)
    y.squeeze(1)[1:].exp_()
    return (y.squeeze() * x).sum()


def diagonal(t, x):
    y = t.outer(x, x)
    y.diagonal().copy_(x)
    y.transpose(0, 1)[0].sin_()
    return (y * y).sum()


def at_positions(t, x):
    y = x.clone()
    y.index_put_((t.tensor([0, 2]),), x[:2])
    y.masked_fill_(t.tensor([False, True, False]), 3.)
    y.scatter_add_(0, t.tensor([1, 1]), x[1:])
    return (y * x).sum()


def overwritten(t, x):
    y = x * 3
    y.zero_()
    z = x * 3
    z.fill_(x[0])
    u = x * 3
    u.copy_(x * x)
    v = x * 3
    v.copy_(0.5)
    return ((y + 1) * x).sum() + (z * x).sum() + (u * x).sum() + (v * x).sum()


def of_a_constant(t, x):
    y = x.clone()
    y.mul_(t.tensor([1., 2., 3.], dtype=t.float64))
    return (y * x).sum()


def in_windows(t, x):
    """Windows that do not overlap, and an expanded tensor in which nothing is repeated."""
    y = x * 2
    y.unfold(0, 1, 2).mul_(x[:1])
    z = x * 1
    z.expand(1, 3).mul_(x)
    z[3:].mul_(x[3:])
    u = t.complex(x, x)
    t.view_as_real(u)[:, 0].mul_(x)
    return (y * x + z).sum() + (u.real * x).sum()


def another_dtype(t, x):
    y = x.float()
    y.mul_(x)
    return y.sum().double()


FUNCTIONS = [whole, chained, row_of, assigned, filled, views_of_views, reshaped, diagonal, at_positions, overwritten,
             of_a_constant, in_windows, another_dtype]


def saved_before(t, x):
    y = x.clone()
    a = y * x
    y.add_(x)
    return a.sum()


def saved_result(t, x):
    y = x.exp()
    y.zero_()
    return (y * x).sum()


def saved_through_a_view(t, x):
    y = x.clone()
    a = y[1:] * x[1:]
    y[2] = 0.
    return a.sum()


def derivatives(t, f):
    x, v = t.tensor(X), t.tensor(X * X)
    function = lambda x: f(t, x)
    yield "grad", t.func.grad(function)(x)
    yield "value", t.func.grad_and_value(function)(x)[1]
    yield from zip(("primal", "tangent"), t.func.jvp(function, (x,), (v,)))
    yield "vmap of grad", t.func.vmap(t.func.grad(function))(t.stack([x, v]))
    yield "vmap", t.func.vmap(function)(t.stack([x, v]))
    yield "vmap of jvp", t.func.vmap(lambda a, b: t.func.jvp(function, (a,), (b,))[1])(t.stack([x, v]), t.stack([v, x]))
    if f is not another_dtype:
        yield "hessian", t.func.hessian(function)(x)
        yield "grad of grad", t.func.grad(lambda x: t.func.grad(function)(x).sum())(x)
        yield "jacrev of jacrev", t.func.jacrev(t.func.jacrev(function))(x)


@pytest.mark.parity
@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.filterwarnings("ignore")
def test_derivatives_are_pytorch_s(f):
    for (name, ours), (_, theirs) in zip(derivatives(torch, f), derivatives(pytest.importorskip("torch"), f)):
        np.testing.assert_allclose(ours.numpy(), theirs.numpy(), rtol=1e-6 if f is another_dtype else 1e-10,
                                   err_msg=name)


@pytest.mark.parametrize("f", [f for f in FUNCTIONS if f is not another_dtype], ids=lambda f: f.__name__)
def test_derivatives_are_those_of_differences(f):
    function = lambda x: f(torch, x)
    steps = np.eye(3) * 1e-6
    expected = [(function(torch.tensor(X + s)) - function(torch.tensor(X - s))).item() / 2e-6 for s in steps]
    np.testing.assert_allclose(grad(function)(torch.tensor(X)).numpy(), expected, rtol=1e-7)
    np.testing.assert_allclose([jvp(function, (torch.tensor(X),), (torch.tensor(e),))[1].item() for e in np.eye(3)],
                               expected, rtol=1e-7)


def test_a_tensor_times_itself_in_place():
    """d/dx (x x)(x x) is 4 x^3; PyTorch 2.13 gives another number here in forward mode."""
    def f(x):
        y = x * x
        return y.mul_(y).sum()
    np.testing.assert_allclose(jvp(f, (torch.tensor(X),), (torch.ones(3, dtype=torch.float64),))[1].numpy(),
                               (4 * X ** 3).sum())


def test_a_tangent_that_was_given_is_not_written_to():
    x, v = torch.tensor(X), torch.ones(3, dtype=torch.float64)
    jvp(lambda x: x.mul_(x), (x,), (v,))
    np.testing.assert_array_equal(v.numpy(), 1)


def test_tangents_of_other_tensors_are_left_alone():
    """y = x + 1 has the tangent of x, in memory of its own."""
    def f(x):
        y = x + 1
        y.mul_(3)
        z = x.sum().expand(3) + 0
        z.zero_()
        return x * 1
    np.testing.assert_array_equal(jvp(f, (torch.tensor(X),), (torch.tensor(X),))[1].numpy(), X)


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_one_tangent_for_all_examples(f):
    """PyTorch refuses this: the tangent that is the same for all has no room."""
    rows, v = torch.tensor(np.stack([X, X * X])), torch.tensor(X)
    push = lambda x: jvp(lambda x: f(torch, x), (x,), (v,))[1]
    np.testing.assert_allclose(vmap(push)(rows).numpy(), [push(row).item() for row in rows])


@pytest.mark.parametrize("f", [saved_before, saved_result, saved_through_a_view])
def test_what_was_saved_and_then_written_to_is_found_out(f):
    for transform in (grad, jacrev, lambda f: vmap(grad(f), in_dims=0), lambda f: grad(lambda x: grad(f)(x).sum())):
        x = torch.tensor(np.stack([X, X])) if "vmap" in transform.__code__.co_names else torch.tensor(X)
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            transform(lambda x: f(torch, x))(x)
    assert jvp(lambda x: f(torch, x), (torch.tensor(X),), (torch.tensor(X),))[1].shape == ()


@pytest.mark.parity
@pytest.mark.parametrize("f", [saved_before, saved_result, saved_through_a_view])
def test_pytorch_finds_it_out_too(f):
    t = pytest.importorskip("torch")
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        t.func.grad(lambda x: f(t, x))(t.tensor(X))


def test_no_grad_writes_are_not_recorded():
    def f(x):
        y = x * 1
        with torch.no_grad():
            y.mul_(2)
            y[0] = 0.
        return (y * x).sum()
    np.testing.assert_allclose(grad(f)(torch.tensor(X)).numpy(), X + np.array([0, 4, 6]))


@pytest.mark.parametrize("write, words", [
    (lambda x, c: x.mul_(2), "a leaf Variable that requires grad is being used in an in-place operation"),
    (lambda x, c: x[0].mul_(2), "a view of a leaf Variable that requires grad is being used in an in-place operation"),
    (lambda x, c: x.clone().unbind()[0].mul_(2), "This view is the output of a function that returns multiple views"),
    (lambda x, c: x.clone().unfold(0, 2, 1).mul_(2), "on a view made by unfold"),
    (lambda x, c: x.clone().expand(2, 3).mul_(2), "on a view made by expand"),
    (lambda x, c: torch.complex(x, x).real.mul_(2), "on a view made by real"),
    (lambda x, c: c.add_(x), "would mutate a captured Tensor"),
    (lambda x, c: c[0].copy_(x[0]), "would mutate a captured Tensor"),
    (lambda x, c: x.clone().add_(torch.ones(2, 3)), "doesn't match the broadcast shape"),
    (lambda x, c: torch.zeros_like(x, dtype=torch.int64).add_(x), "can't be cast to the desired output type"),
])
def test_refused_writes_change_nothing(write, words):
    x, c = torch.tensor(X), torch.zeros(3, dtype=torch.float64)
    with pytest.raises(RuntimeError, match=words):
        grad(lambda x: write(x, c).sum())(x)
    np.testing.assert_array_equal(x.numpy(), X)
    np.testing.assert_array_equal(c.numpy(), 0)


def test_the_outer_level_follows():
    def inner(y, x):
        z = y * x
        z.mul_(y)
        z[0] = x[0] * y[1]
        return z.sum()
    second = jacrev(lambda x: grad(lambda y: inner(y, x))(x))(torch.tensor(X))
    h = 1e-6
    g = lambda x: grad(lambda y: inner(y, torch.tensor(x)))(torch.tensor(x)).numpy()
    np.testing.assert_allclose(second.numpy(), np.stack([(g(X + h * e) - g(X - h * e)) / (2 * h) for e in np.eye(3)],
                                                        1), rtol=1e-6, atol=1e-6)


# ------------------------------------------------------------------------------ into what was made inside

def filled(x):
    z = torch.zeros(3)
    z[0] = x[0] * x[1]
    z[1:] = x.sin()
    return z


def test_a_tensor_made_inside_takes_what_is_written():
    x = torch.tensor([1.0, 2.0], dtype=torch.float64)
    expected = [[2, 1], [np.cos(1), 0], [0, np.cos(2)]]
    func = torch.func
    for jacobian in (func.jacrev(filled)(x), func.jacfwd(filled)(x)):
        np.testing.assert_allclose(jacobian.numpy(), expected, rtol=1e-6)
    y, t = func.jvp(filled, (x,), (torch.ones(2, dtype=torch.float64),))
    np.testing.assert_allclose(t.numpy(), [3, np.cos(1), np.cos(2)], rtol=1e-6)
    plain = func.hessian(lambda x: (x[0] * x[1]) ** 2 + (x.sin() ** 2).sum())(x)
    np.testing.assert_allclose(func.hessian(lambda x: (filled(x) ** 2).sum())(x).numpy(), plain.numpy(), rtol=1e-6)
    nested = func.grad(lambda x: func.grad(lambda x: (filled(x) ** 2).sum())(x).sum())(x)
    np.testing.assert_allclose(nested.numpy(), plain.sum(0).numpy(), rtol=1e-6)


@pytest.mark.parametrize("write, expected", [
    (lambda z, x: z.copy_(x), [1, 2, 3]), (lambda z, x: z.__setitem__(0, x[1]), [2, 0, 0]),
    (lambda z, x: z[1:].copy_(x[1:]), [0, 2, 3]), (lambda z, x: z.copy_(x).add_(z), [2, 4, 6])])
def test_integers_take_what_has_a_tangent_and_have_none(write, expected):
    def counted(x):
        z = torch.zeros(3, dtype=torch.int64)
        write(z, x)
        return x * z, z

    x, ones = torch.tensor(X), torch.ones(3, dtype=torch.float64)
    (y, z), (dy, dz) = jvp(counted, (x,), (ones,))
    assert z.tolist() == dy.tolist() == expected and y.tolist() == (x * z).tolist()
    assert dz.tolist() == [0, 0, 0] and dz.dtype is torch.int64
    outside = torch.zeros(3, dtype=torch.int64)
    with refuses(RuntimeError, "would mutate a captured Tensor", "MG117"):
        jvp(lambda x: write(outside, x), (x,), (ones,))


def test_integers_take_what_has_a_tangent_at_an_outer_level():
    def inner(x, y):
        z = torch.zeros(3, dtype=torch.int64)
        return (z.copy_(x) * y).sum()

    _, change = jvp(lambda x: grad(lambda y: inner(x, y * x))(x), (torch.tensor(X),), (torch.ones(3).double(),))
    assert change.tolist() == [1, 2, 3]         # of z * x


def test_a_tensor_made_inside_takes_what_is_of_an_outer_level():
    def inner(x, y):
        return (torch.zeros(3, dtype=torch.float64).copy_(x) * y).sum()

    x, t = torch.tensor(X), torch.tensor([1., 2., 4.], dtype=torch.float64)
    y, change = jvp(lambda x: grad(lambda y: inner(x, y))(x * 2), (x,), (t,))
    assert y.tolist() == X.tolist() and change.tolist() == t.tolist()
    assert grad(lambda x: grad(lambda y: inner(x, y))(x * 2).sum())(x).tolist() == [1, 1, 1]


def test_a_captured_tensor_does_not():
    outside = torch.zeros(2)

    def captures(x):
        outside[0] = x[0]
        return outside.sum()

    for call in (lambda: torch.func.grad(captures)(torch.ones(2)),
                 lambda: torch.func.jvp(captures, (torch.ones(2),), (torch.ones(2),))):
        with pytest.raises(RuntimeError, match="would mutate a captured Tensor") as caught:
            call()
        assert caught.value.code == "MG117" and outside.tolist() == [0, 0] and outside._level == 0


def test_a_tensor_made_inside_is_one_for_all_examples():
    with pytest.raises(RuntimeError, match="vmap: inplace arithmetic"):
        torch.func.vmap(filled)(torch.ones(4, 2))


def test_one_example_is_a_batch_too():
    assert vmap(lambda x: torch.zeros_like(x).add_(x))(torch.ones(1, 3)).tolist() == [[1, 1, 1]]


def test_an_index_that_is_mapped():
    def put(i, x):
        x = x.clone()
        x[i] = 1.0
        return x

    assert vmap(put)(torch.tensor([0, 1]), torch.zeros(2, 2)).tolist() == [[1, 0], [0, 1]]
    with pytest.raises(RuntimeError, match="boolean mask"):
        vmap(put)(torch.tensor([[True, False], [False, True]]), torch.zeros(2, 2))

    def captured(i):
        x = torch.zeros(2)
        x[i] = 1.0
        return x

    with pytest.raises(RuntimeError, match="vmap: inplace arithmetic"):
        vmap(captured)(torch.tensor([0, 1]))


def test_what_was_looked_at_before_the_write_is_not_lifted():
    """Views would stay behind, so it is refused; PyTorch can do it."""
    def f(x):
        base = torch.zeros(3)
        view = base[1:]
        base.copy_(x * 2)
        return view * 1

    x = torch.tensor([1.0, 2.0, 3.0])
    for call in (lambda: grad(lambda x: f(x).sum())(x), lambda: jvp(f, (x,), (x,))):
        with pytest.raises(RuntimeError, match="had another view before this write"):
            call()


def test_writes_to_views_under_nested_jvp():
    def g(x):
        y = x * 1
        y[1:].sin_()
        return y

    x, o = torch.tensor([1.0, 2.0, 3.0]), torch.ones(3)
    second = [0, -np.sin(2), -np.sin(3)]
    assert jvp(lambda x: jvp(g, (x,), (o,))[1], (x,), (o,))[1].tolist() == pytest.approx(second, rel=1e-5)
    assert grad(lambda x: jvp(g, (x,), (o,))[1].sum())(x).tolist() == pytest.approx(second, rel=1e-5)
    for outer in (torch.func.jacfwd, jacrev):
        assert outer(torch.func.jacfwd(g))(x).sum((1, 2)).tolist() == pytest.approx(second, rel=1e-5)


@pytest.mark.parametrize("function, expected", [
    # A reshape that had to copy does not follow what its source becomes ...
    (lambda x, v: written(y := x * 2, lambda: y.t().reshape(4), lambda r: y.__setitem__(-1, v)), [[2, 2], [2, 2]]),
    (lambda x, v: written(y := (x * 2).t(), lambda: y.reshape(4), lambda r: y.mul_(3)), [[2, 2], [2, 2]]),
    # ... and one that is a view does.
    (lambda x, v: written(y := x * 2, lambda: y.reshape(4), lambda r: y.__setitem__(-1, v)), [[2, 2], [0, 0]]),
    (lambda x, v: written(y := (x * 2).t(), lambda: y.t().reshape(4), lambda r: y.mul_(3)), [[6, 6], [6, 6]])])
def test_a_reshape_follows_its_source_where_it_is_a_view(function, expected):
    x, v = torch.tensor([[1., 2.], [3., 4.]]), torch.tensor([5., 6.])
    assert grad(lambda x: function(x, v).sum())(x).tolist() == expected
    assert jvp(lambda x: function(x, v).sum(), (x,), (torch.ones(2, 2),))[1] == np.sum(expected)


def written(y, make, write):
    """What is made of y, after y was written to."""
    result = make()
    write(result)
    return result


@pytest.mark.parametrize("transposed", [False, True])
def test_a_tangent_is_a_view_where_its_primal_is(transposed):
    """The target is an ordinary tensor when it is made: its tangent comes later, and has to lie as it does."""
    def function(x):
        y = torch.zeros(2, 2)
        if transposed:
            y.t_()
        y.mul_(x)
        y.reshape(4)[:1] = x.sum() * 10
        return y

    x = torch.tensor([1., 2.])
    plain = function(x)
    value, tangent = jvp(function, (x,), (torch.ones(2),))
    assert value.tolist() == plain.tolist()
    assert tangent.tolist() == ([[0, 0], [0, 0]] if transposed else [[20, 0], [0, 0]])


# ------------------------------------------------------------------------------ arguments that are not differentiated

def into(y, x):
    y.mul_(x)
    return (x * y).sum()


def into_a_view(y, x):
    y[1:].mul_(x[1:])
    y[0] = x[0] * 2
    return (x * y).sum()


def into_two(y, x):
    y.mul_(x)
    y.add_(x.sin())
    return (y * y).sum()


@pytest.mark.parametrize("write", [into, into_a_view, into_two])
@pytest.mark.parametrize("derivative, how", [(name, how) for name in (
    "grad", "grad_and_value", "jacrev", "jacfwd", "hessian") for how in ("by position", "by name", "in a tree")
    if how != "by name" or "grad" in name])
def test_an_argument_that_is_not_differentiated_takes_what_is(torch, write, derivative, how):
    def out_of_place(x):
        return write(numbers.clone(), x)

    numbers, x = torch.tensor([2., 3., 5.], dtype=torch.float64), torch.tensor(X)
    y, derivative = numbers.clone(), getattr(torch.func, derivative)
    if how == "by position":
        found = derivative(lambda x, y: write(y, x))(x, y)
    elif how == "by name":
        found = derivative(lambda x, *, y: write(y, x))(x, y=y)
    else:
        found = derivative(lambda trees, x: write(trees["y"], x), argnums=1)({"y": y}, x)
    for a, b in zip(*[each if isinstance(each, tuple) else (each,) for each in (found, derivative(out_of_place)(x))]):
        assert torch.allclose(a, b)
    write(numbers, x)
    assert torch.equal(y, numbers) and not y.requires_grad and torch.equal(y + 1, numbers + 1)


@pytest.mark.parametrize("returned", ["y", "y[1:]", "y.t()", "y * x", "(y, y)", "(y[:1], y[1:], x)", "y.add_(x)"])
@pytest.mark.parametrize("derivative", ["jacrev", "jacfwd"])
def test_what_was_written_to_is_returned(torch, derivative, returned):
    def writing(x, y):
        y.copy_(x.sin())
        return eval(returned)

    def out_of_place(x, y):
        y = x.sin()
        return eval(returned)

    derivative, x, y = getattr(torch.func, derivative), torch.tensor(X), torch.ones(3, dtype=torch.float64)
    found, expected = derivative(writing)(x, y), derivative(out_of_place)(x, y)
    for a, b in zip(*[each if isinstance(each, tuple) else (each,) for each in (found, expected)]):
        assert torch.equal(a, b)
    assert y._base is None and y.is_leaf


def test_an_argument_for_each_example_takes_what_is_differentiated(torch):
    x, y = torch.tensor(np.outer(X, X)), torch.ones(3, 3, dtype=torch.float64)
    found = torch.vmap(torch.func.grad(lambda x, y: into(y, x)))(x, y)
    assert torch.allclose(found, 2 * x) and torch.equal(y, x)


def test_an_argument_of_both_functions_takes_what_is_of_the_outer_one(torch):
    def outer(x, y):
        torch.func.grad(lambda z, y: into(y, z * x))(x, y)
        return (y * x).sum()

    x, y = torch.tensor(X), torch.ones(3, dtype=torch.float64)
    assert torch.allclose(torch.func.grad(outer)(x, y), 3 * x * x) and torch.equal(y, x * x)


def test_the_history_outside_takes_part_too(torch):
    x, leaf = torch.tensor(X), torch.ones(3, dtype=torch.float64, requires_grad=True)
    y = leaf * 2
    found = torch.func.grad(lambda x, y: into(y, x))(x, y)
    assert torch.allclose(found, 4 * x)
    assert torch.autograd.grad(found.sum() + y.sum(), leaf)[0].tolist() == [6., 12., 18.]


def test_an_argument_is_itself_again_after_an_error():
    def breaks(x, y):
        into(y, x)
        raise KeyError("broken")

    x, y = torch.tensor(X), torch.ones(3, dtype=torch.float64)
    for derivative in (grad, jacrev, torch.func.jacfwd):
        with pytest.raises(KeyError):
            derivative(breaks)(x, y)
        assert y._level == 0 and (y * 2).requires_grad is False
    assert y.tolist() == (X ** 3).tolist()


@pytest.mark.parametrize("derivative", [grad, jacrev, torch.func.jacfwd])
def test_what_others_see_is_not_lent(derivative):
    """They would see the numbers without the derivative."""
    x, y = torch.tensor(X), torch.ones(3, dtype=torch.float64)
    view, base = y[:], torch.ones(2, 3, dtype=torch.float64)
    for call in (lambda: derivative(lambda x, y: into(y, x))(x, y),
                 lambda: derivative(lambda x, y: into(y, x))(x, base[0]),
                 lambda: derivative(lambda x, y: into(y, x))(x, x)):
        with refuses(RuntimeError, "would mutate a captured Tensor", "MG117"):
            call()
    assert y.tolist() == [1, 1, 1] and x.tolist() == X.tolist() and base.sum() == 6 and view._level == 0


def test_the_only_view_of_an_argument_is_itself_again_too():
    x, y = torch.tensor(X), torch.ones(3, dtype=torch.float64)
    view = y[:]
    assert torch.equal(grad(lambda x, y: into(view, x))(x, y), 2 * x)
    assert view._level == y._level == 0 and view._base is y
    view.add_(1)
    assert (y * 1).tolist() == view.tolist() == [2, 3, 4]


def test_an_argument_of_the_inner_function_alone_does_not_take_what_is_of_the_outer_one():
    x, y = torch.tensor(X), torch.ones(3, dtype=torch.float64)
    with refuses(RuntimeError, "would mutate a captured Tensor", "MG117"):
        grad(lambda x: grad(lambda z, y: into(y, z))(x, y).sum())(x)
    assert y.tolist() == [1, 1, 1] and y._level == 0


def test_an_argument_that_is_given_twice_is_one():
    """PyTorch takes the second one for another, and its gradient lacks a part."""
    def f(x, y, z):
        y.mul_(x)
        return (z * y).sum()

    x, y = torch.tensor(X), torch.ones(3, dtype=torch.float64)
    assert torch.equal(grad(f)(x, y, y), 2 * x)


def test_what_a_view_of_an_argument_becomes(torch):
    x, y, kept = torch.tensor(X), torch.ones(3, dtype=torch.float64), []

    def f(x, y):
        view = y[1:]
        view.mul_(x[1:])
        kept.append((y * 1).sum() + view.sum())
        return kept[0]

    assert torch.func.grad(f)(x, y).tolist() == [0., 2., 2.] and y.tolist() == [1., 2., 3.]


@pytest.mark.parametrize("derivative", ["grad", "jacrev", "jacfwd"])
def test_integers_among_the_arguments_take_what_is_differentiated(torch, derivative):
    def f(x, y):
        y.copy_(x.long())
        return (x * y).sum()

    x, y = torch.tensor(X), torch.zeros(3, dtype=torch.int64)
    assert getattr(torch.func, derivative)(f)(x, y).tolist() == y.tolist() == [1, 2, 3]
