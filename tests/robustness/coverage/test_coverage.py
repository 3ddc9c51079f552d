"""``python -m tests.robustness.coverage`` builds the counted copy; here is what can be said of it without building."""

import ast
import textwrap

import pytest

from .core import File, add_translated, attributed, operand
from .explained import ENTRIES, READ
from .explaining import NO_MEMORY, Entry, explain
from .planted import CORE, EXPECTED, PYTHON
from .python import way
from .report import Gap, Share, core_gaps, function_at, functions

#: Translated by Cython: ``if x and y: return 1``, on lines 5 and 6 of a file.
CODE = '''
/* "minigrad/_core/a.pyx":4
 * cdef int f(int x, int y):             # <<<<<<<<<<<<<<
*/

static int __pyx_f_8minigrad_5_core_1a_f(int __pyx_v_x, int __pyx_v_y) {
  int __pyx_t_1;

  /* "minigrad/_core/a.pyx":5
 *     if x and y:             # <<<<<<<<<<<<<<
*/
  __pyx_t_2 = (__pyx_v_x != 0);
  if (__pyx_t_2) {
  } else {
    __pyx_t_1 = __pyx_t_2;
    goto __pyx_L4_bool_binop_done;
  }
  __pyx_t_2 = __pyx_f_8minigrad_5_core_1a_asked(__pyx_v_y); if (unlikely(__pyx_t_2 == ((int)-1))) __PYX_ERR(0, 5, L1)
  if (__pyx_t_2) {
    __pyx_t_1 = __pyx_t_2; __asm__ volatile ("");
  } else {
    __pyx_t_1 = __pyx_t_2;
  }
  __pyx_L4_bool_binop_done:;
  if (__pyx_t_1) {

    /* "minigrad/_core/a.pyx":6
 *         return 1             # <<<<<<<<<<<<<<
*/
    __pyx_r = 1;
  }

  /* function exit code */
  __pyx_L0:;
  return __pyx_r;
}
'''
SOURCE = "\n\n\ncdef int f(int x, int y):\n    if x and asked(y):\n        return 1\n"


def at(piece, code=CODE):
    return next(number for number, line in enumerate(code.split("\n"), 1) if piece in line)


def counts(piece, count, *ways, below=0, code=CODE):
    return {"line_number": at(piece, code) + below, "count": count, "branches": [{"count": each} for each in ways]}


def test_a_line_of_c_is_told_of_the_line_it_comes_from():
    origins = attributed(CODE)
    assert origins[at("__pyx_t_2 = (__pyx_v_x") - 1] == ("minigrad/_core/a.pyx", 5)
    assert origins[at("__pyx_r = 1") - 1] == ("minigrad/_core/a.pyx", 6)
    assert origins[at("return __pyx_r") - 1] is None and origins[at("<<<") - 1] is None


def test_an_operand_is_told_in_the_words_of_the_source():
    code = CODE.split("\n")
    assert operand(code, at("  if (__pyx_t_2) {\n".strip()) - 1, "__pyx_t_2") == "x != 0"
    assert operand(code, at("asm") - 2, "__pyx_t_2") == "asked(y)"
    assert operand(code, at("  if (__pyx_t_1) {") - 1, "__pyx_t_1") is None


def test_each_operand_is_a_condition_and_what_never_happened_is_listed():
    files = {"minigrad/_core/a.pyx": File()}
    lines = [counts("__pyx_t_2 = (__pyx_v_x", 3), counts("if (__pyx_t_2) {", 3, 1, 2),
             counts("asm", 1, 0, 1, below=-1), counts("if (__pyx_t_1) {", 3, 0, 3), counts("__pyx_r = 1", 0)]
    add_translated(files, CODE, lines, {at("static int"): 3})
    gaps, share = core_gaps("minigrad/_core/a.pyx", files["minigrad/_core/a.pyx"], SOURCE)
    assert [(gap.line, gap.function, gap.what) for gap in gaps] == [
        (6, "f", "never run"), (5, "f", "asked(y): always false")]
    assert share == Share(run=2, lines=3, taken=3, ways=4)


