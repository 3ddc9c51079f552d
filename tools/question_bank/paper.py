"""An exam on paper, and its solutions: pages without anything to fetch, which a browser prints to PDF."""

import html
import re

from tools.question_bank import bank

STYLE = """
@page { size: A4; margin: 18mm 17mm; }
body { font: 11pt/1.45 "Source Serif 4", Georgia, "DejaVu Serif", serif; color: #111; max-width: 46em; margin: 2em auto;
       padding: 0 1em; }
h1 { font-size: 1.5em; margin: 0 0 .2em; }
header { border-bottom: 1.5pt solid #111; padding-bottom: .8em; margin-bottom: 1.4em; }
header .who { display: flex; gap: 2em; margin: 1.2em 0 .8em; }
header .who span { flex: 1; border-bottom: .6pt solid #555; padding-bottom: .2em; color: #555; }
section { break-inside: avoid; margin: 0 0 1.9em; }
h2 { font-size: 1.05em; margin: 0 0 .3em; display: flex; justify-content: space-between; }
h2 .points { font-weight: normal; font-size: .9em; color: #444; }
p { margin: .35em 0; }
pre { background: #f4f4f2; border-left: 2.5pt solid #0b6e6e; padding: .55em .8em; margin: .6em 0; white-space: pre-wrap;
      -webkit-print-color-adjust: exact; print-color-adjust: exact; }
pre, code { font-family: "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: .84em; line-height: 1.4; }
ol { list-style: none; padding: 0; margin: .6em 0; }
ol li { display: flex; gap: .7em; margin: .3em 0; align-items: baseline; break-inside: avoid; }
ol li .box { flex: none; width: 1.6em; height: 1.6em; line-height: 1.6em; text-align: center; border: .8pt solid #333;
             border-radius: .2em; font: bold .85em sans-serif; line-height: 1.6em; }
ol li > :last-child { flex: 1; margin: 0; }
ol li pre { margin: 0; }
ol li.right .box { background: #0b6e6e; color: #fff; -webkit-print-color-adjust: exact; print-color-adjust: exact; }
ol li .why { color: #333; }
.answer { border-bottom: .6pt solid #555; height: 2.1em; width: 60%; }
.canvas { border: .8pt solid #999; height: 80mm; margin-top: .6em; }
.work { height: 12mm; }
.solutions section { break-inside: auto; }
h2, .solutions figure, .solutions pre { break-inside: avoid; }
h2, h2 + p { break-after: avoid; }
figure { margin: .8em 0; }
figure svg { max-width: 100%; max-height: 95mm; height: auto; }
.name { color: #666; font-size: .82em; font-family: sans-serif; font-weight: normal; }
"""


def inline(text):
    """A line of text: what is between backticks is code, and what is between asterisks is stressed."""
    parts = html.escape(text, quote=False).split("`")
    parts[::2] = [re.sub(r"\*(\S[^*]*)\*", r"<em>\1</em>", part) for part in parts[::2]]
    return "".join([f"<code>{part}</code>" if i % 2 else part for i, part in enumerate(parts)])


def prose(text):
    return "".join([f"<p>{inline(' '.join(each.split()))}</p>" for each in text.strip().split("\n\n") if each.strip()])


def listing(code):
    return f"<pre>{html.escape(code, quote=False)}</pre>" if code else ""


def as_code(question, text):
    """An answer: programs and numbers in the font of programs, sentences as text."""
    sentence = question.options and not question.holds
    if sentence:
        return f"<span>{inline(text)}</span>"
    return listing(text) if "\n" in text else f"<code>{html.escape(text, quote=False)}</code>"


def exam_page(exam):
    """The exam as it is handed out."""
    return page(exam, [asked(number, each) for number, each in enumerate(exam.built(), 1)], "")


def solutions_page(exam):
    """The same with the answers: why the right one is right, and which mistake leads to each of the others."""
    return page(exam, [solved(number, each) for number, each in enumerate(exam.built(), 1)], ", solutions")


def page(exam, sections, suffix):
    known = bank.questions()
    points = sum([known[name].points for name in exam.names])
    minutes = sum([bank.MINUTES[known[name].difficulty] for name in exam.names])
    title = html.escape(exam.title + suffix)
    kind = "solutions" if suffix else "exam"
    who = "" if suffix else '<div class="who"><span>Name</span><span>ID</span></div>'
    return (f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
            f'<style>{STYLE}</style></head>\n<body class="{kind}"><header><h1>{title}</h1>{who}'
            f"<p>{len(sections)} questions, {points} points, about {minutes} minutes. Variant {exam.seed}.</p>"
            "<p>All programs begin with <code>import minigrad as torch</code>. Where there are letters, exactly one "
            f"answer is right.</p></header>\n{''.join(sections)}</body></html>\n")


def heading(number, each):
    points = each.question.points
    return (f'<h2><span>{number}.</span><span class="points">{points} point{"s" * (points != 1)}</span></h2>'
            f"{prose(each.text)}{listing(each.program)}")


def asked(number, each):
    kind = each.question.kind
    if kind == "choice":
        rest = letters([(as_code(each.question, choice.text), "") for choice in each.choices])
    elif kind == "drawing":
        rest = '<div class="canvas"></div>'
    else:
        rest = '<div class="work"></div><div class="answer"></div>'
    return f"<section>{heading(number, each)}{rest}</section>\n"


def solved(number, each):
    name = f'<p class="name">{each.question.name}, {each.question.page}</p>'
    if each.picture is not None:
        rest = f"<figure>{each.picture.svg}</figure>{prose(each.why)}"
    elif each.question.kind == "choice":
        rest = letters([(f'<div>{as_code(each.question, choice.text)}<div class="why">{prose(choice.why)}</div></div>',
                         ' class="right"' if choice.right else "") for choice in each.choices])
        rest += prose(each.why) if each.why != each.right.why else ""
    else:
        wrong = "".join([f"<p><code>{html.escape(choice.text)}</code>: {inline(choice.why)}</p>"
                         for choice in each.choices if not choice.right])
        rest = (f"<p><b>Answer:</b> <code>{html.escape(each.right.text)}</code></p>{prose(each.why)}"
                f"<p>Answers that show a mistake:</p>{wrong}")
    return f"<section>{heading(number, each)}{rest}{name}</section>\n"


def letters(answers):
    return "<ol>" + "".join([f'<li{mark}><span class="box">{letter}</span>{text}</li>'
                             for letter, (text, mark) in zip("ABCDEFGH", answers)]) + "</ol>"
