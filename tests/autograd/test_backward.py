"""``backward``: its arguments, one by one, with every way to get them wrong; and what it leaves in ``.grad``."""

import warnings

import pytest

import minigrad
from tests.checking import all_apart, refuses


def leaf(torch, *values, **keywords):
    return torch.tensor(list(values), requires_grad=True, **keywords)


# ------------------------------------------------------------------------------ roots

def test_a_scalar_needs_no_gradient(torch):
    x = leaf(torch, 1., 2.)
    assert (x * x).sum().backward() is None
    assert x.grad.tolist() == [2., 4.]


@pytest.mark.parametrize("shape", [(), (1,), (1, 1, 1)])
def test_anything_with_one_element_is_a_scalar(torch, shape):
    x = torch.full(shape, 3., requires_grad=True)
    (x * 2).backward()
    assert x.grad.shape == shape and x.grad.reshape(()).item() == 2


def test_a_leaf_can_be_the_root(torch):
    x = leaf(torch, 1.)
    x.backward()
    x.backward()
    assert x.grad.tolist() == [2.]


def test_several_roots_add_up(torch):
    x, y = leaf(torch, 2., 3.), leaf(torch, 1., 1.)
    torch.autograd.backward([(x * y).sum(), (x * 3).sum()])
    assert x.grad.tolist() == [4., 4.] and y.grad.tolist() == [2., 3.]


def test_the_same_root_twice_counts_twice(torch):
    x = leaf(torch, 2.)
    y = x * x
    torch.autograd.backward((y, y))
    assert x.grad.tolist() == [8.]


def test_one_root_can_be_made_from_another(torch):
    x = leaf(torch, 2.)
    y = x * x
    torch.autograd.backward([y, y * y])
    assert x.grad.tolist() == [4. + 32.]


def test_no_roots_do_nothing(torch):
    assert torch.autograd.backward([]) is None


def test_any_iterable_of_roots(torch):
    x = leaf(torch, 2.)
    torch.autograd.backward((y for y in (x * 2, x * 3)))
    assert x.grad.tolist() == [5.]


@pytest.mark.parametrize("roots", [[1.0], ["a"], [None]])
def test_a_root_is_a_tensor(torch, roots):
    with refuses((AssertionError, TypeError), "ensor", "MG114"):
        torch.autograd.backward(roots)


@pytest.mark.parametrize("shape", [(), (3,)])
def test_a_root_that_was_not_recorded(torch, shape):
    with refuses(RuntimeError, "element 0 of tensors does not require grad and does not have a grad_fn", "MG103"):
        torch.ones(shape).backward()


def test_which_root_was_not_recorded(torch):
    x = leaf(torch, 1.)
    with refuses(RuntimeError, "element 1 of tensors does not require grad", "MG103"):
        torch.autograd.backward([x * 2, torch.ones(1)])
    assert x.grad is None


def test_a_root_cut_off(torch):
    x = leaf(torch, 1.)
    with torch.no_grad():
        y = x * 2
    for cut in (y, (x * 2).detach(), (x * 2).data, (x * 2).long()):
        with refuses(RuntimeError, "does not require grad and does not have a grad_fn", "MG103"):
            cut.sum().backward()


def test_a_vector_has_no_implicit_gradient(torch):
    x = leaf(torch, 1., 2.)
    with refuses(RuntimeError, "grad can be implicitly created only for scalar outputs", "MG104"):
        (x * 2).backward()
    assert x.grad is None


def test_an_empty_tensor_has_no_implicit_gradient(torch):
    x = torch.ones(0, requires_grad=True)
    with refuses(RuntimeError, "grad can be implicitly created only for scalar outputs", "MG104"):
        (x * 2).backward()
    (x * 2).backward(torch.ones(0))
    assert x.grad.shape == (0,)


def test_a_complex_number_has_no_implicit_gradient(torch):
    z = leaf(torch, 1 + 2j)
    with refuses(RuntimeError, "grad can be implicitly created only for real scalar outputs but got torch.complex64",
                 "MG104"):
        (z * 2).backward()


