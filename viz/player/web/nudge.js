// The nudge: a number that the reader moves, what its gradient promised of the loss, and what the
// loss did. Two bars, which part as the nudge grows, and the same as a picture: a straight line,
// which is the promise, and the way that the loss has really gone.

import { button, html, icon, svg } from "./dom.js";
import { indexAt, nameOfNamed, nameOfValue, toFloat, typedNumber } from "./edit.js";
import { briefly, flatten, shapeText } from "./numbers.js";
import { roundName } from "./rounds.js";

/** @import { Spotted, Edits, EditState } from "./edit.js" */
/** @import { AskState } from "./questions.js" */
/** @import { GraphState, PageState, Store } from "./store.js" */
/** @import { Book } from "./unpack.js" */
/** @import { Shown, Value } from "./payload.d.ts" */
/** @import { Words } from "./words.js" */

/**
 * Where a nudge begins: the number there, its gradient, and the loss, where they are known.
 * @typedef {object} Start
 * @property {number} number
 * @property {number | null} grad
 * @property {number | null} loss
 */

const DIGITS = 7; // as many as a float32 has
const LEAST_REACH = 0.1; // of the size of an array: its numbers can be dragged so far at least
const WHOLE_LOSS = 2; // times the nudge that is promised to take the loss away: it is not believed
const STEPS = 100; // to either side
const KEPT = 0.05; // of the promise
const NEARLY = 0.3;
const CLOSE = 1.5; // steps: who nudges by so little sees the slope at the start
const JOINED = 0.1; // of the reach: what lies between two points so near is no surprise
const NOISE = 2e-6; // of the loss: what float32 rounds away on the way there

/**
 * The next of 1, 2, 5, 10, 20 ... that is as large.
 * @param {number} size
 */
function roundUp(size) {
  const ten = 10 ** Math.floor(Math.log10(size));
  return [1, 2, 5, 10].map((each) => each * ten).find((each) => each >= size * (1 - 1e-9)) ?? size;
}

/**
 * How far a slider goes to either side, and by how much a key goes: as far as the numbers of the
 * array are large, but not far past where the promise has to break.
 * @param {number[]} numbers  of the array, finite or not
 * @param {string} dtype
 * @param {{ grad: number | null, loss: number | null }} slope
 */
export function scaleOfNudges(numbers, dtype, { grad, loss }) {
  if (dtype === "bool") return { reach: 1, step: 1 };
  const squares = numbers.filter(Number.isFinite).map((each) => each * each);
  const mean = squares.reduce((sum, each) => sum + each, 0) / Math.max(1, squares.length);
  const size = Math.sqrt(mean) || 1;
  const far = WHOLE_LOSS * Math.abs((loss ?? 0) / (grad ?? 0)) || size; // NaN and 0 say nothing
  const reach = roundUp(Math.min(size, Math.max(far, LEAST_REACH * size)));
  if (dtype.includes("int")) return { reach: Math.max(5, Math.ceil(reach)), step: 1 };
  return { reach, step: reach / STEPS };
}

/**
 * How a promise was kept, as the word of words.js that says so.
 * @param {number} promise
 * @param {number} did
 * @param {number} loss
 */
export function verdictOn(promise, did, loss) {
  if (!Number.isFinite(did)) return "nudgeOdd";
  const noise = NOISE * Math.abs(loss);
  const still = Math.abs(did) <= noise;
  if (promise === 0) return still ? "nudgeFlat" : "nudgeFlatBroken";
  if (still && Math.abs(promise) <= noise) return "nudgeTiny";
  if (!still && did * promise < 0) return "nudgeOpposite";
  const error = (Math.abs(did - promise) - noise) / Math.abs(promise);
  return error <= KEPT ? "nudgeKept" : error <= NEARLY ? "nudgeNearly" : "nudgeParted";
}

