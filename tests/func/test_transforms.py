"""grad, vjp, jvp, linearize, jacrev, jacfwd, hessian: against PyTorch and against plain reverse mode, alone and
nested."""

import numpy as np
import pytest

import minigrad as torch
from minigrad.func import grad, hessian, jacfwd, jacrev, jvp, linearize, vjp, vmap
from tests.checking import refuses
from tests.func.programs import M, PROGRAMS, W, X, Y, error_of, scalar


def flat(tree):
    """The tensors of a tree as arrays, dicts by key."""
    if isinstance(tree, dict):
        return [y for key in tree for y in flat(tree[key])]
    if isinstance(tree, (tuple, list)):
        return [y for x in tree for y in flat(x)]
    return [tree.detach().numpy()]


@pytest.mark.parity
@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.filterwarnings("ignore")
def test_programs_give_what_pytorch_gives(name):
    theirs = flat(PROGRAMS[name](pytest.importorskip("torch")))
    ours = flat(PROGRAMS[name](torch))
    assert len(ours) == len(theirs)
    for a, b in zip(ours, theirs):
        assert a.shape == b.shape
        np.testing.assert_allclose(a, b, rtol=1e-6 if b.dtype == np.float32 else 1e-9, atol=1e-12)


# ------------------------------------------------------------------------------ against plain reverse mode


def by_reverse(f, x):
    x = torch.tensor(x, requires_grad=True)
    return torch.autograd.grad(f(x), x)[0].numpy()


def differences(f, x, h=1e-6):
    """The Jacobian by central differences."""
    columns = []
    for i in range(x.size):
        step = np.zeros(x.size)
        step[i] = h
        columns.append((f(torch.tensor(x + step)) - f(torch.tensor(x - step))).numpy() / (2 * h))
    return np.stack(columns, -1)


def f(x):
    return scalar(torch, x)


def test_grad_is_the_gradient():
    np.testing.assert_allclose(grad(f)(torch.tensor(X)).numpy(), by_reverse(f, X), rtol=1e-12)


def test_jacobians_agree_with_differences():
    g = lambda x: x.sin() * x.sum() + x.flip(0)
    expected = differences(g, X)
    for jacobian in (jacrev, jacfwd):
        np.testing.assert_allclose(jacobian(g)(torch.tensor(X)).numpy(), expected, rtol=1e-7, atol=1e-8)


def test_the_hessian_agrees_with_differences_of_the_gradient():
    np.testing.assert_allclose(hessian(f)(torch.tensor(X)).numpy(), differences(grad(f), X), rtol=1e-6, atol=1e-6)


def test_four_nestings_give_the_same_hessian():
    x = torch.tensor(X)
    for outer in (jacrev, jacfwd):
        for inner in (jacrev, jacfwd, grad):
            np.testing.assert_allclose(outer(inner(f))(x).numpy(), hessian(f)(x).numpy(), rtol=1e-10)


def test_three_times_forward_mode_through_a_transposed_formula():
    A, b = torch.tensor([[2., 1.], [0.5, 3.]], dtype=torch.float64), torch.tensor([1., 2.], dtype=torch.float64)

    def solved(x):
        return torch.linalg.solve(A * (1 + x), b * x).sum()

    x = torch.tensor(0.5, dtype=torch.float64)
    np.testing.assert_allclose(jacfwd(jacfwd(jacfwd(solved)))(x).item(), jacrev(jacrev(jacrev(solved)))(x).item())


def test_nestings_with_vmap_are_loops():
    x, v = torch.tensor(M), torch.tensor(X)
    for g in (grad(f), hessian(f), lambda a: jvp(grad(f), (a,), (v,))[1],
              lambda a: vjp(f, a)[1](torch.ones((), dtype=torch.float64))[0],
              lambda a: linearize(f, a)[1](v), jacrev(lambda a: a.sin() * a.sum()),
              grad(lambda a: jvp(f, (a,), (v,))[1])):
        np.testing.assert_allclose(vmap(g)(x).numpy(), np.stack([g(row).numpy() for row in x]), rtol=1e-10)
        np.testing.assert_allclose(vmap(g, in_dims=1, out_dims=-1)(x.t()).numpy(),
                                   np.stack([g(row).numpy() for row in x], -1), rtol=1e-10)


