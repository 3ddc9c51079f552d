"""Where .grad lies in memory: the four rules of the documentation of torch.autograd ("Default gradient layouts").

1. No .grad yet, the leaf's memory non-overlapping and dense: .grad gets the strides of the leaf.
2. No .grad yet, otherwise: .grad is contiguous, row by row.
3. There is a .grad, and create_graph=False: it is added to in place and keeps its strides.
4. There is a .grad, and create_graph=True: a new one is made, with the strides of the old one where that can be.
"""

import warnings

import pytest

LEAVES = {
    "rows": lambda torch: torch.arange(24.).reshape(2, 3, 4),
    "columns": lambda torch: torch.arange(24.).reshape(4, 6).t(),
    "reversed axes": lambda torch: torch.arange(24.).reshape(4, 3, 2).permute(2, 1, 0),
    "swapped axes": lambda torch: torch.arange(24.).reshape(2, 3, 4).permute(1, 0, 2),
    "every other column": lambda torch: torch.arange(24.).reshape(4, 6)[:, ::2],
    "the left half": lambda torch: torch.arange(24.).reshape(4, 6)[:, :3],
    "from the middle": lambda torch: torch.arange(24.)[3:9],
    "expanded": lambda torch: torch.ones(1, 3).expand(4, 3),
    "a scalar": lambda torch: torch.tensor(2.),
}
DENSE = {"rows": (12, 4, 1), "columns": (1, 6), "reversed axes": (1, 2, 6), "swapped axes": (4, 12, 1),
         "from the middle": (1,), "a scalar": ()}
OTHERS = {"every other column": (3, 1), "the left half": (3, 1), "expanded": (3, 1)}
STRIDES = {**DENSE, **OTHERS}

USES = {
    "product": lambda x: x * 2,
    "square": lambda x: x * x,
    "sum": lambda x: x.sum(),
    "nothing": lambda x: x + 0,
    "transposed": lambda x: (x * 2).permute(tuple(range(x.ndim))[::-1]),
    "contiguous": lambda x: x.contiguous() * 3,
    "expanded": lambda x: x.expand((2, *x.shape)),
    "function": lambda x: x.exp(),
}


def leaf(torch, name):
    return LEAVES[name](torch).detach().requires_grad_()


@pytest.fixture(autouse=True)
def no_warning_of_cycles():
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Using backward\\(\\) with create_graph=True")
        yield


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("name", LEAVES)
def test_first_gradient(torch, name, use):
    x = leaf(torch, name)
    y = USES[use](x)
    y.backward(torch.ones(tuple(y.shape)))
    assert x.grad.stride() == STRIDES[name] and x.grad.shape == x.shape


@pytest.mark.parametrize("use", USES)
def test_along_a_dim_of_one_element_a_stride_means_nothing(torch, use):
    x = torch.arange(6.).reshape(3, 1, 2).permute(2, 1, 0).detach().requires_grad_()
    y = USES[use](x)
    y.backward(torch.ones(tuple(y.shape)))
    assert x.grad.shape == (2, 1, 3) and x.grad.stride()[::2] == (1, 2)


@pytest.mark.parametrize("use", ["product", "square", "sum", "transposed"])
@pytest.mark.parametrize("name", LEAVES)
def test_first_gradient_with_create_graph(torch, name, use):
    x = leaf(torch, name)
    y = USES[use](x)
    y.backward(torch.ones(tuple(y.shape)), create_graph=True)
    assert x.grad.stride() == STRIDES[name]


@pytest.mark.parametrize("name", LEAVES)
def test_accumulation_keeps_object_and_strides(torch, name):
    x = leaf(torch, name)
    (x * 2).sum().backward()
    first = x.grad
    x.exp().sum().backward()
    assert x.grad is first and x.grad.stride() == STRIDES[name]


PRESET = {
    "columns": (lambda torch: torch.zeros(2, 3).t(), (1, 3)),
    "rows": (lambda torch: torch.zeros(3, 2), (2, 1)),
    "part of something": (lambda torch: torch.zeros(3, 4)[:, :2], (4, 1)),
}


@pytest.mark.parametrize("name", PRESET)
def test_a_gradient_of_the_users_own_keeps_its_strides(torch, name):
    make, strides = PRESET[name]
    x = torch.ones(3, 2, requires_grad=True)
    x.grad = mine = make(torch)
    (x * 3).sum().backward()
    assert x.grad is mine and mine.stride() == strides and mine.tolist() == [[3., 3.]] * 3


@pytest.mark.parametrize("name, strides", [("columns", (1, 3)), ("rows", (2, 1)), ("part of something", (2, 1))])
def test_with_create_graph_a_new_one_is_laid_out_alike(torch, name, strides):
    x = torch.ones(3, 2, requires_grad=True)
    x.grad = mine = PRESET[name][0](torch)
    (x * 3).sum().backward(create_graph=True)
    assert x.grad is not mine and x.grad.stride() == strides and mine.tolist() == [[0., 0.]] * 3


@pytest.mark.parametrize("name", DENSE)
def test_second_gradient_with_create_graph(torch, name):
    x = leaf(torch, name)
    for _ in range(2):
        (x * x).sum().backward(create_graph=True)
        assert x.grad.stride() == STRIDES[name]
    assert torch.equal(x.grad.detach(), 4 * x.detach())


def test_the_double_backward_of_such_a_gradient(torch):
    x = leaf(torch, "columns")
    (x * x * x).sum().backward(create_graph=True)
    (second,) = torch.autograd.grad(x.grad.sum(), x)
    assert torch.equal(second, 6 * x.detach())


def test_cast_gradients_follow_the_rules_too(torch):
    x = leaf(torch, "columns")
    (x.double() * 2).sum().backward()
    assert x.grad.stride() == (1, 6) and x.grad.dtype is torch.float32


def test_broadcast_gradients_follow_the_rules_too(torch):
    x = leaf(torch, "columns")
    (x * torch.ones(5, 1, 1)).sum().backward()
    assert x.grad.stride() == (1, 6) and x.grad.tolist() == [[5.] * 4] * 6


def test_values_are_right_in_every_layout(torch):
    for name in LEAVES:
        x = leaf(torch, name)
        (x.detach() * x).sum().backward()
        assert torch.equal(x.grad, x.detach())


def test_a_base_without_elements_may_lie_in_any_order(torch):
    w = torch.ones((), requires_grad=True)
    base = torch.empty_strided((3, 0), (1, 3))
    base[1:].mul_(w)
    base.sum().backward()
    assert base.shape == (3, 0) and w.grad.tolist() == 0
