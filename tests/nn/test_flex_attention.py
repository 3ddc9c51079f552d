"""``flex_attention``: against the formula written out, in every mode; blocks of masks against counting."""

import math

import pytest

import minigrad as torch
from minigrad.autograd import gradcheck, gradgradcheck
from minigrad.nn.attention.flex_attention import (AuxRequest, BlockMask, and_masks, create_block_mask, create_mask,
                                                  flex_attention, noop_mask, or_masks)
from tests.checking import refuses

DOCUMENT = torch.tensor([0, 0, 1, 1, 1])


def causal(b, h, i, j):
    return i >= j


def same_document(b, h, i, j):
    return DOCUMENT[i] == DOCUMENT[j]


def drawn(heads=2, keys=2):
    torch.manual_seed(0)
    return [torch.randn(2, n, 5, 3, dtype=torch.float64, requires_grad=True) for n in (heads, keys, keys)]


def written_out(q, k, v, change, mask, scale=1 / math.sqrt(3)):
    scores = change(q @ k.mT * scale)
    return scores.masked_fill(~mask, -math.inf).softmax(-1) @ v


@pytest.mark.parametrize("mask", [causal, same_document, and_masks(causal, same_document),
                                  or_masks(causal, same_document), noop_mask])
def test_it_is_the_formula(mask):
    q, k, v = drawn()
    bias = torch.randn(2, 5, 5, dtype=torch.float64, requires_grad=True)
    dense = torch.tensor([[bool(mask(0, 0, torch.tensor(i), torch.tensor(j))) for j in range(5)] for i in range(5)])
    assert create_mask(mask, None, None, 5, 5)[0, 0].equal(dense)
    out = flex_attention(q, k, v, lambda score, b, h, i, j: score.tanh() + bias[h, i, j],
                         create_block_mask(mask, None, None, 5, 5))
    expected = written_out(q, k, v, lambda scores: scores.tanh() + bias, dense)
    assert torch.allclose(out, expected)
    found, wanted = (torch.autograd.grad(each.square().sum(), [q, k, v, bias]) for each in (out, expected))
    assert all(torch.allclose(x, y) for x, y in zip(found, wanted))


def test_every_mode():
    q, k, v = drawn(heads=2, keys=1)
    mask = create_block_mask(and_masks(causal, lambda b, h, i, j: i + b > 0), 2, None, 5, 5)   # a row without scores

    def attend(q, k, v):
        return flex_attention(q, k, v, lambda score, b, h, i, j: score * (1 + h) - (i - j), mask, enable_gqa=True,
                              scale=0.7)

    assert gradcheck(attend, (q, k, v), check_forward_ad=True, check_batched_grad=True)
    assert gradgradcheck(attend, (q, k, v))
    assert not attend(q, k, v)[0, :, 0].any() and attend(q, k, v)[1, :, 0].any()
    stacked = torch.stack([q, 2 * q])
    mapped = torch.func.vmap(attend, in_dims=(0, None, None))(stacked, k, v)
    assert torch.allclose(mapped[1], attend(2 * q, k, v))


def test_it_agrees_with_attention_and_says_more():
    q, k, v = drawn()
    out, lse = flex_attention(q, k, v, return_lse=True)
    assert torch.allclose(out, torch.nn.functional.scaled_dot_product_attention(q, k, v))
    scores = q @ k.mT / math.sqrt(3)
    again, more = flex_attention(q, k, v, return_aux=AuxRequest(lse=True, max_scores=True))
    assert again.equal(out) and more.lse.equal(lse) and torch.allclose(lse, scores.logsumexp(-1))
    assert torch.allclose(more.max_scores, scores.amax(-1))
    assert flex_attention(q.half(), k.half(), v.half()).dtype is torch.float16
    masked = create_mask(lambda score, b, h, i, j: torch.where(i > j, score, -math.inf), 1, 1, 2, 2)
    assert masked.tolist() == [[[[False, False], [True, False]]]]


def test_blocks():
    """As PyTorch counts and orders them."""
    mask = create_block_mask(causal, None, None, 5, 5, BLOCK_SIZE=2)
    assert isinstance(mask, BlockMask) and mask.shape == (1, 1, 5, 5) and mask.numel() == 25
    assert mask.to_dense().tolist() == [[[[1, 0, 0], [1, 1, 0], [1, 1, 1]]]] and mask.to("cpu") is mask
    assert mask.kv_num_blocks.tolist() == [[[1, 1, 3]]] and mask.full_kv_num_blocks.tolist() == [[[0, 1, 0]]]
    assert repr(mask) == f"BlockMask(shape=(1, 1, 5, 5), sparsity={mask.sparsity():.2f}%)"
    assert create_block_mask(causal, 2, 3, 4, 4, BLOCK_SIZE=(2, 4)).to_dense().shape == (2, 3, 2, 1)
    whole = create_block_mask(causal, None, None, 4, 4, BLOCK_SIZE=2, separate_full_blocks=False)
    assert whole.full_kv_num_blocks is None and whole.kv_num_blocks.tolist() == [[[1, 2]]]


def test_what_does_not_fit_is_refused():
    q, k, v = drawn(heads=3)
    with refuses(ValueError, "the same number of heads but got Hq=3 and Hkv=2", "MG207"):
        flex_attention(q, k, v)
    with refuses(ValueError, "a multiple of kv heads for GQA", "MG207"):
        flex_attention(q, k, v, enable_gqa=True)
    with refuses(ValueError, "block_mask was created for block_mask.shape=(1, 1, 4, 4)", "MG207"):
        flex_attention(k, k, v, block_mask=create_block_mask(causal, None, None, 4, 4))
    with refuses(ValueError, "Cannot specify both return_lse and return_aux", "MG207"):
        flex_attention(k, k, v, return_lse=True, return_aux=AuxRequest())
    with refuses((ValueError, NotImplementedError), "must be 4D tensors", "MG207"):
        flex_attention(q[0], k[0], v[0])
