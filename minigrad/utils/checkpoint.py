"""Less memory for more time: what a function computes is not kept for the backward pass, but computed again in it.

    y = checkpoint(f, x, use_reentrant=False)           the same as f(x), gradients included

A backward pass needs the tensors that the forward pass saved.  In the block of a checkpoint each
of them is replaced by its number:

    forward     saves   0  1  2  3                      the tensors themselves are dropped
    backward    asks for 3:   f runs again, and saves   0' 1' 2' 3'  ->  3' is handed out, then 2', 1', 0'

The second run has the random numbers and the autocast of the first, and stops where it has saved the last of its
tensors.  Each of them is kept until it is handed out.  All of this is done by saved-tensor hooks (autograd.graph),
which nest: a checkpoint within f replaces what is saved within it, in the second run too, and has its own second run
when it is asked for.

The older form, ``use_reentrant=True``, is a Function that runs f without recording, and in its backward runs f again
with recording and calls ``backward`` within the backward pass.
"""

import contextlib
import weakref
from contextlib import contextmanager, nullcontext

from minigrad._core.backward.hooks import reaches_all_leaves
from minigrad._core.errors import CheckpointFailure as CheckpointError, error, warn
from minigrad._core.graph import Tensor
from minigrad._core.graph.shared_memory import last_written_at
from minigrad._core.runtime.scopes import Block, Scope
from minigrad._core.runtime.thread_state import is_grad_enabled
from minigrad.amp.autocast_mode import as_now
from minigrad.autograd import backward as run_backward
from minigrad.autograd.function import Function, once_differentiable
from minigrad.autograd.grad_mode import enable_grad
from minigrad.autograd.graph import saved_tensors_hooks
from minigrad.random import default_generator

__all__ = ["CheckpointError", "CheckpointFunction", "check_backward_validity", "checkpoint", "checkpoint_sequential",
           "detach_variable", "get_device_states", "noop_context_fn", "set_checkpoint_debug_enabled",
           "set_checkpoint_early_stop", "set_device_states"]


def get_device_states(*args):
    """The numbers of the devices that these tensors are on besides the CPU, and the states of their generators: none.

    >>> torch.utils.checkpoint.get_device_states(torch.ones(2))
    ([], [])
    """
    return [], []


def set_device_states(devices, states, *, device_type=None):
    """Set the states that :func:`get_device_states` gave: none.

    Raises: RuntimeError (MG404) for another device than the CPU.
    """
    if [*devices]:
        raise error("MG404", f"set_device_states(): there is no generator of the devices {[*devices]!r}; minigrad "
                             "computes on the CPU, whose generator torch.set_rng_state sets")


def noop_context_fn():
    """The default ``context_fn``: nothing surrounds the two runs."""
    return nullcontext(), nullcontext()


def checkpoint(function, *args, use_reentrant=None, context_fn=noop_context_fn, determinism_check="default",
               debug=False, early_stop=True, **kwargs):
    """``function(*args, **kwargs)``, which the backward pass computes again instead of keeping what it needs.

    Parameters
    ----------
    function : gives the same result whenever it is called with the same arguments and the same random numbers
    use_reentrant : pass False.  True is the older form: no keyword arguments, no ``torch.autograd.grad``, no double
        backward, and at least one argument that requires grad
    preserve_rng_state : whether the second run has the random numbers of the first (True by default)
    context_fn : makes two contexts, one for each run
    determinism_check : "default" compares shapes and dtypes of both runs; "none" does not
    early_stop : whether the second run ends when it has everything
    debug : accepted; messages are the same

    >>> x = torch.tensor([1., 2.], requires_grad=True)
    >>> y = torch.utils.checkpoint.checkpoint(lambda x: x.exp().sin(), x, use_reentrant=False)
    >>> y.sum().backward()
    >>> torch.allclose(x.grad, (x.exp().cos() * x.exp()))
    True
    """
    if use_reentrant is None:
        warn("torch.utils.checkpoint: the use_reentrant parameter should be passed explicitly. use_reentrant=False is "
             "recommended; the default is True.")
        use_reentrant = True
    preserve = kwargs.pop("preserve_rng_state", True)
    if use_reentrant:
        if kwargs:
            raise error("MG207", "Unexpected keyword arguments: " + ",".join(kwargs))
        if context_fn is not noop_context_fn or debug is not False:
            raise error("MG207", "Passing `context_fn` or `debug` is only supported when use_reentrant=False.")
        return CheckpointFunction.apply(function, preserve, *args)
    if determinism_check not in ("default", "none"):
        raise error("MG207", "determinism_check should be one of 'default', 'none', but got "
                             f"{determinism_check!r}")
    if not is_grad_enabled():
        first, _ = context_fn()
        with first:
            return function(*args, **kwargs)
    return recorded(function, args, kwargs, preserve, context_fn, determinism_check == "default", early_stop)


