"""Names that PyTorch has for what is done otherwise, not at all, or by itself here."""

import warnings

import pytest

from tests.checking import is_minigrad, refuses


def saving(torch, once=False):
    class Square(torch.autograd.Function):
        clear_saved_tensors_on_access = once

        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, d):
            x, = ctx.saved_tensors
            if looks_twice:
                ctx.saved_tensors
            return 2 * x * d

    looks_twice = []
    Square.looks_twice = looks_twice
    return Square


# ------------------------------------------------------------------------------ switches

@pytest.mark.parametrize("name", ["set_multithreading_enabled", "enforce_grad_layout_policy"])
def test_a_switch_is_a_function_a_block_and_a_decorator(torch, name):
    switch = getattr(torch.autograd.grad_mode, name)
    assert getattr(torch.autograd, name) is switch
    x = torch.ones(2, requires_grad=True)
    with switch(False):
        (x * x).sum().backward()
    switch(True)

    @switch(True)
    def double(y):
        return y * 2

    assert double(x).tolist() == [2., 2.] and x.grad.tolist() == [2., 2.]


@pytest.mark.parametrize("wrong", ["yes", 1, None])
def test_a_switch_takes_a_bool(torch, wrong):
    for switch in (torch.autograd.set_multithreading_enabled, torch.autograd.enforce_grad_layout_policy):
        with refuses(TypeError, "must be bool, not", "MG205"):
            switch(wrong)
    assert torch.autograd.is_multithreading_enabled()


def test_multithreading_is_remembered(torch):
    assert torch.autograd.is_multithreading_enabled()
    with torch.autograd.set_multithreading_enabled(mode=False):
        assert not torch.autograd.is_multithreading_enabled()
    assert torch.autograd.is_multithreading_enabled()


# ------------------------------------------------------------------------------ ctx

def test_saved_tensors_may_be_let_go_at_the_first_look(torch):
    Square = saving(torch, once=True)
    x = torch.tensor([3.], requires_grad=True)
    y = Square.apply(x)
    y.backward(retain_graph=True)
    assert x.grad.tolist() == [6.]
    with refuses(RuntimeError, "saved_tensors can only be accessed once when clear_saved_tensors_on_access=True",
                 "MG301"):
        y.backward()
    Square.looks_twice.append(True)
    with refuses(RuntimeError, "saved_tensors can only be accessed once when clear_saved_tensors_on_access=True",
                 "MG301"):
        Square.apply(x).backward()


