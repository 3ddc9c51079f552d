"""Derivatives of a function at a point: Jacobians, Hessians, and their products with vectors.

    jacobian(f, x)      all of J,  J[i, j] = d f(x)[i] / d x[j]
    vjp(f, x, v)        v^T J      one backward pass, whatever the sizes
    jvp(f, x, v)        J v        two backward passes
    hessian(f, x)       all of H,  H[i, j] = d2 f(x) / d x[i] d x[j]     (f gives one number)
    vhp(f, x, v)        v^T H      a backward pass through a backward pass
    hvp(f, x, v)        H v        and one more

One idea: all of these are built from `grad`, the product v^T J.  With a unit vector for v it is a row of the Jacobian,
so the Jacobian takes one pass for each row, or with `vectorize=True` one pass for all rows, by vmap.  (vmap is built
on autograd; this folder is told of it when the library is imported: provided.pyx.)  A Hessian is the Jacobian of the
gradient.  Only J v runs in the other direction, and needs the double-backward trick:

    u -> u^T J  is linear in u, and its matrix is J^T.  So a backward pass through *this* function, with respect to u
    and with the cotangent v, gives v^T J^T, which is J v.  The value of u does not matter; zeros are enough.

`strategy="forward-mode"` computes the columns instead, with dual numbers (forward_ad.py), which is less work for
functions with more outputs than inputs.

The function is called with new tensors in place of its inputs, so that only its arguments count: the same tensor
reached through a closure is a constant.  A derivative is zero where nothing depends on an input; `strict=True` makes
that an error, because most often the graph was cut by accident.

- ``inputs_and_outputs``: checks, new tensors in place of the inputs, and strict mode
- ``private_names``: parts of these functions under PyTorch's private names
"""

import numpy as np

from minigrad import creation
from minigrad._core.devices.device_arrays import constant
from minigrad._core.errors import error
from minigrad._core.runtime.provided import provisions
from minigrad.autograd import forward_ad
from minigrad.autograd.functional.inputs_and_outputs import (
    check_row, check_strict, filled, handed_out, inputs_and_vector, nested, or_zeros, pull_back, run, single_value,
    stand_ins, tensors_of, value_and_gradients, vector, zeros_like_all)
from minigrad.autograd.functional.private_names import *
from minigrad.autograd.grad_mode import enable_grad
from minigrad.ops.exports import REGISTRY

__all__ = ["vjp", "jvp", "jacobian", "hessian", "hvp", "vhp"]


# ------------------------------------------------------------------------------ products with a vector


def vjp(func, inputs, v=None, create_graph=False, strict=False):
    """The outputs of `func` at `inputs`, and the product of `v` with its Jacobian: `v^T J`.

    Parameters
    ----------
    func : takes Tensors, returns a Tensor or a tuple of Tensors
    inputs : a Tensor or a tuple of Tensors
    v : like the outputs; may be left out, and is then 1, if there is a single output with a single element
    create_graph : make the outputs and the product differentiable
    strict : raise if an output does not depend on an input, instead of returning zeros

    Returns
    -------
    (outputs, product): outputs as `func` returns them; the product like `inputs`.

    >>> x = torch.tensor([1., 2., 3.])
    >>> torch.autograd.functional.vjp(lambda x: x * x, x, torch.tensor([1., 0., 10.]))
    (tensor([1., 4., 9.]), tensor([ 2.,  0., 60.]))

    See also: `jvp`, `jacobian`.
    """
    with enable_grad():
        inputs, several = tensors_of(inputs, "inputs", "vjp")
        inputs = stand_ins(inputs, create_graph)
        outputs, several_outputs = run(func, inputs, "vjp", strict)
        if v is not None:
            v = vector(v, outputs, several_outputs, "vjp")
        elif len(outputs) != 1 or outputs[0].numel() != 1:
            raise vector_needed()
        products = pull_back(outputs, inputs, v, create_graph)
        products = filled(products, inputs, "back", strict, create_graph)
    return handed_out(outputs, several_outputs, create_graph), handed_out(products, several, create_graph)


