"""A pass as a program: ``print(minigrad.viz.code(loss))`` writes Python that needs NumPy alone.

A recording (recording.py) has every call of a row, forward and back.  Here each becomes one line::

    Call mm [x, w] -> [.]               mm = x @ w
    Call tanh [.] -> [h]                h = np.tanh(mm)
    Call tanh_backward [d, h] -> [.]    d_mm = d_h * (1 - h * h)
    Call sum_to [d, (3,)] -> [.]        d_b = d_add.sum(axis=0)

A line is *tried* as soon as it is written: it runs on the numbers of the lines before it, and what it gives is held
against what was computed.  First the short way of a row is tried (numpy_words.py), then its general way with the
functions that this takes (table_source.py); if neither gives the result, the program is refused.  So a program that is
handed out has been run.  Then lines that repeat become loops (loops.py), and the program is run once more, as a whole.

Note [Memory]
-------------
NumPy's views show the memory of their base, as ours do, and writes reach it in the same way.  So a write is written as
it was, ``x[...] = x * 2``, and views need no lines of their own to follow.  Where a formula needs what a tensor was
before a write, a copy is made before it.
"""

import ast
import builtins
import io
import keyword
import sys
import warnings
from pathlib import Path

import numpy as np

from minigrad._core.dispatch.compute import general_way
from minigrad._core.errors import error, shown_path
from minigrad._core.graph import Tensor
from minigrad._core.runtime.errstate import quiet
from minigrad.notation.rows import name_of, written
from minigrad.viz import numpy_words
from minigrad.viz.loops import folded
from minigrad.viz.recording import Quantity, after_a_number, asked_for, place_of
from minigrad.viz.replay import replayed
from minigrad.viz.sheet import program_as_html
from minigrad.viz.table_source import Source, Untranslatable, literal

__all__ = ["Program", "code"]

#: An input with more numbers than this is kept in a file beside the program.
LARGE = 400

WIDTH = 120


class Program:
    """The result of :func:`code`: a program in Python, and the inputs that are too large for it.

    ``str()`` and ``print()`` show the program; ``save(path)`` writes it, and ``path.npz`` with large inputs beside it.
    ``run()`` runs it here, and returns its variables. ``results`` has (what it is, the expression for it) of the result
    and each gradient; ``run()`` has the values of these expressions, too.
    """

    def __init__(self, text, data, results):
        self.text, self.data, self.results = text, data, results
        self.steps = []             # of a backward pass: the lines of each of its nodes

    def save(self, path):
        """Write the program to ``path``, whose name ends in ``.py``, and return the path.

        >>> x = torch.ones(2, requires_grad=True)
        >>> with minigrad.viz.recording():
        ...     y = x.sum()
        >>> minigrad.viz.code(y).save("pass.txt")
        Traceback (most recent call last):
        minigrad._core.errors.AutogradRuntimeError: Program.save(): a program is saved as .py, not '.txt'; ...
        """
        path = Path(path)
        if path.suffix != ".py":
            raise error("MG204", f"Program.save(): a program is saved as .py, not {path.suffix!r}; write "
                                 f"save({str(path.with_suffix('.py'))!r})")
        path.write_text(self.text.replace(DATA, path.with_suffix(".npz").name), encoding="utf-8")
        if self.data:
            np.savez(path.with_suffix(".npz"), **self.data)
        return path

    def run(self):
        """The variables of the program after it has run; what it would print is left out."""
        names = {"__name__": "program"}
        text = self.text
        if self.data:
            packed = io.BytesIO()
            np.savez(packed, **self.data)
            packed.seek(0)
            names["_packed"] = packed
            text = text.replace(OPENED, "_packed")
        with np.errstate(), warnings.catch_warnings():      # of NumPy, where a write makes real what was complex
            warnings.simplefilter("ignore")
            exec(compile(text.partition(PRINTING)[0], "<program>", "exec"), names)
        return names | {name: eval(name, names) for _, name in self.results}

    def __str__(self):
        return self.text

    def _repr_html_(self):
        return program_as_html(self.text)

    def __repr__(self):
        return (f"<Program of {len(self.text.splitlines())} lines: shown in a notebook, told by print(), saved by "
                ".save('step.py')>")


DATA = "inputs.npz"
OPENED = "Path(__file__).with_name('inputs.npz')"
PRINTING = "# ---- the results, in full\n"


