"""gradcheck and gradgradcheck: right derivatives pass, planted faults are found and their cause is named."""

import re
import warnings

import numpy as np
import pytest

import minigrad
from minigrad.autograd import GradcheckError, grad
from minigrad.autograd.gradcheck import jacobians


def double(torch, *shape, low=0.5, high=2.0, dtype="float64"):
    """Numbers that differ from each other, away from all kinks; the same on both libraries."""
    values = np.linspace(low, high, int(np.prod(shape)) or 1)[: int(np.prod(shape))]
    if dtype.startswith("complex"):
        values = values + 1j * values[::-1] * 0.7
    return torch.tensor(values.reshape(shape).tolist(), dtype=getattr(torch, dtype), requires_grad=True)


def planted(forward, backward, torch=minigrad, save=True):
    """A Function whose backward(inputs, d) gives a tuple of gradients."""

    class Planted(torch.autograd.Function):
        @staticmethod
        def forward(ctx, *inputs):
            ctx.save_for_backward(*inputs)
            return forward(*inputs)

        @staticmethod
        def backward(ctx, *d):
            return backward(*ctx.saved_tensors, *d)

    return Planted.apply


def report(func, *inputs, check="gradcheck", **arguments):
    with pytest.raises(GradcheckError) as caught:
        getattr(minigrad.autograd, check)(func, inputs, **arguments)
    assert caught.value.code == "MG501" and isinstance(caught.value, RuntimeError)
    return str(caught.value)


# ------------------------------------------------------------------------------ what is right passes


@pytest.mark.parametrize(
    "func",
    [
        lambda x: x.sin(),
        lambda x: (x * 2, x.exp()),
        lambda x: [x * x],
        lambda x: x.sum(),
        lambda x: x.t() @ x,
        lambda x: x,
        lambda x: x.clone().mul_(2),
    ],
    ids=["elementwise", "tuple", "list", "0-d", "matmul", "identity", "in place"],
)
def test_right_derivatives_pass(torch, func):
    x = double(torch, 2, 3)
    assert torch.autograd.gradcheck(func, (x,)) is True
    assert torch.autograd.gradgradcheck(func, (x,)) is True
    assert torch.autograd.gradcheck(func, x) is True


@pytest.mark.parametrize("func", [lambda z: z * z * z, lambda z: z.abs(), lambda z: z.exp(),
                                  lambda z: (z * z.conj()).real])
def test_complex_derivatives_pass(torch, func):
    z = double(torch, 3, dtype="complex128")
    assert torch.autograd.gradcheck(func, (z,)) and torch.autograd.gradgradcheck(func, (z,))


def test_a_real_input_and_a_complex_output(torch):
    assert torch.autograd.gradcheck(lambda x: torch.complex(x, x * x), (double(torch, 3),))


def test_outputs_of_integers_are_left_out():
    assert minigrad.autograd.gradcheck(lambda x: (x * x, x > 1.2, x.long()), (double(minigrad, 3),))


def test_several_inputs_of_which_some_are_checked(torch):
    x, fixed, y = double(torch, 2, 3), torch.ones(3, dtype=torch.float64), double(torch, 3)
    assert torch.autograd.gradcheck(lambda x, n, c, y: x * n * c + y, (x, 2, fixed, y))


def test_unused_inputs_and_empty_ones(torch):
    assert torch.autograd.gradcheck(lambda x, y: x * 2, (double(torch, 2), double(torch, 2)))
    assert torch.autograd.gradcheck(lambda x: x * 2, (double(torch, 0),))


def test_inputs_are_as_before(torch):
    x = double(torch, 3)
    before, version = x.tolist(), x._version
    torch.autograd.gradcheck(lambda x: x.sin(), (x,))
    assert x.tolist() == before and x._version == version and x.grad is None


def test_inputs_are_as_before_when_the_function_raises():
    """PyTorch leaves the step in them."""
    x = double(minigrad, 3)
    before, calls = x.tolist(), []

    def failing(x):
        calls.append(1)
        if len(calls) > 2:
            raise KeyError
        return x * 2

    with pytest.raises(KeyError):
        minigrad.autograd.gradcheck(failing, (x,))
    assert x.tolist() == before