# ------------------------------------------------------------------------------ grad_tensors

def test_the_vector_of_the_product(torch):
    x = leaf(torch, 1., 2.)
    (x * x).backward(torch.tensor([1., 10.]))
    assert x.grad.tolist() == [2., 40.]


def test_one_gradient_for_each_root(torch):
    x = leaf(torch, 1., 2.)
    torch.autograd.backward([x * 2, (x * 3).sum(), x * x], [torch.tensor([1., 0.]), None, torch.ones(2)])
    assert x.grad.tolist() == [2 + 3 + 2, 3 + 4]


def test_a_single_gradient_for_a_single_root(torch):
    x = leaf(torch, 1., 2.)
    torch.autograd.backward(x * 2, torch.tensor([1., 2.]))
    assert x.grad.tolist() == [2., 4.]


@pytest.mark.parametrize("kind", ["float64", "float16", "int64", "bool"])
def test_a_gradient_of_another_dtype_is_converted(torch, kind):
    x = leaf(torch, 1., 2.)
    (x * 2).backward(torch.ones(2, dtype=getattr(torch, kind)))
    assert x.grad.dtype is torch.float32 and x.grad.tolist() == [2., 2.]


def test_a_gradient_of_another_dtype_for_a_leaf(torch):
    x = leaf(torch, 1., 2.)
    x.backward(torch.ones(2, dtype=torch.float64))
    assert x.grad.dtype is torch.float32


@pytest.mark.parametrize("wrong", [(3,), (1, 2), (2, 1), ()])
def test_a_gradient_has_the_shape_of_its_root(torch, wrong):
    x = leaf(torch, 1., 2.)
    with refuses(RuntimeError, f"Mismatch in shape: grad_output[0] has a shape of {torch.ones(wrong).shape} and "
                               "output[0] has a shape of torch.Size([2])",
                 "MG109"):
        (x * 2).backward(torch.ones(wrong))
    assert x.grad is None


def test_which_gradient_has_the_wrong_shape():
    import minigrad as torch                # PyTorch trips over its own message here

    x = leaf(torch, 1., 2.)
    with refuses(RuntimeError, "grad_output[1] has a shape of torch.Size([3])", "MG109"):
        torch.autograd.backward([x * 2, x * 2], [torch.ones(2), torch.ones(3)])


@pytest.mark.parametrize("of_root, of_gradient", [("complex64", "float32"), ("float32", "complex64")])
def test_real_and_complex_do_not_mix(torch, of_root, of_gradient):
    x = torch.ones(2, dtype=getattr(torch, of_root), requires_grad=True)
    with refuses(RuntimeError, "For complex Tensors, both grad_output and output are required to have the same dtype. "
                               f"Mismatch in dtype: grad_output[0] has a dtype of torch.{of_gradient} and output[0] "
                               f"has a dtype of torch.{of_root}.", "MG109"):
        (x * 2).backward(torch.ones(2, dtype=getattr(torch, of_gradient)))


def test_a_gradient_is_a_tensor(torch):
    x = leaf(torch, 1.)
    with refuses(TypeError, "gradients can be either Tensors or None, but got float", "MG114"):
        torch.autograd.backward(x * 2, [1.0])
    with pytest.raises(TypeError):
        torch.autograd.backward(x * 2, 1.0)


def test_fewer_gradients_than_roots(torch):
    x = leaf(torch, 1.)
    with refuses(RuntimeError, "got 2 tensors and 1 gradients", "MG113"):
        torch.autograd.backward([x * 2, x * 3], [None])


def test_more_gradients_than_roots():
    import minigrad as torch                # PyTorch lets the surplus fall under the table

    x = leaf(torch, 1.)
    with refuses(RuntimeError, "got 1 tensors and 2 gradients", "MG113"):
        torch.autograd.backward([x * 2], [None, None])


