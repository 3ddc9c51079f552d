"""Read a pickle without running its code: the machine behind ``load``.

A pickle is not data but a program, for a small machine with a stack and a numbered memory::

    program                         stack
    ]                               []
    K 5                             []  5
    a                               [5]
    c collections OrderedDict       [5]  OrderedDict
    )                               [5]  OrderedDict  ()
    R                               [5]  OrderedDict()          a call: Python's machine runs anything a file names

Python's own machine imports whatever the file names, calls whatever is on the stack, and sets attributes of whatever
is there: it trusts a file like a program.  This machine knows the same instructions but does less:

* A name is looked up in a table from the caller, never imported.  Anything there that can be called is a
  :class:`Maker`, which checks each argument and makes one kind of object; or it is a class or function that the user
  has approved.
* Only lists grow by elements, only dicts by entries, and only types listed by the caller get attributes; and an
  attribute must not hide a method.
* Keys are plain and small, since Python hashes a deep tuple recursively and a wide one anew each time.
* The arguments of all makers together are not longer than the file: a short file cannot request ten thousand copies
  of the same data.
* Nothing is allocated merely because a file claims a length, and the result is at most ``DEEPEST`` levels deep.

So whatever the bytes are, the result is plain data, or an error that describes the problem.

Source of the instructions: Python's module ``pickletools``.  Instructions that only Python 2 wrote, and those for
extensions, are unknown here.
"""

import pickle
from collections import Counter, OrderedDict, defaultdict
from struct import unpack

from minigrad._core.errors import error
from minigrad._core.errors.refusals import damaged

__all__ = ["Machine", "Maker"]

DEEPEST = 1000              # Python's own writer goes no deeper
LARGEST_KEY = 1000          # entries of a tuple that is a key, including those of tuples inside
PIECE = 1 << 24             # bytes that are read at once

NUMBERS_AND_TEXT = {type(None), bool, int, float, complex, str, bytes, range, type(...)}
DICTS = (dict, OrderedDict, defaultdict, Counter)


class Maker:
    """The meaning of a name in a file: ``make(arguments, machine)`` checks the arguments and makes an object.

    ``type`` is its meaning as an argument: the class in ``rebuild(Tensor, ...)``.
    """

    __slots__ = ("make", "type")

    def __init__(self, make, type=None):
        self.make = make
        self.type = type

    def __call__(self, *arguments):
        """For Python's own machine."""
        return self.make(arguments, None)


