"""Formulas as programs against their text: a plain backward runs programs on arrays, ``create_graph=True`` the text on
Tensors.

Both have to give the same gradients, in value, dtype and shape, for every sample of every row; and a
gradient that arrives in an unusual layout must not change anything.  Then what a program looks like.
"""

import numpy as np
import pytest

import minigrad
from minigrad._core.dispatch.op import Op, Program
from minigrad._core.dispatch.symbols import Untraceable
from minigrad._core.graph import wrap
from minigrad.ops import columns, kinds
from minigrad.ops.exports import ROWS as TABLE
from tests.checking import refuses, the_table_as_it_was
from tests.ops.samples import ROWS
from tests.ops.test_ops import bound, call, flat, ours

FORMULAS = [(op, f) for op in TABLE.values() for f in op.formulas if f.text is not None]
SAMPLES = [row for row in ROWS if row.grad]
TOLERANCE = {"float16": 5e-3, "float32": 2e-5, "complex64": 2e-5}


def differentiable(row, case, dtype):
    """The inputs, and the outputs that depend on them; nothing where the op is not for this dtype."""
    inputs, args, kwargs, _ = bound(ours, row, case, dtype)
    try:
        outputs = flat(call(minigrad, row, args, kwargs))
    except RuntimeError as e:
        assert e.code
        return [], []
    return inputs, [y for y in outputs if isinstance(y, minigrad.Tensor) and y.requires_grad]


def gradients_of(outputs, inputs, cotangents, create_graph):
    return minigrad.autograd.grad(outputs, inputs, cotangents, retain_graph=True, create_graph=create_graph,
                                  allow_unused=True)


def cotangent(y, layout):
    """A gradient for ``y``, the same numbers in every layout."""
    rng = np.random.default_rng(y.numel())
    values = rng.uniform(-1, 1, tuple(y.shape))
    if y.dtype.is_complex:
        values = values + 1j * rng.uniform(-1, 1, tuple(y.shape))
    a = np.asarray(values).astype(y.dtype.numpy)
    if layout == "columns" and a.ndim:
        a = np.asfortranarray(a)
    elif layout == "strided" and a.ndim:
        a = np.repeat(a, 2, axis=-1)[..., ::2]
    elif layout == "read-only":
        a.flags.writeable = False
    return minigrad._core.graph.wrap(a)


def assert_agree(found, expected, what, dtype):
    for a, b in zip(found, expected, strict=True):
        assert (a is None) == (b is None), what
        if a is not None:
            assert a.dtype is b.dtype and a.shape == b.shape, f"{what}: {a.dtype} {a.shape} and {b.dtype} {b.shape}"
            tolerance = TOLERANCE.get(dtype, 1e-11)
            np.testing.assert_allclose(a.detach().numpy(), b.detach().numpy(), rtol=tolerance, atol=tolerance,
                                       err_msg=what)


@pytest.mark.parametrize("row", SAMPLES, ids=str)
def test_program_and_text_agree(row):
    for case in row.cases:
        for dtype in ["float64", "float32"] + ["complex128", "complex64"] * row.complex:
            inputs, outputs = differentiable(row, case, dtype)
            if not outputs or not inputs:
                continue
            d = [cotangent(y, "rows") for y in outputs]
            what = f"{row}({case}) of {dtype}"
            plain = gradients_of(outputs, inputs, d, False)
            recorded = gradients_of(outputs, inputs, d, True)
            assert_agree(plain, recorded, what, dtype)
            for g, x in zip(plain, inputs):
                assert g is None or (g.dtype is x.dtype and g.shape == x.shape), what


