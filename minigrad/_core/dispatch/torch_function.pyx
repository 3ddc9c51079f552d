"""``__torch_function__``: a user's class answers calls of minigrad's functions.

A class says what the functions of minigrad do with its instances, whether it wraps a tensor or is a subclass of
Tensor::

    torch.mean(x)   ->   type(x).__torch_function__(torch.mean, (type(x),), (x,), {})

All arguments that have the method are asked, subclasses before their superclasses, until one does not return
NotImplemented.  What is called from Python asks first whether an argument is `unusual`: of no class that nearly all
arguments have.  That takes a few comparisons of pointers, and everything else is here.

A mode (TorchFunctionMode) is asked about every function in its block, before the classes of the arguments, and with
the modes around it still in force.  Autocast is asked last, when neither a mode nor a class has answered: it is
nobody's class either, and calls without it pay nothing.  The attributes of a tensor ask in subclasses alone:
tensors/subclasses.py.

    https://docs.pytorch.org/docs/stable/notes/extending.html#extending-torch-with-a-tensor-like-type
"""

from minigrad._core.errors import error
from minigrad._core.graph cimport Tensor, later, new_tensor
from minigrad._core.runtime.core_ops cimport words
from minigrad._core.runtime.python_api cimport (PyList_GET_ITEM, PyList_GET_SIZE, PyObject, PyTuple_GET_ITEM,
                                                PyTuple_GET_SIZE)

from sys import intern
from _thread import _local as local        # threading itself would be loaded for nothing else

cdef str _name = intern("__torch_function__")
TORCH_FUNCTION = <PyObject*>_name

cdef extern from *:
    """
    static _Thread_local int mg_subclasses_off, mg_all_off, mg_next_off;
    """
    int subclasses_off "mg_subclasses_off"      # DisableTorchFunctionSubclass is in force, in this thread
    int all_off "mg_all_off"                    # DisableTorchFunction
    int next_off "mg_next_off"                  # nobody is asked about the next call: `redispatched`


cdef bint unusual_inside(PyObject* arguments) noexcept:
    """Is one of the items of a tuple or list unusual?  A number says that they are all numbers."""
    cdef Py_ssize_t i, n
    cdef PyObject* item
    cdef bint in_list = class_of_argument(arguments) == <PyObject*>list
    n = PyList_GET_SIZE(<object>arguments) if in_list else PyTuple_GET_SIZE(<object>arguments)
    for i in range(n):
        item = PyList_GET_ITEM(<object>arguments, i) if in_list else PyTuple_GET_ITEM(<object>arguments, i)
        if class_of_argument(item) == <PyObject*>int or class_of_argument(item) == <PyObject*>float:
            return False
        if class_of_argument(item) != <PyObject*>Tensor and class_has_a_say(class_of_argument(item)):
            return True
    return False


# ------------------------------------------------------------------------------ who answers

def overloaded(arguments):
    """Those of the arguments whose classes have a ``__torch_function__`` of their own, in the order of asking.

    Each class is asked once, and before its superclasses.
    """
    found = []
    if all_off:
        return found
    for x in arguments:
        cls = type(x)
        if cls is Tensor or any([type(other) is cls for other in found]) or not overrides(cls):
            continue
        place = len(found)
        for i, other in enumerate(found):
            if issubclass(cls, type(other)):
                place = i
                break
        found.insert(place, x)
    return found


def overrides(cls):
    """Does the class say what functions do with its instances?"""
    method = getattr(cls, "__torch_function__", None)
    return method is not None and method is not disabled_torch_function and not subclasses_off


def handle(function, relevant, args, kwargs):
    """The answer of the innermost mode; or of the first class that has one."""
    result = first_answer(function, relevant, args, kwargs)
    if result is NotImplemented:
        raise nobody_answers(function, tuple([type(x) for x in relevant]))
    return result


cdef object first_answer(object function, list relevant, object args, object kwargs):
    types = tuple([type(x) for x in relevant])
    if has_mode():
        result = asked_of_mode(function, types, args, kwargs)
        if result is not NotImplemented:
            return result
    for x in relevant:
        result = x.__torch_function__(function, types, args, kwargs)
        if result is not NotImplemented:
            return result
    return NotImplemented


