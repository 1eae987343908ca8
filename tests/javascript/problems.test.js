// Where marks stand: at the steps of a chapter, and at the rounds, that have a problem.

import assert from "node:assert/strict";
import { test } from "node:test";

import { markedRounds, markedSteps } from "../../viz/player/web/problems.js";

const chapters = [
  { round: null, first: 0 },
  { round: 0, first: 4 },
  { round: 1, first: 9 },
];
const book = {
  chapters,
  problems: [12, 5, 12, 6, 0].map((step) => ({ step })),
  spotOf(step) {
    const chapter = chapters.findLastIndex(({ first }) => first <= step);
    return { chapter, step: step - chapters[chapter].first };
  },
};

test("each step of a chapter is marked once, in order", () => {
  assert.deepEqual(markedSteps(book, 0), [0]);
  assert.deepEqual(markedSteps(book, 1), [1, 2]);
  assert.deepEqual(markedSteps(book, 2), [3]);
});

test("what is outside of rounds marks none of them", () => {
  assert.deepEqual(markedRounds(book), [0, 1]);
});
