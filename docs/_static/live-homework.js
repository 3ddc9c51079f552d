/* A page of homework: an editor below the commands, and the judge. */

import { busily } from "./live-bar.js";
import { button, make } from "./live-dom.js";
import { editor } from "./live-editor.js";
import { Output } from "./live-output.js";
import { python } from "./live-python.js";

/** An editor below the commands.  What is written is kept in the browser until Reset. */
export class Homework {
  constructor(block, name) {
    this.name = name;
    this.key = `minigrad homework ${name}`;
    this.output = new Output("What the judge says");
    this.begin = button("Write it here", `Write ${name} in this page`, () => this.open());
    this.begin.classList.add("live-run");
    this.tools = make("div", { className: "live-tools" }, this.begin);
    block.after(this.tools, this.output.element);
  }

  async open() {
    const kept = localStorage.getItem(this.key);
    if (kept !== null) return this.show(kept);
    if (python.ask) return undefined;
    return busily(async () => {
      const answer = await python.run({ kind: "starter", name: this.name }, this.output);
      if (answer.ok) this.show(answer.value);
      return answer;
    });
  }

  show(text) {
    const start = () => this.start();
    this.editor = editor(`Your ${this.name}.py`, text, start);
    this.editor.addEventListener("input", () => localStorage.setItem(this.key, this.editor.value));
    const check = button("Check", `Check ${this.name}`, start);
    check.classList.add("live-run");
    this.tools.before(this.editor);
    this.begin.remove();
    this.tools.append(check);
    this.check = check;
    this.editor.focus();
  }

  start() {
    if (python.ask) return undefined;
    this.output.clear();
    return busily(async () => {
      const answer = await python.run({ kind: "homework", name: this.name, code: this.editor.value }, this.output);
      this.output.element.classList.toggle("live-failed", !answer.ok);
      return answer;
    });
  }

  reset() {
    localStorage.removeItem(this.key);
    this.output.clear();
    this.editor?.remove();
    this.check?.remove();
    this.tools.append(this.begin);
  }
}
