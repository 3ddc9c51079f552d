"""Trees: what they are made of, and that they survive being taken apart."""

from collections import OrderedDict, defaultdict, deque, namedtuple

import pytest

import minigrad as torch
from minigrad.func.pytree import flatten, leaves, leaves_like, map_tree, unflatten
from minigrad.utils import _pytree

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


# ------------------------------------------------------------------------------ by PyTorch's private names

def test_registered_classes_and_deques_are_trees():
    class Pair:
        def __init__(self, left, right):
            self.left, self.right = left, right

    _pytree.register_pytree_node(Pair, lambda pair: ([pair.left, pair.right], "note"), lambda both, note: Pair(*both))
    doubled = _pytree.tree_map(lambda x: 2 * x, {"p": Pair(1, [2]), "d": deque([3], 5), "e": defaultdict(list, a=4)})
    assert (doubled["p"].left, doubled["p"].right) == (2, [4])
    assert doubled["d"] == deque([6]) and doubled["d"].maxlen == 5
    assert doubled["e"] == {"a": 8} and doubled["e"].default_factory is list
    x = torch.ones(2)
    slope = torch.func.grad(lambda pair: (pair.left * pair.right).sum())(Pair(3 * x, 5 * x))
    assert slope.left.tolist() == [5, 5] and slope.right.tolist() == [3, 3]
    with pytest.raises(ValueError, match="already registered"):
        _pytree.register_pytree_node(Pair, None, None)


def test_a_spec_says_whether_it_is_that_of_a_leaf():
    assert [_pytree.tree_flatten(tree)[1].is_leaf() for tree in (1, [1], (), None)] == [True, False, False, True]


def test_functions_on_trees():
    tree = [1, {"b": (2, 3.0)}, None]
    flat, spec = _pytree.tree_flatten(tree)
    assert flat == [1, 2, 3.0, None] and spec.num_leaves == 4 and _pytree.tree_unflatten(iter(flat), spec) == tree
    assert _pytree.tree_leaves(tree, is_leaf=lambda x: isinstance(x, dict)) == [1, {"b": (2, 3.0)}, None]
    assert _pytree.tree_map_only(int, lambda x: -x, tree) == [-1, {"b": (-2, 3.0)}, None]
    assert _pytree.tree_map(lambda x, y: (x, y), {"a": 1, "b": 2}, {"b": [3], "a": 4}) == {"a": (1, 4), "b": (2, [3])}
    assert _pytree.tree_any_only(int, lambda x: x > 1, tree) and not _pytree.tree_all_only(int, lambda x: x > 1, tree)
    assert _pytree.tree_is_leaf(3) and not _pytree.tree_is_leaf([])
    with pytest.raises(ValueError, match="has length 1 but the spec refers to a pytree that holds 4"):
        _pytree.tree_unflatten([1], spec)
    with pytest.raises(ValueError, match="keys mismatch"):
        _pytree.tree_map(max, {"a": 1}, {"b": 1})
    with pytest.raises(ValueError, match="type mismatch"):
        _pytree.tree_map(max, [1, 2], [1])
