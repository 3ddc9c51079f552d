"""Custom Functions inside transforms: backward, jvp, vmap, generate_vmap_rule."""

import numpy as np
import pytest

import minigrad as torch
from minigrad.func import grad, hessian, jacfwd, jacrev, jvp, vmap

V = np.array([1., 2., 3.])


def functions(t):
    """The same Functions on both libraries."""

    class Square(t.autograd.Function):
        @staticmethod
        def forward(x):
            return x * x

        @staticmethod
        def setup_context(ctx, inputs, output):
            x, = inputs
            ctx.save_for_backward(x)
            ctx.save_for_forward(x)

        @staticmethod
        def backward(ctx, d):
            x, = ctx.saved_tensors
            return 2 * x * d

        @staticmethod
        def jvp(ctx, tangent):
            x, = ctx.saved_tensors
            return 2 * x * tangent

    class Mapped(Square):
        generate_vmap_rule = True

    class Own(Square):
        @staticmethod
        def vmap(info, in_dims, x):
            assert info.batch_size == 3 and info.randomness == "error"
            return Square.apply(x), in_dims[0]

    class Product(t.autograd.Function):
        """x y k, and x k, of which the second is not differentiable."""
        generate_vmap_rule = True

        @staticmethod
        def forward(x, y, k):
            return x * y * k, (x * k).detach()

        @staticmethod
        def setup_context(ctx, inputs, output):
            x, y, ctx.k = inputs
            ctx.save_for_backward(x, y)
            ctx.save_for_forward(x, y)
            ctx.mark_non_differentiable(output[1])

        @staticmethod
        def backward(ctx, d, _):
            x, y = ctx.saved_tensors
            return (y * d * ctx.k if ctx.needs_input_grad[0] else None, x * d * ctx.k if ctx.needs_input_grad[1]
                    else None, None)

        @staticmethod
        def jvp(ctx, tx, ty, _):
            x, y = ctx.saved_tensors
            return (tx * y + x * ty) * ctx.k, None

    class Exp(t.autograd.Function):
        """Saves its output."""
        generate_vmap_rule = True

        @staticmethod
        def forward(x):
            return x.exp()

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(output)
            ctx.save_for_forward(output)

        @staticmethod
        def backward(ctx, d):
            return d * ctx.saved_tensors[0]

        @staticmethod
        def jvp(ctx, tangent):
            return tangent * ctx.saved_tensors[0]

    class Double(t.autograd.Function):
        """Writes to its argument."""
        @staticmethod
        def forward(x):
            return x.mul_(2)

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.mark_dirty(inputs[0])

        @staticmethod
        def backward(ctx, d):
            return 2 * d

    class Fivefold(t.autograd.Function):
        """Returns its argument as it is, with another gradient."""
        @staticmethod
        def forward(x):
            return x

        @staticmethod
        def setup_context(ctx, inputs, output):
            pass

        @staticmethod
        def backward(ctx, d):
            return 5 * d

    return {c.__name__: c.apply for c in (Square, Mapped, Own, Product, Exp, Double, Fivefold)}


def vector(t):
    return t.tensor(V)


def two(t):
    return t.tensor(2., dtype=t.float64)


