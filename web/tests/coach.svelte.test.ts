// What a coach says, what a hint shows, and which level is offered next.
import { render } from "@testing-library/svelte";
import { flushSync } from "svelte";
import { SvelteMap } from "svelte/reactivity";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { advice } from "../src/game/coach";
import Ending from "../src/game/Ending.svelte";
import { Fate } from "../src/game/fate.svelte";
import { Hint, NOTHING } from "../src/game/hint.svelte";
import { withLine } from "../src/game/layers";
import { Reach } from "../src/game/reach.svelte";
import type { GameState } from "../src/game/state";
import { Table } from "../src/game/table.svelte";
import { ended, fortuneIn } from "../src/lib/fortune";
import type { BoardView, RuleSetPage } from "../src/lib/types";
import { words } from "../src/lib/words";
import { placeOf } from "../src/screens/cited";
import { NOWHERE } from "./setup-fixture";

const board = (legal: string[], more: Partial<BoardView> = {}): BoardView => ({
  position: {
    ...NOWHERE,
    pieces: [
      { type: "rabble", color: "white", at: "a2" },
      { type: "king", color: "black", at: "c3" },
    ],
  },
  scenery: { features: [], stores: [] },
  in_turn: false,
  ply: 4,
  legal_actions: legal,
  told: [],
  dangers: [],
  ...more,
});
const danger = { kind: "king", color: "white", squares: ["a2"], by: ["c3"] };
const endangered = { dangers: [danger] } as unknown as Partial<BoardView>;

const rules = {
  id: "croft",
  levels: 10,
  coach: { begin: ["Begin.", "Go on."], danger: ["Look out."], take: ["Take it."] },
  pieces: [{ name: "rabble", letter: "R" }],
} as unknown as RuleSetPage;

const state = (shown: BoardView, more: object = {}): GameState =>
  ({
    game: "g",
    you: ["white"],
    board: shown,
    turns: [],
    actions: ["x"],
    standing: { status: "playing", outcome: null },
    ...more,
  }) as unknown as GameState;

describe("a coach", () => {
  const say = (turns: number, legal: string[], more?: Partial<BoardView>): string =>
    advice(rules, board(legal, more), "white", turns);

  it("begins with what to do in the first turns, one after the other", () => {
    expect([say(0, ["a2xc3"]), say(1, ["a2-a3"])]).toEqual(["Begin.", "Go on."]);
  });

  it("says then whether something can be taken, and in danger nothing else", () => {
    expect(say(2, ["a2-a3", "a2xc3"])).toBe("Take it.");
    expect(say(0, ["a2-a3"], endangered)).toBe("Look out.");
    expect(advice(rules, board([], endangered), "black", 0)).toBe("Begin.");
  });

  it("speaks of what is in danger, where the rule set says it by its kind", () => {
    const kept = { ...rules, coach: { ...rules.coach, danger_keep: ["Mind it.", "Hold it."] } };
    const keep = { dangers: [{ ...danger, kind: "keep" }] } as unknown as Partial<BoardView>;
    expect(advice(kept, board([], keep), "white", 3)).toBe("Hold it.");
    expect(advice(kept, board([], endangered), "white", 3)).toBe("Look out.");
  });

  it("has words of its own where the rule set has none", () => {
    expect(say(2, ["a2-a3"])).toBe(words.coach.says.quiet[0]);
    expect(say(2, ["a2*a2"])).toBe(words.coach.says.quiet[0]); // not an opponent's
  });
});

describe("answers of the server", () => {
  let asked: [string, unknown][];
  let answer: object;
  beforeEach(() => {
    asked = [];
    vi.stubGlobal("fetch", (path: string, { body }: RequestInit) => {
      asked.push([path, body && JSON.parse(String(body))]);
      return Promise.resolve(new Response(JSON.stringify(answer)));
    });
  });
  afterEach(() => vi.unstubAllGlobals());

  it("make a hint: first the piece, then what it does, for this board alone", async () => {
    const game = new SvelteMap([["now", state(board(["a2-a3"]))]]);
    const now = () => game.get("now")!;
    const table = new Table(now, () => rules);
    const hint = new Hint(now, table);
    answer = { action: "a2xc3", origin: "a2", piece: "R" };
    expect(hint.marks).toEqual(NOTHING);
    await hint.next();
    expect(asked).toEqual([["/api/games/g/hint", { held: [] }]]);
    expect([hint.whole, hint.marks]).toEqual([false, { squares: ["a2"], line: null }]);
    await hint.next();
    const line = { from: "a2", to: "c3" };
    expect([hint.whole, hint.marks]).toEqual([true, { squares: ["a2", "c3"], line }]);
    expect(asked).toHaveLength(1);
    game.set("now", state(board([]), { actions: ["x", "y"] }));
    expect([hint.action, hint.marks]).toEqual([null, NOTHING]);
  });

  it("make a hint that is told at once where no piece acts", async () => {
    const table = new Table(
      () => state(board(["end"])),
      () => rules,
    );
    const hint = new Hint(() => state(board(["end"])), table);
    answer = { action: "end", origin: null, piece: null };
    await hint.next();
    expect([hint.whole, hint.action?.text, hint.marks]).toEqual([true, "end", NOTHING]);
  });

  it("tell what an opponent's piece could do, once a board", async () => {
    const table = new Table(
      () => state(board([])),
      () => rules,
    );
    const reach = new Reach();
    answer = { legal_actions: ["c3-c4", "c3xa2", "end"] };
    reach.look("g", 1, "black", table);
    reach.look("g", 1, "black", table);
    await vi.waitFor(() => expect(reach.of("c3")).toHaveLength(2));
    expect(reach.of("a2")).toEqual([]);
    expect(asked.map(([path]) => path)).toEqual(["/api/games/g/reach?color=black"]);
  });
});

