"""Layers: what holds for every one of them, and what they do in modes that PyTorch's own tests of values do not reach.

How each prints, what it keeps and what it computes is compared with PyTorch in
tests/parity/printed_programs/nn/layers_*.py.
"""

import copy
import inspect
import pickle
import types
import typing
from collections.abc import Callable
from pathlib import Path

import pytest

import minigrad as torch
from minigrad import nn
from minigrad.nn import modules

#: arguments with which a layer can be made -> the names of such layers; the rest is made without any
MADE_WITH = {
    (2,): ["LazyLinear", "AdaptiveAvgPool1d", "AdaptiveAvgPool2d", "AdaptiveAvgPool3d", "AdaptiveMaxPool1d",
           "AdaptiveMaxPool2d", "AdaptiveMaxPool3d", "AvgPool1d", "AvgPool2d", "AvgPool3d", "MaxPool1d", "MaxPool2d",
           "MaxPool3d", "MaxUnpool1d", "MaxUnpool2d", "MaxUnpool3d", "BatchNorm1d", "BatchNorm2d", "BatchNorm3d",
           "SyncBatchNorm", "InstanceNorm1d", "InstanceNorm2d", "InstanceNorm3d", "LayerNorm", "RMSNorm",
           "LocalResponseNorm", "CrossMapLRN2d", "ZeroPad1d", "ZeroPad2d", "ZeroPad3d", "ReflectionPad1d",
           "ReflectionPad2d", "ReflectionPad3d", "ReplicationPad1d", "ReplicationPad2d", "ReplicationPad3d",
           "CircularPad1d", "CircularPad2d", "CircularPad3d", "PixelShuffle", "PixelUnshuffle", "ChannelShuffle",
           "Unfold"],
    (4, 2): ["Linear", "LazyConv1d", "LazyConv2d", "LazyConv3d", "LazyConvTranspose1d", "LazyConvTranspose2d",
             "LazyConvTranspose3d", "Embedding", "EmbeddingBag", "FractionalMaxPool2d", "FractionalMaxPool3d",
             "LPPool1d", "LPPool2d", "LPPool3d", "ConstantPad1d", "ConstantPad2d", "ConstantPad3d", "Fold",
             "Threshold"],
    (2, 4): ["GroupNorm"],
    (4, 2, 3): ["Conv1d", "Conv2d", "Conv3d", "ConvTranspose1d", "ConvTranspose2d", "ConvTranspose3d", "Bilinear"],
    (1, (2, 2)): ["Unflatten"],
}
ARGUMENTS = {name: arguments for arguments, names in MADE_WITH.items() for name in names}
FAMILIES = (modules.activation, modules.batchnorm, modules.conv, modules.distance, modules.dropout, modules.flatten,
            modules.fold, modules.linear, modules.normalization, modules.padding, modules.pooling, modules.shuffling,
            modules.sparse, modules.upsampling)
LAYERS = sorted(name for family in FAMILIES for name in family.__all__)


def made(name, **options):
    return getattr(nn, name)(*ARGUMENTS.get(name, ()), **options)


@pytest.mark.parametrize("name", LAYERS)
def test_a_layer_is_a_module_with_an_example_and_survives_copies(name):
    layer, kind = made(name), getattr(nn, name)
    assert isinstance(layer, nn.Module) and ">>> " in kind.__doc__ and f"torch.nn.{name}" in kind.__doc__
    for twin in (copy.deepcopy(layer), copy.copy(layer), pickle.loads(pickle.dumps(layer))):
        assert type(twin) is kind and repr(twin) == repr(layer) and list(twin.state_dict()) == list(layer.state_dict())


#: layers with parts, recurrent ones and losses: the arguments with which they can be made
OTHERS = {"MultiheadAttention": (4, 2), "TransformerEncoderLayer": (4, 2, 8), "TransformerDecoderLayer": (4, 2, 8),
          "Transformer": (4, 2, 1, 1, 8), "AdaptiveLogSoftmaxWithLoss": (4, 10, [3]),
          "LinearCrossEntropyLoss": (3, 5), **dict.fromkeys(["RNN", "GRU", "LSTM", "RNNCell", "GRUCell", "LSTMCell"],
                                                            (3, 4)),
          **{name: () for name in modules.loss.__all__ if name != "LinearCrossEntropyLoss"}}
OPTIONAL = ("bias", "affine", "elementwise_affine", "track_running_stats")


def fits(value, declared):
    """Is the value of the type? The items of a tuple are those that it holds, and an int is good for a float."""
    if isinstance(declared, types.UnionType):
        return any(fits(value, each) for each in declared.__args__)
    kind = getattr(declared, "__origin__", declared)
    if kind is tuple:
        return isinstance(value, tuple) and all(fits(each, declared.__args__[0]) for each in value)
    return callable(value) if kind is Callable else isinstance(value, (int, float) if kind is float else kind)


