"""Hooks where things get difficult: wrong returns, hooks that come and go while running, raise, or start a pass; and
hooks on several tensors."""

import collections
import gc
import threading
import weakref

import pytest

from tests.checking import is_minigrad, refuses


def leaf(torch, *values, **keywords):
    return torch.tensor(list(values), requires_grad=True, **keywords)


def noting(seen, name, result=None):
    """A hook that notes that it ran."""
    def hook(*arguments):
        seen.append(name)
        return result
    return hook


# ------------------------------------------------------------------------------ handles

def test_a_handle_knows_the_hooks_weakly(torch):
    x = leaf(torch, 1.)
    def hook(g): return None
    handle = x.register_hook(hook)
    assert handle.hooks_dict_ref()[handle.id] is hook
    handle.remove()
    assert handle.id not in handle.hooks_dict_ref()
    del x
    gc.collect()
    assert handle.hooks_dict_ref() is None
    handle.remove()


def test_a_handle_keeps_no_hook_alive(torch):
    class Hook:
        def __call__(self, g):
            return None

    x, hook = leaf(torch, 1.), Hook()
    handles = [x.register_hook(hook), x.register_post_accumulate_grad_hook(hook)]
    alive = weakref.ref(hook)
    del x, hook
    gc.collect()
    assert alive() is None and len(handles) == 2


def test_handles_of_nodes(torch):
    x = leaf(torch, 1.)
    seen, y = [], x * 2
    with y.grad_fn.register_hook(noting(seen, "after")), y.grad_fn.register_prehook(noting(seen, "before")) as handle:
        y.backward(retain_graph=True)
    assert seen == ["before", "after"]
    y.backward(retain_graph=True)
    handle.remove()
    assert seen == ["before", "after"]


def test_numbers_of_handles_rise(torch):
    x = leaf(torch, 1.)
    a, b = x.register_hook(lambda g: None), (x * 2).grad_fn.register_hook(lambda i, o: None)
    assert b.id == a.id + 1


def test_a_handle_for_dictionaries_of_ones_own(torch):
    RemovableHandle = torch.autograd.graph.RemovableHandle
    hooks, extra, more = collections.OrderedDict(), collections.OrderedDict(), collections.OrderedDict()
    handle = RemovableHandle(hooks, extra_dict=[extra, more])
    hooks[handle.id] = extra[handle.id] = 1
    with handle:
        pass
    assert not hooks and not extra and not more
    one = RemovableHandle(hooks, extra_dict=extra)
    hooks[one.id] = extra[one.id] = 1
    one.remove()
    one.remove()
    assert not hooks and not extra


# ------------------------------------------------------------------------------ no functions

@pytest.mark.parametrize("register", ["register_hook", "register_post_accumulate_grad_hook"])
def test_a_tensor_hook_that_is_no_function(torch, register):
    """PyTorch notices in the backward pass; minigrad when it is registered, and registers nothing."""
    x = leaf(torch, 1.)
    with refuses(TypeError, "'int' object is not callable", "MG121"):
        getattr(x, register)(3)
        (x * 2).backward()
    if is_minigrad(torch):
        (x * 2).backward()
        assert x.grad.tolist() == [2.]


@pytest.mark.parametrize("register", ["register_hook", "register_prehook"])
def test_a_node_hook_that_is_no_function(torch, register):
    y = leaf(torch, 1.) * 2
    with refuses(TypeError, "'int' object is not callable", "MG121"):
        getattr(y.grad_fn, register)(3)
        y.backward()


# ------------------------------------------------------------------------------ what hooks return

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


