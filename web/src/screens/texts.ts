// The rules as ready HTML: those in docs/rules come with the page, each fetched only by whoever reads
// it; a rule set from another package brings its own, and the server has it.
import { getOnce, Refused } from "../lib/api";
import type { RulesPage } from "../lib/types";

const built = import.meta.glob<string>("../../../build/rules/*.json", {
  query: "?url",
  import: "default",
  eager: true,
});

/** The rules of a rule set, or null if there is no text. */
export async function rulesPage(id: string): Promise<RulesPage | null> {
  const own = built[`../../../build/rules/${id}.json`];
  if (own) {
    const answer = await fetch(own);
    if (!answer.ok) throw new Error(`${own} is missing`);
    return answer.json();
  }
  try {
    return await getOnce<RulesPage>(`rules/${id}/page`);
  } catch (error) {
    if (error instanceof Refused && error.problem.status === 404) return null;
    throw error;
  }
}
