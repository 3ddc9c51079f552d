"""What modules and their functions do at the edges: rare options, and arguments that they refuse."""

import warnings

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn import utils

ONES = torch.ones
VAGUE = ("AssertionError", "NotImplementedError", "RuntimeError", "ValueError")
warnings.simplefilter("always")


def said(what):
    """What a call returns, warns of, or says where it refuses: PyTorch often asserts, of which no class tells."""
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        try:
            found = what()
        except Exception as wrong:
            kind = next(c.__name__ for c in type(wrong).__mro__ if c.__module__ == "builtins")
            words = str(wrong).removeprefix("multi_head_attention_forward: ").partition(" [MG")[0]
            found = f"{'refused' if kind in VAGUE else kind}: {' '.join(words.split())[:45]}"
    for warning in heard:
        found = f"{found} after {warning.category.__name__}: {' '.join(str(warning.message).split())[:45]}"
    print(found)


def attention(**options):
    m = nn.MultiheadAttention(2, 1, **options)
    for p in m.parameters():
        nn.init.constant_(p, 0.5)
    return m


def heads(q, k, v, weight=ONES(6, 2), **options):
    out = ONES(2, 2)
    return F.multi_head_attention_forward(q, k, v, 2, 1, weight, None, None, None, False, 0., out, None, **options)[0]


print("--- attention")
x = ONES(3, 1, 2)
m = attention()
for what in (lambda: m(x[:, 0], x[:, 0], x[:, 0], attn_mask=ONES(1, 1, 1, 1)),
             lambda: m(x[:, 0], x[:, 0], x[:, 0], attn_mask=ONES(2, 3, 3)),
             lambda: m(x, x, x, attn_mask=torch.zeros(2, 2)),
             lambda: m(x, x, ONES(2, 1, 2)),
             lambda: m(x, x, x, is_causal=True),
             lambda: heads(x, x, x, None),
             lambda: heads(x, x, x, use_separate_proj_weight=True),
             lambda: heads(x, x, x, use_separate_proj_weight=True, q_proj_weight=ONES(2, 2), k_proj_weight=ONES(2, 2),
                           v_proj_weight=ONES(2, 2)),
             lambda: heads(x, x, x, static_k=ONES(1, 4, 2), static_v=ONES(1, 4, 2)),
             lambda: heads(x, x, x, static_k=ONES(2, 4, 2)),
             lambda: heads(x, x, x, static_k=ONES(1, 4, 1))):
    said(what)
said(lambda: m(x, x, x, key_padding_mask=torch.zeros(1, 3, dtype=torch.bool), attn_mask=torch.zeros(3, 3))[1])
said(lambda: attention(kdim=1, vdim=3)(x, ONES(4, 1, 1), ONES(4, 1, 3))[0])
transformer = nn.Transformer(4, 1, 1, 1, 4)
said(lambda: transformer(ONES(2, 1, 4), ONES(2, 1, 3)))

print("--- layers")
for what in (lambda: nn.Hardtanh(min_value=-2.), lambda: nn.Hardtanh(min_val=1., max_val=0.),
             lambda: nn.RNN(2, 2, nonlinearity="cosine"), lambda: nn.RNNCell(1, 1, nonlinearity="cosine")(ONES(1)),
             lambda: nn.RNNBase("CNN", 1, 1), lambda: nn.GRU(2, 2, dropout=0.5), lambda: nn.GRU(2, 2)(ONES(2)),
             lambda: nn.MultiMarginLoss(weight=ONES(2, 2)),
             lambda: nn.Parameter(ONES(1), False).requires_grad,
             lambda: nn.AdaptiveLogSoftmaxWithLoss(2, 4, [1])(ONES(3, 2), torch.zeros(3, 1, dtype=torch.int64)),
             lambda: nn.LazyConv1d(1, 2)(ONES(1, 1, 3)).shape):
    said(what)
adaptive = nn.AdaptiveLogSoftmaxWithLoss(2, 5, [2])
adaptive.reset_parameters()
for p in adaptive.parameters():
    nn.init.constant_(p, 0.25)
said(lambda: adaptive.predict(torch.tensor([[1., 2.], [3., 4.]])))
said(lambda: adaptive(torch.tensor([[1., 2.], [3., 4.]]), torch.tensor([0, 4])))

print("--- modules")
m = nn.Sequential(nn.Linear(2, 2), nn.Sequential(nn.ReLU()))
for what in (lambda: m.set_submodule("", nn.ReLU()), lambda: m.set_submodule("0", 3),
             lambda: m.set_submodule("1.0", nn.Tanh()), lambda: m.set_submodule("1.5", nn.Tanh(), strict=True),
             lambda: m.set_submodule("0.weight", nn.Tanh()), lambda: m.get_submodule("1.0"),
             lambda: m.get_submodule("1.7"), lambda: m.get_parameter("0.other"), lambda: m.get_parameter("1.0.x"),
             lambda: m.get_buffer("0.weight"),
             lambda: m.register_parameter("p", ONES(1)), lambda: m.register_parameter("p", nn.Parameter(ONES(1)) * 1),
             lambda: m.register_buffer("b", 3), lambda: m.register_module("more", nn.ReLU()),
             lambda: m.type(torch.float64)[0].weight.dtype, lambda: m.bfloat16()[0].weight.dtype,
             lambda: m.float().cpu()[0].weight.dtype, lambda: m.share_memory() is m,
             lambda: m.to(torch.complex64)[0].weight.dtype,
             lambda: m.load_state_dict(3), lambda: nn.Module()(3)):
    said(what)


