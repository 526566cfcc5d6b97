import { describe, expect, it } from "vitest";
import type { Slots } from "../src/lib/types";
import * as arrange from "../src/setup/arrange";
import { kitOf } from "../src/setup/tools";
import { BRUSHES, MARKS, rulesWith, setup, TILES } from "./setup-fixture";

const at = (doc: { pieces: { type: string; at: string }[] }) =>
  Object.fromEntries(doc.pieces.map((piece) => [piece.at, piece.type]));

describe("pieces and marks", () => {
  const rules = rulesWith(MARKS);
  const kit = kitOf(rules, "white");
  const doc = setup({ mountains: ["b1"], keep: "c1", dragon_waits: true });

  it("exchanges what stands on two squares, whatever it is", () => {
    const next = arrange.moved(kit, doc, "a1", "b1");
    expect(at(next)).toEqual({ a2: "rabble", b1: "king" });
    expect(next.mountains).toEqual(["a1"]);
    expect(at(arrange.moved(kit, doc, "a1", "d2"))).toEqual({ a2: "rabble", d2: "king" });
    expect(arrange.moved(kit, doc, "c1", "d1").keep).toBe("d1");
  });

  it("never has two things on one square", () => {
    const next = arrange.placed(kit, doc, { kind: "mark", field: "keep" }, "a1");
    expect(at(next)).toEqual({ a2: "rabble" });
    expect(next.keep).toBe("a1");
    expect(arrange.placed(kit, doc, { kind: "piece", name: "rabble" }, "b1").mountains).toEqual([]);
  });

  it("counts what is left", () => {
    const left = arrange.left(rules.pieces, kit, doc);
    expect([...left]).toEqual([
      ["king", 0],
      ["rabble", 1],
      ["dragon", 1],
      [":mountains", 1],
      [":keep", 0],
    ]);
  });

  it("lets a piece wait exactly while it is not on the board", () => {
    const out = arrange.placed(kit, doc, { kind: "piece", name: "dragon" }, "d1");
    expect(out.dragon_waits).toBe(false);
    expect(arrange.takenOff(kit, out, "d1").dragon_waits).toBe(true);
    const bare = arrange.cleared(kit, out);
    expect([bare.pieces, bare.mountains, bare.keep, bare.dragon_waits]).toEqual([
      [],
      [],
      null,
      true,
    ]);
  });

  it("mirrors left and right", () => {
    const mirror = arrange.mirrorOf(rules.styles[0]!, "white")!;
    const next = arrange.mirrored(kit, doc, mirror);
    expect(at(next)).toEqual({ d1: "king", d2: "rabble" });
    expect([next.mountains, next.keep]).toEqual([["c1"], "b1"]);
    expect(arrange.mirrored(kit, next, mirror)).toEqual(doc);
  });

  it("has no mirror where a square has no other side", () => {
    const [style] = rules.styles;
    const bitten = { ...style!, squares: style!.squares.filter((square) => square.name !== "a1") };
    expect(arrange.mirrorOf(bitten, "white")).toBeNull();
  });
});

describe("grounds", () => {
  const rules = rulesWith(BRUSHES);
  const kit = kitOf(rules, "white");
  const style = rules.styles[0]!;

  it("lays them, counts them and exchanges them", () => {
    const wet = arrange.painted(style, setup(), "water", "b2");
    expect(wet.terrain).toEqual({ b2: "water" });
    expect([...arrange.brushesLeft(kit, style, wet, "white")]).toEqual([
      ["grass", 0],
      ["water", 0],
    ]);
    expect(arrange.groundsExchanged(style, wet, "b2", "c1").terrain).toEqual({ c1: "water" });
    expect(arrange.painted(style, wet, "grass", "b2").terrain).toEqual({});
    expect(arrange.painted(style, wet, "water", "b2")).toBe(wet); // nothing to undo
  });
});

describe("tiles", () => {
  const rules = rulesWith([TILES]);
  const kit = kitOf(rules, "white");
  const tool = TILES as Slots;
  const doc = setup({ gate: "left", tiles: { R: "1", S: "2t", P: null, Q: null } });

  it("turns, exchanges and takes them off", () => {
    expect(arrange.tileTurned(tool, doc, "R").tiles).toMatchObject({ R: "1t" });
    expect(arrange.tileTurned(tool, doc, "S").tiles).toMatchObject({ S: "2" });
    expect(arrange.tilesExchanged(tool, doc, "R", "S").tiles).toMatchObject({ R: "2t", S: "1" });
    expect(arrange.tilesLeft(tool, arrange.tileLaid(tool, doc, "R", null))).toEqual(["1"]);
    expect(arrange.slotAt(tool, doc, "c2")).toBe("S");
    expect(arrange.slotAt(tool, doc, "a1")).toBeNull();
  });

  it("keeps the tiles and the piece on the circle in another layout", () => {
    const next = arrange.layoutChosen(kit, tool, doc, "right");
    expect(next.gate).toBe("right");
    expect(next.tiles).toEqual({ P: "1", Q: "2t" });
    expect(at(next)).toEqual({ a2: "rabble", d1: "king" });
  });

  it("mirrors them into the slots of the other side", () => {
    const next = arrange.mirrored(kit, doc, arrange.mirrorOf(rules.styles[0]!, "white")!);
    expect([next.gate, next.tiles]).toEqual(["right", { P: "1", Q: "2t" }]);
  });
});
