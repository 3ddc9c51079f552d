// What live-code-editor.js uses of CodeMirror: bundle.py makes docs/_static/live-codemirror.js from it.
export { acceptCompletion, autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap }
  from "@codemirror/autocomplete";
export { defaultKeymap, history, historyKeymap, indentLess, indentMore } from "@codemirror/commands";
export { globalCompletion, localCompletionSource, python } from "@codemirror/lang-python";
export { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting, syntaxTree } from "@codemirror/language";
export { Compartment, EditorState, Prec } from "@codemirror/state";
export { Decoration, EditorView, hoverTooltip, keymap } from "@codemirror/view";
export { tagHighlighter, tags } from "@lezer/highlight";