def jvp(func, inputs, v=None, create_graph=False, strict=False):
    """The outputs of `func` at `inputs`, and the product of its Jacobian with `v`: the directional derivative `J v`.

    It is computed with the double-backward trick (see the top of this module), which works wherever reverse mode does;
    `torch.func.jvp` is faster.

    Parameters
    ----------
    func, inputs, create_graph : as in `vjp`
    v : like the inputs; may be left out, and is then 1, if there is a single input with a single element
    strict : raise if the outputs do not depend on an input, or the product not on `v`, instead of returning zeros

    Returns
    -------
    (outputs, product): both as `func` returns its outputs.

    >>> x = torch.tensor([1., 2., 3.])
    >>> torch.autograd.functional.jvp(lambda x: x * x, x, torch.tensor([1., 0., 10.]))
    (tensor([1., 4., 9.]), tensor([ 2.,  0., 60.]))

    See also: `vjp`, `jacobian`.
    """
    with enable_grad():
        inputs, v, several = inputs_and_vector(inputs, v, "jvp", create_graph)
        outputs, several_outputs = run(func, inputs, "jvp", strict)
        anything = zeros_like_all(outputs)
        gradients = pull_back(outputs, inputs, anything, True)
        check_strict(gradients, "gradient", strict)
        products = pull_back(gradients, anything, v, create_graph)
        products = filled(products, outputs, "back_trick", strict, create_graph)
    return handed_out(outputs, several_outputs, create_graph), handed_out(products, several_outputs, create_graph)


def vhp(func, inputs, v=None, create_graph=False, strict=False):
    """The value of `func` at `inputs`, and the product of `v` with its Hessian: `v^T H`.

    Parameters
    ----------
    func : takes Tensors, returns a Tensor with a single element
    inputs, create_graph, strict : as in `vjp`
    v : like the inputs; may be left out, and is then 1, if there is a single input with a single element

    Returns
    -------
    (value, product): the product like `inputs`.

    >>> x = torch.tensor([1., 2.])
    >>> torch.autograd.functional.vhp(lambda x: (x ** 3).sum(), x, torch.tensor([1., 10.]))
    (tensor(9.), tensor([  6., 120.]))

    See also: `hvp`, `hessian`.
    """
    with enable_grad():
        inputs, v, several = inputs_and_vector(inputs, v, "vhp", create_graph)
        outputs, gradients = value_and_gradients(func, inputs, "vhp", strict)
        products = pull_back(gradients, inputs, v, create_graph)
        products = filled(products, inputs, "double_back", strict, create_graph)
    return handed_out(outputs, False, create_graph), handed_out(products, several, create_graph)


def hvp(func, inputs, v=None, create_graph=False, strict=False):
    """The value of `func` at `inputs`, and the product of its Hessian with `v`: `H v`.

    The Hessian is symmetric where the second derivatives are continuous; `vhp` then gives the same for less work.

    Parameters and results are the same as for `vhp`.

    >>> x = torch.tensor([1., 2.])
    >>> torch.autograd.functional.hvp(lambda x: (x ** 3).sum(), x, torch.tensor([1., 10.]))
    (tensor(9.), tensor([  6., 120.]))

    See also: `vhp`, `hessian`.
    """
    with enable_grad():
        inputs, v, several = inputs_and_vector(inputs, v, "hvp", create_graph)
        outputs, gradients = value_and_gradients(func, inputs, "hvp", strict)
        anything = zeros_like_all(inputs)
        double = pull_back(gradients, inputs, anything, True)
        products = pull_back(double, anything, v, create_graph)
        products = filled(products, inputs, "double_back_trick", strict, create_graph)
    return handed_out(outputs, False, create_graph), handed_out(products, several, create_graph)


# ------------------------------------------------------------------------------ whole matrices


