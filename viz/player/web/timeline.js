// The timeline: one lane of ticks for each phase of the story, and a playhead to drag.

import { closest, createTrack, h, partUnder, setAttributes } from "./dom.js";

/** @import { Step } from "./payload.d.ts" */
/** @import { Ribbon } from "./ribbon.js" */
/** @import { Road, Way } from "./road.js" */
/** @import { PageState, Store } from "./store.js" */
/** @import { Words } from "./words.js" */

/** @typedef {Pick<Step, "phase">} Tick */

/**
 * Marked steps of a chapter, and the function that a press on a mark calls.
 * @typedef {object} Marks
 * @property {(chapter: number) => number[]} at
 * @property {(spot: { chapter: number, step: number }) => void} open
 */

/**
 * Return the lanes of a story, from top to bottom.
 * @param {ReadonlySet<string>} used  the phases of its steps
 */
export function lanesOf(used) {
  const recorded = ["build", "run"].filter((lane) => used.has(lane));
  const eager = !recorded.length || used.has("forward") || used.has("backward");
  const update = used.has("optimize") ? ["optimize"] : [];
  return [...(eager ? ["forward", "backward"] : []), ...update, ...recorded];
}

const SEPARATE = 1000; // number of steps from which neighbouring ticks are drawn as one

/**
 * Return the outline of a lane's ticks; each reaches to the next step of the way.
 * @param {Tick[]} steps
 * @param {string} lane
 * @param {Way} way
 */
export function ticksOf(steps, lane, way) {
  const gap = steps.length > SEPARATE ? 0 : 0.15;
  /** @type {[number, number][]} */
  const ticks = [];
  for (const step of way.steps) {
    if (steps[step].phase !== lane) continue;
    const tick = ticks.at(-1);
    if (!gap && tick?.[1] === step) tick[1] = way.end(step);
    else ticks.push([step, way.end(step)]);
  }
  return ticks.map(([from, to]) => `M${from + gap} 0H${to - gap}v1H${from + gap}z`).join("");
}

/**
 * Return the timeline of the current chapter; it has the lanes of all chapters, so that nothing
 * moves.
 * @param {{ words: Words, store: Store<PageState>, road: Road }} page
 * @param {ReadonlySet<string>} phases
 * @param {() => Tick[]} steps
 * @param {(step: number) => string} sentenceAt
 * @param {Marks} [marks]
 * @param {() => Ribbon | null} [ribbonNow]
 */
export function createTimeline(
  { words, store, road },
  phases,
  steps,
  sentenceAt,
  marks = { at: () => [], open() {} },
  ribbonNow = () => null,
) {
  const count = () => Math.max(1, steps().length);
  const way = () => road.at(store.state);
  const lanes = lanesOf(phases);
  const heads = lanes.map((name) => {
    const ticks = h("path.mp-ticks", { "data-lane": name });
    const rest = h("rect.mp-rest", { y: 0, height: 1 });
    const still = { preserveAspectRatio: "none", "aria-hidden": "true" };
    return { name, lane: h("svg.mp-lane", still, ticks, rest), ticks, rest };
  });
  const names = h(
    "div.mp-lane-names",
    { "aria-hidden": "true" },
    lanes.map((name) => h("span", { "data-lane": name }, words.text(name))),
  );
  const head = h("div.mp-playhead");
  const marked = h("div.mp-marks");
  const track = h(
    "div.mp-track",
    {
      role: "slider",
      tabindex: "0",
      "aria-orientation": "horizontal",
      "aria-label": words.text("timeline"),
    },
    heads.map(({ lane }) => lane),
    head,
    marked,
  );
  const held = h("span.mp-held-name", words.text("memory"));
  /** @type {Ribbon | null} */
  let ribbon = null;

  function showRibbon() {
    const next = ribbonNow();
    if (next === ribbon) return;
    for (const part of ribbon ? [...ribbon.parts, held, ...ribbon.names] : []) part.remove();
    ribbon = next;
    if (!ribbon) return;
    names.append(held, ...ribbon.names);
    head.before(...ribbon.parts);
  }

  /** @param {PointerEvent} event */
  const stepAt = (event) => way().near(partUnder(event, track, count()));
  track.addEventListener("pointerdown", (event) => {
    const at = closest(event, ".mp-mark")?.dataset.step;
    if (!at || event.button !== 0) return;
    event.preventDefault(); // the mark acts, not its place on the timeline
    marks.open({ chapter: store.state.chapter, step: Number(at) });
  });
  createTrack(track, {
    drag: (event) => store.set({ step: stepAt(event), playing: false }),
    hover: (event) =>
      ribbon?.showTip(document.elementFromPoint(event.clientX, event.clientY), stepAt(event)),
    leave: () => ribbon?.showTip(null, 0),
  });

  store.subscribe(["chapter", "memory"], () => {
    for (const { name, lane, ticks } of heads) {
      lane.setAttribute("viewBox", `0 0 ${count()} 1`);
      ticks.setAttribute("d", ticksOf(steps(), name, way()));
    }
    marked.replaceChildren(
      ...marks.at(store.state.chapter).map((step) => {
        const at = `left: ${(50 * (step + way().end(step))) / count()}%`;
        return h("span.mp-mark", { style: at, "data-step": step });
      }),
    );
    showRibbon();
    element.toggleAttribute("data-rows", store.state.memory);
  });
  store.subscribe(["chapter", "step", "lang", "memory"], ({ chapter, step }) => {
    const end = way().end(step);
    head.style.left = `${(50 * (step + Math.max(1, end))) / count()}%`;
    for (const { rest } of heads) {
      setAttributes(rest, { x: end, width: count() - end });
    }
    /** @param {number} at */
    const number = (at) => road.number({ chapter, step: at });
    const where = words.tell("stepOf", { step: number(step), count: Math.max(1, road.count) });
    setAttributes(track, {
      "aria-valuemin": number(0),
      "aria-valuemax": number(count() - 1),
      "aria-valuenow": number(step),
      "aria-valuetext": `${where}: ${sentenceAt(step)}`,
    });
  });
  const element = h("div.mp-timeline", names, track);
  return element;
}
