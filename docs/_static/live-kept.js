/* What the browser keeps of a page: which exercises were right. */

import { make } from "./live-dom.js";

export const PAGE = location.pathname.split("/").pop().replace(/\.html$/, "");

/** The title of an exercise: the text of its rubric, without the number. */
export const titleOf = (rubric) => rubric.dataset.title ??= rubric.textContent.trim().replace(/^\d+\. /, "");

/** {page: {of: how many exercises it has, right: their titles}}, as `python -m minigrad exercise status` shows it. */
export const progress = {
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
