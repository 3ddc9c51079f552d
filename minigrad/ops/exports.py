"""Where the operations are found: the modules that export them, methods of Tensor, and the rows by name.

``linalg_det`` is ``minigrad.linalg.det``, ``add.Tensor`` one of the rows of ``minigrad.add`` and ``Tensor.add``, and
``Tensor.add_`` writes what it computes.  Most are published from ``index.py``, before the files of rows run: lazy.py.
"""

from minigrad._core.dispatch.composites import Composite
from minigrad._core.dispatch.op import Op
from minigrad._core.dispatch.overloads import Overloads
from minigrad._core.inplace.inplace_methods import WithInplace

from .lazy import fill, from_file, load, made_from, rows_of


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
BY_ROW = set()


def publish_row(op, called, forms):
    """Let a new row be found where its columns say."""
    exports, short = place_of(op.function)
    only_nn, elementwise = called.nn is True, op.kind in ("elementwise", "piecewise_constant")
    if called.public and not only_nn and (op.function != op.name or isinstance(exports.get(short), (Op, Overloads))):
        _overload(op, op.function, called.method, called.aliases)
    elif called.public:
        publish(WithInplace(op) if only_nn and forms.inplace else op, op.name, called.method, only_nn, called.aliases)
    if called.nn == "too":
        publish(WithInplace(op), op.name, False, True)
    inplace = forms.inplace
    if inplace is None:
        inplace = called.public and called.method and elementwise and exports is REGISTRY
    if inplace and not only_nn:
        names = [each + "_" for each in _methods(op.function, *called.aliases)]
        _add_row(INPLACE, names, op)
        if elementwise and op.one_operand if forms.inplace_function is None else forms.inplace_function:
            INPLACE_FUNCTIONS.update(names)


def publish(function, name, method, nn, aliases=()):
    """Export a function under its names, as a method too if that is asked for."""
    for each in (name, *aliases):
        exports, short = place_of(each, nn)
        if short in exports:
            raise ValueError(f"{each}: there is a function of this name already")
        exports[short] = function
        if method and exports is REGISTRY:
            METHODS[each] = function


def _overload(op, function, method, aliases):
    """Add a row to those of a public function."""
    exports, short = place_of(function)
    _add_row(exports, (short,), op)
    for each in aliases:
        elsewhere, alias = place_of(each)
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


def place_of(name, nn=False):
    """The functions among which this one is exported, and its name there: ``linalg_det`` is ``linalg.det``."""
    module, _, short = name.partition("_")
    if f"minigrad.{module}" in EXPORTS:
        return EXPORTS[f"minigrad.{module}"], short
    return NN_REGISTRY if nn else REGISTRY, name


def _methods(*names):
    """Those of these names that are not in a module of their own: a method has no ``special_`` in front."""
    return [name for name in names if place_of(name)[0] is REGISTRY]


def in_nn_too(*names):
    """Export these functions in ``nn.functional`` too, as they are."""
    NN_REGISTRY.update({name: REGISTRY[name] for name in names})


def await_all(index):
    """Publish what ``index.py`` lists, without content: a file is imported when one of its rows is first used."""
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
    BY_ROW.update([others[place] for place in index.BY_ROW.split()])


def await_rows(file, *names):
    """Let rows that are not public wait for the file that makes them."""
    ROWS.update(zip(names, from_file(Op, file, len(names))))


def await_writing(file, methods):
    """Publish rows that have only an in-place form, without content: {method: the rows that it stands for}."""
    for method, names in methods.items():
        names = names.split()
        rows = from_file(Op, file, len(names))
        ROWS.update(zip(names, rows))
        INPLACE[method] = rows[0] if len(rows) == 1 else made_from(Overloads, method, *rows)


def await_method(file, name):
    """Let a function that is a method of Tensor too wait for the file that makes it: :func:`awaited_method`."""
    METHODS[name], = from_file(Composite, file, 1)


def awaited_method(**options):
    """Decorator: the function that :func:`await_method` has announced, of these options."""
    return lambda function: fill(METHODS[function.__name__], Composite, function, **options)