@pytest.mark.parametrize("row", SAMPLES, ids=str)
@pytest.mark.drawn
def test_the_layout_of_a_gradient_does_not_matter(row):
    for case in row.cases:
        inputs, outputs = differentiable(row, case, "float64")
        if not outputs or not inputs:
            continue
        expected = gradients_of(outputs, inputs, [cotangent(y, "rows") for y in outputs], False)
        for layout in ("columns", "strided", "read-only"):
            d = [cotangent(y, layout) for y in outputs]
            before = [g.numpy().copy() for g in d]
            assert_agree(gradients_of(outputs, inputs, d, False), expected, f"{row}({case}), {layout}", "float64")
            for g, b in zip(d, before):
                np.testing.assert_array_equal(g.numpy(), b,
                                              err_msg=f"{row}({case}) wrote into the gradient it was given")


@pytest.mark.parametrize("row", SAMPLES, ids=str)
def test_no_formula_writes_into_what_was_saved(row):
    for case in row.cases:
        inputs, outputs = differentiable(row, case, "float64")
        if not outputs or not inputs:
            continue
        before = [t.detach().numpy().copy() for t in inputs + outputs]
        gradients_of(outputs, inputs, [cotangent(y, "rows") for y in outputs], False)
        first = gradients_of(outputs, inputs, [cotangent(y, "rows") for y in outputs], False)
        for t, b in zip(inputs + outputs, before):
            np.testing.assert_array_equal(t.detach().numpy(), b, err_msg=f"{row}({case})")
        assert_agree(gradients_of(outputs, inputs, [cotangent(y, "rows") for y in outputs], False), first,
                     f"{row}({case})", "float64")


@pytest.mark.parametrize("row", SAMPLES, ids=str)
def test_a_missing_gradient_of_one_output(row):
    """Of several outputs each alone: the others' gradients are undefined."""
    for case in row.cases:
        inputs, outputs = differentiable(row, case, "float64")
        if len(outputs) < 2:
            continue
        d = [cotangent(y, "rows") for y in outputs]
        together = gradients_of(outputs, inputs, d, False)
        for create_graph in (False, True):
            alone = [gradients_of([y], inputs, [g], create_graph) for y, g in zip(outputs, d)]
            for i, expected in enumerate(together):
                parts = [a[i].detach().numpy() for a in alone if a[i] is not None]
                if expected is None:
                    assert not parts
                else:
                    np.testing.assert_allclose(sum(parts), expected.numpy(), rtol=1e-9, atol=1e-11,
                                               err_msg=f"{row}({case})")


# ------------------------------------------------------------------------------ what a program looks like

@pytest.mark.parametrize("op, formula", FORMULAS, ids=lambda x: getattr(x, "name", None) or getattr(x, "of", None))
def test_a_program_is_well_formed(op, formula):
    program = op.program(formula.of)
    if program is None:
        assert not op.traceable
        return
    known = program.n_inputs + len(program.constants)
    assert program.n_inputs == 1 + len(formula.names)
    for step, (run, registers) in enumerate(program.steps):
        assert isinstance(run, Op) and TABLE[run.name] is run
        assert len(registers) in (len(run.params), run.n_positional) and all([0 <= r < known + step for r in registers])
    results = [program.result] if program.results is None else program.results
    assert all([0 <= r < known + len(program.steps) for r in results])
    assert repr(program).count("\n") == len(program.steps)


def test_a_program_can_be_read():
    assert repr(TABLE["mul"].program("self")) == "r2 = mul(r0, r1)\nreturn r2"
    assert repr(TABLE["add"].program("self")) == "return r0"


def test_a_program_is_made_once():
    assert TABLE["sin"].program("self") is TABLE["sin"].program("self")
    with pytest.raises(KeyError):
        TABLE["sin"].program("other")


# ------------------------------------------------------------------------------ ops made for the purpose

def make(formula, kernel=lambda self: self * 1., *, kind="general", **keywords):
    """An op of one tensor with the given derivative, outside the table."""
    return Op("made_up", kind, [("self", "Tensor", Ellipsis, False)], kernel, {"self": formula},
              *columns.read({"node": "MadeUpBackward0", "promote": "common", **keywords})[:-1])


