"""``backward`` and ``grad``: the two ways to start a backward pass.

Both multiply a cotangent (``grad_tensors``, ``grad_outputs``) by the Jacobian of the recorded computation, from the
results back to the leaves.  ``backward`` adds the products to ``.grad`` of the leaves; ``grad`` returns them and
leaves ``.grad`` alone.

This module checks the arguments and explains mistakes in them before anything runs; the pass itself is in
``_core/backward/engine.pyx``.
"""

from collections.abc import Iterable

import numpy as np

from minigrad._core.backward import engine
from minigrad._core.devices.device_arrays import made_on
from minigrad._core.dispatch.torch_function import handle, overloaded
from minigrad._core.errors import error, warn
from minigrad._core.frontends.start_backward import start_backward, start_grad
from minigrad._core.graph import Node, Tensor, wrap
from minigrad._core.graph.gradient_edges import accumulator_of, at_edge
from minigrad._core.graph.type_objects import attach
from minigrad._core.runtime.provided import provisions
from minigrad._core.runtime.thread_state import interpreter, is_grad_enabled
from minigrad.autograd.graph import GradientEdge, known_shapes_and_dtypes

__all__ = ["backward", "grad"]


def backward(tensors, grad_tensors=None, retain_graph=None, create_graph=False, grad_variables=None, inputs=None):
    """Add the gradients of ``tensors`` to ``.grad`` of the leaves.

    Parameters
    ----------
    tensors : Tensor, GradientEdge, or sequence of them
        The results to differentiate.
    grad_tensors : Tensor, None, or sequence of them
        The vectors of the vector-Jacobian product, each of the shape of its tensor; for a tensor with one
        element, None means 1.
    retain_graph : bool, optional
        Keep the saved tensors, so that another pass can use the graph; the default is ``create_graph``.
    create_graph : bool
        Record the backward pass itself, for derivatives of derivatives.
    inputs : Tensor, GradientEdge, or sequence of them, optional
        Accumulate only into these.

    >>> x = torch.tensor([1., 2.], requires_grad=True)
    >>> torch.autograd.backward((x * x).sum())
    >>> x.grad
    tensor([2., 4.])
    """
    if type(tensors) is not Tensor:
        relevant = overloaded(_flat(tensors))
        if relevant:
            return handle(backward, relevant, (tensors,), {
                "grad_tensors": grad_tensors, "retain_graph": retain_graph, "create_graph": create_graph,
                "inputs": inputs})
    if grad_variables is not None:
        warn("`grad_variables` is deprecated. Use `grad_tensors` instead.", FutureWarning)
        if grad_tensors is not None:
            raise both_names_of_gradients()
        grad_tensors = grad_variables
    if inputs is not None:
        inputs = _targets(inputs)
        if not inputs:
            raise error("MG113", "`inputs` argument to `backward()` cannot be empty: leave it out to accumulate into "
                                 "every leaf.")
    roots = _as_list(tensors, "tensors")
    if any([x._level for x in roots]):
        raise inside_a_transform()
    gradients = _cotangents(roots, grad_tensors, "grad_tensors", create_graph)
    _check_roots(roots)
    if inputs is not None:
        _check_inputs(inputs)
        for x in inputs:
            if not x.is_leaf and not hasattr(x, "_edge"):       # an edge to no leaf has no .grad: its node runs
                x.retain_grad()
    if create_graph:
        warn("Using backward() with create_graph=True will create a reference cycle between the parameter and its "
             "gradient which can cause a memory leak. We recommend using autograd.grad when creating the graph to "
             "avoid this. If you have to use this function, make sure to reset the .grad fields of your parameters to "
             "None after use to break the cycle and avoid the leak.", UserWarning)
    engine.run(roots, gradients, create_graph if retain_graph is None else bool(retain_graph), bool(create_graph),
               inputs)


