"""Functions from three float64 numbers to one, each with a feature in it."""

import copy
import inspect

import minigrad as torch
from minigrad import func, nn
from minigrad.autograd import Function, forward_ad, functional, grad
from minigrad.autograd.graph import register_multi_grad_hook, save_on_cpu, saved_tensors_hooks
from minigrad.nn.functional import (batch_norm, conv1d, cross_entropy, embedding, embedding_bag, grid_sample,
                                    group_norm, layer_norm, scaled_dot_product_attention)
from minigrad.utils.checkpoint import checkpoint

K = torch.tensor([0.3, -0.7, 1.1], dtype=torch.float64)


# ------------------------------------------------------------------------------ custom Functions

def saving_arguments(ctx, inputs, output):
    ctx.save_for_backward(*inputs)
    ctx.save_for_forward(*inputs)


class OldStyle(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        ctx.save_for_forward(x)
        return x * x * x

    @staticmethod
    def backward(ctx, g):
        x, = ctx.saved_tensors
        return g * 3 * x * x

    @staticmethod
    def jvp(ctx, t):
        x, = ctx.saved_tensors
        return t * 3 * x * x


class Cube(Function):
    generate_vmap_rule = True
    setup_context = staticmethod(saving_arguments)
    backward, jvp = OldStyle.backward, OldStyle.jvp

    @staticmethod
    def forward(x):
        return x * x * x


class Exponential(Function):
    """It saves its output."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return x.exp()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(output)
        ctx.save_for_forward(output)

    @staticmethod
    def backward(ctx, g):
        return g * ctx.saved_tensors[0]

    @staticmethod
    def jvp(ctx, t):
        return t * ctx.saved_tensors[0]


class Scaled(Function):
    """It keeps a number on ctx."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x, factor):
        return x * factor

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.factor = inputs[1]

    @staticmethod
    def backward(ctx, g):
        return g * ctx.factor, None

    @staticmethod
    def jvp(ctx, t, _):
        return t * ctx.factor


class Two(Function):
    generate_vmap_rule = True
    setup_context = staticmethod(saving_arguments)

    @staticmethod
    def forward(x, y):
        return x * y, x.sin() + y

    @staticmethod
    def backward(ctx, g, h):
        x, y = ctx.saved_tensors
        return g * y + h * x.cos(), g * x + h

    @staticmethod
    def jvp(ctx, t, u):
        x, y = ctx.saved_tensors
        return t * y + u * x, t * x.cos() + u


class TwoWithNones(Two):
    """Gradients and tangents that are not there arrive as None."""

    @staticmethod
    def setup_context(ctx, inputs, output):
        saving_arguments(ctx, inputs, output)
        ctx.set_materialize_grads(False)

    @staticmethod
    def backward(ctx, g, h):
        x, y = ctx.saved_tensors
        by_x = [part for part in (None if g is None else g * y, None if h is None else h * x.cos()) if part is not None]
        by_y = [part for part in (None if g is None else g * x, h) if part is not None]
        return sum(by_x), sum(by_y)

    @staticmethod
    def jvp(ctx, t, u):
        x, y = ctx.saved_tensors
        t = torch.zeros_like(x) if t is None else t
        u = torch.zeros_like(y) if u is None else u
        return t * y + u * x, t * x.cos() + u


class SixSquares(Function):
    """g, x -> 6 g x x: the derivative of `CallsAnother`, itself a Function."""

    generate_vmap_rule = True
    setup_context = staticmethod(saving_arguments)

    @staticmethod
    def forward(g, x):
        return g * 6 * x * x

    @staticmethod
    def backward(ctx, h):
        g, x = ctx.saved_tensors
        return h * 6 * x * x, h * g * 12 * x

    @staticmethod
    def jvp(ctx, t, u):
        g, x = ctx.saved_tensors
        return t * 6 * x * x + u * g * 12 * x


class CallsAnother(Function):
    generate_vmap_rule = True
    setup_context = staticmethod(saving_arguments)

    @staticmethod
    def forward(x):
        return Cube.apply(x) * 2

    @staticmethod
    def backward(ctx, g):
        return SixSquares.apply(g, ctx.saved_tensors[0])

    jvp = backward


class ReturnsView(Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return x.view_as(x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        pass

    @staticmethod
    def backward(ctx, g):
        return g.clone()

    @staticmethod
    def jvp(ctx, t):
        return t.view_as(t)


class EachTimesItsNumber(Function):
    """As many outputs as arguments; some of both may be constants."""

    generate_vmap_rule = True

    @staticmethod
    def forward(*xs):
        return tuple([x * (i + 1) for i, x in enumerate(xs)])

    @staticmethod
    def setup_context(ctx, inputs, output):
        pass

    @staticmethod
    def backward(ctx, *gs):
        return tuple([g * (i + 1) for i, g in enumerate(gs)])

    jvp = backward


class Writes(Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return x.mul_(3)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.mark_dirty(inputs[0])

    @staticmethod
    def backward(ctx, g):
        return g * 3

    @staticmethod
    def jvp(ctx, t):
        return t.mul_(3)


class AddsSquare(Function):
    """It writes to its first argument."""

    generate_vmap_rule = True

    @staticmethod
    def forward(y, x):
        return y.add_(x * x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.mark_dirty(inputs[0])
        ctx.save_for_backward(inputs[1])
        ctx.save_for_forward(inputs[1])

    @staticmethod
    def backward(ctx, g):
        return g, 2 * ctx.saved_tensors[0] * g

    @staticmethod
    def jvp(ctx, t, u):
        return t.add_(2 * ctx.saved_tensors[0] * u)


class SumOfSquares(Function):
    generate_vmap_rule = True
    setup_context = staticmethod(saving_arguments)

    @staticmethod
    def forward(x):
        return x.pow(2).sum()

    @staticmethod
    def backward(ctx, g):
        return (2 * ctx.saved_tensors[0] * g).expand(3)

    @staticmethod
    def jvp(ctx, t):
        return (2 * ctx.saved_tensors[0] * t).sum()


class SquareTimesConjugate(Function):
    """z z conj(z), which is not holomorphic."""

    generate_vmap_rule = True
    setup_context = staticmethod(saving_arguments)

    @staticmethod
    def forward(z):
        return z * z * z.conj()

    @staticmethod
    def backward(ctx, g):
        z, = ctx.saved_tensors
        return 2 * z * z.conj() * g + z * z * g.conj()

    jvp = backward


class PartlyDifferentiable(Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return x * x, x.floor()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.mark_non_differentiable(output[1])
        saving_arguments(ctx, inputs, output)

    @staticmethod
    def backward(ctx, g, _):
        return g * 2 * ctx.saved_tensors[0]

    @staticmethod
    def jvp(ctx, t):
        return t * 2 * ctx.saved_tensors[0], None


class Product(Function):
    """It has a vmap of its own."""

    setup_context = staticmethod(saving_arguments)

    @staticmethod
    def forward(x, y):
        return x * y

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        return Product.apply(g, y), Product.apply(g, x)

    @staticmethod
    def jvp(ctx, t, u):
        x, y = ctx.saved_tensors
        return Product.apply(t, y) + Product.apply(x, u)

    @staticmethod
    def vmap(info, in_dims, x, y):
        x, y = [t if dim is None else t.movedim(dim, 0) for t, dim in zip((x, y), in_dims)]
        return x * y, 0


def old_style(x):
    return (OldStyle.apply(x * x.sin()) * K).sum()


def new_style(x):
    return (Cube.apply(x * x.sin()) * K).sum()


def function_of_a_leaf(x):
    return (Cube.apply(x) * K).sum()


def saves_its_output(x):
    return (Exponential.apply(x * x.cos()) * K).sum()


def keeps_a_number(x):
    return Scaled.apply(x * x, 3.).sin().sum()


def two_outputs(x):
    a, b = Two.apply(x * x, x.cos())
    return (a * b * K).sum()


def one_of_two_outputs(x):
    _, b = Two.apply(x * x, x.cos())
    return (b * b * K).sum()


def one_argument_twice(x):
    a, b = Two.apply(x, x)
    return (a * b * K).sum()


def nones_for_what_is_not_there(x):
    a, b = TwoWithNones.apply(x * x, K * 1.)
    return (b * b * K).sum() + TwoWithNones.apply(K * 1., x)[0].sum() + a.prod()


def one_of_two_outputs_with_nones(x):
    _, b = TwoWithNones.apply(x * x, x.sin())
    return (b * b * K).sum()


def function_in_a_function(x):
    return (CallsAnother.apply(x.sin()) * K).sum()


def some_outputs_are_constants(x):
    a, b, constant = EachTimesItsNumber.apply(x, x.sin(), K.clone())
    return (a * b + constant).prod()


def returns_a_view(x):
    return (ReturnsView.apply(x * x) * K * x).sum()


def writes_to_its_argument(x):
    y = x * x
    z = Writes.apply(y)
    return (y * z * K).sum()


def writes_to_a_view(x):
    y = x * x
    Writes.apply(y[:2])
    return (y * y * K).sum()


def writes_in_turn(x):
    y = x * x
    seen = y[:2]
    Writes.apply(y)
    y.mul_(x)
    AddsSquare.apply(y, y * 1)
    return (y * K).sum() + seen.prod()


def writes_to_what_was_made_here(x):
    y = torch.zeros_like(x)
    AddsSquare.apply(y, x)
    y.mul_(x)
    return y.pow(2).sum()


def reduces_all(x):
    return SumOfSquares.apply(x.sin()) * SumOfSquares.apply(x)


def complex_function(x):
    z = SquareTimesConjugate.apply(torch.complex(x, x * x.sin()))
    return (z * z.conj()).real.sum() + z.imag.sum()


def partly_differentiable(x):
    a, whole = PartlyDifferentiable.apply(x.sin())
    return (a * (whole + 2) * a).sum()


def mapped_by_hand(x):
    return Product.apply(x.sin(), x * x).pow(2).sum()


def mapped_by_hand_with_a_constant(x):
    return Product.apply(x.sin(), K).pow(2).sum()


# ------------------------------------------------------------------------------ saved tensors

def hooks_on_saved_tensors(x):
    with saved_tensors_hooks(lambda t: [t * 1.], lambda held: held[0]):
        return (x.sin() * x * x).exp().sum()


def hooks_in_hooks(x):
    with saved_tensors_hooks(lambda t: t * 2, lambda t: t / 2):
        with saved_tensors_hooks(lambda t: t + 1, lambda t: t - 1):
            y = (x * x).sin()
        return (y * x * y).sum()


def saved_on_the_cpu(x):
    with save_on_cpu():
        return (Cube.apply(x.sin()) * x * x).exp().sum()


def checkpointed(x):
    return checkpoint(lambda a: (a.sin() * a * a).exp(), x * x, use_reentrant=False).sum()


def checkpoint_in_a_checkpoint(x):
    def inner(b):
        return (b * b).sin()

    return checkpoint(lambda a: checkpoint(inner, a.cos(), use_reentrant=False) * a, x * x, use_reentrant=False).sum()


def checkpointed_function(x):
    return checkpoint(lambda a: Cube.apply(a) * a, x * x, use_reentrant=False).sum()


# ------------------------------------------------------------------------------ hooks

def hook_on_a_tensor(x):
    y = x * x
    if y.requires_grad:
        y.register_hook(lambda g: g * 1.)
    return (y * y.sin()).sum()


def hooks_on_a_node(x):
    y = x * x
    if y.grad_fn is not None:
        y.grad_fn.register_prehook(lambda outer: (outer[0] * 1.,))
        y.grad_fn.register_hook(lambda inner, outer: tuple(None if g is None else g * 1. for g in inner))
    return (y * y.sin()).sum()


def hooks_around_writes(x):
    y = x * x
    view = y[1:]
    for tensor in (y, view) if y.requires_grad else ():
        tensor.register_hook(lambda g: g * 1.)
    y.mul_(x)
    view.sin_()
    return (y * K).sum() + view.prod()


def gradients_retained_around_writes(x):
    y = x * x
    view = y[1:]
    for tensor in (y, view) if y.requires_grad else ():
        tensor.register_hook(lambda g: g * 1.)
        tensor.retain_grad()
    y.mul_(x)
    view.sin_()
    return (y * K).sum() + view.prod()


def hook_on_several_tensors(x):
    y, z = x * x, x.sin()
    if y.requires_grad:
        register_multi_grad_hook((y, z), lambda gradients: None)
    return (y * y.sin() * z).sum()


# ------------------------------------------------------------------------------ modules

def filled(module):
    """The module, with parameters that are the same wherever the tests run."""
    with torch.no_grad():
        for i, p in enumerate(module.parameters()):
            p.copy_(torch.linspace(-1, 1, p.numel(), dtype=torch.float64).reshape(p.shape) * (0.5 + 0.1 * i) + 0.05 * i)
    return module.eval()


linear = filled(nn.Linear(3, 3).double())
recurrent = filled(nn.LSTM(3, 2).double())
attentive = filled(nn.TransformerEncoderLayer(4, 2, 8).double())
weighted = filled(nn.utils.parametrizations.weight_norm(nn.Linear(3, 3).double()))


def rows_of(numbers):
    return torch.stack([numbers, numbers * numbers, numbers.sin(), K])


def called_with_other_parameters(x):
    return func.functional_call(linear, {"bias": x * x}, (x.sin(),)).pow(2).sum()


def copied_module(x):
    return copy.deepcopy(linear)(x * x).sin().sum()


def parametrized_module(x):
    return func.functional_call(weighted, {"parametrizations.weight.original0": x.reshape(3, 1)}, (x * x,)).sin().sum()


def recurrent_module(x):
    return recurrent(torch.stack([x, x * x]))[0].pow(2).sum()


def attention(x):
    z = rows_of(x).reshape(1, 1, 3, 4)
    return (scaled_dot_product_attention(z, z.cos(), z, is_causal=True).pow(2).sum()
            + attentive(z.reshape(3, 1, 4)).pow(2).sum())


def ensemble(x):
    parameters, buffers = func.stack_module_state([copy.deepcopy(linear) for _ in range(2)])
    parameters = {name: p.detach() for name, p in parameters.items()}
    outputs = func.vmap(lambda p, b, a: func.functional_call(linear, (p, b), (a,)), in_dims=(0, 0, None))(
        parameters, buffers, x * x)
    return outputs.sin().sum()


def normalizations(x):
    return (batch_norm(rows_of(x), None, None, training=True).pow(3).sum() + (layer_norm(x * x, (3,)) * K).sum()
            + (group_norm(torch.stack([x, x.sin()]).reshape(1, 2, 3), 1) * K).sum())


def windows(x):
    return conv1d(torch.cat([x, x * x]).reshape(1, 2, 3), x.sin().reshape(1, 1, 3).expand(2, 2, 3),
                  padding=1).pow(2).sum()


def tables(x):
    return (embedding_bag(torch.tensor([[0, 2], [1, 1]]), torch.outer(x, x), mode="mean").pow(2).sum()
            + embedding(torch.tensor([0, 0, 1]), torch.outer(x, x.sin())).pow(2).sum())


def image(x):
    where = (x.tanh() * 0.9)[None, None, :, None].expand(1, 1, 3, 2)
    return grid_sample(torch.outer(x, x)[None, None], where, align_corners=False).pow(2).sum()


def classes(x):
    return cross_entropy(torch.outer(x, x), K.softmax(0).expand(3, 3), label_smoothing=0.1)


# ------------------------------------------------------------------------------ writes

def writes_to_a_copy(x):
    y = x.clone()
    y.mul_(x)
    y[0:2].sin_()
    y[1] = x[2] * x[0]
    return (y * K).sum()


def writes_to_views(x):
    y = torch.outer(x, x.cos())
    turned = y.t()
    turned[0].mul_(x)
    turned[1:].add_(1).pow_(2)
    y.view(-1)[2:4] *= x[1]
    y.diagonal().exp_()
    return y.pow(2).sum()


def writes_by_positions(x):
    y = torch.outer(x, x)
    y[[0, 2], [1, 1]] = x[:2].sin()
    y.index_add_(0, torch.tensor([1, 1]), torch.stack([x, x * x]))
    y.scatter_(1, torch.tensor([[0], [1], [2]]), x[:, None] ** 3)
    y.masked_fill_(torch.tensor([True, False, False]), x[1] * x[2])
    return y.pow(2).sum()


def writes_in_parts_of_complex_numbers(x):
    z = torch.complex(x * x, x.sin())
    parts = torch.view_as_real(z * z)
    return (parts * K[:, None]).pow(2).sum() + (z * z.conj() * torch.exp(z)).abs().sum()


# ------------------------------------------------------------------------------ derivatives inside

def gradient_inside(x):
    g = func.grad(lambda a: (a.sin() * a).sum())(x)
    return (g * g).sum()


def recorded_gradient_inside(x):
    y = x * 1. if x.requires_grad else x.clone().requires_grad_()
    g, = grad((y.sin() * y * y).sum(), y, create_graph=True)
    return (g * g * y).sum()


def tangent_inside(x):
    return func.jvp(lambda a: a.sin() * a, (x,), (x * x,))[1].sum()


def cotangent_inside(x):
    y, pull = func.vjp(lambda a: a.sin() * a, x)
    return pull(y)[0].pow(2).sum()


def map_inside(x):
    return func.vmap(lambda a: a.sin() * a * x.sum())(x).sum()


def map_of_gradients_inside(x):
    g = func.vmap(func.grad(lambda w, b: (w * b).sin().prod()), in_dims=(None, 0))(x, torch.stack([K, K * 2]))
    return (g * g).sum()


def written_gradient_inside(x):
    def f(a):
        y = a * x
        y[0] = a[1]
        Writes.apply(y)
        return (y * y * a).sum()

    return func.grad(f)(x * x).pow(2).sum()


def written_tangent_inside(x):
    def f(a):
        y = a * x
        Writes.apply(y)
        return (y * y * a).sum()

    return func.jvp(f, (x,), (x * x,))[1]


def map_of_functions_inside(x):
    def f(a, b):
        y = a * a
        Writes.apply(y)
        return Cube.apply(a) * Two.apply(a, b)[0] * y

    return func.vmap(f, in_dims=(0, None))(torch.outer(x, x), x).sum()


def derivatives_that_close_over(x):
    slopes = func.jvp(lambda a: a * x * a.sin(), (x * x,), (x.cos(),))[1].sum()
    return slopes + func.vmap(lambda a: func.grad(lambda b: (b * x).sin().prod() * a)(x).sum())(K).sum()


def hessian_inside(x):
    return func.hessian(lambda a: (a.sin() * a).prod())(x).det()


def linear_part_inside(x):
    y, function = func.linearize(lambda a: a.sin() * a, x)
    return (function(x * x) * y).sum()


def dual_level_inside(x):
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(x, x * x)
        return forward_ad.unpack_dual(dual.sin() * dual).tangent.sum()


def jacobian_inside(x):
    return functional.jacobian(lambda a: a.sin() * a, x, create_graph=True).pow(2).sum()


def step_inside(x):
    def loss(w):
        return ((w * K).sin() - 1).pow(2).sum()

    return loss(x - 0.1 * func.grad(loss)(x))


def distributions(x):
    normal = torch.distributions.Normal(x, x * x + 1)
    other = torch.distributions.Normal(K, K * K + 1)
    gamma = torch.distributions.Gamma(x * x + 1, x * x + 2)
    return (normal.log_prob(K).sum() + torch.distributions.kl_divergence(normal, other).sum()
            + gamma.log_prob(K * K + 0.1).sum())


#: the functions above of x alone
FEATURES = [each for each in list(vars().values()) if inspect.isfunction(each) and each.__module__ == __name__
            and [*inspect.signature(each).parameters] == ["x"]]
