// What others have said while the chat was closed.  How far it was read this tab remembers.
import { session } from "../lib/session.svelte";
import { settings } from "../lib/settings.svelte";
import type { GameState } from "./state";

export class Unread {
  #game: () => GameState;
  #read = $state<Record<string, number>>({});
  readonly count: number = $derived.by(
    () =>
      this.#game().remarks.filter(
        ({ number, name }) =>
          number > this.#last && name !== session.me?.name && !settings.blocked.includes(name),
      ).length,
  );

  constructor(game: () => GameState) {
    this.#game = game;
  }

  /** Each room counts by itself. */
  get #key(): string {
    const { game, room } = this.#game();
    return `cyvasse-read-${game}-${room}`;
  }

  get #last(): number {
    const key = this.#key;
    const here = this.#read[key];
    if (here !== undefined) return here;
    try {
      return Number(sessionStorage.getItem(key));
    } catch {
      return 0; // this browser does not let us look
    }
  }

  /** All of it is on the screen. */
  read(): void {
    const last = this.#game().remarks.at(-1)?.number ?? 0;
    if (last <= this.#last) return;
    this.#read[this.#key] = last;
    try {
      sessionStorage.setItem(this.#key, String(last));
    } catch {
      // Then it counts as new when the page is loaded again.
    }
  }
}