def grad(outputs, inputs, grad_outputs=None, retain_graph=None, create_graph=False, only_inputs=True, allow_unused=None,
         is_grads_batched=False, materialize_grads=False):
    """The gradients of ``outputs`` with respect to ``inputs``, summed over the outputs.

    Parameters
    ----------
    outputs, inputs : Tensor, GradientEdge, or sequence of them
    grad_outputs : Tensor, None, or sequence of them
        The vectors of the vector-Jacobian product, each of the shape of its output; for an output with one
        element, None means 1.
    retain_graph, create_graph : bool
        As in :func:`backward`.
    allow_unused : bool, optional
        Return None for an input on which no output depends, instead of raising; the default is ``materialize_grads``.
    is_grads_batched : bool
        ``grad_outputs`` have one more dim in front, a batch of vectors, and so do the results; the gradients for all
        of them are computed in one pass, under :func:`vmap`.
    materialize_grads : bool
        Return zeros instead of None.

    Returns
    -------
    A tuple of Tensors: for each input one of the same shape and dtype.

    >>> x = torch.tensor(3., requires_grad=True)
    >>> torch.autograd.grad(x ** 2, x)
    (tensor(6.),)
    >>> x = torch.tensor([1., 2.], requires_grad=True)
    >>> torch.autograd.grad(x ** 2, x, torch.eye(2), is_grads_batched=True)
    (tensor([[2., 0.],
            [0., 4.]]),)
    """
    if materialize_grads and allow_unused is False:
        raise zeros_but_not_unused()
    if is_grads_batched:
        return _batched(outputs, inputs, grad_outputs, retain_graph=retain_graph, create_graph=create_graph,
                        allow_unused=allow_unused, materialize_grads=materialize_grads)
    if not only_inputs:
        warn("only_inputs argument is deprecated and is ignored now (defaults to True). To accumulate gradient for "
             "other parts of the graph, please use torch.autograd.backward.", FutureWarning)
    allow_unused = materialize_grads if allow_unused is None else allow_unused
    results = start_grad(outputs, inputs, grad_outputs, retain_graph, bool(create_graph))
    if results is None:
        relevant = overloaded(_flat(outputs) + _flat(inputs))
        if relevant:
            return handle(grad, relevant, (outputs, inputs), {
                "grad_outputs": grad_outputs, "retain_graph": retain_graph, "create_graph": create_graph,
                "allow_unused": allow_unused, "materialize_grads": materialize_grads})
        roots = _as_list(outputs, "outputs")
        targets = _targets(inputs)
        if not targets:
            raise error("MG113", "`inputs` argument to `grad()` cannot be empty: name the tensors whose gradients "
                        "you want.")
        gradients = _cotangents(roots, grad_outputs, "grad_outputs", create_graph)
        _check_roots(roots)
        _check_inputs(targets)
        results = engine.run(roots, gradients, create_graph if retain_graph is None else bool(retain_graph),
                             bool(create_graph), targets, False)
    unused = [i for i, result in enumerate(results) if result is None]
    if unused and (materialize_grads or not allow_unused):
        targets = _targets(inputs)
        if not allow_unused:
            shape = "" if targets[unused[0]]._array is None else f" (its shape is {list(targets[unused[0]].shape)})"
            raise unused_input(unused[0], shape)
        for i in unused:
            if hasattr(targets[i], "_edge"):
                raise no_zeros_for_an_edge(i)
            make = made_on(targets[i].device, np.zeros)
            results[i] = wrap(make(tuple(targets[i].shape), targets[i].dtype.numpy), bool(create_graph))
    return tuple(results)


