"""The planted faults that people chose: one small change each to a Cython source of the core.

A fault belongs here if values or gradients are wrong with it, and nobody is told.

It says in which function it is, and which code to replace there.  The function may be in any module, and the
code is compared token by token, so that line breaks, spaces and comments do not count.  What is not found, or found
twice, is an error (``test_mutation.py`` tries them all).  The code is a statement, an expression, or an ``if ...:``.
"""

import dataclasses

from .sources import NotThere, occurrence, place_of, places, without_words

__all__ = ["FAULTS", "Fault"]


@dataclasses.dataclass(frozen=True)
class Fault:
    name: str           # what goes wrong
    function: str       # where
    right: str
    wrong: str          # what is there instead, on one line
    judge: str = "programs"         # who must notice: random programs, or tests (JUDGES in judges.py)

    def place_in(self, sources):
        """Where it is, for the sources of the core by module."""
        codes = {module: without_words(source) for module, source in sources.items()}
        found = [(module, *place) for module, code in codes.items() for place in places(code, self.function)]
        if len(found) != 1:
            where = ", ".join([module for module, *_ in found])
            raise NotThere(f"{self.name!r}: there must be one {self.function} in the core, and there are {len(found)}"
                           + f", in {where}" * bool(found))
        module, start, end = found[0]
        hits = occurrence(codes[module][start:end], self.right)
        if len(hits) != 1:
            raise NotThere(f"{self.name!r}: this occurs {len(hits)} times in {self.function} ({module}.pyx), "
                           f"and must occur once: {self.right}")
        return place_of(module, codes[module], start + hits[0][0], start + hits[0][1], self.wrong)


