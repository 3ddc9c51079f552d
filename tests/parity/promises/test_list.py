"""Every statement has a test, or is listed here with the reason why none can be written."""

import re
from pathlib import Path

WITHOUT_A_TEST = {
    **dict.fromkeys((6, 10), "a promise about signatures to come"),
    22: "says which tensors the rules are about; statements 23 to 31 have tests",
    28: "is about nn.Module and torch.optim, which minigrad does not have yet",
    **dict.fromkeys((33, 34), "advice about memory; the tutorial on in-place operations measures it"),
    61: "names the three modes, which have tests of their own: 62, 87 and 106",
    **dict.fromkeys((70, 94), "advice about what recording shapes costs; no test asserts a time"),
    **dict.fromkeys((88, 89, 108), "is about NVIDIA's and Intel's own programs"),
    93: "leaves the order of arguments open",
    102: "follows from 99 to 101",
    **dict.fromkeys((125, 138), "advice about models that do not fit"),
    136: "there is no device but the CPU to copy to",
    150: "asks something of the user",
}


def numbers_in(name):
    """``test_s016_to_s019_and_s021_...`` is about 16, 17, 18, 19 and 21."""
    head = re.match(r"test((?:_(?:to_|and_)?s\d{3})+)", name)
    found = []
    for joint, number in re.findall(r"_(to_|and_)?s(\d{3})", head[1] if head else ""):
        found += range(found[-1] + 1 if joint == "to_" else int(number), int(number) + 1)
    return found


def test_names_are_read_as_they_are_meant():
    assert numbers_in("test_s016_to_s019_and_s021_products") == [16, 17, 18, 19, 21]
    assert numbers_in("test_s007_works") == [7] and numbers_in("test_s1_is_no_number") == []


def test_every_statement_is_tested_or_excused():
    sources = "".join(path.read_text(encoding="utf-8")
                      for path in Path(__file__).parent.glob("test_*.py") if path.name != "test_list.py")
    tested = {number for name in re.findall(r"^def (test_\w+)", sources, re.MULTILINE) for number in numbers_in(name)}
    assert not tested & WITHOUT_A_TEST.keys()
    assert tested | WITHOUT_A_TEST.keys() == set(range(1, 203)), sorted(set(range(1, 203)) - tested
                                                                        - WITHOUT_A_TEST.keys())