def code(what, *inputs, gradient=None, mode="reverse", fold=True):
    """Write a pass as a program in Python that needs NumPy alone, and computes the same result and gradients.

    ``code(loss)`` writes what was recorded of a loss in a block of :func:`recording`, and its backward pass, which is
    rehearsed if it has not run; ``code(f, *inputs)`` records ``f(*inputs)`` for itself, and inputs of floating point
    are the leaves.

    Parameters
    ----------
    what : Tensor, or a function
    gradient : Tensor
        the gradient to start from, if the result has several elements.
    mode : str
        "reverse"; or "forward" for the tangent of the result, where each leaf moves by ones.
    fold : bool
        write lines that repeat as a loop ``for t in range(...)``, and those of the backward pass as one that runs
        down; with ``fold=False`` each line is written.

    Returns a :class:`Program`. The text has one line for each step, or a loop for steps that repeat, with the names
    of your variables; each node of the pass has a comment with its rule and the line of yours that it comes from;
    sums over what was broadcast and where paths meet are lines like all others. Whatever was drawn at random is an
    input.

    Raises: RuntimeError for a loss that was not recorded, and for an operation that has no program, with the reason.

    >>> x = torch.tensor([1., 2.], requires_grad=True)
    >>> with minigrad.viz.recording():
    ...     y = (x * x).sum()
    >>> program = minigrad.viz.code(y)
    >>> program.run()["d_x"]
    array([2., 4.], dtype=float32)
    """
    if mode not in ("reverse", "forward"):
        raise error("MG204", f"viz.code(): mode is 'reverse' or 'forward', not {mode!r}")
    made, what = asked_for("viz.code", what, inputs, sys._getframe(1))
    if mode == "forward":
        return forward_program(made, made.quantity(what), fold)
    return reverse_program(made, made.quantity(what), made.pass_of(what, gradient), fold)


def program_of(made, mode="reverse"):
    """The program of the last backward pass of a recording."""
    passes = [each for each in made.passes if not each.failed and each.roots and each.roots[0] is not None]
    if not passes:
        raise error("MG204", "there is no backward pass in the script to write as a program: call backward(), or give "
                             "a loss to viz.code()")
    if mode == "forward":
        return forward_program(made, passes[-1].roots[0])
    return reverse_program(made, passes[-1].roots[0], passes[-1])


# ------------------------------------------------------------------------------ writing

