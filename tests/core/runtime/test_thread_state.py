"""The switches of a thread, as the core keeps them."""

import sys
import threading

import pytest

import minigrad
from tests.checking import refuses
from minigrad._core.runtime import thread_state


@pytest.fixture(autouse=True)
def as_before():
    yield
    assert thread_state.is_grad_enabled() and not thread_state.is_inference() and not thread_state.levels()


def in_a_thread(work):
    found = []
    t = threading.Thread(target=lambda: found.append(work()))
    t.start()
    t.join()
    return found[0]


def test_grad_mode_returns_what_it_was():
    assert thread_state.set_grad_enabled(False) is True
    assert thread_state.set_grad_enabled(False) is False and not thread_state.is_grad_enabled()
    assert thread_state.set_grad_enabled(True) is False and thread_state.is_grad_enabled()


def test_inference_returns_what_it_was():
    assert thread_state.set_inference(True) is False
    assert thread_state.set_inference(True) is True and thread_state.is_inference()
    assert thread_state.set_inference(False) is True


def test_a_new_thread_begins_with_the_defaults():
    thread_state.set_grad_enabled(False)
    thread_state.set_inference(True)
    try:
        assert (in_a_thread(lambda: (thread_state.is_grad_enabled(), thread_state.is_inference(),
                                     list(thread_state.levels())))
                == (True, False, []))
    finally:
        thread_state.set_grad_enabled(True)
        thread_state.set_inference(False)


def test_a_thread_leaves_the_others_alone():
    def work():
        thread_state.set_grad_enabled(False)
        thread_state.set_inference(True)
        return (minigrad.ones(2, requires_grad=True) * 2).requires_grad

    assert in_a_thread(work) is False
    assert thread_state.is_grad_enabled() and (minigrad.ones(2, requires_grad=True) * 2).requires_grad


def test_levels_are_a_stack():
    class Interpreter:
        pass

    a, b, c = Interpreter(), Interpreter(), Interpreter()
    outer, inner = thread_state.push_level(a), thread_state.push_level(b)
    assert 0 < outer < inner and thread_state.levels() == [a, b]
    assert thread_state.interpreter(outer) is a and thread_state.interpreter(inner) is b
    thread_state.pop_level()
    later = thread_state.push_level(c)
    assert later > inner                                            # no number comes twice
    with refuses(RuntimeError, "this tensor comes from a transform (vmap, grad, jvp ...) that has already ended",
                 "MG117"):
        thread_state.interpreter(inner)
    thread_state.pop_level()
    thread_state.pop_level()
    assert thread_state.levels() == []
    with refuses(RuntimeError, "item(): this tensor comes from a transform", "MG117"):
        thread_state.interpreter(outer, "item")


def test_nothing_is_taken_from_an_empty_stack():
    with refuses(RuntimeError, "no saved-tensor hooks are in force in this thread", "MG122"):
        thread_state.pop_saved_hooks()
    thread_state.pop_level()
    assert thread_state.levels() == [] and thread_state.saved_hooks_depth() == 0


def test_saved_hooks_are_set_aside_and_put_back():
    def pack(x):
        return x

    x = minigrad.tensor(2., requires_grad=True)
    before = sys.getrefcount(pack)
    thread_state.push_saved_hooks(pack, pack)
    thread_state.push_saved_hooks(lambda x: 1 / 0, pack)
    for _ in range(3):
        aside = thread_state.swap_saved_hooks(None)
        assert thread_state.saved_hooks_depth() == 0
        x * x                                                       # calls none
        thread_state.disable_saved_hooks("refused here")
        with refuses(RuntimeError, "refused here", "MG122"):
            thread_state.push_saved_hooks(pack, pack)
        assert thread_state.swap_saved_hooks(aside) == (None, 0, "refused here")
        assert thread_state.saved_hooks_depth() == 2
    with pytest.raises(ZeroDivisionError):
        x * x
    thread_state.pop_saved_hooks()
    thread_state.pop_saved_hooks()
    del aside
    assert sys.getrefcount(pack) == before and thread_state.saved_hooks_depth() == 0
    thread_state.push_saved_hooks(pack, pack)                       # nothing refuses them
    thread_state.pop_saved_hooks()


def test_a_level_whose_interpreter_does_not_take_its_number_is_closed():
    with pytest.raises(AttributeError), thread_state.Level(object()):
        raise AssertionError("the block must not run")


def test_ordinary_tensors_do_not_notice_open_levels():
    class Interpreter:
        def process(self, *args):
            raise AssertionError("an op on ordinary tensors belongs to no level")

    x = minigrad.tensor([1., 2.], requires_grad=True)
    thread_state.push_level(Interpreter())
    try:
        y = (x * x).sum()
        y.backward()
    finally:
        thread_state.pop_level()
    assert x.grad.tolist() == [2., 4.] and y._level == 0


def test_a_thousand_threads_give_their_state_back():
    """The state is in thread-local memory: nothing is registered anywhere."""
    assert all([in_a_thread(thread_state.is_grad_enabled) for _ in range(200)])
