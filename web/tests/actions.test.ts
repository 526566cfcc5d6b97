import { describe, expect, it } from "vitest";
import { type Action, parseAction, said, source, tapped } from "../src/lib/actions";
import { ACTIONS } from "../src/wire/tables";
import corpus from "./wire/actions.json";

/** One of each kind, as docs/formats.md lists them: what is read, what is tapped first and second. */
const KINDS: [string, Omit<Action, "text">, string | null, string | null][] = [
  ["e4-f5", { kind: "move", origin: "e4", target: "f5", victims: [], letter: null }, "e4", "f5"],
  [
    "e4xf6",
    { kind: "capture", origin: "e4", target: "f6", victims: ["f6"], letter: null },
    "e4",
    "f6",
  ],
  [
    "e4xf6-g7",
    { kind: "capture_landing", origin: "e4", target: "g7", victims: ["f6"], letter: null },
    "e4",
    "f6",
  ],
  [
    "e4xf5xh7",
    { kind: "capture_two", origin: "e4", target: "h7", victims: ["f5", "h7"], letter: null },
    "e4",
    "h7",
  ],
  [
    "e4*f6",
    { kind: "shoot", origin: "e4", target: "e4", victims: ["f6"], letter: null },
    "e4",
    "f6",
  ],
  [
    "e4-f5*g6",
    { kind: "siege", origin: "e4", target: "f5", victims: ["g6"], letter: null },
    "e4",
    "g6",
  ],
  [
    "e4-e4*g6",
    { kind: "siege", origin: "e4", target: "e4", victims: ["g6"], letter: null },
    "e4",
    "g6",
  ],
  ["e4~f5", { kind: "swap", origin: "e4", target: "f5", victims: [], letter: null }, "e4", "f5"],
  ["e4^f6", { kind: "jump", origin: "e4", target: "f6", victims: [], letter: null }, "e4", "f6"],
  ["r@e4", { kind: "drop", origin: null, target: "e4", victims: [], letter: "r" }, "@r", "e4"],
  [
    "out@e4",
    { kind: "bring_out", origin: null, target: "e4", victims: [], letter: "d" },
    "@d",
    "e4",
  ],
  ["e5=x", { kind: "promote", origin: "e5", target: "e5", victims: [], letter: "x" }, "e5", "e5"],
  [
    "corner@a11",
    { kind: "corner", origin: null, target: "a11", victims: [], letter: null },
    null,
    "a11",
  ],
  ["end", { kind: "end", origin: null, target: null, victims: [], letter: null }, null, null],
  ["pass", { kind: "pass", origin: null, target: null, victims: [], letter: null }, null, null],
];

describe("the text of an action", () => {
  const standing = ACTIONS.flatMap((each): string[] => ("stands" in each ? [each.kind] : []));

  it.each(corpus.actions)("$text is read as Python reads it", (python) => {
    const { kind, origin, target, victims, letter } = parseAction(python.text);
    expect([kind, victims]).toEqual([python.kind, python.struck]);
    if (python.piece) expect(letter).toBe(python.piece.toLowerCase());
    // Where a piece stands that does not move is no part of the text.
    if (!standing.includes(kind)) expect([origin, target]).toEqual([python.origin, python.target]);
  });

  it("knows every kind", () => {
    expect(new Set(corpus.actions.map(({ kind }) => kind))).toEqual(
      new Set(ACTIONS.map(({ kind }) => kind)),
    );
  });

  it("is no other than Python reads", () => {
    expect(corpus.nonsense.length).toBeGreaterThan(100);
    for (const text of corpus.nonsense)
      expect(() => parseAction(text), text).toThrow("unknown action");
  });

  it.each([
    ["e4xf6-g7", "take on f6, end on g7"],
    ["e4xf5xh7", "take on f5 and h7"],
    ["e4*f6", "shoot at f6"],
    ["e4-f5*g6", "attack g6, end on f5"],
    ["e4-e4*g6", "attack g6 and stay"],
    ["r@e4", "bring Rabble to e4"],
    ["end", "end the turn"],
  ])("%s is said as: %s", (text, words) => {
    expect(said(parseAction(text), "Rabble")).toBe(words);
  });

  it.each(KINDS)("%s is read", (text, parts, first, second) => {
    const action = parseAction(text);
    expect(action).toEqual({ text, ...parts });
    expect(source(action)).toBe(first);
    expect(tapped(action)).toBe(second);
  });

  it("is read with squares of two figures", () => {
    expect(parseAction("a10xj10-b9")).toMatchObject({
      origin: "a10",
      victims: ["j10"],
      target: "b9",
    });
  });

  it.each(["", "e4", "e4-", "E4-f5", "e4-f5 ", "e4-f5-g6", "e4@f5"])("%j is refused", (text) => {
    expect(() => parseAction(text)).toThrow("unknown action");
  });
});
