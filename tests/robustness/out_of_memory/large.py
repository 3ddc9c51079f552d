"""Scenarios of kernels that need memory of their own: large arrays, which threads share, and whatever is cut to fit."""

import sys

import minigrad as torch
from minigrad import memory
from minigrad.nn import functional as F

torch.manual_seed(7)
LINE = torch.randn(70_000, dtype=torch.float64)
SQUARE = torch.randn(96, 96, dtype=torch.float64)
TALL = torch.randn(40_000, 8)
FLOATS = torch.randn(40_000)
PICTURE = torch.randn(2, 8, 32, 32)
KERNEL = torch.randn(8, 8, 3, 3)
SOUND = torch.randn(1, 4, 4000)
#: How many numbers are transformed: few enough for one thread where Python crashes if another gets no memory for its
#: state (Note [Errors of helpers] in fft_passes.pyx).
FEW = 4096 if sys.version_info < (3, 12) else 65_536


def lines():
    x = LINE.clone().requires_grad_()
    y = (x.exp() * x).sum() + x.softmax(0)[0] + x.cumsum(0)[-1] + x.norm(3) + x.std()
    return y, torch.autograd.grad(y, x)


def kept_blocks():
    memory.release()
    y = LINE * 2
    del y
    z = LINE + 1
    return memory.figures()["in_use"], z[:3]


def ordered():
    return (FLOATS.sort(), LINE.median(), FLOATS.topk(100), FLOATS.kthvalue(77), torch.unique(
        (FLOATS * 100).long(), return_counts=True), LINE.mode(), FLOATS.nanmedian(), FLOATS.argsort(), FLOATS.nansum(),
        LINE.quantile(0.5), torch.histc(FLOATS, 10), torch.bincount((FLOATS.abs() * 9).long()))


def slim_products():
    a = TALL.clone().requires_grad_()
    y = (a.mT @ a).sum() + (a @ TALL[:8]).sum() + (TALL[:6].mT @ TALL[:6, :1].expand(6, 3000)).sum()
    return y, torch.autograd.grad(y, a)


def square_products():
    a = SQUARE.clone().requires_grad_()
    y = (a @ a).sum() + torch.bmm(a.expand(3, 96, 96), a.expand(3, 96, 96)).sum() + (a @ SQUARE[0]).sum()
    return y, torch.autograd.grad(y, a)


def large_matrices():
    a = (SQUARE @ SQUARE.mT + 96 * torch.eye(96, dtype=torch.float64)).requires_grad_()
    y = (torch.linalg.inv(a).sum() + torch.logdet(a) + torch.linalg.cholesky(a).sum() + torch.linalg.eigvalsh(a).sum()
         + torch.linalg.svdvals(a).sum() + torch.linalg.qr(a).R.sum() + torch.linalg.solve(a, SQUARE).sum()
         + torch.linalg.lstsq(a, SQUARE).solution.sum())
    return y, torch.autograd.grad(y, a)


def convolved():
    x, w = PICTURE.clone().requires_grad_(), KERNEL.clone().requires_grad_()
    y = F.conv2d(x, w, padding=1)
    s = F.conv1d(SOUND, KERNEL[:, :4, 0], stride=2, dilation=2)
    z = F.conv_transpose2d(y, w, stride=2)
    return s, z, torch.autograd.grad(z.square().sum(), (x, w))


def pooled():
    x = PICTURE.clone().requires_grad_()
    y = (F.max_pool2d(x, 3, 2).sum() + F.avg_pool2d(x, 3, 1).sum() + F.unfold(x, 3).square().sum()
         + F.interpolate(x, scale_factor=2., mode="bicubic").sum() + F.adaptive_max_pool2d(x, 5).sum())
    return y, torch.autograd.grad(y, x)


def transformed():
    x = LINE[:5040].clone().requires_grad_()
    y = torch.fft.rfft(x).abs().sum() + torch.fft.fft(x[:1009]).abs().sum() + torch.fft.fft2(
        x[:4096].view(64, 64)).real.sum()
    y = y + torch.fft.fft(LINE[:FEW].view(-1, 1024)).abs().sum()
    return y, torch.autograd.grad(y, x)


def texts():
    x = FLOATS.view(100, 40, 10).log_softmax(2).requires_grad_()
    words = torch.arange(1, 9).repeat(40, 1)
    y = F.ctc_loss(x, words, (100,) * 40, (8,) * 40)
    return y, torch.autograd.grad(y, x)


def stepped():
    p = FLOATS.repeat(8).requires_grad_()
    optimizer = torch.optim.Adam([p], lr=0.1)
    for _ in range(2):
        p.grad = torch.ones_like(p)
        optimizer.step()
    return p[:5]


def written():
    y = LINE.clone()
    y[y > 1] = 0
    y[10_000:] += LINE[:60_000]
    y.index_add_(0, torch.arange(60_000), LINE[:60_000])
    y.clamp_(-1, 1).exp_()
    return y


def spread():
    x = FLOATS[:1000].clone().requires_grad_()
    y = (x[:, None] * FLOATS[:100]).sum() + x.expand(80, 1000).square().sum()
    return y, torch.autograd.grad(y, x), torch.cdist(TALL[:200], TALL[:200]).sum(), F.grid_sample(
        PICTURE, PICTURE[:, :2].permute(0, 2, 3, 1).tanh(), align_corners=False).sum()


SCENARIOS = (lines, kept_blocks, ordered, slim_products, square_products, large_matrices, convolved, pooled,
             transformed, texts, stepped, written, spread)
