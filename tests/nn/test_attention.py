"""What samples cannot say of attention: dropout, 16 bits, masks in transforms, and results that are None."""

import math

import pytest

import minigrad as torch
from minigrad import func

F = torch.nn.functional
attend = F.scaled_dot_product_attention


def qkv(*shape):
    torch.manual_seed(5)
    return [torch.randn(*shape, requires_grad=True) for _ in range(3)]


def test_a_query_that_sees_nothing_gets_zeros_and_no_gradient():
    q, k, v = qkv(3, 4)
    seen = torch.tensor([[True, False, True], [False, False, False], [True, True, True]])
    for mask in (seen, torch.zeros(3, 3).masked_fill(~seen, -math.inf)):
        out = attend(q, k, v, mask)
        assert not out[1].any()
        grads = torch.autograd.grad(out.sin().sum(), (q, k, v), create_graph=True)
        assert all(torch.isfinite(g).all() for g in grads) and not grads[0][1].any()
        second = torch.autograd.grad(sum(g.square().sum() for g in grads), (q, k, v))
        assert all(torch.isfinite(g).all() for g in second)


def test_each_example_may_have_a_mask_of_its_own():
    q, k, v = [x.detach() for x in qkv(2, 3, 4)]
    masks = torch.tensor([[[True, False, True]] * 3, [[False] * 3, [True] * 3, [True] * 3]])
    out = func.vmap(attend)(q, k, v, masks)
    for i in range(2):
        assert torch.allclose(out[i], attend(q[i], k[i], v[i], masks[i]))


def test_weights_are_dropped():
    q, k = torch.zeros(1, 4), torch.zeros(5000, 4)
    out = attend(q, k, torch.ones(5000, 1), dropout_p=0.25)
    assert out.item() == pytest.approx(1, abs=0.1) and out.item() != 1
    assert not attend(q, k, torch.ones(5000, 1), dropout_p=1.).any()


def test_16_bits_are_rounded_once():
    q, k, v = [x.detach().to(torch.bfloat16) for x in qkv(2, 5, 8)]
    exact = attend(q.float(), k.float(), v.float(), is_causal=True)
    assert torch.equal(attend(q, k, v, is_causal=True), exact.to(torch.bfloat16))


def test_wrong_arguments_are_named():
    q, k, v = [x.detach() for x in qkv(1, 2, 3, 4)]
    for call, said in ((lambda: attend(q[0, 0, 0], k, v), "at least 2 dimensional"),
                       (lambda: attend(q, k.double(), v), "to have the same dtype"),
                       (lambda: attend(q, k, v, torch.zeros(3, 3, dtype=torch.int64)), "Expected attn_mask dtype"),
                       (lambda: attend(q, k, v, dropout_p=1.5), "dropout probability has to be between 0 and 1"),
                       (lambda: attend(q[:, :1], k, v, enable_gqa=True), "must divide the number of heads")):
        with pytest.raises(RuntimeError, match=said):
            call()


# ------------------------------------------------------------------------------ several heads

def heads(x, count=2, **options):
    torch.manual_seed(6)
    size = x.shape[-1]
    return F.multi_head_attention_forward(
        x, x, x, size, count, torch.randn(3 * size, size), torch.randn(3 * size), None, None, False, 0.,
        torch.randn(size, size), torch.randn(size), **options)


LATER = torch.ones(3, 3, dtype=torch.bool).triu(1)


@pytest.mark.parametrize("options", [{}, {"attn_mask": LATER}, {"attn_mask": LATER, "is_causal": True},
                                     {"key_padding_mask": torch.tensor([[False, False, True], [False, True, False]])},
                                     {"attn_mask": torch.randn(4, 3, 3)}])
def test_the_result_is_the_same_without_weights(options):
    x = torch.randn(3, 2, 4, requires_grad=True)
    out, weights = heads(x, **options)
    alone, nothing = heads(x, **options, need_weights=False)
    assert nothing is None and weights.shape == (2, 3, 3)
    assert torch.allclose(out, alone, atol=1e-5)
    first, second = [torch.autograd.grad(each.sin().sum(), x)[0] for each in (out, alone)]
    assert torch.allclose(first, second, atol=1e-4)


def test_a_sample_without_a_batch():
    x = torch.randn(3, 4)
    out, weights = heads(x)
    batch, of_batch = heads(x.unsqueeze(1))
    assert torch.allclose(out, batch.squeeze(1)) and torch.allclose(weights, of_batch[0])


def test_what_does_not_fit_is_refused():
    x = torch.randn(3, 2, 4)
    for options, said in (({"count": 3}, "not divisible by num_heads"),
                          ({"is_causal": True}, "Need attn_mask if specifying the is_causal hint"),
                          ({"attn_mask": torch.ones(2, 2)}, "The shape of the 2D attn_mask"),
                          ({"key_padding_mask": torch.ones(3)}, "expected `key_padding_mask` to be `None` or 2-D"),
                          ({"attn_mask": torch.ones(3, 3, dtype=torch.int64)}, "only bool and floating types")):
        with pytest.raises((RuntimeError, AssertionError), match=said):
            heads(x, **options)


@pytest.mark.parametrize("dtype", ["int16", "int64"])
def test_integers_do_not_attend(torch, dtype):
    x = torch.ones(2, 3).to(getattr(torch, dtype))
    with pytest.raises(RuntimeError, match="to have the same dtype"):
        torch.nn.functional.scaled_dot_product_attention(x, x, x)
