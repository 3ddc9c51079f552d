"""Hooks on leaves, called when their ``.grad`` is complete."""

import pytest

from tests.autograd.programs import leaf
from tests.checking import refuses


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


# ------------------------------------------------------------------------------ what they return

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
