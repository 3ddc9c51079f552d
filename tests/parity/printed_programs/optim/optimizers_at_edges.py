"""What optimizers and schedules do at the edges: rare options, old states, and what they refuse."""

import pickle
import warnings

import torch
from torch import nn, optim
from torch.optim import lr_scheduler, swa_utils

ONES = torch.ones
VAGUE = ("AssertionError", "KeyError", "NotImplementedError", "RuntimeError", "ValueError")


def said(*calls):
    """What each call returns, warns of, or says where it refuses: of PyTorch's errors not each class is kept."""
    for what in calls:
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            try:
                found = what()
            except Exception as wrong:
                kind = next(c.__name__ for c in type(wrong).__mro__ if c.__module__ == "builtins")
                words = " ".join(str(wrong).strip('"').partition(" [MG")[0].split())[:32]
                found = f"{'refused' if kind in VAGUE else kind}: {words}"
        for warning in heard:
            found = f"{found} after {warning.category.__name__}: {' '.join(str(warning.message).split())[:40]}"
        print(found)


def stepped(cls, steps=3, dtype=None, shape=(2, 2), **options):
    """A parameter after some steps."""
    p = nn.Parameter(torch.tensor([0.25, 0.5, 0.75, 1.], dtype=dtype).reshape(shape))
    optimizer = cls([p], **options)
    for _ in range(steps):
        optimizer.zero_grad()
        (p.abs() ** 2).sum().backward()
        optimizer.step()
    return p.detach()


print("--- options")
one, two = torch.tensor(0.1), torch.tensor([0.1, 0.2])
for cls in (optim.Adafactor, optim.Muon, optim.Adam, optim.SGD):
    said(lambda: stepped(cls, lr=two), lambda: stepped(cls, lr=one, dtype=torch.complex64).shape)
said(lambda: stepped(optim.Muon, adjust_lr_fn="other"), lambda: stepped(optim.Muon, ns_steps=100),
     lambda: stepped(optim.Muon, ns_coefficients=(1., 2.)), lambda: stepped(optim.Muon, shape=(4,)),
     lambda: stepped(optim.Muon, lr=-1.), lambda: stepped(optim.Muon, momentum=-1.),
     lambda: stepped(optim.Muon, weight_decay=-1.), lambda: stepped(optim.Adafactor, lr=-1.),
     lambda: stepped(optim.Adam, betas=(torch.tensor(0.9), torch.tensor(0.99)), lr=one, foreach=False),
     lambda: stepped(optim.SGD, lr=0.1, fused=True, dtype=torch.complex64),
     lambda: stepped(optim.Adam, fused=True, dtype=torch.complex64),
     lambda: optim.Optimizer([], {}),
     lambda: optim.Optimizer(ONES(1), {}), lambda: optim.SGD([ONES(1, requires_grad=True) * 1], lr=1.),
     lambda: optim.SGD([3], lr=1.))
p = nn.Parameter(ONES(2))
optimizer = optim.SGD([p], lr=0.1)
optimizer.zero_grad(set_to_none=False)
print(p.grad)
decay = torch.tensor(0.5, requires_grad=True)
x = ONES(2, requires_grad=True) * 1
x.retain_grad()
x.grad = ONES(2)
optimizer = optim.SGD([nn.Parameter(ONES(2))], lr=0.1, weight_decay=decay, differentiable=True, foreach=False)
optimizer.param_groups[0]["params"] = [x]
optimizer.step()
said(lambda: torch.autograd.grad(x.sum(), decay))

print("--- states")
for cls in (optim.Adam, optim.AdamW, optim.SGD, optim.NAdam, optim.RAdam, optim.ASGD):
    p = nn.Parameter(ONES(2))
    optimizer = cls([p], lr=0.1)
    p.sum().backward()
    optimizer.step()
    if "step" in optimizer.state[p]:
        optimizer.state[p]["step"] = 1
    for name in ("maximize", "foreach", "differentiable", "capturable", "decoupled_weight_decay", "fused"):
        optimizer.param_groups[0].pop(name, None)
    again = pickle.loads(pickle.dumps(optimizer))
    group = again.param_groups[0]
    print(type(again).__name__, {name: group[name] for name in sorted(group) if name != "params"})
    for q in group["params"]:
        q.grad = ONES(2)
        again.step()
        print(q.detach(), again.state[q].get("step"))

print("--- searches")