@pytest.mark.parametrize("name", [*LAYERS, *OTHERS])
@pytest.mark.filterwarnings("ignore:.*NLLLoss2d. has been deprecated")
def test_editors_are_told_what_a_layer_has(name):
    """Its class declares each parameter, buffer, part and option, with a type that the value is of."""
    kind = getattr(nn, name)
    arguments = OTHERS.get(name, ARGUMENTS.get(name, ()))
    without = [{option: False} for option in OPTIONAL if option in inspect.signature(kind).parameters]
    declared = typing.get_type_hints(kind)
    for options in ({}, *without):
        layer = kind(*arguments, **options)
        has = {**vars(layer), **layer._parameters, **layer._buffers, **layer._modules}
        wrong = {key: value for key, value in has.items()
                 if key[0] != "_" and (key not in declared or not fits(value, declared[key]))}
        assert not wrong, declared


@pytest.mark.parametrize("name", LAYERS)
def test_a_subclass_may_override_init_and_forward(name):
    kind = getattr(nn, name)

    class Mine(kind):
        def __init__(self, *args):
            super().__init__(*args)
            self.calls = 0

        def forward(self, *args):
            self.calls += 1
            return "mine"

    mine = Mine(*ARGUMENTS.get(name, ()))
    assert mine.forward() == "mine" and mine.calls == 1 and repr(mine).startswith("Mine(")


@pytest.mark.parametrize("name", LAYERS)
def test_layers_with_tensors_take_a_device_and_a_dtype(name):
    if "dtype" not in inspect.signature(getattr(nn, name)).parameters and "Lazy" not in name:
        assert not list(made(name).parameters())
        return
    for x in made(name, dtype=torch.float64, device="cpu").state_dict().values():
        assert x.dtype in (torch.float64, torch.int64)
    for x in made(name, device="meta").state_dict().values():
        assert x.device.type == "meta"


@pytest.mark.parametrize("name", LAYERS)
def test_unknown_options_are_refused(name):
    if name != "Identity":
        with pytest.raises(TypeError):
            made(name, no_such_option=1)


def test_every_layer_is_public_under_its_name():
    assert all(getattr(nn, name) is getattr(modules, name) and name in dir(nn) for name in LAYERS)
    assert torch.nn.modules.instancenorm.InstanceNorm1d is nn.InstanceNorm1d
    assert torch.nn.modules.pixelshuffle.PixelShuffle is nn.PixelShuffle


def test_every_layer_is_in_the_reference():
    page = (Path(__file__).resolve().parents[2] / "docs" / "reference" / "nn.rst").read_text(encoding="utf-8")
    assert not [name for name in LAYERS if f".. autoclass:: {name}\n" not in page]
    assert not [name for name in nn.init.__all__ if name[-1] == "_" and f".. autofunction:: {name}\n" not in page]


# ------------------------------------------------------------------------------ initial numbers

def test_weights_are_drawn_in_order_and_again_by_reset_parameters():
    torch.manual_seed(0)
    layer = nn.Linear(3, 4)
    first = [x.clone() for x in layer.parameters()]
    torch.manual_seed(0)
    bound = 3 ** -0.5
    again = [torch.empty(4, 3).uniform_(-bound, bound), torch.empty(4).uniform_(-bound, bound)]
    torch.manual_seed(0)
    layer.reset_parameters()
    for a, b, c in zip(first, again, layer.parameters()):
        assert torch.allclose(a, b) and torch.equal(a, c)


@pytest.mark.parity
@pytest.mark.parametrize("name", LAYERS)
def test_the_signature_is_pytorchs(name):
    theirs = pytest.importorskip("torch").nn
    if "Lazy" not in name:
        ours, other = (inspect.signature(getattr(module, name)).parameters for module in (nn, theirs))
        assert [(p.name, p.default, p.kind) for p in ours.values()] == [
            (p.name, p.default, p.kind) for p in other.values()]


# ------------------------------------------------------------------------------ in other modes

def test_func_maps_over_an_ensemble_of_layers():
    models = [nn.Sequential(nn.Linear(3, 4), nn.LayerNorm(4), nn.Tanh(), nn.Linear(4, 2)) for _ in range(3)]
    params, buffers = torch.func.stack_module_state(models)
    x = torch.randn(5, 3)
    out = torch.vmap(lambda p, b: torch.func.functional_call(models[0], (p, b), (x,)))(params, buffers)
    for i, model in enumerate(models):
        assert torch.allclose(out[i], model(x), atol=1e-6)


def test_gradients_of_each_example_of_a_conv_net():
    net = nn.Sequential(nn.Conv2d(1, 2, 3, padding=1), nn.GroupNorm(1, 2), nn.SiLU(), nn.AvgPool2d(2), nn.Flatten(),
                        nn.Linear(8, 1)).double()
    params = dict(net.named_parameters())
    x = torch.randn(3, 1, 4, 4, dtype=torch.float64)

    def loss(params, example):
        return torch.func.functional_call(net, params, (example[None],)).square().sum()
    grads = torch.vmap(torch.func.grad(loss), (None, 0))(params, x)
    net(x).square().sum().backward()
    for name, param in net.named_parameters():
        assert torch.allclose(grads[name].sum(0), param.grad)


