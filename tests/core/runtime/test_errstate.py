"""Operations are quiet about 1/0 in contexts of their own, which wait for each other's end and keep nothing alive."""

import contextvars
import gc
import threading
import warnings
import weakref

import numpy as np
import pytest

import minigrad as torch

MINE = contextvars.ContextVar("mine", default=None)


def quiet_work():
    """Kernels of the general way that divide by zero, one inside a hook inside a pass."""
    x = torch.zeros(3, requires_grad=True)
    y = torch.logit(x)
    y.register_hook(lambda g: g / torch.logit(torch.zeros(3)))
    inner = torch.zeros(2, requires_grad=True)
    x.register_hook(lambda g: torch.enable_grad()(lambda: torch.logit(inner).sum().backward())())
    y.sum().backward()
    return x.grad


@pytest.fixture(autouse=True)
def no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def test_a_pass_inside_a_hook_inside_a_pass_is_quiet_and_so_is_what_follows():
    for _ in range(20):
        assert quiet_work() is not None
        assert torch.logit(torch.zeros(1)).item() == -np.inf


def test_hooks_see_the_variables_of_the_user_and_numpy_as_the_user_has_it():
    seen = []
    x = torch.ones(2, requires_grad=True)
    x.register_hook(lambda g: seen.append((MINE.get(), np.geterr()["divide"])))
    token = MINE.set("mine")
    with np.errstate(divide="raise"):
        (x * 2).sum().backward()
        (x * 2).sum().backward()
        assert np.geterr()["divide"] == "raise"
    MINE.reset(token)
    assert seen == [("mine", "raise")] * 2


def test_threads_do_not_wait_for_each_other():
    failed = []

    def run():
        try:
            for _ in range(50):
                quiet_work()
        except Exception as error:
            failed.append(error)

    threads = [threading.Thread(target=run) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed


def test_what_the_user_keeps_in_a_variable_is_not_kept_alive():
    class Thing:
        pass

    def use():
        thing = Thing()
        MINE.set(thing)
        quiet_work()
        return weakref.ref(thing)

    ref = contextvars.copy_context().run(use)
    gc.collect()
    assert ref() is None