def test_old_names_of_ctx(torch):
    class Old(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            ctx.mark_shared_storage((x, x))
            return x * x

        @staticmethod
        def backward(ctx, d):
            x, = ctx.saved_variables
            g = 2 * x * d
            ctx.maybe_clear_saved_tensors()
            return g

    x = torch.tensor([3.], requires_grad=True)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        Old.apply(x).backward()
    assert [(each.category, str(each.message)) for each in caught] == [
        (FutureWarning, "`mark_shared_storage` is deprecated. Tensors with shared storages are automatically tracked. "
                        "Note that calls to `set_()` are not tracked"),
        (DeprecationWarning, "'saved_variables' is deprecated; use 'saved_tensors'")]
    assert x.grad.tolist() == [6.]


# ------------------------------------------------------------------------------ keywords and places

def test_keywords_are_pytorchs(torch):
    def backward(ctx, d):
        return d

    def double(x):
        return x * 2

    assert callable(torch.autograd.function.once_differentiable(fn=backward))
    assert torch.enable_grad(orig_func=double)(torch.ones(1)) == torch.no_grad(orig_func=double)(torch.ones(1)) == 2


def test_where_public_names_are(torch):
    import importlib
    hooks = importlib.import_module(f"{torch.__name__}.utils.hooks")
    x = torch.ones(2, requires_grad=True)
    assert isinstance(x.register_hook(lambda g: None), hooks.RemovableHandle) and torch.utils.hooks is hooks
    with torch.autograd.graph.allow_mutation_on_saved_tensors() as context:
        assert isinstance(context, torch.autograd.graph._AllowMutationOnSavedContext)
    assert torch.autograd.NestedIOFunction is torch.autograd.function.NestedIOFunction
    for name in torch.autograd.__all__:
        assert hasattr(torch.autograd, name)


def test_numbers_with_names(torch):
    import math
    assert (torch.pi, torch.e, torch.inf, torch.newaxis) == (math.pi, math.e, math.inf, None) and math.isnan(torch.nan)
    assert torch.ones(3)[:, torch.newaxis].shape == (3, 1)


def test_result_type(torch):
    f32, i64, u8, f64 = torch.ones(2), torch.ones(2, dtype=torch.int64), torch.ones(2, dtype=torch.uint8), torch.tensor(
        1., dtype=torch.float64)
    assert (torch.result_type(f32, 1.5) is torch.result_type(i64, 1.5) is torch.result_type(f32, f64)
            is torch.result_type(1, 2.) is torch.float32)
    assert torch.result_type(u8, torch.tensor(1)) is torch.result_type(u8, 300) is torch.uint8
    assert torch.result_type(1, True) is torch.int64
    assert torch.result_type(f32, 1j) is torch.complex64 and torch.result_type(f32[:1], f64[None]) is torch.float64
    with refuses(TypeError, "result_type() received an invalid combination of arguments - got (int, str)", "MG205"):
        torch.result_type(1, "a")


# ------------------------------------------------------------------------------ torch.func

def test_functionalize_gives_the_same(torch):
    def f(x):
        y = x.clone()
        y[0] = 7
        return y.mul_(2)

    assert torch.func.functionalize(f)(torch.ones(2)).tolist() == f(torch.ones(2)).tolist() == [14., 2.]
    with refuses(RuntimeError, "functionalize(f, remove='mutations'): received invalid argument for remove=", "MG204"):
        torch.func.functionalize(f, remove="views")(torch.ones(2))


def test_debug_unwrap(torch):
    seen = []

    def inner(x):
        seen.append((torch.func.debug_unwrap(x).shape, torch.func.debug_unwrap(x, recurse=False).shape))
        return x.sum()

    torch.vmap(torch.func.grad(inner))(torch.ones(3, 2))
    assert seen == [((3, 2), (2,))]
    x = torch.ones(2)
    assert torch.func.debug_unwrap(x) is x


# ------------------------------------------------------------------------------ matrices of gradcheck

@pytest.mark.filterwarnings("ignore")
def test_numerical_and_analytical_jacobians(torch):
    import importlib
    gradcheck = importlib.import_module(f"{torch.__name__}.autograd.gradcheck")
    x = torch.tensor([1., 2.], dtype=torch.float64, requires_grad=True)
    w = torch.tensor([[1., 2.], [3., 4.], [5., 6.]], dtype=torch.float64)

    def f(a):
        return w @ (a * a)

    expected = torch.tensor([[2., 6., 10.], [8., 16., 24.]], dtype=torch.float64)
    measured, = gradcheck.get_numerical_jacobian(lambda inputs: f(*inputs), (x,))
    assert torch.allclose(measured, expected) and measured.dtype is torch.float64
    (found,), same, sizes, types = gradcheck.get_analytical_jacobian((x,), f(x))
    assert torch.allclose(found, expected) and same and sizes and types
    one, other = gradcheck.get_numerical_jacobian_wrt_specific_input(lambda a: (f(a), a * 3), 0, (x,),
                                                                     (f(x), x * 3), 1e-6)
    assert torch.allclose(one, expected) and torch.allclose(other, 3 * torch.eye(2, dtype=torch.float64))
    z = torch.ones(1, dtype=torch.float64, requires_grad=True)
    measured = gradcheck.get_numerical_jacobian(lambda inputs: f(inputs[0]) * inputs[1], (x, z), target=(z, x))
    assert torch.allclose(measured[0], f(x)) and torch.allclose(measured[1], expected)
    (found, none), *_ = gradcheck.get_analytical_jacobian((x, z), f(x))
    assert torch.allclose(found, expected) and none.tolist() == [[0., 0., 0.]]
    with refuses((ValueError, AssertionError), "Expected input to have requires_grad=True", "MG502"):
        gradcheck.get_numerical_jacobian_wrt_specific_input(f, 0, (x.detach(),), (f(x),), 1e-6)
    with refuses(ValueError, "Expected grad_out to be 1.0. get_analytical_jacobian no longer supports values of "
                             "grad_out != 1.0", "MG502"):
        gradcheck.get_analytical_jacobian((x,), f(x), grad_out=2.)
    with refuses(ValueError, "Expected output to be non-complex", "MG502"):
        gradcheck.get_analytical_jacobian((x,), f(x) * 1j)
    assert is_minigrad(torch) or x.grad is None
