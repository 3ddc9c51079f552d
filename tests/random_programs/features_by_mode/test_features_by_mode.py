"""Each derivative of each feature is that of its differences, in whatever way it is asked for."""

import collections

import pytest

import minigrad as torch
from minigrad import func

from . import modes
from .features import FEATURES
from .modes import CURVATURES, GRADIENTS, PRODUCTS, SLOPES, THIRDS, T, X, outcome

#: (steps, weight) of central differences of the sixth order
DIFFERENCES = [(1, 3 / 4), (2, -3 / 20), (3, 1 / 60)]
STEP = 1e-3
ALL_MODES = [*GRADIENTS, *SLOPES, *PRODUCTS, *CURVATURES, *THIRDS]

#: How many modes refuse a feature, by the code of the error; they are refused in PyTorch, too, or it is wrong there.
REFUSED = {
    "old_style": {"MG302": 29},                                     # transforms ask for a setup_context
    "writes_to_a_view": {"MG117": 20},                              # mark_dirty of a view, under grad
    **dict.fromkeys(["hooks_on_saved_tensors", "hooks_in_hooks", "saved_on_the_cpu"], {"MG122": 20}),
    # a checkpoint is hooks; and its second run is too late where a level has been closed meanwhile
    **dict.fromkeys(["checkpointed", "checkpoint_in_a_checkpoint", "checkpointed_function"],
                    {"MG122": 20, "MG117": 2, "MG723": 1}),
    **dict.fromkeys(["gradient_inside", "cotangent_inside", "map_of_gradients_inside", "hessian_inside",
                     "written_gradient_inside", "derivatives_that_close_over", "linear_part_inside", "step_inside"],
                    {"MG122": 5}),
    # a tangent without room for all examples
    **dict.fromkeys(["writes_to_a_copy", "writes_to_what_was_made_here"], {"MG117": 1}),
    "writes_to_views": {"MG101": 1},
    **dict.fromkeys(["recorded_gradient_inside", "jacobian_inside"], {"MG117": 14}),     # requires_grad_ in a transform
    "gradients_retained_around_writes": {"MG117": 16},              # retain_grad in a transform
    "dual_level_inside": {"MG117": 27, "MG126": 10},
}
#: what loses a tangent on purpose: functional.jacobian detaches an input that does not require grad
DETACHED = {("jacobian_inside", "of_a_dual")}


def differences(function, x):
    """The derivative of ``function`` by each of three numbers."""
    rows = []
    for step in torch.eye(3, dtype=torch.float64) * STEP:
        rows.append(sum([weight * (function(x + n * step) - function(x - n * step))
                         for n, weight in DIFFERENCES]) / STEP)
    return torch.stack(rows)


def examine(feature):
    """(the modes that give another derivative, {code: how many modes refuse})."""
    wrong, refused = [], collections.Counter()
    derive = func.grad if isinstance(outcome(modes.by_grad, feature), Exception) else gradient_of
    gradient = differences(lambda x: feature(x).detach(), X)
    hessian = differences(lambda x: derive(feature)(x).detach(), X)
    third = None
    for expected, group in ((gradient, GRADIENTS), (gradient @ T, SLOPES), (hessian @ T, PRODUCTS),
                            (T @ hessian @ T, CURVATURES), (None, THIRDS)):
        for mode in group:
            found = outcome(mode, feature)
            if isinstance(found, Exception):
                refused[getattr(found, "code", repr(found))] += 1
                continue
            if group is THIRDS:                                     # compared with each other
                expected = third = found if third is None else third
            if found is None or not torch.allclose(found.detach(), expected, rtol=1e-6, atol=1e-7):
                wrong.append(mode.__name__)
    return wrong, dict(refused)


def gradient_of(feature):
    def gradient(x):
        x = x.detach().requires_grad_()
        return torch.autograd.grad(feature(x), x)[0]

    return gradient


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("feature", FEATURES, ids=lambda feature: feature.__name__)
def test_every_mode_gives_the_derivative_of_the_differences(feature):
    wrong, refused = examine(feature)
    assert [mode for mode in wrong if (feature.__name__, mode) not in DETACHED] == []
    assert refused == REFUSED.get(feature.__name__, {})


def test_there_are_no_entries_of_other_features():
    assert {*REFUSED} <= {feature.__name__ for feature in FEATURES} and len(FEATURES) > 50


class WrongSecond(torch.autograd.Function):
    """Its first derivative is right."""

    generate_vmap_rule = True
    setup_context = staticmethod(lambda ctx, inputs, output: ctx.save_for_backward(inputs[0]))

    @staticmethod
    def forward(x):
        return x * x

    @staticmethod
    def backward(ctx, g):
        return 2 * g * ctx.saved_tensors[0].detach()


class WrongTangent(WrongSecond):
    @staticmethod
    def backward(ctx, g):
        return 2 * g * ctx.saved_tensors[0]

    @staticmethod
    def jvp(ctx, t):
        return t * 2


@pytest.mark.parametrize("function, caught, spared", [
    (WrongSecond, "by_grad_twice by_hvp under_a_checkpoint grad_of_grad", "by_grad mapped_gradients"),
    (WrongTangent, "by_jvp of_a_dual grad_of_jvp slope_of_a_map", "by_grad by_grad_twice grad_of_grad")])
@pytest.mark.filterwarnings("ignore:Using backward.. with create_graph=True")
def test_a_fault_is_seen_where_it_is(function, caught, spared):
    wrong, _ = examine(lambda x: function.apply(x.sin()).sum())
    assert {*caught.split()} <= {*wrong} and not {*spared.split()} & {*wrong}
    assert {*wrong} <= {mode.__name__ for mode in ALL_MODES}
