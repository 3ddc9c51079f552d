/* Homework: the judge, and the editor that a page of homework has below the commands. */

import { busily } from "./live-bar.js";
import { button, make } from "./live-dom.js";
import { openEditor } from "./live-editor.js";
import { keep, kept } from "./live-kept.js";
import { Output } from "./live-output.js";
import { python } from "./live-python.js";

const WORKSHOP = new URL("../workshop.html", import.meta.url);

/** Where the browser keeps what is written on the page of an assignment. */
export const keyOf = (name) => `minigrad homework ${name}`;

/** Check a submission; the report goes below it. */
export function judge(name, code, output) {
  if (python.ask) return undefined;
  output.clear();
  return busily(async () => {
    const answer = await python.run({ kind: "homework", name, code }, output);
    output.settle(answer.outcome);
    return { ...answer, said: answer.value };
  });
}

/** An editor below the commands.  What is written is kept in the browser until Reset. */
export class Homework {
  constructor(block, name) {
    this.name = name;
    this.key = keyOf(name);
    this.output = new Output("What the judge says");
    this.begin = button("Write it here", `Write ${name} in this page`, () => this.open());
    this.begin.classList.add("live-run");
    const link = make("a", { href: `${WORKSHOP.href}#homework=${name}` }, "Open in the workshop");
    this.tools = make("div", { className: "live-tools" }, this.begin, link);
    block.after(this.tools, this.output.element);
  }

  async open() {
    const text = kept(this.key);
    if (text !== null) {
      python.warm();                        // it loads while the reader writes
      return this.show(text);
    }
    if (python.ask) return undefined;
    return busily(async () => {
      const answer = await python.run({ kind: "starter", name: this.name }, this.output);
      if (answer.outcome === "done") await this.show(answer.value);
      return answer;
    });
  }

  async show(text) {
    const run = () => this.start();
    this.source = text;
    this.editor = await openEditor(`Your ${this.name}.py`, text, { changed: (now) => this.change(now), run,
                                                                   above: () => "" });
    const check = button("Check", `Check ${this.name}`, run);
    check.classList.add("live-run");
    this.tools.before(this.editor.element);
    this.begin.replaceWith(check);
    this.check = check;
    this.editor.focus();
  }

  change(text) {
    this.source = text;
    keep(this.key, text);
  }

  start() {
    return judge(this.name, this.source, this.output);
  }

  reset() {
    keep(this.key, null);
    this.output.clear();
    this.editor?.remove();
    this.check?.replaceWith(this.begin);
  }
}
