// The nudge: a number that the reader moves, the change of the loss that its gradient promises, and
// the real change. Two bars show both; a picture shows the promise as a straight line and the
// losses that were computed.

import { claim, h, namedButton, textField } from "./dom.js";
import { typedNumber } from "./edit.js";
import { flatten, toNumber } from "./numbers.js";
import { createVerdict, roundUp, scaleOfNudges, textOf } from "./promise.js";
import { roundName } from "./rounds.js";

/** @import { Spotted } from "./edit.js" */
/** @import { Page } from "./player.js" */
/** @import { Start } from "./promise.js" */
/** @import { Words } from "./words.js" */

const DIGITS = 7; // significant digits of a float32
const JOINED = 0.1; // maximum distance of points that a line joins, relative to the reach

/** @param {number} number */
const shorten = (number) => Number(number.toPrecision(DIGITS));

/** @param {number} number */
const fieldText = (number) =>
  String(shorten(number)).replace("Infinity", "inf").replace("NaN", "nan");

/** @param {number} number */
const signedText = (number) => (number > 0 ? `+${textOf(number)}` : textOf(number));

/** @param {number | string | boolean | null | undefined} number */
const finite = (number) => (typeof number === "number" && Number.isFinite(number) ? number : null);

/** @param {number} x */
const coordinate = (x) => Number(x.toFixed(4));

/**
 * Return the computed losses as a path, with lines between near points.
 * @param {[number, number][]} trail  nudges and losses, in the order of the nudges
 */
export function wayOf(trail) {
  const pieces = trail.map(([x, y], at) => {
    const near = at > 0 && x - trail[at - 1][0] <= JOINED;
    return `${near ? "L" : "M"}${coordinate(x)} ${coordinate(-y)}${near ? "" : "h0"}`;
  });
  return trail.length > 1 ? pieces.join("") : "";
}

/**
 * Draw the promise as a straight line, the computed losses, and the current place of both.
 * Everything lies between -1 and 1.
 */
function createPicture() {
  /** @type {(part: string, d?: string) => SVGPathElement} */
  const path = (part, d = "") =>
    h(/** @type {"path"} */ (`path.mp-nudge-${part}`), {
      "vector-effect": "non-scaling-stroke",
      d,
    });
  const [line, trail, gap, promise, loss] = ["line", "trail", "gap", "promise", "loss"].map(
    (part) => path(part),
  );
  const parts = [path("axes", "M-1 0H1M0-1V1"), line, trail, gap, promise, loss];
  const box = { viewBox: "-1 -1 2 2", preserveAspectRatio: "none", role: "img" };
  return {
    element: h("svg", box, parts),
    /**
     * @param {number} slope  slope of the line
     * @param {[number, number][]} seen
     * @param {number[] | null} now  the nudge, the promise and the real change
     */
    draw(slope, seen, now) {
      line.setAttribute("d", `M-1 ${coordinate(slope)}L1 ${coordinate(-slope)}`);
      trail.setAttribute("d", wayOf(seen));
      const [x, promised, did] = (now ?? [0, 0, 0]).map(coordinate);
      gap.setAttribute("d", now ? `M${x} ${-promised}V${-did}` : "");
      promise.setAttribute("d", now ? `M${x} ${-promised}h0` : "");
      loss.setAttribute("d", now ? `M${x} ${-did}h0` : "");
    },
  };
}

/**
 * Return a bar to either side of the middle.
 * @param {Words} words
 * @param {"promise" | "loss"} of
 */
function createMeter(words, of) {
  const name = h("span.mp-bar-name", words.text(`nudge_${of}`));
  const [bar, number, sum] = [h("i"), h("b"), h("span.mp-bar-sum")];
  const track = h("span.mp-bar-track", bar);
  const element = h(
    "div.mp-bar",
    { "data-of": of },
    name,
    h("span.mp-bar-number", sum, number),
    track,
  );
  return {
    element,
    name,
    /** @type {(value: number | null, full: number, text: string) => void} */
    show(value, full, text) {
      const share = value === null || !Number.isFinite(value) || !full ? 0 : (50 * value) / full;
      bar.style.left = `${50 + Math.min(0, share)}%`;
      bar.style.width = `${Math.abs(share)}%`;
      number.textContent = value === null ? "–" : signedText(value);
      sum.textContent = text;
      if (value === null) delete element.dataset.number;
      else element.dataset.number = String(value);
    },
  };
}

/**
 * Return the strip with the count of changed numbers and the button that resets them.
 * @param {Page} page
 */
