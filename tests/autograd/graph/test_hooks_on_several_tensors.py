"""``register_multi_grad_hook``: one hook for several tensors, called when all of their gradients are there, or the
first."""

import gc
import threading
import weakref

import pytest

from tests.autograd.programs import leaf, noting
from tests.checking import refuses


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
