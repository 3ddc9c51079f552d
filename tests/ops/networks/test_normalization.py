"""What samples cannot say of normalisations: running statistics, numbers far from zero, threads."""

import numpy as np
import pytest

import minigrad as torch
from minigrad import func

F = torch.nn.functional


def batches():
    torch.manual_seed(3)
    return torch.randn(4, 3, 5, requires_grad=True), torch.zeros(3), torch.ones(3)


# ------------------------------------------------------------------------------ running statistics

def test_running_statistics_move_towards_those_of_the_batch():
    x, mean, variance = batches()
    F.batch_norm(x, mean, variance, training=True, momentum=0.25)
    assert torch.allclose(mean, 0.25 * x.mean((0, 2)))
    assert torch.allclose(variance, 0.75 + 0.25 * x.var((0, 2)))
    assert not mean.requires_grad and mean.grad_fn is None


def test_a_momentum_of_one_takes_the_statistics_of_the_batch():
    x, mean, variance = batches()
    F.batch_norm(x, mean, variance, training=True, momentum=1.)
    assert torch.equal(mean, torch.native_batch_norm(x, None, None, None, None, True, 0.1, 1e-5)[1])


def test_writes_to_running_statistics_are_counted():
    x, mean, variance = batches()
    F.batch_norm(x, mean, variance, training=True)
    assert mean._version == variance._version == 1
    F.batch_norm(x, mean, variance)
    assert mean._version == 1


def test_two_batches_may_be_normalised_before_the_first_goes_back():
    x, mean, variance = batches()
    first = F.batch_norm(x, mean, variance, training=True)
    F.batch_norm(x, mean, variance, training=True)
    (first * first).sum().backward()
    assert x.grad is not None


@pytest.mark.parametrize("write", [lambda x, mean, variance: mean.add_(1),
                                   lambda x, mean, variance: F.batch_norm(x, mean, variance, training=True)])
def test_a_saved_running_mean_that_was_written_later_is_noticed(write):
    x, mean, variance = batches()
    weight = torch.ones(3, requires_grad=True)
    out = F.batch_norm(x, mean, variance, weight)
    write(x.detach(), mean, variance)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        out.sum().backward()


@pytest.mark.parametrize("momentum", [None, "half"])
@pytest.mark.parametrize("norm", [F.batch_norm, F.instance_norm])
def test_a_momentum_is_a_number(norm, momentum):
    x, mean, variance = batches()
    for running in ((mean, variance), (None, None)):
        with pytest.raises(TypeError, match="argument 'momentum' must be float, not "):
            norm(x, *running, None, None, True, momentum)
    assert not mean.any() and mean._version == 0


def test_an_error_leaves_the_running_statistics_as_they_were():
    x, mean, variance = batches()
    for wrong in (dict(weight=torch.ones(2)), dict(bias=torch.ones(3, dtype=torch.float64)), dict(eps=-1.)):
        with pytest.raises((RuntimeError, ValueError)):
            F.batch_norm(x, mean, variance, training=True, **wrong)
    with pytest.raises(RuntimeError, match="elements not"):
        F.batch_norm(x, mean, torch.ones(2), training=True)
    assert mean._version == 0 and torch.equal(mean, torch.zeros(3))


@pytest.mark.parametrize("normalize", [lambda *args: F.batch_norm(*args, training=True), F.instance_norm])
def test_running_statistics_that_require_grad_are_refused_and_left(normalize):
    x, mean, variance = batches()
    with pytest.raises(RuntimeError, match="not differentiable with respect to argument 'running_var'"):
        normalize(x, mean, variance.requires_grad_())
    assert mean._version == variance._version == 0


def test_an_empty_batch_does_not_move_them():
    _, mean, variance = batches()
    assert F.batch_norm(torch.zeros(0, 3), mean, variance, training=True).shape == (0, 3)
    assert mean._version == 0


def test_instances_move_running_statistics_to_the_mean_over_samples():
    x, mean, variance = batches()
    F.instance_norm(x, mean, variance, momentum=0.5)
    assert torch.allclose(mean, 0.5 * x.mean((0, 2)), atol=1e-6)
    assert torch.allclose(variance, 0.5 + 0.5 * x.var(2).mean(0), atol=1e-6)
    assert mean._version == 1


# ------------------------------------------------------------------------------ transforms

def test_running_statistics_of_all_examples_cannot_follow_each_of_them():
    x, mean, variance = batches()
    with pytest.raises(RuntimeError, match="Batch norm got a batched tensor as input while the running_mean"):
        func.vmap(lambda x: F.batch_norm(x, mean, variance, training=True))(torch.randn(2, 4, 3))
    assert mean._version == 0
    assert func.vmap(lambda x: F.batch_norm(x, mean, variance))(torch.randn(2, 4, 3)).shape == (2, 4, 3)


def test_each_example_may_have_running_statistics_of_its_own():
    x = torch.randn(2, 4, 3)
    means, variances = torch.zeros(2, 3), torch.ones(2, 3)
    func.vmap(lambda x, m, v: F.batch_norm(x, m, v, training=True))(x, means, variances)
    for k in range(2):
        mean, variance = torch.zeros(3), torch.ones(3)
        F.batch_norm(x[k], mean, variance, training=True)
        assert torch.allclose(mean, means[k]) and torch.allclose(variance, variances[k])


