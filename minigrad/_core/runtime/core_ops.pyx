"""The vocabulary: the few operations that the core itself applies.

The table of derivatives (``minigrad/ops``) is written above the core, with what the core provides.  But the core needs
operations too: a pass adds gradients, sums them over what was broadcast, and casts them; ``a + b`` is some operation,
on tensors as on the symbols of a formula.  So the table, once it is made, tells the core which of its rows these are
(`provide`, called in ``_tensor.py``), and every module of the core can say ``words.add(a, b)``.
"""


cdef class Vocabulary:
    """One attribute for each operation; ``core_ops.pxd`` says what they are."""


words = Vocabulary()


def meaning(str word):
    """The operation behind a word, for Python code; in the core it is an attribute of ``words``."""
    return getattr(words, word)
