"""Faults that nobody chose: what guards the core, read from its sources, and spoilt in every small way.

A *guard* is a condition, a refusal or a count: ``if``, ``elif``, ``while``, the middle of ``a if b else c``, a value
made with ``and`` and ``or``, ``raise``, ``n += 1``.  Each can be wrong in a few ways::

    if t.node is not None and v.at != n:        always true; always false; without `v.at != n`; with > for !=
    raise second_time(n)                        left out
    v.value += 1                                left out

``IDEAS`` says which functions guard what, and which tests must notice when they do not.  That makes some two thousand
faults.  Of each idea ``chosen_guards`` takes a few: those with the smallest digests, so that nobody has picked the easy
ones, and that a new line in one function leaves those of the others as they are.  The judges must notice each, unless
it is the same in other words; ``EQUIVALENT`` lists these, with the reason.
"""

import collections
import dataclasses
import hashlib
import re

from .sources import CONDITION, STATEMENT, Place, logical_lines, places, without_words

__all__ = ["EQUIVALENT", "IDEAS", "OF_EACH", "Idea", "Spoilt", "chosen_guards", "spoilt_guards", "why_equivalent"]

#: Bounds move by one.  Numbers that must be equal may be larger, or smaller: a version that has grown is another one.
SHIFTED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "!=": ">", "==": "<="}
KEYWORDS = {"and", "or", "not", "return", "if", "else", "elif", "in", "is", "while"}
#: of these the conditions are read already, or there are none
NO_VALUE = {"cdef", "cpdef", "def", "class", "for", "if", "elif", "while", "with", "raise", "import", "from", "except"}


@dataclasses.dataclass(frozen=True)
class Spoilt:
    """A guard, spoilt in one way."""
    function: str
    name: str
    place: Place


def spoilt_guards(module, source, function):
    """Every fault of the guards in a function, in their order; a number tells those of one name apart."""
    code, found, times = without_words(source), {}, collections.Counter()
    for start, end in places(code, function):
        for line in logical_lines(code, start, end):
            for what, place in [*in_conditions(module, code, line), *in_values(module, code, line),
                                *left_out(module, code, line)]:
                if place not in found:
                    times[what] += 1
                    again = f" ({times[what]})" if times[what] > 1 else ""
                    found[place] = Spoilt(function, f"{function}: {what}{again}", place)
    return list(found.values())


def shown(code, tokens):
    """The code on one line, without the sentences of errors."""
    line = re.sub(r"\s+", " ", code[tokens[0].start:tokens[-1].end])
    return re.sub(r'(?<=[ (])(f?"[^"]*[ {][^"]*" ?)+(?=[,)])', '"..."', line)


# ------------------------------------------------------------------------------ where there are guards

def in_conditions(module, code, line):
    for tokens in conditions(line):
        for how, wrong in changes(code, tokens):
            yield f"`{shown(code, tokens)}` {how}", Place(module, tokens[0].start, tokens[-1].end, CONDITION, wrong)


def conditions(line):
    """The tokens of each condition in a line: after ``if``, ``elif``, ``while``, and in ``a if b else c``."""
    for i, token in enumerate(line):
        if token.text not in ("if", "elif", "while"):
            continue
        ends = (":",) if i == 0 else ("else", "for", "if", ",")
        for k in range(i + 1, len(line)):
            if line[k].depth < token.depth or line[k].depth == token.depth and line[k].text in ends:
                if line[k].text in (":", "else"):           # not the filter of a comprehension
                    yield line[i + 1:k]
                break


