"""Give Tensor its methods: those from the table of ops, and Python's special methods.

The compiled class (``_core/graph/graph.pyx``) has its fields and the arithmetic operators.  Everything else is attached
here, once, at import: the rows and composites of the table that are methods in PyTorch, in-place forms, conversions,
and ``len(x)``, ``bool(x)``, ``print(x)`` and the like.
"""

import textwrap
from functools import partial
from importlib import import_module
from operator import index as as_int

import numpy as np

from minigrad import creation, dtypes, numpy_interface, random
from minigrad._core.backward import user_engines
from minigrad._core.devices import meta_functions
from minigrad._core.devices.meta import no_data
from minigrad._core.dispatch import numbers_first, torch_function
from minigrad._core.dispatch.composites import Composite
from minigrad._core.dispatch.operands import unmasked
from minigrad._core.errors import error
from minigrad._core.errors.absent import Absent
from minigrad._core.forward import dual_tensors
from minigrad._core.frontends import conversions as in_c, queries, subscripting
from minigrad._core.frontends.conversions import Conversion
from minigrad._core.frontends.queries import Question
from minigrad._core.graph import Node, Tensor, graph, wrap
from minigrad._core.graph.type_objects import attach
from minigrad._core.graph.view_geometry import address
from minigrad._core.inplace import inplace_methods, out_argument
from minigrad._core.runtime import thread_state
from minigrad._core.runtime.provided import provide
from minigrad.creation import buffers, typed
from minigrad.numpy_interface import dlpack
from minigrad.ops import copying
from minigrad.ops.arguments import one_dim
from minigrad.ops.formats import format_name, lies_in
from minigrad.ops.exports import INPLACE, METHODS, REGISTRY, ROWS
from minigrad.ops.lazy import made_from
from minigrad.ops.shapes import transposing
from minigrad.tensors import attributes, copy_and_pickle, printing, subclasses, to_python

# ------------------------------------------------------------------------------ conversions


#: The positional arguments of ``to``, by the type of the first.
_TO = {"tensor": ("tensor", "non_blocking", "copy"), "dtype": ("dtype", "non_blocking", "copy"),
       "device": ("device", "dtype", "non_blocking", "copy")}


@partial(Composite, front=in_c.to)
def to(self, *args, **kwargs):
    """This tensor in another dtype, or like another tensor; itself if nothing changes.

    Its forms are ``to(dtype)``, ``to(device, dtype)`` and ``to(tensor)``, each followed by ``non_blocking`` and
    ``copy``, and ``memory_format=``.  With ``copy=True`` it makes a copy even if nothing changes.

    >>> torch.tensor([1, 2]).to(torch.float64)
    tensor([1., 2.], dtype=torch.float64)
    """
    first = args[0] if args else None
    names = _TO["tensor" if isinstance(first, Tensor) else "dtype" if isinstance(first, dtypes.dtype)
                or first in (float, int, bool, complex) else "device"]
    if len(args) > len(names):
        raise error("MG205", f"to() takes at most {len(names)} positional arguments, {', '.join(names)}, but "
                             f"{len(args)} were given")
    if (names[0] == "device" and first is not None and type(first) is not int
            and not isinstance(first, (str, dtypes.device))):
        raise error("MG205", f"to() takes a dtype, a device or a tensor, not {dtypes.called(first)}")
    given = dict(zip(names, args))
    for name, value in kwargs.items():
        name = "tensor" if name == "other" else name
        if name not in ("tensor", "device", "dtype", "non_blocking", "copy", "memory_format"):
            raise error("MG205", f"to() got an unexpected keyword argument '{name}'")
        if name in given:
            raise error("MG205", f"to() got multiple values for argument '{name}'")
        given[name] = value
    for name in ("non_blocking", "copy"):
        if not isinstance(given.get(name, False), bool):
            raise error("MG205", f"to(): argument '{name}' must be bool, not {type(given[name]).__name__}")
    where = self.device
    if given.get("device") is not None:
        where = dtypes.placed(given["device"], "to")
    if "tensor" in given:
        kind, where = given["tensor"].dtype, given["tensor"].device
    else:
        kind = self.dtype if given.get("dtype") is None else dtypes.as_dtype(given["dtype"])
    name = format_name("to", given.get("memory_format"))
    if where is not self.device:
        return moved(self, kind, where)
    if kind is self.dtype and not given.get("copy") and (name == "preserve_format"
                                                         or lies_in(_array(self, "to"), name)):
        return self
    return copying.to_copy(self, kind, None if name == "preserve_format" else name)


