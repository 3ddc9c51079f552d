"""What is refused, and why: the errors of tensors, operations, passes and views, in sentences.

Where something is refused, the code says what; the sentence is here, so that neither is in the way of the other.  Each
function makes one error (errors): what happened in the user's terms, why, and what to write instead.
"""

import re

from minigrad._core.errors import error

# ------------------------------------------------------------------------------ tensors and nodes: graph

GRAD_OF_A_NON_LEAF = (
    "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad attribute won't be "
    "populated during autograd.backward(): only leaves keep gradients, intermediate results hand them on. If you want "
    "it, call .retain_grad() on this tensor before backward(). Its .why_no_grad() says which operation made it. "
    "(python -m minigrad explain grad-of-a-non-leaf)")


def made_without_data():
    return error("MG205", "this Tensor was made without data (by __new__ alone): use torch.tensor(...) or Tensor(...)")


def abstract_node():
    return error("MG205", "Can't instantiate abstract class Node: nodes are made by operations on tensors that require "
                          "grad")


def no_version():
    return error("MG112", "Inference tensors do not track version counter.")


def tangent_from_elsewhere():
    return error("MG117", "the tangent of a tensor comes from another transform (vmap, grad, jvp) than the tensor: the "
                          "jvp of a Function, for example, is to compute with the tangents that it receives")


def requires_grad_not_a_bool(value):
    return error("MG120", f"requires_grad must be a bool, not {type(value).__name__}")


def not_a_leaf(made_by):
    return error("MG120", "you can only change requires_grad flags of leaf variables. This tensor is the result of "
                          f"{made_by}: to use its value without its history, write y = x.detach().")


def never_recorded():
    return error("MG112", "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed: a "
                          "tensor made in inference mode can never be recorded. Make a normal one of it with "
                          "x.clone().")


def has_no_gradients(tensor):
    return error("MG111", f"only Tensors of floating point dtype can require gradients, not {tensor.dtype}: a gradient "
                          "is a small change, and integers have none. Convert first, for example x.float() or "
                          "torch.tensor(data, dtype=torch.float64).")


def retained_in_a_transform():
    return error("MG117", "You are attempting to call Tensor.retain_grad() inside of a function being transformed by a "
                          "functorch transform (vmap, grad, jvp): gradients there are results, and nothing fills "
                          ".grad. Use the transforms for it (e.g. grad, vjp, jacrev), or call retain_grad() outside.")


def nothing_to_retain():
    return error("MG103", "can't retain_grad on Tensor that has requires_grad=False: nothing that leads to it was "
                          "recorded, so no gradient will come by. x.requires_grad_() makes it a leaf, whose .grad "
                          "is kept anyway.")


def view_keeps_its_history():
    return error("MG116", "Can't detach views in-place. Use detach() instead: it gives a new tensor on the same "
                          "memory.")


def tangent_is_read():
    return error("MG116", "detach_() of a tensor with a tangent to which another tensor looks: a view reads its "
                          "tangent off what it is a view of, and would lose it too. Use detach() instead: it gives a "
                          "new tensor on the same memory.")


def no_graph():
    return error("MG103", "element of tensors does not require grad and does not have a grad_fn: there is nothing to "
                          "go back through")


# What .grad = refuses.

def grad_not_a_tensor(value):
    return error("MG114", f"assigned grad expected to be a Tensor or None but got grad of type {type(value).__name__}")


def its_own_grad():
    return error("MG118", "can't assign Variable as its own grad")


def grad_of_another_dtype(dtype, value):
    return error("MG118", f"attempting to assign a gradient with dtype '{value.dtype}' to a tensor with grad_dtype "
                          f"'{dtype}'. The gradient must match the tensor's grad_dtype (defaults to the tensor's "
                          f"dtype): convert it, x.grad = g.to({dtype}), or set x.grad_dtype first")


def grad_on_another_device(t, value):
    return error("MG118", f"attempting to assign a gradient with device type '{value.device}' to a tensor with device "
                          f"type '{t.device}'. Please ensure that the gradient and the tensor are on the same device")


def grad_of_another_shape(tensor, value):
    return error("MG118", f"attempting to assign a gradient of size '{list(value.shape)}' to a tensor of size "
                          f"'{list(tensor.shape)}'. Please ensure that the gradient and the tensor are the same size: "
                          "it has one entry for each entry of its tensor.")


# What .data = refuses.

def data_not_a_tensor(value):
    return error("MG205", f"Variable data has to be a tensor, but got {type(value).__name__}")


def data_without_data():
    return error("MG205", "the tensor to take the data of has none: it was made by __new__ alone. Use "
                          "torch.tensor(...) or Tensor(...)")


def data_of_another_level():
    return error("MG117", "data set to a tensor of a transform (vmap, grad, jvp), or to one from outside it: the "
                          "two are not in the same transform, and so have no memory in common. Return the tensor from "
                          "the transformed function, or copy_() into this one.")


