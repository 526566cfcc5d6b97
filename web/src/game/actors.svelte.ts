// Who did each action: asked for only by those who want to read it.
import { untrack } from "svelte";
import { get } from "../lib/api";
import { settings } from "../lib/settings.svelte";
import type { GameState } from "./state";

export class Actors {
  known = $state.raw<(string | null)[]>([]);

  constructor(game: () => GameState) {
    $effect(() => {
      const count = game().actions.length;
      if (settings.notation === "squares" || !game().board) return;
      const known = untrack(() => this.known.slice(0, count));
      if (known.length === count) return;
      get<(string | null)[]>(`games/${game().game}/actors?since=${known.length}`).then(
        (more) => (this.known = [...known, ...more]),
        () => {}, // then the squares have to do
      );
    });
  }
}
