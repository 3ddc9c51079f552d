"""Lines of the user's program, for errors that are about another line than the one that raises.

A write in place may spoil a backward pass that comes a hundred lines later, so it must be remembered where it was, and
at a cost that a write does not feel.
"""

import linecache

from minigrad._core.errors import PACKAGE, shown_path
from minigrad._core.runtime.python_api cimport PyObject, Py_DECREF, Py_INCREF, Py_XDECREF

cdef str _package = PACKAGE

cdef extern from "Python.h":
    ctypedef struct PyFrameObject:
        pass
    ctypedef struct PyCodeObject:
        pass
    PyFrameObject* PyEval_GetFrame()
    PyCodeObject* PyFrame_GetCode(PyFrameObject*)
    PyFrameObject* PyFrame_GetBack(PyFrameObject*)
    int PyFrame_GetLasti(PyFrameObject*)
    int PyCode_Addr2Line(PyCodeObject*, int)


# Note [Where in the user's program]
# ----------------------------------
# "Modified by an inplace operation" and "a second time" help little without the line that wrote, or that called
# backward the first time.  So each write notes its line on the Version, and each backward pass on the nodes that it
# frees: the code object of a function, and an instruction in it.  The file and the line are found from these when an
# error needs them.  Asking Python for the frame is the expensive part (some 20 ns).  The frames of
# minigrad's own Python code, in which some methods run, are skipped.
#
# A Version has room for a line:      code, instruction
# A node has room for a number:       that of a call, in a ring of the latest 256
#
#     calls   [ 256 | 257 | 258 |  3  |  4  |  ...  | 255 ]         258 is the latest; 3 is the next to be forgotten
#
# A loop that calls backward from one line makes one entry.

cdef dict _own_files = {}           # co_filename -> True for a file of minigrad
cdef PyObject* last_code = NULL     # the user's code that was found last: in a loop it is found at once

cdef struct Call:
    PyObject* code
    int instruction
    int number
cdef enum:
    CALLS = 256
    LAST_NUMBER = 1 << 30
cdef Call calls[CALLS]
cdef int n_calls = 0


cdef PyObject* users_code(int* instruction) except? NULL:
    """The code of the user's function that called us (borrowed), and in `instruction` where in it.

    NULL if none did, and where there is no memory to find it: never an error of memory.
    """
    cdef PyFrameObject* frame = PyEval_GetFrame()
    cdef PyObject* code
    if frame == NULL:
        return NULL
    code = <PyObject*>PyFrame_GetCode(frame)
    Py_DECREF(<object>code)             # the frame keeps it
    if code == last_code:
        instruction[0] = PyFrame_GetLasti(frame)
        return code
    try:
        return search_users_code(frame, instruction)
    except MemoryError:                 # what has been written has been written: only the line is unknown
        pass
    return NULL


cdef PyObject* search_users_code(PyFrameObject* frame, int* instruction) except? NULL:
    """The same, searched outwards from `frame`, and remembered for the next time."""
    global last_code
    cdef PyFrameObject* inner
    cdef PyObject* code = <PyObject*>PyFrame_GetCode(frame)
    cdef PyObject* before
    Py_INCREF(<object>frame)
    try:
        while is_own(<object>code):
            inner = frame
            frame = PyFrame_GetBack(inner)
            Py_DECREF(<object>inner)
            Py_DECREF(<object>code)
            if frame == NULL:
                return NULL
            code = <PyObject*>PyFrame_GetCode(frame)
    except BaseException:
        Py_DECREF(<object>frame)
        Py_DECREF(<object>code)
        raise
    instruction[0] = PyFrame_GetLasti(frame)
    Py_DECREF(<object>frame)
    before, last_code = last_code, code
    Py_XDECREF(before)
    return code


cdef int note_call() except -1:
    """The number, never 0, of the line of the user's program from which we were called."""
    global n_calls
    cdef int instruction = 0
    cdef PyObject* code = users_code(&instruction)
    cdef PyObject* old
    cdef Call* call = &calls[n_calls % CALLS]
    if call.number and call.code == code and call.instruction == instruction:
        return call.number
    n_calls = n_calls % LAST_NUMBER + 1
    call = &calls[n_calls % CALLS]
    old = call.code
    if code != NULL:
        Py_INCREF(<object>code)
    call.code = code
    call.instruction = instruction
    call.number = n_calls
    Py_XDECREF(old)
    return n_calls


cdef bint is_own(object code) except -1:
    name = code.co_filename
    known = _own_files.get(name)
    if known is None:
        known = _own_files[name] = name.startswith(_package)
    return known


cdef str shown_line(PyObject* code, int instruction):
    """A line, for a message: its file, number and text; "" if it is unknown."""
    if code == NULL:
        return ""
    file = (<object>code).co_filename
    line = PyCode_Addr2Line(<PyCodeObject*>code, instruction)
    text = linecache.getline(file, line).strip()
    return f"{shown_path(file)}:{line}" + (f", `{text}`" if text else "")


cdef str shown_call(int number):
    """The line to which `note_call` gave this number, for a message; "" if it was forgotten."""
    cdef Call* call = &calls[number % CALLS]
    return shown_line(call.code, call.instruction) if call.number == number else ""


cdef object current_frame():
    """The innermost Python frame, or None: a thread that runs a pass for another thread may have none."""
    cdef PyFrameObject* frame = PyEval_GetFrame()
    return None if frame == NULL else <object>frame


cdef list users_stack():
    """The lines of a traceback, as Python prints them, down to the line where the user's program called us."""
    cdef list lines = []
    frame = current_frame()
    while frame is not None and is_own(frame.f_code):
        frame = frame.f_back
    while frame is not None:
        file, line = frame.f_code.co_filename, frame.f_lineno
        text = linecache.getline(file, line).strip()
        lines.append(f'  File "{file}", line {line}, in {frame.f_code.co_name}\n' + (f"    {text}\n" if text else ""))
        frame = frame.f_back
    return lines[::-1]
