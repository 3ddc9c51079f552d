"""Implicit functions against unrolled solvers, finite differences and formulas; what is refused, and by which code."""

import itertools
import math

import numpy as np
import pytest

import minigrad as torch
from minigrad.autograd import detect_anomaly, forward_ad, gradcheck, gradgradcheck
from minigrad.autograd.graph import allow_mutation_on_saved_tensors, save_on_cpu, saved_tensors_hooks
from minigrad.func import (functional_call, grad, hessian, implicit, implicit_functions, jacfwd, jacrev, jet, jvp,
                           linear_systems, taylor, vjp, vmap)
from minigrad.utils.checkpoint import checkpoint

optimize, sparse = pytest.importorskip("scipy.optimize"), pytest.importorskip("scipy.sparse.linalg")

float64, complex128 = torch.float64, torch.complex128


def number(value, dtype=float64, **how):
    return torch.tensor(value, dtype=dtype, **how)


def square_root(**options):
    """A square root by another name."""
    return implicit(lambda y, x: y * y - x, lambda x: math.sqrt(x.item()), **options)


def forward(f):
    return lambda x: jvp(f, (x,), (torch.ones_like(x),))[1]


@pytest.fixture(params=["dense", "by products"])
def either(request, monkeypatch):
    """The same by matrices, and by products alone."""
    if request.param == "by products":
        monkeypatch.setattr(implicit_functions, "DENSE", 0)


# ------------------------------------------------------------------------------ orders and modes

@pytest.mark.parametrize("modes", itertools.product((forward, grad), repeat=3))
def test_three_orders_in_both_modes_and_batches(modes, either):
    found, expected = square_root(), torch.sqrt
    for mode in modes:
        found, expected = mode(found), mode(expected)
        assert torch.allclose(found(number(2.)), expected(number(2.)), rtol=1e-12)
        batch = number([2., 3., 0.5])
        assert torch.allclose(vmap(found)(batch), vmap(expected)(batch), rtol=1e-12)


def test_taylor_mode(either):
    x, v = number(2.), number(0.5)
    for found, expected in zip(taylor(square_root(), x, v, 5), taylor(torch.sqrt, x, v, 5)):
        assert torch.allclose(found, expected, rtol=1e-10)
    terms = (number(1.), number(-2.), number(0.3))
    assert torch.allclose(torch.stack(jet(square_root(), (x,), (terms,))[1]),
                          torch.stack(jet(torch.sqrt, (x,), (terms,))[1]), rtol=1e-10)


def test_backward_of_backward_of_backward(either):
    x = number(2., requires_grad=True)
    y, expected = square_root()(x), torch.sqrt(x)
    for _ in range(3):
        y, = torch.autograd.grad(y, x, create_graph=True)
        expected, = torch.autograd.grad(expected, x, create_graph=True)
        assert torch.allclose(y, expected, rtol=1e-12)


def test_dual_tensors():
    with forward_ad.dual_level():
        y = square_root()(forward_ad.make_dual(number(4.), number(3.)))
        assert forward_ad.unpack_dual(y).tangent.item() == 0.75
        x = number(4., requires_grad=True)
        y = square_root()(forward_ad.make_dual(x, number(3.)))
        forward_ad.unpack_dual(y).tangent.backward()
    assert torch.allclose(x.grad, number(-3 / 32))


# ------------------------------------------------------------------------------ several unknowns

def residual(y, p):
    return {"u": torch.tanh(p["W"] @ y["u"] + y["s"] * p["b"]) - y["u"],
            "s": 1 + 0.1 * (y["u"] * y["u"]).sum() - y["s"]}


def iterated(p):
    y = {"u": torch.zeros(3, dtype=p["b"].dtype), "s": torch.ones((), dtype=p["b"].dtype)}
    for _ in range(100):
        r = residual(y, p)
        y = {key: y[key] + r[key] for key in y}
    return y


def drawn(dtype=float64):
    random = np.random.default_rng(0)
    return number(random.normal(size=(3, 3)) * 0.2, dtype), number(random.normal(size=3) * 0.5, dtype)