def test_grad_variables_is_the_old_name(torch):
    x = leaf(torch, 1., 2.)
    with pytest.warns(FutureWarning, match="`grad_variables` is deprecated. Use `grad_tensors` instead."):
        torch.autograd.backward(x * 2, grad_variables=torch.ones(2))
    assert x.grad.tolist() == [2., 2.]
    with warnings.catch_warnings(), refuses(RuntimeError, "arguments both passed to `backward()`", "MG113"):
        warnings.simplefilter("ignore")
        torch.autograd.backward(x * 2, torch.ones(2), grad_variables=torch.ones(2))


def test_the_method_has_the_same_arguments(torch):
    x = leaf(torch, 1., 2.)
    y = x * x
    y.backward(gradient=torch.ones(2), retain_graph=True, create_graph=False, inputs=x)
    y.backward(torch.ones(2), False, False, [x])
    assert x.grad.tolist() == [4., 8.]


# ------------------------------------------------------------------------------ inputs

def test_only_the_inputs_accumulate(torch):
    x, w = leaf(torch, 1.), leaf(torch, 2.)
    (x * w).backward(inputs=[x])
    assert x.grad.tolist() == [2.] and w.grad is None


def test_an_input_need_not_be_in_a_list(torch):
    x, w = leaf(torch, 1.), leaf(torch, 2.)
    (x * w).backward(inputs=x)
    assert x.grad.tolist() == [2.] and w.grad is None


def test_an_intermediate_result_as_input_retains_its_gradient(torch):
    x = leaf(torch, 1., 2.)
    y = x * x
    (y * 3).sum().backward(inputs=[y])
    assert y.grad.tolist() == [3., 3.] and x.grad is None and y.retains_grad


def test_an_intermediate_result_and_its_leaf(torch):
    x = leaf(torch, 1., 2.)
    y = x * x
    (y * 3).sum().backward(inputs=[y, x])
    assert y.grad.tolist() == [3., 3.] and x.grad.tolist() == [6., 12.]


def test_an_unused_input_gets_nothing(torch):
    x, z = leaf(torch, 1.), leaf(torch, 1.)
    (x * 2).backward(inputs=[z])
    assert x.grad is None and z.grad is None


def test_the_same_input_twice_accumulates_once(torch):
    x = leaf(torch, 1.)
    (x * 2).backward(inputs=[x, x])
    assert x.grad.tolist() == [2.]


def test_inputs_must_not_be_empty(torch):
    x = leaf(torch, 1.)
    with refuses(RuntimeError, "`inputs` argument to `backward()` cannot be empty", "MG113"):
        (x * 2).backward(inputs=[])


def test_an_input_is_a_tensor(torch):
    x = leaf(torch, 1.)
    with refuses(RuntimeError, "all inputs have to be Tensors or GradientEdges, but got int", "MG113"):
        (x * 2).backward(inputs=[1])
    with pytest.raises(TypeError):
        (x * 2).backward(inputs=5)


def test_an_input_requires_grad(torch):
    x = leaf(torch, 1.)
    with refuses(RuntimeError, "require", "MG103"):
        (x * 2).backward(inputs=[torch.ones(1)])
    assert x.grad is None


# ------------------------------------------------------------------------------ retain_graph and create_graph

def test_twice_needs_retain_graph(torch):
    x = leaf(torch, 1., 2.)
    y = (x * x).sum()
    y.backward(retain_graph=True)
    y.backward()
    with refuses(RuntimeError, "Trying to backward through the graph a second time", "MG102"):
        y.backward()
    assert x.grad.tolist() == [4., 8.]


def test_create_graph_retains(torch):
    x = leaf(torch, 2.)
    y = x * x
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        y.backward(create_graph=True)
        y.backward(create_graph=True)
    assert x.grad.requires_grad and x.grad.tolist() == [8.]


def test_create_graph_without_retain_graph_frees(torch):
    x = leaf(torch, 2.)
    y = x * x
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        y.backward(create_graph=True, retain_graph=False)
    assert torch.autograd.grad(x.grad, x)[0].tolist() == [2.]
    with refuses(RuntimeError, "a second time", "MG102"):
        y.backward()


