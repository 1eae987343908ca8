// Bytes that travel as text: arrays, and the deflated payloads, styles and code of players.

/** Return the bytes of a text in base64. @param {string} text */
export const bytesIn = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

// Digits of base 85, as viz/player/page.py writes code: five of them are four bytes.
const DIGITS =
  "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%,()*+-;.=:?@^_`{|}~";

/** Return the bytes of a text in base 85. @param {string} text */
export function codeIn(text) {
  const values = new Map([...DIGITS].map((digit, value) => [digit, value]));
  const view = new DataView(new ArrayBuffer(4 * Math.ceil(text.length / 5)));
  for (let at = 0; at < text.length; at += 5) {
    let number = 0;
    for (let k = at; k < at + 5; k += 1) number = 85 * number + (values.get(text[k]) ?? 84);
    view.setUint32((4 * at) / 5, number);
  }
  return view.buffer.slice(0, Math.floor((4 * text.length) / 5));
}

/**
 * Return the text of deflated bytes.
 * @param {ArrayBuffer | Uint8Array<ArrayBuffer>} packed
 */
export async function inflated(packed) {
  const stream = new Blob([packed]).stream();
  return new Response(stream.pipeThrough(new DecompressionStream("deflate"))).text();
}
