"""Trees of tensors: the arguments and results of a transform.

A tree is a tuple, list, dict or namedtuple of trees, or a leaf: anything else, including None.  ``flatten`` takes a
tree apart into its leaves and a Spec, which remembers the structure; ``unflatten`` puts it together again::

    {"w": W, "b": [b, c]}     flatten  ->     [W, b, c]  and  Spec(dict, ["w", "b"], [*, Spec(list, None, [*, *])])

So every transform works on a list of leaves, and returns a result with the structure of the user's tree.
"""

from collections import OrderedDict

__all__ = ["Spec", "flatten", "leaves", "leaves_like", "map_tree", "unflatten"]


class Spec:
    """The structure of a tree: the type of its root, its keys, the Specs of its branches."""

    __slots__ = ("type", "keys", "branches", "size")

    def __init__(self, type, keys, branches):
        self.type = type
        self.keys = keys
        self.branches = branches
        self.size = 1 if type is None else sum([branch.size for branch in branches])

    def __eq__(self, other):
        return (isinstance(other, Spec) and self.type == other.type and self.keys == other.keys
                and self.branches == other.branches)

    def __repr__(self):
        if self.type is None:
            return "*"
        return f"TreeSpec({self.type.__name__}, {self.keys}, [{', '.join(map(repr, self.branches))}])"


LEAF = Spec(None, None, ())

#: The types with branches.
BRANCHING = (tuple, list, dict)


def branches_of(tree):
    """The keys (None for a sequence) and branches of a tree; None for a leaf."""
    kind = type(tree)
    if kind is tuple or kind is list:
        return None, tree
    if kind is dict or kind is OrderedDict:
        return list(tree), list(tree.values())
    if isinstance(tree, tuple) and hasattr(kind, "_fields"):
        return None, tree
    return None


def flatten(tree):
    """The leaves of a tree in order, and its Spec."""
    found = branches_of(tree)
    if found is None:
        return [tree], LEAF
    flat, specs = [], []
    for branch in found[1]:
        if isinstance(branch, BRANCHING):
            some, spec = flatten(branch)
            flat += some
            specs.append(spec)
        else:                       # most are leaves
            flat.append(branch)
            specs.append(LEAF)
    return flat, Spec(type(tree), found[0], specs)


def leaves(tree):
    return flatten(tree)[0]


def unflatten(flat, spec):
    """The tree with these leaves."""
    return _grow(iter(flat), spec)


def _grow(flat, spec):
    if spec.type is None:
        return next(flat)
    branches = [next(flat) if branch is LEAF else _grow(flat, branch) for branch in spec.branches]
    if spec.keys is not None:
        return spec.type(zip(spec.keys, branches))
    return spec.type(*branches) if hasattr(spec.type, "_fields") else spec.type(branches)


def map_tree(function, tree):
    """The same tree with ``function`` applied to each leaf."""
    flat, spec = flatten(tree)
    return unflatten([function(leaf) for leaf in flat], spec)


def leaves_like(tree, spec):
    """The leaves of ``tree`` for a tree of this Spec; one leaf is enough for a whole branch.

    None if it does not fit.
    """
    found = branches_of(tree)
    if found is None:
        return [tree] * spec.size
    if spec.type is not type(tree) or spec.keys != found[0] or len(found[1]) != len(spec.branches):
        return None
    out = []
    for branch, sub in zip(found[1], spec.branches):
        some = leaves_like(branch, sub)
        if some is None:
            return None
        out += some
    return out
