// The player: mount(host, payload, options) for a page, and the widget that anywidget loads.
// The files beside this one are joined to one module, in the order of viz/player/page.py, without a bundler.

import { createClock } from "./clock.js";
import { createCode } from "./code.js";
import { button, clamp, html, unbroken } from "./dom.js";
import { createGraph } from "./graph.js";
import { createHelp } from "./help.js";
import { createInspector } from "./inspector.js";
import { recall, remember } from "./memory.js";
import { createOdd } from "./odd.js";
import { createRibbon } from "./ribbon.js";
import { createSearch } from "./search.js";
import { createStatistics } from "./statistics.js";
import { createTheme } from "./theme.js";
import { createTimeline } from "./timeline.js";
import { createWords, startLanguage } from "./words.js";

// Automation finds the buttons by these names in every language; the tooltip is translated.
const NAMES = { first: "First step", previous: "Previous step", play: "Play", next: "Next step",
  last: "Last step" };
const KEYS = { ArrowRight: "next", ArrowDown: "next", ArrowLeft: "previous", ArrowUp: "previous",
  Home: "first", End: "last", " ": "play", "/": "search", "+": "in", "=": "in", "-": "out",
  0: "fit", m: "memory", c: "colour", t: "statistics", o: "minimap", "?": "help", Escape: "escape" };
const SHIFTED = { ...KEYS, ArrowRight: "panRight", ArrowLeft: "panLeft", ArrowDown: "panDown",
  ArrowUp: "panUp" };
const NOTHING = { phase: "forward", lane: "forward", kind: "", nodes: [], edges: [], text: {}, line: null,
  forward_line: null, formula: "", shown: [] };

function createBar(words) {
  const buttons = Object.entries(NAMES).map(([action, name]) => {
    const each = words.label(button(action, action), action, "title");
    each.setAttribute("aria-label", name);
    return each;
  });
  const element = html("div", { class: "mp-transport", role: "toolbar" }, ...buttons);
  words.label(element, "controls", "aria-label");
  return {
    element,
    play: buttons[Object.keys(NAMES).indexOf("play")],
    show(step, last) {
      // Not `disabled`, which would drop the focus of who steps by pressing the button.
      for (const each of buttons) {
        const { action } = each.dataset;
        const ahead = action === "next" || action === "last";
        if (action !== "play") each.setAttribute("aria-disabled", step === (ahead ? last : 0));
      }
    },
  };
}

function createSwitches(words, ribbon) {
  const language = html("button", { type: "button", class: "mp-button", "data-action": "language" });
  words.label(language, "language");
  words.label(language, "languageName", "aria-label");
  const [lamp, help, rows] = [button("theme", "theme"), button("help", null, "?"), button("memory", "memory")];
  const table = button("statistics", "statistics");
  for (const [each, key] of [[lamp, "theme"], [help, "help"], [rows, "memoryRows"], [table, "statisticsRows"]]) {
    words.label(each, key, "title");
    words.label(each, key, "aria-label");
  }
  for (const each of [rows, table]) each.setAttribute("aria-pressed", "false");
  return [...(ribbon ? [rows] : []), table, help, language, lamp];
}

// Keys and buttons to actions. What is handled stays inside: a notebook would act on it, too.
function listen(root, actions, toggle) {
  root.addEventListener("click", (event) => {
    const { action } = event.target.closest("button[data-action]")?.dataset ?? {};
    actions[action]?.();
  });
  root.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.target.matches("input, select, textarea")) return event.stopPropagation();
    const knob = event.target.closest("button, .mp-toggle");
    if (knob && (event.key === "Enter" || event.key === " ")) {
      event.stopPropagation();
      if (!knob.matches(".mp-toggle")) return; // a real button presses itself
      event.preventDefault();
      return toggle(knob.dataset.toggle, knob.parentNode.dataset.lane);
    }
    const action = (event.shiftKey ? SHIFTED : KEYS)[event.key];
    if (!action) return;
    event.stopPropagation();
    event.preventDefault();
    actions[action]();
  });
  root.addEventListener("keyup", (event) => event.key === " " && event.stopPropagation());
}

