"""Writes that are refused, with nothing changed; and, beside them, those that look alike and are not."""

import pytest

import minigrad
from tests.autograd.programs import LEAF_WRITES, leaf, unchanged, write
from tests.checking import is_minigrad, refuses


@pytest.mark.parametrize("name", LEAF_WRITES)
def test_a_leaf_that_requires_grad(torch, name):
    x = leaf(torch, 1., 2.)
    before = unchanged(x)
    with refuses(RuntimeError, "a leaf Variable that requires grad is being used in an in-place operation", "MG105"):
        write(torch, x, name)
    assert unchanged(x) == before


@pytest.mark.parametrize("recorded", [False, True])
@pytest.mark.parametrize("target, argument, phrase, code", [
    ((2,), (3, 2), "output with shape [2] doesn't match the broadcast shape [3, 2]", "MG201"),
    ((1,), (2,), "output with shape [1] doesn't match the broadcast shape [2]", "MG201"),
    ((), (1,), "output with shape [] doesn't match the broadcast shape [1]", "MG201"),
    ((), (2,), "output with shape [] doesn't match the broadcast shape [2]", "MG201"),
    ((2, 1), (2, 2), "output with shape [2, 1] doesn't match the broadcast shape [2, 2]", "MG201"),
    ((2,), (3,), "The size of tensor a (2) must match the size of tensor b (3) at non-singleton dimension 0", "MG201"),
    ((0,), (3,), "The size of tensor a (0) must match the size of tensor b (3) at non-singleton dimension 0", "MG201"),
])
@pytest.mark.parametrize("name", ["add_", "mul_"])
def test_a_result_that_does_not_fit(torch, name, recorded, target, argument, phrase, code):
    t = torch.ones(target, requires_grad=recorded) * 1
    before = unchanged(t)
    with refuses(RuntimeError, phrase, code):
        getattr(t, name)(torch.ones(argument))
    assert unchanged(t) == before


@pytest.mark.parametrize("recorded", [False, True])
@pytest.mark.parametrize("value", [1j, "tensor"])
def test_complex_into_real(torch, recorded, value):
    t = torch.ones(2, requires_grad=recorded) * 1
    before = unchanged(t)
    with refuses(RuntimeError, "can't be cast to the desired output type", "MG202"):
        t.add_(torch.ones(2, dtype=torch.complex64) if value == "tensor" else value)
    assert unchanged(t) == before


@pytest.mark.parametrize("write", [lambda t, torch: t.add_(1.5), lambda t, torch: t.div_(2),
                                   lambda t, torch: t.mul_(torch.ones(2)), lambda t, torch: t.__itruediv__(1)])
def test_floating_into_integers(torch, write):
    t = torch.tensor([5, 7])
    before = unchanged(t)
    with refuses(RuntimeError, "can't be cast to the desired output type", "MG202"):
        write(t, torch)
    assert unchanged(t) == before


def test_numbers_into_bools(torch):
    t = torch.tensor([True, False])
    with refuses(RuntimeError, "can't be cast to the desired output type", "MG202"):
        t.add_(1)
    assert t.tolist() == [True, False] and t._version == 0


def test_copy_of_another_shape(torch):
    t = torch.ones(2)
    for argument in (torch.ones(3), torch.ones(2, 2), torch.ones(1, 2)):
        with pytest.raises(RuntimeError) as e:
            t.copy_(argument)
        assert not is_minigrad(torch) or e.value.code == "MG201"
    assert t.tolist() == [1., 1.] and t._version == 0


def test_fill_takes_one_value(torch):
    t = torch.ones(2)
    with refuses(RuntimeError, "fill_ only supports 0-dimension value tensor but got tensor with 1 dimensions.",
                 "MG204"):
        t.fill_(torch.tensor([4., 5.]))
    assert t.tolist() == [1., 1.] and t._version == 0
    assert t.fill_(torch.tensor(4.)).tolist() == [4., 4.]


