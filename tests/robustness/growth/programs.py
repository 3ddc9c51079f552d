"""Programs of n inputs, modules, parameters, hooks, views, steps: each makes them, and returns what is counted.

Their tensors are as small as can be, so that what is done once for each of n is all there is.
"""

import copy
import io
import pickle

import minigrad as torch
from minigrad import nn
from minigrad.autograd import forward_ad
from minigrad.utils import _pytree, data


def leaves(n):
    return [torch.ones(2).requires_grad_() for _ in range(n)]


def total(tensors):
    """Their sum, one after the other."""
    result = tensors[0]
    for each in tensors[1:]:
        result = result + each
    return result.sum()


def layers(n):
    return nn.Sequential(*[nn.Linear(1, 1) for _ in range(n)])


def with_gradients(n):
    parameters = [nn.Parameter(torch.ones(1)) for _ in range(n)]
    for each in parameters:
        each.grad = torch.ones(1)
    return parameters


# ------------------------------------------------------------------------------ backward, grad

def grad_of_unused_inputs(n):
    inputs = leaves(n)
    result = (inputs[0] * 2).sum()
    return lambda: torch.autograd.grad(result, inputs, allow_unused=True)


def grad_with_zeros(n):
    inputs = leaves(n)
    result = (inputs[0] * 2).sum()
    return lambda: torch.autograd.grad(result, inputs, materialize_grads=True)


def grad_of_used_inputs(n):
    inputs = leaves(n)
    result = total(inputs)
    return lambda: torch.autograd.grad(result, inputs)


def grad_of_many_outputs(n):
    inputs = leaves(n)
    results, ones = [x * 2 for x in inputs], [torch.ones(2)] * n
    return lambda: torch.autograd.grad(results, inputs, ones, create_graph=True)


def grad_in_batches(n):
    inputs = leaves(n)
    results, ones = [x * 2 for x in inputs], [torch.ones(3, 2)] * n
    return lambda: torch.autograd.grad(results, inputs, ones, is_grads_batched=True)


def grad_of_intermediates(n):
    x = torch.ones(2, requires_grad=True)
    chain = [x]
    for _ in range(n):
        chain.append(chain[-1].sin())
    return lambda: torch.autograd.grad(chain[-1].sum(), chain[1:] + chain[::-1])


def backward_to_inputs(n):
    inputs = leaves(n)
    results = [x.sum() for x in inputs]
    return lambda: torch.autograd.backward(results, inputs=inputs)


def backward_of_a_chain(n):
    def go():
        x = torch.ones(2, requires_grad=True)
        y = x
        for _ in range(n):
            y = y.sin()
        y.sum().backward()
    return go


def backward_of_a_fan(n):
    def go():
        x = torch.ones(2, requires_grad=True)
        total([x * 2 for _ in range(n)]).backward()
    return go


def backward_again_and_again(n):
    x = torch.ones(2, requires_grad=True)
    y = x.sin().sum()

    def go():
        for _ in range(n):
            y.backward(retain_graph=True)
    return go


def hooks_of_tensors_and_nodes(n):
    def go():
        x = torch.ones(2, requires_grad=True)
        y = x * 2
        handles = [y.register_hook(lambda g: None) for _ in range(n)]
        handles += [y.grad_fn.register_hook(lambda *given: None) for _ in range(n)]
        handles += [x.register_post_accumulate_grad_hook(lambda t: None) for _ in range(n)]
        y.sum().backward()
        for each in handles:
            each.remove()
    return go


def a_hook_of_many_tensors(n):
    def go():
        inputs = leaves(n)
        torch.autograd.graph.register_multi_grad_hook(inputs, lambda gradients: None)
        total(inputs).backward()
    return go


def saved_tensor_hooks(n):
    def go():
        y = x = torch.ones(2, requires_grad=True)
        with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t):
            for _ in range(n):
                y = y.sin()
        y.sum().backward()
        return x
    return go


def tangents(n):
    def go():
        with forward_ad.dual_level():
            duals = [forward_ad.make_dual(torch.ones(1), torch.ones(1)) for _ in range(n)]
            return forward_ad.unpack_dual(total(duals))
    return go


# ------------------------------------------------------------------------------ custom Functions

class Keep(torch.autograd.Function):
    """Saves all its arguments."""

    @staticmethod
    def forward(ctx, *args):
        ctx.save_for_backward(*args)
        return args[0] * 1

    @staticmethod
    def backward(ctx, d):
        return tuple([d for _ in ctx.saved_tensors])


class Write(torch.autograd.Function):
    """Writes to all its arguments, and returns them."""

    @staticmethod
    def forward(ctx, *args):
        ctx.mark_dirty(*args)
        return tuple([x.mul_(2) for x in args])

    @staticmethod
    def backward(ctx, *ds):
        return ds


