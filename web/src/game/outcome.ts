// How a game has ended, and for whom.
import type { Seat, Standing } from "../lib/types";
import { words } from "../lib/words";
import type { GameState } from "./state";

const WINNERS = { "1-0": "white", "0-1": "black", "1/2-1/2": null } as const;

/** Who has won; null if nobody has. */
export const winnerOf = ({ outcome }: Standing): Seat | null =>
  WINNERS[outcome?.result ?? "1/2-1/2"];

/** The end of the game in words, if it has ended. */
export function endingOf(
  { standing, you }: GameState,
  nameOf: (seat: Seat) => string,
): string | null {
  const { aborted, outcome } = standing;
  if (aborted) return words.game.aborted(aborted);
  if (!outcome) return null;
  const winner = winnerOf(standing);
  if (!winner) return words.game.drawn;
  if (you.length !== 1) return words.game.won(nameOf(winner));
  return you[0] === winner ? words.game.youWon : words.game.youLost;
}

export function endSound({ standing, you }: GameState): "win" | "loss" | "draw" {
  const winner = winnerOf(standing);
  if (!winner) return "draw";
  return you.length === 1 && you[0] !== winner ? "loss" : "win";
}
