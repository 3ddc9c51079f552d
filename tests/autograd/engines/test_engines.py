"""Engines of the user's: what they are handed, what they may return, and the checklist that they are put through."""

import contextlib
import gc
import itertools
import threading
import warnings
from pathlib import Path

import pytest

import minigrad as torch
from minigrad.autograd import engines
from minigrad.autograd.engines import checklist, plain
from minigrad.utils.checkpoint import checkpoint
from tests.checking import refuses

f64 = torch.float64
NAMES = [case.__name__.replace("_", " ") for case in checklist.CASES]


def leaf(*numbers):
    return torch.tensor(numbers, dtype=f64, requires_grad=True)


class Watched:
    """The plain engine, which notes what it was called with."""

    def __init__(self):
        self.calls = []

    def __call__(self, *arguments):
        self.calls.append((*arguments, torch.is_grad_enabled()))
        return plain.engine(*arguments)


# ------------------------------------------------------------------------------ what an engine is handed

def test_the_engine_is_handed_edges_gradients_and_whether_to_keep_the_graph():
    engine, x = Watched(), leaf(1., 2.)
    y, v = x * x, torch.ones(2, dtype=f64)
    accumulator, _ = y.grad_fn.next_functions[0]
    with torch.use_engine(engine):
        y.backward(v, retain_graph=True)
        torch.autograd.grad(y, [x, y], v, create_graph=True)
        torch.autograd.backward([y, y], [v, v])
    first, second, third = engine.calls
    assert first == (((y.grad_fn, 0),), (v,), (), True, False)
    assert second == (((y.grad_fn, 0),), (v,), ((accumulator, 0), (y.grad_fn, 0)), True, True)
    assert third == (((y.grad_fn, 0), (y.grad_fn, 0)), (v, v), (), False, False)
    assert first[1][0] is v


def test_an_output_number_belongs_to_each_edge():
    engine, x = Watched(), leaf(1., 2., 3.)
    _, second, third = x.unbind()
    with torch.use_engine(engine):
        found = torch.autograd.grad(third * second, [third, second])
    assert engine.calls[0][2] == ((second.grad_fn, 2), (second.grad_fn, 1))
    assert [g.item() for g in found] == [2, 3]


def test_an_input_without_a_graph_is_an_edge_to_nowhere():
    base = leaf(1., 2.)
    with torch.no_grad():
        view = base[:1]
    engine = Watched()
    with torch.use_engine(engine):
        found = torch.autograd.grad(base.sum(), [view], allow_unused=True)
    assert engine.calls[0][2] == ((None, 0),) and found == (None,)


# ------------------------------------------------------------------------------ the block

def test_blocks_nest_and_belong_to_a_thread():
    outer, inner, x = Watched(), Watched(), leaf(1.)
    seen = []

    def elsewhere():
        x.square().backward()
        seen.append(len(outer.calls))

    with torch.use_engine(outer):
        with torch.use_engine(inner):
            x.square().backward()
        with torch.use_engine(None):
            x.square().backward()
        thread = threading.Thread(target=elsewhere)
        thread.start()
        thread.join()
        x.square().backward()
    x.square().backward()
    assert (len(outer.calls), len(inner.calls), seen) == (1, 1, [0])
    assert x.grad.item() == 10


def test_a_block_may_be_entered_again_and_decorates_functions():
    engine, x = Watched(), leaf(1.)
    block = torch.use_engine(engine)
    with block, block:
        pass

    @block
    def twice():
        x.square().backward()

    twice()
    x.square().backward()
    assert len(engine.calls) == 1


def test_an_exception_leaves_everything_as_it_was():
    def broken(roots, gradients, inputs, keep_graph):
        torch.set_grad_enabled(True)
        raise KeyError("broken")

    x = leaf(1.)
    y = x * x
    with pytest.raises(KeyError):
        with torch.use_engine(broken):
            with torch.no_grad():
                try:
                    y.backward()
                finally:
                    assert not torch.is_grad_enabled()
    assert torch.is_grad_enabled()
    y.backward()
    assert x.grad.item() == 2