WRONG = {
    "a number": (lambda torch: 3, TypeError, "expected tuple, but hook returned 'int'", "MG121"),
    "a string": (lambda torch: "abc", TypeError, "expected tuple, but hook returned 'str'", "MG121"),
    "a tensor": (lambda torch: torch.ones(2), TypeError, "expected tuple, but hook returned 'Tensor'", "MG121"),
    "a list": (lambda torch: [torch.ones(2), None], TypeError, "expected tuple, but hook returned 'list'", "MG121"),
    "too few": (lambda torch: (), RuntimeError, "hook '<lambda>' has returned an incorrect number of values", "MG119"),
    "too many": (lambda torch: (torch.ones(2),) * 3, RuntimeError,
                 "hook '<lambda>' has returned an incorrect number of values", "MG119"),
    "numbers": (lambda torch: (3, None), TypeError, "expected Variable, but hook returned 'int'", "MG121"),
    "a shape":
        (lambda torch: (torch.ones(3), None), RuntimeError, "hook '<lambda>' has changed the size of value", "MG119"),
    "one element": (lambda torch: (torch.tensor(5.), None), RuntimeError,
                    "hook '<lambda>' has changed the size of value", "MG119"),
    "a dtype": (lambda torch: (torch.ones(2).double(), None), RuntimeError,
                "hook '<lambda>' has changed the type of value (was torch.FloatTensor got torch.DoubleTensor)",
                "MG119"),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_node_hook_that_returns(torch, what):
    """The node of x * 2 has two inputs: its hooks return two values."""
    make, kind, phrase, code = WRONG[what]
    x = leaf(torch, 1., 2.)
    y = x * 2
    handle = y.grad_fn.register_hook(lambda inner, outer: make(torch))
    z = (y * 1).sum()
    with refuses(kind, phrase, code):
        z.backward(retain_graph=True)
    assert x.grad is None and torch.is_grad_enabled()
    handle.remove()
    z.backward()
    assert x.grad.tolist() == [2., 2.]


def without_the_last(returned):
    return returned[:-1] if isinstance(returned, tuple) and len(returned) == 2 else returned


@pytest.mark.parametrize("what", WRONG)
@pytest.mark.parametrize("on", ["an operation", "a leaf"])
def test_a_prehook_that_returns(torch, what, on):
    """One output: a prehook returns one value.  The same holds for the node of a leaf."""
    make, kind, phrase, code = WRONG[what]
    x = leaf(torch, 1., 2.)
    y = x * 2
    node = y.grad_fn if on == "an operation" else y.grad_fn.next_functions[0][0]
    handle = node.register_prehook(lambda outer: without_the_last(make(torch)))
    z = y.sum()
    with refuses(kind, phrase, code):
        z.backward(retain_graph=True)
    assert x.grad is None
    handle.remove()
    z.backward()
    assert x.grad.tolist() == [2., 2.]


def test_the_counts_are_named(torch):
    y = leaf(torch, 1., 2.) * 2
    handle = y.grad_fn.register_hook(lambda inner, outer: (inner[0],))
    with refuses(RuntimeError, "has returned an incorrect number of values (got 1, but expected 2)", "MG119"):
        y.sum().backward(retain_graph=True)
    handle.remove()
    y.grad_fn.register_prehook(lambda outer: (outer[0], None))
    with refuses(RuntimeError, "has returned an incorrect number of values (got 2, but expected 1)", "MG119"):
        y.sum().backward()


def test_a_gradient_where_there_is_none(torch):
    """The 2 of x * 2 has no gradient, and no hook can give it one."""
    y = leaf(torch, 1., 2.) * 2
    y.grad_fn.register_hook(lambda inner, outer: (torch.ones(2), torch.ones(2)))
    with refuses(RuntimeError, "can't replace a None gradient with a non-None value", "MG119"):
        y.sum().backward()


def test_a_hook_may_take_a_gradient_away(torch):
    x = leaf(torch, 1., 2.)
    y = x * 2
    with y.grad_fn.register_hook(lambda inner, outer: (None, None)):
        y.sum().backward()
    assert x.grad is None
    y = x * 2
    with y.grad_fn.register_prehook(lambda outer: (None,)):
        y.sum().backward()
    assert x.grad is None


def test_the_accumulator_returns_nothing_that_could_be_replaced(torch):
    x = leaf(torch, 1., 2.)
    y = x * 2
    accumulator = y.grad_fn.next_functions[0][0]
    with accumulator.register_hook(lambda inner, outer: ()):
        y.sum().backward(retain_graph=True)
    with accumulator.register_hook(lambda inner, outer: (torch.ones(2),)):
        with refuses(RuntimeError, "has returned an incorrect number of values (got 1, but expected 0)", "MG119"):
            y.sum().backward(retain_graph=True)
    with accumulator.register_prehook(lambda outer: (torch.ones(2) * 7,)):
        y.sum().backward()
    assert x.grad.tolist() == [2. + 2. + 7.] * 2


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


# ------------------------------------------------------------------------------ hooks that come and go while they run

def test_a_hook_removes_the_next_one(torch):
    """The hooks that a gradient meets are settled when it arrives."""
    seen, x = [], leaf(torch, 1.)
    x.register_hook(lambda g: (seen.append("first"), second.remove())[1])
    second = x.register_hook(noting(seen, "second"))
    (x * 2).backward()
    assert seen == ["first", "second"]
    (x * 2).backward()
    assert seen == ["first", "second", "first"]


@pytest.mark.parametrize("register", ["register_hook", "register_prehook"])
def test_a_node_hook_removes_the_next_one(torch, register):
    seen, y = [], leaf(torch, 1.) * 2
    getattr(y.grad_fn, register)(lambda *g: (seen.append("first"), second.remove())[1])
    second = getattr(y.grad_fn, register)(noting(seen, "second"))
    y.backward(retain_graph=True)
    y.backward(retain_graph=True)
    assert seen == ["first", "second", "first"]


def test_a_post_accumulate_hook_removes_the_next_one(torch):
    seen, x = [], leaf(torch, 1.)
    x.register_post_accumulate_grad_hook(lambda p: (seen.append("first"), second.remove())[1])
    second = x.register_post_accumulate_grad_hook(noting(seen, "second"))
    (x * 2).backward()
    (x * 2).backward()
    assert seen == ["first", "second", "first"]


def test_a_hook_registers_one_of_its_own_kind(torch):
    """It waits for the next pass."""
    seen, x = [], leaf(torch, 1.)
    y = x * 2
    node = y.grad_fn

    def once(register):
        def hook(*arguments):
            handle.remove()
            register(noting(seen, "the new one"))
        handle = register(hook)

    for register in (y.register_hook, node.register_hook, node.register_prehook, x.register_hook,
                     x.register_post_accumulate_grad_hook):
        once(register)
    y.backward(retain_graph=True)
    assert seen == []
    y.backward(retain_graph=True)
    assert seen == ["the new one"] * 5


def test_a_hook_registers_one_that_comes_later(torch):
    """It runs in this pass: its turn has not come yet."""
    seen, x = [], leaf(torch, 1.)
    y = x * 2
    y.register_hook(lambda g: y.grad_fn.register_prehook(noting(seen, "prehook")) and None)
    y.grad_fn.register_prehook(lambda outer: y.grad_fn.register_hook(noting(seen, "hook")) and None)
    x.register_hook(lambda g: x.register_post_accumulate_grad_hook(noting(seen, "post")) and None)
    y.backward()
    assert seen == ["prehook", "hook", "post"]


# ------------------------------------------------------------------------------ hooks that raise

@pytest.mark.parametrize("where", ["tensor", "leaf", "prehook", "hook", "accumulator prehook", "accumulator hook",
                                   "post accumulate", "any", "all"])
def test_after_a_hook_that_raised(torch, where):
    """Everything is usable; a gradient that was put away before the hook ran stays."""
    class Boom(Exception):
        pass

    def fail(*arguments):
        raise Boom

    x = leaf(torch, 1., 2.)
    y = x * x
    accumulator = y.grad_fn.next_functions[0][0]
    several = torch.autograd.graph.register_multi_grad_hook
    handle = {"tensor": lambda: y.register_hook(fail), "leaf": lambda: x.register_hook(fail),
              "prehook": lambda: y.grad_fn.register_prehook(fail),
              "hook": lambda: y.grad_fn.register_hook(fail),
              "accumulator prehook": lambda: accumulator.register_prehook(fail),
              "accumulator hook": lambda: accumulator.register_hook(fail),
              "post accumulate": lambda: x.register_post_accumulate_grad_hook(fail),
              "any": lambda: several((x, y), fail, mode="any"), "all": lambda: several((x, y), fail)}[where]()
    z = (y * 1).sum()
    for _ in range(2):
        with pytest.raises(Boom):
            z.backward(retain_graph=True)
    assert torch.is_grad_enabled()
    done = 2 if where in ("accumulator hook", "post accumulate") else 0
    assert (x.grad is None) == (done == 0)
    handle.remove()
    z.backward()
    assert x.grad.tolist() == [2. * (done + 1), 4. * (done + 1)]


def test_the_grad_mode_after_a_hook_that_switched_it(torch):
    x = leaf(torch, 1.)
    y = x * 2
    seen = []
    y.register_hook(lambda g: torch.set_grad_enabled(True) and None)
    x.register_hook(lambda g: seen.append(torch.is_grad_enabled()))
    with torch.no_grad():
        y.backward()
        assert not torch.is_grad_enabled()
    assert torch.is_grad_enabled()
    if is_minigrad(torch):
        assert seen == [False]              # one hook's switch does not reach the next


# ------------------------------------------------------------------------------ a backward in a hook

def test_a_post_accumulate_hook_that_starts_a_pass(torch):
    w, x = leaf(torch, 2.), leaf(torch, 1.)
    seen = []

    def hook(p):
        seen.append(p.grad.item())
        with torch.enable_grad():
            (w * 3).sum().backward()

    x.register_post_accumulate_grad_hook(hook)
    (x * 2).backward()
    assert seen == [2.] and w.grad.tolist() == [3.]


def test_a_post_accumulate_hook_that_starts_a_pass_into_its_own_leaf(torch):
    x, depth = leaf(torch, 1.), []

    def hook(p):
        if len(depth) < 3:
            depth.append(p.grad.item())
            with torch.enable_grad():
                (x * 10).backward()

    x.register_post_accumulate_grad_hook(hook)
    (x * 2).backward()
    assert x.grad.tolist() == [32.] and depth == [2., 12., 22.]


@pytest.mark.parametrize("where", ["tensor", "prehook", "hook", "leaf", "accumulator prehook", "accumulator hook",
                                   "post accumulate"])
def test_a_pass_over_the_same_graph_from_every_kind_of_hook(torch, where):
    """The inner pass finishes first, and both add up: twice the gradient, whichever hook it starts from."""
    x = leaf(torch, 3.)
    y = x * x
    z = y * y
    accumulator = y.grad_fn.next_functions[0][0]
    entered = []

    def again(*arguments):
        if not entered:
            entered.append(True)
            z.backward(retain_graph=True)

    {"tensor": lambda: y.register_hook(again), "prehook": lambda: y.grad_fn.register_prehook(again),
     "hook": lambda: y.grad_fn.register_hook(again),
     "leaf": lambda: x.register_hook(again), "accumulator prehook": lambda: accumulator.register_prehook(again),
     "accumulator hook": lambda: accumulator.register_hook(again),
     "post accumulate": lambda: x.register_post_accumulate_grad_hook(again)}[where]()
    z.backward(retain_graph=True)
    assert entered and x.grad.tolist() == [2 * 4 * 27.]


def test_passes_in_passes_in_passes(torch):
    x, depth = leaf(torch, 1.), []

    def hook(g):
        if len(depth) < 50:
            depth.append(1)
            with torch.enable_grad():
                y = x * 1
                y.register_hook(hook)
                y.backward()

    y = x * 1
    y.register_hook(hook)
    y.backward()
    assert x.grad.tolist() == [51.]


def test_an_inner_pass_that_raises_leaves_the_outer_one_alone(torch):
    x, w = leaf(torch, 1.), leaf(torch, 1.)
    inner = w * w

    def hook(g):
        inner.backward()
        with pytest.raises(RuntimeError, match="second time"):
            inner.backward()

    y = x * x
    y.register_hook(hook)
    (y * 2).backward()
    assert x.grad.tolist() == [4.] and w.grad.tolist() == [2.]


def test_threads_have_their_own_passes(torch):
    """Hooks are part of the graph: a pass runs them in its own thread, whoever registered them."""
    x, seen = leaf(torch, 1.), []
    y = x * 2
    y.register_hook(lambda g: seen.append(threading.get_ident()))
    thread = threading.Thread(target=y.backward)
    thread.start()
    thread.join()
    assert seen == [thread.ident] and x.grad.tolist() == [2.]


# ------------------------------------------------------------------------------ the order

def test_the_order_at_two_nodes(torch):
    """As docs/notes/order says: tensor hooks, retain_grad, prehooks, the node, its hooks; and the same at a leaf."""
    seen, x = [], leaf(torch, 1.)
    y = x * 2
    node, accumulator = y.grad_fn, y.grad_fn.next_functions[0][0]
    accumulator.register_hook(noting(seen, "leaf's node hook"))
    accumulator.register_prehook(noting(seen, "leaf's prehook"))
    x.register_post_accumulate_grad_hook(noting(seen, "post accumulate"))
    x.register_hook(noting(seen, "leaf"))
    node.register_hook(noting(seen, "node hook"))
    node.register_prehook(lambda outer: seen.append(("prehook", y.grad.tolist())))
    y.retain_grad()
    y.register_hook(lambda g: seen.append(("tensor", y.grad)))
    y.backward()
    assert seen == [("tensor", None), ("prehook", [1.]), "node hook", "leaf", "leaf's prehook", "post accumulate",
                    "leaf's node hook"]


def test_which_hooks_run_for_inputs(torch):
    """Where only the gradient of a tensor is wanted, its node does not run; nothing accumulates in grad."""
    seen, x = [], leaf(torch, 1., 2.)
    y = x * 2
    y.retain_grad()
    for register, name in ((y.register_hook, "y"), (y.grad_fn.register_prehook, "before"),
                           (y.grad_fn.register_hook, "after"), (x.register_hook, "x"),
                           (x.register_post_accumulate_grad_hook, "post")):
        register(noting(seen, name))
    z = y.sum()

    def those_of(run):
        seen.clear()
        y.grad = None
        run()
        assert y.grad.tolist() == [1., 1.]
        return seen[:]

    assert those_of(lambda: torch.autograd.grad(z, y, retain_graph=True)) == ["y"]
    assert those_of(lambda: torch.autograd.grad(z, x, retain_graph=True)) == ["y", "before", "after", "x"]
    assert those_of(lambda: torch.autograd.grad(z, [x, y], retain_graph=True)) == ["y", "before", "after", "x"]
    assert those_of(lambda: z.backward(inputs=[x], retain_graph=True)) == ["y", "before", "after", "x", "post"]


# ------------------------------------------------------------------------------ in-place operations and hooks

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


# ------------------------------------------------------------------------------ register_multi_grad_hook

def group(torch, seen, *tensors, **keywords):
    return torch.autograd.graph.register_multi_grad_hook(tensors, seen.append, **keywords)


def present(grads):
    return [g is not None for g in grads]


def test_all_of_them(torch):
    """The example of the manual: c comes from a and b, d takes no part in the pass."""
    a, b, seen = torch.rand(2, 3, requires_grad=True), torch.rand(2, 3, requires_grad=True), []
    c, d = a * b, a * b
    group(torch, seen, a, b, c, d)
    c.sum().backward(retain_graph=True)
    c.sum().backward(inputs=(a,), retain_graph=True)
    c.sum().backward(inputs=(b, c), retain_graph=True)
    torch.autograd.grad(c.sum(), c, retain_graph=True)
    (c.sum() + d.sum()).backward()
    assert [present(g) for g in seen] == [[True, True, True, False], [True, False, True, False],
                                          [False, True, True, False], [False, False, True, False], [True] * 4]


def test_all_of_them_in_grad():
    """PyTorch refuses a leaf in the group here."""
    import minigrad as torch

    a, b, seen = leaf(torch, 1.), leaf(torch, 2.), []
    c = a * b
    group(torch, seen, a, b, c)
    torch.autograd.grad(c.sum(), a, retain_graph=True)
    torch.autograd.grad(c.sum(), [a, c])
    assert [present(g) for g in seen] == [[True, False, True]] * 2


def test_their_gradients(torch):
    a, b, seen = leaf(torch, 3.), leaf(torch, 5.), []
    c = a * b
    group(torch, seen, a, b, c)
    (c * 2).backward()
    assert type(seen[0]) is list and [g.item() for g in seen[0]] == [10., 6., 2.]


def test_the_hook_is_called_with_the_last_of_them(torch):
    order, a = [], leaf(torch, 1.)
    b = a * 2
    c = b * 3
    torch.autograd.graph.register_multi_grad_hook((c, b), lambda grads: order.append("both"))
    for name, t in (("c", c), ("b", b), ("a", a)):
        t.register_hook(noting(order, name))
    c.sum().backward()
    assert order == ["c", "both", "b", "a"]


def test_the_root_is_one_of_them():
    """PyTorch does not count it, and calls twice."""
    import minigrad as torch

    a, seen = leaf(torch, 1.), []
    b = a * 2
    c = b * 3
    group(torch, seen, c, b)
    c.backward()
    assert [[g.item() for g in grads] for grads in seen] == [[1., 3.]]


def test_each_pass_counts_for_itself(torch):
    a, b, seen = leaf(torch, 1.), leaf(torch, 2.), []
    group(torch, seen, a, b)
    (a * 2).backward()
    (b * 3).backward()
    (a * b).backward()
    assert [[None if x is None else x.item() for x in g] for g in seen] == [[2., None], [None, 3.], [2., 1.]]


def test_any_of_them(torch):
    a, b, seen = leaf(torch, 1.), leaf(torch, 2.), []
    c = a * b
    handle = group(torch, seen, a, b, c, torch.ones(1), mode="any")
    (c * 7).backward()
    (a * 3).backward()
    handle.remove()
    (a * b).backward()
    assert [g.item() for g in seen] == [7., 3.]


def test_what_they_return_is_ignored(torch):
    a = leaf(torch, 1.)
    torch.autograd.graph.register_multi_grad_hook((a,), lambda grads: [g * 10 for g in grads])
    torch.autograd.graph.register_multi_grad_hook((a,), lambda g: g * 10, mode="any")
    (a * 2).backward()
    assert a.grad.tolist() == [2.]


def test_their_handle(torch):
    a, b, seen = leaf(torch, 1.), leaf(torch, 2.), []
    with group(torch, seen, a, b) as handle:
        (a * b).backward()
    (a * b).backward()
    handle.remove()
    assert len(seen) == 1 and type(handle).__name__ == "_MultiHandle"


def test_a_tensor_twice_and_none_at_all(torch):
    a, seen = leaf(torch, 1.), []
    group(torch, seen, a, a)
    group(torch, seen)
    (a * 2).backward()
    assert [[x.item() for x in g] for g in seen] == [[2., 2.]]


def test_two_outputs_of_one_node(torch):
    x, seen = leaf(torch, 1., 2.), []
    u, v = x.unbind()
    group(torch, seen, u, v)
    (u * v).backward()
    assert [[g.item() for g in grads] for grads in seen] == [[2., 1.]]


def test_a_pass_inside_a_pass_has_its_own_count(torch):
    a, b, seen = leaf(torch, 1.), leaf(torch, 2.), []
    c = a * 1

    def inner(g):
        with torch.enable_grad():
            (a * b * 10).backward()

    c.register_hook(inner)
    group(torch, seen, a, b)
    (c * b).backward()
    assert [[g.item() for g in grads] for grads in seen] == [[20., 10.], [2., 1.]]


def test_a_pass_from_their_hook(torch):
    a, b, calls = leaf(torch, 1.), leaf(torch, 2.), []

    def fn(grads):
        calls.append(present(grads))
        if len(calls) < 3:
            with torch.enable_grad():
                (a * b).backward()

    torch.autograd.graph.register_multi_grad_hook((a, b), fn)
    (a * b).backward()
    assert calls == [[True, True]] * 3 and a.grad.tolist() == [6.]


def test_a_pass_that_raised_before_they_were_all_there(torch):
    """What had come is forgotten; the next pass begins at nothing."""
    a, b, seen = leaf(torch, 1.), leaf(torch, 2.), []
    first = a * 1
    handle = first.register_hook(lambda g: 1 / 0)
    second = b * 1
    group(torch, seen, first, second)
    z = first * second
    with pytest.raises(ZeroDivisionError):
        z.backward(retain_graph=True)
    handle.remove()
    z.backward()
    assert [[g.item() for g in grads] for grads in seen] == [[2., 1.]]


def test_many_threads(torch):
    """Each pass calls once, with its own gradients, however the threads take turns."""
    a, b, seen, mistakes = leaf(torch, 1.), leaf(torch, 2.), [], []
    group(torch, seen, a, b)

    def work(k):
        try:
            for _ in range(20):
                (a * b * k).backward()
        except Exception as mistake:
            mistakes.append(mistake)

    threads = [threading.Thread(target=work, args=(k,)) for k in (1., 2., 3., 4.)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not mistakes and len(seen) == 80
    assert sorted(g[0].item() for g in seen) == [2.] * 20 + [4.] * 20 + [6.] * 20 + [8.] * 20
    assert all(x.item() == 2 * y.item() for x, y in seen)


def test_groups_that_are_refused(torch):
    a = leaf(torch, 1.)
    register = torch.autograd.graph.register_multi_grad_hook
    with refuses(ValueError, "Expects mode to be one of ('all', 'any') but got some", "MG207"):
        register((a,), lambda grads: None, mode="some")
    with refuses((AssertionError, RuntimeError), "Expected gradient function to be set", "MG103"):
        register((a, torch.ones(1)), lambda grads: 1 / 0)
    with refuses((AttributeError, TypeError), "'int'", "MG205"):
        register((a, 3), lambda grads: 1 / 0)
    (a * 2).backward()                      # nothing was registered
    with refuses(TypeError, "'int' object is not callable", "MG121"):
        register((a,), 3)
        (a * 2).backward()


def test_a_group_does_not_keep_its_graph_alive():
    """Not even the collector is needed; PyTorch leaks the graph unless the handle is removed."""
    import minigrad as torch

    class Mark:
        pass

    def step():
        a, mark = leaf(torch, 1.), Mark()
        a.mark = mark
        b, c = a * 2, a * 3
        torch.autograd.graph.register_multi_grad_hook((a, b, c), lambda grads: None)
        torch.autograd.graph.register_multi_grad_hook((b, c), lambda g: None, mode="any")
        (b * c).backward()
        return weakref.ref(mark)

    gc.disable()
    try:
        assert step()() is None
    finally:
        gc.enable()


# ------------------------------------------------------------------------------ what a post-accumulate hook may return

def test_a_post_accumulate_hook_may_return_its_leaf(torch):
    """The lambda of PyTorch's documentation: the optimizer step in the hook."""
    x = torch.tensor([1., 2.], requires_grad=True)
    with torch.no_grad():
        x.register_post_accumulate_grad_hook(lambda p: p.add_(p.grad, alpha=-0.5))
    (x * x).sum().backward()
    assert x.tolist() == [0., 0.] and x.grad.tolist() == [2., 4.]


@pytest.mark.parametrize(("returned", "kind", "words", "code"), [
    (lambda torch: 3, TypeError, "expected Variable, but hook returned 'int'", "MG121"),
    (lambda torch: torch.ones(2), RuntimeError, "Tensor post accumulate grad hooks should return None", "MG119"),
])
def test_it_may_return_nothing_else(torch, returned, kind, words, code):
    x = torch.tensor([1., 2.], requires_grad=True)
    x.register_post_accumulate_grad_hook(lambda p: returned(torch))
    with refuses(kind, words, code):
        (x * x).sum().backward()


def test_hooks_on_nodes_take_pytorchs_keywords():
    import minigrad as torch
    y = torch.tensor([1., 2.], requires_grad=True).clone()
    y.grad_fn.register_hook(fn=lambda grad_inputs, grad_outputs: None)
    y.grad_fn.register_prehook(fn=lambda grad_outputs: None)
    y.register_hook(hook=lambda grad: None)
