// What an action's text tells of the board after it.
import { describe, expect, it } from "vitest";
import { foresee } from "../src/game/foresee";
import { parseAction } from "../src/lib/actions";
import type { BoardView, PieceAt } from "../src/lib/types";
import { NOWHERE } from "./setup-fixture";

const kinds = [
  { name: "rabble", title: "Rabble", letter: "R", count: 2, about: "", facts: [] },
  { name: "dragon", title: "Dragon", letter: "D", count: 1, about: "", facts: [] },
];
const board: BoardView = {
  position: {
    ...NOWHERE,
    pieces: [
      { type: "rabble", color: "white", at: "a2", waiting: true },
      { type: "king", color: "white", at: "a1" },
      { type: "rabble", color: "black", at: "b3" },
      { type: "king", color: "black", at: "b4" },
    ],
    terrain: { c1: "water" },
  },
  scenery: { features: [], stores: [] },
  in_turn: true,
  ply: 4,
  legal_actions: ["a2-a3"],
  told: [],
  dangers: [],
};

function after(text: string): string[] {
  const short = ({ color, type, at }: PieceAt): string => `${color[0]}${type[0]}${at}`;
  return foresee(board, parseAction(text), kinds).position.pieces.map(short);
}

describe("foresee", () => {
  it.each([
    ["a2-a3", ["wra3", "wka1", "brb3", "bkb4"]],
    ["a2^c4", ["wrc4", "wka1", "brb3", "bkb4"]],
    ["a2xb3", ["wrb3", "wka1", "bkb4"]],
    ["a2xb3-c3", ["wrc3", "wka1", "bkb4"]],
    ["a2xb3xb4", ["wrb4", "wka1"]],
    ["a2*b3", ["wra2", "wka1", "bkb4"]],
    ["a2-a3*b3", ["wra3", "wka1", "bkb4"]],
    ["a2~a1", ["wra1", "wka2", "brb3", "bkb4"]],
    ["a2xa1", ["wra1", "brb3", "bkb4"]],
    ["r@c1", ["wra2", "wka1", "brb3", "bkb4", "wrc1"]],
    ["out@c1", ["wra2", "wka1", "brb3", "bkb4", "wdc1"]],
    ["a2=d", ["wda2", "wka1", "brb3", "bkb4"]],
    ["corner@c1", ["wra2", "wka1", "brb3", "bkb4"]],
    ["end", ["wra2", "wka1", "brb3", "bkb4"]],
    ["pass", ["wra2", "wka1", "brb3", "bkb4"]],
  ])("%s", (text, pieces) => expect(after(text)).toEqual(pieces));

  it("keeps what is said of a piece, changes nothing of the board before, and lets nothing be done", () => {
    const before = structuredClone(board);
    const next = foresee(board, parseAction("a2-a3"), kinds);
    expect(next.position.pieces[0]).toEqual({
      type: "rabble",
      color: "white",
      at: "a3",
      waiting: true,
    });
    expect([next.legal_actions, next.told, next.dangers]).toEqual([[], [], []]);
    expect([next.position.to_move, next.ply, next.position.terrain]).toEqual([
      "white",
      4,
      { c1: "water" },
    ]);
    expect(board).toEqual(before);
  });
});
