"""The backward pass itself: what runs, in which order, how often, and what is left when something raises."""

import gc
import weakref

import pytest

from tests.autograd.programs import failing, leaf
from tests.checking import refuses


def recorder(torch, log):
    """A Function that doubles, and notes its name when its backward runs."""
    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, name):
            ctx.name = name
            return x * 2

        @staticmethod
        def backward(ctx, g):
            log.append(ctx.name)
            return g * 2, None

    return Double.apply


# ------------------------------------------------------------------------------ what runs, and in which order

def test_every_node_runs_once(torch):
    log, x = [], leaf(torch, 1.)
    double = recorder(torch, log)
    shared = double(x, "shared")
    (double(shared, "a") + double(shared, "b") + shared).sum().backward()
    assert sorted(log) == ["a", "b", "shared"] and log[-1] == "shared"
    assert x.grad.tolist() == [2 * (2 + 2 + 1)]


def test_the_latest_recorded_node_runs_first(torch):
    log, x = [], leaf(torch, 1.)
    double = recorder(torch, log)
    a, b, c = (double(x, name) for name in "abc")
    (b + c + a).backward()
    assert log == ["c", "b", "a"]


def test_a_node_waits_for_all_its_gradients(torch):
    """A short and a long way from the result to the same node."""
    log, x = [], leaf(torch, 1.)
    double = recorder(torch, log)
    y = double(x, "y")
    z = y
    for i in range(5):
        z = double(z, i)
    (z + y).backward()
    assert log == [4, 3, 2, 1, 0, "y"] and x.grad.tolist() == [2 * (32 + 1)]


def test_a_branch_that_does_not_matter_does_not_run(torch):
    log, x = [], leaf(torch, 1.)
    double = recorder(torch, log)
    y = double(x, "used")
    double(y, "not used")
    y.backward()
    assert log == ["used"]


def test_a_constant_branch_is_not_recorded(torch):
    log, x = [], leaf(torch, 1.)
    double = recorder(torch, log)
    (double(torch.ones(1), "constant") * x).backward()
    assert log == []


def test_an_output_without_a_gradient(torch):
    """Of several outputs only one is used: the other's gradient is zero, and the input's is whole."""
    x = torch.arange(6.).reshape(2, 3).requires_grad_()
    a, _ = x.unbind(0)
    (a * a).sum().backward()
    assert x.grad.tolist() == [[0., 2., 4.], [0., 0., 0.]]


