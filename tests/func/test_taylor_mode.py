"""Taylor mode against nested jvp on every row of the table, against known series, and among the other modes."""

import math

import numpy as np
import pytest

import minigrad as torch
from minigrad import autograd, nn
from minigrad.func import grad, jacfwd, jet, jvp, taylor, vmap
from minigrad.func.taylor_mode import Taylor
from tests.ops.test_forward_mode import direction, samples
from tests.ops.test_ops import DIFFERENTIABLE, each

float64 = torch.float64


# ------------------------------------------------------------------------------ every row

def along(function, inputs, terms):
    """The function of t that goes through the inputs along the curves with these derivatives."""
    def curve(t):
        moved = []
        for x, derivatives in zip(inputs, terms):
            for k, derivative in enumerate(derivatives, start=1):
                x = x + derivative * (t ** k / math.factorial(k)).to(derivative.dtype)
            moved.append(x)
        return tuple(function(*moved))

    return curve


def nested(function, order):
    """The derivatives of a function of one number at 0, by jvp of jvp of jvp."""
    t = torch.tensor(0.0, dtype=float64)
    found = [function(t)]
    for _ in range(order):
        function = lambda t, f=function: jvp(f, (t,), (torch.ones_like(t),))[1]
        found.append(function(t))
    return found


def seeded(function):
    def run(*args):
        torch.manual_seed(0)
        return tuple(function(*args))

    return run


def check(name, function, inputs, order):
    """True if the derivatives along a curve are those of nested jvp; False if both refuse."""
    function = seeded(function)
    inputs = [x.detach() for x in inputs]
    terms = [[direction(x) * 0.3 for _ in range(order)] for x in inputs]
    try:
        value, series = jet(function, tuple(inputs), tuple(map(tuple, terms)))
    except RuntimeError as problem:
        with pytest.raises(type(problem)):
            nested(along(function, inputs, terms), order)
        return False
    for k, expected in enumerate(nested(along(function, inputs, terms), order)):
        for y, more, e in zip(value, series, expected, strict=True):
            found = more[k - 1] if k else y
            assert found.dtype is e.dtype and found.shape == e.shape, name
            np.testing.assert_allclose(found.numpy(force=True), e.numpy(force=True), rtol=1e-6, atol=1e-8,
                                       err_msg=f"{name}: derivative {k}")
    return True


#: what nested jvp refuses, too: the memory of a tensor of a transform, and a third derivative of singular values
REFUSED = {"as_strided", "as_strided_scatter", "slice_inverse", "linalg.cond", "nuclear_norm", "linalg.matrix_norm",
           "norm", "linalg.norm", "linalg.svdvals", "svd", "det"}


#: where nested jvp takes minutes
LONG = {"linalg.qr", "qr", "linalg.householder_product", "orgqr", "ormqr", "linalg.lu", "linalg.lu_factor",
        "linalg.lu_factor_ex", "lu", "linalg.lu_solve", "lu_solve", "linalg.solve", "linalg.solve_ex",
        "linalg.solve_triangular", "triangular_solve", "linalg.tensorsolve", "linalg.lstsq", "cholesky_solve",
        "cholesky_inverse", "linalg.cholesky", "linalg.cholesky_ex", "cholesky", "linalg.eig", "linalg.eigvals",
        "linalg.matrix_exp", "matrix_exp", "grid_sample", "grid_sampler", "grid_sampler_2d", "grid_sampler_3d",
        "sample_order", "layer_norm", "rms_norm", "group_norm", "native_group_norm", "batch_norm", "instance_norm"}


@each(DIFFERENTIABLE)
@pytest.mark.drawn
def test_the_derivatives_of_each_row_are_those_of_nested_jvp(row):
    checked = [check(name, function, inputs, 3) for name, function, inputs in samples(row)]
    assert all(checked) or row.name in REFUSED


@each(DIFFERENTIABLE)
def test_the_first_two_orders_have_a_way_of_their_own(row):
    for name, function, inputs in list(samples(row))[:1]:
        assert check(name, function, inputs, 2) or row.name in REFUSED


@pytest.mark.drawn
@each(DIFFERENTIABLE)
def test_they_are_to_order_five(row):
    for name, function, inputs in list(samples(row))[:1]:
        check(name, function, inputs, 3 if row.name in LONG or row.name in REFUSED else 5)


