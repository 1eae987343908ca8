// Elements: attributes are set, children become nodes or text, nothing is parsed.

/** @import { Words } from "./words.js" */

const SVG = "http://www.w3.org/2000/svg";
const DRAWN = new Set(
  "svg g defs marker path rect circle ellipse polygon image text title".split(" "), // SVG's tags
);

/** @typedef {(put: (now: string) => void) => void} Live  calls `put` whenever the text changes */
/** @typedef {string | number | boolean | null | undefined | Live} Attribute */
/** @typedef {Record<string, Attribute | ((event: any) => void)>} Attributes */
/** @typedef {Node | string | Live | false | null | undefined} Child */
/** @typedef {ReturnType<typeof createScroller>} Scroller */

/**
 * @template {string} Spec
 * @typedef {Spec extends `${infer Tag}.${string}` ? Tag : Spec} TagOf
 */

/**
 * @template {string} Spec
 * @typedef {TagOf<Spec> extends keyof HTMLElementTagNameMap
 *   ? HTMLElementTagNameMap[TagOf<Spec>]
 *   : TagOf<Spec> extends keyof SVGElementTagNameMap ? SVGElementTagNameMap[TagOf<Spec>] : never} ElementOf
 */

/**
 * Make an element: `h("p.mp-say", { role: "status", onclick }, "text", child)`. Arrays are spread;
 * null, undefined and false are left out; a live value is a function that updates the element.
 * @template {string} Spec
 * @param {Spec} spec  tag and classes
 * @param {(Attributes | Child | Child[])[]} parts
 * @returns {ElementOf<Spec>}
 */
export function h(spec, ...parts) {
  const [tag, ...classes] = spec.split(".");
  const element = DRAWN.has(tag) ? document.createElementNS(SVG, tag) : document.createElement(tag);
  if (tag === "button") element.setAttribute("type", "button");
  if (classes.length) element.setAttribute("class", classes.join(" "));
  for (const part of parts.flat()) {
    if (part instanceof Node || typeof part === "string") element.append(part);
    else if (typeof part === "function") {
      const text = element.appendChild(document.createTextNode(""));
      part((now) => {
        text.data = now;
      });
    } else if (part) setAttributes(element, part);
  }
  return /** @type {any} */ (element);
}

/**
 * Set attributes; those named "on…" are listeners; null, undefined and false remove an attribute.
 * @param {Element} element
 * @param {Attributes} attributes
 */
export function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) element.removeAttribute(name);
    else if (typeof value !== "function") element.setAttribute(name, String(value));
    else if (name.startsWith("on")) {
      element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    } else value((/** @type {string} */ now) => element.setAttribute(name, now));
  }
}

// Drawn icons, because the fonts of many machines lack the signs for first, last and play.
const ICONS = {
  first: "M5 4v12M16 4l-8 6 8 6z",
  previous: "M14 4l-8 6 8 6z",
  next: "M6 4l8 6-8 6z",
  last: "M15 4v12M4 4l8 6-8 6z",
  previousRound: "M10 4l-7 6 7 6M17 4l-7 6 7 6",
  nextRound: "M10 4l7 6-7 6M3 4l7 6-7 6",
  play: "M5 3l12 7-12 7z",
  pause: "M6 4v12M14 4v12",
  in: "M10 4v12M4 10h12",
  out: "M4 10h12",
  fit: "M3 8V3h5M12 3h5v5M17 12v5h-5M8 17H3v-5",
  values: "M3 5h14v10H3zM6 8v4M9 8h2v4H9zM14 8v4",
  theme: "M10 3a7 7 0 1 0 0 14zM10 3a7 7 0 0 1 0 14",
  memory: "M3 16v-4h4v4zM8 16V8h4v8zM13 16V4h4v12z",
  follow: "M9 3h8v14H9M2.5 10h9.5M8.5 6.5L12 10l-3.5 3.5",
  minimap: "M2.5 4h15v12h-15zM10 10h5v4h-5z",
  statistics: "M3 4h14v12H3zM3 8h14M3 12h14M9 4v12",
  close: "M5 5l10 10M15 5L5 15",
  ask: "M3 4h14v9.5H9.5L6 17v-3.5H3zM7 8.8h.1M10 8.8h.1M13 8.8h.1",
  more: "M4 5h12M4 10h12M4 15h12",
  warning: "M10 3l8 14H2zM10 8v4.5M10 14.6v.4",
};

