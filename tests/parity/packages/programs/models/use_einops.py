"""einops: the operations and layers of its README, in a small network that is trained."""

import torch
from einops import einsum, pack, rearrange, reduce, repeat, unpack
from einops.layers.torch import EinMix, Rearrange, Reduce

torch.manual_seed(0)
images = torch.randn(4, 3, 8, 8, requires_grad=True)
print(rearrange(images, "b c (h h2) (w w2) -> b (c h2 w2) h w", h2=2, w2=2).sum((0, 2, 3)).tolist())
print(reduce(images, "b c (h 4) (w 4) -> b h w", "max").flatten().tolist())
print(repeat(images[0, 0, 0], "w -> w copies", copies=2).tolist())
print(einsum(images, images, "b c h w, d c h w -> b d").tolist())
packed, shapes = pack([images[:, 0], images[:, 1, :2]], "b * w")
print(packed.shape, [part.shape for part in unpack(packed, shapes, "b * w")])
reduce(images ** 2, "b c h w -> b", "mean").prod().backward()
print(images.grad.norm().item())

model = torch.nn.Sequential(
    torch.nn.Conv2d(3, 6, 3), Reduce("b c (h 2) (w 2) -> b c h w", "max"), torch.nn.ReLU(),
    Rearrange("b c h w -> b (h w) c"), EinMix("b t c -> b t d", weight_shape="c d", bias_shape="d", c=6, d=5),
    Reduce("b t d -> b d", "mean"))
print(model)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(5):
    optimizer.zero_grad()
    loss = torch.nn.functional.cross_entropy(model(images.detach()), torch.arange(4))
    loss.backward()
    optimizer.step()
    print(step, loss.item())