def test_a_row_that_claimed_to_be_linear_would_be_seen(monkeypatch):
    monkeypatch.setattr("minigrad.func.taylor_mode.is_straight", lambda op, moving: True)
    row = next(row for row in DIFFERENTIABLE if row.name == "exp")
    with pytest.raises(AssertionError, match="derivative 2"):
        for name, function, inputs in samples(row):
            check(name, function, inputs, 3)


# ------------------------------------------------------------------------------ closed forms

def binomial(power, k):
    return math.prod([(power - i) / (i + 1) for i in range(k)])


@pytest.mark.parametrize("function, coefficient", [
    (lambda t: torch.exp(t), lambda k: 1 / math.factorial(k)),
    (lambda t: torch.sin(t), lambda k: [0, 1, 0, -1][k % 4] / math.factorial(k)),
    (lambda t: torch.cos(t), lambda k: [1, 0, -1, 0][k % 4] / math.factorial(k)),
    (lambda t: torch.log1p(t), lambda k: (-1) ** (k + 1) / k if k else 0),
    (lambda t: 1 / (1 - t), lambda k: 1),
    (lambda t: (1 + t) / (1 - t), lambda k: 2 if k else 1),
    (lambda t: torch.sqrt(1 + t), lambda k: binomial(0.5, k)),
    (lambda t: (1 + t) ** -2.5, lambda k: binomial(-2.5, k)),
    (lambda t: torch.atan(t), lambda k: [0, 1, 0, -1][k % 4] / max(k, 1)),
    (lambda t: torch.atanh(t), lambda k: k % 2 / max(k, 1)),
    (lambda t: t / (1 - t - t * t), lambda k: [0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55][k]),
    (lambda t: torch.erf(t) * math.sqrt(math.pi) / 2,
     lambda k: k % 2 * (-1) ** (k // 2) / (math.factorial(k // 2) * k) if k else 0),
], ids=["exp", "sin", "cos", "log1p", "geometric", "quotient", "sqrt", "pow", "atan", "atanh", "Fibonacci", "erf"])
def test_the_coefficients_of_a_known_series(function, coefficient):
    zero, one = torch.tensor(0.0, dtype=float64), torch.tensor(1.0, dtype=float64)
    value, series = jet(function, (zero,), ((one, *[zero] * 9),), factorial_scaled=False)
    expected = [coefficient(k) for k in range(11)]
    assert [value.item(), *[c.item() for c in series]] == pytest.approx(expected, rel=1e-12, abs=1e-13)


def test_the_terms_are_derivatives_as_in_jax():
    """sin(z ** 3) at 0.5; the numbers are those in the documentation of jax.experimental.jet."""
    h = [torch.tensor(x, dtype=float64) for x in (0.5 ** 3, 3 * 0.5 ** 2, 6 * 0.5)]
    value, (first, second) = jet(torch.sin, (h[0],), ((h[1], h[2]),))
    assert (value.item(), first.item(), second.item()) == pytest.approx((0.12467473, 0.74414825, 2.9064634), rel=1e-7)
    plain = jet(torch.sin, (h[0],), ((h[1], h[2] / 2),), factorial_scaled=False)[1]
    assert [c.item() for c in plain] == pytest.approx([first.item(), second.item() / 2])


def test_kinks_follow_the_value():
    x, v = torch.tensor([-1.0, 2.0]), torch.tensor([1.0, 1.0])
    assert [y.tolist() for y in taylor(lambda x: torch.relu(x) ** 2, x, v, 3)] == [[0, 4], [0, 4], [0, 2], [0, 0]]
    first = taylor(lambda x: x * 2 if x.sum() > 0 else x * 3, x, v, 1)[1]
    assert first.tolist() == [2, 2]


# ------------------------------------------------------------------------------ cost

def operations(function, order, monkeypatch):
    count = 0
    through = Taylor.through

    def counted(self, op, args):
        nonlocal count
        count += 1
        return through(self, op, args)

    x = torch.linspace(0.5, 1.5, 9, dtype=float64).reshape(3, 3) + 2 * torch.eye(3, dtype=float64)
    with monkeypatch.context() as patch:
        patch.setattr(Taylor, "through", counted)
        taylor(function, x, torch.ones_like(x), order)
    return count


@pytest.mark.parametrize("function", [
    torch.exp, torch.sin, torch.tanh, torch.log, torch.sqrt, torch.sigmoid, nn.functional.gelu, torch.erf,
    torch.linalg.inv, torch.linalg.cholesky, torch.linalg.qr, torch.linalg.lu_factor,
    lambda x: torch.linalg.solve(x, x * x), lambda x: torch.linalg.solve_triangular(x, x * x, upper=True),
    lambda x: torch.linalg.eigh(x @ x.T)[1],
    lambda x: torch.logsumexp(x, 0), lambda x: torch.softmax(x, 0), lambda x: grad(softmax_of)(x),
    lambda x: nn.functional.layer_norm(x, (3,), x[0], x[1]), lambda x: nn.functional.rms_norm(x, (3,)),
    lambda x: grad(normalized)(x), lambda x: nn.functional.batch_norm(x, None, None, training=True),
    lambda x: x ** 4, lambda x: x ** -3,
    lambda x: (1 + x) / (2 + x * x), lambda x: x @ x @ x, lambda x: torch.tanh(x @ x) @ x])
def test_a_row_is_not_made_again_for_each_order(function, monkeypatch):
    """So all orders together cost what the products of the coefficients do: the square of the order."""
    assert operations(function, 12, monkeypatch) == operations(function, 6, monkeypatch)


@pytest.mark.parametrize("function, more", [
    (lambda x: x ** 2.5, 2), (torch.lgamma, 2), (torch.digamma, 2), (lambda x: torch.polygamma(1, x), 2),
    (torch.sinc, 2), (lambda x: x ** x, 24),
    (lambda x: nn.functional.multi_margin_loss(x, torch.tensor([0, 1, 2])), 3)])
def test_some_rows_make_a_few_more_with_each_order(function, more, monkeypatch):
    """Each derivative of these is a function of its own, so that the cost is the cube of the order."""
    six, nine, twelve = [operations(function, order, monkeypatch) for order in (6, 9, 12)]
    assert (twelve - nine, nine - six) == (3 * more, 3 * more)


def test_the_one_row_that_makes_more_and_more(monkeypatch):
    """A derivative of a sample between pixels is one of another order in each direction: the fourth power."""
    images = torch.linspace(0, 1, 9, dtype=float64).reshape(1, 1, 3, 3)
    places = lambda x: torch.stack([x, x * x], -1)[None] / 3
    sampled = lambda x: nn.functional.grid_sample(images * x[0, 0], places(x), align_corners=False)
    three, four, five, six = [operations(sampled, order, monkeypatch) for order in (3, 4, 5, 6)]
    assert 2 * five - six - four <= 0 < six - 3 * five + 3 * four - three < 20


@pytest.mark.parametrize("function", [
    torch.sin, lambda x: torch.softmax(x, 0), lambda x: nn.functional.layer_norm(x, (3,)), lambda x: torch.tanh(x @ x)])
def test_two_orders_take_no_more_operations_than_nested_jvp(function):
    """Of the level at the bottom, which does all the work."""
    x = torch.linspace(0.5, 1.5, 9, dtype=float64).reshape(3, 3)
    v = torch.ones_like(x)
    inner = lambda x: jvp(function, (x,), (v,))[1]
    counts = []
    for run in (lambda: taylor(function, x, v, 2), lambda: jvp(inner, (x,), (v,))):
        with autograd.profiler.profile() as found:
            run()
        counts.append(sum([event.count for event in found.key_averages()]))
    assert counts[0] <= counts[1]


# ------------------------------------------------------------------------------ among the other modes


def softmax_of(x):
    return torch.softmax(x, 0).square().sum()


def normalized(x):
    return nn.functional.layer_norm(x, (3,), x[0]).pow(3).sum()


def f(x):
    return torch.tanh(x @ x).sum() + (x * x.exp()).prod()


@pytest.fixture
def point():
    generator = np.random.default_rng(3)
    return torch.tensor(generator.normal(size=(2, 2))), torch.tensor(generator.normal(size=(2, 2)))


def test_the_gradient_of_a_derivative(point):
    x, v = point
    third = lambda x: taylor(f, x, v, 3)[3]
    expected = taylor(grad(f), x, v, 3)[3]             # the third derivative of the gradient
    torch.testing.assert_close(grad(third)(x), expected)
    leaf = x.clone().requires_grad_()
    third(leaf).backward()
    torch.testing.assert_close(leaf.grad, expected)


def test_it_maps(point):
    x, v = point
    xs, vs = torch.stack([x, v, x + v]), torch.stack([v, x, v - x])
    mapped = vmap(lambda x, v: taylor(f, x, v, 3))(xs, vs)
    for k, found in enumerate(mapped):
        torch.testing.assert_close(found, torch.stack([taylor(f, a, b, 3)[k] for a, b in zip(xs, vs)]))
    inside = taylor(lambda xs: vmap(f)(xs), xs, vs, 3)
    torch.testing.assert_close(inside, mapped)


def test_it_nests(point):
    """A derivative along v of the derivatives along w: mixed ones."""
    x, v = point
    w = v @ x
    inner = lambda x: taylor(f, x, w, 2)[2]
    found = taylor(inner, x, v, 2)[2]
    expected = nested(lambda t: nested_along(inner_by_jvp(f, w), x, v)(t), 2)[2]
    torch.testing.assert_close(found, expected)


def nested_along(function, x, v):
    return lambda t: function(x + t * v)


def inner_by_jvp(function, w):
    first = lambda x: jvp(function, (x,), (w,))[1]
    return lambda x: jvp(first, (x,), (w,))[1]


def test_a_gradient_inside(point):
    """v^T H v and the third derivative in one direction, from the gradient."""
    x, v = point
    value, slope, bend = taylor(lambda x: (grad(f)(x) * v).sum(), x, v, 2)
    torch.testing.assert_close((value, slope, bend), taylor(f, x, v, 3)[1:])


def test_complex_numbers():
    z, w = torch.tensor([0.3 + 0.4j, -1j]), torch.tensor([1 - 2j, 0.5 + 0j])
    for found, k in zip(taylor(torch.exp, z, w, 3), range(4)):
        torch.testing.assert_close(found, w ** k * z.exp())
    square = taylor(lambda z: z.abs() ** 2, z, w, 3)
    torch.testing.assert_close(square[1], 2 * (z.conj() * w).real)
    torch.testing.assert_close(square[2], 2 * w.abs() ** 2)
    torch.testing.assert_close(square[3], torch.zeros(2))


def test_a_module_and_its_parameters():
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1)).double()
    x, v = torch.rand(5, 3, dtype=float64), torch.rand(5, 3, dtype=float64)
    second = taylor(net, x, v, 2)[2]
    hessians = vmap(lambda x: jacfwd(jacfwd(lambda x: net(x)[0]))(x))(x)
    torch.testing.assert_close(second[:, 0], torch.einsum("bi,bij,bj->b", v, hessians, v))
    second.square().sum().backward()
    assert [p.grad is not None for p in net.parameters()] == [True, True, True, False]


