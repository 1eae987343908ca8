// The JSON that Python makes for pages (viz/player/payload.py). The language server and `tsc` read
// this file, no page holds it; tests/javascript/test_payload_types.py has `tsc` hold real payloads
// against it.

/** A number; JSON has none for these three. */
export type Num = number | "nan" | "inf" | "-inf";
export type Scalar = Num | boolean;
export type Data = Scalar | Data[];

export type Lang = string;
/** A sentence in each language that the player speaks. */
export type Text = Partial<Record<Lang, string>>;
/** A name, or a message. */
export type Said = string | Told;
/** A template in each language, and what is in its slots: of none that has no slots. */
export type Told = { en?: string; zh?: string; slots?: Record<string, Slot> };
/** A name or a number, as recorded, or what a player computes again after an edit. */
export type Slot = string | number | Figure | Constant | Equals | Counted | Odd | Told;
/** The place of a value whose number is told; with `coded` it is a number of the code. */
export type Figure = { value: number; coded?: boolean };
/** The sign before the result of a calculation, of two operands and the result. */
export type Equals = { equals: string; slots: Record<string, Slot> };
/** A number of the code, as it was recorded; with `less` it is an exponent, smaller by this. */
export type Constant = { constant: string; less?: number };
/** The words for elements of a value that are not finite, and their count in the recording. */
export type Odd = { row: string; count: number; of: number; odd: "nan" | "inf" };
/** Several things, and how many: the template may choose its words by that. */
export type Counted = { count: number; row: Slot };

/** One chapter, as the parts of a page read it (web/unpack.js). */
export type Payload = {
  graph: Graph;
  steps: Step[];
  values: Value[];
  memory: Memory;
  magnitudes: Record<string, Magnitude>;
  /** By quantity: boxes, what they cost, and the box whose cost has it in it, if there is one. */
  costs: Record<string, [string, number, string | null][]>;
  statistics: Track[];
  /** The steps that end a backward pass. */
  passes: number[];
  /** Boxes and badges that they have in this chapter alone: the drawing has no room for them. */
  alarms: [string, Badge[]][];
  /**
   * Step, box, and what it shows from then on: places among the step's values, or a box whose
   * values it repeats.
   */
  boxes: [number, string, ...(number | string)[]][];
  /** Step, wire, and the place of the value that moves along it. */
  flows: [number, string, number][];
  /** By step: what there is to see of an error. */
  faults: Record<string, Fault>;
  /** By the box of a leaf: why it has no gradient. */
  missing: Record<string, { text: Text; edges: string[] }>;
  /** Values with a view of their own. */
  views: Views;
};

/** A step, and a place among its values. */
export type Located = [number, number];
/** Maps of tokens: scores, weights and gradients of an attention, and the numbers of its tokens. */
export type AttentionView = { maps: Located[]; queries: Located | null; keys: Located | null };
/** Scores of classes, the right classes, of which `ignored` is none, and an image for each row. */
export type ClassesView = {
  scores: Located;
  labels: Located | null;
  images: Located | null;
  ignored: number | null;
};
export type Views = { attention?: AttentionView[]; classes?: ClassesView[] };

/** Told by kind: expected, received, todo, tried. */
export type Fault = { rows: ShapeRow[]; told: [string, Text][] };
/** A shape under others; `clash` are the columns whose sizes do not fit, `odd` marks the note. */
export type ShapeRow = { name: string; sizes: string[]; clash: number[]; note: Text; odd: boolean };

/** The blueprint of all scenes (viz/player/graph.py); things are named by their numbers. */
export type Graph = {
  lanes: [string, number][];
  /** By the number of a box; the tall parts of wires have the numbers after them. */
  ids: string[];
  look: number[];
  looks: BoxLook[];
  /** For each box "1" if it stands at the lower end beside an open group. */
  low: string;
  /** Tags: the box, the tensor that it repeats, the box that it stands beside. */
  tags: [number, number, number][];
  /** Boxes that repeat a tensor in another group. */
  repeats: [number, string][];
  groups: GroupLook[];
  /** The lanes, then the insides of groups. */
  containers: ContainerRow[];
  wire_ids: string[];
  /** Source, target, look, label, tall parts. */
  wires: number[][];
  /** What takes the place of a wire at a tag: wire, tensor, user, and then as in a wire. */
  tagged: number[][];
  wire_looks: WireLook[];
  labels: LabelRow[];
  /** In the comparison of two traces: what differs. */
  marked?: string[];
};

