"""Run the tests that packages ship, in the process that has PyTorch's name: ``python -m minigrad run shipped.py``."""

import os
import sys

import pytest

os.environ["EINOPS_TEST_BACKENDS"] = "numpy,torch"
sys.exit(pytest.main([
    "-q", "-p", "no:cacheprovider", "-W", "ignore", "-o", "python_files=test_*.py *_test.py",
    # one compiles with torch._dynamo, the other starts a Python that does not have PyTorch's name
    "-k", "not test_torch_compile_with_dynamic_shape and not test_einops_threading",
    "--pyargs", "entmax", "einops.tests", "normflows"]))
