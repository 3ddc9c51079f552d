/* The bar below the page: what Python does, Stop, and Reset. */

import { button, enable, make } from "./live-dom.js";
import { python } from "./live-python.js";

/** What is said of how a cell ended, unless its answer says it. */
const SAID = { wrong: "Not yet", stopped: "Stopped", failed: "Ended with an error" };

export const bar = {
  /** `reset` is what a button does besides Stop: its name, its label, what is said afterwards, and the action. */
  build(reset) {
    this.status = make("span", { className: "live-status" });
    this.status.setAttribute("role", "status");
    this.progress = make("progress", { max: 1, value: 0, hidden: true });
    this.progress.setAttribute("aria-label", "Loading Python");
    this.stop = button("Stop", "Stop what is running", () => python.stop());
    this.reset = button(reset.name, reset.label, () => {
      reset.action();
      this.busy(false, reset.said);
    });
    this.element = make("div", { className: "live-bar", hidden: true });
    this.element.append(this.status, this.progress, this.stop, this.reset);
    this.element.setAttribute("role", "region");
    this.element.setAttribute("aria-label", "Python in this page");
    document.body.append(this.element);
    python.addEventListener("loading", ({ detail }) => this.loading(detail));
    python.addEventListener("loaded", ({ detail }) => this.loaded(detail));
    python.addEventListener("running", () => { this.status.textContent = "Running"; });
  },

  loading({ text, at }) {
    this.progress.hidden = false;
    this.progress.value = at;
    this.status.textContent = text;
  },

  loaded(times) {
    this.progress.hidden = true;
    this.element.dataset.times = JSON.stringify(times);
  },

  busy(yes, text) {
    this.element.hidden = false;
    if (!yes) this.progress.hidden = true;
    enable(this.stop, yes);
    enable(this.reset, !yes);
    this.status.textContent = text;
    for (const each of document.querySelectorAll(".live-run")) enable(each, !yes);
  },
};

/** One question after the other; `work` is asked for its last answer, with `said` where the page says more of it. */
export async function busily(work) {
  bar.busy(true, "Starting");
  const { outcome, said, ms } = await work();
  bar.busy(false, said ?? SAID[outcome] ?? `Done in ${ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`}`);
}
