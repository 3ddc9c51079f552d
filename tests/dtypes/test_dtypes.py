"""dtypes: what they are, what two of them become, what they can hold; sizes and devices."""

import copy
import json
import pickle
import sys

import numpy as np
import pytest

from minigrad import dtypes
from minigrad._core.runtime.type_promotion import default_real, result_dtype
from minigrad.dtypes import NAMES
from tests.parity.records import make_dtypes

RECORDED = json.loads(make_dtypes.FILE.read_text())


@pytest.fixture(autouse=True)
def default_dtype():
    """Every test begins and ends with float32 as the default."""
    yield
    dtypes.set_default_dtype(dtypes.float32)


def operand(label):
    """``"int8[]"`` as (dtype, ndim, is a Python number)."""
    if label in make_dtypes.NUMBERS:
        return dtypes.PYTHON_TYPES[type(make_dtypes.NUMBERS[label])], 0, True
    name, _, dims = label.partition("[")
    return NAMES[name], len(dims) - 1, False


def ours(name):
    """NumPy has no complex number of two half floats: where PyTorch says complex32, we say complex64."""
    return NAMES["complex64" if name == "complex32" else name]


class TestDtype:
    def test_there_is_one_object_for_each(self):
        for kind in dtypes.DTYPES:
            assert pickle.loads(pickle.dumps(kind)) is kind
            assert copy.copy(kind) is kind and copy.deepcopy(kind) is kind
            assert dtypes.DTYPES[kind.code] is kind

    def test_prints_with_the_name_that_programs_use(self):
        assert repr(dtypes.float32) == str(dtypes.float32) == "torch.float32"
        assert repr(NAMES["bool"]) == "torch.bool"

    @pytest.mark.parametrize(("alias", "name"), [
        ("half", "float16"), ("float", "float32"), ("double", "float64"), ("cfloat", "complex64"),
        ("cdouble", "complex128"), ("short", "int16"), ("int", "int32"), ("long", "int64")])
    def test_aliases(self, alias, name):
        assert NAMES[alias] is NAMES[name]

    @pytest.mark.parametrize("name", make_dtypes.NAMES)
    def test_attributes(self, name):
        kind = NAMES[name]
        assert [kind.itemsize, kind.is_floating_point, kind.is_complex, kind.is_signed] == RECORDED["attributes"][name]
        assert kind.category == (3 if kind.is_complex else 2 if kind.is_floating_point else name != "bool")

    def test_real_and_complex_companions(self):
        assert dtypes.complex128.to_real() is dtypes.float64 and dtypes.int8.to_real() is dtypes.int8
        assert dtypes.float64.to_complex() is dtypes.complex128 and dtypes.float32.to_complex() is dtypes.complex64
        with pytest.raises(RuntimeError, match="Unknown Complex ScalarType"):
            dtypes.int64.to_complex()

    def test_cannot_be_made(self):
        with pytest.raises(TypeError, match="cannot create 'torch.dtype' instances"):
            dtypes.dtype("float32")

    def test_attribute_that_is_not_there(self):
        with pytest.raises(AttributeError, match="no attribute 'shape'"):
            dtypes.float32.shape


class TestNumpy:
    def test_there_and_back(self):
        for kind in dtypes.DTYPES:
            if kind is not dtypes.bfloat16:
                assert dtypes.of_numpy(kind.numpy) is kind and dtypes.BY_NUM[kind.numpy.num] is kind
                assert kind.numpy.itemsize == kind.itemsize

    def test_both_of_c_s_64_bit_integers_are_int64(self):
        for letter in "lqp":
            found = np.dtype(letter)
            if found.itemsize == 8:
                assert dtypes.of_numpy(found) is dtypes.BY_NUM[found.num] is dtypes.int64

    @pytest.mark.parametrize("other", [">f8", "U1", "O", "M8[s]", "u2", "g"])
    def test_foreign_types_are_none(self, other):
        found = np.dtype(other)
        if not found.isnative or found not in dtypes.BY_NUMPY:
            assert dtypes.of_numpy(found) is None

    def test_bfloat16_comes_with_ml_dtypes(self):
        ml_dtypes = pytest.importorskip("ml_dtypes")
        known = np.dtype(ml_dtypes.bfloat16)
        del_numpy(dtypes.bfloat16)
        dtypes.tell_core()
        assert dtypes.of_numpy(known) is dtypes.bfloat16
        assert dtypes.bfloat16.numpy == known
        assert result_dtype([np.empty(1, known), np.empty(1, "f4")]) == np.float32, "the core has not heard of it"

    def test_bfloat16_without_ml_dtypes_says_what_to_install(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "ml_dtypes", None)
        del_numpy(dtypes.bfloat16)
        with pytest.raises(RuntimeError, match="pip install ml_dtypes"):
            dtypes.bfloat16.numpy
        with pytest.raises(RuntimeError, match="pip install ml_dtypes"):
            dtypes.set_default_dtype(dtypes.bfloat16)
        assert dtypes.get_default_dtype() is dtypes.float32
        assert dtypes.promote_types(dtypes.bfloat16, dtypes.float16) is dtypes.float32