class Writer:
    """Writes lines, and runs each."""

    def __init__(self, made):
        self.made = made
        self.lines = []
        self.where = None                       # the line of the user to which the last ones belong
        self.names = {}                         # Quantity -> its variable
        self.taken = {*dir(builtins), *keyword.kwlist, "np", "special", "math", "functools", "itertools", "operator",
                      "sys", "types", "Path", "data"}
        self.space = {"np": np}
        self.source = Source(self.taken, self.define)
        self.inputs, self.data = [], {}
        self.hints = {}                         # Quantity -> a name for one that has none
        self.reserved = {}                      # Quantity -> its variable, which is not written yet
        self.follows = {}                       # Quantity -> (prefix, the Quantity after which it is called)
        self.moved = {}                         # Quantity -> how far it is, by rounding, from what was computed
        self.copied = {}                        # Quantity -> the variable of a copy from before a write
        self.read_later = {}                    # number of a write -> the quantities to copy before it

    def define(self, text):
        for line in self.source.imports:
            exec(line, self.space)
        exec(text, self.space)

    def new_name(self, hint):
        return self.source.new_name(hint)

    def say(self, text=""):
        self.lines.append(text)

    # -------------------------------------------------------------------------- quantities

    def name(self, quantity):
        """The variable of a quantity; an input is written the first time it is asked for."""
        if quantity in self.copied:
            return self.copied[quantity]
        if quantity not in self.names:
            if quantity.kind == "result" and quantity.before is not None and quantity.start is None:
                self.names[quantity] = self.name(quantity.before)
            elif quantity.start is not None:
                self.input(quantity)
            else:
                raise refused(quantity.call, "what it was given was not recorded")
        return self.names[quantity]

    def variable_for(self, quantity):
        """A new variable."""
        if quantity in self.reserved:
            self.names[quantity] = self.reserved[quantity]
            return self.names[quantity]
        hint = identifier(quantity.name) or self.hints.get(quantity, "")
        if not hint and quantity in self.follows:
            prefix, of = self.follows[quantity]
            hint = prefix + (self.names.get(of) or identifier(of.name)) if of in self.names or of.name else ""
        if not hint and quantity.call is not None:
            hint = identifier(quantity.call.op.function.strip("_"))
        name = self.new_name(hint or "given")
        self.names[quantity] = name
        return name

    def input(self, quantity):
        name = self.variable_for(quantity)
        if quantity.start.dtype.kind == "V":
            raise Untranslatable(f"NumPy has no dtype {quantity.start.dtype.name}")
        start = quantity.start
        if start.size > LARGE:
            self.data[name] = start
            self.inputs.append(f'{name} = data["{name}"]')
        else:
            self.inputs.append(f'{name} = {shown(start)}')
        # In the layout that it had, on which it depends which results are views.
        if start.ndim > 1 and not start.flags.c_contiguous:
            order = sorted(range(start.ndim), key=lambda i: -abs(start.strides[i]))
            if order != list(range(start.ndim)):
                back = tuple(np.argsort(order).tolist())
                self.inputs[-1] += f".transpose({tuple(order)}).copy().transpose({back})"
        self.space[name] = start.copy("K")

    # -------------------------------------------------------------------------- calls

    def forward(self, call):
        """The lines of a call of the forward pass, below the line of the user that made it."""
        where = (call.line, call.module)
        if call.line is not None and where != self.where:
            self.where = where
            inside = f"   in {call.module}" if call.module else ""
            self.say(f"\n{cut(f'# {place_in(call.line)}{inside}')}")
        self.call(call, call.function)

    def call(self, call, comment=""):
        """The lines of a call."""
        if call.op.draws:
            for quantity in call.results:
                self.drawn(call, quantity)
            return
        if call.op.is_view and not call.in_place and self.same(call):
            return
        target = call.arguments[0] if call.in_place else None
        try:
            texts, prepared, kernel = self.arguments(call)
            reasons = []
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                for expression, exact in self.ways(call, texts, prepared, kernel, reasons):
                    if self.tried(call, expression, target, comment, exact):
                        return
                    reasons.append("what NumPy gives differs from what was computed, as it may where a leaf is written "
                                   "to through another tensor")
        except Untranslatable as reason:
            raise refused(call, str(reason)) from None
        raise refused(call, reasons[-1] if reasons else "its row has no way in NumPy")

    def same(self, call):
        """A view of the whole, in which nothing is written, needs no variable of its own."""
        given, result = call.arguments[0], call.results[0]
        if len(call.results) > 1 or place_of(given.array) != place_of(result.array) or self.made.memory_of(result):
            return False
        self.names[result], self.moved[result] = self.name(given), self.moved.get(given, 0)
        return True

    def drawn(self, call, quantity):
        if call.in_place:
            name = self.name(call.arguments[0])
            drawn = self.new_name(f"{name}_drawn")
            self.names[quantity] = drawn
            self.data_or_line(drawn, quantity.start)
            self.say(f"{name}[...] = {drawn}    # {call.op.shown}: as it was drawn")
            self.space[name][...] = quantity.start
            self.names[quantity] = name
        else:
            self.name(quantity)

    def data_or_line(self, name, array):
        if array.size > LARGE:
            self.data[name] = array
            self.inputs.append(f'{name} = data["{name}"]')
        else:
            self.inputs.append(f"{name} = {shown(array)}")
        self.space[name] = array

    def arguments(self, call):
        """The arguments as texts, as the general way gets them, and its kernel."""
        raw = []
        for x in call.arguments:
            if isinstance(x, Quantity):
                raw.append(self.space[self.name(x)])
            elif type(x) is list:
                raw.append([self.space[self.name(y)] if isinstance(y, Quantity) else y for y in x])
            elif isinstance(x, Tensor):
                raise Untranslatable("it was given a tensor of a transform")
            else:
                raw.append(x)
        kernel, prepared = general_way(call.op, *raw)
        texts = [self.text(x, given, ready) for x, given, ready in zip(call.arguments, raw, prepared)]
        return texts, prepared, kernel

    def text(self, x, given, ready):
        """An argument of the kernel as an expression."""
        if isinstance(x, Quantity):
            name = self.name(x)
            same = ready is given or not isinstance(ready, np.ndarray) or ready.dtype == given.dtype
            return Expression(name if same else f'{name}.astype("{ready.dtype.name}")')
        if type(x) is list:
            return [self.text(*each) if isinstance(each[0], Quantity) else Expression(literal(each[0]))
                    for each in zip(x, given, ready)]
        if isinstance(ready, np.ndarray):                       # a number among tensors
            return Number(given, f'np.asarray({literal(given)}, "{ready.dtype.name}")')
        return ready

    def ways(self, call, texts, prepared, kernel, reasons):
        """The expressions for a call, the short one first, and whether its dtype must be that of the result."""
        op = call.op
        if op.name in numpy_words.OF_ARRAYS:
            yield numpy_words.OF_ARRAYS[op.name](texts[0], prepared[0], *texts[1:]), not call.in_place
        elif op.name in numpy_words.SHORT:
            short = numpy_words.SHORT[op.name](*[short_text(x) if isinstance(x, Number) else x for x in texts])
            if short is not None:
                yield str(short_text(short)), not call.in_place
        elif isinstance(call.arguments[0], Quantity) and not call.in_place and len(call.results) == 1 and changes_dtype(
                call):
            yield f'{texts[0]}.astype("{call.results[0].array.dtype.name}")', True
        try:
            name = self.source.name_of(kernel, identifier(op.function.strip("_")))
            for line in self.source.imports:
                exec(line, self.space)
            yield f"{name}({', '.join(map(full_text, texts))})", False
        except Untranslatable as reason:
            reasons.append(str(reason))
        except ImportError as reason:
            reasons.append(f"it needs {reason.name}")

    def tried(self, call, expression, target, comment, exact):
        """Run a line; write it if it gives what was computed."""
        wanted = [q.array for q in call.results]
        before = self.saved(call)
        several = len(wanted) > 1 or bool(call.op.outputs) or call.op.list_output
        try:
            with quiet():
                got = eval(expression, self.space)
            got = list(got) if several else [got]
        except (MemoryError, SystemError):                  # NumPy's, where it is refused memory
            raise
        except Exception:                                   # whatever it is, it is not the way
            return False
        if len(got) != len(wanted):
            return False
        given = [(magnitude(self.space[self.name(q)]), self.moved.get(q, 0)) for q in call.quantities()]
        results = []
        for mine, array, quantity in zip(got, wanted, call.results):
            change = ""                                     # what makes the result of it
            if not isinstance(mine, np.ndarray):
                if np.shape(mine) != ():
                    return False
                mine, change = np.asarray(mine), "np.asarray({})"
            if mine.dtype != array.dtype:
                if exact or mine.dtype.kind in "fc" and array.dtype.kind in "biu" or array.dtype.kind == "V":
                    return False
                mine = mine.astype(array.dtype)
                change = f'np.asarray({{}}, "{array.dtype.name}")' if change else f'{{}}.astype("{array.dtype.name}")'
            rounding = 256 * precision(mine) * max([magnitude(array), *[size for size, _ in given]])
            allowed = rounding + 64 * sum([moved * max(1, magnitude(array) / size if size else 1)
                                           for size, moved in given])
            moved = rounding if self.overwritten(call) else distance(mine, array)
            if mine.shape != array.shape or not moved <= allowed:
                return False
            self.moved[quantity] = moved
            results.append((mine, change))
            if not call.in_place and self.must_be_view(call, quantity, mine):
                return False
        self.write(call, expression, target, comment, results, several, before)
        return True

    def must_be_view(self, call, quantity, mine):
        """Is a view copied here through which something is written later?"""
        if not mine.size or not any([write.number > call.number for write in self.made.memory_of(quantity)]):
            return False
        return not mine.flags.writeable or any([np.may_share_memory(given.array, quantity.array)
                                                and not np.may_share_memory(self.space[self.name(given)], mine)
                                                for given in call.quantities()])

    def overwritten(self, call):
        """Was the memory of a result written to later?  Then it does not hold the result any more."""
        return any([write.number > call.number for q in call.results for write in self.made.memory_of(q)])

    def saved(self, call):
        """Copies of what is read again after a write, made before it."""
        made = []
        if call.in_place:
            for quantity in self.read_later.get(call.number, ()):
                name = self.name(quantity)
                copy = self.new_name(f"{name}_before")
                made.append((quantity, copy, f"{copy} = {name}.copy()"))
        return made

    def write(self, call, expression, target, comment, results, several, before):
        in_memory = call.in_place and call.results[0].array is target.array
        for quantity, copy, line in before:
            self.say(line)
            exec(line, self.space)
        if in_memory:
            name = self.name(target)
            self.names[call.results[0]] = name
            if not self.space[name].flags.writeable:
                raise Untranslatable("it writes to a view that NumPy takes for one that is read only")
            self.say(with_comment(f"{name}[...] = {expression}", comment))
            self.space[name][...] = results[0][0]
        elif several:
            names = [self.variable_for(q) for q in call.results]
            self.say(with_comment(f"{', '.join(names)}{',' * (len(names) == 1)} = {expression}", comment))
            for name, (mine, change) in zip(names, results):
                self.space[name] = mine
                if change:
                    self.say(f"{name} = {change.format(name)}")
        else:
            mine, change = results[0]
            if change:
                expression = change.format(f"({expression})" if change.startswith("{") and not atom(expression)
                                           else expression)
            known = call.results[0] in self.names
            name = self.names[call.results[0]] if known else self.variable_for(call.results[0])
            self.say(with_comment(f"{name} = {expression}", comment))
            self.space[name] = mine
        for quantity, copy, _ in before:
            self.copied[quantity] = copy


