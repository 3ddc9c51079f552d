"""What modules are made of, at the edges: members, states, hooks, parametrizations, pruned and packed tensors."""

import copy
import re
import warnings
from collections import OrderedDict

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn import utils
from torch.nn.utils import parametrize, prune

ONES = torch.ones
VAGUE = ("AssertionError", "NotImplementedError", "RuntimeError", "ValueError")


def said(*calls):
    """What each call returns, warns of, or says where it refuses: PyTorch often asserts, of which no class tells."""
    for what in calls:
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            try:
                found = what()
            except Exception as wrong:
                kind = next(c.__name__ for c in type(wrong).__mro__ if c.__module__ == "builtins")
                words = re.sub(r"^[a-z_]+: ", "", str(wrong)).partition(" [MG")[0]
                found = f"{'refused' if kind in VAGUE else kind}: {' '.join(words.split())[:40]}"
        for warning in heard:
            found = f"{found} after {warning.category.__name__}: {' '.join(str(warning.message).split())[:40]}"
        print(found)


print("--- members")
m = nn.Sequential(nn.Linear(2, 1), nn.ReLU())
m.absent = None
m.register_module("nothing", None)
m.register_buffer("later", None)
heard = [nn.modules.module.register_module_buffer_registration_hook(lambda m, name, b: print("buffer", name)),
         nn.modules.module.register_module_module_registration_hook(lambda m, name, b: print("module", name))]
m.register_buffer("b", ONES(1))
m.add_module("more", nn.Tanh())
for handle in heard:
    handle.remove()
said(lambda: m[0].register_parameter("p", nn.Parameter(ONES(1))),
     lambda: m[0].register_parameter("q", ONES(1, requires_grad=True) * 1),
     lambda: m.double()[0].weight.dtype, lambda: m.float()._apply(lambda x: x * 2, recurse=False).b,
     lambda: nn.Module.__new__(nn.Module).weight, lambda: nn.ParameterList()(1), lambda: nn.ParameterList(),
     lambda: nn.ParameterDict()(1), lambda: {"a": 3} | nn.ParameterDict({"b": ONES(1)}),
     lambda: OrderedDict(a=3) | nn.ParameterDict({"b": ONES(1)}))


class Plain:
    def __init__(self, a):
        self.a = a


class Mixed(nn.Module, Plain):
    call_super_init = True


said(lambda: Mixed(a=3).a, lambda: Mixed(3).a, lambda: nn.Module(3), lambda: nn.Module(a=3))

print("--- states")


class Extra(nn.Module):
    def __init__(self):
        super().__init__()
        self.extra = 3

    def get_extra_state(self):
        return self.extra

    def set_extra_state(self, state):
        self.extra = state


state = Extra().state_dict()
said(lambda: state, lambda: Extra().load_state_dict({"_extra_state": 5}), lambda: Extra().load_state_dict({}),
     lambda: Extra().load_state_dict({}, strict=False), lambda: nn.ReLU().load_state_dict({"_extra_state": 5}),
     lambda: nn.ReLU().load_state_dict({"_extra_state": 5}, strict=False))
m = nn.Linear(1, 1)
hook = lambda *given: None
handle = m.register_state_dict_post_hook(hook)
said(lambda: m._register_state_dict_hook(hook), lambda: m.state_dict(prefix="p.", destination={}).keys())
handle.remove()
m.register_state_dict_post_hook(lambda *given: 3)
said(lambda: m.state_dict())
m = nn.Sequential(nn.BatchNorm1d(1), nn.Linear(1, 1))
m.nothing = None
m.register_module("none", None)
m._register_state_dict_hook(lambda module, state, prefix, local: {**state, "more": ONES(1)})
said(lambda: [*m.state_dict()], lambda: m.load_state_dict(m.state_dict(), strict=False))
still = nn.BatchNorm1d(1, affine=False, track_running_stats=False)
said(lambda: still.load_state_dict({"running_mean": ONES(1)}), lambda: still.load_state_dict({}),
     lambda: nn.BatchNorm1d(1).load_state_dict({"weight": ONES(1), "bias": ONES(1), "running_mean": ONES(1),
                                                "running_var": ONES(1), "num_batches_tracked": ONES(1)}))
lazy = nn.LazyLinear(1)
said(lambda: nn.Linear(1, 1).load_state_dict(lazy.state_dict()),
     lambda: lazy.load_state_dict(nn.Linear(3, 1).state_dict()), lambda: lazy.weight.shape)


