"""Modules of PyTorch that gather functions of others."""

import pytest

import minigrad
from tests import starting
from tests.test_as_torch import run

pytestmark = pytest.mark.usefixtures("interpreters")


def test_functional_has_the_functions_of_the_package(torch):
    from importlib import import_module
    functional = import_module(f"{torch.__name__}.functional")
    assert torch.functional is functional and len(functional.__all__) == 22
    assert all([getattr(functional, name) is getattr(torch, name) for name in functional.__all__])


@pytest.mark.parametrize("line", [
    "import torch.functional as F; F.einsum", "from torch.functional import block_diag, cdist",
    "from torch.utils.data._utils.collate import default_collate", "import torch.utils.data._utils.worker",
    "from torch.utils.data import _utils; _utils.collate.default_collate", "import torch.quasirandom",
    "import torch.__config__; torch.__config__.show()",
])
def test_programs_import_them(line):
    run(f"import minigrad; minigrad.as_torch()\n{line}")


def test_they_are_loaded_when_they_are_used():
    code = "import sys, minigrad; print([n for n in ('functional', '__config__') if f'minigrad.{n}' in sys.modules])"
    assert starting.run(code).stdout == "[]\n"


def test_the_configuration_is_text(torch):
    assert "built with:" in torch.__config__.show() and torch.__config__.show().endswith("\n")
    assert f"get_num_threads() : {torch.get_num_threads()}\n" in torch.__config__.parallel_info()
    assert "BLAS: " in minigrad.__config__.show()
