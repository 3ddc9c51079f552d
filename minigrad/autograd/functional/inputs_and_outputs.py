"""The arguments and results of `functional`: checks, new tensors in place of the inputs, and strict mode.

The user's function is never called with the user's tensors but with new ones in their place (`stand_ins`), so that a
tensor reached through a closure is a constant.  A missing derivative becomes zeros, or in strict mode an error that
names the stage and the two tensors that do not depend on each other (`filled`, `check_strict`).
"""

from minigrad import creation
from minigrad._core.errors import error, located
from minigrad._core.graph import Tensor
from minigrad.autograd.reverse import grad

__all__ = ["check_row", "check_strict", "filled", "handed_out", "inputs_and_vector", "nested", "or_zeros", "pull_back",
           "run", "single_value", "stand_ins", "tensors_of", "value_and_gradients", "vector", "zeros_like_all"]


# ------------------------------------------------------------------------------ the arguments


def tensors_of(given, what, who):
    """`given` as a tuple of Tensors, and whether it was one."""
    several = isinstance(given, tuple)
    for i, x in enumerate(given if several else (given,)):
        if not isinstance(x, Tensor):
            here = f"the value at index {i}" if several else f"the given {what}"
            raise not_tensors(what, who, here, x)
    return (given if several else (given,)), several


def stand_ins(inputs, create_graph):
    """New tensors for the inputs: connected to them if the result must be differentiable, else detached."""
    return tuple([x.view_as(x) if create_graph and x.requires_grad else x.detach().requires_grad_(True)
                  for x in inputs])


def inputs_and_vector(inputs, v, who, create_graph):
    """The arguments of a product whose vector is like the inputs."""
    inputs, several = tensors_of(inputs, "inputs", who)
    inputs = stand_ins(inputs, create_graph)
    if v is not None:
        v = vector(v, inputs, several, who)
    elif len(inputs) != 1 or inputs[0].numel() != 1:
        raise direction_needed()
    return inputs, v, several


def vector(v, like, several, who):
    """The tensors of `v`, which must match those of `like` in number and shapes."""
    v, _ = tensors_of(v, "v", who)
    if len(v) != len(like):
        raise vector_of_another_length(like, v, several)
    for i, (x, model) in enumerate(zip(v, like)):
        if x.shape != model.shape:
            where = f"Entry {i} in " if several else ""
            raise vector_of_another_size(where, model, x)
    return v


def run(func, inputs, who, strict):
    """The outputs, as a tuple, and whether they were one."""
    outputs, several = tensors_of(func(*inputs), "outputs of the user-provided function", who)
    check_strict(outputs, "output", strict)
    return outputs, several


def single_value(func, inputs, who, strict):
    """The single output of a function that has a Hessian."""
    outputs, several = run(func, inputs, who, strict)
    if several:
        raise several_outputs(who, func)
    if outputs[0].numel() != 1:
        raise not_one_element(who, outputs, func)
    return outputs


def value_and_gradients(func, inputs, who, strict):
    """The output, and the gradients with their history, from which second derivatives follow."""
    outputs = single_value(func, inputs, who, strict)
    gradients = pull_back(outputs, inputs, None, True)
    check_strict(gradients, "jacobian", strict)
    return outputs, gradients


# ------------------------------------------------------------------------------ the product, and the results


def pull_back(outputs, inputs, cotangents, create_graph, retain_graph=None):
    """`grad`, which skips outputs that are None or have no history."""
    cotangents = (None,) * len(outputs) if cotangents is None else cotangents
    parts = [(y, d) for y, d in zip(outputs, cotangents) if y is not None and y.requires_grad]
    if not parts:
        return (None,) * len(inputs)
    return grad([y for y, _ in parts], inputs, [d for _, d in parts], retain_graph, create_graph, allow_unused=True)


def or_zeros(x, like):
    return creation.zeros_like(like) if x is None else x


def zeros_like_all(tensors):
    """The u of the double-backward trick: a variable to differentiate with respect to, whose value does not matter."""
    return tuple([creation.zeros_like(x, requires_grad=True) for x in tensors])


def handed_out(tensors, several, create_graph):
    """The tensors in the form of the input, and without history unless `create_graph`."""
    tensors = tuple([x if create_graph else x.detach() for x in tensors])
    return tensors if several else tensors[0]