/** The kind of a badge, which decides its look, its text and its width. */
export type Badge = [string, Said, number];
/** `title`: all of the text, where it is more than what is shown; `room`: size with values. */
export type BoxLook = {
  kind: string;
  lane: string;
  shape: string;
  w: number;
  h: number;
  label: Said;
  detail: string;
  badges: Badge[];
  title?: Said;
  name?: string;
  room?: [number, number];
};
/** `item`: its number among the boxes. */
export type GroupLook = {
  item: number;
  id: string;
  kind: string;
  label: Said;
  badges: Badge[];
  toggles: string;
  title: Said;
};
export type ContainerRow = {
  /** The group that this is the inside of, if it is no lane. */
  group: number | null;
  /** Containers of one space share their rows. */
  space: number;
  /** From left to right; a single item stands for itself. */
  rows: (number | number[])[];
  /** Of the four packings; null: as in the first. */
  blocks: (number[] | null)[];
  anchors: number[];
  head: [number, number];
};
/** `way`: flow, far, beside or cross; none where a tag always takes its place. */
export type WireLook = { kind: string; colour: string; way: string; up: boolean; spine: boolean };
/** All of a label, that without what no page shows, what a wire says of it, with the widths. */
export type LabelRow = [string, string | null, [string, number][]];

/** A source and a line of it. */
export type Place = [number, number];
export type Source = { name: string; first: number; lines: string[] };

/** Texts, with names and numbers at the odd places. */
export type Pieces = string[];
/** The clauses of a formula: `dx = dz`, `dy = dz`. */
export type Formula = Pieces[];
/**
 * `phase` is forward, backward, optimize, build or run; `terms` are values, by place, that the
 * formula names and nobody shows.
 */
export type Step = {
  phase: string;
  kind: string;
  nodes: string[];
  edges: string[];
  text: Told;
  line: Place | null;
  forward_line: Place | null;
  formula: Formula;
  terms: [string, number][];
  shown: Shown[];
};
export type Shown = {
  name: string;
  role: string;
  node: string | null;
  /** Its place among the values; null where there is none. */
  value: number | null;
  /** What stands before it in a sum or product; of a factor as pieces, too. */
  sign?: string;
  pieces?: Pieces;
  /** What finite differences say of a gradient. */
  check?: { value: number | null; agrees: boolean | null; text: Told };
};

/** `data` is null where there are too many elements. */
export type Value = { shape: number[]; dtype: string; data: Data | null; stats: Stats };
export type Stats = {
  min?: Scalar | null;
  max?: Scalar | null;
  mean?: Num | null;
  std?: Num | null;
  nan?: number;
  inf?: number;
  zeros?: number;
  size?: number;
  bins?: number[];
};

export type Memory = {
  rows: Row[];
  /** At each step: the bytes that come and go, and those that are there anyway. */
  live: [number, number][];
  /** How many rows were left out. */
  more: number;
  /** The steps that tell of memory alone. */
  steps: number[];
};
/** A piece of memory. */
export type Row = { label: string; kind: string; bytes: number; stays: Stay[] };
/** Name, bytes, first step, last step, box. */
export type Stay = [string, number, number, number, string | null];

/** Both ends, and what lies between; whether there are sizes beyond. */
export type Scale = { scale: number[]; below: boolean; above: boolean };
/** Steps, boxes and their sizes from there on. */
export type Magnitude = Scale & { changes: [number, string, Num][] };
/** A row of the table of statistics: from which step on which value holds. */
export type Track = {
  kind: string;
  name: string;
  node: string;
  values: [number, number][];
  grads: [number, Num | null][];
  updates: [number, Num | null][];
};

/** All chapters as they travel: rows instead of objects, numbers instead of names (pack.py). */
export type Packed = {
  format: string;
  version: number;
  title: string;
  /** Why the recording ends early, if it does. */
  note: Text | null;
  /** How many values have no elements, because the page would be too large. */
  left_out: number;
  /** Which gradients finite differences have not measured, and why. */
  unmeasured: Text | null;
  /** The two rounds that alone have all elements, if they do not fit for all rounds. */
  whole: [number, number] | null;
  rounds: Round[];
  /** The name of the rounds' losses, if all have one that is not `loss`. */
  loss?: Said;
  /** The names of the parameters whose sizes the rounds know. */
  parameters: string[];
  ask?: Ask;
  problems: Problem[];
  /** With the names of the groups that are open at first. */
  graphs: { graph: Graph; open: string[] }[];
  /** A round, or what ran before, between and after rounds. */
  chapters: PackedChapter[];
  scales: Record<string, Scale>;
  sources: Source[];
  values: PackedValue[];
  /** Of objects in rows: their names. */
  keys: string[][];
  /**
   * Every subtree once: a text, the number of an object's keys (-1 for an array) and cells, or all of
   * a tree.
   */
  rows: (string | PackedCell[] | { is: unknown })[];
  /** What its numbers are computed from, and how. */
  what_if: Programs | null;
};

/** Parts stand in the rows; what each of them is says Payload, of which `texts` are of the steps. */
export type PackedChapter = {
  graph: number;
  /** The number of its first step among those of all chapters, and how many it has. */
  first: number;
  count: number;
  round: number | null;
} & Record<PartName, PackedPart>;
/** `lines` and `phases`: all that its steps have. */
export type PartName =
  | Exclude<keyof Payload, "graph" | "values">
  | "texts"
  | "checks"
  | "lines"
  | "phases";
/**
 * A truth, a number as a text, the place of a row, or a row itself; 0 is a hole, -1 a box and -2 a
 * wire of the chapter's graph.
 */
