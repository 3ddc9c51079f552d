"""The checker is checked: mistakes planted in tangents, second derivatives and batches are caught, and named.

Those of reverse mode, slow and fast, are in test_gradcheck.py.
"""

import re

import numpy as np
import pytest

import minigrad as torch
from minigrad._core.runtime.provided import provisions
from minigrad.autograd import GradcheckError, gradcheck, gradgradcheck
from minigrad.func.rules.derived import RULES
from minigrad.ops import exports, kinds

from .test_gradcheck import double

pytestmark = pytest.mark.filterwarnings("ignore:.*neither an input nor an output:UserWarning")


def report(check, func, *inputs, **arguments):
    with pytest.raises(GradcheckError) as caught:
        check(func, inputs, **arguments)
    assert caught.value.code == "MG501" and str(caught.value).count("[MG501]") == 1
    assert check(func, inputs, raise_exception=False, **arguments) is False
    return str(caught.value)


def same(text, phrase):
    assert re.search(phrase, text), text


# ------------------------------------------------------------------------------ forward mode


def planted(forward, backward, jvp, materialize=True, lib=torch):
    """A Function with both modes: backward(inputs, d...) and jvp(inputs, t...)."""

    class Planted(lib.autograd.Function):
        @staticmethod
        def forward(*inputs):
            return forward(*inputs)

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(*inputs)
            ctx.save_for_forward(*inputs)
            ctx.set_materialize_grads(materialize)

        @staticmethod
        def backward(ctx, *d):
            return backward(*ctx.saved_tensors, *d)

        @staticmethod
        def jvp(ctx, *t):
            return jvp(*ctx.saved_tensors, *t)

    return Planted.apply


def weights(x):
    return x.new_tensor([[1.0, 2, 0], [0, 3, 4], [-1, 2, 5]])



# name: (forward, the right backward, a wrong jvp, shapes of the inputs, what the report must say)
FORWARD = {
    "factor": (lambda x: x.sin(), lambda x, d: d * x.cos(), lambda x, t: 2 * t * x.cos(), [(2, 3)],
               "every entry is 2 times what it should be"),
    "sign": (lambda x: x.cos(), lambda x, d: -d * x.sin(), lambda x, t: t * x.sin(), [(3,)],
             "the sign: every entry is the negative"),
    "zeros": (lambda x: x * 2, lambda x, d: d * 2, lambda x, t: t * 0, [(3,)],
              "no tangent arrives: jvp returns None or zeros"),
    "none": (lambda x: x * 2, lambda x, d: d * 2, lambda x, t: None, [(3,)],
             "no tangent arrives: jvp returns None or zeros"),
    "constant": (lambda x: x * 0 + 1, lambda x, d: d * 0, lambda x, t: t, [(3,)],
                 "the function does not change with this input, yet jvp gives it"),
    "nan": (lambda x: x * 2, lambda x, d: d * 2, lambda x, t: t / 0, [(3,)], "jvp gives nan or inf"),
    "jacobian transposed": (
        lambda x: x @ weights(x),
        lambda x, d: d @ weights(x).t(),
        lambda x, t: t @ weights(x).t(),
        [(3,)],
        "the Jacobian is transposed: jvp must multiply by the Jacobian",
    ),
    "transpose": (lambda x: x.t() * 2, lambda x, d: d.t() * 2, lambda x, t: t * 2, [(3, 3)],
                  "a transpose: with its last two axes exchanged"),
    "tangent ignored": (lambda x: x * 2, lambda x, d: d * 2, lambda x, t: t * 0 + 2, [(3,)],
                        "jvp returns the same, whatever tangent it receives"),
    "something added": (lambda x: x.sin(), lambda x, d: d * x.cos(), lambda x, t: t * x.cos() + 0.5, [(3,)],
                        "jvp adds something that does not depend on"),
    "inputs exchanged": (
        lambda x, y: x * y,
        lambda x, y, d: (d * y, d * x),
        lambda x, y, s, t: s * x + t * y,
        [(3,), (3,)],
        "this is the derivative with respect to input 1",
    ),
    "outputs exchanged": (
        lambda x: (x.sin(), x * x),
        lambda x, a, b: a * x.cos() + b * 2 * x,
        lambda x, t: (t * 2 * x, t * x.cos()),
        [(3,)],
        "this is the derivative of output 1: jvp returns its tangents in a different order",
    ),
    "a factor forgotten": (lambda x: x * x * x / 3, lambda x, d: x * x * d, lambda x, t: x * t, [(3,)],
                           "every entry should be multiplied by the input"),
    "mask": (lambda x: x * 2, lambda x, d: d * 2, lambda x, t: t * 2 * (x > 1.2), [(4,)],
             "some entries get no tangent where they should"),
    "term of a sum": (
        lambda x: x * x.sum(),
        lambda x, d: d * x.sum() + (d * x).sum(),
        lambda x, t: t * x.sum(),
        [(3,)],
        "jvp treats the function as elementwise",
    ),
    "roll": (lambda x: x.roll(1, 0) * 2, lambda x, d: d.roll(-1, 0) * 2, lambda x, t: t.roll(2, 0) * 2, [(4,)],
             "the right values for the wrong entries"),
}