class Cube(autograd.Function):
    """Its jvp says 5 x^2, not 3 x^2, so that one sees that it is asked."""

    @staticmethod
    def forward(x):
        return x ** 3

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_forward(*inputs)

    @staticmethod
    def jvp(ctx, t):
        x, = ctx.saved_tensors
        return 5 * x ** 2 * t


def test_a_function_with_a_jvp():
    x, v = torch.tensor(2.0), torch.tensor(1.0)
    assert [y.item() for y in taylor(Cube.apply, x, v, 3)] == [8, 20, 20, 10]


class Doubling(autograd.Function):
    @staticmethod
    def forward(x):
        return x.mul_(2)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.mark_dirty(inputs[0])

    @staticmethod
    def jvp(ctx, t):
        return t.mul_(2)


@pytest.mark.parametrize("order", [1, 2, 3])
def test_a_function_that_writes_is_refused(order):
    x, v = torch.ones(2), torch.ones(2)
    with pytest.raises(RuntimeError, match="Doubling returns one of its arguments, or writes to it"):
        taylor(lambda x: Doubling.apply(x * 1), x, v, order)


@pytest.mark.parametrize("mode", [torch.no_grad, torch.inference_mode])
def test_it_does_not_need_a_recording(mode):
    x, v = torch.tensor([0.5]), torch.tensor([1.0])
    with mode():
        for order in (1, 2, 3):
            torch.testing.assert_close(taylor(torch.exp, x, v, order), (x.exp(),) * (order + 1))


