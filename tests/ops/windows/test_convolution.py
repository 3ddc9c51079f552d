"""Convolutions beyond the samples: inside vmap, with padding modes, ``nn.grad``, and what they refuse."""

import warnings

import numpy as np
import pytest

import minigrad as torch
from minigrad.func import grad, jvp, vjp, vmap
from minigrad.nn import functional as F
from tests.checking import refuses


@pytest.fixture(autouse=True)
def no_loops():
    """vmap warns where it computes one example after the other."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def network(parameters, x):
    """conv, relu, conv, relu, linear, of images (N, 2, 6, 6)."""
    w1, b1, w2, w3 = parameters
    x = F.relu(F.conv2d(x, w1, b1, padding=1))
    x = F.relu(F.conv2d(x, w2, stride=2, groups=2))
    return x.flatten(1) @ w3


def parameters(*batch):
    torch.manual_seed(0)
    return tuple([torch.randn(*batch, *shape, dtype=torch.float64)
                  for shape in ((4, 2, 3, 3), (4,), (4, 2, 2, 2), (36, 3))])


def loss(parameters, x, target):
    return F.cross_entropy(network(parameters, x), target)


def test_gradients_for_single_examples():
    p, x, target = parameters(), torch.randn(5, 2, 6, 6, dtype=torch.float64), torch.tensor([0, 2, 1, 1, 0])
    found = vmap(grad(lambda p, x, t: loss(p, x[None], t[None])), in_dims=(None, 0, 0))(p, x, target)
    for i in range(5):
        for each, expected in zip(found, grad(loss)(p, x[i:i + 1], target[i:i + 1])):
            np.testing.assert_allclose(each[i].numpy(), expected.numpy(), rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("in_dims", [(0, None), (0, 0)], ids=["of the same inputs", "each of its own inputs"])
def test_an_ensemble_of_networks(in_dims):
    p, x = parameters(3), torch.randn(3, 4, 2, 6, 6, dtype=torch.float64)
    given = x if in_dims[1] == 0 else x[0]
    out = vmap(network, in_dims)(p, given)
    for i in range(3):
        expected = network([each[i] for each in p], given[i] if in_dims[1] == 0 else given)
        np.testing.assert_allclose(out[i].numpy(), expected.numpy(), rtol=1e-10)


@pytest.mark.parametrize("groups", [1, 2])
@pytest.mark.parametrize("in_dims", [(0, None, None), (None, 0, None), (None, None, 0), (0, 0, None), (0, None, 0),
                                     (None, 0, 0), (0, 0, 0)])
@pytest.mark.parametrize("name", ["conv1d", "conv_transpose1d"])
def test_each_argument_may_be_a_batch(name, in_dims, groups):
    def f(x, w, b):
        return getattr(F, name)(x, w, b, stride=2, padding=1, groups=groups)

    def gradients(x, w, b):
        out, back = vjp(f, x, w, b)
        return out, *back(out * out)

    shapes = ((2, 4, 7), (4, 4 // groups, 3), (4,))
    args = [torch.randn(*[3] * (dim is not None), *shape, dtype=torch.float64) for dim, shape in zip(in_dims, shapes)]
    found = vmap(gradients, in_dims)(*args)
    for i in range(3):
        expected = gradients(*[x if dim is None else x[i] for x, dim in zip(args, in_dims)])
        for a, e in zip(found, expected, strict=True):
            np.testing.assert_allclose(a[i].numpy(), e.numpy(), rtol=1e-10, atol=1e-12)


def test_the_tangents_of_input_weight_and_bias():
    torch.manual_seed(0)
    x, w, b = [torch.randn(*shape, dtype=torch.float64) for shape in ((2, 2, 5), (3, 2, 2), (3,))]
    moves = [torch.randn_like(each) for each in (x, w, b)]
    for moved in ((0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)):
        def f(*some):
            args = [x, w, b]
            for i, each in zip(moved, some):
                args[i] = each
            return F.conv1d(*args, padding=1)
        out, tangent = jvp(f, tuple([(x, w, b)[i] for i in moved]), tuple([moves[i] for i in moved]))
        after, before = [f(*[(x, w, b)[i] + h * moves[i] for i in moved]) for h in (1e-6, -1e-6)]
        np.testing.assert_allclose(tangent.numpy(), ((after - before) / 2e-6).numpy(), rtol=1e-7, atol=1e-7)


@pytest.mark.parametrize("mode", ["circular", "reflect", "replicate"])
def test_a_padding_mode_is_a_padding_and_a_convolution(mode):
    x = torch.tensor([[[1., 2., 4., 8.]]], dtype=torch.float64, requires_grad=True)
    w = torch.tensor([[[1., 10., 100.]]], dtype=torch.float64, requires_grad=True)
    first, last = {"circular": (8, 1), "reflect": (2, 4), "replicate": (1, 8)}[mode]
    out = F.conv1d(F.pad(x, (1, 1), mode), w)
    padded = np.array([first, 1, 2, 4, 8, last])
    np.testing.assert_allclose(out[0, 0].detach().numpy(), padded[:-2] + 10 * padded[1:-1] + 100 * padded[2:])
    assert torch.autograd.gradcheck(lambda x, w: F.conv1d(F.pad(x, (1, 1), mode), w), (x, w))


@pytest.mark.parametrize("n", [1, 2, 3])
def test_one_gradient_alone(n):
    torch.manual_seed(0)
    x = torch.randn(2, 4, *[5] * n, dtype=torch.float64, requires_grad=True)
    w = torch.randn(6, 2, *[2] * n, dtype=torch.float64, requires_grad=True)
    options = {"stride": 2, "padding": 1, "dilation": 2, "groups": 2}
    out = getattr(F, f"conv{n}d")(x, w, **options)
    d = torch.randn_like(out)
    of_x, of_w = torch.autograd.grad(out, (x, w), d)
    assert torch.equal(getattr(torch.nn.grad, f"conv{n}d_input")(x.shape, w, d, **options), of_x)
    assert torch.equal(getattr(F.grad, f"conv{n}d_weight")(x, w.shape, d, **options), of_w)
    assert torch.equal(getattr(F.grad, f"conv{n}d_weight")(x, list(w.shape), d, **options), of_w)
    with refuses(RuntimeError, "Expected grad_output of size", "MG201"):
        getattr(torch.nn.grad, f"conv{n}d_input")(x.shape, w, d[:1], **options)
    with refuses(RuntimeError, "-dimensional input and weight", "MG201"):
        getattr(torch.nn.grad, f"conv{n}d_weight")(x, w.shape[1:], d, **options)


def test_no_channels_leave_the_bias():
    assert F.conv1d(torch.ones(1, 0, 3), torch.ones(2, 0, 2), torch.tensor([1., 2.])).tolist() == [[[1, 1], [2, 2]]]


X, W = torch.ones(1, 2, 5, 5), torch.ones(4, 2, 3, 3)

WRONG = {
    "a kernel that is too large": (dict(weight=torch.ones(4, 2, 6, 3), padding=(0, 2)),
                                   r"Calculated padded input size per channel: \(5 x 9\). Kernel size: \(6 x 3\). "
                                   "Kernel size can't be greater than actual input size"),
    "its dilation": (dict(dilation=3), r"Kernel size: \(7 x 7\)"),
    "other channels": (dict(weight=torch.ones(4, 3, 3, 3)), r"Given groups=1, weight of size \[4, 3, 3, 3\], expected "
                       r"input\[1, 2, 5, 5\] to have 3 channels, but got 2 channels instead"),
    "groups that do not divide": (dict(weight=torch.ones(3, 1, 3, 3), groups=2),
                                  "expected weight to be divisible by 2 at dimension 0"),
    "more groups than outputs": (dict(weight=torch.ones(1, 1, 3, 3), groups=2), "expected weight to be at least 2"),
    "no groups": (dict(groups=0), "non-positive groups is not supported"),
    "another bias": (dict(bias=torch.ones(3)), "expected bias to be 1-dimensional with 4 elements, but got bias of "
                     r"size \[3\] instead"),
    "a bias with dims": (dict(bias=torch.ones(4, 1)), "expected bias to be 1-dimensional"),
    "a matrix": (dict(input=torch.ones(5, 5)), r"Expected 3D \(unbatched\) or 4D \(batched\) input to conv2d, but got "
                 r"input of size: \[5, 5\]"),
    "another weight": (dict(weight=torch.ones(4, 2, 3)), "Expected 3-dimensional input for 3-dimensional weight"),
    "no stride": (dict(stride=0), "non-positive stride is not supported"),
    "a negative padding": (dict(padding=(0, -1)), "negative padding is not supported"),
    "no dilation": (dict(dilation=0), "dilation should be greater than zero"),
    "too many numbers": (dict(stride=(1, 1, 1)), r"expected stride to be a single integer value or a list of 2 values "
                         r"to match the convolution dimensions, but got stride=\[1, 1, 1\]"),
    "a padding without a meaning": (dict(padding="some"), "Invalid padding string: 'some'"),
    "same, with a stride": (dict(padding="same", stride=2), "padding='same' is not supported for strided convolutions"),
    "another dtype": (dict(weight=W.double()), "expected scalar type Float but found Double"),
    "a bias of another dtype": (dict(bias=torch.ones(4).double()), r"Input type \(torch.float32\) and bias type "
                                r"\(torch.float64\) should be the same"),
    "bools": (dict(input=X.bool(), weight=W.bool()), "not implemented for 'Bool'"),
    "nothing to move over": (dict(input=torch.ones(1, 2, 0, 5), padding=3), "Only zero batch or zero channel inputs"),
    "no kernel": (dict(weight=torch.ones(4, 2, 0, 3)), "kernel size should be greater than zero"),
}


@pytest.mark.parametrize("given, phrase", WRONG.values(), ids=WRONG)
def test_what_does_not_fit_is_refused(given, phrase):
    with pytest.raises(RuntimeError, match=phrase) as caught:
        F.conv2d(**{"input": X, "weight": W, **given})
    assert "conv2d" in str(caught.value)


def test_arguments_of_another_type_are_refused():
    for given in (dict(stride=1.5), dict(dilation=None), dict(groups=2.5), dict(padding=(1, "a"))):
        with pytest.raises(TypeError, match="conv2d"):
            F.conv2d(X, W, **given)
    with refuses(TypeError, "must be tuple of ints, not int", "MG205"):
        torch.convolution(X, W, None, 1, (0, 0), (1, 1), False, (0, 0), 1)
    with refuses(TypeError, "argument 'weight'", "MG205"):
        F.conv2d(X, 3)


def test_a_transposed_convolution_refuses():
    w = torch.ones(2, 3, 3, 3)
    for options, phrase in ((dict(output_padding=1), "output padding must be smaller than either stride or dilation"),
                            (dict(padding=4), "Output size is too small"),
                            (dict(output_padding=-1), "negative output_padding is not supported"),
                            (dict(bias=torch.ones(2)), "Given transposed=1, weight of size"),
                            (dict(groups=3), "expected weight to be at least 3"),
                            (dict(padding="same"), "must be tuple of ints")):
        with pytest.raises((RuntimeError, TypeError), match=phrase):
            F.conv_transpose2d(X, w, **options)