def test_an_engine_that_was_given_up_is_freed():
    import weakref
    engine, x = Watched(), leaf(1.)
    with torch.use_engine(engine):
        x.square().backward()
    reference = weakref.ref(engine)
    del engine
    gc.collect()
    assert reference() is None


# ------------------------------------------------------------------------------ what it may return

@pytest.mark.parametrize("returned, says", [
    (None, "returned None: it returns a list or tuple with one gradient"),
    (7, "an object of type int"),
    ([], "returned 0 gradients, and was asked for that of 1 input:"),
    ([7], "returned is a int: it must be a Tensor"),
    ([torch.ones(3, dtype=f64)], "has shape [3], and input 0 has shape [2]"),
    ([torch.ones(2)], "has dtype torch.float32, and input 0 has dtype torch.float64"),
])
def test_what_an_engine_returns_is_checked(returned, says):
    def mine(roots, gradients, inputs, keep_graph):
        return returned

    x = leaf(1., 2.)
    with torch.use_engine(mine):
        with refuses(RuntimeError, says, "MG130") as caught:
            torch.autograd.grad(x.square().sum(), x)
        assert "the engine mine, at tests/autograd/engines/test_engines.py:" in str(caught.value)
        if returned:
            with refuses(RuntimeError, "MG130", "MG130"):
                x.square().sum().backward()
        else:
            x.square().sum().backward()


def test_a_gradient_that_does_not_fit_its_leaf_is_refused():
    x = leaf(1., 2.)
    accumulator = torch.autograd.graph.get_gradient_edge(x).node
    for wrong in (torch.ones(3, dtype=f64), torch.ones(2)):
        with refuses(TypeError, "AccumulateGrad was called with a gradient of shape", "MG114"):
            accumulator(wrong)
    assert x.grad is None


def test_the_hooks_check_their_arguments():
    x = leaf(1., 2.)
    y = x * x
    one = torch.ones(2, dtype=f64)
    with refuses(TypeError, "expected 1 arguments, got 2", "MG114"):
        engines.tensor_hooks(y.grad_fn, [one, one])
    with refuses(TypeError, "has 2 edges", "MG114"):
        engines.posthooks(y.grad_fn, [one], [one])
    with refuses(TypeError, "use_engine", "MG205"):
        torch.use_engine(7)
    with pytest.raises(ValueError, match="there is no case 'a cat'; the cases are 'a chain'"):
        torch.check_engine(None, ["a cat"])


def test_gradients_are_those_of_the_engine_and_have_no_history():
    def tens(roots, gradients, inputs, keep_graph):
        with torch.enable_grad():
            return [torch.full((2,), 10., dtype=f64) * leaf(1., 1.)] * len(inputs)

    x = leaf(1., 2.)
    with torch.use_engine(tens):
        found, = torch.autograd.grad(x.square().sum(), x)
    assert found.tolist() == [10., 10.] and not found.requires_grad


def test_grad_is_added_to_in_place_and_never_shares_memory():
    x, v = leaf(1., 2.), torch.ones(2, dtype=f64)
    with torch.use_engine(plain.engine):
        x.clone().backward(v)
        before = x.grad
        x.clone().backward(v)
    assert before is x.grad and before.tolist() == [2., 2.] and v.tolist() == [1., 1.]


# ------------------------------------------------------------------------------ the rest of the library

