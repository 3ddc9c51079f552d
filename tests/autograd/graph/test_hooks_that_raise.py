"""A hook that raises, or switches the grad mode: what the pass leaves behind."""

import pytest

from tests.autograd.programs import leaf
from tests.checking import is_minigrad


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