def moved(self, kind, where):
    """The tensor on the other device: on "meta" without its numbers, and from there is no way back."""
    if where is dtypes.META:
        return copying.to_meta(self, kind)
    if self.is_meta:
        raise no_data(f"to('{where}')")
    there = copying.to_device(self, str(where), str(self.device))
    return there if kind is there.dtype else copying.to_copy(there, kind, None)


def _caster(name, kind):
    def cast(self, memory_format=None):
        return to(self, kind, memory_format=memory_format)
    cast.__name__ = name
    cast.__doc__ = f"This tensor as ``{kind!r}``; itself if it has that dtype."
    return Conversion(cast, dtype=kind)


@partial(Conversion, front=in_c.cpu)
def cpu(self, memory_format=None):
    """This tensor, which is already on the CPU; or a copy in another memory format.

    >>> x = torch.ones(2)
    >>> x.cpu() is x
    True
    """
    return to(self, "cpu", memory_format=memory_format)


@partial(Conversion, front=in_c.type_)
def type_(self, dtype=None, non_blocking=False):
    """The name of the tensor's type, or the tensor in another one.

    >>> torch.ones(2).type()
    'torch.FloatTensor'
    """
    if dtype is None:
        return f"torch.{'' if self.is_cpu else f'{self.device.type}.'}{typed.TYPE_NAMES[self.dtype.name]}Tensor"
    if not isinstance(dtype, (str, type, typed.tensortype, dtypes.dtype)):
        raise error("MG205", f"dtype must be a type, str, or dtype object, not {dtypes.called(dtype)}")
    return to(self, dtype if isinstance(dtype, dtypes.dtype) else typed.of_name(dtype))


# ------------------------------------------------------------------------------ special methods


def _repr(self):
    array = self._array
    if not isinstance(array, np.ndarray):
        return _of_a_transform(self)
    try:
        name = None if self.grad_fn is None else Node.name(self.grad_fn).rpartition("::")[2]
    except RuntimeError:                # a view that has lost its history still has numbers to show
        name = "Invalid"
    tangent = dual_tensors.tangent_of(self) if dual_tensors.is_open() else None
    prefix = "tensor(" if type(self) is Tensor else f"{type(self).__name__}("
    return printing.tensor_str(array, self.dtype, prefix=prefix, requires_grad=self.requires_grad,
                               grad_fn_name=name, tangent=tangent)


def _of_a_transform(x):
    """What a tensor inside a transform shows: how deep that is, and what it has (as ``debug_unwrap`` returns it)."""
    levels = {getattr(each, "level", None): (depth, each) for depth, each in enumerate(thread_state.levels(), 1)}
    depth, interpreter = levels.get(x._level, (-1, None))       # -1 if the transform has ended
    value, kind = x._array, f"GradTrackingTensor(lvl={depth}"
    if value.ndim > x.ndim:
        value, dim = (value, 0) if interpreter is None else interpreter.as_given(value)
        kind = f"BatchedTensor(lvl={depth}, bdim={dim}"
    return f"{kind}, value=\n{textwrap.indent(repr(value), '    ')}\n)"


def _iter(self):
    if self.ndim == 0:
        raise error("MG402", "iteration over a 0-d tensor")
    return iter(REGISTRY["unbind"](self, 0))


def _init(self, *args, device=None, **keywords):
    """``torch.Tensor(2, 3)`` and ``torch.Tensor([1, 2])``: the old constructors, always with the default dtype.

    ``torch.Tensor(x)`` is another tensor on the memory of ``x``, with its dtype and its history.
    """
    args = typed.positional(args, **keywords)
    typed.on_the_cpu(device, "Tensor")
    given = args[0] if len(args) == 1 else None
    torch_function.become(self, torch_function.as_subclass(given, Tensor) if isinstance(given, Tensor) else
                          wrap(typed.array_for(dtypes.get_default_dtype(), args)))


def _dir(self):
    """The names for ``dir(x)``, without those that only explain why there is nothing behind them."""
    return [name for name in object.__dir__(self)
            if name != "_data" and not isinstance(vars(Tensor).get(name), Absent)]


def _reversed(self):
    """``reversed(x)``: the first dim from its end."""
    return self.flip(0) if self.ndim else self


#: classes of operands that have no say in what operators do
USUAL = {Tensor, bool, int, float, complex}


