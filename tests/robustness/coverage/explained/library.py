"""The library above the core: distributions, processes, pictures, transforms, files."""

from ..explaining import Entry

READ = [
    "__main__.py", "_as_torch.py", "serialization/archive.py", "creation/buffers.py", "tensors/to_python.py",
    "creation.py", "doctor.py",
    "jit.py", "serialization/constructors.py", "tensors/copy_and_pickle.py", "overrides.py",
    "serialization/unpickler.py",
    "random.py", "serialization.py",
    "dtypes/sizes_and_devices.py", "tensors/subclasses.py", "_tensor.py", "serialization/torch_format.py",
    "torch_version.py", "creation/typed.py",
    "amp/*", "autograd/*", "cpu/*", "cuda/*", "distributed/*", "distributions/*", "error_pages/*", "func/*",
    "notation/*", "testing/*", "utils/*", "viz/*",
]

ENDED_BY_MPI = "MPI ends the process at once, which then writes no counts (tests/distributed/test_failing.py)"
REFUSED_MEMORY = "tests/robustness/out_of_memory refuses memory there, in processes without a tracer of Python"
AT_THAT_MOMENT = "only if the other process or thread ends at that very moment"

ENTRIES = [
    Entry(AT_THAT_MOMENT, "autograd/engines/checklist.py", "stop", "if not self.over:", "always true"),

    Entry(REFUSED_MEMORY, "cuda/pretending.py", "hold", what="never run"),
    Entry(REFUSED_MEMORY, "cuda/pretending.py", "__enter__", what="never run"),

    Entry(ENDED_BY_MPI, "distributed/world.py", "__call__", what="never run"),
    Entry(ENDED_BY_MPI, "distributed/world.py", "_leave", what="never run"),

    Entry("the check would have failed", "doctor.py", "_stale", "return False", "never run"),

    Entry(AT_THAT_MOMENT, "utils/data/workers.py", "send", what="never run"),
    Entry("a worker whose parent has ended ends at once, and writes no counts", "utils/data/workers.py", "read"),

    Entry("Python from 3.11 on parses whatever the longest expression can nest, or calls it an error of syntax",
          "viz/expressions.py", "parsed", "nested too deeply", "never run"),
    Entry("the formulas of all rows are made of numbers and tensors", "viz/mistakes.py", "computed",
          "if isinstance(found", "always true"),
    Entry("the formulas of all rows are made of numbers and tensors", "viz/mistakes.py", "computed", "return None",
          "never run"),
    Entry(REFUSED_MEMORY, "viz/player.py", "rehearsed", "raise", "never run"),
    Entry("a node whose formula reads what was overwritten has raised before its story is told", "viz/story.py",
          "of_saved"),
    Entry("between its beginning and its first node a pass can only be interrupted", "viz/story.py", "end",
          "if telling.story.steps:", "always true"),
]
