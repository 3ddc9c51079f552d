"""PyTorch's type promotion: the dtype of an operation on several operands.

It is not NumPy's.  Operands come in three tiers (arrays with dims, 0-d arrays, Python numbers), and dtypes in four
categories (bool < integer < floating < complex).  Within a tier the table of promotions decides; a lower tier counts
only if its category is higher.  So a float64 number, or a 0-d float64 tensor, does not widen a float32 matrix, and an
integer matrix times 0.5 has the default dtype.

The dtypes themselves, and the table of promotions, are in minigrad/dtypes/__init__.py, which tells this module about
them at import.
"""

import numpy as np

from minigrad._core.errors import error
from minigrad._core.runtime.numpy_api cimport NPY_BOOL, NPY_CDOUBLE, NPY_CFLOAT, NPY_DOUBLE, NPY_INT64
from minigrad._core.runtime.python_api cimport PyComplex_CheckExact, PyFloat_CheckExact, PyLong_CheckExact

cdef list _categories = []          # by dtype code: 0 bool, 1 integer, 2 floating, 3 complex
cdef list _promotions = []          # [code][code] -> code
cdef list _numpy_types = []         # code -> np.dtype
cdef dict _codes = {}               # np.dtype -> code
cdef object _default_real = np.dtype(np.float32)
cdef object _default_complex = np.dtype(np.complex64)

# The same for C: what is found by code is found by NumPy's number of the dtype.  -1 where PyTorch has no such dtype.
cdef signed char CATEGORY[MAX_NUMS]
cdef signed char TOGETHER[MAX_NUMS][MAX_NUMS]
cdef int bfloat16_num = -1
cdef int DEFAULT_REAL = _default_real.num, DEFAULT_COMPLEX = _default_complex.num


def set_dtypes(list numpy_types, list categories, list promotions):
    """Tell this module about the dtypes: by code, their NumPy dtype and category, and the table of promotions."""
    _numpy_types[:] = numpy_types
    _categories[:] = categories
    _promotions[:] = promotions
    _codes.clear()
    _codes.update({t: i for i, t in enumerate(numpy_types) if t is not None})
    global bfloat16_num
    cdef int a, b
    for x in _codes:
        if x.num > BFLOAT16:
            bfloat16_num = x.num
    for a in range(MAX_NUMS):
        CATEGORY[a] = -1
    for x, i in _codes.items():
        for y, k in _codes.items():
            a, b = in_tables(x.num), in_tables(y.num)
            CATEGORY[a] = categories[i]
            TOGETHER[a][b] = -1 if promotions[i][k] < 0 else in_tables(numpy_types[promotions[i][k]].num)


def set_default_dtype(real, complex_):
    """The NumPy dtypes of Python floats and complex numbers."""
    global _default_real, _default_complex, DEFAULT_REAL, DEFAULT_COMPLEX
    _default_real = real
    _default_complex = complex_
    DEFAULT_REAL, DEFAULT_COMPLEX = real.num, complex_.num


# PyTorch's messages speak of dtypes by their C++ names.
cdef dict _scalar_names = {"bool": "Bool", "uint8": "Byte", "int8": "Char", "int16": "Short", "int32": "Int",
                           "int64": "Long", "uint16": "UInt16", "uint32": "UInt32",
                           "uint64": "UInt64", "float16": "Half", "bfloat16": "BFloat16", "float32": "Float",
                           "float64": "Double", "complex64": "ComplexFloat", "complex128": "ComplexDouble"}


def scalar_name(dtype):
    """PyTorch's C++ name of a NumPy dtype, as its error messages spell it."""
    return _scalar_names.get(dtype.name, dtype.name)


def uncastable(result, target, str why):
    """The error for a result whose NumPy dtype does not fit into the memory of the target; ``why`` it goes there."""
    return error("MG202", f"result type {scalar_name(result)} can't be cast to the desired output type "
                          f"{scalar_name(target)} (torch.{result.name} to torch.{target.name}): {why}")


cdef int number_category(object x) except -1:
    """0 bool, 1 integer, 2 floating, 3 complex."""
    if isinstance(x, bool):
        return 0
    if isinstance(x, int):
        return 1
    return 2 if isinstance(x, float) else 3


#     float32 (3,)  *  float64 ()   *  2          tiers: dimensions, 0-d, numbers
#     \_ float32       \_ float64      \_ int64    0-d is not of a higher category: float32 stays
#     int64 (3,)    *  0.5                         the number is: default_real, float32

