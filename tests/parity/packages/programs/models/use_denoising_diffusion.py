"""denoising-diffusion-pytorch: a U-Net trained to remove noise, and pictures drawn from it in two ways."""

import warnings

import torch
from denoising_diffusion_pytorch import GaussianDiffusion, GaussianDiffusion1D, Unet, Unet1D

warnings.simplefilter("ignore")
torch.manual_seed(0)
net = Unet(dim=8, dim_mults=(1, 2), flash_attn=False, attn_dim_head=4, attn_heads=2)
diffusion = GaussianDiffusion(net, image_size=8, timesteps=20, sampling_timesteps=4)
optimizer = torch.optim.Adam(diffusion.parameters(), lr=1e-3)
images = torch.rand(4, 3, 8, 8)
for step in range(3):
    loss = diffusion(images)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, f"{loss:.5f}")
drawn = diffusion.sample(batch_size=2)
print("four steps", tuple(drawn.shape), f"{drawn.mean():.4f}", f"{drawn.std():.4f}")
whole = GaussianDiffusion(net, image_size=8, timesteps=6, objective="pred_v", beta_schedule="cosine")
drawn = whole.sample(batch_size=2)
print("all steps", f"{drawn.mean():.4f}", f"{drawn.std():.4f}")
net = Unet1D(dim=8, dim_mults=(1, 2), channels=3, attn_dim_head=4, attn_heads=2)
series = GaussianDiffusion1D(net, seq_length=16, timesteps=5, objective="pred_noise")
loss = series(torch.rand(2, 3, 16))
loss.backward()
print("one dim", f"{loss:.5f}", f"{series.sample(batch_size=1).abs().sum():.3f}")
