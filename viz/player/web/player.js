// The player: mount(host, payload, options) for a page, and the widget that anywidget loads.
// viz/player/page.py joins the files beside this one to one module, without a bundler.

import { recall, remember } from "./address.js";
import { createAsk, keeperOf, stepsOf } from "./ask.js";
import { createCode } from "./code.js";
import { h, namedButton, press } from "./dom.js";
import { createEdits } from "./edit.js";
import { createFollow, followRule } from "./follow.js";
import { createGraph } from "./graph.js";
import { createHeading } from "./heading.js";
import { createHelp } from "./help.js";
import { createInspector } from "./inspector.js";
import { createLink } from "./link.js";
import { createNudge } from "./nudge.js";
import { lightOperands } from "./operands.js";
import { createProblems, markedRounds, markedSteps } from "./problems.js";
import { createQuestions } from "./questions.js";
import { createRibbons } from "./ribbon.js";
import { createRoad } from "./road.js";
import { createRounds } from "./rounds.js";
import { createSearch } from "./search.js";
import { createShell, startLook } from "./shell.js";
import { createStatistics } from "./statistics.js";
import { createStore, startGraph } from "./store.js";
import { createTimeline } from "./timeline.js";
import { createTrail } from "./trail.js";
import { createTrends } from "./trend.js";
import { openBook } from "./unpack.js";
import { createView, selectionRule } from "./view.js";
import { createWords } from "./words.js";

/** @import { Answer } from "./ask.js" */
/** @import { EditState } from "./edit.js" */
/** @import { Lang, Packed } from "./payload.d.ts" */
/** @import { InspectorState } from "./inspector.js" */
/** @import { AskState } from "./questions.js" */
/** @import { GraphState, PageState } from "./store.js" */

/** @typedef {GraphState & PageState & InspectorState & EditState & AskState} State */
/** @typedef {ReturnType<typeof createPage>} Page */

/**
 * @typedef {object} Options
 * @property {boolean} [page]  whether the player has a page for itself
 * @property {string | null} [lang]
 * @property {"light" | "dark" | null} [theme]
 * @property {number} [step]
 * @property {string} [colorBy]  grad, value, or a cost: flops, parameters, bytes, time
 * @property {(step: number) => void} [onStep]
 * @property {(lang: Lang) => void} [onLang]
 * @property {Answer[]} [answers]  earlier answers
 * @property {(answers: Answer[]) => void} [onAnswers]
 */

/**
 * Return the objects that the parts of a player share: book, store, view and others.
 * @param {Packed} packed
 * @param {Options} options
 * @param {number} width  of the player, in pixels
 */
function createPage(packed, options, width) {
  const book = openBook(packed);
  const road = createRoad(book.chapters);
  const keeper = keeperOf(book, options);
  /** @type {State} */
  const start = {
    ...(typeof options.step === "number" ? book.spotOf(options.step) : book.start),
    playing: false,
    memory: !!options.page && recall("memory", ["on"]) === "on",
    ...startGraph(book.open),
    overview: options.step || book.ask ? null : "",
    follow: !(options.page && recall("follow", ["off"])),
    values: !!options.page && recall("values", ["on"]) === "on",
    element: null,
    moved: 0,
    working: false,
    nudged: null,
    beside: null,
    quiz: book.ask?.kind === "quiz",
    answered: stepsOf(keeper.answers),
    stopped: 0,
    ...startLook(options),
  };
  const words = createWords(start.lang);
  const questions = createQuestions(book, words);
  const rules = [road.rule, questions.rule, selectionRule(book), followRule(book, width)];
  const store = createStore(start, ...rules);
  store.subscribe(["lang"], ({ lang }) => words.use(lang)); // before the parts that use the words
  const view = createView(book, store, {
    hide: (payload) => questions.hide(payload, store.state),
    hidden: () => questions.hidden(store.state),
  });
  const edits = createEdits(book, store);
  /** Return whether a number may answer an open question. @param {number} chapter */
  const isAsked = (chapter) => questions.ahead(chapter, store.state);
  return { options, book, road, keeper, words, questions, store, view, edits, isAsked };
}