PROGRAMS = {
    "grad": lambda t, F: t.func.grad(lambda x: F["Square"](x).sum())(vector(t)),
    "grad of grad":
        lambda t, F: t.func.grad(lambda x: t.func.grad(lambda x: F["Square"](F["Square"](x)).sum())(x).sum())(
            vector(t)),
    "jvp": lambda t, F: t.func.jvp(F["Square"], (vector(t),), (vector(t),)),
    "jacrev": lambda t, F: t.func.jacrev(F["Square"])(vector(t)),
    "saved output": lambda t, F: t.func.grad(lambda x: t.func.grad(lambda x: F["Exp"](x).sum())(x).sum())(vector(t)),
    "vmap": lambda t, F: t.func.vmap(F["Mapped"])(vector(t)),
    "vmap of grad": lambda t, F: t.func.vmap(t.func.grad(F["Mapped"]))(vector(t)),
    "vmap of grad of grad": lambda t, F: t.func.vmap(t.func.grad(t.func.grad(F["Mapped"])))(vector(t)),
    "vmap of grad of grad, saved output": lambda t, F: t.func.vmap(t.func.grad(t.func.grad(F["Exp"])))(vector(t)),
    "jacrev, mapped": lambda t, F: t.func.jacrev(F["Mapped"])(vector(t)),
    "jacfwd, mapped": lambda t, F: t.func.jacfwd(F["Mapped"])(vector(t)),
    "hessian, mapped": lambda t, F: t.func.hessian(lambda x: F["Mapped"](x).sum())(vector(t)),
    "vmap of vmap": lambda t, F: t.func.vmap(t.func.vmap(F["Mapped"]))(t.outer(vector(t), vector(t))),
    "vmap of jvp": lambda t, F: t.func.vmap(lambda x: t.func.jvp(F["Exp"], (x,), (x,)))(vector(t)),
    "own vmap": lambda t, F: t.func.vmap(F["Own"])(vector(t)),
    "own vmap, grad": lambda t, F: t.func.vmap(t.func.grad(F["Own"]))(vector(t)),
    "own vmap in grad": lambda t, F: t.func.grad(lambda v: t.func.vmap(F["Own"])(v).sum())(vector(t)),
    "own vmap, another axis":
        lambda t, F: t.func.vmap(F["Own"], in_dims=1)(t.outer(t.tensor([1., 2.]), t.tensor([1., 2., 3.]))),
    "not mapped": lambda t, F: t.func.vmap(lambda x: F["Own"](vector(t)) * x)(vector(t)),
    "several": lambda t, F: t.func.vmap(lambda x, y: F["Product"](x, y, 3.), in_dims=(0, None))(vector(t), two(t)),
    "an argument for all":
        lambda t, F: t.func.grad(lambda y: t.func.vmap(lambda x, y: F["Product"](x, y, 3.)[0],
                                                       in_dims=(0, None))(vector(t), y).sum())(two(t)),
    "constants": lambda t, F: t.func.grad(lambda x: F["Product"](x, two(t), 3.)[0].sum())(vector(t)),
    "several, vmap of grad": lambda t, F: t.func.vmap(t.func.grad(lambda x, y: F["Product"](x, y, 3.)[0]),
                                                      in_dims=(0, None))(vector(t), two(t)),
    "several, jacrev":
        lambda t, F: t.func.jacrev(lambda y: t.func.vmap(lambda x, y: F["Product"](x, y, 3.)[0],
                                                         in_dims=(0, None))(vector(t), y))(two(t)),
    "several, jvp": lambda t, F: t.func.jvp(lambda y: F["Product"](vector(t), y, 3.)[0], (two(t),), (two(t),)),
    "several, jacfwd": lambda t, F: t.func.jacfwd(lambda x: F["Product"](x, two(t), 3.)[0])(vector(t)),
    "written to": lambda t, F: t.func.grad(lambda x: (F["Double"](x.clone()) * x).sum())(vector(t)),
    "returned as it is": lambda t, F: t.func.grad(lambda x: F["Fivefold"](x).sum())(vector(t)),
    "recorded outside": lambda t, F: (lambda w: t.autograd.grad(t.func.vmap(lambda x: F["Mapped"](x) * 2)(w).sum(), w))(
        vector(t).requires_grad_()),
    "recorded outside grad":
        lambda t, F: (lambda w: t.autograd.grad(t.func.grad(lambda x: F["Mapped"](x).sum())(w).sum(), w))(
            vector(t).requires_grad_()),
}


def flat(tree):
    return [y for x in tree for y in flat(x)] if isinstance(tree, (tuple, list)) else [tree.detach().numpy()]


@pytest.mark.parity
@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.filterwarnings("ignore")
def test_programs_give_what_pytorch_gives(name):
    pytorch = pytest.importorskip("torch")
    for ours, theirs in zip(flat(PROGRAMS[name](torch, functions(torch))),
                            flat(PROGRAMS[name](pytorch, functions(pytorch)))):
        assert ours.shape == theirs.shape
        np.testing.assert_allclose(ours, theirs)