def scalar_of(root):
    def of(W, b):
        y = root({"W": W, "b": b})
        return (y["u"] ** 2).sum() * y["s"] + y["u"][0]

    return of


def test_trees_against_an_unrolled_solver(either):
    W, b = drawn()
    found, expected = scalar_of(implicit(residual, iterated)), scalar_of(iterated)
    for derivative in grad, hessian:
        for x, y in zip(*[flat(derivative(f, (0, 1))(W, b)) for f in (found, expected)]):
            assert torch.allclose(x, y, rtol=1e-9, atol=1e-11)


def test_a_third_derivative_against_an_unrolled_solver():
    W, b = drawn()
    found, expected = scalar_of(implicit(residual, iterated)), scalar_of(iterated)
    third = jacfwd(hessian(expected, 1), 1)(W, b)
    assert torch.allclose(jacrev(hessian(found, 1), 1)(W, b), third, rtol=1e-9, atol=1e-11)


def flat(tree):
    return [tree] if isinstance(tree, torch.Tensor) else [leaf for branch in tree for leaf in flat(branch)]


def test_finite_differences(either):
    W, b = (x.requires_grad_() for x in drawn())
    root = implicit(residual, iterated)

    def of(W, b):
        y = root({"W": W, "b": b})
        return y["u"], y["s"]

    assert gradcheck(of, (W, b), check_forward_ad=True, check_batched_grad=True)
    assert gradgradcheck(of, (W, b), check_fwd_over_rev=True)


def test_the_names_of_the_unknowns_come_back():
    W, b = drawn()
    y = implicit(residual, iterated)({"W": W, "b": b})
    assert set(y) == {"u", "s"} and y["u"].shape == (3,) and y["s"].shape == ()
    pair = implicit(lambda y, x: (y[0] - x, y[1] - x[0]), lambda x: (x, x[0]))(b)
    assert type(pair) is tuple and pair[0].tolist() == b.tolist() and pair[1].item() == b[0].item()


def test_a_matrix_of_unknowns():
    def sylvester(Y, A, C):
        return A @ Y + Y @ A.mT - C

    def solver(A, C):
        eye = np.eye(3)
        return np.linalg.solve(np.kron(A.numpy(), eye) + np.kron(eye, A.numpy()), C.numpy().ravel()).reshape(3, 3)

    random = np.random.default_rng(1)
    A = number(random.normal(size=(3, 3)) * 0.2 + np.eye(3), requires_grad=True)
    C = number(random.normal(size=(3, 3)), requires_grad=True)
    root = implicit(sylvester, solver)
    assert root(A, C).shape == (3, 3)
    assert gradcheck(root, (A, C), check_forward_ad=True) and gradgradcheck(root, (A, C))


def test_what_needs_no_gradient():
    def power(y, x, how):
        return y ** how["k"] - x - how["shift"].to(x.dtype)

    root = implicit(power, lambda x, how: (x + how["shift"]) ** (1 / how["k"]))
    how = {"k": 3, "shift": torch.tensor(1), "name": "cube root", "nothing": None}
    x = number(7., requires_grad=True)
    root(x, how).backward()
    assert math.isclose(x.grad.item(), 1 / 12)
    constant = root(x.detach(), how)
    assert constant.item() == 2.0 and not constant.requires_grad
    assert implicit(lambda y: y - 2, lambda: 2.0)().item() == 2.0
    a, b = number(8., requires_grad=True), number(2., requires_grad=True)
    root = implicit(lambda y, a, b: b * y - a, lambda a, b: a / b)
    root(a, b).backward(inputs=[b])
    assert a.grad is None and b.grad.item() == -2.0


# ------------------------------------------------------------------------------ complex numbers

def cubic(y, p):
    return y * y * y + p * y - 1


def cubic_root(p):
    return np.roots([1, 0, p.item(), -1])[0]


def twisted(y, p):
    return y + 0.3 * y.conj() * y - 0.1 * p * y.abs() - p.conj()


def twisted_root(p):
    y = p * 0
    for _ in range(200):
        y = y - 0.5 * twisted(y, p)
    return y


