"""vmap: a function of one example becomes a function of a batch.

    vmap(f)(x)      stack([f(x[0]), f(x[1]), ...]),  in one run of f

There is no loop: ``f`` is called once, with tensors that hide the batch axis, and every operation in it works
on all examples (rules/).  ``in_dims`` is the batch axis of each argument, or None if the argument is the same for all
examples; ``out_dims`` is the batch axis of each result.
"""

import functools

from minigrad._core.dispatch.levels import wrap_level
from minigrad._core.errors import error, located
from minigrad._core.graph import Tensor
from minigrad._core.runtime.thread_state import Level
from minigrad.func.interpreters import Batch
from minigrad.func.pytree import flatten, leaves_like, unflatten
from minigrad.func.rules.batch_rule import front
from minigrad.ops.arguments import one_dim
from minigrad.ops.shapes.joining import cat
from minigrad.ops.shapes.slicing import slice_
from minigrad.ops.shapes.transposing import movedim
from minigrad.random.generators import get_rng_state, set_rng_state

__all__ = ["vmap"]


def vmap(func, in_dims=0, out_dims=0, randomness="error", *, chunk_size=None):
    """The function that maps ``func`` over an axis of its arguments.

    Inside, a tensor has no single value: ``if x > 0``, ``x.item()`` and operations whose results have a shape that
    depends on the numbers (``nonzero``, ``x[mask]``) raise.

    Parameters
    ----------
    func : takes and returns tensors or trees of tensors (tuples, lists, dicts, namedtuples), for one example
    in_dims : the batch axis of each argument: an int for all, or a tuple like the arguments, with None for an
        argument that is the same for all examples.  Keyword arguments are always the same for all.
    out_dims : the batch axis of each result: an int for all, or a tree like the result
    randomness : "error" forbids random operations inside, "same" draws the same numbers for all examples,
        "different" draws different ones for each
    chunk_size : the number of examples to compute at once, to save memory; None for all

    >>> torch.vmap(torch.dot)(torch.tensor([[1., 2.], [3., 4.]]), torch.tensor([[1., 1.], [0., 2.]]))
    tensor([3., 8.])
    >>> torch.vmap(lambda x, y: x * y, in_dims=(1, None))(torch.tensor([[1., 2.]]), torch.tensor([10., 20.]))
    tensor([[10., 20.],
            [20., 40.]])
    """
    if randomness not in ("error", "different", "same"):
        raise error("MG204", "Only allowed values for randomness are 'error', 'different', or 'same'. Got "
                             f"{randomness}")
    if chunk_size is not None and not (isinstance(chunk_size, int) and chunk_size > 0):
        raise error("MG207", f"vmap: chunk_size should be None or greater than 0. (got {chunk_size})")

    @functools.wraps(func)
    def mapped(*args, **kwargs):
        flat, dims, spec, size = read_inputs(func, args, in_dims)
        if chunk_size is None or chunk_size >= size:
            return run(func, flat, dims, spec, size, out_dims, randomness, kwargs)
        return in_chunks(func, flat, dims, spec, size, out_dims, randomness, kwargs, chunk_size)

    return mapped


def called(func):
    return getattr(func, "__name__", repr(func))


# ------------------------------------------------------------------------------ the inputs

def read_inputs(func, args, in_dims):
    """The leaves of the arguments, the axis of each (None where it is not mapped), their tree, the batch size."""
    name = called(func)
    where = f"vmap({name}, in_dims={in_dims}, ...)(<inputs>)"
    if not isinstance(in_dims, (int, tuple)):
        raise wrong_in_dims(where, in_dims)
    if not args:
        raise without_inputs(name)
    flat, spec = flatten(args)
    dims = leaves_like(in_dims, spec)
    if dims is None:
        raise incompatible(where, "in_dims", in_dims, "inputs", spec)
    dims = [axis_of(x, dim, where) for x, dim in zip(flat, dims)]
    sizes = [x.shape[dim] for x, dim in zip(flat, dims) if dim is not None]
    if not sizes:
        raise nothing_mapped()
    if min(sizes) != max(sizes):
        raise different_sizes(sizes)
    return flat, dims, spec, sizes[0]


def axis_of(x, dim, where):
    """The axis of the leaf ``x`` that ``dim`` means, counted from 0."""
    if dim is None:
        return None
    if type(dim) is not int:
        raise error("MG207", f"{where}: Got in_dim={dim} for an input but in_dim must be either an integer dimension "
                             "or None.")
    if not isinstance(x, Tensor):
        raise not_mappable(where, dim, x)
    if not -x.ndim <= dim < x.ndim:
        raise out_of_range(where, dim, x)
    return dim % x.ndim


def wrong_in_dims(where, in_dims):
    return error("MG207", f"{where}: expected `in_dims` to be int or a (potentially nested) tuple matching the "
                          f"structure of inputs, got: {type(in_dims)}.")


