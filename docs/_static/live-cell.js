/* A cell of a tutorial, and an exercise: its buttons, its editor, and what it writes. */

import { busily } from "./live-bar.js";
import { button, make } from "./live-dom.js";
import { editor } from "./live-editor.js";
import { PAGE, progress, titleOf } from "./live-kept.js";
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
    this.original = block.querySelector("pre").textContent.replace(/\n$/, "");
    this.ran = false;
    this.output = new Output(`Output of ${this.name}`);
    this.run = button("Run", `Run ${this.name}`, () => this.start(false));
    this.edit = button("Edit", `Edit ${this.name}`, () => this.open());
    this.tools = make("div", { className: "live-tools" }, this.run, this.edit);
    this.run.classList.add("live-run");
    if (check) {
      const checking = button("Check", `Check ${this.name}`, () => this.start(true));
      checking.classList.add("live-run");
      this.tools.append(checking);
    }
    this.still = [];                      // the output that was there when the page was built
    for (let next = block.nextElementSibling; next?.matches(OUTPUT); next = next.nextElementSibling) {
      this.still.push(next);
    }
    block.after(this.tools, this.output.element);
    const kept = check && localStorage.getItem(this.key);
    if (kept) this.edited(kept);
  }

  get source() { return this.editor ? this.editor.value : this.original; }

  /** What Python is asked to run: a stage goes on from the stages before it. */
  get program() {
    if (!this.stage) return this.source;
    return cells.slice(0, cells.indexOf(this) + 1).filter((cell) => cell.stage).map((cell) => cell.source).join("\n\n");
  }

  open() {
    if (!this.editor) this.edited(this.original);
    this.editor.focus();
  }

  edited(text) {
    this.editor = editor(`Code of ${this.name}`, text, () => this.start(Boolean(this.check)));
    if (this.check) this.editor.addEventListener("input", () => localStorage.setItem(this.key, this.editor.value));
    this.block.before(this.editor);
    this.block.hidden = true;
  }

  reset() {
    if (this.check) localStorage.removeItem(this.key);
    this.editor?.remove();
    this.editor = null;
    this.block.hidden = false;
    this.ran = false;
    this.mark(0);
    this.output.clear();
    for (const element of this.still) element.hidden = false;
  }

  /** Mark the line at which an error was raised; line 0 is none. */
  mark(line) {
    for (const code of [this.block.querySelector("pre"), this.editor]) {
      code?.classList.toggle("live-marked", line > 0);
      code?.style.setProperty("--line", line - 1);
    }
  }

  /** Run the cells above that have not run, up to one that fails, and then this one. */
  start(checking) {
    if (python.ask) return undefined;
    const before = this.check ? [] : cells.slice(0, cells.indexOf(this)).filter((cell) => !cell.check && !cell.ran);
    return busily(async () => {
      for (const cell of before) {
        const answer = await cell.execute(false);
        if (!answer.ok) {
          const why = `Not run: ${cell.name} above ended with an error. Run tries this cell alone.\n`;
          if (!answer.stopped) this.output.text(why);
          return answer;
        }
      }
      return this.execute(checking);
    });
  }

  async execute(checking) {
    this.output.clear();
    this.mark(0);
    for (const element of this.still) element.hidden = true;
    this.ran = true;
    const before = this.program.split("\n").length - this.source.split("\n").length;       // lines of other stages
    const answer = await python.run({ kind: "run", code: this.program, check: checking ? this.check : "",
                                      apart: Boolean(this.check), name: this.name }, this.output,
                                    (line) => this.mark(line - before));
    if (checking && answer.ok) progress.mark(this.title, cells.filter((cell) => cell.check).length);
    this.output.element.classList.toggle("live-failed", !answer.ok);
    return answer;
  }
}

/** The title of an exercise: the rubric above its starter. */
function titleAbove(block) {
  let above = block.previousElementSibling;
  while (above && !above.matches("p.rubric")) above = above.previousElementSibling;
  return above ? titleOf(above) : "";
}
