"""``torch.utils.tensorboard``: what TensorBoard reads in the files is what was written."""

import io
import subprocess
import sys

import numpy as np
import pytest

import minigrad as torch
from tests.checking import refuses

pytest.importorskip("tensorboard")

from tensorboard.backend.event_processing import event_accumulator      # noqa: E402
from tensorboard.plugins.hparams import plugin_data_pb2                 # noqa: E402

from minigrad.utils.tensorboard import SummaryWriter, summary           # noqa: E402


@pytest.fixture
def writer(tmp_path):
    with SummaryWriter(tmp_path / "run") as made:
        yield made


def read(writer, folder=None):
    """What TensorBoard reads in the files of a writer."""
    writer.close()
    found = event_accumulator.EventAccumulator(str(folder or writer.get_logdir()),
                                               size_guidance={"tensors": 0, "histograms": 0, "images": 0})
    return found.Reload()


@pytest.mark.parametrize("value", [0.5, np.float32(0.5), torch.tensor(0.5), torch.tensor([[0.5]], requires_grad=True),
                                   torch.tensor(0.5, dtype=torch.float64)])
def test_numbers_of_any_kind_make_a_curve(writer, value):
    for step in range(3):
        writer.add_scalar("loss", value, torch.tensor(step))
    assert [(each.step, each.value) for each in read(writer).Scalars("loss")] == [(0, 0.5), (1, 0.5), (2, 0.5)]


def test_a_curve_has_numbers_alone(writer):
    with refuses(ValueError, "has shape (2,)", "MG207"):
        writer.add_scalar("loss", torch.ones(2))
    with refuses(TypeError, "got list", "MG205"):
        writer.add_scalar("loss", [1.0])


def test_several_curves_in_one_chart_have_folders_of_their_own(writer, tmp_path):
    writer.add_scalars("a/b", {"sin": 1.0, "cos": torch.tensor(2.0)}, 7)
    read(writer)
    for name, value in (("sin", 1.0), ("cos", 2.0)):
        point, = read(writer, tmp_path / "run" / f"a_b_{name}").Scalars("a/b")
        assert (point.step, point.value) == (7, value)


def test_numbers_of_the_new_style_and_tensors(writer):
    writer.add_scalar("new", 1 / 3, new_style=True, double_precision=True)
    writer.add_tensor("whole", torch.arange(6.0).reshape(2, 3))
    writer.add_tensor("half", torch.tensor([1.0, 0.5], dtype=torch.float16))
    writer.add_tensor("complex", torch.tensor([1 + 2j]))
    found = read(writer)
    assert found.Tensors("new")[0].tensor_proto.double_val == [1 / 3]
    whole = found.Tensors("whole")[0].tensor_proto
    assert whole.float_val == [0, 1, 2, 3, 4, 5] and [dim.size for dim in whole.tensor_shape.dim] == [2, 3]
    assert found.Tensors("half")[0].tensor_proto.half_val == [0x3c00, 0x3800]
    assert found.Tensors("complex")[0].tensor_proto.scomplex_val == [1, 2]


@pytest.mark.parametrize("bins", ["tensorflow", "auto", 4])
def test_a_histogram_counts_each_value_once(writer, bins):
    values = torch.tensor([-1.0, 0.0, 0.25, 0.5, 2.0, 2.0])
    writer.add_histogram("h", values, 3, bins=bins)
    event, = read(writer).Histograms("h")
    found = event.histogram_value
    assert (event.step, found.min, found.max, found.num, found.sum) == (3, -1, 2, 6, 3.75)
    assert sum(found.bucket) == 6 and len(found.bucket) == len(found.bucket_limit)
    assert found.bucket[0] == 0 and found.bucket_limit[0] <= -1 and found.bucket_limit[-1] >= 2
    assert found.sum_squares == pytest.approx(9.3125)


def test_a_histogram_of_fewer_bins_or_of_given_ones(writer):
    record = summary.histogram("h", np.arange(10.0), 10, max_bins=3).value[0].histo
    assert sum(record.bucket) == 10 and len(record.bucket) == 5         # four of three bins each, and the empty one
    writer.add_histogram_raw("raw", min=0, max=1, num=3, sum=2, sum_squares=1.5, bucket_limits=[0.5, 1.0],
                             bucket_counts=[1, 2])
    assert list(read(writer).Histograms("raw")[0].histogram_value.bucket) == [1, 2]
    with pytest.raises(ValueError, match="1 limits of buckets, and 2 counts"):
        writer.add_histogram_raw("raw", 0, 1, 3, 2, 1.5, [0.5], [1, 2])
    with refuses(ValueError, "no values", "MG207"):
        writer.add_histogram("none", torch.empty(0))


@pytest.mark.parametrize("shape, dims, seen", [((3, 4, 5), "CHW", (4, 5)), ((4, 5, 3), "HWC", (4, 5)),
                                               ((4, 5), "HW", (4, 5)), ((1, 4, 5), "CHW", (4, 5)),
                                               ((9, 3, 4, 5), "NCHW", (8, 40)), ((2, 4, 5, 1), "NHWC", (4, 10))])
def test_pictures(writer, shape, dims, seen):
    Image = pytest.importorskip("PIL.Image")
    picture = torch.linspace(0, 1, int(np.prod(shape))).reshape(shape)
    (writer.add_images if "N" in dims else writer.add_image)("p", picture, 1, dataformats=dims)
    event, = read(writer).Images("p")
    assert (event.height, event.width) == seen
    pixels = np.asarray(Image.open(io.BytesIO(event.encoded_image_string)))
    first = picture.permute([dims.index(dim) for dim in "NCHW" if dim in dims]).numpy()
    first = first[0] if "N" in dims else first
    first = first if "C" in dims else first[None]
    assert pixels.shape == (*seen, 3)
    assert np.array_equal(pixels[:4, :5], np.broadcast_to((first * 255).astype(np.uint8).transpose(1, 2, 0), (4, 5, 3)))


