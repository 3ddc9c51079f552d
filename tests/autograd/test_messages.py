"""Messages that keep PyTorch's key phrases, and name the usual mistakes."""

import pytest

import minigrad
from tests.checking import is_minigrad, refuses


def test_a_write_is_told_with_the_hint_to_anomaly_mode(torch):
    x = torch.ones(2, requires_grad=True)
    y = x * 1
    z = y * y
    y.add_(1)
    with refuses(RuntimeError, "with torch.autograd.set_detect_anomaly(True", "MG101"):
        z.sum().backward()


@pytest.mark.filterwarnings("ignore")
def test_and_without_it_where_anomaly_mode_is_on(torch):
    x = torch.ones(2, requires_grad=True)
    with torch.autograd.set_detect_anomaly(True):
        y = x * 1
        z = y * y
        y.add_(1)
        with pytest.raises(RuntimeError, match="modified by an inplace operation") as caught:
            z.sum().backward()
    assert "set_detect_anomaly(True" not in str(caught.value)


@pytest.mark.parametrize("shape", [(3, 5), (2,), (3, 2, 2)])
def test_batched_gradients_of_a_wrong_shape(torch, shape):
    x = torch.ones(2, requires_grad=True)
    with refuses(RuntimeError, "If `is_grads_batched=True`, we interpret the first dimension of each grad_output as "
                               "the batch dimension", "MG109"):
        torch.autograd.grad(x * 2, x, torch.ones(shape), is_grads_batched=True)


def test_ctx_beside_setup_context():
    class Both(minigrad.autograd.Function):
        @staticmethod
        def forward(ctx, a):
            return a * 2

        @staticmethod
        def setup_context(ctx, inputs, output):
            pass

    with pytest.raises(TypeError, match="missing a required argument: 'a'. If there is a setup_context, forward "
                                        "takes no ctx: drop it here.*MG303"):
        Both.apply(minigrad.ones(2))


def test_a_missing_save_for_backward(torch):
    class Forgetful(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * x

        @staticmethod
        def backward(ctx, d):
            x, = ctx.saved_tensors
            return 2 * x * d

    with pytest.raises(ValueError, match="not enough values to unpack") as caught:
        Forgetful.apply(torch.ones(2, requires_grad=True)).sum().backward()
    if is_minigrad(torch):
        assert "forward did not call ctx.save_for_backward(...). See " in caught.value.__notes__[-1]


def test_another_error_in_backward_is_left_alone():
    class Wrong(minigrad.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, d):
            x, y = ctx.saved_tensors
            return d

    with pytest.raises(ValueError) as caught:
        Wrong.apply(minigrad.ones(2, requires_grad=True)).sum().backward()
    assert not any("save_for_backward" in note for note in getattr(caught.value, "__notes__", ()))


def test_a_tensor_made_of_tensors_is_among_the_causes():
    a, b = minigrad.tensor(1., requires_grad=True), minigrad.tensor(2., requires_grad=True)
    joined = minigrad.tensor([a, b])
    with pytest.raises(RuntimeError, match=r"torch.tensor\(\[a, b\]\), which copies numbers: torch.stack\(\[a, b\]\) "
                                           r"keeps the history.*MG103"):
        joined.sum().backward()
    assert "torch.tensor([a, b])" in joined.why_no_grad()
    assert "torch.tensor([a, b])" in a.why_no_grad((joined.detach() * b).sum())
    assert "torch.tensor([a, b])" in minigrad.ones(1, requires_grad=True).why_no_grad()
