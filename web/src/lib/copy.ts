// Copying, and what there is to tell then.
import { words } from "./words";

const MOMENT = 4_000;

/** Without HTTPS there is no clipboard, and some browsers keep it to themselves. */
export async function copied(text: string, otherwise = words.game.copyFailed): Promise<string> {
  try {
    await navigator.clipboard.writeText(text);
    return words.game.copied;
  } catch {
    return otherwise;
  }
}

/** That it is copied matters for a moment; why it could not be copied stays. */
export function fading(said: string, fade: () => void): string {
  if (said === words.game.copied) setTimeout(fade, MOMENT);
  return said;
}
