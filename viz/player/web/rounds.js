// The rounds of a training: a slider with the curve of the loss, buttons, and the current round.

import { counterpart } from "./blueprint.js";
import { claim, clamp, createTrack, h, namedButton, partUnder, setAttributes } from "./dom.js";
import { briefly } from "./numbers.js";
import { drawCurve, drawGaps, rangeOf } from "./plot.js";
import { quietWhilePlaying } from "./store.js";
import { accuracyOf } from "./views.js";

/** @import { Edits, EditState } from "./edit.js" */
/** @import { Num, Step } from "./payload.d.ts" */
/** @import { PageState, Store } from "./store.js" */
/** @import { Book, Spot } from "./unpack.js" */
/** @import { Words } from "./words.js" */

/** @typedef {ReturnType<typeof createRounds>} Rounds */

/** @type {(round: number, words: Words) => string} */
export const roundName = (round, words) => words.tell("roundNumber", { at: round + 1 });

/**
 * Return the numbers of the steps of the same kind and phase at a box.
 * @type {(steps: Step[], work: Step, box: string | null) => number[]}
 */
const similarSteps = (steps, { phase, kind }, box) =>
  steps.flatMap((step, at) =>
    step.phase === phase && step.kind === kind && (step.nodes.at(-1) ?? null) === box ? [at] : [],
  );

/**
 * Return the corresponding step of another chapter: with the same number if both have the same
 * steps, else of the same kind at the same box, else the first step.
 * @param {Pick<Book, "chapters" | "chapter">} book
 * @param {Spot} from
 * @param {number} chapter
 * @returns {Spot}
 */
export function sameStep(book, from, chapter) {
  const [one, other] = [book.chapters[from.chapter], book.chapters[chapter]];
  if (one.way === other.way) return { chapter, step: from.step };
  const { steps } = book.chapter(from.chapter);
  const now = steps[from.step];
  if (!now) return { chapter, step: 0 };
  const box = now.nodes.at(-1) ?? null;
  const before = similarSteps(steps, now, box).indexOf(from.step);
  const same = box === null ? null : counterpart(one.graph, box, other.graph);
  const there =
    box !== null && same === null ? [] : similarSteps(book.chapter(chapter).steps, now, same);
  return { chapter, step: there[Math.min(before, there.length - 1)] ?? 0 };
}

/**
 * Return the round of a chapter, or the last round before it, or -1.
 * @param {Pick<Book, "chapters">} book
 * @param {number} chapter
 */
export function roundAt({ chapters }, chapter) {
  return chapters.slice(0, chapter + 1).findLast(({ round }) => round !== null)?.round ?? -1;
}

/**
 * Return a test for rounds that became unknown: their steps were not recorded, and edits affect an
 * earlier round.
 * @param {Pick<Book, "rounds" | "chapters">} book
 * @param {(chapter: number) => boolean} reaches
 * @returns {(round: number) => boolean}
 */
export function unknownRounds(book, reaches) {
  const first = book.chapters.findIndex((_, chapter) => reaches(chapter));
  const after = first < 0 ? Number.POSITIVE_INFINITY : roundAt(book, first);
  return (round) => round > after && book.rounds[round].chapter === null;
}

/**
 * Return the chapter of the nearest round with recorded steps, in one or both directions.
 * @param {Pick<Book, "rounds">} book
 * @param {number} round
 * @param {-1 | 0 | 1} way
 * @returns {number | null}
 */
export function nearestRecorded({ rounds }, round, way) {
  for (let far = way === 0 ? 0 : 1; far < rounds.length + 1; far += 1) {
    for (const side of way === 0 ? [1, -1] : [way]) {
      const chapter = rounds[round + side * far]?.chapter ?? null;
      if (chapter !== null) return chapter;
    }
  }
  return null;
}

/**
 * @param {{ book: Book, words: Words, store: Store<PageState & EditState>, edits: Pick<Edits, "loss" | "reaches" | "entry"> }} page
 * @param {number[]} [marked]  rounds that have a problem
 */