@pytest.mark.parametrize("equation, solver", [(cubic, cubic_root), (twisted, twisted_root)])
def test_complex_unknowns_holomorphic_or_not(equation, solver, either):
    root = implicit(equation, solver)
    p = number(0.3 + 0.2j, complex128, requires_grad=True)
    assert root(p).dtype is complex128
    assert gradcheck(root, (p,), check_forward_ad=True) and gradgradcheck(root, (p,))


def test_a_complex_gradient_is_that_of_pytorch():
    p = number(0.3 + 0.2j, complex128, requires_grad=True)
    (found,), (expected,) = [torch.autograd.grad(f(p).abs() + f(p).real, p)
                             for f in (implicit(twisted, twisted_root), twisted_root)]
    assert torch.allclose(found, expected, rtol=1e-10)


def test_a_complex_root_of_a_real_parameter():
    root = implicit(lambda y, x: y * y + x, lambda x: 1j * math.sqrt(x.item()))
    x = number(2., torch.float32, requires_grad=True)
    y = root(x)
    assert y.dtype is torch.complex64
    y.imag.backward()
    assert math.isclose(x.grad.item(), 0.5 / math.sqrt(2), rel_tol=1e-6)


def test_real_and_complex_unknowns_in_one_tree():
    def equations(y, p):
        return y[0] - p.abs() - 0.1 * y[1].real, y[1] * y[0] - p

    def solver(p):
        r, z = p.abs(), p
        for _ in range(200):
            r, z = p.abs() + 0.1 * z.real, p / r
        return r, z

    root = implicit(equations, solver)
    p = number([1 + 2j, -0.5j], complex128, requires_grad=True)
    assert gradcheck(root, (p,), check_forward_ad=True) and gradgradcheck(root, (p,))


# ------------------------------------------------------------------------------ batches

def counting(returned, seen):
    def solver(*params):
        seen.append(params)
        return returned(*params)

    return solver


def test_under_vmap_the_solver_is_called_for_each_example():
    seen = []
    root = implicit(lambda y, x, a: a * y - x, counting(lambda x, a: x.numpy() / a.item(), seen))
    xs, a = number([[1., 2.], [3., 4.], [5., 6.]]), number(2.)
    assert vmap(root, in_dims=(0, None))(xs, a).tolist() == (xs / 2).tolist()
    assert len(seen) == 3 and all([x.shape == (2,) and not x._level for x, _ in seen])
    assert vmap(root, in_dims=(1, None), out_dims=1)(xs, a).tolist() == (xs / 2).tolist()
    assert vmap(vmap(lambda x, a: root(x[None], a)[0], in_dims=(0, None)), in_dims=(0, None))(xs, a).tolist() == (
        xs / 2).tolist()
    assert vmap(root, in_dims=(None, 0))(xs[0], number([1., 2.])).tolist() == [[1., 2.], [0.5, 1.]]


def test_a_solver_that_can_be_mapped_is_called_once():
    seen = []
    root = implicit(lambda y, x: y * y - x, counting(torch.sqrt, seen), generate_vmap_rule=True)
    xs = number([[1., 4.], [9., 16.]])
    assert vmap(root)(xs).tolist() == [[1., 2.], [3., 4.]] and len(seen) == 1
    assert vmap(vmap(grad(root)))(xs).tolist() == (0.5 / xs.sqrt()).tolist() and len(seen) == 2
    assert vmap(hessian(lambda x: root(x).sum()))(xs).shape == (2, 2, 2)


def test_one_matrix_for_many_gradients(either):
    W, b = drawn()
    root = implicit(residual, iterated)

    def of(b):
        return root({"W": W, "b": b})["u"]

    expected = jacfwd(lambda b: iterated({"W": W, "b": b})["u"])(b)
    assert torch.allclose(jacrev(of)(b), expected) and torch.allclose(jacfwd(of)(b), expected)
    bs = torch.stack([b, 2 * b])
    expected = vmap(jacfwd(lambda b: iterated({"W": W, "b": b})["u"]))(bs)
    assert torch.allclose(vmap(jacrev(of))(bs), expected) and torch.allclose(vmap(jacfwd(of))(bs), expected)
    assert torch.allclose(jacrev(vmap(of))(bs)[0, :, 0], expected[0])