#: functions that do not ask the classes of their arguments, such as ``torch.tensor``: they are copied or returned
ignored = set()


def disabled_torch_function(func, types, args=(), kwargs=None):
    """The ``__torch_function__`` of a class that overrides nothing: ``__torch_function__ = torch._C...``."""
    return func(*args, **(kwargs or {}))


DISABLED = <PyObject*>disabled_torch_function


cdef object overridden(object function, PyObject** args, Py_ssize_t n, PyObject* kwnames):
    """What a class of the arguments answers to the call; NotImplemented if none has a say in it."""
    cdef Py_ssize_t i
    cdef list given = [<object>args[i] for i in range(n)]
    cdef dict keywords = None
    if kwnames != NULL:
        keywords = {name: <object>args[n + i] for i, name in enumerate(<tuple>kwnames)}
    return answered(function, given, keywords)


cdef object answered(object function, list given, dict keywords):
    cdef list all_of_them = []
    for x in given if keywords is None else [*given, *keywords.values()]:
        if type(x) is list or type(x) is tuple:
            all_of_them += x
        else:
            all_of_them.append(x)
    relevant = [] if function in ignored else overloaded(all_of_them)
    if (relevant or has_mode()) and not is_redispatched():
        return handle(function, relevant, tuple(given), keywords)
    return asked_of_autocast(function, given, keywords)


# Operators that are asked about as special methods, as in PyTorch; the others are asked about as the function.
cdef dict AS_METHOD = {"floor_divide": "__floordiv__", "bitwise_and": "__and__", "bitwise_or": "__or__",
                       "bitwise_xor": "__xor__", "bitwise_left_shift": "__lshift__",
                       "bitwise_right_shift": "__rshift__", "bitwise_not": "__invert__", "eq": "__eq__"}
cdef dict REFLECTED = {"sub": "__rsub__", "div": "__rtruediv__", "pow": "__rpow__", "floor_divide": "__rfloordiv__",
                       "remainder": "__rmod__", "matmul": "__rmatmul__", "bitwise_and": "__rand__",
                       "bitwise_or": "__ror__", "bitwise_xor": "__rxor__", "bitwise_left_shift": "__rlshift__",
                       "bitwise_right_shift": "__rrshift__"}


#: all classes that were asked about an operator left it to Python, which asks the other operand itself
DECLINED = object()


cdef object operator_overridden(object function, object a, object b):
    """The same for ``a + b``, where one of them is a tensor: its method is asked about, as in ``b.__radd__(a)``."""
    cdef str name
    if isinstance(a, Tensor):
        name = AS_METHOD.get(function.__name__)
    else:
        a, b = b, a
        name = REFLECTED.get(function.__name__)
    return answered_or_declined(function if name is None else getattr(Tensor, name), [a, b])


cdef object answered_or_declined(object function, list operands):
    cdef list relevant = overloaded(operands)
    if not relevant and not has_mode() or is_redispatched():
        for x in operands:
            if not isinstance(x, Tensor):
                return NotImplemented
        return asked_of_autocast(function, operands, None)
    result = first_answer(function, relevant, tuple(operands), None)
    return DECLINED if result is NotImplemented else result


def answer_or_decline(function, list operands):
    """The same for an operator in Python, some of whose operands have a say: NotImplemented is what Python expects."""
    result = answered_or_declined(function, operands)
    return NotImplemented if result is DECLINED else result


def ask(function, *args, **kwargs):
    """The call, which a class of its arguments answers where it can."""
    result = answered(function, list(args), kwargs)
    return function(*args, **kwargs) if result is NotImplemented else result


def redispatched(function, args, kwargs):
    """The call, about which nobody is asked; about those within it, all are."""
    global next_off
    cdef int before = next_off
    next_off = True
    try:
        return function(*args, **(kwargs or {}))
    finally:
        next_off = before


cpdef bint is_redispatched() noexcept:
    """Is this the call of ``redispatched``?  The next one is not."""
    global next_off
    cdef bint found = next_off != 0
    next_off = False
    return found


