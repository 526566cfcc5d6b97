// The ground of every square, from what lies on it and what stands there.
import type { BoardStyle, BoardView } from "../lib/types";
import { BARING, COVERING } from "../wire/tables";

const covering: readonly string[] = COVERING;
const baring: readonly string[] = BARING;

export function groundsOf(
  style: BoardStyle,
  board: Pick<BoardView, "position" | "scenery">,
): Record<string, string> {
  const grounds: Record<string, string> = {};
  const usual: Record<string, string> = {};
  for (const square of style.squares) {
    usual[square.name] = square.ground;
    grounds[square.name] = board.position.terrain[square.name] ?? square.ground;
  }
  for (const feature of board.scenery.features) {
    for (const name of feature.squares) {
      if (covering.includes(feature.kind)) grounds[name] = feature.kind;
      else if (baring.includes(feature.kind)) grounds[name] = usual[name] ?? "open";
    }
  }
  return grounds;
}
