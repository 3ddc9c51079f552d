"""The engine, its modes, levels and hooks."""

from ..explaining import Entry

READ = [f"_core/{name}" for name in (
    "delegating.pyx", "engine.pyx", "hearing.pyx", "hooked.pyx", "levels.pyx", "modes.pyx", "nesting.pyx",
)]

COUNTED_EARLIER = "both ways are taken, and the C compiler counts one of them where a part of the condition decides it"
CALLERS = "the callers have asked for that, and raise an error of their own"
IN_A_LIST = "dispatch has made a list of a tuple of tensors"
A_LIST_IS_NOT_EMPTY = "only where there are outputs is anything recorded"

ENTRIES = [
    Entry("what is not recorded has a gradient of zero: the rows of one kind, which have both", "_core/differentials.pyx",
          "differential", "not op.recorded", "op->recorded"),
    Entry("a formula is linear in the gradient: without a step it returns the gradient itself",
          "_core/differentials.pyx", "on_arrays", "if p.n_steps == 0", "p->result"),
    Entry(IN_A_LIST, "_core/differentials.pyx", "shape_of", what="PyTuple_Check(x)"),

    Entry("x.data stays on its device, and takes no tensor of a transform: so an array stays an array",
          "_core/dispatch.pyx", "call", "if type(<object>raw[i]) is not ndarray:"),
    Entry("the same", "_core/dispatch.pyx", "call", "return call_general(op, bound)", "never run"),
    Entry("NumPy names the owner of the memory for a slice without elements, too", "_core/dispatch.pyx",
          "wrap_outputs", what="out->view"),
    Entry("outputs are on the device of the inputs, and of the same level", "_core/dispatch.pyx", "link",
          "elif outputs is not None", "Py_TYPE"),
    Entry(A_LIST_IS_NOT_EMPTY, "_core/dispatch.pyx", "link", "elif outputs is not None", "PyList_GET_SIZE"),

    Entry(CALLERS, "_core/engine.pyx", "check_start", "if len(gradients) != len(roots):"),
    Entry(CALLERS, "_core/engine.pyx", "check_start", "raise not_one_each(roots, gradients)"),
    Entry("the callers have asked for the shape, which a Tensor without data has not", "_core/engine.pyx",
          "check_start", "if g.payload is None:"),
    Entry("the callers have asked for the shape, which a Tensor without data has not", "_core/engine.pyx",
          "check_start", "raise gradient_without_data(i)"),

    Entry("only rows of the kind view make views", "_core/forward.pyx", "carry", what="op->is_view"),

    Entry(COUNTED_EARLIER, "_core/hearing.pyx", "call_heard", "if alone else", "alone: always true"),
    Entry("sizes come after the tensor that they are for, and the loop has ended there", "_core/hearing.pyx",
          "step_heard", what="PyTuple_Check(x)"),

    Entry("the callers hand it tensors", "_core/levels.pyx", "wrap_level", what="!(__Pyx_TypeCheck(payload, Tensor))"),

    Entry("only in the child of a fork, which ends without writing down what ran", "_core/modes.pyx", "is_alive",
          what="_survivor"),
    Entry("only Windows has no forks", "_core/modes.pyx", text='hasattr(os, "register_at_fork")'),
    Entry("only after a thousand million transforms", "_core/modes.pyx", "push_level", what="_last_level"),
    Entry("only after a thousand million transforms", "_core/modes.pyx", "push_level", "_last_level = 0"),
    Entry("whether a new tensor has the address of one that is gone is chance", "_core/modes.pyx", "was_made_inside",
          "made[id(tensor)]() is tensor"),

    Entry("all threads but the last have DEEP passes, and TOO_DEEP is a multiple of that: the first part is true then",
          "_core/nesting.pyx", "is_deep", what="st->nested"),
    Entry("Linux says where the stack of a thread ends", "_core/nesting.pyx", "is_deep", what="st->stack_floor != NULL"),
]
