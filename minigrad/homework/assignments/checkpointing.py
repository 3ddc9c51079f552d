"""Less memory for more time, with hooks on saved tensors; and hooks that are removed again."""

import numpy as np

import minigrad as torch
from minigrad.homework.spec import Assignment

STARTER = '''
"""Checkpointing with hooks.

The tools: torch.autograd.graph.saved_tensors_hooks, tensor.register_hook, and handles that remove hooks.
"""

from contextlib import contextmanager

import minigrad as torch


def checkpoint(function, x):
    """$block, for a tensor x, of which nothing but x is kept for the backward pass.

    The forward pass calls the function once. The backward pass calls it once more, however many tensors it
    asks for, and the gradient is the same as without a checkpoint.
    """
    raise NotImplementedError


def checkpoint_sequence(functions, x):
    """$sequence"""
    raise NotImplementedError


@contextmanager
def gradients_of(*tensors):
    """In the block, collect the gradients that arrive at the tensors: a list of lists.

        with gradients_of(a, b) as seen:
            loss.backward()
        # seen[0] has the gradients of a, seen[1] those of b

    After the block, even if it ends with an error, no hook is left.
    """
    raise NotImplementedError
    yield
'''

#: what a checkpoint returns; in most variants x goes past the function, as in a residual block
BLOCKS = {"function(x)": lambda x, y: y, "x + function(x)": lambda x, y: x + y, "x - function(x)": lambda x, y: x - y,
          "2 * x + function(x)": lambda x, y: 2 * x + y, "x - 2 * function(x)": lambda x, y: x - 2 * y}
ONE = "functions[-1](... functions[0](x)), each with a checkpoint of its own."
MANY = "The checkpoint of each function, one after the other: it gets what the one before it has returned."

homework = Assignment("Checkpointing with hooks", starter=STARTER,
                      forbidden=("utils.checkpoint", "autograd.grad"),
                      varies={"block": tuple([{"block": block, "sequence": ONE if block == "function(x)" else MANY}
                                              for block in BLOCKS])})


def layers(x):
    for _ in range(4):
        x = (x * 1.1).sin().exp()
    return x


def through(submission, d, x):
    x = torch.tensor(x, requires_grad=True)
    y = submission.checkpoint(lambda x: (x.sin() * x).exp(), x)
    return torch.autograd.grad(y, x, torch.tensor(d))


def value_of(submission, x):
    return submission.checkpoint(lambda x: (x.sin() * x).exp(), torch.tensor(x, requires_grad=True))


def changed(submission, x):
    """The gradient, if the function computes something else in its second run."""
    factor = [1.0]
    x = torch.tensor(x, requires_grad=True)
    y = submission.checkpoint(lambda x: ((x * factor[0]).exp() * factor[0]).sin(), x)
    factor[0] = 0.5
    y.sum().backward()
    return x.grad


def recomputed(judge):
    """What is kept in secret, with a second run for show, does not notice that the function has changed."""
    x = judge.draw(5)
    judge.require(not np.allclose(judge.run(changed, x), np.cos(np.exp(x)) * np.exp(x)),
                  "the gradient is made of what the first run of the function has computed: nothing of it may be kept, "
                  "and the second run computes it again")


@homework.item(3, "the value and the gradient")
def gradient(judge):
    block = BLOCKS[judge.variant["block"]]
    recomputed(judge)
    with judge.part(1, "the value"):
        x = judge.draw(2, 3)
        judge.same(judge.run(value_of, x), block(x, np.exp(np.sin(x) * x)), "the result")
    for points, is_complex, what in ((1, False, "real numbers"), (1, True, "complex numbers")):
        with judge.part(points, what):
            for shape in ((2, 3), (5,)):
                judge.probe_pullback(lambda x: block(x, (x.sin() * x).exp()), through,
                                     judge.draw(*shape, complex=is_complex), names=["x"])


def counted(submission, x):
    def function(x):
        for _ in range(4):
            x = (x * 1.1).sin().exp()
        return x

    calls = Calls(function)
    x = torch.tensor(x, requires_grad=True)
    y = submission.checkpoint(calls, x)
    forward = calls.count
    y.sum().backward()
    return forward, calls.count - forward, x.grad


@homework.item(3, "how often the function is called")
def calls(judge):
    recomputed(judge)
    x = judge.draw(3, 4)
    forward, backward, gradient = judge.run(counted, x)
    tensor = torch.tensor(x).requires_grad_()
    BLOCKS[judge.variant["block"]](tensor, layers(tensor)).sum().backward()
    judge.same(gradient, tensor.grad.numpy(), "the gradient")
    with judge.part(1, "forward"):
        judge.require(forward == 1, f"the function is called {forward} times, where once is enough")
    with judge.part(2, "backward"):
        judge.require(backward == 1, f"the function is called {backward} times: run it once, and keep what it saves "
                                     "until all of it has been asked for")


