// Numbers as pixels: the colour of their sign, the stronger the larger they are.

const [PLUS, MINUS, ODD] = [
  [104, 156, 36],
  [196, 84, 158],
  [208, 0, 111, 255],
];

/** Return a share of 1 as a byte. @param {number} share */
export const byteOf = (share) => Math.floor(255 * Math.min(1, share) + 0.5);

/** Return a number as RGBA bytes, on a scale up to `end`. @type {(number: number, end: number) => number[]} */
export const pixelOf = (number, end) =>
  Number.isFinite(number) ? [...(number < 0 ? MINUS : PLUS), byteOf(Math.abs(number) / end)] : ODD;

/** @type {(canvas: HTMLCanvasElement, pixels: Uint8ClampedArray<ArrayBuffer>) => void} */
export const putPixels = (canvas, pixels) =>
  canvas.getContext("2d")?.putImageData(new ImageData(pixels, canvas.width, canvas.height), 0, 0);