# ------------------------------------------------------------------------------ any solver

def test_solvers_of_scipy_and_of_c():
    root = implicit(lambda y, a: torch.cos(y) - a * y,
                    lambda a: optimize.brentq(lambda y: math.cos(y) - a.item() * y, 0, 2))
    a = number(1.3, requires_grad=True)
    assert root(a).dtype is float64 and gradcheck(root, (a,), check_forward_ad=True) and gradgradcheck(root, (a,))
    W, b = drawn()
    found = implicit(lambda y, b: torch.tanh(W @ y + b) - y,
                     lambda b: optimize.root(lambda y: np.tanh(W.numpy() @ y + b.numpy()) - y, np.zeros(3)).x)
    assert gradcheck(found, (b.requires_grad_(),), check_forward_ad=True)
    x = number(0.25, requires_grad=True)
    implicit(lambda y, x: torch.exp(y) - x, lambda x: math.log(x))(x).backward()
    assert x.grad.item() == 4.0


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
def test_numbers_and_arrays_take_the_dtype_of_the_parameters(dtype):
    for solver in lambda x: math.sqrt(x.item()), lambda x: np.sqrt(np.array(x.item())), lambda x: np.float64(2.0):
        x = number(4., dtype, requires_grad=True)
        y = implicit(lambda y, x: y * y - x, solver)(x)
        y.backward()
        assert y.dtype is dtype and x.grad.dtype is dtype and y.item() == 2.0 and x.grad.item() == 0.25
    assert implicit(lambda y, x: y - x, lambda x: x.double())(number(1., torch.float32)).dtype is float64


def test_the_solver_is_not_recorded_and_may_differentiate():
    modes = []

    def newton(x):
        modes.append(torch.is_grad_enabled())
        assert not x.requires_grad
        y = torch.ones_like(x)
        for _ in range(20):
            y -= (y * y - x) / jacrev(lambda y: y * y - x)(y)
        with torch.enable_grad():
            y.requires_grad_()
            (y * y).backward()
        return y

    x = number(2., requires_grad=True)
    y = implicit(lambda y, x: y * y - x, newton)(x)
    y.backward()
    assert modes == [False] and torch.allclose(x.grad, 0.5 / y.detach())
    node, nodes = y.grad_fn, 0
    while node.next_functions:
        node, nodes = node.next_functions[-1][0], nodes + 1
    assert nodes == 2                                       # a view of the vector, the root, the leaf


def test_memory_of_the_solver_may_be_written_again():
    buffer = np.zeros(2)

    def solver(x):
        buffer[:] = x.numpy()
        return buffer

    root = implicit(lambda y, x: y * y / x - x, solver)
    x = number([1., 2.], requires_grad=True)
    y = root(x)
    root(number([5., 6.]))
    y.sum().backward()
    assert y.tolist() == [1., 2.] and x.grad.tolist() == [1., 1.]
    same = implicit(lambda y, x: y - x, lambda x: x)(x)
    assert same.data_ptr() != x.data_ptr()


def test_a_module_as_a_parameter():
    torch.manual_seed(0)
    layer = torch.nn.Linear(4, 4).double()
    with torch.no_grad():
        layer.weight *= 0.5

    def equation(z, weights, x):
        return torch.tanh(functional_call(layer, weights, (z,)) + x) - z

    def solver(weights, x):
        z = torch.zeros_like(x)
        for _ in range(100):
            z = z + equation(z, weights, x)
        return z

    x = torch.randn(3, 4, dtype=float64)
    implicit(equation, solver)(dict(layer.named_parameters()), x).square().sum().backward()
    found = [p.grad for p in layer.parameters()]
    layer.zero_grad()
    solver(dict(layer.named_parameters()), x).square().sum().backward()
    for g, p in zip(found, layer.parameters()):
        assert torch.allclose(g, p.grad, rtol=1e-9)


# ------------------------------------------------------------------------------ hooks, checkpoints, anomaly mode

