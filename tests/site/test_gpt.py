"""The book, the weights of the character-level GPT, and the tool that trains it."""

import importlib.util
import sys
from pathlib import Path

import pytest

import minigrad as torch
from minigrad.serialization.safetensors import load_file

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "tutorials" / "data"
WEIGHTS = DATA / "alice.safetensors"
ON_THE_PAGE = ("write", "words", "vocabulary", "share_of_words", "longest_copy")


@pytest.fixture(scope="module")
def tool():
    spec = importlib.util.spec_from_file_location("train_gpt", ROOT / "tools" / "train_gpt.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def page(tool):
    """What the page defines."""
    return tool.definitions(*tool.NEEDED, *ON_THE_PAGE)


@pytest.fixture(scope="module")
def model(tool, page):
    made = page["GPT"](tool.WIDTH, tool.DEPTH)
    made.load_state_dict(load_file(WEIGHTS))
    return made


def test_the_files_are_small_and_say_where_they_come_from():
    assert 100_000 < (DATA / "alice.txt").stat().st_size < 300_000
    assert WEIGHTS.stat().st_size < 2_000_000
    said = (DATA / "README.md").read_text(encoding="utf-8")
    assert all(path.name in said for path in DATA.iterdir() if path.name != "README.md")
    assert "public domain" in said and "tools/train_gpt.py" in said


def test_the_text_has_a_line_for_each_paragraph():
    text = (DATA / "alice.txt").read_text(encoding="ascii")
    lines = text.split("\n")
    assert text.endswith("THE END\n") and sum(line.startswith("CHAPTER ") for line in lines) == 12
    assert all(line == " ".join(line.split()) for line in lines) and all(lines[:-1])
    assert not set(text) & set("`*_\t\r")


def test_the_weights_have_16_bits():
    assert {weight.dtype for weight in load_file(WEIGHTS).values()} == {torch.float16}


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.drawn
def test_nine_words_of_ten_are_words_of_the_book(seed, page, model):
    torch.manual_seed(seed)
    written = page["write"](model, 1000)
    assert len(written) == 1000 and len(page["words"](written)) > 120
    assert page["share_of_words"](written) >= 0.9
    assert len(page["longest_copy"](written)) < 60


def test_words_are_counted_without_the_last_one(page):
    assert page["words"]("'Don't,' said Alice, 'to-night!'") == ["don't", "said", "alice", "to", "night"]
    assert page["share_of_words"]("The Queen xqx wonde") == pytest.approx(2 / 3)
    assert page["longest_copy"]("qq said the King. zz") == " said the King. "


def small(tool, monkeypatch, steps):
    for name, value in {"WIDTH": 8, "DEPTH": 1, "STEPS": steps, "PIECES": 2, "KEPT_EVERY": 2}.items():
        monkeypatch.setattr(tool, name, value)


def test_training_is_reproducible_and_goes_on_where_it_stopped(tool, page, monkeypatch, tmp_path):
    small(tool, monkeypatch, 4)
    once, again = tool.trained(page).state_dict(), tool.trained(page).state_dict()
    small(tool, monkeypatch, 2)
    tool.trained(page, tmp_path / "kept.pt")
    small(tool, monkeypatch, 4)
    resumed = tool.trained(page, tmp_path / "kept.pt").state_dict()
    assert all(torch.equal(once[name], again[name]) and torch.equal(once[name], resumed[name]) for name in once)


def test_the_tool_drops_in_training_only(tool, page, monkeypatch):
    small(tool, monkeypatch, 0)
    model, x = tool.trained(page), page["data"][None, :64]
    assert torch.equal(model(x), model(x))
    model.train()
    assert not torch.equal(model(x), model(x))


def test_the_tool_writes_the_weights(tool, page, monkeypatch, tmp_path, capsys):
    small(tool, monkeypatch, 2)
    monkeypatch.setattr(tool, "WEIGHTS", tmp_path / "alice.safetensors")
    monkeypatch.setattr(sys, "argv", ["train_gpt.py", str(tmp_path / "state")])
    tool.main()
    written = load_file(tmp_path / "alice.safetensors")
    assert written.keys() == page["GPT"](8, 1).state_dict().keys()
    assert "step 2" in capsys.readouterr().out and (tmp_path / "state" / "training.pt").exists()