class Choose(torch.autograd.Function):
    """Only the first result is differentiable."""

    @staticmethod
    def forward(*args):
        return tuple([x * 2 for x in args])

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.mark_non_differentiable(*output[1:])
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, *ds):
        return ds


def function_that_saves(n):
    inputs = [x * 1 for x in leaves(n)]
    return lambda: Keep.apply(*inputs).sum().backward()


def function_that_saves_in_another_order(n):
    inputs = [x * 1 for x in leaves(n)]

    def go():
        Keep.apply(*inputs).grad_fn._save(tuple(inputs[::-1]))
    return go


def function_that_writes(n):
    inputs = [x * 1 for x in leaves(n)]
    return lambda: total(Write.apply(*inputs)).backward()


def function_without_derivatives(n):
    inputs = leaves(n)
    return lambda: Choose.apply(*inputs)[0].sum().backward()


# ------------------------------------------------------------------------------ views and writes

def views_of_one_base(n):
    def go():
        base = torch.ones(n, requires_grad=True) * 1
        views = [base[i] for i in range(n)]
        base.mul_(2)
        total(views).backward()
    return go


def views_of_views(n):
    def go():
        y = torch.ones(10, requires_grad=True) * 1
        for _ in range(n):
            y = y[:]
        y.mul_(2)
        y.sum().backward()
    return go


def writes_through_a_view(n):
    def go():
        y = torch.ones(10, requires_grad=True) * 1
        view = y[1:3]
        for _ in range(n):
            view.mul_(2)
        y.sum().backward()
    return go


def elements_of_a_tensor(n):
    x = torch.ones(n)

    def go():
        for i in range(n):
            x[i] = x[i].item() + 1
        return list(x), x.tolist()
    return go


# ------------------------------------------------------------------------------ transforms

def gradients_of_a_dictionary(n):
    values = {str(i): torch.ones(1) for i in range(n)}
    return lambda: torch.func.grad(lambda given: total([*given.values()]))(values)


def gradients_by_argnums(n):
    values = [torch.ones(1) for _ in range(n)]
    return lambda: torch.func.grad(lambda *given: total(given), argnums=tuple(range(n)))(*values)


def pull_back_of_a_list(n):
    values = [torch.ones(1) for _ in range(n)]
    return lambda: torch.func.vjp(lambda given: [x * 2 for x in given], values)[1](values)


def push_forward_of_a_list(n):
    values = [torch.ones(1) for _ in range(n)]
    return lambda: torch.func.jvp(lambda given: total(given), (values,), (values,))


def batches_of_a_list(n):
    values = [torch.ones(3, 1) for _ in range(n)]
    return lambda: torch.func.vmap(lambda given: [x * 2 for x in given])(values)


def products_with_many_inputs(n):
    values = tuple([torch.ones(1) for _ in range(n)])

    def go():
        torch.autograd.functional.vjp(lambda *given: total(given), values)
        torch.autograd.functional.jvp(lambda *given: total(given), values, values)
        torch.autograd.functional.hvp(lambda *given: total([x * x for x in given]), values, values)
    return go


def a_call_with_other_parameters(n):
    model = layers(n)
    values = dict(model.named_parameters())
    return lambda: torch.func.functional_call(model, values, (torch.ones(1, 1),))


def models_stacked(n):
    models = [nn.Linear(1, 1) for _ in range(n)]
    return lambda: torch.func.stack_module_state(models)


def trees(n):
    tree = {str(i): [1, (2,)] for i in range(n)}

    def go():
        values, form = _pytree.tree_flatten(tree)
        return _pytree.tree_unflatten(values, form), _pytree.tree_map(lambda x: x, tree)
    return go


# ------------------------------------------------------------------------------ modules

def a_module_of_many_members(n):
    def go():
        module = nn.Module()
        for i in range(n):
            setattr(module, f"p{i}", nn.Parameter(torch.ones(1)))
            module.register_buffer(f"b{i}", torch.ones(1))
        module.load_state_dict(module.state_dict())
        for i in range(n):
            delattr(module, f"p{i}")
        return dir(module)
    return go


def a_state_of_many_modules(n):
    model = layers(n)
    return lambda: model.load_state_dict(model.state_dict())


def a_state_assigned(n):
    model = layers(n)
    state = model.state_dict()
    return lambda: model.load_state_dict(state, assign=True)


def a_state_that_does_not_fit(n):
    model, other = layers(n), {f"x{i}": torch.ones(1) for i in range(n)}
    return lambda: model.load_state_dict(other, strict=False)


def sweeps_over_a_module(n):
    model = layers(n)

    def go():
        model.train().requires_grad_(False).double().zero_grad()
        model.apply(lambda module: None)
        return [*model.named_parameters()], [*model.named_modules()], repr(model)
    return go


