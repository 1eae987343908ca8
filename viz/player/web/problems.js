// What is wrong in the recording: a badge, a panel below the code that says why and what to do, and
// marks on the timeline and on the slider of the rounds, all of which lead to the steps.

import { html, icon, keepShapesWhole, namedButton } from "./dom.js";
import { roundName } from "./rounds.js";

/** @import { Problem } from "./payload.d.ts" */
/** @import { Road } from "./road.js" */
/** @import { PageState, Store } from "./store.js" */
/** @import { Book, Spot } from "./unpack.js" */
/** @import { Words } from "./words.js" */

/** @typedef {ReturnType<typeof createProblems>} Problems */

/**
 * The steps of one chapter that have a problem, each once, in order.
 * @param {Pick<Book, "problems" | "spotOf">} book
 * @param {number} chapter
 */
export function markedSteps(book, chapter) {
  const spots = book.problems.map(({ step }) => book.spotOf(step));
  const steps = spots.flatMap((spot) => (spot.chapter === chapter ? [spot.step] : []));
  return [...new Set(steps)].sort((one, other) => one - other);
}

/**
 * The rounds that have a problem, each once, in order.
 * @param {Pick<Book, "problems" | "spotOf" | "chapters">} book
 */
export function markedRounds(book) {
  const rounds = book.problems.map(({ step }) => book.chapters[book.spotOf(step).chapter].round);
  return [...new Set(rounds.filter((round) => round !== null))].sort((one, other) => one - other);
}

/**
 * @param {Book} book
 * @param {Words} words
 * @param {Store<PageState>} store
 * @param {Road} road
 * @param {{ show: (node: string | null) => void, leave: () => void }} actions
 */
export function createProblems(book, words, store, road, { show, leave }) {
  const { problems, unmeasured } = book;
  let at = -1; // the one that was gone to last

  // ----- what is said -----

  /** @param {Spot} spot */
  function place({ chapter, step }) {
    const { round } = book.chapters[chapter];
    const number = road.number({ chapter, step });
    const where = round === null ? "" : `${roundName(round, words)}${words.say("comma")}`;
    return where + words.tell("atStep", { step: number });
  }

  /** @type {(problem: Problem, number: number) => HTMLElement} */
  function entryOf({ kind, step, text, todo }, number) {
    const jump = html("button", { type: "button", class: "mp-jump" });
    const why = html("p");
    const help = html("p", { class: "mp-todo" });
    const title = words.label(html("b"), `problem_${kind}`);
    jump.addEventListener("click", () => go(number));
    store.subscribe(["lang"], () => {
      jump.textContent = place(book.spotOf(step));
      why.replaceChildren(...keepShapesWhole(words.of(text)));
      help.replaceChildren(html("b", {}, words.say("todo")), ...keepShapesWhole(words.of(todo)));
    });
    return html("li", { "data-kind": kind }, html("header", {}, title, jump), why, help);
  }

  const entries = problems.map(entryOf);
  const close = namedButton(words, "problems", "close", "escape");
  const budget = html("p", { class: "mp-hint" });
  const heading = html("b");
  const panel = html(
    "div",
    { class: "mp-problems", role: "region", tabindex: "-1", hidden: "" },
    html("header", {}, heading, close),
    html("ol", {}, ...entries),
    budget,
  );
  words.label(panel, "problemsTitle", "aria-label");
  const name = html("span");
  const badge = html(
    "button",
    { type: "button", class: "mp-badge-knob", "data-action": "problems", "aria-expanded": "false" },
    icon("warning"),
    name,
  );
  words.label(badge, "problemsHint", "title");
  words.follow(() => {
    const count = problems.length;
    name.textContent = words.tell(count === 1 ? "problemOne" : "problemCount", { count });
    heading.textContent = words.say("problemsTitle");
    budget.textContent = unmeasured?.[words.lang] ?? "";
  });

  // ----- going there -----

  /** @param {boolean} open */
  function turn(open) {
    panel.hidden = !open;
    badge.setAttribute("aria-expanded", String(open));
    if (open) panel.scrollIntoView({ block: "nearest" }); // on a phone it is far from the badge
  }

  /** @param {number} number */
  function go(number) {
    const { step, node } = problems[number];
    at = number;
    store.set({ ...book.spotOf(step), playing: false });
    show(node);
    entries[number].scrollIntoView({ block: "nearest" });
  }

  store.subscribe(["chapter", "step"], (state) => {
    const now = book.indexOf(state);
    for (const [number, entry] of entries.entries()) {
      const here = problems[number].step === now;
      if (here) entry.setAttribute("aria-current", "step");
      else entry.removeAttribute("aria-current");
    }
  });

  return {
    /** Nothing where nothing is wrong. */
    elements: problems.length ? { badge, panel } : { badge: "", panel: "" },
    /** The problem of a step comes to be read. @param {Spot} spot */
    open(spot) {
      const number = problems.findIndex(({ step }) => step === book.indexOf(spot));
      turn(true);
      go(number);
    },
    turn() {
      if (!problems.length) return;
      turn(panel.hidden !== false);
      if (panel.hidden) leave();
      else panel.focus({ preventScroll: true });
    },
    next() {
      if (!problems.length) return;
      turn(true);
      go((at + 1) % problems.length);
    },
    /** True when it was open. */
    close() {
      const open = !panel.hidden;
      turn(false);
      if (open) leave();
      return open;
    },
  };
}
