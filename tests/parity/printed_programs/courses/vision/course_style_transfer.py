"""An image optimised through features: Gram matrices, content, total variation, with L-BFGS."""
import torch
import torch.nn as nn
import torch.nn.functional as F


def gram(x):
    a, b, c, d = x.size()
    features = x.view(a * b, c * d)
    return torch.mm(features, features.t()).div(a * b * c * d)


class Normalization(nn.Module):
    def __init__(self, mean, std):
        super().__init__()
        self.mean, self.std = torch.tensor(mean).view(-1, 1, 1), torch.tensor(std).view(-1, 1, 1)

    def forward(self, img):
        return (img - self.mean) / self.std


torch.manual_seed(33)
features = nn.Sequential(Normalization([0.4, 0.4, 0.4], [0.2, 0.2, 0.2]), nn.Conv2d(3, 6, 3, padding=1), nn.ReLU(),
                         nn.AvgPool2d(2), nn.Conv2d(6, 8, 3, padding=1)).eval().requires_grad_(False)
style, content = torch.rand(1, 3, 8, 8), torch.rand(1, 3, 8, 8)
image = content.clone().requires_grad_(True)
target_style, target = gram(features(style)).detach(), features(content).detach()
opt = torch.optim.LBFGS([image], max_iter=5)
for run in range(2):
    def closure():
        with torch.no_grad():
            image.clamp_(0, 1)
        opt.zero_grad()
        f = features(image)
        variation = (image[..., 1:] - image[..., :-1]).abs().mean()
        loss = 100 * F.mse_loss(gram(f), target_style) + F.mse_loss(f, target) + 0.1 * variation
        loss.backward()
        return loss
    print(f"{opt.step(closure).item():.5f}")