/**
 * The slope that was measured for an element of a gradient, where the two disagree.
 * @param {Shown[]} wrong  gradients that disagree with their finite differences
 * @param {number | null} gradValue
 * @param {number} at
 * @param {number} grad  of this element now: what was measured speaks of the recorded one
 * @param {(value: number) => Value} lookUp
 * @returns {number | null}
 */
export function slopeInstead(wrong, gradValue, at, grad, lookUp) {
  const own = wrong.find(({ value }) => value !== null && value === gradValue);
  /** @param {number | null | undefined} value */
  const element = (value) => {
    const data = value == null ? null : lookUp(value).data;
    return data === null ? Number.NaN : toFloat(flatten(data)[at]);
  };
  const [recorded, slope] = [element(own?.value), element(own?.check?.value)];
  if (recorded !== grad || !Number.isFinite(slope)) return null;
  return isBroken(verdictOn(grad, slope, 0)) ? slope : null;
}

/** @param {string} verdict */
const isBroken = (verdict) => ["nudgeParted", "nudgeOpposite", "nudgeFlatBroken"].includes(verdict);

/** @param {number} number */
const shorten = (number) => Number(number.toPrecision(DIGITS));

/** @param {number} number */
const written = (number) =>
  String(shorten(number)).replace("Infinity", "inf").replace("NaN", "nan");

/** @param {number} number */
const told = (number) => briefly(number).replace("-", "−");

/** @param {number} number */
const signed = (number) => (number > 0 ? `+${told(number)}` : told(number));

/** @param {number | string | boolean | null | undefined} number */
const finite = (number) => (typeof number === "number" && Number.isFinite(number) ? number : null);

/** @param {number} x */
const coordinate = (x) => Number(x.toFixed(4));

/**
 * The points at which a loss was seen, as a path: a line between those that are near each other.
 * @param {[number, number][]} trail  in the order of the nudges
 */
export function wayOf(trail) {
  const pieces = trail.map(([x, y], at) => {
    const near = at > 0 && x - trail[at - 1][0] <= JOINED;
    return `${near ? "L" : "M"}${coordinate(x)} ${coordinate(-y)}${near ? "" : "h0"}`;
  });
  return trail.length > 1 ? pieces.join("") : "";
}

/**
 * The promise as a straight line, the way of the loss as far as it was seen, and where both are now.
 * Everything lies between -1 and 1.
 */
function createPicture() {
  /** @param {string} part */
  const line = (part) =>
    svg("path", { class: `mp-nudge-${part}`, "vector-effect": "non-scaling-stroke", d: "" });
  const parts = {
    axes: line("axes"),
    line: line("line"),
    trail: line("trail"),
    gap: line("gap"),
    ends: line("ends"),
    promise: line("promise"),
    loss: line("loss"),
  };
  const element = svg(
    "svg",
    { viewBox: "-1 -1 2 2", preserveAspectRatio: "none", role: "img" },
    ...Object.values(parts),
  );
  parts.axes.setAttribute("d", "M-1 0H1M0-1V1");
  return {
    element,
    /**
     * @param {number} slope  of the line
     * @param {[number, number][]} trail
     * @param {[number, number, number] | null} now  the nudge, the promise and what the loss did
     */
    draw(slope, trail, now) {
      parts.line.setAttribute("d", `M-1 ${coordinate(slope)}L1 ${coordinate(-slope)}`);
      parts.trail.setAttribute("d", wayOf(trail));
      const [x, promise, did] = (now ?? [0, 0, 0]).map(coordinate);
      parts.gap.setAttribute("d", now ? `M${x} ${-promise}V${-did}` : "");
      parts.promise.setAttribute("d", now ? `M${x} ${-promise}h0` : "");
      parts.loss.setAttribute("d", now ? `M${x} ${-did}h0` : "");
    },
  };
}

/**
 * @param {Book} book
 * @param {Words} words
 * @param {Store<GraphState & PageState & EditState & AskState>} store
 * @param {Edits} edits
 * @param {(chapter: number) => boolean} asked  whether questions are open that a gradient may answer
 * @param {(spot: Spotted) => void} leave  takes the focus back
 */
