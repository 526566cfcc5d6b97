// What the layers show on a board: asked for once a board, and only when somebody looks.
import { asHeld } from "../lib/actions";
import { get } from "../lib/api";
import type { Sight } from "../lib/types";
import type { Ahead } from "./table.svelte";

export class Sights {
  shown = $state.raw<Sight[]>([]);
  #board: { played: string[]; held: Ahead | null; ply: number | null } | null = null;

  /**
   * The board after what was played and what is held back, or an earlier one; `looked` at it is by
   * somebody.
   */
  board(
    game: string,
    played: string[],
    held: Ahead | null,
    looked: boolean,
    ply: number | null = null,
  ): void {
    const same = this.#board?.played === played && this.#board.held === held;
    if (same && this.#board?.ply === ply) return;
    if (!looked) {
      if (this.#board) this.shown = []; // it was of a board before
      this.#board = null;
      return;
    }
    const board = { played, held, ply };
    this.#board = board;
    const query = ply === null ? asHeld(held?.actions).join("&") : `ply=${ply}`;
    get<Sight[]>(`games/${game}/layers?${query}`).then(
      (found) => {
        if (this.#board === board) this.shown = found;
      },
      () => {
        if (this.#board !== board) return;
        this.#board = null; // it is asked for again when somebody looks again
        this.shown = [];
      },
    );
  }
}
