// The player: mount(host, payload, options) for a page, and the widget that anywidget loads.
// The files beside this one are joined to one module by viz/player/page.py, without a bundler.

import { recall, remember } from "./address.js";
import { answersKey, browserKeeper, createAsk, stepsOf } from "./ask.js";
import { createBar, createTools, stepActions } from "./bar.js";
import { blueprintOf } from "./blueprint.js";
import { createClock } from "./clock.js";
import { createCode } from "./code.js";
import { faceOf } from "./compose.js";
import { focusPage, html, keepShapesWhole, namedButton } from "./dom.js";
import { createEdits } from "./edit.js";
import { createFollow, followRule } from "./follow.js";
import { createGraph } from "./graph.js";
import { createHelp } from "./help.js";
import { createInspector } from "./inspector.js";
import { listen } from "./keys.js";
import { createLink } from "./link.js";
import { namedAt, sentenceNow } from "./moved.js";
import { createNudge } from "./nudge.js";
import { createProblems, markedRounds, markedSteps } from "./problems.js";
import { createQuestions } from "./questions.js";
import { countRows, createRibbon } from "./ribbon.js";
import { createRoad } from "./road.js";
import { createRounds } from "./rounds.js";
import { createSearch } from "./search.js";
import { keepLook, startLook } from "./start.js";
import { createStatistics } from "./statistics.js";
import { createStore } from "./store.js";
import { createTheme } from "./theme.js";
import { createTimeline } from "./timeline.js";
import { createTrends } from "./trend.js";
import { openBook } from "./unpack.js";
import { createView, selectionRule } from "./view.js";
import { createWords } from "./words.js";

/** @import { Answer } from "./ask.js" */
/** @import { EditState } from "./edit.js" */
/** @import { Graph, Lang, Memory, Packed, Said } from "./payload.d.ts" */
/** @import { InspectorState } from "./inspector.js" */
/** @import { AskState } from "./questions.js" */
/** @import { Ribbon } from "./ribbon.js" */
/** @import { GraphState, PageState } from "./store.js" */

/**
 * @typedef {object} Options
 * @property {boolean} [page]  the player has a page for itself
 * @property {string | null} [lang]
 * @property {"light" | "dark" | null} [theme]
 * @property {number} [step]
 * @property {string} [colorBy]  grad, value, or what boxes cost: flops, parameters, bytes, time
 * @property {(step: number) => void} [onStep]
 * @property {(lang: Lang) => void} [onLang]
 * @property {Answer[]} [answers]  that were given before
 * @property {(answers: Answer[]) => void} [onAnswers]
 */

/**
 * @param {HTMLElement} host
 * @param {Packed} packed
 * @param {Options} options
 */