def _augmented(self, other, name, asked):
    """``x **= y`` and the like, through the in-place method ``name``; classes are asked about the method ``asked``."""
    if not (type(self) is Tensor and type(other) in USUAL) and torch_function.overloaded([self, other]):
        return torch_function.answer_or_decline(getattr(Tensor, asked), [self, other])
    if not isinstance(other, (Tensor, bool, int, float, complex, np.generic, np.ndarray)):
        return NotImplemented
    return getattr(self, name)(other)


def _subscripts():
    """The functions for subscripts that C leaves to Python."""
    from_rows = import_module("minigrad.ops.positions.subscripting")
    return from_rows.getitem, from_rows.setitem


# ------------------------------------------------------------------------------ what the core is told

# Note [Told later] in _core/runtime/provided.pyx.  Some modules are imported here only for what they tell, in C or on a
# class, or because they publish methods.
_TELL = meta_functions, out_argument, random, subscripting, user_engines

provide(
    # Special methods.
    init=_init, repr_=_repr, iter_=_iter, augmented=_augmented, subscripts=_subscripts,
    **to_python.SLOTS, **copy_and_pickle.SLOTS,

    # The operations that the core itself applies.  These are called in C, as rows that have their content: what else is
    # awaited, is loaded when it is called.
    **{name: ROWS[name] for name in (
        "mm", "mv", "dot", "bmm", "addmm", "addmv", "clone", "expand", "select", "unsqueeze", "alias", "index", "copy",
        "t", "transpose", "permute", "view", "unsafe_view", "without_dim")},
    index_put=ROWS["index_put_at"], fill=ROWS["fill.Tensor"], slice_=ROWS["slice"], squeeze_dim=ROWS["squeeze.dim"],
    mm_by_columns=ROWS["mm.by_columns"], addmm_by_columns=ROWS["addmm.by_columns"],
    **{name: ROWS.waiting(name) for name in (
        "add", "sub", "mul", "div", "neg", "lt", "le", "eq", "ne", "gt", "ge", "sum_to", "real", "conj", "zeros_of",
        "as_strided_again", "as_strided_backward", "view_as_real", "view_as_complex", "split_with_sizes", "cat",
        "constant_pad_nd")},
    split=ROWS.waiting("split_equal"), pow_tensor=ROWS.waiting("pow.Tensor_Tensor"),
    pow_number=ROWS.waiting("pow.Tensor_Scalar"),
    fft_c2c=ROWS.waiting("_fft_c2c"), fft_r2c=ROWS.waiting("_fft_r2c"), fft_c2r=ROWS.waiting("_fft_c2r"),
    as_strided=ROWS.waiting("as_strided_view"), where=ROWS.waiting("where.self"),
    **{name: REGISTRY[name] for name in (
        "matmul", "pow", "rsub", "reshape", "contiguous", "floor_divide", "remainder", "bitwise_and", "bitwise_or",
        "bitwise_xor", "bitwise_left_shift", "bitwise_right_shift", "positive", "abs", "bitwise_not")},
    rdiv=lambda x, number: REGISTRY["mul"](REGISTRY["reciprocal"](x), number),
    to_dtype=copying.to_copy, to_device=copying.to_device, laid_out=copying.laid_out,
)

# ------------------------------------------------------------------------------ attributes and methods


def _array(self, what):
    array = self._array
    if not isinstance(array, np.ndarray):
        raise error("MG117", f"{what}() inside a transform (vmap, grad, jvp): the tensor has no memory of its "
                    f"own there")
    return array


def is_tensor(obj):
    """True if ``obj`` is a tensor.

    >>> torch.is_tensor(torch.ones(2)), torch.is_tensor([1., 1.])
    (True, False)
    """
    return isinstance(obj, Tensor)


def _tensor_only(input, name):
    if not isinstance(input, Tensor):
        raise error("MG205", f"{name}(): argument 'input' (position 1) must be Tensor, not {type(input).__name__}")
    return input


@partial(Question, answer=queries.is_floating_point)
def is_floating_point(input):
    """True if the dtype is floating point; complex dtypes are not.

    >>> torch.is_floating_point(torch.ones(2)), torch.ones(2, dtype=torch.cfloat).is_floating_point()
    (True, False)
    """
    return _tensor_only(input, "is_floating_point").dtype.is_floating_point


@partial(Question, answer=queries.is_complex)
def is_complex(input):
    """True if the dtype is complex.

    >>> torch.is_complex(torch.ones(2)), torch.tensor(1j).is_complex()
    (False, True)
    """
    return _tensor_only(input, "is_complex").dtype.is_complex


