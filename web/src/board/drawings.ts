// Our own drawings, from the Python package that draws pictures: one family everywhere.

const files = import.meta.glob<string>("../../../src/cyvasse/draw/{pieces,terrain}/*.svg", {
  query: "?raw",
  import: "default",
  eager: true,
});

const PIECES: Record<string, string> = {
  K: "king",
  R: "rabble",
  S: "spears",
  X: "crossbows",
  L: "light_horse",
  H: "heavy_horse",
  E: "elephant",
  C: "catapult",
  T: "trebuchet",
  D: "dragon",
  W: "tower",
};

/** The drawing of a piece, by the letter it has in all rule sets. */
export const drawingOf = (letter: string): string => `piece-${PIECES[letter.toUpperCase()]}`;

const MOTIFS = new Set(["water", "forest", "grass", "grassland", "hill", "mountain"]);
export const motifOf = (ground: string): string | null =>
  MOTIFS.has(ground) ? `ground-${ground}` : null;

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
  .filter(([file]) => !file.includes("-small"))
  .map(([file, text]) => symbol(file, text))
  .join("");