def held(submission, n):
    def function(x):
        for _ in range(20):
            x = x.sin()
        return x

    def bytes_of(f, n):
        x = torch.tensor(np.random.default_rng(0).random(n), requires_grad=True)
        (kept, held, _), of_objects = taken(lambda: peak(lambda: f(x)))
        return held, of_objects

    def less(x):
        return submission.checkpoint(function, x)

    bytes_of(less, 2)                                   # imports what it needs
    return bytes_of(function, n)[0], *bytes_of(less, n)


@homework.item(3, "the memory between the two passes")
def memory(judge):
    plain, less, of_objects = judge.run(held, 20_000)
    judge.require(less < plain / 4, f"the forward pass holds {100 * less / plain:.0f} percent of the memory that it "
                                    "takes without a checkpoint: what the function computes must not be kept")
    judge.require(of_objects < plain / 4, f"in the forward pass Python's objects, such as bytes and lists, take "
                  f"{100 * of_objects / plain:.0f} percent of the memory that tensors take without a checkpoint: what "
                  "the function computes must not be kept in them")
    recomputed(judge)


def sequence(submission, d, x):
    x = torch.tensor(x, requires_grad=True)
    y = submission.checkpoint_sequence([lambda x: x.sin() * x, lambda x: x.exp(), lambda x: x * x + x], x)
    return torch.autograd.grad(y, x, torch.tensor(d))


def sequence_calls(submission, x, n):
    """The numbers of the functions in the order in which they are called: in the forward pass, and in the backward
    pass."""
    order = []

    def numbered(number):
        def function(x):
            order.append(number)
            return x.sin()
        return Calls(function)

    x = torch.tensor(x, requires_grad=True)
    y = submission.checkpoint_sequence([numbered(number) for number in range(n)], x)
    forward = len(order)
    y.sum().backward()
    return order[:forward], order[forward:]


def sequence_changed(submission, x):
    """The gradient, if the functions compute something else in their second run."""
    factor = [1.0]
    x = torch.tensor(x, requires_grad=True)
    y = submission.checkpoint_sequence(2 * [Calls(lambda x: ((x * factor[0]).exp() * factor[0]).sin())], x)
    factor[0] = 0.5
    y.sum().backward()
    return x.grad


def forward_of(block, functions, x):
    for function in functions:
        x = block(x, function(x))
    return x


#: of functions in a sequence
SEVERAL = 5


@homework.item(2, "a sequence of checkpoints")
def sequences(judge):
    recomputed(judge)
    block = BLOCKS[judge.variant["block"]]
    x = torch.tensor(judge.draw(5)).requires_grad_()
    forward_of(block, 2 * [lambda x: x.exp().sin()], x).sum().backward()
    judge.require(not np.allclose(judge.run(sequence_changed, x.detach().numpy()), x.grad.numpy()),
                  "the gradient of a sequence is made of what the first run of the functions has computed: nothing of "
                  "it may be kept but the input of each function")
    forward, backward = judge.run(sequence_calls, judge.draw(4), SEVERAL)
    judge.require(sorted(backward) != [*range(SEVERAL)] or backward == [*reversed(range(SEVERAL))],
                  f"the backward pass calls the functions of a sequence in the order {backward}: a checkpoint of its "
                  "own for each function calls it again when the gradient arrives there, the last one first")
    with judge.part(1, "the gradient"):
        judge.probe_pullback(lambda x: forward_of(block, (lambda x: x.sin() * x, lambda x: x.exp(),
                                                          lambda x: x * x + x), x), sequence, judge.draw(2, 3))
    with judge.part(1, "the calls"):
        counts = [(forward + backward).count(number) for number in range(SEVERAL)]
        judge.require(counts == SEVERAL * [2], f"the functions are called {counts} times, and should be called twice "
                                               "each")


def collected(submission, x, fail):
    a, b = torch.tensor(x, requires_grad=True), torch.tensor(x + 1, requires_grad=True)
    seen, inside = None, []
    try:
        with submission.gradients_of(a, b) as seen:
            torch.autograd.backward((a * b).sum())      # whatever a tensor has under this name
            inside += [[g.detach().clone() for g in each] for each in seen]     # at once, and not when the block ends
            if fail:
                raise KeyError
    except KeyError:
        pass
    (a * b).sum().backward()
    left = sum([len(handle.hooks_dict_ref() or ()) for handle in (a.register_hook(print), b.register_hook(print))]) - 2
    return inside, [len(each) for each in seen], left


@homework.item(4, "hooks come and go")
def hooks(judge):
    x = judge.draw(2, 3)
    inside, after, left = judge.run(collected, x, False)
    judge.require([len(each) for each in inside] == [1, 1], "in the block, one gradient must arrive at each tensor "
                                                            "during the backward pass")
    with judge.part(2, "in the block"):
        judge.same(inside[0][0], x + 1, "the gradient of the first tensor")
        judge.same(inside[1][0], x, "the gradient of the second tensor")
    with judge.part(1, "after the block"):
        judge.require(after == [1, 1] and left == 0, "a hook is still there: keep the handle, and remove() it")
    with judge.part(1, "after an error in the block"):
        _, after, left = judge.run(collected, x, True)
        judge.require(after == [1, 1] and left == 0, "a hook is still there: remove it in a finally")
