"""How long things live.  Ordinary graphs die by reference counts alone; the collector is off in these tests, where it
is not called by name."""

import gc
import warnings
import weakref

import pytest

import minigrad
from minigrad.utils.checkpoint import checkpoint

pytestmark = pytest.mark.usefixtures("no_collector")


def dead(*references):
    return [r() is None for r in references]


def leaf(torch):
    return torch.tensor([1., 2.], requires_grad=True)


# ------------------------------------------------------------------------------ by reference counts

def test_a_tensor(torch):
    x = torch.ones(2)
    r = weakref.ref(x)
    assert r() is x
    del x
    assert r() is None


def test_a_weak_reference_calls_back(torch):
    called = []
    x = torch.ones(2) * 2
    r = weakref.ref(x, called.append)
    del x
    assert called == [r]


def test_tensors_in_a_weak_dictionary(torch):
    tensors = weakref.WeakValueDictionary()
    x = tensors["x"] = torch.ones(2)
    tensors["y"] = torch.ones(2)
    assert list(tensors) == ["x"] and tensors["x"] is x


def test_intermediate_results_that_nobody_saved(torch):
    x = leaf(torch)
    y = x + 1
    z = (y + 2).sum()
    r = weakref.ref(y)
    del y
    assert dead(r) == [True] and z.requires_grad


def test_intermediate_results_that_were_saved(torch):
    x = leaf(torch)
    y = x + 1
    z = (y * y).sum()
    r = weakref.ref(y)
    del y
    assert torch.autograd.grad(z, x, retain_graph=True)[0].tolist() == [4., 6.]
    del z
    assert dead(r) == [True]


def test_the_graph_dies_with_its_last_result(torch):
    x, factor = leaf(torch), torch.ones(2)
    z = ((x * factor).sin() * x).sum()
    r = weakref.ref(factor)
    del factor
    assert dead(r) == [False]
    del z
    assert dead(r) == [True]


def test_the_graph_keeps_its_leaves(torch):
    x = leaf(torch)
    z = (x + 1).sum()
    r = weakref.ref(x)
    del x
    assert dead(r) == [False]
    z.backward()
    assert r().grad.tolist() == [1., 1.]
    del z
    assert dead(r) == [True]


def test_backward_makes_no_cycle(torch):
    x = leaf(torch)
    y = x.exp()
    z = (y * y).sum()
    r = [weakref.ref(t) for t in (x, y, z)]
    z.backward(retain_graph=True)
    z.backward()
    del x, y, z
    assert dead(*r) == [True] * 3


@pytest.mark.parametrize("op", ["exp", "sqrt", "tanh", "sigmoid", "softmax", "max", "sort", "cumprod"])
def test_a_saved_result_makes_no_cycle(torch, op):
    x = leaf(torch)
    y = {"softmax": lambda: x.softmax(0), "max": lambda: x.max(0), "sort": lambda: x.sort(),
         "cumprod": lambda: x.cumprod(0)}.get(op, lambda: getattr(x, op)())()
    outputs = [y] if isinstance(y, torch.Tensor) else list(y)
    r = [weakref.ref(t) for t in outputs]
    outputs[0].sum().backward()
    del y, outputs
    assert dead(*r) == [True] * len(r)


def test_looking_at_a_saved_result_makes_no_cycle(torch):
    x = leaf(torch)
    y = x.exp()
    saved = y.grad_fn._saved_result
    assert saved.tolist() == y.tolist() and saved.grad_fn is y.grad_fn
    r = weakref.ref(y)
    del y, saved
    assert dead(r) == [True]


