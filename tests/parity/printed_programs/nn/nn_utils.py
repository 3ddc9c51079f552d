"""What torch.nn.utils does with gradients and with weights that are computed."""

import copy
import warnings

import torch
from torch import nn
from torch.nn.utils import parametrizations, parametrize

warnings.simplefilter("ignore")


class Symmetric(nn.Module):
    def forward(self, x):
        return x.triu() + x.triu(1).T


class Smaller(nn.Module):
    def forward(self, x):
        return x[0]


class Doubled(nn.Module):
    def forward(self, x):
        return 2 * x

    def right_inverse(self, x):
        return x / 2


def filled(layer):
    with torch.no_grad():
        for i, p in enumerate(layer.parameters()):
            p.copy_(torch.linspace(-1, 1 + i, p.numel()).view_as(p) ** 3 + 0.1)
    return layer


def said(call):
    try:
        print(call())
    except Exception as wrong:
        print(next(c.__name__ for c in type(wrong).__mro__ if c.__module__ == "builtins"), wrong)


print("--- gradients")
net = filled(nn.Sequential(nn.Linear(3, 2), nn.Linear(2, 1)))
for kind in (2, 1, float("inf"), 0.5):
    net.zero_grad()
    net(torch.arange(6.).reshape(2, 3)).pow(2).sum().backward()
    print(kind, nn.utils.clip_grad_norm_(net.parameters(), 2., norm_type=kind))
    print([p.grad.tolist() for p in net.parameters()])
nn.utils.clip_grad_value_(net.parameters(), 0.3)
print([p.grad.tolist() for p in net.parameters()])
print(nn.utils.get_total_norm([p.grad for p in net.parameters()]), nn.utils.clip_grad_norm_([], 1.))
net[0].bias.grad[0] = float("inf")
try:
    nn.utils.clip_grad_norm_(net.parameters(), 1., error_if_nonfinite=True)
except RuntimeError as wrong:
    print(str(wrong).partition(".")[0])
print(nn.utils.clip_grad_norm_(net.parameters(), 1.))

print("--- vectors")
vector = nn.utils.parameters_to_vector(net.parameters())
print(vector)
nn.utils.vector_to_parameters(vector.detach() * 2, net.parameters())
print([p.tolist() for p in net.parameters()])
said(lambda: nn.utils.vector_to_parameters(3, net.parameters()))

print("--- parametrizations")
layer = filled(nn.Linear(3, 3))
parametrize.register_parametrization(layer, "weight", Symmetric())
print(layer, type(layer).__name__, list(layer.state_dict()))
print(layer.weight)
layer(torch.ones(3)).sum().backward()
print(layer.parametrizations.weight.original.grad)
parametrize.register_parametrization(layer, "weight", Doubled())
print(layer.weight, parametrize.is_parametrized(layer, "weight"), parametrize.is_parametrized(layer, "bias"))
print(parametrize.type_before_parametrizations(layer).__name__)
print(torch.equal(copy.deepcopy(layer).weight, layer.weight))
with parametrize.cached():
    print(layer.weight is layer.weight)
print(layer.weight is layer.weight)
said(lambda: setattr(layer, "weight", torch.ones(3, 3)))
said(lambda: parametrize.register_parametrization(layer, "weight", Smaller()))
said(lambda: parametrize.register_parametrization(layer, "bias", Smaller()))
said(lambda: parametrize.register_parametrization(layer, "other", Smaller()))
said(lambda: parametrize.remove_parametrizations(layer, "bias"))
parametrize.remove_parametrizations(layer, "weight")
print(layer, type(layer).__name__, layer.weight)
parametrize.register_parametrization(layer, "bias", Doubled())
layer.bias = torch.tensor([2., 4., 6.])
print(layer.bias, layer.parametrizations.bias.original)
parametrize.remove_parametrizations(layer, "bias", leave_parametrized=False)
print(layer.bias)

print("--- weight norm")
layer = parametrizations.weight_norm(filled(nn.Linear(3, 2)))
layer(torch.ones(3)).sum().backward()
print(layer.weight.detach(), {name: p.grad.tolist() for name, p in layer.named_parameters()})
older = nn.utils.weight_norm(filled(nn.Linear(3, 2)))
print(list(older.state_dict()), older.weight.detach())
layer.load_state_dict(older.state_dict())
said(lambda: nn.utils.weight_norm(older))
nn.utils.remove_weight_norm(older)
print(older.weight, list(older.state_dict()))
said(lambda: nn.utils.remove_weight_norm(older))
parametrize.remove_parametrizations(layer, "weight")
print(layer.weight)
print(parametrizations.weight_norm(filled(nn.Conv1d(2, 2, 2)), dim=None).parametrizations.weight.original0)

print("--- spectral norm")
layer = parametrizations.spectral_norm(filled(nn.Linear(3, 2)), n_power_iterations=60)
print(list(layer.state_dict()), layer.weight)
older = nn.utils.spectral_norm(filled(nn.Conv1d(2, 3, 2)), n_power_iterations=60)
older(torch.ones(2, 4)).sum().backward()
print(list(older.state_dict()), older.weight, older.weight_orig.grad)
print(dict(older.state_dict()._metadata))
nn.utils.remove_spectral_norm(older)
print(older.weight)
said(lambda: parametrizations.spectral_norm(nn.Linear(2, 2), n_power_iterations=0))
said(lambda: parametrizations.spectral_norm(nn.Linear(2, 2), "other"))

print("--- orthogonal")
for way in ("matrix_exp", "cayley", "householder"):
    for sizes in ((3, 3), (2, 4), (4, 2)):
        layer = filled(nn.Linear(*sizes)).double()
        parametrizations.orthogonal(layer, orthogonal_map=way, use_trivialization=way != "householder")
        w = layer.weight if sizes[0] <= sizes[1] else layer.weight.T
        print(way, sizes, torch.allclose(w.T @ w, torch.eye(w.shape[1], dtype=torch.float64)))
said(lambda: parametrizations.orthogonal(nn.Linear(2, 2), "bias"))
said(lambda: parametrizations.orthogonal(nn.Linear(2, 2), orthogonal_map="other"))

print("--- fusion")
conv, linear = filled(nn.Conv1d(2, 3, 2)).eval(), filled(nn.Linear(3, 3, bias=False)).eval()
norm = filled(nn.BatchNorm1d(3))
norm(torch.arange(12.).reshape(4, 3))
try:
    nn.utils.fuse_conv_bn_eval(conv, norm)
except AssertionError as wrong:
    print(str(wrong)[:21])
norm.eval()
print(nn.utils.fuse_conv_bn_eval(conv, norm).weight, nn.utils.fuse_conv_bn_eval(conv, norm).bias)
print(nn.utils.fuse_linear_bn_eval(linear, norm).weight, nn.utils.fuse_linear_bn_eval(linear, norm).bias)
print(nn.utils.skip_init(nn.Linear, 2, 3).weight.shape)