def test_forward_mode_and_second_derivatives_go_through_layers():
    net = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.GELU(), nn.Linear(4, 1)).double()
    x, v = torch.randn(5, 3, dtype=torch.float64, requires_grad=True), torch.randn(5, 3, dtype=torch.float64)
    assert torch.autograd.gradcheck(net, x) and torch.autograd.gradgradcheck(net, x)
    _, tangent = torch.func.jvp(net, (x.detach(),), (v,))
    jacobian = torch.autograd.functional.jacobian(net, x.detach())
    assert torch.allclose(tangent, (jacobian * v).sum((-2, -1)))


def test_complex_layers():
    layer = nn.Linear(2, 3, dtype=torch.complex64)
    x = torch.ones(4, 2, dtype=torch.complex64)
    assert layer(x).dtype == torch.complex64 and layer.weight.abs().max() > 0


def test_running_averages_are_written_in_training_only():
    norm = nn.BatchNorm1d(2)
    x = torch.tensor([[1., 2.], [3., 6.]])
    norm(x)
    assert torch.allclose(norm.running_mean, torch.tensor([0.2, 0.4])) and norm.num_batches_tracked == 1
    assert torch.allclose(norm.running_var, torch.tensor([0.9 + 0.2, 0.9 + 0.8]))
    norm.eval()(x)
    assert norm.num_batches_tracked == 1


def test_functional_call_leaves_the_running_averages_of_the_module():
    norm = nn.BatchNorm1d(2)
    given = {"running_mean": torch.zeros(2), "running_var": torch.ones(2), "num_batches_tracked": torch.tensor(0)}
    torch.func.functional_call(norm, given, (torch.tensor([[1., 2.], [3., 6.]]),))
    assert norm.num_batches_tracked == 0 and given["num_batches_tracked"] == 1 and norm.running_mean.sum() == 0


# ------------------------------------------------------------------------------ lazy layers

def test_a_lazy_layer_is_the_layer_after_its_first_input_in_any_container():
    net = nn.Sequential(nn.LazyLinear(4), nn.LazyBatchNorm1d(), nn.LazyLinear(1, dtype=torch.float32))
    assert all(nn.parameter.is_lazy(p) for p in net.parameters())
    net(torch.ones(3, 2))
    assert [type(each) for each in net] == [nn.Linear, nn.BatchNorm1d, nn.Linear]
    twin = nn.Sequential(nn.LazyLinear(4), nn.LazyBatchNorm1d(), nn.LazyLinear(1))
    twin.load_state_dict(net.state_dict())
    net.eval(), twin.eval()
    assert torch.equal(twin(torch.ones(3, 2)), net(torch.ones(3, 2)))


def test_a_copy_of_a_lazy_layer_waits_for_its_own_input():
    for copied in (copy.deepcopy, lambda layer: pickle.loads(pickle.dumps(layer))):
        layer = nn.LazyLinear(2)
        twin = copied(layer)
        assert twin(torch.ones(1, 3)).shape == (1, 2) and type(twin) is nn.Linear and type(layer) is nn.LazyLinear
        assert layer(torch.ones(1, 5)).shape == (1, 2) and type(layer) is nn.Linear
        assert not layer._forward_pre_hooks and not twin._forward_pre_hooks


def test_a_lazy_layer_keeps_its_dtype():
    layer = nn.LazyConv1d(2, 1).double()
    assert layer(torch.ones(3, 4, dtype=torch.float64)).dtype == torch.float64


def test_a_lazy_layer_that_gives_no_shape_is_refused():
    class Lazy(nn.modules.lazy.LazyModuleMixin, nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = nn.UninitializedParameter()

        def initialize_parameters(self, x):
            pass

    with pytest.raises(RuntimeError, match="has not been fully initialized"):
        Lazy()(torch.ones(2))
    del Lazy.initialize_parameters
    with pytest.raises(NotImplementedError, match="initialize_parameters is not implemented"):
        Lazy()(torch.ones(2))


def test_the_data_of_a_parameter_without_a_shape_is_an_empty_tensor():
    layer = nn.LazyLinear(1)
    for parameter in (layer.weight, layer.bias):
        data = parameter.data
        assert type(data) is torch.Tensor and data.shape == (0,) and not data.requires_grad
    layer.weight.data.normal_(0, 0.01)
    layer.bias.data.zero_()
    assert layer(torch.ones(2, 3)).shape == (2, 1)


@pytest.mark.parametrize("name", ["softplus", "softshrink", "logsigmoid", "gelu", "linear"])
def test_functions_write_into_out(name):
    x, others = torch.tensor([[-1., 0.3], [2., -3.]]), [torch.eye(2)] if name == "linear" else []
    function, out = getattr(nn.functional, name), torch.empty(2, 2)
    assert function(x, *others, out=out) is out and out.equal(function(x, *others))
    with pytest.raises(RuntimeError, match="dtype|type"):
        function(x, *others, out=torch.empty(2, 2, dtype=torch.float64))