def test_perturbations_are_not_confused():
    """d/dx x (d/dy (x + y)) is 1; an implementation with one tape for both variables says 2."""
    one, three = torch.tensor(1.), torch.tensor(3.)
    assert grad(lambda x: x * grad(lambda y: x + y)(one))(three).item() == 1
    assert jvp(lambda x: x * jvp(lambda y: x + y, (one,), (one,))[1], (three,), (one,))[1].item() == 1
    assert grad(lambda x: x * jvp(lambda y: x + y, (one,), (one,))[1])(three).item() == 1
    assert jvp(lambda x: x * grad(lambda y: x + y)(one), (three,), (one,))[1].item() == 1
    assert vmap(grad(lambda x: x * grad(lambda y: x + y)(x)))(torch.ones(2)).tolist() == [1, 1]


# ------------------------------------------------------------------------------ the level below


def test_what_requires_grad_outside_is_recorded_through_transforms():
    w = torch.tensor(W, requires_grad=True)

    def loss(x, w):
        return ((x @ w).tanh() ** 2).sum()

    for transformed in (lambda w: grad(loss)(torch.tensor(X), w).sin().sum(),
                        lambda w: vmap(grad(loss), in_dims=(0, None))(torch.tensor(M), w).sin().sum(),
                        lambda w: jvp(lambda x: loss(x, w), (torch.tensor(X),), (torch.tensor(Y),))[1],
                        lambda w: jacrev(lambda x: (x @ w).tanh())(torch.tensor(X)).sin().sum(),
                        lambda w: hessian(lambda x: loss(x, w))(torch.tensor(X)).sin().sum(),
                        lambda w: vjp(lambda x: loss(x, w),
                                      torch.tensor(X))[1](torch.ones((), dtype=torch.float64))[0].sin().sum()):
        w.grad = None
        transformed(w).backward()
        np.testing.assert_allclose(w.grad.numpy().ravel(),
                                   differences(lambda v: transformed(v.reshape(3, 4)).detach(), W.ravel()), rtol=1e-6,
                                   atol=1e-7)


def test_under_no_grad_nothing_is_recorded_outside():
    w = torch.tensor(W, requires_grad=True)
    with torch.no_grad():
        assert not grad(lambda x: (x @ w).sum())(torch.tensor(X)).requires_grad
        assert not vmap(grad(lambda x: (x @ w).sum()))(torch.tensor(M)).requires_grad
    assert torch.is_grad_enabled()
    assert grad(lambda x: (x @ w * x.sum()).sum())(torch.tensor(X)).requires_grad


@pytest.mark.parametrize("outside", ["no_grad", "enable_grad"])
def test_no_grad_inside_under_no_grad_outside(torch, outside):
    def f(x):
        with torch.no_grad():
            y = x * x
        return (y * x).sum()

    with getattr(torch, outside)():
        found = torch.func.grad(f)(torch.tensor([1., 2.]))
    assert found.tolist() == [1., 4.] and not found.requires_grad


def test_nothing_of_vjp_is_recorded_outside_under_no_grad(torch):
    x = torch.tensor([2., 3.], requires_grad=True)
    with torch.no_grad():
        y, pull = torch.func.vjp(lambda x: x * x.sin(), x)
        jacobian, aux = torch.func.jacrev(lambda x: (x * x, x * 3), has_aux=True)(x)
        tangents = torch.func.linearize(lambda x: x * x, x)[0]
        assert not any(t.requires_grad for t in (y, *pull(torch.ones(2)), jacobian, aux, tangents))
    assert pull(torch.ones(2))[0].requires_grad             # which is computed later, where autograd records


