"""Statements 159 to 202: what ``ctx`` does for a Function of one's own."""

import gc
import warnings
import weakref

import numpy as np
import pytest


def leaf(torch, *values):
    return torch.tensor(values, dtype=torch.float64, requires_grad=True)


def function(torch, forward, backward=lambda ctx, *gradients: gradients[0], **methods):
    body = {"forward": forward, "backward": backward, **methods}
    return type("Func", (torch.autograd.Function,), {name: staticmethod(method) for name, method in body.items()})


# ------------------------------------------------------------------------------ save_for_backward


def test_s159_save_for_backward_is_called_at_most_once(minigrad):
    """PyTorch silently keeps the second call only."""
    def forward(ctx, x):
        ctx.save_for_backward(x)
        ctx.save_for_backward(x)
        return x * 1

    with pytest.raises(RuntimeError, match="save_for_backward"):
        function(minigrad, forward).apply(leaf(minigrad, 1.0))


def test_s160_ctx_methods_belong_in_forward(minigrad):
    """PyTorch lets such a call pass, and ignores it."""
    def backward(ctx, d):
        ctx.save_for_backward(d)
        return d

    y = function(minigrad, lambda ctx, x: x * 1, backward).apply(leaf(minigrad, 1.0))
    with pytest.raises(RuntimeError, match="forward"):
        y.backward()


def test_s161_or_in_setup_context(torch):
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    x = leaf(torch, 3.0)
    function(torch, lambda x: x * x, lambda ctx, d: 2 * ctx.saved_tensors[0] * d,
             setup_context=setup_context).apply(x).backward()
    assert x.grad.tolist() == [6]


def test_s162_only_tensors_are_saved(torch):
    def forward(ctx, x):
        ctx.save_for_backward(x, 3)
        return x * 1

    with pytest.raises(TypeError):
        function(torch, forward).apply(leaf(torch, 1.0))


def test_s163_intermediates_may_be_saved(torch):
    def forward(ctx, x):
        w = x * x
        ctx.save_for_backward(x, w)
        return w * x

    def backward(ctx, d):
        x, w = ctx.saved_tensors
        return 3 * w * d

    x = leaf(torch, 2.0)
    function(torch, forward, backward).apply(x).backward()
    assert x.grad.tolist() == [12]


def test_s164_a_tensor_kept_on_ctx_is_not_checked_and_warns(minigrad):
    def forward(ctx, x):
        ctx.x = x
        return x * x

    with pytest.warns(UserWarning, match="save_for_backward"):
        function(minigrad, forward).apply(leaf(minigrad, 1.0))


def test_s165_what_was_saved_leaks_nothing(torch):
    """An output that is saved makes no reference cycle: it dies without the collector."""
    def forward(ctx, x):
        y = x.exp()
        ctx.save_for_backward(y)
        return y

    gc.disable()
    try:
        y = function(torch, forward).apply(leaf(torch, 1.0))
        dead = weakref.ref(y.grad_fn if torch.__name__ == "torch" else y)
        del y
        assert dead() is None
    finally:
        gc.enable()


def test_s166_hooks_on_saved_tensors_see_what_was_saved(torch):
    def forward(ctx, x, y):
        ctx.save_for_backward(x)
        ctx.hidden = y.detach().clone()
        return x * y

    seen = []
    with torch.autograd.graph.saved_tensors_hooks(lambda t: seen.append(t.tolist()) or t, lambda t: t):
        function(torch, forward, lambda ctx, d: (d, d)).apply(leaf(torch, 1.0), leaf(torch, 2.0))
    assert seen == [[1.0]]


def exp_minus_one(ctx, x):
    """Saves an intermediate: what exp gives before 1 is subtracted."""
    result = x.exp()
    ctx.save_for_backward(result)
    return result - 1


