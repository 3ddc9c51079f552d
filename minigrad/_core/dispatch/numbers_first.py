"""Calls as they were written before: ``x.add_(-0.1, g)`` for ``x.add_(g, alpha=-0.1)``.

Today the factors of a row are options, given by keyword.  PyTorch still takes them in front of the tensors that they
are for, and warns::

    add(x, alpha, y)                        addcmul(x, value, t1, t2)
    addmm(beta, x, alpha, m1, m2)           addmm(beta, x, m1, m2)
    x.addmm(beta, alpha, m1, m2)            x.addmm(beta, m1, m2)

Such a call has more positional arguments than there are parameters: only then does anybody ask here.
"""

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
        warn(_deprecated(name, args, numbers, options))
    return others, {**kwargs, **given}


def _deprecated(name, args, numbers, options):
    shown = [f"Number {options[numbers.index(i)]}" if i in numbers else "Tensor" for i in range(len(args))]
    now = ["Tensor"] * (len(args) - len(numbers)) + ["*"] + [f"Number {option} = 1" for option in options]
    return (f"This overload of {name} is deprecated:\n\t{name}({', '.join(shown)})\n"
            f"Consider using one of the following signatures instead:\n\t{name}({', '.join(now)})")