def in_values(module, code, line):
    """What is returned or kept, where it is a condition: the whole statement, as its value may be any object."""
    equals = [i for i, token in enumerate(line) if token.text == "=" and token.depth == 0]
    if line[0].text in NO_VALUE or not starts_a_line(code, line) or not (equals or line[0].text == "return"):
        return
    value = line[equals[-1] + 1 if equals else 1:]
    outside = {token.text for token in value if token.depth == 0}
    if "and" not in outside and "or" not in outside or outside & {"if", "lambda", "for", ","}:
        return
    for how, wrong in changes(code, value):
        yield (f"`{shown(code, line)}` {how}",
               Place(module, line[0].start, line[-1].end, STATEMENT, f"{code[line[0].start:value[0].start]}{wrong}"))


def left_out(module, code, line):
    """A refusal, or a count."""
    counts = any([token.text in ("+=", "-=") for token in line]) or line[0].text == "count_write"
    if starts_a_line(code, line) and (counts or line[0].text == "raise" and len(line) > 1):
        yield f"`{shown(code, line)}` left out", Place(module, line[0].start, line[-1].end, STATEMENT, "pass")


def starts_a_line(code, line):
    return not code[code.rfind("\n", 0, line[0].start) + 1:line[0].start].strip()


# ------------------------------------------------------------------------------ what can be wrong with a condition

def changes(code, tokens):
    """(what was done, the condition after it) for each small change."""
    yield "always true", "True"
    yield "always false", "False"
    for operator, operand in operands(tokens):
        neutral = "False" if operator == "or" else "True"
        yield f"without `{shown(code, operand)}`", replaced(code, tokens, operand[0].start, operand[-1].end, neutral)
    for token in comparisons(code, tokens):
        shifted = SHIFTED[token.text]
        yield f"with {shifted} for {token.text}", replaced(code, tokens, token.start, token.end, shifted)


def replaced(code, tokens, start, end, by):
    return re.sub(r"\s+", " ", code[tokens[0].start:start] + by + code[end:tokens[-1].end])


def operands(tokens):
    """(the operator, one of its operands) for every ``and`` and ``or``, those in brackets too."""
    tokens = unwrapped(tokens)
    depth = min([token.depth for token in tokens], default=0)
    for operator in "or", "and":
        at = [i for i, token in enumerate(tokens) if token.text == operator and token.depth == depth]
        if at:
            for start, end in zip([-1, *at], [*at, len(tokens)]):
                yield operator, tokens[start + 1:end]
                yield from operands(tokens[start + 1:end])
            return


def unwrapped(tokens):
    """Without ``not`` and brackets around the whole."""
    while tokens and (tokens[0].text == "not" or tokens[0].text == "(" and tokens[-1].text == ")"
                      and all([token.depth > tokens[0].depth for token in tokens[1:-1]])):
        tokens = tokens[1:] if tokens[0].text == "not" else tokens[1:-1]
    return tokens


def comparisons(code, tokens):
    """The comparisons of numbers: not ``<`` and ``>`` of a cast, and not with pointers, strings, None, KINDS and 0."""
    cast = False
    for i, token in enumerate(tokens):
        before, after = tokens[i - 1].text if i else "", tokens[i + 1].text if i + 1 < len(tokens) else ""
        if token.text == "<" and (not re.search(r"[\w\])]$", before) or before in KEYWORDS):
            cast = True
        elif token.text == ">" and cast:
            cast = False
        elif token.text in SHIFTED and not cast and not (after in ("None", "<", "0") or after.isupper()
                                                         or after[:1] in "\"'"):
            yield token


# ------------------------------------------------------------------------------ what is guarded, and who must notice

@dataclasses.dataclass(frozen=True)
class Idea:
    """Functions of some modules that guard one thing."""
    name: str
    judge: str              # who must notice (JUDGES in judges.py)
    functions: dict         # {module: names}


