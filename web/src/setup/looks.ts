// How things of a setup look before the server has answered, and the outlines of tiles.
import { motifOf } from "../board/drawings";
import type { Layout } from "../board/geometry";
import type { BoardStyle, FeatureDocument, Seat, SetupDocument, SetupScenery } from "../lib/types";
import { squaresOf } from "./arrange";
import type { Kit } from "./tools";

/** The symbol of a mark: rock is a ground, buildings are drawn like pieces. */
export const markDrawing = (drawing: string): string => motifOf(drawing) ?? `piece-${drawing}`;

export interface Looks {
  grounds: Record<string, string>;
  features: FeatureDocument[];
}

/** What the server said last, with what was laid or moved by hand since. */
export function looksOf(
  kit: Kit,
  style: BoardStyle,
  doc: SetupDocument,
  seat: Seat,
  scenery: SetupScenery | null,
): Looks {
  const grounds: Record<string, string> = {};
  for (const square of style.squares) {
    const told = scenery?.grounds[square.name] ?? square.ground;
    grounds[square.name] = kit.brushes.length ? (doc.terrain[square.name] ?? square.ground) : told;
  }
  let features = scenery?.features ?? [];
  for (const tool of kit.marks) {
    for (const square of style.squares) {
      if (grounds[square.name] === tool.drawing) grounds[square.name] = square.ground;
    }
    const squares = squaresOf(doc, tool);
    features = features.filter((feature) => feature.kind !== tool.drawing);
    if (motifOf(tool.drawing)) for (const square of squares) grounds[square] = tool.drawing;
    else {
      features = [
        ...features,
        ...squares.map((at) => ({
          kind: tool.drawing,
          squares: [at],
          color: seat,
          direction: null,
        })),
      ];
    }
  }
  return { grounds, features };
}

type Point = [number, number];

/** The outline around several squares: all edges that only one of them has. */
export function outlineOf(plan: Layout, outline: [number, number][], squares: string[]): string {
  const corners = squares.flatMap((name) => {
    const at = plan.by.get(name);
    return at ? [outline.map(([x, y]): Point => [at.x + x * 64, at.y - y * 64])] : [];
  });
  const points = corners.flat();
  const seen = new Map<string, { from: Point; to: Point; times: number }>();
  for (const polygon of corners) {
    polygon.forEach((start, i) => {
      const end = polygon[(i + 1) % polygon.length]!;
      // Bricks meet in the middle of an edge: cut it wherever another corner lies on it.
      const cuts = points
        .map((point) => share(start, end, point))
        .filter((part): part is number => part !== null);
      const stops = [...new Set([0, ...cuts, 1].map((part) => Math.round(part * 1e4)))].sort(
        (a, b) => a - b,
      );
      for (let k = 0; k + 1 < stops.length; k++) {
        const from = along(start, end, stops[k]! / 1e4);
        const to = along(start, end, stops[k + 1]! / 1e4);
        const key = [from, to]
          .map(([x, y]) => `${Math.round(x)},${Math.round(y)}`)
          .sort()
          .join(" ");
        const known = seen.get(key);
        if (known) known.times++;
        else seen.set(key, { from, to, times: 1 });
      }
    });
  }
  return [...seen.values()]
    .filter((edge) => edge.times === 1)
    .map(
      ({ from, to }) =>
        `M${from[0].toFixed(1)} ${from[1].toFixed(1)}L${to[0].toFixed(1)} ${to[1].toFixed(1)}`,
    )
    .join("");
}

const along = (a: Point, b: Point, part: number): Point => [
  a[0] + (b[0] - a[0]) * part,
  a[1] + (b[1] - a[1]) * part,
];

/** How far along an edge a point lies; null if it does not lie inside it. */
function share(a: Point, b: Point, p: Point): number | null {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const length = dx * dx + dy * dy;
  const part = ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / length;
  const aside = Math.abs((p[0] - a[0]) * dy - (p[1] - a[1]) * dx) / Math.sqrt(length);
  return aside < 1 && part > 0.02 && part < 0.98 ? part : null;
}