export function mount(host, packed, options = {}) {
  const book = openBook(packed);
  const page = options.page ? [document.documentElement] : [];
  const road = createRoad(book.chapters);
  const { onAnswers } = options;
  /** @param {Answer[]} answers */
  const tell = (answers) => {
    onAnswers?.(answers);
    return true;
  };
  const keeper = onAnswers
    ? { answers: options.answers ?? [], keep: tell }
    : browserKeeper(answersKey(book));
  /** @type {GraphState & PageState & InspectorState & EditState & AskState} */
  const start = {
    ...(typeof options.step === "number" ? book.spotOf(options.step) : book.start),
    playing: false,
    memory: !!options.page && recall("memory", ["on"]) === "on",
    open: book.open,
    follow: !(options.page && recall("follow", ["off"])),
    lent: new Set(),
    shut: new Set(),
    selected: null,
    picked: null,
    element: null,
    moved: 0,
    working: false,
    nudged: null,
    hits: [],
    quiz: book.ask?.kind === "quiz",
    answered: stepsOf(keeper.answers),
    stopped: 0,
    ...startLook(options),
  };
  const words = createWords(start.lang);
  /** @type {(graph: Graph, box: string) => Said} */
  const labelOf = (graph, box) => {
    const item = blueprintOf(graph).named.get(box);
    return item ? faceOf(item).label : box;
  };
  const questions = createQuestions(
    book,
    (graph, box) => JSON.stringify(labelOf(graph, box)),
    (graph, box) => words.tell("askFirst", { box: words.of(labelOf(graph, box)) }),
  );
  const rules = [road.rule, questions.rule, selectionRule(book), followRule(book)];
  const store = createStore(start, ...rules);
  const view = createView(book, store, {
    hide: (payload) => questions.hide(payload, store.state),
    hidden: () => questions.hidden(store.state),
  });
  const edits = createEdits(book, store);
  store.subscribe(["lang"], ({ lang }) => words.use(lang)); // before all that is written in it

  // ----- the sentence: first, because its height moves what is below it -----

  const digits = String(book.count).length;
  const count = html("output", { class: "mp-count", style: `--digits: ${2 * digits}` });
  const phase = html("span", { class: "mp-phase" });
  const say = html("p", { class: "mp-say", "aria-live": "polite", "aria-atomic": "true" });
  const problems = createProblems(book, words, store, road, {
    show(node) {
      const selected = node === null ? null : (view.resolve(node) ?? null);
      store.set({ selected });
      graph.revealStep(selected);
      inspector.rewind();
    },
    leave: focus,
  });
  const heading = html("div", { class: "mp-sentence" }, phase, say, problems.elements.badge);

  /** @param {number} step */
  function sentence(step) {
    const { text } = view.payload().steps[step] ?? view.step();
    if (!("en" in text)) return words.say("empty");
    const named = namedAt(edits.named(view.chapter()), view.step().phase, step);
    const { reader, half } = sentenceNow(text, named, book.value, view.value);
    const now = words.of(text, reader);
    return half ? `${now} ${words.say("halfTold")}` : now;
  }

  store.subscribe(["playing"], ({ playing }) => {
    say.setAttribute("aria-live", playing ? "off" : "polite"); // no flood
  });
  store.subscribe(["chapter", "step", "lang", "memory", "moved", "quiz", "answered"], (state) => {
    const { step } = state;
    const now = view.step();
    root.dataset.step = String(book.indexOf(state));
    const round = rounds.now();
    if (round === null) delete root.dataset.round;
    else root.dataset.round = String(round);
    for (const each of [root, heading, code.element]) each.dataset.phase = now.phase;
    // Not on the root: a property that all of a large graph inherits makes a step slow.
    for (const each of [heading, code.element]) each.dataset.lane = now.phase;
    phase.textContent = words.say(now.phase);
    say.replaceChildren(...keepShapesWhole(sentence(step)));
    count.textContent = `${road.count && road.number(state)} / ${road.count}`;
  });

  // ----- the parts -----

  const follow = createFollow(book, words, store);
  const graph = createGraph(book, words, store, view, select, options.colorBy, follow.knobs);
  store.subscribe(["step", "quiz", "answered"], graph.veil);
  const code = createCode(book, words, store, view, road);
  /** @type {Map<Memory, Ribbon>} */
  const ribbons = new Map();
  const rows = Math.max(0, ...book.memories.map(countRows));
  // Null where nothing is known of memory in any chapter.
  function ribbonNow() {
    if (!book.hasMemory) return null;
    const payload = view.payload();
    const ribbon =
      ribbons.get(payload.memory) ??
      createRibbon(
        payload,
        words,
        (id) => select(view.resolve(id) ?? null),
        (step) => road.number({ ...store.state, step }),
        rows,
      );
    ribbons.set(payload.memory, ribbon);
    return ribbon;
  }
  const rounds = createRounds(book, words, store, edits, markedRounds(book));
  /** @param {number} chapter */
  const isAsked = (chapter) => questions.ahead(chapter, store.state);
  const nudge = createNudge(book, words, store, edits, isAsked, (spot) => inspector.focusOn(spot));
  const inspector = createInspector(
    words,
    store,
    view,
    road,
    (at) => ribbonNow()?.holdersAt(at) ?? "",
    createTrends(book, words, view, rounds, edits, isAsked),
    edits,
    nudge.open,
  );
  const timeline = createTimeline(
    book.phases,
    () => view.payload().steps,
    words,
    store,
    road,
    sentence,
    { at: (chapter) => markedSteps(book, chapter), open: problems.open },
    ribbonNow,
  );
  const bar = createBar(words, store, road);
  const clock = createClock(words, bar.play, store, road);
  const search = createSearch(words, store, view, { pick, leave: focus });
  const statistics = createStatistics(words, store, view, road, { pick, leave: focus });
  store.subscribe(["quiz", "answered"], statistics.render);
  const help = createHelp(words, focus);
  const link = createLink(book, words, store, view, edits, pick);
  const ask = createAsk(book, words, store, view, questions, keeper, focus);
  const switches = {
    ask: namedButton(words, "ask", "ask", "askSwitch"),
    memory: namedButton(words, "memory", "memory", "memoryRows"),
    statistics: namedButton(words, "statistics", "statistics", "statisticsRows"),
    help: namedButton(words, "help", "?", "help"),
  };
  switches.statistics.setAttribute("aria-pressed", "false");
  store.subscribe(["memory"], ({ memory }) => {
    switches.memory.setAttribute("aria-pressed", String(memory));
  });
  store.subscribe(["quiz"], ({ quiz }) => {
    switches.ask.setAttribute("aria-pressed", String(quiz));
  });

  // ----- the page -----

  const leftOut = html("p", { class: "mp-note", role: "note" });
  const note = html("p", { class: "mp-note", role: "note" });
  words.follow(() => {
    note.textContent = words.of(book.note ?? "");
    leftOut.textContent = book.whole
      ? words.tell("briefRounds", book.whole)
      : `${book.leftOut} ${words.say("leftOut")}`;
  });
  store.subscribe(["chapter", "step"], () => {
    note.dataset.said = String(["error", "cut"].includes(view.step().kind)); // in its sentence
  });
  const tools = createTools(
    words,
    search.element,
    ...(ask.isHunt ? [] : [switches.ask]),
    ...(book.hasMemory || book.tellsMemory ? [switches.memory] : []),
    switches.statistics,
    switches.help,
  );
  const title = html(options.page ? "h1" : "span", { class: "mp-title" });
  const head = html(
    "div",
    { class: "mp-head" },
    title,
    html("div", { class: "mp-drive" }, bar.element, timeline, count, clock.element),
    tools.knob,
    tools.panel,
  );
  const root = html(
    "section",
    {
      class: "mp-player",
      role: "group",
      tabindex: "0",
      "data-steps": book.count,
      "data-rounds": book.rounds.length || null,
    },
    head,
    ...rounds.elements,
    heading,
    ask.element,
    book.note ? note : "",
    book.leftOut ? leftOut : "",
    link.note,
    html(
      "div",
      { class: "mp-body" },
      graph.element,
      html(
        "div",
        { class: "mp-side" },
        code.element,
        problems.elements.panel,
        nudge.element,
        inspector.element,
      ),
    ),
    statistics.element,
    help.element,
  );
  words.label(root, "player", "aria-roledescription");
  words.follow(() => {
    title.textContent = words.source(book.title);
    root.setAttribute("aria-label", words.source(book.title));
  });
  const theme = createTheme([root, ...page], store);

  /** @param {string | null} selected */
  function select(selected) {
    store.set({ selected });
    inspector.reveal();
  }

  /**
   * From elsewhere than the graph, so that it comes into view there.
   * @param {string | null} selected
   */
  function pick(selected) {
    select(selected);
    if (selected !== null) graph.reveal([selected]);
  }

  function focus() {
    root.focus({ preventScroll: true });
  }

  store.subscribe(["lang"], () => {
    for (const each of [root, ...page]) each.lang = words.say("lang");
  });
  store.subscribe(["moved"], graph.retell);
  store.subscribe(["moved", "working"], ({ working }) => {
    root.dataset.changed = String(edits.count);
    root.toggleAttribute("data-working", working);
    root.setAttribute("aria-busy", String(working));
  });

  // ----- hands -----

  listen(root, {
    ...stepActions(store, road),
    ...rounds.actions,
    play: clock.turn,
    in: () => graph.zoom(1.25),
    out: () => graph.zoom(0.8),
    fit: graph.fit,
    panRight: () => graph.pan(1, 0),
    panLeft: () => graph.pan(-1, 0),
    panDown: () => graph.pan(0, 1),
    panUp: () => graph.pan(0, -1),
    theme: theme.turn,
    language: () => store.set({ lang: words.next() }),
    colour: graph.turnColour,
    minimap: graph.turnMinimap,
    search() {
      tools.open();
      search.start();
    },
    help: help.turn,
    problems: problems.turn,
    nextProblem: problems.next,
    memory: () => store.set({ memory: !store.state.memory }),
    ask: () => store.set({ quiz: !ask.isHunt && !store.state.quiz, playing: false }),
    answer: ask.focus,
    exportAnswers: ask.exportAnswers,
    follow: follow.turn,
    reset: () => edits.reset(nudge.restart),
    statistics() {
      const open = statistics.turn();
      switches.statistics.setAttribute("aria-pressed", String(open));
      if (open) statistics.element.scrollIntoView({ block: "nearest" }); // in a notebook it may be below
    },
    escape() {
      const closers = [
        help.close,
        tools.close,
        problems.close,
        graph.close,
        nudge.close,
        inspector.release,
      ];
      if (!closers.some((close) => close())) select(null);
    },
  });

  host.replaceChildren(options.page ? html("main", {}, root) : root);
  store.notify();

  // What changes from here on is reported outside.
  store.subscribe(["chapter", "step"], (state) => options.onStep?.(book.indexOf(state)));
  store.subscribe(["lang"], ({ lang }) => options.onLang?.(lang));
  if (options.page) {
    keepLook(store);
    store.subscribe(["memory"], ({ memory }) => remember({ memory: memory ? "on" : null }));
    store.subscribe(["follow"], ({ follow }) => remember({ follow: follow ? null : "off" }));
    link.start();
    focusPage(root);
  }
  return {
    /** @param {number} step */
    go: (step) => store.set({ ...book.spotOf(step), playing: false }),
    toggle: graph.toggle,
    get step() {
      return book.indexOf(store.state);
    },
    destroy() {
      store.set({ playing: false });
      graph.destroy();
      theme.destroy();
      root.remove();
    },
  };
}

