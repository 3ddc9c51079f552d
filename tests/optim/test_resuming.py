"""Training that goes on from a checkpoint, and what schedulers and optimizers refuse: here as in PyTorch."""

import warnings

import pytest

from tests.checking import refuses


def optimizer(torch, name="SGD", **options):
    """With two groups, of the rates 0.5 and 0.2."""
    a, b = torch.ones(1, requires_grad=True), torch.ones(1, requires_grad=True)
    return getattr(torch.optim, name)([{"params": [a]}, {"params": [b], "lr": 0.2}], **{"lr": 0.5} | options)


def rates(optimizer, scheduler, epochs):
    found = []
    for _ in range(epochs):
        optimizer.step()
        scheduler.step()
        found.append([float(lr) for lr in scheduler.get_last_lr()])
    return found


SCHEDULES = {
    "StepLR": (dict(step_size=3), {}),
    "MultiStepLR": (dict(milestones=[2, 5]), {}),
    "LambdaLR": (dict(lr_lambda=lambda epoch: 0.9 ** epoch), {}),
    "MultiplicativeLR": (dict(lr_lambda=lambda epoch: 0.9), {}),
    "ConstantLR": (dict(factor=0.3, total_iters=6), {}),
    "LinearLR": (dict(start_factor=0.3, total_iters=6), {}),
    "ExponentialLR": (dict(gamma=0.9), {}),
    "PolynomialLR": (dict(total_iters=6), {}),
    "CosineAnnealingLR": (dict(T_max=6), {}),
    "CosineAnnealingWarmRestarts": (dict(T_0=3, T_mult=2), {}),
    "CyclicLR": (dict(base_lr=0.1, max_lr=1., step_size_up=3), dict(momentum=0.9)),
    "OneCycleLR": (dict(max_lr=1., total_steps=20), dict(momentum=0.9)),
}

@pytest.mark.parametrize("name", SCHEDULES)
def test_a_schedule_goes_on_where_the_optimizer_was(torch, name):
    """With ``last_epoch`` alone, and without the state of the scheduler."""
    options, of_optimizer = SCHEDULES[name]
    schedule = getattr(torch.optim.lr_scheduler, name)
    whole = optimizer(torch, **of_optimizer)
    expected = rates(whole, schedule(whole, **options), 7)[4:]
    before = optimizer(torch, **of_optimizer)
    scheduler = schedule(before, **options)
    rates(before, scheduler, 4)
    after = optimizer(torch, **of_optimizer)
    after.load_state_dict(before.state_dict())
    resumed = schedule(after, **options, last_epoch=scheduler.last_epoch - 1)
    for found, rate in zip(rates(after, resumed, 3), expected, strict=True):
        assert found == pytest.approx(rate)
    assert resumed.base_lrs == scheduler.base_lrs


@pytest.mark.parametrize("name", ["StepLR", "CyclicLR", "OneCycleLR"])
def test_an_optimizer_that_was_never_scheduled_is_not_resumed(torch, name):
    options, of_optimizer = SCHEDULES[name]
    with refuses(KeyError, "param 'initial_lr' is not specified in param_groups[0] when resuming scheduler", "MG711"):
        getattr(torch.optim.lr_scheduler, name)(optimizer(torch, **of_optimizer), **options, last_epoch=3)


class Power:
    def __init__(self, base):
        self.base = base

    def __call__(self, x):
        return self.base ** x


def test_objects_that_are_called_have_a_state(torch):
    schedules = torch.optim.lr_scheduler
    scheduler = schedules.LambdaLR(optimizer(torch), [Power(0.5), lambda epoch: 1.])
    state = scheduler.state_dict()
    assert state["lr_lambdas"] == [{"base": 0.5}, None]
    other = schedules.LambdaLR(optimizer(torch), [Power(0.9), lambda epoch: 1.])
    other.load_state_dict(state)
    assert rates(other.optimizer, other, 2) == [[0.25, 0.2], [0.125, 0.2]]