IDEAS = [
    Idea("what was saved, and has been written to since", "passes",
         {"saved_tensors": "check_version is_outdated first_outdated complain unpack payload_of shown_slot"}),
    Idea("slots, which hold numbers where they can, and are emptied once", "passes",
         {"saved_slots": "keep_numbers is_number holds bring_back release_saved let_go_of_version",
          "engine": "let_go"}),
    Idea("a gradient has the shape and dtype of its input", "passes",
         {"fitting": "fit_tensor fit_to_edge fit_array cast sum_to is_larger", "graph": "set_fit new_fit",
          "call": "link"}),
    Idea("a gradient that is missing, or that comes from one of several outputs", "passes",
         {"pass_state": "each_output waiting", "all_gradients": "by_node by_function by_write unpacked seen_gradients",
          "engine": "deliver deliver_to_list"}),
    Idea("claims on nodes, and the count of what will arrive", "passes",
         {"pass_state": "visit visited give_back count_all count_needed mark is_input mark_inputs"}),
    Idea("gradients that were asked for", "passes",
         {"captured_gradients": "goes_on capture captured_results wrap_result"}),
    Idea("the order of a pass, and how it begins and ends", "passes",
         {"engine": "run backward check_start seed push pop take execute execute_leaf execute_general",
          "start_backward": "ordinary gradient_for tensors_in start_backward start_grad"}),
    Idea("a view follows its base", "writes",
         {"view_history": "catch_up cannot_follow read_anew rebase rebase_in_function",
          "graph": "new_view node_of set_edge",
          "call": "become_view share_version lies_in wrap_outputs", "hook_lists": "replace_history"}),
    Idea("a write that is refused", "writes",
         {"write_checks": "check_history check_locations check_memory overlaps check_apart check_result",
          "memory_overlap": "meets_itself repeats_itself side_by_side same_steps", "graph": "check_inference"}),
    Idea("a write that is recorded", "writes",
         {"write": "write_now write_in_full put may_be_recorded formulas_to_run formula_bit record_write as_written "
                     "saves_target write_shortly write_ordinary may_write_at_once ordinary "
                     "loop_can_write", "graph": "count_write"}),
    Idea("what may be written to on the way to .grad", "passes",
         {"accumulate_grad": "ours sum_two of_one_shape lock_grad accumulate add_to_grad check_fits add_tensor takes "
                          "put_away retain_all retain same_layout laid_out_as", "memory_overlap": "dense",
          "engine": "only_here"}),
    Idea("hooks, in their order", "passes",
         {"hooks": "before_tensors before_node after_node after_accumulating checked check_replacement check_level "
                   "arrived boxed unboxed hooks_to_run"}),
    Idea("what an operation records", "calls",
         {"call": "look is_usual is_number_for_a_tensor call_converting finished call_unheard payloads_in wanted "
                      "wrapped record edges_of slots_of save pack",
          "operands": "operand tensor_or_number parameter number_given refuse_inference payloads_of"}),
    Idea("a custom Function", "passes",
         {"function_node": "begin attach_output keep edge_to as_they_should_be has_shape_and_dtype begin_function "
                           "end_function PyNode"}),
    Idea("tangents, and the level that they belong to", "levels",
         {"dual_tensors": "owner_of tangent_of put_tangent tangent_with tangents_of carry remember before_writing "
                          "unchanged tangents_after overwritten is_usual leave"}),
    Idea("levels of transforms", "levels",
         {"levels": "wrap_level call_on_payloads taken_apart lined_up could_be_lifted is_known_alone",
          "write": "highest_level the_target", "graph": "is_alone"}),
    Idea("results in tensors of the user", "writes",
         {"out_argument": "refuse_history written_at_once write_out fill_out check_out check_inputs is_part_of"}),
    Idea("promotion of dtypes", "calls",
         {"type_promotion": "joined together result_num overrule result_dtype known_num real_num"}),
    Idea("what a tensor may be told", "writes",
         {"graph": "Tensor.requires_grad Tensor.grad Tensor.retain_grad Tensor.detach Tensor.detach_ Tensor.data "
                   "check_grad check_level is_differentiable"}),
    Idea("what instruments count, and show to a watcher", "counts",
         {"instruments": "counted_call sample note ticked_with Following.__next__ Shown.__call__ Calls.__call__ "
                         "_data"}),
    Idea("shadows: where they lie, how long they are believed, and when a kernel applies", "digits",
         {"shadow_memory": "Memory.fits Memory.parts Memory.fill Shadows.read Shadows.corrected Shadows.write "
                           "Shadows.before Shadows.operand computed is_term same_bits same_layout largest_error "
                           "sample_of_errors absorbed_part copy_of in_double makers",
          "queries": "attend watch_numbers"}),
    Idea("copies between layouts and dtypes", "copies",
         {"copies": "half_holds copy_elements row_between can_be_moved span move new_like before new_copy"}),
    Idea("another layout in place", "writes", {"inplace_layouts": "alter record_layout", "graph": "lay_otherwise"}),
]


