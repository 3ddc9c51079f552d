"""A player of an expression that somebody typed: ``minigrad.viz.play_expression("sin(x) * y + x", {"x": 1, "y": 2})``.

The text is Python, but it is not run as Python.  It is parsed, and each node of the syntax tree that is in ``RULES`` is
computed here: numbers, the given variables, arithmetic, indices, and calls of the operations in the table.  Anything
else is refused, so a page or a bot may pass on what its readers type: an expression cannot open a file, import a module
or reach an attribute.
"""

import ast
import operator
from difflib import get_close_matches
from keyword import iskeyword
from math import e, pi

from minigrad._core.errors import error
from minigrad._core.graph import Tensor
from minigrad.creation import tensor
from minigrad.ops.exports import NN_REGISTRY, REGISTRY
from minigrad.viz.derivation import EveryStep
from minigrad.viz.player import rehearsed
from minigrad.viz.recording import Block

__all__ = ["derive_expression", "play_expression"]

#: The longest expression; a deeper one could not be drawn.
LONGEST = 1000

CALLER = "viz.play_expression()"
CONSTANTS = {"pi": pi, "e": e}
OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
             ast.Pow: operator.pow, ast.MatMult: operator.matmul, ast.USub: operator.neg, ast.UAdd: operator.pos,
             ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Eq: operator.eq,
             ast.NotEq: operator.ne}

#: What may precede the name of a function, and what may follow a tensor without a call.
MODULES = ("torch", "F", "nn.functional", "torch.nn.functional", "minigrad")
ATTRIBUTES = ("T", "mT", "H", "mH", "real", "imag")


def play_expression(expression, variables, *, ask=False):
    """Compute an expression, rehearse its backward pass, and return a :class:`Player` to watch it.

    Parameters
    ----------
    expression : str
        such as ``"sin(x) * y + x"``: numbers, variables, arithmetic, indices, and PyTorch's functions, with or without
        ``torch.`` before them, or as methods. Its result has a single element.
    variables : dict
        the value of each variable in it: a number, a list, or a nested list. It becomes a leaf of the default dtype
        that requires grad. A tensor is taken as it is.
    ask : bool
        ask for each gradient before it is shown, as in :func:`play`.

    Raises: RuntimeError for an expression that cannot be read, for a name that is neither a variable nor a function,
    and for a result that has several elements or needs no gradient; TypeError for a value that is not made of numbers.

    >>> player = minigrad.viz.play_expression("sin(x) * y + x", {"x": 1, "y": 2})
    >>> player
    <Player of 1 backward pass, 5 steps: shown in a notebook, saved by .save('pass.html'), told by print()>
    >>> [(step.leaf, step.after.text) for step in player.steps if step.leaf]
    [('y', '0.8415'), ('x', '2.0806')]
    >>> minigrad.viz.play_expression("sine(x)", {"x": 1})
    Traceback (most recent call last):
    minigrad._core.errors.AutogradRuntimeError: viz.play_expression(): there is no function 'sine'; did you mean ...
    """
    tree, leaves, result, written = recorded(expression, variables)
    named = {id(leaf): (name, leaf) for name, leaf in leaves.items()} | {id(result): (ast.unparse(tree), result)}
    return rehearsed(result, None, lambda: named, CALLER, ask, written)


def derive_expression(expression, variables, *, level=3):
    """The :class:`Derivation` of an expression, which is read as by :func:`play_expression`.

    >>> from minigrad.viz.expressions import derive_expression
    >>> print(*derive_expression("sin(x) * y + x", {"x": 1, "y": 2}).backward, sep="\\n")
    ∇result = 1
    y̅ = sin(x)
    x̅ = 1 + y * cos(x)
    """
    _, _, result, written = recorded(expression, variables)
    return EveryStep(written, written.pass_of(result)).at(level)


def recorded(expression, variables):
    """(the syntax tree, {name: leaf}, the result, the recording)."""
    with Block() as written:
        tree, leaves, result = computed(expression, variables)
    for name, tensor in (*leaves.items(), ("result", result)):
        if written.quantity(tensor) is not None:
            written.quantity(tensor).name = name
    return tree, leaves, result, written


