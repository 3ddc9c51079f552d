"""The kinds of operation, and the theory that each carries once for all its rows.

A row of the table says what an operation computes and what its differential is::

    mul = elementwise("mul(Tensor self, Tensor other)", np.multiply,
                      self=lambda d, other: d * other,
                      other=lambda d, self: d * self)

In a formula ``d`` is a perturbation on its way through the operation: forward a *tangent*, the rate at which an input
changes; back a *cotangent*, the gradient with respect to the result.  Why one formula can serve both depends on the
kind, that is, on the shape of the Jacobian matrix J of ``y = f(x)``.  D is the formula, t a tangent, d a cotangent:

*elementwise*           J is diagonal.  Forward: ``D(t) = J t``.  Reverse: ``conj(D(conj(d)))``, since the adjoint
                        of a diagonal matrix is its conjugate.  Real numbers need no conj.
*linear*                ``f`` is its own differential: forward is ``f`` applied to the tangents.  Reverse is the
                        transpose of ``f``, which the row writes out.  Where ``f`` has a factor that may be complex (a
                        parameter of type Scalar), the row writes the transpose for a real one, and ``conj`` does the
                        rest, as above.
*view*                  linear, and the result lies in the memory of the input.
*multilinear*           linear in each input by itself (a matrix product).  Forward, by the product rule, is the sum
                        of ``f`` with one input at a time replaced by its tangent.  Reverse is the vjp (vector-Jacobian
                        product, the gradient of an input from that of the result), which the row writes out.
*windows*               a product of the first two inputs, windows and a weight, to which a third, the bias, is added.
                        Forward is the product rule, and the tangent of the bias added.  Reverse is written out.
*piecewise_constant*    the derivative is zero wherever it exists (floor, sign): recorded, with gradient zero.
*not_differentiable*    there is no derivative to speak of (comparisons, argmax): not recorded.
*general*               anything else: the row writes out the vjp.  Forward is the transpose of that, found by
                        differentiating it: Note [The transpose of the transpose] in _core/forward/differentials.pyx.

The names of a formula's parameters declare what is saved for backward, see :class:`minigrad._core.dispatch.op.Op`.
A tensor without a formula may not require grad, unless the row says that nothing is lost (``no_gradient``).
Before the engine hands a gradient on, it casts it to the dtype of the input, or makes it real
(_core/backward/fitting.pyx).  Those of elementwise rows it also sums to the shape of the input, so that their formulas
need not undo broadcasting.
"""

import inspect

import numpy as np

from minigrad._core.dispatch.composites import Composite
from minigrad._core.dispatch.op import Op
from minigrad._core.dispatch.overloads import Overloads
from minigrad._core.inplace.inplace_methods import WithInplace
from minigrad._core.kernels.table import Kernel

from .schema import parse, taken_apart
from .lazy import fill, from_file, is_awaited, is_written, load, made_from, rows_of


class Rows(dict):
    """Every row by name; one that is asked for is filled."""

    def __getitem__(self, name):
        row = super().__getitem__(name)
        load(row)
        return row

    def waiting(self, name):
        """The row, which may still be without content."""
        return super().__getitem__(name)


#: module -> the public functions (rows and composites) that it exports, by the names that they have there
EXPORTS = {"minigrad": {}, "minigrad.nn.functional": {}, "minigrad.linalg": {}, "minigrad.special": {},
           "minigrad.fft": {}}
REGISTRY, NN_REGISTRY = EXPORTS["minigrad"], EXPORTS["minigrad.nn.functional"]
#: name -> what becomes a method of Tensor
METHODS = {}
#: every row, public or not, by name
ROWS = Rows()
#: name of the in-place method -> row
INPLACE = {}
#: in-place methods that PyTorch has as functions too: ``torch.exp_(x)`` is ``x.exp_()``; detach_ is not an operation
INPLACE_FUNCTIONS = {"detach_"}
#: composites whose name is that of a row as well, as far as index.py knows them
_BY_ROW = set()

_ELEMENTWISE_KINDS = ("elementwise", "piecewise_constant")
_COMPUTING_KINDS = ("elementwise", "piecewise_constant", "multilinear", "windows", "general")


