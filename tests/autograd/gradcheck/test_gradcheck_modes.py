"""What is right passes in every mode: forward, batched, fast, second order, complex; and both libraries judge alike."""

import warnings

import pytest

import minigrad
from minigrad.func.rules import apply
from minigrad.func.rules.derived import RULES
from minigrad.ops.exports import ROWS

from .test_gradcheck import double

def written(x):
    """A tensor that was written to, as a whole and through views."""
    y = x.clone()
    y[0] = x[1] * x[2]
    y[:, 1].mul_(x[:, 0])
    y.t()[0].exp_()
    return y * x


FUNCTIONS = {
    "elementwise": lambda x: x.sin() * x,
    "0-d": lambda x: (x * x).sum(),
    "matrix product": lambda x: x @ x.t(),
    "reduction": lambda x: x.exp().sum(1) / x.sum(),
    "two outputs": lambda x: (x * x, x.sum(0)),
    "view": lambda x: x.t()[1:] * 2,
    "in place": lambda x: x.clone().mul_(x),
    "in place through views": written,
    "index": lambda x: x[0] * x[1, 1:2],
    "softmax": lambda x: x.softmax(1),
    "complex output": lambda x: x * 1j,
}

HOLOMORPHIC = {
    "square": lambda z: z * z,
    "exp": lambda z: z.exp(),
    "matrix product": lambda z: z @ z,
    "abs": lambda z: z.abs(),
    "two outputs": lambda z: (z.real * z.imag, z.sin()),
}

first = pytest.mark.parametrize(
    "arguments",
    [
        {"check_forward_ad": True},
        {"check_forward_ad": True, "check_backward_ad": False},
        {"check_batched_grad": True},
        {"check_forward_ad": True, "check_batched_forward_grad": True},
        {"fast_mode": True},
        {"fast_mode": True, "check_forward_ad": True, "check_batched_grad": True, "check_batched_forward_grad": True},
        {"check_grad_dtypes": True, "check_forward_ad": True},
        {"masked": True},
    ],
    ids=lambda arguments: " ".join(arguments),
)
second = pytest.mark.parametrize(
    "arguments",
    [
        {"check_fwd_over_rev": True},
        {"check_fwd_over_rev": True, "check_rev_over_rev": False, "check_undefined_grad": False},
        {"check_batched_grad": True},
        {"fast_mode": True},
        {"fast_mode": True, "check_fwd_over_rev": True, "check_batched_grad": True},
        {"gen_non_contig_grad_outputs": True, "check_fwd_over_rev": True},
    ],
    ids=lambda arguments: " ".join(arguments),
)


@first
@pytest.mark.parametrize("case", FUNCTIONS)
def test_right_first_derivatives(torch, case, arguments):
    assert torch.autograd.gradcheck(FUNCTIONS[case], (double(torch, 3, 2),), **arguments) is True


@first
@pytest.mark.parametrize("case", HOLOMORPHIC)
def test_right_complex_derivatives(torch, case, arguments):
    assert torch.autograd.gradcheck(HOLOMORPHIC[case], (double(torch, 2, 2, dtype="complex128"),), **arguments) is True


@second
@pytest.mark.parametrize("case", FUNCTIONS)
def test_right_second_derivatives(torch, case, arguments):
    assert torch.autograd.gradgradcheck(FUNCTIONS[case], (double(torch, 3, 2),), **arguments) is True


@second
@pytest.mark.parametrize("case", HOLOMORPHIC)
def test_right_complex_second_derivatives(torch, case, arguments):
    assert torch.autograd.gradgradcheck(HOLOMORPHIC[case], (double(torch, 2, 2, dtype="complex128"),),
                                        **arguments) is True


#: on these gradcheck of PyTorch raises errors of its own
ALONE = {
    "conj": (lambda z: z.conj() * 2j, "complex128"),
    "real output": (lambda z: (z * z.conj()).real, "complex128"),
    "integers next to it": (lambda x: (x * x, x > 1, x.long()), "float64"),
}


@pytest.mark.parametrize("fast_mode", [False, True], ids=["slow", "fast"])
@pytest.mark.parametrize("case", ALONE)
def test_right_derivatives_that_pytorch_cannot_check(case, fast_mode):
    func, dtype = ALONE[case]
    x = double(minigrad, 3, dtype=dtype)
    modes = {"check_batched_grad": True, "fast_mode": fast_mode}
    assert minigrad.autograd.gradcheck(func, (x,), check_forward_ad=True, check_batched_forward_grad=True, **modes)
    assert minigrad.autograd.gradgradcheck(func, (x,), check_fwd_over_rev=True, **modes)


