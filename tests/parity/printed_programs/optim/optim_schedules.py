"""Learning rates over 14 epochs, of every scheduler, and what is saved of them."""
import torch
from torch.optim import lr_scheduler as schedules
from torch.optim.swa_utils import SWALR, AveragedModel, get_ema_avg_fn, get_ema_multi_avg_fn


def make(name="SGD", lr=0.5, **options):
    a, b = torch.ones(1, requires_grad=True), torch.ones(1, requires_grad=True)
    return getattr(torch.optim, name)([{"params": [a]}, {"params": [b], "lr": 0.2}], lr=lr, **options)


def with_momentum():
    return make(momentum=0.9)


def with_betas():
    return make("Adam")


def with_a_tensor():
    return make(lr=torch.tensor(0.5))


CASES = [
    (make, lambda o: schedules.LambdaLR(o, [lambda epoch: 0.9 ** epoch, lambda epoch: 1 / (epoch + 1)])),
    (make, lambda o: schedules.MultiplicativeLR(o, lambda epoch: 0.9)),
    (make, lambda o: schedules.StepLR(o, 3, 0.5)),
    (make, lambda o: schedules.MultiStepLR(o, [2, 5, 5], 0.5)),
    (make, lambda o: schedules.ConstantLR(o, 0.25, 4)),
    (make, lambda o: schedules.LinearLR(o, 0.25, 0.9, 4)),
    (with_a_tensor, lambda o: schedules.LinearLR(o, 0.25, 0.9, 4)),
    (make, lambda o: schedules.ExponentialLR(o, 0.9)),
    (make, lambda o: schedules.PolynomialLR(o, 7, 2.0)),
    (make, lambda o: schedules.CosineAnnealingLR(o, 4, 0.01)),
    (with_a_tensor, lambda o: schedules.CosineAnnealingLR(o, 4, 0.01)),
    (make, lambda o: schedules.CosineAnnealingWarmRestarts(o, 3, 2, 0.01)),
    (make, lambda o: schedules.CosineAnnealingWarmRestarts(o, 3)),
    (with_momentum, lambda o: schedules.CyclicLR(o, 0.1, 1.0, 3, 4)),
    (with_betas, lambda o: schedules.CyclicLR(o, [0.1, 0.2], 1.0, 3, mode="triangular2")),
    (make, lambda o: schedules.CyclicLR(o, 0.1, 1.0, 3, mode="exp_range", gamma=0.9, cycle_momentum=False)),
    (make, lambda o: schedules.CyclicLR(o, 0.1, 1.0, 3, scale_fn=lambda x: 0.5 ** x, scale_mode="iterations",
                                        cycle_momentum=False)),
    (with_betas, lambda o: schedules.OneCycleLR(o, 1.0, 15)),
    (with_momentum, lambda o: schedules.OneCycleLR(o, [1.0, 2.0], epochs=5, steps_per_epoch=3, pct_start=0.4,
                                                   anneal_strategy="linear", three_phase=True)),
    (make, lambda o: schedules.SequentialLR(o, [schedules.ConstantLR(o, 0.1, 2), schedules.ExponentialLR(o, 0.9),
                                                schedules.CosineAnnealingLR(o, 4)], [2, 6])),
    (make, lambda o: schedules.ChainedScheduler([schedules.ConstantLR(o, 0.1, 2), schedules.ExponentialLR(o, 0.9)])),
    (make, lambda o: SWALR(o, [0.1, 0.05], 4)),
    (make, lambda o: SWALR(o, 0.1, 0, "linear")),
    (make, lambda o: schedules.ReduceLROnPlateau(o, patience=1, cooldown=1, factor=0.5)),
    (make, lambda o: schedules.ReduceLROnPlateau(o, "max", patience=0, threshold_mode="abs", threshold=0.1,
                                                 min_lr=[0.1, 0.2])),
]
METRICS = [3, 2, 2.5, 2.4, 2.3, 1, 1, 1, 1, 1, 1, 0.5, 0.6, 0.7]


def trained(optimizer, scheduler, jump=None):
    for epoch in range(14):
        optimizer.step()
        if isinstance(scheduler, schedules.ReduceLROnPlateau):
            scheduler.step(METRICS[epoch])
        elif epoch == jump:
            scheduler.step(3)
        else:
            scheduler.step()
        yield " ".join(f"{float(lr):.5f}" for lr in scheduler.get_last_lr())


for optimizer_of, scheduler_of in CASES:
    optimizer = optimizer_of()
    scheduler = scheduler_of(optimizer)
    print(type(scheduler).__name__, ", ".join(trained(optimizer, scheduler)))
    print("   ", [(key, group[key]) for group in optimizer.param_groups
                  for key in ("momentum", "betas") if key in group])
    print("   ", [key for key in scheduler.state_dict() if key not in ("_scale_fn_ref", "anneal_func")])
    other_optimizer = optimizer_of()
    other = scheduler_of(other_optimizer)
    other_optimizer.load_state_dict(optimizer.state_dict())
    other.load_state_dict(scheduler.state_dict())
    if type(scheduler).__name__ not in ("OneCycleLR", "SequentialLR", "ChainedScheduler"):
        print("   ", list(trained(optimizer, scheduler)) == list(trained(other_optimizer, other)))
        optimizer = optimizer_of()
        print("   ", ", ".join(trained(optimizer, scheduler_of(optimizer), 7)))


def complains(f):
    try:
        print(f())
    except (ValueError, TypeError, KeyError, NotImplementedError) as wrong:
        print(str(wrong).partition(" [MG")[0][:40])


o = make()
complains(lambda: schedules.StepLR(3, 1))
complains(lambda: schedules.LambdaLR(o, [abs]))
complains(lambda: schedules.MultiplicativeLR(o, 3))
complains(lambda: schedules.ConstantLR(o, 2))
complains(lambda: schedules.LinearLR(o, 0))
complains(lambda: schedules.CosineAnnealingWarmRestarts(o, 0))
complains(lambda: schedules.CyclicLR(o, [1.0], 2.0))
complains(lambda: schedules.CyclicLR(torch.optim.Adagrad([torch.ones(1)]), 0.1, 1.0))
complains(lambda: schedules.OneCycleLR(o, 1.0))
complains(lambda: schedules.OneCycleLR(o, 1.0, 0))
complains(lambda: schedules.SequentialLR(o, [], []))
complains(lambda: schedules.SequentialLR(o, [schedules.StepLR(o, 1)], [1]))
complains(lambda: schedules.ChainedScheduler([schedules.StepLR(o, 1), schedules.StepLR(make(), 1)]))
complains(lambda: schedules.ReduceLROnPlateau(o, "middle"))
complains(lambda: schedules.ReduceLROnPlateau(o, factor=2.0))

for how in ({}, {"avg_fn": get_ema_avg_fn(0.9)}, {"multi_avg_fn": get_ema_multi_avg_fn(0.9)}):
    model = torch.nn.ParameterList([torch.zeros(2), torch.zeros((), dtype=torch.float64)])
    averaged = AveragedModel(model, **how)
    for value in (1.0, 5.0, 2.0, 7.0):
        for param in model:
            param.data.fill_(value)
        averaged.update_parameters(model)
    print(averaged.state_dict())