@pytest.mark.parametrize("wrong", ["a", None, [1., 2.]])
@pytest.mark.parametrize("recorded", [False, True])
def test_arguments_of_a_wrong_type(torch, wrong, recorded):
    t = torch.ones(2, requires_grad=recorded) * 1
    before = unchanged(t)
    with refuses(TypeError, f"add_(): argument 'other' (position 1) must be Tensor, not {type(wrong).__name__}",
                 "MG205"):
        t.add_(wrong)
    with pytest.raises(TypeError):
        t += wrong
    with pytest.raises(TypeError):
        t.add_()
    assert unchanged(t) == before


@pytest.mark.parametrize("write", [lambda t, torch: t.add_(1), lambda t, torch: t.add_(torch.tensor([1., 2., 3.])),
                                   lambda t, torch: t.mul_(2), lambda t, torch: t.exp_()])
@pytest.mark.parametrize("make", [lambda b: b.expand(3), lambda b: b.expand(2, 3), lambda b: b.broadcast_to((3,))])
def test_an_expanded_tensor(torch, make, write):
    base = torch.ones(1)
    t = make(base)
    with refuses(RuntimeError, "more than one element of the written-to tensor refers to a single memory location. "
                               "Please clone() the tensor", "MG116"):
        write(t, torch)
    assert base.tolist() == [1.] and base._version == 0


WINDOWS = {
    "overlapping windows": lambda y: y.unfold(0, 2, 1),
    "an overlapping as_strided": lambda y: y.as_strided((2, 3), (1, 1)),
    "part of a detached expanded tensor": lambda y: y.detach().expand(2, 4).detach()[1],
    "part of detached windows": lambda y: y.detach().unfold(0, 3, 1).detach()[:, 2],
}


@pytest.mark.parametrize("name", WINDOWS)
def test_a_write_that_reaches_an_element_twice_is_not_recorded(torch, name):
    """PyTorch records it, and its gradient is not the derivative."""
    w = torch.tensor(3., requires_grad=True)
    y = w * torch.ones(4)
    v = WINDOWS[name](y)
    if not is_minigrad(torch):
        v.mul_(torch.full(v.shape, 2.) * w)
        return
    before = unchanged(y), unchanged(v)
    with refuses(RuntimeError, "unsupported operation", "MG116"):
        v.mul_(torch.full(v.shape, 2.) * w)
    assert (unchanged(y), unchanged(v)) == before
    with torch.no_grad():
        v.mul_(2)                       # that nobody records is nobody's gradient


def test_strides_that_interleave_reach_each_element_once(torch):
    w = torch.tensor(3., requires_grad=True)
    for size, stride in [((2, 3), (3, 2)), ((2, 2), (1, 2)), ((2, 1), (5, 0))]:
        y = torch.ones(8)
        v = y.as_strided(size, stride)
        v.mul_(w)
        y.sum().backward(retain_graph=True)
    assert w.grad.item() == 6 + 4 + 2


OVERLAPS = {
    "shifted": lambda a: (a[1:], a[:-1]),
    "shifted back": lambda a: (a[:-1], a[1:]),
    "reversed order of axes": lambda a: (a[:9].view(3, 3), a[:9].view(3, 3).t()),
    "another order of axes": lambda a: (a[:8].view(2, 2, 2), a[:8].view(2, 2, 2).swapaxes(0, 1)),
    "another dtype": lambda a: (a[1:], a.view(a.int().dtype)[:-1]),
}


# PyTorch lets a copy_ of the transpose of a matrix pass.
@pytest.mark.parametrize("write, name", [(write, name) for write in ("add_", "mul_", "copy_") for name in OVERLAPS
                                         if (write, name) != ("copy_", "reversed order of axes")])
def test_an_argument_that_partly_overlaps(torch, write, name):
    a = torch.arange(12.)
    t, argument = OVERLAPS[name](a)
    with refuses(RuntimeError, "unsupported operation: some elements of the input tensor and the written-to tensor "
                               "refer to a single memory location. Please clone() the tensor before performing the "
                               "operation.", "MG116"):
        getattr(t, write)(argument)
    assert a.tolist() == list(range(12)) and a._version == 0


