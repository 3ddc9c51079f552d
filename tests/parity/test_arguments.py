"""Arguments that functions outside the table refuse, in the words of PyTorch; and numbers of a user's own classes."""

import enum
import math
import operator
import re
import typing

import numpy as np
import pytest

from tests.checking import is_minigrad, refuses

REFUSED = {
    "multinomial": [
        (RuntimeError, "probability tensor contains either `inf`, `nan` or element < 0", "MG204", [
            lambda torch: torch.multinomial(torch.tensor([1., math.inf]), 1),
            lambda torch: torch.multinomial(torch.tensor([1., math.nan]), 1),
            lambda torch: torch.multinomial(torch.tensor([1., -1.]), 1)]),
        (RuntimeError, "invalid multinomial distribution (sum of probabilities <= 0)", "MG204", [
            lambda torch: torch.multinomial(torch.zeros(2), 1)]),
        (RuntimeError, "prob_dist must be 1 or 2 dim", "MG204", [
            lambda torch: torch.multinomial(torch.ones(2, 2, 2), 1),
            lambda torch: torch.multinomial(torch.ones(()), 1)]),
        (RuntimeError, "multinomial only supports floating-point dtypes for input, got: ", "MG204", [
            lambda torch: torch.multinomial(torch.tensor([1, 2]), 1)]),
        (RuntimeError, "cannot sample n_sample <= 0 samples", "MG204", [
            lambda torch: torch.multinomial(torch.ones(2), 0)]),
        (RuntimeError, "cannot sample n_sample > prob_dist.size(-1) samples without replacement", "MG204", [
            lambda torch: torch.multinomial(torch.ones(2), 3)])],
    "other laws": [
        (RuntimeError, "invalid Poisson rate, expected rate to be non-negative", "MG204", [
            lambda torch: torch.poisson(torch.tensor([-1.])), lambda torch: torch.poisson(torch.tensor([math.nan]))]),
        (RuntimeError, "normal expects standard deviation to be non-complex", "MG202", [
            lambda torch: torch.normal(torch.zeros(()), torch.ones((), dtype=torch.complex64))]),
        (RuntimeError, "not implemented for", "MG202", [
            lambda torch: torch._standard_gamma(torch.tensor([1, 2])), lambda torch: torch.tensor(1j).random_()])],
    "methods": [
        (TypeError, "len() of a 0-d tensor", "MG402", [lambda torch: len(torch.ones(()))]),
        (TypeError, "requires_grad_(): argument 'requires_grad' (position 1) must be bool, not int", "MG205", [
            lambda torch: torch.ones(()).requires_grad_(1)]),
        (TypeError, "positional arguments", "MG205", [
            lambda torch: torch.ones(()).to("cpu", torch.float32, False, False, 3)]),
        (TypeError, "to()", "MG205", [
            lambda torch: torch.ones(()).to(other=3), lambda torch: torch.ones(()).to(size=3),
            lambda torch: torch.ones(()).to(torch.float32, dtype=torch.float64)]),
        (TypeError, "unsupported operand type(s) for +=", None, [
            lambda torch: exec("x += 'text'", {"x": torch.ones(())})])],
    "making": [
        (TypeError, "argument 'stride'", "MG205", [lambda torch: torch.empty_strided((2,), 3)]),
        (TypeError, "Coefficients must be a list/tuple", "MG205", [
            lambda torch: torch.signal.windows.general_cosine(3, a=3)]),
        (NotImplementedError, "Cannot copy out of meta tensor; no data!", "MG406", [
            lambda torch: torch.as_tensor(torch.ones(2, device="meta"), device="cpu")])],
    "shapes": [
        (RuntimeError, "Attempting to broadcast a dimension of length 3 at -1! Mismatching argument at index 1",
         "MG201", [lambda torch: torch.broadcast_shapes((2,), (3,))]),
        (ValueError, "Attempting to broadcast a dimension with negative length!", "MG207", [
            lambda torch: torch.broadcast_shapes((2, -1), (3,))])],
    "testing": [
        (ValueError, "The parameters `noncontiguous` and `memory_format` are mutually exclusive", "MG207", [
            lambda torch: made(torch, torch.float32, noncontiguous=True, memory_format=torch.contiguous_format)]),
        (ValueError, "`low` must be less than `high`, but got 3 >= 3", "MG207", [
            lambda torch: made(torch, torch.int64, low=3, high=3)]),
        (ValueError, "`low` must be less than `high`, but got 4 >= 3", "MG207", [
            lambda torch: made(torch, torch.float32, low=4, high=3)]),
        (ValueError, "`requires_grad", "MG207", [lambda torch: made(torch, torch.int64, requires_grad=True)]),
        (AssertionError, "The length of the sequences mismatch: 2 != 1", "MG751", [
            lambda torch: torch.testing.assert_close([1, 2], [1])]),
        (AssertionError, "The keys of the mappings do not match", "MG751", [
            lambda torch: torch.testing.assert_close({"a": 1}, {"b": 1})])],
    "mixed precision": [
        (ValueError, "Expected `device_type` of type `str`, got: `<class 'int'>`", "MG207", [
            lambda torch: torch.autocast(3)]),
        (ValueError, "outputs must be a Tensor or an iterable of Tensors", "MG207", [
            lambda torch: torch.amp.GradScaler("cpu").scale(3)])],
}