def elementwise(schema, kernel, *, promote="common", **keywords):
    """A row whose Jacobian is diagonal; each formula is the derivative times ``d``, holomorphic where complex."""
    return _row("elementwise", schema, kernel, promote=promote, **keywords)


def linear(schema, kernel, **keywords):
    """A row jointly linear in the inputs that have formulas; each formula is the transpose applied to ``d``."""
    return _row("linear", schema, kernel, **keywords)


def view(schema, kernel, **keywords):
    """A linear row whose result shares memory with its first input."""
    return _row("view", schema, kernel, **keywords)


def multilinear(schema, kernel, **keywords):
    """A row linear in each input separately; each formula is the vjp."""
    return _row("multilinear", schema, kernel, **keywords)


def windows(schema, kernel, **keywords):
    """A row linear in each of its first two inputs separately, to which the third is added; each formula is the vjp."""
    return _row("windows", schema, kernel, **keywords)


def general(schema, kernel, **keywords):
    """A row with its vjp written out."""
    return _row("general", schema, kernel, **keywords)


def piecewise_constant(schema, kernel, *, promote="common", **keywords):
    """A row that is recorded, and whose gradient is zero."""
    return _row("piecewise_constant", schema, kernel, promote=promote, **keywords)


def not_differentiable(schema, kernel, *, promote="common", **keywords):
    """A row that is not recorded."""
    return _row("not_differentiable", schema, kernel, promote=promote, **keywords)


def _camel_case(name):
    return "".join([word[:1].upper() + word[1:] for word in name.split("_")])


