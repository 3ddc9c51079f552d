"""Pruning: entries of a parameter that are set to 0, and stay so while the others are learned.

    before      weight, a parameter
    after       weight_orig, the parameter; weight_mask, a buffer of 0 and 1; weight = weight_mask * weight_orig

A method is a hook that computes ``weight`` before each forward pass.  What it decides, once, is the mask
(:meth:`BasePruningMethod.compute_mask`).  If a parameter is pruned again, the methods are kept in a
:class:`PruningContainer`, and each sees only what the earlier ones have left.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from numbers import Integral, Real

from minigrad._core.errors import error
from minigrad._core.errors.absent import answering as _answering
from minigrad.creation import ones_like, zeros_like
from minigrad.nn.utils.convert_parameters import parameters_to_vector
from minigrad.ops.algebra.norms import norm
from minigrad.ops.reductions.sorting import kthvalue, topk
from minigrad.random import rand, rand_like

__all__ = ["BasePruningMethod", "CustomFromMask", "Identity", "L1Unstructured", "LnStructured", "PruningContainer",
           "RandomStructured", "RandomUnstructured", "custom_from_mask", "global_unstructured", "identity",
           "is_pruned", "l1_unstructured", "ln_structured", "random_structured", "random_unstructured", "remove"]


# ------------------------------------------------------------------------------ the hook

class BasePruningMethod(ABC):
    """A method of pruning; a subclass defines :meth:`compute_mask`, and ``PRUNING_TYPE``:

    ``"unstructured"`` prunes entries, ``"structured"`` whole slices along ``self.dim``, and ``"global"`` is given the
    whole tensor, even if some of it is pruned.
    """

    _tensor_name = None

    def __call__(self, module, inputs):
        setattr(module, self._tensor_name, self.apply_mask(module))

    @abstractmethod
    def compute_mask(self, t, default_mask):
        """A mask of the shape of ``t``: 0 where the tensor or ``default_mask`` is pruned, 1 elsewhere."""

    def apply_mask(self, module):
        """The pruned tensor, a product of the mask and the parameter."""
        if self._tensor_name is None:
            raise not_pruned(self._tensor_name, module)
        original = getattr(module, f"{self._tensor_name}_orig")
        return getattr(module, f"{self._tensor_name}_mask").to(dtype=original.dtype) * original

    @classmethod
    def apply(cls, module, name, *args, importance_scores=None, **kwargs):
        """Prune the parameter ``name`` of a module, by ``importance_scores`` instead of its numbers if they are given;
        returns the method, or the container that it has joined."""
        method = joined(cls(*args, **kwargs), module, name)
        original = getattr(module, name)
        scores = scores_for(original, importance_scores)
        again = isinstance(method, PruningContainer)
        mask = getattr(module, f"{name}_mask").detach().clone() if again else ones_like(original)
        mask = method.compute_mask(scores, default_mask=mask)       # if it raises, nothing has changed yet
        for key in hooks_of(module, name):
            del module._forward_pre_hooks[key]
        if not again:
            module.register_parameter(f"{name}_orig", original)
            del module._parameters[name]
        module.register_buffer(f"{name}_mask", mask)
        setattr(module, name, method.apply_mask(module))
        module.register_forward_pre_hook(method)
        return method

    def prune(self, t, default_mask=None, importance_scores=None):
        """A pruned copy of a tensor, which need not belong to a module."""
        scores = scores_for(t, importance_scores)
        return t * self.compute_mask(scores, default_mask=ones_like(t) if default_mask is None else default_mask)

    def remove(self, module):
        """Make the parameter itself pruned, under its old name."""
        name, pruned = self._tensor_name, self.apply_mask(module)
        if hasattr(module, name):
            delattr(module, name)
        original = module._parameters.pop(f"{name}_orig")
        del module._buffers[f"{name}_mask"]
        original.data = pruned.data
        setattr(module, name, original)


def hooks_of(module, name):
    """The keys of the hooks that prune the tensor ``name``."""
    return [key for key, hook in module._forward_pre_hooks.items()
            if isinstance(hook, BasePruningMethod) and hook._tensor_name == name]


def joined(method, module, name):
    """The method; or, where the tensor is pruned already, a container of the old methods and this one."""
    method._tensor_name = name
    for key in hooks_of(module, name):
        old = module._forward_pre_hooks[key]
        container = PruningContainer(*old) if isinstance(old, PruningContainer) else PruningContainer(old)
        container.add_pruning_method(method)
        return container
    return method


def scores_for(t, scores):
    """The scores by which a tensor is pruned: its own numbers if there are no others."""
    if scores is not None and scores.shape != t.shape:
        raise error("MG502", "importance_scores should have the same shape as the parameter or tensor that is pruned, "
                             f"got {scores.shape} vs {t.shape}")
    return t if scores is None else scores


class PruningContainer(BasePruningMethod):
    """Several methods for one tensor, in the order in which they were applied."""

    def __init__(self, *args):
        self._pruning_methods = ()
        if args:
            self._tensor_name = args[0]._tensor_name
        for method in args:
            self.add_pruning_method(method)

    def add_pruning_method(self, method):
        """Add a method for the same tensor."""
        if not isinstance(method, BasePruningMethod):
            raise error("MG205", f"{type(method)} is not a BasePruningMethod subclass")
        if self._tensor_name != method._tensor_name:
            raise error("MG207", "Can only add pruning methods acting on the parameter named "
                                 f"'{self._tensor_name}' to this PruningContainer. Found '{method._tensor_name}'")
        self._pruning_methods += (method,)

    def __len__(self):
        return len(self._pruning_methods)

    def __iter__(self):
        return iter(self._pruning_methods)

    def __getitem__(self, idx):
        return self._pruning_methods[idx]

    def compute_mask(self, t, default_mask):
        """What the last method makes of the part that ``default_mask`` has left."""
        method, mask = self._pruning_methods[-1], default_mask.to(dtype=t.dtype, copy=True)
        left = part_left(method, t, default_mask)
        mask[left] = method.compute_mask(t[left], default_mask=default_mask[left]).to(dtype=mask.dtype)
        return mask


def part_left(method, t, mask):
    """The index of what is not pruned: entries, slices, or for a "global" method everything."""
    if method.PRUNING_TYPE == "unstructured":
        return mask == 1
    if method.PRUNING_TYPE == "global":
        return ...
    if method.PRUNING_TYPE != "structured":
        raise error("MG207", f"Unrecognized PRUNING_TYPE {method.PRUNING_TYPE}: write 'unstructured', 'structured' or "
                             "'global'")
    if not hasattr(method, "dim"):
        raise error("MG704", 'Pruning methods of PRUNING_TYPE "structured" need to have the attribute `dim` defined.')
    dim = method.dim + t.dim() if method.dim < 0 else method.dim
    if dim < 0:
        raise error("MG203", f"Index is out of bounds for tensor with dimensions {t.dim()}")
    return (slice(None),) * dim + (mask.sum(dim=[d for d in range(t.dim()) if d != dim]) != 0,)


# ------------------------------------------------------------------------------ the methods

class Identity(BasePruningMethod):
    """Prunes nothing, and makes the mask and the parameter all the same."""

    PRUNING_TYPE = "unstructured"

    def compute_mask(self, t, default_mask):
        return default_mask


class _Amount(BasePruningMethod):
    """A method that prunes ``amount`` entries or slices: a number of them, or a float, a fraction of all."""

    def __init__(self, amount):
        if not isinstance(amount, Real):
            raise error("MG205", f"Invalid type for amount: {amount}. Must be int or float.")
        if amount < 0 or not isinstance(amount, Integral) and amount > 1:
            raise error("MG207", f"amount={amount} should either be a float in the range [0, 1] or a non-negative "
                                 "integer")
        self.amount = amount

    def _of(self, size):
        """How many of ``size`` are pruned."""
        if not isinstance(self.amount, Integral):
            return round(self.amount * size)
        if self.amount > size:
            raise error("MG207", f"amount={self.amount} should be smaller than the number of parameters to "
                                 f"prune={size}")
        return self.amount


class _Unstructured(_Amount):
    """Prunes the entries with the least or the largest of some numbers."""

    PRUNING_TYPE = "unstructured"

    def compute_mask(self, t, default_mask):
        count, mask = self._of(t.numel()), default_mask.clone().contiguous()
        if count:
            mask.view(-1)[self._places(t, count)] = 0
        return mask


class RandomUnstructured(_Unstructured):
    """Prunes entries at random."""

    def _places(self, t, count):
        return topk(rand_like(t).view(-1), count).indices


class L1Unstructured(_Unstructured):
    """Prunes the entries that are closest to 0."""

    def _places(self, t, count):
        return topk(t.abs().reshape(-1), count, largest=False).indices


class _Structured(_Amount):
    """Prunes slices along a dim, those of a weight that belong to one output for instance."""

    PRUNING_TYPE = "structured"

    def __init__(self, amount, dim=-1):
        super().__init__(amount)
        self.dim = dim

    def compute_mask(self, t, default_mask):
        if t.dim() <= 1:
            raise error("MG207", "Structured pruning can only be applied to multidimensional tensors. Found tensor of "
                                 f"shape {t.shape} with {t.dim()} dims. Use unstructured pruning.")
        if not -t.dim() <= self.dim < t.dim():
            raise error("MG203", f"Invalid index {self.dim} for tensor of size {t.shape}")
        count = self._of(t.shape[self.dim])
        if not count:
            return default_mask
        mask = zeros_like(t)
        mask[(slice(None),) * (self.dim % t.dim()) + (self._kept(t, count),)] = 1
        return mask * default_mask.to(dtype=mask.dtype)


class RandomStructured(_Structured):
    """Prunes slices at random."""

    def _kept(self, t, count):
        drawn = rand(t.shape[self.dim])
        return drawn > kthvalue(drawn, count).values


class LnStructured(_Structured):
    """Prunes the slices with the least ``n``-norm."""

    def __init__(self, amount, n, dim=-1):
        super().__init__(amount, dim)
        self.n = n

    def _kept(self, t, count):
        others = [d for d in range(t.dim()) if d != self.dim % t.dim()]
        return topk(norm(t, self.n, others), t.shape[self.dim] - count).indices


class CustomFromMask(BasePruningMethod):
    """Prunes where a given mask is 0."""

    PRUNING_TYPE = "global"

    def __init__(self, mask):
        self.mask = mask

    def compute_mask(self, t, default_mask):
        if default_mask.shape != self.mask.shape:
            raise error("MG502", f"default_mask shape {default_mask.shape} must match self.mask shape "
                                 f"{self.mask.shape}")
        return default_mask * self.mask.to(dtype=default_mask.dtype)


# ------------------------------------------------------------------------------ what a program calls

def identity(module, name):
    """Enter the parameter ``name`` as if it were pruned, with a mask of ones; returns the module.

    >>> from minigrad.nn.utils import prune
    >>> layer = prune.identity(torch.nn.Linear(2, 1), "bias")
    >>> layer.bias_mask
    tensor([1.])
    """
    Identity.apply(module, name)
    return module


def random_unstructured(module, name, amount):
    """Prune ``amount`` entries of the parameter ``name`` at random: an int, or a float between 0 and 1, their fraction.

    It changes the module and returns it.

    >>> from minigrad.nn.utils import prune
    >>> layer = prune.random_unstructured(torch.nn.Linear(4, 2), "weight", amount=0.5)
    >>> layer.weight_mask.sum()
    tensor(4.)
    """
    RandomUnstructured.apply(module, name, amount)
    return module


def l1_unstructured(module, name, amount, importance_scores=None):
    """Prune the ``amount`` entries of the parameter ``name`` that are closest to 0, or have the least scores.

    >>> from minigrad.nn.utils import prune
    >>> layer = torch.nn.Linear(3, 1)
    >>> layer.weight.data = torch.tensor([[0.5, -0.1, -2.]])
    >>> prune.l1_unstructured(layer, "weight", amount=1)
    Linear(in_features=3, out_features=1, bias=True)
    >>> layer.weight_mask, [*dict(layer.named_parameters())]
    (tensor([[1., 0., 1.]]), ['bias', 'weight_orig'])
    """
    L1Unstructured.apply(module, name, amount=amount, importance_scores=importance_scores)
    return module


def random_structured(module, name, amount, dim):
    """Prune ``amount`` slices along ``dim`` of the parameter ``name``, at random.

    >>> from minigrad.nn.utils import prune
    >>> layer = prune.random_structured(torch.nn.Linear(4, 3), "weight", amount=2, dim=0)
    >>> int((layer.weight_mask.sum(1) == 0).sum())
    2
    """
    RandomStructured.apply(module, name, amount, dim)
    return module


def ln_structured(module, name, amount, n, dim, importance_scores=None):
    """Prune the ``amount`` slices along ``dim`` of the parameter ``name`` that have the least ``n``-norm.

    >>> from minigrad.nn.utils import prune
    >>> layer = torch.nn.Linear(2, 2)
    >>> layer.weight.data = torch.tensor([[3., 4.], [1., 1.]])
    >>> prune.ln_structured(layer, "weight", amount=1, n=2, dim=0).weight_mask
    tensor([[1., 1.],
            [0., 0.]])
    """
    LnStructured.apply(module, name, amount, n, dim, importance_scores=importance_scores)
    return module


def global_unstructured(parameters, pruning_method, importance_scores=None, **kwargs):
    """Prune several parameters as if they were one vector.

    Parameters
    ----------
    parameters : iterable of (Module, str)
    pruning_method : class
        Of unstructured pruning; it is made with the other keyword arguments, such as ``amount``.
    importance_scores : dict, optional
        (module, name) -> a tensor of scores.

    >>> from minigrad.nn.utils import prune
    >>> net = torch.nn.Sequential(torch.nn.Linear(3, 3), torch.nn.Linear(3, 1))
    >>> prune.global_unstructured([(net[0], "weight"), (net[1], "weight")], prune.L1Unstructured, amount=0.25)
    >>> net[0].weight_mask.sum() + net[1].weight_mask.sum()
    tensor(9.)
    """
    if not isinstance(parameters, Iterable):
        raise error("MG205", "global_unstructured(): parameters is not an Iterable")
    scores = {} if importance_scores is None else importance_scores
    if not isinstance(scores, dict):
        raise error("MG205", "global_unstructured(): importance_scores must be of type dict")
    method, container = pruning_method(**kwargs), PruningContainer()
    method._tensor_name = container._tensor_name = "all"
    if method.PRUNING_TYPE != "unstructured":
        raise error("MG205", 'Only "unstructured" PRUNING_TYPE supported for the `pruning_method`. Found method '
                             f"{pruning_method} of type {method.PRUNING_TYPE}")
    container.add_pruning_method(method)
    tensors = [getattr(module, name) for module, name in parameters]
    masks = [getattr(module, f"{name}_mask", ones_like(t)) for (module, name), t in zip(parameters, tensors)]
    scores = [scores.get((module, name), t) for (module, name), t in zip(parameters, tensors)]
    mask = container.compute_mask(parameters_to_vector(scores), parameters_to_vector(masks))
    for (module, name), t, part in zip(parameters, tensors, mask.split([t.numel() for t in tensors])):
        custom_from_mask(module, name, part.view_as(t))


def custom_from_mask(module, name, mask):
    """Prune the parameter ``name`` where ``mask`` is 0.

    >>> from minigrad.nn.utils import prune
    >>> layer = prune.custom_from_mask(torch.nn.Linear(2, 1), "weight", torch.tensor([[0, 1]]))
    >>> layer.weight_mask
    tensor([[0., 1.]])
    """
    CustomFromMask.apply(module, name, mask)
    return module


def remove(module, name):
    """End the pruning of the parameter ``name``, which stays 0 where it was pruned, and is whole again.

    >>> from minigrad.nn.utils import prune
    >>> layer = prune.remove(prune.random_unstructured(torch.nn.Linear(2, 2), "weight", 1), "weight")
    >>> [*dict(layer.named_parameters())], int((layer.weight == 0).sum())
    (['bias', 'weight'], 1)
    """
    for key in hooks_of(module, name):
        module._forward_pre_hooks[key].remove(module)
        del module._forward_pre_hooks[key]
        return module
    raise not_pruned(name, module)


def is_pruned(module):
    """Whether a parameter of the module, or of one in it, is pruned.

    >>> from minigrad.nn.utils import prune
    >>> prune.is_pruned(torch.nn.Linear(2, 1))
    False
    """
    return any(isinstance(hook, BasePruningMethod)
               for each in module.modules() for hook in each._forward_pre_hooks.values())


__getattr__ = _answering(__name__)


# ------------------------------------------------------------------------------ what the errors say

def not_pruned(name, module):
    return error("MG207", f"Parameter '{name}' of module {module} has to be pruned before pruning can be removed")