export function mount(host, payload, options = {}) {
  const { steps, title } = payload;
  const last = Math.max(0, steps.length - 1);
  const chosen = (name, allowed) => (options.page && recall(name, allowed)) || options[name];
  const words = createWords(startLanguage(chosen("lang", ["en", "zh"])));
  let step = clamp(options.step ?? 0, 0, last);
  let selected = null;

  // ----- the parts -----

  const graph = createGraph(payload, words, { onSelect: select, colorBy: options.colorBy });
  const code = createCode(payload, words, jump);
  const ribbon = createRibbon(payload, words, (id) => select(graph.resolve(id) ?? null));
  const inspector = createInspector(payload, words, { go: jump, clear: () => select(null),
    part: graph.part, resolve: graph.resolve, held: (index) => ribbon?.held(index) ?? "" });
  const timeline = createTimeline(steps, words, jump, ribbon);
  const bar = createBar(words);
  const count = html("output", { class: "mp-count" });
  const phase = html("span", { class: "mp-phase" });
  const say = html("p", { class: "mp-say", "aria-live": "polite", "aria-atomic": "true" });
  const clock = createClock(words, bar.play, {
    advance: () => step < last && go(step + 1),
    rewind: () => step === last && go(0),
    tell: (running) => say.setAttribute("aria-live", running ? "off" : "polite"), // no flood
  });
  const search = createSearch(words, graph,
    { select, leave: focus });
  const help = createHelp(words, focus);
  const statistics = createStatistics(payload, words, { select: pick, resolve: graph.resolve, leave: focus });
  const sentence = html("div", { class: "mp-sentence" }, phase, say);
  const root = html("section", { class: "mp-player", role: "group", tabindex: "0",
    "aria-label": title, "data-steps": steps.length },
  html("div", { class: "mp-head" }, html(options.page ? "h1" : "span", { class: "mp-title" }, title),
    ...createOdd(payload.odd, words, jump), search.element,
    ...createSwitches(words, ribbon)),
  html("div", { class: "mp-drive" }, bar.element, timeline.element, count, clock.element),
  sentence, payload.note ? html("p", { class: "mp-note", role: "note" }, payload.note) : "",
  html("div", { class: "mp-body" }, graph.element,
    html("div", { class: "mp-side" }, code.element, inspector.element)), statistics.element, help.element);
  words.label(root, "player", "aria-roledescription");
  const page = options.page ? [document.documentElement] : [];
  const theme = createTheme([root, ...page], chosen("theme", ["light", "dark"]));

  // ----- showing -----

  function draw() {
    const now = steps[step] ?? NOTHING;
    const text = now.text[words.lang] ?? now.text.en ?? words.say("empty");
    root.dataset.step = step;
    for (const each of [root, sentence, code.element]) each.dataset.phase = now.phase;
    // Not on the root: a property that all of a large graph inherits makes a step slow.
    for (const each of [sentence, code.element]) each.dataset.lane = now.lane;
    phase.textContent = words.say(now.lane);
    say.replaceChildren(...unbroken(text));
    count.textContent = `${steps.length ? step + 1 : 0} / ${steps.length}`;
    graph.goto(step);
    code.show(now, step);
    inspector.show(now, step, selected);
    statistics.show(step, selected);
    timeline.show(step, text);
    bar.show(step, last);
  }

  function go(next) {
    const wanted = clamp(next, 0, last);
    if (wanted === step) return false;
    step = wanted;
    draw();
    options.onStep?.(step);
    return true;
  }

  function jump(next) { // by hand, so playing ends
    clock.stop();
    go(next);
  }

  function select(id) {
    selected = id;
    graph.select(id);
    inspector.show(steps[step] ?? NOTHING, step, selected);
    inspector.reveal();
    statistics.select(id);
  }

  function pick(id) { // from elsewhere than the graph, so that it comes into view there
    select(id);
    if (id !== null) graph.reveal([id]);
  }

  function focus() {
    root.focus({ preventScroll: true });
  }

  function speak() {
    for (const each of [root, ...page]) each.lang = words.say("lang");
  }

  function turnLanguage() {
    words.use(words.lang === "en" ? "zh" : "en");
    speak();
    graph.show();
    draw();
    if (options.page) remember("lang", words.lang);
    options.onLang?.(words.lang);
  }

  function turnMemory() {
    const open = timeline.element.toggleAttribute("data-rows");
    root.querySelector("[data-action='memory']")?.setAttribute("aria-pressed", open);
  }

  function turnStatistics() {
    const open = statistics.turn();
    root.querySelector(".mp-head [data-action='statistics']").setAttribute("aria-pressed", open);
    if (open) statistics.element.scrollIntoView({ block: "nearest" }); // in a notebook it may be below
  }

  function turnTheme() {
    const now = theme.turn();
    if (options.page) remember("theme", now);
  }

  listen(root, {
    first: () => jump(0),
    previous: () => jump(step - 1),
    next: () => jump(step + 1),
    last: () => jump(last),
    play: clock.turn,
    in: () => graph.zoom(1.25),
    out: () => graph.zoom(0.8),
    fit: graph.fit,
    panRight: () => graph.pan(1, 0),
    panLeft: () => graph.pan(-1, 0),
    panDown: () => graph.pan(0, 1),
    panUp: () => graph.pan(0, -1),
    theme: turnTheme,
    memory: turnMemory,
    statistics: turnStatistics,
    colour: graph.turnColour,
    minimap: graph.turnMinimap,
    language: turnLanguage,
    search: search.start,
    help: help.turn,
    escape: () => help.close() || inspector.release() || select(null),
  }, graph.toggle);

  speak();
  host.replaceChildren(options.page ? html("main", {}, root) : root);
  draw();
  if (options.page) focus();
  return {
    go: jump,
    toggle: graph.toggle,
    get step() { return step; },
    destroy() {
      clock.stop();
      graph.destroy();
      theme.destroy();
      root.remove();
    },
  };
}

export default {
  render({ model, el }) {
    const tell = (name, value) => {
      if (model.get(name) === value) return;
      model.set(name, value);
      try { model.save_changes(); } catch { /* the kernel is gone; the player goes on */ }
    };
    const player = mount(el, model.get("payload"), {
      step: model.get("step"),
      lang: model.get("lang"),
      onStep: (step) => tell("step", step),
      onLang: (lang) => tell("lang", lang),
    });
    const follow = () => player.step !== model.get("step") && player.go(model.get("step"));
    model.on("change:step", follow);
    return () => {
      model.off("change:step", follow);
      player.destroy();
    };
  },
};