def test_transforms_run_on_the_engine():
    engine, x = Watched(), torch.tensor([0.5, 1.5], dtype=f64)
    def f(x):
        return (x * x).sin().sum()
    want = torch.func.grad(f)(x), torch.func.hessian(f)(x), torch.func.jacrev(lambda x: x.sin() * x[0])(x)
    batch = torch.stack([x, 2 * x])
    want += torch.vmap(torch.func.grad(f))(batch), torch.func.grad(lambda x: torch.func.grad(f)(x).sum())(x)
    with torch.use_engine(engine):
        found = torch.func.grad(f)(x), torch.func.hessian(f)(x), torch.func.jacrev(lambda x: x.sin() * x[0])(x)
        found += torch.vmap(torch.func.grad(f))(batch), torch.func.grad(lambda x: torch.func.grad(f)(x).sum())(x)
    for a, b in zip(found, want):
        assert torch.equal(a, b) and not a.requires_grad
    assert len(engine.calls) >= 5


def test_a_batch_of_gradients_and_a_tangent_through_the_pass():
    x = leaf(1., 2.)
    with torch.use_engine(plain.engine):
        found, = torch.autograd.grad(x * x, x, torch.eye(2, dtype=f64), is_grads_batched=True)
        with torch.autograd.forward_ad.dual_level():
            dual = torch.autograd.forward_ad.make_dual(x, torch.ones(2, dtype=f64))
            first, = torch.autograd.grad((dual * dual * dual).sum(), dual)
            tangent = torch.autograd.forward_ad.unpack_dual(first).tangent
    assert found.tolist() == [[2., 0.], [0., 4.]] and tangent.tolist() == [6., 12.]


@pytest.mark.parametrize("use_reentrant", [False, True])
@pytest.mark.filterwarnings("ignore:None of the inputs have requires_grad")
def test_checkpoints_run_on_the_engine(use_reentrant):
    x = leaf(0.5, 1.5)
    with torch.use_engine(plain.engine):
        checkpoint(lambda x: checkpoint(lambda y: y.sin().exp(), x * x, use_reentrant=use_reentrant), x,
                   use_reentrant=use_reentrant).sum().backward()
    want = leaf(0.5, 1.5)
    (want * want).sin().exp().sum().backward()
    assert torch.equal(x.grad, want.grad)


def test_a_profiler_sees_the_nodes_that_the_engine_calls():
    x = leaf(1., 2.)
    with torch.use_engine(plain.engine), torch.autograd.profiler.profile() as profiler:
        x.exp().sum().backward()
    names = [event.name for event in profiler.function_events]
    assert {"ExpBackward0", "SumBackward0", "torch::autograd::AccumulateGrad"} <= {*names}


def test_anomaly_mode_names_the_node_and_the_line():
    x = leaf(0.)
    with torch.use_engine(plain.engine), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with torch.autograd.detect_anomaly():
            y = (x.sqrt() * 0).sum()
            with refuses(RuntimeError, "Function 'SqrtBackward0' returned nan values", "MG128") as caught:
                y.backward()
    assert any("x.sqrt() * 0" in note for note in caught.value.__notes__)


def test_hooks_on_several_tensors_know_what_the_pass_will_compute():
    a, b = leaf(1.), leaf(2.)
    c, d = a * b, a * 3
    seen = []
    torch.autograd.graph.register_multi_grad_hook((a, b, c, d), lambda grads: seen.append([g is None for g in grads]))
    with torch.use_engine(plain.engine):
        c.sum().backward(retain_graph=True)
        c.sum().backward(inputs=[a], retain_graph=True)
    assert seen == [[False, False, False, True], [False, True, False, True]]


def test_saved_tensor_hooks_and_changed_values():
    x = leaf(1., 2.)
    with torch.use_engine(plain.engine):
        with torch.autograd.graph.saved_tensors_hooks(lambda t: t * 2, lambda t: t / 2):
            y = x.exp()
        y.sum().backward()
        z = x.exp()
        z.detach().mul_(2)
        with refuses(RuntimeError, "modified by an inplace", "MG101"):
            z.sum().backward()
    assert torch.allclose(x.grad, x.detach().exp())


class DerivativeOfAnother(torch.autograd.Function):
    """Its backward multiplies by a gradient that a pass of its own computes."""

    @staticmethod
    def forward(ctx, x, of, at):
        ctx.another = of, at
        return x * 1

    @staticmethod
    def backward(ctx, g):
        of, at = ctx.another
        return g * torch.autograd.grad(of, at, retain_graph=True)[0], None, None


