"""The records of TensorBoard's files, made from tensors, arrays and numbers.

A record is a ``Summary``: a tag, and a value of a kind.  What the kinds hold is said by the files ``summary.proto`` and
``plugin_data.proto`` of the package tensorboard, which made the classes here.
"""

import io
import wave

import numpy as np
from tensorboard.compat.proto.summary_pb2 import HistogramProto, Summary, SummaryMetadata
from tensorboard.compat.proto.tensor_pb2 import TensorProto
from tensorboard.compat.proto.tensor_shape_pb2 import TensorShapeProto
from tensorboard.plugins.custom_scalar import layout_pb2
from tensorboard.plugins.pr_curve.plugin_data_pb2 import PrCurvePluginData
from tensorboard.plugins.text.plugin_data_pb2 import TextPluginData

from minigrad._core.errors import error
from minigrad._core.graph import Tensor

__all__ = ["array_of", "audio", "custom_scalars", "histogram", "histogram_raw", "hparams", "image", "pr_curve",
           "scalar", "tensor_proto", "text"]

#: the thresholds of a curve of precision and recall that TensorBoard reads at most
MOST_THRESHOLDS = 127


def array_of(x):
    """``x``, a tensor, an array or a number, as an array of at least one dim if it was a number."""
    if isinstance(x, Tensor):
        return (x.float() if str(x.dtype) == "torch.bfloat16" else x).detach().numpy()
    if isinstance(x, np.ndarray):
        return x
    if np.isscalar(x):
        return np.array([x])
    raise error("MG205", f"got {type(x).__name__}, but a tensor, an array or a number is expected")


def _record(tag, plugin=None, content=b"", **value):
    """A summary of one value, which a plugin of TensorBoard shows."""
    if plugin is not None:
        value["metadata"] = SummaryMetadata(plugin_data=SummaryMetadata.PluginData(plugin_name=plugin, content=content))
    return Summary(value=[Summary.Value(tag=tag, **value)])


def _shape(*sizes):
    return TensorShapeProto(dim=[TensorShapeProto.Dim(size=size) for size in sizes])


# ------------------------------------------------------------------------------ numbers


def scalar(name, tensor, collections=None, new_style=False, double_precision=False):
    """One number: in the field for numbers, or, of the new style, in a tensor."""
    tensor = array_of(tensor).squeeze()
    if tensor.ndim:
        raise error("MG207", f"a scalar has one element, and this has shape {tensor.shape}")
    if not new_style:
        return _record(name, simple_value=float(tensor))
    field, kind = ("double_val", "DT_DOUBLE") if double_precision else ("float_val", "DT_FLOAT")
    return _record(name, "scalars", tensor=TensorProto(dtype=kind, **{field: [float(tensor)]}))


#: dtype -> the name that TensorBoard has for it, and the field of its elements
_FIELDS = {"float16": ("DT_HALF", "half_val"), "float32": ("DT_FLOAT", "float_val"),
           "float64": ("DT_DOUBLE", "double_val"), "int8": ("DT_INT8", "int_val"), "uint8": ("DT_UINT8", "int_val"),
           "int16": ("DT_INT16", "int_val"), "int32": ("DT_INT32", "int_val"), "int64": ("DT_INT64", "int64_val"),
           "bool": ("DT_BOOL", "bool_val"), "complex64": ("DT_COMPLEX64", "scomplex_val"),
           "complex128": ("DT_COMPLEX128", "dcomplex_val")}


def tensor_proto(tag, tensor):
    """A whole tensor."""
    array = array_of(tensor)
    if array.dtype.name not in _FIELDS:
        raise error("MG205", f"{tag}: TensorBoard has no tensors of dtype {array.dtype}")
    kind, field = _FIELDS[array.dtype.name]
    if field == "half_val":
        array = array.view(np.uint16)                   # the bits
    elif array.dtype.kind == "c":
        array = np.ascontiguousarray(array).reshape(-1).view(array.real.dtype)      # real and imaginary parts in turn
    made = TensorProto(dtype=kind, tensor_shape=_shape(*tensor.shape), **{field: array.reshape(-1).tolist()})
    return _record(tag, "tensor", tensor=made)


def histogram_raw(name, min, max, num, sum, sum_squares, bucket_limits, bucket_counts):
    """A histogram of which all is known: the upper limits of the buckets, and how many values are in each."""
    return _record(name, histo=HistogramProto(min=min, max=max, num=num, sum=sum, sum_squares=sum_squares,
                                              bucket_limit=bucket_limits, bucket=bucket_counts))


