# The data model on one page: what a tensor, a node and an edge are.
#
# `cdef object` is a counted reference, as in Python.  A `PyObject*` is counted by hand, or borrowed where the comment
# says weakly.


from minigrad._core.graph.special_methods cimport SpecialMethods
from minigrad._core.runtime.numpy_api cimport npy_intp
from minigrad._core.runtime.python_api cimport PyObject
from minigrad._core.runtime.thread_state cimport State


ctypedef unsigned char flag     # a bint takes four bytes, and nodes are counted in millions


cdef class Version:
    """Counts the in-place writes to one piece of memory; shared by all views and detached aliases of it."""
    cdef unsigned int value
    cdef int instruction
    cdef PyObject* code         # where the last write was: the code of the user's function, and an instruction in it
    cdef PyObject* keepers      # a WeakSet of those that must copy before the next write (saved_tensor_hooks.pyx)
    cdef PyObject* saver        # the Node that has saved it last, weakly: Note [Numbers in slots] in saved_slots.pyx


cdef struct Meta:
    # What a gradient must have to fit an input: its dtype and shape.
    int type_num                # NumPy's number of the dtype
    int ndim
    npy_intp dims[1]            # ndim of them


cdef struct Edge:
    # Where a gradient goes next: output `nr` of `node`; NULL where nobody wants it.
    PyObject* node
    int nr


cdef enum SlotKind:
    NOTHING                     # not needed by any formula that will run
    INPUT                       # value is a Tensor: an input, or an output without history, such as indices
    PASSED                      # value is the payload of an input that has a grad_fn; edge `nr` leads to that node
    OUTPUT                      # value is the payload of the node's own output: a Tensor would close a cycle
    VALUE                       # value is a parameter or a shape
    SEVERAL                     # value is a list of pairs: a Tensor, Packed or None, and the version when it was saved
    PACKED                      # value is a Packed (saved_tensor_hooks.pxd): a pair of hooks has it

cdef struct Saved:
    # One thing that a formula needs.  A slot of its own, not a Python object: most nodes have one or two.
    PyObject* value             # from here on are the 16 bytes for a number
    PyObject* version           # OUTPUT and PASSED: the Version that the tensor carries
    unsigned int at             # the version when it was saved
    unsigned short nr           # OUTPUT: which output; PASSED: which edge
    unsigned char kind
    unsigned char number        # OUTPUT and PASSED: 1 more than the number of the dtype, where it has only a number


cdef class Tensor(SpecialMethods):
    cdef object payload         # an ndarray; inside a transform, the tensor of the level below
    cdef Version version        # None as long as the memory was neither shared nor written to
    cdef object grad_           # .grad
    cdef object node            # .grad_fn: the Node that made it, None for a leaf
    cdef PyObject* accumulator  # the AccumulateGrad of a leaf, known weakly: it owns us
    cdef object view            # View, where this is a view of another tensor
    cdef object tangent         # forward mode: the rate at which the value changes; see dual_tensors.pyx
    cdef object hooks           # TensorHooks, where there are any
    cdef object __weakref__
    cdef PyObject* attributes   # __dict__, made when it is first written to; see Note [Attributes] in deallocation.pyx
    cdef int nr                 # which output of `node` this is
    cdef int level              # the transform level it belongs to; 0 for ordinary tensors
    cdef int born               # the innermost transform that was open when an operation made it; 0 for views
    cdef unsigned long adding   # the thread that is adding to .grad just now; 0 for none
    cdef flag requires_grad_    # 0, 1, or BY_BASE: a view that does only because its base does
    cdef flag inference         # made in inference mode: its writes are not counted
    cdef flag reshaped          # .data was replaced by a tensor of another shape
    cdef flag holes_have_history    # of a base: between its elements; Note [Holes] in view_history.pyx
    cdef flag hidden            # how many leading dims of the payload are not the user's: 1 for what vmap maps over


cdef enum:
    BY_BASE = 2


cdef class ViewStep:
    """How a view is made, by `op(before, *arguments)`, from the base or from an earlier view of it."""
    cdef object op
    cdef tuple arguments
    cdef PyObject* before       # the ViewStep of that earlier view; NULL for the base


cdef class View:
    """What a view knows of its base, and how it was made from it."""
    cdef readonly Tensor base
    cdef ViewStep step          # the last of the steps from the base
    cdef readonly str made_in   # why it cannot follow: "no_grad", "inference", "several", "custom Function"; or ""
    cdef object owner           # the tensor whose tangent it reads, where that is not the base
    cdef flag dual              # the view owns its tangent: make_dual made it
    cdef long long at           # the version for which the view's grad_fn is right


cdef class TensorHooks:
    cdef readonly object before # id -> hook on the gradient; an OrderedDict, so that handles can know it weakly
    cdef readonly object after  # id -> hook after accumulation into .grad
    cdef bint retain            # retain_grad() was called
    cdef bint casts             # .grad_dtype was set, for a leaf: gradients are cast to
    cdef object grad_dtype      # this dtype, or remain as they are if it is None