@pytest.mark.parametrize("watch", [contextlib.nullcontext, torch.autograd.profiler.profile,
                                   torch.autograd.detect_anomaly])
@pytest.mark.parametrize("engine", [None, plain.engine])
def test_two_passes_walk_through_the_same_nodes_at_once(engine, watch, recwarn):
    x = leaf(1., 2.)
    y = (x * x).sin()
    with torch.use_engine(engine), watch():
        DerivativeOfAnother.apply(y, y.sum(), x).sum().backward()
    assert torch.allclose(x.grad, (2 * x * (x * x).cos()).detach() ** 2)


@pytest.mark.parametrize("engine", [None, plain.engine])
def test_several_outputs_of_one_node_are_inputs(engine):
    x = leaf(1., 2., 3.)
    a, b, c = x.unbind()
    with torch.use_engine(engine):
        (a * 2 + b * 3 + c * 4).backward(inputs=[a, c])
    assert (a.grad.item(), c.grad.item(), x.grad) == (2, 4, None)


@pytest.mark.parametrize("engine", [None, plain.engine])
def test_an_edge_to_no_leaf_is_an_input_that_nothing_accumulates_into(engine):
    x = leaf(1., 2.)
    y = x * x
    with torch.use_engine(engine):
        y.sum().backward(inputs=[x, torch.autograd.graph.get_gradient_edge(y)])
    assert x.grad.tolist() == [2, 4]


def test_gradients_that_are_returned_for_several_outputs_of_one_node():
    x = leaf(1., 2., 3.)
    a, b, c = x.unbind()
    b.retain_grad()
    with torch.use_engine(lambda *_: [torch.tensor(2., dtype=f64), torch.tensor(4., dtype=f64)]):
        (a + b + c).backward(inputs=[a, c])
    assert (a.grad.item(), b.grad, c.grad.item(), x.grad) == (2, None, 4, None)


@pytest.mark.parametrize("edge", [torch.autograd.graph.get_gradient_edge,
                                  lambda y: torch.autograd.graph.GradientEdge(y.grad_fn, 0, None)])
def test_the_end_of_an_edge_is_an_input(edge):
    """One that is made by hand does not know the shape."""
    y = leaf(1., 2.) * 2
    with torch.use_engine(plain.engine):
        found, = torch.autograd.grad(y.sin().sum(), edge(y))
    assert torch.equal(found, y.detach().cos())


def test_a_node_that_is_not_part_of_the_pass_runs_by_itself():
    x = leaf(1., 2.)
    other, found = (x * 3).exp(), []

    def engine(*arguments):
        found.append(other.grad_fn(torch.ones(2, dtype=f64)))
        return plain.engine(*arguments)

    with torch.use_engine(engine):
        x.square().sum().backward()
    assert torch.equal(found[0], other.detach()) and x.grad.tolist() == [2., 4.]


def test_an_ordinary_pass_inside_that_of_an_engine_runs_nodes_of_both():
    x = leaf(1., 2.)
    y = x.exp()
    found = []

    def engine(*arguments):
        with torch.use_engine(None), torch.enable_grad():
            z = y * 1
            z.register_hook(lambda g: found.append(y.grad_fn(g)))
            torch.autograd.grad(z.sum(), y)
        return plain.engine(*arguments)

    with torch.use_engine(engine):
        y.sum().backward()
    assert torch.equal(found[0], y.detach()) and torch.equal(x.grad, y.detach())


def test_anomaly_mode_that_does_not_look_for_nan():
    x = leaf(0.)
    with torch.use_engine(plain.engine), pytest.warns(UserWarning, match="Anomaly Detection"):
        with torch.autograd.detect_anomaly(check_nan=False):
            (x.sqrt() * 0).sum().backward()
    assert x.grad.isnan().all()