def histogram(name, values, bins, max_bins=None):
    """The histogram of the values, in ``bins`` as ``numpy.histogram`` takes them, at most ``max_bins`` of them."""
    values = array_of(values).astype(float).reshape(-1)
    if not values.size:
        raise error("MG207", f"{name}: a histogram of no values")
    counts, limits = np.histogram(values, bins=bins)
    if max_bins is not None and len(counts) > max_bins:
        together = len(counts) // max_bins              # so many become one
        counts = np.pad(counts, (0, -len(counts) % together)).reshape(-1, together).sum(1)
        limits = np.append(limits[:-1:together], limits[-1])
    filled = np.flatnonzero(counts)
    first, last = (filled[0], filled[-1] + 1) if len(filled) else (0, len(counts))
    # the limits are those on the right, so an empty bucket to the left says where the first begins
    counts = counts[first - 1:last] if first else np.concatenate([[0], counts[:last]])
    return histogram_raw(name, values.min(), values.max(), len(values), values.sum(), values.dot(values),
                         limits[first:last + 1].tolist(), counts.tolist())


def pr_curve(tag, labels, predictions, num_thresholds=MOST_THRESHOLDS, weights=None):
    """Precision and recall of predicted probabilities, at thresholds from 0 to 1."""
    steps = min(num_thresholds, MOST_THRESHOLDS)
    labels, weights = array_of(labels).astype(np.float64), 1.0 if weights is None else array_of(weights)
    places = np.floor(array_of(predictions) * (steps - 1)).astype(np.int32)
    right, wrong = [np.histogram(places, bins=steps, range=(0, steps - 1), weights=each * weights)[0]
                    for each in (labels, 1.0 - labels)]
    # how many are at or above each threshold
    true_positives, false_positives = np.cumsum(right[::-1])[::-1], np.cumsum(wrong[::-1])[::-1]
    true_negatives = false_positives[0] - false_positives
    false_negatives = true_positives[0] - true_positives
    precision = true_positives / np.maximum(1e-7, true_positives + false_positives)
    recall = true_positives / np.maximum(1e-7, true_positives + false_negatives)
    data = np.stack([true_positives, false_positives, true_negatives, false_negatives, precision, recall])
    return _record(tag, "pr_curves", PrCurvePluginData(version=0, num_thresholds=steps).SerializeToString(),
                   tensor=TensorProto(dtype="DT_FLOAT", float_val=data.reshape(-1).tolist(),
                                      tensor_shape=_shape(*data.shape)))


# ------------------------------------------------------------------------------ pictures, sound, texts


def image(tag, tensor, rescale=1, dataformats="NCHW"):
    """A picture as a PNG: floats are from 0 to 1, uint8 from 0 to 255; several become a grid.  Pillow is needed."""
    from PIL import Image

    array = _rows_columns_channels(array_of(tensor), dataformats.upper())
    scale = 1 if array.dtype == np.uint8 else 255
    array = (array.astype(np.float32) * scale).clip(0, 255).astype(np.uint8)
    height, width, channels = array.shape
    picture = Image.fromarray(array)
    if rescale != 1:
        picture = picture.resize((int(width * rescale), int(height * rescale)), Image.Resampling.LANCZOS)
    file = io.BytesIO()
    picture.save(file, format="PNG")
    return _record(tag, image=Summary.Image(height=height, width=width, colorspace=channels,
                                            encoded_image_string=file.getvalue()))


def _rows_columns_channels(array, dims):
    """The picture with its dims in this order, and three channels where it has one."""
    if array.ndim != len(dims) or len(set(dims)) != len(dims) or not {"H", "W"} <= set(dims) <= set("NCHW"):
        raise error("MG207", f"dataformats {dims!r} must name each dim of a picture of shape {array.shape} once: of "
                             "N, C, H and W")
    if "N" in dims:
        array = _grid(array.transpose([dims.index(dim) for dim in "NCHW"]))
        dims = "CHW"
    if "C" not in dims:
        array, dims = array[None], "C" + dims
    array = array.transpose([dims.index(dim) for dim in "HWC"])
    return np.repeat(array, 3, axis=2) if array.shape[2] == 1 else array


