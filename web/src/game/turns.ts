// The turns of a game as they are listed: White's and Black's side by side.
import type { Trace } from "../board/marks";
import { type Action, parseAction } from "../lib/actions";
import { other, type Seat, type TurnDocument } from "../lib/types";

export interface Cell {
  /** Which turn of the game it is, from 0. */
  index: number;
  color: Seat;
  actions: string[];
  /** How many actions were played before it, and after it. */
  from: number;
  to: number;
}

type Row = Partial<Record<Seat, Cell>>;

/** A row is White's turn and Black's answer; whoever comes out of order begins another. */
export function rowsOf(turns: TurnDocument[]): Row[] {
  const rows: Row[] = [];
  let played = 0;
  turns.forEach(({ color, actions }, index) => {
    const from = played;
    played += actions.length;
    const row = rows.at(-1);
    const cell = { index, color, actions, from, to: played };
    if (!row || color === "white" || row.black) rows.push({ [color]: cell });
    else row[color] = cell;
  });
  return rows;
}

/** The number of the row in which somebody acts now. */
export function rowNumber(turns: TurnDocument[], acting: Seat, open: boolean): number {
  return rowsOf(open ? turns : [...turns, { color: acting, actions: [] }]).length;
}

/** The position after the turn that stands a row above or below the one that led to a position. */
export function rowBeside(turns: TurnDocument[], ply: number, way: number): number {
  const rows = rowsOf(turns);
  const at = rows.findIndex((row) => COLORS.some((color) => holds(row[color], ply)));
  const color = COLORS.find((each) => holds(rows[at]?.[each], ply)) ?? "white";
  const row = rows[at + way];
  return row ? (row[color] ?? row[other(color)])!.to : ply;
}

const COLORS = ["white", "black"] as const;
const holds = (cell: Cell | undefined, ply: number): boolean =>
  cell !== undefined && cell.from < ply && ply <= cell.to;

/** What was done in the turn that led to a position, in order. */
export function turnBefore(turns: TurnDocument[], ply: number): string[] {
  let left = ply;
  for (const { actions } of turns) {
    if (left <= actions.length) return actions.slice(0, left);
    left -= actions.length;
  }
  return [];
}

function traceOf(action: Action): Trace {
  const struck = action.victims.filter((victim) => victim !== action.target);
  return { from: action.origin, to: action.target, struck };
}

export const tracesOf = (texts: string[]): Trace[] =>
  texts.map((text) => traceOf(parseAction(text))).filter(({ from, to }) => from ?? to);
