"""Computing: from arrays to arrays.

An op computes by a fast loop where the layout is plain.  Everything else is here: operands are brought to one dtype,
16-bit floats to float32 and back, the kernel runs in a context that is quiet about 1/0, and whatever NumPy complains
of is said in the user's terms.
"""

from functools import cache

import numpy as np

from minigrad._core.dispatch.arguments cimport A_DTYPE, A_NUMBER, OR_NONE
from minigrad._core.dispatch.axes cimport with_axes
from minigrad._core.dispatch.op cimport MAX_PARAMS, PLAIN, TENSOR, TENSORS, Op, options_left_out
from minigrad._core.errors import PACKAGE, MinigradError, error
from minigrad._core.kernels.loops.copies cimport in_dtype
from minigrad._core.kernels.loops.strided import laid_out_as
from minigrad._core.kernels.loops.strided cimport ROWS
from minigrad._core.runtime.errstate cimport silence, unsilence
from minigrad._core.runtime.memory_pool cimport LARGE_BYTES
from minigrad._core.runtime.numpy_api cimport (PyArray_DescrFromType, PyArray_IS_C_CONTIGUOUS, PyArray_NBYTES,
                                               PyArray_NDIM, PyArray_SIZE, PyArray_TYPE, dtype as Descr, ndarray,
                                               npy_intp)
from minigrad._core.runtime.provided cimport provided
from minigrad._core.runtime.python_api cimport (PyErr_Clear, PyErr_ExceptionMatches, PyObject, PySequence_Fast_ITEMS,
                                                PyTuple_GET_ITEM)
from minigrad._core.runtime.thread_pool cimport BLAS_IN_ONE, hold_blas, release_blas, threads_for_lapack
from minigrad._core.runtime.type_promotion cimport DIMENSIONS, NO_DIMENSIONS, NUMBER, number_num, result_num
from minigrad._core.runtime.type_promotion import default_real, result_dtype

cdef enum:
    MAX_PROMOTED = 32


cdef int leave_to_the_general_way() except -1:
    """NumPy says that no array can be so large: the general way meets the same error, and explains it."""
    if not PyErr_ExceptionMatches(ValueError):
        return -1
    PyErr_Clear()
    return 0


class DeviceArray(np.ndarray):
    """An array of another device than the CPU; each device has a class of its own (device_arrays.py), which says:

    ``compute(op, args)``       the arrays that an op returns, if the first operand not on the CPU is of this class
    ``of(array)``               an ordinary array, on this device
    ``moved(array, target)``    a copy of the array in the class ``target`` (np.ndarray: the CPU), to here or from here
    ``self.values(what)``       the numbers as an ordinary array, for a method that returns them; or an error
    ``self.put(result)``        writes an array into the memory of this one
    """

    device = None                       # the torch.device, which is made above

    @classmethod
    def together(cls, op, args):
        """The operands of a call, on one device: Note [Operands on one device] in device_arrays.py."""
        return args

    @classmethod
    def make(cls, make, *args, **kwargs):
        """What ``make`` would make on the CPU, such as ``np.zeros``, here."""
        return cls.of(make(*args, **kwargs))


# How many arrays lie on devices between which a tensor can move. While there are any, a backward pass that begins on
# the CPU may cross to such a device, where the loops for arrays must not compute; so its gradients are Tensors.
cdef long _across = 0


def count_across(int change):
    """Count arrays that come (1) or go (-1); how many there are then."""
    global _across
    _across += change
    return _across


cdef bint may_cross() noexcept:
    return _across != 0


cdef inline bint is_elsewhere(object x):
    """Is this an array of another device than the CPU?"""
    return isinstance(x, ndarray) and type(x) is not ndarray and isinstance(x, DeviceArray)


cdef object class_elsewhere(Op op, PyObject** raw):
    """The class of the first such array among the operands; None where all lie on the CPU."""
    cdef int i
    for i in range(op.n_tensors):
        if is_elsewhere(<object>raw[i]):
            return type(<object>raw[i])
        if op.type_of[i] == TENSORS and type(<object>raw[i]) is list:
            for x in <list>raw[i]:
                if is_elsewhere(x):
                    return type(x)
    return None


