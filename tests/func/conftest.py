"""What the tests of transforms share."""

import pytest

from minigrad.func.rules import apply


@pytest.fixture
def rules_are_used(request, monkeypatch):
    """If a batch rule fails, vmap computes one example after the other; here that is an error, but for these rows."""
    original = apply.example_by_example
    row = getattr(request.node, "callspec", request).__dict__.get("params", {}).get("row")
    allowed = row.loops.split() if row is not None else []

    def watched(op, mapped, payloads, size):
        out = original(op, mapped, payloads, size)
        assert apply.RULES[op] is None or op.name in allowed, (
            f"{op.name} has a batch rule, which failed here, so that the examples were computed one after the other. "
            f"If the rule is right not to cover this case, the sample row says so: loops={op.name!r}")
        return out

    monkeypatch.setattr(apply, "example_by_example", watched)
    return allowed
