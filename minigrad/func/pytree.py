"""Trees of tensors: the arguments and results of a transform.

A tree is a tuple, list, dict, namedtuple or deque of trees, an object of a class that ``register`` was told of, or a
leaf: anything else, including None.  ``flatten`` takes a tree apart into its leaves and a Spec, which remembers the
structure; ``unflatten`` puts it together again::

    {"w": W, "b": [b, c]}     flatten  ->     [W, b, c]  and  Spec(dict, ["w", "b"], [*, Spec(list, None, [*, *])])

So every transform works on a list of leaves, and returns a result with the structure of the user's tree.
"""

from collections import OrderedDict, defaultdict, deque

__all__ = ["Spec", "flatten", "leaves", "leaves_like", "map_tree", "register", "unflatten"]


class Spec:
    """The structure of a tree: the type of its root, its keys, the Specs of its branches."""

    __slots__ = ("type", "keys", "branches", "size")

    def __init__(self, type, keys, branches):
        self.type = type
        self.keys = keys
        self.branches = branches
        self.size = 1 if type is None else sum([branch.size for branch in branches])

    @property
    def num_leaves(self):
        """The size, by PyTorch's name."""
        return self.size

    def is_leaf(self):
        return self.type is None

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

#: Those that are taken apart by functions: {type: (tree -> branches and keys, branches and keys -> tree)}.
REGISTERED = {}


def register(type, take_apart, put_together):
    """Make the objects of a class trees: ``take_apart(tree)`` returns a list of branches, and what ``put_together(
    branches, keys)`` needs as its ``keys``."""
    global BRANCHING
    REGISTERED[type] = (take_apart, put_together)
    if not issubclass(type, BRANCHING):
        BRANCHING += (type,)


register(deque, lambda tree: (list(tree), tree.maxlen), deque)
register(defaultdict, lambda tree: (list(tree.values()), (tree.default_factory, list(tree))),
         lambda branches, keys: defaultdict(keys[0], zip(keys[1], branches)))


def branches_of(tree):
    """The keys (None for a sequence) and branches of a tree; None for a leaf."""
    kind = type(tree)
    if kind is tuple or kind is list:
        return None, tree
    if kind is dict or kind is OrderedDict:
        return list(tree), list(tree.values())
    if kind in REGISTERED:
        branches, keys = REGISTERED[kind][0](tree)
        return keys, list(branches)
    if isinstance(tree, tuple) and hasattr(kind, "_fields"):
        return None, tree
    return None


def flatten(tree, is_leaf=None):
    """The leaves of a tree in order, and its Spec; ``is_leaf(branch)`` may say that a branch is not taken apart."""
    found = None if is_leaf is not None and is_leaf(tree) else branches_of(tree)
    if found is None:
        return [tree], LEAF
    flat, specs = [], []
    for branch in found[1]:
        if isinstance(branch, BRANCHING):
            some, spec = flatten(branch, is_leaf)
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
    if spec.type in REGISTERED:
        return REGISTERED[spec.type][1](branches, spec.keys)
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
