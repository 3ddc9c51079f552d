"""What modules refuse, and rare states of theirs; what PyTorch says too is in tests/parity/printed_programs."""

import copy
import gc
import pickle
from collections import namedtuple

import pytest

import minigrad as torch
from minigrad import nn
from minigrad.nn import functional as F
from minigrad.nn import utils
from minigrad.nn.utils import parametrize, prune
from tests.checking import refuses


def linear(value=0.5):
    made = nn.Linear(2, 2)
    nn.init.constant_(made.weight, value)
    return made


def not_a_leaf():
    parameter = nn.Parameter(torch.ones(2), requires_grad=False)
    parameter.mul_(torch.ones(2, requires_grad=True))
    return parameter


class Structured(prune.BasePruningMethod):
    PRUNING_TYPE = "structured"

    def __init__(self, dim=None):
        if dim is not None:
            self.dim = dim

    def compute_mask(self, t, default_mask):
        return default_mask


class Twice(nn.Module):
    def forward(self, x):
        return 2 * x


class OfTwo(nn.Module):
    def __init__(self, second=None):
        super().__init__()
        self.second = second

    def forward(self, x, y):
        return x + y

    def right_inverse(self, x):
        return [x, x - x if self.second is None else self.second]


class WithoutInverse(Twice):
    def right_inverse(self, x):
        raise NotImplementedError


x = torch.ones(3, 1, 2)


def heads(key_padding_mask=None, need_weights=True, **options):
    return F.multi_head_attention_forward(x, x, x, 2, 1, torch.ones(6, 2), None, options.pop("bias_k", None),
                                          options.pop("bias_v", None), False, 0., torch.ones(2, 2), None,
                                          key_padding_mask=key_padding_mask, need_weights=need_weights, **options)


REFUSED = {
    "a kernel of a number": (lambda: nn.grad.conv1d_input([1, 1, 3], 3, torch.ones(1, 1, 2)), TypeError, "weight"),
    "an input of a number": (lambda: nn.grad.conv1d_weight(3, [1, 1, 2], torch.ones(1, 1, 2)), TypeError, "input"),
    "dims of classes": (lambda: nn.AdaptiveLogSoftmaxWithLoss(2, 4, [1])(torch.ones(2, 2, 2), torch.tensor([0, 0])),
                        RuntimeError, "1D target tensor expects 2D input tensors"),
    "a number among modules": (lambda: nn.Sequential(nn.ReLU()).insert(0, 3), TypeError, "module should be of type"),
    "a number in a list": (lambda: nn.ModuleList().insert(0, 3), TypeError, "int is not a Module subclass"),
    "weights of classes": (lambda: nn.LinearCrossEntropyLoss(2, 3, weight=torch.ones(2)), RuntimeError,
                           r"expected weight shape to be \(3,\), got \(2,\)"),
    "a parameter with a history": (lambda: linear().register_parameter("p", not_a_leaf()), ValueError,
                                   "Cannot assign non-leaf Tensor to parameter 'p'"),
    "no extra state": (lambda: linear().get_extra_state(), RuntimeError, "this module has no extra state"),
    "an extra state": (lambda: linear().set_extra_state(3), RuntimeError, "this module has no extra state"),
    "a bias of keys": (lambda: heads(static_k=torch.ones(1, 4, 2), bias_k=torch.ones(1, 1, 2),
                                     bias_v=torch.ones(1, 1, 2)), ValueError, "bias cannot be added to static key"),
    "a mask of other keys": (lambda: heads(key_padding_mask=torch.zeros(2, 3)), ValueError,
                             r"expecting key_padding_mask shape of \(1, 3\), but got \(2, 3\)"),
    "steps that are not there": (lambda: utils.rnn.pack_padded_sequence(torch.ones(2, 1, 1), [3]), RuntimeError,
                                 "Expected lengths of at most 2"),
    "no sequences": (lambda: utils.rnn.pad_sequence([]), RuntimeError, "received an empty list of sequences"),
    "a parameter of a number": (lambda: nn.Parameter(3), TypeError, "data must be a tensor, not int"),
    "a buffer of a number": (lambda: nn.Buffer(3), TypeError, "data must be a tensor, not int"),
    "one ratio": (lambda: F.fractional_max_pool2d(torch.ones(1, 4, 4), 2, output_ratio=0.5), TypeError,
                  "'output_ratio' must be tuple of floats, not float"),
    "ratios of one dim": (lambda: F.fractional_max_pool2d(torch.ones(1, 4, 4), 2, output_ratio=(0.5,)), ValueError,
                          "one for each of"),
    "an inverse with a number": (lambda: parametrize.register_parametrization(linear(), "weight", OfTwo(3)),
                                     ValueError, "Got element 1 of the sequence with type int"),
    "nothing pruned yet": (lambda: prune.Identity().apply_mask(linear()), ValueError, "has to be pruned"),
    "structures along no dim": (lambda: [Structured.apply(m, "weight") for m in [linear()] * 2], AttributeError,
                                'need to have the attribute `dim`'),
    "structures along a dim before the first": (lambda: [Structured.apply(m, "weight", -3) for m in [linear()] * 2],
                                                IndexError, "Index is out of bounds for tensor with dimensions 2"),
}


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.filterwarnings("ignore:Initializing zero-element tensors")
def test_refused(name):
    call, kind, words = REFUSED[name]
    with pytest.raises(kind, match=words):
        call()


