"""What docs/notes/deviations.rst says of autograd, shown: here as it says, and PyTorch otherwise."""

import weakref

import pytest

from tests.checking import is_minigrad


def test_a_saved_tensor_may_be_detached(torch):
    x = torch.ones(2, requires_grad=True)
    y = x * 3
    z = (y * y).sum()
    y.detach_()
    if is_minigrad(torch):
        g, = torch.autograd.grad(z, x, create_graph=True)
        assert g.tolist() == [18., 18.] and torch.autograd.grad(g.sum(), x)[0].tolist() == [18., 18.]
    else:
        with pytest.raises(RuntimeError, match="a saved tensor that has been detached in-place"):
            z.backward()


def test_forward_jacobians_of_a_function_need_no_vmap_rule(torch):
    class Square(torch.autograd.Function):
        @staticmethod
        def forward(x):
            return x * x

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(*inputs)
            ctx.save_for_forward(*inputs)

        @staticmethod
        def backward(ctx, d):
            x, = ctx.saved_tensors
            return 2 * x * d

        @staticmethod
        def jvp(ctx, t):
            x, = ctx.saved_tensors
            return 2 * x * t

    x = torch.tensor([1., 2.])
    assert torch.func.jacrev(Square.apply)(x).tolist() == [[2., 0.], [0., 4.]]
    if is_minigrad(torch):
        assert torch.func.jacfwd(Square.apply)(x).tolist() == [[2., 0.], [0., 4.]]
        assert torch.func.hessian(lambda x: Square.apply(x).sum())(x).tolist() == [[2., 0.], [0., 2.]]
    else:
        with pytest.raises(RuntimeError, match="does not have vmap support"):
            torch.func.jacfwd(Square.apply)(x)


def test_a_saved_intermediate_is_another_object_each_time(torch):
    x = torch.ones(2, requires_grad=True)
    y = x * 3
    z = y * y
    same = not is_minigrad(torch)
    shown, alive = z.grad_fn._saved_self is y, weakref.ref(z.grad_fn._saved_self)() is not None
    assert shown is same and alive is same
    assert z.grad_fn._saved_self.data_ptr() == y.data_ptr() and (x * x).grad_fn._saved_self is x


def test_one_no_grad_object_may_be_entered_twice(torch):
    mode = torch.no_grad()
    try:
        with mode:
            with mode:
                pass
            assert not torch.is_grad_enabled()
        assert torch.is_grad_enabled() is is_minigrad(torch)
    finally:
        torch.set_grad_enabled(True)


def test_names_of_second_order(torch):
    x = torch.ones(2, requires_grad=True)

    def name(y):
        return torch.autograd.grad(y.sum(), x, create_graph=True)[0].grad_fn.name()

    assert name(x.exp()) == "MulBackward0" and name(x.tanh()) == "TanhBackwardBackward0"
    assert name(x.softmax(0)) == ("SoftmaxBackwardBackward0" if is_minigrad(torch) else "SoftmaxBackwardDataBackward0")


def test_profilers_do_not_nest():
    import minigrad as torch
    with torch.autograd.profiler.profile() as outer:
        with pytest.raises(RuntimeError, match="MG505"):
            with torch.autograd.profiler.profile():
                pass
        torch.ones(2).exp()
    assert len(outer.function_events)


def test_a_write_to_a_dual_gives_it_another_tangent(torch):
    v = torch.ones(2)
    with torch.autograd.forward_ad.dual_level():
        dual = torch.autograd.forward_ad.make_dual(torch.ones(2), v)
        dual.mul_(3)
        assert torch.autograd.forward_ad.unpack_dual(dual).tangent.tolist() == [3., 3.]
    assert v.tolist() == ([1., 1.] if is_minigrad(torch) else [3., 3.])


def test_negative_parameters_are_shown_as_given():
    import minigrad as torch
    assert torch.ones(2, 3, requires_grad=True).softmax(-1).grad_fn._saved_dim == -1
