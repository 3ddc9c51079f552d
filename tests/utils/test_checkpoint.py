"""Checkpoints: the gradients, random numbers and errors of a function that is run again."""

import contextlib
import math

import pytest

import minigrad
from tests.checking import refuses

FORMS = pytest.mark.parametrize("form", [False, True], ids=["recorded", "reentrant"])


@pytest.fixture
def checkpoint(torch):
    return pytest.importorskip(f"{torch.__name__}.utils.checkpoint").checkpoint


def gradient(torch, function, *args, seed=0):
    x = torch.tensor([0.3, -0.4], dtype=torch.float64, requires_grad=True)
    torch.manual_seed(seed)
    y = function(x, *args)
    after = torch.rand(2)
    y.sum().backward()
    return y.tolist(), x.grad.tolist(), after.tolist(), torch.rand(2).tolist()


@FORMS
def test_results_gradients_and_random_numbers_are_those_of_the_function(torch, checkpoint, form):
    def noisy(x):
        return (x.exp() * torch.rand(2)).sin() * x

    assert gradient(torch, lambda x: checkpoint(noisy, x, use_reentrant=form)) == gradient(torch, noisy)


@FORMS
def test_other_arguments_and_several_results(torch, checkpoint, form):
    def f(x, factor, nothing):
        return x * factor, x.exp(), "text" if nothing is None else None

    x = torch.ones(2, requires_grad=True)
    a, b, text = checkpoint(f, x, 3, None, use_reentrant=form)
    (a + b).sum().backward()
    assert text == "text" and torch.allclose(x.grad, 3 + torch.ones(2).exp())


@FORMS
@pytest.mark.filterwarnings("ignore:None of the inputs have requires_grad")
def test_checkpoints_nest(torch, checkpoint, form):
    def nested(x):
        return checkpoint(torch.sin, x.exp(), use_reentrant=form) * x

    assert gradient(torch, lambda x: checkpoint(nested, x, use_reentrant=form)) == gradient(
        torch, lambda x: x.exp().sin() * x)


def test_the_gradient_of_a_gradient(torch, checkpoint):
    x = torch.tensor(0.3, dtype=torch.float64, requires_grad=True)

    def twice(y):
        first, = torch.autograd.grad(y, x, create_graph=True)
        return torch.autograd.grad(first, x)[0].item()

    def f(x):
        return x.exp().sin() * x

    assert twice(checkpoint(f, x, use_reentrant=False)) == twice(f(x))


def test_what_is_kept_alive_and_how_often_the_function_runs(torch, checkpoint):
    runs, ends = [], []

    def f(x):
        runs.append(1)
        y = x.exp()
        y = y.sin()
        ends.append(1)
        return y + 1

    x = torch.ones(2, requires_grad=True)
    y = checkpoint(f, x, use_reentrant=False)
    y.sum().backward(retain_graph=True)
    assert len(runs) == 2
    y.sum().backward()                                              # again: the second time is not kept
    assert len(runs) == 3
    checkpoint(f, x, use_reentrant=False, early_stop=False).sum().backward()
    assert len(runs) == 5 and len(ends) >= 3
    with torch.no_grad():
        checkpoint(f, x, use_reentrant=False)
    assert len(runs) == 6


def test_early_stop_leaves_out_what_nothing_needs(torch, checkpoint):
    ends = []

    def f(x):
        y = x.exp()
        ends.append(1)
        return y + 1

    x = torch.ones(2, requires_grad=True)
    checkpoint(f, x, use_reentrant=False).sum().backward()
    assert len(ends) == 1
    module = pytest.importorskip(f"{torch.__name__}.utils.checkpoint")
    with module.set_checkpoint_early_stop(False):
        checkpoint(f, x, use_reentrant=False).sum().backward()
    assert len(ends) == 3


