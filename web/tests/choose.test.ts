import { describe, expect, it } from "vitest";
import { choices, meanings, targets } from "../src/game/choose";

const texts = (actions: { text: string }[] | undefined) => actions?.map((action) => action.text);

describe("what can be chosen", () => {
  const found = choices([
    "e4-f5",
    "e4xe6",
    "d3-d4",
    "r@a1",
    "out@b2",
    "corner@a11",
    "e5=x",
    "e5=d",
    "end",
    "pass",
  ]);

  it("is sorted by what is tapped first", () => {
    expect([...found.by].map(([from, actions]) => [from, texts(actions)])).toEqual([
      ["e4", ["e4-f5", "e4xe6"]],
      ["d3", ["d3-d4"]],
      ["@r", ["r@a1"]],
      ["@d", ["out@b2"]],
    ]);
  });

  it("is a square alone, another piece, or the end of a turn", () => {
    expect([...found.squares].map(([at, actions]) => [at, texts(actions)])).toEqual([
      ["a11", ["corner@a11"]],
    ]);
    expect(texts(found.promotions)).toEqual(["e5=x", "e5=d"]);
    expect([found.end?.text, found.pass?.text]).toEqual(["end", "pass"]);
  });

  it("is nothing when nothing is legal", () => {
    expect(choices([])).toEqual({
      by: new Map(),
      squares: new Map(),
      promotions: [],
      end: null,
      pass: null,
    });
  });
});

describe("what a selected piece can act on", () => {
  const marked = (...legal: string[]) =>
    Object.fromEntries(targets([...choices(legal).by.values()].flat()));

  it("is marked by what would happen there", () => {
    expect(marked("e4-f5", "e4~d4", "e4^a1", "e4xe6", "e4*e8", "e4-f6*g7", "r@c1")).toEqual({
      f5: "move",
      d4: "move",
      a1: "move",
      e6: "take",
      e8: "shot",
      g7: "shot",
      c1: "move",
    });
  });

  it("is marked once where several actions mean the same, and as both where they differ", () => {
    expect(marked("e4xe6-e7", "e4xe6-f7")).toEqual({ e6: "take" });
    expect(marked("e4xe6", "e4*e6")).toEqual({ e6: "both" });
  });
});

describe("what a tap means", () => {
  const of = (square: string, ...legal: string[]) =>
    texts(meanings([...choices(legal).by.values()].flat(), square));

  it("is the one action that is tapped there", () => {
    expect(of("f5", "e4-f5", "e4-g6")).toEqual(["e4-f5"]);
    expect(of("a1", "e4-f5")).toEqual([]);
  });

  it("is asked where there are several", () => {
    expect(of("e6", "e4xe6-e7", "e4xe6-f7", "e4-f5")).toEqual(["e4xe6-e7", "e4xe6-f7"]);
    expect(of("e6", "e4xe6", "e4*e6")).toEqual(["e4xe6", "e4*e6"]);
  });

  it("can be the square on which a capture ends, if nothing else is meant there", () => {
    expect(of("e7", "e4xe6-e7", "e4xe6-f7")).toEqual(["e4xe6-e7"]);
    expect(of("e7", "e4xe6-e7", "e4-e7")).toEqual(["e4-e7"]);
  });
});
