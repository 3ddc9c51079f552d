"""Hooks on tensors and on nodes: when they are called, with what, in which order, and what they may return."""

import warnings

import pytest

from tests.checking import refuses


def leaf(torch, *values, **keywords):
    return torch.tensor(list(values), requires_grad=True, **keywords)


# ------------------------------------------------------------------------------ Tensor.register_hook

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


def test_handles(torch):
    x = leaf(torch, 1.)
    handle = x.register_hook(lambda g: g * 10)
    (x * 1).backward()
    handle.remove()
    handle.remove()
    (x * 1).backward()
    assert x.grad.tolist() == [11.]
    with x.register_hook(lambda g: g * 100):
        (x * 1).backward()
    (x * 1).backward()
    assert x.grad.tolist() == [112.]


def test_a_hook_may_remove_itself(torch):
    x = leaf(torch, 1.)
    handles = []
    handles.append(x.register_hook(lambda g: (handles[0].remove(), g * 10)[1]))
    x.register_hook(lambda g: g + 1)
    (x * 1).backward()
    (x * 1).backward()
    assert x.grad.tolist() == [11. + 2.]


def test_a_hook_may_register_another(torch):
    x = leaf(torch, 1.)
    x.register_hook(lambda g: x.register_hook(lambda g: g * 2) and None)
    (x * 1).backward()
    first = x.grad.item()
    (x * 1).backward()
    assert first in (1., 2.) and x.grad.item() - first >= 2.


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


def test_a_hook_that_raises(torch):
    x = leaf(torch, 1., 2.)
    y = x * x

    def fail(g):
        raise KeyError("boom")

    handle = y.register_hook(fail)
    z = y.sum()
    with pytest.raises(KeyError, match="boom"):
        z.backward()
    assert torch.is_grad_enabled()
    handle.remove()
    z.backward()
    assert x.grad.tolist() == [2., 4.]


# ------------------------------------------------------------------------------ a backward in a hook

def test_a_pass_over_another_graph(torch):
    w = leaf(torch, 3.)
    x = leaf(torch, 1.)
    other = w * w
    x.register_hook(lambda g: other.backward())
    (x * 2).backward()
    assert x.grad.tolist() == [2.] and w.grad.tolist() == [6.]


def test_a_pass_over_the_same_graph(torch):
    seen, entered = [], []
    x = leaf(torch, 2.)
    y = x * x
    z = y * y

    def again(g):
        if not entered:
            entered.append(True)
            seen.append(torch.autograd.grad(z, x, retain_graph=True)[0].item())

    y.register_hook(again)
    z.backward(retain_graph=True)
    assert seen == [32.] and x.grad.tolist() == [32.]


def test_a_pass_in_the_hook_of_the_leaf_it_accumulates_into(torch):
    x = leaf(torch, 2.)
    other, inside = x * 5, []

    def again(g):
        if not inside:
            inside.append(True)
            other.backward()

    x.register_hook(again)
    (x * 3).backward()
    assert x.grad.tolist() == [8.]


# ------------------------------------------------------------------------------ after accumulation

def test_post_accumulate_hooks(torch):
    seen = []
    x = leaf(torch, 1., 2.)
    x.register_post_accumulate_grad_hook(lambda p: seen.append((p is x, p.grad.tolist())))
    (x * 2).sum().backward()
    (x * 2).sum().backward()
    torch.autograd.grad((x * 2).sum(), x)
    assert seen == [(True, [2., 2.]), (True, [4., 4.])]


def test_an_optimizer_in_the_backward_pass(torch):
    x = leaf(torch, 1., 2.)

    def step(p):
        with torch.no_grad():
            p -= 0.5 * p.grad
        p.grad = None

    handle = x.register_post_accumulate_grad_hook(step)
    (x * 2).sum().backward()
    assert x.tolist() == [0., 1.] and x.grad is None
    handle.remove()
    (x * 2).sum().backward()
    assert x.tolist() == [0., 1.] and x.grad.tolist() == [2., 2.]


def test_they_are_for_leaves(torch):
    x = leaf(torch, 1.)
    with refuses(RuntimeError, "post accumulate grad hooks cannot be registered on non-leaf tensors", "MG119"):
        (x * 2).register_post_accumulate_grad_hook(lambda p: None)
    with refuses(RuntimeError, "cannot register a hook on a tensor that doesn't require gradient", "MG103"):
        torch.ones(1).register_post_accumulate_grad_hook(lambda p: None)


def test_they_return_none(torch):
    x = leaf(torch, 1.)
    x.register_post_accumulate_grad_hook(lambda p: p * 2)
    with refuses(RuntimeError, "Tensor post accumulate grad hooks should return None.", "MG119"):
        (x * 2).backward()


# ------------------------------------------------------------------------------ nodes

def test_hooks_on_a_node(torch):
    seen = []
    x = leaf(torch, 1., 2.)
    y = x * 2
    y.grad_fn.register_prehook(lambda outer: seen.append(("before", [g.tolist() for g in outer])))
    y.grad_fn.register_hook(lambda inner, outer: seen.append(
        ("after", [None if g is None else g.tolist() for g in inner], [g.tolist() for g in outer])))
    (y * 3).sum().backward()
    assert seen == [("before", [[3., 3.]]), ("after", [[6., 6.], None], [[3., 3.]])]


def test_hooks_on_a_node_can_replace_gradients(torch):
    x = leaf(torch, 1., 2.)
    y = x * 2
    y.grad_fn.register_prehook(lambda outer: (outer[0] * 10,))
    y.grad_fn.register_hook(lambda inner, outer: (inner[0] + 1, None))
    (y * 3).sum().backward()
    assert x.grad.tolist() == [61., 61.]


def test_a_prehook_runs_only_where_the_node_runs(torch):
    seen = []
    x = leaf(torch, 1., 2.)
    y = x * 2
    y.grad_fn.register_prehook(lambda outer: (seen.append(1), (outer[0] * 10,))[1])
    (g,) = torch.autograd.grad((y * 3).sum(), y, retain_graph=True)
    assert g.tolist() == [3., 3.] and not seen
    gy, gx = torch.autograd.grad((y * 3).sum(), [y, x])
    assert gy.tolist() == [3., 3.] and gx.tolist() == [60., 60.] and seen == [1]


def test_hooks_on_the_accumulator(torch):
    seen = []
    x = leaf(torch, 1., 2.)
    y = x * 2
    accumulator = y.grad_fn.next_functions[0][0]
    accumulator.register_prehook(lambda outer: seen.append(("before", outer[0].tolist())))
    accumulator.register_hook(lambda inner, outer: seen.append(("after", inner, outer[0].tolist(), x.grad.tolist())))
    (y * 3).sum().backward()
    assert seen == [("before", [6., 6.]), ("after", (), [6., 6.], [6., 6.])]


def test_a_node_hook_of_a_function(torch):
    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g * 2

    seen = []
    x = leaf(torch, 1.)
    y = Double.apply(x)
    handle = y.grad_fn.register_hook(lambda inner, outer: seen.append((inner[0].item(), outer[0].item())))
    y.backward(retain_graph=True)
    handle.remove()
    y.backward()
    assert seen == [(2., 1.)]