def a_module_copied_and_pickled(n):
    model = layers(n)
    return lambda: pickle.loads(pickle.dumps(copy.deepcopy(model)))


def a_state_saved_and_loaded(n):
    state = {str(i): torch.ones(1) for i in range(n)}

    def go():
        file = io.BytesIO()
        torch.save(state, file)
        file.seek(0)
        torch.load(file)
    return go


def a_list_of_modules(n):
    def go():
        modules = nn.ModuleList()
        for _ in range(n):
            modules.append(nn.Identity())
        for i in range(n):
            modules[i] = modules[i]
        for _ in range(n):
            modules.pop(-1)
    return go


def a_sequence_of_modules(n):
    def go():
        modules = nn.Sequential()
        for _ in range(n):
            modules.append(nn.Identity())
        for _ in range(n):
            del modules[-1]
    return go


def lists_of_parameters(n):
    def go():
        listed = nn.ParameterList([torch.ones(1) for _ in range(n)])
        named = nn.ParameterDict({str(i): listed[i] for i in range(n)})
        return [*listed], [named.pop(str(i)) for i in range(n)]
    return go


def hooks_of_a_module(n):
    module = nn.Linear(1, 1)

    def go():
        handles = [module.register_forward_hook(lambda *given: None) for _ in range(n)]
        handles += [module.register_full_backward_hook(lambda *given: None) for _ in range(n)]
        module(torch.ones(1, 1, requires_grad=True)).sum().backward()
        for each in handles:
            each.remove()
    return go


def gradients_clipped(n):
    parameters = with_gradients(n)

    def go():
        nn.utils.clip_grad_norm_(parameters, 1.0)
        nn.utils.clip_grad_value_(parameters, 1.0)
        nn.utils.vector_to_parameters(nn.utils.parameters_to_vector(parameters), parameters)
    return go


def sequences_padded_and_packed(n):
    sequences = [torch.ones(i % 5 + 1, 2) for i in range(n)]

    def go():
        nn.utils.rnn.pad_sequence(sequences)
        nn.utils.rnn.unpack_sequence(nn.utils.rnn.pack_sequence(sequences, enforce_sorted=False))
    return go


def a_long_recurrence(n):
    layer, x = nn.LSTM(1, 1), torch.ones(n, 1, 1)
    return lambda: layer(x)[0].sum().backward()


# ------------------------------------------------------------------------------ optimizers, data

def steps_of_optimizers(n):
    parameters = with_gradients(n)

    def go():
        for name in ("SGD", "Adam", "RMSprop", "Adagrad"):
            optimizer = getattr(torch.optim, name)(parameters, lr=0.1)
            optimizer.step()
            optimizer.load_state_dict(optimizer.state_dict())
    return go


def groups_of_parameters(n):
    parameters = with_gradients(n)

    def go():
        optimizer = torch.optim.SGD([{"params": [each]} for each in parameters], lr=0.1)
        schedule = torch.optim.lr_scheduler.StepLR(optimizer, 3)
        optimizer.step()
        schedule.step()
        optimizer.zero_grad()
        optimizer.load_state_dict(optimizer.state_dict())
    return go


class Numbers(data.Dataset):
    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        return i


def a_loader(n):
    numbers = Numbers(n)
    return lambda: [*data.DataLoader(numbers, batch_size=4, shuffle=True)]


def datasets_joined_and_split(n):
    def go():
        joined = data.ConcatDataset([Numbers(1) for _ in range(n)])
        return [part[0] for part in data.random_split(joined, [1] * n)]
    return go


# ------------------------------------------------------------------------------ lists of tensors

def tensors_joined(n):
    inputs = leaves(n)

    def go():
        torch.stack(inputs).sum().backward()
        torch.cat(inputs).sum().backward()
        return torch.tensor([1.0] * n), torch.broadcast_tensors(*inputs)
    return go


def a_tensor_taken_apart(n):
    x = torch.ones(n, 2, requires_grad=True)

    def go():
        for parts in (x.unbind(), x.split(1), x.tensor_split(n)):
            total([part.sum() for part in parts]).backward()
    return go


def orders_and_counts(n):
    x, zeros = torch.arange(n), torch.zeros(n, dtype=torch.int64)

    def go():
        for each in (x, zeros):
            each.sort(), each.unique(), each.bincount(), each.double().cumsum(0)
            torch.isin(each, each), torch.searchsorted(x, each), x.index_add(0, each, x)
    return go


PROGRAMS = {name: value for name, value in dict(globals()).items()
            if getattr(value, "__module__", None) == __name__ and getattr(value, "__code__", None) is not None
            and value.__code__.co_varnames[:value.__code__.co_argcount] == ("n",)
            and name not in ("leaves", "layers", "with_gradients")}
