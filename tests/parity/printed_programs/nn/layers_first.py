"""The layers with parameters, the activations and the dropouts: how they print, what they keep, and what they give."""
import torch
from torch import nn


def numbers(shape, start=0):
    """Fixed numbers between -1 and 1 that repeat nothing."""
    count = torch.Size(shape).numel()
    return torch.sin(torch.arange(start, start + count, dtype=torch.float32) * 1.7).reshape(shape)


def show(layer, *inputs, **call):
    """Everything there is to see of a layer, with fixed numbers as its parameters."""
    with torch.no_grad():
        for i, param in enumerate(layer.parameters()):
            param.copy_(numbers(param.shape, 5 + i))
    print(layer, layer.training, sorted(name for name in vars(layer) if name[0] != "_" and name != "transposed"))
    print([(name, tuple(x.shape), x.dtype) for name, x in layer.state_dict().items()])
    inputs = [x.clone().requires_grad_() if x.dtype.is_floating_point else x for x in inputs]
    outputs = layer(*[x * 1 if x.dtype.is_floating_point else x for x in inputs], **call)
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
    except (TypeError, ValueError, AssertionError, RuntimeError) as wrong:
        said = str(wrong).partition(" [")[0].partition(":")[0].partition("__init__() ")
        print([kind.__name__ for kind in (TypeError, ValueError, RuntimeError) if isinstance(wrong, kind)],
              (said[2] or said[0])[:27])
    else:
        print("nothing")


def asserts(f):
    try:
        f()
    except AssertionError as wrong:
        print(str(wrong)[:30])


x = numbers((3, 4)) * 2
for layer in (nn.Identity(3, a=2), nn.ReLU(), nn.ReLU(inplace=True), nn.ReLU6(), nn.ReLU6(True), nn.LeakyReLU(0.1),
              nn.LeakyReLU(0.2, True), nn.PReLU(), nn.PReLU(4, 0.1), nn.Threshold(0.1, 20),
              nn.Threshold(0.1, 20., True), nn.Hardtanh(), nn.Hardtanh(-0.5, 0.3, True), nn.Hardshrink(),
              nn.Softshrink(0.2),
              nn.Hardsigmoid(),
              nn.Hardsigmoid(True), nn.Hardswish(), nn.Hardswish(True), nn.Sigmoid(), nn.LogSigmoid(), nn.Tanh(),
              nn.Tanhshrink(), nn.Softsign(), nn.Softplus(), nn.Softplus(2, 1), nn.ELU(), nn.ELU(0.3, True),
              nn.CELU(2.), nn.SELU(), nn.SELU(True), nn.GELU(), nn.GELU("tanh"), nn.SiLU(), nn.SiLU(inplace=True),
              nn.Mish(),
              nn.Mish(True), nn.GLU(), nn.GLU(1), nn.Softmax(1), nn.Softmin(dim=0), nn.LogSoftmax(-1),
              nn.RReLU(0.1, 0.2).eval(), nn.RReLU(inplace=True).eval(), nn.Dropout().eval(), nn.Dropout(0.),
              nn.Dropout(0.1, True).eval(), nn.AlphaDropout(0.2).eval(), nn.FeatureAlphaDropout().eval(),
              nn.Dropout(1.)):
    show(layer, x)
show(nn.Softmax2d(), numbers((2, 3, 2, 2)))
show(nn.Dropout1d(1.), numbers((2, 3, 2)))
show(nn.Dropout2d(1.), numbers((2, 3, 2, 2)))
show(nn.Dropout3d(0.), numbers((2, 3, 2, 2, 2)))
complains(lambda: nn.Softmax2d()(x))
complains(lambda: nn.Dropout(1.5))
complains(lambda: nn.Sigmoid(3))
complains(lambda: nn.ReLU(inplce=True))
complains(lambda: nn.Threshold(1.))

show(nn.Linear(4, 3), x)
show(nn.Linear(4, 3, bias=False, dtype=torch.float64), x.double())
show(nn.Linear(4, 3), numbers((4,)))
show(nn.Bilinear(4, 2, 3), x, numbers((3, 2), 4))
show(nn.Bilinear(4, 2, 3, False), x, numbers((3, 2), 4))
complains(lambda: nn.Bilinear(0, 2, 3))
show(nn.Flatten(), numbers((2, 3, 4)))
show(nn.Flatten(0, 1), numbers((2, 3, 4)))
show(nn.Unflatten(1, (2, 2)), x)
complains(lambda: nn.Unflatten(1, 3))
complains(lambda: nn.Unflatten(1, (2, "a")))