def test_running_statistics_follow_inside_grad_and_jvp():
    x, mean, variance = batches()
    x = x.detach()
    expected, of_expected = torch.zeros(3), torch.ones(3)
    for run in (lambda f: func.grad(lambda x: f(x).square().sum())(x), lambda f: func.jvp(f, (x,), (x,))):
        run(lambda x: F.batch_norm(x, mean, variance, training=True))
        F.batch_norm(x, expected, of_expected, training=True)
        assert torch.allclose(mean, expected) and torch.allclose(variance, of_expected)


# ------------------------------------------------------------------------------ numbers

@pytest.mark.parametrize("normalize", [
    lambda x: F.layer_norm(x, (5000,)), lambda x: F.group_norm(x.reshape(2, 10, 500), 1).reshape(2, 5000),
    lambda x: F.batch_norm(x.t().contiguous(), None, None, training=True).t(),
    lambda x: F.batch_norm(x.reshape(1, 2, 5000), None, None, training=True).reshape(2, 5000)])
@pytest.mark.parametrize("dtype, far", [(torch.float32, 1000.), (torch.float64, 1e9)])
def test_numbers_far_from_zero_keep_their_digits(normalize, dtype, far):
    x = (torch.randn(2, 5000, dtype=torch.float64) + far).to(dtype)
    exact = x.double() - x.double().mean(1, keepdim=True)
    exact = exact / (exact.square().mean(1, keepdim=True) + 1e-5).sqrt()
    assert (normalize(x) - exact).abs().max() < 2e-4


def test_16_bit_floats_are_computed_in_single_precision():
    x = (torch.randn(4, 300) + 8).to(torch.bfloat16)
    weight = torch.rand(300)
    for exact, half in ((F.layer_norm(x.float(), (300,), weight), F.layer_norm(x, (300,), weight)),
                        (F.rms_norm(x.float(), (300,)), F.rms_norm(x, (300,))),
                        (F.batch_norm(x.float(), None, None, weight, training=True),
                         F.batch_norm(x, None, None, weight, training=True))):
        assert half.dtype is torch.bfloat16
        assert torch.equal(half, exact.to(torch.bfloat16)) or (half - exact).abs().max() < 0.02


def test_no_result_depends_on_the_number_of_threads():
    x = torch.randn(300, 40, 8, requires_grad=True)
    weights = {n: torch.rand(n, requires_grad=True) for n in (8, 40)}
    threads, found = torch.get_num_threads(), []
    try:
        for n in (1, 4):
            torch.set_num_threads(n)
            outs = [F.layer_norm(x, (8,), weights[8]), F.group_norm(x, 4, weights[40]),
                    F.batch_norm(x, None, None, weights[40], training=True), F.rms_norm(x, (8,), weights[8]),
                    F.batch_norm(x.reshape(-1, 40), None, None, weights[40], training=True)]
            grads = [torch.autograd.grad((out * out.sin()).sum(), (x, w), retain_graph=True)
                     for out, w in zip(outs, (weights[8], weights[40], weights[40], weights[8], weights[40]))]
            found.append([t.detach().numpy() for t in (*outs, *sum(grads, ()))])
    finally:
        torch.set_num_threads(threads)
    for one, several in zip(*found):
        assert np.array_equal(one, several)


def test_a_third_derivative_agrees_with_finite_differences():
    x = torch.randn(2, 3, dtype=torch.float64, requires_grad=True)

    def second(x):
        first, = torch.autograd.grad(F.layer_norm(x, (3,), eps=0.1).pow(3).sum(), x, create_graph=True)
        return torch.autograd.grad(first.square().sum(), x, create_graph=True)[0]

    assert torch.autograd.gradcheck(second, (x,))


# ------------------------------------------------------------------------------ what is refused

def test_what_has_no_channels_or_too_few_dims():
    with pytest.raises(IndexError, match="Dimension out of range"):
        F.instance_norm(torch.ones(4), torch.ones(4), torch.ones(4), use_input_stats=False)
    with pytest.raises(ValueError, match="must have at least 2 dimensions, but got 1"):
        F.rms_norm(torch.ones(3), (2, 3))


@pytest.mark.parametrize("dtype", [torch.int64, torch.bool, torch.complex64])
def test_responses_are_real_floating_point_numbers(dtype):
    with pytest.raises(RuntimeError, match="\"local_response_norm\" not implemented for"):
        F.local_response_norm(torch.ones(1, 2, 3, dtype=dtype), 2)


def test_rms_norm_of_complex_numbers_keeps_their_dtype():
    x = torch.ones(2, 3, dtype=torch.complex64)
    assert F.rms_norm(x, (3,), torch.ones(3, dtype=torch.float64)).dtype is torch.complex64


def test_bilinear_says_which_dtypes_differ():
    x, weight = torch.ones(2, 3), torch.ones(1, 3, 3, dtype=torch.float64)
    with pytest.raises(RuntimeError, match="All tensors must have the same dtype, got input1"):
        F.bilinear(x, x, weight)
