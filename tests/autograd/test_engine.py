"""The backward pass itself: what runs, in which order, how often, and what is left when something raises."""

import gc
import threading
import warnings
import weakref

import pytest

from tests.checking import refuses


def leaf(torch, *values, **keywords):
    return torch.tensor(list(values), requires_grad=True, **keywords)


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

def failing(torch, error=KeyError):
    class Fail(torch.autograd.Function):
        broken = True

        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            if Fail.broken:
                raise error("boom")
            return g * 2

    return Fail


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


# ------------------------------------------------------------------------------ a backward in a backward

def test_recomputing_in_backward(torch):
    class Checkpoint(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x ** 3

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            with torch.enable_grad():
                again = x.detach().requires_grad_()
                y = again ** 3
            y.backward(g)
            return again.grad

    x = leaf(torch, 1., 2.)
    (Checkpoint.apply(x * 2) * 3).sum().backward()
    assert x.grad.tolist() == [3 * 3 * 4 * 2., 3 * 3 * 16 * 2.]


def test_inner_pass_over_nodes_of_the_outer_one(torch):
    """The outer pass has claimed y's nodes, and gradients for them are waiting."""
    x = leaf(torch, 1., 2.)
    y = x * x
    z = (y * y).sum()

    class Inner(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a):
            return a * 1

        @staticmethod
        def backward(ctx, g):
            (inner,) = torch.autograd.grad(z, x, retain_graph=True)
            return g * inner

    ((Inner.apply(y) * y).sum() + z).backward()
    # d/dx of z: 4x^3;  of Inner(y) y: y 4x^3 2x (by Inner) + y 2x
    assert x.grad.tolist() == [4 + 8 + 2., 32 + 4 * 32 * 4 + 4 * 4.]


def test_inner_pass_that_accumulates_into_the_same_leaf(torch):
    x = leaf(torch, 3.)
    other = (x * x * x).sum()

    class Inner(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a):
            return a * 1

        @staticmethod
        def backward(ctx, g):
            other.backward(retain_graph=True)
            return g

    Inner.apply(x * 2).backward()
    assert x.grad.tolist() == [2. + 27.]


def test_inner_pass_that_fails(torch):
    x = leaf(torch, 3.)
    y = x * x
    Fail = failing(torch)
    bad = Fail.apply(y)

    class Inner(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a):
            return a * 1

        @staticmethod
        def backward(ctx, g):
            with pytest.raises(KeyError):
                torch.autograd.grad(bad, x, retain_graph=True)
            return g

    (Inner.apply(y) + y).backward()
    assert x.grad.tolist() == [12.]


def test_passes_within_passes(torch):
    deepest = []

    class Nested(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a, depth):
            ctx.depth = depth
            ctx.save_for_backward(a)
            return a * 2

        @staticmethod
        def backward(ctx, g):
            if not ctx.depth:
                deepest.append(threading.get_ident())
                return g * 2, None
            with torch.enable_grad():
                a = ctx.saved_tensors[0].detach().requires_grad_()
                y = Nested.apply(a, ctx.depth - 1)
            y.backward(g)
            return a.grad, None

    x = leaf(torch, 1.)
    Nested.apply(x, 50).backward()
    assert x.grad.tolist() == [2.] and len(deepest) == 1


# ------------------------------------------------------------------------------ numbers out of range

OVERFLOWS = {
    "a cast": lambda t: (leaf_of(t, "float32"), lambda x: (x * t.full((2,), 1e300, dtype=t.float64)).sum()),
    "a sum of gradients": lambda t: (leaf_of(t, "float16"), lambda x: twice(x * 1, 60000)),
    "a broadcast sum":
        lambda t: (leaf_of(t, "float16"), lambda x: (x.reshape(2, 1) * t.full((2, 4), 60000., dtype=t.float16)).sum()),
    "a product": lambda t: (leaf_of(t, "float32"), lambda x: ((x * 1e30) * 1e30).sum()),
    "columns": lambda t: (leaf_of(t, "float32"), lambda x: (x.reshape(2, 1).t() * 3e38 * 10).sum()),
}


def leaf_of(torch, kind):
    return torch.ones(2, dtype=getattr(torch, kind), requires_grad=True)


def twice(y, factor):
    return (y * factor + y * factor).sum()


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", OVERFLOWS)
def test_overflow_is_infinity_without_a_word(torch, name):
    x, function = OVERFLOWS[name](torch)
    function(x).backward()
    assert x.grad.tolist() == [float("inf")] * 2


@pytest.mark.filterwarnings("error")
def test_overflow_where_gradients_accumulate(torch):
    x = leaf_of(torch, "float16")
    y = x * 1
    y.retain_grad()
    for _ in range(2):
        (y * 60000).sum().backward(retain_graph=True)
    assert x.grad.tolist() == y.grad.tolist() == [float("inf")] * 2


# ------------------------------------------------------------------------------ complex numbers

COMPLEX = {
    "product": lambda z, w: (z * w).real,
    "imaginary part": lambda z, w: (z * w).imag,
    "squares": lambda z, w: (z * z.conj() + w).real,
    "quotient": lambda z, w: (z / w).real,
    "power": lambda z, w: (z ** 3 * w ** 2).imag,
    "functions": lambda z, w: (z.sin() * w.exp()).abs(),
}


@pytest.mark.parametrize("name", COMPLEX)
def test_the_gradient_points_uphill(torch, name):
    """PyTorch's convention: the gradient of a real function is df/dx + i df/dy."""
    function, h = COMPLEX[name], 1e-6
    z, w = (leaf(torch, *values, dtype=torch.complex128) for values in ((1 + 2j, 3 - 1j), (2 - 1j, 1j)))
    function(z, w).sum().backward()
    for t in (z, w):
        for k in range(2):
            for direction in (1, 1j):
                step = torch.zeros(2, dtype=torch.complex128)
                step[k] = h * direction
                up, down = (function(*(u.detach() + s * step if u is t else u.detach() for u in (z, w))).sum().item()
                            for s in (1, -1))
                g = t.grad[k].item()
                assert (up - down) / (2 * h) == pytest.approx(g.real if direction == 1 else g.imag, abs=1e-7, rel=1e-7)


def test_absolute_value(torch):
    z = leaf(torch, 3 + 4j, 0j)
    z.abs().sum().backward()
    assert z.grad.tolist() == pytest.approx([0.6 + 0.8j, 0])


def test_a_real_input_of_a_complex_chain_gets_a_real_gradient(torch):
    x = leaf(torch, 1., 2.)
    z = torch.tensor([1 + 2j, 3 - 1j])
    (x * z).sum().abs().backward()
    assert x.grad.dtype is torch.float32 and x.grad.tolist() == pytest.approx([1., 3.])


def test_real_broadcast_into_complex(torch):
    x = torch.tensor(2., dtype=torch.float64, requires_grad=True)
    z = torch.tensor([3 + 4j, 6 - 8j], dtype=torch.complex128)
    (x * z).abs().sum().backward()
    assert x.grad.dtype is torch.float64 and x.grad.shape == () and x.grad.item() == pytest.approx(15.)


def test_a_real_result_sends_a_complex_gradient_to_a_complex_input(torch):
    z = leaf(torch, 1 + 2j)
    z.real.sum().backward()
    assert z.grad.dtype is torch.complex64 and z.grad.tolist() == [1 + 0j]


def test_a_complex_gradient_given_by_the_user(torch):
    z = leaf(torch, 1 + 2j)
    (z * (2 + 1j)).backward(torch.tensor([1j]))
    assert z.grad.tolist() == [1j * (2 - 1j)]


def test_complex_second_derivatives(torch):
    z = leaf(torch, 1 + 2j, 3 - 1j)
    (g,) = torch.autograd.grad((z * z * z.conj()).real.sum(), z, create_graph=True)
    (h,) = torch.autograd.grad(g.real.sum() + 2 * g.imag.sum(), z)
    assert g.tolist() == [7 + 4j, 28 - 6j] and h.tolist() == [14 + 8j, 14 + 10j]


def test_complex_matrix_product(torch):
    a = torch.tensor([[1 + 2j, 3 - 1j]], requires_grad=True)
    b = torch.tensor([[1j], [2 + 0j]], requires_grad=True)
    (a @ b).real.sum().backward()
    assert a.grad.tolist() == [[-1j, 2 + 0j]] and b.grad.tolist() == [[1 - 2j], [3 + 1j]]


@pytest.mark.parametrize("create_graph", [False, True])
@pytest.mark.parametrize("watched", ["", "hook", "anomaly"])
@pytest.mark.parametrize("part", [slice(None), slice(0, 2)])
def test_a_gradient_has_the_dtype_of_its_tensor(torch, create_graph, watched, part):
    """Also where a formula computes in a wider one, the edge has no note of it, and the node does not run on the short
    way."""
    a, b = torch.ones(3, dtype=torch.float64, requires_grad=True), torch.ones(3, requires_grad=True)
    c = b.clone()
    c[part].mul_(a[part])
    if watched == "hook":
        c.grad_fn.register_hook(lambda outgoing, incoming: None)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with torch.autograd.set_detect_anomaly(watched == "anomaly"):
            gb, ga = torch.autograd.grad(c.sum(), (b, a), create_graph=create_graph)
    assert (gb.dtype, ga.dtype) == (torch.float32, torch.float64)


@pytest.mark.parametrize("cut", ["unbind", "split"])
def test_hooks_where_no_gradient_comes_to_a_node_of_several_outputs(torch, cut):
    class Stop(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, d):
            return None

    x, heard = torch.ones(2, 3, requires_grad=True), []
    a, _ = (x * 1).unbind() if cut == "unbind" else (x * 1).split(1)
    a.register_hook(lambda g: heard.append(g))
    a.grad_fn.register_prehook(lambda g: heard.append(g))
    Stop.apply(a).sum().backward()
    assert x.grad is None and heard == [None, (None, None)]
