"""What the counted copy must report: if it does not, that it reports nothing else shows nothing."""

__all__ = ["CODE", "CORE", "EXPECTED", "PYTHON"]

#: A module of the core, in the copy alone; ``write`` is also how a process that is about to end writes what it counted.
CORE = '''
cdef extern from *:
    """
    void __gcov_dump(void);
    void __gcov_reset(void);
    static void write_counts(void)
    {
        __gcov_dump();
        __gcov_reset();
    }
    """
    void write_counts()


def write():
    write_counts()


cdef int chosen(int x, int y) noexcept:
    if x > 0 and y > 0:
        return 1
    if x == y or y == 7 or x:
        return 2
    return 3


cdef int is_somewhere(void* at) noexcept:
    if at == NULL:
        return 0
    return 1


def called(int x, int y):
    cdef int i = 0
    while i < x:
        i += is_somewhere(&x)
    return chosen(x, y) if y else i


cdef int never_called(int x):
    return x
'''

#: A module of Python, in the copy alone.
PYTHON = '''
def called(x):
    if x > 0:
        x += 1
    if x > 5:
        x += 2
    return x
'''

#: What is run.
CODE = """
from minigrad import planted_python
from minigrad._core import planted
for x, y in [(2, 1), (2, 0), (-1, 3)]:
    planted.called(x, y)
planted_python.called(-1), planted_python.called(1)
planted.write()
"""

#: What was not covered then.
EXPECTED = {
    ("minigrad/_core/planted.pyx", "    if x > 0 and y > 0:", "y > 0: always true"),
    ("minigrad/_core/planted.pyx", "    if x == y or y == 7 or x:", "x == y: always false"),
    ("minigrad/_core/planted.pyx", "    if x == y or y == 7 or x:", "y == 7: always false"),
    ("minigrad/_core/planted.pyx", "    if x == y or y == 7 or x:", "x != 0: always true"),
    ("minigrad/_core/planted.pyx", "    return 3", "never run"),
    ("minigrad/_core/planted.pyx", "    if at == NULL:", "at == NULL: always false"),
    ("minigrad/_core/planted.pyx", "        return 0", "never run"),
    ("minigrad/_core/planted.pyx", "cdef int never_called(int x):", "never run"),
    ("minigrad/planted_python.py", "    if x > 5:", "always false"),
    ("minigrad/planted_python.py", "        x += 2", "never run"),
}