def test_a_causal_hint_without_a_mask_is_refused_where_weights_are_wanted():
    with pytest.raises(RuntimeError, match="is_causal"):
        heads(is_causal=True)


@pytest.mark.filterwarnings("ignore")
def test_a_hook_of_the_older_kind_for_all_modules():
    heard = []
    handle = nn.modules.module.register_module_backward_hook(lambda m, gi, go: heard.append((type(m).__name__, gi)))
    try:
        nn.ReLU()(torch.ones(1, requires_grad=True)).backward()
    finally:
        handle.remove()
    (name, (gradient,)), = heard
    assert name == "ReLU" and gradient.tolist() == [1.]


def test_a_lazy_module_that_was_loaded_begins_at_once():
    lazy = nn.LazyConv2d(2, 1)
    lazy.load_state_dict(nn.Conv2d(3, 2, 1).state_dict())
    assert lazy(torch.ones(1, 3, 2, 2)).shape == (1, 2, 2, 2) and type(lazy) is nn.Conv2d


def test_what_a_module_does_not_miss_is_not_missing():
    """A module may read its state less strictly than the call asks for."""
    class Lenient(nn.Linear):
        def _load_from_state_dict(self, state, prefix, local, strict, *lists):
            super()._load_from_state_dict(state, prefix, local, False, *lists)

    m = Lenient(1, 1)
    m.load_state_dict({"weight": torch.ones(1, 1), "other": torch.ones(1)})
    assert m.weight.item() == 1


def test_a_lazy_state_is_loaded_into_a_lazy_module():
    lazy = nn.LazyLinear(1)
    lazy.load_state_dict(nn.LazyLinear(1).state_dict())
    assert nn.parameter.is_lazy(lazy.weight) and lazy(torch.ones(1, 3)).shape == (1, 1)


def test_old_averages_are_refused_where_none_are_kept():
    """A state without a version was saved when every such module kept averages."""
    still = nn.InstanceNorm1d(1)
    with refuses(RuntimeError, "running_mean", "MG703"):
        still.load_state_dict({"running_mean": torch.ones(1)})
    still.load_state_dict({})
    still.load_state_dict(still.state_dict())


def test_a_pretended_accelerator_moves_modules_and_packed_sequences():
    with torch.cuda.pretend():
        assert linear().cuda().weight.device.type == "cuda"
        packed = utils.rnn.pack_sequence([torch.ones(2)])
        assert packed.cuda().data.is_cuda
    with refuses(RuntimeError, "pin_memory() prepares a tensor to be copied to one", "MG404"):
        packed.pin_memory()


def test_a_parametrization_without_an_inverse_follows_another():
    m = linear()
    parametrize.register_parametrization(m, "weight", Twice())
    parametrize.register_parametrization(m, "weight", WithoutInverse())
    assert m.weight.tolist() == [[2., 2.], [2., 2.]]


def test_an_inverse_with_a_number_is_refused_before_anything_is_assigned():
    inverse = OfTwo()
    m = parametrize.register_parametrization(linear(), "weight", inverse)
    inverse.second = 3
    with refuses(ValueError, "Got int at position 1", "MG207"):
        m.weight = torch.ones(2, 2)
    assert m.weight.tolist() == [[0.5, 0.5]] * 2


@pytest.mark.parametrize("make", [lambda: nn.Parameter(torch.ones(2)),
                                  lambda: utils.parametrizations.weight_norm(linear())])
def test_what_is_copied_twice_with_one_memo_stays_one(make):
    """So a weight that has two names stays tied where a module copies its members itself."""
    original, memo = make(), {}
    assert original.__deepcopy__(memo) is original.__deepcopy__(memo) is not original


