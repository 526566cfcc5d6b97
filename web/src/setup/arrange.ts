// Changing a setup: every function takes a document and gives a new one.  Which setups are legal only
// the server says; here nothing leaves the own half and nothing is lost or doubled by a drag.
import type { BoardStyle, Marks, PieceKind, Seat, SetupDocument, Slots } from "../lib/types";
import type { Kit } from "./tools";

/** Something that stands on a square: a piece, or a mark that takes a piece's place. */
export type Thing = { kind: "piece"; name: string } | { kind: "mark"; field: string };

export const keyOf = (thing: Thing | null): string =>
  thing === null ? "" : thing.kind === "piece" ? thing.name : `:${thing.field}`;

export function squaresOf(doc: SetupDocument, tool: Marks): string[] {
  const value = doc[tool.field];
  if (tool.single) return typeof value === "string" ? [value] : [];
  return Array.isArray(value) ? (value as string[]) : [];
}

function withSquares(doc: SetupDocument, tool: Marks, squares: string[]): SetupDocument {
  return { ...doc, [tool.field]: tool.single ? (squares.at(-1) ?? null) : [...squares].sort() };
}

/** A setup without anything in it. */
export function cleared(kit: Kit, doc: SetupDocument): SetupDocument {
  const bare: SetupDocument = { ...doc, pieces: [], terrain: {} };
  for (const tool of kit.marks) bare[tool.field] = tool.single ? null : [];
  if (kit.slots) {
    bare[kit.slots.choice] = null;
    bare[kit.slots.field] = {};
  }
  return settled(kit, bare);
}

/** Pieces that may wait beside the board do so as long as they are not on it. */
function settled(kit: Kit, doc: SetupDocument): SetupDocument {
  const next = { ...doc };
  for (const tool of kit.reserves) {
    next[tool.field] = !doc.pieces.some((piece) => piece.type === tool.piece);
  }
  return next;
}

export function thingAt(kit: Kit, doc: SetupDocument, square: string): Thing | null {
  const piece = doc.pieces.find((each) => each.at === square);
  if (piece) return { kind: "piece", name: piece.type };
  const mark = kit.marks.find((tool) => squaresOf(doc, tool).includes(square));
  return mark ? { kind: "mark", field: mark.field } : null;
}

export function takenOff(kit: Kit, doc: SetupDocument, square: string): SetupDocument {
  let next: SetupDocument = { ...doc, pieces: doc.pieces.filter((each) => each.at !== square) };
  for (const tool of kit.marks) {
    const squares = squaresOf(next, tool);
    if (squares.includes(square)) {
      next = withSquares(
        next,
        tool,
        squares.filter((at) => at !== square),
      );
    }
  }
  return settled(kit, next);
}

/** Put a thing from the tray on a square; what stood there goes back to the tray. */
export function placed(kit: Kit, doc: SetupDocument, thing: Thing, square: string): SetupDocument {
  const next = takenOff(kit, doc, square);
  if (thing.kind === "piece") {
    const pieces = [...next.pieces, { type: thing.name, at: square }];
    return settled(kit, { ...next, pieces: pieces.sort((a, b) => (a.at < b.at ? -1 : 1)) });
  }
  const tool = kit.marks.find((each) => each.field === thing.field);
  return tool ? withSquares(next, tool, [...squaresOf(next, tool), square]) : next;
}

/** Move a thing to another square; what stands there takes its place. */
export function moved(kit: Kit, doc: SetupDocument, from: string, to: string): SetupDocument {
  const thing = thingAt(kit, doc, from);
  const other = thingAt(kit, doc, to);
  if (!thing || from === to) return doc;
  let next = takenOff(kit, takenOff(kit, doc, from), to);
  next = placed(kit, next, thing, to);
  return other ? placed(kit, next, other, from) : next;
}

/** How many of each thing are not on the board. */
export function left(kinds: PieceKind[], kit: Kit, doc: SetupDocument): Map<string, number> {
  const counts = new Map<string, number>();
  for (const kind of kinds) {
    const on = doc.pieces.filter((piece) => piece.type === kind.name).length;
    counts.set(keyOf({ kind: "piece", name: kind.name }), kind.count - on);
  }
  for (const tool of kit.marks) {
    counts.set(
      keyOf({ kind: "mark", field: tool.field }),
      tool.count - squaresOf(doc, tool).length,
    );
  }
  return counts;
}

// --- grounds that are laid by hand ---------------------------------------------------------------

export function groundAt(style: BoardStyle, doc: SetupDocument, square: string): string {
  return doc.terrain[square] ?? style.squares.find((each) => each.name === square)?.ground ?? "";
}

export function painted(
  style: BoardStyle,
  doc: SetupDocument,
  ground: string,
  square: string,
): SetupDocument {
  if (groundAt(style, doc, square) === ground) return doc;
  const terrain = { ...doc.terrain };
  delete terrain[square];
  if (groundAt(style, { ...doc, terrain }, square) !== ground) terrain[square] = ground;
  return { ...doc, terrain };
}

export function groundsExchanged(
  style: BoardStyle,
  doc: SetupDocument,
  one: string,
  other: string,
): SetupDocument {
  const [first, second] = [groundAt(style, doc, one), groundAt(style, doc, other)];
  return painted(style, painted(style, doc, second, one), first, other);
}

export function brushesLeft(
  kit: Kit,
  style: BoardStyle,
  doc: SetupDocument,
  seat: Seat,
): Map<string, number> {
  const counts = new Map(kit.brushes.map((brush) => [brush.ground, brush.count]));
  for (const { name, home } of style.squares) {
    const ground = groundAt(style, doc, name);
    if (home === seat) counts.set(ground, (counts.get(ground) ?? 0) - 1);
  }
  return counts;
}

