// A turn is chosen action by action, and sent when it is whole.
import { SvelteMap } from "svelte/reactivity";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { GameState } from "../src/game/state";
import { landingsOf, Table } from "../src/game/table.svelte";
import { parseAction } from "../src/lib/actions";
import { Refused } from "../src/lib/api";
import { live } from "../src/lib/live.svelte";
import { settings } from "../src/lib/settings.svelte";
import type { BoardView, PlayTurn, RuleSetPage, SentenceDocument } from "../src/lib/types";
import { NOWHERE } from "./setup-fixture";

const board = (legal: string[], more: Partial<BoardView> = {}): BoardView => ({
  position: {
    ...NOWHERE,
    pieces: [
      { type: "rabble", color: "white", at: "a2" },
      { type: "rabble", color: "white", at: "b2" },
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

const BLACKS: Partial<BoardView> = {
  position: { ...board([]).position, to_move: "black" },
};

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

function held(next: BoardView, whole = false, risks: SentenceDocument[] = []): void {
  sent.mockResolvedValueOnce({ type: "preview", id: 1, game: "g", board: next, whole, risks });
}

async function settled(): Promise<void> {
  await new Promise((done) => setTimeout(done));
}

/** A table, and how its game goes on. */
function tableOf(shown: BoardView, you?: GameState["you"]) {
  const game = new SvelteMap([["now", state(shown, you)]]);
  const table = new Table(
    () => game.get("now")!,
    () => rules,
  );
  return {
    table,
    goOn: (next: Partial<GameState>) => game.set("now", { ...game.get("now")!, ...next }),
  };
}
const seat = (shown: BoardView, you?: GameState["you"]): Table => tableOf(shown, you).table;

/** Where the white pieces are. */
const whites = (table: Table): string[] =>
  [...table.pieces.values()].filter(({ color }) => color === "white").map(({ at }) => at);

beforeEach(() => {
  sent.mockReset();
  sent.mockResolvedValue({ type: "done", id: 1, game: "g", number: 10 });
  settings.confirm = false;
  settings.questions = true;
  settings.sound = false;
  live.state = "connected";
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
      command: { do: "play_turn", actions: ["a2-a3"], ply: 4, hold: false, careful: true },
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
    held(board(["c3-c4"], { ...BLACKS, ply: 5 }), true);
    table.drag("a2", "a3");
    await settled();
    expect(table.whole).toBe(true);
    expect(table.options.by.size).toBe(0); // the opponent's actions are not mine to choose
    table.tap("c3");
    expect(table.selected).toBeNull();
    table.send();
    await settled();
    const { command } = sent.mock.calls.at(-1)![0] as { command: PlayTurn };
    expect(command).toMatchObject({ actions: ["a2-a3"], hold: false, seat: "white" });
  });

  it("takes back action by action what nobody has seen, without asking anybody", async () => {
    const table = seat(board(["a2-a3"]));
    const first = board(["b2-b3", "end"], { in_turn: true });
    held(first);
    table.drag("a2", "a3");
    await settled();
    held(board(["end"], { in_turn: true }));
    table.drag("b2", "b3");
    await settled();
    expect(table.held?.actions).toHaveLength(2);
    table.unhold();
    expect(table.board).toBe(first);
    expect(table.actions.at(-1)).toBe("a2-a3");
    table.unhold();
    expect(table.held).toBeNull();
    expect(sent).toHaveBeenCalledTimes(2);
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
    sent.mockRejectedValueOnce(
      new Refused({ title: "No", status: 409, detail: "It is Black's turn." }),
    );
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

describe("what was sent", () => {
  /** The answer of the server, held back by the test. */
  function answerLater() {
    let answer = { done: () => {}, refuse: (_: Refused) => {} };
    sent.mockReturnValueOnce(
      new Promise((done, refuse) => {
        answer = { done: () => done({ type: "done", id: 1, game: "g", number: 10 }), refuse };
      }),
    );
    return { done: () => answer.done(), refuse: (why: Refused) => answer.refuse(why) };
  }
  const after = board(["c3-c4"], {
    ply: 5,
    position: {
      ...NOWHERE,
      to_move: "black",
      pieces: [{ type: "rabble", color: "white", at: "a3" }],
    },
  });

  it("is seen at once, and nothing else can be done meanwhile", async () => {
    const { table, goOn } = tableOf(board(["a2-a3", "b2-b3"]));
    const answer = answerLater();
    table.drag("a2", "a3");
    expect(whites(table)).toEqual(["a3", "b2"]);
    expect(table.actions.at(-1)).toBe("a2-a3");
    table.tap("b2");
    table.tap("b3");
    table.drag("b2", "b3");
    table.lift("b2");
    table.reserve("r");
    table.finish();
    expect([table.selected, sent.mock.calls.length]).toEqual([null, 1]);
    // The game comes first, then the answer; or the other way round.
    goOn({ board: after, actions: ["x", "x", "x", "x", "a2-a3"] });
    expect(table.board).toBe(after);
    expect(table.actions).toHaveLength(5);
    answer.done();
    await settled();
    expect([table.board, table.busy]).toEqual([after, false]);
  });

  it("stays as it is when it is done, until the game has come so far", async () => {
    const { table, goOn } = tableOf(board(["a2-a3", "b2-b3"]));
    table.drag("a2", "a3");
    await settled();
    expect(table.sending).toBe(false);
    expect(whites(table)).toEqual(["a3", "b2"]);
    table.drag("b2", "b3");
    expect(sent).toHaveBeenCalledTimes(1);
    goOn({ board: after, actions: ["x", "x", "x", "x", "a2-a3"] });
    expect([table.board, table.busy]).toEqual([after, false]);
  });

  it("goes back when it is refused, with the reason in words", async () => {
    const table = seat(board(["a2-a3"]));
    const answer = answerLater();
    table.drag("a2", "a3");
    expect(whites(table)).toEqual(["a3", "b2"]);
    answer.refuse(new Refused({ title: "No", status: 409, detail: "It is Black's turn." }));
    await settled();
    expect(whites(table)).toEqual(["a2", "b2"]);
    expect([table.notice, table.busy]).toEqual(["It is Black's turn.", false]);
    expect(table.actions).toHaveLength(4);
  });

  it("goes on from what is held, and back to it", async () => {
    const table = seat(board(["a2-a3"]));
    const ahead = board(["b2-b3", "end"], { in_turn: true });
    ahead.position.pieces[0]!.at = "a3";
    held(ahead);
    table.drag("a2", "a3");
    await settled();
    const answer = answerLater();
    table.drag("b2", "b3");
    expect(whites(table)).toEqual(["a3", "b3"]);
    expect(table.options.end?.text).toBe("end"); // buttons do not come and go meanwhile
    answer.refuse(new Refused({ title: "No", status: 409, detail: "no" }));
    await settled();
    expect(whites(table)).toEqual(["a3", "b2"]);
    expect(table.held?.actions).toHaveLength(1);
  });

  it("is not shown where it cannot be sent", async () => {
    live.state = "away";
    const table = seat(board(["a2-a3"]));
    const answer = answerLater();
    table.drag("a2", "a3");
    expect(whites(table)).toEqual(["a2", "b2"]);
    answer.refuse(new Refused({ title: "Away", status: 0, type: "away", detail: "Not sent." }));
    await settled();
    expect(table.notice).toBe("Not sent.");
  });
});

describe("an action that gives something away", () => {
  const risk = (template: string): SentenceDocument => ({
    template,
    data: {},
    text: template,
    white: template,
    black: template,
  });
  const last = () => (sent.mock.calls.at(-1)![0] as { command: PlayTurn }).command;

  it("is shown first, and played or taken back", async () => {
    const table = seat(board(["a2-a3"]));
    held(board([], BLACKS), true, [risk("king")]);
    table.drag("a2", "a3");
    await settled();
    expect(last().careful).toBe(true);
    expect(table.held?.risks.map(({ template }) => template)).toEqual(["king"]);
    expect(sent).toHaveBeenCalledOnce();
    table.unhold();
    expect(table.held).toBeNull();
    held(board([], BLACKS), true, [risk("king")]);
    table.drag("a2", "a3");
    await settled();
    table.send();
    await settled();
    expect(last()).toMatchObject({ actions: ["a2-a3"], careful: false, hold: false });
  });

  it("is all that is told while it is asked about", async () => {
    const king = { ...risk("risk_king"), data: { color: "white", square: "a3" } };
    const same = { ...king, template: "king_in_danger" };
    const keep = risk("keep_entered");
    const fear = (said: SentenceDocument): BoardView["dangers"][number] => ({
      kind: "king",
      color: "white",
      squares: [],
      by: [],
      said,
    });
    const ahead = { told: [risk("end_king_captured")], dangers: [fear(same), fear(keep)] };
    const table = seat(board(["a2-a3"]));
    held(board([], { ...BLACKS, ...ahead }), true, [king]);
    table.drag("a2", "a3");
    await settled();
    expect(table.told).toEqual([]);
    expect(table.warnings).toEqual([king, keep]);
    table.finish();
    expect(sent).toHaveBeenCalledOnce();
  });

  it("is not asked about twice where it strikes an own piece", async () => {
    const table = seat(board(["a2xb2"]));
    table.drag("a2", "b2");
    held(board([], BLACKS), true, [risk("own_struck")]);
    table.perform(table.asking!.actions[0]!, true);
    await settled();
    expect(sent).toHaveBeenCalledTimes(2);
    expect(last().careful).toBe(false);
    expect(table.held).toBeNull();
  });

  it("is played at once by who wants no questions", async () => {
    settings.questions = false;
    const table = seat(board(["a2-a3"]));
    table.drag("a2", "a3");
    await settled();
    expect(last().careful).toBe(false);
  });
});

describe("an own piece", () => {
  it("is struck only when that is sure, and can be chosen instead", async () => {
    const table = seat(board(["a2xb2"]));
    table.tap("a2");
    table.tap("b2"); // it has nothing to do, so tapping it could mean only one thing
    expect(sent).not.toHaveBeenCalled();
    expect(table.asking?.actions.map(({ text }) => text)).toEqual(["a2xb2"]);
    expect(table.ownStruck.map(({ at }) => at)).toEqual(["b2"]);
    table.choose("b2");
    expect([table.selected, table.asking]).toEqual(["b2", null]);
    table.choose(null);
    table.drag("a2", "b2");
    table.perform(table.asking!.actions[0]!, true);
    await settled();
    expect(sent).toHaveBeenCalledOnce();
  });

  it("is asked about too where another square was tapped", () => {
    const table = seat(board(["a2xb2xc3"]));
    table.drag("a2", "c3");
    expect(sent).not.toHaveBeenCalled();
    expect(table.ownStruck.map(({ at }) => at)).toEqual(["b2"]);
  });
});

describe("traces", () => {
  it("shows the turn that led here, the open one with what nobody has seen yet", async () => {
    const turns: GameState["turns"] = [
      { color: "black", actions: ["c4-c3", "end"] },
      { color: "white", actions: ["a1-a2"] },
    ];
    const actions = turns.flatMap((turn) => turn.actions);
    const { table, goOn } = tableOf(board(["a2-a3"], { in_turn: true, ply: 3 }));
    goOn({ turns, actions });
    expect(table.turn).toEqual(["a1-a2"]);
    table.drag("a2", "a3");
    expect(table.turn).toEqual(["a1-a2", "a2-a3"]);
    table.past = { ply: 2, board: board([]) };
    expect(table.turn).toEqual(["c4-c3", "end"]);
    table.past = { ply: 1, board: board([]) };
    expect(table.turn).toEqual(["c4-c3"]);
    await settled();
  });

  it("shows where a shooter would end", () => {
    const actions = ["a2-a3*b4", "a2*c4", "a2-b4"].map(parseAction);
    expect(landingsOf(actions, "b4")).toEqual(["a3"]);
    expect(landingsOf(actions, "c4")).toEqual([]);
    expect(landingsOf(actions, null)).toEqual([]);
  });
});