def test_a_class_that_copies_itself_goes_on_to_do_so():
    class Own(nn.Linear):
        def __deepcopy__(self, memo):
            return "a copy"

    m = Own(2, 2)
    parametrize.register_parametrization(m, "weight", Twice())
    assert copy.deepcopy(m) == "a copy"


def test_a_pruned_tensor_that_was_deleted_is_made_anew():
    m = prune.l1_unstructured(linear(), "weight", 1)
    del m.weight
    prune.remove(m, "weight")
    assert m.weight.sum() == 1.5


def test_the_norm_of_one_of_two_tensors_is_taken_away():
    m = linear()
    nn.init.constant_(m.bias, 0.5)
    m = utils.spectral_norm(utils.spectral_norm(m), "bias")
    m(torch.ones(1, 2))
    assert torch.allclose(m.bias, torch.tensor([0.5, 0.5]) * 2 ** 0.5)
    utils.remove_spectral_norm(m, "weight")
    assert {*m.state_dict()} == {"weight", "bias_orig", "bias_u", "bias_v"}
    assert m.state_dict()._metadata[""]["spectral_norm"] == {"bias.version": 1}


def test_the_older_name_of_functional_call_warns():
    with pytest.warns(FutureWarning, match="torch.func.functional_call"):
        called = utils.stateless.functional_call(linear(), {"weight": torch.ones(2, 2), "bias": torch.ones(2)},
                                                 torch.ones(2))
    assert called.tolist() == [3., 3.]


def test_pooling_to_no_elements(torch):
    x = torch.ones(2, 3, 4, 6)
    functional = torch.nn.functional
    assert functional.adaptive_avg_pool1d(x[0], 0).shape == (3, 4, 0)
    assert functional.adaptive_avg_pool2d(x, (0, 2)).shape == (2, 3, 0, 2)
    assert functional.adaptive_max_pool2d(x, (2, 0)).shape == (2, 3, 2, 0)
    assert functional.adaptive_avg_pool3d(x, (0, 0, 1)).shape == (2, 0, 0, 1)


def test_weights_of_four_dims_take_a_memory_format(torch):
    m = torch.nn.Sequential(torch.nn.Conv2d(3, 4, 3), torch.nn.Linear(3, 3))
    m(torch.ones(1, 3, 5, 5)).sum().backward()
    assert m.to(torch.float64, memory_format=torch.channels_last) is m
    assert m[0].weight.stride() == m[0].weight.grad.stride() == (27, 1, 9, 3) and m[1].weight.stride() == (3, 1)
    assert {p.dtype for p in m.parameters()} == {torch.float64}
    assert torch.nn.Conv3d(2, 3, 2).to(memory_format=torch.channels_last_3d).weight.stride() == (16, 1, 8, 4, 2)
    with pytest.raises(RuntimeError, match="required rank 4 tensor to use channels_last format"):
        torch.nn.Conv3d(2, 3, 2).to(memory_format=torch.channels_last)
    with pytest.raises(TypeError):
        m.to(memory_format=3)


def test_batches_counted_so_far_stay_counted_if_the_state_does_not_say(torch):
    layer = torch.nn.BatchNorm2d(3)
    layer.num_batches_tracked.fill_(10)
    layer.load_state_dict({}, strict=False)
    assert layer.num_batches_tracked.item() == 10
    with torch.device("meta"):
        layer = torch.nn.BatchNorm2d(3)
    layer.load_state_dict({}, strict=False, assign=True)
    assert layer.num_batches_tracked.item() == 0


def test_modules_with_a_spectral_norm_can_be_pickled(torch):
    m = torch.nn.utils.spectral_norm(torch.nn.Linear(2, 2))
    again = pickle.loads(pickle.dumps(m))
    assert torch.equal(again.eval()(torch.ones(2)), m.eval()(torch.ones(2)))
    assert again.state_dict()._metadata[""]["spectral_norm"] == {"weight.version": 1}
    torch.nn.utils.remove_spectral_norm(again)
    assert {*again.state_dict()} == {"weight", "bias"} and "spectral_norm" not in again.state_dict()._metadata[""]


def test_loading_leaves_nothing_to_the_garbage_collector(torch):
    m = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Linear(2, 2))
    state = copy.deepcopy(m.state_dict())
    while gc.collect():             # what other tests left behind, with finalizers that leave more
        pass
    gc.disable()
    try:
        m.load_state_dict(state)
        assert gc.collect() == 0
    finally:
        gc.enable()


