// A list that comes in pages.
import { get, Refused } from "../lib/api";
import type { Listed, ListedGames, Problem } from "../lib/types";
import { joined } from "./lists";

export class Paged {
  games = $state.raw<Listed[] | null>(null);
  next = $state<string | null>(null);
  problem = $state<Problem | null>(null);
  busy = $state(false);
  #path = "";

  /** Begin anew with the list at this path; the same list stays until it comes. */
  async load(path: string): Promise<void> {
    if (path !== this.#path) this.games = null;
    this.#path = path;
    await this.#fetch(null);
  }

  again = (): Promise<void> => this.load(this.#path);

  more = (): Promise<void> => this.#fetch(this.next);

  async #fetch(after: string | null): Promise<void> {
    const path = this.#path;
    this.busy = true;
    this.problem = null;
    try {
      const page = await get<ListedGames>(
        after ? `${path}&after=${encodeURIComponent(after)}` : path,
      );
      if (path !== this.#path) return; // another list was asked for meanwhile
      this.games = after ? joined(this.games ?? [], page.games) : page.games;
      this.next = page.next;
    } catch (error) {
      if (path === this.#path && error instanceof Refused) this.problem = error.problem;
    } finally {
      if (path === this.#path) this.busy = false;
    }
  }
}