show(nn.Embedding(5, 2), torch.tensor([[0, 4], [2, 2]]))
show(nn.Embedding(5, 2, padding_idx=-1), torch.tensor([0, 4]))
show(nn.Embedding(5, 2, 0, max_norm=0.5, norm_type=1., scale_grad_by_freq=True), torch.tensor([0, 3, 3]))
print(nn.Embedding(5, 2, padding_idx=2).weight[2].tolist(), nn.Embedding(5, 2, _freeze=True).weight.requires_grad)
table = nn.Embedding.from_pretrained(torch.ones(3, 2), padding_idx=1)
print(table, table.weight, nn.Embedding.from_pretrained(torch.ones(3, 2), freeze=False).weight.requires_grad)
bag = nn.EmbeddingBag.from_pretrained(torch.arange(6.).reshape(3, 2), mode="sum", padding_idx=0)
print(bag, bag.weight.requires_grad, bag(torch.tensor([0, 1, 2, 2]), torch.tensor([0, 2])))
show(nn.EmbeddingBag(5, 2), torch.tensor([[0, 4], [2, 2]]))
show(nn.EmbeddingBag(5, 2, mode="max", max_norm=2.), torch.tensor([0, 4, 2, 2]), offsets=torch.tensor([0, 1]))
show(nn.EmbeddingBag(5, 2, mode="sum", include_last_offset=True), torch.tensor([0, 4]), torch.tensor([0, 1, 2]),
     numbers((2,)))

channels = numbers((2, 4, 6))
plane = numbers((2, 4, 5, 6))
volume = numbers((1, 2, 4, 3, 4))
for layer in (nn.Conv1d(4, 6, 3), nn.Conv1d(4, 6, 3, stride=2, padding=1, dilation=2, groups=2, bias=False),
              nn.Conv1d(4, 2, 4, padding="same"), nn.Conv1d(4, 2, 3, padding="valid"),
              nn.Conv1d(4, 2, 4, padding="same", padding_mode="circular", dilation=1),
              nn.Conv1d(4, 2, 3, padding=2, padding_mode="reflect"), nn.ConvTranspose1d(4, 2, 3),
              nn.ConvTranspose1d(4, 2, 3, 2, 1, 1, 2, False, 2)):
    show(layer, channels)
for layer in (nn.Conv2d(4, 3, 3), nn.Conv2d(4, 4, (2, 3), (1, 2), (1, 0), groups=4),
              nn.Conv2d(4, 2, 3, padding=1, padding_mode="replicate"), nn.Conv2d(4, 2, (2, 3), padding="same"),
              nn.Conv2d(4, 2, (2, 4), padding="same", padding_mode="circular"),
              nn.ConvTranspose2d(4, 3, 2, 2), nn.ConvTranspose2d(4, 3, 3, (2, 1), 1, (1, 0))):
    show(layer, plane)
for layer in (nn.Conv3d(2, 3, 2), nn.Conv3d(2, 2, (1, 2, 3), padding=(0, 1, 2), padding_mode="circular"),
              nn.ConvTranspose3d(2, 1, 2, 2)):
    show(layer, volume)
show(nn.Conv2d(4, 3, 3), plane[0])
show(nn.ConvTranspose2d(4, 3, 3, 2), plane, output_size=[12, 14])
show(nn.ConvTranspose1d(4, 3, 3, 2), channels[0], output_size=(3, 14))
print(nn.Conv2d(4, 2, (2, 4), padding="same")._reversed_padding_repeated_twice,
      list(nn.Conv2d(4, 2, 3, padding=(1, 2))._reversed_padding_repeated_twice))
complains(lambda: nn.Conv2d(3, 4, 2, groups=2))
complains(lambda: nn.Conv2d(4, 3, 2, groups=2))
complains(lambda: nn.Conv2d(4, 3, 2, groups=0))
complains(lambda: nn.Conv2d(4, 3, 2, padding="sme"))
complains(lambda: nn.Conv2d(4, 3, 2, stride=2, padding="same"))
complains(lambda: nn.Conv2d(4, 3, 2, padding_mode="constant"))
complains(lambda: nn.ConvTranspose2d(4, 3, 2, padding_mode="circular"))
complains(lambda: nn.ConvTranspose2d(4, 3, 3, 2)(plane, output_size=[20, 14]))
complains(lambda: nn.ConvTranspose2d(4, 3, 3, 2)(plane, output_size=[20, 14, 3]))
asserts(lambda: nn.Hardtanh(1., -1.))
asserts(lambda: nn.Embedding(5, 2, padding_idx=5))
asserts(lambda: nn.EmbeddingBag(5, 2, padding_idx=-6))
asserts(lambda: nn.Embedding(5, 2, _weight=torch.ones(3, 2)))
asserts(lambda: nn.Embedding.from_pretrained(torch.ones(3)))