class Always(nn.Module):
    def forward(self, x):
        raise ValueError("forward")


always = Always()
always.register_forward_hook(lambda *given: 1 / 0, always_call=True)
said(lambda: always(3))
always = nn.Linear(1, 1)
always.register_forward_pre_hook(lambda module, args, kwargs: 3, with_kwargs=True)
said(lambda: always(ONES(1)))

print("--- backward hooks")


def hooked(register, hook, module=None, given=None):
    module = nn.Identity() if module is None else module
    getattr(module, register)(hook)
    x = ONES(2, requires_grad=True) if given is None else given
    y = module(x)
    y = y["a"] if isinstance(y, dict) else y[0] if isinstance(y, (tuple, list)) else y
    y.sum().backward()
    return x.grad


class Made(nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *args):
        return self.function(*args)


full, older = "register_full_backward_hook", "register_backward_hook"
for what in (lambda: hooked(full, lambda m, gi, go: (gi[0] * 2,)), lambda: hooked(full, lambda m, gi, go: (1, 2)),
             lambda: hooked("register_full_backward_pre_hook", lambda m, go: (go[0] * 3,)),
             lambda: hooked("register_full_backward_pre_hook", lambda m, go: (1, 2)),
             lambda: hooked(full, lambda m, gi, go: (gi[0],), nn.Linear(2, 1), ONES(2)),
             lambda: hooked(full, lambda m, gi, go: None, Made(lambda x: {"a": 2 * x})),
             lambda: hooked(older, lambda m, gi, go: None, Made(lambda x: {"a": 2 * x})),
             lambda: hooked(older, lambda m, gi, go: None, Made(lambda x: (2 * x, 3 * x))),
             lambda: hooked(older, lambda m, gi, go: (gi[0] * 5,), Made(lambda x: x.sin())),
             lambda: hooked(older, lambda m, gi, go: None, Made(lambda x: x.sin().exp())),
             lambda: hooked(older, lambda m, gi, go: None, Made(lambda x: [x * 2, "a"]))):
    said(what)

print("--- states")
m = nn.BatchNorm1d(1)
for what in (lambda: m.load_state_dict({"weight": ONES(1, 1)}, strict=False),
             lambda: m.load_state_dict({"weight": "text"}, strict=False),
             lambda: m.load_state_dict({"other": ONES(1)}),
             lambda: m.load_state_dict({"num_batches_tracked": ONES(1, dtype=torch.int64),
                                        **nn.BatchNorm1d(1, track_running_stats=False).state_dict()}, strict=False)):
    said(what)
m.register_load_state_dict_post_hook(lambda *given: 3)
said(lambda: m.load_state_dict(nn.BatchNorm1d(1).state_dict()))

print("--- packed sequences")
for what in (lambda: utils.rnn.PackedSequence((ONES(2), torch.tensor([2]))).data,
             lambda: utils.rnn.pad_sequence([ONES(1)], padding_side="middle"),
             lambda: utils.rnn.pad_sequence([ONES(1), ONES(2)], padding_side="left"),
             lambda: utils.rnn.pack_padded_sequence(ONES(0, 1, 1), [1])):
    said(what)
said(lambda: utils.rnn.pack_sequence([ONES(2)]).is_pinned())

print("--- norms of weights, clipping, fusing")


def linear():
    m = nn.Linear(2, 2)
    nn.init.constant_(m.weight, 0.5)
    return m


P = utils.parametrizations
for what in (lambda: utils.clip_grad_norm_((p for p in []), 1.), lambda: utils.clip_grad_norm([], 1.),
             lambda: utils.spectral_norm(utils.spectral_norm(linear())),
             lambda: utils.spectral_norm(nn.Linear(2, 2, bias=False), "bias"),
             lambda: utils.spectral_norm(nn.LazyLinear(2)), lambda: utils.remove_spectral_norm(linear()),
             lambda: utils.weight_norm(nn.LazyLinear(2)), lambda: utils.remove_weight_norm(linear()),
             lambda: P.spectral_norm(linear(), dim=5), lambda: P.spectral_norm(linear(), dim=1).weight,
             lambda: P.spectral_norm(linear(), "bias").bias.norm().round(),
             lambda: P.orthogonal(linear(), orthogonal_map="tan"),
             lambda: P.orthogonal(nn.Linear(2, 2, dtype=torch.complex64), orthogonal_map="householder"),
             lambda: setattr(P.orthogonal(linear(), orthogonal_map="cayley", use_trivialization=False), "weight",
                             ONES(2, 2)),
             lambda: setattr(P.orthogonal(linear()), "weight", ONES(3, 2)),
             lambda: utils.fusion.fuse_linear_bn_eval(linear().eval(), nn.BatchNorm1d(3).eval()),
             lambda: utils.fusion.fuse_linear_bn_eval(linear().eval(),
                                                      nn.BatchNorm1d(2, track_running_stats=False).eval()),
             lambda: utils.skip_init(int, 3), lambda: utils.skip_init(nn.ReLU),
             lambda: utils.skip_init(nn.Linear, 2, 3).weight.shape):
    said(what)
