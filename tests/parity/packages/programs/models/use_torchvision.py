"""torchvision: a residual network trained for two steps, and the transforms of pictures.

In float64: the last norms have two numbers each, and magnify what float32 rounds.
"""

import torch
import torchvision
from torchvision.transforms import v2

torch.manual_seed(0)
model = torchvision.models.resnet18(num_classes=5).double()
pictures, labels = torch.rand(2, 3, 32, 32, dtype=torch.float64), torch.tensor([1, 3])
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(2):
    loss = torch.nn.functional.cross_entropy(model(pictures), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, loss.item())
print(model.bn1.running_mean[:4].tolist())
print(model.conv1.weight.grad.abs().sum().item())
normalized = v2.Compose([v2.CenterCrop(24), v2.Normalize([0.5] * 3, [0.25] * 3)])(pictures)
print(normalized.shape, normalized.mean().item())
print(torchvision.transforms.functional.adjust_brightness(pictures, 1.5).sum().item())
print(torchvision.utils.make_grid(pictures).shape)
