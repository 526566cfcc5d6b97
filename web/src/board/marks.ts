// What the board shows beyond pieces and grounds.

export type TargetKind = "move" | "take" | "shot" | "both";

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
  last: { from: string | null; to: string | null; struck: string[] } | null;
  danger: string | null;
  refused: string | null;
  badges: ReadonlyMap<string, string>;
  lines: readonly Line[];
  problems: ReadonlyMap<string, number>;
}

export const NO_MARKS: Marks = {
  selected: null,
  targets: new Map(),
  landings: [],
  able: new Set(),
  last: null,
  danger: null,
  refused: null,
  badges: new Map(),
  lines: [],
  problems: new Map(),
};
