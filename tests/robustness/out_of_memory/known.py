"""What others do where they are refused memory; each entry says who, and how it is known."""

import errno

#: The libraries that come with NumPy.
NUMPY = ("_multiarray_umath", "_umath_linalg", "_pocketfft_umath", "libscipy_openblas")
#: What CPython and NumPy say in place of MemoryError, and who does.
SAID = {
    "without setting an exception": "CPython, NumPy, or Cython for a traceback, return NULL and no error",
    "error return without exception set": "CPython, NumPy, or Cython for a traceback, return NULL and no error",
    "NULL result without error": "CPython, NumPy, or Cython for a traceback, return NULL and no error",
    "returned a result with an exception set": "CPython or NumPy set an error and return a result",
    "assignment destination is read-only": "NumPy cannot read a buffer",
    "out of memory": "NumPy has a ValueError for it",
    "invalid index to scalar variable": "NumPy takes the error for one of the index",
    "Iterator operand was NULL": "NumPy does not look at an array that it could not make",
    "can't allocate": "CPython has its own words for a lock or a folder that it cannot make",
    "expected a sequence of integers or a single integer": "NumPy takes the error for one of the shape",
    "expected str, bytes or os.PathLike object": "CPython takes the error for one of the path",
    "path should be string, bytes, os.PathLike, integer or None": "CPython takes the error for one of the path",
    "Error(s) in loading state_dict": "load_state_dict lists what went wrong, as in PyTorch",
    "import of module": "CPython's pickle takes the error for one of the name",
    "nested too deeply": "CPython's parser says MemoryError of expressions that are nested too deeply",
}


def error(e):
    """Why an error other than MemoryError is not ours; None if it is."""
    for text, reason in SAID.items():
        if text in str(e):
            return reason
    return "the system says ENOMEM" if isinstance(e, OSError) and e.errno == errno.ENOMEM else None


#: Scenarios that are left out where the C library refuses, and why.
NOT_IN_C = {"collectives": "the MPI library has errors of its own, and ends the process where it gets no memory"}
#: Functions of CPython that crash by themselves, and why.
CRASHING = {
    "PyContextVar_Set": "CPython 3.11 does not check the token of a context variable",
    "dictiter_dealloc": "CPython 3.11 takes an iterator of items from the collector, which has not seen it",
    "_PyErr_NoMemory": "NumPy says MemoryError without holding the GIL, and CPython crashes",
}


#: Functions of CPython that lose something where they are refused memory; a function of two lines shows it.
LEAKING = {
    "list_extend": "CPython 3.11 loses what an empty list is extended by",
    "PyCell_New": "CPython 3.11 loses the locals of a frame for which it cannot make a cell",
}


def leak(refused):
    """Why memory that was lost is not ours; None if it is.  ``refused`` are functions as for `crash`."""
    callers = [frame.partition(":")[2] for frame in refused if frame.startswith(("libpython", "python"))]
    return next((LEAKING[name] for name in callers[:2] if name in LEAKING), None)


#: What is said by a process that the C library ends, and why.
ENDING = {
    "cannot allocate memory for thread-local data": "the C library ends a process with no room for an error of C++",
}


def crash(said, refused, crashed):
    """Why a crash is not ours; None if it is.

    ``said`` is what the process has printed.  The others are lists of functions, the innermost first, as in
    ``_core:name``: those that ran when memory was refused, if that is known, and those that ran at the crash.  NumPy is
    to blame where it was refused and crashes itself, and not where we called it wrongly.
    """
    for words, reason in ENDING.items():
        if words in said:
            return reason
    asking = [frame for frame in refused if not frame.startswith(("counting:", "libc:", "libpython", "python"))]
    for frame in crashed:
        library, _, name = frame.partition(":")
        if library.startswith(("libpython", "python")) and name in CRASHING:
            return CRASHING[name]
        if library == "_core" or library.startswith(NUMPY) and asking and not asking[0].startswith(NUMPY):
            return None
        if library.startswith(NUMPY):
            return f"{library} of NumPy crashes"
    return None


def left(found):
    """Why modes are not as before, if it is not our doing; None if it is.  ``found`` are those: {name: value}.

    ``np.errstate`` sets a context variable, which may be set although it raises; NumPy itself uses it for some of the
    four, while we always ignore all.
    """
    return "np.errstate is set, and raises" if [*found] == ["NumPy"] and {*found["NumPy"]} != {"ignore"} else None
