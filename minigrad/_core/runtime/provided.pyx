"""What Python modules above the core provide it with: ``provide(name=value)``.

Note [Told later]
-----------------
A file knows only those on its own floor and below.  Some need a function from above: a tensor that dies is taken apart
by a file that knows nodes, and ``repr(x)`` is written in Python.  Such a function is *told later*, when its own file is
imported, and there are two ways to be told::

    from C       later.catch_up = catch_up      a field of the struct `later` on the page of declarations that needs it
                                                (special_methods.pxd, graph.pxd, op.pxd), filled at the end of the file
                                                that has the function

    from Python  provide(repr_=_repr)           an attribute of `provided` (provided.pxd), or, where it is one of the
                                                operations that the core applies, of `words` (core_ops.pxd)

A call of either costs one load more than one of a function below.  `provide` refuses a name that nobody knows, and a
second value for a name that has one.  The end of ``import minigrad`` is `check_provided`, which raises if a name has
none, or a field of a struct (`awaited`); what comes with those who ask for it may be missing until then.
docs/notes/design.rst lists everything that is told later, and a test holds the list against the sources.

So before a function is added there: can it move to the floor of its callers, or can they be handed it?
"""

cimport cython

from minigrad._core.runtime.core_ops cimport Vocabulary, words


@cython.auto_pickle(False)
cdef class Provided:
    """One attribute for each thing that is provided; ``provided.pxd`` says what they are."""


provided = Provided()
#: the same for modules in Python
provisions = provided

cdef set _words = {name for name in vars(Vocabulary) if not name.startswith("_")}
cdef set _others = {name for name in vars(Provided) if not name.startswith("_")}
#: what is asked for only by what a module brings that is loaded when it is first used, and provides it
cdef set _comes_along = {"no_vjp"}


def provide(**what):
    """Provide the core with things, by their names; if it raises, nothing has changed."""
    cdef set unknown = what.keys() - _words - _others
    if unknown:
        raise ValueError(f"the core has no use for {sorted(unknown)}")
    for name, value in what.items():
        before = getattr(owner(name), name)
        if before is not None and before is not value:
            raise ValueError(f"the core has been provided with another {name} already")
    for name, value in what.items():
        setattr(owner(name), name, value)


cdef list _structs = []             # (the page, its struct, and how many fields that has)


cdef int awaited(str page, void* later, size_t size) except -1:
    """The struct `later` on this page of declarations, all of whose fields are pointers, must be full in the end."""
    _structs.append((page, <size_t>later, size // sizeof(void*)))
    return 0


def missing():
    """The names of what nobody has provided; for a struct, the page and the number of the field."""
    cdef size_t address, n, i
    found = sorted([name for name in (_words | _others) - _comes_along if getattr(owner(name), name) is None])
    for page, address, n in _structs:
        found += [f"{page}: field {i} of later" for i in range(n) if (<void**>address)[i] == NULL]
    return found


def check_provided():
    """Raise if anything has not been provided."""
    if missing():
        raise ValueError(f"the core has not been provided with {missing()}")


cdef object owner(str name):
    return words if name in _words else provided
