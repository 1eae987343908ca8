// Many ranks side by side: a column for each, bars where they meet, one scrubber for all.

import { read, recall, remember } from "./address.js";
import { tablesOf } from "./arrays.js";
import { createBar, createTools, stepActions } from "./bar.js";
import { createClock } from "./clock.js";
import { button, clamp, createScroller, focusPage, html, keepShapesWhole } from "./dom.js";
import { listen } from "./keys.js";
import { briefly, shapeText, sizeOf } from "./numbers.js";
import { paintingOf } from "./painting.js";
import { createRoad } from "./road.js";
import { keepLook, startPage } from "./start.js";
import { createTheme } from "./theme.js";
import { createTimeline } from "./timeline.js";

/** @import { Data, RanksPayload, RanksRow, RanksSet, RanksValue } from "./payload.d.ts" */
/** @import { Options } from "./player.js" */

const LEAST_ZOOM = 0.8; // of its size, so that the picture can be read
const MOST_ZOOM = 3;
const AROUND_ROW = 24; // pixels around the row that is looked at

/**
 * What a part of the picture is at a row of the score.
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
  const last = rows.length - 1;
  const road = createRoad([{ first: 0, count: rows.length, ofMemory: [] }]);
  const asked = Number(read("step")) || 0; // in the address rows are counted from 1, as on the page
  const first = asked ? asked - 1 : (options.step ?? payload.opens);
  const { store, words } = startPage(options, clamp(first, 0, Math.max(0, last)));

  // ----- the picture -----

  const pane = html("div", { class: "mp-ranks-pane", tabindex: "0", role: "group" });
  words.label(pane, "ranksPicture", "aria-label");
  const scroller = createScroller(pane);
  let folded = payload.pictures.length > 1 && recall("fold", ["0", "1"]) !== "0";
  let zoom = 0; // 0: as wide as the pane
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
    const top = Math.min(...boxes.map((box) => box.top)) - AROUND_ROW;
    const bottom = Math.max(...boxes.map((box) => box.bottom)) + AROUND_ROW;
    const left = Math.min(...boxes.map((box) => box.left)) - AROUND_ROW;
    const right = Math.max(...boxes.map((box) => box.right)) + AROUND_ROW;
    scroller.by(
      nearest(left, right, room.left, room.right),
      nearest(top, bottom, room.top, room.bottom),
    );
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

  // ----- what happens in a row -----

  const says = html("div", { class: "mp-ranks-says", "aria-live": "polite" });
  const codes = html("ul", { class: "mp-ranks-codes" });
  const values = html("div", { class: "mp-ranks-values" });
  const side = html("div", { class: "mp-ranks-side", tabindex: "0", role: "group" }, codes, values);
  words.label(side, "ranksValues", "aria-label");

  /** @type {(row: RanksRow) => string} */
  const sentence = ({ told }) =>
    told.map(({ who, text }) => `${words.of(who)}: ${words.of(text)}`).join(" ");

  /** @param {RanksRow} row */
  function tell({ told, lines, shown }) {
    says.replaceChildren(
      ...told.map(({ who, text }) =>
        html(
          "p",
          { class: "mp-say" },
          html("b", {}, words.of(who)),
          " ",
          ...keepShapesWhole(words.of(text)),
        ),
      ),
    );
    codes.replaceChildren(
      ...lines.map(({ who, place, code }) =>
        html(
          "li",
          {},
          html("span", { class: "mp-ranks-place" }, `${words.of(who)} · ${words.source(place)}`),
          html("code", {}, code),
        ),
      ),
    );
    values.replaceChildren(
      ...(shown.length
        ? shown.map(card)
        : [html("p", { class: "mp-hint" }, words.say("noValues"))]),
    );
  }

  /** @param {RanksValue} shown */
  function card({ name, role, sets }) {
    const head = html(
      "h2",
      {},
      html("span", { class: "mp-ranks-role" }, words.say(role)),
      " ",
      html("b", {}, name),
    );
    return html(
      "section",
      { class: "mp-ranks-value", "data-role": role },
      head,
      html("div", { class: "mp-ranks-sets" }, ...sets.map((set) => table(name, set))),
    );
  }

  /** @type {(name: string, set: RanksSet) => HTMLElement} */
  function table(name, { who, ranks, value }) {
    const entry = payload.values[value];
    const { data, shape, stats } = entry;
    const { min, max } = stats;
    const range = min == null || max == null ? "" : ` ${briefly(min)} … ${briefly(max)}`;
    const body =
      data === null || !sizeOf(shape)
        ? [html("p", {}, shapeText(shape) + range)]
        : tablesOf(
            { ...entry, data: /** @type {Data} */ (data) },
            `${words.of(who)} ${name}`,
            side.clientWidth - 40,
            () => {},
            () => {},
          ).elements;
    const label = html("h3", {}, words.of(who));
    return html("div", { class: "mp-ranks-of", "data-of": ranks.join(",") }, label, ...body);
  }

  // ----- the page -----

  const phases = new Set(rows.map(({ phase }) => phase));
  const timeline = createTimeline(
    phases,
    () => rows,
    words,
    store,
    road,
    (step) => (rows.length ? sentence(rows[step]) : ""),
  );
  const bar = createBar(words, store, road);
  const clock = createClock(words, bar.play, store, road);
  const count = html("output", { class: "mp-count" });
  const fold = button("follow");
  words.label(fold, "foldRanks");
  fold.hidden = payload.pictures.length < 2;
  const tools = createTools(words, fold);
  const note = html("div", { class: "mp-twin-note" });
  const title = html("h1", { class: "mp-title" });
  const root = html(
    "section",
    {
      class: "mp-player mp-ranks",
      role: "group",
      tabindex: "0",
      "aria-label": words.of(payload.title),
      "data-steps": rows.length,
    },
    html(
      "div",
      { class: "mp-head" },
      title,
      html("div", { class: "mp-drive" }, bar.element, timeline, count, clock.element),
      tools.knob,
      tools.panel,
    ),
    says,
    html("div", { class: "mp-ranks-body" }, pane, side),
    note,
  );
  const theme = createTheme([root, document.documentElement], store);

  store.subscribe(["playing"], ({ playing }) => {
    says.setAttribute("aria-live", playing ? "off" : "polite");
  });
  store.subscribe(["lang"], () => {
    for (const each of [root, document.documentElement]) each.lang = words.say("lang");
    title.textContent = words.of(payload.title);
    root.setAttribute("aria-label", words.of(payload.title));
    note.replaceChildren(
      ...payload.notes.map(({ kind, text }) => html("p", { "data-kind": kind }, words.of(text))),
    );
    redraw();
  });
  store.subscribe(["step", "lang"], ({ step }) => {
    root.dataset.step = String(step);
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

  listen(root, {
    ...stepActions(store, road),
    play: clock.turn,
    in: () => magnify(1.25),
    out: () => magnify(0.8),
    fit() {
      zoom = 0;
      scale();
    },
    follow() {
      if (payload.pictures.length < 2) return;
      folded = !folded;
      fold.setAttribute("aria-pressed", String(folded));
      remember({ fold: folded ? null : "0" });
      redraw();
    },
    theme: theme.turn,
    language: () => store.set({ lang: words.next() }),
    escape: () => tools.close(),
  });
  fold.setAttribute("aria-pressed", String(folded));

  host.replaceChildren(html("main", {}, root));
  store.notify();
  keepLook(store);
  store.subscribe(["step"], ({ step }) => remember({ step: String(step + 1) }));
  focusPage(root);
  return {
    /** @param {number} step */
    go: (step) => store.set({ step: clamp(step, 0, last), playing: false }),
    get step() {
      return store.state.step;
    },
  };
}

/**
 * How far to scroll so that a span lies in a room; its beginning, where it is too large.
 * @type {(from: number, to: number, low: number, high: number) => number}
 */
export function nearest(from, to, low, high) {
  if (from < low || to - from > high - low) return from - low;
  return to > high ? to - high : 0;
}
