"""Mutation of the formulas that cannot be programs: their texts are spoilt, and the functions that they call.

A formula that asks its inputs what they are, as that of a decomposition must, cannot be a list of steps (Note [Formulas
as programs]).  It is a Python function, and so a mutant is its syntax tree with one node changed::

    d_L = tril(slice_(d, -1, 0, k, 1), -1)          -tril(...)   2 * tril(...)   slice_(...) in its place
                                                    tril(..., 1)   tril(slice_(LU, -1, ...), -1)   ...
    if n > k:                                       if True:   if False:

The mutant's code is put into the function for as long as gradients are asked for, so that whoever calls the function
calls the mutant.  It is judged as other mutants are (mutants.py): by the gradients of the calls to which the samples
lead.  A function that several formulas call has to be noticed by one of them.
"""

import ast
import collections
import copy
import functools
import inspect
import random
import re
import textwrap
import types
import warnings
from contextlib import contextmanager

import numpy as np

from minigrad._core.graph import Tensor, wrap
from minigrad.autograd import grad
from tests.ops.algebra.of_matrices import FUNCTIONS
from tests.ops.algebra.of_matrices import random as matrices
from tests.ops.calling import calls_of_rows

from . import ledger
from .mutants import CALLS, COMMUTATIVE, MASKS, Result, differs, numbers

Mutant = collections.namedtuple("Mutant", "function, what, code")

#: (pattern of "function: change", why it gives the same gradient, or what else notices it)
EQUIVALENT = [
    (r"`zeros_of\(\w+\)` (negated|doubled|is operand 0|with \w+ for \w+)$", "zeros are zeros, and spread"),
    (r"`\w+ \* 0` (negated|doubled)$", "zeros are zeros"),
    (r"`p == ([12]|inf)` never|`[012]` in `(p == [12]|\(0, 1, inf\))`", "the formula for any p gives the same"),
    (r"slopes: `unit if p == 2 else .*` never", "the formula for any p gives the same"),
    (r"bends: `(divide_or_zero\(x, )?unsqueeze\(lengths, -1\)\)?` negated", "the absolute value is taken"),
    (r"bends: `zeros_of\(x\) \+ 1` is operand 1", "it spreads"),
    (r"bent: `differences\(x1, x2\)` negated", "a second derivative of an even function is even"),
    (r"`(eig|eigh_lower|eigh_upper|lstsq_rows|step_of_reflections)\([^`]*` doubled",
     "a tuple twice, of which a part is taken"),
    (r"`1` in `\w+\(.*\)\[1\]` negated", "of two, the last"),
    (r"`2` in `:2` and 1 more", "there are two"),
    (r"`(\w+_counts|\w+_number|is_old|factor_\w+)\([^`]*` with (d|result) for self", "its shape and size alone count"),
    (r"`slopes_of_products\([^`]*` with (d|result) for self", "of what is not old, no number counts"),
    (r"old_slope: `extreme_ties\(", "nothing reaches an element that is not the extreme"),
    (r"`(old_counts|is_old|begins)\([^`]*` doubled", "a mask of True and False"),
    (r"product_of_the_others: .*negated", "two such products are multiplied"),
    (r"product_of_the_others: .*(swapped|is operand 1)$", "it is kept where the mask is True, as one"),
    (r"eig_vjp: `real\(", "`check_phase` lets no imaginary part through"),
    (r": `off_diagonal\(.*is operand 0", "the gap of a value from itself is infinite"),
    (r"factor_vjp: .*tri[lu]\(", "`step_of_factors` reads one triangle"),
    (r"step_of_factors: `(m > k|n > k|slice_\(.* if .*)` always", "the first of all rows, or columns, are all"),
    (r"step_of_factors: `True` in .* is the other", "the diagonal of L is ones, read or not"),
    (r"differential_vjp: `2( \* n`|` in `2 \* n`)", "a slice ends where the dim does"),
    (r"differential_vjp: `cat\(\[zeros_of\(d\), zeros_of\(d\)\], -1\)`", "zeros are zeros"),
    (r"(again_vjp|solve_again B): `solve_again\(.* for A$", "if L and U are given, A counts in derivatives alone"),
    (r"`-?[12]` in `(self|input|U)\.shape\[-[12]\]` (negated|and 1 more)|`self_shape\[0\]`",
     "the matrix is square, or it only decides which way is the cheaper one"),
    (r"pinv_vjp: `self\.shape\[-2\] <= self\.shape\[-1\]`", "two orders of the same factors"),
    (r"qr_vjp: `(mode == 'complete'|m > n)` never", "test_decompositions.py has the refusals"),
    (r"(step_of_reflections: `k != n`|reflection_vectors: `.*) always", "the first of all columns are all"),
    (r"mixing: `(1` in `)?triu\(", "`solve_triangular` reads what is above the diagonal"),
    (r"^reduced_(old|src): `reduce == 'add'` always", "the derivative of any other is refused: test_indexing.py"),
    (r"^no_scatter_derivative:", "it makes an error"),
    (r"svd_vjp: `U\.dtype\.is_complex and|svd_vjp: `turn_V is not None` always",
     "of real vectors the diagonal is zero, and so it is if only U counts, or the phase would"),
    (r"svd_vjp: `.*(without operand 1|\.shape\[-[12]\]` always)", "without other columns, nothing is outward"),
    (r"whole_svd_vjp: `adjoint\(Vh\)` negated", "they come in pairs"),
    (r"of_first: `m == n` never", "of no other columns, zero"),
]