class Number:
    """A number among the tensors of a row: as a reader writes it, and as its kernel gets it."""

    def __init__(self, value, full):
        self.value, self.full = value, full


class Expression(str):
    """The text of an expression; other strings are arguments."""


def full_text(x):
    """An argument of a kernel."""
    if isinstance(x, Number):
        return x.full
    if isinstance(x, Expression):
        return x
    if type(x) is list and any([isinstance(y, Expression) for y in x]):
        return "[" + ", ".join(map(full_text, x)) + "]"
    return literal(x)


def short_text(x):
    """An argument for a short way: a name, a number; or what the kernel gets."""
    if isinstance(x, (Number, int, float, complex)) and not isinstance(x, bool):
        text = literal(x.value if isinstance(x, Number) else x)
        return Expression(f"({text})" if text.startswith("-") else text)
    return x


def atom(expression):
    return expression.isidentifier() or isinstance(ast.parse(expression, mode="eval").body, (ast.Call, ast.Subscript))


def magnitude(array):
    """The largest of its finite numbers, by which errors of rounding are measured."""
    if array.dtype.kind not in "fc" or not array.size:
        return 0
    with quiet():
        return float(np.max(np.abs(array), initial=0, where=np.isfinite(array)))


def changes_dtype(call):
    first, result = call.arguments[0], call.results[0]
    return first.array.dtype != result.array.dtype and first.array.shape == result.array.shape and call.op.kind in (
        "linear", "view") and first.array.dtype.kind != "c"