def without_inputs(name):
    return error("MG207", f"vmap({name})(<inputs>): got no inputs. Maybe you forgot to add inputs, or you are trying "
                          "to vmap over a function with no inputs. The latter is unsupported.")


def incompatible(where, name, dims, trees, spec):
    return error("MG207", f"{where}: {name} is not compatible with the structure of `{trees}`. {name} has structure "
                          f"{flatten(dims)[1]} but {trees} has structure {spec}.")


def not_mappable(where, dim, x):
    return error("MG207", f"{where}: Got in_dim={dim} for an input but the input is of type {type(x)}. We cannot vmap "
                          "over non-Tensor arguments, please use None as the respective in_dim")


def out_of_range(where, dim, x):
    return error("MG207", f"{where}: Got in_dim={dim} for some input, but that input is a Tensor of dimensionality "
                          f"{x.ndim} so expected in_dim to satisfy -{x.ndim} <= in_dim < {x.ndim}.")


# ------------------------------------------------------------------------------ the run

def run(func, flat, dims, spec, size, out_dims, randomness, kwargs):
    """Call the function once, for all examples."""
    batch = Batch(size, randomness)
    with Level(batch) as level:
        inner = [x if dim is None else wrap_level(batch.moved(x, dim) if dim else x, level, 1)
                 for x, dim in zip(flat, dims)]
        results, out_spec, out_dims = read_outputs(func, func(*unflatten(inner, spec), **kwargs), out_dims)
        return unflatten([taken_out(func, y, dim, level, size) for y, dim in zip(results, out_dims)], out_spec)


def read_outputs(func, out, out_dims):
    """The leaves of the result, its tree, and the batch axis of each leaf."""
    flat, spec = flatten(out)
    if isinstance(out, Tensor) and isinstance(out_dims, tuple) and len(out_dims) == 1:
        out_dims, = out_dims
    where = f"vmap({called(func)}, ..., out_dims={out_dims})"
    dims = leaves_like(out_dims, spec)
    for dim in flatten(out_dims)[0]:
        if dim is not None and type(dim) is not int:
            raise wrong_out_dims(where)
    if dims is None:
        raise incompatible(f"{where}(<inputs>)", "out_dims", out_dims, "outputs", spec)
    return flat, spec, dims


def taken_out(func, y, dim, level, size):
    """One result with its batch axis at ``dim``."""
    name = called(func)
    if not isinstance(y, Tensor):
        if dim is None:
            return y
        raise not_a_tensor(name, y, func)
    mapped = y._level == level
    if dim is None:
        if mapped:
            raise without_a_place(name, func)
        return y
    whole = y._array if mapped else front(y, False, size)
    dim = one_dim(dim, whole.ndim, f"vmap({name}, out_dims={dim})")
    return movedim(whole, 0, dim) if dim else whole


def wrong_out_dims(where):
    return error("MG207", f"{where}: `out_dims` must be an int, None or a python collection of ints representing where "
                          "in the outputs the vmapped dimension should appear.")


def not_a_tensor(name, y, func):
    return error("MG207", f"vmap({name}, ...): `{name}` must only return Tensors, got type {type(y)}. Did you mean to "
                          f"set out_dims= to None for output? See {located(func)}.")


def without_a_place(name, func):
    return error("MG207", f"vmap({name}, ...): `{name}` can not return a BatchedTensor when out_dim is None: this "
                          "result differs between examples, so it needs a batch axis. See "
                          f"{located(func)}.")


# ------------------------------------------------------------------------------ in chunks

def in_chunks(func, flat, dims, spec, size, out_dims, randomness, kwargs, chunk_size):
    """The same for a chunk of examples at a time; the results are joined along the batch axis."""
    chunks = []
    begin = get_rng_state() if randomness == "same" else None
    for start in range(0, size, chunk_size):
        end = min(start + chunk_size, size)
        if begin is not None:
            set_rng_state(begin)            # each chunk draws the numbers that the first one drew
        part = [x if dim is None else slice_(x, dim, start, end, 1) for x, dim in zip(flat, dims)]
        chunks.append(run(func, part, dims, spec, end - start, out_dims, randomness, kwargs))
    parts = [flatten(chunk) for chunk in chunks]
    spec = parts[0][1]
    places = leaves_like(out_dims, spec)
    results = zip(*[flat for flat, _ in parts])
    return unflatten([several[0] if dim is None else cat(list(several), dim) for several, dim in zip(results, places)],
                     spec)


# ------------------------------------------------------------------------------ errors


def nothing_mapped():
    return error("MG207", "vmap: Expected at least one Tensor to vmap over: every in_dim is None, so the number of "
                          "examples is unknown.")


def different_sizes(sizes):
    return error("MG207", "vmap: Expected all tensors to have the same size in the mapped dimension, got sizes "
                          f"{sizes} for the mapped dimension")
