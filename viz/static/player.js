// The player: mount(host, payload, options) for a page, and the widget that anywidget loads.
// The files beside this one are joined to one module, in the order of viz/html.py, without a bundler.

import { createCode } from "./code.js";
import { button, clamp, html, icon } from "./dom.js";
import { createGraph } from "./graph.js";
import { createInspector } from "./inspector.js";
import { createTimeline } from "./timeline.js";
import { createWords, startLanguage } from "./words.js";

const PACE = 1100; // milliseconds a step at speed 1
const SPEEDS = [0.5, 1, 2, 4];
// Automation finds the buttons by these names in every language; the tooltip is translated.
const NAMES = { first: "First step", previous: "Previous step", play: "Play", next: "Next step",
  last: "Last step" };
const NOTHING = { phase: "forward", kind: "", nodes: [], edges: [], text: {}, line: null,
  forward_line: null, formula: "", shown: [] };

function startTheme(wanted) {
  if (wanted) return wanted;
  const lab = document.body?.dataset.jpThemeLight;
  if (lab) return lab === "true" ? "light" : "dark";
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

function transport(words) {
  const buttons = Object.entries(NAMES).map(([action, name]) => {
    const each = words.label(button(action, action), action, "title");
    each.setAttribute("aria-label", name);
    return each;
  });
  const bar = html("div", { class: "mp-transport", role: "toolbar" }, ...buttons);
  return words.label(bar, "controls", "aria-label");
}

function speedMenu(words) {
  const options = SPEEDS.map((speed) => html("option", { value: speed, selected: speed === 1 && "" },
    `${speed}×`));
  return words.label(html("select", { class: "mp-speed" }, ...options), "speed", "aria-label");
}

function searchBox(words) {
  const input = html("input", { type: "search", class: "mp-query", autocomplete: "off",
    spellcheck: "false" });
  words.label(input, "searchHint", "aria-label");
  words.label(input, "searchHint", "placeholder");
  const found = html("span", { class: "mp-found", role: "status" });
  return { input, found, element: html("div", { class: "mp-search" }, input, found) };
}

export function mount(host, payload, options = {}) {
  const { steps, title } = payload;
  const last = Math.max(0, steps.length - 1);
  const words = createWords(startLanguage(options.lang));
  let step = clamp(options.step ?? 0, 0, last);
  let theme = startTheme(options.theme);
  let themed = Boolean(options.theme); // a choice by hand is not overruled by the page
  let selected = null;
  let timer = null;

  // ----- the parts -----

  const graph = createGraph(payload, words, { onSelect: select });
  const code = createCode(payload, words, go);
  const inspector = createInspector(payload, words, { go, clear: () => select(null),
    label: (id) => graph.box(id)?.label ?? id, resolve: graph.resolve });
  const timeline = createTimeline(steps, words, go);
  const bar = transport(words);
  const speed = speedMenu(words);
  const search = searchBox(words);
  const count = html("output", { class: "mp-count" });
  const phase = html("span", { class: "mp-phase" });
  const say = html("p", { class: "mp-say", "aria-live": "polite", "aria-atomic": "true" });
  const note = html("p", { class: "mp-note", role: "note" }, payload.note ?? "");
  const language = html("button", { type: "button", class: "mp-button", "data-action": "language" });
  words.label(language, "language");
  words.label(language, "languageName", "aria-label");
  const lamp = words.label(button("theme", "theme"), "theme", "title");
  words.label(lamp, "theme", "aria-label");
  const head = html("div", { class: "mp-head" }, html("span", { class: "mp-title" }, title),
    search.element, language, lamp);
  const drive = html("div", { class: "mp-drive" }, bar, timeline.element, count, speed);
  const side = html("div", { class: "mp-side" }, code.element, inspector.element);
  const sentence = html("div", { class: "mp-sentence" }, phase, say);
  const root = html("section", { class: "mp-player", role: "group", tabindex: "0",
    "data-steps": steps.length }, head, drive, sentence,
  payload.note ? note : "", html("div", { class: "mp-body" }, graph.element, side));
  words.label(root, "player", "aria-roledescription");
  root.setAttribute("aria-label", title);

  // ----- showing -----

  function draw() {
    const now = steps[step] ?? NOTHING;
    const text = now.text[words.lang] ?? now.text.en ?? words.say("empty");
    root.dataset.step = step;
    for (const each of [root, sentence, code.element]) each.dataset.phase = now.phase;
    phase.textContent = words.say(now.phase);
    say.textContent = text;
    count.textContent = `${steps.length ? step + 1 : 0} / ${steps.length}`;
    graph.goto(step);
    code.show(now, step);
    inspector.show(now, step, selected);
    timeline.show(step, text);
    for (const each of bar.children) {
      const { action } = each.dataset;
      const ahead = action === "next" || action === "last";
      // Not `disabled`, which would drop the focus of who steps by pressing the button.
      if (action !== "play") each.setAttribute("aria-disabled", ahead ? step === last : step === 0);
    }
  }

  function go(next) {
    const wanted = clamp(next, 0, last);
    if (wanted === step) return;
    step = wanted;
    draw();
    options.onStep?.(step);
  }

  function select(id) {
    selected = id;
    graph.select(id);
    inspector.show(steps[step] ?? NOTHING, step, selected);
  }

  function setTheme(next) {
    theme = next;
    root.dataset.theme = theme;
    if (options.page) document.documentElement.style.colorScheme = theme;
    if (options.page) document.documentElement.dataset.theme = theme;
  }

  function setLanguage(next) {
    words.use(next);
    root.lang = words.say("lang");
    if (options.page) document.documentElement.lang = root.lang;
    graph.show();
    draw();
    options.onLang?.(next);
  }

  // ----- playing -----

  function stop() {
    clearInterval(timer);
    timer = null;
    showPlaying();
  }

  function showPlaying() {
    const play = bar.querySelector('[data-action="play"]');
    play.setAttribute("aria-pressed", String(timer !== null));
    play.replaceChildren(icon(timer === null ? "play" : "pause"));
    say.setAttribute("aria-live", timer === null ? "polite" : "off"); // no flood of sentences
  }

  function play() {
    if (timer !== null) return stop();
    if (step === last) go(0);
    timer = setInterval(() => (step === last ? stop() : go(step + 1)), PACE / Number(speed.value));
    showPlaying();
  }

  // ----- search -----

  let hits = [], hit = -1;
  function find() {
    const wanted = search.input.value.trim().toLowerCase();
    const fits = (box) => `${box.label} ${box.detail}`.toLowerCase().includes(wanted);
    const ids = wanted ? graph.boxes().filter(fits).map((box) => graph.resolve(box.id)) : [];
    hits = [...new Set(ids.filter((id) => id))];
    hit = -1;
    graph.find(hits);
    search.found.textContent = !wanted ? "" : `${hits.length || words.say("none")}`;
  }

  function nextHit(by) {
    if (!hits.length) return;
    hit = (hit + by + hits.length) % hits.length;
    search.found.textContent = `${hit + 1}/${hits.length}`;
    select(hits[hit]);
    graph.reveal([hits[hit]]);
  }

  function closeSearch() {
    search.input.value = "";
    find();
    root.focus({ preventScroll: true });
  }

  search.input.addEventListener("input", find);
  search.input.addEventListener("keydown", (event) => {
    event.stopPropagation(); // what is typed here is for nobody else
    if (event.key === "Enter") nextHit(event.shiftKey ? -1 : 1);
    if (event.key === "Escape") closeSearch();
  });

  // ----- hands and keys -----

  const actions = {
    first: () => go(0),
    previous: () => go(step - 1),
    next: () => go(step + 1),
    last: () => go(last),
    play,
    in: () => graph.zoom(1.25),
    out: () => graph.zoom(0.8),
    fit: graph.fit,
    panRight: () => graph.pan(1, 0),
    panLeft: () => graph.pan(-1, 0),
    panDown: () => graph.pan(0, 1),
    panUp: () => graph.pan(0, -1),
    theme: () => { themed = true; setTheme(theme === "dark" ? "light" : "dark"); },
    language: () => setLanguage(words.lang === "en" ? "zh" : "en"),
    search: () => search.input.select(),
    escape: () => inspector.release() || select(null),
  };
  const keys = { ArrowRight: "next", ArrowDown: "next", ArrowLeft: "previous", ArrowUp: "previous",
    Home: "first", End: "last", " ": "play", "/": "search", "+": "in", "=": "in", "-": "out",
    0: "fit", Escape: "escape" };
  const shifted = { ArrowRight: "panRight", ArrowLeft: "panLeft", ArrowDown: "panDown",
    ArrowUp: "panUp" };

  root.addEventListener("click", (event) => {
    const { action } = event.target.closest("button[data-action]")?.dataset ?? {};
    if (action && action !== "play" && action in NAMES) stop();
    actions[action]?.();
  });
  root.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const target = event.target;
    if (target.matches("input, select, textarea")) return event.stopPropagation();
    const knob = target.closest("button, .mp-toggle");
    if (knob && (event.key === "Enter" || event.key === " ")) {
      event.stopPropagation(); // the notebook would start editing the cell
      if (!knob.matches(".mp-toggle")) return;
      event.preventDefault();
      return graph.toggle(knob.dataset.toggle, knob.parentNode.dataset.lane);
    }
    const action = event.shiftKey ? shifted[event.key] ?? keys[event.key] : keys[event.key];
    if (!action) return;
    event.stopPropagation();
    event.preventDefault();
    if (timer !== null && action in NAMES && action !== "play") stop();
    actions[action]();
  });
  speed.addEventListener("change", () => { if (timer !== null) { stop(); play(); } });
  root.addEventListener("keyup", (event) => event.key === " " && event.stopPropagation());

  // ----- following the page -----

  const follow = () => { if (!themed) setTheme(startTheme()); };
  const system = matchMedia("(prefers-color-scheme: dark)");
  const page = new MutationObserver(follow);
  system.addEventListener("change", follow);
  page.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light"] });

  setTheme(theme);
  root.lang = words.say("lang");
  if (options.page) document.documentElement.lang = root.lang;
  showPlaying();
  host.replaceChildren(root);
  draw();
  if (options.page) root.focus({ preventScroll: true });
  return {
    go,
    toggle: graph.toggle,
    get step() { return step; },
    destroy() {
      stop();
      graph.destroy();
      page.disconnect();
      system.removeEventListener("change", follow);
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
    const follow = () => player.go(model.get("step"));
    model.on("change:step", follow);
    return () => {
      model.off("change:step", follow);
      player.destroy();
    };
  },
};
