// The nudge: a number that the reader moves, the change of the loss that its gradient promises, and
// the real change. Two bars show both; a picture shows the promise as a straight line and the loss as
// a curve, or, with a second number, the contours of the loss.

import { claim, h, namedButton, textField } from "./dom.js";
import { isSame, typedNumber } from "./edit.js";
import { createPicture, endOfLosses, levelsOf } from "./landscape.js";
import { createLosses } from "./losses.js";
import { briefly, flatten, indexAt, shorten, toNumber } from "./numbers.js";
import { createVerdict, roundUp, scaleOfNudges } from "./promise.js";
import { roundName } from "./rounds.js";
import { elementsOf } from "./series.js";

/** @import { Spotted } from "./edit.js" */
/** @import { Point } from "./landscape.js" */
/** @import { Axis } from "./losses.js" */
/** @import { Page } from "./player.js" */
/** @import { Words } from "./words.js" */

const RATE = 0.1; // learning rate of a step downhill, if none was recorded

/** @param {number} number */
const fieldText = (number) =>
  String(shorten(number)).replace("Infinity", "inf").replace("NaN", "nan");

/** @param {number} number */
const signedText = (number) => (number > 0 ? `+${briefly(number)}` : briefly(number));

/** Join sentences; in Chinese without spaces. @param {string[]} all */
const sentences = (all) => all.join(" ").replaceAll("。 ", "。");

