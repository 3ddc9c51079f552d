"""The engine, its modes, levels and hooks."""

from ..explaining import Entry

READ = [f"_core/*/{name}" for name in (
    "user_engines.pyx", "call.pyx", "engine.pyx", "heard_calls.pyx", "hook_lists.pyx", "hooks.pyx", "levels.pyx",
    "thread_state.pyx", "nested_passes.pyx",
)]

COUNTED_EARLIER = "both ways are taken, and the C compiler counts one of them where a part of the condition decides it"
KEPT = "x.data stays on its device, and takes no tensor of a transform: so an array stays an array"
MADE_A_LIST = "the call has made a list of a tuple of tensors"
MANY = "only after a thousand million transforms"

ENTRIES = [
    Entry("rows of one kind are not recorded, and these are said to have gradients of zero",
          "_core/forward/differentials.pyx",
          "differential", "not op.recorded", "op->recorded"),
    Entry("the callers have dealt with results that are several", "_core/forward/differentials.pyx", "fitted",
          "isinstance(tangent, Tensor)", "Tensor): always true"),
    Entry("an elementwise row with formulas has one result, a Tensor", "_core/forward/differentials.pyx", "on_arrays",
          "not isinstance(result, Tensor)", "TypeCheck(result"),
    Entry("a tangent is a Tensor, or None", "_core/forward/differentials.pyx", "on_arrays",
          what="TypeCheck(x, Tensor)"),
    Entry(MADE_A_LIST, "_core/forward/differentials.pyx", "shape_of", what="PyTuple_Check(x)"),
    Entry(MADE_A_LIST, "_core/dispatch/call.pyx", "shape_of_payload", what="PyTuple_Check(x)"),

    Entry(KEPT, "_core/dispatch/call.pyx", "call", "if type(<object>raw[i]) is not ndarray:"),
    Entry(KEPT, "_core/dispatch/call.pyx", "call", "return call_general(op, bound)", "never run"),
    Entry("NumPy names the owner of the memory for a slice without elements, too", "_core/dispatch/call.pyx",
          "wrap_outputs", what="out->view"),
    Entry("only where there are outputs is anything recorded", "_core/dispatch/call.pyx", "link",
          "elif outputs is not None",
          "PyList_GET_SIZE"),

    Entry("a tensor gets a tangent only while a dual level is open", "_core/forward/dual_tensors.pyx", "owns",
          what="owners != NULL"),
    Entry("set_ and resize_ refuse a tensor with a tangent, and other writes to one are recorded",
          "_core/forward/dual_tensors.pyx",
          "overwritten"),

    Entry("only rows of the kind view make views", "_core/forward/dual_tensors.pyx", "carry", what="op->is_view"),

    Entry(COUNTED_EARLIER, "_core/dispatch/heard_calls.pyx", "call_heard", "if alone else", "alone: always true"),

    Entry("no hook is run outside a pass, unless its user calls it", "_core/backward/hooks.pyx", "hooks_to_run"),

    Entry("the callers hand it tensors", "_core/dispatch/levels.pyx", "wrap_level|not_a_tensor",
          what="__Pyx_TypeCheck(payload, Tensor)"),

    Entry("only in the child of a fork, which ends without writing down what ran", "_core/runtime/thread_state.pyx",
          "is_alive",
          what="_survivor"),
    Entry("only Windows has no forks", "_core/runtime/thread_state.pyx", text='hasattr(os, "register_at_fork")'),
    Entry(MANY, "_core/runtime/thread_state.pyx", "push_level", what="_last_level"),
    Entry(MANY, "_core/runtime/thread_state.pyx", "push_level", "_last_level = 0"),

    Entry("all threads but the last have DEEP passes, and TOO_DEEP is a multiple of that: the first part is true then",
          "_core/backward/nested_passes.pyx", "is_deep", what="st->nested"),
    Entry("Linux says where the stack of a thread ends", "_core/backward/nested_passes.pyx", "is_deep",
          what="st->stack_floor != NULL"),
]