def test_tangents_of_operations_are_no_business_of_the_engine():
    engine, x = Watched(), torch.tensor([1., 3., 2.], dtype=f64)
    with torch.use_engine(engine):
        _, tangent = torch.func.jvp(lambda x: x.cumprod(0), (x,), (torch.ones(3, dtype=f64),))
    assert tangent.tolist() == [1., 4., 11.] and not engine.calls


@pytest.mark.parametrize("engine", [None, plain.engine])
def test_a_leaf_that_was_laid_out_otherwise_has_no_gradient(engine):
    x = torch.ones(2, 3, requires_grad=True)
    y = x * 2
    with torch.no_grad():
        x.t_()
    with torch.use_engine(engine), refuses(RuntimeError, "was laid out otherwise", "MG101"):
        y.sum().backward()
    with refuses(RuntimeError, "was laid out otherwise", "MG101"):
        y.grad_fn.next_functions[0][0](torch.ones(2, 3))
    assert x.grad is None


@pytest.mark.parametrize("given", [3, "a", [torch.ones(2)]])
def test_a_node_is_called_with_gradients(given):
    y = leaf(1., 2.) * 2
    with refuses(TypeError, "a gradient must be a Tensor or None", "MG114"):
        y.grad_fn(given)


def test_a_node_of_several_outputs_is_called_with_none():
    a, b = leaf(1., 2.).unbind()
    assert a.grad_fn(None, None) is None
    assert engines.tensor_hooks(a.grad_fn, [None, None]) == engines.prehooks(a.grad_fn, [None, None]) == (None, None)


@pytest.mark.parametrize("grad_mode", [torch.no_grad, torch.enable_grad])
def test_a_leaf_is_given_gradients_with_tangents(grad_mode):
    forward_ad, x = torch.autograd.forward_ad, leaf(3., 2.)
    accumulator = torch.autograd.graph.get_gradient_edge(x).node
    with grad_mode(), forward_ad.dual_level():
        for tangent in ([1., 1.], [3., 4.]):
            accumulator(forward_ad.make_dual(torch.tensor([1., 2.], dtype=f64), torch.tensor(tangent, dtype=f64)))
        assert forward_ad.unpack_dual(x.grad).tangent.tolist() == [4., 5.]
    assert x.grad.tolist() == [2., 4.]


def test_a_leaf_on_another_device_is_given_gradients():
    with torch.cuda.pretend():
        x = torch.ones(2, device="cuda", requires_grad=True)
        accumulator, one = torch.autograd.graph.get_gradient_edge(x).node, torch.ones(2, device="cuda")
        accumulator(one)
        accumulator(one)
        assert x.grad.tolist() == [2., 2.] and x.grad.is_cuda and one.tolist() == [1., 1.]
        with refuses(RuntimeError, "Expected all tensors to be on the same device", "MG407"):
            accumulator(torch.ones(2))


def test_a_recording_says_that_it_does_not_see_the_engine():
    x = leaf(1.)
    with torch.use_engine(plain.engine), torch.viz.record():
        with refuses(RuntimeError, "is told each step by minigrad's own engine", "MG130"):
            x.square().backward()


def test_passes_deep_inside_each_other_stay_with_the_engine():
    engine = Watched()

    class Deeper(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, depth):
            ctx.depth = depth
            return x * 2

        @staticmethod
        def backward(ctx, d):
            if ctx.depth:
                with torch.enable_grad():
                    x = torch.ones(1, dtype=f64, requires_grad=True)
                    Deeper.apply(x, ctx.depth - 1).backward(d)
                return x.grad, None
            return d * 2, None

    x = torch.ones(1, dtype=f64, requires_grad=True)
    with torch.use_engine(engine):
        Deeper.apply(x, 60).backward()
    assert x.grad.item() == 2 and len(engine.calls) == 61


