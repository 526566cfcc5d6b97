// What the board shows beyond pieces and grounds.

export type TargetKind = "move" | "take" | "shot" | "both";

export interface Marks {
  selected: string | null;
  targets: ReadonlyMap<string, TargetKind>;
  /** Pieces that may act in a turn that goes on. */
  able: ReadonlySet<string>;
  last: { from: string | null; to: string | null; struck: string[] } | null;
  danger: string | null;
  refused: string | null;
  badges: ReadonlyMap<string, string>;
  problems: ReadonlyMap<string, number>;
}

export const NO_MARKS: Marks = {
  selected: null,
  targets: new Map(),
  able: new Set(),
  last: null,
  danger: null,
  refused: null,
  badges: new Map(),
  problems: new Map(),
};