def test_the_scale_of_a_cycle_has_a_state(torch):
    schedules = torch.optim.lr_scheduler
    made = [schedules.CyclicLR(optimizer(torch), 0., 1., 4, scale_fn=Power(base), cycle_momentum=False)
            for base in (0.5, 0.25)]
    made[1].load_state_dict(made[0].state_dict())
    assert rates(made[0].optimizer, made[0], 3) == rates(made[1].optimizer, made[1], 3) == [
        [0.125, 0.125], [0.25, 0.25], [0.375, 0.375]]


def test_warnings_of_a_scheduler(torch):
    schedules, of_optimizer = torch.optim.lr_scheduler, optimizer(torch)
    scheduler = schedules.StepLR(of_optimizer, 1)
    with pytest.warns(UserWarning, match="Detected call of `lr_scheduler.step..` before `optimizer.step"):
        scheduler.step()
    with pytest.warns(UserWarning, match="The epoch parameter in `scheduler.step..` was not necessary"):
        scheduler.step(3)
    with pytest.warns(UserWarning, match="please use `get_last_lr"):
        scheduler.get_lr()
    with pytest.warns(UserWarning, match="The epoch parameter"):
        schedules.ReduceLROnPlateau(of_optimizer).step(1., epoch=2)
    other = optimizer(torch)
    scheduler = schedules.StepLR(other, 1)
    other.step = lambda: None
    with pytest.warns(UserWarning, match="`optimizer.step..` has been overridden after"):
        scheduler.step()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rates(of_optimizer, schedules.StepLR(of_optimizer, 1), 2)


REFUSED = {
    "LinearLR(o, 0.5, 1.5)": "Ending multiplicative factor expected to be between 0 and 1",
    "CosineAnnealingWarmRestarts(o, 3, 0)": "Expected integer T_mult >= 1, but got 0",
    "CosineAnnealingWarmRestarts(o, 3, 1, 'a')": "Expected float or int eta_min, but got a",
    "CosineAnnealingWarmRestarts(o, 3).step(-1)": "Expected non-negative epoch, but got -1",
    "CyclicLR(o, 0.1, 1., mode='x')": "mode is invalid and scale_fn is None",
    "OneCycleLR(o, 1., 10, pct_start=2.)": "Expected float between 0 and 1 pct_start, but got 2.0",
    "OneCycleLR(o, 1., 10, anneal_strategy='x')": "anneal_strategy must be one of 'cos' or 'linear', instead got x",
    "OneCycleLR(o, [1.], 10)": "max_lr must have the same length as optimizer.param_groups. max_lr has 1 values",
    "ChainedScheduler([ReduceLROnPlateau(o)])": "ChainedScheduler does not support `ReduceLROnPlateau` scheduler",
    "ReduceLROnPlateau(o, min_lr=[0.1])": "expected 2 min_lrs, got 1",
    "ReduceLROnPlateau(o, threshold_mode='x')": "threshold mode x is unknown!",
}


@pytest.mark.parametrize("call", REFUSED)
def test_what_a_scheduler_refuses(torch, call):
    o = optimizer(torch)
    with refuses(ValueError, REFUSED[call], "MG711"):
        eval(call, {**vars(torch.optim.lr_scheduler), "o": o})


def test_more_epochs_than_a_cycle_has(torch):
    of_optimizer = optimizer(torch)
    scheduler = torch.optim.lr_scheduler.OneCycleLR(of_optimizer, 1., 3, cycle_momentum=False)
    rates(of_optimizer, scheduler, 3)
    with refuses(ValueError, "Tried to step 4 times. The specified number of total steps is 3", "MG711"):
        scheduler.step()


def test_a_group_that_comes_later_has_no_least_rate(torch):
    of_optimizer = optimizer(torch)
    scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(of_optimizer, patience=0, min_lr=[0.1, 0.1])
    of_optimizer.add_param_group({"params": [torch.ones(1)]})
    scheduler.step(1.)
    with refuses(RuntimeError, "The number of param groups in the `optimizer` (3) differs from when", "MG713"):
        scheduler.step(2.)


def rosenbrock(x):
    return (1 - x[0]) ** 2 + 100 * (x[1] - x[0] ** 2) ** 2


