"""Results that are not there yet."""

import threading

import pytest

import minigrad as torch
from tests.checking import refuses


def test_a_value_is_waited_for():
    future = torch.futures.Future()
    threading.Timer(0.01, future.set_result, [torch.ones(2)]).start()
    assert future.wait().tolist() == [1, 1] and future.done() and future.value() is future.wait()


def test_what_follows_is_called_with_the_future():
    first = torch.futures.Future()
    chain = first.then(lambda done: done.value() + 1).then(lambda done: done.value() * 2)
    seen = []
    first.add_done_callback(lambda done: seen.append(done.value()))
    assert not chain.done()
    first.set_result(3)
    assert chain.wait() == 8 and seen == [3]


def test_an_exception_arrives_at_whoever_waits_and_at_what_follows():
    future = torch.futures.Future()
    following = future.then(lambda done: done.value())
    future.set_exception(KeyError("why"))
    for each in (future, following):
        with pytest.raises(KeyError, match="why"):
            each.wait()


def test_several_are_collected_in_their_order():
    futures = [torch.futures.Future() for _ in range(3)]
    collected = torch.futures.collect_all(futures)
    for place in (2, 0, 1):
        assert not collected.done()
        futures[place].set_result(place)
    assert [each.value() for each in collected.wait()] == torch.futures.wait_all(futures) == [0, 1, 2]
    assert torch.futures.collect_all([]).wait() == []


def test_mistakes():
    future = torch.futures.Future()
    with refuses(RuntimeError, "there is no value yet", "MG204"):
        future.value()
    with refuses(TypeError, "not an Exception", "MG205"):
        future.set_exception("why")
    future.set_result(1)
    with refuses(RuntimeError, "can be completed only once", "MG204"):
        future.set_result(2)