def test_s167_double_backward_through_a_saved_intermediate_warns(minigrad):
    x = leaf(minigrad, 1.0)
    y = function(minigrad, exp_minus_one, lambda ctx, d: d * ctx.saved_tensors[0]).apply(x)
    with pytest.warns(UserWarning, match="saved"):
        (g,) = minigrad.autograd.grad(y, x, create_graph=True)
        g.requires_grad and minigrad.autograd.grad(g, x, allow_unused=True)


def test_s168_once_differentiable_makes_a_second_derivative_an_error(torch):
    backward = torch.autograd.function.once_differentiable(lambda ctx, d: d * ctx.saved_tensors[0])
    x = leaf(torch, 1.0)
    y = function(torch, exp_minus_one, backward).apply(x)
    (g,) = torch.autograd.grad(y, x, leaf(torch, 1.0), create_graph=True)
    assert torch.allclose(g, x.detach().exp())
    with pytest.raises(RuntimeError, match="once_differentiable"):
        g.backward()


def test_s169_or_the_intermediate_is_computed_again(torch):
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.exp() - 1

    f = function(torch, forward, lambda ctx, d: d * ctx.saved_tensors[0].exp())
    assert torch.autograd.gradgradcheck(f.apply, (leaf(torch, 0.3, 1.0),))


def test_s170_or_returned_as_an_output(torch):
    def forward(ctx, x):
        result = x.exp()
        ctx.save_for_backward(result)
        return result - 1, result

    f = function(torch, forward, lambda ctx, d, d_result: (d + d_result) * ctx.saved_tensors[0])
    assert torch.autograd.gradgradcheck(lambda x: f.apply(x)[0], (leaf(torch, 0.3, 1.0),))


def test_s171_s173_backward_finds_what_was_saved_and_none_in_its_place(torch):
    seen = []

    def forward(ctx, x):
        ctx.save_for_backward(x, None)
        return x * 1

    def backward(ctx, d):
        seen.append(ctx.saved_tensors)
        return d

    x = leaf(torch, 2.0)
    function(torch, forward, backward).apply(x).backward()
    ((first, second),) = seen
    assert first.tolist() == [2] and second is None


def test_s172_saved_tensors_are_checked_for_writes(torch):
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    x = leaf(torch, 2.0)
    y = x * 1
    z = function(torch, forward, lambda ctx, d: 2 * ctx.saved_tensors[0] * d).apply(y)
    y.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        z.backward()


def test_s174_s175_other_objects_go_on_ctx_and_get_none(torch):
    def forward(ctx, x, number):
        ctx.number = number
        return x * number

    x = leaf(torch, 2.0)
    function(torch, forward, lambda ctx, d: (d * ctx.number, None)).apply(x, 5).backward()
    assert x.grad.tolist() == [5]
    with pytest.raises(RuntimeError, match="incorrect number of gradients"):
        function(torch, forward, lambda ctx, d: d).apply(x, 5).backward()


