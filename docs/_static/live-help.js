/* What an editor says of names: completion, and help below the pointer.  names.json has minigrad's names, made by
   tools/live/names.py with the rest of what the page runs on; without it, Python's and those of the cell are left. */

import { globalCompletion, localCompletionSource, syntaxTree } from "./live-codemirror.js";
import { make } from "./live-dom.js";
import { python } from "./live-python.js";

const IMPORT = /^\s*import\s+([\w.]+)(?:\s+as\s+(\w+))?/gm, FROM = /^\s*from\s+([\w.]+)\s+import\s+\(?([\w ,]+)/gm;
const ASSIGNMENT = /^\s*(\w+)\s*=\s*([\w.]+)\(/gm;
const TEXT = /String|Comment/;
// A variable of which nothing is known is a tensor: most of them are.
const TENSOR = "minigrad.Tensor";

/** {path of a module or class: {name: [signature, text, path of its members]}} */
let loading = null;
const names = () => loading ??= fetch(new URL("names.json", python.runtime))
  .then((response) => response.ok ? response.json() : {}).catch(() => ({}));

const own = (path) => path.replace(/^torch(?=$|\.)/, "minigrad");

export class Help {
  constructor(above) {
    this.above = above;
    names();
  }

  /** The paths of what names mean where `code` ends: {imported: {name: path}, variables: {name: path of its class}}. */
  known(all, code) {
    const known = { imported: { torch: "minigrad" }, variables: {} };
    for (const [, path, as] of code.matchAll(IMPORT)) {
      const first = path.split(".")[0];
      known.imported[as ?? first] = own(as ? path : first);
    }
    for (const [, path, list] of code.matchAll(FROM)) {
      for (const each of list.split(",")) {
        const [name, as] = each.trim().split(/\s+as\s+/);
        known.imported[as ?? name] = `${own(path)}.${name}`;
      }
    }
    for (const [, name, called] of code.matchAll(ASSIGNMENT)) {
      const entry = this.entry(all, known, called.split("."));
      if (entry) known.variables[name] = entry[2] ?? TENSOR;
    }
    return known;
  }

  /** The members of what a dotted name means, or undefined. */
  members(all, known, parts) {
    const [name] = parts, entry = this.entry(all, known, parts);
    if (parts.length > 1) return all[entry?.[2] ?? TENSOR];
    return all[known.variables[name] ?? entry?.[2] ?? known.imported[name] ?? TENSOR];
  }

  /** What is said of a dotted name that is not a variable, or undefined. */
  entry(all, known, parts) {
    if (parts.length > 1) return this.members(all, known, parts.slice(0, -1))?.[parts.at(-1)];
    const [, path, name] = /^(.*)\.(\w+)$/.exec(known.imported[parts[0]] ?? "") ?? [];
    return all[path]?.[name];
  }

  async complete(context) {
    if (TEXT.test(syntaxTree(context.state).resolveInner(context.pos, -1).name)) return null;
    const before = context.matchBefore(/[\w.]+$/);
    if (!before && !context.explicit) return null;
    const parts = (before?.text ?? "").split("."), from = context.pos - parts.at(-1).length;
    if (/^\d/.test(parts[0])) return null;             // the point of a number
    const all = await names(), known = this.known(all, `${this.above()}\n${context.state.doc.sliceString(0, from)}`);
    if (parts.length === 1) {
      const local = localCompletionSource(context)?.options ?? [], global = globalCompletion(context)?.options ?? [];
      const imported = Object.keys(known.imported).map((label) => ({ label, type: "variable" }));
      const options = new Map([...global, ...local, ...imported].map((each) => [each.label, each]));
      return { from, options: [...options.values()], validFor: /^\w*$/ };
    }
    const options = Object.entries(this.members(all, known, parts.slice(0, -1)) ?? {})
      .map(([label, entry]) => ({ label, type: "property", info: () => described(label, entry) }));
    return { from, options, validFor: /^\w*$/ };
  }

  async hover(view, at) {
    const line = view.state.doc.lineAt(at), code = line.text, place = at - line.from;
    if (TEXT.test(syntaxTree(view.state).resolveInner(at, 1).name)) return null;
    const start = /[\w.]*$/.exec(code.slice(0, place))[0].length, end = /^\w*/.exec(code.slice(place))[0].length;
    const word = code.slice(place - start, place + end), all = await names();
    const known = this.known(all, `${this.above()}\n${view.state.doc.sliceString(0, line.from)}`);
    const entry = word && this.entry(all, known, word.split("."));
    if (!entry) return null;
    const name = word.split(".").at(-1);
    return { pos: at + end - name.length, end: at + end, above: true, create: () => ({ dom: described(name, entry) }) };
  }
}

/** A name with its signature, and the beginning of its docstring. */
function described(name, [signature, text]) {
  const box = make("div", { className: "live-help" }, make("code", {}, name + (signature ?? "")));
  for (const paragraph of text.split("\n\n")) {
    if (paragraph.startsWith(">>>")) box.append(make("pre", {}, paragraph));
    else if (paragraph) box.append(make("p", {}, ...prose(paragraph)));
  }
  return box;
}

/** Text, and code between pairs of backticks. */
function prose(text) {
  return text.split("``").map((part, i) => i % 2 ? make("code", {}, part) : part);
}