function createStrip({ words, store, edits }) {
  const count = h("b.mp-edits-count");
  const busy = h("span.mp-busy", { hidden: "" }, words.text("computing"));
  const title = words.text("resetTitle");
  const reset = h("button.mp-button", { "data-action": "reset", title }, words.text("reset"));
  const element = h("div.mp-edits", { hidden: "" }, count, busy, reset);
  store.subscribe(["nudged", "moved", "lang", "working"], ({ working }) => {
    const { count: changed } = edits;
    element.hidden = !changed && !working;
    count.textContent = words.tell(changed === 1 ? "changedOne" : "changed", { count: changed });
    reset.hidden = !changed;
    busy.hidden = !working;
  });
  return element;
}

/**
 * @param {Page} page
 * @param {(spot: Spotted) => void} leave  called to return the focus
 */
export function createNudge(page, leave) {
  const { book, words, store, edits } = page;
  const about = createVerdict(page);
  /** @type {Start} */
  let start = { number: 0, grad: null, loss: null };
  /** @type {Map<number, number>} */
  const trail = new Map(); // nudge -> change of the loss
  let scale = { reach: 1, step: 0.02 };
  /** @type {Spotted | null} */
  let begun = null; // place of the nudged number
  let wanted = 0; // requested number, whose consequences may not be computed yet
  let before = 0; // number when the field was entered

  // ----- elements -----

  const name = h("b.mp-nudge-name");
  const was = h("span.mp-nudge-was");
  const field = textField("mp-edit", { size: 9 });
  const nudge = h("output.mp-nudge-by");
  const slider = h("input.mp-nudge-slider", { type: "range", step: 1 });
  const hereTitle = words.text("nudgeHereTitle");
  const here = h("button.mp-nudge-here", { title: hereTitle }, words.text("nudgeHere"));
  const close = namedButton(words, null, "close", "nudgeClose", { onclick: () => shut() });
  const picture = createPicture();
  const verdict = h("p.mp-nudge-verdict", { role: "status" });
  const meters = { promise: createMeter(words, "promise"), loss: createMeter(words, "loss") };
  const ends = ["left", "middle", "right"].map(() => h("span"));
  const figure = h(
    "div.mp-nudge-figure",
    h("span.mp-nudge-up", { "aria-hidden": "true" }, words.text("nudgeAxis")),
    picture.element,
    slider,
    h("div.mp-nudge-ends", { "aria-hidden": "true" }, ends),
  );
  const panel = h(
    "div.mp-nudge",
    { role: "group", hidden: "", "aria-label": words.text("whatIf") },
    h("header", name, was, field, nudge, here, close),
    h("div.mp-bars", meters.promise.element, meters.loss.element),
    figure,
    verdict,
  );

  // ----- state -----

  const spot = () => /** @type {Spotted} */ (store.state.nudged);

  /** Begin a nudge at the current number, after earlier edits have been computed. */
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
    ends.forEach((end, at) => {
      end.textContent = textOf(shorten(start.number + (at - 1) * reach));
    });
  }

  /** @param {number} by  nudge, which may exceed the reach of the slider */
  function widen(by) {
    if (!Number.isFinite(by) || Math.abs(by) <= scale.reach * (1 + 1e-9)) return;
    setReach(roundUp(Math.abs(by)));
  }

  // ----- drawing -----

  function showControls() {
    const by = shorten(wanted - start.number);
    widen(by);
    if (document.activeElement !== field) field.value = fieldText(wanted);
    slider.value = String(Math.round(by / scale.step));
    slider.setAttribute("aria-valuetext", textOf(wanted));
    const recorded = edits.recorded(spot());
    const changed = !Object.is(recorded, wanted);
    was.textContent = changed ? textOf(shorten(recorded)) : "";
    const alone = by && start.grad === null; // otherwise the promise shows the direction
    nudge.textContent = alone ? words.tell("nudgeBy", { by: signedText(by) }) : "";
    const idle = !by || start.grad === null || about.isHidden(spot(), start);
    here.toggleAttribute("data-idle", idle);
    panel.toggleAttribute("data-changed", changed);
  }

  function showPromise() {
    const { loss } = start;
    const grad = about.isHidden(spot(), start) ? null : start.grad;
    const there = edits.slope(spot());
    const now = there?.loss === null || !there ? null : toNumber(there.loss);
    const { round } = book.chapters[there?.chapter ?? 0];
    meters.loss.name.textContent =
      round === null
        ? words.say("nudge_loss")
        : words.tell("nudge_lossOf", { round: roundName(round, words) });
    meters.loss.element.toggleAttribute("data-round", round !== null);
    const by = shorten(edits.now(spot()) - start.number);
    const promise = grad === null ? null : grad * by;
    const did = loss === null || now === null ? null : now - loss;
    const known = Number.isFinite(by) && Number.isFinite(did);
    if (known) trail.set(by, Number(did));
    const most = [...trail.values()].map(Math.abs);
    const full = Math.max(Math.abs(grad ?? 0) * scale.reach, ...most);
    meters.promise.element.hidden = grad === null;
    meters.loss.element.hidden = loss === null;
    figure.toggleAttribute("data-flat", loss === null);
    figure.toggleAttribute("data-unpromised", grad === null);
    const factor = by < 0 ? `(${textOf(by)})` : textOf(by);
    meters.promise.show(promise, full, grad === null ? "" : `${textOf(grad)} × ${factor} =`);
    const way = loss === null || now === null ? "" : `${textOf(loss)} → ${textOf(now)}:`;
    meters.loss.show(did, full, way);
    const seen = [...trail]
      .sort(([one], [other]) => one - other)
      .map(([x, y]) => /** @type {[number, number]} */ ([x / scale.reach, full ? y / full : 0]));
    const tips = [by / scale.reach, (promise ?? Number(did)) / full, Number(did) / full];
    const slope = full && grad !== null ? (grad * scale.reach) / full : 0;
    picture.draw(slope, seen, full && known ? tips : null);
    verdict.textContent = about.sentence(spot(), start, by, did, scale.step);
    picture.element.setAttribute("aria-label", verdict.textContent);
  }

  function render() {
    panel.hidden = !store.state.nudged;
    if (panel.hidden) return;
    const title = about.title(spot());
    name.textContent = title;
    for (const each of [field, slider]) each.setAttribute("aria-label", title);
    if (!store.state.working) wanted = edits.now(spot());
    showControls();
    showPromise();
  }

  // ----- input -----

  /** @param {number} number */
  function ask(number) {
    wanted = number;
    edits.change(spot(), number);
    showControls();
  }

  /** Request the number in the field; return whether it is a number. */
  function apply() {
    if (field.value.trim() === fieldText(wanted)) return true;
    const { dtype } = book.value(spot().value);
    const number = typedNumber(field.value, dtype);
    field.removeAttribute("aria-invalid");
    if (number === null) {
      field.setAttribute("aria-invalid", "true");
      verdict.textContent = words.tell("notANumber", { dtype });
      return false;
    }
    ask(number);
    return true;
  }

  slider.addEventListener("input", () => {
    const steps = Number(slider.value);
    ask(steps === 0 ? start.number : shorten(start.number + steps * scale.step));
    field.value = fieldText(wanted);
  });
  field.addEventListener("focus", () => {
    before = wanted;
  });
  field.addEventListener("blur", () => {
    if (spot()) field.value = fieldText(wanted);
    field.removeAttribute("aria-invalid");
  });
  field.addEventListener("input", () => field.removeAttribute("aria-invalid"));
  field.addEventListener("keydown", (event) => {
    const steps = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (event.isComposing) return;
    if (steps) {
      if (apply()) ask(shorten(wanted + steps * (event.shiftKey ? 10 : 1) * scale.step));
      field.value = fieldText(wanted);
    } else if (event.key === "Enter") {
      if (apply()) leave(spot());
    } else if (event.key === "Escape") {
      field.value = fieldText(before);
      if (!Object.is(before, wanted)) ask(before);
      leave(spot());
    } else return;
    claim(event);
  });
  slider.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" && event.key !== "Enter") return;
    leave(spot());
    claim(event);
  });
  here.addEventListener("click", () => {
    begin();
    render();
    slider.focus({ preventScroll: true });
  });

  /** Close the panel, keep the edits, and return whether it was open. */
  function shut() {
    const { nudged } = store.state;
    if (!nudged) return false;
    store.set({ nudged: null });
    leave(nudged);
    return true;
  }

  const strip = createStrip(page);
  store.subscribe(["nudged"], ({ nudged }) => {
    if (nudged) edits.prepare(nudged);
  });
  store.subscribe(["nudged", "working"], ({ nudged }) => {
    if (nudged && nudged !== begun && !store.state.working) begin();
  });
  store.subscribe(["nudged", "moved", "lang", "chapter", "step", "quiz", "answered"], render);
  return {
    element: h("div.mp-what-if", panel, strip), // below the panel, so that a slider does not move
    close: shut,
    /** Begin the nudge again after all numbers were reset. */
    restart() {
      if (!store.state.nudged) return;
      begin();
      render();
    },
    /**
     * Open the panel for a number.
     * @param {Spotted} next
     * @param {string} [typed]  text that replaces the number, as typed so far
     */
    open(next, typed) {
      const { chapter, value, at } = store.state.nudged ?? {};
      const same = chapter === next.chapter && value === next.value && at === next.at;
      if (!same) store.set({ nudged: next });
      field.focus({ preventScroll: true });
      if (typed === undefined) field.select();
      else field.value = typed;
      panel.scrollIntoView({ block: "nearest" });
    },
  };
}
