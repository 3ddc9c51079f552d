"""Anomaly mode: which node and which line are blamed, what is said, and that it goes as it came."""

import threading
import warnings

import numpy as np
import pytest

import minigrad
from minigrad._core.backward import watched_pass


def quietly(torch, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return torch.autograd.detect_anomaly(**options)


def blamed(torch, call, kind=RuntimeError, **options):
    """What is raised, and what the warnings of the pass say."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        with pytest.raises(kind) as caught, torch.autograd.detect_anomaly(**options):
            call()
    return caught.value, [str(w.message) for w in told if "Anomaly Detection has been enabled" not in str(w.message)]


def test_it_warns_when_it_is_switched_on(torch):
    with pytest.warns(UserWarning, match="Anomaly Detection has been enabled. This mode will increase the runtime"):
        torch.autograd.detect_anomaly()


def test_a_nan_is_blamed_on_the_node_that_made_it(torch):
    x = torch.zeros(2, requires_grad=True)

    def call():
        root = x.sqrt()                 # the culprit
        (root * 0).sum().backward()

    raised, told = blamed(torch, call)
    assert str(raised).startswith("Function 'SqrtBackward0' returned nan values in its 0th output.") and x.grad is None
    assert "Error detected in SqrtBackward0. Traceback of forward call that caused the error:" in told[-1]
    assert "root = x.sqrt()                 # the culprit" in told[-1]
    if torch is minigrad:
        assert raised.code == "MG128" and raised.__notes__ == ["(python -m minigrad explain MG128)", *told]


def test_which_output(torch):
    x, y = torch.ones(2, requires_grad=True), torch.zeros(2, requires_grad=True)
    raised, _ = blamed(torch, lambda: (x / y * 0).sum().backward())
    assert "returned nan values in its" in str(raised) and "DivBackward0" in str(raised)
    raised, _ = blamed(torch, lambda: torch.pow(y, x * 0.5).sum().backward(torch.tensor(0.0)))
    assert "PowBackward1' returned nan values in its 0th output" in str(raised)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64", "complex64"])
def test_a_nan_of_any_dtype(torch, dtype):
    x = torch.zeros(2, dtype=getattr(torch, dtype), requires_grad=True)
    raised, _ = blamed(torch, lambda: (x.sqrt() * 0).abs().sum().backward(torch.tensor(
        float("inf"), dtype=x.real.dtype if x.is_complex() else x.dtype)))
    assert "returned nan values in its 0th output" in str(raised)


def test_a_nan_behind_several_outputs(torch):
    x = torch.tensor([0., 4.], requires_grad=True)
    raised, _ = blamed(torch, lambda: torch.std_mean(x.sqrt() * 0)[0].backward())
    assert "SqrtBackward0' returned nan values in its 0th output" in str(raised)
    raised, _ = blamed(torch, lambda: sum(torch.linalg.svd(torch.zeros(2, 2) * x)).sum().backward())
    assert "LinalgSvdBackward0' returned nan values in its 0th output" in str(raised)


def test_nan_may_pass(torch):
    x = torch.zeros(1, requires_grad=True)
    with quietly(torch, check_nan=False):
        (x.sqrt() * 0).sum().backward()
    assert np.isnan(x.grad.item())


def test_an_error_of_a_function(torch):
    class Breaks(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, d):
            raise KeyError("mine")

    x = torch.ones(1, requires_grad=True)
    raised, told = blamed(torch, lambda: Breaks.apply(x).sum().backward(), KeyError)
    assert "Error detected in BreaksBackward" in told[-1] and "Breaks.apply(x).sum().backward()" in told[-1]


def test_a_tensor_that_was_modified(torch):
    def call():
        y = torch.ones(2, requires_grad=True).exp()         # saves its result
        y.add_(1)
        y.sum().backward()

    raised, told = blamed(torch, call)
    assert "modified by an inplace operation" in str(raised) and "saves its result" in told[-1]


def test_a_graph_that_was_freed(torch):
    x = torch.ones(2, requires_grad=True)

    def call():
        y = (x * x).sum()               # built once
        y.backward()
        y.backward()

    raised, told = blamed(torch, call)
    assert "a second time" in str(raised) and "built once" in told[-1]


def test_a_write_through_a_view(torch):
    def call():
        y = torch.ones(3, requires_grad=True) * 1
        y[1:].mul_(0.0).sqrt_()         # the culprit
        y.sum().backward(torch.tensor(0.0))

    raised, told = blamed(torch, call)
    assert "nan" in str(raised) and "the culprit" in told[-1]


def test_nodes_know_the_backward_that_made_them(torch):
    x = torch.zeros(1, requires_grad=True)

    def call():
        first, = torch.autograd.grad((x ** 1.5).sum(), x, create_graph=True)        # forward
        second, = torch.autograd.grad(first.sum(), x, create_graph=True)
        (second * 0).sum().backward()

    raised, told = blamed(torch, call)
    assert "returned nan values" in str(raised)
    assert "Previous calculation was induced by" in told[-1] and "# forward" in told[-1]


def test_the_backwards_that_are_named_are_not_too_many():
    class Passes(minigrad.autograd.Function):
        left = 30

        @staticmethod
        def forward(ctx, x):
            return x * 1

        @staticmethod
        def backward(ctx, d):
            Passes.left -= 1
            if not Passes.left:
                raise KeyError("mine")
            return Passes.apply(d)

    def call():
        x = minigrad.ones(1, requires_grad=True)
        y = Passes.apply(x)
        while True:
            d = minigrad.ones(1, requires_grad=True)
            y, = minigrad.autograd.grad(y, x, d, create_graph=True)
            x = d

    _, told = blamed(minigrad, call, KeyError)
    assert len(told) == 21 and all(["Previous calculation was induced by" in each for each in told[1:]])


def test_without_the_forward_pass(torch):
    x = torch.zeros(1, requires_grad=True)
    y = (x.sqrt() * 0).sum()
    _, told = blamed(torch, y.backward)
    assert ("Error detected in SqrtBackward0. No forward pass information available. Enable detect anomaly during "
            "forward pass" in told[-1])


def test_it_is_put_back(torch):
    def state():
        return torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled()

    assert state() == (False, True)
    with pytest.raises(KeyError), quietly(torch, check_nan=False):
        assert state() == (True, False)
        with torch.autograd.set_detect_anomaly(True):
            assert state() == (True, True)
        assert state() == (True, False)
        raise KeyError
    assert state() == (False, True)
    torch.autograd.set_detect_anomaly(True, check_nan=False)
    assert state() == (True, False)
    torch.autograd.set_detect_anomaly(False)
    assert state() == (False, True)


def test_it_decorates():
    @quietly(minigrad)
    def enabled():
        return minigrad.is_anomaly_enabled()

    assert enabled() and not minigrad.is_anomaly_enabled()


def test_a_pass_without_a_fault_is_the_same(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with quietly(torch):
        y = torch.stack([(x * x).sum(), x.exp().prod(), x.unbind(0)[1]])
        y[:1].add_(1)
        g, = torch.autograd.grad(y.sum(), x, create_graph=True)
        h, = torch.autograd.grad(g.sum(), x)
        assert "traceback_" in y.grad_fn.metadata
    z = torch.stack([(x * x).sum(), x.exp().prod(), x.unbind(0)[1]])
    expected, = torch.autograd.grad(z.sum(), x, create_graph=True)
    assert torch.equal(g, expected) and torch.equal(h, torch.autograd.grad(expected.sum(), x)[0])
    assert "traceback_" not in z.grad_fn.metadata


# ------------------------------------------------------------------------------ beyond PyTorch

def test_a_branch_that_was_not_taken_is_named():
    x = minigrad.tensor([0.0, 4.0], requires_grad=True)
    raised, _ = blamed(minigrad, lambda: minigrad.where(x > 0, x.sqrt(), 0.0).sum().backward())
    assert "The first one is at [0] of a gradient of shape [2]." in str(raised)
    assert "0 times an infinite derivative is nan; the 0 came from WhereBackward0" in str(raised)
    assert "torch.where(ok, x, 1).sqrt()" in str(raised)


def test_a_nan_that_was_given():
    x = minigrad.ones(2, requires_grad=True)
    raised, _ = blamed(minigrad, lambda: (x * 2).backward(minigrad.tensor([1.0, float("nan")])))
    assert "MulBackward0" in str(raised) and "The incoming gradient already has nan" in str(raised)


def test_a_nan_of_the_forward_pass():
    x = minigrad.tensor([1.0, 2.0], requires_grad=True)
    raised, _ = blamed(minigrad, lambda: (x * minigrad.tensor([1.0, float("nan")])).sum().backward())
    assert "It came from the forward pass, which saved nan (in 'other')." in str(raised)


def test_a_nan_that_should_have_been_masked():
    x, spoilt = minigrad.ones(2, requires_grad=True), minigrad.tensor([1.0, float("nan")])
    raised, _ = blamed(minigrad, lambda: (x * spoilt * minigrad.tensor([1.0, 0.0])).sum().backward())
    assert ("nan (in 'other'). The incoming gradient is 0 there, but 0 times that is nan; the 0 came from "
            "MulBackward0" in str(raised))


def test_an_overflow_of_the_forward_pass():
    x = minigrad.tensor([100.0, 0.0], requires_grad=True)
    raised, _ = blamed(minigrad, lambda: (x.exp() / x.exp().sum())[0].backward())
    assert "It came from the forward pass, which saved inf (in 'other')." in str(raised)


def test_an_infinite_gradient_that_meets_a_0():
    x = minigrad.zeros(2, requires_grad=True)
    raised, _ = blamed(minigrad, lambda: x.square().sum().sqrt().backward())
    assert "PowBackward0" in str(raised)
    assert "has inf, and inf times 0 is nan: there was a division by 0, or a root" in str(raised)


def test_a_nan_of_a_function():
    class Careless(minigrad.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x / 0)
            return x * 1

        @staticmethod
        def backward(ctx, d):
            return d * (ctx.saved_tensors[0] - ctx.saved_tensors[0])

    raised, _ = blamed(minigrad, lambda: Careless.apply(minigrad.ones(2, requires_grad=True)).sum().backward())
    assert "saved inf (in saved_tensors[0])" in str(raised)


def test_a_nan_from_nowhere():
    class Nan(minigrad.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1

        @staticmethod
        def backward(ctx, d):
            return d * float("nan")

    raised, _ = blamed(minigrad, lambda: Nan.apply(minigrad.ones(2, requires_grad=True)).sum().backward())
    assert "made here, from the numbers of the forward pass" in str(raised)


def test_forward_over_reverse_and_transforms():
    x = minigrad.tensor([1.0, 2.0], requires_grad=True)
    with quietly(minigrad), minigrad.autograd.forward_ad.dual_level():
        d = minigrad.autograd.forward_ad.make_dual(x, minigrad.ones(2))
        g, = minigrad.autograd.grad((d ** 3).sum(), d)
        assert minigrad.autograd.forward_ad.unpack_dual(g).tangent.tolist() == [6, 12]
    with quietly(minigrad):
        assert minigrad.func.vmap(minigrad.func.grad(lambda x: x ** 3))(x.detach()).tolist() == [3, 12]


def test_it_belongs_to_one_thread():
    found = []
    with quietly(minigrad):
        thread = threading.Thread(target=lambda: found.append(minigrad.is_anomaly_enabled()))
        thread.start()
        thread.join()
    assert found == [False]


def test_a_story_that_fails_leaves_no_node_behind():
    """What is computed after a pass that did not come to run its node was not made by that node."""
    class Failing:
        def __getattr__(self, step):
            return lambda *told: 1 / 0 if step == "enter" else None

    with pytest.warns(UserWarning), minigrad.autograd.detect_anomaly():
        before = watched_pass.set_story(Failing())
        try:
            with pytest.raises(ZeroDivisionError):
                minigrad.ones(3, requires_grad=True).exp().sum().backward()
        finally:
            watched_pass.set_story(before)
        x = minigrad.zeros(1, requires_grad=True)
        with pytest.raises(RuntimeError, match="nan") as caught:
            (x.sqrt() * 0).backward()
    assert not [note for note in caught.value.__notes__ if "Previous calculation was induced by" in note]


def test_warnings_that_are_errors_do_not_hide_the_error(torch, capsys):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with torch.autograd.detect_anomaly():
            warnings.simplefilter("error")
            x = torch.ones(3, requires_grad=True)
            y = x + 1
            z = y ** 2
            y += 1
            with pytest.raises(RuntimeError, match="modified by an inplace operation"):
                z.sum().backward()
    assert "Error detected in PowBackward0" in capsys.readouterr().err


def test_a_block_that_was_not_entered_can_be_left(torch):
    before = torch.is_anomaly_enabled()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.autograd.detect_anomaly().__exit__(None, None, None)
    assert torch.is_anomaly_enabled() == before
