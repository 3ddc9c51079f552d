"""``backward``: its arguments, one by one, with every way to get them wrong.  What it
leaves in ``.grad`` is in test_accumulated_gradients.py."""

import warnings

import pytest

from tests.autograd.programs import leaf
from tests.checking import refuses


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