class Machine:
    """Run the pickle in ``file``; ``names`` gives the meaning of the names in it.

    ``leaves`` are types, besides numbers and text, that may be in containers and be keys; ``bearers`` are types,
    besides those of ``collections``, that may have attributes.  ``outside(id)`` gives what lies outside the pickle, the
    storages of tensors.  ``approved`` are classes and functions, by their full names, that may be called with anything.
    """

    def __init__(self, file, names, leaves=(), bearers=(), outside=None, approved=None):
        self.file = file
        self.names = names
        self.outside = outside
        self.approved = approved or {}
        self.plain = NUMBERS_AND_TEXT.union(leaves)
        self.bearers = (OrderedDict, Counter, *bearers)
        self.stack = []
        self.below = []                     # the stacks set aside by marks
        self.memo = {}
        self.fragile = []                   # objects that Python frees recursively, with their contents
        self.length = self.spent = 0        # bytes read; the size of the makers' arguments

    def run(self):
        """The object that the pickle describes."""
        kept = ()
        try:
            result = self.execute()
            kept = self.check(result)
        finally:                            # so that no chain of dropped objects is too long
            for each in self.fragile:
                if id(each) not in kept:
                    (each if type(each) is defaultdict else vars(each)).clear()
        return result

    def execute(self):
        while True:
            code = self.file.read(1)
            step = _STEPS.get(code)
            if step is None:
                raise damaged(f"no instruction {code!r}" if code else "it ends too early")
            self.length += 1
            if step is _stop:
                break
            step(self)
        result = self.stack.pop()
        if self.stack or self.below:
            raise damaged("something is left on the stack")
        return result

    # ---------------------------------------------------------------------- the parts of instructions

    def read(self, n):
        """The next ``n`` bytes; memory is allocated only for bytes that are really there."""
        if n <= PIECE:
            data = self.file.read(n)
        else:
            data = bytearray()
            while len(data) < n:
                piece = self.file.read(min(PIECE, n - len(data)))
                if not piece:
                    break
                data += piece
        if len(data) != n:
            raise damaged("it ends too early")
        self.length += n
        return data

    def number(self, format, size):
        return unpack(format, self.read(size))[0]

    def line(self):
        data = self.file.readline()
        if data[-1:] != b"\n":
            raise damaged("it ends too early")
        self.length += len(data)
        return data[:-1]

    def marked(self):
        """Everything put on the stack since the last mark."""
        found, self.stack = self.stack, self.below.pop()
        return found

    def pair_off(self, entries):
        if len(entries) % 2:
            raise damaged("a key without a value")
        return zip(self.keys(entries[::2]), entries[1::2])

    def key(self, key):
        """Check that a key, or an element of a set, is quickly hashed."""
        if type(key) in self.plain or type(key) in self.bearers:
            return
        pending, seen = [key], 0
        while pending:
            each = pending.pop()
            if isinstance(each, (tuple, frozenset)):
                seen += len(each) + 1
                if seen > LARGEST_KEY:
                    raise damaged("a key is a tuple too large")
                pending += each
            elif type(each) not in self.plain and type(each) not in self.bearers:
                raise damaged(f"a key is of type {type(each).__name__}")

    def keys(self, found):
        for each in found:
            self.key(each)
        return found

    def call(self, maker, arguments, new=False):
        if type(arguments) is not tuple or type(maker) is not Maker and not self.approves(maker):
            raise damaged("it calls something other than a maker")
        self.spent += sum([len(each) for each in arguments if isinstance(each, _COPIED)])
        if self.spent > self.length:
            raise damaged("it uses the same data again and again")
        if type(maker) is Maker:
            return maker.make(arguments, self)
        made = maker.__new__(maker, *arguments) if new else maker(*arguments)
        self.plain.add(type(made))
        return made

    def approves(self, found):
        return any([found is each for each in self.approved.values()])

    def find(self, module, name):
        module, name = self.renamed((module, name))
        if (module, name) in self.names:
            return self.names[module, name]
        if f"{module}.{name}" not in self.approved or module in NEVER:
            raise unknown_name(module, name)
        found = self.approved[f"{module}.{name}"]
        self.plain.add(type(found))
        return found

    def renamed(self, found):
        """The present name of what Python 2 called otherwise."""
        return _MOVED.get(found) or (_RENAMED.get(found[0], found[0]), found[1])

    def give(self, bearer, state):
        """Give attributes to an object, through its dict, so that no property of it runs."""
        if type(bearer) not in self.bearers or type(state) is not dict:
            raise damaged("attributes for an object that has none")
        for name in state:
            if type(name) is not str or not name.isidentifier() or hasattr(type(bearer), name):
                raise damaged(f"{name!r} is not a name for an attribute of a {type(bearer).__name__}")
        self.fragile.append(bearer)
        vars(bearer).update(state)

    # ---------------------------------------------------------------------- the result

    def check(self, result):
        """Raise for anything but plain data, and for data nested too deeply, since Python prints and frees many things
        recursively.

        Returns the ids of all containers, as the keys of a dict.

        The walk enters each container once, and returns to it when its contents are known:
        the depth of a container is one more than that of its deepest element.
        """
        depths, way = {}, []

        def enter(each):
            depths[id(each)] = 0                    # a container inside itself adds nothing
            way.append((each, iter(self.containers_in(each))))
            if len(way) > DEEPEST:
                raise damaged(f"it is more than {DEEPEST} levels deep")

        enter([result])
        while way:
            around, rest = way[-1]
            for each in rest:
                if id(each) not in depths:
                    enter(each)
                    break
                depths[id(around)] = max(depths[id(around)], depths[id(each)] + 1)
            else:
                way.pop()
                if depths[id(around)] > DEEPEST:
                    raise damaged(f"it is more than {DEEPEST} levels deep")
                if way:
                    outer = id(way[-1][0])
                    depths[outer] = max(depths[outer], depths[id(around)] + 1)
        return depths

    def containers_in(self, container):
        cls = type(container)
        inside = [*container, *container.values()] if cls in DICTS else list(container) if cls in _SEQUENCES else []
        if cls in self.bearers:
            inside += vars(container).values()
        found = [each for each in inside if type(each) not in self.plain]
        for each in found:
            if type(each) not in _CONTAINERS and type(each) not in self.bearers:
                raise damaged(f"a {type(each).__name__} is where data should be")
        return found


