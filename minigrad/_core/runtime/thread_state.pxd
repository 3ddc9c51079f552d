# The switches of one thread, in one C struct.  All zero means PyTorch's defaults, so a new thread needs no setup.
# Other modules reach it through state(): a thread-local variable in a .pxd would give each extension its own copy.

from minigrad._core.runtime.python_api cimport PyObject


cdef extern from *:
    """
    #ifndef MG_STATE
    #define MG_STATE
    typedef struct {
        int active;            /* modes other than grad mode that are on: 0 skips them all with one test */
        int grad_off;          /* no_grad; inference_mode() sets it too */
        int inference;
        int forward;           /* a dual level is open: tensors may have tangents */
        int anomaly;           /* ANOMALY: nodes note where they were made; NAN_ALLOWED: gradients may be nan */
        PyObject *levels;      /* the innermost open transform: (level, interpreter, the one around) */
        PyObject *saved_hooks; /* the innermost pair in force, or NULL: (pack, unpack, the pair around it) */
        int hooked;            /* how many pairs */
        PyObject *hooks_off;   /* why saved-tensor hooks are disabled: the user's message, or NULL */
        PyObject *task;        /* the backward pass that runs in this thread, innermost, or NULL */
        PyObject *dying;       /* the first node that waits to be freed; Note [Freeing without recursion] */
        int draining;
        PyObject *owners;      /* the list of tensors with tangents in the dual level, or NULL */
        PyObject *evaluating;  /* in anomaly mode, the node that a backward pass of this thread is running, or NULL */
        PyObject *listener;    /* what hears of every operation: a profiler (listener.pyx), or NULL */
        PyObject *story;       /* what is told each step of a backward pass (watched_pass.pyx), or NULL */
        long long allocated, freed;     /* bytes of arrays, while a profiler counts them */
        unsigned long number;  /* of this thread: Note [Numbers of threads]; 0 until it is needed */
        int depth, nested;     /* backward passes inside each other: on this stack, and in all; see nested_passes.pyx */
        PyObject *errand;      /* what this thread does for another, or NULL */
        char *stack_floor;     /* the lowest address of the stack; NULL until it is needed */
    } mg_State;
    #endif
    """
    ctypedef struct State "mg_State":
        int active
        int grad_off
        int inference
        int forward
        int anomaly
        PyObject* levels
        PyObject* saved_hooks
        int hooked
        PyObject* hooks_off
        PyObject* task
        PyObject* dying
        int draining
        PyObject* owners
        PyObject* evaluating
        PyObject* listener
        PyObject* story
        long long allocated, freed
        unsigned long number
        int depth, nested
        PyObject* errand
        char* stack_floor

cdef enum:
    ANOMALY = 1
    NAN_ALLOWED = 2

cdef State* state() noexcept nogil

cdef inline bint records(State* st) noexcept nogil:
    """Are operations recorded?  Not in inference mode, where enable_grad() changes nothing about it."""
    return not (st.grad_off or st.inference)

cdef void switch_inference(State* st, bint enabled) noexcept
cdef void switch_hooks(State* st, object pair, int many, object off) noexcept
cdef int switch_devices(State* st, object chosen, object within) except -1
cdef unsigned long thread_number() noexcept
cdef bint is_alive(unsigned long thread) noexcept
cdef int listeners             # how many threads have a listener; if none has, no thread needs to be looked at
cdef object interpreter_of(int level)
cdef int drawing_level() except -1
cdef int innermost_level() except -1
cdef bint is_inside(int born, int level) except -1
