"""Errors about arguments keep PyTorch's key phrases, and name the operation as the user wrote it."""

import re

import numpy as np
import pytest

import minigrad
from minigrad.ops import exports, kinds
from tests.checking import refuses

ONE_DIM = ("sum", "mean", "prod", "amax", "logsumexp", "var", "nansum", "all", "any", "count_nonzero", "argmax", "max",
           "median", "mode", "cumsum", "cumprod", "logcumsumexp", "cummax", "sort", "argsort", "softmax", "log_softmax",
           "unsqueeze", "unbind", "squeeze", "size", "stride")


def with_dim():
    """name -> (torch, x of shape (2, 3), dim) -> anything."""
    calls = {name: lambda t, x, d, name=name: getattr(x, name)(d) for name in ONE_DIM}
    calls.update({
        "topk": lambda t, x, d: t.topk(x, 1, d),
        "gather": lambda t, x, d: t.gather(x, d, t.zeros(2, 3, dtype=t.int64)),
        "scatter": lambda t, x, d: t.scatter(x, d, t.zeros(2, 3, dtype=t.int64), x),
        "index_select": lambda t, x, d: t.index_select(x, d, t.tensor([0])),
        "index_fill": lambda t, x, d: t.index_fill(x, d, t.tensor([0]), 1.),
        "movedim": lambda t, x, d: t.movedim(x, d, 0),
        "transpose": lambda t, x, d: t.transpose(x, 0, d),
        "select": lambda t, x, d: t.select(x, d, 0),
        "narrow": lambda t, x, d: t.narrow(x, d, 0, 1),
        "split": lambda t, x, d: t.split(x, 1, d),
        "chunk": lambda t, x, d: t.chunk(x, 2, d),
        "unfold": lambda t, x, d: x.unfold(d, 1, 1),
        "flip": lambda t, x, d: t.flip(x, (d,)),
        "roll": lambda t, x, d: t.roll(x, 1, d),
        "flatten": lambda t, x, d: t.flatten(x, d, -1),
        "unflatten": lambda t, x, d: t.unflatten(x, d, (1, 1)),
        "stack": lambda t, x, d: t.stack([x, x], d),
        "cat": lambda t, x, d: t.cat([x, x], d),
        "diagonal": lambda t, x, d: t.diagonal(x, 0, 0, d),
        "permute": lambda t, x, d: x.permute(0, d),
        "vector_norm": lambda t, x, d: t.linalg.vector_norm(x, dim=d),
        "normalize": lambda t, x, d: t.nn.functional.normalize(x, dim=d),
        "cosine_similarity": lambda t, x, d: t.nn.functional.cosine_similarity(x, x, dim=d),
        "unsqueeze_": lambda t, x, d: x.clone().unsqueeze_(d),
        "cumsum_": lambda t, x, d: x.clone().cumsum_(d),
    })
    return calls


CALLS = with_dim()


@pytest.mark.parametrize("dim", [5, -5])
@pytest.mark.parametrize("name", CALLS)
def test_a_dim_out_of_range(name, dim):
    with refuses(IndexError, "Dimension out of range (expected to be in range of [-", "MG203") as caught:
        CALLS[name](minigrad, minigrad.ones(2, 3), dim)
    assert f", but got {dim})" in str(caught.value)


@pytest.mark.parity
@pytest.mark.parametrize("name", CALLS)
def test_the_range_is_pytorchs(name):
    torch = pytest.importorskip("torch")
    for dim in (5, -5):
        said = []
        for library in (torch, minigrad):
            with pytest.raises(IndexError) as caught:
                CALLS[name](library, library.ones(2, 3), dim)
            said.append(re.search(r"Dimension out of range \(expected to be in range of \[.*?\], but got -?\d+\)",
                                  str(caught.value))[0])
        assert said[0] == said[1]


