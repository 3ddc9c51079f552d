"""How an operation is called, and what is saved of it."""

from ..explaining import NO_FRAME, NO_MEMORY, Entry

READ = [f"_core/*/{name}" for name in (
    "function_node.pyx", "op.pyx", "operators.pyx", "out_argument.pyx", "overloads.pyx", "torch_function.pyx",
    "saved_tensor_hooks.pyx",
    "source_lines.pyx", "recorders.pyx", "saved_tensors.pyx",
)]

NO_FLOATS = "no function of several rows takes a float: their numbers are Scalars"
NO_LISTS = "no function of several rows takes a list of tensors"
ONLY_TENSORS = "all other parameters of these rows say what they take: only a tensor takes anything"
ANOTHER_THREAD = "only if another thread runs a pass that frees the node, between the check and the use"

ONE_RESULT = "the elementwise rows with several results take no out="
HAS_SAVED = "a node that has such an attribute has a slot for it; when it lets go of its slots it is marked as freed"
NO_LONGER_THERE = "of a node that has let go of its slots nothing is unpacked: it is marked as freed"
NEEDED = "a formula that runs has what it names: a slot is empty only where no formula needs it"
REFUSED_BEFORE = "what was written to has been refused by then, and hooks are asked elsewhere: only lists are left"
NUMBERED = "what is saved as a result or passed on has a Version, unless it is a number in its slot"

ENTRIES = [
    Entry("it is set to a tuple whenever a Function is applied, and is not a public name",
          "_core/graph/function_node.pyx",
          "as_they_should_be", what="(Py_TYPE(forms))"),



    Entry(ONE_RESULT, "_core/inplace/out_argument.pyx", "written_at_once", "op.list_output"),

    Entry("a tensor is given for a parameter that takes anything only where that is a tensor: the others say what they "
          "take", "_core/dispatch/overloads.pyx", "by_class", what="== OPTIONAL: always true"),

    Entry("the compiler asks whether an attribute is None as a pointer", "_core/graph/saved_tensor_hooks.pyx", "packed",
          "k.bearer"),
    Entry(HAS_SAVED, "_core/graph/saved_tensor_hooks.pyx", "raw_slot", what="n->saved != NULL"),
    Entry(HAS_SAVED, "_core/graph/saved_tensor_hooks.pyx", "register_hooks", "NULL if n.saved == NULL"),
    Entry(HAS_SAVED, "_core/graph/saved_tensor_hooks.pyx", "register_hooks", what="s != NULL"),
    Entry(HAS_SAVED, "_core/graph/saved_tensor_hooks.pyx", "register_hooks", what="s == NULL"),
    Entry("transforms that record refuse hooks, so that what is packed belongs to none",
          "_core/graph/saved_tensor_hooks.pyx",
          "opened",
          what="came->level"),
    Entry("the end of the block (`_saved_hooks`) returns None, so that an error is not held back",
          "_core/graph/saved_tensor_hooks.pyx",
          "register_hooks", "with _saved_hooks(pack_hook, unpack_hook):"),


    Entry(NO_LONGER_THERE, "_core/graph/saved_tensors.pyx", "shown_slot", what="n->saved"),
    Entry(NO_LONGER_THERE, "_core/graph/saved_tensors.pyx", "modified", what="n->saved"),
    Entry(NUMBERED, "_core/graph/saved_tensors.pyx", "saved_output|payload_of|is_outdated", what="s->version"),

    Entry("only negation comes here, which is one row with one parameter", "_core/dispatch/operators.pyx",
          "unary_operator",
          "if type(op) is Op and (<Op>op).n_params == 1:"),
    Entry("only negation comes here, which is one row with one parameter", "_core/dispatch/operators.pyx",
          "unary_operator",
          "return op(a)", "never run"),
    Entry("the operators that are one row each have two operands by position", "_core/dispatch/operators.pyx",
          "binary_operator", what="n_positional != 2"),
    Entry("the operators that are one row each have two operands by position", "_core/dispatch/operators.pyx",
          "binary_operator", "return op(a, b)", "never run"),

    Entry("such a tensor has been refused before (`refuse_history`)", "_core/inplace/out_argument.pyx",
          "written_at_once",
          what="may_require(out)"),

    Entry(NO_FLOATS, "_core/dispatch/overloads.pyx", "by_class|read_as_number", what="taken == A_FLOAT"),
    Entry(NO_LISTS, "_core/dispatch/overloads.pyx", "suits", "if row.type_of[i] == TENSORS:"),
    Entry(NO_LISTS, "_core/dispatch/overloads.pyx", "suits", "return isinstance(x, (tuple, list))"),
    Entry(ONLY_TENSORS, "_core/dispatch/overloads.pyx", "suits", "reading == WRAPPED", "!= PLAIN"),
    Entry(ONLY_TENSORS, "_core/dispatch/overloads.pyx", "suits", "if row.type_of[i] == PLAIN:"),
    Entry(ONLY_TENSORS, "_core/dispatch/overloads.pyx", "suits",
          "return not isinstance(x, Tensor) and not is_number(x)"),
    Entry("of the rows of a function either the first takes out=, or none does", "_core/dispatch/overloads.pyx",
          "__init__|add", "self.takes_out"),

    Entry(NO_MEMORY, "_core/runtime/source_lines.pyx", "search_users_code"),
    Entry(NO_FRAME, "_core/runtime/source_lines.pyx", "current_frame"),

    Entry(NO_MEMORY, "_core/profiling/recorders.pyx", "start|put_back"),
    Entry("a call that begins where nothing is recorded has no number, and no node makes its result",
          "_core/profiling/recorders.pyx", "made", what="0 < (self->written[event]).seq"),

    Entry(ANOTHER_THREAD, "_core/graph/saved_tensors.pyx", "payload_of", "if n.saved == NULL:"),
    Entry(ANOTHER_THREAD, "_core/graph/saved_tensors.pyx", "payload_of", "raise second_time(n)"),
    Entry(NEEDED, "_core/graph/saved_tensors.pyx", "payload_of", "NOTHING"),
    Entry(NEEDED, "_core/graph/saved_tensors.pyx", "payload_of", "return None"),
    Entry(REFUSED_BEFORE, "_core/graph/saved_tensors.pyx", "payload_of", "SEVERAL"),
    Entry(REFUSED_BEFORE, "_core/graph/saved_tensors.pyx", "payload_of", "return <object>s.value"),
    Entry("a custom Function is asked only for slots that it has", "_core/graph/saved_tensors.pyx", "shown_slot",
          what="n->op != Py_None"),
    Entry("where one saved output of a node has a tangent, each has one, perhaps of zeros",
          "_core/graph/saved_tensors.pyx",
          "lend_own_tangent", what="t->nr"),

    Entry("a Tensor has the attributes of one", "_core/dispatch/composites.pyx", "complaint", what="u_obj"),
    Entry("the compiler asks whether the end of a slice is None", "_core/dispatch/composites.pyx", "complaint",
          what="u_co_argcount"),
    Entry("the elements of lists have been asked for: each is a tensor", "_core/dispatch/compute.pyx", "promoted_num",
          what="look_at"),
    Entry("a list of forms and the tuple of needs are made of the same arguments", "_core/graph/function_node.pyx",
          "as_they_should_be", what="_needs"),
    Entry("tensors without data are refused before", "_core/graph/gradient_edges.pyx", "shape_and_dtype_of",
          what="t->payload"),
    Entry("where an input has no data, Tensors flow", "_core/backward/captured_gradients.pyx", "fits"),
]