cdef class Node:
    cdef object op              # the Op that recorded it; the leaf, where `accumulates`; None for custom Functions
    cdef long long seq          # when it was recorded: the ready heap takes the latest first
    cdef Edge* edges            # n_edges of them: `two` where that is enough
    cdef Edge two[2]
    cdef Meta** fits            # one per edge, NULL where gradients fit as they come; NULL where all do
    cdef Saved* saved           # n_saved of them
    cdef NodeHooks hooks
    # These three, with `needed` and `captured`, belong to a backward pass; see Note [Claims] in pass_state.pyx.
    cdef void* task             # the pass that has claimed the node; NULL outside one
    cdef PyObject* buffer       # the gradient so far: an array or Tensor; a list, where there are several outputs
    cdef int deps               # gradients still to come
    # The rest is the node's own again; what is small comes last, so that no memory is lost between fields.
    cdef int n_edges, n_outputs
    cdef int level
    cdef int n_saved
    cdef int freed              # the number of the call that freed what it saved; see `note_call` in source_lines.pyx
    cdef flag accumulates       # this is the AccumulateGrad of a leaf; `op` is then the leaf, no Op: ask this first
    cdef flag several           # it has several outputs: what flows is a list
    cdef flag needed, captured  # in a pass: it will run; its gradient was asked for
    cdef flag packed            # saved-tensor hooks have some of what it saved
    # Of the node of an op: it records an in-place write, which may give its public class another name.  Of an
    # AccumulateGrad: its leaf has another layout since (`lay_otherwise` in graph.pyx), so no gradient fits any more.
    cdef flag in_place


cdef class AccumulateGrad(Node):
    pass


cdef class NodeHooks:
    cdef readonly object before     # id -> prehook on all incoming gradients
    cdef readonly object after      # id -> hook on outgoing and incoming gradients
    cdef readonly dict tensors      # output number -> TensorHooks of the tensor it was
    cdef readonly dict metadata
    cdef readonly dict retained     # output number -> weak reference to the tensor that wants its .grad
    cdef dict tangents              # output number -> tangent of a saved output, while a dual level is open


cdef Tensor new_tensor(object payload)
cdef View new_view(Tensor source, object op, tuple arguments, str made_in)
cdef Version version_of(Tensor t)
cdef bint needs_grad(Tensor t) except -1
cdef bint is_alone(Tensor t, Tensor view) noexcept
cdef object grad_dtype_of(Tensor t, object given)
cdef Node new_node(object op, int n_edges, int n_saved)
cdef int set_edge(Node n, int i, Tensor t) except -1
cdef int set_fit(Node n, int i, Tensor t) except -1
cdef Node node_of(Tensor t)
cdef Node root_of(Tensor t)
cdef int lay_otherwise(Tensor t) except -1
cdef object publish(Node n)
cdef int check_level(Tensor t, Tensor value) except -1
cdef int check_inference(Tensor t, State* st) except -1
cdef int count_write(Version v) except -1
cdef str written_at(Version v)
cdef long long next_seq() noexcept
cdef long long coming_seq() noexcept
cdef int allocate(Node n, int n_edges, int n_saved) except -1
cdef int allocate_slots(Node n, int n_saved) except -1
cdef NodeHooks hooks_of(Node n)
cdef tuple untracked(tuple plain)

# What is called here and in files that are built before the one that has the function, which fills it in at its end:
# Note [Told later] in provided.pyx.
cdef struct Later:
    void (*node_dies)(Node n) noexcept                              # a Node is freed: deallocation.pyx
    void (*tensor_dies)(Tensor t) noexcept                          # a Tensor is freed: deallocation.pyx
    int (*keep_grad)(Tensor t) except -1                            # retain_grad() asks for it: hook_lists.pyx
    int (*catch_up)(Tensor t) except -1                             # called as `catch_up` below: view_history.pyx
    object (*replayed)(Tensor t, Tensor base)                       # `catch_up` in a transform: levels.pyx
    object (*opened)(Node n, int i, object packed)                  # saved_tensors.pyx reads: saved_tensor_hooks.pyx
    object (*in_class_of)(Tensor t, Tensor plain)                   # detach() of a subclass: torch_function.pyx
    object (*call_node)(Node n, tuple gradients)                    # node(*gradients): user_engines.pyx
    # Forward mode, for saved tensors and for dispatch: dual_tensors.pyx.
    int (*carry)(object op, list args, object out) except -1        # tangents through one operation
    int (*overwritten)(Tensor t) except -1                          # before a pack hook's tensor is written to
    object (*tangent_of)(Tensor t)                                  # has it one?
    int (*lend_tangent)(Tensor t, object tangent) except -1         # until the dual level is closed
cdef Later later

# Tensors, nodes and slots that have died, for new_tensor and new_node to use again; see
# Note [Spare nodes and tensors] in deallocation.pyx.
cdef enum:
    SPARE = 512
    SPARE_SLOTS = 256

cdef struct Spares:
    PyObject* objects[SPARE]
    int n

cdef struct SpareSlots:
    Saved* blocks[2][SPARE_SLOTS]   # of one slot, and of two
    int n[2]

cdef Spares spare_nodes, spare_tensors
cdef SpareSlots spare_slots


cdef inline bint may_require(Tensor t) noexcept:
    """True if `t` requires grad, perhaps because its base does."""
    return t.requires_grad_ or (t.view is not None and (<View>t.view).base.requires_grad_)


cdef inline int catch_up(Tensor t) except -1:
    """Let a view know of writes through its base and other views of it: Note [Views] in view_history.pyx."""
    return 0 if t.view is None else later.catch_up(t)