@pytest.mark.parametrize("fast_mode", [False, True], ids=["slow", "fast"])
@pytest.mark.parametrize("fault", FORWARD)
def test_wrong_tangents(fault, fast_mode):
    forward, backward, jvp, shapes, cause = FORWARD[fault]
    func, inputs = planted(forward, backward, jvp), [double(torch, *shape, low=0.5 + i, high=2 + i)
                                                     for i, shape in enumerate(shapes)]
    assert gradcheck(func, tuple(inputs))
    text = report(gradcheck, func, *inputs, check_forward_ad=True, fast_mode=fast_mode)
    assert text.startswith("Jacobian computed with forward mode mismatch for output 0 with respect to input 0,")
    same(text, f"likely cause  .*{cause}")
    assert "other mode    the gradient of reverse mode is right" in text
    assert "where         Planted.jvp: the only custom Function on the way" in text


@pytest.mark.parity
@pytest.mark.parametrize("fast_mode", [False, True], ids=["slow", "fast"])
@pytest.mark.parametrize("fault", sorted(FORWARD.keys() - {"none"}))  # there an assertion of PyTorch's own fails
def test_pytorch_sees_the_same_in_tangents(fault, fast_mode):
    theirs = pytest.importorskip("torch")
    forward, backward, jvp, shapes, _ = FORWARD[fault]
    openings = []
    for lib in (torch, theirs):
        inputs = [double(lib, *shape, low=0.5 + i, high=2 + i) for i, shape in enumerate(shapes)]
        with pytest.raises(RuntimeError) as caught:
            lib.autograd.gradcheck(planted(forward, backward, jvp, lib=lib), inputs, check_forward_ad=True,
                                   fast_mode=fast_mode)
        openings.append(str(caught.value).splitlines()[0])
    assert openings[0] == openings[1]


def test_both_modes_wrong():
    func = planted(lambda x: x * 2, lambda x, d: d * 3, lambda x, t: t * 3)
    text = report(gradcheck, func, double(torch, 3), check_forward_ad=True, check_backward_ad=False)
    assert "other mode    the gradient of reverse mode is wrong too" in text


def test_a_conjugate_in_a_tangent():
    func = planted(lambda z: z * z, lambda z, d: d * (2 * z).conj(), lambda z, t: t * (2 * z).conj())
    text = report(gradcheck, func, double(torch, 2, dtype="complex128"), check_forward_ad=True)
    assert text.startswith("While considering the imaginary part of complex inputs only, Jacobian computed with "
                           "forward mode mismatch")
    assert "one conjugate too many" in text


def test_a_tangent_that_lost_its_imaginary_part():
    func = planted(lambda z: z * z, lambda z, d: d * (2 * z).conj(), lambda z, t: (t * 2 * z).real + 0j)
    assert "the imaginary part is lost" in report(gradcheck, func, double(torch, 2, dtype="complex128"),
                                                  check_forward_ad=True)