def test_slow_batches_do_not_warn(monkeypatch):
    """An operation without a batch rule is computed example by example, which vmap says once; whoever checks has not
    asked."""
    monkeypatch.setitem(RULES, ROWS["mul"], None)
    monkeypatch.setattr(apply, "_said", set())
    x = double(minigrad, 3)
    with pytest.warns(UserWarning, match="There is a performance drop"):
        minigrad.func.vmap(lambda x: x * x)(x)
    apply._said.clear()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert minigrad.autograd.gradcheck(lambda x: x.sin(), (x,), check_batched_grad=True)


def test_several_inputs_real_and_complex_and_constant(torch):
    x, z, fixed = double(torch, 2), double(torch, 2, dtype="complex128"), torch.ones(2, dtype=torch.float64)

    def func(x, n, z, fixed):
        return x * z * n + fixed, (x * x).sum()

    inputs = (x, 2, z, fixed)
    for fast_mode in (False, True):
        assert torch.autograd.gradcheck(func, inputs, check_forward_ad=True, fast_mode=fast_mode)
        assert torch.autograd.gradgradcheck(func, inputs, fast_mode=fast_mode)


def test_the_same_tensor_twice(torch):
    x = double(torch, 3)
    assert torch.autograd.gradcheck(lambda x, y: x * y, (x, x))


def test_an_output_without_history(torch):
    assert torch.autograd.gradcheck(lambda x: (x * x, torch.ones(2)), (double(torch, 3),), check_forward_ad=True,
                                    check_batched_grad=True)
    assert torch.autograd.gradcheck(lambda x: (x * x, torch.ones(2)), (double(torch, 3),), fast_mode=True)


def test_empty_inputs(torch):
    assert torch.autograd.gradcheck(lambda x: x * 2, (double(torch, 0, 2),), check_forward_ad=True)
    assert torch.autograd.gradcheck(lambda x, y: x.sum() * y, (double(torch, 0), double(torch, 2)), fast_mode=True)


def test_it_may_be_called_in_no_grad_of_the_function(torch):
    """What the function does to the mode stays its own affair."""

    def func(x):
        with torch.no_grad():
            scale = x.max()
        return x * x + 0 * scale

    assert torch.autograd.gradcheck(func, (double(torch, 3),), check_forward_ad=True)


def test_outputs_that_depend_on_requires_grad():
    with pytest.raises(AssertionError, match="returned 2 outputs, and 1 when it was called with dual tensors"):
        minigrad.autograd.gradcheck(lambda x: (x * x, x) if x.requires_grad else x * x, (double(minigrad, 3),),
                                    check_forward_ad=True)


def test_nothing_is_left_behind(torch):
    x = double(torch, 3)
    before, version = x.tolist(), x._version
    torch.autograd.gradcheck(lambda x: x.sin(), (x,), check_forward_ad=True, fast_mode=True)
    torch.autograd.gradgradcheck(lambda x: x.sin(), (x,), check_fwd_over_rev=True)
    assert x.tolist() == before and x._version == version and x.grad is None and x.requires_grad


JUDGED = {
    "steep": (lambda x: (1e4 * x).sin(), {}),
    "kink": (lambda x: (x - 1.25).abs(), {}),
    "jump": (lambda x: x * (x > 1.25), {}),
    "single precision inside": (lambda x: x.float().sin().double(), {}),
    "coarse": (lambda x: x**3, {"eps": 0.5}),
    "coarse and tolerated": (lambda x: x**3, {"eps": 0.1, "atol": 0.1}),
    "small tolerance": (lambda x: x.exp(), {"atol": 0, "rtol": 1e-12}),
    "detached factor": (lambda x: x * x.detach(), {}),
    "cut": (lambda x: x.detach() * 2, {}),
}


@pytest.mark.parity
@pytest.mark.parametrize("fast_mode", [False, True], ids=["slow", "fast"])
@pytest.mark.parametrize("case", JUDGED)
def test_both_libraries_judge_alike(case, fast_mode):
    theirs = pytest.importorskip("torch")
    func, arguments = JUDGED[case]
    verdicts = []
    for lib in (minigrad, theirs):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            verdicts.append(lib.autograd.gradcheck(func, (double(lib, 4),), raise_exception=False, fast_mode=fast_mode,
                                                   **arguments))
    assert verdicts[0] is verdicts[1]