def computed(expression, variables):
    """(the syntax tree, {name: leaf}, the result)."""
    tree = parsed(expression)
    leaves = {name: leaf_of(name, value) for name, value in variables.items()}
    try:
        result = value_of(tree, leaves)
    except RecursionError:
        raise refused("the expression is nested too deeply") from None
    except ArithmeticError as problem:
        raise refused(f"a number in the expression cannot be computed: {problem.args[-1]}") from None
    check_names(tree, leaves)
    check_result(tree, result)
    return tree, leaves, result


def leaf_of(name, value):
    """The tensor for a value."""
    if not isinstance(name, str) or not name.isidentifier() or iskeyword(name) or name in ("torch", "F", "minigrad"):
        raise refused(f"{name!r} cannot be the name of a variable; a letter can, such as x")
    if isinstance(value, Tensor):
        return value
    if not made_of_numbers(value):
        raise error("MG205", f"{CALLER}: the value of {name} must be a number, or a list of numbers, not "
                             f"{value!r}")
    try:
        made = tensor(value)
    except ValueError:
        raise refused(f"the value of {name}, {value!r}, has rows of different lengths") from None
    made = made if made.is_floating_point() or made.is_complex() else made.float()
    return made.requires_grad_()


def made_of_numbers(value):
    if isinstance(value, (list, tuple)):
        return bool(value) and all(map(made_of_numbers, value))
    return isinstance(value, (int, float, complex)) and not isinstance(value, bool)


def check_names(tree, leaves):
    mentioned = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    for name in leaves:
        if name not in mentioned:
            raise refused(f"{name} was given a value, and {ast.unparse(tree)!r} does not mention it")


def check_result(tree, result):
    expression = ast.unparse(tree)
    if not isinstance(result, Tensor) or not result.requires_grad:
        raise refused(f"the result of {expression!r} depends on no variable, so there is no gradient to watch; write "
                      "one, as in x * x, and give it a value")
    if result.numel() != 1:
        raise refused(f"the result of {expression!r} has the shape {tuple(result.shape)}, and a backward pass begins "
                      f"at a single number; write sum({expression})")
    if result.grad_fn is None:
        raise refused(f"{expression!r} is a variable alone, and nothing is computed; write an operation, as in x * x")


def refused(why):
    return error("MG204", f"{CALLER}: {why}")


# ------------------------------------------------------------------------------ reading

def parsed(expression):
    """The syntax tree of the expression."""
    if not isinstance(expression, str):
        raise error("MG205", f"{CALLER}: expected an expression as a str, such as 'sin(x) * y', but got "
                             f"'{type(expression).__name__}'")
    expression = " ".join(expression.split())
    if len(expression) > LONGEST:
        raise refused(f"the expression has {len(expression)} characters, and at most {LONGEST} can be played")
    try:
        return ast.parse(expression, mode="eval").body
    except (MemoryError, RecursionError):
        raise refused("the expression is nested too deeply") from None
    except (SyntaxError, ValueError) as problem:
        place = expression[problem.offset - 1:][:12] if getattr(problem, "offset", None) else ""
        where = f" at {place!r}" if place else ""
        shown = expression if len(expression) <= 60 else expression[:59] + "…"
        raise refused(f"{shown!r} is not an expression of Python{where}: {getattr(problem, 'msg', problem)}") from None


def value_of(node, variables):
    """The value of a part of the tree."""
    rule = RULES.get(type(node))
    if rule is None:
        raise refused(f"{ast.unparse(node)!r} cannot be part of an expression: it consists of numbers, variables, "
                      "+ - * / ** @, comparisons, indices and calls of functions")
    return rule(node, lambda part: value_of(part, variables), variables)


def of_name(node, of, variables):
    if node.id in variables:
        return variables[node.id]
    if node.id in CONSTANTS:
        return CONSTANTS[node.id]
    if node.id in REGISTRY or node.id in NN_REGISTRY:
        raise refused(f"{node.id} is a function, and is called with its arguments, as in {node.id}(x)")
    raise refused(f"{node.id} has no value; give it one, as in {{{node.id!r}: 2}}")


