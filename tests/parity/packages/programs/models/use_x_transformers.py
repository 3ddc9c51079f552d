"""x-transformers: decoders with several kinds of attention and positions, trained; an encoder and a picture's model."""

import torch
from x_transformers import AutoregressiveWrapper, ContinuousTransformerWrapper, Decoder, Encoder, TransformerWrapper
from x_transformers import ViTransformerWrapper, XTransformer

OPTIONS = ({}, {"rotary_pos_emb": True}, {"alibi_pos_bias": True, "alibi_num_heads": 2}, {"ff_glu": True},
           {"use_rmsnorm": True, "ff_swish": True}, {"rel_pos_bias": True}, {"attn_qk_norm": True},
           {"attn_num_mem_kv": 2}, {"attn_kv_heads": 1}, {"attn_flash": True}, {"sandwich_norm": True},
           {"macaron": True}, {"shift_tokens": 1})
for options in OPTIONS:
    torch.manual_seed(0)
    net = TransformerWrapper(num_tokens=11, max_seq_len=8, attn_layers=Decoder(
        dim=16, depth=1, heads=2, attn_dim_head=8, **options))
    wrapped = AutoregressiveWrapper(net)
    tokens = torch.randint(0, 11, (2, 8))
    optimizer = torch.optim.Adam(wrapped.parameters(), lr=1e-2)
    for step in range(2):
        loss = wrapped(tokens)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(options, loss.item())
print(wrapped.generate(tokens[:, :2], 4, temperature=0.0).tolist())

torch.manual_seed(1)
encoder = ContinuousTransformerWrapper(dim_in=3, dim_out=2, max_seq_len=6, attn_layers=Encoder(dim=8, depth=1, heads=2))
print(encoder(torch.randn(2, 6, 3), mask=torch.ones(2, 6).bool())[0, 0].tolist())
vit = ViTransformerWrapper(image_size=8, patch_size=4, num_classes=3, attn_layers=Encoder(dim=8, depth=1, heads=2))
print(vit(torch.randn(1, 3, 8, 8)).tolist())
both = XTransformer(dim=8, enc_num_tokens=7, enc_depth=1, enc_heads=2, enc_max_seq_len=6, dec_num_tokens=7,
                    dec_depth=1, dec_heads=2, dec_max_seq_len=6)
print(both(torch.randint(0, 7, (1, 6)), torch.randint(0, 7, (1, 6))).item())