def test_a_function_and_the_operations_in_it_have_the_same_derivatives():
    F = functions(torch)
    x = torch.tensor(V)
    for f, g in ((F["Mapped"], lambda x: x * x), (F["Exp"], torch.exp)):
        for transform in (vmap, jacrev, jacfwd, lambda f: vmap(grad(f)), lambda f: hessian(lambda x: f(x).sum()),
                          lambda f: grad(lambda x: hessian(lambda y: f(y).sum())(x).sum())):
            np.testing.assert_allclose(transform(f)(x).numpy(), transform(g)(x).numpy())


class Old(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * x

    @staticmethod
    def backward(ctx, d):
        return d


def changed(**attributes):
    square = functions(torch)["Square"].__self__
    return type("Changed", (square,), attributes).apply


@pytest.mark.parametrize("attempt, words", [
    (lambda: grad(lambda x: Old.apply(x).sum())(torch.tensor(V)), "it must override the setup_context staticmethod"),
    (lambda: vmap(Old.apply)(torch.tensor(V)), "it must override the setup_context staticmethod"),
    (lambda: vmap(functions(torch)["Square"])(torch.tensor(V)),
     "You tried to vmap over Square, but it does not have vmap support"),
    (lambda: vmap(changed(generate_vmap_rule=True, vmap=staticmethod(lambda info, in_dims, x: (x, 0))))(
        torch.tensor(V)),
     "it has both generate_vmap_rule=True and an overridden vmap staticmethod"),
    (lambda: vmap(changed(vmap=staticmethod(lambda info, in_dims, x: x)))(torch.tensor(V)),
     "Expected the vmap staticmethod to have two returns"),
    (lambda: vmap(changed(vmap=staticmethod(lambda info, in_dims, x: (x, 0, 0))))(torch.tensor(V)),
     "Got 3 returns instead"),
    (lambda: vmap(changed(vmap=staticmethod(lambda info, in_dims, x: (x, (0, 0)))))(torch.tensor(V)),
     r"returned an incompatible \(output, out_dims\) tuple"),
    (lambda: jvp(changed(jvp=torch.autograd.Function.jvp), (torch.tensor(V),), (torch.tensor(V),)),
     "You must implement the jvp function"),
    (lambda: jvp(changed(jvp=staticmethod(lambda ctx, t: (t, t))), (torch.tensor(V),), (torch.tensor(V),)),
     "invalid number of forward gradients"),
    (lambda: grad(lambda x: changed(backward=staticmethod(lambda ctx, d: (d, d)))(x).sum())(torch.tensor(V)),
     "incorrect number of gradients"),
])
def test_mistakes_are_named(attempt, words):
    with pytest.raises((RuntimeError, NotImplementedError), match=words):
        attempt()


def test_what_the_vmap_staticmethod_gives_need_not_be_a_tensor(torch):
    class Doubled(torch.autograd.Function):
        @staticmethod
        def forward(x):
            return x * 2, 7

        @staticmethod
        def setup_context(ctx, inputs, output):
            pass

        @staticmethod
        def vmap(info, in_dims, x):
            return (x * 2, 7), (in_dims[0], 0)

    seen = []
    doubled = torch.vmap(lambda x: (found := Doubled.apply(x), seen.append(found[1]))[0][0])(torch.ones(3))
    assert doubled.tolist() == [2., 2., 2.] and seen == [7]


# ------------------------------------------------------------------------ the vmap staticmethod gets what the user gave

def spy(torch, seen):
    class Product(torch.autograd.Function):
        @staticmethod
        def forward(x, y):
            return x * y

        @staticmethod
        def setup_context(ctx, inputs, output):
            pass

        @staticmethod
        def vmap(info, in_dims, x, y):
            seen.append((in_dims, tuple(x.shape)))
            return Product.apply(x, y), in_dims[0]

    return Product


@pytest.mark.parametrize(("mapped", "in_dims", "saw"), [
    (lambda f: lambda x: f(x, 2.), 1, [((1, None), (2, 3, 4))]),
    (lambda f: lambda x: f(x, 2.), -1, [((2, None), (2, 3, 4))]),
    (lambda f: lambda x: f(x, 2.), 0, [((0, None), (2, 3, 4))]),
    # computed: the batch axis is in front
    (lambda f: lambda x: f(x * 2, 2.), 1, [((0, None), (3, 2, 4))]),
    (lambda f: lambda x: f(x.add_(1), 2.), 1, [((1, None), (2, 3, 4))]),           # written to: the same tensor
], ids=["one", "last", "first", "computed", "written"])
def test_tensors_come_unmoved(torch, mapped, in_dims, saw):
    seen = []
    x = torch.arange(24.).reshape(2, 3, 4)
    expected = torch.vmap(mapped(lambda a, b: a * b), in_dims=in_dims)(x.clone())
    out = torch.vmap(mapped(spy(torch, seen).apply), in_dims=in_dims)(x.clone())
    assert seen == saw and torch.equal(out, expected)


def test_nested_and_in_chunks_too(torch):
    seen = []
    f = spy(torch, seen).apply
    x = torch.arange(24.).reshape(2, 3, 4)
    out = torch.vmap(torch.vmap(lambda x: f(x, 2.), in_dims=1), in_dims=2)(x)
    assert seen == [((1, None), (2, 3)), ((2, None), (2, 3, 4))] and torch.equal(out, 2 * x.permute(2, 1, 0))
    seen.clear()
    out = torch.vmap(lambda x: f(x, 2.), in_dims=1, chunk_size=2)(x)
    assert seen == [((1, None), (2, 2, 4)), ((1, None), (2, 1, 4))] and torch.equal(out, 2 * x.transpose(0, 1))


def test_a_view_sees_the_write_of_a_function():
    def loss(x):
        y = x * 3
        view = y[0]
        functions(torch)["Double"](y)
        return view.sum()

    assert grad(loss)(torch.tensor(V)).tolist() == [6, 0, 0]
    assert grad(lambda x: grad(loss)(x).sum() * x.sum())(torch.tensor(V)).tolist() == [6, 6, 6]


def test_a_function_that_writes_to_a_saved_tensor_is_noticed():
    def loss(x):
        y = x * 3
        z = y.sin()
        functions(torch)["Double"](y)
        return z.sum()

    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        grad(loss)(torch.tensor(V))


def test_what_a_function_computes_in_no_grad_is_a_constant():
    def loss(x):
        with torch.no_grad():
            y = functions(torch)["Double"](x.clone())
        return (x * y).sum()

    assert grad(loss)(torch.tensor(V)).tolist() == (2 * torch.tensor(V)).tolist()


def in_place_at(view):
    """A Function that doubles its argument in place, of a tensor or of a view."""
    apply = functions(torch)["Double"]
    return lambda x: apply((x * 1)[:2] if view else x * 1)


def test_what_a_write_of_a_function_does_in_transforms():
    x = torch.tensor(V)
    assert grad(lambda x: in_place_at(False)(x).sum())(x).tolist() == [2., 2., 2.]
    constant = torch.ones(3, dtype=torch.float64)
    doubled = grad(lambda x: (functions(torch)["Double"](constant) * x).sum())(x)
    assert doubled.tolist() == [2., 2., 2.] and constant.tolist() == [2., 2., 2.]
    with pytest.raises(RuntimeError, match="mark_dirty of a view, inside func.grad, vjp or jacrev, is not supported"):
        grad(lambda x: in_place_at(True)(x).sum())(x)


class Pair(torch.autograd.Function):
    """2 x and y, with tangents that a test gives."""
    tangents = None

    @staticmethod
    def forward(x, y):
        return 2 * x, y * 1

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.set_materialize_grads(False)

    @staticmethod
    def jvp(ctx, tx, ty):
        return Pair.tangents(tx, ty)


@pytest.mark.parametrize("tangents, expected", [
    (lambda tx, ty: (2 * tx, ty), [[2., 4., 6.], [0., 0., 0.]]),
    (lambda tx, ty: (2 * tx, None), [[2., 4., 6.], [0., 0., 0.]]),
    (lambda tx, ty: (None, ty), [[0., 0., 0.], [0., 0., 0.]]),
])
def test_tangents_that_a_function_leaves_out_are_zero(tangents, expected):
    Pair.tangents = staticmethod(tangents)
    x = torch.tensor(V)
    assert [t.tolist() for t in jvp(lambda x: Pair.apply(x, x.detach()), (x,), (x,))[1]] == expected


@pytest.mark.parametrize("tangents, phrase", [
    (lambda tx, ty: (2 * tx, tx[:1]), "a tangent must be a tensor of the shape of its output, or None"),
    (lambda tx, ty: (2 * tx, 3), "a tangent must be a tensor of the shape of its output, or None"),
    (lambda tx, ty: 2 * tx, r"invalid number of forward gradients \(expected 2 but got 1\)"),
])
def test_tangents_that_do_not_fit_are_refused(tangents, phrase):
    Pair.tangents = staticmethod(tangents)
    x = torch.tensor(V)
    with pytest.raises(RuntimeError, match=phrase):
        jvp(lambda x: Pair.apply(x, x), (x,), (x,))


def test_a_tensor_with_a_tangent_is_none_itself(torch):
    """The tangent of a level belongs to the level below; an argument that was kept belongs to the level."""
    kept = []

    class Kept(torch.autograd.Function):
        @staticmethod
        def forward(x):
            return x * 2

        @staticmethod
        def setup_context(ctx, inputs, output):
            pass

        @staticmethod
        def jvp(ctx, t):
            return kept[0]

    def f(x):
        kept.append(x)
        return Kept.apply(x)

    with pytest.raises(RuntimeError) as caught:
        torch.func.jvp(f, (torch.ones(2),), (torch.ones(2),))
    assert getattr(caught.value, "code", "MG117") == "MG117"


def test_outputs_of_a_function_that_are_constants(torch):
    class TwiceAndSign(torch.autograd.Function):
        @staticmethod
        def forward(x):
            return x * 2, (x > 0).long(), None

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.mark_non_differentiable(output[1])

        @staticmethod
        def backward(ctx, twice, sign, nothing):
            return twice * 2

    def f(x):
        twice, sign, nothing = TwiceAndSign.apply(x)
        assert nothing is None
        return (twice * sign).sum()

    assert torch.func.grad(f)(torch.tensor([1., -2., 3.])).tolist() == [2., 0., 2.]


class Affine(torch.autograd.Function):
    """x * a + b, for a list [a, b], which gets no gradient."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x, ab):
        return x * ab[0] + ab[1]

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(inputs[1][0])

    @staticmethod
    def backward(ctx, g):
        a, = ctx.saved_tensors
        return g * a, None


class AffineWithRule(Affine):
    generate_vmap_rule = False

    @staticmethod
    def vmap(info, in_dims, x, ab):
        dims.append(in_dims)
        return AffineWithRule.apply(x, ab), 0


dims = []


@pytest.mark.parametrize("cls", [Affine, AffineWithRule])
def test_tensors_in_a_list_are_mapped(cls):
    x, a, b = [torch.tensor(values, dtype=torch.float64)
               for values in ([1., 2.], [[3., 4.], [5., 6.]], [[.5, 0.], [1., 2.]])]
    assert vmap(lambda x, a, b: cls.apply(x, [a, b]))(a, a, b).tolist() == (a * a + b).tolist()
    assert vmap(lambda a, b: cls.apply(x, (a, b)))(a, b).tolist() == (x * a + b).tolist()
    assert vmap(lambda a: grad(lambda x: cls.apply(x, {0: a, 1: x}).sum())(x))(a).tolist() == a.tolist()
    assert grad(lambda x: vmap(lambda a: cls.apply(x, [a, x]))(a).sum())(x).tolist() == a.sum(0).tolist()


def test_a_rule_is_told_where_they_have_the_batch():
    dims.clear()
    a = torch.ones(2, 3)
    vmap(lambda x, b: AffineWithRule.apply(x, [b, torch.ones(3)]))(a, a)
    assert dims == [(0, [0, None])]


def test_outside_transforms_nobody_looks_into_a_list():
    endless = []
    endless.append(endless)

    class Twice(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, kept):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g * 2, None

    x = torch.ones(2, requires_grad=True)
    Twice.apply(x, endless).sum().backward()
    assert x.grad.tolist() == [2, 2]
