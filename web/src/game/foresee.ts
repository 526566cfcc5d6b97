// What an action's text alone tells of the board after it, so that whoever acts need not wait for
// the server to see it.  No rules: what else happens the server says, and so whether it may be.
import type { Action } from "../lib/actions";
import type { BoardView, PieceAt, PieceKind } from "../lib/types";

/** The board with the pieces moved, struck or put down as the text says; nothing can be done there. */
export function foresee(board: BoardView, action: Action, kinds: PieceKind[]): BoardView {
  const { origin, target, victims } = action;
  const kind = kinds.find((each) => each.letter.toLowerCase() === action.letter)?.name;
  const moved = (piece: PieceAt): PieceAt[] => {
    if (target === null) return [piece];
    if (piece.at === origin) {
      return [
        {
          ...piece,
          at: target,
          type: action.kind === "promote" ? (kind ?? piece.type) : piece.type,
        },
      ];
    }
    if (victims.includes(piece.at)) return [];
    return [action.kind === "swap" && piece.at === target ? { ...piece, at: origin! } : piece];
  };
  const pieces = board.position.pieces.flatMap(moved);
  const put = (action.kind === "drop" || action.kind === "bring_out") && kind !== undefined;
  if (put && target !== null)
    pieces.push({ type: kind, color: board.position.to_move, at: target });
  return {
    ...board,
    position: { ...board.position, pieces },
    legal_actions: [],
    told: [],
    dangers: [],
  };
}
