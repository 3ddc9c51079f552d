"""Models from a folder, and weights from files that are there."""

import pytest

import minigrad as torch
from tests.checking import refuses

HUBCONF = '''
dependencies = ["numpy"]
from minigrad import nn
from beside import WIDTH


def model(outputs=1, **kwargs):
    """A line."""
    return nn.Linear(WIDTH, outputs)


def lacking():
    pass
'''


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "hubconf.py").write_text(HUBCONF)
    (tmp_path / "beside.py").write_text("WIDTH = 3\n")
    return tmp_path


def test_a_model_of_a_folder(folder):
    assert "model" in torch.hub.list(folder, source="local")
    assert torch.hub.help(folder, "model", source="local") == "A line."
    assert torch.hub.load(str(folder), "model", 2, source="local").weight.shape == (2, 3)


def test_nothing_is_downloaded(folder, tmp_path):
    with refuses(RuntimeError, "'pytorch/vision' is not here, and nothing is downloaded", "MG204"):
        torch.hub.load("pytorch/vision", "resnet18")
    with refuses(RuntimeError, "http://a/b.pth is not here", "MG204"):
        torch.hub.download_url_to_file("http://a/b.pth", "b.pth")
    with refuses(RuntimeError, "there is no hubconf.py", "MG204"):
        torch.hub.load(tmp_path / "nowhere", "model", source="local")
    with refuses(RuntimeError, "Cannot find callable nothing", "MG204"):
        torch.hub.load(folder, "nothing", source="local")
    with refuses(ValueError, "should be a string", "MG207"):
        torch.hub.load(folder, 3, source="local")
    (folder / "hubconf.py").write_text("dependencies = ['no_such_package']\ndef model(): pass\n")
    with refuses(RuntimeError, "Missing dependencies: no_such_package", "MG204"):
        torch.hub.load(folder, "model", source="local")


def test_a_bar_counts_and_shows_nothing(capsys):
    with torch.utils.model_zoo.tqdm([1, 2], total=2) as bar:
        for each in bar:
            bar.update(each)
        bar.close()
    assert bar.n == 3 and capsys.readouterr() == ("", "")


def test_weights_are_read_where_they_were_put(tmp_path, monkeypatch):
    monkeypatch.setenv("TORCH_HOME", str(tmp_path))
    assert torch.hub.get_dir() == str(tmp_path / "hub")
    url = "https://download.pytorch.org/models/line-0123abcd.pth"
    for load in (torch.hub.load_state_dict_from_url, torch.utils.model_zoo.load_url):
        with refuses(RuntimeError, str(tmp_path / "hub" / "checkpoints" / "line-0123abcd.pth"), "MG204"):
            load(url)
    (tmp_path / "hub" / "checkpoints").mkdir(parents=True)
    torch.save({"weight": torch.ones(2)}, tmp_path / "hub" / "checkpoints" / "line-0123abcd.pth")
    assert torch.hub.load_state_dict_from_url(url)["weight"].tolist() == [1, 1]
    assert torch.hub.HASH_REGEX.search(url)[1] == "0123abcd"
    monkeypatch.setattr(torch.hub, "_folder", None)
    torch.hub.set_dir(str(tmp_path))
    assert torch.hub.get_dir() == str(tmp_path)