# ------------------------------------------------------------------------------ hooks

Pair = namedtuple("Pair", ["y", "z"])


class Two(nn.Module):
    def forward(self, x):
        return Pair(x * 2, x * 3)


class Largest(nn.Module):
    def forward(self, x):
        return (x * torch.ones(2, 2)).max(0)


@pytest.mark.parametrize("module, name", [(Two, "y"), (Largest, "values")])
@pytest.mark.parametrize("register", ["register_full_backward_hook", "register_full_backward_pre_hook"])
def test_named_results_pass_a_full_backward_hook(module, name, register):
    made, seen = module(), []
    getattr(made, register)(lambda module, *gradients: seen.append(gradients))
    result = made(torch.ones(1, requires_grad=True))
    assert type(result) is type(module()(torch.ones(1)))
    getattr(result, name).sum().backward()
    assert len(seen) == 1


@pytest.mark.parametrize("again", [copy.deepcopy, lambda module: pickle.loads(pickle.dumps(module))])
def test_a_hook_of_loading_follows_its_module(again):
    module = linear()
    module.register_load_state_dict_pre_hook(print)
    other = again(module)
    hook, = other._load_state_dict_pre_hooks.values()
    assert hook.module() is other and hook.hook is print


@pytest.mark.parametrize("name,gates", [("rnn_tanh_cell", 1), ("rnn_relu_cell", 1), ("gru_cell", 3), ("lstm_cell", 4)])
@pytest.mark.parametrize("weight", ["weight_ih", "weight_hh"])
def test_the_rows_of_the_weights_of_a_cell(torch, name, gates, weight):
    x, h = torch.zeros(3, 2), torch.zeros(3, 5)
    w_ih, w_hh = torch.zeros(gates * 5, 2), torch.zeros(gates * 5, 5)
    cell, state = getattr(torch, name), (h, h) if gates == 4 else h
    cell(x, state, w_ih, w_hh)
    more = [torch.cat([w, w[:1]]) if weight == named else w for w, named in ((w_ih, "weight_ih"), (w_hh, "weight_hh"))]
    with pytest.raises(RuntimeError, match=rf"{weight} first dim must be {gates} \* hidden_size = {gates * 5}, but"):
        cell(x, state, *more)


@pytest.mark.parametrize("dtype", ["float64", "float32", "bfloat16"])
@pytest.mark.parametrize("training", [True, False])
def test_instance_norm_has_statistics_of_any_dtype(torch, dtype, training):
    x = torch.arange(8.).reshape(2, 2, 2).to(getattr(torch, dtype))
    for of_statistics in (torch.float32, torch.float64):
        layer = torch.nn.InstanceNorm1d(2, track_running_stats=True, dtype=of_statistics).train(training)
        expected = torch.nn.InstanceNorm1d(2, track_running_stats=True, dtype=x.dtype).train(training)
        assert layer(x).dtype is x.dtype and torch.equal(layer(x), expected(x))
        assert layer.running_mean.dtype is of_statistics
        layer.reset_running_stats()
        layer(x)
        torch.testing.assert_close(layer.running_mean.float(), torch.tensor([0.25, 0.45]) * training, atol=2e-3, rtol=0)


@pytest.mark.parametrize("given", [((), {"copy": True}), (("cpu", torch.float64, False, True), {})])
def test_a_module_is_not_copied_by_to(given):
    args, kwargs = given
    with refuses(RuntimeError, ".to() does not accept copy argument", "MG204"):
        linear().to(*args, **kwargs)


def test_a_buffer_does_not_take_the_place_of_another_attribute(torch):
    m = torch.nn.Module()
    m.a, m.b = 5, torch.nn.Buffer(torch.ones(1))
    with pytest.raises(KeyError, match="attribute 'a' already exists"):
        m.a = torch.nn.Buffer(torch.ones(1))
    m.b = torch.nn.Buffer(torch.zeros(1), persistent=False)
    assert m.a == 5 and m.b.item() == 0 and not m.state_dict()


def test_register_buffer_may_be_defined_without_its_last_parameter(torch):
    class Old(torch.nn.Module):
        def register_buffer(self, name, tensor):
            super().register_buffer(name, tensor)

    m = Old()
    m.a = torch.nn.Buffer(torch.ones(1))
    assert [name for name, _ in m.named_buffers()] == ["a"]
    with pytest.raises((RuntimeError, TypeError), match="Registering a non-persistent buffer on a Module subclass"):
        m.b = torch.nn.Buffer(torch.ones(1), persistent=False)
