"""Calls as they were written before: ``x.add_(-0.1, g)`` for ``x.add_(g, alpha=-0.1)``.

Today the factors of a row are options, given by keyword.  PyTorch still takes them in front of the tensors that they
are for, and warns::

    add(x, alpha, y)                        addcmul(x, value, t1, t2)
    addmm(beta, x, alpha, m1, m2)           addmm(beta, x, m1, m2)
    x.addmm(beta, alpha, m1, m2)            x.addmm(beta, m1, m2)

Such a call has more positional arguments than there are parameters: only then does anybody ask here.
"""

from inspect import signature

from minigrad._core.errors import warn

#: function -> its options, in the order of before; `_tensor` says which these are
OPTIONS = {}
#: has anybody been warned?  PyTorch does it once.
_warned = []


def usual_order(function, args, kwargs, name):
    """(args, kwargs) as the call is written today; None if it is no such call."""
    options = OPTIONS.get(function)
    if options is None:
        return None
    numbers = [i for i, x in enumerate(args[:len(options) + 1]) if isinstance(x, (int, float, complex))]
    if numbers not in ([[1]] if len(options) == 1 else [[0, 2], [0], [1, 2], [1]]):
        return None
    others = tuple(x for i, x in enumerate(args) if i not in numbers)
    given = {option: args[i] for option, i in zip(options, numbers)}
    if given.keys() & kwargs.keys():
        return None
    if not _warned:
        _warned.append(name)
        warn(_deprecated(name, function, numbers, options))
    return others, {**kwargs, **given}


def _deprecated(name, function, numbers, options):
    """In PyTorch's words, which leave out the tensor whose method was called."""
    tensors = [f"Tensor {each}" for each in signature(function).parameters if each not in (*options, "self", "out")]
    of_a_function = numbers[0] == 0
    given, out = [*tensors], []
    if of_a_function:
        tensors, given, out = ["Tensor input", *tensors], ["Tensor input", *given], ["Tensor out = None"]
    for i in numbers:
        given.insert(i if of_a_function else i - 1, f"Number {options[numbers.index(i)]}")
    now = [*tensors, "*", *[f"Number {option} = 1" for option in options], *out]
    return (f"This overload of {name} is deprecated:\n\t{name}({', '.join([*given, *['*'][:len(out)], *out])})\n"
            f"Consider using one of the following signatures instead:\n\t{name}({', '.join(now)})")
