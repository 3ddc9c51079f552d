/* Where code is written: CodeMirror (live-code-editor.js), or a text area where its script is missing. */

import { make } from "./live-dom.js";

const KEYS = "Ctrl+Enter runs it";

/** An editor in place of nothing: its `element` has to be put somewhere.  `changed` is called with the text whenever it
    changes, and `run` when Ctrl+Enter is pressed; `above` gives the code of the cells above. */
export async function openEditor(label, text, handlers) {
  const found = await import("./live-code-editor.js").catch(() => null);
  return found ? new found.CodeEditor(label, text, handlers) : new PlainEditor(label, text, handlers);
}

class PlainEditor {
  constructor(label, text, { changed, run }) {
    this.element = make("textarea", { className: "live-editor", value: text, spellcheck: false, autocapitalize: "off",
                                      autocomplete: "off", title: KEYS });
    this.rename(label);
    this.element.addEventListener("input", () => {
      this.fit();
      changed(this.element.value);
    });
    this.element.addEventListener("keydown", (event) => {
      event.stopPropagation();              // a letter is no shortcut of the theme here
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey || event.shiftKey)) {
        event.preventDefault();
        run();
      }
    });
    this.fit();
  }

  fit() {
    this.element.rows = Math.min(40, this.element.value.split("\n").length + 1);
  }

  focus() {
    this.element.focus();
  }

  rename(label) {
    this.element.setAttribute("aria-label", `${label}; ${KEYS}`);
  }

  remove() {
    this.element.remove();
  }

  mark(line) {
    marked(this.element, line);
  }
}

/** Mark a line of an element, the one at which an error was raised; line 0 is none. */
export function marked(element, line) {
  element.classList.toggle("live-marked", line > 0);
  element.style.setProperty("--line", line - 1);
}
