// The hunt for a mistake: texts and buttons of the panel.

import { bytesIn } from "./bytes.js";
import { h } from "./dom.js";

/** @import { Panel } from "./ask.js" */
/** @import { Hint, Hunt } from "./payload.d.ts" */
/** @import { Page } from "./player.js" */

/** @type {(sealed: string) => Hunt} */
const unseal = (sealed) => JSON.parse(new TextDecoder().decode(bytesIn(sealed)));

/**
 * @param {Page} page
 * @param {Panel} panel
 * @param {() => void} redraw
 */
export function createHunt({ book, words, store, view, keeper }, panel, redraw) {
  const { answers, note, nameOf, knob, parts } = panel;
  const { answer, boxes, what, hints } = unseal(book.ask?.sealed ?? "");
  const before = keeper.answers.find((row) => row.ask === "hunt");
  let { hints: read, tries, right: found } = before ?? { hints: 0, tries: 0, right: false };
  let said = "";

  /** Return the box that would be the answer: the selected one, or the running box of the step. */
  function candidate() {
    const { selected } = store.state;
    const working = view.step().nodes.at(-1) ?? "";
    const computes = boxes.some(([box]) => box === working);
    return selected ?? (computes ? (view.resolve(working) ?? null) : null);
  }

  /** @param {string} box */
  function suspect(box) {
    const name = { box: nameOf(box) };
    const computes = boxes.find(([each]) => view.resolve(each) === box);
    if (view.resolve(answer) === box && box !== answer) said = words.tell("huntInside", name);
    else if (!computes) said = words.tell("huntNothing", name);
    else {
      tries += 1;
      found = box === answer;
      const [, step] = computes;
      if (found) store.set({ step, selected: answer, hits: [], playing: false });
      said = words.tell(found ? "huntRight" : "huntWrong", name);
      answers.clear();
      const truth = found ? words.of(what) : "";
      note({ step, ask: "hunt", of: "", given: name.box, truth, right: found, hints: read, tries });
    }
    redraw();
  }

  function hint() {
    read += 1;
    said = "";
    delete parts.verdict.dataset.right;
    store.set({ hits: hints[read - 1].boxes });
    redraw();
  }

  /** @param {Hint} hint */
  function drawHint({ text, rows }) {
    const line = h("p", words.of(text));
    if (!rows) return [line];
    /** @type {(tag: "th" | "td", row: string[]) => HTMLElement} */
    const cells = (tag, row) => h("tr", ...row.map((each) => h(each ? tag : "td", each)));
    const head = cells("th", ["", words.say("huntIs"), words.say("huntShould")]);
    return [line, h("table", head, ...rows.map((row) => cells("td", row)))];
  }

  return {
    forget() {
      said = "";
    },
    show() {
      const box = candidate();
      parts.prompt.textContent = words.say("huntTask");
      parts.about.textContent = found ? "" : words.say("huntChoose");
      const choices = [];
      if (box && !found) {
        choices.push(knob(words.tell("askThis", { box: nameOf(box) }), () => suspect(box)));
      }
      if (!found && read < hints.length) {
        const next = { at: read + 1, count: hints.length };
        choices.push(knob(words.tell("huntHint", next), hint, "mp-quiet"));
      }
      parts.form.replaceChildren(...choices);
      const lines = found ? hints.slice(-1) : hints.slice(0, read);
      const spoken = [said, found ? words.of(what) : ""].filter((each) => each);
      parts.verdict.replaceChildren(
        ...spoken.map((each) => h("p", each)),
        ...lines.flatMap(drawHint),
      );
      if (said || found) parts.verdict.dataset.right = String(found);
    },
  };
}