/**
 * Return the notes that some pages have below the sentence of the step.
 * @param {Page} page
 */
function createNotes({ book, words, store, view }) {
  /** @param {() => string} text */
  const noteOf = (text) => h("p.mp-note", { role: "note" }, words.live(text));
  const note = noteOf(() => words.of(book.note ?? ""));
  const leftOut = noteOf(() =>
    book.whole ? words.tell("briefRounds", book.whole) : `${book.leftOut} ${words.say("leftOut")}`,
  );
  store.subscribe(["chapter", "step"], () => {
    note.dataset.said = String(["error", "cut"].includes(view.step().kind)); // no note
  });
  return [book.note ? note : "", book.leftOut ? leftOut : ""];
}

/**
 * @param {HTMLElement} host
 * @param {Packed} packed
 * @param {Options} options
 */
export function mount(host, packed, options = {}) {
  const page = createPage(packed, options, host.clientWidth || Infinity);
  const { book, words, store, road, view, edits } = page;

  // The sentence comes first, because its height moves the parts below it.
  const heading = createHeading(page);
  const follow = createFollow(book, words, store);
  const graph = createGraph(page, select, options.colorBy, follow.knobs);
  const trail = createTrail(page);
  graph.element.prepend(trail.element);
  store.subscribe(["step", "quiz", "answered"], graph.veil);
  const code = createCode(page);
  const ribbonNow = createRibbons(page, (id) => select(view.resolve(id) ?? null));
  const rounds = createRounds(page, markedRounds(book));
  const nudge = createNudge(page, (spot) => inspector.focusOn(spot));
  const trends = createTrends(page, rounds);
  const inspector = createInspector(page, ribbonNow, trends, nudge.open);
  const problems = createProblems(page, {
    show(node) {
      const selected = node === null ? null : (view.resolve(node) ?? null);
      store.set({ selected });
      graph.revealStep(selected);
      inspector.rewind();
    },
    leave: focus,
  });
  heading.element.append(problems.elements.badge);
  const timeline = createTimeline(
    page,
    book.phases,
    () => view.payload().steps,
    heading.sentence,
    { at: (chapter) => markedSteps(book, chapter), open: problems.open },
    ribbonNow,
  );
  const search = createSearch(page, { pick, leave: focus });
  const statistics = createStatistics(page, { pick, leave: focus });
  const help = createHelp(words, focus);
  const link = createLink(page, pick);
  const ask = createAsk(page, focus);
  const switches = {
    ask: namedButton(words, "ask", "ask", "askSwitch"),
    memory: namedButton(words, "memory", "memory", "memoryRows"),
    help: namedButton(words, "help", "?", "help"),
  };
  const { root, count, tools, show, destroy } = createShell(
    page,
    () => words.source(book.title),
    timeline,
    {
      "aria-roledescription": words.text("player"),
      "data-steps": book.count,
      "data-rounds": book.rounds.length || null,
    },
    [
      search.element,
      ...(ask.isHunt ? [] : [switches.ask]),
      ...(book.hasMemory || book.tellsMemory ? [switches.memory] : []),
      statistics.knob,
      switches.help,
    ],
  );
  const side = [code.element, problems.elements.panel, nudge.element, inspector.element];
  root.append(
    ...rounds.elements,
    heading.element,
    ask.element,
    ...createNotes(page),
    link.note,
    h("div.mp-body", graph.element, h("div.mp-side", side)),
    statistics.element,
    help.element,
  );
  count.style.setProperty("--digits", `${2 * String(book.count).length}`);

  lightOperands(root);

  /** @param {string | null} selected */
  function select(selected) {
    store.set({ selected });
    inspector.reveal();
  }

  /**
   * Select a box from a part other than the graph, and bring it into view in the graph.
   * @param {string | null} selected
   */
  function pick(selected) {
    select(selected);
    if (selected !== null) graph.reveal([selected]);
  }

  function focus() {
    root.focus({ preventScroll: true });
  }

  store.subscribe(["memory"], ({ memory }) => press(switches.memory, memory));
  store.subscribe(["quiz"], ({ quiz }) => press(switches.ask, quiz));
  store.subscribe(["chapter", "step", "memory", "quiz", "answered"], (state) => {
    const { phase } = view.step();
    const round = rounds.now();
    if (round === null) delete root.dataset.round;
    else root.dataset.round = String(round);
    root.dataset.phase = phase;
    // Not on the root: a property that a large graph inherits makes steps slow.
    for (const each of [heading.element, code.element]) {
      Object.assign(each.dataset, { phase, lane: phase });
    }
    count.textContent = `${road.count && road.number(state)} / ${road.count}`;
  });
  store.subscribe(["moved"], graph.retell);
  store.subscribe(["moved", "working"], ({ working }) => {
    root.dataset.changed = String(edits.count);
    root.toggleAttribute("data-working", working);
    root.setAttribute("aria-busy", String(working));
  });

  show(host, {
    ...rounds.actions,
    ...problems.roundActions,
    in: () => graph.zoom(1.25),
    out: () => graph.zoom(0.8),
    leadOut: trail.leadOut,
    fit: graph.fit,
    panRight: () => graph.pan(1, 0),
    panLeft: () => graph.pan(-1, 0),
    panDown: () => graph.pan(0, 1),
    panUp: () => graph.pan(0, -1),
    colour: graph.turnColour,
    values: graph.turnValues,
    minimap: graph.turnMinimap,
    search() {
      tools.open();
      search.start();
    },
    help: help.turn,
    problems: problems.turn,
    nextProblem: () => problems.next(),
    memory: () => store.set({ memory: !store.state.memory }),
    ask: () => store.set({ quiz: !ask.isHunt && !store.state.quiz, playing: false }),
    answer: ask.focus,
    exportAnswers: ask.exportAnswers,
    follow: follow.turn,
    reset: () => edits.reset(nudge.restart),
    statistics: statistics.turn,
    escape() {
      const { close } = tools;
      const closers = [help.close, close, problems.close, graph.close, nudge.close];
      if (![...closers, inspector.release].some((each) => each())) select(null);
    },
  });

  // Changes from here on are reported to the host.
  store.subscribe(["chapter", "step"], (state) => options.onStep?.(book.indexOf(state)));
  store.subscribe(["lang"], ({ lang }) => options.onLang?.(lang));
  if (options.page) {
    store.subscribe(["memory"], ({ memory }) => remember({ memory: memory ? "on" : null }));
    store.subscribe(["values"], ({ values }) => remember({ values: values ? "on" : null }));
    store.subscribe(["follow"], ({ follow }) => remember({ follow: follow ? null : "off" }));
    link.start();
  }
  return {
    /** @param {number} step */
    go: (step) => store.set({ ...book.spotOf(step), playing: false }),
    get step() {
      return book.indexOf(store.state);
    },
    destroy() {
      store.set({ playing: false });
      edits.rest();
      graph.destroy();
      destroy();
      root.remove();
    },
  };
}

/**
 * Part of anywidget's model that the player uses.
 * @typedef {object} Model
 * @property {(name: string) => any} get
 * @property {(name: string, value: unknown) => void} set
 * @property {() => void} save_changes
 * @property {(event: string, listener: () => void) => void} on
 * @property {(event: string, listener: () => void) => void} off
 * @property {{ get_model: (id: string) => Promise<Model> }} widget_manager
 */

/**
 * Start the player in a notebook, synchronized with the kernel; return a function that ends it.
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
      // the kernel is gone; the player continues
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