def _row(kind, schema, kernel, *, node=None, outputs=None, differentiable=None, promote=None, promote_args=None,
         number=None, refuse="", public=True, shown=None, method=True, inplace=None, inplace_node=None,
         inplace_function=None, nn=False, aliases=(), out=None, doc=None, traceable=True, wide=None, renamed=None,
         constants=None, no_gradient=(), may_copy=False, parts=None, same_everywhere=False, read_first=(), fast=None,
         plain=None, refusal=None, fills=False, function_doc=None, last_dims=None, least_dims=0, batch=None,
         also=None, or_numbers=None, apart=False, fitting=False,
         rounded=False, **formulas):
    """Make the row, and publish it: ``linalg_det`` as ``minigrad.linalg.det``, as in PyTorch's table.

    What it computes:

    promote             the dtype that its operands are cast to first: "common" is the one to which they promote,
                        "float" the same, with integers made floats; None leaves them as they are
    promote_args        the parameters that promote, if not all tensors do; numbers among them then count too
    or_numbers          the tensors that may also be given as numbers, where PyTorch has a form for it.  In rows that
                        are not public, those are all tensors that promote
    fitting             must a number among its operands fit their dtype?  Others wrap around in small integers
    rounded             is such a number rounded to 16 bits if they have no more?  Others take part in single precision
    refuse, refusal     the kinds of dtype (NumPy's letters) that it does not take, and what the error says of them, if
                        more than their names
    wide                does it compute with 16-bit floats in float32?  Most kinds do; most linear rows only move
                        elements
    plain               the kernel for calls that leave all options out: Note [Options] in _core/dispatch/op.pyx
    fast                its kernel in C: one of those in _core/kernels, or a ufunc, alone or with its operands
                        (Note [Operands of a loop] in _core/kernels/loops/strided.pyx); a row whose kernel is a ufunc
                        needs none
    number              the kernel for plain Python numbers, if it has one
    outputs             the names of several outputs, or "list"
    fills               of the first tensor only the shape and the dtype count
    same_everywhere     all elements of the result are one number, so that they may as well lie in one place
    read_first          the tensors without dims that are read as numbers, before anything is written: they may lie in
                        the memory that is written to
    may_copy            a view that copies where no strides reach the elements

    Its derivative, and its node:

    no_gradient         the tensors through which no gradient has to go: the result is constant in them, piece by piece,
                        or they only repeat what others say.  Any other tensor without a formula may not require grad
    differentiable      the outputs that are differentiable, if not all are
    traceable           False if its formulas cannot be programs: Note [Formulas as programs] in
                        _core/backward/formulas.pyx
    node, inplace_node  the names of its node, and of the node of its in-place form, if not the usual ones
    renamed             what PyTorch calls an attribute of the node: {name in the formulas: PyTorch's name}
    constants           what PyTorch's node shows as saved, and ours need not save: {attribute: value}

    Where it is found, and what it is called:

    public              is it a function that users call?
    method              is that also a method of Tensor?
    nn                  is it a function of ``nn.functional``: with True only there, with "too" there as well
    aliases             other names of the function: "special_expit" is the one that it has in ``minigrad.special``
    also                other names of its arguments, besides those that ``self``, ``dim`` and the like have everywhere
    shown               what errors call it: the function that a user wrote, where the row is not public
    doc, function_doc   its documentation, and that of the public function: the first row of several has it
    parts               of a row that does several things at once, what a profiler is to hear of instead: (name,
                        function) in turn, each of which gets the arguments and what the one before it has made

    Its other forms:

    inplace             does it have an in-place form?  Elementwise methods do.  In nn it is an argument ``inplace=``,
                        which rows with "too" always have
    inplace_function    is the in-place form a function too?  Mostly it is if there is one tensor only
    apart               does its in-place form refuse a source that shares memory with the target?  Without such a form,
                        does it refuse an ``out=`` that is an operand?
    out                 does it take ``out=``?  With "cast" an ``out`` of any dtype to which the result can be cast,
                        with "exact" only of its own dtype; else that follows from ``promote``: what promotes several
                        operands, or makes floats of integers, casts, as in PyTorch

    What vmap has to know, where kind and types do not say it (func/rules):

    last_dims           how many dims it works on, the last ones, so that it takes any in front of them; 0 if it is
                        elementwise, a tuple if it is not the same number for each tensor
    least_dims          how many dims it needs; with dims among the parameters a tensor without dims will mostly do
    batch               "loop" where vmap computes one example after the other
    """
    name, params = parse(schema)
    types = [p[1] for p in params]
    function = name.partition(".")[0]
    only_nn = nn is True
    _check(name, kind, params, kernel, formulas, outputs, differentiable, promote, promote_args, no_gradient,
           read_first, fast, plain, batch)
    awaited = ROWS.get(name) if is_written(ROWS.get(name)) else None
    op = fill(awaited, Op, name, kind, params, kernel, formulas,
              node_name=node or _camel_case(function) + "Backward0",
              outputs=outputs, differentiable=differentiable, promote=promote, promote_args=promote_args, number=number,
              refuse=refuse, recorded=kind != "not_differentiable",
              zero_gradient=kind in ("piecewise_constant", "not_differentiable"),
              conjugate=kind == "elementwise" or (kind == "linear" and "Scalar" in types),
              traceable=traceable, wide=kind in _COMPUTING_KINDS if wide is None else wide,
              renamed=renamed, constants=constants, doc=doc, in_place_name=inplace_node, shown=shown,
              no_gradient=no_gradient, may_copy=may_copy, same_everywhere=same_everywhere, read_first=read_first,
              fast=fast, plain=plain, refusal=refusal, also=also,
              or_numbers=or_numbers or (() if public else None), apart=apart, fitting=fitting, rounded=rounded,
              takes_out=public and not only_nn and kind != "view" if out is None else bool(out))
    op.parts, op.function_doc = parts, function_doc
    op.out_apart = apart and not inplace
    op.fills, op.draws = fills, "Generator?" in types
    op.last_dims, op.least_dims, op.batch = last_dims, least_dims, batch
    operands = [p[1] for p in params if p[1].startswith("Tensor") or p[0] in (promote_args or ())]
    several = len(operands) > 1 or "[]" in "".join(operands)
    op.exact_out = out == "exact" or out != "cast" and not (promote == "float" or promote == "common" and several)
    if awaited is not None:             # it is published already
        if shown is None:
            _name(op, function)
        return op
    ROWS[name] = op
    exports, short = _place(function)
    if public and not only_nn and (function != name or isinstance(exports.get(short), (Op, Overloads))):
        _overload(op, function, method, aliases)
    else:
        _publish(WithInplace(op) if only_nn and inplace else op, name, public, method, only_nn, aliases)
    if nn == "too":
        _publish(WithInplace(op), name, True, False, True, ())
    if inplace is None:
        inplace = public and method and kind in _ELEMENTWISE_KINDS and exports is REGISTRY
    if inplace and not only_nn:
        names = [each + "_" for each in _methods(function, *aliases)]
        _add_row(INPLACE, names, op)
        if kind in _ELEMENTWISE_KINDS and len(operands) == 1 if inplace_function is None else inplace_function:
            INPLACE_FUNCTIONS.update(names)
    return op