def jacobian(func, inputs, create_graph=False, strict=False, vectorize=False, strategy="reverse-mode"):
    """The Jacobian of `func` at `inputs`.

    Parameters
    ----------
    func, inputs, create_graph, strict : as in `vjp`
    vectorize : compute all rows in one backward pass (vmap) instead of one pass for each
    strategy : "reverse-mode", by rows, or "forward-mode", by columns; the latter needs `vectorize=True`, and is the
        better choice for a function with more outputs than inputs

    Returns
    -------
    For one output and one input, a Tensor of shape `output.shape + input.shape`; a tuple of such Tensors if either is a
    tuple; if both are, a tuple of tuples, with `jacobian[i][j]` for output i and input j.  The dtype is the input's in
    reverse mode, and the output's in forward mode.

    With complex tensors the two strategies give different things, as in PyTorch: in reverse mode, each row is the
    gradient of the real part of an output (of a complex differentiable function, the conjugate of its derivative); in
    forward mode, each column is the change of the outputs while an input moves along the real axis.

    >>> x = torch.tensor([1., 2.])
    >>> torch.autograd.functional.jacobian(lambda x: x.sum() * x, x)
    tensor([[4., 1.],
            [2., 5.]])
    >>> torch.autograd.functional.jacobian(lambda x: x.sum() * x, x, vectorize=True, strategy="forward-mode")
    tensor([[4., 1.],
            [2., 5.]])

    See also: `vjp`, `jvp`, `hessian`.
    """
    if strategy not in ("forward-mode", "reverse-mode"):
        raise unknown_strategy(strategy)
    if strategy == "forward-mode":
        return _by_columns(func, inputs, create_graph, strict, vectorize)
    with enable_grad():
        inputs, several = tensors_of(inputs, "inputs", "jacobian")
        inputs = stand_ins(inputs, create_graph)
        outputs, several_outputs = run(func, inputs, "jacobian", strict)
        if vectorize and strict:
            raise strict_and_vectorized()
        by_rows = _all_rows if vectorize else _row_by_row
        matrices = by_rows(outputs, inputs, create_graph, strict)
    return nested(matrices, several_outputs, several, create_graph)


def hessian(func, inputs, create_graph=False, strict=False, vectorize=False, outer_jacobian_strategy="reverse-mode"):
    """The Hessian of `func`, which returns a single number, at `inputs`: the Jacobian of its gradient.

    Parameters
    ----------
    func : takes Tensors, returns a Tensor with a single element
    inputs, create_graph, strict, vectorize : as in `jacobian`
    outer_jacobian_strategy : the mode for the Jacobian of the gradient; "forward-mode" needs `vectorize=True` (the
        gradient itself is always computed in reverse mode)

    Returns
    -------
    For one input, a Tensor of shape `input.shape + input.shape`; for a tuple, `hessian[i][j]` of shape
    `inputs[i].shape + inputs[j].shape`.

    >>> x = torch.tensor([1., 2.])
    >>> torch.autograd.functional.hessian(lambda x: (x[0] * x[1]) ** 2, x)
    tensor([[8., 8.],
            [8., 2.]])

    See also: `jacobian`, `hvp`.
    """
    inputs, several = tensors_of(inputs, "inputs", "hessian")
    if outer_jacobian_strategy not in ("forward-mode", "reverse-mode"):
        raise error("MG502", 'Expected strategy to be either "forward-mode" or "reverse-mode". Got '
                             f'{outer_jacobian_strategy!r}.')

    def value(*inner):
        output, = single_value(func, inner, "hessian", strict)
        return output.squeeze()

    def gradient(*inner):
        if outer_jacobian_strategy == "forward-mode":
            # so that `jacobian` keeps them, and their tangents
            inner = tuple([x.requires_grad_(True) for x in inner])
        gradients = jacobian(value, inner, create_graph=True)
        check_strict(gradients, "jacobian", strict)
        return gradients

    result = jacobian(gradient, inputs, create_graph, strict, vectorize, outer_jacobian_strategy)
    return result if several else result[0][0]


def _row_by_row(outputs, inputs, create_graph, strict):
    """matrices[i][j], output i with respect to input j: a backward pass for every entry of every output."""
    matrices = []
    for i, output in enumerate(outputs):
        flat = output.reshape(-1)
        rows = [pull_back((flat[k],), inputs, None, create_graph, True) for k in range(flat.numel())]
        for j in range(len(inputs)):
            for row in rows if strict else ():
                check_row(row[j], i, j, create_graph)
        columns = [[or_zeros(row[j], x) for row in rows] for j, x in enumerate(inputs)]
        matrices.append([_stacked(column, output, x) for column, x in zip(columns, inputs)])
    return matrices