def test_contexts_surround_the_two_runs(torch, checkpoint):
    seen = []

    @contextlib.contextmanager
    def named(name):
        seen.append(name)
        yield

    x = torch.ones(2, requires_grad=True)
    checkpoint(torch.exp, x, use_reentrant=False, context_fn=lambda: (named("first"), named("second"))).sum().backward()
    assert seen == ["first", "second"]
    with refuses(ValueError, "Passing `context_fn` or `debug` is only supported when use_reentrant=False.", "MG207"):
        checkpoint(torch.exp, x, use_reentrant=True, context_fn=lambda: None)
    with refuses(ValueError, "Unexpected keyword arguments: other", "MG207"):
        checkpoint(torch.exp, x, use_reentrant=True, other=1)


def test_a_function_that_does_something_else(torch, checkpoint):
    calls = []

    def other_shape(x):
        calls.append(1)
        return x.exp() if len(calls) == 1 else x.sum().exp()

    def less(x):
        calls.append(1)
        return x.exp().exp() if len(calls) == 1 else x.exp()

    x = torch.ones(2, requires_grad=True)
    with refuses(RuntimeError, "Recomputed values for the following tensors have different metadata", "MG723"):
        checkpoint(other_shape, x, use_reentrant=False).sum().backward()
    calls.clear()
    with refuses(RuntimeError, "A different number of tensors was saved during the original forward", "MG723"):
        checkpoint(less, x, use_reentrant=False).sum().backward()


def test_a_function_that_saves_more_the_second_time(torch, checkpoint):
    calls = []

    def more(x):
        calls.append(1)
        return x.exp() if len(calls) == 1 else x.exp().exp()

    x = torch.ones(2, requires_grad=True)
    with refuses(RuntimeError, "trying to save more tensors during recomputation than during the original forward",
                 "MG723"):
        checkpoint(more, x, use_reentrant=False, early_stop=False).sum().backward()


@pytest.mark.parametrize("form, early_stop", [(False, True), (False, False), (True, True)])
def test_a_write_to_what_the_function_has_saved_is_refused(form, early_stop):
    def f(x):
        y = x * 1
        z = y.sin()
        y.mul_(2)
        return (y * z).exp()

    x = minigrad.ones(2, requires_grad=True)
    with refuses(RuntimeError, "modified by an inplace operation", "MG101") as caught:
        y = minigrad.utils.checkpoint.checkpoint(f, x, use_reentrant=form, early_stop=early_stop)
        y.sum().backward()
    assert "test_checkpoint.py" in str(caught.value) and "`y.mul_(2)`" in str(caught.value)


def test_a_write_after_the_last_saved_tensor_is_not_repeated(torch, checkpoint):
    def f(x):
        y = x * 1
        z = y.sin()
        y.mul_(2)
        return z

    x = torch.ones(2, requires_grad=True)
    checkpoint(f, x, use_reentrant=False).sum().backward()
    assert x.grad.tolist() == pytest.approx([math.cos(1)] * 2)


def test_a_part_of_the_graph_that_is_gone_is_not_kept(torch, checkpoint):
    def f(x):
        return x.exp(), x.sin()

    x = torch.ones(2, requires_grad=True)
    exp, sin = checkpoint(f, x, use_reentrant=False)
    del exp                                                         # and what it saved
    sin.sum().backward()
    assert x.grad.tolist() == pytest.approx([math.cos(1)] * 2)


@pytest.mark.parametrize("early_stop", [True, False])
def test_a_function_that_differentiates(torch, checkpoint, early_stop):
    def f(x):
        y = x.exp()
        slope, = torch.autograd.grad(y.sum(), x, create_graph=True)
        return slope * x

    x = torch.ones(2, requires_grad=True)
    checkpoint(f, x, use_reentrant=False, early_stop=early_stop).sum().backward()
    assert x.grad.tolist() == pytest.approx([2 * math.e] * 2)


