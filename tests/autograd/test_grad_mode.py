"""no_grad, enable_grad, set_grad_enabled, inference_mode: as contexts, as decorators, as a function."""

import functools
import threading

import pytest

import minigrad
from tests.checking import refuses


@pytest.fixture
def x(torch):
    return torch.ones(2, requires_grad=True)


@pytest.fixture(autouse=True)
def recording_is_on_again():
    yield
    assert minigrad.is_grad_enabled()


def state(torch):
    return torch.is_grad_enabled(), torch.is_inference_mode_enabled()


def test_no_grad_does_not_record(torch, x):
    with torch.no_grad():
        y = x * 2
    assert not y.requires_grad and y.grad_fn is None and y.is_leaf
    assert (x * 2).requires_grad


def test_enable_grad_records_inside_no_grad(torch, x):
    with torch.no_grad(), torch.enable_grad():
        y = x * 2
    assert y.requires_grad


def test_creation_is_not_concerned(torch):
    with torch.no_grad():
        assert torch.zeros(2, requires_grad=True).requires_grad


def test_the_mode_ends_when_the_block_raises(torch):
    with pytest.raises(KeyError), torch.no_grad():
        raise KeyError
    assert torch.is_grad_enabled()


def test_modes_nest(torch):
    with torch.no_grad():
        with torch.enable_grad():
            with torch.no_grad():
                assert not torch.is_grad_enabled()
            assert torch.is_grad_enabled()
        assert not torch.is_grad_enabled()


def test_one_instance_may_be_entered_again():
    """PyTorch forgets the outer state here and stays in no_grad."""
    mode = minigrad.no_grad()
    with mode:
        with mode:
            pass
        assert not minigrad.is_grad_enabled()
    assert minigrad.is_grad_enabled()


@pytest.mark.parametrize("name, inside", [("no_grad", False), ("enable_grad", True), ("inference_mode", False)])
@pytest.mark.parametrize("parentheses", [True, False])
def test_as_a_decorator(torch, name, inside, parentheses):
    mode = getattr(torch, name)

    @(mode() if parentheses else mode)
    def function(a, b=2):
        """Its docstring."""
        return a, b, torch.is_grad_enabled()

    assert function(1, b=3) == (1, 3, inside)
    assert function.__name__ == "function" and function.__doc__ == "Its docstring."
    assert torch.is_grad_enabled()


def test_a_decorated_function_may_call_itself(torch):
    @torch.no_grad()
    def countdown(n):
        assert not torch.is_grad_enabled()
        return n and countdown(n - 1)

    assert countdown(3) == 0 and torch.is_grad_enabled()


def test_a_method_may_be_decorated(torch):
    class Model:
        @torch.no_grad()
        def one(self):
            return self, torch.is_grad_enabled()

        @torch.no_grad
        def two(self):
            return self, torch.is_grad_enabled()

    model = Model()
    assert model.one() == (model, False) and model.two() == (model, False)


def test_set_grad_enabled_as_a_function(torch, x):
    torch.set_grad_enabled(False)
    assert not torch.is_grad_enabled() and not (x * 2).requires_grad
    torch.set_grad_enabled(True)
    assert torch.is_grad_enabled()


@pytest.mark.parametrize("mode", [True, False])
def test_set_grad_enabled_as_a_context_and_a_decorator(torch, mode):
    with torch.set_grad_enabled(mode):
        assert torch.is_grad_enabled() is mode
    assert torch.is_grad_enabled()

    @torch.set_grad_enabled(mode)
    def function():
        return torch.is_grad_enabled()

    assert torch.is_grad_enabled(), "decorating is not calling"
    assert function() is mode and torch.is_grad_enabled()


def test_set_grad_enabled_tells_its_mode(torch):
    with torch.set_grad_enabled(False) as nothing:
        assert nothing is None
    assert repr(torch.set_grad_enabled(True)) == "torch.autograd.grad_mode.set_grad_enabled(mode=True)"


def test_set_grad_enabled_wants_a_bool(torch):
    with pytest.raises(TypeError, match="must be bool, not int"):
        torch.set_grad_enabled(0)
    assert torch.is_grad_enabled()


