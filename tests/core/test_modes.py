"""The switches of a thread, as the core keeps them."""

import threading

import pytest

import minigrad
from tests.checking import refuses
from minigrad._core.runtime import modes


@pytest.fixture(autouse=True)
def as_before():
    yield
    assert modes.is_grad_enabled() and not modes.is_inference() and not modes.levels()


def in_a_thread(work):
    found = []
    t = threading.Thread(target=lambda: found.append(work()))
    t.start()
    t.join()
    return found[0]


def test_grad_mode_returns_what_it_was():
    assert modes.set_grad_enabled(False) is True
    assert modes.set_grad_enabled(False) is False and not modes.is_grad_enabled()
    assert modes.set_grad_enabled(True) is False and modes.is_grad_enabled()


def test_inference_returns_what_it_was():
    assert modes.set_inference(True) is False
    assert modes.set_inference(True) is True and modes.is_inference()
    assert modes.set_inference(False) is True


def test_a_new_thread_begins_with_the_defaults():
    modes.set_grad_enabled(False)
    modes.set_inference(True)
    try:
        assert (in_a_thread(lambda: (modes.is_grad_enabled(), modes.is_inference(), list(modes.levels())))
                == (True, False, []))
    finally:
        modes.set_grad_enabled(True)
        modes.set_inference(False)


def test_a_thread_leaves_the_others_alone():
    def work():
        modes.set_grad_enabled(False)
        modes.set_inference(True)
        return (minigrad.ones(2, requires_grad=True) * 2).requires_grad

    assert in_a_thread(work) is False
    assert modes.is_grad_enabled() and (minigrad.ones(2, requires_grad=True) * 2).requires_grad


def test_levels_are_a_stack():
    class Interpreter:
        pass

    a, b, c = Interpreter(), Interpreter(), Interpreter()
    outer, inner = modes.push_level(a), modes.push_level(b)
    assert 0 < outer < inner and modes.levels() == [a, b]
    assert modes.interpreter(outer) is a and modes.interpreter(inner) is b
    modes.pop_level()
    later = modes.push_level(c)
    assert later > inner                                            # no number comes twice
    with refuses(RuntimeError, "this tensor comes from a transform (vmap, grad, jvp ...) that has already ended",
                 "MG117"):
        modes.interpreter(inner)
    modes.pop_level()
    modes.pop_level()
    assert modes.levels() == []
    with refuses(RuntimeError, "item(): this tensor comes from a transform", "MG117"):
        modes.interpreter(outer, "item")


def test_nothing_is_taken_from_an_empty_stack():
    with refuses(RuntimeError, "no saved-tensor hooks are in force in this thread", "MG122"):
        modes.pop_saved_hooks()
    modes.pop_level()
    assert modes.levels() == [] and modes.saved_hooks_depth() == 0


def test_a_level_whose_interpreter_does_not_take_its_number_is_closed():
    with pytest.raises(AttributeError), modes.Level(object()):
        raise AssertionError("the block must not run")


def test_ordinary_tensors_do_not_notice_open_levels():
    class Interpreter:
        def process(self, *args):
            raise AssertionError("an op on ordinary tensors belongs to no level")

    x = minigrad.tensor([1., 2.], requires_grad=True)
    modes.push_level(Interpreter())
    try:
        y = (x * x).sum()
        y.backward()
    finally:
        modes.pop_level()
    assert x.grad.tolist() == [2., 4.] and y._level == 0


def test_a_thousand_threads_give_their_state_back():
    """The state is in thread-local memory: nothing is registered anywhere."""
    assert all([in_a_thread(modes.is_grad_enabled) for _ in range(200)])
