"""With the same seed every layer begins with the same numbers, and nn.init draws the same."""
import torch
from torch import nn


def show(*tensors):
    for x in tensors:
        x = x.detach().double().flatten()
        print(tuple(x.shape), [round(number, 6) for number in x[:5].tolist()], round(x.sum().item(), 4))


torch.manual_seed(3)
for layer in (nn.Linear(7, 5), nn.Linear(30, 40, dtype=torch.float64), nn.Bilinear(3, 4, 5), nn.Embedding(6, 5, 2),
              nn.EmbeddingBag(3, 2), nn.Conv1d(3, 4, 5), nn.Conv2d(4, 6, 3, groups=2), nn.Conv3d(1, 2, 2, bias=False),
              nn.ConvTranspose1d(3, 4, 2), nn.ConvTranspose2d(2, 3, (2, 3)), nn.ConvTranspose3d(2, 2, 1), nn.PReLU(3),
              nn.BatchNorm1d(3), nn.LayerNorm(3), nn.GroupNorm(1, 3), nn.RMSNorm(3)):
    show(*layer.parameters())
layer = nn.LazyConv2d(3, 2)
layer(torch.ones(1, 2, 4, 4))
show(*layer.parameters())
layer.reset_parameters()
show(*layer.parameters())

init = nn.init
g = torch.Generator().manual_seed(5)
for shape in ((4, 6), (6, 4), (5, 2, 3), (20, 30)):
    show(init.uniform_(torch.empty(shape), -1, 2), init.uniform_(torch.empty(shape), generator=g))
    show(init.normal_(torch.empty(shape), 1, 2), init.normal_(torch.empty(shape), generator=g))
    show(init.trunc_normal_(torch.empty(shape)), init.trunc_normal_(torch.empty(shape), 1., 3., 0., 1.5, generator=g))
    show(init.trunc_normal_(torch.empty(shape, dtype=torch.float64), 4., 1., 0.5, 1.))
    show(init.xavier_uniform_(torch.empty(shape), 2.), init.xavier_normal_(torch.empty(shape), generator=g))
    show(init.kaiming_uniform_(torch.empty(shape), mode="fan_out", nonlinearity="relu"))
    show(init.kaiming_normal_(torch.empty(shape), 0.3), init.kaiming_normal_(torch.empty(shape), generator=g))
    show(init.orthogonal_(torch.empty(shape)), init.orthogonal_(torch.empty(shape), 2, generator=g))
    show(init.constant_(torch.empty(shape), 3), init.ones_(torch.empty(shape)), init.zeros_(torch.empty(shape)))
    if len(shape) == 2:
        show(init.sparse_(torch.empty(shape), 0.4), init.sparse_(torch.empty(shape), 0.4, 1., generator=g))
        show(init.eye_(torch.empty(shape)))
    print(init._calculate_fan_in_and_fan_out(torch.empty(shape)))
for shape, groups in (((4, 2, 3), 1), ((4, 2, 3), 2), ((2, 3, 2, 3), 1), ((2, 1, 1, 2, 3), 2)):
    show(init.dirac_(torch.empty(shape), groups))
    print(init.dirac_(torch.empty(shape), groups).nonzero().tolist())
for old in ("uniform", "normal", "xavier_uniform", "xavier_normal", "kaiming_uniform", "kaiming_normal", "orthogonal"):
    show(getattr(init, old)(torch.empty(3, 4)))
show(init.constant(torch.empty(3), 2.), init.eye(torch.empty(2, 2)), init.sparse(torch.empty(4, 2), 0.5),
     init.dirac(torch.empty(2, 2, 2)))
for name, param in (("linear", None), ("conv_transpose3d", None), ("sigmoid", None), ("tanh", None), ("relu", None),
                    ("leaky_relu", None), ("leaky_relu", 0.2), ("leaky_relu", 1), ("selu", None)):
    print(name, init.calculate_gain(name, param))
w = nn.Parameter(torch.empty(3, 4, requires_grad=True))
print(init.kaiming_uniform_(w) is w, w.requires_grad, w.grad_fn, w.is_leaf, init.zeros_(w) is w, init.eye_(w) is w)
print(init.kaiming_normal_(torch.empty(0, 3)).shape, init.orthogonal_(torch.empty(0, 3)).shape,
      init.xavier_normal_(torch.empty(2, 0)).shape)
for wrong in (lambda: init.calculate_gain("gelu"), lambda: init.calculate_gain("leaky_relu", True),
              lambda: init.calculate_gain("leaky_relu", "x"), lambda: init.xavier_normal_(torch.empty(3)),
              lambda: init.kaiming_normal_(torch.empty(3, 3), mode="fan"), lambda: init.eye_(torch.empty(3)),
              lambda: init.sparse_(torch.empty(3), 0.1), lambda: init.dirac_(torch.empty(3, 3)),
              lambda: init.dirac_(torch.empty(3, 3, 3), 2), lambda: init.orthogonal_(torch.empty(3)),
              lambda: init.uniform_(torch.empty(3), 2, 1)):
    try:
        wrong()
    except (ValueError, RuntimeError) as error:
        print(isinstance(error, ValueError), str(error).partition(" [")[0][:29])

torch.manual_seed(0)
net = nn.Sequential(nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.ReLU(), nn.Dropout2d(0.3), nn.Flatten(), nn.Dropout(),
                    nn.Linear(8, 4), nn.RReLU(), nn.AlphaDropout(), nn.Linear(4, 2))
show(net(torch.randn(3, 1, 4, 4)), torch.rand(2), *net.parameters())
