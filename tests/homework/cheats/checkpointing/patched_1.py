"""Backward is replaced in the block: afterwards it reads .grad; no hook.

Without points: hooks.
"""


@contextmanager
def gradients_of(*tensors):
    seen, old = [[] for _ in tensors], torch.Tensor.backward

    def backward(self, *a, **k):
        old(self, *a, **k)
        for each, t in zip(seen, tensors):
            each.append(t.grad.clone())

    torch.Tensor.backward = backward
    try:
        yield seen
    finally:
        torch.Tensor.backward = old
