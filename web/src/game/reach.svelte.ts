// What pieces can do that nobody can act with now: the opponent's, and those of an earlier board.
import { type Action, asHeld } from "../lib/actions";
import { get } from "../lib/api";
import type { Possible, Seat } from "../lib/types";
import { choices } from "./choose";
import type { Table } from "./table.svelte";

export class Reach {
  #by = $state.raw<Map<string, Action[]>>(new Map());
  #board = "";

  /** What the piece on a square could do if it were its player's turn. */
  of(square: string | null): Action[] {
    return (square && this.#by.get(square)) || [];
  }

  /** Somebody looks at a piece of that colour on the board that is shown. */
  look(game: string, count: number, color: Seat, { past, held }: Table): void {
    const which = past ? [`ply=${past.ply}`] : asHeld(held?.actions);
    const query = [`color=${color}`, ...which].join("&");
    const board = `${count}?${query}`;
    if (board === this.#board) return;
    this.#board = board;
    this.#by = new Map();
    get<Possible>(`games/${game}/reach?${query}`).then(
      ({ legal_actions }) => {
        if (this.#board === board) this.#by = choices(legal_actions).by;
      },
      () => {
        if (this.#board === board) this.#board = ""; // it is asked again at the next look
      },
    );
  }
}
