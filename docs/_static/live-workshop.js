/* The workshop: a notebook of the reader's own in the page.  The browser keeps it; a link can bring another, which is
   only shown until Run is pressed, and kept only if the reader says so. */

import { busily } from "./live-bar.js";
import { Cell, cells } from "./live-cell.js";
import { button, make } from "./live-dom.js";
import { judge, keyOf } from "./live-homework.js";
import { keep, kept } from "./live-kept.js";
import { checked, fromFile, fromFragment, toFragment, toNotebook } from "./live-notebook.js";
import { pixels } from "./live-pixels.js";
import { python } from "./live-python.js";

const KEY = "minigrad workshop";
const HOMEWORK = /^#homework=(\w+)$/;
const EMPTY = { kind: "code", source: "" };
const FROM_LINK = "These cells came with a link. Nothing has run: read them first, since a cell that you run may do " +
                  "whatever this page may. Your own notebook is as you left it.";

/** A cell that can be moved; its number, and with it the names of its buttons, are those of its place. */
class WorkshopCell extends Cell {
  constructor(workshop, { kind, source, homework }) {
    super("cell", source);
    this.workshop = workshop;
    this.kind = kind;
    this.homework = homework;
    const check = homework ? [["Check", () => judge(homework, this.source, this.output)]] : [];
    this.buttons = [["Run", () => this.start()], ...check, ["Up", () => workshop.move(this, -1)],
                    ["Down", () => workshop.move(this, 1)], ["Add below", () => workshop.add(this)],
                    ["Delete", () => workshop.delete(this)]].filter(([text]) => this.isCode || text !== "Run")
      .map(([text, action]) => button(text, "", action));
    for (const each of this.buttons.filter((each) => ["Run", "Check"].includes(each.textContent))) {
      each.classList.add("live-run");
    }
    this.tools = make("div", { className: "live-tools" }, ...this.buttons);
    this.element = make("section", { className: "live-cell" }, this.tools, this.output.element);
  }

  get isCode() { return this.kind === "code"; }

  number(number) {
    this.name = `cell ${number}`;
    const what = this.homework ? `, homework ${this.homework}` : this.isCode ? "" : ", text";
    this.element.setAttribute("aria-label", `Cell ${number}${what}`);
    this.output.element.setAttribute("aria-label", `Output of ${this.name}`);
    this.editor?.rename(`Code of ${this.name}`);
    for (const each of this.buttons) {
      const [first, ...rest] = each.textContent.split(" ");
      each.setAttribute("aria-label", [first, ...rest, this.name].join(" "));
    }
  }

  show() {
    if (!this.isCode) return this.showText();
    return this.edited((element) => {
      this.editor.rename(`Code of ${this.name}`);
      this.element.prepend(element);
    });
  }

  /** Text between the cells of a notebook stays what it is. */
  showText() {
    const area = make("textarea", { className: "live-editor live-text", value: this.source, rows: 3 });
    area.setAttribute("aria-label", "Text");
    area.addEventListener("input", () => this.change(area.value));
    this.element.prepend(area);
  }

  change(text) {
    super.change(text);
    this.workshop.keep();
  }
}

class Workshop {
  constructor(place) {
    this.isLinked = false;
    this.list = make("div", {});
    this.message = make("div", { className: "live-message", hidden: true });
    this.message.setAttribute("role", "status");
    this.file = this.chooser("Open a notebook or a script", ".ipynb,.py", false, ([file]) => this.openFile(file));
    this.files = this.chooser("Bring files", "", true, (files) => this.bring(files));
    const tools = [["Add cell", "Add a cell at the end", () => this.add(cells.at(-1))],
                   ["Open …", "Open a notebook or a script", () => this.file.click()],
                   ["Save", "Save as a notebook, workshop.ipynb", () => this.save()],
                   ["Bring files …", "Bring files that cells can open", () => this.files.click()],
                   ["Copy link", "Copy a link that carries these cells", () => this.copyLink()]];
    this.brought = make("p", { className: "live-brought", hidden: true });
    place.replaceChildren(make("div", { className: "live-tools" }, ...tools.map((each) => button(...each))), this.file,
                          this.files, this.brought, this.message, this.list);
  }

  chooser(label, accept, multiple, action) {
    const made = make("input", { type: "file", accept, multiple, hidden: true });
    made.setAttribute("aria-label", label);
    made.addEventListener("change", () => {
      const files = [...made.files];
      made.value = "";                      // the same file can be chosen again
      if (files.length) action(files);
    });
    return made;
  }

  /** Show the cells that a link brings; false if it brings none. */
  async link(fragment) {
    const [, assignment] = HOMEWORK.exec(fragment) ?? [];
    if (assignment) {
      if (this.isLinked || !cells.length) this.own();
      history.replaceState(null, "", location.pathname);
      await this.open(assignment);
      return true;
    }
    try {
      const linked = await fromFragment(fragment);
      if (!linked) return false;
      this.fill(linked, true);
      this.say(FROM_LINK, ["Keep them instead", () => this.keepLinked()], ["Back to mine", () => this.own()]);
    } catch {
      this.own();
      this.say("The link is damaged: its cells cannot be read.");
    }
    return true;
  }