#: name -> the function, where it begins, the options; where PyTorch 2.13 is after five steps, and how often it asked.
DESCENTS = {
    "the history is full": (rosenbrock, [-1.5, 2.], dict(lr=0.1, history_size=2, max_iter=8),
                            [-0.70693, 0.504702], 40, 40),
    "no more questions": (rosenbrock, [-1.5, 2.], dict(line_search_fn="strong_wolfe", history_size=2, max_iter=3,
                                                       max_eval=4), [-0.506095, 0.287755], 21, 13),
    "no curvature": (lambda x: x.sum(), [0., 0.], dict(), [-99.5, -99.5], 100, 100),
    "no end to the descent": (lambda x: x.sum(), [0., 0.], dict(line_search_fn="strong_wolfe"),
                              [-5e23, -5e23], 74, 5),
    "an edge": (lambda x: x.abs().sum(), [1.3, -0.2], dict(line_search_fn="strong_wolfe"), [0., 0.], 111, 8),
    "already there": (lambda x: ((x - 3) ** 2).sum(), [3., 3.], dict(), [3., 3.], 5, 0),
    "hills": (lambda x: (3 * x).sin().sum() + (x ** 2).sum() / 10, [0.1, 2.5], dict(line_search_fn="strong_wolfe",
                                                                               lr=10.), [-2.560806, 1.536589], 21, 11),
}


@pytest.mark.parametrize("name", DESCENTS)
def test_lbfgs_goes_pytorchs_way(torch, name):
    function, begin, options, end, evaluations, iterations = DESCENTS[name]
    x = torch.tensor(begin, dtype=torch.float64, requires_grad=True)
    lbfgs = torch.optim.LBFGS([x], **options)

    def closure():
        lbfgs.zero_grad()
        loss = function(x)
        loss.backward()
        return loss

    for _ in range(5):
        lbfgs.step(closure)
    assert x.tolist() == pytest.approx(end, rel=1e-5, abs=1e-6)
    assert (lbfgs.state[x]["func_evals"], lbfgs.state[x]["n_iter"]) == (evaluations, iterations)


def test_lbfgs_knows_one_search(torch):
    x = torch.ones(1, requires_grad=True)
    lbfgs = torch.optim.LBFGS([x], line_search_fn="x")

    def closure():
        loss = (x ** 2).sum()
        loss.backward()
        return loss

    with refuses(RuntimeError, "only 'strong_wolfe' is supported", "MG713"):
        lbfgs.step(closure)


@pytest.mark.parametrize("use_buffers, mean", [(True, [2., 2.]), (False, [3., 3.])])
def test_buffers_are_averaged_or_taken_over(torch, use_buffers, mean):
    model = torch.nn.BatchNorm1d(2)
    averaged = torch.optim.swa_utils.AveragedModel(model, use_buffers=use_buffers)
    for value in (1., 3.):
        model.running_mean.fill_(value)
        averaged.update_parameters(model)
    assert averaged.module.running_mean.tolist() == mean


def test_a_state_inside_a_state_is_converted_to_the_dtype_of_its_parameter(torch):
    p = torch.ones(1, requires_grad=True)
    of_optimizer = torch.optim.SGD([p], lr=0.1)
    wide = torch.ones(1, dtype=torch.float64)
    of_optimizer.state[p] = {"a": {"b": wide.clone(), "c": [wide.clone(), 3]}, "step": wide.clone()}
    of_optimizer.load_state_dict(of_optimizer.state_dict())
    state = of_optimizer.state[p]
    assert state["a"]["b"].dtype is state["a"]["c"][0].dtype is torch.float32 and state["a"]["c"][1] == 3
    assert state["step"].dtype is torch.float64


def test_names_of_parameters_travel_with_the_state(torch):
    one, other, without = [torch.nn.Linear(1, 1) for _ in range(3)]
    state = torch.optim.SGD(one.named_parameters(), lr=0.1).state_dict()
    assert state["param_groups"][0]["param_names"] == ["weight", "bias"]
    for given in (other.named_parameters(), without.parameters()):
        loaded = torch.optim.SGD(given, lr=0.2)
        loaded.load_state_dict(state)
        assert loaded.param_groups[0]["param_names"] == ["weight", "bias"]
