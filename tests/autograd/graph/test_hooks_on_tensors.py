"""Hooks on tensors: when they are called, with what, in which order, and what becomes of what they return."""

import warnings

import numpy as np
import pytest

import minigrad
from minigrad.autograd.graph import register_multi_grad_hook
from tests.autograd.programs import leaf
from tests.checking import is_minigrad, refuses


# ------------------------------------------------------------------------------ when they run, and with what

def test_a_hook_sees_the_gradient(torch):
    seen = []
    x = leaf(torch, 1., 2.)
    y = x * 2
    y.register_hook(lambda g: seen.append(g.tolist()))
    (y * 3).sum().backward()
    assert seen == [[3., 3.]] and x.grad.tolist() == [6., 6.]


def test_a_hook_can_replace_it(torch):
    x = leaf(torch, 1., 2.)
    y = x * 2
    y.register_hook(lambda g: g * 10)
    (y * 3).sum().backward()
    assert x.grad.tolist() == [60., 60.]


def test_a_gradient_in_memory_that_may_not_be_written_to(torch):
    """The node of exp could compute its result in the memory of a gradient that nobody else has."""
    x, given = leaf(torch, 1., 2.), []

    def hook(g):
        array = np.full(2, 3., np.float32)
        array.flags.writeable = False
        given.append(array.__array_interface__["data"][0])
        return torch.from_numpy(array)

    y = x.exp()
    y.register_hook(hook)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")                 # PyTorch warns of memory that may not be written to
        y.sum().backward()
    assert torch.allclose(x.grad, 3 * y.detach()) and given != [x.grad.data_ptr()]


def test_hooks_of_a_saved_result_and_of_the_result_itself(torch):
    seen = []
    y = leaf(torch, 1., 2.).exp()
    saved = y.grad_fn._saved_result
    saved.register_hook(lambda g: seen.append("saved"))
    y.register_hook(lambda g: seen.append("itself"))
    again = y.grad_fn._saved_result.register_hook(lambda g: seen.append("saved again"))
    y.sum().backward(retain_graph=True)
    again.remove()
    y.sum().backward()
    assert seen == ["saved", "itself", "saved again", "saved", "itself"]


def test_a_hook_in_a_pass_inside_a_transform(torch):
    def f(x):
        y = x * x
        y.register_hook(lambda g: g * x)
        g, = torch.autograd.grad(y.sum(), x)            # 2 x^2, a constant for the transform
        return (g * x).sum()

    assert torch.func.grad(f)(torch.tensor([1., 2.])).tolist() == [2., 8.]


def test_a_hook_sees_the_whole_gradient_once(torch):
    seen = []
    x = leaf(torch, 1.)
    y = x * 2
    y.register_hook(lambda g: seen.append(g.item()))
    (y * 3 + y * 4 + y).backward()
    assert seen == [8.]


def test_a_hook_on_a_leaf(torch):
    seen = []
    x = leaf(torch, 1., 2.)
    x.register_hook(lambda g: (seen.append(g.tolist()), g * 10)[1])
    (x * 3).sum().backward()
    (x * 1).sum().backward()
    assert seen == [[3., 3.], [1., 1.]] and x.grad.tolist() == [40., 40.]


def test_a_hook_on_a_leaf_in_grad(torch):
    x = leaf(torch, 1., 2.)
    x.register_hook(lambda g: g * 10)
    assert torch.autograd.grad((x * 3).sum(), x)[0].tolist() == [30., 30.] and x.grad is None


def test_a_hook_on_a_result_in_grad(torch):
    x = leaf(torch, 1., 2.)
    y = x * 2
    y.register_hook(lambda g: g * 10)
    assert torch.autograd.grad((y * 3).sum(), y, retain_graph=True)[0].tolist() == [30., 30.]
    gy, gx = torch.autograd.grad((y * 3).sum(), [y, x])
    assert gx.tolist() == [60., 60.]
    # sic: where its node has to run for others, y is given what came before the hooks
    assert gy.tolist() == [3., 3.]


def test_hooks_run_in_the_order_of_registration(torch):
    seen = []
    x = leaf(torch, 1.)
    x.register_hook(lambda g: (seen.append(("first", g.item())), g * 2)[1])
    x.register_hook(lambda g: (seen.append(("second", g.item())), g + 1)[1])
    x.register_hook(lambda g: seen.append(("third", g.item())))
    (x * 3).backward()
    assert seen == [("first", 3.), ("second", 6.), ("third", 7.)] and x.grad.tolist() == [7.]


