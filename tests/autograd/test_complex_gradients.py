"""Gradients of complex numbers, and of numbers beyond the range of a dtype."""

import warnings

import pytest
from tests.autograd.programs import leaf


# ------------------------------------------------------------------------------ complex numbers

COMPLEX = {
    "product": lambda z, w: (z * w).real,
    "imaginary part": lambda z, w: (z * w).imag,
    "squares": lambda z, w: (z * z.conj() + w).real,
    "quotient": lambda z, w: (z / w).real,
    "power": lambda z, w: (z ** 3 * w ** 2).imag,
    "functions": lambda z, w: (z.sin() * w.exp()).abs(),
}


@pytest.mark.parametrize("name", COMPLEX)
def test_the_gradient_points_uphill(torch, name):
    """PyTorch's convention: the gradient of a real function is df/dx + i df/dy."""
    function, h = COMPLEX[name], 1e-6
    z, w = (leaf(torch, *values, dtype=torch.complex128) for values in ((1 + 2j, 3 - 1j), (2 - 1j, 1j)))
    function(z, w).sum().backward()
    for t in (z, w):
        for k in range(2):
            for direction in (1, 1j):
                step = torch.zeros(2, dtype=torch.complex128)
                step[k] = h * direction
                up, down = (function(*(u.detach() + s * step if u is t else u.detach() for u in (z, w))).sum().item()
                            for s in (1, -1))
                g = t.grad[k].item()
                assert (up - down) / (2 * h) == pytest.approx(g.real if direction == 1 else g.imag, abs=1e-7, rel=1e-7)


@pytest.mark.parametrize("hooked", [False, True])
def test_absolute_value(torch, hooked):
    """Its gradient is complex, though a real one arrives; also at a node with a hook, off the short way."""
    z = leaf(torch, 3 + 4j, 0j)
    y = z.abs()
    if hooked:
        y.grad_fn.register_hook(lambda outgoing, incoming: None)
    y.sum().backward()
    assert z.grad.tolist() == pytest.approx([0.6 + 0.8j, 0])


def test_a_real_input_of_a_complex_chain_gets_a_real_gradient(torch):
    x = leaf(torch, 1., 2.)
    z = torch.tensor([1 + 2j, 3 - 1j])
    (x * z).sum().abs().backward()
    assert x.grad.dtype is torch.float32 and x.grad.tolist() == pytest.approx([1., 3.])


def test_real_broadcast_into_complex(torch):
    x = torch.tensor(2., dtype=torch.float64, requires_grad=True)
    z = torch.tensor([3 + 4j, 6 - 8j], dtype=torch.complex128)
    (x * z).abs().sum().backward()
    assert x.grad.dtype is torch.float64 and x.grad.shape == () and x.grad.item() == pytest.approx(15.)


def test_a_real_result_sends_a_complex_gradient_to_a_complex_input(torch):
    z = leaf(torch, 1 + 2j)
    z.real.sum().backward()
    assert z.grad.dtype is torch.complex64 and z.grad.tolist() == [1 + 0j]


def test_a_complex_gradient_given_by_the_user(torch):
    z = leaf(torch, 1 + 2j)
    (z * (2 + 1j)).backward(torch.tensor([1j]))
    assert z.grad.tolist() == [1j * (2 - 1j)]


def test_complex_second_derivatives(torch):
    z = leaf(torch, 1 + 2j, 3 - 1j)
    (g,) = torch.autograd.grad((z * z * z.conj()).real.sum(), z, create_graph=True)
    (h,) = torch.autograd.grad(g.real.sum() + 2 * g.imag.sum(), z)
    assert g.tolist() == [7 + 4j, 28 - 6j] and h.tolist() == [14 + 8j, 14 + 10j]


def test_complex_matrix_product(torch):
    a = torch.tensor([[1 + 2j, 3 - 1j]], requires_grad=True)
    b = torch.tensor([[1j], [2 + 0j]], requires_grad=True)
    (a @ b).real.sum().backward()
    assert a.grad.tolist() == [[-1j, 2 + 0j]] and b.grad.tolist() == [[1 - 2j], [3 + 1j]]


@pytest.mark.parametrize("create_graph", [False, True])
@pytest.mark.parametrize("watched", ["", "hook", "anomaly"])
@pytest.mark.parametrize("part", [slice(None), slice(0, 2)])
def test_a_gradient_has_the_dtype_of_its_tensor(torch, create_graph, watched, part):
    """Even if a formula computes in a wider one, the edge has no note of it, and the node does not run on the short
    way."""
    a, b = torch.ones(3, dtype=torch.float64, requires_grad=True), torch.ones(3, requires_grad=True)
    c = b.clone()
    c[part].mul_(a[part])
    if watched == "hook":
        c.grad_fn.register_hook(lambda outgoing, incoming: None)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with torch.autograd.set_detect_anomaly(watched == "anomaly"):
            gb, ga = torch.autograd.grad(c.sum(), (b, a), create_graph=create_graph)
    assert (gb.dtype, ga.dtype) == (torch.float32, torch.float64)


@pytest.mark.parametrize("cut", ["unbind", "split"])
def test_hooks_where_no_gradient_comes_to_a_node_of_several_outputs(torch, cut):
    class Stop(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, d):
            return None

    x, heard = torch.ones(2, 3, requires_grad=True), []
    a, _ = (x * 1).unbind() if cut == "unbind" else (x * 1).split(1)
    a.register_hook(lambda g: heard.append(g))
    a.grad_fn.register_prehook(lambda g: heard.append(g))
    Stop.apply(a).sum().backward()
    assert x.grad is None and heard == [None, (None, None)]


# ------------------------------------------------------------------------------ numbers out of range

OVERFLOWS = {
    "a cast": lambda t: (leaf_of(t, "float32"), lambda x: (x * t.full((2,), 1e300, dtype=t.float64)).sum()),
    "a sum of gradients": lambda t: (leaf_of(t, "float16"), lambda x: twice(x * 1, 60000)),
    "a broadcast sum":
        lambda t: (leaf_of(t, "float16"), lambda x: (x.reshape(2, 1) * t.full((2, 4), 60000., dtype=t.float16)).sum()),
    "a product": lambda t: (leaf_of(t, "float32"), lambda x: ((x * 1e30) * 1e30).sum()),
    "columns": lambda t: (leaf_of(t, "float32"), lambda x: (x.reshape(2, 1).t() * 3e38 * 10).sum()),
}


def leaf_of(torch, kind):
    return torch.ones(2, dtype=getattr(torch, kind), requires_grad=True)


def twice(y, factor):
    return (y * factor + y * factor).sum()


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", OVERFLOWS)
def test_overflow_is_silently_infinity(torch, name):
    x, function = OVERFLOWS[name](torch)
    function(x).backward()
    assert x.grad.tolist() == [float("inf")] * 2


@pytest.mark.filterwarnings("error")
def test_overflow_where_gradients_accumulate(torch):
    x = leaf_of(torch, "float16")
    y = x * 1
    y.retain_grad()
    for _ in range(2):
        (y * 60000).sum().backward(retain_graph=True)
    assert x.grad.tolist() == y.grad.tolist() == [float("inf")] * 2
