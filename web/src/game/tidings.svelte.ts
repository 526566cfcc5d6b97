// Sounds, the title and notifications tell that something has happened, even to who looks elsewhere.
import { parseAction } from "../lib/actions";
import { settings } from "../lib/settings.svelte";
import { play as sound, soundOf } from "../lib/sound";
import type { PieceKind, RuleSetPage, Seat } from "../lib/types";
import { words } from "../lib/words";
import { endSound } from "./outcome";
import { type GameState, timeLeft } from "./state";
import type { Table } from "./table.svelte";

/** Tell what happens in a game, from now on and as long as the component lives that calls this. */
export function tellOf(
  game: () => GameState,
  table: Table,
  rules: () => RuleSetPage,
  kinds: () => Map<string, PieceKind>,
): void {
  // An action can be heard when it is seen, what follows from it when the server has said so.
  let heard: number | null = null;
  let ruins = 0;
  $effect(() => {
    const count = table.actions.length;
    const text = table.actions.at(-1);
    const broken = (table.board?.scenery.features ?? []).filter(
      ({ kind }) => kind === "ruin",
    ).length;
    if (heard !== null && count > heard && text) {
      const action = parseAction(text);
      const piece = table.pieces.get(action.target ?? "");
      const water = table.board?.position.terrain[action.target ?? ""] === "water";
      sound(soundOf(action), kinds().get(piece?.type ?? "")?.letter ?? "", water);
    }
    if (heard !== null && broken > ruins) sound("ruin");
    heard = count;
    ruins = broken;
  });
  let told: number | null = null;
  $effect(() => {
    const count = game().actions.length;
    if (told !== null && count > told) {
      if (table.over) sound(endSound(game()));
      else if (table.mine) notifyTurn(game().game, rules().title);
    }
    told = count;
  });
  $effect(() => {
    document.title =
      table.mine && !game().agreement.shared
        ? `● ${words.game.yourTurn} · ${words.name}`
        : `${rules().title} · ${words.name}`;
    return () => (document.title = words.name);
  });
}

function notifyTurn(game: string, title: string): void {
  sound("turn");
  if (
    settings.notify &&
    document.hidden &&
    "Notification" in window &&
    Notification.permission === "granted"
  ) {
    new Notification(words.game.yourTurn, { body: title, icon: "/icon.svg", tag: game });
  }
}

/** The last ten seconds can be heard, one by one; to be called again and again. */
export function ticking(): (game: GameState, acting: Seat | null, now: number) => void {
  let second = 0;
  return (game, acting, now) => {
    const left = acting ? timeLeft(game, acting, now) : null;
    const whole = left === null ? 0 : Math.ceil(left / 1000);
    if (whole !== second && whole > 0 && whole <= 10) sound("tick");
    second = whole;
  };
}