def test_a_generator_runs_in_the_mode_and_its_caller_does_not(torch):
    @torch.no_grad()
    def generator():
        received = yield torch.is_grad_enabled()
        while received != "stop":
            received = yield received, torch.is_grad_enabled()
        return torch.is_grad_enabled()

    steps = generator()
    assert next(steps) is False and torch.is_grad_enabled()
    assert steps.send("a") == ("a", False) and torch.is_grad_enabled()
    with pytest.raises(StopIteration) as stop:
        steps.send("stop")
    assert stop.value.value is False and torch.is_grad_enabled()


def test_a_generator_sees_the_callers_exceptions(torch):
    closed = []

    @torch.no_grad()
    def generator():
        try:
            while True:
                try:
                    yield 1
                except KeyError as problem:
                    yield problem.args[0], torch.is_grad_enabled()
        finally:
            closed.append(torch.is_grad_enabled())

    steps = generator()
    next(steps)
    assert steps.throw(KeyError("told")) == ("told", False)
    assert torch.is_grad_enabled()
    steps.close()
    assert closed == [False] and torch.is_grad_enabled()


def test_a_partial_of_a_generator_is_a_generator(torch):
    def generator(n):
        yield torch.is_grad_enabled()

    partial = functools.partial(generator, 1)
    functools.update_wrapper(partial, generator)
    assert list(torch.no_grad()(partial)()) == [False]


def test_coroutines_are_not_concerned(torch):
    """Decorating one covers making it, not running it."""

    @torch.no_grad()
    async def coroutine():
        return torch.is_grad_enabled()

    with pytest.raises(StopIteration) as ended:         # as an event loop ends it
        coroutine().send(None)
    assert ended.value.value is True


def test_decorating_a_class_warns_and_covers_its_construction(torch):
    with pytest.warns(FutureWarning, match="Decorating classes is deprecated"):

        @torch.no_grad()
        class Model:
            def __init__(self):
                self.made_in = torch.is_grad_enabled()

            def method(self):
                return torch.is_grad_enabled()

    assert Model().made_in is False and Model().method() is True


def test_modes_belong_to_their_thread(torch):
    seen = []
    with torch.no_grad():
        thread = threading.Thread(target=lambda: seen.append(torch.is_grad_enabled()))
        thread.start()
        thread.join()
    assert seen == [True]


def test_inference_mode_sets_both_flags_and_restores_them(torch):
    with torch.inference_mode():
        assert state(torch) == (False, True)
        with torch.enable_grad():
            assert state(torch) == (True, True)
        with torch.inference_mode(False):
            assert state(torch) == (True, False)
        with torch.inference_mode():
            pass
        assert state(torch) == (False, True)
    with torch.no_grad():
        with torch.inference_mode(False):
            assert state(torch) == (True, False)
        with torch.inference_mode():
            torch.set_grad_enabled(True)
        assert state(torch) == (False, False)
    assert state(torch) == (True, False)


def test_inference_tensors(torch, x):
    with torch.inference_mode():
        y = x * x
    assert y.is_inference() and not y.requires_grad and not x.is_inference()
    with pytest.raises(RuntimeError, match="Inference tensors do not track version counter"):
        y._version


def test_enable_grad_in_inference_mode_still_makes_inference_tensors(torch, x):
    with torch.inference_mode(), torch.enable_grad():
        y = x * 2
    assert y.is_inference() and not y.requires_grad


def test_a_view_that_is_read_in_inference_mode_keeps_its_history(torch, x):
    y = x * 2
    view = y[:1]
    y.mul_(3)
    with torch.inference_mode():
        assert (view * 1).is_inference()
    view.sum().backward()
    assert x.grad.tolist() == [6, 0]


@pytest.mark.parametrize("write", [lambda t, y: y.mul_(2), lambda t, y: t.neg(y.detach(), out=y),
                                   lambda t, y: y.__setitem__(0, 1)], ids=["in place", "out", "index"])
def test_writes_in_inference_mode_are_not_recorded(torch, x, write):
    y = x * 3
    node = y.grad_fn
    with torch.inference_mode(), torch.enable_grad():
        write(torch, y)
        write(torch, x)
    assert y.grad_fn is node and x.is_leaf
    y.sum().backward()
    assert x.grad.tolist() == [3, 3]