def test_a_tensor_reached_by_a_closure_is_measured_too(torch):
    x = double(torch, 3)
    assert torch.autograd.gradcheck(lambda _: x.sin(), (x,))


def test_the_users_random_numbers_are_left_alone():
    minigrad.manual_seed(0)
    expected = minigrad.rand(3).tolist()
    minigrad.manual_seed(0)
    minigrad.autograd.gradgradcheck(lambda x: x.sin(), (double(minigrad, 3),))
    assert minigrad.rand(3).tolist() == expected


def test_grad_outputs_may_be_given(torch):
    x = double(torch, 3)
    for d in (double(torch, 3), torch.ones(3, dtype=torch.float64)):
        assert torch.autograd.gradgradcheck(lambda x: x * x, (x,), (d,))
    assert torch.autograd.gradgradcheck(lambda x: x * x, (x,), gen_non_contig_grad_outputs=True)


# ------------------------------------------------------------------------------ faults, on both libraries


FAULTS = {
    "factor": (lambda x: x.sin(), lambda x, d: 2 * x.cos() * d),
    "sign": (lambda x: x.cos(), lambda x, d: x.sin() * d),
    "none": (lambda x: x * 2, lambda x, d: None),
    "not multiplied": (lambda x: x * 2, lambda x, d: 2 + 0 * d),
    "one output": (lambda x: (x * 2, x * 3), lambda x, a, b: a * 2 + b * 4),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_are_found(torch, fault):
    func = planted(*FAULTS[fault], torch=torch)
    x = double(torch, 2, 2)
    with pytest.raises(RuntimeError, match="Jacobian mismatch for output|not multiplied"):
        torch.autograd.gradcheck(func, (x,))
    assert torch.autograd.gradcheck(func, (x,), raise_exception=False) is False


def test_the_second_output_is_named(torch):
    func = planted(*FAULTS["one output"], torch=torch)
    with pytest.raises(RuntimeError, match="Jacobian mismatch for output 1 with respect to input 0"):
        torch.autograd.gradcheck(func, (double(torch, 2),))


def test_the_second_input_is_named(torch):
    func = planted(lambda x, y: x * y, lambda x, y, d: (y * d, y * d), torch=torch)
    with pytest.raises(RuntimeError, match="Jacobian mismatch for output 0 with respect to input 1"):
        torch.autograd.gradcheck(func, (double(torch, 2), double(torch, 2, low=3, high=4)))


def test_a_wrong_second_derivative_is_found(torch):
    class Frozen(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x**3

        @staticmethod
        def backward(ctx, d):
            return 3 * ctx.saved_tensors[0].detach() ** 2 * d

    x = double(torch, 2)
    assert torch.autograd.gradcheck(Frozen.apply, (x,))
    assert not torch.autograd.gradgradcheck(Frozen.apply, (x,), raise_exception=False)


def test_a_cut_graph_is_found(torch):
    with pytest.raises(RuntimeError, match="Numerical gradient for function expected to be zero"):
        torch.autograd.gradcheck(lambda x: x.detach() * 2, (double(torch, 2),))
    assert torch.autograd.gradcheck(lambda x: torch.ones(2), (double(torch, 2),))


def test_a_backward_that_varies_is_found(torch):
    runs = []

    def backward(x, d):
        runs.append(1)
        return 2 * d + 1e-9 * len(runs)

    func = planted(lambda x: x * 2, backward, torch=torch)
    with pytest.raises(RuntimeError, match="Backward is not reentrant"):
        torch.autograd.gradcheck(func, (double(torch, 1),))


def test_something_small_for_nothing_is_found(torch):
    """Below the tolerance, and yet not in proportion to the incoming gradient."""
    func = planted(lambda x: x * 2, lambda x, d: 2 * d + 1e-8, torch=torch)
    with pytest.raises(RuntimeError, match="backward not multiplied by grad_output"):
        torch.autograd.gradcheck(func, (double(torch, 2),))


def test_a_small_variation_may_be_allowed(torch):
    runs = []

    def backward(x, d):
        runs.append(1)
        return 2 * d * (1 + 1e-9 * len(runs))

    func = planted(lambda x: x * 2, backward, torch=torch)
    assert torch.autograd.gradcheck(func, (double(torch, 2),), nondet_tol=1e-6)


def test_tolerances_and_the_step_count(torch):
    func = planted(lambda x: x * 2, lambda x, d: 2.01 * d, torch=torch)
    x = double(torch, 2)
    assert not torch.autograd.gradcheck(func, (x,), raise_exception=False)
    assert torch.autograd.gradcheck(func, (x,), atol=0.1) and torch.autograd.gradcheck(func, (x,), rtol=0.1)
    coarse = double(torch, 2, dtype="float32")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert torch.autograd.gradcheck(lambda x: x.sin(), (coarse,), eps=1e-2, atol=1e-2)


def test_dtypes_are_checked_on_request(torch):
    assert torch.autograd.gradcheck(lambda x: x * x, (double(torch, 2),), check_grad_dtypes=True)


def test_gradients_of_another_dtype_or_shape_are_found(monkeypatch):
    """The engine gives gradients the form of their inputs, so the fault is planted in it."""
    arguments = {"func": lambda x: x * x, "inputs": (double(minigrad, 2),)}
    monkeypatch.setattr(jacobians, "grad",
                        lambda *given, **options: tuple([g.float() for g in grad(*given, **options)]))
    with pytest.raises(GradcheckError, match="Gradient has dtype mismatch: for input 0"):
        minigrad.autograd.gradcheck(**arguments, check_grad_dtypes=True)
    assert minigrad.autograd.gradcheck(**arguments)
    monkeypatch.setattr(jacobians, "grad",
                        lambda *given, **options: tuple([g.sum() for g in grad(*given, **options)]))
    with pytest.raises(GradcheckError, match="Analytical gradient has incorrect size: for input 0"):
        minigrad.autograd.gradcheck(**arguments)


def test_a_complex_tangent_of_a_real_output_is_found(torch):
    class Complex(torch.autograd.Function):
        @staticmethod
        def forward(x):
            return x * 2

        @staticmethod
        def setup_context(ctx, inputs, output):
            pass

        @staticmethod
        def backward(ctx, d):
            return d * 2

        @staticmethod
        def jvp(ctx, t):
            return (t * 2).to(torch.complex128)

    with pytest.raises(RuntimeError, match="Forward AD gradient has dtype mismatch"):
        torch.autograd.gradcheck(Complex.apply, (double(torch, 2),), check_forward_ad=True, check_grad_dtypes=True)


def test_random_grad_outputs_lie_apart_on_request(torch):
    seen = set()

    class Watching(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, d):
            seen.add(d.is_contiguous())
            return d * 2

    for apart in (False, True):
        seen.clear()
        assert torch.autograd.gradgradcheck(Watching.apply, (double(torch, 2, 2),), gen_non_contig_grad_outputs=apart,
                                            check_undefined_grad=False)
        assert (False in seen) == apart


# ------------------------------------------------------------------------------ undefined gradients


def two_outputs(torch, backward):
    class Two(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.set_materialize_grads(False)
            return x * 2, x * 3

    Two.backward = staticmethod(backward)
    return Two.apply


def test_undefined_gradients_that_are_handled(torch):
    def backward(ctx, a, b):
        return (0 if a is None else a * 2) + (0 if b is None else b * 3) if a is not None or b is not None else None

    assert torch.autograd.gradcheck(two_outputs(torch, backward), (double(torch, 2),))


def test_undefined_gradients_that_count_as_something_else(torch):
    def backward(ctx, a, b):
        if a is None and b is None:
            return torch.ones(2, dtype=torch.float64)
        return (0 if a is None else a * 2) + (0 if b is None else b * 3)

    func = two_outputs(torch, backward)
    with pytest.raises(RuntimeError,
                       match="Expected all input grads to be undefined or zero"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.autograd.gradcheck(func, (double(torch, 2),))
    assert torch.autograd.gradcheck(func, (double(torch, 2),), check_undefined_grad=False)


def test_one_undefined_gradient_beside_one_of_zeros(torch):
    """Right for all but this: then 0 / 0 is nan."""

    def backward(ctx, a, b):
        if a is None:
            return None if b is None else 3 * b / b.norm() * b.norm()
        return a * 2 + (0 if b is None else b * 3)

    with pytest.raises(RuntimeError,
                       match="Expected all input grads to be undefined or zero"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.autograd.gradcheck(two_outputs(torch, backward), (double(torch, 2),))


def test_undefined_gradients_that_raise(torch):
    def backward(ctx, a, b):
        if a is None and b is None:
            raise RuntimeError("no gradient at all")
        return (0 if a is None else a * 2) + (0 if b is None else b * 3)

    func = two_outputs(torch, backward)
    with pytest.raises(RuntimeError,
                       match="Expected backward function to handle undefined output grads"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.autograd.gradcheck(func, (double(torch, 2),))


# ------------------------------------------------------------------------------ the report


def test_the_report_says_where_and_how_much():
    func = planted(lambda x: (x, x * x), lambda x, a, b: a + 2 * x * b * (1 + (x > 1.9) * 2))
    text = report(func, double(minigrad, 2, 3))
    assert text.splitlines()[0] == "Jacobian mismatch for output 1 with respect to input 0,"
    assert "worst entry   d output[1, 2] / d input[1, 2]" in text
    assert "numerical     4" in text and "analytical    12    (analytical / numerical = 3)" in text
    assert "1 of 36 differ by more than 1e-05 + 0.001 * |numerical|" in text


WEIGHTS = minigrad.tensor([[1.0, 2, 0], [0, 3, 4], [-1, 2, 5]], dtype=minigrad.float64)

CAUSES = {
    "factor": (lambda x: x.sin(), lambda x, d: 2 * x.cos() * d, (2, 3), "every entry is 2 times what it should be"),
    "half": (lambda x: x * x, lambda x, d: x * d, (3,), "every entry is 0.5 times what it should be"),
    "sign": (lambda x: x.cos(), lambda x, d: x.sin() * d, (2, 3), "the sign: every entry is the negative"),
    "none": (lambda x: x * 2, lambda x, d: None, (3,), "no gradient arrives"),
    "zeros": (lambda x: x * 2, lambda x, d: d * 0, (3,), "no gradient arrives"),
    "constant": (lambda x: x * 0 + 1, lambda x, d: d, (3,), "the function does not change with this input"),
    "nan": (lambda x: x * 2, lambda x, d: d / 0, (3,), "backward gives nan or inf"),
    "transpose": (lambda x: x.t() * 2, lambda x, d: d * 2, (3, 3), "a transpose: with its last two axes exchanged"),
    "reshape": (lambda x: x.t() * 2, lambda x, d: d.reshape(2, 3) * 2, (2, 3), "a reshape instead of a transpose"),
    "cotangent": (lambda x: x * 2, lambda x, d: d * 0 + 2, (3,), "returns the same, whatever gradient it receives"),
    "mean": (lambda x: x.expand(4, 3) * 2, lambda x, d: d.mean(0) * 2, (3,), "averaged .mean. over the broadcast axes"),
    "slice": (lambda x: x.expand(4, 3) * 2, lambda x, d: d.select(0, 0) * 2, (3,), "a sum is missing"),
    "extra": (lambda x: x.exp(), lambda x, d: x * x.exp() * d, (3,),
              "one factor too many: every entry is what it should be, times the input"),
    "missing": (lambda x: x * x * x / 3, lambda x, d: x * d, (3,), "every entry should be multiplied by the input"),
    "output": (lambda x: x.exp(), lambda x, d: d, (3,), "every entry should be multiplied by the output"),
    "mask": (lambda x: x * 2, lambda x, d: d * 2 * (x > 1.2), (4,), "some entries get no gradient where they should"),
    "other terms":
        (lambda x: x * x.sum(), lambda x, d: d * x.sum(), (3,), "backward treats the function as elementwise"),
    "jacobian for its transpose": (
        lambda x: x @ WEIGHTS,
        lambda x, d: d @ WEIGHTS,
        (3,),
        "the Jacobian is transposed: backward must multiply by the transpose",
    ),
    "cumulative": (lambda x: x.cumsum(0), lambda x, d: d.cumsum(0), (4,), "a cumulative sum runs the other way"),
    "roll": (lambda x: x.roll(1, 0) * 2, lambda x, d: d.roll(2, 0) * 2, (4,),
             "for the wrong entries of the input: a permutation"),
    "added": (lambda x: x.sin(), lambda x, d: d * x.cos() + 0.1, (4,),
              "adds something that does not depend on the incoming gradient"),
    "no mask": (lambda x: x * (x > 1.2), lambda x, d: d, (4,), "gradient goes to entries that have no influence"),
}


@pytest.mark.parametrize("fast_mode", [False, True], ids=["slow", "fast"])
@pytest.mark.parametrize("fault", CAUSES)
def test_the_likely_cause(fault, fast_mode):
    forward, backward, shape, cause = CAUSES[fault]
    text = report(planted(forward, backward), double(minigrad, *shape), check_undefined_grad=False, fast_mode=fast_mode)
    assert re.search(f"likely cause  .*{cause}", text), text
    assert "where         Planted.backward: the only custom Function on the way" in text


def test_gradients_in_the_wrong_order():
    func = planted(lambda x, y: x * y, lambda x, y, d: (x * d, y * d))
    text = report(func, double(minigrad, 3), double(minigrad, 3, low=5, high=9))
    assert "this is the gradient of input 1" in text


def test_a_missing_conjugate():
    func = planted(lambda z: z * z, lambda z, d: d * 2 * z)
    text = report(func, double(minigrad, 2, dtype="complex128"))
    assert text.startswith("While considering the imaginary part of complex outputs only, Jacobian mismatch")
    assert "conjugate is missing" in text


def test_outputs_in_the_wrong_order():
    func = planted(lambda x: (x.sin(), x * x), lambda x, a, b: a * 2 * x + b * x.cos())
    assert ("this is the gradient of output 1: backward takes its gradients in a different order" in report(
        func, double(minigrad, 3)))


def test_a_lost_imaginary_part():
    def backward(z, d):
        return (d * (2 * z).conj()).real + 0j

    text = report(planted(lambda z: z * z, backward), double(minigrad, 2, dtype="complex128"))
    assert "the imaginary part is lost" in text


def test_inputs_that_share_memory():
    x = double(minigrad, 3)
    y = x.detach().requires_grad_()
    assert "inputs 0 and 1 share memory" in report(lambda x, y: x * y, x, y)


def test_precision_that_is_lost_inside():
    text = report(lambda x: x.float().sin().double(), double(minigrad, 3))
    assert "the measurement rather than the derivative" in text and "float32" in text


def test_several_custom_functions_on_the_way():
    class Right(minigrad.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, d):
            return d * 2

    wrong = planted(lambda x: x * 2, lambda x, d: d)
    assert ("one of the custom Functions on the way: Planted.backward, Right.backward" in report(
        lambda x: wrong(Right.apply(x)), double(minigrad, 3)))
    assert "where" not in report(lambda x: x.relu(), minigrad.zeros(2, dtype=minigrad.float64, requires_grad=True))


def test_a_kink():
    x = minigrad.tensor([-1.0, 0.0, 1.0], dtype=minigrad.float64, requires_grad=True)
    assert "a kink or a jump at this point (slope 0 on the left, 1 on the right)" in report(lambda x: x.relu(), x)


def test_a_kink_at_which_the_convention_is_the_middle_passes(torch):
    """abs has slope 0 at 0 by convention, and central differences say the same."""
    x = torch.tensor([-1.0, 0.0, 1.0], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda x: x.abs(), (x,))


def test_single_precision():
    x = double(minigrad, 3, dtype="float32")
    with pytest.warns(UserWarning, match="is not a double precision floating point"):
        text = report(lambda x: x.sin(), x)
    assert "the precision of torch.float32" in text and "x.double()" in text


def test_a_function_that_varies():
    calls = []

    def forward(x):
        calls.append(1)
        return x * len(calls)

    assert "the function is not deterministic" in report(forward, double(minigrad, 3))


def test_an_intermediate_is_blamed_for_a_wrong_second_derivative():
    class Middle(minigrad.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            e = x.exp()
            ctx.save_for_backward(e)
            return e * 2

        @staticmethod
        def backward(ctx, d):
            return d * 2 * ctx.saved_tensors[0]

    x = double(minigrad, 3)
    assert minigrad.autograd.gradcheck(Middle.apply, (x,))
    with pytest.warns(UserWarning, match="neither an input nor an output"):
        text = report(lambda x: Middle.apply(x.sin()).sum(), x, check="gradgradcheck")
    assert text.count("likely cause") == 1 and text.count("MG501") == 1
    assert "MiddleBackward saved an intermediate of forward (saved_tensors[0])" in text


# ------------------------------------------------------------------------------ bad input


def test_no_input_requires_grad(torch):
    with pytest.raises(ValueError, match="gradcheck expects at least one input tensor to require gradient"):
        torch.autograd.gradcheck(lambda x: x, (torch.ones(2),))


def test_an_expanded_input(torch):
    x = double(torch, 1).expand(3)
    with pytest.raises(RuntimeError, match="The 0th input has a dimension with stride 0"):
        torch.autograd.gradcheck(lambda x: x.sin(), (x,))


def test_a_read_only_input():
    array = np.ones(2)
    array.flags.writeable = False
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        x = minigrad.from_numpy(array).requires_grad_()
    with pytest.raises(RuntimeError, match="read-only"):
        minigrad.autograd.gradcheck(lambda x: x.sin(), (x,))


def test_an_output_that_is_not_a_tensor():
    with pytest.raises(TypeError, match="output 1 is of type int"):
        minigrad.autograd.gradcheck(lambda x: (x, 3), (double(minigrad, 2),))


def test_an_output_that_changes_its_shape(torch):
    x = torch.ones(2, dtype=torch.float64, requires_grad=True)
    with pytest.raises(AssertionError, match="Expected `func` to return outputs with the same shape"):
        torch.autograd.gradcheck(lambda x: x * 2 if x.sum() > 2 else x.sum(), (x,))


def test_an_output_that_changes_its_dtype(torch):
    x = torch.ones(2, dtype=torch.float64, requires_grad=True)
    with pytest.raises(AssertionError, match="Expected `func` to return outputs with the same dtype"):
        torch.autograd.gradcheck(lambda x: x * 2 if x.sum() > 2 else x.float(), (x,))


def test_an_input_whose_windows_overlap():
    """PyTorch looks for strides of 0 only, and reports a wrong derivative here."""
    x = double(minigrad, 4).as_strided((3, 2), (1, 1))
    with pytest.raises(RuntimeError, match="The 0th input overlaps itself in memory"):
        minigrad.autograd.gradcheck(lambda x: x.sin(), (x,))


def test_inputs_that_are_views_without_overlap(torch):
    for x in (double(torch, 3, 4).t(), double(torch, 3, 4)[::2, 1:3], double(torch, 6).as_strided((2, 2), (3, 1))):
        assert torch.autograd.gradcheck(lambda x: x.sin() * x.sum(), (x.detach().requires_grad_(),))


@pytest.mark.parametrize(
    ("check", "arguments", "phrase"),
    [
        ("gradcheck", {"check_backward_ad": False},
         "Expected at least one of check_forward_ad or check_backward_ad to be True"),
        ("gradcheck", {"check_backward_ad": False, "check_forward_ad": True, "check_batched_grad": True},
         "requires check_backward_ad to be True"),
        ("gradcheck", {"check_batched_forward_grad": True}, "requires check_forward_ad to be True"),
        ("gradgradcheck", {"check_rev_over_rev": False},
         "Expected at least one of check_fwd_over_rev or check_rev_over_rev to be True"),
        ("gradgradcheck", {"check_rev_over_rev": False, "check_fwd_over_rev": True},
         "check_undefined_grad=True requires check_rev_over_rev to be True"),
        (
            "gradgradcheck",
            {"check_rev_over_rev":
                 False, "check_fwd_over_rev": True, "check_undefined_grad": False, "check_batched_grad": True},
            "check_batched_grad=True requires check_rev_over_rev to be True",
        ),
    ],
)
def test_arguments_that_do_not_go_together(torch, check, arguments, phrase):
    with pytest.raises(AssertionError, match=phrase):
        getattr(torch.autograd, check)(lambda x: x, (double(torch, 2),), **arguments)