def nested(matrices, several_outputs, several, create_graph):
    """matrices[i][j], without the index of a side that is not a tuple."""
    rows = tuple([handed_out(row, several, create_graph) for row in matrices])
    return rows if several_outputs else rows[0]


# ------------------------------------------------------------------------------ strict mode

_STRICTLY = "This is not allowed in strict mode."

#: the error for a tensor without history, at each stage
_CONSTANT = {
    "output": "Output {i} of the user-provided function does not require gradients. The outputs must be computed in a "
              "differentiable manner from the input when running in strict mode.",
    "gradient": "The gradient with respect to input {i} is independent of the inputs of the user-provided function. "
    + _STRICTLY,
    "jacobian": "While computing the hessian, found that the jacobian of the user-provided function with respect to "
                "input {i} is independent of the input. " + _STRICTLY[:-1] + ": ensure that your function is twice "
                                                                             "differentiable and that the jacobian "
                                                                             "depends on the inputs (this would be "
                                                                             "violated by a linear function for "
                                                                             "example).",
}

#: the error if no gradient arrives, at each stage
_UNREACHED = {
    "back": "The output of the user-provided function is independent of input {i}. " + _STRICTLY,
    "back_trick": "The gradient with respect to the input is independent of entry {i} in the grad_outputs when using "
                  "the double backward trick to compute forward mode gradients. " + _STRICTLY,
    "double_back": "The jacobian of the user-provided function is independent of input {i}. " + _STRICTLY,
    "double_back_trick": "The hessian of the user-provided function is independent of entry {i} in the grad_jacobian. "
                         "This is not allowed in strict mode as it prevents from using the double backward trick to "
                         "replace forward mode AD.",
}


def check_strict(tensors, stage, strict):
    """In strict mode, raise for the first of `tensors` that is missing or has no history."""
    if not strict:
        return
    for i, x in enumerate(tensors):
        if x is None:
            raise error("MG106", _UNREACHED["back"].format(i=i))
        if not x.requires_grad:
            raise error("MG103", _CONSTANT[stage].format(i=i))


def filled(products, like, stage, strict, create_graph):
    """Zeros where no gradient arrived.  In strict mode that is an error, and so is a gradient without the history that
    was requested."""
    for i, x in enumerate(products if strict else ()):
        if x is None:
            raise error("MG106", _UNREACHED[stage].format(i=i))
        if create_graph and not x.requires_grad:
            what = "hessian" if stage.startswith("double") else "jacobian"
            raise constant_product(what, i)
    return [or_zeros(x, model) for x, model in zip(products, like)]


def check_row(row, i, j, create_graph):
    """Strict mode for a row of the Jacobian of output i with respect to input j."""
    if row is None:
        raise error("MG106", f"Output {i} of the user-provided function is independent of input {j}. {_STRICTLY}")
    if create_graph and not row.requires_grad:
        raise constant_row(j)


# ------------------------------------------------------------------------------ errors


def not_tensors(what, who, here, x):
    return error("MG205", f"The {what} given to {who} must be either a Tensor or a tuple of Tensors but {here} "
                          f"has type {type(x)}.")


def direction_needed():
    return error("MG204", "The vector v can only be None if the input to the user-provided function is a single "
                          "Tensor with a single element: otherwise v is the direction of the derivative. "
                          "Pass v, like the inputs.")


def vector_of_another_length(like, v, several):
    return error("MG201", f"v is a tuple of invalid length: should be {len(like)} but got {len(v)}." if several
                 else f"The given v should contain a single Tensor, but it is a tuple of {len(v)}.")


def vector_of_another_size(where, model, x):
    return error("MG201", f"{where}v has invalid size: should be {model.shape} but got {x.shape}. v has one "
                          "entry for each entry of its factor.")


def several_outputs(who, func):
    return error("MG204", f"The function given to {who} should return a single Tensor, but it returned a tuple. See "
                          f"{located(func)}.")


def not_one_element(who, outputs, func):
    return error("MG204", f"The Tensor returned by the function given to {who} should contain a single element, but "
                          f"its shape is {list(outputs[0].shape)}: reduce it to a number, for example by .sum(). "
                          f"See {located(func)}.")


def constant_product(what, i):
    return error("MG103", f"The {what} of the user-provided function is independent of input {i}. "
                          f"{_STRICTLY[:-1]} when create_graph=True.")


def constant_row(j):
    return error("MG103", f"The jacobian of the user-provided function is independent of input {j}. "
                          f"{_STRICTLY[:-1]} when create_graph=True.")
