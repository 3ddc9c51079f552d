"""Blocks that change something and put it back (scopes.pyx)."""

import pytest

from minigrad._core.runtime.scopes import Block, Counter, Itself, Scope, Undo, set_in_all, set_on_all


class Place:
    x = 1


def test_what_can_be_changed():
    counter, items, numbers, place = Counter(), {"a": 1}, [1, 2], Place()
    changes = [(counter.add, 2), (items, "a", 5), (items, "b", 6), (numbers, 1, 7), (place, "x", 8)]
    with Scope(*changes) as given:
        assert (counter.value, items, numbers, place.x) == (2, {"a": 5, "b": 6}, [1, 7], 8)
    assert given is None and (counter.value, items, numbers, place.x) == (0, {"a": 1}, [1, 2], 1)


def test_a_block_may_be_entered_again():
    items = {"a": 1}
    scope = Scope((items, "a", 2))
    with scope:
        items["a"] = 3
        with scope:
            assert items["a"] == 2
        assert items["a"] == 3
    assert items["a"] == 1
    scope.__exit__(None, None, None)            # as with no_grad(): nothing was entered
    assert items["a"] == 1


def test_an_error_passes_and_all_is_put_back():
    items = {"a": 1}
    with pytest.raises(KeyError), Scope((items, "a", 2), (items, "a", 3)):
        assert items["a"] == 3
        raise KeyError
    assert items == {"a": 1}


def test_a_change_that_fails_takes_back_those_before():
    def refuses(value):
        raise ValueError("not so")

    items = {"a": 1}
    with pytest.raises(ValueError, match="not so"):
        Scope((items, "a", 2), (refuses, 3)).__enter__()
    with pytest.raises(AttributeError):
        Scope((items, "a", 2), (Place(), "missing", 3)).__enter__()
    assert items == {"a": 1}


class Interrupted:
    """An object whose attribute is set by Python, where Ctrl-C comes at the second and the third time."""
    times = 0

    def __setattr__(self, name, value):
        Interrupted.times += 1
        if Interrupted.times in (2, 3):
            raise KeyboardInterrupt
        object.__setattr__(self, name, value)


@pytest.mark.parametrize("again", [False, True])
def test_what_a_signal_interrupts_is_tried_again(again):
    Interrupted.times = 1 if again else 0
    items, holder = {"a": 1}, Interrupted.__new__(Interrupted)
    vars(holder)["x"] = 1
    with pytest.raises(KeyboardInterrupt), Scope((items, "a", 2), (holder, "x", 2)):
        pass
    assert items == {"a": 1} and holder.x == (1 if again else 2)        # twice is too often


def test_the_end_of_a_change_that_was_made_before():
    class Set(Undo):
        def _changes(self):
            return [(items, "a", 1)]

    items = {"a": 2}
    with Set():
        assert items["a"] == 2
    assert items["a"] == 1


def test_itself_and_what_comes_after():
    class Noted(Itself):
        def _left(self):
            notes.append(dict(items))

        def _not_entered(self):
            notes.append("not entered")

    items, notes = {"a": 1}, []
    noted = Noted((items, "a", 2))
    with noted as given:
        pass
    noted.__exit__(None, None, None)
    assert given is noted and notes == [{"a": 1}, "not entered"]


def test_a_decorator():
    items = {"a": 1}

    @Block(lambda: [(items, "a", items["a"] + 1)])
    def deep(n):
        return items["a"] if n == 0 else deep(n - 1)

    assert deep(3) == 5 and items["a"] == 1


def test_for_good():
    dicts, places = [{}, {"a": 1}], [Place(), Place()]
    set_in_all(dicts, "a", 2)
    set_on_all(places, "x", 3)
    assert dicts == [{"a": 2}, {"a": 2}] and [each.x for each in places] == [3, 3]