def test_s176_an_intermediate_may_be_kept_on_ctx(torch):
    def forward(ctx, x, y, z):
        w = x * z
        ctx.save_for_backward(x, y, w)
        ctx.z, ctx.w = z, w
        return x * y + y * z + w * y

    def backward(ctx, d):
        x, y, w = ctx.saved_tensors
        return (y + y * ctx.z) * d, (x + ctx.z + ctx.w) * d, None

    a, b = leaf(torch, 1.0), leaf(torch, 2.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        function(torch, forward, backward).apply(a, b, 4).backward()
    assert a.grad.tolist() == [10] and b.grad.tolist() == [9]


# ------------------------------------------------------------------------------ mark_dirty


@pytest.mark.parametrize("name", ["mark_dirty", "mark_non_differentiable"])
def test_s177_s183_marking_twice_is_refused(minigrad, name):
    """PyTorch keeps the second call only."""
    def forward(ctx, x):
        out = x * 1
        marked = x if name == "mark_dirty" else out
        getattr(ctx, name)(marked)
        getattr(ctx, name)(marked)
        return out

    with pytest.raises(RuntimeError, match=name):
        function(minigrad, forward).apply(leaf(minigrad, 1.0) * 1)


def test_s178_s179_s181_mark_dirty_in_forward_before_or_after_the_write(torch):
    def before(ctx, x):
        ctx.mark_dirty(x)
        x.add_(1)
        return x

    def after(ctx, x):
        x.add_(1)
        ctx.mark_dirty(x)
        return x

    for forward in (before, after):
        x = leaf(torch, 1.0)
        y = x * 1
        z = function(torch, forward, lambda ctx, d: d * 3).apply(y)
        assert z is y and y.tolist() == [2] and y.grad_fn.name() == "FuncBackward"
        z.backward()
        assert x.grad.tolist() == [3]


def test_s179_or_in_setup_context(torch):
    def setup_context(ctx, inputs, output):
        ctx.mark_dirty(*inputs)

    x = leaf(torch, 1.0)
    y = x * 1
    z = function(torch, lambda x: x.add_(1), lambda ctx, d: d * 3, setup_context=setup_context).apply(y)
    z.backward()
    assert z is y and x.grad.tolist() == [3]


def test_s180_an_unmarked_write_is_caught(minigrad):
    """In PyTorch only by a later backward, through the version."""
    with pytest.warns(UserWarning, match="without declaring it"):
        function(minigrad, lambda ctx, x: x.add_(1) * 2).apply(leaf(minigrad, 1.0) * 1)


def test_s182_a_write_by_numpy_is_seen_by_mark_dirty_alone(torch):
    def forward(ctx, x):
        np.add(x.detach().numpy(), 1, out=x.detach().numpy())
        ctx.mark_dirty(x)
        return x

    x = leaf(torch, 1.0)
    y = x * 1
    product = y * y
    function(torch, forward).apply(y)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        product.backward()


# ------------------------------------------------------------------------------ mark_non_differentiable


def sorted_with_indices(ctx, x):
    values, indices = x.sort()
    ctx.mark_non_differentiable(indices)
    ctx.save_for_backward(x, indices)
    return values, indices


def test_s184_to_s187_marked_outputs_do_not_require_grad_and_bring_zeros(torch):
    seen = []

    def backward(ctx, d_values, d_indices):
        seen.append(d_indices)
        x, indices = ctx.saved_tensors
        return torch.zeros_like(d_values).index_add(0, indices, d_values)

    x = leaf(torch, 3.0, 1.0, 2.0)
    values, indices = function(torch, sorted_with_indices, backward).apply(x)
    assert values.requires_grad and not indices.requires_grad and indices.grad_fn is None
    (values * leaf(torch, 1.0, 10.0, 100.0).detach()).sum().backward()
    assert x.grad.tolist() == [100, 1, 10]
    assert seen[0].shape == indices.shape and not seen[0].any()


def test_s184_marking_in_setup_context(torch):
    def setup_context(ctx, inputs, output):
        ctx.mark_non_differentiable(output[1])

    values, indices = function(torch, lambda x: tuple(x.sort()),
                               setup_context=setup_context).apply(leaf(torch, 2.0, 1.0))
    assert values.requires_grad and not indices.requires_grad


# ------------------------------------------------------------------------------ save_for_forward and jvp


def test_s188_save_for_forward_is_called_once_with_tensors_only(minigrad):
    """PyTorch notices neither."""
    def twice(ctx, x):
        ctx.save_for_forward(x)
        ctx.save_for_forward(x)
        return x * 1

    def with_a_number(ctx, x):
        ctx.save_for_forward(x, 3)
        return x * 1

    with pytest.raises(RuntimeError, match="save_for_forward"):
        function(minigrad, twice).apply(leaf(minigrad, 1.0))
    with pytest.raises(TypeError, match="save_for_forward"):
        function(minigrad, with_a_number).apply(leaf(minigrad, 1.0))


@pytest.mark.parametrize("style", ["forward", "setup_context"])
def test_s189_to_s193_jvp_finds_what_was_saved_for_it(torch, fwAD, style):
    seen = []

    def save(ctx, inputs, output):
        ctx.save_for_backward(inputs[0], None)
        ctx.save_for_forward(inputs[0], None)

    def forward(ctx, x, number):
        save(ctx, (x, number), None)
        return x * x

    def jvp(ctx, x_t, number_t):
        seen.append((ctx.saved_tensors[1], number_t))
        return 2 * ctx.saved_tensors[0] * x_t

    def backward(ctx, d):
        return 2 * ctx.saved_tensors[0] * d, None

    if style == "forward":
        f = function(torch, forward, backward, jvp=jvp)
    else:
        f = function(torch, lambda x, number: x * x, backward, jvp=jvp, setup_context=save)
    with fwAD.dual_level():
        dual = fwAD.make_dual(torch.tensor([3.0]), torch.tensor([1.0]))
        assert fwAD.unpack_dual(f.apply(dual, 5)).tangent.tolist() == [6]
    assert seen == [(None, None)]
    x = leaf(torch, 3.0)
    f.apply(x, 5).backward()
    assert x.grad.tolist() == [6]


def test_s194_s197_an_input_without_a_tangent_brings_zeros(torch, fwAD):
    seen = []

    def jvp(ctx, x_t, y_t):
        seen.append(y_t)
        return x_t + y_t

    with fwAD.dual_level():
        dual = fwAD.make_dual(torch.tensor([3.0]), torch.tensor([1.0]))
        function(torch, lambda ctx, x, y: x + y, jvp=jvp).apply(dual, torch.tensor([1.0]))
    assert seen[0].tolist() == [0]


# ------------------------------------------------------------------------------ set_materialize_grads


def two_outputs(materialize, seen):
    def forward(ctx, x):
        if materialize is not None:
            ctx.set_materialize_grads(materialize)
        return x * 1, x * 2

    def backward(ctx, first, second):
        seen.append(second)
        return first

    return forward, backward


@pytest.mark.parametrize("materialize", [None, True, False])
def test_s195_to_s199_undefined_gradients_are_zeros_or_none(torch, materialize):
    """An output that nobody uses has none."""
    seen = []
    first, unused = function(torch, *two_outputs(materialize, seen)).apply(leaf(torch, 1.0))
    first.backward()
    assert seen[0] is None if materialize is False else seen[0].tolist() == [0]


def test_s196_set_materialize_grads_in_setup_context(torch):
    seen = []
    _, backward = two_outputs(None, seen)
    f = function(torch, lambda x: (x * 1, x * 2), backward,
                 setup_context=lambda ctx, inputs, output: ctx.set_materialize_grads(False))
    f.apply(leaf(torch, 1.0))[0].backward()
    assert seen == [None]


def test_s198_tangents_too(torch, fwAD):
    seen = []

    def forward(ctx, x, y):
        ctx.set_materialize_grads(False)
        return x + y

    with fwAD.dual_level():
        dual = fwAD.make_dual(torch.tensor([3.0]), torch.tensor([1.0]))
        function(torch, forward, jvp=lambda ctx, x_t, y_t: seen.append(y_t) or x_t).apply(dual, torch.tensor([1.0]))
    assert seen == [None]


# ------------------------------------------------------------------------------ BackwardCFunction


def test_s200_the_node_of_a_function_is_a_backward_c_function(torch):
    node = function(torch, lambda ctx, x: x * 1).apply(leaf(torch, 1.0)).grad_fn
    assert isinstance(node, torch.autograd.function.BackwardCFunction)


def test_s201_apply_runs_the_node(torch):
    node = function(torch, lambda ctx, x: x * 1, lambda ctx, d: d * 7).apply(leaf(torch, 1.0)).grad_fn
    assert node.apply(torch.tensor([2.0])).tolist() == [14]


def test_s202_apply_jvp_runs_the_formula_of_forward_mode(torch):
    f = function(torch, lambda ctx, x: x * 1, jvp=lambda ctx, t: t * 7)
    node = f.apply(leaf(torch, 1.0)).grad_fn
    assert node.apply_jvp(torch.tensor([2.0])).tolist() == [14]
