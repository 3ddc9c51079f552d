"""Statements 1 to 60: gradients, forward mode, the functional interface, layouts, in-place writes, Variable, tensors,
Function."""

import warnings

import pytest


def leaf(torch, *values, **options):
    return torch.tensor(values, dtype=torch.float64, requires_grad=True, **options)


# ------------------------------------------------------------------------------ the package


def test_s001_any_scalar_function_of_tensor_operations_can_be_differentiated(torch):
    x = leaf(torch, 0.5, 2.0)
    y = x
    for i in range(3):                      # Python's own control flow
        y = (y * x).sin() if y.sum() > 0 else y.exp()
    y.sum().backward()
    h = 1e-6
    for i in range(2):
        with torch.no_grad():
            ends = []
            for step in (h, -h):
                z = p = x + step * torch.eye(2, dtype=torch.float64)[i]
                for _ in range(3):
                    z = (z * p).sin() if z.sum() > 0 else z.exp()
                ends.append(z.sum().item())
        assert abs((ends[0] - ends[1]) / (2 * h) - x.grad[i].item()) < 1e-6


def test_s002_requires_grad_is_all_that_a_program_adds(torch):
    def program(x):
        return (x * x).sum()

    plain, wanted = torch.ones(3), torch.ones(3, requires_grad=True)
    assert program(plain).item() == program(wanted).item() == 3
    program(wanted).backward()
    assert wanted.grad.tolist() == [2, 2, 2]


@pytest.mark.parametrize("name", ["half", "float", "double", "bfloat16", "cfloat", "cdouble"])
def test_s003_floating_and_complex_types_have_gradients(torch, name):
    kind = getattr(torch, name)
    x = torch.ones(2, dtype=kind, requires_grad=True)
    (x * 3).abs().sum().backward()
    assert x.grad.dtype is kind and x.grad.abs().tolist() == [3, 3]


@pytest.mark.parametrize("name", ["int", "long", "uint8", "bool"])
def test_s003_no_other_type_has_gradients(torch, name):
    with pytest.raises(RuntimeError, match="[Oo]nly Tensors of floating point"):
        torch.ones(2, dtype=getattr(torch, name), requires_grad=True)


# ------------------------------------------------------------------------------ reverse mode


def test_s004_backward_sums_the_gradients_of_all_tensors_at_the_leaves(torch):
    x = leaf(torch, 1.0, 2.0)
    torch.autograd.backward([(x * 2).sum(), (x * 10).sum()])
    assert x.grad.tolist() == [12, 12]


def test_s005_grad_returns_the_sum_and_stores_nothing(torch):
    x = leaf(torch, 1.0, 2.0)
    (g,) = torch.autograd.grad([(x * 2).sum(), (x * 10).sum()], [x])
    assert g.tolist() == [12, 12] and x.grad is None


# ------------------------------------------------------------------------------ forward mode


def test_s007_forward_mode_works_only_inside_dual_level(torch, fwAD):
    x = torch.tensor(2.0)
    with pytest.raises(RuntimeError):
        fwAD.make_dual(x, x)
    with fwAD.dual_level():
        dual = fwAD.make_dual(x, torch.tensor(1.0))
    with pytest.raises(RuntimeError):
        fwAD.make_dual(dual, x)


def test_s008_s009_make_dual_attaches_a_tangent_and_unpack_dual_gives_both_back(torch, fwAD):
    x, v = torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0])
    with fwAD.dual_level():
        primal, tangent = fwAD.unpack_dual(fwAD.make_dual(x, v))
        assert primal.tolist() == [1, 2] and tangent is v
        assert fwAD.unpack_dual(fwAD.make_dual(x, v) ** 2).tangent.tolist() == [6, 16]


# ------------------------------------------------------------------------------ the functional interface


@pytest.mark.parametrize("name", ["jacobian", "hessian", "vjp", "jvp", "vhp", "hvp"])
def test_s011_the_inputs_must_be_tensors(torch, functional, name):
    with pytest.raises(TypeError):
        getattr(functional, name)(lambda x: (x * x).sum(), 3)


@pytest.mark.parametrize("name", ["jacobian", "hessian", "vjp"])
def test_s012_the_results_must_be_tensors(torch, functional, name):
    with pytest.raises(TypeError):
        getattr(functional, name)(lambda x: 3.0, torch.ones(2))


