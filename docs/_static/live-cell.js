/* A cell of a tutorial, and an exercise: its buttons, its editor, and what it writes. */

import { busily } from "./live-bar.js";
import { button, make } from "./live-dom.js";
import { marked, openEditor } from "./live-editor.js";
import { PAGE, edits, keep, kept, progress, titleOf } from "./live-kept.js";
import { Output } from "./live-output.js";
import { python } from "./live-python.js";

const OUTPUT = ".sphx-glr-script-out, .sphx-glr-single-img, .sphx-glr-horizontal, .output_subarea";

/** What is run on the page, in its order. */
export const cells = [];

export class Cell {
  /** `block` shows the code; `check` is the source of an exercise's check. */
  constructor(block, number, check) {
    this.block = block;
    this.check = check;
    this.stage = block.classList.contains("stage");
    this.title = check && titleAbove(block);
    this.key = `minigrad exercise ${PAGE} ${this.title}`;
    this.name = check ? `exercise ${number}` : `cell ${number}`;
    this.source = this.original = block.querySelector("pre").textContent.replace(/\n$/, "");
    // Two cells of the same code are kept apart by what no code ends with.
    this.keptAs = this.original + "\n".repeat(cells.filter((cell) => cell.original === this.original).length);
    this.ran = false;
    this.endedPython = false;               // it had to be ended with Python, or ended it, and has not changed since
    this.output = new Output(`Output of ${this.name}`);
    this.run = button("Run", `Run ${this.name}`, () => this.start(false));
    this.edit = button("Edit", `Edit ${this.name}`, () => this.open());
    this.restore = button("Reset", `Reset the code of ${this.name}`, () => this.reset());
    this.tools = make("div", { className: "live-tools" }, this.run, this.edit);
    this.run.classList.add("live-run");
    if (check) {
      const checking = button("Check", `Check ${this.name}`, () => this.start(true));
      checking.classList.add("live-run");
      this.tools.append(checking);
    }
    this.still = [];                        // the output that was there when the page was built
    let next = block.nextElementSibling;
    for (; next?.matches(OUTPUT); next = next.nextElementSibling) this.still.push(next);
    this.same = next?.matches(".cell-notes") ? next.querySelector(".same-in-pytorch") : null;
    block.after(this.tools, this.output.element);
  }

  get isChanged() { return this.source !== this.original; }

  /** The code that has run where this cell does. */
  get above() {
    const runs = (cell) => this.check ? this.stage && cell.stage : !cell.check;
    const before = cells.slice(0, cells.indexOf(this)).filter(runs);
    return before.map((cell) => cell.source).join("\n");
  }

  /** What Python is asked to run: a stage goes on from the stages before it. */
  get program() {
    if (!this.stage) return this.source;
    return cells.slice(0, cells.indexOf(this) + 1).filter((cell) => cell.stage).map((cell) => cell.source).join("\n\n");
  }

  async open() {
    await this.edited();
    this.editor?.focus();
  }

  /** The editor in place of the code, once its script is there. */
  edited() {
    const opening = this.opening ??= openEditor(`Code of ${this.name}`, this.source, {
      changed: (text) => this.change(text), run: () => this.start(Boolean(this.check)), above: () => this.above,
    }).then((editor) => {
      if (this.opening !== opening) return;                     // the cell was reset before it came
      this.editor = editor;
      this.block.before(editor.element);
      this.block.hidden = true;
    });
    return opening;
  }

  /** Show what was written when the page was last open, without the output of the code that the site has. */
  reopen() {
    const text = this.check ? kept(this.key) : edits.of(this.keptAs);
    if (!text) return;
    this.source = text;
    this.edited();
    this.showChange();
    for (const element of this.still) element.hidden = true;
  }

  change(text) {
    this.source = text;
    this.endedPython = false;
    const written = this.isChanged ? text : null;
    if (this.check) keep(this.key, written);
    else edits.keep(this.keptAs, written);
    this.showChange();
  }

  /** Reset is there for code that was changed. What was compared with PyTorch is the code of the page. */
  showChange() {
    if (this.isChanged) this.tools.append(this.restore);
    else this.restore.remove();
    let changed = false;
    for (const cell of cells.filter((cell) => !cell.check)) {
      changed ||= cell.isChanged;
      if (cell.same) cell.same.hidden = changed;
    }
  }

  /** As it was when the page was built. */
  reset() {
    this.change(this.original);
    this.editor?.remove();
    this.editor = this.opening = null;
    this.block.hidden = false;
    this.ran = false;
    this.clear();
    for (const element of this.still) element.hidden = false;
  }

  /** Leave no output of an earlier run, and none that was there when the page was built. */
  clear() {
    this.output.clear();
    this.mark(0);
    for (const element of this.still) element.hidden = true;
  }

  /** Mark the line at which an error was raised; line 0 is none. */
  mark(line) {
    marked(this.block.querySelector("pre"), line);
    this.editor?.mark(line);
  }

  /** Run the cells above that have not run, up to one that fails, and then this one. */
  start(checking) {
    if (python.ask) return undefined;
    const above = this.check ? [] : cells.slice(0, cells.indexOf(this)).filter((cell) => !cell.check && !cell.ran);
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
    if (checking && answer.outcome === "done") progress.mark(this.title, cells.filter((cell) => cell.check).length);
    this.output.settle(answer.outcome);
    return answer;
  }
}

/** The title of an exercise: the rubric above its starter. */
function titleAbove(block) {
  let above = block.previousElementSibling;
  while (above && !above.matches("p.rubric")) above = above.previousElementSibling;
  return above ? titleOf(above) : "";
}