def both_ways(op, *values):
    x = minigrad.tensor(list(values), dtype=minigrad.float64, requires_grad=True)
    y = op(x)
    d = minigrad.full((len(values),), 2., dtype=minigrad.float64)
    plain, recorded = (minigrad.autograd.grad(y, x, d, retain_graph=True, create_graph=c)[0].tolist()
                       for c in (False, True))
    assert plain == recorded
    return plain


mul, add, neg, sum_all = (TABLE[name] for name in ("mul", "add", "neg", "sum"))


def test_the_identity_has_no_steps():
    op = make(lambda d: d)
    assert op.program("self").steps == [] and both_ways(op, 1., 2.) == [2., 2.]


def test_constants_and_numbers():
    op = make(lambda d, self: d * (2 - 1 / (self * 4)) + 0 * d)
    assert both_ways(op, 1., 2.) == [2 * 1.75, 2 * 1.875] and set(op.program("self").constants) >= {0, 1, 2, 4}


def test_operators():
    op = make(lambda d, self: (-d + d * self ** 2 - d / self) * (self > 1.5) + d * (self <= 1.5))
    assert both_ways(op, 1., 2.) == [2., -2 + 8 - 1.]
    op = make(lambda d, self: d * 2 ** self * (self != 2) + d * (self >= 2) * (self == 2) + d * (self < 0))
    assert both_ways(op, 1., 2.) == [4., 2.]
    assert both_ways(make(lambda d, self: d * {self: 3.}[self]), 1., 2.) == [6., 6.]


def test_a_function_of_several_rows_may_take_what_stands_for_a_value():
    op = make(lambda d, self: minigrad.clamp(d * self, -3., 3.) + minigrad.add(d, 1))
    assert [step.name for step, _ in op.program("self").steps].count("clamp") == 1
    assert both_ways(op, 1., 2.) == [2. + 3., 3. + 3.]


def test_the_product_of_matrices_is_an_operator():
    op = make(lambda d, self: d @ self)
    assert [op.name for op, _ in op.program("self").steps] == ["mm"]
    x = minigrad.tensor([[1., 2.], [3., 4.]], requires_grad=True)
    assert minigrad.autograd.grad(op(x).sum(), x)[0].tolist() == [[4., 6.], [4., 6.]]


def test_a_formula_may_return_what_was_saved_or_a_constant_program():
    assert both_ways(make(lambda d, self: self), 1., 2.) == [1., 2.]
    assert both_ways(make(lambda d, result: result), 3., 4.) == [3., 4.]


def test_returned_gradients_are_not_shared():
    x = minigrad.tensor([1., 2.], requires_grad=True)
    make(lambda d, self: self)(x).sum().backward()
    x.grad.add_(1)
    assert x.tolist() == [1., 2.] and x.grad.tolist() == [2., 3.]


def branching(d, self):
    return neg(d) if sum_all(self) > 2 else d * self


def test_a_formula_that_branches_runs_as_text():
    op = make(branching)
    assert op.program("self") is None
    assert both_ways(op, 1., 2.) == [-2., -2.] and both_ways(op, 0.5, 1.) == [1., 2.]


@pytest.mark.parametrize("formula", [lambda d, n, self_shape: d * wrap(np.ones((1, 1))).expand(self_shape),
                                     lambda d, n: d * wrap(np.ones((1, 1))).roll(n, 0),
                                     lambda d, n: d * wrap(np.ones((1, 1))).cumsum(n),
                                     lambda d, n: d * wrap(np.ones((1, 1)))])
def test_a_formula_that_gives_what_it_is_told_to_a_constant_runs_as_text(formula):
    with the_table_as_it_was():
        row = kinds.elementwise("with_a_constant(Tensor self, int n)", lambda a, n: a * 1., self=formula)
        x = minigrad.ones(2, 3, requires_grad=True)
        row(x, 0).sum().backward()
        assert x.grad.tolist() == [[1., 1., 1.]] * 2 and row.program("self") is None


