// Many ranks side by side: a column for each, bars for collectives, one scrubber for all.

import { read, recall, remember } from "./address.js";
import { tablesOf } from "./arrays.js";
import { button, clamp, createScroller, h, keepShapesWhole, press, spanOf } from "./dom.js";
import { briefly, shapeText, sizeOf } from "./numbers.js";
import { paintingOf } from "./painting.js";
import { createShell, startPage } from "./shell.js";
import { quietWhilePlaying } from "./store.js";
import { createTimeline } from "./timeline.js";

/** @import { Data, RanksPayload, RanksRow, RanksSet, RanksValue } from "./payload.d.ts" */
/** @import { Options } from "./player.js" */

const LEAST_ZOOM = 0.8; // least scale at which the picture is readable
const MOST_ZOOM = 3;
const AROUND_ROW = 24; // pixels around the current row

/**
 * Return the state of a part of the picture at a row of the score.
 * @param {{ since: number | null, row: number | null }} part
 * @param {number} now
 */
export function stateOf({ since, row }, now) {
  if (since === null || row === null) return null;
  return row < now ? "done" : since <= now ? "active" : "pending";
}

/**
 * @param {HTMLElement} host
 * @param {RanksPayload} payload
 * @param {Options} options
 */
export function mountRanks(host, payload, options = {}) {
  const { rows } = payload;
  const asked = Number(read("step")) || 0; // rows in the address count from 1
  const first = asked ? asked - 1 : payload.opens;
  const page = startPage(options, rows.length, first);
  const { store, words } = page;

  // ----- the picture -----

  const label = words.text("ranksPicture");
  const pane = h("div.mp-ranks-pane", { tabindex: "0", role: "group", "aria-label": label });
  const scroller = createScroller(pane);
  let folded = payload.pictures.length > 1 && recall("fold", ["0", "1"]) !== "0";
  let zoom = 0; // scale; 0 fits the width of the pane
  let drawn = drawNow();

  function drawNow() {
    const picture = payload.pictures[folded ? 0 : payload.pictures.length - 1];
    return paintingOf(picture[words.lang]);
  }

  function scale() {
    const whole = pane.clientWidth / drawn.width;
    const factor = zoom || clamp(whole, LEAST_ZOOM, 1.25);
    drawn.element.style.width = `${drawn.width * factor}px`;
    drawn.element.style.height = `${drawn.height * factor}px`;
    return factor;
  }

  /** @param {number} step */
  function light(step) {
    for (const part of drawn.parts) part.element.dataset.state = stateOf(part, step) ?? "";
    const lit = drawn.parts.filter((part) => stateOf(part, step) === "active");
    const boxes = lit.map(({ element }) => scroller.boxAtRest(element));
    if (!boxes.length) return;
    const room = pane.getBoundingClientRect();
    /** @type {(low: "left" | "top", high: "right" | "bottom") => number} */
    const shift = (low, high) => {
      const [from, to] = spanOf(boxes, low, high);
      return nearest(from - AROUND_ROW, to + AROUND_ROW, room[low], room[high]);
    };
    scroller.by(shift("left", "right"), shift("top", "bottom"));
  }

  function redraw() {
    drawn = drawNow();
    pane.replaceChildren(drawn.element);
    scale();
    light(store.state.step);
  }

  pane.addEventListener("click", (event) => {
    const part = event.target instanceof Element ? event.target.closest("[data-row]") : null;
    const row = part?.getAttribute("data-row");
    if (row) store.set({ step: Number(row), playing: false });
  });
  new ResizeObserver(scale).observe(pane);

  // ----- details of a row -----

  const says = h("div.mp-ranks-says", { "aria-live": "polite" });
  const codes = h("ul.mp-ranks-codes");
  const values = h("div.mp-ranks-values");
  const sideLabel = { "aria-label": words.text("ranksValues") };
  const side = h(
    "div.mp-ranks-side",
    { tabindex: "0", role: "group", ...sideLabel },
    codes,
    values,
  );

  /** @type {(row: RanksRow) => string} */
  const sentence = ({ told }) =>
    told.map(({ who, text }) => `${words.of(who)}: ${words.of(text)}`).join(" ");

  /** @param {RanksRow} row */
  function tell({ told, lines, shown }) {
    says.replaceChildren(
      ...told.map(({ who, text }) =>
        h("p.mp-say", h("b", words.of(who)), " ", keepShapesWhole(words.of(text))),
      ),
    );
    codes.replaceChildren(
      ...lines.map(({ who, place, code }) => {
        const name = `${words.of(who)} · ${words.source(place)}`;
        return h("li", h("span.mp-ranks-place", name), h("code", code));
      }),
    );
    const none = shown.length ? [] : [h("p.mp-hint", words.say("noValues"))];
    values.replaceChildren(...shown.map(card), ...none);
  }

  /** @param {RanksValue} shown */
  const card = ({ name, role, sets }) =>
    h(
      "section.mp-ranks-value",
      { "data-role": role },
      h("h2", h("span.mp-ranks-role", words.say(role)), " ", h("b", name)),
      h("div.mp-ranks-sets", ...sets.map((set) => table(name, set))),
    );

  /** @type {(name: string, set: RanksSet) => HTMLElement} */
  function table(name, { who, ranks, value }) {
    const entry = payload.values[value];
    const { data, shape, stats } = entry;
    const { min, max } = stats;
    const range = min == null || max == null ? "" : ` ${briefly(min)} … ${briefly(max)}`;
    const body =
      data === null || !sizeOf(shape)
        ? [h("p", shapeText(shape) + range)]
        : tablesOf(
            { ...entry, data: /** @type {Data} */ (data) },
            `${words.of(who)} ${name}`,
            side.clientWidth - 40,
            () => {},
            () => {},
          ).elements;
    const label = h("h3", words.of(who));
    return h("div.mp-ranks-of", { "data-of": ranks.join(",") }, label, ...body);
  }

  // ----- the page -----

  const timeline = createTimeline(
    page,
    new Set(rows.map(({ phase }) => phase)),
    () => rows,
    (step) => (rows.length ? sentence(rows[step]) : ""),
  );
  const fold = button("follow", words.text("foldRanks"));
  fold.hidden = payload.pictures.length < 2;
  const note = h("div.mp-twin-note");
  const { root, count, tools, show } = createShell(
    page,
    () => words.of(payload.title),
    timeline,
    { "data-steps": rows.length },
    [fold],
  );
  root.classList.add("mp-ranks");
  root.append(says, h("div.mp-ranks-body", pane, side), note);

  quietWhilePlaying(store, says);
  store.subscribe(["lang"], () => {
    note.replaceChildren(
      ...payload.notes.map(({ kind, text }) => h("p", { "data-kind": kind }, words.of(text))),
    );
    redraw();
  });
  store.subscribe(["step", "lang"], ({ step }) => {
    count.textContent = rows.length ? `${step + 1} / ${rows.length}` : "";
    light(step);
    if (rows.length) tell(rows[step]);
  });

  /** @param {number} factor */
  function magnify(factor) {
    zoom = clamp(scale() * factor, LEAST_ZOOM, MOST_ZOOM);
    scale();
    light(store.state.step);
  }

  press(fold, folded);
  show(host, {
    in: () => magnify(1.25),
    out: () => magnify(0.8),
    fit() {
      zoom = 0;
      scale();
    },
    follow() {
      if (payload.pictures.length < 2) return;
      folded = !folded;
      press(fold, folded);
      remember({ fold: folded ? null : "0" });
      redraw();
    },
    escape: () => tools.close(),
  });
  store.subscribe(["step"], ({ step }) => remember({ step: String(step + 1) }));
}

/**
 * Return how far to scroll so that a span is in view, or its beginning if it is too large.
 * @type {(from: number, to: number, low: number, high: number) => number}
 */
export function nearest(from, to, low, high) {
  if (from < low || to - from > high - low) return from - low;
  return to > high ? to - high : 0;
}
