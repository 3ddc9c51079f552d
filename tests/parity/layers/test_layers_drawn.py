"""A few random layers and trainings, others each time; and mistakes that the judge must see.

``python -m tests.parity.layers`` draws thousands.
"""

import collections
import inspect
import random
import types

import pytest

import minigrad
from minigrad import nn
from tests.parity.layers import trainings
from tests.parity.layers.comparing import answer, compared, difference, layer, of_layer
from tests.parity.layers.drawing import Dice
from tests.parity.layers.layers import LAYERS
from tests.random_programs.long_runs import installed_torch

COUNTS = {"layer": 200, "training": 100}


@pytest.mark.parity
@pytest.mark.parametrize("kind", COUNTS)
def test_random_ones_are_as_in_pytorch(kind):
    seed, counts = random.randrange(10 ** 6), collections.Counter()
    assert [*compared(installed_torch(), minigrad, kind, COUNTS[kind], seed, counts)] == []
    assert counts["compared"] > COUNTS[kind] / 2


def test_nearly_all_layers_and_optimizers_are_drawn():
    rest = {name for name in dir(nn) if inspect.isclass(getattr(nn, name)) and issubclass(getattr(nn, name), nn.Module)
            and not name.startswith("Lazy")} - {*LAYERS}
    assert rest == {
        "Module", "Sequential", "ModuleList", "ModuleDict", "ParameterList", "ParameterDict", "Container", "RNNBase",
        "RNNCellBase", "Transformer", "TransformerEncoder", "TransformerDecoder", "AdaptiveLogSoftmaxWithLoss",
        "LinearCrossEntropyLoss", "TripletMarginWithDistanceLoss", "NLLLoss2d", "CrossMapLRN2d", "SyncBatchNorm",
        "FractionalMaxPool2d", "FractionalMaxPool3d", "MaxUnpool1d", "MaxUnpool2d", "MaxUnpool3d", "Fold", "Unflatten",
        "UpsamplingNearest2d", "UpsamplingBilinear2d", "DataParallel",
        "DistributedDataParallel"}
    assert {*minigrad.optim.__all__} - {*trainings.OPTIMIZERS} - {*trainings.SCHEDULERS} == {
        "Optimizer", "SparseAdam", "LBFGS", "Muon", "lr_scheduler", "swa_utils"}


@pytest.mark.parametrize("name", LAYERS)
def test_a_layer_is_drawn_that_runs(name):
    """Of ten, at least one; and it gives the same again."""
    for seed in range(10):
        given = layer(Dice(seed), name)
        first = answer(minigrad, of_layer, seed, given)
        if first[0]:
            assert difference(first, answer(minigrad, of_layer, seed, given)) is None
            return
    pytest.fail(repr(first[1]))


def spoilt(**changes):
    """minigrad with another torch.nn."""
    return types.SimpleNamespace(**{**vars(minigrad), "nn": types.SimpleNamespace(**{**vars(nn), **changes})})


class Straight(nn.Tanh):
    def forward(self, x):
        """It has the right value and slope, and no bend."""
        y = super().forward(x.detach())
        return y + (1 - y * y) * (x - x.detach())


class Doubled(nn.Linear):
    def forward(self, x):
        return 2 * super().forward(x)


class WithoutGradient(nn.Linear):
    def forward(self, x):
        return super().forward(x.detach()) + 0 * x.sum()


class Single(nn.Linear):
    def forward(self, x):
        return super().forward(x).float()


@pytest.mark.parametrize("name, wrong, what", [
    ("Linear", Doubled, "result 0"), ("Linear", WithoutGradient, "gradient 0"), ("Linear", Single, "float32"),
    ("Tanh", Straight, "second gradient 0")])
def test_a_wrong_layer_is_seen(name, wrong, what):
    given = layer(Dice(3), name)
    right, found = [answer(torch, of_layer, 3, given) for torch in (minigrad, spoilt(**{name: wrong}))]
    assert what in difference(right, found)


def test_a_wrong_training_is_seen():
    class Wrong(minigrad.optim.SGD):
        def step(self, closure=None):
            for group in self.param_groups:
                group["lr"] *= 0.999
            return super().step(closure)

    given = {"name": "SGD", "options": {"lr": 0.1}, "scheduler": None, "of_scheduler": {}, "in_groups": False,
             "with_pauses": True, "loaded_again": True, "with_closure": False}
    torch = types.SimpleNamespace(**{**vars(minigrad), "optim": types.SimpleNamespace(SGD=Wrong)})
    right, found = [answer(library, trainings.train, 0, given) for library in (minigrad, torch)]
    assert right[1] is None and "learning rate 0" in difference(right, found)