/** @typedef {keyof typeof ICONS} Icon */

/** @param {Icon} name */
export function icon(name) {
  const path = h("path", { d: ICONS[name] });
  return h("svg.mp-icon", { viewBox: "0 0 20 20", "aria-hidden": "true" }, path);
}

/** @type {(action: string | null, ...parts: (Attributes | Child)[]) => HTMLButtonElement} */
export const button = (action, ...parts) =>
  h("button.mp-button", { "data-action": action }, ...parts);

/**
 * Return a drawing of height 1 and a width, stretched over its element.
 * @param {number} width
 * @param {(Attributes | Child | Child[])[]} parts
 */
export const stretched = (width, ...parts) =>
  h("svg", { viewBox: `0 0 ${width} 1`, preserveAspectRatio: "none" }, ...parts);

/**
 * Show a switch as pressed or not.
 * @type {(knob: Element, pressed: boolean) => void}
 */
export const press = (knob, pressed) => knob.setAttribute("aria-pressed", String(pressed));

/**
 * Follow the pointer on a track: `drag` is called while the pointer is down, `hover` wherever
 * the pointer is over it, `leave` when it goes.
 * @param {HTMLElement} track
 * @param {{ drag: (event: PointerEvent) => void, hover?: (event: PointerEvent) => void, leave?: () => void }} hands
 */
export function createTrack(track, { drag, hover = () => {}, leave = () => {} }) {
  setAttributes(track, {
    /** @param {PointerEvent} event */
    onpointerdown(event) {
      if (event.button !== 0 || event.defaultPrevented) return;
      track.setPointerCapture(event.pointerId);
      drag(event);
      hover(event);
    },
    /** @param {PointerEvent} event */
    onpointermove(event) {
      if (track.hasPointerCapture(event.pointerId)) drag(event);
      hover(event);
    },
    onpointerleave: leave,
  });
}

/**
 * Return a name whose middle is cut if it does not fit, so that both ends stay visible.
 * @param {string} name
 */
export function cutName(name) {
  const tail = Math.floor(Math.min(name.length / 2, 8));
  const parts = [name.slice(0, name.length - tail), name.slice(name.length - tail)];
  return h(
    "span.mp-cut",
    { title: name },
    parts.map((part) => h("span", part)),
  );
}

/**
 * Return a button with a sign, whose name and tooltip are in the reader's language.
 * @param {Words} words
 * @param {string | null} action
 * @param {Icon | "?"} sign
 * @param {string} key
 * @param {Attributes} [more]
 */
export function namedButton(words, action, sign, key, more = {}) {
  const label = words.text(key);
  const name = { title: label, "aria-label": label, "data-action": action };
  return h("button.mp-button", { ...name, ...more }, sign === "?" ? sign : icon(sign));
}

/**
 * Return a text field without correction or completion.
 * @param {string} name  class of the field
 * @param {Attributes} attributes
 */
export const textField = (name, attributes) =>
  h(/** @type {"input"} */ (`input.${name}`), {
    type: "text",
    inputmode: "text",
    autocomplete: "off",
    spellcheck: "false",
    ...attributes,
  });

/**
 * Return functions that open and close a panel; `turn` moves the focus there and back.
 * @param {HTMLElement} panel
 * @param {() => void} leave
 * @param {(open: boolean) => void} [changed]
 */
