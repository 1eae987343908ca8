// The editor of the playground: CodeMirror with Python's colours and the names of minipaddle.

import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from "@codemirror/language";
import { StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { completionsAt } from "./completions.js";

const colours = HighlightStyle.define(
  [
    [tags.keyword, "keyword"],
    [[tags.string, tags.special(tags.string)], "string"],
    [tags.comment, "comment"],
    [[tags.number, tags.bool, tags.null], "number"],
    [[tags.definition(tags.variableName), tags.className], "definition"],
  ].map(([tag, name]) => ({ tag, color: `var(--${name})` })),
);

const mark = StateEffect.define();
const marked = StateField.define({
  create: () => Decoration.none,
  update(lines, change) {
    for (const effect of change.effects) if (effect.is(mark)) return effect.value;
    return change.docChanged ? Decoration.none : lines;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Return the editor of a text inside an element, with completions from a table of names. */
export function createEditor(parent, label, names) {
  const complete = (context) => {
    const before = context.state.doc.sliceString(context.pos - 200, context.pos);
    const found = completionsAt(before, context.state.doc.toString(), names);
    if (!found || (!found.dotted && !context.explicit)) return null;
    return { from: context.pos - found.typed.length, options: found.options, validFor: /^\w*$/ };
  };
  const view = new EditorView({
    parent,
    extensions: [
      lineNumbers(),
      history(),
      python(),
      indentUnit.of("    "),
      indentOnInput(),
      bracketMatching(),
      closeBrackets(),
      autocompletion({ override: [complete] }),
      syntaxHighlighting(colours),
      marked,
      EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
      keymap.of([
        ...closeBracketsKeymap,
        ...completionKeymap,
        ...defaultKeymap,
        ...historyKeymap,
        indentWithTab,
      ]),
    ],
  });
  return {
    get: () => view.state.doc.toString(),
    set(text) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
    },
    markLine(number) {
      const known = number >= 1 && number <= view.state.doc.lines;
      const line = Decoration.line({ class: "wrong" });
      const lines = known
        ? Decoration.set([line.range(view.state.doc.line(number).from)])
        : Decoration.none;
      view.dispatch({ effects: mark.of(lines) });
    },
  };
}