# ------------------------------------------------------------------------------ recomputed when asked for

def recorded(function, args, kwargs, preserve, context_fn, checked, early_stop):
    """The first run, with the numbers of saved tensors in their place."""
    first, second = context_fn()
    random_state, precision = default_generator._saved() if preserve else None, as_now()
    early_stop = early_stop if _early_stop is None else _early_stop
    saved = _Saved(checked)

    def run_again(saved):               # which it must not hold: a cycle would keep the arguments alive
        with fork(random_state), enable_grad(), precision, second, saved_tensors_hooks(saved.keep, _itself):
            with contextlib.suppress(_Enough):
                saved.begin(early_stop)
                function(*args, **kwargs)
        saved.check_number()

    saved.run_again = run_again
    with saved_tensors_hooks(saved.number, saved.fetch), first:
        result = function(*args, **kwargs)
    saved.complete = True
    return result


def _itself(x):
    return x


class _Enough(Exception):
    """The second run has computed everything that is asked for."""


class _Number:
    """What the graph keeps instead of a saved tensor."""

    __slots__ = ("__weakref__", "place")

    def __init__(self, place):
        self.place = place


class _Saved:
    """The tensors that the function saved: how many there were, and after the second run themselves."""

    def __init__(self, checked):
        self.numbers, self.looks, self.checked = [], [], checked
        self.again = None                               # place -> tensor of the second run, and its version then
        self.complete = False                           # the first run has ended; it may itself ask for tensors

    def number(self, x):
        """Pack, in the first run."""
        held = _Number(len(self.numbers))
        self.numbers.append(weakref.ref(held))          # None once no graph can ask for it
        self.looks.append(look(x))
        return held

    def begin(self, early_stop):
        self.again, self.count, self.early_stop = {}, 0, early_stop
        self.wanted = sum(each() is not None for each in self.numbers)

    def keep(self, x):
        """Pack, in the second run."""
        place = self.count
        self.count += 1
        if place < len(self.numbers):
            if self.numbers[place]() is not None:
                self.again[place] = x.detach(), x._version
                self.check_look(place, x)
        elif self.complete and not self.early_stop:
            raise saves_more()
        if self.early_stop and len(self.again) == self.wanted:
            raise _Enough
        return x

    def fetch(self, held):
        """Unpack: the tensor of the second run, which happens now unless it has."""
        if self.again is None or held.place not in self.again:
            self.run_again(self)
        x, version = self.again.pop(held.place)
        if x._version != version:
            raise written_in_second_run(x, version)
        return x

    def check_number(self):
        if len(self.again) < self.wanted:
            raise saves_another_number(len(self.numbers), self.count)

    def check_look(self, place, x):
        if self.checked and look(x) != self.looks[place]:
            raise looks_otherwise(place, self.looks[place], look(x))


def look(x):
    return {"shape": x.shape, "dtype": x.dtype, "device": x.device}


def fork(state):
    """In the block, random numbers follow `state`; after it, they go on as if it had not been."""
    return Scope() if state is None else Scope((default_generator._exchange, state))


# ------------------------------------------------------------------------------ the older form

class CheckpointFunction(Function):
    """A Function that runs another without recording, and again with recording in its backward."""

    @staticmethod
    def forward(ctx, run_function, preserve_rng_state, *args):
        check_backward_validity(args)
        ctx.function = run_function
        ctx.random_state, ctx.precision = default_generator._saved() if preserve_rng_state else None, as_now()
        ctx.args = [None if isinstance(x, Tensor) else x for x in args]
        ctx.places = [i for i, x in enumerate(args) if isinstance(x, Tensor)]
        ctx.save_for_backward(*[args[i] for i in ctx.places])
        return run_function(*args)

    @staticmethod
    @once_differentiable
    def backward(ctx, *grads):
        if not reaches_all_leaves():
            raise older_form_in_grad()
        args = [*ctx.args]
        for i, x in zip(ctx.places, ctx.saved_tensors):
            args[i] = x
        args = detach_variable(tuple(args))
        with fork(ctx.random_state), enable_grad(), ctx.precision:
            outputs = ctx.function(*args)
        outputs = outputs if isinstance(outputs, tuple) else (outputs,)
        pairs = [(y, g) for y, g in zip(outputs, grads) if isinstance(y, Tensor) and y.requires_grad]
        if not pairs:
            raise nothing_to_differentiate()
        run_backward([y for y, _ in pairs], [g for _, g in pairs])
        return None, None, *[x.grad if isinstance(x, Tensor) else None for x in args]


