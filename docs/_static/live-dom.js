/* Elements of a page, made by its scripts. */

/** An element: make("button", {className: "x"}, "text", child). */
export function make(tag, properties, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

export function button(text, label, action) {
  const made = make("button", { type: "button", className: "live-button" }, text);
  made.setAttribute("aria-label", label);
  made.addEventListener("click", action);
  return made;
}