export type PackedCell = number | boolean | string | null | PackedCell[];
/**
 * A tree, what fills its holes, the row of the numbers in its texts, and the row of its boxes and
 * wires: each number is the distance from the last one of its kind.
 */
export type PackedPart = [PackedCell, (Data | null)[]?, number?, number?];
/** Its elements, and the rest of it as a part. */
export type PackedValue = [Data | null, ...PackedPart];

/** The instructions of all chapters (viz/whatif/program.py). */
export type Programs = {
  /** Chapters of one structure share them; packed, with distances in place of numbers. */
  codes: Code[];
  chapters: ChapterProgram[];
  /** By reason: why a number is not what it should be, or cannot be changed. */
  why: Record<string, Text>;
  /** Why there is nothing of all this, if so. */
  left_out: Text | null;
};
/** Arrays, and rows of web/instructions.js. */
export type Code = {
  arrays: [string, number[]][];
  code: Instructed[][];
  /** The names of an instruction's parts, by kind. */
  fields: Record<string, string[]>;
};
export type Instructed = string | number | null | Instructed[];
export type ChapterProgram = {
  code: number;
  /** Arrays, and what they hold. */
  leaves: [number, LeafSource][];
  /** Page values and the arrays that they are. */
  values: [number, number][];
  /** Page values that can be changed: where, as a chapter and an array of it. */
  inputs: [number, number, number][];
  /** Page values that nothing changes. */
  fixed: number[];
  /** Page values that are in no step: names, and the steps that compute with them; [] is updates. */
  names: [string, number, number[]][];
  /** Page values and those that are their gradients. */
  grads: [number, number][];
  /** The page value from which backward begins. */
  loss: number | null;
};
/** The number of a page value, its bytes in base64, or what another chapter left in an array. */
export type LeafSource = { value?: number; whole?: string; of?: [number, number] };

/** What the page asks (viz/teach/asked.py): a quiz or a hunt. */
export type Ask = {
  kind: string;
  /** Of these questions and no others. */
  key: string;
  /** The numbers of the steps that ask, what they ask, and the seed of all choices. */
  steps?: number[];
  asks?: ("value" | "sign" | "shape" | "next")[];
  seed?: number;
  /** Of a hunt: a Hunt, as base64 of JSON. */
  sealed?: string;
};
/** Where the mistake is; `boxes` could be wrong in the steps in which they work. */
export type Hunt = { boxes: [string, number][]; answer: string; what: Text; hints: Hint[] };
/** The boxes that are left; rows of place, number, and what it should be. */
export type Hint = { text: Text; boxes: string[]; rows?: [string, string, string][] };

/** Something wrong: what, at which of all steps and at which of its boxes, why, and what to do. */
export type Problem = {
  kind: string;
  step: number;
  node: string | null;
  text: Text;
  /** Advice; none for a difference of two runs. */
  todo: Text | null;
};

/** What is known of a round, also where its steps were not kept. */
export type Round = {
  /** training, evaluation, run or marked. */
  kind: string;
  /** Loop variables and their values. */
  names: [string, number][];
  loss: Num | null;
  /** The name of its loss, if that is not the name in all rounds. */
  of?: Said;
  /** How many labels of its batch have the largest score, of how many. */
  accuracy: [number, number] | null;
  /** What sets it apart from most rounds. */
  differs: Text | null;
  chapter: number | null;
  /** Parameter, root mean square of its new value, and of its gradient. */
  sizes: [number, Num, Num][];
};

/** Of the page with two graphs (viz/compare/twin.py). */
export type TwinPayload = {
  title: string;
  left: Packed;
  right: Packed;
  /** The steps of both that go together; null while the other one waits. */
  steps: [number | null, number | null][];
  /** Boxes of the left and of the right that belong together. */
  matches: [string, string][];
  summary: Text;
};

/** An SVG element: tag, attributes, text. */
export type Mark = [
  "rect" | "path" | "polygon" | "text",
  Record<string, string | number | null>,
  string,
];
export type PaintedPart = {
  role: string;
  id: string;
  title: string;
  /** Of what belongs to a row of the score, or to several: the first and the last. */
  since: number | null;
  row: number | null;
  marks: Mark[];
};
export type Painted = { left: number; width: number; height: number; parts: PaintedPart[] };

/** Of the page with many ranks (viz/many_ranks/page.py). */
export type RanksPayload = {
  title: Text;
  /** Ranks that do the same in one column, where there are such, and each in its own. */
  pictures: Record<Lang, Painted>[];
  rows: RanksRow[];
  /** The row at which it opens. */
  opens: number;
  values: Value[];
  /** kind: wrong, or told. */
  notes: { kind: string; text: Text }[];
};
/** What happens in a row: sentences, lines of code and values, each with its ranks. */
export type RanksRow = {
  phase: string;
  told: { who: Text; text: Text }[];
  lines: { who: Text; place: string; code: string }[];
  shown: RanksValue[];
};
/** A value of several ranks; equal ones are in one set. */
export type RanksValue = { name: string; role: string; sets: RanksSet[] };
export type RanksSet = { who: Text; ranks: number[]; value: number };