@pytest.mark.parametrize("name", ["size", "stride"])
def test_size_and_stride(name):
    x, number = minigrad.ones(2, 3), minigrad.tensor(1.)
    assert [getattr(x, name)(dim) for dim in (0, -1)] == list({"size": (2, 3), "stride": (3, 1)}[name])
    assert getattr(x, name)(minigrad.tensor(1)) == getattr(x, name)(1)
    with refuses(IndexError, "Dimension specified as 0 but tensor has no dimensions", "MG203"):
        getattr(number, name)(0)
    with refuses(TypeError, f"{name}(): argument 'dim' must be int, not float", "MG205"):
        getattr(x, name)(1.)


@pytest.mark.parametrize(("call", "phrase", "ours"), [
    (lambda t, x, n: n.add_(1.5), "result type Float can't be cast to the desired output type Long",
     "torch.float32 to torch.int64"),
    (lambda t, x, n: x.mul_(1j), "result type ComplexFloat can't be cast to the desired output type Float",
     "torch.complex64 to torch.float32"),
    (lambda t, x, n: (n > 0).add_(1), "result type Long can't be cast to the desired output type Bool",
     "torch.int64 to torch.bool"),
    (lambda t, x, n: t.sqrt(n, out=n), "result type Float can't be cast to the desired output type Long",
     "torch.float32 to torch.int64"),
    (lambda t, x, n: t.ones(2, dtype=t.uint8).add_(t.ones(2, dtype=t.bfloat16)),
     "result type BFloat16 can't be cast to the desired output type Byte",
     "torch.bfloat16 to torch.uint8"),
])
def test_a_cast_that_is_refused_names_both_spellings(call, phrase, ours):
    with refuses(RuntimeError, phrase, "MG202") as caught:
        call(minigrad, minigrad.ones(2), minigrad.ones(2, dtype=minigrad.int64))
    assert ours in str(caught.value)


@pytest.mark.parity
def test_the_spelling_is_pytorchs():
    torch = pytest.importorskip("torch")
    for call, phrase, _ in test_a_cast_that_is_refused_names_both_spellings.pytestmark[0].args[1]:
        with pytest.raises(RuntimeError, match=phrase):
            call(torch, torch.ones(2), torch.ones(2, dtype=torch.int64))


def test_copy_is_called_copy_():
    x = minigrad.ones(2, 3)
    for wrong in (minigrad.ones(5), minigrad.ones(1).expand(3, 3)):
        with pytest.raises(RuntimeError, match=r"\bcopy_\b") as caught:
            x.copy_(wrong)
        assert "copy(" not in str(caught.value)
    assert exports.ROWS["copy"].shown == exports.ROWS["copy"].written == "copy_"


def test_a_formula_of_the_wrong_shape_is_not_blamed_on_data():
    before = dict(exports.ROWS)
    try:
        row = kinds.general("faulty(Tensor self, Tensor other)", np.add, self=lambda d: d, other=lambda d: d,
                            public=False)
    finally:
        exports.ROWS.clear()
        exports.ROWS.update(before)
    leaf = minigrad.ones(3, requires_grad=True)
    with refuses(RuntimeError, "a formula of an operation that received it returned a gradient of another shape",
                 "MG109") as caught:
        row(minigrad.ones(2, 3), leaf).sum().backward()
    assert ".data" not in str(caught.value)
    for of, y in ((leaf, leaf), (leaf, leaf * 1), (leaf.exp(),) * 2):
        with refuses(RuntimeError, "a formula of an operation that received it returned a gradient of another shape",
                     "MG109"):
            minigrad.autograd.grad(row(minigrad.ones(2, 3), y).sum(), of)
    result = (leaf * 2).sum()
    leaf.data = minigrad.ones(4)
    for compute in (lambda: minigrad.autograd.grad(result, leaf, retain_graph=True), result.backward):
        with refuses(RuntimeError, "its .data was replaced by a tensor of another shape", "MG109"):
            compute()


