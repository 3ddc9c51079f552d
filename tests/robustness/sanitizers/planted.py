"""Mistakes that the checked build must catch: if it does not, that the tests pass shows nothing."""

import dataclasses

__all__ = ["MISTAKES", "SOURCE", "Mistake"]

#: A module of the core, in the copy alone.
SOURCE = '''
from cpython.ref cimport PyObject
from libc.stdlib cimport calloc, free, malloc, realloc

from minigrad._core.runtime.allocation_counter cimport PyDataMem_Handler, PyDataMemAllocator, capsule_of, set_handler
from minigrad._core.graph cimport Node, Tensor


# NumPy keeps small memory that was given back, for its next array; a sanitizer must hear that it is nobody's.

cdef void* allocate(void* ctx, size_t size) noexcept nogil:
    return malloc(size)


cdef void* allocate_zeros(void* ctx, size_t n, size_t size) noexcept nogil:
    return calloc(n, size)


cdef void* resize(void* ctx, void* memory, size_t size) noexcept nogil:
    return realloc(memory, size)


cdef void give_back(void* ctx, void* memory, size_t size) noexcept nogil:
    free(memory)


cdef PyDataMem_Handler handler
handler.allocator = PyDataMemAllocator(NULL, allocate, allocate_zeros, resize, give_back)


def give_numbers_back():
    set_handler(capsule_of(&handler, "minigrad_checked"))


def numbers_of_the_dead(holder):
    cdef char* numbers
    a = holder.pop()
    numbers = <char*><size_t>a.ctypes.data
    del a
    return numbers[0]


def memory_of_the_dead():
    cdef int* p = <int*>malloc(8)
    free(p)
    return p[0]


def beyond_the_end(int n):
    cdef int* p = <int*>malloc(n * sizeof(int))
    p[n - 1] = 1
    try:
        return p[n]
    finally:
        free(p)


def shifted(int n):
    cdef int one = 1
    return one << n


def no_node(Tensor t):
    cdef Node n = <Node>t.node
    return n.seq


def dead_node(holder):
    cdef PyObject* n = <PyObject*>(<Tensor>holder[0]).node
    holder.clear()
    return (<Node>n).seq


def dead_tensor(holder):
    cdef PyObject* t = <PyObject*>holder[0]
    holder.clear()
    return (<Tensor>t).level


def dead_slots(holder):
    cdef Node n = (<Tensor>holder[0]).node
    cdef void* slots = n.saved
    holder.clear()
    n = None
    return (<char*>slots)[0]
'''


@dataclasses.dataclass(frozen=True)
class Mistake:
    name: str
    code: str           # what is run, with ``torch`` and ``planted``
    caught: str         # what is then said


MISTAKES = [
    Mistake("memory is read after it was freed", "planted.memory_of_the_dead()", "heap-use-after-free"),
    Mistake("memory is read beyond its end", "planted.beyond_the_end(4)", "heap-buffer-overflow"),
    Mistake("an int is shifted by more than its bits", "planted.shifted(40)", "shift exponent 40 is too large"),
    Mistake("None is taken for a node", "planted.no_node(torch.ones(2))", "'NoneType' object has no attribute 'seq'"),
    Mistake("a node is read after it has died", "planted.dead_node([torch.ones(2, requires_grad=True).exp()])",
            "heap-use-after-free"),
    Mistake("a tensor is read after it has died", "planted.dead_tensor([torch.ones(2)])", "heap-use-after-free"),
    Mistake("what a node saved is read after it has died",
            "planted.dead_slots([torch.ones(2, requires_grad=True).exp()])", "heap-use-after-free"),
    Mistake("the numbers of an array are read after it has died",
            "planted.numbers_of_the_dead([torch.ones(2).clone()._array])", "heap-use-after-free"),
]