def data_without_gradients(value):
    return error("MG111", "data set to a tensor that requires gradients must be floating point or complex dtype, not "
                          f"{value.dtype}")


def data_on_another_device(tensor, value):
    return error("MG407", "Attempted to call `variable.set_data(tensor)`, but `variable` and `tensor` have "
                          f"incompatible tensor type: x.data stays on the device of x, which is {tensor.device}, and "
                          f"the tensor is on {value.device}")


def written_from_another_device(name, here, there):
    return error("MG407", f"{name}_(): Expected all tensors to be on the same device, but found at least two devices, "
                          f"{here} and {there}! What is written to a tensor comes from its device: move it there with "
                          f"x.to({str(here)!r}), or write it with copy_()")


def data_of_another_shape(tensor, value, made_by):
    return error("MG109", f"data set to a tensor of shape {list(value.shape)}, but this tensor has shape "
                          f"{list(tensor.shape)} and a history: what {made_by} computed has a gradient of that shape. "
                          "Use x.detach(), or a tensor of its shape.")


# ------------------------------------------------------------------------------ operations: op, operands, dispatch

# `op` is the Op, `signature` how it is called.

def too_many_arguments(op, given, signature):
    return error("MG205", f"{op.shown}() takes {op.n_positional} positional arguments but {given} were given; it is "
                          f"{signature}")


def unknown_argument(op, name, signature):
    return error("MG205", f"{op.shown}() got an unexpected keyword argument '{name}'; it is {signature}")


def argument_twice(op, name, signature):
    return error("MG205", f"{op.shown}() got multiple values for argument '{name}'; it is {signature}")


def missing_argument(op, name, signature):
    return error("MG205", f"{op.shown}() missing 1 required positional argument: '{name}'; it is {signature}")


def unfit_argument(op, name, complaint, signature, inplace):
    text = f"{op.written if inplace else op.shown}(): argument '{name}' {complaint}"
    return error("MG205", f"{text}; it is {signature}" if op.shown == op.name and not inplace else text)


def no_deletion():
    return error("MG205", "Tensor does not support deleting items: its elements are one block of memory. To leave some "
                          "out, choose the others, as in torch.cat([x[:i], x[i + 1:]]).")


# `i` is the number of the parameter, `inplace` whether the call was of the in-place form.

def without_data(op, i):
    return error("MG205", f"{op.shown}(): argument '{as_called(op.params[i])}' is a Tensor without data")


def not_a_list(op, i, x):
    return error("MG205", f"{op.shown}(): argument '{op.params[i]}' (position {i + 1}) must be tuple of Tensors, not "
                          f"{type(x).__name__}. A list will do, too")


def not_a_tensor(op, i, x, inplace, overloaded):
    name = op.written if inplace else op.shown
    if not overloaded:
        return must_be_tensor(name, op.params[i], i + 1 - inplace, x)
    return error("MG205", f"{name}() received an invalid combination of arguments: '{as_called(op.params[i])}' must be "
                          f"Tensor here, not {type(x).__name__}. Convert it with torch.tensor(...).")


def numbers_alone(op, given, inplace):
    return error("MG205", f"{op.written if inplace else op.shown}() received an invalid combination of arguments - got "
                          f"({', '.join([t.__name__ for t in given])}): a number may stand for a tensor beside "
                          "another tensor. Convert one of them with torch.tensor(...).")


def no_tensor_in_a_list(function, argument, place, x):
    return error("MG205", f"{function}(): expected Tensor as element {place} in argument {argument}, but got "
                          f"{type(x).__name__}")


def must_be_tensor(function, param, position, x):
    """``position`` counts from 1; None if the argument was given by name."""
    where = f" (position {position})" if position else ""
    return error("MG205", f"{function}(): argument '{as_called(param)}'{where} must be Tensor, not "
                          f"{type(x).__name__}. Convert it with torch.tensor(...).")


def as_called(param):
    """The name by which users know the first parameter of functions."""
    return "input" if param == "self" else param


def masked_array(where, code):
    return error(code, f"{where}: a masked array has no counterpart among tensors: its mask would be lost, and the "
                       "masked elements would count like the others. Say what they should be, array.filled(0.0), or "
                       "leave them out, array.compressed()")


def no_constant(function, argument):
    return error("MG205", f"{function}(): argument '{argument}' must be Number, not Tensor: the function is not "
                          f"differentiable with respect to argument '{argument}', and its gradient would be lost. Pass "
                          f"{argument}.item() if it is meant as a constant; otherwise write the function out with "
                          "operators.")


def not_a_number(function, argument, shape):
    return error("MG205", f"{function}(): argument '{argument}' must be Number, not Tensor (of shape {list(shape)})")


def no_derivative(op, i, inplace=False):
    name = op.params[i]
    return error("MG212", f"The function '{op.written if inplace else op.shown}' is not differentiable with respect "
                          f"to argument '{name}'. This input cannot have requires_grad True: the result depends on "
                          f"it, and its gradient would be lost. Pass {name}.detach() if it is meant as a constant.")


