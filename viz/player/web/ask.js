// The panel that asks: before a step shows what it does, and where a mistake is. It takes the
// answers, says whether they are right, gives hints, and keeps what was answered.

import { button, html } from "./dom.js";
import { inWords, isRight, readAnswer } from "./questions.js";

/** @import { Hint, Hunt } from "./payload.d.ts" */
/** @import { EditState } from "./edit.js" */
/** @import { InspectorState } from "./inspector.js" */
/** @import { AskState, Question, Questions } from "./questions.js" */
/** @import { GraphState, PageState, Store } from "./store.js" */
/** @import { Book } from "./unpack.js" */
/** @import { View } from "./view.js" */
/** @import { Words } from "./words.js" */

/**
 * What was answered to a question, as it is kept and exported.
 * @typedef {object} Answer
 * @property {number} step  in `trace.steps`, as in links
 * @property {number | null} round  counted from 1
 * @property {number} number  of the step, as the page counts in its round
 * @property {string} ask
 * @property {string} of
 * @property {string} given  "" where the answer was shown without one
 * @property {string} truth
 * @property {boolean} right
 * @property {number} hints
 * @property {number} tries
 */

/** @typedef {GraphState & PageState & InspectorState & EditState & AskState} State */

const SUM = /^(Σ|\+=)$/;

/**
 * Where answers are kept.
 * @typedef {object} Keeper
 * @property {Answer[]} answers  that were given before
 * @property {(answers: Answer[]) => boolean} keep  false where it cannot be done
 */

/**
 * In the browser, under the key of the questions. A file or a frame may have no such place.
 * @param {string} key
 * @returns {Keeper}
 */
export function browserKeeper(key) {
  const name = `minipaddle answers 2 ${key}`; // 1 counted the steps from 1
  /** @type {Answer[]} */
  let answers = [];
  try {
    const known = JSON.parse(localStorage.getItem(name) ?? "[]");
    if (Array.isArray(known)) answers = known.filter((row) => Number.isInteger(row?.step));
  } catch {
    // nothing is known
  }
  return {
    answers,
    keep(all) {
      try {
        localStorage.setItem(name, JSON.stringify(all));
        return true;
      } catch {
        return false;
      }
    },
  };
}

/**
 * The key of what a page asks; of a switch that is turned on, that of the recording.
 * @param {Book} book
 */
export const answersKey = (book) => book.ask?.key ?? `${book.title}/${book.count}`;

/**
 * The numbers of the steps whose questions were answered.
 * @param {Answer[]} answers
 */
export const stepsOf = (answers) =>
  new Set(answers.flatMap(({ ask, step }) => (ask === "hunt" ? [] : [step])));

/**
 * @param {string} sealed
 * @returns {Hunt}
 */
export function unsealed(sealed) {
  const bytes = Uint8Array.from(atob(sealed), (letter) => letter.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes));
}

/**
 * @param {Book} book
 * @param {Words} words
 * @param {Store<State>} store
 * @param {View} view
 * @param {Questions} questions
 * @param {Keeper} keeper
 * @param {() => void} leave  gives the focus back
 */
