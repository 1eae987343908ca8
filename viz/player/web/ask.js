// The panel with questions about a step before it is shown, or about a mistake. It takes and stores
// answers, shows whether they are right, and gives hints.

import { button, h, textField } from "./dom.js";
import { createHunt } from "./hunt.js";
import { inWords, isRight, readAnswer } from "./questions.js";

/** @import { Options, Page } from "./player.js" */
/** @import { Question } from "./questions.js" */
/** @import { Book } from "./unpack.js" */

/**
 * Answer to a question, as it is stored and exported.
 * @typedef {object} Answer
 * @property {number} step  in `trace.steps`, as in links
 * @property {number | null} round  counted from 1
 * @property {number} number  number of the step, counted from 1
 * @property {string} ask
 * @property {string} of
 * @property {string} given  "" if the reader asked to see the answer
 * @property {string} truth
 * @property {boolean} right
 * @property {number} hints
 * @property {number} tries
 */

const SUM = /^(Σ|\+=)$/;

/**
 * Storage of answers.
 * @typedef {object} Keeper
 * @property {Answer[]} answers  earlier answers
 * @property {(answers: Answer[]) => boolean} keep  returns false if storing failed
 */

/**
 * Return storage in the browser, under the key of the questions. A file or a frame may have none.
 * @param {string} key
 * @returns {Keeper}
 */
