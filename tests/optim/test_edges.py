"""What a class of optimizers or schedules of one's own must define, and schedules that begin in the midst."""

import math

import pytest

import minigrad as torch
from minigrad import optim
from minigrad.optim import lbfgs, lr_scheduler
from minigrad.optim.optimizer import required
from minigrad.optim.rules import Rule
from tests.checking import refuses


def parameter(torch=torch):
    p = torch.nn.Parameter(torch.ones(1))
    p.grad = torch.ones(1)
    return p


def sgd(torch=torch, **options):
    return torch.optim.SGD([{"params": [parameter(torch)], "lr": 1., **options}])


def test_what_is_not_defined_is_named():
    with refuses(NotImplementedError, "Optimizer does not define step()", "MG305"):
        optim.Optimizer([parameter()], {}).step()
    with refuses(NotImplementedError, "Mine does not define update()", "MG305"):
        type("Mine", (Rule,), {})([parameter()], {"differentiable": False}).step()
    with refuses(NotImplementedError, "LRScheduler does not define get_lr()", "MG305"):
        lr_scheduler.LRScheduler(sgd())


def test_an_option_that_each_group_must_have_shows_what_it_is():
    assert repr(required) == "<required parameter>"
    with refuses(ValueError, "required optimization parameter lr", "MG711"):
        optim.Optimizer([parameter()], {"lr": required})


@pytest.mark.parametrize("epoch", [1, 2, 5])
def test_a_cosine_that_begins_in_the_midst_keeps_the_rate_and_knows_its_own(torch, epoch):
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(sgd(torch, initial_lr=0.5), 4, last_epoch=epoch - 1)
    assert schedule.get_last_lr() == [1.]
    with pytest.warns(UserWarning, match="get_last_lr"):
        assert schedule.get_lr() == pytest.approx([(1 + math.cos(math.pi * epoch / 4)) / 4])


@pytest.mark.parametrize("t, stuck, expected", [(0.5, False, (0.5, False)), (0.95, False, (0.95, True)),
                                                (0.95, True, (0.9, False)), (0.05, True, (0.1, False)),
                                                (1.5, False, (0.9, False)), (-1., False, (0.1, False))])
def test_a_step_of_a_line_search_stays_inside_its_bracket(t, stuck, expected):
    assert lbfgs.inside(t, 0., 1., stuck) == pytest.approx(expected)


def test_warnings_of_the_order_of_steps_say_where_to_read(torch):
    optimizer = sgd(torch)
    with pytest.warns(UserWarning, match="Detected call of .*how-to-adjust-learning-rate"):
        torch.optim.lr_scheduler.StepLR(optimizer, 1).step()
    schedule = torch.optim.lr_scheduler.StepLR(optimizer, 1)
    optimizer.step = lambda: None
    with pytest.warns(UserWarning, match="has been overridden .*how-to-adjust-learning-rate"):
        schedule.step()
