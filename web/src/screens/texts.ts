// The rules in our words, from the repository's documents: fetched only by whoever reads them.

const files = import.meta.glob<string>("../../../docs/rules/*.md", {
  query: "?raw",
  import: "default",
});

/** The text of a rule set, or null if there is none. */
export async function rulesText(id: string): Promise<string | null> {
  const found = Object.entries(files).find(([path]) => path.endsWith(`/${id}.md`));
  return found ? await found[1]() : null;
}
