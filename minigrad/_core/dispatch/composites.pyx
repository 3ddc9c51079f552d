"""Composites: public functions that are not rows themselves, but made of them."""

cimport cython

from sys import intern

from minigrad._core.dispatch.arguments cimport complaint as words_for, taken, taken_by
from minigrad._core.dispatch.compute cimport explained
from minigrad._core.dispatch.front_end cimport FrontEnd, Wrapping
from minigrad._core.dispatch.numbers_first import usual_order
from minigrad._core.dispatch.op cimport later, other_names
from minigrad._core.dispatch.operands cimport number_given
from minigrad._core.dispatch.torch_function cimport overridden, unusual
from minigrad._core.errors import MinigradError, error
from minigrad._core.errors.refusals import must_be_tensor, no_tensor_in_a_list
from minigrad._core.graph cimport Tensor, new_tensor
from minigrad._core.graph.listener cimport OP, Announced, Listener, seq_now
from minigrad._core.graph.type_objects cimport declare_vectorcall
from minigrad._core.runtime.numpy_api cimport ndarray
from minigrad._core.runtime.python_api cimport (PyObject, PyObject_Vectorcall, PySequence_Fast_ITEMS,
                                                PyVectorcall_NARGS, Py_INCREF)
from minigrad._core.runtime.thread_state cimport listeners, state


cdef tuple _DTYPE = (intern("dtype"),)
# What parameters are called that take a tensor, where the author does not say what they take.
cdef frozenset MOSTLY_TENSORS = frozenset(["self", "input", "A"])


@cython.binding(False)
@cython.embedsignature(True)
cdef class Composite(Wrapping):
    """A public function that is not a row itself: made of rows, or one that makes tensors.

    It is callable also with NumPy's and PyTorch's other names for ``self``, ``dim``, ``keepdim``, and with those of its
    own in ``also``; Python's own errors become ours; and a listener hears of it.  With ``out=``, one that ``makes`` a
    tensor from a dtype takes that of ``out``.  Where the parameters in ``numbers`` are given tensors, the function
    receives numbers.
    """
    cdef readonly frozenset numbers     # the names of these parameters
    cdef unsigned int number_at         # and a bit for each that can be given by position
    cdef readonly bint takes_out, makes
    cdef public bint any_numbers        # it makes tensors of a shape, with whatever numbers
    cdef public bint in_any_shape       # an `out` of as many elements keeps its shape
    cdef public bint exact_out
    cdef readonly dict also
    cdef public dict types              # parameter -> its type as a schema writes it, where the author has said it
    cdef public bint by_row             # a row bears its name: Note [The call that was written] in listener.pyx
    cdef FrontEnd front                 # in C, for the usual calls; or None

    def __init__(self, function, bint takes_out=False, dict also=None, bint makes=False, numbers=(),
                 FrontEnd front=None):
        cdef int i
        code = function.__code__
        self.types = {}
        self.takes_out = takes_out or makes
        self.makes = makes
        self.front = front
        self.also = {**other_names(code.co_varnames[:code.co_argcount + code.co_kwonlyargcount]), **(also or {})}
        self.numbers = frozenset(numbers)
        self.number_at = 0
        for i, name in enumerate(code.co_varnames[:code.co_argcount]):
            if name in self.numbers:
                self.number_at |= 1u << i
        self.wrap(function, <void*>composite_vectorcall)


