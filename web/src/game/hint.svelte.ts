// A hint for the player to act: first the piece to look at, then what it should do.
import { type Action, parseAction, tapped } from "../lib/actions";
import { post, Refused } from "../lib/api";
import { play as sound } from "../lib/sound";
import type { GameState } from "./state";
import type { Table } from "./table.svelte";

/** What a hint marks on the board. */
export interface Hinted {
  squares: string[];
  line: { from: string; to: string } | null;
}

export const NOTHING: Hinted = { squares: [], line: null };

export class Hint {
  asking = $state(false);
  #game: () => GameState;
  #table: Table;
  #answer = $state.raw<{ action: Action; to: string } | null>(null);
  /** Whether the action is shown too, not only the piece. */
  #whole = $state(false);

  /** What should be done, as long as the board is the one that was asked about. */
  readonly action: Action | null = $derived.by(() =>
    this.#answer?.to === this.#board ? this.#answer.action : null,
  );
  /** What acts is found on the board or beside it: that is told before what it does. */
  readonly whole: boolean = $derived.by(() => this.#whole || !this.action || !this.#source);
  readonly marks: Hinted = $derived.by(() => {
    const { action, whole } = this;
    if (!action || this.#table.past) return NOTHING;
    const to = whole ? tapped(action) : null;
    const from = action.origin;
    return {
      squares: [from, whole ? to : null].filter((at) => at !== null),
      line: from && to && from !== to ? { from, to } : null,
    };
  });

  /** There is something more to show. */
  readonly open: boolean = $derived.by(() => {
    const { mine, busy, whole } = this.#table;
    return mine && !busy && !whole && !this.asking && !(this.action && this.whole);
  });

  constructor(game: () => GameState, table: Table) {
    this.#game = game;
    this.#table = table;
  }

  get #source(): string | null {
    return this.action?.origin ?? this.action?.letter ?? null;
  }

  /** The actions before this board, those included that nobody else has seen. */
  get #board(): string {
    const held = this.#table.held?.actions.map(({ text }) => text) ?? [];
    return [...this.#game().actions, "|", ...held].join(" ");
  }

  /** The next step: ask, or show the action too. */
  async next(): Promise<void> {
    if (this.action) {
      this.#whole = true;
      return;
    }
    const to = this.#board;
    const held = this.#table.held?.actions.map(({ text }) => text) ?? [];
    this.asking = true;
    this.#whole = false;
    try {
      const { action } = await post<{ action: string }>(`games/${this.#game().game}/hint`, {
        held,
      });
      this.#answer = { action: parseAction(action), to };
      this.#table.clear();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.#table.notice = error.message;
      sound("refused");
    } finally {
      this.asking = false;
    }
  }
}
