"""Norms, pooling, padding and the layers that move elements: how they print, what they keep, and what they give."""
import torch
from torch import nn


def numbers(shape, start=0):
    """Fixed numbers between -1 and 1 that repeat nothing."""
    count = torch.Size(shape).numel()
    return torch.sin(torch.arange(start, start + count, dtype=torch.float32) * 1.7).reshape(shape)


def show(layer, *inputs, times=1, **call):
    """Everything there is to see of a layer, with fixed numbers as its parameters."""
    with torch.no_grad():
        for i, param in enumerate(layer.parameters()):
            param.copy_(numbers(param.shape, 5 + i))
    print(layer, layer.training, sorted(name for name in vars(layer) if name[0] != "_" and name != "transposed"))
    print([(name, tuple(x.shape), x.dtype) for name, x in layer.state_dict().items()])
    inputs = [x.clone().requires_grad_() if x.dtype.is_floating_point else x for x in inputs]
    for _ in range(times):
        outputs = layer(*inputs, **call)
    for output in outputs if isinstance(outputs, tuple) else (outputs,):
        print(tuple(output.shape), output.detach().flatten()[:6].tolist())
    output = outputs[0] if isinstance(outputs, tuple) else outputs
    (output * numbers(output.shape, 3)).sum().backward()
    print([x.grad.flatten()[:6].tolist() for x in inputs if x.grad is not None])
    print([p.grad.flatten()[:6].tolist() for p in layer.parameters() if p.grad is not None])
    for name, buffer in layer.named_buffers():
        print(name, buffer.flatten().tolist())


def complains(f):
    try:
        f()
    except (TypeError, ValueError, RuntimeError) as wrong:
        print([kind.__name__ for kind in (TypeError, ValueError, RuntimeError) if isinstance(wrong, kind)],
              str(wrong).partition(" [")[0][:32])
    else:
        print("nothing")


row, channels, plane, volume = numbers((5, 4)), numbers((2, 4, 6)), numbers((2, 4, 5, 6)), numbers((2, 2, 4, 3, 4))

for layer in (nn.BatchNorm1d(4), nn.BatchNorm1d(4, 0.1, 0.3, bias=False), nn.BatchNorm1d(4, momentum=None),
              nn.BatchNorm1d(4, affine=False), nn.BatchNorm1d(4, track_running_stats=False),
              nn.BatchNorm1d(4).eval(), nn.BatchNorm1d(4, track_running_stats=False).eval()):
    show(layer, row, times=2)
    show(layer, channels)
show(nn.BatchNorm2d(4), plane, times=3)
show(nn.BatchNorm3d(2, dtype=torch.float64), volume.double())
show(nn.SyncBatchNorm(4), plane)
print(nn.SyncBatchNorm.convert_sync_batchnorm(nn.Sequential(nn.BatchNorm2d(2, affine=False), nn.ReLU())))
show(nn.InstanceNorm1d(4), channels)
show(nn.InstanceNorm1d(4, affine=True, track_running_stats=True), channels, times=2)
show(nn.InstanceNorm1d(4, track_running_stats=True).eval(), channels)
show(nn.InstanceNorm1d(4, affine=True, bias=False), channels[0])
show(nn.InstanceNorm2d(4, 0.1, 0.5, True, True), plane)
show(nn.InstanceNorm2d(7), plane[0])
show(nn.InstanceNorm3d(2), volume)
complains(lambda: nn.BatchNorm1d(4)(plane))
complains(lambda: nn.BatchNorm2d(4)(row))
complains(lambda: nn.InstanceNorm2d(4)(row))
complains(lambda: nn.InstanceNorm1d(3, affine=True)(channels))
complains(lambda: nn.SyncBatchNorm(3)(row[0]))
norm = nn.BatchNorm1d(2)
print(norm.load_state_dict({"weight": torch.ones(2), "bias": torch.ones(2), "running_mean": torch.ones(2),
                            "running_var": torch.ones(2)}), norm.num_batches_tracked)
norm.reset_running_stats()
norm.reset_parameters()
print(norm.state_dict())
complains(lambda: nn.InstanceNorm1d(2).load_state_dict({"running_mean": torch.ones(2)}))

show(nn.LayerNorm(4), row)
show(nn.LayerNorm([5, 6], bias=False), plane)
show(nn.LayerNorm((6,), 0.1, elementwise_affine=False), plane)
show(nn.RMSNorm(4), row)
show(nn.RMSNorm([5, 6], eps=0.1, elementwise_affine=False), plane)
show(nn.GroupNorm(2, 4), channels)
show(nn.GroupNorm(4, 4, 0.1, bias=False), plane)
show(nn.GroupNorm(1, 4, affine=False), row)
show(nn.LocalResponseNorm(2), plane)
show(nn.LocalResponseNorm(3, 1., 0.5, 2.), channels)
layer = nn.CrossMapLRN2d(3, 1., 0.5)
print(layer, layer(plane).flatten()[:70].tolist(), nn.CrossMapLRN2d(4)(plane).flatten()[:10].tolist())
complains(lambda: nn.GroupNorm(3, 4))
complains(lambda: nn.CrossMapLRN2d(3)(row))

