"""Trees of tensors under the private name that published packages import them by: ``torch.utils._pytree``.

What a tree is, and how it is taken apart, is in ``minigrad.func.pytree``; a class that is registered here is a tree for
``vmap``, ``grad`` and ``jvp`` too.

>>> from minigrad.utils._pytree import tree_flatten, tree_map, tree_unflatten
>>> leaves, spec = tree_flatten({"w": 1, "b": [2, 3]})
>>> leaves, spec.num_leaves
([1, 2, 3], 3)
>>> tree_unflatten([10, 20, 30], spec)
{'w': 10, 'b': [20, 30]}
>>> tree_map(lambda x, y: x + y, [1, (2, 3)], [10, (20, 30)])
[11, (22, 33)]
"""

from collections import namedtuple
from typing import Any as PyTree

from minigrad._core.errors import error
from minigrad.func import pytree
from minigrad.func.pytree import Spec as TreeSpec

__all__ = ["TreeSpec", "register_pytree_node", "tree_all", "tree_all_only", "tree_any", "tree_any_only",
           "tree_flatten", "tree_is_leaf", "tree_iter", "tree_leaves", "tree_map", "tree_map_", "tree_map_only",
           "tree_map_only_", "tree_structure", "tree_unflatten"]

#: what is taken apart by functions, with those that are registered
SUPPORTED_NODES = pytree.REGISTERED


def register_pytree_node(cls, flatten_fn, unflatten_fn, *, serialized_type_name=None, to_dumpable_context=None,
                         from_dumpable_context=None, flatten_with_keys_fn=None):
    """Make the objects of ``cls`` trees: ``flatten_fn(tree)`` returns their branches and a context, from which
    ``unflatten_fn(branches, context)`` makes such an object.

    The other arguments are for writing the structure to a file, which minigrad does not do.
    """
    if cls in pytree.REGISTERED or cls in (*pytree.BRANCHING[:3], pytree.OrderedDict):
        raise error("MG207", f"{cls} is already registered as pytree node.")
    pytree.register(cls, flatten_fn, unflatten_fn)


def tree_flatten(tree, is_leaf=None):
    """The leaves of a tree in order, and its structure."""
    return pytree.flatten(tree, is_leaf)


def tree_unflatten(leaves, treespec):
    """The tree of this structure with these leaves.

    Raises ValueError if there are too few leaves, or too many.
    """
    leaves = list(leaves)
    if len(leaves) != treespec.num_leaves:
        raise error("MG207", f"treespec.unflatten(leaves): `leaves` has length {len(leaves)} but the spec refers to a "
                             f"pytree that holds {treespec.num_leaves} items ({treespec}).")
    return pytree.unflatten(leaves, treespec)


def tree_leaves(tree, is_leaf=None):
    """The leaves of a tree, in order."""
    return tree_flatten(tree, is_leaf)[0]


def tree_iter(tree, is_leaf=None):
    """An iterator over the leaves of a tree."""
    return iter(tree_leaves(tree, is_leaf))


def tree_structure(tree, is_leaf=None):
    """The structure of a tree."""
    return tree_flatten(tree, is_leaf)[1]


def tree_is_leaf(tree, is_leaf=None):
    """Whether this is a leaf: it has no branches, or ``is_leaf(tree)`` says so."""
    return tree_structure(tree, is_leaf) is pytree.LEAF


def tree_map(func, tree, *rests, is_leaf=None):
    """A tree of ``func(leaf, ...)``: with the other trees' branches at the same places as further arguments.

    Raises ValueError if one of the ``rests`` does not have the structure of ``tree``.
    """
    leaves, spec = tree_flatten(tree, is_leaf)
    return pytree.unflatten(map(func, leaves, *[branches_at(spec, rest) for rest in rests]), spec)


def tree_map_(func, tree, *rests, is_leaf=None):
    """Call ``func`` for each leaf, and return the tree."""
    tree_map(func, tree, *rests, is_leaf=is_leaf)
    return tree