def test_what_does_not_depend_on_the_argument_has_zeros():
    x = torch.ones(2)
    assert [y.tolist() for y in taylor(lambda x: torch.ones(3), x, x, 2)] == [[1, 1, 1], [0, 0, 0], [0, 0, 0]]
    assert [y.tolist() for y in taylor(lambda x: x.argmax(), x, x, 1)] == [0, 0]
    value, (first,) = jet(lambda x: x.detach() * x, (x,), ((3 * x,),))
    assert first.tolist() == [3, 3]


def test_a_tree_of_results():
    x, v = torch.tensor([1.0, 2.0]), torch.tensor([1.0, 0.0])
    value, series = jet(lambda x: {"square": x * x, "parts": (x[0], x.sum())}, (x,), ((v, torch.zeros(2)),))
    assert value["square"].tolist() == [1, 4] and [y.tolist() for y in series["square"]] == [[2, 0], [2, 0]]
    assert [y.item() for y in series["parts"][1]] == [1, 0]
    again = taylor(lambda x: (x * x, x[0]), x, v, 1)
    assert again[1][0].tolist() == [2, 0] and again[1][1].item() == 1


def test_constants_that_are_written_to_meanwhile():
    """Coefficients are computed at once, so what a tensor is later does not count."""
    x = torch.tensor([1.0, 2.0])

    def function(x):
        factor = torch.tensor([2.0, 3.0])
        y = factor * x * x
        factor.zero_()
        return y

    assert [y.tolist() for y in taylor(function, x, torch.ones(2), 2)] == [[2, 12], [4, 12], [4, 6]]


