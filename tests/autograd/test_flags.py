"""What a tensor says about itself: requires_grad, is_leaf, grad, grad_fn, output_nr; and detach, data, retain_grad."""

import warnings

import pytest

from tests.checking import refuses, share_memory


@pytest.fixture
def x(torch):
    return torch.tensor([1., 2.], requires_grad=True)


# ------------------------------------------------------------------------------ leaves and results

def test_a_leaf(torch, x):
    assert x.is_leaf and x.requires_grad and x.grad_fn is None and x.output_nr == 0 and x.grad is None


def test_a_result(torch, x):
    y = x * 2
    assert not y.is_leaf and y.requires_grad and y.grad_fn is not None and y.output_nr == 0


def test_what_does_not_require_grad_is_a_leaf(torch):
    y = torch.ones(2) * 2
    assert y.is_leaf and not y.requires_grad and y.grad_fn is None


def test_the_number_of_an_output(torch):
    a, b, c = torch.ones(3, 2, requires_grad=True).unbind(0)
    assert (a.output_nr, b.output_nr, c.output_nr) == (0, 1, 2) and a.grad_fn is c.grad_fn


def test_only_the_differentiable_outputs_require_grad(torch):
    values, indices = torch.ones(2, 3, requires_grad=True).max(1)
    assert values.requires_grad and not indices.requires_grad and indices.grad_fn is None


def test_nodes_are_objects_with_an_identity(torch, x):
    y = x * 2
    assert y.grad_fn is y.grad_fn
    (node, number), (constant, _) = y.grad_fn.next_functions
    assert node.variable is x and number == 0 and constant is None
    assert (x * 3).grad_fn.next_functions[0][0] is node


def test_the_flags_cannot_be_written(torch, x):
    for name, value in (("is_leaf", False), ("grad_fn", None), ("output_nr", 1), ("retains_grad", True)):
        with pytest.raises((AttributeError, RuntimeError)):
            setattr(x, name, value)


# ------------------------------------------------------------------------------ requires_grad

def test_it_can_be_switched_on_and_off(torch):
    x = torch.ones(2)
    x.requires_grad = True
    assert (x * 2).requires_grad
    x.requires_grad = False
    assert not (x * 2).requires_grad


def test_the_method_returns_the_tensor(torch):
    x = torch.ones(2)
    assert x.requires_grad_() is x and x.requires_grad
    assert x.requires_grad_(False) is x and not x.requires_grad
    assert x.requires_grad_(requires_grad=True).requires_grad


@pytest.mark.parametrize("kind", ["int64", "int32", "uint8", "bool"])
def test_integers_have_no_gradient(torch, kind):
    x = torch.ones(2, dtype=getattr(torch, kind))
    for switch in (x.requires_grad_, lambda: setattr(x, "requires_grad", True),
                   lambda: torch.zeros(2, dtype=x.dtype, requires_grad=True)):
        with pytest.raises(RuntimeError, match="(?i)only Tensors of floating point (and complex )?dtype can require "
                                               "gradients"):
            switch()
    assert not x.requires_grad
    x.requires_grad = False


@pytest.mark.parametrize("kind", ["float16", "float32", "float64", "complex64", "complex128", "bfloat16"])
def test_floating_and_complex_ones_have(torch, kind):
    if kind == "bfloat16":
        pytest.importorskip("ml_dtypes")
    x = torch.ones(2, dtype=getattr(torch, kind)).requires_grad_()
    assert (x * 2).requires_grad


def test_a_result_cannot_be_switched_off(torch, x):
    y = x * 2
    for switch in (lambda: y.requires_grad_(False), lambda: setattr(y, "requires_grad", False)):
        with refuses(RuntimeError, "you can only change requires_grad flags of leaf variables.", "MG120"):
            switch()
    assert y.requires_grad_() is y and y.requires_grad


def test_a_result_cannot_be_set_at_all(torch, x):
    y = x * 2
    with refuses(RuntimeError, "you can only change requires_grad flags of leaf variables.", "MG120"):
        y.requires_grad = True


