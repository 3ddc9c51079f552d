/* Where a cell writes. */

import { make } from "./live-dom.js";

/** What is below a cell: text and HTML, in the order in which they come. */
export class Output {
  constructor(name) {
    this.element = make("div", { className: "live-output", hidden: true });
    this.element.setAttribute("role", "region");
    this.element.setAttribute("aria-label", name);
  }

  clear() {
    this.element.replaceChildren();
    delete this.element.dataset.outcome;
    this.element.hidden = true;
  }

  /** How it ended: "done", "wrong", "stopped" or "failed". */
  settle(outcome) {
    this.element.dataset.outcome = outcome;
  }

  text(text) {
    this.element.hidden = false;
    let last = this.element.lastElementChild;
    if (last?.tagName !== "PRE") {
      last = make("pre", { tabIndex: 0 });
      this.element.append(last);
    }
    last.append(text);
    // What comes after a carriage return is written over the line, as in a terminal: a progress bar is one line.
    if (text.includes("\r") || this.returned) {
      const written = last.textContent.replace(/\r+\n/g, "\n");
      this.returned = written.endsWith("\r");
      last.textContent = written.replace(/[^\n]*\r(?!$)/g, "");
    }
  }

  /** As a fragment, because the scripts in `innerHTML`, such as the player's, would not run. */
  html(html) {
    this.element.hidden = false;
    const box = make("div", { className: "live-html" });
    this.element.append(box);
    box.append(document.createRange().createContextualFragment(html));
  }
}
