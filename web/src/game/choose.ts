// What a tap means: from the legal actions alone, without any rules.

import type { TargetKind } from "../board/marks";
import { type Action, isShot, parseAction, source, tapped } from "../lib/actions";

export interface Choices {
  /** Actions by what is tapped first: a square, or a piece beside the board as `@d`. */
  by: Map<string, Action[]>;
  /** Squares that are chosen without a piece: a corner. */
  squares: Map<string, Action[]>;
  /** What a piece becomes, where that must be chosen. */
  promotions: Action[];
  end: Action | null;
  pass: Action | null;
}

export function choices(legal: string[]): Choices {
  const found: Choices = {
    by: new Map(),
    squares: new Map(),
    promotions: [],
    end: null,
    pass: null,
  };
  for (const action of legal.map(parseAction)) {
    const from = source(action);
    if (action.kind === "end") found.end = action;
    else if (action.kind === "pass") found.pass = action;
    else if (action.kind === "promote") found.promotions.push(action);
    else if (from !== null) push(found.by, from, action);
    else if (action.target !== null) push(found.squares, action.target, action);
  }
  return found;
}

function push(map: Map<string, Action[]>, key: string, action: Action): void {
  const list = map.get(key);
  if (list) list.push(action);
  else map.set(key, [action]);
}

/** The squares that a selected piece can act on, and how each is marked; `own` says whose piece is struck. */
export function targets(
  actions: Action[],
  own: (square: string) => boolean = () => false,
): Map<string, TargetKind> {
  const marked = new Map<string, TargetKind>();
  for (const action of actions) {
    const square = tapped(action);
    if (square === null) continue;
    const kind = kindOf(action, own);
    const before = marked.get(square);
    if (!before || kind === "own") marked.set(square, kind);
    else if (before !== kind && before !== "own") marked.set(square, "both");
  }
  return marked;
}

function kindOf(action: Action, own: (square: string) => boolean): TargetKind {
  if (action.victims.some(own)) return "own";
  return isShot(action) ? "shot" : action.victims.length ? "take" : "move";
}

/** The actions that tapping a square can mean, the plain meaning first. */
export function meanings(actions: Action[], square: string): Action[] {
  const plain = actions.filter((action) => tapped(action) === square);
  return plain.length ? plain : actions.filter((action) => action.target === square);
}
