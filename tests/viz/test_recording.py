"""A recording has every call in order, and changes nothing of what is computed."""

import gc
import weakref

import numpy as np
import pytest

import minigrad as torch
from minigrad import viz
from minigrad._core.dispatch.compute import on_arrays
from minigrad._core.graph.listener import listening
from minigrad.viz.recording import Quantity, recording_of


def names(calls):
    return [call.op.written if call.in_place else call.op.name for call in calls]


def recomputed(call):
    """The results of a call, computed again from the arrays of its arguments."""
    def bare(x):
        return [bare(y) for y in x] if type(x) is list else x.array if isinstance(x, Quantity) else x
    out = on_arrays(call.op, *map(bare, call.arguments))
    return out if isinstance(out, (list, tuple)) else [out]


def test_calls_have_rows_arguments_results_names_and_lines():
    x, w = torch.ones(2, 3), torch.ones(3, 1, requires_grad=True)
    with viz.recording() as written:
        h = torch.tanh(x @ w)
        loss = h.sum()
    first, second, third = written.calls
    assert names(written.calls) == ["mm", "tanh", "sum"]
    assert [q.name for q in first.arguments] == ["x", "w"]
    assert [q.kind for q in first.arguments] == ["given", "leaf"]
    assert second.arguments == first.results and third.argument("self") is second.results[0]
    assert (second.results[0].name, third.results[0].name) == ("h", "loss")
    assert first.line.text == "h = torch.tanh(x @ w)" and first.function == "matmul"
    assert written.quantity(loss) is third.results[0] and recording_of(loss) is written
    assert recording_of(torch.ones(2)) is None


def test_parameters_and_modules_are_named_by_their_paths():
    model = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.Sequential(torch.nn.Linear(3, 1)))
    with viz.recording() as written:
        model(torch.ones(4, 2))
    linear = [call for call in written.calls if call.op.function == "addmm"]
    assert [call.arguments[0].name for call in linear] == ["0.bias", "1.0.bias"]
    assert all(call.arguments[0].is_parameter for call in linear)
    assert [call.module for call in linear] == ["0", "1.0"]
    assert {call.function for call in linear} == {"linear"}


def test_a_write_makes_a_new_quantity_of_every_tensor_that_shows_the_memory():
    x = torch.ones(3)
    with viz.recording() as written:
        v = x[1:]
        v.mul_(2)
        x + 1
        v + 1
    view, write, of_x, of_v = written.calls
    assert write.in_place and write.arguments[0] is view.results[0] and write.results[0].version == 1
    assert of_x.arguments[0].call is write and of_x.arguments[0].before is view.arguments[0]
    assert of_v.arguments[0] is write.results[0]
    assert view.arguments[0].start.tolist() == [1, 1, 1]            # what it was when it was first read
    assert written.needed_for([of_x.results[0]]) == [view, write, of_x]


def test_what_is_written_unheard_begins_anew():
    x = torch.ones(2)
    with viz.recording() as written:
        x + 1
        with viz.recording():
            x.mul_(3)
        x + 1
    first, second = [call.arguments[0] for call in written.calls]
    assert (first.start.tolist(), second.start.tolist()) == ([1, 1], [3, 3])


def test_a_leaf_begins_anew_after_a_step_of_the_optimizer():
    w = torch.ones(2, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.5)
    with viz.recording() as written:
        for _ in range(2):
            optimizer.zero_grad()
            loss = (w * w).sum()
            loss.backward()
            optimizer.step()
    squares = [call for call in written.calls if names([call]) == ["mul"] and call.step is None]
    assert [(call.arguments[0].kind, call.arguments[0].start.tolist()) for call in squares] == [("leaf", [1, 1]),
                                                                                                ("leaf", [0, 0])]
    assert len(written.passes) == 2


def test_a_pass_has_its_steps_in_the_order_of_the_engine_with_sums_where_paths_meet():
    x, b = torch.tensor([1., 2.], requires_grad=True), torch.tensor(3., requires_grad=True)
    with viz.recording() as written:
        y = (x * x + b).sum()
        y.backward()
    one, = written.passes
    assert [step.name for step in one.steps] == ["SumBackward0", "AddBackward0", "AccumulateGrad", "MulBackward0",
                                                 "AccumulateGrad"]
    assert names(one.steps[3].calls) == ["mul", "mul", "add"]
    assert names(one.steps[1].calls) == ["sum_to"]                              # of what was broadcast
    raw, fitted = [(flow.raw.shape, flow.gradient.shape) for flow in one.steps[1].flows]
    assert (raw, fitted) == (((2,), (2,)), ((2,), ()))
    assert one.steps[3].call is written.calls[0] and one.roots == [written.quantity(y)]
    assert [(leaf.name, gradient.array.tolist()) for leaf, gradient in one.leaves] == [("b", 2.0), ("x", [2, 4])]
    assert written.pass_of(y) is one