def made_in_inference_mode(op, i):
    return error("MG112", "Inference tensors cannot be saved for backward. To work around you can make a clone to get "
                          f"a normal tensor and use it in autograd: the argument '{op.params[i]}' of {op.shown} was "
                          "made in inference mode.")


def transform_has_ended(op):
    return error("MG117", f"{op.shown}(): an argument comes from a transform (vmap, grad, jvp ...) that has already "
                          "ended: your tensor may have escaped from inside a function being vmapped or differentiated. "
                          "Return it from the transformed function instead of storing it elsewhere.")


# ------------------------------------------------------------------------------ views: view_history, view_geometry

def outside_of_its_base(what):
    return error("MG116", f"{what}: this view lies outside its base. The base was given other memory (by .data =, "
                          "set_ or resize_), or shows less of its own (by as_strided_), since the view was made; or "
                          "the view shows what lies between the elements of its base, and that was written to. Make "
                          "the view anew, of a tensor that shows all of it.")


def ambiguous_view(what, operation, made_in, seen_through):
    mode, block, now = ("no_grad mode", "no_grad", "with grad mode enabled") if made_in == "no_grad" else (
        "inference mode", "inference_mode", "in normal mode")
    view = f"Output {seen_through} is a view of a view which was" if seen_through else "A view was"
    return error("MG116", f"{view} created in {mode} and {what} {now}{operation}. Given that this use case is "
                          "ambiguous and error-prone, it is forbidden. You can clarify your code by moving both the "
                          f"view and the inplace either both inside the {block} block (if you don't want the inplace "
                          "to be tracked) or both outside (if you want the inplace to be tracked).")


def fixed_view(nr, made_by, several, what, operation):
    origin = ("This view was created inside a custom Function (or because an input was returned as-is) and the "
              "autograd logic to handle view+inplace would override the custom backward associated with it.")
    if made_by.startswith("BackwardHook"):
        origin += (" Here it is a full backward hook of a module that made the view, of an input or an output of this "
                   "module: with such a hook, write nn.ReLU(inplace=False), and no in-place operation on what the "
                   "module takes and gives.")
    if several:
        origin = ("This view is the output of a function that returns multiple views. Such functions do not allow the "
                  "output views to be modified inplace.")
    return error("MG116", f"Output {nr} of {function_of(made_by)} is a view and {what}. {origin} You should replace "
                          f"the inplace operation by an out-of-place one{operation}.")


def function_of(node_name):
    return re.sub(r"Backward\d*$", "", node_name)


# ------------------------------------------------------------------------------ passes: engine, fitting

def not_one_each(roots, gradients):
    return error("MG113", f"got {len(roots)} tensors and {len(gradients)} gradients: a backward pass needs one "
                          "gradient for each")


def gradient_without_data(i):
    return error("MG114", f"the gradient for element {i} is a Tensor without data, made by __new__ alone: use "
                          "torch.tensor(...)")


def of_another_level(i):
    return error("MG117", f"element {i} of tensors comes from another transform (vmap, grad, jvp) than element 0, or "
                          "from none: differentiate them one after the other")


def written_after_inference_mode():
    return error("MG112", "Inplace update to inference tensor outside InferenceMode is not allowed. You can make a "
                          "clone to get a normal tensor before doing inplace update.")


def laid_out_otherwise(leaf):
    return error("MG101", "one of the variables needed for gradient computation has been modified by an inplace "
                          f"operation: a leaf, now of shape {list(leaf.shape)}, was laid out otherwise (by transpose_, "
                          "unsqueeze_ or the like) after the forward pass, so that its gradient would not lie as it "
                          "does. Call backward() first, or use the out-of-place form.")


def smaller_than_its_input(node, row, argument, edge, shape, wanted):
    return error("MG107", f"Function {node} returned an invalid gradient at index {edge} - got {list(shape)} but "
                          f"expected shape compatible with {list(wanted)}: the formula of the row {row} for its input "
                          f"'{argument}' returned it. A gradient may be larger than its input: then the input was "
                          "broadcast, and the gradient is summed. It must not be smaller. Expand it in the formula: "
                          f"{argument}=lambda d, {argument}_shape: expand_to(d, {argument}_shape)")


def not_a_gradient_of(row, argument, got, of_a_list):
    """A formula's; ``got`` is the name of a type, and ``of_a_list`` says that it was among several."""
    return error("MG107", f"the formula of the row {row} for its input '{argument}' returned "
                          f"{'a list with ' * of_a_list}an object of type {got}. A gradient is a Tensor, or None where "
                          "there is none.")


def not_one_gradient_each(row, argument, got, wanted):
    return error("MG107", f"the formula of the row {row} for its input '{argument}', a list of tensors, returned "
                          f"{got}: return a list with one gradient for each of the {wanted} tensors, None where there "
                          "is none.")


def damaged(problem):
    """The error for a file that ``save`` cannot have written."""
    return error("MG403", f"load(): the file is damaged or cut short ({problem})")