def test_create_graph_warns_of_the_cycle():
    import minigrad as torch                # PyTorch does so once in a process

    x = leaf(torch, 2.)
    with pytest.warns(UserWarning, match="Using backward\\(\\) with create_graph=True will create a reference cycle"):
        (x * x).backward(create_graph=True)


def test_the_graph_of_a_gradient(torch):
    x = leaf(torch, 2.)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        (x ** 3).backward(create_graph=True)
    first = x.grad
    x.grad = None
    first.backward()
    assert first.tolist() == [12.] and x.grad.tolist() == [12.]


# ------------------------------------------------------------------------------ what stands in .grad

def test_no_gradient_is_not_zero(torch):
    x, unused, zero = leaf(torch, 1.), leaf(torch, 1.), leaf(torch, 1.)
    (x + unused.detach() + zero * 0).sum().backward()
    assert x.grad.tolist() == [1.] and unused.grad is None and zero.grad.tolist() == [0.]


def test_gradients_accumulate_in_the_same_object(torch):
    x = leaf(torch, 1., 2.)
    (x * 2).sum().backward()
    first, address = x.grad, x.grad.data_ptr()
    (x * 3).sum().backward()
    assert x.grad is first and first.data_ptr() == address and first.tolist() == [5., 5.]
    assert first._version == 1


def test_create_graph_replaces_the_gradient(torch):
    x = leaf(torch, 1., 2.)
    (x * 2).sum().backward()
    first = x.grad
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        (x * x).sum().backward(create_graph=True)
    assert x.grad is not first and first.tolist() == [2., 2.]
    assert x.grad.tolist() == [4., 6.] and x.grad.requires_grad


def test_a_gradient_assigned_by_the_user_is_accumulated_into(torch):
    x = leaf(torch, 1., 2.)
    mine = torch.tensor([10., 20.])
    x.grad = mine
    (x * 2).sum().backward()
    assert x.grad is mine and mine.tolist() == [12., 22.]


def test_gradients_carry_no_graph(torch):
    x = leaf(torch, 1., 2.)
    (x * x).sum().backward()
    assert not x.grad.requires_grad and x.grad.grad_fn is None and x.grad.is_leaf


def test_a_leaf_that_was_switched_off_gets_nothing(torch):
    x, w = leaf(torch, 1., 2.), leaf(torch, 1., 2.)
    y = (x * 3 + w).sum()
    x.requires_grad_(False)
    y.backward()
    assert x.grad is None and w.grad.tolist() == [1., 1.]


# ------------------------------------------------------------------------------ .grad is nobody else's memory

def test_the_gradient_that_the_user_gave(torch):
    a, b, g = leaf(torch, 1., 2.), leaf(torch, 3., 4.), torch.ones(2)
    (a + b).backward(g)
    assert all_apart(a.grad, b.grad, g)


def test_many_leaves_through_additions(torch):
    a, b, c, g = leaf(torch, 1.), leaf(torch, 2.), leaf(torch, 3.), torch.ones(1)
    ((a + b) + c).backward(g)
    assert all_apart(a.grad, b.grad, c.grad, g)


def test_one_leaf_used_twice(torch):
    x, g = leaf(torch, 1., 2.), torch.ones(2)
    (x + x).backward(g)
    assert x.grad.tolist() == [2., 2.] and g.tolist() == [1., 1.] and all_apart(x.grad, g)


@pytest.mark.parametrize("gradient_of", ["mul", "dot", "mm", "div"])
def test_saved_tensors(torch, gradient_of):
    if gradient_of == "mm":
        x, w = torch.eye(2, requires_grad=True), torch.full((2, 2), 3., requires_grad=True)
        (x @ w).sum().backward()
    else:
        x, w = leaf(torch, 1., 2.), leaf(torch, 3., 4.)
        {"mul": lambda: x * w, "dot": lambda: x.dot(w), "div": lambda: x / w}[gradient_of]().sum().backward()
    assert all_apart(x.grad, w.grad, x, w)


