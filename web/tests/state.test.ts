import { describe, expect, it } from "vitest";
import { apply, type GameState, timeLeft } from "../src/game/state";
import type {
  AnyEvent,
  BoardView,
  Message,
  Remark,
  Seat,
  Snapshot,
  Update,
} from "../src/lib/types";
import { gameWith, NOWHERE, setup } from "./setup-fixture";

const board = (change: Partial<BoardView> = {}): BoardView => ({
  position: NOWHERE,
  scenery: { features: [], stores: [] },
  in_turn: false,
  ply: 0,
  legal_actions: [],
  told: [],
  dangers: [],
  ...change,
});

const game = (change: Partial<GameState> = {}): GameState =>
  gameWith({ number: 5, board: board(), turns: [], actions: [], ...change });

function update(from: number, events: AnyEvent[], change: Partial<Update> = {}): Update {
  const { standing } = gameWith();
  return {
    type: "update",
    game: "g",
    number: from + events.length - 1,
    events: events.map((event, i) => ({ number: from + i, at: 0, event })),
    standing: { ...standing, clocks: { white: 9, black: 8, running: "black", now: 7 } },
    ...change,
  };
}

const played = (seat: "white" | "black", action: string): AnyEvent => ({
  kind: "played",
  seat,
  action,
});

describe("what was asked for and not given", () => {
  const asking = (change: Partial<GameState["standing"]>) =>
    game({ standing: { ...gameWith().standing, ...change } });

  it.each<[string, Partial<GameState["standing"]>, AnyEvent[], GameState["answer"]]>([
    [
      "a draw",
      { offered: "white" },
      [{ kind: "declined", seat: "black" }],
      { what: "draw", by: "black" },
    ],
    [
      "a draw, by a bot at once",
      {},
      [
        { kind: "offered", seat: "white" },
        { kind: "declined", seat: "black" },
      ],
      { what: "draw", by: "black" },
    ],
    [
      "a draw, by playing on",
      { offered: "white" },
      [played("black", "b9-b8")],
      { what: "draw", by: "black" },
    ],
    [
      "a turn back",
      { asked: "white" },
      [{ kind: "refused", seat: "black" }],
      { what: "take_back", by: "black" },
    ],
    ["nothing", {}, [played("black", "b9-b8")], null],
    ["what its asker plays on without", { asked: "white" }, [played("white", "a1-a2")], null],
    ["a seat", {}, [{ kind: "seatdeclined", seat: "black" }], { what: "seat", by: "white" }],
  ])("is told: %s", (_, standing, events, answer) => {
    const next = apply(asking(standing), update(6, events), 0)!;
    expect(next.answer).toEqual(answer);
  });

  it.each<[Seat, string]>([
    ["white", "a1-a2"],
    ["black", "b9-b8"],
  ])("is told until the game goes on, with %s", (seat, action) => {
    const refused = apply(game(), update(6, [{ kind: "refused", seat: "black" }]), 0)!;
    expect(refused.answer).not.toBeNull();
    expect(apply(refused, update(7, [played(seat, action)]), 0)!.answer).toBeNull();
  });
});