def _grid(pictures, across=8):
    """(N, C, H, W) in rows of at most eight, as one picture (C, ...)."""
    number, channels, height, width = pictures.shape
    across = min(number, across)
    down = -(-number // across)
    full = np.zeros((down * across, channels, height, width), pictures.dtype)
    full[:number] = pictures
    return (full.reshape(down, across, channels, height, width).transpose(2, 0, 3, 1, 4)
            .reshape(channels, down * height, across * width))


def audio(tag, tensor, sample_rate=44100):
    """A sound of one channel, from -1 to 1, as a WAV file."""
    array = array_of(tensor).squeeze()
    if array.ndim != 1:
        raise error("MG207", f"{tag}: a sound has shape (1, length) or (length,), and this has {array.shape}")
    array = (array.clip(-1, 1) * np.iinfo(np.int16).max).astype("<i2")
    file = io.BytesIO()
    with wave.open(file, "wb") as written:
        written.setnchannels(1)
        written.setsampwidth(2)
        written.setframerate(sample_rate)
        written.writeframes(array.tobytes())
    return _record(tag, audio=Summary.Audio(sample_rate=sample_rate, num_channels=1, length_frames=len(array),
                                            encoded_audio_string=file.getvalue(), content_type="audio/wav"))


def text(tag, text):
    """A text, which is shown as Markdown."""
    return _record(f"{tag}/text_summary", "text", TextPluginData(version=0).SerializeToString(),
                   tensor=TensorProto(dtype="DT_STRING", string_val=[text.encode()], tensor_shape=_shape(1)))


# ------------------------------------------------------------------------------ what is shown of the records


def custom_scalars(layout):
    """Which curves are in one chart: ``{category: {title: ["Multiline", tags]}}``, or ``"Margin"`` with three tags."""
    categories = []
    for category, titled in layout.items():
        charts = []
        for title, (kind, tags) in titled.items():
            if kind == "Margin":
                value, lower, upper = tags
                series = layout_pb2.MarginChartContent.Series(value=value, lower=lower, upper=upper)
                content = {"margin": layout_pb2.MarginChartContent(series=[series])}
            else:
                content = {"multiline": layout_pb2.MultilineChartContent(tag=tags)}
            charts.append(layout_pb2.Chart(title=title, **content))
        categories.append(layout_pb2.Category(title=category, chart=charts))
    written = layout_pb2.Layout(category=categories).SerializeToString()
    return _record("custom_scalars__config__", "custom_scalars",
                   tensor=TensorProto(dtype="DT_STRING", string_val=[written], tensor_shape=_shape()))


def hparams(hparam_dict=None, metric_dict=None, hparam_domain_discrete=None):
    """Hyperparameters, and the metrics that come of them: an experiment, and the start and the end of its session."""
    from google.protobuf.struct_pb2 import ListValue, Value
    from tensorboard.plugins.hparams import api_pb2, metadata, plugin_data_pb2

    discrete = hparam_domain_discrete or {}
    for given in (hparam_dict, metric_dict, discrete):
        if not isinstance(given, dict):
            raise error("MG205", f"hyperparameters, metrics and domains are dicts, not {type(given).__name__}")
    started, described = plugin_data_pb2.SessionStartInfo(), []
    for name, value in hparam_dict.items():
        if value is None:
            continue
        value = array_of(value).reshape(-1)[0] if isinstance(value, Tensor) else value
        for kinds, field, data_type in ((bool, "bool_value", "DATA_TYPE_BOOL"),
                                        (str, "string_value", "DATA_TYPE_STRING"),
                                        ((int, float, np.number), "number_value", "DATA_TYPE_FLOAT64")):
            if isinstance(value, kinds):
                break
        else:
            raise error("MG205", f"hyperparameter {name!r} must be a bool, a number, a str or a tensor, not "
                                 f"{type(value).__name__}")
        setattr(started.hparams[name], field, value)
        domain = ListValue(values=[Value(**{field: each}) for each in discrete[name]]) if name in discrete else None
        described.append(api_pb2.HParamInfo(name=name, type=api_pb2.DataType.Value(data_type), domain_discrete=domain))
    metrics = [api_pb2.MetricInfo(name=api_pb2.MetricName(tag=name)) for name in metric_dict]
    ended = plugin_data_pb2.SessionEndInfo(status=api_pb2.Status.Value("STATUS_SUCCESS"))
    return tuple(
        _record(tag, metadata.PLUGIN_NAME, plugin_data_pb2.HParamsPluginData(
            version=metadata.PLUGIN_DATA_VERSION, **content).SerializeToString())
        for tag, content in (
            (metadata.EXPERIMENT_TAG, {"experiment": api_pb2.Experiment(hparam_infos=described, metric_infos=metrics)}),
            (metadata.SESSION_START_INFO_TAG, {"session_start_info": started}),
            (metadata.SESSION_END_INFO_TAG, {"session_end_info": ended})))