def test_views_made_in_inference_mode_have_no_history(torch, x):
    y = x * torch.tensor(1j)
    with torch.inference_mode(), torch.enable_grad():
        view = y.real
        assert view._is_view() and view.grad_fn is None and not (view * 2).requires_grad
    y.mul_(2)
    with pytest.raises(RuntimeError, match="modified inplace"):
        view.grad_fn


def test_views_of_inference_tensors_that_require_grad_do_not(torch):
    with torch.inference_mode():
        x = torch.ones(2, 2, requires_grad=True)
        views = [x[0], x.view(4), x.t(), x.expand(2, 2, 2), x.unbind()[0], x.split(1)[0], torch.view_as_complex(x)]
        views[0].mul_(3)
        assert x.tolist() == [[3., 3.], [1., 1.]] and views[2].tolist() == [[3., 1.], [3., 1.]]
    with torch.no_grad():
        views += [x[0], x.view(4), x.unbind()[0]]
    assert x.requires_grad and all(v.is_inference() and v.is_leaf and v.grad_fn is None for v in views)
    assert not any(v.requires_grad or (v * 2).requires_grad for v in views)


def test_a_recorded_view_of_an_inference_tensor_has_a_history():
    """PyTorch loses the gradient."""
    with minigrad.inference_mode():
        x = minigrad.ones(2, 2, requires_grad=True)
    (x[0] * 2).sum().backward()
    assert x.grad.tolist() == [[2., 2.], [0., 0.]]


def test_views_of_inference_tensors_have_no_base(torch, x):
    with torch.inference_mode():
        inside = (x * 2)[0]
        outside = x[0]
    assert not inside._is_view() and inside._base is None
    assert outside._is_view() and outside._base is x


@pytest.mark.parametrize("name", ["no_grad", "enable_grad", "inference_mode"])
def test_each_entry_of_one_instance_is_left_by_itself(name):
    mode = getattr(minigrad, name)()
    found = []
    with mode, minigrad.enable_grad(), mode, minigrad.no_grad(), mode:
        inside = state(minigrad)
    with mode:
        found.append(state(minigrad))
    assert found == [inside] and state(minigrad) == (True, False)


def test_inference_mode_ends_within_no_grad(torch):
    with torch.no_grad():
        with torch.inference_mode():
            assert state(torch) == (False, True)
        assert state(torch) == (False, False)
        with torch.inference_mode(False):
            assert state(torch) == (True, False)
        assert state(torch) == (False, False)


@pytest.mark.parametrize("call", ["no_grad()", "set_grad_enabled(False)",
                                  "set_grad_enabled(mode=False)", "inference_mode()", "inference_mode(True)",
                                  "inference_mode(mode=True)"])
def test_each_way_to_write_a_mode(torch, call):
    with eval("torch." + call, {"torch": torch}):
        assert not torch.is_grad_enabled()
    assert torch.is_grad_enabled()


@pytest.mark.parametrize("call", ["no_grad(1, 2)", "no_grad(other=1)", "set_grad_enabled()", "set_grad_enabled(1)",
                                  "set_grad_enabled(True, False)", "inference_mode(True, True)"])
def test_a_mode_that_is_written_wrongly_changes_nothing(torch, call):
    with pytest.raises(TypeError):
        eval("torch." + call, {"torch": torch})
    assert torch.is_grad_enabled()


@pytest.mark.parametrize("name, arguments", [("no_grad", ()), ("set_grad_enabled", (False,)), ("inference_mode", ())])
def test_a_subclass_is_made_by_its_own_methods(torch, name, arguments):
    class Named(getattr(torch, name)):
        def __init__(self, *arguments):
            super().__init__(*arguments)
            self.name = "mine"

        def __enter__(self):
            super().__enter__()
            return self.name

    with Named(*arguments) as found:
        assert found == "mine" and not torch.is_grad_enabled()
    assert torch.is_grad_enabled()


def test_a_mode_that_was_not_entered_puts_nothing_back():
    minigrad.no_grad().__exit__(None, None, None)
    assert minigrad.is_grad_enabled()


def test_an_inference_tensor_requires_grad_only_in_inference_mode(torch):
    with torch.inference_mode():
        x = torch.ones(2)
        assert torch.ones(2).requires_grad_().requires_grad
    with refuses(RuntimeError, "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed",
                 "MG112"):
        x.requires_grad_()
    with refuses(RuntimeError, "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed",
                 "MG112"):
        x.requires_grad = True