cdef list on_one_device(Op op, list args, list payloads):
    """The operands of a call, on one device; None on the CPU.  Note [Operands on one device] in device_arrays.py."""
    cls = class_elsewhere(op, PySequence_Fast_ITEMS(payloads))
    return None if cls is None else cls.together(op, args)


cdef object run_anywhere(Op op, PyObject** raw):
    """The op on the arrays of any device."""
    cls = class_elsewhere(op, raw)
    if cls is not None:
        return cls.compute(op, [<object>raw[i] for i in range(op.n_params)])
    return run(op, raw, op.n_params)


cdef object run_general(Op op, PyObject** raw, int n):
    """Promote, run the kernel, and see to it that arrays come out."""
    cdef bint plain = options_left_out(op, raw, n)
    cdef list args = [<object>raw[i] for i in range(op.n_plain if plain else n)]
    if op.dims:
        with_axes(op, args)
    cdef object kernel = op.plain if plain and op.plain is not None else op.kernel
    cdef object r = None, target = None, half = None
    if op.refuse:
        for x in args[:op.n_tensors]:
            if (type(x) is ndarray and (<ndarray>x).dtype.kind in op.refuse) or (type(x) is bool and "b" in op.refuse):
                raise unsupported(op, args)
    cdef npy_intp numbers = largest(op, args)
    quiet = silence(are_large(op, args))
    if numbers > BLAS_IN_ONE:
        hold_blas(threads_for_lapack(numbers))
    try:
        if op.promote is not None:
            target = promote(op, args)
            if target.kind in op.refuse:            # by way of a Python number: x <= 1j
                raise unsupported(op, args)
            check_numbers(op, args, target)
            half = target if op.wide and half_type((<Descr>target).type_num) else None
        else:
            half = half_among(op, args) if op.wide else None
            if half is not None:
                widen(op, args)
            numbers_to_arrays(op, args)
        if half is None:
            r = kernel(*args)
        else:
            r = run_widened(op, kernel, args, half)
    except (TypeError, ValueError, IndexError, OverflowError) as e:
        if isinstance(e, (MinigradError, MemoryError)):     # of memory where there was none to make the other
            raise
        if op.elementwise and isinstance(e, ValueError) and "broadcast" in str(e):
            raise not_broadcastable(op, args) from None
        if op.elementwise and isinstance(e, TypeError):
            raise unsupported(op, args) from None
        raise explained(op.shown, e, args) from e
    finally:
        if numbers > BLAS_IN_ONE:
            release_blas()
        unsilence(quiet)
    if op.list_output or op.outputs:
        if not isinstance(r, (list, tuple)) or (op.outputs and len(r) != len(op.outputs)):
            raise ValueError(miscounted(op, r))
        return [lying(op, args, of_numbers(op, x if type(x) is ndarray else np.asarray(x))) for x in r]
    if type(r) is not ndarray:
        if is_elsewhere(r):
            return r
        if isinstance(r, (list, tuple)):
            raise ValueError(miscounted(op, r))
        r = np.asarray(r)
    if (target is not None and op.kind == "elementwise" and (<ndarray>r).dtype.itemsize > target.itemsize
        and target.kind in "fV"):
        r = r.astype(target)            # a Python number in a kernel is weak for NumPy's own types, not for bfloat16
    return lying(op, args, of_numbers(op, r))


cdef object lying(Op op, list args, ndarray r):
    """The result, copied if it does not lie in memory as it should; mostly it does, and nothing must be found out."""
    if (op.layout == AS_OPERANDS and op.kind != "elementwise" and op.loops is None
            and op.loops_with_options is None):
        return r
    if PyArray_IS_C_CONTIGUOUS(r) and (op.layout == ROWS or are_contiguous(op, args)):
        return r
    return laid_out_as(r, args[:op.n_tensors], op.layout)


cdef object lying_in_c(Op op, PyObject** raw, object r):
    """The same for what a kernel in C returns, one array or several."""
    cdef list args = [<object>raw[i] for i in range(op.n_tensors)]
    if type(r) is ndarray:
        return lying(op, args, <ndarray>r)
    return [lying(op, args, <ndarray>x) if type(x) is ndarray else x for x in r]