def test_a_recorded_scatter_of_the_target_into_itself(torch):
    y = leaf(torch, 1., 2., 3.) * 1
    with refuses(RuntimeError, "unsupported operation: some elements of the input tensor and the written-to tensor "
                               "refer to a single memory location.", "MG116"):
        y.scatter_(0, torch.tensor([1, 0, 2]), y)
    assert y.tolist() == [1., 2., 3.] and y._version == 0


def test_an_argument_with_gaps_that_overlaps_is_read_first():
    """PyTorch does not refuse it, and leaves the result unspecified."""
    a = minigrad.arange(8.)
    a[:4].mul_(a[::2])
    assert a.tolist() == [0., 2., 8., 18., 4., 5., 6., 7.]


def test_a_number_is_read_before_it_is_overwritten(torch):
    for write in (lambda x: x.fill_(x[1]), lambda x: x.masked_fill_(torch.tensor([True, True, True]), x[1])):
        x = torch.tensor([1., 2., 3.])
        assert write(x).tolist() == [2., 2., 2.]


@pytest.mark.parametrize("key, rows", [
    (slice(None), [1, 1, 1]), (slice(2), [1, 1, 2]), (slice(1, None), [0, 1, 1])])
@pytest.mark.parametrize("value", [lambda x: x[1], lambda x: x[1:2]])
def test_a_row_of_its_own_is_written_to_several_rows(torch, key, rows, value):
    start = torch.tensor([[0., 1.], [2., 3.], [4., 5.]], requires_grad=True)
    x, y = start.detach().clone(), start * 1
    x[key] = value(x)
    y[key] = value(y)
    y.sum().backward()
    assert x.tolist() == y.tolist() == [start.tolist()[row] for row in rows]
    assert start.grad.tolist() == [[rows.count(row)] * 2 for row in range(3)] and x._version == y._version == 1


def test_nothing_is_written_beside_what_is_read(torch):
    x = torch.arange(6.).reshape(2, 3)
    x[:, 1:1].scatter_(1, torch.zeros(2, 0, dtype=torch.int64), x)
    assert x.tolist() == [[0, 1, 2], [3, 4, 5]]


def test_a_mask_that_overlaps_what_it_masks(torch):
    x = torch.tensor([True, False, True])
    with refuses(RuntimeError, "some elements of the input tensor and the written-to tensor refer to a single memory "
                 "location", "MG116"):
        x.masked_fill_(x[:1], torch.tensor(False))
    assert x.tolist() == [True, False, True]


@pytest.mark.parametrize("write", [lambda t, torch: t.zero_(), lambda t, torch: t.fill_(0)])
def test_an_expanded_tensor_takes_one_number(torch, write):
    base = torch.ones(1)
    write(base.expand(3), torch)
    assert base.tolist() == [0.] and base._version == 1


PLACES = {
    "a mask": (lambda x, t: x.masked_fill_(t.tensor([True, False, False]), 5.), [5, 5, 5, 5, 5, 5]),
    "a mask and a tensor": (lambda x, t: x.masked_fill_(t.tensor([[False] * 3, [False, True, False]]), t.tensor(5.)),
                            [1, 1, 1, 5, 5, 5]),
    "an empty mask": (lambda x, t: x.masked_fill_(t.tensor([False]), 5.), [1, 1, 1, 2, 2, 2]),
    "an index along": (lambda x, t: x.index_fill_(1, t.tensor([2]), 5.), [5, 5, 5, 5, 5, 5]),
    "an index across": (lambda x, t: x.index_fill_(0, t.tensor([-1]), t.tensor(5.)), [1, 1, 1, 5, 5, 5]),
    "places": (lambda x, t: x.index_put_((t.tensor([0, 0]), t.tensor([2, 0])), t.tensor([5., 7.])),
               [7, 7, 7, 2, 2, 2]),
    "sums": (lambda x, t: x.index_put_((t.tensor([0, 0]), t.tensor([2, 0])), t.tensor([5., 7.]), accumulate=True),
             [13, 13, 13, 2, 2, 2]),
    "a subscript": (lambda x, t: x.__setitem__((slice(None), t.tensor([0, 1])), t.tensor([5., 7.])),
                    [7, 7, 7, 7, 7, 7]),
    "a mask as subscript": (lambda x, t: x.__setitem__(t.tensor([False, True]), 5.), [1, 1, 1, 5, 5, 5]),
}


