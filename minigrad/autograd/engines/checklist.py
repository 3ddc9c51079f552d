"""Put an engine through its paces: ``check_engine(my_engine)``.

Each case below is a small program, run inside ``with use_engine(my_engine):``.  It computes gradients that anyone can
check by hand, and compares; its docstring says why an engine must be able to do this.  The cases become harder
from top to bottom, so an engine can grow with the list.

Where a node must not run, or must run only once, a case has a custom Function that notices.  So an engine that follows
every path, of which there may be 2 ** 60, is stopped at the first node that it runs twice.  One whose loop does not end
is stopped by the clock.
"""

import ctypes
import sys
import threading
from contextlib import nullcontext
from textwrap import wrap
from typing import NamedTuple

from minigrad._core.errors import error, located
from minigrad.autograd.engines.using import use_engine
from minigrad.autograd.function import Function
from minigrad.autograd.grad_mode import enable_grad, no_grad
from minigrad.autograd.reverse import backward, grad
from minigrad.creation import empty, ones, tensor
from minigrad.dtypes import complex128, float64
from minigrad.ops.shapes.joining import cat

__all__ = ["Checked", "Report", "check_engine"]

#: without them, as in a web page, no clock stops a case
THREADS = sys.platform != "emscripten"


class Checked(NamedTuple):
    """One line of a :class:`Report`: a case, why it matters, and what went wrong ("" if nothing did)."""

    name: str
    why: str
    passed: bool
    problem: str


class Report:
    """What :func:`check_engine` found: true if every case passed, and printed as a table.

    ``results`` has a :class:`Checked` for each case; ``passed`` and ``failed`` are the names.
    """

    def __init__(self, engine, results):
        self.engine = engine
        self.results = results

    @property
    def passed(self):
        return [case.name for case in self.results if case.passed]

    @property
    def failed(self):
        return [case.name for case in self.results if not case.passed]

    def __bool__(self):
        return not self.failed

    def __repr__(self):
        lines = [f"{self.engine}: {len(self.passed)} of {len(self.results)} cases passed"]
        width = max([len(case.name) for case in self.results])
        for case in self.results:
            lines.append(f"  {'ok    ' if case.passed else 'FAILED'}  {case.name:{width}}  {case.why}")
            lines += wrap(case.problem, 108, initial_indent=" " * 12, subsequent_indent=" " * 12)
        return "\n".join(lines)


class Wrong(Exception):
    """What the engine did differently from what the case expects."""


def check_engine(engine, cases=None, *, seconds=20, verbose=True):
    """Put an engine through a list of cases, print what it passes and fails, and why that matters.

    Parameters
    ----------
    engine : callable or None
        As for :func:`~minigrad.use_engine`; None is minigrad's own.
    cases : sequence of str, optional
        The names of the cases to run; all of them by default.
    seconds : float
        How long a case may take; the next one begins then. An engine that waits in C, or that catches every exception,
        is not stopped.
    verbose : bool
        Print the report.

    Returns
    -------
    A :class:`~minigrad.autograd.engines.checklist.Report`: true if every case passed; ``passed`` and ``failed`` are
    lists of names, ``results`` says more.

    Raises: ValueError if there is no case of a name; TypeError if ``engine`` cannot be called.

    >>> def recursive(roots, gradients, inputs, keep_graph):
    ...     for (node, _), gradient in zip(roots, gradients):
    ...         results = node(gradient)
    ...         if not isinstance(results, tuple):
    ...             results = (results,)
    ...         recursive(node.next_functions, results, (), keep_graph)
    >>> report = torch.check_engine(recursive, ["a chain", "a diamond", "a deep chain"])
    recursive: 1 of 3 cases passed
      ok      a chain       Gradients are multiplied along a path: the chain rule.
      FAILED  a diamond     Two paths meet: their gradients are added before the node runs, once.
                OnceBackward ran a second time in one pass
      FAILED  a deep chain  Graphs are deeper than Python's stack: no recursion along the edges.
                RecursionError: maximum recursion depth exceeded
    >>> bool(report), report.passed
    (False, ['a chain'])
    """
    known = {case.__name__.replace("_", " "): case for case in CASES}
    for name in known if cases is None else cases:
        if name not in known:
            raise no_case(name, known)
    block = use_engine(engine)
    report = Report("minigrad's own engine" if engine is None else located(engine).partition(", at ")[0],
                    [run(block, name, known[name], seconds) for name in (known if cases is None else cases)])
    if verbose:
        print(report)
    return report