// --- tiles in slots ------------------------------------------------------------------------------

type Laid = Record<string, string | null>;
const laidIn = (tool: Slots, doc: SetupDocument): Laid => (doc[tool.field] ?? {}) as Laid;

export const layoutOf = (tool: Slots, doc: SetupDocument) =>
  tool.layouts[String(doc[tool.choice])] ?? null;

export function slotAt(tool: Slots, doc: SetupDocument, square: string): string | null {
  const slots = Object.entries(layoutOf(tool, doc)?.slots ?? {});
  return slots.find(([, slot]) => slot.squares.includes(square))?.[0] ?? null;
}

const tileIn = (tool: Slots, doc: SetupDocument, slot: string): string | null =>
  laidIn(tool, doc)[slot] ?? null;

/** The name of a tile without the mark that it is turned. */
const tileName = (tool: Slots, tile: string): string =>
  tile.endsWith(tool.turned) ? tile.slice(0, -tool.turned.length) : tile;

/** The name of the tile below a square, if one lies there. */
export function tileBelow(tool: Slots, doc: SetupDocument, square: string): string | null {
  const tile = tileIn(tool, doc, slotAt(tool, doc, square) ?? "");
  return tile && tileName(tool, tile);
}

export function tileTurned(tool: Slots, doc: SetupDocument, slot: string): SetupDocument {
  const tile = tileIn(tool, doc, slot);
  if (!tile) return doc;
  const name = tileName(tool, tile);
  const turned = tile === name ? name + tool.turned : name;
  return { ...doc, [tool.field]: { ...laidIn(tool, doc), [slot]: turned } };
}

export function tilesExchanged(
  tool: Slots,
  doc: SetupDocument,
  one: string,
  other: string,
): SetupDocument {
  const laid = laidIn(tool, doc);
  return {
    ...doc,
    [tool.field]: { ...laid, [one]: laid[other] ?? null, [other]: laid[one] ?? null },
  };
}

export function tileLaid(
  tool: Slots,
  doc: SetupDocument,
  slot: string,
  tile: string | null,
): SetupDocument {
  return { ...doc, [tool.field]: { ...laidIn(tool, doc), [slot]: tile } };
}

export function tilesLeft(tool: Slots, doc: SetupDocument): string[] {
  const lying = Object.values(laidIn(tool, doc)).map((tile) => tile && tileName(tool, tile));
  return Object.keys(tool.tiles).filter((tile) => !lying.includes(tile));
}

/** Another layout: the tiles keep their order, and the piece of the circle goes with it. */
export function layoutChosen(
  kit: Kit,
  tool: Slots,
  doc: SetupDocument,
  choice: string,
): SetupDocument {
  const before = layoutOf(tool, doc);
  const after = tool.layouts[choice];
  if (!after || before === after) return doc;
  const laid = laidIn(tool, doc);
  const order = Object.keys(before?.slots ?? laid).map((slot) => laid[slot] ?? null);
  const slots = Object.keys(after.slots);
  const next = {
    ...doc,
    [tool.choice]: choice,
    [tool.field]: Object.fromEntries(slots.map((slot, i) => [slot, order[i] ?? null])),
  };
  return before && thingAt(kit, next, before.circle)
    ? moved(kit, next, before.circle, after.circle)
    : next;
}

// --- left and right ------------------------------------------------------------------------------

/** For every square of the own half the one on the other side; null where one has none. */
export function mirrorOf(style: BoardStyle, seat: Seat): Map<string, string> | null {
  const own = style.squares.filter((square) => square.home === seat);
  const xs = own.map((square) => square.x);
  const sum = Math.min(...xs) + Math.max(...xs);
  const near = (a: number, b: number): boolean => Math.abs(a - b) < 1e-3;
  const mirror = new Map<string, string>();
  for (const square of own) {
    const other = own.find((each) => near(each.x, sum - square.x) && near(each.y, square.y));
    if (!other) return null;
    mirror.set(square.name, other.name);
  }
  return mirror;
}

export function mirrored(kit: Kit, doc: SetupDocument, mirror: Map<string, string>): SetupDocument {
  const to = (square: string): string => mirror.get(square) ?? square;
  let next: SetupDocument = {
    ...doc,
    pieces: doc.pieces.map((piece) => ({ ...piece, at: to(piece.at) })),
    terrain: Object.fromEntries(Object.entries(doc.terrain).map(([at, g]) => [to(at), g])),
  };
  for (const tool of kit.marks) next = withSquares(next, tool, squaresOf(doc, tool).map(to));
  return kit.slots ? slotsMirrored(kit.slots, next, to) : next;
}

/** Tiles go to the slots that lie where theirs do in the mirror; each shows its other face there. */
function slotsMirrored(
  tool: Slots,
  doc: SetupDocument,
  to: (square: string) => string,
): SetupDocument {
  const before = layoutOf(tool, doc);
  if (!before) return doc;
  const alike = (a: string[], b: string[]): boolean =>
    a.length === b.length && a.every((square) => b.includes(square));
  const found = Object.entries(tool.layouts).find(([, layout]) =>
    alike(before.rest.map(to), layout.rest),
  );
  if (!found) return doc;
  const [choice, after] = found;
  const laid: Laid = {};
  for (const [name, slot] of Object.entries(before.slots)) {
    const there = Object.entries(after.slots).find(([, each]) =>
      alike(slot.squares.map(to), each.squares),
    );
    if (!there) return doc;
    laid[there[0]] = tileIn(tool, doc, name);
  }
  return { ...doc, [tool.choice]: choice, [tool.field]: laid };
}
