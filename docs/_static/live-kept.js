/* What the browser keeps: which exercises were right, and what was written. */

import { make } from "./live-dom.js";

export const PAGE = location.pathname.split("/").pop().replace(/\.html$/, "");

/** The title of an exercise: the text of its rubric, without the number. */
export const titleOf = (rubric) => rubric.dataset.title ??= rubric.textContent.trim().replace(/^\d+\. /, "");

/** The text that is kept under a key, or null; also where the browser keeps nothing. */
export function kept(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Keep a text under a key until it is null; where the browser keeps nothing, the page has it until it is left. */
export function keep(key, text) {
  try {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch { /* it is full, or keeps nothing */ }
}

/** An object that is kept under a key: empty where there is none, or somebody else's. */
function object(key) {
  try {
    return Object(JSON.parse(kept(key)));
  } catch {
    return {};
  }
}

/** The cells of the page that were changed: {code as the site has it: code as it was left}. */
export const edits = {
  key: `minigrad cells ${PAGE}`,

  of(original) {
    const text = object(this.key)[original];
    return typeof text === "string" ? text : null;
  },

  /** Keep a text, or none: null. */
  keep(original, text) {
    const all = object(this.key);
    if (text === null) delete all[original];
    else all[original] = text;
    keep(this.key, Object.keys(all).length ? JSON.stringify(all) : null);
  },
};

/** {page: {of: how many exercises it has, right: their titles}}, as `python -m minigrad exercise status` shows it. */
export const progress = {
  key: "minigrad exercises",

  mark(title, of) {
    const all = object(this.key);
    const right = new Set(all[PAGE]?.right).add(title);
    all[PAGE] = { of, right: [...right] };
    keep(this.key, JSON.stringify(all));
    this.show(all);
  },

  /** Put a tick before each exercise that was right, and behind each page of the map how many were. */
  show(all = object(this.key)) {
    for (const old of document.querySelectorAll(".live-tick")) old.remove();
    for (const rubric of document.querySelectorAll("article p.rubric")) {
      if (all[PAGE]?.right.includes(titleOf(rubric))) rubric.prepend(this.tick("✓ ", "Right: "));
    }
    for (const link of document.querySelectorAll(".part-map a")) {
      const page = all[link.getAttribute("href").replace(/\.html$/, "")];
      if (!page) continue;
      const complete = page.right.length >= page.of, said = `${page.right.length} of ${page.of} exercises are right`;
      link.after(this.tick(complete ? " ✓" : ` ${page.right.length}/${page.of}`, said));
    }
  },

  tick(text, said) {
    const made = make("span", { className: "live-tick" }, text);
    made.setAttribute("role", "img");
    made.setAttribute("aria-label", said);
    return made;
  },
};