#: the keywords of a row that are not formulas
_OPTIONS = frozenset(_row.__kwdefaults__)


def _check(name, kind, params, kernel, formulas, outputs, differentiable, promote, promote_args, no_gradient,
           read_first, fast, plain, batch):
    """Refuse a row that would not do what it says, above all one that would lose a gradient."""
    tensors = [parameter for parameter, type_, _, _ in params if type_.startswith("Tensor")]
    all_of_them = [parameter for parameter, *_ in params]
    fault = None
    if name in ROWS and not is_written(ROWS.get(name)):
        fault = f"there is a row {name!r} already"
    elif not _OPTIONS.isdisjoint(tensors):
        fault = (f"a tensor may not be called {min(_OPTIONS.intersection(tensors))!r}, which is an option of rows: "
                 "its formula would not be seen")
    elif formulas and not formulas.keys() <= {*tensors}:
        wrong = min(formulas.keys() - {*tensors})
        fault = f"a formula for {wrong!r}, which is " + ("not an input" if wrong not in all_of_them else "not a tensor")
    elif formulas and kind in ("piecewise_constant", "not_differentiable"):
        fault = f"formulas, though the kind {kind!r} says that there is nothing to write"
    elif no_gradient and not {*tensors} - formulas.keys() >= {*no_gradient}:
        fault = f"no_gradient={no_gradient} names what is not a tensor, or has a formula"
    elif differentiable and outputs != "list" and not {*(outputs or ())} >= {*differentiable}:
        fault = f"differentiable={differentiable} names what is not among its outputs, {outputs}"
    elif promote not in (None, "common", "float") or promote_args and not {*all_of_them} >= {*promote_args}:
        fault = (f"promote={promote!r}, promote_args={promote_args}: it is None, 'common' or 'float', "
                 "and speaks of parameters")
    elif read_first and not {*tensors} >= {*read_first}:
        fault = f"read_first={read_first} names what is not a tensor"
    elif outputs == "list" and any(["result" in _arguments(formula) for formula in formulas.values()]):
        fault = "a formula that names result, which is not saved of a list of outputs: compute it again from the inputs"
    elif kind == "view" and params[0][1] != "Tensor":
        fault = "the first parameter of a view is the tensor that it shows"
    elif batch not in (None, "loop"):
        fault = f"batch={batch!r}: it is 'loop', or it is left out"
    elif fast is not None and not all([isinstance(each, (Kernel, np.ufunc)) for each in _kernels_in(fast)]):
        fault = (f"fast={fast!r} is not a kernel in C: those are in minigrad._core.kernels.table, as in "
                 "fast=kernels.softmax")
    elif plain is not None and not _takes(plain, len([parameter for parameter in params if not parameter[3]])):
        fault = "its plain kernel does not take one argument for each parameter that has a place"
    elif not _takes(kernel, len(params)):
        fault = f"its kernel does not take {len(params)} arguments, one for each of {all_of_them}"
    if fault:
        raise ValueError(f"{name}: {fault}")


def _arguments(formula):
    """The names that a formula asks for."""
    code = getattr(formula, "__code__", None)
    return code.co_varnames[:code.co_argcount] if code is not None else ()


def _kernels_in(fast):
    """The kernels in C of a row: one, or one for each name, each by itself or before its operands."""
    several = fast.values() if isinstance(fast, dict) else [fast]
    return [each[0] if isinstance(each, tuple) else each for each in several]


def _takes(kernel, n):
    """Can the kernel be called with ``n`` arguments?

    inspect.signature would tell, and take half of the time of the import.
    """
    code = None if isinstance(kernel, np.ufunc) else getattr(kernel, "__code__", None)
    if code is None:
        return getattr(kernel, "nin", n) == n
    least = code.co_argcount - len(kernel.__defaults__ or ())
    return least <= n and (n <= code.co_argcount or code.co_flags & inspect.CO_VARARGS)