def test_so_does_one_that_gives_it_ints():
    with the_table_as_it_was():
        many = kinds.general("times_how_many(Tensor self, int[] n)", lambda a, n: a * len(n), self=lambda d, n: d)
        row = kinds.elementwise("with_ints(Tensor self, int[] n)", lambda a, n: a * 1.,
                                self=lambda d, n: d * many(wrap(np.ones(())), n))
        x = minigrad.ones(2, requires_grad=True)
        row(x, (5, 7)).sum().backward()
        assert x.grad.tolist() == [2., 2.] and row.program("self") is None


def test_a_formula_marked_as_not_traceable_runs_as_text():
    op = make(lambda d, self: d * self, traceable=False)
    assert op.program("self") is None and both_ways(op, 3., 4.) == [6., 8.]


@pytest.mark.parametrize("formula", [lambda d, self: d if self else d, lambda d, self: d[0], lambda d, self: d.sum(),
                                     lambda d, self: sum(d),
                                     lambda d, self: [x for x in self], lambda d, self: d * float(self),
                                     lambda d, self: TABLE["cat"]([d, self], 0)],
                         ids=["bool", "index", "attribute", "sum", "iteration", "float", "a list"])
def test_what_cannot_be_asked_of_a_symbol(formula):
    try:
        program = make(formula).program("self")
    except TypeError as e:
        assert not isinstance(e, Untraceable)           # float() of an object without __float__: Python's own words
    else:
        assert program is None


def test_holomorphic_ops_are_conjugated_around():
    """kind elementwise with conjugate=True: the formula is the derivative, reverse mode its adjoint."""
    op = make(lambda d, self: d * (2 * self), lambda self: self * self, kind="elementwise")
    z = minigrad.tensor([1 + 2j], requires_grad=True)
    y = op(z)
    d = minigrad.tensor([3 - 1j])
    for create_graph in (False, True):
        (g,) = minigrad.autograd.grad(y, z, d, retain_graph=True, create_graph=create_graph)
        assert g.tolist() == [(3 - 1j) * 2 * (1 - 2j)]


@pytest.mark.parametrize("create_graph", [False, True])
@pytest.mark.parametrize("formula, got", [(lambda d, other: TABLE["sum"](d), []),
                                          (lambda d, other: TABLE["select"](d, 1, 0), [1, 2]),
                                          (lambda d, other: TABLE["slice"](d, 2, 0, 1, 1), [1, 3, 1])])
def test_a_gradient_that_is_smaller_than_its_input_is_refused_by_name(formula, got, create_graph):
    op = Op("scaled", "elementwise", [("self", "Tensor", ..., False), ("other", "Tensor", ..., False)],
            lambda self, other: self * other, {"self": formula},
            *columns.read({"node": "ScaledBackward0", "promote": "common", "no_gradient": ("other",)})[:-1])
    x = minigrad.ones(3, 2, requires_grad=True)
    with refuses(RuntimeError, f"Function ScaledBackward0 returned an invalid gradient at index 0 - got {got} but "
                               "expected shape compatible with [3, 2]: the formula of the row scaled for its input "
                               "'self' returned it", "MG107"):
        minigrad.autograd.grad(op(x, minigrad.ones(1, 3, 2))[0].sum(), x, create_graph=create_graph)


def asked(op, x, how):
    """The gradient, in one of the ways in which the engine comes to a formula."""
    if how == "func":
        return minigrad.func.grad(lambda x: op(x).sum())(x)
    y = op(x)
    if how == "hooked":
        y.grad_fn.register_hook(lambda given, taken: None)
    return minigrad.autograd.grad(y.sum(), x, create_graph=how == "create_graph")