@pytest.mark.parametrize("wrong", [1, "a", None])
def test_it_is_a_bool(torch, wrong):
    x = torch.ones(2)
    with refuses(RuntimeError, "requires_grad must be a bool", "MG120"):
        x.requires_grad = wrong
    assert not x.requires_grad


# ------------------------------------------------------------------------------ .grad

def test_reading_grad_of_a_result_warns(torch, x):
    y = x * 2
    with pytest.warns(UserWarning, match="The .grad attribute of a Tensor that is not a leaf Tensor is being accessed"):
        assert y.grad is None


def test_where_it_does_not_warn(torch, x):
    y = x * 2
    y.retain_grad()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert y.grad is None and x.grad is None and y.detach().grad is None and torch.ones(1).grad is None
        y.sum().backward()
        assert y.grad.tolist() == [1., 1.]


def test_a_gradient_can_be_assigned_and_taken_away(torch, x):
    g = torch.ones(2)
    x.grad = g
    assert x.grad is g
    x.grad = None
    assert x.grad is None
    x.grad = g
    del x.grad
    assert x.grad is None


def test_any_tensor_may_have_a_gradient(torch):
    x = torch.ones(2)
    x.grad = torch.zeros(2)
    assert x.grad.tolist() == [0., 0.] and not x.requires_grad


@pytest.mark.parametrize("wrong", [1.0, "a", [1., 2.]])
def test_a_gradient_is_a_tensor(torch, x, wrong):
    with refuses(TypeError, f"assigned grad expected to be a Tensor or None but got grad of type "
                 f"{type(wrong).__name__}", "MG114"):
        x.grad = wrong


@pytest.mark.parametrize("shape", [(3,), (2, 1), (1,), ()])
def test_a_gradient_has_the_shape_of_its_tensor(torch, x, shape):
    x.grad = g = torch.zeros(2)
    with refuses(RuntimeError, f"attempting to assign a gradient of size '{list(shape)}' to a tensor of size '[2]'",
                 "MG118"):
        x.grad = torch.ones(shape)
    assert x.grad is g


def test_a_gradient_has_the_dtype_of_its_tensor(torch, x):
    with refuses(RuntimeError, "attempting to assign a gradient with dtype", "MG118"):
        x.grad = torch.ones(2, dtype=torch.float64)
    assert x.grad is None


def test_a_tensor_is_not_its_own_gradient(torch, x):
    with refuses(RuntimeError, "can't assign Variable as its own grad", "MG118"):
        x.grad = x


# ------------------------------------------------------------------------------ retain_grad

def test_retain_grad(torch, x):
    y = x * 2
    y.retain_grad()
    assert y.retains_grad
    (y * 3).sum().backward()
    assert y.grad.tolist() == [3., 3.] and x.grad.tolist() == [6., 6.]


def test_retained_gradients_accumulate(torch, x):
    y = x * 2
    y.retain_grad()
    y.retain_grad()
    (y * 3).sum().backward(retain_graph=True)
    first = y.grad
    y.sum().backward()
    assert y.grad.tolist() == [4., 4.] and first.tolist() == [3., 3.]


def test_retain_grad_of_a_leaf_does_nothing(torch, x):
    x.retain_grad()
    assert not x.retains_grad


def test_retain_grad_needs_a_gradient(torch):
    with refuses(RuntimeError, "can't retain_grad on Tensor that has requires_grad=False", "MG103"):
        torch.ones(1).retain_grad()


def test_retain_grad_with_create_graph(torch, x):
    y = x * x
    y.retain_grad()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        (y * y).sum().backward(create_graph=True)
    assert y.grad.requires_grad
    assert torch.autograd.grad(y.grad.sum(), x)[0].tolist() == [4., 8.]


def test_retain_grad_of_one_output(torch):
    x = torch.ones(2, 2, requires_grad=True)
    a, b = x.unbind(0)
    b.retain_grad()
    (a + b * 3).sum().backward()
    assert b.grad.tolist() == [3., 3.]


