// Games in lists: their order, and what a line says about them.
import { type Listed, other, type Seat } from "../lib/types";
import { words } from "../lib/words";

/** Those that wait for me first, the most urgent of them before the others; then the newest. */
export function inOrder(games: readonly Listed[]): Listed[] {
  const urgency = (game: Listed): number => game.deadline ?? Infinity;
  return [...games].sort(
    (a, b) =>
      Number(b.your_turn) - Number(a.your_turn) ||
      (a.your_turn ? compare(urgency(a), urgency(b)) : 0) ||
      b.updated_at - a.updated_at,
  );
}

function compare(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1; // infinity minus infinity is no number
}

/** More of a list, without meeting a game twice: it may have moved since the page before. */
export function joined(before: readonly Listed[], more: readonly Listed[]): Listed[] {
  const known = new Set(before.map((game) => game.game));
  return [...before, ...more.filter((game) => !known.has(game.game))];
}

export const nameOf = (game: Listed, seat: Seat): string => game[seat]?.name ?? words.lists.nobody;

/** Whom I play, or both names where I play none or both. */
export function titleOf(game: Listed): string {
  const [seat] = game.you;
  if (game.agreement.shared) return words.choose.same;
  if (game.you.length === 1 && game.status === "open") return words.lists.nobody;
  if (game.you.length === 1 && seat) return nameOf(game, other(seat));
  return words.lists.versus(nameOf(game, "white"), nameOf(game, "black"));
}

/** How a game stands, in a few words. */
export function stateOf(game: Listed): string {
  const mine = game.you.length === 1;
  switch (game.status) {
    case "open":
      return words.lists.waiting;
    case "setup":
      return words.lists.setting;
    case "playing":
      if (game.your_turn && mine) return words.lists.yours;
      if (mine) return words.lists.theirs;
      return game.turn ? words.lists.onMove(words.color(game.turn)) : "";
    case "aborted":
      return words.lists.aborted;
    case "finished":
      return resultOf(game);
  }
}

function resultOf(game: Listed): string {
  const winner: Seat | null =
    game.result === "1-0" ? "white" : game.result === "0-1" ? "black" : null;
  if (!winner) return words.lists.draw;
  if (game.you.length === 1) {
    return game.you[0] === winner ? words.lists.youWon : words.lists.youLost;
  }
  return winner === "white" ? words.lists.whiteWon : words.lists.blackWon;
}

/** The time that is left or has passed, in words. */
export function timeOf(game: Listed, now: number): string {
  if (game.deadline !== null) return words.lists.left(game.deadline - now);
  return words.lists.ago(now - (game.finished_at ?? game.updated_at));
}

/** Whether there is a board to show: before, it is behind the screen. */
export const lifted = (game: Listed): boolean =>
  game.status === "playing" || game.status === "finished";
