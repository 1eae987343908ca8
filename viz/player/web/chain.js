// The chain rule as a strip: how a chosen element of a gradient came about, factor by factor, on the
// paths that bring the most; a bar says how much.

import { h } from "./dom.js";
import { groupsAround } from "./follow.js";
import { digitsOf, indexAt } from "./numbers.js";
import { cellName } from "./telling.js";

/** @import { GroupLook } from "./payload.d.ts" */
/** @import { View } from "./view.js" */
/** @import { Words } from "./words.js" */
/** @import { Found, Passed, Path } from "./whatif/gradient_paths.js" */

/** @param {number} number */
const text = (number) => digitsOf(number, 3);

/**
 * Return a function that shows paths in an element.
 * @param {Words} words
 * @param {View} view
 * @param {(nodes: string[]) => void} light  lights boxes
 */
export function createChain(words, view, light) {
  const element = h("div.mp-ribbon", { role: "group", hidden: "" });

  /** @type {(name: string, value: number, at: number) => string} */
  const elementName = (name, value, at) => cellName(name, indexAt(at, view.value(value).shape));

  /** @param {Passed} passed */
  const nameOf = ({ entry, place }) => elementName(entry.name, entry.value ?? 0, place);

  /**
   * Return whether a step multiplies a gradient, even if the factor is 1 at this element.
   * @param {Passed} passed  the gradient that the step computes
   * @param {number} step
   */
  const isProduct = ({ entry }, step) =>
    view
      .payload()
      .steps[step].formula.some(
        (pieces) => pieces[1] === entry.name && /[·×/]/.test(pieces.slice(2).join("")),
      );

  /** @param {number} step */
  const boxOf = (step) => view.part(view.payload().steps[step].nodes[0] ?? "");

  /**
   * Return the op, or the PyLayer, in which a step multiplies a gradient, or "" for a sign.
   * @param {number} step
   */
  function opOf(step) {
    const graph = view.graph();
    const around = groupsAround(graph, view.payload().steps[step].nodes[0] ?? "");
    const isPyLayer = (/** @type {GroupLook} */ { kind, toggles }) =>
      kind === "pylayer" && around.includes(toggles);
    const label = words.of(graph.groups.find(isPyLayer)?.label ?? boxOf(step)?.label ?? "");
    const name = label.replace(/( |\.)backward$| 的反向$/, "");
    return /\p{L}/u.test(name) ? name : "";
  }

  /** @type {(path: Path, key: string, total: number) => HTMLElement} */
  function row({ brings, passed, end }, key, total) {
    const [first, ...others] = passed;
    const { steps } = view.payload();
    const factors = passed.slice(0, -1).map(({ step, factor, by }, at) => {
      const box = words.of(boxOf(step)?.label ?? "");
      const attributes = { "data-factor": factor, title: `${box}: ${nameOf(others[at])}` };
      if (factor === 1 && !isProduct(others[at], step)) {
        return h("span", { ...attributes, hidden: "" }); // it is passed on
      }
      const source = by ? elementName(by.name, by.value, by.at) : opOf(step);
      return h(
        "span.mp-factor",
        attributes,
        `→ × ${text(factor)}`,
        source && h("small", ` ${source}`),
      );
    });
    const nodes = passed.flatMap(({ step }) => steps[step].nodes);
    return h(
      "div.mp-path",
      {
        tabindex: "0",
        "data-path": key,
        "data-brings": brings,
        onpointerenter: () => light(nodes),
        onpointerleave: () => light([]),
        onfocus: () => light(nodes),
        onblur: () => light([]),
      },
      barOf(brings, total),
      h("span", { "data-factor": first.number }, `${nameOf(first)} = ${text(first.number)}`),
      ...factors.flatMap((each) => [" ", each]),
      others.length > 0 && h("b", ` = ${text(brings)}`),
      steps[end].kind !== "seed" && h("small", ` ${words.of(steps[end].text)}`),
    );
  }

  /** @type {(rest: number, total: number) => HTMLElement} */
  const rowOfRest = (rest, total) =>
    h(
      "div.mp-path",
      { "data-path": "rest", "data-brings": rest },
      barOf(rest, total),
      h("span", { "data-factor": rest }, words.tell("chainRest")),
      h("b", ` = ${text(rest)}`),
    );

  /** @type {(brings: number, total: number) => HTMLElement} */
  function barOf(brings, total) {
    const bar = h("i.mp-share", {
      "aria-hidden": "true",
      "data-sign": brings < 0 ? "minus" : "plus",
    });
    bar.style.width = `${total ? (96 * Math.abs(brings)) / total : 0}%`;
    return bar;
  }

  /** Show something, or nothing. @param {(HTMLElement | string)[]} content */
  function fill(...content) {
    element.replaceChildren(...content);
    element.hidden = !content.length;
  }

  return {
    element,
    fill,
    /** @type {(found: Found, name: string) => void} */
    show({ paths, rest, total, isAll }, name) {
      const most = Math.max(Math.abs(rest), ...paths.map(({ brings }) => Math.abs(brings)));
      const slots = { element: name, value: text(total) };
      const isRestShown = !isAll && (paths.length > 0 || total !== 0);
      const said = paths.length ? "chain" : "chainNone";
      fill(
        h("p.mp-hint", words.tell(paths.length > 1 || isRestShown ? "chainPaths" : said, slots)),
        ...paths.map((path, at) => row(path, String(at), most)),
        isRestShown ? rowOfRest(rest, most) : "",
      );
    },
  };
}