def made(torch, dtype, **options):
    return torch.testing.make_tensor((2,), dtype=dtype, device="cpu", **options)


@pytest.mark.parametrize("kind, phrase, code, call", [
    (kind, phrase, code, call) for cases in REFUSED.values() for kind, phrase, code, calls in cases for call in calls])
def test_what_is_refused(torch, kind, phrase, code, call):
    with refuses(kind, phrase, code):
        call(torch)


def test_what_a_buffer_holds_must_be_said(torch):
    with pytest.raises(TypeError, match=r"frombuffer\(\) missing 1 required (positional|keyword-only) argument"):
        torch.frombuffer(b"1234")


def test_limits_of_random_laws(torch):
    assert torch._standard_gamma(torch.zeros(2)).tolist() == [2. ** -126] * 2
    assert torch.binomial(torch.tensor([3.]), torch.tensor([math.nan])).isnan().all()
    slopes = torch._dirichlet_grad(torch.tensor([[.5, .5]]), torch.tensor([[1., 2.]]), torch.tensor([[3., 3.]]))
    assert slopes.flatten().tolist() == pytest.approx([.5397208, .3465736], 1e-5)
    assert torch._standard_gamma_grad(torch.tensor([2.]), torch.tensor([1.])).item() == pytest.approx(0.7507, 1e-3)
    assert -2 ** 63 <= torch.tensor(0).random_(-2 ** 63, None).item() < 2 ** 63


@pytest.mark.filterwarnings("ignore:To copy construct from a tensor")
def test_made_tensors(torch):
    assert made(torch, torch.float32, low=3, high=3).tolist() == [3., 3.]
    images = torch.testing.make_tensor((2, 2, 2, 2), dtype=torch.float32, device="cpu",
                                       memory_format=torch.channels_last)
    assert images.stride() == (8, 1, 4, 2)
    torch.testing.assert_close({"a": 1, "b": [2.]}, {"b": [2.], "a": 1})
    for one, other, words in (([1, 2], [1, 2, 3], "The length of the sequences mismatch: 2 != 3"),
                              ({"a": [1, (2,)]}, {"a": [1, (2, 3)]}, "The length of the sequences mismatch: 1 != 2"),
                              ({"a": 1}, {"b": 1}, "Missing keys in the actual mapping: ['b']")):
        with pytest.raises(AssertionError, match=re.escape(words)):
            torch.testing.assert_close(one, other)
    meta = torch.ones(2, device="meta")
    torch.testing.assert_close(meta, meta)
    assert torch.asarray(torch.ones(2), device="meta").is_meta and torch.tensor(meta).shape == (2,)


@pytest.mark.parametrize("sign", ["ipow", "ifloordiv", "imod"])
@pytest.mark.parametrize("other", ["a", object(), {}])
def test_what_a_tensor_cannot_be_changed_by(torch, sign, other):
    x = torch.ones(2)
    assert getattr(x, f"__{sign}__")(other) is NotImplemented
    with pytest.raises(TypeError, match="unsupported operand type"):
        getattr(operator, sign)(x, other)


