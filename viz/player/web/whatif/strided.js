// Arrays with strides, as in NumPy.
//
//   offset   place of the first element in `data`
//   strides  distance of neighbours along each axis, in elements; 0 if an element is repeated
//   data     numbers of one dtype: an int64 is a float64, exact up to 2 ** 53; a bool is 0 or 1

import { sizeOf } from "../numbers.js";

/** @typedef {Float64Array | Float32Array | Int32Array | Int16Array | Int8Array | Uint8Array} Memory */

/** @typedef {{ shape: number[], strides: number[], offset: number }} Layout */

/** @typedef {Layout & { data: Memory, dtype: string }} Strided */

/** @type {Record<string, new (numbers: any) => Memory>} */
export const MEMORIES = {
  float64: Float64Array,
  float32: Float32Array,
  int64: Float64Array,
  int32: Int32Array,
  int16: Int16Array,
  int8: Int8Array,
  uint8: Uint8Array,
  bool: Float64Array, // of 0 and 1; what is neither for a moment becomes 1
  number: Float64Array, // of an instruction, not of an array
};

/**
 * Return the strides of an array in row-major order.
 * @param {number[]} shape
 */
export function inOrder(shape) {
  return shape.map((_, axis) => sizeOf(shape.slice(axis + 1)));
}

/**
 * Return a new array of zeros.
 * @param {string} dtype
 * @param {number[]} shape
 * @returns {Strided}
 */
export function zeros(dtype, shape) {
  const data = new MEMORIES[dtype](sizeOf(shape));
  return { dtype, data, shape, strides: inOrder(shape), offset: 0 };
}

/**
 * Return a view of an array with another shape, by NumPy's rules of broadcasting.
 * @template {Layout} T
 * @param {T} array
 * @param {number[]} shape
 * @returns {T}
 */
export function broadcast(array, shape) {
  const fewer = shape.length - array.shape.length;
  const strides = shape.map((length, axis) => {
    const own = array.shape[axis - fewer];
    return own === undefined || (own === 1 && length !== 1) ? 0 : array.strides[axis - fewer];
  });
  return { ...array, shape, strides };
}

/**
 * Return the places of the elements, in row-major order.
 * @param {Layout} layout
 */
export function placesIn({ shape, strides, offset }) {
  const found = new Int32Array(sizeOf(shape));
  let filled = found.length ? 1 : 0;
  if (filled) found[0] = offset;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const block = filled; // what is known of one index along this axis
    for (let index = 1; index < shape[axis]; index++) {
      for (let at = 0; at < block; at++) found[filled++] = found[at] + index * strides[axis];
    }
  }
  return found;
}

/**
 * Return whether the elements fill the memory from its beginning, in row-major order.
 * @param {Layout} layout
 */
export function isWhole({ shape, strides, offset }) {
  const wanted = inOrder(shape);
  return (
    offset === 0 && shape.every((length, axis) => length < 2 || strides[axis] === wanted[axis])
  );
}

/**
 * Return the layout of some axes of an array.
 * @param {Layout} layout
 * @param {number[]} axes
 * @returns {Layout}
 */
function only({ shape, strides, offset }, axes) {
  return { shape: axes.map((a) => shape[a]), strides: axes.map((a) => strides[a]), offset };
}

/**
 * Split a layout into some inner axes and the other ones.
 * @type {(layout: Layout, axes: number[]) => { outer: Layout, inner: Layout }}
 */
export function splitAxes(layout, axes) {
  const rest = [...layout.shape.keys()].filter((axis) => !axes.includes(axis));
  return { outer: only(layout, rest), inner: only(layout, axes) };
}

/**
 * Return the offsets of the elements from the first one.
 * @param {Layout} layout
 */
export function stepsIn(layout) {
  return placesIn({ ...layout, offset: 0 });
}

/**
 * Return the shape that arrays are broadcast to.
 * @param {number[][]} shapes
 */
function commonShape(shapes) {
  const rank = Math.max(...shapes.map((shape) => shape.length));
  return Array.from({ length: rank }, (_, axis) => {
    const lengths = shapes.map((shape) => shape[axis - rank + shape.length] ?? 1);
    return lengths.find((length) => length !== 1) ?? 1;
  });
}

/**
 * Return the layouts by which arrays of indices find elements: the shape of what they find, the
 * layout of the whole axes in it, and for each axis with indices their layout in it.
 * @template {Layout} T
 * @param {Layout} array
 * @param {(T | null)[]} indices  one for each axis; an axis without indices is taken whole
 * @param {number} at  place of the indices among the whole axes
 */
export function layoutsByIndex(array, indices, at) {
  const rest = [...indices.keys()].filter((axis) => indices[axis] === null);
  const block = commonShape(indices.flatMap((index) => (index ? [index.shape] : [])));
  const [head, tail] = [only(array, rest.slice(0, at)), only(array, rest.slice(at))];
  const shape = [...head.shape, ...block, ...tail.shape];
  /** @type {(outer: number[], inner: number[], offset: number) => Layout} */
  const layoutOf = (outer, inner, offset) => {
    return { shape, strides: outer.toSpliced(at, 0, ...inner), offset };
  };
  const none = rest.map(() => 0);
  return {
    shape,
    whole: layoutOf(
      [...head.strides, ...tail.strides],
      block.map(() => 0),
      array.offset,
    ),
    lists: indices.flatMap((index, axis) => {
      if (!index) return [];
      const layout = layoutOf(none, broadcast(index, block).strides, index.offset);
      return [{ index, axis, layout, length: array.shape[axis], stride: array.strides[axis] }];
    }),
  };
}

/**
 * Return the layouts of the arrays of a contraction: along the labels that are left, and along
 * those that are summed.
 * @type {(arrays: Layout[], axes: number[][], left: number[]) => { outer: Layout, inner: Layout }[]}
 */
export function layoutsOfContraction(arrays, axes, left) {
  /** @type {Map<number, number>} */
  const lengths = new Map();
  arrays.forEach(({ shape }, which) => {
    axes[which].forEach((label, axis) => {
      if (lengths.get(label) === undefined || shape[axis] !== 1) lengths.set(label, shape[axis]);
    });
  });
  const summed = [...lengths.keys()].filter((label) => !left.includes(label));
  return arrays.map(({ shape, strides }, which) => {
    const strideOf = (/** @type {number} */ label) =>
      strides
        .filter((_, axis) => axes[which][axis] === label && shape[axis] !== 1)
        .reduce((total, each) => total + each, 0);
    /** @type {(labels: number[]) => Layout} */
    const layoutOf = (labels) => {
      const sizes = labels.map((label) => lengths.get(label) ?? 1);
      return { shape: sizes, strides: labels.map(strideOf), offset: 0 };
    };
    return { outer: layoutOf(left), inner: layoutOf(summed) };
  });
}
