// Who is who from one board to the next.
import { describe, expect, it } from "vitest";
import { arrive, follow } from "../src/board/follow";
import type { PieceAt, Seat } from "../src/lib/types";

const piece = (color: Seat, type: string, at: string): PieceAt => ({ color, type, at });
const KING = piece("white", "king", "a1");
const RABBLE = piece("white", "rabble", "b2");
const TWIN = piece("white", "rabble", "c2");
const ENEMY = piece("black", "spears", "b3");

function turn(pieces: PieceAt[], next: PieceAt[], last?: { from: string; to: string }) {
  const before = arrive(pieces);
  const change = follow(before, next, last);
  const idOf = (at: string) => before.find((each) => each.piece.at === at)?.id;
  return { before, change, idOf };
}

describe("follow", () => {
  it("keeps everybody where nothing has changed", () => {
    const { before, change } = turn([KING, RABBLE], [{ ...RABBLE }, { ...KING }]);
    expect(change.moved).toEqual([]);
    expect(change.gone).toEqual([]);
    expect(change.standing.map(({ id }) => id).toSorted()).toEqual(before.map(({ id }) => id));
  });

  it("sees a move", () => {
    const { change, idOf } = turn([KING, RABBLE], [KING, { ...RABBLE, at: "b3" }]);
    expect(change.moved).toEqual([{ id: idOf("b2"), from: "b2", to: "b3" }]);
  });

  it("sees a capture: one moves, the other is gone", () => {
    const { change, idOf } = turn([KING, RABBLE, ENEMY], [KING, { ...RABBLE, at: "b3" }]);
    expect(change.moved).toEqual([{ id: idOf("b2"), from: "b2", to: "b3" }]);
    expect(change.gone.map(({ id }) => id)).toEqual([idOf("b3")]);
  });

  it("lets the last action tell twins apart", () => {
    const next = [RABBLE, { ...TWIN, at: "d3" }];
    const moved = [RABBLE, TWIN].map(({ at }) =>
      turn([RABBLE, TWIN], [RABBLE, TWIN].filter((p) => p.at !== at).concat(next[1]!), {
        from: at,
        to: "d3",
      }),
    );
    expect(moved.map(({ change }) => change.moved[0]?.from)).toEqual(["b2", "c2"]);
  });

  it("leaves alone those that stand where they stood", () => {
    const { change } = turn([RABBLE, TWIN], [TWIN, { ...RABBLE, at: "d3" }]);
    expect(change.moved.map(({ from, to }) => [from, to])).toEqual([["b2", "d3"]]);
  });

  it("sees two that change places", () => {
    const { change } = turn(
      [KING, RABBLE],
      [
        { ...KING, at: "b2" },
        { ...RABBLE, at: "a1" },
      ],
    );
    expect(change.moved.map(({ from, to }) => [from, to]).toSorted()).toEqual([
      ["a1", "b2"],
      ["b2", "a1"],
    ]);
    expect(change.gone).toEqual([]);
  });

  it("sees a piece become another, where it stands or where it goes", () => {
    const still = turn([KING, RABBLE], [KING, { ...RABBLE, type: "elephant" }]);
    expect(still.change.gone).toEqual([]);
    const going = turn([KING, RABBLE], [KING, piece("white", "elephant", "b3")], {
      from: "b2",
      to: "b3",
    });
    expect(going.change.moved).toEqual([{ id: going.idOf("b2"), from: "b2", to: "b3" }]);
  });

  it("does not mistake one colour for the other", () => {
    const { change } = turn([RABBLE], [piece("black", "rabble", "b2")]);
    expect(change.gone.map((each) => each.piece)).toEqual([RABBLE]);
    expect(change.moved).toEqual([]);
  });
});
