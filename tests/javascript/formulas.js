// Formulas for tests, written as text.

const OPERAND = /((?<![\p{L}\d_.#])(?:[\p{Lu}\p{Ll}]+(?:#\d+)?|\d+(?:\.\d+)?)(?![\p{Lu}\p{Ll}(]))/u;

/** The clauses of a formula as the page gets them: its names and numbers at the odd places. */
export const formulaOf = (text) => text.split(/, (?![^()]*\))/).map(piecesOf);

export const piecesOf = (text) => text.split(OPERAND);