export function createRounds({ book, words, store, edits }, marked = []) {
  const { rounds, chapters } = book;
  const count = rounds.length;
  const now = () => chapters[store.state.chapter]?.round ?? null;

  // ----- texts -----

  /** Return the name of the loss of a round, or of all. @param {number} [number] */
  function lossName(number = -1) {
    const name = rounds[number]?.of ?? book.loss;
    return name ? words.of(name) : words.say("loss");
  }

  /** @param {number} number */
  function describeRound(number) {
    const { kind, names, differs, chapter } = rounds[number];
    const [loss, before] = [losses[number], recorded[number]];
    const [right, of] = accuracies[number] ?? [0, 0];
    const variables = names.map(([name, value]) => `${name} ${value}`).join(words.say("comma"));
    return [
      words.tell("roundOf", { at: number + 1, count }),
      kind === "evaluation" && differs === null ? words.say("evaluation") : "",
      variables,
      differs === null ? "" : words.of(differs),
      before === null ? "" : `${lossName(number)} ${loss === null ? "–" : briefly(loss)}`,
      loss === before || before === null ? "" : words.tell("was", { number: briefly(before) }),
      of ? words.tell("accuracyOf", { right, count: of, share: briefly((100 * right) / of) }) : "",
      chapter === null ? words.say("notKept") : "",
    ]
      .filter((part) => part)
      .join(" · ");
  }

  /** Return a text about the place of a chapter that is no round. */
  function describePart() {
    const before = roundAt(book, store.state.chapter);
    const key = before < 0 ? "beforeRounds" : "afterRound";
    return words.tell(key, { at: before + 1, count });
  }

  const describe = () => {
    const round = now();
    return round === null ? describePart() : describeRound(round);
  };

  // ----- navigation -----

  /** @param {number | null} chapter */
  function go(chapter) {
    if (chapter === null) return;
    store.set({ ...sameStep(book, store.state, chapter), playing: false });
  }
  /** @param {number} number */
  const goTo = (number) => go(nearestRecorded(book, number, 0));
  /** @param {-1 | 1} way */
  function beside(way) {
    const at = roundAt(book, store.state.chapter);
    const from = now() === null && way < 0 ? at + 1 : at; // back to the round before a part
    return nearestRecorded(book, from, way);
  }
  /** @param {number} by */
  function far(by) {
    return nearestRecorded(book, clamp(roundAt(book, store.state.chapter) + by, 0, count - 1), 0);
  }

  // ----- the slider -----

  const recorded = rounds.map(({ loss }) => loss);
  const silent = recorded.flatMap((loss, at) => (loss === null ? [at] : []));
  /** @param {number} at */
  const signOf = (at) =>
    rounds[at].chapter === null ? "none" : rounds[at].differs === null ? "dot" : "ring";
  let losses = recorded;
  let accuracies = rounds.map(({ accuracy }) => accuracy);
  /** Return the shares of right labels, if more than one round has one. */
  function shares() {
    const known = accuracies.map((each) => each && each[0] / each[1]);
    return known.filter((share) => share !== null).length > 1 ? known : [];
  }
  let curve = drawCurve(losses, signOf, silent, [], shares());
  const gaps = h("div.mp-gaps");
  const head = h("div.mp-playhead");
  const tip = h("div.mp-tip", { hidden: "" });
  const range = h("div.mp-round-range", { "aria-hidden": "true" });
  const named = h("span.mp-round-loss", words.live(lossName));
  /** @param {(Num | null)[]} all */
  function showRange(all) {
    const [low, high] = (rangeOf(all) ?? []).map(briefly);
    const texts = low === undefined ? [] : [...new Set([high, low])];
    range.replaceChildren(...texts.map((text) => h("span", text)));
    if (texts.length) range.firstElementChild?.after(named);
  }
  showRange(losses);

  /** @type {(chapter: number, recorded: Num) => Num | null} */
  function lossIn(chapter, recorded) {
    const loss = edits.loss(chapter);
    if (!loss || briefly(loss.was) !== briefly(recorded)) return recorded; // another loss
    return Object.is(loss.now, loss.was) ? recorded : /** @type {Num | null} */ (loss.now);
  }

  /** @type {(chapter: number) => [number, number] | null} */
  function accuracyIn(chapter) {
    const found = book.views(chapter).classes?.find(({ labels }) => labels);
    const [scores, labels] = [found?.scores, found?.labels].map((at) => {
      const place = at ? book.outline(chapter)[at[0]].shown[at[1]].value : null;
      const value = place === null ? null : book.valuesOf(chapter)[place];
      return value === null ? null : edits.entry(chapter, value);
    });
    return found && scores && labels ? accuracyOf(scores, labels, found.ignored) : null;
  }

  /** Draw the current losses over the recorded ones. */
  function redraw() {
    const isUnknown = unknownRounds(book, edits.reaches);
    accuracies = rounds.map(({ chapter, accuracy }, round) => {
      if (isUnknown(round) || !accuracy) return null;
      return chapter !== null && edits.reaches(chapter) ? accuracyIn(chapter) : accuracy;
    });
    losses = rounds.map(({ chapter, loss }, round) => {
      if (isUnknown(round)) return null;
      return loss === null || chapter === null ? loss : lossIn(chapter, loss);
    });
    const moved = losses.some((loss, at) => loss !== recorded[at]);
    const next = drawCurve(losses, signOf, silent, moved ? recorded : [], shares());
    curve.replaceWith(next);
    curve = next;
    gaps.replaceChildren(...drawGaps(losses, recorded));
    showRange(moved ? [...losses, ...recorded] : losses);
  }
  const track = h(
    "div.mp-round-track",
    {
      role: "slider",
      tabindex: "0",
      "aria-label": words.text("roundSlider"),
      "aria-valuemin": 1,
      "aria-valuemax": Math.max(1, count),
      "aria-orientation": "horizontal",
    },
    gaps,
    curve,
    head,
    marked.map((round) => h("span.mp-mark", { style: `left: ${(100 * (round + 0.5)) / count}%` })),
    tip,
  );

  /** @param {PointerEvent} event */
  const roundUnder = (event) => partUnder(event, track, count);
  /** @param {number} number */
  function showTip(number) {
    tip.textContent = describeRound(number);
    tip.hidden = false;
    tip.toggleAttribute("data-late", number >= count / 2);
    tip.style.setProperty("--at", `${(100 * (number + 0.5)) / count}%`);
  }
  createTrack(track, {
    drag: (event) => goTo(roundUnder(event)),
    hover: (event) => showTip(roundUnder(event)),
    leave() {
      tip.hidden = true;
    },
  });

  /** @type {Record<string, () => number | null>} */
  const keys = {
    ArrowLeft: () => beside(-1),
    ArrowDown: () => beside(-1),
    ArrowRight: () => beside(1),
    ArrowUp: () => beside(1),
    PageDown: () => far(-10),
    PageUp: () => far(10),
    Home: () => nearestRecorded(book, 0, 0),
    End: () => nearestRecorded(book, count - 1, 0),
  };
  track.addEventListener("keydown", (event) => {
    const chapter = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key];
    if (!chapter) return;
    claim(event);
    go(chapter());
  });

  // ----- elements -----

  const back = namedButton(words, "previousRound", "previousRound", "previousRound");
  const ahead = namedButton(words, "nextRound", "nextRound", "nextRound");
  const text = h("p.mp-round-text", { "aria-live": "polite" });
  const knobs = h("div.mp-round-knobs", back, ahead);
  const group = { role: "group", "aria-label": words.text("rounds") };
  const hidden = { "aria-hidden": "true", hidden: shares().length ? null : "" };
  const ends = [h("span", "100 %"), h("span", words.text("accuracy")), h("span", "0 %")];
  const scale = h("div.mp-round-range.mp-round-shares", hidden, ends);
  const element = h("div.mp-rounds", group, knobs, range, track, scale, text);

  quietWhilePlaying(store, text);
  store.subscribe(["chapter", "step"], () => {
    tip.hidden = true; // the tip covers the sentence of the step
  });
  store.subscribe(["moved"], () => count && redraw());
  store.subscribe(["chapter", "lang", "moved"], ({ chapter }) => {
    if (!count) return;
    const at = roundAt(book, chapter);
    const place = now() === null ? at + 1 : at + 0.5;
    head.style.left = `${(100 * place) / count}%`;
    element.toggleAttribute("data-outside", now() === null);
    text.textContent = describe();
    const value = { "aria-valuenow": Math.max(1, at + 1), "aria-valuetext": describe() };
    setAttributes(track, value);
    back.setAttribute("aria-disabled", String(beside(-1) === null));
    ahead.setAttribute("aria-disabled", String(beside(1) === null));
  });
  return {
    /** Element, or nothing if there are no rounds. */
    elements: count ? [element] : [],
    now,
    goTo,
    actions: {
      previousRound: () => go(beside(-1)),
      nextRound: () => go(beside(1)),
    },
  };
}