def minimized(function, start, **options):
    p = nn.Parameter(torch.tensor(start, dtype=torch.float64))
    optimizer = optim.LBFGS([p], **options)

    def closure():
        optimizer.zero_grad()
        loss = function(p)
        loss.backward()
        return loss

    losses = [optimizer.step(closure).item() for _ in range(3)]
    return p.detach(), losses, optimizer.state[p]["func_evals"], optimizer.state[p]["n_iter"]


def banana(p):
    return (1 - p[0]) ** 2 + 100 * (p[1] - p[0] ** 2) ** 2


for options in (dict(line_search_fn="strong_wolfe"), dict(line_search_fn="strong_wolfe", lr=1e-3, max_iter=5),
                dict(line_search_fn="strong_wolfe", history_size=1, max_iter=30), dict(lr=1e-3, max_iter=2),
                dict(line_search_fn="strong_wolfe", lr=30., max_iter=10), dict(max_iter=0), dict(max_eval=1)):
    said(lambda: minimized(banana, [-1.2, 1.], **options),
         lambda: minimized(lambda p: (p.abs() + p ** 2 / 9).sum(), [2., -0.5], **options),
         lambda: minimized(lambda p: (p ** 4).sum() - p.sum().cos(), [1., -3.], **options))
said(lambda: minimized(banana, [0., 0.], line_search_fn="other"))

print("--- schedules")


def scheduled(make, steps=4, **options):
    optimizer = optim.SGD([nn.Parameter(ONES(1))], lr=1., momentum=0.9)
    for group in optimizer.param_groups:
        group.update(options)
    schedule = make(optimizer)
    rates = [optimizer.param_groups[0]["lr"]]
    for _ in range(steps):
        optimizer.step()
        schedule.step()
        rates.append(round(float(optimizer.param_groups[0]["lr"]), 5))
    return rates


S = lr_scheduler
said(lambda: scheduled(lambda o: S.CosineAnnealingLR(o, 3, last_epoch=4), initial_lr=0.5),
     lambda: scheduled(lambda o: S.CosineAnnealingLR(o, 3, last_epoch=4)),
     lambda: scheduled(lambda o: S.ChainedScheduler([3], o)), lambda: scheduled(lambda o: S.ChainedScheduler([])),
     lambda: scheduled(lambda o: S.SequentialLR(o, [3, 4], [1])),
     lambda: scheduled(lambda o: S.SequentialLR(o, [], [])),
     lambda: scheduled(lambda o: S.ReduceLROnPlateau(o, factor=2.)))
optimizer = optim.SGD([nn.Parameter(ONES(1))], lr=1.)
plateau = S.ReduceLROnPlateau(optimizer, factor=0.5, patience=0, min_lr=0.1)
optimizer.add_param_group({"params": [nn.Parameter(ONES(1))], "lr": 0.15})
for loss in (1., 1., 1.):
    said(lambda: plateau.step(loss), lambda: plateau.get_last_lr())
plateau = S.ReduceLROnPlateau(optimizer, patience=0, min_lr=[0.1, 0.2])
optimizer.add_param_group({"params": [nn.Parameter(ONES(1))]})
said(lambda: plateau.step(1.), lambda: plateau.step(1.))

print("--- averages")
model = nn.Linear(1, 1)
nn.init.constant_(model.weight, 1.)
said(lambda: swa_utils.get_swa_multi_avg_fn()([ONES(1)], [ONES(1) * 3], 1), lambda: swa_utils.get_ema_multi_avg_fn(2.),
     lambda: swa_utils.get_ema_avg_fn(-1.),
     lambda: swa_utils.AveragedModel(model, avg_fn=print, multi_avg_fn=print),
     lambda: swa_utils.AveragedModel(model, device="cpu").module.weight)
average = swa_utils.AveragedModel(model, multi_avg_fn=swa_utils.get_swa_multi_avg_fn(), use_buffers=True)
for value in (1., 2., 6.):
    nn.init.constant_(model.weight, value)
    average.update_parameters(model)
print(average.module.weight, average.n_averaged)
said(lambda: scheduled(lambda o: swa_utils.SWALR(o, 0.1, anneal_strategy="other")),
     lambda: scheduled(lambda o: swa_utils.SWALR(o, 0.1, anneal_epochs=-1)),
     lambda: scheduled(lambda o: swa_utils.SWALR(o, 0.1, anneal_epochs=1.5)),
     lambda: scheduled(lambda o: swa_utils.SWALR(o, [0.1, 0.2])),
     lambda: scheduled(lambda o: swa_utils.SWALR(o, 0.1, anneal_epochs=3, anneal_strategy="linear")),
     lambda: scheduled(lambda o: swa_utils.SWALR(o, 0.1, anneal_epochs=0)))
