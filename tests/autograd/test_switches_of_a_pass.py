"""Switches of the thread that user code turns in a backward pass, and leaves so: they are put back.

PyTorch puts back the same ones, but for recording that a Function or a hook after accumulation turns off.
"""

import threading
from importlib import import_module

import pytest

import minigrad
from minigrad.overrides import TorchFunctionMode
from tests.autograd.programs import leaf

@pytest.fixture
def torch():
    """minigrad alone: PyTorch leaves recording off in some of these places, for all tests that follow."""
    return minigrad


PLACES = ["unpack hook", "tensor hook", "node hook", "Function", "hook after accumulation"]


def run_in_pass(torch, place, act, create_graph=False):
    """Call ``act`` at this place of a backward pass; the gradient."""
    x = leaf(torch, 1., 2.)
    once = []

    def acts(*_):
        if not once:
            once.append(act())

    class Acting(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1

        @staticmethod
        def backward(ctx, d):
            acts()
            return d

    def unpack(value):
        acts()
        return value

    if place == "unpack hook":
        with torch.autograd.graph.saved_tensors_hooks(lambda value: value, unpack):
            y = x.sin()
    else:
        y = Acting.apply(x.sin()) if place == "Function" else x.sin()
    if place == "tensor hook":
        y.register_hook(acts)
    if place == "node hook":
        y.grad_fn.register_hook(acts)
    if place == "hook after accumulation":
        x.register_post_accumulate_grad_hook(acts)
    y.sum().backward(create_graph=create_graph)
    assert once
    return x.grad


class Recorder:
    def __init__(self):
        self.packed = []

    def pack(self, value):
        self.packed.append(value)
        return value


@pytest.mark.filterwarnings("ignore:Using backward\\(\\) with create_graph")
@pytest.mark.parametrize("create_graph", [False, True])
@pytest.mark.parametrize("place", PLACES)
class TestPutBack:
    def test_hooks_that_are_entered(self, torch, place, create_graph):
        recorder = Recorder()
        context = torch.autograd.graph.saved_tensors_hooks(recorder.pack, lambda value: value)
        run_in_pass(torch, place, context.__enter__, create_graph)
        recorder.packed.clear()
        leaf(torch, 1., 2.).sin()
        assert not recorder.packed

    def test_hooks_that_are_left(self, torch, place, create_graph):
        recorder = Recorder()
        context = torch.autograd.graph.saved_tensors_hooks(recorder.pack, lambda value: value)
        with context:
            run_in_pass(torch, place, lambda: context.__exit__(None, None, None), create_graph)
            recorder.packed.clear()
            leaf(torch, 1., 2.).sin()
            assert recorder.packed
        recorder.packed.clear()
        leaf(torch, 1., 2.).sin()
        assert not recorder.packed

    def test_hooks_that_are_disabled(self, torch, place, create_graph):
        run_in_pass(torch, place, torch.autograd.graph.disable_saved_tensors_hooks("no").__enter__, create_graph)
        with torch.autograd.graph.saved_tensors_hooks(lambda value: value, lambda value: value):
            leaf(torch, 1., 2.).sin()

    def test_modes(self, torch, place, create_graph):
        asked = []

        class Mode(import_module(f"{torch.__name__}.overrides").TorchFunctionMode):
            def __torch_function__(self, function, types, args=(), kwargs=None):
                asked.append(function)
                return function(*args, **(kwargs or {}))

        run_in_pass(torch, place, Mode().__enter__, create_graph)
        asked.clear()
        torch.ones(2).sin()
        assert not asked

    def test_inference_and_grad_mode(self, torch, place, create_graph):
        run_in_pass(torch, place, torch.inference_mode().__enter__, create_graph)
        assert not torch.is_inference_mode_enabled() and torch.is_grad_enabled()
        run_in_pass(torch, place, lambda: torch.set_grad_enabled(False), create_graph)
        put_back = torch.is_grad_enabled()
        torch.set_grad_enabled(True)
        # PyTorch leaves recording off there, for all that follows.
        assert put_back or torch is not minigrad and place in ("Function", "hook after accumulation")

    def test_the_default_device(self, torch, place, create_graph):
        run_in_pass(torch, place, lambda: torch.set_default_device("meta"), create_graph)
        assert torch.ones(1).device.type == "cpu"
        with torch.device("meta"):
            leaf_device = torch.ones(1).device.type
        assert leaf_device == "meta" and torch.ones(1).device.type == "cpu"


def test_a_mode_that_is_left_where_it_was_not_entered():
    mode, caught = TorchFunctionMode(), []

    def leave():
        try:
            mode.__exit__(None, None, None)
        except RuntimeError as failure:
            caught.append(failure)

    with mode:
        thread = threading.Thread(target=leave)
        thread.start()
        thread.join()
    assert "that it has not entered" in str(caught[0]) and caught[0].code == "MG122"
    assert minigrad.ones(1).sin().shape == (1,)


def test_nodes_that_run_later_find_what_the_pass_began_with(torch):
    x = leaf(torch, 1., 2.)
    y = x.sin()
    z = y.exp()
    z.register_hook(lambda d: torch.set_grad_enabled(False) and None)
    g, = torch.autograd.grad(z.sum(), x, create_graph=True)
    assert g.requires_grad