@pytest.mark.parametrize("torch", [minigrad, pytest.param("torch", marks=pytest.mark.parity)])
def test_a_number_stands_for_a_tensor_only_where_there_is_a_form_for_it(torch):
    torch = pytest.importorskip("torch") if torch == "torch" else torch
    x = torch.tensor([1, 2], dtype=torch.int8)
    for call in (torch.maximum, torch.fmin, torch.atan2, torch.gcd, torch.logical_and, torch.ldexp):
        with pytest.raises(TypeError, match="argument 'other' .* must be Tensor, not int"):
            call(x, 300)                        # in int8 it would wrap
    for call in (torch.exp, torch.neg, torch.sign, torch.isnan, torch.argmax):
        with pytest.raises(TypeError, match="must be Tensor, not float"):
            call(2.5)
    with pytest.raises(TypeError):
        x.float().clamp(x.float(), 2.5)
    with pytest.raises(TypeError):
        x.logical_or_(1)
    assert torch.add(2, 3) == 5 and torch.bitwise_and(6, torch.tensor(3)) == 2 and torch.xlogy(0, x).tolist() == [0, 0]
    assert torch.where(x > 1, 5, 6).tolist() == [6, 5] and torch.remainder(5, x).tolist() == [0, 1]


LISTS = {
    "cat": (1, 0, lambda t, x, other: t.cat([x, other])),
    "stack": (0, 0, lambda t, x, other: t.stack([other, x])),
    "block_diag": (1, 0, lambda t, x, other: t.block_diag(x, other)),
    "meshgrid": (1, 0, lambda t, x, other: t.meshgrid(x[0], other, indexing="ij")),
    "hstack": (0, 0, lambda t, x, other: t.hstack([other, x])),
    "multi_dot": (1, 0, lambda t, x, other: t.linalg.multi_dot([x, other])),
    "chain_matmul": (1, 0, lambda t, x, other: t.chain_matmul(x, other)),
    "einsum": (1, 1, lambda t, x, other: t.einsum("ij,jk", x, other)),
    "atleast_1d": (1, 0, lambda t, x, other: t.atleast_1d([x, other])),
}


@pytest.mark.parametrize("other", [None, 3.0, "s", [1.]], ids=repr)
@pytest.mark.parametrize("name", LISTS)
@pytest.mark.filterwarnings("ignore:.*chain_matmul is deprecated")
def test_a_list_of_what_should_be_tensors(torch, name, other):
    place, argument, call = LISTS[name]
    words = f"expected Tensor as element {place} in argument {argument}, but got {type(other).__name__}"
    with refuses(TypeError, words, "MG205"):
        call(torch, torch.ones(2, 2), other)


@pytest.mark.parametrize("call, argument, position", [
    (lambda t, x: t.nn.functional.linear(x, 3.0), "weight", 2),
    (lambda t, x: t.nn.functional.linear(3.0, x), "input", 1),
    (lambda t, x: t.nn.functional.mse_loss(x, [1.0]), "target", 2),
    (lambda t, x: t.nn.functional.mse_loss(x, target=None), "target", None),
    (lambda t, x: t.linalg.qr(None), "A", 1),
    (lambda t, x: t.exp([1.0]), "input", 1),
    (lambda t, x: t.combinations(2, 2), "input", 1),
    (lambda t, x: t.take_along_dim(x, np.float64(0.5), 1), "indices", 2),        # it has a dtype, but NumPy's
    (lambda t, x: t.take_along_dim(x, indices=np.ones((2, 2), int), dim=1), "indices", None)])
def test_what_should_be_a_tensor(call, argument, position):
    """Whether a function asks first or uses it; ``combinations(2, 2)`` means the first of them."""
    where = f" (position {position})" if position else ""
    with refuses(TypeError, f"argument '{argument}'{where} must be Tensor, not ", "MG205"):
        call(minigrad, minigrad.ones(2, 2))


@pytest.mark.parametrize("other", [np.float64(2.), np.float32(2.), np.ones(2)], ids=repr)
@pytest.mark.parametrize("name", ["cat", "stack", "block_diag"])
def test_what_numpy_makes_is_not_taken_for_a_tensor_in_a_list(torch, name, other):
    with refuses(TypeError, "expected Tensor as element ", "MG205"):
        LISTS[name][2](torch, torch.ones(2, 2), other)