@pytest.mark.parametrize("write, expected", PLACES.values(), ids=PLACES)
@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "complex64", "int16"])
def test_an_expanded_tensor_is_written_to_at_some_places(torch, write, expected, dtype):
    base = torch.tensor([[1.], [2.]]).to(getattr(torch, dtype))
    x = base.expand(2, 3)
    real = torch.tensor

    class Library:
        tensor = staticmethod(lambda data: real(data).to(base.dtype) if real(data).is_floating_point() else real(data))

    with pytest.warns(UserWarning, match=r"Use of (masked_fill_|index_fill_|index_put_) on expanded tensors is"):
        write(x, Library)
    assert x.flatten().tolist() == expected and base._version == 1


@pytest.mark.parametrize("write", [lambda x, t: x.fill_(t.tensor(5.)), lambda x, t: x.copy_(t.tensor(5.)),
                                   lambda x, t: x.masked_scatter_(x > 0, t.ones(6)), lambda x, t: x.random_(),
                                   lambda x, t: x.index_copy_(0, t.tensor([0]), t.ones(1, 3)),
                                   lambda x, t: x.scatter_(0, t.tensor([[0]]), 5.), lambda x, t: x.normal_(),
                                   lambda x, t: x.put_(t.tensor([0]), t.tensor([5.]))])
def test_an_expanded_tensor_does_not_take_other_writes(torch, write):
    base = torch.ones(2, 1)
    with refuses(RuntimeError, "more than one element of the written-to tensor refers to a single memory location",
                 "MG116"):
        write(base.expand(2, 3), torch)
    assert base.tolist() == [[1.], [1.]] and base._version == 0


@pytest.mark.parametrize("write", [lambda x, t: x.masked_fill_(t.tensor([True, False, False]), 5.),
                                   lambda x, t: x.index_fill_(1, t.tensor([0]), 5.),
                                   lambda x, t: x.index_put_((t.tensor([0]), t.tensor([0])), t.tensor(5.)),
                                   lambda x, t: x.__setitem__(t.tensor([True, False]), 5.)])
@pytest.mark.filterwarnings("ignore:Use of")
def test_an_expanded_tensor_with_a_history_is_not(write):
    """Which of the elements has the gradient?  PyTorch gives a wrong one, or refuses."""
    import minigrad as torch

    leaf = torch.ones(2, 1, requires_grad=True)
    x = (leaf * 1).expand(2, 3)
    with refuses(RuntimeError, "more than one element of the written-to tensor refers to a single memory location",
                 "MG116"):
        write(x, torch)
    assert x.tolist() == [[1.] * 3] * 2


