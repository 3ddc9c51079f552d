"""kornia: filters, colours, geometry and losses of pictures, with gradients."""

import kornia
import torch

torch.manual_seed(0)
image = torch.rand(1, 3, 8, 8, requires_grad=True)
steps = {
    "gray": kornia.color.rgb_to_grayscale, "hsv": kornia.color.rgb_to_hsv, "lab": kornia.color.rgb_to_lab,
    "yuv": kornia.color.rgb_to_yuv, "blur": lambda x: kornia.filters.gaussian_blur2d(x, (3, 3), (1.0, 1.0)),
    "sobel": kornia.filters.sobel, "laplacian": lambda x: kornia.filters.laplacian(x, 3),
    "median": lambda x: kornia.filters.median_blur(x, (3, 3)),
    "canny": lambda x: kornia.filters.canny(x)[0],
    "unsharp": lambda x: kornia.filters.unsharp_mask(x, (3, 3), (1., 1.)),
    "rotate": lambda x: kornia.geometry.rotate(x, torch.tensor([30.0])),
    "resize": lambda x: kornia.geometry.resize(x, (5, 5)), "pyrdown": kornia.geometry.pyrdown,
    "affine": lambda x: kornia.geometry.warp_affine(x, torch.tensor([[[1.0, 0.1, 0.5], [0.0, 1.0, -0.5]]]), (8, 8)),
    "perspective": lambda x: kornia.geometry.warp_perspective(
        x, torch.tensor([[[1.0, 0.0, 0.3], [0.1, 1.0, 0.0], [0.0, 0.01, 1.0]]]), (8, 8)),
    "dilation": lambda x: kornia.morphology.dilation(x, torch.ones(3, 3)),
    "harris": lambda x: kornia.feature.harris_response(x), "gamma": lambda x: kornia.enhance.adjust_gamma(x, 2.0),
    "equalize": lambda x: kornia.enhance.normalize(x, torch.full((3,), 0.5), torch.full((3,), 0.2)),
    "histogram": lambda x: kornia.enhance.histogram(x[:, 0].flatten(1), torch.linspace(0, 1, 5), torch.tensor(0.1)),
}
for name, step in steps.items():
    out = step(image)
    gradient, = torch.autograd.grad(out.square().sum(), image)
    print(name, tuple(out.shape), out.sum().item(), gradient.abs().sum().item())
other = torch.rand(1, 3, 8, 8)
for name, loss in {"ssim": lambda: kornia.losses.ssim_loss(image, other, 5),
                   "tv": lambda: kornia.losses.total_variation(image).sum(),
                   "dice": lambda: kornia.losses.dice_loss(image, torch.randint(0, 3, (1, 8, 8))),
                   "focal": lambda: kornia.losses.focal_loss(image, torch.randint(0, 3, (1, 8, 8)), 0.5,
                                                             reduction="mean")}.items():
    print(name, loss().item())
turns = kornia.geometry.axis_angle_to_rotation_matrix(torch.tensor([[0.1, 0.2, 0.3]]))
print(turns.tolist(), kornia.geometry.rotation_matrix_to_quaternion(turns).tolist())
torch.manual_seed(1)
augment = kornia.augmentation.AugmentationSequential(kornia.augmentation.RandomHorizontalFlip(p=1.0),
                                                     kornia.augmentation.RandomAffine(20.0, p=1.0),
                                                     kornia.augmentation.ColorJitter(0.1, 0.1, 0.1, 0.1, p=1.0))
print(augment(image.detach()).sum().item())