def detach_variable(inputs):
    """The tensors of a tuple as leaves, which require grad where those do; everything else as it is."""
    return tuple([x.detach().requires_grad_(x.requires_grad) if isinstance(x, Tensor) else x for x in inputs])


def check_backward_validity(inputs):
    """Warn if no argument requires grad: then the older form has no gradients at all."""
    if not any(isinstance(x, Tensor) and x.requires_grad for x in inputs):
        warn("None of the inputs have requires_grad=True. Gradients will be None")


# ------------------------------------------------------------------------------ a sequence of functions

def checkpoint_sequential(functions, segments, input, use_reentrant=None, **kwargs):
    """Functions one after the other, in ``segments`` checkpoints; the last segment is an ordinary call.

    ``functions`` is a Sequential or a list; only the inputs of the segments are kept.

    >>> layers = [torch.sin, torch.exp, torch.cos]
    >>> x = torch.tensor(1., requires_grad=True)
    >>> torch.utils.checkpoint.checkpoint_sequential(layers, 2, x, use_reentrant=False)
    tensor(-0.6809, grad_fn=<CosBackward0>)
    """
    if use_reentrant is None:
        warn("torch.utils.checkpoint.checkpoint_sequential: the use_reentrant parameter should be passed explicitly. "
             "use_reentrant=False is recommended; the default is True.")
        use_reentrant = True
    preserve = kwargs.pop("preserve_rng_state", True)
    if kwargs:
        raise error("MG207", "Unexpected keyword arguments: " + ",".join(kwargs))
    functions = list(functions.children() if hasattr(functions, "children") else functions)
    size = len(functions) // segments
    for i in range(segments - 1):
        input = checkpoint(one_after_the_other(functions[i * size:(i + 1) * size]), input,
                           use_reentrant=use_reentrant, preserve_rng_state=preserve)
    return one_after_the_other(functions[(segments - 1) * size:])(input)


def one_after_the_other(functions):
    def run(x):
        for function in functions:
            x = function(x)
        return x
    return run


# ------------------------------------------------------------------------------ settings

_early_stop = None


def set_checkpoint_early_stop(enable):
    """In this block, whether second runs end as soon as they have everything, whatever ``early_stop`` says."""
    return Block(lambda: [(globals(), "_early_stop", enable)])


@contextmanager
def set_checkpoint_debug_enabled(enabled):
    """Nothing: the messages of errors say the same with and without it."""
    yield


# ------------------------------------------------------------------------------ what the errors say

ADVICE = ("The function must do the same whenever it is called with the same arguments: it may depend on no variable "
          "that changes meanwhile")


def saves_another_number(before, now):
    return error("MG723", "torch.utils.checkpoint: A different number of tensors was saved during the original forward "
                          f"and recomputation.\nNumber of tensors saved during forward: {before}\nNumber of tensors "
                          f"saved during recomputation: {now}.\n{ADVICE}")


def saves_more():
    return error("MG723", "torch.utils.checkpoint: trying to save more tensors during recomputation than during the "
                          f"original forward pass.\n{ADVICE}")


def looks_otherwise(place, before, now):
    return error("MG723", "torch.utils.checkpoint: Recomputed values for the following tensors have different metadata "
                          f"than during the forward pass.\ntensor at position {place}:\nsaved metadata: {before}\n"
                          f"recomputed metadata: {now}.\n{ADVICE}")


def written_in_second_run(x, version):
    return error("MG101", "one of the variables needed for gradient computation has been modified by an inplace "
                          f"operation: [{x.type()} {list(x.shape)}], which the checkpointed function computed again, "
                          f"is at version {x._version}; expected version {version} instead. An operation saved it, "
                          "because the formula of its derivative needs the values that it had. It was written to "
                          f"since, at {last_written_at(x)}. Write it out of place (x = x + 1 instead of x += 1, "
                          "x = torch.where(...) instead of x[i] = ...), or give the later one a clone() to write to.")


def older_form_in_grad():
    return error("MG723", "When use_reentrant=True, torch.utils.checkpoint is incompatible with .grad() or passing an "
                          "`inputs` parameter to .backward(). To resolve this error, you can either set "
                          "use_reentrant=False, or call .backward() without passing the `inputs` argument.")


def nothing_to_differentiate():
    return error("MG723", "none of output has requires_grad=True, this checkpoint() is not necessary: the function "
                          "returns nothing that depends on a parameter or an argument that requires grad")
