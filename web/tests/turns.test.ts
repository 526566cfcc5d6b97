import { describe, expect, it } from "vitest";
import { rowBeside, rowNumber, rowsOf, tracesOf, turnBefore } from "../src/game/turns";
import type { TurnDocument } from "../src/lib/types";

const w = (...actions: string[]): TurnDocument => ({ color: "white", actions });
const b = (...actions: string[]): TurnDocument => ({ color: "black", actions });

/** The rows as they are read. */
const read = (...turns: TurnDocument[]) =>
  rowsOf(turns).map(({ white, black }) =>
    [white, black].map((cell) => cell?.actions.join(" ") ?? "").join(" | "),
  );

describe("rows of turns", () => {
  it("have White's turn beside Black's, several actions together", () => {
    expect(read(w("a"), b("b", "c"), w("d"))).toEqual(["a | b c", "d | "]);
  });

  it("leave a place free for White where Black begins", () => {
    expect(read(b("a"), w("b"), b("c"))).toEqual([" | a", "b | c"]);
  });

  it("know which turn of the game each is, and what was played before and after it", () => {
    const [, second] = rowsOf([w("a", "b"), b("c"), w("d")]);
    expect(second!.white).toEqual({ index: 2, color: "white", actions: ["d"], from: 3, to: 4 });
  });

  it("lead to the same side's turn above and below", () => {
    const turns = [w("a", "b"), b("c"), w("d"), b("e")];
    expect([rowBeside(turns, 2, 1), rowBeside(turns, 5, -1), rowBeside(turns, 3, 1)]).toEqual([
      4, 3, 5,
    ]);
    expect([rowBeside(turns, 1, -1), rowBeside(turns, 4, 1)]).toEqual([1, 4]);
    expect(rowBeside([w("a"), b("b"), w("c")], 2, 1)).toBe(3); // Black has not answered yet
  });

  it("are counted as they are listed", () => {
    expect(rowNumber([], "black", false)).toBe(1);
    expect(rowNumber([w("a")], "black", false)).toBe(1);
    expect(rowNumber([w("a"), b("b")], "white", false)).toBe(2);
    expect(rowNumber([w("a"), b("b")], "black", true)).toBe(1);
  });
});

describe("the turn before a position", () => {
  it("is what was done in it so far", () => {
    const turns = [w("a", "b"), b("c")];
    expect([0, 1, 2, 3].map((ply) => turnBefore(turns, ply))).toEqual([
      [],
      ["a"],
      ["a", "b"],
      ["c"],
    ]);
  });

  it("leaves traces where it was seen", () => {
    expect(tracesOf(["a2-a3*b4", "a2xb3", "end"])).toEqual([
      { from: "a2", to: "a3", struck: ["b4"] },
      { from: "a2", to: "b3", struck: [] },
    ]);
  });
});
