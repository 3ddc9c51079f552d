"""How an operation is called, and what is saved of it."""

from ..explaining import NO_MEMORY, Entry

READ = []

NO_FLOATS = "no function of several rows takes a float: their numbers are Scalars"
NO_LISTS = "no function of several rows takes a list of tensors"
ANOTHER_THREAD = "only if another thread runs a pass that frees the node, between the check and the use"

ENTRIES = [
    Entry("only negation comes here, which is one row with one parameter", "_core/operators.pyx", "unary_operator",
          "if type(op) is Op and (<Op>op).n_params == 1:"),
    Entry("only negation comes here, which is one row with one parameter", "_core/operators.pyx", "unary_operator",
          "return op(a)", "never run"),
    Entry("the operators that are one row each have two operands by position", "_core/operators.pyx",
          "binary_operator", what="n_positional != 2"),
    Entry("the operators that are one row each have two operands by position", "_core/operators.pyx",
          "binary_operator", "return op(a, b)", "never run"),

    Entry("such a tensor has been refused before (`refuse_history`)", "_core/outputs.pyx", "written_at_once",
          what="may_require(out)"),

    Entry(NO_FLOATS, "_core/overloads.pyx", "by_class|read_as_number", what="taken == A_FLOAT"),
    Entry(NO_LISTS, "_core/overloads.pyx", "suits", "if row.type_of[i] == TENSORS:"),
    Entry(NO_LISTS, "_core/overloads.pyx", "suits", "return isinstance(x, (tuple, list))"),
    Entry("all other parameters of these rows say what they take: only a tensor takes anything", "_core/overloads.pyx",
          "suits", "if row.type_of[i] == PLAIN:"),
    Entry("all other parameters of these rows say what they take: only a tensor takes anything", "_core/overloads.pyx",
          "suits", "return not isinstance(x, Tensor) and not is_number(x)"),
    Entry("of the rows of a function either the first takes out=, or none does", "_core/overloads.pyx",
          "__init__|add", "self.takes_out"),

    Entry(NO_MEMORY, "_core/places.pyx", "search_users_code"),
    Entry("only a thread without a Python frame has none: one that runs a pass for another thread",
          "_core/places.pyx", "current_frame"),

    Entry(NO_MEMORY, "_core/recorders.pyx", "start|put_back"),

    Entry(ANOTHER_THREAD, "_core/saved.pyx", "payload_of", "if n.saved == NULL:"),
    Entry(ANOTHER_THREAD, "_core/saved.pyx", "payload_of", "raise second_time(n)"),
]