for layer in (nn.MaxPool1d(2), nn.MaxPool1d(3, 1, 1), nn.MaxPool1d(2, return_indices=True), nn.AvgPool1d(2),
              nn.AvgPool1d(3, 2, 1, True, False), nn.LPPool1d(3., 2), nn.LPPool1d(2, 3, 1, True),
              nn.AdaptiveMaxPool1d(4), nn.AdaptiveMaxPool1d(2, True), nn.AdaptiveAvgPool1d(4),
              nn.ConstantPad1d(2, 3.5), nn.ConstantPad1d((1, 0), 0), nn.ZeroPad1d(1), nn.ReflectionPad1d((2, 1)),
              nn.ReplicationPad1d(2), nn.CircularPad1d((3, 1)), nn.Upsample(scale_factor=2),
              nn.Upsample(9, mode="linear"), nn.Upsample(size=4, mode="linear", align_corners=True),
              nn.ChannelShuffle(2)):
    show(layer, channels + 2)
for layer in (nn.MaxPool2d(2), nn.MaxPool2d((3, 2), (1, 2), (1, 0), ceil_mode=True), nn.MaxPool2d(2, dilation=2),
              nn.AvgPool2d(2), nn.AvgPool2d((2, 3), divisor_override=5), nn.AvgPool2d(3, 1, 1, count_include_pad=False),
              nn.LPPool2d(2, (2, 3)), nn.AdaptiveMaxPool2d((None, 3)), nn.AdaptiveAvgPool2d(1),
              nn.AdaptiveAvgPool2d((3, None)), nn.ConstantPad2d((1, 2, 0, 1), -1.), nn.ZeroPad2d((1, 0, 2, 1)),
              nn.ZeroPad2d(1), nn.ReflectionPad2d(2), nn.ReplicationPad2d((1, 0, 0, 2)), nn.CircularPad2d(1),
              nn.Upsample(scale_factor=(2, 1.5), mode="bilinear"), nn.UpsamplingNearest2d(scale_factor=2),
              nn.UpsamplingBilinear2d((7, 8)), nn.PixelShuffle(2), nn.Unfold(2), nn.Unfold((2, 3), 1, (1, 0), 2)):
    show(layer, plane + 2)
for layer in (nn.MaxPool3d(2), nn.AvgPool3d(2, 1), nn.LPPool3d(2, 2), nn.AdaptiveMaxPool3d(2),
              nn.AdaptiveAvgPool3d((2, None, 1)), nn.ConstantPad3d(1, 2), nn.ZeroPad3d((1, 0, 0, 1, 1, 1)),
              nn.ReflectionPad3d(1), nn.ReplicationPad3d(1),
              nn.CircularPad3d((1, 0, 1, 0, 1, 2)), nn.Upsample((5, 4, 3))):
    show(layer, volume + 2)
show(nn.PixelUnshuffle(2), plane[:, :, :4])
show(nn.Fold((4, 5), 2), numbers((1, 8, 12)))
show(nn.Fold(4, (2, 2), stride=2, padding=0), numbers((8, 4)))
for n, x in ((1, channels), (2, plane), (3, volume)):
    pool, unpool = getattr(nn, f"MaxPool{n}d")(2, return_indices=True), getattr(nn, f"MaxUnpool{n}d")(2)
    show(unpool, *pool(x), output_size=x.shape)
samples = torch.full((2, 4, 2), 0.3)
show(nn.FractionalMaxPool2d(2, (2, 3), _random_samples=samples), plane)
show(nn.FractionalMaxPool2d((2, 3), output_ratio=0.6, return_indices=True, _random_samples=samples), plane)
show(nn.FractionalMaxPool3d((2, 1, 2), 2, _random_samples=torch.full((2, 2, 3), 0.3)), volume)
complains(lambda: nn.FractionalMaxPool2d(2))
complains(lambda: nn.FractionalMaxPool2d(2, 2, 0.5))
complains(lambda: nn.FractionalMaxPool2d(2, output_ratio=1.5))
complains(lambda: nn.FractionalMaxPool3d(0, 2))
show(nn.CosineSimilarity(), row, numbers((5, 4), 2))
show(nn.CosineSimilarity(0, 1.), row, numbers((5, 4), 2))
show(nn.PairwiseDistance(), row, numbers((5, 4), 2))
show(nn.PairwiseDistance(1., keepdim=True), row, numbers((5, 4), 2))

# layers that learn their sizes
for layer, x in ((nn.LazyLinear(3), row), (nn.LazyLinear(3, bias=False), channels), (nn.LazyConv1d(2, 3), channels),
                 (nn.LazyConv2d(4, 2, 1, 0, 1, 2, False), plane), (nn.LazyConv3d(2, 2), volume),
                 (nn.LazyConvTranspose1d(2, 3), channels), (nn.LazyConvTranspose2d(2, 3, stride=2), plane[0]),
                 (nn.LazyConvTranspose3d(2, 2), volume), (nn.LazyBatchNorm1d(), row), (nn.LazyBatchNorm2d(0.1), plane),
                 (nn.LazyBatchNorm3d(affine=False), volume), (nn.LazyInstanceNorm1d(), channels),
                 (nn.LazyInstanceNorm2d(track_running_stats=False), plane), (nn.LazyInstanceNorm3d(), volume)):
    print(layer, list(layer.state_dict()), layer.has_uninitialized_params())
    layer(x)
    show(layer, x)
layer = nn.LazyLinear(3)
print(layer.state_dict(), layer.weight)
print(layer.load_state_dict(nn.Linear(2, 3).state_dict()), layer.weight.shape, layer(torch.ones(1, 2)).shape, layer)
complains(lambda: nn.LazyLinear(3).weight.shape)
complains(lambda: nn.LazyConv2d(3, 2)(row))
complains(lambda: nn.LazyConv2d(3, 2, groups=3)(plane))
complains(lambda: nn.LazyLinear(3).weight + 1)