def test_a_pullback_can_be_called_again_and_inside_other_transforms():
    y, pull = vjp(lambda x: x ** 3, torch.tensor(X))
    np.testing.assert_allclose(vmap(pull)(torch.eye(3, dtype=torch.float64))[0].numpy(), np.diag(3 * X ** 2))
    np.testing.assert_allclose(jvp(lambda v: pull(v)[0], (torch.tensor(Y),), (torch.tensor(X),))[1].numpy(), 3 * X ** 3)


def test_saved_tensor_hooks_are_refused():
    def with_hooks(x):
        with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t):
            return (x * x).sum()
    words = r"torch.func.\{grad, vjp, jacrev, hessian\} don't yet support saved tensor hooks"
    for transformed in (grad(with_hooks), lambda x: vjp(with_hooks, x), jacrev(with_hooks), hessian(with_hooks)):
        with pytest.raises(RuntimeError, match=words):
            transformed(torch.tensor(X))
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t):
        with pytest.raises(RuntimeError, match=words):
            grad(lambda x: (x * x).sum())(torch.tensor(X))
    with_hooks(torch.tensor(X, requires_grad=True)).backward()
    assert vmap(with_hooks)(torch.tensor(M)).shape == (5,)
    assert jvp(with_hooks, (torch.tensor(X),), (torch.tensor(Y),))[1].shape == ()


def test_a_tensor_kept_beyond_its_transform_raises():
    for transform in (lambda g: grad(g)(torch.tensor(X)), lambda g: jvp(g, (torch.tensor(X),), (torch.tensor(Y),))):
        kept = []
        transform(lambda x: kept.append(x) or x.sum())
        for use in (lambda: kept[0] + 1, lambda: grad(lambda y: (kept[0] * y).sum())(torch.tensor(Y)),
                    lambda: kept[0].add_(1), lambda: kept[0].sum().item()):
            with pytest.raises(RuntimeError, match="already ended"):
                use()


def test_levels_and_modes_are_closed_after_an_error():
    for transform in (lambda g: grad(g)(torch.tensor(X)), lambda g: jvp(g, (torch.tensor(X),), (torch.tensor(Y),)),
                      lambda g: vjp(g, torch.tensor(X))):
        with pytest.raises(ValueError, match="mine"):
            def g(x):
                raise ValueError("mine")
            transform(g)
        assert torch._core.runtime.thread_state.levels() == []
        with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t):
            pass


# ------------------------------------------------------------------------------ errors


