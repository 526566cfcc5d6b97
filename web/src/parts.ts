// The screens beside the first one; src/cyvasse/server/page.py knows which address needs which.
import { whenIdle } from "./lib/idle";
import { Part } from "./lib/part.svelte";

export const game = new Part(() => import("./game/GameScreen.svelte"));
export const setup = new Part(() => import("./setup/SetupScreen.svelte"));
export const lobby = new Part(() => import("./screens/Lobby.svelte"));
export const mine = new Part(() => import("./screens/MyGames.svelte"));
export const watch = new Part(() => import("./screens/Watch.svelte"));
export const rules = new Part(() => import("./screens/Rules.svelte"));
export const settings = new Part(() => import("./screens/Settings.svelte"));
export const account = new Part(() => import("./screens/Account.svelte"));
export const position = new Part(() => import("./screens/PositionScreen.svelte"));

const LIKELY = [game, setup, lobby, mine, watch, rules, settings, account, position];

/** Fetch the others when there is nothing else to do: the next tap needs no journey then. */
export function fetchWhenIdle(): void {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (connection?.saveData) return;
  const next = (at: number): void => {
    const part = LIKELY[at];
    if (part) whenIdle(() => void part.load().then(() => next(at + 1)));
  };
  next(0);
}