def _batched(outputs, inputs, grad_outputs, **options):
    """``grad`` for every vector along the first dim of ``grad_outputs``, in one pass."""
    cotangents = list(grad_outputs) if isinstance(grad_outputs, (tuple, list)) else [grad_outputs]
    mapped = [i for i, g in enumerate(cotangents) if isinstance(g, Tensor)]
    if not mapped:
        raise batch_needed()
    for i, (out, g) in enumerate(zip(_as_list(outputs, "outputs"), cotangents)):
        if isinstance(g, Tensor) and out._array is not None and (not g.ndim or tuple(g.shape)[1:] != tuple(out.shape)):
            raise batch_of_another_shape(i, g, out)
    present = []

    def one(*vectors):
        given = cotangents.copy()
        for i, vector in zip(mapped, vectors):
            given[i] = vector
        results = grad(outputs, inputs, given, **options)
        present[:] = [g is not None for g in results]
        return (vectors[0], *[g for g in results if g is not None])         # at least one, as vmap wants

    _, *found = provisions.vmap(one)(*[cotangents[i] for i in mapped])
    found = iter(found)
    return tuple([next(found) if there else None for there in present])


def _flat(tensors):
    """One or several of whatever it is, as a list."""
    return list(tensors) if isinstance(tensors, (list, tuple)) else [tensors]


def _listed(tensors):
    """One or several Tensors as a list; a GradientEdge becomes a tensor at its place in the graph."""
    if not isinstance(tensors, (Tensor, GradientEdge, Iterable)):
        raise not_tensors(tensors)
    listed = [tensors] if isinstance(tensors, (Tensor, GradientEdge)) else list(tensors)
    return [_stand_in(x) if isinstance(x, GradientEdge) else x for x in listed]


def _stand_in(edge):
    """A tensor without numbers at the place of the edge, of its shape and dtype if the edge knows them."""
    node, nr, _ = edge
    if not isinstance(node, Node) or not isinstance(nr, int):
        raise wrong_edge(node, nr)
    known, payload = edge._shape_and_dtype or dict(enumerate(known_shapes_and_dtypes(node))).get(nr), None
    if known is not None:
        shape, dtype = known
        payload = np.broadcast_to(np.zeros((), dtype), shape)
    tensor = at_edge(node, nr, payload)
    tensor._edge = edge
    return tensor


def _as_list(tensors, what):
    listed = _listed(tensors)
    for i, t in enumerate(listed):
        if not isinstance(t, Tensor):
            raise error("MG114", f"element {i} of {what} must be a Tensor or GradientEdge, not {type(t).__name__}")
    return listed


def _check_roots(roots):
    for i, t in enumerate(roots):
        if accumulator_of(t)[0] is None:
            raise root_without_history(i, t)


def _what_cut(t):
    """Why ``t`` has no history: the reason if it can be seen, or else the possible reasons."""
    if t.requires_grad and t._is_view():
        return ("It is a view that was made under torch.no_grad(): its requires_grad is that of its base, but "
                "nothing was recorded between the base and it. Make the view outside no_grad.")
    if t.is_inference():
        return "It was made under torch.inference_mode(), which records nothing: compute it outside."
    if not (t.is_floating_point() or t.is_complex()):
        return (f"Its dtype is {t.dtype}: integers and booleans, the results of argmax, a comparison or a cast, cannot "
                "change by a little, so they have no derivative.")
    if not is_grad_enabled():
        return "Recording is off here, because of torch.no_grad(): compute the result outside it."
    return ("Either no input had requires_grad=True, or the path was cut by detach(), .data, no_grad, .item(), a NumPy "
            "function, argmax, a comparison or a cast to integers, or torch.tensor([a, b]), which copies numbers: "
            "torch.stack([a, b]) keeps the history. To find the place, print requires_grad of the intermediate "
            "results.")


def _targets(inputs):
    listed = _listed(inputs)
    for i, t in enumerate(listed):
        if not isinstance(t, Tensor):
            raise error("MG113", f"all inputs have to be Tensors or GradientEdges, but got {type(t).__name__} at "
                        f"index {i}")
    return listed


def _check_inputs(inputs):
    for i, t in enumerate(inputs):
        if not t.requires_grad:
            raise input_without_grad(i, t)


