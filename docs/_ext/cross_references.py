"""Links in the sources as pages: to files, Notes, functions of other files, rows and errors; and who calls a function.

Imports say where a name comes from, and everything here follows from them: a name that a file imports is a link to its
definition, and a function is called by those that have its name, imported or of the same file, before a parenthesis.
So methods are not linked, nor is what is only passed on.  The links are put into the finished HTML of a page,
whose code pygments has divided into words.
"""

import re
from bisect import bisect_right
from functools import cached_property
from html import escape
from pathlib import Path

from literate import page_of
from table_of_ops import PLACES, published_as, rows_of

#: so many callers are named at a function; all of them at the end of the page, if there are more
SHOWN = 3

FUNCTION = re.compile(r"( *)(?:cpdef|cdef|(?:async )?def)\b[^(=\n#]*?(\w+)\(")
CLASS = re.compile(r"( *)(?:(?:cdef |ctypedef )?class|c(?:type)?def (?:public |packed )?(?:struct|enum|union)) (\w+)")
VALUES = re.compile(r"((?:\w+, )*\w+) = ")
IMPORT = re.compile(r"^ *from ([\w.]+) c?import (\([^)]*\)|(?:[^\n\\#]|\\\n)*)", re.MULTILINE)
NOTE = re.compile(r"^(?:# )?Note \[([^\]]+)\]\n(?:# )?-{4,}$", re.MULTILINE)
CALL = re.compile(r"(?<![\w.])(?:(\w+)\.)?(\w+)\(")
STRINGS = re.compile(r'"""(?:[^\\]|\\.)*?"""|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|#[^\n]*', re.DOTALL)

CODE = re.compile(r'(<div class="literate .*?</pre></div>\s*</div>)', re.DOTALL)
LINE = re.compile(r'^(.*?<span class="linenos"> *(\d+)</span>)(.*)$', re.DOTALL)
WORD = re.compile(r'(<span class="o">\.</span>)?<span class="(n|nc|nf|nn|kt|nb)">([\w.]+)</span>'
                  r'(?!<span class="o">=</span>)')
WORDS = re.compile(r'(<span class="(?:c|c1|sd|s|s1|s2)">)(.*?)(</span>)')
TAG = re.compile(r"(<[^>]*>)")
PLACE = re.compile(r"Note \[(?P<note>[^\]]+)\]|(?<![\w/.-])(?P<file>(?:[\w-]+/)*[\w-]+\.(?:pyx|pxd|py))\b|"
                   r"\b(?P<error>MG\d{3})\b")
ROW = re.compile(r"^(&quot;)(\w+)(?=\()")
RUBRIC = re.compile(r'<p class="rubric">Note \[([^\]]+)\]</p>')


def slug(note):
    return "note-" + re.sub(r"\W+", "-", note.lower()).strip("-")


class Source:
    """One file: what it defines and imports, and which of its functions calls what."""

    def __init__(self, name, text):
        self.name, self.text = name, text
        self.page = page_of(name)
        self.module = name.rpartition(".")[0].replace("/", ".").removesuffix(".__init__")
        self.lines, self.owners = {}, []            # name -> line; (line, the definition at the margin, in full)
        # Strings and comments become blanks, so that lines keep their numbers.
        self.bare = STRINGS.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
        owner = ""
        for number, line in enumerate(self.bare.splitlines(), 1):
            if found := FUNCTION.match(line) or CLASS.match(line):
                if not found[1]:
                    owner = found[2]
                    self.lines.setdefault(owner, number)
                self.owners.append((number, owner, owner if not found[1] else f"{owner}.{found[2]}".lstrip(".")))
            elif line[:1].strip() and not line.startswith((")", "]", "}")):
                owner = ""
                self.owners.append((number, "", ""))
                if found := VALUES.match(line):
                    for each in found[1].split(", "):
                        self.lines.setdefault(each, number)

    @cached_property
    def imports(self):
        """{name here: (module, name there)}"""
        found = {}
        for module, names in IMPORT.findall(self.bare):
            for one in re.sub(r"[()\\\s]+", " ", names).split(","):
                there, _, here = one.strip().partition(" as ")
                if there:
                    found[here or there] = module, there
        return found

    @cached_property
    def whole(self):
        """The modules of which everything is imported."""
        return [module for module, names in IMPORT.findall(self.bare) if names.strip() == "*"]

    def calls(self):
        """(the name before a dot or "", the called name, the margin's definition around it, in full, line)."""
        starts = [number for number, _, _ in self.owners]
        for number, line in enumerate(self.bare.splitlines(), 1):
            at = bisect_right(starts, number) - 1
            if at >= 0 and self.owners[at][1] and self.owners[at][0] != number:
                for before, name in CALL.findall(line):
                    yield before, name, *self.owners[at][1:], number