def del_numpy(kind):
    """Forget what ``kind`` is in NumPy, as before its first use."""
    known = [key for key, value in dtypes.BY_NUMPY.items() if value is kind]
    for key in known:
        del dtypes.BY_NUMPY[key], dtypes.BY_NUM[key.num], kind.numpy


class TestAsDtype:
    @pytest.mark.parametrize(("given", "name"),
                             [(float, "float64"), (int, "int64"), (bool, "bool"), (complex, "complex128")])
    def test_python_types(self, given, name):
        assert dtypes.as_dtype(given) is NAMES[name]

    def test_dtypes_and_none_stay(self):
        assert dtypes.as_dtype(dtypes.int8) is dtypes.int8 and dtypes.as_dtype(None) is None

    def test_numpy_types_are_refused_with_a_hint(self):
        with pytest.raises(TypeError, match=r"zeros\(\): argument 'dtype' must be torch.dtype, not type; write "
                                            r"torch.float32"):
            dtypes.as_dtype(np.float32, "zeros")
        with pytest.raises(TypeError, match="must be torch.dtype, not str"):
            dtypes.as_dtype("nonsense")
        with pytest.raises(TypeError, match="must be torch.dtype, not list"):
            dtypes.as_dtype([])


class TestPromotion:
    def test_promote_types(self):
        for a, row in zip(make_dtypes.NAMES, RECORDED["promote_types"]):
            for b, expected in zip(make_dtypes.NAMES, row.split()):
                assert make_dtypes.answer(dtypes.promote_types, NAMES[a], NAMES[b]) == expected, (a, b)

    def test_the_table_is_indexed_by_codes(self):
        n = len(dtypes.DTYPES)
        assert len(dtypes.PROMOTE) == n
        assert dtypes.PROMOTE[dtypes.uint8.code][dtypes.int8.code] == dtypes.int16.code

    def test_can_cast(self):
        for a, row in zip(make_dtypes.NAMES, RECORDED["can_cast"]):
            assert " ".join(str(int(dtypes.can_cast(NAMES[a], NAMES[b]))) for b in make_dtypes.NAMES) == row

    def test_arguments_are_checked(self):
        with pytest.raises(TypeError, match="'type1'"):
            dtypes.promote_types(1, dtypes.int32)
        with pytest.raises(TypeError):
            dtypes.promote_types(dtypes.int32, None)
        with pytest.raises(TypeError):
            dtypes.can_cast(None, dtypes.int32)

    @pytest.mark.parametrize("default", make_dtypes.DEFAULTS)
    def test_result_type_of_two(self, default):
        """All pairs of dtypes, with dimensions, without, and Python numbers."""
        if default == "bfloat16":
            pytest.importorskip("ml_dtypes")
        dtypes.set_default_dtype(NAMES[default])
        for a, row in zip(make_dtypes.OPERANDS, RECORDED["result_type"][default]):
            for b, expected in zip(make_dtypes.OPERANDS, row.split()):
                found = make_dtypes.answer(dtypes.result_type_of, [operand(a), operand(b)])
                assert found == (expected if expected == "refused" else ours(expected).name), (a, b)

    @pytest.mark.parametrize("dtype, number, expected", [
        ("bool", True, "bool"), ("bool", 3, "int64"), ("bool", 2.5, "float32"), ("int8", True, "int8"),
        ("int8", 3, "int8"), ("int8", 2.5, "float32"), ("int8", 1j, "complex64"), ("float32", 3, "float32"),
        ("float64", 2.5, "float64"), ("float64", 1j, "complex128"), ("float16", 2.5, "float16"),
    ])
    def test_result_type_of_a_tensor_and_a_number(self, torch, dtype, number, expected):
        for shape in ((2,), ()):
            x = torch.ones(shape, dtype=getattr(torch, dtype))
            assert torch.result_type(x, number) is torch.result_type(number, x) is getattr(torch, expected)

    @pytest.mark.parity
    def test_the_records_are_pytorch_s(self):
        assert make_dtypes.ask(pytest.importorskip("torch")) == RECORDED

    @pytest.mark.parity
    def test_result_type_of_three(self):
        """addcmul takes three tensors: one of each tier gives what three tiers should."""
        torch = pytest.importorskip("torch")
        labels = [label for label in make_dtypes.OPERANDS if "[" in label
                  and not label.startswith(("bool", "bfloat16", "float16", "uint16", "uint32", "uint64"))]
        tensors = {label: torch.ones((1,) * (len(label.partition("[")[2]) - 1),
                                     dtype=getattr(torch, label.partition("[")[0]))
                   for label in labels}
        for a in labels:
            for b in labels[::3]:
                for c in labels[1::4]:
                    expected = str(torch.addcmul(tensors[a], tensors[b], tensors[c]).dtype)[6:]
                    assert dtypes.result_type_of([operand(a), operand(b), operand(c)]) is ours(expected), (a, b, c)


