// Who did each action and what it was, in words: asked for only by those who want to read it.
import { untrack } from "svelte";
import { get } from "../lib/api";
import { settings } from "../lib/settings.svelte";
import type { ToldDocument } from "../lib/types";
import type { GameState } from "./state";

export class Telling {
  known = $state.raw<ToldDocument[]>([]);
  /** Somebody looks at the list of turns more closely. */
  wanted = $state(false);

  constructor(game: () => GameState) {
    $effect(() => {
      const count = game().actions.length;
      if ((settings.notation === "squares" && !this.wanted) || !game().board) return;
      const known = untrack(() => this.known.slice(0, count));
      if (known.length === count) return;
      get<ToldDocument[]>(`games/${game().game}/told?since=${known.length}`).then(
        (more) => (this.known = [...known, ...more]),
        () => {}, // then the squares have to do
      );
    });
  }
}
