"""Arguments that are not tensors: what the schema says is taken, and anything else refused in PyTorch's words."""

import inspect

import numpy as np
import pytest

import minigrad
from minigrad._core.dispatch.op import Op
from minigrad.ops import columns
from minigrad.ops.composites import composite
from minigrad.ops.schema import taken_apart
from tests.checking import refuses, the_table_as_it_was
from tests.ops.samples import ROWS
from tests.ops.sampling import arrays_of
from tests.ops.test_no_gradient_is_lost import function_of, tensors
from tests.ops.test_ops import call

WORDS = {"int": "int", "Dim": "int", "NewDim": "int", "float": "float", "Scalar": "Number", "bool": "bool",
         "str": "str", "DType": "torch.dtype", "Generator": "torch.Generator",
         "Dims": "tuple of ints", "Sizes": "tuple of ints", "NewDims": "tuple of ints"}

#: for each type what it does not take, and how PyTorch goes on after "must be int"
REFUSED = {
    "int": [(0.5, ", not float"), ("a", ", not str"), (True, ", not bool"), ((0,), ", not tuple"),
            (None, ", not NoneType")],
    "float": [("a", ", not str"), ([0.5], ", not list"), (1j, ", not complex")],
    "Number": [("a", ", not str"), ([0.5], ", not list"), ((), ", not tuple")],
    "bool": [(1, ", not int"), ("yes", ", not str"), (None, ", not NoneType"), (0.0, ", not float")],
    "str": [(1, ", not int")],
    "torch.dtype": [(3, ", not int"), (np.float32, ", not type"), ((), ", not tuple")],
    "torch.Generator": [(1, ", not int")],
    "tuple of ints": [(0.5, ", not float"), ("a", ", not str"), (True, ", not bool"),
                      ((0, 0.5), ", but found element of type float at pos 1"),
                      ([True], ", but found element of type bool at pos 0"),
                      (("a",), ", but found element of type str at pos 0")],
}


def parameters():
    """(row of samples, parameter, its type) for each parameter of a public row that is not a tensor."""
    known = set()
    for row in ROWS:
        function = function_of(row)
        op = function if isinstance(function, Op) else getattr(function, "row", None)
        if op is None or op.name in known:
            continue
        known.add(op.name)
        for name, type_ in zip(op.params, op.types):
            if taken_apart(type_).base in WORDS:
                yield row, name, type_


PARAMETERS = list(parameters())


def refusals():
    for row, name, type_ in PARAMETERS:
        type_ = taken_apart(type_)
        for wrong, phrase in REFUSED["tuple of ints" if type_.many else WORDS[type_.base]]:
            if not (wrong is None and type_.optional):
                word = "tuple of ints" if type_.many else WORDS[type_.base]
                yield pytest.param(row, name, wrong, word + phrase, id=f"{row}-{name}-{wrong}")


def called(library, row, name, value):
    """The first sample of the row with this argument instead of its own."""
    function = function_of(row)
    args, kwargs, _ = arrays_of(row, row.cases[0], "float64")
    make = tensors if library is minigrad else lambda x: library.from_numpy(np.array(x)) if isinstance(
        x, np.ndarray) else type(x)(map(make, x)) if type(x) in (list, tuple) else x
    args, kwargs = [make(x) for x in args], {k: make(x) for k, x in kwargs.items()}
    parameters = inspect.signature(function).parameters
    at = list(parameters).index(name)
    if parameters[name].kind is inspect.Parameter.VAR_POSITIONAL:
        args[at:] = [value]
    elif at < len(args) and parameters[name].kind is not inspect.Parameter.KEYWORD_ONLY:
        args[at] = value
    else:
        kwargs[name] = value
    return call(library, row, args, kwargs)


def test_there_are_parameters_of_each_type():
    assert len(PARAMETERS) > 100
    assert {"int", "Dim", "NewDim", "float", "Scalar", "bool", "Dims"} <= {taken_apart(type_).base
                                                                            for _, _, type_ in PARAMETERS}


@pytest.mark.parametrize(("row", "name", "wrong", "phrase"), [*refusals()])
def test_what_the_type_does_not_take_is_refused(row, name, wrong, phrase):
    with refuses(TypeError, f"argument '{name}' must be {phrase}", "MG205"):
        called(minigrad, row, name, wrong)


