"""Hooks on nodes, before and after they run: when they are called, with what, and what becomes of what they return."""

import pytest

from tests.autograd.function.functions import function
from tests.autograd.programs import leaf, noting
from tests.checking import refuses


# ------------------------------------------------------------------------------ when they run, and with what

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


def test_a_prehook_of_a_node_with_several_outputs(torch):
    x, seen = leaf(torch, 1., 2.), []
    a, b = x.unbind()
    a.grad_fn.register_prehook(lambda outer: seen.append([g is None for g in outer]))
    a.grad_fn.register_prehook(lambda outer: (None, outer[1] * 2))
    (b * 3).backward()
    assert x.grad.tolist() == [0., 6.] and seen[0][1] is False


def test_a_prehook_of_a_function_with_several_outputs(torch):
    class TwiceAndThrice(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2, x * 3

        @staticmethod
        def backward(ctx, a, b):
            return a * 2 + b * 3

    x, seen = leaf(torch, 1., 2.), []
    twice, thrice = TwiceAndThrice.apply(x)
    twice.grad_fn.register_prehook(lambda outer: seen.append([g.tolist() for g in outer]))
    twice.grad_fn.register_prehook(lambda outer: (outer[0], outer[1] * 10))
    (twice * 5 + thrice).sum().backward()
    assert seen == [[[5., 5.], [1., 1.]]] and x.grad.tolist() == [40., 40.]


@pytest.mark.parametrize("call, number", [
    (lambda torch, x: x.sort()[0], 1), (lambda torch, x: x.max(0)[0], 1), (lambda torch, x: torch.frexp(x)[0], 1),
    (lambda torch, x: x.topk(1)[0], 1), (lambda torch, x: x.unbind()[1], 2),
    (lambda torch, x: torch.linalg.eigh(torch.diag(x))[0], 2)])
def test_hooks_see_a_gradient_for_each_output_that_can_have_one(torch, call, number):
    seen = []
    x = leaf(torch, 1., 2.)
    y = call(torch, x)
    node = y.grad_fn
    node.register_prehook(lambda outer: seen.append(len(outer)))
    node.register_hook(lambda inner, outer: seen.append(len(outer)))
    y.sum().backward(retain_graph=True)
    assert seen == [number] * 2
    assert node(torch.ones_like(y), *[None] * (number - 1)) is not None


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


def test_hooks_on_nodes_take_pytorchs_keywords():
    import minigrad as torch
    y = torch.tensor([1., 2.], requires_grad=True).clone()
    y.grad_fn.register_hook(fn=lambda grad_inputs, grad_outputs: None)
    y.grad_fn.register_prehook(fn=lambda grad_outputs: None)
    y.register_hook(hook=lambda grad: None)


# ------------------------------------------------------------------------------ what they return

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


# ------------------------------------------------------------------------------ what is refused

@pytest.mark.parametrize("register", ["register_hook", "register_prehook"])
def test_a_node_hook_that_is_not_a_function(torch, register):
    y = leaf(torch, 1.) * 2
    with refuses(TypeError, "'int' object is not callable", "MG121"):
        getattr(y.grad_fn, register)(3)
        y.backward()


def test_a_node_of_several_inputs_shows_that_no_gradient_came(torch):
    Nothing = function(torch, lambda ctx, x: x * 2, lambda ctx, d: None)
    a, b = (torch.ones(2, requires_grad=True) for _ in "ab")
    y, seen = torch.cat([a, b]), []
    y.grad_fn.register_hook(lambda to_inputs, of_outputs: seen.append((to_inputs, of_outputs)))
    (Nothing.apply(y).sum() + (a * 3).sum()).backward()
    assert a.grad.tolist() == [3., 3.] and b.grad is None and seen == [((None, None), (None,))]


@pytest.mark.parametrize("create_graph", [False, True])
@pytest.mark.parametrize("dtype", ["float64", "float16"])
@pytest.mark.parametrize("name", ["unbind", "split", "split_with_sizes", "max", "frexp"])
def test_a_prehook_may_take_away_the_gradients_of_all_outputs(torch, name, dtype, create_graph):
    x = torch.tensor([[1., 2.], [3., 5.]], dtype=getattr(torch, dtype), requires_grad=True)
    several = {"unbind": lambda: x.unbind(), "split": lambda: x.split(1), "split_with_sizes": lambda: x.split([1, 1]),
               "max": lambda: x.max(1), "frexp": lambda: torch.frexp(x)}[name]()
    several[0].grad_fn.register_prehook(lambda outer: (None,) * len(outer))
    assert torch.autograd.grad(several[0].sum(), x, allow_unused=True, create_graph=create_graph) == (None,)


def test_a_custom_function_gets_zeros_where_a_prehook_takes_away_all_gradients(torch):
    class Both(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2, x * 3

        @staticmethod
        def backward(ctx, first, second):
            return first + second + 1

    x = leaf(torch, 1., 2.)
    first, second = Both.apply(x)
    first.grad_fn.register_prehook(lambda outer: (None, None))
    (first + second).sum().backward()
    assert x.grad.tolist() == [1., 1.]