/** @param {number | string | boolean | null | undefined} number */
const finite = (number) => (typeof number === "number" && Number.isFinite(number) ? number : null);

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
function createStrip({ words, store, edits, view, book }) {
  const count = h("b.mp-edits-count");
  const busy = h("span.mp-busy", { hidden: "" }, words.text("computing"));
  const title = words.text("resetTitle");
  const reset = h("button.mp-button", { "data-action": "reset", title }, words.text("reset"));
  const recorded = h("span.mp-recorded", { hidden: "" }, words.text("stillRecorded"));
  const element = h("div.mp-edits", { hidden: "" }, count, busy, recorded, reset);
  store.subscribe(["nudged", "moved", "lang", "working", "chapter"], ({ working }) => {
    const { count: changed } = edits;
    element.hidden = !changed && !working;
    count.textContent = words.tell(changed === 1 ? "changedOne" : "changed", { count: changed });
    reset.hidden = !changed;
    recorded.hidden = !changed || !(book.problems.length || view.payload().alarms.length);
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
  const promises = createVerdict(page);
  /** @type {Axis[]} */
  let axes = []; // of the nudged number, and of the one beside it if there is a map of both
  const losses = createLosses(page, () => showPromise());
  /** @type {string | null | undefined} */
  let besides; // edits of other numbers when the nudge began; undefined if it must begin again
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
  const about = h("p.mp-nudge-curve");
  const downhill = h("button.mp-downhill", { onclick: descend }, words.text("downhill"));
  const rate = h("span");
  const alone = h("button.mp-downhill", { onclick: () => store.set({ beside: null }) });
  const steps = h("div.mp-nudge-steps", downhill, rate, alone);
  const meters = { promise: createMeter(words, "promise"), loss: createMeter(words, "loss") };
  const ends = ["left", "middle", "right"].map(() => h("span"));
  const up = h("span.mp-nudge-up", { "aria-hidden": "true" });
  const figure = h(
    "div.mp-nudge-figure",
    up,
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
    steps,
    verdict,
    about,
  );

  // ----- state -----

  const spot = () => /** @type {Spotted} */ (store.state.nudged);

  /** @type {(spot: Spotted) => Axis} */
  function axisOf(spot) {
    const { grad, loss } = edits.slope(spot) ?? { grad: null, loss: null };
    const { data, dtype } = edits.entry(spot.chapter, spot.value);
    const start = { number: edits.now(spot), grad: finite(grad), loss: finite(loss) };
    const numbers = data === null ? [] : flatten(data).map(Number);
    return { spot, start, scale: scaleOfNudges(numbers, dtype, start) };
  }

  const others = () => edits.others(axes.map((axis) => axis.spot));

  /** @param {Axis} axis */
  const nudgeOf = ({ spot, start }) => shorten(edits.now(spot) - start.number);

  const isHidden = () => promises.isHidden(axes[0].spot, axes[0].start);

  const isMap = () => axes.length > 1;

  /** Begin a nudge at the current number, after earlier edits have been computed. */
  function begin() {
    const { beside } = store.state;
    axes = (beside ? [spot(), beside] : [spot()]).map(axisOf);
    besides = store.state.working ? undefined : others();
    wanted = axes[0].start.number;
    losses.begin(axes);
    for (const [k, { scale, start }] of axes.entries()) {
      const far = isMap() ? pathOfRounds().map((point) => Math.abs(point[k] - start.number)) : [];
      const reach = Math.min(Math.max(scale.reach, ...far), 10 * scale.reach); // it may lead far away
      if (reach > scale.reach) scale.reach = roundUp(reach);
    }
    setReach(axes[0].scale.reach);
  }

  /** @param {number} reach */
  function setReach(reach) {
    const [{ scale, start }] = axes;
    scale.reach = reach;
    slider.max = String(Math.round(reach / scale.step));
    slider.min = String(-Number(slider.max));
    ends.forEach((end, at) => {
      end.textContent = briefly(shorten(start.number + (at - 1) * reach));
    });
    losses.refill();
  }

  /** @param {number} by  nudge, which may exceed the reach of the slider */
  function widen(by) {
    if (!Number.isFinite(by) || Math.abs(by) <= axes[0].scale.reach * (1 + 1e-9)) return;
    setReach(roundUp(Math.abs(by)));
  }

  /** Return the numbers of the map in each round. @returns {Point[]} */
  function pathOfRounds() {
    const [xs, ys] = axes.map(({ spot }) => {
      const index = indexAt(spot.at, book.value(spot.value).shape);
      return elementsOf(book, spot, index, edits.entry).series;
    });
    return xs.flatMap((x, round) => {
      const y = ys?.[round];
      return typeof x === "number" && typeof y === "number" ? [/** @type {Point} */ ([x, y])] : [];
    });
  }

  // ----- drawing -----

  function showControls() {
    const [{ start, scale }, second] = axes;
    const by = shorten(wanted - start.number);
    widen(by);
    if (document.activeElement !== field) field.value = fieldText(wanted);
    slider.value = String(Math.round(by / scale.step));
    slider.setAttribute("aria-valuetext", briefly(wanted));
    const recorded = edits.recorded(spot());
    const changed = !Object.is(recorded, wanted);
    was.textContent = changed ? briefly(shorten(recorded)) : "";
    const isUnpromised = start.grad === null;
    nudge.textContent = by && isUnpromised ? words.tell("nudgeBy", { by: signedText(by) }) : "";
    const moved = by || (second && nudgeOf(second));
    here.toggleAttribute("data-idle", !moved || isUnpromised || isHidden());
    panel.toggleAttribute("data-changed", changed);
    steps.hidden = isUnpromised || isHidden();
    const { number, isRecorded } = rateNow();
    rate.textContent = words.tell(isRecorded ? "downhillRate" : "downhillExample", {
      rate: briefly(number),
    });
    alone.hidden = !second;
    alone.textContent = words.tell("mapClose", { name: promises.title(spot()) });
  }

  function showPromise() {
    const [{ start, scale }, second] = axes;
    const there = edits.slope(spot());
    const now = there?.loss === null || !there ? null : toNumber(there.loss);
    const { round } = book.chapters[there?.chapter ?? 0];
    meters.loss.name.textContent =
      round === null
        ? words.say("nudge_loss")
        : words.tell("nudge_lossOf", { round: roundName(round, words) });
    meters.loss.element.toggleAttribute("data-round", round !== null);
    const by = nudgeOf(axes[0]);
    const factors = isHidden()
      ? []
      : axes.flatMap((axis) =>
          axis.start.grad === null ? [] : [[axis.start.grad, nudgeOf(axis)]],
        );
    const promise = factors.length ? factors.reduce((sum, [grad, by]) => sum + grad * by, 0) : null;
    const did = start.loss === null || now === null ? null : now - start.loss;
    const known = Number.isFinite(by) && Number.isFinite(did);
    if (known && !second) losses.trail.set(by, Number(did));
    const grad = promise === null ? 0 : Number(start.grad);
    const ends = [did, promise, grad * scale.reach].map((end) => Math.abs(Number(end)));
    const full = Math.max(...ends.filter(Number.isFinite), endOfLosses([...losses.trail.values()]));
    meters.promise.element.hidden = promise === null;
    meters.loss.element.hidden = start.loss === null;
    figure.toggleAttribute("data-flat", start.loss === null);
    figure.toggleAttribute("data-unpromised", promise === null);
    figure.toggleAttribute("data-map", !!second);
    const products = factors.map(
      ([grad, by]) => `${briefly(grad)} × ${by < 0 ? `(${briefly(by)})` : briefly(by)}`,
    );
    meters.promise.show(promise, full, promise === null ? "" : `${products.join(" + ")} =`);
    const way =
      start.loss === null || now === null ? "" : `${briefly(start.loss)} → ${briefly(now)}:`;
    meters.loss.show(did, full, way);
    up.textContent = words.say("nudgeAxis");
    let said = promises.sentence(spot(), start, by, did, scale.step);
    if (second) said = showMap(second, said);
    else {
      const seen = [...(isHidden() ? [] : losses.trail)]
        .sort(([one], [other]) => one - other)
        .map(([x, y]) => /** @type {Point} */ ([x / scale.reach, full ? y / full : 0]));
      const tips = [by / scale.reach, (promise ?? Number(did)) / full, Number(did) / full];
      picture.draw(full ? (grad * scale.reach) / full : 0, seen, full && known ? tips : null);
    }
    if (verdict.textContent !== said) verdict.textContent = said;
    about.textContent = aboutLosses(promise, now);
    picture.element.setAttribute("aria-label", sentences([said, about.textContent]));
  }

  /**
   * Draw the map; return the sentence about it, or another one where no losses are computed.
   * @type {(second: Axis, otherwise: string) => string}
   */
  function showMap(second, otherwise) {
    const rows = isHidden() ? [] : losses.rows;
    const { levels, step } = levelsOf(rows.flat(), Number(axes[0].start.loss));
    /** @type {(point: number[]) => Point} */
    const placeOf = (point) =>
      /** @type {Point} */ (
        axes.map(({ start, scale }, k) => (point[k] - start.number) / scale.reach)
      );
    const path = pathOfRounds();
    const here = placeOf(axes.map((axis) => edits.now(axis.spot)));
    picture.drawMap(rows, levels, path.map(placeOf), here);
    const [name, other] = axes.map((axis) => promises.title(axis.spot));
    const [low, high] = [-1, 1].map((side) =>
      briefly(shorten(second.start.number + side * second.scale.reach)),
    );
    up.textContent = `${other}: ${low} … ${high} ↑`;
    if (!rows.length) return losses.isWhole || isHidden() ? otherwise : words.say("computing");
    const told = words.tell(levels.length ? "mapTold" : "mapFlat", {
      name,
      other,
      step: briefly(shorten(step)),
      high: briefly(shorten(levels.at(-1) ?? 0)),
    });
    if (path.length < 2) return told;
    return sentences([told, words.tell("mapRounds", { count: path.length })]);
  }

  /**
   * Return what was promised and what the loss is here, the lowest of the losses, and what is not known.
   * @type {(promise: number | null, now: number | null) => string}
   */
  function aboutLosses(promise, now) {
    const { loss } = axes[0].start;
    const told = [];
    if (promise !== null && loss !== null && now !== null && axes.some(nudgeOf)) {
      told.push(words.tell("curveHere", { promise: briefly(loss + promise), loss: briefly(now) }));
    }
    const lowest = isHidden() ? null : losses.lowest();
    if (lowest) {
      const numbers = lowest.numbers.map(briefly).join(", ");
      told.push(words.tell("curveLowest", { ...lowest, loss: briefly(lowest.loss), numbers }));
    }
    const { count, why } = losses.lost;
    if (count) told.push(words.tell("curveLost", { count, why: words.of(edits.why(why)) }));
    return sentences(told);
  }

  function render() {
    panel.hidden = !store.state.nudged;
    if (panel.hidden) return edits.rest();
    const title = promises.title(spot());
    name.textContent = title;
    for (const each of [field, slider]) each.setAttribute("aria-label", title);
    if (!store.state.working) {
      if (others() !== besides) begin();
      wanted = edits.now(spot());
    }
    showControls();
    showPromise();
    if (!store.state.working && !isHidden()) losses.sweep();
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
    const { start, scale } = axes[0];
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
      if (apply()) ask(shorten(wanted + steps * (event.shiftKey ? 10 : 1) * axes[0].scale.step));
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

  /** Return the learning rate of the optimizer, or one as an example. */
  function rateNow() {
    const from = edits.slope(spot())?.chapter ?? 0;
    const [known] = book.chapters.flatMap((_, chapter) =>
      chapter < from
        ? []
        : edits
            .named(chapter)
            .filter(([name]) => name === "lr")
            .map(([, value]) => ({ chapter, value, at: 0 })),
    );
    return { number: known ? edits.now(known) : RATE, isRecorded: !!known };
  }

  /** Go against the gradient; without a map from the current number on, whose slope is then shown. */
  function descend() {
    if (store.state.working) return;
    if (!isMap() && !Object.is(wanted, axes[0].start.number)) begin();
    const { number } = rateNow();
    const numbers = axes.map(({ spot }) =>
      shorten(edits.now(spot) - number * (finite(edits.slope(spot)?.grad) ?? 0)),
    );
    if (isMap()) edits.change(axes[1].spot, numbers[1]);
    ask(numbers[0]);
  }

  /** Close the panel, keep the edits, and return whether it was open. */
  function shut() {
    const { nudged } = store.state;
    if (!nudged) return false;
    store.set({ nudged: null, beside: null });
    leave(nudged);
    return true;
  }

  const strip = createStrip(page);
  store.subscribe(["nudged", "beside"], ({ nudged, beside }) => {
    for (const each of [nudged, beside]) if (each) edits.prepare(each);
  });
  store.subscribe(["nudged", "beside", "working"], ({ nudged, beside }) => {
    const [one, other = null] = axes.map((axis) => axis.spot);
    const isOther = nudged !== one || beside !== other;
    if (nudged && isOther && !(axes.length && store.state.working)) begin();
  });
  store.subscribe(
    ["nudged", "beside", "moved", "lang", "chapter", "step", "quiz", "answered"],
    render,
  );
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
      const { nudged, beside } = store.state;
      const isSecond = beside !== null && isSame(beside, next); // both change places
      if (!nudged || !isSame(nudged, next)) {
        store.set({ nudged: next, beside: isSecond ? nudged : null });
      }
      field.focus({ preventScroll: true });
      if (typed === undefined) field.select();
      else field.value = typed;
      panel.scrollIntoView({ block: "nearest" });
    },
  };
}