@pytest.mark.parametrize("how", ["grad", "hooked", "create_graph", "func"])
@pytest.mark.parametrize("traceable", [True, False])
@pytest.mark.parametrize("returned", [2.5, True, "d", object(), np.ones(3), [minigrad.ones(3)],
                                      (minigrad.ones(3),) * 2], ids=lambda x: type(x).__name__)
def test_a_formula_may_return_nothing_but_a_gradient(returned, traceable, how):
    """It was taken for one: the process crashed, or an array came among tensors."""
    op = make(lambda d: returned, traceable=traceable)
    with refuses(RuntimeError, "the formula of the row made_up for its input 'self' returned an object of type "
                               f"{type(returned).__name__}. A gradient is a Tensor, or None", "MG107"):
        asked(op, minigrad.ones(3, requires_grad=True), how)


@pytest.mark.parametrize("create_graph", [False, True])
def test_a_formula_for_a_tensor_may_not_give_several(create_graph):
    op = make(lambda d: TABLE["unbind"](d, 0))
    x = minigrad.ones(3, requires_grad=True)
    with refuses(RuntimeError, "returned an object of type tuple", "MG107"):
        minigrad.autograd.grad(op(x).sum(), x, create_graph=create_graph)


def test_names_that_do_not_exist():
    with pytest.raises(ValueError, match="its formulas name \\['other'\\]"):
        make(lambda d, other: d * other)


def test_programs_are_programs():
    assert type(TABLE["exp"].program("self")) is Program


@pytest.mark.parametrize("present", [[True, False, True, False], [False, True, False, True]])
def test_a_formula_may_ask_whether_a_tensor_was_given(present):
    """There is a program for each answer; the first one was used for both."""
    def with_names():
        return kinds.general(
            "shifted_by(Tensor self, Tensor? other, Tensor? third, str how)",
            lambda a, b, c, how: factor(b, c, how) * a,
            self=lambda d, other, third, how: d * factor(other, third, how), no_gradient=("other", "third"),
            promote=None, public=False)

    def factor(b, c, how):
        return (2 if b is None else 3) * (5 if c is None else 7) * (11 if how == "so" else 13)

    with the_table_as_it_was():
        row = kinds.elementwise("shifted(Tensor self, Tensor? other)", lambda a, b: a * 2 if b is None else a * 3 + b,
                                self=lambda d, other: d * 2 if other is None else d * 3, other=lambda d: d,
                                public=False)
        named = with_names()
    other = minigrad.ones(2)
    for given in present:
        x = minigrad.ones(2, requires_grad=True)
        slope = [3., 3.] if given else [2., 2.]
        argument = other if given else None
        row(x, argument).sum().backward()
        assert x.grad.tolist() == slope
        assert minigrad.autograd.grad(row(x, argument).sum(), x, create_graph=True)[0].tolist() == slope
        assert minigrad.func.grad(lambda x: row(x, argument).sum())(x.detach()).tolist() == slope
        assert minigrad.func.jvp(lambda x: row(x, argument), (x.detach(),), (minigrad.ones(2),))[1].tolist() == slope
        with minigrad.autograd.graph.save_on_cpu():
            y = row(x, argument)
        assert minigrad.autograd.grad(y.sum(), x)[0].tolist() == slope
        for third in (other, None):
            for how in ("so", "or so"):
                (g,) = minigrad.autograd.grad(named(x, argument, third, how).sum(), x)
                assert g.tolist() == [factor(argument, third, how)] * 2


# ------------------------------------------------------------------------------ Note [Blocks]

ELEMENTWISE = sorted({name for name, op in TABLE.items() for f in op.formulas
                      if f.text is not None and op.kind == "elementwise" and op.params == ("self",)
                      and len(getattr(op.program("self"), "steps", ())) > 1})
PIECE = 50_000              # elements that are not many
MANY = 4 * PIECE


def slope(name, dtype, x, d):
    x = minigrad.tensor(x).to(dtype).requires_grad_()
    return minigrad.autograd.grad(TABLE[name](x), x, d.to(dtype))[0]