cdef PyObject* composite_vectorcall(PyObject* self, PyObject** args, size_t nargsf, PyObject* kwnames) except NULL:
    cdef Composite composite = <Composite>self
    cdef PyObject* function = <PyObject*>composite.__wrapped__
    cdef Py_ssize_t i
    cdef object names
    cdef list keep                      # owns what `args` is then
    cdef Listener listener = None
    cdef Announced announced = None
    cdef int event = 0
    cdef object made
    if unusual(args, PyVectorcall_NARGS(nargsf), kwnames):
        made = overridden(composite, args, PyVectorcall_NARGS(nargsf), kwnames)
        if made is not NotImplemented:
            Py_INCREF(made)
            return <PyObject*>made
    if composite.front is not None and not state().active:
        try:
            made = made_in_front(composite, args, PyVectorcall_NARGS(nargsf), kwnames)
        except ValueError:              # of NumPy, where no array can be so large
            made = None
        if made is not None:
            Py_INCREF(made)
            return <PyObject*>made
    if listeners and state().listener != NULL:
        listener = <Listener>state().listener
        arguments = [<object>args[i] for i in range(PyVectorcall_NARGS(nargsf))]
        if composite.by_row:
            announced = listener.announce(composite.__name__, seq_now(state()), arguments)
        else:
            event = listener.hear(composite.__name__, OP, seq_now(state()), arguments)
    try:
        if composite.numbers:
            keep = with_numbers(composite, args, PyVectorcall_NARGS(nargsf), kwnames)
            if keep is not None:
                args = PySequence_Fast_ITEMS(keep)
        if kwnames != NULL and composite.takes_out and "out" in <tuple>kwnames:
            return composite_out(composite, args, nargsf, <tuple>kwnames)
        if kwnames != NULL:
            names = usual_names(composite, <tuple>kwnames)
            return PyObject_Vectorcall(function, args, nargsf, <PyObject*>names)
        return PyObject_Vectorcall(function, args, nargsf, NULL)
    except (TypeError, ValueError, IndexError, AttributeError, OverflowError) as e:
        if isinstance(e, (MinigradError, MemoryError)):     # of memory where there was none to make the other
            raise
        made = with_numbers_first(composite, args, PyVectorcall_NARGS(nargsf), kwnames)
        if made is not None:
            Py_INCREF(made)
            return <PyObject*>made
        blame(composite, args, PyVectorcall_NARGS(nargsf), kwnames, e)
        raise
    finally:
        if announced is not None:
            listener.settle(announced)
        elif listener is not None and not composite.by_row:
            listener.end(event)


cdef object with_numbers_first(Composite composite, PyObject** args, Py_ssize_t n, PyObject* kwnames):
    """The call as it was written before; None if it is not so written."""
    if n <= composite.__wrapped__.__code__.co_argcount:
        return None
    keywords = {} if kwnames == NULL else {each: <object>args[n + i] for i, each in enumerate(<tuple>kwnames)}
    usual = usual_order(composite, tuple([<object>args[i] for i in range(n)]), keywords, composite.__name__)
    return None if usual is None else composite(*usual[0], **usual[1])


cdef int blame(Composite composite, PyObject** args, Py_ssize_t n, PyObject* kwnames, object e) except -1:
    """Raise what Python or NumPy says about a call as one of our errors, which names the argument that is wrong.

    Return where none of them is: then the library has made a mistake, and its exception stays as it is.
    """
    cdef list given = [<object>args[i] for i in range(n)]
    cdef list keywords = [] if kwnames == NULL else [<object>args[n + i] for i in range(len(<tuple>kwnames))]
    code = composite.__wrapped__.__code__
    names = (*code.co_varnames[:n], *(() if kwnames == NULL else <tuple>kwnames))
    if isinstance(e, TypeError) and getattr(e.__traceback__, "tb_next", None) is None:
        raise error("MG205", str(e)) from e     # the function was not even entered
    if isinstance(e, AttributeError) and not isinstance(e.obj, Tensor) and hasattr(Tensor, e.name):
        needed = code.co_argcount - len(composite.__wrapped__.__defaults__ or ())
        several = given[code.co_argcount:]                      # for *tensors
        used = [i for i, x in enumerate(given + keywords) if not code.co_argcount <= i < n and (
            x is e.obj or not isinstance(x, Tensor) and getattr(x, "dtype", x) is e.obj)]      # NumPy's has fewer names
        for i in sorted(used, key=lambda i: i >= needed):       # None is meant where it has no default
            raise must_be_tensor(composite.__name__, names[i], i + 1 if i < n else None, (given + keywords)[i]) from e
        for i, listed in enumerate([*given[:code.co_argcount], several]):
            for k, x in enumerate(listed if type(listed) in (list, tuple) else ()):
                if x is e.obj:
                    raise no_tensor_in_a_list(composite.__name__, i, k, x) from e
    blame_types(composite, names, given + keywords, e)
    if not isinstance(e, AttributeError):
        raise explained(composite.__name__, e, given) from e
    return 0


cdef int blame_types(Composite composite, tuple names, list values, object e) except -1:
    """Raise if an argument is not of the type that the composite has said."""
    for i, (name, x) in enumerate(zip(names, values)):
        name = composite.also.get(name, name)
        type_ = composite.types.get(name, "Tensor" if name in MOSTLY_TENSORS else "")
        if x is None and type_.endswith("?"):
            continue
        if type_ in ("Tensor", "Tensor?"):
            if not isinstance(x, (Tensor, int, float, complex)):        # a number may stand for it
                raise must_be_tensor(composite.__name__, name, i + 1, x) from e
        elif type_.startswith("Tensor"):
            for k, each in enumerate(x if type(x) in (tuple, list) else ()):
                if not isinstance(each, Tensor):
                    raise no_tensor_in_a_list(composite.__name__, i, k, each) from e
        elif taken(taken_by(type_), x) is NotImplemented:
            raise error("MG205", f"{composite.__name__}(): argument '{name}' {words_for(taken_by(type_), x)}") from e
    return 0