def place_in(line):
    """A line of the user's program, on one line."""
    return " ".join(f"{shown_path(line.file)}:{line.number}  {line.text}".split())


def with_comment(line, comment):
    if not comment:
        return line
    if len(line) > WIDTH - 24:                              # above it
        return f"{cut(f'# {comment}')}\n{line}"
    return cut(f"{line:<48}  # {comment}")


def cut(line):
    """A line that ends in a comment, not longer than the width."""
    return line if len(line) <= WIDTH else line[:WIDTH - 3] + "..."


def precision(array):
    return float(np.finfo(array.dtype).eps) if array.dtype.kind in "fc" else 0.


def distance(mine, array):
    """The largest difference; inf where shapes, infinities or nans differ."""
    if mine.shape != array.shape:
        return np.inf
    if mine.dtype.kind not in "fc":
        return 0 if np.array_equal(mine, array) else np.inf
    with quiet():
        apart = np.abs(mine - array, where=~same(mine, array), out=np.zeros(mine.shape, mine.real.dtype))
        return np.inf if np.isnan(apart).any() else float(np.max(apart, initial=0))


def same(mine, array):
    return (mine == array) | np.isnan(mine) & np.isnan(array)


def identifier(name):
    """A user's name as a variable: ``layers.0.weight`` is ``layers_0_weight``."""
    name = "".join([letter if letter.isalnum() or letter == "_" else "_" for letter in name]).strip("_")
    return after_a_number(name)


def shown(array):
    """An array as an expression that has all its digits."""
    dtype = array.dtype
    if array.size == 0:
        return f'np.zeros({array.shape}, "{dtype.name}")'
    if dtype.kind == "f":
        texts = [short_number(x) for x in array.ravel()] if np.all(np.isfinite(array)) else ["0"]
        if np.array([*map(float, texts)]).astype(dtype).tobytes() == array.tobytes():
            return f'np.array({nested(texts, array.shape)}, "{dtype.name}")'
    return f'np.array({literal(array.tolist())}, "{dtype.name}")'


