"""Make functions from objects that hold parameters: functional_call, stack_module_state, and what they need.

Transforms differentiate functions with respect to arguments, but a model keeps its parameters inside.
``functional_call`` calls a model with other parameters, given by name, so that they become arguments::

    def loss(parameters, x, y):
        return mse_loss(functional_call(model, parameters, (x,)), y)

    vmap(grad(loss), in_dims=(None, 0, 0))(parameters, xs, ys)              a gradient for each sample

``stack_module_state`` stacks the parameters of several models of the same structure, so that ``vmap`` runs them as one.

A model is any callable object whose tensors are attributes, of itself or of objects in it; "layer.weight" is the
attribute ``weight`` of its attribute ``layer`` (a number is an index into a list).  If an object has
``named_parameters()`` and ``named_buffers()``, they give the names; otherwise these are the attributes that hold
tensors.
"""

from minigrad._core.errors import error
from minigrad._core.graph import Tensor
from minigrad._core.runtime.scopes import Scope
from minigrad.ops.shapes.joining import stack

__all__ = ["functional_call", "replace_all_batch_norm_modules_", "stack_module_state"]


def functional_call(module, parameter_and_buffer_dicts, args=None, kwargs=None, *, tie_weights=True, strict=False):
    """``module(*args, **kwargs)`` with the given tensors in place of its own.

    Parameters
    ----------
    module : a callable object whose tensors are attributes
    parameter_and_buffer_dicts : a dict from names to tensors, or a tuple of such dicts that have no name in common
    args : a tuple of arguments; anything else is the only argument
    tie_weights : also replace the tensor under its other names
    strict : raise unless every tensor of the module is replaced

    The module gets its own tensors back when the call ends, even after an error.

    >>> class Line:
    ...     def __init__(self):
    ...         self.weight = torch.tensor(2.)
    ...     def __call__(self, x):
    ...         return self.weight * x
    >>> torch.func.functional_call(Line(), {"weight": torch.tensor(10.)}, torch.tensor(3.))
    tensor(30.)
    """
    new = joined(parameter_and_buffer_dicts)
    if not callable(module) or not hasattr(module, "__dict__") or hasattr(module, "__code__"):
        raise without_tensors(module)
    known = dict(tensors_of(module))
    unexpected, missing = [name for name in new if name not in known], [name for name in known if name not in new]
    if tie_weights:
        named = {id(known[name]): x for name, x in new.items() if name in known}
        new = {**new, **{name: named[id(x)] for name, x in known.items() if name not in new and id(x) in named}}
        missing = [name for name in missing if name not in new]
    if strict and (unexpected or missing):
        raise other_names(module, unexpected, missing)
    places = [(*place_of(module, name), x) for name, x in new.items() if name in known]
    with Scope(*places):
        return module(*(() if args is None else args if isinstance(args, tuple) else (args,)), **(kwargs or {}))


def without_tensors(module):
    return error("MG205", "functional_call takes a callable object whose tensors are attributes, not a "
                          f"{type(module).__name__}: a plain function has no parameters of its own; give them to it as "
                          "arguments.")


def other_names(module, unexpected, missing):
    return error("MG204", f"Error(s) in reparametrizing for {type(module).__name__}:"
                          + (f" Unexpected key(s): {unexpected}." if unexpected else "")
                          + (f" Missing key(s): {missing}." if missing else ""))


def joined(dicts):
    """The dicts, merged."""
    if isinstance(dicts, dict):
        return dicts
    if not isinstance(dicts, (tuple, list)) or not all([isinstance(d, dict) for d in dicts]):
        raise error("MG207", "Expected parameter_and_buffer_dicts to be a dict, or a list/tuple of dicts, but got "
                             f"{type(dicts)}")
    repeated = sorted({name for i, d in enumerate(dicts) for name in d for other in dicts[:i] if name in other})
    if repeated:
        raise error("MG207", f"{', '.join(repeated)} appeared in multiple dictionaries; behavior of functional call is "
                             "ambiguous")
    return {name: x for d in dicts for name, x in d.items()}


