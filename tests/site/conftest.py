"""What the tests of the tutorials share."""

import pytest


@pytest.fixture(scope="session")
def run_of(tmp_path_factory):
    """What a tutorial prints, by its path: each runs once, whichever of the forked processes asks first."""
    from tests.site import tutorials_run
    folder = tmp_path_factory.getbasetemp() / "tutorials"
    folder.mkdir(exist_ok=True)
    return lambda path: tutorials_run.run(path, folder)
