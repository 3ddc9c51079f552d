"""Hooks that see the gradients of a module's arguments and results.

A module is not a node of the graph: its ``forward`` records many.  So identities surround it, whose nodes see all
gradients that cross the border:

    args  ->  [identity]  ->  forward  ->  [identity]  ->  result
                  ^                            ^
        gradients of the arguments     gradients of the results

In a backward pass the node on the right is reached first; it keeps the gradients of the results, until the node on the
left has those of the arguments, and the hooks are called with both.  If no argument requires grad, the hooks are called
on the right, with None for each argument.
"""

from minigrad._core.errors import error, warn
from minigrad._core.graph import Tensor
from minigrad._core.runtime.thread_state import is_grad_enabled
from minigrad.autograd.function import Function

__all__ = ["BackwardHooks", "hook_node"]


class BackwardHookFunction(Function):
    """The identity of several tensors, as one node."""

    @staticmethod
    def forward(ctx, *args):
        ctx.mark_non_differentiable(*[arg for arg in args if not arg.requires_grad])
        return args

    @staticmethod
    def backward(ctx, *grads):
        return grads


class BackwardHooks:
    """The hooks of one call of a module."""

    def __init__(self, module, hooks, pre_hooks):
        self.module, self.hooks, self.pre_hooks = module, hooks, pre_hooks
        self.of_results = None                  # the gradients of the results, while a pass is inside the module

    def inputs(self, args):
        """The arguments, behind an identity."""
        args, self.input_places = bordered(args, self.left)
        self.number_of_inputs = len(args)
        return args

    def outputs(self, result):
        """The result, behind an identity."""
        if not isinstance(result, (Tensor, tuple)):
            warn("For backward hooks to be called, module output should be a Tensor or a tuple of Tensors but received "
                 f"{type(result)}")
        results = result if isinstance(result, tuple) else (result,)
        self.number_of_outputs = len(results)
        results, self.output_places = bordered(results, self.right)
        if not isinstance(result, tuple):
            return results[0]
        return type(result)(*results) if hasattr(type(result), "_fields") else results

    def left(self, of_args, _):
        """The gradients of the arguments are known."""
        if self.of_results is None:             # a pass that came here without crossing the results
            return None
        grads = spread(self.input_places, of_args, self.number_of_inputs)
        for hook in self.hooks:
            answer = hook(self.module, grads, self.of_results)
            if answer is not None:
                grads = same_number("hook", "grad_input", answer, grads)
        self.of_results = None
        return tuple(grads[i] for i in self.input_places)

    def right(self, _, of_results):
        """The gradients of the results are known."""
        grads = spread(self.output_places, of_results, self.number_of_outputs)
        for hook in self.pre_hooks:
            answer = hook(self.module, grads)
            if answer is not None:
                grads = same_number("pre hook", "grad_output", answer, grads)
        self.of_results = grads
        if self.input_places is None:
            self.without_inputs(grads)
        return tuple(grads[i] for i in self.output_places)

    def without_inputs(self, grads):
        warn("Full backward hook is firing when gradients are computed with respect to module outputs since no inputs "
             "require gradients.")
        for hook in self.hooks:
            answer = hook(self.module, (None,) * self.number_of_inputs, grads)
            if answer is not None and not (isinstance(answer, tuple) and all(each is None for each in answer)):
                raise error("MG119", "Backward hook for Modules where no input requires gradient should always return "
                                     "None or None for all gradients.")
        self.of_results = None


def bordered(values, hook):
    """The values, their tensors behind an identity whose node has the hook; and where the tensors are."""
    places = [i for i, value in enumerate(values) if isinstance(value, Tensor)]
    tensors = [values[i] for i in places]
    if not (is_grad_enabled() and any(x.requires_grad for x in tensors)):
        return values, None
    behind = BackwardHookFunction.apply(*tensors)
    next(x.grad_fn for x in behind if x.grad_fn is not None).register_hook(hook)
    values = list(values)
    for i, x in zip(places, behind):
        values[i] = x
    return tuple(values), places


def spread(places, tensors, number):
    values = [None] * number
    for i, x in zip(places, tensors):
        values[i] = x
    return tuple(values)


def same_number(kind, what, answer, expected):
    if len(answer) != len(expected):
        raise error("MG119", f"Backward {kind} returned an invalid number of {what}, got {len(answer)}, but expected "
                             f"{len(expected)}")
    return answer


# ------------------------------------------------------------------------------ the older kind

def hook_node(module, hooks, args, result):
    """Hook the node of the result itself: it sees the gradients of that node's inputs, whatever they are."""
    first = result
    while not isinstance(first, Tensor):
        first = next(x for x in first.values() if isinstance(x, Tensor)) if isinstance(first, dict) else first[0]
    if first.grad_fn is None:
        return
    for hook in hooks:
        first.grad_fn.register_hook(lambda grad_inputs, grad_outputs, hook=hook: hook(
            module, grad_inputs, grad_outputs))
    if problem := what_is_missed(args, result, first.grad_fn):
        warn(f"{problem} Please use register_full_backward_hook to get the documented behavior.", FutureWarning)


def what_is_missed(args, result, node):
    """What a hook on the node of the result does not see, in words; or None."""
    results = result if isinstance(result, tuple) else (result,)
    for what, values, missed in (("return", results, "grad_output"), ("take as input", args, "grad_input")):
        if not all(isinstance(x, Tensor) for x in values):
            return (f"Using non-full backward hooks on a Module that does not {what} a single Tensor or a tuple of "
                    f"Tensors is deprecated and will be removed in future versions. This hook will be missing some of "
                    f"the {missed}.")
    if {x.grad_fn for x in results if x.grad_fn is not None} != {node}:
        return ("Using a non-full backward hook when outputs are generated by different autograd Nodes is deprecated "
                "and will be removed in future versions. This hook will be missing some grad_output.")
    if {x.grad_fn for x in args if x.grad_fn is not None} != {following for following, _ in node.next_functions}:
        return ("Using a non-full backward hook when the forward contains multiple autograd Nodes is deprecated and "
                "will be removed in future versions. This hook will be missing some grad_input.")
    return None
