"""Questions for Moodle: its XML format, in which every question is a category of variants.

A quiz then asks *a random question of a category*, and each student gets another variant.
"""

import base64
import re
from xml.etree import ElementTree

from tools.question_bank import bank, paper
from tools.question_bank.building import TOLERANCE, built

TYPES = {"choice": "multichoice", "number": "numerical", "text": "shortanswer", "drawing": "essay"}


def quiz(exam, variants):
    """The XML of the questions of an exam, with so many variants of each; fewer if there are not so many."""
    root, known = ElementTree.Element("quiz"), bank.questions()
    for name in exam.names:
        question = known[name]
        category = ElementTree.SubElement(root, "question", type="category")
        text(category, "category", f"$course$/top/minigrad/{question.page}/{name}")
        text(category, "info", f"{bank.LEVELS[question.difficulty]}; for the page {bank.page_title(question.page)!r}",
             format="plain_text")
        for number, each in enumerate(different(question, exam.seed, variants), 1):
            root.append(element_of(each, f"{name} ({number})"))
    ElementTree.indent(root, " ")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def different(question, seed, variants):
    """Variants of which no two are the same; the first is the one of the exam on paper."""
    found = []
    for attempt in range(4 * variants):
        each = built(question, f"{seed}, variant {attempt}" if attempt else seed)
        if len(found) < variants and not any([each.same_as(other) for other in found]):
            found.append(each)
    return found


def element_of(each, name):
    question = each.question
    root = ElementTree.Element("question", type=TYPES[question.kind])
    text(root, "name", name)
    text(root, "questiontext", paper.prose(each.text) + paper.listing(each.program), format="html")
    text(root, "generalfeedback", "" if question.kind == "drawing" else paper.prose(each.why), format="html")
    plain(root, "defaultgrade", question.points)
    plain(root, "penalty", "0.3333333" if question.kind != "drawing" else 0)
    plain(root, "hidden", 0)
    plain(root, "idnumber", "")
    SPECIAL[question.kind](root, each)
    tags = ElementTree.SubElement(root, "tags")
    for tag in (question.page, bank.LEVELS[question.difficulty]):
        text(tags, "tag", tag)
    return root


def multichoice(root, each):
    plain(root, "single", "true")
    plain(root, "shuffleanswers", "true")
    plain(root, "answernumbering", "ABCD")
    plain(root, "showstandardinstruction", 0)
    for name in ("correctfeedback", "partiallycorrectfeedback", "incorrectfeedback"):
        text(root, name, "", format="html")
    for choice in each.choices:
        answer(root, paper.as_code(each.question, choice.text), choice, format="html")


def numerical(root, each):
    for choice in each.choices:
        found = answer(root, choice.text, choice, format="moodle_auto_format")
        whole = isinstance(choice.value, int)
        plain(found, "tolerance", 0 if whole else format(abs(choice.value) * TOLERANCE, ".3g"))
    plain(root, "unitgradingtype", 0)
    plain(root, "unitpenalty", "0.1000000")
    plain(root, "showunits", 3)         # there are none
    plain(root, "unitsleft", 0)


def shortanswer(root, each):
    plain(root, "usecase", 0)
    for choice in each.choices:
        for written in spellings(choice.text):
            answer(root, written, choice, format="moodle_auto_format")


def spellings(written):
    """An answer with and without gaps; an asterisk alone means anything."""
    written = " ".join(written.split()).replace("*", r"\*")
    return [*dict.fromkeys([written, re.sub(r"\s+", "", written)])]


def essay(root, each):
    """A drawing is handed in as a file; the grader sees the picture that the library has drawn."""
    for name, value in (("responseformat", "editorfilepicker"), ("responserequired", 0), ("responsefieldlines", 10),
                        ("minwordlimit", ""), ("maxwordlimit", ""), ("attachments", 1), ("attachmentsrequired", 0),
                        ("maxbytes", 0), ("filetypeslist", "")):
        plain(root, name, value)
    words = str(each.picture).replace('"', "'").replace("\n", "; ")
    picture = ElementTree.Element("img", src="@@PLUGINFILE@@/graph.svg", alt=words)
    info = text(root, "graderinfo", ElementTree.tostring(picture, encoding="unicode") + paper.prose(each.why),
                format="html")
    file = ElementTree.SubElement(info, "file", name="graph.svg", path="/", encoding="base64")
    file.text = base64.b64encode(each.picture.svg.encode("utf-8")).decode("ascii")
    text(root, "responsetemplate", "", format="html")


SPECIAL = {"choice": multichoice, "number": numerical, "text": shortanswer, "drawing": essay}


def answer(root, written, choice, format):
    found = text(root, "answer", written, fraction="100" if choice.right else "0", format=format)
    text(found, "feedback", paper.prose(choice.why), format="html")
    return found


def text(parent, name, content, **attributes):
    found = ElementTree.SubElement(parent, name, attributes)
    ElementTree.SubElement(found, "text").text = content
    return found


def plain(parent, name, content):
    ElementTree.SubElement(parent, name).text = str(content)