def _cotangents(roots, given, argument, create_graph):
    """One gradient for each root: the given one, after a check, or 1."""
    if given is None:
        given = [None] * len(roots)
    elif isinstance(given, Tensor):
        given = [given]
    elif not isinstance(given, Iterable):
        raise wrong_gradients(argument, given)
    else:
        given = list(given)
    if len(given) != len(roots):
        raise other_number_of_gradients(roots, given, argument)
    return [_cotangent(i, t, g, argument) for i, (t, g) in enumerate(zip(roots, given))]


def _cotangent(i, tensor, gradient, argument):
    if gradient is None:
        if not tensor.requires_grad:
            return tensor                   # refused by _check_roots, with a better message
        if tensor._array is None:
            raise edge_without_shape(i, argument)
        if tensor.numel() != 1:
            raise not_a_scalar(i, tensor, argument)
        if not tensor.dtype.is_floating_point:
            raise not_real(tensor, argument)
        return wrap(made_on(tensor.device, np.ones)(tuple(tensor.shape), tensor.dtype.numpy))
    if not isinstance(gradient, Tensor):
        raise wrong_gradient(gradient, i, argument)
    if gradient._level:
        interpreter(gradient._level, argument)
    if tensor._array is None:
        return gradient
    if tuple(gradient.shape) != tuple(tensor.shape):
        raise gradient_of_another_shape(i, gradient, tensor)
    if gradient.dtype.is_complex != tensor.dtype.is_complex:
        raise gradient_of_another_dtype(i, gradient, tensor)
    if gradient.device is not tensor.device:
        if gradient.ndim or not gradient.is_cpu:
            raise gradient_on_another_device(i, gradient, tensor)
        gradient = gradient.to(tensor.device)
    if gradient.dtype is not tensor.dtype:
        return gradient.to(tensor.dtype)
    return gradient


def _backward(self, gradient=None, retain_graph=None, create_graph=False, inputs=None):
    """Add the gradients of this tensor to ``.grad`` of the leaves; see :func:`torch.autograd.backward`.

    >>> x = torch.tensor([1., 2.], requires_grad=True)
    >>> (x ** 2).sum().backward()
    >>> x.grad
    tensor([2., 4.])
    """
    if create_graph is False and inputs is None and start_backward(self, gradient, retain_graph):
        return
    backward(self, gradient, retain_graph, create_graph, inputs=inputs)


_backward.__name__ = "backward"
_backward.__qualname__ = "Tensor.backward"
attach("backward", _backward)


# ------------------------------------------------------------------------------ errors


def both_names_of_gradients():
    return error("MG113", "`grad_tensors` and `grad_variables` (deprecated) arguments both passed to "
                          "`backward()`. Please only use `grad_tensors`.")


def inside_a_transform():
    return error("MG117", "backward() called inside a functorch transform. This is not supported, please use "
                          "functorch.grad or functorch.vjp instead or call backward() outside of functorch "
                          "transforms: here they are torch.func.grad and torch.func.vjp.")


def zeros_but_not_unused():
    return error("MG115", "Expected allow_unused to be True or not passed when materialize_grads=True, but got: "
                          "allow_unused=False.")


def unused_input(i, shape):
    return error("MG106", f"The differentiated Tensor at index {i} appears to not have been used in the "
                          f"graph{shape}. No output was computed from it (or only through detach(), .data "
                          "or no_grad). Set allow_unused=True if this is the desired behavior: its "
                          "gradient will then be None.")


def no_zeros_for_an_edge(i):
    return error("MG113", f"materialize_grads cannot be used when the given input is a GradientEdge: input "
                          f"{i} got no gradient, and an edge has no "
                          "tensor whose zeros could be returned.")


def batch_needed():
    return error("MG113", "is_grads_batched=True: grad_outputs must be given, with one more dim in front than the "
                          "outputs: a batch of vectors")