class Halved(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(1, 1)

    def _load_from_state_dict(self, state, prefix, local, strict, *lists):
        super()._load_from_state_dict(state, prefix, local, False, *lists)


said(lambda: Halved().load_state_dict({"other": ONES(1), "inner.weight": ONES(1, 1), "inner.bias": ONES(1)}))
integers = nn.Module()
integers.register_buffer("b", ONES(2, dtype=torch.int64).expand(2))
integers.register_buffer("c", ONES(1).expand(2))
said(lambda: integers.load_state_dict({"b": ONES(2), "c": ONES(2)}))

print("--- hooks")
m = nn.Linear(2, 1)
order = []
m.register_forward_hook(lambda *given: order.append("first"))
m.register_forward_hook(lambda *given: order.append("second"), prepend=True)
m.register_forward_pre_hook(lambda *given: order.append("third"))
m.register_forward_pre_hook(lambda *given: order.append("fourth"), prepend=True)
m.register_full_backward_hook(lambda *given: order.append("fifth"))
m.register_full_backward_hook(lambda *given: order.append("sixth"), prepend=True)
m.register_full_backward_pre_hook(lambda *given: order.append("seventh"))
m.register_full_backward_pre_hook(lambda *given: order.append("eighth"), prepend=True)
y = m(ONES(1, 2, requires_grad=True))
y.backward(retain_graph=True)
print(order)
everywhere = [nn.modules.module.register_module_full_backward_pre_hook(lambda m, go: print(type(m).__name__, go)),
              nn.modules.module.register_module_full_backward_hook(lambda m, gi, go: print(type(m).__name__, gi))]
said(lambda: nn.ReLU()(ONES(1, requires_grad=True)).backward())
for handle in everywhere:
    handle.remove()


def with_hook(register, hook, module, given):
    getattr(module, register)(hook)
    result = module(given)
    if result.requires_grad:
        result.sum().backward()


said(lambda: with_hook("register_full_backward_hook", lambda *given: (ONES(2),), nn.Linear(2, 1), ONES(1, 2)),
     lambda: with_hook("register_full_backward_hook", lambda *given: (None,), nn.Linear(2, 1), ONES(1, 2)),
     lambda: with_hook("register_full_backward_pre_hook", lambda *given: None, nn.Linear(2, 1), ONES(1, 2)),
     lambda: with_hook("register_backward_hook", lambda *given: print("called"), nn.ReLU(), ONES(2)),
     lambda: with_hook("register_backward_hook", lambda *given: print("called"), nn.ReLU(),
                       ONES(2, requires_grad=True) * 2))

print("--- functions")
x = ONES(3, 1, 2)


def heads(q, k, v, weight=ONES(6, 2), bias=None, heads=1, **options):
    out = ONES(2, 2)
    return F.multi_head_attention_forward(q, k, v, 2, heads, weight, bias, None, None, False, 0., out, None,
                                          **options)[0]


apart = dict(use_separate_proj_weight=True, q_proj_weight=ONES(2, 2), k_proj_weight=ONES(2, 3),
             v_proj_weight=ONES(2, 2))
said(lambda: heads(x, x, x, is_causal=True),
     lambda: heads(x, x, ONES(2, 1, 2), **{**apart, "k_proj_weight": ONES(2, 2)}), lambda: heads(x, x, x, **apart),
     lambda: nn.MultiMarginLoss(weight=ONES(3))(ONES(1, 2), torch.tensor([0])),
     lambda: nn.AdaptiveLogSoftmaxWithLoss(2, 4, [2])(ONES(3), torch.tensor([0])),
     lambda: nn.RNN(1, 1)(utils.rnn.PackedSequence(ONES(1, 1, 1), torch.tensor([1]))),
     lambda: F.fractional_max_pool2d(ONES(1, 4, 4), 2, output_ratio=(0.5, 0.5)).shape,
     lambda: nn.init.trunc_normal_(torch.empty(2, device="meta")).shape,
     lambda: nn.init.sparse_(torch.empty(2, 2, device="meta"), 0.5).shape,
     lambda: utils.rnn.pack_sequence([ONES(2)]).data.is_pinned())
lazy = nn.LazyConv2d(2, 1)
lazy(ONES(1, 3, 2, 2))
said(lambda: lazy.initialize_parameters(ONES(1, 3, 2, 2)), lambda: lazy,
     lambda: nn.LazyLinear(2).weight.share_memory_())
shared = nn.Parameter(ONES(1))
print([x is y for x, y in [copy.deepcopy((shared, shared))]])

print("--- parametrizations, pruning")


class Twice(nn.Module):
    def forward(self, x):
        return 2 * x


class Inverse(Twice):
    def right_inverse(self, x):
        raise NotImplementedError


class Wrong(Twice):
    def right_inverse(self, x):
        return 3


def linear():
    made = nn.Linear(2, 2)
    nn.init.constant_(made.weight, 0.5)
    return made


m = linear()
said(lambda: parametrize.register_parametrization(m, "weight", Inverse()), lambda: m.weight[0, 0],
     lambda: parametrize.register_parametrization(m, "weight", Wrong(), unsafe=True),
     lambda: setattr(m, "weight", ONES(2, 2)),
     lambda: parametrize.register_parametrization(linear(), "weight", Wrong()),
     lambda: parametrize.register_parametrization(linear(), "weight", Twice(), unsafe=True).weight[0, 0],
     lambda: copy.deepcopy(parametrize.register_parametrization(linear(), "weight", Twice())).weight[0, 0],
     lambda: parametrize.transfer_parametrizations_and_params(
         parametrize.register_parametrization(linear(), "weight", Twice()), nn.Module()).weight[0, 0],
     lambda: parametrize.transfer_parametrizations_and_params(
         parametrize.register_parametrization(linear(), "weight", Twice()), nn.Linear(2, 2)).bias.shape,
     lambda: utils.parametrizations.weight_norm(linear()).load_state_dict(
         {"weight_g": ONES(2, 1), "weight_v": ONES(2, 2), "bias": ONES(2)}),
     lambda: utils.parametrizations.weight_norm(linear()).load_state_dict({"weight_g": ONES(2, 1), "bias": ONES(2)}))


said(lambda: prune.random_structured(linear(), "weight", 1, dim=3),
     lambda: prune.ln_structured(linear(), "weight", 1, 2, dim=-1),
     lambda: prune.remove(prune.identity(linear(), "weight"), "weight").weight[0, 0],
     lambda: prune.remove(linear(), "weight"))