MISTAKES = {
    "a vector": (lambda t: t.func.grad(lambda x: x * 2)(t.ones(3)),
                 "Expected f(*args) to return a scalar Tensor, got tensor with 1 dims. Maybe you wanted to use the vjp "
                 "or jacrev APIs instead?"),
    "one element": (lambda t: t.func.grad(lambda x: x * 2)(t.ones(1)), "got tensor with 1 dims"),
    "integers": (lambda t: t.func.grad(lambda x: x.sum())(t.arange(3)),
                 "only Tensors of floating point dtype can require gradients"),
    "a number":
        (lambda t: t.func.grad(lambda x: x)(3.), "Thing passed to transform API must be Tensor, got <class 'float'>"),
    "returns a number":
        (lambda t: t.func.grad(lambda x: 3)(t.ones(3)), "Expected f(*args) to return a Tensor, got <class 'int'>"),
    "returns a tuple": (lambda t: t.func.grad(lambda x: (x.sum(), x))(t.ones(3)),
                        "Expected f(*args) to return a Tensor, got <class 'tuple'>"),
    "complex": (lambda t: t.func.grad(lambda x: (x * x).sum())(t.ones(3) + 0j),
                "grad can be implicitly created only for real scalar outputs but got torch.complex64"),
    "no aux": (lambda t: t.func.grad(lambda x: x.sum(), has_aux=True)(t.ones(3)),
               "output of function f should be a tuple: (output, aux) if has_aux is True"),
    "argnums too large":
        (lambda t: t.func.grad(lambda x: x.sum(), argnums=1)(t.ones(3)), "Got argnum=1, but only 1 positional inputs"),
    "argnums too small": (lambda t: t.func.grad(lambda x: x.sum(), argnums=-2)(t.ones(3)),
                          "Got argnum=-2, but only 1 positional inputs"),
    "argnums twice": (lambda t: t.func.grad(lambda x, y: x.sum(), argnums=(0, -2))(t.ones(3), t.ones(3)),
                      "argnums elements must be unique, got (0, 0)"),
    "no argnums": (lambda t: t.func.grad(lambda x: x.sum(), argnums=())(t.ones(3)), "argnums must be non-empty"),
    "argnums a text": (lambda t: t.func.grad(lambda x: x.sum(), argnums="a")(t.ones(3)),
                       "argnums must be int or Tuple[int, ...], got: <class 'str'>"),
    "jvp of a number": (lambda t: t.func.jvp(t.sin, (3,), (t.ones(3),)),
                        "jvp(f, primals, tangents): Expected primals to only contain Tensors, got <class 'int'>"),
    "argnums a list": (lambda t: t.func.grad(lambda x: x.sum(), argnums=[0])(t.ones(3)),
                       "argnums must be int or Tuple[int, ...], got: <class 'list'>"),
    "vjp of a number": (lambda t: t.func.vjp(lambda x: 3, t.ones(3)),
                        "expected f(*primals) to return only tensors, got unsupported type <class 'int'>"),
    "vjp of nothing":
        (lambda t: t.func.vjp(lambda x: (), t.ones(3)), "Expected f to be a function that has non-empty output"),
    "another cotangent": (lambda t: t.func.vjp(lambda x: x, t.ones(3))[1](t.ones(2)),
                          "Mismatch in shape: grad_output[0] has a shape of torch.Size([2]) and output[0] has a shape "
                          "of torch.Size([3])"),
    "another tree": (lambda t: t.func.vjp(lambda x: (x, x), t.ones(3))[1](t.ones(3)),
                     "Expected pytree structure of cotangents to be the same as pytree structure of outputs to the "
                     "function"),
    "jvp without a tuple": (lambda t: t.func.jvp(lambda x: x, t.ones(3), t.ones(3)),
                            "Expected primals to be a tuple. E.g. it should be valid to call f(*primals)"),
    "jvp, trees differ": (lambda t: t.func.jvp(lambda x: x, (t.ones(3),), (t.ones(3), t.ones(3))),
                          "Expected primals and tangents to have the same python structure"),
    "jvp, shapes differ": (lambda t: t.func.jvp(lambda x: x, (t.ones(3),), (t.ones(2),)),
                           "Trying to set a forward gradient that has a different size than that of the original "
                           "Tensor, this is not supported"),
    "jvp of a number": (lambda t: t.func.jvp(lambda x: x, (3.,), (t.ones(2),)),
                        "Expected primals to only contain Tensors, got <class 'float'>"),
    "jvp of nothing": (lambda t: t.func.jvp(lambda: 3, (), ()), "Expected primals to contain at least one Tensor"),
    "jvp of integers": (lambda t: t.func.jvp(lambda x: x, (t.arange(3),), (t.arange(3),)),
                        "Expected primal to be floating point or complex, but got: torch.int64"),
    "jvp returns a number": (lambda t: t.func.jvp(lambda x: 3, (t.ones(3),), (t.ones(3),)),
                             "expected f(*primals) to return only tensors, got unsupported type"),
    "strict": (lambda t: t.func.jvp(lambda x: t.ones(3), (t.ones(3),), (t.ones(3),), strict=True),
               "The output of f is independent of the inputs. This is not allowed with strict=True"),
    "strict, integers": (lambda t: t.func.jvp(lambda x: x > 1, (t.ones(3),), (t.ones(3),), strict=True),
                              "The output of f is independent of the inputs"),
    "chunk_size":
        (lambda t: t.func.jacrev(lambda x: x, chunk_size=0)(t.ones(3)), "`chunk_size` should be greater than 0"),
    "jacfwd, random": (lambda t: t.func.jacfwd(lambda x: x * t.rand(3))(t.ones(3)),
                       "called random operation while in randomness error mode"),
    "linearize, too few": (lambda t: t.func.linearize(lambda x, y: x * y, t.ones(3), t.ones(3))[1](t.ones(3)),
                           "to have the same argspec as the primals"),
    "linearize, shapes differ": (lambda t: t.func.linearize(lambda x: x * 2, t.ones(3))[1](t.ones(2)),
                                 "doesn't match the shape torch.Size([3]) of the corresponding primal"),
    "in place on an input": (lambda t: t.func.grad(lambda x: x.mul_(2).sum())(t.ones(3)),
                             "a leaf Variable that requires grad is being used in an in-place operation"),
    "in place on what is outside": (lambda t: (lambda c: t.func.grad(lambda x: c.mul_(x).sum())(t.ones(3)))(t.ones(3)),
                                    "that would mutate a captured Tensor. This is not supported; please rewrite the "
                                    "function being transformed to explicitly accept the mutated Tensor(s) as inputs"),
    "backward inside": (lambda t: t.func.grad(lambda x: (x.sum().backward(), x.sum())[1])(t.ones(3)),
                        "backward() called inside a functorch transform"),
    "requires_grad_ inside": (lambda t: t.func.grad(lambda x: x.clone().requires_grad_().sum())(t.ones(3)),
                              "You are attempting to call Tensor.requires_grad_()"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_are_named(name):
    attempt, words = MISTAKES[name]
    found = error_of(torch, attempt)
    assert found is not None and found.code
    assert words in str(found)


@pytest.mark.parity
@pytest.mark.parametrize("name", MISTAKES)
@pytest.mark.filterwarnings("ignore")
def test_mistakes_are_pytorch_s_mistakes(name):
    attempt, words = MISTAKES[name]
    theirs = error_of(pytest.importorskip("torch"), attempt)
    assert words in str(theirs)
    assert isinstance(error_of(torch, attempt), type(theirs))


def test_integers_hand_nothing_on():
    x = torch.tensor([1.0, 2.0], dtype=torch.float64)
    expected = [[2.0, 0.0], [0.0, 4.0]]
    assert torch.func.hessian(lambda x: (x.long() * x * x).sum())(x).tolist() == expected
    assert torch.autograd.functional.hessian(lambda x: (x.long() * x * x).sum(), x).tolist() == expected
    assert torch.func.jvp(lambda x: x.bool().double() * 1, (x,), (x,))[1].tolist() == [0, 0]


# ------------------------------------------------------------------------------ detached inside

ONE = [1., 1.]


@pytest.mark.parametrize("how", ["detach", "detach_"])
def test_what_is_detached_has_no_tangent(torch, how):
    def pushed(f):
        out, change = torch.func.jvp(f, (torch.tensor(ONE),), (torch.tensor(ONE),))
        return out.tolist(), change.tolist()

    def through_a_view(x):
        y = getattr(x * 2, how)()
        y[:1].mul_(x[:1])
        return y

    def seen_by_a_view(x):
        y = getattr(x * 2, how)()
        part = y[:1]
        y.mul_(x)
        return part

    assert pushed(lambda x: getattr(x * 2, how)() * 3) == ([6, 6], [0, 0])
    assert pushed(lambda x: getattr(x * 2, how)() * x) == ([2, 2], [2, 2])
    assert pushed(lambda x: getattr(x * 2, how)()[:1] * x[:1]) == ([2], [2])
    assert pushed(lambda x: getattr(x * 2, how)().mul_(x)) == ([2, 2], [2, 2])
    assert pushed(through_a_view) == ([2, 2], [2, 0])
    assert pushed(seen_by_a_view) == ([2], [2])
    with pytest.raises(RuntimeError, match="independent of the inputs"):
        torch.func.jvp(lambda x: getattr(x * 2, how)(), (torch.tensor(ONE),), (torch.tensor(ONE),), strict=True)


@pytest.mark.parametrize(("how", "through"), [("detach", [3, 3]), ("detach_", [6, 6])])
def test_detach_cuts_every_level_and_in_place_the_innermost(torch, how, through):
    def f(w):
        return torch.func.jvp(lambda x: getattr(x * w, how)() * x * w, (torch.tensor(ONE),),
                              (torch.tensor(ONE),))[1].sum()
    assert torch.func.grad(f)(torch.tensor([3., 3.])).tolist() == through


# ------------------------------------------------------------------------------ what linearize takes

@pytest.mark.parametrize("dtype", ["float64", "int64", "complex64"])
def test_a_tangent_has_the_dtype_of_its_primal(torch, dtype):
    _, push = torch.func.linearize(torch.sin, torch.ones(2))
    with pytest.raises(RuntimeError, match=f"tangent:0 with dtype torch.{dtype} in flattened pytree doesn't match the "
                                           "dtype torch.float32"):
        push(torch.ones(2, dtype=getattr(torch, dtype)))


def test_what_cannot_be_linearized_is_named(torch):
    with pytest.raises(ValueError, match="Expected primal to be floating point or complex, but got: torch.int64"):
        torch.func.linearize(torch.sin, torch.ones(2).long())


def test_a_cotangent_that_is_not_a_tensor():
    x = torch.ones(3)
    for outputs, cotangents in ((lambda x: x, 3), (lambda x: (x, 2 * x), (x, 3))):
        with pytest.raises(RuntimeError, match=r"the cotangent of output . must be a Tensor, got <class 'int'>"):
            vjp(outputs, x)[1](cotangents)


def test_a_tangent_that_is_not_a_tensor():
    with pytest.raises(TypeError, match="tangent:0 must be a Tensor, not float.*MG205"):
        linearize(lambda x: x * 2, torch.ones(2))[1](3.)


def test_derivatives_are_with_respect_to_tensors():
    with refuses(RuntimeError, "Expected primals to only contain Tensors, got <class 'float'>", "MG204"):
        torch.func.jacfwd(lambda x: x["a"] * 2)({"a": torch.ones(1), "b": 1.})
    for primals in ((1.,), (torch.ones(2), 2.)):
        with refuses(ValueError, "Thing passed to transform API must be Tensor, got <class 'float'>", "MG207"):
            linearize(lambda *x: x[0] * 2, *primals)
    with refuses(RuntimeError, "argnums must be int or Tuple[int, ...]", "MG204"):
        grad(lambda x: x.sum(), argnums=("a",))(torch.ones(2))


def windows(x):
    return torch.as_strided_copy(x, (3, 2), (1, 1))


def test_a_copy_of_strided_memory_inside_transforms():
    x = torch.arange(8.).view(2, 4)
    inside = torch.tensor([1., 2., 2., 1.])             # how many windows an element is in
    assert grad(lambda x: windows(x).sum())(x[0]).tolist() == inside.tolist()
    assert grad(lambda x: windows(x).square().sum())(x[1]).tolist() == (2 * inside * x[1]).tolist()
    assert jvp(windows, (x[0],), (x[1],))[1].tolist() == windows(x[1]).tolist()
    assert vmap(windows)(x).tolist() == [windows(row).tolist() for row in x]
    assert vmap(grad(lambda x: windows(x).sum()))(x).tolist() == [inside.tolist()] * 2
    assert hessian(lambda x: windows(x).square().sum())(x[0]).tolist() == torch.diag(2 * inside).tolist()


def test_a_copy_of_strided_memory_reads_no_elements_of_other_examples():
    with pytest.raises(RuntimeError, match="reads memory beside the elements of its tensor"):
        vmap(windows)(torch.arange(6.).view(2, 3))
    with pytest.raises(RuntimeError, match="reads memory beside the elements of its tensor"):
        vmap(windows, in_dims=1)(torch.arange(8.).view(4, 2))


def test_the_gradient_that_autograd_takes_inside_a_transform_is_a_constant_there(torch):
    """Without create_graph; the transform sees its numbers."""
    def f(x):
        g, = torch.autograd.grad((x * x).sum(), [x], retain_graph=True)
        assert not g.requires_grad
        return (x ** 2 * g).sum()

    def recorded(x):
        g, = torch.autograd.grad((x * x).sum(), [x], create_graph=True)
        return (x ** 2 * g).sum()

    x = torch.tensor([1., 2.])
    assert torch.func.grad(f)(x).tolist() == [4., 16.]              # 2x * g, where g is 2x
    assert torch.func.grad(recorded)(x).tolist() == [6., 24.]       # 2x * 2x + x^2 * 2
    assert torch.func.vmap(torch.func.grad(f))(x.repeat(3, 1)).tolist() == [[4., 16.]] * 3


@pytest.mark.parametrize("output", [(), [], {}, None])
def test_a_function_that_returns_nothing_is_refused(output):
    x = torch.ones(2)
    for call in (lambda: torch.func.jvp(lambda x: output, (x,), (x,)), lambda: torch.func.jacfwd(lambda x: output)(x),
                 lambda: torch.func.vjp(lambda x: output, x), lambda: torch.func.jacrev(lambda x: output)(x)):
        with refuses(RuntimeError, "Expected f to be a function that has non-empty output", "MG204"):
            call()


def test_what_a_jacobian_has_beside_it_may_be_any_tree_of_tensors():
    x = torch.tensor([1., 2.])
    for jacobian in (torch.func.jacrev, torch.func.jacfwd):
        found, beside = jacobian(lambda x: (x * x, {"sum": x.sum(), "rest": [x * 3, ()]}), has_aux=True)(x)
        assert found.tolist() == [[2, 0], [0, 4]]
        assert beside["sum"].item() == 3 and beside["rest"][0].tolist() == [3, 6] and beside["rest"][1] == ()
        with refuses(RuntimeError, "Expected tensors, got unsupported type <class 'str'>", "MG204"):
            jacobian(lambda x: (x * x, {"sum": x.sum(), "name": "squares"}), has_aux=True)(x)


@pytest.mark.parity
@pytest.mark.parametrize("transform", [
    lambda f, show: f.grad(show), lambda f, show: f.vmap(show), lambda f, show: f.vmap(show, in_dims=1),
    lambda f, show: f.vmap(f.grad(show)), lambda f, show: f.grad(lambda x: f.vmap(show)(x).sum()),
    lambda f, show: lambda x: f.jvp(show, (x,), (x,)), lambda f, show: f.vmap(f.vmap(show))])
def test_a_tensor_inside_is_printed_as_in_pytorch(transform):
    def shown_by(library):
        def show(x):
            shown.append(repr(x) + str(x * 2))
            return x.sum()

        shown = []
        transform(library.func, show)(library.tensor([[1., 2.], [3., 4.]]))
        return shown

    assert shown_by(torch) == shown_by(pytest.importorskip("torch"))


def test_a_tensor_of_a_transform_that_has_ended_can_be_printed():
    kept = []
    torch.vmap(lambda x: kept.append(x) or x)(torch.tensor([1., 2.]))
    assert repr(kept[0]) == "BatchedTensor(lvl=-1, bdim=0, value=\n    tensor([1., 2.])\n)"
