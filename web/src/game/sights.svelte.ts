// What the layers show on the board of now: asked for once a board, and only when somebody looks.
import { get } from "../lib/api";
import type { Sight } from "../lib/types";
import type { Ahead } from "./table.svelte";

export class Sights {
  shown = $state.raw<Sight[]>([]);
  #board: { played: string[]; held: Ahead | null } | null = null;

  /** The board after what was played and what is held back; `looked` at it is by somebody. */
  board(game: string, played: string[], held: Ahead | null, looked: boolean): void {
    if (this.#board?.played === played && this.#board.held === held) return;
    if (!looked) {
      if (this.#board) this.shown = []; // it was of a board before
      this.#board = null;
      return;
    }
    const board = { played, held };
    this.#board = board;
    const texts = held?.actions.map(({ text }) => `held=${encodeURIComponent(text)}`) ?? [];
    get<Sight[]>(`games/${game}/layers?${texts.join("&")}`).then(
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