def test_formulas_run_only_for_what_is_asked_for():
    """The gradient of the other factor is not computed, as the memory of a matrix would show."""
    x, w = leaf(1., 2.), leaf(3., 4.)
    y = x * w
    results = []

    def looking(roots, gradients, inputs, keep_graph):
        (node, _), = roots
        results.append(node(*gradients))
        return [results[-1][0]]

    with torch.use_engine(looking):
        torch.autograd.grad(y, x, torch.ones(2, dtype=f64), retain_graph=True)
    assert results[0][0].tolist() == [3., 4.] and results[0][1] is None
    assert [g.tolist() for g in y.grad_fn(torch.ones(2, dtype=f64))] == [[3., 4.], [1., 2.]]


# ------------------------------------------------------------------------------ the checklist

@pytest.mark.parametrize("engine", [None, plain.engine], ids=["minigrad", "plain"])
def test_an_engine_that_is_right_passes(engine):
    report = torch.check_engine(engine, verbose=False)
    assert report and report.passed == NAMES and report.failed == []


def endless(roots, gradients, inputs, keep_graph):
    while True:
        try:
            len(roots)
        except Exception:
            pass


@pytest.mark.skipif(not checklist.THREADS, reason="no clock runs beside a loop without threads")
def test_an_engine_that_loops_is_stopped_and_the_next_case_runs():
    def later(roots, gradients, inputs, keep_graph):
        return endless(roots, gradients, inputs, keep_graph) if inputs else plain.engine(
            roots, gradients, inputs, keep_graph)

    report = torch.check_engine(later, ["a chain", "an unused input", "a diamond"], seconds=0.5, verbose=False)
    assert report.passed == ["a chain", "a diamond"] and report.failed == ["an unused input"]
    assert report.results[1].problem == "no result after 0.5 seconds: a loop that does not end?"
    assert all([each.finished.is_set() for each in threading.enumerate() if isinstance(each, threading.Timer)])
    x = torch.ones(2, requires_grad=True)
    (x * x).sum().backward()                    # minigrad's own engine is back
    assert x.grad.tolist() == [2, 2]


def test_it_is_stopped_in_a_thread_too():
    reports = []
    thread = threading.Thread(target=lambda: reports.append(
        torch.check_engine(endless, ["a chain"], seconds=0.2, verbose=False)))
    thread.start()
    thread.join(30)
    assert reports and reports[0].failed == ["a chain"]


def test_the_clock_stops_only_its_block():
    for _ in range(200):                        # a limit that is over while the block is left
        try:
            with checklist.at_most(0.0005):
                for _ in range(2000):
                    pass
        except checklist.TooLong:
            pass
    for _ in range(10_000):
        pass


def test_the_report_is_a_table(capsys):
    def lazy(roots, gradients, inputs, keep_graph):
        return [None] * len(inputs)

    report = torch.check_engine(lazy, ["a chain", "an unused input", "a freed graph"])
    printed = capsys.readouterr().out
    assert printed == f"{report}\n" and not report and report.passed == []
    assert printed.splitlines()[:3] == [
        "lazy: 0 of 3 cases passed",
        "  FAILED  a chain          Gradients are multiplied along a path: the chain rule.",
        "            x.grad is None, and should be [-2, -4]"]
    assert max(map(len, str(torch.check_engine(lazy, verbose=False)).splitlines())) <= 120


def test_another_error_is_told_as_it_is():
    ended = []

    def once(roots, gradients, inputs, keep_graph):
        if ended:
            raise RuntimeError("only once")
        ended.append(True)
        return plain.engine(roots, gradients, inputs, keep_graph)

    report = torch.check_engine(once, ["a freed graph"], verbose=False)
    assert report.failed == ["a freed graph"] and "only once" in report.results[0].problem


SOURCE = Path(plain.__file__).read_text(encoding="utf-8")

ADDING = "buffer[number] = gradient if buffer[number] is None else buffer[number] + gradient"
HOOKS_BEFORE = "prehooks(node, tensor_hooks(node, gradients))"
CALL = "    results = node(*gradients)\n"
FREE = "if not keep_graph:"
ORDER = "-node._sequence_nr()"