it("draws the line of a hint once, whatever a layer shows", () => {
  const lines = [
    { from: "a2", to: "c3", way: "in" as const },
    { from: "c3", to: "a2", way: "out" as const },
  ];
  expect(withLine(lines, null)).toBe(lines);
  expect(withLine(lines, { from: "a2", to: "c3" })).toEqual([
    lines[1],
    { from: "a2", to: "c3", way: "out" },
  ]);
});

describe("another level", () => {
  beforeEach(() => localStorage.clear());
  const end = { status: "finished", outcome: { result: "0-1", end: "x", squares: [] } };
  const chairs = { white: { name: "Me", bot: null }, black: { name: "Bot", bot: 3 } };
  const at = (standing: object) => state(board([]), { standing: { ...chairs, ...standing } });

  /** What a game comes to that is looked at in one state after the other. */
  function fate(...states: GameState[]): Fate {
    const game = new SvelteMap([["now", states[0]!]]);
    const now = () => game.get("now")!;
    const table = new Table(now, () => rules);
    let made!: Fate;
    $effect.root(() => {
      made = new Fate(now, () => rules, table);
    });
    for (const each of states) {
      game.set("now", each);
      flushSync();
    }
    return made;
  }
  const going = at({ status: "playing", outcome: null });

  it("suits after the second game in a row that went the same way", () => {
    expect(fate(going, at(end)).suits).toBeNull();
    ended("croft", "another", 3, false, 10);
    ended("croft", "one more", 3, true, 10);
    ended("croft", "before", 3, false, 10);
    expect(fate(going, at(end)).suits).toBe(2);
    const waiting = { kind: "reserve", color: "white" as const, pieces: { rabble: 3 } };
    const stores = [waiting, { ...waiting, color: "black" as const }, { ...waiting, kind: "lost" }];
    const { getByText, getByRole } = render(Ending, {
      game: { ...at(end), board: board([], { scenery: { features: [], stores } }) },
      rules,
      table: { past: null } as Table,
      suits: 2,
    });
    expect(getByText(words.coach.lower)).toBeTruthy();
    expect(getByText(/White has 4 pieces left/)).toBeTruthy();
    expect(getByRole("button", { name: words.game.level(2) }).className).toContain("accent");
  });

  it("does not follow from an old game, a friend's, or one of the former levels", () => {
    ended("croft", "before", 3, false, 10);
    const friend = { black: { name: "Ann", bot: null } };
    const former = { black: { name: "Bot", bot: -3 } };
    expect(fate(at(end)).suits).toBeNull();
    for (const more of [friend, former]) {
      expect(
        fate(at({ ...more, ...going.standing, black: more.black }), at({ ...end, ...more })).suits,
      ).toBeNull();
    }
    expect(fortuneIn("croft").over).toBe("before");
  });
});

it.each([
  ["croft D9", "d9"],
  ["nine-tile, Capture", "captures"],
  ["Elephant", "elephants"],
  ["Heavy Horse", "horse"],
  ["mikelepage, Nowhere", undefined],
])("%s is found in the rules", (cited, id) => {
  const text = document.createElement("article");
  text.innerHTML = `<h2 id="captures">Captures</h2><p id="elephants"><strong>Elephants</strong></p>
    <table><tr><td>Heavy Horse</td></tr></table>
    <p><strong id="horse">Heavy Horse.</strong></p><ul><li id="d9"><strong>D9</strong></li></ul>`;
  expect(placeOf(text, cited)?.id).toBe(id);
});
