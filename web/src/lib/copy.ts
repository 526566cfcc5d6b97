// Copying, and what there is to tell then.
import { words } from "./words";

/** Without HTTPS there is no clipboard, and some browsers keep it to themselves. */
export async function copied(text: string, otherwise = words.game.copyFailed): Promise<string> {
  try {
    await navigator.clipboard.writeText(text);
    return words.game.copied;
  } catch {
    return otherwise;
  }
}