#: modules of which nothing is ever allowed
NEVER = ("sys", "os", "posix", "nt")

_SEQUENCES = (list, tuple, set, frozenset)
_COPIED = (bytes, bytearray, str, tuple, list, dict)
_CONTAINERS = {*_SEQUENCES, *DICTS, bytearray, slice}

#: Python 2's names, which pickles below protocol 3 still use
_RENAMED = {"__builtin__": "builtins", "copy_reg": "copyreg"}
_MOVED = {("__builtin__", "xrange"): ("builtins", "range")}


# ------------------------------------------------------------------------------ instructions

_STEPS = {}


def _step(code):
    def put(function):
        _STEPS[code] = function
        return function
    return put


def _constant(code, make):
    _STEPS[code] = lambda m: m.stack.append(make())


def _pushes(code, make):
    """An instruction that puts the result of ``make(machine)`` on the stack, made from the file or from the stack."""
    def step(m):
        made = make(m)                      # this may replace the stack
        m.stack.append(made)
    _STEPS[code] = step


def _text(data):
    return str(data, "utf-8", "surrogatepass")


def _whole(data):
    return int.from_bytes(data, "little", signed=True)


@_step(pickle.STOP)
def _stop(m):
    """The end; the result is on the stack."""


_CONSTANTS = {
    pickle.NONE: lambda: None, pickle.NEWTRUE: lambda: True, pickle.NEWFALSE: lambda: False,
    pickle.EMPTY_LIST: list, pickle.EMPTY_DICT: dict, pickle.EMPTY_TUPLE: tuple, pickle.EMPTY_SET: set,
}
_READ = {
    pickle.BININT: lambda m: m.number("<i", 4),
    pickle.BININT1: lambda m: m.number("<B", 1),
    pickle.BININT2: lambda m: m.number("<H", 2),
    pickle.LONG1: lambda m: _whole(m.read(m.number("<B", 1))),
    pickle.LONG4: lambda m: _whole(m.read(m.number("<I", 4))),
    pickle.BINFLOAT: lambda m: m.number(">d", 8),
    pickle.SHORT_BINUNICODE: lambda m: _text(m.read(m.number("<B", 1))),
    pickle.BINUNICODE: lambda m: _text(m.read(m.number("<I", 4))),
    pickle.BINUNICODE8: lambda m: _text(m.read(m.number("<Q", 8))),
    pickle.SHORT_BINBYTES: lambda m: bytes(m.read(m.number("<B", 1))),
    pickle.BINBYTES: lambda m: bytes(m.read(m.number("<I", 4))),
    pickle.BINBYTES8: lambda m: bytes(m.read(m.number("<Q", 8))),
    pickle.BYTEARRAY8: lambda m: _writable(m.read(m.number("<Q", 8))),
    pickle.INT: lambda m: _of_line(m.line()),
    pickle.LONG: lambda m: int(m.line().rstrip(b"L")),
    pickle.FLOAT: lambda m: float(m.line()),
    pickle.UNICODE: lambda m: str(m.line(), "raw-unicode-escape"),
    pickle.GLOBAL: lambda m: m.find(_text(m.line()), _text(m.line())),
    pickle.GET: lambda m: _from_memo(m, int(m.line())),
    pickle.BINGET: lambda m: _from_memo(m, m.number("<B", 1)),
    pickle.LONG_BINGET: lambda m: _from_memo(m, m.number("<I", 4)),
}
_TAKEN = {
    pickle.TUPLE1: lambda m: (m.stack.pop(),),
    pickle.TUPLE: lambda m: tuple(m.marked()),
    pickle.LIST: lambda m: m.marked(),
    pickle.DICT: lambda m: dict(m.pair_off(m.marked())),
    pickle.FROZENSET: lambda m: frozenset(m.keys(m.marked())),
}
for _code, _make in _CONSTANTS.items():
    _constant(_code, _make)
for _code, _make in (_READ | _TAKEN).items():
    _pushes(_code, _make)


def _writable(data):
    return data if type(data) is bytearray else bytearray(data)


def _of_line(line):
    return line == b"01" if line in (b"00", b"01") else int(line)


def _from_memo(m, place):
    if place not in m.memo:
        raise damaged("it asks for an entry of its memory that is not there")
    return m.memo[place]


