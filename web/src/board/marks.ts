// What the board shows beyond pieces and grounds.

/** `own`: an own piece would be struck. */
export type TargetKind = "move" | "take" | "shot" | "both" | "own";

/** Where an action was seen: from where to where, and what it struck elsewhere. */
export interface Trace {
  from: string | null;
  to: string | null;
  struck: string[];
}

/** A line between two pieces, as the one that is looked at sees it. */
interface Line {
  from: string;
  to: string;
  way: "in" | "out";
}

export interface Marks {
  selected: string | null;
  targets: ReadonlyMap<string, TargetKind>;
  /** Where the acting piece would end, if that is not where it acts. */
  landings: readonly string[];
  /** Pieces that may act in a turn that goes on. */
  able: ReadonlySet<string>;
  /** What was done in the last turn, in order. */
  last: readonly Trace[];
  /** Squares whose pieces can be taken next, or that are about to fall. */
  danger: readonly string[];
  /** The pieces that threaten them, and those that can save what is lost otherwise. */
  threats: readonly string[];
  saviours: readonly string[];
  /** Where the game was decided. */
  decided: readonly string[];
  refused: string | null;
  badges: ReadonlyMap<string, string>;
  lines: readonly Line[];
  problems: ReadonlyMap<string, number>;
  /** What a hint is about. */
  hinted: readonly string[];
}

export const NO_MARKS: Marks = {
  selected: null,
  targets: new Map(),
  landings: [],
  able: new Set(),
  last: [],
  danger: [],
  threats: [],
  saviours: [],
  decided: [],
  refused: null,
  badges: new Map(),
  lines: [],
  problems: new Map(),
  hinted: [],
};