cdef bint are_contiguous(Op op, list args):
    """Do all operands lie row by row?"""
    cdef int i
    for i in range(op.n_tensors):
        for x in args[i] if type(args[i]) is list else (args[i],):
            if type(x) is ndarray and not PyArray_IS_C_CONTIGUOUS(<ndarray>x):
                return False
    return True


# The numbers of NumPy's own types that tensors may have, in either byte order; a bit for each.
cdef unsigned long long KNOWN = 0
for _type in "?bBhHiIlLqQefdFD":
    KNOWN |= 1ULL << np.dtype(_type).num


cdef object of_numbers(Op op, ndarray r):
    """What a kernel has returned, if a tensor may have such a dtype."""
    cdef int number = PyArray_TYPE(r)
    if (number < 64 and KNOWN >> number & 1) or r.dtype in provided.dtype_of:
        return r
    raise error("MG202", f"{op.name}: its kernel returned an array of dtype {r.dtype}, which has no place in PyTorch's "
                         "type system; convert it with .astype(...)")


cdef npy_intp largest(Op op, list args) except -1:
    """How many elements the largest of the operands has."""
    cdef npy_intp most = 0
    cdef int i
    for i in range(op.n_tensors):
        if type(args[i]) is ndarray and PyArray_SIZE(<ndarray>args[i]) > most:
            most = PyArray_SIZE(<ndarray>args[i])
    return most


cdef bint are_large(Op op, list args) except -1:
    """Is one of the operands a large array?"""
    cdef int i
    for i in range(op.n_tensors):
        if type(args[i]) is ndarray and PyArray_NBYTES(<ndarray>args[i]) >= LARGE_BYTES:
            return True
    return False


def on_arrays(Op op not None, *args):
    """The op on arrays, with promotion: a step of a traced formula."""
    cdef PyObject* raw[MAX_PARAMS]
    keep = in_places(op, args, raw)
    return run(op, raw, op.n_params)


def on_arrays_in_c(Op op not None, *args):
    """What the kernel in C gives; None where the row has none, or it leaves such arguments to the general way."""
    cdef PyObject* raw[MAX_PARAMS]
    keep = in_places(op, args, raw)
    return run_in_c(op, raw, op.n_params)


def on_arrays_general(Op op not None, *args):
    """The same by the general way; a test holds the two against each other."""
    cdef PyObject* raw[MAX_PARAMS]
    keep = in_places(op, args, raw)
    return run_general(op, raw, op.n_params)


def general_way(Op op not None, *args):
    """(kernel, arguments): what the general way calls, for whoever writes it down instead (minigrad/viz/program.py)."""
    cdef PyObject* raw[MAX_PARAMS]
    keep = in_places(op, args, raw)
    cdef bint plain = options_left_out(op, raw, op.n_params)
    cdef list ready = [<object>raw[i] for i in range(op.n_plain if plain else op.n_params)]
    if op.dims:
        with_axes(op, ready)
    if op.promote is not None:
        promote(op, ready)
    else:
        if op.wide and half_among(op, ready) is not None:
            widen(op, ready)
        numbers_to_arrays(op, ready)
    return op.plain if plain and op.plain is not None else op.kernel, ready


cdef tuple in_places(Op op, tuple args, PyObject** raw):
    """The arguments of a step, all of which have places, options too; the result owns what `raw` borrows."""
    cdef tuple keep = args + op.defaults[len(args):]
    cdef int i
    for i in range(op.n_params):
        raw[i] = PyTuple_GET_ITEM(keep, i)
    return keep


# ------------------------------------------------------------------------------ one dtype

