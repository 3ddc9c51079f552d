"""Rows, and NumPy's functions of tensors."""

from ..explaining import Entry

READ = ["ops/*.py", "ops/*/*.py", "numpy_*.py"]

ENTRIES = [
    Entry("LAPACK has converged on all finite matrices so far", "ops/algebra/matrices.py",
          "found_step_by_step|not_converged"),
    Entry("it is called where one of them is not a tensor", "ops/arguments.py", "must_be_tensors", what="never comes"),
    Entry("the memory of arrays that come from other libraries may have gaps: NumPy's own has none", "ops/formats.py",
          "strided", "as_strided"),
    Entry("the memory of arrays that come from other libraries may have gaps: NumPy's own has none", "ops/formats.py",
          "strided", "may_share_memory"),
    Entry("it is for memory that the kernel in C does not read; the tests of two paths call it", "ops/networks/ctc.py",
          "ctc_loss_kernel"),
    Entry("a number is put where a tensor of one element would be, by other ways", "ops/positions/indexing.py",
          "index_put_into", "isinstance(values, Tensor)"),
    Entry("an error of ours passes through as it is", "ops/positions/indexing.py", "wrong_index", "reason"),
    Entry("NumPy joins vectors without elements", "ops/shapes/joining.py", "cat_kernel"),
    Entry("NumPy 2.0 has no reshape that refuses to copy", "ops/shapes/reshaping.py", "viewed"),
    Entry("NumPy 2.0 has no reshape that refuses to copy", "ops/shapes/reshaping.py", text="2.1.0"),
]
