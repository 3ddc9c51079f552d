"""Complex numbers and integers in transforms and in ``functional``: the same as in PyTorch, or refused as there.

The convention is PyTorch's: the gradient g of a real number is what makes it grow by Re <g, t> while its input moves by
t, so a pullback and a pushforward are adjoint for the real inner product, for every kind of input and output.
"""

import re

import pytest

import minigrad as torch
from minigrad.autograd import forward_ad
from minigrad.func import jacfwd, jacrev, jvp, linearize, vjp

VALUES = {"real": ("float64", [1.5, -2.]),
          "complex": ("complex128", [1 + 2j, -.5 + .5j]),
          "half": ("float16", [1.5, 2]), "integer": ("int64", [1, 2]), "bool": ("bool", [True, False])}
DIRECTIONS = {"float64": [.7, -.3], "complex128": [.3 - .4j, 2 + .25j]}

#: functions by what they return
FUNCTIONS = {
    "real": lambda t, x: x.abs() * 3.,
    "square": lambda t, x: x * x,
    "complex": lambda t, x: x * x * (1 + 2j),
    "conjugate": lambda t, x: x.conj() * (2 - 1j) + x * 1j,
    "pairs": lambda t, x: t.view_as_real(x * (1 + 3j))[..., 1],
    "integers": lambda t, x: (x.abs() > 1).long(),
    "truth values": lambda t, x: x.abs() > 1,
    "constant": lambda t, x: t.tensor([2., 3.], dtype=t.float64),
    "several": lambda t, x: (x.abs() * 2, x * (2 + 1j)),
}


def given(t, kind):
    dtype, values = VALUES[kind]
    return t.tensor(values, dtype=getattr(t, dtype))


def total(t, f):
    def number(*args):
        y = f(*args)
        return (y[0] if isinstance(y, tuple) else y).sum()
    return number


#: transforms of f, which takes one tensor, at x; ``other`` is one more argument, or a direction
TRANSFORMS = {
    "grad": lambda t, f, x, other: t.func.grad(total(t, f))(x),
    "grad with another": lambda t, f, x, other: t.func.grad(total(t, lambda a, b: f(a * b)))(x, other),
    "grad of both": lambda t, f, x, other: t.func.grad(total(t, lambda a, b: f(a * b)), argnums=(0, 1))(x, other),
    "vjp": lambda t, f, x, other: t.func.vjp(f, x)[1](other),
    "jvp": lambda t, f, x, other: t.func.jvp(f, (x,), (other,)),
    "linearize": lambda t, f, x, other: t.func.linearize(f, x)[1](other),
    "jacrev": lambda t, f, x, other: t.func.jacrev(f)(x),
    "jacrev with another": lambda t, f, x, other: t.func.jacrev(lambda a, b: f(a * b))(x, other),
    "jacrev with aux": lambda t, f, x, other: t.func.jacrev(lambda a: (a * 2., f(a)), has_aux=True)(x),
    "jacfwd": lambda t, f, x, other: t.func.jacfwd(f)(x),
    "jacfwd with another": lambda t, f, x, other: t.func.jacfwd(lambda a, b: f(a * b))(x, other),
    "jacfwd with aux": lambda t, f, x, other: t.func.jacfwd(lambda a: (a * 2., f(a)), has_aux=True)(x),
    "hessian": lambda t, f, x, other: t.func.hessian(total(t, f))(x),
    "vmap of grad": lambda t, f, x, other: t.func.vmap(t.func.grad(lambda a: total(t, f)(a) * 2.))(x),
    "functional.vjp": lambda t, f, x, other: t.autograd.functional.vjp(f, x, other),
    "functional.jvp": lambda t, f, x, other: t.autograd.functional.jvp(f, x, other),
    "functional.vhp": lambda t, f, x, other: t.autograd.functional.vhp(total(t, f), x, other),
    "functional.hvp": lambda t, f, x, other: t.autograd.functional.hvp(total(t, f), x, other),
    "jacobian": lambda t, f, x, other: t.autograd.functional.jacobian(f, x),
    "jacobian of two": lambda t, f, x, other: t.autograd.functional.jacobian(lambda a, b: f(a * b), (x, other)),
    "jacobian at once": lambda t, f, x, other: t.autograd.functional.jacobian(f, x, vectorize=True),
    "jacobian, forward": lambda t, f, x, other: t.autograd.functional.jacobian(f, x, vectorize=True,
                                                                                  strategy="forward-mode"),
    "functional.hessian": lambda t, f, x, other: t.autograd.functional.hessian(total(t, f), x),
}

#: where PyTorch fails, or allows what has no meaning
OURS = [
    # an assertion inside PyTorch, on its way through a conjugate or a real part of dual tensors
    (lambda theirs, ours: "INTERNAL ASSERT" in theirs or "view_as_real is only supported" in theirs),
    # a kernel that PyTorch's CPU does not have
    (lambda theirs, ours: "not implemented for" in theirs),
    # a real number that moves by an imaginary one; and the same, where zeros hide it
    (lambda theirs, ours: "Expected a real tangent" in ours),
    (lambda theirs, ours: "grad_output and output are required to have the same dtype" in ours),
]


def outcome(t, transform, function, kind, other):
    """What a transform gives: numbers; or the class and the first words of the error."""
    f = FUNCTIONS[function]
    try:
        found = TRANSFORMS[transform](t, lambda x: f(t, x), given(t, kind), given(t, other))
    except (RuntimeError, ValueError, NotImplementedError, IndexError) as failure:
        kinds = [c for c in (NotImplementedError, RuntimeError, ValueError, IndexError) if isinstance(failure, c)]
        return f"{kinds[0].__name__}: {failure}"
    return numbers(t, found)