class Sources:
    """All files, and what leads from one to the other."""

    def __init__(self, root):
        paths = sorted(path for ending in ("py", "pyx", "pxd") for path in Path(root).glob(f"minigrad/**/*.{ending}"))
        self.files = [Source(path.relative_to(root).as_posix(), path.read_text(encoding="utf-8"))
                      for path in paths if path.stat().st_size]
        self.modules, self.notes, self.endings = {}, {}, {}
        for file in sorted(self.files, key=lambda file: file.name.endswith(".pxd")):        # definitions come first
            self.modules.setdefault(file.module, []).append(file)
            for note in NOTE.findall(file.text):
                self.notes.setdefault(note, file)
            parts = file.name.split("/")
            for i in range(len(parts)):
                self.endings.setdefault("/".join(parts[i:]), []).append(file)
        self.callers = {}
        for file in self.files:
            for before, name, owner, within, _ in file.calls():
                if before:
                    module = self.module_of(file, before)
                    target = self.definition(module, name) if module else None
                elif name in file.lines:
                    target = file, name
                else:
                    target = self.target(file, name)
                if target and (target[0].module, target[1]) != (file.module, owner):
                    here = self.callers.setdefault((target[0].module, target[1]), {})
                    here.setdefault((file.module, within), (file, owner, within))

    def module_of(self, file, name):
        """The module that a name of the file stands for, or None."""
        module, there = file.imports.get(name, ("", ""))
        whole = f"{module}.{there}"
        return whole if whole in self.modules else None

    def target(self, file, name):
        """(file, name) of the definition of what is imported, or None."""
        return self.definition(*file.imports[name]) if name in file.imports else None

    def definition(self, module, name, depth=0):
        for file in self.modules.get(module, ()):
            if name in file.lines:
                return file, name
        for file in self.modules.get(module, ()):
            if name in file.imports and depth < 5:
                return self.definition(*file.imports[name], depth + 1)
            for whole in file.whole if depth < 5 else ():
                if found := self.definition(whole, name, depth + 1):
                    return found
        return None

    def file_called(self, name, here):
        """The file that a text means: the only one whose path ends so, or the only one of them in the same folder."""
        found = self.endings.get(name, [])
        near = [file for file in found if file.name.rpartition("/")[0] == here.name.rpartition("/")[0]]
        found = found if len(found) == 1 else near
        return found[0] if len(found) == 1 else None