  /** Show the cells that the browser keeps. */
  own() {
    if (this.isLinked) history.replaceState(null, "", location.pathname);
    let own = [];
    try {
      own = checked(JSON.parse(kept(KEY)) ?? []);
    } catch { /* somebody else's */ }
    this.fill(own);
  }

  keepLinked() {
    this.isLinked = false;
    history.replaceState(null, "", location.pathname);
    this.message.hidden = true;
    this.keep();
  }

  /** Show other cells; those of a link are not kept. */
  fill(list, isLinked = false) {
    this.isLinked = isLinked;
    this.message.hidden = true;
    python.quit();
    for (const cell of cells.splice(0)) cell.element.remove();
    for (const each of list.length ? list : [EMPTY]) this.put(new WorkshopCell(this, each), cells.length);
    this.number();
  }

  put(cell, at) {
    cells.splice(at, 0, cell);
    if (at) cells[at - 1].element.after(cell.element);
    else this.list.prepend(cell.element);
    return cell.show();
  }

  number() {
    cells.forEach((cell, i) => cell.number(i + 1));
    this.keep();
  }

  async add(after) {
    const cell = new WorkshopCell(this, EMPTY);
    const shown = this.put(cell, cells.indexOf(after) + 1);
    this.number();
    await shown;
    cell.editor?.focus();
  }

  move(cell, by) {
    const at = cells.indexOf(cell), to = at + by;
    if (to < 0 || to >= cells.length) return;
    const focused = document.activeElement;
    cells.splice(at, 1);
    cells.splice(to, 0, cell);
    if (to) cells[to - 1].element.after(cell.element);
    else this.list.prepend(cell.element);
    this.number();
    focused?.focus();
  }

  delete(cell) {
    if (python.ask) return;
    const at = cells.indexOf(cell);
    cells.splice(at, 1);
    cell.element.remove();
    if (!cells.length) this.put(new WorkshopCell(this, EMPTY), 0);
    this.number();
    cells[Math.min(at, cells.length - 1)].buttons[0].focus();
    this.say(`Deleted ${cell.name}.`, ["Undo", () => {
      this.put(cell, at);
      this.number();
      this.message.hidden = true;
    }]);
  }

  /** Show the cell of an assignment: the one that is there, or a new one with what its page has, or the starter. */
  async open(assignment) {
    let cell = cells.find((each) => each.homework === assignment);
    if (!cell) {
      const source = kept(keyOf(assignment)) ?? await this.starter(assignment);
      if (source === null) return;
      const added = { kind: "code", source, homework: assignment };
      if (cells.length === 1 && !cells[0].source) cells.pop().element.remove();
      this.put(new WorkshopCell(this, added), cells.length);
      this.number();
      cell = cells.at(-1);
    }
    await cell.opening;
    cell.editor.focus();
  }

  /** What a submission begins with; null where it cannot be had, and the page says why. */
  async starter(assignment) {
    let told = "", source = null;
    const output = { text(part) { told += part; }, html() {} };
    await busily(async () => {
      const answer = await python.run({ kind: "starter", name: assignment }, output);
      if (answer.outcome === "done") source = answer.value ?? null;
      return answer;
    });
    if (source === null) this.say(told.trim() || `There is no homework ${assignment}.`);
    return source;
  }

  get data() { return cells.map(({ kind, source, homework }) => ({ kind, source, homework })); }

  keep() {
    if (!this.isLinked) keep(KEY, JSON.stringify(this.data));
  }

  say(text, ...choices) {
    this.message.hidden = false;
    this.message.replaceChildren(make("p", {}, text), ...choices.map(([name, action]) => button(name, name, action)));
  }

  // -------------------------------------------------------------- files

  async openFile(file) {
    const before = this.data;
    try {
      this.fill(fromFile(file.name, await file.text()));
    } catch (problem) {
      return this.say(`${file.name} is not a notebook that can be read (${problem.message}).`);
    }
    return this.say(`Opened ${file.name}.`, ["Back to the cells of before", () => this.fill(before)]);
  }

  save() {
    const blob = new Blob([toNotebook(this.data)], { type: "application/x-ipynb+json" });
    const link = make("a", { href: URL.createObjectURL(blob), download: "workshop.ipynb" });
    link.click();
    URL.revokeObjectURL(link.href);
  }

  async copyLink() {
    const link = new URL(await toFragment(this.data), location.href.split("#")[0]).href;
    try {
      await navigator.clipboard.writeText(link);
      this.say("The link is copied.");
    } catch {
      this.say("The browser does not let the page copy. Here is the link:");
      this.message.append(make("a", { href: link }, link));
    }
  }

  async bring(files) {
    for (const file of files) {
      python.bring(file.name, new Uint8Array(await file.arrayBuffer()));
      const image = file.type.startsWith("image/") && await pixels(file).catch(() => null);
      if (image) python.bring(`.pixels/${file.name}.npy`, image);
    }
    const names = [...python.files.keys()].filter((name) => !name.startsWith(".pixels/"));
    this.brought.hidden = false;
    this.brought.textContent = `Files that cells can open: ${names.join(", ")}`;
  }
}

/** Make the workshop in its place. */
export async function openWorkshop(place) {
  const workshop = new Workshop(place);
  addEventListener("hashchange", () => workshop.link(location.hash));
  if (!await workshop.link(location.hash)) workshop.own();
}