def _stacked(rows, output, x):
    shape = tuple(output.shape) + tuple(x.shape)
    return REGISTRY["stack"](rows).reshape(shape) if rows else creation.zeros(shape, dtype=x.dtype)


def _all_rows(outputs, inputs, create_graph, strict):
    """The same in one pass: the batch of cotangents is the identity matrix over the entries of all outputs."""
    sizes = [output.numel() for output in outputs]
    flat = tuple([output.reshape(-1) for output in outputs])

    def gradients(*cotangents):
        found = pull_back(flat, inputs, cotangents, create_graph, True)
        return tuple([or_zeros(g, x) for g, x in zip(found, inputs)])

    stacked = provisions.vmap(gradients)(*_unit_vectors(outputs, sizes))
    parts = [g.split(sizes) for g in stacked]
    return [[part[i].reshape(tuple(output.shape) + tuple(x.shape)) for part, x in zip(parts, inputs)]
            for i, output in enumerate(outputs)]


def _by_columns(func, inputs, create_graph, strict, vectorize):
    """Forward mode: the tangents are the rows of the identity matrix over the entries of all inputs, and each gives a
    column for every output."""
    combination = "create_graph" if create_graph else "strict" if strict else None
    if combination:
        raise not_in_forward_mode(create_graph, combination)
    inputs, several = tensors_of(inputs, "inputs", "jacobian")
    if not vectorize:
        raise forward_without_vectorize()
    sizes = [x.numel() for x in inputs]
    primals, forms = [], []

    def push_forward(*tangents):
        with forward_ad.dual_level():
            duals = [forward_ad.make_dual(x, t.reshape(x.shape)) for x, t in zip(inputs, tangents)]
            outputs, several_outputs = tensors_of(func(*duals), "outputs of the user-provided function", "jacobian")
            unpacked = [forward_ad.unpack_dual(y) for y in outputs]
        forms.append(several_outputs)
        primals.extend([primal for primal, _ in unpacked])
        return tuple([or_zeros(tangent, primal) for primal, tangent in unpacked])

    stacked = provisions.vmap(push_forward)(*_unit_vectors(inputs, sizes))
    matrices = []
    for columns, output in zip(stacked, primals):
        parts = zip(columns.split(sizes), inputs)
        matrices.append([part.movedim(0, -1).reshape(tuple(output.shape) + tuple(x.shape)) for part, x in parts])
    return nested(matrices, forms[0], several, False)


def _unit_vectors(tensors, sizes):
    """The identity matrix over all entries of `tensors`, as blocks of columns: one for each tensor, in its dtype."""
    total = sum(sizes)
    return [constant(np.eye(total, size, -sum(sizes[:i]), x.dtype.numpy), x)
            for i, (x, size) in enumerate(zip(tensors, sizes))]


# ------------------------------------------------------------------------------ errors


def vector_needed():
    return error("MG204", "The vector v can only be None if the user-provided function returns a single Tensor "
                          "with a single element: otherwise v says by how much each output is weighted in the "
                          "gradient. Pass v, like the outputs.")


def unknown_strategy(strategy):
    return error("MG502", 'Expected strategy to be either "forward-mode" or "reverse-mode". Hint: If your function '
                          'has more outputs than inputs, "forward-mode" tends to be more performant. Otherwise, '
                          f'prefer to use "reverse-mode". Got {strategy!r}.')


def strict_and_vectorized():
    return error("MG204", "torch.autograd.functional.jacobian: `strict=True` and `vectorized=True` are not "
                          "supported together. Please either set `strict=False` or `vectorize=False`: all rows "
                          "are computed at once, so it is unknown which of them depend on an input.")


def not_in_forward_mode(create_graph, combination):
    return error("MG503" if create_graph else "MG204",
                 f'torch.autograd.functional.jacobian: `{combination}=True` and `strategy="forward-mode"` are not '
                 f'supported together (yet). Please either set `{combination}=False` or `strategy="reverse-mode"`.')


def forward_without_vectorize():
    return error("MG503", "Computing Jacobian using forward-AD or forward-over-reverse Hessian is only implemented "
                          "for `vectorize=True`.")
