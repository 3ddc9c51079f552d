/* Python of the page: a worker (live-worker.js), which the first question starts.

   Events: "loading" with {text, at}, "loaded" with the times that it took, "running" once the question is asked, and
   "ended", when the worker and all variables are gone. */

// Python hears an interrupt between two of its instructions; inside a long call of NumPy it does not.
const PATIENCE = 1500;

export const python = Object.assign(new EventTarget(), {
  runtime: null,                            // where the folder live/ is
  sizes: {},                                // of its files
  files: new Map(),                         // what the reader has brought: {name: bytes}
  worker: null, ready: null, ask: null, isRunning: false, patience: 0, interrupt: null,

  tell(kind, detail) {
    this.dispatchEvent(new CustomEvent(kind, { detail }));
  },

  /** Each worker has a byte of its own: what interrupts one that is ended would interrupt the next while it loads. */
  start() {
    const worker = new Worker(new URL("live-worker.js", import.meta.url), { type: "module" });
    this.worker = worker;
    // Memory that is shared with the worker exists only where the server's headers isolate the page.
    this.interrupt = self.crossOriginIsolated ? new Uint8Array(new SharedArrayBuffer(1)) : null;
    this.ready = new Promise((resolve, reject) => {
      worker.onmessage = ({ data: { kind, value } }) => {
        if (this.worker !== worker) return;             // it was ended, and had said this before
        if (kind === "progress") this.tell("loading", value);
        else if (kind === "ready") {
          for (const name of this.files.keys()) this.hand(name);
          this.tell("loaded", value);
          resolve();
        }
        else if (kind === "broken") { reject(new Error(value)); this.broken(value); }
        else if (kind === "done") this.answer(value);
        else if (kind === "line") this.ask?.mark?.(value);
        else this.ask?.output[kind](value);
      };
      worker.onerror = (event) => {
        event.preventDefault();             // `broken` tells the reader, and one that was ended may say anything
        if (this.worker !== worker) return;
        const reason = event.message || "its script could not be loaded";
        reject(new Error(reason));
        this.broken(reason);
      };
    });
    this.ready.catch(() => {});           // `broken` has told the reader
    const errors = new URL("../errors/", import.meta.url).href;
    const { runtime: { href: runtime }, sizes, interrupt } = this;
    worker.postMessage({ kind: "load", runtime, sizes, errors, interrupt });
  },

  /** Have Python ready when it is asked. */
  warm() {
    if (!this.worker) this.start();
  },

  /** Ask the worker, and put what it writes into `output`; the answer is {outcome, value, ms}, with an
      outcome of live.py, and `ended` if Python had to end.  `mark` is called with the line of an error. */
  async run(question, output, mark) {
    this.warm();
    const answer = new Promise((resolve) => { this.ask = { output, mark, resolve }; });
    const mine = this.worker;
    this.ready.then(() => {
      if (this.worker !== mine) return;
      if (this.interrupt) this.interrupt[0] = 0;
      this.isRunning = true;
      this.tell("running");
      mine.postMessage(question);
    }, () => {});
    return answer;
  },

  /** A file that cells can open, in the folder where they run; a Python that is started later has it too. */
  bring(name, bytes) {
    this.files.set(name, bytes);
    const mine = this.worker;
    this.ready?.then(() => { if (this.worker === mine) this.hand(name); }, () => {});
  },

  hand(name) {
    this.worker.postMessage({ kind: "file", name, bytes: this.files.get(name) });
  },

  answer(value) {
    clearTimeout(this.patience);
    const { resolve } = this.ask;
    this.ask = null;
    this.isRunning = false;
    resolve(value);
  },

  end() {
    clearTimeout(this.patience);
    this.worker?.terminate();
    this.worker = this.ready = null;
    this.tell("ended");
  },

  /** End Python, and whatever it is asked. */
  quit() {
    const { isRunning } = this;
    this.end();
    if (this.ask) this.answer({ outcome: "stopped", ended: isRunning });
  },

  broken(reason) {
    this.end();
    if (!this.ask) return;
    this.ask.output.text(`Python ended: ${reason}\nThe next Run starts it again.\n`);
    this.answer({ outcome: "failed", ended: this.isRunning });
  },

  stop() {
    if (!this.ask) return;
    const end = () => {
      this.ask.output.text("\nStopped. Python starts again with the next Run; the variables are gone.\n");
      this.quit();
    };
    if (!this.interrupt || !this.isRunning) return end();
    this.interrupt[0] = 2;                // SIGINT
    this.patience = setTimeout(end, PATIENCE);
  },
});