def test_a_product_with_gradient_one(torch):
    x, w = torch.tensor(2., requires_grad=True), torch.tensor(3., requires_grad=True)
    (x * w).backward()
    x.grad.add_(1)
    w.grad.add_(1)
    assert (x.item(), w.item(), x.grad.item(), w.grad.item()) == (2., 3., 4., 3.)


def test_a_sum_has_a_gradient_that_can_be_written_to(torch):
    x = torch.ones(2, 3, requires_grad=True)
    x.sum().backward()
    x.grad[0, 0] = 5
    assert x.grad.tolist() == [[5., 1., 1.], [1., 1., 1.]]


def test_expanded(torch):
    x, g = torch.ones(1, 3, requires_grad=True), torch.ones(1, 3)
    x.expand(1, 3).backward(g)
    assert all_apart(x.grad, g)
    y, g = torch.ones(1, 3, requires_grad=True), torch.ones(2, 3)
    y.expand(2, 3).backward(g)
    assert y.grad.tolist() == [[2., 2., 2.]] and all_apart(y.grad, g)


def test_transposed(torch):
    x, g = torch.ones(2, 3, requires_grad=True), torch.ones(3, 2)
    x.t().backward(g)
    assert all_apart(x.grad, g)


@pytest.mark.parametrize("way", ["view", "reshape", "unsqueeze", "narrow", "detour"])
def test_views(way):
    import minigrad as torch                # PyTorch lets .grad share memory with the user's gradient through view()

    x = torch.ones(2, 3, requires_grad=True)
    y = {"view": lambda: x.view(6), "reshape": lambda: x.reshape(3, 2), "unsqueeze": lambda: x.unsqueeze(1),
         "narrow": lambda: x.narrow(0, 0, 2), "detour": lambda: x.t().t().view(6).view(2, 3)}[way]()
    g = torch.ones(tuple(y.shape))
    y.backward(g)
    assert all_apart(x.grad, g)


def test_retained_gradients(torch):
    x, g = leaf(torch, 1., 2.), torch.ones(2)
    y = x + 0
    y.retain_grad()
    z = y + 0
    z.retain_grad()
    z.backward(g)
    assert all_apart(x.grad, y.grad, z.grad, g)


def test_what_a_function_returned(torch):
    class Constant(torch.autograd.Function):
        kept = torch.full((2,), 7.)

        @staticmethod
        def forward(ctx, x):
            return x * 1

        @staticmethod
        def backward(ctx, g):
            return Constant.kept

    x = leaf(torch, 1., 2.)
    y = x * 1
    (Constant.apply(y) + Constant.apply(y) + Constant.apply(y)).sum().backward()
    assert Constant.kept.tolist() == [7., 7.] and x.grad.tolist() == [21., 21.]
    x.grad = None
    Constant.apply(x).sum().backward()
    assert all_apart(x.grad, Constant.kept)


def test_a_sum_of_gradients_is_not_written_into_one_of_them(torch):
    """Two gradients for one output of an op with several: the first to arrive is the user's own tensor."""
    x = torch.ones(2, 3, requires_grad=True)
    y, _ = x.unbind(0)
    g, h = torch.ones(3), torch.full((3,), 5.)
    for gradients in ([g, h], [h, g]):
        torch.autograd.backward([y + 0, y + 0], gradients)
        assert g.tolist() == [1., 1., 1.] and h.tolist() == [5., 5., 5.]
    assert x.grad.tolist() == [[12., 12., 12.], [0., 0., 0.]]


# ------------------------------------------------------------------------------ shapes and dtypes

SHAPES = [(), (1,), (3,), (1, 3), (2, 1), (2, 3), (4, 1, 1)]


