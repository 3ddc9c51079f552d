"""Trees: what they are made of, and that they survive being taken apart."""

from collections import OrderedDict, namedtuple

import pytest

from minigrad.func.pytree import flatten, leaves, leaves_like, map_tree, unflatten

Point = namedtuple("Point", "x y")

TREES = [3, None, (), [], {}, (1,), [1, (2, [3])], {"b": 1, "a": (2, {"c": 3})}, OrderedDict(b=1, a=2),
         Point(1, [2, None]), ((), [1])]


@pytest.mark.parametrize("tree", TREES, ids=str)
def test_flatten_and_unflatten_are_inverse(tree):
    flat, spec = flatten(tree)
    again = unflatten(flat, spec)
    assert again == tree and type(again) is type(tree)
    assert spec.size == len(flat) and spec == flatten(tree)[1]


def test_order_and_kind():
    assert leaves({"b": 1, "a": (2, {"c": None})}) == [1, 2, None]
    assert type(map_tree(lambda x: x + 1, Point(1, 2))) is Point
    assert list(map_tree(lambda x: x + 1, OrderedDict(b=1, a=2)).items()) == [("b", 2), ("a", 3)]


def test_specs_tell_trees_apart():
    different = [flatten(tree)[1] for tree in (1, (1,), [1], {"a": 1}, {"b": 1}, (1, 1), ((1,),), Point(1, 1))]
    assert all(a != b for i, a in enumerate(different) for b in different[:i])
    assert repr(different[5]) == "TreeSpec(tuple, None, [*, *])"


def test_one_leaf_may_stand_for_a_branch():
    spec = flatten(({"a": 1, "b": (2, 3)}, 4))[1]
    assert leaves_like(0, spec) == [0, 0, 0, 0]
    assert leaves_like((0, None), spec) == [0, 0, 0, None]
    assert leaves_like(({"a": 0, "b": 1}, 2), spec) == [0, 1, 1, 2]
    for wrong in ((0,), [0, 0], ({"a": 0}, 0), ({"a": 0, "b": (0,)}, 0), ({"a": (0,), "b": 0}, 0)):
        assert leaves_like(wrong, spec) is None