#: how many faults of each idea are tried
OF_EACH = 5


def chosen_guards(sources, of_each=OF_EACH):
    """Every fault with its judge, for the sources of the core by module."""
    found = {}
    for idea in IDEAS:
        of_idea = [spoilt for module, functions in idea.functions.items() for function in functions.split()
                   for spoilt in spoilt_guards(module, sources[module], function)]
        for spoilt in sorted(of_idea, key=lambda spoilt: digest(spoilt.name))[:of_each]:
            found.setdefault(spoilt.place, (spoilt, idea.judge))
    return list(found.values())


def digest(name):
    return hashlib.sha256(name.encode()).hexdigest()


# ------------------------------------------------------------------------------ the same in other words

#: [(pattern for "function: `guard` change", why nobody can notice it)]
EQUIVALENT = [
    (r"^payload_of: `n.saved == NULL` always false",
     "another thread must come between two formulas: tests.robustness.stress"),
    (r"^payload_of: `s.kind == SEVERAL` always true", "what is left there is a list, or check_version has raised"),
    (r"^is_outdated: .* with > for !=", "a version only grows"),
    (r"^become_view: .* without `part is not whole`", "a view row makes an array of its own, with an owner"),
    (r"^alter: `tangent is not None` always true", "there is no tangent that could be taken away"),
    (r"^keep_numbers: .* without `many == 0`", "the loop finds no slot then"),
    (r"^link: `target != NULL` always false", "only slower: set_edge finds the same node"),
    (r"^link: `out is not None and .*` without `type\(out.payload\) is ndarray`",
     "the results of an operation on arrays of a device are arrays, too"),
    (r"^has_shape_and_dtype: .* always true", "only slower: the long way finds the same"),
    (r"^overrule: `_categories\[high\] == 1` with <= for ==", "0 has had its turn"),
    (r"^wrap_result: `p.on_payloads and not raw` always false", "a constant of a level, or of the one below"),
    (r"^ordinary: `isinstance\(<object>x, Tensor\)` always false", "`parameter` says the same of such a tensor"),
    (r"^lies_in: .* \(2\)", "only slower: np.may_share_memory finds the same"),
    (r"^call_on_payloads: `op.formula_of\[w.i\] >= 0` always true", "a node without edges, to which nothing leads"),
    (r"^result_num: `tier_best < 0` always true \(2\)", "only slower: -1 leaves it to the general way"),
    (r"^put_away: .* without `type\(grad.payload\) is ndarray`$",
     "where an array has its flags, a tensor of a transform has none that says it is writeable"),
    (r"^Shadows.corrected: `n` always true", "only slower: no number is written then"),
    (r"^can_be_moved: `return last.* without `last\[0\] <= first\[1\]`",
     "only slower: NumPy writes the same into what lies before its source"),
    (r"^copy_elements: `not can_be_moved.* always true", "only slower: NumPy copies the same"),
    (r"^written_at_once: .* without `op.elementwise`$",
     "only faster: kernels of other kinds that write into given memory write the same there"),
]


def why_equivalent(name):
    return next((why for pattern, why in EQUIVALENT if re.search(pattern, name)), None)
