"""Segmentation by a small U-Net with skip connections."""
import torch
import torch.nn as nn
import torch.nn.functional as F


def double(cin, cout):
    return nn.Sequential(nn.Conv2d(cin, cout, 3, padding=1), nn.GroupNorm(2, cout), nn.ReLU(inplace=True),
                         nn.Conv2d(cout, cout, 3, padding=1), nn.GroupNorm(2, cout), nn.ReLU(inplace=True))


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down1, self.down2, self.bottom = double(1, 4), double(4, 8), double(8, 8)
        self.up2, self.up1 = nn.ConvTranspose2d(8, 8, 2, stride=2), nn.Upsample(scale_factor=2, mode="bilinear")
        self.dec2, self.dec1 = double(16, 8), double(12, 4)
        self.out = nn.Conv2d(4, 1, 1)

    def forward(self, x):
        a = self.down1(x)
        b = self.down2(F.max_pool2d(a, 2))
        c = self.bottom(F.max_pool2d(b, 2))
        d = self.dec2(torch.cat([self.up2(c), b], dim=1))
        return self.out(self.dec1(torch.cat([self.up1(d), a], dim=1)))


torch.manual_seed(24)
net = UNet()
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
x = torch.randn(2, 1, 16, 16)
mask = (x > 0.5).float()
for step in range(6):
    logits = net(x)
    p = torch.sigmoid(logits)
    dice = 1 - 2 * (p * mask).sum() / (p.sum() + mask.sum() + 1)
    loss = F.binary_cross_entropy_with_logits(logits, mask, pos_weight=torch.tensor(2.)) + dice
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"{loss.item():.4f}")