cdef object promote(Op op, list args):
    """Bring the operands to one dtype, in place in `args`; returns that dtype.

    Where it is one of 16 bits and the op is `wide`, they come as float32; what has dims by way of that dtype, as in
    PyTorch.
    """
    cdef int i, num = promoted_num(op, args)
    cdef object used
    target = PyArray_DescrFromType(num) if num >= 0 else result_dtype(promoting(op, args))
    if op.promote == "float" and target.kind in "biu":
        target = default_real()
    used = target
    if op.wide and half_type((<Descr>target).type_num):
        used = _single
    for i in range(op.n_tensors):
        if args[i] is None or op.type_of[i] == PLAIN:
            continue
        if op.promotes[i]:
            if op.type_of[i] == TENSORS:
                args[i] = [in_this(in_this(x, target), used) for x in args[i]]
            elif isinstance(args[i], np.ndarray):
                if (<object>args[i]).dtype is not used or op.rounded:
                    if used is not target and (op.rounded or PyArray_NDIM(<ndarray>args[i])):
                        args[i] = in_this(args[i], target)
                    args[i] = in_this(args[i], used)
            else:
                if op.moves and not half_type((<Descr>target).type_num):     # 70000 in float16 becomes inf
                    check_number(op.shown, args[i], target)
                elif op.fitting and target.kind in "iu":
                    check_number(op.shown, args[i], target)
                    if target.kind == "u" and args[i] < 0:
                        raise misfit(op.shown, args[i], target)
                args[i] = number_as(args[i], target if op.rounded else used, op)
                if op.rounded and used is not target:
                    args[i] = args[i].astype(used)
        elif used is not target and op.type_of[i] == TENSOR and isinstance(args[i], np.ndarray):
            args[i] = widened(args[i])
        elif op.type_of[i] == TENSOR and not isinstance(args[i], np.ndarray):
            args[i] = np.asarray(args[i])
    return target


cdef int promoted_num(Op op, list args) except -2:
    """NumPy's number of the dtype of the operands together; -1 where it has none, or there are very many operands."""
    cdef int nums[MAX_PROMOTED]
    cdef int tiers[MAX_PROMOTED]
    cdef int i, n = 0
    cdef object x
    for i in range(op.n_tensors):
        if not op.promotes[i] or args[i] is None:
            continue
        if op.type_of[i] != TENSORS:
            if n == MAX_PROMOTED or not look_at(args[i], nums, tiers, &n):
                return -1
            continue
        for x in <list>args[i] if type(args[i]) is list else list(args[i]):
            if n == MAX_PROMOTED or not look_at(x, nums, tiers, &n):
                return -1
    return result_num(n, nums, tiers) if n else -1


cdef inline bint look_at(object x, int* nums, int* tiers, int* n) except -1:
    """Add the dtype and the tier of an operand; False where they cannot be said in numbers."""
    if type(x) is ndarray:
        nums[n[0]] = PyArray_TYPE(<ndarray>x)
        tiers[n[0]] = DIMENSIONS if PyArray_NDIM(<ndarray>x) else NO_DIMENSIONS
    else:
        nums[n[0]] = number_num(x)
        tiers[n[0]] = NUMBER
    n[0] += 1
    return nums[n[0] - 1] >= 0


cdef list promoting(Op op, list args):
    """The operands whose dtypes count."""
    cdef list values = []
    cdef int i
    for i in range(op.n_tensors):
        if op.promotes[i] and args[i] is not None:
            if op.type_of[i] == TENSORS:
                values += args[i]
            else:
                values.append(args[i])
    return values


cdef object number_as(object x, object target, Op op):
    try:
        return (np.asarray(np.int64(x)).astype(target) if isinstance(x, int) and target.kind in "iu"
                else np.asarray(x, dtype=target))
    except OverflowError:
        raise misfit(op.shown, x, target) from None


# Note [Numbers that fit]
# -----------------------
# A number that takes part in arithmetic is computed with as it is: 1e300 plus a float32 is inf, and 300 plus an int8
# wraps around.  A number that only moves, as in `where` and `fill`, or belongs to the operation, as the slope of
# `leaky_relu`, becomes an element of a dtype first, and must fit it.  The loops in C leave numbers that do not fit to
# the general way, where this is decided; options, such as `alpha`, are left to the kernels.

cdef int check_numbers(Op op, list args, object target) except -1:
    """Refuse numbers of the operation that are too large for the dtype in which it computes."""
    cdef int i
    cdef object x, used = _single if op.wide and half_type((<Descr>target).type_num) else target
    for i in range(op.n_plain):
        x = args[i]
        if op.takes[i] & ~OR_NONE != A_NUMBER or op.promotes[i] or x is None:
            continue
        if isinstance(x, float) and target.kind in "iu":
            continue                    # the kernel computes in another dtype (clamp), or cuts off the fraction
        check_number(op.shown, x, used)
    return 0


