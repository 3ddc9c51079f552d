"""Blocks that change something and restore it: a mode, a setting, the tensors of a model.

Note [Ctrl-C at the edge of a block]
------------------------------------
Python looks for signals when it enters a function of Python, when it jumps backwards, and after a call.  So Ctrl-C can
arrive just as an ``__exit__`` of Python begins.  Nothing has been put back then, and nothing will be::

    with mode:                          __enter__   in Python: may end after the change, before the block has begun
        ...
                                        __exit__    in Python: may end before anything is put back

The two methods of a Scope are in C, where Python looks for no signal: a block has begun or has not, and what it changed
is put back.  What runs in Python comes before the first change (``_changes``) or after all is put back (``_left``).
`grad_mode.pyx` has the blocks that a program enters most often, ``no_grad`` and its relatives, in a form of their own.

A change is one of two things::

    (function, value)           function(value) makes it, and returns what must be given to it to take it back
    (holder, key, value)        an item of a dict or list, or else an attribute

The functions are of the core, too.  A holder of the program's may run Python when it is assigned to; what a signal
interrupts there is tried again.
"""

from contextlib import ContextDecorator

from minigrad._core.runtime.python_api cimport PyDict_SetItem

cdef object MISSING = object()          # a key that a dict does not have


cdef class Scope:
    """A block with these changes; a subclass that decides at each entry defines ``_changes``.

    It may be entered again while it is active.  Leaving it takes no memory.
    """

    def __init__(self, *changes):
        self.changes = changes

    def _changes(self):
        """The changes of an entry, before any is made."""
        return self.changes

    def _left(self):
        """What is done when all is put back."""

    def _not_entered(self):
        """What is done if the block ends without having begun."""

    def __enter__(self):
        cdef list undo = [with_what_was(tuple(change)) for change in self._changes()]
        cdef object outer = None if self.undo is None else (self.undo, self.outer)
        cdef Py_ssize_t i = 0
        try:
            for i in range(len(undo)):
                make(<list>undo[i])
        except BaseException:
            put_back(undo, i + (len(<list>undo[i]) > 2))       # an assignment may fail half done
            raise
        self.undo, self.outer = undo, outer
        return self.value

    def __exit__(self, kind, value, traceback):
        cdef list undo = self.undo
        cdef tuple outer = self.outer
        if undo is None:
            self._not_entered()
            return
        if outer is None:
            self.undo = None
        else:
            self.undo, self.outer = <list>outer[0], outer[1]
        put_back(undo, len(undo))
        self._left()


class Undo(Scope):
    """A block of something that was changed when this was made: the end puts back what ``_changes`` says."""

    def __enter__(self):
        (<Scope>self).undo = [list(change) for change in self._changes()]


class Itself(Scope):
    """A block that ``with ... as`` gives itself."""

    def __enter__(self):
        Scope.__enter__(self)
        return self


class Block(Scope, ContextDecorator):
    """What functions return: ``changes()`` gives the changes of an entry.  It also decorates."""

    def __init__(self, changes):
        self.changes_of = changes

    def _changes(self):
        return self.changes_of()

    def _recreate_cm(self):
        return type(self)(self.changes_of)


cdef list with_what_was(tuple change):
    """A change as a list that ends with what was there before; of a function that is known when it is called."""
    if len(change) == 2:
        return list(change)
    holder, key, _ = change
    if isinstance(holder, dict):
        return [*change, holder.get(key, MISSING)]
    return [*change, holder[key] if isinstance(holder, list) else getattr(holder, key)]


cdef int make(list change) except -1:
    if len(change) == 2:
        change[1] = change[0](change[1])
        return 0
    return assign(change[0], change[1], change[2])


cdef int assign(object holder, object key, object value) except -1:
    if value is MISSING:
        del holder[key]
    elif type(holder) is dict:
        PyDict_SetItem(holder, key, value)
    elif isinstance(holder, (dict, list)):
        holder[key] = value
    else:
        setattr(holder, key, value)
    return 0


cdef int take_back(list change) except -1:
    if len(change) == 2:
        change[0](change[1])
        return 0
    return assign(change[0], change[1], change[len(change) - 1])


cdef int put_back(list undo, Py_ssize_t n) except -1:
    """Take the first `n` changes back, the last one first: all of them, even if one cannot be."""
    cdef object problem = None
    cdef Py_ssize_t i
    for i in range(n - 1, -1, -1):
        try:
            take_back(<list>undo[i])
        except BaseException as first:
            problem = first
            try:
                take_back(<list>undo[i])
            except BaseException as second:
                problem = second
    if problem is not None:
        raise problem
    return 0


# ------------------------------------------------------------------------------ for good

def set_in_all(list dicts not None, str key not None, value):
    """Set an item in each of several dicts."""
    for each in dicts:
        PyDict_SetItem(each, key, value)


def set_on_all(list objects not None, str name not None, value):
    """Set an attribute of each of several objects."""
    for each in objects:
        setattr(each, name, value)


class Counter:
    """How often something is on: a change ``(counter.add, 1)`` counts a block, in whichever thread."""

    def __init__(self):
        self.value = 0

    def add(self, int by):
        self.value += by
        return -by