def test_a_missing_tangent_that_counts_as_something():
    def jvp(x, y, s, t):
        return (0 if s is None else s * y) + (x if t is None else t * x)

    func = planted(lambda x, y: x * y, lambda x, y, d: (None, None) if d is None else (d * y, d * x), jvp,
                   materialize=False)
    inputs = double(torch, 3), double(torch, 3)
    text = report(gradcheck, func, *inputs, check_forward_ad=True)
    assert text.startswith("Mismatch in tangent values for output with index: 0 when input: 1 has an undefined tangent "
                           "value. Got: ")
    assert gradcheck(func, inputs, check_forward_ad=True, check_undefined_grad=False)


# ------------------------------------------------------------------------------ rows of the table


@pytest.fixture
def kind():
    """The kinds of rows, to make wrong ones of; the table is as before afterwards."""
    before = dict(exports.ROWS)
    yield kinds
    exports.ROWS.clear()
    exports.ROWS.update(before)


def test_a_wrong_formula_is_wrong_in_both_modes(kind):
    """For an elementwise row both modes come from one formula."""
    op = kind.elementwise("faulty(Tensor self)", np.sin, self=lambda d, self: 2 * d * torch.cos(self), public=False)
    for arguments in ({}, {"check_forward_ad": True, "check_backward_ad": False}):
        text = report(gradcheck, op, double(torch, 3), **arguments)
        assert "every entry is 2 times what it should be" in text and "where" not in text
    assert "other mode    the gradient of reverse mode is wrong too: the mistake is in what the two share" in text


def test_a_wrong_transpose_of_a_linear_row(kind):
    """Forward mode is the row itself, so only reverse mode can be wrong."""
    op = kind.linear("faulty(Tensor self)", lambda x: np.cumsum(x, 0), self=lambda d: torch.cumsum(d, 0), public=False)
    assert "a cumulative sum runs the other way" in report(gradcheck, op, double(torch, 4))
    assert gradcheck(op, (double(torch, 4),), check_forward_ad=True, check_backward_ad=False)


def test_a_missing_conjugate_in_a_row(kind):
    op = kind.general("faulty(Tensor self)", np.sin, self=lambda d, self: d * torch.cos(self), public=False)
    assert gradcheck(op, (double(torch, 3),))
    assert "a conjugate is missing" in report(gradcheck, op, double(torch, 3, dtype="complex128"))


def test_a_wrong_second_derivative_of_a_row(kind):
    slope = kind.elementwise("faulty_slope(Tensor self)", np.cos, self=lambda d, self: d * torch.sin(self),
                             public=False)
    op = kind.elementwise("faulty(Tensor self)", np.sin, self=lambda d, self: d * slope(self), public=False)
    assert gradcheck(op, (double(torch, 3),), check_forward_ad=True)
    for arguments in ({}, {"check_fwd_over_rev": True, "check_rev_over_rev": False, "check_undefined_grad": False}):
        assert "the sign: every entry is the negative" in report(gradgradcheck, op, double(torch, 3), **arguments)


def test_a_wrong_batch_rule(monkeypatch):
    right = RULES[exports.ROWS["mul"]]
    monkeypatch.setitem(RULES, exports.ROWS["mul"], lambda *arguments: right(*arguments).flip(0))
    x = double(torch, 3)
    assert gradcheck(lambda x: x.sin(), (x,), check_forward_ad=True)
    assert "they come in the wrong order" in report(gradcheck, lambda x: x.sin(), x, check_batched_grad=True)
    assert "they come in the wrong order" in report(gradcheck, lambda x: x.sin(), x, check_forward_ad=True,
                                                    check_batched_forward_grad=True)


# ------------------------------------------------------------------------------ second order


def cube(backward):
    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x**3

    Cube.backward = staticmethod(lambda ctx, d: backward(ctx.saved_tensors[0], d))
    return Cube.apply


