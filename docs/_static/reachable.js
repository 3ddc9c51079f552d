/* For readers with a keyboard or a screen reader.  Code, tables and formulas that are wider than the page scroll: each
   that has something to scroll to is a stop for the Tab key, with a name, as long as it has.  And the two sidebars, which
   the theme leaves without names, get theirs. */
"use strict";

(() => {
  const NAMES = [
    [".sphx-glr-script-out pre", "Output"],
    ["pre", "Code"],
    [".table-wrapper", "Table"],
    [".formula, dl.mathematics dd", "Formula"],
    [".minigrad-graph, .mgp-stage", "Drawing"],
  ];

  function update(element, name) {
    const scrolls = element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight;
    if (scrolls && !element.hasAttribute("tabindex")) {
      element.dataset.reachable = "";
      element.tabIndex = 0;
      element.setAttribute("role", "group");
      element.setAttribute("aria-label", name);
    } else if (!scrolls && "reachable" in element.dataset) {
      delete element.dataset.reachable;
      for (const attribute of ["tabindex", "role", "aria-label"]) element.removeAttribute(attribute);
    }
  }

  const SIDEBARS = [[".sidebar-drawer", "Site"], [".toc-drawer", "On this page"]];

  function watch() {
    for (const [selector, name] of SIDEBARS) document.querySelector(selector)?.setAttribute("aria-label", name);
    const names = new Map();
    const observer = new ResizeObserver((entries) => entries.forEach(({ target }) => update(target, names.get(target))));
    for (const [selector, name] of NAMES) {
      for (const element of document.querySelectorAll(`article :is(${selector})`)) {
        if (!names.has(element)) {
          names.set(element, name);
          observer.observe(element);
        }
      }
    }
  }

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", watch);
  else watch();
})();
