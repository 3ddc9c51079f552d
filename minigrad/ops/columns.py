"""The columns of the table: what a row may say besides its schema, its kernel and its formulas.

Each is a keyword of the functions in kinds.py, and has a default here, with what it means.  There are six groups; a row
is made from one object of each of the first five, and the last one is kept beside it.  A keyword that is in none of
them is a formula.
"""


class Columns:
    """One group of the columns, as a row fills them."""

    def __init__(self, given):
        self.__dict__.update(given)


class Computation(Columns):
    """What the row computes."""

    #: The dtype that its operands are cast to first: "common" is the one to which they promote, "float" the same, with
    #: integers made floats; None leaves them as they are.
    promote = None
    #: The parameters that promote, if not all tensors do; numbers among them then count too.
    promote_args = None
    #: The tensors that may also be given as numbers, where PyTorch has a form for it.  In rows that are not public,
    #: those are all tensors that promote.
    or_numbers = None
    #: May all of these be numbers, as in ``add(2, 3)``?
    numbers_alone = False
    #: Must a number among its operands fit their dtype?  Others wrap around in small integers.
    fitting = False
    #: Is such a number rounded to 16 bits if they have no more?  Others take part in single precision.
    rounded = False
    #: The kinds of dtype (NumPy's letters) that it does not take, and what the error says of them, if more than their
    #: names.
    refuse = ""
    refusal = None
    #: Does it compute with 16-bit floats in float32?  Most kinds do; most linear rows only move elements.
    wide = None
    #: The kernel for calls that leave all options out: Note [Options] in _core/dispatch/op.pyx.
    plain = None
    #: Its kernel in C: one of those in _core/kernels, or a ufunc, alone or with its operands (Note [Operands of a loop]
    #: in _core/kernels/loops/strided.pyx); a row whose kernel is a ufunc needs none.
    fast = None
    #: The kernel for plain Python numbers, if it has one.
    number = None
    #: The names of several outputs, or "list".
    outputs = None
    #: Of the first tensor only the shape and the dtype count.
    fills = False
    #: All elements of the result are one number, so that they may as well lie in one place.
    same_everywhere = False
    #: The tensors without dims that are read as numbers, before anything is written: they may lie in the memory that is
    #: written to.
    read_first = ()
    #: A view that copies where no strides reach the elements.
    may_copy = False
    #: How its results lie in memory where its operands do not all lie row by row: "rows" if they do so all the same,
    #: "channels" if they only follow an operand in channels_last, or the tensor that decides.  Without it, the result
    #: of an elementwise row lies as its operands do, the first before the others (Note [The walk] in
    #: _core/kernels/loops/strided.pyx), and any other as the kernel gives it.
    layout = None


class Derivative(Columns):
    """Its derivative, and its node."""

    #: The tensors through which no gradient has to go: the result is constant in them, piece by piece, or they only
    #: repeat what others say.  Any other tensor without a formula may not require grad.
    no_gradient = ()
    #: The outputs that are differentiable, if not all are.
    differentiable = None
    #: False if its formulas cannot be programs: Note [Formulas as programs] in _core/backward/formulas.pyx.
    traceable = True
    #: The tensors in each of which an elementwise row is linear, whatever the others are: products and numerators.
    #: Note [One argument at a time] in func/taylor_mode.py.
    linear_in = ()
    #: The names of its node, and of the node of its in-place form, if not the usual ones.
    node = None
    inplace_node = None
    #: What PyTorch calls an attribute of the node: {name in the formulas: PyTorch's name}.
    renamed = None
    #: What PyTorch's node shows as saved, and ours need not save: {attribute: value}.
    constants = None


class Naming(Columns):
    """Where it is found, and what it is called."""

    #: Is it a function that users call?
    public = True
    #: Is that also a method of Tensor?
    method = True
    #: Is it a function of ``nn.functional``?  With True only there, with "too" there as well.
    nn = False
    #: Other names of the function: "special_expit" is the one that it has in ``minigrad.special``.
    aliases = ()
    #: Other names of its arguments, besides those that ``self``, ``dim`` and the like have everywhere.
    also = None
    #: What errors call it: the function that a user wrote, where the row is not public.  By itself, a row that has only
    #: an in-place form is called by that.
    shown = None
    #: Its documentation, and that of the public function: the first row of several has it.
    doc = None
    function_doc = None
    #: Of a row that does several things at once, what a profiler is to hear of instead: (name, function) in turn, each
    #: of which gets the arguments and what the one before it has made.
    parts = None


class Forms(Columns):
    """Its other forms."""

    #: Does it have an in-place form?  Elementwise methods do.  In nn it is an argument ``inplace=``, which rows with
    #: "too" always have.
    inplace = None
    #: Is the in-place form a function too?  Mostly it is if there is one tensor only.
    inplace_function = None
    #: Does its in-place form refuse a source that shares memory with the target?  Without such a form, does it refuse
    #: an ``out=`` that is an operand?
    apart = False
    #: Does it take ``out=``?  With "cast" an ``out`` of any dtype to which the result can be cast, with "exact" only of
    #: its own dtype; else that follows from ``promote``: what promotes several operands, or makes floats of integers,
    #: casts, as in PyTorch.
    out = None


class Batching(Columns):
    """What vmap has to know, where kind and types do not say it (func/rules)."""

    #: How many dims it works on, the last ones, so that it takes any in front of them; 0 if it is elementwise, a tuple
    #: if it is not the same number for each tensor.
    last_dims = None
    #: How many dims it needs; with dims among the parameters a tensor without dims will mostly do.
    least_dims = 0
    #: "loop" where vmap computes one example after the other; "as it lies" where random numbers are drawn in the order
    #: of the argument in memory, which a batch keeps.
    batch = None


class Orders(Columns):
    """What a series of derivatives has to know (func/taylor_mode.py), where the row has several steps in one."""

    #: The same in other rows, step by step: a function of the arguments, which returns None for those that it is not
    #: meant for.
    steps = None
    #: Of a row that solves an equation: a tensor that is one side of it, and the other side, a product that has the
    #: result as a factor, as a function of the result and the arguments.
    equation = None


GROUPS = Computation, Derivative, Naming, Forms, Batching, Orders
#: row -> its columns for series of derivatives, if it has any
ORDERS = {}
#: column -> its group
GROUP_OF = {name: group for group in GROUPS for name in vars(group) if not name.startswith("_")}
#: the keywords of a row that are not formulas
NAMES = frozenset(GROUP_OF)


def read(keywords):
    """The columns that these keywords fill, a group after the other; the keywords that are left are formulas."""
    given = {group: {} for group in GROUPS}
    for name in [*keywords]:
        if name in GROUP_OF:
            given[GROUP_OF[name]][name] = keywords.pop(name)
    return [group(columns) for group, columns in given.items()]