@pytest.mark.parametrize("b_shape", SHAPES, ids=str)
@pytest.mark.parametrize("a_shape", [*SHAPES, (0,), (2, 0)], ids=str)
def test_a_gradient_is_summed_to_the_shape_of_its_input(a_shape, b_shape):
    import numpy as np

    import minigrad as torch

    try:
        shape = np.broadcast_shapes(a_shape, b_shape)
    except ValueError:
        pytest.skip("the shapes do not broadcast")
    a = torch.full(a_shape, 2., dtype=torch.float64, requires_grad=True)
    b = torch.full(b_shape, 4., dtype=torch.float64, requires_grad=True)
    (a * b + a / b - b).sum().backward()
    assert a.grad.shape == a_shape and b.grad.shape == b_shape
    copies = lambda t: int(np.prod(shape)) // max(int(np.prod(t)), 1)
    np.testing.assert_array_equal(a.grad.numpy(), np.full(a_shape, copies(a_shape) * 4.25))
    np.testing.assert_array_equal(b.grad.numpy(), np.full(b_shape, copies(b_shape) * 0.875))


@pytest.mark.parametrize("b_shape", SHAPES, ids=str)
@pytest.mark.parametrize("a_shape", SHAPES, ids=str)
def test_the_same_in_the_graph_of_gradients(a_shape, b_shape):
    import minigrad as torch

    try:
        a, b = torch.full(a_shape, 2., requires_grad=True), torch.full(b_shape, 3., requires_grad=True)
        y = (a * b * b).sum()
    except RuntimeError:
        pytest.skip("the shapes do not broadcast")
    ga, gb = torch.autograd.grad(y, [a, b], create_graph=True)
    assert ga.shape == a_shape and gb.shape == b_shape
    n = y.item() / 18                       # how many products were summed
    (haa, hab) = torch.autograd.grad((ga * 1).sum(), [a, b], allow_unused=True)
    assert haa is None and hab.shape == b_shape and hab.sum().item() == 6 * n


def test_a_gradient_has_the_dtype_of_its_input(torch):
    x, w, h = [torch.ones(2, dtype=d, requires_grad=True) for d in (torch.float32, torch.float64, torch.float16)]
    y = x * w * h
    assert y.dtype is torch.float64
    y.sum().backward()
    assert [t.grad.dtype for t in (x, w, h)] == [torch.float32, torch.float64, torch.float16]


def test_a_scalar_tensor_of_a_wider_dtype(torch):
    x, s = torch.ones(2, 3, requires_grad=True), torch.tensor(2., dtype=torch.float64, requires_grad=True)
    y = x * s
    y.sum().backward()
    assert y.dtype is torch.float32 and s.grad.dtype is torch.float64 and s.grad.item() == 6 and s.grad.shape == ()


def test_a_cast_and_back(torch):
    x = torch.ones(2, requires_grad=True)
    (x.double() * 3).to(torch.float16).float().sum().backward()
    assert x.grad.dtype is torch.float32 and x.grad.tolist() == [3., 3.]


def test_integers_stop_gradients(torch):
    x = torch.ones(2, requires_grad=True)
    assert not x.long().requires_grad and not (x > 0).requires_grad and not x.argmax().requires_grad
    (x * torch.tensor([1, 2])).sum().backward()
    assert x.grad.tolist() == [1., 2.]


@pytest.mark.parametrize("given", [1.0, 2, True])
def test_a_gradient_that_is_a_number(given):
    y = minigrad.ones(3, requires_grad=True) * 2
    with refuses(TypeError, "must be a Tensor, None, or a sequence of them, not", "MG114"):
        y.backward(given)
    with refuses(TypeError, "grad_outputs must be", "MG114"):
        minigrad.autograd.grad(y, y, given)


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (lambda: (minigrad.ones(3, requires_grad=True) > 0).sum(),
         "Its dtype is torch.int64: integers and booleans"),
        (lambda: minigrad.ones(()), "Either no input had requires_grad=True, or the way was cut by detach()"),
    ],
)
def test_what_cut_the_way_is_told_where_it_can_be_seen(made, said):
    with refuses(RuntimeError, said, "MG103"):
        made().backward()


def test_the_mode_that_cut_the_way():
    x = minigrad.ones((), requires_grad=True)
    with minigrad.no_grad(), refuses(RuntimeError, "Recording is off at this place, by torch.no_grad()", "MG103"):
        (x * 2).backward()
    with minigrad.inference_mode():
        y = x * 2
    with refuses(RuntimeError, "made under torch.inference_mode()", "MG103"):
        y.backward()