@pytest.mark.parametrize("dtype", [minigrad.float32, minigrad.float16, minigrad.bfloat16], ids=str)
@pytest.mark.parametrize("name", ELEMENTWISE)
def test_blocks_give_what_the_steps_give(name, dtype):
    rng = np.random.default_rng(3)
    x, d = rng.uniform(0.1, 0.9, MANY).astype(np.float32), minigrad.tensor(rng.uniform(-2, 2, MANY).astype(np.float32))
    pieces = [slope(name, dtype, x[at:at + PIECE], d[at:at + PIECE]) for at in range(0, MANY, PIECE)]
    found = slope(name, dtype, x, d)
    assert found.dtype == dtype and found.allclose(minigrad.cat(pieces), 0, 0, equal_nan=True)


def test_many_rows_have_formulas_in_blocks():
    assert len(ELEMENTWISE) > 20 and {"silu", "mish", "hardswish"} <= set(ELEMENTWISE)


SHAPE = (2, 3, MANY // 6)
IN_BLOCKS = {
    "row by row": lambda d: d,
    "one number": lambda d: d[0, 0, 0].expand(SHAPE),
    "one row": lambda d: d[:, :1].expand(SHAPE),
    "columns": lambda d: d.mT.contiguous().mT,
    "every other": lambda d: minigrad.stack([d, d], -1)[..., 0],
}


@pytest.mark.parametrize("layout", IN_BLOCKS)
@pytest.mark.parametrize("dtype", [minigrad.float32, minigrad.float16, minigrad.complex64], ids=str)
def test_blocks_of_any_gradient(layout, dtype):
    """A gradient that does not lie row by row is computed with as a whole, or is one number for all elements."""
    rng = np.random.default_rng(4)
    x, d = (minigrad.tensor(rng.uniform(-2, 2, SHAPE).astype(np.float32)).to(dtype) for _ in range(2))
    x = (x * (1 + 1j) if dtype.is_complex else x).requires_grad_()
    d = IN_BLOCKS[layout](d)
    y = x.tan()                             # d * (1 + result * result)
    before = y.detach().clone(), d.clone()
    (whole,) = minigrad.autograd.grad(y, x, d, retain_graph=True)
    assert minigrad.equal(y, before[0]) and minigrad.equal(d, before[1])
    assert whole.shape == SHAPE and whole.dtype == dtype
    parts = [minigrad.autograd.grad(x[i].tan(), x, d[i])[0][i] for i in range(2)]
    assert whole.equal(minigrad.stack(parts))


def test_blocks_where_the_gradient_takes_no_part():
    """What does not depend on `d` has its own shape, and is refused if that is not the shape of the tensor."""
    op = make(lambda d, self: neg(self * self), kind="elementwise")
    x = minigrad.tensor(3.).expand(MANY).requires_grad_()
    assert minigrad.autograd.grad(op(x), x, minigrad.ones(MANY))[0].eq(-9).all()
    with the_table_as_it_was():
        product = kinds.elementwise("multiplied_by(Tensor self, Tensor other)", np.multiply, public=False,
                                   self=lambda d, other: neg(other * other), other=lambda d: d)
    for many in (5, MANY):
        x = minigrad.ones(many, requires_grad=True)
        with refuses(RuntimeError, "the gradient has shape [], and the tensor that it is for", "MG109"):
            minigrad.autograd.grad(product(x, minigrad.tensor(3.)), x, minigrad.ones(many))


def test_a_profiler_hears_of_whole_arrays():
    x = minigrad.ones(MANY).requires_grad_()
    y = x.tan()
    with minigrad.profiler.profile(record_shapes=True) as seen:
        y.backward(minigrad.ones(MANY))
    products = [event for event in seen.events() if event.name == "mul"]
    assert len(products) == 2 and all(event.input_shapes[0] == [MANY] for event in products)