def test_a_warning_about_an_expanded_tensor_comes_before_the_write():
    import warnings

    import minigrad as torch

    base = torch.ones(1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for write in (lambda x: x.masked_fill_(x > 0, 5.), lambda x: x.__setitem__(x > 0, 5.)):
            with pytest.raises(UserWarning):
                write(base.expand(3))
    assert base.tolist() == [1.] and base._version == 0


def test_an_argument_that_is_the_same_part_of_memory_by_another_way(torch):
    x = torch.tensor([[1., 2.]])
    v = x.unsqueeze(0)
    v.mul_(v.unsqueeze(0).squeeze(0))
    assert x.tolist() == [[1., 4.]]


def test_an_inference_tensor(torch):
    with torch.inference_mode():
        t = torch.ones(2)
    with refuses(RuntimeError, "Inplace update to inference tensor outside InferenceMode is not allowed.", "MG112"):
        t.add_(1)
    assert t.tolist() == [1., 1.] or not is_minigrad(torch)     # PyTorch refuses when it has written


@pytest.mark.parametrize("subscript", [0, slice(None), [0, 2], [True, False, True]])
@pytest.mark.parametrize("value", [2., [2.]])
def test_a_subscript_of_an_inference_tensor(torch, subscript, value):
    with torch.inference_mode():
        x = torch.ones(3)
    subscript = torch.tensor(subscript) if type(subscript) is list else subscript
    with refuses(RuntimeError, "Inplace update to inference tensor outside InferenceMode is not allowed.", "MG112"):
        x[subscript] = torch.tensor(value) if type(value) is list else value
    assert not is_minigrad(torch) or x.tolist() == [1., 1., 1.]
    with torch.inference_mode():
        x[subscript] = 2.
    assert 2. in x.tolist()


def test_an_inference_tensor_as_factor(torch):
    with torch.inference_mode():
        t = torch.ones(2)
    x = leaf(torch, 1., 2.)
    y = x * 2
    before = unchanged(y)
    with refuses(RuntimeError, "Inference tensors cannot be saved for backward.", "MG112"):
        y.mul_(t)
    assert unchanged(y) == before
    y.sum().backward()
    assert x.grad.tolist() == [2., 2.]


def test_a_refusal_leaves_output_number_hooks_and_retained_gradient(torch):
    with torch.inference_mode():
        t = torch.ones(())
    class Both(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.sum(), x.mean()

        @staticmethod
        def backward(ctx, of_sum, of_mean):
            return (of_sum + of_mean / 3).expand(3)

    x, seen = leaf(torch, 1., 2., 4.), []
    _, mean = Both.apply(x)
    mean.retain_grad()
    mean.register_hook(lambda g: seen.append(g.item()))
    with pytest.raises(RuntimeError):
        mean.mul_(t)
    assert mean.output_nr == 1 and mean.retains_grad
    mean.backward()
    assert x.grad.tolist() == pytest.approx([1 / 3] * 3) and mean.grad.item() == 1 and seen == [1.]


@pytest.mark.parametrize("refused", [
    lambda torch, v, u: v.mul_(v),
    lambda torch, v, u: v.copy_(u),
    lambda torch, v, u: v.addcmul_(u, u),
    lambda torch, v, u: v.unsqueeze_(0),
    lambda torch, v, u: v.index_put_((torch.tensor([0, 1, 2]),), u),
    lambda torch, v, u: v.__setitem__(slice(None), u),
    lambda torch, v, u: v.__setitem__(v > 0, u),
    lambda torch, v, u: torch.add(u, u, out=v),
    lambda torch, v, u: torch.add(u, u, out=torch.ones(3)),
])
def test_a_refusal_leaves_views_as_old_as_they_are(torch, refused):
    x = torch.ones(4, requires_grad=True)
    v, u = x[1:], x[:3]
    v.retain_grad()
    u.retain_grad()
    loss = 2 * v.sum() + 3 * u.sum()
    with torch.no_grad():
        x.mul_(2)                               # whoever asks for the history of v or u now gets another one
    with pytest.raises(RuntimeError):
        refused(torch, v, u)
    loss.backward()
    assert v.grad.tolist() == [2., 2., 2.] and u.grad.tolist() == [3., 3., 3.] and x.grad.tolist() == [3., 5., 5., 2.]


@pytest.mark.filterwarnings("error")
def test_overflow_is_silently_infinity(torch):
    t = torch.ones(2)
    assert t.add_(torch.full((2,), 1e300, dtype=torch.float64)).tolist() == [float("inf")] * 2
    assert torch.ones(2, dtype=torch.float16).mul_(1e5).tolist() == [float("inf")] * 2


def test_read_only_memory():
    import numpy as np

    from minigrad._core.graph import wrap   # PyTorch writes to it, after a warning

    a = np.ones(3)
    a.flags.writeable = False
    t = wrap(a)
    with refuses(RuntimeError, "read-only", "MG116"):
        t.add_(1)
    assert a.tolist() == [1., 1., 1.]