def run(block, name, case, seconds):
    """Run one case inside the block."""
    problem = ""
    try:
        with enable_grad(), block, at_most(seconds) if THREADS else nullcontext():
            case()
    except Wrong as e:
        problem = str(e)
    except TooLong:
        problem = f"no result after {seconds:g} seconds: a loop that does not end?"
    except Exception as e:
        problem = f"{type(e).__name__}: {str(e).partition(' [MG')[0]}"
    return Checked(name, case.__doc__, not problem, problem)


class TooLong(BaseException):
    """The case has taken its time; an engine that catches every `Exception` lets it pass."""


class at_most:
    """A block that raises `TooLong` after so many seconds, at whatever line its Python code is.

    A clock in a thread of its own raises it in the thread of the block, so that this works in each thread and on each
    system, and leaves the signals of the process alone.
    """

    def __init__(self, seconds):
        self.over, self.turn = False, threading.Lock()
        self.clock = threading.Timer(seconds, self.stop, [threading.get_ident()])
        self.clock.daemon = True

    def __enter__(self):
        self.clock.start()

    def __exit__(self, kind, value, traceback):
        with self.turn:
            self.over = True
        self.clock.cancel()             # what was raised at the last moment arrives here at the latest

    def stop(self, thread):
        with self.turn:
            if not self.over:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(TooLong))


# ------------------------------------------------------------------------------ what the cases are made of


def leaf(*numbers, dtype=float64):
    return tensor(numbers, dtype=dtype, requires_grad=True)


def expect(what, found, expected):
    """Raise unless ``found``, a Tensor or None or a list, is what was expected."""
    found = found if found is None or isinstance(found, (list, str)) else found.detach().tolist()
    if found != expected:
        raise Wrong(f"{what} is {found}, and should be {expected}")


class Once(Function):
    """The identity, which runs at most once in each pass."""

    @staticmethod
    def forward(ctx, x):
        ctx.ran = False
        return x.clone()

    @staticmethod
    def backward(ctx, d):
        if ctx.ran:
            raise Wrong("OnceBackward ran a second time in one pass")
        ctx.ran = True
        return d


class Never(Function):
    """The identity, in a place where a pass does not come by."""

    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, d):
        raise Wrong("NeverBackward ran, and does not lead to any of the inputs")


class Stop(Function):
    """The identity, whose derivative is not given."""

    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, d):
        return None


class Fail(Function):
    """The identity, whose backward raises."""

    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, d):
        raise ZeroDivisionError("on purpose")


class Scaled(Function):
    """A product and a sum, with a parameter that is not a tensor."""

    @staticmethod
    def forward(ctx, x, factor, w):
        ctx.save_for_backward(x, w)
        ctx.factor = factor
        return x * w * factor, x + w

    @staticmethod
    def backward(ctx, product, total):
        x, w = ctx.saved_tensors
        return product * w * ctx.factor + total, None, product * x * ctx.factor + total


# ------------------------------------------------------------------------------ the shape of the graph


def a_chain():
    """Gradients are multiplied along a path: the chain rule."""
    x = leaf(1, 2)
    x.square().neg().sum().backward()
    expect("x.grad", x.grad, [-2, -4])


def a_given_gradient():
    """A pass begins with the gradients that it is given, and does not write to them."""
    x, v = leaf(1, 2), tensor([10, 20], dtype=float64)
    x.neg().backward(v)
    expect("x.grad", x.grad, [-10, -20])
    expect("the gradient that was given", v, [10, 20])