# ------------------------------------------------------------------------------ errors

def test_errors():
    x = torch.ones(2)
    with pytest.raises(RuntimeError, match=r"mul_ inside jet or taylor.*out-of-place mul"):
        taylor(lambda x: x.clone().mul_(2), x, x, 2)
    with pytest.raises(RuntimeError, match="inside jet or taylor"):
        taylor(lambda x: torch.zeros(2).add_(x), x, x, 2)
    with pytest.raises(RuntimeError, match=r"1 primals need as many series, and there are 2"):
        jet(torch.sin, (x,), ((x,), (x,)))
    with pytest.raises(RuntimeError, match="the series have 1, 2 terms"):
        jet(torch.mul, (x, x), ((x,), (x, x)))
    with pytest.raises(ValueError, match="must be tensors, got <class 'float'>"):
        jet(torch.sin, (x,), ((1.0,),))
    with pytest.raises(RuntimeError, match="different size"):
        jet(torch.sin, (x,), ((torch.ones(3),),))
    with pytest.raises(ValueError, match="Integers have no small changes"):
        jet(torch.sin, (torch.tensor([1, 2]),), ((x,),))
    with pytest.raises(RuntimeError, match="order must be an int from 0 up, got -1"):
        taylor(torch.sin, x, x, -1)
    with pytest.raises(RuntimeError, match="non-empty output"):
        jet(lambda x: None, (x,), ((x,),))
    assert taylor(torch.sin, x, x, 0)[0].tolist() == torch.sin(x).tolist()


def test_the_terms_are_read_as_jvp_reads_tangents():
    x, v = torch.ones(2), torch.ones(2)
    with pytest.raises(ValueError, match=r"jet\(fun, primals, series\): Expected a real tangent"):
        jet(torch.sin, (x,), ((torch.tensor([1j, 1j]),),))
    with pytest.raises(ValueError, match="Expected tangent to be floating point or complex"):
        jet(torch.sin, (x,), ((torch.tensor([1, 2]),),))
    assert jet(lambda x: x, (x,), ((v.double(),),))[1][0].dtype is torch.float32
    assert taylor(lambda x: x, x, v, 1)[1] is not v


def test_a_write_leaves_everything_as_it_was():
    x, made = torch.ones(2), torch.zeros(2)
    with pytest.raises(RuntimeError):
        taylor(lambda x: made.copy_(x), x, x, 2)
    assert made.tolist() == [0, 0] and made._version == 0
