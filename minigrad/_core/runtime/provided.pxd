# What Python modules above the core provide, as attributes in C, so that using one costs no look-up.
# See Note [Told later] in provided.pyx; each comment says what it is, and who asks for it.

cdef class Provided:
    # By minigrad/dtypes, before the first row is made.
    cdef public object size             # the class of shapes; graph.pyx
    cdef public object dtype            # the class of dtypes; arguments.pyx, creation.pyx
    cdef public dict dtype_of           # np.dtype -> dtype; graph.pyx, and all files that make tensors of arrays
    cdef public dict dtype_for          # what bool, int, float and complex stand for; arguments.pyx
    cdef public object cpu, meta        # the two devices; graph.pyx, thread_state.pyx

    # By minigrad/random, before the first row that draws is made.
    cdef public object generator        # the class of random streams; arguments.pyx, meta_functions.py
    cdef public object default_generator    # the stream of functions that are given none; random_arrays.pyx

    # By _tensor.py: special methods of Tensor, for special_methods.pyx and graph.pyx; and the words of core_ops.pxd.
    cdef public object init, repr_, iter_, contains, len_, format_, reduce_ex
    cdef public object bool_, int_, float_, complex_, index_
    cdef public object augmented        # x **= y and the like: augmented(x, y, its method, the one to override)
    cdef public object subscripts       # subscripts(): the functions for x[i] and x[i] = y, imported when it is called

    # By minigrad/__init__.py: what is built above tensors.
    cdef public object tell_origin      # anomaly mode: of an error; watched_pass.pyx
    cdef public object refuse_nan       # anomaly mode: of a nan; watched_pass.pyx
    cdef public object vmap             # minigrad.vmap, imported when it is called; minigrad/autograd
    cdef public object array_api        # array_api(): the module, imported when it is called; dlpack.py

    # By minigrad/autograd/function, which is loaded when the first Function is written.
    cdef public object no_vjp           # the vjp of a Function whose author has written none; function_node.pyx

cdef Provided provided

cdef int awaited(str page, void* later, size_t size) except -1
