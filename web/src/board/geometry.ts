// Where things are on the screen.  Squares are one unit wide; a drawing unit is 64.
import type { BoardStyle, Seat, SquareShape } from "../lib/types";

export const UNIT = 64;
const MARGIN = 0.62;

export interface Placed {
  name: string;
  x: number;
  y: number;
  square: SquareShape;
}

export interface Layout {
  squares: Placed[];
  by: Map<string, Placed>;
  outline: string;
  frame: string;
  box: { x: number; y: number; width: number; height: number };
  rows: { text: string; x: number; y: number }[];
  columns: { text: string; x: number; y: number }[];
}

/** Lay a board out with one player at the bottom. */
export function layout(style: BoardStyle, bottom: Seat): Layout {
  const turn = bottom === "white" ? 1 : -1;
  const squares = style.squares.map((square) => ({
    name: square.name,
    x: turn * square.x * UNIT,
    y: -turn * square.y * UNIT,
    square,
  }));
  const corners = style.outline.map(([x, y]): [number, number] => [x * UNIT, -y * UNIT]);
  const points = squares.flatMap(({ x, y }) =>
    corners.map(([cx, cy]): [number, number] => [x + cx, y + cy]),
  );
  const slab = hull(points);
  const pad = MARGIN * UNIT;
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  const x = Math.min(...xs) - pad;
  const y = Math.min(...ys) - pad;
  return {
    squares,
    by: new Map(squares.map((placed) => [placed.name, placed])),
    outline: path(corners),
    frame: path(slab),
    box: { x, y, width: Math.max(...xs) + pad - x, height: Math.max(...ys) + pad - y },
    ...labels(squares, style.name === "hexagons" ? 0.8 : 0.78),
  };
}

/** Row numbers at the right end of each row, column letters below the lowest square of each. */
function labels(squares: Placed[], away: number): Pick<Layout, "rows" | "columns"> {
  const ends = new Map<string, Placed>();
  const feet = new Map<string, Placed>();
  for (const placed of squares) {
    const letter = placed.name[0]!;
    const row = placed.name.slice(1);
    const end = ends.get(row);
    if (!end || placed.x > end.x) ends.set(row, placed);
    const foot = feet.get(letter);
    if (!foot || placed.y > foot.y) feet.set(letter, placed);
  }
  const slanted = new Set([...feet.values()].map((foot) => Math.round(foot.y))).size > 1;
  return {
    rows: [...ends].map(([text, { x, y }]) => ({ text, x: x + away * UNIT, y })),
    columns: [...feet].map(([text, { x, y }]) =>
      slanted && y < Math.max(...squares.map((s) => s.y))
        ? { text, x: x - 0.62 * UNIT, y: y + 0.56 * UNIT }
        : { text, x, y: y + 0.8 * UNIT },
    ),
  };
}

function path(points: [number, number][]): string {
  return `M${points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}Z`;
}

/** The convex outline of points, round and round. */
function hull(points: [number, number][]): [number, number][] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (list: [number, number][]): [number, number][] => {
    const kept: [number, number][] = [];
    for (const point of list) {
      while (kept.length >= 2 && cross(kept.at(-2)!, kept.at(-1)!, point) <= 1e-6) kept.pop();
      kept.push(point);
    }
    return kept.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

function cross(a: [number, number], b: [number, number], c: [number, number]): number {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/** Those of some squares that are on the board. */
export function placesOf(layout: Layout, names: Iterable<string | null | undefined>): Placed[] {
  return [...names].flatMap((name) => layout.by.get(name ?? "") ?? []);
}

/** The square nearest to a point, if it is on the board at all. */
export function nearest(layout: Layout, x: number, y: number): Placed | null {
  let best: Placed | null = null;
  let distance = UNIT * UNIT * 0.64;
  for (const placed of layout.squares) {
    const d = (placed.x - x) ** 2 + (placed.y - y) ** 2;
    if (d < distance) {
      best = placed;
      distance = d;
    }
  }
  return best;
}

/**
 * The next square in a direction of the arrow keys; stays where it is at the edge.  Where rows are
 * shifted against one another, up and down go left and right by turns, so that they stay in line.
 */
export function neighbour(layout: Layout, from: string, dx: number, dy: number): string {
  const here = layout.by.get(from);
  if (!here) return layout.squares[0]?.name ?? from;
  const side = Number(from.slice(1)) % 2 ? 1 : -1;
  let best = from;
  let least = Infinity;
  for (const placed of layout.squares) {
    const x = placed.x - here.x;
    const y = placed.y - here.y;
    const along = x * dx + y * dy;
    const aside = Math.abs(x * dy - y * dx);
    if (along < UNIT * 0.3 || aside > along * 1.2) continue;
    const cost = 2 * along + aside + (x * side < -1 ? 1 : 0);
    if (cost < least) {
      best = placed.name;
      least = cost;
    }
  }
  return best;
}

/** A line between two squares that leaves their pieces free, and the point of its arrow. */
export function arrow(
  layout: Layout,
  from: string,
  to: string,
): { d: string; head: string } | null {
  const a = layout.by.get(from);
  const b = layout.by.get(to);
  if (!a || !b) return null;
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const [x, y] = [(b.x - a.x) / length, (b.y - a.y) / length];
  const end = { x: b.x - 20 * x, y: b.y - 20 * y };
  const neck = { x: end.x - 11 * x, y: end.y - 11 * y };
  return {
    d: `M${a.x + 18 * x} ${a.y + 18 * y}L${neck.x} ${neck.y}`,
    head: `M${end.x} ${end.y}L${neck.x - 7 * y} ${neck.y + 7 * x}L${neck.x + 7 * y} ${neck.y - 7 * x}Z`,
  };
}

/** Which of several colours a square has: neighbours differ, lines and diagonals can be followed. */
export function turnOf(name: string): number {
  return name.charCodeAt(0) - Number(name.slice(1));
}