@partial(Question, answer=queries.is_contiguous)
def is_contiguous(self, memory_format="contiguous_format"):
    """True if the elements are in memory row by row without gaps; or in the order of ``memory_format``.

    >>> x = torch.ones(1, 2, 3, 3).contiguous(memory_format=torch.channels_last)
    >>> x.is_contiguous(), x.is_contiguous(memory_format=torch.channels_last)
    (False, True)
    """
    return lies_in(_array(self, "is_contiguous"), format_name("is_contiguous", memory_format))


@partial(Question, answer=queries.stride)
def stride(self, dim=None):
    """The distance in memory between neighbours along each dimension, in elements.

    >>> torch.ones(2, 3).t().stride()
    (1, 3)
    """
    array = _array(self, "stride")
    if array.size == 0:                     # NumPy says 0 everywhere; PyTorch counts every size as at least 1
        strides, step = [], 1
        for n in reversed(array.shape):
            strides.insert(0, step)
            step *= max(n, 1)
        strides = tuple(strides)
    else:
        strides = tuple(s // array.itemsize for s in array.strides)
    return strides if dim is None else along(strides, dim, "stride")


def along(numbers, dim, function):
    """The number for ``dim``, out of one for each dimension."""
    try:
        return numbers[as_int(dim)]
    except IndexError:
        if not numbers:
            raise error("MG203", f"Dimension specified as {dim} but tensor has no dimensions: "
                                 f"{function}({dim})") from None
    except TypeError:
        pass
    return numbers[one_dim(dim, len(numbers), function)]


@partial(Question, answer=queries.storage_offset)
def storage_offset(self):
    """The place of the first element in the memory that the tensor shares, in elements.

    >>> torch.arange(4)[1:].storage_offset()
    1
    """
    array = _array(self, "storage_offset")
    owner = array
    while isinstance(owner.base, np.ndarray):
        owner = owner.base
    return (address(array) - address(owner)) // array.itemsize


@partial(Question, answer=queries.data_ptr)
def data_ptr(self):
    """The address of the first element; 0 on the device "meta".

    >>> x = torch.ones(2)
    >>> x.data_ptr() == x.view(1, 2).data_ptr()
    True
    """
    return 0 if self.is_meta else address(_array(self, "data_ptr"))


def untyped_storage(self):
    """The memory that a tensor shares with its views, as bytes: see ``torch.UntypedStorage``.

    >>> torch.ones(2, 3)[1:].untyped_storage().nbytes()
    24
    """
    return import_module("minigrad.storage").of(_array(self, "untyped_storage"), self)


@partial(Question, answer=queries.numel)
def numel(input):
    """The number of elements.

    >>> torch.numel(torch.zeros(2, 3)), torch.tensor(1.).numel()
    (6, 1)
    """
    count = 1
    for n in _tensor_only(input, "numel").shape:
        count *= n
    return count


@partial(Question, answer=queries.dim)
def dim(self):
    """The number of dimensions.

    >>> torch.ones(2, 3).dim()
    2
    """
    return self.ndim


@partial(Question, answer=queries.element_size)
def element_size(self):
    """The number of bytes of one element.

    >>> torch.ones(2, 3).element_size()
    4
    """
    return self.dtype.itemsize


@partial(Question, answer=queries.size)
def size(self, dim=None):
    """The shape, or the size of one dimension.

    >>> torch.ones(2, 3).size(), torch.ones(2, 3).size(-1)
    (torch.Size([2, 3]), 3)
    """
    return self.shape if dim is None else along(self.shape, dim, "size")


def cuda(self, device=None, non_blocking=False, memory_format=None):
    """The tensor on a pretended device (:class:`torch.cuda.pretend`); else an error, since there is no GPU.

    >>> torch.ones(2).cuda()
    Traceback (most recent call last):
    minigrad._core.errors.DeviceError: cuda(): no device 'cuda' is available: minigrad computes on the CPU ...
    """
    where = dtypes.placed("cuda" if device is None else device, "cuda")
    return to(self, where, non_blocking=non_blocking, memory_format=memory_format)


def where_method(self, condition, other):
    """``torch.where(condition, self, other)``: ``self`` is the branch taken where ``condition`` is True.

    >>> torch.tensor([1., -2.]).where(torch.tensor([True, False]), 0.)
    tensor([1., 0.])
    """
    return choose(condition, self, other)


def requires_grad_(self, requires_grad=True):
    """Let autograd record operations on this tensor, or stop it; returns the tensor.

    >>> torch.ones(2).requires_grad_()
    tensor([1., 1.], requires_grad=True)
    """
    if not isinstance(requires_grad, bool):
        raise error("MG205", "requires_grad_(): argument 'requires_grad' (position 1) must be bool, not "
                             f"{type(requires_grad).__name__}")
    if self._level:
        raise inside_a_transform()
    if self.is_leaf or not requires_grad:
        self.requires_grad = requires_grad
    return self


@partial(Composite, front=in_c.type_as)
def type_as(self, other):
    """This tensor in the dtype of another one, and on its device; itself if it is there and has that dtype.

    >>> torch.tensor([1, 2]).type_as(torch.ones(1))
    tensor([1., 2.])
    """
    return to(self, other.device, other.dtype)


def _attach_all():
    for name, function in METHODS.items():
        attach(name, function)
    for name, row in INPLACE.items():
        attach(name, made_from(inplace_methods.InPlace, row, name, name[:-1] not in REGISTRY))
    for name, kind in (("float", "float32"), ("double", "float64"), ("half", "float16"), ("bfloat16", "bfloat16"),
                       ("long", "int64"), ("int", "int32"), ("short", "int16"), ("char", "int8"), ("byte", "uint8"),
                       ("bool", "bool"), ("cfloat", "complex64"), ("cdouble", "complex128")):
        attach(name, _caster(name, dtypes.NAMES[kind]))
    attach("__dir__", _dir)
    for module in (to_python, dlpack, numpy_interface, copy_and_pickle, creation, buffers):
        for name, function in module.METHODS.items():
            attach(name, function)
    for function in (to, is_floating_point, is_complex, is_contiguous, stride, storage_offset,
                     data_ptr, untyped_storage, dim, numel, element_size, size, cpu, cuda, requires_grad_, typed.new):
        attach(function.__name__, function)
    for name, value in attributes.EVERYWHERE.items():
        attach(name, value)
    attach("const_data_ptr", data_ptr)
    attach("__reversed__", _reversed)
    attach("as_subclass", torch_function.as_subclass)
    attach("_make_subclass", staticmethod(torch_function.make_subclass))
    attach("__torch_function__", classmethod(torch_function.torch_function))
    attach("__init_subclass__", classmethod(subclasses.init_subclass))
    attach("where", where_method)
    attach("type", type_)
    attach("type_as", type_as)
    attach("ndimension", dim)
    attach("nelement", numel)
    attach("names", property(lambda self: (None,) * self.ndim))
    attach("itemsize", property(lambda self: self.dtype.itemsize))
    attach("nbytes", property(lambda self: numel(self) * self.dtype.itemsize))
    for transposed in (transposing.T, transposing.mT, transposing.H, transposing.mH):
        attach(transposed.__name__, property(transposed))
    attach("real", property(real, set_real))
    attach("imag", property(ROWS.waiting("imag"), set_imag, doc=IMAG))


#: said here, so that the row need not be asked for it
IMAG = """
The imaginary part: a view of the same memory.

>>> torch.imag(torch.tensor([1 + 2j, 3 - 4j]))
tensor([ 2., -4.])
"""
real_of, choose = ROWS.waiting("real"), ROWS.waiting("where.self")


def real(self):
    """The real parts: a view, and of real numbers the tensor itself."""
    return real_of(self) if self.dtype.is_complex else self


def set_real(self, value):
    self.real[...] = value


def set_imag(self, value):
    self.imag[...] = value


_attach_all()
numbers_first.OPTIONS.update({
    **dict.fromkeys(map(ROWS.waiting, ("add", "sub")), ("alpha",)),
    **dict.fromkeys(map(ROWS.waiting, ("addcmul", "addcdiv")), ("value",)),
    **dict.fromkeys((*map(ROWS.waiting, ("addmm", "addmv", "addr", "baddbmm")), REGISTRY["addbmm"],
                     METHODS["addbmm_"]), ("beta", "alpha"))})
torch_function.ignored.update((creation.tensor, creation.as_tensor, creation.asarray))


# ------------------------------------------------------------------------------ errors


def inside_a_transform():
    return error("MG117", "You are attempting to call Tensor.requires_grad_() (or perhaps using "
                          "torch.autograd.functional.* APIs) inside of a function being transformed by a functorch "
                          "transform. This is unsupported, please attempt to use the functorch transforms (e.g. "
                          "grad, vjp, jacrev, jacfwd, hessian) or call requires_grad_() outside of a function being "
                          "transformed instead.")
