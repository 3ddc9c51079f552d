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
  made.addEventListener("click", () => { if (isEnabled(made)) action(); });
  return made;
}

/** A button that is disabled in the way of HTML would lose the focus; this one keeps it, and does nothing. */
export function enable(button, yes) {
  button.setAttribute("aria-disabled", String(!yes));
}

export const isEnabled = (button) => button.getAttribute("aria-disabled") !== "true";