# ------------------------------------------------------------------------------ which functions there are


def formulas():
    """Yield (row, formula) for each formula that cannot be a program."""
    for row in ledger.rows():
        for formula in row.formulas:
            if not row.traceable:
                yield row, formula


@functools.cache
def users():
    """{function: [(row, formula), ...]}: each text, and each function of the table's modules that it reaches."""
    found = {}
    for row, formula in formulas():
        for function in reached(formula.text, []):
            found.setdefault(function, []).append((row, formula))
    return found


def functions(rows):
    """The functions that formulas of these rows reach."""
    return [function for function, of in users().items() if any([row in rows for row, _ in of])]


def reached(function, found):
    if function not in found:
        found.append(function)
        for name in names_in(function.__code__):
            other = function.__globals__.get(name)
            if type(other) is types.FunctionType and other.__module__.startswith("minigrad.ops."):
                reached(other, found)
    return found


def names_in(code):
    names = set(code.co_names)
    for each in code.co_consts:
        if isinstance(each, types.CodeType):
            names.update(names_in(each))
    return sorted(names)


# ------------------------------------------------------------------------------ spoiling a function


@functools.cache
def module_tree(path):
    with open(path) as file:
        return ast.parse(file.read())


def tree_of(function):
    """The syntax tree of a ``def`` or a ``lambda``, found by its line and its parameters."""
    code = function.__code__
    for node in ast.walk(module_tree(inspect.getsourcefile(function))):
        if isinstance(node, (ast.FunctionDef, ast.Lambda)) and node.lineno == code.co_firstlineno:
            if [each.arg for each in node.args.args] == [*code.co_varnames[:code.co_argcount]]:
                return node
    raise LookupError(f"{function.__qualname__} is not at line {code.co_firstlineno}")


def compiled(tree):
    """The code object of a function with this tree."""
    tree = ast.fix_missing_locations(tree)
    if isinstance(tree, ast.Lambda):
        module = compile(ast.Expression(tree), "<mutant>", "eval")
    else:
        module = compile(ast.Module([tree], []), "<mutant>", "exec")
    return next(each for each in module.co_consts if isinstance(each, types.CodeType))