def tensors_of(module, prefix=""):
    """(name, tensor) for every tensor of a module."""
    if hasattr(module, "named_parameters"):
        yield from module.named_parameters(remove_duplicate=False)
        if hasattr(module, "named_buffers"):
            yield from module.named_buffers(remove_duplicate=False)
        return
    for key, x in parts_of(module):
        if isinstance(x, Tensor):
            yield f"{prefix}{key}", x
        else:
            yield from tensors_of(x, f"{prefix}{key}.")


def parts_of(module):
    """The attributes, items or elements of an object that may hold tensors."""
    if isinstance(module, dict):
        return list(module.items())
    if isinstance(module, (list, tuple)):
        return list(enumerate(module))
    if isinstance(module, type) or not hasattr(module, "__dict__") or hasattr(module, "__code__"):
        return []
    return list(vars(module).items())


def place_of(module, name):
    """What holds the tensor of this name, and its key there; in a module a dict, where a parameter may be replaced by a
    tensor that is none, which its assignment refuses."""
    *path, last = name.split(".")
    for key in path:
        module = get(module, int(key) if isinstance(module, list) else key)
    if "_parameters" in getattr(module, "__dict__", ()):
        module = module._parameters if last in module._parameters else module._buffers
    return module, int(last) if isinstance(module, list) else last


def get(holder, key):
    return holder[key] if isinstance(holder, (dict, list)) else getattr(holder, key)


def stack_module_state(models):
    """The parameters and the buffers of several models, stacked: two dicts for ``functional_call`` under ``vmap``.

    ``models`` are objects of the same structure, or dicts of tensors.  In a dict, or an object without
    ``named_buffers()``, the tensors that require grad are the parameters, and all others are buffers.  The stacked
    parameters are new leaves.

    >>> models = [{"w": torch.ones(2, requires_grad=True)}, {"w": torch.zeros(2, requires_grad=True)}]
    >>> parameters, buffers = torch.func.stack_module_state(models)
    >>> parameters["w"].shape, buffers
    (torch.Size([2, 2]), {})
    """
    if not len(models):
        raise error("MG204", "stack_module_state: Expected at least one model, got 0.")
    if len({type(model) for model in models}) > 1:
        raise error("MG204", "stack_module_state: Expected all models to be of the same class.")
    if len({getattr(model, "training", None) for model in models}) > 1:
        raise error("MG204", "stack_module_state: Expected all models to have the same training/eval mode.")
    found = [dict(tensors_of(model)) for model in models]
    for each in found:
        if list(each) != list(found[0]):
            raise error("MG204", "stack_module_state: all models must have tensors of the same names; the first has "
                                 f"{list(found[0])}, another {list(each)}.")
    parameters, buffers = {}, {}
    for name, x in found[0].items():
        several = [each[name] for each in found]
        if any([y.requires_grad != x.requires_grad for y in several]):
            raise error("MG204", f"stack_module_state: Expected {name} from each model to have the same "
                                 ".requires_grad")
        whole = stack(several).detach()
        whole.requires_grad = x.requires_grad
        (parameters if x.requires_grad else buffers)[name] = whole
    return parameters, buffers


def replace_all_batch_norm_modules_(root):
    """``root``, whose BatchNorm modules keep no running statistics from now on; it is changed in place.

    They compute with those of the batch, in evaluation, too.  To update running statistics is a write to captured
    tensors, which transforms refuse.

    >>> model = torch.func.replace_all_batch_norm_modules_(torch.nn.Sequential(torch.nn.BatchNorm1d(2)))
    >>> model, dict(model.named_buffers())
    (Sequential(
      (0): BatchNorm1d(2, eps=1e-05, momentum=0.1, affine=True, bias=True, track_running_stats=False)
    ), {})
    """
    for module in root.modules():
        if hasattr(module, "_forget_running_stats"):
            module._forget_running_stats()
    return root
