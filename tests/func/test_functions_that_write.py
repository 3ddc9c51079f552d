"""Custom Functions with mark_dirty inside transforms: what they write to has the right derivative in every mode."""

import itertools

import pytest

import minigrad as torch
from minigrad.func import grad, hessian, jacfwd, jacrev, jvp, vmap
from tests.checking import refuses

X = torch.tensor([0.4, -0.9, 1.3], dtype=torch.float64)
T = torch.tensor([0.7, 0.2, -0.5], dtype=torch.float64)


class AddSquare(torch.autograd.Function):
    """y += x * x; its `jvp` changes the tangent of y in place, as PyTorch wants it."""

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
        x, = ctx.saved_tensors
        return g, g * 2 * x

    @staticmethod
    def jvp(ctx, of_y, of_x):
        x, = ctx.saved_tensors
        return of_y.add_(2 * x * of_x)


class ExponentialOfSum(AddSquare):
    """y = exp(y + x), whose derivative needs what was written."""

    @staticmethod
    def forward(y, x):
        return y.add_(x).exp_()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.mark_dirty(inputs[0])
        ctx.save_for_backward(output)
        ctx.save_for_forward(output)

    @staticmethod
    def backward(ctx, g):
        y, = ctx.saved_tensors
        return g * y, g * y

    @staticmethod
    def jvp(ctx, of_y, of_x):
        y, = ctx.saved_tensors
        return of_y.add_(of_x).mul_(y)


class AddSquareNamingTangents(AddSquare):
    """A tangent that is not there arrives as None, and that of y is new where y had none."""

    @staticmethod
    def setup_context(ctx, inputs, output):
        AddSquare.setup_context(ctx, inputs, output)
        ctx.set_materialize_grads(False)

    @staticmethod
    def jvp(ctx, of_y, of_x):
        x, = ctx.saved_tensors
        if of_x is None:
            return of_y
        return 2 * x * of_x if of_y is None else of_y.add_(2 * x * of_x)


def add_square(y, x):
    return y + x * x


def exponential_of_sum(y, x):
    return (y + x).exp()


def written_to(add, x):
    y = x * x
    after = add(y, x)
    return (after * after * x).sum() if add in OUT_OF_PLACE else (y * y * x).sum()


def written_and_returned(add, x):
    y = x * x
    after = add(y, x)
    return (after * after * x).sum() if add in OUT_OF_PLACE else (y * after * x).sum()


def written_twice(add, x):
    y = x * x
    z = add(y, x)
    z = add(z, x.sin())
    return (z * z * x).sum() if add in OUT_OF_PLACE else (y * y * x).sum()


def made_inside(add, x):
    y = torch.zeros(3, dtype=torch.float64)
    after = add(y, x)
    return (after * after * x).sum() if add in OUT_OF_PLACE else (y * y * x).sum()


def made_like_the_argument(add, x):
    y = torch.zeros_like(x)
    after = add(y, x)
    return (after * after * x).sum() if add in OUT_OF_PLACE else (y * y * x).sum()


def seen_by_a_view(add, x):
    y = x * x
    seen = y[:2]
    after = add(y, x)
    return (after * after * x).sum() + (after[:2] if add in OUT_OF_PLACE else seen).prod()


def of_a_constant(add, x):
    y = x * x
    after = add(y, torch.ones(3, dtype=torch.float64))
    return (after * after * x).sum() if add in OUT_OF_PLACE else (y * y * x).sum()


def then_written_by_an_operation(add, x):
    y = x * x
    after = add(y, x)
    if add in OUT_OF_PLACE:
        return (after * 2 * after * x).sum() * 2
    after.mul_(2)
    return (y * after * x).sum()


FUNCTIONS = {AddSquare: add_square, AddSquareNamingTangents: add_square, ExponentialOfSum: exponential_of_sum}
OUT_OF_PLACE = {*FUNCTIONS.values()}
PROGRAMS = [written_to, written_and_returned, written_twice, made_inside, made_like_the_argument, seen_by_a_view,
            of_a_constant, then_written_by_an_operation]
BATCH = torch.stack([X, X * 0.5 + 0.1])


def hvp(f, x=X):
    return grad(lambda a: (grad(f)(a) * T).sum())(x)