def mutants(function):
    """Yield every small change."""
    tree = tree_of(function)
    arguments = [each.arg for each in tree.args.args]
    name = getattr(tree, "name", None) or next(f"{row.name} {formula.of}" for row, formula in users()[function]
                                               if formula.text is function)
    for node, around in expressions(tree.body):
        where = f" in `{shown(around)}`" if is_number(node) else ""
        for what, wrong in changes(node, arguments):
            if ast.dump(wrong) != ast.dump(node):
                yield Mutant(function, f"{name}: `{shown(node)}`{where} {what}",
                             compiled(with_change(tree, node, wrong)))


def shown(node):
    return textwrap.shorten(ast.unparse(node), 60, placeholder="...")


def expressions(body):
    """Yield (node, what it is in) of what is computed, but for refusals, checks, and what is assigned to."""
    if isinstance(body, ast.expr):
        yield from within(body, body)
        return
    for statement in body:
        if isinstance(statement, (ast.Raise, ast.Expr)):
            continue
        targets = getattr(statement, "targets", [])
        for each in ast.iter_child_nodes(statement):
            if isinstance(each, ast.stmt):
                yield from expressions([each])
            elif isinstance(each, ast.expr) and each not in targets:
                yield from within(each, each)


def within(node, around):
    if isinstance(node, ast.expr):
        yield node, around
    for each in ast.iter_child_nodes(node) if not is_number(node) else ():
        yield from within(each, node)


def is_number(node):
    return isinstance(node, ast.Constant) or isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant)


#: what gives no gradient: its negative and its double would be nonsense, or the same
NO_NUMBERS = {"int", "len", "max", "min", "range", "sum", "tuple", "error", "raised", *MASKS}


def changes(node, arguments):
    """Yield (what is changed, what is put there)."""
    match node:
        case ast.Call(ast.Name(name), args):
            if name not in NO_NUMBERS:
                yield from scaled(node)
            if name not in ("int", "tuple"):
                for k, each in enumerate(args):
                    yield f"is operand {k}", each
                    yield from others(node, "args", k, arguments)
            if len(args) > 1 and name not in {"total", "max", "min", *COMMUTATIVE}:
                yield "swapped", ast.Call(node.func, [args[1], args[0], *args[2:]], node.keywords)
        case ast.BinOp(left, op, right):
            yield from scaled(node)
            yield "is operand 0", left
            yield "is operand 1", right
            yield from others(node, "left", None, arguments)
            yield from others(node, "right", None, arguments)
            if not isinstance(op, (ast.Add, ast.Mult)):
                yield "swapped", ast.BinOp(right, op, left)
        case ast.UnaryOp(ast.USub(), operand) if not isinstance(operand, ast.Constant):
            yield "is its operand", operand
        case ast.Constant(bool(value)):
            yield "is the other", ast.Constant(not value)
        case ast.Constant(int(value) | float(value)) | ast.UnaryOp(ast.USub(), ast.Constant(int(value) | float(value))):
            value = value if isinstance(node, ast.Constant) else -value
            yield "negated", ast.Constant(-value)
            yield "and 1 more", ast.Constant(value + 1)
        case ast.IfExp(test, body, orelse):
            yield "always", body
            yield "never", orelse
        case ast.Compare():
            yield "always", ast.Constant(True)
            yield "never", ast.Constant(False)
        case ast.BoolOp(op, values):
            for k in range(len(values)):
                rest = values[:k] + values[k + 1:]
                yield f"without operand {k}", rest[0] if len(rest) == 1 else ast.BoolOp(op, rest)


def scaled(node):
    yield "negated", ast.UnaryOp(ast.USub(), node)
    yield "doubled", ast.BinOp(ast.Constant(2), ast.Mult(), node)


def others(node, field, k, arguments):
    """Another input of the function for an operand that is one."""
    given = getattr(node, field) if k is None else getattr(node, field)[k]
    if isinstance(given, ast.Name) and given.id in arguments:
        for other in arguments:
            changed = copy.copy(node)
            name = ast.Name(other, ast.Load())
            setattr(changed, field, name if k is None else [*node.args[:k], name, *node.args[k + 1:]])
            yield f"with {other} for {given.id}", changed


