"""What all optimizers have in common: groups, state dicts, hooks, closures, messages."""
import copy
import pickle
import warnings

import torch
from torch import nn
from torch.optim import SGD, Adam, AdamW, Optimizer
from torch.optim.optimizer import (register_optimizer_step_post_hook, register_optimizer_step_pre_hook,
                                   required)


def complains(f, length=60):
    try:
        print(f())
    except (ValueError, TypeError, RuntimeError, KeyError, AssertionError, NotImplementedError) as wrong:
        kinds = [kind.__name__ for kind in (ValueError, TypeError, RuntimeError) if isinstance(wrong, kind)]
        print(kinds, str(wrong).partition(" [MG")[0][:length])


a, b, c = [torch.tensor([float(i), 1.0], requires_grad=True) for i in range(3)]
optimizer = SGD([{"params": a}, {"params": [b, c], "lr": 0.5}], lr=0.1, momentum=0.9)
print(optimizer)
print(optimizer.defaults)
print(Adam([a]), AdamW([a], lr=torch.tensor(0.1)).state_dict())

complains(lambda: SGD(a, lr=0.1))
complains(lambda: SGD([], lr=0.1), 37)
complains(lambda: SGD([1, 2], lr=0.1))
complains(lambda: SGD([a * 2], lr=0.1), 32)
complains(lambda: SGD([a], lr=-1))
complains(lambda: SGD([a], lr=0.1, momentum=-1))
complains(lambda: SGD([a], lr=0.1, nesterov=True))
complains(lambda: SGD([a], lr=torch.ones(2)))
complains(lambda: SGD([a], fused=True, differentiable=True))
complains(lambda: SGD([a], fused=True, foreach=True))
complains(lambda: SGD([{"params": {a, b}}]))
complains(lambda: SGD([{"params": [a]}, {"params": [a, b]}]))
complains(lambda: optimizer.add_param_group([a]), 38)
complains(lambda: optimizer.add_param_group({"params": a}))
complains(lambda: Adam([a], betas=(1.0, 0.9)))
complains(lambda: Adam([a], eps=-1))
complains(lambda: Adam([a], betas=(0.9, torch.tensor(0.9))))
complains(lambda: Adam([a], lr=torch.tensor(0.1), foreach=True))
complains(lambda: torch.optim.Rprop([a], etas=(2, 1)))
complains(lambda: torch.optim.Adadelta([a], rho=2))
complains(lambda: torch.optim.Adafactor([a], d=0.5))
complains(lambda: torch.optim.Muon([a]))
complains(lambda: torch.optim.LBFGS([{"params": [a]}, {"params": [b]}]))
complains(lambda: SGD([("a", a), b]))
complains(lambda: Adam([torch.ones(2, dtype=torch.complex64, requires_grad=True)], fused=True).step())
with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter("always")
    SGD([a, a])
print([str(each.message)[:60] for each in seen])

named = SGD(nn.Linear(2, 1).named_parameters(), lr=0.1)
print(named.param_groups[0]["param_names"], named.state_dict()["param_groups"][0]["param_names"])
complains(lambda: named.add_param_group({"params": [a]}))


def loss():
    optimizer.zero_grad()
    value = (a * a).sum() + (b * b * b).sum() + (c * a).sum()
    value.backward()
    return value


print([round(optimizer.step(loss).item(), 4) for _ in range(3)])
state = optimizer.state_dict()
print(state)
print(a, b, c, a._version > 0)
other = SGD([{"params": a}, {"params": [b, c]}], lr=7.0)
other.load_state_dict(state)
print(other, other.state[b], other.state[b]["momentum_buffer"] is not optimizer.state[b]["momentum_buffer"])
complains(lambda: SGD([a], lr=1.0).load_state_dict(state))
complains(lambda: SGD([{"params": [a, b]}, {"params": [c]}], lr=1.0).load_state_dict(state))
doubles = SGD([{"params": x} for x in (torch.ones(2, dtype=torch.float64, requires_grad=True),)], momentum=0.1)
doubles.load_state_dict({"state": {0: {"momentum_buffer": torch.ones(2)}, "free": 1},
                         "param_groups": [{"params": [0], "lr": 2}]})
print(doubles.state_dict())

for clone in (copy.deepcopy(optimizer), pickle.loads(pickle.dumps(optimizer))):
    print(repr(clone) == repr(optimizer), clone.state_dict()["state"].keys(), clone.param_groups[0]["params"])
    clone.step()

optimizer.zero_grad(set_to_none=False)
print(a.grad, b.grad)
optimizer.zero_grad()
print(a.grad, b.grad)

handles = [
    register_optimizer_step_pre_hook(lambda *args: print("all before", len(args[1]), args[2])),
    register_optimizer_step_post_hook(lambda *args: print("all after")),
    optimizer.register_step_pre_hook(lambda optimizer, args, kwargs: print("before")),
    optimizer.register_step_post_hook(lambda optimizer, args, kwargs: print("after")),
    optimizer.register_state_dict_pre_hook(lambda optimizer: print("will save")),
    optimizer.register_state_dict_post_hook(lambda optimizer, state: {**state, "more": 1}),
    optimizer.register_state_dict_post_hook(lambda optimizer, state: print("saved", sorted(state)), prepend=True),
    optimizer.register_load_state_dict_pre_hook(lambda optimizer, state: print("will load", sorted(state))),
    optimizer.register_load_state_dict_post_hook(lambda optimizer: print("loaded")),
]
optimizer.step()
saved = optimizer.state_dict()
print(sorted(saved))
optimizer.load_state_dict(saved)
for handle in handles:
    handle.remove()
optimizer.step()
optimizer.register_step_pre_hook(lambda optimizer, args, kwargs: (args, {"closure": lambda: torch.tensor(5.0)}))
print(optimizer.step())
optimizer.register_step_pre_hook(lambda optimizer, args, kwargs: 3)
try:
    optimizer.step()
except RuntimeError as wrong:
    print("must return None or a tuple of (new_args, new_kwargs), but got 3." in str(wrong))


class Own(Optimizer):
    def __init__(self, params, lr=required):
        super().__init__(params, {"lr": lr})

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for param in group["params"]:
                self.state[param]["n"] = self.state[param].get("n", 0) + 1
                param.add_(param, alpha=-group["lr"])


own = Own([{"params": [torch.ones(1, requires_grad=True)], "lr": 0.5}])
own.step()
own.step()
print(own.param_groups, dict(own.state_dict()), Own.step.hooked)
complains(lambda: Own([a]))
complains(lambda: Optimizer([a], {}))

lr = torch.tensor(0.1, requires_grad=True)
for cls, options in ((SGD, {"lr": lr}), (Adam, {"lr": lr}),
                     (torch.optim.RMSprop, {"lr": 0.1}), (torch.optim.Adagrad, {"lr": 0.1})):
    start = torch.tensor([1.0, -2.0], requires_grad=True)
    w = start.clone()
    inner = cls([w], differentiable=True, **options)
    for i in range(3):
        w.grad = (w * w * (i + 1)).detach().requires_grad_() * start
        inner.step()
    found = torch.autograd.grad(w.sum(), [start, lr] if options.get("lr") is lr else [start])
    print(cls.__name__, [[f"{each:.4f}" for each in grad.reshape(-1).tolist()] for grad in found])