def test_a_picture_of_other_dims_is_refused(writer):
    pytest.importorskip("PIL")
    for dims in ("CHW", "HH", "HX"):
        with refuses(ValueError, "must name each dim", "MG207"):
            writer.add_image("p", torch.ones(4, 5), dataformats=dims)


def test_figures_of_matplotlib(writer):
    pyplot = pytest.importorskip("matplotlib.pyplot")
    figures = [pyplot.figure(figsize=(1, 2), dpi=10) for _ in range(2)]
    writer.add_figure("one", figures[0], close=False)
    writer.add_figure("two", figures)
    assert not any(pyplot.fignum_exists(each.number) for each in figures)
    found = read(writer)
    assert (found.Images("one")[0].height, found.Images("one")[0].width) == (20, 10)
    assert found.Images("two")[0].width == 20


def test_sounds_and_texts(writer):
    writer.add_audio("sound", torch.tensor([[0.0, 1.0, -2.0]]), sample_rate=8000)
    writer.add_text("said", "*hällo*", 2)
    found = read(writer)
    sound, = found.Audio("sound")
    assert (sound.sample_rate, sound.length_frames) == (8000, 3)
    assert np.frombuffer(sound.encoded_audio_string[-6:], "<i2").tolist() == [0, 32767, -32767]
    assert found.Tensors("said/text_summary")[0].tensor_proto.string_val == ["*hällo*".encode()]


def test_a_curve_of_precision_and_recall(writer):
    writer.add_pr_curve("c", torch.tensor([0, 1, 1, 0]), torch.tensor([0.1, 0.9, 0.4, 0.6]), num_thresholds=3)
    proto = read(writer).Tensors("c")[0].tensor_proto
    right, wrong, _, missed, precision, recall = np.array(proto.float_val).reshape(6, 3)
    assert right.tolist() == [2, 1, 0] and wrong.tolist() == [2, 1, 0] and missed.tolist() == [0, 1, 2]
    assert precision[:2].tolist() == [0.5, 0.5] and recall.tolist() == [1, 0.5, 0]


def test_charts_of_several_tags(writer):
    writer.add_custom_scalars_multilinechart(["a", "b"], title="both")
    with pytest.raises(ValueError, match="expected 3 tags"):
        writer.add_custom_scalars_marginchart(["a"])
    text = read(writer).Tensors("custom_scalars__config__")[0].tensor_proto.string_val[0]
    assert b"both" in text
    assert b"low" in summary.custom_scalars({"c": {"t": ["Margin", ["v", "low", "high"]]}}).SerializeToString()


def test_hyperparameters_are_a_run_of_their_own(writer, tmp_path):
    writer.add_hparams({"lr": 0.1, "depth": 3, "act": "relu", "bias": True, "none": None, "t": torch.tensor(2.0)},
                       {"hparam/loss": 0.25}, {"act": ["relu", "tanh"]}, run_name="first")
    read(writer)
    found = read(writer, tmp_path / "run" / "first")
    assert found.Scalars("hparam/loss")[0].value == 0.25
    _, started, _ = summary.hparams({"lr": 0.1, "bias": True, "act": "relu"}, {})
    data = plugin_data_pb2.HParamsPluginData.FromString(started.value[0].metadata.plugin_data.content)
    said = data.session_start_info.hparams
    assert (said["lr"].number_value, said["bias"].bool_value, said["act"].string_value) == (0.1, True, "relu")
    with refuses(TypeError, "hyperparameter 'x' must be", "MG205"):
        summary.hparams({"x": []}, {})
    with refuses(TypeError, "are dicts, not list", "MG205"):
        summary.hparams([], {})


def test_a_closed_writer_begins_a_new_file(writer):
    writer.add_scalar("loss", 1.0, 0)
    writer.flush()
    writer.close()
    writer.close()
    writer.add_scalar("loss", 2.0, 1)
    assert [each.value for each in read(writer).Scalars("loss")] == [1.0, 2.0]


def test_the_folder_of_a_run_without_a_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with SummaryWriter(comment="_lr0.1", purge_step=4) as writer:
        assert writer.get_logdir().startswith("runs") and writer.get_logdir().endswith("_lr0.1")
    assert len(list(tmp_path.glob("runs/*_lr0.1/events.*"))) == 1


@pytest.mark.parametrize("name, arguments", [
    ("add_graph", [None]), ("add_onnx_graph", ["x"]), ("add_embedding", [None]), ("add_video", ["t", None]),
    ("add_mesh", ["t", None]), ("add_image_with_boxes", ["t", None, None]), ("add_pr_curve_raw", ["t", *"123456"])])
def test_what_is_not_written_says_so(writer, name, arguments):
    with refuses(NotImplementedError, f"SummaryWriter.{name} is not here: ", "MG603"):
        getattr(writer, name)(*arguments)


def test_it_is_imported_under_pytorchs_name_alone_where_it_is_asked_for():
    code = ("import sys, minigrad; minigrad.as_torch(); import torch; assert 'tensorboard' not in sys.modules; "
            "from torch.utils.tensorboard import SummaryWriter; from torch.utils.tensorboard.summary import hparams; "
            "print(SummaryWriter.__module__)")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "minigrad.utils.tensorboard.writer\n", done.stderr