export function createNudge(book, words, store, edits, asked, leave) {
  /** @type {Start} */
  let start = { number: 0, grad: null, loss: null };
  /** @type {Map<number, number>} */
  const trail = new Map(); // nudge: what the loss did
  let scale = { reach: 1, step: 0.02 };
  /** @type {Spotted | null} */
  let begun = null; // the number that the nudge is of
  let wanted = 0; // the number that was asked for; what follows may still be computed
  let before = 0; // where the field was entered

  // ----- what stands there -----

  const name = html("b", { class: "mp-nudge-name" });
  const was = html("span", { class: "mp-nudge-was" });
  const field = html("input", {
    class: "mp-edit",
    type: "text",
    inputmode: "text",
    autocomplete: "off",
    spellcheck: "false",
    size: 9,
  });
  const nudge = html("output", { class: "mp-nudge-by" });
  const slider = html("input", { class: "mp-nudge-slider", type: "range", step: 1 });
  const here = words.label(html("button", { type: "button", class: "mp-nudge-here" }), "nudgeHere");
  words.label(here, "nudgeHereTitle", "title");
  const close = button(null, icon("close"));
  words.label(close, "nudgeClose", "title");
  words.label(close, "nudgeClose", "aria-label");
  const picture = createPicture();
  const verdict = html("p", { class: "mp-nudge-verdict", role: "status" });

  /** @param {"promise" | "loss"} of */
  function createBar(of) {
    const name = words.label(html("span", { class: "mp-bar-name" }), `nudge_${of}`);
    const bar = html("i");
    const number = html("b");
    const sum = html("span", { class: "mp-bar-sum" });
    const element = html(
      "div",
      { class: "mp-bar", "data-of": of },
      name,
      html("span", { class: "mp-bar-number" }, sum, number),
      html("span", { class: "mp-bar-track" }, bar),
    );
    return {
      element,
      name,
      /** @type {(value: number | null, full: number, text: string) => void} */
      show(value, full, text) {
        const share = value === null || !Number.isFinite(value) || !full ? 0 : (50 * value) / full;
        bar.style.left = `${50 + Math.min(0, share)}%`;
        bar.style.width = `${Math.abs(share)}%`;
        number.textContent = value === null ? "–" : signed(value);
        sum.textContent = text;
        if (value === null) delete element.dataset.number;
        else element.dataset.number = String(value);
      },
    };
  }
  const bars = { promise: createBar("promise"), loss: createBar("loss") };

  const count = html("b", { class: "mp-edits-count" });
  const busy = words.label(html("span", { class: "mp-busy", hidden: "" }), "computing");
  const reset = words.label(button("reset"), "reset");
  words.label(reset, "resetTitle", "title");
  const strip = html("div", { class: "mp-edits", hidden: "" }, count, busy, reset);
  const ends = ["left", "middle", "right"].map(() => html("span"));
  const figure = html(
    "div",
    { class: "mp-nudge-figure" },
    words.label(html("span", { class: "mp-nudge-up", "aria-hidden": "true" }), "nudgeAxis"),
    picture.element,
    slider,
    html("div", { class: "mp-nudge-ends", "aria-hidden": "true" }, ...ends),
  );
  const panel = html(
    "div",
    { class: "mp-nudge", role: "group", hidden: "" },
    html("header", {}, name, was, field, nudge, here, close),
    html("div", { class: "mp-bars" }, bars.promise.element, bars.loss.element),
    figure,
    verdict,
  );
  words.label(panel, "whatIf", "aria-label");
  const element = html("div", { class: "mp-what-if" }, panel, strip); // a slider keeps its place

  // ----- what is known -----

  const spot = () => /** @type {Spotted} */ (store.state.nudged);

  /** Whether the gradient, or what answers for it, is not to be told yet. */
  const isAsked = () => start.grad !== null && asked(edits.slope(spot())?.chapter ?? 0);

  /** @param {string | undefined} name  of the value, if it is not its own */
  function title(name = undefined) {
    const { chapter, value, at } = spot();
    const index = indexAt(at, book.value(value).shape);
    const rate = edits.named(chapter).find((each) => each[1] === value);
    const { steps } = book.chapter(chapter);
    const own = rate ? nameOfNamed(rate, steps) : nameOfValue(steps, value);
    return `${name ?? own}${index.length ? shapeText(index) : ""}`;
  }

  /** What the gradient is called where backward leaves it: `w.grad[0, 1]`. */
  function gradTitle() {
    const { chapter, gradValue } = edits.slope(spot()) ?? { chapter: 0, gradValue: null };
    const { steps } = book.chapter(chapter);
    return title(gradValue === null ? "" : nameOfValue(steps.toReversed(), gradValue));
  }

  /** A nudge begins where the number is now, when all that was edited before has been computed. */
  function begin() {
    begun = spot();
    const { grad, loss } = edits.slope(spot()) ?? { grad: null, loss: null };
    const { data, dtype } = edits.entry(spot().chapter, spot().value);
    start = { number: edits.now(spot()), grad: finite(grad), loss: finite(loss) };
    scale = scaleOfNudges(data === null ? [] : flatten(data).map(Number), dtype, start);
    wanted = start.number;
    trail.clear();
    trail.set(0, 0);
    setReach(scale.reach);
  }

  /** @param {number} reach */
  function setReach(reach) {
    scale.reach = reach;
    slider.max = String(Math.round(reach / scale.step));
    slider.min = String(-Number(slider.max));
    [-1, 0, 1].forEach((side, at) => {
      ends[at].textContent = told(shorten(start.number + side * reach));
    });
  }

  /** @param {number} by  which may be further than the slider went */
  function widen(by) {
    if (!Number.isFinite(by) || Math.abs(by) <= scale.reach * (1 + 1e-9)) return;
    setReach(roundUp(Math.abs(by)));
  }

  // ----- drawing -----

  function showControls() {
    const by = shorten(wanted - start.number);
    widen(by);
    if (document.activeElement !== field) field.value = written(wanted);
    slider.value = String(Math.round(by / scale.step));
    slider.setAttribute("aria-valuetext", told(wanted));
    const recorded = edits.recorded(spot());
    const changed = !Object.is(recorded, wanted);
    was.textContent = changed ? told(shorten(recorded)) : "";
    const alone = by && start.grad === null; // else the promise tells it
    nudge.textContent = alone ? words.tell("nudgeBy", { by: signed(by) }) : "";
    here.toggleAttribute("data-idle", !by || start.grad === null || isAsked());
    panel.toggleAttribute("data-changed", changed);
  }

  function showPromise() {
    const { loss } = start;
    const grad = isAsked() ? null : start.grad;
    const there = edits.slope(spot());
    const now = there?.loss === null || !there ? null : toFloat(there.loss);
    const round = book.chapters[there?.chapter ?? 0].round;
    bars.loss.name.textContent =
      round === null
        ? words.say("nudge_loss")
        : words.tell("nudge_lossOf", { round: roundName(round, words) });
    bars.loss.element.toggleAttribute("data-round", round !== null);
    const by = shorten(edits.now(spot()) - start.number);
    const promise = grad === null ? null : grad * by;
    const did = loss === null || now === null ? null : now - loss;
    const known = Number.isFinite(by) && Number.isFinite(did);
    if (known) trail.set(by, Number(did));
    const most = [...trail.values()].map(Math.abs);
    const full = Math.max(Math.abs(grad ?? 0) * scale.reach, ...most);
    bars.promise.element.hidden = grad === null;
    bars.loss.element.hidden = loss === null;
    figure.toggleAttribute("data-flat", loss === null);
    figure.toggleAttribute("data-unpromised", grad === null);
    const factor = by < 0 ? `(${told(by)})` : told(by);
    bars.promise.show(promise, full, grad === null ? "" : `${told(grad)} × ${factor} =`);
    const way = loss === null || now === null ? "" : `${told(loss)} → ${told(now)}:`;
    bars.loss.show(did, full, way);
    const seen = [...trail]
      .sort(([one], [other]) => one - other)
      .map(([x, y]) => /** @type {[number, number]} */ ([x / scale.reach, full ? y / full : 0]));
    const tips =
      full && known
        ? [by / scale.reach, (promise ?? Number(did)) / full, Number(did) / full]
        : null;
    picture.draw(
      full && grad !== null ? (grad * scale.reach) / full : 0,
      seen,
      /** @type {[number, number, number] | null} */ (tips),
    );
    verdict.textContent = sentence(by, promise, did);
    picture.element.setAttribute("aria-label", verdict.textContent);
  }

  /**
   * Why nothing is promised: what the number is, or what stopped its gradient.
   * @param {Record<string, string>} tell
   */
  function withoutGradient(tell) {
    const { chapter, value } = spot();
    const named = edits.named(chapter).find((each) => each[1] === value);
    if (named) {
      const said = words.tell(named[2].length ? "nudgeConstant" : "nudgeRate", tell);
      const count = edits.alike(spot()).length;
      const number = told(edits.recorded(spot()));
      return count > 1 ? words.tell("nudgeTogether", { told: said, count, number }) : said;
    }
    const { steps, missing } = book.chapter(chapter);
    const isSeed = steps.some(
      ({ kind, shown }) =>
        kind === "seed" &&
        shown.some((entry) => entry.role === "grad_out" && entry.value === value),
    );
    if (isSeed) return words.tell("nudgeSeed", tell);
    const causes = Object.values(missing)
      .filter(({ text }) => text.en?.startsWith(`${nameOfValue(steps, value)}.grad `))
      .map(({ text }) => text[words.lang] ?? "");
    const cause = new Set(causes).size === 1 && edits.loss(chapter) ? causes[0] : ""; // for certain
    if (!cause) return words.tell("nudgeNoGradient", tell);
    return words.tell("nudgeCause", { cause });
  }

  /** @type {(by: number, promise: number | null, did: number | null) => string} */
  function sentence(by, promise, did) {
    const { grad, loss } = start;
    if (isAsked()) return words.say("nudgeAsked");
    const name = title();
    const tell = {
      name,
      gradient: gradTitle(),
      grad: told(grad ?? 0),
      times: told(Math.abs(grad ?? 0)),
    };
    if (loss === null) return words.tell("nudgeNoLoss", tell);
    if (grad === null || promise === null) return withoutGradient(tell);
    if (by === 0 || did === null) {
      return words.tell(grad === 0 ? "nudgeZero" : grad > 0 ? "nudgeUp" : "nudgeDown", tell);
    }
    const verdict = verdictOn(promise, did, loss);
    return isBroken(verdict) ? ofBroken(verdict, by, grad, tell) : words.tell(verdict, tell);
  }

  /**
   * What is said of a broken promise: that the gradient is wrong where this was measured or a small
   * nudge shows it, and else that the nudge was large.
   * @type {(verdict: string, by: number, grad: number, tell: Record<string, string>) => string}
   */
  function ofBroken(verdict, by, grad, tell) {
    const { chapter, gradValue } = edits.slope(spot()) ?? { chapter: 0, gradValue: null };
    const wrong = book
      .chapter(chapter)
      .steps.flatMap(({ shown }) => shown.filter(({ check }) => check?.agrees === false));
    const slope = slopeInstead(wrong, gradValue, spot().at, grad, book.value);
    if (slope !== null) return words.tell("nudgeMeasured", { ...tell, slope: told(slope) });
    if (Math.abs(by) > CLOSE * scale.step) return words.tell(verdict, tell);
    const check = wrong[0]?.check;
    return check
      ? words.tell("nudgeDisagrees", { check: words.of(check.text) })
      : words.say("nudgeWrong");
  }

  function render() {
    const { count: changed } = edits;
    strip.hidden = !changed && !store.state.working;
    count.textContent = words.tell(changed === 1 ? "changedOne" : "changed", { count: changed });
    reset.hidden = !changed;
    panel.hidden = !store.state.nudged;
    if (panel.hidden) return;
    name.textContent = title();
    field.setAttribute("aria-label", title());
    slider.setAttribute("aria-label", title());
    if (!store.state.working) wanted = edits.now(spot());
    showControls();
    showPromise();
  }

  // ----- hands -----

  /** @param {number} number */
  function ask(number) {
    wanted = number;
    edits.change(spot(), number);
    showControls();
  }

  /** @param {number} steps */
  const askBy = (steps) =>
    ask(steps === 0 ? start.number : shorten(start.number + steps * scale.step));

  slider.addEventListener("input", () => {
    askBy(Number(slider.value));
    field.value = written(wanted);
  });

  field.addEventListener("focus", () => {
    before = wanted;
    delete field.dataset.wrong;
  });
  field.addEventListener("blur", () => {
    if (spot()) field.value = written(wanted);
    field.removeAttribute("aria-invalid");
  });
  field.addEventListener("input", () => field.removeAttribute("aria-invalid"));

  /** Whether what stands in the field is a number, which is then asked for. */
  function apply() {
    if (field.value.trim() === written(wanted)) return true;
    const { dtype } = book.value(spot().value);
    const number = typedNumber(field.value, dtype);
    field.toggleAttribute("aria-invalid", false);
    if (number === null) {
      field.setAttribute("aria-invalid", "true");
      verdict.textContent = words.tell("notANumber", { dtype });
      return false;
    }
    ask(number);
    return true;
  }

  field.addEventListener("keydown", (event) => {
    const steps = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (event.isComposing) return;
    if (steps) {
      if (apply()) ask(shorten(wanted + steps * (event.shiftKey ? 10 : 1) * scale.step));
      field.value = written(wanted);
    } else if (event.key === "Enter") {
      if (apply()) leave(spot());
    } else if (event.key === "Escape") {
      field.value = written(before);
      if (!Object.is(before, wanted)) ask(before);
      leave(spot());
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });
  slider.addEventListener("keydown", (event) => {
    if (event.key === "Escape" || event.key === "Enter") leave(spot());
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  here.addEventListener("click", () => {
    begin();
    render();
    slider.focus({ preventScroll: true });
  });
  close.addEventListener("click", () => shut());

  /** True when it was open; what was edited stays so. */
  function shut() {
    const { nudged } = store.state;
    if (!nudged) return false;
    store.set({ nudged: null });
    leave(nudged);
    return true;
  }

  store.subscribe(["nudged"], ({ nudged }) => {
    if (nudged) edits.prepare(nudged);
  });
  store.subscribe(["nudged", "working"], ({ nudged }) => {
    if (nudged && nudged !== begun && !store.state.working) begin();
  });
  store.subscribe(["nudged", "moved", "lang", "chapter", "step", "quiz", "answered"], render);
  store.subscribe(["working"], ({ working }) => {
    busy.hidden = !working;
    if (working) strip.hidden = false;
  });
  return {
    element,
    close: shut,
    /** Where all numbers are as recorded again, a nudge begins there. */
    restart() {
      if (!store.state.nudged) return;
      begin();
      render();
    },
    /**
     * A number is to be edited.
     * @param {Spotted} next
     * @param {string} [typed]  what it is replaced by, so far
     */
    open(next, typed) {
      const { nudged } = store.state;
      const same =
        nudged &&
        Object.entries(next).every(
          ([key, value]) => nudged[/** @type {keyof Spotted} */ (key)] === value,
        );
      if (!same) store.set({ nudged: next });
      field.focus({ preventScroll: true });
      if (typed === undefined) field.select();
      else field.value = typed;
      panel.scrollIntoView({ block: "nearest" });
    },
  };
}
