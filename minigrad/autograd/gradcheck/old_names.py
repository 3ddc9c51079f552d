"""The matrices that gradcheck compares, under PyTorch's old names.

PyTorch has deprecated these functions; `minigrad.autograd.gradcheck` exports them.  The work is done in
jacobians.py; here, tensors are converted on the way in and out.
"""

import numpy as np

from minigrad._core.devices.device_arrays import constant
from minigrad._core.errors import error
from minigrad._core.graph import Tensor, wrap
from minigrad.autograd.gradcheck.jacobians import Point, as_tuple, differentiable, measured_jacobian, part_of
from minigrad.autograd.reverse import grad

__all__ = ["get_analytical_jacobian", "get_numerical_jacobian", "get_numerical_jacobian_wrt_specific_input"]


def get_numerical_jacobian(fn, inputs, target=None, eps=1e-3, grad_out=1.0):
    """The Jacobians of the first output of ``fn(inputs)``, measured by finite differences: a tuple, one for each input.

    ``fn`` takes the inputs as one tuple.  Each matrix has a row for each entry of the input (of ``target``, if it is
    given) and a column for each entry of the output.

    >>> from minigrad.autograd.gradcheck import get_numerical_jacobian
    >>> x = torch.tensor([1., 2.], dtype=torch.float64, requires_grad=True)
    >>> get_numerical_jacobian(lambda inputs: inputs[0] ** 2, (x,))
    (tensor([[2.0000, 0.0000],
            [0.0000, 4.0000]], dtype=torch.float64),)
    """
    _check_grad_out("get_numerical_jacobian", grad_out)
    point = Point(lambda *inputs: fn(inputs), as_tuple(inputs), eps)
    if target is not None:
        point.targets = differentiable(as_tuple(target))
    return tuple([_measured(point, number)[0] for number in range(len(point.targets))])


def get_numerical_jacobian_wrt_specific_input(fn, input_idx, inputs, outputs, eps, input=None, is_forward_ad=False):
    """The measured Jacobians of all outputs of ``fn(*inputs)`` with respect to one input: a tuple, one for each
    output.

    >>> from minigrad.autograd.gradcheck import get_numerical_jacobian_wrt_specific_input
    >>> x = torch.tensor([1., 2.], dtype=torch.float64, requires_grad=True)
    >>> get_numerical_jacobian_wrt_specific_input(torch.square, 0, (x,), (x.square(),), 1e-6)
    (tensor([[2.0000, 0.0000],
            [0.0000, 4.0000]], dtype=torch.float64),)
    """
    point = Point(fn, as_tuple(inputs), eps)
    point.targets = (inputs[input_idx] if input is None else input,)
    if not point.targets[0].requires_grad:
        raise error("MG502", f"Expected input to have requires_grad=True: input {input_idx} does not")
    return tuple(_measured(point, 0))


def get_analytical_jacobian(inputs, output, nondet_tol=0.0, grad_out=1.0):
    """The Jacobians of ``output`` with respect to ``inputs``, by backward passes.

    Returns a tuple: the Jacobians, and three flags: do two passes agree, do the gradients have the sizes of the inputs,
    and do they have their dtypes?

    >>> from minigrad.autograd.gradcheck import get_analytical_jacobian
    >>> x = torch.tensor([1., 2.], dtype=torch.float64, requires_grad=True)
    >>> get_analytical_jacobian((x,), x ** 2)
    ((tensor([[2., 0.],
            [0., 4.]], dtype=torch.float64),), True, True, True)
    """
    _check_grad_out("get_analytical_jacobian", grad_out)
    if output.is_complex():
        raise error("MG502", "Expected output to be non-complex. get_analytical_jacobian no longer supports functions "
                             "that return complex outputs.")
    targets = differentiable(as_tuple(inputs))
    once, sizes_fit, types_fit = _pulled(targets, output)
    again, _, _ = _pulled(targets, output)
    same = all([bool((a - b).abs().max() <= nondet_tol) for a, b in zip(once, again) if a.numel()])
    return tuple(once), same, sizes_fit, types_fit


def _check_grad_out(function, grad_out):
    if grad_out != 1.0:
        raise error("MG502", f"Expected grad_out to be 1.0. {function} no longer supports values of grad_out != 1.0.")


def _measured(point, number):
    found = []
    for output, jacobian in zip(point.outputs, measured_jacobian(point, number)):
        matrix = part_of(jacobian, 1)
        kind = np.result_type(output._array.dtype, point.targets[number]._array.dtype)
        found.append(wrap(np.ascontiguousarray(matrix).astype(kind)))
    return found


def _pulled(targets, output):
    """The matrices, and whether the gradients have the shapes and the dtypes of the inputs."""
    size = output.numel()
    found = [np.zeros((x.numel(), size), x._array.dtype) for x in targets]
    sizes_fit = types_fit = True
    for j in range(size):
        unit = np.zeros(size, output._array.dtype)
        unit[j] = 1
        cotangent = constant(unit.reshape(tuple(output.shape)), output)
        gradients = grad(output, targets, cotangent, retain_graph=True, allow_unused=True)
        for jacobian, x, g in zip(found, targets, gradients):
            if isinstance(g, Tensor):
                sizes_fit, types_fit = sizes_fit and g.shape == x.shape, types_fit and g.dtype is x.dtype
                jacobian[:, j] = np.asarray(g._array).reshape(-1)
    return [wrap(jacobian) for jacobian in found], sizes_fit, types_fit
