"""The classes that write TensorBoard's files: one file for each folder that has curves of its own."""

import os
import socket
import time
from datetime import datetime

import numpy as np
from tensorboard.compat.proto.event_pb2 import Event, SessionLog
from tensorboard.summary.writer.event_file_writer import EventFileWriter

from minigrad._core.errors import error
from minigrad.utils.tensorboard import summary

__all__ = ["FileWriter", "SummaryWriter"]


class FileWriter:
    """Writes events to a file in ``log_dir``, in a thread of its own."""

    def __init__(self, log_dir, max_queue=10, flush_secs=120, filename_suffix=""):
        self.event_writer = EventFileWriter(str(log_dir), max_queue, flush_secs, filename_suffix)

    def get_logdir(self):
        """The folder that the file is in."""
        return self.event_writer.get_logdir()

    def add_event(self, event, step=None, walltime=None):
        """Write an event, of this step and time; the time is now if it is None."""
        event.wall_time = time.time() if walltime is None else walltime
        if step is not None:
            event.step = int(step)
        self.event_writer.add_event(event)

    def add_summary(self, summary, global_step=None, walltime=None):
        """Write a record of ``summary.py`` as an event."""
        self.add_event(Event(summary=summary), global_step, walltime)

    def flush(self):
        """Write what waits to the disk."""
        self.event_writer.flush()

    def close(self):
        """Write what waits, and close the file."""
        self.event_writer.close()

    def reopen(self):
        """After :meth:`close`: write on, to a new file in the same folder."""
        self.event_writer.reopen()


