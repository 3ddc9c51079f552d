"""``register_hooks`` of one saved tensor of a node."""

import pytest

import minigrad
from tests.autograd.programs import detached, hooks, leaf, same
from tests.checking import is_minigrad, refuses


def test_hooks_for_one_saved_tensor(torch):
    packed, unpacked = [], []
    x = leaf(torch, 1., 2.)
    y = x * x
    y.grad_fn._raw_saved_self.register_hooks(lambda t: (packed.append(t.tolist()), t.tolist())[1],
                                             lambda values: (unpacked.append(values), torch.tensor(values))[1])
    assert packed == [[1., 2.]] and unpacked == []
    assert y.grad_fn._saved_self.tolist() == [1., 2.] and unpacked == [[1., 2.]]
    y.sum().backward()
    assert unpacked == [[1., 2.]] * 2 and x.grad.tolist() == [2., 4.]


def test_hooks_for_a_saved_result(torch):
    x = leaf(torch, 0., 1.)
    y = x.exp()
    y.grad_fn._raw_saved_result.register_hooks(lambda t: t.tolist(), torch.tensor)
    (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    (h,) = torch.autograd.grad(g.sum(), x)
    assert g.tolist() == h.tolist() == y.tolist()


def test_hooks_for_what_a_function_saved(torch):
    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x, None)
            return x * x

        @staticmethod
        def backward(ctx, g):
            return 2 * g * ctx.saved_tensors[0]

    x = leaf(torch, 3.)
    y = Square.apply(x)
    first, second = y.grad_fn._raw_saved_tensors
    first.register_hooks(lambda t: t.detach() * 100, same)
    with refuses(RuntimeError, "Calling register_hooks on a saved tensor with value None is forbidden", "MG122"):
        second.register_hooks(same, same)
    y.backward()
    assert x.grad.tolist() == [600.]
    for name in ("saved_tensors", "_raw_saved_tensors"):
        with refuses(RuntimeError, "directly access saved tensors after they have already been freed", "MG102"):
            getattr(y.grad_fn, name)


def test_hooks_for_one_of_several(torch):
    x = torch.arange(6.).reshape(2, 3).requires_grad_()
    y = x[torch.tensor([0, 1]), torch.tensor([2, 0])]
    rows, columns = y.grad_fn._raw_saved_indices
    columns.register_hooks(lambda t: t.tolist(), torch.tensor)
    assert [t.tolist() for t in y.grad_fn._saved_indices] == [[0, 1], [2, 0]]
    y.sum().backward()
    assert x.grad.tolist() == [[0., 0., 1.], [1., 0., 0.]]


def test_a_tensor_has_one_pair_of_hooks(torch):
    x = leaf(torch, 1.)
    with hooks(torch):
        y = x * x
    with refuses(RuntimeError, "Calling register_hooks on a saved tensor whose hooks have already been set", "MG122"):
        y.grad_fn._raw_saved_self.register_hooks(same, same)
    z = x * x
    z.grad_fn._raw_saved_self.register_hooks(detached, same)
    with refuses(RuntimeError, "Calling register_hooks on a saved tensor whose hooks have already been set", "MG122"):
        z.grad_fn._raw_saved_self.register_hooks(same, same)


def test_hooks_where_there_is_nothing_to_pack(torch):
    x, c = leaf(torch, 1.), torch.ones(1)
    y = x * c
    assert y.grad_fn._saved_self is None
    with refuses(RuntimeError, "Calling register_hooks on a saved tensor with value None is forbidden", "MG122"):
        y.grad_fn._raw_saved_self.register_hooks(same, same)
    y = x * x
    raw = y.grad_fn._raw_saved_self
    y.backward()
    with refuses(RuntimeError, "Calling register_hooks on a saved tensor after it has been freed", "MG122"):
        raw.register_hooks(same, same)


def test_hooks_for_one_saved_tensor_that_are_wrong(torch):
    x = leaf(torch, 1., 2.)
    y, z = (x * 1) * x, x.exp()
    raw = y.grad_fn._raw_saved_other
    for wrong in ((3, 4), (same, None)):
        with pytest.raises(TypeError):
            raw.register_hooks(*wrong)
    with pytest.raises(TypeError):
        raw.register_hooks(same)

    def write(t):
        with torch.no_grad():
            t.detach().add_(1)
        return t

    with refuses(RuntimeError, "A saved tensor pack hook is modifying its input in place", "MG125"):
        z.grad_fn._raw_saved_result.register_hooks(write, same)
    with pytest.raises(ZeroDivisionError):
        raw.register_hooks(lambda t: 1 / 0, same)
    if is_minigrad(torch):                          # nothing was set by those that failed; in PyTorch it was, by halves
        raw.register_hooks(detached, same)
        y.sum().backward()
        assert x.grad.tolist() == [2., 4.]


def test_nobody_makes_a_saved_tensor(torch):
    raw = leaf(torch, 1.).exp().grad_fn._raw_saved_result
    with refuses((RuntimeError, TypeError), "SavedTensor", "MG205"):
        type(raw)()


def test_one_of_several_has_one_pair_of_hooks_and_none_has_none(torch):
    x = leaf(torch, 1., 2.).repeat(2, 1)
    node = x[:, torch.tensor([0])].grad_fn
    nothing, places = node._raw_saved_indices
    with refuses(RuntimeError, "Calling register_hooks on a saved tensor with value None is forbidden", "MG122"):
        nothing.register_hooks(lambda t: t, lambda t: t)
    places.register_hooks(lambda t: t.tolist(), torch.tensor)
    with refuses(RuntimeError, "Calling register_hooks on a saved tensor whose hooks have already been set", "MG122"):
        places.register_hooks(lambda t: t, lambda t: t)
    assert node._saved_indices[1].tolist() == [0]


def test_a_pack_hook_that_runs_the_node_comes_too_late():
    x = leaf(minigrad, 1., 2.)
    y = (x * 1)[minigrad.tensor([0, 1])]

    def run(t):
        with minigrad.enable_grad():
            y.sum().backward()
        return t

    with refuses(RuntimeError, "IndexBackward0 has already been run", "MG102"):
        y.grad_fn._raw_saved_indices[0].register_hooks(run, lambda t: t)
    assert x.grad.tolist() == [1., 1.]


def test_a_node_that_has_let_go_of_its_tensors_says_so(torch):
    x = leaf(torch, 1., 2.)
    y = x.exp()
    y.sum().backward()
    raw = y.grad_fn._raw_saved_result
    with refuses(RuntimeError, "Calling register_hooks on a saved tensor after it has been freed", "MG122"):
        raw.register_hooks(same, same)


def test_a_number_is_not_packed():
    y = leaf(minigrad, 1., 2.) * 2.
    raw = y.grad_fn._raw_saved_other
    with refuses(RuntimeError, "Calling register_hooks on a saved tensor with value None is forbidden", "MG122"):
        raw.register_hooks(same, same)