def test_s013_what_else_a_function_takes_is_captured_by_a_lambda(torch, functional):
    def f(x, constant, flag=False):
        return x * constant if flag else x + constant

    x, constant = torch.tensor([1.0, 2.0]), torch.tensor([5.0, 7.0])
    assert functional.jacobian(lambda x: f(x, constant, flag=True), x).tolist() == [[5, 0], [0, 7]]


def test_s014_jacobian_is_the_whole_table(torch, functional):
    jacobian = functional.jacobian(lambda x: torch.stack([x[0] * x[1], x[0] ** 2, x[1] * 3]), torch.tensor([2.0, 5.0]))
    assert jacobian.tolist() == [[5, 2], [4, 0], [0, 3]]


def test_s015_hessian_is_for_functions_with_one_result(torch, functional):
    x = torch.tensor([2.0, 5.0])
    assert functional.hessian(lambda x: x[0] ** 2 * x[1], x).tolist() == [[10, 4], [4, 0]]
    with pytest.raises(RuntimeError):
        functional.hessian(lambda x: x * x, x)


def test_s016_to_s019_products_with_the_jacobian_and_the_hessian(torch, functional):
    x, v, u = torch.tensor([2.0, 5.0]), torch.tensor([1.0, -1.0]), torch.tensor([1.0, 2.0, 3.0])

    def f(x):
        return torch.stack([x[0] * x[1], x[0] ** 2, x[1] * 3])

    def g(x):
        return x[0] ** 2 * x[1]

    jacobian, hessian = functional.jacobian(f, x), functional.hessian(g, x)
    assert torch.allclose(functional.vjp(f, x, u)[1], u @ jacobian)
    assert torch.allclose(functional.jvp(f, x, v)[1], jacobian @ v)
    assert torch.allclose(functional.vhp(g, x, v)[1], v @ hessian)
    assert torch.allclose(functional.hvp(g, x, v)[1], hessian @ v)


# ------------------------------------------------------------------------------ switching recording off


def test_s020_no_grad_and_inference_mode_differ(torch):
    """What was made in no-grad mode may be recorded later; what was made in inference mode may not."""
    w = torch.ones(2, requires_grad=True)
    with torch.no_grad():
        later = torch.ones(2) * 2
    with torch.inference_mode():
        never = torch.ones(2) * 2
    assert (w * later).requires_grad and not later.is_inference() and never.is_inference()
    with pytest.raises(RuntimeError, match="Inference tensors cannot be saved for backward"):
        w * never


def test_s020_eval_and_detach_are_something_else(torch):
    """detach cuts one tensor off; the mode stays on."""
    x = torch.ones(2, requires_grad=True)
    assert torch.is_grad_enabled() and not x.detach().requires_grad and (x * 2).requires_grad


def test_s021_the_functions_that_disable_gradients_locally(torch):
    for mode, recorded in [(torch.no_grad(), False), (torch.enable_grad(), True),
                           (torch.set_grad_enabled(False), False), (torch.inference_mode(), False)]:
        with mode:
            assert torch.is_grad_enabled() is recorded
    assert torch.is_grad_enabled() and not torch.is_inference_mode_enabled()


# ------------------------------------------------------------------------------ where .grad lies


def dense_but_transposed(torch):
    return torch.zeros(3, 2).t().requires_grad_()


def with_gaps(torch):
    return torch.zeros(2, 6)[:, ::2].requires_grad_()