class SummaryWriter:
    """Writes what a training tells to files in ``log_dir``, for TensorBoard to show.

    ``log_dir`` is ``runs/DATE_HOST`` and ``comment``, if it is None.  At most ``max_queue`` events wait, for at most
    ``flush_secs`` seconds.  After a crash at a later step, ``purge_step`` says from which one the training begins anew:
    what was written of it before is hidden.  A block ``with SummaryWriter() as writer:`` closes it at its end.

    Every ``add_...`` takes a tag, which is the title of the curve or picture, and ``global_step``.  Values are tensors,
    arrays or numbers.

    Graphs, embeddings, videos and meshes raise MG603.
    """

    def __init__(self, log_dir=None, comment="", purge_step=None, max_queue=10, flush_secs=120, filename_suffix=""):
        if not log_dir:
            log_dir = os.path.join("runs", f"{datetime.now():%b%d_%H-%M-%S}_{socket.gethostname()}{comment}")
        self.log_dir, self.purge_step, self.filename_suffix = log_dir, purge_step, filename_suffix
        self.max_queue, self.flush_secs = max_queue, flush_secs
        self.file_writer = self.all_writers = None
        self._get_file_writer()
        # TensorFlow's: each bucket a tenth wider than the one before, from 1e-12 to 1e20, of both signs
        widths = [1e-12]
        while widths[-1] * 1.1 < 1e20:
            widths.append(widths[-1] * 1.1)
        self.default_bins = [*(-width for width in reversed(widths)), 0, *widths]

    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc_val, exc_tb):
        self.close()

    def _get_file_writer(self):
        """The writer of ``log_dir``, a new one after :meth:`close`."""
        if self.all_writers is None or self.file_writer is None:
            self.file_writer = FileWriter(self.log_dir, self.max_queue, self.flush_secs, self.filename_suffix)
            self.all_writers = {self.file_writer.get_logdir(): self.file_writer}
            if self.purge_step is not None:
                for said in ({"file_version": "brain.Event:2"}, {"session_log": SessionLog(status=SessionLog.START)}):
                    self.file_writer.add_event(Event(step=self.purge_step, **said))
                self.purge_step = None
        return self.file_writer

    def get_logdir(self):
        """The folder that the files are in."""
        return self.log_dir

    def flush(self):
        """Write what waits to the disk."""
        for writer in (self.all_writers or {}).values():
            writer.flush()

    def close(self):
        """Write what waits, and close the files.  What is added later opens new ones."""
        for writer in (self.all_writers or {}).values():
            writer.flush()
            writer.close()
        self.file_writer = self.all_writers = None

    # --- numbers

    def add_scalar(self, tag, scalar_value, global_step=None, walltime=None, new_style=False, double_precision=False):
        """A point of a curve."""
        record = summary.scalar(tag, scalar_value, new_style=new_style, double_precision=double_precision)
        self._get_file_writer().add_summary(record, global_step, walltime)

    def add_scalars(self, main_tag, tag_scalar_dict, global_step=None, walltime=None):
        """A point of several curves in one chart: ``{name: value}``.  Each curve has a folder of its own."""
        walltime = time.time() if walltime is None else walltime
        folder = self._get_file_writer().get_logdir()
        for tag, value in tag_scalar_dict.items():
            place = f"{folder}/{main_tag.replace('/', '_')}_{tag}"
            if place not in self.all_writers:
                self.all_writers[place] = FileWriter(place, self.max_queue, self.flush_secs, self.filename_suffix)
            self.all_writers[place].add_summary(summary.scalar(main_tag, value), global_step, walltime)

    def add_tensor(self, tag, tensor, global_step=None, walltime=None):
        """A whole tensor."""
        self._get_file_writer().add_summary(summary.tensor_proto(tag, tensor), global_step, walltime)

    def add_histogram(self, tag, values, global_step=None, bins="tensorflow", walltime=None, max_bins=None):
        """How the values are distributed; ``bins`` is also what ``numpy.histogram`` takes."""
        bins = self.default_bins if isinstance(bins, str) and bins == "tensorflow" else bins
        self._get_file_writer().add_summary(summary.histogram(tag, values, bins, max_bins), global_step, walltime)

    def add_histogram_raw(self, tag, min, max, num, sum, sum_squares, bucket_limits, bucket_counts, global_step=None,
                          walltime=None):
        """A histogram of which all is known."""
        if len(bucket_limits) != len(bucket_counts):
            raise error("MG207", f"{tag}: {len(bucket_limits)} limits of buckets, and {len(bucket_counts)} counts")
        record = summary.histogram_raw(tag, min, max, num, sum, sum_squares, bucket_limits, bucket_counts)
        self._get_file_writer().add_summary(record, global_step, walltime)

    def add_pr_curve(self, tag, labels, predictions, global_step=None, num_thresholds=summary.MOST_THRESHOLDS,
                     weights=None, walltime=None):
        """Precision and recall of predicted probabilities, for labels that are 0 or 1."""
        record = summary.pr_curve(tag, labels, predictions, num_thresholds, weights)
        self._get_file_writer().add_summary(record, global_step, walltime)

    def add_hparams(self, hparam_dict, metric_dict, hparam_domain_discrete=None, run_name=None, global_step=None):
        """Hyperparameters, and the metrics that came of them, as a run of its own in a folder below."""
        folder = os.path.join(self._get_file_writer().get_logdir(), run_name or str(time.time()))
        records = summary.hparams(hparam_dict, metric_dict, hparam_domain_discrete)
        with SummaryWriter(log_dir=folder) as writer:
            for record in records:
                writer.file_writer.add_summary(record, global_step)
            for name, value in metric_dict.items():
                writer.add_scalar(name, value, global_step)

    # --- pictures, sound, texts

    def add_image(self, tag, img_tensor, global_step=None, walltime=None, dataformats="CHW"):
        """A picture; ``dataformats`` names its dims, such as ``"HWC"`` or ``"HW"``."""
        self._get_file_writer().add_summary(summary.image(tag, img_tensor, dataformats=dataformats), global_step,
                                            walltime)

    def add_images(self, tag, img_tensor, global_step=None, walltime=None, dataformats="NCHW"):
        """Several pictures of one size, in a grid."""
        self.add_image(tag, img_tensor, global_step, walltime, dataformats)

    def add_figure(self, tag, figure, global_step=None, close=True, walltime=None):
        """A figure of Matplotlib, or a list of them, which are closed then."""
        from matplotlib import pyplot
        from matplotlib.backends.backend_agg import FigureCanvasAgg

        drawn = []
        for each in figure if isinstance(figure, list) else [figure]:
            canvas = FigureCanvasAgg(each)
            canvas.draw()
            drawn.append(np.asarray(canvas.buffer_rgba())[..., :3])
            if close:
                pyplot.close(each)
        if isinstance(figure, list):
            self.add_image(tag, np.stack(drawn), global_step, walltime, "NHWC")
        else:
            self.add_image(tag, drawn[0], global_step, walltime, "HWC")

    def add_audio(self, tag, snd_tensor, global_step=None, sample_rate=44100, walltime=None):
        """A sound of one channel, from -1 to 1."""
        self._get_file_writer().add_summary(summary.audio(tag, snd_tensor, sample_rate), global_step, walltime)

    def add_text(self, tag, text_string, global_step=None, walltime=None):
        """A text, which is shown as Markdown."""
        self._get_file_writer().add_summary(summary.text(tag, text_string), global_step, walltime)

    # --- which curves are in one chart

    def add_custom_scalars(self, layout):
        """Charts of several tags: ``{category: {title: ["Multiline", [tag, ...]]}}``."""
        self._get_file_writer().add_summary(summary.custom_scalars(layout))

    def add_custom_scalars_multilinechart(self, tags, category="default", title="untitled"):
        """One chart with the curves of these tags."""
        self.add_custom_scalars({category: {title: ["Multiline", tags]}})

    def add_custom_scalars_marginchart(self, tags, category="default", title="untitled"):
        """One chart with a curve between two others: three tags."""
        if len(tags) != 3:
            raise error("MG207", f"expected 3 tags, of a curve and of those below and above it, got {len(tags)}")
        self.add_custom_scalars({category: {title: ["Margin", tags]}})


#: what is not written here, and why, or what does instead
_REFUSED = {
    "add_graph": "a graph is made by torch.jit.trace, and programs are not traced here; see minigrad.viz.draw",
    "add_onnx_graph": "models are not exported to ONNX here",
    "add_embedding": "draw two principal components (torch.pca_lowrank), and call add_figure",
    "add_video": "add_images shows the frames",
    "add_mesh": "add_figure shows a surface of Matplotlib",
    "add_image_with_boxes": "draw them with Matplotlib, and call add_figure",
    "add_pr_curve_raw": "give the labels and predictions to add_pr_curve",
}


def _refusing(name, reason):
    def refuse(self, *args, **kwargs):
        raise error("MG603", f"SummaryWriter.{name} is not here: {reason}")
    return refuse


for _name, _reason in _REFUSED.items():
    setattr(SummaryWriter, _name, _refusing(_name, _reason))
