// A layer as marks on the board: all its numbers, and the lines of the piece that is looked at.
import type { Marks } from "../board/marks";
import type { Sight } from "../lib/types";

export function layerMarks(
  layer: Sight | null,
  looked: string | null,
): Pick<Marks, "badges" | "lines"> {
  return {
    badges: new Map(Object.entries(layer?.values ?? {})),
    lines: (layer?.lines ?? [])
      .filter((line) => looked !== null && line.includes(looked))
      .map(([from, to]) => ({ from, to, way: to === looked ? "in" : "out" })),
  };
}

/** The lines and one more, which may be among them already. */
export function withLine(
  lines: Marks["lines"],
  more: { from: string; to: string } | null,
): Marks["lines"] {
  if (!more) return lines;
  const others = lines.filter(({ from, to }) => from !== more.from || to !== more.to);
  return [...others, { ...more, way: "out" }];
}
