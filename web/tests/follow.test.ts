import { describe, expect, it } from "vitest";
import { arrive, follow } from "../src/board/follow";
import type { PieceAt } from "../src/lib/types";

/** Pieces as "Rabble on a1": `wR a1`. */
const pieces = (...texts: string[]): PieceAt[] =>
  texts.map((text) => ({
    color: text[0] === "w" ? "white" : "black",
    type: text[1]!,
    at: text.split(" ")[1]!,
  }));
const change = (before: string[], after: string[], last: { from: string; to: string } | null = null) => {
  const standing = arrive(pieces(...before));
  const next = follow(standing, pieces(...after), last);
  const was = new Map(standing.map(({ id, piece }) => [id, piece.at]));
  return {
    from: Object.fromEntries(next.standing.map(({ id, piece }) => [piece.at, was.get(id)])),
    moved: next.moved.map(({ from, to }) => `${from}-${to}`),
    gone: next.gone.map(({ piece }) => piece.at),
  };
};

describe("which piece is which", () => {
  it("knows what stays, what moves and what is gone", () => {
    expect(change(["wR a1", "wK b1", "bR c3"], ["wR c3", "wK b1"])).toEqual({
      from: { c3: "a1", b1: "b1" },
      moved: ["a1-c3"],
      gone: ["c3"],
    });
  });

  it("tells twins apart by the last action", () => {
    const twins = change(["wR a1", "wR b1"], ["wR a1", "wR c2"], { from: "b1", to: "c2" });
    expect(twins.moved).toEqual(["b1-c2"]);
    const swapped = change(["wR a1", "wS b1"], ["wS a1", "wR b1"], { from: "a1", to: "b1" });
    expect(swapped.moved.sort()).toEqual(["a1-b1", "b1-a1"]);
  });

  it("follows what becomes another piece, on its square or on the way", () => {
    expect(change(["wR a1"], ["wD a1"])).toMatchObject({ from: { a1: "a1" }, gone: [] });
    expect(change(["wR a1"], ["wD a2"], { from: "a1", to: "a2" }).moved).toEqual(["a1-a2"]);
  });

  it("takes nothing for a piece of the other side, and what comes for new", () => {
    expect(change(["wR a1"], ["bR a1"])).toEqual({ from: { a1: undefined }, moved: [], gone: ["a1"] });
    expect(change([], ["wR a1"])).toEqual({ from: { a1: undefined }, moved: [], gone: [] });
  });
});
