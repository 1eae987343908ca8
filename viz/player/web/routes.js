// The routes of wires (viz/layout/route.py): down a lane through the gaps between rows, or between
// lanes along corridors. Gap k is above row k, corridor k to the left of lane k.

import { corneredPath, flowingPath, tidy } from "./curves.js";
import { appendTo } from "./numbers.js";

/** @import { Container, Item } from "./blueprint.js" */
/** @import { Part, Seen, Thread } from "./parts.js" */
/** @import { Point } from "./curves.js" */

/** @typedef {{ gap: number, place: number }} Run  level piece in a gap */

/**
 * Route of a wire that does not flow down its lane, before y coordinates are known. `side` is the
 * side at which it leaves its box: -1 left, 1 right, 0 bottom or top.
 * @typedef {object} Plan
 * @property {Thread} thread
 * @property {number} corridor
 * @property {number} side
 * @property {Run | null} leave
 * @property {Run | null} enter
 * @property {boolean} direct
 * @property {number} track
 */

/**
 * Places of rows, gaps and corridors; the parts have their x.
 * @typedef {object} Stage
 * @property {Map<Item, Part>} parts
 * @property {number[]} rowTop
 * @property {number[]} rowBottom
 * @property {number[]} runsAt
 * @property {number[]} corridors
 */

export const TRACK = 9; // distance between neighbouring tracks of a corridor or a gap
const TRACKS = 40; // maximum number of tracks in a corridor; more wires share them
const RUNS = 8; // maximum number of runs in a gap; more wires share them
const STUB = 9;
const INTO_CORRIDOR = 14; // distance from the border of a corridor to its first track

// ----- plans -----

/** @type {Omit<Plan, "thread">} */
const NO_PLAN = { corridor: 0, side: 0, leave: null, enter: null, direct: false, track: 0 };

/** @param {number} gap */
const newRun = (gap) => ({ gap, place: 0 });

/** @type {(lane: Container, row: number) => string} */
const spotKey = (lane, row) => `${lane.number} ${row}`;

/**
 * Return plans, with corridors and gaps, for the wires that do not flow down their lane.
 * @param {Seen} seen
 * @param {Thread[]} threads
 */
export function planWires(seen, threads) {
  /** @type {Map<string, [Part, Part]>} */
  const ends = new Map();
  for (const box of seen.boxes) {
    const key = spotKey(box.lane, box.top);
    const [left, right] = ends.get(key) ?? [box, box];
    ends.set(key, [box.x < left.x ? box : left, box.x > right.x ? box : right]);
  }
  const lanes = seen.containers.filter(({ around }) => !around);
  /** @type {Plan[][]} */
  const [across, far, beside] = [[], [], []];
  for (const thread of threads) {
    const { way } = thread.own.look;
    const besides = way === "beside" && thread.source.top === thread.target.top;
    const run = newRun(thread.source.top + 1);
    if (way === "cross") across.push(planBetweenLanes(thread, ends, lanes));
    else if (besides) beside.push({ ...NO_PLAN, thread, leave: run, enter: run, direct: true });
    else if (way !== "flow") far.push(planAlongMargin(thread));
  }
  const plans = [...across, ...far, ...beside];
  const tracks = assignTracks(plans);
  /** @type {Map<number, number>} */
  const runs = new Map();
  for (const { leave, enter } of plans) {
    for (const run of new Set([leave, enter])) {
      if (!run) continue;
      const count = runs.get(run.gap) ?? 0;
      run.place = count % RUNS;
      runs.set(run.gap, Math.min(count + 1, RUNS));
    }
  }
  return { plans, tracks, runs };
}

/**
 * Return the plan of a wire between lanes, from and to the sides that face each other.
 * @param {Thread} thread
 * @param {Map<string, [Part, Part]>} ends
 * @param {Container[]} lanes
 * @returns {Plan}
 */
function planBetweenLanes(thread, ends, lanes) {
  const { source, target } = thread;
  const [here, there] = [source.lane.number, target.lane.number];
  if (here === there) return planAlongMargin(thread); // a saved wire inside one lane
  const rightwards = here < there;
  const start = ends.get(spotKey(source.lane, source.top)) ?? [source, source];
  const goal = ends.get(spotKey(target.lane, target.top)) ?? [target, target];
  const leavesFree = start[rightwards ? 1 : 0] === source;
  const entersFree =
    goal[rightwards ? 0 : 1] === target &&
    !lanes
      .slice(Math.min(here, there) + 1, Math.max(here, there))
      .some((lane) => ends.has(spotKey(lane, target.top)));
  const [corridor, side] = rightwards ? [here + 1, 1] : [here, -1];
  const [down, up] = [target.top >= source.top, target.top <= source.top];
  const leave = leavesFree ? null : newRun(down ? source.top + 1 : source.top);
  const enter = entersFree ? null : newRun(up ? target.top + 1 : target.top);
  const plan = { ...NO_PLAN, thread, corridor, side, leave, enter };
  if (leave && enter && leave.gap === enter.gap) return { ...plan, enter: leave, direct: true };
  return { ...plan, direct: !leave && !enter && source.top === target.top };
}