def pass_over(torch, x, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")         # create_graph warns of a cycle
        (x * x + x).sum().backward(**options)


def test_s023_rule_1_strides_of_a_dense_parameter(torch):
    x = dense_but_transposed(torch)
    pass_over(torch, x)
    assert x.grad.stride() == x.stride() == (1, 2)


def test_s024_rule_2_otherwise_row_by_row(torch):
    x = with_gaps(torch)
    pass_over(torch, x)
    assert x.stride() == (6, 2) and x.grad.stride() == (3, 1)


def test_s025_rule_3_added_to_in_place(torch):
    x = torch.zeros(2, 3, requires_grad=True)
    kept = x.grad = torch.zeros(3, 2).t()
    pass_over(torch, x)
    assert x.grad is kept and kept.stride() == (1, 2) and kept.tolist() == [[1, 1, 1], [1, 1, 1]]


def test_s026_rule_4_replaced_where_create_graph(torch):
    x = torch.zeros(2, 3, requires_grad=True)
    before = x.grad = torch.zeros(2, 3)
    pass_over(torch, x, create_graph=True)
    assert x.grad is not before and before.tolist() == [[0] * 3] * 2 and x.grad.detach().tolist() == [[1] * 3] * 2


def test_s027_s029_none_before_each_pass_is_rule_1_or_2_again(torch):
    for x in (dense_but_transposed(torch), with_gaps(torch)):
        pass_over(torch, x)
        first = x.grad.stride()
        x.grad = None
        pass_over(torch, x)
        assert x.grad.stride() == first


def test_s030_s031_a_layout_of_your_own_stays(torch):
    x = torch.zeros(2, 3, requires_grad=True)
    x.grad = torch.zeros(3, 2).t()
    for _ in range(3):
        pass_over(torch, x)
        assert x.grad.stride() == (1, 2)
        x.grad.zero_()


# ------------------------------------------------------------------------------ in place


def test_s032_in_place_operations_are_supported(torch):
    x = leaf(torch, 1.0, 2.0)
    y = x * 1
    y.mul_(3).add_(1)
    y.sum().backward()
    assert x.grad.tolist() == [3, 3]


def test_s035_every_tensor_counts_the_writes_to_it(torch):
    x = torch.zeros(3)
    before = x._version
    x.add_(1)
    x[0] = 5.0
    assert x._version == before + 2


def test_s036_backward_raises_where_something_kept_was_written_to(torch):
    x = leaf(torch, 1.0, 2.0)
    y = x.exp()
    z = y * y
    y.add_(1)                               # no error yet: the pass has not begun
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        z.sum().backward()


@pytest.mark.parametrize("write", [lambda y: y.mul_(2), lambda y: y[0].mul_(2), lambda y: y.clamp_(max=2.5),
                                   lambda y: y.copy_(y * 3), lambda y: y.zero_()])
def test_s037_no_error_means_right_gradients(torch, write):
    def f(x):
        y = x * x
        write(y)
        return (y * 5).sum()

    assert torch.autograd.gradcheck(f, (leaf(torch, 1.0, 2.0, 3.0),))


# ------------------------------------------------------------------------------ Variable


@pytest.mark.filterwarnings("ignore")
def test_s038_to_s042_variable_still_works_and_returns_tensors(torch):
    x = torch.ones(2)
    v, w = torch.autograd.Variable(x), torch.autograd.Variable(x, requires_grad=True)
    assert type(v) is type(w) is torch.Tensor and not v.requires_grad and w.requires_grad
    assert w.data.tolist() == [1, 1] and w.data.data_ptr() == x.data_ptr()
    assert all(hasattr(w, name) for name in ("backward", "detach", "register_hook"))
    (w * w).sum().backward()
    assert w.grad.tolist() == [2, 2]


@pytest.mark.parametrize("make", ["randn", "zeros", "ones", "rand", "empty"])
def test_s043_factories_take_requires_grad(torch, make):
    assert getattr(torch, make)(2, 2, requires_grad=True).requires_grad


# ------------------------------------------------------------------------------ tensors


def test_s044_grad_is_none_until_a_gradient_was_computed(torch):
    x = torch.ones(2, requires_grad=True)
    y = (x * 2).sum()
    assert x.grad is None
    y.backward()
    assert x.grad.tolist() == [2, 2]


def test_s045_s046_requires_grad_and_leaves(torch):
    x, plain = torch.ones(2, requires_grad=True), torch.ones(2)
    assert x.requires_grad and (x * 2).requires_grad and not plain.requires_grad
    assert x.is_leaf and plain.is_leaf and (plain * 2).is_leaf and not (x * 2).is_leaf


def test_s047_backward_goes_from_this_tensor_to_the_leaves(torch):
    x, other = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    y = (x * 3).sum()
    (y * other.sum()).detach()
    y.backward()
    assert x.grad.tolist() == [3, 3] and other.grad is None


def test_s048_detach_returns_a_new_tensor(torch):
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    d = y.detach()
    assert d is not y and d.is_leaf and not d.requires_grad and y.grad_fn is not None and d.data_ptr() == y.data_ptr()


def test_s049_detach_changes_the_tensor_itself(torch):
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    assert y.detach_() is y and y.is_leaf and y.grad_fn is None and not y.requires_grad


def test_s050_a_post_accumulate_hook_sees_the_new_grad(torch):
    x, seen = torch.ones(2, requires_grad=True), []
    x.register_post_accumulate_grad_hook(lambda leaf: seen.append(leaf.grad.tolist()))
    (x * 2).sum().backward()
    (x * 2).sum().backward()
    assert seen == [[2, 2], [4, 4]]


def test_s051_retain_grad_fills_grad_of_an_intermediate(torch):
    x = torch.ones(2, requires_grad=True)
    y = x * 3
    y.retain_grad()
    (y * y).sum().backward()
    assert y.grad.tolist() == [6, 6]


# ------------------------------------------------------------------------------ Function


def cube(Function, **methods):
    def forward(ctx, x):
        ctx.save_for_backward(x)
        ctx.save_for_forward(x)
        return x**3

    def backward(ctx, d):
        (x,) = ctx.saved_tensors
        return 3 * x**2 * d

    body = {"forward": forward, "backward": backward, **methods}
    return type("Cube", (Function,), {name: staticmethod(method) for name, method in body.items() if method})


def test_s052_forward_and_backward_are_static_methods(torch, Function):
    x = leaf(torch, 2.0)
    cube(Function).apply(x).backward()
    assert x.grad.tolist() == [12]


def test_s053_apply_records_and_forward_is_not_called_directly(torch, Function):
    x = leaf(torch, 2.0)
    assert cube(Function).apply(x).grad_fn.name() == "CubeBackward"
    with pytest.raises((TypeError, AttributeError)):
        cube(Function).forward(x)


def test_s054_gradcheck_says_whether_backward_is_right(torch, Function):
    x = leaf(torch, 2.0, -1.0)
    assert torch.autograd.gradcheck(cube(Function).apply, (x,))
    with pytest.raises(RuntimeError):
        torch.autograd.gradcheck(cube(Function, backward=lambda ctx, d: 2 * d).apply, (x,))


def test_s055_backward_and_vjp_are_two_names_of_one_method(torch, Function):
    x = leaf(torch, 2.0)
    Cube = cube(Function, backward=None, vjp=lambda ctx, d: 3 * ctx.saved_tensors[0] ** 2 * d)
    Cube.apply(x).backward()
    assert x.grad.tolist() == [12]
    both = cube(Function, vjp=lambda ctx, d: d)
    with pytest.raises(RuntimeError, match="both 'backward' and 'vjp'"):
        both.apply(leaf(torch, 2.0)).backward()


def test_s056_jvp_is_the_formula_of_forward_mode(torch, Function, fwAD):
    Cube = cube(Function, jvp=lambda ctx, t: 3 * ctx.saved_tensors[0] ** 2 * t)
    with fwAD.dual_level():
        assert fwAD.unpack_dual(Cube.apply(fwAD.make_dual(torch.tensor(2.0), torch.tensor(1.0)))).tangent.item() == 12


def test_s057_vmap_is_the_rule_under_vmap(torch, Function):
    asked = []

    def rule(info, in_dims, x):
        asked.append((info.batch_size, in_dims))
        return Cube.apply(x), in_dims[0]

    def forward(x):
        return x**3

    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    Cube = cube(Function, forward=forward, setup_context=setup_context, vmap=rule)
    assert torch.vmap(Cube.apply)(torch.tensor([1.0, 2.0, 3.0])).tolist() == [1, 8, 27] and asked == [(3, (0,))]


# ------------------------------------------------------------------------------ gradcheck


def test_s058_gradcheck_compares_with_small_finite_differences(torch, Function):
    wrong = cube(Function, backward=lambda ctx, d: (3 * ctx.saved_tensors[0] ** 2 + 1e-2) * d)
    assert torch.autograd.gradcheck(wrong.apply, (leaf(torch, 2.0),), atol=1e-1)
    assert not torch.autograd.gradcheck(wrong.apply, (leaf(torch, 2.0),), atol=1e-5, rtol=1e-5, raise_exception=False)


def test_s059_only_floating_and_complex_inputs_that_require_grad_are_checked(torch):
    x, constant, index = leaf(torch, 1.0, 2.0), torch.ones(2, dtype=torch.float64), torch.tensor([1, 0])
    z = torch.tensor([1.0 + 2j, 3j], dtype=torch.complex128, requires_grad=True)

    def f(x, constant, index, z):
        return (x * constant.detach() ** 2)[index] * z             # wrong in `constant`, were it asked

    assert torch.autograd.gradcheck(f, (x, constant, index, z))


def test_s060_gradgradcheck_does_so_for_the_gradients(torch):
    x, v = leaf(torch, 1.0, 2.0), leaf(torch, 0.5, -1.0)
    assert torch.autograd.gradgradcheck(torch.sin, (x,), (v,)) and torch.autograd.gradgradcheck(torch.sin, (x,))
