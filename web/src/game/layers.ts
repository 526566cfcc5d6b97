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