cdef object made_in_front(Composite composite, PyObject** args, Py_ssize_t n, PyObject* kwnames):
    """What the front end answers to the call, with ``out=`` or without; None where it does not."""
    cdef object out, made
    cdef list given, with_dtype
    if (kwnames == NULL or not composite.takes_out or len(<tuple>kwnames) != 1 or (<tuple>kwnames)[0] != "out"
            or <object>args[n] is None):
        return composite.front.make(args, n, kwnames)
    out = <object>args[n]
    given = [<object>args[i] for i in range(n)]
    if not composite.makes:
        made = composite.front.make(args, n, NULL)
    elif isinstance(out, Tensor) and (<Tensor>out).payload is not None:
        with_dtype = [*given, (<Tensor>out).dtype]
        made = composite.front.make(PySequence_Fast_ITEMS(with_dtype), n, <PyObject*>_DTYPE)
    else:
        return None
    if made is not None and composite.any_numbers and made.shape == out.shape:
        return out
    if made is None:
        return None
    if composite.in_any_shape:
        made = shaped_like(made, out)
    return later.write_out(composite.__name__, out, made, composite.exact_out, tuple(given), False)


cdef object shaped_like(Tensor made, object out):
    """The tensor in the shape of `out`, if that has as many elements."""
    if not isinstance(out, Tensor) or type(made.payload) is not ndarray or type((<Tensor>out).payload) is not ndarray:
        return made
    if made.payload.size != (<Tensor>out).payload.size:
        return made
    return new_tensor(made.payload.reshape((<Tensor>out).payload.shape))


cdef list with_numbers(Composite composite, PyObject** args, Py_ssize_t n, PyObject* kwnames):
    """The arguments, with a number for each tensor that stands for one; None where there is no such tensor."""
    cdef list given = None
    cdef Py_ssize_t i, total = n if kwnames == NULL else n + len(<tuple>kwnames)
    for i in range(total):
        if not isinstance(<object>args[i], Tensor) or (i < n and (i >= 32 or not composite.number_at >> i & 1)):
            continue
        name = composite.__wrapped__.__code__.co_varnames[i] if i < n else (<tuple>kwnames)[i - n]
        if composite.also.get(name, name) in composite.numbers:
            if given is None:
                given = [<object>args[k] for k in range(total)]
            given[i] = number_given(composite.__name__, name, <Tensor>given[i])
    return given


cdef PyObject* composite_out(Composite composite, PyObject** args, size_t nargsf, tuple names) except NULL:
    """The call with ``out=``: the function without it, then its result into ``out``."""
    cdef Py_ssize_t n = PyVectorcall_NARGS(nargsf)
    positional = [<object>args[i] for i in range(n)]
    keywords = {name: <object>args[n + i] for i, name in enumerate(usual_names(composite, names))}
    target = keywords.pop("out")
    requires_grad = False
    if composite.makes and isinstance(target, Tensor):
        requires_grad = keywords.pop("requires_grad", False)
        if keywords.get("dtype") is None:
            keywords["dtype"] = (<Tensor>target).dtype
        elif keywords["dtype"] is not (<Tensor>target).dtype:
            raise another_dtype(composite, keywords["dtype"], <Tensor>target)
    result = composite.__wrapped__(*positional, **keywords)
    if target is not None and composite.any_numbers and result.shape == target.shape:
        result = target
    elif target is not None:
        if composite.in_any_shape:
            result = shaped_like(result, target)
        result = later.write_out(composite.__name__, target, result, composite.exact_out,
                                 (*positional, *keywords.values()), False)
    if requires_grad:
        result.requires_grad = True
    Py_INCREF(result)
    return <PyObject*>result


cdef object another_dtype(Composite composite, object dtype, Tensor out):
    return error("MG202", f"{composite.__name__}(): dtype {dtype} does not match dtype of out parameter ({out.dtype}): "
                          "with out= leave dtype= out")


cdef tuple usual_names(Composite composite, tuple names):
    """Keywords as the function itself names them."""
    for name in names:
        if name in composite.also:
            return tuple([composite.also.get(each, each) for each in names])
    return names


cdef Composite a_composite = Composite.__new__(Composite)
declare_vectorcall(<PyObject*>Composite, <char*>&a_composite.vectorcall - <char*><PyObject*>a_composite)
