// The timeline: one lane of ticks for each part of the story, and a playhead that can be dragged.

import { clamp, html, svg } from "./dom.js";

/** @import { Step } from "./payload.d.ts" */
/** @import { Ribbon } from "./ribbon.js" */
/** @import { PageState, Store } from "./store.js" */
/** @import { Words } from "./words.js" */

/** @typedef {Pick<Step, "lane">} Tick */

/**
 * The lanes of a story, from top to bottom.
 * @param {Tick[]} steps
 */
export function lanesOf(steps) {
  const used = new Set(steps.map((step) => step.lane));
  const recorded = ["build", "run"].filter((lane) => used.has(lane));
  const eager = !recorded.length || used.has("forward") || used.has("backward");
  const update = used.has("optimize") ? ["optimize"] : [];
  return [...(eager ? ["forward", "backward"] : []), ...update, ...recorded];
}

const SEPARATE = 1000; // ticks of more steps are narrower than a pixel: neighbours are drawn as one

/**
 * The outline of a lane's ticks, each one wide.
 * @param {Tick[]} steps
 * @param {string} lane
 */
export function ticksOf(steps, lane) {
  /** @param {number} at */
  const here = (at) => steps[at]?.lane === lane;
  const gap = steps.length > SEPARATE ? 0 : 0.15;
  const path = [];
  for (let at = 0; at < steps.length; at += 1) {
    if (!here(at)) continue;
    const start = at;
    while (!gap && here(at + 1)) at += 1;
    path.push(`M${start + gap} 0H${at + 1 - gap}v1H${start + gap}z`);
  }
  return path.join("");
}

/**
 * @param {Tick[]} steps
 * @param {Words} words
 * @param {Store<PageState>} store
 * @param {(step: number) => string} sentenceAt
 * @param {Ribbon | null} [ribbon]
 */
export function createTimeline(steps, words, store, sentenceAt, ribbon) {
  const count = Math.max(1, steps.length);
  const track = html("div", {
    class: "mp-track",
    role: "slider",
    tabindex: "0",
    "aria-valuemin": 1,
    "aria-valuemax": count,
    "aria-orientation": "horizontal",
  });
  const names = html("div", { class: "mp-lane-names", "aria-hidden": "true" });
  words.label(track, "timeline", "aria-label");
  const heads = lanesOf(steps).map((name) => {
    const rest = svg("rect", { class: "mp-rest", y: 0, height: 1 });
    const lane = svg(
      "svg",
      {
        class: "mp-lane",
        viewBox: `0 0 ${count} 1`,
        preserveAspectRatio: "none",
        "aria-hidden": "true",
      },
      svg("path", { d: ticksOf(steps, name), class: "mp-ticks", "data-lane": name }),
      rest,
    );
    names.append(words.label(html("span", { "data-lane": name }), name));
    track.append(lane);
    return rest;
  });
  const head = html("div", { class: "mp-playhead" });
  if (ribbon) {
    names.append(words.label(html("span", { class: "mp-held-name" }), "memory"), ...ribbon.names);
    track.append(ribbon.element, ...ribbon.lines, ribbon.tip);
  }
  track.append(head);

  /** @param {PointerEvent} event */
  const stepAt = (event) => {
    const box = track.getBoundingClientRect();
    const at = Math.floor(((event.clientX - box.left) / box.width) * count);
    return clamp(at, 0, Math.max(0, steps.length - 1));
  };
  /** @param {PointerEvent} event */
  const drag = (event) => store.set({ step: stepAt(event), playing: false });
  track.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    track.setPointerCapture(event.pointerId);
    drag(event);
  });
  track.addEventListener("pointermove", (event) => {
    if (track.hasPointerCapture(event.pointerId)) drag(event);
    ribbon?.showTip(document.elementFromPoint(event.clientX, event.clientY), stepAt(event));
  });
  track.addEventListener("pointerleave", () => ribbon?.showTip(null, 0));

  store.subscribe(["step", "lang"], ({ step }) => {
    head.style.left = `${(100 * (step + 0.5)) / count}%`;
    for (const rest of heads) {
      rest.setAttribute("x", String(step + 1));
      rest.setAttribute("width", String(Math.max(0, count - step - 1)));
    }
    track.setAttribute("aria-valuenow", String(step + 1));
    const sentence = sentenceAt(step);
    track.setAttribute("aria-valuetext", `${step + 1} ${words.say("of")} ${count}: ${sentence}`);
  });
  return html("div", { class: "mp-timeline" }, names, track);
}