def of_operation(node, of, variables):
    """Arithmetic of tensors and numbers.  A power of two numbers is one of floats: that of integers may be endless."""
    parts = [node.left, node.right] if isinstance(node, ast.BinOp) else [node.operand]
    operands = list(map(of, parts))
    sign = OPERATORS.get(type(node.op))
    if sign is None:
        hint = "; a power is written x ** 2" if isinstance(node.op, ast.BitXor) else ""
        raise refused(f"{ast.unparse(node)!r} cannot be computed: an expression has + - * / ** and @{hint}")
    for part, operand in zip(parts, operands):
        if not isinstance(operand, (Tensor, int, float, complex)):
            raise refused(f"{ast.unparse(part)!r} in {ast.unparse(node)!r} is neither a tensor nor a number")
    if isinstance(node.op, ast.Pow) and not any([isinstance(operand, Tensor) for operand in operands]):
        operands[0] = operands[0] * 1.0
    return sign(*operands)


def of_comparison(node, of, variables):
    if len(node.ops) > 1 or type(node.ops[0]) not in OPERATORS:
        raise refused(f"{ast.unparse(node)!r} cannot be computed: a comparison has two sides, as in x > 0")
    return OPERATORS[type(node.ops[0])](of(node.left), of(node.comparators[0]))


def of_call(node, of, variables):
    """A call of an operation: ``sin(x)``, ``torch.sin(x)``, or ``x.sin()``."""
    before = []
    if isinstance(node.func, ast.Name):
        name = node.func.id
    elif isinstance(node.func, ast.Attribute):
        name = node.func.attr
        before = [] if ast.unparse(node.func.value) in MODULES else [of(node.func.value)]
    else:
        raise refused(f"{ast.unparse(node.func)!r} is not the name of a function")
    function = None if name.startswith("_") or name.endswith("_") else REGISTRY.get(name) or NN_REGISTRY.get(name)
    if function is None:
        raise no_function(name)
    if any([isinstance(part, ast.Starred) for part in node.args]) or any([part.arg is None for part in node.keywords]):
        raise refused(f"{ast.unparse(node)!r} has a star; write the arguments one by one")
    return function(*before, *map(of, node.args), **{part.arg: of(part.value) for part in node.keywords})


def no_function(name):
    names = [each for each in [*REGISTRY, *NN_REGISTRY] if not each.startswith("_")]
    close = get_close_matches({"ln": "log"}.get(name, name), names, n=2, cutoff=0.6)
    hint = f"did you mean {' or '.join(map(repr, close))}?" if close else "it knows PyTorch's, such as sin, exp and sum"
    return refused(f"there is no function {name!r}; {hint}")


def of_attribute(node, of, variables):
    """``x.T`` and the few like it."""
    if node.attr not in ATTRIBUTES:
        raise refused(f"{ast.unparse(node)!r} cannot be computed: without a call, a tensor has {', '.join(ATTRIBUTES)}")
    base = of(node.value)
    if not isinstance(base, Tensor):
        raise refused(f"{ast.unparse(node.value)!r} in {ast.unparse(node)!r} is not a tensor")
    return getattr(base, node.attr)


def of_item(node, of, variables):
    base = of(node.value)
    if not isinstance(base, (Tensor, tuple, list)):
        raise refused(f"{ast.unparse(node.value)!r} in {ast.unparse(node)!r} has no entries")
    return base[of(node.slice)]


def of_slice(node, of, variables):
    return slice(*[None if part is None else of(part) for part in (node.lower, node.upper, node.step)])


#: How each kind of node is computed.
RULES = {
    ast.Constant: lambda node, of, variables: node.value,
    ast.Name: of_name,
    ast.BinOp: of_operation,
    ast.UnaryOp: of_operation,
    ast.Compare: of_comparison,
    ast.Call: of_call,
    ast.Attribute: of_attribute,
    ast.Subscript: of_item,
    ast.Slice: of_slice,
    ast.Tuple: lambda node, of, variables: tuple([of(part) for part in node.elts]),
    ast.List: lambda node, of, variables: [of(part) for part in node.elts],
}