def test_no_output_has_a_gradient(torch):
    class NoGradient(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1

        @staticmethod
        def backward(ctx, g):
            return None

    x, w = leaf(torch, 1.), leaf(torch, 1.)
    (NoGradient.apply(x * x) + w).backward()
    assert x.grad is None and w.grad.tolist() == [1.]


def test_none_meets_a_gradient(torch):
    class NoGradient(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1

        @staticmethod
        def backward(ctx, g):
            return None

    x = leaf(torch, 3.)
    y = x * x
    (NoGradient.apply(y) + y).backward()
    assert x.grad.tolist() == [6.]


def test_a_diamond_many_times_over(torch):
    """2^40 paths, 80 nodes."""
    x = leaf(torch, 1., dtype=torch.float64)
    y = x
    for _ in range(40):
        y = y + y
    y.backward()
    assert x.grad.tolist() == [2. ** 40]


def test_a_wide_graph(torch):
    x = leaf(torch, 1., dtype=torch.float64)
    torch.stack([x * i for i in range(2000)]).sum().backward()
    assert x.grad.tolist() == [1999 * 1000]


def test_more_inputs_than_a_short_can_count(torch):
    x = leaf(torch, 1.)
    torch.stack([x] * 70_000).sum().backward()
    assert x.grad.tolist() == [70_000.]


@pytest.mark.parametrize("n", [255, 256, 300, 70_000])
def test_a_function_that_saves_many_tensors(torch, n):
    class Many(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, *others):
            ctx.save_for_backward(x, *others)
            return x * 1

        @staticmethod
        def backward(ctx, g):
            return (g * len(ctx.saved_tensors), *[None] * n)

    x = leaf(torch, 1.)
    Many.apply(x, *[torch.zeros(())] * n).backward()
    assert x.grad.tolist() == [n + 1.]


def test_more_outputs_than_a_short_can_count(torch):
    x = torch.ones(70_000, requires_grad=True)
    outputs = x.unbind(0)
    assert outputs[-1].output_nr == 69_999
    (outputs[-1] * 3 + outputs[0]).backward()
    assert x.grad[0].item() == 1 and x.grad[-1].item() == 3 and x.grad.sum().item() == 4


# ------------------------------------------------------------------------------ grad mode inside

def test_recording_is_off_in_a_plain_pass_and_on_with_create_graph(torch):
    seen = []

    class Look(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1

        @staticmethod
        def backward(ctx, g):
            seen.append(torch.is_grad_enabled())
            return g * 1

    x = leaf(torch, 1.)
    y = Look.apply(x)
    torch.autograd.grad(y, x, retain_graph=True)
    torch.autograd.grad(y, x, create_graph=True)
    with torch.no_grad():
        torch.autograd.grad(y, x, retain_graph=True)
        torch.autograd.grad(y, x, create_graph=True)
        assert not torch.is_grad_enabled()
    assert torch.is_grad_enabled() and seen == [False, True, False, True]


def test_a_mode_that_a_function_leaves_on_ends_with_it(torch):
    seen = []

    class Leave(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1

        @staticmethod
        def backward(ctx, g):
            seen.append(torch.is_grad_enabled())
            torch.set_grad_enabled(True)
            return g * 1

    x = leaf(torch, 1.)
    with torch.no_grad():
        with torch.enable_grad():
            y = Leave.apply(Leave.apply(x))
        y.backward()
        assert not torch.is_grad_enabled()
    assert seen == [False, False]


def test_gradients_of_gradients_under_no_grad(torch):
    x = leaf(torch, 3.)
    y = x * x * x
    with torch.no_grad():
        (g,) = torch.autograd.grad(y, x, create_graph=True)
    assert torch.autograd.grad(g, x)[0].tolist() == [18.]


# ------------------------------------------------------------------------------ freeing

def test_saved_tensors_are_freed_as_nodes_run(torch):
    x = leaf(torch, 1., 2.)
    factor = torch.tensor([3., 4.])
    watch = weakref.ref(factor)
    y = (x * factor).sum()
    del factor
    assert watch() is not None
    y.backward()
    assert watch() is None and y.requires_grad


def test_with_retain_graph_they_stay(torch):
    x = leaf(torch, 1., 2.)
    factor = torch.tensor([3., 4.])
    watch = weakref.ref(factor)
    y = (x * factor).sum()
    del factor
    y.backward(retain_graph=True)
    assert watch() is not None
    y.backward()
    assert watch() is None


def test_a_node_that_saved_nothing_runs_again(torch):
    x = leaf(torch, 1., 2.)
    y = (x + x - 3).sum().reshape(1).expand(3).sum()
    y.backward()
    y.backward()
    assert x.grad.tolist() == [12., 12.]


def test_a_freed_node_in_the_middle(torch):
    x = leaf(torch, 1., 2.)
    shared = x * x
    (shared * 2).sum().backward()
    with refuses(RuntimeError, "Trying to backward through the graph a second time (or directly access saved tensors "
                               "after they have already been freed)",
                 "MG102"):
        shared.sum().backward()
    assert x.grad.tolist() == [4., 8.]


def test_saved_attributes_of_a_freed_node(torch):
    x = leaf(torch, 1., 2.)
    y = x * x
    assert y.grad_fn._saved_self.tolist() == [1., 2.]
    y.sum().backward()
    with refuses(RuntimeError, "Trying to backward through the graph a second time", "MG102"):
        y.grad_fn._saved_self


def test_the_message_names_the_node():
    import minigrad as torch

    x = leaf(torch, 1., 2.)
    y = x.exp()
    y.sum().backward()
    with refuses(RuntimeError, "ExpBackward0", "MG102"):
        y.sum().backward()


# ------------------------------------------------------------------------------ exceptions in the middle

def test_the_exception_reaches_the_caller(torch):
    x = leaf(torch, 1.)
    with pytest.raises(KeyError, match="boom"):
        failing(torch).apply(x).backward()
    assert torch.is_grad_enabled()


def test_afterwards_the_graph_can_be_used(torch):
    x, w = leaf(torch, 3.), leaf(torch, 5.)
    Fail = failing(torch)
    y = (Fail.apply(x * x) * w).sum()
    for _ in range(3):
        with pytest.raises(KeyError):
            y.backward(retain_graph=True)
    w.grad = None
    Fail.broken = False
    y.backward()
    assert x.grad.tolist() == [2 * 6. * 5.] and w.grad.tolist() == [18.]


def test_gradients_on_their_way_are_dropped(torch):
    """The pass that failed left nothing in the buffers of nodes that it did not reach."""
    x = leaf(torch, 3.)
    Fail = failing(torch)
    y = x * x
    z = y * 7
    bad = Fail.apply(y)
    for _ in range(2):
        with pytest.raises(KeyError):
            torch.autograd.backward([z, bad], retain_graph=True)
    assert torch.autograd.grad(y, x)[0].tolist() == [6.]


def test_what_was_accumulated_before_stays(torch):
    x, w = leaf(torch, 3.), leaf(torch, 5.)
    with pytest.raises(KeyError):
        (failing(torch).apply(x) + w).backward()
    assert x.grad is None and w.grad.tolist() == [1.]


def test_a_failed_pass_keeps_nothing_alive(torch):
    x = leaf(torch, 3.)
    Fail = failing(torch)
    factor = torch.tensor([2.])
    watch = weakref.ref(factor)
    y = Fail.apply(x * factor) * 1
    del factor
    try:
        y.backward()
    except KeyError:
        pass
    del y
    gc.collect()
    assert watch() is None


def test_modes_after_a_failure(torch):
    x = leaf(torch, 3.)
    Fail = failing(torch)
    y = Fail.apply(x)
    with torch.no_grad():
        with pytest.raises(KeyError):
            y.backward(retain_graph=True)
        assert not torch.is_grad_enabled()
    with pytest.raises(KeyError):
        torch.autograd.grad(y, x, create_graph=True)
    assert torch.is_grad_enabled() and (x * 2).requires_grad


def test_forward_that_fails(torch):
    class Fail(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            raise KeyError("boom")

    x = leaf(torch, 3.)
    with pytest.raises(KeyError):
        Fail.apply(x)
    assert torch.is_grad_enabled() and (x * 2).requires_grad


def test_a_keyboard_interrupt(torch):
    x = leaf(torch, 3.)
    Fail = failing(torch, KeyboardInterrupt)
    y = Fail.apply(x)
    with pytest.raises(KeyboardInterrupt):
        y.backward()
    Fail.broken = False
    y.backward()
    assert x.grad.tolist() == [2.]
