// Who is who from one board to the next, so that pieces can be seen moving.  No rules: a piece that
// stands where it stood is the same; one that is gone from here and has appeared there has moved.
import type { PieceAt } from "../lib/types";

export interface Standing {
  id: number;
  piece: PieceAt;
}

export interface Change {
  standing: Standing[];
  moved: { id: number; from: string; to: string }[];
  gone: Standing[];
}

let ids = 0;

/** The pieces of a board that nobody has seen before. */
export function arrive(pieces: PieceAt[]): Standing[] {
  return pieces.map((piece) => ({ id: ++ids, piece }));
}

/** The pieces of the next board, and what has become of those before; `last` helps with twins. */
export function follow(
  before: Standing[],
  pieces: PieceAt[],
  last: { from: string | null; to: string | null } | undefined = undefined,
): Change {
  const left = new Map(before.map((each) => [each.piece.at, each]));
  const found = new Map<PieceAt, Standing>();
  const take = (piece: PieceAt, old: Standing): void => {
    found.set(piece, { id: old.id, piece });
    left.delete(old.piece.at);
  };
  for (const piece of pieces) {
    const old = left.get(piece.at);
    if (old && alike(old.piece, piece)) take(piece, old);
  }
  const fresh = pieces.filter((piece) => !found.has(piece));
  for (const piece of fresh) {
    const old = piece.at === last?.to && last.from ? left.get(last.from) : undefined;
    // What has moved may have become something else on the way.
    if (old?.piece.color === piece.color) take(piece, old);
  }
  for (const piece of fresh) {
    if (found.has(piece)) continue;
    const old = [...left.values()].find((each) => alike(each.piece, piece));
    const here = left.get(piece.at);
    if (old) take(piece, old);
    else if (here?.piece.color === piece.color) take(piece, here);
  }
  const standing = pieces.map((piece) => found.get(piece) ?? { id: ++ids, piece });
  const was = new Map(before.map(({ id, piece }) => [id, piece.at]));
  return {
    standing,
    moved: standing.flatMap(({ id, piece }) => {
      const from = was.get(id);
      return from !== undefined && from !== piece.at ? [{ id, from, to: piece.at }] : [];
    }),
    gone: [...left.values()],
  };
}

function alike(one: PieceAt, other: PieceAt): boolean {
  return one.color === other.color && one.type === other.type;
}
