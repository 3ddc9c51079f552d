"""MultiheadAttention and the transformer: reprs, keys, outputs, gradients, masks, errors."""
# to 1e-6
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


def some(*shape, speed=3.):
    n = 1
    for size in shape:
        n *= size
    return torch.linspace(-speed, speed + 1, n).sin().reshape(shape) * 0.7


def fixed(module):
    with torch.no_grad():
        for k, param in enumerate(module.parameters()):
            param.copy_(some(*param.shape, speed=k + 2.))
    return module


def complains(f):
    try:
        f()
    except (TypeError, ValueError, RuntimeError, AssertionError) as wrong:
        print(str(wrong).rpartition("_forward: ")[2].partition(" You may")[0].partition(" [MG")[0])
    else:
        print("nothing")


def gradients(output, inputs, module, twice=False):
    grads = torch.autograd.grad((output ** 2).sum(), [*inputs, *module.parameters()], create_graph=twice)
    print([round(float(g.abs().sum()), 6) for g in grads])
    if not twice:               # PyTorch's attention without weights has no second gradient
        return
    second = torch.autograd.grad(sum((g ** 2).sum() for g in grads), [*inputs, *module.parameters()])
    print([round(float(g.abs().sum()), 4) for g in second])


query, key, value = some(3, 2, 4).requires_grad_(), some(5, 2, 4, speed=5.), some(5, 2, 4, speed=7.)
causal = nn.Transformer.generate_square_subsequent_mask(3)
print(causal, nn.Transformer.generate_square_subsequent_mask(2, dtype=torch.float32).dtype)
padding = torch.tensor([[False, False, False, True, False], [False, True, False, False, True]])
for options in ({}, {"bias": False}, {"add_bias_kv": True}, {"add_zero_attn": True}, {"kdim": 3, "vdim": 2},
                {"batch_first": True}, {"num_heads": 1}):
    attention = fixed(nn.MultiheadAttention(4, **{"num_heads": 2, **options}))
    print(attention, list(attention.state_dict()), attention.head_dim, attention._qkv_same_embed_dim)
    q, k, v = query, key[..., :attention.kdim], value[..., :attention.vdim]
    if attention.batch_first:
        q, k, v = q.transpose(0, 1), k.transpose(0, 1), v.transpose(0, 1)
    for mode in (True, False):
        attention.train(mode)
        out, weights = attention(q, k, v)
        print(out.shape, out.flatten()[:7].detach(), weights.shape, weights.flatten()[:5].detach())
        out, weights = attention(q, k, v, key_padding_mask=padding, need_weights=False)
        print(out.flatten()[:7].detach(), weights)
        out, weights = attention(q, k, v, attn_mask=some(3, 5), average_attn_weights=False)
        print(out.flatten()[:7].detach(), weights.shape)
    gradients(out, [query], attention, twice=True)
    if attention._qkv_same_embed_dim:
        print(attention(q, q, q, attn_mask=causal, is_causal=True)[0].flatten()[:5].detach())
        with torch.no_grad():
            print(attention(q, q, q, attn_mask=causal > -1)[0].flatten()[:5])
    single = attention(query[:, 0], key[:, 0, :attention.kdim], value[:, 0, :attention.vdim])
    print(single[0].shape, single[1].shape)

options = {"dim_feedforward": 6, "dropout": 0.0}
src, tgt = some(5, 2, 4, speed=5.).requires_grad_(), some(3, 2, 4).requires_grad_()
for more in ({}, {"norm_first": True}, {"activation": "gelu"}, {"activation": torch.tanh, "bias": False},
             {"layer_norm_eps": 0.1}):
    layer = fixed(nn.TransformerEncoderLayer(4, 2, **options, **more))
    encoder = fixed(nn.TransformerEncoder(layer, 2, nn.LayerNorm(4), enable_nested_tensor=False))
    decoding = fixed(nn.TransformerDecoderLayer(4, 2, **options, **more))
    decoder = fixed(nn.TransformerDecoder(decoding, num_layers=2))
    print(layer, list(layer.state_dict()), decoding)
    for mode in (True, False):
        for module in (layer, encoder, decoding, decoder):
            module.train(mode)
        print(layer(src).flatten()[::5].detach(), encoder(src, src_key_padding_mask=padding).flatten()[::5].detach())
        memory = encoder(src, nn.Transformer.generate_square_subsequent_mask(5))
        print(memory.flatten()[::5].detach(), decoding(tgt, memory).flatten()[::5].detach())
        out = decoder(tgt, memory, causal, memory_key_padding_mask=padding.double())
        print(out.flatten()[::5].detach(), decoder(tgt, memory, causal, tgt_is_causal=True).flatten()[::5].detach())
    gradients(out, [src, tgt], decoder)
print(list(encoder.state_dict()), len(list(decoder.state_dict())))

net = fixed(nn.Transformer(4, 2, 1, 1, 6, dropout=0.0, batch_first=True))
print(net, list(net.state_dict()))
out = net(src.transpose(0, 1), tgt.transpose(0, 1), tgt_mask=causal, src_key_padding_mask=padding)
print(out.detach())
gradients(out, [src, tgt], net)
print(net(src[:, 0], tgt[:, 0]).shape)
complains(lambda: net(src, tgt))
complains(lambda: net(src[..., :3], tgt[:2]))
complains(lambda: nn.TransformerEncoderLayer(4, 2, activation="sin"))
complains(lambda: nn.MultiheadAttention(4, 3))
complains(lambda: nn.MultiheadAttention(0, 3))
complains(lambda: nn.MultiheadAttention(4, 2)(src, src, src, is_causal=True))