function browserKeeper(key) {
  const name = `minipaddle answers 2 ${key}`; // version 1 counted steps from 1
  /** @type {Answer[]} */
  let answers = [];
  try {
    const known = JSON.parse(localStorage.getItem(name) ?? "[]");
    if (Array.isArray(known)) answers = known.filter((row) => Number.isInteger(row?.step));
  } catch {
    // no answers are stored
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
 * Return the storage of a page's answers: in a notebook, the kernel's.
 * @param {Book} book
 * @param {Options} options
 * @returns {Keeper}
 */
export function keeperOf(book, { answers = [], onAnswers }) {
  if (!onAnswers) return browserKeeper(answersKey(book));
  return {
    answers,
    keep(all) {
      onAnswers(all);
      return true;
    },
  };
}

/**
 * Return the key of a page's questions, or of the recording if the reader turned questions on.
 * @param {Book} book
 */
const answersKey = (book) => book.ask?.key ?? `${book.title}/${book.count}`;

/**
 * Return the numbers of the steps whose questions were answered.
 * @param {Answer[]} answers
 */
export const stepsOf = (answers) =>
  new Set(answers.flatMap(({ ask, step }) => (ask === "hunt" ? [] : [step])));

/**
 * Functions that store answers and show choices and names, and the parts of the panel.
 * @typedef {object} Panel
 * @property {Map<number, Answer>} answers
 * @property {(answered: Omit<Answer, "round" | "number">) => void} note
 * @property {(box: string) => string} nameOf
 * @property {(label: string, act: () => void, more?: string) => HTMLButtonElement} knob
 * @property {{ prompt: Element, about: Element, form: Element, verdict: HTMLElement }} parts
 */

/**
 * @param {Page} page
 * @param {() => void} leave  gives the focus back
 */
export function createAsk(page, leave) {
  const { book, words, store, view, keeper } = page;
  const [prompt, about] = [h("p.mp-question"), h("p.mp-hint")];
  const form = h("form.mp-answer");
  const verdict = h("div.mp-verdict", { role: "status" });
  const count = h("span.mp-hint");
  const pageOnly = h("span.mp-hint", { hidden: "" }, words.text("askPageOnly"));
  const exporter = button("exportAnswers", words.text("askExport"));
  const written = h("textarea.mp-exported", {
    readonly: "",
    rows: 3,
    hidden: "",
    "aria-label": words.text("askExport"),
  });
  const element = h(
    "section.mp-ask",
    { hidden: "", "aria-label": words.text("ask") },
    h("div.mp-ask-body", prompt, about, form, verdict),
    h("div.mp-ask-foot", count, pageOnly, exporter),
    written,
  );

  /** @type {Map<number, Answer>} */
  const answers = new Map(
    keeper.answers.map((row) => [row.step, { ...row, number: row.step + 1 }]),
  );
  /** @type {Panel} */
  const panel = {
    answers,
    parts: { prompt, about, form, verdict },
    note(answered) {
      const { round } = book.chapters[book.spotOf(answered.step).chapter];
      const number = answered.step + 1;
      answers.set(answered.step, { ...answered, round: round === null ? null : round + 1, number });
      pageOnly.hidden = keeper.keep([...answers.values()]);
    },
    /** Return the name of a box; a sum's name includes its term: `+= db`. */
    nameOf(box) {
      const { label = box, detail = "" } = view.part(box) ?? {};
      const [of, shape] = detail.split(": ");
      return shape && SUM.test(words.of(label)) ? `${words.of(label)} ${of}` : words.of(label);
    },
    knob: (label, onclick, more = "") =>
      h("button", { class: `mp-choice ${more}`, onclick }, label),
  };
  const hunt = book.ask?.kind === "hunt" ? createHunt(page, panel, show) : null;
  const quiz = createQuiz(page, panel, leave);

  function show() {
    element.hidden = !hunt && !store.state.quiz;
    if (element.hidden) return;
    const inside = element.contains(document.activeElement);
    (hunt ?? quiz).show();
    const rows = [...answers.values()];
    const told = { right: rows.filter(({ right }) => right).length, answered: rows.length };
    count.textContent = rows.length && !hunt ? words.tell("askCount", told) : "";
    exporter.hidden = !rows.length;
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
    h("a", { href, download: "answers.json" }).click();
    setTimeout(() => URL.revokeObjectURL(href), 1000);
  }

  // The graph leaves room for the panel, so that a notebook need not scroll between both.
  new ResizeObserver(() => {
    element.parentElement?.style.setProperty("--asked", `${element.offsetHeight}px`);
  }).observe(element);
  store.subscribe(
    ["chapter", "step", "quiz", "answered", "selected", "open", "lang", "moved"],
    (now, then) => {
      if (now.step !== then.step || now.lang !== then.lang) hunt?.forget();
      show();
    },
  );
  store.subscribe(["stopped"], (now, then) => {
    if (now.stopped !== then.stopped) focus();
  });
  return { element, focus, exportAnswers, isHunt: !!hunt };
}

/**
 * Return the part of the panel that asks the question of a step.
 * @param {Page} page
 * @param {Panel} panel
 * @param {() => void} leave
 */
function createQuiz(
  { words, store, view, questions },
  { answers, note, nameOf, knob, parts },
  leave,
) {
  const { prompt, about, form, verdict } = parts;

  /** @param {string} choice  a sign or a box */
  const choiceOf = (choice) =>
    ({ minus: words.say("askMinus"), zero: words.say("askZero"), plus: words.say("askPlus") })[
      choice
    ] ?? nameOf(choice);

  /** @param {Question} question */
  const truthOf = (question) => inWords(question, question.truth, choiceOf);

  /**
   * @param {Question} question
   * @param {string} text  "" if the reader wants to see the answer
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
    const example = question.ask === "shape" ? "[2, 3]" : "0.25";
    const field = textField("mp-field", {
      size: 12,
      placeholder: words.tell("askExample", { example }),
      "aria-label": prompt.textContent ?? "",
      onkeydown: (/** @type {KeyboardEvent} */ { key }) => key === "Escape" && leave(),
    });
    return [field, h("button.mp-choice", { type: "submit" }, words.say("askAnswer")), skip];
  }

  /**
   * Return a button that answers with the selected box, as the target of a gradient.
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
    if (!row || moved) return ""; // the answer was about another number
    const { of, given, truth, right } = row;
    const kind = ask === "next" ? "next" : "is";
    const shown = given ? `askWrong_${kind}` : `askShown_${kind}`;
    verdict.dataset.right = String(right);
    return words.tell(right ? `askRight_${kind}` : shown, { of, given, truth });
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const question = questions.open(store.state);
    const field = form.querySelector("input");
    if (question && field?.value.trim()) answer(question, field.value);
  });

  return {
    show() {
      const question = questions.at(store.state);
      const open = questions.open(store.state);
      delete verdict.dataset.right;
      prompt.textContent = question ? words.tell(`ask_${question.ask}`, { of: question.of }) : "";
      about.textContent = open?.ask === "value" ? words.say("askWithin") : "";
      form.replaceChildren(...(open ? controls(open) : []));
      verdict.textContent = question && !open ? outcome(question) : "";
    },
  };
}
