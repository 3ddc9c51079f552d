"""Residual blocks with batch norm: training and evaluation, running statistics, a learning-rate schedule."""
import torch
import torch.nn as nn


class Block(nn.Module):
    def __init__(self, cin, cout, stride=1):
        super().__init__()
        self.conv1 = nn.Conv2d(cin, cout, 3, stride=stride, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(cout)
        self.conv2 = nn.Conv2d(cout, cout, 3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(cout)
        self.relu = nn.ReLU(inplace=True)
        self.short = nn.Identity() if stride == 1 and cin == cout else nn.Sequential(
            nn.Conv2d(cin, cout, 1, stride=stride, bias=False), nn.BatchNorm2d(cout))

    def forward(self, x):
        out = self.bn2(self.conv2(self.relu(self.bn1(self.conv1(x)))))
        out += self.short(x)
        return self.relu(out)


torch.manual_seed(4)
net = nn.Sequential(Block(3, 8), Block(8, 16, 2), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(16, 4))
for m in net.modules():
    if isinstance(m, nn.Conv2d):
        nn.init.kaiming_normal_(m.weight, mode="fan_out", nonlinearity="relu")
opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9, weight_decay=5e-4, nesterov=True)
schedule = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=5)
x, y = torch.randn(16, 3, 8, 8), torch.randint(4, (16,))
for epoch in range(5):
    net.train()
    opt.zero_grad()
    loss = nn.functional.cross_entropy(net(x), y, label_smoothing=0.1)
    loss.backward()
    opt.step()
    schedule.step()
    net.eval()
    with torch.no_grad():
        print(f"{loss.item():.4f} {schedule.get_last_lr()[0]:.5f} {nn.functional.cross_entropy(net(x), y).item():.4f}")
print(net[0].bn1.running_mean[:3], net[0].bn1.num_batches_tracked, len(net.state_dict()))
