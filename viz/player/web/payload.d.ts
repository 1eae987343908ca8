// The JSON that viz/player/payload.py makes. The language server and `tsc` read this file, no page
// holds it; tests/viz/test_payload_types.py holds real payloads against it.

/** A number; JSON has none for these three. */
export type Num = number | "nan" | "inf" | "-inf";

/** A sentence in each language that the player speaks. */
export type Lang = "en" | "zh";
export type Text = Partial<Record<Lang, string>>;

export type Scalar = Num | boolean;
export type Data = Scalar | Data[];

export interface Payload {
  format: string;
  version: number;
  title: string;
  /** By the names of the open boxes, joined by `+`. */
  scenes: Record<string, Scene>;
  /** From a thing that may be hidden to the one around it. */
  up: Record<string, string>;
  /** Source, target and kind of wires that may be merged with others. */
  ends: Record<string, [string, string, string]>;
  /** The scene to start with. */
  open: string;
  steps: Step[];
  values: Value[];
  sources: Source[];
  memory: Memory;
  magnitudes: Record<string, Magnitude>;
  statistics: Track[];
  /** The steps that end a backward pass. */
  passes: number[];
  /** Why the trace ends early, if it does. */
  note: string;
  /** The first step with a NaN, with an infinity. */
  odd: Record<string, number>;
  /** By the box of a leaf: why it has no gradient. */
  missing: Record<string, Missing>;
}

export interface Scene {
  width: number;
  height: number;
  boxes: Box[];
  wires: Wire[];
  frames: Frame[];
  lanes: Lane[];
}

/** A badge and the width of its text. */
export type Badge = [string, number];

export interface Box {
  id: string;
  kind: string;
  lane: string;
  x: number;
  y: number;
  w: number;
  h: number;
  label: string;
  detail: string;
  badges: Badge[];
  shape: string;
  /** The box that this one repeats elsewhere in the picture. */
  tag_of: string | null;
  title: string;
  /** The name by which it opens, if it does. */
  toggles: string | null;
  /** In the comparison of two traces. */
  mark?: string | null;
}

export interface Wire {
  id: string;
  kind: string;
  source: string;
  target: string;
  path: string;
  label: string;
  label_at: [number, number];
  colour: string;
  title: string;
}

export interface Frame {
  id: string;
  kind: string;
  lane: string;
  x: number;
  y: number;
  w: number;
  h: number;
  label: string;
  badges: Badge[];
  toggles: string;
  title: string;
}

export interface Lane {
  name: string;
  column: number;
  x: number;
  w: number;
}

/** A source and a line of it. */
export type Place = [number, number];

export interface Step {
  phase: string;
  lane: string;
  kind: string;
  nodes: string[];
  edges: string[];
  text: Text;
  line: Place | null;
  forward_line: Place | null;
  formula: string;
  /** Values, by place, that the formula names and nobody shows. */
  terms: [string, number][];
  shown: Shown[];
}

export interface Shown {
  name: string;
  role: string;
  node: string | null;
  /** Its place among the values; null where there is none. */
  value: number | null;
  check?: Check;
}

/** What finite differences say of a gradient. */
export interface Check {
  value: number | null;
  agrees: boolean | null;
  text: Text;
}

export interface Value {
  shape: number[];
  dtype: string;
  /** Null where there are too many. */
  data: Data | null;
  stats: Stats;
}

export interface Stats {
  min?: Scalar | null;
  max?: Scalar | null;
  mean?: Num | null;
  std?: Num | null;
  nan?: number;
  inf?: number;
  zeros?: number;
  size?: number;
  bins?: number[];
}

export interface Source {
  name: string;
  first: number;
  lines: string[];
}

export interface Memory {
  rows: Row[];
  /** At each step: the bytes that come and go, and those that are there anyway. */
  live: [number, number][];
  /** How many rows were left out. */
  more: number;
}

/** A piece of memory. */
export interface Row {
  label: string;
  kind: string;
  bytes: number;
  stays: Stay[];
}

/** Name, bytes, first step, last step, box. */
export type Stay = [string, number, number, number, string | null];

/** Steps, boxes and their sizes from there on; the scale has both ends and what lies between. */
export interface Magnitude {
  scale: number[];
  below: boolean;
  changes: [number, string, Num][];
}

/** A row of the table of statistics: from which step on which value holds. */
export interface Track {
  kind: string;
  name: string;
  node: string;
  values: [number, number][];
  grads: [number, Num | null][];
  updates: [number, Num | null][];
}

export interface Missing {
  text: Text;
  edges: string[];
}

/** Of the page with two graphs (viz/views/twin.py). */
export interface TwinPayload {
  title: string;
  left: Payload;
  right: Payload;
  /** The steps of both that go together; null while the other one waits. */
  steps: [number | null, number | null][];
  /** Boxes of the left and of the right that belong together. */
  matches: [string, string][];
  summary: Text;
}
