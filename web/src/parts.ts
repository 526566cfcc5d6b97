// The screens beside the first one: each comes in a file of its own kind when it is needed, or before.
import { whenIdle } from "./lib/idle";
import { Part } from "./lib/part.svelte";
import type { Place, ScreenName } from "./lib/router.svelte";

/** A screen, and what it wants to know of its address. */
interface Screen<P extends Record<string, unknown>> {
  part: Part<P>;
  props: (place: Place) => P;
}

function screen<P extends Record<string, unknown>>(
  part: Part<P>,
  props: Screen<P>["props"],
): Screen<Record<string, unknown>> {
  return { part, props } as unknown as Screen<Record<string, unknown>>;
}

export const setup = new Part(() => import("./setup/SetupScreen.svelte"));

/** For those who look a rule up while they play. */
export const rulesText = new Part<{ id: string; cited?: { rule: string } | undefined }>(
  () => import("./screens/RulesText.svelte"),
);

export const screens: Record<Exclude<ScreenName, "home">, Screen<Record<string, unknown>>> = {
  game: screen(new Part(() => import("./game/GameScreen.svelte")), ({ id }) => ({ id })),
  lobby: screen(new Part(() => import("./screens/Lobby.svelte")), () => ({})),
  mine: screen(new Part(() => import("./screens/MyGames.svelte")), () => ({})),
  watch: screen(new Part(() => import("./screens/Watch.svelte")), () => ({})),
  rules: screen(new Part(() => import("./screens/Rules.svelte")), ({ id }) => ({ id })),
  settings: screen(new Part(() => import("./screens/Settings.svelte")), () => ({})),
  account: screen(new Part(() => import("./screens/Account.svelte")), () => ({})),
  about: screen(new Part(() => import("./screens/About.svelte")), () => ({})),
  position: screen(new Part(() => import("./screens/PositionScreen.svelte")), ({ query }) => ({
    text: query.get("text") ?? "",
  })),
};

/** Fetch them when there is nothing else to do: the next tap needs no journey then. */
export function fetchWhenIdle(): void {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (connection?.saveData) return;
  const { game, ...others } = screens;
  const likely = [game.part, setup, ...Object.values(others).map(({ part }) => part)];
  const next = (at: number): void => {
    const part = likely[at];
    if (part) whenIdle(() => void part.load().then(() => next(at + 1)));
  };
  next(0);
}
