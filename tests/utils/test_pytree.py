"""Trees under the name by which published packages import them: the same leaves and errors in both libraries."""

import importlib
from collections import OrderedDict, namedtuple

import pytest

from tests.checking import is_minigrad, refuses

Point = namedtuple("Point", ["x", "y"])
TREE = {"b": [1, (2.5, None)], "a": Point("three", OrderedDict(z=4))}


@pytest.fixture
def trees(torch):
    return importlib.import_module(f"{torch.__name__}.utils._pytree")


def test_leaves_in_order_and_back(trees):
    leaves, spec = trees.tree_flatten(TREE)
    assert leaves == trees.tree_leaves(TREE) == list(trees.tree_iter(TREE)) and spec.num_leaves == len(leaves)
    assert trees.tree_unflatten(leaves, spec) == trees.tree_unflatten(iter(leaves), spec) == TREE
    assert trees.tree_structure(TREE) == spec != trees.tree_structure([TREE])
    assert trees.tree_is_leaf(3) and not trees.tree_is_leaf([3])
    assert trees.tree_is_leaf((3, 4), is_leaf=lambda x: isinstance(x, tuple))
    assert TREE["a"] in trees.tree_leaves(TREE, is_leaf=lambda x: isinstance(x, Point))


def test_functions_of_leaves(trees):
    seen = []
    assert trees.tree_map_(seen.append, TREE) is TREE and len(seen) == 5
    seen.clear()
    assert trees.tree_map_only_(int, seen.append, TREE) is TREE and sorted(seen) == [1, 4]
    assert trees.tree_map_only((int, str), lambda x: 2 * x, [1, "a", 2.5]) == [2, "aa", 2.5]
    assert trees.tree_map_only(lambda x: x == 1, lambda x: -x, (1, {"k": 2})) == (-1, {"k": 2})
    assert trees.tree_all(bool, [1, (2,)]) and not trees.tree_all(bool, [1, (0,)])
    assert trees.tree_any(bool, [0, (2,)]) and not trees.tree_any(bool, [0, (0,)])
    assert trees.tree_all_only(int, lambda x: x > 0, [1, "a", (2,)])
    assert not trees.tree_all_only(int, lambda x: x > 0, [1, "a", (-2,)])
    assert trees.tree_any_only(int, lambda x: x > 1, [1, "a", (2,)])
    assert not trees.tree_any_only(int, lambda x: x > 2, [1, "a", (2,)])


def test_a_dict_is_taken_by_its_keys(trees):
    assert trees.tree_map(lambda x, y: (x, y), {"a": 1, "b": 2}, {"b": 20, "a": 10}) == {"a": (1, 10), "b": (2, 20)}


@pytest.mark.parametrize("tree, other, phrase", [
    ([1, 2], (1, 2), "Node type mismatch"),
    ([1, [2]], [1, 2], "Node type mismatch"),
    ({"a": 1}, {"b": 1}, "Node keys mismatch"),
])
def test_trees_of_other_structures(trees, tree, other, phrase):
    with refuses(ValueError, phrase, "MG207"):
        trees.tree_map(lambda x, y: x, tree, other)


def test_too_few_leaves(trees):
    with refuses(ValueError, "`leaves` has length 1 but the spec refers to a pytree that holds 2 items", "MG207"):
        trees.tree_unflatten([1], trees.tree_structure([1, 2]))


def test_a_class_that_is_registered(trees):
    class Pair:
        def __init__(self, first, second, note):
            self.first, self.second, self.note = first, second, note

    trees.register_pytree_node(Pair, lambda pair: ([pair.first, pair.second], pair.note),
                               lambda branches, note: Pair(*branches, note))
    doubled = trees.tree_map(lambda x: 2 * x, [Pair(1, [2], "kept")])
    assert (doubled[0].first, doubled[0].second, doubled[0].note) == (2, [4], "kept")
    with refuses(ValueError, "Node context mismatch", "MG207"):
        trees.tree_map(lambda x, y: x, Pair(1, 2, "one"), Pair(1, 2, "other"))
    with refuses(ValueError, "already registered as pytree node", "MG207"):
        trees.register_pytree_node(Pair, None, None)


def test_only_its_own_names_are_listed(torch):
    if is_minigrad(torch):
        assert {"_pytree", "data", "checkpoint"} <= set(dir(torch.utils))