class Linker:
    """Puts the links into the HTML of a page."""

    def __init__(self, sources, rows, errors):
        self.sources, self.rows, self.errors = sources, rows, errors
        self.pages = {}
        for file in sources.files:
            self.pages.setdefault(file.page, []).append(file)

    def html(self, page, body):
        files = self.pages[page]
        main = next((file for file in files if not file.name.endswith(".pxd")), files[0])
        text, declared, rest = body.partition("<h2>Declarations: ")
        more = {}
        result = self.part(main, text, more, set())
        if declared:
            other = next(file for file in files if file.name.endswith(".pxd"))
            result += declared + self.part(other, rest, more, {*main.lines})
        return result + self.all_callers(main, more)

    def part(self, file, body, more, known):
        pieces = CODE.split(body)
        for i, piece in enumerate(pieces):
            if i % 2:
                lines = [self.line(file, line, more, known) for line in piece.split("\n")]
                pieces[i] = "\n".join(lines)
            else:
                pieces[i] = self.prose(file, piece)
        return "".join(pieces)

    def address(self, file, name=""):
        return f"{file.page}.html" + (f"#def-{name}" if name else "")

    # -------------------------------------------------------------------------- code

    def line(self, file, line, more, known):
        if not (found := LINE.match(line)):
            return line
        before, number, code = found[1], int(found[2]), found[3]
        module = None

        def linked(match):
            nonlocal module
            dot, kind, name = match.groups()
            target, earlier, module = None, module, None
            if dot:
                target = self.sources.definition(earlier, name) if earlier else None
            elif kind == "nn":
                inside, *_ = self.sources.modules.get(name, [file])
                return self.link(match[0], self.address(inside)) if inside.page != file.page else match[0]
            else:
                module = self.sources.module_of(file, name)
                target = self.sources.target(file, name)
                if module and not target:
                    return self.link(match[0], self.address(self.sources.modules[module][0]))
            if target is None or target[0].page == file.page:
                return match[0]
            dot = dot or ""
            return dot + self.link(match[0][len(dot):], self.address(*target))

        code = WORD.sub(linked, code)
        code = WORDS.sub(lambda match: match[1] + self.text(file, match[2], kind=match[1]) + match[3], code)
        for name in [name for name, at in file.lines.items() if at == number and name not in known]:
            place = re.compile(rf'<span class="(\w+)">{name}</span>')
            code, count = place.subn(rf'<span class="\1" id="def-{name}">{name}</span>', code, count=1)
            if not count:
                code = f'<span id="def-{name}"></span>{code}'
            code += self.callers(file, name, more)
        return before + code

    def link(self, shown, address):
        return f'<a class="source" href="{address}">{shown}</a>'

    def callers(self, file, name, more):
        found = [*self.sources.callers.get((file.module, name), {}).values()]
        if not found:
            return ""
        links = ", ".join([self.caller(file, each) for each in found[:SHOWN]])
        if len(found) > SHOWN:
            more[name] = found
            links += f' and <a href="#callers-of-{name}">{len(found) - SHOWN} more</a>'
        return f'<span class="callers" data-pagefind-ignore>  called by {links}</span>'

    def caller(self, file, found):
        other, owner, within = found
        place = "" if other.page == file.page else f"{other.page}.html"
        return f'<a href="{place}#def-{owner}">{escape(within)}</a>'

    def all_callers(self, file, more):
        if not more:
            return ""
        rows = "".join(
            f'<dt id="callers-of-{name}"><a href="#def-{name}"><code>{name}</code></a></dt>'
            f'<dd>{", ".join([self.caller(file, each) for each in found])}</dd>' for name, found in more.items())
        return f'<dl class="all-callers" data-pagefind-ignore aria-label="Who calls these functions">{rows}</dl>'

    # -------------------------------------------------------------------------- prose and comments

    def text(self, file, words, kind=""):
        """The words, with links to the files, Notes and errors that they name and to the row that they begin with."""
        words = PLACE.sub(lambda match: self.place(file, match), words)
        if kind.endswith('s2">') and file.name.startswith("minigrad/ops/"):
            words = ROW.sub(lambda match: match[1] + (self.link(match[2], self.rows[match[2]]) if match[2] in self.rows
                                                      else match[2]), words)
        return words

    def place(self, file, match):
        if match["note"]:
            other = self.sources.notes.get(match["note"])
            address = other and (f"{other.page}.html" if other.page != file.page else "") + "#" + slug(match["note"])
        elif match["file"]:
            other = self.sources.file_called(match["file"], file)
            address = other and other.page != file.page and self.address(other)
        else:
            address = match["error"] in self.errors and f"../errors/{match['error']}.html"
        return self.link(match[0], address) if address else match[0]

    def prose(self, file, piece):
        piece = RUBRIC.sub(lambda match: f'<p class="rubric" id="{slug(match[1])}">Note [{match[1]}]</p>', piece)
        result, inside = [], 0                      # inside a link, a heading or a Note's title
        for part in TAG.split(piece):
            if part.startswith("<"):
                if re.match(r'<(a|h\d|p class="rubric")(?=[ >])', part):
                    inside += 1
                elif inside and re.match(r"</(a|h\d|p)>", part):
                    inside -= part != "</p>" or result[-1].startswith("Note [")
            elif part.strip() and not inside:
                part = self.name_in_prose(file, part) if result and result[-1] == '<span class="pre">' else self.text(
                    file, part)
            result.append(part)
        return "".join(result)

    def name_in_prose(self, file, part):
        target = self.sources.target(file, part.removesuffix("()"))
        if target and target[0].page != file.page:
            return self.link(part, self.address(*target))
        return self.text(file, part)


def rows_in(env):
    """{name of a row: where its operation is described, from a page of reading/}"""
    objects, found = env.domaindata["py"]["objects"], {}
    for _, registry in PLACES:
        for function in registry.values():
            described = objects.get(".".join(published_as(function)))
            for row in rows_of(function) if described else ():
                found.setdefault(row.name, f"../{described.docname}.html#{described.node_id}")
    return found


def with_links(app, page, template, context, doctree):
    folder, _, name = page.partition("/")
    if folder != "reading" or "body" not in context:
        return
    if not hasattr(app, "minigrad_linker"):
        errors = {each.rpartition("/")[2] for each in app.env.found_docs if each.startswith("errors/")}
        app.minigrad_linker = Linker(Sources(app.config.literate_root), rows_in(app.env), errors)
    context["body"] = app.minigrad_linker.html(name, context["body"])


def setup(app):
    app.connect("html-page-context", with_links)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