@pytest.mark.parity
@pytest.mark.parametrize(("row", "name", "wrong", "phrase"), [*refusals()])
def test_pytorch_refuses_it_too(row, name, wrong, phrase):
    torch = pytest.importorskip("torch")
    if row.torch:
        with pytest.raises((TypeError, RuntimeError, ValueError)):
            called(torch, row, name, wrong)


def test_the_error_shows_the_schema():
    with refuses(TypeError, "it is cumsum(Tensor self, Dim dim, *, DType? dtype=None)", "MG205"):
        minigrad.ones(2).cumsum("0")


def test_a_write_is_refused_by_its_own_name_and_changes_nothing():
    x = minigrad.ones(2, 2)
    with refuses(TypeError, "cumsum_(): argument 'dim' must be int, not float", "MG205"):
        x.cumsum_(0.5)
    assert x.tolist() == [[1, 1], [1, 1]] and x._version == 0


class Index:
    def __index__(self):
        return 1

    def __repr__(self):
        return "Index()"


@pytest.mark.parametrize("dim", [np.int64(1), Index(), minigrad.tensor(1), minigrad.tensor(1.), np.array(1)], ids=repr)
def test_an_int_is_whatever_python_takes_for_an_index(dim):
    if isinstance(dim, minigrad.Tensor) and dim.is_floating_point():
        with refuses(TypeError, "argument 'dim' must be int, not float", "MG205"):
            minigrad.ones(2, 3).cumsum(dim)
    else:
        assert minigrad.ones(2, 3).cumsum(dim)[0].tolist() == [1, 2, 3]


class Replacing:
    """An index that, when asked for, gives the tensor other data, and takes memory where the old data were."""

    def __init__(self, t):
        self.t = t

    def __index__(self):
        self.t.data = minigrad.ones(3)
        self.junk = [np.full(6, 7.) for _ in range(20)]
        return 0


@pytest.mark.parametrize("function", [minigrad.cumsum, minigrad.cumprod, minigrad.amax, minigrad.sum, minigrad.flip])
def test_data_that_an_index_replaces_is_not_read_any_more(function):
    x = minigrad.full((2, 3), 5.)
    assert function(x, Replacing(x)).tolist() == function(minigrad.ones(3), 0).tolist()
    x = minigrad.full((2, 3), 5.)
    if function is not minigrad.cumsum and function is not minigrad.cumprod:
        assert function(x, [Replacing(x)]).tolist() == function(minigrad.ones(3), 0).tolist()


@pytest.mark.parametrize("dims", [1, [1], (np.int64(1),), (Index(),), minigrad.Size([1])], ids=repr)
def test_dims_are_one_or_several(dims):
    assert minigrad.ones(2, 3).amax(dims).tolist() == [1, 1]


@pytest.mark.parametrize("number", [2, 2.0, True, np.float32(2), np.array(2.0), minigrad.tensor(2.0)], ids=repr)
def test_a_number_is_of_any_kind(number):
    x = minigrad.ones(1, dtype=minigrad.float64)
    expected = np.log1p(np.exp(float(number))) / float(number)
    assert minigrad.nn.functional.softplus(x, number).item() == pytest.approx(expected)


@pytest.mark.parametrize("given", [(3, 2), ((3, 2),), ([3, 2],), (minigrad.Size([3, 2]),), (np.int64(3), 2),
                                   ((minigrad.tensor(3), 2),), (minigrad.tensor(3), 2)], ids=repr)
def test_sizes_are_one_tuple_or_spread_over_the_arguments(given):
    x = minigrad.arange(6.)
    assert x.view(*given).shape == minigrad.view(x, *given).shape == (3, 2)
    assert x[:1].expand(*given).shape == (3, 2) and x[:1].repeat(*given).shape == (3, 2)


def test_a_size_is_given_by_name_too():
    x = minigrad.arange(6.)
    assert x.view(size=(3, 2)).shape == (3, 2) and x.view(size=6).shape == (6,)
    assert minigrad.ones(2, 3).permute(dims=(1, 0)).shape == (3, 2)
    with refuses(TypeError, "flip() got multiple values for argument 'dims'", "MG205"):
        x.flip(0, dims=0)
    with refuses(TypeError, "flip() missing 1 required positional argument: 'dims'", "MG205"):
        x.flip()