class WrongSecond(torch.autograd.Function):
    """3 x^2, whose derivative is said to be 3 x."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return 3 * x * x

    @staticmethod
    def backward(ctx, d):
        return 3 * ctx.saved_tensors[0] * d


# name: (a backward that is right, but not its own derivative; input that is wrong; what the report must say)
SECOND = {
    "saved tensor detached": (lambda x, d: 3 * x.detach() ** 2 * d, 0, "no gradient arrives"),
    "through numpy": (lambda x, d: torch.from_numpy(3 * x.detach().numpy() ** 2) * d, 0, "no gradient arrives"),
    "incoming gradient detached": (lambda x, d: 3 * x**2 * d.detach(), 1, "no gradient arrives"),
    "half detached": (lambda x, d: 3 * x * x.detach() * d, 0, "every entry is 0.5 times what it should be"),
    "another function's derivative":
        (lambda x, d: WrongSecond.apply(x) * d, 0, "every entry is 0.5 times what it should be"),
}


@pytest.mark.parametrize("fast_mode", [False, True], ids=["slow", "fast"])
@pytest.mark.parametrize("fault", SECOND)
def test_wrong_second_derivatives(fault, fast_mode):
    backward, number, cause = SECOND[fault]
    x = double(torch, 3)
    assert gradcheck(cube(backward), (x,))
    text = report(gradgradcheck, cube(backward), x, fast_mode=fast_mode)
    assert text.startswith(f"Jacobian mismatch for output 0 with respect to input {number},")
    same(text, f"likely cause  .*{cause}")
    assert "each output is the gradient of an input of the function; input 1 is grad_outputs" in text
    assert ("WrongSecond.backward" if "another" in fault else "Cube.backward") in text
    assert ("backward is differentiated here" in text) == ("no gradient" in cause)


def test_forward_over_reverse():
    func = planted(lambda x: x**3, lambda x, d: 3 * x.detach() ** 2 * d, lambda x, t: 3 * x**2 * t)
    arguments = {"check_fwd_over_rev": True, "check_rev_over_rev": False, "check_undefined_grad": False}
    text = report(gradgradcheck, func, double(torch, 3), **arguments)
    assert text.startswith("Jacobian computed with forward mode mismatch for output 0 with respect to input 0,")
    assert "no tangent arrives" in text


# ------------------------------------------------------------------------------ several at once


def one_by_one(func):
    """What vmap is to give."""

    def mapped(*batches):
        results = [func(*each) for each in zip(*batches)]
        return tuple([torch.stack(each) for each in zip(*results)])

    return mapped


# name: (what is done to the right results of vmap, what the report must say)
BATCHED = {
    "none": (lambda g: g * 0, "no {} arrives"),
    "reversed": (lambda g: g.flip(0), "they come in the wrong order"),
    "the first for all": (lambda g: g.select(0, 0).expand(g.shape), "both equal the first"),
    "summed": (lambda g: g.sum(0).expand(g.shape), "they are summed or averaged over the batch axis"),
    "averaged": (lambda g: g.mean(0).expand(g.shape), "they are summed or averaged over the batch axis"),
    "factor": (lambda g: g * 2, "every entry is 2 times what it should be"),
    "sign": (lambda g: -g, "the sign"),
    "transposed": (lambda g: g.transpose(-1, -2), "a transpose: with its last two axes exchanged"),
    "axes taken for another":
        (lambda g: g.reshape(3, 2, 3).transpose(0, 1).reshape(2, 3, 3), "the right values in the wrong places"),
    "mixed": (lambda g: g + 0.1 * g.flip(0), "the entries of the batch are mixed"),
}


@pytest.mark.parametrize("fault", BATCHED)
def test_wrong_batches(monkeypatch, fault):
    spoil, cause = BATCHED[fault]
    x = double(torch, 3, 3)
    monkeypatch.setattr(provisions, "vmap", one_by_one)
    assert gradcheck(lambda x: x.sin(), (x,), check_batched_grad=True, check_forward_ad=True,
                     check_batched_forward_grad=True)
    monkeypatch.setattr(provisions, "vmap",
                        lambda func: lambda *batches: tuple([spoil(g) for g in one_by_one(func)(*batches)]))
    text = report(gradcheck, lambda x: x.sin(), x, check_batched_grad=True)
    assert text.startswith("For output 0 and input 0: gradcheck or gradgradcheck failed while testing batched gradient "
                           "computation.")
    same(text, f"likely cause  .*{cause.format('gradient')}.*Each gradient alone is right")
    text = report(gradcheck, lambda x: x.sin(), x, check_forward_ad=True, check_batched_forward_grad=True)
    assert text.startswith("For output 0 and input 0: gradcheck failed while testing batched gradient computation with "
                           "forward-mode AD.")
    same(text, f"likely cause  .*{cause.format('tangent')}.*Each tangent alone is right")
    text = report(gradgradcheck, lambda x: x.sin(), x, check_batched_grad=True)
    same(text, f"likely cause  .*{cause.format('gradient')}")


class Double(torch.autograd.Function):
    """x * 2, whose rule for batches forgets all but the first example."""

    @staticmethod
    def forward(x):
        return x * 2

    @staticmethod
    def setup_context(ctx, inputs, output):
        pass

    @staticmethod
    def backward(ctx, d):
        return Double.apply(d)

    @staticmethod
    def vmap(info, in_dims, x):
        return x.select(in_dims[0], 0) * 2, None


def test_a_wrong_vmap_staticmethod():
    x = double(torch, 3)
    assert gradcheck(Double.apply, (x,))
    text = report(gradcheck, Double.apply, x, check_batched_grad=True)
    assert "both equal the first" in text and "in the vmap staticmethod of a custom Function" in text


def test_a_backward_that_cannot_be_mapped():
    class Branching(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, d):
            return d * 2 if d.sum().item() != 7 else d * 2

    x = double(torch, 3)
    assert gradcheck(Branching.apply, (x,))
    text = report(gradcheck, Branching.apply, x, check_batched_grad=True)
    assert text.startswith("While computing batched gradients, got: ") and "cannot be mapped" in text


# ------------------------------------------------------------------------------ fast mode


def test_small_errors_that_add_up():
    """Each entry is within atol, and all err to the same side; the projection's tolerance takes that into account,
    rtol's does not."""
    size = 200
    signs = torch.tensor(np.where(np.arange(size) % 2, 1.0, -1.0))

    class Off(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return (x * signs).sum()

        @staticmethod
        def backward(ctx, d):
            return d * signs * (1 + 0.9e-2 * signs)

    x = torch.ones(size, dtype=torch.float64, requires_grad=True)
    assert gradcheck(Off.apply, (x,), rtol=1e-2)
    text = report(gradcheck, Off.apply, x, rtol=1e-2, fast_mode=True)
    assert text.startswith("Fast gradcheck failed but element-wise differences are small") and "fast_mode=False" in text


def test_fast_mode_finds_one_wrong_entry_among_many():
    class Off(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, d):
            d = d * 2
            d[13] = 0
            return d

    text = report(gradcheck, Off.apply, torch.ones(20, dtype=torch.float64, requires_grad=True), fast_mode=True)
    assert "worst entry   d output[13] / d input[13]" in text and "1 of 400 differ" in text


def test_fast_mode_needs_few_calls():
    calls = []

    def func(x):
        calls.append(1)
        return x.sin()

    x = torch.ones(1000, dtype=torch.float64, requires_grad=True)
    assert gradcheck(func, (x,), fast_mode=True)
    assert len(calls) < 10


def test_fast_mode_finds_a_cut_graph():
    with pytest.raises(GradcheckError, match="Numerical gradient for function expected to be zero"):
        gradcheck(lambda x: x.detach() * 2, (double(torch, 2),), fast_mode=True)


def test_there_are_many_faults():
    assert len(FORWARD) + len(SECOND) + len(BATCHED) >= 30
