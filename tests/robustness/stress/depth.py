"""Graphs of any depth on a stack of half a megabyte, and sizes at the limits of NumPy."""

import copy
import math
import os
import pickle

import numpy as np

import minigrad as torch
from minigrad._core.errors import MinigradError

forward_ad = torch.autograd.forward_ad


def leaf(value=1.):
    return torch.tensor(value, dtype=torch.float64, requires_grad=True)


def chain(x, nodes):
    y = x
    for _ in range(nodes):
        y = y * x
    return y


def chain_backward(nodes):
    x = leaf()
    chain(x, nodes).backward()
    assert x.grad.item() == nodes + 1, x.grad
    return f"{nodes:,} nodes"


def chain_freed(nodes):
    y = chain(leaf(), nodes)
    del y
    return f"{nodes:,} nodes"


def chain_of_views(nodes):
    y = x = torch.ones(2, 3, requires_grad=True)
    for _ in range(nodes // 2 * 2):
        y = y.t()
    y.sum().backward()
    assert x.grad.tolist() == [[1.] * 3] * 2
    return f"{nodes:,} nodes"


def chain_written_in_place(nodes):
    x = leaf()
    y = x * 1
    for _ in range(nodes):
        y.add_(x)
    y.backward()
    assert x.grad.item() == nodes + 1
    return f"{nodes:,} nodes"


def chain_twice(nodes):
    """A graph of the gradient of a chain is freed, and one of a shorter chain is differentiated."""
    x = leaf()
    (g,) = torch.autograd.grad(chain(x, nodes), x, create_graph=True)
    assert g.item() == nodes + 1
    del g
    short = nodes // 10
    (g,) = torch.autograd.grad(chain(x, short), x, create_graph=True)
    (h,) = torch.autograd.grad(g, x)
    assert h.item() == short * (short + 1)
    return f"{nodes:,} nodes"


def chain_forward(nodes):
    """Tangents along a chain that is recorded meanwhile."""
    x = leaf()
    with forward_ad.dual_level():
        y = chain(forward_ad.make_dual(x, torch.ones_like(x)), nodes)
        assert forward_ad.unpack_dual(y).tangent.item() == nodes + 1
    del y
    return f"{nodes:,} nodes"


def chain_copied(nodes):
    """A result is not deep-copied, which would copy its graph, and the message says so; a pickle has its value."""
    y = chain(leaf(), nodes)
    try:
        copy.deepcopy(y)
        raise AssertionError("a deep copy was made")
    except RuntimeError as refusal:
        assert "only" in str(refusal).lower() and "detach()" in str(refusal), refusal
    pickled = pickle.loads(pickle.dumps(y))
    assert pickled.grad_fn is None and pickled.item() == 1.
    for found in (copy.deepcopy(y.detach()), copy.copy(y), y.clone()):
        assert found.item() == 1.
    return f"{nodes:,} nodes"


def many_outputs(nodes):
    n = max(nodes // 50, 1000)
    x = torch.ones(n, dtype=torch.float64, requires_grad=True)
    parts = x.unbind()
    assert len(parts) == n
    torch.stack(parts).sum().backward()
    (g,) = torch.autograd.grad(parts[-1], x)
    assert (x.grad == 1).all() and g.sum().item() == g[-1].item() == 1
    return f"{n:,} outputs of one node"


def many_uses(nodes):
    n = max(nodes // 50, 1000)
    x = leaf()
    y = x * 1
    total = torch.stack([y * i for i in range(n)]).sum()
    total.backward()
    assert x.grad.item() == n * (n - 1) / 2
    grads = torch.autograd.grad([y * 2 for y in [x] * n], x)
    assert grads[0].item() == 2 * n
    return f"{n:,} uses of one tensor"


def many_derivatives(nodes):
    """Fifty of sin, exp and x^50, each of the graph of the one before."""
    point = 0.5
    for call, value in ((torch.sin, math.sin(point + 50 * math.pi / 2)), (torch.exp, math.exp(point)),
                        (lambda x: x ** 50, math.factorial(50))):
        x = leaf(point)
        y = call(x)
        for _ in range(50):
            (y,) = torch.autograd.grad(y, x, create_graph=True)
        assert math.isclose(y.item(), value, rel_tol=1e-9), (call, y.item(), value)
    return "50 derivatives"


def dims(nodes):
    """As many as NumPy has, forward and back; one more is refused."""
    most = 64 if np.lib.NumpyVersion(np.__version__) >= "2.0.0" else 32
    shape = [2, 3] + [1] * (most - 2)
    x = torch.ones(shape, dtype=torch.float64, requires_grad=True)
    calls = (lambda t: t * t, lambda t: t.sum(0, keepdim=True), lambda t: t.sin().transpose(0, -1),
             lambda t: t.expand(shape).contiguous(), lambda t: t[..., :1], lambda t: t.softmax(1),
             lambda t: t.flip(0), lambda t: t.permute(*range(most)[::-1]), lambda t: t.cumsum(1))
    for call in calls:
        (g,) = torch.autograd.grad(call(x).sum(), x)
        assert g.shape == x.shape and g.isfinite().all()
    try:
        x.unsqueeze(0)
        raise AssertionError(f"{most + 1} dims were made")
    except MinigradError as refusal:
        assert f"within [0, {most}]" in str(refusal) or "maximum supported dimension" in str(refusal), refusal
    return f"{most} dims"


def strides(nodes):
    """Arrays of NumPy that go backward or stay where they are."""
    base = np.arange(24.).reshape(4, 6)
    turned = {"backward": base[::-1, ::-2], "standing": np.broadcast_to(base[0], (5, 6)),
              "both": np.broadcast_to(base[::-1, :1], (4, 6)), "nothing": base[:0, ::-1]}
    for name, array in turned.items():
        try:
            x = torch.from_numpy(array)
        except ValueError as refusal:
            assert "stride" in str(refusal) or "writ" in str(refusal), refusal
            x = torch.tensor(array)
        x = x.clone().requires_grad_() if 0 in array.strides else x.requires_grad_()
        (x * x).sum().backward()
        assert np.array_equal(x.grad.numpy(), 2 * array), name
    x = torch.ones(1, dtype=torch.float64, requires_grad=True)
    wide = x.expand(1000, 1000)
    assert wide.stride() == (0, 0)
    (wide * wide).sum().backward()
    assert x.grad.item() == 2e6
    return f"{len(turned) + 1} layouts"


def beyond_int32(nodes):
    """More elements than 2^31, where the memory is free: three arrays of a byte or two for each."""
    n = 2 ** 31 + 10
    free = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    if nodes < 1_000_000 or free < 7 * n:
        return f"left out, with {free >> 30} GB free"
    x = torch.zeros(n, dtype=torch.int8)
    x[-1] = 5
    assert x.numel() == n and x.sum().item() == 5 and x.argmax().item() == n - 1
    y = x.view(-1)[-3:] + 1
    assert y.tolist() == [1, 1, 6]
    del x, y
    x = torch.zeros(n, dtype=torch.float16, requires_grad=True)
    x[-2:].sum().backward()
    assert x.grad[-3:].tolist() == [0., 1., 1.]
    return f"{n:,} elements"


RUNS = (chain_backward, chain_freed, chain_of_views, chain_written_in_place, chain_twice, chain_forward, chain_copied,
        many_outputs, many_uses, many_derivatives, dims, strides, beyond_int32)