def _overload(op, function, method, aliases):
    """Add a row to those of a public function."""
    exports, short = _place(function)
    _add_row(exports, (short,), op)
    for each in aliases:
        elsewhere, alias = _place(each)
        elsewhere[alias] = exports[short]
    if method and exports is REGISTRY:
        METHODS.update(dict.fromkeys(_methods(function, *aliases), exports[short]))


def overload(function, op):
    """The row is also one of those that ``function`` stands for: ``max`` of two tensors is ``maximum``."""
    if op not in rows_of(REGISTRY[function]):       # as they are where index.py knows of it
        _overload(op, function, True, ())


def _add_row(registry, names, op):
    """Add the row under these names, to the rows that they stand for already."""
    known = registry.get(names[0])
    if known is None:
        known = op
    elif isinstance(known, Overloads):
        known.add(op)
    else:
        load(known)
        known = Overloads(names[0], known, op)
    registry.update(dict.fromkeys(names, known))


def _place(name, nn=False):
    """The functions among which this one is exported, and its name there: ``linalg_det`` is ``linalg.det``."""
    module, _, short = name.partition("_")
    if f"minigrad.{module}" in EXPORTS:
        return EXPORTS[f"minigrad.{module}"], short
    return NN_REGISTRY if nn else REGISTRY, name


def _methods(*names):
    """Those of these names that are not in a module of their own: a method has no ``special_`` in front."""
    return [name for name in names if _place(name)[0] is REGISTRY]


def in_nn_too(*names):
    """Export these functions in ``nn.functional`` too, as they are."""
    NN_REGISTRY.update({name: REGISTRY[name] for name in names})


def _publish(function, name, public, method, nn, aliases):
    if not public:
        return
    for each in (name, *aliases):
        exports, short = _place(each, nn)
        if short in exports:
            raise ValueError(f"{each}: there is a function of this name already")
        exports[short] = function
        if method and exports is REGISTRY:
            METHODS[each] = function


def name_rows():
    """Called when all rows are there: errors call a row that is not public by the name of its function.

    ``pow_number`` is ``pow`` to them.
    A composite may have the name of a row, too; a profiler has to know, see Note [The call that was written] in
    _core/graph/listener.pyx.
    """
    for op in ROWS.values():
        if not is_awaited(op) and op.shown == op.function:
            _name(op, op.function)
    if not _BY_ROW:
        shown = {op.shown for op in ROWS.values()}
        for function in [*REGISTRY.values(), *NN_REGISTRY.values(), *METHODS.values()]:
            if isinstance(function, Composite):
                function.by_row = function.__name__ in shown or function.__name__.removesuffix("_") in shown


def _name(op, name):
    """Let errors call it by the name of its function, the longest beginning of ``name`` that there is."""
    if "backward" in name:
        return
    while name and not (name in REGISTRY or name in NN_REGISTRY or name + "_" in METHODS or name + "_" in INPLACE):
        name = name.rpartition("_")[0]
    if name:
        op.written = name + "_"
        # there is copy_, but no copy
        op.shown = name if name in REGISTRY or name in NN_REGISTRY else op.written


def composite(*, name=None, public=True, method=True, nn=False, aliases=(), out=None, also=None, types="",
              front=None):
    """Decorator: a public function made of rows; it is differentiated by way of them.

    ``types`` are those of its parameters, in their order, as a schema writes them: ``"Tensor Tensor Dim"``.  The stubs
    show them; without them a parameter has the type that is usual for its name.
    ``also`` are other names for its arguments, besides those that ``self``, ``dim`` and the like have everywhere.
    ``out`` is as for a row; a composite casts unless it says "exact".
    ``front`` is where the usual calls begin, in C (_core/frontends/creation.pyx).
    A parameter whose default is a number takes numbers: a tensor that requires grad is refused there.
    """
    def decorate(function):
        called = name or function.__name__
        function.__name__ = function.__qualname__ = called      # as errors call it
        exports, short = _place(called, nn)
        awaited = exports.get(short) if public and is_written(exports.get(short)) else None
        made = fill(awaited, Composite, function, public and not nn if out is None else bool(out), also,
                    numbers=_numbers(function, types), front=front)
        made.exact_out = out == "exact"
        made.types = _types(called, function, types)
        if public and short == called:                  # where pickle looks for it
            made.__module__ = next(module for module, known in EXPORTS.items() if known is exports)
        made.by_row = made in _BY_ROW
        if awaited is None:
            _publish(made, called, public, method, nn, aliases)
        return made
    return decorate