/**
 * Return the plan of a wire along the margin of its lane: left of forward, right of others.
 * @param {Thread} thread
 * @returns {Plan}
 */
function planAlongMargin(thread) {
  const [lane, row, goal] = [thread.source.lane, thread.source.top, thread.target.top];
  const corridor = lane.lane.name === "forward" ? lane.number : lane.number + 1;
  const [leave, enter] = lane.lane.name === "backward" ? [row, goal + 1] : [row + 1, goal];
  return { ...NO_PLAN, thread, corridor, leave: newRun(leave), enter: newRun(enter) };
}

/**
 * Set the tracks of all climbs, so that overlapping ones differ; return the counts by corridor.
 * @param {Plan[]} plans
 */
function assignTracks(plans) {
  /** @type {Map<number, { top: number, bottom: number, order: number, plan: Plan }[]>} */
  const climbs = new Map();
  for (const [order, plan] of plans.entries()) {
    if (plan.direct) continue;
    const start = plan.leave ? plan.leave.gap - 0.5 : plan.thread.source.top;
    const end = plan.enter ? plan.enter.gap - 0.5 : plan.thread.target.top;
    const climb = { top: Math.min(start, end), bottom: Math.max(start, end), order, plan };
    appendTo(climbs, plan.corridor, climb);
  }
  /** @type {Map<number, number>} */
  const tracks = new Map();
  for (const [corridor, some] of climbs) {
    /** @type {number[]} */
    const busy = []; // track -> lowest row that is taken
    const sorted = some.toSorted(
      (a, b) => a.top - b.top || a.bottom - b.bottom || a.order - b.order,
    );
    for (const { top, bottom, order, plan } of sorted) {
      let track = busy.findIndex((end) => end < top);
      if (track < 0) track = busy.length;
      if (track === TRACKS) track = order % TRACKS;
      else if (track === busy.length) busy.push(bottom);
      busy[track] = Math.max(busy[track], bottom);
      plan.track = track;
    }
    // A wire that starts higher climbs further away, so that stairs do not cross.
    for (const { plan } of some) plan.track = busy.length - 1 - plan.track;
    tracks.set(corridor, busy.length);
  }
  return tracks;
}

// ----- places -----

/** @type {(stage: Stage, run: Run) => number} */
const runY = (stage, run) => stage.runsAt[run.gap] + run.place * TRACK;

/** @type {(stage: Stage, box: Part) => number} */
export const middleOf = (stage, box) => (stage.rowTop[box.top] + stage.rowBottom[box.top]) / 2;

/** @type {(box: Part, x: number) => number} */
function halfOf(box, x) {
  const half = (box.item.look?.h ?? 0) / 2;
  if (box.item.look?.shape !== "circle") return half;
  return Math.sqrt(Math.max(half ** 2 - (x - box.x) ** 2, 0));
}

/** @type {(stage: Stage, box: Part, x: number) => number} */
const topY = (stage, box, x) => middleOf(stage, box) - halfOf(box, x);

/** @type {(stage: Stage, box: Part, x: number) => number} */
const bottomY = (stage, box, x) => middleOf(stage, box) + halfOf(box, x);

/**
 * Set the stations and the path of every wire.
 * @param {Thread[]} threads
 * @param {Plan[]} plans
 * @param {Stage} stage
 */
export function routeWires(threads, plans, stage) {
  const flowing = threads.filter((thread) => thread.own.look.way === "flow");
  setPorts(flowing, plans);
  setSlots(plans, stage);
  for (const thread of flowing) {
    thread.stations = tidy(flowingStations(thread, stage));
    thread.path = flowingPath(thread.stations);
  }
  for (const plan of plans) {
    plan.thread.stations = tidy(
      plan.side ? sidewaysStations(plan, stage) : uprightStations(plan, stage),
    );
    plan.thread.path = corneredPath(plan.thread.stations);
  }
}