def test_grad_fills_retained_gradients_too(torch, x):
    for inputs in (lambda y: [x], lambda y: [y], lambda y: [x, y]):
        y = x * 2
        y.retain_grad()
        torch.autograd.grad((y * 3).sum(), inputs(y))
        assert y.grad.tolist() == [3., 3.]


def test_a_tensor_that_retains_may_die_before_its_gradient_comes(torch, x):
    y = x * 2
    y.retain_grad()
    z = (y * 3).sum()
    del y
    other = [torch.zeros(2) for _ in range(20)]
    z.backward()
    assert x.grad.tolist() == [6., 6.] and all([t.grad is None for t in other])


# ------------------------------------------------------------------------------ detach and data

def test_detach_shares_memory_and_version(torch, x):
    y = x * 2
    d = y.detach()
    assert share_memory(d, y) and d.is_leaf and not d.requires_grad and d.grad_fn is None
    d.add_(1)
    assert y.tolist() == [3., 5.] and y._version == d._version == 1


def test_data_shares_memory_but_no_version(torch, x):
    y = x * 2
    d = y.data
    d.add_(1)
    assert y.tolist() == [3., 5.] and not d.requires_grad and (y._version, d._version) == (0, 1)


def test_detach_in_place(torch, x):
    y = x * 2
    assert y.detach_() is y and y.is_leaf and not y.requires_grad and y.grad_fn is None and y.output_nr == 0
    assert x.detach_() is x and not x.requires_grad


def test_detach_in_place_leaves_what_was_built_before(torch, x):
    y = x * 2
    z = y.sum()
    y.detach_()
    z.backward()
    assert x.grad.tolist() == [2., 2.]


def test_a_view_cannot_be_detached_in_place(torch, x):
    v = (x * 2)[0]
    with refuses(RuntimeError, "Can't detach views in-place. Use detach() instead", "MG116"):
        v.detach_()
    assert v.requires_grad


def test_data_can_be_exchanged(torch, x):
    x.data = torch.zeros(3)
    assert x.tolist() == [0., 0., 0.] and x.requires_grad and x.is_leaf
    (x * 2).sum().backward()
    assert x.grad.tolist() == [2., 2., 2.]


def test_data_of_a_tensor_that_requires_grad_is_floating(torch, x):
    with refuses(RuntimeError, "data set to a tensor that requires gradients must be floating point or complex dtype",
                 "MG111"):
        x.data = torch.zeros(2, dtype=torch.int64)
    with refuses(TypeError, "Variable data has to be a tensor, but got NoneType", "MG205"):
        x.data = None
    assert x.tolist() == [1., 2.]


def test_data_of_another_shape_and_the_old_gradient(torch, x):
    (x * 2).sum().backward()
    x.data = torch.zeros(3)
    with refuses(RuntimeError, "The size of tensor a (2) must match the size of tensor b (3)", "MG201"):
        (x * 2).sum().backward()


def test_a_tensor_without_init():
    """``Tensor.__new__`` alone: what is asked of it is answered or refused, and nothing crashes."""
    import minigrad as torch

    t = torch.Tensor.__new__(torch.Tensor)
    for use in (lambda: t + 1, lambda: t.shape, lambda: repr(t), lambda: t.backward(), lambda: t.detach(),
                lambda: t.dtype, lambda: t.exp(),
                lambda: torch.stack([t]), lambda: t.add_(1), lambda: t.numpy(), lambda: t.data,
                lambda: t.requires_grad_(), lambda: len(t),
                lambda: torch.ones(2) + t, lambda: setattr(torch.ones(1), "grad", t),
                lambda: setattr(torch.ones(1), "data", t), lambda: t.ndim):
        try:
            use()
        except (RuntimeError, TypeError, AttributeError):
            pass


def test_versions_of_views_and_aliases(torch):
    x = torch.ones(4)
    v, d, e = x[:2], x.detach(), x.data
    v.add_(1)
    assert [t._version for t in (x, v, d, e)] == [1, 1, 1, 0]
    e.add_(1)
    d.add_(1)
    x.add_(1)
    assert [t._version for t in (x, v, d, e)] == [3, 3, 3, 1]