def a_leaf_used_twice():
    """Gradients of several uses are added up, and so are those of several passes."""
    x = leaf(1, 2)
    for _ in range(2):
        (x * x + x).sum().backward()
    expect("x.grad after two passes", x.grad, [6, 10])


def a_diamond():
    """Two paths meet: their gradients are added before the node runs, once."""
    x = leaf(1, 2)
    h = Once.apply(x * x)
    (h.neg() + h * h).sum().backward()
    expect("x.grad", x.grad, [2, 28])


def diamonds_in_a_row():
    """There are 2 ** 60 paths, and 240 nodes: following each path never ends."""
    x = leaf(1)
    h = x
    for _ in range(60):
        h = Once.apply(h)
        h = h + h.neg().neg()
    h.sum().backward()
    expect("x.grad", x.grad, [2.0 ** 60])


def a_long_way_and_a_short_one():
    """A node waits for its last gradient, which may come by a longer path."""
    x = leaf(1, 2)
    h = Once.apply(x * x)
    (h + h.neg().neg().neg().neg()).sum().backward()
    expect("x.grad", x.grad, [4, 8])


def a_shared_gradient():
    """One gradient may go along several edges: added to in place, it changes for all."""
    x, w = leaf(1), leaf(1)
    a, b = x.clone(), w.clone()
    doubled = b + b
    total = a + b                       # hands one gradient to both, before that of doubled is added for b
    (doubled + total).sum().backward()
    expect("x.grad", x.grad, [1])
    expect("w.grad", w.grad, [3])


def several_roots():
    """A root may lie below another: what is given there is one more gradient to come."""
    x = leaf(3)
    h = x.neg()
    backward([h * h, h], [tensor([1], dtype=float64), tensor([1], dtype=float64)])
    expect("x.grad", x.grad, [5])


def several_outputs():
    """A node with several outputs gets a gradient for each, or None if it was not used."""
    x = leaf(1, 2, 3)
    first, _, last = x.unbind()
    (first * last).backward()
    expect("x.grad", x.grad, [3, 0, 1])


def a_branch_without_gradient():
    """An edge leads nowhere if no gradient is wanted: after detach(), or for a constant."""
    x = leaf(1, 2)
    with no_grad():
        h = x * 5
    (x * h + x.detach()).sum().backward()
    expect("x.grad", x.grad, [5, 10])


def a_wide_graph():
    """A thousand edges lead to one node, and a node has a thousand edges."""
    x = leaf(2)
    cat([x * k for k in range(1000)]).sum().backward()
    expect("x.grad", x.grad, [499500])


def a_deep_chain():
    """Graphs are deeper than Python's stack: no recursion along the edges."""
    x = leaf(1)
    y = x
    for _ in range(100_000):
        y = y + 1
    y.sum().backward()
    expect("x.grad", x.grad, [1])


def no_elements():
    """An empty batch has a gradient too: one of its shape."""
    x = empty(0, 3, dtype=float64, requires_grad=True)
    (x * 2).sum().backward()
    expect("the shape of x.grad", None if x.grad is None else [*x.grad.shape], [0, 3])


def complex_numbers():
    """The gradient of a real loss with respect to complex numbers is complex."""
    z = leaf(1 + 2j, 3j, dtype=complex128)
    (z * z.conj()).real.sum().backward()
    expect("z.grad", z.grad, [2 + 4j, 6j])


def a_write_through_a_view():
    """An in-place write changes the graph of the memory that it writes to."""
    x = leaf(1, 2)
    y = x.clone()
    y[0].mul_(5)
    (y * y).sum().backward()
    expect("x.grad", x.grad, [50, 4])


# ------------------------------------------------------------------------------ functions of the user's


def a_custom_Function():
    """Its node has an edge for each argument, even for one that is not a tensor."""
    x, w = leaf(2, 3), leaf(5, 7)
    product, _ = Scaled.apply(x, 10, w)
    product.sum().backward()
    expect("x.grad", x.grad, [50, 70])
    expect("w.grad", w.grad, [20, 30])


