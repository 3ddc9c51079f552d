# minigrad homework: checkpointing
"""Checkpointing with hooks."""

from contextlib import contextmanager

import minigrad as torch
from minigrad.autograd.graph import saved_tensors_hooks


def checkpoint(function, x):
    saved_so_far = 0
    recomputed = {}
    still_to_come = set()

    def pack(tensor):
        nonlocal saved_so_far
        number = saved_so_far
        saved_so_far += 1
        return number

    def run_again():
        recomputed.clear()
        count = 0

        def keep(tensor):
            nonlocal count
            recomputed[count] = tensor.detach()
            count += 1
            return None

        def never(_):
            raise RuntimeError("the second run has no backward pass")

        with torch.enable_grad(), saved_tensors_hooks(keep, never):
            function(x.detach().requires_grad_(x.requires_grad))
        if count != saved_so_far:
            raise RuntimeError("the function did something else the second time")
        for number in range(count):
            still_to_come.add(number)

    def unpack(number):
        if number not in still_to_come:
            run_again()
        still_to_come.discard(number)
        # what has been handed out need not be kept
        return recomputed.pop(number)

    with saved_tensors_hooks(pack, unpack):
        return function(x)


def checkpoint_sequence(functions, x):
    for function in functions:
        x = checkpoint(function, x)
    return x


@contextmanager
def gradients_of(*tensors):
    seen = []
    handles = []
    try:
        for tensor in tensors:
            arrived = []
            seen.append(arrived)
            handles.append(tensor.register_hook(arrived.append))
        yield seen
    finally:
        for handle in handles:
            handle.remove()


if __name__ == "__main__":
    calls = []

    def f(t):
        calls.append(1)
        for _ in range(3):
            t = (t.sin() * t).exp()
        return t

    x = torch.tensor([0.1, 0.2], dtype=torch.float64, requires_grad=True)
    checkpoint(f, x).sum().backward()
    print("calls:", len(calls))
    with torch.no_grad():
        h = 1e-6
        for i in range(2):
            e = torch.zeros(2, dtype=torch.float64)
            e[i] = h
            print(x.grad[i].item(), ((f(x + e) - f(x - e)).sum() / (2 * h)).item())