def check_number(str op, object value, object dtype):
    """Refuse a Python number beyond this dtype: for integers the fraction is cut off, and no more."""
    if isinstance(value, complex):
        if value.imag and dtype.kind not in "bc":
            raise misfit(op, value, dtype)
        largest = max(abs(value.real), abs(value.imag))
    else:
        largest = abs(value)
    if dtype.kind in "iu":
        high = _greatest(dtype)
        # negative ints wrap around
        low = -high if dtype.kind == "u" and not isinstance(value, float) else 0 if dtype.kind == "u" else -high - 1
        if not low <= value.real <= high:
            raise misfit(op, value, dtype)
    elif dtype.kind != "b" and _greatest(dtype) < largest and largest != float("inf"):
        raise misfit(op, value, dtype)


def greatest(dtype):
    """The greatest number of a dtype."""
    if dtype.kind in "iu":
        return int(np.iinfo(dtype).max)
    return float(np.finfo(dtype).max) if dtype.kind in "fc" else (2 - 2**-7) * 2.0**127     # that of bfloat16


cdef object _greatest = cache(greatest)


def misfit(str op, object value, object dtype):
    return error("MG209", f"{op}(): value cannot be converted to type {dtype.name} without overflow: {value!r}")


# Note [16-bit floats]
# --------------------
# A float16 has 11 bits, a bfloat16 has 8, and each rounding loses half a bit more.  So what takes several steps
# takes them in float32, and rounds once, at the end:
#
#     softplus(x)     float16 --> float32 --> exp, log1p, + --> float32 --> float16
#
# That is so for each operation whose row is `wide`, which all rows are that compute and do not only move elements;
# Python numbers take part as float32.  A formula of several operations is one computation too (formulas.pyx): its
# gradient is rounded once.

cdef object _single = np.dtype(np.float32)


cdef object half_among(Op op, list args):
    """The 16-bit dtype of all floating point arguments of an op without promotion; None where that is not one."""
    cdef object half = None
    cdef ndarray a
    cdef int i
    for i in range(op.n_tensors):
        for x in args[i] if op.type_of[i] == TENSORS else (args[i],):
            if type(x) is not ndarray or not floating(<ndarray>x):
                continue
            a = <ndarray>x
            if not half_type(PyArray_TYPE(a)) or (half is not None and a.dtype is not half):
                return None
            half = a.dtype
    for i in range(len(args) if half is not None else 0):
        if op.takes[i] & ~OR_NONE == A_DTYPE and args[i] is not None:
            return None             # the kernel converts what it is given
    return half


cdef int widen(Op op, list args) except -1:
    """The 16-bit arrays among the arguments as float32, in place."""
    cdef int i
    for i in range(op.n_tensors):
        args[i] = [widened(x) for x in args[i]] if op.type_of[i] == TENSORS else widened(args[i])
    return 0


cdef object in_this(object x, object dtype):
    """An array in this dtype, as it is or a copy."""
    if type(x) is ndarray:
        return x if (<ndarray>x).dtype is dtype else in_dtype(<ndarray>x, (<Descr>dtype).type_num)
    return x.astype(dtype, copy=False)


cdef object widened(object x):
    """An array in float32 if it is in 16 bits; anything else as it is."""
    return in_dtype(<ndarray>x, NPY_FLOAT) if type(x) is ndarray and half_type(PyArray_TYPE(<ndarray>x)) else x


cdef object rounded(object x, object half):
    """What was computed in float32, rounded; other dtypes, such as those of indices, stay."""
    return in_this(x, half) if isinstance(x, (np.ndarray, np.generic)) and x.dtype == _single else x


