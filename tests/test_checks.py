"""``torch._check`` and the like."""

import pytest

import minigrad as torch

CHECKS = {"_check": RuntimeError, "_check_index": IndexError, "_check_value": ValueError, "_check_type": TypeError,
          "_check_not_implemented": NotImplementedError}


@pytest.mark.parametrize("name", CHECKS)
def test_a_condition(name):
    check = getattr(torch, name)
    assert check(True) is None and check(True, lambda: 1 / 0) is None
    with pytest.raises(CHECKS[name]) as raised:
        check(False, lambda: 3)
    assert str(raised.value) == "3" and type(raised.value) is CHECKS[name]
    with pytest.raises(CHECKS[name], match="Expected cond to be True, but got False"):
        check(False)


def test_a_condition_must_be_a_bool_and_a_message_a_function():
    with pytest.raises(TypeError, match="cond must be a bool, but got a Tensor"):
        torch._check(torch.tensor(True))
    with pytest.raises(TypeError, match="cond must be a bool, but got"):
        torch._check(1)
    with pytest.raises(TypeError, match="message must be a callable"):
        torch._check(False, "wrong")


def test_sizes_and_all_elements():
    torch._check_is_size(3, max=3)
    for size, most in ((-1, None), (4, 3)):
        with pytest.raises(RuntimeError):
            torch._check_is_size(size, max=most)
    torch._check_tensor_all(torch.tensor([True, True]))
    with pytest.raises(RuntimeError, match="mine"):
        torch._check_tensor_all(torch.tensor([True, False]), lambda: "mine")
    for wrong in (True, torch.ones(2)):
        with pytest.raises(TypeError, match="cond"):
            torch._check_tensor_all(wrong)
