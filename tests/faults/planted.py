"""The planted faults: one small change each to a Cython source of the core, of the kind that people make.

The text must occur exactly once in its file; when the source moves on, so must the fault (``test_faults.py`` says so).
A fault belongs here if values or gradients are wrong with it, and nobody is told.
"""

import dataclasses

__all__ = ["FAULTS", "Fault", "NotThere"]


class NotThere(Exception):
    """The text of a fault is not in its source, or not once."""


@dataclasses.dataclass(frozen=True)
class Fault:
    name: str           # what goes wrong
    module: str         # in which .pyx of minigrad/_core
    right: str
    wrong: str

    def planted_in(self, source):
        """The source with the fault in it."""
        if (times := source.count(self.right)) != 1:
            raise NotThere(f"{self.name!r}: this occurs {times} times in minigrad/_core/{self.module}.pyx, and must "
                           f"occur once:\n{self.right}")
        return source.replace(self.right, self.wrong)


FAULTS = [
    # ---------------------------------------------------------------------------- versions
    Fault(
        "a write is not counted",
        "inplace",
        "run(op, raw, op.n_params) if result is None else result)\n    count_write(version)\n",
        "run(op, raw, op.n_params) if result is None else result)\n",
    ),
    Fault(
        "a write under no_grad is not counted",
        "inplace",
        "run(op, raw, op.n_params) if result is None else result)\n    count_write(version)\n",
        "run(op, raw, op.n_params) if result is None else result)\n    if not st.grad_off:\n        "
        "count_write(version)\n",
    ),
    Fault(
        "the version that a saved tensor had is compared with the wrong number",
        "saved",
        "        return s.version != NULL and (<Version>s.version).value != s.at",
        "        return s.version != NULL and (<Version>s.version).value > s.at + 1",
    ),
    Fault(
        "what is detached counts its writes alone",
        "graph",
        "if type(self.data) is ndarray else self.data.detach())\n        t.version = version_of(self)\n",
        "if type(self.data) is ndarray else self.data.detach())\n",
    ),
    # ---------------------------------------------------------------------------- saved tensors
    Fault(
        "the old value that a formula needs is saved without a copy",
        "inplace",
        "        before = old_self(target, np.array(target.data))",
        "        before = old_self(target, target.data)",
    ),
    # ---------------------------------------------------------------------------- views
    Fault(
        "a view keeps its history when its base is written to",
        "views",
        "    if v.at == t.version.value:\n        if t.node",
        "    if v.at == t.version.value or t.node is not None:\n        if t.node",
    ),
    Fault(
        "a write through a view does not reach the history of the base",
        "inplace",
        "        rebase(target, n, 0)",
        "        replace_history(target, n, 0)",
    ),
    Fault(
        "the base of a view of a view is the view",
        "graph",
        "        v.base = before.base\n",
        "        v.base = source\n",
    ),
    Fault(
        "a view is read anew from the beginning of its base",
        "views",
        "inner[0], inner[1], start + inner[2], outer[1], start)",
        "inner[0], inner[1], start, outer[1], start)",
    ),
    Fault(
        "the part of the gradient that belongs to a view is taken from the wrong place",
        "views",
        "    return np.ndarray(shape, dtype, memory, offset, strides)",
        "    return np.ndarray(shape, dtype, memory, 0 if offset == dtype.itemsize else offset, strides)",
    ),
    Fault(
        "CopySlices forgets the gradient of the rest of the base",
        "calling",
        "        part_of(c, room)[...] = 0 if results[c.which] is None else results[c.which]",
        "        room[...] = 0\n        part_of(c, room)[...] = 0 if results[c.which] is None else results[c.which]",
    ),
    Fault(
        "CopySlices adds the gradient of the old part where it should replace that of the new",
        "calling",
        "        part_of(c, room)[...] = 0 if results[c.which] is None else results[c.which]",
        "        part_of(c, room)[...] += 0 if results[c.which] is None else results[c.which]",
    ),
    Fault(
        "a view made in no_grad may be written to",
        "writable",
        "        if v.made_in:",
        '        if v.made_in and v.made_in != "no_grad":',
    ),
    Fault(
        "a view made in no_grad is taken for a leaf, where a pass begins at it",
        "graph",
        "    if t.requires_grad_ != 1:           # BY_BASE",
        "    if not t.requires_grad_:            # BY_BASE",
    ),
    Fault(
        "a view that is transposed in place under no_grad keeps the history of its old layout",
        "shape_forms",
        "    if target.view is not None and recorded:\n",
        "    if target.view is not None:\n",
    ),
    Fault(
        "a result that is transposed in place under no_grad keeps the history of its old layout",
        "shape_forms",
        "(not st.grad_off if target.view is not None else target.node is not None)",
        "(not st.grad_off)",
    ),
    # ---------------------------------------------------------------------------- leaves, hooks, the pass
    Fault(
        "a leaf that requires grad may be written to",
        "writable",
        "    if target.requires_grad_ and target.node is None:",
        "    if False:",
    ),
    Fault(
        "a view of a leaf that requires grad may be written to",
        "writable",
        "        if may_require(target) and v.base.node is None:",
        "        if False:",
    ),
    Fault(
        "a retained gradient stays with the old value",
        "graph",
        "        hooks_of(<Node>t.node).retained.pop(t.nr, None)\n    t.node = n",
        "        nr = t.nr\n        n = n\n    t.node = n",
    ),
    Fault(
        "a gradient is added to in place although another buffer holds it too",
        "accumulating",
        "    return (Py_REFCNT(<PyObject*>g) <= 2 and",
        "    return (Py_REFCNT(<PyObject*>g) <= 99 and",
    ),
    Fault(
        "two leaves share one .grad",
        "accumulating",
        "        if ours(mine) and same_layout(<ndarray>g, leaf):",
        "        if same_layout(<ndarray>g, leaf):",
    ),
    Fault(
        "the first gradient that arrives is replaced by the second",
        "engine",
        "            g = sum_two(p, old, g)\n            Py_INCREF(g)",
        "            g = g\n            Py_INCREF(g)",
    ),
]
