"""Trainings of a few numbers, with random optimizers, options and schedulers."""

BETAS = {"betas": (0.5, 0.9), "weight_decay": 0.1, "maximize": True}

OPTIMIZERS = {
    "SGD": {"momentum": [0.9, 0.5], "weight_decay": 0.1, "maximize": True},
    "Adam": {**BETAS, "eps": 1e-3, "amsgrad": True, "decoupled_weight_decay": True},
    "AdamW": {**BETAS, "amsgrad": True},
    "NAdam": {**BETAS, "momentum_decay": 0.1, "decoupled_weight_decay": True}, "Adamax": BETAS,
    "RAdam": {**BETAS, "decoupled_weight_decay": True},
    "RMSprop": {"alpha": 0.5, "centered": True, "momentum": 0.5, "weight_decay": 0.1, "maximize": True},
    "Adagrad": {"lr_decay": 0.1, "weight_decay": 0.1, "initial_accumulator_value": 0.3, "maximize": True},
    "Adadelta": {"rho": 0.5, "weight_decay": 0.1, "maximize": True},
    "ASGD": {"lambd": 0.1, "alpha": 0.5, "t0": 3, "weight_decay": 0.1, "maximize": True},
    "Rprop": {"etas": (0.3, 1.5), "step_sizes": (1e-3, 0.2), "maximize": True},
    "Adafactor": {"beta2_decay": -0.5, "weight_decay": 0.1, "d": 2.0, "maximize": True},
}

SCHEDULERS = {
    "StepLR": lambda dice: {"step_size": dice.randint(1, 4), "gamma": 0.5},
    "MultiStepLR": lambda dice: {"milestones": sorted(dice.sample(range(1, 10), 3)), "gamma": 0.3},
    "ConstantLR": lambda dice: {"factor": 0.3, "total_iters": dice.randint(1, 6)},
    "LinearLR": lambda dice: {"start_factor": 0.3, "total_iters": dice.randint(1, 8), **dice.some(end_factor=0.7)},
    "ExponentialLR": lambda dice: {"gamma": 0.8},
    "CosineAnnealingLR": lambda dice: {"T_max": dice.randint(2, 6), **dice.some(eta_min=1e-4)},
    "CosineAnnealingWarmRestarts": lambda dice: {"T_0": dice.randint(1, 4), **dice.some(T_mult=2)},
    "PolynomialLR": lambda dice: {"total_iters": dice.randint(2, 8), **dice.some(power=2.0)},
    "OneCycleLR": lambda dice: {"max_lr": 0.3, "total_steps": 14,
                                **dice.some(anneal_strategy="linear", three_phase=True)},
    "CyclicLR": lambda dice: {"base_lr": 0.01, "max_lr": 0.1, "step_size_up": dice.randint(1, 4), "gamma": 0.9,
                              "cycle_momentum": False, **dice.some(mode=["triangular2", "exp_range"])},
    "ReduceLROnPlateau": lambda dice: {"patience": dice.randint(0, 2), "factor": 0.5,
                                       **dice.some(mode="max", cooldown=1, threshold=0.1)},
    "LambdaLR": lambda dice: {"lr_lambda": slower}, "MultiplicativeLR": lambda dice: {"lr_lambda": a_bit_slower},
}
STEPS = 9


def slower(epoch):
    return 0.9 ** epoch


def a_bit_slower(epoch):
    return 0.95


def drawn(dice):
    """A training, as the keywords of ``train``."""
    name, scheduler = dice.choice([*OPTIMIZERS]), dice.choice([None, *SCHEDULERS])
    options = {"lr": dice.choice([0.1, 0.01, 1e-3]), **dice.some(**OPTIMIZERS[name])}
    if name == "SGD" and "momentum" in options:
        options |= dice.some(nesterov=True)
    return {"name": name, "options": options, "scheduler": scheduler,
            "of_scheduler": SCHEDULERS[scheduler](dice) if scheduler else {},
            "in_groups": dice.yes(), "with_pauses": dice.yes(), "loaded_again": dice.yes(), "with_closure": dice.yes()}


def train(torch, rng, name, options, scheduler, of_scheduler, in_groups, with_pauses, loaded_again, with_closure):
    """Yield (what, array) for what can be seen of a training: losses, learning rates, weights and states."""
    weights = [torch.tensor(rng.standard_normal(shape), requires_grad=True) for shape in ((3,), (2, 3), ())]
    goals = [torch.tensor(rng.standard_normal(tuple(w.shape))) for w in weights]

    def made():
        groups = [{"params": weights[:1], "lr": 0.05}, {"params": weights[1:]}] if in_groups else weights
        return getattr(torch.optim, name)(groups, **options)

    def closure():
        optimizer.zero_grad()
        loss = 0
        for i, (w, goal) in enumerate(zip(weights, goals)):
            if not (with_pauses and i == 1 and step % 2):           # then it has no gradient
                loss = loss + (i + 1) * ((w - goal) ** 2 + 0.3 * w.abs().sin()).sum()
        loss.backward()
        return loss

    optimizer = made()
    schedule = scheduler and getattr(torch.optim.lr_scheduler, scheduler)(optimizer, **of_scheduler)
    for step in range(STEPS):
        loss = optimizer.step(closure) if with_closure else closure()
        if not with_closure:
            optimizer.step()
        yield f"loss {step}", loss.detach().numpy()
        if schedule is not None:
            schedule.step(loss.item()) if scheduler == "ReduceLROnPlateau" else schedule.step()
        for group in optimizer.param_groups:
            yield f"learning rate {step}", group["lr"]
        if loaded_again and schedule is None and step == STEPS // 2:
            before = optimizer.state_dict()
            optimizer = made()
            optimizer.load_state_dict(before)
    for i, w in enumerate(weights):
        yield f"weight {i}", w.detach().numpy()
        for key, value in sorted(optimizer.state.get(w, {}).items()):
            if isinstance(value, torch.Tensor):
                yield f"{key} {i}", value.detach().numpy()