def test_a_node_records_the_arguments_as_ints_of_python_s_own():
    x = minigrad.ones(2, 3, requires_grad=True)
    dims = [np.int64(0), -1]
    node = x.sum(dims).grad_fn
    dims[0] = 1
    assert node._saved_dim == (0, -1) and [type(dim) for dim in node._saved_dim] == [int, int]
    assert x.sum(-1).grad_fn._saved_dim == (-1,) and x.cumsum(-1).grad_fn._saved_dim == -1
    assert x.permute(-1, 0).grad_fn._saved_dims == (-1, 0) and x.repeat(2, 2).grad_fn._saved_repeats == (2, 2)


def test_a_kernel_gets_axes_for_dims():
    given = []

    def kernel(self, dim, dims, several, new, where):
        given.append((dim, dims, several, new, where))
        return self

    row = Op("probe", "general", [("self", "Tensor", ..., False), ("dim", "Dim?", ..., False),
                                  ("dims", "Dims?", ..., False), ("several", "Dim[1]", ..., False),
                                  ("new", "NewDim", ..., False), ("where", "NewDims", ..., False)],
             kernel, {}, *columns.read({"node": "ProbeBackward0"})[:-1])
    x = minigrad.ones(2, 3, 4)
    row(x, -1, -1, -1, -1, -1)
    row(x, 1, (0, -1), (-1, 0), 0, (0, -1))
    row(x, None, None, (), -4, [-2])
    row(x, 0, (), [2, 1], 3, 0)
    assert given == [(2, (2,), (2,), 3, (3,)), (1, (0, 2), (2, 0), 0, (0, 4)), (None, None, (), 0, (2,)),
                     (0, None, (2, 1), 3, (0,))]
    given.clear()
    row(minigrad.ones(()), -1, 0, 0, -1, 0)
    assert given == [(0, (), (0,), 0, (0,))]
    for wrong in (3, -4, 2 ** 70):
        expected = f"Dimension out of range (expected to be in range of [-3, 2], but got {wrong})"
        with refuses(IndexError, expected, "MG203"):
            row(x, wrong, None, (), 0, 0)
        with refuses(IndexError, expected, "MG203"):
            row(x, 0, (0, wrong), (), 0, 0)
    with refuses(RuntimeError, "dim 2 appears multiple times in the list of dims (2, -1)", "MG204"):
        row(x, 0, (2, -1), (), 0, 0)


@pytest.mark.parametrize(("kind", "meant"), [(float, minigrad.float64), (int, minigrad.int64), (bool, minigrad.bool),
                                             (complex, minigrad.complex128), (minigrad.int8, minigrad.int8)])
def test_a_dtype_may_be_a_type_of_python_s(kind, meant):
    x = minigrad.tensor([2, 3])
    assert x.cumsum(0, dtype=kind).dtype is x.prod(dtype=kind).dtype is x.sum(0, dtype=kind).dtype is meant


def test_a_product_in_another_dtype_is_one_node():
    x = minigrad.tensor([[2., 0., 5.], [1., 2., 3.]], requires_grad=True)
    for product in (x.prod(dtype=minigrad.float64), x.prod(1, dtype=minigrad.float64),
                    x.cumprod(1, dtype=minigrad.float64)):
        assert product.dtype is minigrad.float64
        assert product.grad_fn.next_functions[0][0].name() == "torch::autograd::AccumulateGrad"
    x.prod(1, dtype=minigrad.float64).sum().backward()
    assert x.grad.dtype is minigrad.float32 and x.grad.tolist() == [[0, 10, 0], [6, 3, 2]]


def test_a_dim_of_tensors_that_broadcast_stays_as_it_is_given():
    given = []
    row = Op("probe_two", "general", [("self", "Tensor", ..., False), ("other", "Tensor", ..., False),
                                      ("dim", "Dim", ..., False)],
             lambda self, other, dim: given.append(dim) or self + other, {},
             *columns.read({"node": "ProbeBackward0"})[:-1])
    row(minigrad.ones(3), minigrad.ones(2, 3), -1)
    row(minigrad.ones(2, 3), minigrad.ones(3), -1)
    assert given == [-1, 1]


