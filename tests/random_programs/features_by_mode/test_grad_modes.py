"""Grad modes and inference mode, within and around every kind of derivative: the answers are PyTorch's."""

import contextlib
import itertools

import pytest

import minigrad

MODES = {
    "nothing": lambda torch: contextlib.nullcontext(), "no_grad": lambda torch: torch.no_grad(),
    "enable_grad": lambda torch: torch.enable_grad(), "inference_mode": lambda torch: torch.inference_mode(),
    "inference_mode(False)": lambda torch: torch.inference_mode(False),
}
BODIES = {
    "a product": lambda torch, x: x * x, "a view": lambda torch, x: x[:2], "a write": lambda torch, x: (x * 1).mul_(x),
    "a part detached": lambda torch, x: x.detach() * x, "a copy": lambda torch, x: x.clone(),
    "a list": lambda torch, x: torch.cat([x, x * 2]),
    "a write to what is made here": lambda torch, x: torch.zeros(3, dtype=torch.float64).add_(x, alpha=2),
}


def programs(torch):
    """{name: function that asks for a derivative of f}."""
    func, grad, forward_ad = torch.func, torch.autograd.grad, torch.autograd.forward_ad
    x = torch.tensor([0.4, -0.9, 1.3], dtype=torch.float64)
    t = torch.tensor([0.7, 0.2, -0.5], dtype=torch.float64)
    both = torch.stack([x, t])

    def leaf():
        return x.clone().requires_grad_()

    def of_a_leaf(derive):
        y = leaf()
        return grad(derive(y), y, t if derive(y).ndim else None)[0]

    def twice(f):
        y = leaf()
        return grad(grad(f(y), y, create_graph=True)[0], y, t)[0]

    def dual(f):
        with forward_ad.dual_level():
            return forward_ad.unpack_dual(f(forward_ad.make_dual(x.clone(), t))).tangent

    def slope(f):
        return lambda y: func.jvp(f, (y,), (t,))[1]

    return {
        "grad": lambda f: func.grad(f)(x), "jvp": lambda f: slope(f)(x), "vmap": lambda f: func.vmap(f)(both),
        "grad of grad": lambda f: func.grad(lambda y: (func.grad(f)(y) * t).sum())(x),
        "jvp of grad": lambda f: func.jvp(func.grad(f), (x,), (t,))[1],
        "grad of jvp": lambda f: func.grad(slope(f))(x), "jvp of jvp": lambda f: slope(slope(f))(x),
        "vmap of grad": lambda f: func.vmap(func.grad(f))(both),
        "grad of vmap": lambda f: func.grad(lambda b: func.vmap(f)(b).sum())(both),
        "jvp of vmap": lambda f: func.jvp(func.vmap(f), (both,), (both.flip(0),))[1],
        "a pass": of_a_leaf, "two passes": twice, "a dual level": dual,
        "a pass through grad": lambda f: of_a_leaf(func.grad(f)), "a pass through jvp": lambda f: of_a_leaf(slope(f)),
    }


def answers(torch, outer, inner):
    """{what was asked: the answer}; None where it is refused."""
    found = {}
    for (name, body), around in itertools.product(BODIES.items(), ["nothing", "no_grad", "inference_mode"]):
        def f(x, body=body):
            with MODES[outer](torch):
                y = body(torch, x)
                with MODES[inner](torch):
                    z = y * y
            return (z * y).sum() + (x * x).sum()

        for asked, program in programs(torch).items():
            try:
                with MODES[around](torch):
                    answer = program(f)
                found[name, asked, around] = ([], False) if answer is None else (answer.reshape(-1).tolist(),
                                                                                    answer.requires_grad)
            except Exception:
                found[name, asked, around] = None
    return found


@pytest.mark.parity
@pytest.mark.parametrize("outer, inner", itertools.product(MODES, MODES))
def test_the_answers_are_those_of_pytorch(outer, inner):
    torch = pytest.importorskip("torch")
    expected, found = answers(torch, outer, inner), answers(minigrad, outer, inner)
    assert sum([answer is not None for answer in found.values()]) > 80
    for asked, answer in expected.items():
        if answer is not None:              # some are refused only there
            assert found[asked] is not None, asked
            assert found[asked][0] == pytest.approx(answer[0]) and found[asked][1] == answer[1], asked