/** @typedef {{ part: Part, top: number, bottom: number }} Leg */

/**
 * Return the straight pieces of a flowing wire: at its upper end, past rows, and at its lower end.
 * Out of a frame and into it, the wire goes straight to the end of the frame's row.
 * @param {Thread} thread
 * @param {Map<Item, Part>} parts
 * @returns {Leg[]}
 */
export function legsOf(thread, parts) {
  const slims = new Map(thread.slims.map((slim) => [slim.item.container, slim]));
  const [above, below] = thread.ends;
  /** @type {(box: Part, outer: Item, down: boolean) => Leg[]} */
  const legsOut = (box, outer, down) => {
    const way = [{ part: box, top: box.first, bottom: box.last }];
    let at = box.item;
    while (at !== outer) {
      const slim = slims.get(at.container);
      if (slim) way.push({ part: slim, top: slim.top, bottom: slim.bottom });
      const frame = at.container.around;
      if (!frame) break;
      const [last, part] = [way[way.length - 1], parts.get(frame)];
      if (part && down) last.bottom = part.last;
      else if (part) last.top = part.first;
      at = frame;
    }
    return way;
  };
  const slim = slims.get(above.container);
  return [
    ...legsOut(thread.upper, above, true),
    ...(slim ? [{ part: slim, top: slim.top, bottom: slim.bottom }] : []),
    ...legsOut(thread.lower, below, false).toReversed(),
  ];
}

/**
 * Return the stations of a wire that goes down its lane through its slim items.
 * @param {Thread} thread
 * @param {Stage} stage
 */
function flowingStations(thread, stage) {
  const { upper, lower, ports } = thread;
  const [x, end] = [ports.get(upper) ?? 0, ports.get(lower) ?? 0];
  const legs = legsOf(thread, stage.parts);
  const [first, last] = [legs[0], legs[legs.length - 1]];
  /** @type {Point[]} */
  const stations = [
    [x, bottomY(stage, upper, x)],
    [x, stage.rowBottom[first.bottom]],
  ];
  for (const { part, top, bottom } of legs.slice(1, -1)) {
    stations.push([part.x, stage.rowTop[top]], [part.x, stage.rowBottom[bottom]]);
  }
  stations.push([end, stage.rowTop[last.top]], [end, topY(stage, lower, end)]);
  return thread.own.look.up ? stations.toReversed() : stations;
}

/**
 * Set the x at which each wire meets a box from above or below, arrivals side by side.
 * @param {Thread[]} flowing
 * @param {Plan[]} plans
 */
function setPorts(flowing, plans) {
  /** @typedef {{ x: number, number: number, thread: Thread }} Arrival */
  /** @type {Map<Part, [Arrival[], Arrival[]]>} */
  const arriving = new Map(); // box -> arrivals from below and from above
  /** @type {(box: Part, fromAbove: boolean, x: number, thread: Thread) => void} */
  const arrive = (box, fromAbove, x, thread) => {
    const sides = arriving.get(box) ?? [[], []];
    arriving.set(box, sides);
    sides[Number(fromAbove)].push({ x, number: thread.wire.number, thread });
  };
  for (const thread of flowing) {
    const { source, target, slims } = thread;
    const down = !thread.own.look.up;
    let [before, after] = [source.x, target.x];
    if (slims.length) {
      const [first, last] = [slims[0].x, slims[slims.length - 1].x];
      [after, before] = down ? [first, last] : [last, first];
    }
    arrive(target, down, before, thread);
    thread.ports.set(source, source.x);
    if (source.lane.lane.name === "backward") arrive(source, !down, after, thread);
  }
  for (const plan of plans) {
    if (plan.side) continue;
    const { source, target } = plan.thread;
    plan.thread.ports.set(source, source.x);
    const x = plan.corridor === source.lane.number ? -Infinity : Infinity;
    arrive(target, isFromAbove(plan), x, plan.thread);
  }
  for (const [box, sides] of arriving) {
    for (const arrivals of sides) {
      arrivals.sort((a, b) => (a.x === b.x ? a.number - b.number : a.x - b.x));
      const spine = arrivals.findIndex(({ thread }) => thread.own.look.spine);
      const middle = spine < 0 ? (arrivals.length - 1) / 2 : spine;
      const room = box.item.look?.shape === "circle" ? 7 : (box.item.look?.w ?? 0) / 2 - 12;
      const step = Math.min(18, room / Math.max(middle, arrivals.length - 1 - middle, 0.5));
      for (const [k, { thread }] of arrivals.entries()) {
        thread.ports.set(box, box.x + (k - middle) * step);
      }
    }
  }
}