cdef object run_widened(Op op, object kernel, list args, object half):
    """The kernel on arguments that have become float32."""
    cdef PyObject* raw[MAX_PARAMS]
    cdef object r = None
    cdef int i
    if op.fast != NULL and len(args) == op.n_plain:
        for i in range(op.n_plain):
            raw[i] = <PyObject*>args[i]
        r = op.fast(&op.loop, raw, op.n_plain)
    if r is None:
        r = kernel(*args)
    if isinstance(r, (list, tuple)):
        return [rounded(x, half) for x in r]
    return rounded(r, half)


cdef int numbers_to_arrays(Op op, list args) except -1:
    cdef int i
    for i in range(op.n_tensors):
        if op.type_of[i] == TENSOR and not isinstance(args[i], np.ndarray):
            args[i] = np.asarray(args[i], None if not isinstance(args[i], float) else default_real())
    return 0


# ------------------------------------------------------------------------------ what went wrong

cdef object miscounted(Op op, object r):
    """The row is wrong, not the call."""
    got = f"a {type(r).__name__} of {len(r)}" if isinstance(r, (list, tuple)) else f"a {type(r).__name__}"
    declared = "a list" if op.list_output else f"outputs={op.outputs}" if op.outputs else "one output, without outputs="
    return f"{op.name}: its row declares {declared}, but its kernel returned {got}"


#: in what words NumPy says that an array cannot be so large
TOO_LARGE = ("is too big", "is too large", "Maximum allowed")


cdef object explained(str name, object e, args):
    """Python's or NumPy's own complaint about arguments of the right types, as one of ours.

    Some value among them has no meaning there, or the library has made a mistake.  Nobody can tell which, so the error
    says both, and where it was.
    """
    given = ", ".join([f"{type(x).__name__} {list(x.shape)}" if hasattr(x, "shape") else type(x).__name__
                       for x in args])
    if isinstance(e, ValueError) and any([words in str(e) for words in TOO_LARGE]):
        return error("MG204", f"{name}(): Storage size calculation overflowed: a tensor of these sizes has more "
                              f"elements than memory can be addressed for ({given})")
    code = "MG206" if isinstance(e, IndexError) else "MG207" if isinstance(e, (ValueError, OverflowError)) else "MG205"
    at = e.__traceback__
    where = ""
    while at is not None:
        file = at.tb_frame.f_code.co_filename
        if file.startswith(PACKAGE) and file.endswith(".py"):
            where = f" in minigrad/{file.removeprefix(PACKAGE)}, line {at.tb_lineno}"
        at = at.tb_next
    return error(code, f"{name}() cannot work with what it was given ({given}): {e}. If these arguments make sense, "
                       f"that is a mistake of minigrad{where}.")


cdef object shapes_of(Op op, list args):
    return ", ".join([f"{op.params[i]} {list((<object>args[i]).shape)}" for i in range(op.n_tensors)
                      if isinstance(args[i], np.ndarray)])


cdef object not_broadcastable(Op op, list args):
    """Name the first axis, from the right, on which two of the shapes disagree."""
    shapes = [(<object>args[i]).shape for i in range(op.n_tensors) if isinstance(args[i], np.ndarray)]
    for a in shapes:
        for b in shapes:
            for back in range(1, min(len(a), len(b)) + 1):
                if a[-back] != b[-back] and a[-back] != 1 and b[-back] != 1:
                    return sizes_differ(op, args, a, b, back)
    return error("MG201", f"{op.shown}: the shapes do not broadcast: {shapes_of(op, args)}")


cdef object sizes_differ(Op op, list args, tuple a, tuple b, int back):
    return error("MG201", f"The size of tensor a ({a[-back]}) must match the size of tensor b ({b[-back]}) at "
                          f"non-singleton dimension {max(len(a), len(b)) - back}, in "
                          f"{op.shown}({shapes_of(op, args)}): shapes are compared from the right, and two sizes fit "
                          "if they are equal or one of them is 1. Use unsqueeze, reshape or transpose to line them up.")


cdef object unsupported(Op op, list args):
    dtypes = ", ".join([f"{op.params[i]} {(<object>args[i]).dtype}" for i in range(op.n_tensors)
                        if isinstance(args[i], np.ndarray)])
    if op.refusal is not None:
        return error("MG202", op.refusal)
    return error("MG202", f'"{op.shown}" not implemented for these dtypes: {dtypes}. Convert with .to(dtype) first.')