def short_number(x):
    """A float with as few digits as tell it from all others of its dtype."""
    if x and not 1e-4 <= abs(x) < 1e16:
        return np.format_float_scientific(x, unique=True, trim="-")
    text = np.format_float_positional(x, unique=True, trim="-")
    return text + ".0" if text == "-0" else text


def nested(texts, shape):
    if not shape:
        return texts[0]
    step = len(texts) // shape[0]
    return "[" + ", ".join([nested(texts[i:i + step], shape[1:]) for i in range(0, len(texts), step)]) + "]"


# ------------------------------------------------------------------------------ backward

def reverse_program(made, root, one, fold=True):
    """The program of a backward pass."""
    if root is None:
        raise error("MG204", "viz.code(): it is not known what this backward pass began at")
    leaves = [(leaf, given) for leaf, given in one.leaves if leaf is not None]
    made_calls = made.needed_for([root, *[q for q in one.gradients if q is not None], *[g for _, g in leaves]])
    writer = Writer(made)
    forward = [call for call in made_calls if call.number < one.begin]
    back = [call for call in made_calls if call.number >= one.begin]
    writer.read_later = read_after_writes(made, made_calls)
    if one.gradients[0] is not None:
        writer.hints[one.gradients[0]] = "d_" + (identifier(root.name) or "result")
    for call in forward:
        writer.forward(call)
    if root not in writer.names:
        writer.name(root)
    name_gradients(writer, one)
    begun, steps = len(writer.lines), []
    place = told = ""
    for step, after in zip([None, *one.steps], [*[step.begin for step in one.steps], len(made.calls)]):
        if step is not None:
            writer.say()
            at = len(writer.lines)
        while back and back[0].number < after:
            call = back.pop(0)
            place = place_in_backward(step, call) or place
            if place != told:
                writer.say(cut(f"# {place}"))
                told = place
            writer.call(call, edge_comment(step, call))
        if step is not None:
            writer.lines.insert(at, step_comment(writer, step))
            steps.append(writer.lines[at:])
    results = [(root.name or "result", writer.name(root))]
    for leaf, given in leaves:
        results.append((f"gradient of {leaf.name or writer.names.get(leaf, 'a leaf')}", writer.name(given)))
    program = assembled(writer, begun, results, f"{root.name or 'a result'} and its gradients", "backward", fold)
    program.steps = steps
    return program


def read_after_writes(made, calls):
    """{number of a write: the quantities that it overwrites, and that a later call reads}."""
    found, written = {}, {*calls}
    for call in calls:
        for quantity in call.quantities():
            later = [write for write in made.memory_of(quantity)[quantity.n_writes:]
                     if write.number < call.number and write in written]
            if later:
                found.setdefault(later[0].number, {})[quantity] = True
    return found


def name_gradients(writer, one):
    """Cotangents are called after what they belong to: d_x is that of x, and d_x_2, d_x_3 are what it is the sum of."""
    def named(quantity, of, whole=False):
        if quantity is None or of is None or quantity in writer.names or quantity in writer.reserved:
            return
        name = writer.names.get(of) or identifier(of.name)
        if whole and name:
            writer.reserved[quantity] = writer.new_name(f"d_{name}")
        elif name and not quantity.name:
            writer.hints.setdefault(quantity, f"d_{name}")

    for step in one.steps:
        named(step.gradient, step.leaf, whole=True)
    for step in one.steps:
        results = step.call.results if step.call is not None else ()
        if step.through_view:                               # that of the base arrives
            results = [step.call.results[0].base]
        for quantity, of in zip(step.arrived, results):
            named(quantity, of, whole=True)
    for step in one.steps:
        for quantity in step.arrived if step.leaf is not None else ():
            named(quantity, step.leaf)
        if step.call is None:
            continue
        for flow in step.flows:
            for each in (flow.gradient, flow.total, flow.raw):
                named(each, step.input_of(flow))