export function createAsk(book, words, store, view, questions, keeper, leave) {
  const hunt = book.ask?.kind === "hunt" ? unsealed(book.ask.sealed ?? "") : null;
  const [prompt, about] = [html("p", { class: "mp-question" }), html("p", { class: "mp-hint" })];
  const form = html("form", { class: "mp-answer" });
  const verdict = html("div", { class: "mp-verdict", role: "status" });
  const count = html("span", { class: "mp-hint" });
  const pageOnly = words.label(html("span", { class: "mp-hint", hidden: "" }), "askPageOnly");
  const exporter = words.label(button("exportAnswers"), "askExport");
  const foot = html("div", { class: "mp-ask-foot" }, count, pageOnly, exporter);
  const written = html("textarea", { class: "mp-exported", readonly: "", rows: 3, hidden: "" });
  words.label(written, "askExport", "aria-label");
  const body = html("div", { class: "mp-ask-body" }, prompt, about, form, verdict);
  const element = html("section", { class: "mp-ask", hidden: "" }, body, foot, written);
  words.label(element, "ask", "aria-label");

  /** @type {Map<number, Answer>} */
  const answers = new Map(
    keeper.answers.map((row) => [row.step, { ...row, number: row.step + 1 }]),
  );

  /**
   * What a box is called; a sum by what it sums: `+= db`.
   * @param {string} box
   */
  function nameOf(box) {
    const { label = box, detail = "" } = view.part(box) ?? {};
    const [of, shape] = detail.split(": ");
    return shape && SUM.test(words.of(label)) ? `${words.of(label)} ${of}` : words.of(label);
  }
  /** @param {string} choice  a sign or a box */
  const choiceOf = (choice) =>
    ({ minus: words.say("askMinus"), zero: words.say("askZero"), plus: words.say("askPlus") })[
      choice
    ] ?? nameOf(choice);

  /** @param {Question} question */
  const truthOf = (question) => inWords(question, question.truth, choiceOf);

  /** @param {Omit<Answer, "round" | "number">} answered */
  function note(answered) {
    const { round } = book.chapters[book.spotOf(answered.step).chapter];
    const row = {
      ...answered,
      round: round === null ? null : round + 1,
      number: answered.step + 1,
    };
    answers.set(row.step, row);
    pageOnly.hidden = keeper.keep([...answers.values()]);
  }

  function tally() {
    const rows = [...answers.values()];
    const right = rows.filter((row) => row.right).length;
    const told = { right, answered: rows.length };
    count.textContent = rows.length && !hunt ? words.tell("askCount", told) : "";
    exporter.hidden = !rows.length;
  }

  // ----- a question at a step -----

  /**
   * @param {Question} question
   * @param {string} text  "" to be shown the answer
   */
  function answer(question, text) {
    const given = text === "" ? null : readAnswer(question, text);
    if (text !== "" && given === null) {
      verdict.textContent = words.say(question.ask === "shape" ? "askSizes" : "askNumber");
      return;
    }
    note({
      step: question.number,
      ask: question.ask,
      of: question.of,
      given: given === null ? "" : inWords(question, given, choiceOf),
      truth: truthOf(question),
      right: given !== null && isRight(question, given),
      hints: 0,
      tries: 1,
    });
    const answered = new Set([...store.state.answered, question.number]);
    store.set({ answered, ...(question.element ? { element: question.element } : {}) });
    leave();
  }

  /** @type {(label: string, act: () => void, extra?: string) => HTMLButtonElement} */
  function knob(label, act, extra = "") {
    const made = html("button", { type: "button", class: `mp-choice ${extra}` }, label);
    made.addEventListener("click", act);
    return made;
  }

  /** @param {Question} question */
  function controls(question) {
    const skip = knob(words.say("askSkip"), () => answer(question, ""), "mp-quiet");
    if (question.choices.length) {
      const { selected } = store.state;
      const boxes = question.ask === "next" && selected ? byBox(question, selected) : [];
      const choices = question.choices.map((each) =>
        knob(choiceOf(each), () => answer(question, each)),
      );
      return [...choices, ...boxes, skip];
    }
    const field = html("input", {
      class: "mp-field",
      autocomplete: "off",
      spellcheck: "false",
      size: 12,
      placeholder: words.tell("askExample", {
        example: question.ask === "shape" ? "[2, 3]" : "0.25",
      }),
    });
    field.setAttribute("aria-label", prompt.textContent ?? "");
    field.addEventListener("keydown", (event) => {
      if (event.key === "Escape") leave();
    });
    const send = html("button", { class: "mp-choice" }, words.say("askAnswer"));
    return [field, send, skip];
  }

  /**
   * What is selected in the graph, as an answer to where a gradient goes.
   * @param {Question} question
   * @param {string} selected
   */
  function byBox(question, selected) {
    const meant = question.choices.find((box) => view.resolve(box) === selected) ?? selected;
    const label = words.tell("askThis", { box: nameOf(selected) });
    const choices = [...question.choices, selected];
    return [knob(label, () => answer({ ...question, choices }, meant))];
  }

  /** @param {Question} question */
  function outcome(question) {
    const { ask, number } = question;
    const row = answers.get(number);
    const moved = row && ["value", "sign"].includes(ask) && row.truth !== truthOf(question);
    if (!row || moved) return ""; // it spoke of another number
    const kind = ask === "next" ? "next" : "is";
    const key = row.right
      ? `askRight_${kind}`
      : row.given
        ? `askWrong_${kind}`
        : `askShown_${kind}`;
    verdict.dataset.right = String(row.right);
    return words.tell(key, { of: row.of, given: row.given, truth: row.truth });
  }

  function showQuestion() {
    const question = questions.at(store.state);
    const open = questions.open(store.state);
    delete verdict.dataset.right;
    prompt.textContent = question ? words.tell(`ask_${question.ask}`, { of: question.of }) : "";
    about.textContent = open?.ask === "value" ? words.say("askWithin") : "";
    form.replaceChildren(...(open ? controls(open) : []));
    verdict.textContent = question && !open ? outcome(question) : "";
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const question = questions.open(store.state);
    const field = form.querySelector("input");
    if (question && field?.value.trim()) answer(question, field.value);
  });

  // ----- where the mistake is -----

  const before = hunt && keeper.answers.find((row) => row.ask === "hunt");
  const state = { read: before?.hints ?? 0, tries: before?.tries ?? 0, found: !!before?.right };
  let said = "";

  /**
   * The box that would be answered: what is selected, or else what works at this step.
   * @param {Hunt} known
   */
  function candidate({ boxes }) {
    const { selected } = store.state;
    const working = view.step().nodes.at(-1) ?? "";
    const computes = boxes.some(([box]) => box === working);
    return selected ?? (computes ? (view.resolve(working) ?? null) : null);
  }

  /** @type {(known: Hunt, box: string) => void} */
  function suspect(known, box) {
    const { answer, boxes, what } = known;
    const inside = view.resolve(answer) === box && box !== answer;
    const computes = boxes.find(([each]) => view.resolve(each) === box);
    if (inside) said = words.tell("huntInside", { box: nameOf(box) });
    else if (!computes) said = words.tell("huntNothing", { box: nameOf(box) });
    else {
      state.tries += 1;
      state.found = box === answer;
      const [, step] = computes;
      if (state.found) store.set({ step, selected: answer, hits: [], playing: false });
      said = words.tell(state.found ? "huntRight" : "huntWrong", { box: nameOf(box) });
      answers.clear();
      note({
        step,
        ask: "hunt",
        of: "",
        given: nameOf(box),
        truth: state.found ? words.of(what) : "",
        right: state.found,
        hints: state.read,
        tries: state.tries,
      });
    }
    show();
  }

  /** @param {Hint} hint */
  function told({ text, rows }) {
    const line = html("p", {}, words.of(text));
    if (!rows) return [line];
    const head = ["", words.say("huntIs"), words.say("huntShould")];
    const cells = (/** @type {"th" | "td"} */ tag, /** @type {string[]} */ row) =>
      html("tr", {}, ...row.map((each) => html(each ? tag : "td", {}, each)));
    const table = html("table", {}, cells("th", head), ...rows.map((row) => cells("td", row)));
    return [line, table];
  }

  /** @param {Hunt} known */
  function showHunt(known) {
    const { hints, what } = known;
    const box = candidate(known);
    prompt.textContent = words.say("huntTask");
    about.textContent = state.found ? "" : words.say("huntChoose");
    const suspects = box
      ? [knob(words.tell("askThis", { box: nameOf(box) }), () => suspect(known, box))]
      : [];
    const next = { at: state.read + 1, count: hints.length };
    const more = knob(words.tell("huntHint", next), () => hint(known), "mp-quiet");
    form.replaceChildren(
      ...(state.found ? [] : suspects),
      ...(state.found || state.read >= hints.length ? [] : [more]),
    );
    const last = hints.slice(-1);
    const lines = state.found ? last : hints.slice(0, state.read);
    const found = state.found ? [html("p", {}, words.of(what))] : [];
    const spoken = said ? [html("p", {}, said)] : [];
    verdict.replaceChildren(...spoken, ...found, ...lines.flatMap(told));
    if (said || state.found) verdict.dataset.right = String(state.found);
  }

  /** @param {Hunt} known */
  function hint({ hints }) {
    state.read += 1;
    said = "";
    delete verdict.dataset.right;
    store.set({ hits: hints[state.read - 1].boxes });
    show();
  }

  // ----- the panel -----

  function show() {
    element.hidden = !hunt && !store.state.quiz;
    if (element.hidden) return;
    const inside = element.contains(document.activeElement);
    if (hunt) showHunt(hunt);
    else showQuestion();
    tally();
    if (inside && !element.contains(document.activeElement)) leave();
  }

  function focus() {
    const first = form.querySelector("input, button");
    if (first instanceof HTMLElement) first.focus({ preventScroll: true });
  }

  function exportAnswers() {
    const rows = [...answers.values()];
    const whole = { format: "minipaddle-answers", key: answersKey(book), title: book.title };
    const text = `${JSON.stringify({ ...whole, answers: rows }, null, 1)}\n`;
    if (window !== window.top) {
      written.hidden = false; // a frame may not download
      written.value = text;
      written.focus();
      written.select();
      return;
    }
    const href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    html("a", { href, download: "answers.json" }).click();
    setTimeout(() => URL.revokeObjectURL(href), 1000);
  }

  // The graph gives it room, so that a notebook need not scroll between the two.
  const observer = new ResizeObserver(() => {
    element.parentElement?.style.setProperty("--asked", `${element.offsetHeight}px`);
  });
  observer.observe(element);
  store.subscribe(
    ["chapter", "step", "quiz", "answered", "selected", "open", "lang", "moved"],
    (now, then) => {
      if (now.step !== then.step || now.lang !== then.lang) said = "";
      show();
    },
  );
  store.subscribe(["stopped"], (now, then) => {
    if (now.stopped !== then.stopped) focus();
  });
  return { element, focus, exportAnswers, isHunt: !!hunt };
}