def with_change(tree, node, wrong):
    """A copy of the tree with another node for this one."""
    tree, node, wrong = copy.deepcopy((tree, node, wrong))

    class Replacement(ast.NodeTransformer):
        def visit(self, each):
            return wrong if each is node else self.generic_visit(each)

    return Replacement().visit(tree)


@contextmanager
def in_place_of(function, code):
    right, function.__code__ = function.__code__, code
    try:
        yield
    finally:
        function.__code__ = right


# ------------------------------------------------------------------------------ judging it

Question = collections.namedtuple("Question", "outputs, input, cotangents, gradient")


@functools.cache
def questions(row, of):
    """What is asked for: the gradient for the input ``of``, of all outputs together and of each alone."""
    found, calls = [], list(calls_of_rows().get(row.name, []))
    rng = np.random.default_rng(len(row.name))
    random.Random(row.name).shuffle(calls)
    for call in calls[:CALLS]:
        given = dict(zip(row.params, map(with_tensors, call)))
        x = given[of]
        if isinstance(x, Tensor) and (x.is_floating_point() or x.is_complex()):
            x.requires_grad_()
            args = [given[name] for name in row.params[:row.n_positional]]
            options = {name: given[name] for name in row.params[row.n_positional:] if name in given}
            try:
                outputs = row(*args, **options)
            except (RuntimeError, ValueError, TypeError, IndexError):
                continue
            found += asked_of(rng, outputs, x)
    return found


@functools.cache
def questions_of_matrices():
    """The same of what the tests differentiate besides."""
    found, rng = [], np.random.default_rng(0)
    for function, shapes in FUNCTIONS:
        for shape in shapes:
            for complex in (False, True):
                x = matrices(*shape, complex=complex)
                found += asked_of(rng, function(x), x)
    return found


def asked_of(rng, outputs, x):
    found = []
    outputs = [y for y in (outputs if isinstance(outputs, (list, tuple)) else [outputs]) if y.requires_grad]
    for some in [outputs, *([y] for y in outputs if len(outputs) > 1)]:
        for cotangents in of_any_phase(rng, some), of_no_phase(rng, some):
            try:
                gradient = answer(some, x, cotangents)
            except RuntimeError:
                continue
            if gradient is not None:
                found.append(Question(some, x, cotangents, gradient))
    return found


def with_tensors(x):
    if isinstance(x, np.ndarray):
        return wrap(x.copy())
    return type(x)(map(with_tensors, x)) if isinstance(x, (list, tuple)) else x


def of_any_phase(rng, outputs):
    return [wrap(numbers(rng, y.detach().numpy())) for y in outputs]


def of_no_phase(rng, outputs):
    """Those of a loss that sees only how large each number is, as a loss of eigenvectors must."""
    return [wrap(rng.standard_normal(y.shape) * y.detach().numpy()) for y in outputs]


def answer(outputs, x, cotangents):
    found, = grad(outputs, x, cotangents, retain_graph=True, allow_unused=True)
    return None if found is None else found.numpy()


def is_noticed(mutant, asked):
    with in_place_of(mutant.function, mutant.code):
        for question in asked:
            try:
                found = answer(*question[:3])
            except Exception:
                return True
            if found is None or differs([question.gradient], [found]):
                return True
    return False


def judge(function):
    """How many mutants of this function are noticed, and what those are that are not."""
    noticed, survivors = 0, []
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        asked = [each for row, formula in users()[function] for each in questions(row, formula.of)]
        if ".algebra." in function.__module__:
            asked += questions_of_matrices()
        for mutant in mutants(function):
            if is_noticed(mutant, asked):
                noticed += 1
            else:
                survivors.append(mutant.what)
    return Result(noticed, survivors, None)


def why_equivalent(survivor):
    return next((why for pattern, why in EQUIVALENT if re.search(pattern, survivor)), None)