# ------------------------------------------------------------------------------ what Tensor itself answers

def torch_function(cls, func, types, args=(), kwargs=None):
    """What functions do with a subclass of Tensor that does not say otherwise: their results are of the subclass.

    >>> class Named(torch.Tensor):
    ...     pass
    >>> x = torch.ones(2).as_subclass(Named)
    >>> type(x.view(2, 1) + 1).__name__
    'Named'
    """
    global subclasses_off
    if not all([issubclass(cls, each) for each in types]):
        return NotImplemented
    subclasses_off += 1                 # not a block: to leave it would need memory
    try:
        result = func(*args, **(kwargs or {}))
        return result if func in unwrapped() else converted(result, cls)
    finally:
        subclasses_off -= 1


def unwrapped():
    """The getters whose tensors keep their class: they are other tensors, with a class of their own."""
    return Tensor._base.__get__, Tensor.grad.__get__


cdef object converted(object result, object cls):
    """Tensors in a result, as `cls`."""
    if cls is Tensor:
        return result
    if isinstance(result, Tensor) and not isinstance(result, cls):
        return as_subclass(result, cls)
    if isinstance(result, (tuple, list)) and any([isinstance(x, Tensor) for x in result]):
        items = [converted(x, cls) for x in result]
        return type(result)(*items) if hasattr(result, "_fields") else type(result)(items)
    return result


cdef object in_class_of(Tensor self, Tensor t):
    """Another tensor on the memory of `self`, as an instance of its class."""
    return as_subclass(t, type(self)) if not all_off and overrides(type(self)) else t


later.in_class_of = in_class_of


def as_subclass(Tensor self not None, cls):
    """The same tensor as an instance of a subclass of Tensor: an alias, through which gradients flow.

    >>> class Named(torch.Tensor):
    ...     pass
    >>> x = torch.ones(2, requires_grad=True)
    >>> y = x.as_subclass(Named)
    >>> y.sum().backward()
    >>> type(y).__name__, x.grad
    ('Named', tensor([1., 1.]))
    """
    global subclasses_off
    cdef Tensor alias, made
    if not (isinstance(cls, type) and issubclass(cls, Tensor)):
        raise not_a_subclass(cls)
    subclasses_off += 1
    try:
        alias = words.alias(self)
    finally:
        subclasses_off -= 1
    made = <Tensor>Tensor.__new__(cls)
    become(made, alias)
    return made


def become(Tensor made not None, Tensor other not None):
    """Let ``made``, which has no data yet, be what ``other`` is, which nobody else has: memory, history, tangent."""
    made.payload, made.version, made.view = other.payload, other.version, other.view
    made.node, made.nr, made.requires_grad_ = other.node, other.nr, other.requires_grad_
    made.level, made.hidden, made.inference, made.tangent = other.level, other.hidden, other.inference, other.tangent
    made.born = other.born


def make_subclass(cls, Tensor data not None, bint requires_grad=False):
    """A leaf of the class ``cls`` on the memory of ``data``, with which it shares the version counter.

    No ``__new__`` and no ``__init__`` is called: this is what such methods call.
    """
    cdef Tensor alias, made
    if not (isinstance(cls, type) and issubclass(cls, Tensor)):
        raise no_class_of_tensors()
    alias = data.detach()
    made = <Tensor>Tensor.__new__(cls)
    made.payload, made.version, made.level = alias.payload, alias.version, alias.level
    made.hidden, made.inference = alias.hidden, alias.inference
    Tensor.requires_grad_(made, requires_grad)
    return made


# ------------------------------------------------------------------------------ switched off

class DisableTorchFunctionSubclass:
    """In this block, only modes override functions: subclasses of Tensor are treated like Tensor."""

    def __enter__(self):
        global subclasses_off
        subclasses_off += 1

    def __exit__(self, kind, value, traceback):
        global subclasses_off
        subclasses_off -= 1


class DisableTorchFunction:
    """In this block, no class overrides anything."""

    def __enter__(self):
        global all_off
        all_off += 1

    def __exit__(self, kind, value, traceback):
        global all_off
        all_off -= 1