class TestDefault:
    def test_floats_take_it_and_the_core_hears_of_it(self):
        dtypes.set_default_dtype(dtypes.float64)
        assert dtypes.get_default_dtype() is dtypes.float64
        assert default_real() == np.float64
        assert dtypes.of_number_category(2) is dtypes.float64 and dtypes.of_number_category(3) is dtypes.complex128

    @pytest.mark.parametrize("wrong", [dtypes.int64, dtypes.complex64, float, "float32", None])
    def test_only_floating_point(self, wrong):
        with pytest.raises(TypeError, match="only floating-point types are supported as the default type"):
            dtypes.set_default_dtype(wrong)
        assert dtypes.get_default_dtype() is dtypes.float32


class TestInfo:
    @pytest.mark.parametrize("name", [name for name in make_dtypes.NAMES if name != "bool"])
    def test_prints_as_in_pytorch(self, name):
        info = dtypes.iinfo if NAMES[name].category == 1 else dtypes.finfo
        assert repr(info(NAMES[name])) == RECORDED["info"][name]

    @pytest.mark.parametrize("name", ["float16", "float32", "float64"])
    def test_agrees_with_numpy(self, name):
        ours, numpys = dtypes.finfo(NAMES[name]), np.finfo(name)
        for attribute in ("bits", "eps", "max", "min", "tiny", "smallest_normal"):
            assert getattr(ours, attribute) == float(getattr(numpys, attribute)), attribute
        assert ours.resolution == pytest.approx(float(numpys.resolution), rel=1e-3)

    @pytest.mark.parametrize("name", ["uint8", "int8", "int16", "int32", "int64"])
    def test_integers_agree_with_numpy(self, name):
        ours, numpys = dtypes.iinfo(NAMES[name]), np.iinfo(name)
        assert (ours.bits, ours.min, ours.max) == (numpys.bits, numpys.min, numpys.max)

    def test_equal_for_equal_dtypes(self):
        assert dtypes.finfo() == dtypes.finfo(dtypes.float32) == dtypes.finfo(dtypes.complex64) != dtypes.finfo(float)
        assert dtypes.iinfo(int) == dtypes.iinfo(dtypes.int64) != dtypes.iinfo(dtypes.int32)
        assert len({dtypes.finfo(), dtypes.finfo(dtypes.float32), dtypes.iinfo(int), dtypes.iinfo(int)}) == 2

    def test_the_wrong_one_names_the_right_one(self):
        with pytest.raises(TypeError, match="Use torch.iinfo"):
            dtypes.finfo(dtypes.int32)
        with pytest.raises(TypeError, match="Use torch.finfo"):
            dtypes.iinfo(dtypes.float32)
        with pytest.raises(TypeError, match="torch.bool is not supported by torch.iinfo"):
            dtypes.iinfo(NAMES["bool"])