/** @param {Plan} plan */
const isFromAbove = (plan) => plan.enter !== null && plan.enter.gap === plan.thread.target.top;

/** @typedef {{ y: number, stub: number }} Slot */

/** @type {Slot} */
const NO_SLOT = { y: 0, stub: 0 };

/**
 * Set the places where wires between lanes meet the sides of their boxes. Wires between one row and
 * one corridor have different heights, so that none covers another.
 * @param {Plan[]} plans
 * @param {Stage} stage
 */
function setSlots(plans, stage) {
  /** @typedef {{ down: number, box: Part, thread: Thread }} Aim */
  /** @type {Map<string, Aim[]>} */
  const meeting = new Map();
  /** @type {(corridor: number, aim: Aim) => void} */
  const aimAt = (corridor, aim) => appendTo(meeting, `${corridor} ${aim.box.top}`, aim);
  for (const { thread, corridor, side } of plans) {
    if (!side) continue;
    const { source, target } = thread;
    const down = middleOf(stage, target) - middleOf(stage, source);
    aimAt(corridor, { down, box: source, thread });
    aimAt(corridor, { down: down ? -down : 0, box: target, thread });
  }
  for (const aims of meeting.values()) {
    aims.sort((a, b) => a.down - b.down);
    const lines = [...new Set(aims.map(({ thread }) => thread))];
    const lowest = aims.reduce((low, { box }) => Math.min(low, box.item.look?.h ?? 0), Infinity);
    const step = Math.min(11, (lowest - 10) / lines.length);
    for (const { down, box, thread } of aims) {
      const mine = aims.filter((aim) => aim.box === box).map((aim) => aim.thread);
      const at = mine.indexOf(thread);
      const turn = down > 0 ? mine.length - 1 - at : at;
      const y = middleOf(stage, box) + (lines.indexOf(thread) - (lines.length - 1) / 2) * step;
      thread.slots.set(box, { y, stub: STUB + 5 * Math.min(turn, 2) });
    }
  }
}

/**
 * Return the stations of a wire that meets its boxes at their tops or bottoms.
 * @param {Plan} plan
 * @param {Stage} stage
 * @returns {Point[]}
 */
function uprightStations(plan, stage) {
  const { source, target, ports } = plan.thread;
  const [x, end] = [ports.get(source) ?? 0, ports.get(target) ?? 0];
  const down = plan.leave?.gap === source.top + 1;
  const y = down ? bottomY(stage, source, x) : topY(stage, source, x);
  const endY = isFromAbove(plan) ? topY(stage, target, end) : bottomY(stage, target, end);
  return [[x, y], ...cornersBetween(plan, x, y, end, endY, stage), [end, endY]];
}

/**
 * Return the stations of a wire that meets its boxes at the sides that face each other.
 * @param {Plan} plan
 * @param {Stage} stage
 * @returns {Point[]}
 */
function sidewaysStations(plan, stage) {
  const { side, thread } = plan;
  const { source, target, slots } = thread;
  const from = slots.get(source) ?? NO_SLOT;
  const to = slots.get(target) ?? NO_SLOT;
  const start = source.x + (side * (source.item.look?.w ?? 0)) / 2;
  const end = target.x - (side * (target.item.look?.w ?? 0)) / 2;
  const [turn, lastTurn] = [start + side * from.stub, end - side * (to.stub + 4)];
  return [
    [start, from.y],
    ...(plan.leave ? [/** @type {Point} */ ([turn, from.y])] : []),
    ...cornersBetween(plan, turn, from.y, lastTurn, to.y, stage),
    ...(plan.enter ? [/** @type {Point} */ ([lastTurn, to.y])] : []),
    [end, to.y],
  ];
}

/**
 * Return the corners between the first and the last turn.
 * @type {(plan: Plan, x: number, y: number, endX: number, endY: number, stage: Stage) => Point[]}
 */
function cornersBetween({ leave, enter, direct, corridor, track }, x, y, endX, endY, stage) {
  /** @type {Point[]} */
  const stations = [];
  const height = leave ? runY(stage, leave) : y;
  if (leave) stations.push([x, height]);
  if (!direct) {
    const climb = stage.corridors[corridor] + INTO_CORRIDOR + track * TRACK;
    stations.push([climb, height], [climb, enter ? runY(stage, enter) : endY]);
  }
  if (enter) stations.push([endX, runY(stage, enter)]);
  return stations;
}