@_step(pickle.PROTO)
def _protocol(m):
    if m.number("<B", 1) > pickle.HIGHEST_PROTOCOL:
        raise damaged("it is written for a later Python")


@_step(pickle.FRAME)
def _frame(m):
    m.read(8)                               # the length of the frame


@_step(pickle.MARK)
def _mark(m):
    m.below.append(m.stack)
    m.stack = []


@_step(pickle.POP)
def _pop(m):
    m.stack.pop()


@_step(pickle.POP_MARK)
def _pop_mark(m):
    m.marked()


@_step(pickle.TUPLE2)
def _tuple2(m):
    m.stack[-2:] = [(m.stack[-2], m.stack[-1])]


@_step(pickle.TUPLE3)
def _tuple3(m):
    m.stack[-3:] = [(m.stack[-3], m.stack[-2], m.stack[-1])]


@_step(pickle.MEMOIZE)
def _memoize(m):
    m.memo[len(m.memo)] = m.stack[-1]


@_step(pickle.PUT)
def _put(m):
    m.memo[int(m.line())] = m.stack[-1]


@_step(pickle.BINPUT)
def _binput(m):
    m.memo[m.number("<B", 1)] = m.stack[-1]


@_step(pickle.LONG_BINPUT)
def _long_binput(m):
    m.memo[m.number("<I", 4)] = m.stack[-1]


@_step(pickle.STACK_GLOBAL)
def _stack_global(m):
    name, module = m.stack.pop(), m.stack.pop()
    if type(name) is not str or type(module) is not str:
        raise damaged("a name is not text")
    m.stack.append(m.find(module, name))


@_step(pickle.REDUCE)
def _call(m):
    arguments, maker = m.stack.pop(), m.stack.pop()
    m.stack.append(m.call(maker, arguments))


@_step(pickle.NEWOBJ)
def _new(m):
    arguments, cls = m.stack.pop(), m.stack.pop()
    m.stack.append(m.call(cls, arguments, new=True))


@_step(pickle.BINPERSID)
def _outside(m):
    named = m.stack.pop()
    if m.outside is None or type(named) is not tuple:
        raise damaged("it asks for something outside")
    m.stack.append(m.outside(named))


@_step(pickle.BUILD)
def _build(m):
    """Give the object on the stack its state."""
    state, bearer = m.stack.pop(), m.stack[-1]
    classes = tuple([each for each in m.approved.values() if isinstance(each, type)])
    if type(bearer) in m.bearers or not isinstance(bearer, classes):
        m.give(bearer, state)
    elif hasattr(bearer, "__setstate__"):
        bearer.__setstate__(state)
    else:
        own, slots = state if type(state) is tuple and len(state) == 2 else (state, None)
        if own:                                             # an object with slots alone has no dict
            vars(bearer).update(own)
        for name, value in (slots or {}).items():
            setattr(bearer, name, value)


@_step(pickle.APPEND)
def _append(m):
    element = m.stack.pop()
    _of_type(m, list).append(element)


@_step(pickle.APPENDS)
def _appends(m):
    elements = m.marked()
    _of_type(m, list).extend(elements)


@_step(pickle.ADDITEMS)
def _additems(m):
    elements = m.keys(m.marked())
    _of_type(m, set).update(elements)


@_step(pickle.SETITEM)
def _setitem(m):
    value, key = m.stack.pop(), m.stack.pop()
    _fill(m, [key, value])


@_step(pickle.SETITEMS)
def _setitems(m):
    _fill(m, m.marked())


def _fill(m, entries):
    into = _of_type(m, *DICTS)
    for key, value in m.pair_off(entries):
        into[key] = value                   # update() of a Counter would add


def _of_type(m, *types):
    if type(m.stack[-1]) not in types:
        raise damaged(f"elements for a {type(m.stack[-1]).__name__}, which holds none")
    return m.stack[-1]


# ------------------------------------------------------------------------------ errors


def unknown_name(module, name):
    full = name if module == "builtins" else f"{module}.{name}"
    return error("MG403", f"Weights only load failed: the file wants to import {module}.{name}, which is neither a "
                          f"tensor nor plain data, and could run any code. Unsupported global: GLOBAL {full} was not "
                          f"an allowed global by default. If you trust it, allow it with "
                          f"torch.serialization.add_safe_globals([{full}]); weights_only=False allows everything, so "
                          "use that only if you trust the source of the file.")
