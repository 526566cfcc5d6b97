// A turn is chosen action by action, and sent when it is whole.
import { beforeEach, describe, expect, it, vi } from "vitest";
import { Refused } from "../src/lib/api";
import { live } from "../src/lib/live.svelte";
import { settings } from "../src/lib/settings.svelte";
import type { BoardView, RuleSetPage } from "../src/lib/types";
import type { GameState } from "../src/game/state";
import { landingsOf, Table, traceOf } from "../src/game/table.svelte";
import { parseAction } from "../src/lib/actions";

const board = (legal: string[], more: Partial<BoardView> = {}): BoardView => ({
  position: {
    pieces: [
      { type: "rabble", color: "white", at: "a2" },
      { type: "rabble", color: "white", at: "b2" },
      { type: "king", color: "black", at: "c3" },
    ],
    terrain: {},
    to_move: "white",
  },
  scenery: { features: [], stores: [] },
  turn: "white",
  in_turn: false,
  ply: 4,
  legal_actions: legal,
  ...more,
});

const state = (shown: BoardView, you: GameState["you"] = ["white"]): GameState =>
  ({
    game: "g",
    number: 9,
    you,
    board: shown,
    actions: ["x", "x", "x", "x"],
    standing: { status: "playing" },
  }) as unknown as GameState;

const rules = { pieces: [{ name: "rabble", letter: "R" }] } as unknown as RuleSetPage;
const sent = vi.spyOn(live, "request");

function held(next: BoardView): void {
  sent.mockRejectedValueOnce(
    new Refused({ title: "Not played yet", status: 409, type: "held", board: next }),
  );
}

async function settled(): Promise<void> {
  await new Promise((done) => setTimeout(done));
}

const seat = (shown: BoardView, you?: GameState["you"]): Table => {
  const game = state(shown, you);
  return new Table(
    () => game,
    () => rules,
  );
};

beforeEach(() => {
  sent.mockReset();
  sent.mockResolvedValue({ type: "done", id: 1, game: "g", number: 10 });
  settings.confirm = false;
  settings.sound = false;
});

describe("a table", () => {
  it("sends an action as a turn", async () => {
    const table = seat(board(["a2-a3"]));
    table.tap("a2");
    expect(table.selected).toBe("a2");
    table.tap("a3");
    await settled();
    expect(sent.mock.calls[0]?.[0]).toEqual({
      type: "do",
      game: "g",
      command: { do: "play_turn", actions: ["a2-a3"], ply: 4, hold: false },
    });
    expect(table.selected).toBeNull();
  });

  it("holds the first action until the turn is whole, and takes it back", async () => {
    const table = seat(board(["a2-a3"]));
    const ahead = board(["b2-b3", "end"], { in_turn: true, ply: 5 });
    held(ahead);
    table.drag("a2", "a3");
    await settled();
    expect(table.board).toBe(ahead);
    expect(table.actions.at(-1)).toBe("a2-a3");
    expect(table.options.end?.text).toBe("end");
    table.unhold();
    expect(table.held).toBeNull();
    held(ahead);
    table.drag("a2", "a3");
    await settled();
    table.drag("b2", "b3");
    await settled();
    const { command } = sent.mock.calls.at(-1)![0] as { command: { actions: string[] } };
    expect(command.actions).toEqual(["a2-a3", "b2-b3"]);
    table.renew();
    expect(table.held).toBeNull();
  });

  it("shows a whole turn first to those who want to confirm it", async () => {
    settings.confirm = true;
    const table = seat(board(["a2-a3"]), ["white", "black"]);
    held(board(["c3-c4"], { turn: "black", ply: 5 }));
    table.drag("a2", "a3");
    await settled();
    expect(table.whole).toBe(true);
    expect(table.options.by.size).toBe(0); // the opponent's actions are not mine to choose
    table.tap("c3");
    expect(table.selected).toBeNull();
    table.send();
    await settled();
    const { command } = sent.mock.calls.at(-1)![0] as { command: Record<string, unknown> };
    expect(command).toMatchObject({ actions: ["a2-a3"], hold: false, seat: "white" });
  });

  it("asks which of several meanings is meant", () => {
    const table = seat(board(["a2-c3", "a2*c3", "a2xc3"]));
    table.tap("a2");
    table.tap("c3");
    expect(table.asking?.actions.map((action) => action.text)).toEqual(["a2-c3", "a2*c3", "a2xc3"]);
    expect(sent).not.toHaveBeenCalled();
  });

  it("asks before it strikes the own piece that might have been meant to be chosen", () => {
    const table = seat(board(["a2xb2", "b2-b3"]));
    table.tap("a2");
    table.tap("b2");
    expect(table.asking?.square).toBe("b2");
    table.choose("b2");
    expect([table.asking, table.selected]).toEqual([null, "b2"]);
  });

  it("tells a refusal in words and stays usable", async () => {
    const table = seat(board(["a2-a3"]));
    sent.mockRejectedValueOnce(new Refused({ title: "No", status: 409, detail: "It is Black's turn." }));
    table.drag("a2", "a3");
    await settled();
    expect(table.notice).toBe("It is Black's turn.");
    expect(table.sending).toBe(false);
  });

  it("does nothing for those who watch", () => {
    const table = seat(board(["a2-a3"]), []);
    table.tap("a2");
    table.drag("a2", "a3");
    table.reserve("d");
    expect(sent).not.toHaveBeenCalled();
    expect(table.selected).toBe("a2"); // its card may be read
  });
});

describe("traces", () => {
  it("shows where an action was seen", () => {
    expect(traceOf("a2-a3*b4")).toEqual({ from: "a2", to: "a3", struck: ["b4"] });
    expect(traceOf("a2xb3")).toEqual({ from: "a2", to: "b3", struck: [] });
    expect(traceOf(undefined)).toBeNull();
  });

  it("shows where a shooter would end", () => {
    const actions = ["a2-a3*b4", "a2*c4", "a2-b4"].map(parseAction);
    expect(landingsOf(actions, "b4")).toEqual(["a3"]);
    expect(landingsOf(actions, "c4")).toEqual([]);
    expect(landingsOf(actions, null)).toEqual([]);
  });
});
