/* Where code is written. */

import { make } from "./live-dom.js";

export function editor(label, text, run) {
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
