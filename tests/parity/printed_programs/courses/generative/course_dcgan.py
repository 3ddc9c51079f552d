"""A small generative adversarial network with transposed convolutions."""
import torch
import torch.nn as nn


def weights_init(m):
    classname = m.__class__.__name__
    if classname.find("Conv") != -1:
        nn.init.normal_(m.weight.data, 0.0, 0.02)
    elif classname.find("BatchNorm") != -1:
        nn.init.normal_(m.weight.data, 1.0, 0.02)
        nn.init.constant_(m.bias.data, 0)


torch.manual_seed(13)
netG = nn.Sequential(nn.ConvTranspose2d(6, 8, 4, 1, 0, bias=False), nn.BatchNorm2d(8), nn.ReLU(True),
                     nn.ConvTranspose2d(8, 1, 4, 2, 1, bias=False), nn.Tanh())
netD = nn.Sequential(nn.Conv2d(1, 8, 4, 2, 1, bias=False), nn.LeakyReLU(0.2, inplace=True),
                     nn.Conv2d(8, 1, 4, 1, 0, bias=False), nn.Sigmoid())
netG.apply(weights_init)
netD.apply(weights_init)
criterion = nn.BCELoss()
optD = torch.optim.Adam(netD.parameters(), lr=2e-3, betas=(0.5, 0.999))
optG = torch.optim.Adam(netG.parameters(), lr=2e-3, betas=(0.5, 0.999))
real = torch.rand(16, 1, 8, 8) * 2 - 1
for i in range(6):
    netD.zero_grad()
    label = torch.full((16,), 1., dtype=torch.float)
    errD_real = criterion(netD(real).view(-1), label)
    errD_real.backward()
    fake = netG(torch.randn(16, 6, 1, 1))
    errD_fake = criterion(netD(fake.detach()).view(-1), label.fill_(0.))
    errD_fake.backward()
    optD.step()
    netG.zero_grad()
    errG = criterion(netD(fake).view(-1), label.fill_(1.))
    errG.backward()
    optG.step()
    print(f"{(errD_real + errD_fake).item():.4f} {errG.item():.4f}")
print(fake.shape, netG)
