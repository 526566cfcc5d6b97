// The rules in our words, from the repository's documents: fetched only by whoever reads them.
import type { Gallery } from "./markdown";

const files = import.meta.glob<string>("../../../docs/rules/*.md", {
  query: "?raw",
  import: "default",
});

export interface RulesText {
  text: string;
  gallery: Gallery;
}

/** The text of a rule set with its pictures, or null if there is none. */
export async function rulesText(id: string): Promise<RulesText | null> {
  const found = Object.entries(files).find(([path]) => path.endsWith(`/${id}.md`));
  if (!found) return null;
  const [text, { gallery }] = await Promise.all([found[1](), import("./gallery")]);
  return { text, gallery };
}
