// What web/compose.js makes of the graph of a payload.

import type { Badge, Said } from "./payload.d.ts";

/** What a box or a frame says of itself, wherever it stands. */
export interface Face {
  id: string;
  kind: string;
  lane: string;
  label: Said;
  badges: Badge[];
  title: Said;
  /** The name by which it opens, if it does. */
  toggles: string | null;
  detail?: string;
  shape?: string;
  /** The box that this one repeats elsewhere in the picture. */
  tag_of?: string | null;
}

/** What web/compose.js makes of a graph. */
export interface Scene {
  width: number;
  height: number;
  boxes: Box[];
  wires: Wire[];
  frames: Frame[];
  lanes: Lane[];
  /** Which visible id stands for an id. */
  resolve: (id: string) => string | undefined;
}

export interface Box extends Face {
  x: number;
  y: number;
  w: number;
  h: number;
  detail: string;
  shape: string;
  tag_of: string | null;
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

export interface Frame extends Face {
  x: number;
  y: number;
  w: number;
  h: number;
  toggles: string;
}

export interface Lane {
  name: string;
  column: number;
  x: number;
  w: number;
}
