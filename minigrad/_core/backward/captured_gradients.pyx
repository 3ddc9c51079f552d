"""Captured gradients, those that were asked for: ``autograd.grad(y, [h])`` returns what arrives at the node of h.

Where only some gradients are wanted (Note [Pruning] in pass_state.pyx), the engine asks `goes_on` before it runs a
node: a captured gradient is written down there, and a node that is not needed goes no further.
"""

from minigrad._core.backward.accumulate_grad cimport retain_all, wrong_shape
from minigrad._core.backward.hooks cimport before_tensors
from minigrad._core.backward.pass_state cimport Pass, captured, needed, wanted
from minigrad._core.graph cimport Node, Tensor, new_tensor, publish
from minigrad._core.kernels.loops.numpy_loops cimport same_shape
from minigrad._core.runtime.numpy_api cimport ndarray
from minigrad._core.runtime.python_api cimport PyObject


cdef bint goes_on(Pass p, Node n, object g) except -1:
    """Keep the gradient of `n` if it was asked for; True if the node is to run."""
    if not wanted(p, n):
        return False
    if not captured(p, n):
        return True
    if needed(p, n):                            # kept as it arrived: the hooks run when the node does
        capture(p, n, g)
        return True
    g = before_tensors(p, n, g)                 # it will not run, so the tensor's hooks run here
    if n.hooks is not None:
        retain_all(p, n, g)
    capture(p, n, g)
    return False


cdef int capture(Pass p, Node n, object g) except -1:
    """Keep the gradient for the inputs that asked for it."""
    if g is None:
        return 0
    for nr, i in p.captures[<size_t><PyObject*>n]:
        p.results[i] = g[nr] if n.several or n.n_outputs > 1 else g
        if p.story is not None:
            p.story.capture(publish(n), nr, p.results[i])
    return 0


cdef list captured_results(Pass p, list inputs, bint raw):
    """What was written down, for each of the inputs, as the caller of the pass gets it; None where nothing came."""
    return [None if x is None else wrap_result(p, x, inputs[i], raw) for i, x in enumerate(p.results)]


cdef object wrap_result(Pass p, object x, Tensor of, bint raw):
    """A gradient that was asked for, as the caller of `run` gets it."""
    cdef Tensor t
    if not fits(x, of):
        raise wrong_shape(of, x)
    if not p.tensors:
        return new_tensor(x)
    if p.on_payloads and not raw:
        t = new_tensor(x)
        t.level = of.level
        return t
    return x


cdef bint fits(object x, Tensor of) except -1:
    """Has the gradient the shape of the tensor that it is for?  A tensor made for an edge may have no data."""
    if type(x) is ndarray and type(of.payload) is ndarray:
        return same_shape(<ndarray>x, <ndarray>of.payload)
    return of.payload is None or tuple(x.shape) == tuple(of.shape)
