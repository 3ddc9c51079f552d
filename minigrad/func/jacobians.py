"""Matrices of derivatives: jacrev, jacfwd, hessian.

A Jacobian has a row for each element of the output and a column for each element of the input.  Reverse mode gives
a row, ``e^T J`` for the unit vector ``e``; forward mode gives a column, ``J e``.  ``vmap`` over the unit vectors gives
all rows, or all columns, at once.  So ``jacrev`` suits functions with few outputs, and ``jacfwd`` functions with few
inputs; a Hessian, the Jacobian of a gradient, is ``jacfwd(jacrev(f))``.
"""

import functools
from math import prod

import numpy as np

from minigrad._core.devices.device_arrays import constant
from minigrad._core.errors import error
from minigrad._core.graph import Tensor
from minigrad.func.pytree import flatten, leaves, unflatten
from minigrad.func.transforms import called, jvp, selected, vjp
from minigrad.func.vmap import vmap
from minigrad.ops.shapes.reshaping import reshape_to
from minigrad.ops.shapes.slicing import select
from minigrad.ops.shapes.splitting import split_with_sizes

__all__ = ["hessian", "jacfwd", "jacrev"]


def unit_vectors(flat):
    """The unit vectors for tensors with n elements in all: for each tensor, n tensors of its shape, stacked.

    The i-th is 1 at element i if that is in this tensor, and 0 elsewhere.
    """
    sizes = [prod(x.shape) for x in flat]
    n, start, out = sum(sizes), 0, []
    for x, size in zip(flat, sizes):
        ones = np.zeros((n, size), x.dtype.numpy)
        np.fill_diagonal(ones[start:], 1)
        out.append(constant(ones.reshape((n, *x.shape)), x))
        start += size
    return out


def refuse_complex(who, what, flat):
    """Raise for a complex tensor.

    Over complex numbers a Jacobian is one matrix for functions that are complex differentiable only; abs and conj, for
    example, have two.  A row ``e^T J`` and a column ``J e`` are then parts of different things.
    """
    for i, x in enumerate(flat):
        if isinstance(x, Tensor) and x.dtype.is_complex:
            raise error("MG204", f"{who}: Expected all {what} to be real but received complex tensor at flattened "
                                 f"input idx: {i}. A Jacobian has an entry for each pair of real numbers: let the "
                                 "function take and return torch.view_as_real of complex tensors, or use vjp or jvp.")


def jacrev(func, argnums=0, *, has_aux=False, chunk_size=None):
    """The function that returns the Jacobian of ``func``, row by row in reverse mode.

    For an output of shape (a, b) and an argument of shape (c,), the Jacobian has shape (a, b, c); for trees it is a
    tree like the output, of trees like the argument.

    Parameters
    ----------
    func : returns a tensor or a tree of tensors; with ``has_aux``, a pair of this and other tensors
    argnums : the argument, or a tuple of arguments, with respect to which to differentiate
    has_aux : return ``(jacobian, aux)``
    chunk_size : the number of rows to compute at once, to save memory; None for all

    >>> torch.func.jacrev(torch.sin)(torch.zeros(2))
    tensor([[1., 0.],
            [0., 1.]])
    """
    if chunk_size is not None and not (isinstance(chunk_size, int) and chunk_size > 0):
        raise error("MG207", "jacrev: `chunk_size` should be greater than 0.")

    @functools.wraps(func)
    def jacobian(*args, **kwargs):
        def of_chosen(trees):
            return called(func, args, argnums, trees, kwargs)

        refuse_complex("jacrev", "inputs", leaves(args))
        primal = selected(args, argnums)
        out, pull, *aux = vjp(of_chosen, primal, has_aux=has_aux)
        outputs, out_spec = flatten(out)
        refuse_complex("jacrev", "outputs", outputs)
        inputs, in_spec = flatten(primal)

        def row(*units):
            return tuple(leaves(pull(unflatten(units, out_spec))))

        rows = vmap(row, chunk_size=chunk_size)(*unit_vectors(outputs))
        sizes = [prod(y.shape) for y in outputs]
        parts = [divided(r, sizes, 0) for r in rows]           # for each input, the rows of each output
        blocks = [[reshape_to(part[i], (*y.shape, *x.shape)) for x, part in zip(inputs, parts)]
                  for i, y in enumerate(outputs)]
        found = unflatten([unflatten(each, in_spec) for each in blocks], out_spec)
        return (found, *aux) if has_aux else found

    return jacobian


def jacfwd(func, argnums=0, has_aux=False, *, randomness="error"):
    """The function that returns the Jacobian of ``func``, column by column in forward mode.

    The parameters are the same as for :func:`jacrev`; ``randomness`` is the same as for :func:`vmap`.

    >>> torch.func.jacfwd(lambda x: x * x.sum())(torch.tensor([1., 2.]))
    tensor([[4., 1.],
            [2., 5.]])
    """
    @functools.wraps(func)
    def jacobian(*args, **kwargs):
        def of_chosen(trees):
            return called(func, args, argnums, trees, kwargs)

        refuse_complex("jacfwd", "inputs", leaves(args))
        primal = selected(args, argnums)
        inputs, in_spec = flatten(primal)
        for x in inputs:
            if not isinstance(x, Tensor):
                raise error("MG204", "jvp(f, primals, tangents): Expected primals to only contain Tensors, got "
                                     f"{type(x)}")

        beside = None                                       # aux: its leaves, and their tree

        def column(*units):
            nonlocal beside
            out, change, *aux = jvp(of_chosen, (primal,), (unflatten(units, in_spec),), has_aux=has_aux)
            refuse_complex("jacfwd", "outputs", leaves(out))
            beside = flatten(aux)
            return change, [x for x in beside[0] if isinstance(x, Tensor)]

        columns, mapped = vmap(column, out_dims=(-1, 0), randomness=randomness)(*unit_vectors(inputs))
        outputs, out_spec = flatten(columns)
        sizes = [prod(x.shape) for x in inputs]
        blocks = [[reshape_to(part, (*y.shape[:-1], *x.shape)) for part, x in zip(divided(y, sizes, -1), inputs)]
                  for y in outputs]
        found = unflatten([unflatten(each, in_spec) for each in blocks], out_spec)
        tensors = iter(mapped)
        aux = unflatten([select(next(tensors), 0, 0) if isinstance(x, Tensor) else x for x in beside[0]], beside[1])
        return (found, *aux) if has_aux else found

    return jacobian


def divided(x, sizes, dim):
    """``x``, split into pieces of these sizes along ``dim``."""
    return split_with_sizes(x, sizes, dim) if len(sizes) > 1 else [x]


def hessian(func, argnums=0):
    """The function that returns the matrix of second derivatives of ``func``.

    It is the Jacobian of the gradient, forward mode over reverse mode; ``argnums`` is the same as for :func:`jacrev`.

    >>> torch.func.hessian(lambda x: (x ** 3).sum())(torch.tensor([1., 2.]))
    tensor([[ 6.,  0.],
            [ 0., 12.]])
    """
    return jacfwd(jacrev(func, argnums), argnums)