#: a fault -> the lines of the plain engine, what is planted there, the cases that fail
FAULTS = {
    "begins at the first root": (
        "in zip(roots, gradients):", "in [*zip(roots, gradients)][:1]:",
        ["several roots"]),
    "adds in place": (
        ADDING, "buffer[number] = gradient if buffer[number] is None else buffer[number].add_(gradient)",
        ["a shared gradient"]),
    "keeps the last gradient that arrives": (
        ADDING, "buffer[number] = gradient",
        ["a leaf used twice", "a diamond", "diamonds in a row", "a long way and a short one", "a shared gradient",
         "several roots", "a wide graph", "complex numbers", "a write through a view", "an exception",
         "a pass inside a pass", "inputs of grad", "only what is needed", "retain graph", "create graph",
         "hooks on tensors"]),
    "forgets the output number": (
        ADDING, "buffer[0] = gradient if buffer[0] is None else buffer[0] + gradient",
        ["several outputs"]),
    "does not wait for the last gradient": (
        "if arrivals[node] == 0:", "if node not in [n for *_, n in ready]:",
        ["create graph", "the order of hooks"]),
    "does not deliver None": (
        "if child is not None:\n                deliver", "if result is not None:\n                deliver",
        ["a gradient of None"]),
    "never frees": (FREE, "if False:", ["a freed graph"]),
    "always frees": (FREE, "if True:", ["a pass inside a pass", "retain graph", "create graph"]),
    "records nothing": (
        CALL, "    __import__('minigrad').set_grad_enabled(False)\n" + CALL,
        ["create graph"]),
    "runs no hooks on tensors": (
        HOOKS_BEFORE, "prehooks(node, gradients)",
        ["a pass inside a pass", "hooks on tensors", "retained gradients", "the order of hooks"]),
    "runs no hooks on what it returns": (
        "            gradients = tensor_hooks(node, gradients)\n", "            pass\n",
        ["hooks on what is asked for"]),
    "runs no prehooks": (HOOKS_BEFORE, "tensor_hooks(node, gradients)", ["hooks on nodes", "the order of hooks"]),
    "runs no hooks after a node": (
        "    results = posthooks(node, results, gradients)\n", "",
        ["hooks on nodes", "the order of hooks"]),
    "runs hooks in another order": (
        HOOKS_BEFORE, "tensor_hooks(node, prehooks(node, gradients))",
        ["the order of hooks"]),
    "takes the node that was ready first": (ORDER, "next(arrival)", ["the order of hooks"]),
    "takes the node that was recorded first": (ORDER, "node._sequence_nr()", ["the order of hooks"]),
    "runs everything": (
        "if not inputs:", "if True:",
        ["a pass inside a pass", "inputs of grad", "only what is needed", "inputs of backward",
         "hooks on what is asked for"]),
    "returns gradients in the order of their arrival": (
        "[found.get(edge) for edge in inputs]", "[found[edge] for edge in found if edge in inputs]",
        ["inputs of grad", "an unused input", "inputs of backward"]),
    "swallows exceptions": (
        CALL, f"    try:\n    {CALL}    except Exception:\n        results = (None,) * len(node.next_functions)\n",
        ["an exception", "a freed graph"]),
    "keeps its buffers between passes": ("    buffers = {}", "    buffers = vars(survey)", ["an exception"]),
}


def planted(fault):
    old, new, _ = FAULTS[fault]
    assert SOURCE.count(old) == 1, fault
    namespace = {"__name__": "planted", "arrival": itertools.count()}
    exec(compile(SOURCE.replace(old, new), "planted.py", "exec"), namespace)
    return namespace["engine"]


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.drawn
def test_a_planted_fault_fails_these_cases_and_no_others(fault):
    before = torch.is_grad_enabled()
    report = torch.check_engine(planted(fault), seconds=600, verbose=False)
    assert torch.is_grad_enabled() is before
    assert report.failed == FAULTS[fault][2], report
