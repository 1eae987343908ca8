// Problems of the recording: a badge, a panel below the code with reasons and advice, and marks on
// the timeline and on the slider of rounds, all of which lead to the steps.

import { createSwitch, h, icon, keepShapesWhole, namedButton, setAttributes } from "./dom.js";
import { roundName } from "./rounds.js";

/** @import { Problem } from "./payload.d.ts" */
/** @import { Page } from "./player.js" */
/** @import { Book, Spot } from "./unpack.js" */

/**
 * Return the steps of one chapter that have a problem, each once, in order.
 * @param {Pick<Book, "problems" | "spotOf">} book
 * @param {number} chapter
 */
export function markedSteps(book, chapter) {
  const spots = book.problems.map(({ step }) => book.spotOf(step));
  const steps = spots.flatMap((spot) => (spot.chapter === chapter ? [spot.step] : []));
  return [...new Set(steps)].sort((one, other) => one - other);
}

/**
 * Return the rounds that have a problem, each once, in order.
 * @param {Pick<Book, "problems" | "spotOf" | "chapters">} book
 */
export function markedRounds(book) {
  const rounds = book.problems.map(({ step }) => book.chapters[book.spotOf(step).chapter].round);
  return [...new Set(rounds.filter((round) => round !== null))].sort((one, other) => one - other);
}

/**
 * @param {Pick<Page, "book" | "words" | "store" | "road">} page
 * @param {{ show: (node: string | null) => void, leave: () => void }} actions
 */
export function createProblems({ book, words, store, road }, { show, leave }) {
  const { problems, unmeasured } = book;
  let at = -1; // number of the problem visited last

  // ----- texts -----

  /** @param {Spot} spot */
  function place({ chapter, step }) {
    const { round } = book.chapters[chapter];
    const number = road.number({ chapter, step });
    const where = round === null ? "" : `${roundName(round, words)}${words.say("comma")}`;
    return where + words.tell("atStep", { step: number });
  }

  /** @type {(problem: Problem, number: number) => HTMLElement} */
  function entryOf({ kind, step, text, todo }, number) {
    const where = words.live(() => place(book.spotOf(step)));
    const jump = h("button.mp-jump", { onclick: () => go(number) }, where);
    const why = h("p");
    const help = todo && h("p.mp-todo");
    words.follow(() => {
      why.replaceChildren(...keepShapesWhole(words.of(text)));
      help?.replaceChildren(h("b", words.say("todo")), ...keepShapesWhole(words.of(todo ?? "")));
    });
    const head = h("header", h("b", words.text(`problem_${kind}`)), jump);
    return h("li", { "data-kind": kind }, head, why, help);
  }

  const entries = problems.map(entryOf);
  const close = namedButton(words, "problems", "close", "escape");
  const budget = h(
    "p.mp-hint",
    words.live(() => unmeasured?.[words.lang] ?? ""),
  );
  const ofRuns = problems[0]?.kind === "difference"; // of two runs that are compared
  const title = words.text(ofRuns ? "differencesTitle" : "problemsTitle");
  const panel = h(
    "div.mp-problems",
    { role: "region", tabindex: "-1", hidden: "", "aria-label": title },
    h("header", h("b", title), close),
    h("ol", ...entries),
    budget,
  );
  const count = problems.length;
  const name = h("span");
  const tellName = () => {
    const counted = count === 1 ? "problemOne" : "problemCount";
    const ahead = at < 0 ? "firstDifference" : "nextDifference";
    name.textContent = words.tell(ofRuns ? ahead : counted, { count });
  };
  words.follow(tellName);
  const hint = words.text(ofRuns ? "differencesHint" : "problemsHint");
  const badge = h(
    "button.mp-badge-knob",
    {
      "data-action": ofRuns ? "nextProblem" : "problems",
      "aria-expanded": "false",
      title: hint,
    },
    icon("warning"),
    name,
  );

  // ----- navigation -----

  const knob = createSwitch(panel, leave, (open) => {
    badge.setAttribute("aria-expanded", String(open));
    if (open) panel.scrollIntoView({ block: "nearest" }); // far away on a phone
  });

  /** @param {number} number */
  function go(number) {
    const { step, node } = problems[number];
    at = number;
    store.set({ ...book.spotOf(step), playing: false });
    show(node);
    tellName();
    entries[number].scrollIntoView({ block: "nearest" });
  }

  function next(by = 1) {
    if (!count) return;
    knob.open();
    go((Math.max(at, by < 0 ? 0 : -1) + by + count) % count);
  }

  store.subscribe(["chapter", "step"], (state) => {
    const now = book.indexOf(state);
    for (const [number, entry] of entries.entries()) {
      setAttributes(entry, { "aria-current": problems[number].step === now && "step" });
    }
  });

  return {
    /** Badge, or nothing if there are no problems. */
    elements: problems.length ? { badge, panel } : { badge: "", panel: "" },
    /** Open the panel at the problem of a step. @param {Spot} spot */
    open(spot) {
      const number = problems.findIndex(({ step }) => step === book.indexOf(spot));
      knob.open();
      go(number);
    },
    turn: knob.turn, // the badge opens the panel, and exists only if there are problems
    next,
    /** Keys of rounds, which lead to differences where two runs are compared. */
    roundActions: ofRuns ? { nextRound: () => next(), previousRound: () => next(-1) } : {},
    close: knob.close,
  };
}