def result_dtype(values):
    """The NumPy dtype for arrays and Python numbers together."""
    cdef int category
    cdef list tiers = [[], [], []]          # dimensions, 0-d, numbers; joined from the lowest up
    for x in values:
        if isinstance(x, np.ndarray):
            tiers[0 if x.ndim else 1].append(code_of(x.dtype))
        else:
            category = number_category(x)
            tiers[2].append(code_of(np.dtype(bool) if category == 0 else np.dtype(np.int64) if category == 1 else
                                    _default_real if category == 2 else _default_complex))
    return _numpy_types[joined(tiers)]


cpdef int joined(list tiers) except -2:
    """The code of the dtype for the codes in three tiers together; -1 if there are none."""
    cdef int best = -1, tier_best
    for tier in reversed(tiers):
        tier_best = -1
        for c in tier:
            tier_best = c if tier_best < 0 else together(tier_best, c)
        if tier_best >= 0:
            best = tier_best if best < 0 else overrule(tier_best, best)
    return best


def together(int a, int b):
    """The code of the dtype for two dtypes of one tier."""
    cdef int code = _promotions[a][b]
    if code < 0:
        raise unpromoted(_numpy_types[a], _numpy_types[b])
    return code


cdef int number_num(object x) except -2:
    """The number of the dtype that a Python number has; -1 for anything else."""
    if PyFloat_CheckExact(x):
        return DEFAULT_REAL
    if x is True or x is False:
        return NPY_BOOL
    if PyLong_CheckExact(x):
        return NPY_INT64
    return DEFAULT_COMPLEX if PyComplex_CheckExact(x) else -1


cdef int result_num(int n, int* nums, int* tiers) noexcept:
    """`result_dtype` by numbers; -1 where there is a dtype from outside NumPy, or one that PyTorch does not have."""
    cdef int best = -1, tier_best, tier, i
    for tier in range(NUMBER, DIMENSIONS - 1, -1):
        tier_best = -1
        for i in range(n):
            if tiers[i] != tier:
                continue
            if not 0 <= nums[i] < MAX_NUMS or CATEGORY[nums[i]] < 0:
                return -1
            tier_best = nums[i] if tier_best < 0 else TOGETHER[tier_best][nums[i]]
            if tier_best < 0:
                return -1
        if tier_best < 0:
            continue
        if best < 0 or CATEGORY[best] <= CATEGORY[tier_best]:
            best = tier_best
        elif CATEGORY[tier_best] >= 2:              # complex beside floats: their width is that of the parts
            best = NPY_CDOUBLE if tier_best == NPY_DOUBLE else NPY_CFLOAT
        elif TOGETHER[tier_best][best] < 0:         # it is for the general way to refuse
            return -1
    return best


cdef bint known_num(int num) noexcept:
    """Is it the dtype of tensors?"""
    return 0 <= num < MAX_NUMS and CATEGORY[num] >= 0


cdef int real_num(int num) noexcept:
    """The default dtype instead of integers and bools."""
    return DEFAULT_REAL if CATEGORY[num] < 2 else num


cdef int overrule(int high, int low) except -1:
    """The dtype of two tiers together: the lower tier counts only if its category is higher."""
    if _categories[low] <= _categories[high]:
        return high
    if _categories[high] == 0:
        return together(high, low)
    if _categories[high] == 1:
        return low
    return code_of(_complex_of(_numpy_types[high]))     # a complex number beside floats: its parts are as wide as they


cdef object _complex_of(object numpy_type):
    return np.dtype(np.complex128 if numpy_type is not None and numpy_type.itemsize == 8 else np.complex64)


def category_of(numpy_type):
    """0 bool, 1 integer, 2 floating, 3 complex."""
    return _categories[code_of(numpy_type)]


def default_real():
    """The NumPy dtype of Python floats."""
    return _default_real


cdef int code_of(object numpy_type) except -1:
    try:
        return _codes[numpy_type]
    except KeyError:
        raise unknown(numpy_type) from None


cdef object unpromoted(object a, object b):
    return error("MG202", "Promotion for uint16, uint32, uint64 types is not supported, attempted to promote "
                          f"{scalar_name(a)} and {scalar_name(b)}: convert one of them first, as in "
                          "x.to(torch.int64)")


cdef object unknown(object numpy_type):
    return error("MG202", f"arrays of dtype {numpy_type} have no place in PyTorch's type system; "
                          "convert with .astype(...) first")