def test_what_may_be_none_is_given_as_none():
    assert minigrad.ones(2, 3).argmax(None).item() == 0
    assert minigrad.ones(2, 3).count_nonzero(dim=None).item() == 6


def test_the_signature_shows_the_types():
    assert str(inspect.signature(minigrad.cumsum)) == "(self: Tensor, dim: Dim, *, dtype: DType? = None)"


def test_a_bool_counts_as_an_int_behind_the_first_of_a_list(torch):
    x = torch.arange(6.).reshape(2, 3)
    assert x.permute([1, False]).shape == (3, 2) and x.flip([0, True])[0].tolist() == [5., 4., 3.]
    assert x.repeat(2, True).shape == (4, 3)
    with pytest.raises(TypeError):
        x.permute([True, 0])


class Emptying:
    """An index that empties the list in which it is."""

    def __init__(self, several):
        self.several = several

    def __index__(self):
        self.several.clear()
        return 0


def test_a_list_that_shrinks_while_it_is_read():
    """Not a case for PyTorch, which crashes."""
    x = minigrad.arange(6.).reshape(2, 3)
    for last in (1, "one"):
        dims = []
        dims += [Emptying(dims), last]
        assert x.sum(dims).tolist() == 15. and dims == []           # no dims are left: the sum over all


def test_a_bool_behind_the_first_does_not_hide_what_is_wrong_after_it():
    x = minigrad.arange(6.).reshape(2, 3)
    with refuses(TypeError, "must be tuple of ints, but found element of type float at pos 2", "MG205"):
        x.permute((1, False, 1.5))
    with refuses(TypeError, "must be tuple of ints, but found element of type bool at pos 0", "MG205"):
        x.permute((True, 0, 1.5))


def test_bools_of_numpy_are_flags_and_numbers():
    x = minigrad.tensor([3., 1., 2.])
    assert minigrad.sort(x, descending=np.True_).values.tolist() == [3., 2., 1.]
    assert x.sum(0, np.True_).shape == (1,)
    assert x.clamp(max=np.True_).tolist() == [1., 1., 1.]


def test_many_more_tensors_than_there_are_parameters():
    x = minigrad.ones(3)
    with refuses(TypeError, "linalg_cross() takes 2 positional arguments but 40 were given", "MG205"):
        minigrad.linalg.cross(*[x] * 40)


# ------------------------------------------------------------------------------ whose mistake it is

@pytest.fixture
def faulty():
    """Composites with mistakes of their authors; the table is as before afterwards."""
    with the_table_as_it_was():
        yield lambda function: composite(types="Tensor Dim")(function)


def test_a_mistake_of_the_library_stays_what_it_is(faulty):
    def misspelled(self, dim):
        return self.shape.lenght

    with pytest.raises(AttributeError, match="no attribute 'lenght'") as raised:
        faulty(misspelled)(minigrad.ones(2), 0)
    assert not hasattr(raised.value, "code")


def test_where_nobody_can_tell_the_error_says_so_and_where(faulty):
    def too_far(self, dim):
        return (1, 2)[dim + 5]

    said = ("too_far() cannot work with what it was given (Tensor [2], int): tuple index out of range. If these "
            "arguments make sense, that is a mistake of minigrad")
    with refuses(IndexError, said, "MG206"):
        faulty(too_far)(minigrad.ones(2), 0)


def test_an_argument_of_another_type_is_named(faulty):
    def shifted(self, dim):
        return self + dim.bit_length()

    shifted = faulty(shifted)
    with refuses(TypeError, "shifted(): argument 'dim' must be int, not str", "MG205"):
        shifted(minigrad.ones(2), "0")
    with refuses(TypeError, "shifted(): argument 'input' (position 1) must be Tensor, not list", "MG205"):
        shifted([1.], 0)
    with refuses(TypeError, "shifted() missing 1 required positional argument: 'dim'", "MG205"):
        shifted(minigrad.ones(2))