def a_gradient_of_None():
    """None adds nothing, but it has arrived: the node below need not wait any longer."""
    x, w = leaf(1, 2), leaf(1, 2)
    h = x * 3
    (h + Stop.apply(h)).sum().backward()
    expect("x.grad", x.grad, [3, 3])
    Stop.apply(w).sum().backward()
    expect("w.grad, to which nothing came", w.grad, None)


def an_exception():
    """An error in a node reaches the caller as it is, and the next pass begins afresh."""
    x = leaf(1)
    try:
        (Fail.apply(x * 2) + x * x).sum().backward()
    except ZeroDivisionError:
        pass
    else:
        raise Wrong("the ZeroDivisionError of FailBackward did not reach the caller of backward()")
    x.grad = None
    (x * x).sum().backward()
    expect("x.grad in the next pass", x.grad, [2])


def a_pass_inside_a_pass():
    """A hook may start a pass over the same nodes: each has its own counts and sums."""
    x, found = leaf(1, 2), []
    h = x * x
    total = h.sum()

    def start_another(d):
        handle.remove()
        found.extend(grad(total, x, retain_graph=True))

    handle = h.register_hook(start_another)
    (h * h).sum().backward()
    expect("the gradient in the inner pass", found[0] if found else None, [2, 4])
    expect("x.grad", x.grad, [4, 32])


# ------------------------------------------------------------------------------ what is asked for


def inputs_of_grad():
    """grad() returns the gradients in the order of inputs, and leaves .grad alone."""
    x, w = leaf(1, 2), leaf(3, 4)
    h = x * w
    found = grad((h * h).sum(), [w, h, x])
    for name, each, expected in zip(["w", "h", "x"], found, [[6, 32], [6, 16], [18, 64]]):
        expect(f"the gradient with respect to {name}", each, expected)
    expect("x.grad", x.grad, None)


def only_what_is_needed():
    """With inputs, only nodes that lead to them run: the others may be expensive."""
    x, w = leaf(1, 2), leaf(3, 4)
    h = Never.apply(x * 2)
    found = grad((h * h + Never.apply(w)).sum(), h)
    expect("the gradient with respect to h", found[0], [4, 8])


def an_unused_input():
    """None for an input to which no path leads."""
    x, w = leaf(1, 2), leaf(3, 4)
    found = grad((x * 2).sum(), [w, x], allow_unused=True)
    expect("the gradient with respect to w", found[0], None)
    expect("the gradient with respect to x", found[1], [2, 2])


def a_root_as_input():
    """The gradient with respect to the root is the one that was given."""
    x = leaf(1, 2)
    y = x * 2
    found = grad(y, [y, x], tensor([10, 20], dtype=float64))
    expect("the gradient with respect to y", found[0], [10, 20])
    expect("the gradient with respect to x", found[1], [20, 40])


def inputs_of_backward():
    """backward(inputs=...) adds to .grad of the inputs alone."""
    x, w = leaf(1, 2), leaf(3, 4)
    h = x * w
    h.sum().backward(inputs=[x, h])
    expect("x.grad", x.grad, [3, 4])
    expect("h.grad", h.grad, [1, 1])
    expect("w.grad", w.grad, None)


# ------------------------------------------------------------------------------ memory, and derivatives of derivatives


def retain_graph():
    """What nodes saved is kept if the caller asks for it: a second pass finds the same."""
    x = leaf(1, 2)
    y = (x * x).sum()
    y.backward(retain_graph=True)
    y.backward(retain_graph=True)
    expect("x.grad after two passes", x.grad, [4, 8])


def a_freed_graph():
    """Otherwise it is freed as the pass goes on, and a second pass is refused."""
    x = leaf(1, 2)
    y = (x * x).sum()
    y.backward()
    try:
        y.backward()
    except RuntimeError as e:
        if "second time" not in str(e):
            raise
    else:
        raise Wrong("a second backward() through the same graph was not refused: nothing was freed")


