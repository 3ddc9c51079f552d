/* A cell: code in an editor, Python's answer, and the cells above that have to run first. */

import { busily } from "./live-bar.js";
import { openEditor } from "./live-editor.js";
import { Output } from "./live-output.js";
import { python } from "./live-python.js";

/** What is run on the page, in its order. */
export const cells = [];

export class Cell {
  check = null;                             // what an exercise is checked with
  ran = false;
  endedPython = false;                      // it had to be ended with Python, or ended it, and has not changed since
  editor = null;
  opening = null;

  constructor(name, source) {
    this.name = name;
    this.source = source;
    this.output = new Output(`Output of ${name}`);
  }

  /** The cells that run before this one, and leave it their variables. */
  get before() { return cells.slice(0, cells.indexOf(this)).filter((cell) => cell.isCode && !cell.check); }

  get isCode() { return true; }

  /** What Python is asked to run. */
  get program() { return this.source; }

  /** Make the editor, once its script is there, and have `place` put it somewhere. */
  edited(place) {
    const opening = this.opening ??= openEditor(`Code of ${this.name}`, this.source, {
      changed: (text) => this.change(text), run: () => this.start(Boolean(this.check)),
      above: () => this.before.map((cell) => cell.source).join("\n"),
    }).then((editor) => {
      if (this.opening !== opening) return;                     // the cell was reset before it came
      this.editor = editor;
      place(editor.element);
    });
    return opening;
  }

  change(text) {
    this.source = text;
    this.endedPython = false;
  }

  /** Leave no output of an earlier run. */
  clear() {
    this.output.clear();
    this.mark(0);
  }

  /** Mark the line at which an error was raised; line 0 is none. */
  mark(line) {
    this.editor?.mark(line);
  }

  /** Run the cells above that have not run, up to one that fails, and then this one. */
  start(checking = false) {
    if (python.ask) return undefined;
    const above = this.check ? [] : this.before.filter((cell) => !cell.ran);
    const left = above.filter((cell) => cell.endedPython).map((cell) => cell.name).join(", ");
    return busily(async () => {
      for (const cell of above.filter((cell) => !cell.endedPython)) {
        const answer = await cell.execute(false);
        if (answer.outcome !== "done") {
          this.clear();
          const how = answer.outcome === "stopped" ? "was stopped" : "ended with an error";
          this.output.text(`Not run: ${cell.name} above ${how}. Run tries this cell alone.\n`);
          return answer;
        }
      }
      const said = left && `Left out: ${left}, since Python had to be ended there. Run that cell to try it again.\n`;
      return this.execute(checking, said);
    });
  }

  /** Run this cell; `said` is written above its output. */
  async execute(checking, said = "") {
    this.clear();
    if (said) this.output.text(said);
    this.ran = true;
    const before = this.program.split("\n").length - this.source.split("\n").length;       // lines of other stages
    const answer = await python.run({ kind: "run", code: this.program, check: checking ? this.check : "",
                                      apart: Boolean(this.check), name: this.name }, this.output,
                                    (line) => this.mark(line - before));
    this.endedPython = Boolean(answer.ended);
    this.output.settle(answer.outcome);
    return answer;
  }
}
