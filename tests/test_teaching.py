"""What the tutorials show errors with: it prints what was raised, and fails if nothing was."""

import warnings

import pytest

import minigrad as torch
from minigrad.teaching import expect_error, expect_warning, without_autograd


def test_of_a_long_report_only_some_lines_are_printed(capsys):
    with expect_error(ValueError, starts=("cause", "see")):
        raise ValueError("first\n    cause: a sign\nmore\nsee the page")
    assert capsys.readouterr().out == "    cause: a sign\nsee the page\n"


def test_an_error_is_printed_and_wrapped(capsys):
    with expect_error(ValueError, width=20):
        raise ValueError("one two three four five six\nseven")
    assert capsys.readouterr().out == "ValueError: one two\nthree four five six\nseven\n"


def test_the_error_is_given_to_what_follows():
    problem = ValueError("told")
    with expect_error(ValueError) as caught:
        assert caught.error is None
        raise problem
    assert caught.error is problem


def test_a_block_that_raises_nothing_fails(capsys):
    with pytest.raises(AssertionError, match="raised none"):
        with expect_error():
            pass


def test_another_error_passes_through():
    with pytest.raises(KeyError):
        with expect_error(ValueError):
            raise KeyError("x")


def test_a_warning_is_printed_and_others_are_silent(capsys):
    with expect_warning(FutureWarning):
        warnings.warn("this will change", FutureWarning)
        warnings.warn("and this", DeprecationWarning)
    assert capsys.readouterr().out == "FutureWarning: this will change\n"


def test_a_block_that_warns_of_nothing_fails():
    with pytest.raises(AssertionError, match="gave none"):
        with expect_warning():
            pass


@pytest.mark.parametrize("differentiate", [
    lambda x: (x * x).backward(), lambda x: torch.autograd.grad(x * x, x), lambda x: torch.func.grad(torch.sin)(x),
    lambda x: torch.func.vjp(torch.sin, x)[1](x), lambda x: torch.autograd.functional.jacobian(torch.sin, x)])
def test_a_block_without_autograd_starts_no_pass(differentiate):
    x = torch.tensor(2.0, requires_grad=True)
    with pytest.raises(AssertionError, match="answer without autograd: here a backward pass was started"):
        with without_autograd():
            differentiate(x)
    differentiate(x)