def tree_map_only(type_or_types_or_pred, func, tree, is_leaf=None):
    """A tree of ``func(leaf)`` for the leaves of a type, or of several, or for which a function is true.

    >>> from minigrad.utils._pytree import tree_map_only
    >>> tree_map_only(int, lambda x: -x, [1, "two", (3,)])
    [-1, 'two', (-3,)]
    """
    chosen = chooser(type_or_types_or_pred)
    return tree_map(lambda leaf: func(leaf) if chosen(leaf) else leaf, tree, is_leaf=is_leaf)


def tree_map_only_(type_or_types_or_pred, func, tree, is_leaf=None):
    """Call ``func`` for the chosen leaves, and return the tree."""
    tree_map_only(type_or_types_or_pred, func, tree, is_leaf)
    return tree


def tree_all(pred, tree, is_leaf=None):
    """Whether ``pred`` is true for each leaf."""
    return all(map(pred, tree_leaves(tree, is_leaf)))


def tree_any(pred, tree, is_leaf=None):
    """Whether ``pred`` is true for a leaf."""
    return any(map(pred, tree_leaves(tree, is_leaf)))


def tree_all_only(type_or_types, pred, tree, is_leaf=None):
    """Whether ``pred`` is true for each leaf of a type."""
    return all(pred(leaf) for leaf in tree_leaves(tree, is_leaf) if isinstance(leaf, type_or_types))


def tree_any_only(type_or_types, pred, tree, is_leaf=None):
    """Whether ``pred`` is true for a leaf of a type."""
    return any(pred(leaf) for leaf in tree_leaves(tree, is_leaf) if isinstance(leaf, type_or_types))


def chooser(what):
    """A function that says whether a leaf is of a type, of one of several, or what another function says."""
    return (lambda leaf: isinstance(leaf, what)) if isinstance(what, (type, tuple)) else what


def branches_at(spec, tree):
    """The branches of ``tree`` where a tree of this structure has its leaves; a dict's by their keys."""
    if spec is pytree.LEAF:
        return [tree]
    keys, branches = pytree.branches_of(tree) or (None, ())
    if type(tree) is not spec.type or len(branches) != len(spec.branches):
        raise error("MG207", f"Node type mismatch; expected {spec.type} with {len(spec.branches)} branches, but got "
                             f"{type(tree)} with {len(branches)}.")
    if isinstance(tree, dict) and spec.type not in pytree.REGISTERED:
        if set(tree) != set(spec.keys):
            raise error("MG207", f"Node keys mismatch; expected {spec.keys}, but got {keys}.")
        branches = [tree[key] for key in spec.keys]
    elif keys != spec.keys:
        raise error("MG207", f"Node context mismatch for node type {spec.type}; expected {spec.keys}, but got {keys}.")
    return [each for branch, sub in zip(branches, spec.branches) for each in branches_at(sub, branch)]


MappingKey, SequenceKey = namedtuple("MappingKey", "key"), namedtuple("SequenceKey", "idx")
Context = PyTree


def _dict_flatten(tree):
    """The branches of a dict, and its keys."""
    return list(tree.values()), list(tree)


def _dict_unflatten(values, context):
    """The dict of these branches and keys."""
    return dict(zip(context, values))


def _dict_flatten_with_keys(tree):
    """Pairs of the way to a branch and the branch, and the keys.

    >>> from minigrad.utils._pytree import _dict_flatten_with_keys
    >>> _dict_flatten_with_keys({"a": 1})
    ([(MappingKey(key='a'), 1)], ['a'])
    """
    return [(MappingKey(key), value) for key, value in tree.items()], list(tree)


def _get_node_type(tree):
    """The class of a tree; ``namedtuple`` for all of those."""
    return namedtuple if isinstance(tree, tuple) and hasattr(type(tree), "_fields") else type(tree)


def LeafSpec():
    """The structure of a leaf.

    >>> from minigrad.utils._pytree import LeafSpec, tree_structure
    >>> LeafSpec() == tree_structure(3)
    True
    """
    return pytree.LEAF