@pytest.mark.parametrize("code, ran, true", [
    ("if (__pyx_t_1) {\n  then;\n}", {"then": 2}, 2), ("if (__pyx_t_1) {\n  then;\n}", {"then": 5}, 5),
    ("if (!__pyx_t_1) {\n  then;\n}", {"then": 2}, 5), ("if (unlikely(!__pyx_t_1)) {\n  then;\n}", {"then": 5}, 2),
    ("if (__pyx_t_1) {\n} else {\n  otherwise;\n}", {"otherwise": 2}, 5),
    ("if (!__pyx_t_1) {\n} else {\n  otherwise;\n}", {"otherwise": 2}, 2),
    ("while (1) {\nif (!__pyx_t_1) break;\n  again;\n}", {"again": 5}, 5),
    ("while (1) {\nif (!__pyx_t_1) break;\n  again;\n}", {"again": 2}, 2)])
@pytest.mark.parametrize("ways", [(2, 5), (5, 2)])
def test_which_way_of_a_condition_was_taken_is_seen_in_what_ran_next(code, ran, true, ways):
    """The compiler names the ways in either order."""
    code = f'/* "minigrad/_core/a.pyx":5\n*/\n__pyx_t_1 = (x == 3);\n{code}\n'
    lines = [counts("if (", 7, *ways, code=code), *[counts(piece, count, code=code) for piece, count in ran.items()]]
    files = {"minigrad/_core/a.pyx": File()}
    add_translated(files, code, lines, {})
    condition, = files["minigrad/_core/a.pyx"].conditions.values()
    assert (condition.true, condition.false) == (true, 7 - true)


def test_a_function_that_nobody_calls_is_a_gap():
    files = {"minigrad/_core/a.pyx": File()}
    add_translated(files, CODE, [], {})
    assert dict(files["minigrad/_core/a.pyx"].lines) == {4: 0}


def test_a_line_is_told_of_its_function():
    text = "cdef class A:\n    cdef int f(self, x):\n        return 1\n\n\ndef g(a,\n      b):\n    pass\n"
    begun = functions(text, ".pyx")
    assert [function_at(begun, line) for line in (1, 3, 8)] == ["", "f", "g"]


def test_the_way_that_was_not_taken_is_named():
    tree = ast.parse(textwrap.dedent("""
        for i in n:
            if (a and
                    b):
                c()
            d()
        """))
    assert way(tree, 3, 5) == way(tree, 4, 5) == "always false" and way(tree, 3, 6) == "always true"
    assert way(tree, 2, 3) == "never any to go through" and way(tree, 2, -1) == "never comes to the end"
    assert way(tree, 5, -1) == "never leaves from here"


def test_what_is_expected_of_the_planted_code_is_a_line_of_it():
    for file, text, _ in EXPECTED:
        assert f"\n{text}\n" in (PYTHON if file.endswith(".py") else CORE)


def test_a_gap_without_an_entry_and_an_entry_without_a_gap_are_told():
    gaps = [Gap("minigrad/_core/a.pyx", 6, "f", "        return 1", "never run"),
            Gap("minigrad/_core/a.pyx", 9, "g", "    raise MemoryError()", "never run"),
            Gap("minigrad/b.py", 1, "h", "    x()", "never run")]
    fits, fits_none = Entry("no memory", text="MemoryError"), Entry("gone", function="k|m")
    assert explain(gaps, [fits, fits_none], ["_core/*"]) == ([gaps[0], gaps[2]], [gaps[0]], [fits_none])
    assert explain(gaps, [Entry("both", "_core/a.pyx", "f|g")], ["*"]) == ([gaps[2]], [gaps[2]], [])
    assert explain([], [Entry(NO_MEMORY, "_core/a.pyx")], ["*"]) == ([], [], [])       # reached, by chance


def test_each_entry_has_a_reason_and_a_place():
    for entry in ENTRIES:
        assert entry.why and (entry.files != "*" or entry.text or entry.what), entry
    assert len(set(READ)) == len(READ)