@pytest.mark.parametrize("form", [True, False])
def test_random_numbers_that_are_not_kept(torch, checkpoint, form):
    drawn = []

    def f(x):
        drawn.append(torch.rand(1).item())
        return x.exp() * 2

    x = torch.ones(2, requires_grad=True)
    checkpoint(f, x, use_reentrant=form, preserve_rng_state=False).sum().backward()
    assert len(drawn) == 2 and drawn[0] != drawn[1]


def test_arguments_that_are_refused(torch, checkpoint):
    module = pytest.importorskip(f"{torch.__name__}.utils.checkpoint")
    x = torch.ones(2, requires_grad=True)
    with refuses(ValueError, "Unexpected keyword arguments: other", "MG207"):
        module.checkpoint_sequential([torch.sin], 1, x, use_reentrant=False, other=1)
    with refuses(RuntimeError, "none of output has requires_grad=True, this checkpoint() is not necessary", "MG723"):
        checkpoint(lambda x: x.detach(), x, use_reentrant=True).sum().backward()
    with module.set_checkpoint_debug_enabled(True):
        assert checkpoint(torch.exp, x, use_reentrant=False).requires_grad


def test_a_check_of_another_name():
    with refuses(ValueError, "determinism_check should be one of 'default', 'none', but got 'some'", "MG207"):
        minigrad.utils.checkpoint.checkpoint(minigrad.exp, minigrad.ones(2), use_reentrant=False,
                                             determinism_check="some")


@pytest.mark.parametrize("inputs", [lambda torch, y, x: torch.autograd.grad(y, x),
                                    lambda torch, y, x: y.backward(inputs=[x])])
def test_the_older_form_needs_a_pass_to_all_leaves(torch, checkpoint, inputs):
    x = torch.ones(2, requires_grad=True)
    y = checkpoint(torch.exp, x, use_reentrant=True).sum()
    with refuses(RuntimeError, "When use_reentrant=True, torch.utils.checkpoint is incompatible with .grad()", "MG723"):
        inputs(torch, y, x)


@pytest.mark.filterwarnings("ignore:Using backward.. with create_graph=True")
def test_the_older_form_has_no_second_derivative():
    x = minigrad.ones(2, requires_grad=True)
    minigrad.utils.checkpoint.checkpoint(minigrad.exp, x, use_reentrant=True).sum().backward(create_graph=True)
    with refuses(RuntimeError, "trying to differentiate twice", "MG110"):
        x.grad.sum().backward()


def test_whoever_chooses_no_form_is_warned(torch):
    module = pytest.importorskip(f"{torch.__name__}.utils.checkpoint")
    x = torch.ones(2, requires_grad=True)
    with pytest.warns(UserWarning, match="the use_reentrant parameter should be passed explicitly"):
        y = module.checkpoint_sequential([torch.sin, torch.exp], 2, x)
    y.sum().backward()
    assert x.grad.tolist() == pytest.approx([math.cos(1) * math.exp(math.sin(1))] * 2)


@FORMS
def test_a_sequence_of_functions(torch, form):
    module = pytest.importorskip(f"{torch.__name__}.utils.checkpoint")
    layers = [torch.sin, torch.exp, torch.cos, torch.tanh, torch.exp]
    assert gradient(torch, lambda x: module.checkpoint_sequential(layers, 2, x, use_reentrant=form)) == gradient(
        torch, lambda x: x.sin().exp().cos().tanh().exp())


def test_the_node_of_the_older_form_may_be_run_by_hand():
    """Outside a pass there are no inputs that it was asked for, and the leaves inside get their gradients."""
    x, w = minigrad.ones(2, requires_grad=True), minigrad.tensor([2., 3.], requires_grad=True)
    y = minigrad.utils.checkpoint.checkpoint(lambda t: t * w, x, use_reentrant=True)
    with minigrad.no_grad():
        g = y.grad_fn(minigrad.tensor([1., 5.]))
    assert g.tolist() == [2., 15.] and w.grad.tolist() == [1., 5.] and x.grad is None
