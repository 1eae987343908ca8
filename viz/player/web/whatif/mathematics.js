// What NumPy's functions of numbers do to one number, or to two, by NumPy's names.
//
// A result is stored in the dtype that NumPy gave it, which rounds it: a sum of two float32 is the
// same to the last bit, tanh may differ in it. A comparison gives true or false, stored as 1 or 0.

/** @typedef {(...numbers: number[]) => number | boolean} Numeric */

/** @type {(x: number) => number} */
function rint(x) {
  const whole = Math.floor(x);
  const over = x - whole;
  return over < 0.5 || (over === 0.5 && whole % 2 === 0) ? whole : whole + 1;
}

/** @type {(a: number, b: number) => number} */
function remainder(a, b) {
  const left = a % b;
  return left && left < 0 !== b < 0 ? left + b : left;
}

/** @type {(a: number, b: number) => number} */
function gcd(a, b) {
  while (b) [a, b] = [b, a % b];
  return Math.abs(a);
}

/** @type {(x: number) => boolean} */
const isNegative = (x) => x < 0 || Object.is(x, -0);

// Functions of one number that JavaScript calls as NumPy does, and those that it calls acos, acosh, ...
const ALIKE =
  "ceil cos cosh exp expm1 floor log log10 log1p log2 sign sin sinh sqrt tan tanh trunc".split(" ");
const ARCS = ["cos", "cosh", "sin", "sinh", "tan", "tanh", "tan2"];
/** @type {(name: string) => Numeric} */
const ofMath = (name) => Math[/** @type {"acos"} */ (name)];

/** @type {Record<string, Numeric>} */
export const FUNCTIONS = {
  ...Object.fromEntries(ALIKE.map((name) => [name, ofMath(name)])),
  ...Object.fromEntries(ARCS.map((name) => [`arc${name}`, ofMath(`a${name}`)])),

  // of one number
  absolute: (x) => Math.abs(x),
  copy: (x) => x,
  isfinite: (x) => Number.isFinite(x),
  isinf: (x) => Math.abs(x) === Number.POSITIVE_INFINITY,
  isnan: (x) => Number.isNaN(x),
  logical_not: (x) => !x && !Number.isNaN(x),
  negative: (x) => -x,
  positive: (x) => x,
  reciprocal: (x) => 1 / x,
  rint,
  signbit: isNegative,
  square: (x) => x * x,

  // of two
  add: (a, b) => a + b,
  copysign: (a, b) => (isNegative(b) ? -Math.abs(a) : Math.abs(a)),
  divide: (a, b) => a / b,
  equal: (a, b) => a === b,
  floor_divide: (a, b) => Math.floor(a / b),
  fmax: (a, b) => (a > b || Number.isNaN(b) ? a : b),
  fmin: (a, b) => (a < b || Number.isNaN(b) ? a : b),
  gcd,
  greater: (a, b) => a > b,
  greater_equal: (a, b) => a >= b,
  lcm: (a, b) => (a && b ? Math.abs(a * b) / gcd(a, b) : 0),
  less: (a, b) => a < b,
  less_equal: (a, b) => a <= b,
  logaddexp: (a, b) =>
    a === b ? a + Math.LN2 : Math.max(a, b) + Math.log1p(Math.exp(-Math.abs(a - b))),
  logical_and: (a, b) => a !== 0 && b !== 0,
  logical_or: (a, b) => a !== 0 || b !== 0,
  logical_xor: (a, b) => (a !== 0) !== (b !== 0),
  maximum: (a, b) => Math.max(a, b),
  minimum: (a, b) => Math.min(a, b),
  multiply: (a, b) => a * b,
  not_equal: (a, b) => a !== b,
  power: (a, b) => (a === 1 ? 1 : a ** b),
  remainder,
  subtract: (a, b) => a - b,

  // of three
  clip: (x, low, high) => Math.min(Math.max(x, low), high),
  where: (wanted, a, b) => (wanted ? a : b),
};

/**
 * Functions of the bits of whole numbers, which have up to 64 of them.
 * @type {Record<string, (a: bigint, b: bigint) => bigint>}
 */
const OF_BITS = {
  bitwise_and: (a, b) => a & b,
  bitwise_or: (a, b) => a | b,
  bitwise_xor: (a, b) => a ^ b,
  invert: (a) => ~a,
  left_shift: (a, b) => a << b,
  right_shift: (a, b) => a >> b,
};

for (const [name, ofBits] of Object.entries(OF_BITS)) {
  FUNCTIONS[name] = (a, b = 0) => Number(ofBits(BigInt(a), BigInt(b)));
}

/**
 * The functions that an axis is reduced by, and what an empty axis gives.
 * @type {Record<string, number>}
 */
export const EMPTY = {
  add: 0,
  multiply: 1,
  maximum: Number.NEGATIVE_INFINITY,
  minimum: Number.POSITIVE_INFINITY,
  logical_and: 1,
  logical_or: 0,
};

/**
 * What a number becomes when an array of this dtype takes it from one of another.
 * @type {Record<string, Numeric>}
 */
export const CASTS = { int64: Math.trunc };

// Where a function decides between numbers: what must be far from 0 for its result to be sure.

/** @type {Numeric} */
const itself = (x) => x;

/** @type {Numeric} */
const apart = (a, b) => a - b;

/** @type {(x: number) => number} */
const fromWhole = (x) => x - Math.round(x);

/** @type {Numeric} */
const quotient = (a, b) => fromWhole(a / b) * b;

/** @type {(names: string, apart: Numeric) => Record<string, Numeric>} */
const eachOf = (names, apart) => Object.fromEntries(names.split(" ").map((name) => [name, apart]));

/**
 * The results of these bend there: their derivative is another one on the other side.
 * @type {Record<string, Numeric>}
 */
export const BENDS = {
  absolute: itself,
  clip: (x, low, high) => (Math.abs(x - low) < Math.abs(x - high) ? x - low : x - high),
  ...eachOf("fmax fmin maximum minimum", apart),
};

/**
 * The results of these jump there: rounding decides which they are.
 * @type {Record<string, Numeric>}
 */
export const JUMPS = {
  ...eachOf("ceil floor trunc", fromWhole),
  ...eachOf("equal greater greater_equal less less_equal not_equal", apart),
  ...eachOf("floor_divide remainder", quotient),
  ...eachOf("logical_not sign signbit", itself),
  copysign: (_, b) => b,
  rint: (x) => x - Math.floor(x) - 0.5,
};