/**
 * What the player knows of anywidget's model.
 * @typedef {object} Model
 * @property {(name: string) => any} get
 * @property {(name: string, value: unknown) => void} set
 * @property {() => void} save_changes
 * @property {(event: string, listener: () => void) => void} on
 * @property {(event: string, listener: () => void) => void} off
 * @property {{ get_model: (id: string) => Promise<Model> }} widget_manager
 */

/**
 * The player of a notebook, whose step and language the kernel knows; gives back what ends it.
 * @param {HTMLElement} host
 * @param {Model} model
 * @param {Packed} payload
 */
export function renderWidget(host, model, payload) {
  /** @type {(name: string, value: unknown) => void} */
  const tell = (name, value) => {
    if (model.get(name) === value) return;
    model.set(name, value);
    try {
      model.save_changes();
    } catch {
      // the kernel is gone; the player goes on
    }
  };
  const player = mount(host, payload, {
    step: model.get("step"),
    lang: model.get("lang"),
    colorBy: model.get("color_by"),
    onStep: (step) => tell("step", step),
    onLang: (lang) => tell("lang", lang),
    answers: model.get("answers"),
    onAnswers: (answers) => tell("answers", answers),
  });
  const follow = () => {
    if (player.step !== model.get("step")) player.go(model.get("step"));
  };
  model.on("change:step", follow);
  return () => {
    model.off("change:step", follow);
    player.destroy();
  };
}
