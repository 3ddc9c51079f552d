/* A cell of a tutorial, and an exercise: the code of a page, with its buttons. */

import { Cell, cells } from "./live-cell.js";
import { button, make } from "./live-dom.js";
import { marked } from "./live-editor.js";
import { PAGE, edits, keep, kept, progress, titleOf } from "./live-kept.js";
import { python } from "./live-python.js";

const OUTPUT = ".sphx-glr-script-out, .sphx-glr-single-img, .sphx-glr-horizontal, .output_subarea";

export class PageCell extends Cell {
  /** `block` shows the code; `check` is the source of an exercise's check. */
  constructor(block, number, check) {
    super(check ? `exercise ${number}` : `cell ${number}`, block.querySelector("pre").textContent.replace(/\n$/, ""));
    this.block = block;
    this.check = check;
    this.stage = block.classList.contains("stage");
    this.title = check && titleAbove(block);
    this.key = `minigrad exercise ${PAGE} ${this.title}`;
    this.original = this.source;
    // Two cells of the same code are kept apart by what no code ends with.
    this.keptAs = this.original + "\n".repeat(cells.filter((cell) => cell.original === this.original).length);
    this.restore = button("Reset", `Reset the code of ${this.name}`, () => this.reset());
    const run = button("Run", `Run ${this.name}`, () => this.start());
    this.tools = make("div", { className: "live-tools" }, run,
                      button("Edit", `Edit ${this.name}`, () => this.open()));
    run.classList.add("live-run");
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

  get before() {
    if (!this.check) return super.before;
    return this.stage ? cells.slice(0, cells.indexOf(this)).filter((cell) => cell.stage) : [];
  }

  /** A stage goes on from the stages before it. */
  get program() {
    return this.stage ? [...this.before, this].map((cell) => cell.source).join("\n\n") : this.source;
  }

  /** Python loads while the reader types. */
  async open() {
    python.warm();
    await this.edited();
    this.editor?.focus();
  }

  /** The editor takes the place of the code. */
  edited() {
    return super.edited((element) => {
      this.block.before(element);
      this.block.hidden = true;
    });
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
    super.change(text);
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

  clear() {
    super.clear();
    for (const element of this.still) element.hidden = true;
  }

  mark(line) {
    super.mark(line);
    marked(this.block.querySelector("pre"), line);
  }

  async execute(checking, said) {
    const answer = await super.execute(checking, said);
    if (checking && answer.outcome === "done") progress.mark(this.title, cells.filter((cell) => cell.check).length);
    return answer;
  }
}

/** The title of an exercise: the rubric above its starter. */
function titleAbove(block) {
  let above = block.previousElementSibling;
  while (above && !above.matches("p.rubric")) above = above.previousElementSibling;
  return above ? titleOf(above) : "";
}