def test_a_function_that_saves_its_output_makes_no_cycle(torch):
    class Exp(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x.exp()
            ctx.save_for_backward(y)
            return y

        @staticmethod
        def backward(ctx, g):
            return g * ctx.saved_tensors[0]

    x = leaf(torch)
    y = Exp.apply(x)
    r = weakref.ref(y)
    y.sum().backward(retain_graph=True)
    del y
    assert dead(r) == [True]


def test_views_keep_their_base_and_no_longer(torch):
    b = torch.ones(4)
    v = b[1:3]
    r = weakref.ref(b)
    del b
    assert v.tolist() == [1., 1.]
    w = v[0]
    del v
    assert w.item() == 1
    del w
    assert dead(r) == [True]


def test_recorded_views(torch):
    x = leaf(torch)
    y = x * 1
    v = y[:1].unsqueeze(0)
    r = [weakref.ref(t) for t in (y, v)]
    v.sum().backward()
    del y, v
    assert dead(*r) == [True, True]


def test_retained_gradients(torch):
    x = leaf(torch)
    y = x * 2
    y.retain_grad()
    z = (y * 3).sum()
    r = weakref.ref(y)
    del y
    assert dead(r) == [True]
    z.backward()
    assert x.grad.tolist() == [6., 6.]


def test_a_node_lives_without_its_tensor(torch):
    x = leaf(torch)
    node = (x * 2).grad_fn
    assert node.next_functions[0][0].variable is x and "Mul" in node.name()


def test_the_accumulator_and_its_leaf(torch):
    x = leaf(torch)
    accumulator = (x * 2).grad_fn.next_functions[0][0]
    r = weakref.ref(x)
    del x
    assert dead(r) == [False] and accumulator.variable is r()
    del accumulator
    assert dead(r) == [True]


def test_a_new_accumulator_after_the_old_one_died(torch):
    x = leaf(torch)
    for _ in range(3):
        (x * 2).sum().backward()
    assert x.grad.tolist() == [6., 6.]


def test_in_place_writes_make_no_cycle(torch):
    x = leaf(torch)
    y = x * 2
    y.add_(x)
    y.mul_(x)
    y.exp_()
    r = weakref.ref(y)
    y.sum().backward()
    del y
    assert dead(r) == [True]


def test_results_of_a_double_backward(torch):
    x = leaf(torch)
    y = (x ** 3).sum()
    (g,) = torch.autograd.grad(y, x, create_graph=True)
    (h,) = torch.autograd.grad(g.sum(), x)
    r = [weakref.ref(t) for t in (x, y, g, h)]
    del x, y, g, h
    assert dead(*r) == [True] * 4


def test_what_a_leaf_was_given(torch):
    x = leaf(torch)
    g = torch.ones(2)
    (x + 0).backward(g)
    r = weakref.ref(g)
    del g
    assert dead(r) == [True]


def test_attributes_of_a_tensor_die_with_it(torch):
    class Thing:
        pass

    x = torch.ones(2)
    x.thing = Thing()
    r = weakref.ref(x.thing)
    assert x.__dict__ == {"thing": r()}
    del x
    assert dead(r) == [True]


def test_a_tensor_begins_without_the_attributes_of_a_dead_one(torch):
    for _ in range(50):
        x = torch.ones(2, requires_grad=True)
        assert not x.__dict__ and x.grad is None and x._version == 0 and x.output_nr == 0
        x.note = "a leaf"
        (x * 2).sum().backward()
        with torch.no_grad():
            x.add_(1)
        del x


# ------------------------------------------------------------------------------ by the collector

def collected(r):
    before = r() is None
    gc.collect()
    return before, r() is None


def test_an_attribute_that_closes_a_cycle(torch):
    y = leaf(torch) * 2
    y.me = y
    r = weakref.ref(y)
    del y
    assert collected(r) == (False, True)


@pytest.mark.parametrize("steps", [1, 2, 5])
def test_a_base_that_knows_a_view_of_its_views(steps):
    """PyTorch leaks here, even with one view."""
    import minigrad as torch

    def make():
        view = base = torch.ones(2)
        for _ in range(steps):
            view = view[0:]
        base.last = view
        return weakref.ref(base)

    assert collected(make()) == (False, True)


@pytest.mark.parametrize("step", [lambda y: y.view(2), lambda y: y * 2, lambda y: y.exp(), lambda y: y.sum(0, True)])
def test_a_chain_has_nothing_for_the_collector(step):
    import minigrad as torch

    y = leaf(torch)
    gc.collect()
    before = len(gc.get_objects())
    for _ in range(1000):
        y = step(y)
    assert len(gc.get_objects()) - before < 50


def test_an_output_kept_on_ctx(torch):
    class Keep(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.out = x * 2
            return ctx.out

        @staticmethod
        def backward(ctx, g):
            return g * 2

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        y = Keep.apply(leaf(torch))
    r = weakref.ref(y)
    del y
    assert collected(r) == (False, True)


def test_a_hook_of_a_leaf_that_knows_its_leaf(torch):
    def make():
        x = leaf(torch)
        x.register_hook(lambda g: g + x)
        return weakref.ref(x)

    assert collected(make()) == (False, True)


class Twice(minigrad.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, g):
        return g * 2


def hook_of_a_node(y, know):
    y.grad_fn.register_hook(know(y.grad_fn))


def prehook_of_a_node(y, know):
    y.grad_fn.register_prehook(know(y.grad_fn))


def hook_of_a_leaf_s_node(y, know):
    node = y.grad_fn.next_functions[0][0]
    node.register_hook(know(node))


def hooks_of_two_nodes(y, know):
    z = leaf(minigrad) * 3
    y.grad_fn.register_hook(know(z.grad_fn))
    z.grad_fn.register_prehook(know(y.grad_fn))


def hook_of_a_node_that_knows_a_tensor(y, know):
    y.grad_fn.register_hook(know(y))


def hook_of_a_tensor(y, know):
    y.register_hook(know(y))


def hook_of_several_tensors(y, know):
    minigrad.autograd.graph.register_multi_grad_hook((y, leaf(minigrad) * 3), know(y))


def notes_of_a_node(y, know):
    y.grad_fn.metadata["note"] = know(y.grad_fn), know(y)


def hook_after_accumulation(y, know):
    x = y.grad_fn.next_functions[0][0].variable
    x.register_post_accumulate_grad_hook(know(x))


HOOKS = [hook_of_a_node, prehook_of_a_node, hook_of_a_leaf_s_node, hooks_of_two_nodes,
         hook_of_a_node_that_knows_a_tensor, hook_of_a_tensor, hook_of_several_tensors, notes_of_a_node,
         hook_after_accumulation]


@pytest.mark.parametrize("used", [True, False])
@pytest.mark.parametrize("make", [lambda x: x * 2, lambda x: x.exp(), Twice.apply])
@pytest.mark.parametrize("register", HOOKS, ids=lambda f: f.__name__)
def test_hooks_that_know_what_they_belong_to(register, make, used):
    """PyTorch's collector finds the first four and none of the others."""
    def know(x):
        held.append(weakref.ref(token))
        return lambda *args, keep=(x, token): None

    held, token = [], minigrad.ones(1)
    y = make(leaf(minigrad))
    register(y, know)
    if used:
        y.sum().backward()
    del y, token
    assert not any(dead(*held))
    gc.collect()
    assert all(dead(*held))


def test_only_nodes_with_hooks_are_tracked(torch):
    y = leaf(torch) * 2
    node = y.grad_fn
    if torch is minigrad:
        assert not gc.is_tracked(node) and not gc.is_tracked(node.next_functions[0][0])
    handle = node.register_hook(lambda *args: None)
    assert gc.is_tracked(node)
    del y, node
    handle.remove()


def test_a_node_that_had_hooks_is_used_again():
    """Where there were hooks, the next node in that memory has none, and is not tracked."""
    for _ in range(3):
        y = leaf(minigrad) * 2
        y.register_hook(lambda g: g * 10)
        y.retain_grad()
        del y
        x = leaf(minigrad)
        y = x * 2
        assert not gc.is_tracked(y.grad_fn)
        y.sum().backward()
        assert x.grad.tolist() == [2, 2]
        gc.collect()


def test_a_hook_that_knows_a_later_node_lives_as_long_as_its_own():
    """The collector does not look along edges, in PyTorch either."""
    y = leaf(minigrad) * 2
    z = y.exp()
    y.register_hook(lambda g, z=z: g)
    r = weakref.ref(z)
    node = z.grad_fn
    del y, z
    gc.collect()
    assert dead(r) == [False]
    node(minigrad.ones(2))                      # the graph is whole


@pytest.mark.parametrize("backward", [True, False])
@pytest.mark.parametrize("nested", [True, False])
def test_arguments_of_a_checkpoint(backward, nested):
    def outer(h):
        h = h.exp()
        return (checkpoint(minigrad.sin, h, use_reentrant=False) if nested else h.sin()).tanh()

    x = minigrad.ones(3, requires_grad=True) * 2
    argument = weakref.ref(x)
    y = checkpoint(outer, x, use_reentrant=False)
    if backward:
        y.sum().backward()
    del x, y
    assert dead(argument) == [True]


@pytest.mark.parametrize("register", ["register_load_state_dict_pre_hook", "register_load_state_dict_post_hook"])
def test_a_module_with_hooks_of_its_state(torch, register):
    module = torch.nn.Linear(1, 1)
    getattr(module, register)(lambda *args: None)
    reference = weakref.ref(module)
    del module
    assert dead(reference) == [True]


def test_create_graph_makes_a_cycle_through_grad():
    """As in PyTorch not even the collector finds it, whose eyes do not reach through built-in nodes; so there is a
    warning."""
    import minigrad as torch

    x = leaf(torch)
    with pytest.warns(UserWarning, match="reference cycle"):
        (x * x).sum().backward(create_graph=True)
    r = weakref.ref(x)
    x.grad = None                           # the cure that the warning names
    del x
    assert dead(r) == [True]


# ------------------------------------------------------------------------------ no growth

def tensors_alive(torch):
    gc.collect()
    return sum([issubclass(type(o), torch.Tensor) for o in gc.get_objects()])


def test_a_training_loop_keeps_nothing(torch):
    w = torch.ones(3, 2, requires_grad=True)
    b = torch.zeros(2, requires_grad=True)
    data, target = torch.ones(4, 3), torch.ones(4, 2)

    def step():
        loss = (((data @ w + b).tanh() - target) ** 2).mean()
        loss.backward()
        with torch.no_grad():
            for p in (w, b):
                p.sub_(p.grad * 0.1)
                p.grad = None
        return loss.item()

    step()
    before = tensors_alive(torch)
    first = step()
    for _ in range(200):
        last = step()
    assert tensors_alive(torch) == before and last < first


def test_memory_is_given_back():
    """Not only tensors: most nodes are invisible to the collector, so the allocator is asked."""
    import tracemalloc

    import minigrad as torch

    x = torch.ones(8, requires_grad=True)

    def work():
        y = x
        for _ in range(300):
            y = (y * x).sin() + x
        (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
        g.sum().backward()
        x.grad = None

    for _ in range(3):
        work()
    tracemalloc.start()
    work()
    before = tracemalloc.get_traced_memory()[0]
    for _ in range(10):
        work()
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert after - before < 20_000


def test_failed_passes_keep_nothing(torch):
    class Fail(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            raise KeyError("boom")

    x = leaf(torch)

    def attempt():
        try:
            (Fail.apply(x * x) * x).sum().backward()
        except KeyError:
            pass

    attempt()
    x.grad = None
    before = tensors_alive(torch)
    for _ in range(50):
        attempt()
    x.grad = None
    assert tensors_alive(torch) == before