def test_a_union_of_classes(torch):
    assert torch.jit.isinstance(3, typing.Union[int, str]) and not torch.jit.isinstance(3.5, typing.Union[int, str])
    assert torch.jit.isinstance(3, int | str)
    assert torch.jit.isinstance(None, typing.Optional[int]) and not torch.jit.isinstance(3.5, typing.Optional[int])
    with pytest.raises(TypeError):
        torch.jit.isinstance(None, None)


@pytest.mark.parametrize("other, before, same", [
    ("3", True, False), ((2, 2), True, False), ("2.1", False, True), ("2.1.0", False, True), ("2.0", False, False)])
def test_versions(torch, other, before, same):
    version = torch.torch_version.TorchVersion("2.1")
    assert (version < other) == before and (version <= other) == (before or same) and (version == other) == same
    assert (version > other) == (not before and not same) and (version >= other) == (not before)


@pytest.mark.parametrize("other, before", [("nightly", True), ("1 or later", False), ("", False)])
def test_text_that_is_not_a_version_is_compared_as_text(torch, other, before):
    version = torch.torch_version.TorchVersion("2.1")
    assert (version < other) == (version <= other) == before != (version > other) == (version >= other)
    assert version != other and not version == other


# ------------------------------------------------------------------------------ numbers of other classes

class Whole(int):
    pass


class Real(float):
    pass


class Color(enum.IntEnum):
    RED, GREEN, BLUE = range(3)


class Flags(enum.IntFlag):
    FIRST, SECOND = 1, 2


@pytest.mark.parametrize("two", [Whole(2), Color.BLUE, Flags.SECOND])
@pytest.mark.parametrize("call", [
    lambda torch, n: torch.tensor(n), lambda torch, n: torch.tensor([[n, 1]]), lambda torch, n: torch.tensor([n, 1.5]),
    lambda torch, n: torch.tensor([True, n]), lambda torch, n: torch.as_tensor((n, n)),
    lambda torch, n: torch.arange(3)[n], lambda torch, n: torch.arange(9).view(3, 3)[n, :n],
    lambda torch, n: torch.arange(3)[n:], lambda torch, n: torch.arange(9).view(3, 3)[[n, 0]],
    lambda torch, n: torch.arange(9).view(3, 3)[:, n], lambda torch, n: torch.arange(9).view(3, 3)[..., n, None],
    lambda torch, n: torch.zeros(n, n), lambda torch, n: torch.ones(4).view(n, -1), lambda torch, n: torch.ones(2) * n,
    lambda torch, n: n - torch.ones(2), lambda torch, n: torch.ones(1, 2, 3).sum(n), lambda torch, n: torch.ones(3) < n,
    lambda torch, n: torch.full((n,), n), lambda torch, n: torch.add(torch.ones(2), 1, alpha=n),
    lambda torch, n: torch.arange(0, 6, n), lambda torch, n: torch.ones(1, 2, 3).transpose(0, n),
    lambda torch, n: written(torch.zeros(3), n, n), lambda torch, n: written(torch.zeros(3, 3), (0, n), 2.),
])
def test_a_number_of_another_class_is_a_number(torch, call, two):
    of_int, of_other = call(torch, 2), call(torch, two)
    assert of_other.dtype == of_int.dtype and of_other.tolist() == of_int.tolist()


def written(x, key, value):
    x[key] = value
    return x


@pytest.mark.parametrize("two", [np.int64(2), np.float32(2.), Whole(2)])
def test_the_order_of_a_norm_is_any_number(torch, two):
    x = torch.tensor([3., 4.])
    assert x.norm(two).item() == torch.linalg.norm(x, two).item() == torch.linalg.vector_norm(x, two).item() == 5.


def test_a_real_number_of_another_class(torch):
    half = Real(0.5)
    assert torch.tensor(half).item() == 0.5 and torch.tensor([half, 1]).tolist() == [0.5, 1.]
    assert (torch.ones(2) * half).tolist() == [0.5, 0.5]
    with pytest.raises(IndexError):
        torch.ones(2)[half]


def test_members_of_an_enum_that_are_not_numbers(torch):
    kind = enum.Enum("kind", "one two")
    with pytest.raises((TypeError, RuntimeError, ValueError)) as caught:
        torch.tensor(kind.one)
    if is_minigrad(torch):
        assert "kind" in str(caught.value) and caught.value.code