def test_hooks_and_retained_gradients():
    x, seen = number(4., requires_grad=True), []
    y = square_root()(x)
    y.retain_grad()
    y.register_hook(lambda g: seen.append(g.item()) or 2 * g)
    y.backward()
    assert seen == [1.0] and y.grad.item() == 2.0 and x.grad.item() == 0.5


def test_saved_tensor_hooks_see_what_is_saved_and_no_more():
    seen, x = [], number(4., requires_grad=True)
    with saved_tensors_hooks(lambda t: seen.append(t) or t, lambda t: t):
        y = square_root()(x)
        assert len(seen) == 2                               # y and x
        y.backward()
    assert x.grad.item() == 0.25
    for block in save_on_cpu, allow_mutation_on_saved_tensors:
        with block():
            g, = torch.autograd.grad(square_root()(x), x, create_graph=True)
            assert torch.autograd.grad(g, x)[0].item() == -1 / 32
        with saved_tensors_hooks(lambda t: t, lambda t: t):
            pass                                            # they are as before


@pytest.mark.filterwarnings("ignore:Anomaly Detection")
@pytest.mark.parametrize("reentrant", [False, True])
def test_checkpoints_and_anomaly_mode(reentrant):
    x = number(4., requires_grad=True)
    with detect_anomaly():
        checkpoint(lambda x: 2 * square_root()(x), x, use_reentrant=reentrant).backward()
    assert x.grad.item() == 0.5


def test_a_solution_that_is_written_to():
    x = number([4.], requires_grad=True)
    y = square_root()(x[0])
    with pytest.raises(RuntimeError, match="modified by an inplace") as problem:
        y.add_(1)
        y.backward()
    assert problem.value.code == "MG101"


# ------------------------------------------------------------------------------ linear systems

def network(n):
    random = np.random.default_rng(2)
    return number(random.normal(size=(n, n)) * 0.4 / math.sqrt(n)), number(random.normal(size=n))


def layer(y, W, b):
    return torch.tanh(W @ y + b) - y


def settle(W, b):
    y = torch.zeros_like(b)
    for _ in range(60):
        y = torch.tanh(W @ y + b)
    return y


def exact(W, b, g):
    """The gradient with respect to b, by a matrix."""
    slope = 1 - settle(W, b) ** 2
    return torch.linalg.solve(torch.eye(len(b), dtype=float64) - W.mT * slope, g) * slope


def test_many_unknowns_never_make_a_matrix(monkeypatch):
    monkeypatch.setattr(implicit_functions, "dense_solution", None)
    W, b = network(1100)
    g = torch.linspace(-1, 1, 1100, dtype=float64)
    y, pull = vjp(implicit(layer, settle), W, b)
    gW, gb = pull(g)
    expected = exact(W, b, g)
    assert torch.allclose(gb, expected, rtol=1e-8, atol=1e-10)
    assert torch.allclose(gW, torch.outer(gb, y), rtol=1e-8, atol=1e-10)
    _, change = jvp(lambda b: implicit(layer, settle)(W, b), (b,), (g,))
    assert torch.allclose(change @ g, gb @ g, rtol=1e-9)


def scipy_gmres(multiply, b):
    operator = sparse.LinearOperator((len(b), len(b)), dtype=np.float64,
                                                  matvec=lambda x: multiply(torch.from_numpy(x)).numpy())
    return sparse.gmres(operator, b.numpy(), rtol=1e-12)[0]


