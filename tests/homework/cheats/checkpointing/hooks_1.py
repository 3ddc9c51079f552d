"""No hooks: .grad is read afterwards.

Without points: hooks.
"""


@contextmanager
def gradients_of(*tensors):
    seen = [[] for _ in tensors]
    old = [t.grad for t in tensors]
    for t in tensors:
        t.grad = None
        if t.grad_fn is not None:
            t.retain_grad()
    try:
        yield seen
    finally:
        for t, s, o in zip(tensors, seen, old):
            if t.grad is not None:
                s.append(t.grad)
            t.grad = o