def _types(name, function, types):
    """{parameter: type} of a composite that says the types of its parameters."""
    if not types:
        return {}
    names = _parameters(function.__code__)
    if len(names) != len(types.split()):
        raise ValueError(f"{name}: types={types!r} must have a type for each of {names}")
    for each in types.split():
        if taken_apart(each) is None:
            raise ValueError(f"{name}: types={types!r}: {each!r} is not a type that a parameter can have")
    return dict(zip(names, types.split()))


def _parameters(code):
    """The names of a function's parameters in their order; inspect.signature takes ten times as long."""
    n = code.co_argcount + code.co_kwonlyargcount
    several, by_name = code.co_flags & inspect.CO_VARARGS > 0, code.co_flags & inspect.CO_VARKEYWORDS > 0
    named, starred = code.co_varnames[:n], code.co_varnames[n:n + several + by_name]
    return [*named[:code.co_argcount], *starred[:several], *named[code.co_argcount:], *starred[several:]]


def _numbers(function, types=""):
    """The parameters of a function whose defaults are numbers, and whose types are not those of anything."""
    defaults = function.__defaults__ or ()
    code = function.__code__
    names = code.co_varnames[code.co_argcount - len(defaults):code.co_argcount]
    typed = dict(zip(_parameters(code), types.split()))
    return [name for name, default in (*zip(names, defaults), *(function.__kwdefaults__ or {}).items())
            if type(default) in (int, float, complex) and typed.get(name) != "Any"]


def in_place(*names, function_too=False, also=None):
    """Decorator: a method of Tensor under these names, the in-place form of a composite.

    With ``function_too`` it is also a function, ``torch.index_put_(x, ...)``; ``also`` as for :func:`composite`.
    """
    def decorate(function):
        function.__qualname__ = names[0]        # as Python's own errors call it
        if function_too:
            INPLACE_FUNCTIONS.update(names)
        for name in names:
            method = add_method(name, function, also=also, numbers=_numbers(function))
            method.__name__, method.__qualname__ = name, f"Tensor.{name}"
        return function
    return decorate


def add_method(name, function, **options):
    """A method that is not the function of its name: a Composite of its own."""
    METHODS[name] = method = fill(METHODS.get(name), Composite, function, **options)
    method.by_row = method in _BY_ROW
    return method


def await_all(index):
    """Publish what ``index.py`` lists, without content: each file of rows runs when one of them is used."""
    rows, others = {}, {}               # what is not a row is named by the first place where it is found
    for file, names in index.FILES.items():
        for known, cls, names in zip((rows, others), (Op, Composite), map(str.split, names)):
            known.update(zip(names, from_file(cls, "minigrad.ops." + file, len(names))))
    ROWS.update(rows)
    for place, names in index.OVERLOADS.items():
        others[place] = made_from(Overloads, place.rpartition(".")[2], *[rows[name] for name in names.split()])
    for name in index.WITH_INPLACE.split():
        others["minigrad.nn.functional." + name] = made_from(WithInplace, rows[name])
    for functions, module, names in (
            *[(functions, module, index.EXPORTS[module]) for module, functions in EXPORTS.items()],
            (METHODS, "Tensor", index.METHODS), (INPLACE, "Tensor", index.INPLACE)):
        for each in names.split():
            name, _, other = each.partition("=")
            place = other or f"{module}.{name}"
            functions[name] = others[place] if place in others else rows[other or name]
    INPLACE_FUNCTIONS.update(index.INPLACE_FUNCTIONS.split())
    _BY_ROW.update([others[place] for place in index.BY_ROW.split()])
