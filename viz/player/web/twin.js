// Two graphs of one model beside each other, the tape and the Program, and one scrubber for both.

import { createClock } from "./clock.js";
import { button, clamp, html, unbroken } from "./dom.js";
import { createGraph } from "./graph.js";
import { recall, remember } from "./memory.js";
import { createTheme } from "./theme.js";
import { createTimeline } from "./timeline.js";
import { createWords, startLanguage } from "./words.js";

const MOVES = { first: "First step", previous: "Previous step", play: "Play", next: "Next step",
  last: "Last step" };
const STEPPING = { ArrowRight: "next", ArrowDown: "next", ArrowLeft: "previous",
  ArrowUp: "previous", Home: "first", End: "last", " ": "play", 0: "fit", Escape: "escape" };

// For each merged step the step at which each side stands, and whether it has just moved.
function places(pairs) {
  const at = [-1, -1];
  return pairs.map((pair) => pair.map((step, side) => {
    if (step !== null) at[side] = step;
    return { at: at[side], moved: step !== null };
  }));
}

export function mountTwin(host, payload, options = {}) {
  const sides = [payload.left, payload.right];
  const merged = places(payload.steps);
  const last = merged.length - 1;
  const words = createWords(startLanguage(recall("lang", ["en", "zh"]) || options.lang));
  const partners = [new Map(payload.matches), new Map(payload.matches.map(([a, b]) => [b, a]))];
  let step = 0;

  const graphs = sides.map((each, side) => createGraph(each, words, {
    onSelect: (id) => select(side, id),
  }));
  const heads = ["eagerSide", "programSide"].map((key) => words.label(html("b"), key));
  const says = sides.map(() => html("p", { class: "mp-say", "aria-live": "polite" }));
  const panes = sides.map((_, side) => html("div", { class: "mp-twin-side" },
    html("div", { class: "mp-sentence" }, heads[side], says[side]), graphs[side].element));
  const lanes = merged.map(([left, right]) => ({
    lane: left.moved ? sides[0].steps[left.at].lane : laneOf(sides[1], right.at) }));
  const timeline = createTimeline(lanes, words, go);
  const bar = html("div", { class: "mp-transport", role: "toolbar" },
    ...Object.entries(MOVES).map(([action, name]) => {
      const each = words.label(button(action, action), action, "title");
      each.setAttribute("aria-label", name);
      return each;
    }));
  const play = bar.querySelector('[data-action="play"]');
  const count = html("output", { class: "mp-count" });
  const clock = createClock(words, play, {
    advance: () => step < last && go(step + 1),
    rewind: () => step === last && go(0),
    tell: (running) => says.forEach((each) => each.setAttribute("aria-live", running ? "off" : "polite")),
  });
  const language = html("button", { type: "button", class: "mp-button", "data-action": "language" });
  words.label(language, "language");
  words.label(language, "languageName", "aria-label");
  const lamp = words.label(button("theme", "theme"), "theme", "aria-label");
  const note = html("p", { class: "mp-twin-note" });
  const root = html("section", { class: "mp-player mp-twin", role: "group", tabindex: "0",
    "aria-label": payload.title, "data-steps": merged.length },
  html("div", { class: "mp-head" }, html("h1", { class: "mp-title" }, payload.title), language, lamp),
  html("div", { class: "mp-drive" }, bar, timeline.element, count, clock.element),
  html("div", { class: "mp-twin-body" }, ...panes), note);
  const theme = createTheme([root, document.documentElement],
    recall("theme", ["light", "dark"]) || options.theme);

  function laneOf({ steps, scenes }, at) {
    const box = Object.values(scenes)[0].boxes.find((each) => steps[at]?.nodes.includes(each.id));
    return box?.lane ?? "forward";
  }

  function draw() {
    root.dataset.step = step;
    merged[step].forEach(({ at, moved }, side) => {
      const now = sides[side].steps[Math.max(at, 0)];
      const text = at < 0 ? "…" : now.text[words.lang] ?? now.text.en;
      says[side].replaceChildren(...unbroken(text));
      panes[side].dataset.moved = moved;
      graphs[side].goto(Math.max(at, 0));
    });
    count.textContent = `${step + 1} / ${merged.length}`;
    note.textContent = payload.summary[words.lang];
    timeline.show(step, says.map((each) => each.textContent).join(" "));
  }

  function go(next) {
    const wanted = clamp(next, 0, last);
    if (wanted === step) return false;
    step = wanted;
    draw();
    return true;
  }

  // A box and its partner are marked, and the partner comes into view.
  function select(side, id) {
    const other = partners[side].get(id) ?? null;
    graphs[side].select(id);
    graphs[1 - side].select(other);
    if (other) graphs[1 - side].reveal([other]);
  }

  const actions = {
    first: () => go(0), last: () => go(last),
    next: () => go(step + 1), previous: () => go(step - 1),
    play: clock.turn,
    fit: () => graphs.forEach((each) => each.fit()),
    escape: () => select(0, null),
    theme: () => remember("theme", theme.turn()),
    language() {
      words.use(words.lang === "en" ? "zh" : "en");
      remember("lang", words.lang);
      speak();
      graphs.forEach((each) => each.show());
      draw();
    },
  };
  root.addEventListener("click", (event) => {
    const knob = event.target.closest("button[data-action]");
    const side = panes.findIndex((pane) => pane.contains(knob));
    if (!knob) return;
    const zoom = { in: () => graphs[side]?.zoom(1.25), out: () => graphs[side]?.zoom(0.8),
      fit: () => graphs[side]?.fit() };
    (side < 0 ? actions[knob.dataset.action] : zoom[knob.dataset.action])?.();
    if (["first", "previous", "next", "last"].includes(knob.dataset.action)) clock.stop();
  });
  root.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("select")) return;
    const action = STEPPING[event.key];
    if (!action || (event.target.closest("button, .mp-toggle") && event.key === " ")) return;
    event.preventDefault();
    if (!["play", "fit", "escape"].includes(action)) clock.stop();
    actions[action]();
  });

  function speak() {
    for (const each of [root, document.documentElement]) each.lang = words.say("lang");
  }

  speak();
  host.replaceChildren(html("main", {}, root));
  draw();
  root.focus({ preventScroll: true });
  return { go, get step() { return step; } };
}