def step_comment(writer, step):
    """Which node this is, its rules, and the line of the program that it comes from."""
    if step.leaf is not None:
        name = step.leaf.name or writer.names.get(step.leaf, "a leaf")
        if step.gradient is None:
            return f"# {step.name}: nothing arrives at {name}"
        return f"# {step.name}: {writer.name(step.gradient)} is the gradient of {name}"
    if step.call is None:
        return f"# {step.name}"
    rules = []
    for formula in step.call.op.formulas:
        expression = written(step.call.op, formula.of) if formula.text is not None else None
        if expression is not None:
            rules.append(f"{name_of(formula.of).text()}: {expression.text()}")
    place = f"   {place_in(step.line)}" if step.line else ""
    return "\n".join([cut(f"# {step.name}{place}"), *[cut(f"#     {rule}") for rule in rules]])


def place_in_backward(step, call):
    """The user's line of a call in the ``backward`` of a custom Function."""
    is_custom = step is not None and step.call is None and not step.name[-1].isdecimal()     # as in MulBackward0
    return place_in(call.line) if is_custom and call.line is not None else ""


def edge_comment(step, call):
    if call.op.name == "sum_to":
        return "summed over what was broadcast"
    for flow in step.flows if step is not None else ():
        if flow.total is not None and flow.total is not flow.gradient and call.results and \
                call.results[0] is flow.total and call.op.name == "add":
            return "paths meet: added up"
    return ""


# ------------------------------------------------------------------------------ forward

def forward_program(made, root, fold=True):
    """The program of a result and its tangent."""
    made_now, result, tangent, tangents = replayed(made.needed_for([root]), root)
    if tangent is None:
        raise error("MG204", f"viz.code(): {root.name or 'the result'} has no tangent: it does not depend on a leaf "
                             "that requires grad")
    writer = Writer(made_now)
    writer.follows = {x: ("t_", primal) for primal, x in tangents}
    needed = made_now.needed_for([result, tangent])
    writer.read_later = read_after_writes(made_now, needed)
    for call in needed:
        writer.forward(call)
    name = root.name or "result"
    return assembled(writer, len(writer.lines), [(name, writer.name(result)),
                                                 (f"tangent of {name}", writer.name(tangent))],
                     f"{name} and its tangent, where each leaf moves by ones", "", fold)


# ------------------------------------------------------------------------------ the whole

def assembled(writer, begun, results, about, direction, fold):
    """The text of a program."""
    lines, computed = [writer.lines[:begun], writer.lines[begun:]], [writer.space[name] for _, name in results]
    if fold:
        lines, found = folded(lines, writer.space, [name for _, name in results], writer.new_name, with_comment)
        results = [(label, name) for (label, _), name in zip(results, found)]
    imports = sorted({"import numpy as np", *writer.source.imports})
    parts = ['"""' + f"{about[:1].upper()}{about[1:]}, step by step: written by minigrad.viz.code." + '"""', ""]
    if writer.data:
        imports.append("from pathlib import Path")
    parts += [*sorted(imports, key=lambda line: (not line.startswith("import"), line)), "",
              'np.seterr(all="ignore")         # 1 / 0 is inf, as in the program that this was written from', ""]
    if writer.source.texts:
        parts += ["# ---- rows of the table that take more than one line", ""]
        for text in writer.source.texts:
            parts += ["", *text.splitlines(), ""] if text.startswith("def ") else text.splitlines()
        parts += [""]
    parts += ["# ---- inputs", ""]
    if writer.data:
        parts.append(f"data = np.load({OPENED})")
    parts += writer.inputs
    parts += ["", "# ---- forward", *lines[0]]
    if direction:
        parts += ["", f"# ---- {direction}", *lines[1]]
    text = "\n".join(parts) + "\n\n" + PRINTING + "\n"
    text += 'np.set_printoptions(threshold=2**63 - 1, floatmode="unique")\n'
    text += "".join([f"print({label + ' =':}, {name})\n".replace(f"{label} =", repr(f"{label} =")) for label, name
                     in results])
    program = Program(text, writer.data, results)
    names = program.run()
    for (label, name), array in zip(results, computed):
        if not np.all(same(np.asarray(names[name]), np.asarray(array))):
            raise error("MG204", f"viz.code(): the program gives another {label} than its lines did one by one")
    return program


# ------------------------------------------------------------------------------ refusals

def refused(call, why):
    where = f" ({place_in(call.line)})" if call is not None and call.line else ""
    name = call.op.shown if call is not None else "a quantity"
    return error("MG204", f"viz.code(): {name}{where} cannot be written as a program in NumPy: {why}")