def test_a_linear_solver_of_the_callers():
    W, b = network(20)
    g, calls = torch.ones(20, dtype=float64), []

    def linear_solver(multiply, b):
        calls.append(b.shape)
        return scipy_gmres(multiply, b)

    root = implicit(layer, settle, linear_solver=linear_solver)
    assert torch.allclose(vjp(root, W, b)[1](g)[1], exact(W, b, g), rtol=1e-9) and calls == [(20,)]
    plain = implicit(layer, settle)
    f, expected = (lambda b, root=root: (root(W, b) ** 2).sum()), (lambda b: (plain(W, b) ** 2).sum())
    assert torch.allclose(hessian(f)(b), hessian(expected)(b), rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("sign", [1, -1])
def test_conjugate_gradients_for_a_minimum(sign, monkeypatch):
    monkeypatch.setattr(implicit_functions, "DENSE", 0)
    monkeypatch.setattr(implicit_functions, "gmres", None)
    random = np.random.default_rng(3)
    X, t = number(random.normal(size=(40, 12))), number(random.normal(size=40))
    root = implicit(lambda w, decay: sign * (X.T @ (X @ w - t) + decay * w), lambda decay: np.linalg.solve(
        (X.T @ X).numpy() + decay.item() * np.eye(12), (X.T @ t).numpy()), symmetric=True)
    decay = number(0.7, requires_grad=True)
    assert gradcheck(root, (decay,), check_forward_ad=True) and gradgradcheck(root, (decay,))


@pytest.mark.parametrize("method", [linear_systems.gmres, linear_systems.conjugate_gradients])
def test_the_methods_solve_what_a_matrix_solves(method):
    random = np.random.default_rng(4)
    A = random.normal(size=(70, 70)) / 30
    A = number(A @ A.T + np.eye(70) if method is linear_systems.conjugate_gradients else A + np.eye(70))
    b = number(random.normal(size=70))
    x, products = method(lambda x: A @ x, b, 1e-12)
    assert torch.allclose(x, torch.linalg.solve(A, b), rtol=1e-9) and products < 70
    eye = torch.eye(70, dtype=float64)
    assert method(lambda x: eye @ x, b, 1e-12)[1] == 1


def test_gmres_begins_again():
    A = torch.diag(torch.linspace(1, 300, 300, dtype=float64))
    b = torch.ones(300, dtype=float64)
    x, products = linear_systems.gmres(lambda x: A @ x, b, 1e-8, restart=30)
    assert (A @ x - b).norm() < 2e-7 and products > 60


# ------------------------------------------------------------------------------ what is refused

def refused(code, call, *words):
    with pytest.raises((RuntimeError, TypeError)) as problem:
        call()
    assert problem.value.code == code, problem.value
    for word in words:
        assert word in str(problem.value)


def test_no_solution():
    refused("MG141", lambda: implicit(lambda y, x: y * y - x, lambda x: x / 2)(number(3.)), "7.5e-01", "rtol=")
    refused("MG141", lambda: implicit(lambda y, x: y * y - x, lambda x: x * math.nan)(number(3.)))
    refused("MG141", lambda: vmap(implicit(lambda y, x: y * y - x, lambda x: x / 2))(number([4., 3.])), "7.5e-01")
    refused("MG141", lambda: vmap(implicit(lambda y, x: y * y - x, lambda x: x / 2, generate_vmap_rule=True))(
        number([4., 3.])), "7.5e-01")
    refused("MG141", lambda: implicit(lambda y, x: (y[0] - x, y[1] - 2 * x), lambda x: (x, x))(number(3.)), "tensor 1")
    assert implicit(lambda y, x: y * y - x, lambda x: x / 2, rtol=1.0)(number(3.)).item() == 1.5


@pytest.mark.parametrize("unit", [1e-12, 1.0, 1e12])
def test_the_tolerance_has_no_unit(unit):
    def root(error):
        return implicit(lambda y, x: y ** 3 - x ** 3, lambda x: x * (1 + error))

    x = number([unit, 2 * unit])
    assert torch.allclose(root(1e-10)(x), x, rtol=1e-9, atol=0)
    refused("MG141", lambda: root(1e-6)(x))
    refused("MG141", lambda: root(-1.0)(x))
    single = x.float()
    assert torch.allclose(root(1e-6)(single), single, rtol=1e-5, atol=0)
    refused("MG141", lambda: root(1e-2)(single))


def test_unknowns_that_are_zero():
    root = implicit(lambda y, p: torch.sin(y) * p, lambda p: p * 0 + 1e-13)
    refused("MG141", lambda: root(number(2.)), "atol=")
    assert implicit(lambda y, p: torch.sin(y) * p, lambda p: p * 0)(number(2.)).item() == 0.0
    forgiving = implicit(lambda y, p: torch.sin(y) * p, lambda p: p * 0 + 1e-13, atol=1e-12)
    assert grad(forgiving)(number(2.)).abs() < 1e-12
    assert implicit(lambda y, p: y + p[0] - p[1], lambda p: 1e-12)(number([3., 3.])).item() == 1e-12


def test_a_solution_at_the_edge_of_the_domain():
    root = implicit(lambda y, p: torch.asin(y) * 2 / math.pi + p - 2 + (y - 1) * 1e-9, lambda p: 1.0)
    assert root(number(1.)).item() == 1.0


CAPTURED = implicit(lambda y, x: y - x, lambda x: x)


def captures(w, x=None):
    return implicit(lambda y, x: w * y - x, lambda x: x / 2)(number(3.) if x is None else x)


def test_a_tensor_that_is_captured():
    w = number(2., requires_grad=True)
    refused("MG142", lambda: captures(w), "functional_call")
    refused("MG142", lambda: grad(captures)(number(2.)))
    refused("MG142", lambda: grad(lambda x: captures(number(2.) * x / x.detach(), x))(number(2.)))
    refused("MG142", lambda: grad(lambda x: captures(w, x))(number(2.)))
    refused("MG142", lambda: vmap(captures)(number([2.])))
    refused("MG142", lambda: vmap(lambda x: captures(number(2.) + 0 * x, number(3.)))(number([2.])))
    refused("MG142", lambda: jvp(captures, (number(2.),), (number(1.),)))
    refused("MG142", lambda: jet(captures, (number(2.),), ((number(1.),),)))
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(number(2.), number(1.))
        refused("MG142", lambda: captures(dual))
        refused("MG142", lambda: captures(dual, forward_ad.make_dual(number(3.), number(1.))))
    with torch.no_grad():
        assert captures(w).item() == 1.5
    assert captures(w.detach()).item() == captures(number(2.)).item() == 1.5
    x = number([3.], requires_grad=True)
    assert vmap(lambda x: captures(number(2.), x))(x).tolist() == [1.5]


def test_a_singular_jacobian(either):
    x = number(0., requires_grad=True)
    fold = implicit(lambda y, x: y * y - x, torch.sqrt)
    refused("MG143", lambda: fold(x).backward(), "singular")
    refused("MG143", lambda: jvp(fold, (x.detach(),), (number(1.),)))
    x = number([1., 2.], requires_grad=True)
    open_ = implicit(lambda y, x: torch.stack([y.sum() - x.sum(), 2 * y.sum() - 2 * x.sum()]), lambda x: x)
    refused("MG143", lambda: open_(x)[0].backward(), "singular")
    with pytest.raises(torch.linalg.LinAlgError):
        open_(x)[0].backward()


def test_a_singular_jacobian_of_one_example():
    fold = implicit(lambda y, x: y * y - x, lambda x: x.sqrt())
    refused("MG143", lambda: vmap(grad(fold))(number([1., 0.])), "rank is 0 with 1 unknown,")
    assert vmap(fold)(number([1., 0.])).tolist() == [1.0, 0.0]


def test_a_jacobian_that_is_only_badly_conditioned():
    scales = number([1.0, 1e-11])
    root = implicit(lambda y, x: scales * (y - x), lambda x: x)
    x = number([1., 2.])
    assert torch.allclose(jacrev(root)(x), torch.eye(2, dtype=float64))


def test_a_jacobian_that_is_not_finite():
    x = number(0., requires_grad=True)
    refused("MG143", lambda: implicit(lambda y, x: torch.sqrt(y) - x, lambda x: x)(x).backward(), "infinite")


def test_a_linear_system_that_is_not_solved():
    W, b = network(20)
    g = torch.ones(20, dtype=float64)
    lazy = implicit(layer, settle, linear_solver=lambda multiply, b: b)
    refused("MG143", lambda: vjp(lazy, W, b)[1](g), "the linear_solver left")
    wrong = implicit(layer, settle, linear_solver=lambda multiply, b: b[:3])
    refused("MG204", lambda: vjp(wrong, W, b)[1](g))


@pytest.mark.parametrize("symmetric, who", [(False, "GMRES after"), (True, "conjugate gradients after")])
def test_a_stalled_iteration_says_so(symmetric, who, monkeypatch):
    monkeypatch.setattr(implicit_functions, "DENSE", 0)
    ring = implicit(lambda y, x: y.roll(1) + y.roll(-1) - 2 * y - x, lambda x: np.linalg.lstsq(
        np.roll(np.eye(9), 1, 0) + np.roll(np.eye(9), -1, 0) - 2 * np.eye(9), x.numpy(), rcond=None)[0],
        symmetric=symmetric)
    x = number([1., -1., 2., -2., 0., 0., 3., -3., 0.], requires_grad=True)
    refused("MG143", lambda: ring(x)[0].backward(), who, "singular")


def test_what_solvers_and_residuals_may_not_return():
    x = number([1., 2.])
    for solver, code in [(lambda x: None, "MG204"), (lambda x: {}, "MG204"), (lambda x: "2", "MG204"),
                         (lambda x: optimize.OptimizeResult(x=2.0), "MG204"),
                         (lambda x: np.array(["2"]), "MG204"), (lambda x: torch.tensor([1, 2]), "MG111"),
                         (lambda x: x.add_(1), "MG117")]:
        refused(code, lambda: implicit(lambda y, x: y - x, solver)(x.clone()))
    for equation in (lambda y, x: (y - x).sum(), lambda y, x: [y - x], lambda y, x: (y - x).to(complex128),
                     lambda y, x: (y - x).int(), lambda y, x: 0.0, lambda y, x: None):
        refused("MG204", lambda: implicit(equation, lambda x: x)(x))
    refused("MG205", lambda: implicit(1, lambda x: x), "residual")
    refused("MG205", lambda: implicit(lambda y, x: y, 1), "solver")
    refused("MG205", lambda: implicit(lambda y, x: y, lambda x: x, linear_solver=1), "linear_solver")


def test_a_residual_may_not_write_to_what_it_is_given():
    x = number([1., 2.])
    refused("MG117", lambda: implicit(lambda y, x: y.sub_(x), lambda x: x)(x), "the residual has written")
    refused("MG117", lambda: implicit(lambda y, x: x.sub_(y), lambda x: x)(x.clone()), "the residual has written")
    root = implicit(lambda y, x: y.clone().mul_(y).sub_(x), torch.sqrt)
    assert torch.allclose(jacrev(root)(x), torch.diag(0.5 / x.sqrt()))


def test_one_inside_another(either):
    """The residual of the outer one contains the inner one, whose solver is called for each of its values."""
    inner = square_root()
    outer = implicit(lambda y, x: y + inner(y) - x, lambda x: ((math.sqrt(1 + 4 * x.item()) - 1) / 2) ** 2)

    def formula(x):
        return ((torch.sqrt(1 + 4 * x) - 1) / 2) ** 2

    x, found, expected = number(3.), outer, formula
    for mode in forward, grad:
        found, expected = mode(found), mode(expected)
        assert torch.allclose(found(x), expected(x), rtol=1e-9)
    assert torch.allclose(vmap(grad(outer))(number([1., 3.])), vmap(grad(formula))(number([1., 3.])))


def test_derivatives_do_not_call_the_solver_again():
    seen, W, b = [], *drawn()
    root = implicit(lambda y, b: torch.tanh(W @ y + b) - y, counting(lambda b: settle(W, b), seen))
    for derivative in jacrev, jacfwd, lambda f: hessian(lambda b: f(b).sum()):
        seen.clear()
        derivative(root)(b)
        assert len(seen) == 1
    y = root(b.requires_grad_())
    g, = torch.autograd.grad(y.sum(), b, create_graph=True)
    torch.autograd.grad(g.sum(), b)
    assert len(seen) == 2


def test_batches_that_are_refused():
    root = implicit(lambda y, x: y - x, lambda x: x)
    refused("MG204", lambda: vmap(root)(torch.zeros(0, 3)), "no examples")
    uneven = implicit(lambda y, x: y - x, lambda x: x[:1] if x[0] > 1 else x)
    refused("MG204", lambda: vmap(uneven)(number([[1., 2.], [3., 4.]])), "another example")