def test_retained_gradients_come_after_hooks(torch):
    x = leaf(torch, 1., 2.)
    y = x * 2
    y.retain_grad()
    y.register_hook(lambda g: g * 10)
    (y * 3).sum().backward()
    assert y.grad.tolist() == [30., 30.] and x.grad.tolist() == [60., 60.]


def test_a_hook_on_one_output_of_several(torch):
    x = torch.ones(2, 2, requires_grad=True)
    a, b = x.unbind(0)
    a.register_hook(lambda g: g * 10)
    (a + b).sum().backward()
    assert x.grad.tolist() == [[10., 10.], [1., 1.]]


def test_a_hook_on_the_root(torch):
    x = leaf(torch, 1., 2.)
    y = x.sum()
    y.register_hook(lambda g: g * 5)
    y.backward()
    assert x.grad.tolist() == [5., 5.]


def test_a_hook_without_a_gradient_is_not_called(torch):
    seen = []
    x, w = leaf(torch, 1.), leaf(torch, 1.)
    y = x * 2
    y.register_hook(seen.append)
    (w * 2).backward()
    assert seen == []


def test_recording_in_a_hook(torch):
    seen = []
    x = leaf(torch, 1., 2.)
    y = x * x
    y.register_hook(lambda g: seen.append((g.requires_grad, torch.is_grad_enabled())))
    z = (y * y).sum()
    z.backward(retain_graph=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        z.backward(create_graph=True)
    assert seen == [(False, False), (True, True)]


def test_what_a_hook_returns_is_differentiated(torch):
    x = leaf(torch, 2.)
    y = x * 1
    y.register_hook(lambda g: g * x)
    (g,) = torch.autograd.grad(y * 3, x, create_graph=True)
    assert g.tolist() == [6.] and torch.autograd.grad(g, x)[0].tolist() == [3.]


def test_a_gradient_kept_by_a_hook_stays_as_it_was(torch):
    kept = []
    x = leaf(torch, 1., 2.)
    y = x + 0
    y.register_hook(kept.append)
    (y * 2).sum().backward()
    x.grad.add_(5)
    (x * 1).sum().backward()
    assert kept[0].tolist() == [2., 2.]


def test_a_hook_that_returns_somebodys_tensor(torch):
    w = torch.tensor([7., 7.])
    x = leaf(torch, 1., 2.)
    x.register_hook(lambda g: w)
    (x * 2).sum().backward()
    (x * 2).sum().backward()
    assert w.tolist() == [7., 7.] and x.grad.tolist() == [14., 14.]


class Half(minigrad.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        return a + b

    @staticmethod
    def backward(ctx, d):
        return d, None


def test_hooks_hear_of_a_gradient_that_is_undefined():
    x = minigrad.ones(2, requires_grad=True)
    a, b = x * 2, x * 3
    heard, alone = [], []
    register_multi_grad_hook((a, b), lambda gradients: heard.append([g is not None for g in gradients]))
    b.register_hook(alone.append)
    Half.apply(a, b).sum().backward()
    assert heard == [[True, False]] and alone == [None] and x.grad.tolist() == [2, 2]


# ------------------------------------------------------------------------------ what they return

@pytest.mark.parametrize(("returned", "kind"), [(3, "int"), ("abc", "str"), ((), "tuple"), (0, "int"), (False, "bool")])
def test_a_tensor_hook_that_returns_no_tensor(torch, returned, kind):
    x = leaf(torch, 1., 2.)
    handle = x.register_hook(lambda g: returned)
    z = (x * 2).sum()
    with refuses((TypeError, RuntimeError), f"expected Variable, but hook returned '{kind}'", "MG121"):
        z.backward(retain_graph=True)
    assert x.grad is None
    handle.remove()
    z.backward()
    assert x.grad.tolist() == [2., 2.]


def test_what_a_hook_returns_goes_to_the_next_one(torch):
    seen = []
    x = leaf(torch, 1., 2.)
    y = x * 2
    y.grad_fn.register_prehook(lambda outer: (outer[0] * 10,))
    y.grad_fn.register_prehook(lambda outer: seen.append(outer[0].tolist()))
    y.grad_fn.register_hook(lambda inner, outer: (inner[0] + 1, None))
    y.grad_fn.register_hook(lambda inner, outer: seen.append((inner[0].tolist(), inner[1], outer[0].tolist())))
    y.sum().backward()
    assert seen == [[10., 10.], ([21., 21.], None, [10., 10.])] and x.grad.tolist() == [21., 21.]


def test_a_hook_cannot_make_a_gradient_of_none():
    x = minigrad.ones(2, requires_grad=True)
    a, b = x * 2, x * 3
    b.register_hook(lambda g: minigrad.ones(2))
    with pytest.raises(RuntimeError, match="can't replace a None gradient with a non-None value"):
        Half.apply(a, b).sum().backward()


# ------------------------------------------------------------------------------ what is refused

def test_a_tensor_that_does_not_require_grad(torch):
    with refuses(RuntimeError, "cannot register a hook on a tensor that doesn't require gradient", "MG103"):
        torch.ones(2).register_hook(lambda g: g)


def test_a_hook_that_changes_the_shape(torch):
    x = leaf(torch, 1., 2.)
    x.register_hook(lambda g: g.sum())
    with refuses(RuntimeError, "hook '<lambda>' has changed the size of value", "MG119"):
        (x * 2).sum().backward()
    assert x.grad is None


def test_a_hook_that_changes_the_dtype(torch):
    x = leaf(torch, 1., 2.)
    x.register_hook(lambda g: g.double())
    with refuses(RuntimeError, "hook '<lambda>' has changed the type of value (was torch.FloatTensor got "
                 "torch.DoubleTensor)", "MG119"):
        (x * 2).sum().backward()
    assert x.grad is None


def test_a_hook_that_returns_no_tensor(torch):
    x = leaf(torch, 1., 2.)
    x.register_hook(lambda g: 3)
    with refuses((TypeError, RuntimeError), "expected Variable, but hook returned 'int'", "MG121"):
        (x * 2).sum().backward()


@pytest.mark.parametrize("register", ["register_hook", "register_post_accumulate_grad_hook"])
def test_a_tensor_hook_that_is_not_a_function(torch, register):
    """PyTorch notices in the backward pass; minigrad when it is registered, and registers nothing."""
    x = leaf(torch, 1.)
    with refuses(TypeError, "'int' object is not callable", "MG121"):
        getattr(x, register)(3)
        (x * 2).backward()
    if is_minigrad(torch):
        (x * 2).backward()
        assert x.grad.tolist() == [2.]


# ------------------------------------------------------------------------------ in-place operations

def test_hooks_before_a_write_belong_to_the_old_value(torch):
    seen, x = [], leaf(torch, 1., 2.)
    y = x * 1
    y.register_hook(lambda g: seen.append(("old", g.tolist())))
    y.mul_(3)
    y.register_hook(lambda g: seen.append(("new", g.tolist())))
    y.sum().backward()
    assert seen == [("new", [1., 1.]), ("old", [3., 3.])] and x.grad.tolist() == [3., 3.]


def test_a_retained_gradient_follows_the_new_value(torch):
    x = leaf(torch, 1., 2.)
    y = x * 1
    y.retain_grad()
    y.mul_(3)
    y.sum().backward()
    assert y.grad.tolist() == [1., 1.] and y.retains_grad


def test_a_handle_of_the_old_value_still_removes(torch):
    x = leaf(torch, 1., 2.)
    y = x * 1
    handle = y.register_hook(lambda g: g * 100)
    y.mul_(3)
    handle.remove()
    y.sum().backward()
    assert x.grad.tolist() == [3., 3.]


@pytest.mark.parametrize("create_graph", [False, True])
@pytest.mark.parametrize("register", [
    lambda y: y.register_hook(lambda g: g.to("meta")),
    lambda y: y.grad_fn.register_prehook(lambda outer: (outer[0].to("meta"),)),
    lambda y: y.grad_fn.register_hook(lambda inner, outer: (inner[0].to("meta"), None))])
def test_a_hook_does_not_move_a_gradient_to_another_device(torch, register, create_graph):
    x = torch.tensor([1., 2.], requires_grad=True)
    y = x * 2
    register(y)
    with refuses(RuntimeError, "has changed the type of value (was torch.FloatTensor got ", "MG119"):
        torch.autograd.grad(y.sum(), x, create_graph=create_graph)
