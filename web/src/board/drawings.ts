// Our own drawings and colours, from the Python package that draws pictures: one family everywhere.
import { GROUNDS, PIECES } from "../wire/tables";

// What is drawn on small squares only pictures need.
const files = import.meta.glob<string>(
  [
    "../../../src/cyvasse/draw/{pieces,terrain}/*.svg",
    "!../../../src/cyvasse/draw/terrain/*-small.svg",
  ],
  { query: "?raw", import: "default", eager: true },
);

const TERRAIN = "../../../src/cyvasse/draw/terrain/";
const NAMES: Record<string, string> = PIECES;
const COLORS: Record<string, readonly string[]> = GROUNDS;

/** The drawing of a piece, by the letter it has in all rule sets. */
export const drawingOf = (letter: string): string => `piece-${NAMES[letter.toUpperCase()]}`;

export const motifOf = (ground: string): string | null =>
  `${TERRAIN}${ground}.svg` in files ? `ground-${ground}` : null;

/** The colour of a ground; where it has several, neighbours take turns. */
export function colorOf(ground: string, turn = 0): string {
  const colors = COLORS[ground] ?? [ground];
  return `var(--${colors[turn % colors.length]})`;
}

function symbol(file: string, text: string): string {
  const [, folder, name] = file.match(/(pieces|terrain)\/(.+)\.svg$/)!;
  const head = text.match(/<svg([^>]*)>/)![1]!;
  const inside = text.replace(/^[\s\S]*?<\/title>/, "").replace(/<\/svg>\s*$/, "");
  const drawn = ["stroke-width", "stroke-linejoin", "stroke-linecap"]
    .map((key) => head.match(new RegExp(`${key}="[^"]*"`))?.[0] ?? "")
    .join(" ");
  const id = `${folder === "pieces" ? "piece" : "ground"}-${name}`;
  return `<symbol id="${id}" viewBox="0 0 64 64" overflow="visible"><g ${drawn}>${inside}</g></symbol>`;
}

/** All symbols, to stand once in the page. */
export const symbols: string = Object.entries(files)
  .map(([file, text]) => symbol(file, text))
  .join("");
