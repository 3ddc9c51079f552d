"""Handles, and hooks that are registered and removed while hooks run."""

import collections
import gc
import weakref

import pytest
from tests.autograd.programs import leaf, noting


# ------------------------------------------------------------------------------ handles

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


# ------------------------------------------------------------------------------ hooks that come and go while they run

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