class TestSize:
    def test_is_a_tuple_that_prints(self):
        size = dtypes.Size([2, 3])
        assert repr(size) == "torch.Size([2, 3])" and repr(dtypes.Size()) == "torch.Size([])"
        assert size == (2, 3) and hash(size) == hash((2, 3)) and size[0] == 2 and size.index(3) == 1

    def test_numel(self):
        assert dtypes.Size([2, 3]).numel() == 6 and dtypes.Size().numel() == 1

    def test_stays_a_size(self):
        size = dtypes.Size([2, 3])
        for result, expected in ((size[:1], (2,)), (size + (4,), (2, 3, 4)), ((4,) + size, (4, 2, 3)),
                                 (size * 2, (2, 3, 2, 3)), (2 * size, (2, 3, 2, 3)),
                                 (pickle.loads(pickle.dumps(size)), size), (copy.deepcopy(size), size)):
            assert type(result) is dtypes.Size and result == expected

    def test_holds_ints(self):
        size = dtypes.Size([np.int64(2), True])
        assert size == (2, 1) and {type(n) for n in size} == {int}
        with pytest.raises(TypeError, match=r"takes an iterable of 'int' \(item 0 is 'float'\)"):
            dtypes.Size([2.5, 3])
        with pytest.raises(TypeError, match="not iterable"):
            dtypes.Size(3)
        with pytest.raises(TypeError, match="not list"):
            dtypes.Size([1]) + [1]


class TestDevice:
    @pytest.mark.parametrize(("arguments", "shown", "text"), [
        (("cpu",), "device(type='cpu')", "cpu"),
        (("cuda:1",), "device(type='cuda', index=1)", "cuda:1"),
        (("cuda", 1), "device(type='cuda', index=1)", "cuda:1"),
        ((dtypes.CPU,), "device(type='cpu')", "cpu")])
    def test_has_a_type_and_an_index(self, arguments, shown, text):
        device = dtypes.device(*arguments)
        assert repr(device) == shown and str(device) == text
        assert pickle.loads(pickle.dumps(device)) == device and hash(copy.copy(device)) == hash(device)

    def test_equality(self):
        assert dtypes.device("cpu") == dtypes.CPU != dtypes.device("cpu", 0) and dtypes.CPU != "cpu"

    @pytest.mark.parametrize(("arguments", "message"), [
        (("foo",), "Expected one of cpu, cuda, .* device type at start of device string: foo"),
        (("cuda:x",), "Invalid device string: 'cuda:x'"),
        (("cuda:-1",), "Invalid device string"),
        (("cuda", -1), "must not be negative"),
        (("cuda:1", 1), "must not include an index because index was passed explicitly: cuda:1"),
        ((0,), "Cannot access accelerator device when none is available")])
    def test_wrong_names(self, arguments, message):
        with pytest.raises(RuntimeError, match=message):
            dtypes.device(*arguments)

    def test_wrong_type(self):
        with pytest.raises(TypeError, match="not float"):
            dtypes.device(1.5)
        with pytest.raises(TypeError, match=r"zeros\(\): argument 'device' must be torch.device, not float"):
            dtypes.as_device(1.5, "zeros")

    def test_only_the_cpu_is_there(self):
        for given in (None, "cpu", "cpu:0", dtypes.CPU):
            assert dtypes.as_device(given) is dtypes.CPU
        for given in ("cuda", dtypes.device("mps"), 0):
            with pytest.raises((RuntimeError, AssertionError), match="available") as caught:
                dtypes.as_device(given)
            assert caught.value.code == "MG404"

    def test_as_a_context(self):
        with dtypes.device("cpu") as device:
            assert device == dtypes.CPU
        with pytest.raises(RuntimeError), dtypes.device("cuda"):
            pass


def test_layouts_and_memory_formats_are_names():
    for name in ("strided", "contiguous_format", "preserve_format"):
        constant = getattr(dtypes, name)
        assert repr(constant) == f"torch.{name}" and pickle.loads(pickle.dumps(constant)) is constant
    assert isinstance(dtypes.strided, dtypes.layout) and isinstance(dtypes.preserve_format, dtypes.memory_format)