def test_a_pass_that_did_not_run_is_rehearsed_and_leaves_no_trace():
    x = torch.tensor([1., 2.], requires_grad=True)
    x.grad = before = torch.ones(2)
    with viz.recording() as written:
        y = (x ** 3).sum()
    rehearsed = written.pass_of(y)
    assert rehearsed is written.pass_of(y) and len(written.passes) == 1
    assert x.grad is before and before.tolist() == [1, 1]
    assert [(leaf.name, gradient.array.tolist()) for leaf, gradient in rehearsed.leaves] == [("x", [3, 12])]
    assert listening() is None
    y.backward()
    assert x.grad.tolist() == [4, 13]


def test_what_a_write_has_saved_is_the_target_before_it():
    x = torch.tensor([1., 2.], requires_grad=True)
    with viz.recording() as written:
        y = x * 1
        y.mul_(y.detach().clone() + x)
        y.sum().backward()
    write = next(call for call in written.calls if call.in_place and call.step is None)
    step = next(step for step in written.passes[0].steps if step.call is write)
    read = [q for call in step.calls for q in call.quantities()]
    assert write.arguments[0] in read and write.arguments[0].version == 0


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x ** 3

    @staticmethod
    def backward(ctx, d):
        x, = ctx.saved_tensors
        return 3 * d * x * x


def test_inside_functions_hooks_transforms_and_saved_tensor_hooks_everything_is_heard():
    x = torch.tensor([1., 2.], requires_grad=True)
    hooks = torch.autograd.graph.saved_tensors_hooks(lambda t: t.detach().numpy().copy(), torch.from_numpy)
    with viz.recording() as written:
        z = Cube.apply(x)
        z.register_hook(lambda d: d * 2)
        with hooks:
            y = (z * z).sum()
        y.backward()
        torch.func.vmap(torch.func.grad(lambda t: t.sin()))(x.detach())
    of_cube = next(step for step in written.passes[0].steps if step.name == "CubeBackward")
    assert of_cube.call is None and names(of_cube.calls) == ["mul", "mul", "mul", "mul"]
    product = next(step for step in written.passes[0].steps if step.name == "MulBackward0")
    assert {q.name for call in product.calls[:2] for q in call.quantities()} >= {"z"}       # by way of NumPy
    assert names(written.calls)[-3:] == ["sin", "cos", "mul"]
    assert x.grad.tolist() == [12, 384]


def test_a_call_that_raises_is_not_there():
    x = torch.ones(2)
    with viz.recording() as written:
        for call in (lambda: x + torch.ones(3), lambda: x.add_(torch.ones(3)), lambda: x @ torch.ones(3)):
            with pytest.raises(RuntimeError):
                call()
        x + 1
    assert names(written.calls) == ["add"] and written.calls[0].number == 0


def test_each_call_computed_again_gives_its_results():
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(3, 5), torch.nn.LayerNorm(5), torch.nn.GELU(), torch.nn.Linear(5, 2))
    x, t = torch.randn(4, 3), torch.tensor([0, 1, 1, 0])
    with viz.recording() as written:
        torch.nn.functional.cross_entropy(model(x), t).backward()
    assert len(written.calls) > 20
    for call in written.calls:
        for again, result in zip(recomputed(call), call.results):
            np.testing.assert_allclose(again, result.array, rtol=1e-6)


def test_nothing_that_is_computed_changes():
    def trained():
        torch.manual_seed(3)
        model = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.Dropout(0.5), torch.nn.ReLU(),
                                    torch.nn.Linear(8, 1))
        optimizer = torch.optim.Adam(model.parameters())
        x = torch.randn(16, 4)
        for _ in range(3):
            optimizer.zero_grad()
            loss = (model(x) ** 2).mean()
            loss.backward()
            optimizer.step()
        return loss.item(), [p.detach().numpy().tolist() for p in model.parameters()]

    with viz.recording():
        watched = trained()
    assert watched == trained()


def test_recordings_nest_and_profilers_are_refused():
    x = torch.ones(2)
    with viz.recording() as outer:
        with viz.recording() as inner:
            x * 2
        x * 3
        with pytest.raises(RuntimeError, match="viz.recording"), torch.autograd.profiler.profile():
            pass
    assert names(inner.calls) == names(outer.calls) == ["mul"]
    with torch.autograd.profiler.profile():
        with pytest.raises(RuntimeError, match="one at a time"), viz.recording():
            pass
    assert listening() is None


def test_a_recording_keeps_nothing_when_it_is_gone():
    x = torch.ones(2, requires_grad=True)
    with viz.recording() as written:
        y = x * 2
    array = weakref.ref(y._array)
    del y
    assert array() is not None
    del written
    with viz.recording():
        pass
    gc.collect()
    assert array() is None


def test_a_recording_stays_the_latest_while_others_are_made_for_an_answer():
    x = torch.tensor([1., 2.], requires_grad=True)
    with viz.recording():
        loss = (x * x).sum()
    viz.derive(torch.sin, torch.tensor(1.))
    viz.code(torch.sin, torch.tensor(1.))
    viz.code(loss, mode="forward")
    assert "x̅ = 2 * x" in str(viz.derive(loss))
