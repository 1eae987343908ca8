// Amounts with units, written as in viz/facts/costs.py and in the sentences about memory.

const BYTES = ["B", "KiB", "MiB", "GiB", "TiB"];
/** Each unit is a thousand of the one before. @type {Record<string, string[]>} */
const UNITS = { time: ["ns", "µs", "ms", "s"], flops: ["", "k", "M", "G", "T"] };

/**
 * Return a number with digits after the point; ties go to the even digit, as in Python.
 * @param {number} number  not negative
 * @param {number} digits
 */
export function fixed(number, digits) {
  const exact = number.toFixed(60);
  const end = exact.indexOf(".") + 1 + digits;
  const below = exact.slice(0, digits ? end : end - 1);
  const middle = /^50*$/.test(exact.slice(end));
  return middle && /[02468]$/.test(below) ? below : number.toFixed(digits);
}

/**
 * Return a number with three digits, or as a whole number.
 * @param {number} number
 */
function inShort(number) {
  if (Number.isInteger(number)) return String(number);
  return fixed(number, number < 9.995 ? 2 : number < 99.95 ? 1 : 0);
}

/** @param {number} bytes */
export function sizeText(bytes) {
  const unit = bytes < 1024 ? 0 : Math.min(4, Math.floor(Math.log2(bytes) / 10));
  const number = bytes / 1024 ** unit;
  const digits = Math.max(0, 4 - String(Math.floor(number)).length);
  return `${Number(fixed(number, digits))} ${BYTES[unit]}`;
}

/**
 * Return the cost of a box as text.
 * @param {string} by  time, flops, parameters or bytes
 * @param {number} amount
 */
export function costText(by, amount) {
  if (by === "bytes") return sizeText(Number(fixed(amount, 0)));
  if (by === "parameters") return Number(fixed(amount, 0)).toLocaleString("en-US");
  const units = UNITS[by];
  const power = Math.max(
    0,
    units.findLastIndex((_, each) => amount >= 1000 ** each),
  );
  const [number, unit] = [inShort(amount / 1000 ** power), units[power]];
  return by === "time" ? `${number} ${unit}` : `${number} ${unit}FLOP${amount === 1 ? "" : "s"}`;
}
