// Numbers as people read them. Non-finite numbers arrive as the strings "nan", "inf" and "-inf".

export function isOdd(number) {
  return typeof number === "string";
}

function spell(number) {
  return { nan: "NaN", inf: "∞", "-inf": "−∞" }[number] ?? String(number);
}

// One way of writing for a whole array, so that its columns can be compared by eye.
export function writer(numbers, dtype = "float") {
  if (/^(bool|u?int)/.test(dtype)) return (number) => (isOdd(number) ? spell(number) : `${number}`);
  const sizes = numbers.filter((n) => typeof n === "number" && n !== 0).map(Math.abs);
  const largest = Math.max(0, ...sizes);
  const smallest = Math.min(largest, ...sizes);
  const scientific = largest >= 1e5 || (largest > 0 && largest < 1e-3) || smallest < largest * 1e-6;
  const round = sizes.every((n) => n === Math.round(n * 100) / 100);
  const digits = largest >= 1000 ? 1 : largest >= 100 ? 2 : round ? 2 : 4;
  return (number) => {
    if (typeof number !== "number") return spell(number);
    return scientific && number !== 0 ? number.toExponential(2) : number.toFixed(digits);
  };
}

// A number that stands alone: four significant digits.
export function briefly(number) {
  return isOdd(number) ? spell(number) : String(Number(number.toPrecision(4)));
}

export function exactly(number) {
  return isOdd(number) ? spell(number) : String(number);
}

export function flatten(data) {
  return Array.isArray(data) ? data.flat(Infinity) : [data];
}

// The part of the colour scale, -100 to 100 per cent, that a number takes.
export function heat(number, largest) {
  if (typeof number !== "number" || largest === 0) return 0;
  return Math.round((100 * number) / largest);
}

// Indices 0..size-1, with null for a gap where there are too many to show.
export function shownIndices(size, most) {
  const all = Array.from({ length: size }, (_, index) => index);
  if (size <= most) return all;
  const head = Math.ceil((most - 1) / 2);
  return [...all.slice(0, head), null, ...all.slice(size - (most - 1 - head))];
}

export function shapeText(shape) {
  return `[${shape.join(", ")}]`;
}

export function sizeOf(shape) {
  return shape.reduce((product, length) => product * length, 1);
}