MODES = {
    "grad": lambda f: grad(f)(X),
    "jvp": lambda f: jvp(f, (X,), (T,))[1],
    "jvp of grad": lambda f: torch.cat(jvp(grad(f), (X,), (T,))),
    "grad of jvp": lambda f: grad(lambda a: jvp(f, (a,), (T,))[1])(X),
    "grad of grad": hvp,
    "jvp of jvp": lambda f: jvp(lambda a: jvp(f, (a,), (T,))[1], (X,), (T,))[1],
    "grad of grad of jvp": lambda f: hvp(lambda a: jvp(f, (a,), (T,))[1]),
    "jvp of grad of jvp": lambda f: jvp(grad(lambda a: jvp(f, (a,), (T,))[1]), (X,), (T,))[1],
    "jvp of jvp of grad": lambda f: jvp(lambda a: jvp(grad(f), (a,), (T,))[1], (X,), (T,))[1],
}
MAPPED = {
    "vmap": lambda f: vmap(f)(BATCH),
    "vmap of grad": lambda f: vmap(grad(f))(BATCH),
    "grad of vmap": lambda f: grad(lambda b: (vmap(f)(b) * T[:2]).sum())(BATCH),
    "vmap of jvp": lambda f: vmap(lambda a: jvp(f, (a,), (T,))[1])(BATCH),
    "jvp of vmap": lambda f: jvp(vmap(f), (BATCH,), (BATCH.sin(),))[1],
    "hessian": lambda f: hessian(f)(X),
    "jacrev of jacfwd": lambda f: jacrev(jacfwd(f))(X),
    "vmap of jvp of grad": lambda f: vmap(lambda a: jvp(grad(f), (a,), (T,))[1])(BATCH),
}


def fits(program, function, mode):
    """What is the same for all examples has no room for several; and what a Function has saved is not written to."""
    return not (program is made_inside and mode in MAPPED
                or function is ExponentialOfSum and program in (written_twice, then_written_by_an_operation))


@pytest.mark.parametrize("program, function, mode", [
    case for case in itertools.product(PROGRAMS, FUNCTIONS, [*MODES, *MAPPED]) if fits(*case)])
def test_a_write_has_the_derivative_of_what_was_written(program, function, mode):
    derive = MODES.get(mode) or MAPPED[mode]
    expected = derive(lambda x: program(FUNCTIONS[function], x))
    found = derive(lambda x: program(function.apply, x))
    assert torch.allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize("mode", MODES)
def test_a_write_to_a_tensor_from_outside_is_refused(mode):
    outside = torch.zeros(3, dtype=torch.float64)

    def function(x):
        AddSquare.apply(outside, x)
        return (outside * outside * x).sum()

    with refuses(RuntimeError, "(AddSquare.apply) that would mutate a captured Tensor", "MG117"):
        MODES[mode](function)


@pytest.mark.parametrize("mode", ["vmap", "vmap of grad", "jvp of vmap"])
def test_a_write_to_what_is_the_same_for_all_examples_is_refused(mode):
    with refuses(RuntimeError, "(add_: the tensor on the left is the same for all examples", "MG117"):
        MAPPED[mode](lambda x: made_inside(AddSquare.apply, x))


class AddNewTangent(AddSquare):
    @staticmethod
    def jvp(ctx, of_y, of_x):
        x, = ctx.saved_tensors
        return of_y + 2 * x * of_x


def in_a_dual_level(function, x=X):
    with torch.autograd.forward_ad.dual_level():
        return torch.autograd.forward_ad.unpack_dual(function(torch.autograd.forward_ad.make_dual(x, T))).tangent


@pytest.mark.parametrize("derive", [MODES["jvp"], MODES["jvp of grad"], in_a_dual_level])
def test_a_tangent_that_is_there_must_be_changed_in_place(derive):
    with refuses(RuntimeError, "not modifying the forward mode gradients inplace", "MG302"):
        derive(lambda x: written_to(AddNewTangent.apply, x))


@pytest.mark.parametrize("derive", [MODES["jvp"], in_a_dual_level])
@pytest.mark.parametrize("function", [AddNewTangent, AddSquareNamingTangents])
def test_the_tangent_of_what_had_none_may_be_new(derive, function):
    expected = derive(lambda x: made_inside(add_square, x))
    assert torch.allclose(derive(lambda x: made_inside(function.apply, x)), expected)


def test_the_argument_itself_is_returned():
    def function(x):
        y = x * x
        assert AddSquare.apply(y, x) is y
        return y.sum()

    for derive in (*MODES.values(), *MAPPED.values()):
        derive(function)
