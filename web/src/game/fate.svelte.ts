// What the end of a game against a bot means for the next one: a level that suits better, perhaps.
import { untrack } from "svelte";
import { ended, fortuneIn } from "../lib/fortune";
import { other, type RuleSetPage } from "../lib/types";
import { winnerOf } from "./outcome";
import type { GameState } from "./state";
import type { Table } from "./table.svelte";

export class Fate {
  /** After two games in a row that went the same way: the level that suits now. */
  suits = $state<number | null>(null);

  constructor(game: () => GameState, rules: () => RuleSetPage, table: Table) {
    // An end counts for who has seen it come, not for who looks at an old game.
    let seen = untrack(() => !table.over);
    $effect(() => {
      const { game: id, standing, you } = game();
      const [me] = you;
      const level = me && you.length === 1 ? standing[other(me)]?.bot : null;
      this.suits = null;
      if (!table.over) seen = true;
      if (!table.over || !standing.outcome || !level || level < 1) return;
      const winner = winnerOf(standing);
      if (seen) ended(rules().id, id, level, winner && winner === me, rules().levels);
      const { over, suits } = fortuneIn(rules().id);
      if (over === id && suits !== level) this.suits = suits;
    });
  }
}