FAULTS = [
    # ---------------------------------------------------------------------------- versions
    Fault("a write is not counted", "write_in_full", "count_write(version)", "pass"),
    Fault("a write under no_grad is not counted", "write_in_full",
          "count_write(version)", "if not st.grad_off: count_write(version)"),
    Fault("the version that a saved tensor had is compared with the wrong number", "is_outdated",
          "(<Version>s.version).value != s.at", "(<Version>s.version).value > s.at + 1"),
    Fault("what is detached counts its writes alone", "Tensor.detach", "t.version = version_of(self)", "pass"),
    # ---------------------------------------------------------------------------- saved tensors
    Fault("the old value that a formula needs is saved without a copy", "record_write",
          'target.payload.copy("K")', "target.payload"),
    # ---------------------------------------------------------------------------- views
    Fault("a view keeps its history when its base is written to", "catch_up",
          "if v.at == t.version.value:", "if v.at == t.version.value or t.node is not None:"),
    Fault("a write through a view does not reach the history of the base", "record_write",
          "rebase(target, n, 0)", "replace_history(target, n, 0)"),
    Fault("the base of a view of a view is the view", "new_view", "v.base = before.base", "v.base = source"),
    Fault("a view is read anew from the beginning of its base", "read_anew", "start + inner[2]", "start"),
    Fault("the part of the gradient that belongs to a view is taken from the wrong place", "part_of",
          "return np.ndarray(shape, dtype, memory, offset, strides)",
          "return np.ndarray(shape, dtype, memory, 0 if offset == dtype.itemsize else offset, strides)"),
    Fault("CopySlices forgets the gradient of the rest of the base", "by_write",
          "part_of(c.part, room)[...] = 0 if results[c.which] is None else results[c.which]",
          "room[...] = 0; part_of(c.part, room)[...] = 0 if results[c.which] is None else results[c.which]"),
    Fault("CopySlices adds the gradient of the old part where it should replace that of the new", "by_write",
          "part_of(c.part, room)[...] = 0 if results[c.which] is None else results[c.which]",
          "part_of(c.part, room)[...] += 0 if results[c.which] is None else results[c.which]"),
    Fault("a view made in no_grad may be written to", "check_history",
          "if v.made_in:", 'if v.made_in and v.made_in != "no_grad":'),
    Fault("a view made in no_grad is taken for a leaf, where a pass begins at it", "node_of",
          "t.requires_grad_ != 1", "not t.requires_grad_"),
    Fault("a view that is transposed in place under no_grad keeps the history of its old layout", "alter",
          "if target.view is not None and recorded:", "if target.view is not None:"),
    Fault("a result that is transposed in place under no_grad keeps the history of its old layout", "alter",
          "records(st) if target.view is not None else target.node is not None", "records(st)"),
    # ---------------------------------------------------------------------------- transforms
    Fault("a write to its payload goes unnoticed where a tensor of a transform was saved", "wrap_level",
          "t.version = version_of(<Tensor>payload)", "pass", "levels"),
    Fault("what a transformed function made is lifted to its level, and a view of it is not", "is_known_alone",
          "is_alone(t, view)", "True", "levels"),
    Fault("a view has no history where it is written, if its base had none when it was made", "call_on_payloads",
          "if (<Tensor>w.tensor).view is not None and recording:", "if False:", "levels"),
    # ---------------------------------------------------------------------------- leaves, hooks, the pass
    Fault("a leaf that requires grad may be written to", "check_history",
          "if target.requires_grad_ and target.node is None:", "if False:"),
    Fault("a view of a leaf that requires grad may be written to", "check_history",
          "if may_require(target) and v.base.node is None:", "if False:"),
    Fault("a retained gradient stays with the old value", "replace_history",
          "hooks_of(<Node>t.node).retained.pop(t.nr, None)", "pass"),
    Fault("a gradient is added to in place although another buffer holds it too", "ours",
          "Py_REFCNT(<PyObject*>g) > 2", "Py_REFCNT(<PyObject*>g) > 99"),
    Fault("a gradient is written over although somebody else has it too", "only_here",
          "Py_REFCNT(<PyObject*>g) == 1", "Py_REFCNT(<PyObject*>g) < 99"),
    Fault("two leaves share one .grad", "put_away", "ours(mine)", "True"),
    Fault("the first gradient that arrives is replaced by the second", "deliver", "g = sum_two(p, old, g)", "g = g"),
    # ---------------------------------------------------------------------------- kernels in C
    Fault("a broadcast operand is walked along", "steps_along",
          "axis < 0 or PyArray_DIMS(a)[axis] != shape[k]", "axis < 0", "two paths"),
    Fault("axes are walked as one though the second operand has a gap", "join",
          "follows and w.strides[k][i] != w.strides[kept - 1][i] * w.shape[kept - 1]",
          "i == 0 and w.strides[k][i] != w.strides[kept - 1][i] * w.shape[kept - 1]", "two paths"),
    Fault("a slice begins where its base does", "range_of", "g.data += first * g.strides[axis]", "pass", "two paths"),
    Fault("dims are permuted the other way round", "permute",
          "g.strides[k] = PyArray_STRIDES(a)[axes[k]]", "g.strides[axes[k]] = PyArray_STRIDES(a)[k]", "two paths"),
    Fault("arrays that are joined along an inner axis follow each other", "put_side_by_side",
          "mg_move_row(to.data, row, <char*>PyArray_DATA(<ndarray>x), piece, outer, piece)",
          "mg_move_row(to.data, piece, <char*>PyArray_DATA(<ndarray>x), piece, outer, piece)", "two paths"),
    # ---------------------------------------------------------------------------- large arrays
    Fault("each thread begins at the first element", "one_part", "w.at[i] + first * w.strides[i]", "w.at[i]",
          "large arrays"),
    Fault("each thread writes its lines where the first ones belong", "slab",
          "l.o[0] = <char*>l.o[0] + first * s.of_o[0]", "pass", "large arrays"),
    Fault("memory that was used is taken for zeros", "memory_for",
          "memset(<char*>b + HEAD, 0, size)", "pass", "large arrays"),
    Fault("more memory is kept than the limit says", "give", "out = beyond(limit)", "pass", "large arrays"),
    # ---------------------------------------------------------------------------- shadows, of which digits are made
    Fault("a shadow is believed though others have written to its memory", "Shadows.read",
          "memory.high if same_bits(memory.known, array) else self.corrected(memory, array)", "memory.high", "digits"),
    Fault("numbers that others have written keep their maker", "Shadows.corrected", "memory.record = None", "pass",
          "digits"),
    Fault("a shadow that somebody else keeps changes", "Memory.to_change", "if self.lent:", "if False:", "digits"),
    Fault("a view finds the shadow of other elements", "Memory.parts", "at * self.scale", "at", "digits"),
    Fault("a view of a shadow becomes one itself, without a copy", "Shadows.write", "copy_of(high)", "high", "digits"),
    Fault("the numbers of a shadow are those that the memory has now", "Shadows.write",
          "memory.known = copy_of(array)", "memory.known = array", "digits"),
    Fault("a shadow outlives its array", "Shadows.gone", "del self.memories[reference.key]", "pass", "digits"),
    Fault("a part that is known makes the rest known", "Shadows.write",
          "memory.unknown and PyArray_SIZE(array) != PyArray_SIZE(owner)", "False", "digits"),
    Fault("each block begins at the first element", "in_blocks", "p[j] + start * step[j]", "p[j]", "digits"),
    Fault("the largest error is that of the last block", "in_blocks",
          "mg_largest_error_f(low + start, out + start, many, worst)",
          "mg_largest_error_f(low + start, out + start, many, 0)", "digits"),
    Fault("small numbers jump unseen", "jumps", "fmax(fabs(x[i]), fabs(y[i]))", "fmax(1, fabs(y[i]))", "digits"),
    Fault("a number leaves its tensor unheard", "attend", "if st.listener == NULL:", "if True:", "digits"),
    Fault("only numbers of which there is a warning are heard", "watch_numbers",
          "watchers or it.leaves_graph and not warned", "it.leaves_graph and not warned", "digits"),
]