# ------------------------------------------------------------------------------ modes

class ModeStack(local):
    """The modes of a thread: (the innermost, (the next one, ...)), which needs no memory to become shorter.

    And ``autocast``, a function that takes a call as `answered` does, and has its answer or NotImplemented.
    """
    stack = None
    autocast = None


_modes = ModeStack()


cdef bint has_mode() except -1:
    return modes_on and not all_off and _modes.stack is not None


def mode_is_on():
    """Is there a mode to ask, in this thread?"""
    return has_mode()


def enter_mode(mode):
    """Ask `mode` about every function of this thread, before all others."""
    global modes_on
    _modes.stack = mode, _modes.stack
    modes_on += 1


def leave_mode():
    """Ask the innermost mode no longer."""
    global modes_on
    if _modes.stack is None:
        raise mode_not_entered()
    _modes.stack = _modes.stack[1]
    modes_on -= 1


cdef object modes_in_force():
    """The modes of this thread, as ``ModeStack`` has them, and autocast."""
    return _modes.stack, _modes.autocast


cdef int switch_modes(object modes) except -1:
    """Put these in force again; None stands for none."""
    global modes_on
    cdef object stack, autocast
    stack, autocast = (None, None) if modes is None else modes
    modes_on += depth_of(stack) - depth_of(_modes.stack)
    _modes.stack = stack
    put_autocast(autocast)
    return 0


cdef int depth_of(object stack) except -1:
    cdef int depth = 0
    while stack is not None:
        depth += 1
        stack = stack[1]
    return depth


class Asked:
    """A block in which this mode is asked: see Note [Ctrl-C at the edge of a block]."""
    __slots__ = ()

    def __enter__(self):
        enter_mode(self)
        return self

    def __exit__(self, kind, value, traceback):
        leave_mode()


cdef object asked_of_mode(function, types, args, kwargs):
    """What the innermost mode answers, while those around it are in force."""
    stack = _modes.stack
    mode, _modes.stack = stack
    try:
        return mode.__torch_function__(function, types, args, kwargs)
    finally:
        _modes.stack = stack


def without_modes(function, *args):
    """``function(*args)`` while neither modes nor autocast are asked: a formula is not a call of the program's."""
    stack, autocast = _modes.stack, _modes.autocast
    _modes.stack = _modes.autocast = None
    try:
        return function(*args)
    finally:
        _modes.stack, _modes.autocast = stack, autocast


# ------------------------------------------------------------------------------ autocast

def put_autocast(autocast):
    """Ask ``autocast`` about each call of this thread that nobody else answers; None ends it.  Returns what was it."""
    global modes_on
    before = _modes.autocast
    modes_on += (autocast is not None) - (before is not None)
    _modes.autocast = autocast
    return before


def autocast_in_force():
    """What ``put_autocast`` was given, in this thread."""
    return _modes.autocast


cdef object asked_of_autocast(function, list given, dict keywords):
    """What autocast makes of the call; it is not in force within: what a function calls has the dtypes it was given."""
    autocast = _modes.autocast
    if autocast is None:
        return NotImplemented
    _modes.autocast = None
    try:
        return autocast(function, given, keywords)
    finally:
        _modes.autocast = autocast


# ------------------------------------------------------------------------------ what the errors say

cdef object mode_not_entered():
    return error("MG122", "this thread leaves the block of a TorchFunctionMode that it has not entered: a mode is in "
                          "force in the thread that enters it, and a backward pass puts back the modes that it began "
                          "with")


cdef object nobody_answers(function, types):
    name = getattr(function, "__name__", repr(function))
    return error("MG205", f"Multiple dispatch failed for 'torch.{name}'; all __torch_function__ handlers returned "
                          f"NotImplemented: no implementation found on {[*types]}")


cdef object not_a_subclass(cls):
    return error("MG205", f"as_subclass(): argument 'cls' must be a subclass of Tensor, not {cls!r}")


cdef object no_class_of_tensors():
    return error("MG205", "Creating a Tensor subclass from a class that does not inherit from Tensor is not possible. "
                          "Make sure your class inherits from Tensor.")
