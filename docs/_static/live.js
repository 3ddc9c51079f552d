/* Code cells that run in the page.  Where the site is served with what `make live` builds, in a folder live/ beside the
   scripts or at the top of the site, each cell of a tutorial gets Run and Edit, each exercise gets Run, Edit and Check,
   and a page of homework an editor and Check.  Elsewhere, and in a page that is opened as a file, nothing is added.
   The browser keeps what is written into an exercise, and which ones were right: they have a tick.

   Python comes with the first Run, in a worker (live-worker.js); the cells of a page share its variables. */
"use strict";

(() => {
  const SCRIPTS = new URL(".", document.currentScript.src);
  const HOMEWORK = /\$ python -m minigrad homework check (\w+)\.py/;
  const OUTPUT = ".sphx-glr-script-out, .sphx-glr-single-img, .sphx-glr-horizontal, .output_subarea";
  // Python hears an interrupt between two of its instructions; inside a long call of NumPy it does not.
  const PATIENCE = 1500;

  let runtime = null;                       // where the folder live/ is
  const cells = [];                         // in the order of the page

  /** An element: make("button", {className: "x"}, "text", child). */
  function make(tag, properties, ...children) {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  }

  function button(text, label, action) {
    const made = make("button", { type: "button", className: "live-button" }, text);
    made.setAttribute("aria-label", label);
    made.addEventListener("click", action);
    return made;
  }

  // ---------------------------------------------------------------- what the browser keeps

  const PAGE = location.pathname.split("/").pop().replace(/\.html$/, "");
  const titleOf = (rubric) => rubric.dataset.title ??= rubric.textContent.trim().replace(/^\d+\. /, "");

  /** {page: {of: how many exercises it has, right: their titles}}, as `python -m minigrad exercise status` shows it. */
  const progress = {
    key: "minigrad exercises",

    read() {
      try {
        return JSON.parse(localStorage.getItem(this.key)) ?? {};
      } catch {                             // the browser keeps nothing, or somebody else's
        return {};
      }
    },

    mark(title, of) {
      const kept = this.read();
      const right = new Set(kept[PAGE]?.right).add(title);
      kept[PAGE] = { of, right: [...right] };
      try {
        localStorage.setItem(this.key, JSON.stringify(kept));
      } catch { /* the tick is seen until the page is left */ }
      this.show(kept);
    },

    /** Put a tick before each exercise that was right, and behind each page of the map how many were. */
    show(kept = this.read()) {
      for (const old of document.querySelectorAll(".live-tick")) old.remove();
      for (const rubric of document.querySelectorAll("article p.rubric")) {
        if (kept[PAGE]?.right.includes(titleOf(rubric))) rubric.prepend(this.tick("✓ ", "Right: "));
      }
      for (const link of document.querySelectorAll(".part-map a")) {
        const page = kept[link.getAttribute("href").replace(/\.html$/, "")];
        if (!page) continue;
        const all = page.right.length >= page.of, said = `${page.right.length} of ${page.of} exercises are right`;
        link.after(this.tick(all ? " ✓" : ` ${page.right.length}/${page.of}`, said));
      }
    },

    tick(text, said) {
      const made = make("span", { className: "live-tick" }, text);
      made.setAttribute("role", "img");
      made.setAttribute("aria-label", said);
      return made;
    },
  };

  // ---------------------------------------------------------------- Python

  const python = {
    worker: null, ready: null, ask: null, patience: 0, interrupt: null,

    /** Each worker has a byte of its own: what interrupts one that is ended would interrupt the next while it loads. */
    start() {
      const worker = new Worker(new URL("live-worker.js", SCRIPTS), { type: "module" });
      this.worker = worker;
      // Memory that is shared with the worker exists only where the server's headers isolate the page.
      this.interrupt = self.crossOriginIsolated ? new Uint8Array(new SharedArrayBuffer(1)) : null;
      this.ready = new Promise((resolve, reject) => {
        worker.onmessage = ({ data: { kind, value } }) => {
          if (this.worker !== worker) return;             // it was ended, and had said this before
          if (kind === "progress") bar.loading(value);
          else if (kind === "ready") { bar.loaded(value); resolve(); }
          else if (kind === "broken") { reject(new Error(value)); this.broken(value); }
          else if (kind === "done") this.answer(value);
          else if (kind === "line") this.ask?.mark?.(value);
          else this.ask?.output[kind](value);
        };
        worker.onerror = (event) => {
          if (this.worker !== worker) return;
          const reason = event.message || "its script could not be loaded";
          reject(new Error(reason));
          this.broken(reason);
        };
      });
      this.ready.catch(() => {});           // `broken` has told the reader
      const errors = new URL("../errors/", SCRIPTS).href;
      worker.postMessage({ kind: "load", runtime: runtime.href, errors, interrupt: this.interrupt });
    },

    /** Ask the worker, and put what it writes into `output`; the answer is {ok, value, ms}.  `mark` is called with the
        line at which an error was raised. */
    async run(question, output, mark) {
      if (!this.worker) this.start();
      const answer = new Promise((resolve) => { this.ask = { output, mark, resolve }; });
      const mine = this.worker;
      this.ready.then(() => {
        if (this.worker !== mine) return;
        if (this.interrupt) this.interrupt[0] = 0;
        bar.running();
        mine.postMessage(question);
      }, () => {});
      return answer;
    },

    answer(value) {
      clearTimeout(this.patience);
      const { resolve } = this.ask;
      this.ask = null;
      resolve(value);
    },

    end() {
      clearTimeout(this.patience);
      this.worker?.terminate();
      this.worker = this.ready = null;
      for (const cell of cells) cell.ran = false;
    },

    broken(reason) {
      this.end();
      if (!this.ask) return;
      this.ask.output.text(`Python ended: ${reason}\nThe next Run starts it again.\n`);
      this.answer({ ok: false, ms: 0 });
    },

    stop() {
      if (!this.ask) return;
      const end = () => {
        this.end();
        this.ask.output.text("\nStopped. Python starts again with the next Run; the variables are gone.\n");
        this.answer({ ok: false, stopped: true, ms: 0 });
      };
      if (!this.interrupt || !bar.isRunning) return end();
      this.interrupt[0] = 2;                // SIGINT
      this.patience = setTimeout(end, PATIENCE);
    },
  };

  // ---------------------------------------------------------------- the bar of the page

  const bar = {
    isRunning: false,

    build() {
      this.status = make("span", { className: "live-status" });
      this.status.setAttribute("role", "status");
      this.progress = make("progress", { max: 1, value: 0, hidden: true });
      this.progress.setAttribute("aria-label", "Loading Python");
      this.stop = button("Stop", "Stop what is running", () => python.stop());
      this.reset = button("Reset", "Reset the page: the cells as they were, and no variables", reset);
      this.element = make("div", { className: "live-bar", hidden: true });
      this.element.append(this.status, this.progress, this.stop, this.reset);
      this.element.setAttribute("role", "region");
      this.element.setAttribute("aria-label", "Python in this page");
      document.body.append(this.element);
    },

    loading({ text, at }) {
      this.progress.hidden = false;
      this.progress.value = at;
      this.status.textContent = `Loading ${text}`;
    },

    loaded(times) {
      this.progress.hidden = true;
      this.element.dataset.times = JSON.stringify(times);
    },

    running() {
      this.isRunning = true;
      this.status.textContent = "Running";
    },

    busy(yes, text) {
      this.element.hidden = false;
      this.isRunning = false;
      if (!yes) this.progress.hidden = true;
      this.stop.disabled = !yes;
      this.reset.disabled = yes;
      this.status.textContent = text;
      for (const each of document.querySelectorAll(".live-run")) each.disabled = yes;
    },
  };

  /** One question after the other; `work` is asked for its last answer. */
  async function busily(work) {
    bar.busy(true, "Starting");
    const { ok, stopped, ms } = await work();
    const time = ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`;
    bar.busy(false, ok ? `Done in ${time}` : stopped ? "Stopped" : "Ended with an error");
  }

  function reset() {
    python.end();
    for (const cell of cells) cell.reset();
    bar.busy(false, "As it was when the page was opened");
  }

  // ---------------------------------------------------------------- a cell

  /** Where a cell writes: text and HTML, in the order in which they come. */
  class Output {
    constructor(name) {
      this.element = make("div", { className: "live-output", hidden: true });
      this.element.setAttribute("role", "region");
      this.element.setAttribute("aria-label", name);
    }

    clear() {
      this.element.replaceChildren();
      this.element.classList.remove("live-failed");
      this.element.hidden = true;
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

  class Cell {
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

  function editor(label, text, run) {
    const area = make("textarea", { className: "live-editor", value: text, spellcheck: false, autocapitalize: "off",
                                    autocomplete: "off", title: "Ctrl+Enter runs" });
    const fit = () => { area.rows = Math.min(40, area.value.split("\n").length + 1); };
    area.setAttribute("aria-label", `${label}; Ctrl+Enter runs it`);
    area.addEventListener("input", fit);
    area.addEventListener("keydown", (event) => {
      event.stopPropagation();              // a letter is no shortcut of the theme here
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        run();
      }
    });
    fit();
    return area;
  }

  // ---------------------------------------------------------------- homework

  /** An editor below the commands.  What is written is kept in the browser until Reset. */
  class Homework {
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

  // ---------------------------------------------------------------- the page

  /** The address of the folder live/, or null. */
  async function found() {
    const places = [new URL("live/", SCRIPTS), new URL("../live/", SCRIPTS)];
    for (const place of places) {
      const response = await fetch(new URL("live.json", place)).catch(() => null);
      if (response?.ok) return place;
    }
    return null;
  }

  /** The check that folds out below a starter, or null: some code of a page is only shown. */
  function checkOf(block) {
    const next = block.nextElementSibling;
    const isCheck = next?.tagName === "DETAILS" && next.querySelector("summary").textContent.trim() === "Check";
    return isCheck ? next.querySelector("pre").textContent : null;
  }

  /** The title of an exercise: the rubric above its starter. */
  function titleAbove(block) {
    let above = block.previousElementSibling;
    while (above && !above.matches("p.rubric")) above = above.previousElementSibling;
    return above ? titleOf(above) : "";
  }

  async function begin() {
    if (!/^https?:$/.test(location.protocol)) return;
    progress.show();
    const blocks = [...document.querySelectorAll("article .highlight-Python, article .highlight-python")]
      .filter((block) => block.classList.contains("highlight-Python") || checkOf(block) !== null);
    const commands = [...document.querySelectorAll("article .highlight-console")]
      .find((block) => location.pathname.includes("/homework/") && HOMEWORK.test(block.textContent));
    if (!blocks.length && !commands) return;
    runtime = await found();
    if (!runtime) return;
    bar.build();
    const count = { cell: 0, exercise: 0 };
    for (const block of blocks) {
      const check = checkOf(block);
      cells.push(new Cell(block, check === null ? ++count.cell : ++count.exercise, check));
    }
    if (commands) cells.push(new Homework(commands, HOMEWORK.exec(commands.textContent)[1]));
    document.documentElement.dataset.live = "ready";
  }

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
})();
