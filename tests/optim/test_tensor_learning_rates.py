"""A learning rate that is a tensor, under every schedule: it stays the tensor that was given, with PyTorch's values."""

import pytest

import minigrad
from tests.checking import refuses

SCHEDULES = {
    "StepLR": (2, .5), "MultiStepLR": ([1, 3], .5), "ConstantLR": (.5, 2), "LinearLR": (.5, 1., 3),
    "ExponentialLR": (.9,), "PolynomialLR": (4, 2.), "CosineAnnealingLR": (4,), "CosineAnnealingWarmRestarts": (2,),
    "CyclicLR": (.1, .5, 2), "OneCycleLR": (.5, 10), "LambdaLR": (lambda epoch: .9 ** epoch,),
    "MultiplicativeLR": (lambda epoch: .9,), "ReduceLROnPlateau": ("min", .5, 0),
}


def scheduled(torch, name, lr, start=None):
    """A schedule, and the optimizer with two groups, of which the first has the learning rate ``lr``."""
    p, q = torch.ones(1, requires_grad=True), torch.ones(1, requires_grad=True)
    optimizer = torch.optim.SGD([{"params": [p], "lr": lr}, {"params": [q]}], lr=.25, momentum=.9)
    return getattr(torch.optim.lr_scheduler, name)(optimizer, *SCHEDULES[name]), optimizer


def run(torch, name, lr):
    """What can be seen after each of five steps: the learning rates, and the parameters."""
    schedule, optimizer = scheduled(torch, name, lr)
    for _ in range(5):
        for group in optimizer.param_groups:
            group["params"][0].grad = torch.ones(1)
        optimizer.step()
        schedule.step(*[1.] * (name == "ReduceLROnPlateau"))
        for group, last in zip(optimizer.param_groups, schedule.get_last_lr()):
            yield shown(group["lr"]), shown(last), group["params"][0].item()
    yield optimizer.param_groups[0]["lr"] is lr, schedule.get_last_lr()[0] is lr
    yield shown(getattr(schedule, "base_lrs", [0.])[0])
    yield shown(optimizer.param_groups[0].get("initial_lr", 0.))


def shown(x):
    return type(x).__name__, str(getattr(x, "dtype", "")).split(".")[-1], list(getattr(x, "shape", ())), float(x)


MAKE = {"float": lambda torch: .5, "float32": lambda torch: torch.tensor(.5),
        "of one dim": lambda torch: torch.ones(1),
        "float64": lambda torch: torch.tensor(.5, dtype=torch.float64),
        "with a history": lambda torch: torch.tensor(.25, requires_grad=True) * 2}


@pytest.mark.parity
@pytest.mark.parametrize("kind", MAKE)
@pytest.mark.parametrize("name", SCHEDULES)
@pytest.mark.filterwarnings("ignore")
def test_schedules_are_pytorch_s(name, kind):
    theirs = pytest.importorskip("torch")
    for ours, expected in zip(run(minigrad, name, MAKE[kind](minigrad)), run(theirs, name, MAKE[kind](theirs)),
                              strict=True):
        assert str(ours[:-1]) == str(expected[:-1])
        assert ours[-1] == pytest.approx(expected[-1], rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("name", SCHEDULES)
@pytest.mark.filterwarnings("ignore")
def test_the_tensor_stays_and_goes_with_the_number(name):
    numbers, lr = list(run(minigrad, name, .5)), minigrad.tensor(.5, dtype=minigrad.float64)
    tensors = list(run(minigrad, name, lr))
    for number, tensor in zip(numbers[:10:2], tensors[:10:2]):
        assert tensor[0][:3] == ("Tensor", "float64", []) and tensor[0][3] == pytest.approx(number[0][3], rel=1e-12)
        assert tensor[2] == pytest.approx(number[2], rel=1e-6)
    assert tensors[10][0] is True
    assert len({tensor[0][3] for tensor in tensors[:10:2]}) > 1


@pytest.mark.parametrize("name", SCHEDULES)
def test_a_learning_rate_that_is_a_leaf_is_not_overwritten(torch, name):
    lr = torch.tensor(.5, requires_grad=True)
    with refuses(RuntimeError, "a leaf Variable that requires grad is being used in an in-place operation", "MG105"):
        schedule, _ = scheduled(torch, name, lr)
        for _ in range(2):
            schedule.step(1.)
    assert lr.item() == .5
