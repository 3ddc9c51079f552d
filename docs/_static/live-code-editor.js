/* Where code is written: CodeMirror, with the colours of the page's own code. */

import {
  Compartment, Decoration, EditorState, EditorView, Prec, acceptCompletion, autocompletion, bracketMatching,
  closeBrackets, closeBracketsKeymap, completionKeymap, defaultKeymap, history, historyKeymap, hoverTooltip, indentLess,
  indentMore, indentOnInput, indentUnit, keymap, python, syntaxHighlighting, tagHighlighter, tags,
} from "./live-codemirror.js";
import { make } from "./live-dom.js";
import { Help } from "./live-help.js";

const KEYS = "Ctrl+Enter runs it. Tab indents; Escape, then Tab, leaves it.";
/** The classes that Pygments gives to code: the page's style sheet has their colours, for light and dark. */
const colours = tagHighlighter([
  { tag: [tags.keyword, tags.self], class: "k" },
  { tag: tags.moduleKeyword, class: "kn" },
  { tag: [tags.operatorKeyword], class: "ow" },
  { tag: [tags.bool, tags.null], class: "kc" },
  { tag: [tags.string, tags.special(tags.string)], class: "s2" },
  { tag: tags.escape, class: "se" },
  { tag: tags.number, class: "mf" },
  { tag: tags.comment, class: "c1" },
  { tag: tags.operator, class: "o" },
  { tag: tags.meta, class: "nd" },
  { tag: tags.function(tags.definition(tags.variableName)), class: "nf" },
  { tag: tags.definition(tags.className), class: "nc" },
]);

let made = 0;

/** As Editor in live-editor.js; `above` gives the code of the cells above, which says what names are. */
export class CodeEditor {
  constructor(label, text, { changed, run, above }) {
    const help = new Help(above), keys = `live-keys-${++made}`;
    const running = () => { run(); return true; };
    this.marking = new Compartment();
    this.view = new EditorView({ state: EditorState.create({ doc: text, extensions: [
      Prec.highest(keymap.of(["Mod-Enter", "Ctrl-Enter", "Shift-Enter"].map((key) => ({ key, run: running })))),
      keymap.of([{ key: "Tab", run: (view) => acceptCompletion(view) || indent(view), shift: indentLess },
                 ...closeBracketsKeymap, ...completionKeymap, ...historyKeymap, ...defaultKeymap]),
      history(), python(), indentUnit.of("    "), EditorState.tabSize.of(4), indentOnInput(), bracketMatching(),
      closeBrackets(), syntaxHighlighting(colours), this.marking.of([]),
      autocompletion({ override: [(context) => help.complete(context)], icons: false }),
      hoverTooltip((view, at) => help.hover(view, at)),
      EditorView.contentAttributes.of({ "aria-label": label, "aria-describedby": keys, tabindex: "0" }),
      EditorView.domEventHandlers({ keydown: (event) => event.stopPropagation() }),     // no shortcut of the theme
      EditorView.updateListener.of((update) => { if (update.docChanged) changed(update.state.doc.toString()); }),
    ] }) });
    this.element = make("div", { className: "live-editor highlight" }, this.view.dom,
                        make("p", { id: keys, className: "live-keys" }, KEYS));
  }

  focus() {
    this.view.focus();
  }

  rename(label) {
    this.view.contentDOM.setAttribute("aria-label", label);
  }

  remove() {
    this.view.destroy();
    this.element.remove();
  }

  mark(line) {
    const at = (view) => line > 0 && line <= view.state.doc.lines
      ? Decoration.set([Decoration.line({ class: "live-marked-line" }).range(view.state.doc.line(line).from)])
      : Decoration.none;
    this.view.dispatch({ effects: this.marking.reconfigure(EditorView.decorations.of(at)) });
  }
}

/** Tab: spaces up to the next stop, or the selected lines further in. */
function indent(view) {
  const { from, to } = view.state.selection.main;
  if (from !== to) return indentMore(view);
  const spaces = 4 - (from - view.state.doc.lineAt(from).from) % 4;
  view.dispatch(view.state.update(view.state.replaceSelection(" ".repeat(spaces)), { userEvent: "input" }));
  return true;
}