def numbers(t, found):
    if isinstance(found, (tuple, list)):
        return [numbers(t, x) for x in found]
    return [complex(round(complex(x).real, 2) + 0, round(complex(x).imag, 2) + 0)
            for x in found.detach().resolve_conj().to(t.complex128).reshape(-1).tolist()]


@pytest.mark.parity
@pytest.mark.parametrize("transform", TRANSFORMS)
@pytest.mark.filterwarnings("ignore")
def test_every_kind_of_number_gives_what_pytorch_gives(transform):
    theirs = pytest.importorskip("torch")
    seen = 0
    for function in FUNCTIONS:
        for kind in VALUES:
            for other in VALUES:
                a = outcome(theirs, transform, function, kind, other)
                b = outcome(torch, transform, function, kind, other)
                both_raise = isinstance(a, str) and isinstance(b, str) and a.split(":")[0] == b.split(":")[0]
                if a == b or both_raise:
                    seen += 1
                else:
                    assert any(excused(str(a), str(b)) for excused in OURS), (function, kind, other, a, b)
    assert seen


# ------------------------------------------------------------------------------ without PyTorch


def real_product(a, b):
    return (a.conj() * b).sum().real


@pytest.mark.parametrize("kind", ["real", "complex"])
@pytest.mark.parametrize("function", ["real", "square", "complex", "conjugate", "pairs"])
def test_pullback_and_pushforward_are_adjoint(function, kind):
    if kind == "real" and function == "pairs":
        kind = "complex"
    x = given(torch, kind)

    def f(x):
        return FUNCTIONS[function](torch, x)

    y, pull = vjp(f, x)
    t = torch.tensor(DIRECTIONS[str(x.dtype)[6:]], dtype=x.dtype)
    v = torch.tensor(DIRECTIONS[str(y.dtype)[6:]], dtype=y.dtype)
    _, change = jvp(f, (x,), (t,))
    gradient, = pull(v)
    moved = (f(x + 1e-6 * t) - f(x - 1e-6 * t)) / 2e-6
    torch.testing.assert_close(change, moved, rtol=1e-7, atol=1e-8)
    torch.testing.assert_close(linearize(f, x)[1](t), change)
    torch.testing.assert_close(torch.autograd.functional.jvp(f, x, t)[1], change)
    torch.testing.assert_close(torch.autograd.functional.vjp(f, x, v)[1], gradient)
    torch.testing.assert_close(real_product(gradient, t), real_product(v, change))


@pytest.mark.parametrize("jacobian", [jacrev, jacfwd])
def test_jacobians_refuse_complex_numbers(jacobian):
    real, imaginary, name = torch.ones(2), torch.ones(2) * 1j, jacobian.__name__

    def refused(f, *args, what, i=0, **options):
        words = f"{name}: Expected all {what} to be real but received complex tensor at flattened input idx: {i}"
        with pytest.raises(RuntimeError, match=re.escape(words)):
            jacobian(f, **options)(*args)

    refused(lambda x: x * 1j, real, what="outputs")
    refused(lambda x: (x, x * 1j), real, what="outputs", i=1)
    refused(torch.abs, imaginary, what="inputs")
    refused(lambda x, c: (x * c).abs(), real, {"c": [imaginary]}, what="inputs", i=1)
    refused(lambda x: (x * 1j, x), real, what="outputs", has_aux=True)
    jacobian(lambda x: (x, x * 1j), has_aux=True)(real)


def test_vjp_refuses_integers_as_outputs():
    with pytest.raises(RuntimeError, match=re.escape("vjp(f, ...): All outputs of f must be floating-point or complex "
                                                     "Tensors, got Tensor with dtype torch.int64")):
        vjp(lambda x: (x, x.long()), torch.ones(2))
    with pytest.raises(RuntimeError, match="All outputs of f must be floating-point"):
        jacrev(lambda x: x > 0)(torch.ones(2))
    y, pull, whole = vjp(lambda x: (x * 2, x.long()), torch.ones(2), has_aux=True)
    assert pull(torch.ones(2))[0].tolist() == [2, 2] and whole.tolist() == [1, 1]


def test_integer_outputs_do_not_move():
    (y, whole), push = linearize(lambda x: (x * x, x.long()), torch.tensor([1., 3.]))
    assert whole.tolist() == [1, 3]
    change, none = push(torch.tensor([1., 10.]))
    assert change.tolist() == [2, 60]
    assert none.tolist() == [0, 0] and none.dtype is torch.int64
    assert linearize(lambda x: x > 0, torch.ones(2))[1](torch.ones(2)).tolist() == [False, False]


def test_directions_have_the_kind_of_what_moves():
    real, imaginary = torch.ones(2), torch.ones(2) * 1j
    with pytest.raises(RuntimeError, match="both grad_output and output are required to have the same dtype"):
        vjp(lambda x: x * 1j, real)[1](real)
    with pytest.raises(RuntimeError, match="both grad_output and output are required to have the same dtype"):
        vjp(torch.sin, real)[1](imaginary)
    with pytest.raises(ValueError, match="Expected a real tangent for a primal of dtype torch.float32"):
        jvp(torch.sin, (real,), (imaginary,))
    with pytest.raises(ValueError, match="Expected tangent to be floating point or complex, but got: torch.int64"):
        jvp(torch.sin, (real,), (torch.ones(2, dtype=torch.int64),))
    with forward_ad.dual_level(), pytest.raises(ValueError, match="Expected a real tangent for a primal of dtype"):
        forward_ad.make_dual(real, imaginary)
    assert jvp(torch.sin, (imaginary,), (real,))[1].dtype is torch.complex64