export function createSwitch(panel, leave, changed = () => {}) {
  /** @param {boolean} open */
  function turn(open) {
    panel.hidden = !open;
    changed(open);
    if (!open) leave();
  }
  return {
    open: () => turn(true),
    turn() {
      turn(panel.hidden !== false);
      if (!panel.hidden) panel.focus({ preventScroll: true });
    },
    /** Close the panel; return whether it was open. */
    close() {
      const open = !panel.hidden;
      if (open) turn(false);
      return open;
    },
  };
}

/**
 * Return the element around an event's place that fits a selector; SVG elements have a dataset.
 * @param {Event} event
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
export function closest(event, selector) {
  return event.target instanceof Element ? event.target.closest(selector) : null;
}

/**
 * Return the number of the part under the pointer, of `count` equal parts from the left.
 * @type {(event: MouseEvent, element: Element, count: number) => number}
 */
export function partUnder({ clientX }, element, count) {
  const { left, width } = element.getBoundingClientRect();
  return clamp(Math.floor(((clientX - left) / width) * count), 0, count - 1);
}

/** Prevent all other handling of an event. @param {Event} event */
export function claim(event) {
  event.preventDefault();
  event.stopPropagation();
}

/**
 * Return a text whose shapes, like [2, 3], stay on one line.
 * @param {string} text
 */
export function keepShapesWhole(text) {
  return text
    .split(/(\[[^[\]]{1,40}\])/)
    .map((part, at) => (at % 2 ? h("span.mp-whole", part) : part));
}

/**
 * Return a name that may break after its dots.
 * @param {string} name
 */
export function breakAtDots(name) {
  return name.split(/(?<=\.)(?=\w)/).flatMap((part, at) => (at ? [h("wbr"), part] : [part]));
}

/**
 * Focus a page, so that its keys work at once; a page in a frame does not take the focus.
 * @param {HTMLElement} root
 */
export function focusPage(root) {
  if (window === window.top) root.focus({ preventScroll: true });
}

export function prefersStillness() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** @type {(value: number, low: number, high: number) => number} */
export function clamp(value, low, high) {
  return Math.max(low, Math.min(high, value));
}

/** @typedef {{ left: number, right: number, top: number, bottom: number }} Rect */

/**
 * Return the lowest and the highest side of rectangles, across or down.
 * @type {(boxes: Rect[], low: "left" | "top", high: "right" | "bottom") => [number, number]}
 */
export const spanOf = (boxes, low, high) => [
  Math.min(...boxes.map((box) => box[low])),
  Math.max(...boxes.map((box) => box[high])),
];

/**
 * Return a smooth scroller that accepts calls while it moves; it reports places after the scroll.
 * @param {HTMLElement} pane
 */
export function createScroller(pane) {
  /** @type {{ left: number, top: number } | null} */
  let aim = null;
  let timer = 0;
  const arrive = () => {
    aim = null;
  };
  pane.addEventListener("scrollend", arrive);
  return {
    /** Stop the scroll, because somebody else sets the place of the pane. */
    stop: arrive,
    /**
     * Return a rectangle on the screen, as it will be when the pane has come to rest.
     * @param {Element} element
     */
    boxAtRest(element) {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      const x = aim ? aim.left - pane.scrollLeft : 0;
      const y = aim ? aim.top - pane.scrollTop : 0;
      return { left: left - x, right: right - x, top: top - y, bottom: bottom - y };
    },
    /** @type {(left: number, top: number, smooth?: boolean) => void} */
    by(left, top, smooth = true) {
      if (!left && !top) return;
      const from = aim ?? { left: pane.scrollLeft, top: pane.scrollTop };
      aim = {
        left: clamp(from.left + left, 0, pane.scrollWidth - pane.clientWidth),
        top: clamp(from.top + top, 0, pane.scrollHeight - pane.clientHeight),
      };
      pane.scrollTo({ ...aim, behavior: smooth && !prefersStillness() ? "smooth" : "auto" });
      clearTimeout(timer);
      timer = setTimeout(arrive, 800); // some browsers lack scrollend
    },
  };
}
