"""rotary-embedding-torch: queries and keys of its README, for attention by turning them."""

import torch
from rotary_embedding_torch import RotaryEmbedding, apply_rotary_emb

torch.manual_seed(0)
rotary = RotaryEmbedding(dim=8)
q, k = torch.randn(1, 2, 6, 16, requires_grad=True), torch.randn(1, 2, 6, 16)
turned, keys = rotary.rotate_queries_or_keys(q), rotary.rotate_queries_or_keys(k)
scores = torch.softmax(turned @ keys.mT / 4, -1)
print(scores[0, 0].tolist())
scores.square().sum().backward()
print(q.grad.norm().item())

image = RotaryEmbedding(dim=4, freqs_for="pixel", max_freq=256)
freqs = image.get_axial_freqs(3, 2)
print(freqs.shape, apply_rotary_emb(freqs, torch.randn(1, 3, 2, 8))[0, 1].tolist())
xpos = RotaryEmbedding(dim=8, use_xpos=True)
print([part.sum().item() for part in xpos.rotate_queries_and_keys(q, k)])