describe("an update", () => {
  it("brings actions into turns", () => {
    const next = apply(game(), update(6, [played("white", "a1-a2"), played("black", "b9-b8")]), 0)!;
    expect(next.number).toBe(7);
    expect(next.actions).toEqual(["a1-a2", "b9-b8"]);
    expect(next.turns).toEqual([
      { color: "white", actions: ["a1-a2"] },
      { color: "black", actions: ["b9-b8"] },
    ]);
  });

  it("goes on with a turn that is open, and begins another where it is not", () => {
    const turns = [{ color: "white" as const, actions: ["a1-a2"] }];
    const before = { turns, actions: ["a1-a2"] };
    const open = apply(
      game({ ...before, board: board({ in_turn: true }) }),
      update(6, [played("white", "c1-c2")]),
      0,
    )!;
    expect(open.turns).toEqual([{ color: "white", actions: ["a1-a2", "c1-c2"] }]);
    const shut = apply(game(before), update(6, [played("white", "c1-c2")]), 0)!;
    expect(shut.turns).toEqual([...turns, { color: "white", actions: ["c1-c2"] }]);
    const whole = apply(game(), update(6, [played("white", "a1-a2"), played("white", "end")]), 0)!;
    expect(whole.turns).toEqual([{ color: "white", actions: ["a1-a2", "end"] }]);
  });

  it("takes actions back, also in the middle of a turn", () => {
    const before = game({
      turns: [
        { color: "white", actions: ["a1-a2", "end"] },
        { color: "black", actions: ["b9-b8"] },
      ],
      actions: ["a1-a2", "end", "b9-b8"],
    });
    const cut = (ply: number) =>
      apply(before, update(6, [{ kind: "tookback", seat: "white", ply }]), 0)!;
    expect([cut(1).actions, cut(1).turns]).toEqual([
      ["a1-a2"],
      [{ color: "white", actions: ["a1-a2"] }],
    ]);
    expect([cut(0).actions, cut(0).turns]).toEqual([[], []]);
    const again = apply(cut(0), update(7, [played("white", "d1-d2")]), 0)!;
    expect(again.turns).toEqual([{ color: "white", actions: ["d1-d2"] }]);
  });

  it("asks for everything when something was missed", () => {
    expect(apply(game(), update(7, [played("white", "a1-a2")]), 0)).toBeNull();
    expect(apply(null, update(1, [played("white", "a1-a2")]), 0)).toBeNull();
  });

  it("takes only what is new, and nothing twice", () => {
    const before = game();
    expect(apply(before, update(5, [played("white", "a1-a2")]), 0)).toBe(before);
    const next = apply(before, update(5, [played("black", "x"), played("white", "a1-a2")]), 0)!;
    expect([next.number, next.actions]).toEqual([6, ["a1-a2"]]);
  });

  it("keeps the board unless there is a new one, and hears the clocks", () => {
    const before = game();
    const quiet = apply(before, update(6, [{ kind: "offered", seat: "white" }]), 1234)!;
    expect(quiet.board).toBe(before.board);
    expect([quiet.clocks.white, quiet.heardAt]).toEqual([9, 1234]);
    const moved = board({ ply: 1 });
    expect(apply(before, update(6, [played("white", "a1-a2")], { board: moved }), 0)!.board).toBe(
      moved,
    );
  });

  it("tells whoever has sat down, or is ready, what is theirs", () => {
    const before = game({ you: [], setups: {} });
    const joined = update(6, [{ kind: "joined", seat: "black", name: "Ben" }], { you: ["black"] });
    expect(apply(before, joined, 0)!.you).toEqual(["black"]);
    expect(apply(before, update(6, [{ kind: "joined", seat: "black" }]), 0)!.you).toEqual([]);
    const white = setup();
    const ready = apply(
      game(),
      update(6, [{ kind: "ready", seat: "white", setup: null }], { setups: { white } }),
      0,
    )!;
    expect(ready.setups).toEqual({ white });
    const back = apply(ready, update(7, [{ kind: "withdrew", seat: "white" }], { setups: {} }), 0)!;
    expect(back.setups).toEqual({});
  });

  it("forgets the invitation when both seats are taken", () => {
    const before = game({ invitation: "word" });
    expect(apply(before, update(6, [{ kind: "joined", seat: "black" }]), 0)!.invitation).toBeNull();
    const standing = { ...gameWith().standing, black: null };
    expect(
      apply(before, update(6, [{ kind: "joined", seat: "black" }], { standing }), 0)!.invitation,
    ).toBe("word");
  });
});

describe("a snapshot", () => {
  const snapshot = (lifted: boolean): Snapshot => ({
    type: "snapshot",
    game: "g",
    number: 9,
    you: ["black"],
    agreement: gameWith().agreement,
    created_at: 0,
    standing: gameWith().standing,
    view: {
      screen_lifted: lifted,
      setups: {},
      ...(lifted
        ? { ...board({ ply: 2 }), turns: [{ color: "white", actions: ["a1-a2", "end"] }] }
        : {}),
    },
    tags: {},
    invitation: null,
    by_invitation: false,
  });

  it("begins anew, but keeps what was said", () => {
    const remark: Remark = { number: 1, at: 0, name: "Ada", text: "hello", seat: "white" };
    const next = apply(game({ remarks: [remark], actions: ["z1-z2"] }), snapshot(true), 5)!;
    expect([next.number, next.you, next.actions, next.board?.ply]).toEqual([
      9,
      ["black"],
      ["a1-a2", "end"],
      2,
    ]);
    expect([next.remarks, next.heardAt]).toEqual([[remark], 5]);
  });

  it("has no board while the screen is down", () => {
    const next = apply(null, snapshot(false), 0)!;
    expect([next.board, next.actions, next.turns]).toEqual([null, [], []]);
  });
});

describe("what is said", () => {
  const remark = (number: number): Remark => ({
    number,
    at: 0,
    name: "Ada",
    text: String(number),
    seat: null,
  });
  const chat = (room: "players" | "spectators", ...numbers: number[]): Message => ({
    type: "chat",
    game: "g",
    room,
    remarks: numbers.map(remark),
  });
  const heard = (state: GameState | null) => state?.remarks.map(({ number }) => number);

  it("is heard once, and only in one's own room", () => {
    const first = apply(game({ room: "players" }), chat("players", 1, 2), 0);
    expect(heard(first)).toEqual([1, 2]);
    expect(heard(apply(first, chat("players", 2, 3), 0))).toEqual([1, 2, 3]);
    expect(heard(apply(first, chat("spectators", 1), 0))).toEqual([1]);
    expect(apply(null, chat("players", 1), 0)).toBeNull();
  });
});

describe("clocks", () => {
  const clocks = { white: 60_000, black: 30_000, running: "white" as const, now: 0 };
  const state = game({ clocks, heardAt: 1000 });

  it("run for whoever is to act, and stop at nothing", () => {
    expect(timeLeft(state, "white", 11_000)).toBe(50_000);
    expect(timeLeft(state, "black", 11_000)).toBe(30_000);
    expect(timeLeft(state, "white", 999_000)).toBe(0);
    expect(timeLeft(game(), "white", 0)).toBeNull();
  });

  it("are set when the server says that all is as it was", () => {
    const current: Message = {
      type: "current",
      game: "g",
      number: 5,
      clocks: { ...clocks, white: 5 },
    };
    expect(apply(state, current, 77)).toMatchObject({ clocks: { white: 5 }, heardAt: 77 });
  });
});