def create_graph():
    """The pass itself is recorded, so its result can be differentiated."""
    x = leaf(1, 2)
    first, = grad((x * x * x).sum(), x, create_graph=True)
    if not first.requires_grad:
        raise Wrong("the gradient was not recorded")
    second, = grad(first.sum(), x, create_graph=True)
    third, = grad(second.sum(), x)
    for name, each, expected in zip(["first", "second", "third"], [first, second, third], [[3, 12], [6, 12], [6, 6]]):
        expect(f"the {name} derivative", each, expected)


# ------------------------------------------------------------------------------ hooks


def hooks_on_tensors():
    """A hook sees the sum of all that arrives, and what it returns goes on in its place."""
    x, seen = leaf(1, 2), []
    h = x * 1
    h.register_hook(lambda d: seen.append(d.tolist()))
    h.register_hook(lambda d: d * 10)
    x.register_hook(lambda d: d + 1)
    (h * 2 + h * 3).sum().backward()
    expect("what the hook saw", seen, [[5, 5]])
    expect("x.grad", x.grad, [51, 51])


def hooks_on_what_is_asked_for():
    """A gradient that is returned has passed the hooks, though the node does not run."""
    x = leaf(1, 2)
    h = x * 1
    h.register_hook(lambda d: d * 10)
    found = grad((h * 2).sum(), h)
    expect("the gradient with respect to h", found[0], [20, 20])


def hooks_on_nodes():
    """Prehooks run before a node and hooks after it, and both may replace the gradients."""
    x = leaf(1, 2)
    h = x * 3
    h.grad_fn.register_prehook(lambda incoming: (incoming[0] + 1,))
    h.grad_fn.register_hook(lambda outgoing, incoming: (outgoing[0] + 100 * incoming[0], *outgoing[1:]))
    h.sum().backward()
    expect("x.grad", x.grad, [206, 206])


def retained_gradients():
    """retain_grad() fills .grad of a result, once the hooks of the tensor have run."""
    x = leaf(1, 2)
    h = x * 3
    h.retain_grad()
    h.register_hook(lambda d: d * 10)
    h.sum().backward()
    expect("h.grad", h.grad, [10, 10])


def the_order_of_hooks():
    """Of what is ready, the node recorded last runs first: the order never changes."""
    x, order = leaf(1, 2), []
    first, second = x * 2, x * 3
    for name, each in [("first", first), ("second", second), ("x", x)]:
        each.register_hook(lambda d, name=name: order.append(f"{name}: tensor"))
    for name, node in [("first", first.grad_fn), ("second", second.grad_fn)]:
        node.register_hook(lambda outgoing, incoming, name=name: order.append(f"{name}: node"))
        node.register_prehook(lambda incoming, name=name: order.append(f"{name}: before node"))
    (first + second).sum().backward()
    expect("the order", order, ["second: tensor", "second: before node", "second: node", "first: tensor",
                                "first: before node", "first: node", "x: tensor"])


CASES = [a_chain, a_given_gradient, a_leaf_used_twice, a_diamond, diamonds_in_a_row, a_long_way_and_a_short_one,
         a_shared_gradient, several_roots, several_outputs, a_branch_without_gradient, a_wide_graph, a_deep_chain,
         no_elements, complex_numbers, a_write_through_a_view, a_custom_Function, a_gradient_of_None, an_exception,
         a_pass_inside_a_pass, inputs_of_grad, only_what_is_needed, an_unused_input, a_root_as_input,
         inputs_of_backward, retain_graph, a_freed_graph, create_graph, hooks_on_tensors, hooks_on_what_is_asked_for,
         hooks_on_nodes, retained_gradients, the_order_of_hooks]


# ------------------------------------------------------------------------------ errors


def no_case(name, known):
    return error("MG207", f"check_engine(): there is no case {name!r}; the cases are {', '.join(map(repr, known))}")
