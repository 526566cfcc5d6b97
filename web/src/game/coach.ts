// Which of a coach's sentences fits the board: the rule set has them, or the page's own do.
import { parseAction } from "../lib/actions";
import type { BoardView, RuleSetPage, Seat } from "../lib/types";
import { words } from "../lib/words";

type Situation = keyof typeof words.coach.says;

/** What may be tried by the player to act, who has acted in so many turns before. */
export function advice(
  { coach }: Pick<RuleSetPage, "coach">,
  board: BoardView,
  me: Seat,
  turns: number,
): string {
  const saidOf = (situation: Situation): string[] =>
    coach[situation] ?? words.coach.says[situation];
  const danger = board.dangers.find(({ color }) => color === me);
  if (danger) return inTurn(coach[`danger_${danger.kind}`] ?? saidOf("danger"), turns);
  const begin = saidOf("begin")[turns];
  return begin ?? inTurn(saidOf(takes(board, me) ? "take" : "quiet"), turns);
}

const inTurn = (sentences: string[], turn: number): string =>
  sentences[turn % sentences.length] ?? "";

/** Whether an opponent's piece can be taken. */
function takes({ legal_actions, position }: BoardView, me: Seat): boolean {
  const theirs = new Set(position.pieces.flatMap(({ at, color }) => (color === me ? [] : [at])));
  return legal_actions.some((text) => parseAction(text).victims.some((at) => theirs.has(at)));
}
