// A square in words, for those who hear the board.
import type { FeatureDocument, PieceAt, PieceKind } from "../lib/types";
import { words } from "../lib/words";
import type { Marks } from "./marks";

interface Seen {
  piece: PieceAt | undefined;
  kinds: PieceKind[];
  features: FeatureDocument[];
  ground: string;
  marks: Marks;
  /** What else is to be said. */
  more: string;
}

export function spoken(
  name: string,
  { piece, kinds, features, ground, marks, more }: Seen,
): string {
  const parts = [name];
  if (piece) {
    const title = kinds.find((kind) => kind.name === piece.type)?.title ?? piece.type;
    parts.push(words.piece(piece.color, title));
  }
  const here = features.filter((feature) => feature.squares.includes(name));
  parts.push(...here.map((feature) => words.feature(feature)));
  const walled =
    ground === "fortress" && here.some(({ kind }) => kind === "fortress" || kind === "ruin");
  if (ground !== "open" && ground !== "plain" && !walled) parts.push(words.ground(ground));
  const target = marks.targets.get(name);
  if (target) parts.push(words.target(target));
  if (marks.selected === name) parts.push(words.selected);
  if (marks.danger.includes(name)) parts.push(words.inDanger);
  if (marks.threats.includes(name)) parts.push(words.threatens);
  if (marks.saviours.includes(name)) parts.push(words.canSave);
  if (marks.decided.includes(name)) parts.push(words.decided);
  const problem = marks.problems.get(name);
  if (problem !== undefined) parts.push(words.problemNumber(problem));
  parts.push(more);
  return parts.filter(Boolean).join(", ");
}