def batch_of_another_shape(i, g, out):
    return error("MG109", "If `is_grads_batched=True`, we interpret the first dimension of each grad_output as "
                          "the batch dimension. The sizes of the remaining dimensions are expected to match "
                          "the shape of corresponding output, but a mismatch was detected: "
                          f"grad_output[{i}] has a shape of {g.shape} and output[{i}] has a shape of "
                          f"{out.shape}: stack the vectors along a "
                          "new first dim, with torch.stack.")


def gradient_on_another_device(i, gradient, tensor):
    return error("MG407", f"invalid gradient at index {i} - expected device {tensor.device} but got {gradient.device}: "
                          "a gradient is on the device of the tensor that it is for")


def not_tensors(tensors):
    return error("MG114", "backward() and grad() take a Tensor, a GradientEdge, or a sequence of them, not "
                          f"{type(tensors).__name__}: pass the tensor itself: the result, or the variable "
                          "to differentiate with respect to.")


def wrong_edge(node, nr):
    return error("MG114", f"a GradientEdge consists of a node and the number of one of its outputs; "
                          f"this one has {type(node).__name__} and {type(nr).__name__}. "
                          "torch.autograd.graph.get_gradient_edge(tensor) makes one.")


def root_without_history(i, t):
    return error("MG103", f"element {i} of tensors does not require grad and does not have a grad_fn: nothing "
                          f"was recorded when it was computed. {_what_cut(t)} (Setting requires_grad on the "
                          "result does not help: it would be a new leaf.)")


def input_without_grad(i, t):
    return error("MG103", f"One of the differentiated Tensors does not require grad: input {i}, of shape "
                          f"{list(t.shape)}. Set its requires_grad=True before it is used.")


def wrong_gradients(argument, given):
    return error("MG114", f"{argument} must be a Tensor, None, or a sequence of them, not {type(given).__name__}: a "
                          "gradient has the shape and dtype of its tensor. Write torch.full_like(y, 2.0) for a "
                          "number, or multiply the result by it.")


def other_number_of_gradients(roots, given, argument):
    return error("MG113", f"got {len(roots)} tensors and {len(given)} gradients: {argument} needs one (or None) "
                 f"for each")


def edge_without_shape(i, argument):
    return error("MG104", f"grad can be implicitly created only for scalar outputs, and element {i} is a "
                          "GradientEdge without a shape, since it was made by hand: give "
                          f"{argument}, or take it from get_gradient_edge(tensor).")


def not_a_scalar(i, tensor, argument):
    vector = "y.backward(torch.ones_like(y))" if argument == "grad_tensors" else f"{argument}=torch.ones_like(y)"
    return error("MG104", f"grad can be implicitly created only for scalar outputs, and element {i} has shape "
                          f"{list(tensor.shape)}: the derivative of a vector is a matrix, and backward() "
                          "computes its product with a vector. Reduce the result to a number first, for example "
                          f"y.sum().backward(), or give the vector: {vector}.")


def not_real(tensor, argument):
    return error("MG104", f"grad can be implicitly created only for real scalar outputs but got {tensor.dtype}: "
                          f"for a complex one choose the direction with {argument}, or take .real or "
                          ".abs() first.")


def wrong_gradient(gradient, i, argument):
    return error("MG114", f"gradients can be either Tensors or None, but got {type(gradient).__name__} for element "
                          f"{i} of {argument}")


def gradient_of_another_shape(i, gradient, tensor):
    return error("MG109", f"Mismatch in shape: grad_output[{i}] has a shape of {gradient.shape} and output[{i}] has "
                          f"a shape of {tensor.shape}: a gradient has one entry for each entry of its tensor.")


def gradient_of_another_dtype(i, gradient, tensor):
    return error("MG109", "For complex Tensors, both grad_output and output are required to have the same dtype. "
                          f"Mismatch in dtype: grad_output[{i}] has a dtype of {gradient.dtype} and output[{i}] has "
                          f"a dtype of {tensor.dtype}.")
